"""``judgecall run``: play cases, tell what comes of them, keep the results, and say whether it is enough."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TextIO

from judgecall.harness import suite
from judgecall.harness.engines import DEFAULT_ENGINE, Opened, open_engine
from judgecall.harness.enough import Demand, shortfalls
from judgecall.harness.identity import environment, identify
from judgecall.harness.known import Known, entries_text, read_known
from judgecall.harness.progress import Progress
from judgecall.harness.release import case_set, release, suite_digest
from judgecall.harness.results import Header, Recorder, ResultsError, now, portable, selection_of
from judgecall.harness.runner import Planned, Tally, command_alone, plan, report_text, run
from judgecall.harness.shards import Shard
from judgecall.harness.verdicts import CaseResult

__all__ = ["Usage", "add_demands", "add_run", "demand_of", "header_of", "play_all", "required_cases"]


class Usage(Exception):
    """Options that do not go together."""


def add_run(parser: argparse.ArgumentParser) -> None:
    """Give a parser the options of ``judgecall run``."""
    parser.add_argument("--engine", default=DEFAULT_ENGINE, metavar="NAME", help="default: %(default)s")
    parser.add_argument("--fault", metavar="NAME", help="break one rule of the engine on purpose")
    parser.add_argument("--results", metavar="FILE", help="write the results file: a line of JSON for each case")
    parser.add_argument("--trace", action="store_true", help="with the trace of an engine that keeps one")
    parser.add_argument(
        "--engine-file", action="append", default=[], metavar="FILE", help="state this file's digest (repeatable)"
    )
    parser.add_argument("--shard", metavar="I/N", help="play one part of the cases: 3/8")
    parser.add_argument("--known-failures", metavar="FILE", help="a list of cases that are known not to pass")
    parser.add_argument("--write-known-failures", action="store_true", help="print such a list of what does not pass")
    parser.add_argument("--summary", metavar="FILE", help="append a summary in Markdown")
    parser.add_argument("-q", "--quiet", action="store_true", help="only the summary")
    add_demands(parser)


def add_demands(parser: argparse.ArgumentParser) -> None:
    """Give a parser the options that say what is enough."""
    parser.add_argument(
        "--require", action="append", default=[], metavar="PROFILE", help="all of a profile must pass (repeatable)"
    )
    parser.add_argument("--min-passing", type=int, metavar="N", help="so many cases must pass")
    parser.add_argument("--allow-unsupported", action="store_true", help="what is unsupported is no shortfall")


def demand_of(options: argparse.Namespace) -> Demand:
    """What the options say is enough."""
    return Demand(tuple(options.require), options.min_passing, options.allow_unsupported)


def required_cases(profiles: Sequence[str], shard: Shard | None = None) -> dict[str, Collection[str]]:
    """The ids of each profile's cases that count, as far as they are in a shard.

    Raises:
        NotFound: there is no such profile.
    """
    chosen = [release().profile(name) for name in profiles]
    if not chosen:
        return {}
    members = case_set()
    return {
        profile.name: [
            id_
            for id_, member in sorted(members.of(profile).items())
            if member.status is None and (shard is None or shard.has(id_))
        ]
        for profile in chosen
    }


def header_of(
    opened: Opened,
    cases: Iterable[tuple[str, str]],
    shard: Shard | None,
    files: Sequence[str] = (),
) -> Header:
    """The header of a run that begins now; ``cases``: ids and digests of the selection before sharding.

    Raises:
        EngineProblem: one of the engine's files cannot be read.
    """
    facts = release()
    return Header(
        suite_version=facts.version,
        suite_digest=suite_digest(),
        comprehensive_rules=facts.comprehensive_rules,
        case_format=facts.case_format,
        protocol=facts.protocol,
        engine=identify(opened, files),
        selection=selection_of(cases),
        environments=(environment(),),
        started=now(),
        shard=shard,
    )


def play_all(options: argparse.Namespace) -> int:
    """Carry out ``judgecall run``; gives the exit code.

    Raises:
        NotFound, EngineProblem, KnownProblem, ResultsError, ShardProblem, Usage: wrong usage, in words.
    """
    shard = Shard.parse(options.shard) if options.shard else None
    demand = demand_of(options)
    if shard is not None and demand.min_passing is not None:
        raise Usage("--min-passing counts a whole run: give it to 'judgecall merge', not to a shard")
    required = required_cases(demand.profiles, shard)
    known = read_known(options.known_failures) if options.known_failures else None
    everything = plan(suite.select(options.cases))
    if known is not None:
        _hold(known, everything)
    if options.results:
        _refuse_doubles(everything)
    planned = [each for each in everything if shard is None or shard.has(each.id)]
    out = sys.stderr if options.write_known_failures else sys.stdout
    opened = open_engine(options.engine, options.fault)
    try:
        with contextlib.ExitStack() as stack:
            recorder = None
            if options.results:
                selected = [(each.id, each.digest) for each in everything]
                header = header_of(opened, selected, shard, options.engine_file)
                recorder = Recorder(options.results, header)
                stack.callback(recorder.close)
            results = _play(planned, opened, known, recorder, options, out)
            if recorder is not None:
                recorder.finish()
    finally:
        problem = opened.close()
        if problem is not None:
            print(f"judgecall: after the last case: {problem}", file=sys.stderr)
    return _conclude(results, opened, demand, required, options, out)


def _play(
    planned: Sequence[Planned],
    opened: Opened,
    known: Known | None,
    recorder: Recorder | None,
    options: argparse.Namespace,
    out: TextIO,
) -> list[CaseResult]:
    progress = Progress(len(planned), quiet=options.quiet)
    shown = _Shown(opened)
    results = []
    try:
        for result in run(planned, opened, traced=options.trace):
            if known is not None:
                result = known.mark(result)
            results.append(result)
            if recorder is not None:
                recorder.add(portable(result))
            if not options.quiet and (result.verdict != "pass" or result.status):
                progress.clear()
                print(shown(result), file=out)
            progress(result.verdict, result.case)
    finally:
        progress.clear()
    return results


def _conclude(
    results: Sequence[CaseResult],
    opened: Opened,
    demand: Demand,
    required: dict[str, Collection[str]],
    options: argparse.Namespace,
    out: TextIO,
) -> int:
    """Tell what the run came to; gives the exit code."""
    tally = Tally()
    for result in results:
        tally.add(result)
    print(f"{opened.title}: {tally.summary()}", file=out)
    lacking = shortfalls(results, demand, required)
    for reason in lacking:
        if not options.quiet and (demand.relaxed or "known failure" in reason):
            print(f"  {reason}", file=out)
    if options.write_known_failures:
        print(entries_text(results), end="")
    if options.summary:
        from judgecall.harness.markdown import summary

        _append(options.summary, summary(opened.title, results, lacking))
    if not results:
        return 5
    return 1 if lacking else 0


def _append(path: str, text: str) -> None:
    try:
        with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as error:
        raise Usage(f"{path} cannot be written: {error.strerror}") from None


def _hold(known: Known, planned: Sequence[Planned]) -> None:
    """Refuse a list with entries that mean no case, neither of this run nor of the suite."""
    played = {each.id for each in planned}
    if known.unmatched(played):
        stale = known.unmatched(played | set(case_set().members))
        if stale:
            raise Usage("; ".join(stale))


def _refuse_doubles(planned: Sequence[Planned]) -> None:
    seen: dict[str, Planned] = {}
    for each in planned:
        if seen.setdefault(each.id, each) is not each:
            raise ResultsError(f"the case {each.id} is in two of the files: results have each case once")


class _Shown:
    """Reports of one run: what is wrong with a file is told once, and not for each of its cases."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._messages: set[str] = set()

    def __call__(self, result: CaseResult) -> str:
        if result.verdict == "unsupported" and result.counts:
            return report_text(result)
        if not result.board and result.message in self._messages:
            result = replace(result, message="as above")
        self._messages.add(result.message)
        return report_text(result, command_alone(result, self._opened)) + "\n"
