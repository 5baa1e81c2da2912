"""What a run must come to: exit codes, known failures, progress and summaries, of `judgecall run` and of pytest."""

from __future__ import annotations

import io
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import ClassVar

import pytest
from judgecall.harness import engines, play, plugin, recording, runner, suite
from judgecall.harness.cli import main
from judgecall.harness.enough import Demand, shortfalls
from judgecall.harness.known import KnownProblem, entries_text, read_known
from judgecall.harness.markdown import code, summary
from judgecall.harness.progress import Progress
from judgecall.harness.properties import PREFIX, result_of
from judgecall.harness.results import ResultsError, read_results
from judgecall.harness.verdicts import CaseResult

from tests.harness import toys
from tests.harness.small_suite import CASES, GOOD, MUTE, WRONG, install, run

# A run within the test forgets what it imports: what it needs is imported here, once.
LOADED = (engines, play, recording, runner, toys)
ROOT = Path(__file__).parent.parent.parent
FAILING = CASES[1]


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return install(tmp_path, monkeypatch)


def known(text: str) -> str:
    Path("known.yaml").write_text(text, encoding="utf-8")
    return "--known-failures=known.yaml"


ENTRY = f"- case: {FAILING}\n  reason: it forgets\n  link: https://example.org/1\n"


@pytest.mark.parametrize(
    ("engine", "options", "expected"),
    [
        (GOOD, [], 0),
        (WRONG, [], 1),
        (MUTE, [], 1),
        (MUTE, ["--allow-unsupported"], 0),
        (WRONG, ["--allow-unsupported"], 1),
        (GOOD, ["--require=all"], 0),
        (GOOD, ["--require=flash", "--min-passing=4"], 0),
        (GOOD, ["--min-passing=5"], 1),
        (MUTE, ["--require=other"], 0),
        (MUTE, ["--require=flash"], 1),
        (MUTE, ["--require=other", "--require=flash"], 1),
        (MUTE, ["--min-passing=2"], 0),
        (MUTE, ["--min-passing=3"], 1),
        (MUTE, ["--min-passing=3", "--allow-unsupported"], 1),
        (WRONG, ["--require=other"], 1),
        (WRONG, ["--min-passing=1"], 1),
        (GOOD, ["--require=nothing"], 4),
        (GOOD, ["--shard=1/2", "--min-passing=1"], 4),
        (GOOD, ["--shard=1/1", "--require=all"], 0),
        (GOOD, ["other", "--require=flash"], 1),
        (GOOD, ["other", "--require=other"], 0),
    ],
)
def test_the_exit_code_says_whether_it_is_enough(small: Path, engine: str, options: list[str], expected: int) -> None:
    # A mute engine knows nothing of cards but the life of players.
    assert run(engine.replace("Mute", "Half") if "Mute" in engine else engine, "r.jsonl", *options) == expected


@pytest.fixture(autouse=True)
def half(monkeypatch: pytest.MonkeyPatch) -> None:
    class Half(toys.Mute):
        """Knows no card that flashback is about, and so passes only what is of other things."""

        known: ClassVar[tuple[str, ...]] = ("Divination", "Plains")  # type: ignore[assignment]

    monkeypatch.setattr(toys, "Half", Half, raising=False)


def test_incomplete_is_said(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", f"--engine={MUTE.replace('Mute', 'Half')}"]) == 1
    assert capsys.readouterr().out.endswith("5 cases: 2 passed, 2 unsupported, 1 disputed (not counted); incomplete\n")
    assert main(["run", f"--engine={MUTE.replace('Mute', 'Half')}", "--require=flash", "--min-passing=3"]) == 1
    out = capsys.readouterr().out
    assert f"incomplete: profile flash: 2 cases ({CASES[0]}, {CASES[1]}) not passed\n" in out
    assert "incomplete: 2 passed, and 3 are required\n" in out
    assert main(["run", f"--engine={GOOD}", "other", "--require=flash"]) == 1
    assert "profile flash: 2 cases (flash/exiled::cast, flash/exiled::exiled) not played" in capsys.readouterr().out


def test_a_disputed_case_is_asked_for_by_no_profile() -> None:
    results = [CaseResult("a::b", "fail", status="disputed"), CaseResult("a::c", "pass")]
    assert shortfalls(results, Demand(("all",)), {"all": ["a::c"]}) == []
    assert shortfalls(results, Demand(min_passing=2), {}) == ["incomplete: 1 passed, and 2 are required"]


# --- known failures


def test_a_known_failure_is_played_and_does_not_count_against_the_run(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", f"--engine={WRONG}", "--results=r.jsonl", known(ENTRY)]) == 0
    out = capsys.readouterr().out
    assert "  known failure: it forgets (https://example.org/1)\n" in out
    assert "5 cases: 3 passed, 1 failed (1 known), 1 disputed (not counted)\n" in out
    case = {case.case: case for case in read_results("r.jsonl").cases}[FAILING]
    assert (case.verdict, case.known) == ("fail", ("it forgets", "https://example.org/1"))


def test_a_known_failure_that_passes_is_an_error(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", f"--engine={GOOD}", known(ENTRY)]) == 1
    assert f"{FAILING} is listed as a known failure and passes: remove the entry" in capsys.readouterr().out


def test_an_entry_that_means_nothing_is_an_error(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stale = ENTRY + "- {case: flash/exiled::gone, reason: x, link: y}\n"
    assert main(["run", f"--engine={WRONG}", known(stale)]) == 4
    assert "known.yaml:4: there is no case 'flash/exiled::gone': remove the entry" in capsys.readouterr().err
    assert main(["run", f"--engine={GOOD}", "other", known(ENTRY)]) == 0


def test_what_does_not_pass_can_be_listed_and_pasted(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for engine in (WRONG, MUTE, MUTE.replace("Mute", "Half")):
        assert main(["run", f"--engine={engine}", "--write-known-failures"]) == 1
        shown = capsys.readouterr()
        assert "cases: " in shown.err
        assert main(["run", f"--engine={engine}", known(shown.out)]) == 0
        capsys.readouterr()
    assert main(["run", f"--engine={WRONG}", "--write-known-failures", known(ENTRY)]) == 0
    assert read_known_text(capsys.readouterr().out) == {FAILING: ("it forgets", "https://example.org/1")}
    assert main(["run", f"--engine={GOOD}", "--write-known-failures"]) == 0
    assert read_known_text(capsys.readouterr().out) == {}


def read_known_text(text: str) -> dict[str, tuple[str, str]]:
    Path("again.yaml").write_text(text, encoding="utf-8")
    return {case: (entry.reason, entry.link) for case, entry in read_known("again.yaml").entries.items()}


def test_a_listed_reason_is_text_whatever_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    message = "a: [b] # c\n'd' \"e\" {f} \x1b \u2028 " + "x" * 500
    listed = read_known_text(entries_text([CaseResult("a::b", "error", message)]))
    assert listed["a::b"][0].startswith("error: a: [b] # c 'd' \"e\" {f}")
    assert len(listed["a::b"][0]) <= 200


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{a: b}", ":1: expected a list"),
        ("- a", ":1: expected an entry"),
        ("- {case: a::b, link: x}", ":1: the entry has no 'reason'"),
        ("- {case: a::b, reason: '  ', link: x}", "the entry has no 'reason'"),
        ("- {reason: a, link: x}", "the entry has no 'case'"),
        ("- {case: 3, reason: a, link: x}", "the entry has no 'case'"),
        ("- {case: a::b, reason: a}", "the entry has no 'link'"),
        ("- {case: a::b, reason: a, link: [x]}", "the entry has no 'link'"),
        ("- {case: a::b, reason: a, link: x, why: y}", "unknown key 'why'"),
        ("- {case: a::b, reason: a, link: x}\n- {case: a::b, reason: a, link: x}", ":2: a::b is there twice"),
        ("- {case: a::b", "is no YAML"),
        ("- !!python/object:os.system {}", "is no YAML"),
    ],
)
def test_a_list_that_makes_no_sense_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "known.yaml"
    path.write_text(text)
    with pytest.raises(KnownProblem) as refused:
        read_known(path)
    assert message in str(refused.value)
    with pytest.raises(KnownProblem, match="cannot be read"):
        read_known(tmp_path / "nowhere")


# --- progress and summaries


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_has_one_line_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    out = Terminal()
    progress = Progress(2, out=out)
    progress("pass", "a::b")
    assert "\r1/2, 0 not passed  a::b" in out.getvalue()
    progress.clear()
    assert out.getvalue().endswith(" \r")
    assert "\n" not in out.getvalue()


def test_a_machine_has_a_few_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    for out in (io.StringIO(), Terminal()):
        progress = Progress(1000, out=out)
        for number in range(1000):
            progress("fail" if number == 3 else "pass", "a::b")
        progress.clear()
        lines = out.getvalue().splitlines()
        assert len(lines) == 10
        assert lines[0] == "judgecall: 100/1000 cases, 1 not passed"
        assert "\r" not in out.getvalue()


def test_who_wants_quiet_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for machine in ("", "true"):
        monkeypatch.setenv("CI", machine)
        out = Terminal()
        progress = Progress(10, quiet=True, out=out)
        for _ in range(10):
            progress("pass", "a::b")
        assert out.getvalue() == ""


def test_a_summary_for_the_page_of_a_job(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("job.md").write_text("before\n")
    run(WRONG, "r.jsonl", "--summary=job.md")
    text = Path("job.md").read_text(encoding="utf-8")
    assert text.startswith("before\n## judgecall: `forgetful 1`\n\n**not as required**: 5 cases: 3 passed, 1 failed")
    assert "| `flash` | 1/2 | 1 | 0 |\n| `other` | 2/2 | 0 | 0 |\n" in text
    assert f"| `{FAILING}` | fail | `Think Twice: zone: expected exile, got graveyard` |\n" in text
    capsys.readouterr()
    run(GOOD, "new.jsonl")
    capsys.readouterr()
    assert main(["summary", "new.jsonl", "--since", "r.jsonl"]) == 0
    shown = capsys.readouterr().out
    assert "**as required**" in shown
    assert "<details><summary>Better: 1</summary>\n\n| case | before | now |\n|---|---|---|\n" in shown
    assert f"| `{FAILING}` | fail | pass |" in shown


def test_nothing_in_a_summary_becomes_markup() -> None:
    hostile = "`` </details> | <script>\n## big\x1b[31m \u202e"
    text = summary(hostile, [CaseResult("a/b::c", "error", hostile)], [hostile])
    for line in text.splitlines():
        if "script" in line:
            assert line.count("|") - line.count("\\|") in (0, 4)
            assert "```" in line
    assert not [line for line in text.splitlines() if line.startswith("## big")]
    assert code("") == "`   `"
    assert code("a`b") == "``a`b``"
    assert len(code("x" * 1000)) < 310


# --- pytest


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Somebody else's project, with the small suite installed elsewhere."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:hypothesispytest")
    installed = pytester.path.parent / f"{pytester.path.name}-installed"
    installed.mkdir()
    root = install(installed, monkeypatch)
    monkeypatch.chdir(pytester.path)
    monkeypatch.setattr(plugin, "_suite_root", lambda: root)
    pytester.makepyfile(test_own="def test_own(): pass")
    return pytester


@pytest.mark.parametrize(
    ("engine", "options", "expected"),
    [
        (GOOD, [], 0),
        (WRONG, [], 1),
        ("Half", [], 1),
        ("Half", ["--allow-unsupported"], 0),
        ("Half", ["--require=other"], 0),
        ("Half", ["--require=flash"], 1),
        ("Half", ["--min-passing=3"], 1),
        (WRONG, ["--min-passing=3"], 1),
        (WRONG, ["known"], 0),
        (GOOD, ["known"], 1),
        (GOOD, ["--require=nothing"], 4),
        (GOOD, ["--shard=0/2"], 4),
        (GOOD, ["--shard=1/2", "--min-passing=1"], 4),
        (GOOD, ["--judgecall-results=no/such/folder/r.jsonl"], 4),
        (GOOD, ["--engine-file=nowhere"], 4),
        (GOOD, ["--known-failures=nowhere"], 4),
        (GOOD, ["-k", "nothing_like_it"], 5),
        (GOOD, ["-k", "test_own", "--require=all"], 1),
    ],
)
def test_pytest_ends_with_the_same_codes(
    project: pytest.Pytester, engine: str, options: list[str], expected: int
) -> None:
    name = f"py:tests.harness.toys:{engine}" if ":" not in engine else engine
    options = [known(ENTRY) if option == "known" else option for option in options]
    result = project.runpytest(f"--engine={name}", *options)
    assert result.ret == expected
    assert "Traceback" not in result.stderr.str() + result.stdout.str()


def test_pytest_says_incomplete(project: pytest.Pytester) -> None:
    result = project.runpytest("--engine=py:tests.harness.toys:Half")
    result.assert_outcomes(passed=3, skipped=2, xfailed=1)
    result.stdout.fnmatch_lines(["*:Half: 5 cases: 2 passed, 2 unsupported, 1 disputed (not counted); incomplete"])


def test_pytest_writes_the_file_that_run_writes(project: pytest.Pytester) -> None:
    project.runpytest(f"--engine={WRONG}", "--judgecall-results=p.jsonl")
    run(WRONG, "r.jsonl")
    one, other = read_results("p.jsonl"), read_results("r.jsonl")
    assert [case.case for case in one.cases] == CASES
    for mine, its in zip(one.cases, other.cases, strict=True):
        assert {**mine.to_json(), "seconds": 0} == {**its.to_json(), "seconds": 0}
    assert {**one.header.to_json(), "started": ""} == {**other.header.to_json(), "started": ""}


def test_pytest_tells_known_failures(project: pytest.Pytester) -> None:
    listed = known(ENTRY)
    result = project.runpytest(f"--engine={WRONG}", listed, "-rx")
    result.assert_outcomes(passed=4, xfailed=2)
    result.stdout.fnmatch_lines(["XFAIL *::exiled - known failure: it forgets https://example.org/1"])
    result = project.runpytest(f"--engine={GOOD}", listed)
    result.assert_outcomes(passed=4, failed=1, xfailed=1)
    result.stdout.fnmatch_lines(["*is listed as a known failure and passes: remove the entry*"])
    stale = known(ENTRY.replace("::exiled", "::gone"))
    result = project.runpytest(f"--engine={WRONG}", stale)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*known.yaml:1: there is no case 'flash/exiled::gone'*"])


@pytest.mark.parametrize("processes", [[], ["-n2"]])
def test_shards_of_pytest_are_those_of_run(
    project: pytest.Pytester, processes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = plugin._suite_root()
    monkeypatch.undo()
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:hypothesispytest")
    monkeypatch.chdir(project.path)
    shutil.copytree(root, "mine")
    for number in (1, 2):
        options = [f"--engine={WRONG}", "--cases=mine", f"--shard={number}/2", f"--judgecall-results={number}.jsonl"]
        project.runpytest_subprocess(*options, *processes)
    assert main(["merge", "1.jsonl", "2.jsonl", "-o", "merged.jsonl"]) == 0
    merged = read_results("merged.jsonl")
    assert [case.case for case in merged.cases] == CASES
    assert [case.verdict for case in merged.cases] == ["pass", "fail", "fail", "pass", "pass"]
    assert {case.case for case in read_results("1.jsonl").cases} < set(CASES)


def test_a_run_that_stops_early_leaves_a_file_that_is_refused(project: pytest.Pytester) -> None:
    project.runpytest(f"--engine={WRONG}", "--judgecall-results=r.jsonl", "-x")
    assert main(["certify", "r.jsonl"]) == 1
    text = Path("r.jsonl").read_text(encoding="utf-8")
    assert FAILING in text
    assert '"end"' not in text


def test_an_old_file_is_not_taken_for_the_new_one(project: pytest.Pytester) -> None:
    project.runpytest(f"--engine={GOOD}", "--judgecall-results=r.jsonl")
    (plugin._suite_root() / "flash" / "exiled.yaml").write_text("broken: [")
    assert project.runpytest(f"--engine={GOOD}", "--judgecall-results=r.jsonl").ret == 2
    with pytest.raises(ResultsError, match="cut off"):
        read_results("r.jsonl")


def test_a_process_that_dies_is_an_error_of_its_case(project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(plugin._suite_root(), "mine")
    monkeypatch.undo()
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}:{project.path}")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:hypothesispytest")
    monkeypatch.chdir(project.path)
    project.makepyfile(
        deadly="""
        import os
        from tests.harness.toys import Toy
        class Deadly(Toy):
            def act(self, action):
                os._exit(3)
        """
    )
    options = ["--engine=py:deadly:Deadly", "--cases=mine", "--judgecall-results=r.jsonl", "-n1", "mine"]
    assert project.runpytest_subprocess(*options).ret == 1
    verdicts = {case.case: case.verdict for case in read_results("r.jsonl").cases}
    assert verdicts == dict(zip(CASES, ("error", "error", "fail", "pass", "pass"), strict=True))


def test_junit_holds_what_a_results_file_holds(project: pytest.Pytester) -> None:
    project.runpytest(f"--engine={WRONG}", "--judgecall-results=r.jsonl", "--junitxml=out.xml")
    results = read_results("r.jsonl")
    root = ET.parse("out.xml").getroot()
    found = {}
    for case in root.iter("testcase"):
        result = result_of((each.get("name", ""), each.get("value", "")) for each in case.iter("property"))
        if result is not None:
            found[result.case] = result
    for expected in results.cases:
        there = found.pop(expected.case).to_json()
        assert {**there, "path": expected.path} == {**expected.to_json(), "path": expected.path}
    assert not found
    whole = {each.get("name"): each.get("value") for each in root.findall("testsuite/properties/property")}
    assert whole[f"{PREFIX}engine.name"] == "forgetful"
    assert whole[f"{PREFIX}suite.digest"] == results.header.suite_digest
    assert whole[f"{PREFIX}selection.cases"] == "5"


def test_a_run_without_cases_keeps_nothing(project: pytest.Pytester) -> None:
    result = project.runpytest("--junitxml=out.xml")
    result.assert_outcomes(passed=1)
    assert PREFIX not in Path("out.xml").read_text()
    assert suite.suite_root() == plugin._suite_root()
