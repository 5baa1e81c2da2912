"""Faults of what lets a spell be cast, what prohibits it, and what is paid for it (CR 601.3, 118.9)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from judgecall.oracle import casting, casting_now, statics, ways
from judgecall.oracle.agents import Refused
from judgecall.oracle.definitions import Cost
from judgecall.oracle.faults.gallery import Mend, fault, patch, wrap
from judgecall.oracle.vocabulary import payments

__all__: list[str] = []


def _forgetting(rule: str) -> Callable[..., None]:
    """A check that refuses nothing by this rule."""

    def wrong(right: Any, *given: Any, **named: Any) -> None:
        try:
            right(*given, **named)
        except Refused as refused:
            if refused.rule != rule:
                raise

    return wrong


@fault("first-prohibition-only", "101.2", "Of several effects that keep spells from being cast one is looked at.")
def first_prohibition_only() -> Mend:
    def wrong(right: Any, game: Any, word: str) -> Any:
        found = right(game, word)
        return found[:1] if word == "cant cast" else found

    return wrap(statics, "rules", wrong)


@fault("prohibitions-spare-resolutions", "608.2g", "While something resolves, a spell that can't be cast is cast.")
def prohibitions_spare_resolutions() -> Mend:
    def wrong(right: Any, game: Any, *rest: Any) -> None:
        if game.priority is not None:
            right(game, *rest)

    return wrap(casting, "_forbidden", wrong)


@fault("suspend-whatever-prohibits-it", "702.62c", "A card that can't be cast can be suspended.")
def suspend_whatever_prohibits_it() -> Mend:
    return wrap(casting, "check_could_begin", _forgetting("101.2"))


@fault("offered-spells-must-be-cast", "608.2g", "What an effect lets a player cast while it resolves has to be cast.")
def offered_spells_must_be_cast() -> Mend:
    def wrong(right: Any, ctx: Any, what: Any, player: Any, cost: Any, optional: bool, *rest: Any) -> Any:
        return right(ctx, what, player, cost, False, *rest)

    return wrap(casting_now, "offer", wrong)


@fault("any-permission-that-is-named", "601.3", "Whatever is named as what lets a spell be cast does let it be cast.")
def any_permission_that_is_named() -> Mend:
    return patch(ways, "_names", lambda named, source: True)


@fault("other-costs-from-the-hand-only", "118.9", "Cast from elsewhere, a spell is cast for its mana cost alone.")
def other_costs_from_the_hand_only() -> Mend:
    def wrong(right: Any, *given: Any) -> Any:
        *usual, permissions, named, request = given
        return right(*usual, [pair for pair in permissions if pair[0].args.get("cost") is not None], named, request)

    return wrap(ways, "_alternative_ways", wrong)


@fault("other-costs-let-it-be-cast-from-anywhere", "601.3", "An alternative cost lets a card be cast from any zone.")
def other_costs_let_it_be_cast_from_anywhere() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, extra: Any) -> bool:
        return bool(right(game, player, obj, extra)) or obj.owner is player

    def widened(right: Any, *given: Any) -> Any:
        mend = wrap(ways, "_from_usual_zone", wrong)
        try:
            return right(*given)
        finally:
            mend()

    return wrap(ways, "_alternative_ways", widened)


@fault("free-wherever-possible", "118.9b", "A spell that may be cast without paying its mana cost is always cast so.")
def free_wherever_possible() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, request: Any) -> Any:
        try:
            return right(game, player, obj, replace(request, using=(*request.using, "without paying")))
        except Refused:
            return right(game, player, obj, request)

    return wrap(ways, "find", wrong)


@fault("nothing-beside-no-mana-cost", "118.9d", "A spell cast without paying its mana cost has no additional costs.")
def nothing_beside_no_mana_cost() -> Mend:
    def wrong(right: Any, game: Any, player: Any, spell: Any, way: Any, *rest: Any) -> Any:
        return [] if way.free else right(game, player, spell, way, *rest)

    return wrap(casting, "_additional", wrong)


@fault("modes-cost-nothing", "601.2f", "What a mode costs beside the mana cost is not asked for.")
def modes_cost_nothing() -> Mend:
    def wrong(right: Any, *given: Any) -> Any:
        *usual, _ = given
        return right(*usual, ())

    return wrap(casting, "_additional", wrong)


@fault("x-chosen-for-nothing", "107.3b", "The X of a mana cost that is not paid may be any number.")
def x_chosen_for_nothing() -> Mend:
    def wrong(right: Any, game: Any, player: Any, spell: Any, request: Any, way: Any, ctx: Any) -> None:
        right(game, player, spell, request, replace(way, free=False, cost=None), ctx)

    return wrap(casting, "_announce", wrong)


@fault("x-is-at-least-one", "107.3a", "A player who chooses the value of X can't choose 0.")
def x_is_at_least_one() -> Mend:
    def wrong(right: Any, game: Any, player: Any, spell: Any, *rest: Any) -> None:
        right(game, player, spell, *rest)
        if spell.cast.get("x") == 0:
            raise Refused("X is 0", "107.3a", "announce")

    return wrap(casting, "_announce", wrong)


@fault("lands-are-cast", "305.9", "A land is cast where an effect lets its player cast spells for nothing.")
def lands_are_cast() -> Mend:
    return wrap(casting, "_check_permission", _forgetting("305.9"))


@fault("zero-is-no-cost", "118.5", "A spell that may be cast for {0} is cast without paying its mana cost.")
def zero_is_no_cost() -> Mend:
    def wrong(right: Any, *given: Any) -> Any:
        *usual, permissions, named, request = given
        free = [(_free_for_zero(node), ctx) for node, ctx in permissions]
        return right(*usual, free, named, request)

    return wrap(ways, "_alternative_ways", wrong)


def _free_for_zero(node: Any) -> Any:
    cost = node.args.get("cost")
    if isinstance(cost, Cost) and cost.mana == ("0",) and not cost.parts:
        return replace(node, args=MappingProxyType({**node.args, "cost": "free"}))
    return node


@fault("life-costs-without-the-life", "119.4", "A cost of life is paid by a player who has less life than that.")
def life_costs_without_the_life() -> Mend:
    return patch(payments, "check_life", lambda *given: None)


@fault(
    "prototype-is-an-alternative-cost",
    "718.3",
    "A prototyped spell is cast for an alternative cost, so that no other can be paid for it.",
)
def prototype_is_alternative() -> Mend:
    def wrong(right: Any, *args: Any) -> Any:
        found = right(*args)
        if any(way.values is not None and (way.free or way.cost is not None) for way in found):
            raise Refused("two alternative costs for one spell", "118.9a", "announce")
        return found

    return wrap(ways, "find", wrong)


@fault(
    "resolving-offers-usual-costs-only",
    "118.9",
    "While something resolves, a card is offered only where it could be cast for no alternative cost.",
)
def usual_costs_only() -> Mend:
    return patch(casting_now, "product", lambda faces, named: [(face, ()) for face in faces])


@fault(
    "additions-of-the-spell-permit-it",
    "601.3",
    "An additional cost that a card would have as a spell lets it be cast from where it has no such ability.",
)
def additions_of_the_spell() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, extra: Any) -> bool:
        said = any(obj.zone in ability.from_zones for ability, _ in extra) and obj.owner is player
        return said or bool(right(game, player, obj, extra))

    return wrap(ways, "_from_usual_zone", wrong)


@fault(
    "costs-of-the-card-where-it-is",
    "113.6d",
    "A spell may be kicked or cast for an alternative cost only if the card has that ability where it is cast from.",
)
def costs_of_the_card() -> Mend:
    return patch(ways, "_as_a_spell", lambda *given: [])
