"""Faults of zones and objects: new objects, split cards and others in each zone (CR 400, 709, 710, 715)."""

from __future__ import annotations

from typing import Any

from judgecall.oracle import activating, applying, events, objects, replacement
from judgecall.oracle.agents import Refused
from judgecall.oracle.faults.gallery import Mend, fault, patch, wrap, wrap_item, wrap_word
from judgecall.oracle.vocabulary import effects_flow
from judgecall.oracle.vocabulary.context import Context

__all__: list[str] = []


@fault(
    "effects-follow-cards-through-zones", "400.7", "Effects on a card go on applying when it has moved to another zone."
)
def follow_cards() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> None:
        right(game, event)
        applying.follow(game, event.obj, event.new)

    return wrap_item(applying.APPLY, "move", wrong)


@fault(
    "spell-changes-end-with-the-spell",
    "112.4",
    "What an effect changed in a permanent spell is gone when it becomes a permanent.",
)
def end_with_the_spell() -> Mend:
    return patch(applying, "follow", lambda game, obj, new: None)


@fault(
    "permanents-keep-their-damage", "400.7", "A permanent that left and came back has the damage that it had before."
)
def keep_their_damage() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> None:
        right(game, event)
        before = event.obj.was
        if event.to == "battlefield" and before is not None and before.zone == "battlefield":
            game.write(event.new, "damage", before.damage)
            game.write(event.new, "tapped", before.tapped)

    return wrap_item(applying.APPLY, "move", wrong)


def _split(value: Any) -> Mend:
    def wrong(right: Any, obj: Any) -> Any:
        values = objects.base_values(obj)
        return value(values, obj) if values.layout == "split" else right(obj)

    return wrap(objects, "face_values", wrong)


@fault(
    "split-cards-are-their-left-half", "709.4", "A split card in a hand, library or graveyard is its left half alone."
)
def their_left_half() -> Mend:
    def value(values: Any, obj: Any) -> Any:
        return values.faces.get(obj.face if obj.zone == "stack" else "left", values.whole)

    return _split(value)


@fault(
    "split-spells-are-both-halves",
    "709.3b",
    "A spell cast as one half of a split card has the characteristics of both.",
)
def both_halves() -> Mend:
    return _split(lambda values, obj: values.whole)


@fault(
    "adventure-cards-are-their-adventure",
    "715.4",
    "A card with an adventure is an instant or sorcery too, outside the stack.",
)
def their_adventure() -> Mend:
    def wrong(right: Any, obj: Any) -> Any:
        values = objects.base_values(obj)
        if values.layout != "adventure" or obj.zone == "stack":
            return right(obj)
        types = (*values.whole.types, *values.faces["adventure"].types)
        return objects.replaced(values.whole, types=types)

    return wrap(objects, "face_values", wrong)


@fault("flipped-cards-everywhere", "710.2", "A flip card has its flipped name and types in every zone as well.")
def flipped_everywhere() -> Mend:
    def wrong(right: Any, obj: Any) -> Any:
        values = objects.base_values(obj)
        if values.layout != "flip" or values.whole.flipped is None or obj.zone in ("battlefield", "stack"):
            return right(obj)
        whole = values.whole
        flipped = whole.flipped
        assert flipped is not None
        supertypes = tuple(dict.fromkeys((*whole.supertypes, *flipped.supertypes)))
        return objects.replaced(whole, supertypes=supertypes)

    return wrap(objects, "face_values", wrong)


@fault(
    "types-mean-cards-in-every-zone",
    "609.2",
    "An effect about creatures or lands also means cards in graveyards and elsewhere.",
)
def cards_in_every_zone() -> Mend:
    def wrong(right: Any, ctx: Any, zone: Any) -> Any:
        layers_done = "away" in ctx.game.cache or "table" not in ctx.game.cache
        if zone is not None or not layers_done:
            return right(ctx, zone)
        return [*right(ctx, None), *(card for player in ctx.game.players for card in player.graveyard)]

    return wrap(Context, "pool", wrong)


@fault(
    "piles-leave-the-library-first",
    "700.3c",
    "Cards that are separated into piles are put into the graveyard first and taken from there.",
)
def piles_leave_first() -> Mend:
    def wrong(right: Any, ctx: Any, what: Any, **given: Any) -> Any:
        moved = events.happen(ctx.game, [events.move(thing, "graveyard", cause="put") for thing in what])
        return right(ctx, what=[event.new for event in moved], **given)

    return wrap_word("effect", "manage piles", wrong)


@fault(
    "returned-under-the-effects-controller",
    "110.2a",
    "A card that is returned under its owner's control comes back under the effect's controller.",
)
def under_the_effects_controller() -> Mend:
    def wrong(right: Any, ctx: Any, under: Any, **given: Any) -> Any:
        return right(ctx, under=None, **given)

    return wrap_word("effect", "put", wrong)


@fault("milled-cards-are-discarded", "701.17a", "Milling counts as discarding.")
def milled_are_discarded() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> Any:
        made = right(game, event)
        for each in made:
            each.cause = "discard"
        return made

    return wrap_item(replacement._EXPAND, "mill", wrong)


@fault("milling-an-empty-library-loses", "701.17b", "A player who mills more cards than there are loses the game.")
def milling_loses() -> Mend:
    def wrong(right: Any, ctx: Any, n: int, who: Any) -> Any:
        for player in who:
            if len(player.library) < n:
                ctx.game.write(player, "drew_from_empty", True)
        return right(ctx, n=n, who=who)

    return wrap_word("effect", "mill", wrong)


@fault(
    "no-abilities-in-graveyards", "113.6m", "Abilities of cards in graveyards cannot be activated, whatever they say."
)
def no_abilities_in_graveyards() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, ability: Any) -> None:
        if obj.zone == "graveyard":
            raise Refused("it is not on the battlefield", "113.6m", "permission")
        right(game, player, obj, ability)

    return wrap(activating, "_check", wrong)


@fault("library-order-not-asked", "401.4", "Of cards put on top of a library at once each owner's first lies lowest.")
def order_not_asked() -> Mend:
    return patch(events, "_arranged", lambda game, final: final)


@fault(
    "what-is-gone-may-be-chosen",
    "608.2d",
    "A player may choose to do something with an object that is not there any more.",
)
def what_is_gone() -> Mend:
    def wrong(right: Any, ctx: Any, player: Any, effects: Any) -> bool:
        of_what_is_there = bool(effects) and effects[0].word in effects_flow._TO_WHAT_IS_THERE
        return not of_what_is_there and bool(right(ctx, player, effects))

    return wrap(effects_flow, "_impossible", wrong)
