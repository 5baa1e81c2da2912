"""What the game did, line by line, each with the rules that made it happen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

__all__ = ["Line", "Trace"]


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened, and the numbers of the rules behind it."""

    text: str
    rules: tuple[str, ...]


class Trace:
    """The lines of a game, oldest first.

    Many rules act without anything happening yet: a characteristic is computed, a target is judged, a replacement is
    weighed. Such a rule is cited where it acts, and its number stands with the next line.
    """

    __slots__ = ("lines", "pending", "told", "within")

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.pending: dict[str, None] = {}
        self.told: dict[Any, None] = {}
        """What has been worked out once and is kept: the rules behind it need not be cited again."""
        self.within = 0
        """How many replacement effects are being carried out, one because of another."""

    def add(self, text: str, *rules: str) -> None:
        """Note something that happened."""
        if self.pending:
            rules = (*rules, *self.pending)
            self.pending = {}
        self.lines.append(Line(text, tuple(dict.fromkeys(rules))))

    def cite(self, *rules: str) -> None:
        """Note rules that act now, for the next line."""
        for rule in rules:
            self.pending.setdefault(rule)

    @contextmanager
    def replacing(self) -> Iterator[None]:
        """While the instructions of a replacement effect are carried out."""
        self.within += 1
        try:
            yield
        finally:
            self.within -= 1

    def settle(self) -> None:
        """Give what was cited since the last line a line of its own."""
        if self.pending:
            self.add("so the rules say")

    def mark(self) -> tuple[int, tuple[str, ...], int]:
        """The present end, for `cut`."""
        return len(self.lines), tuple(self.pending), len(self.told)

    def cut(self, mark: tuple[int, tuple[str, ...], int]) -> None:
        """Forget what came after a mark."""
        del self.lines[mark[0] :]
        self.pending = dict.fromkeys(mark[1])
        while len(self.told) > mark[2]:
            self.told.popitem()
