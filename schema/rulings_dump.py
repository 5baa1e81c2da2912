"""Dumps of published rulings, read for their digests: Scryfall's bulk rulings, MTGJSON's AtomicCards, a plain list.

>>> [entry] = read_entries(b'[{"card": "Think Twice", "date": "2025-06-06", "text": "Ours."}]')
>>> entry.card, entry.digest == digest("Ours.")
('Think Twice', True)
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from judgecall.schema.digest import digest
from judgecall.schema.errors import shown

__all__ = ["DumpError", "Entry", "read_dump", "read_entries"]

MAX_BYTES = 256 * 1024 * 1024
"""Of JSON: AtomicCards has about half of it."""

EXPECTED = "expected Scryfall's bulk rulings, MTGJSON's AtomicCards, or a list of objects with card, date and text"
_GZIP = b"\x1f\x8b"
_OTHERS = {b"PK": "a zip archive", b"BZh": "compressed by bzip2", b"\xfd7zXZ": "compressed by xz"}


class DumpError(ValueError):
    """A file is no dump of rulings."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A published ruling of a card."""

    card: str
    """Its name, or in Scryfall's dump, which has no names, the card's Oracle id."""
    date: str
    text: str
    digest: str


def read_dump(path: str | os.PathLike[str]) -> tuple[Entry, ...]:
    """Read a dump from a file, plain or compressed by gzip.

    Raises:
        DumpError: the file cannot be read, is too large, or is no dump.
    """
    shown_path = os.fspath(path)
    try:
        with open(path, "rb") as file:
            packed = file.read(len(_GZIP)) == _GZIP
        with gzip.open(path) if packed else open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise DumpError(f"{shown_path} cannot be read: {reason}") from None
    return read_entries(data, shown_path)


def read_entries(data: bytes, path: str = "the dump") -> tuple[Entry, ...]:
    """Read a dump, each entry of a card once; ``path`` is for messages.

    Raises:
        DumpError: it is too large, or no dump.
    """
    if len(data) > MAX_BYTES:
        raise DumpError(f"{path} has more than {MAX_BYTES} bytes; {EXPECTED}")
    for start, what in _OTHERS.items():
        if data.startswith(start):
            raise DumpError(f"{path} is {what}; expected JSON, plain or compressed by gzip")
    try:
        root: Any = json.loads(data, object_hook=_lean)
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError is a ValueError
        told = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise DumpError(f"{path} is no JSON: {told}") from None
    entries = dict.fromkeys(_atomic(root, path) if isinstance(root, dict) else _listed(root, path))
    if not entries:
        raise DumpError(f"{path} has no rulings in it; {EXPECTED}")
    return tuple(entries)


def _lean(data: dict[str, Any]) -> dict[str, Any]:
    """Of AtomicCards only the rulings are kept: the rest of it takes much room."""
    return {"rulings": data["rulings"]} if "rulings" in data else data


def _listed(root: object, path: str) -> Iterator[Entry]:
    """A list of entries, ours or Scryfall's."""
    if not isinstance(root, list):
        raise DumpError(f"{path} is no list and no object; {EXPECTED}")
    for number, data in enumerate(root, 1):
        place = f"{path}, entry {number}"
        if isinstance(data, dict) and "comment" in data:
            yield _entry(data, ("oracle_id", "published_at", "comment"), place)
        else:
            yield _entry(data, ("card", "date", "text"), place)


def _atomic(root: dict[str, Any], path: str) -> Iterator[Entry]:
    """The faces of each card, under its name."""
    cards = root.get("data")
    if not isinstance(cards, dict):
        raise DumpError(f"{path} has no object 'data'; {EXPECTED}")
    for name, faces in cards.items():
        place = f"{path}, {shown(name)}"
        if not isinstance(faces, list):
            raise DumpError(f"{place} is no list of faces; {EXPECTED}")
        for face in faces:
            rulings = face.get("rulings", []) if isinstance(face, dict) else None
            if not isinstance(rulings, list):
                raise DumpError(f"{place} has no list of rulings; {EXPECTED}")
            for data in rulings:
                named = {**data, "card": name} if isinstance(data, dict) else data
                yield _entry(named, ("card", "date", "text"), place)


def _entry(data: object, keys: tuple[str, str, str], place: str) -> Entry:
    if not isinstance(data, dict):
        raise DumpError(f"{place} is no object; {EXPECTED}")
    wrong = [key for key in keys if not isinstance(data.get(key), str)]
    if wrong:
        raise DumpError(f"{place} has no text {wrong[0]!r}; {EXPECTED}")
    card, date, text = (data[key] for key in keys)
    return Entry(card, date, text, digest(text))
