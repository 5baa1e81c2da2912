"""What a fault is, and where all of them are found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

__all__ = ["Fault", "all_faults", "fault", "find", "patch"]


@dataclass(frozen=True, slots=True)
class Fault:
    """A wrong rule: its name, the rule that it breaks, a sentence, and how to break and mend it."""

    name: str
    rule: str
    sentence: str
    apply: Callable[[], Callable[[], None]]
    """Breaks the rule and returns what mends it."""


_FAULTS: dict[str, Fault] = {}


def fault(name: str, rule: str, sentence: str) -> Callable[[Callable[[], Callable[[], None]]], Fault]:
    """Register a function that breaks a rule and returns what mends it."""

    def keep(apply: Callable[[], Callable[[], None]]) -> Fault:
        if name in _FAULTS:
            raise ValueError(f"fault {name!r} is there already")
        made = _FAULTS[name] = Fault(name, rule, sentence, apply)
        return made

    return keep


def patch(module: Any, name: str, replacement: Any) -> Callable[[], None]:
    """Replace an attribute of a module or class; returns what puts it back."""
    old = getattr(module, name)
    setattr(module, name, replacement)

    def mend() -> None:
        setattr(module, name, old)

    return mend


@cache
def _loaded() -> bool:
    from judgecall.oracle.faults import casting  # noqa: F401

    return True


def all_faults() -> tuple[Fault, ...]:
    """All faults, by name."""
    _loaded()
    return tuple(_FAULTS[name] for name in sorted(_FAULTS))


def find(name: str) -> Fault | None:
    """The fault of that name, or None."""
    _loaded()
    return _FAULTS.get(name)
