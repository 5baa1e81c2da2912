"""Faults of continuous effects: layers, timestamps, dependency, what an effect locks in (CR 611, 613)."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from judgecall.oracle import applying, keyword_abilities, lasting, layers, linking, statics
from judgecall.oracle.definitions import Filter, Node
from judgecall.oracle.faults.gallery import (
    Mend,
    fault,
    patch,
    patch_item,
    together,
    wrap,
    wrap_everywhere,
    wrap_item,
    wrap_word,
)
from judgecall.oracle.vocabulary import changes, effects_lasting

__all__: list[str] = []


# -- order ---------------------------------------------------------------------------------------------------


def _order(*order: str) -> Mend:
    def wrong(right: Any, *given: Any) -> Any:
        undo = patch(layers, "LAYERS", order)
        try:
            return right(*given)
        finally:
            undo()

    return together(wrap(layers, "_compute", wrong), wrap(layers, "_elsewhere", wrong))


@fault(
    "size-set-after-bonuses", "613.4b", "Effects that set power and toughness are applied after bonuses and counters."
)
def set_after_bonuses() -> Mend:
    return _order("2", "3", "4", "5", "6", "7a", "7c", "7b", "7d", "rules")


@fault("switch-before-bonuses", "613.4d", "Power and toughness are switched before bonuses and counters are applied.")
def switch_before_bonuses() -> Mend:
    return _order("2", "3", "4", "5", "6", "7a", "7b", "7d", "7c", "rules")


@fault(
    "colors-after-sizes", "613.1e", "Color-changing effects are applied after those that change power and toughness."
)
def colors_after_sizes() -> Mend:
    return _order("2", "3", "4", "6", "7a", "7b", "7c", "7d", "5", "rules")


@fault(
    "abilities-before-types", "613.1f", "Effects that add or remove abilities are applied before type-changing effects."
)
def abilities_before_types() -> Mend:
    return _order("2", "3", "6", "4", "5", "7a", "7b", "7c", "7d", "rules")


@fault(
    "sizes-before-abilities",
    "613.1f",
    "Effects that change sizes are applied before those that add or remove abilities.",
)
def sizes_before_abilities() -> Mend:
    return _order("2", "3", "4", "5", "7a", "7b", "7c", "7d", "6", "rules")


@fault(
    "one-list-of-timestamps",
    "613.4",
    "Setting, changing and switching sizes apply by timestamp alone, in no sublayers.",
)
def one_list() -> Mend:
    words = ("base", "base power", "base toughness", "switch")
    return together(*(patch_item(changes.LAYER, word, "7c") for word in words))


@fault("oldest-effect-wins", "613.7", "Within a layer the effect with the earlier timestamp has the last word.")
def oldest_wins() -> Mend:
    def wrong(right: Any, going: Any, layer: str, waiting: Any) -> Any:
        for effect in waiting:
            effect.stamp = -effect.stamp
        try:
            return right(going, layer, waiting)
        finally:
            for effect in waiting:
                effect.stamp = -effect.stamp

    return wrap(layers, "_next", wrong)


@fault(
    "granted-ability-as-old-as-its-object",
    "613.7a",
    "An effect of an ability that an object has gained is as old as the object.",
)
def as_old_as_its_object() -> Mend:
    def wrong(right: Any, game: Any, ch: Any, seen: Any) -> Any:
        found = right(game, ch, seen)
        for effect in found:
            effect.stamp = ch.obj.stamp
        return found

    return wrap(layers, "_static", wrong)


@fault("effects-start-anew-in-each-layer", "613.6", "What an effect applies to is found anew in each layer.")
def start_anew() -> Mend:
    def wrong(right: Any, game: Any, table: Any, layer: str, effect: Any) -> None:
        right(game, table, layer, effect)
        if effect.fixed is None:
            effect.started = False

    return wrap(layers, "_apply", wrong)


# -- what effects reach --------------------------------------------------------------------------------------


@fault(
    "lasting-effects-follow-their-description",
    "611.2c",
    "An effect of a spell for the turn also takes in what comes to fit its description later.",
)
def follow_their_description() -> Mend:
    def wrong(right: Any, ctx: Any, duration: str, affects: Any, change: Any, **given: Any) -> Any:
        from judgecall.oracle.vocabulary.grammar import parse_value

        node = parse_value("affected", affects) if affects is not None else None
        if not isinstance(node, Filter) or not change or duration != "end of turn":
            return right(ctx, duration=duration, affects=affects, change=change, **given)
        effect = Node("affects", MappingProxyType({"which": node, "change": effects_lasting.settled(ctx, change)}))
        lasting.add(ctx, effect, duration)
        return ctx.all(node)

    return wrap_word("effect", "until", wrong)


@fault(
    "static-bonuses-stay-with-what-they-found",
    "611.3a",
    "A static ability goes on applying to what it applied to when it came, and not to what comes later.",
)
def stay_with_what_they_found() -> Mend:
    found: dict[Any, Any] = {}

    def wrong(right: Any, game: Any, table: Any, effect: Any) -> Any:
        if effect.ability is None or effect.started or not isinstance(effect.which, Filter):
            return right(game, table, effect)
        key = (id(game), effect.source.id, id(effect.which))
        if key not in found:
            found[key] = right(game, table, effect)
        return [number for number in found[key] if number in table]

    return wrap(layers, "_reach", wrong)


@fault(
    "bonuses-drop-off-noncreatures",
    "208.3a",
    "A bonus given to a permanent that is no creature at the time does nothing later.",
)
def drop_off_noncreatures() -> Mend:
    def wrong(right: Any, ctx: Any, ability: Any, ends: str, affected: Any = None, *rest: Any, **more: Any) -> Any:
        changes = ability.args.get("change") if isinstance(ability, Node) else None
        sized = isinstance(changes, tuple) and any(change.word == "pt" for change in changes)
        if sized and affected is not None:
            affected = tuple(thing for thing in affected if "Creature" in layers.of(ctx.game, thing).types)
        return right(ctx, ability, ends, affected, *rest, **more)

    return wrap(lasting, "add", wrong)


@fault(
    "control-begins-too-late", "611.2b", "Control for as long as something is so begins even if that is over before."
)
def begins_too_late() -> Mend:
    def wrong(right: Any, ctx: Any, as_long_as: Any, ends: str, **given: Any) -> Any:
        if as_long_as is not None and not ctx.holds(as_long_as):
            return right(ctx, as_long_as=None, ends="forever", **given)
        return right(ctx, as_long_as=as_long_as, ends=ends, **given)

    return wrap_word("effect", "gain control", wrong)


# -- what changes do -----------------------------------------------------------------------------------------


@fault(
    "added-types-replace",
    "205.1b",
    "What becomes a creature, or something else, in addition loses its other card types.",
)
def added_types_replace() -> Mend:
    def wrong(right: Any, ctx: Any, ch: Any, stamp: int, types: Any) -> None:
        ch.types = types

    return wrap_word("change", "add types", wrong)


@fault(
    "land-types-keep-abilities", "305.7", "A land that becomes a basic land type keeps the abilities of its rules text."
)
def land_types_keep_abilities() -> Mend:
    def wrong(right: Any, ctx: Any, ch: Any, stamp: int, types: Any) -> None:
        abilities = ch.abilities
        right(ctx, ch, stamp, types=types)
        ch.abilities = abilities

    return wrap_word("change", "land types", wrong)


@fault("new-subtypes-replace-all", "205.1a", "Subtypes that are set replace all others, those of other card types too.")
def new_subtypes_replace_all() -> Mend:
    def wrong(right: Any, ctx: Any, ch: Any, stamp: int, types: Any) -> None:
        ch.subtypes = ()
        right(ctx, ch, stamp, types=types)

    return together(wrap_word("change", "set subtypes", wrong), wrap_word("change", "land types", wrong))


@fault("ability-loss-spares-keywords", "613.1f", "Losing all abilities takes away everything but keywords.")
def spares_keywords() -> Mend:
    def wrong(right: Any, ctx: Any, ch: Any, stamp: int, keywords: Any) -> None:
        kept = tuple(held for held in ch.abilities if held.ability.keyword)
        right(ctx, ch, stamp, keywords=keywords)
        if keywords == ("all",):
            ch.abilities = kept

    return wrap_word("change", "lose", wrong)


@fault("ability-loss-for-good", "613.7", "What has lost all abilities does not gain any by a later effect.")
def for_good() -> Mend:
    def wrong(right: Any, ctx: Any, ch: Any, stamp: int, keywords: Any) -> None:
        right(ctx, ch, stamp, keywords=keywords)
        if keywords == ("all",):
            ch.forbidden = ch.forbidden | keyword_abilities.known()

    return wrap_word("change", "lose", wrong)


@fault("negative-power-is-zero", "107.1b", "Power that would fall below zero is zero.")
def negative_is_zero() -> Mend:
    def wrong(right: Any, ctx: Any, ch: Any, stamp: int, pt: Any) -> None:
        right(ctx, ch, stamp, pt=pt)
        ch.power = max(0, ch.power)

    return wrap_word("change", "pt", wrong)


@fault("negative-numbers-count", "107.1b", "A bonus of X is a penalty where X is worked out as a negative number.")
def negative_numbers_count() -> Mend:
    return wrap_word("amount", "most", lambda right, ctx, of: min((ctx.amount(n) for n in of if n != 0), default=0))


@fault("color-change-adds", "105.3", "A new color is had in addition to the colors before.")
def color_change_adds() -> Mend:
    def wrong(right: Any, ctx: Any, ch: Any, stamp: int, colors: Any) -> None:
        before = ch.colors
        right(ctx, ch, stamp, colors=colors)
        ch.colors = ch.colors | before if ch.colors else ch.colors

    return wrap_word("change", "colors", wrong)


@fault("switch-once-only", "613.4d", "Power and toughness that are switched twice stay switched.")
def switch_once_only() -> Mend:
    def wrong(right: Any, ctx: Any, ch: Any, stamp: int, really: bool) -> None:
        if "switched" not in ch.must:
            ch.must = ch.must | {"switched"}
            right(ctx, ch, stamp, really=really)

    return wrap_word("change", "switch", wrong)


@fault("can-beats-cannot", "101.2", "An effect that allows something beats one that forbids it.")
def can_beats_cannot() -> Mend:
    def wrong(right: Any, game: Any, word: str, **given: Any) -> bool:
        if word == "cant play lands" and statics.rules(game, "additional lands"):
            return False
        return bool(right(game, word, **given))

    return wrap(statics, "forbids", wrong)


@fault(
    "cannot-is-ignored", "101.2", "What an effect says that players can't do, or that can't be done to things, is done."
)
def cannot_is_ignored() -> Mend:
    return patch(statics, "forbids", lambda game, word, **given: False)


@fault(
    "prohibitions-reach-every-zone",
    "109.2",
    "What can't be done to permanents can't be done to such cards elsewhere either.",
)
def prohibitions_reach_every_zone() -> Mend:
    return patch(statics, "_describes", lambda ctx, filter, obj: ctx.matches(filter, obj))


@fault("cards-drawn-without-limit", "121.2b", "That players can't draw more than one card each turn is ignored.")
def cards_drawn_without_limit() -> Mend:
    return patch(statics, "draw_limit", lambda game, player, n=1: False)


@fault("open-hands-are-hidden", "701.20a", "Who plays with a revealed hand shows it to nobody.")
def open_hands_are_hidden() -> Mend:
    return patch(statics, "lies_open", lambda game, obj: False)


@fault(
    "last-known-before-effects", "608.2h", "What is gone is remembered as its card is, without effects and counters."
)
def last_known_before_effects() -> Mend:
    return wrap(layers, "of", lambda right, game, obj: layers._base(game, obj) if obj.gone else right(game, obj))


@fault("hand-size-is-seven", "402.2", "The maximum hand size is seven cards, whatever effects say.")
def hand_size_is_seven() -> Mend:
    return patch(statics, "hand_limit", lambda game, player: 7)


@fault("hand-sizes-are-everybodys", "402.2", "An effect on a player's maximum hand size applies to all players.")
def hand_sizes_are_everybodys() -> Mend:
    def wrong(right: Any, game: Any, player: Any) -> Any:
        limits = [right(game, other) for other in game.players]
        return None if None in limits else min(limits)

    return wrap(statics, "hand_limit", wrong)


@fault(
    "copied-choices-are-linked",
    "607.5a",
    "A copied ability uses what was chosen for an ability that its object had before.",
)
def copied_choices_linked() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, key: str) -> Any:
        return obj.chosen.get(key) if obj is not None else None

    return wrap(linking, "chosen", wrong)


@fault(
    "evasion-counts-as-an-ability", "113.12", "A creature that an effect makes unblockable counts as having an ability."
)
def counts_as_an_ability() -> Mend:
    def wrong(right: Any, ctx: Any, ch: Any, obj: Any, value: bool) -> bool:
        return (not ch.abilities and not ch.rules and not ch.cant) == value

    return together(
        wrap_word("test", "no_abilities", wrong),
        _order("2", "3", "4", "5", "6", "rules", "7a", "7b", "7c", "7d"),
    )


@fault(
    "nonblack-means-not-only-black",
    "608.2j",
    "An object of two colors counts as lacking each of them where a color is excluded.",
)
def not_only_black() -> Mend:
    def wrong(right: Any, ctx: Any, ch: Any, obj: Any, value: Any) -> bool:
        return len(ch.colors) > 1 or bool(right(ctx, ch, obj, value=value))

    return wrap_word("test", "not_colors", wrong)


@fault(
    "dependency-ignored", "613.8a", "Within a layer only timestamps count, even where one effect depends on another."
)
def dependency_ignored() -> Mend:
    return patch(layers, "_depends", lambda *given: False)


@fault(
    "defining-abilities-by-timestamp",
    "613.3",
    "Characteristic-defining abilities have no precedence over other effects.",
)
def defining_by_timestamp() -> Mend:
    def wrong(right: Any, going: Any, layer: str, waiting: Any) -> Any:
        for effect in waiting:
            effect.cda = False
        return right(going, layer, waiting)

    return wrap(layers, "_next", wrong)


@fault(
    "attaching-renews-no-timestamp", "613.7e", "Equipment and Auras that become attached anew keep their old timestamp."
)
def renews_no_timestamp() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> None:
        stamp = event.obj.stamp
        right(game, event)
        game.write(event.obj, "stamp", stamp)

    return wrap_item(applying.APPLY, "attach", wrong)


@fault(
    "control-outlasts-its-condition", "611.2b", "Control for as long as something is so goes on when it is so no more."
)
def outlasts_its_condition() -> Mend:
    return patch(lasting, "_holds", lambda game, effect: True)


@fault("lasting-effects-follow-numbers", "611.2d", "A number in an effect for the turn is counted anew all the time.")
def follow_numbers() -> Mend:
    return wrap_everywhere(effects_lasting.settled, lambda right, ctx, change: tuple(change))


@fault("two-colors-are-neither", "105.2b", "An object of two colors is of neither of them where a color is asked for.")
def two_colors_are_neither() -> Mend:
    def wrong(right: Any, ctx: Any, ch: Any, obj: Any, value: Any) -> bool:
        return len(ch.colors) < 2 and bool(right(ctx, ch, obj, value=value))

    return wrap_word("test", "colors", wrong)


@fault("two-words-are-one-subtype", "205.3b", "A type line with two creature types has one, of two words.")
def two_words_are_one_subtype() -> Mend:
    def wrong(right: Any, ctx: Any, ch: Any, obj: Any, value: Any) -> bool:
        return len(ch.subtypes) < 2 and bool(right(ctx, ch, obj, value=value))

    return wrap_word("test", "subtypes", wrong)


@fault(
    "creature-types-go-with-all-subtypes",
    "205.3c",
    "A permanent that loses its creature types loses its subtypes of other types too.",
)
def creature_types_go_with_all_subtypes() -> Mend:
    def wrong(right: Any, ctx: Any, ch: Any, stamp: int, really: bool) -> None:
        right(ctx, ch, stamp, really=really)
        ch.subtypes = ()

    return wrap_word("change", "lose creature types", wrong)


@fault(
    "duration-looked-at-when-something-leaves",
    "611.2b",
    "An effect for as long as something is so ends only once an object changes zones.",
)
def looked_at_when_leaving() -> Mend:
    return patch(lasting, "conditional", lambda game: False)


@fault(
    "forbidden-keywords-come-back",
    "113.11",
    "A keyword that a creature could not gain is there after all once nothing forbids it any more.",
)
def forbidden_come_back() -> Mend:
    return patch(lasting, "_possible", lambda game, ability, affected: [(ability, affected)])
