"""What a case author is told where an engine refuses: what there is instead, a handful of it, as it is offered."""

from __future__ import annotations

import pytest
from judgecall.adapters.engine import Cast, Option, Question
from judgecall.adapters.oracle import OracleEngine
from judgecall.harness.answers import off_offer
from judgecall.harness.names import Names
from judgecall.harness.play import play
from judgecall.schema.model import Given, PlayerGiven

from tests.harness.helpers import case_of

NOBODY = Names(Given((PlayerGiven("alice"), PlayerGiven("bob"))))
GRAVEYARD = "given: {alice: {graveyard: [Think Twice], battlefield: [%s]}}"
ANGEL = "given: {alice: {battlefield: [%s, {card: Exalted Angel, face_down: morph}]}}"


@pytest.mark.parametrize(
    ("given", "step", "told"),
    [
        (GRAVEYARD % "3 Island", "{cast: Think Twice}", "; possible: cast using flashback"),
        (
            GRAVEYARD % "3 Island, 'Kess, Dissident Mage'",
            "{cast: Think Twice, using: escape}",
            "; possible: cast, cast using flashback",
        ),
        # Two lands do not pay for it: nothing is possible, and nothing is said.
        (GRAVEYARD % "2 Island", "{cast: Think Twice}", "in that way"),
        (ANGEL % "4 Plains", "{turn face up: Exalted Angel, using: disguise}", "; possible: turn face up using morph"),
        (
            "given: {alice: {battlefield: [Forest, Shuko, Memnite]}}",
            "{activate: Shuko, ability: cycling}",
            "; possible: activate ability 1",
        ),
        ("given: {alice: {hand: [Memnite]}}", "{play: Memnite}", "; possible: cast"),
        (
            "given: {alice: {hand: [Giant Growth], battlefield: [2 Forest, Memnite]}}",
            "{cast: Giant Growth, targets: ['Forest#1']}",
            "Forest is no legal target; possible: Memnite",
        ),
    ],
)
def test_the_oracle_tells_what_is_possible_instead(given: str, step: str, told: str) -> None:
    result = play(case_of(f"{given}\nwhen: [{step}]"), OracleEngine())
    assert result.verdict == "fail"
    assert result.message.startswith("alice is refused: ")
    assert result.message.endswith(told)


def test_a_broken_oracle_advises_nothing() -> None:
    engine = OracleEngine()
    engine.use_fault("flashback-resolved-to-graveyard")
    try:
        case = case_of(f"{GRAVEYARD % '3 Island'}\nwhen: [{{cast: Think Twice}}]")
        assert "possible" not in play(case, engine, faulted=True).message
    finally:
        engine.close()


def test_an_answer_that_is_not_on_offer_is_told_with_what_is() -> None:
    case = case_of(
        """
        given:
          alice:
            hand: [Faithless Looting, Firebolt, Swamp, Forest, Divination]
            library: [Island, Plains]
            graveyard: [Hill Giant]
            battlefield: [Mountain]
        when:
          - cast: Faithless Looting
          - resolve: all
            choices: [{pick: [Hill Giant, Island]}]
        """
    )
    result = play(case, OracleEngine())
    assert result.verdict == "fail"
    assert result.message.endswith(
        "; alice was asked pick, and on offer were: Firebolt, Swamp, Forest, Divination, Island, …"
    )


@pytest.mark.parametrize("said", [["a"], "b", ["b", "a"], None, "same", {"a": 2}, Cast("alice", "a")])
def test_an_answer_on_offer_needs_no_word(said: object) -> None:
    question = Question("alice", "pick", "a question", (Option("a", "Forest"), Option("b", "Island")), 0, 2)
    assert off_offer(question, said, NOBODY) == ""


def test_what_is_cast_may_be_off_offer() -> None:
    question = Question("alice", "cast", "cast a spell", (Option("b", "Opt"), Option("a", "Shock")), 0, 1)
    told = off_offer(question, Cast("alice", "c"), NOBODY)
    assert told == "; alice was asked cast, and on offer were: Opt, Shock"
