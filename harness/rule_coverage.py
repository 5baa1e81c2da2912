"""Which rules act in which cases, told from what an engine's traces cite and not from what the cases say of themselves.

A ruling names the rules that it follows from. One that no case of it ever touches is either the wrong rule, or one that
nothing in a game acts by, which the file then says (``not_acting``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

from judgecall.harness.engines import Opened
from judgecall.harness.phrase import many
from judgecall.harness.probes import rules_match
from judgecall.harness.runner import plan, run
from judgecall.harness.suite import Selected, load
from judgecall.schema.comprehensive_rules import current
from judgecall.schema.model import Ruling

__all__ = ["RuleCoverage", "measure", "tell", "wrong_of"]

_SHOWN = 3
"""Cases that are named for each rule, where not all of them are asked for."""


@dataclass(frozen=True, slots=True)
class RuleCoverage:
    """The rules that acted, with the cases, and what is wrong."""

    cases: int
    rules: Mapping[str, tuple[str, ...]]
    """In the order of the rules."""
    wrong: tuple[str, ...]


def measure(selected: Sequence[Selected], opened: Opened) -> RuleCoverage:
    """Play cases on an engine that keeps a trace.

    What a ruling names is held against its cases only where all of them are selected.

    Raises:
        NotFound: a case asked for by name is not there.
        RunEnded: the engine failed too often.
    """
    cited: dict[str, frozenset[str]] = {}
    wrong: list[str] = []
    for result in run(plan(selected), opened, traced=True):
        cited[result.case] = frozenset(rule for line in result.trace for rule in line.rules)
        if result.verdict != "pass" and result.status is None:
            wrong.append(f"{result.case}: {result.verdict}, so that not all that acts in it was seen")
    acting: dict[str, list[str]] = {}
    for case, rules in cited.items():
        for rule in rules:
            acting.setdefault(rule, []).append(case)
    known = {rule: place for place, rule in enumerate(current().rules)}
    wrong += [
        f"the trace of {acting[rule][0]} cites {rule}, which is no rule" for rule in sorted(acting.keys() - known)
    ]
    for each, loaded in zip(selected, load(selected), strict=True):
        if loaded.ruling is not None and each.names is None:
            found = frozenset[str]().union(*(cited[case.id] for case in loaded.ruling.cases))
            wrong += [f"{loaded.path}: {told}" for told in wrong_of(loaded.ruling, found)]
    order = sorted(acting, key=lambda rule: (known.get(rule, len(known)), rule))
    return RuleCoverage(len(cited), {rule: tuple(acting[rule]) for rule in order}, tuple(wrong))


def wrong_of(ruling: Ruling, cited: Iterable[str]) -> list[str]:
    """What is wrong with the rules that a ruling names, where these are cited in the traces of its cases.

    A rule is touched where it is cited itself, or one above or below it; but who cites a whole section says nothing of
    the rules in it.
    """
    acting = {rule for rule in ruling.rules if any(_touches(rule, other) for other in cited)}
    idle = [rule for rule in ruling.rules if rule not in acting and rule not in ruling.not_acting]
    if all(case.holds_before is not None for case in ruling.cases):
        idle = []  # nothing is done in them, so that nothing has to act
    return [f"CR {rule} acts in none of its cases" for rule in idle] + [
        f"CR {rule} acts in a case, and the file says that it does not" for rule in ruling.not_acting if rule in acting
    ]


def _touches(rule: str, cited: str) -> bool:
    """
    >>> _touches("702.34", "702.34a"), _touches("702.34a", "702"), _touches("702", "702.34a")
    (True, False, True)
    """
    return rules_match(rule, cited) and ("." in cited or "." not in rule)


def tell(found: RuleCoverage, out: TextIO) -> None:
    """Write it down."""
    for rule, cases in found.rules.items():
        more = f" and {len(cases) - _SHOWN} more" if len(cases) > _SHOWN else ""
        out.write(f"{rule:<9} {len(cases):5}  {', '.join(cases[:_SHOWN])}{more}\n")
    for told in found.wrong:
        out.write(f"{told}\n")
    wrong = f", {many(len(found.wrong), 'problem')}" if found.wrong else ""
    act = "acts" if len(found.rules) == 1 else "act"
    rules = many(len(found.rules), "rule")
    out.write(f"{rules} of {len(current().rules)} {act} in {many(found.cases, 'case')}{wrong}\n")
