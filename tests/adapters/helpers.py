"""Stand-ins made ready, and the three cases that they play."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from judgecall.adapters.engine import Internal
from judgecall.adapters.process import Limits, ProcessEngine
from judgecall.harness.play import play
from judgecall.harness.verdicts import CaseResult
from judgecall.schema.loader import load_text
from judgecall.schema.model import Case

STANDIN = Path(__file__).with_name("standin.py")

QUICK = Limits(start=60, request=2.0, case=60, stop=2.0, line=1 << 20)
"""Long enough for a busy machine, and no longer, since many tests wait for the end of it."""


@contextmanager
def standin(fault: str, *arguments: str, limits: Limits = QUICK) -> Iterator[ProcessEngine]:
    """A stand-in that is ended in the end, however."""
    engine = ProcessEngine([sys.executable, str(STANDIN), fault, *arguments], limits=limits)
    try:
        yield engine
    finally:
        with suppress(Internal):
            engine.close()


def cases() -> list[Case]:
    """One that is harmless, one that sets the fault off, and a harmless one again."""
    text = """
ruling: tests/three
cases:
  - case: before
    given: {alice: {battlefield: [Forest]}}
    when: [{pass: alice}]
    then: {Forest: {zone: battlefield, tapped: no}, game: {priority: bob}}
  - case: trigger
    given: {alice: {battlefield: [Trigger]}}
    when: [{pass: alice}, {pass: bob}, {pass: alice}, {pass: bob}, {pass: alice}]
    then: {Trigger: {zone: battlefield, tapped: no}, game: {priority: bob}}
  - case: after
    given: {alice: {battlefield: [Forest]}}
    when: [{pass: alice}]
    then: {Forest: {zone: battlefield, tapped: no}, game: {priority: bob}}
"""
    return list(load_text(text, "three.yaml").cases)


def played(engine: ProcessEngine) -> list[CaseResult]:
    """What the three cases come to."""
    return [play(case, engine, engine.describe()) for case in cases()]


def is_gone(pid: int) -> bool:
    """Whether a process ends within a moment."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        with suppress(OSError):
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
            if state == "Z":
                # Dead; whoever inherited it has not asked how it died.
                return True
        time.sleep(0.05)
    return False
