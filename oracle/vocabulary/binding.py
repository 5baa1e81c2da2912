"""What a token's own ability calls by the name of the object that made it (CR 201.5a)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from judgecall.oracle.characteristics import CopiableValues
from judgecall.oracle.definitions import Ability, Body, Filter, Node
from judgecall.oracle.objects import replaced
from judgecall.oracle.state import Object
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.words import word

__all__ = ["bound"]


@word("objects", "maker")
def maker(ctx: Context) -> list[Object]:
    """In an ability of a token: the object that created it, settled when it did (CR 201.5a)."""
    raise NotImplementedError("maker")


@word("objects", "very", thing="raw")
def very(ctx: Context, thing: Object) -> list[Object]:
    """One particular object, as long as it is where it was (CR 201.5a, 400.7)."""
    return [] if thing.gone else [thing]


def bound(values: CopiableValues, source: Object | None) -> CopiableValues:
    """A token's values in which ``maker`` stands for that object; the same values where nothing says so."""
    if source is None or not any(_mentions(ability) for ability in values.whole.abilities):
        return values
    abilities = tuple(_bound(ability, source) for ability in values.whole.abilities)
    whole = replaced(values.whole, abilities=abilities)
    faces = {name: whole if face is values.whole else face for name, face in values.faces.items()}
    return CopiableValues(values.layout, MappingProxyType(faces), whole)


def _mentions(value: Any) -> bool:
    if isinstance(value, Node):
        return value.word == "maker" or any(_mentions(inner) for inner in value.args.values())
    return any(_mentions(inner) for inner in _inside(value))


def _inside(value: Any) -> list[Any]:
    if isinstance(value, Filter):
        return [inner for _, inner in value.tests]
    if isinstance(value, Mapping):
        return list(value.values())
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, (Ability, Body)):
        return [getattr(value, name) for name in type(value).__dataclass_fields__ if name != "all_parts"]
    return []


def _bound(value: Any, source: Object) -> Any:
    if not _mentions(value):
        return value
    if isinstance(value, Node):
        if value.word == "maker":
            return Node("very", MappingProxyType({"thing": source}))
        return Node(value.word, MappingProxyType({name: _bound(inner, source) for name, inner in value.args.items()}))
    if isinstance(value, Filter):
        return Filter(tuple((name, _bound(inner, source)) for name, inner in value.tests), value.zone)
    if isinstance(value, Mapping):
        return MappingProxyType({name: _bound(inner, source) for name, inner in value.items()})
    if isinstance(value, tuple):
        return tuple(_bound(inner, source) for inner in value)
    names = [name for name in type(value).__dataclass_fields__ if name != "all_parts"]
    return replace(value, **{name: _bound(getattr(value, name), source) for name in names})
