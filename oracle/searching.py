"""Searching a zone, and what effects make of it (CR 701.23)."""

from __future__ import annotations

from judgecall.oracle import statics
from judgecall.oracle.state import Game, Object, Player

__all__ = ["cards"]


def cards(game: Game, player: Player, owner: Player, zones: tuple[str, ...]) -> list[Object] | None:
    """The cards that a player searches; None: an effect says that they can't search."""
    if "library" in zones and statics.forbids(game, "cant search", player=player):
        return None
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
