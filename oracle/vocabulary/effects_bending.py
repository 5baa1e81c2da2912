"""Bending: airbend, earthbend and firebend (CR 701.65, 701.66, 702.189). Waterbend is a payment."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from judgecall.oracle.definitions import Node
from judgecall.oracle.state import Object
from judgecall.oracle.vocabulary.effects_zones import event, happen, live
from judgecall.oracle.vocabulary.words import word

if TYPE_CHECKING:
    from judgecall.oracle.vocabulary.context import Context

__all__: list[str] = []


@cache
def _castable() -> Node:
    from judgecall.oracle.vocabulary.grammar import parse_value

    node: Node = parse_value(
        "rule", {"may cast": {"zone": "exile"}, "cost": "{2}", "who": "each", "by rule": "701.65a"}
    )
    return node


@word("effect", "airbend", what="objects")
def airbend(ctx: Context, what: list[Any]) -> list[Any]:
    """Exile permanents and spells; as long as a card is there, its owner may cast it for {2} (CR 701.65)."""
    from judgecall.oracle import events, lasting

    moves = [events.move(thing, "exile", cause="airbend", by=ctx.you, rules=("701.65a",)) for thing in live(what)]
    done = [made for made in happen(ctx, moves) if made.kind == "move" and made.to == "exile"]
    gone = [made.new for made in done if isinstance(made.new, Object) and made.new.card is not None]
    for card in gone:
        lasting.add(ctx.having(each=card.owner), _castable(), "forever", (card,))
    if done:
        happen(ctx, [event("airbend", player=ctx.you, rules=("701.65b",))])
    return gone


@cache
def _earthbent() -> tuple[tuple[Node, ...], tuple[Node, ...]]:
    """What becomes of the land, before and after its counters."""
    from judgecall.oracle.vocabulary.grammar import parse_value

    change = [{"add types": "Creature"}, {"base": "0/0"}, {"gain": "haste"}]
    becomes = {"until": "forever", "affects": "earthbent", "change": change}
    back = {"put": "that card", "to": "battlefield", "tapped": True, "under": "you"}
    delayed = {"delayed": {"leaves": {}, "to": ["graveyard", "exile"]}, "about": "earthbent", "body": [back]}
    return parse_value("effects", [becomes]), parse_value("effects", [delayed])


@word("effect", "earthbend", n="amount", what="objects=target")
def earthbend(ctx: Context, n: int, what: list[Any]) -> list[Any]:
    """A land becomes a 0/0 creature with haste, gets counters, and comes back when it dies or is exiled (CR 701.66)."""
    from judgecall.oracle import resolving

    lands = live(what)
    ctx.results["earthbent"] = lands
    becomes, comes_back = _earthbent()
    resolving.perform(ctx, becomes)
    if n > 0:
        happen(ctx, [event("counters", land, amount=n, details={"kind": "+1/+1"}, by=ctx.you) for land in lands])
    resolving.perform(ctx, comes_back)
    if lands:
        happen(ctx, [event("earthbend", player=ctx.you, rules=("701.66b",))])
    return lands


@word("effect", "firebend", n="amount")
def firebend(ctx: Context, n: int) -> None:
    """Add so much {R} that is not lost before the end of combat (CR 702.189a), and have done it (CR 702.189b)."""
    from judgecall.oracle import resolving
    from judgecall.oracle.vocabulary.grammar import parse_value

    resolving.perform(ctx, parse_value("effects", [{"mana": "{R}", "n": n, "keeps": "end of combat"}]))
    happen(ctx, [event("firebend", player=ctx.you, rules=("702.189b",))])
