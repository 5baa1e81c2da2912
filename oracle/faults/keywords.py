"""Faults of keyword abilities and keyword actions that have no theme of their own (CR 701, 702)."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

from judgecall.oracle import (
    activating,
    applying,
    attaching,
    choices,
    events,
    lasting,
    layers,
    protection,
    resolving,
    searching,
    splicing,
    statics,
    targets,
)
from judgecall.oracle.agents import Refused
from judgecall.oracle.definitions import Node
from judgecall.oracle.faults.gallery import (
    Mend,
    fault,
    patch,
    reread,
    together,
    wrap,
    wrap_everywhere,
    wrap_item,
    wrap_word,
)
from judgecall.oracle.keyword_abilities import casting as ways_of_casting
from judgecall.oracle.payment import Choice
from judgecall.oracle.state import NOTHING, FloatingEffect, Object
from judgecall.oracle.vocabulary import changes, effects_bending
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.effects_objects import gain_control
from judgecall.oracle.vocabulary.effects_zones import live

__all__: list[str] = []


@fault("spliced-card-leaves-the-hand", "702.47a", "A card that is spliced onto a spell is discarded.")
def leaves_the_hand() -> Mend:
    def wrong(right: Any, game: Any, player: Any, spell: Any, cards: Any) -> None:
        right(game, player, spell, cards)
        events.happen(game, [events.move(card, "graveyard", cause="splice") for card in cards if not card.gone])

    return wrap(splicing, "splice", wrong)


@fault("spliced-spell-takes-colors", "702.47c", "A spell has the colors of the cards that are spliced onto it.")
def takes_colors() -> Mend:
    def wrong(right: Any, game: Any, player: Any, spell: Any, cards: Any) -> None:
        right(game, player, spell, cards)
        colors = tuple(color for card in cards for color in layers.of(game, card).colors)
        change = (Node("add colors", MappingProxyType({"colors": colors})),)
        node = Node("affects", MappingProxyType({"which": None, "change": change}))
        effect = FloatingEffect(node, player, spell, game.stamp(), "forever", (spell,))
        game.write(game, "effects", (*game.effects, effect))

    return wrap(splicing, "splice", wrong)


@fault(
    "bestowed-spell-is-a-creature-spell",
    "702.103b",
    "A spell that is cast bestowed is a creature spell as well as an Aura spell.",
)
def is_a_creature_spell() -> Mend:
    def wrong(right: Any, kind: Any, raw: Any) -> Any:
        if kind == "changes" and isinstance(raw, list) and {"add subtypes": "Aura"} in raw:
            raw = [item for item in raw if item != {"lose types": "Creature"}]
        return right(kind, raw)

    return together(reread(), wrap(ways_of_casting, "parse_value", wrong))


@fault(
    "regeneration-always-possible", "701.19c", "A permanent may be regenerated even from what says that it can't be."
)
def always_possible() -> Mend:
    def wrong(right: Any, ctx: Any, event: Any, filter: Any) -> Any:
        details = dict(event.details)
        event.details.pop("no regeneration", None)
        try:
            return right(ctx, event, filter=filter)
        finally:
            event.details = details

    return wrap_word("replace", "regenerates", wrong)


@fault("shuffling-only-what-is-there", "701.24c", "A library is shuffled only if a card really goes there.")
def only_what_is_there() -> Mend:
    def wrong(right: Any, ctx: Any, what: Any, who: Any) -> Any:
        return right(ctx, what=what, who=who) if live(what) else []

    return wrap_word("effect", "shuffle into library", wrong)


@fault(
    "half-an-exchange",
    "701.12a",
    "An exchange of control of which one half is impossible is carried out with the other half.",
)
def half_an_exchange() -> Mend:
    def wrong(right: Any, ctx: Any, one: Any, other: Any) -> None:
        pair = list(one) if other is None else [*one, *other]
        there = live(pair)
        if len(there) == 1:
            holder = ctx.you if there[0].controller is not ctx.you else ctx.game.opponents(ctx.you)[0]
            gain_control(ctx, there, [holder], "forever", None)
            return
        right(ctx, one=one, other=other)

    return wrap_word("effect", "exchange control", wrong)


@fault(
    "searching-the-whole-library",
    "701.23f",
    "A search that is limited to the top cards goes through the whole library.",
)
def the_whole_library() -> Mend:
    def wrong(right: Any, game: Any, *rest: Any) -> Any:
        undo = wrap(statics, "rules", lambda known, game, word: [] if word == "search top only" else known(game, word))
        try:
            return right(game, *rest)
        finally:
            undo()

    return wrap(searching, "cards", wrong)


@fault(
    "revealed-cards-cannot-be-revealed", "701.20c", "A card that is revealed already cannot be revealed to pay a cost."
)
def cannot_be_revealed() -> Mend:
    def wrong(right: Any, ctx: Any, pay: Any, filter: Any, n: int) -> Any:
        for node, rule in statics.rules(ctx.game, "hands revealed"):
            if pay.player in rule.players(node.args["who"]):
                raise Refused("the hand is revealed already", "601.2h", "costs")
        return right(ctx, pay, filter=filter, n=n)

    return wrap_word("pay", "reveal", wrong)


@fault("station-by-power-only", "702.184c", "Stationing counts the power of the tapped creature, whatever effects say.")
def by_power_only() -> Mend:
    def wrong(right: Any, ctx: Any, objects: Any) -> int:
        return sum(layers.of(ctx.game, thing).power or 0 for thing in objects)

    return wrap_word("amount", "station value of", wrong)


@fault("exhaust-abilities-again-and-again", "702.177a", "An exhaust ability may be activated any number of times.")
def again_and_again() -> Mend:
    return patch(activating, "_again", lambda game, player: True)


@fault("ward-for-the-controller-too", "702.21a", "Ward also stops the permanent's own controller.")
def ward_for_all() -> Mend:
    def wrong(right: Any, ctx: Any, event: Any, by: Any, **given: Any) -> Any:
        return right(ctx, event, by=None, **given)

    return wrap_word("trigger", "becomes target", wrong)


@fault("ward-ignored", "702.21a", "A spell or ability that targets a permanent with ward goes on without a payment.")
def ward_ignored() -> Mend:
    def wrong(right: Any, ctx: Any, event: Any, by: Any, **given: Any) -> Any:
        return None if by is not None else right(ctx, event, by=by, **given)

    return wrap_word("trigger", "becomes target", wrong)


@fault(
    "protection-lets-auras-stay", "702.16c", "An Aura or Equipment stays on a permanent that gets protection from it."
)
def lets_auras_stay() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, host: Any, *rest: Any) -> bool:
        if obj.attached_to is not host:
            return bool(right(game, obj, host, *rest))
        undo = patch(protection, "protects", lambda *given: False)
        try:
            return bool(right(game, obj, host, *rest))
        finally:
            undo()

    return wrap(attaching, "can_attach", wrong)


@fault("protection-allows-targeting", "702.16b", "A permanent may be the target of what it has protection from.")
def allows_targeting() -> Mend:
    def wrong(right: Any, ctx: Any, thing: Any, obj: Any) -> Any:
        rule = right(ctx, thing, obj)
        return None if rule in ("702.16b", "702.16j") else rule

    return wrap(targets, "why_not", wrong)


@fault("phased-out-still-counted", "702.26b", "A phased-out permanent is still counted and affected.")
def still_counted() -> Mend:
    def wrong(right: Any, ctx: Any, zone: Any) -> Any:
        return list(ctx.game.battlefield) if zone in (None, "battlefield") else right(ctx, zone)

    def alive(right: Any, things: Any) -> Any:
        del right
        return [thing for thing in things if hasattr(thing, "gone") and not thing.gone]

    return together(wrap(Context, "pool", wrong), wrap_everywhere(live, alive))


@fault(
    "durations-see-the-phased-out", "702.26f", "What lasts as long as a permanent is as it is outlasts its phasing out."
)
def durations_see_the_phased_out() -> Mend:
    def wrong(right: Any, ctx: Any, objects: Any, filter: Any, all_: Any) -> Any:
        away = [thing for thing in objects if isinstance(thing, Object) and thing.phased_out]
        return right(ctx, objects, filter, all_) or any(ctx.matches(filter, thing) for thing in away)

    return wrap_word("condition", "is", wrong)


@fault("phasing-out-sheds-counters", "702.26d", "A permanent that phases out loses its counters.")
def sheds_counters() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> None:
        right(game, event)
        game.write(event.obj, "counters", NOTHING)

    return wrap_item(applying.APPLY, "phase out", wrong)


@fault("devotion-without-effects", "700.5a", "Effects that change devotion are not counted.")
def devotion_ignored() -> Mend:
    return patch(statics, "devotion_bonus", lambda game, player: 0)


@fault(
    "keyword-cost-replaces-other-costs",
    "702.1a",
    "Where a keyword's cost is a card's mana cost, the other costs of the keyword are not paid.",
)
def replaces_its_costs() -> Mend:
    def wrong(right: Any, ctx: Any, pay: Any) -> Any:
        known = ctx.stack.ability if ctx.stack is not None else None
        if known is not None and any(node.word == "mana cost of" for node in known.cost.parts):
            return Choice(lambda: None)
        return right(ctx, pay)

    return wrap_word("pay", "exile this", wrong)


@fault(
    "aura-swap-with-any-aura", "702.65b", "Aura swap may bring an Aura that cannot enchant what the first one enchants."
)
def with_any_aura() -> Mend:
    def wrong(right: Any, ctx: Any) -> None:
        undo = patch(attaching, "can_enchant", lambda *given: True)
        try:
            right(ctx)
        finally:
            undo()

    return wrap_word("effect", "swap aura", wrong)


@fault(
    "shared-keywords-one-kind-only",
    "702.1c",
    "Sharing a keyword such as protection shares only the first kind of it that is found.",
)
def shares_by_name() -> Mend:
    def wrong(right: Any, ctx: Any, keywords: Any, of: Any) -> Any:
        kept: dict[str, Any] = {}
        for ability in right(ctx, keywords, of):
            kind = "walk" if (ability.keyword or "").endswith("walk") else ability.keyword
            kept.setdefault(str(kind), ability)
        return tuple(kept.values())

    return wrap_everywhere(changes.keyword_abilities_of, wrong)


@fault(
    "searching-must-find",
    "701.23b",
    "A player who searches a library for cards of a kind must find all that are there.",
)
def must_find() -> Mend:
    def wrong(
        right: Any, game: Any, player: Any, options: Any, minimum: int, maximum: int, prompt: str, *rest: Any
    ) -> Any:
        offered = tuple(options)
        least = min(maximum, len(offered)) if prompt == "find" else minimum
        return right(game, player, offered, least, maximum, prompt, *rest)

    return wrap(choices, "pick", wrong)


@fault("bestowed-spell-fizzles", "702.103e", "A bestowed spell whose target is illegal does not resolve.")
def fizzles() -> Mend:
    return patch(resolving, "_reverts", lambda game, obj: False)


@fault("haste-of-suspend-stays", "702.62a", "What was suspended keeps its haste under another player's control.")
def haste_stays() -> Mend:
    return patch(lasting, "control_lost", lambda game, obj: None)


@fault("airbent-for-who-exiled-it", "701.65a", "Who airbends a card may cast it, and not its owner.")
def airbent_for_who_exiled() -> Mend:
    def wrong(right: Any, ctx: Any, what: Any) -> Any:
        made = right(ctx, what)
        rule = effects_bending._castable()
        game = ctx.game
        mine = (
            replace(effect, context={**effect.context, "each": ctx.you}) if effect.ability is rule else effect
            for effect in game.effects
        )
        game.write(game, "effects", tuple(mine))
        return made

    return wrap_word("effect", "airbend", wrong)


@fault(
    "earthbent-lands-stay-away", "701.66a", "A land that was earthbent stays where it went when it dies or is exiled."
)
def earthbent_stay_away() -> Mend:
    right = effects_bending._earthbent
    return patch(effects_bending, "_earthbent", lambda: (right()[0], ()))


@fault("earthbent-comes-back-from-anywhere", "701.66a", "A land that was earthbent also comes back from the hand.")
def earthbent_from_anywhere() -> Mend:
    def wrong() -> Any:
        becomes, delayed = right()
        (node,) = delayed
        trigger = node.args["when"]
        anywhere = Node(trigger.word, MappingProxyType({**trigger.args, "to": None}))
        return becomes, (Node(node.word, MappingProxyType({**node.args, "when": anywhere})),)

    right = effects_bending._earthbent
    return patch(effects_bending, "_earthbent", wrong)


@fault(
    "evoked-and-taken-is-kept", "702.74a", "What was evoked is not sacrificed if another player controls it by then."
)
def evoked_and_taken_is_kept() -> Mend:
    return wrap_word("effect", "sacrifice it", lambda right, ctx, what, whoever: right(ctx, what, whoever=False))
