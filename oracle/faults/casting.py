"""Faults of casting spells: permissions, announcements, alternative and additional costs (CR 601, 118)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from judgecall.oracle import announcing, casting, costs, foretelling, layers, objects, payment, resolving, ways
from judgecall.oracle.agents import Refused
from judgecall.oracle.definitions import AdditionalCost, Cost
from judgecall.oracle.faults.gallery import Mend, fault, patch, pretending, wrap, wrap_word

__all__: list[str] = []


@fault(
    "two-alternative-costs",
    "118.9a",
    "Two alternative costs may be named for one spell; the one named last is charged.",
)
def two_alternative_costs() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, request: Any) -> Any:
        try:
            return right(game, player, obj, request)
        except Refused as refused:
            if refused.rule != "118.9a":
                raise
        return right(game, player, obj, replace(request, using=request.using[-1:]))

    return wrap(ways, "find", wrong)


@fault(
    "kicker-refused-with-alternative-cost", "118.9d", "A spell cast for an alternative cost may not be kicked as well."
)
def kicker_refused() -> Mend:
    def wrong(right: Any, game: Any, player: Any, spell: Any, request: Any, way: Any, ctx: Any) -> None:
        if way.alternative is not None and request.kicked:
            raise Refused("no kicker with an alternative cost", "118.9d", "announce")
        right(game, player, spell, request, way, ctx)

    return wrap(casting, "_announce", wrong)


@fault(
    "kicker-forgotten-with-flashback",
    "702.33d",
    "A spell cast with flashback does not count as kicked, though kicker was paid.",
)
def kicker_forgotten() -> Mend:
    def wrong(right: Any, ctx: Any, **given: Any) -> bool:
        spell = ctx.stack if ctx.stack is not None else ctx.this
        return not (spell is not None and "flashback" in spell.cast.get("using", ())) and bool(right(ctx, **given))

    return wrap_word("condition", "kicked", wrong)


@fault("kicker-is-free", "601.2f", "Optional additional costs that were announced are left out of the total cost.")
def kicker_is_free() -> Mend:
    def wrong(right: Any, game: Any, player: Any, spell: Any, way: Any, *rest: Any) -> Any:
        return right(game, player, spell, replace(way, additional=[]), *rest)

    return wrap(casting, "_additional", wrong)


@fault(
    "alternative-cost-drops-additional-costs",
    "118.9d",
    "A spell cast for an alternative cost does not ask for the additional costs that it says itself.",
)
def drops_additional_costs() -> Mend:
    def wrong(right: Any, game: Any, player: Any, spell: Any, way: Any, *rest: Any) -> Any:
        if way.alternative is None:
            return right(game, player, spell, way, *rest)
        found = layers.of(game, spell)
        kept = tuple(h for h in found.abilities if not isinstance(h.ability, AdditionalCost) or h.ability.optional)
        ch = found.copy()
        ch.abilities = kept
        undo = patch(layers, "of", lambda game, obj, of=layers.of: ch if obj is spell else of(game, obj))
        try:
            return right(game, player, spell, way, *rest)
        finally:
            undo()

    return wrap(casting, "_additional", wrong)


@fault(
    "alternative-cost-escapes-increases", "118.9d", "Effects that make spells cost more leave alternative costs alone."
)
def escapes_increases() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, cost: Any, kind: Any, names: Any) -> None:
        if kind != "spell" or not names:
            right(game, player, obj, cost, kind, names)

    return wrap(costs, "apply_increases", wrong)


@fault(
    "alternative-cost-escapes-reductions", "118.9d", "Effects that make spells cost less leave alternative costs alone."
)
def escapes_reductions() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, cost: Any, kind: Any, names: Any) -> None:
        if kind != "spell" or not names:
            right(game, player, obj, cost, kind, names)

    return wrap(costs, "apply_reductions", wrong)


@fault(
    "alternative-cost-of-mana-alone",
    "601.2h",
    "Of an alternative cost only the mana is paid; life, sacrifices and the like in it are skipped.",
)
def of_mana_alone() -> Mend:
    def wrong(right: Any, game: Any, spell: Any, way: Any) -> Any:
        cost = right(game, spell, way)
        return replace(cost, parts=()) if way.alternative is not None else cost

    return wrap(casting, "_base_cost", wrong)


@fault(
    "mana-value-follows-the-payment",
    "118.9c",
    "The mana value of a spell is the amount of mana that was spent on it.",
)
def follows_the_payment() -> Mend:
    def wrong(right: Any, obj: Any, ch: Any) -> Any:
        if obj.zone == "stack" and "spent" in obj.cast:
            return len(obj.cast["spent"])
        return right(obj, ch)

    return wrap(objects, "mana_value", wrong)


@fault("no-mana-cost-costs-nothing", "118.6", "A card without a mana cost may be cast for {0}.")
def costs_nothing() -> Mend:
    def wrong(right: Any, game: Any, spell: Any, way: Any) -> Any:
        try:
            return right(game, spell, way)
        except Refused:
            return Cost(())

    return wrap(casting, "_base_cost", wrong)


@fault("x-is-zero-with-alternative-cost", "107.3a", "X is 0 in a spell that is cast for an alternative cost.")
def x_is_zero() -> Mend:
    def wrong(right: Any, game: Any, player: Any, spell: Any, request: Any, way: Any, ctx: Any) -> None:
        if way.alternative is not None and request.x:
            request, way = replace(request, x=None), replace(way, free=True)
        right(game, player, spell, request, way, ctx)

    return wrap(casting, "_announce", wrong)


@fault(
    "x-is-chosen-but-not-paid",
    "601.2f",
    "The X of an alternative cost is announced and used, and no mana is asked for it.",
)
def x_not_paid() -> Mend:
    def wrong(
        right: Any,
        game: Any,
        player: Any,
        obj: Any,
        base: Any,
        extra: Any,
        ctx: Any,
        x: int,
        kind: str,
        names: Any = (),
        **named: Any,
    ) -> Any:
        return right(game, player, obj, base, extra, ctx, 0 if kind == "spell" and names else x, kind, names, **named)

    return wrap(costs, "total_cost", wrong)


@fault(
    "permission-judged-by-the-card",
    "601.3e",
    "Whether an effect lets something be cast is judged by the card as it was, not by the spell that it would be.",
)
def judged_by_the_card() -> Mend:
    def wrong(right: Any, game: Any, ctx: Any, node: Any, spell: Any) -> Any:
        return right(game, ctx, node, spell.was if spell.was is not None else spell)

    return wrap(casting, "_fits_permission", wrong)


@fault(
    "prohibition-judged-before-x",
    "601.3a",
    "Whether an effect forbids a spell is judged before X has been chosen, as though X were 0.",
)
def judged_before_x() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, spell: Any, way: Any, during: bool) -> None:
        right(game, player, obj, spell, way, during)
        casting._forbidden(game, player, spell, obj.zone)

    return wrap(casting, "_check_permission", wrong)


@fault(
    "modes-before-kicker",
    "601.4",
    "Modes that depend on kicker cannot be chosen, since kicker is taken to come only afterward.",
)
def modes_before_kicker() -> Mend:
    def wrong(right: Any, ctx: Any, *rest: Any, **named: Any) -> Any:
        spell = ctx.stack
        if spell is None or not spell.cast.get("kicked"):
            return right(ctx, *rest, **named)
        with pretending(ctx.game, (spell, "cast", MappingProxyType({**spell.cast, "kicked": {}}))):
            return right(ctx, *rest, **named)

    return wrap(announcing, "choose_modes", wrong)


@fault(
    "total-cost-not-locked-in",
    "601.2f",
    "The total cost is worked out again after sacrifices and the like have been made for it.",
)
def not_locked_in() -> Mend:
    counted: dict[int, Any] = {}

    def total(right: Any, game: Any, player: Any, obj: Any, *rest: Any, **named: Any) -> Any:
        found = right(game, player, obj, *rest, **named)
        counted[id(found)] = (found, lambda: right(game, player, obj, *rest, **named))
        return found

    def pay(
        right: Any, game: Any, player: Any, obj: Any, cost: Any, given: Any, paying: Any = None, kind: str = "spell"
    ) -> Any:
        _, again = counted.pop(id(cost), (None, None))
        if again is None or kind != "spell" or not cost.parts:
            return right(game, player, obj, cost, given, paying, kind)
        paid = dict(right(game, player, obj, costs.TotalCost(parts=cost.parts), given, paying, kind))
        anew = again()
        anew.parts = []
        return {**paid, **right(game, player, obj, anew, {}, paying, kind)}

    undo_total, undo_pay = wrap(costs, "total_cost", total), wrap(payment, "pay", pay)

    def mend() -> None:
        undo_pay()
        undo_total()

    return mend


@fault(
    "hand-spells-any-time",
    "117.1a",
    "Spells of every type may be cast whenever their player has priority.",
)
def any_time() -> Mend:
    return patch(casting, "_check_timing", lambda *given: None)


@fault(
    "where-it-was-cast-from-is-forgotten",
    "601.2a",
    "An effect that asks whether a spell was cast from a certain zone takes it that it was.",
)
def forgotten_zone() -> Mend:
    return wrap_word("condition", "cast from", lambda right, ctx, zones: True)


@fault("any-number-of-modes", "700.2", "A player may choose as many modes of a spell as they like.")
def any_number_of_modes() -> Mend:
    def wrong(right: Any, ctx: Any, body: Any, *rest: Any, **named: Any) -> Any:
        if body.modes is not None:
            body = replace(body, modes=replace(body.modes, maximum=len(body.modes.bodies)))
        return right(ctx, body, *rest, **named)

    return wrap(announcing, "choose_modes", wrong)


@fault(
    "permission-never-used-up", "601.3", "What lets a player cast one spell a turn lets that player cast any number."
)
def permission_never_used_up() -> Mend:
    def wrong(right: Any, game: Any, player: Any, spell: Any, permission: Any) -> None:
        node, ctx = permission
        right(game, player, spell, (replace(node, args=MappingProxyType({**node.args, "once": False})), ctx))

    return wrap(casting, "_grant", wrong)


def _with_alternatives(change: Callable[..., Any]) -> Mend:
    def wrong(right: Any, *given: Any) -> Any:
        *usual, permissions, named, request = given
        return change(lambda names: right(*usual, permissions, names, request), permissions, named)

    return wrap(ways, "_alternative_ways", wrong)


@fault(
    "every-permission-used-at-once",
    "601.3",
    "A spell with an alternative cost is cast by whatever else would let it be cast, too, and uses that up.",
)
def every_permission_used() -> Mend:
    def change(right: Any, permissions: Any, named: Any) -> Any:
        return [replace(way, permission=way.permission or next(iter(permissions), None)) for way in right(named)]

    return _with_alternatives(change)


@fault(
    "alternative-cost-by-any-permission",
    "702.34a",
    "A cost that comes with its own permission may be paid for a card that is cast by another one.",
)
def alternative_cost_by_any_permission() -> Mend:
    return _with_alternatives(lambda right, permissions, named: right(()))


@fault("warped-again-from-exile", "702.185a", "A card that warp has exiled may be cast for its warp cost again.")
def warped_again() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, base: Any, word: Any, detail: Any, *given: Any) -> Any:
        alternatives, *others = given
        if word == "warp":
            alternatives = [(replace(way, from_zones=frozenset()), held) for way, held in alternatives]
        return right(game, player, obj, base, word, detail, alternatives, *others)

    return wrap(ways, "_alternative_ways", wrong)


def _permitted_without_more(rule: str) -> Mend:
    """Spells that a rule lets be cast from exile may be cast whenever and however else it does not let them be."""

    def wrong(right: Any, game: Any, ctx: Any, node: Any, spell: Any) -> Any:
        return node.args.get("by_rule") == rule or right(game, ctx, node, spell)

    return wrap(casting, "_fits_permission", wrong)


@fault("warped-card-cast-at-once", "702.185a", "A card that warp has exiled may be cast in the same turn.")
def warped_card_cast_at_once() -> Mend:
    return _permitted_without_more("702.185a")


@fault("foretold-card-cast-at-once", "702.143a", "A foretold card may be cast in the turn in which it was foretold.")
def foretold_card_cast_at_once() -> Mend:
    return _permitted_without_more("702.143a")


@fault("adventure-again-from-exile", "715.3d", "A card exiled by its Adventure may be cast as an Adventure again.")
def adventure_again() -> Mend:
    return _permitted_without_more("715.3d")


@fault(
    "paid-costs-are-lost-with-abilities",
    "702.109a",
    "A creature that has lost its abilities is not returned, sacrificed or exiled for the dash, blitz or warp cost.",
)
def lost_with_abilities() -> Mend:
    def wrong(right: Any, game: Any, permanent: Any, paid: Any) -> None:
        right(game, permanent, [way for way in paid if layers.of(game, permanent).has(way.name)])

    return wrap(resolving, "see_to", wrong)


@fault("foretelling-at-any-time", "702.143a", "A player may foretell a card in another player's turn.")
def foretelling_at_any_time() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, request: Any) -> None:
        active = game.active
        game.active = player
        try:
            right(game, player, obj, request)
        finally:
            game.active = active

    return wrap(foretelling, "foretell", wrong)


@fault(
    "any-split-card-may-be-fused", "702.102a", "Any split card may be cast from the hand with both halves as one spell."
)
def any_may_be_fused() -> Mend:
    def wrong(right: Any, obj: Any, request: Any) -> str:
        fused = request.face == "fused" and obj.zone == "hand" and objects.base_values(obj).layout == "split"
        return "fused" if fused else right(obj, request)

    return wrap(ways, "face_of", wrong)


@fault(
    "split-second-lets-effects-cast", "702.61a", "What resolves above a spell with split second may have a spell cast."
)
def split_second_lets_effects_cast() -> Mend:
    def wrong(right: Any, game: Any, but: Any = None) -> None:
        if but is None or game.priority is not None:
            right(game, but)

    return wrap(casting, "check_split_second", wrong)
