"""The gallery of faults: each breaks a rule, is noticed by a case, and leaves nothing behind."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from judgecall.adapters.oracle import OracleEngine
from judgecall.harness.play import play
from judgecall.harness.suite import load, select
from judgecall.oracle.faults import Fault, all_faults, find
from judgecall.oracle.faults.gallery import fault
from judgecall.oracle.vocabulary import read_vocabulary
from judgecall.schema.model import Case

FAULTS = all_faults()
CAUGHT: dict[str, str] = yaml.safe_load((Path(__file__).parent / "faults_caught.yaml").read_text(encoding="utf-8"))
"""A case that fails for each fault."""


@cache
def case_of(id_: str) -> Case:
    [loaded] = load(select([id_]))
    [case] = loaded.cases
    return case


def verdict(id_: str, broken: Fault | None = None) -> str:
    engine = OracleEngine()
    try:
        if broken is not None:
            engine.use_fault(broken.name)
        return play(case_of(id_), engine, faulted=broken is not None).verdict
    finally:
        engine.close()


def test_every_fault_says_what_it_breaks() -> None:
    names = [each.name for each in FAULTS]
    assert names == sorted(set(names))
    for each in FAULTS:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", each.name), each.name
        assert re.fullmatch(r"[1-9]\d\d\.\d+[a-z]?", each.rule), each
        assert re.fullmatch(r"[A-Z].{20,118}\.", each.sentence), each
    assert len({each.sentence for each in FAULTS}) == len(FAULTS)


def test_a_name_is_given_once() -> None:
    with pytest.raises(ValueError, match="flashback-by-anyone"):
        fault("flashback-by-anyone", "702.34a", "Twice.")(lambda: lambda: None)


def test_found_by_name() -> None:
    found = find("flashback-by-anyone")
    assert found is not None
    assert found.rule == "702.34a"
    assert find("no-such-fault") is None


def state_of_the_rules() -> dict[tuple[str, ...], int]:
    """What every name of the oracle's modules stands for, inside classes and tables as well."""
    read_vocabulary()
    found: dict[tuple[str, ...], int] = {}

    def take(place: tuple[str, ...], value: Any, depth: int) -> None:
        found[place] = id(value)
        if depth and isinstance(value, type) and value.__module__.startswith("judgecall.oracle"):
            for name, inner in vars(value).items():
                take((*place, name), inner, 0)
        elif depth and isinstance(value, Mapping):
            for key, inner in value.items():
                take((*place, repr(key)), inner, depth - 1)

    for name, module in sorted(sys.modules.items()):
        if name.startswith("judgecall.oracle") and module is not None:
            for attribute, value in list(vars(module).items()):
                if not attribute.startswith("__"):
                    take((name, attribute), value, 2)
    return found


def test_a_fault_breaks_something_and_mends_all_of_it() -> None:
    for each in FAULTS:  # so that everything is imported that will be
        each.apply()()
    before = state_of_the_rules()
    for each in FAULTS:
        mend = each.apply()
        broken = state_of_the_rules()
        mend()
        after = state_of_the_rules()
        left = [place for place in before.keys() | after.keys() if before.get(place) != after.get(place)]
        assert left == [], each.name
        own = [place for place in before.keys() | broken.keys() if before.get(place) != broken.get(place)]
        assert any(place[1:2] not in MEMORIES for place in own), each.name


MEMORIES = tuple(
    (name,)
    for name in "_VALUES _SETTLED _AFFECTING _COUNTER_CHANGES _INTRINSIC _PLANS _READ _PARSED _ELSEWHERE".split()
)


def test_every_fault_has_a_case() -> None:
    assert set(CAUGHT) == {each.name for each in FAULTS}


@pytest.mark.parametrize("broken", FAULTS, ids=lambda each: each.name)
def test_a_case_notices(broken: Fault) -> None:
    """The case fails with the fault, and passes once it is mended."""
    id_ = CAUGHT[broken.name]
    assert verdict(id_, broken) == "fail"
    assert verdict(id_) == "pass"


def test_examples_rest_on_their_rules() -> None:
    """Thirty Examples of the rules, all over the chapters, fail for a fault in just the rule that they illustrate."""
    pairs = set()
    for each in FAULTS:
        match = re.match(r"comprehensive-rules/\d+/(\d+\.\d+[a-z]?)-\d+::", CAUGHT[each.name])
        if match and match[1] == each.rule:
            pairs.add(CAUGHT[each.name].partition("::")[0])
    assert len(pairs) >= 30
    assert {pair.split("/")[1][0] for pair in pairs} >= {"1", "2", "5", "6", "7", "8", "9"}
