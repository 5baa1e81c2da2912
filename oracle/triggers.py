"""Triggered abilities (CR 603): noticing that they trigger, and putting them on the stack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from judgecall.oracle import announcing, choices, inherent, layers, objects
from judgecall.oracle.agents import Question
from judgecall.oracle.characteristics import Characteristics
from judgecall.oracle.definitions import Body, Filter, Node, TargetSpec, Triggered
from judgecall.oracle.state import NOTHING, FloatingEffect, Game, Object, Player
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.triggers import KINDS, LOOKS_BACK, bind

if TYPE_CHECKING:
    from judgecall.oracle.events import Event

__all__ = ["Waiting", "awaited", "note", "put_on_stack", "wait", "watchers"]

Watchers = list[tuple[Object, Characteristics]]

_OF_ANY_SOURCE = frozenset(
    {"create", "draw", "gain life", "lose life", "manifest", "manifest dread", "mill", "top"}
    | {"each opponent", "each player", "target", "you"}
)


@dataclass(frozen=True, slots=True, eq=False)
class Waiting:
    """An ability that has triggered and waits to be put on the stack (CR 603.3)."""

    ability: Triggered
    source: Object | None
    controller: Player
    event: Mapping[str, Any]
    stamp: int
    context: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    obj: Object | None = None


def kinds_of(node: Node) -> frozenset[str]:
    """The kinds of event that a trigger condition watches."""
    if node.word == "any of":
        return frozenset().union(*(kinds_of(part) for part in node.args["of"]))
    return KINDS[node.word]


def watchers(game: Game) -> Watchers:
    """Who watches now, with the characteristics that they have: kept for abilities that look back (CR 603.10)."""
    return [(obj, layers.of(game, obj)) for obj in game.battlefield if not obj.phased_out]


def wait(ctx: Context, body: Body) -> None:
    """An ability has triggered that nothing has: a reflexive one, or a delayed one at its event (CR 603.7, 603.12)."""
    from judgecall.oracle import lasting

    ability = Triggered(zones=frozenset({"any"}), trigger=Node("state", MappingProxyType({})), body=body)
    event = MappingProxyType(dict(ctx.event))
    item = Waiting(ability, ctx.this, ctx.you, event, ctx.game.stamp(), lasting.surroundings(ctx))
    ctx.game.write(ctx.game, "waiting", (*ctx.game.waiting, item))


def awaited(game: Game, events: Sequence[Event]) -> bool:
    """Whether any ability, of a permanent or delayed, would trigger on one of these events."""
    held = [(Context(game, ch.controller, obj), a.trigger) for obj, ch in watchers(game) for a, _ in ch.each(Triggered)]
    delayed = [
        (Context(game, effect.controller, effect.source, **dict(effect.context)), effect.ability.trigger)
        for effect in game.effects
        if isinstance(effect.ability, Triggered)
    ]
    kinds = {event.kind for event in events}
    return any(
        any(True for _ in bind(ctx, trigger, event))
        for ctx, trigger in (*held, *delayed)
        if kinds & kinds_of(trigger)
        for event in events
    )


def note(game: Game, events: Sequence[Event], before: Watchers | None) -> None:
    """Notice every ability that triggers on what has happened (CR 603.2)."""
    kinds = {event.kind for event in events}
    waiting: list[Waiting] = []
    if any(event.to == "battlefield" for event in events):
        game.trace.cite("603.6b")
    after = watchers(game)
    if before is not None:
        for obj, ch in before:
            for ability, held in ch.each(Triggered):
                trigger = _part(ability.trigger, True)
                if trigger is not None and kinds & kinds_of(trigger) and "battlefield" in ability.zones:
                    if _match(game, ability, trigger, obj, ch.controller, events, waiting, held.stamp):
                        game.trace.cite("603.10a")
    for obj, ch in after:
        if not ch.abilities:
            continue
        for ability, held in ch.each(Triggered):
            trigger = ability.trigger if before is None else _part(ability.trigger, False)
            if trigger is not None and kinds & kinds_of(trigger) and "battlefield" in ability.zones:
                _match(game, ability, trigger, obj, ch.controller, events, waiting, held.stamp)
    for obj in _elsewhere(game, events):
        ch = layers.of(game, obj)
        for ability, held in ch.each(Triggered):
            if kinds & kinds_of(ability.trigger) and _functions(ability, obj):
                who = ch.controller if obj.zone in ("stack", "command") else obj.owner
                if _match(game, ability, ability.trigger, obj, who, events, waiting, held.stamp):
                    game.trace.cite("113.6k")
    for effect in game.effects:
        ability = effect.ability
        if isinstance(ability, Triggered) and kinds & kinds_of(ability.trigger):
            _match_delayed(game, effect, ability, events, waiting)
    for player, ability, about in inherent.triggered(game, events):
        waiting.append(Waiting(ability, None, player, about, game.stamp()))
    if waiting:
        mana = [w for w in waiting if w.ability.mana]
        rest = [w for w in waiting if not w.ability.mana]
        if rest:
            game.write(game, "waiting", (*game.waiting, *rest))
        for item in mana:
            game.trace.cite("605.4a")
            from judgecall.oracle import resolving

            resolving.perform(_context(game, item), item.ability.body.effects)


def _functions(ability: Triggered, obj: Object) -> bool:
    return obj.zone in ability.zones or "any" in ability.zones


def _looks_back(node: Node) -> bool:
    return node.word in LOOKS_BACK and not node.args.get("anywhere")


_PARTS: dict[tuple[Node, bool], Node | None] = {}


def _part(node: Node, back: bool) -> Node | None:
    """The conditions of a trigger that look back in time (CR 603.10), or those that do not."""
    key = (node, back)
    if key not in _PARTS:
        made: Node | None
        if node.word == "any of":
            kept = tuple(part for part in node.args["of"] if _looks_back(part) == back)
            made = Node("any of", MappingProxyType({**node.args, "of": kept})) if kept else None
        else:
            made = node if _looks_back(node) == back else None
        _PARTS[key] = made
    return _PARTS[key]


_ELSEWHERE: dict[Any, bool] = {}


def _has_elsewhere(obj: Object) -> bool:
    """Whether the printed abilities of a card trigger away from the battlefield."""
    values = objects.face_values(obj)
    found = _ELSEWHERE.get(values)
    if found is None:
        found = any(
            isinstance(part, Triggered) and part.zones != frozenset({"battlefield"})
            for ability in values.abilities
            for part in ability.all_parts
        )
        _ELSEWHERE[values] = found
    return found


def _elsewhere(game: Game, events: Sequence[Event]) -> list[Object]:
    found: list[Object] = [*game.stack, *game.command]
    for player in game.players:
        for zone in (player.graveyard, player.hand):
            found.extend(obj for obj in zone if _has_elsewhere(obj))
    found.extend(obj for obj in game.exile if obj.face_down is None and (_has_elsewhere(obj) or obj.counters))
    for event in events:
        new = event.new
        if event.kind == "move" and new is not None and new.zone in ("library",) and _has_elsewhere(new):
            found.append(new)
    return found


def _match(
    game: Game,
    ability: Triggered,
    trigger: Node,
    obj: Object,
    controller: Player,
    events: Sequence[Event],
    waiting: list[Waiting],
    stamp: int,
    context: Mapping[str, Any] = NOTHING,
    *,
    delayed: bool = False,
) -> bool:
    ctx = Context(game, controller, obj, **dict(context)) if context else Context(game, controller, obj)
    found: list[tuple[Mapping[str, Any], Sequence[Event]]] = []
    for event in events:
        for bindings in bind(ctx, trigger, event):
            found.append(({**ctx.event, **bindings}, (event,)))
    if not found:
        return False
    if len(found) > 1:
        game.trace.cite("603.2c")
    if _once_for_all(trigger):
        found = _grouped(trigger, found)
    triggered = False
    for bindings, causes in found:
        if not _allowed(game, ability, obj, controller, bindings, ctx):
            continue
        triggered = True
        game.trace.cite(*ability.rules)
        # CR 603.2d: a delayed ability is none that the object has.
        for _ in range(1 if delayed else 1 + _extra(game, obj, controller, causes)):
            waiting.append(Waiting(ability, obj, controller, MappingProxyType(dict(bindings)), stamp, context))
        if ability.limit is not None:
            note = f"triggered {ability.number or id(ability)}"
            game.write(obj, "notes", MappingProxyType({**obj.notes, note: obj.notes.get(note, 0) + 1}))
    return triggered


def _grouped(
    trigger: Node, found: Sequence[tuple[Mapping[str, Any], Sequence[Event]]]
) -> list[tuple[Mapping[str, Any], Sequence[Event]]]:
    """One triggering for all that happened at once, or for each player or source of it; and what made it trigger."""
    groups: dict[Any, list[tuple[Mapping[str, Any], Sequence[Event]]]] = {}
    for item, causes in found:
        by = "player" if trigger.args.get("per_player") else "source" if trigger.args.get("per_source") else None
        groups.setdefault(id(item.get(by)) if by else 0, []).append((item, causes))
    return [
        (
            {
                **group[0][0],
                "those": tuple(thing for item, _ in group for thing in item.get("those", (item.get("that"),))),
                "amount": sum(int(item.get("amount", 0)) for item, _ in group),
            },
            tuple(event for _, causes in group for event in causes),
        )
        for group in groups.values()
    ]


def _once_for_all(node: Node) -> bool:
    return bool(node.args.get("one_or_more"))


def _allowed(
    game: Game, ability: Triggered, obj: Object, controller: Player, bindings: Mapping[str, Any], ctx: Context
) -> bool:
    if ability.limit is not None:
        key = f"triggered {ability.number or id(ability)}"
        if obj.notes.get(key, 0) >= ability.limit:
            return False
    if ability.condition is not None:
        game.trace.cite("603.4")
        if not ctx.having(event=bindings).holds(ability.condition):
            return False
    return not _silenced(game, bindings) and not _silent(game, ability, obj)


def _silent(game: Game, ability: Triggered, obj: Object) -> bool:
    """Whether an effect keeps abilities with the keyword that this one is of from triggering (CR 101.2)."""
    from judgecall.oracle import statics

    for node, ctx in statics.rules(game, "keyword does not trigger"):
        of_keyword = layers.of(game, obj).keywords().get(node.args["keyword"], ())
        if any(part is ability for whole in of_keyword for part in whole.all_parts):
            if ctx.matches(node.args["filter"], obj):
                game.trace.cite("101.2")
                return True
    return False


def _silenced(game: Game, bindings: Mapping[str, Any]) -> bool:
    from judgecall.oracle import statics

    thing = bindings.get("entered")
    if thing is None:
        return False
    return any(ctx.matches(node.args["filter"], thing) for node, ctx in statics.rules(game, "cant cause triggers"))


def _extra(game: Game, obj: Object, controller: Player, causes: Sequence[Event]) -> int:
    """How often more it triggers, by effects that name what made it trigger (CR 603.2d)."""
    from judgecall.oracle import statics

    total = 0
    for node, ctx in statics.rules(game, "extra triggers"):
        if controller is not ctx.you:
            continue
        source = node.args.get("source")
        if source is not None and not ctx.matches(source, obj):
            continue
        wanted = node.args.get("event")
        if wanted is not None:
            if isinstance(wanted, Mapping):
                from judgecall.oracle.vocabulary.grammar import parse_value

                wanted = parse_value("trigger", wanted)
            if not any(list(bind(ctx, wanted, event)) for event in causes):
                continue
        game.trace.cite("603.2d")
        total += 1
    return total


def _match_delayed(
    game: Game, effect: FloatingEffect, ability: Triggered, events: Sequence[Event], waiting: list[Waiting]
) -> None:
    source = effect.source
    assert source is not None
    before = len(waiting)
    hit = _match(
        game,
        ability,
        ability.trigger,
        source,
        effect.controller,
        events,
        waiting,
        effect.stamp,
        dict(effect.context),
        delayed=True,
    )
    if effect.affected is not None:
        # About particular objects: only what happened to one of them counts.
        kept = [w for w in waiting[before:] if any(w.event.get("that") is thing for thing in effect.affected)]
        waiting[before:] = kept
        hit = bool(kept)
    if hit:
        game.trace.cite("603.7c")
    if hit and effect.ends == "once":
        del waiting[before + 1 :]
        game.write(game, "effects", tuple(other for other in game.effects if other is not effect))


def _context(game: Game, item: Waiting) -> Context:
    return Context(game, item.controller, item.source, **{**dict(item.context), "event": item.event})


def state_triggers(game: Game) -> None:
    """CR 603.8: abilities that trigger on a state as soon as it is so, unless one waits or is on the stack."""
    table = game.cache.get("state triggers")
    if table is None:
        table = game.cache["state triggers"] = [
            (obj, ch)
            for obj, ch in watchers(game)
            if any(ability.trigger.word == "state" for ability, _ in ch.each(Triggered))
        ]
    for obj, ch in table:
        for ability, held in ch.each(Triggered):
            if ability.trigger.word != "state":
                continue
            ctx = Context(game, ch.controller, obj)
            if not ctx.holds(ability.trigger.args["condition"]) or not ctx.holds(ability.condition):
                continue  # CR 603.4, 603.8
            if any(w.ability is ability and w.source is obj for w in game.waiting):
                continue
            if any(item.ability is ability and item.source is obj for item in game.stack):
                continue
            game.trace.cite("603.8")
            game.write(game, "waiting", (*game.waiting, Waiting(ability, obj, ch.controller, NOTHING, held.stamp)))


def put_on_stack(game: Game) -> bool:
    """Put abilities that have triggered on the stack, in APNAP order (CR 603.3b). True if there were any."""
    state_triggers(game)
    if not game.waiting:
        return False
    waiting: tuple[Waiting, ...] = game.waiting
    game.write(game, "waiting", ())
    if any(item.controller.left for item in waiting):
        game.trace.cite("800.4d")  # not among the players below
    if len({item.controller.name for item in waiting}) > 1:
        game.trace.cite("101.4", "603.3b")
    for player in game.apnap():
        own = [item for item in waiting if item.controller is player]
        made = [_stack_object(game, item) for item in own]
        if len(made) > 1:
            same = len({_doing(item) for item in own}) == 1
            answer = game.agent.decide(
                Question(
                    player,
                    "order",
                    "the order of triggered abilities",
                    tuple(made),
                    len(made),
                    len(made),
                    same=same,
                )
            )
            answer = choices.check(answer, made, len(made), len(made), "603.3b")
            pairs = [(a, own[next(i for i, m in enumerate(made) if m is a)]) for a in answer]
        else:
            pairs = list(zip(made, own, strict=True))
        for obj, item in pairs:
            _put(game, obj, item)
    return True


def _doing(item: Waiting) -> Any:
    """What a waiting ability will do: equal for two whose order makes no difference."""
    body = item.ability.body
    if body.modes is None and not body.parts and all(_is_of_any_source(node) for node in body.effects):
        # Targets are chosen when all are in their order (CR 603.3d); what may be one can hang on the source.
        if all(_is_plain(spec) for spec in body.targets):
            return repr(body), repr(item.ability.condition), id(item.source) if body.targets else None
    return id(body), id(item.source), id(item) if body.targets else None


def _is_plain(spec: TargetSpec) -> bool:
    """Whether what may be targeted does not hang on what made the ability trigger."""
    tests = spec.filter.tests if spec.filter is not None else ()
    return (spec.players is None or _is_of_any_source(spec.players)) and not any(
        isinstance(value, (Node, Filter, tuple)) for _, value in tests
    )


def _is_of_any_source(node: Node) -> bool:
    """Whether an instruction does the same whatever its source is and whatever made it trigger."""
    return node.word in _OF_ANY_SOURCE and all(
        not isinstance(value, (Node, Filter)) or (isinstance(value, Node) and _is_of_any_source(value))
        for value in node.args.values()
    )


def _stack_object(game: Game, item: Waiting) -> Object:
    obj = game.new_object("ability", item.controller, "stack")
    obj.controller = obj.holder = item.controller
    obj.ability = item.ability
    obj.source = item.source
    created = {"created": item.stamp} if item.context else {}  # CR 701.27f, of delayed triggers
    obj.context = MappingProxyType({**item.context, **created, "event": item.event})
    return obj


def _put(game: Game, obj: Object, item: Waiting) -> None:
    from judgecall.oracle import events, targets

    ctx = Context(game, item.controller, item.source, **{**dict(item.context), "event": item.event, "stack": obj})
    ctx.x = int(item.context.get("x", _x_of(game, item)))
    game.write(game, "stack", (*game.stack, obj))
    game.trace.add(f"{events.label(game, obj)} triggers and is put on the stack", "603.3")
    body = item.ability.body
    try:
        modes = announcing.choose_modes(ctx, body, None)
        if modes is None:
            raise targets.NoTargets
        game.write(obj, "context", MappingProxyType({**obj.context, "modes": modes, "x": ctx.x}))
        groups = targets.choose(ctx, announcing.specs_of(body, modes), None, obj)
        game.write(obj, "targets", groups)
        announcing.announce_division(ctx, body, modes, obj)
        targets.became_targets(game, obj)
    except targets.NoTargets:
        game.trace.add("it has no legal target and is removed", "603.3d")
        game.write(game, "stack", tuple(other for other in game.stack if other is not obj))
        game.write(obj, "gone", True)


def _x_of(game: Game, item: Waiting) -> int:
    """The X of the spell that its source was (CR 107.3m), for an ability that it has of its own (CR 107.3j)."""
    source = item.source
    if source is None:
        return 0
    if "x" in item.event:
        return int(item.event["x"])
    x = int(source.cast.get("x") or 0)
    if x and not any(part is item.ability for own in objects.face_values(source).abilities for part in own.all_parts):
        game.trace.cite("107.3j")
        return 0
    return x
