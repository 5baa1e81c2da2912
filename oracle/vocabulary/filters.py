"""Tests of a filter: what may be said of an object in a description (CR 109, 205, 700)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judgecall.oracle.definitions import Activated, Filter
from judgecall.oracle.state import Object
from judgecall.oracle.vocabulary.words import word

if TYPE_CHECKING:
    from judgecall.oracle.characteristics import Characteristics
    from judgecall.oracle.vocabulary.context import Context

__all__ = ["compare", "in_zone"]

Words = tuple[str, ...]
PERMANENT_TYPES = ("Artifact", "Battle", "Creature", "Enchantment", "Land", "Planeswalker")


def compare(ctx: Context, actual: int | None, relations: tuple[tuple[str, Any], ...]) -> bool:
    """Whether a number stands in all these relations; a missing number in none."""
    if actual is None:
        return False
    for relation, node in relations:
        if relation in ("even", "odd"):
            if actual % 2 != (relation == "odd"):
                return False
            continue
        bound = ctx.amount(node)
        if relation == "is":
            fine = actual == bound
        elif relation == "min":
            fine = actual >= bound
        elif relation == "max":
            fine = actual <= bound
        elif relation == "less":
            fine = actual < bound
        elif relation == "more":
            fine = actual > bound
        else:
            fine = actual != bound
        if not fine:
            return False
    return True


@word("test", "types", value="words")
def types(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """Any of these card types."""
    return any(kind in ch.types for kind in value)


@word("test", "all_types", value="words")
def all_types(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """All of these card types."""
    return all(kind in ch.types for kind in value)


@word("test", "not_types", value="words")
def not_types(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """None of these card types."""
    return not any(kind in ch.types for kind in value)


@word("test", "copiable_types", value="words")
def copiable_types(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """Has one of these card types, whatever effects change types (CR 707.2)."""
    from judgecall.oracle import objects

    return not set(value).isdisjoint(objects.copiable(ctx.game, obj).types)


@word("test", "subtypes", value="words")
def subtypes(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """Any of these subtypes (``chosen``: the type chosen for the source)."""
    return any(ch.has_subtype(_chosen(ctx, "type", kind)) for kind in value)


@word("test", "not_subtypes", value="words")
def not_subtypes(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """None of these subtypes."""
    return not any(ch.has_subtype(_chosen(ctx, "type", kind)) for kind in value)


def _chosen(ctx: Context, kind: str, value: str) -> str:
    if value == "chosen":
        source = ctx.this
        from judgecall.oracle import linking

        return str(ctx.results.get(kind) or linking.chosen(ctx.game, source, kind) or "")
    return value


@word("test", "basic_land_type", value="bool")
def basic_land_type(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """Has a basic land type (CR 305.6)."""
    return any(kind in ("Plains", "Island", "Swamp", "Mountain", "Forest") for kind in ch.subtypes) == value


@word("test", "supertypes", value="words")
def supertypes(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """Any of these supertypes."""
    return any(kind in ch.supertypes for kind in value)


@word("test", "not_supertypes", value="words")
def not_supertypes(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """None of these supertypes."""
    return not any(kind in ch.supertypes for kind in value)


@word("test", "colors", value="words")
def colors(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """Any of these colors (``chosen``: the color chosen for the source); others are no matter (CR 608.2j)."""
    return any(_chosen(ctx, "color", color) in ch.colors for color in value)


@word("test", "not_colors", value="words")
def not_colors(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """None of these colors (CR 608.2j)."""
    return not any(_chosen(ctx, "color", color) in ch.colors for color in value)


@word("test", "colorless", value="bool")
def colorless(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """No color (CR 105.2c)."""
    return (not ch.colors) == value


@word("test", "multicolored", value="bool")
def multicolored(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """Two colors or more (CR 105.2b)."""
    return (len(ch.colors) > 1) == value


@word("test", "monocolored", value="bool")
def monocolored(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """Exactly one color (CR 105.2a)."""
    return (len(ch.colors) == 1) == value


@word("test", "controller", value="players")
def controller(ctx: Context, ch: Characteristics, obj: Object, value: list[Any]) -> bool:
    """Controlled by one of these players; outside the battlefield and the stack: owned (CR 108.4)."""
    holder = obj.controller if obj.zone in ("battlefield", "stack") else obj.owner
    return holder in value


@word("test", "owner", value="players")
def owner(ctx: Context, ch: Characteristics, obj: Object, value: list[Any]) -> bool:
    """Owned by one of these players (CR 108.3)."""
    return obj.owner in value


@word("test", "token", value="bool")
def token(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """A token (CR 111)."""
    return (obj.kind == "token") == value


@word("test", "face_down", value="bool")
def face_down(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """Face down (CR 708)."""
    return (obj.face_down is not None) == value


@word("test", "double_faced", value="bool")
def double_faced(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """Represented by a double-faced card or token (CR 712)."""
    from judgecall.oracle import objects

    return objects.is_double_faced(obj) == value


@word("test", "other", value="bool")
def other(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """Not the source itself."""
    return (obj is not ctx.this) == value


@word("test", "is", value="objects")
def is_(ctx: Context, ch: Characteristics, obj: Object, value: list[Any]) -> bool:
    """One of the objects that a reference names."""
    return any(obj is found for found in value)


@word("test", "tapped", value="bool")
def tapped(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """Tapped (CR 110.5)."""
    return obj.tapped == value


@word("test", "attacking", value="yes or text")
def attacking(ctx: Context, ch: Characteristics, obj: Object, value: Any) -> bool:
    """Attacking (CR 508); ``you``: attacking the controller of the ability."""
    if value == "you":
        return obj.attacking is ctx.you
    return value is (obj.attacking is not None)


@word("test", "blocking", value="yes or text")
def blocking(ctx: Context, ch: Characteristics, obj: Object, value: Any) -> bool:
    """Blocking (CR 509); ``this``: blocking the source."""
    if value == "this":
        return any(attacker is ctx.this for attacker in obj.blocking)
    return value is bool(obj.blocking)


@word("test", "blocked_by_this", value="bool")
def blocked_by_this(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """Blocked by the source."""
    return (ctx.this is not None and any(attacker is obj for attacker in ctx.this.blocking)) == value


@word("test", "blocked", value="bool")
def blocked(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """An attacking creature that is blocked, or is not (CR 509.1h)."""
    return obj.attacking is not None and obj.blocked == value


@word("test", "power", value="comparison")
def power(ctx: Context, ch: Characteristics, obj: Object, value: Any) -> bool:
    """Power in these relations."""
    return compare(ctx, ch.power, value)


@word("test", "toughness", value="comparison")
def toughness(ctx: Context, ch: Characteristics, obj: Object, value: Any) -> bool:
    """Toughness in these relations."""
    return compare(ctx, ch.toughness, value)


@word("test", "toughness_over_power", value="bool")
def toughness_over_power(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """Toughness greater than power."""
    return ((ch.toughness or 0) > (ch.power or 0)) == value


@word("test", "mana_value", value="comparison")
def mana_value(ctx: Context, ch: Characteristics, obj: Object, value: Any) -> bool:
    """Mana value in these relations (CR 202.3)."""
    from judgecall.oracle import objects

    return compare(ctx, objects.mana_value(obj, ch), value)


@word("test", "mana_cost", value="words")
def mana_cost(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """Its mana cost is one of these; ``none``: it has none (CR 202.1)."""
    if ch.mana_cost is None:
        return "none" in value
    return "".join(f"{{{symbol}}}" for symbol in ch.mana_cost) in value


@word("test", "name", value="words")
def name(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """Has one of these names (CR 201.2); ``chosen``: the name chosen."""
    from judgecall.oracle import objects

    wanted = {_chosen(ctx, "name", text) for text in value}
    return any(own in wanted for own in objects.names(obj, ch))


@word("test", "same_name_as", value="objects")
def same_name_as(ctx: Context, ch: Characteristics, obj: Object, value: list[Any]) -> bool:
    """Shares a name with one of these (CR 201.2a): what has no name shares none."""
    from judgecall.oracle import layers, objects

    own = set(objects.names(obj, ch))
    return any(
        own & set(objects.names(found, layers.of(ctx.game, found))) for found in value if isinstance(found, Object)
    )


@word("test", "shares_color_with", value="objects")
def shares_color_with(ctx: Context, ch: Characteristics, obj: Object, value: list[Any]) -> bool:
    """Shares a color with one of these (CR 105)."""
    from judgecall.oracle import layers

    return any(ch.colors & layers.of(ctx.game, found).colors for found in value)


@word("test", "shares_creature_type_with", value="objects")
def shares_creature_type_with(ctx: Context, ch: Characteristics, obj: Object, value: list[Any]) -> bool:
    """Shares a creature type with one of these."""
    from judgecall.oracle import layers
    from judgecall.oracle.subtypes import CREATURE_TYPES

    for found in value:
        others = layers.of(ctx.game, found)
        pool = CREATURE_TYPES if others.all_creature_types and ch.all_creature_types else others.subtypes
        if others.all_creature_types:
            pool = tuple(set(ch.subtypes) & CREATURE_TYPES) or pool
        if any(kind in CREATURE_TYPES and ch.has_subtype(kind) for kind in pool):
            return True
    return False


@word("test", "has", value="words")
def has(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """Has all of these keyword abilities."""
    return all(ch.has(keyword) for keyword in value)


@word("test", "has_any", value="words")
def has_any(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """Has any of these keyword abilities."""
    return any(ch.has(keyword) for keyword in value)


@word("test", "lacks", value="words")
def lacks(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """Has none of these keyword abilities."""
    return not any(ch.has(keyword) for keyword in value)


@word("test", "enchants", value="words")
def enchants(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """Has an enchant ability for objects of these card types and no narrower quality (CR 702.5a)."""
    specs = [ability.value for ability in ch.keywords().get("enchant", ())]
    return any(spec.filter is not None and spec.filter.tests == (("types", value),) for spec in specs)


@word("test", "no_abilities", value="bool")
def no_abilities(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """Has no abilities at all (CR 113.12)."""
    return (not ch.abilities) == value


@word("test", "has_mana_ability", value="bool")
def has_mana_ability(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """Has an activated mana ability."""
    return any(ability.mana for ability, _ in ch.each(Activated)) == value


@word("test", "counters", value="yes or text")
def counters(ctx: Context, ch: Characteristics, obj: Object, value: Any) -> bool:
    """Has a counter of this kind, or (yes) any counter (CR 122)."""
    if isinstance(value, bool):
        return any(n for n, _ in obj.counters.values()) == value
    return obj.counters.get(value, (0, 0))[0] > 0


@word("test", "in", value="words")
def in_(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """In one of these zones now."""
    return not obj.gone and any(in_zone(obj, zone) for zone in value)


@word("test", "permanent_card", value="bool")
def permanent_card(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """A card of a permanent type (CR 110.4b)."""
    return any(kind in PERMANENT_TYPES for kind in ch.types) == value


@word("test", "linked", value="text")
def linked(ctx: Context, ch: Characteristics, obj: Object, value: str) -> bool:
    """Linked with the source under a key, itself or as the card that a spell was when cast (CR 607.2)."""
    from judgecall.oracle import objects

    if ctx.this is None:
        return False
    found = objects.linked(ctx.game, ctx.this, value)
    return any(thing is obj or (obj.zone == "stack" and thing is obj.was) for thing in found)


@word("test", "spell", value="bool")
def spell(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """A spell (CR 112)."""
    return (obj.zone == "stack" and obj.kind != "ability") == value


@word("test", "ability", value="words")
def ability(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """An ability on the stack that is ``activated``, ``triggered``, or either (``any``)."""
    if obj.kind != "ability" or obj.ability is None:
        return False
    kind = "activated" if isinstance(obj.ability, Activated) else "triggered"
    return "any" in value or kind in value


@word("test", "source", value="filter")
def source(ctx: Context, ch: Characteristics, obj: Object, value: Filter) -> bool:
    """An ability whose source is as described."""
    return obj.source is not None and ctx.matches(value, obj.source)


@word("test", "card", value="bool")
def card(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """Represented by a card (CR 108)."""
    return (obj.kind == "card") == value


@word("test", "commander", value="bool")
def commander(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """A commander (CR 903.3)."""
    return (obj.card is not None and obj.card.commander) == value


@word("test", "attached_to_this", value="bool")
def attached_to_this(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """Attached to the source."""
    return (obj.attached_to is not None and obj.attached_to is ctx.this) == value


@word("test", "attached_to", value="filter")
def attached_to(ctx: Context, ch: Characteristics, obj: Object, value: Filter) -> bool:
    """Attached to an object as described."""
    return isinstance(obj.attached_to, Object) and ctx.matches(value, obj.attached_to)


@word("test", "attachment", value="filter")
def attachment(ctx: Context, ch: Characteristics, obj: Object, value: Filter) -> bool:
    """Something as described is attached to it: enchanted, equipped (CR 301.5, 303.4)."""
    return any(other.attached_to is obj and ctx.matches(value, other) for other in ctx.game.battlefield)


@word("test", "any_of", value="filters")
def any_of(ctx: Context, ch: Characteristics, obj: Object, value: tuple[Filter, ...]) -> bool:
    """As any of these filters describes it, its zone included where the filter names one."""
    return any((part.zone is None or in_zone(obj, part.zone)) and ctx.matches(part, obj) for part in value)


def in_zone(obj: Object, zone: str) -> bool:
    """Whether an object is in a zone as filters name them."""
    if zone == "anywhere":
        return not obj.gone
    if zone == "spells":
        return obj.zone == "stack" and obj.kind != "ability"
    return obj.zone == zone


@word("test", "not", value="filter")
def not_(ctx: Context, ch: Characteristics, obj: Object, value: Filter) -> bool:
    """Not as described."""
    return not ctx.matches(value, obj)


@word("test", "flag", value="words")
def flag(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """Has one of these designations (``monstrous``, ``renowned``, ``goaded`` …)."""
    goaded = "goaded" in value and any(name == "goaded" for name, _, _ in ch.rules)  # an effect's (CR 701.15a–b)
    return goaded or any(obj.flags.get(text) for text in value)


@word("test", "noted", value="words")
def noted(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """Something happened to it, or was done by it, this turn (``attacked``, ``dealt damage`` …)."""
    return any(obj.notes.get(text) for text in value)


@word("test", "entered_this_turn", value="bool")
def entered_this_turn(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """Came to its zone this turn (CR 400.7)."""
    return (obj.notes.get("arrived") == ctx.game.turn) == value


@word("test", "cast_from", value="words")
def cast_from(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """A spell cast from one of these zones (CR 601.2a), or the permanent it became."""
    return obj.cast.get("from") in value


@word("test", "was", value="filter")
def was(ctx: Context, ch: Characteristics, obj: Object, value: Filter) -> bool:
    """The object that it was before it came to its zone, a card before it was cast, was as described (CR 400.7)."""
    before = obj.was
    return before is not None and (value.zone is None or in_zone(before, value.zone)) and ctx.matches(value, before)


@word("test", "was_cast", value="bool")
def was_cast(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """It was cast (CR 701.5)."""
    return bool(obj.cast.get("from")) == value


@word("test", "cast_number", value="comparison")
def cast_number(ctx: Context, ch: Characteristics, obj: Object, value: Any) -> bool:
    """A spell that is, or would be, the so-manieth that its controller has cast this turn."""
    if obj.kind == "ability" or not obj.cast.get("from"):
        return False
    own = [spell for spell in ctx.game.history.get("cast", ()) if spell.controller is obj.controller]
    before = next((place for place, spell in enumerate(own) if spell is obj), len(own))
    return compare(ctx, before + 1, value)


@word("test", "targets", value="filter")
def targets(ctx: Context, ch: Characteristics, obj: Object, value: Filter) -> bool:
    """A spell or ability that targets something as described."""
    return any(ctx.matches(value, target) for group in obj.targets for target in group)


@word("test", "targets_only", value="filter")
def targets_only(ctx: Context, ch: Characteristics, obj: Object, value: Filter) -> bool:
    """A spell or ability with targets that are all one and the same object, as described."""
    chosen = [target for group in obj.targets for target in group]
    return bool(chosen) and all(target is chosen[0] for target in chosen) and ctx.matches(value, chosen[0])


@word("test", "single_target", value="bool")
def single_target(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """Has exactly one target (CR 115.10)."""
    return (sum(len(group) for group in obj.targets) == 1) == value


@word("test", "could_target", value="objects")
def could_target(ctx: Context, ch: Characteristics, obj: Object, value: list[Any]) -> bool:
    """Targets one of these objects or players."""
    wanted = value
    return any(target in wanted for group in obj.targets for target in group)


@word("test", "greatest", value="text")
def greatest(ctx: Context, ch: Characteristics, obj: Object, value: str) -> bool:
    """No other creature on the battlefield has more of it (``power``, ``toughness``)."""
    from judgecall.oracle import layers

    own = getattr(ch, value) or 0
    return all(
        (getattr(found, value) or 0) <= own
        for found in (layers.of(ctx.game, other) for other in ctx.game.battlefield if not other.phased_out)
        if "Creature" in found.types
    )


@word("test", "historic", value="bool")
def historic(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """Legendary, an artifact, or a Saga (CR 700.6)."""
    return ("Legendary" in ch.supertypes or "Artifact" in ch.types or "Saga" in ch.subtypes) == value


@word("test", "modified", value="bool")
def modified(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """Has counters, is equipped, or is enchanted by an Aura its controller controls (CR 700.9)."""
    from judgecall.oracle import layers

    found = any(n for n, _ in obj.counters.values())
    for other in ctx.game.battlefield:
        if other.attached_to is obj:
            kinds = layers.of(ctx.game, other).subtypes
            if "Equipment" in kinds or ("Aura" in kinds and other.controller is obj.controller):
                found = True
    return found == value


@word("test", "fighting_alone", value="bool")
def fighting_alone(ctx: Context, ch: Characteristics, obj: Object, value: bool) -> bool:
    """The only attacking, or the only blocking creature, as it is or last was (CR 506.5)."""
    from judgecall.oracle import alone

    return (bool(obj.notes.get("fought alone")) if obj.gone else alone.fights(ctx.game, obj)) == value


@word("test", "namesake", value="filter")
def namesake(ctx: Context, ch: Characteristics, obj: Object, value: Filter) -> bool:
    """Another object as described has the same name (CR 201.2a)."""
    return any(found is not obj and same_name_as(ctx, ch, obj, [found]) for found in ctx.all(value))


@word("test", "nth_cast", value="int")
def nth_cast(ctx: Context, ch: Characteristics, obj: Object, value: int) -> bool:
    """The so-manieth spell that was cast this turn, by whomever (CR 601.2i)."""
    cast = ctx.game.history.get("cast", ())
    return len(cast) >= value and cast[value - 1] is obj


@word("test", "mana_spent", value="comparison")
def mana_spent(ctx: Context, ch: Characteristics, obj: Object, value: Any) -> bool:
    """So much mana was spent to cast it (CR 601.2h)."""
    return compare(ctx, len(obj.cast.get("spent", ())), value)


@word("test", "has_symbol", value="words")
def has_symbol(ctx: Context, ch: Characteristics, obj: Object, value: Words) -> bool:
    """Its mana cost contains one of these symbols (CR 107.4), written without braces."""
    return any(symbol in value for symbol in ch.mana_cost or ())


@word("test", "dealt_damage_by", value="objects")
def dealt_damage_by(ctx: Context, ch: Characteristics, obj: Object, value: list[Any]) -> bool:
    """Was dealt damage this turn by one of these sources (CR 120.7)."""
    return any(source.id in obj.notes.get("damaged by", ()) for source in value)
