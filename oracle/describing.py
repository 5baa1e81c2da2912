"""Events as lines of the trace, each with the numbers of the rules behind it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from judgecall.oracle import layers
from judgecall.oracle.state import Game, Object, Player

if TYPE_CHECKING:
    from judgecall.oracle.costs import TotalCost
    from judgecall.oracle.events import Event

__all__ = ["describe", "label", "total"]

_TEXT: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "gain life": ("{player} gains {amount} life", ("119.3",)),
    "lose life": ("{player} loses {amount} life", ("119.3",)),
    "tap": ("{obj} becomes tapped", ("701.26a",)),
    "untap": ("{obj} becomes untapped", ("701.26b",)),
    "draw from empty": ("{player} draws from an empty library", ("121.4", "704.5b")),
    "damage": ("{source} deals {amount} damage to {about}", ("120.3",)),
    "shuffle": ("{player} shuffles", ("701.24a",)),
    "reveal": ("{obj} is revealed", ("701.20a",)),
    "lost": ("{player} loses the game", ("104.3",)),
    "cast": ("{player} has cast {obj}", ("601.2i",)),
    "activate": ("{player} has activated an ability of {source}", ("602.2b",)),
    "attack": ("{obj} attacks", ("508.1k", "508.2a")),
    "block": ("{obj} blocks {source}", ("509.1g", "509.3f")),
    "unattach": ("{obj} becomes unattached", ("701.3d",)),
    "token": ("a token, {new}, is created", ("111.1", "701.7a")),
    "phase out": ("{obj} phases out", ("702.26b",)),
    "phase in": ("{obj} phases in", ("702.26c",)),
    "create": ("", ()),
}


_CAUSE_RULES = {
    "destroy": ("701.8a",),
    "sacrifice": ("701.21a",),
    "discard": ("701.9a",),
    "draw": ("121.1",),
    "mill": ("701.17a",),
    "exile": ("701.13a",),
    "counter": ("701.6a",),
    "resolve": ("608.2n",),
    "enter": ("608.3a",),
    "state-based": (),
    "cast": ("601.2a",),
    "play": ("305.1",),
}


def describe(game: Game, event: Event) -> None:
    """Note an event in the trace."""
    kind = event.kind
    rules = event.rules
    if kind == "move":
        assert event.obj is not None
        text = f"{label(game, event.obj)}: {event.origin} to {event.to}"
        if event.cause:
            text += f" ({event.cause})"
        rules = (*_CAUSE_RULES.get(event.cause, ()), *rules, "400.7")
    elif kind == "face":
        text = f"{label(game, event.obj)} is turned face {event.details['what']}"
        if event.details["what"] not in ("up", "down"):
            text = f"{label(game, event.obj)} transforms"
        rules = rules or {"up": ("708.8",), "down": ("708.2a",)}.get(
            event.details["what"], ("701.27a", "712.9", "712.18")
        )
    elif kind in ("counters", "remove counters"):
        verb = "is put on" if kind == "counters" else "is removed from"
        text = f"{event.amount} {event.details['kind']} {verb} {label(game, event.about)}"
        rules = rules or ("122.6" if kind == "counters" else "122.1",)
    elif kind == "attach":
        text = f"{label(game, event.obj)} is attached to {label(game, event.details['to'])}"
        rules = rules or ("701.3a",)
    elif kind in _TEXT:
        pattern, numbers = _TEXT[kind]
        if not pattern:
            return
        text = pattern.format(
            player=label(game, event.player),
            obj=label(game, event.obj),
            source=label(game, event.source),
            about=label(game, event.about),
            new=label(game, event.new),
            amount=event.amount,
        )
        rules = (*numbers, *rules)
    elif rules:
        text = event.details.get("text", kind)
    else:
        return
    game.trace.add(text, *rules)


def label(game: Game, obj: Object | Player | None) -> str:
    """What a person would call something."""
    if obj is None:
        return "nothing"
    if isinstance(obj, Player):
        return obj.name
    if obj.kind == "ability" and obj.source is None:
        return f"{obj.controller.name}'s ability without a source"
    if obj.kind == "ability":
        return f"an ability of {label(game, obj.source)}"
    if obj.face_down is not None and obj.card is not None:
        return f"a face-down {obj.card.definition.name}"
    ch = layers.of(game, obj) if not obj.gone else obj.lki
    name = ch.name if ch is not None else ""
    if not name and obj.card is not None:
        name = obj.card.definition.name
    return f"copy of {name}" if obj.kind == "copy" else name or "something"


def total(cost: TotalCost) -> str:
    """A total cost in words."""
    symbols = [*([str(cost.generic)] if cost.generic else []), *cost.symbols] or ["0"]
    floor = f", and no less than {{{cost.floor}}}" if cost.floor else ""
    return "".join(f"{{{symbol}}}" for symbol in symbols) + floor + (" and more" if cost.parts else "")
