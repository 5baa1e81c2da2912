"""What the game did, line by line, each with the rules that made it happen."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Line", "Trace"]


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened, and the numbers of the rules behind it."""

    text: str
    rules: tuple[str, ...]


class Trace:
    """The lines of a game, oldest first."""

    __slots__ = ("lines",)

    def __init__(self) -> None:
        self.lines: list[Line] = []

    def add(self, text: str, *rules: str) -> None:
        """Note something that happened."""
        self.lines.append(Line(text, rules))

    def cut(self, length: int) -> None:
        """Forget what came after a trial began."""
        del self.lines[length:]
