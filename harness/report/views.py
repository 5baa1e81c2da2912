"""What the pages show, as plain data for the templates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judgecall.harness.compare import Comparison
from judgecall.harness.matrix import FaultRow, Matrix
from judgecall.harness.phrase import value_text
from judgecall.harness.report.board import board_svg
from judgecall.harness.results import Results
from judgecall.harness.verdicts import VERDICTS, CaseResult, TraceEntry
from judgecall.schema.model import Answer, Case, Expectations, Source, Step
from markupsafe import Markup

__all__ = [
    "NOT_PLAYED",
    "SHOWN",
    "CaseView",
    "Cell",
    "Column",
    "ExpectView",
    "FaultView",
    "ProbeView",
    "Proof",
    "Row",
    "RulingView",
    "StepView",
    "TraceView",
    "case_view",
    "cell_of",
    "cells_of",
    "rule_key",
    "trace_views",
]

NOT_PLAYED = "not played"
SHOWN = ("pass", "fail", "error", "unsupported", "invalid", NOT_PLAYED)
"""Verdicts in the order in which pages show them, and what stands where there is none."""

_WORST = (*VERDICTS[:-1], NOT_PLAYED, "pass")


@dataclass(frozen=True, slots=True)
class Column:
    """An engine's results, beside others."""

    key: str
    title: str
    results: Results
    cases: Mapping[str, CaseResult]
    changes: tuple[Comparison, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """What an engine comes to on some cases that count."""

    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """How many cases there are."""
        return sum(self.counts.values())

    @property
    def passed(self) -> int:
        """How many of them pass."""
        return self.counts.get("pass", 0)

    @property
    def worst(self) -> str:
        """The verdict on all of them."""
        return min(self.counts, key=_WORST.index, default=NOT_PLAYED)

    @property
    def parts(self) -> list[tuple[str, int]]:
        """Verdicts that occur, with their numbers."""
        return [(verdict, self.counts[verdict]) for verdict in SHOWN if self.counts.get(verdict)]


def cell_of(verdicts: Iterable[str]) -> Cell:
    """Count verdicts."""
    return Cell(Counter(verdicts))


@dataclass(frozen=True, slots=True)
class StepView:
    """A step in words: who, what verb, on what, and the rest of it."""

    verb: str
    subject: str
    by: str
    details: tuple[tuple[str, str], ...]
    choices: tuple[str, ...]
    expect: ExpectView | None = None


@dataclass(frozen=True, slots=True)
class ProbeView:
    """A question of legality."""

    legal: bool
    step: StepView
    because: str | None
    at: str | None


@dataclass(frozen=True, slots=True)
class ExpectView:
    """What must hold: subjects with their properties, and questions of legality."""

    rows: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    probes: tuple[ProbeView, ...]


@dataclass(frozen=True, slots=True)
class TraceView:
    """The lines of a trace that belong to one step."""

    step: int | None
    lines: Sequence[TraceEntry]


@dataclass(frozen=True, slots=True)
class FaultView:
    """A rule broken on purpose."""

    number: int
    """Its place among all of them."""
    row: FaultRow


@dataclass(frozen=True, slots=True)
class CaseView:
    """A case, and what each engine did."""

    id: str
    name: str
    title: str
    status: str | None
    why: str | None
    since: str | None
    results: tuple[CaseResult | None, ...]
    """One a column."""
    digest: str = ""
    """Of the case's file in the suite."""
    board: Markup | None = None
    steps: tuple[StepView, ...] = ()
    expect: ExpectView | None = None
    trace: tuple[TraceView, ...] = ()
    traced_by: str = ""
    catches: tuple[FaultView, ...] = ()
    idle: str | None = None
    """Why it catches no fault, where it catches none."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A kill matrix, from the faults to the cases and back."""

    matrix: Matrix
    rules: tuple[tuple[str, tuple[FaultView, ...]], ...]
    """The faults of each rule, in the order of the book."""
    catches: Mapping[str, tuple[FaultView, ...]]
    idle: Mapping[str, str | None]

    @classmethod
    def of(cls, matrix: Matrix) -> Proof:
        """Look at a matrix from both sides."""
        rules: dict[str, list[FaultView]] = {}
        catches: dict[str, list[FaultView]] = {}
        for number, row in enumerate(sorted(matrix.faults, key=lambda row: (rule_key(row.rule), row.name)), start=1):
            view = FaultView(number, row)
            rules.setdefault(row.rule, []).append(view)
            for case in row.caught_by:
                catches.setdefault(case, []).append(view)
        return cls(
            matrix,
            tuple((rule, tuple(views)) for rule, views in rules.items()),
            {case: tuple(views) for case, views in catches.items()},
            {case.id: case.reason for case in matrix.idle},
        )


@dataclass(frozen=True, slots=True)
class Row:
    """What lists of rulings show of one."""

    id: str
    path: str
    """Of its page, under the site."""
    mechanic: str
    title: str
    rules: tuple[str, ...]
    cells: tuple[Cell, ...]
    """One a column."""
    cases: tuple[str, ...]
    apart: int
    """How many of its cases are disputed or withdrawn."""
    search: str
    """All that a search for it looks through."""
    in_suite: bool = True


@dataclass(frozen=True, slots=True)
class RulingView:
    """A ruling with its cases."""

    row: Row
    summary: Mapping[str, str]
    sources: tuple[Source, ...]
    cases: tuple[CaseView, ...]


def cells_of(cases: Sequence[CaseView], columns: int) -> tuple[Cell, ...]:
    """What each engine comes to on those of the cases that count."""
    counted = [case for case in cases if case.status is None]
    return tuple(
        cell_of(result.verdict if (result := case.results[i]) is not None else NOT_PLAYED for case in counted)
        for i in range(columns)
    )


def case_view(
    case: Case,
    digest: str,
    results: tuple[CaseResult | None, ...],
    trace: Sequence[TraceEntry],
    traced_by: str,
    proof: Proof | None,
) -> CaseView:
    """A case of the suite as a page shows it."""
    return CaseView(
        case.id,
        case.name,
        case.title,
        case.status,
        case.why,
        case.since,
        results,
        digest,
        board_svg(case.given),
        tuple(_step(step) for step in case.when),
        _expect(case.then),
        trace_views(trace),
        traced_by,
        proof.catches.get(case.id, ()) if proof else (),
        proof.idle.get(case.id) if proof else None,
    )


def trace_views(trace: Sequence[TraceEntry]) -> tuple[TraceView, ...]:
    """A trace, cut by its steps."""
    parts: list[tuple[int | None, list[TraceEntry]]] = []
    for entry in trace:
        if not parts or parts[-1][0] != entry.step:
            parts.append((entry.step, []))
        parts[-1][1].append(entry)
    return tuple(TraceView(step, lines) for step, lines in parts)


def _plain(value: Any) -> str:
    """A value without the quotes and brackets that only YAML needs."""
    if isinstance(value, str):
        return value
    if value == () or value == {}:
        return "nothing"
    if isinstance(value, tuple) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value_text(value)


def _step(step: Step) -> StepView:
    return StepView(
        step.verb,
        "" if step.subject is None else _plain(step.subject),
        step.by or "",
        tuple((key, _plain(value)) for key, value in step.args.items()),
        tuple(_answer(answer) for answer in step.choices),
        None if step.expect is None else _expect(step.expect),
    )


def _answer(answer: Answer) -> str:
    words = [f"{answer.by}: " if answer.by else "", f"{answer.kind} {_plain(answer.value)}"]
    words += [f", {key} {_plain(value)}" for key, value in answer.args.items()]
    if answer.options is not None:
        words.append(f" (on offer: {_plain(answer.options)})")
    if answer.excluded is not None:
        words.append(f" (not on offer: {_plain(answer.excluded)})")
    return "".join(words)


def _expect(expect: Expectations) -> ExpectView:
    rows = tuple(
        (each.subject, tuple((key, _plain(value)) for key, value in each.facts.items())) for each in expect.subjects
    )
    return ExpectView(
        rows,
        tuple(ProbeView(probe.legal, _step(probe.step), probe.because, probe.at) for probe in expect.probes),
    )


_RULE = re.compile(r"(\d+)(?:\.(\d+)([a-z]*))?")


def rule_key(rule: str) -> tuple[int, int, str, str]:
    """Rule numbers in the order of the book: 702.9b before 702.34a."""
    match = _RULE.match(rule)
    if match is None:
        return (10_000, 0, "", rule)
    return (int(match[1]), int(match[2] or 0), match[3] or "", rule)
