"""Casting while something resolves (CR 608.2g, 601.3): the same procedure, without timing and priority."""

from __future__ import annotations

from itertools import product
from typing import Any

from judgecall.oracle import casting, choices, events, layers, objects, ways
from judgecall.oracle.agents import Question, Refused
from judgecall.oracle.definitions import AdditionalCost, AlternativeCost, Filter, OtherValues
from judgecall.oracle.state import Object, Player
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.ways import Request, Way

__all__ = ["cascade", "offer"]


def offer(
    ctx: Context,
    what: list[Any],
    player: Player,
    cost: Any,
    optional: bool,
    filter: Filter | None,
    transformed: bool,
    copy: bool,
    n: int,
    leaves: str | None,
) -> list[Object]:
    """Offer cards for casting, for nothing or for a cost, as often as ``n``; returns the spells."""
    from judgecall.oracle import copying

    game = ctx.game
    cards = [thing for thing in what if isinstance(thing, Object) and not thing.gone]
    if copy:
        cards = [copying.copy_card(ctx, thing) for thing in cards]
    cast: list[Object] = []
    while cards and len(cast) < n:
        able = [card for card in cards if _possible(ctx, player, card, cost, filter, transformed)]
        if not able and casting.split_second(game):
            game.trace.cite("702.61a")
        if not able and not optional:
            break
        least = 0 if optional else 1
        answer = choices.ask(game, Question(player, "cast", "cast a spell", tuple(able), least, 1, ctx.this))
        if answer is None:
            if optional:
                break
            raise Refused("it must be cast", "608.2g")
        card, request = answer
        if not any(card is option for option in able):
            raise Refused("that card is not offered", "608.2g")
        cast.append(_cast(ctx, player, card, request, cost, filter, transformed, leaves))
        cards = [other for other in cards if not other.gone]
    return cast


def _way(ctx: Context, card: Object, request: Request, cost: Any, transformed: bool) -> Way:
    from judgecall.oracle.vocabulary.grammar import parse_cost

    way = Way(face="back" if transformed else ways.face_of(card, request))
    if cost == "free":
        way.free = True
        way.names = ("without paying",)
    elif cost != "mana cost":
        way.cost = parse_cost(cost)
    ch = layers.of(ctx.game, card)
    additions = [addition for addition, _ in ch.each(AdditionalCost)]
    way.additional = ways.kickers(ctx.game, ctx.you, card, request)
    for item in request.using:
        name = item[0] if isinstance(item, tuple) else item
        if isinstance(name, Object) and layers.of(ctx.game, name).has("splice"):
            way.splice = (*way.splice, name)  # CR 702.47a: whenever one casts a spell
            continue
        added = any(addition.name == name for addition in additions)
        other = [ability for ability, _ in ch.each(AlternativeCost) if ability.name == name and not ability.from_zones]
        if added:
            named = item if isinstance(item, tuple) else (item, None)
            way.additional.append((ways.addition_of(ctx.game, ctx.you, card, request, named, way.additional), 1))
        elif ways.with_values(way, ch, name):
            continue
        elif other and cost != "mana cost":
            raise Refused("two alternative costs for one spell", "118.9a", "announce")
        elif other:
            way = ways.for_alternative(way, other[0], card, request)
    return way


def _attempt(
    ctx: Context,
    player: Player,
    card: Object,
    request: Request,
    cost: Any,
    filter: Filter | None,
    transformed: bool,
) -> Object:
    way = _way(ctx, card, request, cost, transformed)
    mark = ctx.game.mark()
    spell = casting.cast(ctx.game, player, card, request, during=True, way=way)
    if filter is not None and not ctx.matches(filter, spell):
        ctx.game.undo(mark)
        raise Refused("the spell is not of the kind that may be cast", "608.2g", "permission")
    return spell


def _possible(ctx: Context, player: Player, card: Object, cost: Any, filter: Filter | None, transformed: bool) -> bool:
    from judgecall.oracle import legality

    faces: list[str | None] = [None]
    layout = objects.base_values(card).layout
    if layout == "split":
        faces = ["left", "right"]
    elif layout == "adventure":
        faces = ["front", "adventure"]
    elif layout == "modal":
        faces = ["front", "back"]
    ch = layers.of(ctx.game, card)
    named = [ability.name for ability, _ in ch.each(OtherValues)]
    if cost == "mana cost":
        named += [ability.name for ability, _ in ch.each(AlternativeCost) if not ability.from_zones]
    for face, using in product(faces, [(), *((name,) for name in dict.fromkeys(named))]):

        def attempt(face: str | None = face, using: tuple[str, ...] = using) -> None:
            _attempt(ctx, player, card, Request(face=face, using=using), cost, filter, transformed)

        if legality.search(ctx.game, attempt).legal:
            return True
    return False


def _cast(
    ctx: Context,
    player: Player,
    card: Object,
    request: Request,
    cost: Any,
    filter: Filter | None,
    transformed: bool,
    leaves: str | None,
) -> Object:
    spell = _attempt(ctx, player, card, request, cost, filter, transformed)
    if leaves is not None:
        from judgecall.oracle.keyword_abilities import leaves_to
        from judgecall.oracle.state import FloatingEffect

        game = ctx.game
        effect = FloatingEffect(leaves_to(leaves), player, spell, game.stamp(), "leaves", (spell,), spell)
        game.write(game, "effects", (*game.effects, effect))
    return spell


def cascade(ctx: Context, mana_value: int) -> None:
    """CR 702.85a: exile until a nonland card of lesser mana value; it may be cast; the rest goes to the bottom."""
    from judgecall.oracle import chance
    from judgecall.oracle.vocabulary.grammar import parse_filter

    game = ctx.game
    player = ctx.you
    exiled: list[Object] = []
    hit: Object | None = None
    while cards := player.library_cards:
        done = events.happen(game, [events.move(cards[0], "exile", cause="exile")])
        card = done[0].new
        assert card is not None
        exiled.append(card)
        ch = layers.of(game, card)
        if "Land" not in ch.types and objects.mana_value(card, ch) < mana_value:
            hit = card
            break
    if hit is not None:
        lesser = parse_filter({"mana value": {"max": mana_value - 1}})
        offer(ctx, [hit], player, "free", True, lesser, False, False, 1, None)
    rest = [card for card in exiled if not card.gone]
    ordered = chance.shuffled(game, tuple(rest))
    events.happen(game, [events.move(card, "library", position="bottom", cause="put") for card in ordered])
