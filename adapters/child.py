"""One process that is spoken to in lines, with time limits, and that cannot harm whoever speaks to it.

Threads do the reading and writing, since pipes can be waited for in no other way on every system. None of them is
ever waited for without a limit: a pipe that an escaped child keeps open leaves a thread behind, and nothing else.
"""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import threading
import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic

from judgecall.adapters.process_group import ProcessGroup, exit_text, never_wait, popen_options, wait_for_room
from judgecall.adapters.protocol.reading import shown

__all__ = ["Child", "ChildProblem"]

_CHUNK = 1 << 16
_TAIL_LINES = 20
_TAIL_BYTES = 400
_MOMENT = 1.0
"""How long to wait for what should happen at once: an end after an end of output, the last of standard error."""


class ChildProblem(Exception):
    """The process did not give a line; the text says what happened instead, ``late`` whether time was what lacked."""

    def __init__(self, told: str, *, late: bool = False) -> None:
        super().__init__(told)
        self.late = late


class _TooMuch:
    """In place of a line: there is more output than anybody will take."""

    def __init__(self, told: str) -> None:
        self.told = told


class _End:
    """In place of a line: the output has ended, perhaps in the middle of one."""

    def __init__(self, rest: bytes) -> None:
        self.rest = rest


class Child:
    """A process, its input and its output.

    Raises:
        OSError, ValueError: it cannot be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        *,
        line_limit: int = 1 << 24,
    ) -> None:
        self._line_limit = line_limit
        self._process = subprocess.Popen(
            list(command),
            cwd=folder,
            env=None if environment is None else dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            **popen_options(),
        )
        self._group = ProcessGroup(self._process)
        # An interpreter that ends without closing must not leave the process behind.
        self._last_resort = weakref.finalize(self, self._group.kill)
        self._lines: queue.SimpleQueue[bytes | _TooMuch | _End] = queue.SimpleQueue()
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._arrived = 0
        self._taken = 0
        self._partial = b""
        self._tail: deque[bytes] = deque(maxlen=_TAIL_LINES)
        self._code: int | None = None
        self._left_behind = False
        self._over = False
        self._errors_until = 0.0
        self._handed_over = 0
        self._written = 0
        """How many lines the thread that writes was given, and has done with: each thread counts its own."""
        # Where a pipe can be written to without waiting, a line that fits costs no change of threads.
        assert self._process.stdin is not None
        self._at_once = never_wait(self._process.stdin.fileno())
        self._threads = [
            threading.Thread(target=work, daemon=True, name=f"judgecall {work.__name__}")
            for work in (self._write, self._read, self._read_errors)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def send(self, line: bytes) -> None:
        """Hand over a line to be written. That it cannot be written shows in the answer that does not come."""
        pipe = self._process.stdin
        if self._at_once and self._handed_over == self._written and pipe is not None:
            try:
                line = line[pipe.write(line) or 0 :]
            except (OSError, ValueError):
                return
        if line:
            self._handed_over += 1
            self._outbox.put(line)

    def receive(self, until: float) -> bytes:
        """Give the next line of output that is not blank; ``until`` by `time.monotonic`.

        Raises:
            ChildProblem: there is none in time, or no more at all, or it is too long.
        """
        try:
            item = self._lines.get(timeout=max(0.0, until - monotonic()))
        except queue.Empty:
            raise self._silence() from None
        if isinstance(item, bytes):
            self._taken += len(item)
            return item
        if isinstance(item, _TooMuch):
            raise ChildProblem(item.told)
        self._reap(_MOMENT)
        how = "it ended" if self._code is not None else "it closed its standard output"
        told = f" ({exit_text(self._code)})" if self._code is not None else ""
        rest = f" in the middle of a line: {shown(item.rest)}" if item.rest else ""
        raise ChildProblem(f"{how}{told}{rest}")

    def pending(self) -> bool:
        """Whether there is output that nobody has taken yet; its end is none."""
        return self._arrived > self._taken

    def _silence(self) -> ChildProblem:
        """What is known of a process that gives no line in time."""
        partial = self._partial
        if self._reap(0):
            told = f"it ended ({exit_text(self._code)}), and what it left behind held its output"
            return ChildProblem(told)
        if partial:
            return ChildProblem(f"it wrote half a line, {shown(partial)}, and did not end it", late=True)
        return ChildProblem("it did not answer", late=True)

    def tail(self) -> str:
        """The last lines of standard error, in printable characters."""
        if self._over:
            self._threads[2].join(_MOMENT / 4)
        return "\n".join(shown(line) for line in tuple(self._tail) if line.strip())

    def finish(self, seconds: float) -> str | None:
        """Let the process end by itself, having been asked to; then end what is left of it.

        Gives what was wrong with that, or None.
        """
        self._outbox.put(None)
        wrong = None
        until = monotonic() + seconds
        try:
            item = self._lines.get(timeout=seconds)
            if isinstance(item, bytes):
                wrong = f"it wrote more after its farewell: {shown(item)}"
            elif isinstance(item, _TooMuch) or item.rest:
                wrong = "it wrote more after its farewell"
        except queue.Empty:
            pass
        if not self._reap(max(0.0, until - monotonic())):
            wrong = wrong or f"it did not end within {seconds:g} s of its farewell"
        elif self._left_behind:
            wrong = wrong or "it left processes behind"
        self.end()
        return wrong

    def end(self) -> None:
        """End the process and all that it has started, now."""
        if self._over:
            return
        self._over = True
        self._errors_until = monotonic() + _MOMENT
        if self._code is None:
            self._group.kill()
            self._reap(_MOMENT)
        self._last_resort.detach()
        self._outbox.put(None)

    def _reap(self, seconds: float) -> bool:
        """Wait for the process; gives whether it has ended. What it has left behind is ended with it."""
        if self._code is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._code = self._process.wait(seconds)
                # The number of the group stays taken only while something is left of it: now, or never.
                self._left_behind = self._group.has_members()
                if self._left_behind:
                    self._group.kill()
        return self._code is not None

    # --- threads

    def _write(self) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        with contextlib.suppress(OSError, ValueError):
            while (line := self._outbox.get()) is not None:
                rest = memoryview(line)
                while rest and not self._over:
                    if self._at_once:
                        wait_for_room(pipe.fileno(), _MOMENT)
                    rest = rest[pipe.write(rest) or 0 :]
                self._written += 1
        with contextlib.suppress(OSError):
            pipe.close()

    def _read(self) -> None:
        pipe = self._process.stdout
        assert pipe is not None
        parts: list[bytes] = []
        size = 0
        try:
            while chunk := os.read(pipe.fileno(), _CHUNK):
                if self._over:
                    return
                *lines, last = chunk.split(b"\n")
                for line in lines:
                    whole = b"".join((*parts, line)) if parts else line
                    parts.clear()
                    size = 0
                    if len(whole) > self._line_limit:
                        size = len(whole)
                        break
                    if whole.strip():
                        self._arrived += len(whole)
                        self._lines.put(whole)
                if last:
                    parts.append(last)
                    size += len(last)
                self._partial = parts[0][:_TAIL_BYTES] if parts else b""
                if size > self._line_limit:
                    self._lines.put(_TooMuch(f"it wrote a line of more than {self._line_limit} bytes"))
                    return
                if self._arrived - self._taken > self._line_limit:
                    self._lines.put(_TooMuch("it writes without end, and nobody asked"))
                    return
            self._lines.put(_End(b"".join(parts)[:_TAIL_BYTES]))
        except OSError:
            self._lines.put(_End(b""))
        finally:
            with contextlib.suppress(OSError):
                pipe.close()

    def _read_errors(self) -> None:
        pipe = self._process.stderr
        assert pipe is not None
        rest = b""
        with contextlib.suppress(OSError):
            while chunk := os.read(pipe.fileno(), _CHUNK):
                if self._over and monotonic() > self._errors_until:
                    return
                *lines, rest = (rest + chunk).split(b"\n")
                self._tail.extend(line[:_TAIL_BYTES] for line in lines[-_TAIL_LINES:])
                # Of a line without end the beginning is kept, so that a flood costs nothing.
                rest = rest[:_TAIL_BYTES]
        if rest:
            self._tail.append(rest)
        with contextlib.suppress(OSError):
            pipe.close()
