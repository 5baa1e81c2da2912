"""Commander (CR 903): color identity, deck construction, and a commander's way to the command zone."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from judgecall.oracle import choices, events
from judgecall.oracle.characteristics import BASIC_LAND_COLORS, COLOR_OF
from judgecall.oracle.state import Card, Game, Player

if TYPE_CHECKING:
    from judgecall.oracle.events import Event

__all__ = ["deck_legal", "identity_of", "may_replace", "return_to_command"]


def may_replace(game: Game, event: Event) -> list[Event]:
    """CR 903.9b: a commander that would go to hand or library may go to the command zone instead."""
    obj = event.obj
    assert obj is not None
    game.trace.cite("903.9b")
    if choices.may(game, obj.owner, "put the commander into the command zone", obj):
        return [event.but(to="command", new=None, position=None, rules=(*event.rules, "903.9b"))]
    return [event]


def return_to_command(game: Game) -> bool:
    """CR 903.9a, 704.6d: a commander put into a graveyard or exile since the last check may go to the command zone."""
    done = False
    for player in game.in_game():
        for obj in [*player.graveyard, *(thing for thing in game.exile if thing.owner is player)]:
            if obj.card is None or not obj.card.commander or obj.flags.get("stays") or obj.was is None:
                continue
            game.trace.cite("903.3")  # the card is one, whatever the object was
            if choices.may(game, player, "put the commander into the command zone", obj):
                events.happen(game, [events.move(obj, "command", cause="state-based", rules=("903.9a", "704.6d"))])
                done = True
            else:
                from types import MappingProxyType

                game.write(obj, "flags", MappingProxyType({**obj.flags, "stays": True}))
    return done


def identity_of(game: Game, player: Player) -> frozenset[str]:
    """The combined color identity of a player's commanders (CR 903.4)."""
    found: frozenset[str] = frozenset()
    for card in game.cards.values():
        if card.commander and card.owner is player:
            found |= card.definition.identity
    return found


def deck_legal(game: Game, commanders: list[Card], deck: list[Any]) -> bool:
    """Whether a deck keeps the rules of Commander (CR 903.5): size, singleton, color identity.

    Where the game is not one of Commander, those of constructed decks (CR 100.2a): size, four of a name.

    Args:
        game: the game that it is a deck of; its trace notes the rules that are looked at.
        commanders: the cards in the command zone.
        deck: the definitions of the other cards.
    """
    if game.format != "commander" and not commanders:
        return _constructed(game, deck)
    game.trace.cite("903.5a")
    if not commanders or len(commanders) + len(deck) != 100:
        return False
    game.trace.cite("903.3")
    if not _may_command_together(game, [card.definition for card in commanders]):
        return False
    identity: frozenset[str] = frozenset()
    for card in commanders:
        identity |= card.definition.identity
    counted = Counter(definition.name for definition in [*deck, *(card.definition for card in commanders)])
    for definition in deck:
        game.trace.cite("903.5b")
        if counted[definition.name] > 1 and not _basic(definition) and not _any_number(definition):
            return False
        game.trace.cite("903.5c", "903.4", *(("903.4d",) if definition.values.double_faced else ()))
        if not definition.identity <= identity:
            return False
        if _basic_land_types(definition):
            game.trace.cite("903.5d")
        if not _land_types_fit(definition, identity):
            return False
    return True


def _constructed(game: Game, deck: list[Any]) -> bool:
    """CR 100.2a, 100.5: at least sixty cards, and at most four of a name that is no basic land's."""
    game.trace.cite("100.2a", "100.5")
    counted = Counter(definition.name for definition in deck)
    return len(deck) >= 60 and all(
        counted[definition.name] <= 4 or _basic(definition) or _any_number(definition) for definition in deck
    )


def _basic(definition: Any) -> bool:
    front = definition.front
    return "Basic" in front.supertypes and "Land" in front.types


def _any_number(definition: Any) -> bool:
    """Whether the card says that a deck may have any number of it (CR 100.2a)."""
    return any(
        node.word == "any number in deck"
        for ability in definition.front.abilities
        for part in ability.all_parts
        for node in getattr(part, "effects", ())
    )


def _may_command_together(game: Game, definitions: list[Any]) -> bool:
    """Whether these may be a deck's commanders: one card, or two by a partner ability that they have (CR 702.124)."""
    if len(definitions) == 1:
        return _may_command(definitions[0])
    game.trace.cite("702.124a")
    if len(definitions) > 2:
        return False
    if all(_has(definition, "partner") and _may_command(definition) for definition in definitions):
        return True
    return any(
        _has(one, "choose a background") and _may_command(one) and _legendary_background(other)
        for one, other in (definitions, definitions[::-1])
    )


def _has(definition: Any, keyword: str) -> bool:
    return any(ability.keyword == keyword for ability in definition.front.abilities)


def _legendary_background(definition: Any) -> bool:
    front = definition.front
    return "Background" in front.subtypes and "Legendary" in front.supertypes


def _may_command(definition: Any) -> bool:
    front = definition.front
    return "Legendary" in front.supertypes and (
        "Creature" in front.types or "Vehicle" in front.subtypes or "Spacecraft" in front.subtypes
    )


def _basic_land_types(definition: Any) -> list[str]:
    return [
        subtype
        for face in definition.values.faces.values()
        if "Land" in face.types
        for subtype in face.subtypes
        if subtype in BASIC_LAND_COLORS
    ]


def _land_types_fit(definition: Any, identity: frozenset[str]) -> bool:
    """CR 903.5d: each color of mana that a card could produce by its basic land types is in the identity."""
    return all(COLOR_OF[BASIC_LAND_COLORS[kind]] in identity for kind in _basic_land_types(definition))
