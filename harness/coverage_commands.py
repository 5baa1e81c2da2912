"""``judgecall coverage``: what of the published rulings the cases cover."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from judgecall.harness.ruling_coverage import measure, tell
from judgecall.harness.suite import load, select
from judgecall.schema.rulings_dump import read_dump

__all__ = ["add_coverage", "coverage"]


def add_coverage(commands: Any, what: str) -> None:
    """Add the command to the parser of ``judgecall``; ``what`` says what names cases."""
    covering = commands.add_parser("coverage", help="tell what of the published rulings the cases cover")
    covering.add_argument("cases", nargs="*", metavar="ID|PATH", help=what)
    covering.add_argument(
        "--rulings",
        metavar="FILE",
        required=True,
        help="which entries of a dump of rulings the cases cover: Scryfall's bulk rulings, MTGJSON's AtomicCards, "
        "or a list of objects with card, date and text; plain or gzip",
    )
    covering.add_argument(
        "--top", type=int, default=20, metavar="N", help="how many of the texts that nothing covers (%(default)s)"
    )


def coverage(options: argparse.Namespace) -> int:
    """Run ``judgecall coverage``; gives the exit code.

    Raises:
        DumpError: the file is no dump of rulings.
        NotFound: what was named is no case.
    """
    loaded = list(load(select(options.cases)))
    tell(measure(read_dump(options.rulings), loaded), sys.stdout, max(options.top, 0))
    for each in loaded:
        if each.problem is not None:
            print(each.problem, file=sys.stderr)
    return 1 if any(each.problem is not None for each in loaded) else 0
