"""What a run of pytest keeps of its cases: the results file, known failures, and whether it is enough.

Imported only by a run that plays cases, since every run of pytest loads the plugin.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from judgecall.harness.engines import EngineProblem, Opened
from judgecall.harness.enough import Demand, shortfalls
from judgecall.harness.identity import digest_of
from judgecall.harness.known import Known, KnownProblem, read_known
from judgecall.harness.phrase import many
from judgecall.harness.properties import header_properties, result_of
from judgecall.harness.release import file_digest
from judgecall.harness.results import Header, Recorder, portable
from judgecall.harness.runner import Tally
from judgecall.harness.running import header_of, required_cases
from judgecall.harness.shards import Shard, ShardProblem
from judgecall.harness.suite import NotFound, nodes
from judgecall.harness.verdicts import CaseResult
from judgecall.schema.loader import CaseFileError, load_file
from judgecall.schema.model import Case

__all__ = ["Recording"]

Selected = tuple[str, str, str]
"""Of a case that was selected: pytest's node id, its own id, and the digest of its file."""


class Recording:
    """The results of one run of pytest, in this process or, under ``-n``, from all others."""

    def __init__(self, config: pytest.Config, root: Path, *, own_suite: bool) -> None:
        """Check the options.

        Raises:
            pytest.UsageError: they make no sense, or a file cannot be read or written.
        """
        self.config = config
        self.results: dict[str, CaseResult] = {}
        self.selected: dict[str, Selected] = {}
        """By node id."""
        self.lost: dict[str, str] = {}
        """What was said of cases that came to no verdict, as where a process died, by node id."""
        self.lacking: list[str] = []
        self.path: str | None = config.getoption("--judgecall-results")
        self.files: list[str] = config.getoption("--engine-file") or []
        self._digests: dict[str, str] = {}
        worker = hasattr(config, "workerinput")
        shard: str | None = config.getoption("--shard")
        self.demand = Demand(
            tuple(config.getoption("--require") or ()),
            config.getoption("--min-passing"),
            config.getoption("--allow-unsupported"),
        )
        try:
            self.shard = Shard.parse(shard) if shard else None
            if self.shard is not None and self.demand.min_passing is not None:
                raise pytest.UsageError("--min-passing counts a whole run: give it to 'judgecall merge'")
            known: str | None = config.getoption("--known-failures")
            self.known: Known | None = read_known(known) if known else None
            self.required: dict[str, Collection[str]] = {}
            if not worker:
                self.required = required_cases(self.demand.profiles, self.shard)
                self._hold(root, own_suite)
                if self.path is not None:
                    # What an earlier run has left there must not be taken for what comes of this one.
                    Path(self.path).write_bytes(b"")
                for file in self.files:
                    digest_of(file)
        except (ShardProblem, EngineProblem, KnownProblem, NotFound) as problem:
            raise pytest.UsageError(str(problem)) from None
        except OSError as error:
            raise pytest.UsageError(f"--judgecall-results: {self.path} cannot be written: {error.strerror}") from None

    def _hold(self, root: Path, own_suite: bool) -> None:
        """Refuse a list of known failures with entries that mean no case."""
        if self.known is None:
            return
        there = [case for case in self.known.entries if _exists(case, root, own_suite)]
        stale = self.known.unmatched(there)
        if stale:
            raise pytest.UsageError("; ".join(stale))

    # --- while cases are collected and played

    def select(self, found: Iterable[tuple[str, Case]]) -> set[str]:
        """Take in the cases that were selected, by node id; gives the node ids of those that another shard has."""
        elsewhere = set()
        for node, case in found:
            self.selected[node] = (node, case.id, self.digest(case))
            if self.shard is not None and not self.shard.has(case.id):
                elsewhere.add(node)
        return elsewhere

    def digest(self, case: Case) -> str:
        """The digest of a case's file."""
        if case.path not in self._digests:
            self._digests[case.path] = file_digest(case.path)
        return self._digests[case.path]

    def add(self, report: pytest.TestReport) -> None:
        """Take in the report of a case, also one that another process has played."""
        result = result_of(report.user_properties) if report.when == "call" else None
        if result is not None:
            self.results[result.case] = result
        elif report.failed:
            self.lost[report.nodeid] = report.longreprtext

    def from_worker(self, output: dict[str, Any]) -> None:
        """Take in what a process has selected: each selects all, and plays some."""
        for node, case, digest in output.get("judgecall", ()):
            self.selected[node] = (node, case, digest)

    def to_controller(self) -> list[Selected]:
        """What the process that started this one is told."""
        return list(self.selected.values())

    # --- at the end

    def finish(self, session: pytest.Session, exitstatus: int, opened: Callable[[], Opened]) -> None:
        """Write the results, and let a run that is not as required end with 1."""
        for node, text in self.lost.items():
            if node in self.selected:
                _, case, digest = self.selected[node]
                self.results.setdefault(case, CaseResult(case, "error", text, digest=digest))
        asked = self.path is not None or self.config.getoption("--junitxml", None)
        if self.selected and asked:
            selection = [(case, digest) for _, case, digest in self.selected.values()]
            header = header_of(opened(), selection, self.shard, self.files)
            self._tell_junit(header)
            if self.path is not None:
                self._write(header, whole=exitstatus in (0, 1, 5))
        demanded = bool(self.demand.profiles) or self.demand.min_passing is not None
        if self.results or demanded:
            self.lacking = shortfalls(list(self.results.values()), self.demand, self.required)
        if self.lacking and exitstatus in (0, 5):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _write(self, header: Header, *, whole: bool) -> None:
        assert self.path is not None
        planned = {case for _, case, _ in self.selected.values() if self.shard is None or self.shard.has(case)}
        recorder = Recorder(self.path, header)
        try:
            for case in sorted(self.results):
                recorder.add(portable(self.results[case]))
            if whole and planned == self.results.keys() and len(self.selected) == header.selection.cases:
                recorder.finish()
        finally:
            recorder.close()

    def _tell_junit(self, header: Header) -> None:
        for plugin in self.config.pluginmanager.get_plugins():
            tell = getattr(plugin, "add_global_property", None)
            if callable(tell):
                for name, value in header_properties(header):
                    tell(name, value)

    def summary(self) -> list[str]:
        """What to say at the end of the run."""
        tally = Tally()
        lacking: dict[str, int] = {}
        apart: list[str] = []
        for result in self.results.values():
            tally.add(result)
            if result.status is not None:
                apart.append(f"  {result.status}, not counted: {result.case}: {result.verdict}")
            elif result.verdict == "unsupported":
                lacking[result.message] = lacking.get(result.message, 0) + 1
        lines = [tally.summary(), *apart]
        most = sorted(lacking.items(), key=lambda pair: (-pair[1], pair[0]))
        lines += [f"  {count} unsupported for {message}" for message, count in most[:10]]
        if len(most) > 10:
            lines.append(f"  and for {many(len(most) - 10, 'other reason')}")
        if self.demand.relaxed:
            lines += [f"  {reason}" for reason in self.lacking]
        return lines


def _exists(case: str, root: Path, own_suite: bool) -> bool:
    """Whether there is a case of that id."""
    ruling, _, name = case.partition("::")
    try:
        found: Sequence[str] = nodes(ruling, root)
        cases = load_file(found[0], root=root if own_suite else None).cases
    except (NotFound, CaseFileError):
        return False
    return any(each.name == name for each in cases)
