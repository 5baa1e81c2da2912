"""Paying costs: mana from the pool and from mana abilities, and everything else (CR 601.2g–h, 605, 118).

One search finds which mana abilities to activate. Everything that is chosen for other parts of the cost is chosen
before, so that a permanent that will be tapped for them is not tapped for mana.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from judgecall.oracle import mana
from judgecall.oracle.agents import Refused
from judgecall.oracle.characteristics import COLOR_OF
from judgecall.oracle.costs import TotalCost
from judgecall.oracle.definitions import Cost
from judgecall.oracle.state import Game, ManaUnit, Object, Player
from judgecall.oracle.vocabulary import payments
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.words import evaluate

__all__ = ["Choice", "Payment", "announce", "pay"]


@dataclass(slots=True)
class Choice:
    """How one part of a cost will be paid: what is reserved for it, and what paying does."""

    act: Callable[[], None]
    tapped: tuple[Object, ...] = ()
    used: tuple[Object, ...] = ()
    announced: Mapping[str, tuple[Object, ...]] = field(default_factory=dict)
    """What was chosen before the total cost is determined (CR 601.2b)."""
    last: bool = False
    """CR 601.2h: random, or moves objects out of a library: paid after the rest."""


@dataclass(slots=True)
class Payment:
    """One payment while it is made. ``given`` is what the action says of costs, ``paid`` what they were paid with."""

    game: Game
    player: Player
    obj: Object
    given: dict[str, list[Any]]
    none: frozenset[str] = frozenset()
    """For costs of these kinds the action names nothing at all."""
    paid: dict[str, Any] = field(default_factory=dict)
    reserved: list[Object] = field(default_factory=list)
    gone: list[Object] = field(default_factory=list)
    life: int = 0

    def take(self, word: str, n: int) -> list[Any] | None:
        """The next ``n`` things that the action names for costs of that kind."""
        have = self.given.get(word)
        if word in self.none:
            return []
        if not have:
            return None
        taken, self.given[word] = have[:n], have[n:]
        return taken

    def note(self, word: str, things: Sequence[Any]) -> None:
        """Remember what a cost was paid with (CR 608.2k, 601.2h)."""
        self.paid[word] = (*self.paid.get(word, ()), *things)


def pay(
    game: Game,
    player: Player,
    obj: Object,
    cost: TotalCost,
    given: Mapping[str, Any] | None,
    paying: Any = None,
    kind: str = "spell",
) -> dict[str, Any]:
    """Pay a total cost. Returns what it was paid with: ``spent`` symbols, ``sacrificed`` objects and so on.

    Raises:
        Refused: it cannot be paid, at stage ``costs`` (CR 601.2h).
    """
    payment = _payment(game, player, obj, given)
    choices: list[Choice] = []
    for node, ctx in cost.parts:
        choice = evaluate("pay", node, ctx, payment)
        if choice is None:
            continue
        payment.reserved.extend(choice.tapped)
        payment.gone.extend(choice.used)
        choices.append(choice)
    if player.controlled_by is not None:
        game.trace.cite("723.5a")  # all of it comes from the player who pays
    spent = _pay_mana(game, player, obj, cost, payment, paying, kind)
    payment.paid["spent"] = spent
    if any(payment.given.get(word) for word in _EXACT):
        raise Refused("more is named than the costs take", "601.2h", "costs")
    for choice in sorted(choices, key=lambda choice: choice.last):
        choice.act()
    return payment.paid


def announce(game: Game, player: Player, obj: Object, cost: Cost, given: Mapping[str, Any], ctx: Context) -> None:
    """Choose what a cost says is chosen as the spell is announced (CR 601.2b, 702.119c).

    Raises:
        Refused: there is nothing to choose, or not what the action names.
    """
    for node in cost.parts:
        if node.word == "sacrifice chosen":
            choice = evaluate("pay", node, ctx, _payment(game, player, obj, given))
            announced = {**obj.context.get("announced", {}), **choice.announced}
            game.write(obj, "context", MappingProxyType({**obj.context, "announced": MappingProxyType(announced)}))


def _payment(game: Game, player: Player, obj: Object, given: Mapping[str, Any] | None) -> Payment:
    lists = {key: list(value) if isinstance(value, (list, tuple)) else [value] for key, value in (given or {}).items()}
    return Payment(game, player, obj, lists, frozenset(word for word, named in lists.items() if not named))


_EXACT = ("sacrifice", "discard", "exile", "tap", "return", "reveal", "life")
"""Kinds of costs of which no more is paid than there is to pay (CR 118.8, 601.2h)."""


# -- mana ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A way to get mana: an ability and one of its outputs, or something that stands for mana (convoke, delve)."""

    obj: Object
    outputs: tuple[tuple[ManaUnit, ...], ...]
    use: Callable[[tuple[ManaUnit, ...]], None]
    rank: tuple[int, ...]
    like: Any
    also: tuple[Object, ...] = ()


@dataclass(slots=True)
class _Search:
    units: list[ManaUnit]
    sources: list[Source]
    plan: list[tuple[Source, tuple[ManaUnit, ...]]]
    assigned: list[tuple[str, ManaUnit]]
    life: int
    any_color: Callable[[ManaUnit], bool]
    fits: Callable[[ManaUnit], bool]
    budget: list[int]
    life_left: int


def _pay_mana(
    game: Game, player: Player, obj: Object, cost: TotalCost, payment: Payment, paying: Any, kind: str
) -> tuple[str, ...]:
    if not cost.symbols and cost.generic <= 0:
        return ()

    def fits(unit: ManaUnit) -> bool:
        return unit.only is None or mana.may_spend(game, player, unit, obj, kind)

    any_color = mana.any_color(game, player, obj)
    phyrexian = any(symbol.endswith("/P") for symbol in cost.symbols)
    life = int((payment.given.pop("life", None) or [0])[0]) if phyrexian else 0
    sources = mana.sources(game, player, obj, payment, kind)
    units = [unit for unit in player.mana if fits(unit)]
    if game.pays_last:
        units.reverse()
    if paying is not None:
        units, sources = _restricted(paying, units, sources)
    required = sorted(cost.symbols, key=_strictness)
    named, sources = _named_helpers(payment, sources)
    for life_used in _life_options(required, life, payment):
        search = _Search([*named, *units], sources, [], [], life_used, any_color, fits, [20_000], life_used)
        search.plan.extend((named[unit], (unit,)) for unit in named)
        if _cover(game, required, 0, search, cost.generic) and _as_named(paying, search):
            return _execute(game, player, obj, search, payment)
        if isinstance(paying, str) and not named:
            wanted = _symbols(paying)
            if not _could_pay(wanted, required, cost.generic, life_used, any_color):
                continue
            exact = _Search([*units], sources, [], [], life_used, lambda _: False, fits, [20_000], 0)
            if _cover(game, wanted, 0, exact, 0):
                return _execute(game, player, obj, exact, payment)
    raise Refused("there is not enough mana of the right kinds", "601.2h", "costs")


def _named_helpers(payment: Payment, sources: list[Source]) -> tuple[dict[ManaUnit, Source], list[Source]]:
    """What the action names to be tapped or exiled for mana (convoke, improvise, delve): all of it must be used."""
    stands = [source for source in sources if _stands_for(source)]
    wanted = [thing for word in ("tap", "exile") for thing in payment.given.get(word, ())]
    named: dict[ManaUnit, Source] = {}
    for source in stands:
        if any(source.obj is thing for thing in wanted):
            named[replace(source.outputs[0][0], source=source.obj.id)] = source
    if named:
        for word in ("tap", "exile"):
            payment.given.pop(word, None)
        return named, [source for source in sources if source not in stands]
    return {}, sources


def _stands_for(source: Source) -> bool:
    symbol = source.outputs[0][0].symbol if source.outputs[0] else ""
    return symbol == "generic" or symbol.startswith("convoke:")


def _life_options(required: Sequence[str], life: int, payment: Payment) -> list[int]:
    """How many Phyrexian symbols are paid with life: as the action says, else as few as need be, or as can be.

    Raises:
        Refused: the action says what two life for a symbol do not come to, or what the player cannot pay.
    """
    phyrexian = sum(1 for symbol in required if symbol.endswith("/P"))
    if not phyrexian:
        return [0]
    ctx = Context(payment.game, payment.player, payment.obj)
    if life:
        if life % 2 or life > 2 * phyrexian:
            raise Refused(f"{life} life is not 2 for some of the symbols", "107.4f", "costs")
        payments.check_life(ctx, payment, life)
        return [life // 2]
    options = [0]
    for n in range(1, phyrexian + 1):
        try:
            payments.check_life(ctx, payment, 2 * n)
        except Refused:
            break
        options.append(n)
    return options[::-1] if payment.game.pays_last else options


def _strictness(symbol: str) -> tuple[int, str]:
    if symbol in COLOR_OF or symbol in ("C", "S"):
        return 0, symbol
    return (1, symbol) if not symbol.startswith("2/") else (2, symbol)


def _restricted(paying: Any, units: list[ManaUnit], sources: list[Source]) -> tuple[list[ManaUnit], list[Source]]:
    """Only the mana or the sources that the action names."""
    if isinstance(paying, str):
        wanted = _symbols(paying)
        kept = []
        for unit in units:
            if unit.symbol in wanted:
                wanted.remove(unit.symbol)
                kept.append(unit)
        return kept, [] if not wanted else [s for s in sources if any(u.symbol in wanted for o in s.outputs for u in o)]
    named = list(paying)
    return [], [source for source in sources if any(source.obj is thing for thing in named)]


def _as_named(paying: Any, search: _Search) -> bool:
    """Whether the mana is just what the action names."""
    if not isinstance(paying, str):
        return True
    return sorted(unit.symbol for _, unit in search.assigned) == sorted(_symbols(paying))


def _symbols(paying: str) -> list[str]:
    return paying.strip("{}").split("}{")


def _could_pay(
    mana: Sequence[str], required: Sequence[str], generic: int, life: int, any_color: Callable[[ManaUnit], bool]
) -> bool:
    """Whether just this mana, each symbol for one, pays what is required, so many Phyrexian symbols paid with life."""
    if not required:
        return life == 0 and len(mana) == generic
    symbol, rest = required[0], required[1:]
    if life and symbol.endswith("/P") and _could_pay(mana, rest, generic, life - 1, any_color):
        return True
    if symbol.startswith("2/") and _could_pay(mana, rest, generic + 2, life, any_color):
        return True
    return any(
        _pays(ManaUnit(one), symbol, any_color)
        and _could_pay([*mana[:i], *mana[i + 1 :]], rest, generic, life, any_color)
        for i, one in enumerate(mana)
        if one not in mana[:i]
    )


def _pays(unit: ManaUnit, symbol: str, any_color: Callable[[ManaUnit], bool]) -> bool:
    """Whether a unit of mana pays a symbol (CR 107.4)."""
    if unit.symbol.startswith("convoke:"):
        colors = unit.symbol[8:].split(",")
        return any(COLOR_OF.get(part) in colors for part in symbol.split("/"))
    if unit.symbol == "generic":
        return False
    if symbol == "S":
        return unit.snow
    if symbol == "C":
        return unit.symbol == "C"
    parts = symbol.split("/")
    if any(part in COLOR_OF for part in parts) and any_color(unit):
        return True
    return unit.symbol in parts


def _cover(game: Game, required: Sequence[str], index: int, search: _Search, generic: int) -> bool:
    """Cover symbol after symbol, then the generic rest; True when a plan is found."""
    search.budget[0] -= 1
    if search.budget[0] < 0:
        return False
    if index == len(required):
        return _cover_generic(game, search, generic)
    symbol = required[index]
    if symbol.endswith("/P") and search.life_left > 0:
        search.life_left -= 1
        if _cover(game, required, index + 1, search, generic):
            return True
        search.life_left += 1
        return False
    tried: set[Any] = set()
    for position, unit in enumerate(search.units):
        key = (unit.symbol, unit.snow, unit.only is None)
        if key in tried or not _pays(unit, symbol, search.any_color):
            continue
        tried.add(key)
        del search.units[position]
        search.assigned.append((symbol, unit))
        if _cover(game, required, index + 1, search, generic):
            return True
        search.assigned.pop()
        search.units.insert(position, unit)
    if symbol.startswith("2/") and _cover(game, required, index + 1, search, generic + 2):
        return True
    return _use_source(game, required, index, search, generic, symbol)


def _use_source(
    game: Game, required: Sequence[str], index: int, search: _Search, generic: int, symbol: str | None
) -> bool:
    tried: set[Any] = set()
    used = {id(thing) for source, _ in search.plan for thing in (source.obj, *source.also)}
    for source in search.sources:
        if any(id(thing) in used for thing in (source.obj, *source.also)):
            continue
        for output in source.outputs:
            key = (source.like, tuple(unit.symbol for unit in output), tuple(unit.snow for unit in output))
            if key in tried:
                continue
            if symbol is not None and not any(
                search.fits(unit) and _pays(unit, symbol, search.any_color) for unit in output
            ):
                continue
            if symbol is None and not any(search.fits(unit) for unit in output):
                continue
            tried.add(key)
            search.plan.append((source, output))
            added = [unit for unit in output if search.fits(unit)]
            search.units.extend(added)
            if _cover(game, required, index, search, generic):
                return True
            search.plan.pop()
            for unit in added:
                for position in range(len(search.units) - 1, -1, -1):
                    if search.units[position] is unit:
                        del search.units[position]
                        break
    return False


def _cover_generic(game: Game, search: _Search, generic: int) -> bool:
    if generic <= 0:
        return not any(_is_helper(unit) and unit.source for unit in search.units)
    if len(search.units) >= generic:
        ordered = sorted(
            search.units,
            key=lambda unit: (not unit.source or not _is_helper(unit), unit.only is None, unit.symbol != "C"),
        )
        if game.pays_last:
            ordered.sort(key=lambda unit: (not unit.source or not _is_helper(unit), unit.symbol == "C"))
        for unit in ordered[:generic]:
            search.assigned.append(("1", unit))
        taken = ordered[:generic]
        search.units = [unit for unit in search.units if not any(unit is other for other in taken)]
        return not any(_is_helper(unit) and unit.source for unit in search.units)
    # The cheapest sources first: no need to look back, only the number matters now.
    used = {id(thing) for source, _ in search.plan for thing in (source.obj, *source.also)}
    added: list[tuple[Source, tuple[ManaUnit, ...]]] = []
    have = len(search.units)
    extra: list[ManaUnit] = []
    for source in search.sources:
        if have + len(extra) >= generic:
            break
        if any(id(thing) in used for thing in (source.obj, *source.also)):
            continue
        best = max(source.outputs, key=lambda output: sum(1 for unit in output if search.fits(unit)))
        fitting = [unit for unit in best if search.fits(unit)]
        if not fitting:
            continue
        used.update(id(thing) for thing in (source.obj, *source.also))
        added.append((source, best))
        extra.extend(fitting)
    if have + len(extra) < generic:
        return False
    search.plan.extend(added)
    search.units.extend(extra)
    return _cover_generic(game, search, generic)


def _is_helper(unit: ManaUnit) -> bool:
    return unit.symbol == "generic" or unit.symbol.startswith("convoke:")


def _execute(game: Game, player: Player, obj: Object, search: _Search, payment: Payment) -> tuple[str, ...]:
    """Activate the mana abilities of the plan, then spend (CR 601.2g, 601.2h)."""
    for source, output in search.plan:
        source.use(output)
    pool = list(player.mana)
    spent: list[str] = []
    for symbol, unit in search.assigned:
        if unit.symbol == "generic" or unit.symbol.startswith("convoke:"):
            if unit.symbol != "generic":
                game.trace.cite("702.51b")
            continue
        position = next(
            (i for i, other in enumerate(pool) if other is unit or replace(other, source=0) == replace(unit, source=0)),
            None,
        )
        if position is None:
            raise Refused("the mana did not come as planned", "601.2h", "costs")
        taken = pool.pop(position)
        if "/" in symbol:
            game.trace.cite("107.4f" if symbol.endswith("/P") else "107.4e")
        spent.append(taken.symbol)
        payment.paid["spent units"] = (*payment.paid.get("spent units", ()), taken)
        del symbol
    game.write(player, "mana", tuple(pool))
    if search.life:
        payments.pay_life(payment, 2 * search.life, "107.4f", "118.3b")
    game.trace.add(f"{player.name} pays {''.join(f'{{{symbol}}}' for symbol in spent) or 'no mana'}", "601.2h")
    return tuple(spent)
