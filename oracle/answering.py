"""Answers at random: an agent that plays by the rules and by nothing else, and its answers as plain data.

Which answers a question allows is for who asks to say; what is drawn here is of the right form and likely legal. An
answer is kept by the places of what it names among the options, so that it means the same when a game is replayed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from judgecall.oracle import blocking, layers, objects
from judgecall.oracle.agents import Agent, Question, Refused
from judgecall.oracle.state import Game, Object, Player
from judgecall.oracle.ways import Request

__all__ = ["Encoded", "RandomAgent", "Recorder", "Replayer", "decode", "encode"]

Encoded = Any
"""An answer as JSON has it: numbers, words, lists and pairs; places among the options stand for what is there."""

_NUMBER_SHOWN = 8
_BLOCKS_TRIED = 20
_PLACED = frozenset({"pick", "targets", "order"})


class RandomAgent:
    """Answers every kind of question at random.

    Args:
        game: what is played, for what the options alone do not say.
        random: where all chance comes from.
        bold: how likely an option is taken.
    """

    def __init__(self, game: Game, random: Random, bold: float = 0.7) -> None:
        self._game = game
        self._random = random
        self._bold = bold

    def decide(self, question: Question) -> Any:
        """An answer."""
        answer = _ANSWERS.get(question.kind)
        if answer is None:
            raise NotImplementedError(f"a question of the kind {question.kind!r}")
        with self._game.trial():  # to look at the game leaves no mark on it
            return answer(self._random, question, self)

    # -- by kind ---------------------------------------------------------------------------------------------

    def _may(self, question: Question) -> bool:
        if question.options:
            return bool(question.options[0])
        if question.prompt == "take a mulligan":
            return self._random.random() < 0.1
        return self.would()

    def would(self) -> bool:
        """Whether an option is taken this time."""
        return self._random.random() < self._bold

    def _cast(self, question: Question) -> Any:
        if not question.options or (question.minimum == 0 and self._random.random() > self._bold):
            return None
        card = self._random.choice(question.options)
        return card, Request(face=self._random.choice(_castable_faces(card)))

    def _attackers(self, question: Question) -> dict[Object, Any]:
        defenders = (question.details or {})["defenders"]
        if not question.options:
            return {}
        if self._random.random() < 0.1:
            return {}
        keen = self._random.choice((0.3, 0.6, 0.9, 1.0))
        found = {}
        for creature in question.options:
            ch = layers.of(self._game, creature)
            bound = "attack" in ch.must or any(rule[0] in ("goaded", "must attack player") for rule in ch.rules)
            if bound or self._random.random() < keen:
                found[creature] = self._random.choice(defenders)
        return found

    def _blockers(self, question: Question) -> dict[Object, Any]:
        """Blocks at random that are legal together, found by trying; none where that takes too long."""
        attacking = (question.details or {})["attackers"]
        if not question.options:
            return {}
        player = question.player
        possible = {
            creature: [other for other in attacking if blocking.can_block(self._game, creature, other) is None]
            for creature in question.options
        }
        for _ in range(_BLOCKS_TRIED):
            keen = self._random.choice((0.0, 0.3, 0.7, 1.0))
            together = self._random.random() < 0.4
            goal = self._random.choice(attacking)
            found: dict[Object, tuple[Object, ...]] = {}
            for creature, able in possible.items():
                if able and self._random.random() < keen:
                    found[creature] = (goal if together and goal in able else self._random.choice(able),)
            try:
                blocking.check(self._game, player, found, list(question.options), list(attacking))
            except Refused:
                continue
            return found
        return {}

    def _divide(self, question: Question) -> dict[Any, int]:
        total, things = question.maximum, question.options
        if (most := (question.details or {}).get("most")) is not None:
            pieces = [thing for thing, n in zip(things, most, strict=True) for _ in range(n)]
            return Counter(self._random.sample(pieces, total))
        damage = question.prompt == "assign combat damage"
        if damage and self._random.random() < 0.5:
            return {self._random.choice(things[:-1] or things): total}
        shares = [0 if damage else 1] * len(things)
        for _ in range(total - sum(shares)):
            shares[self._random.randrange(len(things))] += 1
        return {thing: n for thing, n in zip(things, shares, strict=True) if n or not damage}


def _castable_faces(card: Object) -> Sequence[str | None]:
    layout = objects.base_values(card).layout
    return {"split": ("left", "right"), "adventure": ("front", "adventure"), "modal": ("front", "back")}.get(
        layout, (None,)
    )


def _pick(random: Random, question: Question, agent: RandomAgent) -> list[Any]:
    most = min(question.maximum, len(question.options))
    least = min(question.minimum, most)
    if question.ordered and not agent.would():  # of targets that hang on each other the fewest fit best
        return random.sample(question.options, least)
    return random.sample(question.options, random.randint(least, most))


def _modes(random: Random, question: Question, agent: RandomAgent) -> list[Any]:
    if question.minimum > len(question.options):
        return random.choices(question.options, k=question.minimum)  # the same mode may be chosen again
    return _pick(random, question, agent)


def _number(random: Random, question: Question, agent: RandomAgent) -> int:
    del agent
    if random.random() < 0.1:
        return random.randint(question.minimum, question.maximum)
    return random.randint(question.minimum, min(question.maximum, question.minimum + _NUMBER_SHOWN))


def _order(random: Random, question: Question, agent: RandomAgent) -> list[Any]:
    del agent
    return random.sample(question.options, len(question.options))


def _one(random: Random, question: Question, agent: RandomAgent) -> Any:
    del agent
    return random.choice(question.options)


def _name(random: Random, question: Question, agent: RandomAgent) -> str:
    cards = sorted({card.definition.front.name for card in agent._game.cards.values()})
    return str(random.choice(question.options or cards))


def _apart(away: str) -> Callable[[Random, Question, RandomAgent], dict[str, list[Any]]]:
    def answer(random: Random, question: Question, agent: RandomAgent) -> dict[str, list[Any]]:
        del agent
        mixed = random.sample(question.options, len(question.options))
        cut = random.randint(0, len(mixed))
        return {"top": mixed[:cut], away: mixed[cut:]}

    return answer


_Answer = Callable[[Random, Question, RandomAgent], Any]
_ANSWERS: Mapping[str, _Answer] = {
    "may": lambda _, question, agent: agent._may(question),
    "pay": lambda _, question, agent: agent._may(question),
    "pick": _pick,
    "targets": _pick,
    "modes": _modes,
    "x": _number,
    "number": _number,
    "order": _order,
    "color": _one,
    "mana": _one,
    "coin": _one,
    "roll": _one,
    "type": _one,
    "replacement": _one,
    "name": _name,
    "scry": _apart("bottom"),
    "surveil": _apart("graveyard"),
    "divide": lambda _, question, agent: agent._divide(question),
    "attackers": lambda _, question, agent: agent._attackers(question),
    "blockers": lambda _, question, agent: agent._blockers(question),
    "cast": lambda _, question, agent: agent._cast(question),
}


# -- answers as data -----------------------------------------------------------------------------------------


def _place(things: Sequence[Any], thing: Any) -> int:
    for index, other in enumerate(things):
        if other is thing or (not isinstance(other, (Object, Player)) and other == thing):
            return index
    raise ValueError(f"{thing!r} is not among the options")


def encode(question: Question, answer: Any) -> Encoded:
    """An answer as data: what is among the options by its place there.

    Raises:
        ValueError: it names something that is not on offer.
    """
    kind, options = question.kind, question.options
    details = question.details or {}
    if kind in _PLACED and isinstance(answer, (list, tuple)):
        return [_place(options, thing) for thing in answer]
    if kind == "replacement":
        return _place(options, answer)
    if kind in ("scry", "surveil"):
        return {where: [_place(options, thing) for thing in things] for where, things in sorted(answer.items())}
    if kind == "divide":
        return [[_place(options, thing), n] for thing, n in answer.items()]
    if kind == "attackers":
        return [[_place(options, thing), _place(details["defenders"], what)] for thing, what in answer.items()]
    if kind == "blockers":
        return [
            [_place(options, thing), [_place(details["attackers"], other) for other in what]]
            for thing, what in answer.items()
        ]
    if kind == "cast" and answer is not None:
        return [_place(options, answer[0]), answer[1].face]
    return answer


def decode(question: Question, data: Encoded) -> Any:
    """The answer that data stand for.

    Raises:
        LookupError: it names a place where nothing is.
    """
    kind, options = question.kind, question.options
    details = question.details or {}
    if kind in _PLACED and isinstance(data, list):
        return [options[index] for index in data]
    if kind == "replacement":
        return options[data]
    if kind in ("scry", "surveil"):
        return {where: [options[index] for index in places] for where, places in data.items()}
    if kind == "divide":
        return {options[index]: n for index, n in data}
    if kind == "attackers":
        return {options[index]: details["defenders"][place] for index, place in data}
    if kind == "blockers":
        return {options[index]: tuple(details["attackers"][place] for place in places) for index, places in data}
    if kind == "cast" and data is not None:
        return options[data[0]], Request(face=data[1])
    return data


class Recorder:
    """Hands questions on and keeps the answers, as data."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.kept: list[tuple[str, Encoded]] = []

    def decide(self, question: Question) -> Any:
        """The answer of the agent behind."""
        answer = self._agent.decide(question)
        self.kept.append((question.kind, encode(question, answer)))
        return answer


class Replayer:
    """Answers with what was kept, in order.

    Args:
        kept: kinds of question and answers.
        otherwise: who answers a question that was not asked then; without one it is refused.
    """

    def __init__(self, kept: Sequence[tuple[str, Encoded]], otherwise: Agent | None = None) -> None:
        self._kept = list(kept)
        self._otherwise = otherwise
        self.strayed = False

    def decide(self, question: Question) -> Any:
        """The answer that was given then."""
        if self._kept and self._kept[0][0] == question.kind:
            _, data = self._kept.pop(0)
            try:
                return decode(question, data)
            except (LookupError, TypeError):
                pass
        self.strayed = True
        if self._otherwise is None:
            raise Refused(f"no answer was kept for: {question.prompt}", "608.2d")
        return self._otherwise.decide(question)
