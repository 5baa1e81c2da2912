"""Whether a creature can block, and whether a declaration of blockers is legal (CR 509.1)."""

from __future__ import annotations

from itertools import product

from judgecall.oracle import events, layers, protection, statics
from judgecall.oracle.agents import Refused
from judgecall.oracle.characteristics import Characteristics
from judgecall.oracle.definitions import Filter
from judgecall.oracle.state import Game, Object, Player

__all__ = ["able", "can_block", "check"]

Declared = dict[Object, tuple[Object, ...]]


def able(game: Game, obj: Object, player: Player) -> bool:
    """CR 509.1a: an untapped creature of the defending player."""
    ch = layers.of(game, obj)
    return (
        not obj.phased_out
        and obj.controller is player
        and "Creature" in ch.types
        and "Battle" not in ch.types
        and not obj.tapped
    )


def can_block(game: Game, blocker: Object, attacker: Object) -> str | None:
    """The rule that keeps a creature from blocking an attacker, or None (CR 509.1b)."""
    own, other = layers.of(game, blocker), layers.of(game, attacker)
    if "block" in own.cant:
        return "509.1b"
    if "be blocked" in other.cant:
        return "509.1b"
    rule = _evasion(game, blocker, own, attacker, other)
    if rule is not None:
        return rule
    for name, filter, ctx in other.rules:
        if name == "cant be blocked by" and ctx.matches(filter, blocker):
            return "509.1b"
        if name == "can be blocked only by" and not ctx.matches(filter, blocker):
            return "509.1b"
    for name, filter, ctx in own.rules:
        if name == "can block only" and not ctx.matches(filter, attacker):
            return "509.1b"
        if name == "cant block" and ctx.matches(filter, attacker):
            return "509.1b"
    return None


def _evasion(game: Game, blocker: Object, own: Characteristics, attacker: Object, other: Characteristics) -> str | None:
    """Evasion abilities (CR 702)."""
    if other.has("flying") and not (own.has("flying") or own.has("reach")):
        return "702.9b"
    if other.has("shadow") != own.has("shadow") and not _ignores(game, "shadow", attacker, own):
        return "702.28b"
    if other.has("horsemanship") and not own.has("horsemanship"):
        return "702.31b"
    if other.has("fear") and not ("Artifact" in own.types or "black" in own.colors):
        return "702.36b"
    if other.has("intimidate") and not ("Artifact" in own.types or own.colors & other.colors):
        return "702.13b"
    if other.has("skulk") and (own.power or 0) > (other.power or 0):
        return "702.118b"
    if protection.protects(game, attacker, blocker):
        return "702.16f"
    if any(_walks(game, walk.value, blocker.controller, attacker) for walk in other.keywords().get("landwalk", ())):
        return _walked(own)
    return None


def _walked(own: Characteristics) -> str:
    """The rule that landwalk stops a blocker by: its own is no help (CR 702.14d)."""
    return "702.14d" if "landwalk" in own.keywords() else "702.14c"


def _ignores(game: Game, keyword: str, attacker: Object, own: Characteristics) -> bool:
    del game, attacker
    return any(name == "can block as though" for name, _, _ in own.rules) and keyword == "shadow"


def _walks(game: Game, filter: Filter, player: Player, attacker: Object) -> bool:
    from judgecall.oracle.vocabulary.context import Context

    ctx = Context(game, attacker.controller, attacker)
    game.trace.cite("702.14c")
    return any(thing.controller is player and "Land" in layers.of(game, thing).types for thing in ctx.all(filter))


def _limit(game: Game, blocker: Object) -> int:
    """How many attackers it can block (CR 509.1a)."""
    extra = 0
    for name, n, ctx in layers.of(game, blocker).rules:
        if name == "can block more":
            extra += ctx.amount(n)
    return 1 + extra


def restrictions_hold(game: Game, declared: Declared, attacked: list[Object]) -> str | None:
    """The rule that a declaration disobeys, or None (CR 509.1b)."""
    game.trace.cite("509.1b")
    if len(game.in_game()) > 2:
        game.trace.cite("802.2a")
    for blocker, blocked in declared.items():
        for attacker in blocked:
            rule = can_block(game, blocker, attacker)
            if rule is not None:
                return rule
        if len(blocked) > _limit(game, blocker):
            return "509.1a"
        own = layers.of(game, blocker)
        if "block alone" in own.cant and len(declared) == 1:
            return "509.1b"
    for attacker in attacked:
        n = sum(1 for blocked in declared.values() if any(other is attacker for other in blocked))
        ch = layers.of(game, attacker)
        if n == 1 and ch.has("menace"):
            return "702.111b"
        if n > 1 and "be blocked by more than one" in ch.cant:
            return "509.1b"
        if n and n < 3 and "be blocked except by three" in ch.cant:
            return "509.1b"
    for node, ctx in statics.rules(game, "block limit"):
        for blocker in declared:
            if blocker.controller in ctx.players(node.args["who"]) and len(declared) > ctx.amount(node.args["n"]):
                return "509.1b"
    return None


def _obeyed(game: Game, declared: Declared, ready: list[Object], attacked: list[Object]) -> int:
    """How many requirements a declaration obeys (CR 509.1c)."""
    total = 0
    for blocker in ready:
        ch = layers.of(game, blocker)
        if "block" in ch.must and blocker in declared:
            total += 1
        for name, filter, ctx in ch.rules:
            if name == "must block" and any(ctx.matches(filter, attacker) for attacker in declared.get(blocker, ())):
                total += 1
    for attacker in attacked:
        ch = layers.of(game, attacker)
        blockers = [b for b, blocked in declared.items() if any(other is attacker for other in blocked)]
        if "be blocked" in ch.must and blockers:
            total += 1
        if "be blocked by all" in ch.must:
            total += len(blockers)
    return total


def check(game: Game, player: Player, declared: Declared, ready: list[Object], attacked: list[Object]) -> None:
    """Refuse an illegal declaration of blockers.

    Raises:
        Refused: with the rule.
    """
    for blocker, blocked in declared.items():
        if not any(blocker is other for other in ready):
            raise Refused(f"{events.label(game, blocker)} cannot block", "509.1a", "permission")
        for attacker in blocked:
            if not any(attacker is other for other in attacked):
                raise Refused("that is not attacking this player", "509.1a", "permission")
        if len({id(attacker) for attacker in blocked}) != len(blocked):
            raise Refused("an attacker is blocked once by a creature", "509.1a", "permission")
    rule = restrictions_hold(game, declared, attacked)
    if rule is not None:
        raise Refused("the declaration disobeys a restriction", rule, "permission")
    best = _best(game, ready, attacked)
    if best:
        game.trace.cite("509.1c")
    if _obeyed(game, declared, ready, attacked) < best:
        raise Refused("more requirements could be obeyed", "509.1c", "permission")


def _required(game: Game, ready: list[Object], attacked: list[Object]) -> bool:
    for blocker in ready:
        ch = layers.of(game, blocker)
        if "block" in ch.must or any(name == "must block" for name, _, _ in ch.rules):
            return True
    return any({"be blocked", "be blocked by all"} & layers.of(game, attacker).must for attacker in attacked)


def _best(game: Game, ready: list[Object], attacked: list[Object]) -> int:
    """The greatest number of requirements that some legal block obeys; small boards are searched whole."""
    if not _required(game, ready, attacked):
        return 0
    ready = ready[:7]
    ways: list[list[tuple[Object, ...]]] = [
        [(), *((attacker,) for attacker in attacked if can_block(game, blocker, attacker) is None)] for blocker in ready
    ]
    best = 0
    for combination in product(*ways):
        trial = {blocker: blocked for blocker, blocked in zip(ready, combination, strict=True) if blocked}
        if restrictions_hold(game, trial, attacked) is None:
            best = max(best, _obeyed(game, trial, ready, attacked))
    return best
