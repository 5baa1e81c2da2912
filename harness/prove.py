"""Playing cases with every fault of an engine, in several processes: which faults which cases catch."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from typing import Any

from judgecall.harness.engines import EngineProblem, Opened, open_engine
from judgecall.harness.matrix import FaultRow
from judgecall.harness.play import play
from judgecall.harness.suite import NotFound, load, select
from judgecall.schema.model import Case

__all__ = ["Unproven", "counted_cases", "prove"]

_PORTION = 16
"""Cases that a process takes at a time while they are looked at."""


class Unproven(Exception):
    """A case does not pass while all rules are whole, so that it can prove nothing."""


def counted_cases(arguments: Sequence[str]) -> list[Case]:
    """The cases that the arguments mean, without those that are disputed or withdrawn.

    Raises:
        NotFound: they mean nothing, or a file is no ruling.
    """
    found: list[Case] = []
    for loaded in load(select(arguments)):
        if loaded.problem is not None:
            raise NotFound(str(loaded.problem))
        found += [case for case in loaded.cases if case.status is None]
    return found


def prove(
    arguments: Sequence[str],
    engine: str,
    faults: Mapping[str, str],
    processes: int = 1,
    tell: Callable[[str, str], None] = lambda verdict, fault: None,
) -> list[FaultRow]:
    """Play the cases that ``arguments`` mean, once as they are and then with each fault that could make them fail.

    Args:
        arguments: ids and paths of cases, as for `select`.
        engine: the engine's name, as for `open_engine`.
        faults: the faults to break it with, and what the engine says of each.
        processes: how many of the engine play side by side.
        tell: told of each fault, once the cases have been played with it: ``pass`` where one catches it, and its name.

    Raises:
        NotFound: the arguments mean nothing.
        EngineProblem: there is no such engine, or it has no such fault.
        Unproven: a case does not pass as it is.
    """
    ids = [case.id for case in counted_cases(arguments)]
    caught: dict[str, list[str]] = {name: [] for name in faults}
    crashed: dict[str, list[str]] = {name: [] for name in faults}
    with _workers(processes, arguments, engine) as submit:
        near: dict[str, list[int]] = {name: [] for name in faults}
        known: dict[str, dict[int, str]] = {name: {} for name in faults}
        looks = [range(start, min(start + _PORTION, len(ids))) for start in range(0, len(ids), _PORTION)]
        for found in submit(_look, [(look,) for look in looks]):
            for index, names in found.items():
                for name in faults if names is None else names.keys() & faults.keys():
                    verdict = None if names is None else names[name]
                    if verdict is None:
                        near[name].append(index)
                    else:
                        known[name][index] = verdict
        # What takes longest comes first, so that in the end no process waits long for the others.
        work = [(name, sorted(near[name])) for name in sorted(near, key=lambda name: -len(near[name])) if near[name]]

        def keep(name: str, verdicts: Mapping[int, str]) -> None:
            caught[name] += [ids[index] for index, verdict in verdicts.items() if verdict != "error"]
            crashed[name] += [ids[index] for index, verdict in verdicts.items() if verdict == "error"]

        for name, verdicts in known.items():
            keep(name, verdicts)
            if caught[name] and not near[name]:
                tell("pass", name)
        for name, verdicts in submit(_break, work):
            keep(name, verdicts)
            if caught[name]:
                tell("pass", name)
        missed = [name for name in faults if not caught[name]]
        if not arguments:
            # What is near was found with many faults at once, where one can hide another.
            rest = [(name, sorted(set(look).difference(near[name], known[name]))) for name in missed for look in looks]
            for name, verdicts in submit(_break, [each for each in rest if each[1]]):
                keep(name, verdicts)
        for name in missed:
            tell("pass" if caught[name] else "fail", name)
    return [
        FaultRow(name, *_told(faults[name]), tuple(sorted(caught[name])), tuple(sorted(crashed[name])))
        for name in sorted(faults)
    ]


def _told(text: str) -> tuple[str, str]:
    """The rule and the sentence of what an engine says of a fault: ``702.34a: It does this.``"""
    rule, _, sentence = text.partition(": ")
    return rule, sentence


# -- processes -----------------------------------------------------------------------------------------------

Submit = Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], Iterator[Any]]
"""Calls a function with each of these arguments, and gives what comes of it in whatever order."""


@dataclass(frozen=True, slots=True)
class _Bench:
    """What a process plays with."""

    cases: Sequence[Case]
    opened: Opened


_bench: _Bench | None = None
"""Of this process, so that cases are read once and need not be sent."""


@contextlib.contextmanager
def _workers(processes: int, arguments: Sequence[str], engine: str) -> Iterator[Submit]:
    if processes <= 1:
        _begin(arguments, engine)
        try:
            yield lambda do, work: (do(*each) for each in work)
        finally:
            _end()
        return
    with ProcessPoolExecutor(processes, initializer=_begin, initargs=(tuple(arguments), engine)) as pool:
        try:
            yield lambda do, work: _completed(pool, do, work)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _completed(pool: Executor, do: Callable[..., Any], work: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
    for future in as_completed([pool.submit(do, *each) for each in work]):
        yield future.result()


def _begin(arguments: Sequence[str], engine: str) -> None:
    global _bench
    _bench = _Bench(counted_cases(arguments), open_engine(engine))
    if multiprocessing.parent_process() is not None:
        # Looking through what stays would take a quarter of the time; what plays leave is collected between them.
        gc.disable()
        _sweep()


def _end() -> None:
    global _bench
    if _bench is not None:
        _bench.opened.close()
        _bench = None


def _sweep() -> None:
    """Collect what plays have left, where that is not done all the time, and look through what stays never again."""
    if not gc.isenabled():
        gc.collect()
        gc.freeze()


def _look(indices: Iterable[int]) -> dict[int, dict[str, str | None] | None]:
    """Play cases as they are; gives the faults that are near to each of them, with the verdicts that are known."""
    assert _bench is not None
    opened = _bench.opened
    found: dict[int, dict[str, str | None] | None] = {}
    for index in indices:
        case = _bench.cases[index]
        result = play(case, opened.engine, opened.description)
        if result.verdict != "pass":
            raise Unproven(f"{case.id} does not pass on {opened.title}: {result.verdict} {result.message}")
        near = opened.engine.faults_near(partial(_verdict, case, opened))
        found[index] = None if near is None else dict(near)
        _sweep()
    return found


def _verdict(case: Case, opened: Opened) -> str:
    return play(case, opened.engine, opened.description, faulted=True).verdict


def _break(fault: str, indices: Iterable[int]) -> tuple[str, dict[int, str]]:
    """Play cases with a fault; gives the verdicts of those that do not pass."""
    assert _bench is not None
    opened = open_engine(_bench.opened.name, fault)
    try:
        verdicts = {
            index: play(_bench.cases[index], opened.engine, opened.description, faulted=True).verdict
            for index in indices
        }
    finally:
        problem = opened.close()
        _sweep()
    if problem is not None:
        raise EngineProblem(f"engine {opened.name!r} with fault {fault}: {problem}")
    return fault, {index: verdict for index, verdict in verdicts.items() if verdict != "pass"}
