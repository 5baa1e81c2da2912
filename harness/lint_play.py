"""What only playing tells of a case: whether it expects what holds before anything is done, and how costs are paid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from judgecall.harness.engines import DEFAULT_ENGINE, Opened, open_engine
from judgecall.harness.play import play
from judgecall.harness.verdicts import CaseResult
from judgecall.schema.errors import Problem
from judgecall.schema.model import Case

__all__ = ["lint_by_playing"]

LAST_PAYMENT = "py:judgecall.adapters.oracle:LastPayment"
"""The oracle again, which pays in another legal way where there are several."""


def lint_by_playing(cases: Iterable[Case]) -> list[Problem]:
    """Play cases on the oracle and give what is wrong with them.

    A case must come to its end, which it does not where a name means no one object. What its ``then`` says must not
    hold before its ``when`` already, unless ``holds_before`` says why; and it must come to the same in whichever
    legal way mana is spent.
    """
    oracle, other = open_engine(DEFAULT_ENGINE), open_engine(LAST_PAYMENT)
    try:
        return [problem for case in cases for problem in _case(case, oracle, other)]
    finally:
        other.close()
        oracle.close()


def _case(case: Case, oracle: Opened, other: Opened) -> Iterator[Problem]:
    otherwise = _play(case, other)
    if otherwise.verdict != "pass":
        result = _play(case, oracle)
        if result.verdict in ("invalid", "error"):
            yield Problem.of_case(case, f"it cannot be played: {result.message}")
            return
        if result.verdict != otherwise.verdict:
            message = f"with mana spent in another legal way it comes to {otherwise.verdict!r}: {otherwise.message}"
            yield Problem.of_case(case, message, "only one way to pay, or all with the same outcome")
    before = _play(replace(case, when=()), oracle).verdict == "pass"
    if before and case.holds_before is None:
        yield Problem.of_case(case, "what 'then' says holds before 'when' already", "'holds_before', and why it may")
    elif case.holds_before is not None and not before:
        yield Problem.of_case(case, "what 'then' says does not hold before 'when'", "no 'holds_before'")


def _play(case: Case, opened: Opened) -> CaseResult:
    return play(case, opened.engine, opened.description)
