"""Faults of turning permanents face up (CR 708.7–8, 116.2b, 701.40b–g, 702.37)."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from judgecall.oracle import applying, combat, entering, events, face_down, layers, objects, triggers, turn
from judgecall.oracle.agents import Refused
from judgecall.oracle.candidates import Candidate
from judgecall.oracle.definitions import Activated, Body, Cost, Enters, Node
from judgecall.oracle.faults.gallery import Mend, fault, pretending, together, wrap, wrap_item, wrap_word
from judgecall.oracle.state import NOTHING
from judgecall.oracle.vocabulary.context import Context

__all__: list[str] = []


def _after_turning_up(more: Any) -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> None:
        right(game, event)
        if event.details["what"] == "up":
            more(game, event.obj)

    return wrap_item(applying.APPLY, "face", wrong)


@fault(
    "turning-up-sheds-damage-and-counters",
    "708.8",
    "A permanent that is turned face up loses its damage and its counters.",
)
def sheds_damage_and_counters() -> Mend:
    def shed(game: Any, obj: Any) -> None:
        game.write(obj, "damage", 0)
        game.write(obj, "counters", NOTHING)

    return _after_turning_up(shed)


@fault(
    "turning-up-ends-effects", "708.8", "Effects that applied to a face-down permanent end when it is turned face up."
)
def ends_effects() -> Mend:
    def end(game: Any, obj: Any) -> None:
        kept = tuple(
            effect
            for effect in game.effects
            if not (effect.affected and any(thing is obj for thing in effect.affected) and effect.ends == "end of turn")
        )
        game.write(game, "effects", kept)

    return _after_turning_up(end)


@fault("turning-up-sheds-attachments", "708.8", "Auras and Equipment come off a permanent that is turned face up.")
def sheds_attachments() -> Mend:
    def shed(game: Any, obj: Any) -> None:
        for other in game.battlefield:
            if other.attached_to is obj:
                game.write(other, "attached_to", None)

    return _after_turning_up(shed)


@fault(
    "turning-up-dodges-targeting",
    "708.8",
    "Spells that target a face-down permanent lose that target when it is turned face up.",
)
def dodges_targeting() -> Mend:
    def dodge(game: Any, obj: Any) -> None:
        for item in game.stack:
            kept = tuple(tuple(thing for thing in group if thing is not obj) for group in item.targets)
            game.write(item, "targets", kept)

    return _after_turning_up(dodge)


@fault("turning-up-untaps", "708.8", "A permanent that is turned face up becomes untapped.")
def untaps() -> Mend:
    return _after_turning_up(lambda game, obj: game.write(obj, "tapped", False))


@fault("turning-up-leaves-combat", "708.8", "A creature that is turned face up is removed from combat.")
def leaves_combat() -> Mend:
    return _after_turning_up(combat.remove)


@fault(
    "turning-up-brings-summoning-sickness",
    "708.8",
    "A creature that is turned face up is treated as though it had just come.",
)
def brings_summoning_sickness() -> Mend:
    return _after_turning_up(lambda game, obj: game.write(obj, "control_stamp", game.stamp()))


def entering_again(what: frozenset[str]) -> Mend:
    """Turning over in these ways is taken for entering the battlefield by triggered abilities."""

    def wrong(right: Any, game: Any, made: Any) -> Any:
        done = right(game, made)
        entered = [
            events.Event("move", event.obj, to="battlefield", new=event.obj, origin="library", cause="turned")
            for event in done
            if event.kind == "face" and event.details["what"] in what
        ]
        if entered:
            triggers.note(game, entered, None)
        return done

    return wrap(events, "happen", wrong)


@fault("turning-up-is-entering", "708.8", "Turning a permanent face up triggers abilities that wait for it to enter.")
def is_entering() -> Mend:
    return entering_again(frozenset({"up"}))


@fault(
    "as-enters-on-turning-over",
    "614.12",
    "What a permanent does as it enters, such as copying, it does as it turns face up or transforms too.",
)
def as_enters_on_turning_over() -> Mend:
    def wrong(right: Any, game: Any, event: Any, found: Any) -> None:
        right(game, event, found)
        obj = event.obj
        with pretending(
            game,
            (obj, "face_down", None),
            (obj, "face", event.details.get("face", obj.face)),
        ):
            ch = layers.of(game, obj)
            gathered = [(a, held) for a, held in ch.each(Enters) if "enter" in a.on and a.affects is None]
        for ability, held in gathered:
            ctx = Context(game, obj.controller, obj, event={"that": obj})
            key = (obj.id, id(ability), held.stamp)
            found.append(Candidate(key, obj, 4, entering._enter(game, ability, ctx), ("enters",)))

    return wrap(entering, "effects_on_turning", wrong)


@fault(
    "turned-up-triggers-missed", "708.8", "Abilities that trigger when a permanent is turned face up do not trigger."
)
def triggers_missed() -> Mend:
    return wrap_word("trigger", "turned face up", lambda right, *given, **named: None)


@fault("as-turned-up-missed", "614.1e", "What a permanent says happens as it is turned face up does not happen.")
def as_turned_up_missed() -> Mend:
    def wrong(right: Any, game: Any, event: Any, found: Any) -> None:
        if event.details["what"] != "up":
            right(game, event, found)

    return wrap(entering, "effects_on_turning", wrong)


# -- the special action --------------------------------------------------------------------------------------


@fault(
    "turning-up-at-sorcery-speed", "116.2b", "A permanent is turned face up only when its player could cast a sorcery."
)
def at_sorcery_speed() -> Mend:
    def wrong(right: Any, game: Any, player: Any, *rest: Any) -> None:
        if game.active is not player or not turn.is_main(game) or game.stack:
            raise Refused("only when a sorcery could be cast", "116.2b", "permission")
        right(game, player, *rest)

    return wrap(face_down, "special_action", wrong)


@fault(
    "split-second-stops-turning-up",
    "702.61b",
    "Nobody may turn a permanent face up while a spell with split second waits.",
)
def split_second_stops_it() -> Mend:
    def wrong(right: Any, game: Any, player: Any, *rest: Any) -> None:
        if any(item.kind != "ability" and layers.of(game, item).has("split second") for item in game.stack):
            raise Refused("split second", "702.61a", "permission")
        right(game, player, *rest)

    return wrap(face_down, "special_action", wrong)


@fault("anyone-turns-face-up", "708.7", "Any player may turn a face-down permanent face up.")
def anyone() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, *rest: Any) -> None:
        with pretending(game, (obj, "controller", player)):
            right(game, player, obj, *rest)

    return wrap(face_down, "_turn", wrong)


def _ways(change: Any) -> Mend:
    return wrap(face_down, "_ways", lambda right, game, obj: change(right(game, obj), game, obj))


@fault(
    "manifest-ignores-morph", "701.40c", "A manifested card with morph can be turned face up for its mana cost alone."
)
def ignores_morph() -> Mend:
    def change(found: Any, game: Any, obj: Any) -> Any:
        put = obj.face_down in face_down.MANIFESTED
        return [way for way in found if not put or way[0] == "mana cost"]

    return _ways(change)


def _mana_cost_way(obj: Any) -> Any:
    cost = objects.base_values(obj).whole.mana_cost
    return ("mana cost", Cost(cost or ()), "701.40b")


@fault(
    "morph-creature-for-its-mana-cost",
    "702.37e",
    "A creature that was cast face down may be turned up for its mana cost.",
)
def for_its_mana_cost() -> Mend:
    def change(found: Any, game: Any, obj: Any) -> Any:
        cast = obj.face_down in ("morph", "megamorph", "disguise")
        return [*found, _mana_cost_way(obj)] if cast else found

    return _ways(change)


@fault(
    "any-manifested-card-for-its-mana-cost",
    "701.40b",
    "A manifested card that is no creature card may be turned up too.",
)
def any_manifested_card() -> Mend:
    def change(found: Any, game: Any, obj: Any) -> Any:
        whole = objects.base_values(obj).whole
        if obj.face_down in face_down.MANIFESTED and "Creature" not in whole.types and whole.mana_cost is not None:
            return [*found, _mana_cost_way(obj)]
        return found

    return _ways(change)


@fault(
    "no-mana-cost-turns-up-for-nothing",
    "118.6",
    "A manifested creature card without a mana cost is turned face up for {0}.",
)
def for_nothing() -> Mend:
    def change(found: Any, game: Any, obj: Any) -> Any:
        whole = objects.base_values(obj).whole
        if obj.face_down in face_down.MANIFESTED and "Creature" in whole.types and whole.mana_cost is None:
            return [*found, _mana_cost_way(obj)]
        return found

    return _ways(change)


@fault(
    "morph-survives-ability-loss",
    "702.37e",
    "A face-down permanent may be turned up for its morph or disguise cost though it would have lost that ability.",
)
def survives_ability_loss() -> Mend:
    def change(found: Any, game: Any, obj: Any) -> Any:
        named = [way[0] for way in found]
        printed = [
            (ability.keyword, ability.value, "702.37e")
            for ability in objects.base_values(obj).whole.abilities
            if ability.keyword in ("morph", "megamorph", "disguise") and ability.keyword not in named
        ]
        return [*found, *printed]

    return _ways(change)


@fault(
    "manifest-judged-by-effects",
    "701.40b",
    "A manifested card is turned up only if, with all effects, it would be a creature that has its abilities.",
)
def judged_by_effects() -> Mend:
    def change(found: Any, game: Any, obj: Any) -> Any:
        with pretending(game, (obj, "face_down", None)):
            ch = layers.of(game, obj)
            fine = "Creature" in ch.types and (bool(ch.abilities) or not objects.under(game, obj).abilities)
        return [way for way in found if way[0] != "mana cost" or fine]

    return _ways(change)


@fault(
    "instant-turns-face-up",
    "701.40g",
    "A manifested instant or sorcery card that an effect turns face up stays there face up.",
)
def instant_turns_up() -> Mend:
    def wrong(right: Any, game: Any, things: Any, x: int = 0, *counters: Any) -> Any:
        hidden = [thing for thing in things if thing.face_down is not None and not thing.gone]
        spells = [thing for thing in hidden if {"Instant", "Sorcery"} & set(objects.base_values(thing).whole.types)]
        right(game, [thing for thing in things if thing not in spells], x, *counters)
        events.happen(game, [events.Event("face", thing, details={"what": "up", "x": x}) for thing in spells])
        return hidden

    return wrap(face_down, "turn_up", wrong)


@fault(
    "instant-kept-secret",
    "701.40g",
    "A manifested instant or sorcery card that would be turned face up is not even shown.",
)
def instant_kept_secret() -> Mend:
    def wrong(right: Any, game: Any, things: Any, x: int = 0, *counters: Any) -> Any:
        hidden = {thing: thing.revealed_to for thing in things}
        done = right(game, things, x, *counters)
        for thing, seen in hidden.items():
            if thing.face_down is not None:
                game.write(thing, "revealed_to", seen)
        return done

    return wrap(face_down, "turn_up", wrong)


@fault("megamorph-without-counter", "702.37b", "A permanent turned up for its megamorph cost gets no +1/+1 counter.")
def without_counter() -> Mend:
    def wrong(right: Any, game: Any, things: Any, x: int = 0, *counters: Any) -> Any:
        return right(game, things, x)

    return wrap(face_down, "turn_up", wrong)


@fault(
    "megamorph-counter-for-any-cost",
    "702.37b",
    "A card with megamorph gets the +1/+1 counter however it is turned face up.",
)
def counter_for_any_cost() -> Mend:
    def wrong(right: Any, game: Any, things: Any, x: int = 0, *counters: Any) -> Any:
        if any(a.keyword == "megamorph" for thing in things for a in objects.base_values(thing).whole.abilities):
            counters = ({"+1/+1": 1},)
        return right(game, things, x, *counters)

    return wrap(face_down, "turn_up", wrong)


@fault("x-lost-on-turning-up", "702.37f", "The X that was paid to turn a permanent face up is 0 for its abilities.")
def x_lost() -> Mend:
    def wrong(right: Any, game: Any, things: Any, x: int = 0, *counters: Any) -> Any:
        return right(game, things, 0, *counters)

    return wrap(face_down, "turn_up", wrong)


@fault(
    "turning-up-uses-the-stack",
    "116.1",
    "Turning a permanent face up is an action that opponents may answer before it happens.",
)
def uses_the_stack() -> Mend:
    waiting: list[Any] = []

    def special(right: Any, game: Any, player: Any, obj: Any, *rest: Any) -> None:
        waiting.append(True)
        try:
            right(game, player, obj, *rest)
        finally:
            waiting.pop()

    def turn_up(right: Any, game: Any, things: Any, *rest: Any) -> Any:
        if not waiting:
            return right(game, things, *rest)
        for thing in things:
            item = game.new_object("ability", thing.controller, "stack")
            item.controller = item.holder = thing.controller
            item.source = thing
            item.ability = _turning_up_ability()
            game.write(game, "stack", (*game.stack, item))
        return []

    return together(wrap(face_down, "special_action", special), wrap(face_down, "turn_up", turn_up))


def _turning_up_ability() -> Activated:
    what = Node("turn face up", MappingProxyType({"what": Node("this", NOTHING)}))
    return Activated(body=Body((what,)))
