"""Protection and hexproof (CR 702.11, 702.16): from what, and what follows."""

from __future__ import annotations

from typing import Any

from judgecall.oracle import layers
from judgecall.oracle.characteristics import Characteristics
from judgecall.oracle.definitions import Filter
from judgecall.oracle.state import Game, Object, Player
from judgecall.oracle.vocabulary.context import Context

__all__ = ["hexproof", "player_protected", "protects"]


def protects(game: Game, thing: Object, source: Object | None) -> bool:
    """Whether an object has protection from a source's quality (CR 702.16a)."""
    if source is None:
        return False
    found = layers.of(game, thing)
    return any(_covers(game, thing, ability.value, source) for ability in found.keywords().get("protection", ()))


def _covers(game: Game, thing: Object, value: Any, source: Object) -> bool:
    if value == "everything":
        return True
    ctx = Context(game, thing.controller, thing)
    if isinstance(value, Filter):
        return ctx.matches(value, source)
    return False


def hexproof(ctx: Context, found: Characteristics) -> str | None:
    """The rule by which a permanent's hexproof stops what its opponent targets it with, or None (CR 702.11b, d)."""
    for ability in found.keywords().get("hexproof", ()):
        if ability.value is None:
            return "702.11b"
        source = ctx.this
        if isinstance(ability.value, Filter) and source is not None and ctx.matches(ability.value, source):
            return "702.11d"
    return None


def player_protected(ctx: Context, player: Player, source: Object | None) -> bool:
    """Whether a player has hexproof, shroud or protection that stops this."""
    from judgecall.oracle import statics

    for node, rule_ctx in statics.rules(ctx.game, "player gains"):
        if player not in rule_ctx.players(node.args["who"]):
            continue
        for ability in node.args["abilities"]:
            if ability.keyword == "hexproof" and ctx.you is not player:
                return True
            if ability.keyword == "shroud":
                return True
            if ability.keyword == "protection" and source is not None:
                if ability.value == "everything" or (
                    isinstance(ability.value, Filter) and rule_ctx.matches(ability.value, source)
                ):
                    return True
    return False
