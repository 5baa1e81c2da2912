"""What a player with priority may try: actions as plain data, carried out by the one procedure for each (CR 117.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from judgecall.oracle import (
    activating,
    casting,
    ending,
    face_down,
    foretelling,
    lands,
    layers,
    objects,
    plotting,
    priority,
    statics,
    suspending,
)
from judgecall.oracle.agents import Refused
from judgecall.oracle.definitions import Activated, AdditionalCost, AlternativeCost, OtherValues
from judgecall.oracle.state import Game, Object, Player
from judgecall.oracle.ways import Request

__all__ = ["PASS", "Action", "candidates", "find", "perform", "reference"]


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a player does when they have priority.

    ``verb`` is ``pass``, ``play``, ``cast``, ``activate``, ``turn face up``, ``suspend``, ``plot`` or ``concede``;
    ``object`` a reference (see `reference`); ``using`` names costs, ``permitted_by`` an object whose effect allows it.
    """

    verb: str
    object: str = ""
    face: str | None = None
    using: tuple[str, ...] = ()
    permitted_by: str | None = None
    kicked: int = 0
    ability: int | None = None

    def __str__(self) -> str:
        words = [self.verb, self.object]
        if self.face is not None:
            words.append(f"({self.face})")
        if self.ability is not None:
            words.append(f"ability {self.ability}")
        if self.using:
            words.append(f"using {', '.join(self.using)}")
        if self.permitted_by is not None:
            words.append(f"by {self.permitted_by}")
        if self.kicked:
            words.append(f"kicked {self.kicked}")
        return " ".join(word for word in words if word)


PASS = Action("pass")


# -- naming objects ------------------------------------------------------------------------------------------


def reference(game: Game, obj: Object) -> str:
    """A name that finds the object again: its card's, or its place among the tokens and copies of its kind."""
    if obj.card is not None:
        return obj.card.handle
    index = next(n for n, other in enumerate(_without_card(game, obj.zone), start=1) if other is obj)
    return f"{obj.kind} {index} in {obj.zone}"


def _without_card(game: Game, zone: str) -> list[Object]:
    if zone in ("hand", "library", "graveyard"):
        return [obj for player in game.players for obj in getattr(player, zone) if obj.card is None]
    return [obj for obj in getattr(game, zone) if obj.card is None]


def find(game: Game, name: str) -> Object:
    """The object of a reference.

    Raises:
        Refused: there is no such object now.
    """
    card = game.cards.get(name)
    if card is not None:
        if card.now is not None:
            return card.now
    else:
        kind, number, _, zone = name.split(" ", 3)
        found = _without_card(game, zone)
        if int(number) <= len(found) and found[int(number) - 1].kind == kind:
            return found[int(number) - 1]
    raise Refused(f"{name} is nowhere", "109.1", "permission")


# -- doing ---------------------------------------------------------------------------------------------------


def perform(game: Game, player: Player, action: Action) -> None:
    """Do it, up to the next time that somebody has priority.

    Raises:
        Refused: the rules do not allow it; the state is then for the caller to put back.
    """
    if action.verb == "concede":
        ending.concede(game, player)
        if not game.over and game.priority is not None:
            priority.give(game, game.priority)
        return
    if game.over:
        raise Refused("the game is over", "104.1", "permission")
    if action.verb == "pass":
        priority.pass_(game, player)
        return
    act(game, player, action)
    priority.again(game, player)


def act(game: Game, player: Player, action: Action) -> None:
    """An action other than passing and conceding, without what follows it (CR 117.3c)."""
    obj = find(game, action.object)
    if action.verb == "play":
        lands.play(game, player, obj, action.face)
    elif action.verb == "cast":
        using: tuple[Any, ...] = action.using
        if action.permitted_by is not None:
            using = (*using, find(game, action.permitted_by))
        casting.cast(game, player, obj, Request(using=using, face=action.face, kicked=action.kicked or None))
    elif action.verb == "activate":
        activating.activate(game, player, obj, action.ability, Request())
    elif action.verb == "turn face up":
        face_down.special_action(game, player, obj, action.using[0] if action.using else None, Request())
    elif action.verb == "suspend":
        suspending.suspend(game, player, obj, Request())
    elif action.verb == "plot":
        plotting.plot(game, player, obj, Request())
    elif action.verb == "foretell":
        foretelling.foretell(game, player, obj, Request())
    else:
        raise ValueError(f"no action {action.verb!r}")


# -- what may be tried ---------------------------------------------------------------------------------------


def candidates(game: Game, player: Player) -> list[Action]:
    """Actions that a player could think of now, legal or not, but for passing and conceding; each once."""
    found: dict[Action, None] = {}
    for obj in player.hand:
        found.update(dict.fromkeys(_with_card(game, player, obj)))
    for obj in (*player.graveyard, *game.exile, *game.command, *player.library[:1]):
        if obj.owner is player or _permits(game, obj):
            found.update(dict.fromkeys(_with_card(game, player, obj)))
    for other in game.opponents(player):
        for obj in (*other.graveyard, *other.library[:1]):
            if _permits(game, obj):
                found.update(dict.fromkeys(_with_card(game, player, obj)))
    for obj in game.battlefield:
        if obj.controller is player and obj.face_down is not None:
            found.update(dict.fromkeys(_turning_up(game, obj)))
        found.update(dict.fromkeys(_activations(game, player, obj)))
    return list(found)


def _permits(game: Game, obj: Object) -> bool:
    """Whether some effect speaks of casting or playing from zones such as the object's (CR 601.3)."""
    for word in ("may cast", "may play lands"):
        for node, ctx in statics.rules(game, word):
            affected = ctx.results.get("affected")
            if affected is not None:
                if any(thing is obj for thing in affected):
                    return True
            elif obj.zone in (node.args.get("from_") or (node.args["filter"].zone,)):
                return True
    return False


def _with_card(game: Game, player: Player, obj: Object) -> Iterator[Action]:
    name = reference(game, obj)
    values = objects.base_values(obj)
    faces = ("back",) if values.layout == "modal" else ()
    if "Land" in values.whole.types:
        yield Action("play", name)
    for face in faces:
        if "Land" in values.faces[face].types:
            yield Action("play", name, face=face)
    yield from _casts(game, player, obj, name)
    for special in ("suspend", "plot", "foretell"):
        if obj.zone == "hand" and layers.of(game, obj).has(special):
            yield Action(special, name)
    yield from _activations(game, player, obj)


def _casts(game: Game, player: Player, obj: Object, name: str) -> Iterator[Action]:
    values = objects.base_values(obj)
    ch = layers.of(game, obj)
    faces: tuple[str | None, ...] = {
        "split": ("left", "right", "fused"),
        "adventure": (None, "adventure"),
        "modal": (None, "back"),
    }.get(values.layout, (None,))
    alternatives = list(dict.fromkeys(ability.name for ability, _ in ch.each(AlternativeCost)))
    free = any(ability.free and ability.cost is None for ability, _ in ch.each(AlternativeCost))
    others = [ability.name for ability, _ in ch.each(OtherValues)]
    optional = [ability for ability, _ in ch.each(AdditionalCost) if ability.optional]
    kickers = [ability for ability in optional if ability.name in ("kicker", "multikicker")]
    extras = list(dict.fromkeys(ability.name for ability in optional if ability not in kickers))
    permits = [
        reference(game, ctx.this)
        for node, ctx in statics.rules(game, "may cast")
        if node.args.get("cost") is not None and ctx.this is not None and not ctx.this.gone and ctx.this.zone != "stack"
    ]
    if any(card is not obj and layers.of(game, card).has("splice") for card in player.hand):
        extras.append("splice")
    if ch.has("assist"):
        extras.append("assist")
    for face in faces:
        if face in (None, "front") and "Land" in values.whole.types and "Land" in ch.types and not alternatives:
            continue
        yield Action("cast", name, face=face)
        for extra in extras:
            yield Action("cast", name, face=face, using=(extra,))
        for times in range(1, (3 if any(a.repeatable for a in kickers) else len(kickers)) + 1):
            yield Action("cast", name, face=face, kicked=times)
        for other in others:
            yield Action("cast", name, face=face, using=(other,))
            if permits:
                yield Action("cast", name, face=face, using=("without paying", other))
        for word in alternatives:
            yield Action("cast", name, face=face, using=(word,))
            for extra in extras:
                yield Action("cast", name, face=face, using=(word, extra))
        if free or permits:
            yield Action("cast", name, face=face, using=("without paying",))
        for permit in dict.fromkeys(permits):
            yield Action("cast", name, face=face, permitted_by=permit)


def _activations(game: Game, player: Player, obj: Object) -> Iterator[Action]:
    found = activating.abilities(game, obj)
    if not found:
        return
    name = reference(game, obj)
    # Mana abilities are activated while costs are paid; beforehand only now and then (see `playing`).
    printed = [
        p for ability in objects.layer_one(game, obj).abilities for p in ability.all_parts if isinstance(p, Activated)
    ]
    own = obj.controller if obj.zone == "battlefield" else obj.owner
    for number in range(1, len(printed) + len(found) + 1):
        chosen = activating.select(game, player, obj, number)
        if not chosen:
            continue
        ability = chosen[0]
        if obj.zone not in ability.zones and "any" not in ability.zones:
            continue
        if own is not player and not ability.anyone:
            continue
        yield Action("activate", name, ability=number)


def _turning_up(game: Game, obj: Object) -> Iterator[Action]:
    name = reference(game, obj)
    for using in ("mana cost", "morph", "megamorph", "disguise"):
        yield Action("turn face up", name, using=(using,))


__all__ += ["act"]
