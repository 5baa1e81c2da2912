"""Characteristics (CR 109.3): fixed where printed or copied, computed for an object now."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from judgecall.oracle.definitions import Ability
    from judgecall.oracle.state import Object, Player

__all__ = [
    "BASIC_LAND_COLORS",
    "COLORS",
    "COLOR_OF",
    "Characteristics",
    "CopiableValues",
    "FaceValues",
    "Held",
]

COLORS = ("white", "blue", "black", "red", "green")
COLOR_OF = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}
SYMBOL_OF = {color: symbol for symbol, color in COLOR_OF.items()}
BASIC_LAND_COLORS = {"Plains": "W", "Island": "U", "Swamp": "B", "Mountain": "R", "Forest": "G"}


_SYMBOL = re.compile(r"{([^{}]+)}")
_SYMBOLS = re.compile(r"({[^{}]+})*")


def symbols_of(text: str) -> tuple[str, ...]:
    """``{2}{G/U}`` as ``("2", "G/U")``. Raises ValueError where the text is no run of symbols."""
    if not _SYMBOLS.fullmatch(text):
        raise ValueError(f"not mana symbols: {text!r}")
    return tuple(_SYMBOL.findall(text))


def symbol_value(symbol: str, x: int = 0) -> int:
    """What a symbol adds to a mana value (CR 202.3e–g)."""
    if symbol.isdigit():
        return int(symbol)
    if symbol == "X":
        return x
    if symbol.startswith("2/"):
        return 2
    return 1


def symbol_colors(symbol: str) -> frozenset[str]:
    """The colors of a mana symbol (CR 105.2, 107.4)."""
    return frozenset(COLOR_OF[part] for part in symbol.split("/") if part in COLOR_OF)


@dataclass(frozen=True, slots=True, eq=False)
class FaceValues:
    """The values of one face: what is printed, or what a copy effect gives (CR 707.2)."""

    name: str
    mana_cost: tuple[str, ...] | None = None
    indicator: frozenset[str] = frozenset()
    supertypes: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()
    abilities: tuple[Ability, ...] = ()
    power: int | None = None
    toughness: int | None = None
    loyalty: int | str | None = None
    defense: int | None = None
    colors_set: frozenset[str] | None = None  # a token's colors, or an exception of a copy effect
    mana_value: int | None = None  # where it is not that of the mana cost (CR 202.3b)
    flipped: FaceValues | None = None  # a flip card's other half (CR 710.1)

    @property
    def colors(self) -> frozenset[str]:
        """CR 105.2, 202.2: by mana cost, or by color indicator (CR 204)."""
        if self.colors_set is not None:
            return self.colors_set
        found = set(self.indicator)
        for symbol in self.mana_cost or ():
            found |= symbol_colors(symbol)
        return frozenset(found)


@dataclass(frozen=True, slots=True, eq=False)
class CopiableValues:
    """All faces of a card or a token, by name: ``front``, ``back``, ``left``, ``right``, ``adventure``."""

    layout: str
    faces: Mapping[str, FaceValues]
    whole: FaceValues
    """What the card is where no face is chosen: the front face, or both halves of a split card (CR 709.4)."""

    @property
    def double_faced(self) -> bool:
        """CR 712.1: two faces, back to back."""
        return "back" in self.faces


@dataclass(frozen=True, slots=True)
class Held:
    """An ability that an object has, since when (CR 613.7a), and whether an effect gave it."""

    ability: Ability
    stamp: int
    granted: bool = False
    giver: Object | None = None


@dataclass(slots=True, eq=False)
class Characteristics:
    """The characteristics of an object at one moment, and whose it is. Written by the layers only."""

    obj: Object
    name: str
    mana_cost: tuple[str, ...] | None
    mana_value: int
    colors: frozenset[str]
    supertypes: tuple[str, ...]
    types: tuple[str, ...]
    subtypes: tuple[str, ...]
    abilities: tuple[Held, ...]
    power: int | None
    toughness: int | None
    loyalty: int | str | None
    defense: int | None
    controller: Player
    all_creature_types: bool = False
    forbidden: frozenset[str] = frozenset()  # keywords it cannot have or gain (CR 113.11)
    cant: frozenset[str] = frozenset()  # what it cannot do (CR 101.2)
    must: frozenset[str] = frozenset()  # what it must do if able
    rules: tuple[Any, ...] = ()  # further words about it, each with its surroundings
    values: FaceValues | None = None
    plain: Characteristics | None = None
    """Of what is kept from before any effect: what it is where there is none, with what the rules give it."""
    _keywords: dict[str, list[Any]] | None = field(default=None, repr=False)

    def copy(self) -> Characteristics:
        """An independent copy."""
        return Characteristics(
            self.obj,
            self.name,
            self.mana_cost,
            self.mana_value,
            self.colors,
            self.supertypes,
            self.types,
            self.subtypes,
            self.abilities,
            self.power,
            self.toughness,
            self.loyalty,
            self.defense,
            self.controller,
            self.all_creature_types,
            self.forbidden,
            self.cant,
            self.must,
            self.rules,
            self.values,
        )

    def each(self, kind: type[Any]) -> Iterator[tuple[Any, Held]]:
        """The abilities of a kind, those that keywords stand for included."""
        for held in self.abilities:
            for ability in held.ability.all_parts:
                if isinstance(ability, kind):
                    yield ability, held

    def keywords(self) -> dict[str, list[Any]]:
        """Keyword abilities by name, each with its instances: forestwalk is landwalk, too (CR 702.14a)."""
        if self._keywords is None:
            found: dict[str, list[Any]] = {}
            for held in self.abilities:
                for ability in held.ability.all_parts:
                    if ability.keyword:
                        found.setdefault(ability.keyword, []).append(ability)
            self._keywords = found
        return self._keywords

    def has(self, keyword: str) -> bool:
        """Whether it has a keyword ability of that name, with whatever parameters."""
        return keyword in self.keywords()

    def has_subtype(self, subtype: str) -> bool:
        """Whether it has a subtype (changeling: every creature type, CR 702.73)."""
        return subtype in self.subtypes or (self.all_creature_types and subtype in creature_types())


def creature_types() -> frozenset[str]:
    """The creature types (CR 205.3m)."""
    from judgecall.oracle.subtypes import CREATURE_TYPES

    return CREATURE_TYPES
