"""Decisions: one typed question, put to the agent that the game was given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from judgecall.oracle.state import Object, Player

__all__ = ["Agent", "Question", "Refused"]


class Refused(Exception):
    """The rules refuse an action or an answer. ``rule`` is the number, ``stage`` where in CR 601.2 it failed.

    ``also``: further rules that have a part in it, such as that of the keyword that a cost comes from.
    """

    def __init__(self, message: str, rule: str, stage: str | None = None, also: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.rule = rule
        self.stage = stage
        self.also = also


@dataclass(frozen=True, slots=True)
class Question:
    """Who decides, what kind of decision, among which options, how many.

    ``same``: all answers lead to the same, so that nobody need be asked. What an answer is depends on ``kind``; see
    the engine interface for the words. Options are objects, players, numbers or words.
    """

    player: Player
    kind: str
    prompt: str
    options: tuple[Any, ...] = ()
    minimum: int = 0
    maximum: int = 0
    source: Object | None = None
    same: bool = False
    ordered: bool = False
    details: Mapping[str, Any] | None = None


class Agent(Protocol):
    """Whoever answers."""

    def decide(self, question: Question) -> Any:
        """The answer. An answer that the question does not allow is refused by who asked."""
        ...
