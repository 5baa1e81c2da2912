"""Continuous effects that begin as the permanents that they are about enter the battlefield (CR 611.2e)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from judgecall.oracle import lasting
from judgecall.oracle.definitions import Node
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.effects_lasting import settled
from judgecall.oracle.vocabulary.references import current

__all__ = ["begins_as_they_enter"]


@contextmanager
def begins_as_they_enter(ctx: Context, things: list[Any], change: Any) -> Iterator[None]:
    """While things are put onto the battlefield: they are changed from the moment they enter (CR 611.2e)."""
    ctx.results["entering"] = list(things)
    what = Node("cards of", MappingProxyType({"objects": Node("result", MappingProxyType({"name": "entering"}))}))
    node = Node("affects", MappingProxyType({"which": what, "change": settled(ctx, change)}))
    ahead = lasting.add(ctx, node, "forever")
    yield
    there = tuple(found for found in map(current, things) if found is not None and found.zone == "battlefield")
    fixed = Node("affects", MappingProxyType({"which": None, "change": node.args["change"]}))
    kept = [effect for effect in ctx.game.effects if effect is not ahead]
    if there:
        kept.append(replace(ahead, ability=fixed, affected=there))
    ctx.game.write(ctx.game, "effects", tuple(kept))
