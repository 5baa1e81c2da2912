"""Faults of players: winning, losing, leaving the game (CR 104, 119, 800)."""

from __future__ import annotations

from typing import Any

from judgecall.oracle import ending, events, phasing, triggers
from judgecall.oracle.faults.gallery import Mend, fault, patch, pretending, together, wrap, wrap_word
from judgecall.oracle.state import Game

__all__: list[str] = []


@fault(
    "control-outlasts-its-player",
    "800.4a",
    "Effects that gave a player control of something go on when that player has left.",
)
def outlasts_its_player() -> Mend:
    def control(right: Any, ctx: Any, found: Any, stamp: int, who: Any) -> None:
        if who:
            found.controller = who[0]

    return together(
        patch(ending, "_gives", lambda effect, player: False),
        wrap_word("players", "fixed", lambda right, ctx, player: [player]),
        wrap_word("change", "control", control),
    )


@fault(
    "permanents-stay-when-their-owner-leaves",
    "800.4a",
    "What another player controls stays when its owner leaves the game.",
)
def stay_when_their_owner_leaves() -> Mend:
    def wrong(right: Any, game: Any) -> Any:
        return [obj for obj in right(game) if obj.zone != "battlefield" or obj.controller is obj.owner]

    return wrap(ending, "_all", wrong)


@fault(
    "controlled-permanents-go-along",
    "800.4a",
    "What a player controls but does not own leaves the game with that player.",
)
def go_along() -> Mend:
    def wrong(right: Any, game: Any, player: Any) -> None:
        borrowed = [obj for obj in game.battlefield if obj.controller is player and obj.owner is not player]
        pretended = [(obj, "owner", player) for obj in borrowed]
        with pretending(game, *pretended):
            right(game, player)

    return wrap(ending, "leave", wrong)


@fault(
    "what-nobody-controls-reverts",
    "800.4a",
    "What a player controlled from the start but does not own goes to its owner when that player leaves.",
)
def reverts() -> Mend:
    def wrong(right: Any, game: Any, player: Any) -> None:
        for obj in game.battlefield:
            if obj.holder is player and obj.owner is not player:
                game.write(obj, "holder", obj.owner)
        events.align(game)
        right(game, player)

    return wrap(ending, "leave", wrong)


@fault(
    "triggers-of-players-who-left", "800.4d", "A delayed trigger of a player who has left the game is put on the stack."
)
def triggers_of_players_who_left() -> Mend:
    nested: list[bool] = []

    def apnap(right: Any, game: Any) -> Any:
        found = right(game)
        return (*found, *(p for p in game.players if p.left)) if nested else found

    def put(right: Any, game: Any) -> Any:
        nested.append(True)
        try:
            return right(game)
        finally:
            nested.pop()

    return together(wrap(Game, "apnap", apnap), wrap(triggers, "put_on_stack", put))


@fault("leaving-ends-the-game", "104.2a", "The game ends as soon as one player has left, however many remain.")
def ends_the_game() -> Mend:
    def wrong(right: Any, game: Any, gone: Any) -> None:
        right(game, gone)
        if not game.over:
            ending._over(game, None)

    return wrap(ending, "_after", wrong)


@fault(
    "tokens-of-a-player-who-left-stay",
    "800.4a",
    "Tokens stay on the battlefield when the player who owns them leaves the game.",
)
def tokens_stay() -> Mend:
    def wrong(right: Any, game: Any, player: Any) -> None:
        staying = tuple(obj for obj in game.battlefield if obj.kind == "token" and obj.owner is player)
        game.write(game, "battlefield", tuple(obj for obj in game.battlefield if obj not in staying))
        right(game, player)
        game.write(game, "battlefield", (*game.battlefield, *staying))

    return wrap(ending, "leave", wrong)


@fault(
    "phased-out-for-good-with-a-player",
    "702.26n",
    "What phased out under the control of a player who has left since never phases in.",
)
def phased_out_for_good() -> Mend:
    return patch(phasing, "await_any_untap_step", lambda game, player: None)


@fault("last-to-lose-wins", "104.4a", "Of players who lose at the same time one is left over, and wins.")
def last_to_lose_wins() -> Mend:
    def wrong(right: Any, game: Any, gone: Any) -> None:
        right(game, gone[:-1] if len(gone) > 1 and len(gone) == len(game.in_game()) else gone)

    return wrap(ending, "_after", wrong)


@fault(
    "doubling-always-gains",
    "701.10d",
    "A life total below 0 is doubled by gaining as much life as it is below.",
)
def doubling_always_gains() -> Mend:
    def wrong(right: Any, ctx: Any, who: Any) -> None:
        for player in who:
            if player.life < 0:
                events.happen(ctx.game, [events.Event("gain life", player=player, amount=-player.life)])
            else:
                right(ctx, who=[player])

    return wrap_word("effect", "double life", wrong)


@fault(
    "endless-loops-are-lost",
    "104.4b",
    "Where losses are replaced without end, the players who would lose have lost at last, and the others win.",
)
def endless_loops_are_lost() -> Mend:
    def wrong(right: Any, game: Any, *rules: str) -> None:
        losing = [player for player in game.in_game() if player.life <= 0]
        if "104.4b" not in rules or not losing:
            right(game, *rules)
            return
        for player in losing:
            ending.concede(game, player)

    return wrap(ending, "draw", wrong)
