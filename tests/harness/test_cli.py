"""The command ``judgecall``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from judgecall.harness.cli import main
from judgecall.harness.suite import suite_root

GOOD = """\
ruling: own/good
rules: ["702.34a"]
cases:
  - case: cast
    title: It is cast
    given: {alice: {hand: [Think Twice]}}
    when: [{cast: Think Twice}]
    then: {stack: [Think Twice]}
  - case: exiled
    title: It is exiled
    given: {alice: {graveyard: [Think Twice]}}
    when: [{cast: Think Twice, using: flashback}, {resolve: all}]
    then: {Think Twice: {zone: exile}}
"""
BROKEN = """\
ruling: own/broken
cases:
  - case: one
    given: {alice: {hnad: [Island]}}
    then: {alice: {hand: []}}
  - {case: "two", then: {alice: {life: twenty}}}
"""
OPEN = """\
ruling: own/open
cases:
  - case: open
    given: {alice: {hand: [Shock], battlefield: [Hill Giant, Grizzly Bears]}}
    when: [{cast: Shock}]
    then: {stack: [Shock]}
  - case: argued
    status: disputed
    why: two readings
    given: {alice: {life: 3}}
    then: {alice: {life: 4}}
"""
TOY = "--engine=py:tests.harness.toys:Strict"
FORGETFUL = "--engine=py:tests.harness.toys:Forgetful"
MUTE = "--engine=py:tests.harness.toys:Mute"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "good.yaml").write_text(GOOD)
    (tmp_path / "broken.yaml").write_text(BROKEN)
    (tmp_path / "open.yaml").write_text(OPEN)
    (tmp_path / "_notes.yaml").write_text("not: a ruling\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lines(path: Path) -> list[dict[str, Any]]:
    """The cases of a results file, without its header and footer."""
    every = [json.loads(line) for line in path.read_text(encoding="utf-8").rstrip("\n").split("\n")]
    return [line for line in every if "verdict" in line]


def test_run_passes(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "good.yaml", TOY, "--results", "out.jsonl"]) == 0
    assert capsys.readouterr().out == "toy 1: 2 cases: 2 passed\n"
    assert [(line["case"], line["verdict"]) for line in lines(files / "out.jsonl")] == [
        ("own/good::cast", "pass"),
        ("own/good::exiled", "pass"),
    ]


def test_run_tells_failures(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "good.yaml", FORGETFUL, "--results", "out.jsonl"]) == 1
    out = capsys.readouterr().out
    assert "own/good::exiled: fail\n" in out
    assert "    expected: exile\n    actual:   graveyard\n" in out
    assert "alone: judgecall run good.yaml::exiled --engine=py:tests.harness.toys:Forgetful\n" in out
    assert out.endswith("forgetful 1: 2 cases: 1 passed, 1 failed\n")
    passed, failed = lines(files / "out.jsonl")
    assert passed["verdict"] == "pass"
    assert "message" not in passed
    assert failed["message"] == "Think Twice: zone: expected exile, got graveyard"


def test_what_is_unsupported_makes_a_run_incomplete(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "good.yaml", MUTE]) == 1
    out = capsys.readouterr().out
    assert out.startswith("own/good::cast: unsupported card: Think Twice\n")
    assert out.endswith("mute 1: 2 cases: 2 unsupported; incomplete\n")


def test_a_broken_file_gives_results_and_the_others_still_run(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", ".", TOY, "--results", "out.jsonl"]) == 1
    found = {line["case"]: line for line in lines(files / "out.jsonl")}
    assert {case: line["verdict"] for case, line in found.items()} == {
        "own/broken::one": "invalid",
        "own/broken::two": "invalid",
        "own/good::cast": "pass",
        "own/good::exiled": "pass",
        "own/open::open": "invalid",
        "own/open::argued": "fail",
    }
    assert "broken.yaml:4:21" in found["own/broken::one"]["message"]
    assert "'hand'" in found["own/broken::one"]["message"]
    assert found["own/open::argued"]["status"] == "disputed"
    out = capsys.readouterr().out
    assert out.count("unknown key 'hnad'") == 1
    assert "6 cases: 2 passed, 3 invalid, 1 disputed (not counted)" in out


@pytest.mark.parametrize(
    ("text", "case"),
    [
        ("ruling: [a", "x.yaml"),
        ("ruling: own/none\ncases: 3\n", "own/none"),
        ("\0", "x.yaml"),
        ("ruling: 'own/quoted' # why\ncases:\n  - case: a b\n    x: 1\n", "own/quoted::a b"),
    ],
)
def test_ids_of_a_broken_file_are_told_as_far_as_known(files: Path, text: str, case: str) -> None:
    (files / "x.yaml").write_text(text)
    assert main(["run", "x.yaml", TOY, "--results", "out.jsonl"]) == 1
    (line,) = lines(files / "out.jsonl")
    assert (line["case"], line["verdict"], bool(line["message"])) == (case, "invalid", True)


def test_a_file_that_the_loader_cannot_bear_does_not_end_the_run(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from judgecall.harness import suite
    from judgecall.schema import loader

    def load_file(path: Path, **more: Any) -> Any:
        if path.name == "broken.yaml":
            raise RecursionError("too deep")
        return loader.load_file(path, **more)

    monkeypatch.setattr(suite, "load_file", load_file)
    assert main(["run", "broken.yaml", "good.yaml", TOY, "--results", "out.jsonl"]) == 1
    found = lines(files / "out.jsonl")
    assert [line["verdict"] for line in found] == ["invalid", "invalid", "pass", "pass"]
    assert "RecursionError: too deep" in found[0]["message"]


def test_a_mistake_in_one_case_is_not_the_other_cases(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = "  - {case: whole, then: {alice: {life: 20}}}\n"
    (files / "broken.yaml").write_text(BROKEN.replace('  - {case: "two"', whole + '  - {case: "two"'))
    assert main(["run", "broken.yaml", TOY, "--results", "out.jsonl"]) == 1
    found = {line["case"].partition("::")[2]: line["verdict"] for line in lines(files / "out.jsonl")}
    assert found == {"one": "invalid", "whole": "pass", "two": "invalid"}
    assert main(["run", "broken.yaml::whole", TOY]) == 0


def test_a_mistake_in_the_ruling_is_that_of_all_its_cases(files: Path) -> None:
    (files / "good.yaml").write_text(GOOD.replace("cases:", "rules: [seven]\ncases:", 1))
    assert main(["run", "good.yaml", TOY, "--results", "out.jsonl"]) == 1
    assert {line["verdict"] for line in lines(files / "out.jsonl")} == {"invalid"}


def test_a_title_that_is_no_unicode_is_written_all_the_same(files: Path) -> None:
    (files / "good.yaml").write_text(GOOD.replace("It is cast", '"\\ud800 \\u2028 é"'), encoding="utf-8")
    main(["run", "good.yaml", TOY, "--results", "out.jsonl"])
    assert [line["case"] for line in lines(files / "out.jsonl")] == ["own/good::cast", "own/good::exiled"]


def test_a_file_that_is_no_text_gives_a_result(files: Path) -> None:
    (files / "x.yaml").write_bytes(b"\xff\xfe\x00")
    assert main(["run", "x.yaml", TOY, "--results", "out.jsonl"]) == 1
    assert [line["verdict"] for line in lines(files / "out.jsonl")] == ["invalid"]


@pytest.mark.parametrize(
    ("arguments", "cases"),
    [
        (["good.yaml::exiled"], ["own/good::exiled"]),
        (["good.yaml::exiled", "good.yaml::cast"], ["own/good::cast", "own/good::exiled"]),
        (["good.yaml::exiled", "good.yaml"], ["own/good::cast", "own/good::exiled"]),
        (["./good.yaml", "good.yaml"], ["own/good::cast", "own/good::exiled"]),
    ],
)
def test_cases_are_chosen_by_path_and_name(files: Path, arguments: list[str], cases: list[str]) -> None:
    assert main(["run", *arguments, TOY, "--results", "out.jsonl"]) == 0
    assert [line["case"] for line in lines(files / "out.jsonl")] == cases


def test_disputed_cases_do_not_count(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "open.yaml::argued", TOY]) == 0
    out = capsys.readouterr().out
    assert "own/open::argued: fail" in out
    assert "disputed: two readings (counts for no verdict)" in out


def test_a_fault_is_found(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "good.yaml", TOY, "--fault", "forgets flashback"]) == 1
    assert "toy 1 with fault forgets flashback: 2 cases: 1 passed, 1 failed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "nowhere.yaml", TOY], "'nowhere.yaml' is no id of the suite and no file or folder"),
        (["run", "good.yaml::other", TOY], "good.yaml has no case other; it has: cast, exiled"),
        (["run", "../nope", TOY], "is no id of the suite"),
        (["run", "", TOY], "is no id of the suite"),
        (["run", "good.yaml", "--engine=nobody"], "there is no engine 'nobody'"),
        (["run", "good.yaml", "--engine=cmd:x"], "there is no command 'x' on the PATH"),
        (["run", "good.yaml", TOY, "--fault=x"], "has no fault 'x'"),
        (["run", "good.yaml", TOY, "--results=no/such/folder/x"], "cannot be written"),
        (["run", "good.yaml", "--nonsense"], "unrecognized arguments"),
        (["dance"], "invalid choice"),
        ([], "required: command"),
        (["explain", "nowhere"], "is no id of the suite"),
    ],
)
def test_wrong_usage_is_told_in_a_line(
    files: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 4
    err = capsys.readouterr().err
    assert message in err
    assert "Traceback" not in err


def test_nothing_to_run_has_its_own_code(files: Path) -> None:
    (files / "empty").mkdir()
    assert main(["run", "empty", TOY]) == 5
    assert main(["list", "empty"]) == 5
    assert main(["lint", "empty"]) == 5


def test_an_interrupt_keeps_what_was_found(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.harness import toys

    def interrupted(toy: toys.Toy, spell: toys.Thing) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(toys.Strict, "_resolve", interrupted, raising=False)
    assert main(["run", "good.yaml", TOY, "--results", "out.jsonl"]) == 2
    assert [line["case"] for line in lines(files / "out.jsonl")] == ["own/good::cast"]


def test_list(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "good.yaml", "open.yaml"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "own/good::cast  It is cast",
        "own/good::exiled  It is exiled",
        "own/open::open  open",
        "own/open::argued  argued (disputed)",
    ]
    assert main(["list", "--json", "good.yaml"]) == 0
    first = json.loads(capsys.readouterr().out)[0]
    assert first.pop("digest").startswith("sha256:")
    assert first == {
        "case": "own/good::cast",
        "title": "It is cast",
        "ruling": "own/good",
        "rules": ["702.34a"],
        "status": None,
        "path": "good.yaml",
        "line": 4,
    }


def test_a_broken_file_is_told_when_listing(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "."]) == 1
    shown = capsys.readouterr()
    assert "own/good::cast" in shown.out
    assert "unknown key 'hnad'" in shown.err


def test_the_suite_is_listed(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["list"])
    whole = capsys.readouterr().out.splitlines()
    ids = [line.partition("  ")[0] for line in whole]
    assert len(ids) > 10
    assert len(set(ids)) == len(ids)
    case = ids[0]
    ruling = case.partition("::")[0]
    for part in (case, ruling, ruling.rpartition("/")[0]):
        assert main(["list", part]) == 0
        assert case in capsys.readouterr().out


def test_a_near_miss_is_suggested(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = sorted(path.relative_to(suite_root()) for path in suite_root().rglob("[!_]*.yaml"))[0]
    ruling = known.with_suffix("").as_posix()
    assert main(["run", ruling + "x", TOY]) == 4
    assert f"did you mean {ruling}" in capsys.readouterr().err


def test_explain_tells_each_step_with_its_rules(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "good.yaml::exiled", TOY]) == 0
    assert capsys.readouterr().out == dedent(
        """\
        own/good::exiled
        It is exiled
        rules: CR 702.34a

        1. {cast: Think Twice, using: [flashback]}
           alice casts Think Twice
        2. {resolve: all}
           alice passes  [CR 117.3d]
           bob passes  [CR 117.3d]
           Think Twice resolves
        then Think Twice: {zone: exile}
        pass

        """
    )


def test_explain_tells_where_a_case_ends(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "open.yaml", TOY]) == 1
    out = capsys.readouterr().out
    assert "1. {cast: Shock}\n" in out
    assert "own/open::open: invalid" in out
    assert main(["explain", "good.yaml", MUTE]) == 1
    assert "keeps no trace" in capsys.readouterr().out


def test_lint_finds_what_the_loader_finds_once(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "good.yaml"]) == 0
    assert capsys.readouterr().out == "1 file, no problems\n"
    assert main(["lint", "broken.yaml"]) == 1
    out = capsys.readouterr().out.splitlines()
    assert len(out) == 3
    assert out[0].startswith("broken.yaml:4:21: ")
    assert out[2] == "1 file, 2 problems"


def test_lint_finds_what_a_case_lacks(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "empty.yaml").write_text(
        "ruling: own/good\ncases:\n  - case: a\n    when: [{pass: alice}]\n    then: {}\n"
    )
    assert main(["lint", "."]) == 1
    out = capsys.readouterr().out
    assert "empty.yaml:3:5: a: the case expects nothing" in out
    assert "the ruling 'own/good' is also in " in out


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite of its own."""
    from judgecall.harness import lint, suite

    root = tmp_path / "suite"
    (root / "own").mkdir(parents=True)
    monkeypatch.setattr(suite, "suite_root", lambda: root)
    monkeypatch.setattr(lint, "suite_root", lambda: root)
    return root


SUITE_FILE = """\
# yaml-language-server: $schema=../../schema/ruling.schema.json
ruling: own/good
summary: {en: It is so., fr: C'est ainsi.}
rules: ["702.34a"]
sources:
  - {card: Think Twice, publisher: wotc, date: 2025-06-06, language: en, digest: "sha256:%s"}
cases:
  - case: one
    title: It is so
    given: {alice: {life: 3}}
    then: {alice: {life: 3}}
  - case: two
    title: It is otherwise
    given: {alice: {life: 4}}
    then: {alice: {life: 4}}
""" % ("0" * 64)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("", "", ""),
        ("# yaml-language-server: $schema=../../schema/ruling.schema.json\n", "", "does not name the schema"),
        (", fr: C'est ainsi.", "", "the summary has no 'fr'"),
        ("It is otherwise", "It is so", "the title is that of 'one', too"),
        ("It is otherwise", "It is otherwise.", "ends with a period"),
        ("It is otherwise", "It is otherwise " * 10, "characters"),
        ("It is otherwise", "Two", "the title says no more than the id"),
        ("own/good", "own/bad", "own/good"),
        ("sha256:0", "sha256:x", "digest"),
        ("    then: {alice: {life: 4}}\n", "    when: [{pass: alice}]\n", "the case expects nothing"),
    ],
)
def test_lint_knows_the_customs_of_the_suite(
    suite: Path, old: str, new: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (suite / "own" / "good.yaml").write_text(SUITE_FILE.replace(old, new) if old else SUITE_FILE)
    assert main(["lint"]) == (1 if message else 0)
    out = capsys.readouterr().out
    assert message in out
    assert out.count("\n") == (2 if message else 1)


def test_the_command_runs_in_a_process_of_its_own(files: Path) -> None:
    """Also where the terminal cannot show a name, and where nobody reads to the end."""
    (files / "good.yaml").write_text(GOOD.replace("It is cast", "Jötun is cast"), encoding="utf-8")
    root = str(Path(__file__).parent.parent.parent)
    env = {**os.environ, "PYTHONPATH": root, "PYTHONIOENCODING": "ascii:strict"}
    command = [sys.executable, "-m", "judgecall.harness.cli"]
    done = subprocess.run(
        [*command, "list", "good.yaml"], cwd=files, env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "J\\xf6tun is cast" in done.stdout
    (files / "many.yaml").write_text(
        GOOD + "".join(f"  - case: n{n}\n    then: {{alice: {{life: 20}}}}\n" for n in range(20000))[:900_000]
    )
    with subprocess.Popen(
        [*command, "list", "--json", "many.yaml"],
        cwd=files,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
