"""What may be paid besides mana (CR 118.3, 601.2h, 602.2b). Each word chooses what it is paid with, then pays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from judgecall.oracle import layers
from judgecall.oracle.agents import Refused
from judgecall.oracle.definitions import Activated, Filter, Node
from judgecall.oracle.state import Object
from judgecall.oracle.vocabulary.words import word

if TYPE_CHECKING:
    from judgecall.oracle.events import Event
    from judgecall.oracle.payment import Choice, Payment
    from judgecall.oracle.vocabulary.context import Context

__all__ = ["barred", "choice", "event", "happen", "refuse", "select"]


def refuse(text: str, rule: str = "601.2h") -> Refused:
    """The refusal of a payment, to be raised."""
    return Refused(text, rule, "costs")


def choice(act: Callable[[], None], **more: Any) -> Choice:
    """A chosen way to pay: ``act`` does it, and ``more`` says what it uses up."""
    from judgecall.oracle.payment import Choice as Made

    return Made(act, **more)


def happen(pay: Payment, made: list[Event]) -> list[Event]:
    """Events of a payment, at once."""
    from judgecall.oracle import events

    return events.happen(pay.game, made)


def event(kind: str, *args: Any, **more: Any) -> Event:
    """One event of a payment."""
    from judgecall.oracle import events

    return events.Event(kind, *args, **more)


def select(
    ctx: Context,
    pay: Payment,
    name: str,
    options: Sequence[Any],
    n: int,
) -> list[Any]:
    """What the action names for such a cost, or what the player picks."""
    from judgecall.oracle import choices

    options = _free(pay, name, options)
    if len(options) < n:
        raise refuse(f"there is not enough to {name}")
    taken = pay.take(name, n)
    if taken is not None:
        return _offered(name, taken, options, n)
    return choices.pick(ctx.game, pay.player, options, n, n, f"{name} to pay a cost", pay.obj, "601.2h")


def _free(pay: Payment, name: str, options: Iterable[Any]) -> list[Any]:
    """What no other part of the cost uses up."""
    # What is tapped for one part of a cost may still be sacrificed for another (CR 601.2h: in any order).
    taken_up = (*pay.reserved, *pay.gone) if name == "tap" else tuple(pay.gone)
    return [thing for thing in options if not any(thing is other for other in taken_up)]


def _offered(name: str, taken: list[Any], options: Sequence[Any], least: int = 0) -> list[Any]:
    """What the action names, if it is different things that can be paid, and at least so many."""
    once = [thing for thing in options if any(thing is other for other in taken)]
    if not least <= len(taken) == len(once):
        raise refuse(f"that cannot be what is paid to {name}")
    return taken


def barred(ctx: Context, pay: Payment, what: str, obj: Object | None = None) -> bool:
    """Whether an effect keeps a cost of a spell or activated ability from being paid like that (CR 101.2, 601.2h)."""
    from judgecall.oracle import statics

    if not _announced(pay.obj):
        return False
    for_mana = isinstance(pay.obj.ability, Activated) and pay.obj.ability.mana
    return any(
        node.args["what"] == what
        and not (for_mana and not node.args["mana"])
        and pay.player in rule.players(node.args["who"])
        and (node.args.get("filter") is None or (obj is not None and rule.matches(node.args["filter"], obj)))
        for node, rule in statics.rules(ctx.game, "cant pay")
    )


def _announced(obj: Object) -> bool:
    """Whether it is a spell or an activated ability whose costs are being paid now: not one that resolves."""
    if obj.kind == "ability":
        return isinstance(obj.ability, Activated) and "paid" not in obj.context
    return obj.zone == "stack" and "from" in obj.cast and "spent" not in obj.cast


@word("pay", "tap this")
def tap_this(ctx: Context, pay: Payment) -> Choice:
    """{T} (CR 107.5)."""
    obj = ctx.this
    if obj is None or obj.zone != "battlefield" or obj.tapped:
        raise refuse("it is tapped", "107.5")
    _awake(ctx, obj)
    return choice(lambda: _done(happen(pay, [event("tap", obj, by=pay.player, cause="cost")])), tapped=(obj,))


def _awake(ctx: Context, obj: Object) -> None:
    """A creature must have been under its controller's control since their turn began (CR 302.6)."""
    from judgecall.oracle import activating

    if activating._sick(ctx.game, obj):
        raise refuse("it came under its controller's control this turn", "302.6")
    if "Creature" in layers.of(ctx.game, obj).types:
        ctx.game.trace.cite("302.6")


def _done(happened: Any) -> None:
    del happened


@word("pay", "untap this")
def untap_this(ctx: Context, pay: Payment) -> Choice:
    """{Q} (CR 107.6)."""
    obj = ctx.this
    if obj is None or not obj.tapped:
        raise refuse("it is not tapped", "107.6")
    _awake(ctx, obj)
    return choice(lambda: _done(happen(pay, [event("untap", obj, by=pay.player, cause="cost")])), tapped=(obj,))


@word("pay", "life", n="amount")
def life(ctx: Context, pay: Payment, n: int) -> Choice:
    """Pay life (CR 119.4)."""
    check_life(ctx, pay, n)
    pay.life += n
    named = pay.given.pop("life", None)
    if named and named[0] < n:
        raise refuse("that is less life than the cost takes")
    if named and named[0] > n:
        pay.given["life"] = [named[0] - n]  # the rest is for another cost, or for Phyrexian mana symbols
    if n == 0:
        return choice(lambda: None)
    pay.note("life paid", (n,))
    return choice(lambda: pay_life(pay, n, "119.4"))


def check_life(ctx: Context, pay: Payment, n: int) -> None:
    """Whether a player could pay so much life beside what is paid already (CR 119.4, 119.8).

    Raises:
        Refused: there is not so much, or an effect forbids it.
    """
    from judgecall.oracle import statics

    if pay.player.life < n + pay.life:
        raise refuse("there is not enough life", "119.4")
    if n and statics.forbids(ctx.game, "cant lose life", player=pay.player):
        raise Refused("an effect says that life can't be lost", "119.8", "costs", ("118.3", "119.4", "601.2h"))
    if n and barred(ctx, pay, "life"):
        raise Refused("an effect says that life can't be paid", "101.2", "costs", ("118.3", "119.4"))


def pay_life(pay: Payment, n: int, *rules: str) -> None:
    """Pay life as part of a cost: what replaces that is asked first (CR 118.3b, 119.4)."""
    if happen(pay, [event("pay life", player=pay.player, amount=n)]):
        happen(pay, [event("lose life", player=pay.player, amount=n, cause="pay", rules=rules)])


@word("pay", "sacrifice", filter="filter", n="amount=1", name="text=sacrificed")
def sacrifice(ctx: Context, pay: Payment, filter: Filter, n: int, name: str) -> Choice:
    """Sacrifice permanents (CR 701.21)."""
    try:
        chosen = select(ctx, pay, "sacrifice", _sacrificeable(ctx, pay, filter), n)
    except Refused as refused:
        if any(thing.controller is pay.player and barred(ctx, pay, "sacrifice", thing) for thing in ctx.all(filter)):
            refused.also = (*refused.also, "101.2")
        raise
    pay.note(name, chosen)
    return _sacrifice(pay, chosen)


def _sacrificeable(ctx: Context, pay: Payment, filter: Filter) -> list[Object]:
    return [thing for thing in ctx.all(filter) if _may_be_sacrificed(ctx, pay, thing)]


def _may_be_sacrificed(ctx: Context, pay: Payment, thing: Object) -> bool:
    from judgecall.oracle import statics

    return (
        thing.zone == "battlefield"
        and thing.controller is pay.player
        and not statics.forbids(ctx.game, "cant be sacrificed", obj=thing)
        and not barred(ctx, pay, "sacrifice", thing)
    )


def _sacrifice(pay: Payment, chosen: Sequence[Object]) -> Choice:
    return choice(
        lambda: _done(
            happen(
                pay,
                [event("sacrifice", thing, thing.controller, by=pay.player, cause="cost") for thing in chosen],
            )
        ),
        used=tuple(chosen),
    )


@word("pay", "tap chosen", filter="filter", name="text")
def tap_chosen(ctx: Context, pay: Payment, filter: Filter, name: str) -> Choice:
    """Tap up to one untapped thing, chosen as the cost is announced: its power is known by then (CR 702.180b)."""
    announced = pay.obj.context.get("announced", {})
    if name not in announced:
        able = [thing for thing in ctx.all(filter) if thing.controller is pay.player and not thing.tapped]
        taken = pay.take("tap", 1)
        chosen = tuple(_offered("tap", taken, able)) if taken else ()
        return choice(lambda: None, announced={name: chosen})
    chosen = announced[name]
    pay.take("tap", len(chosen))
    pay.note(name, chosen)
    if any(thing.tapped for thing in chosen):
        raise refuse("it is tapped", "702.180b")
    return choice(
        lambda: _done(happen(pay, [event("tap", thing, by=pay.player, cause="cost") for thing in chosen])),
        tapped=chosen,
    )


@word("pay", "sacrifice chosen", filter="filter", name="text")
def sacrifice_chosen(ctx: Context, pay: Payment, filter: Filter, name: str) -> Choice:
    """Sacrifice what is chosen as the cost is announced, before the total cost is known (CR 702.48b, 702.119c)."""
    announced = pay.obj.context.get("announced", {})
    if name not in announced:
        chosen = tuple(select(ctx, pay, "sacrifice", _sacrificeable(ctx, pay, filter), 1))
        return choice(lambda: None, announced={name: chosen})
    chosen = announced[name]
    pay.take("sacrifice", 1)
    pay.note("sacrificed", chosen)
    pay.note(name, chosen)
    return _sacrifice(pay, chosen)


def _this(ctx: Context, pay: Payment) -> Object:
    """The source, if it is where it was and no other part of the cost uses it up (CR 118.3, 400.7)."""
    if ctx.this is None or ctx.this.gone or not _free(pay, "sacrifice", [ctx.this]):
        raise refuse("it is not there", "118.3")
    return ctx.this


@word("pay", "sacrifice this")
def sacrifice_this(ctx: Context, pay: Payment) -> Choice:
    """Sacrifice the source (CR 701.21)."""
    obj = _this(ctx, pay)
    if not _may_be_sacrificed(ctx, pay, obj):
        raise Refused("it can't be sacrificed", "701.21a", "costs", ("101.2", "118.3"))
    pay.note("sacrificed", (obj,))
    return _sacrifice(pay, (obj,))


@word("pay", "discard", n="amount=1", filter="filter=", random="bool=false")
def discard(ctx: Context, pay: Payment, n: int, filter: Filter | None, random: bool) -> Choice:
    """Discard cards (CR 701.9)."""
    from judgecall.oracle import chance

    options = _free(pay, "discard", [card for card in pay.player.hand if ctx.matches(filter, card)])
    if random:
        if len(options) < n:
            raise refuse("there are not enough cards to discard")
        chosen = chance.pick_at_random(ctx.game, tuple(options), n)
    else:
        chosen = select(ctx, pay, "discard", options, n)
    return _discard(ctx, pay, chosen, random)


def _discard(ctx: Context, pay: Payment, chosen: list[Any], last: bool = False) -> Choice:
    def act() -> None:
        done = happen(pay, [event("discard", card, pay.player, by=pay.player, cause="cost") for card in chosen])
        pay.note("discarded", [event.obj for event in done if event.kind == "move"])

    return choice(act, used=tuple(chosen), last=last)


@word("pay", "discard hand")
def discard_hand(ctx: Context, pay: Payment) -> Choice:
    """Discard one's hand (CR 701.9)."""
    return _discard(ctx, pay, list(pay.player.hand))


@word("pay", "discard this")
def discard_this(ctx: Context, pay: Payment) -> Choice:
    """Discard the card whose ability it is (cycling)."""
    return _discard(ctx, pay, [_this(ctx, pay)])


@word("pay", "cycle this")
def cycle_this(ctx: Context, pay: Payment) -> Choice:
    """Discard the card to activate its cycling ability: it is cycled, wherever it winds up (CR 702.29c)."""
    from dataclasses import replace

    from judgecall.oracle.vocabulary.references import current

    chosen = discard_this(ctx, pay)
    obj = ctx.this

    def act() -> None:
        chosen.act()
        happen(pay, [event("cycle", current(obj), pay.player)])

    made: Choice = replace(chosen, act=act)
    return made


@word("pay", "exile", filter="filter", n="amount=1")
def exile(ctx: Context, pay: Payment, filter: Filter, n: int) -> Choice:
    """Exile cards from one's own zone, or permanents or spells that one controls."""
    from judgecall.oracle import events

    options = [
        thing
        for thing in ctx.all(filter)
        if (thing.controller if thing.zone in ("battlefield", "stack") else thing.owner) is pay.player
    ]
    chosen = select(ctx, pay, "exile", options, n)
    return choice(
        lambda: _done(happen(pay, [events.move(thing, "exile", cause="cost", by=pay.player) for thing in chosen])),
        used=tuple(chosen),
    )


@word("pay", "exile this")
def exile_this(ctx: Context, pay: Payment) -> Choice:
    """Exile the source from where it is."""
    from judgecall.oracle import events

    obj = _this(ctx, pay)
    return choice(lambda: _done(happen(pay, [events.move(obj, "exile", cause="cost", by=pay.player)])), used=(obj,))


@word("pay", "exile top", n="amount")
def exile_top(ctx: Context, pay: Payment, n: int) -> Choice:
    """Exile the top cards of one's library: all of them or not at all."""
    from judgecall.oracle import events, linking

    if len(pay.player.library) < n:
        raise refuse("there are not enough cards in the library")

    def act() -> None:
        done = happen(pay, [events.move(card, "exile", cause="cost", by=pay.player) for card in pay.player.library[:n]])
        made = [event.new for event in done]
        if ctx.this is not None:
            linking.link(ctx.game, ctx.this, "exiled", made)

    return choice(act, last=True)


@word("pay", "mill", n="amount")
def mill(ctx: Context, pay: Payment, n: int) -> Choice:
    """Mill cards."""
    if len(pay.player.library) < n:
        raise refuse("there are not enough cards in the library", "701.17b")
    return choice(
        lambda: _done(happen(pay, [event("mill", card, pay.player) for card in pay.player.library[:n]])),
        last=True,
    )


@word("pay", "draw", n="amount")
def draw(ctx: Context, pay: Payment, n: int) -> Choice:
    """Draw cards as a cost (CR 118.11)."""

    def act() -> None:
        for _ in range(n):
            happen(pay, [event("draw", player=pay.player)])

    return choice(act, last=True)


@word("pay", "tap", filter="filter", n="amount=1", name="text=tapped")
def tap(ctx: Context, pay: Payment, filter: Filter, n: int, name: str) -> Choice:
    """Tap untapped permanents that one controls."""
    # Summoning sickness is about the tap symbol, and no matter here (CR 302.6).
    options = [thing for thing in ctx.all(filter) if thing.controller is pay.player and not thing.tapped]
    chosen = select(ctx, pay, "tap", options, n)
    pay.note(name, chosen)
    return choice(
        lambda: _done(happen(pay, [event("tap", thing, by=pay.player, cause="cost") for thing in chosen])),
        tapped=tuple(chosen),
    )


def _reaching(
    pay: Payment, name: str, things: Iterable[Object], worth: Callable[[Object], int], n: int, rule: str
) -> list[Any]:
    """Any number of things that together are worth so much, as the action names them or the player picks."""
    from judgecall.oracle import choices

    options = sorted(_free(pay, name, things), key=worth, reverse=True)
    sums = accumulate(map(worth, options), initial=0)
    fewest = next((count for count, total in enumerate(sums) if total >= n), None)
    if fewest is None:
        raise refuse(f"there is not enough to {name}", rule)
    taken = pay.take(name, len(options))
    if taken is None:
        taken = choices.pick(pay.game, pay.player, options, fewest, len(options), f"{name} to pay a cost", pay.obj)
    if sum(map(worth, _offered(name, taken, options))) < n:
        raise refuse(f"that is not enough to {name}", rule)
    return taken


@word("pay", "tap power", n="amount", filter="filter", kind="text=crew")
def tap_power(ctx: Context, pay: Payment, n: int, filter: Filter, kind: str) -> Choice:
    """Tap any number of untapped creatures with so much total power (crew, saddle; CR 702.122a)."""
    untapped = [thing for thing in ctx.all(filter) if thing.controller is pay.player and not thing.tapped]
    chosen = _reaching(pay, "tap", untapped, lambda thing: layers.of(ctx.game, thing).power or 0, n, "702.122a")
    pay.note("crewed", chosen)

    def act() -> None:
        happen(pay, [event("tap", thing, by=pay.player, cause="cost") for thing in chosen])
        happen(pay, [event(kind, ctx.this, pay.player, source=thing) for thing in chosen])

    return choice(act, tapped=tuple(chosen))


@word("pay", "return", filter="filter", n="amount=1", name="text=returned")
def return_(ctx: Context, pay: Payment, filter: Filter, n: int, name: str) -> Choice:
    """Return permanents that one controls to their owners' hands."""
    from judgecall.oracle import events

    options = [thing for thing in ctx.all(filter) if thing.controller is pay.player]
    chosen = select(ctx, pay, "return", options, n)
    pay.note(name, chosen)
    return choice(
        lambda: _done(happen(pay, [events.move(thing, "hand", cause="cost", by=pay.player) for thing in chosen])),
        used=tuple(chosen),
    )


@word("pay", "return this")
def return_this(ctx: Context, pay: Payment) -> Choice:
    """Return the source to its owner's hand."""
    from judgecall.oracle import events

    obj = _this(ctx, pay)
    return choice(lambda: _done(happen(pay, [events.move(obj, "hand", cause="cost", by=pay.player)])), used=(obj,))


@word("pay", "remove", counters="counters", from_="filter=")
def remove(ctx: Context, pay: Payment, counters: Any, from_: Filter | None) -> Choice:
    """Remove counters from the source, or from a permanent as described that one controls."""
    from judgecall.oracle import choices, objects

    given = pay.given.pop("remove", [{}])[0]
    removed: dict[Object, dict[str, int]] = {}
    for kind, node in counters.items():
        n = ctx.amount(node)
        held = [ctx.this] if from_ is None else [thing for thing in ctx.all(from_) if thing.controller is pay.player]
        options = [thing for thing in held if thing and not thing.gone and objects.counters(thing, kind) >= n]
        if not options:
            raise refuse("there are not enough counters", "118.3")
        named = [thing for thing in options if thing in given]
        thing = (named or choices.pick(ctx.game, pay.player, options, 1, 1, "remove counters from", pay.obj))[0]
        removed.setdefault(thing, {})[kind] = n
    if given and given not in (removed, *removed.values()):
        raise refuse("those are not the counters that the cost takes", "118.3")
    pay.note("removed", [n for kinds in removed.values() for n in kinds.values()])
    made = [
        event("remove counters", thing, amount=n, details={"kind": kind}, cause="cost")
        for thing, kinds in removed.items()
        for kind, n in kinds.items()
    ]
    return choice(lambda: _done(happen(pay, made)))


def _counters_barred(ctx: Context, obj: Object | None) -> bool:
    """Whether an effect keeps counters from being put on something, so that they pay for nothing (CR 614.17b)."""
    from judgecall.oracle import statics

    return statics.forbids(ctx.game, "cant get counters", obj=obj)


@word("pay", "put counters", counters="counters")
def put_counters(ctx: Context, pay: Payment, counters: Any) -> Choice:
    """Put counters on the source."""
    if _counters_barred(ctx, ctx.this):
        raise refuse("no counters can be put on it", "614.17b")
    made = [
        event("counters", ctx.this, amount=ctx.amount(node), details={"kind": kind}, by=pay.player, cause="cost")
        for kind, node in counters.items()
    ]
    return choice(lambda: _done(happen(pay, made)))


@word("pay", "loyalty", n="raw")
def loyalty(ctx: Context, pay: Payment, n: Any) -> Choice:
    """A loyalty symbol (CR 606.4, 107.7)."""
    from judgecall.oracle import objects

    obj = _this(ctx, pay)
    amount = ctx.x if n == "X" else -ctx.x if n == "-X" else int(n)
    if amount < 0 and objects.counters(obj, "loyalty") < -amount:
        raise refuse("there are not enough loyalty counters", "606.6")
    if amount > 0 and _counters_barred(ctx, obj):
        raise refuse("no counters can be put on it", "614.17b")
    kind = "counters" if amount > 0 else "remove counters"
    made = event(
        kind,
        obj,
        amount=abs(amount),
        details={"kind": "loyalty"},
        cause="cost",
        rules=("606.4",),
        by=pay.player,
    )
    return choice(lambda: _done(happen(pay, [made] if amount else [])))


@word("pay", "reveal", filter="filter", n="amount=1")
def reveal(ctx: Context, pay: Payment, filter: Filter, n: int) -> Choice:
    """Reveal cards from one's hand (CR 701.20)."""
    from judgecall.oracle import statics

    options = [card for card in pay.player.hand if ctx.matches(filter, card)]
    chosen = select(ctx, pay, "reveal", options, n)
    if any(statics.lies_open(ctx.game, card) for card in chosen):
        ctx.game.trace.cite("701.20c")
    pay.note("revealed", chosen)
    return choice(lambda: _done(happen(pay, [event("reveal", card) for card in chosen])))


@word("pay", "player counters", counters="counters")
def player_counters(ctx: Context, pay: Payment, counters: Any) -> Choice:
    """Pay energy or other counters that a player has (CR 107.14)."""
    made = []
    for kind, node in counters.items():
        n = ctx.amount(node)
        if pay.player.counters.get(kind, 0) < n:
            raise refuse("there are not enough counters", "118.3")
        made.append(event("remove counters", player=pay.player, amount=n, details={"kind": kind}, rules=("107.14",)))
    return choice(lambda: _done(happen(pay, made)))


@word("pay", "unattach this")
def unattach_this(ctx: Context, pay: Payment) -> Choice:
    """Unattach the source (CR 701.3d)."""
    obj = ctx.this
    if obj is None or obj.attached_to is None:
        raise refuse("it is not attached")
    return choice(lambda: _done(happen(pay, [event("unattach", obj, details={"from": obj.attached_to})])))


@word("pay", "collect evidence", n="amount")
def collect_evidence(ctx: Context, pay: Payment, n: int) -> Choice:
    """Exile cards from one's graveyard with so much total mana value (CR 701.59a)."""
    from judgecall.oracle import events, objects

    def worth(card: Object) -> int:
        return objects.mana_value(card, layers.of(ctx.game, card))

    chosen = _reaching(pay, "exile", pay.player.graveyard, worth, n, "701.59b")
    return choice(
        lambda: _done(happen(pay, [events.move(card, "exile", cause="cost", by=pay.player) for card in chosen])),
        used=tuple(chosen),
    )


@word("pay", "note", name="text", if_="lazy condition")
def note(ctx: Context, pay: Payment, name: str, if_: Node) -> Choice:
    """Nothing is paid: whether a condition holds once all else is paid is kept under a name (CR 601.2h)."""
    return choice(lambda: pay.note(name, [pay.obj] if ctx.holds(if_) else []), last=True)
