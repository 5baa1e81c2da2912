"""Replacement and prevention effects (CR 614–616): what would happen, settled into what will.

`settle` takes one event and gives the events that are to happen in its place. Effects apply one at a time, each at
most once to an event (CR 614.5), chosen by the affected player among those of the first class that applies
(CR 616.1a–f). Events that consist of others (destroying, discarding, drawing, creating tokens) become those others
once nothing more replaces them (CR 616.1g).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from judgecall.oracle import layers, objects, statics
from judgecall.oracle.agents import Question
from judgecall.oracle.characteristics import Characteristics
from judgecall.oracle.definitions import Ability, Enters, Replacement
from judgecall.oracle.state import Game, Object, Player
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.words import evaluate

if TYPE_CHECKING:
    from judgecall.oracle.events import Event

__all__ = ["affected_player", "settle"]

_ORDER = {"self": 0, "control": 1, "copy": 2, "face": 3, "other": 4}


@dataclass(slots=True, eq=False)
class Candidate:
    """A replacement effect that would apply to an event."""

    key: Any
    source: Object | None
    order: int
    apply: Callable[[Event], list[Event]]
    result: Any = None
    """Two candidates with the same result need no choice."""
    chooser: Player | None = None


def affected_player(game: Game, event: Event) -> Player:
    """Who chooses among replacement effects: the affected player, or the affected object's controller (CR 616.1)."""
    if event.kind in ("move", "token") and event.new is not None:
        return event.new.controller
    if event.obj is not None:
        obj = event.obj
        return obj.controller if obj.zone in ("battlefield", "stack") else obj.owner
    return event.player if event.player is not None else game.active


def settle(game: Game, event: Event) -> list[Event]:
    """What will happen instead of an event: itself, others, or nothing."""
    done: list[Event] = []
    todo = [event]
    while todo:
        current = todo.pop(0)
        if _forbidden(game, current):
            continue
        entering = current.kind in ("move", "token") and current.to == "battlefield"
        if entering and not _prepare(game, current):
            continue
        found = _applicable(game, current, entering)
        if found:
            chosen = _choose(game, current, found)
            current.applied = current.applied | {chosen.key}
            todo[:0] = chosen.apply(current)
            continue
        if entering:
            instead = _barred(game, current)
            if instead is not None:
                todo[:0] = instead
                continue
        parts = _EXPAND.get(current.kind)
        if parts is None:
            done.append(current)
        else:
            inner = parts(game, current)
            if any(part is current for part in inner):
                for part in inner:
                    if part is current:
                        done.append(part)
                    else:
                        done.extend(settle(game, part))
            else:
                todo[:0] = inner
    return done


def _choose(game: Game, event: Event, found: list[Candidate]) -> Candidate:
    first = min(candidate.order for candidate in found)
    among = [candidate for candidate in found if candidate.order == first]
    if len(among) == 1:
        return among[0]
    results = {repr(candidate.result) for candidate in among}
    if len(results) == 1 and among[0].result is not None:
        return among[0]
    player = affected_player(game, event)
    if (
        len({id(candidate.source) for candidate in among}) == 1
        and among[0].source is not None
        and event.kind == "move"
    ):
        return among[0]  # one object's own effects: each comes after the other, the last word is the same
    options = tuple(
        candidate.source if candidate.source is not None else candidate.key for candidate in among
    )
    answer = game.agent.decide(
        Question(player, "replacement", "which effect applies", options, 1, 1, source=event.obj)
    )
    for candidate, option in zip(among, options, strict=True):
        if option is answer or option == answer:
            return candidate
    return among[0]


# -- what cannot happen --------------------------------------------------------------------------------------


def _forbidden(game: Game, event: Event) -> bool:
    """CR 101.2, 614.17: what can't happen does not, and is not replaced."""
    obj = event.obj
    if event.kind == "destroy" and obj is not None:
        return obj.gone or layers.of(game, obj).has("indestructible")  # CR 702.12b
    if (
        event.kind in ("sacrifice", "discard", "untap", "tap", "turn up", "transform")
        and obj is not None
        and obj.gone
    ):
        return True
    if event.kind == "sacrifice" and obj is not None and event.by is not obj.controller:
        return True  # CR 701.21a
    if event.kind == "gain life":
        return event.amount <= 0 or statics.forbids(game, "cant gain life", player=event.player)
    if event.kind == "lose life":
        return event.amount <= 0 or statics.forbids(game, "cant lose life", player=event.player)
    if event.kind == "damage":
        target = event.about
        if event.amount <= 0 or (isinstance(target, Object) and target.gone):
            return True  # CR 120.8
        if isinstance(target, Object) and not event.details.get("unpreventable"):
            from judgecall.oracle import protection

            if protection.protects(game, target, event.source):
                game.trace.add("protection prevents the damage", "702.16e")
                return True
        return False
    if event.kind == "counters":
        if event.amount <= 0:
            return True
        return statics.forbids(game, "cant get counters", obj=obj, player=event.player)
    if event.kind == "untap" and obj is not None and "untap" in layers.of(game, obj).cant:
        return event.cause == "untap step"
    if event.kind == "draw":
        return statics.forbids(game, "cant draw", player=event.player) or statics.draw_limit(
            game, event.player
        )
    return False


def _prepare(game: Game, event: Event) -> bool:
    """A new object for what enters; False if it may not enter at all."""
    from judgecall.oracle import events

    if event.kind == "token":
        return True
    obj = event.obj
    assert obj is not None
    if obj.gone or (obj.kind == "token" and obj.zone != "battlefield"):
        return False  # CR 111.8
    if event.new is None:
        if event.details.get("transformed"):
            if not objects.is_double_faced(obj):
                game.trace.add(f"{events.label(game, obj)} is not double-faced and stays", "712.14a")
                return False
            event.details["face"] = "back"
        event.new = events.fresh(game, event)
    for kind, n in event.details.pop("enter counters", {}).items():
        enter_with(game, event, event.new, kind, n)
    return True


def _barred(game: Game, event: Event) -> list[Event] | None:
    """Something that cannot be on the battlefield stays where it is, or from the stack goes to the graveyard."""
    from judgecall.oracle import events

    new = event.new
    assert new is not None
    ch = _prospect(game, event)
    obj = event.obj
    rule = None
    if any(kind in ch.types for kind in ("Instant", "Sorcery")):
        rule = "304.4" if "Instant" in ch.types else "307.4"
    elif event.kind == "move" and obj is not None and statics.cannot_enter(game, obj, new, ch):
        rule = "101.2"
    elif "Aura" in ch.subtypes and event.details.get("attach_to") is None:
        from judgecall.oracle import attaching

        if not attaching.choose_host(game, event, ch):
            rule = "303.4g"
    if rule is None:
        return None
    if event.kind == "token" or obj is None:
        return []
    game.trace.add(f"{events.label(game, obj)} cannot enter the battlefield", rule, "400.4a")
    if obj.zone == "stack":
        return [events.move(obj, "graveyard", cause="resolve", rules=("608.3e",))]
    return []


def _prospect(game: Game, event: Event) -> Characteristics:
    """The characteristics that something entering would have on the battlefield (CR 614.12)."""
    with game.trial():
        _place(game, event)
        return layers.of(game, event.new) if event.new is not None else layers.of(game, event.obj)  # type: ignore[arg-type]


def _place(game: Game, event: Event) -> None:
    from judgecall.oracle import copying, events

    new = event.new
    assert new is not None
    if event.obj is not None and event.kind == "move":
        events.take_out(game, event.obj)
        if event.obj.zone == "stack":
            events._follow(game, event.obj, new)
    events.put_in(game, new)
    values = event.details.get("copy")
    if values is not None:
        copying.become(game, new, values, ends=event.details.get("copy ends", "forever"), stamp=new.stamp)
    for kind, n in event.details.get("counters", {}).items():
        events._add_counters(game, new, kind, n)


# -- which effects apply -------------------------------------------------------------------------------------


def _applicable(game: Game, event: Event, entering: bool) -> list[Candidate]:
    found: list[Candidate] = []
    _game_rules(game, event, found)
    if event.kind in _REPLACEABLE:
        _abilities(game, event, found)
    if entering:
        _entering(game, event, found)
    elif event.kind == "face" and event.details["what"] in ("up", "back", "front"):
        _turning(game, event, found)
    return [candidate for candidate in found if candidate.key not in event.applied]


_REPLACEABLE = frozenset(
    ["move", "draw", "damage", "gain life", "lose life", "counters", "create", "destroy", "discard", "untap", "tap", "step", "lost", "mill", "search", "mana", "pay life", "token", "turn", "remove counters", "scry", "phase out", "shuffle"]
)


def _redirect(game: Game, event: Event, to: str, *rules: str) -> list[Event]:
    changed = event.but(to=to, new=None, position=None, rules=(*event.rules, *rules))
    return [changed]


def _game_rules(game: Game, event: Event, found: list[Candidate]) -> None:
    """Replacement effects that the rules themselves make: counters of certain kinds, commanders."""
    obj = event.obj
    if obj is None:
        return
    if event.kind == "move" and obj.zone == "battlefield" and event.to == "graveyard":
        if objects.counters(obj, "finality"):
            found.append(
                Candidate(
                    "finality",
                    obj,
                    4,
                    lambda e: _redirect(game, e, "exile", "122.1h", "614.6"),
                    ("go", "exile"),
                )
            )
    if event.kind == "untap" and objects.counters(obj, "stun"):
        found.append(Candidate("stun", obj, 4, lambda e: [_uncount(obj, "stun", "122.1d")], ("stun",)))
    if event.kind == "destroy" and objects.counters(obj, "shield"):
        found.append(Candidate("shield", obj, 4, lambda e: [_uncount(obj, "shield", "122.1c")], ("shield",)))
    if event.kind == "damage" and objects.counters(obj, "shield") and not event.details.get("unpreventable"):
        found.append(Candidate("shield", obj, 4, lambda e: [_uncount(obj, "shield", "122.1c")], ("shield",)))
    if (
        event.kind == "move"
        and event.to in ("hand", "library")
        and obj.card is not None
        and obj.card.commander
    ):
        from judgecall.oracle import commander

        if game.format == "commander":
            found.append(
                Candidate("commander", obj, 4, lambda e: commander.may_replace(game, e), ("commander",))
            )


def _uncount(obj: Object, kind: str, rule: str) -> Event:
    from judgecall.oracle.events import Event as Made

    return Made("remove counters", obj, amount=1, details={"kind": kind}, rules=(rule,))


def sources(game: Game) -> list[Object]:
    """Objects whose replacement effects may be about: permanents, emblems, and spells and cards that say so."""
    return [obj for obj in game.battlefield if not obj.phased_out]


def _abilities(game: Game, event: Event, found: list[Candidate]) -> None:
    considered: list[Object] = sources(game)
    considered.extend(game.command)
    own = event.obj
    if own is not None and own.zone != "battlefield":
        considered.append(own)
    for obj in considered:
        ch = layers.of(game, obj)
        if not ch.abilities:
            continue
        for ability, held in ch.each(Replacement):
            if obj.zone not in ability.zones and "any" not in ability.zones:
                continue
            ctx = Context(game, ch.controller, obj, x=int(obj.cast.get("x") or 0))
            _consider(game, event, ability, ctx, obj, (obj.id, id(ability), held.stamp), None, found)
    for effect in game.effects:
        if isinstance(effect.ability, Replacement):
            ctx = Context(game, effect.controller, effect.source, **dict(effect.context))
            _consider(
                game, event, effect.ability, ctx, effect.source, ("floating", effect.stamp), effect, found
            )


def _consider(
    game: Game,
    event: Event,
    ability: Replacement,
    ctx: Context,
    source: Object | None,
    key: Any,
    effect: Any,
    found: list[Candidate],
) -> None:
    if key in event.applied:
        return
    if effect is not None and effect.affected is not None and not _among(event, effect.affected):
        return
    bindings = evaluate("replace", ability.event, ctx, event)
    if bindings is None:
        return
    if event.kind == "damage" and event.details.get("unpreventable") and _prevents(ability):
        return  # CR 615.12
    event_ctx = ctx.having(event={**ctx.event, **_bindings(event), **bindings}, results=dict(ctx.results))
    if ability.condition is not None and not event_ctx.holds(ability.condition):
        return

    def apply(current: Event) -> list[Event]:
        return perform(game, current, ability, event_ctx, effect)

    result = None
    if (
        len(ability.instead) == 1
        and not ability.optional
        and ability.instead[0].word in ("go to", "redouble")
    ):
        result = ("go", str(ability.instead[0].args.get("zone")))
        if ability.instead[0].args.get("reveal") or ability.instead[0].args.get("shuffle"):
            result = None
        elif ability.instead[0].args.get("zone") != "exile":
            result = (*result, str(ability.instead[0].args.get("position")))
    if ability.event.word == "regenerates":
        result = ("regenerate",)
    if result is None and not ability.optional:
        result = ("same ability", id(ability), id(ctx.you))
    found.append(Candidate(key, source, _ORDER[ability.class_], apply, result))


def _among(event: Event, affected: tuple[Any, ...]) -> bool:
    return any(event.obj is thing or event.player is thing for thing in affected)


def _prevents(ability: Replacement) -> bool:
    return any(node.word == "prevent it" for node in ability.instead)


def _bindings(event: Event) -> dict[str, Any]:
    found: dict[str, Any] = {"that": event.about, "amount": event.amount, "source": event.source}
    if event.player is not None:
        found["player"] = event.player
    return found


def perform(game: Game, event: Event, ability: Replacement, ctx: Context, effect: Any) -> list[Event]:
    """Apply one replacement ability to an event."""
    from judgecall.oracle import events, resolving

    if ability.optional:
        who = affected_player(game, event) if ctx.you is None else ctx.you
        if not game.agent.decide(Question(who, "may", "apply the effect", source=ctx.this)):
            return [event]
    if ability.once and effect is not None:
        game.write(game, "effects", tuple(other for other in game.effects if other is not effect))
    about = ctx.this if ctx.this is not None else event.obj
    game.trace.add(f"{events.label(game, about)} replaces what would happen", "614.6")
    changed = event.but()
    ctx.results["event"] = changed
    ctx.results["effect"] = effect
    ctx.results["kept"] = False
    resolving.perform(ctx, ability.instead)
    extra = ctx.results.get("extra", [])
    return ([changed] if ctx.results["kept"] else []) + list(extra)


# -- entering ------------------------------------------------------------------------------------------------


def _entering(game: Game, event: Event, found: list[Candidate]) -> None:
    """Effects that say how a permanent enters, its own included (CR 614.12)."""
    new = event.new
    assert new is not None
    gathered: list[tuple[Any, Enters, Context, Object | None]] = []
    used: list[int] = []
    with game.trial():
        _place(game, event)
        ch = layers.of(game, new)
        x = int(new.cast.get("x") or 0)
        for ability, held in ch.each(Enters):
            ctx = Context(game, ch.controller, new, x=x, event={"that": new})
            if ability.affects is None and "enter" in ability.on and ctx.holds(ability.condition):
                gathered.append(((new.id, id(ability), held.stamp), ability, ctx, new))
        for obj in (*sources(game), *game.command):
            if obj is new:
                continue
            other = layers.of(game, obj)
            for ability, held in other.each(Enters):
                if ability.affects is None or obj.zone not in ability.zones:
                    continue
                ctx = Context(game, other.controller, obj, event={"that": new})
                if ctx.matches(ability.affects, new) and ctx.holds(ability.condition):
                    gathered.append(((obj.id, id(ability), held.stamp), ability, ctx, obj))
        for effect in game.effects:
            if not isinstance(effect.ability, Enters):
                continue
            ability = effect.ability
            ctx = Context(game, effect.controller, effect.source, **dict(effect.context))
            ctx.event = {**ctx.event, "that": new}
            if effect.affected is not None:
                fits = any(thing is new or (thing is event.obj) for thing in effect.affected)
            else:
                fits = ability.affects is not None and ctx.matches(ability.affects, new)
            if fits and ctx.holds(ability.condition):
                gathered.append((("floating", effect.stamp), ability, ctx, effect.source))
                if ability.once:
                    used.append(effect.stamp)
    if used:
        have = game.fresh.get("used", frozenset())
        game.write(game, "fresh", MappingProxyType({**game.fresh, "used": have | frozenset(used)}))
    if (
        game.day_night == "night"
        and ch.has("daybound")
        and objects.is_double_faced(new)
        and new.face == "front"
    ):
        # CR 702.145d: at night it enters transformed.
        found.append(Candidate("daybound", new, 3, lambda e: _enter_transformed(game, e), ("transformed",)))
    for key, ability, ctx, source in gathered:
        if key in event.applied:
            continue
        order = 2 if ability.copy is not None else 3 if ability.transformed else 4
        found.append(
            Candidate(key, source, order, _enter(game, ability, ctx), ("enters",) if order == 4 else None)
        )


def use_up(game: Game) -> None:
    """End effects that were for the next time only, after all that enters together (CR 614.12)."""
    used = game.fresh.get("used")
    if used:
        game.write(game, "effects", tuple(effect for effect in game.effects if effect.stamp not in used))
        game.write(game, "fresh", MappingProxyType({k: v for k, v in game.fresh.items() if k != "used"}))


def _enter_transformed(game: Game, event: Event) -> list[Event]:
    """It enters with its back face up, or, where that is an instant or sorcery, not at all (CR 712.13a)."""
    from judgecall.oracle import events

    new = event.new
    assert new is not None
    back = objects.base_values(new).faces["back"]
    if any(kind in back.types for kind in ("Instant", "Sorcery")):
        obj = event.obj
        if obj is not None and obj.zone == "stack":
            return [events.move(obj, "graveyard", cause="resolve", rules=("712.13a",))]
        return []
    event.details["face"] = "back"
    game.write(new, "face", "back")
    return [event]


def _enter(game: Game, ability: Enters, ctx: Context) -> Callable[[Event], list[Event]]:
    def apply(event: Event) -> list[Event]:
        from judgecall.oracle import events, resolving

        new = event.new if event.new is not None else event.obj
        assert new is not None
        ctx.results["event"] = event
        if ability.optional and not game.agent.decide(Question(ctx.you, "may", "as it enters", source=new)):
            return [event]
        if ability.tapped:
            event.details["tapped"] = True
            game.write(new, "tapped", True)
        if ability.transformed and objects.is_double_faced(new):
            event.details["face"] = "back"
            game.write(new, "face", "back")
        for kind, node in ability.counters.items():
            enter_with(game, event, new, kind, ctx.amount(node))
        if ability.copy is not None:
            evaluate("effect", ability.copy, ctx)
        if ability.effects:
            resolving.perform(ctx, ability.effects)
        game.trace.add(f"{events.label(game, new)} enters as its abilities say", "614.12")
        return [event]

    return apply


def enter_with(game: Game, event: Event, new: Object, kind: str, n: int) -> None:
    """It enters with counters: an event of their own that may be replaced (CR 122.6a, 614.1c)."""
    from judgecall.oracle.events import Event as Made

    for part in settle(
        game, Made("counters", new, amount=n, details={"kind": kind}, cause="enters", by=new.controller)
    ):
        have = dict(event.details.get("counters", {}))
        have[kind] = have.get(kind, 0) + part.amount
        event.details["counters"] = have


def _turning(game: Game, event: Event, found: list[Candidate]) -> None:
    """What happens as a permanent is turned face up or transforms (CR 614.1e, 708.8)."""
    obj = event.obj
    assert obj is not None
    what = "turn face up" if event.details["what"] == "up" else "transform"
    with game.trial():
        if what == "turn face up":
            game.write(obj, "face_down", None)
        else:
            game.write(obj, "face", event.details["face"])
        ch = layers.of(game, obj)
        gathered = [(ability, held) for ability, held in ch.each(Enters) if what in ability.on]
    for ability, held in gathered:
        ctx = Context(game, obj.controller, obj, event={"that": obj}, x=int(event.details.get("x", 0)))
        key = (obj.id, id(ability), held.stamp)
        found.append(Candidate(key, obj, 4, _enter(game, ability, ctx), ("enters",)))


# -- events made of others -----------------------------------------------------------------------------------


def _destroy(game: Game, event: Event) -> list[Event]:
    return [_inner(event, "graveyard", "destroy")]


def _sacrifice(game: Game, event: Event) -> list[Event]:
    return [_inner(event, "graveyard", "sacrifice")]


def _discard(game: Game, event: Event) -> list[Event]:
    return [_inner(event, "graveyard", "discard")]


def _mill(game: Game, event: Event) -> list[Event]:
    return [_inner(event, "graveyard", "mill")]


def _inner(event: Event, to: str, cause: str) -> Event:
    from judgecall.oracle.events import Event as Made

    obj = event.obj
    assert obj is not None
    return Made(
        "move",
        obj,
        event.player if event.player is not None else obj.controller,
        to=to,
        cause=cause,
        source=event.source,
        by=event.by,
        details=dict(event.details),
        rules=event.rules,
    )


def _draw(game: Game, event: Event) -> list[Event]:
    from judgecall.oracle.events import Event as Made

    player = event.player
    assert player is not None
    if not player.library:
        return [Made("draw from empty", player=player, rules=event.rules)]
    return [
        Made(
            "move", player.library[0], player, to="hand", cause="draw", source=event.source, rules=event.rules
        )
    ]


def _damage(game: Game, event: Event) -> list[Event]:
    from judgecall.oracle import damage

    return damage.results(game, event)


def _create(game: Game, event: Event) -> list[Event]:
    from judgecall.oracle import tokens

    return tokens.each(game, event)


_EXPAND: dict[str, Callable[[Game, Any], list[Any]]] = {
    "destroy": _destroy,
    "sacrifice": _sacrifice,
    "discard": _discard,
    "mill": _mill,
    "draw": _draw,
    "damage": _damage,
    "create": _create,
}

__all__ += ["Ability", "enter_with", "use_up"]
