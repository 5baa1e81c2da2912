"""The pytest plugin."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from judgecall.harness import engines, play, plugin, runner, suite

from tests.harness import toys
from tests.harness.test_cli import BROKEN, FORGETFUL, GOOD, MUTE, OPEN, TOY

# A run within the test forgets what it imports: what it needs is imported here, once.
LOADED = (engines, play, runner, toys)
ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Somebody else's project, with a test, with YAML of its own, and a suite installed elsewhere."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    # Its header imports all of hypothesis, in every run.
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:hypothesispytest")
    pytester.makepyfile(test_own="def test_own(): pass")
    pytester.makefile(".yaml", config="some: thing", good=GOOD)
    root = pytester.path.parent / f"{pytester.path.name}-installed" / "cases"
    folder = root / "flash-back" / "709"
    folder.mkdir(parents=True)
    (root / "__init__.py").write_text("raise ImportError('the suite is not to be imported')")
    (folder / "good.yaml").write_text(
        GOOD.replace("own/good", "flash-back/709/good").replace(
            'rules: ["702.34a"]\n', 'rules: ["702.34a", "601"]\nsummary: {en: x.}\nsources: [%s]\n'
        )
        % ("{card: a, publisher: b, date: 2025-01-01, language: en, digest: 'sha256:" + "0" * 64 + "'}")
    )
    (folder / "_left_out.yaml").write_text("not: a ruling")
    shutil.copy(ROOT / "cases" / "_suite.yaml", root)
    monkeypatch.setattr(plugin, "_suite_root", lambda: root)
    monkeypatch.setattr(suite, "suite_root", lambda: root)
    return pytester


def ids(result: pytest.RunResult) -> list[str]:
    """The node ids that a `--collect-only -q` run shows."""
    return [line for line in result.outlines if "::" in line]


SUITE = ["cases/flash-back/709/good.yaml::cast", "cases/flash-back/709/good.yaml::exiled"]


def test_without_an_option_nothing_is_added(project: pytest.Pytester) -> None:
    assert ids(project.runpytest("--collect-only", "-q")) == ["test_own.py::test_own"]


def test_an_engine_adds_the_suite(project: pytest.Pytester) -> None:
    assert ids(project.runpytest("--collect-only", "-q", TOY)) == ["test_own.py::test_own", *SUITE]
    project.runpytest(TOY).assert_outcomes(passed=3)


def test_who_names_files_gets_these_alone(project: pytest.Pytester) -> None:
    assert ids(project.runpytest("--collect-only", "-q", TOY, "test_own.py")) == ["test_own.py::test_own"]


def test_the_suite_s_folder_and_files_can_be_named(project: pytest.Pytester) -> None:
    root = plugin._suite_root()
    good = root / "flash-back" / "709" / "good.yaml"
    for named, cases in ((root, SUITE), (good, SUITE), (f"{good}::exiled", SUITE[1:])):
        assert ids(project.runpytest("--collect-only", "-q", TOY, str(named))) == cases


def test_a_suite_within_the_project_is_collected_once(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = project.path / "cases"
    inside.mkdir()
    (inside / "good.yaml").write_text(
        (plugin._suite_root() / "flash-back" / "709" / "good.yaml").read_text().replace("flash-back/709/", "")
    )
    monkeypatch.setattr(plugin, "_suite_root", lambda: inside)
    expected = ["cases/good.yaml::cast", "cases/good.yaml::exiled", "test_own.py::test_own"]
    assert ids(project.runpytest("--collect-only", "-q", TOY)) == expected
    assert ids(project.runpytest("--collect-only", "-q")) == expected
    assert ids(project.runpytest("--collect-only", "-q", "cases/good.yaml::cast")) == expected[:1]
    assert sorted(ids(project.runpytest("--collect-only", "-q", "test_own.py", "cases"))) == expected


def test_a_suite_in_an_environment_within_the_project_is_added(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (".venv", "env"):
        inside = project.path / folder / "lib" / "cases"
        inside.mkdir(parents=True)
        (project.path / folder / "pyvenv.cfg").write_text("")
        (inside / "good.yaml").write_text(
            (plugin._suite_root() / "flash-back" / "709" / "good.yaml").read_text().replace("flash-back/709/", "")
        )
        with monkeypatch.context() as patch:
            patch.setattr(plugin, "_suite_root", lambda inside=inside: inside)
            assert len(ids(project.runpytest("--collect-only", "-q", TOY))) == 3


def test_one_case_is_found_by_its_id(project: pytest.Pytester) -> None:
    for id_, cases in (("flash-back/709/good::exiled", SUITE[1:]), ("flash-back/709/good", SUITE)):
        assert ids(project.runpytest("--collect-only", "-q", TOY, "--case", id_)) == cases
    both = [f"--case={node}" for node in ("flash-back/709/good::exiled", "flash-back/709/good::cast")]
    assert sorted(ids(project.runpytest("--collect-only", "-q", TOY, *both))) == SUITE
    project.runpytest(TOY, *both).assert_outcomes(passed=2)


def test_an_unknown_case_is_wrong_usage(project: pytest.Pytester) -> None:
    result = project.runpytest(TOY, "--case", "flash-back/709/god")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines("*there is no case 'flash-back/709/god'; did you mean flash-back/709/good?")
    assert project.runpytest(TOY, "--case", "flash-back/709/good::x").ret == pytest.ExitCode.USAGE_ERROR
    assert project.runpytest(TOY, "--case", "../x").ret == pytest.ExitCode.USAGE_ERROR


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--engine=nobody"], "*there is no engine 'nobody'; there are: *oracle*"),
        (["--engine=cmd:x"], "*there is no command 'x' on the PATH*"),
        ([TOY, "--fault=x"], "*has no fault 'x'; there are: forgets flashback"),
        ([TOY, "--cases=nowhere"], "*--cases: nowhere is no file or folder"),
    ],
)
def test_wrong_usage_ends_the_run(project: pytest.Pytester, options: list[str], message: str) -> None:
    result = project.runpytest(*options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(message)
    assert "Traceback" not in result.stderr.str()


def test_a_folder_of_cases_takes_the_place_of_the_suite(project: pytest.Pytester) -> None:
    other = project.mkdir("mine")
    (other / "open.yaml").write_text(OPEN)
    (other / "good.yaml").write_text(GOOD)
    collected = ids(project.runpytest("--collect-only", "-q", TOY, "--cases=mine"))
    assert collected == [
        "mine/good.yaml::cast",
        "mine/good.yaml::exiled",
        "mine/open.yaml::open",
        "mine/open.yaml::argued",
        "test_own.py::test_own",
    ]
    alone = project.runpytest("--collect-only", "-q", TOY, "--cases=mine", "--case=own/good::exiled")
    assert ids(alone) == ["mine/good.yaml::exiled"]
    named = project.runpytest("--collect-only", "-q", TOY, "--cases=mine", "test_own.py")
    assert len(ids(named)) == 5


def test_a_failure_is_shown_whole_and_without_a_traceback(project: pytest.Pytester) -> None:
    result = project.runpytest(FORGETFUL)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            "flash-back/709/good::exiled: fail",
            "  It is exiled",
            "*good.yaml:11",
            "    1. {cast: Think Twice, using: *flashback*}",
            "  Think Twice: zone",
            "    expected: exile",
            "    actual:   graveyard",
            "  rule: CR 702.34a, CR 601",
            "  board:",
            "    turn 1, alice's precombat main; alice has priority",
            "  alone: pytest --engine=py:tests.harness.toys:Forgetful --case=flash-back/709/good::exiled",
            "*= judgecall =*",
            "py:tests.harness.toys:Forgetful: 2 cases: 1 passed, 1 failed",
        ]
    )
    for noise in ("Traceback", "plugin.py", "CaseFailed"):
        result.stdout.no_fnmatch_line(f"*{noise}*")


def test_the_command_that_is_shown_runs_the_case_alone(project: pytest.Pytester) -> None:
    shown = next(line for line in project.runpytest(FORGETFUL).outlines if "  alone: pytest" in line)
    project.runpytest(*shown.split()[2:]).assert_outcomes(failed=1)


def test_unsupported_is_a_skip_with_its_reason(project: pytest.Pytester) -> None:
    result = project.runpytest(MUTE, "-rs")
    result.assert_outcomes(passed=1, skipped=2)
    result.stdout.fnmatch_lines(
        [
            "*:Mute: 2 cases: 2 unsupported; incomplete",
            "  2 unsupported for card: Think Twice",
            "SKIPPED*good.yaml:*: unsupported card: Think Twice",
        ]
    )


def test_a_mistake_in_a_case_fails(project: pytest.Pytester) -> None:
    (project.mkdir("mine") / "open.yaml").write_text(OPEN)
    result = project.runpytest(TOY, "--cases=mine", "-rxX")
    result.assert_outcomes(passed=1, failed=1, xfailed=1)
    result.stdout.fnmatch_lines(
        [
            "own/open::open: invalid",
            "  alice is asked targets (target), on offer: *, and the case does not answer",
            "*: 2 cases: 1 invalid, 1 disputed (not counted)",
            "  disputed, not counted: own/open::argued: fail",
            "XFAIL mine/open.yaml::argued - disputed: two readings",
        ]
    )


def test_a_disputed_case_that_passes_is_shown_and_does_not_fail(project: pytest.Pytester) -> None:
    (project.mkdir("mine") / "open.yaml").write_text(OPEN.replace("life: 4", "life: 3"))
    result = project.runpytest(TOY, "--cases=mine", "--case=own/open::argued")
    result.assert_outcomes(xpassed=1)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["  disputed, not counted: own/open::argued: pass"])


def test_beside_a_mistake_in_one_case_the_others_of_the_file_are_played(project: pytest.Pytester) -> None:
    whole = "  - {case: whole, given: {alice: {life: 3}}, then: {alice: {life: 3}}}\n"
    (project.mkdir("mine") / "broken.yaml").write_text(BROKEN + whole)
    result = project.runpytest(TOY, "--cases=mine", "--judgecall-results=out.jsonl", "-v")
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(["*broken.yaml::whole PASSED*", "*broken.yaml:4:21: unknown key 'hnad'*"])


def test_a_broken_file_is_a_collection_error_with_all_its_problems(project: pytest.Pytester) -> None:
    (project.mkdir("mine") / "broken.yaml").write_text(BROKEN)
    result = project.runpytest(TOY, "--cases=mine")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*broken.yaml:4:21: unknown key 'hnad'*'hand'*", "*broken.yaml:6:*twenty*"])
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*plugin.py*")


def test_cases_are_marked_by_folder_and_rule(project: pytest.Pytester) -> None:
    for expression, count in (
        ("flash_back", 2),
        ("cr_709", 2),
        ("cr_702_34a", 2),
        ("cr_702", 2),
        ("cr_601", 2),
        ("not cr_702_34", 1),
    ):
        result = project.runpytest("--collect-only", "-q", "--strict-markers", TOY, "-m", expression)
        assert len(ids(result)) == count, expression
    unknown = project.runpytest("--strict-markers", TOY, "-m", "cr_702_34b")
    unknown.stderr.fnmatch_lines("*Unknown marker*cr_702_34b*")


def test_a_fault_is_failed(project: pytest.Pytester) -> None:
    result = project.runpytest(TOY, "--fault=forgets flashback")
    result.assert_outcomes(passed=2, failed=1)
    alone = "  alone: pytest --engine=* '--fault=forgets flashback' --case=flash-back/709/good::exiled"
    result.stdout.fnmatch_lines([alone])


def test_cases_run_in_several_processes(project: pytest.Pytester) -> None:
    folder = project.mkdir("mine")
    (folder / "good.yaml").write_text(GOOD)
    (folder / "open.yaml").write_text(OPEN)
    result = project.runpytest_subprocess(FORGETFUL, "--cases=mine", "-n2", "--strict-markers")
    result.assert_outcomes(passed=2, failed=2, xfailed=1)
    result.stdout.fnmatch_lines(
        [
            "own/good::exiled: fail",
            "*Forgetful: 4 cases: 1 passed, 2 failed, 1 disputed (not counted)",
        ]
    )


def test_an_engine_is_made_once_and_closed(project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[toys.Toy] = []
    closed: list[toys.Toy] = []

    class Counted(toys.Toy):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

        def close(self) -> None:
            closed.append(self)

    monkeypatch.setattr(toys, "Counted", Counted, raising=False)
    project.runpytest("--engine=py:tests.harness.toys:Counted").assert_outcomes(passed=3)
    assert len(made) == 1
    assert closed == made


def test_junit_has_the_verdict(project: pytest.Pytester) -> None:
    project.runpytest(MUTE, "--junitxml=out.xml")
    text = (project.path / "out.xml").read_text()
    assert '<property name="judgecall.case" value="flash-back/709/good::cast"' in text
    assert '<property name="judgecall.verdict" value="unsupported"' in text


def test_the_installed_suite_runs_by_its_package_name(pytester: pytest.Pytester) -> None:
    """The real suite, a folder of it, from somewhere else."""
    result = pytester.runpytest("--collect-only", "-q", "--pyargs", "judgecall.cases", MUTE)
    collected = ids(result)
    assert len(collected) > 10
    assert all(node.startswith("cases/") and ".yaml::" in node for node in collected)


def test_the_plugin_costs_little_where_it_is_not_used() -> None:
    """Importing it must not import what plays cases, nor what reads them."""
    code = (
        "import sys, pytest; before = set(sys.modules); import judgecall.harness.plugin; "
        "print(*set(sys.modules) - before)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if name.startswith(("judgecall", "yaml", "jsonschema"))}
    assert loaded <= {"judgecall", "judgecall.harness", "judgecall.harness.plugin"}
