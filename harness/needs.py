"""What a case needs an engine to know, in the words with which an engine says ``unsupported``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from judgecall.adapters.features import state_features
from judgecall.schema.model import ZONES, Answer, Case, Expectations, Given, Step

__all__ = ["Need", "needs"]

Need = tuple[str, str]
"""Kind and name, as in `Unsupported`."""

_ALWAYS = frozenset({"zone", "owner", "name"})
"""What a view of an object cannot do without."""

_ZONE_FACTS = frozenset({*ZONES, *(f"{zone}_size" for zone in ZONES), "count"})

_ACTIONS = frozenset({"cast", "activate", "play", "turn face up", "attack", "block", "concede"})


def needs(case: Case) -> frozenset[Need]:
    """Give cards, tokens, features of the state, actions, questions and properties that a case has to do with.

    Cards that only come up while it is played (what an effect creates or names) are not among them.
    """
    return frozenset(
        (
            *_of_state(case.given),
            *_of_steps(case.when),
            *_of_expectations(case.then),
        )
    )


def _of_state(given: Given) -> Iterator[Need]:
    for feature in state_features(given) - {"token_name"}:
        yield "state", feature
    for player in given.players:
        for zone in (*ZONES, "deck"):
            for each in getattr(player, zone):
                if each.token_name is not None:
                    yield "token", each.token_name
                else:
                    yield "card", each.card
                if each.copy_of is not None:
                    yield "card", each.copy_of


def _of_steps(steps: Iterable[Step]) -> Iterator[Need]:
    for step in steps:
        if step.expect is not None:
            yield from _of_expectations(step.expect)
        else:
            yield from _of_step(step)


def _of_step(step: Step) -> Iterator[Need]:
    yield "action", step.verb if step.verb in _ACTIONS else "pass"
    yield from _of_arguments(step.args)
    for answer in step.choices:
        yield from _of_answer(answer)


def _of_answer(answer: Answer) -> Iterator[Need]:
    yield "question", answer.kind
    yield from _of_arguments(answer.args)


def _of_arguments(arguments: Mapping[str, Any]) -> Iterator[Need]:
    using = arguments.get("using") or ()
    for way in using if isinstance(using, tuple) else (using,):
        for word in way if isinstance(way, Mapping) else (way,):
            if isinstance(word, str) and word[:1].islower():
                yield "action", f"using {word}"
    if arguments.get("face"):
        yield "action", f"face {arguments['face']}"
    if arguments.get("kicked"):
        yield "action", "kicked"


def _of_expectations(expect: Expectations) -> Iterator[Need]:
    for each in expect.subjects:
        for key in each.facts:
            if each.kind == "object" and key not in _ALWAYS:
                yield "property", "keywords" if key in ("has", "lacks") else key
            elif each.kind == "game" or (each.kind == "player" and key not in _ZONE_FACTS):
                yield "property", key
    for probe in expect.probes:
        yield from _of_step(probe.step)
