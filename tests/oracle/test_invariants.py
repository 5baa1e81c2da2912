"""The laws of a state find a state that breaks them."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import pytest
from judgecall.oracle import invariants, layers
from judgecall.oracle.invariants import Violated

from tests.oracle.board import Board


def board() -> Board:
    return Board({"battlefield": ["Grizzly Bears", "Forest"], "hand": ["Shock"]}, {"battlefield": ["Hill Giant"]})


def doubled(b: Board) -> None:
    b.game.battlefield = (*b.game.battlefield, b.of("Forest"))


def lost(b: Board) -> None:
    b.alice.hand = ()


def misplaced(b: Board) -> None:
    b.of("Forest").zone = "graveyard"


def gone(b: Board) -> None:
    b.of("Forest").gone = True


def two_objects_of_one_card(b: Board) -> None:
    other = b.put(b.alice, "hand", "Forest")
    other.card = b.of("Forest").card


def negative(b: Board) -> None:
    b.of("Grizzly Bears").counters = MappingProxyType({"+1/+1": (-1, 1)})


def negative_poison(b: Board) -> None:
    b.bob.counters = {"poison": -1}


def attached_to_nothing_there(b: Board) -> None:
    gone_before = Board({"battlefield": ["Grizzly Bears"]}).of("Grizzly Bears")
    gone_before.gone = True
    b.of("Forest").attached_to = gone_before


def fighting_in_a_main_phase(b: Board) -> None:
    b.of("Grizzly Bears").attacking = b.bob


def misaligned(b: Board) -> None:
    b.of("Grizzly Bears").controller = b.bob


def stale(b: Board) -> None:
    bears = b.of("Grizzly Bears")
    old = layers.of(b.game, bears).copy()
    old.power = 5
    b.game.cache["table"][bears.id] = old


def nobody(b: Board) -> None:
    b.game.priority = None


def left(b: Board) -> None:
    b.alice.left = True


def unsettled(b: Board) -> None:
    b.of("Grizzly Bears").damage = 2


BROKEN: list[tuple[Callable[[Board], Any], str]] = [
    (doubled, "zones"),
    (lost, "zones"),
    (misplaced, "zones"),
    (gone, "zones"),
    (left, "zones"),
    (two_objects_of_one_card, "cards"),
    (negative, "numbers"),
    (negative_poison, "numbers"),
    (attached_to_nothing_there, "attachments"),
    (fighting_in_a_main_phase, "combat"),
    (misaligned, "controllers"),
    (stale, "cache"),
    (nobody, "priority"),
    (unsettled, "settled"),
]


def test_a_state_in_order_is_passed() -> None:
    invariants.check(board().game)


@pytest.mark.parametrize(("break_", "law"), BROKEN, ids=[break_.__name__ for break_, _ in BROKEN])
def test_a_broken_law_is_found(break_: Callable[[Board], Any], law: str) -> None:
    b = board()
    layers.of(b.game, b.of("Grizzly Bears"))
    break_(b)
    with pytest.raises(Violated) as violated:
        invariants.check(b.game)
    assert violated.value.law == law


def test_checking_changes_nothing() -> None:
    b = board()
    before = invariants.snapshot(b.game)
    invariants.check(b.game)
    assert invariants.differences(before, invariants.snapshot(b.game)) == []


def test_a_difference_names_the_thing_and_the_slot() -> None:
    b = board()
    before = invariants.snapshot(b.game)
    b.of("Grizzly Bears").tapped = True
    b.put(b.bob, "hand", "Shock")
    found = invariants.differences(before, invariants.snapshot(b.game))
    assert any("tapped of <Grizzly Bears" in text for text in found)
    assert any("is new" in text for text in found)
