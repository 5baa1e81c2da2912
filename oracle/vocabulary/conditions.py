"""Conditions: what "if" and "as long as" may ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from judgecall.oracle.definitions import Filter, Node
from judgecall.oracle.state import Object, Player
from judgecall.oracle.vocabulary.filters import compare, in_zone
from judgecall.oracle.vocabulary.words import word

if TYPE_CHECKING:
    from judgecall.oracle.vocabulary.context import Context

__all__: list[str] = []


@word("condition", "all", of="conditions")
def all_(ctx: Context, of: tuple[Node, ...]) -> bool:
    """Every one holds."""
    return all(ctx.holds(node) for node in of)


@word("condition", "any", of="conditions")
def any_(ctx: Context, of: tuple[Node, ...]) -> bool:
    """At least one holds."""
    return any(ctx.holds(node) for node in of)


@word("condition", "not", of="lazy condition")
def not_(ctx: Context, of: Node) -> bool:
    """It does not hold."""
    return not ctx.holds(of)


@word("condition", "exists", filter="filter", n="amount=1")
def exists(ctx: Context, filter: Filter, n: int) -> bool:
    """At least so many objects are as described."""
    return len(ctx.all(filter)) >= n


@word("condition", "compare", amount="lazy amount", to="comparison")
def compare_(ctx: Context, amount: Any, to: Any) -> bool:
    """A number stands in these relations."""
    return compare(ctx, ctx.amount(amount), to)


@word("condition", "this is", filter="filter")
def this_is(ctx: Context, filter: Filter) -> bool:
    """The source is as described, where it is now or was last."""
    return ctx.this is not None and ctx.matches(filter, ctx.this)


@word("condition", "since last upkeep", objects="objects")
def since_last_upkeep(ctx: Context, objects: list[Any]) -> bool:
    """These came under the control of "you" since the beginning of that player's last upkeep (CR 702.30a)."""
    before, _ = ctx.game.history.get("upkeep began", {}).get(ctx.you.name, (None, None))
    return before is None or all(thing.control_stamp > before for thing in objects)


@word("condition", "this in", zone="text")
def this_in(ctx: Context, zone: str) -> bool:
    """The source is in that zone, the same object."""
    return ctx.this is not None and not ctx.this.gone and in_zone(ctx.this, zone)


@word("condition", "is", objects="objects", filter="filter", all_="bool=true")
def is_(ctx: Context, objects: list[Any], filter: Filter, all_: bool) -> bool:
    """What a reference names is there, and as described."""
    if not objects:
        return False
    found = [
        isinstance(thing, Object) and not thing.phased_out and ctx.matches(filter, thing)  # CR 702.26b, 702.26f
        for thing in objects
    ]
    return all(found) if all_ else any(found)


@word("condition", "did", name="text")
def did(ctx: Context, name: str) -> bool:
    """An earlier instruction did something, or was chosen: "if you do" (CR 118.12)."""
    return bool(ctx.results.get(name))


@word("condition", "kicked", with_="text=")
def kicked(ctx: Context, with_: str | None) -> bool:
    """The spell was kicked (with this kicker) (CR 702.33d, 607.2i)."""
    found: Mapping[str, int] = _cast(ctx).get("kicked", {})
    if with_ is not None:
        return found.get(with_, 0) > 0
    return sum(found.values()) > 0


def _cast(ctx: Context) -> Any:
    if ctx.stack is not None and ctx.stack.kind != "ability":
        return ctx.stack.cast
    return ctx.this.cast if ctx.this is not None else {}


@word("condition", "paid", what="text", instance="raw=")
def paid(ctx: Context, what: str, instance: Any) -> bool:
    """An optional additional or alternative cost was paid (``buyback``, ``flashback``, ``evoke`` …).

    ``instance``: that of this instance of a keyword, and no other (CR 702.78b).
    """
    if instance is not None:
        return any(cost is instance for cost, _ in _cast(ctx).get("additions", ()))
    return what in _cast(ctx).get("using", ())


@word("condition", "cast from", zones="words")
def cast_from(ctx: Context, zones: tuple[str, ...]) -> bool:
    """The spell was cast from one of these zones."""
    return _cast(ctx).get("from") in zones


@word("condition", "was cast")
def was_cast(ctx: Context) -> bool:
    """The object was cast, not put there."""
    return bool(_cast(ctx).get("from"))


@word("condition", "your turn")
def your_turn(ctx: Context) -> bool:
    """It is the turn of "you"."""
    return ctx.game.active is ctx.you


@word("condition", "turn of", who="players")
def turn_of(ctx: Context, who: list[Player]) -> bool:
    """It is the turn of one of these players."""
    return ctx.game.active in who


@word("condition", "step", names="words")
def step(ctx: Context, names: tuple[str, ...]) -> bool:
    """It is one of these steps or phases (``main``, ``combat`` for all of theirs)."""
    from judgecall.oracle import turn

    return any(turn.is_in(ctx.game, name) for name in names)


@word("condition", "before", step="text")
def before(ctx: Context, step: str) -> bool:
    """That step of the turn's first combat phase is yet to begin (CR 506.7)."""
    from judgecall.oracle import turn

    return turn.is_before(ctx.game, step)


@word("condition", "chosen", what="text", is_="text")
def chosen(ctx: Context, what: str, is_: str) -> bool:
    """What was chosen for the source."""
    from judgecall.oracle import linking

    return str(linking.chosen(ctx.game, ctx.this, what)) == is_


@word("condition", "day night", value="text")
def day_night(ctx: Context, value: str) -> bool:
    """It is day, or night (CR 731); ``neither`` where it is neither."""
    return (ctx.game.day_night or "neither") == value


@word("condition", "same", one="objects", other="objects")
def same(ctx: Context, one: list[Any], other: list[Any]) -> bool:
    """Two references name a common thing."""
    return any(a is b for a in one for b in other)


@word("condition", "player", who="players", is_="players")
def player(ctx: Context, who: list[Player], is_: list[Player]) -> bool:
    """A player is among others."""
    return any(found in is_ for found in who)


@word("condition", "history", what="recorded", who="players=", filter="filter=")
def history(ctx: Context, what: str, who: list[Player] | None, filter: Filter | None) -> bool:
    """Something happened this turn (see the amount ``happened``)."""
    ctx.game.trace.cite("608.2i")
    for thing, _ in ctx.game.history.get(what, ()):
        if isinstance(thing, Player):
            if who is None or thing in who:
                return True
        elif (filter is None or ctx.matches(filter, thing)) and (who is None or thing.controller in who):
            return True
    return False


@word("condition", "noted", what="text")
def noted(ctx: Context, what: str) -> bool:
    """Something is noted of the source this turn (``attacked`` …), or in this combat (``blocked this combat``)."""
    return ctx.this is not None and bool(ctx.this.notes.get(what))


@word("condition", "player noted", what="text", who="players=you")
def player_noted(ctx: Context, what: str, who: list[Player]) -> bool:
    """Something is noted of a player this turn (``exhausted``: has activated an exhaust ability, CR 702.177b)."""
    if what == "exhausted":
        ctx.game.trace.cite("702.177b")
    return any(found.notes.get(what) for found in who)


@word("condition", "flag", what="text")
def flag(ctx: Context, what: str) -> bool:
    """The source has a designation (``monstrous`` …)."""
    return ctx.this is not None and bool(ctx.this.flags.get(what))


@word("condition", "player flag", what="text", who="players=you")
def player_flag(ctx: Context, what: str, who: list[Player]) -> bool:
    """A player has a designation (``monarch``, ``city's blessing`` …)."""
    return any(found.flags.get(what) for found in who)


@word("condition", "still", objects="objects")
def still(ctx: Context, objects: list[Any]) -> bool:
    """What a reference names is all where it was."""
    return bool(objects) and all(not (isinstance(thing, Object) and thing.gone) for thing in objects)


@word("condition", "controls", objects="objects", who="players=you")
def controls(ctx: Context, objects: list[Any], who: list[Player]) -> bool:
    """These players control what a reference names: it is on the battlefield and phased in (CR 611.2b, 702.26f)."""
    return bool(objects) and all(
        thing.zone == "battlefield" and not thing.gone and not thing.phased_out and thing.controller in who
        for thing in objects
    )


@word("condition", "some player", who="players", such_that="lazy condition")
def some_player(ctx: Context, who: list[Player], such_that: Node) -> bool:
    """A condition holds of at least one of these players, ``each`` in it."""
    return any(ctx.having(each=player).holds(such_that) for player in who)


@word("condition", "solitary attacker")
def solitary_attacker(ctx: Context) -> bool:
    """Only one creature attacks (CR 506.5)."""
    return sum(1 for thing in ctx.game.battlefield if thing.attacking is not None) == 1


@word("condition", "source of that", filter="filter")
def source_of_that(ctx: Context, filter: Filter) -> bool:
    """The source of the triggering or replaced event is as described (CR 609.7)."""
    found = ctx.event.get("source")
    return isinstance(found, Object) and ctx.matches(filter, found)


@word("condition", "always")
def always(ctx: Context) -> bool:
    """It holds."""
    return True


@word("condition", "distinct names", objects="objects")
def distinct_names(ctx: Context, objects: list[Any]) -> bool:
    """No two of these share a name."""
    from judgecall.oracle import layers
    from judgecall.oracle import objects as objects_

    seen: set[str] = set()
    for thing in objects:
        own = set(objects_.names(thing, layers.of(ctx.game, thing)))
        if own & seen:
            return False
        seen |= own
    return True
