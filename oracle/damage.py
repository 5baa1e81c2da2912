"""Damage (CR 120): what kind it is, and what it results in."""

from __future__ import annotations

from typing import Any

from judgecall.oracle import layers, objects, statics
from judgecall.oracle.characteristics import Characteristics
from judgecall.oracle.events import Event
from judgecall.oracle.state import Game, Object, Player

__all__ = ["event", "keep_above_floors", "lethal", "lethal_number", "lifelink", "results"]


def event(
    game: Game,
    source: Object | None,
    target: Any,
    amount: int,
    *,
    combat: bool = False,
    unpreventable: bool = False,
) -> Event:
    """Damage that a source would deal to an object or a player, with what its source's keywords make of it."""
    details: dict[str, Any] = {"combat": combat}
    if source is not None:
        ch = layers.of(game, source)
        if ch.has("deathtouch"):
            details["deathtouch"] = True
        if ch.has("lifelink"):
            details["lifelink"] = True
        if ch.has("wither") or ch.has("infect"):
            details["wither"] = True
        if ch.has("infect"):
            details["infect"] = True
        if combat and ch.has("toxic"):
            game.trace.cite("702.164b")
            details["toxic"] = sum(int(ability.value) for ability in ch.keywords()["toxic"])
        for node, ctx in statics.rules(game, "deals as"):
            if ctx.matches(node.args["filter"], source):
                details["wither" if node.args["keyword"] == "infect" else node.args["keyword"]] = True
                if node.args["keyword"] == "infect":
                    details["infect"] = True
    if unpreventable or any(
        node.args.get("filter") is None or ctx.matches(node.args["filter"], source)
        for node, ctx in statics.rules(game, "cant prevent")
    ):
        details["unpreventable"] = True
    obj = target if isinstance(target, Object) else None
    player = target if isinstance(target, Player) else None
    return Event("damage", obj, player, amount=amount, source=source, details=details)


def lethal(game: Game, obj: Object, source: Object | None, already: int = 0) -> int:
    """How much damage is lethal for an attacker's assignment (CR 702.19b, 510.1)."""
    ch = layers.of(game, obj)
    if "Planeswalker" in ch.types and "Creature" not in ch.types:
        return max(0, objects.counters(obj, "loyalty") - already)
    need = max(0, lethal_number(game, obj, ch) - obj.damage - already)
    if source is not None and layers.of(game, source).has("deathtouch"):
        return min(need, max(0, 1 - already))  # CR 702.2c
    return need


def lethal_number(game: Game, obj: Object, ch: Characteristics) -> int:
    """How much damage destroys a creature (CR 704.5g): its toughness, or as effects say its power."""
    for node, ctx in statics.rules(game, "lethal by power"):
        if ctx.matches(node.args["filter"], obj):
            return max(1, ch.power or 0)
    return ch.toughness or 0


def results(game: Game, dealt: Event) -> list[Event]:
    """The damage event and what it results in, all at once (CR 120.3, 120.4)."""
    made: list[Event] = [dealt]
    game.trace.cite("120.4d")
    amount, details, source = dealt.amount, dealt.details, dealt.source
    target = dealt.about
    by = source.controller if source is not None else None
    cause = "combat damage" if details.get("combat") else ""  # no effect puts counters then (CR 510.2, 609.1)
    if isinstance(target, Player):
        if details.get("infect"):
            made.append(
                Event(
                    "counters",
                    player=target,
                    amount=amount,
                    cause=cause,
                    details={"kind": "poison"},
                    by=by,
                    rules=("120.3b",),
                )
            )
        else:
            made.append(
                Event(
                    "lose life",
                    player=target,
                    amount=amount,
                    cause="damage",
                    source=source,
                    rules=("120.3a",),
                )
            )
        if details.get("toxic"):
            made.append(
                Event(
                    "counters",
                    player=target,
                    amount=details["toxic"],
                    cause=cause,
                    details={"kind": "poison"},
                    by=by,
                    rules=("120.3g",),
                )
            )
    elif isinstance(target, Object):
        ch = layers.of(game, target)
        if "Planeswalker" in ch.types:
            made.append(Event("remove counters", target, amount=amount, details={"kind": "loyalty"}, rules=("120.3c",)))
        if "Battle" in ch.types:
            made.append(Event("remove counters", target, amount=amount, details={"kind": "defense"}, rules=("120.3h",)))
        if "Creature" in ch.types and details.get("wither"):
            kind = {"kind": "-1/-1"}
            made.append(Event("counters", target, amount=amount, cause=cause, details=kind, by=by, rules=("120.3d",)))
    return made


def lifelink(game: Game, final: list[Event]) -> list[Event]:
    """The life gained: one event for each source, whatever it damages at once (CR 120.3f, 702.15b, 702.15e)."""
    totals: dict[int, tuple[Object, int]] = {}
    for dealt in final:
        if dealt.kind == "damage" and dealt.details.get("lifelink") and dealt.source is not None:
            source, n = totals.get(id(dealt.source), (dealt.source, 0))
            totals[id(dealt.source)] = (source, n + dealt.amount)
    if len(totals) > 1:
        game.trace.cite("702.15e")
    return [
        Event("gain life", player=source.controller, amount=n, source=source, rules=("120.3f", "702.15b"))
        for source, n in totals.values()
    ]


def keep_above_floors(game: Game, final: list[Event]) -> None:
    """Effects that keep damage from reducing a life total below a number look at the whole event (CR 120.4d)."""
    for node, ctx in statics.rules(game, "life floor"):
        least = ctx.amount(node.args["n"])
        for player in ctx.players(node.args["who"]):
            losses = [e for e in final if e.kind == "lose life" and e.cause == "damage" and e.player is player]
            if not losses or player.life < least:
                continue
            gained = sum(e.amount for e in final if e.kind == "gain life" and e.player is player)
            allowed = player.life + gained - least
            for event in losses:
                event.amount = min(event.amount, max(0, allowed))
                allowed -= event.amount
