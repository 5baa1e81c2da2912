"""Playing a case against an engine and judging it.

`play` is the whole of it: one case, one engine, one `CaseResult`. Nothing that an engine or a case does makes
it raise, save an interrupt from the keyboard.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from judgecall.adapters.engine import Description, Engine
from judgecall.harness.expect import Findings, judge
from judgecall.harness.phrase import board_text, step_text
from judgecall.harness.probes import judge_probes
from judgecall.harness.run import Run, describe, mentions_numbers
from judgecall.harness.steps import take
from judgecall.harness.verdicts import CaseResult, Mistake, Stop, broken, mistake, not_supported
from judgecall.schema.model import Case, Expectations, Step

__all__ = ["Watch", "play"]

Watch = Callable[[int, Step], None]
"""Told of each step of ``when`` when it has been carried out: its number from 0, and the step."""


def play(
    case: Case,
    engine: Engine,
    description: Description | None = None,
    *,
    faulted: bool = False,
    watch: Watch | None = None,
) -> CaseResult:
    """Play one case on an engine and say what comes of it.

    ``description`` saves asking the engine. ``faulted`` says that the engine has been broken on purpose, so
    that what would be a mistake in the case is the engine's. ``watch`` is told of each step.
    """
    begun = perf_counter()
    try:
        result = _judged(case, engine, description, faulted=faulted, watch=watch)
    except Exception as error:
        told = "".join(traceback.format_exception(error)).strip()
        message = f"judging this case failed: {type(error).__name__}: {error}\n{told}"
        result = _result(case, "error", message)
    return replace(result, seconds=perf_counter() - begun)


def _judged(
    case: Case, engine: Engine, description: Description | None, *, faulted: bool, watch: Watch | None
) -> CaseResult:
    played = _Play(case, engine, watch)
    engine.new_case(long=case.long)
    strict = False
    try:
        if description is None:
            description = describe(engine)
        strict = "strict" in description.capabilities and not faulted
        played.go(description, strict)
    except Stop as stop:
        return played.result(stop, strict)
    return _result(case, "pass")


def _result(case: Case, verdict: str, message: str = "") -> CaseResult:
    return CaseResult(
        case.id,
        verdict,
        message,
        title=case.title,
        status=case.status,
        why=case.why,
        path=case.path,
        line=case.position.line if case.position else None,
    )


class _Play:
    """A case being played: where it is, for the report and for playing it again up to there."""

    def __init__(self, case: Case, engine: Engine, watch: Watch | None) -> None:
        self.case = case
        self.engine = engine
        self.watch = watch
        self.run: Run | None = None
        self.done = 0
        """How many steps of `when` have been carried out."""
        self.at: int | None = None
        """The step that is being carried out; None before the first and in `then`."""
        self.unknown: str | None = None
        """A property that the engine does not show: the case goes on, since worse may come."""
        self.remember = mentions_numbers(case)
        self.strict = False
        """Whether what the engine knows settles what is a mistake in the case."""

    def go(self, description: Description, strict: bool) -> None:
        """Play and judge; returns where the case passes, raises `Stop` where it does not."""
        self.strict = strict
        reasons = "reasons" in description.capabilities
        run = self.run = Run(self.case, self.engine, remember=self.remember)
        run.start()
        for index, step in enumerate(self.case.when):
            self.at = index
            if step.verb == "check":
                if step.choices:
                    raise mistake("a check asks nobody anything: it takes no choices")
                if step.expect is not None:
                    self._judge(step.expect, reasons, last=False)
            else:
                take(self.run, step, self.case.when[index + 1 :])
            self.done = index + 1
            if self.watch is not None:
                self.watch(index, step)
        self.at = None
        self._judge(self.case.then, reasons, last=True)
        if self.unknown is not None:
            raise not_supported("property", self.unknown)

    def _exists(self, name: str) -> bool:
        """Whether a name that nothing here ever had is a card's or a token's, as far as a strict engine knows."""
        if not self.strict or name.endswith(" Token"):
            return True
        known = self.engine.supports("card", (name,))
        return known is None or name in known

    def _judge(self, expect: Expectations, reasons: bool, *, last: bool) -> None:
        findings = Findings()
        run = self.run
        assert run is not None
        if expect.subjects:
            judge(expect.subjects, run.view(), run.names, findings, self._exists)
        if findings.mismatches:
            self._raise(findings)
        if expect.probes:
            try:
                self.run = judge_probes(expect.probes, run, self._again, reasons, findings, last=last)
            except Stop:
                if findings.mismatches:
                    self._raise(findings)
                raise
        if findings.mismatches:
            self._raise(findings)
        if findings.unknown and self.unknown is None:
            self.unknown = findings.unknown[0]

    def _raise(self, findings: Findings) -> None:
        mismatches = tuple(findings.mismatches)
        raise Stop("fail", "; ".join(map(str, mismatches)), mismatches=mismatches)

    def _again(self) -> Run:
        """The case played again to where it is now."""
        run = Run(self.case, self.engine, remember=self.remember)
        try:
            run.start()
            for index, step in enumerate(self.case.when[: self.done]):
                if step.verb != "check":
                    take(run, step, self.case.when[index + 1 :])
        except Stop as stop:
            raise broken(f"played a second time, the case goes another way: {stop.message}") from None
        self.run = run
        return run

    def result(self, stop: Stop, strict: bool) -> CaseResult:
        """The result of a case that has come to a verdict before its end."""
        case = self.case
        mistaken = isinstance(stop, Mistake) and not strict
        step = None if self.at is None else case.when[self.at]
        position = (step.position if step else None) or case.position
        reached = case.when if self.at is None and self.done else case.when[: (self.at or 0) + 1]
        return replace(
            _result(case, "fail" if mistaken else stop.verdict, stop.message),
            line=position.line if position else None,
            step=None if self.at is None else self.at + 1,
            steps=tuple(map(step_text, reached)),
            mismatches=stop.mismatches,
            rules=(stop.rule,) if stop.rule else case.rules,
            unsupported=stop.unsupported,
            board=self._board(),
        )

    def _board(self) -> str:
        """The board as the engine shows it now, if it still can."""
        if self.run is None:
            return ""
        try:
            return board_text(self.run.view(), self.run.names.label)
        except Exception:
            # The verdict matters more than the picture.
            return ""
