"""Static abilities and lasting effects that change the rules rather than objects (CR 604, 611.2c, 101.2)."""

from __future__ import annotations

from typing import Any

from judgecall.oracle import layers
from judgecall.oracle.characteristics import Characteristics, FaceValues
from judgecall.oracle.definitions import Filter, Node, Static
from judgecall.oracle.state import Game, Object, Player
from judgecall.oracle.vocabulary.context import Context

__all__ = ["cannot_enter", "forbids", "rules"]


def rules(game: Game, word: str) -> list[tuple[Node, Context]]:
    """Every rule word of that name in force, with its surroundings."""
    table: dict[str, list[tuple[Node, Context]]] | None = game.cache.get("rules")
    if table is None:
        table = game.cache["rules"] = _collect(game)
    return table.get(word, [])


_WAITING = "waiting for a condition"
"""No word: something would be in force if a condition held, so that having no rules is no lasting state."""


def _collect(game: Game) -> dict[str, list[tuple[Node, Context]]]:
    found: dict[str, list[tuple[Node, Context]]] = {}
    present = [obj for obj in game.battlefield if not obj.phased_out]
    for obj in [*present, *game.command, *_elsewhere(game)]:
        ch = layers.of(game, obj)
        for ability, _ in ch.each(Static):
            nodes = [node for node in ability.effects if node.word != "affects"]
            if nodes and layers.functions(ability, obj.zone):
                ctx = Context(game, ch.controller, obj)
                holds = ctx.holds(ability.condition)
                for node in nodes:
                    found.setdefault(node.word if holds else _WAITING, []).append((node, ctx))
    for effect in game.effects:
        node = effect.ability
        if isinstance(node, Node) and node.word not in ("affects", "copy values"):
            ctx = Context(game, effect.controller, effect.source, **dict(effect.context))
            ctx.results = {**ctx.results, "affected": effect.affected, "effect": effect}
            found.setdefault(node.word, []).append((node, ctx))
    return found


def _elsewhere(game: Game) -> list[Object]:
    """Cards away from the battlefield whose static abilities say that they function there (CR 113.6b)."""
    from judgecall.oracle import objects

    places = (game.exile, *(player.graveyard for player in game.players))
    return [obj for place in places for obj in place if obj.zone in _zones_of(objects.face_values(obj))]


_ZONES: dict[FaceValues, frozenset[str]] = {}


def _zones_of(values: FaceValues) -> frozenset[str]:
    known = _ZONES.get(values)
    if known is None:
        parts = [part for ability in values.abilities for part in ability.all_parts if isinstance(part, Static)]
        known = _ZONES[values] = frozenset(
            zone for part in parts for zone in part.zones if any(node.word != "affects" for node in part.effects)
        )
    return known


def forbids(game: Game, word: str, *, player: Player | None = None, obj: Object | None = None) -> bool:
    """Whether a prohibition reaches a player or an object (CR 101.2)."""
    if any(_reaches(node, ctx, player, obj) for node, ctx in rules(game, word)):
        game.trace.cite("101.2")
        return True
    return False


def _reaches(node: Node, ctx: Context, player: Player | None, obj: Object | None) -> bool:
    affected, filter, who = ctx.results.get("affected"), node.args.get("filter"), node.args.get("who")
    return (
        (affected is None or obj in affected)
        and (filter is None or (obj is not None and _describes(ctx, filter, obj)))
        and (who is None or player in ctx.players(who))
    )


def _describes(ctx: Context, filter: Filter, obj: Object) -> bool:
    from judgecall.oracle.vocabulary.filters import in_zone

    return (filter.zone is None or in_zone(obj, filter.zone)) and ctx.matches(filter, obj)


def cannot_enter(game: Game, obj: Object, new: Object, ch: Characteristics) -> bool:
    """Whether an effect keeps something from entering the battlefield (CR 614.17d looks at both ends)."""
    for node, ctx in rules(game, "cant enter"):
        zones, filter = node.args.get("from_"), node.args["filter"]
        if zones is None or obj.zone in zones:
            if _matches_ch(ctx, filter, ch, new if zones is None else obj):
                return True
    return False


def _matches_ch(ctx: Context, filter: Any, ch: Characteristics, obj: Object) -> bool:
    from judgecall.oracle.vocabulary.words import evaluate

    if ch.obj.face_down is None and obj is not ch.obj:
        ch = layers.of(ctx.game, obj)  # face down it is what it will be (CR 701.40f)
    return all(evaluate("test", Node(name, {"value": value}), ctx, ch, obj) for name, value in filter.tests)


def lies_open(game: Game, obj: Object) -> bool:
    """Whether a card is revealed already: an effect has its owner play with an open hand (CR 701.20c)."""
    return any(
        obj in player.hand for node, ctx in rules(game, "hands revealed") for player in ctx.players(node.args["who"])
    )


def draw_limit(game: Game, player: Player | None, n: int = 1) -> bool:
    """Whether an effect that lets a player draw no more than so many cards a turn keeps n from being drawn."""
    if any(
        player is not None and player in ctx.players(node.args["who"]) and player.drawn + n > ctx.amount(node.args["n"])
        for node, ctx in rules(game, "draw limit")
    ):
        game.trace.cite("121.2b")
        return True
    return False


def hand_limit(game: Game, player: Player) -> int | None:
    """The maximum hand size (CR 402.2): 7, or as effects say; None for none."""
    limit: int | None = 7
    for node, ctx in rules(game, "hand size"):
        if player in ctx.players(node.args["who"]):
            game.trace.cite("402.2", "613.11")
            n = node.args["n"]
            if n is None:
                limit = None
            elif not node.args["change"]:
                limit = ctx.amount(n)
            elif limit is not None:
                limit += ctx.amount(n)
    return limit


def land_limit(game: Game, player: Player) -> int:
    """How many lands a player may play this turn (CR 305.2)."""
    return 1 + sum(
        ctx.amount(node.args["n"])
        for node, ctx in rules(game, "additional lands")
        if player in ctx.players(node.args["who"])
    )


def as_own(game: Game, player: Player, obj: Object) -> bool:
    """Whether a card is in the player's own zone, or counts as though it were (CR 609.4)."""
    if obj.owner is player:
        return True
    if obj.zone == "graveyard" and any(
        player in ctx.players(node.args["who"]) for node, ctx in rules(game, "graveyards as own")
    ):
        game.trace.cite("609.4a")
        return True
    return False


def devotion_bonus(game: Game, player: Player) -> int:
    """What effects add to a player's devotion (CR 700.5a)."""
    if rules(game, "devotion bonus"):
        game.trace.cite("700.5a")
    return sum(ctx.amount(node.args["n"]) for node, ctx in rules(game, "devotion bonus") if player is ctx.you)
