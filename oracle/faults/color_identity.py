"""Faults of color identity and of Commander (CR 903)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from judgecall.oracle import casting, commander, objects, replacement, ways
from judgecall.oracle.candidates import Candidate
from judgecall.oracle.cards import loader
from judgecall.oracle.characteristics import BASIC_LAND_COLORS, COLOR_OF
from judgecall.oracle.faults.gallery import Mend, fault, patch, reread, together, wrap

__all__: list[str] = []

_OTHER_FACES = ("back", "right", "adventure", "flip")


def _identity(wrong: Any) -> Mend:
    return together(reread(), wrap(loader, "_identity", wrong))


@fault("identity-of-the-front-face", "903.4d", "The back face of a card does not count for its color identity.")
def of_the_front_face() -> Mend:
    return _identity(lambda right, raw: right({key: v for key, v in raw.items() if key not in _OTHER_FACES}))


@fault("identity-by-mana-cost", "903.4", "Mana symbols in rules text do not count for a card's color identity.")
def by_mana_cost() -> Mend:
    def without_text(raw: Any) -> Any:
        return {
            key: without_text(value) if key in _OTHER_FACES else value
            for key, value in raw.items()
            if key != "abilities"
        }

    return _identity(lambda right, raw: right(without_text(raw)))


@fault("identity-without-indicators", "903.4", "Color indicators do not count for a card's color identity.")
def without_indicators() -> Mend:
    def without(raw: Any) -> Any:
        if isinstance(raw, Mapping):
            return {key: without(value) for key, value in raw.items() if key != "color_indicator"}
        return raw

    return _identity(lambda right, raw: right(without(raw)))


@fault(
    "identity-from-land-types", "903.4", "Basic land types give a card the color identity of the mana that they make."
)
def from_land_types() -> Mend:
    def wrong(right: Any, raw: Any) -> frozenset[str]:
        found: frozenset[str] = right(raw)
        for face in (raw, *(raw[key] for key in _OTHER_FACES if key in raw)):
            for word in str(face["type"]).partition("—")[2].split():
                if word in BASIC_LAND_COLORS:
                    found |= {COLOR_OF[BASIC_LAND_COLORS[word]]}
        return found

    return _identity(wrong)


@fault("identity-of-half-a-hybrid", "903.4", "A hybrid mana symbol gives a card the first of its two colors only.")
def of_half_a_hybrid() -> Mend:
    def halved(raw: Any) -> Any:
        if isinstance(raw, str):
            return re.sub(r"\{([^{}/]+)/[^{}]+\}", r"{\1}", raw)
        if isinstance(raw, Mapping):
            return {halved(key): halved(value) for key, value in raw.items()}
        return [halved(item) for item in raw] if isinstance(raw, (list, tuple)) else raw

    return _identity(lambda right, raw: right(halved(raw)))


@fault(
    "identity-from-any-color",
    "903.4",
    "An ability that makes mana of any color gives a card every color for its identity.",
)
def from_any_color() -> Mend:
    def mentions(raw: Any) -> bool:
        if isinstance(raw, Mapping):
            return any(mentions(value) for value in raw.values())
        return any(map(mentions, raw)) if isinstance(raw, (list, tuple)) else raw == "any color"

    return _identity(lambda right, raw: frozenset(COLOR_OF.values()) if mentions(raw) else right(raw))


@fault(
    "identity-from-defined-colors-missed",
    "903.4",
    "Colors that an ability of the card defines do not count for its identity.",
)
def defined_colors_missed() -> Mend:
    return together(reread(), patch(loader, "_defined_colors", lambda static: set()))


@fault("deck-land-types-unchecked", "903.5d", "A land with a basic land type fits into any deck.")
def land_types_unchecked() -> Mend:
    return patch(commander, "_land_types_fit", lambda definition, identity: True)


@fault("deck-identity-unchecked", "903.5c", "Cards of any color identity fit into any deck.")
def identity_unchecked() -> Mend:
    def wrong(right: Any, game: Any, commanders: Any, deck: Any) -> bool:
        return bool(right(game, commanders, [replace(definition, identity=frozenset()) for definition in deck]))

    return wrap(commander, "deck_legal", wrong)


@fault("deck-singleton-unchecked", "903.5b", "A deck may have more than one card of a name.")
def singleton_unchecked() -> Mend:
    return patch(commander, "Counter", lambda names: dict.fromkeys(names, 1))


@fault("deck-size-unchecked", "903.5a", "A deck may have any number of cards.")
def size_unchecked() -> Mend:
    class Sized(list[Any]):
        """A deck that says of itself that its size is right."""

        def __init__(self, cards: Any, commanders: int) -> None:
            super().__init__(cards)
            self._commanders = commanders

        def __len__(self) -> int:
            return 100 - self._commanders

    def wrong(right: Any, game: Any, commanders: Any, deck: Any) -> bool:
        return bool(right(game, commanders, Sized(deck, len(commanders))))

    return wrap(commander, "deck_legal", wrong)


@fault("any-card-leads-a-deck", "903.3", "Any card may be a deck's commander.")
def any_card_leads() -> Mend:
    return patch(commander, "_may_command", lambda definition: True)


@fault(
    "back-face-leads-a-deck", "903.3", "A card that is a legendary creature on its back face may be a deck's commander."
)
def back_face_leads() -> Mend:
    def wrong(right: Any, definition: Any) -> bool:
        back = definition.values.faces.get("back")
        fits = back is not None and "Legendary" in back.supertypes and "Creature" in back.types
        return bool(right(definition) or fits)

    return wrap(commander, "_may_command", wrong)


@fault("commander-stays-in-exile", "903.9a", "A commander that was exiled may not go to the command zone.")
def stays_in_exile() -> Mend:
    def wrong(right: Any, game: Any) -> bool:
        exiled = game.exile
        game.exile = ()
        try:
            return bool(right(game))
        finally:
            game.exile = exiled

    return wrap(commander, "return_to_command", wrong)


@fault(
    "commander-returns-to-hand",
    "903.9b",
    "A commander that would go to a hand or library goes there and may not be replaced.",
)
def returns_to_hand() -> Mend:
    return patch(commander, "may_replace", lambda game, event: [event])


@fault(
    "commander-lost-face-down", "903.3", "A face-down commander, or one that is a copy, is no commander while it is so."
)
def lost_face_down() -> Mend:
    def wrong(right: Any, game: Any) -> bool:
        everything = [obj for player in game.players for obj in player.graveyard] + list(game.exile)
        for obj in everything:
            was = obj.was
            if was is not None and (was.face_down is not None or objects.is_copying(game, was)):
                game.write(obj, "flags", MappingProxyType({**obj.flags, "stays": True}))
        return bool(right(game))

    return wrap(commander, "return_to_command", wrong)


@fault("commander-tax-missing", "903.8", "A commander costs no more however often it was cast from the command zone.")
def tax_missing() -> Mend:
    return patch(casting, "_commander_tax", lambda *given: [])


@fault(
    "commander-replaces-dying",
    "903.9a",
    "A commander goes to the command zone instead of dying or being exiled, rather than from there afterward.",
)
def replaces_dying() -> Mend:
    def wrong(right: Any, game: Any, event: Any, found: Any) -> None:
        right(game, event, found)
        obj = event.obj
        leader = obj is not None and obj.card is not None and obj.card.commander
        if event.kind == "move" and leader and event.to in ("graveyard", "exile") and game.format == "commander":

            def apply(current: Any) -> Any:
                return commander.may_replace(game, current)

            found.append(Candidate("commander", obj, 4, apply, ("commander",)))

    return together(wrap(replacement, "_game_rules", wrong), patch(commander, "return_to_command", lambda game: False))


@fault("identity-of-devoid-is-colorless", "702.114a", "A card with devoid is colorless in its color identity too.")
def devoid_is_colorless() -> Mend:
    def wrong(right: Any, raw: Any) -> Any:
        return frozenset() if "devoid" in (raw.get("abilities") or ()) else right(raw)

    return _identity(wrong)


@fault(
    "deck-needs-the-whole-identity",
    "903.5c",
    "A card fits a deck only if it has all colors of its commanders' identity.",
)
def whole_identity() -> Mend:
    def wrong(right: Any, game: Any, commanders: Any, deck: Any) -> bool:
        identity = frozenset(color for card in commanders for color in card.definition.identity)
        return all(identity <= definition.identity for definition in deck) and bool(right(game, commanders, deck))

    return wrap(commander, "deck_legal", wrong)


@fault(
    "commander-tax-from-anywhere",
    "903.8",
    "A commander that was cast from the command zone before costs more from the hand as well.",
)
def tax_from_anywhere() -> Mend:
    return wrap(
        casting,
        "_commander_tax",
        lambda right, game, player, obj, origin, ctx: right(game, player, obj, "command", ctx),
    )


@fault(
    "commander-cast-from-the-graveyard",
    "903.8",
    "A commander may be cast from its owner's graveyard as it may from the command zone.",
)
def cast_from_the_graveyard() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, extra: Any) -> Any:
        lying = obj.zone == "graveyard" and obj.card is not None and obj.card.commander and obj.owner is player
        return lying or right(game, player, obj, extra)

    return wrap(ways, "_from_usual_zone", wrong)
