"""Characteristics, computed through the layers (CR 613).

One table holds the characteristics of all permanents; it is dropped when the state changes. Objects elsewhere are
computed when somebody asks, and kept beside it. Within a layer effects apply in timestamp order, those that define
characteristics first (CR 613.3), except where one depends on another (CR 613.8): dependency is found by trying.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Any, TypeAlias

from judgecall.oracle import objects
from judgecall.oracle.characteristics import BASIC_LAND_COLORS, Characteristics, FaceValues, Held
from judgecall.oracle.citing import cite
from judgecall.oracle.definitions import Ability, Filter, Node, Static
from judgecall.oracle.intrinsic import intrinsic
from judgecall.oracle.layer_reads import reads as collect_reads
from judgecall.oracle.state import FloatingEffect, Game, Object
from judgecall.oracle.vocabulary.changes import GIVE_SUBTYPES, LAYER, LAYER_RULE, LAYERS, subtypes_given, writes
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.words import evaluate

__all__ = ["foreseen", "functions", "of"]

Table = dict[int, Characteristics]


def of(game: Game, obj: Object) -> Characteristics:
    """The characteristics of an object now; of one that is gone, as it last was (CR 113.7a, 608.2h)."""
    if obj.gone:
        return obj.lki if obj.lki is not None else _base(game, obj)
    table: Table | None = game.cache.get("table")
    if table is None:
        table = _compute(game)
    found = table.get(obj.id)
    return found if found is not None else _elsewhere(game, obj)


@contextmanager
def foreseen(game: Game, obj: Object, ch: Characteristics) -> Iterator[None]:
    """For a while, what is to enter the battlefield has the characteristics that it would have there (CR 614.12)."""
    now = of(game, obj)
    there: Table = game.cache["elsewhere"]
    there[obj.id] = ch
    try:
        yield
    finally:
        there[obj.id] = now


@dataclass(slots=True, eq=False)
class _Effect:
    """One continuous effect while the layers are gone through."""

    stamp: int
    changes: dict[str, list[Node]]
    ctx: Context
    which: Any
    fixed: tuple[Any, ...] | None
    source: Object | None
    ability: Static | None
    condition: Node | None
    cda: bool
    reads: frozenset[str]
    started: bool = False
    affected: list[int] = field(default_factory=list)


_Seen: TypeAlias = dict[tuple[int, int, int, int], _Effect]


def _base(game: Game, obj: Object) -> Characteristics:
    """The characteristics before any effect, for the layers to write on."""
    return _template(game, obj).copy()


def _template(game: Game, obj: Object) -> Characteristics:
    """The characteristics before any effect: kept as long as face, controller and zone stay, and never written."""
    copied = objects.copiable(game, obj)
    values = objects.as_flipped(game, obj, copied)
    if obj.zone == "exile" and obj.face_down is not None:
        values = copied = objects.NOTHING  # CR 406.3
    x = int(obj.cast.get("x") or 0) if obj.zone == "stack" else 0
    of_what = (obj, values, obj.holder, x, obj.stamp, obj.zone)
    # What a trial has made it is kept beside what it is, so that after the trial nothing is cited again.
    kept: list[tuple[Any, Characteristics]] = game.templates.setdefault(obj.id, [])
    found = next((found for what, found in kept if what == of_what), None)
    if found is not None:
        if found not in game.trace.told:
            cite(game, found, values)
        return found
    stamp = obj.stamp
    made = Characteristics(
        obj,
        values.name,
        values.mana_cost,
        objects.value_of(values, x),
        values.colors,
        values.supertypes,
        values.types,
        values.subtypes,
        tuple(Held(ability, stamp) for ability in values.abilities),
        values.power,
        values.toughness,
        values.loyalty,
        values.defense,
        obj.holder if obj.zone in ("battlefield", "stack", "command") else obj.owner,
        values=copied,
    )
    cite(game, made, values)
    kept.append((of_what, made))
    return made


# -- collecting effects --------------------------------------------------------------------------------------

_Plan: TypeAlias = tuple[tuple[Any, dict[str, list[Node]], frozenset[str]], ...]
_PLANS: dict[Any, _Plan] = {}
_STATIC: dict[Ability, tuple[tuple[Static, _Plan], ...]] = {}


def _static_parts(ability: Ability) -> tuple[tuple[Static, _Plan], ...]:
    """The static abilities with continuous effects that an ability is or stands for."""
    found = _STATIC.get(ability)
    if found is None:
        parts = [(part, _plan(part, part.effects)) for part in ability.all_parts if type(part) is Static]
        found = _STATIC[ability] = tuple((part, plan) for part, plan in parts if plan)
    return found


def _plan(ability: Any, nodes: Iterable[Node]) -> _Plan:
    plan = _PLANS.get(ability)
    if plan is None:
        made = []
        for node in (node for node in nodes if node.word == "affects"):
            by_layer: dict[str, list[Node]] = {}
            for change in node.args["change"]:
                by_layer.setdefault(LAYER[change.word], []).append(change)
            # Whether the effect of a static ability exists depends on what takes abilities away.
            found = {"abilities"} if isinstance(ability, Static) else set()
            collect_reads(node.args["which"], found)
            for change in node.args["change"]:
                if change.word in GIVE_SUBTYPES:
                    found.add("types")
                for value in change.args.values():
                    collect_reads(value, found)
            collect_reads(getattr(ability, "condition", None), found)
            made.append((node.args["which"], by_layer, frozenset(found)))
        plan = _PLANS[ability] = tuple(made)
    return plan


def _floating(game: Game) -> list[_Effect]:
    found = []
    for effect in game.effects:
        node = effect.ability
        if isinstance(node, Node) and node.word == "affects":
            ctx = Context(game, effect.controller, effect.source, **_surroundings(effect))
            for which, by_layer, reads in _plan(node, (node,)):
                once, source = effect.affected, effect.source
                found.append(_Effect(effect.stamp, by_layer, ctx, which, once, source, None, None, False, reads))
    return found


def _surroundings(effect: FloatingEffect) -> dict[str, Any]:
    return dict(effect.context)


def _static(game: Game, ch: Characteristics, seen: _Seen) -> list[_Effect]:
    """The continuous effects of an object's static abilities as it has them now."""
    found = []
    obj = ch.obj
    for held in ch.abilities:
        for ability, plan in _static_parts(held.ability):
            for index, (which, by_layer, reads) in enumerate(plan if functions(ability, obj.zone) else ()):
                key = (obj.id, id(ability), index, held.stamp)
                effect = seen.get(key)
                if effect is None:
                    ctx = Context(game, ch.controller, obj)
                    stamp = max(obj.stamp, held.stamp)
                    game.trace.cite("611.3b", *(("604.3", *ability.rules) if ability.cda else ()))
                    if held.stamp > obj.stamp:
                        game.trace.cite("613.7a")
                    effect = seen[key] = _Effect(
                        stamp, by_layer, ctx, which, None, obj, ability, ability.condition, ability.cda, reads
                    )
                effect.ctx.you = ch.controller
                found.append(effect)
    return found


def _others(game: Game) -> list[Object]:
    """What is no permanent and has continuous effects where it is: emblems, spells, cards in graveyards."""
    places = (game.command, game.stack, *(player.graveyard for player in game.players))
    return [obj for place in places for obj in place if _affects(objects.layer_one(game, obj), obj.zone)]


# -- going through the layers --------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Going:
    """The layers while they are gone through: the table so far, and the effects that there are."""

    game: Game
    table: Table
    floating: list[_Effect]
    others: list[Characteristics]
    """What is no permanent and has effects on permanents."""
    counted: list[_Effect] = field(default_factory=list)
    """Of counters, in the layer that is gone through."""
    seen: _Seen = field(default_factory=dict)
    """The effects of static abilities that have been met."""
    kept: list[_Effect] | None = None

    def static(self) -> list[_Effect]:
        """The continuous effects of all static abilities as they are now."""
        if self.kept is None:
            table = self.table
            rows = [*(table[obj.id] for obj in self.game.battlefield if not obj.phased_out), *self.others]
            self.kept = [effect for ch in rows if ch.abilities for effect in _static(self.game, ch, self.seen)]
        return self.kept

    def changed(self, layer: str) -> None:
        """An effect has been applied in a layer: look again at who has which abilities, if that can have changed."""
        if layer in _OF_ABILITIES:
            self.kept = None


_OF_ABILITIES = frozenset({"2", "3", "4", "6"})
"""The layers that change which abilities there are and who controls their sources."""


def _compute(game: Game) -> Table:
    if _undisturbed(game):
        return _plain(game)
    table: Table = {obj.id: _base(game, obj) for obj in game.battlefield}
    game.cache.update({"table": table, "elsewhere": {}})
    going = _Going(game, table, _floating(game), [_base(game, obj) for obj in _others(game)])
    for layer in LAYERS:
        if layer == "6":
            _intrinsic(table.values())
            going.kept = None
        going.counted = _counter_effects(game, table, layer) if layer in ("6", "7c") else []
        # A layer in which nothing changes anything is passed over.
        there = (*going.floating, *going.static(), *going.seen.values())
        if going.counted or any(layer in effect.changes for effect in there):
            _run_layer(going, layer)
    _without_size(table.values())
    effects = (*going.floating, *going.seen.values())
    game.cache.update({"elsewhere": {}, "away": [effect for effect in effects if _may_reach_away(effect)]})
    return table


def _may_reach_away(effect: _Effect) -> bool:
    """Whether an effect may be about what is no permanent."""
    if effect.fixed is not None:
        return any(not (isinstance(thing, Object) and thing.zone == "battlefield") for thing in effect.fixed)
    if isinstance(effect.which, Filter):
        return effect.which.zone not in (None, "battlefield")
    return effect.ability is None  # a static ability names its source, or what that is attached to


_AFFECTING: dict[tuple[FaceValues, str], bool] = {}


def _affects(values: FaceValues, zone: str) -> bool:
    """Whether a face has a static ability that has a continuous effect on objects while it is in a zone."""
    key = (values, zone)
    if key not in _AFFECTING:
        static = (part for ability in values.abilities for part, _ in _static_parts(ability))
        _AFFECTING[key] = any(functions(part, zone) for part in static)
    return _AFFECTING[key]


def functions(ability: Ability, zone: str) -> bool:
    """Whether an ability functions while its object is in a zone (CR 113.6)."""
    return zone in ability.zones or "any" in ability.zones


def _undisturbed(game: Game) -> bool:
    """Whether no continuous effect and no counter changes anything: most boards, most of the time."""
    for effect in game.effects:
        if getattr(effect.ability, "word", "") == "affects":
            return False
    for obj in game.battlefield:
        if any(counter_change(kind, n) is not None for kind, (n, _) in obj.counters.items()):
            return False
        if _affects(objects.layer_one(game, obj), "battlefield"):
            return False
    return not _others(game)


def _plain(game: Game) -> Table:
    """The table where nothing but the rules gives abilities: kept rows, never written."""
    table: Table = {}
    for obj in game.battlefield:
        template = _template(game, obj)
        row = template.plain
        if row is None:
            row = template.plain = template.copy()
            _intrinsic((row,))
            _without_size((row,))
        table[obj.id] = row
    game.cache.update({"table": table, "elsewhere": {}, "away": [], "plain": True})
    return table


def _candidates(going: _Going, layer: str) -> list[_Effect]:
    found = [effect for effect in going.floating if layer in effect.changes]
    found.extend(going.counted)
    static = going.static()
    found.extend(effect for effect in static if layer in effect.changes and (effect.started or _on(effect)))
    # CR 613.6: an effect that has started to apply goes on, even if its ability has gone meanwhile.
    started = [effect for effect in going.seen.values() if effect.started and layer in effect.changes]
    if started:
        have = {id(effect) for effect in static}
        found.extend(effect for effect in started if id(effect) not in have)
    return found


def _on(effect: _Effect) -> bool:
    return effect.condition is None or effect.ctx.holds(effect.condition)


def _run_layer(going: _Going, layer: str) -> None:
    done: set[int] = set()
    while True:
        waiting = [effect for effect in _candidates(going, layer) if id(effect) not in done]
        if not waiting:
            return
        effect = _next(going, layer, waiting)
        done.add(id(effect))
        _apply(going.game, going.table, layer, effect)
        if effect.affected and layer in LAYER_RULE:
            going.game.trace.cite(LAYER_RULE[layer])
        going.changed(layer)


def _next(going: _Going, layer: str, waiting: list[_Effect]) -> _Effect:
    """The effect to apply next: the oldest that depends on no other that waits (CR 613.7, 613.8)."""
    defining = [effect for effect in waiting if effect.cda]
    if defining:
        if len(defining) < len(waiting):
            going.game.trace.cite("613.3")
        waiting = defining
    waiting.sort(key=lambda effect: effect.stamp)
    if len(waiting) > 1:
        going.game.trace.cite("613.5", "613.7", "613.9")
    depends: dict[int, set[int]] = {id(effect): set() for effect in waiting}
    for one, two in permutations(waiting, 2):
        written = writes(layer, {change.word for change in two.changes[layer]})
        if one.reads & written and _depends(going, layer, one, two):
            depends[id(one)].add(id(two))
            going.game.trace.cite("613.8a")
    free = [effect for effect in waiting if not depends[id(effect)]]
    if not free:  # CR 613.8b: where each waits for another, some go in a circle, and these go by timestamp
        going.game.trace.cite("613.8b")
        free = [effect for effect in waiting if _in_loop(id(effect), depends)]
    return free[0]


def _in_loop(start: int, depends: dict[int, set[int]]) -> bool:
    reached: set[int] = set()
    following = depends[start]
    while following:
        reached |= following
        following = {item for each in following for item in depends[each]} - reached
    return start in reached


def _signature(game: Game, table: Table, layer: str, effect: _Effect) -> Any:
    reach = _reach(game, table, effect)
    values: list[Any] = []
    for change in effect.changes[layer]:
        for value in change.args.values():
            if layer.startswith("7"):
                values.extend(effect.ctx.amount(part) for part in (value if isinstance(value, tuple) else (value,)))
            elif isinstance(value, Node):  # those whose abilities it gives
                values.extend(of(game, thing).abilities for thing in effect.ctx.objects(value))
    if any(change.word in GIVE_SUBTYPES for change in effect.changes[layer]):
        values.extend(subtypes_given(effect.ctx, effect.changes[layer], table[number].types) for number in reach)
    return reach, values


def _depends(going: _Going, layer: str, one: _Effect, two: _Effect) -> bool:
    """CR 613.8a: applying ``two`` would change whether ``one`` exists, what it applies to, or what it does."""
    game, table = going.game, going.table
    before = _signature(game, table, layer, one)
    kept = dict(table)
    affected, started = list(two.affected), two.started
    trial: Table = {key: ch.copy() for key, ch in table.items()}
    game.cache["table"] = trial
    _apply(game, trial, layer, two)
    then = replace(going, table=trial, seen=dict(going.seen))
    then.changed(layer)
    exists = any(effect is one for effect in _candidates(then, layer))
    going.changed(layer)  # whose effects they are was looked up in the trial
    after = _signature(game, trial, layer, one) if exists else None
    game.cache.update({"table": table, "elsewhere": {}})
    table.update(kept)
    two.affected, two.started = affected, started
    return not exists or before != after


def _reach(game: Game, table: Table, effect: _Effect) -> list[int]:
    if effect.started:
        return effect.affected
    if effect.fixed is not None:
        return [thing.id for thing in effect.fixed if isinstance(thing, Object) and thing.id in table]
    which = effect.which
    if isinstance(which, Filter):
        if which.zone not in (None, "battlefield", "anywhere"):
            return []
        game.trace.cite("109.2", "609.2")
        return [thing.id for thing in effect.ctx.pool(None) if effect.ctx.matches(which, thing)]
    return [thing.id for thing in effect.ctx.objects(which) if isinstance(thing, Object) and thing.id in table]


def _apply(game: Game, table: Table, layer: str, effect: _Effect) -> None:
    reach = _reach(game, table, effect)
    if effect.started:
        game.trace.cite("613.6")
    if not effect.started:
        effect.started = True
        effect.affected = reach  # CR 613.6
    for number in reach:
        ch = table[number]
        for change in effect.changes[layer]:
            evaluate("change", change, effect.ctx, ch, effect.stamp)
    game.cache["elsewhere"] = {}  # what defines characteristics there may have changed them


def _counter_effects(game: Game, table: Table, layer: str) -> list[_Effect]:
    """Counters that change power and toughness (CR 122.1a) or give a keyword (CR 122.1b)."""
    found = []
    for obj in game.battlefield:
        for kind, (n, stamp) in obj.counters.items():
            change = counter_change(kind, n)
            if change is not None and LAYER[change.word] == layer:
                ctx = Context(game, obj.controller, None)
                game.trace.cite("122.1a" if change.word == "pt" else "122.1b")
                found.append(_Effect(stamp, {layer: [change]}, ctx, None, (obj,), None, None, None, False, frozenset()))
    return found


_COUNTER_CHANGES: dict[tuple[str, int], Node | None] = {}


def counter_change(kind: str, n: int) -> Node | None:
    """The change that counters of a kind make, or None (CR 122.1a–b)."""
    key = (kind, n)
    if key not in _COUNTER_CHANGES:
        change: Node | None = None
        power, slash, toughness = kind.partition("/")
        if slash:
            change = Node("pt", {"pt": (int(power) * n, int(toughness) * n)})
        elif kind in _KEYWORD_COUNTERS:
            from judgecall.oracle import keyword_abilities

            change = Node("gain", {"abilities": (keyword_abilities.make(kind, None),)})
        _COUNTER_CHANGES[key] = change
    return _COUNTER_CHANGES[key]


_KEYWORD_COUNTERS = frozenset(
    [
        "deathtouch",
        "decayed",
        "double strike",
        "exalted",
        "first strike",
        "flying",
        "haste",
        "hexproof",
        "indestructible",
        "lifelink",
        "menace",
        "reach",
        "shadow",
        "trample",
        "vigilance",
    ]
)


def _intrinsic(rows: Iterable[Characteristics]) -> None:
    """Abilities that the rules give to what has certain types (CR 305.6, 306.5b, 310.4b, 310.11, 714.3a)."""
    for ch in rows:
        given: list[Any] = []
        if "Land" in ch.types:
            given.extend(intrinsic(kind) for kind in ch.subtypes if kind in BASIC_LAND_COLORS)
        if ch.loyalty is not None:
            given.append(intrinsic("loyalty", ch.loyalty))
        if ch.defense is not None:
            given.append(intrinsic("defense", ch.defense))
        if "Siege" in ch.subtypes:
            given.extend((intrinsic("protector"), intrinsic("defeat")))
        if "Saga" in ch.subtypes and not ch.has("read ahead"):
            given.append(intrinsic("lore", 1))
        if given:
            ch.abilities = (*ch.abilities, *(Held(ability, ch.obj.stamp) for ability in given))
            ch._keywords = None


def _without_size(rows: Iterable[Characteristics]) -> None:
    """A permanent that is no creature has no power and no toughness, whatever is printed on it (CR 208.3)."""
    for ch in rows:
        if "Creature" not in ch.types:
            ch.power = ch.toughness = None


def _elsewhere(game: Game, obj: Object) -> Characteristics:
    """An object that is no permanent: its own characteristic-defining abilities, and effects that reach it.

    While the layers are gone through for permanents, no effect of theirs reaches it yet.
    """
    there: Table = game.cache["elsewhere"]
    found = there.get(obj.id)
    if found is not None:
        return found
    template = _template(game, obj)
    away: list[_Effect] = game.cache.get("away", [])
    if not away and not _affects(template.values, obj.zone):  # type: ignore[arg-type]
        there[obj.id] = template
        return template
    ch = there[obj.id] = template.copy()
    own: _Seen = {}
    for layer in LAYERS:
        # Of what acts where it is, what names an object names the source: a filter is about permanents.
        reaching = [effect for effect in _static(game, ch, own) if isinstance(effect.which, Node)]
        reaching += [effect for effect in away if _reaches(effect, obj)]
        reaching = [effect for effect in reaching if layer in effect.changes and _on(effect)]
        reaching.sort(key=lambda effect: (not effect.cda, effect.stamp))
        for effect in reaching:
            for change in effect.changes[layer]:
                evaluate("change", change, effect.ctx, ch, effect.stamp)
    return ch


def _reaches(effect: _Effect, obj: Object) -> bool:
    if effect.fixed is not None:
        return any(thing is obj for thing in effect.fixed)
    which = effect.which
    if isinstance(which, Filter):
        from judgecall.oracle.vocabulary.filters import in_zone

        return which.zone is not None and in_zone(obj, which.zone) and effect.ctx.matches(which, obj)
    return any(thing is obj for thing in effect.ctx.objects(which))
