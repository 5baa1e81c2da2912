"""Complete games of random legal play: seeded, recorded, replayed (CR 103–117 from outside).

Nothing here looks at the clock, the network or global chance: the same seed and decks give the same moves and the
same trace, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any

from judgecall.oracle import actions, beginning, invariants, legality, setup
from judgecall.oracle.actions import PASS, Action
from judgecall.oracle.agents import Agent, Refused
from judgecall.oracle.answering import Encoded, RandomAgent, Recorder, Replayer
from judgecall.oracle.beginning import Deck
from judgecall.oracle.state import Game, Player
from judgecall.oracle.targets import NoTargets
from judgecall.oracle.trace import Trace

__all__ = ["Endless", "Failure", "Limits", "Move", "Played", "Start", "digest", "play", "replay"]

NAMES = ("alice", "bob", "carol", "dave")


class Endless(Exception):
    """One action has led to more than may happen: a loop that nobody can leave (CR 732.4), or a mistake."""


class Bounded(Trace):
    """A trace that refuses to grow without end during one command."""

    __slots__ = ("limit",)

    def __init__(self) -> None:
        super().__init__()
        self.limit: int | None = None

    def add(self, text: str, *rules: str) -> None:
        """Note something that happened. Raises Endless."""
        if self.limit is not None and len(self.lines) >= self.limit:
            raise Endless("more happens than a game can hold")
        super().add(text, *rules)


@dataclass(frozen=True, slots=True)
class Start:
    """What a game starts from: the seed of all chance, a deck for each player, who begins."""

    seed: int
    decks: tuple[Deck, ...]
    starting: int = 0


@dataclass(frozen=True, slots=True)
class Limits:
    """When a game is broken off, and how thoroughly it is looked at."""

    turns: int = 30
    moves: int = 1500
    lines: int = 4000
    """How much one move may make happen."""
    check_every: int = 1
    """Invariants are checked after each move that the number divides; 0: never."""
    prove_every: int = 1
    """So often is a legality question put twice: once asked, once done and taken back (see `_proven`)."""


@dataclass(frozen=True, slots=True)
class Move:
    """A player's action with the answers that were given while it was carried out."""

    player: str
    action: Action
    answers: tuple[tuple[str, Encoded], ...] = ()

    def __str__(self) -> str:
        said = f" — {', '.join(f'{kind}: {answer}' for kind, answer in self.answers)}" if self.answers else ""
        return f"{self.player}: {self.action}{said}"


class Failure(Exception):
    """A game went wrong: an exception, or something that must hold did not."""

    def __init__(self, start: Start, moves: Sequence[Move], cause: BaseException) -> None:
        super().__init__(f"seed {start.seed}, move {len(moves)}: {type(cause).__name__}: {cause}")
        self.start = start
        self.moves = tuple(moves)
        self.cause = cause


@dataclass(slots=True)
class Played:
    """A game that was played: its moves, how it ended, and the game itself as it stands."""

    start: Start
    game: Game
    moves: list[Move] = field(default_factory=list)
    outcome: str = ""
    """``won``, ``drawn``, ``turns`` or ``moves`` (broken off), ``endless``."""
    questions: int = 0
    """How many questions of legality were asked."""


Watch = Callable[[Game, Move], None]


class _Bench:
    """A game on the table: carries out commands, takes back what is refused."""

    def __init__(self, start: Start, limits: Limits) -> None:
        self.random = Random(f"judgecall {start.seed}")
        self.limits = limits
        self.trace = Bounded()
        self.game = setup.new_game(NAMES[: len(start.decks)], _Nobody(), start.seed)
        self.game.trace = self.trace
        self.random_agent = RandomAgent(self.game, self.random)

    def command(self, what: Callable[[], None], agent: Agent) -> tuple[tuple[str, Encoded], ...]:
        """Do something with the answers of an agent; returns those. What is refused is taken back.

        Raises:
            Refused: it is not legal so.
            Endless: too much happens.
        """
        game = self.game
        recorder = Recorder(agent)
        mark, length = game.mark(), len(game.trace.lines)
        before = game.agent
        game.agent = recorder
        self.trace.limit = length + self.limits.lines
        try:
            what()
        except (Refused, NoTargets):
            game.undo(mark)
            game.trace.cut(length)
            raise
        finally:
            game.agent = before
            self.trace.limit = None
        return tuple(recorder.kept)


class _Nobody:
    def decide(self, question: Any) -> Any:
        raise AssertionError(f"nobody is there to be asked: {question.prompt}")


# -- choosing ------------------------------------------------------------------------------------------------


def _eager(game: Game, player: Player) -> float:
    """How likely a player looks for something to do instead of passing at once."""
    if game.stack:
        return 0.25
    if game.active is player and game.step in ("precombat main", "postcombat main"):
        return 0.95
    return 0.12


def _weight(game: Game, action: Action, random: Random) -> float:
    """Lands first, spells then, abilities after them, mana abilities rarely; always by chance."""
    if action.verb == "play":
        return random.random() * 0.4
    if action.verb == "activate":
        obj = actions.find(game, action.object)
        from judgecall.oracle import activating

        chosen = activating.select(game, obj.controller, obj, action.ability)
        return random.random() + (3.0 if chosen and chosen[0].mana else 0.6)
    return random.random() + (0.3 if action.using else 0.2)


def _asked(bench: _Bench, player: Player, action: Action) -> tuple[legality.Verdict, list[tuple[str, Encoded]]]:
    """The question of legality, and the answers of the way that was found."""
    kept: list[list[tuple[str, Encoded]]] = []

    def attempt() -> None:
        recorder = Recorder(bench.game.agent)
        kept.append(recorder.kept)
        bench.game.agent = recorder
        actions.act(bench.game, player, action)

    bench.trace.limit = len(bench.trace.lines) + bench.limits.lines
    try:
        verdict = legality.search(bench.game, attempt)
    finally:
        bench.trace.limit = None
    return verdict, kept[-1] if kept else []


def _proven(bench: _Bench, player: Player, action: Action, way: list[tuple[str, Encoded]]) -> None:
    """Legality agrees with doing, the question has left no mark, and what is done can be taken back whole.

    Raises:
        Violated: one of these does not hold.
    """
    game = bench.game
    before = invariants.snapshot(game)
    again, found = _asked(bench, player, action)
    _compare(before, invariants.snapshot(game), f"asking whether {action} is legal")
    if not again.legal or found != way:
        raise invariants.Violated(f"asked twice, {action} is answered in two ways")
    mark, length = game.mark(), len(game.trace.lines)
    try:
        bench.command(lambda: actions.act(game, player, action), Replayer(way))
    except (Refused, NoTargets) as error:
        raise invariants.Violated(f"{action} is said to be legal, and is refused: {error}") from error
    game.undo(mark)
    game.trace.cut(length)
    _compare(before, invariants.snapshot(game), f"taking back {action}")


def _compare(before: invariants.Snapshot, after: invariants.Snapshot, what: str) -> None:
    found = invariants.differences(before, after)
    if found:
        raise invariants.Violated(f"{what} leaves a mark: {'; '.join(found[:5])}")


_TRIES = 6


def _move(bench: _Bench, played: Played, player: Player) -> Move:
    """Choose a legal action for a player and take it."""
    game, random = bench.game, bench.random
    if len(game.in_game()) > 2 and random.random() < 0.0005:
        return _done(bench, player, Action("concede"))
    if random.random() < _eager(game, player):
        options = sorted(actions.candidates(game, player), key=lambda action: _weight(game, action, random))
        for action in options[: random.choice((2, 6, 20))]:
            verdict, way = _asked(bench, player, action)
            played.questions += 1
            if not verdict.legal:
                continue
            if bench.limits.prove_every and played.questions % bench.limits.prove_every == 0:
                _proven(bench, player, action, way)
            return _taken(bench, player, action, way)
    return _done(bench, player, PASS)


def _taken(bench: _Bench, player: Player, action: Action, way: list[tuple[str, Encoded]]) -> Move:
    """Take a legal action with choices at random; where those are refused, in the way that is known to be legal."""
    for _ in range(_TRIES):
        try:
            return _attempt(bench, player, action, bench.random_agent)
        except (Refused, NoTargets):
            continue
    for _ in range(_TRIES * 5):
        try:
            return _attempt(bench, player, action, Replayer(way, bench.random_agent))
        except (Refused, NoTargets) as error:
            last = error
    raise invariants.Violated(f"{action} is legal, and every attempt to carry it out is refused: {last}")


def _done(bench: _Bench, player: Player, action: Action) -> Move:
    """Do what is always legal, with answers at random until they are accepted."""
    last: Exception | None = None
    for attempt in range(_TRIES * 10):
        careful = RandomAgent(bench.game, bench.random, bold=0.3) if attempt % 2 else bench.random_agent
        try:
            return _attempt(bench, player, action, careful)
        except (Refused, NoTargets) as error:
            last = error
    raise invariants.Violated(f"{action}: no answers are accepted: {last}")


def _attempt(bench: _Bench, player: Player, action: Action, agent: Agent) -> Move:
    game = bench.game
    answers = bench.command(lambda: actions.perform(game, player, action), agent)
    return Move(player.name, action, answers)


# -- playing -------------------------------------------------------------------------------------------------


def play(start: Start, limits: Limits = Limits(), watch: Watch | None = None) -> Played:
    """Play a game from the beginning until it is over or a limit is reached.

    Args:
        watch: is shown the game after each move.

    Raises:
        Failure: with the moves up to it.
    """
    bench = _Bench(start, limits)
    game = bench.game
    played = Played(start, game)
    try:
        moves = bench.command(
            lambda: beginning.begin(game, start.decks, game.players[start.starting]), bench.random_agent
        )
        _finish(bench, played, Move(game.players[start.starting].name, Action("begin"), moves), watch)
        while not game.over:
            if game.turn > limits.turns:
                played.outcome = "turns"
                return played
            if len(played.moves) >= limits.moves:
                played.outcome = "moves"
                return played
            assert game.priority is not None, "nobody has priority"
            decider = game.priority
            move = _move(bench, played, decider)
            _finish(bench, played, move, watch)
    except Endless:
        played.outcome = "endless"
        return played
    except Exception as cause:
        raise Failure(start, played.moves, cause) from cause
    played.outcome = "won" if game.winner is not None else "drawn"
    return played


def _finish(bench: _Bench, played: Played, move: Move, watch: Watch | None) -> None:
    bench.game.journal.clear()
    played.moves.append(move)
    every = bench.limits.check_every
    if watch is not None:
        watch(bench.game, move)
    if every and len(played.moves) % every == 0:
        invariants.check(bench.game)


def replay(start: Start, moves: Sequence[Move], limits: Limits = Limits(), *, strict: bool = True) -> Played:
    """Play the moves of a game again.

    Args:
        strict: every move must be possible, with its answers; otherwise what is not possible is left out, and what
            is asked beside is answered by chance.

    Raises:
        Failure: something goes wrong; its moves are those that were made, the last one begun.
        Refused: a move is not possible (only if ``strict``).
    """
    bench = _Bench(start, limits)
    game = bench.game
    played = Played(start, game)
    for number, move in enumerate(moves):
        otherwise = None if strict else RandomAgent(game, Random(number))
        agent = Replayer(move.answers, otherwise)
        try:
            if move.action.verb == "begin":
                opening = bench.command(lambda: beginning.begin(game, start.decks, game.players[start.starting]), agent)
                done = Move(move.player, move.action, opening)
            else:
                if game.over:
                    break
                player = game.player(move.player)
                if not strict and (player.left or (game.priority is not player and move.action.verb != "concede")):
                    continue
                done = _attempt(bench, player, move.action, agent)
        except (Refused, NoTargets):
            if strict:
                raise
            continue
        except Endless:
            played.outcome = "endless"
            return played
        except Exception as cause:
            raise Failure(start, [*played.moves, move], cause) from cause
        try:
            _finish(bench, played, done, None)
        except Exception as cause:
            raise Failure(start, played.moves, cause) from cause
    return played


def digest(game: Game) -> str:
    """The trace as a hash: the same for games that went the same way, line for line and rule for rule."""
    text = "\n".join(f"{line.text}\t{' '.join(line.rules)}" for line in game.trace.lines)
    return sha256(text.encode("utf-8")).hexdigest()


__all__ += ["NAMES", "Bounded", "Watch"]
