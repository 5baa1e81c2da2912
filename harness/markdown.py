"""What a run came to, in Markdown, for the page of a CI job."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from judgecall.harness.compare import Comparison
from judgecall.harness.runner import Tally
from judgecall.harness.verdicts import CaseResult

__all__ = ["code", "comparison_summary", "summary"]

_SHOWN = 50
_LONGEST = 300
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]+")


def code(text: str, longest: int = _LONGEST) -> str:
    """Any text as a span of code in a cell of a table: nothing in it can become markup."""
    text = _CONTROL.sub(" ", text).strip()
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    text = text.replace("|", "\\|")
    longest_run = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest_run + 1)
    pad = " " if text.startswith("`") or text.endswith("`") or not text else ""
    return f"{fence}{pad}{text or ' '}{pad}{fence}"


def summary(engine: str, results: Sequence[CaseResult], lacking: Sequence[str]) -> str:
    """The summary of a run; ``lacking`` says what is missing, see `judgecall.harness.enough.shortfalls`."""
    tally = Tally()
    for result in results:
        tally.add(result)
    lines = [
        f"## judgecall: {code(engine)}",
        "",
        f"**{'not as required' if lacking else 'as required' if results else 'nothing run'}**: {tally.summary()}",
        "",
    ]
    lines += [f"- {code(reason)}" for reason in lacking]
    if lacking:
        lines.append("")
    lines += [*_mechanics(results), ""]
    for title, verdicts in (("Failing", ("invalid", "fail", "error")), ("Unsupported", ("unsupported",))):
        found = [result for result in results if result.verdict in verdicts and result.counts]
        if found:
            lines += [*_cases(title, found), ""]
    return "\n".join(lines) + "\n"


def comparison_summary(comparison: Comparison) -> str:
    """What changed since other results."""
    lines = [
        f"### {code(comparison.before)} → {code(comparison.after)}",
        "",
        comparison.summary,
        "",
    ]
    for title, changes in (("Worse", comparison.worse), ("Better", comparison.better)):
        if changes:
            lines += [f"<details><summary>{title}: {len(changes)}</summary>", "", "| case | before | now |"]
            lines.append("|---|---|---|")
            lines += [f"| {code(each.case)} | {each.before} | {each.after} |" for each in changes[:_SHOWN]]
            lines += [*_more(len(changes)), "", "</details>", ""]
    return "\n".join(lines) + "\n"


def _mechanics(results: Sequence[CaseResult]) -> Iterator[str]:
    """Passes out of all, by folder of the suite."""
    folders: dict[str, Tally] = {}
    for result in results:
        folders.setdefault(result.case.partition("/")[0], Tally()).add(result)
    yield "| mechanic | passed | failing | unsupported |"
    yield "|---|---:|---:|---:|"
    for folder, tally in sorted(folders.items()):
        counts = tally.counts
        failing = counts["fail"] + counts["error"] + counts["invalid"]
        yield f"| {code(folder)} | {counts['pass']}/{counts.total()} | {failing} | {counts['unsupported']} |"


def _cases(title: str, results: Sequence[CaseResult]) -> Iterator[str]:
    yield f"<details><summary>{title}: {len(results)}</summary>"
    yield ""
    yield "| case | verdict | why |"
    yield "|---|---|---|"
    for result in results[:_SHOWN]:
        known = " (known)" if result.known else ""
        yield f"| {code(result.case)} | {result.verdict}{known} | {code(result.message)} |"
    yield from _more(len(results))
    yield ""
    yield "</details>"


def _more(count: int) -> Iterator[str]:
    if count > _SHOWN:
        yield f"| and {count - _SHOWN} more | | |"
