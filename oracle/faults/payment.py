"""Faults of paying: what cannot be paid, and what with (CR 601.2h, 606, 107.4, 119.4, 723.5a)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

from judgecall.oracle import assisting, choices, layers, mana, objects, payment, ways
from judgecall.oracle.agents import Refused
from judgecall.oracle.characteristics import COLOR_OF
from judgecall.oracle.faults.gallery import Mend, fault, patch, together, wrap, wrap_word
from judgecall.oracle.vocabulary import payments

__all__: list[str] = []


@fault("costs-paid-as-far-as-possible", "601.2h", "A cost for which there is too little mana is paid all the same.")
def as_far_as_possible() -> Mend:
    def wrong(right: Any, *given: Any) -> Any:
        try:
            return right(*given)
        except Refused:
            return ()

    return wrap(payment, "_pay_mana", wrong)


@fault("phyrexian-mana-only-with-life", "107.4f", "Phyrexian mana symbols are paid with life and never with mana.")
def only_with_life() -> Mend:
    return wrap(payment, "_life_options", lambda right, *given: right(*given)[-1:])


@fault("life-paid-that-is-not-there", "119.4", "A player may pay more life than they have for Phyrexian mana.")
def life_that_is_not_there() -> Mend:
    def wrong(right: Any, required: Any, paid: Any) -> Any:
        phyrexian = sum(symbol.endswith("/P") for symbol in required)
        return range(phyrexian + 1) if phyrexian and not paid.given.get("life") else right(required, paid)

    return wrap(payment, "_life_options", wrong)


@fault("loyalty-below-zero", "606.6", "A loyalty ability may remove more loyalty counters than there are.")
def loyalty_below_zero() -> Mend:
    def wrong(right: Any, ctx: Any, paid: Any, n: Any) -> Any:
        undo = patch(objects, "counters", lambda obj, kind: 100)
        try:
            return right(ctx, paid, n=n)
        finally:
            undo()

    return wrap_word("pay", "loyalty", wrong)


@fault(
    "controllers-of-players-pay-for-them",
    "723.5a",
    "Whoever controls another player discards cards of their own for that player's costs.",
)
def controllers_pay() -> Mend:
    def wrong(right: Any, ctx: Any, paid: Any, **given: Any) -> Any:
        whose = paid.player.controlled_by or paid.player
        return right(ctx, replace(paid, player=whose), **given)

    return wrap_word("pay", "discard", wrong)


@fault("hybrid-symbols-cost-both-halves", "107.4e", "A hybrid mana symbol of two colors costs one mana of each.")
def both_halves() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, cost: Any, *rest: Any) -> Any:
        symbols = [half for symbol in cost.symbols for half in _halves(symbol)]
        return right(game, player, obj, replace(cost, symbols=symbols), *rest)

    return wrap(payment, "_pay_mana", wrong)


def _halves(symbol: str) -> list[str]:
    parts = symbol.split("/")
    return parts if len(parts) == 2 and all(part in COLOR_OF for part in parts) else [symbol]


@fault("indestructible-is-not-sacrificed", "702.12b", "An indestructible permanent cannot be sacrificed for a cost.")
def indestructible_not_sacrificed() -> Mend:
    def wrong(right: Any, ctx: Any, *given: Any) -> Any:
        return [thing for thing in right(ctx, *given) if not layers.of(ctx.game, thing).has("indestructible")]

    return wrap(payments, "_sacrificeable", wrong)


@fault(
    "phyrexian-life-is-not-paid",
    "119.8",
    "Two life for a Phyrexian mana symbol are lost in some way of their own: nothing forbids or replaces that payment.",
)
def life_is_not_paid() -> Mend:
    def options(right: Any, required: Any, paid: Any) -> Any:
        symbols = sum(symbol.endswith("/P") for symbol in required)
        named = paid.given.pop("life", None) if symbols else None
        return [named[0] // 2] if named else [n for n in range(symbols + 1) if 2 * n <= paid.player.life]

    def pay(right: Any, paid: Any, n: int, *rules: str) -> None:
        if "107.4f" not in rules:
            right(paid, n, *rules)
        else:
            payments.happen(paid, [payments.event("lose life", player=paid.player, amount=n, cause="pay", rules=rules)])

    return together(wrap(payment, "_life_options", options), wrap(payments, "pay_life", pay))


@fault("phyrexian-life-in-any-amount", "107.4f", "Any amount of life may be named for Phyrexian mana symbols.")
def in_any_amount() -> Mend:
    def options(right: Any, required: Any, paid: Any) -> Any:
        symbols = sum(symbol.endswith("/P") for symbol in required)
        named = paid.given.pop("life", None) if symbols else None
        return [min(named[0] // 2, symbols)] if named else right(required, paid)

    return wrap(payment, "_life_options", options)


@fault(
    "any-permanent-pays", "601.2h", "What is sacrificed or tapped for a cost need not be of the kind that it asks for."
)
def any_permanent_pays() -> Mend:
    def wrong(right: Any, ctx: Any, paid: Any, name: str, options: Any, *rest: Any, **more: Any) -> Any:
        if name in ("sacrifice", "tap"):
            options = [thing for thing in ctx.game.battlefield if thing.controller is paid.player]
        return right(ctx, paid, name, options, *rest, **more)

    return wrap(payments, "select", wrong)


@fault(
    "convoke-pays-no-generic-mana",
    "702.51a",
    "What is tapped or exiled for convoke, improvise or delve pays for no generic mana.",
)
def no_generic_mana() -> Mend:
    def wrong(right: Any, required: Any, search: Any, generic: int) -> Any:
        used = {id(unit) for _, unit in search.assigned}
        spare = [unit for unit in search.units if payment._is_helper(unit) and id(unit) not in used]
        return not spare and right(required, search, generic)

    return wrap(payment, "_cover_rest", wrong)


@fault(
    "monocolored-hybrid-only-with-its-color",
    "107.4e",
    "A monocolored hybrid symbol is paid with its color only.",
)
def only_with_its_color() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, cost: Any, *rest: Any) -> Any:
        symbols = [symbol.removeprefix("2/") for symbol in cost.symbols]
        return right(game, player, obj, replace(cost, symbols=symbols), *rest)

    return wrap(payment, "_pay_mana", wrong)


@fault("restricted-mana-pays-nothing", "106.6", "Mana that may be spent only on some things is spent on nothing.")
def restricted_pays_nothing() -> Mend:
    return patch(mana, "may_spend", lambda *given: False)


@fault("assist-as-the-card-says", "702.132a", "With assist the generic mana of the mana cost is paid, whatever is due.")
def assist_as_printed() -> Mend:
    def wrong(right: Any, game: Any, player: Any, spell: Any, total: Any) -> Any:
        symbols = layers.of(game, spell).mana_cost or ()
        printed = sum(int(symbol) for symbol in symbols if symbol.isdigit()) or total.generic
        helped = right(game, player, spell, replace(total, generic=printed, floor=0))
        return replace(helped, left=replace(total, generic=max(0, total.generic - len(helped.spent))))

    return wrap(assisting, "help_pay", wrong)


@fault("assist-pays-for-colors", "702.132a", "With assist another player also pays the colored mana of the total cost.")
def assist_pays_colors() -> Mend:
    def wrong(right: Any, game: Any, player: Any, spell: Any, total: Any) -> Any:
        return right(game, player, spell, replace(total, generic=total.amount, symbols=[]))

    return wrap(assisting, "help_pay", wrong)


@fault("assist-before-targets", "702.132a", "Who helps to pay for a spell gets the mana before its targets are chosen.")
def assist_before_targets() -> Mend:
    def wrong(right: Any, game: Any, player: Any, spell: Any, total: Any) -> Any:
        before = game.battlefield
        helped = right(game, player, spell, total)
        if any(target not in game.battlefield and target in before for group in spell.targets for target in group):
            raise Refused("a target is gone before it is chosen", "601.2c", "targets")
        return helped

    return wrap(assisting, "help_pay", wrong)


@fault("assist-pays-all", "702.132a", "Who helps to pay with assist pays for all of the generic mana.")
def assist_pays_all() -> Mend:
    def wrong(right: Any, game: Any, player: Any, low: int, high: int, *given: Any) -> int:
        right(game, player, low, high, *given)
        return high

    return patch(assisting, "choices", SimpleNamespace(**{**vars(choices), "number": partial(wrong, choices.number)}))


@fault("assist-is-due", "702.132a", "A spell with assist is not cast without another player's help.")
def assist_is_due() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, request: Any) -> Any:
        found = right(game, player, obj, request)
        for way in found:
            way.assisted = way.assisted or layers.of(game, obj).has("assist")
        return found

    return wrap(ways, "find", wrong)


@fault("assist-on-top", "702.132a", "What another player pays with assist comes on top of what the caster pays.")
def assist_on_top() -> Mend:
    def wrong(right: Any, game: Any, player: Any, spell: Any, total: Any) -> Any:
        return replace(right(game, player, spell, total), left=total)

    return wrap(assisting, "help_pay", wrong)


@fault("assist-from-the-pool", "702.132a", "Who helps to pay with assist has no chance to activate mana abilities.")
def assist_from_the_pool() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, given: Any, kind: str) -> Any:
        return [] if obj.zone == "stack" and player is not obj.controller else right(game, player, obj, given, kind)

    return wrap(mana, "sources", wrong)


@fault("assist-by-the-next-player", "702.132a", "With assist the next player in turn order is who may help to pay.")
def assist_by_the_next() -> Mend:
    def wrong(right: Any, game: Any, player: Any, options: Any, *given: Any) -> Any:
        right(game, player, options, *given)
        return options[:1]

    return patch(assisting, "choices", SimpleNamespace(**{**vars(choices), "pick": partial(wrong, choices.pick)}))


@fault("assist-leaves-x-alone", "702.132a", "With assist nobody helps to pay for {X}.")
def assist_leaves_x() -> Mend:
    def wrong(right: Any, game: Any, player: Any, spell: Any, total: Any) -> Any:
        x = int(spell.cast.get("x") or 0)
        helped = right(game, player, spell, replace(total, generic=total.generic - x))
        return replace(helped, left=replace(helped.left, generic=helped.left.generic + x))

    return wrap(assisting, "help_pay", wrong)


@fault(
    "what-cannot-help-is-overlooked",
    "601.2h",
    "What is named beside what can be tapped for mana stays untapped, and the cost counts as paid.",
)
def overlooked() -> Mend:
    def wrong(right: Any, paying: Any, helping: Any) -> None:
        paying.given.pop("tap", None)
        paying.given.pop("exile", None)

    return wrap(payment, "_leave_what_cannot_help", wrong)
