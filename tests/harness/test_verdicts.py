"""Verdicts: what each kind of engine comes to, and how it is told."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from judgecall.adapters.engine import Description, Engine, Illegal, View
from judgecall.harness.play import play
from judgecall.harness.runner import Tally, report_text
from judgecall.harness.verdicts import CaseResult, Mismatch, worst
from judgecall.schema.model import Given

from tests.harness.helpers import case_of, verdict
from tests.harness.toys import (
    Broken,
    Crashing,
    Exiting,
    Forgetful,
    Judge,
    Mute,
    Permissive,
    Strict,
    Stuck,
    Toy,
)

COUNTERED = """
given:
  alice: {graveyard: [Think Twice], battlefield: [3 Island]}
  bob: {hand: [Counterspell], battlefield: [2 Island]}
when:
  - {cast: Think Twice, using: flashback}
  - {cast: Counterspell, by: bob, targets: [Think Twice]}
  - {resolve: all}
then:
  Think Twice: {zone: exile}
  alice: {hand: [], graveyard: []}
  bob: {graveyard: [Counterspell]}
"""


@pytest.mark.parametrize(
    ("engine", "found", "message"),
    [
        (Toy, "pass", ""),
        (Strict, "pass", ""),
        (Judge, "pass", ""),
        (Forgetful, "fail", "Think Twice: zone: expected exile, got graveyard; alice: graveyard: "),
        (Permissive, "fail", "Think Twice: zone: expected exile, got graveyard; alice: graveyard: "),
        (Mute, "unsupported", "card: Island"),
        (Crashing, "error", "the engine failed: ZeroDivisionError: no good ("),
        (Exiting, "error", "the engine tried to exit (7)"),
        (Broken, "error", "the engine failed: lost its state"),
        (Stuck, "fail", "alice passes, and nothing comes of it"),
    ],
)
def test_the_verdict_on_an_engine(engine: type[Toy], found: str, message: str) -> None:
    result = verdict(COUNTERED, engine())
    assert result.verdict == found
    assert result.message.startswith(message)
    assert bool(result.message) == (found != "pass")


def test_an_engine_plays_one_case_after_another() -> None:
    engine = Crashing()
    first = verdict(COUNTERED, engine)
    second = verdict("given: {alice: {hand: [Island]}}\nwhen: [{play: Island}]\nthen: {alice: {hand: []}}", engine)
    assert (first.verdict, second.verdict) == ("error", "pass")


def test_a_failure_says_where_and_what() -> None:
    result = verdict(COUNTERED, Forgetful())
    assert result.case == "tests/one::it"
    assert result.title == "A title"
    assert result.step is None
    assert result.steps == (
        "{cast: Think Twice, using: [flashback]}",
        "{cast: Counterspell, by: bob, targets: [Think Twice]}",
        "{resolve: all}",
    )
    assert result.mismatches == (
        Mismatch("Think Twice: zone", "exile", "graveyard"),
        Mismatch("alice: graveyard", "[]", "[Think Twice]"),
    )
    assert result.rules == ("702.34a",)
    assert "  graveyard: Think Twice\n" in result.board
    assert (result.path, result.line) == ("one.yaml", 4)


def test_a_failing_step_says_which() -> None:
    check = COUNTERED.replace("  - {resolve: all}", "  - {check: {stack: []}}\n  - {resolve: all}")
    result = verdict(check, Strict())
    assert (result.verdict, result.step, len(result.steps)) == ("fail", 3, 3)
    assert result.mismatches[0].actual == "[Counterspell, Think Twice]"
    assert result.line == 12
    assert "stack, top first: Counterspell [by bob; targets Think Twice], Think Twice [by alice]" in result.board


def test_a_mistake_is_the_engine_s_where_it_is_broken_on_purpose() -> None:
    body = COUNTERED.replace("{resolve: all}", "{resolve: all, choices: [{may: yes}]}")
    assert verdict(body, Strict()).verdict == "invalid"
    assert play(case_of(body), Strict(), faulted=True).verdict == "fail"


def test_a_report_has_all_that_a_person_needs() -> None:
    report = report_text(verdict(COUNTERED, Forgetful()), "judgecall run it")
    for part in (
        "tests/one::it: fail",
        "A title",
        "one.yaml:4",
        "  1. {cast: Think Twice",
        "Think Twice: zone\n    expected: exile\n    actual:   graveyard",
        "rule: CR 702.34a",
        "turn 1, alice's precombat main; alice has priority",
        "alone: judgecall run it",
    ):
        assert part in report
    check = COUNTERED.replace("  - {resolve: all}", "  - {check: {stack: []}}")
    assert "\n  > 3. {check: 1 expectation}\n" in report_text(verdict(check, Strict()))


def test_a_board_shows_what_tells_objects_apart() -> None:
    body = """
given:
  alice:
    battlefield:
      - 2 Island
      - {card: Island, tapped: yes}
      - {card: Grizzly Bears, as: bear, counters: {"+1/+1": 2}}
      - {card: Shock, attached_to: bear}
      - {card: Exalted Angel, face_down: morph}
      - {token: Treasure}
    mana: "{R}"
  bob: {life: 3}
when: [{concede: bob}]
then: {alice: {life: 1}}
"""
    board = verdict(body, Strict()).board
    assert '2 Island, Island [tapped], Grizzly Bears (bear) [2/2; counters {"+1/+1": 2}], ' in board
    assert "Shock [on Grizzly Bears (bear)], Exalted Angel [face down], Treasure Token [token]" in board
    assert "alice: life 20, mana {R}" in board
    assert "bob: life 3, has lost" in board
    assert "the game is over, winner: alice" in board


def test_nothing_an_engine_does_makes_judging_raise() -> None:
    class Wild(Toy):
        def start(self, given: Given, decide: object) -> None:
            raise self.what

        what: BaseException = ValueError("x")

    for what, found in (
        (ValueError("x"), "error"),
        (Illegal("no"), "error"),
        (RecursionError(), "error"),
        (SystemExit(3), "error"),
    ):
        Wild.what = what
        assert verdict(COUNTERED, Wild()).verdict == found

    class Odd(Toy):
        def view(self) -> View:
            return None  # type: ignore[return-value]

        def describe(self) -> Description:
            raise KeyError("who")

    assert verdict(COUNTERED, Odd()).verdict == "error"
    assert play(case_of(COUNTERED), Odd(), Description("odd", "1")).verdict == "error"


def test_nothing_in_a_case_makes_judging_raise() -> None:
    case = replace(case_of(COUNTERED), then=None)  # type: ignore[arg-type]
    result = play(case, Toy())
    assert result.verdict == "error"
    assert result.message.startswith("judging this case failed: AttributeError")
    assert result.case == "tests/one::it"


def test_an_interrupt_is_not_caught() -> None:
    class Interrupted(Toy):
        def act(self, action: object) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        verdict(COUNTERED, Interrupted())


def test_a_result_survives_the_way_through_json() -> None:
    for engine in (Forgetful(), Mute(), Toy()):
        result = replace(verdict(COUNTERED, engine), seconds=0.25, status="disputed", why="so")
        assert CaseResult.from_json(json.loads(json.dumps(result.to_json()))) == result


def test_empty_fields_are_left_out_of_json() -> None:
    data = verdict(COUNTERED, Toy()).to_json()
    assert set(data) == {"case", "verdict", "title", "path", "line", "seconds"}
    assert data["verdict"] == "pass"


def test_the_worst_verdict_is_a_ruling_s() -> None:
    assert worst(["pass", "unsupported", "error", "fail"]) == "fail"
    assert worst(["pass", "unsupported", "error"]) == "error"
    assert worst(["pass", "unsupported"]) == "unsupported"
    assert worst([]) == "pass"


def test_a_tally_counts_disputed_cases_apart() -> None:
    tally = Tally()
    for found in ("pass", "pass", "fail", "unsupported"):
        tally.add(CaseResult("a::b", found))
    tally.add(CaseResult("a::c", "fail", status="disputed"))
    assert tally.summary() == ("5 cases: 2 passed, 1 failed, 1 unsupported, 1 disputed (not counted); incomplete")
    assert Tally().summary() == "no cases"


@pytest.mark.parametrize(
    ("found", "told"), [("pass", "1 case: 1 passed"), ("unsupported", "1 case: 1 unsupported; incomplete")]
)
def test_a_tally_of_one(found: str, told: str) -> None:
    tally = Tally()
    tally.add(CaseResult("a::b", found))
    assert tally.summary() == told


def test_the_case_is_not_told_to_the_engine() -> None:
    """Expected values never cross: an engine sees the state, actions and questions' answers."""

    class Curious(Strict):
        def start(self, given: Given, decide: object) -> None:
            assert not hasattr(given, "then")
            super().start(given, decide)  # type: ignore[arg-type]

    assert verdict(COUNTERED, Curious()).verdict == "pass"
    assert issubclass(Curious, Engine)
