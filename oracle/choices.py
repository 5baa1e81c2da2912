"""Putting questions, and refusing answers that the rules do not allow (CR 101, 608.2d)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from judgecall.oracle import layers, objects
from judgecall.oracle.agents import Question, Refused
from judgecall.oracle.state import Game, Object, Player

__all__ = ["ask", "divide", "may", "number", "order", "pick", "value_of_x", "word"]


def ask(game: Game, question: Question) -> Any:
    """Put a question to whoever decides for the player (CR 723.5)."""
    if question.player.controlled_by is not None:
        game.trace.cite("723.5")
    return game.agent.decide(question)


def may(
    game: Game, player: Player, prompt: str, source: Object | None = None, kind: str = "may", possible: bool = True
) -> bool:
    """Whether a player takes an option, or (kind ``pay``) pays. What is not ``possible`` leaves no choice."""
    answer = ask(game, Question(player, kind, prompt, () if possible else (False,), source=source))
    if not isinstance(answer, bool) or (answer and not possible):
        raise Refused(f"yes or no, as is possible, not {answer!r}", "608.2d")
    return answer


def pick(
    game: Game,
    player: Player,
    options: Iterable[Any],
    minimum: int,
    maximum: int,
    prompt: str,
    source: Object | None = None,
    rule: str = "608.2d",
) -> list[Any]:
    """So many of the options, each at most once. With no options nobody is asked."""
    offered = tuple(options)
    if minimum > len(offered):
        game.trace.cite("101.3", "609.3")
    maximum = min(maximum, len(offered))
    minimum = min(minimum, maximum)
    if not offered or maximum <= 0:
        return []
    same = minimum == maximum and _interchangeable(game, offered)
    answer = ask(game, Question(player, "pick", prompt, offered, minimum, maximum, source, same))
    return check(answer, offered, minimum, maximum, rule)


def _interchangeable(game: Game, offered: Sequence[Any]) -> bool:
    """Whether it makes no difference which of the options are picked."""
    if not all(isinstance(thing, Object) for thing in offered):
        return False
    first = offered[0]
    if first.zone not in ("hand", "graveyard", "library"):
        return False
    return all(
        thing.zone == first.zone
        and thing.owner is first.owner
        and objects.base_values(thing) is objects.base_values(first)
        and not (thing.card is not None and thing.card.commander)
        and layers.of(game, thing).abilities == layers.of(game, first).abilities
        for thing in offered
    ) and not any(any(thing in (effect.affected or ()) for thing in offered) for effect in game.effects)


def check(answer: Any, offered: Sequence[Any], minimum: int, maximum: int, rule: str) -> list[Any]:
    """The answer, if it is so many different ones of what was offered."""
    if not isinstance(answer, (list, tuple)):
        answer = [answer]
    chosen = list(answer)
    for index, thing in enumerate(chosen):
        if not any(
            thing is option or (not isinstance(option, (Object, Player)) and thing == option) for option in offered
        ):
            raise Refused(f"{thing!r} is not on offer", rule)
        if any(thing is other for other in chosen[:index]) and isinstance(thing, (Object, Player)):
            raise Refused(f"{thing!r} cannot be chosen twice", rule)
    if not minimum <= len(chosen) <= maximum:
        raise Refused(f"chosen: {len(chosen)}, where {minimum} to {maximum} must be", rule)
    return chosen


def order(game: Game, player: Player, things: Sequence[Any], prompt: str, same: bool = False) -> list[Any]:
    """All of the things, in an order."""
    if len(things) < 2:
        return list(things)
    same = same or _interchangeable(game, things)
    answer = ask(game, Question(player, "order", prompt, tuple(things), len(things), len(things), same=same))
    return check(answer, things, len(things), len(things), "608.2d")


def number(
    game: Game,
    player: Player,
    low: int,
    high: int,
    prompt: str,
    source: Object | None = None,
    kind: str = "number",
) -> int:
    """A whole number from low to high."""
    if low == high:
        options: tuple[int, ...] = (low,)
    else:
        options = tuple(range(low, high + 1)) if high - low < 200 else ()
    answer = ask(game, Question(player, kind, prompt, options, low, high, source))
    if isinstance(answer, bool) or not isinstance(answer, int) or not low <= answer <= high:
        raise Refused(f"{answer!r} is not a number from {low} to {high}", "107.1")
    return answer


def value_of_x(game: Game, player: Player, said: int | None, thing: Object) -> int:
    """The X of a cost: as the player has said already, or says now (CR 107.3a)."""
    return said if said is not None else number(game, player, 0, 99, "the value of X", thing, "x")


def word(
    game: Game,
    player: Player,
    kind: str,
    options: Sequence[str],
    prompt: str,
    source: Object | None = None,
    open_: bool = False,
) -> str:
    """A word: a color, a creature type, a card name. ``open_``: also others than those on offer."""
    answer = ask(game, Question(player, kind, prompt, tuple(options), 1, 1, source))
    if not isinstance(answer, str) or (not open_ and answer not in options):
        raise Refused(f"{answer!r} is no {kind} that can be chosen", "608.2d")
    return answer


def divide(
    game: Game, player: Player, total: int, among: Sequence[Any], prompt: str, source: Object | None = None
) -> dict[int, int]:
    """A division among things, each getting at least one (CR 601.2d): amounts by place in ``among``."""
    if len(among) == 1:
        return {0: total}
    if not among:
        return {}
    answer = ask(game, Question(player, "divide", prompt, tuple(among), total, total, source, same=total == len(among)))
    return check_division(answer, among, total)


def check_division(answer: Any, among: Sequence[Any], total: int, least: int = 1) -> dict[int, int]:
    """The division, by place, if it is legal."""
    found: dict[int, int] = {}
    pairs = list(answer.items()) if hasattr(answer, "items") else list(answer)
    for thing, n in pairs:
        places = [index for index, other in enumerate(among) if other is thing]
        if not places or not isinstance(n, int) or n < least:
            raise Refused("that is not a legal division", "601.2d")
        found[places[0]] = n
    if sum(found.values()) != total or (least and len(found) != len(among)):
        raise Refused("that is not a legal division", "601.2d")
    return found
