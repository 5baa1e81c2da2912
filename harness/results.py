"""The results file: what one engine came to on a selection of cases, as JSON lines.

A header says who was judged on what, then comes a line for each case, in the order of the ids, then a footer.
A file without its footer is that of a run that did not end, and is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

from judgecall.harness.identity import Identity
from judgecall.harness.phrase import many
from judgecall.harness.release import list_digest
from judgecall.harness.shards import Shard, ShardProblem
from judgecall.harness.suite import suite_root
from judgecall.harness.verdicts import VERDICTS, CaseResult

__all__ = [
    "FORMAT",
    "Header",
    "Recorder",
    "Results",
    "ResultsError",
    "Selection",
    "counts_of",
    "now",
    "portable",
    "read_results",
    "selection_of",
    "write_results",
]

FORMAT = 1
_KIND = "judgecall results"


class ResultsError(Exception):
    """A results file that is none, is cut off, or does not hold together; the text says where and why."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which cases a run was to play: how many, and the digest of their ids with the digests of their files."""

    cases: int
    digest: str


@dataclass(frozen=True, slots=True)
class Header:
    """What all cases of a results file have in common."""

    suite_version: str
    suite_digest: str
    comprehensive_rules: str
    case_format: int
    protocol: int
    engine: Identity
    selection: Selection
    environments: tuple[Mapping[str, str], ...]
    started: str
    shard: Shard | None = None
    """The part of the selection that this file has; None: all of it."""

    def to_json(self) -> dict[str, Any]:
        """As the first line of a file."""
        data: dict[str, Any] = {
            "file": _KIND,
            "format": FORMAT,
            "suite": {"version": self.suite_version, "digest": self.suite_digest},
            "comprehensive_rules": self.comprehensive_rules,
            "case_format": self.case_format,
            "protocol": self.protocol,
            "engine": self.engine.to_json(),
            "selection": {"cases": self.selection.cases, "digest": self.selection.digest},
        }
        if self.shard is not None:
            data["shard"] = str(self.shard)
        data["environments"] = [dict(each) for each in self.environments]
        data["started"] = self.started
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Header:
        """The inverse of `to_json`.

        Raises:
            KeyError, TypeError, ValueError: it is not what `to_json` writes.
        """
        return cls(
            suite_version=str(data["suite"]["version"]),
            suite_digest=str(data["suite"]["digest"]),
            comprehensive_rules=str(data["comprehensive_rules"]),
            case_format=int(data["case_format"]),
            protocol=int(data["protocol"]),
            engine=Identity.from_json(data["engine"]),
            selection=Selection(int(data["selection"]["cases"]), str(data["selection"]["digest"])),
            environments=tuple({str(key): str(value) for key, value in each.items()} for each in data["environments"]),
            started=str(data["started"]),
            shard=Shard.parse(str(data["shard"])) if "shard" in data else None,
        )


@dataclass(frozen=True, slots=True)
class Results:
    """A whole results file."""

    header: Header
    cases: tuple[CaseResult, ...]
    """In the order of their ids."""
    finished: str
    digest: str = ""
    """Of the file's bytes."""
    path: str = ""


def now() -> str:
    """The time, in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def selection_of(cases: Iterable[tuple[str, str]]) -> Selection:
    """The selection that has these cases: ids, and digests of their files."""
    listed = list(cases)
    return Selection(len(listed), list_digest(listed))


def counts_of(cases: Iterable[CaseResult]) -> dict[str, int]:
    """How many cases came to each verdict, those that count for none apart."""
    cases = list(cases)
    counted = Counter(result.verdict for result in cases if result.counts)
    apart = Counter(result.status for result in cases)
    counts = {verdict: counted[verdict] for verdict in reversed(VERDICTS)}
    return counts | {status: apart[status] for status in ("disputed", "withdrawn")}


def portable(result: CaseResult) -> CaseResult:
    """A result that says where its case is without saying where on which machine: under the suite, or here."""
    if not result.path:
        return result
    path = Path(result.path).resolve()
    for base in (suite_root().resolve(), Path.cwd()):
        if path.is_relative_to(base):
            return replace(result, path=path.relative_to(base).as_posix())
    return replace(result, path=path.name)


def _line(data: Mapping[str, Any]) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # What an engine says may hold half a surrogate pair, which is no text: JSON has a way to write it.
    return text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n"


class Recorder:
    """Writes a results file while cases are played, so that what was found outlives an interrupted run."""

    def __init__(self, path: str | Path, header: Header, clock: Callable[[], str] = now) -> None:
        """Begin a file.

        Raises:
            ResultsError: it cannot be written.
        """
        self._clock = clock
        self._header = header
        self._lines: dict[str, str] = {}
        self._results: list[CaseResult] = []
        try:
            self._file: IO[str] = open(path, "w", encoding="utf-8", newline="\n")  # noqa: SIM115
        except OSError as error:
            raise ResultsError(f"{path} cannot be written: {error.strerror}") from None
        self._file.write(_line(header.to_json()))

    def add(self, result: CaseResult) -> None:
        """Write a case.

        Raises:
            ResultsError: it has been written before.
        """
        if result.case in self._lines:
            raise ResultsError(f"the case {result.case} is there twice")
        line = self._lines[result.case] = _line(result.to_json())
        self._results.append(result)
        self._file.write(line)
        if result.verdict != "pass":
            self._file.flush()

    def finish(self) -> None:
        """Put the cases in order, and end the file with its footer."""
        ordered = sorted(self._lines)
        if ordered != list(self._lines) and self._file.seekable():
            self._file.seek(0)
            self._file.truncate()
            self._file.write(_line(self._header.to_json()))
            for case in ordered:
                self._file.write(self._lines[case])
        else:
            ordered = list(self._lines)
        body = _line(self._header.to_json()) + "".join(self._lines[case] for case in ordered)
        self._file.write(_line(_footer(body, self._results, self._clock())))
        self.close()

    def close(self) -> None:
        """Close the file; without `finish` it has no footer."""
        self._file.close()


def _footer(body: str, results: Sequence[CaseResult], finished: str) -> dict[str, Any]:
    return {
        "end": True,
        "cases": len(results),
        "counts": counts_of(results),
        "digest": "sha256:" + hashlib.sha256(body.encode("utf-8")).hexdigest(),
        "finished": finished,
    }


def write_results(path: str | Path, header: Header, results: Iterable[CaseResult], finished: str) -> None:
    """Write a whole file.

    Raises:
        ResultsError: it cannot be written, or a case is there twice.
    """
    recorder = Recorder(path, header, lambda: finished)
    try:
        for result in sorted(results, key=lambda result: result.case):
            recorder.add(result)
        recorder.finish()
    finally:
        recorder.close()


def read_results(path: str | Path) -> Results:
    """Read a file, and hold it to its header and footer.

    Raises:
        ResultsError: it cannot be read, is no results file, is cut off, or does not hold together.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise ResultsError(f"{path} cannot be read: {error.strerror}") from None
    try:
        return _Reader(str(path), data).read()
    except RecursionError:
        raise ResultsError(f"{path} is no results file: it is nested too deeply") from None


class _Reader:
    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = data

    def read(self) -> Results:
        lines = self.data.split(b"\n")
        first = self._json(lines[0], 1)
        if first.get("file") != _KIND:
            raise self._error(1, "this is no results file: its first line is not the header of one")
        if first.get("format") != FORMAT:
            raise self._error(
                1,
                f"this is a results file of format {first.get('format')!r}; this version reads {FORMAT}",
            )
        try:
            header = Header.from_json(first)
        except (KeyError, TypeError, ValueError, AttributeError, ShardProblem) as error:
            raise self._error(1, f"the header is broken: {type(error).__name__}: {error}") from None
        if lines[-1] != b"" or len(lines) < 3:
            raise self._cut_off(len(lines))
        end = len(lines) - 1
        footer = self._json(lines[end - 1], end)
        if footer.get("end") is not True:
            raise self._cut_off(end)
        cases = tuple(self._case(lines[number - 1], number) for number in range(2, end))
        self._check(header, cases, footer, end)
        digest = "sha256:" + hashlib.sha256(self.data).hexdigest()
        return Results(header, cases, str(footer.get("finished", "")), digest, self.path)

    def _case(self, line: bytes, number: int) -> CaseResult:
        data = self._json(line, number)
        try:
            result = CaseResult.from_json(data)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise self._error(number, f"this is no case: {type(error).__name__}: {error}") from None
        if result.verdict not in VERDICTS:
            raise self._error(number, f"{result.verdict!r} is no verdict; there are: {', '.join(VERDICTS)}")
        return result

    def _check(self, header: Header, cases: tuple[CaseResult, ...], footer: Mapping[str, Any], end: int) -> None:
        for number, (before, after) in enumerate(pairwise(cases), start=3):
            if before.case == after.case:
                raise self._error(number, f"the case {after.case} is there twice")
            if before.case > after.case:
                raise self._error(number, f"the case {after.case} is not in the order of the ids")
        if footer.get("cases") != len(cases) or footer.get("counts") != counts_of(cases):
            raise self._error(end, "the footer counts other cases than those above it")
        body = self.data[: self.data.rindex(b"\n", 0, -1) + 1]
        if footer.get("digest") != "sha256:" + hashlib.sha256(body).hexdigest():
            raise self._error(end, "the lines above the footer are not those that were written: another digest")
        if header.shard is None:
            found = selection_of((case.case, case.digest) for case in cases)
            if found != header.selection:
                selected = many(header.selection.cases, "case")
                raise self._error(end, f"the header selects {selected}, and others are here")
        else:
            strays = [case.case for case in cases if not header.shard.has(case.case)]
            if strays:
                raise self._error(end, f"the case {strays[0]} is not of shard {header.shard}")

    def _json(self, line: bytes, number: int) -> Mapping[str, Any]:
        try:
            data = json.loads(line)
        except ValueError as error:
            if number > 1 and number >= self.data.count(b"\n"):
                raise self._cut_off(number) from None
            raise self._error(number, f"this is no JSON: {error}") from None
        if not isinstance(data, dict):
            raise self._error(number, "this is no JSON object")
        return data

    def _cut_off(self, number: int) -> ResultsError:
        return self._error(number, "the file is cut off: it has no footer, so the run did not end")

    def _error(self, number: int, message: str) -> ResultsError:
        return ResultsError(f"{self.path}:{number}: {message}")
