"""Faults of tokens (CR 111)."""

from __future__ import annotations

from typing import Any

from judgecall.oracle import attaching, entering, events, objects, tokens
from judgecall.oracle.faults.gallery import Mend, fault, patch, together, wrap, wrap_word
from judgecall.oracle.state import Object, Player

__all__: list[str] = []


@fault("token-names-without-the-word", "111.4", "A token is called by its subtypes alone, without the word Token.")
def without_the_word() -> Mend:
    def wrong(right: Any, raw: Any, ctx: Any) -> Any:
        made = right(raw, ctx)
        return made if "name" in raw else objects.replaced(made, name=made.name.removesuffix(" Token"))

    return wrap(tokens, "face_from", wrong)


@fault(
    "named-tokens-are-called-token-too", "111.4", "A token that its creator names has the word Token behind that name."
)
def called_token_too() -> Mend:
    def wrong(right: Any, raw: Any, ctx: Any) -> Any:
        made = right(raw, ctx)
        return objects.replaced(made, name=f"{made.name} Token") if "name" in raw else made

    return wrap(tokens, "face_from", wrong)


@fault("token-names-by-one-subtype", "111.4", "A token of several subtypes is called by the first of them.")
def by_one_subtype() -> Mend:
    def wrong(right: Any, raw: Any, ctx: Any) -> Any:
        made = right(raw, ctx)
        if "name" in raw or not made.subtypes:
            return made
        return objects.replaced(made, name=f"{made.subtypes[0]} Token")

    return wrap(tokens, "face_from", wrong)


@fault("token-copies-are-called-token", "111.4", "A token that copies a creature has the word Token behind its name.")
def copies_are_called_token() -> Mend:
    from judgecall.oracle import copying

    def wrong(right: Any, ctx: Any, thing: Any, exceptions: Any = None) -> Any:
        made, face = right(ctx, thing, exceptions)
        whole = made.whole
        return (
            made if made.double_faced else objects.single_face(objects.replaced(whole, name=f"{whole.name} Token"))
        ), face

    return wrap(copying, "token_values", wrong)


@fault(
    "tokens-have-a-mana-cost", "111.3", "A token costs as much mana as its power, for whatever reads its mana value."
)
def have_a_mana_cost() -> Mend:
    def wrong(right: Any, raw: Any, ctx: Any) -> Any:
        made = right(raw, ctx)
        return objects.replaced(made, mana_cost=(str(made.power),), colors_set=made.colors) if made.power else made

    return wrap(tokens, "face_from", wrong)


@fault(
    "copying-nothing-makes-a-token",
    "111.12",
    "An effect that is to copy something that is not there makes a blank token.",
)
def copying_nothing() -> Mend:
    from judgecall.oracle.characteristics import FaceValues

    def wrong(right: Any, ctx: Any, of: Any, who: Any, **given: Any) -> Any:
        if of:
            return right(ctx, of=of, who=who, **given)
        blank = objects.single_face(FaceValues("", types=("Creature",), power=1, toughness=1))
        made = [tokens.creation(ctx, player, blank, 1, {}) for player in who]
        return [event.new for event in events.happen(ctx.game, made)]

    return wrap_word("effect", "create copy", wrong)


@fault("tokens-come-back", "111.8", "A token that was exiled can be put onto the battlefield again.")
def come_back() -> Mend:
    def prepare(right: Any, game: Any, event: Any) -> bool:
        obj = event.obj
        if obj is None or obj.kind != "token" or event.kind != "move" or obj.zone == "battlefield":
            return bool(right(game, event))
        obj.kind = "card"
        try:
            fine = bool(right(game, event))
        finally:
            obj.kind = "token"
        if event.new is not None:
            event.new.kind = "token"
        return fine

    def possible(right: Any, game: Any, event: Any) -> bool:
        obj = event.obj
        if event.kind == "move" and obj is not None and obj.kind == "token" and event.to == "battlefield":
            return not obj.gone
        return bool(right(game, event))

    return together(wrap(entering, "prepare", prepare), wrap(events, "_possible", possible))


@fault(
    "tokens-owned-by-their-maker",
    "111.2",
    "A token is owned by the player whose effect made it, whoever it was made for.",
)
def owned_by_their_maker() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> Any:
        made = right(game, event)
        source = event.source
        for each in made:
            if each.kind == "token" and source is not None:
                each.new.owner = source.controller
        return made

    return wrap(tokens, "each", wrong)


@fault(
    "undefined-hosts-are-chosen",
    "303.4i",
    "The player chooses what an Aura enchants where what it would enter attached to is not there.",
)
def undefined_hosts() -> Mend:
    def wrong(right: Any, game: Any, event: Any, ch: Any) -> Any:
        host = event.details.get("attach_to")
        if host is None or (isinstance(host, Object) and host.gone):
            event.details.pop("attach_to", None)
        return right(game, event, ch)

    return wrap(attaching, "hostless", wrong)


@fault(
    "copied-auras-come-unattached",
    "303.4f",
    "Nobody chooses what a permanent enchants that enters as a copy of an Aura without having been an Aura spell.",
)
def copied_auras_unattached() -> Mend:
    def wrong(right: Any, game: Any, event: Any, ch: Any) -> Any:
        return None if event.cause == "enter" else right(game, event, ch)

    return wrap(attaching, "hostless", wrong)


@fault("tokens-are-cards-of-a-library", "111.8", "A token that was shuffled into a library is drawn like a card of it.")
def cards_of_a_library() -> Mend:
    return patch(Player, "library_cards", property(lambda player: player.library))
