"""Laws of the core, tried on states and events that hypothesis makes up."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judgecall.oracle import actions, decks, events, invariants, playing
from judgecall.oracle.agents import Refused
from judgecall.oracle.answering import RandomAgent, Replayer
from judgecall.oracle.events import Event
from judgecall.oracle.moves import Bench, Start
from judgecall.oracle.playing import Limits
from judgecall.oracle.state import Game, Object

from tests.oracle.board import Board

CARDS = st.sampled_from(
    [
        "Grizzly Bears",
        "Forest",
        "Glorious Anthem",
        "Rest in Peace",
        "Blood Artist",
        "Doubling Season",
        "Darksteel Colossus",
    ]
)
ZONES = st.sampled_from(["battlefield", "hand", "graveyard", "exile", "library"])
KINDS = st.sampled_from(
    ["move", "destroy", "sacrifice", "tap", "counters", "remove counters", "damage", "draw", "mill", "lose life"]
)
STEPS = st.lists(st.tuples(KINDS, st.integers(0, 30), ZONES, st.integers(1, 3)), min_size=1, max_size=8)


@st.composite
def boards(draw: st.DrawFn) -> Board:
    sides = [
        {zone: draw(st.lists(CARDS, max_size=3)) for zone in ("battlefield", "hand", "graveyard")} for _ in range(2)
    ]
    board = Board(sides[0], sides[1])
    board.game.agent = RandomAgent(board.game, Random(draw(st.integers(0, 9))))
    return board


def objects(game: Game) -> list[Object]:
    return [obj for obj, _, _ in invariants.listed(game)]


def event(game: Game, step: tuple[str, int, str, int]) -> Event:
    kind, place, zone, n = step
    everything = objects(game)
    obj = everything[place % len(everything)]
    if kind == "move":
        return events.move(obj, zone)
    if kind == "mill":
        library = game.players[place % 2].library
        return Event(kind, library[0] if library else obj, game.players[place % 2])
    if kind in ("draw", "lose life"):
        return Event(kind, player=game.players[place % 2], amount=n, by=game.players[place % 2])
    permanents = game.battlefield
    if not permanents:
        return events.move(obj, zone)
    thing = permanents[place % len(permanents)]
    if kind in ("counters", "remove counters"):
        return Event(kind, thing, amount=n, details={"kind": "+1/+1"}, by=thing.controller)
    if kind == "damage":
        return Event(kind, None, game.players[place % 2], amount=n, source=thing)
    return Event(kind, thing, thing.controller, by=thing.controller)


def happen(board: Board, steps: list[tuple[str, int, str, int]]) -> None:
    for step in steps:
        events.happen(board.game, [event(board.game, step)])


@settings(max_examples=40, deadline=None, derandomize=True)
@given(boards(), STEPS)
def test_whatever_changes_zones_no_card_is_lost_or_doubled(board: Board, steps: list[Any]) -> None:
    happen(board, steps)
    invariants.zones(board.game)
    invariants.cards(board.game)
    invariants.numbers(board.game)
    invariants.cached(board.game)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(boards(), STEPS, STEPS)
def test_undo_restores_whatever_happened(board: Board, before: list[Any], after: list[Any]) -> None:
    happen(board, before)
    was, mark = invariants.snapshot(board.game), board.game.mark()
    happen(board, after)
    board.game.undo(mark)
    assert invariants.differences(was, invariants.snapshot(board.game)) == []
    invariants.cached(board.game)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(boards(), STEPS)
def test_an_object_that_moves_is_another_and_remembers(board: Board, steps: list[Any]) -> None:
    """CR 400.7: who was there before stays as it was, and knows what it became."""
    before = {obj.id: obj for obj in objects(board.game)}
    happen(board, steps)
    for obj in before.values():
        if obj.gone and obj.kind == "card":
            assert obj.became is not None
            assert obj.became.was is obj
            assert obj.became.card is obj.card
            assert obj.lki is not None


@cache
def _moves(seed: int) -> tuple[Start, tuple[Any, ...]]:
    start = Start(seed, decks.start_decks(seed))
    return start, tuple(playing.play(start, Limits(turns=10, moves=200, check_every=0, prove_every=0)).moves)


def bench_at(seed: int, n: int) -> Bench:
    """A game as it stands after so many of its moves."""
    start, moves = _moves(seed)
    bench = Bench(start, 4000)
    for move in moves[: max(1, n % len(moves))]:
        player = bench.game.player(move.player)
        bench.attempt(player, move.action, Replayer(move.answers))
        bench.game.journal.clear()
    return bench


@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.integers(0, 5), st.integers(1, 400))
def test_legality_agrees_with_doing_for_everything_that_a_player_could_think_of(seed: int, n: int) -> None:
    bench = bench_at(seed, n)
    game = bench.game
    player = game.priority
    if player is None:
        return
    with game.trial():
        options = actions.candidates(game, player)
    for action in options:
        verdict, _ = bench.ask(player, action)
        if verdict.legal:
            bench.prove(player, action)
        elif verdict.known:
            assert verdict.rule, "a refusal names its rule"
            bench.refused(player, action)


@settings(max_examples=6, deadline=None, derandomize=True)
@given(st.integers(0, 10_000))
def test_a_seed_is_a_game(seed: int) -> None:
    limits = Limits(turns=5, moves=120, check_every=0, prove_every=0)
    one, two = (playing.play(Start(seed, decks.start_decks(seed)), limits) for _ in range(2))
    assert one.moves == two.moves
    assert playing.digest(one.game) == playing.digest(two.game)


def test_nobody_acts_without_priority() -> None:
    bench = bench_at(2, 60)
    game = bench.game
    assert game.priority is not None
    for other in game.players:
        if other is game.priority:
            continue
        with game.trial():
            options = actions.candidates(game, other)
        for action in [actions.PASS, *options]:
            if action.verb == "activate":
                continue  # a mana ability may be activated while its controller is asked for a payment
            with pytest.raises(Refused):
                bench.attempt(other, action, bench.agent())
