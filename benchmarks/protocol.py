"""What the protocol costs: ``python benchmarks/protocol.py [IDS]``.

Prints the time of a round trip (``ping``), of ``act`` and of ``observe`` with the oracle as another process, and of
whole cases beside the oracle in this process.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Sequence
from time import perf_counter

from judgecall.adapters.engine import Engine, Pass
from judgecall.adapters.oracle import OracleEngine
from judgecall.adapters.process import ProcessEngine
from judgecall.harness.play import play
from judgecall.harness.suite import load, select
from judgecall.schema.loader import load_text
from judgecall.schema.model import Case

AIM = 0.2
"""Milliseconds that a round trip may take."""

STATE = "ruling: a/b\ncases: [{case: c, given: {alice: {battlefield: [5 Island]}}, then: {}}]"


def milliseconds(work: Callable[[], object], times: int) -> tuple[float, float]:
    """The median time of some work, and the 95th percentile."""
    taken = []
    for _ in range(times):
        begun = perf_counter()
        work()
        taken.append(1000 * (perf_counter() - begun))
    return statistics.median(taken), statistics.quantiles(taken, n=20)[-1]


def told(name: str, figures: tuple[float, float]) -> None:
    """One line of the report."""
    print(f"{name:<44} {figures[0]:8.3f} ms (95 %: {figures[1]:.3f})")


def whole(engine: Engine, cases: Sequence[Case]) -> float:
    """Seconds for all cases."""
    description = engine.describe()
    begun = perf_counter()
    for case in cases:
        play(case, engine, description)
    return perf_counter() - begun


def passing(engine: Engine) -> Callable[[], None]:
    """What lets whoever has priority pass."""

    def once() -> None:
        player = engine.glance().priority
        assert player is not None
        engine.act(Pass(player))

    return once


def main() -> int:
    """Measure, and say whether the aim is met."""
    here = OracleEngine()
    there = ProcessEngine([sys.executable, "-m", "judgecall.adapters.oracle"])
    try:
        there.describe()
        for _ in range(200):
            there.talk("ping", {})
        round_trip = milliseconds(lambda: there.talk("ping", {}), 5000)
        told("ping, through the protocol", round_trip)
        given = load_text(STATE, "state").cases[0].given
        for name, engine in (("in this process", here), ("through the protocol", there)):
            engine.start(given, lambda question: None)
            told(f"pass, {name}", milliseconds(passing(engine), 40))

            def setup(engine: Engine = engine) -> None:
                engine.start(given, lambda question: None)

            told(f"setup of 25 objects, {name}", milliseconds(setup, 200))

            def observe(engine: Engine = engine) -> None:
                engine.start(given, lambda question: None)
                engine.view()

            told(f"setup and observe of 25 objects, {name}", milliseconds(observe, 200))
        cases = [case for loaded in load(select(sys.argv[1:] or ["flashback"])) for case in loaded.cases]
        for name, engine in (("in this process", here), ("through the protocol", there)):
            seconds = whole(engine, cases)
            print(f"{len(cases)} cases, {name}: {seconds:.2f} s, {1000 * seconds / len(cases):.1f} ms each")
    finally:
        there.close()
    met = round_trip[0] < AIM
    print(f"a round trip takes {round_trip[0]:.3f} ms; the aim is {AIM} ms: {'met' if met else 'missed'}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
