"""Targets: what may be chosen, and whether it is still legal (CR 115, 601.2c, 608.2b)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from judgecall.oracle import layers, protection, statics
from judgecall.oracle.agents import Question, Refused
from judgecall.oracle.definitions import Activated, Filter, Node, TargetSpec
from judgecall.oracle.describing import label
from judgecall.oracle.reasons import instead
from judgecall.oracle.state import Game, Object, Player
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.filters import in_zone

if TYPE_CHECKING:
    from judgecall.oracle.events import Event

__all__ = ["NoTargets", "became_targets", "candidates", "choose", "legal", "required", "still_legal"]

Groups = tuple[tuple[Any, ...], ...]


class NoTargets(Exception):
    """There are not enough legal targets."""


def candidates(ctx: Context, spec: TargetSpec, obj: Object | None, each: Player | None = None) -> list[Any]:
    """Everything that may be chosen for one use of "target", seen from the spell or ability ``obj``."""
    ctx = ctx.having(each=each) if each is not None else ctx
    found: list[Any] = []
    if spec.players is not None:
        found.extend(player for player in ctx.players(spec.players) if legal_player(ctx, player, obj))
    if spec.filter is not None:
        for thing in _pool(ctx, spec):
            if thing is obj:
                continue
            if ctx.matches(spec.filter, thing) and legal(ctx, thing, obj):
                found.append(thing)
    return found


def _pool(ctx: Context, spec: TargetSpec) -> list[Object]:
    assert spec.filter is not None
    zones = _zones(spec.filter)
    found: list[Object] = []
    for zone in zones:
        for thing in ctx.pool(zone):
            if not any(thing is other for other in found):
                found.append(thing)
    return found


def _zones(filter: Any) -> list[str | None]:
    if filter.zone is not None:
        return [filter.zone]
    for name, value in filter.tests:
        if name == "any_of":
            zones: list[str | None] = []
            for part in value:
                zones.extend(zone for zone in _zones(part) if zone not in zones)
            return zones
        if name in ("ability", "spell"):
            return ["stack"]
    return [None]


def legal(ctx: Context, thing: Object, obj: Object | None) -> bool:
    """Whether nothing forbids that the object be a target of what ``ctx`` is about (CR 115, 702.11, 702.16, 702.18)."""
    rule = why_not(ctx, thing, obj)
    if rule is not None:
        ctx.game.trace.cite(rule)
    return rule is None


def why_not(ctx: Context, thing: Object, obj: Object | None) -> str | None:
    """The rule that keeps an object from being a target, or None."""
    if thing.zone == "battlefield":
        if thing.phased_out:
            return "702.26b"
        found = layers.of(ctx.game, thing)
        if found.abilities or found.rules:
            if found.has("shroud"):
                return "702.18a"
            if thing.controller is not ctx.you and (rule := protection.hexproof(ctx, found)):
                if not _despite(ctx.game, "hexproof", thing):
                    return rule
            if protection.protects(ctx.game, thing, _source(ctx, obj)):
                values = [ability.value for ability in found.keywords()["protection"]]
                return "702.16j" if "everything" in values else "702.16b"
    for node, rule_ctx in statics.rules(ctx.game, "cant target"):
        who = node.args.get("who")
        if who is not None and ctx.you not in rule_ctx.players(who):
            continue
        filter = node.args.get("filter")
        if filter is None or not rule_ctx.matches(filter, thing):
            continue
        by = node.args.get("by")
        if by is None or (obj is not None and rule_ctx.matches(by, obj)):
            return "101.2"
    return None


def _despite(game: Game, keyword: str, thing: Object) -> bool:
    """Whether it may be a target as though it did not have the keyword (CR 609.4)."""
    return any(
        node.args["keyword"] == keyword and ctx.matches(node.args["filter"], thing)
        for node, ctx in statics.rules(game, "may target despite")
    )


def legal_player(ctx: Context, player: Player, obj: Object | None) -> bool:
    """Whether a player may be targeted: a player may have hexproof, shroud or protection (CR 702.11c, 702.16b)."""
    if player.left:
        return False
    return not protection.player_protected(ctx, player, _source(ctx, obj))


def _source(ctx: Context, obj: Object | None) -> Object | None:
    if obj is not None and obj.kind == "ability":
        return obj.source
    return obj if obj is not None else ctx.this


def choose(ctx: Context, specs: Sequence[TargetSpec], given: Any, obj: Object) -> Groups:
    """Announce targets (CR 601.2c). ``given``: as an action names them, flat or in groups; None: ask.

    Raises:
        NoTargets: too few legal targets, where nothing was given.
        Refused: what was given is not legal.
    """
    if given is None:
        asked = _ask_together(ctx, specs, obj)
        if asked is not None:
            given = asked
    groups: list[tuple[Any, ...]] = []
    flat = given is not None and not any(isinstance(item, (list, tuple)) for item in given)
    rest = list(given) if given is not None else []
    if specs:
        spell = obj.kind != "ability"
        kind = "115.1a" if spell else "115.1c" if isinstance(obj.ability, Activated) else "115.1d"
        ctx.game.trace.cite("601.2c", kind)
    wide = [spec for spec in specs if spec.condition is None or ctx.holds(spec.condition)]
    for index, spec in enumerate(specs):
        ctx.groups = tuple(groups)
        if spec.condition is not None and not ctx.holds(spec.condition):
            groups.append(())
            continue
        rounds: list[Player | None] = list(ctx.players(spec.each)) if spec.each is not None else [None]
        chosen_all: list[Any] = []
        for each in rounds:
            options = candidates(ctx, spec, obj, each)
            if spec.other_than is not None and spec.other_than - 1 < len(groups):
                taken = groups[spec.other_than - 1]
                options = [thing for thing in options if not any(thing is other for other in taken)]
            options = [thing for thing in options if not any(thing is other for other in chosen_all)]
            minimum = ctx.amount(spec.minimum)
            maximum = min(ctx.amount(spec.maximum), max(len(options), minimum))
            if given is None:
                if len(options) < minimum:
                    raise NoTargets
                most = min(maximum, len(options))
                offered = tuple(options) if most else ()
                answer = ctx.game.agent.decide(
                    Question(ctx.you, "targets", "choose targets", offered, minimum, most, obj)
                )
                chosen = _checked(ctx, obj, answer, options, minimum, maximum)
            elif flat:
                remaining = sum(required(ctx, later) for later in specs[index + 1 :] if later in wide)
                take = _take(rest, options, minimum, ctx.amount(spec.maximum), remaining)
                chosen = _checked(ctx, obj, take, options, minimum, ctx.amount(spec.maximum))
                del rest[: len(take)]
            else:
                item = rest.pop(0) if rest else []
                item = item if isinstance(item, (list, tuple)) else [item]
                chosen = _checked(ctx, obj, item, options, minimum, ctx.amount(spec.maximum))
            chosen_all.extend(chosen)
        groups.append(tuple(chosen_all))
    if specs and not any(groups):
        ctx.game.trace.cite("115.6")
    if given is not None and rest:
        raise Refused("more targets than the text asks for", "601.2c", "targets")
    ctx.groups = tuple(groups)
    for spec in specs:
        if spec.total is not None and not ctx.holds(spec.total):
            raise Refused("these targets do not meet a condition on all of them", "601.2c", "targets")
    return tuple(groups)


def may_become(ctx: Context, specs: Sequence[TargetSpec], before: Groups, after: Groups, obj: Object) -> bool:
    """Whether targets may be changed so: the new ones are legal, and no other becomes illegal (CR 115.7d, 115.7e)."""
    for index, (spec, group) in enumerate(zip(specs, after, strict=False)):
        then, now = _allowed(ctx, specs, after, index, obj), _allowed(ctx, specs, before, index, obj)
        for thing, was in zip(group, before[index], strict=True):
            lost = thing is not was or any(thing is option for option in now)
            if lost and not any(thing is option for option in then):
                return False
        if len({id(thing) for thing in group}) != len(group):
            return False
        if spec.each is not None and _too_many(ctx, spec, group, obj):
            return False
        if spec.total is not None and not ctx.having(groups=after).holds(spec.total):
            return False
    return True


def _allowed(ctx: Context, specs: Sequence[TargetSpec], groups: Groups, index: int, obj: Object) -> list[Any]:
    """What may be chosen for one use of "target" where the others have chosen what they have."""
    spec = specs[index]
    found = options_of(ctx.having(groups=groups), spec, obj)
    taken = groups[spec.other_than - 1] if spec.other_than is not None else ()
    return [thing for thing in found if not any(thing is other for other in taken)]


def options_of(ctx: Context, spec: TargetSpec, obj: Object) -> list[Any]:
    """Everything that may be chosen for one use of "target", for any of the players that it is repeated for."""
    rounds = ctx.players(spec.each) if spec.each is not None else [None]
    return [thing for each in rounds for thing in candidates(ctx, spec, obj, each)]


def _too_many(ctx: Context, spec: TargetSpec, group: tuple[Any, ...], obj: Object) -> bool:
    """Whether more of these are of one player than may be chosen for each (CR 601.2c)."""
    assert spec.each is not None
    for each in ctx.players(spec.each):
        own = candidates(ctx, spec, obj, each)
        if sum(any(thing is other for other in own) for thing in group) > ctx.amount(spec.maximum):
            return True
    return False


def _ask_together(ctx: Context, specs: Sequence[TargetSpec], obj: Object) -> list[Any] | None:
    """The targets of several parts of a text in one answer, in the order of the text; None: ask part by part."""
    active = [spec for spec in specs if spec.condition is None or ctx.holds(spec.condition)]
    rounds = [(spec, each) for spec in active for each in (ctx.players(spec.each) if spec.each is not None else [None])]
    if len(rounds) < 2:
        return None
    pools = [candidates(ctx, spec, obj, each) for spec, each in rounds]
    dependent = [n for n, (spec, _) in enumerate(rounds) if n and _depends_on_targets(spec.filter)]
    for n in dependent:
        # What may be chosen second may hang on what is chosen first: whatever some choice of it allows is on offer.
        for first in pools[0]:
            given_first = candidates(ctx.having(groups=((first,),)), rounds[n][0], obj, rounds[n][1])
            pools[n].extend(thing for thing in given_first if not any(thing is other for other in pools[n]))
    least = [ctx.amount(spec.minimum) for spec, _ in rounds]
    most = [min(ctx.amount(spec.maximum), len(pool)) for (spec, _), pool in zip(rounds, pools, strict=True)]
    if any(len(pool) < n for pool, n in zip(pools, least, strict=True)):
        raise NoTargets
    options: list[Any] = []
    for pool in pools:
        options.extend(thing for thing in pool if not any(thing is other for other in options))
    if not options or not sum(most):
        return []
    forced = not dependent and all(n == m == len(pool) for n, m, pool in zip(least, most, pools, strict=True))
    if forced:
        options = [thing for pool in pools for thing in pool]
    answer = ctx.game.agent.decide(
        Question(
            ctx.you,
            "targets",
            "choose targets",
            tuple(options),
            sum(least),
            sum(most),
            obj,
            same=forced,
            ordered=not forced,
        )
    )
    return list(answer) if isinstance(answer, (list, tuple)) else [answer]


def _depends_on_targets(value: Any) -> bool:
    """Whether a description refers to what was targeted before."""
    if isinstance(value, Node):
        return value.word.startswith("target") or any(map(_depends_on_targets, value.args.values()))
    if isinstance(value, Filter):
        return any(_depends_on_targets(part) for _, part in value.tests)
    return isinstance(value, tuple) and any(map(_depends_on_targets, value))


def required(ctx: Context, spec: TargetSpec) -> int:
    """How many targets there must be for one use of "target": none where its condition does not hold (CR 601.2c)."""
    if spec.condition is not None and not ctx.holds(spec.condition):
        return 0
    return ctx.amount(spec.minimum)


def _take(rest: list[Any], options: list[Any], minimum: int, maximum: int, remaining: int) -> list[Any]:
    """From a flat list: as many as this group may have, leaving the least that later groups need."""
    n = min(maximum, len(rest) - remaining)
    n = max(n, min(minimum, len(rest)))
    taken = rest[:n]
    if minimum < n:
        while len(taken) > minimum and not any(taken[-1] is option for option in options):
            taken = taken[:-1]
    return taken


def _checked(ctx: Context, obj: Object, answer: Any, options: list[Any], minimum: int, maximum: int) -> list[Any]:
    if not isinstance(answer, (list, tuple)):
        answer = [answer]
    chosen = list(answer)
    if len(chosen) < minimum or len(chosen) > maximum:
        raise Refused(f"targets chosen: {len(chosen)}, where {minimum} to {maximum} are asked for", "601.2c", "targets")
    for index, thing in enumerate(chosen):
        if any(thing is other for other in chosen[:index]):
            raise Refused("the same target twice for one use of the word", "601.2c", "targets", ("115.3",))
        if not any(thing is option for option in options):
            rule = why_not(ctx, thing, obj) if isinstance(thing, Object) and not thing.gone else None
            told = f"{label(ctx.game, thing)} is no legal target{instead(label(ctx.game, each) for each in options)}"
            elsewhere = isinstance(thing, Object) and thing.zone not in ("battlefield", "stack")
            raise Refused(told, rule or "601.2c", "targets", ("115.2",) if elsewhere else ())
    return chosen


def became_targets(game: Game, obj: Object, before: Groups = ()) -> None:
    """Objects and players have become targets (CR 601.2c): abilities that look for it trigger."""
    from judgecall.oracle import events

    old = [thing for group in before for thing in group]
    made: list[Event] = []
    for group in obj.targets:
        for thing in group:
            if any(thing is other for other in old):
                continue
            if any(thing is event.about for event in made):
                continue
            player = thing if isinstance(thing, Player) else None
            target = thing if isinstance(thing, Object) else None
            made.append(events.Event("target", target, player, source=obj))
    if made:
        events.happen(game, made)


def still_legal(ctx: Context, spec: TargetSpec, thing: Any, obj: Object, each: Player | None = None) -> bool:
    """Whether a target is still legal as the spell or ability resolves (CR 608.2b)."""
    if isinstance(thing, Player):
        return spec.players is not None and thing in ctx.players(spec.players) and legal_player(ctx, thing, obj)
    if thing.gone or spec.filter is None:
        return False
    if each is not None:
        ctx = ctx.having(each=each)
    if not any(zone_fits(thing, zone) for zone in _zones(spec.filter)):
        return False
    return ctx.matches(spec.filter, thing) and legal(ctx, thing, obj)


def zone_fits(thing: Object, zone: str | None) -> bool:
    """Whether an object is where a target must be."""
    return in_zone(thing, zone or "battlefield")


def legal_groups(ctx: Context, specs: Sequence[TargetSpec], obj: Object) -> tuple[Groups, bool]:
    """The targets that are still legal, and whether there are any where there were any (CR 608.2b)."""
    groups: list[tuple[Any, ...]] = []
    if obj.targets:
        ctx.game.trace.cite("608.2b")
    had = False
    some = False
    for index, (spec, group) in enumerate(zip(specs, obj.targets, strict=False)):
        kept = []
        rounds: Sequence[Player | None] = ctx.players(spec.each) if spec.each is not None else (None,)
        # Where one target hangs on another, an illegal one still says which were meant: only it is unaffected.
        ctx.groups = obj.targets[:index]
        for thing in group:
            had = True
            if any(still_legal(ctx, spec, thing, obj, each) for each in rounds):
                kept.append(thing)
                some = True
        groups.append(tuple(kept))
    return tuple(groups), some or not had


__all__ += ["legal_groups"]
