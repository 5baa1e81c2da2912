"""Characteristics, computed through the layers (CR 613).

One table holds the characteristics of all permanents; it is dropped when the state changes. Objects elsewhere are
computed when somebody asks. Within a layer effects apply in timestamp order, those that define characteristics
first (CR 613.3), except where one depends on another (CR 613.8): dependency is found by trying.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from judgecall.oracle import objects
from judgecall.oracle.characteristics import BASIC_LAND_COLORS, Characteristics, FaceValues, Held
from judgecall.oracle.citing import cite
from judgecall.oracle.definitions import Ability, Filter, Node, Static
from judgecall.oracle.intrinsic import intrinsic
from judgecall.oracle.layer_reads import reads as collect_reads
from judgecall.oracle.state import FloatingEffect, Game, Object
from judgecall.oracle.vocabulary.changes import LAYER, LAYER_RULE, LAYERS, writes
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.words import evaluate

__all__ = ["of"]

Table = dict[int, Characteristics]


def of(game: Game, obj: Object) -> Characteristics:
    """The characteristics of an object now; of one that is gone, as it last was (CR 113.7a, 608.2h)."""
    if obj.gone:
        return obj.lki if obj.lki is not None else _base(game, obj)
    table: Table | None = game.cache.get("table")
    if table is None:
        table = _compute(game)
    found = table.get(obj.id)
    if found is None:
        if "computing" in game.cache:
            return _base(game, obj)
        found = _elsewhere(game, obj)
        table[obj.id] = found
    return found


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

    def which_is_self(self) -> bool:
        """Whether it is about its own source."""
        return isinstance(self.which, Node) and self.which.word == "this"


def _base(game: Game, obj: Object) -> Characteristics:
    """The characteristics before any effect, for the layers to write on."""
    return _template(game, obj).copy()


def _template(game: Game, obj: Object) -> Characteristics:
    """The characteristics before any effect: kept as long as face, controller and zone stay, and never written."""
    values = objects.copiable(game, obj)
    if obj.zone == "exile" and obj.face_down is not None:
        values = objects.NOTHING  # CR 406.3
    x = int(obj.cast.get("x") or 0) if obj.zone == "stack" else 0
    kept = game.templates.get(obj.id)
    if (
        kept is not None
        and kept[3].obj is obj
        and kept[0] is values
        and kept[1] is obj.holder
        and kept[2] == (x, obj.stamp, obj.zone)
    ):
        found: Characteristics = kept[3]
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
        values=values,
    )
    cite(game, made, values)
    game.templates[obj.id] = (values, obj.holder, (x, obj.stamp, obj.zone), made)
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
        for node in nodes:
            if node.word != "affects":
                continue
            by_layer: dict[str, list[Node]] = {}
            for change in node.args["change"]:
                by_layer.setdefault(LAYER[change.word], []).append(change)
            found: set[str] = set()
            collect_reads(node.args["which"], found)
            for change in node.args["change"]:
                for value in change.args.values() if change.word != "gain" else ():
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


def _static(game: Game, ch: Characteristics, seen: dict[tuple[int, int, int], _Effect]) -> list[_Effect]:
    """The continuous effects of an object's static abilities as it has them now."""
    found = []
    obj = ch.obj
    for held in ch.abilities:
        for ability, plan in _static_parts(held.ability):
            if obj.zone not in ability.zones and "any" not in ability.zones:
                continue
            for index, (which, by_layer, reads) in enumerate(plan):
                key = (obj.id, id(ability), index * 100_000 + held.stamp % 100_000)
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


def _sources(game: Game, table: Table) -> list[Characteristics]:
    """Who may have static abilities that reach permanents: permanents, emblems, and cards that say so elsewhere."""
    found = [table[obj.id] for obj in game.battlefield if not obj.phased_out]
    found.extend(_base(game, obj) for obj in (*game.command, *game.stack) if _affects(objects.copiable(game, obj)))
    for player in game.players:
        found.extend(
            _base(game, obj)
            for obj in player.graveyard
            if _affects(objects.face_values(obj)) and _acts_in_graveyard(obj)
        )
    return found


# -- going through the layers --------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Going:
    """The layers while they are gone through: the table so far, and the effects that there are."""

    game: Game
    table: Table
    floating: list[_Effect]
    others: list[Characteristics]
    """What is no permanent and has effects on permanents."""
    present: list[int]
    counted: list[_Effect] = field(default_factory=list)
    """Of counters, in the layer that is gone through."""
    seen: dict[tuple[int, int, int], _Effect] = field(default_factory=dict)
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
    game.cache["table"] = table
    game.cache["computing"] = True
    present = [obj.id for obj in game.battlefield if not obj.phased_out]
    others = [ch for ch in _sources(game, table) if ch.obj.id not in table]
    going = _Going(game, table, _floating(game), others, present)
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
    del game.cache["computing"]
    static = list(going.seen.values())
    game.cache["effects"] = (going.floating, static)
    game.cache["away"] = [effect for effect in (*going.floating, *static) if _may_reach_away(effect)]
    return table


def _may_reach_away(effect: _Effect) -> bool:
    """Whether an effect may be about what is no permanent."""
    if effect.fixed is not None:
        return any(not (isinstance(thing, Object) and thing.zone == "battlefield") for thing in effect.fixed)
    if isinstance(effect.which, Filter):
        return effect.which.zone not in (None, "battlefield")
    return True


_AFFECTING: dict[FaceValues, bool] = {}


def _affects(values: FaceValues) -> bool:
    """Whether a face has a static ability with a continuous effect on objects."""
    found = _AFFECTING.get(values)
    if found is None:
        found = _AFFECTING[values] = any(
            type(part) is Static and any(node.word == "affects" for node in part.effects)
            for ability in values.abilities
            for part in ability.all_parts
        )
    return found


def _undisturbed(game: Game) -> bool:
    """Whether no continuous effect and no counter changes anything: most boards, most of the time."""
    for effect in game.effects:
        if getattr(effect.ability, "word", "") == "affects":
            return False
    for obj in game.battlefield:
        if obj.counters and any(counter_change(kind, n) is not None for kind, (n, _) in obj.counters.items() if n):
            return False
        if _affects(objects.copiable(game, obj)):
            return False
    for obj in (*game.command, *game.stack):
        if _affects(objects.copiable(game, obj)):
            return False
    return not any(
        _affects(objects.face_values(obj)) and _acts_in_graveyard(obj)
        for player in game.players
        for obj in player.graveyard
    )


def _acts_in_graveyard(obj: Object) -> bool:
    return any(
        "graveyard" in part.zones for ability in objects.face_values(obj).abilities for part in ability.all_parts
    )


def _plain(game: Game) -> Table:
    """The table where nothing but the rules gives abilities: kept rows, never written."""
    table: Table = {}
    for obj in game.battlefield:
        template = _template(game, obj)
        kept = game.templates.get(-obj.id)
        if kept is None or kept[0] is not template:
            row = template.copy()
            _intrinsic((row,))
            _without_size((row,))
            kept = game.templates[-obj.id] = (template, None, None, row)
        table[obj.id] = kept[3]
    game.cache["table"] = table
    game.cache["plain"] = True
    game.cache["effects"] = ([], [])
    game.cache["away"] = []
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
        _apply(going.game, going.table, layer, effect, going.present)
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
    if len(waiting) == 1:
        return waiting[0]
    game = going.game
    game.trace.cite("613.5", "613.7", "613.9")
    depends: dict[int, set[int]] = {}
    for one in waiting:
        reads = one.reads | {"abilities"} if one.ability is not None and not one.started else one.reads
        for two in waiting:
            if one is two or not (reads & writes(layer, {change.word for change in two.changes[layer]})):
                continue
            if _depends(going, layer, one, two):
                depends.setdefault(id(one), set()).add(id(two))
                game.trace.cite("613.8a")
    for effect in waiting:
        if not depends.get(id(effect)):
            return effect
    for effect in waiting:  # CR 613.8b: a loop is broken by timestamp, after what the loop waits for
        if _in_loop(id(effect), depends):
            return effect
    return waiting[0]


def _in_loop(start: int, depends: dict[int, set[int]]) -> bool:
    reached: set[int] = set()
    todo = list(depends.get(start, ()))
    while todo:
        item = todo.pop()
        if item == start:
            return True
        if item not in reached:
            reached.add(item)
            todo.extend(depends.get(item, ()))
    return False


def _signature(game: Game, table: Table, layer: str, effect: _Effect) -> Any:
    reach = _reach(game, table, effect)
    values: list[Any] = []
    for change in effect.changes[layer]:
        for name, value in change.args.items():
            if isinstance(value, tuple) and value and all(isinstance(v, (Node, int)) for v in value):
                if change.word in ("gain", "lose"):
                    continue
                values.append(tuple(effect.ctx.amount(v) for v in value))
            elif isinstance(value, Node) and LAYER[change.word].startswith("7"):
                values.append(effect.ctx.amount(value))
            elif name == "objects":
                values.append(tuple(len(of(game, thing).abilities) for thing in effect.ctx.objects(value)))
    return tuple(reach), tuple(values)


def _depends(going: _Going, layer: str, one: _Effect, two: _Effect) -> bool:
    """CR 613.8a: applying ``two`` would change whether ``one`` exists, what it applies to, or what it does."""
    game, table = going.game, going.table
    before = _signature(game, table, layer, one)
    kept = dict(table)
    affected, started = list(two.affected), two.started
    trial: Table = {key: ch.copy() for key, ch in table.items()}
    game.cache["table"] = trial
    _apply(game, trial, layer, two, list(trial))
    exists = True
    if one.ability is not None and not one.started:
        then = replace(going, table=trial, seen=dict(going.seen))
        then.changed(layer)
        exists = any(effect is one for effect in _candidates(then, layer))
        going.changed(layer)  # whose effects they are was looked up in the trial
    after = _signature(game, trial, layer, one) if exists else None
    game.cache["table"] = table
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


def _apply(game: Game, table: Table, layer: str, effect: _Effect, present: list[int]) -> None:
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


def _counter_effects(game: Game, table: Table, layer: str) -> list[_Effect]:
    """Counters that change power and toughness (CR 122.1a) or give a keyword (CR 122.1b)."""
    found = []
    for obj in game.battlefield:
        for kind, (n, stamp) in obj.counters.items():
            if not n:
                continue
            change = counter_change(kind, n)
            if change is None or LAYER[change.word] != layer:
                continue
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
        if slash and power.lstrip("+-").isdigit() and toughness.lstrip("+-").isdigit():
            change = Node("pt", {"pt": (int(power) * n, int(toughness) * n)})
        elif kind in _KEYWORD_COUNTERS:
            from judgecall.oracle import keyword_abilities

            change = Node("gain", {"abilities": tuple(keyword_abilities.make(kind, None) for _ in range(1))})
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
        if "Planeswalker" in ch.types and ch.loyalty is not None:
            given.append(intrinsic("loyalty", ch.loyalty))
        if "Battle" in ch.types and ch.defense is not None:
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
    """An object that is no permanent: its own characteristic-defining abilities, and effects that reach it."""
    template = _template(game, obj)
    table = game.cache["table"]
    away: list[_Effect] = game.cache.get("away", [])
    if not away and not _affects(template.values):  # type: ignore[arg-type]
        table[obj.id] = template
        return template
    ch = table[obj.id] = template.copy()
    own: dict[tuple[int, int, int], _Effect] = {}
    for layer in LAYERS:
        reaching = [effect for effect in _static(game, ch, own) if effect.cda or effect.which_is_self()]
        reaching += [e for e in away if layer in e.changes and _reaches(e, obj)]
        reaching = [e for e in reaching if layer in e.changes and (e.ability is None or _on(e))]
        reaching.sort(key=lambda effect: (not effect.cda, effect.stamp))
        for effect in reaching:
            for change in effect.changes[layer]:
                evaluate("change", change, effect.ctx, ch, effect.stamp)
    if obj.zone != "stack":
        ch.controller = obj.owner
    return ch


def _reaches(effect: _Effect, obj: Object) -> bool:
    if effect.fixed is not None:
        return any(thing is obj for thing in effect.fixed)
    which = effect.which
    if isinstance(which, Filter):
        from judgecall.oracle.vocabulary.filters import in_zone

        return which.zone is not None and in_zone(obj, which.zone) and effect.ctx.matches(which, obj)
    return any(thing is obj for thing in effect.ctx.objects(which)) if effect.source is not obj else False
