"""Delayed triggered abilities (CR 603.7)."""

from __future__ import annotations

import pytest
from judgecall.oracle import events
from judgecall.oracle.resolving import perform
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.grammar import parse_value

from tests.oracle.board import Board


@pytest.mark.parametrize("panharmonicon", [True, False])
def test_what_adds_triggers_of_an_object_s_abilities_adds_none_of_delayed_ones(panharmonicon: bool) -> None:
    """CR 603.2d: Soul Warden's own ability may trigger twice, a delayed one that comes of the Warden only once."""
    board = Board({"battlefield": ["Soul Warden", *(["Panharmonicon"] if panharmonicon else [])]})
    warden = board.game.battlefield[0]
    delayed = {"delayed": {"enters": {"types": "Creature"}}, "body": [{"draw": 1}], "once": False}
    perform(Context(board.game, board.alice, warden), parse_value("effects", [delayed]))
    bears = board.put(board.alice, "hand", "Grizzly Bears")
    events.happen(board.game, [events.move(bears, "battlefield", controller=board.alice)])
    own = [item for item in board.game.waiting if item.source is warden and item.ability.body.effects[0].word != "draw"]
    assert len(own) == (2 if panharmonicon else 1)
    assert len(board.game.waiting) == len(own) + 1
