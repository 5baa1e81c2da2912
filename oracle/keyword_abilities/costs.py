"""Keywords that are further costs of a spell, or change its cost (CR 118.8, 601.2f, 702)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from judgecall.oracle.definitions import Ability, AdditionalCost, Static
from judgecall.oracle.keyword_abilities import register
from judgecall.oracle.keyword_abilities.casting import ANY
from judgecall.oracle.vocabulary.grammar import parse_ability, parse_cost

__all__: list[str] = []


@register("kicker")
def kicker(name: str, value: Any) -> Ability:
    """Kicker (CR 702.33)."""
    return AdditionalCost(keyword=name, zones=ANY, name=name, cost=parse_cost(value), rule="702.33a")


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


Then = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def _optional(name: str, cost: Any, rule: str, then: Then | None = None, *, repeatable: bool = False) -> Ability:
    """An additional cost that may be paid, and the ability that triggers if it was.

    ``then`` says that ability, given how many times the cost was paid: that of this instance (CR 702.78b).
    """
    further = AdditionalCost(zones=ANY, name=name, cost=parse_cost(cost), repeatable=repeatable, rule=rule)
    if then is None:
        return Static(keyword=name, parts=(further,), zones=ANY)
    said = then({"times paid": name, "instance": further})
    triggered = parse_ability({"if": {"paid": name, "instance": further}, **said})
    return Static(keyword=name, parts=(further, triggered), zones=ANY)


def _copied(n: Any) -> Mapping[str, Any]:
    return {"when": "you cast this", "zone": "stack", "do": [{"copy spell": "that", "n": n}]}


def _copied_once(n: Any) -> Mapping[str, Any]:
    return _copied(1)


@register("bargain")
def bargain(name: str, value: Any) -> Ability:
    """Bargain (CR 702.166)."""
    given_up = [{"types": ["Artifact", "Enchantment"], "controller": "you"}, {"token": True, "controller": "you"}]
    return _optional(name, [{"sacrifice": given_up}], "702.166a")


@register("casualty")
def casualty(name: str, value: Any) -> Ability:
    """Casualty (CR 702.153)."""
    return _optional(name, [{"sacrifice": {"types": "Creature", "power": {"min": value}}}], "702.153a", _copied_once)


@register("conspire")
def conspire(name: str, value: Any) -> Ability:
    """Conspire (CR 702.78)."""
    cost = [{"tap": {"types": "Creature", "shares color with": "this spell"}, "n": 2}]
    return _optional(name, cost, "702.78a", _copied_once)


@register("replicate")
def replicate(name: str, value: Any) -> Ability:
    """Replicate (CR 702.56)."""
    return _optional(name, value, "702.56a", _copied, repeatable=True)


@register("squad")
def squad(name: str, value: Any) -> Ability:
    """Squad (CR 702.157)."""
    return _optional(
        name,
        value,
        "702.157a",
        lambda n: {"when": {"enters": "this"}, "do": [{"create copy": "this", "n": n}]},
        repeatable=True,
    )


@register("offspring")
def offspring(name: str, value: Any) -> Ability:
    """Offspring (CR 702.175)."""
    then = {"when": {"enters": "this"}, "do": [{"create copy": "this", "except": {"pt": "1/1"}}]}
    return _optional(name, value, "702.175a", lambda n: then)


@register("collect evidence")
def collect_evidence(name: str, value: Any) -> Ability:
    """Collecting evidence as an additional cost (CR 701.59)."""
    return _optional(name, [{"collect evidence": value}], "701.59c")


@register("escalate")
def escalate(name: str, value: Any) -> Ability:
    """Escalate: more for each mode beyond the first (CR 702.120)."""
    cost = parse_cost(value)
    return AdditionalCost(keyword=name, zones=ANY, name=name, cost=cost, optional=False, per="mode", rule="702.120a")


@register("spree")
def spree(name: str, value: Any) -> Ability:
    """Spree: its costs stand beside its modes (CR 702.172)."""
    return Static(keyword=name, zones=ANY)


@register("additional cost")
def additional_cost(name: str, value: Any) -> Ability:
    """A mandatory additional cost (CR 118.8b): a cost, or ``{cost, name, optional}``, where it may be paid or not."""
    given = value if isinstance(value, dict) else {"cost": value}
    optional = given.get("optional", False)
    return AdditionalCost(zones=ANY, name=given.get("name", name), cost=parse_cost(given["cost"]), optional=optional)


@register("strive")
def strive(name: str, value: Any) -> Ability:
    """Strive: more for each target beyond the first (CR 207.2c)."""
    return AdditionalCost(keyword=None, zones=ANY, name=name, cost=parse_cost(value), optional=False, per="target")


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
    """Waterbend as an additional cost: generic mana, part of the total cost, that tapping may pay (CR 701.67b).

    No more is to be paid where the rest of it is; that somebody waterbends is an event (CR 701.67c).
    """
    return AdditionalCost(keyword=name, zones=ANY, name=name, cost=parse_cost([value, {"waterbend": "{0}"}]))
