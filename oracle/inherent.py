"""Triggered abilities that the rules give to players, with no source: speed (CR 702.179d), the monarch (CR 725)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from judgecall.oracle.definitions import Triggered
from judgecall.oracle.state import NOTHING, Game, Player

if TYPE_CHECKING:
    from judgecall.oracle.events import Event

__all__ = ["MAX_SPEED", "abdicate", "crown", "speed", "triggered"]

Found = tuple[Player, Triggered, Mapping[str, Any]]
"""Who controls an ability that has triggered, the ability, and what it is about."""

MAX_SPEED = 4
"""CR 702.179e."""

_NOTE = "speed has triggered"


def speed(player: Player) -> int:
    """A player's speed: 0 where there is none (CR 702.179f)."""
    return int(player.flags.get("speed") or 0)


@cache
def _faster() -> Triggered:
    from judgecall.oracle.vocabulary.grammar import parse_ability

    condition = {"compare": {"speed of": "you"}, "to": {"max": MAX_SPEED - 1}}
    ability = parse_ability(
        {"when": {"loses life": "opponent", "one or more": True}, "if": condition, "do": [{"increase speed": 1}]}
    )
    assert isinstance(ability, Triggered)
    return ability


@cache
def _royal() -> tuple[Triggered, Triggered]:
    """At the monarch's end step; when a creature deals combat damage to the monarch (CR 725.2)."""
    from judgecall.oracle.vocabulary.grammar import parse_ability

    drawing = parse_ability({"when": {"begins": "end"}, "do": [{"draw": 1}]})
    losing = parse_ability(
        {
            "when": {"deals damage": {"types": "Creature"}, "player": "you", "combat": True},
            "do": [{"become monarch": None, "who": "controller of that"}],
        }
    )
    assert isinstance(drawing, Triggered)
    assert isinstance(losing, Triggered)
    return drawing, losing


def triggered(game: Game, events: Sequence[Event]) -> Iterator[Found]:
    """The inherent abilities that trigger on what has happened."""
    yield from _of_speed(game, events)
    yield from _of_monarch(game, events)


def _of_speed(game: Game, events: Sequence[Event]) -> Iterator[Found]:
    """One or more opponents lost life in the player's turn, the player has a speed below the greatest, and the ability
    has not triggered this turn (CR 702.179d).
    """
    player = game.active
    if player.left or not 0 < speed(player) < MAX_SPEED or player.notes.get(_NOTE):
        return
    opponents = game.opponents(player)
    if any(event.kind == "lose life" and event.player in opponents and event.amount > 0 for event in events):
        game.trace.cite("702.179d")
        game.write(player, "notes", MappingProxyType({**player.notes, _NOTE: True}))
        yield player, _faster(), NOTHING


def _of_monarch(game: Game, events: Sequence[Event]) -> Iterator[Found]:
    monarch = next((player for player in game.players if player.flags.get("monarch")), None)
    if monarch is None:
        return
    from judgecall.oracle import layers

    drawing, losing = _royal()
    for event in events:
        if event.kind == "step" and event.details["step"] == "end" and event.player is monarch:
            game.trace.cite("725.2")
            yield monarch, drawing, NOTHING
        elif event.kind == "damage" and event.player is monarch and event.details.get("combat") and event.amount > 0:
            source = event.source
            if source is not None and "Creature" in layers.of(game, source).types:
                game.trace.cite("725.2")
                yield monarch, losing, MappingProxyType({"that": source})


def crown(game: Game, player: Player) -> None:
    """A player becomes the monarch, unless that player is already (CR 725.3)."""
    from judgecall.oracle import events

    if player.left or player.flags.get("monarch"):
        return
    for other in game.players:
        if other.flags.get("monarch"):
            game.write(other, "flags", MappingProxyType({**other.flags, "monarch": False}))
    events.happen(game, [events.Event("flag", player=player, details={"flag": "monarch"}, rules=("725.3",))])


def abdicate(game: Game, player: Player) -> None:
    """The monarch has left: the active player becomes the monarch, or else the next in turn order (CR 725.4)."""
    if not player.flags.get("monarch"):
        return
    game.write(player, "flags", MappingProxyType({**player.flags, "monarch": False}))
    first = game.active.seat
    seats = game.players
    heir = next((one for n in range(len(seats)) if not (one := seats[(first + n) % len(seats)]).left), None)
    if heir is not None:
        game.trace.cite("725.4")
        crown(game, heir)
