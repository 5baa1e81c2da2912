"""Double-faced permanents: transforming (CR 701.27, 712), day and night (CR 731, 702.145)."""

from __future__ import annotations

from collections.abc import Sequence

from judgecall.oracle import events, layers, objects
from judgecall.oracle.state import Game, Object
from judgecall.oracle.vocabulary.context import Context

__all__ = ["become", "daybound_check", "transform", "turn_over"]


def transform(ctx: Context, things: Sequence[Object]) -> None:
    """Transform permanents as an ability or a spell says (CR 701.27a–f)."""
    turn_over(ctx.game, [thing for thing in things if _once(ctx, thing)])


def _once(ctx: Context, thing: Object) -> bool:
    """CR 701.27f: an ability of the permanent itself does so only if it has not turned over meanwhile."""
    item = ctx.stack
    if item is None or item.source is not thing:
        return True
    since = int(item.context.get("created", item.stamp))
    if thing.transformed > since:
        ctx.game.trace.add("it has transformed since: the instruction is ignored", "701.27f")
        return False
    return True


def turn_over(game: Game, things: Sequence[Object]) -> None:
    """Turn double-faced permanents over at once; what cannot does nothing (CR 701.27c–d, 712.9–10, 712.15a)."""
    made = []
    for thing in things:
        if thing.zone != "battlefield" or not objects.is_double_faced(thing):
            game.trace.add(f"{events.label(game, thing)} can't transform", "701.27c", "712.9")
            continue
        if not objects.can_turn_over(thing):
            game.trace.add(f"{events.label(game, thing)} is a meld card and can't transform", "712.4c", "712.9")
            continue
        if thing.face_down is not None:
            game.trace.add("a face-down permanent can't transform", "712.15a")
            continue
        other = "back" if thing.face == "front" else "front"
        face = objects.base_values(thing).faces[other]
        if any(kind in face.types for kind in ("Instant", "Sorcery")):
            game.trace.add("it can't transform into an instant or sorcery", "701.27d", "712.10")
            continue
        if _locked(game, thing):
            continue
        made.append(events.Event("face", thing, details={"what": other, "face": other}))
    events.happen(game, made)


def _locked(game: Game, thing: Object) -> bool:
    """Daybound and nightbound transform by themselves only (CR 702.145b, 702.145e); or an effect says no."""
    ch = layers.of(game, thing)
    if "transform" in ch.cant:
        game.trace.cite("101.2")
        return True
    keyword = next((word for word in _BOUND if ch.has(word)), None)
    if keyword is None or game.fresh.get("daybound"):
        return False
    game.trace.add(f"a permanent with {keyword} transforms in no other way", _BOUND[keyword])
    return True


_BOUND = {"daybound": "702.145b", "nightbound": "702.145e"}


def become(game: Game, time: str) -> None:
    """It becomes day or night (CR 731.1), and daybound and nightbound permanents follow (CR 702.145)."""
    if game.day_night == time:
        return
    before = game.day_night
    game.write(game, "day_night", time)
    game.trace.add(f"it becomes {time}", "731.1")
    if before is not None:
        events.happen(game, [events.Event("day")])
    daybound_check(game)


def daybound_check(game: Game) -> None:
    """CR 702.145b–g: day and night begin, and faces follow them; at once, no state-based action."""
    rows = [(obj, layers.of(game, obj)) for obj in game.battlefield if not obj.phased_out]
    if game.day_night is None:
        if any(ch.has("daybound") for _, ch in rows):
            game.trace.cite("702.145d")
            become(game, "day")
        elif any(ch.has("nightbound") for _, ch in rows):
            game.trace.cite("702.145g")
            become(game, "night")
        return
    keyword, up = ("daybound", "front") if game.day_night == "night" else ("nightbound", "back")
    turning = [obj for obj, ch in rows if ch.has(keyword) and obj.face == up]
    if turning:
        from types import MappingProxyType

        game.trace.cite("702.145c" if keyword == "daybound" else "702.145f")
        game.write(game, "fresh", MappingProxyType({**game.fresh, "daybound": True}))
        turn_over(game, turning)
        game.write(game, "fresh", MappingProxyType({k: v for k, v in game.fresh.items() if k != "daybound"}))


def untap_step_check(game: Game) -> None:
    """CR 502.2, 731.2: whether day becomes night or night day as a turn begins."""
    if game.day_night is None:
        return
    spells = game.history.get("cast last turn", ())
    previous = game.history.get("active last turn")
    if previous is None:
        return
    n = sum(1 for spell in spells if spell.cast.get("by") == previous.name)  # whoever controlled it then
    game.trace.cite("502.2", "731.2")
    if game.day_night == "day" and n == 0:
        game.trace.cite("731.2a")
        become(game, "night")
    elif game.day_night == "night" and n >= 2:
        game.trace.cite("731.2b")
        become(game, "day")


__all__ += ["untap_step_check"]
