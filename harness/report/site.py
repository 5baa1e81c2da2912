"""Building the site: the rulings are read in parts, then come the pages that lists all of them."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from judgecall.harness import suite
from judgecall.harness.compare import compare
from judgecall.harness.matrix import Matrix
from judgecall.harness.release import list_digest, release
from judgecall.harness.report.parts import Links, Part, Shared, Traces, begin, read_ruling
from judgecall.harness.report.views import Cell, Column, Proof, Row, rule_key
from judgecall.harness.report.writing import Writer
from judgecall.harness.results import Results, ResultsError
from judgecall.harness.runner import Planned, run
from judgecall.harness.verdicts import TraceEntry
from judgecall.schema.loader import find_files

__all__ = ["build"]

ASSETS = Path(__file__).parent / "assets"


def build(
    results: Sequence[Results],
    folder: Path,
    *,
    older: Sequence[Results] = (),
    matrix: Matrix | None = None,
    trace: bool = True,
    tell: Callable[[str], None] = lambda text: None,
    root: Path | None = None,
) -> int:
    """Write the site; gives how many pages it has.

    Args:
        results: what the engines came to; each is a column.
        folder: where to write; files that are there and of other names stay.
        older: older results, each compared with the newer ones of the engine of the same name.
        matrix: which faults the cases catch; None: the site says nothing of that.
        trace: where no results hold a trace, the cases are played on the oracle for one.
        tell: told what takes its time.
        root: the suite; None: the installed one.

    Raises:
        ResultsError: results are those of a shard, older ones are of no engine here, or a file cannot be written.
    """
    base = root or suite.suite_root()
    files = find_files([base])
    columns = _columns(results, older)
    proof = Proof.of(matrix) if matrix is not None else None
    traces = _recorded(columns)
    if trace and not traces:
        tell("playing the cases on the oracle for its trace")
        traces = _played(files, base)
    collecting = gc.isenabled()
    # Nothing here is garbage until the site is written, and looking for it would take a third of the time.
    gc.disable()
    try:
        return _write(Shared(base, folder, release(base), columns, traces, proof), files)
    except OSError as error:
        raise ResultsError(f"{error.filename or folder} cannot be written: {error.strerror}") from None
    finally:
        if collecting:
            gc.enable()


def _columns(results: Sequence[Results], older: Sequence[Results]) -> list[Column]:
    for each in (*results, *older):
        if each.header.shard is not None:
            raise ResultsError(f"{each.path} is shard {each.header.shard} of a run: merge the shards first")
    columns = []
    titles: dict[str, int] = {}
    for number, each in enumerate(results):
        title = each.header.engine.title or "an engine without a name"
        titles[title] = titles.get(title, 0) + 1
        if titles[title] > 1:
            title = f"{title} ({titles[title]})"
        cases = {result.case: result for result in each.cases}
        columns.append(Column(f"e{number}", title, each, cases))
    for old in older:
        name = old.header.engine.name
        at = [i for i, column in enumerate(columns) if column.results.header.engine.name == name]
        if not at:
            raise ResultsError(f"{old.path} has older results of {name!r}, and there are no newer ones to compare with")
        for i in at:
            comparison = compare(old, columns[i].results)
            columns[i] = replace(columns[i], changes=(*columns[i].changes, comparison))
    return columns


def _recorded(columns: Sequence[Column]) -> Traces:
    """Traces that are in the results: of the oracle where it is among the engines."""
    traces: dict[str, tuple[Sequence[TraceEntry], str]] = {}
    for column in sorted(columns, key=lambda column: column.results.header.engine.name != "oracle"):
        if column.results.header.engine.fault is None:
            for case, result in column.cases.items():
                if result.trace:
                    traces.setdefault(case, (result.trace, column.title))
    return traces


def _played(files: Sequence[Path], root: Path) -> Traces:
    """The oracle's play of every case."""
    from judgecall.harness.engines import DEFAULT_ENGINE, open_engine

    opened = open_engine(DEFAULT_ENGINE)
    try:
        rulings = [ruling for path in files if (ruling := read_ruling(path, root)[1]) is not None]
        planned = [Planned(case.id, "", case) for ruling in rulings for case in ruling.cases]
        return {
            result.case: (result.trace, opened.title) for result in run(planned, opened, traced=True) if result.trace
        }
    finally:
        opened.close()


def _write(shared: Shared, files: Sequence[Path]) -> int:
    shared.folder.mkdir(parents=True, exist_ok=True)
    for asset in ASSETS.iterdir():
        if asset.suffix in (".css", ".js"):
            (shared.folder / asset.name).write_bytes(asset.read_bytes())
    parts = begin(shared, files)
    found = [part.found() for part in parts]
    digest = list_digest(pair for each in found for pair in each.digests)
    stray = _strays(shared, [row for each in found for row in each.rows])
    found.append(stray.read())
    every = [row for each in found for row in each.rows]
    rules = _rules(every, len(shared.columns))
    known = frozenset(rule for rule, _, _ in rules)
    at = 0
    for part, each in zip((*parts, stray), found, strict=True):
        before = every[at - 1] if at else None
        at += len(each.rows)
        part.write(Links(known, before, every[at] if at < len(every) else None))
    pages = _lists(shared, every, rules, known, digest)
    return pages + len(stray.views) + sum(part.pages() for part in parts)


def _strays(shared: Shared, rows: Iterable[Row]) -> Part:
    """The rulings and cases that only results have."""
    known = {case for row in rows for case in row.cases}
    strays: dict[str, set[str]] = {}
    for column in shared.columns:
        for case in column.cases:
            if case not in known:
                strays.setdefault(case.rpartition("::")[0] or case, set()).add(case)
    return Part(shared, strays={ruling: sorted(strays[ruling]) for ruling in sorted(strays)})


Ruled = tuple[str, list[Row], tuple[Cell, ...]]
"""A rule, the rulings that rest on it, and what engines come to on their cases."""


def _rules(rows: Iterable[Row], columns: int) -> list[Ruled]:
    """Each rule that rulings rest on, in the order of the book."""
    carried: dict[str, list[Row]] = {}
    for row in rows:
        for rule in dict.fromkeys(row.rules):
            carried.setdefault(rule, []).append(row)
    return [(rule, carried[rule], _sum(carried[rule], columns)) for rule in sorted(carried, key=rule_key)]


def _sum(rows: Iterable[Row], columns: int) -> tuple[Cell, ...]:
    counts: list[dict[str, int]] = [{} for _ in range(columns)]
    for row in rows:
        for number, cell in zip(counts, row.cells, strict=True):
            for verdict, count in cell.counts.items():
                number[verdict] = number.get(verdict, 0) + count
    return tuple(Cell(number) for number in counts)


def _lists(shared: Shared, rows: Sequence[Row], rules: Sequence[Ruled], known: frozenset[str], digest: str) -> int:
    """Write the pages that show all rulings; gives how many."""
    proof = shared.proof
    writer = Writer(shared.folder, shared.facts, shared.columns, known, faults=proof is not None)
    mechanics: dict[str, list[Row]] = {}
    for row in rows:
        mechanics.setdefault(row.mechanic, []).append(row)
    columns = len(shared.columns)
    overview: dict[str, Any] = {
        "totals": _sum(rows, columns),
        "mechanics": [(mechanic, len(found), _sum(found, columns)) for mechanic, found in mechanics.items()],
        "profiles": [
            (profile, _sum((row for row in rows if row.in_suite and profile.has(f"{row.id}::")), columns))
            for profile in shared.facts.profiles
        ],
        "rulings": len(rows),
        "cases": sum(len(row.cases) for row in rows),
        "apart": sum(row.apart for row in rows),
        # Engines whose results are of another suite than the one that the site shows.
        "elsewhere": [c.key for c in shared.columns if c.results.header.suite_digest != digest],
    }
    writer.page("index.html", "index.html", **overview)
    writer.page("rulings.html", "rulings.html", rows=rows, mechanics=list(mechanics))
    writer.page("rules.html", "rules.html", rules=rules)
    pages = 3
    paths = {case: f"{row.path}#case-{number}" for row in rows for number, case in enumerate(row.cases, start=1)}
    if any(column.changes for column in shared.columns):
        writer.page("changes.html", "changes.html", paths=paths)
        pages += 1
    if proof is not None:
        elsewhere = proof.matrix.suite_digest != digest
        writer.page("faults.html", "faults.html", paths=paths, proof=proof, matrix=proof.matrix, elsewhere=elsewhere)
        pages += 1
    # JSON within a script: what is no ASCII is escaped, and nothing in it can end the script.
    data = json.dumps([row.search for row in rows], ensure_ascii=True, separators=(",", ":"))
    writer.file("search.js", f"const searchTexts={data};\n")
    return pages
