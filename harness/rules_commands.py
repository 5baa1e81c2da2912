"""``judgecall rules``: citations held against the Comprehensive Rules, and what a newer edition does to them."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from judgecall.harness.citations import Citation, citations, sources_of_citations
from judgecall.harness.phrase import many
from judgecall.harness.suite import NotFound
from judgecall.schema.comprehensive_rules import LOCK, Differences, current, differences, lock_text, read_edition
from judgecall.schema.errors import shown

__all__ = ["add_rules", "rules"]


def add_rules(commands: Any) -> None:
    """Add the command to the parser of ``judgecall``."""
    about = commands.add_parser("rules", help="hold citations against the Comprehensive Rules")
    which = about.add_subparsers(dest="which", required=True)
    paths = "a file or folder; without any: all of judgecall"

    checking = which.add_parser("check", help="find citations of what is no rule")
    checking.add_argument("paths", nargs="*", metavar="PATH", help=paths)

    comparing = which.add_parser("diff", help="tell what a newer edition changes, and who cites what it changes")
    comparing.add_argument("edition", metavar="NEW", help="its text, or a lock file")
    comparing.add_argument("paths", nargs="*", metavar="PATH", help=paths)

    locking = which.add_parser("lock", help="write down which rules an edition has, with digests of their texts")
    locking.add_argument("edition", metavar="TEXT", help="the Comprehensive Rules as published, a text file")
    locking.add_argument("-o", "--output", default=LOCK, metavar="FILE", help="default: %(default)s")


def rules(options: argparse.Namespace) -> int:
    """Run ``judgecall rules``; gives the exit code: 1 where a citation is of no rule, or of one that changes.

    Raises:
        EditionError: a file is no edition of the rules.
        NotFound: a path does not exist, or cannot be written to.
    """
    if options.which == "lock":
        return _lock(options.edition, Path(options.output))
    if options.which == "check":
        return _check(options.paths)
    return _diff(options.edition, options.paths)


def _lock(text: str, output: Path) -> int:
    edition = read_edition(text)
    try:
        output.write_text(lock_text(edition), encoding="utf-8", newline="\n")
    except OSError as error:
        raise NotFound(f"{output} cannot be written: {error.strerror}") from None
    print(f"{many(len(edition.rules), 'rule')} of {edition.date} in {output}")
    return 0


def _check(paths: list[str]) -> int:
    known = current().rules
    count = wrong = 0
    for citation in citations(sources_of_citations(paths)):
        count += 1
        if citation.rule not in known:
            wrong += 1
            print(f"{_place(citation)}: {shown(citation.rule)} is no rule of {current().date}")
    print(f"{many(count, 'citation')} of {many(len(known), 'rule')}, {wrong or 'none'} of them wrong")
    return 1 if wrong else 0


def _diff(path: str, paths: list[str]) -> int:
    old, new = current(), read_edition(path)
    found = differences(old, new)
    print(
        f"{old.date} to {new.date}: {many(len(found.renumbered), 'rule')} renumbered, {len(found.changed)} changed, "
        f"{len(found.removed)} removed, {len(found.added)} added"
    )
    cited = _by_rule(citations(sources_of_citations(paths)), found.affected)
    for rule, told in _told(found):
        print(f"{rule} {told}")
        for citation in cited.get(rule, ()):
            print(f"  {citation.kind} {_place(citation)}{f': {citation.by}' if citation.by else ''}")
    for rule in found.added:
        print(f"{rule} added")
    count = sum(map(len, cited.values()))
    told = f"{many(count, 'citation')} of {many(len(cited), 'rule')} to look at"
    print(told if count else "nothing that is cited is affected")
    return 1 if count else 0


def _told(found: Differences) -> Iterator[tuple[str, str]]:
    """What became of each rule that is affected."""
    yield from ((old, f"is now {new}") for old, new in found.renumbered.items())
    yield from ((rule, "changed") for rule in found.changed)
    yield from ((rule, "removed") for rule in found.removed)


def _by_rule(found: Iterable[Citation], wanted: Iterable[str]) -> dict[str, list[Citation]]:
    cited: dict[str, list[Citation]] = {}
    among = set(wanted)
    for citation in found:
        if citation.rule in among:
            cited.setdefault(citation.rule, []).append(citation)
    return cited


def _place(citation: Citation) -> str:
    path = citation.path
    here = Path.cwd()
    return f"{path.relative_to(here) if path.is_relative_to(here) else path}:{citation.line}"
