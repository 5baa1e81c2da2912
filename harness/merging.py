"""Results of the parts of one run as the results of the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from judgecall.harness.phrase import many
from judgecall.harness.results import Header, Results, ResultsError, selection_of
from judgecall.harness.verdicts import CaseResult

__all__ = ["merge"]


def merge(parts: Sequence[Results]) -> tuple[Header, tuple[CaseResult, ...], str]:
    """Put the shards of one run together; gives header, cases in order, and when the last of them ended.

    Raises:
        ResultsError: the files are not the shards of one run: another engine, suite or selection, a shard that is
            missing or there twice, a case that is missing, doubled or differs.
    """
    if not parts:
        raise ResultsError("nothing to merge")
    first = parts[0]
    for part in parts:
        _hold(first, part)
    cases: dict[str, tuple[CaseResult, Results]] = {}
    for part in parts:
        for result in part.cases:
            before = cases.get(result.case)
            if before is not None:
                what = "twice" if before[0] == result else "twice, and differs"
                raise ResultsError(f"the case {result.case} is there {what}: in {before[1].path} and {part.path}")
            cases[result.case] = (result, part)
    merged = tuple(cases[case][0] for case in sorted(cases))
    found = selection_of((result.case, result.digest) for result in merged)
    absent = _missing(parts)
    if absent:
        raise ResultsError(f"shard {', '.join(absent)} is missing")
    wanted = first.header.selection
    if found.cases != wanted.cases:
        raise ResultsError(f"of {many(wanted.cases, 'case')} selected the files have {found.cases}: some are missing")
    if found.digest != wanted.digest:
        raise ResultsError("the files have other cases than those that were selected, or other texts of them")
    environments: dict[tuple[tuple[str, str], ...], Mapping[str, str]] = {}
    for part in parts:
        for each in part.header.environments:
            environments.setdefault(tuple(sorted(each.items())), each)
    header = replace(
        first.header,
        shard=None,
        environments=tuple(environments.values()),
        started=min(part.header.started for part in parts),
    )
    return header, merged, max(part.finished for part in parts)


def _hold(first: Results, part: Results) -> None:
    """Refuse a file that is no shard of the same run as the first one."""
    ours, theirs = first.header, part.header
    if theirs.shard is None:
        if part is first:
            return
        raise ResultsError(f"{part.path} is no shard: it has the whole of its run")
    if ours.shard is None:
        raise ResultsError(f"{first.path} is no shard: it has the whole of its run")
    for what, mine, its in (
        ("engine", ours.engine, theirs.engine),
        ("suite", ours.suite_version, theirs.suite_version),
        ("suite's files", ours.suite_digest, theirs.suite_digest),
        ("edition of the rules", ours.comprehensive_rules, theirs.comprehensive_rules),
        ("case format", ours.case_format, theirs.case_format),
        ("protocol", ours.protocol, theirs.protocol),
        ("number of shards", ours.shard.total, theirs.shard.total),
        ("selection of cases", ours.selection, theirs.selection),
    ):
        if mine != its:
            raise ResultsError(f"{first.path} and {part.path} differ: another {what}")


def _missing(parts: Sequence[Results]) -> list[str]:
    """The shards that are not among these files."""
    shards = [part.header.shard for part in parts if part.header.shard is not None]
    there = {shard.number for shard in shards}
    total = shards[0].total if shards else 0
    return [f"{number}/{total}" for number in range(1, total + 1) if number not in there]
