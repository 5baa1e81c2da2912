"""Numbers in a definition (CR 107)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judgecall.oracle.characteristics import COLOR_OF
from judgecall.oracle.definitions import Activated, Filter, Node
from judgecall.oracle.state import Object, Player
from judgecall.oracle.vocabulary.words import word

if TYPE_CHECKING:
    from judgecall.oracle.vocabulary.context import Context

__all__: list[str] = []


@word("amount", "X")
def x(ctx: Context) -> int:
    """The X chosen for the spell or ability (CR 107.3)."""
    return ctx.x


def _answered(ctx: Context) -> None:
    """An instruction that is carried out asks the game something (CR 608.2h)."""
    if "announced" in ctx.results:
        ctx.game.trace.cite("608.2h")


@word("amount", "count", filter="filter")
def count(ctx: Context, filter: Filter) -> int:
    """How many objects are as described."""
    _answered(ctx)
    return len(ctx.all(filter))


@word("amount", "number of", objects="objects")
def number_of(ctx: Context, objects: list[Any]) -> int:
    """How many there are of a reference."""
    _answered(ctx)
    return len(objects)


@word("amount", "players", who="players")
def players(ctx: Context, who: list[Player]) -> int:
    """How many players."""
    return len(who)


def _of(ctx: Context, objects: list[Any], name: str) -> int:
    from judgecall.oracle import layers

    return sum(getattr(layers.of(ctx.game, thing), name) or 0 for thing in objects if isinstance(thing, Object))


@word("amount", "power of", objects="objects")
def power_of(ctx: Context, objects: list[Any]) -> int:
    """The power of these, added up, as they are or last were (CR 608.2h)."""
    _answered(ctx)
    return _of(ctx, objects, "power")


@word("amount", "toughness of", objects="objects")
def toughness_of(ctx: Context, objects: list[Any]) -> int:
    """The toughness of these, added up."""
    _answered(ctx)
    return _of(ctx, objects, "toughness")


@word("amount", "mana value of", objects="objects")
def mana_value_of(ctx: Context, objects: list[Any]) -> int:
    """The mana values of these, added up (CR 202.3)."""
    _answered(ctx)
    from judgecall.oracle import layers
    from judgecall.oracle import objects as objects_

    return sum(objects_.mana_value(thing, layers.of(ctx.game, thing)) for thing in objects if isinstance(thing, Object))


@word("amount", "greatest", what="text", among="filter")
def greatest(ctx: Context, what: str, among: Filter) -> int:
    """The greatest power, toughness or mana value among what is described; 0 for none."""
    _answered(ctx)
    from judgecall.oracle import layers, objects

    best = 0
    for thing in ctx.all(among):
        found = layers.of(ctx.game, thing)
        value = objects.mana_value(thing, found) if what == "mana value" else (getattr(found, what) or 0)
        best = max(best, value)
    return best


@word("amount", "counters of", objects="objects", kind="text=")
def counters_of(ctx: Context, objects: list[Any], kind: str | None) -> int:
    """How many counters (of a kind) are on these."""
    _answered(ctx)
    total = 0
    for thing in objects:
        if isinstance(thing, Player):
            total += sum(n for name, n in thing.counters.items() if kind in (None, name))
        else:
            total += sum(n for name, (n, _) in thing.counters.items() if kind in (None, name))
    return total


@word("amount", "life of", who="players")
def life_of(ctx: Context, who: list[Player]) -> int:
    """Life totals, added up."""
    return sum(player.life for player in who)


@word("amount", "starting life of", who="players")
def starting_life_of(ctx: Context, who: list[Player]) -> int:
    """Starting life totals."""
    return sum(player.starting_life for player in who)


@word("amount", "hand size of", who="players")
def hand_size_of(ctx: Context, who: list[Player]) -> int:
    """How many cards are in these players' hands."""
    return sum(len(player.hand) for player in who)


@word("amount", "drawn by", who="players")
def drawn_by(ctx: Context, who: list[Player]) -> int:
    """How many cards these players have drawn this turn."""
    return sum(player.drawn for player in who)


@word("amount", "speed of", who="players=you")
def speed_of(ctx: Context, who: list[Player]) -> int:
    """The speed of these players: 0 where they have none (CR 702.179f)."""
    from judgecall.oracle import inherent

    return sum(inherent.speed(player) for player in who)


@word("amount", "lands played", who="players=you")
def lands_played(ctx: Context, who: list[Player]) -> int:
    """How many lands these players have played this turn (CR 305.2)."""
    return sum(player.lands_played for player in who)


@word("amount", "unspent mana", symbol="text=", who="players=you")
def unspent_mana(ctx: Context, symbol: str | None, who: list[Player]) -> int:
    """How much unspent mana (of a type, as its symbol) these players have (CR 106.4)."""
    return sum(1 for player in who for unit in player.mana if symbol in (None, unit.symbol))


@word("amount", "that much")
def that_much(ctx: Context) -> int:
    """The number in the triggering or replaced event."""
    return int(ctx.event.get("amount", 0))


@word("amount", "result", name="text")
def result(ctx: Context, name: str) -> int:
    """What an earlier instruction counted, or how many things it was done to."""
    _answered(ctx)
    found = ctx.results.get(name, ctx.paid.get(name, ctx.event.get(name, 0)))
    return len(found) if isinstance(found, (list, tuple)) else int(found or 0)


@word("amount", "plus", of="amounts")
def plus(ctx: Context, of: tuple[Any, ...]) -> int:
    """A sum."""
    return sum(ctx.amount(node) for node in of)


@word("amount", "minus", of="amounts")
def minus(ctx: Context, of: tuple[Any, ...]) -> int:
    """A difference."""
    first, *rest = (ctx.amount(node) for node in of)
    return first - sum(rest)


@word("amount", "times", of="amounts")
def times(ctx: Context, of: tuple[Any, ...]) -> int:
    """A product."""
    product = 1
    for node in of:
        product *= ctx.amount(node)
    return product


@word("amount", "half up", n="amount")
def half_up(ctx: Context, n: int) -> int:
    """Half, rounded up (CR 107.1a)."""
    return -(-n // 2)


@word("amount", "half down", n="amount")
def half_down(ctx: Context, n: int) -> int:
    """Half, rounded down."""
    return n // 2


@word("amount", "least", of="amounts")
def least(ctx: Context, of: tuple[Any, ...]) -> int:
    """The smallest of these numbers (CR 107.1)."""
    return min(ctx.amount(node) for node in of)


@word("amount", "most", of="amounts")
def most(ctx: Context, of: tuple[Any, ...]) -> int:
    """The largest of these; with 0 among them, a result that is never negative."""
    found = [ctx.amount(node) for node in of]
    if 0 in of and min(found) < 0:
        ctx.game.trace.cite("107.1b")
    return max(found)


@word("amount", "if", condition="lazy condition", then="lazy amount", else_="lazy amount=0")
def if_(ctx: Context, condition: Node, then: Any, else_: Any) -> int:
    """One number or another."""
    return ctx.amount(then) if ctx.holds(condition) else ctx.amount(else_ or 0)


@word("amount", "card types among", filter="filter")
def card_types_among(ctx: Context, filter: Filter) -> int:
    """How many card types there are among what is described."""
    from judgecall.oracle import layers

    return len({kind for thing in ctx.all(filter) for kind in layers.of(ctx.game, thing).types})


@word("amount", "colors among", filter="filter")
def colors_among(ctx: Context, filter: Filter) -> int:
    """How many colors there are among what is described."""
    from judgecall.oracle import layers

    return len({color for thing in ctx.all(filter) for color in layers.of(ctx.game, thing).colors})


@word("amount", "colors of", objects="objects")
def colors_of(ctx: Context, objects: list[Any]) -> int:
    """How many colors these have, as they are or last were (CR 608.2h)."""
    from judgecall.oracle import layers

    return len({color for thing in objects for color in layers.of(ctx.game, thing).colors})


@word("amount", "basic land types among", filter="filter")
def basic_land_types_among(ctx: Context, filter: Filter) -> int:
    """Domain (CR 700 and 207.2c): how many basic land types there are among what is described."""
    from judgecall.oracle import layers
    from judgecall.oracle.characteristics import BASIC_LAND_COLORS

    found = {kind for thing in ctx.all(filter) for kind in layers.of(ctx.game, thing).subtypes}
    return len(found & set(BASIC_LAND_COLORS))


@word("amount", "names among", filter="filter")
def names_among(ctx: Context, filter: Filter) -> int:
    """How many different names there are among what is described: what has no name adds none (CR 201.2b)."""
    from judgecall.oracle import layers, objects

    return len({n for thing in ctx.all(filter) for n in objects.names(thing, layers.of(ctx.game, thing))})


@word("amount", "mana costs among", filter="filter")
def mana_costs_among(ctx: Context, filter: Filter) -> int:
    """How many different mana costs there are among what is described; no mana cost is none (CR 202.1)."""
    from judgecall.oracle import layers

    costs = [layers.of(ctx.game, thing).mana_cost for thing in ctx.all(filter)]
    return len({_in_one_order(cost) for cost in costs if cost is not None})


def _in_one_order(cost: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """Generic mana added up, and the other symbols in any order."""
    generic = sum(int(symbol) for symbol in cost if symbol.isdigit())
    return generic, tuple(sorted(symbol for symbol in cost if not symbol.isdigit()))


@word("amount", "devotion", colors="words", who="players=you")
def devotion(ctx: Context, colors: tuple[str, ...], who: list[Player]) -> int:
    """Devotion (CR 700.5): mana symbols of these colors (``chosen``) in the mana costs of permanents they control."""
    from judgecall.oracle import layers, linking, statics

    if colors == ("chosen",):
        chosen = ctx.results.get("color") or linking.chosen(ctx.game, ctx.this, "color")
        colors = (str(chosen),)
    total = 0
    for thing in ctx.pool(None):
        if thing.controller not in who:
            continue
        for symbol in layers.of(ctx.game, thing).mana_cost or ():
            if any(COLOR_OF.get(part) in colors for part in symbol.split("/")):
                total += 1
    return total + sum(statics.devotion_bonus(ctx.game, player) for player in who)


@word("amount", "mana spent", color="text=", on="objects=")
def mana_spent(ctx: Context, color: str | None, on: list[Any] | None) -> int:
    """How much mana (of a color, as a symbol) was spent to cast the spell, or those named with ``on`` (CR 601.2h)."""
    casts = [_cast_of(ctx)] if on is None else [thing.cast for thing in on if isinstance(thing, Object)]
    return sum(1 for cast in casts for symbol in cast.get("spent", ()) if color in (None, symbol))


@word("amount", "colors spent")
def colors_spent(ctx: Context) -> int:
    """How many colors of mana were spent to cast the spell."""
    return len({symbol for symbol in _cast_of(ctx).get("spent", ()) if symbol in COLOR_OF})


def _cast_of(ctx: Context) -> Any:
    thing = ctx.stack if ctx.stack is not None and ctx.stack.kind != "ability" else ctx.this
    return thing.cast if thing is not None else {}


@word("amount", "times paid", what="text", instance="raw=")
def times_paid(ctx: Context, what: str, instance: Any) -> int:
    """How many times an optional additional cost was paid (``replicate``, ``squad`` …) (CR 601.2b).

    ``instance``: for this instance of a keyword, and no other (CR 702.56b).
    """
    if instance is not None:
        return sum(n for cost, n in _cast_of(ctx).get("additions", ()) if cost is instance)
    return tuple(_cast_of(ctx).get("using", ())).count(what)


@word("amount", "times kicked")
def times_kicked(ctx: Context) -> int:
    """How many times the spell was kicked (CR 702.33)."""
    return int(sum(_cast_of(ctx).get("kicked", {}).values()))


@word("amount", "cast X")
def cast_x(ctx: Context) -> int:
    """The X of the spell that the permanent was (CR 107.3m)."""
    return int(_cast_of(ctx).get("x") or 0)


@word(
    "amount",
    "spells cast",
    who="players=each player",
    filter="filter=",
    turn="text=this",
    before_this="bool=false",
)
def spells_cast(ctx: Context, who: list[Player], filter: Filter | None, turn: str, before_this: bool) -> int:
    """How many spells these players cast this turn (or ``last``, the turn before; ``game``, this game)."""
    key = {"this": "cast", "last": "cast last turn", "game": "cast this game"}[turn]
    found = ctx.game.history.get(key, ())
    stop = ctx.event.get("that") if before_this else None
    casters = {player.name for player in who}  # whoever has gained control of the spell since
    total = 0
    for spell in found:
        if stop is not None and (spell is stop or (isinstance(stop, Object) and spell.id >= stop.id)):
            continue
        if spell.cast.get("by") in casters and (filter is None or ctx.matches(filter, spell)):
            total += 1
    return total


@word("amount", "most spells cast by one", turn="text=last")
def most_spells(ctx: Context, turn: str) -> int:
    """The most spells that one player cast last turn."""
    found = ctx.game.history.get("cast" if turn == "this" else "cast last turn", ())
    return max((sum(1 for s in found if s.cast.get("by") == p.name) for p in ctx.game.players), default=0)


@word("amount", "happened", what="recorded", filter="filter=", who="players=")
def happened(ctx: Context, what: str, filter: Filter | None, who: list[Player] | None) -> int:
    """How often something happened this turn: ``died``, ``life gained``, ``life lost``, ``left``, ``attacked`` …"""
    ctx.game.trace.cite("608.2i")
    total = 0
    for thing, amount in ctx.game.history.get(what, ()):
        if isinstance(thing, Player):
            total += amount if who is None or thing in who else 0
        elif (filter is None or ctx.matches(filter, thing)) and (who is None or thing.controller in who):
            total += amount
    return total


@word("amount", "attackers of", who="players")
def attackers_of(ctx: Context, who: list[Player]) -> int:
    """How many creatures these players have attacked with this turn, each counted once (CR 508.1, 608.2i)."""
    if ctx.game.active not in who:
        return 0
    return len({id(thing) for thing, _ in ctx.game.history.get("attacked", ())})


@word("amount", "station value of", objects="objects")
def station_value_of(ctx: Context, objects: list[Any]) -> int:
    """What tapped creatures count for to station: power, or as an effect says toughness (CR 702.184a, 702.184c)."""
    from judgecall.oracle import layers

    found = [layers.of(ctx.game, thing) for thing in objects]
    return sum((ch.toughness if "station by toughness" in ch.must else ch.power) or 0 for ch in found)


@word("amount", "party", who="players=you")
def party(ctx: Context, who: list[Player]) -> int:
    """How many of the four party roles are filled (CR 700.8)."""
    from judgecall.oracle import layers

    roles = ("Cleric", "Rogue", "Warrior", "Wizard")
    able = [
        {role for role in roles if layers.of(ctx.game, thing).has_subtype(role)}
        for thing in ctx.pool(None)
        if thing.controller in who and "Creature" in layers.of(ctx.game, thing).types
    ]

    def fill(index: int, used: frozenset[str]) -> int:
        if index == len(able):
            return len(used)
        best = fill(index + 1, used)
        for role in able[index] - used:
            best = max(best, fill(index + 1, used | {role}))
        return best

    return fill(0, frozenset())


@word("amount", "age", objects="objects")
def age(ctx: Context, objects: list[Any]) -> int:
    """The timestamps of these, for an order of entering."""
    return sum(thing.stamp for thing in objects if isinstance(thing, Object))


@word("amount", "shared", of="text")
def shared(ctx: Context, of: str) -> int:
    """A number that an effect keeps across its instructions."""
    return int(ctx.results.get(of, 0))


@word("amount", "times resolved")
def times_resolved(ctx: Context) -> int:
    """How many times the ability that resolves has done so this turn, as an ability of its source (CR 603.7h)."""
    from judgecall.oracle import resolving

    ability = ctx.stack.ability if ctx.stack is not None else None
    return resolving.times_resolved(ctx.this, ability) if ctx.this is not None and ability is not None else 0


@word("amount", "times activated")
def times_activated(ctx: Context) -> int:
    """How many times the ability that resolves was activated this turn, as an ability of its source (CR 602.2)."""
    ability = ctx.stack.ability if ctx.stack is not None else None
    if ctx.this is None or not isinstance(ability, Activated):
        return 0
    return int(ctx.this.notes.get(f"activated {ability.number}{ability.keyword or ''}", 0))


@word("amount", "class level of", objects="objects")
def class_level_of(ctx: Context, objects: list[Any]) -> int:
    """The level of a Class (CR 716.2c): 1 until it gains another."""
    return max((int(thing.flags.get("level", 1)) for thing in objects), default=1)


@word("amount", "chapters of", objects="objects")
def chapters_of(ctx: Context, objects: list[Any]) -> int:
    """The final chapter number of a Saga (CR 714.2d)."""
    from judgecall.oracle import layers, sagas

    return max((sagas.final_chapter(layers.of(ctx.game, thing)) for thing in objects), default=0)
