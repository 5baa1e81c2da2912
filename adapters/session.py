"""One process of an engine: requests, their answers, and the questions in between, within limits of time.

Whatever is not as the protocol says ends the process with all that it has started (`Broken`). An answer can only be
taken for that of the request that is open: each has a number of its own, and no two processes share one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import IO, Any, NoReturn, TypeAlias

from judgecall.adapters.child import Child, ChildProblem
from judgecall.adapters.engine import Illegal, Internal, Unsupported
from judgecall.adapters.protocol import MAY_ASK
from judgecall.adapters.protocol.reading import Malformed, line_of, message_of, optional_text, shown, text, texts

__all__ = ["Broken", "Message", "Session", "Within"]

Message: TypeAlias = Mapping[str, Any]


class Broken(Internal):
    """The process did what no engine may do, and has been ended."""


@dataclass(frozen=True, slots=True)
class Within:
    """How long to wait, in time of `time.monotonic`, and how to say that it was too long."""

    until: float
    told: str

    @classmethod
    def seconds(cls, seconds: float) -> Within:
        """So many seconds from now."""
        return cls(monotonic() + seconds, f"within {seconds:g} s")


class Session:
    """A process that has been started. ``numbers`` are those of its requests; ``log`` takes all messages.

    Raises:
        OSError, ValueError: it cannot be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path | None,
        environment: Mapping[str, str] | None,
        line_limit: int,
        numbers: Iterator[int],
        log: IO[str] | None = None,
    ) -> None:
        self._log = log
        self._numbers = numbers
        self._child = Child(command, folder, environment, line_limit=line_limit)
        self.why = ""
        """Why it is over, once it is."""
        self.alive = True
        self.waiting = False
        """Whether an answer of the engine has not come yet; so it stays where who waits for it is interrupted."""
        self.asking = False
        """Whether the engine waits for an answer that is being thought of."""
        self.left_asking = False
        """Whether it waits for an answer that will not come."""

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._child.pid

    def request(
        self,
        command: str,
        fields: Message,
        within: Callable[[], Within],
        decide: Callable[[Message], Any] | None = None,
    ) -> Message:
        """Send a request, have questions answered with ``decide``, and give the answer.

        ``within`` is asked for each message that is waited for.

        Raises:
            Unsupported, Illegal: the engine says so.
            Internal: it says that it failed.
            Broken: it does not answer, or not in the protocol; or it is over already.
        """
        if not self.alive:
            raise Broken(self.why)
        if self._child.pending():
            self.broken(f"it wrote what nobody asked for: {shown(self._line(command, within()))}")
        number = next(self._numbers)
        self._send(line_of({"id": number, "command": command, **fields}))
        while True:
            reply = self._reply(number, command, within())
            word = reply.get("reply")
            if word == "done":
                return reply
            if word != "question":
                self._refused(command, reply)
            if decide is None or command not in MAY_ASK:
                self.broken(f"it puts a question while it is asked to {command}")
            if self.asking:
                self.broken("it puts a question while it waits for an answer")
            self._answer(number, reply, decide)

    def _answer(self, number: int, reply: Message, decide: Callable[[Message], Any]) -> None:
        self.asking = True
        try:
            line = line_of({"id": number, "command": "answer", "answer": decide(reply)})
        except BaseException:
            self.left_asking = self.alive
            raise
        finally:
            self.asking = False
        if not self.alive:
            raise Broken(self.why)
        self._send(line)

    def _refused(self, command: str, reply: Message) -> NoReturn:
        """Raise what an engine says that has not done what it was asked to."""
        word = reply.get("reply")
        try:
            if word == "unsupported":
                raise Unsupported(text(reply.get("kind"), "kind"), text(reply.get("name"), "name"))
            if word == "illegal":
                raise Illegal(
                    text(reply.get("message", ""), "message") or "it is not allowed",
                    optional_text(reply.get("rule"), "rule"),
                    optional_text(reply.get("stage"), "stage"),
                    texts(reply.get("also", []), "also"),
                )
            if word == "failed":
                told = text(reply.get("message", ""), "message")
                raise Internal(f"it says that it failed at {command}: {shown(told)}")
        except Malformed as problem:
            self.broken(f"its answer to {command}: {problem}")
        self.broken(f"its answer to {command} is none that there is: {shown(dict(reply))}")

    def _send(self, line: bytes) -> None:
        self._write_log(">", line)
        self._child.send(line)

    def _reply(self, number: int, command: str, within: Within) -> Message:
        self.waiting = True
        line = self._line(command, within)
        self.waiting = False
        try:
            reply = message_of(line)
        except Malformed as problem:
            hint = "" if line.lstrip().startswith(b"{") else "; whatever is no message belongs on standard error"
            self.broken(f"what it answers to {command} is no message: {problem}{hint}")
        if reply.get("id") != number:
            self.broken(f"it answers something else than request {number}, {command}: {shown(line)}")
        return reply

    def _line(self, command: str, within: Within) -> bytes:
        try:
            line = self._child.receive(within.until)
        except ChildProblem as problem:
            late = f" {within.told}" if problem.late else ""
            self.broken(f"asked to {command}, {problem}{late}")
        self._write_log("<", line)
        return line

    def broken(self, why: str) -> NoReturn:
        """End the process and say why, with what it last wrote on standard error.

        Raises:
            Broken: always.
        """
        self.end(why)
        tail = self._child.tail()
        self.why = f"{why}\nits standard error ended with:\n{tail}" if tail else why
        raise Broken(self.why)

    def end(self, why: str) -> None:
        """End the process with all that it has started."""
        if self.alive:
            self.alive = False
            self.why = why
            self._child.end()
            self._write_log("!", shown(why).encode())

    def farewell(self, seconds: float) -> str | None:
        """Ask the process to end and see that it does; gives what was wrong with how it did, or None."""
        if not self.alive:
            return None
        if self.waiting or self.asking or self.left_asking:
            self.end("it was in the middle of something")
            return None
        try:
            with suppress(Unsupported, Illegal):
                self.request("bye", {}, lambda: Within.seconds(seconds))
        except Internal as problem:
            self.end("it did not take its leave")
            return str(problem)
        self.alive = False
        self.why = "it has been told to end"
        return self._child.finish(seconds)

    def _write_log(self, mark: str, line: bytes) -> None:
        if self._log is not None:
            told = line.decode("utf-8", errors="backslashreplace").rstrip()
            with suppress(OSError, ValueError):
                self._log.write(f"{monotonic():.6f} {mark} {told}\n")
