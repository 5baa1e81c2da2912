"""Whether a creature attacks or blocks alone (CR 506.5)."""

from __future__ import annotations

from types import MappingProxyType

from judgecall.oracle.state import Game, Object

__all__ = ["fights", "note"]


def fights(game: Game, obj: Object) -> bool:
    """Whether no other creature attacks, or no other blocks (CR 506.5), as long as it is on the battlefield."""
    others = [thing for thing in game.battlefield if thing is not obj]
    attacks = obj.attacking is not None and not any(thing.attacking is not None for thing in others)
    blocks = bool(obj.blocking) and not any(thing.blocking for thing in others)
    return attacks or blocks


def note(game: Game, obj: Object) -> None:
    """Keep of a creature that is about to leave whether it fought alone: others may leave with it (CR 608.2h)."""
    if obj.attacking is not None or obj.blocking:
        game.write(obj, "notes", MappingProxyType({**obj.notes, "fought alone": fights(game, obj)}))
