"""What a table of an engine in ``pyproject.toml`` says, and what is wrong with one."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from textwrap import dedent

import pytest
from judgecall.adapters.process import Limits, ProcessEngine
from judgecall.harness.engine_tables import EngineProblem, Table, read_table
from judgecall.harness.engines import open_engine
from judgecall.harness.runner import plan, run
from judgecall.harness.side_by_side import RunEnded
from judgecall.harness.suite import select
from judgecall.harness.verdicts import CaseResult

STANDIN = Path(__file__).parent.parent / "adapters" / "standin.py"


def table(text: str, home: Path) -> Table:
    return read_table("mine", tomllib.loads(dedent(text)), home)


def test_everything_that_a_command_may_say(tmp_path: Path) -> None:
    read = table(
        """
        command = ["java", "-jar", "x.jar"]
        arguments = ["--fast"]
        folder = "engine"
        environment = {MINE_HOME = "here"}
        limits = {start = 120, request = 1.5, case = 30, stop = 1, line = 1000, restarts = 0}
        processes = 3
        log = "wire.log"
        build = "mvn package"
        """,
        tmp_path,
    )
    assert read == Table(
        "mine",
        tmp_path / "engine",
        command=("java", "-jar", "x.jar", "--fast"),
        environment={"MINE_HOME": "here"},
        limits=Limits(start=120.0, request=1.5, case=30.0, stop=1.0, line=1000, restarts=0),
        processes=3,
        log=tmp_path / "wire.log",
        build="mvn package",
    )


def test_a_command_may_be_one_text(tmp_path: Path) -> None:
    assert table("command = 'node \"my engine.js\" -v'", tmp_path).command == ("node", "my engine.js", "-v")


def test_a_class_may_be_isolated(tmp_path: Path) -> None:
    read = table('class = "py:a.b:C"\narguments = {deep = 3}\nisolated = true\nlimits = {case = 5}', tmp_path)
    assert (read.class_, read.keywords, read.isolated, read.limits.case) == ("a.b:C", {"deep": 3}, True, 5.0)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "needs either 'class' or 'command'"),
        ('class = "a:B"\ncommand = "x"', "needs either 'class' or 'command'"),
        ("class = 3", "class: expected 'module:Class', not 3"),
        ("command = []", "command: expected a program and its arguments"),
        ('command = [""]', "command: expected a program and its arguments"),
        ("command = [3]", "command: expected a list of texts, not [3]"),
        ('comand = "x"', "[tool.judgecall.engines] has no 'comand'; did you mean 'command'?"),
        ('command = "x"\nzzz = 1', "has no 'zzz'; there are: class, command"),
        ('command = "x"\nlimits = {requests = 1}', "limits has no 'requests'; did you mean 'request'?"),
        ('command = "x"\nlimits = {request = 0}', "limits.request: expected seconds, not 0"),
        ('command = "x"\nlimits = {request = true}', "limits.request: expected seconds, not True"),
        ('command = "x"\nlimits = {request = nan}', "limits.request: expected seconds, not nan"),
        ('command = "x"\nlimits = {restarts = 1.5}', "limits.restarts: expected a whole number from 0 on, not 1.5"),
        ('command = "x"\nlimits = 3', "limits: expected a table, not 3"),
        ('command = "x"\nprocesses = 0', "processes: expected a whole number from 1 on, not 0"),
        ('command = "x"\nenvironment = {A = 1}', "environment: expected names with texts"),
        ('command = "x"\narguments = {a = 1}', "arguments: expected a list of texts"),
        ('command = "x"\nfolder = 3', "folder: expected text, not 3"),
        ('class = "a:B"\narguments = ["x"]', "arguments: of a class, expected a table"),
        ('class = "a:B"\nlimits = {case = 3}', "'limits' is for an engine in a process of its own: add 'isolated"),
        ('class = "a:B"\nisolated = "yes"', "isolated: expected true or false, not 'yes'"),
    ],
)
def test_mistakes_are_told(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(EngineProblem) as caught:
        table(text, tmp_path)
    assert told in str(caught.value)


def project(folder: Path, text: str) -> Path:
    (folder / "pyproject.toml").write_text(dedent(text))
    return folder


def quoted(*words: str) -> str:
    return "[" + ", ".join(f"'{word}'" for word in words) + "]"


def test_a_command_runs_in_its_folder_with_its_environment(tmp_path: Path) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "mine.py").write_text(
        "import json, os, sys\n"
        "for line in sys.stdin:\n"
        "    told = json.loads(line)\n"
        "    name = f\"{os.path.basename(os.getcwd())} {os.environ['MINE']} {sys.argv[1]}\"\n"
        '    print(json.dumps({"id": told["id"], "reply": "done", "protocol": 1, "name": name, "version": "1"}))\n'
        "    sys.stdout.flush()\n"
        "    if told['command'] == 'bye': break\n"
    )
    home = project(
        tmp_path,
        f"""
        [tool.judgecall.engines.mine]
        command = {quoted(sys.executable, "mine.py")}
        arguments = ["fast"]
        folder = "engine"
        environment = {{MINE = "mine"}}
        """,
    )
    opened = open_engine("mine", folder=home)
    assert opened.description.name == "engine mine fast"
    assert opened.close() is None


@pytest.mark.skipif(os.name != "posix", reason="what is executable is said otherwise on Windows")
def test_a_program_is_looked_for_in_the_folder_of_the_engine(tmp_path: Path) -> None:
    (tmp_path / "engine").mkdir()
    program = tmp_path / "engine" / "run"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(str(STANDIN))} "$@"\n')
    home = project(
        tmp_path,
        """
        [tool.judgecall.engines.mine]
        command = ["./run", "StandIn"]
        folder = "engine"
        """,
    )
    with pytest.raises(EngineProblem, match="run cannot be started: it is not executable"):
        open_engine("mine", folder=home)
    program.chmod(0o755)
    opened = open_engine("mine", folder=home)
    assert opened.title == "stand-in 1"
    opened.close()


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    home = project(tmp_path, '[tool.judgecall.engines.mine]\ncommand = "python"\nfolder = "nowhere"')
    with pytest.raises(EngineProblem, match=r"there is no folder .*nowhere"):
        open_engine("mine", folder=home)


def test_a_command_that_is_no_engine_is_told(tmp_path: Path) -> None:
    with pytest.raises(EngineProblem, match=r"engine 'cmd:.*': asked to hello, it ended \(exit status 1\)") as caught:
        open_engine(f'cmd:"{sys.executable}" -c "import sys; sys.exit(1)"', folder=tmp_path)
    assert "does not say what it is" not in str(caught.value)


@pytest.mark.parametrize(
    ("engine", "wrong"),
    [
        ("command = 'bin/engine'", r"bin.engine cannot be started: it is not there"),
        (f"command = {[sys.executable, 'engine.py']}", r"asked to hello, it ended \(exit status 2\)"),
        ("class = 'compiled:Engine'", r"cannot be imported: ModuleNotFoundError"),
        ("class = 'compiled:Engine'\nisolated = true", r"asked to hello, it ended"),
    ],
)
def test_where_an_engine_does_not_start_it_is_told_how_it_is_built(engine: str, wrong: str, tmp_path: Path) -> None:
    home = project(tmp_path, f"[tool.judgecall.engines.mine]\n{engine}\nbuild = 'make all'\nfolder = '.'")
    with pytest.raises(EngineProblem, match=wrong) as caught:
        open_engine("mine", folder=home)
    assert str(caught.value).endswith(f"\nif it has not been built yet, in {home.absolute()}: make all")


def test_a_program_that_is_not_there_may_have_to_be_built(tmp_path: Path) -> None:
    with pytest.raises(EngineProblem, match=r"it is not there; if it has to be built, that comes first$"):
        open_engine("cmd:bin/engine", folder=tmp_path)


def test_a_class_in_a_process_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "own.py").write_text(
        dedent(
            """
            import os
            from judgecall.adapters.engine import Description, Engine
            class Own(Engine):
                def __init__(self, name):
                    self.name = name
                    print("this must not get among the messages")
                def describe(self):
                    return Description(self.name, os.environ["OWN"])
                def start(self, given, decide): ...
                def act(self, action): ...
                def view(self): ...
            """
        )
    )
    home = project(
        tmp_path,
        """
        [tool.judgecall.engines.mine]
        class = "own:Own"
        arguments = {name = "own"}
        folder = "engine"
        environment = {OWN = "7"}
        isolated = true
        """,
    )
    opened = open_engine("mine", folder=home)
    assert isinstance(opened.engine, ProcessEngine)
    assert opened.title == "own 7"
    assert "own" not in sys.modules
    assert opened.close() is None


def case_files(folder: Path, count: int, trigger: int | None = None) -> str:
    """A folder with so many cases, of which one may set the stand-in's fault off."""
    for number in range(count):
        card = "Trigger" if number == trigger else "Forest"
        (folder / f"c{number:02}.yaml").write_text(
            f"ruling: t/c{number:02}\ncases: [{{case: c, given: {{alice: {{battlefield: [{card}]}}}}, "
            f"then: {{{card}: {{zone: battlefield}}}}}}]\n"
        )
    return str(folder)


def engine_of(home: Path, fault: str, more: str) -> Path:
    return project(
        home,
        f"""
        [tool.judgecall.engines.mine]
        command = {quoted(sys.executable, str(STANDIN), fault)}
        {more}
        """,
    )


def test_several_play_side_by_side_and_results_keep_their_order(tmp_path: Path) -> None:
    (tmp_path / "cases").mkdir()
    planned = plan(select([case_files(tmp_path / "cases", 30, trigger=7)]))
    opened = open_engine("mine", folder=engine_of(tmp_path, "Crash", "processes = 3\nlog = 'wire.log'"))
    try:
        results = list(run(planned, opened))
    finally:
        opened.close()
    assert [result.case for result in results] == [f"t/c{number:02}::c" for number in range(30)]
    assert [number for number, result in enumerate(results) if result.verdict != "pass"] == [7]
    assert results[7].verdict == "error"
    # Three to begin with, and one in place of the one that crashed.
    assert (tmp_path / "wire.log").read_text().count('"hello"') == 4


@pytest.mark.parametrize("processes", [1, 2])
def test_a_run_ends_with_the_last_restart(tmp_path: Path, processes: int) -> None:
    (tmp_path / "cases").mkdir()
    planned = plan(select([case_files(tmp_path / "cases", 12, trigger=2)]))
    more = f"limits = {{restarts = 0}}\nprocesses = {processes}"
    opened = open_engine("mine", folder=engine_of(tmp_path, "Crash", more))
    results: list[CaseResult] = []
    try:
        with pytest.raises(RunEnded, match="failed once, and a run has 0 restarts"):
            results.extend(run(planned, opened))
    finally:
        opened.close()
    verdicts = [result.verdict for result in results]
    assert verdicts[:3] == ["pass", "pass", "error"]
    assert len(verdicts) < 12


def test_a_run_that_fails_with_its_last_case_is_whole(tmp_path: Path) -> None:
    (tmp_path / "cases").mkdir()
    planned = plan(select([case_files(tmp_path / "cases", 3, trigger=2)]))
    opened = open_engine("mine", folder=engine_of(tmp_path, "Crash", "limits = {restarts = 0}"))
    try:
        assert [result.verdict for result in run(planned, opened)] == ["pass", "pass", "error"]
    finally:
        opened.close()


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_pytest_ends_with_the_last_restart(tmp_path: Path, workers: tuple[str, ...]) -> None:
    (tmp_path / "cases").mkdir()
    case_files(tmp_path / "cases", 40, trigger=2)
    engine_of(tmp_path, "Crash", "limits = {restarts = 0}")
    words = [sys.executable, "-m", "pytest", "-q", "--engine=mine", "--cases=cases", "-p", "no:cacheprovider", *workers]
    ended = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 2, ended.stdout
    assert "the run ends before its last case: the engine failed once" in ended.stdout
    assert "40 passed" not in ended.stdout


def test_judgecall_run_ends_with_the_last_restart(tmp_path: Path) -> None:
    (tmp_path / "cases").mkdir()
    case_files(tmp_path / "cases", 12, trigger=2)
    engine_of(tmp_path, "Crash", "limits = {restarts = 0}")
    words = [sys.executable, "-m", "judgecall.harness.cli", "run", "cases", "--engine=mine", "--results=out.jsonl"]
    ended = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 2, ended.stderr
    assert "the run ends before its last case: the engine failed once" in ended.stderr
    assert "t/c02::c: error" in ended.stdout
