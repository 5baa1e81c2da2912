"""Keywords that the rules look at by name, and those that are static abilities said in a line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from judgecall.oracle.definitions import Ability, Enters, Static
from judgecall.oracle.keyword_abilities import register
from judgecall.oracle.vocabulary.grammar import parse_ability, parse_filter, parse_value

__all__: list[str] = []


@register(
    "flying", "first strike", "double strike", "deathtouch", "haste", "indestructible", "lifelink", "menace", "reach",
    "trample", "vigilance", "defender", "shroud", "flash", "fear", "intimidate", "shadow", "horsemanship", "skulk",
    "infect", "wither", "phasing", "convoke", "improvise", "delve", "split second", "daybound", "nightbound",
    "trample over planeswalkers", "start your engines!", "partner", "choose a background", "decayed", "fuse", "assist",
)  # fmt: skip
def plain(name: str, value: Any) -> Ability:
    """A keyword that is looked at by name."""
    parts: tuple[Ability, ...] = ()
    if name == "decayed":
        parts = (
            parse_ability({"static": {"affects": "this", "change": {"cant": "block"}}}),
            parse_ability(
                {
                    "when": {"attacks": "this"},
                    "do": [{"delayed": {"begins": "end of combat"}, "body": [{"sacrifice it": "this"}]}],
                }
            ),
        )
    return Static(keyword=name, value=value, parts=parts, zones=frozenset({"any"}))


@register("max speed")
def max_speed(name: str, value: Any) -> Ability:
    """Abilities that the object has as long as its controller's speed is 4, where those function (CR 702.178)."""
    abilities = value if isinstance(value, list) else [value]
    zones = {raw.get("zone", "battlefield") if isinstance(raw, dict) else "battlefield" for raw in abilities}
    inner = parse_ability(
        {
            "static": {"affects": "this", "change": {"gain": value}},
            "only if": {"compare": {"speed of": "you"}, "to": 4},
            "zone": sorted(zones),
        }
    )
    return Static(keyword=name, parts=(inner,), zones=inner.zones)


@register("hexproof")
def hexproof(name: str, value: Any) -> Ability:
    """Hexproof, or hexproof from a quality (CR 702.11)."""
    return Static(keyword=name, value=parse_filter(value) if value is not None else None)


@register("protection")
def protection(name: str, value: Any) -> Ability:
    """Protection from a quality, said as a filter, or from ``everything`` (CR 702.16)."""
    return Static(keyword=name, value=value if value == "everything" else parse_filter(value), zones=frozenset({"any"}))


@register("landwalk")
def landwalk(name: str, value: Any) -> Ability:
    """Landwalk: unblockable while the defending player controls such a land (CR 702.14)."""
    return Static(keyword=name, value=parse_filter(value))


def _walk(subtype: str) -> Any:
    def build(name: str, value: Any) -> Ability:
        """Landwalk of one land type (CR 702.14)."""
        inner = Static(keyword="landwalk", value=parse_filter({"subtypes": subtype}))
        return Static(keyword=name, parts=(inner,))

    return build


for _subtype in ("Plains", "Island", "Swamp", "Mountain", "Forest"):
    register(f"{_subtype.lower()}walk")(_walk(_subtype))


@register("enchant")
def enchant(name: str, value: Any) -> Ability:
    """What an Aura can enchant (CR 702.5): a filter, or ``{player: …}``."""
    return Static(keyword=name, value=parse_value("target", value), zones=frozenset({"any"}))


@register("devoid")
def devoid(name: str, value: Any) -> Ability:
    """No color, in every zone (CR 702.114)."""
    return Static(
        keyword=name,
        parts=(
            replace(
                parse_ability({"static": {"affects": "this", "change": {"colors": "none"}}, "cda": True}),
                rules=("702.114a",),
            ),
        ),
        zones=frozenset({"any"}),
    )


@register("changeling")
def changeling(name: str, value: Any) -> Ability:
    """Every creature type, in every zone (CR 702.73)."""
    return Static(
        keyword=name,
        parts=(parse_ability({"static": {"affects": "this", "change": {"all creature types": True}}, "cda": True}),),
        zones=frozenset({"any"}),
    )


@register("read ahead")
def read_ahead(name: str, value: Any) -> Ability:
    """Enters with a chosen number of lore counters (CR 702.155, 714.3b)."""
    return Enters(keyword=name, effects=parse_value("effects", ["choose chapter"]))


@register("riot")
def riot(name: str, value: Any) -> Ability:
    """Enters with a +1/+1 counter or haste (CR 702.136)."""
    return Enters(
        keyword=name,
        effects=parse_value(
            "effects",
            [
                {
                    "may": [{"enter with": {"+1/+1": 1}}],
                    "else": [{"until": "forever", "affects": "this", "change": {"gain": "haste"}}],
                }
            ],
        ),
    )


@register("bloodthirst")
def bloodthirst(name: str, value: Any) -> Ability:
    """Enters with counters if an opponent was dealt damage this turn (CR 702.54)."""
    return parse_enters(
        name,
        {"counters": {"+1/+1": value}},
        {"history": "damaged", "who": "opponent"},
    )


def parse_enters(name: str, inner: dict[str, Any], only_if: Any = None) -> Ability:
    """An ability that says how the permanent enters, as a keyword."""
    raw: dict[str, Any] = {"enters": inner}
    if only_if is not None:
        raw["only if"] = only_if
    made = parse_ability(raw)
    return Static(keyword=name, parts=(made,))


@register("vanishing")
def vanishing(name: str, value: Any) -> Ability:
    """Time counters, removed each upkeep; sacrificed when the last is gone (CR 702.63)."""
    return _counting_down(name, value, "time", "vanishing")


@register("fading")
def fading(name: str, value: Any) -> Ability:
    """Fade counters, removed each upkeep; sacrificed when one can't be (CR 702.32)."""
    remove = {
        "if": {"this is": {"counters": "fade"}},
        "then": [{"remove counters": {"fade": 1}}],
        "else": [{"sacrifice it": "this"}],
    }
    return Static(
        keyword=name,
        parts=(
            parse_ability({"enters": {"counters": {"fade": value}}}),
            parse_ability({"when": {"begins": "upkeep", "of": "you"}, "do": [remove]}),
        ),
    )


def _counting_down(name: str, value: Any, kind: str, keyword: str) -> Ability:
    parts = [
        parse_ability(
            {
                "when": {"begins": "upkeep", "of": "you"},
                "if": {"this is": {"counters": kind}},
                "do": [{"remove counters": {kind: 1}}],
            }
        ),
        parse_ability(
            {
                "when": {"counter removed": kind, "filter": "this", "last": True},
                "do": [{"sacrifice it": "this"}],
            }
        ),
    ]
    if value:
        parts.insert(0, parse_ability({"enters": {"counters": {kind: value}}}))
    return Static(keyword=name, parts=tuple(parts))


@register("modular")
def modular(name: str, value: Any) -> Ability:
    """Enters with counters; when it dies they may go to an artifact creature (CR 702.43)."""
    number = "colors spent" if value == "sunburst" else value
    parts = [
        replace(
            parse_ability({"enters": {"counters": {"+1/+1": number}}}),
            rules=("702.43a", "702.44c") if value == "sunburst" else ("702.43a",),
        ),
        parse_ability(
            {
                "when": {"dies": "this"},
                "target": {"all_types": ["Artifact", "Creature"]},
                "do": [
                    {
                        "may": [
                            {
                                "put counters": {"+1/+1": {"counters of": "this", "kind": "+1/+1"}},
                                "on": "target",
                            }
                        ]
                    }
                ],
            }
        ),
    ]
    return Static(keyword=name, parts=tuple(parts))


def make_sunburst() -> Ability:
    """Enters with a counter for each color of mana spent; what kind is up to no type-changing effect (CR 702.44a)."""
    creature = parse_ability(
        {"enters": {"counters": {"+1/+1": "colors spent"}}, "only if": {"this is": {"copiable types": "Creature"}}}
    )
    other = parse_ability(
        {
            "enters": {"counters": {"charge": "colors spent"}},
            "only if": {"this is": {"not": {"copiable types": "Creature"}}},
        }
    )
    return Static(keyword="sunburst", parts=(creature, other))


@register("sunburst")
def sunburst(name: str, value: Any) -> Ability:
    """Sunburst (CR 702.44)."""
    return make_sunburst()


@register("level")
def level(name: str, value: Any) -> Ability:
    """What a Class has from a level on (CR 716.2): ``{at: 2, gain: [...]}``."""
    return parse_ability(
        {
            "static": {"affects": "this", "change": {"gain": value["gain"]}},
            "only if": {"compare": {"class level of": "this"}, "to": {"min": value["at"]}},
        }
    )


@register("station symbol")
def station_symbol(name: str, value: Any) -> Ability:
    """A station symbol (CR 721.2): ``{at: 12, gain: [...], pt: 3/5}`` with so many charge counters."""
    change: list[Any] = [{"gain": value["gain"]}] if "gain" in value else []
    if "pt" in value:
        change = [{"add types": "Creature"}, {"base": value["pt"]}, *change]
    inner = parse_ability(
        {
            "static": {"affects": "this", "change": change},
            "only if": {"compare": {"counters of": "this", "kind": "charge"}, "to": {"min": value["at"]}},
        }
    )
    return Static(keyword=name, parts=(inner,))


@register("devour")
def devour(name: str, value: Any) -> Ability:
    """As it enters, sacrifice any number of creatures; counters for each (CR 702.82)."""
    effects = [
        {"sacrifice": {"types": "Creature", "controller": "you"}, "n": 1000, "up to": True, "as": "devoured"},
        {"enter with": {"+1/+1": {"times": [value, "devoured"]}}},
    ]
    return Static(keyword=name, parts=(Enters(effects=parse_value("effects", effects)),))


@register("amplify")
def amplify(name: str, value: Any) -> Ability:
    """Amplify (CR 702.38)."""
    effects = [
        {
            "pick": {"zone": "hand", "owner": "you", "shares creature type with": "this"},
            "any number": True,
            "as": "shown",
        },
        {"reveal": "shown"},
        {"enter with": {"+1/+1": {"times": [value, "shown"]}}},
    ]
    return Static(keyword=name, parts=(Enters(effects=parse_value("effects", effects)),))


@register("tribute")
def tribute(name: str, value: Any) -> Ability:
    """Tribute (CR 702.104)."""
    effects = [
        {"choose player": "opponent", "as": "payer"},
        {"may": [{"enter with": {"+1/+1": value}}, {"flag": "tribute paid"}], "who": "payer"},
    ]
    return Static(keyword=name, parts=(Enters(effects=parse_value("effects", effects)),))
