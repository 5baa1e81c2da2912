"""Plays games of random legal play and reports what never happened in them, and what went wrong.

python benchmarks/random_games.py --games 1000 --jobs 2
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import repeat
from time import perf_counter

from judgecall.oracle import decks, playing, shrinking, tallying
from judgecall.oracle.moves import Start
from judgecall.oracle.playing import Failure, Limits


@dataclass(slots=True)
class Result:
    """One game, for the report."""

    seed: int
    outcome: str
    moves: int
    digest: str
    tally: tallying.Tally = field(default_factory=tallying.Tally)
    failure: str = ""


def game(seed: int, limits: Limits, again: bool, shorten: int) -> Result:
    """Play the game of a seed; ``again``: twice, to see that both go the same way."""
    start = Start(seed, decks.start_decks(seed))
    watcher = tallying.Watcher()
    try:
        played = playing.play(start, limits, watcher)
    except Failure as failure:
        print(failure, flush=True)
        short = shrinking.shrink(failure, limits, replays=shorten)
        return Result(seed, "failed", len(failure.moves), "", watcher.tally, shrinking.report(short))
    digest = playing.digest(played.game)
    result = Result(seed, played.outcome, len(played.moves), digest, watcher.tally)
    if again and playing.digest(playing.replay(start, played.moves, limits).game) != digest:
        result.outcome, result.failure = "failed", f"seed {seed}: the moves played again leave another trace"
    return result


def main() -> int:
    """Play, print, and say with the exit status whether every game went well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--turns", type=int, default=Limits().turns)
    parser.add_argument("--moves", type=int, default=Limits().moves)
    parser.add_argument("--check-every", type=int, default=1, help="moves between checks of the invariants")
    parser.add_argument("--prove-every", type=int, default=4, help="questions of legality between proofs")
    parser.add_argument("--replay", action="store_true", help="play each game's moves again and compare the traces")
    parser.add_argument("--shorten", type=int, default=200, help="attempts to leave moves out of a game that failed")
    given = parser.parse_args()
    limits = Limits(given.turns, given.moves, check_every=given.check_every, prove_every=given.prove_every)
    seeds = range(given.first, given.first + given.games)
    began = perf_counter()
    total = tallying.Tally()
    outcomes: Counter[str] = Counter()
    moves = 0
    for result in _results(seeds, limits, given):
        outcomes[result.outcome] += 1
        moves += result.moves
        total.add(result.tally)
        if result.failure:
            print(f"\n{result.failure}\n", flush=True)
        if outcomes.total() % 50 == 0:
            print(f"{outcomes.total()} games, {perf_counter() - began:.0f} s", flush=True)
    took = perf_counter() - began
    print(f"{given.games} games, {moves} moves, {took:.0f} s: {dict(sorted(outcomes.items()))}")
    for kind, names in tallying.missing(total).items():
        print(f"{kind} that never happened ({len(names)}): {', '.join(names) or 'none'}")
    return 1 if outcomes["failed"] else 0


def _results(seeds: range, limits: Limits, given: argparse.Namespace) -> Iterator[Result]:
    if given.jobs <= 1:
        for seed in seeds:
            yield game(seed, limits, given.replay, given.shorten)
        return
    with ProcessPoolExecutor(given.jobs) as pool:
        yield from pool.map(game, seeds, repeat(limits), repeat(given.replay), repeat(given.shorten), chunksize=2)


if __name__ == "__main__":
    raise SystemExit(main())
