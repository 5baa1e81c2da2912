"""Combat (CR 506–511): declaring, costs, requirements and restrictions, and combat damage."""

from __future__ import annotations

from itertools import product
from types import MappingProxyType
from typing import Any

from judgecall.oracle import blocking, choices, costs, damage, events, layers, objects, payment, statics
from judgecall.oracle.agents import Question, Refused
from judgecall.oracle.characteristics import Characteristics
from judgecall.oracle.describing import label
from judgecall.oracle.events import Event
from judgecall.oracle.state import Game, Object, Player, Removed
from judgecall.oracle.vocabulary.context import Context

Shares = list[tuple[Any, int]]
__all__ = [
    "abandon",
    "attackers",
    "deal_damage",
    "declare_attackers",
    "declare_blockers",
    "defending_player",
    "end",
    "join",
    "remove",
]


def attackers(game: Game) -> list[Object]:
    """The attacking creatures."""
    return [obj for obj in game.battlefield if obj.attacking is not None and not obj.phased_out]


def defending_player(game: Game, what: Any) -> Player | None:
    """The player attacked, or who controls the planeswalker or protects the battle (CR 508.5)."""
    if isinstance(what, Player):
        return what
    if isinstance(what, Removed):
        return what.defending
    if isinstance(what, Object):
        protector = what.chosen.get("protector")
        if protector is not None and "Battle" in layers.of(game, what).types:
            return protector  # type: ignore[no-any-return]
        return what.controller
    return None


def remove(game: Game, obj: Object) -> None:
    """CR 506.4: it stops attacking, blocking, being blocked, and being attacked."""
    if obj.attacking is not None or obj.blocking:
        game.trace.cite("506.4")
    _stop(game, obj)
    abandon(game, obj)


def abandon(game: Game, attacked: Object) -> None:
    """CR 506.4c: who attacks a planeswalker or battle that is removed from combat goes on attacking, but nothing."""
    removed: Removed | None = None
    for obj in game.battlefield:
        if obj.attacking is attacked:
            removed = removed or Removed(defending_player(game, attacked), "protector" not in attacked.chosen)
            game.write(obj, "attacking", removed)
    if removed is not None:
        game.trace.add(f"{label(game, attacked)} is no longer attacked", "506.4", "506.4c")


def keep(game: Game, obj: Object, ch: Characteristics) -> None:
    """CR 506.4: what attacks or blocks is removed from combat once it is no creature, or a battle.

    What it attacks is removed once it is neither planeswalker nor battle.
    """
    attacked = obj.attacking
    if isinstance(attacked, Object) and {"Planeswalker", "Battle"}.isdisjoint(layers.of(game, attacked).types):
        abandon(game, attacked)
    if "Creature" not in ch.types or "Battle" in ch.types:
        _stop(game, obj)  # being attacked is another matter (CR 506.4d)
        game.trace.add(f"{label(game, obj)} is removed from combat", "506.4")


def _stop(game: Game, obj: Object) -> None:
    if obj.attacking is not None:
        game.write(obj, "attacking", None)
        game.write(obj, "blocked", False)
    if obj.blocking:
        game.write(obj, "blocking", ())


def end(game: Game) -> None:
    """CR 511.3: everything is removed from combat, and what it did in this combat is past."""
    for obj in game.battlefield:
        _stop(game, obj)
        kept = {note: value for note, value in obj.notes.items() if not note.endswith(" this combat")}
        if len(kept) < len(obj.notes):
            game.write(obj, "notes", MappingProxyType(kept))
    _strike(game, None)


def join(game: Game, obj: Object, how: Any) -> None:
    """CR 508.4: put onto the battlefield attacking, without having been declared."""
    targets = defenders(game)
    if not attackers(game) and game.step not in ("declare attackers", "declare blockers", "combat damage"):
        return
    if isinstance(how, (Object, Player)):
        game.write(obj, "attacking", how)
        return
    if not targets:
        return
    if len(targets) > 1:
        targets = choices.pick(game, obj.controller, targets, 1, 1, "what it attacks", obj, "508.4")
    game.write(obj, "attacking", targets[0])


# -- attacking -----------------------------------------------------------------------------------------------


def defenders(game: Game) -> list[Any]:
    """What may be attacked: opponents, their planeswalkers, battles that they protect (CR 508.1b)."""
    found: list[Any] = []
    for player in game.opponents(game.active):
        found.append(player)
    for obj in game.battlefield:
        if obj.phased_out:
            continue
        ch = layers.of(game, obj)
        if ("Planeswalker" in ch.types and obj.controller is not game.active) or (
            "Battle" in ch.types and obj.chosen.get("protector") is not game.active
        ):
            found.append(obj)
    return found


def _able(game: Game, obj: Object) -> bool:
    """CR 508.1a: an untapped creature of the active player without summoning sickness."""
    from judgecall.oracle import turn

    ch = layers.of(game, obj)
    if obj.phased_out or obj.controller is not game.active or "Creature" not in ch.types or "Battle" in ch.types:
        return False
    return not obj.tapped and (ch.has("haste") or turn.controlled_since_turn_began(game, obj))


def _restricted(game: Game, obj: Object, what: Any) -> str | None:
    """The rule that keeps a creature from attacking something, or None."""
    ch = layers.of(game, obj)
    if "attack" in ch.cant:
        return "508.1c"
    if ch.has("defender") and "attack as though no defender" not in ch.must:
        return "702.3b"
    defending = defending_player(game, what)
    for name, filter, ctx in ch.rules:
        if name == "cant attack unless" and not _unless(ctx, filter, defending):
            return "508.1c"
    for node, ctx in statics.rules(game, "cant attack players"):
        if node.args.get("cost") is not None:
            continue
        if node.args.get("filter") is not None and not ctx.matches(node.args["filter"], obj):
            continue
        if what in ctx.players(node.args["who"]) or (
            node.args.get("planeswalkers") and isinstance(what, Object) and defending in ctx.players(node.args["who"])
        ):
            return "508.1c"
    return None


def _unless(ctx: Context, filter: Any, defending: Player | None) -> bool:
    inner = ctx.having(event={**ctx.event, "player": defending})
    return bool(inner.all(filter))


def declare_attackers(game: Game) -> None:
    """CR 508.1: the active player declares attackers; an illegal declaration is refused."""
    able = [obj for obj in game.battlefield if _able(game, obj)]
    targets = defenders(game)
    answer: Any = {}
    if targets and (able or _has_creature(game, game.active)):
        answer = choices.ask(
            game,
            Question(
                game.active,
                "attackers",
                "declare attackers",
                tuple(able),
                details=MappingProxyType({"defenders": tuple(targets)}),
            ),
        )
    declared: dict[Object, Any] = dict(answer or {})
    _check_attack(game, declared, able, targets)
    _pay_attack(game, declared)
    tapping = [
        Event("tap", obj, by=game.active, cause="attack", rules=("508.1f",))
        for obj in declared
        if not layers.of(game, obj).has("vigilance")
    ]
    events.happen(game, tapping)
    for obj, what in declared.items():
        game.write(obj, "attacking", what)
        game.write(obj, "blocked", False)
        game.write(obj, "notes", MappingProxyType({**obj.notes, "attacked": True, "attacked this combat": True}))
    _strike(game, None)
    step = Event("step", player=game.active, details={"step": "declare attackers"})
    made = [
        Event("attack", obj, game.active, details={"defender": what, "together": len(declared)})
        for obj, what in declared.items()
    ]
    events.happen(game, [step, *made])


def _check_attack(game: Game, declared: dict[Object, Any], able: list[Object], targets: list[Any]) -> None:
    for obj, what in declared.items():
        if not any(obj is other for other in able):
            rule, *also = _why_not(game, obj)
            raise Refused(f"{events.label(game, obj)} cannot attack", rule, "permission", tuple(also))
        if not any(what is other for other in targets):
            raise Refused("that cannot be attacked", "508.1b", "permission", _unattackable(game, what))
        restriction = _restricted(game, obj, what)
        if restriction is not None:
            raise Refused(f"{events.label(game, obj)} can't attack that", restriction, "permission")
    if not _restrictions_hold(game, declared):
        raise Refused("the declaration disobeys a restriction", "508.1c", "permission")
    best = _most_obeyed(game, able, targets)
    if best:
        game.trace.cite("508.1d")
    if _obeyed(game, declared, able) < best:
        goaded = any(name == "goaded" for obj in able for name, _, _ in layers.of(game, obj).rules)
        raise Refused("more requirements could be obeyed", "508.1d", "permission", ("701.15b",) if goaded else ())


def _has_creature(game: Game, player: Player) -> bool:
    """Whether a declaration could name a creature at all: one that may not be declared is refused with the rule."""
    return any(
        obj.controller is player and not obj.phased_out and "Creature" in layers.of(game, obj).types
        for obj in game.battlefield
    )


def _why_not(game: Game, obj: Object) -> tuple[str, ...]:
    """The rules by which an object cannot be declared as an attacker."""
    from judgecall.oracle import turn

    ch = layers.of(game, obj)
    if "Creature" not in ch.types:
        return "508.1a", "506.3"
    if "Battle" in ch.types:
        return ("508.1a",)
    sick = not ch.has("haste") and not turn.controlled_since_turn_began(game, obj)
    if sick and obj.controller is game.active:
        return ("508.1a", "302.6") if obj.tapped else ("302.6",)
    return ("508.1a",)


def _unattackable(game: Game, what: Any) -> tuple[str, ...]:
    """What else says that something cannot be attacked (CR 506.2, 506.3, 310.8b)."""
    if not isinstance(what, Object):
        return ("506.2",)
    types = layers.of(game, what).types if not what.gone else frozenset()
    if "Battle" in types:
        return "506.2", "310.8b"
    return ("506.2",) if "Planeswalker" in types else ("506.3",)


def _restrictions_hold(game: Game, declared: dict[Object, Any]) -> bool:
    """CR 508.1c: restrictions on the attack as a whole."""
    game.trace.cite("508.1c")
    for obj in declared:
        ch = layers.of(game, obj)
        if "attack alone" in ch.cant and len(declared) == 1:
            return False
        if "attack with others" in ch.cant and len(declared) > 1:
            return False
    for node, ctx in statics.rules(game, "attack limit"):
        if game.active in ctx.players(node.args["who"]) and len(declared) > ctx.amount(node.args["n"]):
            return False
    return True


def _requirements(game: Game, obj: Object) -> list[Any]:
    """What requires a creature to attack, and whom (CR 508.1d, 701.15b)."""
    ch = layers.of(game, obj)
    found: list[Any] = []
    if "attack" in ch.must:
        found.append(None)
    goading: list[Player] = []
    for name, _, ctx in ch.rules:
        if name == "goaded":
            if ctx.you in goading:
                game.trace.cite("701.15d")  # the same player once more adds no requirement
                continue
            goading.append(ctx.you)
            found.extend([None, ("not", ctx.you)])
        elif name == "must attack player":
            found.append(("player", ctx.you))
    return found


def _obeyed(game: Game, declared: dict[Object, Any], able: list[Object]) -> int:
    total = 0
    for obj in able:
        for need in _requirements(game, obj):
            if obj not in declared:
                continue
            if need is None:
                total += 1
            elif need[0] == "not":  # a player: a planeswalker or battle of another player is none (CR 701.15b)
                total += isinstance(declared[obj], Player) and declared[obj] is not need[1]
            else:
                total += declared[obj] is need[1]
    return total


def _most_obeyed(game: Game, able: list[Object], targets: list[Any]) -> int:
    """The greatest number of requirements that some legal attack obeys; attacks with a cost need not be made."""
    bound = [obj for obj in able if _requirements(game, obj)]
    if not bound:
        return 0
    others = [obj for obj in able if obj not in bound]
    helper: list[Object | None] = [None, *(others[:1])]
    ways: list[list[Any]] = [
        [None, *(t for t in targets if _restricted(game, obj, t) is None and not _attack_costs(game, obj, t))]
        for obj in bound[:6]
    ]
    best = 0
    for extra in helper:
        for combination in product(*ways):
            trial = {obj: what for obj, what in zip(bound, combination, strict=False) if what is not None}
            if extra is not None:
                free = next((t for t in targets if _restricted(game, extra, t) is None), None)
                if free is None:
                    continue
                trial[extra] = free
            if _restrictions_hold(game, trial):
                best = max(best, _obeyed(game, trial, able))
    return best


def _attack_costs(game: Game, obj: Object, what: Any) -> list[tuple[Any, Context]]:
    """CR 508.1g–h: costs to attack."""
    found = []
    for node, ctx in statics.rules(game, "cant attack players"):
        if node.args.get("cost") is None:
            continue
        if node.args.get("filter") is not None and not ctx.matches(node.args["filter"], obj):
            continue
        who = ctx.players(node.args["who"])
        if what in who or (node.args.get("planeswalkers") and defending_player(game, what) in who):
            found.append((node.args["cost"], ctx))
    for name, cost, ctx in layers.of(game, obj).rules:
        if name == "attack cost":
            from judgecall.oracle.vocabulary.grammar import parse_cost

            found.append((parse_cost(cost), ctx))
    return found


def _pay_attack(game: Game, declared: dict[Object, Any]) -> None:
    total = costs.TotalCost()
    about: Object | None = None
    for obj, what in declared.items():
        for cost, ctx in _attack_costs(game, obj, what):
            total.add(cost, ctx)
            about = obj
    if about is not None:
        game.trace.add("the cost to attack is paid", "508.1h")
        payment.pay(game, game.active, about, total, {}, None, "attack")


# -- blocking ------------------------------------------------------------------------------------------------


def declare_blockers(game: Game) -> None:
    """CR 509.1: each defending player declares blockers, in APNAP order."""
    declared: dict[Object, tuple[Object, ...]] = {}
    for player in game.apnap():
        attacked = [obj for obj in attackers(game) if defending_player(game, obj.attacking) is player]
        if not attacked:
            continue
        able = [obj for obj in game.battlefield if blocking.able(game, obj, player)]
        answer: Any = {}
        if able or _has_creature(game, player):
            answer = choices.ask(
                game,
                Question(
                    player,
                    "blockers",
                    "declare blockers",
                    tuple(able),
                    details=MappingProxyType({"attackers": tuple(attacked)}),
                ),
            )
        own = {
            obj: tuple(what) if isinstance(what, (list, tuple)) else (what,) for obj, what in dict(answer or {}).items()
        }
        blocking.check(game, player, own, able, attacked)
        declared.update(own)
    for obj, blocked in declared.items():
        game.write(obj, "blocking", blocked)
        game.write(obj, "notes", MappingProxyType({**obj.notes, "blocked": True, "blocked this combat": True}))
    made: list[Event] = [Event("step", player=game.active, details={"step": "declare blockers"})]
    for obj, blocked in declared.items():
        made.extend(
            Event("block", obj, obj.controller, source=attacker, details={"first": index == 0})
            for index, attacker in enumerate(blocked)
        )
    for attacker in attackers(game):
        n = sum(1 for blocked in declared.values() if any(other is attacker for other in blocked))
        if n:
            game.write(attacker, "blocked", True)
            made.append(Event("blocked", attacker, attacker.controller, amount=n))
        else:
            made.append(Event("unblocked", attacker, attacker.controller))
    events.happen(game, made)


# -- combat damage -------------------------------------------------------------------------------------------


def _first(game: Game, obj: Object) -> bool:
    ch = layers.of(game, obj)
    return ch.has("first strike") or ch.has("double strike")


def _second(game: Game, obj: Object, earlier: frozenset[int]) -> bool:
    """Whether it deals damage in the second step: it has not yet, or has double strike now (CR 702.4b–d, 702.7c)."""
    if obj.id not in earlier:
        return True
    again = layers.of(game, obj).has("double strike")
    if again:
        game.trace.cite("702.4b")
    elif not _first(game, obj):
        game.trace.cite("702.4c", "702.7c")  # it has lost what made it deal damage first
    return again


def _fighters(game: Game) -> list[Object]:
    return [obj for obj in game.battlefield if (obj.attacking is not None or obj.blocking) and not obj.phased_out]


def second_damage_step(game: Game) -> bool:
    """CR 510.4: whether a second combat damage step follows."""
    return isinstance(game.fresh.get("strike"), frozenset)


def _strike(game: Game, value: Any) -> None:
    """Note who has dealt damage in the first of two combat damage steps; None: combat is over."""
    rest = {key: kept for key, kept in game.fresh.items() if key != "strike"}
    game.write(game, "fresh", MappingProxyType(rest if value is None else {**rest, "strike": value}))


def deal_damage(game: Game) -> None:
    """CR 510: damage is assigned, then dealt all at once; with first strike around, in two steps."""
    fighters = _fighters(game)
    earlier = game.fresh.get("strike")
    early = [obj for obj in fighters if _first(game, obj)] if earlier is None else []
    if early:
        _strike(game, frozenset(obj.id for obj in early))
        dealing = early
        game.trace.add("creatures with first strike or double strike deal damage first", "510.4", "702.7b")
    elif isinstance(earlier, frozenset):
        dealing = [obj for obj in fighters if _second(game, obj, earlier)]
        _strike(game, "done")
    else:
        dealing = fighters
        _strike(game, "done")
    events.happen(game, [Event("step", player=game.active, details={"step": "combat damage"})])
    made: list[Event] = []
    for player in game.apnap():
        assigned = [(obj, _assign(game, obj)) for obj in dealing if obj.controller is player]
        _check_assignment(game, assigned)
        made.extend(
            damage.event(game, obj, thing, n, combat=True) for obj, shares in assigned for thing, n in shares if n > 0
        )
    events.happen(game, made)


def _check_assignment(game: Game, assigned: list[tuple[Object, Shares]]) -> None:
    """CR 510.1e, 702.19b–c: what goes through is legal where all blockers have lethal damage from all together."""
    together: dict[int, int] = {}
    deadly: set[int] = set()
    for obj, shares in assigned:
        for thing, n in shares:
            together[id(thing)] = together.get(id(thing), 0) + n
            if n and layers.of(game, obj).has("deathtouch"):
                deadly.add(id(thing))
    for obj, shares in assigned:
        if obj.attacking is None:
            continue
        ch = layers.of(game, obj)
        beyond = _beyond(game, obj, ch)
        given = {id(thing): n for thing, n in shares}
        if _tramples(ch) and obj.blocked and any(given.get(id(thing), 0) for thing in beyond):
            game.trace.cite("702.19b")
            for blocker in _blockers(game, obj):
                if id(blocker) not in deadly and together.get(id(blocker), 0) < damage.lethal(game, blocker, None):
                    raise Refused("lethal damage must be assigned to all blockers first", "702.19b")
        if ch.has("trample over planeswalkers"):
            game.trace.cite("702.19c")
        if len(beyond) > 1 and given.get(id(beyond[1]), 0):
            # Its loyalty counts, whatever its toughness is if it is a creature, too.
            if together.get(id(beyond[0]), 0) < objects.counters(beyond[0], "loyalty"):
                raise Refused("the planeswalker must be assigned its loyalty first", "702.19c")


def _blockers(game: Game, obj: Object) -> list[Object]:
    return [other for other in game.battlefield if any(a is obj for a in other.blocking) and not other.phased_out]


def _power(game: Game, obj: Object) -> int:
    ch = layers.of(game, obj)
    amount = ch.toughness if "assign by toughness" in ch.must else ch.power
    if amount is not None and amount < 0:
        game.trace.cite("107.1b")
    return max(0, amount or 0)


def _assign(game: Game, obj: Object) -> Shares:
    """CR 510.1a–d: how a creature assigns its combat damage."""
    amount = _power(game, obj)
    if amount <= 0:
        return []
    if obj.attacking is not None:
        return _attacker_shares(game, obj, amount)
    blocked = [
        other for other in obj.blocking if not other.gone and other.attacking is not None and not other.phased_out
    ]
    return _split(game, obj, amount, blocked) if blocked else []


def _goal(game: Game, obj: Object) -> Any:
    what = obj.attacking
    return None if isinstance(what, Removed) or (isinstance(what, Player) and what.left) else what


def _tramples(ch: Characteristics) -> bool:
    """Whether its damage goes past blockers: trample over planeswalkers is trample, too (CR 702.19b–c)."""
    return ch.has("trample") or ch.has("trample over planeswalkers")


def _beyond(game: Game, obj: Object, ch: Characteristics) -> list[Any]:
    """What an attacker may assign damage to beside its blockers; of two, first the planeswalker (CR 702.19b–c, e)."""
    goal = _goal(game, obj)
    if ch.has("trample over planeswalkers"):
        if isinstance(goal, Object) and "Planeswalker" in layers.of(game, goal).types:
            return [goal, goal.controller]
        what = obj.attacking
        if isinstance(what, Removed) and what.planeswalker and what.defending is not None and not what.defending.left:
            game.trace.cite("702.19e")
            return [what.defending]
    return [goal] if goal is not None else []


def _attacker_shares(game: Game, obj: Object, amount: int) -> Shares:
    blockers = _blockers(game, obj)
    ch = layers.of(game, obj)
    beyond = _beyond(game, obj, ch)
    if not blockers:
        if not beyond or (obj.blocked and not _tramples(ch)):
            return []
        if obj.blocked:
            game.trace.cite("702.19d")
        return [(beyond[0], amount)] if len(beyond) == 1 else _divided(game, obj, amount, beyond)
    if _tramples(ch) and beyond:
        return _trample(game, obj, amount, blockers, beyond)
    return _split(game, obj, amount, blockers)


def _split(game: Game, obj: Object, amount: int, among: list[Object]) -> Shares:
    return [(among[0], amount)] if len(among) == 1 else _divided(game, obj, amount, list(among))


def _trample(game: Game, obj: Object, amount: int, blockers: list[Object], beyond: list[Any]) -> Shares:
    """CR 702.19b: the blockers and what is attacked share the damage; the total is checked with all attackers."""
    among: list[Any] = [*blockers, *beyond]
    alone = not any(other is not obj and set(_blockers(game, other)) & set(blockers) for other in attackers(game))
    if alone and len(blockers) == 1 and amount <= damage.lethal(game, blockers[0], obj):
        return [(blockers[0], amount)]
    return _divided(game, obj, amount, among)


def _divided(game: Game, obj: Object, amount: int, among: list[Any]) -> Shares:
    game.trace.cite("510.1c" if obj.attacking is not None else "510.1d")
    answer = choices.ask(
        game, Question(obj.controller, "divide", "assign combat damage", tuple(among), amount, amount, obj)
    )
    shares = choices.check_division(answer, among, amount, 0)
    return [(among[index], n) for index, n in shares.items()]
