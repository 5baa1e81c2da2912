"""Chance: shuffling, coins and dice. A case decides coins and dice; shuffles follow the game's seed."""

from __future__ import annotations

from typing import TypeVar

from judgecall.oracle.agents import Question, Refused
from judgecall.oracle.state import Game, Object, Player

__all__ = ["coin", "pick_at_random", "roll", "shuffled"]

_T = TypeVar("_T")
_MASK = (1 << 64) - 1


def _next(game: Game) -> int:
    """The next number of a SplitMix64 sequence, whose position is part of the state."""
    position = game.random + 1
    game.write(game, "random", position)
    z = (game.seed + position * 0x9E3779B97F4A7C15) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def shuffled(game: Game, things: tuple[_T, ...]) -> tuple[_T, ...]:
    """The things in a random order (CR 701.24a)."""
    mixed = list(things)
    for index in range(len(mixed) - 1, 0, -1):
        other = _next(game) % (index + 1)
        mixed[index], mixed[other] = mixed[other], mixed[index]
    return tuple(mixed)


def pick_at_random(game: Game, things: tuple[Object, ...], n: int) -> list[Object]:
    """So many of the things, at random."""
    return list(shuffled(game, things)[:n])


def coin(game: Game, player: Player, source: Object | None, call: bool) -> bool:
    """Flip a coin (CR 705): won, or heads."""
    options = ("won", "lost") if call else ("heads", "tails")
    answer = game.agent.decide(Question(player, "coin", "flip a coin", options, 1, 1, source))
    if answer not in ("won", "lost", "heads", "tails"):
        raise Refused(f"{answer!r} is no result of a coin", "705.1")
    return answer in ("won", "heads")


def roll(game: Game, player: Player, sides: int, source: Object | None) -> int:
    """Roll a die (CR 706)."""
    options = tuple(range(1, sides + 1))
    answer = game.agent.decide(Question(player, "roll", f"roll a d{sides}", options, 1, 1, source))
    if not isinstance(answer, int) or not 1 <= answer <= sides:
        raise Refused(f"{answer!r} is no result of a d{sides}", "706.1")
    return answer
