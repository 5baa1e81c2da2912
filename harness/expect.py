"""Comparing what a case expects with what an engine shows: the section "then" of the case format."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from judgecall.adapters.engine import ObjectView, PlayerView, View
from judgecall.harness.names import AmbiguousName, Names, UnknownName, halves, split_number
from judgecall.harness.phrase import value_text
from judgecall.harness.verdicts import Mismatch, mistake
from judgecall.schema.model import Expectation, Value
from judgecall.schema.names import bare_name, counted

__all__ = ["Findings", "judge", "mana_symbols"]

_SETS = frozenset({"colors", "color_identity", "supertypes", "types", "subtypes"})
_CONTENTS = frozenset({"hand", "battlefield", "graveyard", "library", "exile", "command"})
_SIZES = {f"{zone}_size": zone for zone in _CONTENTS}
_SYMBOL = re.compile(r"\{([^{}]*)\}")
_MISSING: Any = object()


class Findings:
    """What judging found: expectations that do not hold, and properties that the engine does not show."""

    def __init__(self) -> None:
        self.mismatches: list[Mismatch] = []
        self.unknown: list[str] = []

    def differs(self, subject: str, expected: object, actual: object) -> None:
        """Note an expectation that does not hold, with its values."""
        self.told(subject, value_text(expected), value_text(actual))

    def told(self, subject: str, expected: str, actual: str) -> None:
        """Note an expectation that does not hold, in words."""
        self.mismatches.append(Mismatch(subject, expected, actual))


def mana_symbols(mana: object) -> Counter[str] | None:
    """The symbols of a mana cost or of mana, in any order; None for no mana cost (CR 202.1b)."""
    if mana is None or mana == "":
        return None
    symbols = [symbol.upper() for symbol in _SYMBOL.findall(str(mana))]
    generic = [int(symbol) for symbol in symbols if symbol.isdecimal()]
    found = Counter(symbol for symbol in symbols if not symbol.isdecimal())
    if generic:
        found[str(sum(generic))] = 1  # {1}{R}{1}{U} is what {2}{R}{U} is (CR 709.4b)
    return found


def judge(
    expectations: Sequence[Expectation], view: View, names: Names, findings: Findings, exists: Callable[[str], bool]
) -> None:
    """Compare each subject with the view and note what differs. ``exists`` says whether a name is any card's.

    Raises:
        Mistake: a name means several objects, or nothing in the case and no card.
    """
    for expectation in expectations:
        kind, subject, facts = expectation.kind, expectation.subject, expectation.facts
        if kind == "object":
            _object(subject, facts, names, findings, exists)
        elif kind == "player":
            _player(subject, facts, view, names, findings)
        elif kind == "stack":
            _contents("stack", facts.get("stack", ()), view.stack, view, names, findings, ordered=True)
        else:
            _game(facts, view, findings)


# --- objects


def _object(
    subject: str, facts: Mapping[str, Value], names: Names, findings: Findings, exists: Callable[[str], bool]
) -> None:
    try:
        thing = names.find(subject)
    except AmbiguousName as problem:
        raise mistake(str(problem)) from None
    except UnknownName as problem:
        name = bare_name(subject)
        if not names.known(name) and not exists(name):
            raise mistake(f"{subject} is nothing in this case and no card's name") from None
        if dict(facts) != {"zone": "nowhere"}:
            findings.told(subject, value_text(facts), str(problem))
        return
    seen = names.shown(thing)
    if seen is None:
        for key, wanted in facts.items():
            if (key, wanted) != ("zone", "nowhere"):
                findings.told(f"{subject}: {key}", value_text(wanted), "nowhere: it is gone")
        return
    for key, wanted in facts.items():
        _fact(subject, key, wanted, seen, names, findings)


def _fact(subject: str, key: str, wanted: Value, seen: ObjectView, names: Names, findings: Findings) -> None:
    actual: Any
    if key == "zone":
        actual = seen.zone
    elif key == "owner":
        actual = seen.owner
    elif key == "name":
        actual = seen.name
    elif key in ("has", "lacks"):
        actual = seen.facts.get("keywords", _MISSING)
    elif key == "token":
        actual = seen.facts.get("token", seen.kind == "token")
    else:
        actual = seen.facts.get(key, _MISSING)
    if actual is _MISSING:
        findings.unknown.append("keywords" if key in ("has", "lacks") else key)
    elif not _COMPARE.get(key, _equal)(wanted, actual, names):
        shown = _labels(actual, names) if key in _REFERENCES else actual
        findings.differs(f"{subject}: {key}", wanted, shown)


def _listed(value: Any) -> tuple[Any, ...]:
    if value is None or value is False:
        return ()
    return tuple(value) if isinstance(value, (tuple, list, set, frozenset)) else (value,)


def _labels(value: Any, names: Names) -> Any:
    if isinstance(value, str):
        return names.label(value)
    if isinstance(value, (tuple, list)):
        return [_labels(each, names) for each in value]
    return value


def _equal(wanted: Any, actual: Any, names: Names | None = None) -> bool:
    if isinstance(wanted, bool) or isinstance(actual, bool):
        # What is not so may be reported as nothing.
        return bool(wanted) == bool(actual) if isinstance(wanted, bool) else wanted is actual
    if isinstance(wanted, int) and isinstance(actual, str):
        return str(wanted) == actual
    if isinstance(wanted, (tuple, list)) and isinstance(actual, (tuple, list)):
        return list(wanted) == list(actual)
    return bool(wanted == actual)


def _same_set(wanted: Any, actual: Any, names: Names) -> bool:
    return Counter(_listed(wanted)) == Counter(_listed(actual))


def _has(wanted: Any, actual: Any, names: Names) -> bool:
    keywords = {str(each).lower() for each in _listed(actual)}
    return all(str(each).lower() in keywords for each in _listed(wanted))


def _lacks(wanted: Any, actual: Any, names: Names) -> bool:
    keywords = {str(each).lower() for each in _listed(actual)}
    return not any(str(each).lower() in keywords for each in _listed(wanted))


def _counters(wanted: Any, actual: Any, names: Names | None = None) -> bool:
    if not isinstance(wanted, Mapping):
        return bool(wanted == actual)
    there = actual if isinstance(actual, Mapping) else {}
    if not wanted:
        return not any(there.values())
    return all(there.get(kind, 0) == number for kind, number in wanted.items())


def _mana(wanted: Any, actual: Any, names: Names | None = None) -> bool:
    return mana_symbols(wanted) == mana_symbols(actual)


def _name(wanted: Any, actual: Any, names: Names) -> bool:
    return wanted == actual or (bool(actual) and (actual in halves(wanted) or wanted in halves(actual)))


def _shown_to(wanted: Any, actual: Any, names: Names) -> bool:
    return set(_listed(wanted)) <= set(_listed(actual))


def _reference(wanted: Any, actual: Any, names: Names) -> bool:
    """One object or player, or none."""
    if isinstance(wanted, str) and isinstance(actual, str):
        return names.same(wanted, actual)
    return not wanted and not actual


def _references(wanted: Any, actual: Any, names: Names) -> bool:
    """Objects or players in any order."""
    left = [each for each in _listed(actual) if isinstance(each, str)]
    for each in _listed(wanted):
        match = next((id_ for id_ in left if names.same(str(each), id_)), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def _fighting(wanted: Any, actual: Any, names: Names) -> bool:
    """``attacking`` and ``blocking``: whether at all, or whom."""
    if isinstance(wanted, bool):
        return wanted == bool(actual)
    return _references(wanted, actual, names)


def _flat(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [each for part in value for each in _flat(part)]
    return [] if value is None else [value]


def _targets(wanted: Any, actual: Any, names: Names) -> bool:
    chosen, expected = _flat(actual), _flat(wanted)
    return len(chosen) == len(expected) and all(
        names.same(str(one), str(other)) for one, other in zip(expected, chosen, strict=True)
    )


_REFERENCES = frozenset({"attached_to", "attachments", "attacking", "blocking", "targets"})
_COMPARE: dict[str, Callable[[Any, Any, Names], bool]] = {
    **dict.fromkeys(_SETS, _same_set),
    "has": _has,
    "lacks": _lacks,
    "counters": _counters,
    "mana_cost": _mana,
    "name": _name,
    "revealed_to": _shown_to,
    "attached_to": _reference,
    "attachments": _references,
    "attacking": _fighting,
    "blocking": _fighting,
    "targets": _targets,
}


# --- players and the game


def _player(subject: str, facts: Mapping[str, Value], view: View, names: Names, findings: Findings) -> None:
    player = view.players.get(subject)
    if player is None:
        findings.told(subject, value_text(facts), "no such player in the game")
        return
    for key, wanted in facts.items():
        label = f"{subject}: {key}"
        if key in _CONTENTS:
            ids = player.zones.get(key)
            if ids is None:
                findings.unknown.append(key)
            else:
                _contents(label, wanted, ids, view, names, findings, ordered=key == "library")
        elif key in _SIZES:
            ids = player.zones.get(_SIZES[key])
            if ids is None:
                findings.unknown.append(key)
            elif len(ids) != wanted:
                findings.differs(label, wanted, len(ids))
        elif key == "count":
            _count(subject, wanted, player, view, names, findings)
        elif key not in player.facts:
            findings.unknown.append(key)
        else:
            actual = player.facts[key]
            alike = _counters if key == "counters" else _mana if key == "mana" else _equal
            if not alike(wanted, actual):
                findings.differs(label, wanted, actual)


def _game(facts: Mapping[str, Value], view: View, findings: Findings) -> None:
    for key, wanted in facts.items():
        if key not in view.game:
            findings.unknown.append(key)
            continue
        actual = view.game[key]
        if key == "day_night":
            alike = (wanted or "neither") == (actual or "neither")
        else:
            alike = _equal(wanted, actual)
        if not alike:
            findings.differs(f"game: {key}", wanted, actual)


def _count(subject: str, wanted: Value, player: PlayerView, view: View, names: Names, findings: Findings) -> None:
    if not isinstance(wanted, Mapping):
        raise mistake(f"count: expected zones with names and numbers, not {value_text(wanted)}")
    for zone, numbers in wanted.items():
        ids = view.stack if zone == "stack" else player.zones.get(zone)
        if ids is None:
            findings.unknown.append(f"count of {zone}")
            continue
        for name, number in numbers.items() if isinstance(numbers, Mapping) else ():
            there = sum(_goes_by(name, id_, view, names) for id_ in ids)
            if there != number:
                findings.differs(f"{subject}: {name} in {zone}", number, there)


def _contents(
    label: str,
    wanted: Value,
    ids: Sequence[str],
    view: View,
    names: Names,
    findings: Findings,
    *,
    ordered: bool,
) -> None:
    expected = [name for reference in _listed(wanted) for name in _expanded(str(reference), names)]
    if len(expected) == len(ids):
        if ordered:
            if all(_goes_by(name, id_, view, names) for name, id_ in zip(expected, ids, strict=True)):
                return
        elif _matched(expected, ids, view, names):
            return
    shown = ", ".join(_current(id_, view, names) for id_ in ids)
    findings.told(label, value_text(wanted), f"[{shown}]")


def _expanded(reference: str, names: Names) -> list[str]:
    """``3 Island`` as three names."""
    several = counted(reference)
    return [several[1]] * several[0] if several is not None else [reference]


def _current(id_: str, view: View, names: Names) -> str:
    """How a list shows an object: by its current name; by alias or card where it is face down."""
    seen = view.objects.get(id_)
    if seen is None:
        return f"{id_}?"
    if seen.kind in ("ability", "copy"):
        return names.label(id_)
    if seen.name:
        return seen.name
    return f"{names.label(id_)}, face down" if names.thing(id_) else "a face-down object"


def _goes_by(reference: str, id_: str, view: View, names: Names) -> bool:
    """Whether a list's ``reference`` is this object of a zone: its current name, an alias or a number."""
    seen = view.objects.get(id_)
    if seen is None:
        return False
    if seen.name == reference and seen.kind not in ("ability", "copy"):
        return True
    thing = names.thing(id_)
    if thing is not None and thing.alias == reference:
        return True
    if not seen.name or seen.kind in ("ability", "copy") or split_number(reference)[1] is not None:
        return names.means(reference, id_)
    if seen.zone == "stack":
        return names.means(reference, id_)
    written, shown = halves(reference), halves(seen.name)
    if len(written) > 1:
        back = reference.partition(" // ")[2]
        return shown[-1] == written[-1] or (seen.name == back and seen.card_name in written)
    return shown[-1] == reference


def _matched(expected: list[str], ids: Sequence[str], view: View, names: Names) -> bool:
    """Whether names and objects pair off one to one."""
    if Counter(expected) == Counter(
        seen.name for id_ in ids if (seen := view.objects.get(id_)) is not None and seen.kind != "copy"
    ):
        return True
    able = [[i for i, id_ in enumerate(ids) if _goes_by(name, id_, view, names)] for name in expected]
    taken: dict[int, int] = {}

    def place(which: int, tried: set[int]) -> bool:
        for i in able[which]:
            if i not in tried:
                tried.add(i)
                if i not in taken or place(taken[i], tried):
                    taken[i] = which
                    return True
        return False

    return all(place(which, set()) for which in range(len(expected)))
