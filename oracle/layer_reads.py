"""What the words of a continuous effect read: an effect can only depend on what it reads (CR 613.8a)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from judgecall.oracle.definitions import Filter, Node

__all__ = ["reads"]

_READS = {
    "types": "types",
    "all_types": "types",
    "not_types": "types",
    "subtypes": "types",
    "not_subtypes": "types",
    "supertypes": "types",
    "not_supertypes": "types",
    "basic_land_type": "types",
    "permanent_card": "types",
    "count": "types",
    "colors": "colors",
    "not_colors": "colors",
    "colorless": "colors",
    "multicolored": "colors",
    "monocolored": "colors",
    "shares_color_with": "colors",
    "has": "abilities",
    "has_any": "abilities",
    "lacks": "abilities",
    "no_abilities": "abilities",
    "gain abilities of": "abilities",
    "gain keywords": "abilities",
    "power": "power",
    "toughness": "power",
    "toughness_over_power": "power",
    "power of": "power",
    "toughness of": "power",
    "greatest": "power",
    "controller": "control",
    "name": "name",
    "same_name_as": "name",
}


def reads(node: Any, found: set[str]) -> None:
    """Add what a word, a filter or several of them read."""
    for name, value in _parts(node):
        if name in _READS:
            found.add(_READS[name])
        reads(value, found)


def _parts(node: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(node, Node):
        return ((node.word, tuple(node.args.values())),)
    if isinstance(node, Filter):
        return node.tests
    return (("", part) for part in node) if isinstance(node, tuple) else ()
