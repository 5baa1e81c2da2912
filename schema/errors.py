"""What is wrong with a case file, told all at once."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judgecall.schema.model import Case

__all__ = ["CaseFileError", "Problem", "near_miss", "shown"]

SHOWN_PROBLEMS = 100


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: where it is, what it is, what was expected, and the word that was probably meant."""

    path: str
    line: int
    column: int
    message: str
    expected: str | None = None
    suggestion: str | None = None

    @classmethod
    def of_case(cls, case: Case, message: str, expected: str | None = None) -> Problem:
        """A mistake in a case, told with its name and place."""
        position = case.position
        line, column = (position.line, position.column) if position is not None else (1, 1)
        return cls(case.path, line, column, f"{case.name}: {message}", expected)

    def __str__(self) -> str:
        """Render, such as ``cases/x.yaml:12:7: unknown key 'graveyrad'; did you mean 'graveyard'?``."""
        text = f"{self.path}:{self.line}:{self.column}: {self.message}"
        if self.suggestion is not None:
            text += f"; did you mean {shown(self.suggestion)}?"
            return text if self.expected is None else f"{text} (expected {self.expected})"
        return text if self.expected is None else f"{text}; expected {self.expected}"


class CaseFileError(Exception):
    """A file is no ruling. ``problems`` has every mistake that was found in it, in the order of the file.

    ``sound``: cases of it that have no part in them, where all mistakes are in others.
    """

    def __init__(self, path: str, problems: Sequence[Problem], sound: Sequence[Case] = ()) -> None:
        self.path = path
        self.problems = tuple(problems)
        self.sound = tuple(sound)
        super().__init__(path, self.problems)

    def __str__(self) -> str:
        lines = [str(problem) for problem in self.problems[:SHOWN_PROBLEMS]]
        if len(self.problems) > SHOWN_PROBLEMS:
            lines.append(f"{self.path}: and {len(self.problems) - SHOWN_PROBLEMS} more")
        return "\n".join(lines)


def shown(text: str) -> str:
    """Quote a word of the file for a message, short and without control characters."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def near_miss(word: str, known: Iterable[str]) -> str | None:
    """Give the known word that ``word`` was probably meant to be, or None."""
    by_folded: dict[str, str] = {}
    for candidate in known:
        by_folded.setdefault(candidate.casefold(), candidate)
    if len(word) > 80:
        return None
    folded = word.casefold()
    found = difflib.get_close_matches(folded, list(by_folded), n=1, cutoff=0.65)
    if not found and len(folded) > 2:
        # A part of what was meant: "main" of "precombat main".
        found = [candidate for candidate in by_folded if folded in candidate.split()]
    return by_folded[found[0]] if found else None
