"""Faults of triggered abilities (CR 603)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from judgecall.oracle import events, history, lasting, layers, resolving, triggers
from judgecall.oracle.events import Event
from judgecall.oracle.faults.gallery import Mend, fault, patch, pretending, together, wrap, wrap_everywhere, wrap_word
from judgecall.oracle.vocabulary import effects_zones

__all__: list[str] = []


@fault(
    "one-trigger-for-all-at-once", "603.2c", "An ability triggers once for several things that happen at the same time."
)
def one_for_all() -> Mend:
    return patch(triggers, "_once_for_all", lambda node: True)


@fault(
    "entering-tapped-is-becoming-tapped",
    "603.2e",
    "A permanent that enters tapped triggers what waits for it to become tapped.",
)
def entering_tapped() -> Mend:
    def wrong(right: Any, game: Any, made: Any) -> Any:
        done = right(game, made)
        tapped = [
            Event("tap", event.new) for event in done if event.to == "battlefield" and event.new and event.new.tapped
        ]
        if tapped:
            triggers.note(game, tapped, None)
        return done

    return wrap(events, "happen", wrong)


@fault(
    "tapping-the-tapped-triggers",
    "603.2e",
    "Tapping a permanent that is tapped already triggers what waits for it to become tapped.",
)
def tapping_the_tapped() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> bool:
        if event.kind == "tap" and event.obj is not None:
            return not event.obj.gone
        return bool(right(game, event))

    return wrap(events, "_possible", wrong)


@fault(
    "condition-checked-on-resolution-only",
    "603.4",
    'An ability with an "if" triggers whether or not the condition holds.',
)
def on_resolution_only() -> Mend:
    def wrong(right: Any, game: Any, ability: Any, *rest: Any) -> bool:
        return bool(right(game, replace(ability, condition=None), *rest))

    return wrap(triggers, "_allowed", wrong)


@fault("deaths-at-once-unseen", "603.10a", "A creature that dies does not see others that die at the same time.")
def at_once_unseen() -> Mend:
    def wrong(
        right: Any, game: Any, ability: Any, trigger: Any, obj: Any, controller: Any, made: Any, *rest: Any, **more: Any
    ) -> Any:
        if obj.gone and obj.zone == "battlefield":
            made = [event for event in made if event.obj is obj]
        return right(game, ability, trigger, obj, controller, made, *rest, **more)

    return wrap(triggers, "_match", wrong)


@fault(
    "dying-triggers-nothing",
    "603.10a",
    "An ability of a creature about its own death does not trigger, since it is gone.",
)
def triggers_nothing() -> Mend:
    def wrong(right: Any, game: Any, ability: Any, trigger: Any, obj: Any, *rest: Any, **more: Any) -> Any:
        return False if obj.gone and obj.zone == "battlefield" else right(game, ability, trigger, obj, *rest, **more)

    return wrap(triggers, "_match", wrong)


@fault(
    "delayed-triggers-look-back", "603.7a", "A delayed trigger that comes too late for its event triggers all the same."
)
def look_back() -> Mend:
    def wrong(right: Any, ctx: Any, when: Any, body: Any, **named: Any) -> None:
        right(ctx, when, body, **named)
        if ctx.this is not None and ctx.this.gone and ctx.this.zone == "battlefield":
            resolving.perform(ctx, body.effects)

    return wrap(lasting, "delay", wrong)


@fault(
    "delayed-triggers-follow-the-card",
    "603.7c",
    "A delayed trigger acts on a permanent that has left and come back meanwhile.",
)
def follow_the_card() -> Mend:
    def wrong(right: Any, things: Any) -> Any:
        def present(thing: Any) -> Any:
            first = thing
            while getattr(thing, "gone", False) and thing.became is not None:
                thing = thing.became
            return thing if getattr(thing, "zone", "") == "battlefield" else first

        return right([present(thing) for thing in things])

    return wrap_everywhere(effects_zones.live, wrong)


@fault(
    "exiled-cards-return-one-by-one",
    "610.3d",
    "Cards that two effects exiled come back one after another though both end at once.",
)
def return_one_by_one() -> Mend:
    ending: list[bool] = []

    def left(right: Any, game: Any) -> Any:
        ending.append(True)
        try:
            return right(game)
        finally:
            ending.pop()

    def happen(right: Any, game: Any, made: Any) -> Any:
        listed = list(made)
        if ending and len(listed) > 1:
            return [event for one in listed for event in right(game, [one])]
        return right(game, listed)

    return together(wrap(lasting, "source_left", left), wrap(events, "happen", happen))


@fault(
    "chosen-order-of-triggers-reversed",
    "603.3b",
    "A player's triggered abilities are put on the stack in the reverse of the order chosen.",
)
def reversed_order() -> Mend:
    def wrong(right: Any, game: Any) -> Any:
        before = game.stack
        done = right(game)
        added = [item for item in game.stack if not any(item is other for other in before)]
        if len(added) > 1 and len({id(item.controller) for item in added}) == 1:
            game.write(game, "stack", (*before, *added[::-1]))
        return done

    return wrap(triggers, "put_on_stack", wrong)


@fault(
    "enters-triggers-by-the-card",
    "603.6b",
    "What a permanent's arrival triggers goes by its card, not by what effects make of it.",
)
def by_the_card() -> Mend:
    def wrong(right: Any, ctx: Any, event: Any, **given: Any) -> Any:
        new = event.new
        if new is None or new.zone != "battlefield":
            return right(ctx, event, **given)
        undo = wrap(layers, "of", lambda of, game, obj: layers._base(game, obj) if obj is new else of(game, obj))
        try:
            return right(ctx, event, **given)
        finally:
            undo()

    return wrap_word("trigger", "enters", wrong)


@fault(
    "triggers-of-face-down-cards",
    "708.3",
    "A card put onto the battlefield face down triggers its own ability for entering.",
)
def of_face_down_cards() -> Mend:
    def wrong(right: Any, game: Any, made: Any) -> Any:
        done = right(game, made)
        for event in done:
            new = event.new
            if event.kind == "move" and event.to == "battlefield" and new is not None and new.face_down is not None:
                if event.origin != "stack":
                    with pretending(game, (new, "face_down", None)):
                        own = event.but()
                        triggers.note(game, [own], None)
        return done

    return wrap(events, "happen", wrong)


@fault(
    "reflexive-triggers-at-once", "603.12", 'What happens "when you do" happens at once, without going on the stack.'
)
def at_once() -> Mend:
    def wrong(right: Any, ctx: Any, **given: Any) -> None:
        game = ctx.game
        before = game.waiting
        right(ctx, **given)
        own = game.waiting[len(before) :]
        if own:
            game.write(game, "waiting", own)
            triggers.put_on_stack(game)
            resolving.resolve_top(game)
            game.write(game, "waiting", (*before, *game.waiting))

    return wrap_word("effect", "reflexive", wrong)


@fault(
    "becoming-a-creature-is-entering",
    "603.6a",
    "A permanent that becomes a creature triggers abilities that wait for a creature to enter.",
)
def becoming_is_entering() -> Mend:
    def creatures(game: Any) -> list[Any]:
        return [obj for obj in game.battlefield if "Creature" in layers.of(game, obj).types]

    def wrong(right: Any, ctx: Any, *given: Any, **named: Any) -> Any:
        before = creatures(ctx.game)
        made = right(ctx, *given, **named)
        grown = [obj for obj in creatures(ctx.game) if obj not in before]
        if grown:
            triggers.note(
                ctx.game, [Event("move", obj, to="battlefield", new=obj, origin="library") for obj in grown], None
            )
        return made

    return wrap_word("effect", "until", wrong)


def _moves_unseen(unseen: Callable[[Event], bool]) -> Mend:
    def wrong(right: Any, ctx: Any, event: Any, **given: Any) -> Any:
        return None if event.to == "graveyard" and unseen(event) else right(ctx, event, **given)

    return wrap_word("trigger", "moves", wrong)


@fault(
    "graveyard-triggers-need-the-battlefield",
    "603.6",
    "What waits for a card to be put into a graveyard misses one that does not come from the battlefield.",
)
def need_the_battlefield() -> Mend:
    return _moves_unseen(lambda event: event.origin != "battlefield")


@fault(
    "dying-is-not-put-into-a-graveyard",
    "700.4",
    "What waits for a card to be put into a graveyard from anywhere misses a creature that dies.",
)
def not_put_into_a_graveyard() -> Mend:
    return _moves_unseen(lambda event: event.origin == "battlefield")


@fault("ward-not-kept-from-triggering", "101.2", "Ward triggers although an effect says that it does not.")
def ward_not_kept() -> Mend:
    return patch(triggers, "_silent", lambda *given: False)


@fault(
    "all-at-once-is-the-cause",
    "603.2d",
    "An ability triggers an additional time for what merely happened at the same time as its own event.",
)
def all_at_once_is_the_cause() -> Mend:
    def wrong(
        right: Any, game: Any, ability: Any, trigger: Any, obj: Any, who: Any, made: Any, *given: Any, **more: Any
    ) -> Any:
        def extra(of_its_own: Any, game: Any, obj: Any, controller: Any, causes: Any) -> Any:
            return of_its_own(game, obj, controller, made)

        mend = wrap(triggers, "_extra", extra)
        try:
            return right(game, ability, trigger, obj, who, made, *given, **more)
        finally:
            mend()

    return wrap(triggers, "_match", wrong)


@fault(
    "what-entered-counts-as-it-is-now",
    "608.2i",
    "What entered this turn counts for whoever controls it now, and as what it is now.",
)
def counts_as_it_is_now() -> Mend:
    return patch(history, "_as_now", lambda game, obj: obj)


@fault("echo-in-every-upkeep", "702.30a", "Echo triggers in each upkeep of the permanent's controller.")
def echo_in_every_upkeep() -> Mend:
    return wrap_word("condition", "since last upkeep", lambda right, *given, **named: True)


@fault(
    "echo-for-what-entered",
    "702.30a",
    "Echo triggers only for a permanent that has entered since the last upkeep, whoever got control of it since.",
)
def echo_for_what_entered() -> Mend:
    def wrong(right: Any, ctx: Any, objects: Any) -> bool:
        before, _ = ctx.game.history.get("upkeep began", {}).get(ctx.you.name, (None, None))
        return before is None or all(thing.stamp > before for thing in objects)

    return wrap_word("condition", "since last upkeep", wrong)
