"""The one door: everything that happens to the state passes here.

An event says what changes; a list of them happens at once. Replacement and prevention effects have their say
(CR 614–616), last known information is taken, the changes are made, the trace notes the rules, and abilities that
trigger are noted (CR 603.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from judgecall.oracle import alone, applying, describing, history, layers, preventing, replacement, shuffling, triggers
from judgecall.oracle.describing import label
from judgecall.oracle.state import Game, Object, Player

__all__ = ["Event", "align", "happen", "label", "move"]


@dataclass(slots=True, eq=False)
class Event:
    """Something that would happen, or did.

    ``kind`` names it; ``obj`` and ``player`` are what it happens to, ``source`` what makes it happen, ``by`` who.
    ``to`` and ``position`` are for moves, ``details`` for the rest. ``new`` is what a moved card becomes.
    """

    kind: str
    obj: Object | None = None
    player: Player | None = None
    amount: int = 0
    to: str = ""
    position: Any = None
    cause: str = ""
    source: Object | None = None
    by: Player | None = None
    details: dict[str, Any] = field(default_factory=dict)
    applied: frozenset[Any] = frozenset()
    new: Object | None = None
    rules: tuple[str, ...] = ()
    origin: str = ""
    """The zone that a moved object was in."""

    def but(self, **changes: Any) -> Event:
        """The same event, changed."""
        made = replace(self, **changes)
        if "details" not in changes:
            made.details = dict(self.details)
        return made

    @property
    def about(self) -> Any:
        """What it happens to."""
        return self.obj if self.obj is not None else self.player


def move(
    obj: Object,
    to: str,
    *,
    position: Any = None,
    cause: str = "",
    source: Object | None = None,
    by: Player | None = None,
    rules: tuple[str, ...] = (),
    **details: Any,
) -> Event:
    """An object changes zones (CR 400.7)."""
    return Event(
        "move", obj, obj.owner, to=to, position=position, cause=cause, source=source, by=by, rules=rules,
        details=details,
    )  # fmt: skip


def happen(game: Game, events: Iterable[Event]) -> list[Event]:
    """Let things happen at once. Returns what did happen, after all replacement."""
    final: list[Event] = []
    events = [event for event in events if not _for_who_left(game, event)]
    hurting = any(event.kind == "damage" for event in events)
    outer_damage = preventing.open_batch(game, events) if hurting else None
    arriving = frozenset(e.obj.id for e in events if e.kind == "move" and e.to == "battlefield" and e.obj is not None)
    if arriving:
        # CR 614.13a: what enters at the same time cannot be chosen for another's replacement effect.
        outer = game.fresh.get("entering", frozenset())
        game.write(game, "fresh", MappingProxyType({**game.fresh, "entering": outer | arriving}))
    for event in events:
        final.extend(replacement.settle(game, event))
        if event.kind == "damage":
            preventing.settled(game, event)
    if hurting:
        preventing.afterward(game, outer_damage)  # CR 120.4b: before the damage has its results
    from judgecall.oracle import entering

    entering.use_up(game)
    if arriving:
        game.write(game, "fresh", MappingProxyType({**game.fresh, "entering": outer}))
    if not final:
        return final
    if any(event.kind == "damage" for event in final):
        from judgecall.oracle import damage

        for gain in damage.lifelink(game, final):
            final.extend(replacement.settle(game, gain))
        damage.keep_above_floors(game, final)
    final = [event for event in final if _possible(game, event)]
    final = _arranged(game, final)
    before = triggers.watchers(game) if any(_leaves(event) for event in final) else None
    for event in final:
        if event.kind == "move" and event.obj is not None:
            event.origin = event.obj.zone
            game.write(event.obj, "lki", layers.of(game, event.obj))
            alone.note(game, event.obj)
            attached = tuple(other for other in game.battlefield if other.attached_to is event.obj)
            if attached:
                game.write(event.obj, "linked", MappingProxyType({**event.obj.linked, "attachments": attached}))
    for event in final:
        applying.APPLY[event.kind](game, event)
    final.extend(Event("shuffle", player=player) for player in shuffling.shuffle_in(game, final))
    align(game)
    for event in final:
        describing.describe(game, event)
    history.record(game, final)
    noticed = [*final, *_entered_with(final)]
    triggers.note(game, noticed, before)
    triggers.state_triggers(game)
    for event in final:
        if event.cause == "draw" and event.kind == "move":
            _reveal_drawn(game, event)
    from judgecall.oracle import lasting

    if before is not None or lasting.conditional(game):
        lasting.source_left(game)
    return final


def happen_at_once(game: Game, events: list[Event]) -> list[Event]:
    """Like `happen`, where a replacement effect may move what another of the events moves too (CR 400.6)."""
    pending = {
        event.obj.id: event.to or "graveyard"
        for event in events
        if event.obj is not None and event.kind in ("move", "destroy", "sacrifice")
    }
    game.write(game, "fresh", MappingProxyType({**game.fresh, "pending": pending}))
    # What may be replaced by something else comes first, so that the rest is still there to choose from.
    ordered = sorted(events, key=lambda event: event.kind != "lost")
    done = happen(game, ordered)
    game.write(game, "fresh", MappingProxyType({k: v for k, v in game.fresh.items() if k != "pending"}))
    return done


def contested(game: Game, obj: Object, to: str, by: Object | None) -> bool:
    """Whether the controller of an object that two things would move at once lets this one (CR 400.6)."""
    other = game.fresh.get("pending", {}).get(obj.id)
    if other is None or other == to:
        return True
    game.trace.cite("400.6")
    from judgecall.oracle.agents import Question

    question = Question(obj.controller, "replacement", "where it goes", (by, other), 1, 1, obj)
    return game.agent.decide(question) is by


def _arranged(game: Game, final: list[Event]) -> list[Event]:
    """What replacement effects put into one place of a library at once, in its owner's order (CR 401.4)."""
    groups: dict[tuple[str, bool], list[Event]] = {}
    for event in final:
        if event.kind != "move" or event.to != "library" or not event.applied or event.cause == "put":
            continue  # what an effect puts there itself, it has arranged
        if event.obj is None or event.obj.kind == "token" or event.details.get("shuffle after"):
            continue
        if event.position in (None, "top", "bottom"):
            groups.setdefault((event.obj.owner.name, event.position == "bottom"), []).append(event)
    for (_, bottom), group in groups.items():
        if len(group) > 1:
            things = [event.obj for event in group if event.obj is not None]
            from judgecall.oracle import choices

            game.trace.cite("401.4")
            alike = len({thing.card.definition for thing in things if thing.card is not None}) == 1
            ordered = choices.order(game, things[0].owner, things, "the order in the library", same=alike)
            if not bottom:
                ordered.reverse()  # the first named ends up on top
            again = iter(sorted(group, key=lambda event: next(n for n, o in enumerate(ordered) if o is event.obj)))
            final = [next(again) if any(event is other for other in group) else event for event in final]
    return final


def _reveal_drawn(game: Game, event: Event) -> None:
    """Effects that reveal the first cards drawn each turn (CR 603.11)."""
    from judgecall.oracle import statics

    new = event.new
    assert new is not None
    for node, ctx in statics.rules(game, "reveal drawn"):
        if new.owner in ctx.players(node.args["who"]) and new.owner.drawn <= ctx.amount(node.args["n"]):
            happen(game, [Event("reveal", new, source=ctx.this, cause="drawn")])


def _entered_with(final: Sequence[Event]) -> list[Event]:
    """Counters that permanents entered with have been put on them (CR 122.6a)."""
    return [
        Event("counters", event.new, amount=n, details={"kind": kind}, by=event.new.controller)
        for event in final
        if event.kind in ("move", "token") and event.new is not None and event.to == "battlefield"
        for kind, n in event.details.get("counters", {}).items()
        if n > 0
    ]


def _leaves(event: Event) -> bool:
    return event.kind in ("move", "phase out", "leave game", "face", "unattach", "countered", "control")


def _for_who_left(game: Game, event: Event) -> bool:
    """Nothing is created or put anywhere under the control of a player who has left the game (CR 800.4b, 800.4d)."""
    player = None
    if event.kind == "create":
        player = event.player
    elif event.kind == "move" and event.to in ("battlefield", "stack") and event.obj is not None:
        player = event.details.get("controller", event.obj.owner)
    if player is None or not player.left:
        return False
    game.trace.cite("800.4b")
    return True


def _possible(game: Game, event: Event) -> bool:
    obj = event.obj
    if event.kind == "move" and obj is not None and (obj.gone or (obj.kind == "token" and obj.zone != "battlefield")):
        return False  # CR 111.8: a token that has left the battlefield can't move
    if event.kind in ("tap",) and obj is not None:
        return not obj.tapped and not obj.gone
    if event.kind == "untap" and obj is not None:
        return obj.tapped and not obj.gone
    return not (event.kind in ("counters", "remove counters") and obj is not None and obj.gone)


def align(game: Game) -> None:
    """Bring what is stored in line with the layers: the controller (CR 613.1b), and who fights (CR 506.4)."""
    abandoned: list[Object] = []
    for obj in game.battlefield:
        if obj.phased_out:
            continue
        found = layers.of(game, obj)
        if obj.attacking is not None or obj.blocking:
            from judgecall.oracle import combat

            combat.keep(game, obj, found)
        actual = found.controller
        if actual.left and actual is not obj.controller:
            abandoned.append(obj)
        elif actual is not obj.controller:
            from judgecall.oracle import combat, lasting

            combat.remove(game, obj)
            game.write(obj, "controller", actual)
            game.write(obj, "control_stamp", game.stamp())
            game.trace.add(f"{actual.name} controls {label(game, obj)}", "613.1b")
            history.record(game, [Event("control", obj, actual)])
            triggers.note(game, [Event("control", obj, actual)], None)
            lasting.control_lost(game, obj)
    if abandoned:
        happen(game, [move(obj, "exile", cause="leave", rules=("800.4c",)) for obj in abandoned])
