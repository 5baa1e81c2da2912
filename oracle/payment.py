"""Paying costs: mana from the pool and from mana abilities, and everything else (CR 601.2g–h, 605, 118).

One search finds which mana abilities to activate. Everything that is chosen for other parts of the cost is chosen
before, so that a permanent that will be tapped for them is not tapped for mana.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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
    """Choose what a cost says is chosen as the spell is announced (CR 601.2b, 702.119c, 702.180b).

    Raises:
        Refused: there is nothing to choose, or not what the action names.
    """
    for node in cost.parts:
        if node.word in ("sacrifice chosen", "tap chosen"):
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
    """What mana there is, what it could come from, and what has been decided so far."""

    units: list[ManaUnit]
    sources: list[Source]
    life: int
    """So many Phyrexian symbols are still to be paid with life."""
    spare: int
    """So much comes off generic mana that symbols are paid with."""
    floor: int
    """No less mana than this is paid (CR 601.2f)."""
    named: list[str] | None
    """The mana that the action names: just this is spent."""
    any_color: Callable[[ManaUnit, str], bool]
    fits: Callable[[ManaUnit], bool]
    last: bool
    plan: list[tuple[Source, tuple[ManaUnit, ...]]] = field(default_factory=list)
    assigned: list[tuple[str, ManaUnit]] = field(default_factory=list)
    budget: int = 20_000

    def left(self) -> list[str]:
        """What of the mana that the action names is not spent yet."""
        left = list(self.named or ())
        for _, unit in self.assigned:
            if unit.symbol in left:
                left.remove(unit.symbol)
        return left

    def may_use(self, unit: ManaUnit, symbol: str) -> bool:
        """Whether a unit pays a symbol, and is named if any is."""
        if not _pays(unit, symbol, self.any_color):
            return False
        return self.named is None or _is_helper(unit) or unit.symbol in self.left()


def _pay_mana(
    game: Game, player: Player, obj: Object, cost: TotalCost, payment: Payment, paying: Any, kind: str
) -> tuple[str, ...]:
    if not (cost.symbols or cost.generic or cost.floor):
        return ()

    def fits(unit: ManaUnit) -> bool:
        return unit.only is None or mana.may_spend(game, player, unit, obj, kind, cost)

    any_color = mana.any_color(game, player, obj)
    required = sorted(cost.symbols, key=lambda symbol: (len(symbol), symbol))  # what can be paid in one way first
    units = [unit for unit in player.mana if fits(unit)]
    if game.pays_last:
        units.reverse()
    sources = mana.sources(game, player, obj, payment, kind)
    if paying is not None and not isinstance(paying, str):
        units = _of_these(units, [item.strip("{}") for item in paying if isinstance(item, str)])
        sources = [source for source in sources if any(source.obj is thing for thing in paying)]
    named = paying.strip("{}").split("}{") if isinstance(paying, str) else None
    helpers, sources = _named_helpers(payment, sources)
    for life in _life_options(cost.symbols, payment):
        search = _Search(
            [*helpers, *units], sources, life, cost.spare, cost.floor, named, any_color, fits, game.pays_last
        )
        search.plan.extend((helpers[unit], (unit,)) for unit in helpers)
        if _cover(required, 0, search, cost.generic):
            return _execute(game, player, search, payment, life)
    also = tuple(_SPECIAL[symbol] for symbol in dict.fromkeys(cost.symbols) if symbol in _SPECIAL)
    raise Refused("there is not enough mana of the right kinds", "601.2h", "costs", also)


_SPECIAL = {"C": "107.4c", "S": "107.4h"}
"""Symbols that only some mana pays, and the rules that say so."""


def _of_these(units: Sequence[ManaUnit], said: Sequence[str]) -> list[ManaUnit]:
    """Mana of the pool that is named beside sources of mana."""
    left = [symbol for text in said for symbol in text.split("}{")]
    found = []
    for unit in units:
        if unit.symbol in left:
            left.remove(unit.symbol)
            found.append(unit)
    return found


def _named_helpers(payment: Payment, sources: list[Source]) -> tuple[dict[ManaUnit, Source], list[Source]]:
    """What the action names to be tapped or exiled for mana (convoke, improvise, delve): all of it must be used."""
    stands = [source for source in sources if _stands_for(source)]
    wanted = [thing for word in ("tap", "exile") for thing in payment.given.get(word, ())]
    named: dict[ManaUnit, Source] = {}
    for source in stands:
        if any(source.obj is thing for thing in wanted):
            named[replace(source.outputs[0][0], source=source.obj.id)] = source
    if named:
        _leave_what_cannot_help(payment, [source.obj for source in named.values()])
        return named, [source for source in sources if source not in stands]
    return {}, sources


def _leave_what_cannot_help(payment: Payment, helping: Sequence[Object]) -> None:
    """What else the action names is left over, and refused with what no cost takes (CR 601.2h)."""
    for word in ("tap", "exile"):
        left = [thing for thing in payment.given.get(word, ()) if not any(thing is other for other in helping)]
        payment.given[word] = left


def _stands_for(source: Source) -> bool:
    return any(_is_helper(unit) for unit in source.outputs[0])


def _life_options(required: Sequence[str], payment: Payment) -> list[int]:
    """How many Phyrexian symbols are paid with life: as the action says, else as few as need be, or as can be.

    Raises:
        Refused: the action says what two life for a symbol do not come to, or what the player cannot pay.
    """
    phyrexian = sum(1 for symbol in required if symbol.endswith("/P"))
    if not phyrexian:
        return [0]
    ctx = Context(payment.game, payment.player, payment.obj)
    if payment.given.get("life"):
        (life,) = payment.given.pop("life")
        if life % 2 or life > 2 * phyrexian:
            raise Refused(f"{life} life is not 2 for some of the symbols", "107.4f", "costs")
        payments.check_life(ctx, payment, life)
        return [life // 2]
    options = []
    for n in range(phyrexian + 1):
        try:
            payments.check_life(ctx, payment, 2 * n)
        except Refused:
            break
        options.append(n)
    return sorted(options, reverse=payment.game.pays_last)


def _pays(unit: ManaUnit, symbol: str, any_color: Callable[[ManaUnit, str], bool]) -> bool:
    """Whether a unit of mana pays a symbol (CR 107.4)."""
    if _is_helper(unit):
        colors = unit.symbol.removeprefix("convoke:").split(",")
        return any(COLOR_OF.get(part) in colors for part in symbol.split("/"))
    if symbol.startswith("="):
        return unit.symbol == symbol[1:]
    if symbol == "S":
        return unit.snow
    if symbol == "C":
        return unit.symbol == "C" or any_color(unit, symbol)
    parts = symbol.split("/")
    if any(part in COLOR_OF for part in parts) and any_color(unit, symbol):
        return True
    return unit.symbol in parts


def _cover(required: Sequence[str], index: int, search: _Search, generic: int) -> bool:
    """Cover symbol after symbol, then the generic rest; True when a plan is found."""
    search.budget -= 1
    if search.budget < 0:
        return False
    if index == len(required):
        rest = max(0, generic - search.spare, search.floor - len(search.assigned))
        return not search.life and _cover_rest(required, search, rest)
    symbol = required[index]
    if symbol.endswith("/P") and search.life:
        search.life -= 1
        if _cover(required, index + 1, search, generic):
            return True
        search.life += 1
    tried: set[Any] = set()
    for position, unit in enumerate(search.units):
        key = (unit.symbol, unit.snow, unit.only is None)
        if key in tried or not search.may_use(unit, symbol):
            continue
        tried.add(key)
        del search.units[position]
        search.assigned.append((symbol, unit))
        if _cover(required, index + 1, search, generic):
            return True
        search.assigned.pop()
        search.units.insert(position, unit)
    if symbol.startswith("2/") and _cover(required, index + 1, search, generic + 2):
        return True
    return _use_source(required, index, search, generic)


def _use_source(required: Sequence[str], index: int, search: _Search, generic: int) -> bool:
    tried: set[Any] = set()
    for source in _unused(search):
        for output in source.outputs:
            key = (source.like, tuple(unit.symbol for unit in output), tuple(unit.snow for unit in output))
            added = [unit for unit in output if search.fits(unit)]
            if key in tried or not any(search.may_use(unit, required[index]) for unit in added):
                continue
            tried.add(key)
            before = search.units
            search.units = [*before, *added]
            search.plan.append((source, output))
            if _cover(required, index, search, generic):
                return True
            search.plan.pop()
            search.units = before
    return False


def _unused(search: _Search) -> Iterator[Source]:
    """Sources of which the plan uses nothing yet."""
    for source in search.sources:
        used = {id(thing) for other, _ in search.plan for thing in (other.obj, *other.also)}
        if used.isdisjoint(id(thing) for thing in (source.obj, *source.also)):
            yield source


def _cover_rest(required: Sequence[str], search: _Search, generic: int) -> bool:
    """Cover generic mana: with what is left of the mana that the action names, if it names any."""
    left = search.left()
    if left:
        # Each of it as a symbol that nothing else pays.
        exact = [*required, *(f"={symbol}" for symbol in left)]
        more = generic - len(left)
        return more >= 0 and _cover(exact, len(required), search, more + search.spare)
    units = [unit for unit in search.units if search.named is None or _is_helper(unit)]
    if sum(_is_helper(unit) for unit in units) > generic:
        return False  # all that is named to be tapped or exiled must be used
    # The cheapest sources first: no need to look back, only the number matters now.
    begun = len(search.plan)
    for source in _unused(search):
        if len(units) >= generic:
            break
        output = max(source.outputs, key=len)
        fitting = [unit for unit in output if search.fits(unit)]
        if fitting and (search.named is None or _stands_for(source)):
            search.plan.append((source, output))
            units.extend(fitting)
    if len(units) < generic:
        del search.plan[begun:]
        return False
    ordered = sorted(units, key=lambda unit: (unit.only is None, unit.symbol != "C"), reverse=search.last)
    ordered.sort(key=_is_helper, reverse=True)
    search.assigned.extend(("1", unit) for unit in ordered[:generic])
    return True


def _is_helper(unit: ManaUnit) -> bool:
    return unit.symbol == "generic" or unit.symbol.startswith("convoke:")


def _execute(game: Game, player: Player, search: _Search, payment: Payment, life: int) -> tuple[str, ...]:
    """Activate the mana abilities of the plan, then spend (CR 601.2g, 601.2h)."""
    for source, output in search.plan:
        source.use(output)
    pool = list(player.mana)
    spent: list[ManaUnit] = []
    for symbol, unit in search.assigned:
        if _is_helper(unit):
            continue
        like = [i for i, other in enumerate(pool) if replace(other, source=0) == replace(unit, source=0)]
        if not like:
            raise Refused("the mana did not come as planned", "601.2h", "costs")
        if "/" in symbol:
            game.trace.cite("107.4f" if symbol.endswith("/P") else "107.4e")
        spent.append(pool.pop(like[0]))
    game.write(player, "mana", tuple(pool))
    payment.paid["spent units"] = tuple(spent)
    if life:
        payments.pay_life(payment, 2 * life, "107.4f", "118.3b")
    symbols = tuple(unit.symbol for unit in spent)
    game.trace.add(f"{player.name} pays {''.join(f'{{{symbol}}}' for symbol in symbols) or 'no mana'}", "601.2h")
    return symbols
