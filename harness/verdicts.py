"""What a case against an engine comes to, and the exceptions that end a case early."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = [
    "VERDICTS",
    "CaseResult",
    "Mismatch",
    "Mistake",
    "Stop",
    "TraceEntry",
    "broken",
    "failed",
    "mistake",
    "not_supported",
    "worst",
]

VERDICTS = ("invalid", "fail", "error", "unsupported", "pass")
"""From worst to best. A mistake in a case says nothing about the engine, so it is worse than anything."""


def worst(verdicts: list[str]) -> str:
    """The verdict of a ruling: the worst of its cases' (``pass`` where it has none)."""
    return min(verdicts, key=VERDICTS.index, default="pass")


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One expectation that does not hold: what of, what was expected, what the engine has."""

    subject: str
    expected: str
    actual: str

    def __str__(self) -> str:
        return f"{self.subject}: expected {self.expected}, got {self.actual}"


@dataclass(frozen=True, slots=True)
class TraceEntry:
    """A line of an engine's trace: the step of ``when`` it belongs to, from 1 (None: after the last), and rules."""

    step: int | None
    text: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The verdict on one case and, where it is not ``pass``, where and why."""

    case: str
    verdict: str
    message: str = ""
    title: str = ""
    status: str | None = None
    """``disputed`` or ``withdrawn``: the verdict is shown and does not count."""
    why: str | None = None
    path: str = ""
    line: int | None = None
    step: int | None = None
    """The step of ``when`` at which the case ended, from 1; None in ``then`` or before the first step."""
    steps: tuple[str, ...] = ()
    """The steps up to that one, as text."""
    mismatches: tuple[Mismatch, ...] = ()
    rules: tuple[str, ...] = ()
    """The rule that the engine named, or the ruling's."""
    unsupported: tuple[str, str] | None = None
    """Kind and name of what the engine does not know."""
    board: str = ""
    seconds: float = 0.0
    digest: str = ""
    """Of the case's file, as `judgecall.harness.release.file_digest` gives it."""
    known: tuple[str, str] | None = None
    """Of a known failure: the reason and the link of its entry."""
    trace: tuple[TraceEntry, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether this verdict counts for anything."""
        return self.status is None

    def to_json(self) -> dict[str, Any]:
        """This result as plain data, without what is empty."""
        data: dict[str, Any] = {"case": self.case, "verdict": self.verdict}
        if self.message:
            data["message"] = self.message
        for key in ("title", "status", "why", "path", "line", "step", "board", "digest"):
            value = getattr(self, key)
            if value:
                data[key] = value
        if self.rules:
            data["rules"] = list(self.rules)
        if self.steps:
            data["steps"] = list(self.steps)
        if self.mismatches:
            data["mismatches"] = [
                {"subject": m.subject, "expected": m.expected, "actual": m.actual} for m in self.mismatches
            ]
        if self.unsupported:
            data["unsupported"] = {"kind": self.unsupported[0], "name": self.unsupported[1]}
        if self.known:
            data["known"] = {"reason": self.known[0], "link": self.known[1]}
        if self.trace:
            data["trace"] = [[entry.step, entry.text, *entry.rules] for entry in self.trace]
        data["seconds"] = round(self.seconds, 6)
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CaseResult:
        """The inverse of `to_json`.

        Raises:
            KeyError, TypeError: ``case`` or ``verdict`` is missing, or something is not what `to_json` writes.
        """

        def text(key: str) -> str:
            value = data.get(key)
            return value if isinstance(value, str) else ""

        def whole(key: str) -> int | None:
            value = data.get(key)
            return value if isinstance(value, int) else None

        steps = data.get("steps")
        rules = data.get("rules")
        found = data.get("mismatches")
        lacking = data.get("unsupported")
        known = data.get("known")
        trace = data.get("trace")
        seconds = data.get("seconds")
        return cls(
            case=str(data["case"]),
            verdict=str(data["verdict"]),
            message=text("message"),
            title=text("title"),
            status=text("status") or None,
            why=text("why") or None,
            path=text("path"),
            line=whole("line"),
            step=whole("step"),
            steps=tuple(map(str, steps)) if isinstance(steps, list) else (),
            mismatches=tuple(
                Mismatch(str(m["subject"]), str(m["expected"]), str(m["actual"]))
                for m in (found if isinstance(found, list) else ())
            ),
            rules=tuple(map(str, rules)) if isinstance(rules, list) else (),
            unsupported=(
                (str(lacking.get("kind")), str(lacking.get("name"))) if isinstance(lacking, Mapping) else None
            ),
            board=text("board"),
            seconds=float(seconds) if isinstance(seconds, (int, float)) else 0.0,
            digest=text("digest"),
            known=((str(known.get("reason", "")), str(known.get("link", ""))) if isinstance(known, Mapping) else None),
            trace=tuple(_entry(line) for line in (trace if isinstance(trace, list) else ())),
        )


def _entry(line: Any) -> TraceEntry:
    step, text, *rules = line
    return TraceEntry(step if isinstance(step, int) else None, str(text), tuple(map(str, rules)))


class Stop(Exception):
    """A case has come to a verdict before its end."""

    def __init__(
        self,
        verdict: str,
        message: str,
        *,
        mismatches: tuple[Mismatch, ...] = (),
        rule: str | None = None,
        unsupported: tuple[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.verdict = verdict
        self.message = message
        self.mismatches = mismatches
        self.rule = rule
        self.unsupported = unsupported


class Mistake(Stop):
    """Case and engine do not fit together.

    On an engine that is strict this is a mistake in the case (``invalid``), on any other a ``fail``.
    """


def mistake(message: str) -> Mistake:
    """A question left open, an answer never asked for, a pass that does more than is said, a wrong name."""
    return Mistake("invalid", message)


def failed(message: str, rule: str | None = None, mismatches: tuple[Mismatch, ...] = ()) -> Stop:
    """The engine did what the case says that it must not, or did not do what it must."""
    return Stop("fail", message, rule=rule, mismatches=mismatches)


def not_supported(kind: str, name: str) -> Stop:
    """The engine says, or shows, that it does not know something that the case needs."""
    return Stop("unsupported", f"{kind}: {name}", unsupported=(kind, name))


def broken(message: str) -> Stop:
    """The engine failed in itself."""
    return Stop("error", message)
