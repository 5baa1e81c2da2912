"""Each Example of the rules, played: the rule that it illustrates is among those that the trace cites."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from judgecall.adapters.oracle import OracleEngine
from judgecall.harness.play import play
from judgecall.schema.loader import load_file
from judgecall.schema.model import Ruling

from tests.test_coverage_list import FOLDER, Entry, executable


@cache
def ruling(path: Path) -> Ruling:
    return load_file(path)


def rule(entry: Entry) -> str:
    return entry.key.partition("#")[0]


def file(entry: Entry) -> Path:
    assert entry.file is not None
    return FOLDER / entry.file


ACTING = [entry for entry in executable() if rule(entry) not in ruling(file(entry)).not_acting]


@cache
def cited(path: Path, name: str | None = None) -> frozenset[str]:
    """The rules in the traces of a ruling's cases, or of one, with those that answers about legality give."""
    engine = OracleEngine()
    found: set[str] = set()
    for case in ruling(path).cases:
        if name is not None and case.name != name:
            continue
        play(case, engine)
        for line in engine.trace():
            found.update(line.rules)
    return frozenset(found)


def shows(entry: Entry) -> bool:
    """Whether the Example's rule, or one below it (702.14a below 702.14), is cited."""
    own = rule(entry)
    return any(
        number == own or (own[-1].isdigit() and number[:-1] == own and number[-1].isalpha())
        for number in cited(file(entry))
    )


@pytest.mark.parametrize("entry", ACTING, ids=lambda entry: entry.key)
def test_the_rule_of_an_example_is_cited(entry: Entry) -> None:
    assert shows(entry)


@pytest.mark.parametrize(
    ("rule", "acting", "not_acting"),
    [
        ("701.23c", "empty-hand", "card-in-hand"),
        ("702.14d", "snow-forest", "plain-forest"),
        ("702.65b", "wrong-aura", "right-aura"),
    ],
)
def test_a_rule_is_cited_only_where_it_acts(rule: str, acting: str, not_acting: str) -> None:
    """Two cases of one Example: in the second the situation that the rule is about does not come up."""
    path = FOLDER / f"{rule[:3]}/{rule}-1.yaml"
    assert rule in cited(path, acting)
    assert rule not in cited(path, not_acting)
