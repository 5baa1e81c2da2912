"""``judgecall coverage``: what of the rules, and of the published rulings, the cases cover."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from judgecall.harness import rule_coverage, ruling_coverage
from judgecall.harness.engines import DEFAULT_ENGINE, EngineProblem, open_engine
from judgecall.harness.suite import load, select
from judgecall.schema.rulings_dump import read_dump

__all__ = ["add_coverage", "coverage"]


def add_coverage(commands: Any, what: str) -> None:
    """Add the command to the parser of ``judgecall``; ``what`` says what names cases."""
    covering = commands.add_parser("coverage", help="tell what of the rules and of published rulings the cases cover")
    covering.add_argument("cases", nargs="*", metavar="ID|PATH", help=what)
    which = covering.add_mutually_exclusive_group(required=True)
    which.add_argument("--rules", action="store_true", help="which rules act in which cases, by an engine's traces")
    which.add_argument(
        "--rulings",
        metavar="FILE",
        help="which entries of a dump of rulings the cases cover: Scryfall's bulk rulings, MTGJSON's AtomicCards, "
        "or a list of objects with card, date and text; plain or gzip",
    )
    covering.add_argument("--engine", default=DEFAULT_ENGINE, metavar="NAME", help="for --rules; default: %(default)s")
    covering.add_argument("--json", action="store_true", help="for --rules: all cases of each rule, as JSON")
    covering.add_argument(
        "--top", type=int, default=20, metavar="N", help="how many of the texts that nothing covers (%(default)s)"
    )


def coverage(options: argparse.Namespace) -> int:
    """Run ``judgecall coverage``; gives the exit code: 1 where a case file names what its cases do not show.

    Raises:
        DumpError: the file is no dump of rulings.
        EngineProblem: there is no such engine, or it keeps no trace.
        NotFound: what was named is no case.
    """
    return _rules(options) if options.rules else _rulings(options)


def _rules(options: argparse.Namespace) -> int:
    selected = select(options.cases)
    opened = open_engine(options.engine)
    try:
        if "trace" not in opened.description.capabilities:
            raise EngineProblem(f"{opened.title} keeps no trace")
        found = rule_coverage.measure(selected, opened)
    finally:
        opened.close()
    if options.json:
        print(json.dumps({"rules": found.rules, "wrong": found.wrong}, ensure_ascii=False, indent=1))
    else:
        rule_coverage.tell(found, sys.stdout)
    return 1 if found.wrong else 0 if found.cases else 5


def _rulings(options: argparse.Namespace) -> int:
    loaded = list(load(select(options.cases)))
    found = ruling_coverage.measure(read_dump(options.rulings), loaded)
    ruling_coverage.tell(found, sys.stdout, max(options.top, 0))
    broken = [each.problem for each in loaded if each.problem is not None]
    for problem in broken:
        print(problem, file=sys.stderr)
    return 1 if broken else 0
