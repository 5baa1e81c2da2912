"""Phasing (CR 702.26)."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from judgecall.oracle import events, layers
from judgecall.oracle.events import Event
from judgecall.oracle.state import Game, Object, Player

__all__ = ["await_any_untap_step", "out", "untap_step"]


def _with_attached(game: Game, things: Sequence[Object], *, coming: bool) -> list[Object]:
    """These and what goes along: whatever is attached and there, or what has phased out indirectly (CR 702.26g)."""
    found = list(things)
    for thing in found:
        for other in game.battlefield:
            along = other.phased_out and not other.flags.get("phased directly") if coming else not other.phased_out
            if other.attached_to is thing and along and not any(other is known for known in found):
                found.append(other)
    return found


def out(game: Game, things: Sequence[Object]) -> list[Object]:
    """Permanents phase out; what is attached to them phases out indirectly (CR 702.26b, 702.26g)."""
    direct = [
        thing
        for thing in things
        if thing.zone == "battlefield"
        and not thing.phased_out
        and "phase out" not in layers.of(game, thing).cant  # CR 101.2
    ]
    made = [Event("phase out", thing) for thing in _with_attached(game, direct, coming=False)]
    done = [event.obj for event in events.happen(game, made) if event.obj is not None]
    for thing in done:
        # What phases out with its host does so indirectly, even if it would phase out for itself, too (CR 702.26h).
        alone = not any(thing.attached_to is other for other in done)
        game.write(
            thing, "flags", MappingProxyType({**thing.flags, "phased directly": alone, "phased for": thing.controller})
        )
    return done


def untap_step(game: Game) -> None:
    """CR 502.1: the active player's phased-out permanents phase in, and those with phasing phase out, at once."""
    coming = [
        obj
        for obj in game.battlefield
        if obj.phased_out and obj.flags.get("phased directly") and obj.flags.get("phased for") in (game.active, None)
    ]
    going = [
        obj
        for obj in game.battlefield
        if not obj.phased_out and obj.controller is game.active and layers.of(game, obj).has("phasing")
    ]
    events.happen(game, [Event("phase in", obj) for obj in _with_attached(game, coming, coming=True)])
    if going:
        out(game, going)


def await_any_untap_step(game: Game, player: Player) -> None:
    """CR 702.26n: what phased out under a player who has left phases in once that player's turn would have begun."""
    for obj in game.battlefield:
        if obj.phased_out and obj.flags.get("phased for") is player:
            game.trace.cite("702.26n")
            game.write(obj, "flags", MappingProxyType({**obj.flags, "phased for": None}))
