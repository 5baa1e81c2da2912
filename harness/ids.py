"""The ids of a suite that stay: the list of them, ``_ids.yaml``, and what has come of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from judgecall.harness.suite import NotFound, Selected, load, suite_root
from judgecall.schema.errors import Problem
from judgecall.schema.loader import find_files
from judgecall.schema.model import Ruling

__all__ = ["IDS", "Ids", "ids_of_ruling", "lost_rulings", "read_ids", "write_new_ids"]

IDS = "_ids.yaml"

Ids = Mapping[str, tuple[str, ...]]
"""By ruling: the names of its cases."""


def read_ids(root: Path) -> Ids | None:
    """The ids that the suite under ``root`` keeps; None: it has no such list.

    Raises:
        NotFound: the list is none.
    """
    path = root / IDS
    try:
        data: Any = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
        return {str(ruling): tuple(map(str, names)) for ruling, names in data.items()}
    except FileNotFoundError:
        return None
    except (OSError, yaml.YAMLError, AttributeError, TypeError) as error:
        raise NotFound(f"{path} is no list of ids: {type(error).__name__}: {error}") from None


def write_new_ids() -> None:
    """Add the ids of all cases of the installed suite to its list, a line for each ruling.

    Raises:
        NotFound: the list is none, or cannot be written.
    """
    root = suite_root()
    names = {ruling: list(kept) for ruling, kept in (read_ids(root) or {}).items()}
    for loaded in load([Selected(path, None) for path in find_files([root])], root):
        for case in loaded.cases:
            of_ruling = names.setdefault(case.ruling, [])
            if case.name not in of_ruling:
                of_ruling.append(case.name)
    lines = ["# The ids of all cases, by ruling: none is ever taken away, or used for something else.\n"]
    lines += [f"{ruling}: [{', '.join(names[ruling])}]\n" for ruling in sorted(names)]
    try:
        (root / IDS).write_text("".join(lines), encoding="utf-8", newline="\n")
    except OSError as error:
        raise NotFound(f"{root / IDS} cannot be written: {error.strerror}") from None


def ids_of_ruling(kept: Ids, ruling: Ruling, path: Path) -> Iterator[Problem]:
    """What is wrong with the ids of one ruling's cases."""
    names = [case.name for case in ruling.cases]
    for name in kept.get(ruling.id, ()):
        if name not in names:
            yield Problem(str(path), 1, 1, f"the case {name!r} is gone, and ids stay", "'status: withdrawn', and 'why'")
    for case in ruling.cases:
        if case.name not in kept.get(ruling.id, ()):
            yield Problem.of_case(case, f"the id is not in {IDS}", "'judgecall lint --write-ids' once it is settled")


def lost_rulings(kept: Ids, root: Path) -> Iterator[Problem]:
    """Rulings whose files are gone."""
    for ruling in kept:
        if not (root / f"{ruling}.yaml").is_file():
            yield Problem(str(root / IDS), 1, 1, f"the ruling {ruling!r} is gone, and ids stay", "its file")
