"""Costs: what a total cost is made of, and in which order (CR 118, 601.2f)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from judgecall.oracle import describing, statics
from judgecall.oracle.agents import Refused
from judgecall.oracle.characteristics import COLOR_OF
from judgecall.oracle.definitions import Cost, Node
from judgecall.oracle.state import Game, Object, Player
from judgecall.oracle.vocabulary.context import Context

__all__ = ["TotalCost", "apply_increases", "apply_minimum", "apply_reductions", "named", "reduce", "total_cost"]


@dataclass(slots=True)
class TotalCost:
    """A cost while it is determined: colored and other symbols, generic mana, and parts that are no mana."""

    symbols: list[str] = field(default_factory=list)
    generic: int = 0
    parts: list[tuple[Node, Context]] = field(default_factory=list)
    spare: int = 0
    """What reductions of generic mana did not find: it comes off two-generic hybrid symbols that are paid so."""
    floor: int = 0
    """No less mana than this is paid in all: what affects the total cost directly, and last (CR 601.2f)."""
    has_x: bool = False
    """Whether it contains {X}, chosen or defined by a text (CR 107.3a, 107.3c)."""

    def add(self, cost: Cost, ctx: Context, x: int = 0) -> None:
        """Add a cost; each {X} in it is ``x`` generic mana (CR 107.3a)."""
        if cost.unpayable:
            raise Refused("an unpayable cost", "118.6", "costs")
        if cost.mana is not None:
            for symbol in cost.mana:
                if symbol == "X":
                    self.generic += x
                    self.has_x = True
                elif symbol.isdigit():
                    self.generic += int(symbol)
                else:
                    self.symbols.append(symbol)
        self.parts.extend((node, ctx) for node in cost.parts)

    @property
    def amount(self) -> int:
        """How much mana it is (CR 202.3-like: two for a two-generic hybrid symbol)."""
        return self.generic + len(self.symbols)


def total_cost(
    game: Game,
    player: Player,
    obj: Object,
    base: Cost,
    additional: Sequence[tuple[Cost, Context]],
    ctx: Context,
    x: int,
    kind: str,
    names: Sequence[str] = (),
    *,
    alternative: bool = False,
) -> TotalCost:
    """The total cost of a spell or ability: base, additions, increases, reductions, floors, then locked (CR 601.2f).

    Args:
        kind: ``spell``, ``ability`` or ``turn face up``.
        names: what the cost is called (``flashback``, ``equip`` …), for effects that change such costs.
        alternative: the base is an alternative cost, to which all the rest applies (CR 118.9d).

    Raises:
        Refused: the base cost is unpayable (CR 118.6).
    """
    cost = TotalCost()
    cost.add(base, ctx, x)
    alone = (cost.generic, list(cost.symbols), len(cost.parts))
    for extra, extra_ctx in additional:
        cost.add(extra, extra_ctx, x)
    apply_increases(game, player, obj, cost, kind, names)
    apply_reductions(game, player, obj, cost, kind, names)
    apply_minimum(game, cost, kind)
    if alternative and alone != (cost.generic, cost.symbols, len(cost.parts)):
        game.trace.cite("118.9d")
    if kind == "spell" or cost.amount:
        game.trace.add(f"the total cost is {describing.total(cost)}", "601.2f" if kind == "spell" else "602.2b")
    return cost


def _reaching(
    game: Game, word: str, player: Player, obj: Object, kind: str, names: Sequence[str]
) -> list[tuple[Node, Context]]:
    found = []
    for node, ctx in statics.rules(game, word):
        of, filter = node.args["of"], node.args.get("for_")
        if of != kind and of not in names:
            continue
        if player in ctx.players(node.args["who"]) and (filter is None or ctx.matches(filter, obj)):
            found.append((node, ctx))
    return found


def own_changes(obj: Object, game: Game, word: str) -> list[tuple[Node, Context]]:
    """What a spell says of its own cost (CR 113.6d): its static abilities function on the stack."""
    from judgecall.oracle import layers
    from judgecall.oracle.definitions import Static

    found: list[tuple[Node, Context]] = []
    if obj.zone != "stack":
        return []
    for ability, _ in layers.of(game, obj).each(Static):
        if "stack" not in ability.zones:
            continue
        ctx = Context(game, obj.controller, obj, stack=obj, groups=obj.targets, x=obj.cast.get("x", 0))
        ctx.paid = obj.context.get("announced", ctx.paid)
        if ctx.holds(ability.condition):
            found.extend((node, ctx) for node in ability.effects if node.word == word)
    return found


def named(game: Game, player: Player, obj: Object, cost: Cost, name: str, x: int) -> Cost:
    """An additional cost as effects that change costs of its name leave it: less of that cost and of no other."""
    increases = _reaching(game, "increase cost", player, obj, "", (name,))
    reductions = _reaching(game, "reduce cost", player, obj, "", (name,))
    if not (increases or reductions):
        return cost
    alone = TotalCost()
    alone.add(replace(cost, parts=()), Context(game, player, obj), x)
    _increase(alone, increases)
    if reductions:
        game.trace.cite("118.7")
    _reduce(alone, reductions)
    return replace(cost, mana=(str(alone.generic), *alone.symbols))


def apply_increases(game: Game, player: Player, obj: Object, cost: TotalCost, kind: str, names: Sequence[str]) -> None:
    """Cost increases, in any order (CR 601.2f)."""
    _increase(
        cost,
        [
            *_reaching(game, "increase cost", player, obj, kind, names),
            *own_changes(obj, game, "increase cost"),
        ],
    )


def _increase(cost: TotalCost, increases: Sequence[tuple[Node, Context]]) -> None:
    for node, ctx in increases:
        for _ in range(ctx.amount(node.args["times"])):
            cost.add(node.args["cost"], ctx)


def apply_reductions(game: Game, player: Player, obj: Object, cost: TotalCost, kind: str, names: Sequence[str]) -> None:
    """Cost reductions, after all increases (CR 601.2f, 118.7)."""
    _reduce(
        cost,
        [
            *_reaching(game, "reduce cost", player, obj, kind, names),
            *own_changes(obj, game, "reduce cost"),
        ],
    )


def _reduce(cost: TotalCost, reductions: Sequence[tuple[Node, Context]]) -> None:
    # The player may apply them in any order: first those that leave some mana, which could find too little later.
    for node, ctx in sorted(reductions, key=lambda item: item[1].amount(item[0].args["minimum"]), reverse=True):
        symbols, colors, generic = node.args["cost"].mana or (), frozenset(cost.symbols), cost.generic
        for _ in range(ctx.amount(node.args["times"])):
            reduce(cost, symbols, ctx.amount(node.args["minimum"]))
        if cost.generic < generic and not COLOR_OF.keys().isdisjoint(symbols):
            ctx.game.trace.cite("118.7b" if colors.isdisjoint(symbols) else "118.7c")
        if any(symbol.isdigit() for symbol in symbols):
            ctx.game.trace.cite("118.7a")


def reduce(cost: TotalCost, symbols: Sequence[str], minimum: int = 0) -> None:
    """Take symbols off a cost: generic off generic, a type off that type and then off generic (CR 118.7a–d)."""
    off = 0
    for symbol in symbols:
        own = next((own for own in sorted(cost.symbols, key=len) if symbol in own.split("/")), None)
        if symbol.isdigit():
            off += int(symbol)
        elif own is not None:
            cost.symbols.remove(own)
        else:
            off += 1
    by = min(off, cost.generic, max(0, cost.amount - minimum))
    cost.generic -= by
    if not minimum:
        cost.spare += off - by


def apply_minimum(game: Game, cost: TotalCost, kind: str) -> None:
    """What directly affects the total cost comes last: a spell that would cost less costs so much (CR 601.2f)."""
    if kind != "spell":
        return
    for node, ctx in statics.rules(game, "minimum cost"):
        cost.floor = max(cost.floor, ctx.amount(node.args["n"]))


def shown(cost: Any) -> str:
    """A cost as text."""
    return "".join(f"{{{symbol}}}" for symbol in cost.mana or ())
