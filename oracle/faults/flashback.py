"""Faults of casting from the graveyard with flashback (CR 702.34)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from judgecall.oracle import casting, layers, objects, statics, turn, ways
from judgecall.oracle.definitions import Cost
from judgecall.oracle.faults.gallery import Mend, fault, patch, wrap, wrap_word

__all__: list[str] = []


def _not_exiled_where(spared: Callable[[Any], bool]) -> Mend:
    def wrong(right: Any, ctx: Any, event: Any, **given: Any) -> Any:
        return None if event.kind == "move" and spared(event) else right(ctx, event, **given)

    return wrap_word("replace", "leaves stack", wrong)


@fault("flashback-resolved-to-graveyard", "702.34a", "A flashback spell that has resolved goes back to the graveyard.")
def resolved_to_graveyard() -> Mend:
    return _not_exiled_where(lambda event: event.cause == "resolve")


@fault(
    "flashback-countered-to-graveyard",
    "702.34a",
    "A flashback spell that is countered is treated like any other spell.",
)
def countered_to_graveyard() -> Mend:
    return _not_exiled_where(lambda event: event.cause == "counter")


@fault(
    "flashback-returned-to-hand",
    "702.34a",
    "A flashback spell that an effect takes off the stack into a hand or library really goes there.",
)
def returned_to_hand() -> Mend:
    return _not_exiled_where(lambda event: event.cause != "counter" and event.to in ("hand", "library"))


@fault(
    "flashback-fizzled-to-graveyard",
    "702.34a",
    "A flashback spell whose targets are all illegal goes to the graveyard instead of into exile.",
)
def fizzled_to_graveyard() -> Mend:
    return _not_exiled_where(lambda event: event.cause == "fizzle")


def _with_changed_alternatives(change: Callable[[Any], Any]) -> Mend:
    def wrong(
        right: Any, game: Any, player: Any, obj: Any, base: Any, word: Any, detail: Any, alternatives: Any, *rest: Any
    ) -> Any:
        return right(game, player, obj, base, word, detail, change(list(alternatives)), *rest)

    return wrap(ways, "_alternative_ways", wrong)


@fault("flashback-from-anywhere", "702.34a", "The flashback cost may be paid for a card in hand or in exile too.")
def from_anywhere() -> Mend:
    def widened(alternatives: Any) -> Any:
        return [
            (replace(a, from_zones=a.from_zones | {"hand", "exile"}) if a.from_zones else a, held)
            for a, held in alternatives
        ]

    return _with_changed_alternatives(widened)


@fault("flashback-by-anyone", "702.34a", "A player may use the flashback of a card in another player's graveyard.")
def by_anyone() -> Mend:
    return patch(statics, "as_own", lambda game, player, obj: True)


@fault(
    "flashback-for-the-mana-cost",
    "702.34a",
    "A card with flashback may be cast from the graveyard for its mana cost too.",
)
def for_the_mana_cost() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, extra: Any) -> bool:
        lent = obj.zone == "graveyard" and obj.owner is player and layers.of(game, obj).has("flashback")
        return bool(right(game, player, obj, extra) or lent)

    return wrap(ways, "_from_usual_zone", wrong)


@fault(
    "flashback-at-instant-speed", "307.1", "A sorcery may be cast from a graveyard whenever an instant could be cast."
)
def at_instant_speed() -> Mend:
    def wrong(right: Any, game: Any, player: Any, spell: Any, *rest: Any) -> None:
        if spell.cast.get("from") != "graveyard":
            right(game, player, spell, *rest)

    return wrap(casting, "_check_timing", wrong)


@fault(
    "flashback-instants-at-sorcery-speed", "304.1", "Whatever is cast from a graveyard is cast when a sorcery could be."
)
def at_sorcery_speed() -> Mend:
    def wrong(right: Any, game: Any, player: Any, spell: Any, ch: Any, way: Any) -> None:
        if spell.cast.get("from") == "graveyard" and way.alternative is not None:
            way = replace(way, alternative=replace(way.alternative, timing="sorcery"))
        right(game, player, spell, ch, way)

    return wrap(casting, "_check_timing", wrong)


@fault(
    "granted-flashback-outlasts-the-turn",
    "514.2",
    "What a card in a graveyard has gained until end of turn it keeps after the turn.",
)
def outlasts_the_turn() -> Mend:
    def wrong(right: Any, game: Any) -> Any:
        kept = tuple(
            replace(effect, ends="forever")
            if effect.ends == "end of turn"
            and any(getattr(thing, "zone", "") == "graveyard" for thing in effect.affected or ())
            else effect
            for effect in game.effects
        )
        game.write(game, "effects", kept)
        return right(game)

    return wrap(turn, "_cleanup", wrong)


@fault(
    "granted-flashback-not-offered",
    "601.2b",
    "A card that has flashback already may not be cast for a flashback cost that it has gained.",
)
def granted_not_offered() -> Mend:
    def printed(alternatives: Any) -> Any:
        return [pair for pair in alternatives if not pair[1].granted] or alternatives

    return _with_changed_alternatives(printed)


@fault(
    "printed-flashback-overwritten",
    "601.2b",
    "Flashback that a card gains takes the place of its own, whose cost can no longer be chosen.",
)
def printed_overwritten() -> Mend:
    def gained(alternatives: Any) -> Any:
        return [pair for pair in alternatives if pair[1].granted] or alternatives

    return _with_changed_alternatives(gained)


@fault(
    "flashback-cost-of-both-halves",
    "702.1b",
    "Flashback for the mana cost charges for the whole split card, whichever half is cast.",
)
def cost_of_both_halves() -> Mend:
    def wrong(right: Any, game: Any, spell: Any, way: Any) -> Any:
        if way.alternative is not None and way.cost is None and not way.free:
            return Cost(objects.base_values(spell).whole.mana_cost)
        return right(game, spell, way)

    return wrap(casting, "_base_cost", wrong)
