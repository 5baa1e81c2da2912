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


def test_what_crews_a_vehicle_is_another_creature() -> None:
    """CR 702.122a: a Vehicle that is a creature already cannot crew itself."""
    board = Board({"battlefield": ["Grizzly Bears"]})
    van = board.make(
        board.alice, "battlefield", name="Van", type="Artifact — Vehicle", pt="3/3", abilities=[{"crew": 2}]
    )
    board.activate(van, "crew", costs={"tap": [board.of("Grizzly Bears")]})
    board.resolve()
    assert "Creature" in layers.of(board.game, van).types
    with pytest.raises(Refused):
        board.activate(van, "crew", costs={"tap": [van]})


@pytest.mark.parametrize(("type_", "counters"), [("Artifact — Vehicle", 0), ("Creature", 1)])
def test_nothing_is_greater_than_what_is_no_creature(type_: str, counters: int) -> None:
    """CR 702.100c: a permanent with evolve that is no creature does not evolve."""
    board = Board({"hand": ["Memnite"]})
    small = board.make(board.alice, "battlefield", name="Small", type=type_, pt="0/1", abilities=["evolve"])
    board.cast(board.of("Memnite", "hand"))
    board.resolve()
    assert small.counters.get("+1/+1", (0, 0))[0] == counters


def test_boasts_once_a_turn_if_it_attacked() -> None:
    """CR 702.142a."""
    board = Board()
    boaster = board.make(
        board.alice,
        "battlefield",
        name="Boaster",
        type="Creature",
        pt="1/1",
        abilities=["haste", {"boast": {"cost": "{0}", "do": [{"gain life": 1}]}}],
    )
    with pytest.raises(Refused):
        board.activate(boaster, "boast")
    board.expect(("attackers", {boaster: board.bob}))
    while board.game.step != "declare attackers":
        assert board.game.priority is not None
        priority.pass_(board.game, board.game.priority)
    board.activate(boaster, "boast")
    board.resolve()
    with pytest.raises(Refused):
        board.activate(boaster, "boast")
    assert board.alice.life == 21


def test_reconfigured_off_only_what_is_attached() -> None:
    """CR 702.151a: "Activate only if this permanent is attached to a creature"."""
    board = Board({"battlefield": ["Grizzly Bears"]})
    sword = board.make(
        board.alice,
        "battlefield",
        name="Sword",
        type="Artifact Creature — Equipment Spirit",
        pt="1/1",
        abilities=[{"reconfigure": "{0}"}],
    )
    with pytest.raises(Refused):
        board.activate(sword, 2)
    board.activate(sword, 1, targets=[board.of("Grizzly Bears")])
    board.resolve()
    assert layers.of(board.game, sword).subtypes == ("Equipment",)
    board.activate(sword, 2)
    board.resolve()
    assert sword.attached_to is None
    assert "Creature" in layers.of(board.game, sword).types


def test_mayhem_of_what_was_discarded_this_turn() -> None:
    """CR 702.187b."""
    board = Board()
    cards = [
        board.make(board.alice, zone, name=zone, mana_cost="{9}", type="Instant", abilities=[{"mayhem": "{0}"}])
        for zone in ("hand", "graveyard")
    ]
    (moved,) = events.happen(board.game, [events.Event("discard", cards[0], board.alice)])
    assert moved.new is not None
    assert board.castable(moved.new, using=("mayhem",)).legal
    assert not board.castable(cards[1], using=("mayhem",)).legal


def test_harmonize_takes_the_power_of_up_to_one_tapped_creature_off_the_cost() -> None:
    """CR 702.180a–b."""
    board = Board({"battlefield": ["Hill Giant", "Forest"]})
    song = board.make(
        board.alice,
        "graveyard",
        name="Song",
        mana_cost="{9}",
        type="Sorcery",
        abilities=[{"harmonize": "{3}{G}"}, {"spell": [{"gain life": 1}]}],
    )
    giant = board.of("Hill Giant")
    assert not board.castable(song, using=("harmonize",)).legal
    board.cast(song, using=("harmonize",), costs={"tap": [giant]})
    assert giant.tapped
    board.resolve()
    assert board.alice.life == 21
    assert board.count("Song", "exile") == 1
    free = board.make(
        board.alice, "graveyard", name="Air", mana_cost="{9}", type="Sorcery", abilities=[{"harmonize": "{0}"}]
    )
    assert board.castable(free, using=("harmonize",)).legal
    assert not board.castable(free, using=("harmonize",), costs={"tap": [giant]}).legal, "it is tapped"


def test_aftermath_is_cast_only_from_the_graveyard_and_exiled_whatever_let_it() -> None:
    """CR 702.127a."""
    board = Board()
    halves = {
        "name": "Fore",
        "mana_cost": "{0}",
        "type": "Sorcery",
        "layout": "split",
        "abilities": [{"spell": [{"gain life": 1}]}],
        "right": {
            "name": "Aft",
            "mana_cost": "{0}",
            "type": "Sorcery",
            "abilities": ["aftermath", {"spell": [{"gain life": 2}]}],
        },
    }
    in_hand = board.make(board.alice, "hand", **halves)
    assert board.castable(in_hand, face="left").legal
    assert board.castable(in_hand, face="right").rule == "601.3"
    card = board.make(board.alice, "graveyard", **halves)
    assert not board.castable(card, face="left", using=("aftermath",)).legal
    board.cast(card, face="right", using=("aftermath",))
    board.resolve()
    assert board.alice.life == 22
    assert [obj.card for obj in board.game.exile] == [card.card]
    may = {"static": {"may cast": {"zone": "graveyard", "owner": "you"}}}
    board.make(board.alice, "battlefield", name="Will", type="Enchantment", abilities=[may])
    for face in ("left", "right"):
        board.cast(board.make(board.alice, "graveyard", **halves), face=face)
        board.resolve()
    assert len(board.game.exile) == 2, "the other half is not exiled"


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
