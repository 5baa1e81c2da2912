"""Assist: another player pays for generic mana in a spell's total cost (CR 702.132)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from judgecall.oracle import choices, payment
from judgecall.oracle.agents import Refused
from judgecall.oracle.costs import TotalCost
from judgecall.oracle.state import Game, ManaUnit, Object, Player

__all__ = ["Help", "help_pay"]


@dataclass(frozen=True, slots=True)
class Help:
    """Who has paid for a part of a total cost, with what mana, and what is left of the cost."""

    player: Player
    spent: tuple[str, ...]
    units: tuple[ManaUnit, ...]
    left: TotalCost


def help_pay(game: Game, player: Player, spell: Object, total: TotalCost) -> Help:
    """The player who casts a spell with assist chooses another player, who pays for any amount of its generic mana.

    Raises:
        Refused: the total cost has no generic mana, or the other player can't pay.
    """
    # What the total cost falls short of what it must come to is generic mana too (CR 601.2f).
    generic = max(total.generic - total.spare, total.floor - len(total.symbols), 0)
    if not generic:
        raise Refused("the total cost has no generic mana", "702.132a", "costs")
    others = [other for other in game.players if other is not player and not other.lost]
    (helper,) = choices.pick(game, player, others, 1, 1, "choose who may help to pay", spell, "702.132a")
    game.trace.cite("702.132a")
    amount = choices.number(game, helper, 0, generic, "how much generic mana to pay for", spell)
    paid = payment.pay(game, helper, spell, TotalCost(generic=amount), None)
    left = replace(
        total, generic=max(0, total.generic - amount), floor=max(0, total.floor - amount), symbols=list(total.symbols)
    )
    return Help(helper, tuple(paid["spent"]), tuple(paid.get("spent units", ())), left)
