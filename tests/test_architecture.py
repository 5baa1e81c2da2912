"""What ARCHITECTURE asks of the shape of the code: who may import whom, small modules, cards only as data."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from judgecall.harness.citations import strings
from judgecall.oracle.cards import loader
from judgecall.oracle.subtypes import subtypes_of_type

ROOT = Path(__file__).parent.parent
FOLDERS = ("adapters", "benchmarks", "cases", "harness", "oracle", "schema", "src", "tests")
MOST_LINES = 600

# Whom the modules of a folder may import, beside themselves.
ALLOWED = {
    "adapters": {"schema"},
    "benchmarks": {"adapters", "harness", "oracle", "schema"},
    "cases": set(),
    "harness": {"adapters", "schema"},
    "oracle": set(),
    "schema": set(),
    "src": set(),
    "tests": {"adapters", "benchmarks", "harness", "oracle", "schema", "cases"},
}
PACKAGES = {"adapters", "cases", "harness", "oracle", "schema"}


def modules(*folders: str) -> Iterator[Path]:
    """The Python files of these folders."""
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def name_of(path: Path) -> str:
    """A file's place in the repository."""
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    """A module, parsed."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imported(path: Path) -> Iterator[str]:
    """The full names of what a module imports, anywhere in it, and of modules of ours that its strings name."""
    package = ("judgecall", *path.relative_to(ROOT).parent.parts)
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            base = ".".join(part for part in (start, node.module or "") if part)
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "import_module":
            yield from (str(each.value) for each in node.args if isinstance(each, ast.Constant))


def folders_imported(path: Path) -> set[str]:
    """Which folders of the repository a module imports from."""
    found = set()
    for name in imported(path):
        first, _, rest = name.partition(".")
        folder = rest.partition(".")[0] if first == "judgecall" else first if first in ("tests", "benchmarks") else None
        if folder is not None and folder in PACKAGES | {"tests", "benchmarks"}:
            found.add(folder)
    return found


@pytest.mark.parametrize("folder", sorted(ALLOWED))
def test_dependency_rules(folder: str) -> None:
    wrong = {}
    for path in modules(folder):
        allowed = ALLOWED[folder] | {folder}
        if folder == "adapters" and path.name.startswith("oracle"):
            allowed.add("oracle")
        if others := folders_imported(path) - allowed:
            wrong[name_of(path)] = sorted(others)
    assert not wrong


def test_the_rules_see_every_import() -> None:
    assert folders_imported(ROOT / "adapters" / "oracle.py") >= {"oracle"}
    assert folders_imported(ROOT / "harness" / "play.py") >= {"adapters", "schema"}
    assert folders_imported(Path(__file__)) == {"harness", "oracle"}


def test_modules_are_small() -> None:
    long = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in modules(*FOLDERS)}
    assert {name: lines for name, lines in long.items() if lines > MOST_LINES} == {}


def test_the_rules_know_no_card() -> None:
    """A card is data: its name stands in its definition, and where a fault spoils a definition."""
    # Basic lands are called what their types are (CR 305.6), but for the one that has none and fills a colorless deck.
    cards = {name for name in loader.names() if name not in subtypes_of_type("Land")} - {"Wastes"}
    wrong = []
    for path in modules("oracle"):
        if path.is_relative_to(ROOT / "oracle" / "faults"):
            continue
        wrong += [f"{name_of(path)}:{node.lineno}: {node.value}" for node in strings(tree(path)) if node.value in cards]
    assert wrong == []


@pytest.mark.parametrize(
    "folder",
    [
        *("adapters", "benchmarks", "cases", "harness", "oracle", "schema", "tests"),
        *("oracle/cards", "oracle/faults", "oracle/vocabulary"),
    ],
)
def test_folders_say_what_lives_there(folder: str) -> None:
    assert len((ROOT / folder / "README.md").read_text(encoding="utf-8")) > 200


def texts() -> Iterator[tuple[str, str]]:
    """All files of the repository that are text, with their places."""
    for path in sorted([*ROOT.glob("*.*"), *(ROOT / ".ci").glob("*"), *ROOT.glob(".github/**/*")]):
        if path.is_file():
            yield name_of(path), path.read_text(encoding="utf-8")
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".yaml", ".md", ".json", ".toml", ".js", ".ts", ".java", ".rs", ".html", ".css"):
                yield name_of(path), path.read_text(encoding="utf-8")


def test_no_path_of_a_machine() -> None:
    machine = re.compile(r"(?<![\w.:/~>$}-])/(?:work|root|home|Users)/\w")
    wrong = [
        f"{name}: {match[0]}"
        for name, text in texts()
        for match in machine.finditer(text)
        if name != name_of(Path(__file__))
    ]
    assert wrong == []
