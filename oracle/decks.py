"""Decks of known cards, dealt out so that over many games every card gets its turn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from judgecall.oracle.beginning import Deck
from judgecall.oracle.cards import loader
from judgecall.oracle.characteristics import COLOR_OF, COLORS
from judgecall.oracle.definitions import CardDefinition

__all__ = ["commander_decks", "decks"]

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
    """The colors of mana without which a card can hardly be cast."""
    found: set[str] = set()
    for face in definition.values.faces.values():
        for symbol in face.mana_cost or ():
            parts = [COLOR_OF[part] for part in symbol.split("/") if part in COLOR_OF]
            if len(parts) == 1 and "/" not in symbol:
                found.add(parts[0])
            elif parts and not found & set(parts):
                found.add(parts[0])
        break
    return frozenset(found) or definition.identity
