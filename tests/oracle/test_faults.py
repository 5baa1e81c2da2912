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
from judgecall.oracle import casting
from judgecall.oracle.faults import Fault, all_faults, find, gallery
from judgecall.oracle.faults.gallery import Mend, fault, patch, together
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


def test_mended_without_a_trace() -> None:
    for each in FAULTS:  # so that everything is imported that will be
        each.apply()()
    before = state_of_the_rules()
    for each in FAULTS:
        each.apply()()
    assert state_of_the_rules() == before


def test_what_cannot_be_broken_is_left_whole() -> None:
    """A fault that finds its rule in another place than it thinks breaks nothing at all."""

    def breaking() -> Mend:
        return together(patch(casting, "_check_timing", None), patch(casting, "no_such_rule", None))

    before = state_of_the_rules()
    with pytest.raises(AttributeError, match="no_such_rule"):
        fault("nothing-to-break", "601.3", "This one is never registered for good.")(breaking).apply()
    del gallery._FAULTS["nothing-to-break"]
    assert state_of_the_rules() == before


def near_to(id_: str) -> set[str]:
    engine = OracleEngine()
    near = engine.faults_near(lambda: play(case_of(id_), engine, faulted=True).verdict)
    return set(near)


def test_faults_that_are_not_near_change_nothing() -> None:
    """What is found out by many faults at once is so with each of them alone."""
    id_ = "comprehensive-rules/614/614.5-1::doubled-twice"
    near = near_to(id_)
    failing = {each.name for each in FAULTS if verdict(id_, each) != "pass"}
    assert failing <= near
    assert len(near) < len(FAULTS) / 6
    assert len(failing) >= 1


def test_a_fault_is_near_to_the_case_that_catches_it() -> None:
    for broken in FAULTS[::100]:
        assert broken.name in near_to(CAUGHT[broken.name])


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
