"""Faults of copying objects (CR 707)."""

from __future__ import annotations

from typing import Any

from judgecall.oracle import copying, entering, events, layers, objects
from judgecall.oracle.characteristics import FaceValues
from judgecall.oracle.faults.gallery import Mend, fault, patch, together, wrap, wrap_word
from judgecall.oracle.vocabulary import changes

__all__: list[str] = []


@fault("copies-take-present-values", "707.2", "A copy has what the original is at the moment, with all effects on it.")
def take_present_values() -> Mend:
    def wrong(right: Any, ctx: Any, thing: Any, exceptions: Any = None) -> Any:
        ch = layers.of(ctx.game, thing)
        now = FaceValues(
            name=ch.name,
            mana_cost=ch.mana_cost,
            supertypes=ch.supertypes,
            types=ch.types,
            subtypes=ch.subtypes,
            abilities=tuple(held.ability for held in ch.abilities),
            power=ch.power,
            toughness=ch.toughness,
            loyalty=ch.loyalty,
            defense=ch.defense,
            colors_set=ch.colors,
        )
        return copying.excepted(ctx, now, exceptions)

    return wrap(copying, "values", wrong)


@fault("copies-take-the-printed-card", "707.3", "A copy of a copy is a copy of the card underneath.")
def take_the_printed_card() -> Mend:
    def wrong(right: Any, ctx: Any, thing: Any, exceptions: Any = None) -> Any:
        if thing.face_down is not None:
            return right(ctx, thing, exceptions)
        return copying.excepted(ctx, objects.as_copied(objects.face_values(thing)), exceptions)

    return wrap(copying, "values", wrong)


@fault("copies-look-under-face-down", "708.10", "A copy of a face-down permanent is a copy of the card that it is.")
def look_under() -> Mend:
    def wrong(right: Any, ctx: Any, thing: Any, exceptions: Any = None) -> Any:
        if thing.face_down is None or thing.gone:
            return right(ctx, thing, exceptions)
        return copying.excepted(ctx, objects.as_copied(objects.under(ctx.game, thing)), exceptions)

    def wrong_token(right: Any, game: Any, obj: Any) -> Any:
        return right(game, obj) if obj.face_down is None else (objects.base_values(obj), obj.face)

    return together(wrap(copying, "values", wrong), wrap(objects, "copiable_token", wrong_token))


@fault("copies-of-face-down-are-face-down", "708.10", "A permanent that copies a face-down one is face down itself.")
def are_face_down() -> Mend:
    def wrong(right: Any, ctx: Any, **given: Any) -> None:
        right(ctx, **given)
        changed = ctx.results["event"]
        values = changed.details.get("copy")
        if values is not None and values.name == "" and changed.new is not None:
            changed.new.face_down = "effect"
            changed.new.face_down_values = values

    return wrap_word("effect", "as copy", wrong)


@fault(
    "copy-exceptions-forgotten",
    "707.9",
    "A copy has exactly what the original has, whatever exceptions the effect makes.",
)
def exceptions_forgotten() -> Mend:
    return patch(copying, "excepted", lambda ctx, found, exceptions: found)


@fault(
    "copy-exceptions-are-no-copiable-values",
    "707.9a",
    "What a copy effect makes an exception of is not copied along by others.",
)
def not_copiable() -> Mend:
    plain: dict[int, Any] = {}

    def excepted(right: Any, ctx: Any, found: Any, exceptions: Any) -> Any:
        made = right(ctx, found, exceptions)
        if made is not found:
            plain[id(made)] = (made, found)
        return made

    def values(right: Any, ctx: Any, thing: Any, exceptions: Any = None) -> Any:
        known = plain.get(id(objects.copiable(ctx.game, thing))) if not thing.gone else None
        if known is None:
            return right(ctx, thing, exceptions)
        return copying.excepted(ctx, objects.as_copied(known[1]), exceptions)

    return together(wrap(copying, "excepted", excepted), wrap(copying, "values", values))


@fault(
    "copy-size-beside-defining-ability",
    "707.9d",
    "An exception for size leaves the copied ability that defines the size in force.",
)
def beside_defining_ability() -> Mend:
    return _leaving_in_force("defined")


@fault(
    "copy-color-beside-defining-ability",
    "707.9d",
    "An exception for color leaves the copied ability that defines the color in force.",
)
def color_beside_defining_ability() -> Mend:
    return _leaving_in_force("colors")


def _leaving_in_force(word: str) -> Mend:
    def wrong(right: Any, found: Any, words: Any) -> Any:
        return found.abilities if word in words else right(found, words)

    return wrap(copying, "_without_defining", wrong)


@fault("becoming-a-copy-ends-effects", "707.4", "Effects on a permanent end when it becomes a copy of something.")
def ends_effects() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, copied: Any, **more: Any) -> None:
        kept = tuple(e for e in game.effects if not (e.affected and any(thing is obj for thing in e.affected)))
        game.write(game, "effects", kept)
        right(game, obj, copied, **more)

    return wrap(copying, "become", wrong)


@fault(
    "becoming-a-copy-keeps-own-abilities",
    "707.2",
    "A permanent that becomes a copy has its own abilities beside the copied ones.",
)
def keeps_own_abilities() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, copied: Any, **more: Any) -> None:
        own = objects.copiable(game, obj).abilities
        right(game, obj, objects.replaced(copied, abilities=(*copied.abilities, *own)), **more)

    return wrap(copying, "become", wrong)


@fault(
    "copies-enter-their-own-way",
    "707.5",
    "How a permanent enters is settled before it copies; the copied card's words on entering do nothing.",
)
def enter_their_own_way() -> Mend:
    def wrong(right: Any, game: Any, event: Any, found: Any) -> None:
        if event.details.get("copy") is None:
            right(game, event, found)

    return wrap(entering, "effects_on_entering", wrong)


@fault(
    "copied-enters-triggers-missed",
    "707.5",
    "A permanent that enters as a copy does not trigger the copied ability for entering.",
)
def enters_triggers_missed() -> Mend:
    def wrong(right: Any, ctx: Any, event: Any, **given: Any) -> Any:
        copied = event.details.get("copy") is not None and event.new is ctx.this
        return None if copied else right(ctx, event, **given)

    return wrap_word("trigger", "enters", wrong)


@fault("copies-of-nothing", "707.2", "The mana cost is not copied, so that a copy has a mana value of 0.")
def of_nothing() -> Mend:
    def wrong(right: Any, ctx: Any, thing: Any, exceptions: Any = None) -> Any:
        values = right(ctx, thing, exceptions)
        return objects.replaced(values, mana_cost=None, colors_set=values.colors)

    return wrap(copying, "values", wrong)


@fault("token-copies-of-copies-are-originals", "707.2", "A token that copies a copy is what the copy's own card is.")
def are_originals() -> Mend:
    def wrong(right: Any, game: Any, obj: Any) -> Any:
        if obj.face_down is None and objects.is_copying(game, obj):
            return objects.base_values(obj), "front"
        return right(game, obj)

    return wrap(objects, "copiable_token", wrong)


@fault("copy-ends-with-the-original", "707.4", "A permanent stops being a copy when what it copies leaves.")
def ends_with_the_original() -> Mend:
    copied_from: dict[int, Any] = {}

    def values(right: Any, ctx: Any, thing: Any, exceptions: Any = None) -> Any:
        made = right(ctx, thing, exceptions)
        copied_from[id(made)] = (made, thing)
        return made

    def happen(right: Any, game: Any, made: Any) -> Any:
        done = right(game, made)
        kept = []
        for effect in game.effects:
            found = copied_from.get(id(getattr(effect.ability, "args", {}).get("values"))) if effect.affected else None
            if found is None or not found[1].gone:
                kept.append(effect)
        if len(kept) != len(game.effects):
            game.write(game, "effects", tuple(kept))
        return done

    return together(wrap(copying, "values", values), wrap(events, "happen", happen))


@fault(
    "subtypes-without-their-type",
    "205.3d",
    "What becomes or enters as something has its subtypes, whatever its card types are.",
)
def subtypes_without_type() -> Mend:
    def wrong(subtypes: Any, types: Any) -> Any:
        return tuple(subtypes)

    return together(patch(copying, "fitting_subtypes", wrong), patch(changes, "fitting_subtypes", wrong))


@fault("flipped-status-is-copied", "707.2", "A copy of a flipped permanent is a copy of its flipped half.")
def flipped_is_copied() -> Mend:
    return wrap(objects, "copiable", lambda right, game, obj: objects.as_flipped(game, obj, right(game, obj)))


@fault(
    "x-of-the-spell-in-what-it-copies",
    "107.3j",
    "What a spell with X enters as a copy of enters as though that X had been chosen for it.",
)
def x_in_what_it_copies() -> Mend:
    return wrap(entering, "_x_of", lambda right, game, new, gained: right(game, new, False))
