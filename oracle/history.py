"""What has happened this turn, as far as rules and cards may ask about it (CR 608.2i and the like)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from judgecall.oracle import layers
from judgecall.oracle.state import Game, Object, Player

if TYPE_CHECKING:
    from judgecall.oracle.events import Event

__all__ = ["RECORDED", "record"]

_OF_PLAYERS = ("play land", "cycle", "scry", "surveil", "expend", "airbend", "earthbend", "firebend", "waterbend")
RECORDED = frozenset(
    [
        *("left", "put into graveyard", "died", "entered", "exiled", "discarded", "left graveyard", "sacrificed"),
        *("life gained", "life lost", "damaged", "combat damaged", "dealt noncombat damage", "attacked"),
        *_OF_PLAYERS,
    ]
)
"""What is kept: definitions ask for nothing else."""


def record(game: Game, events: Sequence[Event]) -> None:
    """Keep what rules and cards may ask about this turn (CR 608.2i and the like)."""
    history: dict[str, Any] | None = None
    for event in events:
        for key, thing, amount in _remember(game, event):
            if history is None:
                history = dict(game.history)
            history[key] = (*history.get(key, ()), (thing, amount))
    if history is not None:
        game.write(game, "history", MappingProxyType(history))


def _as_now(game: Game, obj: Object | None) -> Object | None:
    """What entered or dealt damage, as it is at that moment: whoever asks later asks about then (CR 608.2i)."""
    if obj is None:
        return None
    then = copy(obj)  # no part of the game: nothing to undo
    then.lki, then.gone = layers.of(game, obj), True
    return then


def _remember(game: Game, event: Event) -> Iterable[tuple[str, Any, int]]:
    kind = event.kind
    if kind == "move":
        if event.origin == "battlefield":
            yield "left", event.obj, 1
            if event.to == "graveyard" and event.obj is not None and event.obj.lki is not None:
                yield "put into graveyard", event.obj, 1
                if "Creature" in event.obj.lki.types:
                    yield "died", event.obj, 1
        if event.to == "battlefield":
            yield "entered", _as_now(game, event.new), 1
        if event.to == "exile":
            yield "exiled", event.new, 1
        if event.cause == "discard":
            yield "discarded", event.player, 1
        if event.origin == "graveyard":
            yield "left graveyard", event.player, 1
        if event.cause == "sacrifice":
            yield "sacrificed", event.obj, 1
    elif kind == "token":
        yield "entered", _as_now(game, event.new), 1
    elif kind == "gain life":
        yield "life gained", event.player, event.amount
    elif kind == "lose life":
        yield "life lost", event.player, event.amount
    elif kind == "damage":
        combat = event.details.get("combat")
        if isinstance(event.about, Player):
            yield "damaged", event.player, event.amount
            if combat:
                yield "combat damaged", event.player, event.amount
        if not combat and event.source is not None:
            yield "dealt noncombat damage", _as_now(game, event.source), event.amount
    elif kind == "attack":
        yield "attacked", event.obj, 1
    elif kind in _OF_PLAYERS:
        yield kind, event.player, event.amount or 1
