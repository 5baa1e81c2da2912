"""Which events a replacement effect watches (CR 614.1, 614.2, 615.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judgecall.oracle.definitions import Filter, Node
from judgecall.oracle.state import Object, Player
from judgecall.oracle.vocabulary.filters import in_zone
from judgecall.oracle.vocabulary.words import word

if TYPE_CHECKING:
    from judgecall.oracle.events import Event
    from judgecall.oracle.vocabulary.context import Context

__all__: list[str] = []

Bindings = dict[str, Any]


@word(
    "replace",
    "moves",
    filter="filter",
    from_="words=",
    to="words=",
    not_to="words=",
    cause="words=",
    owner="lazy players=",
)
def moves(
    ctx: Context,
    event: Event,
    filter: Filter,
    from_: Any,
    to: Any,
    not_to: Any,
    cause: Any,
    owner: Node | None,
) -> Bindings | None:
    """Something as described would go from a zone to another."""
    if event.kind != "move" or event.obj is None or event.obj.gone:
        return None
    if (from_ and event.obj.zone not in from_) or (to and event.to not in to) or (not_to and event.to in not_to):
        return None
    if cause and event.cause not in cause:
        return None
    if owner is not None and event.obj.owner not in ctx.players(owner):
        return None
    return {} if ctx.matches(filter, event.obj) else None


@word("replace", "dies", filter="filter")
def dies(ctx: Context, event: Event, filter: Filter) -> Bindings | None:
    """A permanent as described would die (CR 700.4)."""
    if event.kind != "move" or event.obj is None or event.obj.zone != "battlefield" or event.to != "graveyard":
        return None
    return {} if ctx.matches(filter, event.obj) else None


@word("replace", "leaves stack", filter="filter=")
def leaves_stack(ctx: Context, event: Event, filter: Filter | None) -> Bindings | None:
    """The spell would leave the stack for anywhere but exile."""
    if event.kind != "move" or event.obj is None or event.obj.zone != "stack" or event.to == "exile":
        return None
    return {} if filter is None or ctx.matches(filter, event.obj) else None


@word("replace", "enters", filter="filter", from_="words=", controller="lazy players=")
def enters(ctx: Context, event: Event, filter: Filter, from_: Any, controller: Node | None) -> Bindings | None:
    """Something as described would enter the battlefield."""
    new = event.new
    if event.kind not in ("move", "token") or event.to != "battlefield" or new is None:
        return None
    if from_ and (event.obj is None or event.obj.zone not in from_):
        return None
    if controller is not None and new.controller not in ctx.players(controller):
        return None
    return {"that": new} if ctx.matches(filter, new) else None


@word("replace", "destroy", filter="filter")
def destroy(ctx: Context, event: Event, filter: Filter) -> Bindings | None:
    """Something as described would be destroyed (CR 701.8)."""
    return {} if event.kind == "destroy" and ctx.matches(filter, event.obj) else None


@word("replace", "regenerates", filter="filter=")
def regenerates(ctx: Context, event: Event, filter: Filter | None) -> Bindings | None:
    """It would be destroyed, and may be regenerated (CR 701.19)."""
    if event.kind != "destroy" or event.details.get("no regeneration"):
        return None
    return {} if filter is None or ctx.matches(filter, event.obj) else None


@word("replace", "draw", who="lazy players=you", not_first_in_draw_step="bool=false")
def draw(ctx: Context, event: Event, who: Node, not_first_in_draw_step: bool) -> Bindings | None:
    """A player would draw a card."""
    if event.kind != "draw" or event.player not in ctx.players(who):
        return None
    if not_first_in_draw_step and event.cause == "draw step":
        return None
    return {"player": event.player}


@word(
    "replace",
    "damage",
    source="filter=",
    to="filter=",
    players="lazy players=",
    combat="bool=",
    min_="lazy amount=",
)
def damage(
    ctx: Context, event: Event, source: Filter | None, to: Filter | None, players: Node | None, combat: bool | None,
    min_: Any,
) -> Bindings | None:  # fmt: skip
    """A source as described would deal damage to something as described, or to a player."""
    if event.kind != "damage" or (combat is not None and bool(event.details.get("combat")) != combat):
        return None
    if source is not None and not ctx.matches(source, event.source):
        return None
    if min_ is not None and event.amount < ctx.amount(min_):
        return None
    about = event.about
    if to is not None or players is not None:
        fits = isinstance(about, Player) and players is not None and about in ctx.players(players)
        fits = fits or (isinstance(about, Object) and to is not None and ctx.matches(to, about))
        if not fits:
            return None
    return {}


@word(
    "replace",
    "shielded damage",
    source="raw=",
    to="raw=",
    combat="raw=",
    players="raw=",
    who="raw=",
    objects="raw=",
    from_objects="raw=",
)
def shielded_damage(
    ctx: Context,
    event: Event,
    source: Any,
    to: Any,
    combat: Any,
    players: Any,
    who: Any,
    objects: Any,
    from_objects: Any,
) -> Bindings | None:
    """What a prevention effect made by ``prevent`` watches: settled objects and players, or descriptions."""
    if event.kind != "damage" or (combat is not None and bool(event.details.get("combat")) != combat):
        return None
    if from_objects is not None and not any(_is_or_became(thing, event.source) for thing in from_objects):
        return None
    if source is not None:
        if from_objects is not None:
            ctx.game.trace.cite("609.7b")
        if not ctx.matches(source, event.source):
            return None
    about = event.about
    if objects is None and to is None and who is None:
        return {}
    if objects is not None and any(about is thing for thing in objects):
        return {}
    if who is not None and any(about is player for player in who):
        return {}
    return {} if to is not None and isinstance(about, Object) and ctx.matches(to, about) else None


def _is_or_became(thing: Object, source: Object | None) -> bool:
    """A source that was chosen, or the permanent that a spell has become which was chosen (CR 609.7a)."""
    return thing is source or (
        source is not None and source.was is thing and thing.zone == "stack" and source.zone == "battlefield"
    )


@word("replace", "gain life", who="lazy players=you")
def gain_life(ctx: Context, event: Event, who: Node) -> Bindings | None:
    """A player would gain life."""
    return {"player": event.player} if event.kind == "gain life" and event.player in ctx.players(who) else None


@word("replace", "lose life", who="lazy players=you", from_damage="bool=", by_paying="bool=")
def lose_life(
    ctx: Context, event: Event, who: Node, from_damage: bool | None, by_paying: bool | None
) -> Bindings | None:
    """A player would lose life."""
    if event.kind != "lose life" or event.player not in ctx.players(who):
        return None
    if from_damage is not None and (event.cause == "damage") != from_damage:
        return None
    if by_paying is not None and (event.cause == "pay") != by_paying:
        return None
    return {"player": event.player}


# Counters that no effect puts: paid as a cost, a turn-based action (CR 714.3c), a result of combat damage (CR 120.3).
_NO_EFFECT = frozenset({"cost", "turn-based", "combat damage"})


@word(
    "replace", "counters", kind="text=", on="filter=", players="lazy players=", by="lazy players=",
    by_effect="bool=false",
)  # fmt: skip
def counters(
    ctx: Context, event: Event, kind: str | None, on: Filter | None, players: Node | None, by: Node | None,
    by_effect: bool,
) -> Bindings | None:  # fmt: skip
    """Counters (of a kind) would be put on a permanent as described, or given to players.

    ``by effect``: an effect puts them (CR 609.1), if only another replacement effect that has changed how many
    (CR 614.16).
    """
    if event.kind != "counters" or (kind is not None and event.details["kind"] != kind):
        return None
    if by is not None and (event.by is None or event.by not in ctx.players(by)):
        return None
    if by_effect and event.cause in _NO_EFFECT:
        if not event.applied:
            return None
        ctx.game.trace.cite("614.16")
    if event.obj is not None:
        fits = on is not None and in_zone(event.obj, on.zone or "battlefield") and ctx.matches(on, event.obj)
        return {} if fits else None
    return {} if players is not None and event.player in ctx.players(players) else None


@word("replace", "pay life", who="lazy players=you")
def pay_life(ctx: Context, event: Event, who: Node) -> Bindings | None:
    """A player would pay life (CR 119.4)."""
    return {"player": event.player} if event.kind == "pay life" and event.player in ctx.players(who) else None


@word("replace", "counter spell", filter="filter=", by="lazy players=you")
def counter_spell(ctx: Context, event: Event, filter: Filter | None, by: Node) -> Bindings | None:
    """A spell or ability that a player controls would counter a spell as described (CR 701.6)."""
    if event.kind != "move" or event.cause != "counter" or event.by not in ctx.players(by):
        return None
    return {} if filter is None or ctx.matches(filter, event.obj) else None


@word("replace", "create", who="lazy players=you")
def create(ctx: Context, event: Event, who: Node) -> Bindings | None:
    """Tokens would be created under a player's control."""
    return {"player": event.player} if event.kind == "create" and event.player in ctx.players(who) else None


@word("replace", "discard", who="lazy players=you", by_opponent="bool=", filter="filter=")
def discard(ctx: Context, event: Event, who: Node, by_opponent: bool | None, filter: Filter | None) -> Bindings | None:
    """A player would discard a card."""
    if event.kind != "discard" or event.player not in ctx.players(who):
        return None
    if by_opponent and (event.source is None or event.source.controller is event.player):
        return None
    return {} if filter is None or ctx.matches(filter, event.obj) else None


@word("replace", "untap", filter="filter", in_untap_step="bool=")
def untap(ctx: Context, event: Event, filter: Filter, in_untap_step: bool | None) -> Bindings | None:
    """Something as described would untap."""
    if event.kind != "untap" or (in_untap_step is not None and (event.cause == "untap step") != in_untap_step):
        return None
    return {} if ctx.matches(filter, event.obj) else None


@word("replace", "step", name="text", of="lazy players=you")
def step(ctx: Context, event: Event, name: str, of: Node) -> Bindings | None:
    """A step or phase of a player's turn would begin."""
    if event.kind != "step" or event.details["step"] != name or event.player not in ctx.players(of):
        return None
    return {"player": event.player}


@word("replace", "lose game", who="lazy players=you")
def lose_game(ctx: Context, event: Event, who: Node) -> Bindings | None:
    """A player would lose the game."""
    return {"player": event.player} if event.kind == "lost" and event.player in ctx.players(who) else None


@word("replace", "mill", who="lazy players=you")
def mill(ctx: Context, event: Event, who: Node) -> Bindings | None:
    """A player would mill a card."""
    return {"player": event.player} if event.kind == "mill" and event.player in ctx.players(who) else None


@word("replace", "mana", filter="filter=", who="lazy players=you")
def mana(ctx: Context, event: Event, filter: Filter | None, who: Node) -> Bindings | None:
    """A permanent as described would produce mana."""
    if event.kind != "mana" or event.player not in ctx.players(who):
        return None
    return {"player": event.player} if filter is None or ctx.matches(filter, event.source) else None
