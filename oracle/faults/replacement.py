"""Faults of replacement effects (CR 614, 616)."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from judgecall.oracle import entering, events, layers, replacement, statics, tokens
from judgecall.oracle.candidates import Candidate
from judgecall.oracle.definitions import Enters
from judgecall.oracle.faults.gallery import Mend, fault, patch, together, wrap, wrap_word
from judgecall.oracle.vocabulary import replaced
from judgecall.oracle.vocabulary.context import Context

__all__: list[str] = []


@fault(
    "one-replacement-for-an-event",
    "616.1f",
    "Once a replacement effect has applied to an event, no other applies to it.",
)
def one_for_an_event() -> Mend:
    def wrong(right: Any, game: Any, event: Any, arriving: bool) -> Any:
        return [] if event.applied else right(game, event, arriving)

    return wrap(replacement, "_applicable", wrong)


@fault(
    "copy-effects-not-first",
    "616.1c",
    "A choice among effects on an entering permanent need not start with those that copy.",
)
def copy_not_first() -> Mend:
    def wrong(right: Any, game: Any, event: Any, found: Any) -> Any:
        last = [candidate for candidate in found if candidate.order != 2] or found
        return right(game, event, last)

    return wrap(replacement, "_choose", wrong)


@fault(
    "first-replacement-found-applies",
    "616.1",
    "Where several replacement effects apply, nobody chooses; the first that is found is taken.",
)
def first_found() -> Mend:
    return patch(replacement, "_choose", lambda game, event, found: found[0])


@fault("opponent-chooses-replacements", "616.1", "The player whose turn it is not chooses among replacement effects.")
def opponent_chooses() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> Any:
        player = right(game, event)
        return game.opponents(player)[0] if game.opponents(player) else player

    return wrap(replacement, "affected_player", wrong)


@fault(
    "permanents-affect-their-own-entry",
    "614.12",
    "A permanent's ability about what enters applies to its own entering.",
)
def their_own_entry() -> Mend:
    def wrong(right: Any, game: Any, event: Any, found: Any) -> None:
        right(game, event, found)
        new = event.new
        with game.trial():
            entering.place(game, event)
            ch = layers.of(game, new)
            gathered = []
            for ability, held in ch.each(Enters):
                ctx = Context(game, ch.controller, new, event={"that": new})
                if ability.affects is not None and ctx.matches(ability.affects, new):
                    gathered.append(((new.id, id(ability), held.stamp), ability, ctx))
        for key, ability, ctx in gathered:
            found.append(Candidate(key, new, 4, entering._enter(game, ability, ctx), ("enters",)))

    return wrap(entering, "effects_on_entering", wrong)


@fault(
    "enters-as-its-card-in-the-old-zone",
    "614.12",
    "How a card enters goes by the abilities that it has in the zone that it comes from.",
)
def in_the_old_zone() -> Mend:
    def wrong(right: Any, game: Any, event: Any, found: Any) -> None:
        before = len(found)
        right(game, event, found)
        obj, new = event.obj, event.new
        if obj is not None and obj.zone in ("graveyard", "exile", "hand") and not layers.of(game, obj).abilities:
            found[before:] = [candidate for candidate in found[before:] if candidate.source is not new]

    return wrap(entering, "effects_on_entering", wrong)


@fault(
    "tokens-enter-without-a-choice",
    "614.12",
    "A token that is a copy does not do what the copied card does as it enters.",
)
def tokens_without_a_choice() -> Mend:
    def wrong(right: Any, game: Any, event: Any, found: Any) -> None:
        if event.kind != "token":
            right(game, event, found)

    return wrap(entering, "effects_on_entering", wrong)


@fault("permanents-enter-plain", "614.1c", "Nothing that a permanent says of how it enters is carried out.")
def enter_plain() -> Mend:
    def wrong(right: Any, game: Any, event: Any, found: Any) -> None:
        right(game, event, found)
        found[:] = [candidate for candidate in found if candidate.source is not event.new or candidate.order != 4]

    return wrap(entering, "effects_on_entering", wrong)


@fault(
    "entering-cards-may-be-chosen",
    "614.13a",
    "As a permanent enters, cards that enter along with it may be chosen from their old zone.",
)
def may_be_chosen() -> Mend:
    return wrap(Context, "choosable", lambda right, ctx, filter: ctx.all(filter))


@fault(
    "entering-cards-are-not-counted",
    "614.12",
    "As a permanent enters, what it counts in the zone that it enters from leaves out what enters from there.",
)
def not_counted() -> Mend:
    def wrong(right: Any, ctx: Any, filter: Any) -> Any:
        entering = ctx.game.fresh.get("entering", ())
        return [thing for thing in right(ctx, filter) if thing.id not in entering]

    return wrap(Context, "all", wrong)


@fault(
    "replaced-events-happen-too",
    "614.6",
    "What a replacement effect replaces happens as well, where it is not a change of zone.",
)
def happen_too() -> Mend:
    def wrong(right: Any, game: Any, event: Any, ability: Any, ctx: Any, effect: Any) -> Any:
        done = right(game, event, ability, ctx, effect)
        plain = event.kind in ("draw", "gain life", "lost")
        return done if not plain or any(each.kind == event.kind for each in done) else [*done, event.but()]

    return wrap(replacement, "perform", wrong)


@fault(
    "tokens-doubled-after-entering",
    "616.1g",
    "Doubled tokens are made from the first one, and share what was chosen for it.",
)
def doubled_after() -> Mend:
    def each(right: Any, game: Any, event: Any) -> Any:
        made = right(game, event)
        for other in made[1:]:
            other.details["like"] = made[0].new
        return made

    def enter(right: Any, game: Any, event: Any, found: Any) -> None:
        if "like" not in event.details:
            right(game, event, found)

    def happen(right: Any, game: Any, made: Any) -> Any:
        done = right(game, made)
        for event in done:
            if "like" in event.details:
                game.write(event.new, "chosen", event.details["like"].chosen)
        return done

    return together(
        wrap(tokens, "each", each),
        wrap(entering, "effects_on_entering", enter),
        wrap(events, "happen", happen),
    )


@fault(
    "changed-counters-are-no-effect",
    "614.16",
    "Counters that are no effect's stay so once a replacement effect has changed how many there are.",
)
def no_effect_after_all() -> Mend:
    def wrong(right: Any, ctx: Any, event: Any, **said: Any) -> Any:
        return (
            None
            if said.get("by_effect") and event.applied and event.cause in replaced._NO_EFFECT
            else right(ctx, event, **said)
        )

    return wrap_word("replace", "counters", wrong)


@fault(
    "adventure-exile-comes-first",
    "616.1",
    "A spell cast as an Adventure is exiled by that as it resolves, whatever else its controller would choose.",
)
def adventure_first() -> Mend:
    def wrong(right: Any, game: Any, event: Any, found: Any) -> Any:
        return right(game, event, [candidate for candidate in found if candidate.key == "adventure"] or found)

    return wrap(replacement, "_choose", wrong)


@fault(
    "kept-out-once-nothing-replaces-it",
    "614.17c",
    "What keeps a permanent from entering the battlefield comes after all that would replace its entering.",
)
def kept_out_last() -> Mend:
    last = entering.kept_out

    def wrong(right: Any, game: Any, event: Any) -> Any:
        kept = last(game, event)
        return right(game, event) if kept is None else kept

    return together(patch(entering, "kept_out", lambda game, event: None), wrap(entering, "barred", wrong))


@fault(
    "combat-damage-is-an-effect",
    "609.1",
    "Effects that double the counters that effects put double those of combat damage with wither.",
)
def combat_damage_is_an_effect() -> Mend:
    return patch(replaced, "_NO_EFFECT", replaced._NO_EFFECT - {"combat damage"})


@fault(
    "entering-counters-by-what-it-is-elsewhere",
    "614.17d",
    "Whether something may enter with counters is judged by what it is before it is on the battlefield.",
)
def by_what_it_is_elsewhere() -> Mend:
    return patch(layers, "foreseen", lambda game, obj, ch: nullcontext())


@fault(
    "kept-out-as-it-was",
    "614.17d",
    "Whether something can enter the battlefield is told by what it was before, not by what it would be there.",
)
def kept_out_as_it_was() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, new: Any, ch: Any) -> Any:
        return right(game, obj, obj, layers.of(game, obj))

    return wrap(statics, "cannot_enter", wrong)


@fault(
    "tokens-are-never-kept-out",
    "111.5",
    "What keeps permanents from entering the battlefield does not keep tokens from being created.",
)
def tokens_never_kept_out() -> Mend:
    def wrong(right: Any, game: Any, event: Any) -> Any:
        return None if event.kind == "token" else right(game, event)

    return wrap(entering, "kept_out", wrong)
