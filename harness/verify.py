"""Checking a certificate without the engine: what it says is recomputed from what is at hand."""

from __future__ import annotations

import importlib.resources
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judgecall.harness.certificate import LISTS, OWN, CertificateError, certify, profile_counts
from judgecall.harness.release import ALL, CaseSet, Release
from judgecall.harness.results import Results

__all__ = ["NOT_PROVED", "PROVED", "Check", "facts_of", "read_statement", "verify"]

PROVED = (
    "its counts, its profiles and its lists of cases agree with one another",
    "with the suite installed: they cover every case of it, none left out",
    "with --results: it says what these results say, and nothing else",
)
NOT_PROVED = (
    "that the run took place, or that its engine is the one named: it is self-reported unless it is signed by "
    "somebody whom you trust ('harness/CERTIFICATES.md' says how to sign and check with the usual tools)",
    "that the engine plays by the rules beyond the cases that it passed",
)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: it holds, it does not (``False``), or it could not be looked at (``None``)."""

    holds: bool | None
    text: str


def read_statement(path: str | Path) -> dict[str, Any]:
    """Read a certificate.

    Raises:
        CertificateError: the file cannot be read, or is not even a JSON object.
    """
    try:
        data = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise CertificateError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise CertificateError(f"{path} is no JSON: {error}") from None
    if not isinstance(data, dict):
        raise CertificateError(f"{path} is no certificate: it is no JSON object")
    return data


def facts_of(statement: Mapping[str, Any]) -> Mapping[str, Any]:
    """Our own part of a certificate that keeps to the schema."""
    own: Mapping[str, Any] = statement["predicate"][OWN]
    return own


def verify(statement: Mapping[str, Any], suite: CaseSet, facts: Release, results: Results | None = None) -> list[Check]:
    """Recompute what a certificate says; one check that does not hold is enough to distrust it."""
    broken = list(_against_schema(statement))
    if broken:
        return [Check(False, f"the form of a certificate: {problem}") for problem in broken[:5]]
    checks = [Check(True, "it has the form of an in-toto statement with a test result")]
    checks += _lists(statement)
    own = facts_of(statement)
    if own["suite"]["digest"] == {"sha256": suite.digest.removeprefix("sha256:")}:
        checks += _against_suite(statement, suite, facts)
    else:
        version = own["suite"]["version"]
        checks.append(
            Check(None, f"its suite ({version}) is not the one installed here: cases and profiles not compared")
        )
        checks += _sums(own)
    if results is None:
        checks.append(Check(None, "its results were not given (--results): not compared"))
    else:
        checks += _against_results(statement, suite, facts, results)
    return checks


def _against_schema(statement: Mapping[str, Any]) -> Iterator[str]:
    from jsonschema import Draft202012Validator

    text = importlib.resources.files("judgecall.schema").joinpath("certificate.schema.json").read_text("utf-8")
    for error in Draft202012Validator(json.loads(text)).iter_errors(statement):
        yield f"{'/'.join(map(str, error.absolute_path)) or 'top'}: {error.message[:200]}"


def _lists(statement: Mapping[str, Any]) -> Iterator[Check]:
    predicate = statement["predicate"]
    own = facts_of(statement)
    parts = [predicate["passedTests"], *(own[name] for name in LISTS)]
    every = [id_ for part in parts for id_ in part]
    yield Check(len(every) == len(set(every)), "no case is in two of its lists")
    failed = sorted(id_ for name in LISTS for id_ in own[name])
    yield Check(sorted(predicate["failedTests"]) == failed, "'failedTests' has all that did not pass")
    profile = own["profiles"].get(own["profile"])
    certified = profile is not None and not failed and bool(predicate["passedTests"]) and "fault" not in own["engine"]
    yield Check(
        profile is not None and profile["certified"] == certified == (predicate["result"] == "PASSED"),
        "'result' says PASSED only where every case passed",
    )


def _sums(own: Mapping[str, Any]) -> Iterator[Check]:
    """Without the suite: the numbers of each profile, as far as they bind one another."""
    faulted = "fault" in own["engine"]
    for name, counts in own["profiles"].items():
        whole = counts["passed"] + sum(counts[each] for each in LISTS)
        certified = counts["cases"] > 0 and counts["passed"] == counts["cases"] and not faulted
        yield Check(
            whole == counts["cases"] and counts["certified"] == certified,
            f"the counts of profile {name} add up",
        )


def _against_suite(statement: Mapping[str, Any], suite: CaseSet, facts: Release) -> Iterator[Check]:
    own = facts_of(statement)
    yield Check(True, f"its suite is the one installed here, {facts.version}")
    numbers = (facts.version, facts.comprehensive_rules, facts.case_format)
    said = (own["suite"]["version"], own["comprehensiveRules"], own["caseFormat"])
    yield Check(numbers == said, "the numbers of suite, rules and case format are those of the suite")
    known = {profile.name: profile for profile in facts.profiles}
    chosen = known.get(own["profile"])
    if chosen is None:
        yield Check(False, f"there is a profile {own['profile']}")
        return
    members = suite.of(chosen)
    counted = sorted(id_ for id_, member in members.items() if member.status is None)
    lists = {"passed": set(statement["predicate"]["passedTests"])} | {name: set(own[name]) for name in LISTS}
    yield Check(set().union(*lists.values()) == set(counted), "its lists have every case of the profile, and no other")
    apart = sorted((id_, member.status) for id_, member in members.items() if member.status is not None)
    yield Check(
        sorted((each["case"], each["status"]) for each in own["notCounted"]) == apart,
        "what it does not count is disputed or withdrawn in the suite",
    )
    wanted = facts.profiles if chosen.name == ALL else (chosen,)
    faulted = "fault" in own["engine"]
    recomputed = {each.name: profile_counts(each, counted, lists, faulted=faulted) for each in wanted}
    yield Check(own["profiles"] == recomputed, "the counts of all profiles are those of its lists")


def _against_results(statement: Mapping[str, Any], suite: CaseSet, facts: Release, results: Results) -> Iterator[Check]:
    own = facts_of(statement)
    same = own["results"]["digest"] == {"sha256": results.digest.removeprefix("sha256:")}
    yield Check(same, "the results are those that it names")
    try:
        again = certify(results, suite, facts, own["profile"])
    except CertificateError as problem:
        yield Check(None, f"it cannot be made again from the results: {problem}")
        return
    different = list(_differences(again, statement, ""))
    told = f": not {', '.join(different[:5])}" if different else ""
    yield Check(not different, f"made again from the results, it says the same{told}")


def _differences(one: Any, other: Any, where: str) -> Iterator[str]:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in {**one, **other}:
            yield from _differences(one.get(key), other.get(key), f"{where}/{key}")
    elif one != other:
        yield where
