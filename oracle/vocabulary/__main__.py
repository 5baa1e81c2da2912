"""``python -m judgecall.oracle.vocabulary [KIND or WORD…]``: every word, what it takes and who uses it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from itertools import groupby

from judgecall.oracle.vocabulary.listing import Entry, entries


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the words that were asked for; 1 if there are none."""
    parser = argparse.ArgumentParser(
        prog="python -m judgecall.oracle.vocabulary",
        description="The words in which cards are defined: what they take, what they mean, how many cards use them.",
    )
    parser.add_argument("which", nargs="*", metavar="KIND|WORD", help="only these kinds of words, or these words")
    parser.add_argument("--rare", action="store_true", help="only words that at most one card uses, and why")
    options = parser.parse_args(arguments)
    shown = [
        entry
        for entry in entries()
        if (not options.which or entry.kind in options.which or entry.name in options.which)
        and (not options.rare or len(entry.cards) < 2)
    ]
    for kind, words in groupby(shown, key=lambda entry: entry.kind):
        of_kind = list(words)
        print(f"{kind}: {_many(len(of_kind), 'word')}")
        for entry in of_kind:
            print(_line(entry))
            print(f"      {entry.meaning}")
    return 0 if shown else 1


def _line(entry: Entry) -> str:
    users = _many(len(entry.cards), "card")
    if len(entry.cards) < 2:
        users = f"{', '.join(entry.cards) or users}; {entry.reason or 'no reason given'}"
    takes = f" {entry.parameters}" if entry.parameters else ""
    return f"  {entry.name}{takes}  ({users})"


def _many(count: int, what: str) -> str:
    return f"{count or 'no'} {what}{'' if count == 1 else 's'}"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        # The reader has seen enough; Python must not complain about it once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
