"""Faults of the turn: steps, untapping, cleanup, activating abilities in their time (CR 500–514, 602, 606)."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

from judgecall.oracle import activating, ending, events, lasting, phasing, statics, turn
from judgecall.oracle.faults.gallery import Mend, fault, patch, pretending, wrap, wrap_word
from judgecall.oracle.payment import Choice
from judgecall.oracle.state import Game

__all__: list[str] = []


@fault("no-discard-at-cleanup", "514.1", "A player with too many cards in hand keeps them at the end of the turn.")
def no_discard() -> Mend:
    return patch(statics, "hand_limit", lambda game, player: None)


@fault("effects-outlast-the-turn", "514.2", "Effects until end of turn on permanents go on after the turn.")
def outlast_the_turn() -> Mend:
    def wrong(right: Any, game: Any) -> Any:
        kept = tuple(
            replace(effect, ends="forever")
            if effect.ends == "end of turn"
            and any(getattr(t, "zone", "") == "battlefield" for t in effect.affected or ())
            else effect
            for effect in game.effects
        )
        game.write(game, "effects", kept)
        return right(game)

    return wrap(turn, "_cleanup", wrong)


@fault("saddled-for-good", "702.171b", "A permanent that has become saddled is so in later turns too.")
def saddled_for_good() -> Mend:
    return patch(turn, "_unsaddle", lambda game, obj: None)


@fault("nothing-untaps", "502.3", "Permanents do not untap in the untap step.")
def nothing_untaps() -> Mend:
    def wrong(right: Any, game: Any) -> None:
        tapped = [obj for obj in game.battlefield if obj.tapped]
        right(game)
        for obj in tapped:
            game.write(obj, "tapped", True)

    return wrap(turn, "_untap_step", wrong)


@fault("summoning-sick-creatures-tap", "302.6", "A creature that has just come may pay costs with the tap symbol.")
def sick_creatures_tap() -> Mend:
    return patch(activating, "_sick", lambda game, obj: False)


@fault(
    "graveyard-abilities-from-anywhere",
    "113.6m",
    "An ability that moves its card out of the graveyard works in every zone.",
)
def from_anywhere() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, ability: Any) -> None:
        right(game, player, obj, replace(ability, zones=frozenset({"any"})))

    return wrap(activating, "_check", wrong)


@fault("loyalty-costs-one-by-one", "606.5", "Loyalty costs that are added together are paid one after the other.")
def one_by_one() -> Mend:
    return patch(activating, "_merge_loyalty", lambda total: None)


@fault("tap-costs-of-the-tapped", "107.5", "A tapped permanent may pay a cost of tapping it.")
def of_the_tapped() -> Mend:
    def wrong(right: Any, ctx: Any, pay: Any) -> Any:
        obj = ctx.this
        if obj is not None and obj.tapped and obj.zone == "battlefield":
            return Choice(lambda: None)
        return right(ctx, pay)

    return wrap_word("pay", "tap this", wrong)


@fault(
    "added-upkeep-is-a-whole-beginning-phase",
    "500.10",
    "An additional upkeep step brings an untap step and a draw step along.",
)
def whole_beginning_phase() -> Mend:
    def wrong(right: Any, game: Any, steps: Any) -> None:
        right(
            game,
            tuple(part for step in steps for part in (("untap", "upkeep", "draw") if step == "upkeep" else (step,))),
        )

    return wrap(turn, "add_phase", wrong)


@fault("no-draw-in-the-draw-step", "504.1", "The active player does not draw in the draw step.")
def no_draw() -> Mend:
    def wrong(right: Any, game: Any, step: str) -> None:
        if step != "draw":
            right(game, step)

    return wrap(turn, "_actions", wrong)


@fault("controlled-players-decide", "723.5", "A player whose turn another controls still makes the decisions.")
def controlled_decide() -> Mend:
    def wrong(right: Any, game: Any, player: Any, ended: Any) -> None:
        right(game, player, ended)
        game.write(player, "controlled_by", None)

    return wrap(turn, "_start_turn", wrong)


@fault("effects-end-before-the-end-step", "513.1", "Effects until end of turn wear off as the end step begins.")
def end_before_the_end_step() -> Mend:
    def wrong(right: Any, game: Any, step: str) -> bool:
        if step == "end":
            kept = tuple(effect for effect in game.effects if effect.ends != "end of turn")
            game.write(game, "effects", kept)
            events.align(game)
        return bool(right(game, step))

    return wrap(turn, "_begin", wrong)


@fault("extra-turns-in-turn-order", "500.7", "Of several extra turns the one that was created first is taken first.")
def in_turn_order() -> Mend:
    def wrong(right: Any, game: Any) -> None:
        game.write(game, "extra_turns", tuple(reversed(game.extra_turns)))
        right(game)

    return wrap(turn, "_new_turn", wrong)


@fault(
    "loyalty-any-number-of-times", "606.3", "Several loyalty abilities of a planeswalker may be activated in a turn."
)
def any_number_of_times() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, ability: Any) -> None:
        right(game, player, obj, ability)
        notes = {key: value for key, value in obj.notes.items() if key != "loyalty"}
        game.write(obj, "notes", MappingProxyType(notes))

    return wrap(activating, "_note", wrong)


@fault(
    "abilities-at-sorcery-speed-any-time",
    "602.5d",
    "An ability that is activated only as a sorcery may be activated any time.",
)
def any_time() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, ability: Any) -> None:
        right(game, player, obj, replace(ability, timing="instant"))

    return wrap(activating, "_check", wrong)


@fault("any-number-of-lands", "305.2", "A player may play any number of lands in a turn.")
def any_number_of_lands() -> Mend:
    return patch(statics, "land_limit", lambda game, player: 99)


@fault("untapping-before-phasing", "502.1", "Permanents phase in after the untap step's untapping, and so stay tapped.")
def untapping_before_phasing() -> Mend:
    def wrong(right: Any, game: Any) -> None:
        undo = patch(phasing, "untap_step", lambda game: None)
        try:
            right(game)
        finally:
            undo()
        phasing.untap_step(game)

    return wrap(turn, "_untap_step", wrong)


@fault("active-player-chooses-last", "101.4", "Where all players choose, the active player does so last of all.")
def chooses_last() -> Mend:
    return wrap(Game, "apnap", lambda right, game: right(game)[::-1])


@fault("one-additional-land-at-most", "305.2", "Of several effects that allow an additional land only one counts.")
def one_additional_land() -> Mend:
    return wrap(statics, "land_limit", lambda right, game, player: min(2, right(game, player)))


@fault(
    "before-a-point-of-any-combat",
    "506.7d",
    "What may be cast only before a point of combat may be cast before that point of each combat of the turn.",
)
def before_a_point_of_any_combat() -> Mend:
    def wrong(right: Any, game: Game, step: str) -> bool:
        history = {key: value for key, value in game.history.items() if key != "combat ended"}
        with pretending(game, (game, "history", MappingProxyType(history))):
            return bool(right(game, step))

    return wrap(turn, "is_before", wrong)


@fault(
    "kept-tapped-under-its-first-controller",
    "502.3",
    "What does not untap in its controller's next untap step untaps once another player controls it.",
)
def under_its_first_controller() -> Mend:
    def wrong(
        right: Any, ctx: Any, ability: Any, ends: str, affected: Any = None, until: Any = None, **more: Any
    ) -> Any:
        if ends == "their next untap" and until is None:
            until = affected[0].controller
        return right(ctx, ability, ends, affected, until, **more)

    return wrap(lasting, "add", wrong)


@fault(
    "kept-tapped-in-anyones-untap-step",
    "502.3",
    "What does not untap in one player's untap step does not untap in another player's either.",
)
def in_anyones_untap_step() -> Mend:
    def wrong(right: Any, ctx: Any, ability: Any, ends: str, *given: Any, **more: Any) -> Any:
        if getattr(ability, "word", None) == "does not untap":
            ability = replace(ability, args={**ability.args, "who": None})
        return right(ctx, ability, ends, *given, **more)

    return wrap(lasting, "add", wrong)


@fault("overwritten-control-does-nothing", "723.1a", "An effect whose control of a turn is overwritten does nothing.")
def overwritten_does_nothing() -> Mend:
    def wrong(right: Any, game: Any, player: Any, *rest: Any) -> None:
        game.write(player, "flags", MappingProxyType({**player.flags, "controlled next": None}))
        right(game, player, *rest)

    return wrap(turn, "control_next", wrong)


@fault("control-of-a-player-stays", "800.4a", "Who has left the game goes on controlling a player's turn.")
def control_stays() -> Mend:
    def wrong(right: Any, game: Any, player: Any) -> None:
        controlled = [other for other in game.players if other.controlled_by is player]
        right(game, player)
        for other in controlled:
            game.write(other, "controlled_by", player)

    return wrap(ending, "leave", wrong)
