"""Could this be done now? The real procedure, tried and undone (CR 601.3, 732.1); no second set of rules.

Decisions that the question leaves open are searched: a trial runs with a script of choices, and each further trial
changes the last choice that has another option. Hitting the limit is *unknown*, never *illegal*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any

from judgecall.oracle.agents import Question, Refused
from judgecall.oracle.reasons import reasons
from judgecall.oracle.state import Game, Object
from judgecall.oracle.targets import NoTargets

__all__ = ["Verdict", "only_x", "search"]

_LIMIT = 400
_VALUES = 13
Interfering = Callable[[Question, Callable[[Question], Any]], Any]
_STAGES = ("permission", "announce", "targets", "costs")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether it is legal; if not, the last stage that failed and its rule; ``known`` False: the search gave up.

    ``also``: other rules that refuse it.
    """

    legal: bool
    rule: str | None = None
    stage: str | None = None
    message: str = ""
    known: bool = True
    also: tuple[str, ...] = ()


class _Script:
    """An agent that answers from a script of places among the possible answers, and extends it with first places."""

    def __init__(self, places: list[int], interfering: Interfering | None) -> None:
        self.places = places
        self.sizes: list[int] = []
        self.at = 0
        self.interfering = interfering

    def decide(self, question: Question) -> Any:
        return self.interfering(question, self.next) if self.interfering is not None else self.next(question)

    def next(self, question: Question) -> Any:
        answers = possible_answers(question)
        if not answers:
            raise Refused("no answer is possible", "608.2d")
        if self.at == len(self.places):
            self.places.append(0)
        place = min(self.places[self.at], len(answers) - 1)
        self.sizes.append(len(answers))
        self.at += 1
        return answers[place]


def possible_answers(question: Question) -> list[Any]:
    """Answers worth trying, most likely first; interchangeable ones once."""
    kind = question.kind
    if kind in ("may", "pay"):
        return list(question.options) or [True, False]
    if kind in ("pick", "targets", "modes"):
        options = _distinct(question.options) if question.maximum <= 1 else list(question.options)
        found: list[Any] = []
        for n in range(question.minimum, min(question.maximum, len(options)) + 1):
            found.extend(list(item) for item in islice(combinations(options, n), 40))
            if len(found) > 80:
                break
        return found
    if kind in ("x", "number", "roll"):
        low, high = question.minimum, question.maximum
        if kind == "roll":
            return list(question.options)
        return list(range(low, min(high, low + 12) + 1))
    if kind == "order":
        return [list(question.options)]
    if kind in ("color", "coin", "mana"):
        return list(question.options)
    if kind == "type":
        return list(question.options[:1])
    if kind == "name":
        return ["Forest"]
    if kind in ("scry", "surveil"):
        return [{"top": list(question.options)}]
    if kind == "divide":
        return _divisions(question)
    if kind == "replacement":
        return list(question.options)
    if kind == "cast":
        return [None]
    if kind in ("attackers", "blockers"):
        return [{}]
    return []


def _divisions(question: Question) -> list[Any]:
    total, n = question.maximum, len(question.options)
    if n == 0 or total < n:
        return []
    return [{thing: (1 if index else total - n + 1) for index, thing in enumerate(question.options)}]


def _distinct(options: tuple[Any, ...]) -> list[Any]:
    """One of each kind of interchangeable cards: lands in hand, cards of the same name in one zone."""
    seen: set[Any] = set()
    found = []
    for thing in options:
        key: Any = id(thing)
        if isinstance(thing, Object) and thing.card is not None and thing.zone in ("hand", "graveyard", "library"):
            key = (thing.card.definition.name, thing.zone, thing.owner.name, thing.card.commander)
        if key not in seen:
            seen.add(key)
            found.append(thing)
    return found


def search(game: Game, attempt: Callable[[], Any], decide: Interfering | None = None) -> Verdict:
    """Try an action with whatever choices make it legal; nothing of it remains.

    Args:
        attempt: does the action on the game; raises `Refused` where it is not legal.
        decide: answers questions that are not to be searched, and hands on the others.
    """
    places: list[int] = []
    worst: Refused | None = None
    agent = game.agent
    for _ in range(_LIMIT):
        script = _Script(places, decide)
        game.agent = script
        try:
            with game.trial():
                attempt()
            return Verdict(True)
        except Refused as error:
            if worst is None or _place(error) > _place(worst):
                worst = error
        except NoTargets:
            short = Refused("there are not enough legal targets", "601.2c", "targets")
            if worst is None or _place(short) > _place(worst):
                worst = short
        finally:
            game.agent = agent
        places = script.places[: script.at]
        while places and places[-1] + 1 >= script.sizes[len(places) - 1]:
            places.pop()
        if not places:
            assert worst is not None
            rule, *also = reasons(worst)
            return Verdict(False, rule, worst.stage, str(worst), also=tuple(also))
        places[-1] += 1
    return Verdict(False, worst.rule if worst else None, worst.stage if worst else None, "unknown", known=False)


def only_x(game: Game, attempt: Callable[[], Any]) -> int | None:
    """The value of X without which an action is not legal; None if there is no X, no such value, or several."""
    found: list[int] = []
    for value in range(_VALUES):
        asked = False

        def decide(question: Question, others: Callable[[Question], Any], value: int = value) -> Any:
            nonlocal asked
            if question.kind != "x":
                return others(question)
            asked = True
            return value

        if search(game, attempt, decide).legal and asked:
            found.append(value)
        if not asked or len(found) > 1:
            return None
    return found[0] if found else None


def _place(error: Refused) -> int:
    return _STAGES.index(error.stage) if error.stage in _STAGES else -1
