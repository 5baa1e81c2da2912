"""``legal`` and ``illegal``, for engines that can tell and for those that must be tried."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from judgecall.adapters.engine import Action, Engine, Json, Legality, Option, Question, Unsupported
from judgecall.harness.probes import rules_match

from tests.harness.helpers import verdict
from tests.harness.toys import Judge, Permissive, Strict, Toy

GIVEN = """
given:
  alice:
    hand: [Think Twice, Divination, Island, Unsummon]
    graveyard: [{card: Think Twice, as: old}]
    battlefield: [Grizzly Bears, {card: Hill Giant, tapped: yes}, {card: Herald, face_down: morph}]
  bob: {hand: [Shock], battlefield: [Clone]}
"""

LEGAL = [
    "{cast: Divination}",
    "{cast: old, using: flashback}",
    "{cast: Unsummon}",
    "{cast: Unsummon, targets: [Clone]}",
    "{cast: Shock, by: bob, targets: [alice]}",
    "{play: Island}",
    "{activate: Grizzly Bears}",
    "{turn face up: Herald}",
    "{attack: [Grizzly Bears]}",
    "{attack: {Grizzly Bears: bob}}",
    "{pass: alice}",
    "{pass: bob}",
    "{concede: bob}",
]
ILLEGAL = [
    "{cast: old}",
    "{cast: Divination, using: flashback}",
    "{cast: Island}",
    "{cast: Shock, targets: [bob]}",
    "{cast: Divination, by: bob}",
    "{play: Divination}",
    "{activate: Hill Giant}",
    "{turn face up: Grizzly Bears}",
    "{attack: [Hill Giant]}",
    "{attack: [Grizzly Bears, Hill Giant]}",
]


@pytest.mark.parametrize("engine", [Strict, Judge])
@pytest.mark.parametrize("probe", LEGAL)
def test_what_can_be_done_is_legal(probe: str, engine: type[Engine]) -> None:
    result = verdict(GIVEN + f"then: {{legal: [{probe}]}}", engine())
    assert result.verdict == "pass", result.message
    result = verdict(GIVEN + f"then: {{illegal: [{probe}]}}", engine())
    assert result.verdict == "fail"
    assert result.mismatches[0].actual == "taken"


@pytest.mark.parametrize("engine", [Strict, Judge])
@pytest.mark.parametrize("probe", ILLEGAL)
def test_what_is_refused_is_illegal(probe: str, engine: type[Engine]) -> None:
    result = verdict(GIVEN + f"then: {{illegal: [{probe}]}}", engine())
    assert result.verdict == "pass", result.message
    result = verdict(GIVEN + f"then: {{legal: [{probe}]}}", engine())
    assert result.verdict == "fail"
    assert result.mismatches[0].actual.startswith("refused: ")


@pytest.mark.parametrize("engine", [Strict, Judge])
def test_asking_changes_nothing(engine: type[Toy]) -> None:
    probes = f"legal: [{', '.join(LEGAL)}], illegal: [{', '.join(ILLEGAL)}]"
    steps = """
when:
  - {activate: Grizzly Bears}
  - {resolve: all}
  - check:
      legal: [{cast: Divination}, {cast: Shock, by: bob, targets: [alice]}]
      illegal: [{activate: Grizzly Bears}]
  - {check: {game: {priority: alice, step: precombat main}, stack: []}}
  - {cast: Divination}
then: {stack: [Divination], alice: {hand: [Think Twice, Island, Unsummon]}, game: {priority: alice}}
"""
    result = verdict(GIVEN + steps, engine())
    assert result.verdict == "pass", result.message
    check = GIVEN + f"when: [{{check: {{{probes}}}}}, {{attack: [Grizzly Bears]}}]\nthen: {{game: {{turn: 1}}}}"
    assert verdict(check, engine()).verdict == "pass"


def test_a_refused_trial_costs_no_second_run() -> None:
    toy = Strict()
    assert verdict(GIVEN + "then: {illegal: [{cast: old}, {play: Divination}]}", toy).verdict == "pass"
    assert toy.starts == 1
    assert verdict(GIVEN + "then: {legal: [{cast: Divination}, {play: Island}]}", toy).verdict == "pass"
    # One more than the first: after the second nothing is asked any more.
    assert toy.starts == 3


def test_an_action_that_is_taken_and_must_not_be_fails() -> None:
    result = verdict(GIVEN + 'then: {illegal: [{cast: Divination, by: bob, because: "307.1"}]}', Permissive())
    assert result.verdict == "fail"
    (mismatch,) = result.mismatches
    assert mismatch.subject == "illegal: {cast: Divination, by: bob}"
    assert (mismatch.expected, mismatch.actual) == ("refused (CR 307.1)", "taken")
    # The board is the one that was asked about, not that of the trial.
    assert "alice has priority" in result.board
    assert "stack" not in result.board


@pytest.mark.parametrize(
    ("probe", "found"),
    [
        ('{cast: Divination, by: bob, because: "601.3"}', "pass"),
        ('{cast: Divination, by: bob, because: "601.3e"}', "pass"),
        ('{cast: Divination, by: bob, because: "601"}', "pass"),
        ('{cast: Divination, by: bob, because: "601.2"}', "fail"),
        ('{cast: Divination, by: bob, because: "702.34a"}', "fail"),
        ("{cast: Divination, by: bob, at: permission}", "pass"),
        ("{cast: Divination, by: bob, at: costs}", "fail"),
        ('{cast: Unsummon, targets: [bob], because: "115.1", at: targets}', "fail"),
    ],
)
def test_an_engine_that_gives_reasons_is_held_to_them(probe: str, found: str) -> None:
    body = GIVEN + f"then: {{illegal: [{probe}]}}"
    if "Unsummon" not in probe:
        assert verdict(body, Judge()).verdict == found
        assert verdict(body, Strict()).verdict == "pass"
    else:
        assert verdict(body, Judge()).mismatches[0].actual == "taken"


def test_reasons_that_differ_are_told() -> None:
    body = GIVEN + 'then: {illegal: [{cast: old, because: "702.34a", at: costs}]}'
    result = verdict(body, Judge())
    assert [(m.subject, m.expected, m.actual) for m in result.mismatches] == [
        ("illegal: {cast: old}: because", "702.34a", "601.3"),
        ("illegal: {cast: old}: at", "costs", "permission"),
    ]


def test_a_pass_that_must_not_be_makes_an_action_illegal() -> None:
    steps = "when: [{cast: Think Twice#1}, {pass: alice}]\n"
    for engine in (Strict, Judge):
        assert verdict(GIVEN + steps + "then: {illegal: [{cast: Unsummon, by: alice}]}", engine()).verdict == "pass"
        assert verdict(GIVEN + steps + "then: {legal: [{cast: Unsummon, by: alice}]}", engine()).verdict == "fail"


def test_nothing_is_legal_after_the_game() -> None:
    body = GIVEN + "when: [{concede: bob}]\nthen: {%s: [{cast: Divination}, {attack: [Grizzly Bears]}]}"
    assert verdict(body % "illegal", Strict()).verdict == "pass"
    assert verdict(body % "legal", Strict()).verdict == "fail"


def test_an_attack_waits_for_the_stack() -> None:
    body = GIVEN + "when: [{cast: Think Twice#1}]\nthen: {%s: [{attack: [Grizzly Bears]}]}"
    assert verdict(body % "illegal", Strict()).verdict == "pass"


@pytest.mark.parametrize("engine", [Strict, Judge])
def test_blocks_are_asked_about(engine: type[Engine]) -> None:
    steps = "when: [{attack: [Grizzly Bears]}]\nthen: {%s: [{block: {%s: Grizzly Bears}}]}"
    body = GIVEN.replace("battlefield: [Clone]", "battlefield: [Clone, {card: Island, tapped: yes, as: wall}]")
    assert verdict(body + steps % ("legal", "Clone"), engine()).verdict == "pass"
    assert verdict(body + steps % ("illegal", "wall"), engine()).verdict == "pass"
    assert verdict(body + steps % ("illegal", "Clone"), engine()).verdict == "fail"


def test_what_is_gone_can_do_nothing() -> None:
    body = """
given: {alice: {hand: [Raise Spirits, Unsummon]}}
when:
  - {cast: Raise Spirits}
  - {resolve: all}
  - {cast: Unsummon, targets: [Spirit Token#1]}
  - {resolve: all}
then: {illegal: [{activate: Spirit Token#1}]}
"""
    assert verdict(body, Strict()).verdict == "pass"


def test_attacks_that_cannot_be_declared_are_illegal() -> None:
    body = """
given: {alice: {hand: [Raise Spirits, Unsummon]}, bob: {battlefield: [Hill Giant]}}
when:
  - {cast: Raise Spirits}
  - {resolve: all}
  - {cast: Unsummon, targets: [Spirit Token#1]}
  - {resolve: all}
then: {illegal: [{attack: [Spirit Token#1]}, {attack: [Hill Giant], by: bob, because: "508.1"}]}
"""
    for engine in (Strict, Judge):
        assert verdict(body, engine()).verdict == "pass"


def test_an_engine_may_ask_while_it_is_asked() -> None:
    class Asking(Judge):
        def legality(self, action: Action, declare: Mapping[str, Json] | None = None) -> Legality | None:
            answer = self.decide(Question("alice", "pick", "", (Option("a"), Option("b")), 1, 1))
            return Legality(answer == ["a"])

    assert verdict(GIVEN + "then: {legal: [{cast: Divination}]}", Asking()).verdict == "pass"


def test_a_name_in_a_probe_that_means_nothing_is_a_mistake() -> None:
    result = verdict(GIVEN + "then: {illegal: [{cast: Giant Growth}]}", Strict())
    assert (result.verdict, result.message) == (
        "invalid",
        "{cast: Giant Growth}: no object goes by Giant Growth",
    )


class Picky(Strict):
    """Accepts only the third target and the second mode of a spell, and asks for both."""

    def _cast(self, action: Any) -> None:
        from judgecall.adapters.engine import Illegal

        target = self._ask(Question("alice", "targets", "", tuple(map(Option, "abc")), 1, 1))
        mode = self._ask(Question("alice", "modes", "", (Option(1), Option(2)), 1, 1))
        if self._ask(Question("alice", "may", "")) or (target, mode) != (["c"], [2]):
            raise Illegal("not so")
        super()._cast(action)


def test_what_a_probe_leaves_open_is_tried_in_every_way() -> None:
    toy = Picky()
    assert verdict(GIVEN + "then: {legal: [{cast: Divination}]}", toy).verdict == "pass"
    assert toy.answers[-3:] == [["c"], [2], False]
    assert verdict(GIVEN + "then: {illegal: [{cast: old}]}", Picky()).verdict == "pass"
    assert len([a for a in toy.answers if a == ["a"]]) == 4


def test_what_a_probe_answers_is_not_tried_otherwise() -> None:
    choices = "choices: [{targets: [alice]}, {modes: [2]}]"
    assert verdict(GIVEN + f"then: {{illegal: [{{cast: Divination, {choices}}}]}}", Picky()).verdict == "pass"


def test_an_engine_that_cannot_tell_is_unsupported_unless_something_fails_first() -> None:
    class Unsure(Judge):
        def legality(self, action: Action, declare: Mapping[str, Json] | None = None) -> Legality | None:
            if type(action).__name__ == "Play":
                raise Unsupported("action", "play")
            return super().legality(action, declare)

    body = GIVEN + "then: {illegal: [%s, {play: Island}]}"
    assert verdict(body % "{cast: old}", Unsure()).verdict == "unsupported"
    assert verdict(body % "{cast: Divination}", Unsure()).verdict == "fail"


def test_an_engine_that_goes_another_way_the_second_time_is_in_error() -> None:
    class Fickle(Strict):
        def _act(self, action: Action) -> None:
            if self.starts > 1:
                raise ValueError("different")
            super()._act(action)

    steps = "when: [{activate: Grizzly Bears}, {check: {legal: [{cast: Think Twice#1}]}}]\n"
    result = verdict(GIVEN + steps + "then: {alice: {life: 20}}", Fickle())
    assert result.verdict == "error"
    assert "a second time" in result.message


@pytest.mark.parametrize(
    ("one", "other", "match"),
    [
        ("702.34a", "702.34a", True),
        ("702.34", "702.34a", True),
        ("702", "702.34a", True),
        ("7", "702.34a", True),
        ("702.3", "702.34a", False),
        ("702.34a", "702.34b", False),
        ("70", "702.34a", False),
        ("601.2", "601.3", False),
        ("CR 601.2.", "601.2f", True),
        ("601.2f", "601", True),
    ],
)
def test_rules_above_and_below(one: str, other: str, match: bool) -> None:
    assert rules_match(one, other) is match
    assert rules_match(other, one) is match
