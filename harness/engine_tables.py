"""``[tool.judgecall.engines.NAME]``: what a caller's ``pyproject.toml`` says of an engine.

::

    [tool.judgecall.engines.mine]
    command = ["java", "-jar", "adapter.jar"]   # or class = "module:Class"
    arguments = ["--fast"]                      # of a class: a table of keyword arguments
    folder = "engine"                           # where it runs, beside this pyproject.toml
    environment = {MINE_HOME = "/opt/mine"}     # added to ours
    limits = {start = 120, request = 10, case = 60, stop = 5, restarts = 20, line = 16777216}
    processes = 2                               # so many play side by side in `judgecall run`
    isolated = true                             # a class: in a process of its own, within limits
    log = "wire.log"                            # all messages, for whoever looks for a fault
    build = "make adapter"                      # how it is built, told where it does not start
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judgecall.adapters.engine import Engine
from judgecall.adapters.process import Budget, Limits, ProcessEngine

__all__ = ["EngineProblem", "Table", "read_command", "read_table"]

_KEYS = (
    "class",
    "command",
    "arguments",
    "folder",
    "environment",
    "limits",
    "processes",
    "isolated",
    "log",
    "build",
)
_OF_PROCESSES = ("environment", "limits", "processes", "log")


class EngineProblem(Exception):
    """No engine can be made of what the caller asked for; the text says what there is."""


@dataclass(frozen=True, slots=True)
class Table:
    """An engine as it is configured: a class, or a command that speaks the protocol."""

    name: str
    folder: Path
    class_: str | None = None
    command: tuple[str, ...] = ()
    keywords: Mapping[str, Any] = field(default_factory=dict)
    """Of a class: its keyword arguments."""
    environment: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    processes: int = 1
    isolated: bool = False
    log: Path | None = None
    build: str = ""
    """How it is built, in its folder: to be told, never carried out."""

    @property
    def when_not_built(self) -> str:
        """What is told besides where it does not start; nothing where nobody says how it is built."""
        return f"\nif it has not been built yet, in {self.folder.absolute()}: {self.build}" if self.build else ""

    @property
    def in_process(self) -> bool:
        """Whether the engine lives in this process."""
        return self.class_ is not None and not self.isolated

    def maker(self) -> Callable[[], Engine]:
        """What makes an engine that is a process, each time it is called; all of them share their restarts.

        Raises:
            EngineProblem: there is no such command or folder, or the log cannot be written.
        """
        if not self.folder.is_dir():
            raise EngineProblem(f"engine {self.name!r}: there is no folder {self.folder}")
        environment = {**os.environ, **self.environment}
        if self.class_ is not None:
            command: tuple[str, ...] = (sys.executable, "-m", "judgecall.adapters.serve", self.class_)
            command += (json.dumps(dict(self.keywords)),) if self.keywords else ()
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(self.folder), environment.get("PYTHONPATH"))))
        else:
            command = (self._program(environment), *self.command[1:])
        if self.log is not None:
            try:
                self.log.write_bytes(b"")
            except OSError as error:
                raise EngineProblem(f"engine {self.name!r}: {self.log} cannot be written: {error.strerror}") from None
        budget = Budget(self.limits.restarts)
        return lambda: ProcessEngine(
            command, folder=self.folder, environment=environment, limits=self.limits, budget=budget, log=self.log
        )

    def _program(self, environment: Mapping[str, str]) -> str:
        """The program that the command names, found as a shell would, but below the engine's folder.

        Raises:
            EngineProblem: there is none.
        """
        program = self.command[0]
        if os.sep in program or "/" in program:
            path = (self.folder / program).absolute()
            found = shutil.which(path)
            if found is None:
                problem = f"engine {self.name!r}: {path} cannot be started: "
                if path.exists():
                    raise EngineProblem(f"{problem}it is not executable")
                unsaid = "; if it has to be built, that comes first"
                raise EngineProblem(f"{problem}it is not there{self.when_not_built or unsaid}")
            return found
        found = shutil.which(program, path=environment.get("PATH"))
        if found is None:
            raise EngineProblem(f"engine {self.name!r}: there is no command {program!r} on the PATH")
        return found


def read_command(name: str, command: str, folder: Path) -> Table:
    """The engine that ``cmd:COMMAND`` means, with arguments as a shell parts them.

    Raises:
        EngineProblem: there is no command, or its quotes do not match.
    """
    return Table(name, folder, command=_parted(name, command))


def _parted(name: str, command: str) -> tuple[str, ...]:
    try:
        # On Windows a backslash parts folders, and nothing else.
        words = shlex.split(command, posix=os.name != "nt")
    except ValueError as error:
        raise EngineProblem(f"engine {name!r}: {command!r} is no command: {error}") from None
    if os.name == "nt":
        words = [word[1:-1] if len(word) > 1 and word[0] == word[-1] == '"' else word for word in words]
    if not words:
        raise EngineProblem(f"engine {name!r}: there is no command after 'cmd:'")
    return tuple(words)


def read_table(name: str, data: Mapping[str, Any], home: Path) -> Table:
    """An engine from its table; ``home`` is the folder of the ``pyproject.toml``.

    Raises:
        EngineProblem: a key or value is none that may stand there, with what was expected.
    """
    reader = _Reader(name)
    reader.known(data, _KEYS, "[tool.judgecall.engines]")
    class_, command = data.get("class"), data.get("command")
    if (class_ is None) == (command is None):
        raise reader.problem("needs either 'class' or 'command'")
    if class_ is not None and not isinstance(class_, str):
        raise reader.problem(f"class: expected 'module:Class', not {class_!r}")
    isolated = data.get("isolated", False)
    if not isinstance(isolated, bool):
        raise reader.problem(f"isolated: expected true or false, not {isolated!r}")
    if class_ is not None and not isolated:
        for key in _OF_PROCESSES:
            if key in data:
                raise reader.problem(f"'{key}' is for an engine in a process of its own: add 'isolated = true'")
    folder = home / reader.text(data.get("folder", "."), "folder")
    log = data.get("log")
    arguments = data.get("arguments")
    if class_ is not None:
        if arguments is not None and not isinstance(arguments, dict):
            raise reader.problem(f"arguments: of a class, expected a table, not {arguments!r}")
        words: tuple[str, ...] = ()
        keywords = dict(arguments or {})
    else:
        words = (*reader.command(command), *reader.texts(arguments or [], "arguments"))
        keywords = {}
    return Table(
        name,
        folder,
        class_=class_.removeprefix("py:") if class_ is not None else None,
        command=words,
        keywords=keywords,
        environment=reader.environment(data.get("environment", {})),
        limits=reader.limits(data.get("limits", {})),
        processes=reader.whole(data.get("processes", 1), "processes", 1),
        isolated=isolated,
        log=home / reader.text(log, "log") if log is not None else None,
        build=reader.text(data["build"], "build") if "build" in data else "",
    )


class _Reader:
    """Reads values of a table, and says what is wrong with them."""

    def __init__(self, name: str) -> None:
        self._name = name

    def problem(self, told: str) -> EngineProblem:
        return EngineProblem(f"engine {self._name!r}: {told}")

    def known(self, data: Mapping[str, Any], keys: Sequence[str], where: str) -> None:
        for key in data:
            if key not in keys:
                near = difflib.get_close_matches(key, keys, n=1)
                hint = f"; did you mean {near[0]!r}?" if near else f"; there are: {', '.join(keys)}"
                raise self.problem(f"{where} has no {key!r}{hint}")

    def text(self, value: Any, where: str) -> str:
        if not isinstance(value, str) or not value:
            raise self.problem(f"{where}: expected text, not {value!r}")
        return value

    def texts(self, value: Any, where: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self.problem(f"{where}: expected a list of texts, not {value!r}")
        return tuple(value)

    def command(self, value: Any) -> tuple[str, ...]:
        if isinstance(value, str):
            return _parted(self._name, value)
        words = self.texts(value, "command")
        if not words or not words[0]:
            raise self.problem("command: expected a program and its arguments")
        return words

    def whole(self, value: Any, where: str, least: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise self.problem(f"{where}: expected a whole number from {least} on, not {value!r}")
        return value

    def environment(self, value: Any) -> dict[str, str]:
        if not isinstance(value, dict) or not all(isinstance(each, str) for each in value.values()):
            raise self.problem(f"environment: expected names with texts, not {value!r}")
        return dict(value)

    def limits(self, value: Any) -> Limits:
        if not isinstance(value, dict):
            raise self.problem(f"limits: expected a table, not {value!r}")
        self.known(value, tuple(each.name for each in dataclasses.fields(Limits)), "limits")
        read: dict[str, Any] = {}
        for key, limit in value.items():
            if key in ("line", "restarts"):
                read[key] = self.whole(limit, f"limits.{key}", 0 if key == "restarts" else 1)
            elif not isinstance(limit, (int, float)) or isinstance(limit, bool) or not 0 < limit < 1e6:
                raise self.problem(f"limits.{key}: expected seconds, not {limit!r}")
            else:
                read[key] = float(limit)
        return Limits(**read)
