"""How fast the suite runs on the oracle, and where the time goes.

    python benchmarks/cases.py [--profile N] [IDS]

Prints cases per second, and how the time divides between reading files, playing and pytest; playing divides into
definitions of cards, set-up, steps, expectations and questions of legality. With ``--profile`` the N functions that
cost most, by their own time. Time is the processor's, so that what else the machine does counts little.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from time import process_time
from typing import Any
from unittest import mock

from judgecall.adapters.oracle import OracleEngine
from judgecall.harness import play as playing
from judgecall.harness.play import play
from judgecall.harness.run import Run
from judgecall.harness.suite import load, select
from judgecall.oracle.cards import loader
from judgecall.schema.model import Case

PARTS: Sequence[tuple[str, Any, str]] = (
    ("definitions of cards", loader, "read"),
    ("set-up", Run, "start"),
    ("steps", playing, "take"),
    ("expectations", playing, "judge"),
    ("expectations", Run, "view"),
    ("legality", playing, "judge_probes"),
)
"""What is timed: under which name, and where the function is."""


class Stopwatch:
    """Time by part; what one part spends in another counts for that one alone."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._within: list[str] = []
        self._since = 0.0

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, whose time is counted for a part."""

        def around(*arguments: Any, **named: Any) -> Any:
            self._turn()
            self._within.append(part)
            try:
                return function(*arguments, **named)
            finally:
                self._turn()
                self._within.pop()

        return around

    def _turn(self) -> None:
        now = process_time()
        if self._within:
            part = self._within[-1]
            self.seconds[part] = self.seconds.get(part, 0.0) + now - self._since
        self._since = now


def played(cases: Sequence[Case]) -> float:
    """Seconds for playing all cases on a fresh oracle."""
    engine = OracleEngine()
    description = engine.describe()
    begun = process_time()
    for case in cases:
        result = play(case, engine, description)
        if result.verdict != "pass":
            print(f"{case.id}: {result.verdict}", file=sys.stderr)
    return process_time() - begun


def divided(cases: Sequence[Case]) -> dict[str, float]:
    """Seconds by part of playing all cases, definitions read anew."""
    watch = Stopwatch()
    loader.load.cache_clear()
    with ExitStack() as stack:
        for part, owner, name in PARTS:
            stack.enter_context(mock.patch.object(owner, name, watch.timed(part, getattr(owner, name))))
        whole = played(cases)
    watch.seconds["verdicts and the rest"] = whole - sum(watch.seconds.values())
    return watch.seconds


def by_pytest(rulings: Sequence[str]) -> float:
    """Seconds of a run of pytest over these rulings, or over all, in a process of its own."""
    which = [f"--case={ruling}" for ruling in rulings] or ["--pyargs", "judgecall.cases"]
    plain = ["-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest"]
    before = os.times()
    subprocess.run(
        [sys.executable, "-m", "pytest", *plain, "--engine=oracle", *which], check=True, stdout=subprocess.DEVNULL
    )
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ids", nargs="*", metavar="ID|PATH", help="only these rulings of the suite")
    parser.add_argument("--profile", type=int, default=0, metavar="N", help="the N functions that cost most")
    options = parser.parse_args(arguments)

    begun = process_time()
    files = list(load(select(options.ids)))
    loading = process_time() - begun
    cases = [case for each in files for case in each.cases]
    parts = divided(cases)
    warm = played(cases)
    rulings = list(dict.fromkeys(case.ruling for case in cases)) if options.ids else []
    pytest_alone = by_pytest(rulings) - loading - sum(parts.values())

    print(f"{len(cases)} cases in {len(files)} files: {len(cases) / warm:.0f} cases a second once all is read")
    whole = loading + sum(parts.values()) + pytest_alone
    print(f"\none run of pytest, {whole:.1f} s:")
    for name, seconds in (("reading files", loading), ("playing", sum(parts.values())), ("pytest", pytest_alone)):
        print(f"  {name:<24}{seconds:8.2f} s {seconds / whole:6.0%}")
    print("\nplaying:")
    for name, seconds in sorted(parts.items(), key=lambda pair: -pair[1]):
        print(f"  {name:<24}{1e6 * seconds / len(cases):6.0f} µs a case {seconds / sum(parts.values()):6.0%}")
    if options.profile:
        profile = cProfile.Profile()
        profile.runcall(played, cases)
        pstats.Stats(profile).sort_stats("tottime").print_stats(options.profile)
    return 0


if __name__ == "__main__":
    sys.exit(main())
