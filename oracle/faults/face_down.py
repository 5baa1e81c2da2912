"""Faults of face-down spells and permanents (CR 708, 701.40, 701.58, 702.37, 702.168)."""

from __future__ import annotations

from typing import Any

from judgecall.oracle import (
    applying,
    casting,
    double_faced,
    ending,
    entering,
    events,
    face_down,
    layers,
    objects,
    statics,
)
from judgecall.oracle.characteristics import Held
from judgecall.oracle.definitions import Cost
from judgecall.oracle.faults.gallery import Mend, fault, patch, pretending, wrap, wrap_item

__all__: list[str] = []


def _leaking(leak: Any) -> Mend:
    def wrong(right: Any, game: Any, obj: Any) -> Any:
        values = right(game, obj)
        if obj.face_down is None or obj.zone not in ("battlefield", "stack"):
            return values
        hidden = objects.under(game, obj)
        return objects.replaced(values, **leak(values, hidden))

    return wrap(objects, "copiable", wrong)


@fault("face-down-keeps-its-name", "708.2a", "A face-down permanent still has the name of its card.")
def keeps_its_name() -> Mend:
    return _leaking(lambda values, hidden: {"name": hidden.name})


@fault("face-down-keeps-its-color", "708.2a", "A face-down permanent still has the colors of its card.")
def keeps_its_color() -> Mend:
    return _leaking(lambda values, hidden: {"colors_set": hidden.colors})


@fault("face-down-keeps-its-types", "708.2a", "A face-down permanent is a creature beside what its card is.")
def keeps_its_types() -> Mend:
    def leak(values: Any, hidden: Any) -> Any:
        types = (*values.types, *(kind for kind in hidden.types if kind not in values.types))
        return {"types": types, "subtypes": hidden.subtypes, "supertypes": hidden.supertypes}

    return _leaking(leak)


@fault("face-down-keeps-its-abilities", "708.2a", "A face-down permanent still has the abilities of its card.")
def keeps_its_abilities() -> Mend:
    return _leaking(lambda values, hidden: {"abilities": (*values.abilities, *hidden.abilities)})


@fault("face-down-keeps-its-mana-value", "708.2a", "A face-down permanent has the mana value of its card.")
def keeps_its_mana_value() -> Mend:
    return _leaking(lambda values, hidden: {"mana_value": objects.value_of(hidden)})


@fault("face-down-keeps-its-size", "708.2a", "A face-down creature card has its own power and toughness.")
def keeps_its_size() -> Mend:
    def leak(values: Any, hidden: Any) -> Any:
        return {"power": hidden.power, "toughness": hidden.toughness} if hidden.power is not None else {}

    return _leaking(leak)


@fault(
    "face-down-hides-later-effects",
    "613.2b",
    "Being face down is applied after all other effects, so that counters and bonuses do not change the 2/2.",
)
def hides_later_effects() -> Mend:
    def wrong(right: Any, game: Any) -> Any:
        table = right(game)
        for obj in game.battlefield:
            if obj.face_down is not None:
                ch = table[obj.id]
                base = layers._base(game, obj)
                ch.name, ch.types, ch.subtypes, ch.colors = base.name, base.types, base.subtypes, base.colors
                ch.power, ch.toughness, ch.abilities, ch._keywords = base.power, base.toughness, base.abilities, None
        return table

    return wrap(layers, "_compute", wrong)


@fault(
    "face-down-keeps-its-keywords",
    "708.2",
    "Being face down makes a 2/2 without a name, but the card's keyword abilities stay.",
)
def keeps_its_keywords() -> Mend:
    def wrong(right: Any, game: Any) -> Any:
        table = right(game)
        for obj in game.battlefield:
            if obj.face_down is not None:
                ch, hidden = table[obj.id], objects.under(game, obj)
                ch.abilities = (*ch.abilities, *(Held(a, obj.stamp) for a in hidden.abilities if a.keyword))
                ch._keywords = None
        return table

    return wrap(layers, "_compute", wrong)


@fault(
    "face-down-objects-share-a-name",
    "201.2a",
    "Two face-down creatures, which have no name, count as having the same one.",
)
def share_a_name() -> Mend:
    return wrap(objects, "names", lambda right, obj, ch: right(obj, ch) or ("",))


@fault(
    "face-down-enters-as-its-card-would",
    "708.3",
    "A card put onto the battlefield face down enters the way its own abilities say, tapped or with counters.",
)
def enters_as_its_card() -> Mend:
    def wrong(right: Any, game: Any, event: Any, found: Any) -> None:
        new = event.new
        if new is None or new.face_down is None:
            right(game, event, found)
            return
        with pretending(game, (new, "face_down", None)):
            right(game, event, found)

    return wrap(entering, "effects_on_entering", wrong)


@fault("face-down-spell-enters-face-up", "708.4", "A spell that was cast face down becomes a face-up permanent.")
def enters_face_up() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> Any:
        new = right(game, event)
        if event.to == "battlefield" and event.obj.zone == "stack":
            new.face_down = new.face_down_values = None
        return new

    return wrap(applying, "fresh", wrong)


@fault("face-down-for-the-mana-cost", "702.37a", "Casting a card face down costs its own mana cost.")
def for_the_mana_cost() -> Mend:
    def wrong(right: Any, game: Any, spell: Any, way: Any) -> Any:
        if way.face_down is not None:
            return Cost(objects.base_values(spell).whole.mana_cost or ())
        return right(game, spell, way)

    return wrap(casting, "_base_cost", wrong)


def _plain(*kinds: str) -> Mend:
    return wrap(face_down, "values", lambda right, kind: right("manifest" if kind in kinds else kind))


@fault("cloak-without-ward", "701.58a", "A cloaked permanent is a plain 2/2 without ward.")
def cloak_without_ward() -> Mend:
    return _plain("cloak")


@fault("disguise-without-ward", "702.168a", "A creature cast face down with disguise has no ward.")
def disguise_without_ward() -> Mend:
    return _plain("disguise")


@fault("ward-for-every-face-down-creature", "708.2a", "Every face-down creature has ward, not only those that say so.")
def ward_for_all() -> Mend:
    return wrap(face_down, "values", lambda right, kind: right("cloak"))


@fault("face-down-ways-not-told-apart", "708.6", "How a permanent came to be face down is forgotten.")
def not_told_apart() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> Any:
        new = right(game, event)
        if new.face_down is not None and event.to == "battlefield":
            new.face_down = "manifest"
        return new

    return wrap(applying, "fresh", wrong)


@fault("face-down-leaves-in-secret", "708.9", "A face-down permanent that leaves the battlefield is not revealed.")
def leaves_in_secret() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> None:
        right(game, event)
        obj, new = event.obj, event.new
        if obj.face_down is not None and obj.zone in ("battlefield", "stack") and event.to != "battlefield":
            game.write(new, "revealed_to", obj.revealed_to)

    return wrap_item(applying.APPLY, "move", wrong)


@fault("face-down-stays-secret-at-the-end", "708.9", "Face-down permanents are not revealed when the game ends.")
def secret_at_the_end() -> Mend:
    def wrong(right: Any, game: Any, winner: Any) -> None:
        before = {obj: obj.revealed_to for obj in game.battlefield if obj.face_down is not None}
        right(game, winner)
        for obj, seen in before.items():
            game.write(obj, "revealed_to", seen)

    return wrap(ending, "_over", wrong)


@fault("face-down-leaves-the-game-in-secret", "708.9", "What a player who leaves owns face down is not revealed.")
def leaves_the_game_in_secret() -> Mend:
    def wrong(right: Any, game: Any, player: Any) -> None:
        before = {obj: obj.revealed_to for obj in game.battlefield if obj.face_down is not None}
        right(game, player)
        for obj, seen in before.items():
            if not game.over:
                game.write(obj, "revealed_to", seen)

    return wrap(ending, "leave", wrong)


@fault("double-faced-turned-face-down", "712.16", "A double-faced permanent can be turned face down by an effect.")
def double_faced_turned_down() -> Mend:
    def wrong(right: Any, game: Any, things: Any) -> Any:
        undo = patch(objects, "is_double_faced", lambda obj: False)
        try:
            return right(game, things)
        finally:
            undo()

    return wrap(face_down, "turn_down", wrong)


@fault("face-down-transforms", "712.15a", "A face-down double-faced permanent can transform, unseen.")
def transforms() -> Mend:
    def wrong(right: Any, game: Any, things: Any) -> Any:
        for thing in things:
            if thing.face_down is not None and objects.is_double_faced(thing):
                game.write(thing, "face", "back" if thing.face == "front" else "front")
        return right(game, things)

    return wrap(double_faced, "turn_over", wrong)


@fault(
    "turned-down-anew",
    "708.2b",
    "A permanent that is face down already is turned face down once more, now by the effect.",
)
def turned_down_anew() -> Mend:
    def wrong(right: Any, game: Any, things: Any) -> Any:
        done = right(game, things)
        for thing in things:
            if thing.face_down is not None:
                game.write(thing, "face_down", "effect")
                game.write(thing, "face_down_values", face_down.values("effect"))
        return done

    return wrap(face_down, "turn_down", wrong)


@fault("turning-down-untaps", "110.5c", "A permanent that is turned face down becomes untapped.")
def turning_down_untaps() -> Mend:
    def wrong(right: Any, game: Any, things: Any) -> None:
        right(game, things)
        for thing in things:
            game.write(thing, "tapped", False)

    return wrap(face_down, "turn_down", wrong)


@fault(
    "manifest-under-the-effects-controller",
    "701.40a",
    "What a player manifests enters under the control of whose effect it is.",
)
def under_the_effects_controller() -> Mend:
    def wrong(right: Any, ctx: Any, cards: Any, player: Any, kind: str, **more: Any) -> Any:
        return right(ctx, cards, ctx.you, kind, **more)

    return wrap(face_down, "put", wrong)


@fault(
    "face-down-entry-judged-by-the-card",
    "701.40f",
    "What may not enter the battlefield is judged by the card that would enter face down.",
)
def entry_judged_by_the_card() -> Mend:
    def wrong(right: Any, ctx: Any, filter: Any, ch: Any, obj: Any) -> bool:
        if ch.obj.face_down is not None and obj.zone != "battlefield":
            ch = layers.of(ctx.game, obj)
        return bool(right(ctx, filter, ch, obj))

    return wrap(statics, "_matches_ch", wrong)


@fault("exiled-where-not-manifested", "701.40f", "A card that can't be manifested is exiled.")
def exiled_where_not_manifested() -> Mend:
    def wrong(right: Any, ctx: Any, cards: Any, player: Any, kind: str, **more: Any) -> Any:
        found = right(ctx, cards, player, kind, **more)
        events.happen(ctx.game, [events.move(card, "exile") for card in cards if not card.gone])
        return found

    return wrap(face_down, "put", wrong)
