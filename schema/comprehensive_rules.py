"""An edition of the Comprehensive Rules as numbers with digests: which rules there are, without what they say.

``comprehensive-rules.lock`` is the edition that the suite follows. Its first line says since when the edition is
effective, each other one is a rule's number and the digest of its text. Chapters and sections are rules, too, whose
text is their heading; the text of a rule takes its Examples with it.

>>> edition = of_text("These rules are effective as of June 19, 2026.\\n\\n601.2. One procedure.\\n\\nGlossary\\n")
>>> edition.date, list(edition.rules)
('2026-06-19', ['601.2'])
"""

from __future__ import annotations

import importlib.resources
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from judgecall.schema.digest import digest
from judgecall.schema.errors import shown

__all__ = [
    "LOCK",
    "Differences",
    "Edition",
    "EditionError",
    "current",
    "differences",
    "lock_text",
    "of_lock",
    "of_text",
    "read_edition",
]

LOCK = "comprehensive-rules.lock"
MAX_BYTES = 16 * 1024 * 1024

_HEADER = "comprehensive rules "
_LOCKED = re.compile(r"([1-9]|[1-9]\d\d(?:\.\d{1,3}[a-z]?)?) (sha256:[0-9a-f]{64})\Z", re.ASCII)
_RULE = re.compile(r"(?:([1-9]\d\d\.\d{1,3}[a-z]?)\.?|([1-9]\d\d|[1-9])\.)\s+(\S.*)", re.ASCII)
_EFFECTIVE = re.compile(r"effective as of ([A-Z][a-z]+) (\d{1,2}), (\d{4})", re.ASCII)
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


class EditionError(ValueError):
    """A file is no edition of the Comprehensive Rules."""


@dataclass(frozen=True, slots=True)
class Edition:
    """The numbers of an edition's rules, in its order, each with the digest of its text."""

    date: str
    """Since when it is effective: ``2026-06-19``."""
    rules: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Differences:
    """What became of the rules of one edition in another, by number."""

    renumbered: Mapping[str, str]
    """The same text under another number."""
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    """The text is nowhere any more, and the number is gone or another rule's."""
    added: tuple[str, ...]
    """Numbers of the newer edition."""

    @property
    def affected(self) -> tuple[str, ...]:
        """The numbers of the older edition that no longer mean what they meant."""
        return (*self.renumbered, *self.changed, *self.removed)


def of_text(text: str, path: str = "the text") -> Edition:
    """Read the published text of an edition; ``path`` is for messages.

    Raises:
        EditionError: it has no date or no rules, or one number twice.
    """
    effective = _EFFECTIVE.search(text)
    if effective is None or effective[1] not in _MONTHS:
        raise EditionError(f"{path} does not say since when its rules are effective; expected the Comprehensive Rules")
    date = f"{effective[3]}-{_MONTHS.index(effective[1]) + 1:02}-{int(effective[2]):02}"
    found: dict[str, list[str]] = {}
    under: list[str] | None = None
    for line in _body([line.strip() for line in text.splitlines()]):
        rule = _RULE.match(line)
        if rule is None:
            if under is not None:
                under.append(line)
            continue
        number = rule[1] or rule[2]
        if number in found:
            raise EditionError(f"{path} has two rules {number}")
        under = found[number] = [rule[3]]
    if not found:
        raise EditionError(f"{path} has no rules in it")
    return Edition(date, MappingProxyType({number: digest(" ".join(lines)) for number, lines in found.items()}))


def _body(lines: Sequence[str]) -> Sequence[str]:
    """The rules, without the table of contents before them and the glossary behind."""
    start = 0
    if "Contents" in lines and "Credits" in lines[lines.index("Contents") :]:
        start = lines.index("Credits", lines.index("Contents")) + 1
    end = lines.index("Glossary", start) if "Glossary" in lines[start:] else len(lines)
    return lines[start:end]


def of_lock(text: str, path: str = LOCK) -> Edition:
    """Read what `lock_text` has written; ``path`` is for messages.

    Raises:
        EditionError: it is not written so.
    """
    header, *lines = text.splitlines() or [""]
    if not re.fullmatch(_HEADER + r"\d{4}-\d\d-\d\d", header, re.ASCII):
        raise EditionError(f"{path}:1: found {shown(header)}; expected '{_HEADER}' and a date")
    rules: dict[str, str] = {}
    for number, line in enumerate(lines, 2):
        locked = _LOCKED.match(line)
        if locked is None:
            raise EditionError(f"{path}:{number}: found {shown(line)}; expected a rule's number and a digest")
        if locked[1] in rules:
            raise EditionError(f"{path}:{number}: the rule {locked[1]} is there twice")
        rules[locked[1]] = locked[2]
    return Edition(header.removeprefix(_HEADER), MappingProxyType(rules))


def lock_text(edition: Edition) -> str:
    """Give an edition as the text of a lock file, a line a rule."""
    lines = [_HEADER + edition.date, *(f"{number} {text}" for number, text in edition.rules.items())]
    return "".join(f"{line}\n" for line in lines)


def read_edition(path: str | os.PathLike[str]) -> Edition:
    """Read an edition from its published text or from a lock file.

    Raises:
        EditionError: the file cannot be read, or is neither.
    """
    shown_path = os.fspath(path)
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise EditionError(f"{shown_path} cannot be read: {reason}") from None
    if len(data) > MAX_BYTES:
        raise EditionError(f"{shown_path} is larger than {MAX_BYTES} bytes; expected the Comprehensive Rules")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise EditionError(f"{shown_path} is not in UTF-8, from byte {error.start} on") from None
    return of_lock(text, shown_path) if text.startswith(_HEADER) else of_text(text, shown_path)


@cache
def current() -> Edition:
    """The edition that the suite and the oracle follow.

    Raises:
        EditionError: the installed lock file is damaged.
    """
    return of_lock(importlib.resources.files("judgecall.schema").joinpath(LOCK).read_text(encoding="utf-8"))


def differences(old: Edition, new: Edition) -> Differences:
    """Compare two editions.

    A rule whose number has another text is renumbered where its own text stands under a number that had another
    text before, or none. Where several rules have one text, they are paired in the order of the editions.
    """
    homes: dict[str, list[str]] = {}
    for number, text in new.rules.items():
        if old.rules.get(number) != text:
            homes.setdefault(text, []).append(number)
    left = [number for number, text in old.rules.items() if new.rules.get(number) != text]
    renumbered = {number: homes[old.rules[number]].pop(0) for number in left if homes.get(old.rules[number])}
    free = {number for numbers in homes.values() for number in numbers}
    left = [number for number in left if number not in renumbered]
    changed = tuple(number for number in left if number in free)
    free.difference_update(changed)
    return Differences(
        renumbered=MappingProxyType(renumbered),
        changed=changed,
        removed=tuple(number for number in left if number not in changed),
        added=tuple(number for number in new.rules if number in free),
    )
