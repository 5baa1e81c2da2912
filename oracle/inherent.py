"""Triggered abilities that the rules give to players, with no source (CR 702.179d)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from judgecall.oracle.definitions import Triggered
from judgecall.oracle.state import Game, Player

if TYPE_CHECKING:
    from judgecall.oracle.events import Event

__all__ = ["MAX_SPEED", "speed", "triggered"]

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


def triggered(game: Game, events: Sequence[Event]) -> Iterator[tuple[Player, Triggered]]:
    """Whose inherent abilities trigger on what has happened.

    One or more opponents lost life in the player's turn, the player has a speed below the greatest, and the ability
    has not triggered this turn (CR 702.179d).
    """
    player = game.active
    if player.left or not 0 < speed(player) < MAX_SPEED or player.notes.get(_NOTE):
        return
    opponents = game.opponents(player)
    if any(event.kind == "lose life" and event.player in opponents and event.amount > 0 for event in events):
        game.trace.cite("702.179d")
        game.write(player, "notes", MappingProxyType({**player.notes, _NOTE: True}))
        yield player, _faster()
