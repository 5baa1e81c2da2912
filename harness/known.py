"""Known failures: cases that an engine is known not to pass, so that a run tells only what is new.

A YAML list of entries with ``case``, ``reason`` and ``link``. Listed cases still run. A listed case that passes,
and an entry that means no case, are errors: the list must not outlive what it says.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml
from judgecall.harness.verdicts import CaseResult

__all__ = ["EXCUSED", "Entry", "Known", "KnownProblem", "entries_text", "read_known"]

EXCUSED = ("fail", "error", "unsupported")
"""Verdicts that an entry accounts for. A mistake in a case (``invalid``) is nobody's known failure."""

_LONGEST = 200


class KnownProblem(Exception):
    """The list cannot be read, or an entry says what it may not; the text says where and why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A case that is known not to pass, why, and where that is followed up."""

    case: str
    reason: str
    link: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Known:
    """A list of known failures."""

    path: str
    entries: Mapping[str, Entry]

    def mark(self, result: CaseResult) -> CaseResult:
        """A result with the entry that it has, if any."""
        entry = self.entries.get(result.case)
        return result if entry is None else replace(result, known=(entry.reason, entry.link))

    def unmatched(self, cases: Iterable[str]) -> list[str]:
        """What to say of entries that mean none of these cases."""
        there = set(cases)
        return [
            f"{self.path}:{entry.line}: there is no case {entry.case!r}: remove the entry"
            for entry in self.entries.values()
            if entry.case not in there
        ]


def read_known(path: str | os.PathLike[str]) -> Known:
    """Read a list.

    Raises:
        KnownProblem: it cannot be read, or an entry has no case or reason, an unknown key, or is there twice.
    """
    shown = os.fspath(path)
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise KnownProblem(f"{shown} cannot be read: {error}") from None
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        data: Any = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise KnownProblem(f"{shown} is no YAML: {error}") from None
    if data is None:
        return Known(shown, {})
    if not isinstance(data, list) or not isinstance(root, yaml.SequenceNode):
        raise KnownProblem(f"{shown}:1: expected a list of entries with 'case', 'reason' and 'link'")
    entries: dict[str, Entry] = {}
    for node, each in zip(root.value, data, strict=True):
        entry = _entry(each, f"{shown}:{node.start_mark.line + 1}", node.start_mark.line + 1)
        if entry.case in entries:
            raise KnownProblem(
                f"{shown}:{entry.line}: {entry.case} is there twice, first in line {entries[entry.case].line}"
            )
        entries[entry.case] = entry
    return Known(shown, entries)


def _entry(data: Any, where: str, line: int) -> Entry:
    if not isinstance(data, dict):
        raise KnownProblem(f"{where}: expected an entry with 'case', 'reason' and 'link', not {data!r}")
    unknown = [key for key in data if key not in ("case", "reason", "link")]
    if unknown:
        raise KnownProblem(f"{where}: unknown key {unknown[0]!r}; expected 'case', 'reason', 'link'")
    for key in ("case", "reason"):
        if not isinstance(data.get(key), str) or not data[key].strip():
            raise KnownProblem(f"{where}: the entry has no {key!r}")
    if "link" not in data or not isinstance(data["link"], str | None):
        raise KnownProblem(f"{where}: the entry has no 'link': where is this followed up? (may be empty)")
    return Entry(data["case"].strip(), data["reason"].strip(), (data["link"] or "").strip(), line)


def entries_text(results: Iterable[CaseResult]) -> str:
    """The cases of a run that did not pass, as a list to paste; entries that are there already are kept."""
    lines = []
    for result in results:
        if result.verdict not in EXCUSED or not result.counts:
            continue
        reason, link = result.known or (f"{result.verdict}: {' '.join(result.message.split())}", "")
        lines += [
            f"- case: {_scalar(result.case)}",
            f"  reason: {_scalar(_shortened(reason))}",
            f"  link: {_scalar(link)}" if link else "  link:  # where this is followed up",
        ]
    return "\n".join(lines) + "\n" if lines else "# nothing to list: every case passes\n"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _scalar(text: str) -> str:
    return yaml.safe_dump(text, allow_unicode=True, width=10_000, default_style='"').strip()
