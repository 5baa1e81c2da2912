"""Faults of the stack: priority, countering, copies of spells, triggers from casting (CR 117, 405, 701.6, 707.10)."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from judgecall.oracle import copying, events, priority, resolving, stack, triggers
from judgecall.oracle.faults.gallery import Mend, fault, together, wrap

__all__: list[str] = []


@fault(
    "opponent-first-after-resolution",
    "117.3b",
    "After something has resolved, the player after the active player gets priority.",
)
def opponent_first() -> Mend:
    resolved: list[bool] = []

    def pass_(right: Any, game: Any, player: Any) -> None:
        resolved.append(bool(game.stack))
        try:
            right(game, player)
        finally:
            resolved.pop()

    def give(right: Any, game: Any, player: Any) -> None:
        after = priority._next(game, player) if resolved and resolved[-1] and player is game.active else player
        right(game, after)

    return together(wrap(priority, "pass_", pass_), wrap(priority, "give", give))


@fault(
    "priority-goes-on-after-acting",
    "117.3c",
    "A player who has cast or activated something does not get priority again.",
)
def goes_on() -> Mend:
    def wrong(right: Any, game: Any, player: Any) -> None:
        right(game, player)
        if not game.over and game.priority is player and game.stack:
            game.write(game, "priority", priority._next(game, player))

    return wrap(priority, "again", wrong)


@fault(
    "whole-stack-resolves", "117.4", "When all players have passed, everything on the stack resolves without a pause."
)
def whole_stack() -> Mend:
    def wrong(right: Any, game: Any) -> None:
        right(game)
        while game.stack and not game.over:
            priority.settle(game)
            right(game)

    return wrap(resolving, "resolve_top", wrong)


@fault("stack-first-in-first-out", "405.5", "The object that has been on the stack longest resolves first.")
def first_in_first_out() -> Mend:
    def wrong(right: Any, game: Any) -> None:
        if len(game.stack) > 1:
            game.write(game, "stack", (*game.stack[1:], game.stack[0]))
        right(game)

    return wrap(resolving, "resolve_top", wrong)


@fault(
    "cast-trigger-under-the-spell", "603.3", "An ability that triggers on casting a spell resolves after that spell."
)
def under_the_spell() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, item: Any) -> None:
        right(game, obj, item)
        if item.ability.trigger.word == "you cast this" and obj in game.stack and item.source in game.stack:
            rest = [other for other in game.stack if other is not obj]
            place = next(i for i, other in enumerate(rest) if other is item.source)
            game.write(game, "stack", (*rest[:place], obj, *rest[place:]))

    return wrap(triggers, "_put", wrong)


@fault(
    "countered-spell-takes-its-triggers-along",
    "113.7a",
    "Countering a spell removes the abilities of that spell that wait on the stack.",
)
def takes_triggers_along() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, *rest: Any) -> Any:
        done = right(game, obj, *rest)
        if done and obj.kind != "ability":
            for item in game.stack:
                if item.kind == "ability" and item.source is obj:
                    resolving.leave(game, item)
        return done

    return wrap(stack, "counter", wrong)


@fault(
    "abilities-end-with-their-source",
    "113.7a",
    "An ability on the stack ceases to exist when the permanent that it is of leaves the battlefield.",
)
def end_with_their_source() -> Mend:
    def wrong(right: Any, game: Any) -> None:
        item = game.stack[-1]
        if (
            item.kind == "ability"
            and item.source is not None
            and item.source.gone
            and item.source.zone == "battlefield"
        ):
            resolving.leave(game, item)
            return
        right(game)

    return wrap(resolving, "resolve_top", wrong)


@fault("prohibition-on-countering-ignored", "101.2", "A spell that can't be countered is countered all the same.")
def countering_ignored() -> Mend:
    def wrong(
        right: Any, game: Any, obj: Any, by: Any, source: Any, to: str = "graveyard", position: Any = None
    ) -> Any:
        if obj.gone or obj.zone != "stack" or obj.kind == "ability":
            return right(game, obj, by, source, to, position)
        moving = events.move(obj, to, position=position, cause="counter", source=source, by=by)
        return bool(events.happen(game, [events.Event("countered", obj, by=by, source=source), moving]))

    return wrap(stack, "counter", wrong)


@fault(
    "countered-spells-are-exiled",
    "701.6a",
    "A spell that is countered goes into exile instead of its owner's graveyard.",
)
def are_exiled() -> Mend:
    def wrong(
        right: Any, game: Any, obj: Any, by: Any, source: Any, to: str = "graveyard", position: Any = None
    ) -> Any:
        return right(game, obj, by, source, "exile" if to == "graveyard" else to, position)

    return wrap(stack, "counter", wrong)


def _copies_without(*keys: str) -> Mend:
    def wrong(right: Any, ctx: Any, *rest: Any) -> Any:
        made = right(ctx, *rest)
        kept = {key: value for key, value in made.cast.items() if key not in keys}
        ctx.game.write(made, "cast", MappingProxyType(kept))
        return made

    return wrap(copying, "copy_spell", wrong)


@fault("copies-of-spells-lose-x", "707.10", "X is 0 in a copy of a spell.")
def lose_x() -> Mend:
    return _copies_without("x")


@fault("copies-of-spells-are-not-kicked", "707.10", "A copy of a kicked spell is not kicked.")
def are_not_kicked() -> Mend:
    return _copies_without("kicked")


@fault(
    "copies-of-spells-forget-their-costs",
    "707.10",
    "A copy of a spell knows nothing of what was paid for the original.",
)
def forget_their_costs() -> Mend:
    return _copies_without("paid")


@fault("copies-of-spells-inherit-spent-mana", "707.10", "The mana spent on a spell counts as spent on its copies.")
def inherit_spent_mana() -> Mend:
    def wrong(right: Any, ctx: Any, thing: Any, *rest: Any) -> Any:
        made = right(ctx, thing, *rest)
        if "spent" in thing.cast:
            ctx.game.write(made, "cast", MappingProxyType({**made.cast, "spent": thing.cast["spent"]}))
        return made

    return wrap(copying, "copy_spell", wrong)


@fault("copies-of-spells-are-cast", "707.10", "Copying a spell counts as casting it.")
def are_cast() -> Mend:
    def wrong(right: Any, ctx: Any, thing: Any, player: Any, *rest: Any) -> Any:
        made = right(ctx, thing, player, *rest)
        if made.kind == "copy":
            events.happen(ctx.game, [events.Event("cast", made, player, rules=("601.2i",))])
        return made

    return wrap(copying, "copy_spell", wrong)


@fault(
    "copies-of-spells-keep-their-targets",
    "707.10c",
    "Nobody may choose new targets for a copy of a spell, even where an effect says so.",
)
def keep_their_targets() -> Mend:
    def wrong(right: Any, ctx: Any, thing: Any, player: Any, new_targets: bool, *rest: Any) -> Any:
        return right(ctx, thing, player, False, *rest)

    return wrap(copying, "copy_spell", wrong)


@fault(
    "copies-of-spells-ignore-exceptions",
    "707.9",
    "An exception that the copying effect makes is left out of a copy of a spell.",
)
def ignore_exceptions() -> Mend:
    def wrong(right: Any, ctx: Any, thing: Any, player: Any, new_targets: bool, exceptions: Any, *rest: Any) -> Any:
        return right(ctx, thing, player, new_targets, None, *rest)

    return wrap(copying, "copy_spell", wrong)


@fault("state-triggers-wait-for-priority", "603.8", "A state trigger looks only when a player would get priority.")
def state_triggers_late() -> Mend:
    due: list[bool] = []

    def state(right: Any, game: Any) -> None:
        if due:
            right(game)

    def put(right: Any, game: Any) -> Any:
        due.append(True)
        try:
            return right(game)
        finally:
            due.pop()

    return together(wrap(triggers, "state_triggers", state), wrap(triggers, "put_on_stack", put))


@fault(
    "triggers-in-nonactive-order", "603.3b", "The nonactive player's triggered abilities are put on the stack first."
)
def nonactive_first() -> Mend:
    from judgecall.oracle.state import Game

    nested: list[bool] = []

    def apnap(right: Any, game: Any) -> Any:
        found = right(game)
        return found[::-1] if nested else found

    def put(right: Any, game: Any) -> Any:
        nested.append(True)
        try:
            return right(game)
        finally:
            nested.pop()

    return together(wrap(Game, "apnap", apnap), wrap(triggers, "put_on_stack", put))
