"""Faults of double-faced cards: faces in each zone, transforming, day and night (CR 712, 701.27, 702.145, 731)."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from judgecall.oracle import applying, copying, double_faced, entering, events, objects, state_based, ways
from judgecall.oracle.characteristics import FaceValues
from judgecall.oracle.faults.gallery import Mend, fault, patch, pretending, together, wrap, wrap_item, wrap_word
from judgecall.oracle.faults.turning_up import entering_again
from judgecall.oracle.state import NOTHING

__all__: list[str] = []


# -- values of a face ----------------------------------------------------------------------------------------


@fault("back-face-mana-value-zero", "202.3b", "The back face of a transforming card has a mana value of 0.")
def back_face_zero() -> Mend:
    def wrong(right: Any, values: Any, x: int = 0) -> Any:
        return right(objects.replaced(values, mana_value=None), x)

    return wrap(objects, "value_of", wrong)


@fault(
    "copy-of-back-face-keeps-mana-value", "202.3b", "A copy of a back face has the mana value of the front face too."
)
def copy_keeps_mana_value() -> Mend:
    return patch(objects, "as_copied", lambda values: values)


@fault(
    "modal-back-face-has-front-mana-value",
    "202.3b",
    "A spell or permanent with a modal back face has its front's mana value.",
)
def modal_has_front() -> Mend:
    def wrong(right: Any, obj: Any, ch: Any) -> Any:
        base = objects.base_values(obj)
        if base.layout == "modal" and obj.face == "back" and obj.zone in ("stack", "battlefield"):
            return objects.value_of(base.faces["front"])
        return right(obj, ch)

    return wrap(objects, "mana_value", wrong)


@fault("color-indicator-ignored", "204.2", "A color indicator gives no color, so that most back faces are colorless.")
def indicator_ignored() -> Mend:
    def colors(values: Any) -> frozenset[str]:
        without = object.__new__(FaceValues)
        for slot in FaceValues.__slots__:
            object.__setattr__(without, slot, frozenset() if slot == "indicator" else getattr(values, slot))
        found: frozenset[str] = right.__get__(without)
        return found

    right = FaceValues.__dict__["colors"]
    return patch(FaceValues, "colors", property(colors))


@fault("back-face-has-front-colors", "712.8e", "A permanent with its back face up has the colors of its front face.")
def has_front_colors() -> Mend:
    return _back_from_front(lambda front, back: {"colors_set": front.colors})


@fault(
    "back-face-has-front-mana-cost", "712.8e", "A permanent with its back face up has the mana cost of its front face."
)
def has_front_mana_cost() -> Mend:
    return _back_from_front(lambda front, back: {"mana_cost": front.mana_cost, "colors_set": back.colors})


@fault(
    "back-face-keeps-front-abilities", "712.8e", "A permanent with its back face up has the abilities of both faces."
)
def keeps_front_abilities() -> Mend:
    return _back_from_front(lambda front, back: {"abilities": (*back.abilities, *front.abilities)})


@fault("back-face-keeps-front-name", "712.8e", "A permanent with its back face up still has its front face's name.")
def keeps_front_name() -> Mend:
    return _back_from_front(lambda front, back: {"name": front.name})


def _back_from_front(change: Any) -> Mend:
    def wrong(right: Any, obj: Any) -> Any:
        values = right(obj)
        base = objects.base_values(obj)
        if base.layout == "transform" and obj.zone == "battlefield" and obj.face == "back":
            return objects.replaced(values, **change(base.faces["front"], values))
        return values

    return wrap(objects, "face_values", wrong)


@fault("hidden-back-face-works", "712.8d", "Abilities of the hidden back face work on the battlefield as well.")
def hidden_face_works() -> Mend:
    def wrong(right: Any, obj: Any) -> Any:
        values = right(obj)
        base = objects.base_values(obj)
        if base.layout == "transform" and obj.zone == "battlefield" and obj.face == "front":
            return objects.replaced(values, abilities=(*values.abilities, *base.faces["back"].abilities))
        return values

    return wrap(objects, "face_values", wrong)


@fault(
    "back-face-in-other-zones",
    "712.8a",
    "A card that left the battlefield with its back face up stays that face elsewhere.",
)
def in_other_zones() -> Mend:
    def fresh(right: Any, game: Any, event: Any) -> Any:
        new = right(game, event)
        if event.obj.zone == "battlefield" and objects.is_double_faced(event.obj):
            new.face = event.obj.face
        return new

    def face_values(right: Any, obj: Any) -> Any:
        values = objects.base_values(obj)
        return values.faces.get(obj.face, values.whole) if values.double_faced else right(obj)

    return together(wrap(applying, "fresh", fresh), wrap(objects, "face_values", face_values))


@fault(
    "transformed-spell-is-its-front",
    "712.8c",
    "A spell cast transformed has its front face's characteristics on the stack.",
)
def spell_is_its_front() -> Mend:
    def wrong(right: Any, obj: Any) -> Any:
        values = objects.base_values(obj)
        if values.layout == "transform" and obj.zone == "stack" and obj.face == "back":
            return values.faces["front"]
        return right(obj)

    return wrap(objects, "face_values", wrong)


# -- entering ------------------------------------------------------------------------------------------------


@fault(
    "transformed-spell-enters-front-face-up",
    "712.13",
    "A permanent whose spell was cast transformed enters with its front up.",
)
def enters_front_face_up() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> Any:
        new = right(game, event)
        if event.to == "battlefield" and event.obj.zone == "stack" and "face" not in event.details:
            new.face = "front"
        return new

    return wrap(applying, "fresh", wrong)


@fault(
    "back-face-comes-back",
    "712.14",
    "A card that had its back face up on the battlefield is put there with it up again.",
)
def comes_back() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> Any:
        new = right(game, event)
        before = event.obj.was
        if (
            event.to == "battlefield"
            and event.obj.zone != "stack"
            and before is not None
            and before.zone == "battlefield"
        ):
            new.face = before.face if objects.is_double_faced(before) else new.face
        return new

    return wrap(applying, "fresh", wrong)


@fault(
    "transformed-order-ignored",
    "712.14a",
    "A card that an effect puts onto the battlefield transformed enters front face up.",
)
def order_ignored() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> Any:
        event.details.pop("transformed", None)
        return right(game, event)

    return wrap(entering, "prepare", wrong)


@fault(
    "single-faced-enters-transformed",
    "712.14a",
    "A card without a second face that is to enter transformed enters as it is instead of staying where it was.",
)
def single_faced_enters() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> Any:
        if event.obj is not None and not objects.is_double_faced(event.obj):
            event.details.pop("transformed", None)
        return right(game, event)

    return wrap(entering, "prepare", wrong)


@fault(
    "enters-transformed-with-front-counters",
    "614.12",
    "A permanent that enters with its back face up enters with the counters that its front face would have.",
)
def with_front_counters() -> Mend:
    def wrong(right: Any, game: Any, event: Any, found: Any) -> None:
        new = event.new
        with pretending(game, (new, "face", "front" if new.face == "back" else new.face)):
            right(game, event, found)

    return wrap(entering, "effects_on_entering", wrong)


@fault("instants-enter-the-battlefield", "304.4", "An instant or sorcery card may be put onto the battlefield.")
def instants_enter() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> Any:
        ch = entering._prospect(game, event)
        return None if {"Instant", "Sorcery"} & set(ch.types) else right(game, event)

    return wrap(entering, "barred", wrong)


@fault("back-face-cast-from-hand", "712.11", "A transforming card may be cast with its back face, like a modal one.")
def cast_from_hand() -> Mend:
    def wrong(right: Any, obj: Any, request: Any) -> Any:
        if objects.base_values(obj).layout == "transform" and request.face == "back":
            return "back"
        return right(obj, request)

    return wrap(ways, "face_of", wrong)


# -- transforming --------------------------------------------------------------------------------------------


@fault("transforms-every-time", "701.27f", "A permanent's own ability transforms it though it has transformed since.")
def every_time() -> Mend:
    return patch(double_faced, "_once", lambda ctx, thing: True)


@fault(
    "spells-transform-once-only",
    "701.27f",
    "A spell or another object's ability transforms a permanent only if it has not transformed this turn.",
)
def once_only() -> Mend:
    def wrong(right: Any, ctx: Any, thing: Any) -> bool:
        began = max(ctx.game.history.get("turn began", NOTHING).values(), default=0)
        return bool(right(ctx, thing)) and thing.transformed <= began

    return wrap(double_faced, "_once", wrong)


@fault("transforms-into-a-sorcery", "701.27d", "A permanent may transform into a face that is an instant or sorcery.")
def into_a_sorcery() -> Mend:
    def wrong(right: Any, game: Any, things: Any) -> None:
        right(game, things)
        for thing in things:
            faces = objects.base_values(thing).faces
            able = objects.is_double_faced(thing) and thing.face_down is None and thing.zone == "battlefield"
            if able and thing.face == "front" and {"Instant", "Sorcery"} & set(faces["back"].types):
                events.happen(game, [events.Event("face", thing, details={"what": "back", "face": "back"})])

    return wrap(double_faced, "turn_over", wrong)


@fault(
    "copies-of-double-faced-transform",
    "712.9",
    "A single-faced permanent that copies a double-faced one can transform.",
)
def copies_transform() -> Mend:
    both: dict[int, Any] = {}

    def become(right: Any, game: Any, obj: Any, copied: Any, **more: Any) -> None:
        right(game, obj, copied, **more)
        known = game.known_cards(copied.name) if copied.name else None
        source = known.values if known is not None else None
        for other in game.battlefield:
            if copied.name in [face.name for face in objects.base_values(other).faces.values()]:
                source = objects.base_values(other)
        if source is not None and source.double_faced and not objects.is_double_faced(obj):
            both[obj.id] = source
            game.write(obj, "face", "back" if source.faces["back"].name == copied.name else "front")

    def base(right: Any, obj: Any) -> Any:
        return both[obj.id] if obj.id in both and obj.zone == "battlefield" else right(obj)

    def under(right: Any, game: Any, obj: Any) -> Any:
        return both[obj.id].faces[obj.face] if obj.id in both and obj.zone == "battlefield" else right(game, obj)

    return together(wrap(copying, "become", become), wrap(objects, "base_values", base), wrap(objects, "under", under))


@fault(
    "copying-double-faced-cannot-transform",
    "712.9",
    "A double-faced permanent that is a copy of something cannot transform.",
)
def copying_cannot_transform() -> Mend:
    def wrong(right: Any, game: Any, things: Any) -> Any:
        return right(game, [thing for thing in things if not objects.is_copying(game, thing)])

    return wrap(double_faced, "turn_over", wrong)


def _after_transforming(more: Any) -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> None:
        right(game, event)
        if event.details["what"] in ("front", "back"):
            more(game, event.obj)

    return wrap_item(applying.APPLY, "face", wrong)


@fault(
    "transforming-sheds-counters-and-damage", "712.18", "A permanent that transforms loses its counters and its damage."
)
def sheds_counters() -> Mend:
    def shed(game: Any, obj: Any) -> None:
        game.write(obj, "damage", 0)
        game.write(obj, "counters", NOTHING)

    return _after_transforming(shed)


@fault("transforming-ends-effects", "712.18", "Effects that applied to a permanent end when it transforms.")
def ends_effects() -> Mend:
    def end(game: Any, obj: Any) -> None:
        kept = tuple(e for e in game.effects if not (e.affected and any(thing is obj for thing in e.affected)))
        game.write(game, "effects", kept)

    return _after_transforming(end)


@fault("transforming-sheds-attachments", "712.18", "Auras and Equipment come off a permanent that transforms.")
def sheds_attachments() -> Mend:
    def shed(game: Any, obj: Any) -> None:
        for other in game.battlefield:
            if other.attached_to is obj:
                game.write(other, "attached_to", None)

    return _after_transforming(shed)


@fault(
    "transforming-brings-summoning-sickness",
    "712.18",
    "A permanent that transforms is treated as though it had just come.",
)
def brings_summoning_sickness() -> Mend:
    return _after_transforming(lambda game, obj: game.write(obj, "control_stamp", game.stamp()))


@fault("transforming-untaps", "712.18", "A permanent that transforms becomes untapped.")
def untaps() -> Mend:
    return _after_transforming(lambda game, obj: game.write(obj, "tapped", False))


@fault("transforming-dodges-targeting", "712.18", "Spells that target a permanent lose that target when it transforms.")
def dodges_targeting() -> Mend:
    def dodge(game: Any, obj: Any) -> None:
        for item in game.stack:
            kept = tuple(tuple(thing for thing in group if thing is not obj) for group in item.targets)
            game.write(item, "targets", kept)

    return _after_transforming(dodge)


# -- tokens --------------------------------------------------------------------------------------------------


@fault(
    "token-copies-have-one-face",
    "707.8a",
    "A token that copies a double-faced permanent has only the face that was up.",
)
def one_face() -> Mend:
    def wrong(right: Any, game: Any, obj: Any) -> Any:
        return objects.single_face(objects.as_copied(objects.copiable(game, obj))), "front"

    return wrap(objects, "copiable_token", wrong)


@fault(
    "token-copies-enter-front-face-up",
    "707.8a",
    "A token that copies a double-faced permanent enters with its front face up.",
)
def token_front_face_up() -> Mend:
    return wrap(objects, "copiable_token", lambda right, game, obj: (right(game, obj)[0], "front"))


# -- day and night -------------------------------------------------------------------------------------------


@fault(
    "daybound-transforms-by-anything",
    "702.145b",
    "Spells and abilities transform daybound permanents until the next dusk.",
)
def by_anything() -> Mend:
    checking: list[bool] = []

    def check(right: Any, game: Any) -> bool:
        checking.append(True)
        try:
            return bool(right(game))
        finally:
            checking.pop()

    def follow(right: Any, game: Any) -> None:
        if not checking or game.day_night is None:
            right(game)

    return together(
        patch(double_faced, "_locked", lambda game, thing: False),
        wrap(double_faced, "daybound_check", follow),
        wrap(state_based, "check", check),
    )


@fault(
    "night-counts-every-players-spells",
    "731.2a",
    "It becomes night only if nobody at all cast a spell in the last turn.",
)
def every_players_spells() -> Mend:
    def wrong(right: Any, game: Any) -> None:
        previous = game.history.get("active last turn")
        spells = game.history.get("cast last turn", ())
        by = previous.name if previous is not None else None
        pretended = [(spell, "cast", MappingProxyType({**spell.cast, "by": by})) for spell in spells]
        with pretending(game, *pretended):
            right(game)

    return wrap(double_faced, "untap_step_check", wrong)


@fault(
    "daybound-brings-no-day", "702.145d", "A daybound permanent does not make it day where it is neither day nor night."
)
def brings_no_day() -> Mend:
    def wrong(right: Any, game: Any) -> None:
        if game.day_night is not None:
            right(game)

    return wrap(double_faced, "daybound_check", wrong)


@fault("daybound-does-not-follow-the-night", "702.145c", "Daybound permanents stay as they are when night falls.")
def does_not_follow() -> Mend:
    def wrong(right: Any, game: Any) -> None:
        if game.day_night is None:
            right(game)

    return wrap(double_faced, "daybound_check", wrong)


@fault(
    "daybound-enters-by-day",
    "702.145c",
    "A daybound permanent that enters at night enters front face up and turns over later.",
)
def enters_by_day() -> Mend:
    def wrong(right: Any, game: Any, event: Any, found: Any) -> None:
        right(game, event, found)
        found[:] = [candidate for candidate in found if candidate.key != "daybound"]

    return wrap(entering, "effects_on_entering", wrong)


@fault("day-after-one-spell", "731.2b", "One spell of the active player in the last turn is enough to make night day.")
def after_one_spell() -> Mend:
    def wrong(right: Any, game: Any) -> None:
        spells = game.history.get("cast last turn", ())
        if game.day_night == "night" and spells:
            history = MappingProxyType({**game.history, "cast last turn": (*spells, *spells)})
            with pretending(game, (game, "history", history)):
                right(game)
            return
        right(game)

    return wrap(double_faced, "untap_step_check", wrong)


@fault("transforming-is-entering", "712.18", "Transforming triggers abilities that wait for the permanent to enter.")
def is_entering() -> Mend:
    return entering_again(frozenset({"front", "back"}))


@fault("night-after-one-spell", "731.2a", "It becomes night unless the active player cast two spells in the last turn.")
def night_after_one_spell() -> Mend:
    def wrong(right: Any, game: Any) -> None:
        spells = game.history.get("cast last turn", ())
        previous = game.history.get("active last turn")
        if game.day_night == "day" and sum(spell.controller is previous for spell in spells) == 1:
            with pretending(game, (game, "history", MappingProxyType({**game.history, "cast last turn": ()}))):
                right(game)
            return
        right(game)

    return wrap(double_faced, "untap_step_check", wrong)


@fault(
    "either-face-elsewhere",
    "712.8a",
    "In other zones than the battlefield a double-faced card has either face's types.",
)
def either_face_elsewhere() -> Mend:
    def wrong(right: Any, ctx: Any, ch: Any, obj: Any, value: Any) -> bool:
        if right(ctx, ch, obj, value=value):
            return True
        back = obj.card.definition.values.faces.get("back") if obj.card is not None else None
        return back is not None and obj.zone != "battlefield" and any(kind in back.types for kind in value)

    return wrap_word("test", "types", wrong)
