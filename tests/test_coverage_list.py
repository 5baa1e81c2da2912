"""The list of the rules' own Examples, and what became of each, held against the case files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import yaml
from judgecall.schema.loader import find_files, load_file

FOLDER = Path(__file__).parent.parent / "cases" / "comprehensive-rules"
EXAMPLES = 277
"""How many Examples the rules of 2026-06-19 have."""
LEAST_EXECUTABLE = 200

_KEY = re.compile(r"(\d{3})\.(\d+)([a-z]?)#([1-9]\d*)\Z")


@dataclass(frozen=True, slots=True)
class Entry:
    """What the list says of one Example; ``key`` is such as ``613.8a#1``."""

    key: str
    status: str
    why: str | None = None
    file: str | None = None

    @property
    def place(self) -> tuple[int, int, str, int]:
        """The Example's place in the rules."""
        match = _KEY.match(self.key)
        assert match is not None, f"{self.key!r} is no rule's number with an Example's"
        return int(match[1]), int(match[2]), match[3], int(match[4])


@cache
def entries() -> tuple[Entry, ...]:
    """Read the list as pairs, so that a key written twice is seen twice."""
    root = yaml.compose((FOLDER / "_coverage.yaml").read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    assert isinstance(root, yaml.MappingNode)
    found = []
    for key, value in root.value:
        assert isinstance(value, yaml.MappingNode), key.value
        found.append(Entry(key.value, **{name.value: text.value for name, text in value.value}))
    return tuple(found)


def executable() -> list[Entry]:
    return [entry for entry in entries() if entry.status == "executable"]


def test_every_example_is_listed_once_in_order() -> None:
    keys = [entry.key for entry in entries()]
    assert len(keys) == EXAMPLES
    assert len(set(keys)) == EXAMPLES
    assert keys == [entry.key for entry in sorted(entries(), key=lambda entry: entry.place)]


def test_examples_of_a_rule_are_counted_without_gaps() -> None:
    last = ("", 0)
    for entry in entries():
        rule, number = entry.key.split("#")
        assert int(number) == (last[1] + 1 if rule == last[0] else 1), entry.key
        last = (rule, int(number))


def test_statuses_are_known_and_explained() -> None:
    for entry in entries():
        assert entry.status in ("executable", "not-applicable", "deferred"), entry.key
        if entry.status != "executable":
            assert entry.why, f"{entry.key} does not say why"
            assert entry.file is None, f"{entry.key} is {entry.status} and names a file"


def test_enough_examples_are_executable() -> None:
    assert len(executable()) >= LEAST_EXECUTABLE


@pytest.mark.parametrize("entry", executable(), ids=lambda entry: entry.key)
def test_an_executable_example_has_its_file(entry: Entry) -> None:
    rule = entry.key.split("#")[0]
    name = f"{rule[:3]}/{entry.key.replace('#', '-')}"
    assert entry.file == f"{name}.yaml"
    ruling = load_file(FOLDER / entry.file)
    assert ruling.id == f"comprehensive-rules/{name}"
    assert rule in ruling.rules
    assert any(source.card == f"Comprehensive Rules {rule}" for source in ruling.sources)
    assert ruling.cases


def test_every_file_is_listed() -> None:
    listed = {entry.file for entry in executable()}
    there = {path.relative_to(FOLDER).as_posix() for path in find_files([FOLDER])}
    assert there == listed
