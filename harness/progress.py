"""How far a run is: one line that is written over on a terminal, a few plain lines where a machine runs it."""

from __future__ import annotations

import os
import shutil
import sys
from time import monotonic
from typing import TextIO

__all__ = ["Progress"]

_PAUSE = 0.1
"""Seconds between two looks at a terminal."""

_PARTS = 10
"""Lines that a whole run has where a machine runs it."""


class Progress:
    """Told of each case before it is played."""

    def __init__(
        self,
        total: int,
        *,
        quiet: bool = False,
        out: TextIO | None = None,
        what: str = "cases",
        failing: str = "not passed",
    ) -> None:
        self._out = out or sys.stderr
        self._total = total
        self._what = what
        self._failing = failing
        self._done = 0
        self._failed = 0
        self._last = 0.0
        self._shown = False
        machine = bool(os.environ.get("CI"))
        self._live = not quiet and not machine and self._out.isatty()
        self._plain = not quiet and machine and total >= _PARTS

    def __call__(self, verdict: str, case: str) -> None:
        """A case has come to its verdict."""
        self._done += 1
        self._failed += verdict != "pass"
        if self._live and monotonic() - self._last >= _PAUSE:
            self._last = monotonic()
            width = shutil.get_terminal_size().columns - 1
            text = f"{self._done}/{self._total}, {self._failed} {self._failing}  {case}"
            self._out.write("\r" + text[:width].ljust(width))
            self._out.flush()
            self._shown = True
        elif self._plain and self._done * _PARTS // self._total > (self._done - 1) * _PARTS // self._total:
            self._out.write(f"judgecall: {self._done}/{self._total} {self._what}, {self._failed} {self._failing}\n")
            self._out.flush()

    def clear(self) -> None:
        """Make room for other output."""
        if self._shown:
            self._out.write("\r" + " " * (shutil.get_terminal_size().columns - 1) + "\r")
            self._out.flush()
            self._shown = False
