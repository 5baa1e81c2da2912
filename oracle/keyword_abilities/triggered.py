"""Keywords that are triggered abilities (CR 702)."""

from __future__ import annotations

from typing import Any

from judgecall.oracle.definitions import Ability, Body, SpellAbility, Static
from judgecall.oracle.keyword_abilities import register
from judgecall.oracle.keyword_abilities.casting import ANY
from judgecall.oracle.vocabulary.grammar import parse_ability, parse_value

__all__: list[str] = []


def _keyword(name: str, *raw: Any, value: Any = None, zones: frozenset[str] = ANY) -> Ability:
    return Static(keyword=name, value=value, parts=tuple(parse_ability(item) for item in raw), zones=zones)


@register("ward")
def ward(name: str, value: Any) -> Ability:
    """Ward: countered unless its controller pays (CR 702.21)."""
    return _keyword(
        name,
        {
            "when": {"becomes target": "this", "by": "opponent"},
            "do": [{"pay": value, "who": {"controller of": "that source"}, "else": [{"counter": "that source"}]}],
        },
        value=value,
    )


@register("annihilator")
def annihilator(name: str, value: Any) -> Ability:
    """Annihilator (CR 702.86)."""
    effect = {"sacrifice": {}, "n": value, "who": "defending player"}
    return _keyword(name, {"when": {"attacks": "this"}, "do": [effect]})


@register("firebending")
def firebending(name: str, value: Any) -> Ability:
    """Whenever it attacks, add so much red mana that stays until end of combat (CR 702.189)."""
    return _keyword(name, {"when": {"attacks": "this"}, "do": [{"firebend": value}]})


@register("prowess")
def prowess(name: str, value: Any) -> Ability:
    """Prowess (CR 702.108)."""
    return _keyword(
        name,
        {
            "when": {"cast": {"not types": "Creature"}, "who": "you"},
            "do": [{"until": "end of turn", "affects": "this", "change": {"pt": "+1/+1"}}],
        },
    )


@register("exalted")
def exalted(name: str, value: Any) -> Ability:
    """Exalted (CR 702.83)."""
    return _keyword(
        name,
        {
            "when": {"attacks": {"controller": "you"}, "alone": True},
            "do": [{"until": "end of turn", "affects": "that", "change": {"pt": "+1/+1"}}],
        },
    )


@register("bushido")
def bushido(name: str, value: Any) -> Ability:
    """Bushido (CR 702.45)."""
    return _keyword(
        name,
        {
            "when": {"any of": [{"blocks": "this"}, {"becomes blocked": "this"}]},
            "do": [{"until": "end of turn", "affects": "this", "change": {"pt": [value, value]}}],
        },
    )


@register("flanking")
def flanking(name: str, value: Any) -> Ability:
    """Flanking (CR 702.25)."""
    return _keyword(
        name,
        {
            "when": {"becomes blocked": "this", "by": {"lacks": "flanking"}},
            "do": [{"until": "end of turn", "affects": "that source", "change": {"pt": "-1/-1"}}],
        },
    )


@register("rampage")
def rampage(name: str, value: Any) -> Ability:
    """Rampage (CR 702.23)."""
    beyond = {"most": [0, {"minus": [{"number of": "blocking this"}, 1]}]}  # as it resolves (CR 702.23b)
    extra = {"times": [value, beyond]}
    return _keyword(
        name,
        {
            "when": {"becomes blocked": "this"},
            "do": [{"until": "end of turn", "affects": "this", "change": {"pt": [extra, extra]}}],
        },
    )


@register("undying")
def undying(name: str, value: Any) -> Ability:
    """Undying (CR 702.93)."""
    return _keyword(
        name,
        {
            "when": {"dies": "this"},
            "if": {"not": {"this is": {"counters": "+1/+1"}}},
            "do": [
                {
                    "put": "this card",
                    "to": "battlefield",
                    "under": {"owner of": "this"},
                    "counters": {"+1/+1": 1},
                }
            ],
        },
    )


@register("persist")
def persist(name: str, value: Any) -> Ability:
    """Persist (CR 702.79)."""
    return _keyword(
        name,
        {
            "when": {"dies": "this"},
            "if": {"not": {"this is": {"counters": "-1/-1"}}},
            "do": [
                {
                    "put": "this card",
                    "to": "battlefield",
                    "under": {"owner of": "this"},
                    "counters": {"-1/-1": 1},
                }
            ],
        },
    )


@register("afterlife")
def afterlife(name: str, value: Any) -> Ability:
    """Afterlife (CR 702.135)."""
    spirit = {"pt": "1/1", "colors": ["white", "black"], "type": "Creature — Spirit", "abilities": ["flying"]}
    return _keyword(name, {"when": {"dies": "this"}, "do": [{"create": spirit, "n": value}]})


@register("extort")
def extort(name: str, value: Any) -> Ability:
    """Extort (CR 702.101)."""
    drain = [{"lose life": 1, "who": "each opponent", "as": "lost"}, {"gain life": "lost"}]
    return _keyword(name, {"when": {"cast": {}, "who": "you"}, "do": [{"pay": "{W/B}", "then": drain}]})


@register("evolve")
def evolve(name: str, value: Any) -> Ability:
    """Evolve (CR 702.100)."""
    bigger = {
        "any": [
            {"is": "that", "filter": {"power": {"more": {"power of": "this"}}}},
            {"is": "that", "filter": {"toughness": {"more": {"toughness of": "this"}}}},
        ]
    }
    return _keyword(
        name,
        {
            "when": {"enters": {"types": "Creature", "controller": "you", "other": True}},
            "if": {"all": [{"this is": {"types": "Creature"}}, bigger]},  # CR 702.100c
            "do": [{"put counters": {"+1/+1": 1}}],
        },
    )


@register("echo")
def echo(name: str, value: Any) -> Ability:
    """Echo (CR 702.30a)."""
    return _keyword(
        name,
        {
            "when": {"begins": "upkeep", "of": "you"},
            "if": {"since last upkeep": "this"},
            "do": [{"pay": value, "else": [{"sacrifice it": "this"}]}],
        },
    )


@register("cumulative upkeep")
def cumulative_upkeep(name: str, value: Any) -> Ability:
    """Cumulative upkeep (CR 702.24a); each instance triggers, and counts all age counters (CR 702.24b)."""
    return _keyword(
        name,
        {
            "when": {"begins": "upkeep", "of": "you"},
            "if": {"this in": "battlefield"},
            "do": [
                {"put counters": {"age": 1}},
                {
                    "pay": value,
                    "times": {"counters of": "this", "kind": "age"},
                    "else": [{"sacrifice it": "this"}],
                },
            ],
        },
    )


@register("storm")
def storm(name: str, value: Any) -> Ability:
    """Storm (CR 702.40)."""
    return _keyword(
        name,
        {
            "when": "you cast this",
            "zone": "stack",
            "do": [{"copy spell": "that", "n": {"spells cast": "each player", "before this": True}}],
        },
    )


@register("cascade")
def cascade(name: str, value: Any) -> Ability:
    """Cascade (CR 702.85)."""
    return _keyword(name, {"when": "you cast this", "zone": "stack", "do": [{"cascade": {"mana value of": "that"}}]})


@register("rebound")
def rebound(name: str, value: Any) -> Ability:
    """Rebound (CR 702.88)."""
    later = {"delayed": {"begins": "upkeep", "of": "you"}, "body": [{"cast": "gone"}]}
    return _keyword(
        name,
        {
            "replace": {"moves": "this", "from": "stack", "to": "graveyard", "cause": "resolve"},
            "zone": "stack",
            "only if": {"cast from": "hand"},
            "instead": [{"exile": "this", "as": "gone"}, later],
        },
    )


@register("soulshift")
def soulshift(name: str, value: Any) -> Ability:
    """Soulshift (CR 702.46)."""
    return _keyword(
        name,
        {
            "when": {"dies": "this"},
            "target": {
                "zone": "graveyard",
                "owner": "you",
                "subtypes": "Spirit",
                "mana value": {"max": value},
            },
            "do": [{"may": [{"put": "target", "to": "hand"}]}],
        },
    )


@register("mentor")
def mentor(name: str, value: Any) -> Ability:
    """Mentor (CR 702.134)."""
    return _keyword(
        name,
        {
            "when": {"attacks": "this"},
            "target": {"types": "Creature", "attacking": True, "power": {"less": {"power of": "this"}}},
            "do": [{"put counters": {"+1/+1": 1}, "on": "target"}],
        },
    )


@register("training")
def training(name: str, value: Any) -> Ability:
    """Training (CR 702.149)."""
    return _keyword(
        name,
        {
            "when": {"attacks": "this", "alongside": {"power": {"more": {"power of": "this"}}}},
            "do": [{"put counters": {"+1/+1": 1}}],
        },
    )


@register("battle cry")
def battle_cry(name: str, value: Any) -> Ability:
    """Battle cry (CR 702.91)."""
    others = {"attacking": True, "other": True}
    return _keyword(
        name,
        {
            "when": {"attacks": "this"},
            "do": [{"until": "end of turn", "affects": others, "change": {"pt": "+1/+0"}}],
        },
    )


@register("toxic")
def toxic(name: str, value: Any) -> Ability:
    """Toxic: poison counters with combat damage (CR 702.164); looked at where damage is dealt."""
    return Static(keyword=name, value=int(value), zones=ANY)


@register("ingest")
def ingest(name: str, value: Any) -> Ability:
    """Ingest (CR 702.115)."""
    return _keyword(
        name,
        {
            "when": {"deals damage": "this", "player": "each player", "combat": True},
            "do": [{"exile": {"top": 1, "who": "that player"}}],
        },
    )


@register("renown")
def renown(name: str, value: Any) -> Ability:
    """Renown (CR 702.112)."""
    return _keyword(
        name,
        {
            "when": {"deals damage": "this", "player": "each player", "combat": True},
            "if": {"not": {"flag": "renowned"}},
            "do": [{"put counters": {"+1/+1": value}}, {"flag": "renowned"}],
        },
    )


@register("fabricate")
def fabricate(name: str, value: Any) -> Ability:
    """Fabricate (CR 702.123)."""
    servo = {"pt": "1/1", "type": "Artifact Creature — Servo"}
    return _keyword(
        name,
        {
            "when": {"enters": "this"},
            "do": [
                {
                    "may": [{"put counters": {"+1/+1": value}}],
                    "if": {"this in": "battlefield"},
                    "else": [{"create": servo, "n": value}],
                }
            ],
        },
    )


@register("exploit")
def exploit(name: str, value: Any) -> Ability:
    """Exploit (CR 702.110)."""
    return _keyword(
        name,
        {
            "when": {"enters": "this"},
            "do": [{"may": [{"sacrifice": {"types": "Creature"}, "as": "exploited"}]}],
        },
    )


@register("poisonous")
def poisonous(name: str, value: Any) -> Ability:
    """Poisonous (CR 702.70)."""
    return _keyword(
        name,
        {
            "when": {"deals damage": "this", "player": "each player", "combat": True},
            "do": [{"put counters": {"poison": value}, "who": "that player"}],
        },
    )


@register("provoke")
def provoke(name: str, value: Any) -> Ability:
    """Provoke (CR 702.39)."""
    return _keyword(
        name,
        {
            "when": {"attacks": "this"},
            "target": {"types": "Creature", "controller": "defending player"},
            "do": [
                {
                    "may": [
                        {"untap": "target"},
                        {"until": "end of combat", "affects": "target", "change": {"must block": "this"}},
                    ]
                }
            ],
        },
    )


@register("cipher")
def cipher(name: str, value: Any) -> Ability:
    """Cipher: encoded on a creature, whose controller may cast copies of the card (CR 702.99)."""
    encode = SpellAbility(zones=frozenset({"stack"}), body=Body(parse_value("effects", ["encode"])))
    return Static(keyword=name, parts=(encode,), zones=ANY)


@register("haunt")
def haunt(name: str, value: Any) -> Ability:
    """Haunt: exiled haunting a creature when the permanent dies, or once the spell has resolved (CR 702.55a)."""
    haunting = {"target": {"types": "Creature"}, "do": [{"haunt": "target"}]}
    return _keyword(
        name,
        {"when": {"dies": "this"}, **haunting},
        {
            "when": {"moves": "this", "from": "stack", "to": "graveyard", "cause": "resolve"},
            "if": {"this is": {"types": ["Instant", "Sorcery"]}},
            "zone": "graveyard",
            **haunting,
        },
    )


def _with_its_bearer(name: str, bearer: dict[str, str]) -> Ability:
    do = [{"create": bearer, "as": "bearer"}, {"attach": "this", "to": "bearer"}]
    return _keyword(name, {"when": {"enters": "this"}, "do": do})


@register("living weapon")
def living_weapon(name: str, value: Any) -> Ability:
    """Enters with a Germ that it is attached to (CR 702.92)."""
    return _with_its_bearer(name, {"pt": "0/0", "colors": "black", "type": "Creature — Phyrexian Germ"})


@register("for mirrodin!")
def for_mirrodin(name: str, value: Any) -> Ability:
    """Enters with a Rebel that it is attached to (CR 702.163)."""
    return _with_its_bearer(name, {"pt": "2/2", "colors": "red", "type": "Creature — Rebel"})
