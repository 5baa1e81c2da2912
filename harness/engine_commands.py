"""What ``judgecall`` offers to who attaches an engine: ``new``, ``doctor`` and ``export``."""

from __future__ import annotations

import argparse
import importlib.resources
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from judgecall.harness.doctor import BROKEN, Finding, doctor
from judgecall.harness.engines import DEFAULT_ENGINE, EngineProblem, open_engine
from judgecall.harness.export import export
from judgecall.harness.phrase import many
from judgecall.harness.release import release
from judgecall.harness.suite import NotFound, select
from judgecall.schema.loader import CaseFileError

__all__ = ["ENGINE_COMMANDS", "STARTING_POINTS", "add_engine_commands"]

STARTING_POINTS: Mapping[str, str] = {
    "python": "templates/python",
    "javascript": "templates/javascript",
    "java": "templates/java",
    "rust": "templates/rust",
    "python-example": "examples/python",
    "javascript-example": "examples/javascript",
}
"""What `judgecall new` can copy, as folders of ``judgecall.adapters``."""


def add_engine_commands(commands: Any, what: str) -> None:
    """Add the commands to the parser of ``judgecall``; ``what`` says what names cases."""
    new = commands.add_parser("new", help="copy a starting point for an adapter into a new folder")
    new.add_argument("language", choices=sorted(STARTING_POINTS), help="a template, or a complete example")
    new.add_argument("folder", metavar="DIR")

    examining = commands.add_parser("doctor", help="tell what works of an engine, and what to do next")
    examining.add_argument("cases", nargs="*", metavar="ID|PATH", help=what)
    examining.add_argument("--engine", default=DEFAULT_ENGINE, metavar="NAME", help="default: %(default)s")
    examining.add_argument("--top", type=int, default=20, metavar="N", help="how many things to add (%(default)s)")

    exporting = commands.add_parser("export", help="write cases as JSON, with all defaults filled in")
    exporting.add_argument("cases", nargs="*", metavar="ID|PATH", help=what)
    exporting.add_argument("--json", required=True, metavar="DIR", help="where to")


def _new(options: argparse.Namespace) -> int:
    folder = Path(options.folder)
    source = importlib.resources.files("judgecall.adapters").joinpath(STARTING_POINTS[options.language])
    files = [each for each in _files(source) if each[1].suffix not in (".pyc", ".class")]
    taken = [name for name, _ in files if (folder / name).exists()]
    if taken:
        raise NotFound(f"{folder / taken[0]} is there already; nothing has been written")
    try:
        for name, path in files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(path.read_bytes())
    except OSError as error:
        raise NotFound(f"{folder} cannot be written to: {error.strerror}") from None
    tables = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["judgecall"]["engines"]
    print(f"{many(len(files), 'file')} in {folder}. Next:")
    print(f"  cd {folder}")
    for name, table in tables.items():
        if "build" in table:
            print(f"  {table['build']}")
        print(f"  judgecall doctor --engine={name}")
    return 0


def _files(source: Any, below: str = "") -> list[tuple[str, Path]]:
    found = []
    for each in sorted(source.iterdir(), key=lambda each: str(each.name)):
        name = f"{below}{each.name}"
        if each.is_dir():
            if each.name not in ("__pycache__", "build", "target"):
                found += _files(each, f"{name}/")
        elif each.name != "__init__.py":
            found.append((name, Path(str(each))))
    return found


def _doctor(options: argparse.Namespace) -> int:
    selected = select(options.cases)
    try:
        opened = open_engine(options.engine)
    except EngineProblem as problem:
        hint = "it must start, and answer hello, before anything else can be looked at"
        print(Finding(BROKEN, str(problem).replace("\n", "\n           "), hint))
        return 1
    return 0 if doctor(selected, opened, sys.stdout, options.top) else 1


def _export(options: argparse.Namespace) -> int:
    try:
        rulings, cases = export(select(options.cases), Path(options.json), release().version)
    except CaseFileError as problem:
        print(f"judgecall: error: {problem}", file=sys.stderr)
        return 1
    print(f"{many(rulings, 'ruling')} with {many(cases, 'case')} in {options.json}")
    return 0 if cases else 5


ENGINE_COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "new": _new,
    "doctor": _doctor,
    "export": _export,
}
