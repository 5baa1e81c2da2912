"""Instructions that do something to permanents and players where they are: damage, life, counters, tapping, turning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judgecall.oracle.definitions import Node
from judgecall.oracle.state import Object, Player
from judgecall.oracle.vocabulary.effects_zones import event, happen, holder_of, live, source_of
from judgecall.oracle.vocabulary.words import word

if TYPE_CHECKING:
    from judgecall.oracle.events import Event
    from judgecall.oracle.vocabulary.context import Context

__all__: list[str] = []


@word(
    "effect", "damage", n="lazy amount", to="objects", from_="objects=", divided="bool=false",
    unpreventable="bool=false", group="int=1", excess="players=", and_="lazy amount=", and_to="objects=",
)  # fmt: skip
def damage(
    ctx: Context, n: Any, to: list[Any], from_: list[Any] | None, divided: bool, unpreventable: bool, group: int,
    excess: list[Player] | None, and_: Any, and_to: list[Any] | None,
) -> list[Any]:  # fmt: skip
    """Sources deal damage to things at once (CR 120), each to each; ``divided``: as announced.

    ``excess``: what would be more than lethal damage is dealt to these players instead (CR 120.4a).
    ``and``, ``and to``: the sources also deal so much to these at the same time, whether or not ``to`` names them too.
    """
    from judgecall.oracle import damage as damage_

    sources = from_ if from_ is not None else [source_of(ctx)]
    made: list[Event] = []
    shares = ctx.results.get("division", {}).get(group - 1)
    announced = ctx.results.get("announced", ())
    for source in sources:
        for thing in to:
            amount = ctx.having(each=thing).amount(n) if not isinstance(n, int) else n
            if divided and shares is not None:
                place = next((i for i, other in enumerate(announced[group - 1]) if other is thing), None)
                amount = shares.get(place, 0)
            if isinstance(thing, Object) and (thing.gone or thing.zone != "battlefield"):
                continue
            if excess is not None and isinstance(thing, Object):
                over = max(0, amount - damage_.lethal(ctx.game, thing, source))
                amount -= over
                made.extend(
                    damage_.event(ctx.game, source, player, over, unpreventable=unpreventable) for player in excess
                )
            made.append(damage_.event(ctx.game, source, thing, amount, unpreventable=unpreventable))
        for thing in and_to or ():
            if isinstance(thing, Object) and (thing.gone or thing.zone != "battlefield"):
                continue
            amount = ctx.having(each=thing).amount(and_)
            made.append(damage_.event(ctx.game, source, thing, amount, unpreventable=unpreventable))
    done = happen(ctx, made)
    ctx.results["damage dealt"] = sum(item.amount for item in done if item.kind == "damage")
    return [item.about for item in done if item.kind == "damage"]


@word("effect", "gain life", n="amount", who="players=you")
def gain_life(ctx: Context, n: int, who: list[Player]) -> int:
    """Gain life (CR 119.3)."""
    done = happen(ctx, [event("gain life", player=player, amount=n, source=source_of(ctx)) for player in who if n > 0])
    return sum(item.amount for item in done if item.kind == "gain life")


@word("effect", "lose life", n="amount", who="players=you")
def lose_life(ctx: Context, n: int, who: list[Player]) -> int:
    """Lose life (CR 119.3)."""
    done = happen(ctx, [event("lose life", player=player, amount=n, source=source_of(ctx)) for player in who if n > 0])
    return sum(item.amount for item in done if item.kind == "lose life")


@word("effect", "set life", n="amount", who="players=you")
def set_life(ctx: Context, n: int, who: list[Player]) -> None:
    """A life total becomes a number: the player gains or loses the difference (CR 119.5)."""
    made = []
    for player in who:
        if n > player.life:
            made.append(event("gain life", player=player, amount=n - player.life))
        elif n < player.life:
            made.append(event("lose life", player=player, amount=player.life - n))
    happen(ctx, made)


@word("effect", "double life", who="players=you")
def double_life(ctx: Context, who: list[Player]) -> None:
    """Double life totals: gain as much life, or below 0 lose as much (CR 701.10d)."""
    for player in who:
        set_life(ctx, 2 * player.life, [player])


@word("effect", "put counters", counters="counters", on="objects=this", who="players=", divided="bool=false")
def put_counters(ctx: Context, counters: Any, on: list[Any], who: list[Player] | None, divided: bool) -> list[Any]:
    """Put counters on things (CR 122.6), or give them to players; ``divided``: among the first targets as announced."""
    made = []
    shares = ctx.results.get("division", {}).get(0, {}) if divided else {}
    announced = ctx.results["announced"][0] if divided and ctx.results.get("announced") else ()
    for thing in on if who is None else who:
        if isinstance(thing, Object) and (thing.gone or thing.phased_out):
            continue
        for kind, node in counters.items():
            n = ctx.having(each=thing).amount(node)
            if divided:
                n = shares.get(next((i for i, other in enumerate(announced) if other is thing), None), 0)
            if n <= 0:
                continue
            if isinstance(thing, Player):
                made.append(event("counters", player=thing, amount=n, details={"kind": kind}, by=ctx.you))
            else:
                made.append(event("counters", thing, amount=n, details={"kind": kind}, by=ctx.you))
    return [item.about for item in happen(ctx, made)]


@word("effect", "remove counters", counters="counters", from_="objects=this", up_to="bool=false")
def remove_counters(ctx: Context, counters: Any, from_: list[Any], up_to: bool) -> list[Any]:
    """Remove counters; a negative number stands for all of a kind."""
    from judgecall.oracle import choices, objects

    made = []
    for thing in live(from_):
        for kind, node in counters.items():
            have = objects.counters(thing, kind)
            n = ctx.amount(node)
            n = have if n < 0 else min(n, have)
            if up_to and n:
                n = choices.number(ctx.game, ctx.you, 0, n, f"remove {kind} counters", ctx.this)
            if n:
                made.append(event("remove counters", thing, amount=n, details={"kind": kind}, by=ctx.you))
    done = happen(ctx, made)
    ctx.results["removed"] = sum(item.amount for item in done if item.kind == "remove counters")
    return [item.about for item in done]


@word("effect", "remove all counters", from_="objects")
def remove_all_counters(ctx: Context, from_: list[Any]) -> int:
    """Remove every counter of every kind."""
    made = [
        event("remove counters", thing, amount=n, details={"kind": kind})
        for thing in live(from_)
        for kind, (n, _) in thing.counters.items()
        if n
    ]
    return sum(item.amount for item in happen(ctx, made))


@word("effect", "move counters", kind="text=", n="amount=1", from_="objects=this", to="objects=target")
def move_counters(ctx: Context, kind: str | None, n: int, from_: list[Any], to: list[Any]) -> None:
    """Move counters from one thing to another (CR 122.5)."""
    from judgecall.oracle import choices, objects

    sources, goals = live(from_), live(to)
    if not sources or not goals or sources[0] is goals[0]:
        return
    kinds = [name for name, (have, _) in sources[0].counters.items() if have and kind in (None, name)]
    if not kinds:
        return
    chosen = kinds[0] if len(kinds) == 1 else choices.word(ctx.game, ctx.you, "name", kinds, "which kind", ctx.this)
    take = min(n, objects.counters(sources[0], chosen))
    done = happen(ctx, [event("remove counters", sources[0], amount=take, details={"kind": chosen})])
    for item in done:
        happen(ctx, [event("counters", goals[0], amount=item.amount, details={"kind": chosen}, by=ctx.you)])


@word("effect", "double counters", kind="text=", on="objects")
def double_counters(ctx: Context, kind: str | None, on: list[Any]) -> None:
    """Put as many counters again (of a kind, or of each kind), also on players (CR 701.10e)."""
    made = [
        event("counters", player=player, amount=n, details={"kind": name}, by=ctx.you)
        for player in on
        if isinstance(player, Player)
        for name, n in player.counters.items()
        if n and kind in (None, name)
    ]
    made.extend(
        event("counters", thing, amount=n, details={"kind": name}, by=ctx.you)
        for thing in live(on)
        for name, (n, _) in thing.counters.items()
        if n and kind in (None, name)
    )
    happen(ctx, made)


@word("effect", "proliferate")
def proliferate(ctx: Context) -> None:
    """Choose any number of permanents and players with counters; each gets another of each kind (CR 701.34)."""
    from judgecall.oracle import choices

    options: list[Any] = [thing for thing in ctx.pool(None) if any(n for n, _ in thing.counters.values())]
    options.extend(player for player in ctx.game.apnap() if any(player.counters.values()))
    chosen = choices.pick(ctx.game, ctx.you, options, 0, len(options), "proliferate", ctx.this)
    made: list[Event] = []
    for thing in chosen:
        if isinstance(thing, Player):
            made.extend(
                event("counters", player=thing, amount=1, details={"kind": k}, by=ctx.you)
                for k, n in thing.counters.items()
                if n
            )
        else:
            made.extend(
                event("counters", thing, amount=1, details={"kind": k}, by=ctx.you)
                for k, (n, _) in thing.counters.items()
                if n
            )
    happen(ctx, made)


@word("effect", "tap", what="objects")
def tap(ctx: Context, what: list[Any]) -> list[Any]:
    """Tap permanents (CR 701.26a)."""
    return [
        item.obj
        for item in happen(ctx, [event("tap", thing, by=ctx.you, source=source_of(ctx)) for thing in live(what)])
    ]


@word("effect", "untap", what="objects")
def untap(ctx: Context, what: list[Any]) -> list[Any]:
    """Untap permanents (CR 701.26b)."""
    return [
        item.obj
        for item in happen(ctx, [event("untap", thing, by=ctx.you, source=source_of(ctx)) for thing in live(what)])
        if item.kind == "untap"
    ]


@word("effect", "tap or untap", what="objects")
def tap_or_untap(ctx: Context, what: list[Any]) -> None:
    """Tap or untap a permanent (CR 701.26), as its state allows (a number: 1 taps, 2 untaps)."""
    for thing in live(what):
        happen(ctx, [event("untap" if thing.tapped else "tap", thing, by=ctx.you, source=source_of(ctx))])


@word("effect", "turn face up", what="objects")
def turn_face_up(ctx: Context, what: list[Any]) -> list[Any]:
    """Turn permanents face up (CR 708.7, 708.8)."""
    from judgecall.oracle import face_down

    return face_down.turn_up(ctx.game, live(what))


@word("effect", "turn face down", what="objects")
def turn_face_down(ctx: Context, what: list[Any]) -> None:
    """Turn permanents face down (CR 708.2b)."""
    from judgecall.oracle import face_down

    face_down.turn_down(ctx.game, live(what))


@word("effect", "transform", what="objects")
def transform(ctx: Context, what: list[Any]) -> None:
    """Transform permanents (CR 701.27)."""
    from judgecall.oracle import double_faced

    double_faced.transform(ctx, live(what))


@word(
    "effect",
    "manifest",
    what="objects",
    under="players=",
    kind="text=manifest",
    tapped="bool=false",
)
def manifest(ctx: Context, what: list[Any], under: list[Player] | None, kind: str, tapped: bool) -> list[Any]:
    """Put cards onto the battlefield face down: manifest (CR 701.40), cloak (CR 701.58)."""
    from judgecall.oracle import face_down

    groups: dict[Player, list[Object]] = {}
    for thing in live(what):
        groups.setdefault(holder_of(ctx, thing, under), []).append(thing)
    return [
        made for player, things in groups.items() for made in face_down.put(ctx, things, player, kind, tapped=tapped)
    ]


@word("effect", "manifest dread", who="players=you")
def manifest_dread(ctx: Context, who: list[Player]) -> list[Any]:
    """Look at two cards, manifest one, put the other into the graveyard (CR 701.62)."""
    from judgecall.oracle import choices, events, face_down

    found: list[Any] = []
    for player in who:
        cards = list(player.library_cards[:2])
        happen(ctx, [event("reveal", card, details={"to": [player]}) for card in cards])
        chosen = choices.pick(ctx.game, player, cards, 1, 1, "manifest", ctx.this)
        found.extend(face_down.put(ctx, chosen, player, "manifest dread"))
        rest = [card for card in cards if not card.gone]  # also the chosen one, if it was not manifested
        happen(ctx, [events.move(card, "graveyard", cause="put") for card in rest])
        happen(ctx, [event("choice", player=player, details={"name": "manifest dread"})])
    return found


@word("effect", "attach", what="objects=this", to="objects")
def attach(ctx: Context, what: list[Any], to: list[Any]) -> list[Any]:
    """Attach Auras, Equipment or Fortifications (CR 701.3), where there are several to attach to, to one of them."""
    from judgecall.oracle import attaching, choices

    done: list[Any] = []
    for thing in live(what):
        hosts = to if len(to) < 2 else [host for host in to if attaching.can_attach(ctx.game, thing, host)]
        if len(hosts) > 1:
            hosts = choices.pick(ctx.game, ctx.you, hosts, 1, 1, "what to attach it to", thing)
        if hosts and (_attach_as_it_turns(ctx, thing, hosts[0]) or attaching.attach(ctx.game, thing, hosts[0])):
            done.append(thing)
    return done


def _attach_as_it_turns(ctx: Context, thing: Object, host: Any) -> bool:
    """ "As this transforms": what it may be attached to is judged by the face that it will have (CR 614.1e)."""
    from judgecall.oracle import attaching

    changed = ctx.results.get("event")
    if changed is None or changed.kind != "face" or changed.obj is not thing or "face" not in changed.details:
        return False
    with ctx.game.trial():
        ctx.game.write(thing, "face", changed.details["face"])
        fits = attaching.can_attach(ctx.game, thing, host)
    if fits:
        happen(ctx, [event("attach", thing, details={"to": host})])
    return fits


@word("effect", "unattach", what="objects=this")
def unattach(ctx: Context, what: list[Any]) -> None:
    """Unattach things (CR 701.3d)."""
    happen(
        ctx,
        [event("unattach", thing, details={"from": thing.attached_to}) for thing in live(what) if thing.attached_to],
    )


@word("effect", "fight", one="objects", other="objects")
def fight(ctx: Context, one: list[Any], other: list[Any]) -> None:
    """Two creatures fight (CR 701.14)."""
    from judgecall.oracle import damage as damage_
    from judgecall.oracle import layers

    first, second = live(one), live(other)
    if not first or not second:
        return
    a, b = first[0], second[0]
    if any("Creature" not in layers.of(ctx.game, x).types for x in (a, b)):
        return
    power = max(0, layers.of(ctx.game, a).power or 0)
    if a is b:
        happen(ctx, [damage_.event(ctx.game, a, a, 2 * power)])  # CR 701.14c
        return
    back = max(0, layers.of(ctx.game, b).power or 0)
    happen(ctx, [damage_.event(ctx.game, a, b, power), damage_.event(ctx.game, b, a, back)])


@word("effect", "phase out", what="objects")
def phase_out(ctx: Context, what: list[Any]) -> list[Any]:
    """Permanents phase out, with what is attached to them (CR 702.26)."""
    from judgecall.oracle import phasing

    return phasing.out(ctx.game, live(what))


@word("effect", "regenerate", what="objects=this")
def regenerate(ctx: Context, what: list[Any]) -> None:
    """A regeneration shield (CR 701.19)."""
    from judgecall.oracle import keyword_actions, lasting

    for thing in live(what):
        lasting.add(ctx, keyword_actions.regeneration(), "end of turn", (thing,), None)


@word("effect", "goad", what="objects")
def goad(ctx: Context, what: list[Any]) -> list[Any]:
    """Goad creatures until "your" next turn (CR 701.15)."""
    from types import MappingProxyType

    from judgecall.oracle import lasting

    things = live(what)
    change = (Node("goaded", MappingProxyType({"really": True})),)
    node = Node("affects", MappingProxyType({"which": None, "change": change}))
    lasting.add(ctx, node, "your next turn", tuple(things), ctx.you)
    return things


@word("effect", "flag", name="text", what="objects=this", value="yes or text=true", who="players=")
def flag(ctx: Context, name: str, what: list[Any], value: Any, who: list[Player] | None) -> None:
    """Give a designation: monstrous, renowned … (CR 701.37, 702.112); the monarch is a word of its own."""
    for thing in who if who is not None else live(what):
        if isinstance(thing, Player):
            happen(ctx, [event("flag", player=thing, details={"flag": name, "value": value})])
        elif not thing.flags.get(name):
            happen(ctx, [event("flag", thing, details={"flag": name, "value": value}, amount=ctx.x)])


@word("effect", "remove from combat", what="objects")
def remove_from_combat(ctx: Context, what: list[Any]) -> None:
    """Remove creatures from combat (CR 506.4)."""
    from judgecall.oracle import combat

    for thing in live(what):
        combat.remove(ctx.game, thing)


@word(
    "effect",
    "gain control",
    what="objects",
    who="players=you",
    ends="text=forever",
    as_long_as="lazy condition=",
)
def gain_control(ctx: Context, what: list[Any], who: list[Player], ends: str, as_long_as: Node | None) -> list[Any]:
    """Gain control of things (CR 613.1b)."""
    from types import MappingProxyType

    from judgecall.oracle import lasting

    things = live(what)
    if not things or not who:
        return []
    if as_long_as is not None:
        if not ctx.holds(as_long_as):
            return []  # CR 611.2b
        ends = "as long as"
    if len(things) > 1:
        ctx.game.trace.cite("608.2f")
    holder = who[0]
    change = (Node("control", MappingProxyType({"who": Node("fixed", MappingProxyType({"player": holder}))})),)
    node = Node("affects", MappingProxyType({"which": None, "change": change}))
    lasting.add(ctx, node, ends, tuple(things), as_long_as if as_long_as is not None else holder, controller=ctx.you)
    return things


@word("players", "fixed", player="raw")
def fixed(ctx: Context, player: Player) -> list[Player]:
    """A player that an effect has settled on."""
    return [player] if not player.left else []


@word("effect", "exchange control", one="objects", other="objects=")
def exchange_control(ctx: Context, one: list[Any], other: list[Any] | None) -> None:
    """Exchange control of two permanents, named one by one or as a pair: both or neither (CR 701.12a)."""
    first, second = (live(one), live(other)) if other is not None else (live(one[:1]), live(one[1:]))
    if len(first) != 1 or len(second) != 1 or first[0].controller is second[0].controller:
        return
    a, b = first[0], second[0]
    holder_a, holder_b = a.controller, b.controller
    gain_control(ctx, [a], [holder_b], "forever", None)
    gain_control(ctx, [b], [holder_a], "forever", None)


@word("effect", "exchange life", who="players", with_="players=you")
def exchange_life(ctx: Context, who: list[Player], with_: list[Player]) -> None:
    """Exchange life totals; not at all where a player could not get the other's (CR 119.7–8, 701.12a, 701.12c)."""
    from judgecall.oracle import statics

    one, two = sorted((who[0], with_[0]), key=lambda player: player.life)
    n = two.life - one.life
    if n == 0:
        return
    barred = [
        rule
        for rule, what, player in (("119.7", "cant gain life", one), ("119.8", "cant lose life", two))
        if statics.forbids(ctx.game, what, player=player)
    ]
    if barred:
        ctx.game.trace.add("life totals can't be exchanged", "701.12a", "701.12c", *barred)
        return
    happen(
        ctx,
        [event("gain life", player=one, amount=n), event("lose life", player=two, amount=n, rules=("701.12c",))],
    )


@word("effect", "explore", what="objects=this")
def explore(ctx: Context, what: list[Any]) -> None:
    """A creature explores (CR 701.44)."""
    from judgecall.oracle import choices, events, layers

    for thing in what:
        player = thing.controller
        cards = list(player.library_cards[:1])
        happen(ctx, [event("reveal", card) for card in cards])
        if cards and "Land" in layers.of(ctx.game, cards[0]).types:
            happen(ctx, [events.move(cards[0], "hand", cause="put")])
        else:
            if not thing.gone:
                happen(ctx, [event("counters", thing, amount=1, details={"kind": "+1/+1"}, by=player)])
            if cards and choices.may(ctx.game, player, "put it into the graveyard", ctx.this):
                happen(ctx, [events.move(cards[0], "graveyard", cause="put")])
        happen(ctx, [event("explore", thing, player)])


@word("effect", "choose protector")
def choose_protector(ctx: Context) -> None:
    """As a Siege enters, its controller chooses an opponent to protect it (CR 310.11a)."""
    from judgecall.oracle import choices, linking

    assert ctx.this is not None
    options = list(ctx.game.opponents(ctx.you))
    chosen = choices.pick(ctx.game, ctx.you, options, 1, 1, "its protector", ctx.this)
    if chosen:
        linking.choose(ctx.game, ctx.this, "protector", chosen[0])


@word("effect", "day night", becomes="text")
def day_night(ctx: Context, becomes: str) -> None:
    """It becomes day or night (CR 731)."""
    from judgecall.oracle import double_faced

    double_faced.become(ctx.game, becomes)


@word("effect", "power damage to each other", one="objects", other="objects")
def bite(ctx: Context, one: list[Any], other: list[Any]) -> None:
    """One creature deals damage equal to its power to another (CR 120.1)."""
    from judgecall.oracle import damage as damage_
    from judgecall.oracle import layers

    first, second = live(one), other
    if first and second:
        power = max(0, layers.of(ctx.game, first[0]).power or 0)
        happen(ctx, [damage_.event(ctx.game, first[0], second[0], power)])


@word("effect", "set class level", n="amount")
def set_class_level(ctx: Context, n: int) -> None:
    """A Class gains a level (CR 716.2a)."""
    if ctx.this is not None and not ctx.this.gone:
        happen(ctx, [event("flag", ctx.this, details={"flag": "level", "value": n})])


@word("effect", "choose chapter")
def choose_chapter(ctx: Context) -> None:
    """Read ahead: how many lore counters it enters with (CR 702.155b)."""
    from judgecall.oracle import choices, layers, sagas

    changed = ctx.results["event"]
    new = changed.new
    last = sagas.final_chapter(layers.of(ctx.game, new)) or 1
    from judgecall.oracle import entering

    n = choices.number(ctx.game, ctx.you, 1, last, "which chapter", new)
    entering.enter_with(ctx.game, changed, new, "lore", n)


@word("effect", "swap aura")
def swap_aura(ctx: Context) -> None:
    """Exchange this Aura with an Aura card in hand (CR 702.65)."""
    from judgecall.oracle import attaching, choices, events, layers

    aura = ctx.this
    if aura is None or aura.gone or aura.owner is not ctx.you or aura.attached_to is None:
        ctx.game.trace.cite("702.65b")
        return
    host = aura.attached_to
    cards = [
        card
        for card in ctx.you.hand
        if "Aura" in layers.of(ctx.game, card).subtypes
        and attaching.can_enchant(ctx.game, card, layers.of(ctx.game, card), host)
    ]
    if not cards:
        ctx.game.trace.cite("702.65b")
        return
    if not choices.may(ctx.game, ctx.you, "exchange the Auras", aura):
        return
    chosen = choices.pick(ctx.game, ctx.you, cards, 1, 1, "the Aura card", aura)
    happen(
        ctx,
        [
            events.move(aura, "hand", cause="put"),
            events.move(chosen[0], "battlefield", cause="put", controller=ctx.you, attach_to=host),
        ],
    )


@word("effect", "heal", what="objects")
def heal(ctx: Context, what: list[Any]) -> None:
    """All damage is removed from permanents (CR 701.69a)."""
    for thing in live(what):
        ctx.game.write(thing, "damage", 0)
        ctx.game.write(thing, "deathtouched", False)
