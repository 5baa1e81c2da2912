"""Resolving spells and abilities, and carrying out instructions in order (CR 608, 609, 610)."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Any

from judgecall.oracle import announcing, attaching, events, layers, targets
from judgecall.oracle.definitions import Ability, AlternativeCost, Body, Node, Triggered
from judgecall.oracle.state import Game, Object
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.filters import PERMANENT_TYPES
from judgecall.oracle.vocabulary.words import evaluate

__all__ = ["perform", "resolve_top", "times_resolved"]


def perform(ctx: Context, effects: Iterable[Node]) -> None:
    """Carry out instructions in the order written (CR 608.2c)."""
    for node in effects:
        result = evaluate("effect", node, ctx)
        if isinstance(result, list):
            ctx.results["it"] = result
        name = node.args.get("as")
        if name is not None:
            ctx.results[name] = result
        if ctx.game.over:
            return


def context_of(game: Game, obj: Object) -> Context:
    """The surroundings of a spell or ability on the stack."""
    event = obj.context.get("event", {})
    if obj.kind == "ability":
        kept = {key: obj.context[key] for key in ("results", "each") if key in obj.context}
        ctx = Context(game, obj.controller, obj.source, stack=obj, event=event)
        ctx.paid = obj.context.get("paid", {})
        ctx.x = int(obj.context.get("x", 0))
        if "results" in kept:
            ctx.results = dict(kept["results"])
        ctx.each = kept.get("each")
        return ctx
    ctx = Context(game, obj.controller, obj, stack=obj, event=event)
    ctx.x = int(obj.cast.get("x") or 0)
    ctx.paid = obj.cast.get("paid", {})
    return ctx


def resolve_top(game: Game) -> None:
    """Resolve the top object of the stack (CR 608)."""
    obj = game.stack[-1]
    game.trace.add(f"{events.label(game, obj)} begins to resolve", "608.1")
    ctx = context_of(game, obj)
    if obj.kind == "ability":
        _resolve_ability(game, obj, ctx)
    else:
        _resolve_spell(game, obj, ctx)


def _key(ability: Ability) -> str:
    return f"resolved {type(ability).__name__} {ability.number}{ability.keyword or ''}"


def times_resolved(obj: Object, ability: Ability) -> int:
    """How many times an ability has resolved this turn as an ability of that object, this time included."""
    return int(obj.notes.get(_key(ability), 0))


def _resolve_ability(game: Game, obj: Object, ctx: Context) -> None:
    ability: Any = obj.ability
    if isinstance(ability, Triggered) and ability.condition is not None:
        game.trace.cite("603.4", "608.2a")
        if not ctx.holds(ability.condition):
            game.trace.add("its condition no longer holds: it does nothing", "603.4")
            leave(game, obj)
            return
    modes = obj.context.get("modes", ())
    if obj.source is not None and obj.source.gone:
        game.trace.cite("113.7a")
    groups, fine = targets.legal_groups(ctx, announcing.specs_of(ability.body, modes), obj)
    if not fine:
        game.trace.add("all its targets are illegal: it doesn't resolve", "608.2b")
        leave(game, obj)
        return
    if obj.source is not None and not obj.source.gone:
        times = times_resolved(obj.source, ability) + 1
        game.write(obj.source, "notes", MappingProxyType({**obj.source.notes, _key(ability): times}))
    instructions(ctx, ability.body, modes, groups, obj)
    leave(game, obj)


def leave(game: Game, obj: Object) -> None:
    """An ability that has left the stack ceases to exist (CR 608.2n)."""
    if obj in game.stack:
        game.write(game, "stack", tuple(item for item in game.stack if item is not obj))
        game.write(obj, "gone", True)


def instructions(ctx: Context, body: Body, modes: tuple[int, ...], groups: Any, obj: Object) -> None:
    """The instructions of a body with the targets that are legal, mode after mode."""
    division = obj.context.get("division", {})
    own = len(body.targets)
    ctx.groups = groups[:own]
    ctx.results["division"] = {index: division[index] for index in division if index < own}
    ctx.results["announced"] = obj.targets
    perform(ctx, body.effects)
    place = own
    parts = [body.modes.bodies[index] for index in modes] if body.modes is not None else []
    for part in (*parts, *body.parts):
        n = len(part.targets)
        ctx.groups = groups[place : place + n]
        ctx.results["division"] = {i - place: division[i] for i in division if place <= i < place + n}
        ctx.results["announced"] = obj.targets[place : place + n]
        perform(ctx, part.effects)
        place += n


def _resolve_spell(game: Game, obj: Object, ctx: Context) -> None:
    body = announcing.body_of(game, obj)
    modes = obj.context.get("modes", ())
    specs = announcing.specs_of(body, modes)
    groups, fine = targets.legal_groups(ctx, specs, obj)
    ch = layers.of(game, obj)
    permanent = any(kind in ch.types for kind in PERMANENT_TYPES)
    if not fine:
        if _reverts(game, obj):
            game.trace.cite("608.3b", "702.103e")
            _enter(game, obj, None)
            return
        game.trace.add("all its targets are illegal: it doesn't resolve", "608.2b")
        events.happen(game, [events.move(obj, "graveyard", cause="fizzle", rules=("608.2b",))])
        return
    if permanent:
        attach = groups[0][0] if "Aura" in ch.subtypes and groups and groups[0] else None
        _enter(game, obj, attach)
        return
    instructions(ctx, body, modes, groups, obj)
    if obj.gone:
        return
    if obj.face == "adventure" and obj.kind == "copy":
        game.trace.cite("715.3c")
    for event in events.happen(game, [events.move(obj, "graveyard", cause="resolve")]):  # CR 608.2n
        if "715.3d" in event.rules and event.new is not None and event.new.zone == "exile":
            _permit_card(ctx, event.new)


def _reverts(game: Game, obj: Object) -> bool:
    """CR 702.103e, 608.3b: a bestowed Aura spell whose target is illegal goes on resolving as a creature spell."""
    if not attaching.is_bestowed(game, obj):
        return False
    attaching.cease_to_be_bestowed(game, obj)
    game.trace.add(f"{events.label(game, obj)} ceases to be bestowed", "702.103e", "608.3b")
    return True


def _permit_card(ctx: Context, card: Object) -> None:
    """CR 715.3d: as long as the card stays exiled, that player may play it, but not as an Adventure."""
    from judgecall.oracle import lasting
    from judgecall.oracle.vocabulary.grammar import parse_value

    cast = {"may cast": {"zone": "exile", "not subtypes": "Adventure"}, "by rule": "715.3d"}
    for rule in (cast, {"may play lands": {"zone": "exile"}}):
        lasting.add(ctx, parse_value("rule", rule), "forever", (card,), context={})


def _enter(game: Game, obj: Object, attach: Any) -> None:
    """CR 608.3: a permanent spell becomes a permanent under its controller's control."""
    details: dict[str, Any] = {"controller": obj.controller}
    if attach is not None:
        details["attach_to"] = attach
    paid = [way for way, _ in layers.of(game, obj).each(AlternativeCost) if way.name in obj.cast.get("using", ())]
    done = events.happen(game, [events.move(obj, "battlefield", cause="enter", **details)])
    for event in done:
        if event.new is not None and event.new.zone == "battlefield":
            see_to(game, event.new, paid)
    if not done and not obj.gone:
        events.happen(game, [events.move(obj, "graveyard", cause="resolve", rules=("608.3e",))])


def see_to(game: Game, permanent: Object, paid: Iterable[AlternativeCost]) -> None:
    """What costs that were paid for a spell say of the permanent that it has become (CR 702.109a).

    These abilities function on the stack: the permanent need not have them.
    """
    for way in paid:
        if way.entered:
            game.trace.cite(way.rule)
            perform(Context(game, permanent.controller, permanent), way.entered)


__all__ += ["context_of", "instructions", "leave", "see_to"]
