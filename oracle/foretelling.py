"""Foretell's special action (CR 702.143a, 116.2h)."""

from __future__ import annotations

from judgecall.oracle import costs, events, lasting, layers, payment
from judgecall.oracle.agents import Refused
from judgecall.oracle.state import Game, Object, Player
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.grammar import parse_cost, parse_value
from judgecall.oracle.ways import Request

__all__ = ["foretell"]


def foretell(game: Game, player: Player, obj: Object, request: Request) -> None:
    """Pay {2} and exile a card from the hand face down; on later turns it may be cast for its foretell cost.

    Raises:
        Refused: with the rule and the stage.
    """
    keywords = layers.of(game, obj).keywords().get("foretell", [])
    if obj.zone != "hand" or obj.owner is not player or not keywords:
        raise Refused("the card cannot be foretold", "702.143a", "permission", ("116.2h",))
    if game.priority is not player:
        raise Refused(f"{player.name} does not have priority", "116.2h", "permission")
    if game.active is not player:
        raise Refused("only in one's own turn", "702.143a", "permission", ("116.2h",))
    ctx = Context(game, player, obj)
    total = costs.TotalCost()
    total.add(parse_cost("{2}"), ctx, 0)
    payment.pay(game, player, obj, total, request.costs, request.paying, "foretell")
    away = events.move(
        obj,
        "exile",
        cause="foretell",
        by=player,
        rules=("116.2h", "702.143a"),
        face_down="effect",
        visible_to=(player.name,),
    )
    rule = parse_value(
        "rule",
        {
            "may cast": {"zone": "exile", "was": {"entered this turn": False}},
            "cost": costs.shown(keywords[0].value),
            "who": "each",
            "by rule": "702.143a",
        },
    )
    for event in events.happen(game, [away]):
        if event.new is not None and event.new.zone == "exile":
            lasting.add(ctx.having(each=player), rule, "forever", (event.new,))
