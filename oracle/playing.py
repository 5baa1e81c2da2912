"""Complete games of random legal play: seeded, recorded, replayed.

Nothing here looks at the clock, the network or global chance: the same seed and decks give the same moves and the
same trace, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random

from judgecall.oracle import choosing, invariants
from judgecall.oracle.actions import PASS, Action
from judgecall.oracle.agents import Refused
from judgecall.oracle.answering import RandomAgent, Replayer
from judgecall.oracle.moves import Bench, Endless, Move, Start
from judgecall.oracle.state import Game, Player

__all__ = ["Failure", "Limits", "Played", "Watch", "digest", "play", "replay"]

_AT_MOST = 600
"""How many turns a game may take: somebody may be unable to lose."""
Watch = Callable[[Game, Move], None]
"""Is shown the game after each move."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When players get tired, and how closely a game is looked at."""

    turns: int = 30
    moves: int = 1200
    """After so many turns or moves they only pass, and attack and block, or the game is broken off."""
    complete: bool = False
    """Whether it goes on then until it is over, as it will be once libraries are empty (CR 104.3c)."""
    lines: int = 4000
    """How much one move may make happen, in lines of the trace."""
    check_every: int = 1
    """The invariants are checked after each move whose number this divides; 0: never."""
    prove_every: int = 4
    """For each so-many-eth question of legality what it says is held against doing it; 0: never."""


class Failure(Exception):
    """A game went wrong: an exception, or something that must hold did not.

    ``moves`` are those up to it, the last one that which failed.
    """

    def __init__(self, start: Start, moves: Sequence[Move], cause: BaseException) -> None:
        super().__init__(f"seed {start.seed}, move {len(moves)}: {type(cause).__name__}: {cause}")
        self.start = start
        self.moves = tuple(moves)
        self.cause = cause


@dataclass(slots=True)
class Played:
    """A game that was played: its moves, how it ended, and the game as it stands."""

    start: Start
    game: Game
    moves: list[Move] = field(default_factory=list)
    outcome: str = ""
    """``won``, ``drawn``; broken off: ``turns``, ``moves``, ``endless`` (a loop)."""
    questions: int = 0
    """How many questions of legality were asked."""


def play(start: Start, limits: Limits | None = None, watch: Watch | None = None) -> Played:
    """Play a game from the beginning until it is over or a limit is reached.

    Raises:
        Failure: something went wrong.
    """
    limits = limits if limits is not None else Limits()
    bench = Bench(start, limits.lines)
    game = bench.game
    played = Played(start, game)
    try:
        _finish(bench, played, bench.begin(bench.agent()), limits, watch)
        while not game.over:
            tired = "turns" if game.turn > limits.turns else "moves" if len(played.moves) >= limits.moves else ""
            if tired and (not limits.complete or game.turn > _AT_MOST):
                played.outcome = tired
                return played
            player = game.priority
            assert player is not None, "nobody has priority"
            move = bench.settle(player, PASS) if tired else _choose(bench, played, player, limits)
            _finish(bench, played, move, limits, watch)
    except Endless:
        played.outcome = "endless"
        return played
    except Exception as cause:
        raise _failure(bench, played, cause) from cause
    played.outcome = "won" if game.winner is not None else "drawn"
    return played


def _failure(bench: Bench, played: Played, cause: Exception) -> Failure:
    moves = [*played.moves, bench.pending()] if bench.pending is not None else played.moves
    return Failure(played.start, moves, cause)


def _finish(bench: Bench, played: Played, move: Move, limits: Limits, watch: Watch | None) -> None:
    """A move has been made: it can no longer be taken back, and everything must be in order."""
    bench.pending = None
    bench.game.journal.clear()
    played.moves.append(move)
    # To look is a trial: what is computed and cited meanwhile must not show in the trace.
    with bench.game.trial():
        if watch is not None:
            watch(bench.game, move)
        if limits.check_every and len(played.moves) % limits.check_every == 0:
            invariants.check(bench.game)


# -- choosing ------------------------------------------------------------------------------------------------


def _choose(bench: Bench, played: Played, player: Player, limits: Limits) -> Move:
    """Choose a legal action for a player and take it."""
    game, random = bench.game, bench.random
    if len(game.in_game()) > 2 and random.random() < 0.0005:
        return bench.settle(player, Action("concede"))
    if random.random() < choosing.eagerness(game, player):
        with game.trial():
            options = choosing.worth_trying(game, player, random)
        for action in options[: random.choice((2, 6, 20))]:
            verdict, way = bench.ask(player, action)
            played.questions += 1
            proving = limits.prove_every and played.questions % limits.prove_every == 0
            if verdict.legal:
                if proving:
                    bench.prove(player, action)
                return bench.settle(player, action, way)
            if proving and verdict.known:
                bench.refused(player, action)
    return bench.settle(player, PASS)


# -- playing again -------------------------------------------------------------------------------------------


def replay(start: Start, moves: Sequence[Move], limits: Limits | None = None, *, strict: bool = True) -> Played:
    """Play the moves of a game again.

    Args:
        strict: every move must be possible, with its answers; otherwise what is not possible is left out, and what
            is asked beside is answered by chance.

    Raises:
        Failure: something went wrong.
        Refused: a move is not possible (only if ``strict``).
    """
    limits = limits if limits is not None else Limits()
    bench = Bench(start, limits.lines)
    game = bench.game
    played = Played(start, game)
    for number, move in enumerate(moves):
        if game.over:
            break
        player = game.player(move.player)
        if not strict and not _may_move(game, player, move):
            continue
        try:
            done = _again(bench, player, move, None if strict else RandomAgent(game, Random(number)))
            if done is not None:
                _finish(bench, played, done, limits, None)
        except Refused:
            if strict:
                raise
        except Endless:
            played.outcome = "endless"
            return played
        except Exception as cause:
            raise _failure(bench, played, cause) from cause
    played.outcome = "won" if game.winner is not None else "drawn" if game.over else "moves"
    return played


def _may_move(game: Game, player: Player, move: Move) -> bool:
    if move.action.verb == "begin":
        return game.priority is None
    return not player.left and (game.priority is player or move.action.verb == "concede")


def _again(bench: Bench, player: Player, move: Move, otherwise: RandomAgent | None) -> Move | None:
    if move.how == "asked":
        verdict, _ = bench.ask(player, move.action)
        if verdict.legal:
            bench.prove(player, move.action)
        elif verdict.known:
            bench.refused(player, move.action)
        return None
    if move.how == "stuck":
        return bench.settle(player, move.action, move.answers)
    return bench.attempt(player, move.action, Replayer(move.answers, otherwise))


def digest(game: Game) -> str:
    """The trace as a hash: the same for games that went the same way, line for line and rule for rule."""
    text = "\n".join(f"{line.text}\t{' '.join(line.rules)}" for line in game.trace.lines)
    return sha256(text.encode("utf-8")).hexdigest()
