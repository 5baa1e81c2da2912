"""Sagas (CR 714): chapters, lore counters, and the sacrifice at the end."""

from __future__ import annotations

from judgecall.oracle import events, layers, objects
from judgecall.oracle.characteristics import Characteristics
from judgecall.oracle.definitions import Triggered
from judgecall.oracle.state import Game, Object

__all__ = ["add_lore", "final_chapter", "finished"]


def final_chapter(ch: Characteristics) -> int:
    """The greatest value among its chapter abilities (CR 714.2d); 0 where it has none."""
    return max(
        (
            number
            for ability, _ in ch.each(Triggered)
            if ability.trigger.word == "chapter"
            for number in ability.trigger.args["numbers"]
        ),
        default=0,
    )


def add_lore(game: Game) -> None:
    """CR 505.4, 714.3c: as the precombat main phase begins, a lore counter on each Saga with a chapter ability."""
    made = []
    for obj in game.battlefield:
        if obj.phased_out or obj.controller is not game.active:
            continue
        ch = layers.of(game, obj)
        if "Saga" in ch.subtypes and final_chapter(ch) > 0:
            made.append(
                events.Event(
                    "counters",
                    obj,
                    amount=1,
                    details={"kind": "lore"},
                    by=game.active,
                    cause="turn-based",
                    rules=("714.3c", "703.4f"),
                )
            )
    events.happen(game, made)


def finished(game: Game, obj: Object, ch: Characteristics) -> bool:
    """CR 714.4, 704.5s: lore counters have reached the final chapter, and no ability of it that triggered is left."""
    last = final_chapter(ch)
    if "Saga" not in ch.subtypes or last == 0 or objects.counters(obj, "lore") < last:
        return False
    game.trace.cite("714.2d")
    on_stack = any(item.source is obj and _chapter(item.ability) for item in game.stack)
    waiting = any(item.source is obj and _chapter(item.ability) for item in game.waiting)
    return not on_stack and not waiting


def _chapter(ability: object) -> bool:
    return isinstance(ability, Triggered) and ability.trigger.word == "chapter"
