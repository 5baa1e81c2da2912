"""Abilities that the rules give to what has certain types (CR 305.6, 306.5b, 310.4b, 310.11, 714.3a)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from judgecall.oracle.characteristics import BASIC_LAND_COLORS

__all__ = ["intrinsic"]

_GIVEN: dict[tuple[str, Any], Any] = {}
_RULE = {
    "loyalty": "306.5b",
    "defense": "310.4b",
    "protector": "310.11a",
    "defeat": "310.11b",
    "lore": "714.3a",
}
"""The rule that gives it; of a basic land type CR 305.6."""


def intrinsic(kind: str, n: Any = 0) -> Any:
    """An ability that the rules give: of a basic land type, or of counters that a permanent enters with."""
    if (kind, n) not in _GIVEN:
        from judgecall.oracle.vocabulary.grammar import parse_ability

        raw: dict[str, Any]
        if kind == "defeat":
            raw = {
                "when": {"counter removed": "defense", "filter": "this", "last": True},
                "do": [{"exile": "this", "as": "gone"}, {"cast": "gone", "transformed": True}],
            }
        elif kind == "protector":
            raw = {"enters": {"do": ["choose protector"]}}
        elif kind in BASIC_LAND_COLORS:
            raw = {"cost": "{T}", "do": [{"mana": f"{{{BASIC_LAND_COLORS[kind]}}}"}]}
        else:
            raw = {"enters": {"counters": {kind: "cast X" if n == "X" else n}}}
        _GIVEN[kind, n] = replace(parse_ability(raw), rules=(_RULE.get(kind, "305.6"),))
    return _GIVEN[kind, n]
