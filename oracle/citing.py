"""Which rules give an object its color and mana value, for the trace."""

from __future__ import annotations

from judgecall.oracle.characteristics import Characteristics, FaceValues
from judgecall.oracle.state import Game

__all__ = ["cite"]


def cite(game: Game, made: Characteristics, values: FaceValues) -> None:
    """Which rules give an object its color and mana value: noted once, in the trace that is not taken back."""
    game.trace.told[made] = None
    cost = values.mana_cost
    if values.indicator:
        game.trace.cite("204.2")
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
