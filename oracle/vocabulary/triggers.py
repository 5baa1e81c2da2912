"""Trigger conditions (CR 603.1): which events, and what the ability may then refer to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from judgecall.oracle.definitions import Filter, Node
from judgecall.oracle.state import Object, Player
from judgecall.oracle.vocabulary.words import REGISTRY, evaluate, word

if TYPE_CHECKING:
    from judgecall.oracle.events import Event
    from judgecall.oracle.vocabulary.context import Context

__all__ = ["KINDS", "LOOKS_BACK", "Bindings", "bind", "trigger"]

KINDS: dict[str, frozenset[str]] = {}
LOOKS_BACK: set[str] = set()
Bindings = Mapping[str, Any]


def bind(ctx: Context, node: Node, event: Event) -> Iterable[Bindings]:
    """What an event gives an ability to refer to; nothing where it is not the triggering event."""
    if node.word == "any of":
        for part in node.args["of"]:
            yield from bind(ctx, part, event)
        return
    if event.kind not in KINDS[node.word]:
        return
    found = evaluate("trigger", node, ctx, event)
    if isinstance(found, list):
        yield from found
    elif found is not None:
        yield found


def trigger(name: str, kinds: str, /, *, back: bool = False, **parameters: str) -> Callable[[Any], Any]:
    """Register a condition with the kinds of event that it watches; ``back``: it looks back in time (CR 603.10)."""
    KINDS[name] = frozenset(kinds.split("|"))
    if back:
        LOOKS_BACK.add(name)
    return word("trigger", name, **parameters)


KINDS["any of"] = frozenset()
REGISTRY.setdefault("trigger", {})


@word("trigger", "any of", of="triggers")
def any_of(ctx: Context, event: Event, of: tuple[Node, ...]) -> Bindings | None:
    """Any of several conditions."""
    raise NotImplementedError


@trigger(
    "enters", "move|token", filter="filter", from_="words=", one_or_more="bool=false", per_player="bool=false",
    who="lazy players=",
)  # fmt: skip
def enters(
    ctx: Context,
    event: Event,
    filter: Filter,
    from_: Any,
    one_or_more: bool,
    per_player: bool,
    who: Node | None,
) -> Bindings | None:
    """A permanent as described enters the battlefield (CR 603.6a)."""
    new = event.new
    if event.to != "battlefield" or new is None or (from_ and event.origin not in from_):
        return None
    if who is not None and new.controller not in ctx.players(who):
        return None
    if not ctx.matches(filter, new):
        return None
    return {"that": new, "entered": new, "player": new.controller}


@trigger("leaves", "move", back=True, filter="filter", to="words=", one_or_more="bool=false")
def leaves(ctx: Context, event: Event, filter: Filter, to: Any, one_or_more: bool) -> Bindings | None:
    """A permanent as described leaves the battlefield (CR 603.6c)."""
    if event.origin != "battlefield" or (to and event.to not in to) or not ctx.matches(filter, event.obj):
        return None
    assert event.obj is not None
    return {"that": event.obj, "player": event.obj.controller}


@trigger("dies", "move", back=True, filter="filter", one_or_more="bool=false", how="words=")
def dies(ctx: Context, event: Event, filter: Filter, one_or_more: bool, how: Any) -> Bindings | None:
    """A permanent as described is put into a graveyard from the battlefield (CR 700.4)."""
    if event.origin != "battlefield" or event.to != "graveyard" or (how and event.cause not in how):
        return None
    if not ctx.matches(filter, event.obj):
        return None
    assert event.obj is not None
    return {"that": event.obj, "player": event.obj.controller, "dead": event.obj}


@trigger(
    "moves", "move", filter="filter", from_="words=", to="words=", one_or_more="bool=false", not_from="words=",
    owner="lazy players=", cause="words=",
)  # fmt: skip
def moves(
    ctx: Context, event: Event, filter: Filter, from_: Any, to: Any, one_or_more: bool, not_from: Any,
    owner: Node | None, cause: Any,
) -> Bindings | None:  # fmt: skip
    """A card as described goes from a zone to another (from anywhere where no zone is said)."""
    new = event.new
    if new is None or (from_ and event.origin not in from_) or (to and event.to not in to):
        return None
    if not_from and event.origin in not_from:
        return None
    if cause and event.cause not in cause:
        return None
    if owner is not None and new.owner not in ctx.players(owner):
        return None
    return {"that": new, "player": new.owner} if ctx.matches(filter, new) else None


@trigger(
    "leaves graveyard",
    "move",
    back=True,
    filter="filter",
    owner="lazy players=each player",
    one_or_more="bool=false",
)
def leaves_graveyard(ctx: Context, event: Event, filter: Filter, owner: Node, one_or_more: bool) -> Bindings | None:
    """A card as described leaves a graveyard: what it was there counts (CR 603.10a)."""
    if event.origin != "graveyard" or event.obj is None or event.obj.owner not in ctx.players(owner):
        return None
    return {"that": event.obj, "player": event.obj.owner} if ctx.matches(filter, event.obj) else None


@trigger("drawn revealed", "reveal", filter="filter")
def drawn_revealed(ctx: Context, event: Event, filter: Filter) -> Bindings | None:
    """A card as described is revealed as it is drawn, as the source's ``reveal drawn`` says (CR 603.11, 607.2)."""
    if event.cause != "drawn" or event.source is not ctx.this or not ctx.matches(filter, event.obj):
        return None
    return {"that": event.obj}


@trigger("cast", "cast", filter="filter", who="lazy players=each player", number="lazy amount=", from_="words=")
def cast(ctx: Context, event: Event, filter: Filter, who: Node, number: Any, from_: Any) -> Bindings | None:
    """A player casts a spell as described (CR 601.2i); ``number``: their so-manieth this turn."""
    if event.player not in ctx.players(who) or not ctx.matches(filter, event.obj):
        return None
    assert event.obj is not None
    if from_ and event.obj.cast.get("from") not in from_:
        return None
    if number is not None:
        own = sum(1 for spell in ctx.game.history.get("cast", ()) if spell.controller is event.player)
        if own != ctx.amount(number):
            return None
    return {"that": event.obj, "player": event.player}


@trigger("you cast this", "cast")
def you_cast_this(ctx: Context, event: Event) -> Bindings | None:
    """This spell itself is cast."""
    if event.obj is not ctx.this or event.obj is None:
        return None
    return {"that": event.obj, "player": event.player, "x": int(event.obj.cast.get("x") or 0)}


@trigger("copied", "copied", filter="filter", who="lazy players=each player")
def copied(ctx: Context, event: Event, filter: Filter, who: Node) -> Bindings | None:
    """A player copies a spell as described (CR 707.10)."""
    if event.player not in ctx.players(who) or not ctx.matches(filter, event.obj):
        return None
    return {"that": event.obj, "player": event.player}


@trigger(
    "deals damage", "damage", filter="filter", to="filter=", player="lazy players=", combat="bool=",
    one_or_more="bool=false", per_player="bool=false", per_source="bool=false", its_target="bool=false",
)  # fmt: skip
def deals_damage(
    ctx: Context, event: Event, filter: Filter, to: Filter | None, player: Node | None, combat: bool | None,
    one_or_more: bool, per_player: bool, per_source: bool, its_target: bool,
) -> Bindings | None:  # fmt: skip
    """A source as described deals damage (CR 603.2g), to objects or players as described, or to a target of its own."""
    if combat is not None and bool(event.details.get("combat")) != combat:
        return None
    if not ctx.matches(filter, event.source):
        return None
    if its_target and not (event.source is not None and _targeted_by(event.source, event.about)):
        return None
    if to is not None or player is not None:
        about = event.about
        fits = isinstance(about, Player) and player is not None and about in ctx.players(player)
        fits = fits or (isinstance(about, Object) and to is not None and ctx.matches(to, about))
        if not fits:
            return None
    return {"that": event.about, "source": event.source, "amount": event.amount, "player": event.player}


def _targeted_by(source: Object, thing: Any) -> bool:
    return any(thing is target for group in source.targets for target in group)


@trigger("is dealt damage", "damage", filter="filter=", player="lazy players=", combat="bool=")
def is_dealt_damage(
    ctx: Context, event: Event, filter: Filter | None, player: Node | None, combat: bool | None
) -> Bindings | None:
    """Something as described, or a player, is dealt damage."""
    if combat is not None and bool(event.details.get("combat")) != combat:
        return None
    about = event.about
    if isinstance(about, Player):
        if player is None or about not in ctx.players(player):
            return None
    elif filter is None or not ctx.matches(filter, about):
        return None
    return {"that": about, "source": event.source, "amount": event.amount, "player": event.player}


@trigger("draws", "move", who="lazy players=you", number="lazy amount=", except_first_in_draw_step="bool=false")
def draws(ctx: Context, event: Event, who: Node, number: Any, except_first_in_draw_step: bool) -> Bindings | None:
    """A player draws a card (CR 121); ``number``: their so-manieth this turn."""
    if event.cause != "draw" or event.obj is None or event.obj.owner not in ctx.players(who):
        return None
    player = event.obj.owner
    if number is not None and player.drawn != ctx.amount(number):
        return None
    if except_first_in_draw_step and ctx.game.step == "draw" and ctx.game.active is player:
        if not player.notes.get("drew in draw step"):
            from types import MappingProxyType

            ctx.game.write(player, "notes", MappingProxyType({**player.notes, "drew in draw step": True}))
            return None
    return {"that": event.new, "player": player}


@trigger("discards", "move", who="lazy players=you", filter="filter=", one_or_more="bool=false")
def discards(ctx: Context, event: Event, who: Node, filter: Filter | None, one_or_more: bool) -> Bindings | None:
    """A player discards a card as described (CR 701.9)."""
    if event.cause != "discard" or event.obj is None or event.obj.owner not in ctx.players(who):
        return None
    return {"that": event.new, "player": event.obj.owner} if ctx.matches(filter, event.obj) else None


@trigger("sacrifices", "move", back=True, who="lazy players=you", filter="filter=", one_or_more="bool=false")
def sacrifices(ctx: Context, event: Event, who: Node, filter: Filter | None, one_or_more: bool) -> Bindings | None:
    """A player sacrifices a permanent as described (CR 701.21)."""
    if event.cause != "sacrifice" or event.obj is None or event.obj.controller not in ctx.players(who):
        return None
    return {"that": event.obj, "player": event.obj.controller} if ctx.matches(filter, event.obj) else None


@trigger("mills", "move", who="lazy players=each player", filter="filter=", one_or_more="bool=false")
def mills(ctx: Context, event: Event, who: Node, filter: Filter | None, one_or_more: bool) -> Bindings | None:
    """A player mills a card as described (CR 701.17)."""
    if event.cause != "mill" or event.new is None or event.new.owner not in ctx.players(who):
        return None
    return {"that": event.new, "player": event.new.owner} if ctx.matches(filter, event.new) else None


@trigger("gains life", "gain life", who="lazy players=you")
def gains_life(ctx: Context, event: Event, who: Node) -> Bindings | None:
    """A player gains life (CR 119.9)."""
    return {"player": event.player, "amount": event.amount} if event.player in ctx.players(who) else None


@trigger("loses life", "lose life", who="lazy players=you", one_or_more="bool=false")
def loses_life(ctx: Context, event: Event, who: Node, one_or_more: bool) -> Bindings | None:
    """A player loses life (CR 119)."""
    return {"player": event.player, "amount": event.amount} if event.player in ctx.players(who) else None


@trigger("begins", "step", step="text", of="lazy players=each player")
def begins(ctx: Context, event: Event, step: str, of: Node) -> Bindings | None:
    """A step or phase of these players' turns begins (CR 603.6, 503.1a)."""
    if event.details["step"] != step or event.player not in ctx.players(of):
        return None
    return {"player": event.player}


@trigger("phase begins", "step", phase="text", of="lazy players=each player")
def phase_begins(ctx: Context, event: Event, phase: str, of: Node) -> Bindings | None:
    """A main phase of either kind begins."""
    if not str(event.details["step"]).endswith(phase) or event.player not in ctx.players(of):
        return None
    return {"player": event.player}


@trigger("turned face up", "face", filter="filter")
def turned_face_up(ctx: Context, event: Event, filter: Filter) -> Bindings | None:
    """A permanent as described is turned face up (CR 708.8)."""
    if event.details["what"] != "up" or not ctx.matches(filter, event.obj):
        return None
    assert event.obj is not None
    return {"that": event.obj, "player": event.obj.controller, "x": int(event.details.get("x", 0))}


@trigger("transforms", "face", filter="filter", into="text=")
def transforms(ctx: Context, event: Event, filter: Filter, into: str | None) -> Bindings | None:
    """A permanent as described transforms (CR 701.27), ``into`` something of that name."""
    from judgecall.oracle import layers

    if event.details["what"] not in ("front", "back") or not ctx.matches(filter, event.obj):
        return None
    assert event.obj is not None
    if into is not None and layers.of(ctx.game, event.obj).name != into:
        return None
    return {"that": event.obj}


@trigger("becomes tapped", "tap", filter="filter", one_or_more="bool=false")
def becomes_tapped(ctx: Context, event: Event, filter: Filter, one_or_more: bool) -> Bindings | None:
    """A permanent as described becomes tapped (CR 603.2e)."""
    return {"that": event.obj} if ctx.matches(filter, event.obj) else None


@trigger("becomes untapped", "untap", filter="filter", one_or_more="bool=false")
def becomes_untapped(ctx: Context, event: Event, filter: Filter, one_or_more: bool) -> Bindings | None:
    """A permanent as described becomes untapped."""
    return {"that": event.obj} if ctx.matches(filter, event.obj) else None


@trigger("tapped for mana", "tapped for mana", filter="filter", who="lazy players=each player")
def tapped_for_mana(ctx: Context, event: Event, filter: Filter, who: Node) -> Bindings | None:
    """A permanent as described is tapped for mana (CR 106.12)."""
    if event.player not in ctx.players(who) or not ctx.matches(filter, event.obj):
        return None
    return {"that": event.obj, "player": event.player, "symbols": event.details.get("symbols", ())}


@trigger(
    "becomes target", "target", filter="filter=", player="lazy players=", by="lazy players=", of="filter=",
    first_each_turn="bool=false",
)  # fmt: skip
def becomes_target(
    ctx: Context, event: Event, filter: Filter | None, player: Node | None, by: Node | None, of: Filter | None,
    first_each_turn: bool,
) -> Bindings | None:  # fmt: skip
    """Something becomes the target of a spell or ability (CR 115.5, 601.2c), ``by`` players, ``of`` what.

    ``first_each_turn``: it has not become a target before in this turn.
    """
    if first_each_turn and sum(1 for thing, _ in ctx.game.history.get("targeted", ()) if thing is event.about) > 1:
        return None
    if isinstance(event.about, Object):
        if filter is None or not ctx.matches(filter, event.about):
            return None
    elif player is None or event.about not in ctx.players(player):
        return None
    assert event.source is not None
    if by is not None and event.source.controller not in ctx.players(by):
        return None
    if of is not None and not ctx.matches(of, event.source):
        return None
    return {"that": event.about, "source": event.source, "player": event.source.controller}


@trigger("counters put", "counters", kind="text=", filter="filter=", by="lazy players=", one_or_more="bool=false")
def counters_put(
    ctx: Context, event: Event, kind: str | None, filter: Filter | None, by: Node | None, one_or_more: bool
) -> Bindings | None:
    """Counters (of a kind) are put on something as described (CR 122.6)."""
    if kind is not None and event.details["kind"] != kind:
        return None
    if event.obj is None or not ctx.matches(filter, event.obj):
        return None
    if by is not None and event.by not in ctx.players(by):
        return None
    return {"that": event.obj, "amount": event.amount}


@trigger("chapter", "counters", numbers="numbers")
def chapter(ctx: Context, event: Event, numbers: tuple[int, ...]) -> list[Bindings]:
    """A chapter ability (CR 714.2b): lore counters bring the number from below a chapter's to it or past it.

    It triggers once for each of its numbers (CR 714.2c).
    """
    from judgecall.oracle import layers, objects

    if event.obj is not ctx.this or event.details["kind"] != "lore" or event.obj is None:
        return []
    after = objects.counters(event.obj, "lore")
    before = after - event.amount
    hit = [n for n in numbers if before < n <= after]
    if event.obj.notes.get("arrived") == ctx.game.turn and layers.of(ctx.game, event.obj).has("read ahead"):
        hit = [n for n in hit if n == after]  # CR 702.155a
    return [{"that": event.obj, "chapter": n} for n in hit]


@trigger("counter removed", "remove counters", kind="text=", filter="filter", last="bool=false")
def counter_removed(ctx: Context, event: Event, kind: str | None, filter: Filter, last: bool) -> Bindings | None:
    """A counter is removed from something as described; ``last``: none is left."""
    from judgecall.oracle import objects

    if (kind is not None and event.details["kind"] != kind) or event.obj is None or not event.amount:
        return None
    if not ctx.matches(filter, event.obj) or (last and objects.counters(event.obj, event.details["kind"])):
        return None
    return {"that": event.obj, "amount": event.amount}


@trigger("countered", "countered", filter="filter=", by="lazy players=")
def countered(ctx: Context, event: Event, filter: Filter | None, by: Node | None) -> Bindings | None:
    """A spell as described is countered by a spell or ability of these players (CR 701.6)."""
    if filter is not None and not ctx.matches(filter, event.obj):
        return None
    if by is not None and (event.by is None or event.by not in ctx.players(by)):
        return None
    return {"that": event.obj, "player": event.by}


@trigger("cycles", "cycle", who="lazy players=you", filter="filter=")
def cycles(ctx: Context, event: Event, who: Node, filter: Filter | None) -> Bindings | None:
    """A player cycles a card (CR 702.29c)."""
    if event.player not in ctx.players(who):
        return None
    if filter is not None and not ctx.matches(filter, event.obj):
        return None
    return {"that": event.obj, "player": event.player}


@trigger("activates", "activate", filter="filter=", who="lazy players=each player", mana="bool=", loyalty="bool=")
def activates(
    ctx: Context, event: Event, filter: Filter | None, who: Node, mana: bool | None, loyalty: bool | None
) -> Bindings | None:
    """A player activates an ability of something as described (CR 602.2)."""
    if event.player not in ctx.players(who) or not ctx.matches(filter, event.source):
        return None
    if mana is not None and bool(event.details.get("mana")) != mana:
        return None
    if loyalty is not None and bool(event.details.get("loyalty")) != loyalty:
        return None
    return {"that": event.obj, "source": event.source, "player": event.player}


@trigger("scries", "scry", who="lazy players=you")
def scries(ctx: Context, event: Event, who: Node) -> Bindings | None:
    """A player scries (CR 701.22)."""
    return {"player": event.player, "amount": event.amount} if event.player in ctx.players(who) else None


@trigger("surveils", "surveil", who="lazy players=you")
def surveils(ctx: Context, event: Event, who: Node) -> Bindings | None:
    """A player surveils (CR 701.25)."""
    return {"player": event.player, "amount": event.amount} if event.player in ctx.players(who) else None


@trigger("searches", "search", who="lazy players=each player")
def searches(ctx: Context, event: Event, who: Node) -> Bindings | None:
    """A player searches their library (CR 701.23)."""
    return {"player": event.player} if event.player in ctx.players(who) else None


@trigger("shuffles", "shuffle", who="lazy players=each player")
def shuffles(ctx: Context, event: Event, who: Node) -> Bindings | None:
    """A player shuffles their library (CR 701.24)."""
    return {"player": event.player} if event.player in ctx.players(who) else None


@trigger("plays land", "play land", who="lazy players=you", filter="filter=")
def plays_land(ctx: Context, event: Event, who: Node, filter: Filter | None) -> Bindings | None:
    """A player plays a land (CR 305)."""
    if event.player not in ctx.players(who) or not ctx.matches(filter, event.new):
        return None
    return {"that": event.new, "player": event.player}


@trigger("becomes attached", "attach", filter="filter", to="filter=")
def becomes_attached(ctx: Context, event: Event, filter: Filter, to: Filter | None) -> Bindings | None:
    """Something as described becomes attached (CR 701.3)."""
    if not ctx.matches(filter, event.obj) or (to is not None and not ctx.matches(to, event.details["to"])):
        return None
    return {"that": event.obj, "source": event.details["to"]}


@trigger("becomes unattached", "unattach|move", back=True, filter="filter")
def becomes_unattached(ctx: Context, event: Event, filter: Filter) -> Bindings | None:
    """Something as described becomes unattached (CR 701.3d)."""
    if event.kind == "move" and (event.origin != "battlefield" or event.obj is None or event.obj.attached_to is None):
        return None
    if not ctx.matches(filter, event.obj):
        return None
    return {
        "that": event.obj,
        "source": event.details.get("from", event.obj.attached_to if event.obj else None),
    }


@trigger("control changes", "control", filter="filter")
def control_changes(ctx: Context, event: Event, filter: Filter) -> Bindings | None:
    """Another player gains control of something as described."""
    return {"that": event.obj, "player": event.player} if ctx.matches(filter, event.obj) else None


@trigger("phases in", "phase in", filter="filter")
def phases_in(ctx: Context, event: Event, filter: Filter) -> Bindings | None:
    """Something as described phases in (CR 702.26c)."""
    return {"that": event.obj} if ctx.matches(filter, event.obj) else None


@trigger("phases out", "phase out", back=True, filter="filter")
def phases_out(ctx: Context, event: Event, filter: Filter) -> Bindings | None:
    """Something as described phases out (CR 702.26c, 603.10a)."""
    return {"that": event.obj} if ctx.matches(filter, event.obj) else None


@trigger("crews", "crew", filter="filter")
def crews(ctx: Context, event: Event, filter: Filter) -> Bindings | None:
    """A creature as described crews a Vehicle (CR 702.122)."""
    return {"that": event.source, "source": event.obj} if ctx.matches(filter, event.source) else None


@trigger("day changes", "day")
def day_changes(ctx: Context, event: Event) -> Bindings | None:
    """Day becomes night or night becomes day (CR 731)."""
    return {}


@trigger("loses the game", "lost", who="lazy players=each player")
def loses_the_game(ctx: Context, event: Event, who: Node) -> Bindings | None:
    """A player loses the game."""
    return {"player": event.player} if event.player in ctx.players(who) else None


@trigger("becomes", "flag", what="text", filter="filter=", who="lazy players=")
def becomes(ctx: Context, event: Event, what: str, filter: Filter | None, who: Node | None) -> Bindings | None:
    """Something gets a designation: monstrous, renowned, monarch …"""
    if event.details["flag"] != what:
        return None
    if who is not None and event.player not in ctx.players(who):
        return None
    if filter is not None and not ctx.matches(filter, event.obj):
        return None
    return {"that": event.about, "player": event.player, "amount": event.amount}


@trigger("expends", "expend", n="lazy amount", who="lazy players=you")
def expends(ctx: Context, event: Event, n: Any, who: Node) -> Bindings | None:
    """A player has spent so much mana this turn (CR 700.14)."""
    if event.player not in ctx.players(who):
        return None
    wanted = ctx.amount(n)
    return {"player": event.player} if event.details["before"] < wanted <= event.details["after"] else None


@trigger(
    "event",
    "choice|explore|clash|coin|roll|regenerated|exploit|train|mentor|forage|discover"
    "|airbend|earthbend|firebend|waterbend",
    name="text",
    filter="filter=",
    who="lazy players=",
)
def event_(ctx: Context, event: Event, name: str, filter: Filter | None, who: Node | None) -> Bindings | None:
    """A keyword action that has a name of its own."""
    if event.kind != name or (filter is not None and not ctx.matches(filter, event.obj)):
        return None
    if who is not None and event.player not in ctx.players(who):
        return None
    return {"that": event.obj, "player": event.player, "amount": event.amount}


@trigger("state", "", condition="lazy condition")
def state(ctx: Context, event: Event, condition: Node) -> Bindings | None:
    """A state of the game (CR 603.8): looked at whenever a player would get priority."""
    return None
