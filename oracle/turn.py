"""The turn: its steps and phases in order, and what happens in each by itself (CR 500–514)."""

from __future__ import annotations

from types import MappingProxyType

from judgecall.oracle import (
    choices,
    combat,
    double_faced,
    events,
    lasting,
    layers,
    mana,
    phasing,
    sagas,
    statics,
)
from judgecall.oracle.events import Event
from judgecall.oracle.state import NOTHING, Game, Object, Player

__all__ = ["STEPS", "controlled_since_turn_began", "is_before", "is_in", "is_main", "proceed"]

STEPS = (
    "untap",
    "upkeep",
    "draw",
    "precombat main",
    "beginning of combat",
    "declare attackers",
    "declare blockers",
    "combat damage",
    "end of combat",
    "postcombat main",
    "end",
    "cleanup",
)
COMBAT = STEPS[4:9]
_RULE = {
    "untap": "502.1",
    "upkeep": "503.1",
    "draw": "504.1",
    "precombat main": "505.1",
    "beginning of combat": "507.1",
    "declare attackers": "508.1",
    "declare blockers": "509.1",
    "combat damage": "510.1",
    "end of combat": "511.1",
    "postcombat main": "505.1",
    "end": "513.1",
    "cleanup": "514.1",
}
_PHASE_OF = {
    **dict.fromkeys(STEPS[:3], "beginning"),
    "precombat main": "precombat main",
    **dict.fromkeys(COMBAT, "combat"),
    "postcombat main": "postcombat main",
    "end": "ending",
    "cleanup": "ending",
}


def is_main(game: Game) -> bool:
    """Whether it is a main phase (CR 505)."""
    return game.step in ("precombat main", "postcombat main")


def is_in(game: Game, name: str) -> bool:
    """Whether it is a step or phase of that name; ``main`` and ``combat`` mean any of theirs."""
    if name == "main":
        return is_main(game)
    return game.step == name or _PHASE_OF.get(game.step) == name


def is_before(game: Game, step: str) -> bool:
    """Whether that step of the turn's first combat phase is yet to begin (CR 506.7a–b, 506.7d–e)."""
    game.trace.cite("506.7d")
    return "combat ended" not in game.history and STEPS.index(game.step) < STEPS.index(step)


def controlled_since_turn_began(game: Game, obj: Object) -> bool:
    """CR 302.6: its controller has controlled it continuously since their most recent turn began."""
    began = game.history.get("turn began", {}).get(obj.controller.name, 0)
    return bool(obj.control_stamp <= began)


def proceed(game: Game) -> None:
    """All players have passed with an empty stack: the step ends, and the next with priority begins (CR 500.2)."""
    from judgecall.oracle import priority

    while not game.over:
        _leave(game)
        step = _next(game)
        if _begin(game, step):
            priority.give(game, game.active)
            if game.priority is not None or game.over:
                return


def _leave(game: Game) -> None:
    step = game.step
    if step == "end of combat":
        combat.end(game)
        game.write(game, "history", MappingProxyType({**game.history, "combat ended": True}))
        lasting.end(game, "end of combat", lambda effect: True)
        mana.expire(game, "end of combat")
    mana.empty(game)
    game.write(game, "priority", None)
    game.write(game, "passed", frozenset())


def _next(game: Game) -> str:
    """Which step comes next: within the phase, then added phases, then the next phase, then the next turn."""
    step = game.step
    if step == "declare attackers" and not combat.attackers(game):  # CR 508.8
        if game.phase_queue:
            game.write(
                game,
                "phase_queue",
                tuple(s for s in game.phase_queue if s not in ("declare blockers", "combat damage")),
            )
        else:
            return "end of combat"
    if step == "combat damage" and combat.second_damage_step(game):
        return "combat damage"  # CR 510.4
    queue: tuple[str, ...] = game.phase_queue
    if queue:
        game.write(game, "phase_queue", queue[1:])
        return queue[0]
    if step == "cleanup":
        if game.fresh.get("cleanup again"):
            note(game, "cleanup again", None)
            return "cleanup"
        _new_turn(game)
        return "untap"
    following = STEPS[STEPS.index(step) + 1]
    resume = game.fresh.get("resume")  # where the turn goes on after added phases
    if resume is None and _PHASE_OF[following] != _PHASE_OF[step]:
        resume = following
    if resume is not None and game.extra_steps:
        # CR 500.8: added phases come right after this one, the last added first.
        first, rest = game.extra_steps[0], game.extra_steps[1:]
        game.write(game, "extra_steps", rest)
        note(game, "resume", resume)
        game.write(game, "phase_queue", tuple(first[1:]))
        return str(first[0])
    if resume is not None:
        note(game, "resume", None)
        return str(resume)
    return following


def note(game: Game, key: str, value: object) -> None:
    """Remember something of procedure; None forgets it."""
    rest = {k: v for k, v in game.fresh.items() if k != key}
    game.write(game, "fresh", MappingProxyType(rest if value is None else {**rest, key: value}))


def add_phase(game: Game, steps: tuple[str, ...]) -> None:
    """Add a phase of these steps after the present one; the last added comes first (CR 500.8, 500.10)."""
    expanded: tuple[str, ...] = ()
    for step in steps:
        expanded += COMBAT if step == "combat" else ("postcombat main",) if step == "main" else (step,)
    game.write(game, "extra_steps", (expanded, *game.extra_steps))


def control_next(game: Game, player: Player, controller: Player, extra_after: bool) -> None:
    """CR 723.1: control a player during that player's next turn."""
    before = player.flags.get("controlled next")
    if before:
        game.trace.cite("723.1a")
    extra = (before[1] if before else 0) + extra_after  # one overwritten gives its turn all the same (CR 723.1a)
    game.write(player, "flags", MappingProxyType({**player.flags, "controlled next": (controller, extra)}))


def end_now(game: Game) -> None:
    """End the turn (CR 724.1): exile the stack, then straight to cleanup, without priority in between."""
    from judgecall.oracle import resolving, state_based

    game.write(game, "waiting", ())  # CR 724.1a: what triggers from now on waits for the cleanup step (CR 724.1f)
    items = [item for item in game.stack if item.kind != "ability"]
    for item in [item for item in game.stack if item.kind == "ability"]:
        resolving.leave(game, item)
    events.happen(game, [events.move(item, "exile", cause="end turn", rules=("724.1b",)) for item in items])
    game.trace.cite("724.1c")
    while state_based.check(game):
        pass
    if is_in(game, "combat"):
        lasting.end(game, "end of combat", lambda effect: True)
    combat.end(game)
    game.write(game, "phase_queue", ())
    game.write(game, "extra_steps", ())
    for key in ("resume", "cleanup again"):
        note(game, key, None)
    game.write(game, "step", "end")
    note(game, "end now", True)


def is_ending(game: Game) -> bool:
    """Whether an effect has ended the turn, and the cleanup step is yet to begin (CR 724.1d)."""
    return bool(game.fresh.get("end now"))


def _new_turn(game: Game) -> None:
    """CR 500.7, 103.8: the next player in turn order, or one with an extra turn."""
    ended = game.active
    if ended.controlled_by is not None:
        game.write(ended, "controlled_by", None)
    extra_after = ended.flags.get("extra after control")
    if extra_after:
        game.trace.cite("500.7")
        game.write(game, "extra_turns", (*((ended, None),) * extra_after, *game.extra_turns))
        game.write(ended, "flags", MappingProxyType({**ended.flags, "extra after control": 0}))
    extra = [item for item in game.extra_turns if not item[0].left]
    if extra:
        player = extra[0][0]
        game.write(game, "extra_turns", tuple(extra[1:]))
        if player is not ended or "resume order" not in game.fresh:
            note(game, "resume order", game.fresh.get("resume order", ended))
    else:
        base = game.fresh.get("resume order", ended)
        note(game, "resume order", None)
        seats = game.players
        player = base
        for offset in range(1, len(seats) + 1):
            player = seats[(base.seat + offset) % len(seats)]
            if not player.left:
                break
            _turn_of_one_who_left(game, player)
    _start_turn(game, player, ended)


def _turn_of_one_who_left(game: Game, player: Player) -> None:
    """CR 800.4k, 800.4m: the turn does not begin, and what would last until it or a point in it ends."""
    game.trace.cite("800.4k", "800.4m")
    for ends in ("your next turn", "end of your next turn", "your next upkeep", "next untap step"):
        lasting.end(game, ends, lambda effect: effect.until is player)
    phasing.await_any_untap_step(game, player)


def _start_turn(game: Game, player: Player, ended: Player) -> None:
    game.write(game, "active", player)
    game.write(game, "turn", game.turn + 1)
    began = {**game.history.get("turn began", {}), player.name: game.stamp()}
    history = {
        "turn began": began,
        "upkeep began": game.history.get("upkeep began", NOTHING),
        "cast last turn": game.history.get("cast", ()),
        "active last turn": ended,
        "cast this game": game.history.get("cast this game", ()),
    }
    game.write(game, "history", MappingProxyType(history))
    for other in game.players:
        game.write(other, "drawn", 0)
        if other.notes:
            game.write(other, "notes", NOTHING)
    game.write(player, "lands_played", 0)
    for obj in (
        *game.battlefield,
        *game.exile,
        *game.command,
        *(o for p in game.players for o in (*p.graveyard, *p.hand)),
    ):
        if obj.notes:
            kept = {key: value for key, value in obj.notes.items() if key == "arrived"}
            game.write(obj, "notes", MappingProxyType(kept))
    lasting.end(game, "your next turn", lambda effect: effect.until is player)
    control = player.flags.get("controlled next")
    if control:
        game.write(player, "controlled_by", None if control[0].left else control[0])
        game.write(
            player,
            "flags",
            MappingProxyType({**player.flags, "controlled next": None, "extra after control": control[1]}),
        )
    game.trace.add(f"turn {game.turn}: {player.name}", "500.1")
    events.happen(game, [Event("turn", player=player)])


def _begin(game: Game, step: str) -> bool:
    """Begin a step. True if players get priority in it."""
    if is_ending(game):
        note(game, "end now", None)
        step = "cleanup"
    if _skipped(game, step):
        game.write(game, "step", step)
        game.trace.add(f"the {step} step is skipped", "500.11", "614.10a")
        return False
    game.write(game, "step", step)
    game.trace.add(f"{game.active.name}'s {step}", _RULE[step])
    if step == "declare attackers":
        combat.declare_attackers(game)
        return True
    if step == "declare blockers":
        combat.declare_blockers(game)
        return True
    if step == "combat damage":
        combat.deal_damage(game)
        return True
    if step == "upkeep":
        _note_upkeep(game)
    if step not in ("untap", "cleanup"):
        _actions(game, step)
        events.happen(game, [Event("step", player=game.active, details={"step": step})])
        return True
    if step == "untap":
        _untap_step(game)
        return False
    return _cleanup(game)


def _note_upkeep(game: Game) -> None:
    """Keep when the active player's upkeep begins, and when the one before began (CR 702.30a)."""
    began = dict(game.history.get("upkeep began", NOTHING))
    began[game.active.name] = (began.get(game.active.name, (None, None))[1], game.stamp())
    game.write(game, "history", MappingProxyType({**game.history, "upkeep began": MappingProxyType(began)}))


def _skipped(game: Game, step: str) -> bool:
    for node, ctx in statics.rules(game, "skip step"):
        if game.active not in ctx.players(node.args["who"]):
            continue
        name = node.args["name"]
        if name == step or name == _PHASE_OF.get(step):
            effect = ctx.results.get("effect")
            if effect is not None and effect.ends == "once":
                game.write(game, "effects", tuple(other for other in game.effects if other is not effect))
            return True
    return False


def _actions(game: Game, step: str) -> None:
    """Turn-based actions as a step begins (CR 703.4)."""
    if step == "draw":
        events.happen(game, [Event("draw", player=game.active, cause="draw step", rules=("504.1",))])
    elif step == "precombat main":
        sagas.add_lore(game)


def _untap_step(game: Game) -> None:
    """CR 502: phasing, day and night, then untapping."""
    phasing.untap_step(game)
    double_faced.untap_step_check(game)
    lasting.end(game, "next untap step", lambda effect: effect.until is game.active)
    untapping = []
    for obj in game.battlefield:
        if obj.controller is not game.active or not obj.tapped or obj.phased_out:
            continue
        if statics.forbids(game, "does not untap", obj=obj, player=game.active) or "untap" in layers.of(game, obj).cant:
            continue
        untapping.append(Event("untap", obj, by=game.active, cause="untap step", rules=("502.3",)))
    events.happen(game, untapping)
    lasting.end(game, "their next untap", lambda effect: (effect.until or effect.affected[0].controller) is game.active)


def _cleanup(game: Game) -> bool:
    """CR 514: discard, then damage and "until end of turn" effects end; priority only if something waits."""
    from judgecall.oracle import state_based, triggers

    player = game.active
    limit = statics.hand_limit(game, player)
    if limit is not None and len(player.hand) > limit:
        much = len(player.hand) - max(limit, 0)
        chosen = choices.pick(game, player, player.hand, much, much, "discard to the maximum hand size", None, "514.1")
        events.happen(game, [Event("discard", card, player, by=player, rules=("514.1",)) for card in chosen])
    mana.expire(game, "end of turn", "end of combat")
    for obj in game.battlefield:
        if obj.damage and not statics.forbids(game, "damage stays", obj=obj):
            game.trace.cite("514.2")
            game.write(obj, "damage", 0)
        if obj.deathtouched:
            game.write(obj, "deathtouched", False)
        _unsaddle(game, obj)
    ended = {"end of turn", "this turn"}
    kept = tuple(
        effect
        for effect in game.effects
        if effect.ends not in ended
        and not (effect.ends == "end of your next turn" and effect.until is player and effect.turn < game.turn)
    )
    if len(kept) != len(game.effects):
        game.write(game, "effects", kept)
        game.trace.add("effects until end of turn end", "514.2")
        events.align(game)
    if state_based.check(game) or game.waiting:
        note(game, "cleanup again", True)
        triggers.put_on_stack(game)
        return True  # CR 514.3a
    return False


def _unsaddle(game: Game, obj: Object) -> None:
    """What is saddled is so until end of turn (CR 702.171b)."""
    if obj.flags.get("saddled"):
        game.write(obj, "flags", MappingProxyType({**obj.flags, "saddled": False}))
        game.trace.add(f"{events.label(game, obj)} is saddled no more", "702.171b")
