"""``judgecall export``: cases as JSON with all defaults filled in, for harnesses that are written elsewhere.

One file for each ruling, ``rulings/ID.json``, and ``index.json``, which lists the cases. The first are as
``schema/exported.schema.json`` says; the words mean what they mean in the case format.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from judgecall.adapters.protocol import CASE_FORMAT
from judgecall.adapters.protocol.state import object_data, state_data
from judgecall.harness.suite import NotFound, Selected, suite_root
from judgecall.schema.loader import load_file
from judgecall.schema.model import ZONES, Answer, Case, Expectations, Given, ObjectGiven, Ruling, Step
from judgecall.schema.names import counted, known_by

__all__ = ["case_data", "export", "ruling_data"]


def export(selected: Sequence[Selected], folder: Path, version: str) -> tuple[int, int]:
    """Write the cases selected into a folder; gives how many rulings and cases there were. ``version``: the suite's.

    Raises:
        CaseFileError: a file is no ruling.
        NotFound: a case asked for by name is not there, or the folder cannot be written to.
    """
    index = []
    rulings = 0
    for each in selected:
        ruling = _load(each)
        name = f"rulings/{ruling.id}.json"
        cases = [case for case in ruling.cases if each.wants(case)]
        _write(folder / name, ruling_data(ruling, cases))
        rulings += 1
        index += [{"id": case.id, "title": case.title, "status": case.status, "file": name} for case in cases]
    _write(folder / "index.json", {"suite": version, "case_format": CASE_FORMAT, "cases": index})
    return rulings, len(index)


def _load(selected: Selected) -> Ruling:
    root = suite_root()
    ruling = load_file(selected.path, root=root if selected.path.is_relative_to(root) else None)
    missing = (selected.names or set()) - {case.name for case in ruling.cases}
    if missing:
        raise NotFound(f"{selected.path} has no case {', '.join(sorted(missing))}")
    return ruling


def _write(path: Path, data: Mapping[str, Any]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            json.dumps(data, ensure_ascii=False, indent=1, default=_plain) + "\n", encoding="utf-8", newline="\n"
        )
    except OSError as error:
        raise NotFound(f"{path} cannot be written: {error.strerror}") from None


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else list(value)


def ruling_data(ruling: Ruling, cases: Iterable[Case]) -> dict[str, Any]:
    """A ruling with some of its cases as plain data."""
    return {
        "case_format": CASE_FORMAT,
        "ruling": ruling.id,
        "summary": ruling.summary,
        "rules": ruling.rules,
        "not_acting": ruling.not_acting,
        "sources": [
            {name: getattr(source, name) for name in ("card", "publisher", "date", "language", "digest")}
            for source in ruling.sources
        ],
        "cases": [case_data(case) for case in cases],
    }


def case_data(case: Case) -> dict[str, Any]:
    """A case as plain data."""
    when = [_step(step) for step in case.when]
    then = _expectations(case.then)
    return {
        "id": case.id,
        "case": case.name,
        "title": case.title,
        "status": case.status,
        "why": case.why,
        "since": case.since,
        "long": case.long,
        "holds_before": case.holds_before,
        "mentions": case.mentions,
        "given": _given(case.given),
        "references": _references(case.given, (when, then)),
        "when": when,
        "then": then,
    }


def _given(given: Given) -> dict[str, Any]:
    data = state_data(given)
    for shown, player in zip(data["players"], given.players, strict=True):
        for zone in (*ZONES, "deck"):
            shown[zone] = [{**object_data(each, player.name), "as": each.alias} for each in getattr(player, zone)]
    return data


def _step(step: Step) -> dict[str, Any]:
    return {
        "verb": step.verb,
        "subject": step.subject,
        "by": step.by,
        "args": step.args,
        "choices": [_answer(answer) for answer in step.choices],
        "expect": None if step.expect is None else _expectations(step.expect),
    }


def _answer(answer: Answer) -> dict[str, Any]:
    return {
        "kind": answer.kind,
        "value": answer.value,
        "by": answer.by,
        "args": answer.args,
        "options": answer.options,
        "not": answer.excluded,
    }


def _expectations(expect: Expectations) -> dict[str, Any]:
    return {
        "subjects": [{"kind": each.kind, "subject": each.subject, "facts": each.facts} for each in expect.subjects],
        "probes": [
            {"legal": probe.legal, "because": probe.because, "at": probe.at, "step": _step(probe.step)}
            for probe in expect.probes
        ],
    }


# --- references


def _references(given: Given, data: Any) -> dict[str, list[str]]:
    """What each text that names something of the starting state stands for: handles, in the order listed.

    Names of what only appears later are not among them. A name may come to stand for something else while a case is
    played, where an object becomes a copy; an alias and a number never do.
    """
    names = _names(given)
    found: dict[str, list[str]] = {}
    for text in _texts(data):
        if text not in found:
            handles = _resolve(text, names)
            if handles:
                found[text] = handles
    return dict(sorted(found.items()))


def _names(given: Given) -> dict[str, list[str]]:
    listed = [
        each for player in given.players for zone in ZONES for each in getattr(player, zone) if each.order is not None
    ]
    listed.sort(key=lambda each: each.order or 0)
    names: dict[str, list[str]] = {}
    for each in listed:
        for name in _names_of(each):
            names.setdefault(name, []).append(each.handle)
    for each in listed:
        if each.alias is not None:
            names.setdefault(each.alias, [each.handle])
    return names


def _names_of(thing: ObjectGiven) -> set[str]:
    names = known_by(thing.card) if thing.card else set()
    if thing.token_name is not None:
        names |= {thing.token_name, f"{thing.token_name} Token"}
    if thing.copy_of is not None:
        names |= known_by(thing.copy_of)
    return names


def _resolve(text: str, names: Mapping[str, list[str]]) -> list[str]:
    if text in names:
        return names[text]
    number = counted(text)
    if number is not None:
        return names.get(number[1], [])
    base, _, place = text.rpartition("#")
    if base and place.isdigit():
        return names.get(base, [])[int(place) - 1 : int(place)]
    return names.get(text.partition(" // ")[0], [])


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for key, value in data.items():
            yield from _texts(key)
            yield from _texts(value)
    elif isinstance(data, (list, tuple)):
        for each in data:
            yield from _texts(each)
