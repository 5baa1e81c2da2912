"""Engines in Python offered in the protocol: the oracle, and engines that do as engines do."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from judgecall.adapters.engine import (
    Action,
    Decide,
    Description,
    Engine,
    Illegal,
    Json,
    Legality,
    Question,
    TraceLine,
    Unsupported,
    View,
)
from judgecall.adapters.oracle import OracleEngine
from judgecall.adapters.process import Limits, ProcessEngine
from judgecall.adapters.protocol.state import state_data
from judgecall.adapters.serve import Server, main
from judgecall.harness.play import play
from judgecall.harness.suite import load, select
from judgecall.schema.model import Given
from judgecall.schema.protocol_schemas import message_problem

from tests.harness.helpers import case_of


class Toy(Engine):
    """Asks for a number, and lets itself be looked at meanwhile."""

    def __init__(self) -> None:
        self.told: list[Any] = []
        self.closed = False

    def describe(self) -> Description:
        return Description("toy", "1", capabilities=frozenset({"legality", "trace", "faults"}))

    def start(self, given: Given, decide: Decide) -> None:
        self.decide = decide
        if given.turn == 13:
            raise Unsupported("state", "turn 13")

    def act(self, action: Action) -> None:
        if action.player == "bob":
            raise Illegal("not bob", "117.1", "permission")
        try:
            self.told.append(self.decide(Question("alice", "number", "how many?", minimum=0, maximum=9)))
        except Exception as error:  # an engine that swallows too much
            self.told.append(error)

    def view(self) -> View:
        return View({}, {}, (), {"turn": len(self.told)})

    def legality(self, action: Action, declare: Mapping[str, Json] | None = None) -> Legality | None:
        return None if action.player == "bob" else Legality(False, "117.1", "permission", str(declare))

    def trace(self) -> tuple[TraceLine, ...]:
        raise KeyError("no trace today")

    def close(self) -> None:
        self.closed = True


def replies(*requests: Any, engine: Engine | None = None) -> list[dict[str, Any]]:
    """What comes back when these are written, one a line."""
    lines = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in requests]
    sink = io.BytesIO()
    Server(engine or Toy(), io.BytesIO(b"\n".join(lines) + b"\n"), sink).run()
    return [json.loads(line) for line in sink.getvalue().splitlines()]


EMPTY = {"players": [{"name": "alice"}, {"name": "bob"}]}
PASS = {"verb": "pass", "player": "alice"}


def setup(number: int, **more: Any) -> dict[str, Any]:
    return {"id": number, "command": "setup", "state": {**EMPTY, **more}}


def act(number: int, player: str = "alice") -> dict[str, Any]:
    return {"id": number, "command": "act", "action": {"verb": "pass", "player": player}}


def test_a_question_and_its_answer() -> None:
    toy = Toy()
    got = replies(setup(1), act(2), {"id": 2, "command": "answer", "answer": 7}, engine=toy)
    assert [each["reply"] for each in got] == ["done", "question", "done"]
    assert [each["id"] for each in got] == [1, 2, 2]
    assert got[1]["question"]["kind"] == "number"
    assert toy.told == [7]


def test_a_look_at_the_game_while_a_question_is_open() -> None:
    got = replies(
        setup(1),
        act(2),
        {"id": 3, "command": "observe"},
        {"id": 4, "command": "ping"},
        {"id": 5, "command": "act", "action": PASS},
        {"id": 2, "command": "answer", "answer": 7},
        {"id": 6, "command": "observe"},
    )
    assert [(each["id"], each["reply"]) for each in got] == [
        (1, "done"),
        (2, "question"),
        (3, "done"),
        (4, "done"),
        (5, "unsupported"),
        (2, "done"),
        (6, "done"),
    ]
    assert got[2]["view"]["game"]["turn"] == 0
    assert got[6]["view"]["game"]["turn"] == 1


def test_a_reset_gives_up_a_question_even_of_an_engine_that_swallows_exceptions() -> None:
    toy = Toy()
    got = replies(setup(1), act(2), {"id": 3, "command": "reset"}, setup(4), engine=toy)
    assert [(each["id"], each["reply"]) for each in got] == [(1, "done"), (2, "question"), (3, "done"), (4, "done")]
    assert toy.told == []


@pytest.mark.parametrize("last", [{"id": 3, "command": "bye"}, None])
def test_the_end_may_come_while_a_question_is_open(last: dict[str, Any] | None) -> None:
    toy = Toy()
    got = replies(setup(1), act(2), *([last] if last else []), engine=toy)
    assert [each["id"] for each in got] == ([1, 2, 3] if last else [1, 2])
    assert toy.closed


def test_nothing_follows_bye() -> None:
    assert [each["id"] for each in replies({"id": 1, "command": "bye"}, {"id": 2, "command": "ping"})] == [1]


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (setup(1, turn=13), {"reply": "unsupported", "kind": "state", "name": "turn 13"}),
        (act(1, "bob"), {"reply": "illegal", "message": "not bob", "rule": "117.1", "stage": "permission"}),
        ({"id": 1, "command": "trace"}, {"reply": "failed", "message": "KeyError: 'no trace today'"}),
        ({"id": 1, "command": "juggle"}, {"reply": "unsupported", "kind": "command", "name": "juggle"}),
        ({"id": 1}, {"reply": "unsupported", "kind": "command", "name": "None"}),
        (
            {"id": 1, "command": "fault", "name": "x"},
            {"reply": "unsupported", "kind": "action", "name": "fault x"},
        ),
        (
            {"id": 1, "command": "supports", "kind": "card", "names": ["Forest"]},
            {"reply": "unsupported", "kind": "command", "name": "supports card"},
        ),
        (
            {"id": 1, "command": "probe", "action": {"verb": "pass", "player": "bob"}},
            {"reply": "unsupported", "kind": "command", "name": "probe"},
        ),
        (
            {"id": 1, "command": "probe", "action": PASS, "declare": {"attackers": {}}},
            {"reply": "done", "legal": False, "rule": "117.1", "stage": "permission", "message": "{'attackers': {}}"},
        ),
        (
            {"id": 1, "command": "act", "action": {"verb": "fly", "player": "alice"}},
            {"reply": "failed", "message": "Malformed: action.verb: fly is no verb"},
        ),
        ({"id": 1, "command": "setup", "state": 3}, {"reply": "failed"}),
    ],
)
def test_each_answer_has_its_word(request_: dict[str, Any], expected: dict[str, Any]) -> None:
    got = replies(request_)
    assert len(got) == 1
    assert got[0]["id"] == 1
    assert expected.items() <= got[0].items()
    command = request_.get("command", "ping")
    assert message_problem(got[0], command if command != "juggle" else "ping", reply=True) is None


def test_a_line_that_is_no_message_harms_nobody() -> None:
    got = replies(b"what?", b"[1]", b"\xff", {"id": 1, "command": "ping"})
    assert [each["reply"] for each in got] == ["failed", "failed", "failed", "done"]


def test_an_engine_without_a_glance_of_its_own_sends_none() -> None:
    assert "glance" not in replies(setup(1))[0]
    assert "glance" in replies(setup(1), engine=OracleEngine())[0]


def test_wrong_arguments_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 4
    assert main(["nothing"]) == 4
    assert "usage" in capsys.readouterr().err


# --- the oracle


def test_the_oracle_is_a_program() -> None:
    case = case_of("given: {alice: {battlefield: [Forest]}}\nthen: {Forest: {zone: battlefield}}")
    requests = [
        {"id": 1, "command": "hello", "protocol": 1, "format": 1},
        {"id": 2, "command": "supports", "kind": "card", "names": ["Forest", "No Such Card"]},
        {"id": 3, "command": "setup", "state": state_data(case.given)},
        {"id": 4, "command": "observe"},
        {"id": 5, "command": "bye"},
    ]
    run = subprocess.run(
        [sys.executable, "-m", "judgecall.adapters.oracle"],
        input="".join(json.dumps(each, default=dict) + "\n" for each in requests),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    got = [json.loads(line) for line in run.stdout.splitlines()]
    assert [each["reply"] for each in got] == ["done"] * 5
    for request, reply in zip(requests, got, strict=True):
        assert message_problem(reply, str(request["command"]), reply=True) is None
    assert got[0]["name"] == "oracle"
    assert "interim" in got[0]["capabilities"]
    assert got[1]["names"] == ["Forest"]
    assert got[2]["glance"]["priority"] == "alice"
    assert any(each["name"] == "Forest" for each in got[3]["view"]["objects"])


def test_what_the_oracle_says_is_as_the_schemas_say(tmp_path: Any) -> None:
    """All messages, both ways, of some cases with questions, probes and all kinds of objects."""
    log = tmp_path / "wire.log"
    engine = ProcessEngine([sys.executable, "-m", "judgecall.adapters.oracle"], limits=Limits(request=60), log=log)
    sample = [case for loaded in load(select([])[::9]) for case in loaded.cases][::2]
    for case in sample:
        play(case, engine, engine.describe())
    engine.close()
    open_requests: dict[int, str] = {}
    seen = set()
    for line in log.read_text(encoding="utf-8").splitlines():
        _, mark, text = line.split(" ", 2)
        message = json.loads(text)
        if mark == ">":
            if message["command"] != "answer":
                open_requests[message["id"]] = message["command"]
            command, reply = message["command"], False
        else:
            command, reply = open_requests[message["id"]], True
        key = (command, message.get("reply"))
        if key not in seen or len(text) < 4000:
            assert message_problem(message, command, reply=reply) is None, line
        seen.add(key)
    assert {command for command, _ in seen} >= {"hello", "setup", "act", "answer", "observe", "probe", "bye"}
    assert ("act", "question") in seen
