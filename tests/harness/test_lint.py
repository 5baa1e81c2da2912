"""What `judgecall lint` holds cases to: ids that stay, names that tell apart, and what only playing tells."""

from __future__ import annotations

from pathlib import Path

import pytest
from judgecall.harness.cli import main

from tests.harness.small_suite import install

HEAD = "ruling: own/one\ncases:\n  - case: one\n    title: A title\n"


@pytest.fixture
def linted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Linted:
    monkeypatch.chdir(tmp_path)
    return Linted(tmp_path / "one.yaml", capsys)


class Linted:
    """Lints a case by its text."""

    def __init__(self, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._path = path
        self._capsys = capsys

    def __call__(self, case: str, *options: str) -> list[str]:
        text = HEAD + "".join(f"    {line}\n" for line in case.strip().splitlines())
        self._path.write_text(text, encoding="utf-8")
        code = main(["lint", str(self._path), *options])
        lines = self._capsys.readouterr().out.splitlines()
        assert code == (1 if len(lines) > 1 else 0)
        return [line.partition(": ")[2] for line in lines[:-1]]


# -- as files ------------------------------------------------------------------------------------------------

TWINS = "given: {alice: {battlefield: [2 Grizzly Bears, {card: Hill Giant, as: giant}, Hill Giant]}}\n"


def test_a_subject_of_which_nothing_is_said_is_no_expectation(linted: Linted) -> None:
    assert linted("then: {alice: {}}") == ["one: the case expects nothing; expected 'then', or a 'check'"]


@pytest.mark.parametrize(
    ("case", "ambiguous"),
    [
        ("then: {Grizzly Bears: {zone: battlefield}}", True),
        ("when: [{check: {Grizzly Bears: {zone: battlefield}}}]\nthen: {alice: {life: 20}}", True),
        ("when: [{cast: Shock, targets: [Grizzly Bears]}]\nthen: {alice: {life: 20}}", True),
        ("then: {illegal: [{attack: {Grizzly Bears: bob}}]}", True),
        ("then: {Grizzly Bears#2: {zone: battlefield}}", False),
        ("then: {giant: {zone: battlefield}}", False),
        ("then: {alice: {battlefield: [Grizzly Bears, Grizzly Bears, Hill Giant, Hill Giant]}}", False),
        ("when: [{pass: alice, choices: [{pick: [Grizzly Bears]}]}]\nthen: {alice: {life: 20}}", False),
    ],
)
def test_a_name_that_several_have_does_not_say_which_is_meant(linted: Linted, case: str, ambiguous: bool) -> None:
    said = "one: several objects are called 'Grizzly Bears'; expected an alias, or 'Grizzly Bears#1'"
    assert linted(TWINS + case) == ([said] if ambiguous else [])


def lint_suite(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    main(["lint", *arguments])
    # The files of the small suite have no line that names the schema.
    return [line for line in capsys.readouterr().out.splitlines()[:-1] if "the schema" not in line]


def test_ids_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    root = install(tmp_path, monkeypatch)
    assert lint_suite(capsys) == []
    assert lint_suite(capsys, "--write-ids") == []
    kept = (root / "_ids.yaml").read_text(encoding="utf-8")
    assert kept.splitlines()[1:] == ["flash/exiled: [cast, exiled]", "other/life: [twenty, three, argued]"]
    life = root / "other" / "life.yaml"
    life.write_text(life.read_text(encoding="utf-8").replace("case: three", "case: drei"), encoding="utf-8")
    gone, new = lint_suite(capsys, "other")
    assert gone.startswith(f"{life}:1:1: the case 'three' is gone, and ids stay")
    assert "drei: the id is not in _ids.yaml" in new
    assert lint_suite(capsys, "--write-ids") == [gone]
    (root / "flash" / "exiled.yaml").unlink()
    assert lint_suite(capsys) == [
        gone,
        f"{root / '_ids.yaml'}:1:1: the ruling 'flash/exiled' is gone, and ids stay; expected its file",
    ]
    (root / "_ids.yaml").write_text("- none\n", encoding="utf-8")
    assert main(["lint"]) == 4


# -- by playing ----------------------------------------------------------------------------------------------

DRAWN = """\
given: {alice: {hand: [Divination], battlefield: [3 Island]}}
when: [{cast: Divination}, {resolve: all}]
"""


def test_what_holds_before_anything_is_done_says_so(linted: Linted) -> None:
    said = "one: what 'then' says holds before 'when' already; expected 'holds_before', and why it may"
    assert linted(DRAWN + "then: {alice: {life: 20}}", "--play") == [said]
    assert linted(DRAWN + "then: {alice: {life: 20}}") == []
    assert linted(DRAWN + "then: {alice: {life: 20}}\nholds_before: Drawing costs no life.", "--play") == []
    assert linted(DRAWN + "then: {alice: {life: 20, hand_size: 2}}", "--play") == []
    assert linted("then: {alice: {life: 20}}", "--play") == [said]


def test_what_does_not_hold_before_does_not_say_so(linted: Linted) -> None:
    case = DRAWN + "then: {alice: {hand_size: 2}}\nholds_before: It does not."
    assert linted(case, "--play") == ["one: what 'then' says does not hold before 'when'; expected no 'holds_before'"]


def test_no_case_depends_on_how_mana_is_spent(linted: Linted) -> None:
    given = "given: {alice: {hand: [Ornithopter, Sol Ring], battlefield: [Island, Plains]}}\n"
    when = "when: [{cast: Sol Ring}]\n"
    assert linted(given + when + "then: {stack: [Sol Ring]}", "--play") == []
    (said,) = linted(given + when + "then: {Island: {tapped: true}}", "--play")
    assert said.startswith("one: with mana spent in another legal way it comes to 'fail': Island: ")
    given = 'given: {alice: {hand: [Sol Ring], mana: "{B}{C}"}}\n'
    assert linted(given + when + "then: {stack: [Sol Ring]}", "--play") == []
    (said,) = linted(given + when + "then: {alice: {mana: '{B}'}}", "--play")
    assert said.startswith("one: with mana spent in another legal way it comes to 'fail': alice: ")


def test_what_cannot_be_played_is_told(linted: Linted) -> None:
    (said,) = linted("when: [{resolve: top}]\nthen: {alice: {life: 19}}", "--play")
    assert said.startswith("one: it cannot be played: ")
