"""Costs made of other costs (CR 118): mana within a cost, one of several, and what helps to pay for mana."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from judgecall.oracle.agents import Refused
from judgecall.oracle.definitions import Cost
from judgecall.oracle.vocabulary.payments import choice, event, happen, refuse
from judgecall.oracle.vocabulary.words import word

if TYPE_CHECKING:
    from judgecall.oracle.payment import Choice, Payment
    from judgecall.oracle.vocabulary.context import Context

__all__: list[str] = []


@word("pay", "mana", cost="cost", times="amount=1")
def mana(ctx: Context, pay: Payment, cost: Cost, times: int) -> Choice:
    """Mana so many times over: an {X} that a text defines (CR 107.3c)."""
    from judgecall.oracle import costs, payment

    def act() -> None:
        total = costs.TotalCost(has_x=True)
        for _ in range(times):
            total.add(cost, ctx, ctx.x)
        pay.note("spent too", payment.pay(ctx.game, pay.player, pay.obj, total, None)["spent"])

    return choice(act)


@word("pay", "one of", of="costs")
def one_of(ctx: Context, pay: Payment, of: Sequence[Any]) -> Choice:
    """One of several costs, chosen by what the action names, else by what can be paid (CR 118.8)."""
    from judgecall.oracle import payment
    from judgecall.oracle.costs import TotalCost
    from judgecall.oracle.vocabulary.grammar import parse_cost

    options = [parse_cost(item) for item in of]
    keyed = {node.word.split()[0] for cost in options for node in cost.parts}
    named = [key for key in pay.given if key in keyed and pay.given[key]]
    error: Refused | None = None
    ordered = [cost for cost in options if any(node.word.split()[0] in named for node in cost.parts)] or options
    for cost in ordered:
        mark = ctx.game.mark()
        words = {node.word.split()[0] for node in cost.parts}
        given = {key: list(value) for key, value in pay.given.items() if key in words}
        try:
            with ctx.game.trial():
                total = TotalCost()
                total.add(cost, ctx, ctx.x)
                payment.pay(ctx.game, pay.player, pay.obj, total, given)
        except Refused as refused:
            ctx.game.undo(mark)
            error = refused
            continue
        chosen = cost
        for key in given:
            del pay.given[key]

        def act(chosen: Cost = chosen, given: dict[str, list[Any]] = given) -> None:
            total = TotalCost()
            total.add(chosen, ctx, ctx.x)
            for key, value in payment.pay(ctx.game, pay.player, pay.obj, total, given).items():
                pay.paid[key] = (*pay.paid.get(key, ()), *value)
            pay.note("chosen cost", (options.index(chosen) + 1,))

        return choice(act)
    raise error if error is not None else refuse("none of the costs can be paid")


@word("pay", "forage")
def forage(ctx: Context, pay: Payment) -> Choice:
    """Forage (CR 701.61): exile three cards from one's graveyard, or sacrifice a Food."""
    from dataclasses import replace

    cards = {"exile": {"zone": "graveyard"}, "n": 3}
    chosen: Choice = one_of(ctx, pay, (cards, {"sacrifice": {"subtypes": "Food"}}))

    def act() -> None:
        chosen.act()
        happen(pay, [event("forage", player=pay.player)])

    return replace(chosen, act=act)


@word("pay", "mana cost of", objects="objects")
def mana_cost_of(ctx: Context, pay: Payment, objects: list[Any]) -> Choice:
    """Mana equal to an object's mana cost (CR 702.1a): unpayable where it has none."""
    from judgecall.oracle import costs, layers, payment

    cost = layers.of(ctx.game, objects[0]).mana_cost
    if cost is None:
        raise refuse("it has no mana cost", "118.6")

    def act() -> None:
        total = costs.TotalCost()
        total.add(Cost(cost), ctx, ctx.x)
        pay.note("spent too", payment.pay(ctx.game, pay.player, pay.obj, total, None)["spent"])

    return choice(act)


@word("pay", "waterbend", n="text")
def waterbend(ctx: Context, pay: Payment, n: Any) -> Choice:
    """Generic mana, and none beside it, that tapping artifacts and creatures may pay (CR 701.67a, 701.67b)."""
    from judgecall.oracle import costs, layers, payment

    amount = ctx.x if n == "{X}" else int(str(n).strip("{}"))
    named = pay.take("tap", amount) or []
    for thing in named:
        types = layers.of(ctx.game, thing).types
        if thing.tapped or thing.controller is not pay.player or not {"Artifact", "Creature"} & set(types):
            raise refuse("that cannot be tapped to waterbend", "701.67a")

    def act() -> None:
        helpers = named or [
            thing
            for thing in ctx.pool(None)
            if thing.controller is pay.player
            and not thing.tapped
            and {"Artifact", "Creature"} & set(layers.of(ctx.game, thing).types)
        ]
        for n in [len(named)] if named else range(min(amount, len(helpers)) + 1):
            total = costs.TotalCost()
            total.add(Cost((str(amount - n),)), ctx, 0)
            try:
                with ctx.game.trial():
                    happen(pay, [event("tap", thing, by=pay.player, cause="cost") for thing in helpers[:n]])
                    payment.pay(ctx.game, pay.player, pay.obj, total, None)
            except Refused:
                continue
            happen(pay, [event("tap", thing, by=pay.player, cause="cost") for thing in helpers[:n]])
            total = costs.TotalCost()
            total.add(Cost((str(amount - n),)), ctx, 0)
            pay.note("spent too", payment.pay(ctx.game, pay.player, pay.obj, total, None)["spent"])
            happen(pay, [event("waterbend", player=pay.player, rules=("701.67c",))])
            return
        raise refuse("there is not enough to waterbend", "701.67a")

    return choice(act, tapped=tuple(named))
