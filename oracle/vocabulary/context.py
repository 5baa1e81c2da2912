"""What a word needs to know when it is evaluated: whose ability it is, its targets, X, the event that triggered it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from judgecall.oracle.definitions import Filter, Node
from judgecall.oracle.state import NOTHING, Game, Object, Player
from judgecall.oracle.vocabulary.words import evaluate

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Context"]


class Context:
    """The surroundings of an effect, a condition or a filter.

    ``this`` is the object whose ability it is (as it last was, if it is gone), ``stack`` the spell or ability that
    resolves, ``groups`` its targets that are still legal, ``event`` what the triggering event was about, ``results``
    what earlier instructions did, ``paid`` what costs were paid with.
    """

    __slots__ = ("each", "event", "game", "groups", "paid", "results", "stack", "this", "x", "you")

    def __init__(
        self,
        game: Game,
        you: Player,
        this: Object | None,
        *,
        stack: Object | None = None,
        groups: tuple[tuple[Any, ...], ...] = (),
        x: int = 0,
        event: Mapping[str, Any] = NOTHING,
        paid: Mapping[str, Any] = NOTHING,
        results: dict[str, Any] | None = None,
        each: Any = None,
    ) -> None:
        self.game = game
        self.you = you
        self.this = this
        self.stack = stack
        self.groups = groups
        self.x = x
        self.event = event
        self.paid = paid
        self.results: dict[str, Any] = {} if results is None else results
        self.each = each

    def having(self, **changes: Any) -> Context:
        """The same surroundings with some of them changed; results are shared unless given."""
        made = Context(
            self.game,
            self.you,
            self.this,
            stack=self.stack,
            groups=self.groups,
            x=self.x,
            event=self.event,
            paid=self.paid,
            results=self.results,
            each=self.each,
        )
        for name, value in changes.items():
            setattr(made, name, value)
        return made

    # -- values ----------------------------------------------------------------------------------------------

    def value(self, type: str, node: Any) -> Any:
        """A parameter of an eager type, evaluated."""
        if type == "amount":
            return self.amount(node)
        if type == "objects":
            return self.objects(node)
        return self.players(node)

    def amount(self, node: Node | int) -> int:
        """A number (CR 107)."""
        if isinstance(node, int):
            return node
        return int(evaluate("amount", node, self))

    def objects(self, node: Node) -> list[Any]:
        """Objects, and players where the reference is one that may be either (targets)."""
        return list(evaluate("objects", node, self))

    def object(self, node: Node) -> Any | None:
        """The first object of a reference, or None."""
        found = self.objects(node)
        return found[0] if found else None

    def players(self, node: Node) -> list[Player]:
        """Players, in APNAP order where there are several."""
        return list(evaluate("players", node, self))

    def holds(self, node: Node | None) -> bool:
        """Whether a condition holds; none holds always."""
        return node is None or bool(evaluate("condition", node, self))

    def matches(self, filter: Filter | None, thing: Any) -> bool:
        """Whether an object is as a filter describes (its zone is not looked at)."""
        from judgecall.oracle import layers

        if filter is None:
            return True
        if not isinstance(thing, Object):
            return False
        characteristics = layers.of(self.game, thing)
        for name, value in filter.tests:
            if not evaluate("test", Node(name, {"value": value}), self, characteristics, thing):
                return False
        return True

    def all(self, filter: Filter) -> list[Object]:
        """Every object in the filter's zone (by default the battlefield) that it describes."""
        return [thing for thing in self.pool(filter.zone) if self.matches(filter, thing)]

    def choosable(self, filter: Filter) -> list[Object]:
        """The same, without what just enters the battlefield from there: that is counted, not chosen (CR 614.13a)."""
        found, entering = self.all(filter), self.game.fresh.get("entering", ())
        if not any(thing.id in entering for thing in found):
            return found
        self.game.trace.cite("614.13a")
        return [thing for thing in found if thing.id not in entering]

    def pool(self, zone: str | None) -> Iterable[Object]:
        """The objects of a zone, of all players; ``anywhere`` is every zone."""
        game = self.game
        if zone is None or zone == "battlefield":
            return [thing for thing in game.battlefield if not thing.phased_out]
        if zone == "spells":
            return [thing for thing in game.stack if thing.kind != "ability"]
        if zone in ("stack", "exile", "command"):
            return list(getattr(game, zone))
        if zone == "anywhere":
            return [thing for name in _ZONES for thing in self.pool(name)]
        return [thing for player in game.in_game() for thing in getattr(player, zone)]


_ZONES = ("battlefield", "stack", "graveyard", "exile", "hand", "library", "command")
