"""Suspend's special action (CR 702.62, 116.2f)."""

from __future__ import annotations

from judgecall.oracle import costs, events, layers, payment, statics, turn
from judgecall.oracle.agents import Refused
from judgecall.oracle.state import Game, Object, Player
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.ways import Request

__all__ = ["suspend"]


def suspend(game: Game, player: Player, obj: Object, request: Request) -> None:
    """Exile a card from the hand with time counters, any time the player could begin to cast it.

    Raises:
        Refused: with the rule and the stage.
    """
    ch = layers.of(game, obj)
    keywords = ch.keywords().get("suspend", [])
    if obj.zone != "hand" or obj.owner is not player or not keywords:
        raise Refused("the card cannot be suspended", "702.62a", "permission")
    if game.priority is not player:
        raise Refused(f"{player.name} does not have priority", "116.2f", "permission")
    quick = "Instant" in ch.types or ch.has("flash")
    if not quick and (game.active is not player or not turn.is_main(game) or game.stack):
        raise Refused("only when the card could be cast", "702.62a", "permission")
    if statics.forbids(game, "cant cast", player=player, obj=obj):
        raise Refused("an effect says that it can't be cast", "702.62c", "permission")
    value = keywords[0].value
    ctx = Context(game, player, obj, x=request.x or 0)
    total = costs.TotalCost()
    total.add(value["cost"], ctx, ctx.x)
    payment.pay(game, player, obj, total, request.costs, request.paying, "suspend")
    done = events.happen(game, [events.move(obj, "exile", cause="suspend", by=player, rules=("702.62a",))])
    for event in done:
        n = ctx.x if value["n"] == "X" else int(value["n"])
        events.happen(game, [events.Event("counters", event.new, amount=n, details={"kind": "time"}, by=player)])
