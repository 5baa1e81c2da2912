"""The kill matrix: which faults of an engine which cases catch, as a file (``schema/matrix.schema.json``)."""

from __future__ import annotations

import importlib.resources
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from judgecall.harness.results import ResultsError

__all__ = ["FaultRow", "IdleCase", "Matrix", "matrix_text", "read_matrix"]

_KIND = "judgecall matrix"
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class FaultRow:
    """One fault, and what the cases made of it."""

    name: str
    rule: str
    """The number of the rule that it breaks, where the engine says it."""
    sentence: str
    caught_by: tuple[str, ...]
    """Cases that fail."""
    crashed: tuple[str, ...] = ()
    """Cases that end in an error of the engine: they count for nothing."""


@dataclass(frozen=True, slots=True)
class IdleCase:
    """A case that catches no fault, and why that is so, if anybody has said."""

    id: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Matrix:
    """What the cases catch."""

    suite_version: str
    suite_digest: str
    engine: str
    cases: int
    """How many there were."""
    faults: tuple[FaultRow, ...]
    idle: tuple[IdleCase, ...]

    @property
    def uncaught(self) -> tuple[FaultRow, ...]:
        """Faults that no case catches."""
        return tuple(row for row in self.faults if not row.caught_by)

    @property
    def unexplained(self) -> tuple[str, ...]:
        """Cases that catch no fault, and nobody says why."""
        return tuple(case.id for case in self.idle if case.reason is None)


def matrix_text(matrix: Matrix) -> str:
    """A matrix as JSON. The same byte for byte wherever and however often it is made."""
    data = {
        "kind": _KIND,
        "format": _FORMAT,
        "suite": {"version": matrix.suite_version, "digest": matrix.suite_digest},
        "engine": matrix.engine,
        "cases": matrix.cases,
        "faults": [
            {
                "fault": row.name,
                "rule": row.rule,
                "sentence": row.sentence,
                "caught_by": list(row.caught_by),
                "crashed": list(row.crashed),
            }
            for row in matrix.faults
        ],
        "idle": [{"case": case.id, "reason": case.reason} for case in matrix.idle],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def read_matrix(path: str) -> Matrix:
    """Read what `matrix_text` made.

    Raises:
        ResultsError: there is no such file, or it is no matrix.
    """
    try:
        data: Any = json.loads(Path(path).read_bytes())
    except (OSError, ValueError) as error:
        raise ResultsError(f"{path} cannot be read: {error}") from None
    text = importlib.resources.files("judgecall.schema").joinpath("matrix.schema.json").read_text("utf-8")
    problem = best_match(Draft202012Validator(json.loads(text)).iter_errors(data))
    if problem is not None:
        raise ResultsError(f"{path} is no matrix: at {problem.json_path}: {problem.message[:200]}")
    return Matrix(
        data["suite"]["version"],
        data["suite"]["digest"],
        data["engine"],
        data["cases"],
        tuple(map(_row, data["faults"])),
        tuple(IdleCase(each["case"], each["reason"]) for each in data["idle"]),
    )


def _row(data: Mapping[str, Any]) -> FaultRow:
    return FaultRow(
        data["fault"],
        data["rule"],
        data["sentence"],
        tuple(data["caught_by"]),
        tuple(data["crashed"]),
    )
