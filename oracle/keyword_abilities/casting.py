"""Keywords that are ways of casting: flashback, morph, suspend and the like (CR 118.9, 601.2b, 702)."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

from judgecall.oracle.definitions import (
    Ability,
    AdditionalCost,
    AlternativeCost,
    Cost,
    Node,
    OtherValues,
    Replacement,
    Static,
)
from judgecall.oracle.keyword_abilities import register
from judgecall.oracle.state import Game, Object
from judgecall.oracle.vocabulary.grammar import parse_ability, parse_cost, parse_effects, parse_filter, parse_value

__all__ = ["leaves_to"]

ANY = frozenset({"any"})
_SPELLS = parse_filter({"types": ["Instant", "Sorcery"]})


def leaves_to(zone: str, *rules: str) -> Ability:
    """A spell goes to a zone instead of anywhere else whenever it would leave the stack."""
    return Replacement(
        rules=rules,
        zones=ANY,
        event=Node("leaves stack", MappingProxyType({"filter": None})),
        instead=(Node("go to", MappingProxyType({"zone": zone})),),
    )


def _cost(value: Any) -> Cost | None:
    """``mana cost`` stands for the resulting spell's own."""
    return None if value == "mana cost" else parse_cost(value)


def _keyword(name: str, *parts: Ability, value: Any = None) -> Ability:
    return Static(keyword=name, value=value, parts=parts, zones=ANY)


@register("flashback")
def flashback(name: str, value: Any) -> Ability:
    """Cast from the graveyard for its flashback cost, then exiled whenever it would leave the stack (CR 702.34a)."""
    way = AlternativeCost(
        zones=ANY,
        name=name,
        cost=_cost(value),
        from_zones=frozenset({"graveyard"}),
        only=_SPELLS,
        follow=(leaves_to("exile", "702.34a"),),
        rule="702.34a",
    )
    return _keyword(name, way, value=value)


@register("harmonize")
def harmonize(name: str, value: Any) -> Ability:
    """Cast from the graveyard, with a creature that may be tapped for less of the cost, then exiled (CR 702.180)."""
    way = AlternativeCost(
        zones=ANY,
        name=name,
        cost=parse_cost([str(value), {"tap chosen": {"types": "Creature"}, "name": "harmonized"}]),
        from_zones=frozenset({"graveyard"}),
        follow=(leaves_to("exile", "702.180a"),),
        rule="702.180a",
    )
    less = parse_ability({"static": {"reduce cost": "{1}", "times": {"power of": "harmonized"}}, "zone": "stack"})
    return _keyword(name, way, less)


@register("jump-start")
def jump_start(name: str, value: Any) -> Ability:
    """Cast from the graveyard with a card discarded beside its other costs, then exiled (CR 702.133)."""
    cost = AdditionalCost(
        zones=ANY,
        name=name,
        cost=parse_cost([{"discard": 1}]),
        from_zones=frozenset({"graveyard"}),
        only=_SPELLS,
        follow=(leaves_to("exile", "702.133a"),),
        rule="702.133a",
    )
    return _keyword(name, cost)


@register("retrace")
def retrace(name: str, value: Any) -> Ability:
    """Cast from the graveyard with a land card discarded beside its other costs (CR 702.81)."""
    cost = AdditionalCost(
        zones=ANY,
        name=name,
        cost=parse_cost([{"discard": 1, "filter": {"types": "Land"}}]),
        from_zones=frozenset({"graveyard"}),
        rule="702.81a",
    )
    return _keyword(name, cost)


@register("aftermath")
def aftermath(name: str, value: Any) -> Ability:
    """This half is cast only from the graveyard, and exiled when it leaves the stack (CR 702.127)."""
    may = AdditionalCost(
        zones=ANY,
        name=name,
        cost=parse_cost([]),
        from_zones=frozenset({"graveyard"}),
        only=parse_filter({"has": name}),
        rule="702.127a",
    )
    only = parse_ability({"static": {"cast only": {"cast from": "graveyard"}}, "zone": "stack"})
    exiled = replace(
        parse_ability(
            {
                "replace": {"leaves stack": "this"},
                "zone": "stack",
                "only if": {"cast from": "graveyard"},
                "instead": [{"go to": "exile"}],
            }
        ),
        rules=("702.127a",),
    )
    return _keyword(name, may, only, exiled)


@register("escape")
def escape(name: str, value: Any) -> Ability:
    """Cast from the graveyard for its escape cost (CR 702.138)."""
    way = AlternativeCost(
        zones=ANY, name=name, cost=parse_cost(value), from_zones=frozenset({"graveyard"}), rule="702.138a"
    )
    return _keyword(name, way)


@register("disturb")
def disturb(name: str, value: Any) -> Ability:
    """Cast transformed from the graveyard for its disturb cost (CR 702.146)."""
    way = AlternativeCost(
        zones=ANY,
        name=name,
        cost=parse_cost(value),
        from_zones=frozenset({"graveyard"}),
        face="back",
        rule="702.146a",
    )
    return _keyword(name, way)


@register("mayhem")
def mayhem(name: str, value: Any) -> Ability:
    """Cast from the graveyard if it was discarded this turn (CR 702.187)."""
    way = AlternativeCost(
        zones=ANY,
        name=name,
        cost=_cost(value),
        from_zones=frozenset({"graveyard"}),
        condition=parse_value("condition", {"this is": {"was": {"noted": "discarded"}}}),
        rule="702.187a",
    )
    return _keyword(name, way)


def _face_down(name: str, value: Any, rule: str) -> Ability:
    """Cast face down for {3}; turned face up for the keyword's cost (CR 702.37, 702.168)."""
    way = AlternativeCost(zones=ANY, name=name, cost=Cost(("3",)), face_down=name, rule=rule)
    return _keyword(name, way, value=parse_cost(value))


@register("morph")
def morph(name: str, value: Any) -> Ability:
    """Morph (CR 702.37)."""
    return _face_down(name, value, "702.37a")


@register("megamorph")
def megamorph(name: str, value: Any) -> Ability:
    """Megamorph: morph with a +1/+1 counter as it is turned face up (CR 702.37b)."""
    return _face_down(name, value, "702.37b")


@register("disguise")
def disguise(name: str, value: Any) -> Ability:
    """Disguise (CR 702.168)."""
    return _face_down(name, value, "702.168a")


@register("overload")
def overload(name: str, value: Any) -> Ability:
    """Overload: "target" becomes "each" (CR 702.96). The card says both forms under ``if paid``."""
    return _keyword(name, AlternativeCost(zones=ANY, name=name, cost=parse_cost(value), rule="702.96a"))


@register("cleave")
def cleave(name: str, value: Any) -> Ability:
    """Cleave (CR 702.148): the card says both forms."""
    return _keyword(name, AlternativeCost(zones=ANY, name=name, cost=parse_cost(value), rule="702.148a"))


@register("alternative cost")
def alternative_cost(name: str, value: Any) -> Ability:
    """A cost that may be paid rather than the mana cost (CR 118.9): a cost, or ``{cost, only if, timing}``."""
    if isinstance(value, dict):
        condition = parse_value("condition", value.get("only if"))
        cost = value.get("cost", value.get("alternative cost"))
        return AlternativeCost(
            zones=ANY, name=name, cost=parse_cost(cost), condition=condition, timing=value.get("timing")
        )
    return AlternativeCost(zones=ANY, name=name, cost=parse_cost(value))


@register("free if")
def free_if(name: str, value: Any) -> Ability:
    """May be cast without paying its mana cost while a condition holds."""
    return AlternativeCost(
        zones=ANY, name="without paying", cost=None, free=True, condition=parse_value("condition", value)
    )


@register("evoke")
def evoke(name: str, value: Any) -> Ability:
    """Evoke: when it enters, whoever controls it then sacrifices it (CR 702.74a)."""
    way = AlternativeCost(zones=ANY, name=name, cost=parse_cost(value), rule="702.74a")
    sacrificed = {
        "when": {"enters": "this"},
        "if": {"paid": name},
        "do": [{"sacrifice it": "this", "whoever": True}],
    }
    return _keyword(name, way, parse_ability(sacrificed))


@register("dash")
def dash(name: str, value: Any) -> Ability:
    """Dash: haste, and back to hand at the next end step (CR 702.109)."""
    return _keyword(
        name,
        _until_the_end_step(name, value, [{"put": "this", "to": "hand"}], "702.109a"),
        parse_ability({"static": {"affects": "this", "change": {"gain": "haste"}}, "only if": {"paid": name}}),
    )


@register("blitz")
def blitz(name: str, value: Any) -> Ability:
    """Blitz: haste, a card when it dies, sacrificed at the next end step (CR 702.152)."""
    gained = ["haste", {"when": {"dies": "this"}, "do": [{"draw": 1}]}]
    return _keyword(
        name,
        _until_the_end_step(name, value, [{"sacrifice it": "this"}], "702.152a"),
        parse_ability({"static": {"affects": "this", "change": {"gain": gained}}, "only if": {"paid": name}}),
    )


@register("warp")
def warp(name: str, value: Any) -> Ability:
    """Warp: exiled at the next end step, castable from exile on later turns (CR 702.185)."""
    later = {
        "permit": "gone",
        "duration": "forever",
        "rule": {
            "may cast": {"zone": "exile", "was": {"entered this turn": False}},
            "who": {"owner of": "gone"},
            "by rule": "702.185a",
        },
    }
    way = _until_the_end_step(name, value, [{"exile": "this", "as": "gone"}, later], "702.185a")
    return _keyword(name, replace(way, from_zones=frozenset({"hand"})))


def _until_the_end_step(keyword: str, value: Any, body: list[Any], rule: str) -> AlternativeCost:
    """A cost that sees to it, while the spell is on the stack, what becomes of the permanent at the next end step."""
    entered = parse_effects([{"delayed": {"begins": "end"}, "body": body}])
    return AlternativeCost(zones=ANY, name=keyword, cost=parse_cost(value), entered=entered, rule=rule)


@register("emerge")
def emerge(name: str, value: Any) -> Ability:
    """Emerge: sacrifice a creature and pay the cost less its mana value (CR 702.119a)."""
    cost = parse_cost([str(value), {"sacrifice chosen": {"types": "Creature"}, "name": "emerged"}])
    less = parse_ability(
        {"static": {"reduce cost": "{1}", "times": {"mana value of": "emerged"}}, "zone": "stack"},
    )
    way = AlternativeCost(zones=ANY, name=name, cost=cost, rule="702.119a")
    return Static(keyword=name, parts=(way, less), zones=ANY)


@register("spectacle")
def spectacle(name: str, value: Any) -> Ability:
    """Spectacle: if an opponent lost life this turn (CR 702.137)."""
    condition = parse_value("condition", {"history": "life lost", "who": "opponent"})
    way = AlternativeCost(zones=ANY, name=name, cost=parse_cost(value), condition=condition, rule="702.137a")
    return _keyword(name, way)


@register("surge")
def surge(name: str, value: Any) -> Ability:
    """Surge: if the player has cast another spell this turn (CR 702.117)."""
    condition = parse_value("condition", {"compare": {"spells cast": "you"}, "to": {"min": 1}})
    way = AlternativeCost(zones=ANY, name=name, cost=parse_cost(value), condition=condition, rule="702.117a")
    return _keyword(name, way)


@register("impending")
def impending(name: str, value: Any) -> Ability:
    """Impending: no creature until its time counters are gone (CR 702.176)."""
    way = AlternativeCost(zones=ANY, name=name, cost=parse_cost(value["cost"]), rule="702.176a")
    return _keyword(
        name,
        way,
        parse_ability({"enters": {"counters": {"time": value["n"]}}, "only if": {"paid": name}}),
        parse_ability(
            {
                "static": {"affects": "this", "change": {"lose types": "Creature"}},
                "only if": {"all": [{"paid": name}, {"this is": {"counters": "time"}}]},
            }
        ),
        parse_ability(
            {
                "when": {"begins": "end", "of": "you"},
                "if": {"all": [{"paid": name}, {"this is": {"counters": "time"}}]},
                "do": [{"remove counters": {"time": 1}}],
            }
        ),
    )


@register("bestow")
def bestow(name: str, value: Any) -> Ability:
    """Bestow: cast as an Aura spell with enchant creature, and judged as one (CR 702.103, 702.103d)."""
    way = AlternativeCost(zones=ANY, name=name, cost=parse_cost(value), values=_become_aura, rule="702.103d")
    return _keyword(name, way)


def _become_aura(game: Game, spell: Object) -> None:
    """CR 702.103b: no creature, an Aura with enchant creature, as long as it is bestowed."""
    from judgecall.oracle.state import FloatingEffect

    change = parse_value(
        "changes",
        [
            {"lose types": "Creature"},
            {"add subtypes": "Aura"},
            {"gain": [{"enchant": {"types": "Creature"}}]},
        ],
    )
    node = Node("affects", MappingProxyType({"which": None, "change": change}))
    effect = FloatingEffect(node, spell.controller, spell, game.stamp(), "bestow", (spell,))
    game.write(game, "effects", (*game.effects, effect))


@register("prototype")
def prototype(name: str, value: Any) -> Ability:
    """Prototype: cast with its secondary mana cost, power and toughness, which is no alternative cost (CR 718.3)."""
    cost = parse_cost(value["cost"])

    def change(game: Game, spell: Object) -> None:
        from judgecall.oracle import copying, objects

        power, toughness = (int(n) for n in str(value["pt"]).split("/"))
        made = objects.replaced(
            objects.copiable(game, spell),
            mana_cost=cost.mana,
            power=power,
            toughness=toughness,
            mana_value=None,
        )
        copying.become(game, spell, made, ends="forever", stamp=spell.stamp)

    return _keyword(name, OtherValues(zones=ANY, name=name, values=change, rule="702.160a"))


@register("suspend")
def suspend(name: str, value: Any) -> Ability:
    """Suspend (CR 702.62): a special action from the hand; counters tick in exile; then it is cast for nothing."""
    cost = parse_cost(value["cost"])
    upkeep = parse_ability(
        {
            "when": {"begins": "upkeep", "of": {"owner of": "this"}},
            "if": {"this is": {"counters": "time"}},
            "zone": "exile",
            "do": [{"remove counters": {"time": 1}}],
        }
    )
    last = parse_ability(
        {
            "when": {"counter removed": "time", "filter": "this", "last": True},
            "zone": "exile",
            "do": [
                {"cast": "this", "who": {"owner of": "this"}, "as": "cast"},
                {
                    "if": {"is": "cast", "filter": {"types": "Creature"}},
                    "then": [{"until": "control lost", "affects": "cast", "change": {"gain": "haste"}}],
                },
            ],
        }
    )
    return Static(
        keyword=name, value=MappingProxyType({"cost": cost, "n": value["n"]}), parts=(upkeep, last), zones=ANY
    )


@register("splice")
def splice(name: str, value: Any) -> Ability:
    """Splice onto a quality, for a cost (CR 702.47): its text goes onto another spell."""
    cost, onto = parse_cost(value["cost"]), parse_filter(value["onto"])
    return Static(keyword=name, value=MappingProxyType({"cost": cost, "onto": onto}), zones=ANY)


@register("foretell")
def foretell(name: str, value: Any) -> Ability:
    """Foretell: exiled face down for {2} in one's own turn, and cast for its cost on a later turn (CR 702.143)."""
    return Static(keyword=name, value=parse_cost(value), zones=ANY)


@register("plot")
def plot(name: str, value: Any) -> Ability:
    """Plot: exiled for its cost in a main phase, and cast for nothing on a later turn (CR 702.170)."""
    return Static(keyword=name, value=parse_cost(value), zones=ANY)


@register("madness")
def madness(name: str, value: Any) -> Ability:
    """Discarded into exile, then cast for the madness cost or put into the graveyard (CR 702.35a)."""
    instead = parse_ability(
        {
            "replace": {"moves": "this", "to": "graveyard", "cause": "discard"},
            "zone": "any",
            "instead": [{"go to": "exile"}],
        }
    )
    cast = parse_ability(
        {
            "when": {"moves": "this", "to": "exile", "cause": "discard"},
            "zone": "exile",
            "do": [
                {"cast": "this", "cost": value, "who": {"owner of": "this"}, "as": "cast"},
                {"if": {"not": {"did": "cast"}}, "then": [{"put": "this", "to": "graveyard"}]},
            ],
        }
    )
    return Static(keyword=name, value=parse_cost(value), parts=(instead, cast), zones=ANY)
