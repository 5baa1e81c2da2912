"""The X of a spell in the abilities of the permanent that it becomes (CR 107.3)."""

from __future__ import annotations

from judgecall.oracle import layers

from tests.oracle.board import Board

GIVER = {
    "name": "Giver",
    "mana_cost": "{X}",
    "type": "Creature",
    "pt": "1/1",
    "abilities": [{"when": {"enters": "this"}, "do": [{"gain life": "X"}]}],
}


def test_x_in_what_triggers_as_it_enters() -> None:
    """CR 107.3m."""
    board = Board({"battlefield": ["Island", "Island"]})
    board.cast(board.make(board.alice, "hand", **GIVER), x=2)
    board.resolve()
    assert board.alice.life == 22


def test_no_x_in_what_a_copy_triggers() -> None:
    """CR 107.3j: the ability is gained, whatever X was of the spell that has become a copy."""
    board = Board({"hand": ["Altered Ego"], "battlefield": ["Forest", *["Island"] * 5]})
    giver = board.make(board.bob, "battlefield", **GIVER)
    ego = board.of("Altered Ego", "hand")
    board.cast(ego, x=2)
    board.expect(("may", True), ("pick", [giver]))
    board.resolve()
    assert [layers.of(board.game, each).name for each in board.game.battlefield].count("Giver") == 2
    assert board.alice.life == 20
