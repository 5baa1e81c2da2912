"""Which faults can make a play go another way, found out by playing with many of them at once.

A fault puts functions of its own in the place of the rules'. Where none of those is called, the play with the fault
is the play without it. Of the others several are there at once: where the play comes to the same all the same, and
each of their functions is called as often as the one that it stands for, so that none hides another, none of them
had any effect. Otherwise half of them are tried, and so on. Two faults may still mend each other, call
for call: so whatever had no effect is tried once more, and beside others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from types import FunctionType
from typing import Any

from judgecall.oracle.cards import loader
from judgecall.oracle.faults.gallery import Change, Fault, Mend, all_faults, memories_aside, patch, patch_item, together
from judgecall.oracle.vocabulary.words import Word

__all__ = ["reached"]

_AT_ONCE = 16

Place = tuple[int, Any]
"""Of a change: the same for faults that change the same thing."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A fault, and what it changes."""

    fault: Fault
    changes: Mapping[Place, Change]
    rereads: bool
    """Whether card definitions are read anew."""

    @property
    def counted(self) -> bool:
        """Whether it changes only what is called, so that calls can be counted."""
        return all(
            callable(_function(change.old)) and isinstance(_function(change.new), FunctionType)
            for change in self.changes.values()
        )


def reached(play: Callable[[], object]) -> frozenset[str]:
    """Call ``play`` again and again, with faults and without; gives the faults that could change what it returns.

    A fault that changes something else than functions, as a table, is always among them.
    """
    found = [each for each in _faults() if not each.counted]
    for rereads in (True, False):
        loader.load.cache_clear()
        if not rereads:
            play()
        calls: Counter[Place] = Counter()
        expected = _with([partial(_counting, calls)], play)
        search = _Search(play, expected, calls, found)
        near = [f for f in _faults() if f.counted and f.rereads == rereads and not calls.keys().isdisjoint(f.changes)]
        for group in _groups(near, {}):
            search(group)
        before = {each.fault.name: number for number, tried in enumerate(search.idle) for each in tried}
        for group in _groups([each for each in near if each.fault.name in before], before):
            search(group)
    return frozenset(each.fault.name for each in found)


@dataclass(frozen=True, slots=True)
class _Search:
    """Finds, in a group of faults, those that have an effect on a play."""

    play: Callable[[], object]
    expected: object
    """What the play returns while the rules are whole."""
    often: Counter[Place]
    """How often it then calls what faults change."""
    found: list[_Known]
    idle: list[Sequence[_Known]] = field(default_factory=list)
    """Groups that had no effect."""

    def __call__(self, group: Sequence[_Known], known: bool = False) -> None:
        """Look for them; ``known``: there is at least one."""
        if len(group) == 1:
            self.found.extend(group)
        elif known or self._differs(group):
            half = len(group) // 2
            before = len(self.found)
            self(group[:half])
            self(group[half:], known=len(self.found) == before)
        else:
            self.idle.append(group)

    def _differs(self, group: Sequence[_Known]) -> bool:
        calls: Counter[tuple[str, Place]] = Counter()
        outcome = _with([partial(_broken, each, calls) for each in group], self.play)
        return outcome != self.expected or any(
            calls[each.fault.name, place] != self.often[place] for each in group for place in each.changes
        )


def _groups(faults: Iterable[_Known], before: Mapping[str, int]) -> list[list[_Known]]:
    """Faults that can be tried at once: no two of a group change the same, or were in one group ``before``."""
    groups: list[tuple[list[_Known], set[object]]] = []
    for each in faults:
        about = {*each.changes, before.get(each.fault.name, each.fault.name)}
        for group, taken in groups:
            if len(group) < _AT_ONCE and taken.isdisjoint(about):
                break
        else:
            group, taken = [], set()
            groups.append((group, taken))
        group.append(each)
        taken |= about
    return [group for group, _ in groups]


@cache
def _faults() -> tuple[_Known, ...]:
    """All faults: first those that read cards anew, and those of the same rule beside each other."""
    found = []
    for fault in all_faults():
        changes: dict[Place, Change] = {}

        def note(change: Change, changes: dict[Place, Change] = changes) -> Any:
            changes.setdefault(change.place, change)
            return change.new

        fault.apply(note)()
        rereads = changes.pop((id(loader), "load"), None) is not None
        found.append(_Known(fault, changes, rereads))
    return tuple(sorted(found, key=lambda each: (not each.rereads, each.fault.rule, each.fault.name)))


# -- plays ---------------------------------------------------------------------------------------------------


def _with(breaking: Iterable[Callable[[], Mend]], play: Callable[[], object]) -> object:
    """What a play returns while all that is done."""
    mends = [memories_aside()]
    try:
        for each in breaking:
            mends.append(each())
        return play()
    finally:
        together(*mends)()


def _broken(known: _Known, calls: Counter[tuple[str, Place]]) -> Mend:
    """Apply a fault and count the calls of what it puts in the place of the rules."""
    last: dict[Place, Change] = {}

    def through(change: Change) -> Any:
        last[change.place] = change

        def notice() -> None:
            # What is changed a second time is called by what was put there then, or not.
            if last[change.place] is change:
                calls[known.fault.name, change.place] += 1

        return _noticing(change.new, notice)

    return known.fault.apply(through)


def _counting(calls: Counter[Place]) -> Mend:
    """Count the calls of everything that faults change."""
    mends = []
    for change in {
        place: change for each in _faults() if each.counted for place, change in each.changes.items()
    }.values():
        put = patch_item if isinstance(change.owner, MutableMapping) else patch
        mends.append(put(change.owner, change.name, _noticing(change.old, partial(_count, calls, change.place))))
    return together(*mends)


def _count(calls: Counter[Place], place: Place) -> None:
    calls[place] += 1


def _function(value: Any) -> Any:
    """What is called where a value is used."""
    if isinstance(value, Word):
        return value.function
    return value.fget if isinstance(value, property) else value


def _noticing(value: Any, notice: Callable[[], None]) -> Any:
    """A value that does the same, and tells when it is called."""
    function = _function(value)

    def called(*args: Any, **named: Any) -> Any:
        notice()
        return function(*args, **named)

    if isinstance(value, Word):
        return replace(value, function=called)
    return property(called) if isinstance(value, property) else called
