"""Which engine ``--engine=NAME`` means.

In this order: ``py:module:Class``; ``cmd:COMMAND``, which speaks the protocol; an entry point of group
``judgecall.engines``; a name in ``[tool.judgecall.engines]`` of the caller's ``pyproject.toml``, whose value is
``module:Class``, ``cmd:COMMAND`` or a table (`engine_tables`).
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from judgecall.adapters.engine import Description, Engine, Internal, Unsupported
from judgecall.harness.engine_tables import EngineProblem, Table, read_command, read_table

__all__ = ["DEFAULT_ENGINE", "EngineProblem", "Opened", "available", "open_engine"]

DEFAULT_ENGINE = "oracle"
GROUP = "judgecall.engines"


class Opened:
    """An engine that is ready to play."""

    def __init__(
        self,
        name: str,
        engine: Engine,
        description: Description,
        fault: str | None,
        processes: int = 1,
        another: Callable[[], Opened] | None = None,
    ) -> None:
        self.name = name
        """What the caller called it."""
        self.engine = engine
        self.description = description
        self.fault = fault
        """The rule that was broken on purpose."""
        self.processes = processes
        """How many of it may play side by side."""
        self._another = another

    def another(self) -> Opened:
        """One more of this engine, to play beside it.

        Raises:
            EngineProblem: it cannot be started.
        """
        if self._another is None:
            raise EngineProblem(f"engine {self.name!r} cannot play beside itself")
        return self._another()

    @property
    def title(self) -> str:
        """The engine's own name and version, and its fault."""
        text = f"{self.description.name} {self.description.version}".strip()
        return f"{text} with fault {self.fault}" if self.fault else text

    def close(self) -> str | None:
        """End the engine, which has no verdict to spoil any more; gives what went wrong with that, or None."""
        try:
            self.engine.close()
        except Internal as problem:
            return str(problem)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return None


def open_engine(name: str, fault: str | None = None, folder: Path | None = None) -> Opened:
    """Find an engine, make one, and break it if ``fault`` says so.

    ``folder`` is where the caller's ``pyproject.toml`` and modules are looked for; None: the current one.

    Raises:
        EngineProblem: there is no such engine, it cannot be made, or it has no such fault.
    """
    return _open(name, _find(name, folder or Path.cwd()), fault)


@dataclass(frozen=True, slots=True)
class _Found:
    """What a name means: what makes the engine, how many may play side by side, what is told where it fails."""

    make: Callable[[], Any]
    processes: int = 1
    hint: str = ""


def _open(name: str, found: _Found, fault: str | None) -> Opened:
    try:
        engine = found.make()
    except Exception as error:
        raise EngineProblem(f"engine {name!r} cannot be started: {type(error).__name__}: {error}") from error
    if not isinstance(engine, Engine):
        raise EngineProblem(f"engine {name!r}: {type(engine).__name__} is no judgecall.adapters.engine.Engine")
    try:
        description = _description(name, engine, found.hint)
        if fault is not None:
            _break(name, engine, description, fault)
    except BaseException:
        with contextlib.suppress(Exception):
            engine.close()
        raise
    another = functools.partial(_open, name, found, fault)
    return Opened(name, engine, description, fault, found.processes, another)


def _description(name: str, engine: Engine, hint: str) -> Description:
    try:
        return engine.describe()
    except Internal as problem:
        raise EngineProblem(f"engine {name!r}: {problem}{hint}") from problem
    except Exception as error:
        raise EngineProblem(f"engine {name!r} does not say what it is: {type(error).__name__}: {error}") from error


def _break(name: str, engine: Engine, description: Description, fault: str) -> None:
    if "faults" not in description.capabilities:
        raise EngineProblem(f"engine {name!r} has no faults to break it with")
    try:
        engine.use_fault(fault)
    except (Unsupported, KeyError, ValueError):
        known = ", ".join(sorted(description.faults)) or "none"
        raise EngineProblem(f"engine {name!r} has no fault {fault!r}; there are: {known}") from None
    except Internal as problem:
        raise EngineProblem(f"engine {name!r} cannot be broken: {problem}") from problem


def available(folder: Path | None = None) -> list[str]:
    """The names that `open_engine` knows, save ``py:`` and ``cmd:``."""
    configured = _configured(folder or Path.cwd())[0]
    return sorted({entry.name for entry in entry_points(group=GROUP)} | set(configured))


def _find(name: str, folder: Path) -> _Found:
    if name.startswith("py:"):
        return _Found(_load(name, name.removeprefix("py:"), folder))
    if name.startswith("cmd:"):
        return _made(read_command(name, name.removeprefix("cmd:"), folder))
    for entry in entry_points(group=GROUP):
        if entry.name == name:
            return _Found(_load_entry(name, entry))
    configured, home = _configured(folder)
    if name not in configured:
        known = ", ".join(available(folder)) or "none"
        raise EngineProblem(f"there is no engine {name!r}; there are: {known}; or py:module:Class, or cmd:COMMAND")
    value = configured[name]
    if isinstance(value, dict):
        return _made(read_table(name, value, home))
    if not isinstance(value, str):
        raise EngineProblem(
            f"engine {name!r}: [tool.judgecall.engines] gives {value!r}; expected 'module:Class', 'cmd:…' or a table"
        )
    if value.startswith("cmd:"):
        return _made(read_command(name, value.removeprefix("cmd:"), home))
    return _Found(_load(name, value.removeprefix("py:"), home))


def _made(table: Table) -> _Found:
    if table.in_process:
        assert table.class_ is not None
        try:
            made = _load(table.name, table.class_, table.folder)
        except EngineProblem as problem:
            raise EngineProblem(f"{problem}{table.when_not_built}") from problem.__cause__
        return _Found(functools.partial(made, **table.keywords), hint=table.when_not_built)
    return _Found(table.maker(), table.processes, table.when_not_built)


def _load_entry(name: str, entry: EntryPoint) -> Callable[[], Any]:
    try:
        made: Callable[[], Any] = entry.load()
    except Exception as error:
        raise EngineProblem(
            f"engine {name!r} ({entry.value}) cannot be imported: {type(error).__name__}: {error}"
        ) from error
    return made


def _load(name: str, path: str, folder: Path) -> Callable[[], Any]:
    """Import ``module:Class``, from ``folder`` where it is not to be found otherwise."""
    module_name, _, attribute = path.partition(":")
    if not module_name or not attribute:
        raise EngineProblem(f"engine {name!r}: expected module:Class, not {path!r}")
    try:
        module = _module(module_name, folder)
        made: Any = module
        for part in attribute.split("."):
            made = getattr(made, part)
    except Exception as error:
        raise EngineProblem(f"engine {name!r} cannot be imported: {type(error).__name__}: {error}") from error
    if not callable(made):
        raise EngineProblem(f"engine {name!r}: {path} cannot be called")
    found: Callable[[], Any] = made
    return found


def _module(name: str, folder: Path) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name.partition(".")[0] or str(folder) in sys.path:
            raise
    # A console script does not look into the current folder; the engine under test usually is there.
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    return importlib.import_module(name)


def _configured(folder: Path) -> tuple[Mapping[str, Any], Path]:
    """``[tool.judgecall.engines]`` of the nearest ``pyproject.toml``, and the folder that this is in."""
    for home in (folder, *folder.parents):
        path = home / "pyproject.toml"
        if path.is_file():
            try:
                data = tomllib.loads(path.read_text(encoding="utf-8"))
            except (OSError, ValueError) as error:
                raise EngineProblem(f"{path} cannot be read: {error}") from None
            engines = data.get("tool", {}).get("judgecall", {}).get("engines", {})
            return (engines, home) if isinstance(engines, dict) else ({}, home)
    return {}, folder
