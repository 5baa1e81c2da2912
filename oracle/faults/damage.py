"""Faults of damage and of preventing it (CR 120, 615, 702)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from judgecall.oracle import damage, layers, preventing, protection, replacement, state_based, triggers, turn
from judgecall.oracle.faults.gallery import Mend, fault, patch, together, wrap, wrap_word
from judgecall.oracle.vocabulary import effects_replacing, replaced

__all__: list[str] = []


@fault(
    "lethal-damage-is-no-destruction",
    "704.5g",
    "A creature with lethal damage is put into the graveyard and not destroyed.",
)
def no_destruction() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, ch: Any) -> Any:
        made = right(game, obj, ch)
        return [state_based._gone(obj, "704.5g") if event.kind == "destroy" else event for event in made]

    return wrap(state_based, "_creature", wrong)


@fault("indestructible-dies-of-damage", "702.12b", "Lethal damage destroys a permanent with indestructible.")
def dies_of_damage() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> bool:
        if event.kind == "destroy" and event.obj is not None and not event.obj.gone and "704.5g" in event.rules:
            return False
        return bool(right(game, event))

    return wrap(replacement, "_forbidden", wrong)


@fault("prevented-damage-triggers", "603.2g", "Abilities that wait for damage trigger though all of it was prevented.")
def prevented_triggers() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> Any:
        done = right(game, event)
        if event.kind == "damage" and event.amount > 0 and not any(each.kind == "damage" for each in done):
            done.append(event.but(amount=0))
        return done

    return wrap(replacement, "settle", wrong)


@fault("wither-marks-damage", "120.3d", "Damage from a source with wither is marked on creatures like other damage.")
def wither_marks() -> Mend:
    def wrong(right: Any, *given: Any, **named: Any) -> Any:
        made = right(*given, **named)
        made.details.pop("wither", None)
        return made

    return wrap(damage, "event", wrong)


@fault("lifelink-ignored", "702.15b", "Damage from a source with lifelink gains nobody life.")
def lifelink_ignored() -> Mend:
    def wrong(right: Any, *given: Any, **named: Any) -> Any:
        made = right(*given, **named)
        made.details.pop("lifelink", None)
        return made

    return wrap(damage, "event", wrong)


@fault(
    "lifelink-added-up", "702.15e", "Life gained at one time from several sources with lifelink is gained in one go."
)
def lifelink_added_up() -> Mend:
    def wrong(right: Any, game: Any, made: Any, before: Any) -> None:
        merged: list[Any] = []
        for event in made:
            same = next((e for e in merged if e.kind == "gain life" and e.player is event.player), None)
            if event.kind == "gain life" and same is not None:
                merged[merged.index(same)] = same.but(amount=same.amount + event.amount)
            else:
                merged.append(event)
        right(game, merged, before)

    return wrap(triggers, "note", wrong)


@fault(
    "lifelink-for-each-that-is-damaged",
    "120.3f",
    "One source with lifelink that damages several things at one time gains its controller life several times.",
)
def for_each_that_is_damaged() -> Mend:
    def wrong(right: Any, game: Any, final: list[Any]) -> list[Any]:
        return [gain for dealt in final for gain in right(game, [dealt])]

    return wrap(damage, "lifelink", wrong)


@fault("life-floor-ignored", "120.4d", "Effects that keep damage from reducing a life total below a number do nothing.")
def floor_ignored() -> Mend:
    return patch(damage, "keep_above_floors", lambda game, final: None)


@fault("toxic-does-not-add-up", "702.164b", "Of several instances of toxic only the greatest counts.")
def does_not_add_up() -> Mend:
    def wrong(right: Any, game: Any, source: Any, *rest: Any, **named: Any) -> Any:
        made = right(game, source, *rest, **named)
        if made.details.get("toxic"):
            made.details["toxic"] = max(int(a.value) for a in layers.of(game, source).keywords()["toxic"])
        return made

    return wrap(damage, "event", wrong)


@fault("protection-lets-damage-through", "702.16e", "Protection does not prevent damage.")
def lets_damage_through() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> bool:
        if event.kind != "damage":
            return bool(right(game, event))
        undo = patch(protection, "protects", lambda *given: False)
        try:
            return bool(right(game, event))
        finally:
            undo()

    return wrap(replacement, "_forbidden", wrong)


@fault(
    "prevention-shields-shared",
    "615.10",
    "A shield that takes 1 off the damage to each creature takes 1 off all of it together.",
)
def shields_shared() -> Mend:
    spent: dict[Any, Any] = {}

    def wrong(right: Any, ctx: Any, n: Any, then: Any) -> None:
        changed = ctx.results["event"]
        key = (ctx.this.id if ctx.this is not None else 0, changed.source.id if changed.source is not None else 0)
        if n is not None and ctx.results.get("shield") is None:
            if spent.get(key) == ctx.game.turn:
                ctx.results["kept"] = True
                return
            spent[key] = ctx.game.turn
        right(ctx, n=n, then=then)

    return wrap_word("effect", "prevent it", wrong)


@fault("planeswalkers-keep-loyalty", "120.3c", "Damage does not remove loyalty counters from a planeswalker.")
def keep_loyalty() -> Mend:
    def wrong(right: Any, game: Any, dealt: Any) -> Any:
        return [e for e in right(game, dealt) if not (e.kind == "remove counters" and "120.3c" in e.rules)]

    return wrap(damage, "results", wrong)


@fault("damage-can-always-be-prevented", "615.12", "Damage that can't be prevented is prevented all the same.")
def always_prevented() -> Mend:
    def wrong(right: Any, *given: Any, **named: Any) -> Any:
        made = right(*given, **named)
        made.details.pop("unpreventable", None)
        return made

    return wrap(damage, "event", wrong)


@fault(
    "damage-wears-off-own-creatures-only",
    "514.2",
    "Damage wears off the active player's creatures alone in the cleanup step.",
)
def heals_only_own() -> Mend:
    def wrong(right: Any, game: Any) -> Any:
        hurt = [(obj, obj.damage) for obj in game.battlefield if obj.controller is not game.active]
        done = right(game)
        for obj, n in hurt:
            if not obj.gone:
                game.write(obj, "damage", n)
        return done

    return wrap(turn, "_cleanup", wrong)


@fault(
    "deathtouch-needs-lethal-damage",
    "702.2b",
    "Damage from a source with deathtouch destroys only what has lethal damage.",
)
def needs_lethal() -> Mend:
    def wrong(right: Any, *given: Any, **named: Any) -> Any:
        made = right(*given, **named)
        made.details.pop("deathtouch", None)
        return made

    return wrap(damage, "event", wrong)


@fault(
    "life-floor-per-loss",
    "120.4d",
    "An effect that keeps life from falling too low takes no account of life gained at the same time.",
)
def floor_per_loss() -> Mend:
    def wrong(right: Any, game: Any, final: Any) -> None:
        right(game, [event for event in final if event.kind != "gain life"])

    return wrap(damage, "keep_above_floors", wrong)


@fault(
    "unpreventable-drops-the-rest",
    "615.12",
    "A prevention effect does nothing else either to damage that can't be prevented.",
)
def drops_the_rest() -> Mend:
    return patch(replacement, "_does_more", lambda ability: False)


@fault(
    "unpreventable-spares-shield-counters",
    "122.1c",
    "Damage that can't be prevented removes no shield counter.",
)
def spares_shield_counters() -> Mend:
    def wrong(right: Any, game: Any, event: Any, obj: Any) -> Any:
        return [event] if event.details.get("unpreventable") else right(game, event, obj)

    return wrap(replacement, "_shield", wrong)


@fault(
    "shield-counters-replace-any-destruction",
    "122.1c",
    "A shield counter also saves a permanent that state-based actions would destroy.",
)
def replace_any_destruction() -> Mend:
    def wrong(right: Any, game: Any, event: Any, found: Any) -> None:
        right(game, event.but(rules=()) if event.kind == "destroy" else event, found)

    return wrap(replacement, "_game_rules", wrong)


@fault(
    "prevention-answers-each-source",
    "615.13",
    "What a prevention effect does besides, it does for each source whose damage it prevents at the same time.",
)
def answers_each_source() -> Mend:
    def wrong(right: Any, game: Any, made: Any) -> None:
        right(game, replace(made, key=object()) if made.used is None else made)

    return wrap(preventing, "remember", wrong)


@fault(
    "next-damage-prevented-for-one",
    "615.8",
    "An effect that prevents a source's next damage is used up by the first of all that it would damage at once.",
)
def prevented_for_one() -> Mend:
    def wrong(right: Any, game: Any, made: Any) -> None:
        right(game, made)
        if made.used is not None:
            game.write(game, "effects", tuple(other for other in game.effects if other is not made.used))

    return wrap(preventing, "remember", wrong)


@fault(
    "shields-prevent-what-comes-first",
    "615.7",
    "A shield against a number of damage prevents that of the first source, and of the next only what is left.",
)
def prevents_what_comes_first() -> Mend:
    return wrap(preventing, "share", lambda right, ctx, effect, event, left: min(event.amount, left))


@fault(
    "shields-are-whole-for-each-source",
    "615.7",
    "A shield against a number of damage prevents so much of the damage of each source that deals it at once.",
)
def whole_for_each_source() -> Mend:
    def wrong(right: Any, ctx: Any, player: Any, amounts: Any, left: int, same: bool) -> Any:
        return {thing: min(n, left) for thing, n in amounts.items()}

    return together(
        wrap(preventing, "_divided", wrong), patch(effects_replacing, "_shrink", lambda ctx, effect, left: None)
    )


@fault(
    "who-makes-a-shield-chooses",
    "615.7",
    "Which damage a shield prevents is chosen by its maker, and not by the player or the controller it shields.",
)
def maker_chooses() -> Mend:
    def wrong(right: Any, ctx: Any, player: Any, amounts: Any, left: int, same: bool) -> Any:
        return right(ctx, ctx.you, amounts, left, same)

    return wrap(preventing, "_divided", wrong)


@fault(
    "chosen-source-whatever-its-color",
    "609.7b",
    "Damage of a chosen source is prevented though it has none of the colors any more that it was chosen for.",
)
def whatever_its_color() -> Mend:
    def wrong(right: Any, ctx: Any, event: Any, **named: Any) -> Any:
        if named.get("from_objects") is not None:
            named = {**named, "source": None}
        return right(ctx, event, **named)

    return wrap_word("replace", "shielded damage", wrong)


@fault(
    "chosen-spell-is-not-its-permanent",
    "609.7a",
    "What was said of a permanent spell as a source of damage does not hold for the permanent that it becomes.",
)
def not_its_permanent() -> Mend:
    return patch(replaced, "_is_or_became", lambda thing, source: thing is source)
