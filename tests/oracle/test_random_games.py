"""Games of random legal play between decks of known cards."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import pytest
from judgecall.oracle import decks, invariants, lands, playing, shrinking, tallying
from judgecall.oracle.actions import PASS
from judgecall.oracle.cards import loader
from judgecall.oracle.moves import Move, Start, sequence
from judgecall.oracle.playing import Failure, Limits, Played
from judgecall.oracle.state import Game

SHORT = Limits(turns=9, moves=260, check_every=5, prove_every=8)


def start(seed: int) -> Start:
    return Start(seed, decks.start_decks(seed))


def fails_as(failure: Failure) -> str:
    """The shortest list of moves that still fails."""
    return shrinking.report(shrinking.shrink(failure, SHORT, replays=150))


@pytest.mark.parametrize("seed", range(100))
def test_a_short_game_goes_well(seed: int) -> None:
    try:
        played = playing.play(start(seed), SHORT)
    except Failure as failure:
        pytest.fail(fails_as(failure), pytrace=False)
    assert played.outcome != "endless", sequence(played.moves[-3:])


@pytest.fixture(scope="module")
def game() -> Played:
    return playing.play(start(1001), SHORT)


def test_the_same_moves_leave_the_same_trace(game: Played) -> None:
    again = playing.replay(game.start, game.moves, SHORT)
    assert playing.digest(again.game) == playing.digest(game.game)
    assert again.moves == game.moves


def test_the_same_seed_gives_the_same_moves_and_trace_in_another_process(game: Played) -> None:
    """Neither the order of sets nor addresses in memory may decide anything."""
    script = (
        "from tests.oracle.test_random_games import SHORT, start\n"
        "from judgecall.oracle import playing\n"
        "played = playing.play(start(1001), SHORT)\n"
        "print(playing.digest(played.game), len(played.moves))\n"
    )
    for salt in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": salt},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.split() == [playing.digest(game.game), str(len(game.moves))]


def test_whether_somebody_looks_does_not_show_in_the_trace(game: Played) -> None:
    unwatched = playing.play(game.start, Limits(turns=9, moves=260, check_every=0, prove_every=8))
    assert playing.digest(unwatched.game) == playing.digest(game.game)


def test_another_seed_gives_another_game(game: Played) -> None:
    other = playing.play(Start(1002, game.start.decks), SHORT)
    assert playing.digest(other.game) != playing.digest(game.game)


@pytest.mark.parametrize(("players", "skipped"), [(2, True), (3, False)])
def test_only_with_two_players_the_first_draw_is_skipped(players: int, skipped: bool) -> None:
    """CR 103.8a."""
    played = playing.play(Start(5, (decks.start_decks(1)[0],) * players), Limits(turns=1, check_every=0))
    first = [line.text for line in played.game.trace.lines]
    first = first[: first.index("turn 2: bob")]
    assert ("the draw step is skipped" in first) is skipped


def test_a_failing_game_is_cut_down_to_what_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    real = lands.play

    def broken(game: Game, *given: object, **more: object) -> object:
        if sum("(play)" in line.text for line in game.trace.lines) == 2:
            raise ZeroDivisionError
        return real(game, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(lands, "play", broken)
    with pytest.raises(Failure) as caught:
        playing.play(start(3), SHORT)
    short = shrinking.shrink(caught.value, SHORT)
    played = [move for move in short.moves if move.action.verb == "play"]
    assert len(played) == 3, "two lands, and the one that fails"
    assert len(short.moves) < len(caught.value.moves)
    assert all(move.action in (PASS, played[0].action, played[1].action, played[2].action) for move in short.moves[1:])
    text = shrinking.report(short)
    assert "ZeroDivisionError" in text
    assert str(played[-1]) in text


def test_a_broken_law_is_reported_with_the_move_that_broke_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(game: Game) -> None:
        if game.turn == 2:
            raise invariants.Violated("zones", "made up")

    monkeypatch.setattr(invariants, "check", never)
    with pytest.raises(Failure) as caught:
        playing.play(start(3), Limits(turns=9, prove_every=0))
    assert shrinking.kind_of(caught.value) == ("Violated", "zones")
    assert caught.value.moves[-1].action == PASS
    assert isinstance(caught.value.moves[-1], Move)


def test_all_decks_are_built_around_the_card_that_is_asked_for() -> None:
    for seed in (4, 7):  # otherwise of a hard card, and of Commander
        built = decks.start_decks(seed, "Evermind")
        assert len(built) >= 2
        assert all(deck.cards.count("Evermind") == 4 and not deck.commanders for deck in built)


def test_what_did_not_happen_is_looked_for_by_cards_that_show_it() -> None:
    everything = tallying.Tally(
        Counter(card.name for card in decks.pool()),
        Counter(tallying.keywords_in_use()),
        Counter(tallying.state_based_actions()),
    )
    assert tallying.wanted(everything) == []
    everything.cards["Evermind"] = everything.keywords["squad"] = 0
    card, *bearing = tallying.wanted(everything)
    assert card == "Evermind"
    assert "Galadhrim Brigade" in bearing
    assert all(loader.load(name) in decks.bearing("squad") for name in bearing)


def test_players_who_are_tired_only_pass_until_somebody_has_won() -> None:
    tired = Limits(turns=2, moves=30, complete=True, check_every=50, prove_every=0)
    played = playing.play(start(1), tired)
    assert played.outcome in ("won", "drawn")
    assert played.game.turn > 2
    assert all(move.action == PASS for move in played.moves[30:])
    assert playing.play(start(1), replace(tired, complete=False)).outcome in ("turns", "moves")
