"""Faults of resolving spells and abilities and of carrying out instructions (CR 608, 609, 118.12)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from judgecall.oracle import choices, layers, resolving, state_based, targets
from judgecall.oracle.faults.gallery import Mend, fault, patch, pretending, wrap, wrap_word
from judgecall.oracle.subtypes import SUBTYPES

__all__: list[str] = []


@fault(
    "spells-resolve-without-targets",
    "608.2b",
    "A spell or ability whose targets are all illegal resolves and does what it can.",
)
def without_targets() -> Mend:
    return wrap(targets, "legal_groups", lambda right, ctx, specs, obj: (right(ctx, specs, obj)[0], True))


@fault(
    "one-illegal-target-stops-all", "608.2b", "A spell with several targets does not resolve if one of them is illegal."
)
def stops_all() -> Mend:
    def wrong(right: Any, ctx: Any, specs: Any, obj: Any) -> Any:
        groups, fine = right(ctx, specs, obj)
        return groups, fine and sum(map(len, groups)) == sum(map(len, obj.targets))

    return wrap(targets, "legal_groups", wrong)


@fault(
    "targets-checked-only-when-chosen",
    "608.2b",
    "Whether a target is legal is not looked at again on resolution, if it is still there.",
)
def only_when_chosen() -> Mend:
    def wrong(right: Any, ctx: Any, spec: Any, thing: Any, *rest: Any) -> bool:
        if hasattr(thing, "gone"):
            return not thing.gone
        return bool(right(ctx, spec, thing, *rest))

    return wrap(targets, "still_legal", wrong)


@fault("all-or-nothing", "609.3", "An effect that asks for more than there is does nothing.")
def all_or_nothing() -> Mend:
    def wrong(right: Any, game: Any, player: Any, options: Any, minimum: int, *rest: Any, **named: Any) -> Any:
        offered = tuple(options)
        return [] if len(offered) < minimum else right(game, player, offered, minimum, *rest, **named)

    return wrap(choices, "pick", wrong)


@fault(
    "state-based-actions-while-resolving",
    "704.4",
    "State-based actions are performed between the instructions of a spell.",
)
def while_resolving() -> Mend:
    def wrong(right: Any, ctx: Any, effects: Any) -> None:
        for node in effects:
            right(ctx, (node,))
            if ctx.game.over:
                return
            if ctx.stack is not None:
                state_based.check(ctx.game)

    return wrap(resolving, "perform", wrong)


@fault(
    "condition-checked-on-triggering-only",
    "603.4",
    'An "if" in a triggered ability is not looked at again as it resolves.',
)
def on_triggering_only() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, ctx: Any) -> None:
        ability = obj.ability
        if getattr(ability, "condition", None) is None:
            right(game, obj, ctx)
            return
        with pretending(game, (obj, "ability", replace(ability, condition=None))):
            right(game, obj, ctx)

    return wrap(resolving, "_resolve_ability", wrong)


@fault("players-sacrifice-in-turn", "101.4", "Players who sacrifice at the same time do so one after another.")
def in_turn() -> Mend:
    def wrong(right: Any, ctx: Any, who: Any, what: Any, **given: Any) -> Any:
        if what is not None:
            return right(ctx, who=who, what=what, **given)
        return [thing for player in who for thing in right(ctx, who=[player], what=None, **given)]

    return wrap_word("effect", "sacrifice", wrong)


@fault(
    "any-subtype-is-a-creature-type",
    "205.3e",
    "A player told to choose a creature type may choose a subtype of any kind.",
)
def any_subtype() -> Mend:
    everything = tuple(sorted({subtype for listed in SUBTYPES.values() for subtype in listed}))

    def wrong(right: Any, game: Any, player: Any, kind: str, options: Any, *rest: Any, **named: Any) -> Any:
        return right(game, player, kind, everything if kind == "type" else options, *rest, **named)

    return wrap(choices, "word", wrong)


@fault("impossible-options-on-offer", "608.2d", "A player may choose an option that is impossible and so do nothing.")
def impossible_options() -> Mend:
    def wrong(right: Any, ctx: Any, if_: Any, **given: Any) -> Any:
        return right(ctx, if_=None, **given)

    return wrap_word("effect", "may", wrong)


@fault(
    "unpayable-offers-accepted",
    "118.12",
    "A player may say that a cost is paid that cannot be, and get what it is for.",
)
def accepted() -> Mend:
    def wrong(right: Any, ctx: Any, what: Any, **given: Any) -> Any:
        done = right(ctx, what=what, **given)
        return done or list(what)

    return wrap_word("effect", "sacrifice it", wrong)


@fault("any-kicker-will-do", "607.2i", "An ability about one kicker looks whether any kicker was paid.")
def any_kicker() -> Mend:
    return wrap_word("condition", "kicked", lambda right, ctx, with_: right(ctx, with_=None))


@fault(
    "illegal-targets-affected",
    "608.2b",
    "A spell that has another legal target also affects those that have become illegal.",
)
def illegal_affected() -> Mend:
    def wrong(right: Any, ctx: Any, specs: Any, obj: Any) -> Any:
        _, fine = right(ctx, specs, obj)
        return obj.targets, fine

    return wrap(targets, "legal_groups", wrong)


@fault(
    "untargeted-means-illegal",
    "608.2b",
    "A spell or ability for which no target was chosen, where none need be, does not resolve.",
)
def untargeted_illegal() -> Mend:
    def wrong(right: Any, ctx: Any, specs: Any, obj: Any) -> Any:
        groups, fine = right(ctx, specs, obj)
        return groups, fine and (not specs or any(obj.targets))

    return wrap(targets, "legal_groups", wrong)


@fault("x-is-what-was-paid", "601.2b", "X is as much as was paid for it, so that a reduced cost makes it less.")
def x_is_what_was_paid() -> Mend:
    def wrong(right: Any, game: Any, obj: Any) -> Any:
        ctx = right(game, obj)
        fixed = sum(
            int(symbol) if symbol.isdigit() else symbol != "X" for symbol in layers.of(game, obj).mana_cost or ()
        )
        if ctx.x:
            ctx.x = max(0, min(ctx.x, len(obj.cast.get("spent", ())) - fixed))
        return ctx

    return wrap(resolving, "context_of", wrong)


@fault(
    "any-ability-of-its-source-counts",
    "608.2c",
    "An ability that counts how often it has resolved also counts other abilities of its source.",
)
def any_ability_counts() -> Mend:
    return patch(resolving, "_key", lambda ability: "resolved")


@fault(
    "resolutions-are-activations",
    "608.2c",
    "An ability that counts how often it has resolved counts how often it was activated.",
)
def resolutions_are_activations() -> Mend:
    def wrong(right: Any, obj: Any, ability: Any) -> int:
        activated = obj.notes.get(f"activated {ability.number}{ability.keyword or ''}")
        return int(right(obj, ability) if activated is None else activated)

    return wrap(resolving, "times_resolved", wrong)
