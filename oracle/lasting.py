"""Effects that last: continuous effects, shields, delayed triggers, and when they end (CR 611.2, 603.7, 614, 610.3)."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from judgecall.oracle.definitions import Body, Node, Triggered
from judgecall.oracle.state import NOTHING, FloatingEffect, Game, Object, Player

if TYPE_CHECKING:
    from judgecall.oracle.vocabulary.context import Context

__all__ = ["add", "conditional", "control_lost", "delay", "end", "return_when_leaves", "surroundings"]


def surroundings(ctx: Context) -> dict[str, Any]:
    """What an effect keeps of the surroundings that it was made in: X, the event, results, targets."""
    return {
        "x": ctx.x,
        "event": ctx.event,
        "groups": ctx.groups,
        "paid": ctx.paid,
        "results": {key: value for key, value in ctx.results.items() if key not in ("event", "effect")},
        "each": ctx.each,
        "stack": ctx.stack,
    }


def add(
    ctx: Context,
    ability: Any,
    ends: str,
    affected: tuple[Any, ...] | None = None,
    until: Any = None,
    controller: Player | None = None,
    context: Any = None,
) -> FloatingEffect:
    """Begin a lasting effect now; the one that is returned is the last of its parts, if some objects get less of it."""
    from judgecall.oracle import events

    game = ctx.game
    for part, things in _possible(game, ability, affected):
        effect = FloatingEffect(
            part,
            controller if controller is not None else ctx.you,
            ctx.this,
            game.stamp(),
            ends,
            things,
            until,
            MappingProxyType(surroundings(ctx) if context is None else context),
            game.turn,
        )
        events.happen(game, [events.Event("effect", details={"effect": effect})])
    events.align(game)
    return effect


def _possible(game: Game, ability: Any, affected: tuple[Any, ...] | None) -> list[tuple[Any, tuple[Any, ...] | None]]:
    """What an effect does to which of its objects: none gains a keyword that it cannot have (CR 113.11)."""
    from judgecall.oracle import layers

    given = _gained(ability) if affected else frozenset()
    if not given:
        return [(ability, affected)]
    parts: dict[frozenset[str], list[Any]] = {}
    for thing in affected or ():
        barred = layers.of(game, thing).forbidden if isinstance(thing, Object) else frozenset()
        parts.setdefault(given & barred, []).append(thing)
    if any(parts):
        game.trace.cite("113.11")
    return [(_without(ability, barred) if barred else ability, tuple(things)) for barred, things in parts.items()]


def _gained(ability: Any) -> frozenset[str]:
    """The keywords that a continuous effect gives."""
    if not isinstance(ability, Node) or ability.word != "affects":
        return frozenset()
    given = (each for change in ability.args["change"] if change.word == "gain" for each in change.args["abilities"])
    return frozenset(each.keyword for each in given if each.keyword is not None)


def _without(ability: Node, keywords: frozenset[str]) -> Node:
    """The same effect, but for these keywords."""
    changes = []
    for change in ability.args["change"]:
        if change.word == "gain":
            kept = tuple(each for each in change.args["abilities"] if each.keyword not in keywords)
            change = Node("gain", MappingProxyType({**change.args, "abilities": kept}))
        changes.append(change)
    return Node(ability.word, MappingProxyType({**ability.args, "change": tuple(changes)}))


def delay(
    ctx: Context,
    trigger: Node,
    body: Body,
    *,
    affected: tuple[Any, ...] | None = None,
    ends: str = "once",
    until: Any = None,
) -> None:
    """Create a delayed triggered ability (CR 603.7)."""
    add(ctx, Triggered(zones=frozenset({"any"}), trigger=trigger, body=body), ends, affected, until)


def return_when_leaves(ctx: Context, source: Object, things: list[Any], to: str) -> None:
    """CR 610.3: what was exiled until something leaves comes back at once when it does."""
    effect = Node("return when leaves", MappingProxyType({"things": tuple(things), "to": to}))
    add(ctx, effect, "source leaves", None, source, context=NOTHING)


def end(game: Game, ends: str, matching: Any) -> None:
    """End the lasting effects with a duration, as far as a test lets them."""
    kept = tuple(effect for effect in game.effects if not (effect.ends == ends and matching(effect)))
    if len(kept) != len(game.effects):
        from judgecall.oracle import events

        game.write(game, "effects", kept)
        events.align(game)
        source_left(game)


def control_lost(game: Game, obj: Object) -> None:
    """End what a permanent has until its controller loses control of it: the haste of suspend (CR 702.62a)."""
    end(game, "control lost", lambda effect: any(thing is obj for thing in effect.affected or ()))


def conditional(game: Game) -> bool:
    """Whether anything lasts for as long as something is so, which whatever happens may change (CR 611.2b)."""
    return any(effect.ends == "as long as" for effect in game.effects)


def source_left(game: Game) -> bool:
    """End what lasts as long as its object is where it is; return what was exiled until then. True if anything did."""
    from judgecall.oracle import events

    changed = False
    back: list[Any] = []
    kept = []
    for effect in game.effects:
        about = effect.until
        if effect.ends in ("source leaves", "leaves") and isinstance(about, Object) and about.gone:
            changed = True
            node = effect.ability
            if isinstance(node, Node) and node.word == "return when leaves":
                for thing in node.args["things"]:
                    if not thing.gone:
                        back.append(
                            events.move(
                                thing,
                                node.args["to"],
                                cause="return",
                                controller=thing.owner,
                                rules=("610.3",),
                            )
                        )
            continue
        if effect.ends == "as long as" and not _holds(game, effect):
            game.trace.cite("611.2b")
            changed = True
            continue
        kept.append(effect)
    if changed:
        game.write(game, "effects", tuple(kept))
        if len(back) > 1:
            game.trace.cite("610.3d")
        events.happen(game, back)
        events.align(game)
    return changed


def _holds(game: Game, effect: FloatingEffect) -> bool:
    from judgecall.oracle.vocabulary.context import Context

    condition = effect.until
    ctx = Context(game, effect.controller, effect.source, **dict(effect.context))
    return ctx.holds(condition)
