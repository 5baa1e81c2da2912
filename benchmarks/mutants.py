"""Small mistakes written into the rules, one at a time: are they noticed by the cases alone?

    python -m benchmarks.mutants                      # a fixed sample of at least a thousand
    python -m benchmarks.mutants --only casting.py    # of some modules
    python -m benchmarks.mutants -o mutants.jsonl     # every mutant and what became of it
    python -m benchmarks.mutants --again mutants.jsonl cases/costs

Needs the extra ``mutants``. The mistakes are those of cosmic-ray, in what functions do: declarations are left out, and
so are traces, messages and assertions. At a place there is at most one mistake of a kind, so that operators with many
others to swap for do not weigh more. A mutant is put into a process that has read the cases and played none, and plays
those that run the line until one does not pass. Ends with 1 where fewer than ``--aim`` per cent do not pass.
"""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import resource
import signal
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import perf_counter
from typing import Any

import coverage
import yaml
from judgecall import oracle
from judgecall.adapters.oracle import OracleEngine
from judgecall.harness.play import play
from judgecall.harness.prove import counted_cases
from judgecall.oracle.cards import loader
from judgecall.oracle.faults.gallery import memories_aside
from judgecall.oracle.vocabulary import read_vocabulary
from judgecall.schema.model import Case

from benchmarks.mutating import Mutant, codes, mutants, sample

MODULES = (
    # costs
    "costs.py",
    "payment.py",
    "keyword_abilities/costs.py",
    "vocabulary/payments.py",
    # casting
    "announcing.py",
    "casting.py",
    "casting_now.py",
    "keyword_abilities/casting.py",
    "ways.py",
    # layers
    "characteristics.py",
    "layer_reads.py",
    "layers.py",
    "statics.py",
    "vocabulary/changes.py",
    # face-down and double-faced cards
    "double_faced.py",
    "face_down.py",
    "objects.py",
)
SAME = Path(__file__).with_name("mutants_same.yaml")
_PATIENCE = 60
"""Seconds that a case may take; none takes one."""
_MEMORY = 6 << 30
_FOLDER = Path(oracle.__file__).parent


cases: list[Case] = []
"""Read once; processes have them from the one that they are forked from."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant: ``killed``, ``crashed``, ``endless``, ``survived``, or ``not run`` by any case."""

    mutant: Mutant
    what: str
    new: str
    """The line with the mistake."""
    by: str = ""
    """The case that did not pass."""
    played: int = 0


def main() -> int:
    """Play, print, and say with the exit status whether enough did not pass."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("cases", nargs="*", metavar="ID|PATH", help="default: all")
    parser.add_argument("--again", metavar="FILE", help="only what a former run's output says was not caught")
    parser.add_argument("--only", action="append", metavar="MODULE", choices=MODULES, help="repeatable")
    parser.add_argument("--sample", type=int, default=1200, help="default: %(default)s")
    parser.add_argument("--seed", default="judgecall")
    parser.add_argument("-n", "--processes", type=int, default=2)
    parser.add_argument("--aim", type=float, default=85.0, metavar="PERCENT")
    parser.add_argument("-o", "--output", metavar="FILE", help="JSON lines")
    parser.add_argument("-q", "--quiet", action="store_true", help="do not list those that survive")
    given = parser.parse_args()
    read_vocabulary()
    for name in MODULES:
        import_module(f"judgecall.oracle.{name[:-3].replace('/', '.')}")
    cases.extend(counted_cases(given.cases))
    names = given.only or list(MODULES)
    every = [mutant for name in names for mutant in mutants(name, _source(name))]
    chosen = sample(every, given.sample, given.seed)
    if given.again:
        left = _left(Path(given.again))
        chosen = [mutant for mutant in chosen if (mutant.module, mutant.text, mutant.column, mutant.operator) in left]
    begun = perf_counter()
    running = _lines_run(names, given.processes)
    print(f"{len(every)} mutants, {len(chosen)} of them in the sample; {len(cases)} cases looked at ", end="")
    print(f"in {perf_counter() - begun:.0f} s", flush=True)
    verdicts = []
    for verdict in _play_all(chosen, running, given.processes):
        verdicts.append(verdict)
        if len(verdicts) % 100 == 0:
            print(f"{len(verdicts)} mutants, {perf_counter() - begun:.0f} s", flush=True)
    verdicts.sort(key=lambda verdict: verdict.mutant)
    if given.output:
        with Path(given.output).open("w", encoding="utf-8") as file:
            for verdict in verdicts:
                file.write(json.dumps(_row(verdict)) + "\n")
    print(f"{perf_counter() - begun:.0f} s in {given.processes} processes")
    return _tell(verdicts, names, quiet=given.quiet, aim=given.aim)


# -- telling -------------------------------------------------------------------------------------------------

_CAUGHT = ("killed", "crashed", "endless")


@cache
def _source(module: str) -> str:
    return (_FOLDER / module).read_text(encoding="utf-8")


def _tell(verdicts: Sequence[Verdict], names: Sequence[str], *, quiet: bool, aim: float) -> int:
    same = _same()
    table: dict[str, Counter[str]] = {name: Counter() for name in (*names, "all")}
    left = []
    for verdict in verdicts:
        mutant, what = verdict.mutant, verdict.what
        if what not in _CAUGHT and (mutant.module, mutant.text, verdict.new) in same:
            what = "same"
        elif what not in _CAUGHT:
            left.append(verdict)
        table[mutant.module][what] += 1
        table["all"][what] += 1
    columns = (*_CAUGHT, "survived", "not run", "same")
    print(f"{'':30}" + "".join(f"{column:>10}" for column in columns) + f"{'caught':>10}")
    share = 0.0
    for name, counts in table.items():
        caught = sum(counts[column] for column in _CAUGHT)
        share = 100 * caught / max(1, counts.total() - counts["same"])
        print(f"{name:30}" + "".join(f"{counts[column]:10}" for column in columns) + f"{share:8.1f} %")
    if not quiet:
        for verdict in left:
            mutant = verdict.mutant
            print(f"\n{mutant.module}:{mutant.line} {mutant.function} ({verdict.what}, {verdict.played} cases)")
            print(f"  - {mutant.text}\n  + {verdict.new}")
    return 1 if share < aim else 0


def _same() -> frozenset[tuple[str, str, str]]:
    """Mutants that do the same as what they were made of, as module, line and changed line."""
    listed = yaml.safe_load(SAME.read_text(encoding="utf-8")) or []
    for each in listed:
        if each["old"] not in (line.strip() for line in _source(each["module"]).splitlines()):
            print(f"{SAME.name}: {each['module']} has no line {each['old']!r} any more")
    return frozenset((each["module"], each["old"], each["new"]) for each in listed)


def _left(path: Path) -> frozenset[tuple[str, str, int, str]]:
    """What a former run's output says was not caught: module, line, column and operator."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return frozenset(
        (row["module"], row["old"], row["column"], row["operator"]) for row in rows if row["verdict"] not in _CAUGHT
    )


def _row(verdict: Verdict) -> Mapping[str, Any]:
    mutant = verdict.mutant
    return {
        "module": mutant.module,
        "line": mutant.line,
        "column": mutant.column,
        "function": mutant.function,
        "operator": mutant.operator,
        "old": mutant.text,
        "new": verdict.new,
        "verdict": verdict.what,
        "by": verdict.by,
        "played": verdict.played,
    }


# -- which cases run which lines -----------------------------------------------------------------------------

Running = Mapping[tuple[str, int], Sequence[int]]
"""By module and line, the cases that run it."""


def _lines_run(names: Sequence[str], processes: int) -> Running:
    portions = [range(start, len(cases), processes) for start in range(processes)]
    found: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        for seen in pool.starmap(_look, [(portion, names) for portion in portions], chunksize=1):
            for key, indices in seen.items():
                found[key] += indices
    return {key: sorted(indices) for key, indices in found.items()}


def _look(indices: Iterable[int], names: Sequence[str]) -> Mapping[tuple[str, int], list[int]]:
    files = {str(_FOLDER / name): name for name in names}
    watching = coverage.Coverage(data_file=None, include=list(files), messages=False)
    engine = OracleEngine()
    watching.start()
    for index in indices:
        # As a process that has played nothing: what is read or settled once is read and settled for each case.
        memories_aside()
        loader.load.cache_clear()
        watching.switch_context(str(index))
        if play(cases[index], engine, faulted=True).verdict != "pass":
            raise SystemExit(f"{cases[index].id} does not pass as it is")
    watching.stop()
    data = watching.get_data()
    return {
        (name, line): [int(context) for context in contexts if context]
        for file, name in files.items()
        for line, contexts in data.contexts_by_lineno(file).items()
    }


# -- playing with a mutant -----------------------------------------------------------------------------------


def _play_all(chosen: Sequence[Mutant], running: Running, processes: int) -> Iterator[Verdict]:
    """Each in a process of its own, forked from this one, which has read the cases and played none."""
    functions = _functions({mutant.module for mutant in chosen})
    gc.collect()
    gc.freeze()
    gc.disable()
    fork = multiprocessing.get_context("fork")
    killers: defaultdict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    open_: dict[Connection, tuple[Any, Mutant]] = {}
    waiting = list(reversed(chosen))
    while waiting or open_:
        while waiting and len(open_) < processes:
            mutant = waiting.pop()
            near = sorted({index for line in mutant.lines for index in running.get((mutant.module, line), ())})
            if not near:
                yield Verdict(mutant, "not run", mutant.write(_source(mutant.module))[1])
                continue
            known = killers[mutant.module, mutant.function]
            near.sort(key=lambda index, known=known: -known[index])  # type: ignore[misc]
            ours, theirs = fork.Pipe(duplex=False)
            process = fork.Process(target=_attempt, args=(theirs, mutant, functions, near))
            process.start()
            theirs.close()
            open_[ours] = process, mutant
        for ready in wait(list(open_)) if open_ else ():
            assert isinstance(ready, Connection)
            process, mutant = open_.pop(ready)
            try:
                new = ready.recv()
                what, index, played = ready.recv()
            except EOFError:
                raise SystemExit(f"the process with {mutant} broke") from None
            ready.close()
            process.join()
            if index >= 0:
                killers[mutant.module, mutant.function][index] += 1
            yield Verdict(mutant, what, new, cases[index].id if index >= 0 else "", played)


class _Late(BaseException):
    """A case takes too long."""


def _late(*_: object) -> None:
    raise _Late


def _attempt(tell: Connection, mutant: Mutant, functions: Mapping[Any, Sequence[Any]], near: Sequence[int]) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    signal.signal(signal.SIGALRM, _late)
    source, new = mutant.write(_source(mutant.module))
    tell.send(new)
    for key, code in codes(mutant.module, source).items():
        for function in functions.get(key, ()):
            if len(code.co_freevars) == len(function.__code__.co_freevars):
                function.__code__ = code
    engine = OracleEngine()
    played = 0
    for index in near:
        played += 1
        signal.alarm(_PATIENCE)
        try:
            verdict = play(cases[index], engine, faulted=True).verdict
        except _Late:
            tell.send(("endless", index, played))
            return
        signal.alarm(0)
        if verdict != "pass":
            tell.send(("crashed" if verdict == "error" else "killed", index, played))
            return
        if played % 50 == 0:
            gc.collect()
    tell.send(("survived", -1, played))


def _functions(modules: Iterable[str]) -> Mapping[Any, Sequence[Any]]:
    """The functions of these modules as they are in memory, wherever they have been put, by their code's key."""
    files = {str(_FOLDER / name): name for name in modules}
    keys = {(name, code): key for name in files.values() for key, code in codes(name, _source(name)).items()}
    found: defaultdict[Any, list[Any]] = defaultdict(list)
    for thing in gc.get_objects():
        if isinstance(thing, _FUNCTION) and thing.__code__.co_filename in files:
            known = keys.get((files[thing.__code__.co_filename], thing.__code__))
            if known is not None:
                found[known].append(thing)
    return found


_FUNCTION = type(main)

if __name__ == "__main__":
    raise SystemExit(main())
