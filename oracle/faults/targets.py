"""Faults of choosing targets (CR 115, 601.2c, 702.11)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from judgecall.oracle import copying, layers, protection, targets
from judgecall.oracle.agents import Refused
from judgecall.oracle.definitions import Filter
from judgecall.oracle.faults.gallery import Mend, fault, patch, wrap

__all__: list[str] = []


@fault(
    "same-target-for-one-word",
    "601.2c",
    'One use of the word "target" for several things may choose the same thing twice.',
)
def same_for_one_word() -> Mend:
    def wrong(right: Any, ctx: Any, obj: Any, answer: Any, options: Any, minimum: int, maximum: int) -> Any:
        chosen = list(answer) if isinstance(answer, (list, tuple)) else [answer]
        distinct = [thing for i, thing in enumerate(chosen) if not any(thing is other for other in chosen[:i])]
        right(ctx, obj, distinct, options, min(minimum, len(distinct)), maximum)
        if len(chosen) < minimum or len(chosen) > maximum:
            raise Refused("too few or too many targets", "601.2c", "targets")
        return chosen

    return wrap(targets, "_checked", wrong)


@fault(
    "no-target-twice-for-two-words",
    "601.2c",
    'A spell that says "target" twice may not choose the same thing both times.',
)
def not_twice() -> Mend:
    def wrong(right: Any, *given: Any) -> Any:
        groups = right(*given)
        everything = [thing for group in groups for thing in group]
        if len({id(thing) for thing in everything}) < len(everything):
            raise Refused("the same target twice", "601.2c", "targets")
        return groups

    return wrap(targets, "choose", wrong)


@fault(
    "new-targets-one-at-a-time",
    "115.7e",
    "New targets are chosen one at a time, so that two targets cannot trade places.",
)
def one_at_a_time() -> Mend:
    def wrong(right: Any, ctx: Any, obj: Any, player: Any, *, change_all: bool) -> None:
        old = [thing for group in obj.targets for thing in group]
        right(ctx, obj, player, change_all=change_all)
        new = [thing for group in obj.targets for thing in group]
        for index, thing in enumerate(new):
            if thing is not old[index] and any(thing is other for other in old):
                raise Refused("that is a target already", "115.7e", "targets")

    return wrap(copying, "retarget", wrong)


@fault(
    "changed-targets-need-not-be-legal",
    "115.7d",
    "A new target may be anything, whether or not the spell could target it.",
)
def need_not_be_legal() -> Mend:
    def wrong(right: Any, ctx: Any, obj: Any, player: Any, *, change_all: bool) -> None:
        def all_things(known: Any, inner: Any, spec: Any, item: Any, each: Any = None) -> Any:
            return [*inner.game.in_game(), *inner.pool(None)]

        undo = wrap(targets, "candidates", all_things)
        try:
            right(ctx, obj, player, change_all=change_all)
        finally:
            undo()

    return wrap(copying, "retarget", wrong)


@fault("hexproof-ignored", "702.11b", "A permanent with hexproof may be targeted by anybody.")
def hexproof_ignored() -> Mend:
    return patch(protection, "hexproof", lambda ctx, found: False)


@fault(
    "hexproof-against-everybody", "702.11b", "A permanent with hexproof cannot be targeted by its controller either."
)
def against_everybody() -> Mend:
    def wrong(right: Any, ctx: Any, thing: Any, obj: Any) -> Any:
        rule = right(ctx, thing, obj)
        if rule is None and thing.zone == "battlefield" and protection.hexproof(ctx, layers.of(ctx.game, thing)):
            return "702.11b"
        return rule

    return wrap(targets, "why_not", wrong)


@fault("shroud-ignored", "702.18a", "A permanent with shroud may be targeted.")
def shroud_ignored() -> Mend:
    def wrong(right: Any, ctx: Any, thing: Any, obj: Any) -> Any:
        rule = right(ctx, thing, obj)
        return None if rule == "702.18a" else rule

    return wrap(targets, "why_not", wrong)


@fault(
    "targets-known-by-their-cards",
    "400.7",
    "A spell follows a target that has left and come back, as though it were the same object.",
)
def known_by_their_cards() -> Mend:
    def wrong(right: Any, ctx: Any, specs: Any, obj: Any) -> Any:
        def present(thing: Any) -> Any:
            while getattr(thing, "gone", False) and thing.became is not None:
                thing = thing.became
            return thing

        followed = tuple(tuple(present(thing) for thing in group) for group in obj.targets)
        ctx.game.write(obj, "targets", followed)
        return right(ctx, specs, obj)

    return wrap(targets, "legal_groups", wrong)


@fault(
    "targets-hang-on-legal-ones",
    "608.2b",
    "A target that was chosen for what another target is becomes illegal with that other target.",
)
def hang_on_legal_ones() -> Mend:
    def wrong(right: Any, ctx: Any, specs: Any, obj: Any) -> Any:
        groups, some = right(ctx, specs, obj)
        kept: tuple[Any, ...] = ()
        for spec, group in zip(specs, groups, strict=False):
            ctx.groups = kept
            kept = (*kept, tuple(thing for thing in group if ctx.matches(spec.filter, thing) or spec.players))
        return kept, some

    return wrap(targets, "legal_groups", wrong)


@fault(
    "auras-target-as-they-enter",
    "303.4f",
    "An Aura that enters without having been cast needs a legal target, so that shroud keeps it off.",
)
def target_as_they_enter() -> Mend:
    from judgecall.oracle import attaching

    def wrong(right: Any, game: Any, aura: Any, ch: Any, host: Any) -> bool:
        fine = bool(right(game, aura, ch, host))
        shielded = (
            hasattr(host, "gone")
            and host.zone == "battlefield"
            and (layers.of(game, host).has("shroud") or layers.of(game, host).has("hexproof"))
        )
        return fine and not (shielded and aura.attached_to is None)

    return wrap(attaching, "can_enchant", wrong)


@fault(
    "no-second-target-that-hangs-on-the-first",
    "601.2c",
    "Before the first target is chosen there is no second one that must be of its controller: nobody is asked.",
)
def no_second_that_hangs() -> Mend:
    return patch(targets, "_depends_on_targets", lambda value: False)


@fault("second-target-of-anybody", "601.2c", "A second target need not be of the player whom the first one names.")
def second_of_anybody() -> Mend:
    def wrong(right: Any, ctx: Any, spec: Any, *rest: Any) -> Any:
        if targets._depends_on_targets(spec.filter):
            tests = tuple(test for test in spec.filter.tests if not targets._depends_on_targets(test[1]))
            spec = replace(spec, filter=Filter(tests, spec.filter.zone))
        return right(ctx, spec, *rest)

    return wrap(targets, "candidates", wrong)


@fault("as-though-no-hexproof-ignored", "609.4", "Nothing lets a permanent be targeted as though it had no hexproof.")
def despite_ignored() -> Mend:
    return patch(targets, "_despite", lambda *given: False)


@fault(
    "changed-targets-judged-alone",
    "115.7e",
    "A target is changed to what is legal for it, whatever else the spell targets.",
)
def judged_alone() -> Mend:
    def wrong(right: Any, ctx: Any, specs: Any, groups: Any, index: int, obj: Any) -> Any:
        return targets.options_of(ctx, specs[index], obj)

    return wrap(targets, "_allowed", wrong)


@fault(
    "no-new-targets-for-each-player",
    "707.10c",
    "Where a spell has a target for each player, a copy can't be given new ones.",
)
def none_for_each_player() -> Mend:
    return patch(targets, "options_of", lambda ctx, spec, obj: targets.candidates(ctx, spec, obj))
