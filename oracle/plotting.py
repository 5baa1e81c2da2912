"""Plot's special action (CR 702.170a, 116.2k)."""

from __future__ import annotations

from judgecall.oracle import costs, events, layers, payment, turn
from judgecall.oracle.agents import Refused
from judgecall.oracle.state import Game, Object, Player
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.words import REGISTRY
from judgecall.oracle.ways import Request

__all__ = ["plot"]


def plot(game: Game, player: Player, obj: Object, request: Request) -> None:
    """Exile a card from the hand, in one's main phase with an empty stack: it becomes plotted.

    Raises:
        Refused: with the rule and the stage.
    """
    keywords = layers.of(game, obj).keywords().get("plot", [])
    if obj.zone != "hand" or obj.owner is not player or not keywords:
        raise Refused("the card cannot be plotted", "702.170a", "permission")
    if game.priority is not player:
        raise Refused(f"{player.name} does not have priority", "116.2k", "permission")
    if game.active is not player or not turn.is_main(game) or game.stack:
        raise Refused("only in one's own main phase with an empty stack", "702.170a", "permission")
    ctx = Context(game, player, obj, x=request.x or 0)
    total = costs.TotalCost()
    total.add(keywords[0].value, ctx, ctx.x)
    payment.pay(game, player, obj, total, request.costs, request.paying, "plot")
    done = events.happen(game, [events.move(obj, "exile", cause="plot", by=player, rules=("702.170a",))])
    REGISTRY["effect"]["plot"].function(ctx, [event.new for event in done if event.new is not None])
