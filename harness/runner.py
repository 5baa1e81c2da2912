"""Playing many cases, one after another, and counting what comes of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from judgecall.harness.engines import DEFAULT_ENGINE, Opened
from judgecall.harness.phrase import indented
from judgecall.harness.play import play
from judgecall.harness.suite import Selected, case_results_of, load
from judgecall.harness.verdicts import CaseResult

__all__ = ["FAILURES", "Tally", "report_text", "run"]

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


def report_text(result: CaseResult, engine: str = DEFAULT_ENGINE, fault: str | None = None) -> str:
    """Why a case did not pass: steps, expected beside actual, the rule, the board, how to run it alone."""
    lines = [f"{result.case}: {result.verdict}"]
    if result.title:
        lines.append(f"  {result.title}")
    if result.status:
        lines.append(f"  {result.status}: {result.why or 'no reason given'} (counts for no verdict)")
    if result.path:
        lines.append(f"  {result.path}:{result.line}" if result.line else f"  {result.path}")
    if result.steps:
        lines.append("  steps:")
        failing = result.step is not None
        for number, text in enumerate(result.steps, start=1):
            mark = ">" if failing and number == result.step else " "
            lines.append(f"  {mark} {number}. {text}")
    if result.mismatches:
        for mismatch in result.mismatches:
            lines.append(f"  {mismatch.subject}")
            lines.append(f"    expected: {mismatch.expected}")
            lines.append(f"    actual:   {mismatch.actual}")
    elif result.message:
        lines.append(indented(result.message, "  "))
    if result.rule and result.verdict != "pass":
        lines.append(f"  rule: CR {result.rule}")
    if result.board:
        lines.append("  board:")
        lines.append(indented(result.board, "    "))
    if result.verdict != "pass" and result.verdict != "unsupported":
        lines.append(f"  alone: {command_alone(result, engine, fault)}")
    return "\n".join(lines)


def command_alone(result: CaseResult, engine: str, fault: str | None) -> str:
    """The command that runs one case alone."""
    command = f"judgecall run {_quoted(result.case)} --engine={_quoted(engine)}"
    return f"{command} --fault={_quoted(fault)}" if fault else command


def _quoted(text: str) -> str:
    return text if all(c.isalnum() or c in "_-./:=" for c in text) else "'" + text.replace("'", "'\\''") + "'"
