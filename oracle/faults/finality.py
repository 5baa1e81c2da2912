"""Faults of finality counters (CR 122.1h) and of counters in general (CR 122)."""

from __future__ import annotations

from typing import Any

from judgecall.oracle import applying, events, keyword_abilities, layers, objects, replacement
from judgecall.oracle.candidates import Candidate
from judgecall.oracle.characteristics import Held
from judgecall.oracle.definitions import Static
from judgecall.oracle.faults.gallery import Mend, fault, patch, patch_item, together, wrap, wrap_item, wrap_word

__all__: list[str] = []


def _only_where(fine: Any) -> Mend:
    def wrong(right: Any, game: Any, event: Any, found: Any) -> None:
        right(game, event, found)
        found[:] = [one for one in found if one.key != "finality" or fine(game, event)]

    return wrap(replacement, "_game_rules", wrong)


@fault("finality-for-creatures-only", "122.1h", "A finality counter does nothing on a permanent that is no creature.")
def creatures_only() -> Mend:
    return _only_where(lambda game, event: "Creature" in layers.of(game, event.obj).types)


@fault(
    "finality-not-for-sacrifices",
    "122.1h",
    "A permanent with a finality counter that is sacrificed goes to the graveyard.",
)
def not_for_sacrifices() -> Mend:
    return _only_where(lambda game, event: event.cause != "sacrifice")


@fault(
    "finality-not-for-state-based-actions", "122.1h", "A finality counter does not help against state-based actions."
)
def not_for_state_based_actions() -> Mend:
    return _only_where(lambda game, event: event.cause != "state-based")


@fault("finality-not-for-tokens", "122.1h", "A token with a finality counter dies.")
def not_for_tokens() -> Mend:
    return _only_where(lambda game, event: event.obj.kind != "token")


@fault(
    "finality-for-its-owner-only", "122.1h", "A finality counter counts only while its permanent's owner controls it."
)
def owner_only() -> Mend:
    return _only_where(lambda game, event: event.obj.controller is event.obj.owner)


@fault("finality-needs-just-one", "122.1h", "Two finality counters on a permanent cancel each other out.")
def needs_just_one() -> Mend:
    return _only_where(lambda game, event: objects.counters(event.obj, "finality") == 1)


@fault(
    "finality-is-an-ability", "122.1h", "A finality counter gives an ability, which is lost with all other abilities."
)
def is_an_ability() -> Mend:
    def build(name: str, value: Any) -> Any:
        return Static(keyword=name, zones=frozenset({"any"}))

    return together(
        patch_item(keyword_abilities._BUILDERS, "finality", build),
        patch(layers, "_KEYWORD_COUNTERS", layers._KEYWORD_COUNTERS | {"finality"}),
        _only_where(lambda game, event: layers.of(game, event.obj).has("finality")),
    )


@fault("finality-from-the-card", "122.1h", "A finality counter counts only while the permanent is what its card says.")
def from_the_card() -> Mend:
    return _only_where(lambda game, event: not objects.is_copying(game, event.obj) and event.obj.face_down is None)


@fault(
    "finality-whatever-zone",
    "122.1h",
    "A permanent with a finality counter is exiled wherever it would go, into a hand or library too.",
)
def whatever_zone() -> Mend:
    def wrong(right: Any, game: Any, event: Any, found: Any) -> None:
        right(game, event, found)
        obj = event.obj
        if event.kind == "move" and obj is not None and obj.zone == "battlefield" and event.to in ("hand", "library"):
            if objects.counters(obj, "finality"):

                def exile(current: Any) -> Any:
                    return replacement._redirect(game, current, "exile", "122.1h")

                found.append(Candidate("finality", obj, 4, exile, ("go", "exile")))

    return wrap(replacement, "_game_rules", wrong)


@fault(
    "finality-after-dying",
    "122.1h",
    "A permanent with a finality counter dies first and is then exiled from the graveyard, so that dying triggers.",
)
def after_dying() -> Mend:
    def happen(right: Any, game: Any, made: Any) -> Any:
        done = right(game, made)
        later = [
            events.move(event.new, "exile", cause="finality")
            for event in done
            if event.kind == "move"
            and event.origin == "battlefield"
            and event.to == "graveyard"
            and objects.counters(event.obj, "finality")
        ]
        if later:
            right(game, later)
        return done

    return together(_only_where(lambda game, event: False), wrap(events, "happen", happen))


@fault(
    "finality-first-without-asking",
    "616.1",
    "A finality counter is applied before any other replacement effect, without a choice.",
)
def first_without_asking() -> Mend:
    def wrong(right: Any, game: Any, event: Any, found: Any) -> Any:
        for candidate in found:
            if candidate.key == "finality":
                return candidate
        return right(game, event, found)

    return wrap(replacement, "_choose", wrong)


@fault(
    "counters-follow-the-card",
    "122.2",
    "Counters stay on a card that moves to another zone.",
)
def follow_the_card() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> None:
        right(game, event)
        old = event.obj.counters
        if old and event.to != "battlefield" and event.obj.zone == "battlefield":
            game.write(event.new, "counters", old)
        elif old and event.to == "battlefield":
            for kind, (n, _) in old.items():
                applying.add_counters(game, event.new, kind, n)

    return wrap_item(applying.APPLY, "move", wrong)


@fault("counters-are-copied", "707.2", "A token that is a copy of a permanent has its counters too.")
def are_copied() -> Mend:
    def wrong(right: Any, ctx: Any, of: Any, **given: Any) -> Any:
        done = right(ctx, of=of, **given)
        for thing in of:
            for kind, (n, _) in getattr(thing, "counters", {}).items():
                for token in done:
                    applying.add_counters(ctx.game, token, kind, n)
        return done

    return wrap_word("effect", "create copy", wrong)


@fault("counters-are-copied-on-entering", "707.2", "A permanent that enters as a copy has the original's counters too.")
def copied_on_entering() -> Mend:
    def wrong(right: Any, ctx: Any, **given: Any) -> Any:
        from judgecall.oracle import choices

        picked: list[Any] = []

        def pick(right_pick: Any, *args: Any, **named: Any) -> Any:
            found = right_pick(*args, **named)
            picked.extend(found)
            return found

        undo = wrap(choices, "pick", pick)
        try:
            right(ctx, **given)
        finally:
            undo()
        changed = ctx.results["event"]
        if picked and changed.details.get("copy") is not None:
            have = dict(changed.details.get("counters", {}))
            for kind, (n, _) in picked[-1].counters.items():
                have[kind] = have.get(kind, 0) + n
            changed.details["counters"] = have

    return wrap_word("effect", "as copy", wrong)


@fault("shield-counters-ignored", "122.1c", "A shield counter does not save its permanent.")
def shield_ignored() -> Mend:
    def wrong(right: Any, game: Any, event: Any, found: Any) -> None:
        right(game, event, found)
        found[:] = [one for one in found if one.key != "shield"]

    return wrap(replacement, "_game_rules", wrong)


@fault("keyword-counters-give-nothing", "122.1b", "A counter that is named after a keyword gives no ability.")
def give_nothing() -> Mend:
    return patch(layers, "_KEYWORD_COUNTERS", frozenset())


@fault(
    "keyword-counters-outlast-ability-loss",
    "613.1f",
    "The ability of a keyword counter is not lost with all abilities.",
)
def outlast_ability_loss() -> Mend:
    def wrong(right: Any, game: Any) -> Any:
        table = right(game)
        for obj in game.battlefield:
            ch = table[obj.id]
            for kind, (n, stamp) in obj.counters.items():
                if n and kind in layers._KEYWORD_COUNTERS and not ch.has(kind):
                    ch.abilities = (*ch.abilities, Held(keyword_abilities.make(kind, None), stamp))
                    ch._keywords = None
        return table

    return wrap(layers, "_compute", wrong)


def _first_of(own: bool) -> Mend:
    def wrong(right: Any, game: Any, event: Any, found: Any) -> Any:
        counters = [one for one in found if one.key == "finality"]
        others = [one for one in found if counters and one.source is counters[0].source and one.key != "finality"]
        if counters and others:
            return others[0] if own else counters[0]
        return right(game, event, found)

    return wrap(replacement, "_choose", wrong)


@fault("finality-before-own-effects", "616.1", "A finality counter's effect goes before any of the permanent's own.")
def before_own_effects() -> Mend:
    return _first_of(own=False)


@fault("own-effects-before-finality", "616.1", "A permanent's own effect goes before that of its finality counter.")
def own_effects_before() -> Mend:
    return _first_of(own=True)
