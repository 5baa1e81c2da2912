"""Cases as JSON, for harnesses that are written elsewhere."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from judgecall.adapters.protocol.state import read_state, state_data
from judgecall.harness.cli import main
from judgecall.harness.export import case_data
from judgecall.harness.suite import load, select
from judgecall.schema.protocol_schemas import MESSAGES, SHARED, protocol_schema
from referencing import Registry, Resource

from tests.harness.helpers import case_of

WHOLE = """
ruling: my/one
summary: {en: Something., fr: Quelque chose.}
rules: ["101.1", "601.2"]
not_acting: {"101.1": It says how cards are read.}
sources: [{card: Opt, publisher: wotc, date: "2026-01-02", language: en, digest: "sha256:DIGEST"}]
cases:
  - case: first
    title: A title
    status: disputed
    why: Nobody knows.
    since: "2026-03-04"
    long: true
    holds_before: It was so.
    given:
      active: bob
      step: upkeep
      turn: 7
      day_night: night
      bob:
        life: 13
        hand: [Opt]
        battlefield: [{card: Clone, as: twin, copy_of: Grizzly Bears, tapped: true, counters: {"+1/+1": 9}, damage: 8}]
        graveyard: [{card: Plains, as: field}]
        exile: [{card: Plains, face_down: effect}]
        counters: {poison: 6}
        mana: "{U}{U}{U}"
        lands_played: 14
      alice: {battlefield: [{token: Treasure, as: hoard, controller: bob}]}
    when:
      - {cast: Opt, by: bob, paying: "{U}", choices: [{may: true, by: bob, options: [twin], not: [field]}]}
      - {check: {twin: {power: 11}}}
    then:
      game: {turn: 12}
      illegal: [{activate: hoard, because: "602.5", at: costs}]
""".replace("DIGEST", "5" * 64)


@cache
def validator() -> Draft202012Validator:
    text = files("judgecall.schema").joinpath("exported.schema.json").read_text(encoding="utf-8")
    registry: Registry[Any] = Registry().with_resources(
        (f"protocol/{name}.schema.json", Resource.from_contents(protocol_schema(name))) for name in (*MESSAGES, *SHARED)
    )
    return Draft202012Validator(json.loads(text), registry=registry)


def test_every_ruling_is_written_and_is_as_the_schema_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["flashback", "face-down/manifest", "comprehensive-rules/601"]
    assert main(["export", "--json", str(tmp_path / "out"), *chosen]) == 0
    index = json.loads((tmp_path / "out" / "index.json").read_text(encoding="utf-8"))
    loaded = list(load(select(chosen)))
    ids = [case.id for each in loaded for case in each.cases]
    assert [entry["id"] for entry in index["cases"]] == ids
    assert index["suite"]
    assert index["case_format"] == 1
    assert f"{len(loaded)} rulings with {len(ids)} cases" in capsys.readouterr().out
    seen = []
    for number, name in enumerate(sorted({entry["file"] for entry in index["cases"]})):
        data = json.loads((tmp_path / "out" / name).read_text(encoding="utf-8"))
        if number % 4 == 0:
            validator().validate(data)
        seen += [case["id"] for case in data["cases"]]
    assert sorted(seen) == sorted(ids)


def test_one_case_of_a_ruling_can_be_written(tmp_path: Path) -> None:
    assert main(["export", "--json", str(tmp_path), "flashback/timing::upkeep"]) == 0
    data = json.loads((tmp_path / "rulings" / "flashback" / "timing.json").read_text(encoding="utf-8"))
    assert [case["case"] for case in data["cases"]] == ["upkeep"]


def test_all_that_a_file_says_is_written(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text(WHOLE, encoding="utf-8")
    assert main(["export", "--json", str(tmp_path), str(tmp_path / "one.yaml")]) == 0
    data = json.loads((tmp_path / "rulings" / "my" / "one.json").read_text(encoding="utf-8"))
    validator().validate(data)
    said = yaml.safe_load(WHOLE)
    assert texts(said) - texts(data) == {"illegal"}  # a probe says whether it is legal
    assert data["not_acting"] == {"101.1": "It says how cards are read."}
    assert sorted(data["cases"][0]["mentions"]) == ["Clone", "Grizzly Bears", "Opt", "Plains", "Treasure"]
    for part, schema in ((said, "ruling"), (said["cases"][0], "case")):
        known = json.loads(files("judgecall.schema").joinpath(f"{schema}.schema.json").read_text(encoding="utf-8"))
        assert set(part) == set(known["properties"]), "the file above is to say all that a file can say"


def texts(data: Any) -> set[Any]:
    """All words and numbers in some data, keys among them."""
    if isinstance(data, dict):
        return texts(list(data)) | texts(list(data.values()))
    if isinstance(data, list):
        return set().union(*map(texts, data))
    return {data}


def test_what_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "--json", str(tmp_path), "flashback/timing::nothing"]) == 4
    assert "has no case nothing" in capsys.readouterr().err
    (tmp_path / "bad.yaml").write_text("ruling: [")
    assert main(["export", "--json", str(tmp_path), str(tmp_path / "bad.yaml")]) == 1
    assert "bad.yaml" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    assert main(["export", "--json", str(tmp_path / "file"), "flashback/timing"]) == 4


def test_references_are_resolved_to_handles() -> None:
    case = case_of(
        """
        given:
          alice:
            battlefield: [2 Island, {card: Clone, copy_of: Grizzly Bears}, {token: Treasure}]
            hand: [{card: "Fire // Ice", as: fire}]
          bob: {graveyard: [Island, Opt]}
        when:
          - {cast: Opt, targets: [fire, "Island#3", Treasure Token], paying: ["2 Island"]}
          - {activate: "ability of Fire", choices: [{pick: [Grizzly Bears]}]}
        then:
          Fire: {zone: exile}
          Spirit Token: {zone: battlefield}
          bob: {graveyard: [Island]}
        """
    )
    assert case_data(case)["references"] == {
        "2 Island": ["alice.battlefield.0", "alice.battlefield.1", "bob.graveyard.0"],
        "Fire": ["alice.hand.0"],
        "Grizzly Bears": ["alice.battlefield.2"],
        "Island": ["alice.battlefield.0", "alice.battlefield.1", "bob.graveyard.0"],
        "Island#3": ["bob.graveyard.0"],
        "Opt": ["bob.graveyard.1"],
        "Treasure Token": ["alice.battlefield.3"],
        "fire": ["alice.hand.0"],
    }


def test_every_default_is_there_and_the_state_is_that_of_a_setup() -> None:
    case = case_of("given: {alice: {hand: [{card: Forest, as: f}]}}\nthen: {f: {zone: hand}}")
    data = case_data(case)
    state = data["given"]
    assert state["players"][0]["life"] == 20
    assert len(state["players"][1]["library"]) == 10
    assert state["players"][0]["hand"][0]["as"] == "f"
    assert state_data(read_state(json.loads(json.dumps(state, default=dict)))) == state_data(case.given)
    assert data["long"] is False
    assert data["status"] is None
