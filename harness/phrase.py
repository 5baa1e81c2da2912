"""Cases, values and boards as text that a person reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from judgecall.adapters.engine import ObjectView, View
from judgecall.schema.model import Answer, Step

__all__ = ["board_text", "indented", "many", "rule_note", "step_text", "value_text"]

_PLAIN = re.compile(r"[A-Za-z0-9_'’][A-Za-z0-9_'’ ./#+-]*\Z")


def many(count: int, noun: str, plural: str = "") -> str:
    """How many there are: ``1 case``, ``2 cases``, ``no cases``; ``plural`` where that is not the noun and an s."""
    return f"{count or 'no'} {noun if count == 1 else plural or f'{noun}s'}"


def value_text(value: Any) -> str:
    """A value as YAML flow text: ``{zone: exile, tapped: true}``."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{value_text(k)}: {value_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(map(value_text, value)) + "]"
    if isinstance(value, (set, frozenset)):
        return "[" + ", ".join(sorted(map(value_text, value))) + "]"
    if isinstance(value, str):
        return value if _PLAIN.match(value) else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)


def _answer_data(answer: Answer) -> dict[str, Any]:
    data: dict[str, Any] = {} if answer.by is None else {"by": answer.by}
    data[answer.kind] = answer.value
    data.update(answer.args)
    if answer.options is not None:
        data["options"] = answer.options
    if answer.excluded is not None:
        data["not"] = answer.excluded
    return data


def step_text(step: Step) -> str:
    """A step as it would be written: ``{cast: Think Twice, using: flashback}``."""
    if step.verb == "check":
        count = 0 if step.expect is None else len(step.expect.subjects) + len(step.expect.probes)
        return f"{{check: {many(count, 'expectation')}}}"
    data: dict[str, Any] = {step.verb: step.subject}
    if step.by is not None:
        data["by"] = step.by
    data.update(step.args)
    if step.choices:
        data["choices"] = [_answer_data(answer) for answer in step.choices]
    return value_text(data)


def indented(text: str, by: str) -> str:
    """Every line of a text moved in."""
    return "\n".join(by + line for line in text.splitlines())


def rule_note(rule: str | None) -> str:
    """`` (CR 702.34a)``, or nothing."""
    return f" (CR {rule})" if rule else ""


def board_text(view: View, label: Callable[[str], str]) -> str:
    """The whole game as text: one line a zone that holds anything. ``label`` names an object by its id."""
    game = view.game
    lines = [f"turn {game.get('turn')}, {game.get('active')}'s {game.get('step')}"]
    if game.get("over"):
        lines[0] += f"; the game is over, winner: {value_text(game.get('winner'))}"
    elif game.get("priority"):
        lines[0] += f"; {game.get('priority')} has priority"
    for player in view.players.values():
        facts = player.facts
        head = [f"{player.name}: life {value_text(facts.get('life'))}"]
        if facts.get("mana"):
            head.append(f"mana {facts['mana']}")
        if facts.get("counters"):
            head.append(f"counters {value_text(facts['counters'])}")
        if facts.get("lost"):
            head.append("has lost")
        lines.append(", ".join(head))
        for zone in ("battlefield", "hand", "graveyard", "exile", "command"):
            ids = player.zones.get(zone)
            if ids:
                lines.append(f"  {zone}: {_grouped(view, ids, label)}")
        library = player.zones.get("library", ())
        top = ", ".join(label(id_) for id_ in library[:5])
        lines.append(f"  library: {len(library)}" + (f", from the top: {top}" if top else ""))
    if view.stack:
        lines.append("stack, top first: " + ", ".join(_described(view, id_, label) for id_ in view.stack))
    return "\n".join(lines)


def _grouped(view: View, ids: Sequence[str], label: Callable[[str], str]) -> str:
    """Objects that look alike are counted: ``3 Island``."""
    counts: dict[str, list[str]] = {}
    for id_ in ids:
        name = label(id_).partition("#")[0]
        seen = view.objects.get(id_)
        counts.setdefault(name + (_state(view, seen, label) if seen else ""), []).append(id_)
    return ", ".join(f"{len(same)} {text}" if len(same) > 1 else text for text, same in counts.items())


def _described(view: View, id_: str, label: Callable[[str], str]) -> str:
    seen = view.objects.get(id_)
    return label(id_) + (_state(view, seen, label) if seen else "")


def _state(view: View, seen: ObjectView, label: Callable[[str], str]) -> str:
    """What sets an object apart from another of its name, in brackets."""
    facts = seen.facts
    notes: list[str] = []
    if seen.zone == "stack" and facts.get("controller"):
        notes.append(f"by {facts['controller']}")
    if seen.kind == "token":
        notes.append("token")
    if facts.get("face_down"):
        notes.append("face down")
    if facts.get("face") == "back":
        notes.append("back face")
    if seen.zone == "battlefield" and facts.get("power") is not None:
        notes.append(f"{facts['power']}/{facts.get('toughness')}")
    if facts.get("tapped"):
        notes.append("tapped")
    counters = facts.get("counters")
    if isinstance(counters, Mapping) and counters:
        notes.append("counters " + value_text(counters))
    if facts.get("damage"):
        notes.append(f"damage {facts['damage']}")
    attached = facts.get("attached_to")
    if isinstance(attached, str):
        notes.append("on " + label(attached))
    targets = facts.get("targets")
    if isinstance(targets, (list, tuple)) and targets:
        notes.append("targets " + ", ".join(label(t) for t in targets if isinstance(t, str)))
    return f" [{'; '.join(notes)}]" if notes else ""
