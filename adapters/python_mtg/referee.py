"""One move of python-mtg, carried out by its referee and watched.

`env.step` makes a move, resolves all that comes of it, and goes on to where there is next something to choose. Here
it is held still after the move. What it does unasked is noticed: abilities that trigger, which it resolves without
the stack, and choices of a player that it makes by itself and lets nobody else make.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from judgecall.adapters.engine import Unsupported
from mtg import driver
from mtg.engine import env

__all__ = ["Made", "Move", "State", "Trigger", "Watcher", "make"]

State = dict[str, Any]
Move = tuple[Any, ...]
Trigger = tuple[str, str]
"""An ability that triggered, and its source."""


class Watcher(Protocol):
    """Who answers for the players, and hears of what the engine does."""

    def choose(self, state: State, key: str, options: Any, default: Any) -> Any:
        """Answer a choice that the engine offers."""

    def triggered(self, state: State, triggers: Sequence[Trigger]) -> None:
        """Hear of abilities that trigger at once."""

    def discards(self, number: int) -> None:
        """Hear that a player is to discard so many cards."""

    def aimed(self, ids: Sequence[str]) -> None:
        """Hear what the engine could take as a target, which it takes by itself."""


_UNASKED = {
    "attach": "targets",
    "become_copy": "targets",
    "becomes_color": "targets",
    "bounce_to_lib": "targets",
    "cast_free": "cast",
    "copy_spell": "targets",
    "dig_to_battlefield": "pick",
    "dig_to_hand": "pick",
    "dyn_damage": "targets",
    "earthbend": "targets",
    "exile_gy": "targets",
    "gain_control": "targets",
    "graveyard_to_library": "targets",
    "gy_to_lib": "targets",
    "hand_to_bottom": "pick",
    "hand_to_top": "pick",
    "impulse_opp": "targets",
    "loot_bottom": "pick",
    "proliferate": "pick",
    "reanimate_permanent": "targets",
    "regrowth": "targets",
    "scry": "scry",
    "search_select": "pick",
    "search_to_graveyard": "pick",
    "surveil": "surveil",
    "thrasios_dig": "scry",
    "untap_own": "targets",
    "untap_own_n": "pick",
    "zone_sort": "pick",
}
"""Effects in which a player has a choice that the engine makes by itself, and the question that it would be."""
_UNASKED_DAMAGE = frozenset(("any_target", "creature_any", "creature_opponent"))
"""Kinds of damage whose target it chooses by itself."""


@dataclass(frozen=True, slots=True)
class Made:
    """What came of a move."""

    state: State
    triggers: tuple[Trigger, ...]
    """Abilities that triggered on the way, and have resolved."""
    paid: State | None = None
    """The state in which what was cast or activated was on the engine's stack, its costs paid; None: it never was."""


def make(state: State, move: Move, watcher: Watcher, known: Collection[Trigger] = ()) -> Made:
    """Carry out a move and nothing after it. ``known`` are abilities whose triggering is no news.

    Raises:
        Unsupported: the engine chooses something for a player, who cannot choose otherwise.
    """
    found = list(known)
    paid: list[State] = []
    with _watched(watcher, found, paid):
        made: State = env.step({**state, "_policy": watcher.choose, "_chance": _chance}, move)
    for each in (made, *paid):
        del each["_policy"], each["_chance"]
    return Made(made, tuple(found[len(known) :]), paid[0] if paid else None)


@contextmanager
def _watched(watcher: Watcher, found: list[Trigger], paid: list[State]) -> Iterator[None]:
    """Have functions of the engine tell what they do."""
    apply_effects, damage = driver._apply_effects, driver._apply_damage
    resolve, respond = driver._resolve_stack, driver._cast_instant_response

    def watched_effects(state: State, pending: Any, dynamic: Any = None) -> None:
        fresh = [each for each in sorted(driver.run(state, ["fires"])["fires"]) if each not in found]
        found.extend(fresh)
        if fresh:
            watcher.triggered(state, fresh)
        for _, effect, amount, target, _, controller in pending:
            if effect in _UNASKED:
                raise Unsupported("question", _UNASKED[effect])
            if effect == "discard":
                watcher.discards(int(amount))
            if effect == "grant_flashback" and target != "all":
                watcher.aimed(_spells_in_graveyard(state, controller))
        apply_effects(state, pending, dynamic)

    def watched_damage(state: State, label: str, amount: int, kind: str, controller: str) -> None:
        if kind in _UNASKED_DAMAGE:
            raise Unsupported("question", "targets")
        damage(state, label, amount, kind, controller)

    def watched_stack(state: State, active: str, players: list[str]) -> None:
        if not paid:
            paid.append(driver.clone_state(state))
        resolve(state, active, players)

    def watched_response(state: State, player: str) -> bool:
        if respond(state, player):
            raise Unsupported("action", "decline to respond")
        return False

    def reanimation(state: State, label: str, controller: str, mode: str) -> None:
        raise Unsupported("question", "targets")

    replaced = {
        (env, "_advance_to_decision"): lambda state, max_steps=0: None,
        (driver, "_apply_effects"): watched_effects,
        (driver, "_apply_damage"): watched_damage,
        (driver, "_cast_instant_response"): watched_response,
        (driver, "_resolve_stack"): watched_stack,
        (driver, "_reanimate_one"): reanimation,
    }
    before = {(module, name): getattr(module, name) for module, name in replaced}
    try:
        for (module, name), function in replaced.items():
            setattr(module, name, function)
        yield
    finally:
        for (module, name), function in before.items():
            setattr(module, name, function)


def _spells_in_graveyard(state: State, player: str) -> list[str]:
    spells = {id_ for id_, kind in state["spell_type"] if kind in ("instant", "sorcery")}
    return sorted(
        id_ for (id_,) in state.get("graveyard", ()) if id_ in spells and (player, id_) in state["printed_control"]
    )


def _chance(state: State, key: str, options: Any, weights: Any = None) -> Any:
    """Chance is the case's to decide, and the engine does not tell in our words what it would decide."""
    raise Unsupported("question", key)
