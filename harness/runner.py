"""Playing many cases, one after another, and counting what comes of them."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from judgecall.harness.engines import Opened
from judgecall.harness.phrase import indented
from judgecall.harness.play import play
from judgecall.harness.suite import Selected, case_results_of, load, suite_root
from judgecall.harness.verdicts import CaseResult

__all__ = ["FAILURES", "Tally", "command_alone", "report_text", "run"]

FAILURES = ("invalid", "fail", "error")
"""Verdicts that are failures; ``unsupported`` makes a run incomplete."""


def run(selected: Sequence[Selected], opened: Opened) -> Iterator[CaseResult]:
    """Play all cases of the files selected. A broken file gives ``invalid`` results and the others still run.

    Raises:
        NotFound: a case asked for by name is not there.
    """
    for loaded in load(selected):
        yield from case_results_of(loaded)
        for case in loaded.cases:
            yield play(case, opened.engine, opened.description, faulted=opened.fault is not None)


class Tally:
    """Counts of verdicts. Disputed and withdrawn cases are counted apart."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.apart: Counter[str] = Counter()

    def add(self, result: CaseResult) -> None:
        """Count a result."""
        if result.status is None:
            self.counts[result.verdict] += 1
        else:
            self.apart[result.status] += 1

    @property
    def total(self) -> int:
        """How many cases were played."""
        return self.counts.total() + self.apart.total()

    def summary(self) -> str:
        """``38 cases passed, 2 failed, 3 unsupported: incomplete``."""
        words = (
            ("pass", "passed"),
            ("fail", "failed"),
            ("error", "ended in an error"),
            ("invalid", "invalid"),
            ("unsupported", "unsupported"),
        )
        parts = [f"{self.counts[verdict]} {word}" for verdict, word in words if self.counts[verdict]]
        parts += [f"{number} {status} (not counted)" for status, number in self.apart.items()]
        text = f"{self.total} cases: " + ", ".join(parts) if parts else "no cases"
        return f"{text}; incomplete" if self.counts["unsupported"] else text


def report_text(result: CaseResult, alone: str = "") -> str:
    """Why a case did not pass: steps, expected beside actual, the rule, the board, the command ``alone``."""
    if result.verdict == "unsupported" and result.counts:
        return f"{result.case}: unsupported {result.message}"
    lines = [f"{result.case}: {result.verdict}"]
    if result.title:
        lines.append(f"  {result.title}")
    if result.status:
        lines.append(f"  {result.status}: {result.why or 'no reason given'} (counts for no verdict)")
    if result.path:
        lines.append(f"  {result.path}:{result.line}" if result.line else f"  {result.path}")
    if result.steps:
        lines.append("  steps:")
        for number, text in enumerate(result.steps, start=1):
            lines.append(f"  {'>' if number == result.step else ' '} {number}. {text}")
    for mismatch in result.mismatches:
        lines.append(f"  {mismatch.subject}")
        lines.append(f"    expected: {mismatch.expected}")
        lines.append(f"    actual:   {mismatch.actual}")
    if result.message and not result.mismatches:
        lines.append(indented(result.message, "  "))
    if result.rules:
        lines.append(f"  rule: {', '.join(f'CR {rule}' for rule in result.rules)}")
    if result.board:
        lines.append("  board:")
        lines.append(indented(result.board, "    "))
    if alone:
        lines.append(f"  alone: {alone}")
    return "\n".join(lines)


def command_alone(result: CaseResult, opened: Opened) -> str:
    """The command that runs one case alone."""
    where = result.case
    if result.path and not Path(result.path).resolve().is_relative_to(suite_root().resolve()):
        where = f"{result.path}::{result.case.rpartition('::')[2]}"
    words = ["judgecall", "run", where, f"--engine={opened.name}"]
    if opened.fault:
        words.append(f"--fault={opened.fault}")
    return shlex.join(words)
