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
from judgecall.adapters.engine import Illegal, Pass, Question, Unsupported
from judgecall.adapters.process import Limits, ProcessEngine
from judgecall.harness.cli import main
from judgecall.harness.doctor import doctor, examine
from judgecall.harness.engine_commands import STARTING_POINTS
from judgecall.harness.engine_tables import read_table
from judgecall.harness.engines import Opened, open_engine
from judgecall.harness.runner import plan, run
from judgecall.harness.suite import select
from judgecall.schema.model import Given, PlayerGiven

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
    for program in TOOLCHAINS[name][0]:
        if shutil.which(program) is None:
            pytest.skip(f"there is no {program} here")
    if name not in built:
        folder = tmp_path_factory.mktemp("templates") / name
        assert main(["new", name, str(folder)]) == 0
        build(name, folder)
        built[name] = folder
    return built[name]


def build(name: str, folder: Path) -> None:
    """Build what is in a folder as the template says."""
    for command in TOOLCHAINS[name][1]:
        words = [
            path.name if "*" in word else word
            for word in command
            for path in (sorted(folder.glob(word)) if "*" in word else [Path()])
        ]
        subprocess.run(words, cwd=folder, check=True, timeout=300)


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


@pytest.mark.parametrize("name", [name for name in TEMPLATES if TOOLCHAINS[name][1]])
def test_the_doctor_says_how_a_template_is_built(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if shutil.which(TOOLCHAINS[name][0][0]) is None:
        pytest.skip(f"there is no {TOOLCHAINS[name][0][0]} here")
    assert main(["new", name, str(tmp_path / "mine")]) == 0
    _, _, build, doctor = (line.strip() for line in capsys.readouterr().out.splitlines())
    monkeypatch.chdir(tmp_path / "mine")
    assert main(doctor.split()[1:]) == 1
    assert f"if it has not been built yet, in {tmp_path / 'mine'}: {build}\n" in capsys.readouterr().out
    subprocess.run(build.split(), check=True, timeout=300, capture_output=True)
    assert main([*doctor.split()[1:], "flashback/timing"]) == 0


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
def test_a_template_reads_any_text(name: str, built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> None:
    engine = opened(template(name, built, tmp_path_factory), "my-engine").engine
    if not isinstance(engine, ProcessEngine):
        pytest.skip("it is no process")
    try:
        engine.talk("ping", {"later": {"x": [1, 2.5, None, True, 'Jötun\u2028😀\\"\n'], "y": {}, "z": []}})
        with pytest.raises(Unsupported) as caught:
            engine.talk('Jötun\u2028😀\\"\n', {})
        assert caught.value.name == 'Jötun\u2028😀\\"\n'
    finally:
        engine.close()


# Engines on the wire of each template that ask for a color as soon as something is done: red is illegal.
ASKING = {
    "javascript": (
        "engine.mjs",
        """
import { Illegal, serve } from "./wire.mjs";
const ask = { player: "alice", kind: "color", options: [{ value: "red" }, { value: "blue" }] };
await serve({
  hello: { name: "asking", version: "1" },
  setup() {},
  async act(action, asks) {
    if ((await asks(ask)) === "red") throw new Illegal("not red", "1.1", "costs");
  },
  glance: () => ({ active: "alice", step: "upkeep", turn: 3, priority: "bob", stack: [], over: false }),
});
""",
    ),
    "java": (
        "MyEngine.java",
        """
import java.util.List;
import java.util.Map;
public final class MyEngine implements Wire.Engine {
    public Map<String, Object> hello() { return Wire.fields("name", "asking", "version", "1"); }
    public void setup(Map<String, Object> state, Wire.Ask ask) {}
    public void act(Map<String, Object> action, Wire.Ask ask) {
        List<Object> options = List.of(Wire.fields("value", "red"), Wire.fields("value", "blue"));
        Object answer = ask.ask(Wire.fields("player", "alice", "kind", "color", "options", options));
        if ("red".equals(answer)) throw new Wire.Illegal("not red", "1.1", "costs");
    }
    public Map<String, Object> glance() {
        return Wire.fields("active", "alice", "step", "upkeep", "turn", 3, "priority", "bob", "stack", List.of(),
            "over", false);
    }
    public static void main(String[] arguments) throws java.io.IOException { Wire.serve(new MyEngine()); }
}
""",
    ),
    "rust": (
        "src/main.rs",
        """
mod json;
mod wire;
use json::Json;
use wire::{Ask, Engine, Stop};
struct Asking;
impl Engine for Asking {
    fn hello(&self) -> Vec<(&'static str, Json)> { vec![("name", "asking".into()), ("version", "1".into())] }
    fn setup(&mut self, _state: &Json, _ask: Ask) -> Result<(), Stop> { Ok(()) }
    fn act(&mut self, _action: &Json, ask: Ask) -> Result<(), Stop> {
        let options = ["red", "blue"].map(|word| Json::map([("value", word.into())])).to_vec();
        let question = [("player", "alice".into()), ("kind", "color".into()), ("options", Json::List(options))];
        if ask(Json::map(question))?.text() == "red" {
            return Err(Stop::Illegal("not red".into(), Some("1.1".into()), Some("costs".into())));
        }
        Ok(())
    }
    fn glance(&self) -> Json {
        Json::map([
            ("active", "alice".into()), ("step", "upkeep".into()), ("turn", Json::Int(3)), ("priority", "bob".into()),
            ("stack", Json::List(vec![])), ("over", Json::Bool(false)),
        ])
    }
}
fn main() -> std::io::Result<()> { wire::serve(&mut Asking) }
""",
    ),
}


class _NoAnswer(Exception):
    """Whoever is asked does not answer."""


@pytest.mark.parametrize("name", sorted(ASKING))
def test_the_wire_of_a_template_asks_and_gives_up_asking(
    name: str, built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("asking") / name
    shutil.copytree(template(name, built, tmp_path_factory), folder)
    file, source = ASKING[name]
    (folder / file).write_text(source, encoding="utf-8")
    build(name, folder)
    engine = opened(folder, "my-engine").engine
    assert isinstance(engine, ProcessEngine)
    answers: list[str] = []

    def decide(question: Question) -> str:
        assert [option.value for option in question.options] == ["red", "blue"]
        if not answers:
            raise _NoAnswer
        return answers.pop()

    given = Given((PlayerGiven("alice"), PlayerGiven("bob")))
    try:
        pid = engine.pid
        for _ in range(3):
            engine.start(given, decide)
            answers.append("blue")
            engine.act(Pass("alice"))
            assert engine.glance().priority == "bob"
            answers.append("red")
            with pytest.raises(Illegal) as caught:
                engine.act(Pass("alice"))
            assert (str(caught.value), caught.value.rule, caught.value.stage) == ("not red", "1.1", "costs")
            with pytest.raises(_NoAnswer):
                engine.act(Pass("alice"))
        engine.start(given, decide)
        assert engine.pid == pid
    finally:
        engine.close()


# An engine in Java that may be looked at while it waits for an answer.
INTERIM = (
    ('"version", "1")', '"version", "1", "capabilities", List.of("interim"))'),
    (
        "    public Map<String, Object> glance()",
        """
    public Map<String, Object> observe() {
        Map<String, Object> game = Wire.fields("active", "alice", "step", "upkeep", "turn", 7, "priority", "alice",
            "over", false);
        return Wire.fields("objects", List.of(), "players", List.of(), "stack", List.of(), "game", game);
    }
    public Map<String, Object> glance()""",
    ),
)


def test_the_wire_of_the_template_in_java_shows_the_game_while_it_asks(
    built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("interim") / "java"
    shutil.copytree(template("java", built, tmp_path_factory), folder)
    file, source = ASKING["java"]
    for old, new in INTERIM:
        assert old in source
        source = source.replace(old, new)
    (folder / file).write_text(source, encoding="utf-8")
    build("java", folder)
    engine = opened(folder, "my-engine").engine
    turns: list[object] = []

    def decide(question: Question) -> str:
        turns.extend(engine.view().game["turn"] for _ in range(2))
        return "blue"

    try:
        engine.start(Given((PlayerGiven("alice"), PlayerGiven("bob"))), decide)
        engine.act(Pass("alice"))
        assert engine.glance().turn == 3
    finally:
        engine.close()
    assert turns == [7, 7]


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
