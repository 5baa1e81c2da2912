"""Starting a game: decks, opening hands, mulligans, the first turn (CR 103)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judgecall.oracle import chance, choices, events, layers, setup, turn
from judgecall.oracle.definitions import Static
from judgecall.oracle.state import FloatingEffect, Game, Object, Player
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.grammar import parse_value

__all__ = ["HAND_SIZE", "Deck", "begin"]

HAND_SIZE = 7


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck by the names of its cards; with ``commanders`` the game is one of Commander (CR 903)."""

    cards: tuple[str, ...]
    commanders: tuple[str, ...] = ()


def begin(game: Game, decks: Sequence[Deck], starting: Player, *, mulligans: bool = True) -> None:
    """From decks to the first time that a player has priority, in the upkeep of the first turn.

    Args:
        decks: one for each player, in turn order.
        starting: who takes the first turn (CR 103.1).
        mulligans: whether players are asked; otherwise all keep what they drew.

    Raises:
        UnknownCard: a card has no definition.
    """
    if any(deck.commanders for deck in decks):
        game.format = "commander"
    for player, deck in zip(game.players, decks, strict=True):
        _take_deck(game, player, deck)
    game.active = starting
    for player in game.apnap():
        _draw_hand(game, player)
    if mulligans:
        _mulligans(game)
    setup.begin(game, starting, "untap", 1)
    _opening_actions(game)
    if len(game.players) == 2:
        _skip_first_draw(game, starting)
    game.trace.add(f"turn 1: {starting.name}", "103.8")
    turn.proceed(game)
    game.journal.clear()


def _take_deck(game: Game, player: Player, deck: Deck) -> None:
    """CR 103.3, 903.6–7: the deck is shuffled and becomes the library; commanders go to the command zone."""
    player.life = player.starting_life = 40 if game.format == "commander" else 20  # CR 103.4, 103.4c
    for number, name in enumerate(deck.commanders, start=1):
        setup.add(game, player, "command", card=name, handle=f"{player.name}'s commander {number}", commander=True)
    counted: dict[str, int] = {}
    for name in deck.cards:
        counted[name] = counted.get(name, 0) + 1
        setup.add(game, player, "library", card=name, handle=f"{player.name}'s {name} {counted[name]}")
    game.trace.add(f"{player.name} shuffles", "103.3")
    game.write(player, "library", chance.shuffled(game, player.library))


def _draw_hand(game: Game, player: Player) -> None:
    """CR 103.5: seven cards. They are no draws of the first turn."""
    drawn = player.library[:HAND_SIZE]
    events.happen(game, [events.move(card, "hand", cause="opening hand", rules=("103.5",)) for card in drawn])


def _mulligans(game: Game) -> None:
    """CR 103.5, 103.5c: who takes a mulligan shuffles and draws anew; who keeps puts cards on the bottom."""
    taken = {player.name: 0 for player in game.players}
    free = 1 if len(game.players) > 2 else 0
    undecided = list(game.apnap())
    while undecided:
        again = [
            player
            for player in undecided
            if taken[player.name] - free < HAND_SIZE and choices.may(game, player, "take a mulligan")
        ]
        for player in again:
            taken[player.name] += 1
            back = [events.move(card, "library", cause="mulligan", rules=("103.5",)) for card in player.hand]
            events.happen(game, back)
            game.write(player, "library", chance.shuffled(game, player.library))
            _draw_hand(game, player)
        for player in undecided:
            if player not in again:
                _put_back(game, player, taken[player.name] - free)
        undecided = again


def _put_back(game: Game, player: Player, n: int) -> None:
    if n <= 0:
        return
    chosen = choices.pick(game, player, player.hand, n, n, "put on the bottom after mulligans", rule="103.5")
    moves = [
        events.move(card, "library", position="bottom", cause="mulligan", rules=("103.5",))
        for card in choices.order(game, player, chosen, "the bottom of the library")
    ]
    events.happen(game, moves)


def _opening_actions(game: Game) -> None:
    """CR 103.6a: cards that may begin the game on the battlefield, in turn order."""
    for player in game.apnap():
        for card in player.hand:
            if _may_begin(game, card) and choices.may(game, player, "begin the game with it on the battlefield", card):
                events.happen(game, [events.move(card, "battlefield", cause="begin", rules=("103.6a",))])


def _may_begin(game: Game, card: Object) -> bool:
    for ability, _ in layers.of(game, card).each(Static):
        ctx = Context(game, card.owner, card)
        if any(node.word == "may begin on battlefield" for node in ability.effects) and ctx.holds(ability.condition):
            return True
    return False


def _skip_first_draw(game: Game, player: Player) -> None:
    """CR 103.8a: in a two-player game who plays first skips the draw step of the first turn."""
    effect = FloatingEffect(parse_value("rule", {"skip step": "draw"}), player, None, game.stamp(), "once")
    game.write(game, "effects", (*game.effects, effect))
