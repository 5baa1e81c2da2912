"""The starting state of a case, as ``setup`` carries it: every field is always there, every reference resolved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgecall.adapters.protocol.reading import (
    flag,
    listed,
    mapping,
    optional_text,
    optional_whole,
    text,
    whole,
)
from judgecall.schema.model import ZONES, Given, ObjectGiven, PlayerGiven

__all__ = ["object_data", "read_state", "state_data"]

_LISTS = (*ZONES, "deck")


def state_data(given: Given) -> dict[str, Any]:
    """A starting state as plain data. Aliases and places in files stay at home."""
    return {
        "active": given.active,
        "step": given.step,
        "turn": given.turn,
        "format": given.format,
        "day_night": given.day_night,
        "players": [_player_data(player) for player in given.players],
    }


def _player_data(player: PlayerGiven) -> dict[str, Any]:
    data: dict[str, Any] = {
        "name": player.name,
        "life": player.life,
        "counters": dict(player.counters),
        "mana": player.mana,
        "lands_played": player.lands_played,
    }
    for zone in _LISTS:
        data[zone] = [object_data(each, player.name) for each in getattr(player, zone)]
    return data


def object_data(given: ObjectGiven, owner: str) -> dict[str, Any]:
    """An object of the starting state as plain data; ``owner`` is the player who lists it."""
    return {
        "handle": given.handle,
        "card": given.card,
        "token_name": given.token_name,
        "token": given.token,
        "controller": given.controller or owner,
        "tapped": given.tapped,
        "counters": None if given.counters is None else dict(given.counters),
        "damage": given.damage,
        "face_down": given.face_down,
        "face": given.face,
        "attached_to": given.attached_handle,
        "summoning_sick": given.summoning_sick,
        "commander": given.commander,
        "copy_of": given.copy_of,
        "protector": given.protector,
        "chosen": given.chosen,
        "order": given.order,
    }


def read_state(data: Any) -> Given:
    """The inverse of `state_data`; what is missing has its default.

    Raises:
        Malformed: it is no starting state.
    """
    data = mapping(data, "state")
    return Given(
        players=tuple(
            _player(each, f"players[{index}]") for index, each in enumerate(listed(data.get("players"), "players"))
        ),
        active=text(data.get("active", "alice"), "active"),
        step=text(data.get("step", "precombat main"), "step"),
        turn=whole(data.get("turn", 1), "turn"),
        format=optional_text(data.get("format"), "format"),
        day_night=optional_text(data.get("day_night"), "day_night"),
    )


def _player(data: Any, where: str) -> PlayerGiven:
    data = mapping(data, where)
    name = text(data.get("name"), f"{where}.name")
    zones: dict[str, tuple[ObjectGiven, ...]] = {
        zone: tuple(
            _object(each, name, f"{where}.{zone}[{index}]")
            for index, each in enumerate(listed(data.get(zone, []), f"{where}.{zone}"))
        )
        for zone in _LISTS
    }
    return PlayerGiven(
        name=name,
        life=whole(data.get("life", 20), f"{where}.life"),
        counters=_counters(data.get("counters", {}), f"{where}.counters"),
        mana=text(data.get("mana", ""), f"{where}.mana"),
        lands_played=whole(data.get("lands_played", 0), f"{where}.lands_played"),
        **zones,
    )


def _counters(data: Any, where: str) -> dict[str, int]:
    return {kind: whole(number, f"{where}.{kind}") for kind, number in mapping(data, where).items()}


def _object(data: Any, owner: str, where: str) -> ObjectGiven:
    data = mapping(data, where)
    controller = optional_text(data.get("controller"), f"{where}.controller")
    counters = data.get("counters")
    attached = optional_text(data.get("attached_to"), f"{where}.attached_to")
    return ObjectGiven(
        handle=text(data.get("handle"), f"{where}.handle"),
        card=text(data.get("card", ""), f"{where}.card"),
        token_name=optional_text(data.get("token_name"), f"{where}.token_name"),
        token=flag(data.get("token", False), f"{where}.token"),
        controller=None if controller == owner else controller,
        tapped=flag(data.get("tapped", False), f"{where}.tapped"),
        counters=None if counters is None else _counters(counters, f"{where}.counters"),
        damage=whole(data.get("damage", 0), f"{where}.damage"),
        face_down=optional_text(data.get("face_down"), f"{where}.face_down"),
        face=text(data.get("face", "front"), f"{where}.face"),
        attached_to=attached,
        attached_handle=attached,
        summoning_sick=flag(data.get("summoning_sick", False), f"{where}.summoning_sick"),
        commander=flag(data.get("commander", False), f"{where}.commander"),
        copy_of=optional_text(data.get("copy_of"), f"{where}.copy_of"),
        protector=optional_text(data.get("protector"), f"{where}.protector"),
        chosen=_frozen(mapping(data.get("chosen", {}), f"{where}.chosen")),
        order=optional_whole(data.get("order"), f"{where}.order"),
    )


def _frozen(value: Any) -> Any:
    """Lists as tuples, as the model has them."""
    if isinstance(value, Mapping):
        return {key: _frozen(each) for key, each in value.items()}
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    return value
