"""Faults of total costs: increases, reductions, least costs (CR 601.2f, 118.7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from judgecall.oracle import activating, casting, costs, ways
from judgecall.oracle.characteristics import COLOR_OF
from judgecall.oracle.faults.gallery import Mend, fault, patch, together, wrap, wrap_word

__all__: list[str] = []


@fault(
    "reductions-before-increases",
    "601.2f",
    "Cost reductions are applied before cost increases, so that part of a reduction may find nothing to reduce.",
)
def reductions_first() -> Mend:
    increases, reductions = costs.apply_increases, costs.apply_reductions

    def first(game: Any, player: Any, obj: Any, cost: Any, *rest: Any) -> None:
        reductions(game, player, obj, cost, *rest)
        cost.spare = 0

    return together(patch(costs, "apply_increases", first), patch(costs, "apply_reductions", increases))


@fault(
    "least-cost-before-reductions",
    "601.2f",
    "An effect that sets a least cost is applied before cost reductions, which then go below it.",
)
def least_before_reductions() -> Mend:
    least = _least_at_once()

    def increases(right: Any, game: Any, player: Any, obj: Any, cost: Any, kind: Any, names: Any) -> None:
        right(game, player, obj, cost, kind, names)
        least(game, cost, kind)

    return together(wrap(costs, "apply_increases", increases), patch(costs, "apply_minimum", lambda *given: None))


@fault(
    "least-cost-before-increases",
    "601.2f",
    "An effect that sets a least cost is applied to the cost at the start, and increases come on top of it.",
)
def least_before_increases() -> Mend:
    least = _least_at_once()

    def increases(right: Any, game: Any, player: Any, obj: Any, cost: Any, kind: Any, names: Any) -> None:
        least(game, cost, kind)
        right(game, player, obj, cost, kind, names)

    return together(wrap(costs, "apply_increases", increases), patch(costs, "apply_minimum", lambda *given: None))


def _least_at_once() -> Callable[[Any, Any, Any], None]:
    """What raises a cost to the least that it may be as it stands, whatever changes it then."""
    minimum = costs.apply_minimum

    def raised(game: Any, cost: Any, kind: Any) -> None:
        least = costs.TotalCost()
        minimum(game, least, kind)
        cost.generic += max(0, least.floor - cost.amount)

    return raised


@fault("least-cost-ignored", "601.2f", "Effects that set a least cost do nothing.")
def least_ignored() -> Mend:
    return patch(costs, "apply_minimum", lambda *given: None)


@fault("least-cost-added", "601.2f", "An effect that sets a least cost makes every spell cost that much more.")
def least_added() -> Mend:
    def wrong(right: Any, game: Any, cost: Any, kind: Any) -> None:
        least = costs.TotalCost()
        right(game, least, kind)
        cost.generic += least.floor

    return wrap(costs, "apply_minimum", wrong)


@fault(
    "generic-reduction-eats-colored-mana",
    "118.7a",
    "A reduction of generic mana takes colored mana off once no generic is left.",
)
def eats_colored_mana() -> Mend:
    def wrong(right: Any, cost: Any, symbols: Any, minimum: int = 0) -> None:
        for symbol in symbols:
            before = cost.generic
            right(cost, (symbol,), minimum)
            if symbol.isdigit():
                rest = int(symbol) - (before - cost.generic)
                del cost.symbols[: max(0, min(rest, cost.amount - minimum))]

    return wrap(costs, "reduce", wrong)


@fault(
    "cost-changes-for-spells-reach-abilities",
    "609.2",
    "What changes the costs of spells changes those of abilities too.",
)
def reach_abilities() -> Mend:
    def wrong(right: Any, game: Any, word: Any, player: Any, obj: Any, kind: Any, names: Any) -> Any:
        return right(game, word, player, obj, "spell" if kind == "ability" else kind, names)

    return wrap(costs, "_reaching", wrong)


@fault(
    "cost-changes-reach-every-player",
    "109.5",
    "What makes one player's spells cheaper or dearer does so for every player.",
)
def reach_every_player() -> Mend:
    def wrong(right: Any, game: Any, word: Any, player: Any, obj: Any, kind: Any, names: Any) -> Any:
        found: list[Any] = []
        for each in game.players:
            known = {(id(node), id(ctx.this)) for node, ctx in found}
            more = right(game, word, each, obj, kind, names)
            found.extend((node, ctx) for node, ctx in more if (id(node), id(ctx.this)) not in known)
        return found

    return wrap(costs, "_reaching", wrong)


@fault("own-cost-changes-ignored", "113.6d", "What a spell says of its own cost does nothing while it is being cast.")
def own_changes_ignored() -> Mend:
    return patch(costs, "own_changes", lambda obj, game, word: [])


@fault(
    "cumulative-upkeep-charges-once",
    "702.24a",
    "Cumulative upkeep asks for its cost once, however many age counters there are.",
)
def charges_once() -> Mend:
    def wrong(right: Any, ctx: Any, times: int, **given: Any) -> Any:
        return right(ctx, times=min(times, 1), **given)

    return wrap_word("effect", "pay", wrong)


@fault(
    "skipped-draws-pay-nothing",
    "118.11",
    "A cost of drawing cards cannot be paid where a replacement effect would skip the draws.",
)
def skipped_draws() -> Mend:
    def wrong(right: Any, ctx: Any, pay: Any, n: int) -> Any:
        from judgecall.oracle.agents import Refused

        before = pay.player.drawn
        with ctx.game.trial():
            right(ctx, pay, n=n).act()
            drawn = pay.player.drawn - before
        if drawn < n:
            raise Refused("the cards would not be drawn", "118.11", "costs")
        return right(ctx, pay, n=n)

    return wrap_word("pay", "draw", wrong)


@fault("one-increase-at-a-time", "601.2f", "Of several effects that increase a cost only the first is applied.")
def one_increase() -> Mend:
    def wrong(right: Any, game: Any, word: Any, *rest: Any) -> Any:
        found = right(game, word, *rest)
        return found[:1] if word == "increase cost" else found

    return wrap(costs, "_reaching", wrong)


@fault(
    "colored-reduction-stops-at-its-color",
    "118.7c",
    "What is left of a reduction by colored mana once that color is used up does not reduce generic mana.",
)
def stops_at_its_color() -> Mend:
    def wrong(right: Any, cost: Any, symbols: Any, minimum: int = 0) -> None:
        for symbol in symbols:
            if symbol not in COLOR_OF or any(symbol in own.split("/") for own in cost.symbols):
                right(cost, (symbol,), minimum)

    return wrap(costs, "reduce", wrong)


@fault("cost-increases-ignored", "601.2f", "Effects that make spells cost more are not applied.")
def increases_ignored() -> Mend:
    return patch(costs, "apply_increases", lambda *given: None)


@fault(
    "reductions-of-one-part-forgotten",
    "601.2f",
    "An effect that makes one kind of additional cost cost less does nothing.",
)
def of_one_part_forgotten() -> Mend:
    return wrap(costs, "named", lambda right, game, player, obj, cost, name, x: cost)


@fault(
    "reductions-of-one-part-off-the-whole",
    "118.7",
    "An effect that makes one kind of additional cost cost less takes mana off whatever the spell costs.",
)
def of_one_part_off_the_whole() -> Mend:
    def total(right: Any, *given: Any, **more: Any) -> Any:
        return right(*given[:-1], [*given[-1], "buyback"], **more)

    return together(
        wrap(costs, "named", lambda right, game, player, obj, cost, name, x: cost),
        wrap(costs, "total_cost", total),
    )


@fault(
    "cost-changes-of-one-kind-reach-all",
    "609.2",
    "What changes flashback, equip or buyback costs changes the cost of every spell.",
)
def of_one_kind_reach_all() -> Mend:
    def wrong(right: Any, game: Any, word: Any, player: Any, obj: Any, kind: Any, names: Any) -> Any:
        return right(game, word, player, obj, kind, (*names, "flashback", "equip", "buyback"))

    return wrap(costs, "_reaching", wrong)


@fault("least-cost-of-abilities", "601.2f", "An effect that sets a least cost of spells sets that of abilities too.")
def least_of_abilities() -> Mend:
    return wrap(costs, "apply_minimum", lambda right, game, cost, kind: right(game, cost, "spell"))


@fault(
    "reductions-raise-to-what-they-leave",
    "118.7a",
    "A reduction that must leave some mana makes what costs less than that cost so much.",
)
def raise_to_what_they_leave() -> Mend:
    def wrong(right: Any, cost: Any, symbols: Any, minimum: int = 0) -> None:
        right(cost, symbols, minimum)
        cost.generic += max(0, minimum - cost.amount)

    return wrap(costs, "reduce", wrong)


@fault("additional-costs-paid-again", "601.2b", "Any additional cost may be paid any number of times.")
def paid_again() -> Mend:
    return patch(ways, "_paid_already", lambda addition, extra: False)


@fault(
    "free-spells-cost-nothing-at-all",
    "118.9d",
    "A spell that is cast without paying its mana cost has no additional costs.",
)
def nothing_at_all() -> Mend:
    def wrong(right: Any, game: Any, player: Any, spell: Any, way: Any, *rest: Any) -> Any:
        return [] if way.free else right(game, player, spell, way, *rest)

    return wrap(casting, "_additional", wrong)


@fault(
    "commander-tax-after-reductions",
    "601.2f",
    "What a commander costs for having been cast before is added when all other changes have been applied.",
)
def tax_after_reductions() -> Mend:
    tax = casting._commander_tax

    def total(right: Any, game: Any, player: Any, obj: Any, *rest: Any, **more: Any) -> Any:
        cost = right(game, player, obj, *rest, **more)
        if obj.cast.get("from") == "command":
            cost.generic += max(0, cost.floor - cost.amount)
            cost.spare = 0
            for extra, ctx in tax(game, player, obj, "command", rest[2]):
                cost.add(extra, ctx)
        return cost

    return together(patch(casting, "_commander_tax", lambda *given: []), wrap(costs, "total_cost", total))


@fault(
    "one-payment-for-every-instance",
    "702.78b",
    "A spell with several instances of a keyword has paid for all of them once one of them was paid.",
)
def for_every_instance() -> Mend:
    return wrap_word("condition", "paid", lambda right, ctx, what, instance: right(ctx, what, None))


@fault(
    "mana-among-alternatives-on-top",
    "601.2f",
    "Mana that may be paid instead of something else is no part of the total cost, but comes on top of it.",
)
def alternatives_on_top() -> Mend:
    return patch(ways, "with_alternatives", lambda game, obj, way: [way])


@fault(
    "defined-x-is-announced",
    "107.3c",
    "A player may announce any value for the X of an activation cost, though the ability's text defines it.",
)
def defined_x_announced() -> Mend:
    def wrong(right: Any, ctx: Any, ability: Any, request: Any, item: Any) -> Any:
        return right(ctx, ability, replace(request, x=None), item)

    return wrap(activating, "_choose_x", wrong)
