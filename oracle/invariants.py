"""What must be so whenever a player has priority, whatever happened before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from judgecall.oracle import layers, priority, state_based, triggers
from judgecall.oracle.agents import Refused
from judgecall.oracle.characteristics import Characteristics
from judgecall.oracle.state import Card, Game, Object, Player, Thing

__all__ = ["Violated", "check", "differences", "snapshot"]

_SHARED = ("battlefield", "stack", "exile", "command")
_OWN = ("hand", "library", "graveyard")


class Violated(AssertionError):
    """Something that must always hold does not; ``law`` names it, whatever the objects are called."""

    def __init__(self, law: str, message: str) -> None:
        super().__init__(f"{law}: {message}")
        self.law = law


def check(game: Game) -> None:
    """Every invariant of a state in which a player has priority, or the game is over.

    Raises:
        Violated: with what does not hold.
    """
    zones(game)
    cards(game)
    numbers(game)
    cached(game)
    if not game.over:
        _attachments(game)
        _combat(game)
        _controllers(game)
        _priority(game)
        _settled(game)


def listed(game: Game) -> Iterator[tuple[Object, str, Player | None]]:
    """Every object that is in the list of a zone, with that zone and whose it is."""
    for zone in _SHARED:
        for obj in getattr(game, zone):
            yield obj, zone, None
    for player in game.players:
        for zone in _OWN:
            for obj in getattr(player, zone):
                yield obj, zone, player


def zones(game: Game) -> None:
    """Each object is in one zone, the one that it says, and it has not gone (CR 400.1, 400.3)."""
    seen: set[int] = set()
    for obj, zone, player in listed(game):
        if obj.id in seen:
            raise Violated("zones", f"{obj} is in two zones")
        seen.add(obj.id)
        if obj.zone != zone:
            raise Violated("zones", f"{obj} is in the list of {zone}")
        if obj.gone:
            raise Violated("zones", f"{obj} has gone, yet is in {zone}")
        if player is not None and obj.owner is not player:
            raise Violated("zones", f"{obj} is in the {zone} of {player.name}, who does not own it")
        if obj.owner.left:
            raise Violated("zones", f"{obj} is there, though its owner left the game")
        if game.objects.get(obj.id) is not obj:
            raise Violated("zones", f"{obj} is not known by its id")
    for obj in game.objects.values():
        if not obj.gone and obj.kind == "card" and obj.id not in seen:
            raise Violated("zones", f"{obj} has not gone, yet is in no zone")


def cards(game: Game) -> None:
    """No card is lost and none is doubled (CR 108, 400.7)."""
    represented: dict[int, int] = {}
    for obj, _, _ in listed(game):
        if obj.card is not None:
            represented[id(obj.card)] = represented.get(id(obj.card), 0) + 1
    for card in game.cards.values():
        n = represented.pop(id(card), 0)
        if card.owner.left:
            if n or card.now is not None:
                raise Violated("cards", f"{card.handle} is there, though its owner left the game")
            continue
        if n != 1:
            raise Violated("cards", f"{card.handle} is represented by {n} objects")
        now = card.now
        if now is None or now.gone or now.card is not card:
            raise Violated("cards", f"{card.handle} does not know its object")
    if represented:
        raise Violated("cards", "an object is represented by a card that is not in the game")


def numbers(game: Game) -> None:
    """No number of counters, damage or mana is below zero (CR 107.1b, 122.1)."""
    for obj, _, _ in listed(game):
        for kind, (n, _) in obj.counters.items():
            if n <= 0:
                raise Violated("numbers", f"{obj} has {n} {kind} counters")
        if obj.damage < 0:
            raise Violated("numbers", f"{obj} has {obj.damage} damage")
        if obj.zone not in ("battlefield",) and (obj.damage or obj.tapped or obj.attacking is not None):
            raise Violated("numbers", f"{obj} has a permanent's status")
    for player in game.players:
        for kind, n in player.counters.items():
            if n < 0:
                raise Violated("numbers", f"{player.name} has {n} {kind} counters")
        if min(player.drawn, player.lands_played) < 0 or any(n < 0 for n in player.commander_damage.values()):
            raise Violated("numbers", f"{player.name} has a count below zero")
        if player.left and (player.mana or player.hand or player.library or player.graveyard):
            raise Violated("numbers", f"{player.name} left, and still has cards or mana")


def _attachments(game: Game) -> None:
    """What is attached is attached to what is there (CR 301.5, 303.4, 704.5m–n)."""
    for obj in game.battlefield:
        host = obj.attached_to
        if isinstance(host, Object) and host.gone and not obj.phased_out:
            raise Violated("attachments", f"{obj} is attached to {host}")
        if isinstance(host, Player) and host.left:
            raise Violated("attachments", f"{obj} is attached to a player who left")


def _combat(game: Game) -> None:
    """Only creatures fight, and only during combat (CR 506.3, 506.4, 511.3)."""
    fighting = game.step in ("declare attackers", "declare blockers", "combat damage", "end of combat")
    for obj in game.battlefield:
        if obj.attacking is None and not obj.blocking:
            continue
        if not fighting:
            raise Violated("combat", f"{obj} fights in the {game.step}")
        if obj.phased_out:
            raise Violated("combat", f"{obj} fights, though it has phased out")
        if obj.attacking is not None and obj.controller is not game.active:
            raise Violated("combat", f"{obj} attacks, though its controller is not the active player")
        if "Creature" not in layers.of(game, obj).types:
            raise Violated("combat", f"{obj} fights, though it is no creature")


def _controllers(game: Game) -> None:
    """The controller that is kept is the one of layer 2 (CR 613.1b), and is in the game."""
    for obj in game.battlefield:
        if obj.phased_out:
            continue
        actual = layers.of(game, obj).controller
        if actual is not obj.controller:
            raise Violated("controllers", f"{obj.controller.name} controls {obj}, by the layers {actual.name} does")
    for obj in (*game.battlefield, *game.stack):
        if obj.controller.left:
            raise Violated("controllers", f"{obj} is controlled by a player who left")


def _priority(game: Game) -> None:
    """One player in the game has priority, and nobody else may act (CR 117.1)."""
    holder = game.priority
    if holder is None or holder.left:
        raise Violated("priority", "nobody who is in the game has priority")
    if holder.name in game.passed and not any(player.left for player in game.players):
        # Once somebody has left with priority it may come round to who has passed already (CR 800.4j).
        raise Violated("priority", f"{holder.name} has passed, and has priority")
    if game.step in ("untap",):
        raise Violated("priority", f"a player has priority in the {game.step} step")
    for player in game.players:
        if player is holder:
            continue
        try:
            with game.trial():
                priority.pass_(game, player)
        except Refused:
            continue
        raise Violated("priority", f"{player.name} may act without priority")


def _settled(game: Game) -> None:
    """State-based actions and triggered abilities have been seen to (CR 117.5, 704.3)."""
    if game.waiting:
        raise Violated("settled", "a triggered ability waits, and a player has priority")
    with game.trial():
        if state_based.check(game):
            raise Violated("settled", "a state-based action is left to perform")
        triggers.state_triggers(game)
        if game.waiting:
            raise Violated("settled", "a state trigger was not noticed")


# -- the cache -----------------------------------------------------------------------------------------------

_COMPARED = tuple(name for name in Characteristics.__slots__ if name not in ("obj", "abilities", "rules", "_keywords"))


def cached(game: Game) -> None:
    """What is kept of characteristics is what computing them anew gives."""
    kept = game.cache
    table = {**kept.get("table", {}), **kept.get("elsewhere", {})}
    game.cache = {}
    try:
        for number, old in table.items():
            obj = game.objects.get(number)
            if obj is None:
                raise Violated("cache", f"the cache knows an object {number} that there is not")
            if obj.gone:
                continue
            if old.obj is not obj:
                raise Violated("cache", f"what is kept of {obj} is that of another object")
            _same(obj, old, layers.of(game, obj))
        words = set(kept.get("rules") or ())
        if kept.get("rules") is not None:
            from judgecall.oracle import statics

            statics.rules(game, "")
            if words != set(game.cache["rules"]):
                raise Violated("cache", "the rules in force are not those that are kept")
    finally:
        game.cache = kept


def _same(obj: Object, old: Characteristics, new: Characteristics) -> None:
    for name in _COMPARED:
        if getattr(old, name) != getattr(new, name):
            raise Violated("cache", f"{name} of {obj}: {getattr(old, name)!r} is kept, {getattr(new, name)!r} is so")
    kept, fresh = [held.ability for held in old.abilities], [held.ability for held in new.abilities]
    if len(kept) != len(fresh) or any(
        one is not two and one.keyword != two.keyword for one, two in zip(kept, fresh, strict=True)
    ):
        raise Violated("cache", f"the abilities of {obj} are not those that are kept")


# -- the whole state -----------------------------------------------------------------------------------------

_NOT_STATE = frozenset({"journal", "version", "cache", "shared", "trace", "objects", "cards", "agent", "known_cards"})

Snapshot = dict[int, tuple[Thing | None, tuple[Any, ...]]]

_UNSET: Any = object()


_SLOTS: dict[type, tuple[str, ...]] = {
    kind: tuple(slot for slot in kind.__slots__ if slot not in _NOT_STATE) for kind in (Game, Player, Object, Card)
}


def _slots(thing: Thing) -> tuple[str, ...]:
    return _SLOTS[type(thing)]


def _values(thing: Thing) -> tuple[Any, ...]:
    return tuple(getattr(thing, slot, _UNSET) for slot in _slots(thing))


def snapshot(game: Game) -> Snapshot:
    """Every slot of everything in the game, and how long the trace is, to compare later (see `differences`)."""
    things: list[Thing] = [game, *game.players, *game.objects.values(), *game.cards.values()]
    found: Snapshot = {id(thing): (thing, _values(thing)) for thing in things}
    found[0] = (None, (len(game.trace.lines), tuple(game.objects)))
    return found


def differences(before: Snapshot, after: Snapshot) -> list[str]:
    """What is not as it was."""
    found = []
    for key in {**before, **after}:
        if key not in before or key not in after:
            thing = (before.get(key) or after[key])[0]
            found.append(f"{_shown(thing)} is {'new' if key in after else 'gone'}")
            continue
        (thing, olds), (_, news) = before[key], after[key]
        if olds == news:  # of equal things the same ones are soon compared
            continue
        slots = _slots(thing) if thing is not None else ("length of the trace", "objects")
        for slot, old, new in zip(slots, olds, news, strict=True):
            if old is not new and old != new:
                found.append(f"{slot} of {_shown(thing)}: {old!r} became {new!r}")
    return found


def _shown(thing: Thing | None) -> str:
    if isinstance(thing, Card):
        return thing.handle
    return "the game" if thing is None or isinstance(thing, Game) else repr(thing)


__all__ += ["cached", "cards", "listed", "numbers", "zones"]
