"""Replacement and prevention effects (CR 614–616): what would happen, settled into what will.

`settle` takes one event and gives the events that are to happen in its place. Effects apply one at a time, each at
most once to an event (CR 614.5), chosen by the affected player among those of the first class that applies
(CR 616.1a–f). Events that consist of others (destroying, discarding, drawing, creating tokens) become those others
once nothing more replaces them (CR 616.1g).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from judgecall.oracle import entering, layers, objects, preventing, statics
from judgecall.oracle.agents import Question, Refused
from judgecall.oracle.candidates import Candidate
from judgecall.oracle.definitions import Replacement
from judgecall.oracle.state import Game, Object, Player
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.words import evaluate

if TYPE_CHECKING:
    from judgecall.oracle.events import Event

__all__ = ["affected_player", "settle"]

_ORDER = {"self": 0, "control": 1, "copy": 2, "face": 3, "other": 4}


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
        arriving = current.kind in ("move", "token") and current.to == "battlefield"
        if arriving and not entering.prepare(game, current):
            continue
        kept = entering.kept_out(game, current) if arriving else None
        if kept is not None:
            _instead(game, current, kept, todo)
            continue
        found = _applicable(game, current, arriving)
        if found:
            chosen = _choose(game, current, found)
            current.applied = current.applied | {chosen.key}
            _instead(game, current, chosen.apply(current), todo)
            continue
        if arriving:
            instead = entering.barred(game, current)
            if instead is not None:
                _instead(game, current, instead, todo)
                continue
        parts = _EXPAND.get(current.kind)
        if parts is None:
            done.append(current)
        else:
            inner = parts(game, current)
            game.trace.cite("616.1g")
            if any(part is current for part in inner):
                for part in inner:
                    if part is current:
                        done.append(part)
                    else:
                        done.extend(settle(game, part))
            else:
                todo[:0] = inner
    return done


def _instead(game: Game, event: Event, made: list[Event], todo: list[Event]) -> None:
    """Events in place of one; an object that it alone would have brought does not come to be."""
    todo[:0] = made
    new = event.new
    if event.kind in ("move", "token") and new is not None and all(other.new is not new for other in made):
        game.write(new, "gone", True)
        game.write(new, "card", None)


def _choose(game: Game, event: Event, found: list[Candidate]) -> Candidate:
    first = min(candidate.order for candidate in found)
    among = [candidate for candidate in found if candidate.order == first]
    if len(found) > 1:
        game.trace.cite("616.1f")
    if event.applied or game.trace.within:
        game.trace.cite("616.2")  # what another effect has made of the event
    if len(among) == 1:
        return among[0]
    results = {repr(candidate.result) for candidate in among}
    same = len(results) == 1 and among[0].result is not None
    player = affected_player(game, event)
    if len({id(candidate.source) for candidate in among}) == 1:
        if same or (among[0].source is not None and event.kind == "move" and event.to == "battlefield"):
            return among[0]  # one object's own effects as it enters: each comes after the other
        if event.kind == "move":
            with game.trial():
                ends = _ends(game, event, among)
            if len(ends) == 1:
                return among[0]  # whichever comes first, the last word is the same
    options = _options(among)
    answer = game.agent.decide(
        Question(player, "replacement", "which effect applies", options, 1, 1, source=event.obj, same=same)
    )
    for candidate, option in zip(among, options, strict=True):
        if option is answer or option == answer:
            return candidate
    held = [candidate for candidate in among if candidate.holder is not None and candidate.holder is answer]
    if len(held) != 1:
        raise Refused(f"{answer!r} has no effect that applies", "616.1")
    return held[0]


def _ends(game: Game, event: Event, among: list[Candidate]) -> set[Any]:
    """Where a move may end, whichever of its effects comes first; an effect of another kind is an end of its own."""
    found: set[Any] = set()
    for candidate in among:
        result = candidate.result
        if not isinstance(result, tuple) or result[0] != "go":
            found.add(candidate.key)
            continue
        moved = event.but(to=result[1], new=None, position=None, applied=event.applied | {candidate.key})
        keys = {other.key for other in among}
        later = [other for other in _applicable(game, moved, arriving=False) if other.key in keys]
        found |= _ends(game, moved, later) if later else {result}
    return found


def _options(among: list[Candidate]) -> tuple[Any, ...]:
    """The objects whose effects may apply; a counter's effect goes by the counter beside its object's own."""
    found: list[Any] = []
    for candidate in among:
        alone = sum(other.source is candidate.source for other in among) == 1
        by_rule = isinstance(candidate.key, str)
        if candidate.source is None or (by_rule and not alone):
            found.append(_CALLED.get(candidate.key, candidate.key))
        else:
            found.append(candidate.source)
    return tuple(found)


_CALLED = {"finality": "finality counter", "stun": "stun counter", "shield": "shield counter"}

# -- what cannot happen --------------------------------------------------------------------------------------


def _forbidden(game: Game, event: Event) -> bool:
    """CR 101.2, 614.17: what can't happen does not, and is not replaced."""
    obj = event.obj
    if event.kind == "destroy" and obj is not None:
        if obj.gone:
            return True
        if not layers.of(game, obj).has("indestructible"):
            return False
        if "704.5g" not in event.rules and "704.5h" not in event.rules:  # those are checked again and again
            game.trace.cite("702.12b")
        return True
    if event.kind in ("sacrifice", "discard", "untap", "tap", "turn up", "transform") and obj is not None and obj.gone:
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
        from judgecall.oracle import protection

        if isinstance(target, Object):
            protected = protection.protects(game, target, event.source)
        else:
            protected = isinstance(target, Player) and protection.protects_player(game, target, event.source)
        if protected and event.details.get("unpreventable"):
            game.trace.cite("615.12")
            return False
        if protected:
            game.trace.add("protection prevents the damage", "702.16e")
        return protected
    if event.kind == "counters":
        if event.amount <= 0:
            return True
        if not statics.forbids(game, "cant get counters", obj=obj, player=event.player):
            return False
        if event.cause == "enters":
            game.trace.cite("614.17d")
        return True
    if event.kind == "untap" and obj is not None and "untap" in layers.of(game, obj).cant:
        return event.cause == "untap step"
    if event.kind == "draw":
        return statics.forbids(game, "cant draw", player=event.player) or statics.draw_limit(game, event.player)
    return False


# -- which effects apply -------------------------------------------------------------------------------------


def _applicable(game: Game, event: Event, arriving: bool) -> list[Candidate]:
    found: list[Candidate] = []
    _game_rules(game, event, found)
    if event.kind in _REPLACEABLE:
        _abilities(game, event, found)
    if arriving:
        entering.effects_on_entering(game, event, found)
    elif event.kind == "face" and event.details["what"] in ("up", "back", "front"):
        entering.effects_on_turning(game, event, found)
    left = [candidate for candidate in found if candidate.key not in event.applied]
    if len(left) < len(found):
        game.trace.cite("614.5")
    return left


_REPLACEABLE = frozenset(
    [
        "move",
        "draw",
        "damage",
        "gain life",
        "lose life",
        "counters",
        "create",
        "destroy",
        "discard",
        "untap",
        "tap",
        "step",
        "lost",
        "mill",
        "search",
        "mana",
        "pay life",
        "token",
        "turn",
        "remove counters",
        "scry",
        "phase out",
        "shuffle",
    ]
)


def _redirect(game: Game, event: Event, to: str, *rules: str) -> list[Event]:
    changed = event.but(to=to, new=None, position=None, rules=(*event.rules, *rules))
    return [changed]


def _game_rules(game: Game, event: Event, found: list[Candidate]) -> None:
    """Replacement effects that the rules themselves make: counters of certain kinds, Adventures, commanders."""
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
    if event.kind == "move" and event.cause == "resolve" and event.to == "graveyard" and obj.face == "adventure":
        if obj.zone == "stack" and obj.kind == "card":
            found.append(
                Candidate("adventure", obj, 4, lambda e: _redirect(game, e, "exile", "715.3d"), ("adventure",))
            )
    if event.kind == "untap" and objects.counters(obj, "stun"):
        found.append(Candidate("stun", obj, 4, lambda e: [_uncount(obj, "stun", "122.1d")], ("stun",)))
    if event.kind in ("destroy", "damage") and objects.counters(obj, "shield"):
        if event.kind == "damage" or not any(rule.startswith("704.") for rule in event.rules):
            found.append(Candidate("shield", obj, 4, lambda e: _shield(game, e, obj), ("shield",)))
    if event.kind == "move" and event.to in ("hand", "library") and obj.card is not None and obj.card.commander:
        from judgecall.oracle import commander

        if game.format == "commander":
            found.append(Candidate("commander", obj, 4, lambda e: commander.may_replace(game, e), ("commander",)))


def _shield(game: Game, event: Event, obj: Object) -> list[Event]:
    """CR 122.1c: a shield counter is removed instead; damage that can't be prevented is dealt besides (CR 615.12)."""
    if event.kind != "damage":
        return [_uncount(obj, "shield", "122.1c")]
    from judgecall.oracle.vocabulary.grammar import parse_effects

    game.trace.cite("122.1c")
    then = parse_effects([{"remove counters": {"shield": 1}}])
    preventing.remember(game, preventing.Besides(("shield", obj.id), Context(game, obj.controller, obj), then))
    if not event.details.get("unpreventable"):
        return []
    game.trace.cite("615.12")
    return [event]


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
            source = held.giver or obj
            _consider(game, event, ability, ctx, source, (obj.id, id(ability), held.stamp), None, found)
    for effect in game.effects:
        if isinstance(effect.ability, Replacement):
            ctx = Context(game, effect.controller, effect.source, **dict(effect.context))
            _consider(game, event, effect.ability, ctx, effect.source, ("floating", effect.stamp), effect, found)


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
        game.trace.cite("614.5")
        return
    if effect is not None and effect.affected is not None and not _among(event, effect.affected):
        return
    bindings = evaluate("replace", ability.event, ctx, event)
    if bindings is None:
        return
    if event.kind == "damage" and event.details.get("unpreventable") and _prevents(ability):
        game.trace.cite("615.12")
        if not _does_more(ability):
            return
    event_ctx = ctx.having(event={**ctx.event, **_bindings(event), **bindings}, results=dict(ctx.results))
    if ability.condition is not None and not event_ctx.holds(ability.condition):
        return

    def apply(current: Event) -> list[Event]:
        return perform(game, current, ability, event_ctx, effect)

    result: Any = None
    if len(ability.instead) == 1 and not ability.optional and ability.instead[0].word in ("go to", "redouble"):
        result = ("go", str(ability.instead[0].args.get("zone")))
        if ability.instead[0].args.get("reveal") or ability.instead[0].args.get("shuffle"):
            result = None
        elif ability.instead[0].args.get("zone") != "exile":
            result = (*result, str(ability.instead[0].args.get("position")))
    if _multiplies(ability):
        result = ("times",)  # in whatever order
    if ability.event.word == "regenerates":
        result = ("regenerate",)
    if result is None and not ability.optional:
        result = ("same ability", id(ability), id(ctx.you))
    holder = ctx.this if ctx.this is not source else None
    found.append(Candidate(key, source, _ORDER[ability.class_], apply, result, holder=holder))


def _multiplies(ability: Replacement) -> bool:
    """Whether the effect only multiplies the number in an event by one that does not depend on it."""
    if ability.optional or [node.word for node in ability.instead] != ["amount becomes"]:
        return False
    number = ability.instead[0].args["n"]
    if getattr(number, "word", None) != "times":
        return False
    return all(isinstance(part, int) or part.word == "that much" for part in number.args["of"])


def _among(event: Event, affected: tuple[Any, ...]) -> bool:
    return any(event.obj is thing or event.player is thing for thing in affected)


def _prevents(ability: Replacement) -> bool:
    return any(node.word == "prevent it" for node in ability.instead)


def _does_more(ability: Replacement) -> bool:
    """Whether a prevention effect does something besides, which it does to any damage (CR 615.5, 615.12)."""
    return any(node.word != "prevent it" or node.args.get("then") for node in ability.instead)


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
    prevents = _prevents(ability)
    if ability.once and effect is not None and not prevents:
        game.write(game, "effects", tuple(other for other in game.effects if other is not effect))
    about = ctx.this if ctx.this is not None else event.obj
    game.trace.add(f"{events.label(game, about)} replaces what would happen", "614.6")
    changed = event.but()
    game.trace.cite("614.4", *(() if prevents else ("614.1a",)), *ability.rules)
    ctx.results["event"] = changed
    ctx.results["effect"] = effect
    ctx.results["kept"] = False
    with game.trace.replacing():
        resolving.perform(ctx, tuple(n for n in ability.instead if n.word == "prevent it" or not prevents))
    if prevents:
        _besides(game, event, ability, ctx, effect)
    extra = ctx.results.get("extra", [])
    return ([changed] if ctx.results["kept"] else []) + list(extra)


def _besides(game: Game, event: Event, ability: Replacement, ctx: Context, effect: Any) -> None:
    """The rest of a prevention effect, once for what is dealt at the same time, to one thing or by "the next time"."""
    then = tuple(
        node
        for part in ability.instead
        for node in ((part.args.get("then") or ()) if part.word == "prevent it" else (part,))
    )
    prevented = int(ctx.results.get("prevented", 0))
    unpreventable = bool(event.details.get("unpreventable"))
    used = effect if ability.once and not unpreventable else None
    if used is None and not (then and (prevented or unpreventable)):
        return
    whole = effect is not None and (ability.once or "shield" in ctx.results)
    key = (id(ability), ctx.this, None if effect is None else effect.stamp, None if whole else event.about)
    preventing.remember(game, preventing.Besides(key, ctx, then, prevented, used))


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
    cards = player.library_cards
    if len(cards) < len(player.library):
        game.trace.cite("111.8")
    if not cards:
        return [Made("draw from empty", player=player, rules=event.rules)]
    return [Made("move", cards[0], player, to="hand", cause="draw", source=event.source, rules=event.rules)]


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
