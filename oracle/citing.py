"""Which rules say what an object is, before any effect: its face, color and mana value; for the trace."""

from __future__ import annotations

from judgecall.oracle import objects
from judgecall.oracle.characteristics import Characteristics, FaceValues
from judgecall.oracle.state import Game, Object

__all__ = ["cite"]


def cite(game: Game, made: Characteristics, values: FaceValues) -> None:
    """Which rules say what an object is: noted once, in the trace that is not taken back."""
    game.trace.told[made] = None
    cost = values.mana_cost
    if values.power is not None and "Creature" not in values.types:
        game.trace.cite("208.3")
    if made.obj.face_down is not None and made.obj.zone in ("battlefield", "stack"):
        game.trace.cite("613.2b", "708.2")
    elif objects.is_double_faced(made.obj) and values is objects.face_values(made.obj):
        game.trace.cite(_face(made.obj))
        if cost is None and made.obj.face == "back":
            game.trace.cite("202.1b")
    elif objects.base_values(made.obj).layout == "adventure":
        game.trace.cite("715.3b" if made.obj.face == "adventure" else "715.4")
    if values.indicator:
        game.trace.cite("105.2", "202.2e", "204.2")
    if cost is None:
        game.trace.cite("202.3b" if values.mana_value is not None or made.obj.face == "back" else "202.3a")
        return
    game.trace.cite("202.2a", "202.3")
    if any(symbol.endswith("/P") for symbol in cost):
        game.trace.cite("202.3g")
    elif any("/" in symbol for symbol in cost):
        game.trace.cite("202.3f")
    if " // " in values.name:
        game.trace.cite("709.4b")


def _face(obj: Object) -> str:
    """The rule that says which face of a double-faced card or token counts."""
    layout = objects.base_values(obj).layout
    if obj.zone not in ("battlefield", "stack"):
        return "712.8a"
    if layout == "meld":
        return "712.8b" if obj.zone == "stack" else "712.8"
    if layout == "modal":
        return "712.8f"
    if obj.zone == "stack":
        return "712.8c"
    return "712.8e" if obj.face == "back" else "712.8d"
