"""Building a game in the middle: players, objects with their status, the turn (for whoever starts a game)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from judgecall.oracle import applying, copying, events, face_down, objects, predefined, resolving, tokens
from judgecall.oracle.agents import Agent
from judgecall.oracle.cards import loader
from judgecall.oracle.characteristics import FaceValues
from judgecall.oracle.definitions import AlternativeCost, CardDefinition, Enters, Node, Triggered
from judgecall.oracle.state import Card, Game, ManaUnit, Object, Player
from judgecall.oracle.trace import Trace
from judgecall.oracle.vocabulary.context import Context

__all__ = ["UnknownCard", "add", "attach", "begin", "new_game"]


class UnknownCard(Exception):
    """There is no definition of a card of that name."""


def definition(name: str) -> CardDefinition:
    """The definition of a card.

    Raises:
        UnknownCard: there is none.
    """
    found = loader.load(name)
    if found is None:
        raise UnknownCard(name)
    return found


def new_game(names: tuple[str, ...], agent: Agent, seed: int = 0) -> Game:
    """A game of these players, with nothing in it."""
    players = tuple(Player(name, seat) for seat, name in enumerate(names))
    game = Game(players, agent, Trace())
    game.seed = seed
    game.known_cards = loader.load
    return game


def add(
    game: Game,
    owner: Player,
    zone: str,
    *,
    card: str = "",
    token: str | None = None,
    is_token: bool = False,
    handle: str = "",
    commander: bool = False,
    controller: Player | None = None,
    face: str = "front",
    tapped: bool = False,
    damage: int = 0,
    down: str | None = None,
    copy_of: str | None = None,
    chosen: Mapping[str, Any] | None = None,
) -> Object:
    """Put an object into a zone without anything happening: at the end of a list, in a library at the bottom.

    Raises:
        UnknownCard: no definition of a name.
    """
    kind = "token" if token is not None or is_token else "card"
    obj = game.new_object(kind, owner, zone)
    if kind == "token" and handle:
        game.shared.setdefault("handles", {})[obj.id] = handle
    if token is not None:
        values = predefined.token(token)
        if values is None:
            raise UnknownCard(token)
        obj.copied = values
    elif is_token:
        obj.copied = definition(card).values
        obj.flags = tokens.COPY
    else:
        physical = Card(definition(card), owner, handle)
        physical.commander = commander
        physical.now = obj
        game.cards[handle] = physical
        obj.card = physical
    obj.holder = obj.controller = controller if controller is not None else owner
    obj.face = face
    obj.tapped = tapped
    obj.damage = damage
    if down is not None:
        obj.face_down = down
        obj.face_down_values = face_down.values(down) if zone == "battlefield" else None
        if zone == "battlefield":
            obj.visible_to = frozenset({obj.controller.name})
    elif zone in applying.PUBLIC:
        obj.revealed_to = frozenset(player.name for player in game.players)
    if zone == "hand":
        obj.revealed_to = frozenset({owner.name})
    if chosen:
        obj.chosen = MappingProxyType(dict(chosen))
    applying.put_in(game, obj, "bottom")
    if zone == "graveyard":  # listed from the top; the top of a graveyard is the end (CR 404.1)
        owner.graveyard = (obj, *owner.graveyard[:-1])
    if copy_of is not None:
        back = loader.back_face(copy_of) if loader.load(copy_of) is None else None
        copied = objects.as_copied(back if back is not None else definition(copy_of).front)
        _as_copy(game, obj, copied)
    return obj


def _as_copy(game: Game, obj: Object, copied: FaceValues) -> None:
    """It entered as a copy, by an effect of its own if it has one: with the exceptions of that (CR 707.9)."""
    own = [part for ability in objects.face_values(obj).abilities for part in ability.all_parts]
    effect = next((part.copy for part in own if isinstance(part, Enters) and part.affects is None and part.copy), None)
    args = effect.args if effect is not None else {}
    ends = args.get("until") or "forever"
    ctx = Context(game, obj.controller, obj)
    with game.trial():
        values = copying.excepted(ctx, copied, args.get("except_"))
        if args.get("if_") is not None:
            copying.become(game, obj, values, ends=ends, stamp=obj.stamp)
            if ctx.matches(args["if_"], obj):
                values = copying.excepted(ctx, copied, {**(args.get("except_") or {}), **(args.get("then") or {})})
    copying.become(game, obj, values, ends=ends, stamp=obj.stamp)


def attach(game: Game, obj: Object, host: Object | Player) -> None:
    """Have something be attached: a creature with bestow as a bestowed Aura (CR 702.103b), one that attaches itself as
    it enters as what it then becomes."""
    obj.attached_to = host
    for ability in objects.copiable(game, obj).abilities:
        for part in ability.all_parts:
            if isinstance(part, AlternativeCost) and part.name == "bestow":
                part.values(game, obj)
            elif isinstance(part, Triggered) and part.trigger.word == "enters":
                _as_attached(game, obj, host, part.body.effects)


def _as_attached(game: Game, obj: Object, host: Object | Player, effects: tuple[Node, ...]) -> None:
    """What lasts of an ability that has attached its source, as Animate Dead's."""
    to = next((node.args["to"] for node in effects if node.word == "attach" and node.args["what"].word == "this"), None)
    if to is None or to.word != "result":
        return
    ctx = Context(game, obj.controller, obj)
    ctx.results[to.args["name"]] = [host]
    pending = game.trace.pending
    game.trace.pending = {}
    resolving.perform(ctx, [node for node in effects if node.word in ("until", "link", "delayed")])
    game.trace.pending = pending  # no rule has acted yet


def begin(
    game: Game,
    active: Player,
    step: str,
    turn: int,
    sick: tuple[Object, ...] = (),
    day_night: str | None = None,
) -> None:
    """Set the turn; what is not ``sick`` has been controlled since before it began (CR 302.6)."""
    game.active = active
    game.step = step
    game.turn = turn
    game.day_night = day_night
    began = game.stamp()
    game.history = MappingProxyType({"turn began": {player.name: began for player in game.players}})
    for obj in sick:
        obj.control_stamp = game.stamp()
    game.cache = {}
    events.align(game)
    for obj in game.battlefield:
        if not any(obj is other for other in sick):
            obj.control_stamp = obj.stamp
    game.cache = {}


def mana(symbols: tuple[str, ...]) -> tuple[ManaUnit, ...]:
    """Floating mana of these symbols."""
    return tuple(ManaUnit(symbol) for symbol in symbols)


__all__ += ["definition", "mana"]
