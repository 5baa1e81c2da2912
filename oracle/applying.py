"""What each kind of event changes in the state, once nothing replaces it any more.

Only `events.happen` applies an event; the pieces that make up a move are also used where a rule looks ahead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from judgecall.oracle import layers
from judgecall.oracle.describing import label
from judgecall.oracle.state import Game, Object, Player

if TYPE_CHECKING:
    from judgecall.oracle.events import Event

__all__ = ["APPLY", "PUBLIC", "add_counters", "drop_effects", "follow", "fresh", "id_of_card", "put_in", "take_out"]

PUBLIC = ("battlefield", "graveyard", "exile", "stack", "command")


def _without(zone: tuple[Object, ...], obj: Object) -> tuple[Object, ...]:
    return tuple(other for other in zone if other is not obj)


def take_out(game: Game, obj: Object) -> None:
    """Out of the list of its zone."""
    holder: Any = obj.owner if obj.zone in ("hand", "library", "graveyard") else game
    game.write(holder, obj.zone, _without(getattr(holder, obj.zone), obj))


def put_in(game: Game, obj: Object, position: Any = None) -> None:
    """Into the list of its zone: a library's top by default, elsewhere the end."""
    zone = obj.zone
    holder: Any = obj.owner if zone in ("hand", "library", "graveyard") else game
    have: tuple[Object, ...] = getattr(holder, zone)
    if zone == "library":
        if position == "bottom":
            have = (*have, obj)
        elif isinstance(position, int):
            have = (*have[:position], obj, *have[position:])
        else:
            have = (obj, *have)
    else:
        have = (*have, obj)
    game.write(holder, zone, have)


def fresh(game: Game, event: Event) -> Object:
    """The new object that a moved one becomes (CR 400.7), in no list yet."""
    obj = event.obj
    assert obj is not None
    new = game.new_object(obj.kind, obj.owner, event.to)
    new.card = obj.card
    new.copied = obj.copied
    new.holder = new.controller = obj.owner
    new.was = obj
    if event.to == "battlefield":
        controller = event.details.get("controller")
        if controller is None:
            controller = obj.controller if obj.zone == "stack" else obj.owner
        new.holder = new.controller = controller
        new.face_down = event.details.get("face_down")
        new.face_down_values = event.details.get("face_down_values")
        new.tapped = bool(event.details.get("tapped", False))
        new.face = event.details.get("face", "front")
        if obj.zone == "stack":  # CR 608.3, 400.7d
            new.cast = obj.cast
            if "face" not in event.details:
                new.face = obj.face if obj.face in ("front", "back") else "front"
            if obj.face_down is not None:
                new.face_down = obj.face_down
                new.face_down_values = obj.face_down_values
    elif event.to == "stack":
        new.holder = new.controller = event.details.get("controller", obj.owner)
        new.face = event.details.get("face", "front")
        new.face_down = event.details.get("face_down")
        new.face_down_values = event.details.get("face_down_values")
    elif event.to == "exile":
        new.face_down = event.details.get("face_down")
        if new.face_down:
            new.visible_to = frozenset(event.details.get("visible_to", ()))
    return new


def _apply_move(game: Game, event: Event) -> None:
    obj = event.obj
    assert obj is not None
    new = event.new if event.new is not None else fresh(game, event)
    event.new = new
    if obj.zone == "battlefield":
        from judgecall.oracle import combat

        if obj.attacking is not None or obj.blocking:
            game.trace.cite("506.4")
        combat.abandon(game, obj)
    take_out(game, obj)
    if any(n for n, _ in obj.counters.values()):
        game.trace.cite("122.2")
    game.write(obj, "gone", True)
    game.write(obj, "became", new)
    if obj.card is not None:
        game.write(obj.card, "now", new)
    put_in(game, new, event.position)
    how = {"discard": "discarded", "mill": "milled"}.get(event.cause)
    notes = {"arrived": game.turn, how: True} if how else {"arrived": game.turn}
    game.write(new, "notes", MappingProxyType(notes))
    everyone = frozenset(player.name for player in game.players)
    hidden = event.to in ("hand", "library") or (event.to == "exile" and new.face_down is not None)
    if (
        obj.face_down is not None
        and not (obj.zone == "stack" and event.to == "battlefield")
        and obj.zone
        in (
            "battlefield",
            "stack",
        )
    ):
        game.write(new, "revealed_to", everyone)  # CR 708.9
        game.trace.add(f"{label(game, new)} is revealed", "708.9")
    elif (not hidden and new.face_down is None and event.to in PUBLIC) or (
        event.to == "hand" and obj.zone in PUBLIC and obj.face_down is None
    ):
        game.write(new, "revealed_to", everyone)
    elif event.to == "hand":
        game.write(new, "revealed_to", frozenset({new.owner.name}) | obj.revealed_to)
    if event.to == "battlefield":
        _arrive(game, event, obj, new)
    if obj.zone == "stack" and event.to == "battlefield":
        follow(game, obj, new)
    if event.cause == "draw":
        game.write(new.owner, "drawn", new.owner.drawn + 1)
    attached = event.details.get("attach_to")
    if attached is not None:
        game.write(new, "attached_to", attached)


def _arrive(game: Game, event: Event, obj: Object, new: Object) -> None:
    values = event.details.get("copy")
    if values is not None:
        from judgecall.oracle import copying

        copying.become(game, new, values, ends=event.details.get("copy ends", "forever"), stamp=new.stamp)
    for kind, n in event.details.get("counters", {}).items():
        if n > 0:
            add_counters(game, new, kind, n)
    attacking = event.details.get("attacking")
    if attacking is not None:
        from judgecall.oracle import combat

        combat.join(game, new, attacking)


def follow(game: Game, obj: Object, new: Object) -> None:
    """CR 400.7a, 112.4: effects on a permanent spell go on applying to the permanent that it becomes."""
    kept = []
    changed = False
    for effect in game.effects:
        if effect.affected is not None and any(thing is obj for thing in effect.affected):
            effect = replace(effect, affected=(*effect.affected, new))
            changed = True
        kept.append(effect)
    if changed:
        game.trace.cite("112.4", "400.7a")
        game.write(game, "effects", tuple(kept))


def add_counters(game: Game, obj: Object, kind: str, n: int) -> None:
    have = obj.counters.get(kind, (0, 0))[0]
    game.write(obj, "counters", MappingProxyType({**obj.counters, kind: (have + n, game.stamp())}))


def _apply_counters(game: Game, event: Event) -> None:
    kind = event.details["kind"]
    if event.obj is not None:
        add_counters(game, event.obj, kind, event.amount)
    elif event.player is not None:
        have = event.player.counters.get(kind, 0)
        game.write(event.player, "counters", MappingProxyType({**event.player.counters, kind: have + event.amount}))


def _apply_remove_counters(game: Game, event: Event) -> None:
    kind = event.details["kind"]
    if event.obj is not None:
        have, stamp = event.obj.counters.get(kind, (0, 0))
        event.amount = min(have, event.amount)
        left = {**event.obj.counters, kind: (have - event.amount, stamp)}
        if left[kind][0] == 0:
            del left[kind]
        game.write(event.obj, "counters", MappingProxyType(left))
    elif event.player is not None:
        have = event.player.counters.get(kind, 0)
        event.amount = min(have, event.amount)
        game.write(event.player, "counters", MappingProxyType({**event.player.counters, kind: have - event.amount}))


def _apply_damage(game: Game, event: Event) -> None:
    """CR 120.3: what damage does; life, poison and counters come as events of their own."""
    target = event.about
    if isinstance(target, Object):
        ch = layers.of(game, target)
        if "Creature" in ch.types and not event.details.get("wither"):
            game.write(target, "damage", target.damage + event.amount)
        if "Creature" in ch.types and event.details.get("deathtouch"):
            game.write(target, "deathtouched", True)
        _note(game, target, "dealt damage", event.amount)
        if event.source is not None:
            by = target.notes.get("damaged by", frozenset())
            _note(game, target, "damaged by", by | {event.source.id})
        if event.source is not None and not event.source.gone:
            _note(game, event.source, "dealt damage to", event.amount)
    elif isinstance(target, Player):
        source = event.source
        if event.details.get("combat") and source is not None and source.card is not None and source.card.commander:
            have = dict(target.commander_damage)
            number = id_of_card(source)
            have[number] = have.get(number, 0) + event.amount
            game.write(target, "commander_damage", MappingProxyType(have))
            game.trace.cite("903.10a")


def id_of_card(obj: Object) -> int:
    """A number that is the same for every object that a card becomes."""
    first = obj
    while first.was is not None:
        first = first.was
    return first.id


def _note(game: Game, obj: Object, what: str, value: Any) -> None:
    game.write(obj, "notes", MappingProxyType({**obj.notes, what: value}))


def _apply_gain(game: Game, event: Event) -> None:
    assert event.player is not None
    game.write(event.player, "life", event.player.life + event.amount)


def _apply_lose(game: Game, event: Event) -> None:
    assert event.player is not None
    game.write(event.player, "life", event.player.life - event.amount)


def _apply_tap(game: Game, event: Event) -> None:
    assert event.obj is not None
    game.write(event.obj, "tapped", True)


def _apply_untap(game: Game, event: Event) -> None:
    assert event.obj is not None
    game.write(event.obj, "tapped", False)


def _apply_token(game: Game, event: Event) -> None:
    new = event.new
    assert new is not None
    put_in(game, new)
    game.write(new, "notes", MappingProxyType({"arrived": game.turn}))
    game.write(new, "revealed_to", frozenset(player.name for player in game.players))
    _arrive(game, event, new, new)
    attached = event.details.get("attach_to")
    if attached is not None:
        game.write(new, "attached_to", attached)


def _apply_empty_draw(game: Game, event: Event) -> None:
    assert event.player is not None
    game.write(event.player, "drew_from_empty", True)


def _apply_face(game: Game, event: Event) -> None:
    """Turned face up or face down, or transformed: the same object with another face (CR 708.8, 712.18)."""
    obj = event.obj
    assert obj is not None
    what = event.details["what"]
    game.trace.cite("110.5c")  # tapped or untapped, it stays so
    game.write(obj, "stamp", game.stamp())  # CR 613.7f–g
    if what == "up":
        game.write(obj, "face_down", None)
        game.write(obj, "face_down_values", None)
        game.write(obj, "revealed_to", frozenset(player.name for player in game.players))
        values = event.details.get("copy")
        if values is not None:
            from judgecall.oracle import copying

            copying.become(game, obj, values, ends="turned face down", stamp=game.stamp())
    elif what == "down":
        game.write(obj, "face_down", event.details["kind"])
        game.write(obj, "face_down_values", event.details["values"])
        game.write(obj, "visible_to", frozenset({obj.controller.name}))
        drop_effects(game, "turned face down", obj)
    else:
        game.write(obj, "face", event.details["face"])
        game.write(obj, "transformed", game.stamp())
    for kind, n in event.details.get("counters", {}).items():
        if n > 0:
            add_counters(game, obj, kind, n)


def drop_effects(game: Game, ends: str, about: Any) -> None:
    """End the effects that last until something that has now happened to ``about``."""
    kept = tuple(effect for effect in game.effects if not (effect.ends == ends and _about(effect, about)))
    if len(kept) != len(game.effects):
        game.write(game, "effects", kept)


def _about(effect: Any, about: Any) -> bool:
    return effect.until is about or (effect.affected is not None and any(thing is about for thing in effect.affected))


def _apply_attach(game: Game, event: Event) -> None:
    obj = event.obj
    assert obj is not None
    to = event.details["to"]
    if obj.attached_to is not to:
        game.write(obj, "attached_to", to)
        game.write(obj, "stamp", game.stamp())  # CR 613.7e


def _apply_unattach(game: Game, event: Event) -> None:
    assert event.obj is not None
    game.write(event.obj, "attached_to", None)


def _apply_phase(game: Game, event: Event) -> None:
    """CR 702.26: its status changes; it goes nowhere, and what is attached to it goes with it."""
    obj = event.obj
    assert obj is not None
    out = event.kind == "phase out"
    if out:
        from judgecall.oracle import combat

        combat.remove(game, obj)
    game.write(obj, "phased_out", out)


def _apply_nothing(game: Game, event: Event) -> None:
    """What changes no stored thing: a step begins, a spell has been cast, a card is revealed."""


def _apply_effect(game: Game, event: Event) -> None:
    game.write(game, "effects", (*game.effects, event.details["effect"]))


def _apply_shuffle(game: Game, event: Event) -> None:
    from judgecall.oracle import chance

    assert event.player is not None
    game.write(event.player, "library", chance.shuffled(game, event.player.library))


def _apply_reveal(game: Game, event: Event) -> None:
    obj = event.obj
    assert obj is not None
    who = event.details.get("to")
    names = frozenset(player.name for player in (who if who is not None else game.players))
    game.write(obj, "revealed_to", obj.revealed_to | names)


def _apply_lost(game: Game, event: Event) -> None:
    assert event.player is not None
    game.write(event.player, "lost", True)


def _apply_mana(game: Game, event: Event) -> None:
    assert event.player is not None
    game.write(event.player, "mana", (*event.player.mana, *event.details["units"]))


def _apply_flag(game: Game, event: Event) -> None:
    thing = event.about
    game.write(
        thing,
        "flags",
        MappingProxyType({**thing.flags, event.details["flag"]: event.details.get("value", True)}),
    )


APPLY: dict[str, Callable[[Game, Event], None]] = {
    "move": _apply_move,
    "token": _apply_token,
    "draw from empty": _apply_empty_draw,
    "counters": _apply_counters,
    "remove counters": _apply_remove_counters,
    "damage": _apply_damage,
    "gain life": _apply_gain,
    "lose life": _apply_lose,
    "tap": _apply_tap,
    "untap": _apply_untap,
    "face": _apply_face,
    "attach": _apply_attach,
    "unattach": _apply_unattach,
    "phase out": _apply_phase,
    "phase in": _apply_phase,
    "effect": _apply_effect,
    "shuffle": _apply_shuffle,
    "reveal": _apply_reveal,
    "lost": _apply_lost,
    "mana": _apply_mana,
    "flag": _apply_flag,
}
for _kind in (
    "cast", "activate", "step", "turn", "attack", "block", "blocked", "unblocked", "target", "scry", "surveil",
    "search", "sacrificed", "tapped for mana", "control", "combat damage", "explore", "cycle", "triggered", "crew",
    "countered", "day", "create", "destroyed", "discarded", "milled", "choice", "pay life", "leave game", "play land",
    "saddle", "coin", "copied", "roll", "regenerated", "expend", "exploit", "train", "mentor", "forage",
    "discover", "airbend", "earthbend", "firebend", "waterbend",
):  # fmt: skip
    APPLY[_kind] = _apply_nothing
