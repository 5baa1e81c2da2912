"""Parts of a site that are made side by side: each reads some of the rulings, then writes their pages.

Between the two all parts say what lists show of their rulings, since a page's links depend on what there is.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from judgecall.harness.release import Release, bytes_digest
from judgecall.harness.report.text import folded, page_path
from judgecall.harness.report.views import CaseView, Column, Proof, Row, RulingView, case_view, cells_of, trace_views
from judgecall.harness.report.writing import Writer
from judgecall.harness.verdicts import TraceEntry
from judgecall.schema.loader import CaseFileError, load_text
from judgecall.schema.model import Case, Ruling
from judgecall.schema.yaml_tree import decode

__all__ = ["Found", "Links", "Part", "Shared", "Traces", "begin", "read_ruling"]

Traces = Mapping[str, tuple[Sequence[TraceEntry], str]]
"""By case: the trace of an engine that keeps one, and which engine that is."""

_WORTH_A_PROCESS = 150
"""Files that a process must have to read before it is worth starting one."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What all parts know."""

    root: Path
    """The suite."""
    folder: Path
    facts: Release
    columns: Sequence[Column]
    traces: Traces
    proof: Proof | None = None


@dataclass(frozen=True, slots=True)
class Links:
    """What the pages of a part link to."""

    rules: frozenset[str]
    """Those that have a place on the page of rules."""
    before: Row | None = None
    """The ruling before the first of this part."""
    after: Row | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a part has read."""

    rows: list[Row]
    digests: list[tuple[str, str]]
    """Of its files, by their paths under the suite."""


@dataclass(slots=True)
class Part:
    """Files of the suite, or rulings that only results have."""

    shared: Shared
    files: Sequence[Path] = ()
    strays: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Of rulings that the suite does not have: their cases."""
    views: list[RulingView] = field(default_factory=list)

    def read(self) -> Found:
        """Read the rulings."""
        digests = []
        for path in self.files:
            digest, ruling = read_ruling(path, self.shared.root)
            digests.append((path.relative_to(self.shared.root).as_posix(), digest))
            if ruling is not None:
                self.views.append(self._of_suite(ruling, digest))
        self.views += map(self._of_results, self.strays)
        return Found([view.row for view in self.views], digests)

    def write(self, links: Links) -> int:
        """Write the pages; gives how many."""
        writer = Writer(
            self.shared.folder,
            self.shared.facts,
            self.shared.columns,
            links.rules,
            faults=self.shared.proof is not None,
        )
        rows = [links.before, *(view.row for view in self.views), links.after]
        for number, view in enumerate(self.views):
            writer.page(
                view.row.path, "ruling.html", ruling=view, row=view.row, before=rows[number], after=rows[number + 2]
            )
        return len(self.views)

    def _of_suite(self, ruling: Ruling, digest: str) -> RulingView:
        cases = tuple(self._case(case, digest) for case in ruling.cases)
        cards = dict.fromkeys(name for case in ruling.cases for name in case.mentions)
        words = (ruling.id, *ruling.summary.values(), *ruling.rules, *cards, *(case.title for case in cases))
        title = ruling.summary.get("en") or ruling.id
        return RulingView(
            self._row(ruling.id, title, ruling.rules, cases, words), ruling.summary, ruling.sources, cases
        )

    def _case(self, case: Case, digest: str) -> CaseView:
        results = tuple(column.cases.get(case.id) for column in self.shared.columns)
        trace, by = self.shared.traces.get(case.id, ((), ""))
        return case_view(case, digest, results, trace, by, self.shared.proof)

    def _of_results(self, ruling: str) -> RulingView:
        """A ruling that the suite does not have, as far as results tell."""
        cases = tuple(self._stray(ruling, id_) for id_ in self.strays[ruling])
        words = (ruling, *(case.title for case in cases))
        return RulingView(self._row(ruling, ruling, (), cases, words, in_suite=False), {}, (), cases)

    def _stray(self, ruling: str, id_: str) -> CaseView:
        results = tuple(column.cases.get(id_) for column in self.shared.columns)
        known = [result for result in results if result is not None]
        trace, by = self.shared.traces.get(id_, ((), ""))
        return CaseView(
            id_,
            id_.removeprefix(ruling + "::"),
            next((result.title for result in known if result.title), id_),
            next((result.status for result in known if result.status), None),
            next((result.why for result in known if result.why), None),
            None,
            results,
            trace=trace_views(trace),
            traced_by=by,
        )

    def _row(
        self,
        id_: str,
        title: str,
        rules: tuple[str, ...],
        cases: Sequence[CaseView],
        words: Iterable[str],
        *,
        in_suite: bool = True,
    ) -> Row:
        return Row(
            id_,
            page_path(id_, of_suite=in_suite),
            id_.partition("/")[0],
            title,
            rules,
            cells_of(cases, len(self.shared.columns)),
            tuple(case.id for case in cases),
            sum(case.status is not None for case in cases),
            folded(" ".join(words)),
            in_suite,
        )


def read_ruling(path: Path, root: Path) -> tuple[str, Ruling | None]:
    """A file of the suite, opened once: its digest, and what it says.

    Of a broken file there is nothing: what results say of its cases is shown all the same.
    """
    try:
        data = path.read_bytes()
        shown = str(path)
        id_ = path.relative_to(root).with_suffix("").as_posix()
        return bytes_digest(data), load_text(decode(data, shown), shown, expected_id=id_)
    except CaseFileError:
        return bytes_digest(data), None


class _Here:
    """A part that this process makes."""

    def __init__(self, part: Part) -> None:
        self._part = part
        self._pages = 0

    def found(self) -> Found:
        """What it has read."""
        return self._part.read()

    def write(self, links: Links) -> None:
        """Have its pages written."""
        self._pages = self._part.write(links)

    def pages(self) -> int:
        """How many pages it has written."""
        return self._pages


class _Beside:
    """A part that a process of its own makes. It is a copy of this one, so that nothing has to be sent to it."""

    def __init__(self, part: Part) -> None:
        context = multiprocessing.get_context("fork")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, part), daemon=True)
        self._process.start()
        theirs.close()

    def found(self) -> Found:
        """What it has read."""
        found: Found = self._receive()
        return found

    def write(self, links: Links) -> None:
        """Have its pages written."""
        self._connection.send(links)

    def pages(self) -> int:
        """How many pages it has written, once it has."""
        pages: int = self._receive()
        self._process.join()
        return pages

    def _receive(self) -> Any:
        value = self._connection.recv()
        if isinstance(value, Exception):
            raise value
        return value


def _serve(connection: Connection, part: Part) -> None:
    try:
        connection.send(part.read())
        connection.send(part.write(connection.recv()))
    except Exception as error:
        connection.send(error)


def begin(shared: Shared, files: Sequence[Path]) -> list[_Here | _Beside]:
    """Begin with the files of the suite, in as many processes as are worth it; the parts are in the files' order."""
    workers = min(os.cpu_count() or 1, len(files) // _WORTH_A_PROCESS)
    if workers < 2 or sys.platform != "linux":
        return [_Here(Part(shared, files))]
    cuts = [len(files) * number // workers for number in range(workers + 1)]
    return [_Beside(Part(shared, files[start:end])) for start, end in pairwise(cuts)]
