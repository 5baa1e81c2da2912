"""Each Example of the rules, played: the rule that it illustrates is among those that the trace cites."""

from __future__ import annotations

from functools import cache

import pytest
from judgecall.adapters.oracle import OracleEngine
from judgecall.harness.play import play
from judgecall.schema.loader import load_file

from tests.test_coverage_list import FOLDER, Entry, executable

ACTING = [entry for entry in executable() if entry.cited != "no"]
DEFINITIONS = [entry for entry in executable() if entry.cited == "no"]


@cache
def cited(file: str, name: str | None = None) -> frozenset[str]:
    """The rules in the traces of an Example's cases, or of one, with those that answers about legality give."""
    engine = OracleEngine()
    found: set[str] = set()
    for case in load_file(FOLDER / file).cases:
        if name is not None and not case.id.endswith(f"::{name}"):
            continue
        play(case, engine)
        for line in engine.trace():
            found.update(line.rules)
    return frozenset(found)


def shows(entry: Entry) -> bool:
    """Whether the Example's rule, or one below it (702.14a below 702.14), is cited."""
    assert entry.file is not None
    rule = entry.key.partition("#")[0]
    return any(
        number == rule or (rule[-1].isdigit() and number[:-1] == rule and number[-1].isalpha())
        for number in cited(entry.file)
    )


@pytest.mark.parametrize("entry", ACTING, ids=lambda entry: entry.key)
def test_the_rule_of_an_example_is_cited(entry: Entry) -> None:
    assert shows(entry)


@pytest.mark.parametrize("entry", DEFINITIONS, ids=lambda entry: entry.key)
def test_what_is_listed_as_not_cited_is_not(entry: Entry) -> None:
    assert not shows(entry)


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
    file = f"{rule[:3]}/{rule}-1.yaml"
    assert rule in cited(file, acting)
    assert rule not in cited(file, not_acting)
