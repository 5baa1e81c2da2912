"""Starting points: each is copied as a user would, builds, says hello, and says ``unsupported`` to the rest."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from judgecall.adapters.process import Limits, ProcessEngine
from judgecall.harness.cli import main
from judgecall.harness.doctor import doctor, examine
from judgecall.harness.engine_commands import STARTING_POINTS
from judgecall.harness.engine_tables import read_table
from judgecall.harness.engines import Opened, open_engine
from judgecall.harness.runner import plan, run
from judgecall.harness.suite import select

# The programs that each needs, and the commands that build it.
TOOLCHAINS = {
    "python": ((), ()),
    "javascript": (("node",), ()),
    "java": (("javac", "java"), (("javac", "-Xlint:all,-serial", "-Werror", "-d", "build", "*.java"),)),
    "rust": (("cargo",), (("cargo", "build", "--release", "--offline", "--quiet"),)),
}
TEMPLATES = [name for name in STARTING_POINTS if not name.endswith("-example")]


@pytest.fixture(autouse=True)
def own_modules() -> Iterator[None]:
    """What an adapter in Python is called, and where it is, is forgotten before the next test."""
    before = list(sys.path)
    yield
    sys.path[:] = before
    for name in ("adapter", "tiny"):
        sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folders of the templates that have been built so far."""
    return {}


def template(name: str, built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A template in a folder of its own, built."""
    programs, builds = TOOLCHAINS[name]
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"there is no {program} here")
    if name not in built:
        folder = tmp_path_factory.mktemp("templates") / name
        assert main(["new", name, str(folder)]) == 0
        for command in builds:
            words = [
                path.name if "*" in word else word
                for word in command
                for path in (sorted(folder.glob(word)) if "*" in word else [Path()])
            ]
            subprocess.run(words, cwd=folder, check=True, timeout=300)
        built[name] = folder
    return built[name]


def opened(folder: Path, name: str) -> Opened:
    return open_engine(name, folder=folder)


def test_there_is_one_for_each_language() -> None:
    assert sorted(TEMPLATES) == sorted(TOOLCHAINS)


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_says_hello_and_unsupported_to_all_else(
    name: str, built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    engine = opened(template(name, built, tmp_path_factory), "my-engine")
    try:
        assert engine.title.startswith("my-engine 0.1")
        assert engine.description.language.lower() == name
        assert not engine.description.capabilities
        results = list(run(plan(select(["flashback/timing", "face-down/manifest"])), engine))
        assert len(results) > 10
        assert {result.verdict for result in results} == {"unsupported"}
        assert engine.engine.supports("card", ["Plains"]) == frozenset()
        if isinstance(engine.engine, ProcessEngine):
            pid = engine.engine.pid
            results = list(run(plan(select(["flashback/timing"])), engine))
            assert engine.engine.pid == pid
    finally:
        assert engine.close() is None


@pytest.mark.parametrize("name", TEMPLATES)
def test_the_doctor_finds_nothing_wrong_with_a_template(
    name: str, built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    out = io.StringIO()
    engine = opened(template(name, built, tmp_path_factory), "my-engine")
    assert doctor(select(["flashback/timing"]), engine, out)
    text = out.getvalue()
    assert "broken" not in text
    assert "next: the card Plains" in text
    assert "1. card Plains: opens none alone" in text


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_s_questions_can_be_given_up(
    name: str, built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Text outside ASCII, unknown fields and an end of input without farewell do no harm."""
    engine = opened(template(name, built, tmp_path_factory), "my-engine").engine
    if not isinstance(engine, ProcessEngine):
        pytest.skip("it is no process")
    try:
        engine.talk("ping", {"later": {"x": [1, 2.5, None, True, 'Jötun\u2028😀\\"\n']}})
        assert engine.supports("card", ["Jötun Owl Keeper", "😀"]) == frozenset()
    finally:
        engine.close()


# --- the examples

FOLDER = Path(__file__).parent.parent.parent / "adapters" / "examples"


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")
def test_the_example_in_javascript_plays_a_handful_of_cases_and_is_never_wrong(tmp_path: Path) -> None:
    assert main(["new", "javascript-example", str(tmp_path / "js")]) == 0
    engine = opened(tmp_path / "js", "small-javascript")
    try:
        findings = list(examine(engine.engine))
        assert {finding.how for finding in findings} == {"ok"}, findings
        results = list(run(plan(select([])), engine))
    finally:
        assert engine.close() is None
    verdicts = [result.verdict for result in results]
    assert set(verdicts) == {"pass", "unsupported"}
    assert verdicts.count("pass") >= 12
    assert any(result.case.startswith("flashback/exiled") and result.verdict == "pass" for result in results)


def test_the_wire_of_the_example_is_that_of_the_template() -> None:
    template_ = FOLDER.parent / "templates" / "javascript" / "wire.mjs"
    assert (FOLDER / "javascript" / "wire.mjs").read_bytes() == template_.read_bytes()


def test_the_example_in_python_is_a_whole_adapter_in_less_than_a_hundred_lines(tmp_path: Path) -> None:
    assert len((FOLDER / "python" / "adapter.py").read_text(encoding="utf-8").splitlines()) < 100
    assert main(["new", "python-example", str(tmp_path / "py")]) == 0
    engine = opened(tmp_path / "py", "tiny")
    try:
        results = list(run(plan(select(["flashback"])), engine))
    finally:
        engine.close()
    verdicts = {result.case: result.verdict for result in results}
    assert verdicts["flashback/exiled-whatever-happens::resolved"] == "pass"
    assert list(verdicts.values()).count("pass") >= 3
    # The tiny engine has no limit to the size of a hand, and the suite says so.
    failed = [case for case, verdict in verdicts.items() if verdict not in ("pass", "unsupported")]
    assert failed == ["flashback/never-cast-before::discarded-at-the-end-of-the-turn"]


# --- the README


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")
def test_the_readme_leads_to_a_first_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    blocks = dict(re.findall(r"^```(js|yaml)\n(.*?)^```", text, re.M | re.S))
    folder = tmp_path / "my-engine"
    assert main(["new", "javascript", str(folder)]) == 0
    (folder / "engine.mjs").write_text(blocks["js"], encoding="utf-8")
    (folder / "first.yaml").write_text(blocks["yaml"], encoding="utf-8")
    run_ = [sys.executable, "-m", "judgecall.harness.cli", "run", "first.yaml", "--engine=my-engine"]
    told = subprocess.run(run_, cwd=folder, capture_output=True, text=True, timeout=120, check=True).stdout
    assert told in text
    (folder / "first.yaml").write_text(blocks["yaml"].replace("[2 Plains]", "[3 Plains]"), encoding="utf-8")
    failed = subprocess.run(run_, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert failed.returncode == 1
    assert "expected: ['3 Plains']" in failed.stdout or "expected: [3 Plains]" in failed.stdout
    engine = opened(folder, "my-engine")
    try:
        assert not [each for each in examine(engine.engine) if each.how == "broken" and "playing" in each.told]
    finally:
        engine.close()


def test_the_readme_s_table_is_taken(tmp_path: Path) -> None:
    text = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    table = re.findall(r"^```toml\n(.*?)^```", text, re.M | re.S)[0]
    read = read_table("mine", tomllib.loads(table)["tool"]["judgecall"]["engines"]["mine"], tmp_path)
    assert read.limits == Limits()
    assert read.command == ("java", "-jar", "adapter.jar", "--fast")


def test_the_readme_s_words_of_the_doctor_are_the_doctor_s(
    built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    out = io.StringIO()
    doctor(select(["flashback/timing"]), opened(template("javascript", built, tmp_path_factory), "my-engine"), out)
    told = re.sub(r"in \d+\.\d\d ms", "in 0.12 ms", out.getvalue()).splitlines()
    shown = re.findall(r"^```\n(my-engine 0.1 \(.*?)^…", text, re.M | re.S)[0].splitlines()
    assert told[: len(shown)] == shown
