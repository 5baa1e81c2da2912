"""The protocol's messages: schemas, examples, and what the code writes and reads."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from judgecall.adapters import engine as interface
from judgecall.adapters import protocol
from judgecall.adapters.engine import (
    Activate,
    Cast,
    Concede,
    Description,
    Glance,
    Legality,
    ObjectView,
    Option,
    Pass,
    Play,
    PlayerView,
    Question,
    TraceLine,
    TurnFaceUp,
    View,
)
from judgecall.adapters.protocol import COMMANDS
from judgecall.adapters.protocol.actions import action_data, answer_data, read_action, read_answer
from judgecall.adapters.protocol.reading import Malformed, line_of, message_of, shown
from judgecall.adapters.protocol.reports import (
    description_data,
    glance_data,
    legality_data,
    question_data,
    read_description,
    read_glance,
    read_legality,
    read_question,
    read_trace,
    read_view,
    trace_data,
    view_data,
)
from judgecall.adapters.protocol.state import read_state, state_data
from judgecall.harness.suite import load, select
from judgecall.schema.model import Given, ObjectGiven, PlayerGiven
from judgecall.schema.protocol_schemas import MESSAGES, SHARED, message_problem, protocol_schema

# What is drawn is big, and a busy machine is slow: neither says anything of the code.
patiently = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])

SPECIFICATION = Path(str(files("judgecall.adapters"))) / "PROTOCOL.md"


def through(data: Any) -> Any:
    """Data as it comes out at the other end of a pipe."""
    return message_of(line_of({"data": data}))["data"]


# --- schemas and examples


def examples() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for name in (*MESSAGES, "reply"):
        for part, definition in protocol_schema(name)["$defs"].items():
            for example in definition["examples"]:
                yield name, part, example


def test_every_command_has_schemas() -> None:
    assert MESSAGES == COMMANDS
    for name in (*MESSAGES, *SHARED):
        Draft202012Validator.check_schema(protocol_schema(name))
    for name in MESSAGES:
        assert set(protocol_schema(name)["$defs"]) == ({"request"} if name == "answer" else {"request", "done"})
    folder = Path(str(files("judgecall.schema"))) / "protocol"
    assert {path.name for path in folder.iterdir()} == {f"{name}.schema.json" for name in (*MESSAGES, *SHARED)}


def test_every_message_has_an_example_that_its_schema_takes() -> None:
    seen = set()
    for name, part, example in examples():
        seen.add((name, part))
        is_reply = part != "request"
        command = "act" if name == "reply" else name
        assert message_problem(example, command, reply=is_reply) is None, example
    whole = {(name, part) for name in (*MESSAGES, "reply") for part in protocol_schema(name)["$defs"]}
    assert seen == whole


def test_unknown_fields_are_taken_by_every_schema() -> None:
    for name, part, example in examples():
        command = "act" if name == "reply" else name
        assert message_problem({**example, "new": 1}, command, reply=part != "request") is None


@pytest.mark.parametrize("key", ["id", "command", "reply"])
def test_a_message_without_its_first_fields_is_taken_by_no_schema(key: str) -> None:
    for name, part, example in examples():
        if key in example:
            command = "act" if name == "reply" else name
            less = {each: value for each, value in example.items() if each != key}
            assert message_problem(less, command, reply=part != "request") is not None


def test_what_is_wrong_is_told_with_its_place() -> None:
    reply = {"id": 1, "reply": "done", "view": {"objects": [{"id": "1"}], "players": [], "stack": [], "game": {}}}
    assert message_problem(reply, "observe", reply=True) == "view.objects[0]: 'zone' is a required property"


def test_examples_are_read_by_the_code() -> None:
    for name, part, example in examples():
        if name == "setup" and part == "request":
            assert state_data(read_state(example["state"])) == example["state"]
        elif name == "observe" and part == "done":
            read_view(example["view"])
        elif name in ("act", "probe") and part == "request":
            assert through(action_data(read_action(example["action"]))) == example["action"]
        elif name == "reply" and part == "question":
            read_question(example["question"])
        elif name == "hello" and part == "done":
            read_description(example)
        elif part == "done" and "glance" in example:
            read_glance(example["glance"])


def test_the_specification_s_messages_are_as_the_schemas_say() -> None:
    """Lines that begin with an arrow are messages: of judgecall, or of the engine to what it was asked last."""
    open_requests: dict[int, str] = {}
    count = 0
    for block in re.findall(r"^```jsonl?\n(.*?)^```", SPECIFICATION.read_text(encoding="utf-8"), re.M | re.S):
        for line in block.splitlines():
            arrow, _, text = line.partition(" ")
            assert arrow in ("→", "←"), line
            message = json.loads(text)
            if arrow == "→":
                command = message["command"]
                if command != "answer":
                    open_requests[message["id"]] = command
                if command in COMMANDS:
                    assert message_problem(message, command, reply=False) is None, line
            else:
                command = open_requests[message["id"]]
                known = command if command in COMMANDS else "ping"
                assert message_problem(message, known, reply=True) is None, line
            count += 1
    assert count > 30


def test_the_specification_names_every_command_capability_and_kind() -> None:
    text = SPECIFICATION.read_text(encoding="utf-8")
    terms = protocol_schema("terms")["$defs"]
    words = {
        *COMMANDS,
        *terms["capability"]["anyOf"][0]["enum"],
        *terms["lacking"]["enum"],
        *protocol_schema("question")["properties"]["kind"]["anyOf"][0]["enum"],
        *protocol_schema("view")["$defs"]["object"]["properties"]["facts"]["properties"],
        *protocol_schema("view")["$defs"]["player"]["properties"]["facts"]["properties"],
        *protocol_schema("state")["$defs"]["object"]["properties"],
    }
    assert not [word for word in sorted(words) if f"`{word}`" not in text]
    assert f"protocol {protocol.PROTOCOL}" in text.lower()


# --- the schemas have what the code has


def test_fields_are_those_of_the_interface() -> None:
    def fields(type_: type[Any]) -> set[str]:
        return {each.name for each in dataclasses.fields(type_)}

    state = protocol_schema("state")
    assert set(state["properties"]) == fields(Given)
    assert set(state["$defs"]["player"]["properties"]) == fields(PlayerGiven)
    at_home = {"alias", "attached_handle", "position"}
    assert set(state["$defs"]["object"]["properties"]) == fields(ObjectGiven) - at_home
    actions = protocol_schema("action")["$defs"]
    for name, type_ in {
        "cast": Cast,
        "activate": Activate,
        "play": Play,
        "turnFaceUp": TurnFaceUp,
        "pass": Pass,
        "concede": Concede,
    }.items():
        assert set(actions[name]["properties"]) == {"verb", *fields(type_)}
    question = protocol_schema("question")
    assert set(question["properties"]) == fields(Question)
    assert set(question["$defs"]["option"]["properties"]) == fields(Option)
    view = protocol_schema("view")
    assert set(view["properties"]) == fields(View)
    assert set(view["$defs"]["object"]["properties"]) == fields(ObjectView)
    assert set(view["$defs"]["player"]["properties"]) == fields(PlayerView)
    hello = protocol_schema("hello")["$defs"]["done"]["properties"]
    assert set(hello) == {"id", "reply", "protocol", *fields(Description)}
    probe = protocol_schema("probe")["$defs"]["done"]["properties"]
    assert set(probe) == {"id", "reply", *fields(Legality)}
    assert set(protocol_schema("terms")["$defs"]["glance"]["properties"]) == fields(Glance)


def test_capabilities_are_those_of_the_interface() -> None:
    known = set(protocol_schema("terms")["$defs"]["capability"]["anyOf"][0]["enum"])
    documented = set(re.findall(r"``(\w+)``", Path(str(interface.__file__)).read_text(encoding="utf-8")))
    assert known - {protocol.INTERIM} <= documented


# --- what is written can be read

names = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=8)
players = st.sampled_from(["alice", "bob"])
numbers = st.integers(-(10**9), 10**9)
maybe_number = st.none() | numbers
things = st.lists(names, max_size=3).map(tuple)
costs = st.dictionaries(names, st.lists(names, max_size=2) | numbers | st.dictionaries(names, numbers, max_size=2))
paying = st.none() | names | things
modes = st.none() | st.lists(numbers, max_size=3).map(tuple)
targets = st.none() | st.lists(names | things, max_size=3).map(tuple)
using = st.lists(names | st.dictionaries(names, names, min_size=1, max_size=1), max_size=3).map(tuple)
casts = st.builds(
    Cast,
    player=players,
    object=names,
    using=using,
    face=st.none() | names,
    x=maybe_number,
    modes=modes,
    targets=targets,
    kicked=maybe_number | st.dictionaries(names, numbers, max_size=2),
    costs=costs,
    paying=paying,
)
actions = st.one_of(
    casts,
    st.builds(
        Activate,
        player=players,
        object=names,
        ability=st.none() | numbers | names,
        x=maybe_number,
        modes=modes,
        targets=targets,
        costs=costs,
        paying=paying,
    ),
    st.builds(Play, player=players, object=names, face=st.none() | names, using=using),
    st.builds(
        TurnFaceUp,
        player=players,
        object=names,
        using=st.none() | names,
        x=maybe_number,
        costs=costs,
        paying=paying,
    ),
    st.builds(Pass, player=players),
    st.builds(Concede, player=players),
)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)
option = st.builds(Option, value=json_values, name=names, source=st.none() | names, most=st.none() | numbers)
options = st.lists(option, max_size=3).map(tuple)
questions = st.builds(
    Question,
    player=players,
    kind=names,
    prompt=names,
    options=options,
    minimum=numbers,
    maximum=numbers,
    source=st.none() | names,
    same=st.booleans(),
    ordered=st.booleans(),
    against=options,
    instead_of=st.none() | players,
)
facts = st.dictionaries(names, json_values, max_size=3)
maybe_name = st.none() | names
objects = st.builds(
    ObjectView,
    id=names,
    zone=names,
    owner=names,
    name=st.text(st.characters(blacklist_categories=["Cs"]), max_size=5),
    kind=names,
    card=maybe_name,
    card_name=maybe_name,
    source=maybe_name,
    source_name=maybe_name,
    source_card=maybe_name,
    facts=facts,
)
views = st.builds(
    View,
    objects=st.lists(objects, max_size=3, unique_by=lambda seen: seen.id).map(lambda all_: {o.id: o for o in all_}),
    players=st.lists(
        st.builds(PlayerView, name=names, zones=st.dictionaries(names, things, max_size=2), facts=facts),
        max_size=2,
        unique_by=lambda player: player.name,
    ).map(lambda all_: {p.name: p for p in all_}),
    stack=things,
    game=facts,
)


@patiently
@given(actions)
def test_actions_come_through(action: interface.Action) -> None:
    assert read_action(through(action_data(action))) == action


@patiently
@given(json_values, casts)
def test_answers_come_through(value: Any, cast: Cast) -> None:
    assert read_answer("pick", through(answer_data(value))) == value
    assert read_answer("cast", through(answer_data(cast))) == cast
    assert read_answer("cast", through(answer_data(None))) is None


@patiently
@given(questions)
def test_questions_come_through(question: Question) -> None:
    assert read_question(through(question_data(question))) == question


@patiently
@given(views)
def test_views_come_through(view: View) -> None:
    assert read_view(through(view_data(view))) == view
    assert read_glance(through(glance_data(Glance.of(view)))) == Glance.of(view)


@patiently
@given(st.builds(Legality, legal=st.booleans(), rule=maybe_name, stage=maybe_name, message=names))
def test_judgements_come_through(legality: Legality) -> None:
    assert read_legality(through(legality_data(legality))) == legality


@patiently
@given(st.lists(st.builds(TraceLine, text=names, rules=things), max_size=3).map(tuple))
def test_traces_come_through(trace: tuple[TraceLine, ...]) -> None:
    assert read_trace(through(trace_data(trace))) == trace


def test_who_an_engine_is_comes_through() -> None:
    told = Description("a", "1", "b", "2", "C", frozenset({"legality", "strict"}), {"x": "y"})
    assert read_description(through(description_data(told))) == told


def test_starting_states_of_the_suite_come_through() -> None:
    """What does not come through stays at home: aliases, and where in a file something is."""
    count = 0
    for loaded in load(select([])[::3]):
        for case in loaded.cases:
            assert read_state(through(state_data(case.given))) == bare(case.given), case.id
            if count % 20 == 0:
                message = {"id": 1, "command": "setup", "state": through(state_data(case.given))}
                assert message_problem(message, "setup", reply=False) is None, case.id
            count += 1
    assert count > 100


def bare(state: Given) -> Given:
    def of(thing: ObjectGiven) -> ObjectGiven:
        return dataclasses.replace(thing, alias=None, position=None, attached_to=thing.attached_handle)

    zones = ("hand", "battlefield", "graveyard", "library", "exile", "command", "deck")
    return dataclasses.replace(
        state,
        players=tuple(
            dataclasses.replace(player, **{zone: tuple(map(of, getattr(player, zone))) for zone in zones})  # type: ignore[arg-type]
            for player in state.players
        ),
    )


def test_nothing_of_a_case_but_its_starting_state_is_in_a_setup() -> None:
    from judgecall.schema.loader import load_text

    text = """
ruling: secret/ruling
cases:
  - case: secret-case
    title: secret title
    given: {alice: {battlefield: [{card: Forest, as: secret-alias}]}}
    then: {secret-alias: {zone: exile}, alice: {life: 123456}}
"""
    case = load_text(text, "secret.yaml").cases[0]
    line = line_of({"state": state_data(case.given)})
    assert b"secret" not in line
    assert b"123456" not in line
    assert b"Forest" in line


# --- reading what somebody else wrote


@patiently
@given(json_values)
def test_whatever_is_no_message_is_refused_and_nothing_else_happens(value: Any) -> None:
    for read in (read_state, read_action, read_question, read_view, read_glance, read_trace):
        with suppress(Malformed):
            read(value)


@patiently
@given(st.binary(max_size=40))
def test_whatever_is_no_line_is_refused_and_nothing_else_happens(line: bytes) -> None:
    told = ""
    try:
        message_of(line)
    except Malformed as problem:
        told = str(problem)
    assert not told or told.isprintable()


@patiently
@given(st.binary() | st.text() | json_values)
def test_what_is_shown_is_short_and_printable(value: Any) -> None:
    assert shown(value).isprintable()
    assert len(shown(value)) <= 200


@pytest.mark.parametrize("line", [b'{"a": NaN}', b'{"a": ' + b"9" * 5000 + b"}", b'{"a": "\\ud83d\\ude00"}'])
def test_odd_json_does_no_harm(line: bytes) -> None:
    try:
        line_of(message_of(line))
    except Malformed:
        assert b"9" in line


def test_lines_are_ascii_and_one_line() -> None:
    line = line_of({"text": "Jötun\n\u2028", "more": frozenset({"b", "a"}), "tuple": (1, 2)})
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert json.loads(line) == {"text": "Jötun\n\u2028", "more": ["a", "b"], "tuple": [1, 2]}
