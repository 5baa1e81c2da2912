"""Whether a run is as required: every case passes, or what the caller says is enough.

What fails is never enough, unless it is a known failure. What is unsupported leaves a run incomplete, unless the
caller requires less than everything.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from judgecall.harness.known import EXCUSED
from judgecall.harness.phrase import many
from judgecall.harness.verdicts import CaseResult

__all__ = ["FAILURES", "INCOMPLETE", "Demand", "is_new_failure", "shortfalls"]

FAILURES = ("invalid", "fail", "error")
"""Verdicts that are failures; ``unsupported`` makes a run incomplete."""

INCOMPLETE = "incomplete"

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Demand:
    """What the caller says is enough."""

    profiles: tuple[str, ...] = ()
    """Profiles all of whose cases must have been played and must pass."""
    min_passing: int | None = None
    allow_unsupported: bool = False

    @property
    def relaxed(self) -> bool:
        """Whether less than everything is enough."""
        return bool(self.profiles) or self.min_passing is not None or self.allow_unsupported


def is_new_failure(result: CaseResult) -> bool:
    """Whether a case fails, counts, and is no known failure."""
    excused = result.known is not None and result.verdict in EXCUSED
    return result.counts and result.verdict in FAILURES and not excused


def shortfalls(results: Sequence[CaseResult], demand: Demand, required: Mapping[str, Collection[str]]) -> list[str]:
    """Say what is missing; nothing: the run is as required.

    ``required`` has, for each profile that the demand names, the ids of its cases that count.
    """
    reasons = []
    failed = [result.case for result in results if is_new_failure(result)]
    if failed:
        reasons.append(f"{_cases(failed)} failed")
    for result in results:
        if result.known is not None and result.verdict == "pass":
            reasons.append(f"{result.case} is listed as a known failure and passes: remove the entry")
    verdicts = {result.case: result.verdict for result in results}
    for name in demand.profiles:
        cases = required[name]
        absent = [case for case in cases if case not in verdicts]
        lacking = [case for case in cases if case in verdicts and verdicts[case] != "pass"]
        if absent:
            reasons.append(f"{INCOMPLETE}: profile {name}: {_cases(absent)} not played")
        if lacking:
            reasons.append(f"{INCOMPLETE}: profile {name}: {_cases(lacking)} not passed")
    passing = sum(result.verdict == "pass" and result.counts for result in results)
    if demand.min_passing is not None and passing < demand.min_passing:
        are = "is" if demand.min_passing == 1 else "are"
        reasons.append(f"{INCOMPLETE}: {passing} passed, and {demand.min_passing} {are} required")
    if not demand.relaxed:
        unsupported = [
            result.case
            for result in results
            if result.counts and result.verdict == "unsupported" and result.known is None
        ]
        if unsupported:
            reasons.append(f"{INCOMPLETE}: {_cases(unsupported)} unsupported")
    return reasons


def _cases(ids: Sequence[str]) -> str:
    """How many, and the first few of them by name."""
    shown = ", ".join(ids[:_SHOWN]) + (", …" if len(ids) > _SHOWN else "")
    return f"{many(len(ids), 'case')} ({shown})"
