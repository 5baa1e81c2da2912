"""Playing many cases, one after another, and counting what comes of them."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from judgecall.harness.engines import Opened
from judgecall.harness.known import EXCUSED
from judgecall.harness.phrase import indented, many
from judgecall.harness.play import play
from judgecall.harness.release import file_digest
from judgecall.harness.side_by_side import each_in_order
from judgecall.harness.suite import Selected, case_results_of, load, suite_root
from judgecall.harness.verdicts import CaseResult, TraceEntry
from judgecall.schema.model import Case, Step

__all__ = ["Planned", "Tally", "command_alone", "plan", "report_text", "run"]


@dataclass(frozen=True, slots=True)
class Planned:
    """A case that is to be played, or one of a broken file with the result that it has already."""

    id: str
    digest: str
    """Of its file."""
    case: Case | None
    result: CaseResult | None = None


def plan(selected: Sequence[Selected], root: Path | None = None) -> list[Planned]:
    """Read the files selected. The cases of a broken file are ``invalid``, and the others are still to be played.

    ``root`` is the suite that files under it belong to; None: the installed one.

    Raises:
        NotFound: a case asked for by name is not there.
    """
    planned = []
    for loaded in load(selected, root):
        digest = file_digest(loaded.path)
        for result in case_results_of(loaded):
            planned.append(Planned(result.case, digest, None, replace(result, digest=digest)))
        planned += [Planned(case.id, digest, case) for case in loaded.cases]
    return planned


def run(planned: Sequence[Planned], opened: Opened, *, traced: bool = False) -> Iterator[CaseResult]:
    """Play cases; ``traced`` keeps the trace of an engine that has one.

    Raises:
        RunEnded: the engine failed too often; what was played has been given.
    """
    played = _traced if traced and "trace" in opened.description.capabilities else _played

    def one(each: Planned, engine: Opened) -> CaseResult:
        if each.case is None:
            assert each.result is not None
            return each.result
        return replace(played(each.case, engine), digest=each.digest)

    return each_in_order(planned, opened, one)


def _played(case: Case, opened: Opened) -> CaseResult:
    return play(case, opened.engine, opened.description, faulted=opened.fault is not None)


def _traced(case: Case, opened: Opened) -> CaseResult:
    """Play a case, and cut the engine's trace by its steps."""
    entries: list[TraceEntry] = []

    def take(step: int | None) -> None:
        lines = opened.engine.trace()
        entries.extend(TraceEntry(step, line.text, tuple(line.rules)) for line in lines[len(entries) :])

    def watch(index: int, step: Step) -> None:
        take(index + 1)

    faulted = opened.fault is not None
    result = play(case, opened.engine, opened.description, faulted=faulted, watch=watch)
    try:
        take(result.step)
    except Exception:
        # An engine that cannot say what it did has been judged all the same.
        return result
    return replace(result, trace=tuple(entries))


class Tally:
    """Counts of verdicts. Disputed and withdrawn cases are counted apart."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.apart: Counter[str] = Counter()
        self.known: Counter[str] = Counter()
        """How many of each verdict are known failures."""

    def add(self, result: CaseResult) -> None:
        """Count a result."""
        if result.status is not None:
            self.apart[result.status] += 1
            return
        self.counts[result.verdict] += 1
        if result.known is not None and result.verdict in EXCUSED:
            self.known[result.verdict] += 1

    @property
    def total(self) -> int:
        """How many cases were played."""
        return self.counts.total() + self.apart.total()

    def summary(self) -> str:
        """``43 cases: 38 passed, 2 failed (1 known), 3 unsupported; incomplete``."""
        words = (
            ("pass", "passed"),
            ("fail", "failed"),
            ("error", "ended in an error"),
            ("invalid", "invalid"),
            ("unsupported", "unsupported"),
        )
        parts = []
        for verdict, word in words:
            if self.counts[verdict]:
                known = f" ({self.known[verdict]} known)" if self.known[verdict] else ""
                parts.append(f"{self.counts[verdict]} {word}{known}")
        parts += [f"{number} {status} (not counted)" for status, number in self.apart.items()]
        text = ": ".join(filter(None, (many(self.total, "case"), ", ".join(parts))))
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
    if result.known:
        lines.append(f"  known failure: {result.known[0]}" + (f" ({result.known[1]})" if result.known[1] else ""))
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
