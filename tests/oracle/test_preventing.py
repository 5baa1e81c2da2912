"""Shields against a number of damage that is dealt at once (CR 615.7)."""

from __future__ import annotations

from random import Random

import pytest
from judgecall.adapters.engine import Option, Question
from judgecall.harness.answers import any_division, forced
from judgecall.oracle import damage, events
from judgecall.oracle.agents import Question as Asked
from judgecall.oracle.agents import Refused
from judgecall.oracle.answering import RandomAgent
from judgecall.oracle.resolving import perform
from judgecall.oracle.state import Object
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.grammar import parse_value

from tests.oracle.board import Board


def shielded(n: int, times: int = 1) -> tuple[Board, list[Object]]:
    """Alice is shielded against so much damage; bob has a 1/3 whose damage to players triggers, and a 3/5."""
    board = Board({}, {"battlefield": ["Scroll Thief", "Siege Mastodon"]})
    for _ in range(times):
        ctx = Context(board.game, board.alice, None)
        perform(ctx, parse_value("effects", [{"prevent": n, "to players": "you"}]))
    return board, list(board.game.battlefield)


def deal(board: Board, sources: list[Object], *amounts: int) -> None:
    """Damage to alice, at once."""
    made = [
        damage.event(board.game, source, board.alice, n, combat=True)
        for source, n in zip(sources, amounts, strict=True)
    ]
    events.happen(board.game, made)


@pytest.mark.parametrize(("from_thief", "from_mastodon"), [(0, 3), (1, 2)])
def test_any_division_of_what_is_dealt_may_be_prevented(from_thief: int, from_mastodon: int) -> None:
    board, (thief, mastodon) = shielded(3)
    board.expect(("divide", {thief: from_thief, mastodon: from_mastodon}))
    deal(board, [thief, mastodon], 1, 3)
    assert board.alice.life == 19
    assert len(board.game.waiting) == 1 - from_thief


@pytest.mark.parametrize(("from_thief", "from_mastodon"), [(2, 1), (1, 1), (0, 4), (-1, 4)])
def test_no_other_division_is_taken(from_thief: int, from_mastodon: int) -> None:
    board, (thief, mastodon) = shielded(3)
    board.expect(("divide", {thief: from_thief, mastodon: from_mastodon}))
    with pytest.raises(Refused):
        deal(board, [thief, mastodon], 1, 3)


def test_nobody_is_asked_about_one_source_or_where_all_is_prevented() -> None:
    board, (thief, mastodon) = shielded(5)
    deal(board, [thief, mastodon], 1, 3)
    deal(board, [mastodon], 3)
    assert board.alice.life == 18  # 1 was left of the shield
    assert not board.answers.asked


def test_what_one_shield_prevents_is_not_for_another_to_prevent() -> None:
    """CR 615.7, 616.1: two shields of 2 against 1 and 3 leave nothing."""
    board, (thief, mastodon) = shielded(2, times=2)
    first = ("replacement", lambda question: question.options[0])
    board.expect(first, ("divide", {mastodon: 2}), first)
    deal(board, [thief, mastodon], 1, 3)
    assert board.alice.life == 20


def test_a_random_player_divides_within_the_limits() -> None:
    board, (thief, mastodon) = shielded(3)
    asked = Asked(board.alice, "divide", "prevent damage", (thief, mastodon), 3, 3, details={"most": (1, 3)})
    found = [RandomAgent(board.game, Random(seed)).decide(asked) for seed in range(20)]
    assert all(sum(shares.values()) == 3 and shares.get(thief, 0) <= 1 for shares in found)
    assert {shares.get(thief, 0) for shares in found} == {0, 1}


def divide(total: int, *most: int | None) -> Question:
    """A question of the engine interface."""
    options = tuple(Option(f"o{i}", most=n) for i, n in enumerate(most))
    return Question("alice", "divide", "", options, total, total, same=True)


def test_one_division_is_found_within_the_limits() -> None:
    assert any_division(divide(3, 1, 3)) == {"o0": 1, "o1": 2}
    assert any_division(divide(3, None, None)) == {"o0": 2, "o1": 1}
    assert forced(divide(4, 1, 3)) == {"o0": 1, "o1": 3}


@pytest.mark.parametrize(
    ("names", "asked"),
    [
        (("Siege Mastodon", "Grizzly Bears"), 0),
        (("Siege Mastodon", "Grizzly Bears", "Scroll Thief"), 0),  # the Thief deals no damage
        (("Siege Mastodon", "Banehound"), 1),
        (("Siege Mastodon", "Scroll Thief"), 1),
    ],
)
def test_a_player_must_answer_only_where_it_makes_a_difference(names: tuple[str, ...], asked: int) -> None:
    board = Board({}, {"battlefield": names})
    ctx = Context(board.game, board.alice, None)
    perform(ctx, parse_value("effects", [{"prevent": 2, "to players": "you"}]))
    first, second = board.game.battlefield[:2]
    board.expect(("divide", {first: 1, second: 1}))
    deal(board, [first, second], 2, 1)
    assert board.alice.life == 19
    assert [question.same for question in board.answers.asked] == [not asked]
