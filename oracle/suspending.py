"""Suspend's special action (CR 702.62, 116.2f)."""

from __future__ import annotations

from judgecall.oracle import casting, costs, events, layers, payment
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
    try:
        casting.check_could_begin(game, player, obj)
    except Refused as refused:
        prohibited = refused.rule in ("101.2", "702.61a")
        rule = "702.62c" if prohibited else "702.62a"
        raise Refused(f"it could not be cast now: {refused}", rule, "permission") from None
    value = keywords[0].value
    ctx = Context(game, player, obj, x=request.x or 0)
    total = costs.TotalCost()
    total.add(value["cost"], ctx, ctx.x)
    payment.pay(game, player, obj, total, request.costs, request.paying, "suspend")
    done = events.happen(game, [events.move(obj, "exile", cause="suspend", by=player, rules=("702.62a",))])
    for event in done:
        n = ctx.x if value["n"] == "X" else int(value["n"])
        events.happen(game, [events.Event("counters", event.new, amount=n, details={"kind": "time"}, by=player)])
