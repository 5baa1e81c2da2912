"""The oracle comes to the same in this process and as another: verdicts, messages, boards and traces.

A sample of the suite is played, or with ``JUDGECALL_PARITY=all`` all of it.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace

from judgecall.adapters.oracle import OracleEngine
from judgecall.adapters.process import Limits, ProcessEngine
from judgecall.harness.play import play
from judgecall.harness.suite import load, select
from judgecall.harness.verdicts import CaseResult
from judgecall.schema.model import Case

from tests.harness.helpers import case_of

COMMAND = (sys.executable, "-m", "judgecall.adapters.oracle")


def sample() -> list[Case]:
    files = select([])
    if os.environ.get("JUDGECALL_PARITY") == "all":
        return [case for loaded in load(files) for case in loaded.cases]
    return [case for loaded in load(files[::5]) for case in loaded.cases][::3]


# Cases that are wrong in themselves, or that a correct engine must fail: the words about them must be the same too.
WRONG = (
    "when: [{cast: Shock, targets: [bob]}]\ngiven: {alice: {hand: [Shock]}}\nthen: {}",
    "when: [{resolve: top}]\nthen: {}",
    "given: {alice: {hand: [Divination], battlefield: [3 Island]}}\nwhen: [{cast: Divination}, {resolve: all}]\n"
    "then: {alice: {hand_size: 5}, bob: {life: 3}}",
    "given: {alice: {hand: [Faithless Looting], battlefield: [Mountain]}}\n"
    "when: [{cast: Faithless Looting}, {resolve: all}]\nthen: {}",
    "given: {alice: {hand: [No Such Card]}}\nthen: {}",
)


def test_the_oracle_comes_to_the_same_through_the_protocol() -> None:
    here = OracleEngine()
    there = ProcessEngine(COMMAND, limits=Limits(start=120, request=120, case=600))
    try:
        assert there.describe() == here.describe()
        cases = sample() + [case_of(text) for text in WRONG]
        assert len(cases) > 30
        seen: set[str] = set()
        for case in cases:
            results: list[CaseResult] = []
            traces = []
            for engine in (here, there):
                result = play(case, engine, here.describe())
                results.append(replace(result, seconds=0.0))
                traces.append([line.text for line in engine.trace()])
                seen.add(result.verdict)
            assert results[0] == results[1]
            assert traces[0] == traces[1], case.id
        assert seen >= {"pass", "fail", "invalid", "unsupported"}
    finally:
        there.close()


def test_a_fault_is_the_same_through_the_protocol() -> None:
    here = OracleEngine()
    there = ProcessEngine(COMMAND, limits=Limits(start=120, request=120, case=600))
    try:
        fault = sorted(name for name in here.describe().faults if "flashback" in name)[0]
        cases = [case for loaded in load(select(["flashback"])) for case in loaded.cases][::3]
        there.use_fault(fault)
        broken = [play(case, there, there.describe(), faulted=True).verdict for case in cases]
        here.use_fault(fault)
        assert [play(case, here, here.describe(), faulted=True).verdict for case in cases] == broken
        assert "fail" in broken
    finally:
        here.close()
        there.close()
