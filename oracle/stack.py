"""What can be done to objects on the stack: countering (CR 701.6), copying (CR 707.10), changing targets (CR 115.7)."""

from __future__ import annotations

from typing import Any

from judgecall.oracle import events, layers, resolving, statics
from judgecall.oracle.state import Game, Object, Player

__all__ = ["counter"]


def counter(
    game: Game,
    obj: Object,
    by: Player | None,
    source: Object | None,
    to: str = "graveyard",
    position: Any = None,
) -> bool:
    """Counter a spell or ability. True if it was countered (CR 701.6a)."""
    if obj.gone or obj.zone != "stack":
        return False
    ch = layers.of(game, obj)
    if "be countered" in ch.cant:
        game.trace.add(f"{events.label(game, obj)} can't be countered", "101.2")
        return False
    if statics.forbids(game, "cant be countered", obj=obj):
        game.trace.add(f"{events.label(game, obj)} can't be countered", "101.2")
        return False
    if obj.kind == "ability":
        game.trace.add(f"{events.label(game, obj)} is countered", "701.6a")
        resolving.leave(game, obj)
        events.happen(game, [events.Event("countered", obj, by=by, source=source)])
        return True
    game.trace.add(f"{events.label(game, obj)} is countered", "701.6a")
    done = events.happen(game, [events.move(obj, to, position=position, cause="counter", source=source, by=by)])
    if not any(event.kind == "move" and event.cause == "counter" for event in done):
        return False  # something else happened instead
    events.happen(game, [events.Event("countered", obj, by=by, source=source)])
    return True
