"""What the words of a continuous effect read: an effect can only depend on what it reads (CR 613.8a)."""

from __future__ import annotations

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
    if isinstance(node, Node):
        if node.word in _READS:
            found.add(_READS[node.word])
        for value in node.args.values():
            reads(value, found)
    elif isinstance(node, Filter):
        for name, value in node.tests:
            if name in _READS:
                found.add(_READS[name])
            reads(value, found)
    elif isinstance(node, tuple):
        for value in node:
            reads(value, found)
