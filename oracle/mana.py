"""Mana, mana abilities, and who may spend what on what (CR 106, 605)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from judgecall.oracle import layers, linking, statics
from judgecall.oracle.characteristics import COLOR_OF, COLORS, SYMBOL_OF
from judgecall.oracle.definitions import Activated, Node, Triggered
from judgecall.oracle.state import Game, ManaUnit, Object, Player, Rider
from judgecall.oracle.vocabulary.context import Context

if TYPE_CHECKING:
    from judgecall.oracle.costs import TotalCost
    from judgecall.oracle.payment import Payment, Source

__all__ = ["any_color", "could_produce", "empty", "expire", "may_spend", "outputs", "sources", "spent", "units"]


def units(ctx: Context, node: Node, symbols: tuple[str, ...]) -> tuple[ManaUnit, ...]:
    """Symbols as units of mana, as the ``mana`` instruction says of them."""
    source = ctx.this
    snow = source is not None and "Snow" in layers.of(ctx.game, source).supertypes
    number = source.id if source is not None else 0
    only = node.args.get("only")
    on = node.args.get("spent_on")
    rider = None if on is None else Rider(on, node.args.get("gives") or (), node.args.get("when_spent"))
    return tuple(
        ManaUnit(symbol, only, snow, number, node.args.get("keeps") or "", rider, source) for symbol in symbols
    )


def alternatives(ctx: Context, node: Node) -> list[tuple[str, ...]]:
    """The runs of symbols that a ``mana`` instruction may add, one of which is chosen (CR 106.1b)."""
    what = node.args["what"]
    times = ctx.amount(node.args.get("n") or 1)
    if isinstance(what, tuple):
        if what and what[0].startswith("{"):
            runs = [tuple(text.strip("{}").split("}{")) for text in what]
            return [run * max(times, 0) for run in runs]
        found: list[tuple[str, ...]] = []
        for color in what:
            found.extend(_named(ctx, node, color, times))
        return found
    return _named(ctx, node, str(what), times)


def _named(ctx: Context, node: Node, what: str, times: int) -> list[tuple[str, ...]]:
    if times <= 0:
        ctx.game.trace.cite("107.1b" if times < 0 else "106.5")
        return [()]
    if what.startswith("{"):
        return [tuple(what.strip("{}").split("}{")) * times]
    if what == "any color":
        symbols = list("WUBRG")
    elif what == "chosen color":
        color = linking.chosen(ctx.game, ctx.this, "color")
        symbols = [SYMBOL_OF[color]] if color in SYMBOL_OF else []
    elif what == "commander identity":
        from judgecall.oracle import commander

        symbols = [SYMBOL_OF[color] for color in COLORS if color in commander.identity_of(ctx.game, ctx.you)]
    elif what in ("could produce", "type could produce"):
        lands = ctx.all(node.args["among"])
        found = set()
        for land in lands:
            found |= could_produce(ctx.game, land, frozenset({ctx.this.id}) if ctx.this else frozenset())
        symbols = [s for s in "WUBRGC" if s in found and (what.startswith("type") or s != "C")]
    elif what in ("colors among", "each color among"):
        colors = {color for thing in ctx.all(node.args["among"]) for color in layers.of(ctx.game, thing).colors}
        symbols = [SYMBOL_OF[color] for color in COLORS if color in colors]
        if what == "each color among":  # one of each, and nothing to choose
            return [tuple(symbols) * times]
    elif what == "that type":
        symbols = list(dict.fromkeys(ctx.event.get("symbols", ())))
    else:
        symbols = [what]
    if not symbols:
        ctx.game.trace.cite("106.5")
        return [()]
    if node.args.get("combination"):
        from itertools import combinations_with_replacement

        return [tuple(run) for run in combinations_with_replacement(symbols, times)]
    return [(symbol,) * times for symbol in symbols]


def could_produce(game: Game, land: Object, asked: frozenset[int]) -> set[str]:
    """The types of mana that a permanent's mana abilities could add, costs aside (CR 106.7)."""
    if land.id in asked:
        return set()
    game.trace.cite("106.7")
    found: set[str] = set()
    for ability, _ in layers.of(game, land).each(Activated):
        if not ability.mana:
            continue
        ctx = Context(game, land.controller, land)
        for node in _mana_nodes(ability):
            if node.args["what"] in ("could produce", "type could produce"):
                for other in ctx.all(node.args["among"]):
                    found |= could_produce(game, other, asked | {land.id})
                continue
            for run in alternatives(ctx, node):
                found |= set(run)
    return found


def _mana_nodes(ability: Activated) -> list[Node]:
    bodies = [ability.body]
    if ability.body.modes:
        bodies.extend(ability.body.modes.bodies)
    return [node for body in bodies for node in body.effects if node.word == "mana"]


def outputs(game: Game, ability: Activated, ctx: Context) -> list[tuple[ManaUnit, ...]]:
    """What a mana ability may add, without activating it; each a run of units."""
    runs: list[tuple[ManaUnit, ...]] = [()]
    for node in _mana_nodes(ability):
        runs = [run + units(ctx, node, symbols) for run in runs for symbols in alternatives(ctx, node)]
    return [run for run in runs if run]


def may_spend(game: Game, player: Player, unit: ManaUnit, obj: Object, kind: str, cost: TotalCost) -> bool:
    """Whether restricted mana may be spent on a cost: of some spells, or with {X} in it (CR 106.6)."""
    if unit.only is None:
        return True
    game.trace.cite("106.6")
    if unit.only == "X":
        return cost.has_x
    ctx = Context(game, player, unit.maker)
    if isinstance(unit.only, Mapping):
        return kind != "spell" or not ctx.matches(unit.only["not for"], obj)
    return kind == "spell" and ctx.matches(unit.only, obj)


def any_color(game: Game, player: Player, obj: Object) -> Callable[[ManaUnit, str], bool]:
    """Which mana may be spent as though it were of any color, or of any type: as a symbol needs it (CR 609.4b)."""
    limits: list[tuple[str | None, bool]] = []
    if obj.cast.get("any color"):
        limits.append((None, False))
    for node, ctx in statics.rules(game, "spend any"):
        if player not in ctx.players(node.args["who"]):
            continue
        filter = node.args.get("for_")
        if filter is None or ctx.matches(filter, obj):
            limits.append((node.args.get("mana"), node.args["any_type"]))

    def free(unit: ManaUnit, symbol: str) -> bool:
        if symbol == "C":
            game.trace.cite("118.14")
        return any(
            (any_type or symbol != "C")
            and (limit is None or (limit == "snow" and unit.snow) or COLOR_OF.get(unit.symbol) == limit)
            for limit, any_type in limits
        )

    return free


def sources(game: Game, player: Player, obj: Object, payment: Payment, kind: str) -> list[Source]:
    """Everything that the player could get mana from now, the least costly first (or, if it `pays_last`, last)."""
    from judgecall.oracle import activating
    from judgecall.oracle.payment import Source as Made

    found: list[Source] = []
    for thing in game.battlefield:
        if thing.controller is not player or thing.phased_out:
            continue
        ch = layers.of(game, thing)
        if not ch.abilities:
            continue
        for ability, held in ch.each(Activated):
            if not ability.mana or (any(thing is other for other in payment.reserved) and _taps(ability)):
                continue
            # Mana for mana is not looked for: it would be found only by trying everything.
            if not activating.could_activate(game, player, thing, ability):
                continue
            if activating.costs_mana(game, player, thing, ability):
                continue
            if _sacrifices(ability) and any(thing is other for other in (*payment.gone, *payment.reserved)):
                continue
            ctx = Context(game, player, thing)
            runs = outputs(game, ability, ctx)
            if not runs:
                continue
            if _triggered_mana(game):
                runs = [_with_triggers(game, player, thing, ability, run) for run in runs]
            rank = (_cost_rank(ability), "Creature" in ch.types, len(runs))
            like = (
                tuple(sorted({u.symbol for run in runs for u in run})),
                ability.cost.parts and _cost_rank(ability),
                bool(_only(runs)),
            )

            def use(
                output: tuple[ManaUnit, ...],
                thing: Object = thing,
                ability: Activated = ability,
                held: Any = held,
            ) -> None:
                activating.activate_for_mana(game, player, thing, ability, tuple(unit.symbol for unit in output))

            found.append(Made(thing, tuple(runs), use, rank, like))
    found = _told_apart(found)
    found.sort(key=lambda source: (*source.rank, source.obj.id))
    found.extend(_helpers(game, player, obj, payment, kind))
    if game.pays_last:
        return [replace(source, outputs=source.outputs[::-1]) for source in reversed(found)]
    return found


def _told_apart(found: list[Source]) -> list[Source]:
    """Two ways to get mana are alike only if what else their permanents could be tapped for is alike too."""
    others: dict[int, list[Any]] = {}
    for source in found:
        others.setdefault(id(source.obj), []).append(source.like)
    return [replace(source, like=(source.like, *sorted(map(repr, others[id(source.obj)])))) for source in found]


def _triggered_mana(game: Game) -> bool:
    """Whether a triggered mana ability is about (CR 605.1b)."""
    found = game.cache.get("triggered mana")
    if found is None:
        found = game.cache["triggered mana"] = any(
            ability.mana
            for obj in game.battlefield
            if not obj.phased_out
            for ability, _ in layers.of(game, obj).each(Triggered)
        )
    return bool(found)


def _with_triggers(
    game: Game, player: Player, obj: Object, ability: Activated, run: tuple[ManaUnit, ...]
) -> tuple[ManaUnit, ...]:
    """What activating really adds, with what triggers on it: tried and taken back."""
    from judgecall.oracle import activating
    from judgecall.oracle.agents import Refused

    before = len(player.mana)
    try:
        with game.trial():
            activating.activate_for_mana(game, player, obj, ability, tuple(unit.symbol for unit in run))
            return player.mana[before:]
    except Refused:
        return run


def _only(runs: list[tuple[ManaUnit, ...]]) -> bool:
    return any(unit.only is not None for run in runs for unit in run)


def _taps(ability: Activated) -> bool:
    return any(node.word == "tap this" for node in ability.cost.parts)


def _sacrifices(ability: Activated) -> bool:
    return any(node.word in ("sacrifice this", "sacrifice") for node in ability.cost.parts)


def _cost_rank(ability: Activated) -> int:
    words = {node.word for node in ability.cost.parts}
    if words <= {"tap this"}:
        return 0
    if words & {"sacrifice this", "sacrifice"}:
        return 3
    return 2 if words & {"life"} else 1


def _helpers(game: Game, player: Player, obj: Object, payment: Payment, kind: str) -> list[Source]:
    """Convoke, improvise and delve: things that stand for mana in a spell's cost (CR 702.51, 702.126, 702.66)."""
    from judgecall.oracle import events
    from judgecall.oracle.payment import Source as Made

    if kind != "spell" or player is not obj.controller:
        return []  # they are for who casts it, not for who helps (CR 702.132a)
    ch = layers.of(game, obj)
    found: list[Source] = []

    def tap(thing: Object, word: str, rule: str) -> Any:
        def use(output: tuple[ManaUnit, ...]) -> None:
            game.trace.cite(f"{rule}a", f"{rule}b")
            payment.note(word, (thing,))
            events.happen(game, [events.Event("tap", thing, by=player, cause="cost")])

        return use

    def exile(thing: Object) -> Any:
        def use(output: tuple[ManaUnit, ...]) -> None:
            game.trace.cite("702.66a", "702.66b")
            done = events.happen(game, [events.move(thing, "exile", cause="cost", by=player)])
            payment.note("delved", [event.new for event in done])

        return use

    bending = _bent(obj)
    things: Sequence[Object] = game.battlefield
    if bending:  # no more than so many: those that the action names before others
        things = sorted(things, key=lambda thing: not any(thing is other for other in payment.given.get("tap", ())))
    for thing in things:
        if thing.controller is not player or thing.tapped or any(thing is other for other in payment.reserved):
            continue
        kinds = layers.of(game, thing)
        if bending and {"Artifact", "Creature"} & set(kinds.types):
            bending -= 1
            found.append(
                Made(thing, ((ManaUnit("generic"),),), tap(thing, "waterbent", "701.67"), (8, thing.id), "waterbend")
            )
        elif ch.has("convoke") and "Creature" in kinds.types:
            colors = ",".join(color for color in COLORS if color in kinds.colors)
            found.append(
                Made(
                    thing, ((ManaUnit(f"convoke:{colors}"),),), tap(thing, "convoked", "702.51"), (8, thing.id), colors
                )
            )
        elif ch.has("improvise") and "Artifact" in kinds.types:
            found.append(
                Made(thing, ((ManaUnit("generic"),),), tap(thing, "improvised", "702.126"), (8, thing.id), "improvise")
            )
    if ch.has("delve"):
        for thing in player.graveyard:
            found.append(Made(thing, ((ManaUnit("generic"),),), exile(thing), (9, thing.id), "delve"))
    return found


def _bent(spell: Object) -> int:
    """How much generic mana of a waterbend cost is part of a spell's total cost (CR 701.67b)."""
    paid = [cost.cost.mana or () for cost, _ in spell.cast.get("additions", ()) if cost.name == "waterbend"]
    return sum(int(symbol) for mana in paid for symbol in mana if symbol.isdigit())


def empty(game: Game) -> None:
    """CR 500.5: unspent mana empties as steps and phases end, except what an effect keeps."""
    for player in game.players:
        if not player.mana:
            continue
        kept = []
        for unit in player.mana:
            stays = bool(unit.keeps)
            for node, ctx in statics.rules(game, "mana stays"):
                color = node.args.get("color")
                if player in ctx.players(node.args["who"]) and (color is None or COLOR_OF.get(unit.symbol) == color):
                    stays = True
            if stays:
                kept.append(unit)
        if len(kept) != len(player.mana):
            game.trace.add(f"unspent mana of {player.name} is lost", "106.4", "500.5")
            game.write(player, "mana", tuple(kept))


def expire(game: Game, *durations: str) -> None:
    """What keeps mana until then ends: it is lost with the step that ends (CR 500.5, 514.2)."""
    for player in game.players:
        if any(unit.keeps in durations for unit in player.mana):
            units_ = (replace(unit, keeps="") if unit.keeps in durations else unit for unit in player.mana)
            game.write(player, "mana", tuple(units_))


def spent(game: Game, spell: Object, units_: Iterable[ManaUnit]) -> None:
    """What mana does for the spell that it was spent on (CR 106.6): at once, or when that triggers (CR 603.7)."""
    from judgecall.oracle import resolving, triggers

    for unit in units_:
        if unit.rider is None:
            continue
        rider, maker = unit.rider, unit.maker
        ctx = Context(game, spell.controller, maker, event={"that": spell})
        if not ctx.matches(rider.on, spell):
            continue
        game.trace.cite("106.6")
        resolving.perform(ctx, rider.gives)
        if rider.when is not None:
            triggers.wait(ctx, rider.when)
