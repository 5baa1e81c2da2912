"""How things enter the battlefield, or are turned over: what their own and others' effects make of it (CR 614.12)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from judgecall.oracle import applying, layers, objects, replacement, statics
from judgecall.oracle.agents import Question
from judgecall.oracle.candidates import Candidate
from judgecall.oracle.characteristics import Characteristics
from judgecall.oracle.definitions import Enters
from judgecall.oracle.state import Game, Object
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.words import evaluate

if TYPE_CHECKING:
    from judgecall.oracle.events import Event

__all__ = ["barred", "effects_on_entering", "effects_on_turning", "enter_with", "prepare", "use_up"]


def prepare(game: Game, event: Event) -> bool:
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
            if not objects.can_turn_over(obj):
                game.trace.add(f"{events.label(game, obj)} is not double-faced and stays", "712.14a")
                return False
            event.details["face"] = "back"
            game.trace.cite("712.14a")
        elif objects.is_double_faced(obj):
            game.trace.cite("712.13" if obj.zone == "stack" else "712.14")
        if obj.zone != "stack" and event.cause != "play":
            game.trace.cite("110.2a")
        event.new = applying.fresh(game, event)
    for kind, n in event.details.pop("enter counters", {}).items():
        enter_with(game, event, event.new, kind, n)
    return True


def kept_out(game: Game, event: Event) -> list[Event] | None:
    """What an effect keeps from entering stays where it is, before anything could replace that (CR 614.17c–d)."""
    new = event.new
    if new is None or not statics.rules(game, "cant enter"):
        return None
    if not statics.cannot_enter(game, event.obj or new, new, _prospect(game, event)):
        return None
    return _staying(game, event, "101.2", "614.17c", "614.17d", *(["111.5"] if event.kind == "token" else []))


def barred(game: Game, event: Event) -> list[Event] | None:
    """Something that cannot be on the battlefield stays where it is, or from the stack goes to the graveyard."""
    assert event.new is not None
    ch = _prospect(game, event)
    rule = None
    if any(kind in ch.types for kind in ("Instant", "Sorcery")):
        rule = "304.4" if "Instant" in ch.types else "307.4"
    elif "Aura" in ch.subtypes:
        from judgecall.oracle import attaching

        rule = attaching.hostless(game, event, ch)
    return None if rule is None else _staying(game, event, rule)


def _staying(game: Game, event: Event, *rules: str) -> list[Event]:
    """What happens instead of entering that cannot be (CR 400.4a, 608.3e)."""
    from judgecall.oracle import events

    obj = event.obj
    if event.kind == "token" or obj is None:
        game.trace.add("the token is not created", *rules)
        return []
    game.trace.add(f"{events.label(game, obj)} cannot enter the battlefield", *rules, "400.4a")
    if obj.zone == "stack":
        return [events.move(obj, "graveyard", cause="resolve", rules=("608.3e",))]
    return []


def _prospect(game: Game, event: Event) -> Characteristics:
    """The characteristics that something entering would have on the battlefield (CR 614.12)."""
    with game.trial():
        place(game, event)
        return layers.of(game, event.new) if event.new is not None else layers.of(game, event.obj)  # type: ignore[arg-type]


def place(game: Game, event: Event) -> None:
    from judgecall.oracle import copying

    new = event.new
    assert new is not None
    if event.obj is not None and event.kind == "move":
        applying.take_out(game, event.obj)
        if event.obj.zone == "stack":
            applying.follow(game, event.obj, new)
    applying.put_in(game, new)
    values = event.details.get("copy")
    if values is not None:
        copying.become(game, new, values, ends=event.details.get("copy ends", "forever"), stamp=new.stamp)
    for kind, n in event.details.get("counters", {}).items():
        applying.add_counters(game, new, kind, n)


def _x_of(game: Game, new: Object, gained: bool) -> int:
    """X as something enters: of the spell that it was (CR 107.3m), but 0 in what it gains or copies (CR 107.3j)."""
    x = int(new.cast.get("x") or 0)
    if x:
        game.trace.cite("107.3j" if gained else "107.3m")
    return 0 if gained else x


def effects_on_entering(game: Game, event: Event, found: list[Candidate]) -> None:
    """Effects that say how a permanent enters, its own included (CR 614.12)."""
    new = event.new
    assert new is not None
    gathered: list[tuple[Any, Enters, Context, Object | None]] = []
    copies = event.details.get("copies", 0)
    used: list[int] = []
    cited: list[str] = []
    with game.trial():
        place(game, event)
        ch = layers.of(game, new)
        copied = event.details.get("copy") is not None
        if "plain" not in game.cache:
            cited.append("611.3c")
        for ability, held in ch.each(Enters):
            x = _x_of(game, new, copied or held.granted)
            ctx = Context(game, ch.controller, new, x=x, event={"that": new})
            if ability.affects is None and "enter" in ability.on and ctx.holds(ability.condition):
                # What it has as a copy are other abilities than those it had before (CR 614.5, 707.5).
                gathered.append(((new.id, id(ability), held.stamp, copies), ability, ctx, new))
        for obj in (*replacement.sources(game), *game.command):
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
    game.trace.cite(*cited)
    if used:
        have = game.fresh.get("used", frozenset())
        game.write(game, "fresh", MappingProxyType({**game.fresh, "used": have | frozenset(used)}))
    if game.day_night == "night" and ch.has("daybound") and objects.can_turn_over(new) and new.face == "front":
        # CR 702.145b: at night it enters transformed.
        found.append(Candidate("daybound", new, 3, lambda e: _enter_transformed(game, e), ("transformed",)))
    for key, ability, ctx, source in gathered:
        if key in event.applied:
            continue
        order = 2 if ability.copy is not None else 3 if ability.transformed else 4
        result = ("enters",) if order == 4 else _sole_copy(game, ability, ctx, new)
        found.append(Candidate(key, source, order, _enter(game, ability, ctx), result))


def _sole_copy(game: Game, ability: Enters, ctx: Context, new: Object) -> tuple[str, int] | None:
    """What a copy effect without a choice or an exception makes of it: two that make the same need no order."""
    node = ability.copy
    if node is None or node.args.get("optional", True) or node.args.keys() - {"of", "optional"}:
        return None
    options = [thing for thing in ctx.all(node.args["of"]) if thing is not new]
    return ("copy", id(objects.copiable(game, options[0]))) if len(options) == 1 else None


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
    game.trace.cite("702.145b")
    event.details["face"] = "back"
    game.write(new, "face", "back")
    return [event]


def _enter(game: Game, ability: Enters, ctx: Context) -> Callable[[Event], list[Event]]:
    def apply(event: Event) -> list[Event]:
        from judgecall.oracle import events, resolving

        new = event.new if event.new is not None else event.obj
        assert new is not None
        ctx.results["event"] = event
        game.trace.cite(*ability.rules)
        if ability.optional and not game.agent.decide(Question(ctx.you, "may", "as it enters", source=new)):
            return [event]
        if ability.tapped:
            event.details["tapped"] = True
            game.write(new, "tapped", True)
        if ability.transformed and objects.can_turn_over(new):
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
    """It enters with counters: an event of their own that may be replaced, or be impossible (CR 122.6a, 614.1c).

    What counts is what it would be on the battlefield (CR 614.12, 614.17d).
    """
    from judgecall.oracle.events import Event as Made

    made = Made("counters", new, amount=n, details={"kind": kind}, cause="enters", by=new.controller)
    with layers.foreseen(game, new, _prospect(game, event)) if event.new is not None else nullcontext():
        parts = replacement.settle(game, made)
    for part in parts:
        have = dict(event.details.get("counters", {}))
        have[kind] = have.get(kind, 0) + part.amount
        event.details["counters"] = have


def effects_on_turning(game: Game, event: Event, found: list[Candidate]) -> None:
    """What happens as a permanent is turned face up or transforms (CR 614.1e, 708.11, 712.20).

    What counts are the abilities that it would have then, of what it becomes a copy of too.
    """
    from judgecall.oracle import copying

    obj = event.obj
    assert obj is not None
    copied = event.details.get("copy")
    what = "turn face up" if event.details["what"] == "up" else "transform"
    with game.trial():
        if what == "turn face up":
            game.write(obj, "face_down", None)
        else:
            game.write(obj, "face", event.details["face"])
        if copied is not None:
            copying.become(game, obj, copied, ends="turned face down", stamp=obj.stamp)
        ch = layers.of(game, obj)
        gathered = [ability for ability, _ in ch.each(Enters) if what in ability.on]
    if gathered:
        game.trace.cite("614.1e", "708.11" if what == "turn face up" else "712.20")
    for ability in gathered:
        ctx = Context(game, obj.controller, obj, event={"that": obj}, x=int(event.details.get("x", 0)))
        # Turning over may give it a new timestamp meanwhile (CR 613.7e): the ability is the same one still.
        key = (obj.id, id(ability), event.details.get("copies", 0))
        found.append(Candidate(key, obj, 4, _enter(game, ability, ctx), ("enters",)))
