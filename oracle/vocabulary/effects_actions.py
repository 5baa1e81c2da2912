"""Keyword actions that a player carries out with one of their creatures, or with a card in exile (CR 701, 702.170)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judgecall.oracle.state import Object, Player
from judgecall.oracle.vocabulary.effects_zones import event, happen, live
from judgecall.oracle.vocabulary.words import word

if TYPE_CHECKING:
    from judgecall.oracle.vocabulary.context import Context

__all__: list[str] = []


def _creatures(ctx: Context, player: Player) -> list[Object]:
    from judgecall.oracle import layers

    return [
        thing
        for thing in ctx.pool(None)
        if thing.controller is player and "Creature" in layers.of(ctx.game, thing).types
    ]


def _put_on_one(ctx: Context, player: Player, options: list[Object], kind: str, n: int) -> list[Any]:
    """The player chooses one of these and puts counters on it."""
    from judgecall.oracle import choices

    if not options or n <= 0:
        return []
    chosen = choices.pick(ctx.game, player, options, 1, 1, f"{kind} counters", ctx.this)
    happen(ctx, [event("counters", thing, amount=n, details={"kind": kind}, by=player) for thing in chosen])
    return list(chosen)


@word("effect", "bolster", n="amount", who="players=you")
def bolster(ctx: Context, n: int, who: list[Player]) -> list[Any]:
    """Put +1/+1 counters on a creature with the least toughness among those that one controls (CR 701.39)."""
    from judgecall.oracle import layers

    found: list[Any] = []
    for player in who:
        own = _creatures(ctx, player)
        least = min((layers.of(ctx.game, thing).toughness or 0 for thing in own), default=0)
        weakest = [thing for thing in own if (layers.of(ctx.game, thing).toughness or 0) == least]
        found.extend(_put_on_one(ctx, player, weakest, "+1/+1", n))
    return found


@word("effect", "blight", n="amount", who="players=you")
def blight(ctx: Context, n: int, who: list[Player]) -> list[Any]:
    """Put -1/-1 counters on a creature that one controls: the blighted creature (CR 701.68)."""
    found: list[Any] = []
    for player in who:
        found.extend(_put_on_one(ctx, player, _creatures(ctx, player), "-1/-1", n))
    return found


@word("effect", "increase speed", n="amount=1", who="players=you")
def increase_speed(ctx: Context, n: int, who: list[Player]) -> None:
    """A player's speed increases; one without speed has that much now (CR 702.179c)."""
    from judgecall.oracle import inherent

    for player in who:
        value = inherent.speed(player) + n
        happen(ctx, [event("flag", player=player, details={"flag": "speed", "value": value}, rules=("702.179c",))])


@word("effect", "plot", what="objects")
def plot(ctx: Context, what: list[Any]) -> list[Any]:
    """Cards in exile become plotted: castable for nothing, as a sorcery, on a later turn (CR 702.170c–d)."""
    from judgecall.oracle import lasting
    from judgecall.oracle.vocabulary.grammar import parse_value

    things = [thing for thing in live(what) if thing.zone == "exile"]
    rule = parse_value(
        "rule",
        {
            "may cast": {"zone": "exile", "was": {"entered this turn": False}},
            "cost": "free",
            "timing": "sorcery",
            "who": "each",
            "by rule": "702.170d",
        },
    )
    for thing in things:
        lasting.add(ctx.having(each=thing.owner), rule, "forever", (thing,))
    return things
