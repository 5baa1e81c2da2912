"""What an engine says: who it is, its questions, its view of the game, its judgement of an action."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from judgecall.adapters.engine import (
    Description,
    Glance,
    Json,
    Legality,
    ObjectView,
    Option,
    PlayerView,
    Question,
    TraceLine,
    View,
)
from judgecall.adapters.protocol.reading import (
    Malformed,
    flag,
    listed,
    mapping,
    optional_text,
    optional_whole,
    text,
    texts,
    whole,
)

__all__ = [
    "description_data",
    "glance_data",
    "legality_data",
    "question_data",
    "read_description",
    "read_glance",
    "read_legality",
    "read_question",
    "read_trace",
    "read_view",
    "trace_data",
    "view_data",
]


# --- who it is


def description_data(description: Description) -> dict[str, Any]:
    """What an engine says of itself, as the fields of its answer to ``hello``."""
    return {
        "name": description.name,
        "version": description.version,
        "adapter": description.adapter,
        "adapter_version": description.adapter_version,
        "language": description.language,
        "capabilities": sorted(description.capabilities),
        "faults": dict(description.faults),
    }


def read_description(data: Mapping[str, Any]) -> Description:
    """The inverse of `description_data`.

    Raises:
        Malformed: a field is missing or of another kind.
    """
    faults = mapping(data.get("faults", {}), "faults")
    return Description(
        name=text(data.get("name"), "name"),
        version=text(data.get("version"), "version"),
        adapter=text(data.get("adapter", ""), "adapter"),
        adapter_version=text(data.get("adapter_version", ""), "adapter_version"),
        language=text(data.get("language", ""), "language"),
        capabilities=frozenset(texts(data.get("capabilities", []), "capabilities")),
        faults={name: text(told, f"faults.{name}") for name, told in faults.items()},
    )


# --- questions


def question_data(question: Question) -> dict[str, Any]:
    """A question as plain data."""
    return {
        "player": question.player,
        "kind": question.kind,
        "prompt": question.prompt,
        "options": [_option_data(option) for option in question.options],
        "minimum": question.minimum,
        "maximum": question.maximum,
        "source": question.source,
        "same": question.same,
        "ordered": question.ordered,
        "against": [_option_data(option) for option in question.against],
        **({} if question.instead_of is None else {"instead_of": question.instead_of}),
    }


def _option_data(option: Option) -> dict[str, Any]:
    data = {"value": option.value, "name": option.name, "source": option.source}
    return data if option.most is None else {**data, "most": option.most}


def read_question(data: Any) -> Question:
    """The inverse of `question_data`; all but ``player`` and ``kind`` may be missing.

    Raises:
        Malformed: it is no question.
    """
    data = mapping(data, "question")
    return Question(
        player=text(data.get("player"), "question.player"),
        kind=text(data.get("kind"), "question.kind"),
        prompt=text(data.get("prompt", ""), "question.prompt"),
        options=_options(data.get("options", []), "question.options"),
        minimum=whole(data.get("minimum", 0), "question.minimum"),
        maximum=whole(data.get("maximum", 0), "question.maximum"),
        source=optional_text(data.get("source"), "question.source"),
        same=flag(data.get("same", False), "question.same"),
        ordered=flag(data.get("ordered", False), "question.ordered"),
        against=_options(data.get("against", []), "question.against"),
        instead_of=optional_text(data.get("instead_of"), "question.instead_of"),
    )


def _options(data: Any, where: str) -> tuple[Option, ...]:
    found = []
    for index, each in enumerate(listed(data, where)):
        each = mapping(each, f"{where}[{index}]")
        if "value" not in each:
            raise Malformed(f"{where}[{index}]: an option needs a value")
        found.append(
            Option(
                each["value"],
                text(each.get("name", ""), f"{where}[{index}].name"),
                optional_text(each.get("source"), f"{where}[{index}].source"),
                None if each.get("most") is None else whole(each["most"], f"{where}[{index}].most"),
            )
        )
    return tuple(found)


# --- the game


def view_data(view: View) -> dict[str, Any]:
    """The whole game as plain data."""
    return {
        "objects": [_object_data(each) for each in view.objects.values()],
        "players": [{"name": each.name, "zones": each.zones, "facts": each.facts} for each in view.players.values()],
        "stack": view.stack,
        "game": view.game,
    }


def _object_data(seen: ObjectView) -> dict[str, Any]:
    return {
        "id": seen.id,
        "zone": seen.zone,
        "owner": seen.owner,
        "name": seen.name,
        "kind": seen.kind,
        "card": seen.card,
        "card_name": seen.card_name,
        "source": seen.source,
        "source_name": seen.source_name,
        "source_card": seen.source_card,
        "facts": seen.facts,
    }


def read_view(data: Any) -> View:
    """The inverse of `view_data`.

    Raises:
        Malformed: it is no view: a field is missing or of another kind, an id stands twice.
    """
    data = mapping(data, "view")
    objects: dict[str, ObjectView] = {}
    for index, each in enumerate(listed(data.get("objects"), "view.objects")):
        seen = _object(each, f"view.objects[{index}]")
        if seen.id in objects:
            raise Malformed(f"view.objects[{index}]: a second object {seen.id}")
        objects[seen.id] = seen
    players: dict[str, PlayerView] = {}
    for index, each in enumerate(listed(data.get("players"), "view.players")):
        where = f"view.players[{index}]"
        each = mapping(each, where)
        name = text(each.get("name"), f"{where}.name")
        zones = mapping(each.get("zones"), f"{where}.zones")
        players[name] = PlayerView(
            name,
            {zone: texts(ids, f"{where}.zones.{zone}") for zone, ids in zones.items()},
            mapping(each.get("facts", {}), f"{where}.facts"),
        )
    game: Mapping[str, Json] = mapping(data.get("game"), "view.game")
    return View(objects, players, texts(data.get("stack"), "view.stack"), game)


def _object(data: Any, where: str) -> ObjectView:
    data = mapping(data, where)
    get = data.get
    return ObjectView(
        id=text(get("id"), f"{where}.id"),
        zone=text(get("zone"), f"{where}.zone"),
        owner=text(get("owner"), f"{where}.owner"),
        name=text(get("name"), f"{where}.name"),
        kind=text(get("kind", "card"), f"{where}.kind"),
        card=optional_text(get("card"), f"{where}.card"),
        card_name=optional_text(get("card_name"), f"{where}.card_name"),
        source=optional_text(get("source"), f"{where}.source"),
        source_name=optional_text(get("source_name"), f"{where}.source_name"),
        source_card=optional_text(get("source_card"), f"{where}.source_card"),
        facts=mapping(get("facts", {}), f"{where}.facts"),
    )


def glance_data(glance: Glance) -> dict[str, Any]:
    """Where the game stands, as plain data."""
    return asdict(glance)


def read_glance(data: Any) -> Glance:
    """The inverse of `glance_data`.

    Raises:
        Malformed: it is no glance.
    """
    data = mapping(data, "glance")
    return Glance(
        active=optional_text(data.get("active"), "glance.active"),
        step=optional_text(data.get("step"), "glance.step"),
        turn=optional_whole(data.get("turn"), "glance.turn"),
        priority=optional_text(data.get("priority"), "glance.priority"),
        stack=texts(data.get("stack"), "glance.stack"),
        over=flag(data.get("over", False), "glance.over"),
    )


# --- judgement


def legality_data(legality: Legality) -> dict[str, Any]:
    """What an engine says to whether an action could be taken, as the fields of its answer to ``probe``."""
    return asdict(legality)


def read_legality(data: Mapping[str, Any]) -> Legality:
    """The inverse of `legality_data`.

    Raises:
        Malformed: it does not say.
    """
    return Legality(
        legal=flag(data.get("legal"), "legal"),
        rule=optional_text(data.get("rule"), "rule"),
        stage=optional_text(data.get("stage"), "stage"),
        message=text(data.get("message", ""), "message"),
        also=texts(data.get("also", []), "also"),
    )


def trace_data(trace: tuple[TraceLine, ...]) -> list[dict[str, Any]]:
    """What an engine says that it did, as plain data."""
    return [asdict(line) for line in trace]


def read_trace(data: Any) -> tuple[TraceLine, ...]:
    """The inverse of `trace_data`.

    Raises:
        Malformed: a line is no line.
    """
    found = []
    for index, each in enumerate(listed(data, "trace")):
        each = mapping(each, f"trace[{index}]")
        found.append(
            TraceLine(
                text(each.get("text"), f"trace[{index}].text"),
                texts(each.get("rules", []), f"trace[{index}].rules"),
            )
        )
    return tuple(found)
