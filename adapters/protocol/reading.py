"""Reading JSON that somebody else wrote: a value is of the kind that the protocol says, or the message is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = [
    "Malformed",
    "flag",
    "line_of",
    "listed",
    "mapping",
    "message_of",
    "optional_text",
    "optional_whole",
    "shown",
    "text",
    "texts",
    "whole",
]

_SHOWN = 200


class Malformed(Exception):
    """A message that is not what the protocol says; the text says where and how."""


def message_of(line: bytes) -> Mapping[str, Any]:
    """One line as a message.

    Raises:
        Malformed: it is no JSON object in UTF-8.
    """
    try:
        data = json.loads(line.decode("utf-8"))
        if b"\\u" in line:
            # Half of a surrogate pair is no text, and nothing that we write could hold it.
            json.dumps(data, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        raise Malformed(f"it is no JSON in UTF-8: {shown(line)}") from None
    if not isinstance(data, dict):
        raise Malformed(f"it is no JSON object: {shown(line)}")
    return data


def line_of(message: Mapping[str, Any]) -> bytes:
    """A message as a line, in ASCII, so that no engine stumbles over encodings.

    Raises:
        TypeError, ValueError: a value is of no kind that JSON knows.
    """
    return _ENCODER.encode(message).encode("ascii") + b"\n"


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"{value!r} cannot be written as JSON")


_ENCODER = json.JSONEncoder(separators=(",", ":"), default=_plain)


def shown(value: object) -> str:
    """A value for a message, short and in printable characters."""
    if isinstance(value, bytes):
        value = value[: 4 * _SHOWN].decode("utf-8", errors="backslashreplace")
    text_ = value if isinstance(value, str) else repr(value)
    text_ = "".join(
        character if character.isprintable() else repr(character)[1:-1] for character in text_[: 2 * _SHOWN]
    )
    return text_ if len(text_) <= _SHOWN else text_[: _SHOWN - 1] + "…"


def mapping(value: Any, where: str) -> Mapping[str, Any]:
    """A JSON object."""
    if not isinstance(value, dict):
        raise Malformed(f"{where}: expected an object, not {shown(value)}")
    return value


def listed(value: Any, where: str) -> list[Any]:
    """A JSON array."""
    if not isinstance(value, list):
        raise Malformed(f"{where}: expected a list, not {shown(value)}")
    return value


def text(value: Any, where: str) -> str:
    """A string."""
    if not isinstance(value, str):
        raise Malformed(f"{where}: expected text, not {shown(value)}")
    return value


def optional_text(value: Any, where: str) -> str | None:
    """A string or nothing."""
    return None if value is None else text(value, where)


def whole(value: Any, where: str) -> int:
    """A whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise Malformed(f"{where}: expected a whole number, not {shown(value)}")
    return value


def optional_whole(value: Any, where: str) -> int | None:
    """A whole number or nothing."""
    return None if value is None else whole(value, where)


def flag(value: Any, where: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise Malformed(f"{where}: expected true or false, not {shown(value)}")
    return value


def texts(value: Any, where: str) -> tuple[str, ...]:
    """A list of strings."""
    return tuple(text(each, f"{where}[{index}]") for index, each in enumerate(listed(value, where)))
