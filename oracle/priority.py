"""Priority: who may act, and what happens before anyone may (CR 117)."""

from __future__ import annotations

from typing import Any

from judgecall.oracle import ending, resolving, state_based, triggers, turn
from judgecall.oracle.agents import Refused
from judgecall.oracle.state import Game, Player

__all__ = ["give", "pass_"]


def settle(game: Game) -> None:
    """CR 117.5, 704.3: state-based actions, then triggered abilities onto the stack, until there are neither."""
    passed: set[Any] = set()
    while not game.over:
        if state_based.check(game):
            if not game.over and state_based.would_lose(game):
                now = _standing(game)
                if now in passed:
                    ending.draw(game, "104.4b", "732.4")
                passed.add(now)
            continue
        if not triggers.put_on_stack(game):
            return
        passed.clear()


def _standing(game: Game) -> Any:
    """What a loop of mandatory actions comes back to: life, the battlefield, and how many cards there are elsewhere."""
    return (
        tuple(
            (player.name, player.life, *sorted(player.counters.items()), *map(len, (player.hand, player.library)))
            for player in game.in_game()
        ),
        tuple(map(len, (*(player.graveyard for player in game.players), game.exile, game.command, game.stack))),
        tuple(
            (
                obj.id,
                obj.kind,
                obj.controller.name,
                obj.attached_to,
                obj.damage,
                obj.chosen.get("protector"),
                *obj.counters.items(),
            )
            for obj in game.battlefield
        ),
    )


def give(game: Game, player: Player) -> None:
    """A player gets priority, after what must happen before (CR 117.5)."""
    settle(game)
    if game.over:
        game.write(game, "priority", None)
        return
    if player.left:
        player = _next(game, player)
    game.write(game, "priority", player)


def _next(game: Game, player: Player) -> Player:
    seats = game.players
    for offset in range(1, len(seats) + 1):
        other = seats[(player.seat + offset) % len(seats)]
        if not other.left:
            return other
    return player


def pass_(game: Game, player: Player) -> None:
    """Pass priority (CR 117.3d); when all have passed in succession, the top of the stack resolves or the step ends.

    Raises:
        Refused: the player does not have priority.
    """
    if game.priority is not player:
        raise Refused(f"{player.name} does not have priority", "117.3d", "permission")
    game.trace.add(f"{player.name} passes", "117.3d")
    passed = game.passed | {player.name}
    if all(other.name in passed for other in game.in_game()):
        game.write(game, "passed", frozenset())
        game.write(game, "priority", None)
        game.trace.cite("117.4", "405.5")
        if game.stack:
            resolving.resolve_top(game)
            if turn.is_ending(game):
                game.trace.cite("724.1f")
                turn.proceed(game)
                return
            game.trace.cite("117.3b")
            give(game, game.active)
        else:
            turn.proceed(game)
        return
    game.write(game, "passed", passed)
    game.write(game, "priority", _next(game, player))


def again(game: Game, player: Player) -> None:
    """After an action the player who took it gets priority again (CR 117.3c)."""
    game.write(game, "passed", frozenset())
    game.trace.cite("117.3c")
    give(game, player)


__all__ += ["again", "settle"]
