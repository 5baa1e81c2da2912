"""``legal`` and ``illegal``: whether an action could be taken now.

An engine that can tell is asked. With any other the action is tried, and the case is played again from its
start where the state must be as it was. Where the case leaves something open, answers are tried in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from judgecall.adapters.engine import Action, Illegal, Json, Legality, Pass, Question
from judgecall.harness.actions import action_of
from judgecall.harness.answers import OPEN, Answers, any_division, forced, nobody_asks
from judgecall.harness.expect import Findings
from judgecall.harness.names import GoneName, NameProblem
from judgecall.harness.phrase import rule_note, step_text
from judgecall.harness.run import Run
from judgecall.harness.steps import declaration_of, declare
from judgecall.harness.verdicts import Mistake, mistake
from judgecall.schema.model import Answer, Probe

__all__ = ["ACTIONS", "RunAgain", "judge_probes", "rules_match"]

ACTIONS = frozenset({"cast", "activate", "play", "turn face up", "pass"})
"""The verbs of actions that take priority; attacks and blocks are declared without it."""

_TRIES = 64
"""How many ways of answering what a case leaves open are tried before an action counts as refused."""

RunAgain = Callable[[], Run]
"""Plays the case from its start to where it is now, and gives the new run."""


def rules_match(one: str, other: str) -> bool:
    """Whether two rule numbers are the same rule, or one is above the other (CR 601.2 is above 601.2f).

    >>> rules_match("601.2", "601.2f"), rules_match("702.3", "702.34a")
    (True, False)
    """
    above, below = sorted((_parts(one), _parts(other)), key=len)
    return below[: len(above)] == above


def _parts(rule: str) -> tuple[str, ...]:
    """``702.34a`` as chapter, section, rule and subrule: (``7``, ``702``, ``34``, ``a``)."""
    section, _, rest = rule.strip().removeprefix("CR ").rstrip(".").partition(".")
    digits = rest.rstrip("abcdefghijklmnopqrstuvwxyz")
    parts = (section[:1], section if len(section) > 1 else "", digits, rest[len(digits) :])
    return tuple(part for part in parts if part)


def judge_probes(
    probes: tuple[Probe, ...], run: Run, again: RunAgain, reasons: bool, findings: Findings, *, last: bool
) -> Run:
    """Find out whether each action could be taken, and note those that should and cannot, or the other way.

    ``reasons``: the engine is held to ``because`` and ``at``. Gives a run that stands where ``run`` stood; if
    this is the ``last`` thing asked of it, and all is well, where it stands does not matter.
    """
    prober = _Prober(run, again)
    # The players before the one who acts pass first (as in `when`). In seat order no pass must be taken back.
    for probe in sorted(probes, key=prober.seat):
        _compare(probe, prober.ask(probe), reasons, findings)
    return run if last and not findings.mismatches else prober.run_at(0)


def _compare(probe: Probe, found: Legality, reasons: bool, findings: Findings) -> None:
    label = f"{'legal' if probe.legal else 'illegal'}: {step_text(probe.step)}"
    if found.legal != probe.legal:
        if probe.legal:
            told = f": {found.message}" if found.message else ""
            findings.told(label, "legal", f"refused{told}{rule_note(found.rule)}")
        else:
            wanted = f"refused{rule_note(probe.because)}"
            findings.told(label, wanted, "taken")
        return
    if probe.legal or not reasons:
        return
    named = (found.rule, *found.also) if found.rule else ()
    if probe.because is not None and not any(rules_match(probe.because, rule) for rule in named):
        findings.told(f"{label}: because", probe.because, found.rule or "no rule")
    if probe.at is not None and found.stage != probe.at:
        findings.told(f"{label}: at", probe.at, found.stage or "no stage")


class _Prober:
    """Asks, or tries, one action after another from the same state."""

    def __init__(self, run: Run, again: RunAgain) -> None:
        self._run = run
        self._again = again
        self._moved = False
        """Whether a trial has moved the run on from where the probes are meant."""
        self._passes = 0
        """How many players have passed since then, if nothing else has moved it."""
        self._players = [player.name for player in run.case.given.players]
        priority = run.glance().priority
        self._first = self._players.index(priority) if priority in self._players else 0

    def seat(self, probe: Probe) -> int:
        """How many players pass before the probe's player has priority."""
        step = probe.step
        by = str(step.subject) if step.verb == "pass" else step.by
        if by is None or by not in self._players or step.verb not in ACTIONS:
            return 0
        return (self._players.index(by) - self._first) % len(self._players)

    def run_at(self, passes: int) -> Run:
        """The run after so many passes.

        Raises:
            Mistake: such a pass resolves something or ends the step.
        """
        if self._moved or self._passes > passes:
            self._run = self._again()
            self._moved = False
            self._passes = 0
        if passes > self._passes:
            self._moved = True
            self._run.give_priority(self._players[(self._first + passes) % len(self._players)])
            self._moved = False
            self._passes = passes
        return self._run

    def ask(self, probe: Probe) -> Legality:
        """Whether the probe's action could be taken."""
        step = probe.step
        try:
            run = self.run_at(self.seat(probe))
            # CR 104.3a: conceding takes no priority.
            player = str(step.subject) if step.verb == "concede" else run.give_priority(None)
        except Mistake as problem:
            over = self._run.glance().over  # CR 104.1: then the game ends
            return Legality(False, "104.1" if over else None, message=problem.message)
        active = run.glance().active
        if step.verb == "attack" and step.by is not None and step.by != active:
            return Legality(False, "508.1", None, f"only the active player attacks, and that is {active}")
        run.view()
        try:
            if step.verb in ("attack", "block"):
                declaration = declaration_of(run, step)
                told = self._told(probe, run, Pass(player), {declaration.kind: declaration.value})
                return told or self._tried(probe, run, player, lambda: declare(run, declaration_of(run, step)))
            action = action_of(step, player, run.names)
        except GoneName as problem:
            return Legality(False, message=str(problem))
        except NameProblem as problem:
            raise mistake(f"{step_text(step)}: {problem}") from None
        return self._told(probe, run, action) or self._tried(probe, run, player, lambda: _act(run, action))

    def _told(
        self, probe: Probe, run: Run, action: Action, declare: Mapping[str, Json] | None = None
    ) -> Legality | None:
        """The engine's own answer. What it asks on the way, which the case leaves open, has any answer.

        None where the case does say how a question is answered: the engine finds out whether any answer would do.
        """
        if probe.step.choices:
            return None
        run.guess = lambda question: _ways(question)[0]
        try:
            return run.legality(action, declare)
        finally:
            run.guess = None

    def _tried(self, probe: Probe, run: Run, player: str, attempt: Callable[[], Illegal | None]) -> Legality:
        """Try an action with one answer after another to what is left open, until one way is legal."""
        guesser = _Guesser()
        refusal: Illegal | None = None
        unused: tuple[Answer, ...] = ()
        declares = probe.step.verb not in ACTIONS
        try:
            for _ in range(_TRIES):
                run.answers = Answers(probe.step.choices, lambda: player)
                run.guess = guesser.guess
                try:
                    refusal = attempt()
                    unused = run.answers.unused
                except Mistake as problem:
                    self._moved = True
                    return Legality(False, message=problem.message)
                if refusal is None or declares or not guesser.next_way():
                    break
        finally:
            run.guess = None
            run.answers = None
            run.declaration = None
        # A refused action leaves the state as it was; the passes on the way to a declaration do not.
        self._moved = refusal is None or declares
        if refusal is None:
            if unused:
                raise nobody_asks(unused)
            return Legality(True)
        return Legality(False, refusal.rule, refusal.stage, str(refusal), refusal.also)


def _act(run: Run, action: Action) -> Illegal | None:
    try:
        run.act(action)
    except Illegal as refusal:
        return refusal
    return None


class _Guesser:
    """Answers open questions in every way, one way an attempt: the last question changes first."""

    def __init__(self) -> None:
        self._path: list[int] = []
        self._counts: list[int] = []
        self._at = 0

    def guess(self, question: Question) -> Any:
        """An answer to this attempt's next open question."""
        ways = _ways(question)
        if self._at == len(self._path):
            self._path.append(0)
            self._counts.append(len(ways))
        choice = self._path[self._at]
        self._at += 1
        return ways[choice] if choice < len(ways) else ways[0]

    def next_way(self) -> bool:
        """Go on to the next way of answering; False when all have been tried."""
        del self._path[self._at :], self._counts[self._at :]
        self._at = 0
        while self._path:
            self._path[-1] += 1
            if self._path[-1] < self._counts[-1]:
                return True
            self._path.pop()
            self._counts.pop()
        return False


def _ways(question: Question) -> list[Any]:
    """Some answers to a question, at least one."""
    only = forced(question)
    if only is not OPEN:
        return [only]
    kind, least = question.kind, question.minimum
    values = [option.value for option in question.options]
    if kind in ("may", "pay"):
        return [False, True]
    if kind in ("pick", "targets", "modes"):
        if least <= 1:
            singles: list[Any] = [[value] for value in values]
            return singles if least == 1 else [[], *singles]
        return [[*values[i:], *values[:i]][:least] for i in range(max(1, len(values)))]
    if kind == "order":
        return [values]
    if kind in ("scry", "surveil"):
        return [{"top": values}]
    if kind in ("x", "number"):
        return values or list(range(least, min(question.maximum, least + 16) + 1))
    if kind == "divide":
        return [any_division(question)]
    if kind == "cast":
        return [None]
    return values or [None]
