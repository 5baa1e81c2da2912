"""How fast the oracle is: events, questions of legality, and full random games a second.

python benchmarks/oracle.py [--seconds 5] [--games 20] [--profile]
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
from collections.abc import Callable, Iterator
from time import perf_counter

from judgecall.oracle import actions, decks, events, playing
from judgecall.oracle.answering import Replayer
from judgecall.oracle.events import Event
from judgecall.oracle.moves import Bench, Start
from judgecall.oracle.playing import Limits
from judgecall.oracle.state import Game

PLAIN = Limits(check_every=0, prove_every=0)


def position(seed: int, share: float) -> Bench:
    """A game as it stands after a share of its moves."""
    start = Start(seed, decks.start_decks(seed))
    moves = playing.play(start, PLAIN).moves
    bench = Bench(start, PLAIN.lines)
    for move in moves[: max(1, int(len(moves) * share))]:
        bench.attempt(bench.game.player(move.player), move.action, Replayer(move.answers))
        bench.game.journal.clear()
    return bench


def rate(once: Callable[[], int], seconds: float) -> float:
    """How much of what ``once`` counts is done in a second."""
    done, began = 0, perf_counter()
    while (took := perf_counter() - began) < seconds:
        done += once()
    return done / took


def some_events(game: Game) -> Iterator[Event]:
    """What happens all the time: life, taps, counters, damage, and a permanent that leaves."""
    for player in game.in_game():
        yield Event("gain life", player=player, amount=1)
    for obj in game.battlefield[:12]:
        yield Event("untap" if obj.tapped else "tap", obj, by=obj.controller)
        yield Event("counters", obj, amount=1, details={"kind": "charge"}, by=obj.controller)
    for obj in game.battlefield[:3]:
        yield events.move(obj, "exile", cause="exile")


def events_once(bench: Bench) -> int:
    """A handful of events, one after another, taken back."""
    game, n = bench.game, 0
    game.agent = bench.agent()
    with game.trial():
        for event in some_events(game):
            events.happen(game, [event])
            n += 1
    return n


def questions_once(bench: Bench) -> int:
    """Whether each of the things that a player could think of is legal."""
    game = bench.game
    assert game.priority is not None
    options = actions.candidates(game, game.priority)
    for action in options:
        bench.ask(game.priority, action)
    return len(options)


def games(n: int) -> tuple[int, int]:
    """Play games to the end; how many moves and questions of legality they had."""
    moves = questions = 0
    for seed in range(n):
        played = playing.play(Start(seed, decks.start_decks(seed)), PLAIN)
        moves += len(played.moves)
        questions += played.questions
    return moves, questions


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each rate is measured")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--profile", action="store_true", help="what the games spend their time on")
    given = parser.parse_args()
    decks.pool()
    benches = [position(seed, 0.6) for seed in (0, 4, 8)]
    permanents = sum(len(bench.game.battlefield) for bench in benches) // len(benches)
    per_event = sum(rate(lambda b=bench: events_once(b), given.seconds / 3) for bench in benches) / 3  # type: ignore[misc]
    per_question = sum(rate(lambda b=bench: questions_once(b), given.seconds / 3) for bench in benches) / 3  # type: ignore[misc]
    print(f"events:                {per_event:10,.0f} a second (about {permanents} permanents)")
    print(f"questions of legality: {per_question:10,.0f} a second")
    profile = cProfile.Profile()
    if given.profile:
        profile.enable()
    began = perf_counter()
    moves, questions = games(given.games)
    took = perf_counter() - began
    profile.disable()
    print(f"full random games:     {given.games / took:10.2f} a second ({moves} moves, {questions} questions)")
    if given.profile:
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
