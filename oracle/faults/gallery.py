"""What a fault is, how it breaks a rule from outside, and where all of them are found."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

__all__ = [
    "Change",
    "Fault",
    "Mend",
    "Through",
    "all_faults",
    "fault",
    "find",
    "memories_aside",
    "patch",
    "patch_item",
    "pretending",
    "reread",
    "together",
    "wrap",
    "wrap_everywhere",
    "wrap_item",
    "wrap_word",
]

Mend = Callable[[], None]
"""Puts right what a fault broke."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A wrong rule: its name, the rule that it breaks, a sentence, and how to break and mend it."""

    name: str
    rule: str
    sentence: str
    breaking: Callable[[], Mend]

    def apply(self, through: Through | None = None) -> Mend:
        """Break the rule, with what the rules keep for later use set aside; returns what mends it.

        ``through`` is told of each change that the fault makes, and gives what is put there in the end.
        """
        mend = memories_aside()
        breaking = _Breaking(through)
        _under_way.append(breaking)
        try:
            return together(mend, self.breaking())
        except BaseException:
            together(mend, *breaking.mends)()
            raise
        finally:
            _under_way.pop()


@dataclass(frozen=True, slots=True)
class Change:
    """Something that a fault puts in the place of something else."""

    owner: Any
    """A module, a class or a table."""
    name: Any
    old: Any
    new: Any

    @property
    def place(self) -> tuple[int, Any]:
        """Where it is: the same for two changes of the same thing."""
        return id(self.owner), self.name


Through = Callable[[Change], Any]


class _Breaking:
    """A fault that is being applied: what has been broken so far, in case it cannot be applied in full."""

    def __init__(self, through: Through | None) -> None:
        self.through = through
        self.mends: list[Mend] = []


_FAULTS: dict[str, Fault] = {}
_under_way: list[_Breaking] = []


def fault(name: str, rule: str, sentence: str) -> Callable[[Callable[[], Mend]], Fault]:
    """Register a function that breaks a rule and returns what mends it.

    Raises:
        ValueError: there is a fault of that name.
    """

    def keep(breaking: Callable[[], Mend]) -> Fault:
        if name in _FAULTS:
            raise ValueError(f"fault {name!r} is there already")
        made = _FAULTS[name] = Fault(name, rule, sentence, breaking)
        return made

    return keep


# -- breaking ------------------------------------------------------------------------------------------------


def patch(owner: Any, name: str, replacement: Any) -> Mend:
    """Replace an attribute of a module or class; returns what puts it back."""
    old = getattr(owner, name)
    setattr(owner, name, _seen(Change(owner, name, old, replacement)))
    return _noted(lambda: setattr(owner, name, old))


def patch_item(table: MutableMapping[Any, Any], key: Any, replacement: Any) -> Mend:
    """Replace an entry of a table, or add one; returns what puts the table back."""
    missing = key not in table
    old = table.get(key)
    table[key] = _seen(Change(table, key, old, replacement))

    def mend() -> None:
        if missing:
            del table[key]
        else:
            table[key] = old

    return _noted(mend)


def _seen(change: Change) -> Any:
    through = _under_way[-1].through if _under_way else None
    return change.new if through is None else through(change)


def _noted(mend: Mend) -> Mend:
    if _under_way:
        _under_way[-1].mends.append(mend)
    return mend


def _around(right: Callable[..., Any], wrong: Callable[..., Any]) -> Callable[..., Any]:
    def broken(*args: Any, **named: Any) -> Any:
        return wrong(right, *args, **named)

    return broken


def wrap(owner: Any, name: str, wrong: Callable[..., Any]) -> Mend:
    """Put ``wrong`` in a function's place; it gets the right function before the arguments."""
    return patch(owner, name, _around(getattr(owner, name), wrong))


def wrap_everywhere(function: Callable[..., Any], wrong: Callable[..., Any]) -> Mend:
    """The same for a function that modules have imported by its name."""
    from judgecall.oracle.vocabulary import read_vocabulary

    read_vocabulary()
    broken = _around(function, wrong)
    places = [
        (module, name)
        for key, module in sorted(sys.modules.items())
        if key.startswith("judgecall.oracle.") and module is not None
        for name, value in list(vars(module).items())
        if value is function
    ]
    return together(*(patch(module, name, broken) for module, name in places))


def wrap_item(table: MutableMapping[Any, Any], key: Any, wrong: Callable[..., Any]) -> Mend:
    """The same for a function that is an entry of a table."""
    return patch_item(table, key, _around(table[key], wrong))


def wrap_word(kind: str, name: str, wrong: Callable[..., Any]) -> Mend:
    """The same for what a word of the vocabulary means."""
    from judgecall.oracle.vocabulary import read_vocabulary
    from judgecall.oracle.vocabulary.words import REGISTRY

    read_vocabulary()
    word = REGISTRY[kind][name]
    return patch_item(REGISTRY[kind], name, replace(word, function=_around(word.function, wrong)))


def together(*mends: Mend) -> Mend:
    """Several of them as one, mended last first."""

    def mend() -> None:
        for one in reversed(mends):
            one()

    return mend


def reread() -> Mend:
    """Card definitions are read anew, while a fault is there and once it is mended.

    Comes first in `together`, so that the last that is mended is what was read.
    """
    from judgecall.oracle.cards import loader

    loader.load.cache_clear()
    _seen(Change(loader, "load", loader.load, loader.load))
    return loader.load.cache_clear


def memories_aside() -> Mend:
    """What the rules remember of earlier computations is put aside, so that nothing outlives a fault."""
    from judgecall.oracle import face_down, intrinsic, keyword_abilities, layers, predefined, tokens, triggers

    memories = (
        (face_down, "_VALUES"),
        (intrinsic, "_GIVEN"),
        (keyword_abilities, "_SETTLED"),
        (layers, "_AFFECTING"),
        (layers, "_COUNTER_CHANGES"),
        (layers, "_PLANS"),
        (layers, "_STATIC"),
        (predefined, "_READ"),
        (tokens, "_PARSED"),
        (triggers, "_ELSEWHERE"),
    )
    return together(*(patch(module, name, {}) for module, name in memories))


@contextmanager
def pretending(game: Any, *pretended: tuple[Any, str, Any]) -> Iterator[None]:
    """Slots of things have other values for a while, unknown to the journal."""
    with ExitStack() as stack:
        for thing, slot, value in pretended:
            stack.callback(setattr, thing, slot, getattr(thing, slot))
            setattr(thing, slot, value)
        game.cache = {}
        try:
            yield
        finally:
            stack.close()
            game.cache = {}


# -- finding -------------------------------------------------------------------------------------------------

_THEMES = (
    "casting",
    "color_identity",
    "combat",
    "copying",
    "costs",
    "damage",
    "double_faced",
    "face_down",
    "finality",
    "flashback",
    "keywords",
    "layers",
    "mana",
    "payment",
    "payments",
    "permissions",
    "players",
    "replacement",
    "resolving",
    "sagas",
    "stack",
    "state_based",
    "targets",
    "tokens",
    "triggers",
    "turn",
    "turning_up",
    "zones",
)


@cache
def _loaded() -> bool:
    for theme in _THEMES:
        importlib.import_module(f"judgecall.oracle.faults.{theme}")
    return True


def all_faults() -> tuple[Fault, ...]:
    """All faults, by name."""
    _loaded()
    return tuple(_FAULTS[name] for name in sorted(_FAULTS))


def find(name: str) -> Fault | None:
    """The fault of that name, or None."""
    _loaded()
    return _FAULTS.get(name)
