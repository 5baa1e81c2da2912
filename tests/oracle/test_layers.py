"""Layers where the order of effects matters (CR 613)."""

from __future__ import annotations

import pytest
from judgecall.oracle import layers, statics
from judgecall.oracle.characteristics import Characteristics
from judgecall.oracle.resolving import perform
from judgecall.oracle.state import Object
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.grammar import parse_value

from tests.oracle.board import Board


def ch(board: Board, obj: Object) -> Characteristics:
    return layers.of(board.game, obj)


@pytest.mark.parametrize("order", [("Life and Limb", "Blood Moon"), ("Blood Moon", "Life and Limb")])
def test_what_changes_whom_an_effect_reaches_comes_first_whatever_its_timestamp(order: tuple[str, str]) -> None:
    """CR 613.8a: Life and Limb depends on Blood Moon, which takes the Forest out of a Taiga."""
    board = Board({"battlefield": ["Taiga", *order]})
    taiga = ch(board, board.of("Taiga"))
    assert taiga.subtypes == ("Mountain",)
    assert taiga.types == ("Land",)


@pytest.mark.parametrize(
    ("order", "is_creature"), [(("Life and Limb", "Blood Moon"), True), (("Blood Moon", "Life and Limb"), False)]
)
def test_effects_that_depend_on_each_other_apply_by_timestamp(order: tuple[str, str], is_creature: bool) -> None:
    """CR 613.8b: with a Saproling about each changes whom the other reaches, and dependency is ignored."""
    board = Board({"battlefield": ["Taiga", *order]})
    board.make(board.alice, "battlefield", name="Sprout", type="Creature — Saproling", pt="1/1")
    taiga = ch(board, board.of("Taiga"))
    assert ("Creature" in taiga.types) is is_creature
    assert "Mountain" in taiga.subtypes


@pytest.mark.parametrize(
    ("order", "subtypes"),
    [
        (("Blood Moon", "Dryad of the Ilysian Grove"), {"Plains", "Island", "Swamp", "Mountain", "Forest"}),
        (("Dryad of the Ilysian Grove", "Blood Moon"), {"Mountain"}),
    ],
)
def test_independent_effects_of_one_layer_apply_by_timestamp(order: tuple[str, str], subtypes: set[str]) -> None:
    """CR 613.7: neither changes whom the other reaches."""
    board = Board({"battlefield": ["Taiga", *order]})
    assert set(ch(board, board.of("Taiga")).subtypes) == subtypes


def test_an_effect_that_started_goes_on_though_its_ability_is_lost() -> None:
    """CR 613.6: Opalescence makes Humility a creature, which takes Opalescence's own and its own abilities away."""
    board = Board({"battlefield": ["Humility", "Opalescence", "Grizzly Bears"]})
    assert ch(board, board.of("Humility")).power == 4, "the later of two effects in layer 7b"
    bears = ch(board, board.of("Grizzly Bears"))
    assert (bears.power, bears.toughness) == (1, 1)
    board = Board({"battlefield": ["Opalescence", "Humility"]})
    humility = ch(board, board.of("Humility"))
    assert (humility.power, "Creature" in humility.types) == (1, True)


def test_a_counter_applies_after_a_set_value_whatever_came_first() -> None:
    """CR 613.4: 7b comes before 7c."""
    board = Board({"battlefield": ["Grizzly Bears"]})
    bears = board.of("Grizzly Bears")
    bears.counters = {"+1/+1": (2, board.game.stamp())}
    board.put(board.alice, "battlefield", "Humility")
    board.game.cache = {}
    assert (ch(board, bears).power, ch(board, bears).toughness) == (3, 3)


def test_what_is_computed_is_computed_again_when_what_it_reads_changes() -> None:
    board = Board({"battlefield": ["Glorious Anthem", "Grizzly Bears"]})
    bears, anthem = board.of("Grizzly Bears"), board.of("Glorious Anthem")
    assert ch(board, bears).power == 3
    board.game.write(anthem, "phased_out", True)
    assert ch(board, bears).power == 2


def test_a_rule_that_waits_for_its_condition_is_found_when_it_holds() -> None:
    """Nothing is in force in the opponent's turn; that does not outlast the turn."""
    board = Board({"battlefield": ["Edgar, Master Machinist"]})
    game = board.game
    game.write(game, "active", board.bob)
    assert not statics.rules(game, "may cast")
    game.write(game, "active", board.alice)
    assert statics.rules(game, "may cast")


def test_a_subtype_is_gained_whenever_it_goes_with_a_card_type() -> None:
    """CR 205.3d, 613.8a: what makes a creature of it comes first, even later on; without that there is no Vampire."""
    board = Board({"battlefield": ["Chimeric Staff"]})
    staff = board.of("Chimeric Staff")
    ctx = Context(board.game, board.alice, staff)
    change = [{"add subtypes": "Vampire"}]
    perform(ctx, parse_value("effects", [{"until": "forever", "affects": "this", "change": change}]))
    assert ch(board, staff).subtypes == ()
    change = [{"add types": "Creature"}, {"set subtypes": "Construct"}]
    perform(ctx, parse_value("effects", [{"until": "end of turn", "affects": "this", "change": change}]))
    assert ch(board, staff).subtypes == ("Construct", "Vampire")


def test_what_is_no_creature_any_more_has_lost_every_creature_type() -> None:
    """CR 205.1a: changeling applies first, then it is a mere land, and to be a creature again gives no type back."""
    board = Board({"battlefield": ["Chameleon Colossus"]})
    colossus = board.of("Chameleon Colossus")
    ctx = Context(board.game, board.alice, colossus)
    assert ch(board, colossus).has_subtype("Goblin")
    for change in ({"set types": "Land"}, {"add types": "Creature"}):
        perform(ctx, parse_value("effects", [{"until": "forever", "affects": "this", "change": change}]))
        assert not ch(board, colossus).has_subtype("Goblin")
        assert not ch(board, colossus).all_creature_types
