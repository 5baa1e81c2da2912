"""Shuffling cards into a library as they move there (CR 701.24)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from judgecall.oracle import chance
from judgecall.oracle.state import Game, Player

if TYPE_CHECKING:
    from judgecall.oracle.events import Event

__all__ = ["shuffle_in"]


def shuffle_in(game: Game, moves: Sequence[Event]) -> list[Player]:
    """Shuffle the libraries that something which has just moved was to be shuffled into; gives their owners.

    What went to a place in such a library at the same time is in that place afterwards (CR 701.24g).
    """
    owners: list[Player] = []
    for event in moves:
        if event.details.get("shuffle after") and event.new is not None and event.new.zone == "library":
            if event.new.owner not in owners:
                owners.append(event.new.owner)
    for player in owners:
        placed = [
            (event.position, event.new)
            for event in moves
            if event.kind == "move"
            and event.new is not None
            and any(event.new is card for card in player.library)
            and not event.details.get("shuffle after")
        ]
        rest = tuple(card for card in player.library if not any(card is new for _, new in placed))
        library = list(chance.shuffled(game, rest))
        for position, new in placed:
            place = len(library) if position == "bottom" else position if isinstance(position, int) else 0
            library.insert(place, new)
            game.trace.cite("701.24g")
        game.write(player, "library", tuple(library))
    return owners
