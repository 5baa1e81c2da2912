"""Which engine ``--engine=NAME`` means.

In this order: ``py:module:Class``; ``cmd:…``; an entry point of group ``judgecall.engines``; a name in
``[tool.judgecall.engines]`` of the caller's ``pyproject.toml``, whose value is ``module:Class``.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
import tomllib
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from judgecall.adapters.engine import Description, Engine, Unsupported

__all__ = ["DEFAULT_ENGINE", "EngineProblem", "Opened", "available", "open_engine"]

DEFAULT_ENGINE = "oracle"
GROUP = "judgecall.engines"


class EngineProblem(Exception):
    """No engine can be made of what the caller asked for; the text says what there is."""


class Opened:
    """An engine that is ready to play."""

    def __init__(self, name: str, engine: Engine, description: Description, fault: str | None) -> None:
        self.name = name
        """What the caller called it."""
        self.engine = engine
        self.description = description
        self.fault = fault
        """The rule that was broken on purpose."""

    @property
    def title(self) -> str:
        """The engine's own name and version, and its fault."""
        text = f"{self.description.name} {self.description.version}".strip()
        return f"{text} with fault {self.fault}" if self.fault else text

    def close(self) -> None:
        """End the engine. An engine that fails at its end has no verdict to spoil any more."""
        with contextlib.suppress(Exception):
            self.engine.close()


def open_engine(name: str, fault: str | None = None, folder: Path | None = None) -> Opened:
    """Find an engine, make one, and break it if ``fault`` says so.

    ``folder`` is where the caller's ``pyproject.toml`` and modules are looked for; None: the current one.

    Raises:
        EngineProblem: there is no such engine, it cannot be made, or it has no such fault.
    """
    make = _find(name, folder or Path.cwd())
    try:
        engine = make()
    except Exception as error:
        raise EngineProblem(f"engine {name!r} cannot be started: {type(error).__name__}: {error}") from error
    if not isinstance(engine, Engine):
        raise EngineProblem(f"engine {name!r}: {type(engine).__name__} is no judgecall.adapters.engine.Engine")
    try:
        description = engine.describe()
    except Exception as error:
        raise EngineProblem(f"engine {name!r} does not say what it is: {type(error).__name__}: {error}") from error
    if fault is not None:
        _break(name, engine, description, fault)
    return Opened(name, engine, description, fault)


def _break(name: str, engine: Engine, description: Description, fault: str) -> None:
    if "faults" not in description.capabilities:
        raise EngineProblem(f"engine {name!r} has no faults to break it with")
    try:
        engine.use_fault(fault)
    except (Unsupported, KeyError, ValueError):
        known = ", ".join(sorted(description.faults)) or "none"
        raise EngineProblem(f"engine {name!r} has no fault {fault!r}; there are: {known}") from None


def available(folder: Path | None = None) -> list[str]:
    """The names that `open_engine` knows, save ``py:`` and ``cmd:``."""
    configured = _configured(folder or Path.cwd())[0]
    return sorted({entry.name for entry in entry_points(group=GROUP)} | set(configured))


def _find(name: str, folder: Path) -> Callable[[], Any]:
    if name.startswith("py:"):
        return _load(name, name.removeprefix("py:"), folder)
    if name.startswith("cmd:"):
        raise EngineProblem(
            f"engine {name!r}: engines over standard input and output cannot be run yet; use py:module:Class"
        )
    for entry in entry_points(group=GROUP):
        if entry.name == name:
            return _load_entry(name, entry)
    configured, home = _configured(folder)
    if name in configured:
        value = configured[name]
        if not isinstance(value, str):
            raise EngineProblem(f"engine {name!r}: [tool.judgecall.engines] gives {value!r}; expected 'module:Class'")
        if value.startswith("cmd:"):
            return _find(value, folder)
        return _load(name, value.removeprefix("py:"), home)
    known = ", ".join(available(folder)) or "none"
    raise EngineProblem(f"there is no engine {name!r}; there are: {known}; or py:module:Class")


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
