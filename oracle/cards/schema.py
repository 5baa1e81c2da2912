"""The JSON Schema of card definitions, made from the vocabulary's registry.

``python -m judgecall.oracle.cards.schema`` writes ``card.schema.json`` anew, which editors and the tests read; with
``--check`` it only says whether that file is up to date. The loader does not need the schema: it knows more.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from judgecall.oracle import keyword_abilities
from judgecall.oracle.cards.loader import FACES, KEYS, LAYOUTS
from judgecall.oracle.history import RECORDED
from judgecall.oracle.vocabulary import read_vocabulary
from judgecall.oracle.vocabulary.grammar import ABILITY_KEYS, BODY_KEYS, ENTERS_KEYS, RELATIONS, TARGET_KEYS
from judgecall.oracle.vocabulary.listing import written
from judgecall.oracle.vocabulary.values import EXCEPTION_KEYS, TOKEN_KEYS
from judgecall.oracle.vocabulary.words import REGISTRY, Parameter, Word

__all__ = ["PATH", "card_schema", "text"]

PATH = Path(__file__).with_name("card.schema.json")
Schema = dict[str, Any]

_SCALAR: Schema = {"type": ["string", "number", "boolean"]}
_STRING: Schema = {"type": "string"}
_BOOLEAN: Schema = {"type": "boolean"}
_INTEGER: Schema = {"type": "integer"}
# What a name of something done before, or a number in words, may stand for.
_OPEN = ("amount", "objects", "players")


def card_schema() -> Schema:
    """The schema of a file of ``definitions/``."""
    read_vocabulary()
    kinds = {kind: _kind(kind, table) for kind, table in REGISTRY.items() if kind != "test"}
    types = {name.replace(" ", "-"): schema for name, schema in sorted({**_types(), **kinds}.items())}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A card as the oracle's vocabulary states it",
        **_mapping(
            _card_keys() | {key: {"$ref": "#/$defs/face"} for key in set(FACES.values())}, ("name", "type"), KEYS
        ),
        "$defs": {"face": _mapping(_face_keys(), ("name", "type")), **types},
    }


def text() -> str:
    """The schema as its file has it."""
    return json.dumps(card_schema(), ensure_ascii=False, indent=1) + "\n"


# -- cards ---------------------------------------------------------------------------------------------------


def _card_keys() -> Schema:
    return {**_face_keys(), "layout": {"enum": sorted(LAYOUTS)}}


def _face_keys() -> Schema:
    number: Schema = {"type": ["integer", "string", "null"]}
    return {
        "name": _STRING,
        "mana_cost": {"type": "string", "pattern": r"^(\{[^{}]+\})*$"},
        "type": _STRING,
        "pt": {"type": "string", "pattern": r"^-?\d+/-?\d+$"},
        "power": number,
        "toughness": number,
        "loyalty": number,
        "defense": number,
        "color_indicator": _ref("words"),
        "abilities": {"type": "array", "items": _ref("ability")},
    }


# -- types of parameters -------------------------------------------------------------------------------------


def _types() -> dict[str, Schema]:
    several = {"filters": "filter", "triggers": "trigger", "conditions": "condition", "amounts": "amount"}
    several |= {"costs": "cost", "alternatives": "effects"}
    repeatable = {"effects": "effect", "rules": "rule", "abilities": "ability"}
    amounts = dict.fromkeys(sorted(RELATIONS), _ref("amount"))
    return {
        "raw": {},
        "text": _SCALAR,
        "bool": _BOOLEAN,
        "int": _INTEGER,
        "mana": _STRING,
        "yes or text": {"type": ["boolean", "string", "integer"]},
        "words": _one_or_more(_SCALAR),
        "mana made": _one_or_more(_STRING),
        "numbers": _one_or_more(_INTEGER),
        "place": {"anyOf": [_named("top", "bottom"), _INTEGER]},
        "price": {"anyOf": [_named("free", "mana cost"), _ref("cost")]},
        "pair": {"type": ["string", "array"], "items": _ref("amount"), "minItems": 2, "maxItems": 2},
        "comparison": _chosen(_keys_among(RELATIONS), _mapping(amounts), _ref("amount")),
        "counters": {"type": "object", "additionalProperties": _ref("amount")},
        "affected": _chosen({"type": "string"}, {}, _ref("filter")),
        "recorded": _named(*sorted(RECORDED)),
        "spending": _chosen({"type": "string"}, {"const": "costs with X"}, _ref("filter")),
        **{name: {"type": "array", "items": _ref(item)} for name, item in several.items()},
        **{name: _one_or_more(_ref(item)) for name, item in repeatable.items()},
        "changes": _one_or_more(_changes()),
        "filter": {**_mapping(_tests()), "type": ["string", "array", "object"], "items": _ref("filter")},
        "cost": _one_or_more(_chosen({"type": "string", "pattern": r"^(none|(\{[^{}]+\})+)$"}, {}, _ref("pay"))),
        "target": _target(),
        "body": _chosen(_has(*BODY_KEYS), _mapping(_body()), _ref("effects")),
        "mode": _chosen(_has(*BODY_KEYS), _mapping({**_body(), "cost": _ref("cost")}), _ref("effects")),
        "ability": _ability(),
        "token": _chosen({"type": "string"}, {}, _token()),
        "face down": _chosen({"type": "boolean"}, {}, _token()),
        "exceptions": _exceptions(),
    }


def _token() -> Schema:
    known = {key: _ref("words") for key in TOKEN_KEYS} | dict.fromkeys(("name", "type"), _STRING)
    return _mapping({**known, "pt": _ref("pair"), "abilities": _ref("abilities")}, ("type",), TOKEN_KEYS)


def _exceptions() -> Schema:
    known = {key: _ref("words") for key in EXCEPTION_KEYS}
    known |= dict.fromkeys(("type", "name", "mana cost"), _STRING)
    known |= dict.fromkeys(("own colors", "not legendary", "this ability"), _BOOLEAN)
    return _mapping({**known, "pt": _ref("pair"), "gain": _ref("abilities")}, (), EXCEPTION_KEYS)


def _tests() -> Schema:
    tests = {written(name): _ref(word.parameters["value"].type) for name, word in REGISTRY["test"].items()}
    return {**tests, "zone": _STRING}


def _target() -> Schema:
    amount, condition = _ref("amount"), _ref("condition")
    known = {
        "n": amount,
        "up to": amount,
        "at least": amount,
        "any number": _BOOLEAN,
        "any target": _BOOLEAN,
        "player": {"anyOf": [_BOOLEAN, _ref("players")]},
        "or": _ref("filter"),
        "other than": _INTEGER,
        "divide": amount,
        "total": condition,
        "for each": _ref("players"),
        "when": condition,
    }
    described = _mapping({**_tests(), **known}, (), TARGET_KEYS | _tests().keys())
    return {**described, "type": ["string", "array", "object"], "items": _ref("filter")}


def _body() -> Schema:
    amount = _ref("amount")
    known = {
        "target": _ref("target"),
        "targets": _one_or_more(_ref("target")),
        "do": _ref("effects"),
        "modes": {"type": "array", "items": _ref("mode"), "minItems": 1},
        "choose": _chosen(_keys_among({"min", "max"}), {"additionalProperties": amount}, amount),
        "repeat": _BOOLEAN,
    }
    return _mapping(known, (), BODY_KEYS)["properties"]  # type: ignore[no-any-return]


def _ability() -> Schema:
    """Which kind of ability it is, its keys say, looked at in the loader's order; the others are keywords."""
    body, condition = _body(), _ref("condition")
    known: Schema = {
        **body,
        "label": _STRING,
        "zone": _ref("words"),
        "only if": condition,
        "if": condition,
        "spell": _chosen(_has(*BODY_KEYS), _mapping(body), _ref("effects")),
        "cost": _ref("cost"),
        "timing": _named("instant", "sorcery"),
        "limit": _INTEGER,
        "once": _BOOLEAN,
        "anyone": _BOOLEAN,
        "optional": _BOOLEAN,
        "reduced": _ref("rules"),
        "loyalty": {"anyOf": [_INTEGER, _named("X", "-X")]},
        "when": _ref("trigger"),
        "static": _ref("rules"),
        "cda": _BOOLEAN,
        "replace": _ref("replace"),
        "instead": _ref("effects"),
        "class": _named("self", "control", "copy", "face", "other"),
        "enters": _chosen({"type": "string"}, {}, _enters()),
    }
    heads = {"activated": "cost", "triggered": "when"}
    keywords = [name for name, _ in keyword_abilities.builders()]
    schema: Schema = _chosen({"type": "string"}, _named(*keywords), {**_has(*keywords), "type": "object"})
    for name, keys in reversed([*ABILITY_KEYS.items()]):
        test = _has(heads.get(name, name))
        if name == "activated":
            test = {**test, "not": {"required": ["when"]}}
        schema = _chosen(test, _mapping({key: known[key] for key in sorted({*keys, "label"})}), schema)
    return {"type": ["string", "object"], **schema}


def _enters() -> Schema:
    known: Schema = {
        "affects": _ref("filter"),
        "tapped": _BOOLEAN,
        "counters": _ref("counters"),
        "copy": _chosen(_has("as copy"), _ref("effect"), _ref("filter")),
        "do": _ref("effects"),
        "on": _ref("words"),
        "optional": _BOOLEAN,
        "transformed": _BOOLEAN,
        "once": _BOOLEAN,
    }
    return _mapping(known, (), ENTERS_KEYS)


# -- kinds of words ------------------------------------------------------------------------------------------


def _kind(kind: str, table: Mapping[str, Word]) -> Schema:
    """A word alone, or a mapping with the word, its value and the keys beside it."""
    schema = _said(kind, table)
    types = ["string", "object"]
    if kind == "amount":
        types.append("integer")
    elif kind not in _OPEN:
        alone = [name for name, word in table.items() if not any(p.required for p in word.parameters.values())]
        phrases = [f"{name} .+" for name in table if name.endswith(" of")]
        schema["if"] = {"type": "string"}
        schema["then"] = {"anyOf": [_named(*sorted(alone)), {"pattern": f"^({'|'.join(sorted(phrases)) or '.^'})$"}]}
    if kind in ("objects", "players", "condition"):
        types.append("array")
        schema["items"] = _ref(kind)
    if kind == "objects":
        schema = _chosen(_no_key_among(table), _ref("filter"), schema)
    return {"type": types, **schema}


def _said(kind: str, table: Mapping[str, Word]) -> Schema:
    """A mapping that says a word: which one, the word's key says, unless it is what another one takes."""
    takes = {name: {_key(word, each) for each in word.parameters} - {name} for name, word in table.items()}
    dispatch: Schema = {}
    for name, word in sorted(table.items()):
        schema = _word(kind, word)
        others = [{"required": [other]} for other in sorted(table) if name in takes[other]]
        dispatch[name] = {"if": {"not": {"anyOf": others}}, "then": schema} if others else schema
    meanings = {name: {"description": _meaning(word)} for name, word in sorted(table.items())}
    return {"properties": meanings, "dependentSchemas": dispatch, "not": {**_no_key_among(table), "type": "object"}}


def _word(kind: str, word: Word) -> Schema:
    known = {_key(word, name): _value(parameter, name == word.main) for name, parameter in word.parameters.items()}
    required = [_key(word, name) for name, parameter in word.parameters.items() if parameter.required]
    if kind == "effect":
        known["as"] = _STRING
    return _mapping(known, required)


def _value(parameter: Parameter, main: bool) -> Schema:
    """What a parameter may be; behind the word itself nothing may stand where the value has a default."""
    value = _ref(parameter.type)
    return value if parameter.required or not main else _chosen({"type": "null"}, {}, value)


def _key(word: Word, parameter: str) -> str:
    return word.name if parameter == word.main else written(parameter)


def _meaning(word: Word) -> str:
    return " ".join((word.function.__doc__ or "").split("\n\n")[0].split())


def _changes() -> Schema:
    """One change, or several as the keys of one mapping, none of which takes more than its value."""
    table = REGISTRY["change"]
    values = {name: _ref(next(iter(word.parameters.values())).type) for name, word in table.items()}
    return _chosen(_keys_among(table), _mapping(values), _ref("change"))


# -- forms ---------------------------------------------------------------------------------------------------


def _ref(type: str) -> Schema:
    return {"$ref": f"#/$defs/{type.replace(' ', '-')}"}


def _named(*names: str) -> Schema:
    return {"enum": list(names)}


def _one_or_more(item: Schema) -> Schema:
    return _chosen({"type": "array"}, {"items": item}, item)


def _chosen(test: Schema, then: Schema, otherwise: Schema) -> Schema:
    return {"if": test, "then": then, "else": otherwise}


def _keys_among(names: Iterable[str]) -> Schema:
    return {"type": "object", "propertyNames": _named(*sorted(names))}


def _no_key_among(names: Iterable[str]) -> Schema:
    return {"type": "object", "propertyNames": {"not": _named(*sorted(names))}}


def _has(*keys: str) -> Schema:
    """A mapping with at least one of these keys."""
    if len(keys) == 1:
        return {"type": "object", "required": list(keys)}
    return {"type": "object", "not": {"propertyNames": {"not": _named(*sorted(keys))}}}


def _mapping(known: Schema, required: Sequence[str] = (), allowed: Set[str] | None = None) -> Schema:
    """A mapping with these keys and no others; ``allowed`` is what the loader takes, which must be the same."""
    if allowed is not None and allowed != known.keys():
        raise AssertionError(f"the schema and the loader differ in {sorted(allowed ^ known.keys())}")
    made: Schema = {"type": "object", "properties": dict(sorted(known.items())), "additionalProperties": False}
    if required:
        made["required"] = list(required)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the schema, or say whether its file is up to date."""
    parser = argparse.ArgumentParser(prog="python -m judgecall.oracle.cards.schema", description="Card definitions.")
    parser.add_argument("--check", action="store_true", help="only say whether the file is up to date")
    if parser.parse_args(arguments).check:
        if PATH.is_file() and PATH.read_text(encoding="utf-8") == text():
            return 0
        print(f"{PATH.name} is out of date: python -m judgecall.oracle.cards.schema", file=sys.stderr)
        return 1
    PATH.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
