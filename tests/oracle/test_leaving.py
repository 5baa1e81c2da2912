"""A player leaves a game that goes on (CR 800.4)."""

from __future__ import annotations

import pytest
from judgecall.oracle import ending, events, invariants, layers, priority
from judgecall.oracle.state import Player

from tests.oracle.board import Board


@pytest.fixture
def board() -> Board:
    return Board(
        {"battlefield": ["Genesis Chamber"]},
        {"battlefield": ["Grizzly Bears"], "hand": ["Shock"]},
        {"battlefield": ["Hill Giant", "Swamp"]},
    )


def carol(board: Board) -> Player:
    return board.game.players[2]


def test_what_they_own_goes_along_and_nothing_of_theirs_stays(board: Board) -> None:
    """CR 800.4a."""
    ending.concede(board.game, carol(board))
    assert [obj.owner.name for obj in board.game.battlefield] == ["alice", "bob"]
    assert not carol(board).library
    assert not board.game.over
    invariants.zones(board.game)
    invariants.cards(board.game)
    invariants.numbers(board.game)


def test_what_they_controlled_goes_back(board: Board) -> None:
    """CR 800.4a: an effect that gives them control ends."""
    bears = board.of("Grizzly Bears")
    carol_ = carol(board)
    hold = {"static": {"affects": "attached", "change": {"control": "you"}}}
    aura = [{"enchant": {"types": "Creature"}}, hold]
    control = board.make(carol_, "battlefield", name="Hold", type="Enchantment — Aura", abilities=aura)
    control.attached_to = bears
    board.game.cache = {}
    events.align(board.game)
    assert bears.controller is carol_
    ending.concede(board.game, carol_)
    assert bears.controller is board.bob
    assert layers.of(board.game, bears).controller is board.bob


def test_no_token_is_created_for_them(board: Board) -> None:
    """CR 800.4b: a triggered ability whose event was theirs resolves without them."""
    chamber = board.of("Genesis Chamber")
    giant = board.put(carol(board), "hand", "Hill Giant")
    events.happen(board.game, [events.move(giant, "battlefield", controller=carol(board))])
    assert [waiting.source for waiting in board.game.waiting] == [chamber]
    ending.concede(board.game, carol(board))
    priority.give(board.game, board.alice)
    board.resolve()
    assert all(obj.kind == "card" for obj in board.game.battlefield)


def test_what_was_theirs_by_default_is_exiled_when_an_effect_ends(board: Board) -> None:
    """CR 800.4c: Bob borrows what Carol put onto the battlefield from Alice's hand, and gives it back to nobody."""
    giant = board.put(board.alice, "hand", "Hill Giant")
    borrowed = events.happen(board.game, [events.move(giant, "battlefield", controller=carol(board))])[0].new
    assert borrowed is not None
    hold = {"static": {"affects": "attached", "change": {"control": "you"}}}
    aura = [{"enchant": {"types": "Creature"}}, hold]
    control = board.make(board.bob, "battlefield", name="Hold", type="Enchantment — Aura", abilities=aura)
    control.attached_to = borrowed
    board.game.cache = {}
    events.align(board.game)
    assert borrowed.controller is board.bob
    ending.concede(board.game, carol(board))
    assert borrowed.controller is board.bob
    assert not borrowed.gone
    events.happen(board.game, [events.move(control, "graveyard")])
    assert borrowed.became is not None
    assert borrowed.became.zone == "exile"
    assert borrowed.became.owner is board.alice


def test_the_last_player_wins(board: Board) -> None:
    """CR 104.2a."""
    ending.concede(board.game, carol(board))
    ending.concede(board.game, board.alice)
    assert board.game.over
    assert board.game.winner is board.bob
