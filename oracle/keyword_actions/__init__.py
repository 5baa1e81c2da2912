"""Keyword actions (CR 701), each said in the vocabulary."""

from __future__ import annotations

from functools import cache

from judgecall.oracle.definitions import Ability

__all__ = ["regeneration"]


@cache
def regeneration() -> Ability:
    """A regeneration shield (CR 701.19a): instead of being destroyed it is tapped, healed and out of combat, once."""
    from judgecall.oracle.vocabulary.grammar import parse_ability

    return parse_ability(
        {
            "replace": {"regenerates": {}},
            "zone": "any",
            "once": True,
            "instead": [
                {"heal": "that"},
                {"tap": "that"},
                {"remove from combat": "that"},
            ],
        }
    )
