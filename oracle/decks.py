"""Decks of known cards, dealt out so that over many games every card gets its turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from random import Random
from typing import Any

import yaml
from judgecall.oracle import objects, predefined
from judgecall.oracle.beginning import Deck
from judgecall.oracle.cards import loader
from judgecall.oracle.characteristics import COLOR_OF, COLORS, FaceValues
from judgecall.oracle.definitions import Activated, CardDefinition

__all__ = ["bearing", "commander_deck", "deck", "pool", "start_decks"]

_LAND_OF = {"white": "Plains", "blue": "Island", "black": "Swamp", "red": "Mountain", "green": "Forest"}
_CARDS = 40
_LANDS = 16
_LANDS_AT_MOST = 24
_DEAR = 5
"""From what mana value on a card needs more lands than others."""
_CHEAP = 3
_STRONG = 4
_RARE = 60
"""How many cards have a trait that makes kin of them, at most."""
_KIN = 4
_SHY = 4
"""How many times as often a card comes into a deck that waits for its kind."""


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
    front = _front(definition)
    if front.mana_cost is None:
        return definition.identity
    found: set[str] = set()
    for symbol in sorted(front.mana_cost, key=lambda symbol: "/" in symbol):
        colors = [COLOR_OF[part] for part in symbol.split("/") if part in COLOR_OF]
        if colors and not symbol.startswith("2/") and not found & set(colors):
            found.add(colors[0])
    return frozenset(found)


def _front(definition: CardDefinition) -> FaceValues:
    """The face that is cast first of all: of a split card, the left half."""
    return definition.values.faces.get("front", definition.values.faces.get("left", definition.front))


def start_decks(seed: int, around: str | None = None) -> tuple[Deck, ...]:
    """The decks of game number ``seed``: for two to four players, one game in eight of Commander.

    Consecutive seeds take the known cards in turn as the card that a deck is built around; every fifth a hard one.

    Args:
        seed: the number of the game.
        around: the name of the card that all decks are built around instead.
    """
    random = Random(f"decks {seed}")
    players = random.choice((2, 2, 2, 3, 4))
    if seed % 8 == 7 and around is None:
        return tuple(commander_deck(random) for _ in range(players))
    cards = _rotation()
    hard = _waiting()["hard"]
    if around is not None:
        cards = (_known(around),)
    elif seed % 5 == 4:
        cards = (_known(hard[seed // 5 % len(hard)]),)
    leads = [cards[(seed * 4 + seat) % len(cards)] for seat in range(players)]
    against = _waiting()["against"]
    wanted = next((seat for seat, lead in enumerate(leads) if lead.name in against), None)
    if wanted is not None:
        other = _known(against[leads[wanted].name])
        leads = [lead if seat == wanted else other for seat, lead in enumerate(leads)]
    return tuple(deck(random, lead) for lead in leads)


@cache
def _waiting() -> Mapping[str, Any]:
    """Cards that seldom find what they wait for, and what that is."""
    path = resources.files("judgecall.oracle.cards") / "waiting.yaml"
    found: Mapping[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def _known(name: str) -> CardDefinition:
    definition = loader.load(name)
    assert definition is not None, name
    return definition


@cache
def _rotation() -> tuple[CardDefinition, ...]:
    cards = list(pool())
    Random("rotation").shuffle(cards)
    return tuple(cards)


def deck(random: Random, lead: CardDefinition) -> Deck:
    """Forty cards around one: four of it, some of its kin, others that its colors can cast, and lands.

    The more it costs, the more lands, and the more of the others make mana; others that it speaks of are likely.
    """
    kin = _kin(random, lead)
    colors = set(colors_needed(lead)).union(*(colors_needed(card) for card in kin))
    while len(colors) < 2:
        colors.add(random.choice(COLORS))
    dear = max(0, objects.value_of(_front(lead)) - _DEAR)
    lands = min(_LANDS + dear, _LANDS_AT_MOST)
    spoken = _kinds_spoken_of(lead)

    def place(other: CardDefinition) -> float:
        wanted = _makes_mana(other) if dear else bool(spoken & {*other.front.types})
        return random.random() / (_SHY if wanted else 1)

    fitting = sorted((card for card in pool() if card is not lead and colors_needed(card) <= colors), key=place)
    cards = [lead.name] * 4 + [other.name for other in kin for _ in range(2)]
    for other in fitting:
        if len(cards) >= _CARDS - lands:
            break
        cards.extend([other.name] * min(random.choice((1, 2, 2, 3)), _CARDS - lands - len(cards)))
    return Deck((*cards, *_lands(random, sorted(colors), lands)))


def _kin(random: Random, lead: CardDefinition) -> Sequence[CardDefinition]:
    """Cards that have what a card has or speaks of and few others have: what it does may need them."""
    having = _having()
    words = {*_traits(lead), *_words(loader.document(lead.front.name))}
    groups = [[card for card in having[word] if card is not lead] for word in sorted(words) if word in having]
    rare = sorted((group for group in groups if 0 < len(group) <= _RARE), key=len)
    beside = [_known(name) for name in _waiting()["beside"].get(lead.name, ())]
    found = dict.fromkeys(random.choice(group) for group in rare[:_KIN])
    return [*beside, *beside, *found]


def _kinds_spoken_of(lead: CardDefinition) -> frozenset[str]:
    """Card types that are less common than creatures and lands."""
    words = {*_words(loader.document(lead.front.name))}
    return frozenset(words & {"Artifact", "Enchantment", "Instant", "Planeswalker", "Sorcery"})


def _traits(definition: CardDefinition) -> frozenset[str]:
    """What a card's faces are and have, and what the predefined tokens are that it speaks of."""
    found: set[str] = set()
    for face in definition.values.faces.values():
        found.update(face.supertypes, face.types, face.subtypes)
        found.update(ability.keyword for ability in face.abilities if ability.keyword)
    for word in _words(loader.document(definition.front.name)):
        values = predefined.token(word) if word in predefined.NAMES else None
        if values is not None:
            found.update(values.whole.subtypes)
    return frozenset(found)


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for word, inner in value.items():
            yield str(word)
            yield from _words(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _words(inner)


def bearing(trait: str) -> Sequence[CardDefinition]:
    """The cards that have a keyword, type or supertype, or make a token that has it."""
    return _having().get(trait, ())


@cache
def _having() -> Mapping[str, Sequence[CardDefinition]]:
    """The cards that have a trait, in the order of their names."""
    found: dict[str, list[CardDefinition]] = {}
    for definition in pool():
        for trait in _traits(definition):
            found.setdefault(trait, []).append(definition)
    return found


def _makes_mana(definition: CardDefinition) -> bool:
    front = definition.front
    return objects.value_of(front) <= _CHEAP and any(
        isinstance(part, Activated) and part.mana for ability in front.abilities for part in ability.all_parts
    )


def commander_deck(random: Random) -> Deck:
    """A legal deck for Commander (CR 903.5) around a legendary creature: a hundred cards."""
    leads = [definition for definition in pool() if _leads(definition)]
    lead = random.choice([each for each in leads if _strong(each)] if random.random() < 0.5 else leads)
    fitting = [other for other in pool() if other is not lead and other.identity <= lead.identity]
    random.shuffle(fitting)
    cards = [other.name for other in fitting[:62]]
    colors = sorted(lead.identity) or ["colorless"]
    return Deck((*cards, *_lands(random, colors, 99 - len(cards))), (lead.name,))


def _leads(definition: CardDefinition) -> bool:
    front = definition.front
    return "Legendary" in front.supertypes and "Creature" in front.types


def _strong(definition: CardDefinition) -> bool:
    """Whether a commander may well deal 21 combat damage to somebody (CR 903.10a)."""
    front = definition.front
    return (front.power or 0) >= _STRONG and objects.value_of(front) <= _DEAR


def _lands(random: Random, colors: Sequence[str], n: int) -> list[str]:
    found = [_LAND_OF.get(colors[index % len(colors)], "Wastes") for index in range(n)]
    if loader.load("Wastes") is None:
        found = [name.replace("Wastes", random.choice(sorted(_LAND_OF.values()))) for name in found]
    return found
