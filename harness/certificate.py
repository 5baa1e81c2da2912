"""Certificates: what an engine came to, as an in-toto statement with the test-result predicate.

A certificate is made of a results file and the suite alone, without a clock, so that whoever has both can make it
again and compare. It says all counts, and names every case that did not pass. ``result`` is ``PASSED`` only where
every case passed; what is unsupported or was not played is among ``failedTests``, since it did not pass.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from judgecall.harness.release import ALL, CaseSet, Profile, Release
from judgecall.harness.results import Results

__all__ = [
    "FORMAT",
    "PREDICATE",
    "STATEMENT",
    "CertificateError",
    "certify",
    "counts_in",
    "profile_counts",
    "statement_text",
]

FORMAT = 1
STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://in-toto.io/attestation/test-result/v0.1"
OWN = "judgecall"
"""The name of our own part of the predicate."""

LISTS = ("failing", "errors", "unsupported", "notPlayed")
"""The lists of cases that count and did not pass."""

_OF_VERDICT = {"fail": "failing", "error": "errors", "unsupported": "unsupported"}


class CertificateError(Exception):
    """No certificate can be made of these results, or this is none; the text says why."""


def certify(results: Results, suite: CaseSet, facts: Release, profile: str = ALL) -> dict[str, Any]:
    """Make the certificate of a results file for a profile, by default for the whole suite.

    Raises:
        CertificateError: the results are those of one shard, of another suite than this one, or hold cases that
            are not the suite's or that are mistaken.
        NotFound: there is no such profile.
    """
    chosen = facts.profile(profile)
    _hold(results, suite)
    cases = {result.case: result for result in results.cases}
    members = suite.of(chosen)
    counted = sorted(id_ for id_, member in members.items() if member.status is None)
    lists: dict[str, list[str]] = {name: [] for name in LISTS}
    passed = []
    for id_ in counted:
        result = cases.get(id_)
        if result is None:
            lists["notPlayed"].append(id_)
        elif result.verdict == "pass":
            passed.append(id_)
        else:
            lists[_OF_VERDICT[result.verdict]].append(id_)
    profiles = facts.profiles if not chosen.folders else (chosen,)
    apart = [
        {"case": id_, "status": member.status, "verdict": cases[id_].verdict if id_ in cases else "not played"}
        for id_, member in sorted(members.items())
        if member.status is not None
    ]
    header = results.header
    engine = header.engine
    whole = {name: set(ids) for name, ids in lists.items()} | {"passed": set(passed)}
    failed = sorted(id_ for ids in lists.values() for id_ in ids)
    own: dict[str, Any] = {
        "certificate": FORMAT,
        "profile": chosen.name,
        "suite": {"version": header.suite_version, "digest": _digests(header.suite_digest)},
        "comprehensiveRules": header.comprehensive_rules,
        "caseFormat": header.case_format,
        "protocol": header.protocol,
        "engine": {
            "name": engine.name,
            "version": engine.version,
            **({"language": engine.language} if engine.language else {}),
            **({"fault": engine.fault} if engine.fault else {}),
            "files": [{"name": name, "digest": _digests(digest)} for name, digest in engine.files],
        },
        "adapter": {
            "name": engine.adapter,
            "version": engine.adapter_version,
            **({"digest": _digests(engine.adapter_digest)} if engine.adapter_digest else {}),
        },
        "environments": [dict(each) for each in header.environments],
        "results": {"digest": _digests(results.digest), "finished": results.finished},
        "profiles": {
            each.name: profile_counts(each, counted, whole, faulted=engine.fault is not None) for each in profiles
        },
        **lists,
        "notCounted": apart,
        "knownFailures": sorted(
            id_ for id_ in counted if id_ in cases and cases[id_].known and cases[id_].verdict != "pass"
        ),
    }
    certified = own["profiles"][chosen.name]["certified"]
    return {
        "_type": STATEMENT,
        "subject": _subject(results),
        "predicateType": PREDICATE,
        "predicate": {
            "result": "PASSED" if certified else "FAILED",
            "configuration": [
                {"name": f"judgecall cases {header.suite_version}", "digest": _digests(header.suite_digest)}
            ],
            "passedTests": passed,
            "warnedTests": [],
            "failedTests": failed,
            OWN: own,
        },
    }


def profile_counts(
    profile: Profile, counted: Sequence[str], lists: Mapping[str, set[str]], *, faulted: bool
) -> dict[str, Any]:
    """What an engine came to on the cases of a profile that count.

    ``lists`` has the ids that passed, and those of each list of `LISTS`. An engine that was broken on purpose is
    certified for nothing.
    """
    ids = {id_ for id_ in counted if profile.has(id_)}
    numbers = {name: len(ids & lists[name]) for name in ("passed", *LISTS)}
    certified = bool(ids) and numbers["passed"] == len(ids) and not faulted
    return {"title": profile.title, "certified": certified, "cases": len(ids), **numbers}


def statement_text(statement: Mapping[str, Any]) -> str:
    """A certificate as the text of its file."""
    text = json.dumps(statement, ensure_ascii=False, indent=1, allow_nan=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n"


def counts_in(statement: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    """The profiles of a certificate.

    Raises:
        CertificateError: it has none.
    """
    try:
        found: Mapping[str, Mapping[str, Any]] = statement["predicate"][OWN]["profiles"]
    except (KeyError, TypeError):
        raise CertificateError("this is no certificate of judgecall") from None
    return found


def _hold(results: Results, suite: CaseSet) -> None:
    """Refuse results that no certificate can be made of."""
    header = results.header
    if header.shard is not None:
        raise CertificateError(
            f"{results.path} is shard {header.shard} of a run: merge the shards first ('judgecall merge')"
        )
    if header.suite_digest != suite.digest:
        raise CertificateError(
            f"{results.path} has results of suite {header.suite_version} ({header.suite_digest[:19]}…), and "
            f"another one is installed ({suite.digest[:19]}…): install the version that was run"
        )
    if suite.broken:
        raise CertificateError(f"the suite is broken: {suite.broken[0]} cannot be read")
    for result in results.cases:
        member = suite.members.get(result.case)
        if result.verdict == "invalid" and result.counts:
            raise CertificateError(f"the case {result.case} is mistaken, which stops a certificate: {result.message}")
        if member is None:
            raise CertificateError(f"{result.case} is no case of the suite: certify results of the suite alone")
        if member.digest != result.digest or member.status != result.status:
            raise CertificateError(f"the case {result.case} was played with another text than the suite's")


def _subject(results: Results) -> list[dict[str, Any]]:
    """What the certificate is about: the engine's files and its adapter as far as there are digests, the results."""
    engine = results.header.engine
    subject = [{"name": f"{engine.title}: {name}", "digest": _digests(digest)} for name, digest in engine.files]
    if engine.adapter_digest:
        name = f"{engine.adapter} {engine.adapter_version}".strip() or engine.title
        subject.append({"name": f"adapter {name}", "digest": _digests(engine.adapter_digest)})
    subject.append({"name": f"results of {engine.title}", "digest": _digests(results.digest)})
    return subject


def _digests(digest: str) -> dict[str, str]:
    """A digest as in-toto writes it."""
    return {"sha256": digest.removeprefix("sha256:")}
