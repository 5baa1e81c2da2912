"""Actions and answers on their way to an engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgecall.adapters.engine import (
    Action,
    Activate,
    Cast,
    Concede,
    Json,
    Pass,
    Play,
    TurnFaceUp,
)
from judgecall.adapters.protocol.reading import (
    Malformed,
    listed,
    mapping,
    optional_text,
    optional_whole,
    shown,
    text,
    whole,
)

__all__ = ["action_data", "answer_data", "read_action", "read_answer"]

_VERBS: dict[type[Any], str] = {
    Cast: "cast",
    Activate: "activate",
    Play: "play",
    TurnFaceUp: "turn face up",
    Pass: "pass",
    Concede: "concede",
}


def action_data(action: Action) -> dict[str, Any]:
    """An action as plain data. Every field that its verb has is there, as null where the case does not say."""
    data = {name: getattr(action, name) for name in type(action).__slots__}
    return {"verb": _VERBS[type(action)], **data}


def answer_data(answer: Json | Cast) -> Any:
    """An answer as plain data; a spell to cast is an action."""
    return action_data(answer) if isinstance(answer, Cast) else answer


def read_answer(kind: str, data: Any) -> Json | Cast:
    """The inverse of `answer_data`.

    Raises:
        Malformed: a spell to cast is no action.
    """
    if kind == "cast" and data is not None:
        action = read_action(data)
        if not isinstance(action, Cast):
            raise Malformed(f"answer: expected a spell to cast, not {shown(data)}")
        return action
    found: Json = data
    return found


def read_action(data: Any) -> Action:
    """The inverse of `action_data`; what is missing is what the case does not say.

    Raises:
        Malformed: it is no action.
    """
    data = mapping(data, "action")
    verb = text(data.get("verb"), "action.verb")
    player = text(data.get("player"), "action.player")
    if verb == "pass":
        return Pass(player)
    if verb == "concede":
        return Concede(player)
    if verb not in _VERBS.values():
        raise Malformed(f"action.verb: {shown(verb)} is no verb")
    object_ = text(data.get("object"), "action.object")
    face = optional_text(data.get("face"), "action.face")
    x = optional_whole(data.get("x"), "action.x")
    if verb == "play":
        return Play(player, object_, face=face, using=_using(data))
    costs: Mapping[str, Json] = mapping(data.get("costs") or {}, "action.costs")
    paying = _paying(data.get("paying"))
    if verb == "turn face up":
        using = optional_text(data.get("using"), "action.using")
        return TurnFaceUp(player, object_, using=using, x=x, costs=costs, paying=paying)
    modes, targets = _modes(data), _targets(data.get("targets"))
    if verb == "activate":
        return Activate(
            player,
            object_,
            ability=_ability(data.get("ability")),
            x=x,
            modes=modes,
            targets=targets,
            costs=costs,
            paying=paying,
        )
    return Cast(
        player,
        object_,
        using=_using(data),
        face=face,
        x=x,
        modes=modes,
        targets=targets,
        kicked=_kicked(data.get("kicked")),
        costs=costs,
        paying=paying,
    )


def _using(data: Mapping[str, Any]) -> tuple[str | Mapping[str, str], ...]:
    found: list[str | Mapping[str, str]] = []
    for each in listed(data.get("using") or [], "action.using"):
        if isinstance(each, dict):
            found.append({word: text(cost, "action.using") for word, cost in each.items()})
        else:
            found.append(text(each, "action.using"))
    return tuple(found)


def _modes(data: Mapping[str, Any]) -> tuple[int, ...] | None:
    modes = data.get("modes")
    return None if modes is None else tuple(whole(n, "action.modes") for n in listed(modes, "action.modes"))


def _targets(data: Any) -> tuple[Json, ...] | None:
    if data is None:
        return None
    return tuple(
        tuple(text(one, "action.targets") for one in each) if isinstance(each, list) else text(each, "action.targets")
        for each in listed(data, "action.targets")
    )


def _paying(data: Any) -> tuple[str, ...] | str | None:
    if data is None or isinstance(data, str):
        return data
    return tuple(text(each, "action.paying") for each in listed(data, "action.paying"))


def _ability(data: Any) -> int | str | None:
    if data is None or isinstance(data, str):
        return data
    return whole(data, "action.ability")


def _kicked(data: Any) -> int | Mapping[str, int] | None:
    if isinstance(data, dict):
        return {cost: whole(times, f"action.kicked.{cost}") for cost, times in data.items()}
    return optional_whole(data, "action.kicked")
