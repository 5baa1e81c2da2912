"""An engine's play of a case, step by step, each line of its trace with the rules that made it happen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from judgecall.adapters.engine import TraceLine
from judgecall.harness.engines import Opened
from judgecall.harness.phrase import step_text, value_text
from judgecall.harness.play import play
from judgecall.harness.runner import command_alone, report_text
from judgecall.harness.suite import Selected, load
from judgecall.schema.model import Case, Expectations, Step

__all__ = ["explain"]


def explain(selected: Sequence[Selected], opened: Opened, out: TextIO) -> int:
    """Play cases and write what happens; gives the exit code: 0 all passed, 1 not so, 5 no case.

    Raises:
        NotFound: a case asked for by name is not there.
    """
    traced = "trace" in opened.description.capabilities
    if not traced:
        out.write(f"{opened.title} keeps no trace: only the steps are shown\n\n")
    codes: list[int] = []
    for loaded in load(selected):
        if loaded.problem is not None:
            out.write(f"{loaded.problem}\n")
            codes.append(1)
        for case in loaded.cases:
            codes.append(0 if _explain(case, opened, out, traced=traced) else 1)
    return max(codes, default=5)


def _explain(case: Case, opened: Opened, out: TextIO, *, traced: bool) -> bool:
    told = 0

    def tell() -> None:
        nonlocal told
        if traced:
            lines = opened.engine.trace()
            for line in lines[told:]:
                out.write(f"   {_trace_text(line)}\n")
            told = len(lines)

    def watch(index: int, step: Step) -> None:
        out.write(f"{index + 1}. {step_text(step)}\n")
        tell()

    out.write(f"{case.id}\n{case.title}\n")
    if case.rules:
        out.write(f"rules: {', '.join('CR ' + rule for rule in case.rules)}\n")
    out.write("\n")
    result = play(case, opened.engine, opened.description, faulted=opened.fault is not None, watch=watch)
    if result.step is not None:
        out.write(f"{result.step}. {result.steps[-1]}\n")
    tell()
    for line in _expected(case.then):
        out.write(f"then {line}\n")
    if result.verdict == "pass":
        out.write("pass\n\n")
        return True
    out.write(f"\n{report_text(result, command_alone(result, opened))}\n\n")
    return not result.counts


def _trace_text(line: TraceLine) -> str:
    rules = ", ".join(f"CR {rule}" for rule in line.rules)
    return f"{line.text}  [{rules}]" if rules else line.text


def _expected(then: Expectations) -> list[str]:
    lines = [
        f"stack: {value_text(each.facts.get('stack'))}"
        if each.kind == "stack"
        else f"{each.subject}: {value_text(each.facts)}"
        for each in then.subjects
    ]
    for probe in then.probes:
        lines.append(f"{'legal' if probe.legal else 'illegal'}: {step_text(probe.step)}")
    return lines
