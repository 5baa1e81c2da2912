"""What cases catch of an engine's faults: what is told, what is written, and which plays are spared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from judgecall.harness.cli import main
from judgecall.harness.matrix import FaultRow, IdleCase, matrix_text, read_matrix
from judgecall.harness.results import ResultsError

from tests.harness.small_suite import FAULTY, MUTE, install

KNOWING = "py:tests.harness.faulty:Knowing"
CERTAIN = "py:tests.harness.faulty:Certain"
IDLE = "flash/exiled::cast"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return install(tmp_path, monkeypatch)


def prove(*options: str, engine: str = FAULTY) -> int:
    return main(["prove", f"--engine={engine}", "-n", "1", *options])


def explain(root: Path, text: str) -> None:
    (root / "_idle.yaml").write_text(text, encoding="utf-8")


def test_faults_and_cases_that_are_left_over_are_told(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert prove() == 1
    assert capsys.readouterr().out == (
        "faults that no case catches: 1\n"
        "  is harmless  100.1: Nothing is wrong.\n"
        "cases that catch no fault: 1\n"
        f"  {IDLE}\n"
        "faulty 1: 3 faults, 1 not caught; 4 cases, 1 catching none, 1 of them without a reason\n"
    )


def test_of_cases_that_are_chosen_it_tells_what_they_catch(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert prove("other") == 0
    assert capsys.readouterr().out == (
        "faults that these cases catch: 1\n"
        "  gives life  103.4: Everybody has thirty life.\n"
        "faulty 1: 3 faults, 2 not caught; 2 cases, 0 catching none, 0 of them without a reason\n"
    )
    assert prove("flash") == 1
    assert f"cases that catch no fault: 1\n  {IDLE}\n" in capsys.readouterr().out
    assert prove("other", "--fault=is harmless") == 1
    assert capsys.readouterr().out.startswith("faults that no case catches: 1\n  is harmless")


def test_a_case_is_held_to_catch_something_or_say_why_not(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = ["--fault=forgets flashback", "--fault=gives life"]
    assert prove(*kept) == 0  # what has been left out may be what a case catches
    Path("faults.py").write_text(
        "from tests.harness.faulty import Faulty\nfrom dataclasses import replace\n"
        "class Caught(Faulty):\n    def describe(self):\n        own = super().describe()\n"
        "        return replace(own, faults={k: v for k, v in own.faults.items() if k != 'is harmless'})\n"
    )
    caught = "py:faults:Caught"
    assert prove(engine=caught) == 1
    capsys.readouterr()
    explain(root, f"- {{why: It only casts., cases: [{IDLE}]}}\n")
    assert prove(engine=caught) == 0
    assert f"  {IDLE}  It only casts.\n" in capsys.readouterr().out
    explain(root, f"- {{why: It only casts., cases: [{IDLE}, other/life::three]}}\n")
    assert prove("-q", engine=caught) == 1
    out = capsys.readouterr().out
    assert "cases that catch a fault, though a reason says that they catch none: 1\n  other/life::three\n" in out
    explain(root, "no: reasons\n")
    assert prove(engine=caught) == 4


def test_the_matrix_is_a_file_that_says_the_same_again(root: Path) -> None:
    explain(root, f"- {{why: It only casts., cases: [{IDLE}]}}\n")
    prove("-o", "one.json")
    prove("-o", "two.json", "-n", "2")
    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()
    matrix = read_matrix("one.json")
    assert matrix.faults == (
        FaultRow("forgets flashback", "702.34a", "It forgets flashback.", ("flash/exiled::exiled",)),
        FaultRow("gives life", "103.4", "Everybody has thirty life.", ("other/life::three", "other/life::twenty")),
        FaultRow("is harmless", "100.1", "Nothing is wrong.", ()),
    )
    assert matrix.idle == (IdleCase(IDLE, "It only casts."),)
    assert (matrix.engine, matrix.cases) == ("faulty 1", 4)
    assert matrix_text(matrix) == Path("one.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kind": "other"}, "one.json is no matrix: at $.kind"),
        ({"faults": [{"fault": "x"}]}, "one.json is no matrix: at $.faults[0]"),
    ],
)
def test_what_is_no_matrix_is_refused(root: Path, change: dict[str, object], said: str) -> None:
    prove("-o", "one.json")
    data = json.loads(Path("one.json").read_bytes())
    Path("one.json").write_text(json.dumps(data | change))
    with pytest.raises(ResultsError) as refused:
        read_matrix("one.json")
    assert str(refused.value).startswith(said)


def test_no_case_is_played_with_a_fault_that_cannot_matter(root: Path) -> None:
    prove("flash", "other", "-o", "one.json", engine=KNOWING)
    caught = {row.name: row.caught_by for row in read_matrix("one.json").faults}
    assert caught == {
        "forgets flashback": (),
        "gives life": ("other/life::three", "other/life::twenty"),
        "is harmless": (),
    }


def test_of_the_whole_suite_a_fault_is_said_to_be_missed_only_once_every_case_was_played(root: Path) -> None:
    prove("-o", "one.json", engine=KNOWING)
    caught = {row.name: row.caught_by for row in read_matrix("one.json").faults}
    assert caught == {
        "forgets flashback": ("flash/exiled::exiled",),
        "gives life": ("other/life::three", "other/life::twenty"),
        "is harmless": (),
    }


def test_what_fails_as_it_is_proves_nothing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert prove("other", engine="py:tests.harness.toys:Strict") == 1
    capsys.readouterr()
    assert prove(engine=MUTE) == 1
    assert capsys.readouterr().out.startswith("flash/exiled::cast does not pass on mute 1: unsupported")


def test_wrong_usage(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert prove("--fault=no such") == 4
    assert "has no fault 'no such'" in capsys.readouterr().err
    assert prove("no/such") == 4
    assert prove("-o", "no/such/folder.json", "other") == 1


def test_what_an_engine_knows_of_a_fault_is_not_played_again(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert prove("other", engine=CERTAIN) == 0
    told = capsys.readouterr().out
    assert told.startswith("faults that these cases catch: 1\n  gives life  103.4: Everybody has thirty life.\n")
