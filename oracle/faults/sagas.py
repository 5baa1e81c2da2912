"""Faults of Sagas (CR 714)."""

from __future__ import annotations

from typing import Any

from judgecall.oracle import entering, events, layers, objects, sagas, state_based, turn
from judgecall.oracle.events import Event
from judgecall.oracle.faults.gallery import Mend, fault, patch, together, wrap, wrap_word
from judgecall.oracle.vocabulary import replaced

__all__: list[str] = []


@fault(
    "lore-counters-in-the-draw-step", "714.3c", "A Saga gets its lore counter after the draw, before the main phase."
)
def in_the_draw_step() -> Mend:
    def wrong(right: Any, game: Any, step: str) -> None:
        if step == "precombat main":
            return
        right(game, step)
        if step == "draw":
            sagas.add_lore(game)

    return wrap(turn, "_actions", wrong)


@fault("lore-counters-in-every-turn", "714.3c", "A Saga gets a lore counter in every player's turn.")
def in_every_turn() -> Mend:
    def wrong(right: Any, game: Any) -> None:
        active = game.active
        for player in game.in_game():
            game.active = player
            try:
                right(game)
            finally:
                game.active = active

    return wrap(sagas, "add_lore", wrong)


@fault(
    "lore-counters-without-chapters",
    "714.3c",
    "A Saga that has lost its chapter abilities goes on getting lore counters.",
)
def without_chapters() -> Mend:
    def wrong(right: Any, game: Any) -> None:
        right(game)
        for obj in game.battlefield:
            ch = layers.of(game, obj)
            if "Saga" in ch.subtypes and not sagas.final_chapter(ch) and obj.controller is game.active:
                events.happen(game, [Event("counters", obj, amount=1, details={"kind": "lore"}, by=game.active)])

    return wrap(sagas, "add_lore", wrong)


@fault(
    "saga-enters-without-lore",
    "714.3a",
    "A Saga enters without a lore counter and gets its first in its controller's next turn.",
)
def enters_without_lore() -> Mend:
    return wrap(layers, "intrinsic", lambda right, kind, n=0: right(kind, 0 if kind == "lore" else n))


@fault("turn-based-lore-is-an-effect", "714.3c", "Effects that double counters double the lore counter of each turn.")
def is_an_effect() -> Mend:
    return patch(replaced, "_NO_EFFECT", frozenset())


@fault("saga-sacrificed-at-once", "714.4", "A Saga is sacrificed as soon as it has its last lore counter.")
def sacrificed_at_once() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, ch: Any) -> bool:
        last = sagas.final_chapter(ch)
        return "Saga" in ch.subtypes and last > 0 and objects.counters(obj, "lore") >= last

    return wrap(sagas, "finished", wrong)


@fault(
    "saga-sacrificed-one-turn-later",
    "714.4",
    "A Saga is sacrificed only when a lore counter beyond its last chapter would come.",
)
def one_turn_later() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, ch: Any) -> bool:
        last = sagas.final_chapter(ch)
        return bool(right(game, obj, ch)) and objects.counters(obj, "lore") > last

    return wrap(sagas, "finished", wrong)


@fault("saga-without-chapters-sacrificed", "714.4", "A Saga without chapter abilities is sacrificed.")
def without_chapters_sacrificed() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, ch: Any) -> bool:
        return bool(right(game, obj, ch)) or ("Saga" in ch.subtypes and not sagas.final_chapter(ch))

    return wrap(sagas, "finished", wrong)


@fault("saga-destroyed-at-the-end", "704.5s", "A Saga that is finished is destroyed rather than sacrificed.")
def destroyed_at_the_end() -> Mend:
    def wrong(right: Any, game: Any, obj: Any, ch: Any) -> Any:
        made = right(game, obj, ch)
        return [e.but(kind="destroy") if e.kind == "sacrifice" and "714.4" in e.rules else e for e in made]

    return wrap(state_based, "_other", wrong)


@fault(
    "chapters-need-the-exact-number",
    "714.2b",
    "A chapter ability triggers only if the Saga then has exactly that many counters.",
)
def exact_number() -> Mend:
    def wrong(right: Any, ctx: Any, event: Any, **given: Any) -> Any:
        found = right(ctx, event, **given)
        return [one for one in found if one["chapter"] == objects.counters(event.obj, "lore")]

    return wrap_word("trigger", "chapter", wrong)


@fault(
    "chapters-trigger-when-counters-go",
    "714.2b",
    "A chapter ability also triggers when lore counters are removed past its number.",
)
def when_counters_go() -> Mend:
    from judgecall.oracle import triggers
    from judgecall.oracle.vocabulary.triggers import KINDS

    def wrong(right: Any, ctx: Any, event: Any, numbers: Any) -> Any:
        if event.kind != "remove counters":
            return right(ctx, event, numbers=numbers)
        if event.obj is not ctx.this or event.details["kind"] != "lore":
            return []
        now = objects.counters(event.obj, "lore")
        return [{"that": event.obj, "chapter": n} for n in numbers if now < n <= now + event.amount]

    kinds = dict(KINDS)
    kinds["chapter"] = frozenset({"counters", "remove counters"})
    from judgecall.oracle.vocabulary import triggers as words

    return together(
        wrap_word("trigger", "chapter", wrong), patch(words, "KINDS", kinds), patch(triggers, "KINDS", kinds)
    )


@fault(
    "chapters-miss-the-first-counter", "714.2b", "The lore counter that a Saga enters with triggers no chapter ability."
)
def miss_the_first() -> Mend:
    return patch(events, "_entered_with", lambda final: [])


@fault(
    "read-ahead-plays-every-chapter",
    "702.155a",
    "A Saga with read ahead goes through the chapters before the chosen one too.",
)
def every_chapter() -> Mend:
    def wrong(right: Any, ctx: Any, event: Any, numbers: Any) -> Any:
        if event.obj is not ctx.this or event.details["kind"] != "lore":
            return []
        after = objects.counters(event.obj, "lore")
        return [{"that": event.obj, "chapter": n} for n in numbers if after - event.amount < n <= after]

    return wrap_word("trigger", "chapter", wrong)


@fault("read-ahead-ignored", "714.3b", "A Saga with read ahead enters with one lore counter and no choice.")
def ignored() -> Mend:
    def wrong(right: Any, ctx: Any, **given: Any) -> None:
        changed = ctx.results["event"]
        entering.enter_with(ctx.game, changed, changed.new, "lore", 1)

    return wrap_word("effect", "choose chapter", wrong)
