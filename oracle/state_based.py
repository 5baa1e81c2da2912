"""State-based actions (CR 704)."""

from __future__ import annotations

from judgecall.oracle import (
    applying,
    attaching,
    choices,
    damage,
    ending,
    events,
    inherent,
    layers,
    linking,
    objects,
    sagas,
    statics,
)
from judgecall.oracle.characteristics import Characteristics
from judgecall.oracle.events import Event
from judgecall.oracle.state import Game, Object, Player

__all__ = ["check", "would_lose"]


def check(game: Game) -> bool:
    """Perform all applicable state-based actions at once (CR 704.3). True if any was performed."""
    from judgecall.oracle import commander, double_faced

    double_faced.daybound_check(game)
    game.trace.cite("704.4")
    acted = _vanish(game)
    losing = _losing(game)
    for player in game.players:  # what is drawn from now on, as these actions are performed, is for the next check
        if player.drew_from_empty:
            game.write(player, "drew_from_empty", False)
    rows = [(obj, layers.of(game, obj)) for obj in game.battlefield if not obj.phased_out]
    made: list[Event] = []
    for obj, ch in rows:
        made.extend(_creature(game, obj, ch))
        made.extend(_other(game, obj, ch))
    made.extend(_legends(game, rows, made))
    made.extend(_worlds(game, rows))
    made.extend(_attachments(game, rows))
    made.extend(_counters(rows))
    made.extend(_roles(rows))
    made.extend(_speeds(game, rows))
    lost = ending.losses(game, losing)
    made.extend(lost)
    if made:
        game.trace.cite("704.3")
        if len(made) > 1:
            game.trace.cite("704.8")
        for obj in game.battlefield:
            if obj.deathtouched:
                game.write(obj, "deathtouched", False)
        done = events.happen_at_once(game, _once(made))
        acted = acted or bool(done) or bool(lost)
        ending.after_losses(game, done)
    else:
        for obj, _ in rows:
            if obj.deathtouched:
                game.write(obj, "deathtouched", False)
    if game.over:
        return False
    if game.format == "commander" and commander.return_to_command(game):
        acted = True
    return _protectors(game) or acted


def _once(made: list[Event]) -> list[Event]:
    """One event for each object that would leave: destroyed and put into the graveyard is put into the graveyard."""
    leaving: dict[int, Event] = {}
    rest: list[Event] = []
    for event in made:
        if event.kind in ("move", "destroy", "sacrifice") and event.obj is not None:
            have = leaving.get(event.obj.id)
            if have is None or (have.kind == "destroy" and event.kind == "move"):
                leaving[event.obj.id] = event
        else:
            rest.append(event)
    return [*leaving.values(), *(e for e in rest if e.obj is None or e.obj.id not in leaving)]


def _vanish(game: Game) -> bool:
    """CR 704.5d–e: tokens off the battlefield and copies of spells off the stack cease to exist."""
    done = False
    zones = [*game.exile, *game.command]
    for player in game.players:
        zones.extend((*player.hand, *player.graveyard, *player.library))
    for obj in zones:
        if obj.kind == "token" or obj.kind == "copy":
            applying.take_out(game, obj)
            game.write(obj, "gone", True)
            game.trace.add(f"{events.label(game, obj)} ceases to exist", "704.5d" if obj.kind == "token" else "704.5e")
            done = True
    for obj in game.battlefield:
        if obj.kind == "copy":
            game.write(obj, "kind", "token")  # CR 608.3f, 707.10f
            done = True
    return done


def would_lose(game: Game) -> bool:
    """Whether a state-based action has a player lose the game who can, if only for something to replace it."""
    return bool(ending.losses(game, _losing(game)))


def _losing(game: Game) -> list[tuple[Player, str]]:
    found: list[tuple[Player, str]] = []
    for player in game.in_game():
        reasons = []
        if player.life <= 0:
            reasons.append("704.5a")
        if player.drew_from_empty:
            reasons.append("704.5b")
        if player.counters.get("poison", 0) >= 10:
            reasons.append("704.5c")
        if game.format == "commander" and any(n >= 21 for n in player.commander_damage.values()):
            reasons.append("704.6c")
        if len(reasons) > 1:
            game.trace.cite("704.7")
        found.extend((player, rule) for rule in reasons[:1])  # one loss, which one effect may replace
    return found


def _gone(obj: Object, *rules: str) -> Event:
    return events.move(obj, "graveyard", cause="state-based", rules=rules)


def _creature(game: Game, obj: Object, ch: Characteristics) -> list[Event]:
    if "Creature" not in ch.types:
        return []
    toughness = ch.toughness or 0
    if toughness <= 0:
        return [_gone(obj, "704.5f")]
    if obj.damage > 0 and obj.damage >= damage.lethal_number(game, obj, ch):
        return [Event("destroy", obj, obj.controller, rules=("704.5g", "120.5"))]
    if obj.deathtouched:
        return [Event("destroy", obj, obj.controller, rules=("704.5h", "702.2b"))]
    return []


def _other(game: Game, obj: Object, ch: Characteristics) -> list[Event]:
    if "Planeswalker" in ch.types and objects.counters(obj, "loyalty") <= 0:
        return [_gone(obj, "704.5i")]
    if sagas.finished(game, obj, ch):
        return [Event("sacrifice", obj, obj.controller, by=obj.controller, rules=("704.5s", "714.4"))]
    if "Battle" in ch.types and objects.counters(obj, "defense") <= 0:
        busy = any(item.source is obj for item in game.stack) or any(item.source is obj for item in game.waiting)
        if not busy:
            return [_gone(obj, "704.5v")]
    return []


def _legends(game: Game, rows: list[tuple[Object, Characteristics]], made: list[Event]) -> list[Event]:
    """CR 704.5j: of legendary permanents with the same name the controller keeps one."""
    leaving = {
        event.obj.id for event in made if event.obj is not None and event.kind in ("move", "destroy", "sacrifice")
    }
    groups: dict[tuple[str, str], list[Object]] = {}
    for obj, ch in rows:
        if "Legendary" not in ch.supertypes or obj.id in leaving:
            continue
        if statics.forbids(game, "no legend rule", obj=obj):
            continue
        for name in objects.names(obj, ch):
            groups.setdefault((obj.controller.name, name), []).append(obj)
    found: list[Event] = []
    for (_, name), things in groups.items():
        if len(things) < 2:
            continue
        kept = choices.pick(game, things[0].controller, things, 1, 1, f"which {name} to keep", None, "704.5j")
        found.extend(_gone(thing, "704.5j") for thing in things if thing is not kept[0])
    return found


def _worlds(game: Game, rows: list[tuple[Object, Characteristics]]) -> list[Event]:
    worlds = [obj for obj, ch in rows if "World" in ch.supertypes]
    if len(worlds) < 2:
        return []
    newest = max(obj.stamp for obj in worlds)
    return [_gone(obj, "704.5k") for obj in worlds if obj.stamp != newest]


def _attachments(game: Game, rows: list[tuple[Object, Characteristics]]) -> list[Event]:
    """CR 704.5m–p: Auras on nothing legal die; Equipment comes off; creatures and what is neither are not attached."""
    found: list[Event] = []
    for obj, ch in rows:
        host = obj.attached_to
        if host is not None and ("Creature" in ch.types or "Battle" in ch.types):
            also = "303.4d" if "Aura" in ch.subtypes else "301.5c"
            found.append(Event("unattach", obj, details={"from": host}, rules=("704.5p", also)))
            continue
        if "Aura" in ch.subtypes:
            legal = host is not None and attaching.can_attach(game, obj, host, ch)
            if isinstance(host, Player) and host.left:
                legal = False
            if not legal:
                if attaching.is_bestowed(game, obj):
                    attaching.cease_to_be_bestowed(game, obj)
                    found.append(Event("unattach", obj, details={"from": host}, rules=("702.103f",)))
                else:
                    found.append(_gone(obj, "704.5m"))
            continue
        if host is None:
            continue
        if "Equipment" in ch.subtypes or "Fortification" in ch.subtypes:
            if not attaching.can_attach(game, obj, host, ch):
                found.append(Event("unattach", obj, details={"from": host}, rules=("704.5n",)))
        else:
            found.append(Event("unattach", obj, details={"from": host}, rules=("704.5p",)))
    return found


def _counters(rows: list[tuple[Object, Characteristics]]) -> list[Event]:
    """CR 704.5q: +1/+1 and -1/-1 counters cancel each other."""
    found: list[Event] = []
    for obj, _ in rows:
        n = min(objects.counters(obj, "+1/+1"), objects.counters(obj, "-1/-1"))
        if n:
            for kind in ("+1/+1", "-1/-1"):
                found.append(Event("remove counters", obj, amount=n, details={"kind": kind}, rules=("704.5q", "122.3")))
    return found


def _roles(rows: list[tuple[Object, Characteristics]]) -> list[Event]:
    """CR 704.5y: of several Roles of one player on a permanent only the newest stays."""
    groups: dict[tuple[int, str], list[Object]] = {}
    for obj, ch in rows:
        if "Role" in ch.subtypes and obj.attached_to is not None:
            groups.setdefault((id(obj.attached_to), obj.controller.name), []).append(obj)
    return [
        _gone(obj, "704.5y", "303.7a")
        for things in groups.values()
        for obj in sorted(things, key=lambda thing: thing.stamp)[:-1]
    ]


def _speeds(game: Game, rows: list[tuple[Object, Characteristics]]) -> list[Event]:
    """CR 704.5z: who controls a permanent with start your engines! and has no speed has a speed of 1."""
    starting = {ch.controller for _, ch in rows if ch.has("start your engines!")}
    speed = {"flag": "speed", "value": 1}
    return [
        Event("flag", player=player, details=dict(speed), rules=("704.5z", "702.179a"))
        for player in game.in_game()
        if player in starting and not inherent.speed(player)
    ]


def _protectors(game: Game) -> bool:
    """CR 704.5w–x: a Siege needs an opponent of its controller to protect it."""
    done = False
    for obj in game.battlefield:
        ch = layers.of(game, obj)
        if "Siege" not in ch.subtypes or obj.phased_out:
            continue
        have = obj.chosen.get("protector")
        if have is not None and not have.left and have is not obj.controller:
            continue
        if any(thing.attacking is obj for thing in game.battlefield) and (have is None or have.left):
            continue
        options = game.opponents(obj.controller)
        if not options:
            continue
        picked = choices.pick(game, obj.controller, options, 1, 1, "its protector", obj, "310.11b")
        linking.choose(game, obj, "protector", picked[0])
        done = True
    return done
