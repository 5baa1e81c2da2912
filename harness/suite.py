"""The cases to run: the suite that is installed, and any other files and folders."""

from __future__ import annotations

import difflib
import importlib.resources
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from judgecall.harness.verdicts import CaseResult
from judgecall.schema.errors import Problem
from judgecall.schema.loader import CaseFileError, find_files, load_file
from judgecall.schema.model import Case, Ruling

__all__ = ["Loaded", "NotFound", "Selected", "case_results_of", "load", "nodes", "select", "suite_root"]

_RULING = re.compile(r"^ruling:[ \t]*(['\"]?)([^\s\[\]{}'\"].*?)\1[ \t]*(?:#.*)?$", re.MULTILINE)
_CASE = re.compile(r"^[ \t]*-[ \t]+\{?[ \t]*case:[ \t]*(['\"]?)([^,}\n]+?)\1[ \t]*(?:[,}#].*)?$", re.MULTILINE)


class NotFound(Exception):
    """What the caller named is no id of the suite and no file or folder."""


class Selected:
    """A case file, and which of its cases are meant."""

    def __init__(self, path: Path, names: set[str] | None) -> None:
        self.path = path
        self.names = names
        """Names of cases; None: all."""

    def wants(self, case: Case) -> bool:
        """Whether a case of this file is meant."""
        return self.names is None or case.name in self.names


class Loaded:
    """A case file that was read: its ruling and the cases that are meant, or what is wrong with it.

    Beside what is wrong with some of its cases there are the others.
    """

    def __init__(
        self,
        path: Path,
        cases: tuple[Case, ...],
        problem: CaseFileError | None = None,
        ruling: Ruling | None = None,
    ) -> None:
        self.path = path
        self.cases = cases
        self.problem = problem
        self.ruling = ruling


def suite_root() -> Path:
    """The folder of the suite that is installed."""
    return Path(str(importlib.resources.files("judgecall.cases")))


def select(arguments: Sequence[str]) -> list[Selected]:
    """Find the files that ids and paths mean; without any, the whole suite.

    An argument is a file or folder, or an id of the suite: a ruling, a folder of rulings, ``RULING::CASE``.
    ``PATH::CASE`` works too.

    Raises:
        NotFound: an argument means nothing.
    """
    if not arguments:
        return [Selected(path, None) for path in find_files([suite_root()])]
    chosen: dict[str, Selected] = {}
    for argument in arguments:
        where, _, name = argument.partition("::")
        for path in _files(where):
            key = os.path.realpath(path)
            names = {name} if name else None
            before = chosen.get(key)
            if before is None:
                chosen[key] = Selected(path, names)
            elif before.names is not None:
                before.names = before.names | names if names is not None else None
    return list(chosen.values())


def _files(where: str) -> tuple[Path, ...]:
    path = Path(where)
    if where and path.exists():
        return find_files([path])
    root = suite_root()
    if where and not path.is_absolute() and ".." not in path.parts:
        ruling = root / f"{where}.yaml"
        if ruling.is_file():
            return (ruling,)
        if (root / where).is_dir():
            return find_files([root / where])
    known = [found.relative_to(root).with_suffix("").as_posix() for found in find_files([root])]
    raise NotFound(f"{where!r} is no id of the suite and no file or folder{_near(where, known)}")


def _near(id_: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(id_, known, n=3)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def load(selected: Sequence[Selected], root: Path | None = None) -> Iterator[Loaded]:
    """Read one file after another. A file that is no ruling is given with its problem.

    ``root`` is the suite that files under it belong to; None: the installed one.

    Raises:
        NotFound: a case that was asked for by name is not in its file.
    """
    if root is None:
        root = suite_root()
    for each in selected:
        try:
            inside = each.path.is_relative_to(root)
            ruling = load_file(each.path, root=root if inside else None)
        except CaseFileError as problem:
            cases = tuple(case for case in problem.sound if each.wants(case))
            alone = each.names is not None and each.names == {case.name for case in cases}
            yield Loaded(each.path, cases, None if alone else problem)
            continue
        except Exception as error:
            # One file must not end the run of all others, whatever is in it.
            told = Problem(str(each.path), 1, 1, f"cannot be read: {type(error).__name__}: {error}")
            yield Loaded(each.path, (), CaseFileError(str(each.path), (told,)))
            continue
        cases = tuple(case for case in ruling.cases if each.wants(case))
        missing = (each.names or set()) - {case.name for case in cases}
        if missing:
            there = ", ".join(case.name for case in ruling.cases)
            raise NotFound(f"{each.path} has no case {', '.join(sorted(missing))}; it has: {there}")
        yield Loaded(each.path, cases, ruling=ruling)


def nodes(id_: str, root: Path) -> list[str]:
    """A case or ruling of the cases under ``root`` as pytest's arguments: ``PATH`` or ``PATH::CASE``.

    Raises:
        NotFound: there is none.
    """
    ruling, _, name = id_.partition("::")
    known: dict[str, Path] = {}
    direct = root / f"{ruling}.yaml"
    if root.is_dir() and not Path(ruling).is_absolute() and ".." not in ruling and direct.is_file():
        known[ruling] = direct
    else:
        for path in find_files([root]):
            for found in _rulings_in(path):
                known.setdefault(found, path)
    if ruling not in known:
        raise NotFound(f"there is no case {id_!r}{_near(ruling, list(known))}")
    return [f"{known[ruling]}::{name}" if name else str(known[ruling])]


def case_results_of(loaded: Loaded) -> list[CaseResult]:
    """A broken file as results: ``invalid`` for each case of it that is not sound, as far as ids can be made out."""
    problem = loaded.problem
    if problem is None:
        return []
    first = problem.problems[0] if problem.problems else None
    sound = {case.id for case in problem.sound}
    ids = [id_ for id_ in _ids_in(loaded.path) if id_ not in sound] or [str(loaded.path)]
    return [
        CaseResult(
            id_,
            "invalid",
            str(problem),
            path=str(loaded.path),
            line=first.line if first is not None else None,
        )
        for id_ in ids
    ]


def _ids_in(path: Path) -> list[str]:
    """Ids of the cases in a file that cannot be read as a ruling."""
    text = _text(path)
    ruling = _RULING.search(text)
    if ruling is None:
        return []
    names = dict.fromkeys(match[2] for match in _CASE.finditer(text))
    return [f"{ruling[2]}::{name}" for name in names] or [ruling[2]]


def _rulings_in(path: Path) -> list[str]:
    return [match[2] for match in _RULING.finditer(_text(path))]


def _text(path: Path) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(1 << 20)
    except OSError:
        return ""
