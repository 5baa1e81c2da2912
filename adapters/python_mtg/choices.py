"""What python-mtg asks while it carries out a move: answered from the action, or put to the players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from judgecall.adapters.engine import Activate, Cast, Decide, Illegal, Option, Question, Unsupported
from judgecall.adapters.python_mtg.referee import State, Trigger

__all__ = ["Choices", "flat"]

_MAY = {
    "combat_draw": "may",
    "commander_replacement": "may",
    "discard_draw": "may",
    "may_pay": "pay",
    "spell_you_do": "may",
    "transform": "may",
    "transmute_pay": "pay",
}
"""What it asks for a yes or no, as questions of ours."""
_PICKS = frozenset(
    """amass_army bolster cleanup_discard connive_discard discard learn_discard manifest_dread_pick populate_copy
    sacrifice sacrifice_subtype support""".split()
)
"""What it asks for one object, with the object's controller choosing."""
_TARGETS = frozenset("fight_target move_counter_dst move_counter_src suspect_target target".split())
_ITS_OWN = frozenset(("attackers", "blocks", "teamwork"))
"""Declarations, which come with the move, and an optional cost, which a case that does not mention it declines."""


def flat(value: Any) -> Iterator[str]:
    """The texts in a list of lists."""
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from flat(each)
    else:
        yield str(value)


class Choices:
    """The choices of one move. What the action says of them is used once each."""

    def __init__(
        self,
        action: Cast | Activate | None,
        active: str,
        name: Callable[[str], str],
        ask: Decide,
    ) -> None:
        self._targets = list(flat(action.targets)) if action and action.targets is not None else []
        self._modes = action.modes if action else None
        self._x = action.x if action else None
        self._costs = {key: list(flat(value)) for key, value in action.costs.items()} if action else {}
        self._active = active
        self._name = name
        self._ask = ask
        self._discards = 1
        self._discarded: list[str] = []

    def left(self) -> str | None:
        """What of it the engine has not asked for."""
        if self._targets:
            return "chosen targets"
        if self._modes is not None:
            return "chosen modes"
        if self._x is not None:
            return "x"
        return next((f"chosen costs: {key}" for key, value in self._costs.items() if value), None)

    def choose(self, state: State, key: str, options: Any, default: Any) -> Any:
        """Answer a choice, of which the engine gives a key, the options, and what it would take itself.

        Raises:
            Illegal: what the action says is not on offer.
            Unsupported: it is no question of ours.
        """
        if key in _ITS_OWN:
            return default
        if key in _TARGETS:
            return self._target(options)
        if key in ("modes", "trigger_modes") and self._modes is not None:
            modes, self._modes = frozenset(f"mode{number}" for number in self._modes), None
            return modes
        if key == "x_value" and self._x is not None:
            x, self._x = self._x, None
            if x > default:
                raise Illegal(f"X can be {default} at most", "601.2h", "costs")
            return x
        if self._costs.get(key):
            return self._costs[key].pop(0)
        if key == "discard":
            return self._discard(state, list(options))
        if key in _PICKS:
            (picked,) = self._several("pick", _controller(state, options, self._active), key, list(options), 1)
            return picked
        if key in _MAY or key.startswith("you_do_"):
            return self._ask(Question(self._active, _MAY.get(key, "may"), key))
        raise Unsupported("question", key)

    def _target(self, options: Any) -> str:
        if self._targets:
            wanted = self._targets.pop(0)
            if wanted not in options:
                raise Illegal(f"{self._name(wanted)} is no target that the engine offers", "601.2c", "targets")
            return wanted
        (chosen,) = self._several("targets", self._active, "target", list(options), 1)
        return chosen

    def aimed(self, ids: Sequence[str]) -> None:
        """Hear what could be a target that the engine takes by itself: the only one, or it is unsupported."""
        if len(ids) > 1:
            raise Unsupported("question", "targets")
        if self._targets:
            self._target(ids)
            return
        options = tuple(Option(id_, self._name(id_)) for id_ in ids)
        self._ask(Question(self._active, "targets", "target", options, len(ids), len(ids)))

    def discards(self, number: int) -> None:
        """Hear that a player is to discard so many cards, of which the engine asks for one after another."""
        self._discards = number
        self._discarded = []

    def _discard(self, state: State, hand: list[str]) -> str:
        if not self._discarded:
            player = _controller(state, hand, self._active)
            self._discarded = self._several("pick", player, "discard", hand, min(self._discards, len(hand)))
        return self._discarded.pop(0)

    def _several(self, kind: str, player: str, prompt: str, ids: list[str], number: int) -> list[str]:
        if len(ids) == number:
            return ids
        options = tuple(Option(id_, self._name(id_)) for id_ in ids)
        return list(flat(self._ask(Question(player, kind, prompt, options, number, number))))

    def triggered(self, state: State, triggers: Sequence[Trigger]) -> None:
        """Hear of abilities that trigger at once. The engine resolves them in its order: another is unsupported."""
        controllers = {id_: player for player, id_ in state["printed_control"]}
        for player in sorted(set(controllers.values())):
            own = [each for each in reversed(triggers) if controllers.get(each[1]) == player]
            options = tuple(Option(ability, f"ability of {self._name(source)}", source) for ability, source in own)
            if len(own) > 1:
                question = Question(player, "order", "triggered abilities", options, same=True)
                if list(flat(self._ask(question))) != [ability for ability, _ in own]:
                    raise Unsupported("question", "order")


def _controller(state: State, ids: Any, active: str) -> str:
    """Whose choice it is, of objects that one player controls."""
    return next((str(player) for player, id_ in state["printed_control"] if id_ in ids), active)
