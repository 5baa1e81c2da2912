"""Several replacement effects, one event (CR 616)."""

from __future__ import annotations

from typing import Any

import pytest
from judgecall.oracle import events, layers
from judgecall.oracle.agents import Question

from tests.oracle.board import Board, Refused


def first(name: str) -> Any:
    """Answers with the option that is, or comes from, a permanent of that name."""

    def choose(question: Question) -> Any:
        return next(option for option in question.options if name in repr(option))

    return choose


@pytest.mark.parametrize(("name", "life"), [("Boon Reflection", 27), ("Angel of Vitality", 28)])
def test_the_affected_player_chooses_which_applies_first(name: str, life: int) -> None:
    """CR 616.1: three life doubled and one more, or one more and doubled."""
    board = Board({"battlefield": ["Boon Reflection", "Angel of Vitality"]})
    board.expect(("replacement", first(name)))
    events.happen(board.game, [events.Event("gain life", player=board.alice, amount=3)])
    assert board.alice.life == life
    assert not board.answers.listed


def test_each_applies_once() -> None:
    """CR 614.5: two of the same double twice, and neither sees what it made."""
    board = Board({"battlefield": ["Boon Reflection", "Boon Reflection"]})
    events.happen(board.game, [events.Event("gain life", player=board.alice, amount=1)])
    assert board.alice.life == 24


def test_what_replaces_nothing_of_the_other_player_is_not_asked_about() -> None:
    board = Board({"battlefield": ["Boon Reflection", "Angel of Vitality"]})
    events.happen(board.game, [events.Event("gain life", player=board.bob, amount=3)])
    assert board.bob.life == 23


def test_copy_effects_that_make_the_same_leave_no_choice() -> None:
    """CR 616.1c: a creature enters as either of two, which are alike."""
    board = Board({"battlefield": ["Essence of the Wild", "Essence of the Wild"], "hand": ["Grizzly Bears"]})
    board.expect(("replacement", first("Essence")), *[("pick", lambda question: list(question.options))] * 2)
    events.happen(board.game, [events.move(board.of("Grizzly Bears", "hand"), "battlefield")])
    assert board.answers.asked[0].same
    assert [layers.of(board.game, obj).name for obj in board.game.battlefield] == ["Essence of the Wild"] * 3


def test_an_effect_of_something_else_is_not_chosen() -> None:
    board = Board({"battlefield": ["Boon Reflection", "Angel of Vitality", "Squire"]})
    board.expect(("replacement", board.of("Squire")))
    with pytest.raises(Refused, match="no effect that applies"):
        events.happen(board.game, [events.Event("gain life", player=board.alice, amount=3)])


@pytest.mark.parametrize("named", ["Squire", "Giver"])
def test_a_given_ability_s_effect_is_its_giver_s_and_its_holder_s(named: str) -> None:
    """CR 616.1: life is doubled by what Squire was given, and one is added."""
    board = Board({"battlefield": ["Squire", "Angel of Vitality"]})
    doubled = {"replace": {"gain life": "you"}, "instead": [{"amount becomes": {"times": ["that much", 2]}}]}
    change = {"gain": [doubled]}
    board.make(
        board.alice,
        "battlefield",
        name="Giver",
        type="Artifact",
        abilities=[{"static": {"affects": {"name": "Squire"}, "change": change}}],
    )
    board.expect(("replacement", board.of(named)))
    events.happen(board.game, [events.Event("gain life", player=board.alice, amount=3)])
    assert board.alice.life == 27


@pytest.mark.parametrize("doublers", [("Parallel Lives", "Anointed Procession"), ("Doubling Season", "Parallel Lives")])
def test_the_order_of_effects_that_multiply_is_no_choice(doublers: tuple[str, str]) -> None:
    board = Board({"battlefield": [*doublers, "Plains", "Plains"], "hand": ["Raise the Alarm"]})
    board.cast(board.of("Raise the Alarm", "hand"))
    board.resolve()
    assert [question.same for question in board.answers.asked] == [True]
    assert sum(obj.kind == "token" for obj in board.game.battlefield) == 8


def test_the_order_of_doubling_and_adding_is_a_choice() -> None:
    board = Board({"battlefield": ["Boon Reflection", "Angel of Vitality"]})
    board.expect(("replacement", first("Boon Reflection")))
    events.happen(board.game, [events.Event("gain life", player=board.alice, amount=3)])
    assert not board.answers.asked[0].same
