"""How long the report of a ten-thousand-case suite takes, with three engines beside each other and a trace.

    python benchmarks/report.py [--cases 10000] [--limit 20]

The suite is the real one, copied under other ids until it has as many cases. Ends with 1 where it takes longer
than the limit.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from judgecall.harness.engines import open_engine
from judgecall.harness.identity import Identity
from judgecall.harness.release import file_digest, suite_digest
from judgecall.harness.report import build
from judgecall.harness.results import Header, read_results, selection_of, write_results
from judgecall.harness.runner import plan, run
from judgecall.harness.running import header_of
from judgecall.harness.suite import Selected, suite_root
from judgecall.harness.verdicts import CaseResult, Mismatch
from judgecall.schema.loader import find_files, load_file


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--limit", type=float, default=20.0, metavar="SECONDS")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        ids = _suite(base / "suite" / "cases", options.cases)
        engines = [_results(base, number, ids) for number in range(3)]
        begun, work = perf_counter(), _work()
        read = [read_results(path) for path in engines]
        pages = build(read, base / "site", trace=False, root=base / "suite" / "cases")
        took, work = perf_counter() - begun, _work() - work
        size = sum(path.stat().st_size for path in (base / "site").rglob("*") if path.is_file())
    print(f"{len(ids)} cases, 3 engines: {pages} pages, {size / 1e6:.0f} MB")
    print(f"{took:.1f} s (limit {options.limit:g} s), {work:.1f} s of work in all processes")
    return 1 if took > options.limit else 0


def _work() -> float:
    """Seconds that this process and those that it has started have computed, whatever else the machine does."""
    return sum(os.times()[:4])


def _suite(root: Path, wanted: int) -> dict[str, str]:
    """Copy the suite until it has so many cases; gives their ids with the digests of their files."""
    root.mkdir(parents=True)
    shutil.copy(suite_root() / "_suite.yaml", root)
    ids: dict[str, str] = {}
    rulings = [load_file(path, root=suite_root()) for path in find_files([suite_root()])]
    for turn in range(1, 1000):
        for ruling in rulings:
            if len(ids) >= wanted:
                return ids
            name = f"{ruling.id}-{turn}"
            text = Path(ruling.path).read_text(encoding="utf-8")
            path = root / f"{name}.yaml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace(f"\nruling: {ruling.id}\n", f"\nruling: {name}\n", 1), encoding="utf-8")
            digest = file_digest(path)
            ids.update((f"{name}::{case.name}", digest) for case in ruling.cases)
    return ids


def _results(base: Path, number: int, ids: dict[str, str]) -> Path:
    """Results of an engine: the oracle with its trace, one that fails a third, one that knows half of the cards."""
    played = _oracle() if number == 0 else {}
    results: list[CaseResult] = []
    for at, (id_, digest) in enumerate(ids.items()):
        result = CaseResult(id_, "pass", digest=digest, seconds=0.01)
        if number == 0:
            result = replace(result, trace=played[_original(id_)].trace)
        elif number == 1 and at % 3 == 0:
            result = replace(
                result,
                verdict="fail",
                message="Think Twice: zone: expected exile, got graveyard",
                step=2,
                steps=("{cast: Think Twice, using: [flashback]}", "{resolve: all}"),
                mismatches=(Mismatch("Think Twice: zone", "exile", "graveyard"),),
                rules=("702.34a",),
                board="turn 1, alice's precombat main\nalice: life 20\n  battlefield: 6 Island\nbob: life 20",
            )
        elif number == 2 and at % 2 == 0:
            result = replace(result, verdict="unsupported", message="card: Think Twice", unsupported=("card", "x"))
        results.append(result)
    path = base / f"{number}.jsonl"
    write_results(path, _header(base, number, ids), results, "2026-11-30T00:00:00Z")
    return path


def _original(id_: str) -> str:
    ruling, _, case = id_.partition("::")
    return f"{ruling.rpartition('-')[0]}::{case}"


def _oracle() -> dict[str, CaseResult]:
    opened = open_engine("oracle")
    try:
        planned = plan([Selected(path, None) for path in find_files([suite_root()])])
        return {result.case: result for result in run(planned, opened, traced=True)}
    finally:
        opened.close()


def _header(base: Path, number: int, ids: dict[str, str]) -> Header:
    opened = open_engine("oracle")
    header = header_of(opened, (), None)
    opened.close()
    name = ("oracle", "another engine", "a third engine")[number]
    return replace(
        header,
        suite_digest=suite_digest(base / "suite" / "cases"),
        engine=Identity(name, "1.0", name),
        selection=selection_of(ids.items()),
    )


if __name__ == "__main__":
    sys.exit(main())
