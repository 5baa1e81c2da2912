"""What a player who plays at random tries: likely things first, hopeless ones seldom. Nothing here is a rule."""

from __future__ import annotations

from random import Random

from judgecall.oracle import actions, activating, layers, objects, statics, turn
from judgecall.oracle.actions import Action
from judgecall.oracle.characteristics import FaceValues, symbol_value
from judgecall.oracle.definitions import Activated
from judgecall.oracle.state import Game, Object, Player

__all__ = ["eagerness", "worth_trying"]

_FOOLISH = 0.06
"""How likely something is tried that is hopeless: refusals must be met too."""


def eagerness(game: Game, player: Player) -> float:
    """How likely a player looks for something to do instead of passing at once."""
    if game.stack:
        return 0.4
    return 0.95 if game.active is player and turn.is_main(game) else 0.12


def worth_trying(game: Game, player: Player, random: Random) -> list[Action]:
    """Actions to try, in order."""
    mana = _mana_in_sight(game, player)
    free = game.active is player and turn.is_main(game) and not game.stack
    found = [
        action
        for action in actions.candidates(game, player)
        if random.random() < _FOOLISH or not _hopeless(game, player, action, mana, free)
    ]
    return sorted(found, key=lambda action: _weight(game, action, random))


def _weight(game: Game, action: Action, random: Random) -> float:
    """The smaller, the sooner it is tried: lands first, then spells, then abilities, mana abilities rarely."""
    if action.verb == "play":
        return random.random() * 0.4
    if action.verb == "activate":
        chosen = _ability(game, action)
        return random.random() + (3.0 if chosen is not None and chosen.mana else 0.6)
    return random.random() + (0.3 if action.using else 0.2)


def _ability(game: Game, action: Action) -> Activated | None:
    obj = actions.find(game, action.object)
    chosen = activating.select(game, obj.controller, obj, action.ability)
    return chosen[0] if chosen else None


def _hopeless(game: Game, player: Player, action: Action, mana: int, free: bool) -> bool:
    """Whether it is plain that an action is not legal now: no time for it, no mana, done before."""
    obj = actions.find(game, action.object)
    if action.verb == "play":
        return not free or player.lands_played >= statics.land_limit(game, player)
    if action.verb == "cast":
        face = _face(obj, action)
        usual = not action.using and action.permitted_by is None
        if usual and objects.value_of(face) > mana:
            return True
        return not free and not _quick(game, player, obj, face)
    if action.verb == "activate":
        ability = _ability(game, action)
        if ability is None:
            return True
        if ability.timing == "sorcery" and not free:
            return True
        if any(node.word == "tap this" for node in ability.cost.parts) and obj.tapped:
            return True
        return sum(symbol_value(symbol) for symbol in ability.cost.mana or ()) > mana
    return False


def _face(obj: Object, action: Action) -> FaceValues:
    values = objects.base_values(obj)
    return values.faces.get(action.face or "front", values.whole)


def _quick(game: Game, player: Player, obj: Object, face: FaceValues) -> bool:
    if "Instant" in face.types or layers.of(game, obj).has("flash"):
        return True
    return any(player in ctx.players(node.args["who"]) for node, ctx in statics.rules(game, "as though flash"))


def _mana_in_sight(game: Game, player: Player) -> int:
    """About how much mana a player could come by."""
    found = len(player.mana)
    for obj in game.battlefield:
        if obj.controller is player and not obj.tapped:
            abilities = [ability for ability in activating.abilities(game, obj) if ability.mana]
            found += max((len(ability.body.effects) for ability in abilities), default=0)
    return found
