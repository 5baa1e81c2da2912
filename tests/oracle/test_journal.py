"""The journal: everything that is written can be taken back (state.py)."""

from __future__ import annotations

import pytest
from judgecall.oracle import events, invariants, layers
from judgecall.oracle.agents import Refused

from tests.oracle.board import Board


@pytest.fixture
def board() -> Board:
    return Board({"battlefield": ["Grizzly Bears", "Glorious Anthem", "Forest"], "hand": ["Shock"]})


def test_undo_puts_back_every_slot_and_the_trace(board: Board) -> None:
    game = board.game
    before, mark = invariants.snapshot(game), game.mark()
    events.happen(game, [events.Event("destroy", board.of("Grizzly Bears"), board.alice)])
    events.happen(game, [events.Event("lose life", player=board.bob, amount=3)])
    assert invariants.differences(before, invariants.snapshot(game))
    game.undo(mark)
    assert invariants.differences(before, invariants.snapshot(game)) == []


def test_what_was_computed_in_a_trial_is_forgotten(board: Board) -> None:
    game, bears = board.game, board.of("Grizzly Bears")
    assert layers.of(game, bears).power == 3
    with game.trial():
        events.happen(game, [events.Event("destroy", board.of("Glorious Anthem"), board.alice)])
        assert layers.of(game, bears).power == 2
    assert layers.of(game, bears).power == 3
    invariants.check(game)


def test_a_trial_within_a_trial_undoes_only_itself(board: Board) -> None:
    game = board.game
    with game.trial():
        events.happen(game, [events.Event("lose life", player=board.bob, amount=3)])
        with game.trial():
            events.happen(game, [events.Event("lose life", player=board.bob, amount=4)])
            assert board.bob.life == 13
        assert board.bob.life == 17
    assert board.bob.life == 20


def test_a_trial_that_ends_in_an_exception_is_undone_too(board: Board) -> None:
    before = invariants.snapshot(board.game)

    def fail() -> None:
        with board.game.trial():
            events.happen(board.game, [events.Event("destroy", board.of("Grizzly Bears"), board.alice)])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert invariants.differences(before, invariants.snapshot(board.game)) == []


def test_ids_of_a_trial_are_free_again(board: Board) -> None:
    game = board.game
    with game.trial():
        tried = game.stamp()
    assert game.stamp() == tried


def test_a_refused_cast_leaves_no_mark(board: Board) -> None:
    game = board.game
    before = invariants.snapshot(game)
    with pytest.raises(Refused) as refused:
        board.cast(board.of("Shock", "hand"), targets=[board.bob])
    assert refused.value.stage == "costs"
    assert invariants.differences(before, invariants.snapshot(game)) == []


def test_a_question_of_legality_leaves_no_mark(board: Board) -> None:
    board.put(board.alice, "battlefield", "Mountain")
    board.game.cache = {}
    before = invariants.snapshot(board.game)
    assert board.castable(board.of("Shock", "hand"), targets=[board.bob]).legal
    assert invariants.differences(before, invariants.snapshot(board.game)) == []
