"""Which rules act in which cases, and which of those that a ruling names never do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from judgecall.adapters.engine import TraceLine
from judgecall.harness.cli import main
from judgecall.harness.rule_coverage import wrong_of
from judgecall.schema.loader import load_text
from judgecall.schema.model import Ruling

from tests.harness.toys import Strict

TOY = "--engine=py:tests.harness.toys:Strict"
"""It cites CR 117.3d where a player passes, and nothing else."""


class Inventive(Strict):
    """Cites what is no rule."""

    def trace(self) -> tuple[TraceLine, ...]:
        return (*super().trace(), TraceLine("so it is", ("117.3z", "999.9")))


CASES = """\
cases:
  - {case: passes, when: [{pass: alice}], then: {alice: {life: 20}}}
  - {case: waits, then: {alice: {life: 20}}}
"""


def ruling(top: str, cases: str = CASES) -> Ruling:
    return load_text(f"ruling: my/one\n{top}\n{cases}", "one.yaml")


@pytest.mark.parametrize(
    ("rules", "cited", "idle"),
    [
        ("702.34a", ["702.34a"], []),
        ("702.34a", ["702.34"], []),
        ("702.34", ["702.34a"], []),
        ("702", ["702.34a"], []),
        ("702", ["702"], []),
        ("702.34a", ["702"], ["702.34a"]),
        ("702.34a", ["702.34b", "702.3", "601.2"], ["702.34a"]),
        ("702.3", ["702.34a"], ["702.3"]),
        ("702.34a", [], ["702.34a"]),
        ("702.34a, 601.2, 101.1", ["601.2f"], ["702.34a", "101.1"]),
    ],
)
def test_rules_that_never_act(rules: str, cited: list[str], idle: list[str]) -> None:
    assert wrong_of(ruling(f"rules: [{rules}]"), cited) == [f"CR {rule} acts in none of its cases" for rule in idle]


def test_rules_by_which_nothing_acts() -> None:
    of_people = ruling("rules: [732.2a, 601.2]\nnot_acting: {732.2a: It is about how players talk.}")
    assert wrong_of(of_people, ["601.2a"]) == []
    assert wrong_of(of_people, ["732.2a", "601.2a"]) == ["CR 732.2a acts in a case, and the file says that it does not"]
    assert wrong_of(of_people, []) == ["CR 601.2 acts in none of its cases"]


def test_where_nothing_is_done_nothing_need_act() -> None:
    """But one case in which something is done is enough to ask for it."""
    waits = "  - {case: waits, holds_before: It is a state., then: {alice: {life: 20}}}\n"
    acts = "  - {case: acts, when: [{pass: alice}], then: {alice: {life: 20}}}\n"
    assert wrong_of(ruling("rules: [101.1]", "cases:\n" + waits), []) == []
    assert wrong_of(ruling("rules: [101.1]", "cases:\n" + waits + acts), []) == ["CR 101.1 acts in none of its cases"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a ruling whose rule acts, and one whose rule does not."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    for name, rule in (("acts", "117.3d"), ("idle", "702.34a")):
        text = f'ruling: my/{name}\nrules: ["{rule}"]\n{CASES}'
        (tmp_path / "mine" / f"{name}.yaml").write_text(text, encoding="utf-8")
    return tmp_path


def test_coverage(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", "--rules", TOY, "mine"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "117.3d        2  my/acts::passes, my/idle::passes",
        "mine/idle.yaml: CR 702.34a acts in none of its cases",
        "1 rule of 3309 acts in 4 cases, 1 problem",
    ]


def test_what_is_right(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", "--rules", "--json", TOY, "mine/acts.yaml"]) == 0
    assert json.loads(capsys.readouterr().out) == {"rules": {"117.3d": ["my/acts::passes"]}, "wrong": []}


def test_one_case_of_a_ruling_need_not_show_all(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", "--rules", TOY, "mine/idle.yaml::waits"]) == 0
    assert capsys.readouterr().out == "no rules of 3309 act in 1 case\n"


def test_a_trace_that_cites_what_is_no_rule(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    engine = "--engine=py:tests.harness.test_rule_coverage:Inventive"
    assert main(["coverage", "--rules", engine, "mine/acts.yaml"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "117.3d        1  my/acts::passes",
        "117.3z        2  my/acts::passes, my/acts::waits",
        "999.9         2  my/acts::passes, my/acts::waits",
        "the trace of my/acts::passes cites 117.3z, which is no rule",
        "the trace of my/acts::passes cites 999.9, which is no rule",
        "3 rules of 3309 act in 2 cases, 2 problems",
    ]


def test_a_case_that_does_not_pass_and_a_file_that_is_none(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    failing = "ruling: my/acts\ncases:\n  - {case: one, then: {alice: {life: 3}}}\n"
    failing += "  - {case: two, status: disputed, why: Nobody knows., then: {alice: {life: 3}}}\n"
    (folder / "mine" / "acts.yaml").write_text(failing, encoding="utf-8")
    (folder / "mine" / "idle.yaml").write_text("ruling: my/idle\ncases: [{case: one, thn: {}}]\n", encoding="utf-8")
    assert main(["coverage", "--rules", TOY, "mine"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "my/acts::one: fail, so that not all that acts in it was seen",
        "my/idle: invalid, so that not all that acts in it was seen",
        "no rules of 3309 act in 3 cases, 2 problems",
    ]


def test_an_engine_without_a_trace(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", "--rules", "--engine=py:tests.harness.toys:Mute", "mine"]) == 4
    assert "keeps no trace" in capsys.readouterr().err


@pytest.mark.parametrize("options", [[], ["--rules", "--rulings", "dump.json"]])
def test_one_of_the_two(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", *options]) == 4


def test_rules_of_the_suite(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", "--rules", "--json", "saga/lore-counters"]) == 0
    rules = json.loads(capsys.readouterr().out)["rules"]
    assert {"714.3a", "714.3c"} <= rules.keys()
    assert "702.34a" not in rules
