"""Moves of a game: carried out, recorded, taken back, and held to what legality said of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from judgecall.oracle import actions, beginning, invariants, legality, setup
from judgecall.oracle.actions import Action
from judgecall.oracle.agents import Agent, Question, Refused
from judgecall.oracle.answering import Encoded, RandomAgent, Recorder, Replayer
from judgecall.oracle.beginning import Deck
from judgecall.oracle.state import Player
from judgecall.oracle.targets import NoTargets
from judgecall.oracle.trace import Trace

__all__ = ["NAMES", "Bench", "Endless", "Move", "Start"]

NAMES = ("alice", "bob", "carol", "dave")
Answers = tuple[tuple[str, Encoded], ...]

_TRIES = 6


class Endless(Exception):
    """One move makes more happen than may: a loop that nobody can leave (CR 732.4), or a mistake."""


@dataclass(frozen=True, slots=True)
class Start:
    """What a game starts from: the seed of all chance, a deck for each player, who begins."""

    seed: int
    decks: tuple[Deck, ...]
    starting: int = 0


@dataclass(frozen=True, slots=True)
class Move:
    """A player's action with the answers that were given while it was carried out.

    ``how`` is ``done``; in the last move of a game that failed also ``asked`` (its legality was in question) or
    ``stuck`` (no answers were accepted).
    """

    player: str
    action: Action
    answers: Answers = ()
    how: str = "done"

    def __str__(self) -> str:
        said = f" — {', '.join(f'{kind}: {answer}' for kind, answer in self.answers)}" if self.answers else ""
        return f"{self.player}: {self.action}{said}{f' ({self.how})' if self.how != 'done' else ''}"


class _Bounded(Trace):
    """A trace that refuses to grow without end during one move."""

    __slots__ = ("limit",)

    def __init__(self) -> None:
        super().__init__()
        self.limit: int | None = None

    def add(self, text: str, *rules: str) -> None:
        """Note something that happened. Raises Endless."""
        if self.limit is not None and len(self.lines) >= self.limit:
            raise Endless("more happens than a game can hold")
        super().add(text, *rules)


class _Nobody:
    """The agent between moves, when no question is due."""

    def decide(self, question: Question) -> Any:
        """Nobody is there."""
        raise AssertionError(f"a question between moves: {question.prompt}")


class Bench:
    """A game on the table.

    Args:
        start: what it starts from.
        lines: how many lines of trace one move may make.
    """

    def __init__(self, start: Start, lines: int) -> None:
        self.start = start
        self.trace = _Bounded()
        self.game = setup.new_game(NAMES[: len(start.decks)], _Nobody(), start.seed)
        self.game.trace = self.trace
        self.random = Random(f"judgecall {start.seed}")
        self.pending: Callable[[], Move] | None = None
        """What is being tried, for the record of a failure."""
        self._lines = lines

    def agent(self, bold: float = 0.7) -> RandomAgent:
        """Somebody who answers by the game's own chance."""
        return RandomAgent(self.game, self.random, bold)

    # -- carrying out ----------------------------------------------------------------------------------------

    def begin(self, agent: Agent) -> Move:
        """Start the game (CR 103)."""
        player = self.game.players[self.start.starting]
        return self.attempt(player, Action("begin"), agent)

    def attempt(self, player: Player, action: Action, agent: Agent) -> Move:
        """Carry out an action with the answers of an agent. What is refused is taken back.

        Raises:
            Refused: it is not legal, or not so.
            Endless: it makes too much happen.
        """
        if action.verb == "begin":
            return self._run(player, action, agent, lambda: beginning.begin(self.game, self.start.decks, player))
        return self._run(player, action, agent, lambda: actions.perform(self.game, player, action))

    def _run(self, player: Player, action: Action, agent: Agent, what: Callable[[], None]) -> Move:
        game = self.game
        recorder = Recorder(agent)
        self.pending = lambda: Move(player.name, action, tuple(recorder.kept))
        mark = self._mark()
        before = game.agent
        game.agent = recorder
        self.trace.limit = len(game.trace.lines) + self._lines
        try:
            what()
        except NoTargets as error:
            self._undo(mark)
            raise Refused("there are not enough legal targets", "601.2c", "targets") from error
        except Refused:
            self._undo(mark)
            raise
        finally:
            game.agent = before
            self.trace.limit = None
        return Move(player.name, action, tuple(recorder.kept))

    def settle(self, player: Player, action: Action, way: Answers = ()) -> Move:
        """Carry out what is legal: with answers by chance, and where those are refused, as legality found it.

        Raises:
            Violated: no answers are accepted.
        """
        last: Refused | None = None
        for attempt in range(_TRIES * 20):
            agent: Agent = self.agent() if attempt % 2 == 0 else self.agent(bold=0.3)
            if way and attempt >= _TRIES:
                agent = Replayer(way, agent)
            try:
                return self.attempt(player, action, agent)
            except Refused as error:
                last = error
        self.pending = lambda: Move(player.name, action, way, "stuck")
        raise invariants.Violated("answers", f"{action}: no answers are accepted: {last}")

    def _mark(self) -> tuple[Any, dict[str, Any]]:
        """The present moment and what is computed by now: rules are cited when something is computed first."""
        cache = {key: dict(value) if isinstance(value, dict) else value for key, value in self.game.cache.items()}
        return self.game.mark(), cache

    def _undo(self, mark: tuple[Any, dict[str, Any]]) -> None:
        self.game.undo(mark[0])
        self.game.cache = mark[1]

    # -- legality --------------------------------------------------------------------------------------------

    def ask(self, player: Player, action: Action) -> tuple[legality.Verdict, Answers]:
        """The question of legality, and the answers of the way that was found."""
        self.pending = lambda: Move(player.name, action, (), "asked")
        recorders: list[Recorder] = []

        def attempt() -> None:
            recorder = Recorder(self.game.agent)
            recorders.append(recorder)
            self.game.agent = recorder
            actions.act(self.game, player, action)

        self.trace.limit = len(self.trace.lines) + self._lines
        try:
            verdict = legality.search(self.game, attempt)
        finally:
            self.trace.limit = None
        return verdict, tuple(recorders[-1].kept) if recorders else ()

    def prove(self, player: Player, action: Action) -> None:
        """Legality agrees with doing, the question leaves no mark, and what is done can be taken back whole.

        Raises:
            Violated: one of these does not hold.
        """
        game = self.game
        before = invariants.snapshot(game)
        verdict, way = self.ask(player, action)
        self._unchanged(before, f"asking whether {action} is legal")
        if not verdict.legal:
            return
        mark = self._mark()
        try:
            self._run(player, action, Replayer(way), lambda: actions.act(game, player, action))
        except Refused as error:
            raise invariants.Violated("legality", f"{action} is said to be legal, and is refused: {error}") from error
        self._undo(mark)
        self._unchanged(before, f"taking back {action}")
        self.pending = None

    def refused(self, player: Player, action: Action) -> None:
        """What legality called illegal is refused, whatever is answered.

        Raises:
            Violated: it can be done.
        """
        game = self.game
        mark = self._mark()
        for _ in range(_TRIES):
            try:
                self._run(player, action, self.agent(), lambda: actions.act(game, player, action))
            except Refused:
                continue
            self._undo(mark)
            self.pending = lambda: Move(player.name, action, (), "asked")
            raise invariants.Violated("legality", f"{action} is said to be illegal, and can be done")

    def _unchanged(self, before: invariants.Snapshot, what: str) -> None:
        found = invariants.differences(before, invariants.snapshot(self.game))
        if found:
            raise invariants.Violated("trial", f"{what} leaves a mark: {'; '.join(found[:5])}")


def sequence(moves: Sequence[Move]) -> str:
    """Moves as text, one a line; passes in a row on one."""
    lines: list[str] = []
    passes: list[str] = []
    for move in moves:
        if move.action.verb == "pass" and not move.answers and move.how == "done":
            passes.append(move.player)
            continue
        if passes:
            lines.append(f"pass: {' '.join(passes)}")
            passes = []
        lines.append(str(move))
    if passes:
        lines.append(f"pass: {' '.join(passes)}")
    return "\n".join(lines)


__all__ += ["sequence"]
