"""Keyword actions and kinds of cards in what no published ruling with a case says of them (CR 701, 711-725)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from judgecall.oracle import combat, copying, ending, events, layers, objects, priority, turn
from judgecall.oracle.state import Object

from tests.oracle.board import Board


def spell(board: Board, *body: Any, type: str = "Sorcery", **raw: Any) -> Object:
    """A spell that costs nothing, in alice's hand."""
    return board.make(board.alice, "hand", name="Test", mana_cost="{0}", type=type, abilities=[{"spell": body, **raw}])


def carry_out(board: Board, *body: Any, answers: Sequence[tuple[str, Any]] = (), **request: Any) -> None:
    board.cast(spell(board, *body), **request)
    board.expect(*answers)
    board.resolve()


def test_a_creature_that_fights_itself_deals_its_damage_once() -> None:
    """CR 701.14c: twice its power; an effect that adds to damage adds once."""
    board = Board({"battlefield": ["Grizzly Bears"]})
    bears = board.of("Grizzly Bears")
    board.game.write(bears, "counters", {"+1/+1": (8, board.game.stamp())})
    more = {
        "replace": {"damage": None, "to": {"types": "Creature"}},
        "instead": [{"amount becomes": {"plus": ["that much", 1]}}],
    }
    board.make(board.alice, "battlefield", name="More", type="Enchantment", abilities=[more])
    indestructible = {"static": {"affects": {"types": "Creature"}, "change": {"gain": "indestructible"}}}
    board.make(board.alice, "battlefield", name="Law", type="Enchantment", abilities=[indestructible])
    mine = {"all": {"types": "Creature", "controller": "you"}}
    carry_out(board, {"fight": mine, "other": mine})
    assert bears.damage == 21


@pytest.mark.parametrize(
    ("rule", "holder", "after"),
    [
        (None, None, (5, 12)),
        ("cant gain life", "bob", (12, 5)),
        ("cant gain life", "alice", (5, 12)),
        ("cant lose life", "alice", (12, 5)),
        ("cant lose life", "bob", (5, 12)),
    ],
)
def test_life_totals_are_exchanged_both_or_neither(
    rule: str | None, holder: str | None, after: tuple[int, int]
) -> None:
    """CR 119.7-8, 701.12a, 701.12c: bob is to gain, alice to lose."""
    board = Board()
    board.game.write(board.alice, "life", 12)
    board.game.write(board.bob, "life", 5)
    if rule is not None:
        who = board.alice if holder == "alice" else board.bob
        law = [{"static": {rule: None, "who": "you"}}]
        board.make(who, "battlefield", name="Law", type="Enchantment", abilities=law)
    carry_out(board, {"exchange life": "each opponent"})
    assert (board.alice.life, board.bob.life) == after


def test_two_cards_of_one_name_are_no_meld_pair() -> None:
    """CR 701.42b-c: they stay where they are."""
    board = Board({"battlefield": ["Graf Rats", "Graf Rats"]})
    carry_out(board, {"meld": {"all": {"types": "Creature"}}})
    assert board.count("Graf Rats", "battlefield") == 2


def test_a_meld_card_does_not_transform() -> None:
    """CR 712.4c, 712.9: its back is half of another permanent."""
    board = Board({"battlefield": ["Midnight Scavengers"]})
    scavengers = board.of("Midnight Scavengers")
    carry_out(board, {"transform": {"all": {"types": "Creature"}}})
    assert layers.of(board.game, scavengers).name == "Midnight Scavengers"
    carry_out(
        board,
        {"exile": {"all": {"types": "Creature"}}, "as": "gone"},
        {"put": "gone", "to": "battlefield", "transformed": True},
    )
    assert board.count("Midnight Scavengers", "exile") == 1


@pytest.mark.parametrize("dies", [False, True])
def test_a_token_that_copies_a_double_faced_copy_has_two_faces(dies: bool) -> None:
    """CR 707.8a: each is what the double-faced permanent copies, which its hidden face changes nothing of."""
    board = Board({"battlefield": ["Grub, Storied Matriarch"]}, {"battlefield": ["Grizzly Bears"]})
    grub, bears = board.of("Grub, Storied Matriarch"), board.of("Grizzly Bears")
    copying.become(board.game, grub, objects.copiable(board.game, bears), ends="end of turn", stamp=board.game.stamp())
    mine = {"all": {"types": "Creature", "controller": "you"}}
    kill = [{"remember": mine, "as": "one"}, *([{"destroy": mine}] if dies else [])]
    carry_out(board, *kill, {"create copy": "one", "as": "token"}, {"transform": "token"})
    token = next(obj for obj in board.game.battlefield if obj.kind == "token")
    assert token.face == "back"
    assert layers.of(board.game, token).name == "Grizzly Bears"


def test_a_card_that_could_not_be_manifested_goes_to_the_graveyard() -> None:
    """CR 701.62a, 701.40f."""
    board = Board({"battlefield": ["Grafdigger's Cage"]})
    top = board.alice.library[:2]
    carry_out(board, "manifest dread", answers=[("pick", lambda question: [top[0]])])
    assert len(board.alice.library) == 3
    assert board.count("Plains", "graveyard") == 2


def test_goading_again_adds_no_requirement() -> None:
    """CR 701.15d: of two creatures that can't attack together, the one goaded twice need not be the one that does."""
    board = Board({"battlefield": []}, {"battlefield": ["Hill Giant", "Grizzly Bears"]})
    giant, bears = board.of("Hill Giant"), board.of("Grizzly Bears")
    board.make(
        board.alice, "battlefield", name="Arbiter", type="Enchantment",
        abilities=[{"static": {"attack limit": 1, "who": "each player"}}],
    )  # fmt: skip
    carry_out(board, {"goad": {"all": {"types": "Creature", "power": 3}}})
    carry_out(board, {"goad": {"all": {"types": "Creature"}}})
    board.game.write(board.game, "active", board.bob)
    board.expect(("attackers", {bears: board.alice}))
    combat.declare_attackers(board.game)
    assert bears.attacking is board.alice
    assert giant.attacking is None


def test_it_stays_day_for_a_spell_that_somebody_took() -> None:
    """CR 731.2a: the active player cast it, whoever gained control of it."""
    board = Board()
    board.game.write(board.game, "day_night", "day")
    taken = board.cast(spell(board, {"gain life": 1}))
    board.game.write(taken, "controller", board.bob)
    board.resolve()
    while board.game.active is board.alice:
        turn.proceed(board.game)
    assert board.game.day_night == "day"


def test_who_cast_a_spell_counts_not_who_controls_it() -> None:
    """CR 701.5a."""
    board = Board()
    taken = board.cast(spell(board, {"gain life": 1}))
    board.game.write(taken, "controller", board.bob)
    board.resolve()
    carry_out(board, {"gain life": {"times": [{"spells cast": None, "who": "you"}, 10]}})
    carry_out(board, {"lose life": {"most spells cast by one": "this"}})
    assert (board.alice.life, board.bob.life) == (20 + 2 * 10 - 3, 21)


@pytest.mark.parametrize("word", ["scry", "surveil"])
def test_cards_that_a_player_scries_or_surveils_are_seen(word: str) -> None:
    """CR 701.22a, 701.25a, 701.20e: by nobody else."""
    board = Board()
    top = board.alice.library[0]
    carry_out(board, {word: 1}, answers=[(word, lambda question: {"top": list(question.options)})])
    assert top.revealed_to == {"alice"}


def test_goaded_is_what_a_creature_is() -> None:
    """CR 701.15b: others may look for the designation."""
    board = Board({}, {"battlefield": ["Hill Giant", "Grizzly Bears"]})
    carry_out(board, {"goad": {"all": {"types": "Creature", "power": 3}}})
    carry_out(board, {"destroy": {"all": {"flag": "goaded"}}})
    assert (board.count("Hill Giant", "graveyard"), board.count("Grizzly Bears", "graveyard")) == (1, 0)


def test_counters_of_a_player_are_doubled_by_kind() -> None:
    """CR 701.10e."""
    board = Board()
    board.game.write(board.bob, "counters", {"poison": 3, "energy": 1})
    carry_out(board, {"double counters": "poison", "on": {"player": "each opponent"}})
    assert dict(board.bob.counters) == {"poison": 6, "energy": 1}


def test_a_land_with_an_adventure_may_be_played_from_exile() -> None:
    """CR 715.3d: played, and not only cast."""
    from judgecall.oracle import lands

    board = Board()
    trip = {
        "name": "Trip",
        "mana_cost": "{0}",
        "type": "Sorcery — Adventure",
        "abilities": [{"spell": [{"gain life": 1}]}],
    }
    town = board.make(board.alice, "hand", name="Town", type="Land", layout="adventure", adventure=trip)
    board.cast(town, face="adventure")
    board.resolve()
    assert board.alice.life == 21
    exiled = board.of("Town", "exile")
    lands.play(board.game, board.alice, exiled, None)
    assert board.of("Town").controller is board.alice


class TestMonarch:
    """CR 725."""

    def monarch(self, board: Board) -> str | None:
        found = [player.name for player in board.game.players if player.flags.get("monarch")]
        assert len(found) <= 1  # CR 725.3
        return found[0] if found else None

    def test_draws_at_the_monarchs_end_step(self) -> None:
        board = Board()
        carry_out(board, "become monarch")
        hand = len(board.alice.hand)
        while board.game.step != "end":
            turn.proceed(board.game)
        board.resolve()
        assert len(board.alice.hand) == hand + 1
        turn.proceed(board.game)
        while board.game.step != "end":
            turn.proceed(board.game)
        assert not board.game.stack  # bob's end step is not the monarch's

    def test_combat_damage_hands_it_over(self) -> None:
        board = Board({"battlefield": ["Grizzly Bears"]})
        bears = board.of("Grizzly Bears")
        carry_out(board, {"become monarch": None, "who": "each opponent"})
        assert self.monarch(board) == "bob"
        hit = events.Event("damage", player=board.bob, amount=2, source=bears, details={"combat": False})
        events.happen(board.game, [hit])
        priority.give(board.game, board.alice)
        assert not board.game.stack
        events.happen(board.game, [hit.but(details={"combat": True})])
        priority.give(board.game, board.alice)
        assert board.game.stack[0].controller is board.bob
        board.resolve()
        assert self.monarch(board) == "alice"

    def test_who_is_the_monarch_does_not_become_it(self) -> None:
        board = Board()
        board.make(
            board.alice, "battlefield", name="Herald", type="Enchantment",
            abilities=[{"when": {"becomes": "monarch", "who": "you"}, "do": [{"gain life": 1}]}],
        )  # fmt: skip
        carry_out(board, "become monarch")
        carry_out(board, "become monarch")
        assert board.alice.life == 21

    def test_the_active_player_succeeds_one_who_leaves(self) -> None:
        """CR 725.4."""
        board = Board({}, {}, {"battlefield": []})
        carol = board.game.players[2]
        events.happen(board.game, [events.Event("flag", player=carol, details={"flag": "monarch"})])
        ending.concede(board.game, carol)
        assert self.monarch(board) == "alice"
        ending.concede(board.game, board.alice)
        assert board.game.over

    def test_or_the_next_player_where_the_active_one_leaves(self) -> None:
        """CR 725.4."""
        board = Board({}, {}, {"battlefield": []})
        carry_out(board, "become monarch")
        ending.concede(board.game, board.alice)
        assert self.monarch(board) == "bob"


class TestEndingTheTurn:
    """CR 724.1."""

    def test_nobody_gets_priority_before_the_next_turn(self) -> None:
        """CR 724.1d-f."""
        board = Board()
        carry_out(board, "end turn")
        assert (board.game.active, board.game.step) == (board.bob, "upkeep")
        assert board.count("Test", "exile") == 1  # CR 724.1b

    def test_what_was_added_to_the_turn_is_skipped_too(self) -> None:
        """CR 724.1d."""
        board = Board()
        carry_out(board, {"extra steps": ["combat", "main"]}, "end turn")
        assert (board.game.active, board.game.step) == (board.bob, "upkeep")
        assert not board.game.extra_steps
        assert not board.game.phase_queue

    def test_state_based_actions_come_before_damage_wears_off(self) -> None:
        """CR 724.1c, 514.2."""
        board = Board({"battlefield": ["Grizzly Bears"]})
        carry_out(board, {"damage": 2, "to": {"all": {"types": "Creature"}}}, "end turn")
        assert board.count("Grizzly Bears", "graveyard") == 1

    def test_what_triggers_meanwhile_waits_for_the_cleanup_step(self) -> None:
        """CR 724.1a, 724.1f: what has triggered before is gone."""
        board = Board({"battlefield": ["Grizzly Bears"]})
        board.make(
            board.alice, "battlefield", name="Grave", type="Enchantment",
            abilities=[
                {"when": {"dies": {"types": "Creature"}}, "do": [{"gain life": 3}]},
                {"when": {"gains life": "you"}, "do": [{"gain life": 100}]},
            ],
        )  # fmt: skip
        bears = {"all": {"types": "Creature"}}
        board.cast(spell(board, {"gain life": 1}, {"damage": 2, "to": bears}, "end turn"))
        for player in (board.alice, board.bob):
            priority.pass_(board.game, player)
        assert (board.game.active, board.game.step) == (board.alice, "cleanup")
        assert len(board.game.stack) == 1
        assert board.alice.life == 21


def test_a_class_keeps_its_level_while_a_copy_has_none() -> None:
    """CR 716.2b: a level is no copiable characteristic."""
    board = Board({"battlefield": ["Scavenger's Talent"]})
    talent = board.of("Scavenger's Talent")
    events.happen(board.game, [events.Event("flag", talent, details={"flag": "level", "value": 2})])
    before = len(layers.of(board.game, talent).abilities)
    carry_out(board, {"create copy": {"all": {"subtypes": "Class"}}})
    token = next(obj for obj in board.game.battlefield if obj.kind == "token")
    assert len(layers.of(board.game, token).abilities) < before
