"""Instructions to flip permanents (CR 710), meld cards (CR 701.42), exile cards that haunt (CR 702.55)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judgecall.oracle.vocabulary.effects_zones import event, happen, live, moved, source_of
from judgecall.oracle.vocabulary.words import word

if TYPE_CHECKING:
    from judgecall.oracle.state import Object
    from judgecall.oracle.vocabulary.context import Context

__all__: list[str] = []


@word("effect", "flip", what="objects")
def flip(ctx: Context, what: list[Any]) -> list[Any]:
    """Flip permanents: a one-way change of their status (CR 110.5, 710.2, 710.4)."""
    made = [
        event("face", thing, details={"what": "flip", "face": "flip"}, rules=("710.2",))
        for thing in live(what)
        if thing.zone == "battlefield" and thing.face_down is None and thing.face != "flip"
    ]
    return [item.obj for item in happen(ctx, made)]


@word("effect", "meld", what="objects")
def meld(ctx: Context, what: list[Any]) -> list[Any]:
    """Meld two cards of one pair; what can't be melded stays where it is (CR 701.42).

    Raises:
        NotImplementedError: they could be melded: a permanent that two cards represent is not supported.
    """
    from judgecall.oracle import objects

    things = live(what)
    pairs = {_pair(thing) for thing in things}
    names = {objects.base_values(thing).whole.name for thing in things}
    if len(names) == 2 and len(pairs) == 1 and None not in pairs:
        raise NotImplementedError("a melded permanent (CR 712.4a)")
    ctx.game.trace.add("they can't be melded and stay where they are", "701.42c")
    return []


def _pair(thing: Object) -> str | None:
    """What a meld card is a half of (CR 712.4)."""
    from judgecall.oracle import objects

    values = objects.base_values(thing)
    if thing.kind != "card" or values.layout != "meld":
        return None
    return values.faces["back"].name


@word("effect", "haunt", what="objects", card="objects=this card")
def haunt(ctx: Context, what: list[Any], card: list[Any]) -> list[Any]:
    """Exile a card haunting a creature: ``chosen: haunted`` is that creature from then on (CR 702.55a–b)."""
    from judgecall.oracle import events, linking

    made = [events.move(thing, "exile", cause="exile", source=source_of(ctx)) for thing in live(card)]
    found = [thing for thing in moved(happen(ctx, made)) if thing.zone == "exile"]
    for thing in found:
        for haunted in what:
            linking.choose(ctx.game, thing, "haunted", haunted)
    return found
