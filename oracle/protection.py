"""Protection and hexproof (CR 702.11, 702.16): from what, and what follows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from judgecall.oracle import layers
from judgecall.oracle.characteristics import Characteristics
from judgecall.oracle.definitions import Ability, Filter
from judgecall.oracle.state import Game, Object, Player
from judgecall.oracle.vocabulary.context import Context

__all__ = ["hexproof", "player_protected", "protects", "protects_player"]


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


def _abilities_of_player(game: Game, player: Player) -> Iterator[tuple[Ability, Context]]:
    from judgecall.oracle import statics

    for node, ctx in statics.rules(game, "player gains"):
        if player in ctx.players(node.args["who"]):
            yield from ((ability, ctx) for ability in node.args["abilities"])


def player_protected(ctx: Context, player: Player, source: Object | None) -> bool:
    """Whether a player has hexproof, shroud or protection that keeps this from targeting them (CR 702.11c, 702.18a)."""
    for ability, rule_ctx in _abilities_of_player(ctx.game, player):
        if ability.keyword == "shroud":
            return True
        if ability.keyword == "hexproof" and ctx.you is not player:
            if ability.value is None or (source is not None and rule_ctx.matches(ability.value, source)):
                return True
    return protects_player(ctx.game, player, source)


def protects_player(game: Game, player: Player, source: Object | None) -> bool:
    """Whether a player has protection from a source's quality (CR 702.16b–c, 702.16e)."""
    if source is None:
        return False
    return any(
        ability.value == "everything" or ctx.matches(ability.value, source)
        for ability, ctx in _abilities_of_player(game, player)
        if ability.keyword == "protection"
    )
