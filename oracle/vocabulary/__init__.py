"""The words in which cards are defined, named after the concepts of the Comprehensive Rules."""

from __future__ import annotations

__all__ = ["read_vocabulary"]


def read_vocabulary() -> None:
    """Import every module that registers words, so that definitions can be read."""
    from judgecall.oracle.vocabulary import (  # noqa: F401
        amounts,
        binding,
        changes,
        conditions,
        effects_actions,
        effects_bending,
        effects_faces,
        effects_flow,
        effects_lasting,
        effects_linked,
        effects_making,
        effects_objects,
        effects_replacing,
        effects_ring,
        effects_zones,
        filters,
        payments,
        payments_composed,
        references,
        replaced,
        rules,
        triggers,
        triggers_combat,
        values,
    )
