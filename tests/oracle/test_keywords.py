"""Keywords in what the suite's published rulings do not say of them."""

from __future__ import annotations

import pytest
from judgecall.oracle import combat, events, layers, priority
from judgecall.oracle.agents import Refused

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


def test_training_looks_at_power_as_attackers_are_declared() -> None:
    """CR 702.149a: what was of greater power then need not be as the ability resolves, or be there."""
    board = Board()
    trainee = board.make(
        board.alice, "battlefield", name="Trainee", type="Creature", pt="1/1", abilities=["haste", "training"]
    )
    veteran = board.make(board.alice, "battlefield", name="Veteran", type="Creature", pt="3/3", abilities=["haste"])
    board.expect(("attackers", {trainee: board.bob, veteran: board.bob}))
    combat.declare_attackers(board.game)
    priority.give(board.game, board.alice)
    events.happen(board.game, [events.Event("destroy", veteran, board.alice)])
    board.resolve()
    assert layers.of(board.game, trainee).power == 2


def test_training_needs_another_of_greater_power() -> None:
    board = Board()
    trainee = board.make(
        board.alice, "battlefield", name="Trainee", type="Creature", pt="3/3", abilities=["haste", "training"]
    )
    equal = board.make(board.alice, "battlefield", name="Veteran", type="Creature", pt="3/3", abilities=["haste"])
    board.expect(("attackers", {trainee: board.bob, equal: board.bob}))
    combat.declare_attackers(board.game)
    assert not board.game.waiting


def test_provoked_is_to_block_what_provokes_it() -> None:
    """CR 702.39a: another attacker would not do."""
    board = Board({"battlefield": []}, {"battlefield": ["Hill Giant"]})
    giant = board.of("Hill Giant")
    board.game.write(giant, "tapped", True)
    provoker, other = (
        board.make(board.alice, "battlefield", name=name, type="Creature", pt="1/1", abilities=abilities)
        for name, abilities in (("Provoker", ["haste", "provoke"]), ("Other", ["haste"]))
    )
    board.expect(("attackers", {provoker: board.bob, other: board.bob}), ("targets", [giant]), ("may", True))
    combat.declare_attackers(board.game)
    priority.give(board.game, board.alice)
    board.resolve()
    assert not giant.tapped
    board.expect(("blockers", {giant: other}))
    with pytest.raises(Refused):
        combat.declare_blockers(board.game)


def test_fabricate_of_what_has_left_makes_servos() -> None:
    """CR 702.123a: counters that cannot be put are not put."""
    board = Board()
    maker = board.make(
        board.alice, "hand", name="Maker", mana_cost="{0}", type="Creature", pt="1/1", abilities=[{"fabricate": 2}]
    )
    board.cast(maker)
    while board.game.stack and not board.count("Maker", "battlefield"):
        assert board.game.priority is not None
        priority.pass_(board.game, board.game.priority)
    events.happen(board.game, [events.Event("destroy", board.of("Maker"), board.alice)])
    board.expect(("may", False))
    board.resolve()
    assert board.answers.asked[-1].options == (False,), "there is nothing to put counters on"
    assert len(board.game.battlefield) == 2
