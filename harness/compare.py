"""Two results files beside each other: what got better, what got worse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judgecall.harness.results import Results
from judgecall.harness.verdicts import CaseResult

__all__ = ["Change", "Comparison", "compare", "comparison_text"]


@dataclass(frozen=True, slots=True)
class Change:
    """A case that came to something else than before."""

    case: str
    title: str
    before: str
    after: str
    message: str = ""
    other_text: bool = False
    """The case itself is not what it was."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed from one results file to another."""

    before: str
    """Who was judged before: engine, and suite."""
    after: str
    worse: tuple[Change, ...] = ()
    """Passed, and does not any more."""
    better: tuple[Change, ...] = ()
    """Did not pass, and does now."""
    otherwise: tuple[Change, ...] = ()
    """Passed neither before nor now, for another reason."""
    new: tuple[CaseResult, ...] = ()
    gone: tuple[CaseResult, ...] = ()
    unchanged: int = 0

    @property
    def summary(self) -> str:
        """``2 better, 1 worse, 0 otherwise, 3 new, 0 gone, 154 unchanged``."""
        return (
            f"{len(self.better)} better, {len(self.worse)} worse, {len(self.otherwise)} otherwise, "
            f"{len(self.new)} new, {len(self.gone)} gone, {self.unchanged} unchanged"
        )


def compare(old: Results, new: Results) -> Comparison:
    """Compare the verdicts of two files. Cases that count for nothing in either are left out."""
    before = {result.case: result for result in old.cases}
    after = {result.case: result for result in new.cases}
    worse: list[Change] = []
    better: list[Change] = []
    otherwise: list[Change] = []
    unchanged = 0
    for case in sorted(before.keys() & after.keys()):
        one, two = before[case], after[case]
        if not two.counts:
            continue
        if one.verdict == two.verdict:
            unchanged += 1
            continue
        change = Change(case, two.title, one.verdict, two.verdict, two.message, one.digest != two.digest)
        if two.verdict == "pass":
            better.append(change)
        else:
            (worse if one.verdict == "pass" else otherwise).append(change)
    return Comparison(
        _title(old),
        _title(new),
        tuple(worse),
        tuple(better),
        tuple(otherwise),
        tuple(after[case] for case in sorted(after.keys() - before.keys())),
        tuple(before[case] for case in sorted(before.keys() - after.keys())),
        unchanged,
    )


def _title(results: Results) -> str:
    header = results.header
    return f"{header.engine.title} on suite {header.suite_version}"


def comparison_text(comparison: Comparison) -> str:
    """The comparison for a terminal: what got worse comes first."""
    lines = [f"{comparison.before} → {comparison.after}", comparison.summary]
    for title, changes in (
        ("worse", comparison.worse),
        ("better", comparison.better),
        ("otherwise", comparison.otherwise),
    ):
        lines += _section(title, [_change(change) for change in changes])
    for title, results in (("new", comparison.new), ("gone", comparison.gone)):
        lines += _section(title, [f"{result.case}: {result.verdict}" for result in results])
    return "\n".join(lines) + "\n"


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"\n{title}"
        yield from (f"  {line}" for line in lines)


def _change(change: Change) -> str:
    text = f"{change.case}: {change.before} → {change.after}"
    if change.other_text:
        text += " (the case has changed)"
    message = " ".join(change.message.split())
    return f"{text}: {message}" if message else text
