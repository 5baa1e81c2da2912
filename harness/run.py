"""One run of a case on an engine: the engine's calls, made safe, and the questions it puts meanwhile."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from judgecall.adapters.engine import (
    Action,
    Description,
    Engine,
    Glance,
    Illegal,
    Internal,
    Json,
    Legality,
    Pass,
    Question,
    Unsupported,
    View,
)
from judgecall.harness.answers import Answers, answer, left_open, off_offer
from judgecall.harness.names import Names
from judgecall.harness.verdicts import Stop, broken, failed, mistake, not_supported
from judgecall.schema.model import PLAYERS, Case, Value

__all__ = ["Declaration", "Run", "describe", "mentions_numbers"]

T = TypeVar("T")


class Declaration:
    """The attack or blocks that a step declares, until the engine asks for them."""

    __slots__ = ("asked", "kind", "parts")

    def __init__(self, kind: str, parts: Mapping[str | None, Mapping[str, Json]]) -> None:
        self.kind = kind
        self.parts = dict(parts)
        """What each player declares; of None: whoever is asked."""
        self.asked = False

    @property
    def player(self) -> str | None:
        """The player who declares, or the first of them."""
        return next(iter(self.parts), None)

    @property
    def value(self) -> Mapping[str, Json]:
        """What all players declare together."""
        return {id_: whom for part in self.parts.values() for id_, whom in part.items()}

    def answer(self, player: str) -> Mapping[str, Json]:
        """What a player declares when asked; nothing where the step does not say, or has said."""
        for key in (player, None):
            if key in self.parts:
                self.asked = True
                return self.parts.pop(key)
        return {}


class Run:
    """An engine that plays a case, from `start` on.

    Every engine failure leaves as a `Stop`, save `Illegal`, which is the caller's to judge.
    """

    def __init__(self, case: Case, engine: Engine, *, remember: bool = False) -> None:
        self.case = case
        self.engine = engine
        self.names = Names(case.given)
        self.answers: Answers | None = None
        self.declaration: Declaration | None = None
        self.declared = 0
        """How many of the next steps have been declared already, with the blocks of others."""
        self.passed = 0
        """How many players have passed in succession, as far as one sees: see `another_step`."""
        self.guess: Callable[[Question], Any] | None = None
        """Where an action is only tried: answers the questions that the case leaves open."""
        self._remember = remember
        self._view: View | None = None
        self._glance: Glance | None = None
        self._stop: Stop | None = None
        self._acting = False
        self._off_offer = ""
        self._active: str | None = case.given.active

    def start(self) -> None:
        """Put the engine into the starting state."""
        self._view = self._glance = None
        try:
            self._call(lambda: self.engine.start(self.case.given, self._decide))
        except Illegal as refusal:
            raise broken(f"the engine refuses the starting state: {refusal}") from None
        if self._remember:
            self.view()

    def act(self, action: Action) -> None:
        """Let the engine carry out an action.

        Raises:
            Illegal: the rules forbid it, or an answer given meanwhile.
            Stop: the case comes to its verdict here.
        """
        self._view = self._glance = None
        self._call(lambda: self.engine.act(action))
        self.passed = self.passed + 1 if isinstance(action, Pass) else 0
        if self._remember:
            self.view()

    def _call(self, work: Callable[[], T]) -> T:
        self._stop = None
        self._off_offer = ""
        self._acting = True
        try:
            result = work()
        except Exception as error:
            # An engine may wrap or swallow what `decide` raised: the verdict found there comes first.
            if self._stop is not None:
                raise self._stop from None
            raise _as_stop(error) from None
        except SystemExit as error:
            raise broken(f"the engine tried to exit ({error.code})") from None
        finally:
            self._acting = False
        if self._stop is not None:
            raise self._stop
        return result

    def view(self) -> View:
        """What the engine shows now, asked for once after each act."""
        if self._view is None:
            view = _guarded(self.engine.view)
            self._view = view
            self.names.observe(view)
        return self._view

    def glance(self) -> Glance:
        """Where the game stands, asked for once after each act."""
        if self._glance is None:
            # A view that is there, or that the engine would make anyway, is not made twice.
            whole = self._view is not None or type(self.engine).glance is Engine.glance
            self._glance = Glance.of(self.view()) if whole else _guarded(self.engine.glance)
            self._active = self._glance.active or self._active
        return self._glance

    def legality(self, action: Action, declare: Mapping[str, Json] | None = None) -> Legality | None:
        """The engine's own answer to whether an action could be taken."""
        try:
            return _guarded(lambda: self.engine.legality(action, declare))
        except Illegal as refusal:
            return Legality(False, refusal.rule, refusal.stage, str(refusal), refusal.also)

    def id_of(self, reference: Value) -> str:
        """The id or player that a name means now.

        Raises:
            NameProblem: it means no one thing that is there.
            Mistake: it is no name.
        """
        if not isinstance(reference, str):
            raise mistake(f"expected a name, not {reference!r}")
        self.view()
        return self.names.id_of(reference)

    def refused(self, what: str, refusal: Illegal) -> Stop:
        """The verdict on a refusal of what the engine was last asked to do."""
        return failed(f"{what} is refused: {refusal}{self._off_offer}", refusal.rule)

    def pass_once(self) -> None:
        """The player who has priority passes (CR 117.3d).

        Raises:
            Mistake: nobody has priority.
            Stop: the engine refuses the pass, or does nothing.
        """
        try:
            self.try_to_pass()
        except Illegal as refusal:
            raise self.refused("a pass", refusal) from None

    def try_to_pass(self) -> None:
        """As `pass_once`, but a refusal is the caller's to judge.

        Raises:
            Illegal: an answer given meanwhile is not allowed.
        """
        before = self.glance()
        if before.over or before.priority is None:
            raise mistake("nobody has priority" + (": the game is over" if before.over else ""))
        self.act(Pass(before.priority))
        now = self.glance()
        if now == before and not self.another_step(before):
            raise failed(f"{before.priority} passes, and nothing comes of it", "117.3d")
        if (now.turn, now.step, now.stack) != (before.turn, before.step, before.stack):
            self.passed = 0

    def another_step(self, before: Glance) -> bool:
        """Whether the pass since ``before`` ended a step and another of the same name began (CR 117.4, 510.4)."""
        now = self.glance()
        if before.stack or (now.turn, now.step) != (before.turn, before.step):
            return False
        if now.stack:
            return True  # what triggered as it began; nothing else puts something there while players pass
        players = sum(not player.facts.get("lost") for player in self.view().players.values())
        return self.passed > 0 and self.passed % players == 0

    def give_priority(self, player: str | None) -> str:
        """The players before ``player`` pass; gives the player who then has priority.

        Raises:
            Mistake: such a pass resolves something or ends the step, or nobody has priority.
        """
        glance = self.glance()
        if player is None:
            player = glance.priority
        for _ in range(len(PLAYERS) + 1):
            if glance.priority is None or glance.over or player is None:
                raise mistake("nobody has priority" + (": the game is over" if glance.over else ""))
            if glance.priority == player:
                return player
            before = glance
            self.pass_once()
            glance = self.glance()
            if glance.stack != before.stack:
                raise mistake(f"for {player} to act, {before.priority} would pass and resolve something")
            whose = (glance.turn, glance.step, glance.active)
            if whose != (before.turn, before.step, before.active) or self.another_step(before):
                raise mistake(f"for {player} to act, {before.priority} would pass and end the {before.step}")
        raise mistake(f"priority does not come to {player}")

    def _decide(self, question: Question) -> Any:
        """Answer a question that the engine puts while it acts."""
        try:
            return self._answer(question)
        except Stop as stop:
            self._stop = stop
            raise
        except Exception as error:
            self._stop = broken(f"question {question!r} cannot be read: {_told(error)}")
            raise self._stop from None

    def _answer(self, question: Question) -> Any:
        if question.kind in ("attackers", "blockers"):
            declared = self.declaration
            return declared.answer(question.player) if declared and declared.kind == question.kind else {}
        answers = self.answers
        if answers is None:
            answers = Answers((), lambda: None)
        known, value = answer(question, answers, self.names, self._refresh)
        if known:
            self._off_offer = off_offer(question, value, self.names) or self._off_offer
            return value
        if self.guess is not None:
            return self.guess(question)
        raise left_open(question, self.names)

    def _refresh(self) -> None:
        """Take in what the engine shows in the middle of an act, if it can show anything."""
        try:
            self.names.observe(self.engine.view())
        except Exception:
            # An engine that cannot report while it waits for an answer: names of what is new stay unknown.
            return

    def active_now(self) -> str | None:
        """The active player, also in the middle of an act; the last one seen if the engine cannot tell."""
        if self._acting:
            try:
                return self.engine.glance().active or self._active
            except Exception:
                return self._active
        return self.glance().active


def describe(engine: Engine) -> Description:
    """What an engine says of itself."""
    return _guarded(engine.describe)


def _told(error: BaseException) -> str:
    """An exception with the place that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"{text} ({frames[-1].filename}:{frames[-1].lineno})" if frames else text


def _as_stop(error: Exception) -> Exception:
    """What an engine's exception means: `Illegal` as it is, anything else a `Stop`."""
    if isinstance(error, (Stop, Illegal)):
        return error
    if isinstance(error, Unsupported):
        return not_supported(error.kind, error.name)
    if isinstance(error, Internal):
        return broken(f"the engine failed: {error}")
    return broken(f"the engine failed: {_told(error)}")


def _guarded(work: Callable[[], T]) -> T:
    try:
        return work()
    except Exception as error:
        raise _as_stop(error) from None
    except SystemExit as error:
        raise broken(f"the engine tried to exit ({error.code})") from None


def mentions_numbers(case: Case) -> bool:
    """Whether a case counts objects (``Spirit Token#2``), so that all must be seen as they appear."""
    for step in case.when:
        if _numbered(step.subject) or _numbered(step.args):
            return True
        for given in step.choices:
            if _numbered(given.value) or _numbered(given.options) or _numbered(given.excluded):
                return True
        if step.expect is not None and _expects_numbered(step.expect):
            return True
    return _expects_numbered(case.then)


def _expects_numbered(expect: Any) -> bool:
    return any("#" in each.subject or _numbered(each.facts) for each in expect.subjects) or any(
        _numbered(probe.step.subject) or _numbered(probe.step.args) for probe in expect.probes
    )


def _numbered(value: Any) -> bool:
    if isinstance(value, str):
        return "#" in value
    if isinstance(value, Mapping):
        return any(_numbered(key) or _numbered(each) for key, each in value.items())
    if isinstance(value, tuple):
        return any(map(_numbered, value))
    return False
