"""A result as properties, a name and a text each: what pytest carries between processes and writes to JUnit XML."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from judgecall.harness.results import Header
from judgecall.harness.verdicts import CaseResult

__all__ = ["PREFIX", "header_properties", "properties_of", "result_of"]

PREFIX = "judgecall."


def properties_of(result: CaseResult) -> list[tuple[str, str]]:
    """Everything that a results file says of a case; what is no text is JSON."""
    return [(PREFIX + key, _text(value)) for key, value in result.to_json().items()]


def result_of(properties: Iterable[tuple[str, object]]) -> CaseResult | None:
    """The inverse of `properties_of`; None where there is no case among the properties."""
    data: dict[str, Any] = {}
    for name, value in properties:
        key = name.removeprefix(PREFIX)
        if key != name:
            data[key] = str(value) if key in _TEXTS else json.loads(str(value))
    return CaseResult.from_json(data) if "case" in data and "verdict" in data else None


def header_properties(header: Header) -> list[tuple[str, str]]:
    """What a results file says of a whole run: ``judgecall.engine.name`` and so on."""
    return list(_flat(PREFIX, header.to_json()))


_TEXTS = {"case", "verdict", "message", "title", "status", "why", "path", "board", "digest"}


def _text(value: object) -> str:
    if isinstance(value, str):
        # Half a surrogate pair is no text, and would end the process that has to send it.
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    return json.dumps(value)


def _flat(prefix: str, data: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield from _flat(f"{prefix}{key}.", value)
        else:
            yield prefix + key, _text(value)
