"""Keywords in what the suite's published rulings do not say of them."""

from __future__ import annotations

import pytest
from judgecall.oracle import blocking, combat, damage, events, layers, objects, phasing, priority, state_based
from judgecall.oracle.agents import Refused
from judgecall.oracle.state import Object
from judgecall.oracle.ways import Request

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


def test_max_speed_gives_abilities_where_they_function() -> None:
    """CR 702.178b: in the graveyard one that functions there."""
    board = Board({"battlefield": []})
    draw = {"cost": "{0}", "zone": "graveyard", "do": [{"gain life": 1}]}
    card = board.make(
        board.alice, "graveyard", name="Racer", type="Creature", pt="1/1", abilities=[{"max speed": [draw]}]
    )
    with pytest.raises(Refused):
        board.activate(card)
    events.happen(board.game, [events.Event("flag", player=board.alice, details={"flag": "speed", "value": 4})])
    board.activate(card)
    board.resolve()
    assert board.alice.life == 21


def test_a_copy_of_a_bestowed_aura_spell_is_one_too() -> None:
    """CR 702.103c; each ceases to be bestowed by itself (CR 702.103f)."""
    board = Board({"battlefield": ["Grizzly Bears", "Memnite"]})
    bears, memnite = board.of("Grizzly Bears"), board.of("Memnite")
    copier = {"when": {"cast": {}, "who": "you"}, "do": [{"copy spell": "that"}]}
    board.make(board.alice, "battlefield", name="Copier", type="Enchantment", abilities=[copier])
    nymph = board.make(
        board.alice,
        "hand",
        name="Nymph",
        type="Enchantment Creature — Nymph",
        pt="1/1",
        abilities=[{"bestow": "{0}"}, {"static": {"affects": "attached", "change": {"pt": "+1/+1"}}}],
    )
    board.cast(nymph, using=("bestow",), targets=[bears])
    board.expect(("targets", [memnite]))
    board.resolve()
    assert [layers.of(board.game, host).power for host in (bears, memnite)] == [3, 2]
    events.happen(board.game, [events.Event("destroy", memnite, board.alice)])
    priority.give(board.game, board.alice)
    nymphs = [board.of("Nymph", n=n) for n in (1, 2)]
    assert sorted(obj.attached_to is bears for obj in nymphs) == [False, True]
    assert sorted("Creature" in layers.of(board.game, obj).types for obj in nymphs) == [False, True]


@pytest.mark.parametrize(("keyword", "rule"), [("spectacle", "702.137a"), ("surge", "702.117a")])
def test_a_cost_that_may_be_paid_only_after_something_else(keyword: str, rule: str) -> None:
    board = Board({"hand": ["Memnite"]})
    card = board.make(
        board.alice, "hand", name="Imp", mana_cost="{9}", type="Creature", pt="1/1", abilities=[{keyword: "{0}"}]
    )
    assert board.castable(card, using=(keyword,)).rule == rule
    board.cast(board.of("Memnite", "hand"))
    board.resolve()
    events.happen(board.game, [events.Event("lose life", player=board.bob, amount=1)])
    assert board.castable(card, using=(keyword,)).legal


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


def test_an_aura_with_two_enchant_abilities_targets_what_fits_both() -> None:
    """CR 702.5c."""
    board = Board({"battlefield": ["Grizzly Bears"]}, {"battlefield": ["Hill Giant"]})
    aura = board.make(
        board.alice,
        "hand",
        name="Bound Twice",
        mana_cost="{0}",
        type="Enchantment — Aura",
        abilities=[{"enchant": {"types": "Creature"}}, {"enchant": {"controller": "opponent"}}],
    )
    with pytest.raises(Refused):
        board.cast(aura, targets=[board.of("Grizzly Bears")])
    board.cast(aura, targets=[board.of("Hill Giant")])
    board.resolve()
    assert board.of("Bound Twice").attached_to is board.of("Hill Giant")


def test_a_kicker_is_paid_once() -> None:
    """CR 702.33a: only multikicker is paid any number of times (CR 702.33c)."""
    board = Board()
    spell = board.make(
        board.alice,
        "hand",
        name="Kick",
        mana_cost="{0}",
        type="Sorcery",
        abilities=[{"kicker": "{0}"}, {"spell": {"do": [{"draw": 1}]}}],
    )
    with pytest.raises(Refused):
        board.cast(spell, kicked={"{0}": 2})
    board.cast(spell, kicked={"{0}": 1})


def test_a_card_is_spliced_onto_a_spell_once() -> None:
    """CR 702.47b."""
    board = Board({"hand": ["Glacial Ray"], "battlefield": ["Mountain"] * 4})
    ray = board.of("Glacial Ray", "hand")
    spell = board.make(
        board.alice,
        "hand",
        name="Arcane",
        mana_cost="{0}",
        type="Instant — Arcane",
        abilities=[{"spell": {"do": [{"draw": 1}]}}],
    )
    with pytest.raises(Refused) as refused:
        board.cast(spell, using=(ray, ray), targets=[board.bob, board.bob])
    assert refused.value.rule == "702.47b"
    board.cast(spell, using=(ray,), targets=[board.bob])


def _planeswalker(board: Board, loyalty: int, type_: str = "Planeswalker", **more: str) -> Object:
    found = board.make(board.bob, "battlefield", name="Attacked", type=f"{type_} — Jace", loyalty=loyalty, **more)
    counters = {"kind": "loyalty"}
    events.happen(board.game, [events.Event("counters", found, amount=loyalty, details=counters)])
    return found


def _tramples_over(board: Board, attacked: Object, blocks: bool) -> Object:
    abilities = ["haste", "trample over planeswalkers"]
    attacker = board.make(board.alice, "battlefield", name="Over", type="Creature", pt="7/7", abilities=abilities)
    blocker = board.make(board.bob, "battlefield", name="Blocker", type="Creature", pt="2/2")
    board.expect(("attackers", {attacker: attacked}), ("blockers", {blocker: attacker} if blocks else {}))
    combat.declare_attackers(board.game)
    combat.declare_blockers(board.game)
    return blocker


@pytest.mark.parametrize("blocks", [False, True])
def test_trample_over_planeswalkers_alone_goes_over_blockers_and_a_planeswalker_that_has_left(blocks: bool) -> None:
    """CR 702.19c, 702.19e: once it is gone the player gets all, or what is left by the blockers."""
    board = Board()
    attacked = _planeswalker(board, 3)
    blocker = _tramples_over(board, attacked, blocks)
    events.happen(board.game, [events.Event("destroy", attacked, board.bob)])
    if blocks:
        board.expect(("divide", {blocker: 2, board.bob: 5}))
    combat.deal_damage(board.game)
    assert board.bob.life == (15 if blocks else 13)


def test_loyalty_is_what_trample_over_planeswalkers_looks_at() -> None:
    """CR 702.19c: not at the toughness of a planeswalker that is a creature, too."""
    board = Board()
    attacked = _planeswalker(board, 2, "Creature Planeswalker", pt="5/5")
    _tramples_over(board, attacked, blocks=False)
    board.expect(("divide", {attacked: 2, board.bob: 5}))
    combat.deal_damage(board.game)
    assert board.bob.life == 15
    assert objects.counters(attacked, "loyalty") == 0


def _equipped(board: Board) -> tuple[Object, Object]:
    host = board.of("Grizzly Bears")
    equipment = board.make(board.bob, "battlefield", name="Blade", type="Artifact — Equipment")
    board.game.write(equipment, "attached_to", host)
    return host, equipment


def test_what_phased_out_for_itself_does_not_phase_in_with_its_host() -> None:
    """CR 702.26g, 702.26i: the Equipment that bob controlled phases in in his untap step."""
    board = Board({"battlefield": ["Grizzly Bears"]})
    host, equipment = _equipped(board)
    phasing.out(board.game, [equipment])
    phasing.out(board.game, [host])
    phasing.untap_step(board.game)
    assert not host.phased_out
    assert equipment.phased_out
    board.game.write(board.game, "active", board.bob)
    phasing.untap_step(board.game)
    assert not equipment.phased_out
    assert equipment.attached_to is host


def test_what_phases_out_with_its_host_does_so_indirectly() -> None:
    """CR 702.26h: however it phased out before, it waits for its host."""
    board = Board({"battlefield": ["Grizzly Bears"]})
    host, equipment = _equipped(board)
    for things in ([equipment, host], [host]):
        phasing.out(board.game, things)
        board.game.write(board.game, "active", board.bob)
        phasing.untap_step(board.game)
        assert equipment.phased_out
        board.game.write(board.game, "active", board.alice)
        phasing.untap_step(board.game)
        assert not host.phased_out
        assert not equipment.phased_out
        phasing.out(board.game, [equipment])
        board.game.write(board.game, "active", board.bob)
        phasing.untap_step(board.game)


def test_protection_of_a_player() -> None:
    """CR 702.16c, 702.16e, 702.16j: no Aura stays on the player, and no damage is dealt to them."""
    board = Board()
    aura = board.make(
        board.alice,
        "battlefield",
        name="Curse",
        type="Enchantment — Aura Curse",
        abilities=[{"enchant": {"player": "each player"}}],
    )
    board.game.write(aura, "attached_to", board.bob)
    state_based.check(board.game)
    assert board.count("Curse", "battlefield")
    ring = [{"static": {"player gains": [{"protection": "everything"}]}}]
    board.make(board.bob, "battlefield", name="Ring", type="Artifact", abilities=ring)
    state_based.check(board.game)
    assert board.count("Curse", "graveyard")
    source = board.make(board.alice, "battlefield", name="Source", type="Artifact")
    events.happen(board.game, [damage.event(board.game, source, board.bob, 3)])
    assert board.bob.life == 20


def test_sunburst_ignores_what_changes_types() -> None:
    """CR 702.44a: an artifact that an effect makes a creature enters with charge counters."""
    board = Board({"battlefield": ["March of the Machines", "Forest", "Island"]})
    prism = board.make(board.alice, "hand", name="Prism", mana_cost="{2}", type="Artifact", abilities=["sunburst"])
    board.cast(prism)
    board.resolve()
    assert objects.counters(board.of("Prism"), "charge") == 2
    assert objects.counters(board.of("Prism"), "+1/+1") == 0


def test_a_spell_cast_while_something_resolves_may_be_spliced_onto() -> None:
    """CR 702.47a: its cost is paid, though the spell's is not."""
    board = Board({"hand": ["Glacial Ray"], "battlefield": ["Mountain"] * 4})
    ray = board.of("Glacial Ray", "hand")
    abilities = [{"spell": {"do": [{"gain life": 3}]}}]
    arcane = board.make(
        board.alice, "library", name="Arcane", mana_cost="{0}", type="Sorcery — Arcane", abilities=abilities
    )
    board.game.write(board.alice, "library", (arcane, *(card for card in board.alice.library if card is not arcane)))
    first = board.make(board.alice, "hand", name="First", mana_cost="{2}", type="Sorcery", abilities=["cascade"])
    board.cast(first)
    board.expect(("cast", (lambda question: (question.options[0], Request(using=(ray,), targets=[board.bob])))))
    board.resolve()
    assert (board.alice.life, board.bob.life) == (23, 18)
    assert all(land.tapped for land in board.game.battlefield)


def test_forestwalk_is_landwalk() -> None:
    """CR 702.14a, 702.14d: it goes where landwalk goes, and no forestwalk of a blocker undoes it."""
    board = Board({}, {"battlefield": ["Forest"]})
    walker, blocker = (
        board.make(player, "battlefield", name="Walker", type="Creature", pt="1/1", abilities=["haste", "forestwalk"])
        for player in (board.alice, board.bob)
    )
    assert layers.of(board.game, walker).has("landwalk")
    assert blocking.can_block(board.game, blocker, walker) == "702.14d"
    lost = {"static": {"affects": {"types": "Creature"}, "change": {"lose": "landwalk"}}}
    board.make(board.bob, "battlefield", name="Road", type="Enchantment", abilities=[lost])
    assert not layers.of(board.game, walker).has("forestwalk")
    assert blocking.can_block(board.game, blocker, walker) is None
