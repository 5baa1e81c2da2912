"""Searching a zone, and what effects make of it (CR 701.23)."""

from __future__ import annotations

from judgecall.oracle import statics
from judgecall.oracle.state import Game, Object, Player

__all__ = ["allowed", "cards"]


def allowed(game: Game, player: Player, zones: tuple[str, ...]) -> tuple[str, ...]:
    """Of the zones that a player would search those that may be searched (CR 101.2, 101.3)."""
    if statics.forbids(game, "cant search", player=player):
        return tuple(zone for zone in zones if zone != "library")
    return zones


def cards(game: Game, player: Player, owner: Player, zones: tuple[str, ...]) -> list[Object]:
    """The cards that a player searches."""
    found: list[Object] = []
    for zone in zones:
        pool = getattr(owner, zone)
        if zone == "library":
            for node, ctx in statics.rules(game, "search top only"):
                if player in ctx.players(node.args["who"]):
                    pool = pool[: ctx.amount(node.args["n"])]
                    game.trace.cite("701.23f")
        found.extend(pool)
    return found
