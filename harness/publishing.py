"""The commands that come after a run: merge, certify, verify, badge, report, diff, summary, changes."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from judgecall.harness.enough import shortfalls
from judgecall.harness.phrase import many
from judgecall.harness.release import ALL, case_set, release
from judgecall.harness.results import ResultsError, read_results, write_results
from judgecall.harness.running import Usage, add_demands, demand_of, required_cases

__all__ = ["add_publishing", "publish"]

_RESULTS = "a results file, of 'judgecall run --results' or 'pytest --judgecall-results'"


def add_publishing(commands: Any) -> None:
    """Add the commands' parsers to the sub-parsers of ``judgecall``."""
    merging = commands.add_parser("merge", help="put the shards of a run together")
    merging.add_argument("results", nargs="+", metavar="RESULTS", help=_RESULTS)
    merging.add_argument("-o", "--output", required=True, metavar="FILE", help="the results file to write")
    add_demands(merging)

    certifying = commands.add_parser("certify", help="make a certificate of a results file")
    certifying.add_argument("results", metavar="RESULTS", help=_RESULTS)
    certifying.add_argument("--profile", default=ALL, metavar="NAME", help="default: %(default)s")
    certifying.add_argument("-o", "--output", default="-", metavar="FILE", help="default: print it")

    verifying = commands.add_parser("verify", help="check a certificate, without the engine or any network")
    verifying.add_argument("certificate", metavar="CERTIFICATE")
    verifying.add_argument("--results", metavar="RESULTS", help="the results file that it was made of")

    badging = commands.add_parser("badge", help="make badges of a certificate: SVG, and JSON for shields")
    badging.add_argument("certificate", metavar="CERTIFICATE")
    badging.add_argument("-o", "--output", default="badges", metavar="DIR", help="default: %(default)s")

    reporting = commands.add_parser("report", help="build a site of results")
    reporting.add_argument("results", nargs="+", metavar="RESULTS", help=_RESULTS)
    reporting.add_argument("-o", "--output", required=True, metavar="DIR", help="the folder to write")
    reporting.add_argument(
        "--since", action="append", default=[], metavar="RESULTS", help="older results to compare with (repeatable)"
    )
    reporting.add_argument("--matrix", metavar="MATRIX", help="what 'judgecall prove -o' wrote: show who catches what")
    reporting.add_argument("--no-trace", action="store_true", help="do not play the cases on the oracle for its trace")

    comparing = commands.add_parser("diff", help="what got better and worse from one results file to another")
    comparing.add_argument("old", metavar="OLD", help=_RESULTS)
    comparing.add_argument("new", metavar="NEW", help=_RESULTS)

    summing = commands.add_parser("summary", help="a summary of results in Markdown")
    summing.add_argument("results", metavar="RESULTS", help=_RESULTS)
    summing.add_argument("--since", metavar="RESULTS", help="older results to compare with")

    changing = commands.add_parser("changes", help="which cases came and went since an older suite, in Markdown")
    changing.add_argument("old", metavar="CASES", help="what 'judgecall list --json' of the older suite printed")


def publish(options: argparse.Namespace) -> int:
    """Carry out one of these commands; gives the exit code.

    Raises:
        NotFound, ResultsError, Usage: in words.
    """
    from judgecall.harness.certificate import CertificateError

    commands: Mapping[str, Callable[[argparse.Namespace], int]] = {
        "merge": _merge,
        "certify": _certify,
        "verify": _verify,
        "badge": _badge,
        "report": _report,
        "diff": _diff,
        "summary": _summary,
        "changes": _changes,
    }
    try:
        return commands[options.command](options)
    except CertificateError as problem:
        print(f"judgecall: error: {problem}", file=sys.stderr)
        return 1


def _merge(options: argparse.Namespace) -> int:
    from judgecall.harness.merging import merge

    demand = demand_of(options)
    required = required_cases(demand.profiles)
    header, cases, finished = merge([read_results(path) for path in options.results])
    write_results(options.output, header, cases, finished)
    print(f"{options.output}: {many(len(cases), 'case')} of {header.engine.title}")
    if not demand.relaxed:
        return 0
    lacking = shortfalls(cases, demand, required)
    for reason in lacking:
        print(f"  {reason}")
    return 1 if lacking else 0


def _certify(options: argparse.Namespace) -> int:
    from judgecall.harness.certificate import certify, counts_in, statement_text

    statement = certify(read_results(options.results), case_set(), release(), options.profile)
    text = statement_text(statement)
    if options.output == "-":
        print(text, end="")
        return 0
    _write(Path(options.output), text)
    for name, counts in counts_in(statement).items():
        print(f"{name}: {_told(counts)}")
    return 0


def _told(counts: Mapping[str, Any]) -> str:
    parts = [f"{counts['passed']}/{many(counts['cases'], 'case')}"]
    words = (("failing", "failing"), ("errors", "with errors"), ("unsupported", "unsupported"))
    parts += [f"{counts[key]} {word}" for key, word in (*words, ("notPlayed", "not played")) if counts[key]]
    return f"{'certified' if counts['certified'] else 'not certified'}, {', '.join(parts)}"


def _verify(options: argparse.Namespace) -> int:
    from judgecall.harness.certificate import counts_in
    from judgecall.harness.verify import NOT_PROVED, PROVED, facts_of, read_statement, verify

    statement = read_statement(options.certificate)
    results = read_results(options.results) if options.results else None
    checks = verify(statement, case_set(), release(), results)
    for check in checks:
        mark = {True: "ok  ", False: "NO  ", None: "--  "}[check.holds]
        print(mark + check.text)
    if any(check.holds is False for check in checks):
        print(f"{options.certificate} does not hold: do not trust it")
        return 1
    own = facts_of(statement)
    engine = f"{own['engine']['name']} {own['engine']['version']}".strip()
    fault = f" with fault {own['engine']['fault']}" if "fault" in own["engine"] else ""
    print(f"\n{engine}{fault} on suite {own['suite']['version']}, Comprehensive Rules of {own['comprehensiveRules']}")
    for name, counts in counts_in(statement).items():
        print(f"  {name}: {_told(counts)}")
    print("\nThis shows that")
    for line in PROVED:
        print(f"  {line}")
    print("It does not show")
    for line in NOT_PROVED:
        print(f"  {line}")
    return 0


def _badge(options: argparse.Namespace) -> int:
    from judgecall.harness.badge import badge
    from judgecall.harness.certificate import CertificateError, counts_in
    from judgecall.harness.verify import facts_of, read_statement, verify

    statement = read_statement(options.certificate)
    for check in verify(statement, case_set(), release()):
        if check.holds is False:
            raise CertificateError(f"{options.certificate} does not hold, so it gets no badge: not {check.text}")
    engine = facts_of(statement)["engine"]
    folder = Path(options.output)
    for name, counts in counts_in(statement).items():
        made = badge(name, counts, f"{engine['name']} {engine['version']}".strip())
        _write(folder / f"{name}.svg", made.svg())
        _write(folder / f"{name}.json", made.endpoint())
        print(f"{folder / name}.svg: {made.label}: {made.message}")
    return 0


def _report(options: argparse.Namespace) -> int:
    from judgecall.harness.matrix import read_matrix
    from judgecall.harness.report import build

    engines = [read_results(path) for path in options.results]
    older = [read_results(path) for path in options.since]
    matrix = read_matrix(options.matrix) if options.matrix else None
    pages = build(engines, Path(options.output), older=older, matrix=matrix, trace=not options.no_trace, tell=_tell)
    print(f"{options.output}: {many(pages, 'page')}; open {Path(options.output) / 'index.html'}")
    return 0


def _tell(text: str) -> None:
    print(f"judgecall: {text}", file=sys.stderr)


def _diff(options: argparse.Namespace) -> int:
    from judgecall.harness.compare import compare, comparison_text

    comparison = compare(read_results(options.old), read_results(options.new))
    print(comparison_text(comparison), end="")
    return 1 if comparison.worse else 0


def _summary(options: argparse.Namespace) -> int:
    from judgecall.harness.compare import compare
    from judgecall.harness.enough import Demand
    from judgecall.harness.markdown import comparison_summary, summary

    results = read_results(options.results)
    title = results.header.engine.title
    print(summary(title, results.cases, shortfalls(results.cases, Demand(), {})), end="")
    if options.since:
        print(comparison_summary(compare(read_results(options.since), results)), end="")
    return 0


def _changes(options: argparse.Namespace) -> int:
    from judgecall.harness.changes import changes_text, listed

    try:
        old = json.loads(Path(options.old).read_bytes())
    except (OSError, ValueError) as error:
        raise Usage(f"{options.old} cannot be read: {error}") from None
    print(changes_text(listed(old, options.old), case_set().members), end="")
    return 0


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise ResultsError(f"{path} cannot be written: {error.strerror}") from None
