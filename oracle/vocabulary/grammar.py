"""Reads the YAML of a card definition into the vocabulary's data, and says where a word is not known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from judgecall.oracle.characteristics import symbols_of
from judgecall.oracle.definitions import (
    Ability,
    Activated,
    Body,
    Cost,
    Enters,
    Filter,
    Modes,
    Node,
    Replacement,
    SpellAbility,
    Static,
    TargetSpec,
    Triggered,
)
from judgecall.oracle.vocabulary.words import REGISTRY, Parameter, Word

__all__ = [
    "ABILITY_KEYS",
    "BODY_KEYS",
    "ENTERS_KEYS",
    "RELATIONS",
    "TARGET_KEYS",
    "DefinitionError",
    "near",
    "parse_ability",
    "parse_body",
    "parse_cost",
    "parse_effects",
    "parse_filter",
    "parse_value",
    "reader",
    "several",
    "told",
    "truth",
    "watched",
]

Raw = Any


class DefinitionError(ValueError):
    """A definition uses a word that is not in the vocabulary, or uses one wrongly."""


def near(name: str, known: Iterable[Any]) -> str:
    """A question after a word that may have been meant, or nothing."""
    close = get_close_matches(str(name), [str(k) for k in known], 1)
    return f"; did you mean {close[0]!r}?" if close else ""


def reader(type: str) -> Callable[[Callable[[Raw], Any]], Callable[[Raw], Any]]:
    """Register a function as what reads the values of a parameter type."""

    def register(function: Callable[[Raw], Any]) -> Callable[[Raw], Any]:
        if type in _READERS:
            raise ValueError(f"the parameter type {type!r} is there already")
        _READERS[type] = function
        return function

    return register


_watchers: list[Callable[[str, str], None]] = []


@contextmanager
def watched(note: Callable[[str, str], None]) -> Iterator[None]:
    """While it lasts, every word that is read is told, with its kind; keywords are of the kind ``keyword``."""
    _watchers.append(note)
    try:
        yield
    finally:
        _watchers.remove(note)


def told(kind: str, name: str) -> None:
    """Tell those who watch that a word has been read."""
    for note in _watchers:
        note(kind, name)


def parse_value(type: str, raw: Raw) -> Any:
    """A value of a parameter's type.

    >>> from judgecall.oracle.vocabulary import read_vocabulary
    >>> read_vocabulary()
    >>> parse_value("effects", [{"draw": 2}, {"discard": 1}])[0].word
    'draw'
    >>> parse_value("condition", {"controls": {"types": "Land"}, "wo": "you"})
    Traceback (most recent call last):
    ...
    judgecall.oracle.vocabulary.grammar.DefinitionError: condition 'controls' takes no 'wo'; did you mean 'who'?

    Raises:
        DefinitionError: a word is not known, or takes no such value.
    """
    if raw is None:
        return None
    read = _READERS.get(type)
    if read is not None:
        return read(raw)
    if type in REGISTRY:
        return _parse_node(type, raw)
    raise DefinitionError(f"no parameter type {type!r}")


def several(raw: Raw) -> Sequence[Raw]:
    """A list, or one thing as a list."""
    return raw if isinstance(raw, (list, tuple)) else (raw,)


def _words(raw: Raw) -> tuple[str, ...]:
    return tuple(str(item) for item in several(raw))


def _parse_arguments(entry: Word, raw: Mapping[str, Raw]) -> Mapping[str, Any]:
    arguments: dict[str, Any] = {}
    for key, value in raw.items():
        name = entry.main if key == entry.name else key.replace(" ", "_")
        if name not in entry.parameters and f"{name}_" in entry.parameters:
            name = f"{name}_"
        if name is None or name not in entry.parameters:
            raise DefinitionError(f"{entry.kind} {entry.name!r} takes no {key!r}{near(key, entry.parameters)}")
        arguments[name] = parse_value(entry.parameters[name].type, value)
    for name, parameter in entry.parameters.items():
        if name not in arguments:
            if parameter.required:
                raise DefinitionError(f"{entry.kind} {entry.name!r} needs {name!r}")
            if parameter.default is not None:
                arguments[name] = _default(parameter)
    return MappingProxyType(arguments)


def _default(parameter: Parameter) -> Any:
    return parse_value(parameter.type, parameter.default)


def _parse_node(kind: str, raw: Raw) -> Any:
    table = REGISTRY[kind]
    if isinstance(raw, Node):
        return raw
    if kind == "amount":
        if isinstance(raw, bool):
            raise DefinitionError(f"not an amount: {raw!r}")
        if isinstance(raw, int):
            return raw
    if isinstance(raw, str):
        return _parse_phrase(kind, raw)
    if isinstance(raw, (list, tuple)):
        if kind in ("objects", "players"):
            return Node("union", MappingProxyType({"of": tuple(_parse_node(kind, item) for item in raw)}))
        if kind == "condition":
            return Node("all", MappingProxyType({"of": tuple(_parse_node(kind, item) for item in raw)}))
        raise DefinitionError(f"a list is no {kind}")
    if not isinstance(raw, Mapping):
        raise DefinitionError(f"not a {kind}: {raw!r}")
    heads = [key for key in raw if key in table]
    if not heads:
        if kind == "objects":
            return Node("all", MappingProxyType({"filter": parse_filter(raw)}))
        raise DefinitionError(f"no {kind} among {', '.join(map(repr, raw))}{near(next(iter(raw), ''), table)}")
    entry = table[heads[0]]
    if len(heads) > 1:
        # A parameter may be called like another word: the head is the word that takes the others.
        for head in heads:
            if all(k == head or k.replace(" ", "_") in table[head].parameters for k in raw):
                entry = table[head]
                break
    told(kind, entry.name)
    return Node(entry.name, _parse_arguments(entry, raw))


def _parse_phrase(kind: str, text: str) -> Any:
    """``controller of target`` is the word ``controller of`` applied to ``target``."""
    table = REGISTRY[kind]
    entry = table.get(text)
    if entry is not None:
        told(kind, text)
        return Node(text, _parse_arguments(entry, {}))
    head, found, rest = text.partition(" of ")
    if found and f"{head} of" in table:
        entry = table[f"{head} of"]
        assert entry.main is not None
        told(kind, entry.name)
        return Node(entry.name, MappingProxyType({entry.main: parse_value(entry.parameters[entry.main].type, rest)}))
    if kind == "amount" and text.lstrip("-").isdigit():
        return int(text)
    if kind in ("amount", "objects", "players"):
        return Node("result", MappingProxyType({"name": text}))
    raise DefinitionError(f"no {kind} {text!r}{near(text, table)}")


def parse_filter(raw: Raw) -> Filter:
    """A description of objects: a mapping of tests, or a list of them of which any may hold."""
    if isinstance(raw, Filter):
        return raw
    table = REGISTRY["test"]
    if isinstance(raw, (list, tuple)):
        return Filter((("any_of", tuple(parse_filter(item) for item in raw)),))
    if isinstance(raw, str):
        raw = {"is": raw}
    if not isinstance(raw, Mapping):
        raise DefinitionError(f"not a filter: {raw!r}")
    tests: list[tuple[str, Any]] = []
    zone: str | None = None
    for key, value in raw.items():
        name = str(key).replace(" ", "_")
        if name == "zone":
            zone = str(value)
            continue
        if name not in table:
            raise DefinitionError(f"no test {key!r}{near(name, table)}")
        told("test", name)
        tests.append((name, parse_value(table[name].parameters["value"].type, value)))
    return Filter(tuple(tests), zone)


RELATIONS = frozenset({"min", "max", "less", "more", "is", "not"})


def _parse_comparison(raw: Raw) -> tuple[tuple[str, Any], ...]:
    """``3``, ``{max: 3}``, ``{less: {power of: this}}``: pairs of a relation and an amount."""
    if isinstance(raw, Mapping) and set(raw) <= RELATIONS:
        return tuple((key, _parse_node("amount", value)) for key, value in raw.items())
    if raw == "even" or raw == "odd":
        return ((raw, 0),)
    return (("is", _parse_node("amount", raw)),)


def parse_cost(raw: Raw) -> Cost:
    """A cost: mana symbols, or a list of symbols and words (CR 118).

    >>> parse_cost("{1}{U}").mana
    ('1', 'U')
    """
    if isinstance(raw, Cost):
        return raw
    if raw == "none":
        return Cost(unpayable=True)
    mana: list[str] | None = None
    parts: list[Node] = []
    for item in several(raw):
        if isinstance(item, str) and item.startswith("{"):
            for symbol in symbols_of(item):
                if symbol in ("T", "Q"):
                    parts.append(Node("tap this" if symbol == "T" else "untap this", MappingProxyType({})))
                else:
                    mana = [*(mana or ()), symbol]
        else:
            parts.append(_parse_node("pay", item))
    return Cost(tuple(mana) if mana is not None else None, tuple(parts))


def parse_effects(raw: Raw) -> tuple[Node, ...]:
    """Instructions, one or several."""
    return tuple(_parse_effect(item) for item in several(raw))


def _parse_effect(raw: Raw) -> Node:
    if isinstance(raw, Node):
        return raw
    named: str | None = None
    if isinstance(raw, Mapping) and "as" in raw:
        raw = dict(raw)
        named = str(raw.pop("as"))
    node: Node = _parse_node("effect", raw)
    if named is not None:
        node = Node(node.word, MappingProxyType({**node.args, "as": named}))
    return node


TARGET_KEYS = frozenset(
    [
        *("n", "up to", "at least", "any number", "any target", "player", "or", "other than", "divide", "total"),
        *("for each", "when"),
    ]
)


def _parse_target(raw: Raw) -> TargetSpec:
    """``{types: Creature}``, ``{any target: yes}``, ``{player: opponent}``, with ``n``, ``up to``, ``any number``…"""
    raw = dict(raw) if isinstance(raw, Mapping) else {"one_of": raw}
    condition = parse_value("condition", raw.pop("when", None))
    each = parse_value("players", raw.pop("for each", None))
    divide = parse_value("amount", raw.pop("divide", None))
    other = raw.pop("other than", None)
    total_raw = raw.pop("total", None)
    total = parse_value("condition", total_raw) if total_raw is not None else None
    minimum: Any = 1
    maximum: Any = 1
    if "n" in raw:
        minimum = maximum = parse_value("amount", raw.pop("n"))
    if "up to" in raw:
        minimum, maximum = 0, parse_value("amount", raw.pop("up to"))
    if raw.pop("any number", False):
        minimum, maximum = 0, 10_000
    if "at least" in raw:
        minimum = parse_value("amount", raw.pop("at least"))
    players = None
    if "player" in raw:
        which = raw.pop("player")
        players = parse_value("players", "each player" if which in (True, "any") else which)
    filter: Filter | None = None
    if raw.pop("any target", False):  # CR 115.4
        players = parse_value("players", "each player")
        filter = parse_filter({"types": ["Creature", "Planeswalker", "Battle"], **raw})
    elif "or" in raw:
        filter = parse_filter(raw.pop("or"))
    elif "one_of" in raw:
        filter = parse_filter(raw.pop("one_of"))
    elif raw or players is None:
        filter = parse_filter(raw)
    return TargetSpec(filter, players, minimum, maximum, other, condition, each, divide, total)


def _parse_targets(raw: Raw) -> tuple[TargetSpec, ...]:
    if raw is None:
        return ()
    return tuple(_parse_target(item) for item in several(raw))


def parse_body(raw: Mapping[str, Raw]) -> Body:
    """``target``/``targets``, ``do``, or ``modes`` with ``choose``."""
    modes = None
    if "modes" in raw:
        minimum: Any = 1
        maximum: Any = 1
        choose = raw.get("choose", 1)
        if isinstance(choose, Mapping):
            minimum = parse_value("amount", choose.get("min", 0))
            maximum = parse_value("amount", choose.get("max", len(raw["modes"])))
        else:
            minimum = maximum = parse_value("amount", choose)
        bodies = tuple(parse_body(mode if isinstance(mode, Mapping) else {"do": mode}) for mode in raw["modes"])
        costs = tuple(
            parse_cost(mode["cost"]) if isinstance(mode, Mapping) and "cost" in mode else None for mode in raw["modes"]
        )
        modes = Modes(bodies, minimum, maximum, bool(raw.get("repeat", False)), costs)
    targets = _parse_targets(raw.get("targets", raw.get("target")))
    return Body(parse_effects(raw.get("do", [])), targets, modes)


BODY_KEYS = frozenset({"target", "targets", "do", "modes", "choose", "repeat"})
ABILITY_KEYS: Mapping[str, frozenset[str]] = {
    "spell": frozenset({"spell"}),
    "activated": frozenset(
        {"cost", "timing", "only if", "limit", "once", "anyone", "zone", "label", "reduced", *BODY_KEYS}
    ),
    "loyalty": frozenset({"loyalty", *BODY_KEYS}),
    "triggered": frozenset({"when", "if", "limit", "zone", "label", "optional", *BODY_KEYS}),
    "static": frozenset({"static", "only if", "zone", "cda"}),
    "replace": frozenset({"replace", "instead", "only if", "zone", "optional", "class", "once"}),
    "enters": frozenset({"enters", "only if", "zone"}),
}


def parse_ability(raw: Raw, number: int = 0) -> Ability:
    """One ability: a keyword, or a mapping whose keys say which kind it is."""
    if isinstance(raw, Ability):
        return raw
    from judgecall.oracle import keyword_abilities

    if isinstance(raw, str):
        return keyword_abilities.make(raw, None)
    if not isinstance(raw, Mapping):
        raise DefinitionError(f"not an ability: {raw!r}")
    for head, keys in ABILITY_KEYS.items():
        if (
            (head in raw)
            or (head == "activated" and "cost" in raw and "when" not in raw)
            or (head == "triggered" and "when" in raw)
        ):
            unknown = set(raw) - keys - {"label"}
            if unknown:
                raise DefinitionError(f"{head} takes no {sorted(unknown)[0]!r}{near(sorted(unknown)[0], keys)}")
            return _ABILITY_READERS[head](raw, number)
    name = next(iter(raw))
    value = raw[name] if len(raw) == 1 else raw
    return keyword_abilities.make(str(name), value)


def _zones(raw: Mapping[str, Raw], default: str = "battlefield") -> frozenset[str]:
    return frozenset(_words(raw.get("zone", default)))


def _read_spell(raw: Mapping[str, Raw], number: int) -> Ability:
    inner = raw["spell"]
    if not isinstance(inner, Mapping) or not (set(inner) & BODY_KEYS):
        inner = {"do": inner}
    unknown = set(inner) - BODY_KEYS
    if unknown:
        raise DefinitionError(f"spell takes no {sorted(unknown)[0]!r}")
    return SpellAbility(zones=frozenset({"stack"}), number=number, body=parse_body(inner))


def _makes_mana(body: Body) -> bool:
    """CR 605.1a, 605.1b: could add mana, has no target."""
    if body.targets:
        return False
    if body.modes:
        return any(_makes_mana(mode) for mode in body.modes.bodies)
    return _adds_mana(body.effects)


def _adds_mana(effects: tuple[Node, ...]) -> bool:
    for node in effects:
        if not isinstance(node, Node):
            continue
        if node.word == "mana":
            return True
        for value in node.args.values():
            if isinstance(value, tuple) and value and isinstance(value[0], Node) and _adds_mana(value):
                return True
    return False


def _read_activated(raw: Mapping[str, Raw], number: int) -> Ability:
    body = parse_body(raw)
    return Activated(
        number=number,
        zones=_zones(raw),
        label=str(raw.get("label", "")),
        cost=parse_cost(raw["cost"]),
        body=body,
        timing=str(raw.get("timing", "instant")),
        condition=parse_value("condition", raw.get("only if")),
        limit=raw.get("limit"),
        once=bool(raw.get("once", False)),
        anyone=bool(raw.get("anyone", False)),
        mana=_makes_mana(body),
        reductions=_parse_rules(raw["reduced"]) if "reduced" in raw else (),
    )


def _read_loyalty(raw: Mapping[str, Raw], number: int) -> Ability:
    amount = raw["loyalty"]
    node = Node("loyalty", MappingProxyType({"n": amount if amount in ("X", "-X") else int(amount)}))
    return Activated(number=number, cost=Cost(None, (node,)), body=parse_body(raw), timing="sorcery", loyalty=True)


def _read_triggered(raw: Mapping[str, Raw], number: int) -> Ability:
    trigger = _parse_node("trigger", raw["when"])
    body = parse_body(raw)
    makes = _makes_mana(body)
    mana = makes and trigger.word in ("tapped for mana", "mana added")
    default = "stack" if trigger.word == "you cast this" else "battlefield"
    return Triggered(
        number=number,
        zones=_zones(raw, default),
        label=str(raw.get("label", "")),
        trigger=trigger,
        body=body,
        condition=parse_value("condition", raw.get("if")),
        limit=raw.get("limit"),
        mana=mana,
        rules=("605.1b", "605.5a") if makes and not mana else (),
        optional=bool(raw.get("optional", False)),
    )


def _parse_rules(raw: Raw) -> tuple[Node, ...]:
    return tuple(_parse_node("rule", item) for item in several(raw))


def _read_static(raw: Mapping[str, Raw], number: int) -> Ability:
    cda = bool(raw.get("cda", False))
    zones = frozenset(_words(raw["zone"])) if "zone" in raw else frozenset({"battlefield"})
    if cda:
        zones = frozenset({"any"})  # CR 604.3
    return Static(
        number=number,
        zones=zones,
        effects=_parse_rules(raw["static"]),
        condition=parse_value("condition", raw.get("only if")),
        cda=cda,
    )


def _read_replace(raw: Mapping[str, Raw], number: int) -> Ability:
    return Replacement(
        number=number,
        zones=_zones(raw),
        event=_parse_node("replace", raw["replace"]),
        instead=parse_effects(raw.get("instead", [])),
        condition=parse_value("condition", raw.get("only if")),
        optional=bool(raw.get("optional", False)),
        class_=str(raw.get("class", "other")),
        once=bool(raw.get("once", False)),
    )


ENTERS_KEYS = frozenset({"affects", "tapped", "counters", "copy", "do", "on", "optional", "transformed", "once"})


def _read_enters(raw: Mapping[str, Raw], number: int) -> Ability:
    inner = raw["enters"]
    if isinstance(inner, str):
        inner = {inner: True}
    unknown = set(inner) - ENTERS_KEYS
    if unknown:
        raise DefinitionError(f"enters takes no {sorted(unknown)[0]!r}{near(sorted(unknown)[0], ENTERS_KEYS)}")
    tapped = inner.get("tapped")
    return Enters(
        number=number,
        zones=_zones(raw),
        affects=parse_filter(inner["affects"]) if "affects" in inner else None,
        tapped=tapped,
        counters=MappingProxyType(
            {str(kind): parse_value("amount", n) for kind, n in (inner.get("counters") or {}).items()}
        ),
        copy=_parse_node("effect", {"as copy": inner["copy"]} if not _is_copy(inner["copy"]) else inner["copy"])
        if "copy" in inner
        else None,
        effects=parse_effects(inner.get("do", [])),
        condition=parse_value("condition", raw.get("only if")),
        on=frozenset(_words(inner.get("on", "enter"))),
        optional=bool(inner.get("optional", False)),
        transformed=bool(inner.get("transformed", False)),
        once=bool(inner.get("once", False)),
    )


def _is_copy(raw: Raw) -> bool:
    return isinstance(raw, Mapping) and "as copy" in raw


def _parse_abilities(raw: Raw) -> tuple[Ability, ...]:
    return tuple(parse_ability(item) for item in several(raw))


def _parse_changes(raw: Raw) -> tuple[Node, ...]:
    found: list[Node] = []
    for item in several(raw):
        if isinstance(item, Mapping):
            table = REGISTRY["change"]
            heads = [key for key in item if key in table]
            if len(heads) == len(item):
                found.extend(_parse_node("change", {key: value}) for key, value in item.items())
                continue
        found.append(_parse_node("change", item))
    return tuple(found)


def _parse_affected(raw: Raw) -> Any:
    return _parse_node("objects", raw) if isinstance(raw, (str, Node)) else parse_filter(raw)


def truth(raw: Raw) -> bool:
    """Yes or no."""
    if not isinstance(raw, bool):
        raise DefinitionError(f"yes or no, not {raw!r}")
    return raw


_ABILITY_READERS = {
    "spell": _read_spell,
    "activated": _read_activated,
    "loyalty": _read_loyalty,
    "triggered": _read_triggered,
    "static": _read_static,
    "replace": _read_replace,
    "enters": _read_enters,
}

_READERS: dict[str, Callable[[Raw], Any]] = {
    "words": _words,
    "text": str,
    "raw": lambda raw: raw,
    "mana made": lambda raw: tuple(raw) if isinstance(raw, list) else raw,
    "bool": truth,
    "int": int,
    "filter": parse_filter,
    "filters": lambda raw: tuple(parse_filter(item) for item in raw),
    "affected": _parse_affected,
    "comparison": _parse_comparison,
    "cost": parse_cost,
    "mana": symbols_of,
    "effects": parse_effects,
    "body": lambda raw: parse_body(raw if isinstance(raw, Mapping) and set(raw) & BODY_KEYS else {"do": raw}),
    "target": _parse_target,
    "ability": parse_ability,
    "abilities": _parse_abilities,
    "changes": _parse_changes,
    "rules": _parse_rules,
    "triggers": lambda raw: tuple(_parse_node("trigger", item) for item in raw),
    "conditions": lambda raw: tuple(_parse_node("condition", item) for item in raw),
    "amounts": lambda raw: tuple(_parse_node("amount", item) for item in raw),
}
