"""Which published rulings the case files cover, told by digests from a dump that the caller has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TextIO

from judgecall.harness.phrase import many
from judgecall.harness.suite import Loaded
from judgecall.schema.rulings_dump import Entry

__all__ = ["RulingCoverage", "measure", "tell"]

LONGEST_TEXT = 400


@dataclass(frozen=True, slots=True)
class RulingCoverage:
    """What a dump has, and what of it the case files cover."""

    entries: int
    cards: int
    texts: int
    covered: int
    """Entries whose text is a source of a case file."""
    covered_cards: int
    covered_texts: int
    known: int
    """Texts whose digests the case files have, in the dump or not."""
    rulings: tuple[tuple[str, int, int], ...]
    """Each ruling with published sources: its id, the entries that it covers, their cards."""
    missing: tuple[tuple[str, int], ...]
    """Texts that nothing covers, with their entries, the most repeated first."""


def measure(entries: Sequence[Entry], loaded: Iterable[Loaded]) -> RulingCoverage:
    """Match a dump to case files: an entry is covered where the digest of its text is among a file's sources."""
    of_ruling = {
        each.ruling.id: {source.digest for source in each.ruling.sources} for each in loaded if each.ruling is not None
    }
    known = frozenset().union(*of_ruling.values())
    covered = [entry for entry in entries if entry.digest in known]
    texts: dict[str, str] = {}
    for entry in entries:
        texts.setdefault(entry.digest, entry.text)
    missing = Counter(entry.digest for entry in entries if entry.digest not in known)
    rows = []
    for ruling, digests in of_ruling.items():
        own = [entry for entry in covered if entry.digest in digests]
        rows.append((ruling, len(own), _cards(own)))
    return RulingCoverage(
        entries=len(entries),
        cards=_cards(entries),
        texts=len(texts),
        covered=len(covered),
        covered_cards=_cards(covered),
        covered_texts=len({entry.digest for entry in covered}),
        known=len(known),
        rulings=tuple(rows),
        missing=tuple((texts[each], count) for each, count in missing.most_common()),
    )


def _cards(entries: Iterable[Entry]) -> int:
    return len({entry.card for entry in entries})


def tell(found: RulingCoverage, out: TextIO, most: int) -> None:
    """Write it down, with the ``most`` repeated texts that nothing covers."""
    covering = [row for row in found.rulings if row[1]]
    out.write(
        f"{_shown(found.entries, found.cards, found.texts)}\n"
        f"covered: {_shown(found.covered, found.covered_cards, found.covered_texts)}, "
        f"by {len(covering)} of {many(len(found.rulings), 'ruling')} with {many(found.known, 'text')}\n"
    )
    width = max((len(row[0]) for row in covering), default=0)
    for ruling, entries, cards in sorted(covering, key=lambda row: (-row[1], row[0])):
        out.write(f"  {ruling:<{width}}  {many(entries, 'entry', 'entries'):>14} of {many(cards, 'card')}\n")
    if found.missing and most:
        out.write(f"not covered, the most repeated of {many(len(found.missing), 'text')}:\n")
    for text, entries in found.missing[:most]:
        out.write(f"  {entries:6}  {_plain(text)}\n")


def _shown(entries: int, cards: int, texts: int) -> str:
    return f"{many(entries, 'entry', 'entries')} of {many(cards, 'card')}, {many(texts, 'text')}"


def _plain(text: str) -> str:
    """A text of somebody's file on one line: a terminal must not obey it."""
    line = "".join(each if each.isprintable() else " " for each in text[: LONGEST_TEXT + 1])
    return line if len(line) <= LONGEST_TEXT else line[:LONGEST_TEXT] + "…"
