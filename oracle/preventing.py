"""Prevention of damage that is dealt at once: what a shield prevents of it, and what is done besides (CR 615).

Damage that is dealt at once is one call of `events.happen`. Each piece of it meets the prevention effects for itself.
Two things are of the whole: where a shield prevents less than is dealt, somebody chooses which of it (CR 615.7), and
what an effect does besides, and that it is used up, waits until all of it is settled (CR 615.5, 615.13).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from judgecall.oracle.agents import Question, Refused
from judgecall.oracle.definitions import Node, Replacement
from judgecall.oracle.state import NOTHING, FloatingEffect, Game, Player
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.words import evaluate

if TYPE_CHECKING:
    from judgecall.oracle.events import Event

__all__ = ["Batch", "Besides", "afterward", "open_batch", "remember", "settled", "share"]


@dataclass(frozen=True, slots=True)
class Besides:
    """What is to be done immediately afterward, and the damage that was prevented until now."""

    key: Any
    ctx: Context
    effects: tuple[Node, ...]
    amount: int = 0
    used: Any = None
    """A lasting effect that is used up by it (CR 615.8)."""


Shares = Mapping[tuple[Any, Any], int]
"""How much a shield prevents of the damage of a source to somebody or something."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Damage that is dealt at once, while it is settled."""

    dealt: tuple[Event, ...]
    """What of it is not settled yet."""
    besides: tuple[Besides, ...] = ()
    shares: Mapping[int, Shares] = field(default_factory=lambda: NOTHING)
    """What each shield prevents, by its timestamp: no other shield prevents that (CR 615.7)."""


def open_batch(game: Game, dealt: Sequence[Event]) -> Batch | None:
    """Damage is about to be settled: what is known of an outer event, for `afterward`."""
    outer = _batch(game)
    _write(game, Batch(tuple(event for event in dealt if event.kind == "damage")))
    return outer


def settled(game: Game, event: Event) -> None:
    """One piece of the damage is settled."""
    batch = _batch(game)
    if batch is not None:
        _write(game, replace(batch, dealt=tuple(other for other in batch.dealt if other is not event)))


def remember(game: Game, made: Besides) -> None:
    """To be done immediately afterward: together with what is to be done for the same reason already."""
    batch = _batch(game) or Batch(())
    same = next((other for other in batch.besides if other.key == made.key), None)
    if same is None:
        _write(game, replace(batch, besides=(*batch.besides, made)))
        return
    game.trace.cite("615.13")
    total = replace(same, amount=same.amount + made.amount, used=same.used or made.used)
    _write(game, replace(batch, besides=tuple(total if other is same else other for other in batch.besides)))


def afterward(game: Game, outer: Batch | None) -> None:
    """All damage is settled: now the rest of each effect (CR 615.5), before the damage has its results (CR 120.4b)."""
    from judgecall.oracle import resolving

    batch = _batch(game)
    _write(game, outer)
    for besides in batch.besides if batch is not None else ():
        if besides.used is not None:
            game.trace.cite("615.8")
            game.write(game, "effects", tuple(other for other in game.effects if other is not besides.used))
        if not besides.effects:
            continue
        game.trace.cite("615.5")
        besides.ctx.event = {**besides.ctx.event, "amount": besides.amount}
        resolving.perform(besides.ctx, besides.effects)


# -- shields -------------------------------------------------------------------------------------------------


def share(ctx: Context, effect: FloatingEffect, event: Event, left: int) -> int:
    """How much of a piece of damage a shield prevents that would still prevent ``left`` (CR 615.7)."""
    game, batch = ctx.game, _batch(ctx.game)
    most = min(event.amount, left)
    if batch is None:
        return most
    shares = batch.shares.get(effect.stamp)
    if shares is None:
        shares = MappingProxyType(_chosen(ctx, _pieces(ctx, effect, event, batch), left))
        _write(game, replace(batch, shares=MappingProxyType({**batch.shares, effect.stamp: shares})))
    return min(most, shares.get((event.source, event.about), most))


def _pieces(ctx: Context, effect: FloatingEffect, now: Event, batch: Batch) -> list[Event]:
    """What is dealt at once, this piece first, of the damage that a shield can prevent and no other shield does."""
    assert isinstance(effect.ability, Replacement)
    of_effect = Context(ctx.game, effect.controller, effect.source, **dict(effect.context))
    found = [now]
    for event in batch.dealt:
        less = sum(shares.get((event.source, event.about), 0) for shares in batch.shares.values())
        if event.source is now.source and event.about is now.about:
            continue
        if event.amount <= less or event.details.get("unpreventable"):
            continue
        if evaluate("replace", effect.ability.event, of_effect, event) is not None:
            found.append(event.but(amount=event.amount - less))
    return found


def _chosen(ctx: Context, pieces: Sequence[Event], left: int) -> dict[tuple[Any, Any], int]:
    """Who is shielded chooses among sources; whose shield it is, among several that it shields."""
    from judgecall.oracle import replacement

    by_target: dict[Any, list[Event]] = {}
    for event in pieces:
        by_target.setdefault(event.about, []).append(event)
    amounts = {target: sum(event.amount for event in to) for target, to in by_target.items()}
    portions = _divided(ctx, ctx.you, amounts, left, same=False)
    found: dict[tuple[Any, Any], int] = {}
    for target, to in by_target.items():
        player = replacement.affected_player(ctx.game, to[0])
        by_source: dict[Any, int] = {}
        for event in to:
            by_source[event.source] = by_source.get(event.source, 0) + event.amount
        for source, n in _divided(ctx, player, by_source, portions[target], _alike(ctx.game, to)).items():
            found[source, target] = n
    return found


def _divided(ctx: Context, player: Player, amounts: Mapping[Any, int], left: int, same: bool) -> dict[Any, int]:
    from judgecall.oracle import choices

    if not left or len(amounts) == 1 or left >= sum(amounts.values()):
        return {thing: min(n, left) for thing, n in amounts.items()}
    ctx.game.trace.cite("615.7")
    among, most = tuple(amounts), tuple(amounts.values())
    details = MappingProxyType({"most": most})
    asked = Question(player, "divide", "prevent damage", among, left, left, ctx.this, same, details=details)
    given = choices.check_division(choices.ask(ctx.game, asked), among, left, least=0)
    if any(n > most[place] for place, n in given.items()):
        raise Refused("no more is prevented of a source's damage than it would deal", "615.7")
    return {thing: given.get(place, 0) for place, thing in enumerate(among)}


def _alike(game: Game, dealt: Sequence[Event]) -> bool:
    """Whether it makes no difference which of the damage is prevented: its sources differ in nothing that counts."""
    from judgecall.oracle import triggers

    kinds = {
        (repr(sorted(event.details.items())), event.source.controller if event.source is not None else None)
        for event in dealt
    }
    commanders = any(event.source is not None and event.source.card and event.source.card.commander for event in dealt)
    return len(kinds) == 1 and not commanders and not triggers.awaited(game, dealt)


def _batch(game: Game) -> Batch | None:
    found: Batch | None = game.fresh.get("damage")
    return found


def _write(game: Game, batch: Batch | None) -> None:
    rest = {key: kept for key, kept in game.fresh.items() if key != "damage"}
    game.write(game, "fresh", MappingProxyType(rest if batch is None else {**rest, "damage": batch}))
