"""What a continuous effect may do to an object, each word in its layer (CR 613.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from judgecall.oracle import linking
from judgecall.oracle.characteristics import COLORS, Held
from judgecall.oracle.definitions import Ability, Filter, Node
from judgecall.oracle.subtypes import CREATURE_TYPES, fitting_subtypes, replaced_subtypes, subtypes_of_type
from judgecall.oracle.vocabulary.words import word

if TYPE_CHECKING:
    from judgecall.oracle.characteristics import Characteristics
    from judgecall.oracle.state import Object
    from judgecall.oracle.vocabulary.context import Context

__all__ = ["GIVE_SUBTYPES", "LAYER", "LAYERS", "subtypes_given", "writes"]

LAYERS = ("2", "3", "4", "5", "6", "7a", "7b", "7c", "7d", "rules")
LAYER: dict[str, str] = {}
LAYER_RULE = {
    "2": "613.1b",
    "3": "613.1c",
    "4": "613.1d",
    "5": "613.1e",
    "6": "613.1f",
    "7a": "613.4a",
    "7b": "613.4b",
    "7c": "613.4c",
    "7d": "613.4d",
}
"""The layers and sublayers in which effects apply; what is no effect on characteristics has none."""
GIVE_SUBTYPES = frozenset({"add subtypes", "set subtypes"})
"""The changes that do more or less, as the card types of an object are (CR 205.3d)."""
_WRITES = {"2": "control", "3": "name", "4": "types", "5": "colors", "6": "abilities", "rules": "rules"}


def writes(layer: str, words: set[str]) -> frozenset[str]:
    """Which characteristics the changes of a layer write."""
    found = {_WRITES.get(layer, "power")}
    if "land types" in words:
        found.add("abilities")  # CR 305.7
    if "full text of" in words:
        found |= {"types", "colors", "abilities", "power"}
    return frozenset(found)


def _change(layer: str, name: str, /, **parameters: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    LAYER[name] = layer
    return word("change", name, **parameters)


@_change("2", "control", who="players")
def control(ctx: Context, ch: Characteristics, stamp: int, who: list[Any]) -> None:
    """Layer 2: its controller, unless that player has left the game (CR 800.4b)."""
    if who and not who[0].left:
        ch.controller = who[0]


@_change("3", "name", text="text")
def name(ctx: Context, ch: Characteristics, stamp: int, text: str) -> None:
    """Layer 3: its name."""
    ch.name = text


@_change("3", "full text of", objects="lazy objects", beside="abilities=")
def full_text_of(
    ctx: Context, ch: Characteristics, stamp: int, objects: Node, beside: tuple[Ability, ...] | None
) -> None:
    """Layer 3: the full text of a card (CR 612.6), from its name to its toughness, and text beside."""
    from judgecall.oracle.objects import base_values, value_of

    for thing in ctx.objects(objects):
        values = base_values(thing).whole
        ch.name, ch.mana_cost, ch.mana_value = values.name, values.mana_cost, value_of(values)
        ch.colors = values.colors
        ch.supertypes, ch.types, ch.subtypes = values.supertypes, values.types, values.subtypes
        ch.abilities = tuple(Held(ability, ch.obj.stamp) for ability in (*values.abilities, *(beside or ())))
        ch.power, ch.toughness = values.power, values.toughness
        ch._keywords = None


def _keeps_supertypes(ctx: Context, ch: Characteristics) -> None:
    if ch.supertypes:
        ctx.game.trace.cite("205.4b")


@_change("4", "set types", types="words")
def set_types(ctx: Context, ch: Characteristics, stamp: int, types: tuple[str, ...]) -> None:
    """Layer 4: card types instead of its own; subtypes that belong to none of them go (CR 205.1a)."""
    _keeps_supertypes(ctx, ch)
    ch.types = types
    _keeps_fitting_subtypes(ch)


@_change("4", "add types", types="words")
def add_types(ctx: Context, ch: Characteristics, stamp: int, types: tuple[str, ...]) -> None:
    """Layer 4: card types beside its own (CR 205.1b)."""
    _keeps_supertypes(ctx, ch)
    ch.types = (*ch.types, *(kind for kind in types if kind not in ch.types))


@_change("4", "lose types", types="words")
def lose_types(ctx: Context, ch: Characteristics, stamp: int, types: tuple[str, ...]) -> None:
    """Layer 4: loses card types, and the subtypes that go with them (CR 205.1a)."""
    _keeps_supertypes(ctx, ch)
    ch.types = tuple(kind for kind in ch.types if kind not in types)
    _keeps_fitting_subtypes(ch)


def _keeps_fitting_subtypes(ch: Characteristics) -> None:
    ch.subtypes = fitting_subtypes(ch.subtypes, ch.types)
    ch.all_creature_types = ch.all_creature_types and _has_creature_types(ch)


def _has_creature_types(ch: Characteristics) -> bool:
    """CR 205.3d, 308.2."""
    return "Creature" in ch.types or "Kindred" in ch.types


@_change("4", "set subtypes", types="words")
def set_subtypes(ctx: Context, ch: Characteristics, stamp: int, types: tuple[str, ...]) -> None:
    """Layer 4: subtypes instead of those of the same card types (CR 205.1a, 205.3c, 205.3d)."""
    types = _gained(ctx, ch, types)
    ch.subtypes = replaced_subtypes(ch.subtypes, types)
    if not CREATURE_TYPES.isdisjoint(types):
        ch.all_creature_types = False


def _gained(ctx: Context, ch: Characteristics, subtypes: tuple[str, ...]) -> tuple[str, ...]:
    named = tuple(_resolve(ctx, kind) for kind in subtypes)
    gained = fitting_subtypes(named, ch.types)
    if len(gained) < len(named):
        ctx.game.trace.cite("205.3d")
    return gained


def subtypes_given(ctx: Context, changes: Iterable[Node], types: tuple[str, ...]) -> list[tuple[str, ...]]:
    """What ``add subtypes`` and ``set subtypes`` among changes do to an object of these card types (CR 205.3d)."""
    found = []
    for change in changes:
        words = change.args.get("types", ())
        if change.word == "set types":
            types = words
        elif change.word == "add types":
            types = (*types, *words)
        elif change.word == "lose types":
            types = tuple(kind for kind in types if kind not in words)
        elif change.word in GIVE_SUBTYPES:
            found.append(fitting_subtypes(tuple(_resolve(ctx, kind) for kind in words), types))
    return found


def _resolve(ctx: Context, kind: str) -> str:
    if kind == "chosen":
        return str(linking.chosen(ctx.game, ctx.this, "type") or "")
    return kind


@_change("4", "add subtypes", types="words")
def add_subtypes(ctx: Context, ch: Characteristics, stamp: int, types: tuple[str, ...]) -> None:
    """Layer 4: subtypes beside its own, as far as they go with its card types (CR 205.3d)."""
    types = _gained(ctx, ch, types)
    ch.subtypes = (*ch.subtypes, *(kind for kind in types if kind not in ch.subtypes))


@_change("4", "lose creature types", really="bool=true")
def lose_creature_types(ctx: Context, ch: Characteristics, stamp: int, really: bool) -> None:
    """Layer 4: no creature types; subtypes of other card types stay (CR 205.3c)."""
    ch.subtypes = tuple(kind for kind in ch.subtypes if kind not in subtypes_of_type("Creature"))
    ch.all_creature_types = False


@_change("4", "land types", types="words")
def land_types(ctx: Context, ch: Characteristics, stamp: int, types: tuple[str, ...]) -> None:
    """Layer 4: basic land types instead of its land types (CR 205.3c); its rules-text abilities go (CR 305.7)."""
    types = tuple(_resolve(ctx, kind) for kind in types)
    ch.subtypes = (*(kind for kind in ch.subtypes if kind not in subtypes_of_type("Land")), *types)
    ch.abilities = tuple(held for held in ch.abilities if held.granted)


@_change("4", "add supertypes", types="words")
def add_supertypes(ctx: Context, ch: Characteristics, stamp: int, types: tuple[str, ...]) -> None:
    """Layer 4: supertypes beside its own."""
    ch.supertypes = (*ch.supertypes, *(kind for kind in types if kind not in ch.supertypes))


@_change("4", "lose supertypes", types="words")
def lose_supertypes(ctx: Context, ch: Characteristics, stamp: int, types: tuple[str, ...]) -> None:
    """Layer 4: loses supertypes."""
    ch.supertypes = tuple(kind for kind in ch.supertypes if kind not in types)


@_change("4", "all creature types", really="bool=true")
def all_creature_types(ctx: Context, ch: Characteristics, stamp: int, really: bool) -> None:
    """Layer 4: every creature type (CR 702.73)."""
    ch.all_creature_types = _has_creature_types(ch)


@_change("5", "colors", colors="words")
def colors(ctx: Context, ch: Characteristics, stamp: int, colors: tuple[str, ...]) -> None:
    """Layer 5: these colors instead of its own (``all``, ``none``, ``chosen``)."""
    if colors == ("all",):
        ch.colors = frozenset(COLORS)
    elif colors == ("none",):
        ch.colors = frozenset()
    else:
        ch.colors = frozenset(_chosen_color(ctx, color) for color in colors)


def _chosen_color(ctx: Context, color: str) -> str:
    if color != "chosen":
        return color
    found = ctx.results.get("color") or linking.chosen(ctx.game, ctx.this, "color") or ""
    return str(found)


@_change("5", "add colors", colors="words")
def add_colors(ctx: Context, ch: Characteristics, stamp: int, colors: tuple[str, ...]) -> None:
    """Layer 5: these colors beside its own."""
    ch.colors = ch.colors | frozenset(_chosen_color(ctx, color) for color in colors)


@_change("6", "gain", abilities="abilities")
def gain(ctx: Context, ch: Characteristics, stamp: int, abilities: tuple[Ability, ...]) -> None:
    """Layer 6: gains abilities."""
    from judgecall.oracle import keyword_abilities

    for ability in abilities:
        own = keyword_abilities.settled(ability, ctx, ch)
        if own is not None and own.keyword not in ch.forbidden:
            ch.abilities = (*ch.abilities, Held(own, stamp, True, ctx.this))
    ch._keywords = None


@_change("6", "gain abilities of", objects="lazy objects")
def gain_abilities_of(ctx: Context, ch: Characteristics, stamp: int, objects: Node) -> None:
    """Layer 6: gains the activated abilities of other objects."""
    others = [thing for thing in ctx.objects(objects) if thing is not ch.obj]
    gained = (Held(ability, stamp, True, ctx.this) for ability in activated_of(ctx, others))
    ch.abilities = (*ch.abilities, *gained)
    ch._keywords = None


def activated_of(ctx: Context, things: Iterable[Object]) -> tuple[Ability, ...]:
    """The activated abilities that objects have now, for an effect that gives them."""
    from judgecall.oracle import layers
    from judgecall.oracle.definitions import Activated

    return tuple(ability for thing in things for ability, _ in layers.of(ctx.game, thing).each(Activated))


@_change("6", "gain keywords", keywords="words", of="lazy objects")
def gain_keywords(ctx: Context, ch: Characteristics, stamp: int, keywords: tuple[str, ...], of: Node) -> None:
    """Layer 6: gains every ability with one of these keywords that any of these objects has (CR 702.1c)."""
    gain(ctx, ch, stamp, keyword_abilities_of(ctx, keywords, of))


def keyword_abilities_of(ctx: Context, keywords: tuple[str, ...], of: Node) -> tuple[Ability, ...]:
    """The abilities with these keywords that any of these objects has, of each kind of landwalk or protection."""
    from judgecall.oracle import layers

    ctx.game.trace.cite("702.1c")
    found: list[Ability] = []
    for thing in ctx.objects(of):
        for held in layers.of(ctx.game, thing).abilities:
            ability = held.ability
            if any(part.keyword in keywords for part in ability.all_parts) and ability not in found:
                found.append(ability)
    return tuple(found)


@_change("6", "lose", keywords="words")
def lose(ctx: Context, ch: Characteristics, stamp: int, keywords: tuple[str, ...]) -> None:
    """Layer 6: loses keyword abilities; ``all``: every ability."""
    if keywords == ("all",):
        ch.abilities = ()
    else:
        ch.abilities = tuple(
            held for held in ch.abilities if not any(part.keyword in keywords for part in held.ability.all_parts)
        )
    ch._keywords = None


@_change("6", "cant have", keywords="words")
def cant_have(ctx: Context, ch: Characteristics, stamp: int, keywords: tuple[str, ...]) -> None:
    """Layer 6: loses keyword abilities and cannot have or gain them (CR 113.11)."""
    ch.forbidden = ch.forbidden | frozenset(keywords)
    ch.abilities = tuple(held for held in ch.abilities if held.ability.keyword not in keywords)
    ch._keywords = None


def _pair(ctx: Context, ch: Characteristics, value: Any) -> tuple[int, int]:
    """Two numbers; ``each`` in them is the object that is changed ("its mana value")."""
    if any(isinstance(number, Node) for number in value):
        ctx = ctx.having(each=ch.obj)
    return ctx.amount(value[0]), ctx.amount(value[1])


@_change("7a", "defined", pt="pair")
def defined(ctx: Context, ch: Characteristics, stamp: int, pt: Any) -> None:
    """Layer 7a: power and toughness by a characteristic-defining ability (CR 208.2a, 613.4a)."""
    ch.power, ch.toughness = _pair(ctx, ch, pt)


@_change("7a", "defined power", power="lazy amount")
def defined_power(ctx: Context, ch: Characteristics, stamp: int, power: Any) -> None:
    """Layer 7a: power alone."""
    ch.power = ctx.amount(power)


@_change("7a", "defined toughness", toughness="lazy amount")
def defined_toughness(ctx: Context, ch: Characteristics, stamp: int, toughness: Any) -> None:
    """Layer 7a: toughness alone."""
    ch.toughness = ctx.amount(toughness)


@_change("7b", "base", pt="pair")
def base(ctx: Context, ch: Characteristics, stamp: int, pt: Any) -> None:
    """Layer 7b: sets power and toughness (CR 613.4b)."""
    ch.power, ch.toughness = _pair(ctx, ch, pt)


@_change("7b", "base power", power="lazy amount")
def base_power(ctx: Context, ch: Characteristics, stamp: int, power: Any) -> None:
    """Layer 7b: sets power."""
    ch.power = ctx.amount(power)


@_change("7b", "base toughness", toughness="lazy amount")
def base_toughness(ctx: Context, ch: Characteristics, stamp: int, toughness: Any) -> None:
    """Layer 7b: sets toughness."""
    ch.toughness = ctx.amount(toughness)


@_change("7c", "pt", pt="pair")
def pt(ctx: Context, ch: Characteristics, stamp: int, pt: Any) -> None:
    """Layer 7c: changes power and toughness."""
    power, toughness = _pair(ctx, ch, pt)
    ch.power = (ch.power or 0) + power
    ch.toughness = (ch.toughness or 0) + toughness


@_change("7d", "switch", really="bool=true")
def switch(ctx: Context, ch: Characteristics, stamp: int, really: bool) -> None:
    """Layer 7d: switches power and toughness (CR 613.4d)."""
    ch.power, ch.toughness = ch.toughness, ch.power


@_change("rules", "cant", what="words")
def cant(ctx: Context, ch: Characteristics, stamp: int, what: tuple[str, ...]) -> None:
    """It can't: ``attack``, ``block``, ``attack alone``, ``be blocked``, ``untap``, ``be countered`` …"""
    ch.cant = ch.cant | frozenset(what)


@_change("rules", "must", what="words")
def must(ctx: Context, ch: Characteristics, stamp: int, what: tuple[str, ...]) -> None:
    """It does if able: ``attack``, ``block``, ``be blocked``."""
    ch.must = ch.must | frozenset(what)


def _rule(name: str) -> None:
    @_change("rules", name, filter="filter")
    def keep(ctx: Context, ch: Characteristics, stamp: int, filter: Filter) -> None:
        ch.rules = (*ch.rules, (name, filter, ctx))

    keep.__doc__ = f"{name}: what is as described."


for _name in (
    "cant be blocked by",
    "can be blocked only by",
    "can block only",
    "cant block",
    "cant attack unless",
    "can block as though",
    "must block",
):
    _rule(_name)


@_change("rules", "can block more", n="lazy amount")
def can_block_more(ctx: Context, ch: Characteristics, stamp: int, n: Any) -> None:
    """It can block so many more attackers (``1000``: any number)."""
    ch.rules = (*ch.rules, ("can block more", n, ctx))


@_change("rules", "attack cost", cost="cost")
def attack_cost(ctx: Context, ch: Characteristics, stamp: int, cost: Any) -> None:
    """It can attack "you" only if its controller pays (CR 508.1d, 508.1h)."""
    ch.rules = (*ch.rules, ("attack cost", cost, ctx))


@_change("rules", "assigns by toughness", really="bool=true")
def assigns_by_toughness(ctx: Context, ch: Characteristics, stamp: int, really: bool) -> None:
    """It assigns combat damage equal to its toughness (CR 510.1a)."""
    ch.must = ch.must | {"assign by toughness"}


@_change("rules", "stations by toughness", really="bool=true")
def stations_by_toughness(ctx: Context, ch: Characteristics, stamp: int, really: bool) -> None:
    """Tapped to station, it counts for its toughness (CR 702.184c)."""
    ch.must = ch.must | {"station by toughness"}


@_change("rules", "goaded", really="bool=true")
def goaded(ctx: Context, ch: Characteristics, stamp: int, really: bool) -> None:
    """It is goaded by "you" (CR 701.15)."""
    ch.rules = (*ch.rules, ("goaded", None, ctx))
