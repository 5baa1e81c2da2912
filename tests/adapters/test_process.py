"""Nothing that an engine does brings the driver down: one case ends in an error, and the next has a fresh engine."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from judgecall.adapters.engine import Internal, Pass, Unsupported
from judgecall.adapters.process import Budget, Limits, ProcessEngine
from judgecall.harness.play import play
from judgecall.schema.loader import load_text

from tests.adapters.helpers import QUICK, STANDIN, cases, is_gone, played, standin

posix = pytest.mark.skipif(os.name != "posix", reason="signals and sessions are POSIX's")


def test_an_engine_that_is_well_plays_all_on_one_process() -> None:
    with standin("StandIn") as engine:
        assert [result.verdict for result in played(engine)] == ["pass", "pass", "pass"]
        pid = engine.pid
        assert pid is not None
        engine.close()
    assert is_gone(pid)


BROKEN = [
    ("Crash", "it ended (exit status 3)"),
    pytest.param("Signal", "it ended (signal SIGKILL)", marks=posix),
    ("HalfAndGone", 'it ended (exit status 0) in the middle of a line: {"id": 1, "reply": "do'),
    ("GoneBetween", "it ended (exit status 0)"),
    ("ClosesOutput", "it closed its standard output"),
    ("Hang", "asked to setup, it did not answer within 2 s"),
    ("HangDeaf", "asked to setup, it did not answer within 2 s"),
    ("Silence", "asked to setup, it did not answer within 2 s"),
    ("HalfLine", 'it wrote half a line, {"id": 1, "reply": "do, and did not end it within 2 s'),
    ("Garbage", "no JSON in UTF-8: INFO: game set up; whatever is no message belongs on standard error"),
    ("NoObject", "no JSON object: [1, 2, 3]"),
    ("NoUnicode", r"no JSON in UTF-8: {\"id\": 1, \"reply\": \"\xff\xfe\"}".replace(r"\"", '"')),
    ("HalfCharacter", "no JSON in UTF-8"),
    ("Deep", "no JSON in UTF-8"),
    ("HugeLine", "it wrote a line of more than 1048576 bytes"),
    ("HugeLineAtOnce", "it wrote a line of more than 1048576 bytes"),
    ("ManyLines", "it answers something else than request"),
    ("WrongId", "it answers something else than request"),
    ("NoId", "it answers something else than request"),
    ("Twice", '{"id": 6, "reply": "done"}'),
    ("NoWord", "its answer to setup is none that there is"),
    ("WordOfItsOwn", "its answer to setup is none that there is"),
    ("BadUnsupported", "its answer to setup: kind: expected text, not 7"),
    ("BadView", "view.objects: expected a list"),
    ("SameIdTwice", "a second object alice.battlefield.0"),
    ("BadGlance", "glance.turn: expected a whole number, not one"),
    ("BadQuestion", "question.kind: expected text, not None"),
    ("AsksWhereItMustNot", "it puts a question while it is asked to observe"),
    ("TalkativeAndGone", "the last word"),
]


@pytest.mark.parametrize(("fault", "told"), BROKEN)
def test_what_no_engine_may_do_is_an_error_of_one_case(fault: str, told: str) -> None:
    with standin(fault) as engine:
        before, trigger, after = cases()
        assert play(before, engine, engine.describe()).verdict == "pass"
        first = engine.pid
        assert first is not None
        result = play(trigger, engine, engine.describe())
        assert result.verdict == "error", result.message
        assert told in result.message
        assert is_gone(first)
        assert play(after, engine, engine.describe()).verdict == "pass"
        assert engine.pid != first


@pytest.mark.parametrize(
    ("fault", "verdict", "told"),
    [
        ("Fails", "error", "it says that it failed at setup: null pointer"),
        ("Illegal", "error", "the engine refuses the starting state: I do not like it"),
        ("Lacks", "unsupported", "card: Trigger"),
        ("BlankLines", "pass", ""),
        ("Talkative", "pass", ""),
    ],
)
def test_what_an_engine_may_say_costs_it_no_process(fault: str, verdict: str, told: str) -> None:
    with standin(fault, limits=Limits(start=30, request=20, restarts=0)) as engine:
        engine.describe()
        first = engine.pid
        results = played(engine)
        assert [result.verdict for result in results] == ["pass", verdict, "pass"]
        assert told in results[1].message
        assert engine.pid == first


def test_the_last_lines_of_standard_error_are_told() -> None:
    with standin("Crash") as engine:
        message = played(engine)[1].message
    assert message.endswith("its standard error ended with:\nTraceback: boom\n  at the end")


def test_standard_error_is_shown_in_printable_characters() -> None:
    with standin("Escapes") as engine:
        message = played(engine)[1].message
    assert message.endswith(r"\x1b[31mred\xff\x00")
    assert all(character.isprintable() or character == "\n" for character in message)


@posix
def test_children_left_behind_are_ended(tmp_path: Path) -> None:
    number = tmp_path / "pid"
    with standin("LeavesChild", str(number)) as engine:
        results = played(engine)
    assert [result.verdict for result in results] == ["pass", "error", "pass"]
    # The child held the output open, so the end of the engine itself could not be seen before its time was up.
    assert "it ended (exit status 1), and what it left behind held its output" in results[1].message
    assert is_gone(int(number.read_text()))


@posix
def test_children_left_behind_in_the_end_are_ended_and_told(tmp_path: Path) -> None:
    number = tmp_path / "pid"
    with standin("LeavesChildWhenAsked", str(number)) as engine:
        engine.describe()
        with pytest.raises(Internal, match="it left processes behind"):
            engine.close()
    assert is_gone(int(number.read_text()))


@posix
def test_an_answer_of_an_old_process_is_no_answer_to_a_new_request() -> None:
    with standin("ChildAnswersLate") as engine:
        before, trigger, after = cases()
        assert play(before, engine, engine.describe()).verdict == "pass"
        assert play(trigger, engine, engine.describe()).verdict == "error"
        for _ in range(20):
            assert play(after, engine, engine.describe()).verdict == "pass"
            time.sleep(0.05)


def test_an_answer_that_comes_late_is_no_answer_to_the_next_request() -> None:
    with standin("Late", "2.6") as engine:
        results = played(engine)
        assert [result.verdict for result in results] == ["pass", "error", "pass"]
        time.sleep(1.0)
        assert [result.verdict for result in played(engine)] == ["pass", "error", "pass"]


def test_numbers_of_requests_go_on_from_process_to_process(tmp_path: Path) -> None:
    log = tmp_path / "wire.log"
    engine = ProcessEngine([sys.executable, str(STANDIN), "Crash"], limits=QUICK, log=log)
    played(engine)
    engine.close()
    lines = [line.split(" ", 2) for line in log.read_text().splitlines()]
    assert {mark for _, mark, _ in lines} == {">", "<", "!"}
    numbers = [int(text.split('"id":')[1].split(",")[0]) for _, mark, text in lines if mark == ">"]
    assert numbers == sorted(set(numbers))
    assert sum('"hello"' in text for _, _, text in lines) == 2


def test_an_engine_that_does_not_read_holds_nobody_up() -> None:
    many = ", ".join(f"Forest{number}" for number in range(3900))
    text = f"ruling: t/big\ncases: [{{case: big, given: {{alice: {{battlefield: [{many}]}}}}, then: {{}}}}]"
    case = load_text(text, "big.yaml").cases[0]
    with standin("Deaf") as engine:
        engine.describe()
        result = play(case, engine, engine.describe())
    assert result.verdict == "error"
    assert "it did not answer within 2 s" in result.message


def test_a_big_state_gets_through() -> None:
    many = ", ".join(f"Forest{number}" for number in range(2000))
    text = f"ruling: t/big\ncases: [{{case: big, given: {{alice: {{battlefield: [{many}]}}}}, then: {{}}}}]"
    case = load_text(text, "big.yaml").cases[0]
    with standin("StandIn", limits=Limits(request=30)) as engine:
        engine.new_case()
        engine.start(case.given, lambda question: None)
        assert len(engine.view().objects) == 2020


def test_the_time_of_a_whole_case_is_limited_and_a_long_one_has_more() -> None:
    limits = Limits(start=30, request=1.0, case=0.8, stop=1)
    _, trigger, _ = cases()
    with standin("Slow", "0.3", limits=limits) as engine:
        result = play(trigger, engine, engine.describe())
        assert result.verdict == "error"
        assert "it did not answer before the 0.8 s for the whole case were over" in result.message
        engine.new_case(long=True)
        engine.start(trigger.given, lambda question: None)
        for player in ("alice", "bob", "alice", "bob"):
            engine.act(Pass(player))


def test_a_run_has_so_many_restarts() -> None:
    with standin("Crash", limits=Limits(start=30, request=5, restarts=2)) as engine:
        _, trigger, after = cases()
        for _ in range(2):
            assert play(trigger, engine, engine.describe()).verdict == "error"
            assert engine.ended is None
        assert play(trigger, engine, engine.describe()).verdict == "error"
        assert engine.ended is not None
        assert engine.ended.startswith("the engine failed 3 times, and a run has 2 restarts; the last time asked to")
        result = play(after, engine, engine.describe())
        assert result.verdict == "error"
        assert "a run has 2 restarts" in result.message


def test_an_engine_that_does_not_start_again_ends_the_run(tmp_path: Path) -> None:
    with standin("StartsOnce", str(tmp_path / "marker")) as engine:
        _, trigger, after = cases()
        assert play(trigger, engine, engine.describe()).verdict == "error"
        for _ in range(3):
            assert engine.ended is None
            assert play(after, engine, engine.describe()).verdict == "error"
        assert engine.ended is not None
        assert "failed to start 3 times in a row" in engine.ended


@posix
def test_an_engine_that_comes_back_as_another_ends_the_run() -> None:
    with standin("Another") as engine:
        results = played(engine)
        assert [result.verdict for result in results] == ["pass", "error", "error"]
        assert "it came back as another engine: stand-in" in results[2].message
        assert engine.ended == "the engine that was started again says that it is another one"


def test_engines_side_by_side_share_their_restarts() -> None:
    budget = Budget(1)
    command = [sys.executable, str(STANDIN), "Crash"]
    one, two = (ProcessEngine(command, limits=QUICK, budget=budget) for _ in range(2))
    trigger = cases()[1]
    for engine in (one, two):
        play(trigger, engine, engine.describe())
    assert one.ended is not None
    assert one.ended == two.ended


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("EndsAtOnce", "asked to hello, it ended (exit status 9)\nits standard error ended with:\nno license found"),
        ("OtherProtocol", "it speaks protocol 2, and judgecall speaks protocol 1"),
        ("Nameless", "its answer to hello: name: expected text, not None"),
        ("NoHello", "it does not say hello: command: hello"),
        ("SlowStart", "asked to hello, it did not answer within 0.5 s"),
        ("no-such-standin", "asked to hello, it ended (exit status 1)"),
    ],
)
def test_an_engine_that_does_not_start_is_told(fault: str, told: str) -> None:
    limits = Limits(start=0.5 if fault == "SlowStart" else 30)
    with standin(fault, limits=limits) as engine, pytest.raises(Internal) as caught:
        engine.describe()
    assert told in str(caught.value)


def test_a_command_that_is_not_there_is_told() -> None:
    with pytest.raises(Internal, match=r"it cannot be started: .*no-such-command"):
        ProcessEngine(["no-such-command-anywhere"]).describe()


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("TalksAfterBye", "it wrote more after its farewell"),
        ("StaysAfterBye", "it did not end within 2 s of its farewell"),
        ("NoBye", None),
        ("StandIn", None),
    ],
)
def test_how_an_engine_ends(fault: str, told: str | None) -> None:
    with standin(fault) as engine:
        engine.describe()
        pid = engine.pid
        assert pid is not None
        if told is None:
            engine.close()
        else:
            with pytest.raises(Internal, match=told):
                engine.close()
    assert is_gone(pid)


ASKED = """
ruling: t/asked
cases:
  - case: it
    when: [{concede: alice, choices: [{by: alice, color: red}]}]
    then: {alice: {life: 21}}
  - case: open
    when: [{concede: alice}]
    then: {alice: {life: 20}}
"""


@pytest.mark.parametrize("fault", ["StandIn", "NoReset"])
def test_a_question_that_stays_open_is_taken_back(fault: str) -> None:
    answered, left_open = load_text(ASKED, "asked.yaml").cases
    with standin(fault, limits=Limits(start=30, request=5, restarts=0)) as engine:
        for _ in range(3):
            assert play(answered, engine, engine.describe()).verdict == "pass"
            first = engine.pid
            result = play(left_open, engine, engine.describe())
            assert result.verdict == "fail"
            assert "the case does not answer" in result.message
        assert play(answered, engine, engine.describe()).verdict == "pass"
        # One that can give up a question lives on; for one that cannot, another starts, which costs nothing.
        assert (engine.pid == first) == (fault == "StandIn")
        assert engine.ended is None


def test_closing_with_an_open_question_ends_the_process() -> None:
    left_open = load_text(ASKED, "asked.yaml").cases[1]
    with standin("StandIn", limits=replace(QUICK, stop=600)) as engine:
        play(left_open, engine, engine.describe())
        pid = engine.pid
        assert pid is not None
        begun = time.monotonic()
        engine.close()
        assert time.monotonic() - begun < 60, "it was waited for, though it cannot be told to stop"
    assert is_gone(pid)


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("processes", [1, 2])
def test_who_is_interrupted_does_not_wait_for_an_engine_that_hangs(tmp_path: Path, number: int, processes: int) -> None:
    (tmp_path / "cases").mkdir()
    for name in "abcd":
        text = f"ruling: t/{name}\ncases: [{{case: c, given: {{alice: {{battlefield: [Trigger]}}}}, then: {{}}}}]\n"
        (tmp_path / "cases" / f"{name}.yaml").write_text(text)
    (tmp_path / "pyproject.toml").write_text(
        f"[tool.judgecall.engines.mine]\ncommand = ['{sys.executable}', '{STANDIN}', 'HangDeaf']\n"
        f"processes = {processes}\nlog = 'wire.log'\nlimits = {{request = 300, case = 300, stop = 60}}\n"
    )
    log = tmp_path / "wire.log"
    words = [sys.executable, "-m", "judgecall.harness.cli", "run", "cases", "--engine=mine"]
    # A shell's command in the background ignores SIGINT, and so would what it starts.
    run = subprocess.Popen(words, cwd=tmp_path, preexec_fn=_default_signals, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 60
        while time.monotonic() < until and not (log.exists() and log.read_text().count("setup") >= processes):
            time.sleep(0.1)
        time.sleep(0.3)
        run.send_signal(number)
        assert run.wait(timeout=30) == 2
    finally:
        run.kill()
        run.wait()
    pids = [int(each) for each in re.findall(r'"pid": (\d+)', log.read_text())]
    assert len(pids) == processes
    assert all(map(is_gone, pids))


def _default_signals() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def test_unknown_commands_may_be_refused() -> None:
    with standin("StandIn") as engine:
        with pytest.raises(Unsupported, match="command: juggle"):
            engine.talk("juggle", {"balls": 5})
        assert engine.supports("card", ["Forest"]) is None
        assert engine.trace() == ()


@posix
def test_an_interpreter_that_ends_without_closing_leaves_no_engine_behind(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from judgecall.adapters.process import ProcessEngine\n"
        f"engine = ProcessEngine([sys.executable, {str(STANDIN)!r}, 'StaysAfterBye'])\n"
        "engine.describe()\n"
        "print(engine.pid)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert is_gone(int(run.stdout))
