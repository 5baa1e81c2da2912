"""Two commanders of one deck (CR 702.124, 903.3)."""

from __future__ import annotations

from typing import Any

import pytest
from judgecall.oracle.cards import loader
from judgecall.oracle.commander import deck_legal
from judgecall.oracle.state import Card

from tests.oracle.board import Board

LEGEND = "Legendary Creature — Human"
BACKGROUND = "Legendary Enchantment — Background"


@pytest.mark.parametrize(
    ("cards", "legal"),
    [
        ([(LEGEND, [])], True),
        ([(LEGEND, []), (LEGEND, [])], False),
        ([(LEGEND, ["partner"]), (LEGEND, ["partner"])], True),
        ([(LEGEND, ["partner"]), (LEGEND, [])], False),
        ([(LEGEND, ["partner"])] * 3, False),
        ([(LEGEND, ["choose a background"]), (BACKGROUND, [])], True),
        ([(BACKGROUND, []), (LEGEND, ["choose a background"])], True),
        ([(LEGEND, ["choose a background"]), (LEGEND, ["partner"])], False),
        ([(LEGEND, ["choose a background"]), ("Enchantment — Background", [])], False),
        ([(LEGEND, []), (BACKGROUND, [])], False),
        ([(BACKGROUND, [])], False),
    ],
)
def test_which_cards_may_lead_a_deck_together(cards: list[tuple[str, list[str]]], legal: bool) -> None:
    board = Board()
    board.game.format = "commander"
    made: list[Any] = []
    for number, (kind, abilities) in enumerate(cards):
        raw: dict[str, Any] = {"name": f"Leader {number}", "mana_cost": "{W}", "type": kind, "abilities": abilities}
        if "Creature" in kind:
            raw["pt"] = "1/1"
        made.append(Card(loader.parse_card(raw), board.alice, f"leader {number}"))
    plains = loader.load("Plains")
    assert deck_legal(board.game, made, [plains] * (100 - len(made))) is legal
