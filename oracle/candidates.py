"""A replacement effect that would apply to an event (CR 616.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from judgecall.oracle.state import Object, Player

if TYPE_CHECKING:
    from judgecall.oracle.events import Event

__all__ = ["Candidate"]


@dataclass(slots=True, eq=False)
class Candidate:
    """A replacement effect that would apply to an event."""

    key: Any
    source: Object | None
    order: int
    apply: Callable[[Event], list[Event]]
    result: Any = None
    """Two candidates with the same result need no choice."""
    chooser: Player | None = None
    holder: Object | None = None
    """What has the ability, where something else gave it: its effect is either's."""
