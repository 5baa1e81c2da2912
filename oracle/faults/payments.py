"""Faults of what is paid besides mana: what there must be, what is named, and what bars it (CR 118.3, 601.2h)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from judgecall.oracle import announcing, layers, turn
from judgecall.oracle.agents import Refused
from judgecall.oracle.faults.gallery import Mend, fault, patch, wrap, wrap_everywhere, wrap_word
from judgecall.oracle.vocabulary import changes, effects_flow, payments

__all__: list[str] = []


@fault(
    "barred-costs-bar-what-resolves",
    "601.2h",
    "An effect about costs of spells and abilities also bars what is paid while one of them resolves.",
)
def barred_while_resolving() -> Mend:
    return patch(payments, "_announced", lambda obj: True)


@fault(
    "barred-costs-bar-mana-abilities",
    "601.2h",
    "An effect that leaves mana abilities alone also bars what they cost.",
)
def barred_for_mana() -> Mend:
    def wrong(right: Any, game: Any, name: str) -> Any:
        found = right(game, name)
        if name != "cant pay":
            return found
        return [(replace(node, args={**node.args, "mana": True}), rule) for node, rule in found]

    from judgecall.oracle import statics

    return wrap(statics, "rules", wrong)


@fault(
    "sources-sacrificed-though-barred", "101.2", "A permanent is sacrificed for its own ability, whatever bars that."
)
def sources_though_barred() -> Mend:
    def wrong(right: Any, ctx: Any, pay: Any, what: str, obj: Any = None) -> bool:
        return obj is not ctx.this and bool(right(ctx, pay, what, obj))

    return wrap(payments, "barred", wrong)


@fault("anything-named-pays", "118.3", "Whatever the action names is what the cost is paid with.")
def anything_named() -> Mend:
    return patch(payments, "_offered", lambda name, taken, options, least=0: taken)


@fault("one-thing-pays-twice", "118.3", "What is used up for one part of a cost pays for another part of it too.")
def one_thing_twice() -> Mend:
    return patch(payments, "_free", lambda pay, name, options: list(options))


@fault("too-few-things-pay", "118.3", "A cost for which there are too few things is paid with those that there are.")
def too_few() -> Mend:
    def wrong(right: Any, ctx: Any, pay: Any, name: str, options: Any, n: int) -> Any:
        return right(ctx, pay, name, options, min(n, len(payments._free(pay, name, options))))

    return wrap(payments, "select", wrong)


@fault("new-creatures-not-tapped-for-costs", "302.6", "A creature that came this turn cannot be tapped for any cost.")
def new_creatures() -> Mend:
    def wrong(right: Any, pay: Any, name: str, options: Any) -> Any:
        found = right(pay, name, options)
        if name != "tap":
            return found
        return [thing for thing in found if turn.controlled_since_turn_began(pay.game, thing)]

    return wrap(payments, "_free", wrong)


@fault("life-named-is-the-cost", "119.4", "Where the action names an amount of life, that is what the cost takes.")
def life_named() -> Mend:
    def wrong(right: Any, ctx: Any, pay: Any, n: int) -> Any:
        return right(ctx, pay, (pay.given.get("life") or [n])[0])

    return wrap_word("pay", "life", wrong)


@fault("counters-stay-where-they-are", "118.3", "A cost of removing counters is paid without any.")
def counters_stay() -> Mend:
    def wrong(right: Any, ctx: Any, pay: Any, counters: Any, from_: Any) -> Any:
        pay.given.pop("remove", None)
        return payments.choice(lambda: None)

    return wrap_word("pay", "remove", wrong)


@fault("unattached-pays-again", "701.3d", "What is attached to nothing is unattached for a cost all the same.")
def unattached_again() -> Mend:
    def wrong(right: Any, ctx: Any, pay: Any) -> Any:
        return right(ctx, pay) if ctx.this.attached_to is not None else payments.choice(lambda: None)

    return wrap_word("pay", "unattach this", wrong)


@fault("untap-symbol-without-haste", "602.5a", "Haste helps with the tap symbol, and not with the untap symbol.")
def untap_without_haste() -> Mend:
    def wrong(right: Any, ctx: Any, pay: Any) -> Any:
        if not turn.controlled_since_turn_began(ctx.game, ctx.this):
            raise Refused("it came under its controller's control this turn", "302.6", "costs")
        return right(ctx, pay)

    return wrap_word("pay", "untap this", wrong)


@fault("no-mode-twice", "700.2d", "No mode is chosen twice, even where the spell says that it may be.")
def no_mode_twice() -> Mend:
    def wrong(right: Any, ctx: Any, body: Any, *rest: Any) -> Any:
        if body.modes is not None:
            body = replace(body, modes=replace(body.modes, repeat=False))
        return right(ctx, body, *rest)

    return wrap(announcing, "choose_modes", wrong)


@fault("divided-damage-in-full", "601.2d", "Damage that is divided is dealt to each target in full.")
def divided_in_full() -> Mend:
    def wrong(right: Any, ctx: Any, **given: Any) -> Any:
        return right(ctx, **{**given, "divided": False})

    return wrap_word("effect", "damage", wrong)


@fault("borrowed-abilities-of-all-kinds", "613.1f", "What has the activated abilities of others has all of theirs.")
def borrowed_all() -> Mend:
    def wrong(right: Any, ctx: Any, things: Any) -> Any:
        return tuple(held.ability for thing in things for held in layers.of(ctx.game, thing).abilities)

    return wrap_everywhere(changes.activated_of, wrong)


@fault("every-ability-is-shared", "702.1c", "An effect that shares some keyword abilities shares all abilities.")
def every_ability() -> Mend:
    def wrong(right: Any, ctx: Any, keywords: Any, of: Any) -> Any:
        return tuple(held.ability for thing in ctx.objects(of) for held in layers.of(ctx.game, thing).abilities)

    return wrap_everywhere(changes.keyword_abilities_of, wrong)


@fault(
    "forbidden-counters-pay",
    "614.17b",
    "Counters that cannot be put on a permanent pay for what takes them put there.",
)
def forbidden_counters_pay() -> Mend:
    return patch(payments, "_counters_barred", lambda ctx, obj: False)


@fault(
    "forbidden-counters-may-be-chosen",
    "608.2d",
    "A player may choose to put counters on what cannot have them.",
)
def forbidden_counters_chosen() -> Mend:
    def wrong(right: Any, ctx: Any, player: Any, effects: Any) -> bool:
        return effects[0].word != "put counters" and bool(right(ctx, player, effects)) if effects else False

    return wrap(effects_flow, "_impossible", wrong)
