"""What a prevention effect does besides preventing: once for all that it prevents at the same time (CR 615.5, 615.13).

Damage that is dealt at once is one call of `events.happen`. Each piece of it meets the prevention effects for itself;
what an effect does besides, and that it is used up, waits until all of it is settled.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from judgecall.oracle.definitions import Node
from judgecall.oracle.state import Game
from judgecall.oracle.vocabulary.context import Context

__all__ = ["Besides", "afterward", "open_batch", "remember"]


@dataclass(frozen=True, slots=True)
class Besides:
    """What is to be done immediately afterward, and the damage that was prevented until now."""

    key: Any
    ctx: Context
    effects: tuple[Node, ...]
    amount: int = 0
    used: Any = None
    """A lasting effect that is used up by it (CR 615.8)."""


def open_batch(game: Game) -> tuple[Besides, ...] | None:
    """Damage is about to be settled: what of an outer event is still to be done, for `afterward`."""
    outer: tuple[Besides, ...] | None = game.fresh.get("besides")
    _write(game, ())
    return outer


def remember(game: Game, made: Besides) -> None:
    """To be done immediately afterward: together with what is to be done for the same reason already."""
    noted: tuple[Besides, ...] = game.fresh.get("besides") or ()
    same = next((other for other in noted if other.key == made.key), None)
    if same is None:
        _write(game, (*noted, made))
        return
    game.trace.cite("615.13")
    total = replace(same, amount=same.amount + made.amount, used=same.used or made.used)
    _write(game, tuple(total if other is same else other for other in noted))


def afterward(game: Game, outer: tuple[Besides, ...] | None) -> None:
    """All damage is settled: now the rest of each effect (CR 615.5), before the damage has its results (CR 120.4b)."""
    from judgecall.oracle import resolving

    noted: tuple[Besides, ...] = game.fresh.get("besides") or ()
    _write(game, outer)
    for besides in noted:
        if besides.used is not None:
            game.trace.cite("615.8")
            game.write(game, "effects", tuple(other for other in game.effects if other is not besides.used))
        if not besides.effects:
            continue
        game.trace.cite("615.5")
        besides.ctx.event = {**besides.ctx.event, "amount": besides.amount}
        resolving.perform(besides.ctx, besides.effects)


def _write(game: Game, noted: tuple[Besides, ...] | None) -> None:
    rest = {key: kept for key, kept in game.fresh.items() if key != "besides"}
    game.write(game, "fresh", MappingProxyType(rest if noted is None else {**rest, "besides": noted}))
