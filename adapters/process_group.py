"""Ending a process together with all that it has started, and writing to it, on POSIX and on Windows.

POSIX: the process leads a session and group of its own, and the group is sent SIGKILL. A child that makes itself a
session of its own escapes that; nothing portable catches it. Windows: the process is put into a job, and the job is
ended.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from typing import Any

__all__ = ["ProcessGroup", "exit_text", "never_wait", "popen_options", "wait_for_room"]


def popen_options() -> dict[str, Any]:
    """What `subprocess.Popen` needs to start a process that can be ended with its children."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def exit_text(code: int | None) -> str:
    """How a process ended: ``exit status 3``, ``signal SIGSEGV``."""
    if code is None:
        return "it is still running"
    if code < 0:
        with contextlib.suppress(ValueError):
            return f"signal {signal.Signals(-code).name}"
        return f"signal {-code}"
    return f"exit status {code}"


if sys.platform == "win32":
    from judgecall.adapters.windows_job import Job

    def never_wait(descriptor: int) -> bool:
        """Let writes to a pipe give up where they would have to wait; gives whether that can be had here."""
        return False

    def wait_for_room(descriptor: int, seconds: float) -> None:
        """Wait until such a pipe takes more, or time is up."""
        time.sleep(seconds)

    class ProcessGroup:
        """A process and what it has started."""

        def __init__(self, process: subprocess.Popen[bytes]) -> None:
            self._process = process
            self._job = Job(process)

        def kill(self) -> None:
            """End all of it at once."""
            self._job.kill()
            with contextlib.suppress(OSError):
                self._process.kill()

        def has_members(self) -> bool:
            """Whether anything of it still runs."""
            return self._job.has_members()

else:
    import select

    def never_wait(descriptor: int) -> bool:
        """Let writes to a pipe give up where they would have to wait; gives whether that can be had here."""
        os.set_blocking(descriptor, False)
        return True

    def wait_for_room(descriptor: int, seconds: float) -> None:
        """Wait until such a pipe takes more, or time is up."""
        poll = select.poll()
        poll.register(descriptor, select.POLLOUT)
        poll.poll(1000 * seconds)

    class ProcessGroup:
        """A process and what it has started.

        The number of a group stays taken while its leader has not been waited for, or a member is left. So whoever
        waits for the leader must ask `has_members` right after, and call neither method again where it says no.
        """

        def __init__(self, process: subprocess.Popen[bytes]) -> None:
            self._id = process.pid

        def kill(self) -> None:
            """End all of it at once."""
            with contextlib.suppress(ProcessLookupError, PermissionError):
                # macOS refuses where all that is left of a group are zombies.
                os.killpg(self._id, signal.SIGKILL)

        def has_members(self) -> bool:
            """Whether anything of it still runs, the leader having been waited for."""
            for _ in range(5):
                # A child that ends with its leader takes a moment to be waited for by whoever inherits it.
                try:
                    os.killpg(self._id, 0)
                except (ProcessLookupError, PermissionError):
                    return False
                time.sleep(0.02)
            return True
