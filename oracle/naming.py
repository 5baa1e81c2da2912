"""Choosing card names (CR 201.4)."""

from __future__ import annotations

from judgecall.oracle.definitions import Filter
from judgecall.oracle.vocabulary.context import Context

__all__ = ["allowed"]


def allowed(ctx: Context, name: str, filter: Filter | None) -> bool:
    """Whether a name may be chosen: of a card that exists, as it is printed (CR 201.4a–b, 709.4a, 712.19)."""
    known = ctx.game.known_cards
    if known is None or filter is None:
        return True
    definition = known(name)
    if definition is None:
        return True
    for face in definition.values.faces.values():
        if face.name == name or definition.name == name:
            return _printed(filter, face)
    return _printed(filter, definition.front)


def _printed(filter: Filter, face: object) -> bool:
    types = set(getattr(face, "types", ()))
    supertypes = set(getattr(face, "supertypes", ()))
    for test, value in filter.tests:
        if test == "types" and not types & set(value):
            return False
        if test == "not_types" and types & set(value):
            return False
        if test == "not_supertypes" and supertypes & set(value):
            return False
        if test == "supertypes" and not supertypes & set(value):
            return False
        if test == "not" and _printed(value, face):
            return False
    return True
