"""What happened in games: which cards were cast or played, which keywords and state-based actions were at work."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from judgecall.oracle import decks, keyword_abilities, layers
from judgecall.oracle.definitions import Ability, Activated, AdditionalCost, AlternativeCost, OtherValues, Triggered
from judgecall.oracle.moves import Move
from judgecall.oracle.state import Game, Object

__all__ = ["Tally", "Watcher", "keywords_in_use", "state_based_actions"]

_SBA = re.compile(r'"(704\.[56][a-z])"')


@dataclass(slots=True)
class Tally:
    """Counts by name; two of them add up."""

    cards: Counter[str] = field(default_factory=Counter)
    keywords: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    """How many lines of the traces cite a rule."""

    def add(self, other: Tally) -> None:
        """Count what another tally counted too."""
        self.cards.update(other.cards)
        self.keywords.update(other.keywords)
        self.rules.update(other.rules)


class Watcher:
    """Watches one game move by move (see `playing.play`)."""

    def __init__(self) -> None:
        self.tally = Tally()
        self._lines = 0
        self._spells: set[int] = set()
        self._items: set[int] = set()
        self._permanents: set[tuple[int, str]] = set()

    def __call__(self, game: Game, move: Move) -> None:
        """Look at what a move did."""
        for line in game.trace.lines[self._lines :]:
            self.tally.rules.update(line.rules)
        self._lines = len(game.trace.lines)
        if move.action.verb == "play":
            self.tally.cards[game.cards[move.action.object].definition.name] += 1
        elif move.action.verb in ("suspend", "plot", "foretell"):
            self.tally.keywords[move.action.verb] += 1
        for spell in game.history.get("cast", ()):
            if spell.id not in self._spells:
                self._spells.add(spell.id)
                self._spell(game, spell)
        for item in game.stack:
            if item.kind == "ability" and item.id not in self._items:
                self._items.add(item.id)
                self._ability(game, item)
        for obj in game.battlefield:
            self._passive(game, obj)

    def _spell(self, game: Game, spell: Object) -> None:
        if spell.card is not None:
            self.tally.cards[spell.card.definition.name] += 1
        for word in spell.cast.get("using", ()):
            self.tally.keywords[word] += 1
        ch = layers.of(game, spell)
        for name, held in ch.keywords().items():
            if any(_way_of_working(ability) in ("spell", "passive") for ability in held):
                self.tally.keywords[name] += 1

    def _ability(self, game: Game, item: Object) -> None:
        ability = item.ability
        assert ability is not None
        name = ability.keyword or _keyword_of(ability)
        if name is None and item.source is not None:
            for held in layers.of(game, item.source).abilities:
                if held.ability.keyword and any(part is ability for part in held.ability.all_parts):
                    name = held.ability.keyword
        if name is not None:
            self.tally.keywords[name] += 1

    def _passive(self, game: Game, obj: Object) -> None:
        for name, held in layers.of(game, obj).keywords().items():
            if (obj.id, name) not in self._permanents and any(_way_of_working(a) == "passive" for a in held):
                self._permanents.add((obj.id, name))
                self.tally.keywords[name] += 1


def _way_of_working(ability: Ability) -> str:
    """Whether a keyword is seen at work when a cost is chosen, an ability is on the stack, or by its being there."""
    for part in ability.all_parts:
        if isinstance(part, (AlternativeCost, AdditionalCost, OtherValues)):
            return "cost" if getattr(part, "optional", True) else "spell"
        if isinstance(part, (Activated, Triggered)):
            return "stack"
    return "passive"


@cache
def _owners() -> dict[int, tuple[Ability, str]]:
    found: dict[int, tuple[Ability, str]] = {}
    for definition in decks.pool():
        for face in definition.values.faces.values():
            for ability in face.abilities:
                if ability.keyword:
                    for part in ability.all_parts:
                        found[id(part)] = (part, ability.keyword)
    return found


def _keyword_of(ability: Ability) -> str | None:
    entry = _owners().get(id(ability))
    return entry[1] if entry is not None else None


def keywords_in_use() -> frozenset[str]:
    """The keywords that a known card has printed on it."""
    found = set()
    for definition in decks.pool():
        for face in definition.values.faces.values():
            found |= {ability.keyword for ability in face.abilities if ability.keyword}
    return frozenset(found) & keyword_abilities.known()


def state_based_actions() -> frozenset[str]:
    """The state-based actions that the oracle performs: those that its modules cite."""
    found: set[str] = set()
    for entry in resources.files("judgecall.oracle").iterdir():
        if entry.name.endswith(".py"):
            found.update(_SBA.findall(entry.read_text(encoding="utf-8")))
    return frozenset(found)


def missing(tally: Tally) -> dict[str, list[str]]:
    """What did not happen: known cards, keywords that they have, state-based actions."""

    def never(names: Iterable[str], counted: Counter[str]) -> list[str]:
        return sorted(name for name in names if not counted[name])

    return {
        "cards": never((definition.name for definition in decks.pool()), tally.cards),
        "keywords": never(keywords_in_use(), tally.keywords),
        "state-based actions": never(state_based_actions(), tally.rules),
    }


def wanted(tally: Tally) -> list[str]:
    """The names of the cards that decks can be built around for what is missing to happen."""
    never = missing(tally)
    bearing = [card.name for keyword in never["keywords"] for card in decks.bearing(keyword)]
    return [*dict.fromkeys([*never["cards"], *bearing])]


__all__ += ["missing", "wanted"]
