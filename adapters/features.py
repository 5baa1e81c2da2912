"""What a starting state has beyond cards in zones, in the words with which an engine says ``unsupported``."""

from __future__ import annotations

from collections.abc import Iterator

from judgecall.schema.model import ZONES, Given, ObjectGiven, PlayerGiven

__all__ = ["FEATURES", "state_features"]

FEATURES = (
    "attached_to",
    "chosen",
    "commander",
    "controller",
    "copy_of",
    "counters",
    "damage",
    "day_night",
    "deck",
    "face",
    "face_down",
    "format",
    "lands_played",
    "life",
    "mana",
    "player counters",
    "players",
    "protector",
    "step",
    "summoning_sick",
    "tapped",
    "token",
    "token_name",
    "turn",
)
"""Everything that a state may have: fields of an object, of a player, and of the game."""


def state_features(given: Given) -> frozenset[str]:
    """Give those of `FEATURES` that a state has, because it is not as it would be by default."""
    return frozenset(_features(given))


def _features(given: Given) -> Iterator[str]:
    if given.step != "precombat main":
        yield "step"
    if given.turn != 1:
        yield "turn"
    if given.format is not None:
        yield "format"
    if given.day_night is not None:
        yield "day_night"
    if len(given.players) > 2:
        yield "players"
    for player in given.players:
        yield from _of_player(player, 40 if given.format == "commander" else 20)
        for zone in ZONES:
            for each in getattr(player, zone):
                yield from _of_object(each)


def _of_player(player: PlayerGiven, life: int) -> Iterator[str]:
    if player.life != life:
        yield "life"
    if player.counters:
        yield "player counters"
    if player.mana:
        yield "mana"
    if player.lands_played:
        yield "lands_played"
    if player.deck:
        yield "deck"


def _of_object(given: ObjectGiven) -> Iterator[str]:
    for name in ("tapped", "damage", "face_down", "summoning_sick", "commander", "copy_of", "protector"):
        if getattr(given, name):
            yield name
    if given.counters:
        yield "counters"
    if given.face == "back":
        yield "face"
    if given.attached_handle is not None:
        yield "attached_to"
    if given.controller is not None:
        yield "controller"
    if given.token_name is not None:
        yield "token_name"
    elif given.token:
        yield "token"
    if given.chosen:
        yield "chosen"
