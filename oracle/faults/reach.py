"""Which faults make a play end another way, found out by playing with many of them at once.

A fault puts functions of its own in the place of the rules'. Where none of those is called, the play with the fault
is the play without it. Of the others several are there at once: where the play ends the same all the same, and what
they put there was called as often as what it stands for, so that none hid another, none of them matters. Those that
were called less often are tried again, beside others; and where the play ends another way, half of them are tried,
and so on. Two faults can still mend each other, most of all two of the same rule: so those come into different
groups; and where not one was found, all are tried a second time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from types import FunctionType
from typing import Any
from zlib import crc32

from judgecall.oracle.cards import loader
from judgecall.oracle.faults.gallery import Change, Fault, Mend, all_faults, memories_aside, patch, patch_item, together
from judgecall.oracle.vocabulary.words import Word

__all__ = ["reached"]

_AT_ONCE = 12
_TRIES = 3

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

    def near(self, often: Mapping[Place, int]) -> bool:
        """Whether a play that calls the rules that often could see it; something else than functions it always can."""
        return not self.counted or not often.keys().isdisjoint(self.changes)


def reached(play: Callable[[], str]) -> Mapping[str, str | None]:
    """Call ``play`` again and again, with faults and without; gives the faults that could change what it returns.

    With each stands what it returns with that fault alone, if it was played so.
    """
    found: dict[str, str | None] = {}
    for rereads in (False, True):
        if rereads:
            loader.load.cache_clear()
        else:
            play()
        often: Counter[Place] = Counter()
        search = _Search(play, _with([partial(_counting, often)], play), often, found)
        search.through([each for each in _faults() if each.rereads == rereads and each.near(often)])
    return found


@dataclass(frozen=True, slots=True)
class _Search:
    """Finds, among faults, those that matter to a play."""

    play: Callable[[], str]
    expected: str
    """What the play returns while the rules are whole."""
    often: Counter[Place]
    """How often it then calls what faults change."""
    found: dict[str, str | None]
    """Grows: what the play returns with each alone, where that is known."""
    idle: set[str] = field(default_factory=set)
    """The names of those that do not matter."""

    def through(self, faults: Sequence[_Known]) -> None:
        """Look for them; where it does not become clear whether one matters, it does."""
        left, before = faults, dict[str, int]()
        for again in range(_TRIES):
            groups = _groups(left, before)
            before = {each.fault.name: number for number, group in enumerate(groups) for each in group}
            for group in groups:
                self._halve(group)
            known = self.idle.union(self.found)
            left = [each for each in left if each.fault.name not in known] if self.found or again else faults
        self.found.update({each.fault.name: None for each in left})

    def _halve(self, group: Sequence[_Known], known: bool = False) -> None:
        """Look for them in a group; ``known``: there is at least one, unless they matter only together."""
        if not known or len(group) == 1:
            result = self._result(group)
            if result == self.expected:
                return
            if len(group) == 1:
                self.found[group[0].fault.name] = result
                return
        half = len(group) // 2
        before = len(self.found)
        self._halve(group[:half])
        self._halve(group[half:], known=len(self.found) == before)

    def _result(self, group: Sequence[_Known]) -> str:
        """What the play returns with them; if that is nothing else, keeps those that hid from nothing."""
        calls: Counter[tuple[str, Place]] = Counter()
        result = _with([partial(_broken, each, calls) for each in group], self.play)
        if result == self.expected:
            self.idle.update(
                each.fault.name
                for each in group
                if not each.counted or all(calls[each.fault.name, place] >= self.often[place] for place in each.changes)
            )
        return result


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
    """All faults, those of one rule apart from each other."""
    found = []
    for fault in all_faults():
        changes: dict[Place, Change] = {}

        def note(change: Change, changes: dict[Place, Change] = changes) -> Any:
            changes.setdefault(change.place, change)
            return change.new

        fault.apply(note)()
        rereads = changes.pop((id(loader), "load"), None) is not None
        found.append(_Known(fault, changes, rereads))
    return tuple(sorted(found, key=lambda each: crc32(each.fault.name.encode())))


# -- plays ---------------------------------------------------------------------------------------------------


def _with(breaking: Iterable[Callable[[], Mend]], play: Callable[[], str]) -> str:
    """What a play returns while all that is done."""
    mends = [memories_aside()]
    try:
        for each in breaking:
            mends.append(each())
        return play()
    finally:
        together(*mends)()


def _broken(known: _Known, calls: Counter[tuple[str, Place]]) -> Mend:
    """Apply a fault and count the calls of what it puts in the place of the rules, if it puts functions there."""
    if not known.counted:
        return known.fault.apply()
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
