"""Winning, losing, leaving the game (CR 104, 800.4)."""

from __future__ import annotations

from judgecall.oracle import applying, events, inherent, layers, statics
from judgecall.oracle.events import Event
from judgecall.oracle.state import Game, Object, Player

__all__ = ["after_losses", "concede", "draw", "lose", "lose_all", "losses", "win"]


def lose(game: Game, player: Player, rule: str) -> bool:
    """A player loses the game, unless an effect says or does otherwise (CR 104.3)."""
    return lose_all(game, [(player, rule)])


def lose_all(game: Game, losing: list[tuple[Player, str]]) -> bool:
    """Players lose at once. True if anyone did, or something happened instead."""
    made = losses(game, losing)
    if not made:
        return False
    after_losses(game, events.happen(game, made))
    return True


def losses(game: Game, losing: list[tuple[Player, str]]) -> list[Event]:
    """The events of players losing, for those who can lose (CR 104.3, 101.2)."""
    return [
        Event("lost", player=player, rules=(rule,))
        for player, rule in losing
        if not player.lost and not player.left and not statics.forbids(game, "cant lose", player=player)
    ]


def after_losses(game: Game, done: list[Event]) -> None:
    """Players who have lost leave the game (CR 104.3, 800.4a)."""
    gone = [event.player for event in done if event.kind == "lost" and event.player is not None]
    if gone:
        _after(game, gone)


def win(game: Game, player: Player, rule: str) -> None:
    """A player wins: the others lose (CR 104.2b)."""
    if statics.forbids(game, "cant win", player=player):
        return
    game.trace.add(f"{player.name} wins the game", rule)
    game.write(player, "won", True)
    for other in game.players:
        if other is not player and not other.left:
            game.write(other, "lost", True)
    _over(game, player)


def draw(game: Game, *rules: str) -> None:
    """The game is a draw, and over (CR 104.4)."""
    game.trace.add("the game is a draw", *rules)
    _over(game, None)


def concede(game: Game, player: Player) -> None:
    """A player leaves the game at once and loses (CR 104.3a)."""
    game.trace.add(f"{player.name} concedes", "104.3a")
    game.write(player, "lost", True)
    _after(game, [player])


def _after(game: Game, gone: list[Player]) -> None:
    remaining = [player for player in game.in_game() if player not in gone]
    if not remaining:
        for player in gone:
            leave(game, player)
        draw(game, "104.4a")
        return
    for player in gone:
        leave(game, player)
    if len(remaining) == 1:
        winner = remaining[0]
        game.write(winner, "won", True)
        game.trace.add(f"{winner.name} wins the game", "104.2a")
        _over(game, winner)


def _over(game: Game, winner: Player | None) -> None:
    game.write(game, "over", True)
    game.write(game, "winner", winner)
    game.write(game, "priority", None)
    everyone = frozenset(player.name for player in game.players)
    for obj in (*game.battlefield, *game.stack):
        if obj.face_down is not None:
            game.write(obj, "revealed_to", everyone)
            game.trace.add(f"{events.label(game, obj)} is revealed", "708.9")


def leave(game: Game, player: Player) -> None:
    """CR 800.4a: what the player owns goes along; what the player controls goes back, or is exiled."""
    everyone = frozenset(other.name for other in game.players)
    game.trace.add(f"{player.name} leaves the game", "800.4a")
    owned = [obj for obj in _all(game) if obj.owner is player]
    for obj in owned:
        if obj.face_down is not None:
            game.write(obj, "revealed_to", everyone)  # CR 708.9
            game.trace.add(f"{events.label(game, obj)} is revealed", "708.9")
    game.write(player, "left", True)
    game.write(player, "mana", ())
    for obj in owned:
        game.write(obj, "lki", layers.of(game, obj))
    for obj in owned:
        from judgecall.oracle import combat

        combat.remove(game, obj)
        applying.take_out(game, obj)
        game.write(obj, "gone", True)
        if obj.card is not None:
            game.write(obj.card, "now", None)
    kept = tuple(effect for effect in game.effects if not _gives(effect, player))
    game.write(game, "effects", kept)
    for other in game.players:
        if other.controlled_by is player:
            game.write(other, "controlled_by", None)
    # Objects not represented by cards, such as abilities and copies, cease to exist.
    for obj in game.stack:
        if obj.controller is player and obj.kind in ("ability", "copy"):
            applying.take_out(game, obj)
            game.write(obj, "gone", True)
    events.align(game)
    for obj in game.battlefield:
        if obj.phased_out and obj.controller is player and obj.holder is not player:
            game.write(obj, "controller", obj.holder)  # the effect has ended; who controls it is seen as it phases in
    events.happen(game, [Event("leave game", player=player)])
    inherent.abdicate(game, player)
    stuck = [obj for obj in (*game.battlefield, *game.stack) if obj.controller is player and not obj.gone]
    events.happen(game, [events.move(obj, "exile", cause="leave", rules=("800.4a",)) for obj in stuck])
    game.write(game, "waiting", tuple(item for item in game.waiting if item.controller is not player))
    _hand_on(game, player)


def _all(game: Game) -> list[Object]:
    found = [*game.battlefield, *game.stack, *game.exile, *game.command]
    for player in game.players:
        found.extend((*player.hand, *player.library, *player.graveyard))
    return found


def _gives(effect: object, player: Player) -> bool:
    """Effects that give the leaving player control of something end."""
    from judgecall.oracle.definitions import Node

    node = getattr(effect, "ability", None)
    if not isinstance(node, Node) or node.word != "affects":
        return False
    return any(
        change.word == "control" and change.args["who"].args.get("player") is player for change in node.args["change"]
    )


def _hand_on(game: Game, player: Player) -> None:
    """CR 800.4j, 800.4k: priority goes on; the turn of a player who left goes on without an active player."""
    if game.over or len(game.in_game()) < 2:
        return
    if game.priority is player:
        seats = game.players
        for offset in range(1, len(seats) + 1):
            other = seats[(player.seat + offset) % len(seats)]
            if not other.left:
                game.write(game, "priority", other)
                break
