"""An engine in another process, spoken to in the protocol; nothing that it does can bring the harness down.

Whatever goes wrong ends the process with all that it has started, and is told with the last lines of its standard
error; the next `ProcessEngine.start` has a fresh one. A late answer has nobody to confuse: it can only come from a
process that is not listened to any more, and the numbers of requests go on from one process to the next.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import IO, Any, TypeVar

from judgecall.adapters.engine import (
    Action,
    Decide,
    Description,
    Engine,
    Glance,
    Illegal,
    Internal,
    Json,
    Legality,
    TraceLine,
    Unsupported,
    View,
)
from judgecall.adapters.protocol import CASE_FORMAT, INTERIM, PROTOCOL
from judgecall.adapters.protocol.actions import action_data, answer_data
from judgecall.adapters.protocol.reading import Malformed, shown, texts
from judgecall.adapters.protocol.reports import (
    read_description,
    read_glance,
    read_legality,
    read_question,
    read_trace,
    read_view,
)
from judgecall.adapters.protocol.state import state_data
from judgecall.adapters.session import Broken, Message, Session, Within
from judgecall.schema.model import Given

__all__ = ["Budget", "Limits", "ProcessEngine"]

T = TypeVar("T")

_LONG = 10
"""A case that asks for it may take so many times the usual time."""

_FAILED_STARTS = 3
"""An engine that fails to start so often, one time after another, will not start at all."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds that an engine may take, and how much it may fail."""

    start: float = 60.0
    """To start and say hello."""
    request: float = 10.0
    """For each answer."""
    case: float = 60.0
    """For a whole case, starting aside."""
    stop: float = 5.0
    """To end when asked to."""
    line: int = 1 << 24
    """Bytes in a line of output."""
    restarts: int = 20
    """How many times a fresh engine takes the place of one that failed, in a run."""


class Budget:
    """The restarts that a run may still have; engines that play side by side share one."""

    def __init__(self, restarts: int) -> None:
        self._restarts = restarts
        self._failures = 0
        self._failed_starts = 0
        self._lock = threading.Lock()
        self.ended: str | None = None
        """Why the run ends, once it does."""

    def started(self) -> None:
        """Take note of a process that has started well."""
        with self._lock:
            self._failed_starts = 0

    def failed(self, why: str, *, starting: bool) -> None:
        """Take note of a process that failed."""
        with self._lock:
            self._failures += 1
            self._failed_starts += starting
            if self._failed_starts >= _FAILED_STARTS:
                self.end(f"the engine failed to start {self._failed_starts} times in a row; the last time {why}")
            elif self._failures > self._restarts:
                often = "once" if self._failures == 1 else f"{self._failures} times"
                restarts = f"{self._restarts} restart{'' if self._restarts == 1 else 's'}"
                self.end(f"the engine failed {often}, and a run has {restarts}; the last time {why}")

    def end(self, why: str) -> None:
        """End the run."""
        self.ended = self.ended or why


class ProcessEngine(Engine):
    """An engine that is a command. It is started when it is first needed.

    ``environment`` is the whole environment of the process; None: ours. To the file ``log`` all messages are added.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        budget: Budget | None = None,
        log: Path | None = None,
    ) -> None:
        self.command = tuple(command)
        self.limits = limits or Limits()
        self.budget = budget or Budget(self.limits.restarts)
        self._folder = folder
        self._environment = environment
        self._log_path = log
        self._log: IO[str] | None = None
        self._numbers = itertools.count(1)
        self._session: Session | None = None
        self._why = "it has not been started"
        self._description: Description | None = None
        self._interim = False
        self._fault: str | None = None
        self._decide: Decide | None = None
        self._glance: Glance | None = None
        self._view: View | None = None
        self._slow = 1
        self._case_until: float | None = None

    def files(self) -> tuple[Path, ...]:
        """The files that the command names, by which a certificate tells one engine from another.

        They are those among its arguments, and the program itself where there are none.
        """
        base = self._folder or Path.cwd()
        named = tuple(path for word in self.command[1:] if (path := base / word).is_file())
        return named or (Path(self.command[0]),)

    # --- the interface

    def describe(self) -> Description:
        """Say who this is: what the first of its processes said."""
        if self._description is None:
            self._boot()
        assert self._description is not None
        return self._description

    def new_case(self, *, long: bool = False) -> None:
        """Begin to count the time of another case."""
        self._slow = _LONG if long else 1
        self._case_until = monotonic() + self.limits.case * self._slow

    @property
    def ended(self) -> str | None:
        """Why the run ends: the engine has failed too often."""
        return self.budget.ended

    def start(self, given: Given, decide: Decide) -> None:
        """Put a state into the engine; where there is none that runs, start one."""
        self._decide = decide
        if self._session is not None and self._session.left_asking:
            self._take_back()
        if self._session is None:
            self._boot()
        self._play("setup", {"state": state_data(given)})

    def act(self, action: Action) -> None:
        """Have an action carried out."""
        self._play("act", {"action": action_data(action)})

    def view(self) -> View:
        """Have the game reported, once between two acts."""
        if self._open_question() and not self._interim:
            raise Unsupported("command", "observe while it waits for an answer")
        if self._view is None or self._open_question():
            reply = self._request("observe", {})
            view = self._read(reply, lambda reply: read_view(reply.get("view")))
            if self._open_question():
                return view
            self._view = view
        return self._view

    def glance(self) -> Glance:
        """Say where the game stands: the engine told with its last answer, or is asked for a view."""
        if self._glance is None or self._open_question():
            return Glance.of(self.view())
        return self._glance

    def legality(self, action: Action, declare: Mapping[str, Json] | None = None) -> Legality | None:
        """Have an action judged, where the engine can."""
        if "legality" not in self.describe().capabilities:
            return None
        try:
            reply = self._request("probe", {"action": action_data(action), "declare": declare})
        except Unsupported:
            return None
        except Illegal as refusal:
            return Legality(False, refusal.rule, refusal.stage, str(refusal), refusal.also)
        return self._read(reply, read_legality)

    def supports(self, kind: str, names: Sequence[str]) -> frozenset[str] | None:
        """Ask which of these the engine knows."""
        try:
            reply = self.talk("supports", {"kind": kind, "names": list(names)})
        except Unsupported:
            return None
        known = self._read(reply, lambda reply: texts(reply.get("names"), "names"))
        return frozenset(known) & frozenset(names)

    def trace(self) -> tuple[TraceLine, ...]:
        """Have the engine tell what it did, where it can."""
        if "trace" not in self.describe().capabilities:
            return ()
        return self._read(self._request("trace", {}), lambda reply: read_trace(reply.get("trace")))

    def use_fault(self, name: str) -> None:
        """Have the engine break one rule; every process that comes later breaks it too."""
        self.talk("fault", {"name": name})
        self._fault = name

    def close(self) -> None:
        """End the engine.

        Raises:
            Internal: it did not end as it should; it is ended all the same.
        """
        session, self._session = self._session, None
        self._why = "it has been closed"
        wrong = session.farewell(self.limits.stop) if session is not None else None
        if self._log is not None:
            self._log.close()
            self._log = None
        if wrong is not None:
            raise Internal(wrong)

    def talk(self, command: str, fields: Message) -> Message:
        """Send any request and give the answer, for whoever examines an engine.

        Raises:
            Unsupported, Illegal, Internal: as the engine answers.
        """
        if self._session is None:
            self._boot()
        return self._request(command, fields)

    @property
    def pid(self) -> int | None:
        """The number of the process that plays now, if there is one."""
        return None if self._session is None else self._session.pid

    # --- starting

    def _boot(self) -> None:
        """Start a process and let it say hello.

        Raises:
            Internal: it does not start, or not as an engine.
        """
        if self.budget.ended is not None:
            raise Internal(self.budget.ended)
        begun = monotonic()
        if self._log is None and self._log_path is not None:
            self._log = open(self._log_path, "a", encoding="utf-8", buffering=1)  # noqa: SIM115
        try:
            self._session = Session(
                self.command, self._folder, self._environment, self.limits.line, self._numbers, self._log
            )
        except (OSError, ValueError) as error:
            self._why = f"it cannot be started: {error}"
            self.budget.failed(self._why, starting=True)
            raise Internal(self._why) from None
        try:
            self._introduce(self._session)
        except Internal as problem:
            self._lost(str(problem), starting=True)
            raise
        self.budget.started()
        if self._case_until is not None:
            self._case_until += monotonic() - begun
        if self._fault is not None:
            self._request("fault", {"name": self._fault})

    def _introduce(self, session: Session) -> None:
        try:
            reply = session.request(
                "hello",
                {"protocol": PROTOCOL, "format": CASE_FORMAT},
                lambda: Within.seconds(self.limits.start),
            )
            if reply.get("protocol") != PROTOCOL:
                spoken = shown(reply.get("protocol"))
                session.broken(f"it speaks protocol {spoken}, and judgecall speaks protocol {PROTOCOL}")
            description = read_description(reply)
        except (Unsupported, Illegal) as refusal:
            session.broken(f"it does not say hello: {refusal}")
        except Malformed as problem:
            session.broken(f"its answer to hello: {problem}")
        self._interim = INTERIM in description.capabilities
        description = replace(description, capabilities=description.capabilities - {INTERIM})
        if self._description is not None and description != self._description:
            # Verdicts of two engines must not stand under one name.
            self.budget.end("the engine that was started again says that it is another one")
            session.broken(f"it came back as another engine: {description.name} {description.version}")
        self._description = description

    def _lost(self, why: str, *, starting: bool = False) -> None:
        """Take note of a process that has been ended for what it did, and is replaced at the next start."""
        session, self._session = self._session, None
        if session is not None:
            session.end(why)
        self._why = why
        self.budget.failed(why, starting=starting)

    # --- talking

    def _open_question(self) -> bool:
        session = self._session
        return session is not None and (session.asking or session.left_asking)

    def _take_back(self) -> None:
        """Let an engine that waits for an answer forget its game; one that cannot is replaced at no cost."""
        session = self._session
        assert session is not None
        session.left_asking = False
        try:
            self._request("reset", {})
        except (Unsupported, Illegal, Internal):
            if self._session is session:
                session.end("it could not give up a question")
                self._session = None

    def _play(self, command: str, fields: Message) -> None:
        """Let the game go on."""
        self._glance = self._view = None
        reply = self._request(command, fields)
        if reply.get("glance") is not None:
            self._glance = self._read(reply, lambda reply: read_glance(reply.get("glance")))

    def _request(self, command: str, fields: Message) -> Message:
        """Send a request to the process that runs, and have its questions answered.

        Raises:
            Unsupported, Illegal: the engine says so.
            Internal: it failed; if it did what no engine may do, it has been ended.
        """
        session = self._session
        if session is None:
            raise Internal(self._why)
        try:
            return session.request(command, fields, self._within, self._put)
        except Broken as problem:
            # A request within another's question may have told of it already.
            if self._session is session:
                self._lost(str(problem))
            raise

    def _within(self) -> Within:
        seconds = self.limits.request * self._slow
        until = monotonic() + seconds
        if self._case_until is not None and self._case_until < until:
            case = self.limits.case * self._slow
            return Within(self._case_until, f"before the {case:g} s for the whole case were over")
        return Within(until, f"within {seconds:g} s")

    def _put(self, reply: Message) -> Any:
        """Have a question answered by whoever plays."""
        question = self._read(reply, lambda reply: read_question(reply.get("question")))
        assert self._decide is not None
        return answer_data(self._decide(question))

    def _read(self, reply: Message, read: Callable[[Message], T]) -> T:
        """Read an answer; an engine that gives a wrong one is ended."""
        try:
            return read(reply)
        except Malformed as problem:
            session = self._session
            if session is None:
                raise Internal(str(problem)) from None
            try:
                session.broken(str(problem))
            except Broken as broken:
                self._lost(str(broken))
                raise
