"""The JSON Schema and the loader are two readings of one format: they know the same words and judge alike."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from judgecall.schema import expectations, loader, model, steps
from judgecall.schema import given as given_
from judgecall.schema.loader import CaseFileError, load_text
from judgecall.schema.validate import SCHEMAS, schema, validate_text

DOCUMENT: dict[str, Any] = {
    "ruling": "tests/mutants",
    "summary": {"en": "A line."},
    "rules": ["702.34a"],
    "sources": [],
    "cases": [
        {
            "case": "one",
            "title": "A title",
            "status": "disputed",
            "why": "Because.",
            "since": "2026-06-19",
            "long": True,
            "holds_before": "Nothing is done.",
            "given": {
                "active": "bob",
                "step": "upkeep",
                "turn": 2,
                "day_night": "day",
                "alice": {
                    "life": 3,
                    "hand": ["Shock", "2 Island"],
                    "battlefield": [
                        {"card": "Ornithopter", "as": "bird", "counters": {"+1/+1": 1}, "damage": 1},
                        {"card": "Shuko", "attached_to": "bird", "chosen": {"color": "red"}, "tapped": False},
                        {"token": "Treasure"},
                    ],
                    "mana": "{U}",
                    "counters": {"poison": 1},
                },
            },
            "when": [
                {
                    "cast": "Shock",
                    "by": "alice",
                    "using": ["flashback", {"escape": "{3}"}],
                    "x": 1,
                    "modes": [1],
                    "targets": ["bob", ["bird"]],
                    "kicked": {"{2}": 1},
                    "costs": {"discard": ["Island#1"], "remove": {"charge": 1}, "life": 2},
                    "paying": ["Island#2"],
                    "choices": [
                        {"may": True, "by": "bob"},
                        {"pick": ["bird"], "options": ["bird", 1], "not": ["bob"]},
                        {"cast": "Shock", "x": 1},
                        {"scry": {"top": ["bird"], "bottom": []}},
                        {"divide": {"bird": 1}},
                        {"targets": "same"},
                        {"coin": "won"},
                    ],
                },
                {"activate": "bird", "ability": 1},
                {"attack": {"bird": "bob"}},
                {"block": {"bird": ["Shuko"]}},
                {"advance": "end", "of": "bob", "turn": "next"},
                {"check": {"bird": {"zone": "exile"}}},
            ],
            "then": {
                "bird": {
                    "zone": "exile",
                    "power": 1,
                    "colors": ["red"],
                    "has": ["flying"],
                    "attacking": "bob",
                },
                "bob": {"life": 1, "hand": ["2 Island"], "hand_size": 2, "count": {"exile": {"Shock": 1}}},
                "stack": ["Shock"],
                "game": {"active": "bob", "step": "end", "winner": None},
                "legal": [{"cast": "Shock"}],
                "illegal": [{"play": "Island#1", "because": "305.1", "at": "permission"}],
            },
        }
    ],
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_is_a_schema_of_draft_2020_12(name: str) -> None:
    assert schema(name)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema(name))


def test_every_property_is_described_for_editors() -> None:
    bare: list[str] = []

    def walk(part: Any, where: str) -> None:
        if isinstance(part, dict):
            for name, value in part.get("properties", {}).items():
                if isinstance(value, dict) and "description" not in value and "$ref" not in value:
                    bare.append(f"{where}/{name}")
            for key, value in part.items():
                walk(value, f"{where}/{key}")
        elif isinstance(part, list):
            for index, value in enumerate(part):
                walk(value, f"{where}/{index}")

    for name in SCHEMAS:
        walk(schema(name), name)
    assert bare == []


def keys(part: Any) -> set[str]:
    return set(part["properties"])


def test_both_know_the_same_keys() -> None:
    assert keys(schema("ruling")) == set(loader.RULING_KEYS)
    assert keys(schema("ruling")["$defs"]["source"]) == set(loader.SOURCE_KEYS)
    assert keys(schema("case")) == set(loader.CASE_KEYS)
    assert keys(schema("given")) == set(given_.GIVEN_KEYS)
    assert keys(schema("given")["$defs"]["player"]) == set(given_.PLAYER_KEYS)
    assert keys(schema("given")["$defs"]["objectMapping"]) == set(given_.OBJECT_KEYS)
    parts = schema("expectations")["$defs"]
    assert keys(parts["object"]) == set(expectations.OBJECT_FACTS)
    assert keys(parts["player"]) == set(expectations.PLAYER_FACTS)
    assert keys(parts["game"]) == set(expectations.GAME_FACTS)
    assert keys(schema("step")["$defs"]["costs"]) == set(steps.COST_KEYS)


def test_both_know_the_same_verbs_with_the_same_keys() -> None:
    parts = schema("step")["$defs"].values()
    branches = {part["required"][0]: part for part in parts if part.get("required")}
    assert set(branches) == set(model.VERBS)
    for verb, branch in branches.items():
        common = {verb, "choices"} if verb == "check" else {verb, "choices", "by"}
        assert keys(branch) == common | set(steps.VERB_KEYS[verb])


def branches_of(part: Any) -> dict[str, Any]:
    """Give the branch that each verb or answering word leads to."""
    assert [each["required"] for each in part["anyOf"]] == [each["if"]["required"] for each in part["allOf"]]
    assert list(part["properties"]) == [each["required"][0] for each in part["anyOf"]]
    return {each["if"]["required"][0]: each["then"] for each in part["allOf"]}


def test_an_illegal_action_is_an_action_with_two_more_keys() -> None:
    parts, verbs = schema("expectations")["$defs"], schema("step")["$defs"]
    legal, illegal = branches_of(parts["legalAction"]), branches_of(parts["illegalAction"])
    assert list(legal) == list(illegal) == list(steps.ACTIONS)
    for verb in steps.ACTIONS:
        one = verbs[legal[verb]["$ref"].removeprefix("step.schema.json#/$defs/")]
        other = parts[illegal[verb]["$ref"].removeprefix("#/$defs/")]
        # What is near for a step is in another file for an expectation.
        near = json.dumps(one["properties"]).replace('"#/$defs', '"step.schema.json#/$defs')
        far = {key: value for key, value in other["properties"].items() if key not in ("because", "at")}
        assert json.loads(near) == far
        assert keys(other) - set(far) == {"because", "at"}


def test_every_step_leads_to_its_verb() -> None:
    assert list(branches_of(schema("step"))) == list(model.VERBS)


def test_both_know_the_same_answers() -> None:
    branches = branches_of(schema("answer")["$defs"]["answer"])
    assert list(branches) == list(steps.ANSWERS)
    for kind, branch in branches.items():
        more = steps.VERB_KEYS["cast"] if kind == "cast" else ()
        assert keys(branch) == {kind, "by", "options", "not", *more}


def test_both_know_the_same_words() -> None:
    terms, parts = schema("terms")["$defs"], schema("expectations")["$defs"]
    assert terms["player"]["enum"] == list(model.PLAYERS)
    assert terms["zone"]["enum"] == list(model.ZONES)
    assert terms["step"]["enum"] == list(model.STEPS)
    assert terms["color"]["enum"] == list(given_.COLORS)
    assert terms["faceDownBy"]["enum"] == list(given_.FACE_DOWN_BY)
    assert schema("given")["properties"]["step"]["enum"] == list(model.STARTING_STEPS)
    assert parts["object"]["properties"]["zone"]["enum"] == list(expectations.OBJECT_ZONES)
    assert parts["illegalCast"]["properties"]["at"]["enum"] == list(expectations.STAGES)
    verbs = schema("step")["$defs"]
    assert verbs["castFace"]["enum"] == list(steps.CAST_FACES)
    assert verbs["turnUpCost"]["enum"] == list(steps.TURN_UP_COSTS)
    assert verbs["advance"]["properties"]["advance"]["enum"] == list(steps.ADVANCE_STEPS)


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Give the way to every value of a document."""
    found = [path]
    if isinstance(value, dict):
        for key, inner in value.items():
            found.extend(paths(inner, (*path, key)))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            found.extend(paths(inner, (*path, index)))
    return found


PATHS = [path for path in paths(DOCUMENT) if path]
NOTHINGS: list[Any] = [None, True, False, 0, 1, -1, "", " ", [], {}, [None], [1], {"a": []}, "x\ny", "a::b"]
NAMES: list[Any] = [
    "bob",
    "carol",
    "bird",
    "Island#1",
    "Island#0",
    "2 Island",
    ["bird"],
    [["bird"]],
    {"bird": 1},
]
TERMS: list[Any] = [
    "yes",
    "no",
    "top",
    "end",
    "red",
    "{U}",
    "{u}",
    "same",
    "exile",
    "702.34a",
    "back",
    "next",
    "on",
]
VALUES = st.one_of(
    st.sampled_from(NOTHINGS),
    st.sampled_from(NAMES),
    st.sampled_from(TERMS),
    st.just({"bird": {"charge": 1}}),
    st.text(max_size=5),
    st.integers(-10, 1000),
)
KEYS = sorted({str(path[-1]) for path in PATHS})


def mutated(path: tuple[Any, ...], value: Any, rename: str | None) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(DOCUMENT))
    parent: Any = copy
    for key in path[:-1]:
        parent = parent[key]
    if rename is None or isinstance(parent, list):
        parent[path[-1]] = value
    else:
        parent[rename] = parent.pop(path[-1])
    return copy


def test_the_document_that_mutants_are_made_of_is_good() -> None:
    text = json.dumps(DOCUMENT)
    assert load_text(text, "x.yaml").id == "tests/mutants"
    assert validate_text(text, "x.yaml") == ()


def loads(text: str) -> bool:
    try:
        load_text(text, "x.yaml")
    except CaseFileError:
        return False
    return True


@given(st.sampled_from(PATHS), VALUES, st.none() | st.sampled_from(KEYS))
@settings(max_examples=400, deadline=None)
def test_what_the_loader_takes_the_schema_takes_too(path: tuple[Any, ...], value: Any, rename: str | None) -> None:
    text = json.dumps(mutated(path, value, rename))
    if loads(text):
        assert validate_text(text, "x.yaml") == ()
