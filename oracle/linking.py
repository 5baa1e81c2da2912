"""Linked abilities (CR 607): what one ability of an object exiled or chose, for the other to refer to."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from judgecall.oracle.state import Game, Object

__all__ = ["choose", "link"]


def link(game: Game, obj: Object, key: str, things: Sequence[Any]) -> None:
    """Remember things as linked with an object under a key."""
    game.write(obj, "linked", MappingProxyType({**obj.linked, key: (*obj.linked.get(key, ()), *things)}))


def choose(game: Game, obj: Object, key: str, value: Any) -> None:
    """Remember what was chosen for an object (CR 607.2d)."""
    game.write(obj, "chosen", MappingProxyType({**obj.chosen, key: value}))
