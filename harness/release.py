"""What the installed suite is: its numbers, its profiles, and digests that say exactly which cases it has.

A file's digest is the SHA-256 of its bytes with Windows' line ends as plain ones. The suite's digest is the
SHA-256 of a line ``HEX  PATH`` for each file, in the order of the paths, as ``sha256sum`` writes them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from judgecall.adapters.protocol import CASE_FORMAT, PROTOCOL
from judgecall.harness import suite
from judgecall.schema.loader import find_files

__all__ = [
    "ALL",
    "CaseSet",
    "Member",
    "Profile",
    "Release",
    "bytes_digest",
    "case_set",
    "file_digest",
    "list_digest",
    "release",
    "suite_digest",
]

ALL = "all"
FACTS = "_suite.yaml"


@dataclass(frozen=True, slots=True)
class Profile:
    """A part of the suite that an engine can be certified for."""

    name: str
    title: str
    folders: tuple[str, ...] = ()
    """Folders of the suite; none: all of it."""

    def has(self, case: str) -> bool:
        """Whether a case, by its id, belongs to this profile."""
        return not self.folders or any(case.startswith(folder + "/") for folder in self.folders)


@dataclass(frozen=True, slots=True)
class Release:
    """The numbers and profiles of a suite."""

    version: str
    comprehensive_rules: str
    profiles: tuple[Profile, ...]
    case_format: int = CASE_FORMAT
    protocol: int = PROTOCOL

    def profile(self, name: str) -> Profile:
        """The profile of that name.

        Raises:
            NotFound: there is none.
        """
        for profile in self.profiles:
            if profile.name == name:
                return profile
        known = ", ".join(profile.name for profile in self.profiles)
        raise suite.NotFound(f"there is no profile {name!r}; there are: {known}")


@dataclass(frozen=True, slots=True)
class Member:
    """One case of the suite: the digest of its file, and its status."""

    digest: str
    status: str | None = None


@dataclass(frozen=True, slots=True)
class CaseSet:
    """All cases of a suite, by id, and the digest of the suite."""

    members: Mapping[str, Member]
    digest: str
    broken: tuple[str, ...] = ()
    """Files that cannot be read: the suite lacks their cases."""

    def of(self, profile: Profile) -> dict[str, Member]:
        """The cases of a profile."""
        return {id_: member for id_, member in self.members.items() if profile.has(id_)}


def release(root: Path | None = None) -> Release:
    """What the suite under ``root`` says of itself; None: the installed one.

    Raises:
        NotFound: the folder does not say it.
    """
    return _release(root or suite.suite_root())


@cache
def _release(root: Path) -> Release:
    try:
        data: Any = yaml.safe_load((root / FACTS).read_text(encoding="utf-8"))
        profiles = tuple(
            Profile(str(name), str(each["title"]), tuple(map(str, each.get("folders", ()))))
            for name, each in data["profiles"].items()
        )
        return Release(str(data["version"]), str(data["comprehensive_rules"]), profiles)
    except (OSError, yaml.YAMLError, KeyError, TypeError, AttributeError) as error:
        raise suite.NotFound(
            f"{root / FACTS} does not say what suite this is: {type(error).__name__}: {error}"
        ) from None


def file_digest(path: str | Path) -> str:
    """The digest of a case file: ``sha256:`` and its hexadecimal digits; of one that cannot be read: nothing."""
    try:
        return bytes_digest(Path(path).read_bytes())
    except OSError:
        return ""


def bytes_digest(data: bytes) -> str:
    """The digest of a case file that has these bytes."""
    return "sha256:" + hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()


def list_digest(entries: Iterable[tuple[str, str]]) -> str:
    """The digest of names with their digests: ``HEX  NAME`` lines in the order of the names, hashed."""
    lines = [f"{digest.removeprefix('sha256:')}  {name}\n" for name, digest in sorted(entries)]
    return "sha256:" + hashlib.sha256("".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def suite_digest(root: Path | None = None) -> str:
    """The digest of the suite under ``root``, without reading its files as cases."""
    base = root or suite.suite_root()
    return list_digest((path.relative_to(base).as_posix(), file_digest(path)) for path in find_files([base]))


def case_set(root: Path | None = None) -> CaseSet:
    """The cases of the suite under ``root``; None: the installed one."""
    base = root or suite.suite_root()
    members: dict[str, Member] = {}
    broken: list[str] = []
    for loaded in suite.load([suite.Selected(path, None) for path in find_files([base])], base):
        if loaded.problem is not None:
            broken.append(loaded.path.relative_to(base).as_posix())
        digest = file_digest(loaded.path)
        members.update((case.id, Member(digest, case.status)) for case in loaded.cases)
    return CaseSet(members, suite_digest(base), tuple(broken))
