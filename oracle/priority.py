"""Priority: who may act, and what happens before anyone may (CR 117)."""

from __future__ import annotations

from judgecall.oracle import resolving, state_based, triggers, turn
from judgecall.oracle.agents import Refused
from judgecall.oracle.state import Game, Player

__all__ = ["give", "pass_"]


def settle(game: Game) -> None:
    """CR 117.5, 704.3: state-based actions, then triggered abilities onto the stack, until there are neither."""
    while not game.over:
        if state_based.check(game):
            continue
        if not triggers.put_on_stack(game):
            return


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
