"""Keywords that are further costs of a spell, or change its cost (CR 118.8, 601.2f, 702)."""

from __future__ import annotations

from typing import Any

from judgecall.oracle.definitions import Ability, AdditionalCost, Static
from judgecall.oracle.keyword_abilities import register
from judgecall.oracle.keyword_abilities.casting import ANY
from judgecall.oracle.vocabulary.grammar import parse_ability, parse_cost

__all__: list[str] = []


@register("kicker")
def kicker(name: str, value: Any) -> Ability:
    """Kicker (CR 702.33)."""
    return AdditionalCost(keyword=name, zones=ANY, name=name, cost=parse_cost(value), rule="702.33a", label=str(value))


@register("multikicker")
def multikicker(name: str, value: Any) -> Ability:
    """Multikicker (CR 702.33c)."""
    cost = parse_cost(value)
    return AdditionalCost(keyword=name, zones=ANY, name=name, cost=cost, repeatable=True, rule="702.33c")


@register("buyback")
def buyback(name: str, value: Any) -> Ability:
    """Buyback: back to its owner's hand as it resolves (CR 702.27)."""
    back = parse_ability(
        {
            "replace": {"moves": "this", "from": "stack", "to": "graveyard", "cause": "resolve"},
            "zone": "stack",
            "only if": {"paid": name},
            "instead": [{"go to": "hand"}],
        }
    )
    cost = AdditionalCost(zones=ANY, name=name, cost=parse_cost(value), rule="702.27a")
    return Static(keyword=name, parts=(cost, back), zones=ANY)


@register("entwine")
def entwine(name: str, value: Any) -> Ability:
    """Entwine: all modes instead of one (CR 702.42). The card's modes say ``paid: entwine``."""
    return AdditionalCost(keyword=name, zones=ANY, name=name, cost=parse_cost(value), rule="702.42a")


@register(
    "bargain",
    "casualty",
    "offspring",
    "gift",
    "squad",
    "replicate",
    "conspire",
    "escalate",
    "spree",
    "collect evidence",
    "behold",
)
def optional(name: str, value: Any) -> Ability:
    """Optional additional costs; what they do is said with ``paid``. Spree's stand beside its modes (CR 702.172)."""
    if name == "spree" and value is None:
        return Static(keyword=name, zones=ANY)
    if name == "bargain":
        value = [
            {
                "sacrifice": [
                    {"types": ["Artifact", "Enchantment"], "controller": "you"},
                    {"token": True, "controller": "you"},
                ]
            }
        ]
    elif name == "casualty":
        value = [{"sacrifice": {"types": "Creature", "power": {"min": value}}}]
    elif name == "conspire":
        value = [{"tap": {"types": "Creature", "shares color with": "this spell"}, "n": 2}]
    elif name == "collect evidence":
        value = [{"exile copies": {"zone": "graveyard"}, "mana value": value}]
    cost = AdditionalCost(zones=ANY, name=name, cost=parse_cost(value), repeatable=name in ("squad", "replicate"))
    parts: list[Ability] = [cost]
    if name in ("casualty", "conspire"):
        parts.append(
            parse_ability(
                {
                    "when": "you cast this",
                    "if": {"paid": name},
                    "zone": "stack",
                    "do": [{"copy spell": "that"}],
                }
            )
        )
    return Static(keyword=name, parts=tuple(parts), zones=ANY)


@register("additional cost")
def additional_cost(name: str, value: Any) -> Ability:
    """A mandatory additional cost (CR 118.8b), or with ``optional`` one that may be paid."""
    if isinstance(value, dict) and "cost" in value:
        from judgecall.oracle.vocabulary.grammar import parse_value

        return AdditionalCost(
            zones=ANY,
            name=str(value.get("name", name)),
            cost=parse_cost(value["cost"]),
            optional=bool(value.get("optional", False)),
            condition=parse_value("condition", value.get("only if")),
        )
    if isinstance(value, dict) and set(value) == {"additional cost"}:
        value = value["additional cost"]
    return AdditionalCost(zones=ANY, name=name, cost=parse_cost(value), optional=False)


@register("strive")
def strive(name: str, value: Any) -> Ability:
    """Strive: more for each target beyond the first (CR 207.2c)."""
    return AdditionalCost(keyword=None, zones=ANY, name=name, cost=parse_cost(value), optional=False, per_target=True)


@register("affinity")
def affinity(name: str, value: Any) -> Ability:
    """Affinity: less for each of what is described (CR 702.41)."""
    inner = parse_ability(
        {
            "static": {"reduce cost": "{1}", "times": {"count": {"controller": "you", **value}}},
            "zone": "stack",
        }
    )
    return Static(keyword=name, parts=(inner,), zones=ANY)


@register("undaunted")
def undaunted(name: str, value: Any) -> Ability:
    """Undaunted: less for each opponent (CR 702.125)."""
    inner = parse_ability({"static": {"reduce cost": "{1}", "times": {"players": "opponent"}}, "zone": "stack"})
    return Static(keyword=name, parts=(inner,), zones=ANY)


@register("waterbend")
def waterbend(name: str, value: Any) -> Ability:
    """Waterbend as an additional cost: generic mana that tapping may pay (CR 701.67)."""
    return AdditionalCost(keyword=name, zones=ANY, name=name, cost=parse_cost([{"waterbend": value}]))
