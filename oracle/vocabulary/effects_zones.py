"""Instructions that move cards and permanents between zones (CR 400, 701)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from judgecall.oracle.definitions import Filter
from judgecall.oracle.state import Object, Player
from judgecall.oracle.vocabulary.references import current
from judgecall.oracle.vocabulary.words import word

if TYPE_CHECKING:
    from judgecall.oracle.characteristics import FaceValues
    from judgecall.oracle.events import Event
    from judgecall.oracle.vocabulary.context import Context

__all__: list[str] = []


def happen(ctx: Context, made: list[Event]) -> list[Event]:
    """Through the door."""
    from judgecall.oracle import events

    return events.happen(ctx.game, made)


def event(kind: str, *args: Any, **more: Any) -> Event:
    """An event."""
    from judgecall.oracle import events

    return events.Event(kind, *args, **more)


def source_of(ctx: Context) -> Object | None:
    """The source of an effect: a spell, or the object that an ability is of (CR 609.7)."""
    if ctx.stack is not None and ctx.stack.kind != "ability":
        return ctx.stack
    return ctx.this


def moved(done: list[Event]) -> list[Any]:
    """What moved objects have become."""
    return [item.new for item in done if item.kind in ("move", "token") and item.new is not None]


def holder_of(ctx: Context, thing: Object, under: list[Player] | None) -> Player:
    """Under whose control something is put: "you" unless said (CR 110.2a), one player, or each owner."""
    if not under:
        return ctx.you
    return thing.owner if len(under) > 1 and thing.owner in under else under[0]


def live(things: list[Any]) -> list[Object]:
    """Those that are still there."""
    return [thing for thing in things if isinstance(thing, Object) and not thing.gone and not thing.phased_out]


@word("effect", "draw", n="amount=1", who="players=you")
def draw(ctx: Context, n: int, who: list[Player]) -> list[Any]:
    """Draw cards, one at a time, each player in turn (CR 121.2)."""
    drawn: list[Any] = []
    for player in who:
        for _ in range(max(n, 0)):
            drawn.extend(moved(happen(ctx, [event("draw", player=player, source=source_of(ctx))])))
    return drawn


@word(
    "effect",
    "discard",
    n="amount=1",
    who="players=you",
    filter="filter=",
    random="bool=false",
    all_="bool=false",
    up_to="bool=false",
    chooser="players=",
    what="objects=",
)
def discard(
    ctx: Context, n: int, who: list[Player], filter: Filter | None, random: bool, all_: bool, up_to: bool,
    chooser: list[Player] | None, what: list[Any] | None,
) -> list[Any]:  # fmt: skip
    """Discard cards: all players choose in APNAP order, then all at once (CR 701.9, 101.4)."""
    from judgecall.oracle import chance, choices

    chosen: list[tuple[Player, Any]] = []
    if what is not None:
        chosen = [(thing.owner, thing) for thing in live(what)]
        who = []
    for player in who:
        hand = [card for card in player.hand if ctx.matches(filter, card)]
        if all_:
            picked: list[Any] = hand
        elif random:
            picked = chance.pick_at_random(ctx.game, tuple(hand), n)
        else:
            picker = chooser[0] if chooser else player
            picked = choices.pick(ctx.game, picker, hand, 0 if up_to else n, n, "discard", ctx.this)
        chosen.extend((player, card) for card in picked)
    done = happen(ctx, [event("discard", card, player, source=source_of(ctx), by=player) for player, card in chosen])
    return [item.obj for item in done if item.kind == "move" and item.cause == "discard"]


@word("effect", "mill", n="amount", who="players=you")
def mill(ctx: Context, n: int, who: list[Player]) -> list[Any]:
    """Put the top cards of libraries into graveyards (CR 701.17)."""
    made = [
        event("mill", card, player, source=source_of(ctx))
        for player in who
        for card in player.library_cards[: max(n, 0)]
    ]
    return moved(happen(ctx, made))


@word("effect", "scry", n="amount", who="players=you")
def scry(ctx: Context, n: int, who: list[Player]) -> None:
    """Scry (CR 701.22)."""
    for player in who:
        cards = list(player.library_cards[: max(n, 0)])
        if n > 0:
            top, bottom = _sort(ctx, player, cards, "scry", "bottom")
            rest = tuple(card for card in player.library if not any(card is other for other in cards))
            ctx.game.write(player, "library", (*top, *rest, *bottom))
        if n > 0:
            happen(ctx, [event("scry", player=player, amount=n, rules=("701.22a",))])


def _sort(ctx: Context, player: Player, cards: list[Any], kind: str, away: str) -> tuple[list[Any], list[Any]]:
    from judgecall.oracle import choices
    from judgecall.oracle.agents import Question, Refused

    happen(ctx, [event("reveal", card, details={"to": [player]}) for card in cards])  # looked at (CR 701.20e)
    answer = choices.ask(ctx.game, Question(player, kind, kind, tuple(cards), len(cards), len(cards), ctx.this))
    if not hasattr(answer, "get"):
        raise Refused(f"{kind} is answered with where each card goes", "701.22a")
    top, other = list(answer.get("top", ())), list(answer.get(away, ()))
    choices.check([*top, *other], cards, len(cards), len(cards), "701.22a")
    return top, other


@word("effect", "surveil", n="amount", who="players=you")
def surveil(ctx: Context, n: int, who: list[Player]) -> list[Any]:
    """Surveil (CR 701.25)."""
    gone: list[Any] = []
    for player in who:
        cards = list(player.library_cards[: max(n, 0)])
        if n > 0:
            top, away = _sort(ctx, player, cards, "surveil", "graveyard")
            from judgecall.oracle import events

            gone.extend(moved(happen(ctx, [events.move(card, "graveyard", cause="surveil") for card in away])))
            rest = tuple(card for card in player.library if not any(card is other for other in cards))
            ctx.game.write(player, "library", (*top, *rest))
        if n > 0:
            happen(ctx, [event("surveil", player=player, amount=n, rules=("701.25a",))])
    return gone


@word("effect", "destroy", what="objects", no_regeneration="bool=false")
def destroy(ctx: Context, what: list[Any], no_regeneration: bool) -> list[Any]:
    """Destroy permanents at once (CR 701.8)."""
    made = [
        event(
            "destroy",
            thing,
            thing.controller,
            source=source_of(ctx),
            details={"no regeneration": no_regeneration},
        )
        for thing in live(what)
        if thing.zone == "battlefield"
    ]
    return [item.obj for item in happen(ctx, made) if item.kind == "move"]


@word(
    "effect",
    "exile",
    what="objects",
    face_down="bool=false",
    linked="text=",
    until="text=",
    counters="counters=",
    look="players=",
)
def exile(
    ctx: Context, what: list[Any], face_down: bool, linked: str | None, until: str | None, counters: Any,
    look: list[Player] | None,
) -> list[Any]:  # fmt: skip
    """Exile things (CR 701.13); ``linked``: with the source; ``until``: ``this leaves`` (CR 610.3)."""
    from judgecall.oracle import events, lasting, linking

    details: dict[str, Any] = {}
    if face_down:
        details = {"face_down": "effect", "visible_to": tuple(player.name for player in look or ())}
    if until == "this leaves" and (ctx.this is None or ctx.this.gone):
        return []  # CR 610.3c
    made = [
        events.move(thing, "exile", cause="exile", source=source_of(ctx), **details)
        for thing in live(what)
        if events.contested(ctx.game, thing, "exile", ctx.this)
    ]
    found = [thing for thing in moved(happen(ctx, made)) if thing.zone == "exile"]
    if ctx.this is not None and (linked or until):
        linking.link(ctx.game, ctx.this, linked or "exiled", found)
    if until == "this leaves" and found and ctx.this is not None:
        for zone in dict.fromkeys(thing.was.zone for thing in found if thing.was is not None):
            came = [thing for thing in found if thing.was is not None and thing.was.zone == zone]
            lasting.return_when_leaves(ctx, ctx.this, came, zone)
    for kind, node in (counters or {}).items():
        for thing in found:
            happen(ctx, [event("counters", thing, amount=ctx.amount(node), details={"kind": kind}, by=ctx.you)])
    return found


@word(
    "effect", "put", what="objects", to="text", under="players=", tapped="bool=false", transformed="bool=false",
    counters="counters=", position="place=", attacking="bool=", attach_to="objects=", face_down="face down=",
    reveal="bool=false", random="bool=false", stay_order="bool=false", order_by="players=", becoming="changes=",
    counters_as_on="objects=",
)  # fmt: skip
def put(
    ctx: Context, what: list[Any], to: str, under: list[Player] | None, tapped: bool, transformed: bool, counters: Any,
    position: Any, attacking: Any, attach_to: list[Any] | None, face_down: Any, reveal: bool, random: bool,
    stay_order: bool, order_by: list[Player] | None, becoming: Any, counters_as_on: list[Any] | None,
) -> list[Any]:  # fmt: skip
    """Put things into a zone at once: ``battlefield``, ``hand``, ``graveyard``, ``library`` (with ``position``) …

    ``becoming``: what the permanents are from the moment they enter on (CR 611.2e). ``counters as on``: with the
    counters that something has, or last had.
    """
    from judgecall.oracle import chance, choices, events
    from judgecall.oracle.vocabulary.entering import begins_as_they_enter

    things = live(what)
    if to == "library" and len(things) > 1 and not stay_order:
        if random:
            things = list(chance.shuffled(ctx.game, tuple(things)))
        else:
            ordered: list[Object] = []
            for owner in dict.fromkeys(thing.owner for thing in things):
                cards = [thing for thing in things if thing.owner is owner]
                ordered.extend(choices.order(ctx.game, (order_by or [owner])[0], cards, "the order in the library"))
            things = ordered
        if position != "bottom":
            things = things[::-1]  # the first named ends up on top
    details: dict[str, Any] = {"tapped": tapped}
    if to == "battlefield" and not transformed:
        things = [thing for thing in things if thing.kind != "token"]
    if transformed:
        details["transformed"] = True
    made: list[Event] = []
    for thing in things:
        own: dict[str, Any] = dict(details) if to == "battlefield" else {}
        if to == "battlefield":
            own["controller"] = holder_of(ctx, thing, under)
            if counters:
                own["enter counters"] = {kind: ctx.amount(node) for kind, node in counters.items()}
            for other in counters_as_on or ():
                noted = {kind: n for kind, (n, _) in other.counters.items() if n}
                own["enter counters"] = {**own.get("enter counters", {}), **noted}
            if attach_to is not None:
                own["attach_to"] = attach_to[0] if attach_to else None  # undefined (CR 303.4i)
            if attacking:
                own["attacking"] = attacking
            if face_down is not None:
                own["face_down"], own["face_down_values"] = "effect", _face_down_values(face_down)
        if reveal:
            happen(ctx, [event("reveal", thing)])
        made.append(events.move(thing, to, position=position, cause="put", source=source_of(ctx), **own))
    if becoming:
        with begins_as_they_enter(ctx, things, becoming):
            done = moved(happen(ctx, made))
    else:
        done = moved(happen(ctx, made))
    return [thing for thing in done if thing.zone == to]


def _face_down_values(raw: Any) -> FaceValues:
    """What an effect lists for a thing that it puts face down (CR 708.2a): a type line, or a 2/2 creature."""
    from judgecall.oracle import face_down, objects, tokens

    if not isinstance(raw, Mapping):
        return face_down.values("effect")
    return objects.replaced(tokens.face_from(raw, None), name="")


@word("effect", "shuffle", who="players=you")
def shuffle(ctx: Context, who: list[Player]) -> None:
    """Shuffle libraries (CR 701.24)."""
    happen(ctx, [event("shuffle", player=player) for player in who])


@word("effect", "shuffle into library", what="objects", who="players=")
def shuffle_into_library(ctx: Context, what: list[Any], who: list[Player] | None) -> list[Any]:
    """Shuffle things into their owners' libraries: these are shuffled even if nothing goes there (CR 701.24c–d)."""
    from judgecall.oracle import events

    things = live(what)
    owners = list(dict.fromkeys(thing.owner for thing in what if isinstance(thing, Object)))
    owners.extend(player for player in who or () if player not in owners)
    done = moved(happen(ctx, [events.move(thing, "library", position="bottom", cause="shuffle") for thing in things]))
    happen(ctx, [event("shuffle", player=player) for player in owners])
    return done


@word(
    "effect", "search", filter="filter", n="amount=1", who="players=you", to="text=hand", tapped="bool=false",
    reveal="bool=false", whose="players=", zones="words=library", position="place=", under="players=",
    shuffle="bool=true", all_="bool=false", distinct="bool=false", exact="bool=false", attach_to="objects=",
    then_shuffle_first="bool=false", one_of_each="filters=",
)  # fmt: skip
def search(
    ctx: Context, filter: Filter, n: int, who: list[Player], to: str, tapped: bool, reveal: bool,
    whose: list[Player] | None, zones: tuple[str, ...], position: Any, under: list[Player] | None, shuffle: bool,
    all_: bool, distinct: bool, exact: bool, attach_to: list[Any] | None, then_shuffle_first: bool,
    one_of_each: tuple[Filter, ...] | None,
) -> list[Any]:  # fmt: skip
    """Search (CR 701.23): in a hidden zone one need not find what has a stated quality (CR 701.23b).

    ``one of each``: no more than one card for each of these descriptions.
    """
    from judgecall.oracle import choices, events, layers, objects, searching

    found_all: list[Any] = []
    for player in who:
        for owner in whose if whose is not None else [player]:
            searched = searching.allowed(ctx.game, player, zones)
            looked = searching.cards(ctx.game, player, owner, searched)
            if _undefined(ctx, filter):
                ctx.game.trace.cite("701.23c")
            options = [card for card in looked if ctx.matches(filter, card)]
            public = [card for card in options if card.zone == "graveyard"]
            if all_:
                hidden = [card for card in options if card.zone != "graveyard"]
                picked = public + choices.pick(ctx.game, player, hidden, 0, len(hidden), "find", ctx.this)
            else:
                need = min(n, len(options)) if exact else 0
                picked = choices.pick(ctx.game, player, options, need, n, "find", ctx.this)
            if one_of_each is not None and not _fills(ctx, picked, one_of_each):
                from judgecall.oracle.agents import Refused

                raise Refused("one card of each description", "701.23")
            if distinct:
                names = [name for card in picked for name in objects.names(card, layers.of(ctx.game, card))]
                if len(set(names)) != len(names):
                    from judgecall.oracle.agents import Refused

                    raise Refused("cards with different names", "701.23")
            if reveal:
                happen(ctx, [event("reveal", card) for card in picked])
            if searched:
                happen(ctx, [event("search", player=player)])
            if shuffle and then_shuffle_first and "library" in zones:
                happen(ctx, [event("shuffle", player=owner)])
            details: dict[str, Any] = {}
            if to == "battlefield":
                details = {"tapped": tapped, "controller": under[0] if under else player}
                if attach_to is not None:
                    details["attach_to"] = attach_to[0] if attach_to else None
            if to != "stay":
                found_all.extend(
                    moved(
                        happen(
                            ctx,
                            [events.move(c, to, position=position, cause="put", **details) for c in picked],
                        )
                    )
                )
            else:
                found_all.extend(picked)
            if shuffle and not then_shuffle_first and "library" in zones:
                happen(ctx, [event("shuffle", player=owner)])
    return found_all


def _undefined(ctx: Context, filter: Filter) -> bool:
    """Whether the description is of something like what is not there."""
    return any(name == "same_name_as" and not ctx.objects(value) for name, value in filter.tests)


def _fills(ctx: Context, cards: list[Any], filters: tuple[Filter, ...]) -> bool:
    """Whether each card can stand for a description of its own."""
    if not cards:
        return True
    first, *rest = cards
    return any(
        ctx.matches(filter, first) and _fills(ctx, rest, (*filters[:place], *filters[place + 1 :]))
        for place, filter in enumerate(filters)
    )


@word("effect", "reveal", what="objects", to="players=")
def reveal(ctx: Context, what: list[Any], to: list[Player] | None) -> list[Any]:
    """Reveal cards (CR 701.20)."""
    things = live(what)
    happen(ctx, [event("reveal", thing, details={"to": to} if to else {}) for thing in things])
    return things


@word("effect", "look", what="objects", who="players=you")
def look(ctx: Context, what: list[Any], who: list[Player]) -> list[Any]:
    """Look at cards: they are shown to these players only (CR 701.20e)."""
    things = live(what)
    happen(ctx, [event("reveal", thing, details={"to": who}) for thing in things])
    return things


@word(
    "effect",
    "sacrifice",
    filter="filter=",
    n="amount=1",
    who="players=you",
    what="objects=",
    all_="bool=false",
    up_to="bool=false",
    but="objects=",
)
def sacrifice(
    ctx: Context, filter: Filter | None, n: int, who: list[Player], what: list[Any] | None, all_: bool, up_to: bool,
    but: list[Any] | None,
) -> list[Any]:  # fmt: skip
    """Sacrifice: each player chooses in APNAP order, then all at once (CR 701.21, 101.4)."""
    from judgecall.oracle import choices, statics

    chosen: list[Any] = []
    if what is not None:
        chosen = [thing for thing in live(what) if thing.zone == "battlefield" and thing.controller in who]
    else:
        assert filter is not None
        for player in who:
            options = [
                thing
                for thing in ctx.all(filter)
                if thing.controller is player
                and not statics.forbids(ctx.game, "cant be sacrificed", obj=thing)
                and not (but and any(thing is other for other in but))
            ]
            if ctx.game.fresh.get("entering"):
                ctx.game.trace.cite("614.13b")  # it leaves at once, so that nothing can choose it again
            if all_:
                chosen.extend(options)
            else:
                chosen.extend(choices.pick(ctx.game, player, options, 0 if up_to else n, n, "sacrifice", ctx.this))
    made = [event("sacrifice", thing, thing.controller, source=source_of(ctx), by=thing.controller) for thing in chosen]
    return [item.obj for item in happen(ctx, made) if item.kind == "move"]


@word("effect", "sacrifice it", what="objects", whoever="bool=false")
def sacrifice_it(ctx: Context, what: list[Any], whoever: bool) -> list[Any]:
    """The controller of these, if it is "you", sacrifices them (CR 701.21a); ``whoever``: its controller does."""
    made = [
        event("sacrifice", thing, thing.controller, source=source_of(ctx), by=thing.controller)
        for thing in live(what)
        if thing.zone == "battlefield" and (whoever or thing.controller is ctx.you)
    ]
    return [item.obj for item in happen(ctx, made) if item.kind == "move"]


@word("effect", "counter", what="objects", to="text=graveyard", position="place=")
def counter(ctx: Context, what: list[Any], to: str, position: Any) -> list[Any]:
    """Counter spells and abilities (CR 701.6); ``to``: where the spell goes instead of the graveyard."""
    from judgecall.oracle import stack

    done: list[Any] = []
    for thing in live(what):
        if stack.counter(ctx.game, thing, ctx.you, source_of(ctx), to, position):
            done.append(thing)
    return done


@word("effect", "shuffle pile", what="objects")
def shuffle_pile(ctx: Context, what: list[Any]) -> list[Any]:
    """Shuffle a pile of cards that stay where they are (CR 701.24e-like: their order becomes random)."""
    from judgecall.oracle import chance

    return list(chance.shuffled(ctx.game, tuple(what)))


@word("effect", "card", what="objects")
def card(ctx: Context, what: list[Any]) -> list[Any]:
    """Name things for later instructions: the cards in the zones that they went to."""
    return [found for found in map(current, what) if found is not None]


@word("effect", "remember", what="objects")
def remember(ctx: Context, what: list[Any]) -> list[Any]:
    """Name things for later instructions, as they are now."""
    return list(what)


@word(
    "effect",
    "manage piles",
    what="objects",
    who="players",
    chooser="players=you",
    to="text=hand",
    rest="text=graveyard",
)
def piles(ctx: Context, what: list[Any], who: list[Player], chooser: list[Player], to: str, rest: str) -> list[Any]:
    """One player separates cards where they are into two piles, another names what is in one (CR 700.3, 700.3c)."""
    from judgecall.oracle import choices, events
    from judgecall.oracle.agents import Refused

    things = live(what)
    first = choices.pick(ctx.game, who[0], things, 0, len(things), "one pile", ctx.this)
    second = [thing for thing in things if not any(thing is other for other in first)]
    named = choices.pick(ctx.game, chooser[0], things, 0, len(things), "which pile", ctx.this)
    taken, left = (first, second) if set(named) == set(first) else (second, first)
    if set(named) != set(taken):
        raise Refused("that is neither of the piles", "700.3")
    done = happen(
        ctx,
        [events.move(t, to, cause="put") for t in taken] + [events.move(t, rest, cause="put") for t in left],
    )
    return moved(done)
