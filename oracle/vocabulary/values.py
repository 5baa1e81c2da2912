"""What words take that is no word itself: what is made or copied, places, prices, and plain values."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from judgecall.oracle.definitions import Cost, Filter, Node
from judgecall.oracle.history import RECORDED
from judgecall.oracle.vocabulary.grammar import (
    DefinitionError,
    near,
    parse_cost,
    parse_effects,
    parse_filter,
    parse_value,
    reader,
    several,
    truth,
)

__all__ = ["EXCEPTION_KEYS", "TOKEN_KEYS"]

TOKEN_KEYS = frozenset({"name", "type", "pt", "colors", "abilities"})
EXCEPTION_KEYS = frozenset(
    [
        *("type", "name", "pt", "colors", "own colors", "add colors", "types", "add types", "subtypes", "add subtypes"),
        *("add supertypes", "not legendary", "mana cost", "gain", "this ability"),
    ]
)


@reader("numbers")
def _numbers(raw: Any) -> tuple[int, ...]:
    return tuple(int(item) for item in several(raw))


@reader("yes or text")
def _yes_or_text(raw: Any) -> bool | str:
    return raw if isinstance(raw, bool) else str(raw)


@reader("counters")
def _counters(raw: Any) -> Any:
    if not isinstance(raw, Mapping):
        raise DefinitionError(f"counters are a mapping of kinds to amounts: {raw!r}")
    return MappingProxyType({str(kind): parse_value("amount", n) for kind, n in raw.items()})


@reader("pair")
def _pair(raw: Any) -> tuple[Any, Any]:
    """``"+3/-1"``, or a list of two amounts."""
    if isinstance(raw, str):
        one, slash, two = raw.partition("/")
        if not slash:
            raise DefinitionError(f"power and toughness, not {raw!r}")
        return parse_value("amount", _signed(one)), parse_value("amount", _signed(two))
    one, two = raw
    return parse_value("amount", one), parse_value("amount", two)


def _signed(text: str) -> Any:
    if text.lstrip("+-").isdigit():
        return int(text)
    if text.startswith("-"):
        return {"minus": [0, text[1:]]}
    return text.removeprefix("+")


@reader("alternatives")
def _alternatives(raw: Any) -> tuple[tuple[Node, ...], ...]:
    """Instructions of which some are chosen."""
    return tuple(parse_effects(item) for item in raw)


@reader("costs")
def _costs(raw: Any) -> tuple[Cost, ...]:
    return tuple(parse_cost(item) for item in raw)


@reader("price")
def _price(raw: Any) -> Cost | str:
    """What casting something costs: ``free``, ``mana cost``, or another cost."""
    return raw if raw in ("free", "mana cost") else parse_cost(raw)


@reader("place")
def _place(raw: Any) -> int | str:
    """``top``, ``bottom``, or how many cards are above it in a library."""
    if raw in ("top", "bottom"):
        return str(raw)
    if isinstance(raw, int) and not isinstance(raw, bool):
        return raw
    raise DefinitionError(f"top, bottom or a number, not {raw!r}")


@reader("recorded")
def _recorded(raw: Any) -> str:
    """What is kept of a turn (CR 608.2i)."""
    if raw not in RECORDED:
        raise DefinitionError(f"nothing is kept of {raw!r}{near(str(raw), RECORDED)}")
    return str(raw)


@reader("spending")
def _spending(raw: Any) -> Filter | str | Mapping[str, Filter]:
    """What mana may be spent on (CR 106.6): spells as described, or ``costs with X``, whatever they are for.

    ``{not for: …}``: anything but spells as described.
    """
    if isinstance(raw, Mapping) and set(raw) == {"not for"}:
        return MappingProxyType({"not for": parse_filter(raw["not for"])})
    return "X" if raw == "costs with X" else parse_filter(raw)


@reader("token")
def _token(raw: Any) -> Any:
    """What a token is (CR 111.3): the name of a predefined one or of a card, or its characteristics."""
    if not isinstance(raw, Mapping):
        return str(raw)
    if "type" not in raw:
        raise DefinitionError("a token needs a 'type'")
    return _characteristics(raw, TOKEN_KEYS, "a token")


@reader("face down")
def _face_down(raw: Any) -> Any:
    """Yes or no, or the characteristics that an effect lists for what it puts face down (CR 708.2a)."""
    return _token(raw) if isinstance(raw, Mapping) else truth(raw)


@reader("exceptions")
def _exceptions(raw: Any) -> Mapping[str, Any]:
    """The exceptions of a copy effect (CR 707.9)."""
    if not isinstance(raw, Mapping):
        raise DefinitionError(f"not the exceptions of a copy effect: {raw!r}")
    return _characteristics(raw, EXCEPTION_KEYS, "a copy effect")


def _characteristics(raw: Mapping[str, Any], known: frozenset[str], what: str) -> Mapping[str, Any]:
    """Characteristics of what an effect makes, its abilities and numbers read."""
    for key in raw:
        if key not in known:
            raise DefinitionError(f"{what} takes no {key!r}{near(key, known)}")
    made = dict(raw)
    for key, type in (("pt", "pair"), ("abilities", "abilities"), ("gain", "abilities")):
        if key in made:
            made[key] = parse_value(type, made[key])
    return MappingProxyType(made)
