"""Faults of state-based actions (CR 704)."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from judgecall.oracle import choices, events, inherent, objects, state_based
from judgecall.oracle.events import Event
from judgecall.oracle.faults.gallery import Mend, fault, patch, wrap
from judgecall.oracle.state import NOTHING

__all__: list[str] = []


@fault("legend-rule-takes-all", "704.5j", "All legendary permanents with the same name are put into the graveyard.")
def takes_all() -> Mend:
    return _keeping(lambda options: [])


def _keeping(kept: Any) -> Mend:
    """What the legend rule keeps is settled without a choice."""

    def wrong(right: Any, game: Any, rows: Any, made: Any) -> Any:
        undo = wrap(choices, "pick", lambda pick, game, player, options, *rest: kept(list(options)) or [None])
        try:
            return right(game, rows, made)
        finally:
            undo()

    return wrap(state_based, "_legends", wrong)


@fault(
    "legend-rule-keeps-the-oldest",
    "704.5j",
    "Of legendary permanents with the same name the oldest stays, without a choice.",
)
def keeps_the_oldest() -> Mend:
    return _keeping(lambda options: [min(options, key=lambda thing: thing.stamp)])


@fault("legend-rule-ignored", "704.5j", "A player may control several legendary permanents with the same name.")
def legend_rule_ignored() -> Mend:
    return patch(state_based, "_legends", lambda game, rows, made: [])


@fault(
    "legend-rule-for-the-whole-table", "704.5j", "Legendary permanents with the same name clash whoever controls them."
)
def whole_table() -> Mend:
    def wrong(right: Any, game: Any, rows: Any, made: Any) -> Any:
        found = right(game, rows, made)
        groups: dict[str, list[Any]] = {}
        for obj, ch in rows:
            if "Legendary" in ch.supertypes and ch.name:
                groups.setdefault(ch.name, []).append(obj)
        for things in groups.values():
            if len({thing.controller.name for thing in things}) > 1:
                newest = max(things, key=lambda thing: thing.stamp)
                found.extend(state_based._gone(thing, "704.5j") for thing in things if thing is not newest)
        return found

    return wrap(state_based, "_legends", wrong)


@fault(
    "planeswalkers-without-loyalty-stay", "704.5i", "A planeswalker without loyalty counters stays on the battlefield."
)
def without_loyalty_stay() -> Mend:
    return _other_without("704.5i")


@fault("battles-without-defense-stay", "704.5v", "A battle without defense counters stays on the battlefield.")
def without_defense_stay() -> Mend:
    return _other_without("704.5v")


def _other_without(rule: str) -> Mend:
    def wrong(right: Any, *given: Any) -> Any:
        return [event for event in right(*given) if rule not in event.rules]

    return wrap(state_based, "_other", wrong)


@fault(
    "auras-stay-on-what-they-cannot-enchant",
    "704.5m",
    "An Aura that is attached to nothing legal stays on the battlefield.",
)
def auras_stay() -> Mend:
    return _attachments_without("704.5m")


@fault("equipment-stays-on-noncreatures", "704.5n", "Equipment stays attached to what is no creature any more.")
def equipment_stays() -> Mend:
    return _attachments_without("704.5n")


def _attachments_without(rule: str) -> Mend:
    def wrong(right: Any, *given: Any) -> Any:
        return [event for event in right(*given) if rule not in event.rules]

    return wrap(state_based, "_attachments", wrong)


@fault(
    "equipment-goes-down-with-its-creature",
    "704.5n",
    "Equipment on nothing legal is put into the graveyard like an Aura.",
)
def goes_down() -> Mend:
    def wrong(right: Any, game: Any, rows: Any) -> Any:
        found = right(game, rows)
        fallen = [event.obj for event in found if "704.5n" in event.rules]
        fallen += [obj for obj, ch in rows if "Equipment" in ch.subtypes and getattr(obj.attached_to, "gone", False)]
        kept = [event for event in found if event.obj not in fallen]
        return [*kept, *(state_based._gone(obj, "704.5n") for obj in fallen)]

    return wrap(state_based, "_attachments", wrong)


@fault("auras-come-off-like-equipment", "704.5m", "An Aura on nothing legal becomes unattached and stays.")
def come_off() -> Mend:
    def wrong(right: Any, game: Any, rows: Any) -> Any:
        return [
            Event("unattach", event.obj, details={"from": event.obj.attached_to})
            if event.kind == "move" and event.obj.attached_to is not None
            else event
            for event in right(game, rows)
            if event.kind != "move" or event.obj.attached_to is not None
        ]

    return wrap(state_based, "_attachments", wrong)


@fault("spell-copies-stay", "704.5e", "A copy of a spell that leaves the stack stays in the zone that it goes to.")
def spell_copies_stay() -> Mend:
    return _staying("copy")


@fault("tokens-stay-in-other-zones", "704.5d", "A token that leaves the battlefield stays in the zone that it goes to.")
def tokens_stay() -> Mend:
    return _staying("token")


def _staying(kind: str) -> Mend:
    def wrong(right: Any, game: Any) -> bool:
        aside = []
        zones = [game.exile, game.command, *(z for p in game.players for z in (p.hand, p.graveyard, p.library))]
        for obj in (obj for zone in zones for obj in zone):
            if obj.kind == kind:
                aside.append(obj)
                obj.kind = "card"
        try:
            return bool(right(game))
        finally:
            for obj in aside:
                obj.kind = kind

    return wrap(state_based, "_vanish", wrong)


@fault("losing-waits-for-the-turn", "704.5a", "A player with no life left loses only when the turn ends.")
def losing_waits() -> Mend:
    def wrong(right: Any, game: Any) -> Any:
        return [pair for pair in right(game) if pair[1] != "704.5a" or game.step == "cleanup"]

    return wrap(state_based, "_losing", wrong)


@fault(
    "each-reason-to-lose-counts",
    "704.7",
    "A player with two reasons to lose loses twice, so that one replacement is not enough.",
)
def each_reason_counts() -> Mend:
    def wrong(right: Any, game: Any) -> Any:
        found = right(game)
        more = [(player, "704.5b") for player, rule in found if rule == "704.5a" and player.drew_from_empty]
        return [*found, *more]

    return wrap(state_based, "_losing", wrong)


@fault(
    "counters-cancel-before-dying",
    "704.8",
    "What a creature was like when it died is taken after its counters have cancelled.",
)
def cancel_before_dying() -> Mend:
    def wrong(right: Any, game: Any) -> bool:
        for obj in game.battlefield:
            n = min(objects.counters(obj, "+1/+1"), objects.counters(obj, "-1/-1"))
            if n:
                gone = [Event("remove counters", obj, amount=n, details={"kind": k}) for k in ("+1/+1", "-1/-1")]
                events.happen(game, gone)
        return bool(right(game))

    return wrap(state_based, "check", wrong)


@fault("counters-do-not-cancel", "704.5q", "Counters of +1/+1 and of -1/-1 stay beside each other on a permanent.")
def do_not_cancel() -> Mend:
    return patch(state_based, "_counters", lambda rows: [])


@fault("creatures-stay-attached", "704.5p", "An Aura or Equipment that has become a creature stays attached.")
def creatures_stay_attached() -> Mend:
    return _stays_attached(creature=True)


@fault(
    "noncreatures-stay-attached", "704.5p", "A permanent that is neither Aura nor Equipment any more stays attached."
)
def noncreatures_stay_attached() -> Mend:
    return _stays_attached(creature=False)


def _stays_attached(creature: bool) -> Mend:
    def wrong(right: Any, game: Any, rows: Any) -> Any:
        spared = [obj for obj, ch in rows if ("Creature" in ch.types) is creature]
        return [event for event in right(game, rows) if "704.5p" not in event.rules or event.obj not in spared]

    return wrap(state_based, "_attachments", wrong)


@fault(
    "zero-toughness-is-destruction",
    "704.5f",
    "A creature with toughness 0 is destroyed, so that it may be regenerated or indestructible.",
)
def is_destruction() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, ch: Any) -> Any:
        made = right(game, obj, ch)
        return [Event("destroy", obj, obj.controller) if "704.5f" in event.rules else event for event in made]

    return wrap(state_based, "_creature", wrong)


@fault(
    "indestructible-withstands-the-legend-rule",
    "704.5j",
    "The legend rule destroys, so that it puts no permanent with indestructible into a graveyard.",
)
def withstands_the_legend_rule() -> Mend:
    def wrong(right: Any, game: Any, rows: Any, made: Any) -> Any:
        return [Event("destroy", event.obj, event.obj.controller) for event in right(game, rows, made)]

    return wrap(state_based, "_legends", wrong)


@fault(
    "failed-draws-of-a-check-forgotten",
    "704.5b",
    "A draw from an empty library that is made while state-based actions are performed does not count afterward.",
)
def failed_draws_forgotten() -> Mend:
    def wrong(right: Any, game: Any) -> Any:
        acted = right(game)
        for player in game.players:
            if player.drew_from_empty:
                game.write(player, "drew_from_empty", False)
        return acted

    return wrap(state_based, "check", wrong)


@fault(
    "a-loss-once-replaced-is-spent",
    "704.3",
    "A reason to lose the game that has been met with once, and replaced, is no reason again.",
)
def once_replaced() -> Mend:
    def wrong(right: Any, game: Any) -> Any:
        found = [(player, rule) for player, rule in right(game) if not player.flags.get(f"met {rule}")]
        for player, rule in found:
            game.write(player, "flags", MappingProxyType({**player.flags, f"met {rule}": True}))
        return found

    return wrap(state_based, "_losing", wrong)


@fault("no-speed-at-the-start", "704.5z", "Nobody's engines start: a speed is had only where something raises it.")
def no_speed() -> Mend:
    return patch(state_based, "_speeds", lambda game, rows: [])


@fault("speed-in-any-turn", "702.179d", "A player's speed also rises in other players' turns.")
def speed_in_any_turn() -> Mend:
    def wrong(right: Any, game: Any, events: Any) -> Any:
        for player in game.in_game():
            lost = any(e.kind == "lose life" and e.player in game.opponents(player) for e in events)
            if lost and 0 < inherent.speed(player) < inherent.MAX_SPEED:
                yield player, inherent._faster(), NOTHING

    return wrap(inherent, "triggered", wrong)


@fault("speed-rises-again", "702.179d", "A player's speed rises each time that an opponent loses life in the turn.")
def speed_rises_again() -> Mend:
    def wrong(right: Any, game: Any, events: Any) -> Any:
        found = list(right(game, events))
        notes = {key: value for key, value in game.active.notes.items() if key != inherent._NOTE}
        game.write(game.active, "notes", notes)
        return found

    return wrap(inherent, "triggered", wrong)


@fault("speed-goes-with-its-source", "702.179b", "Who controls no permanent with start your engines! has no speed.")
def speed_goes() -> Mend:
    def wrong(right: Any, game: Any, rows: Any) -> Any:
        starting = {ch.controller for _, ch in rows if ch.has("start your engines!")}
        for player in game.in_game():
            if player not in starting and player.flags.get("speed"):
                game.write(player, "flags", {key: v for key, v in player.flags.items() if key != "speed"})
        return right(game, rows)

    return wrap(state_based, "_speeds", wrong)
