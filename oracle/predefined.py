"""Predefined tokens (CR 111.10), said in the vocabulary."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from judgecall.oracle.characteristics import CopiableValues
from judgecall.oracle.vocabulary import read_vocabulary

__all__ = ["NAMES", "token"]


def _artifact(subtype: str, *abilities: Any) -> Mapping[str, Any]:
    return {"type": f"Artifact — {subtype}", "abilities": list(abilities)}


def _role(name: str, *abilities: Any) -> Mapping[str, Any]:
    return {
        "type": "Enchantment — Aura Role",
        "name": name,
        "abilities": [{"enchant": {"types": "Creature"}}, *abilities],
    }


def _affects(*change: Any) -> Mapping[str, Any]:
    return {"static": {"affects": "attached", "change": list(change)}}


_SACRIFICE = "sacrifice this"
_MAP: Mapping[str, Any] = {
    "Treasure": _artifact("Treasure", {"cost": ["{T}", _SACRIFICE], "do": [{"mana": "any color"}]}),
    "Food": _artifact("Food", {"cost": ["{2}{T}", _SACRIFICE], "do": [{"gain life": 3}]}),
    "Gold": _artifact("Gold", {"cost": [_SACRIFICE], "do": [{"mana": "any color"}]}),
    "Clue": _artifact("Clue", {"cost": ["{2}", _SACRIFICE], "do": [{"draw": 1}]}),
    "Blood": _artifact("Blood", {"cost": ["{1}{T}", {"discard": 1}, _SACRIFICE], "do": [{"draw": 1}]}),
    "Powerstone": _artifact(
        "Powerstone",
        {"cost": "{T}", "do": [{"mana": "{C}", "only": {"not for": {"not types": "Artifact"}}}]},
    ),
    "Map": _artifact(
        "Map",
        {
            "cost": ["{1}{T}", _SACRIFICE],
            "timing": "sorcery",
            "target": {"types": "Creature", "controller": "you"},
            "do": [{"explore": "target"}],
        },
    ),
    "Lander": _artifact(
        "Lander",
        {
            "cost": ["{2}{T}", _SACRIFICE],
            "do": [{"search": {"types": "Land", "supertypes": "Basic"}, "to": "battlefield", "tapped": True}],
        },
    ),
    "Mutagen": _artifact(
        "Mutagen",
        {
            "cost": ["{1}{T}", _SACRIFICE],
            "timing": "sorcery",
            "target": {"types": "Creature"},
            "do": [{"put counters": {"+1/+1": 1}, "on": "target"}],
        },
    ),
    "Junk": _artifact(
        "Junk",
        {
            "cost": ["{T}", _SACRIFICE],
            "timing": "sorcery",
            "do": [
                {"exile": {"top": 1}, "as": "card"},
                {
                    "permit": "card",
                    "rule": [{"may cast": {"zone": "exile"}}, {"may play lands": {"zone": "exile"}}],
                },
            ],
        },
    ),
    "Shard": {
        "type": "Enchantment — Shard",
        "abilities": [{"cost": ["{2}", _SACRIFICE], "do": [{"scry": 1}, {"draw": 1}]}],
    },
    "Walker": {"type": "Creature — Zombie", "pt": "2/2", "colors": "black", "name": "Walker"},
    "Cursed": _role("Cursed", _affects({"base": "1/1"})),
    "Monster": _role("Monster", _affects({"pt": "+1/+1"}, {"gain": "trample"})),
    "Royal": _role("Royal", _affects({"pt": "+1/+1"}, {"gain": [{"ward": "{1}"}]})),
    "Sorcerer": _role(
        "Sorcerer", _affects({"pt": "+1/+1"}, {"gain": [{"when": {"attacks": "this"}, "do": [{"scry": 1}]}]})
    ),
    "Wicked": _role(
        "Wicked",
        _affects({"pt": "+1/+1"}),
        {"when": {"dies": "this"}, "do": [{"lose life": 1, "who": "each opponent"}]},
    ),
    "Young Hero": _role(
        "Young Hero",
        _affects(
            {
                "gain": [
                    {
                        "when": {"attacks": "this"},
                        "if": {"compare": {"toughness of": "this"}, "to": {"max": 3}},
                        "do": [{"put counters": {"+1/+1": 1}, "on": "this"}],
                    }
                ]
            }
        ),
    ),
    "Virtuous": _role(
        "Virtuous",
        _affects(
            {
                "pt": [
                    {"count": {"types": "Enchantment", "controller": "you"}},
                    {"count": {"types": "Enchantment", "controller": "you"}},
                ]
            }
        ),
    ),
}
NAMES = frozenset(_MAP)
_READ: dict[str, CopiableValues] = {}


def token(name: str) -> CopiableValues | None:
    """A predefined token's values by its name (``Treasure`` or ``Treasure Token``), or None."""
    from judgecall.oracle import objects, tokens

    short = name.removesuffix(" Token").removesuffix(" Role")
    raw = _MAP.get(short)
    if raw is None:
        return None
    if short not in _READ:
        read_vocabulary()  # perhaps no card has been read yet
        _READ[short] = objects.single_face(tokens.face_from(MappingProxyType(dict(raw)), None))
    return _READ[short]
