"""``judgecall prove``: what the cases catch of an engine's faults, told and written as a matrix."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml
from judgecall.harness.engines import DEFAULT_ENGINE, EngineProblem, open_engine
from judgecall.harness.matrix import FaultRow, IdleCase, Matrix, matrix_text
from judgecall.harness.phrase import many
from judgecall.harness.progress import Progress
from judgecall.harness.prove import Unproven, counted_cases, prove
from judgecall.harness.release import release, suite_digest
from judgecall.harness.results import ResultsError
from judgecall.harness.suite import NotFound, suite_root

__all__ = ["add_prove", "prove_all"]

REASONS = "_idle.yaml"


def add_prove(commands: Any, what: str) -> None:
    """Add the command to the parser of ``judgecall``; ``what`` says what names cases."""
    proving = commands.add_parser("prove", help="which faults of an engine the cases catch, and which they miss")
    proving.add_argument("cases", nargs="*", metavar="ID|PATH", help=what)
    proving.add_argument("--engine", default=DEFAULT_ENGINE, metavar="NAME", help="default: %(default)s")
    proving.add_argument("--fault", action="append", default=[], metavar="NAME", help="only this one (repeatable)")
    proving.add_argument("-n", "--processes", type=int, metavar="N", help="default: as many as there are processors")
    proving.add_argument("-o", "--output", metavar="FILE", help="write the matrix, as JSON")
    proving.add_argument("-q", "--quiet", action="store_true", help="only what is wrong, and the last line")


def prove_all(options: argparse.Namespace) -> int:
    """Carry out ``judgecall prove``; gives the exit code: 0 where every fault is caught and no case is idle unsaid.

    With cases chosen, what they do not catch others may; with faults chosen, cases may catch what was left out.

    Raises:
        NotFound, EngineProblem, ResultsError: wrong usage, in words.
    """
    opened = open_engine(options.engine)
    try:
        title, faults = opened.title, dict(opened.description.faults)
    finally:
        opened.close()
    chosen = _chosen(options.engine, faults, options.fault)
    cases = [case.id for case in counted_cases(options.cases)]
    if not chosen or not cases:
        print("nothing to prove")
        return 5
    progress = Progress(len(chosen), quiet=options.quiet, what="faults", failing="not caught")
    try:
        rows = prove(options.cases, options.engine, chosen, options.processes or os.cpu_count() or 1, progress)
    except Unproven as problem:
        print(problem)
        return 1
    finally:
        progress.clear()
    reasons = _reasons() if not options.fault else {}
    caught = {case for row in rows for case in row.caught_by}
    idle = tuple(IdleCase(case, reasons.get(case)) for case in sorted(set(cases) - caught)) if not options.fault else ()
    matrix = Matrix(release().version, suite_digest(), title, len(cases), tuple(rows), idle)
    if options.output:
        _write(Path(options.output), matrix_text(matrix))
    partly = bool(options.cases) and not options.fault
    return _tell(matrix, sorted(reasons.keys() & caught), partly=partly, quiet=options.quiet)


def _chosen(engine: str, faults: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    for name in names:
        if name not in faults:
            raise EngineProblem(f"engine {engine!r} has no fault {name!r}; 'judgecall faults' lists them")
    return {name: faults[name] for name in names} or dict(faults)


def _reasons() -> dict[str, str]:
    """Why cases of the installed suite catch no fault, by their ids.

    Raises:
        NotFound: the file with the reasons is none.
    """
    path = suite_root() / REASONS
    try:
        data: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
        return {str(case): str(each["why"]) for each in data for case in each["cases"]}
    except FileNotFoundError:
        return {}
    except (OSError, yaml.YAMLError, KeyError, TypeError) as error:
        raise NotFound(f"{path} holds no reasons: {type(error).__name__}: {error}") from None


def _tell(matrix: Matrix, stale: list[str], *, partly: bool, quiet: bool) -> int:
    if partly:
        _list("faults that these cases catch", (_row_text(row) for row in matrix.faults if row.caught_by))
    else:
        _list("faults that no case catches", map(_row_text, matrix.uncaught))
    crashing = [row for row in matrix.faults if row.crashed]
    if not quiet:
        _list("faults with which the engine crashes on a case", (f"{row.name}  {row.crashed[0]}" for row in crashing))
        _list("cases that catch no fault", (_case_text(case) for case in matrix.idle))
    else:
        _list("cases that catch no fault, and nobody says why", matrix.unexplained)
    _list("cases that catch a fault, though a reason says that they catch none", stale)
    faults = f"{many(len(matrix.faults), 'fault')}, {len(matrix.uncaught)} not caught"
    idle = f"{len(matrix.idle)} catching none, {len(matrix.unexplained)} of them without a reason"
    print(f"{matrix.engine}: {faults}; {many(matrix.cases, 'case')}, {idle}")
    return 1 if (matrix.uncaught and not partly) or matrix.unexplained or stale else 0


def _row_text(row: FaultRow) -> str:
    return f"{row.name}  {row.rule}: {row.sentence}"


def _case_text(case: IdleCase) -> str:
    return f"{case.id}  {case.reason}" if case.reason else case.id


def _list(title: str, lines: Iterable[str]) -> None:
    found = list(lines)
    if found:
        print(f"{title}: {len(found)}")
        for line in found:
            print(f"  {line}")


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise ResultsError(f"{path} cannot be written: {error.strerror}") from None
