"""A base for adapters in Python: what is not filled in says ``unsupported``, and no more is asked of it.

>>> class Mine(Adapter):
...     name = "mine"
>>> Mine().describe().name
'mine'
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from judgecall.adapters.engine import (
    Action,
    Activate,
    Cast,
    Concede,
    Decide,
    Description,
    Engine,
    Illegal,
    Pass,
    Play,
    TurnFaceUp,
    Unsupported,
    View,
)
from judgecall.adapters.features import state_features
from judgecall.schema.model import ZONES, Given

__all__ = ["Adapter"]


class Adapter(Engine):
    """An engine of which nothing is known yet.

    Fill in `set_up` and `view`, then one action after another. Where a method cannot do what is asked of it, let it
    raise `Unsupported`; where the rules forbid it, `Illegal`. Questions go to ``self.decide``. Whether something is
    legal need not be answered: judgecall tries it, and plays the case again from its start.
    """

    name: ClassVar[str] = ""
    """The engine's name; '': that of the class."""
    version: ClassVar[str] = "0"
    capabilities: ClassVar[frozenset[str]] = frozenset()
    cards: ClassVar[Collection[str] | None] = None
    """The cards that it knows; a state with others is ``unsupported`` before `set_up`. None: `set_up` finds out."""
    builds: ClassVar[Collection[str]] = ()
    """What `set_up` can build beyond cards in zones, of `judgecall.adapters.features.FEATURES`; the rest is
    ``unsupported`` before `set_up` is called."""

    state: Any = None
    """Where the game is, if it is kept here: an action that turns out illegal is taken back by a copy of it."""
    decide: Decide

    def describe(self) -> Description:
        """Say who this is."""
        return Description(
            name=self.name or type(self).__name__,
            version=self.version,
            language="Python",
            capabilities=self.capabilities,
        )

    def start(self, given: Given, decide: Decide) -> None:
        """Build a starting state, if all of it can be built."""
        self.decide = decide
        for player in given.players:
            for zone in ZONES:
                for each in getattr(player, zone):
                    if each.card and self.cards is not None and each.card not in self.cards:
                        raise Unsupported("card", each.card)
        for feature in sorted(state_features(given)):
            if feature not in self.builds:
                raise Unsupported("state", feature)
        self.set_up(given)

    def supports(self, kind: str, names: Sequence[str]) -> frozenset[str] | None:
        """Say which of these are among `cards`, or among `builds`."""
        if kind == "card" and self.cards is not None:
            return frozenset(self.cards) & frozenset(names)
        return frozenset(self.builds) & frozenset(names) if kind == "state" else None

    def set_up(self, given: Given) -> None:
        """Build a starting state, in which the active player has priority."""
        raise Unsupported("command", "setup")

    def act(self, action: Action) -> None:
        """Carry out an action, and take it back if it turns out illegal."""
        before = self.snapshot()
        try:
            self._act(action)
        except Illegal:
            self.restore(before)
            raise

    def _act(self, action: Action) -> None:
        if isinstance(action, Cast):
            self.cast(action)
        elif isinstance(action, Activate):
            self.activate(action)
        elif isinstance(action, Play):
            self.play(action)
        elif isinstance(action, TurnFaceUp):
            self.turn_face_up(action)
        elif isinstance(action, Pass):
            self.pass_priority(action.player)
        elif isinstance(action, Concede):
            self.concede(action.player)

    def snapshot(self) -> Any:
        """What `restore` needs to take an action back. An engine that can do that itself overrides both."""
        return copy.deepcopy(self.state)

    def restore(self, before: Any) -> None:
        """Make the game what it was at a `snapshot`."""
        self.state = before

    def cast(self, action: Cast) -> None:
        """Cast a spell (CR 601)."""
        raise Unsupported("action", "cast")

    def activate(self, action: Activate) -> None:
        """Activate an ability (CR 602)."""
        raise Unsupported("action", "activate")

    def play(self, action: Play) -> None:
        """Play a land (CR 305)."""
        raise Unsupported("action", "play")

    def turn_face_up(self, action: TurnFaceUp) -> None:
        """Turn a permanent face up, the special action (CR 116.2b)."""
        raise Unsupported("action", "turn face up")

    def pass_priority(self, player: str) -> None:
        """Pass priority once; when all have passed, resolve the top of the stack or go on to the next step."""
        raise Unsupported("action", "pass")

    def concede(self, player: str) -> None:
        """Leave the game (CR 104.3a)."""
        raise Unsupported("action", "concede")

    def view(self) -> View:
        """Report the game."""
        raise Unsupported("command", "observe")
