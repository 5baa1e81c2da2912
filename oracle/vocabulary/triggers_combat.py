"""Trigger conditions of combat (CR 508.3, 509.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judgecall.oracle.definitions import Filter, Node
from judgecall.oracle.vocabulary.triggers import Bindings, trigger

if TYPE_CHECKING:
    from judgecall.oracle.events import Event
    from judgecall.oracle.vocabulary.context import Context

__all__: list[str] = []


@trigger(
    "attacks", "attack", filter="filter", alone="bool=false", player="lazy players=", one_or_more="bool=false",
    with_="lazy amount=", not_alone="bool=false", alongside="filter=",
)  # fmt: skip
def attacks(
    ctx: Context, event: Event, filter: Filter, alone: bool, player: Node | None, one_or_more: bool, with_: Any,
    not_alone: bool, alongside: Filter | None,
) -> Bindings | None:  # fmt: skip
    """A creature as described is declared as an attacker (CR 508.1m, 508.3), ``alongside`` another as described."""
    from judgecall.oracle import combat

    if not ctx.matches(filter, event.obj):
        return None
    together = int(event.details.get("together", 1))
    if (
        (alone and together != 1)
        or (not_alone and together < 2)
        or (with_ is not None and together < ctx.amount(with_))
    ):
        return None
    if alongside is not None and not any(
        thing is not event.obj and thing.attacking is not None and ctx.matches(alongside, thing)
        for thing in ctx.game.battlefield
    ):
        return None
    defender = event.details.get("defender")
    defending = combat.defending_player(ctx.game, defender)
    if player is not None and defending not in ctx.players(player):
        return None
    return {"that": event.obj, "defender": defender, "player": defending}


@trigger("blocks", "block", filter="filter", what="filter=", one_or_more="bool=false")
def blocks(ctx: Context, event: Event, filter: Filter, what: Filter | None, one_or_more: bool) -> Bindings | None:
    """A creature as described blocks (CR 509.3); ``what``: a creature as described."""
    if not ctx.matches(filter, event.obj) or (what is not None and not ctx.matches(what, event.source)):
        return None
    if what is None and not event.details.get("first", True):
        return None
    return {"that": event.obj, "source": event.source}


@trigger("becomes blocked", "blocked|block", filter="filter", by="filter=")
def becomes_blocked(ctx: Context, event: Event, filter: Filter, by: Filter | None) -> Bindings | None:
    """An attacking creature becomes blocked: one event, or ``by``: one for each such creature (CR 509.3d, 700.1)."""
    if by is None:
        if event.kind != "blocked" or not ctx.matches(filter, event.obj):
            return None
        return {"that": event.obj, "amount": event.amount}
    if event.kind != "block" or not ctx.matches(filter, event.source) or not ctx.matches(by, event.obj):
        return None
    return {"that": event.source, "source": event.obj}


@trigger("unblocked", "unblocked", filter="filter")
def unblocked(ctx: Context, event: Event, filter: Filter) -> Bindings | None:
    """An attacking creature as described is not blocked (CR 509.3g)."""
    return {"that": event.obj} if ctx.matches(filter, event.obj) else None
