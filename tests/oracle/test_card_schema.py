"""The JSON Schema of card definitions: up to date, met by every definition, and no sieve."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from judgecall.oracle.cards import loader, schema
from judgecall.oracle.vocabulary.grammar import DefinitionError


@cache
def validator() -> Draft202012Validator:
    """The schema as it is in its file."""
    return Draft202012Validator(json.loads(schema.PATH.read_text(encoding="utf-8")))


def test_the_file_is_up_to_date() -> None:
    assert schema.main(["--check"]) == 0, "python -m judgecall.oracle.cards.schema"


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(validator().schema)


@pytest.mark.parametrize("initials", ["AB", "CD", "EFG", "HIJKL", "MNO", "PQR", "S", "TUVWXYZ"])
def test_definitions_satisfy_it(initials: str) -> None:
    wrong = []
    for name in loader.names():
        if loader.slug(name)[0].upper() in initials:
            for error in validator().iter_errors(loader.document(name)):
                wrong.append(f"{name}: {error.json_path}: {error.message}")
    assert wrong == []


def test_every_definition_has_an_initial() -> None:
    assert all(loader.slug(name)[0].isalpha() for name in loader.names())


BEAR: dict[str, Any] = {"name": "Bear", "mana_cost": "{1}{G}", "type": "Creature — Bear", "pt": "2/2"}


@pytest.mark.parametrize(
    "abilities",
    [
        ["flying", {"ward": "{2}"}],
        [{"cost": "{T}", "do": [{"mana": "{G}"}]}],
        [{"when": {"enters": "this"}, "target": {"types": "Creature"}, "do": {"destroy": "target"}}],
        [{"static": {"affects": {"types": "Creature", "controller": "you"}, "change": {"pt": "+1/+1"}}}],
        [{"enters": "tapped"}],
    ],
)
def test_it_takes_what_the_loader_takes(abilities: list[Any]) -> None:
    card = {**BEAR, "abilities": abilities}
    loader.parse_card(card)
    assert [error.message for error in validator().iter_errors(card)] == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"power_toughness": "2/2"},
        {"name": 3},
        {"layout": "sideways"},
        {"abilities": ["flyign"]},
        {"abilities": [{"when": {"entres": "this"}, "do": {"draw": 1}}]},
        {"abilities": [{"when": {"enters": "this"}, "do": {"drawn": 1}}]},
        {"abilities": [{"when": {"enters": "this"}, "do": {"draw": 1, "whose": "you"}}]},
        {"abilities": [{"when": {"enters": "this"}, "then": {"draw": 1}}]},
        {"abilities": [{"cost": "2", "do": {"draw": 1}}]},
        {"abilities": [{"cost": "{2}", "do": {"damage": 1}}]},
        {"abilities": [{"static": {"affects": {"kinds": "Creature"}, "change": {"pt": "+1/+1"}}}]},
        {"abilities": [{"static": {"affects": "this", "change": {"ptt": "+1/+1"}}}]},
        {"abilities": [{"cost": "{2}", "do": {"create": {"pt": "1/1"}}}]},
    ],
)
def test_it_refuses_what_the_loader_refuses(wrong: dict[str, Any]) -> None:
    card = {**BEAR, **wrong}
    assert not validator().is_valid(card)
    if wrong != {"name": 3}:
        with pytest.raises(DefinitionError):
            loader.parse_card(card)
