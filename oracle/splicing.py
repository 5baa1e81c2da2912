"""Splice (CR 702.47): cards revealed from hand lend their text and cost to a spell."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from judgecall.oracle import events, layers
from judgecall.oracle.agents import Refused
from judgecall.oracle.definitions import Body, SpellAbility
from judgecall.oracle.state import Game, Object, Player
from judgecall.oracle.vocabulary.context import Context

__all__ = ["splice"]


def splice(game: Game, player: Player, spell: Object, cards: Sequence[Object]) -> None:
    """Reveal cards and add their text and their splice costs to a spell (CR 702.47a, 601.2b).

    Raises:
        Refused: the spell or a card is not of the right kind.
    """
    bodies: list[Body] = []
    costs = []
    if len({id(card) for card in cards}) < len(cards):
        raise Refused("a card is spliced onto a spell once", "702.47b", "announce")
    for card in cards:
        ch = layers.of(game, card)
        keywords = ch.keywords().get("splice", [])
        if card.zone != "hand" or card.owner is not player or not keywords:
            raise Refused("that card cannot be spliced", "702.47a", "announce")
        if not Context(game, player, card).matches(keywords[0].value["onto"], spell):
            raise Refused("the card cannot be spliced onto such a spell", "702.47a", "announce")
        events.happen(game, [events.Event("reveal", card)])
        costs.append(keywords[0].value["cost"])
        bodies.extend(ability.body for ability, _ in ch.each(SpellAbility))
        game.trace.cite("702.47a")
    game.write(
        spell,
        "context",
        MappingProxyType({**spell.context, "spliced": tuple(bodies), "splice costs": tuple(costs)}),
    )
