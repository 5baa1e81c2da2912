"""Keywords that are activated abilities (CR 702)."""

from __future__ import annotations

from typing import Any

from judgecall.oracle.definitions import Ability, Activated, Static
from judgecall.oracle.keyword_abilities import register
from judgecall.oracle.keyword_abilities.casting import ANY
from judgecall.oracle.vocabulary.grammar import parse_ability

__all__: list[str] = []


def _activated(name: str, raw: Any, **more: Any) -> Ability:
    made = parse_ability(raw)
    assert isinstance(made, Activated)
    return _rebuilt(made, name, more)


def _rebuilt(made: Activated, name: str, more: dict[str, Any]) -> Activated:
    fields = {slot: getattr(made, slot) for slot in Activated.__dataclass_fields__ if slot != "all_parts"}
    fields.update(keyword=name, **more)
    return Activated(**fields)


def _list(cost: Any) -> list[Any]:
    return list(cost) if isinstance(cost, (list, tuple)) else [cost]


@register("equip")
def equip(name: str, value: Any) -> Ability:
    """Equip (CR 702.6): a cost, or ``{cost, to}`` for an equip ability with a quality."""
    cost, to = value, {}
    if isinstance(value, dict):
        cost, to = value["cost"], value.get("to", {})
    return _activated(
        name,
        {
            "cost": cost,
            "timing": "sorcery",
            "target": {"types": "Creature", "controller": "you", **to},
            "do": [{"attach": "this", "to": "target"}],
        },
    )


@register("fortify")
def fortify(name: str, value: Any) -> Ability:
    """Fortify (CR 702.67)."""
    return _activated(
        name,
        {
            "cost": value,
            "timing": "sorcery",
            "target": {"types": "Land", "controller": "you"},
            "do": [{"attach": "this", "to": "target"}],
        },
    )


@register("reconfigure")
def reconfigure(name: str, value: Any) -> Ability:
    """Reconfigure (CR 702.151)."""
    attach = parse_ability(
        {
            "cost": value,
            "timing": "sorcery",
            "target": {"types": "Creature", "controller": "you", "other": True},
            "do": [{"attach": "this", "to": "target"}],
        }
    )
    free = parse_ability(
        {
            "cost": value,
            "timing": "sorcery",
            "only if": {"this is": {"attached to": {"types": "Creature"}}},
            "do": [{"unattach": "this"}],
        }
    )
    calm = parse_ability(
        {
            "static": {"affects": "this", "change": {"lose types": "Creature"}},
            "only if": {"this is": {"attached to": {}}},
        }
    )
    return Static(keyword=name, parts=(attach, free, calm))


@register("cycling")
def cycling(name: str, value: Any) -> Ability:
    """Cycling (CR 702.29): a cost, or ``{cost, find}`` for typecycling."""
    cost, find = value, None
    if isinstance(value, dict) and "cost" in value:
        cost, find = value["cost"], value.get("find")
    effect: Any = {"draw": 1} if find is None else {"search": find, "reveal": True}
    return _activated(name, {"cost": [*_list(cost), "cycle this"], "zone": "hand", "do": [effect]})


@register("crew")
def crew(name: str, value: Any) -> Ability:
    """Crew (CR 702.122)."""
    return _activated(
        name,
        {
            "cost": [{"tap power": value, "filter": {"types": "Creature", "other": True}}],
            "do": [
                {
                    "until": "end of turn",
                    "affects": "this",
                    "change": [{"add types": ["Artifact", "Creature"]}],
                }
            ],
        },
    )


@register("saddle")
def saddle(name: str, value: Any) -> Ability:
    """Saddle (CR 702.171)."""
    return _activated(
        name,
        {
            "cost": [{"tap power": value, "filter": {"types": "Creature", "other": True}, "kind": "saddle"}],
            "timing": "sorcery",
            "do": [{"flag": "saddled"}],
        },
    )


@register("scavenge")
def scavenge(name: str, value: Any) -> Ability:
    """Scavenge (CR 702.97)."""
    cost = [{"mana cost of": "this"}] if value == "mana cost" else _list(value)
    return _activated(
        name,
        {
            "cost": [*cost, "exile this"],
            "zone": "graveyard",
            "timing": "sorcery",
            "target": {"types": "Creature"},
            "do": [{"put counters": {"+1/+1": {"power of": "this"}}, "on": "target"}],
        },
    )


@register("unearth")
def unearth(name: str, value: Any) -> Ability:
    """Unearth (CR 702.84)."""
    return _activated(
        name,
        {
            "cost": value,
            "zone": "graveyard",
            "timing": "sorcery",
            "do": [
                {"put": "this", "to": "battlefield", "as": "back"},
                {"until": "forever", "affects": "back", "change": {"gain": "haste"}},
                {"delayed": {"begins": "end"}, "body": [{"exile": "back"}]},
                {
                    "until": "forever",
                    "affects": "back",
                    "replace": {
                        "replace": {"moves": {}, "from": "battlefield", "not to": "exile"},
                        "instead": [{"go to": "exile"}],
                    },
                },
            ],
        },
    )


@register("embalm", "eternalize")
def embalm(name: str, value: Any) -> Ability:
    """Embalm and eternalize (CR 702.128, 702.129): a token copy that is a white or black Zombie."""
    exceptions: dict[str, Any] = {
        "colors": "white" if name == "embalm" else "black",
        "add subtypes": "Zombie",
        "mana cost": "none",
    }
    if name == "eternalize":
        exceptions["pt"] = "4/4"
    return _activated(
        name,
        {
            "cost": [*_list(value), "exile this"],
            "zone": "graveyard",
            "timing": "sorcery",
            "do": [{"create copy": "this card", "except": exceptions}],
        },
    )


@register("outlast")
def outlast(name: str, value: Any) -> Ability:
    """Outlast (CR 702.107)."""
    return _activated(
        name, {"cost": [*_list(value), "{T}"], "timing": "sorcery", "do": [{"put counters": {"+1/+1": 1}}]}
    )


@register("monstrosity")
def monstrosity(name: str, value: Any) -> Ability:
    """An ability with the keyword action monstrosity (CR 701.37): ``{cost, n}``."""
    return _activated(
        name,
        {
            "cost": value["cost"],
            "do": [
                {
                    "if": {"not": {"flag": "monstrous"}},
                    "then": [{"put counters": {"+1/+1": value["n"]}}, {"flag": "monstrous"}],
                }
            ],
        },
    )


@register("reinforce")
def reinforce(name: str, value: Any) -> Ability:
    """Reinforce (CR 702.77): ``{n, cost}``."""
    return _activated(
        name,
        {
            "cost": [*_list(value["cost"]), "discard this"],
            "zone": "hand",
            "target": {"types": "Creature"},
            "do": [{"put counters": {"+1/+1": value["n"]}, "on": "target"}],
        },
    )


@register("class level")
def class_level(name: str, value: Any) -> Ability:
    """Gain the next level of a Class (CR 716.2a): ``{cost, to}``."""
    return _activated(
        name,
        {
            "cost": value["cost"],
            "timing": "sorcery",
            "only if": {"compare": {"class level of": "this"}, "to": value["to"] - 1},
            "do": [{"set class level": value["to"]}],
        },
    )


@register("level up")
def level_up(name: str, value: Any) -> Ability:
    """Level up (CR 702.87)."""
    return _activated(name, {"cost": value, "timing": "sorcery", "do": [{"put counters": {"level": 1}}]})


@register("exhaust")
def exhaust(name: str, value: Any) -> Ability:
    """Exhaust: an activated ability that works once (CR 702.177)."""
    return _activated(name, value, once=True)


@register("station")
def station(name: str, value: Any) -> Ability:
    """Station (CR 702.184): tap another creature for charge counters."""
    return _activated(
        name,
        {
            "cost": [{"tap": {"types": "Creature", "other": True}}],
            "timing": "sorcery",
            "do": [{"put counters": {"charge": {"station value of": "tapped"}}}],
        },
    )


@register("boast")
def boast(name: str, value: Any) -> Ability:
    """Boast: only if it attacked this turn, and once each turn (CR 702.142)."""
    return _activated(name, {**value, "only if": {"noted": "attacked"}, "limit": 1})


@register("aura swap")
def aura_swap(name: str, value: Any) -> Ability:
    """Aura swap (CR 702.65)."""
    return _activated(name, {"cost": value, "do": ["swap aura"]})


@register(
    "adapt",
    "channel",
    "bloodrush",
)
def with_own_ability(name: str, value: Any) -> Ability:
    """Activated abilities that a name or a keyword marks, said in full by the card."""
    if not isinstance(value, dict):
        return Static(keyword=name, value=value, zones=ANY)
    return _activated(name, value)
