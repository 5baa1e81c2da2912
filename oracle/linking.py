"""Linked abilities (CR 607): what one ability of an object exiled or chose, for the other to refer to."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from judgecall.oracle import objects
from judgecall.oracle.state import Game, Object

__all__ = ["choose", "chosen", "link"]


def link(game: Game, obj: Object, key: str, things: Sequence[Any]) -> None:
    """Remember things as linked with an object under a key."""
    game.write(obj, "linked", MappingProxyType({**obj.linked, key: (*obj.linked.get(key, ()), *things)}))


def choose(game: Game, obj: Object, key: str, value: Any, by: str | None = None) -> None:
    """Remember what was chosen for an object (CR 607.2d).

    Args:
        by: the name of what it is or will be as the choice is made: abilities of something else that it becomes are
            not linked with this one (CR 607.5a).
    """
    name = by if by is not None else objects.copiable(game, obj).name
    game.write(obj, "chosen", MappingProxyType({**obj.chosen, key: value, f"{key} by": name}))


def chosen(game: Game, obj: Object | None, key: str) -> Any:
    """What was chosen for an object by a linked ability that it still has; None if nothing was."""
    if obj is None or key not in obj.chosen:
        game.trace.cite("607.5a")
        return None
    by = obj.chosen.get(f"{key} by")
    if by is not None and not obj.gone and by != objects.copiable(game, obj).name:
        game.trace.cite("607.5", "607.5a")
        return None
    game.trace.cite("607.4")
    return obj.chosen[key]
