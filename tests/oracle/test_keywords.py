"""Keywords in what the suite's published rulings do not say of them."""

from __future__ import annotations

from judgecall.oracle import combat, events, layers, priority

from tests.oracle.board import Board


def test_rampage_counts_who_blocks_as_it_resolves() -> None:
    """CR 702.23b: what blocked it and has left before does not count."""
    board = Board({}, {"battlefield": ["Grizzly Bears", "Hill Giant", "Air Elemental"]})
    attacker = board.make(
        board.alice, "battlefield", name="Rampager", type="Creature", pt="2/2", abilities=["haste", {"rampage": 2}]
    )
    blockers = [board.of(name) for name in ("Grizzly Bears", "Hill Giant", "Air Elemental")]
    board.expect(("attackers", {attacker: board.bob}), ("blockers", dict.fromkeys(blockers, attacker)))
    combat.declare_attackers(board.game)
    combat.declare_blockers(board.game)
    priority.give(board.game, board.alice)
    events.happen(board.game, [events.Event("destroy", blockers[0], board.bob)])
    board.resolve()
    now = layers.of(board.game, attacker)
    assert (now.power, now.toughness) == (4, 4)
