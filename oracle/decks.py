"""Decks of known cards, dealt out so that over many games every card gets its turn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from judgecall.oracle.beginning import Deck
from judgecall.oracle.cards import loader
from judgecall.oracle.characteristics import COLOR_OF, COLORS
from judgecall.oracle.definitions import CardDefinition

__all__ = ["commander_deck", "deck", "pool", "start_decks"]

_LAND_OF = {"white": "Plains", "blue": "Island", "black": "Swamp", "red": "Mountain", "green": "Forest"}
_SPELLS = 24
_LANDS = 16


@cache
def pool() -> tuple[CardDefinition, ...]:
    """Every card that is defined, save the basic lands, in the order of their names."""
    found = []
    for name in loader.names():
        definition = loader.load(name)
        if definition is not None and not _basic(definition):
            found.append(definition)
    return tuple(found)


def _basic(definition: CardDefinition) -> bool:
    return "Basic" in definition.front.supertypes


def colors_needed(definition: CardDefinition) -> frozenset[str]:
    """The colors of mana without which a card can hardly be cast; of a land, those of its identity."""
    front = definition.values.faces.get("front", definition.values.faces.get("left", definition.front))
    if front.mana_cost is None:
        return definition.identity
    found: set[str] = set()
    for symbol in sorted(front.mana_cost, key=lambda symbol: "/" in symbol):
        colors = [COLOR_OF[part] for part in symbol.split("/") if part in COLOR_OF]
        if colors and not symbol.startswith("2/") and not found & set(colors):
            found.add(colors[0])
    return frozenset(found)


def start_decks(seed: int) -> tuple[Deck, ...]:
    """The decks of game number ``seed``: for two to four players, one game in eight of Commander.

    Consecutive seeds take the known cards in turn as the card that a deck is built around.
    """
    random = Random(f"decks {seed}")
    players = random.choice((2, 2, 2, 3, 4))
    if seed % 8 == 7:
        return tuple(commander_deck(random) for _ in range(players))
    cards = _rotation()
    return tuple(deck(random, cards[(seed * 4 + seat) % len(cards)]) for seat in range(players))


@cache
def _rotation() -> tuple[CardDefinition, ...]:
    cards = list(pool())
    Random("rotation").shuffle(cards)
    return tuple(cards)


def deck(random: Random, lead: CardDefinition) -> Deck:
    """Forty cards around one: four of it, one to three each of others that its colors can cast, and lands."""
    colors = set(colors_needed(lead))
    while len(colors) < 2:
        colors.add(random.choice(COLORS))
    fitting = [other for other in pool() if other is not lead and colors_needed(other) <= colors]
    random.shuffle(fitting)
    cards = [lead.name] * 4
    for other in fitting:
        if len(cards) >= _SPELLS:
            break
        cards.extend([other.name] * min(random.choice((1, 2, 2, 3)), _SPELLS - len(cards)))
    return Deck((*cards, *_lands(random, sorted(colors), _LANDS)))


def commander_deck(random: Random) -> Deck:
    """A legal deck for Commander (CR 903.5) around a legendary creature: a hundred cards."""
    lead = random.choice([definition for definition in pool() if _leads(definition)])
    fitting = [other for other in pool() if other is not lead and other.identity <= lead.identity]
    random.shuffle(fitting)
    cards = [other.name for other in fitting[:62]]
    colors = sorted(lead.identity) or ["colorless"]
    return Deck((*cards, *_lands(random, colors, 99 - len(cards))), (lead.name,))


def _leads(definition: CardDefinition) -> bool:
    front = definition.front
    return "Legendary" in front.supertypes and "Creature" in front.types


def _lands(random: Random, colors: Sequence[str], n: int) -> list[str]:
    found = [_LAND_OF.get(colors[index % len(colors)], "Wastes") for index in range(n)]
    if loader.load("Wastes") is None:
        found = [name.replace("Wastes", random.choice(sorted(_LAND_OF.values()))) for name in found]
    return found
