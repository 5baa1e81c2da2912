"""Playing lands (CR 116.2a, 305)."""

from __future__ import annotations

from typing import Any

from judgecall.oracle import events, objects, statics, turn
from judgecall.oracle.agents import Refused
from judgecall.oracle.state import Game, Object, Player

__all__ = ["play"]


def play(game: Game, player: Player, obj: Object, face: str | None, *, during: bool = False) -> list[Object]:
    """Play a land: a special action, without the stack (CR 305.1).

    Raises:
        Refused: with the rule.
    """
    values = objects.base_values(obj)
    chosen = "back" if face == "back" else "front"
    if values.layout == "modal":
        found = values.faces.get(chosen, values.whole)
    else:
        if face == "back":
            raise Refused("only a modal double-faced card can be played with its back face", "712.12", "permission")
        found = values.whole
    if "Land" not in found.types:
        raise Refused("it is not a land", "305.1", "permission", ("712.12",) if values.layout == "modal" else ())
    if not during:
        if game.priority is not player:
            raise Refused(f"{player.name} does not have priority", "116.2a", "permission")
        if game.active is not player or not turn.is_main(game) or game.stack:
            rule = "305.1" if game.active is player else "305.3"
            also = ("117.1c", "505.6b")
            raise Refused("only in a main phase of one's own turn with an empty stack", rule, "permission", also)
    elif game.active is not player:
        return []
    if not _allowed_from(game, player, obj):
        raise Refused("nothing allows it to be played from there", "305.1", "permission")
    if statics.forbids(game, "cant play lands", player=player, obj=obj):
        raise Refused("an effect says that it can't be played", "101.2", "permission")
    if player.lands_played >= statics.land_limit(game, player):
        raise Refused("no more lands may be played this turn", "305.2", "permission")
    details: dict[str, Any] = {"controller": player, "face": chosen}
    game.write(player, "lands_played", player.lands_played + 1)
    done = events.happen(game, [events.move(obj, "battlefield", cause="play", by=player, **details)])
    for event in done:
        events.happen(game, [events.Event("play land", event.obj, player, new=event.new)])
    return [event.new for event in done if event.new is not None]


def _allowed_from(game: Game, player: Player, obj: Object) -> bool:
    if obj.zone == "hand" and obj.owner is player:
        return True
    for node, ctx in statics.rules(game, "may play lands"):
        if player not in ctx.players(node.args["who"]):
            continue
        affected = ctx.results.get("affected")
        if affected is not None and not any(thing is obj for thing in affected):
            continue
        if node.args["filter"].zone != obj.zone or not ctx.matches(node.args["filter"], obj):
            continue
        if obj.zone == "library" and obj.owner.library[:1] != (obj,):
            continue
        return True
    return False
