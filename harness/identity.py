"""Who was judged, and where: what results and certificates say of an engine, its adapter and the machine."""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judgecall.adapters.engine import Engine
from judgecall.adapters.process import ProcessEngine
from judgecall.harness.engines import EngineProblem, Opened
from judgecall.harness.release import list_digest

__all__ = ["Identity", "digest_of", "environment", "identify"]


@dataclass(frozen=True, slots=True)
class Identity:
    """An engine and its adapter, by name, version and digest."""

    name: str
    version: str
    asked: str
    """What the caller called it: ``--engine``."""
    adapter: str = ""
    adapter_version: str = ""
    adapter_digest: str = ""
    """Of the source of the class that plays; empty where there is none to read."""
    language: str = ""
    capabilities: tuple[str, ...] = ()
    fault: str | None = None
    files: tuple[tuple[str, str], ...] = ()
    """Files that the engine is made of, as far as they were named: name and digest."""

    @property
    def title(self) -> str:
        """Name and version, and the fault."""
        text = f"{self.name} {self.version}".strip()
        return f"{text} with fault {self.fault}" if self.fault else text

    def to_json(self) -> dict[str, Any]:
        """As plain data, without what is empty."""
        data: dict[str, Any] = {"name": self.name, "version": self.version, "asked": self.asked}
        for key in ("adapter", "adapter_version", "adapter_digest", "language", "fault"):
            if getattr(self, key):
                data[key] = getattr(self, key)
        if self.capabilities:
            data["capabilities"] = list(self.capabilities)
        if self.files:
            data["files"] = [{"name": name, "digest": digest} for name, digest in self.files]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Identity:
        """The inverse of `to_json`.

        Raises:
            KeyError, TypeError: it is not what `to_json` writes.
        """
        return cls(
            name=str(data["name"]),
            version=str(data["version"]),
            asked=str(data["asked"]),
            adapter=str(data.get("adapter", "")),
            adapter_version=str(data.get("adapter_version", "")),
            adapter_digest=str(data.get("adapter_digest", "")),
            language=str(data.get("language", "")),
            capabilities=tuple(map(str, data.get("capabilities", ()))),
            fault=str(data["fault"]) if data.get("fault") else None,
            files=tuple((str(each["name"]), str(each["digest"])) for each in data.get("files", ())),
        )


def identify(opened: Opened, files: Sequence[str] = ()) -> Identity:
    """Who an opened engine is. ``files`` are paths of what it is made of, whose digests are to be stated.

    The files that the command of an engine names are stated as well.

    Raises:
        EngineProblem: one of the files cannot be read.
    """
    said = opened.description
    engine = opened.engine
    of_command = engine.files() if isinstance(engine, ProcessEngine) else ()
    named = {Path(path).name: digest_of(path) for path in (*files, *map(str, of_command))}
    return Identity(
        name=said.name,
        version=said.version,
        asked=opened.name,
        adapter=said.adapter,
        adapter_version=said.adapter_version,
        adapter_digest="" if isinstance(engine, ProcessEngine) else _source_digest(engine),
        language=said.language,
        capabilities=tuple(sorted(said.capabilities)),
        fault=opened.fault,
        files=tuple(sorted(named.items())),
    )


def environment() -> dict[str, str]:
    """The machine, as far as it can matter."""
    return {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
    }


def _source_digest(engine: Engine) -> str:
    """The digest of the module that an engine's class comes from; of a package: of all its Python files."""
    module = sys.modules.get(type(engine).__module__)
    source = getattr(module, "__file__", None)
    if not source:
        return ""
    path = Path(source)
    try:
        if path.name != "__init__.py":
            return _digest(path)
        folder = path.parent
        return list_digest((each.relative_to(folder).as_posix(), _digest(each)) for each in folder.rglob("*.py"))
    except OSError:
        return ""


def digest_of(path: str) -> str:
    """The digest of a file that the caller named.

    Raises:
        EngineProblem: it cannot be read.
    """
    try:
        return _digest(Path(path))
    except OSError as error:
        raise EngineProblem(f"--engine-file: {path} cannot be read: {error.strerror}") from None


def _digest(path: Path) -> str:
    with open(path, "rb") as file:
        return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
