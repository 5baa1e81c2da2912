"""Plays games of random legal play and reports what never happened in them, and what went wrong.

python benchmarks/random_games.py --games 1000 --jobs 2

The last tenth of the games is played around cards that did not come until then, or that have keywords that did not.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle
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


_PORTION = 10
"""Games at a time around what is missing."""

Numbered = tuple[int, str | None]
"""A seed, and the card that the decks are built around, if it is not for the seed to say."""


def game(numbered: Numbered, limits: Limits, again: bool, shorten: int) -> Result:
    """Play the game of a seed; ``again``: twice, to see that both go the same way."""
    seed, around = numbered
    start = Start(seed, decks.start_decks(seed, around))
    watcher = tallying.Watcher()
    try:
        played = playing.play(start, limits, watcher)
    except Failure as failure:
        print(failure, f"(around {around})" if around else "", flush=True)
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
    parser.add_argument("--around", metavar="CARD", help="build all decks around this card")
    parser.add_argument("--turns", type=int, default=Limits().turns, help="after how many turns players only pass")
    parser.add_argument("--moves", type=int, default=Limits().moves, help="after how many moves they do")
    parser.add_argument("--check-every", type=int, default=1, help="moves between checks of the invariants")
    parser.add_argument("--prove-every", type=int, default=4, help="questions of legality between proofs")
    parser.add_argument("--replay", action="store_true", help="play each game's moves again and compare the traces")
    parser.add_argument("--shorten", type=int, default=200, help="attempts to leave moves out of a game that failed")
    given = parser.parse_args()
    limits = Limits(
        given.turns, given.moves, complete=True, check_every=given.check_every, prove_every=given.prove_every
    )
    seeds = range(given.first, given.first + given.games)
    began = perf_counter()
    total = tallying.Tally()
    outcomes: Counter[str] = Counter()
    moves = 0
    plain = len(seeds) - (0 if given.around else len(seeds) // 10)
    while (done := outcomes.total()) < len(seeds):
        names = [given.around] if given.around else tallying.wanted(total) if done else []
        portion = seeds[:plain] if done < plain else seeds[done : done + _PORTION]
        for result in _results([*zip(portion, _around(names), strict=False)], limits, given):
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


def _around(names: Sequence[str]) -> Iterator[str | None]:
    """The cards that games are played around, in turn."""
    return cycle(names or [None])


def _results(games: Sequence[Numbered], limits: Limits, given: argparse.Namespace) -> Iterator[Result]:
    play = partial(game, limits=limits, again=given.replay, shorten=given.shorten)
    if given.jobs <= 1:
        yield from map(play, games)
        return
    with ProcessPoolExecutor(given.jobs) as pool:
        yield from pool.map(play, games, chunksize=1)


if __name__ == "__main__":
    raise SystemExit(main())
