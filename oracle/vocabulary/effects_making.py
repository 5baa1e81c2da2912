"""Instructions that make objects or turns: tokens, copies, emblems, spells cast while resolving, extra turns."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from judgecall.oracle.definitions import Filter, Node
from judgecall.oracle.state import Object, Player
from judgecall.oracle.vocabulary.effects_zones import event, happen, live, moved
from judgecall.oracle.vocabulary.words import word

if TYPE_CHECKING:
    from judgecall.oracle.events import Event
    from judgecall.oracle.targets import Groups
    from judgecall.oracle.vocabulary.context import Context

__all__: list[str] = []


@word(
    "effect", "create", token="token", n="amount=1", who="players=you", tapped="bool=false", attacking="bool=",
    counters="counters=", attach_to="objects=", and_="token=",
)  # fmt: skip
def create(
    ctx: Context, token: Any, n: int, who: list[Player], tapped: bool, attacking: Any, counters: Any,
    attach_to: list[Any] | None, and_: Any,
) -> list[Any]:  # fmt: skip
    """Create tokens (CR 111.1–4, 701.7): a predefined one by name, or a mapping that says what it is.

    ``and``: as many of another kind at the same time.
    """
    from judgecall.oracle import tokens
    from judgecall.oracle.vocabulary.binding import bound

    details = _details(ctx, tapped, attacking, counters, attach_to)
    kinds = [bound(tokens.values(ctx, kind), ctx.this) for kind in (token, and_) if kind is not None]
    made = [tokens.creation(ctx, player, values, n, details) for player in who for values in kinds if n > 0]
    return moved(happen(ctx, made))


@word("effect", "also create", token="token", n="amount=")
def also_create(ctx: Context, token: Any, n: int | None) -> None:
    """Besides the tokens of the event, other tokens are created: unless said, as many as those (CR 614.1a)."""
    from judgecall.oracle import tokens

    changed = ctx.results["event"]
    others = tuple(changed.details.get("also", ()))
    much = n if n is not None else changed.amount + sum(count for _, count in others)
    changed.details["also"] = (*others, (tokens.values(ctx, token), much))
    ctx.results["kept"] = True


def _details(ctx: Context, tapped: bool, attacking: Any, counters: Any, attach_to: Any) -> dict[str, Any]:
    details: dict[str, Any] = {"tapped": tapped}
    if attacking:
        details["attacking"] = attacking
    if counters:
        details["enter counters"] = {kind: ctx.amount(node) for kind, node in counters.items()}
    if attach_to is not None:
        details["attach_to"] = attach_to[0] if attach_to else None  # undefined (CR 303.4i)
    return details


@word(
    "effect", "create copy", of="objects", n="amount=1", who="players=you", tapped="bool=false", attacking="bool=",
    counters="counters=", except_="exceptions=", gain="abilities=", attach_to="objects=",
)  # fmt: skip
def create_copy(
    ctx: Context, of: list[Any], n: int, who: list[Player], tapped: bool, attacking: Any, counters: Any, except_: Any,
    gain: Any, attach_to: list[Any] | None,
) -> list[Any]:  # fmt: skip
    """Create tokens that are copies of objects, names too (CR 111.4, 111.12, 707.2, 707.8a), or nearly (CR 707.9)."""
    from judgecall.oracle import copying, tokens

    details = _details(ctx, tapped, attacking, counters, attach_to)
    made = []
    for player in who:
        for thing in of:
            if not isinstance(thing, Object):
                continue
            values, face = copying.token_values(ctx, thing, except_)
            made.append(tokens.creation(ctx, player, values, n, {**details, "face": face, "as copy": True}))
    done = moved(happen(ctx, made))
    if gain and done:
        from judgecall.oracle import lasting

        change = (Node("gain", MappingProxyType({"abilities": gain})),)
        lasting.add(ctx, Node("affects", MappingProxyType({"which": None, "change": change})), "forever", tuple(done))
    return done


@word(
    "effect", "as copy", of="filter", optional="bool=true", except_="exceptions=", until="text=", chosen="objects=",
    counters="counters=", if_="filter=", then="exceptions=",
)  # fmt: skip
def as_copy(
    ctx: Context, of: Filter, optional: bool, except_: Any, until: str | None, chosen: list[Any] | None, counters: Any,
    if_: Filter | None, then: Any,
) -> None:  # fmt: skip
    """As it enters or is turned face up, it may become a copy of something (CR 614.12, 707.5).

    ``chosen``: of what was chosen before. ``counters``: which it then enters with, as an exception of the copy
    effect (CR 707.9e). ``if``: these, and the exceptions in ``then``, only where the copy would be as described
    (CR 707.9f).
    """
    from judgecall.oracle import choices, copying

    changed = ctx.results["event"]
    about = changed.new if changed.new is not None else changed.obj
    options = [thing for thing in (ctx.choosable(of) if chosen is None else chosen) if thing is not about]
    if optional and not choices.may(ctx.game, ctx.you, "enter as a copy", about, possible=bool(options)):
        return
    if not options:
        return
    picked = choices.pick(ctx.game, ctx.you, options, 1, 1, "copy", about)
    changed.details["copies"] = changed.details.get("copies", 0) + 1
    changed.details["copy"] = copying.values(ctx, picked[0], except_)
    if if_ is not None:
        fits = _would_be(ctx, changed, about, if_)
        counters = counters if fits else None
        if fits and then:
            changed.details["copy"] = copying.values(ctx, picked[0], {**(except_ or {}), **then})
    _with_copy_counters(ctx, changed, about, counters or {})
    if until is not None:
        changed.details["copy ends"] = until


def _would_be(ctx: Context, changed: Event, about: Object, filter: Filter) -> bool:
    """Whether what enters as a copy would be as described on the battlefield (CR 707.9f)."""

    from judgecall.oracle import entering

    with ctx.game.trial():
        entering.place(ctx.game, changed)
        return ctx.matches(filter, about)


def _with_copy_counters(ctx: Context, changed: Event, about: Object, counters: Any) -> None:
    """Counters as an exception of a copy effect: those of an earlier one do not happen (CR 707.9e)."""

    have = dict(changed.details.get("counters", {}))
    for kind, n in changed.details.pop("counters of copy", {}).items():
        have[kind] -= n
    from judgecall.oracle import entering

    changed.details["counters"] = dict(have)
    for kind, node in counters.items():
        with ctx.game.trial():  # it counts what it would be (CR 707.9f)
            entering.place(ctx.game, changed)
            n = ctx.amount(node)
        entering.enter_with(ctx.game, changed, about, kind, n)
    gained = {kind: n - have.get(kind, 0) for kind, n in changed.details["counters"].items()}
    changed.details["counters of copy"] = gained


@word("effect", "become copy", of="objects", what="objects=this", duration="text=forever", except_="exceptions=")
def become_copy(ctx: Context, of: list[Any], what: list[Any], duration: str, except_: Any) -> None:
    """Objects become copies of another (CR 707.4)."""
    from judgecall.oracle import copying, events

    if not of:
        return
    for thing in live(what):
        values = copying.values(ctx, of[0], except_)
        ends = duration
        until = thing if duration == "turned face down" else ctx.you
        copying.become(ctx.game, thing, values, ends=ends, stamp=ctx.game.stamp(), until=until, controller=ctx.you)
        ctx.game.trace.add(f"{events.label(ctx.game, thing)} becomes a copy", "707.4")
    events.align(ctx.game)


@word(
    "effect",
    "copy spell",
    what="objects",
    n="amount=1",
    new_targets="bool=true",
    except_="exceptions=",
    target="objects=",
    who="players=you",
)
def copy_spell(
    ctx: Context, what: list[Any], n: int, new_targets: bool, except_: Any, target: list[Any] | None, who: list[Player]
) -> list[Any]:
    """Copy spells or abilities on the stack (CR 707.10); new targets may be chosen (CR 707.10c)."""
    from judgecall.oracle import copying

    made: list[Any] = []
    for thing in what:
        for _ in range(n):
            copied = copying.copy_spell(ctx, thing, who[0], new_targets, except_, target)
            if copied is not None:
                made.append(copied)
    return made


@word("effect", "choose new targets", what="objects", who="players=you", single="bool=false", must="bool=false")
def choose_new_targets(ctx: Context, what: list[Any], who: list[Player], single: bool, must: bool) -> None:
    """Choose new targets for a spell or ability (CR 115.7)."""
    from judgecall.oracle import copying

    for thing in live(what):
        copying.retarget(ctx, thing, who[0], change_all=single or must)


@word("effect", "change a target", what="objects", to="objects", who="players=you")
def change_a_target(ctx: Context, what: list[Any], to: list[Any], who: list[Player]) -> None:
    """One target of a spell or ability becomes another object or player, if that is legal for it (CR 115.7b)."""
    from judgecall.oracle import announcing, choices, resolving, targets

    for thing in live(what):
        inner = resolving.context_of(ctx.game, thing)
        modes = thing.context.get("modes", ())
        body = thing.ability.body if thing.kind == "ability" else announcing.body_of(ctx.game, thing)  # type: ignore[union-attr]
        before = thing.targets
        specs = announcing.specs_of(body, modes)
        places = [
            (group, place)
            for group in range(len(before))
            for place in range(len(before[group]))
            if before[group][place] is not to[0]
            and targets.may_become(inner, specs, before, _with_target(before, group, place, to[0]), thing)
        ]
        if not places:
            continue
        options = [before[group][place] for group, place in places]
        taken = options
        if len(options) > 1:
            taken = choices.pick(ctx.game, who[0], options, 1, 1, "which target changes", ctx.this)
        group, place = next(at for at, option in zip(places, options, strict=True) if option is taken[0])
        ctx.game.write(thing, "targets", _with_target(before, group, place, to[0]))
        targets.became_targets(ctx.game, thing, before)


def _with_target(groups: Groups, group: int, place: int, new: Any) -> Groups:
    return (*groups[:group], (*groups[group][:place], new, *groups[group][place + 1 :]), *groups[group + 1 :])


@word(
    "effect", "cast", what="objects", who="players=you", cost="price=free", optional="bool=true",
    then_exile="bool=false", filter="filter=", transformed="bool=false", copy="bool=false", n="amount=1",
    leaves="text=",
)  # fmt: skip
def cast(
    ctx: Context, what: list[Any], who: list[Player], cost: Any, optional: bool, then_exile: bool,
    filter: Filter | None, transformed: bool, copy: bool, n: int, leaves: str | None,
) -> list[Any]:  # fmt: skip
    """Cast cards, or copies of them, while this resolves (CR 608.2g).

    ``then exile``: a spell cast so that would be put into a graveyard is exiled instead.
    """
    from judgecall.oracle import casting_now, lasting
    from judgecall.oracle.vocabulary.grammar import parse_ability

    done = casting_now.offer(ctx, what, who[0], cost, optional, filter, transformed, copy, n, leaves)
    if then_exile:
        exiled = parse_ability(
            {"replace": {"moves": {}, "from": "stack", "to": "graveyard"}, "instead": [{"go to": "exile"}]}
        )
        for spell in done:
            lasting.add(ctx, exiled, "leaves", (spell,), spell)
    return done


@word("effect", "permit", what="objects=", rule="rules", duration="text=end of turn", about="players=")
def permit(ctx: Context, what: list[Any] | None, rule: Any, duration: str, about: list[Player] | None) -> None:
    """A permission or another rule for a while, for particular cards where they are named (CR 601.3)."""
    from judgecall.oracle import lasting
    from judgecall.oracle.vocabulary.effects_lasting import ending

    ends, until = ending(ctx, duration, about, what)
    if ends is None:
        return
    for node in rule:
        lasting.add(ctx, node, ends, tuple(live(what)) if what is not None else None, until)


@word("effect", "play land", what="objects", who="players=you", optional="bool=true")
def play_land(ctx: Context, what: list[Any], who: list[Player], optional: bool) -> list[Any]:
    """Play a land while this resolves."""
    from judgecall.oracle import choices, lands

    done: list[Any] = []
    for thing in live(what):
        if optional and not choices.may(ctx.game, who[0], "play the land", ctx.this):
            continue
        done.extend(lands.play(ctx.game, who[0], thing, None, during=True))
    return done


@word("effect", "emblem", abilities="abilities", who="players=you")
def emblem(ctx: Context, abilities: Any, who: list[Player]) -> None:
    """Get an emblem (CR 114)."""
    from judgecall.oracle import tokens

    for player in who:
        tokens.emblem(ctx.game, player, abilities)


@word("effect", "extra turn", who="players=you", n="amount=1")
def extra_turn(ctx: Context, who: list[Player], n: int) -> None:
    """Take extra turns (CR 500.7): the most recently created comes first."""
    for player in who:
        for _ in range(n):
            ctx.game.write(ctx.game, "extra_turns", ((player, None), *ctx.game.extra_turns))


@word("effect", "extra steps", steps="words", n="amount=1")
def extra_steps(ctx: Context, steps: tuple[str, ...], n: int) -> None:
    """Additional phases or steps after this one (CR 500.8, 500.10)."""
    from judgecall.oracle import turn

    for _ in range(n):
        turn.add_phase(ctx.game, steps)


@word("effect", "control turn", who="players", extra_after="bool=false")
def control_turn(ctx: Context, who: list[Player], extra_after: bool) -> None:
    """Control a player during that player's next turn (CR 723)."""
    from judgecall.oracle import turn

    for player in who:
        turn.control_next(ctx.game, player, ctx.you, extra_after)


@word("effect", "lose game", who="players=you")
def lose_game(ctx: Context, who: list[Player]) -> None:
    """Lose the game (CR 104.3e)."""
    from judgecall.oracle import ending

    for player in who:
        ending.lose(ctx.game, player, "104.3e")


@word("effect", "win game", who="players=you")
def win_game(ctx: Context, who: list[Player]) -> None:
    """Win the game (CR 104.2b)."""
    from judgecall.oracle import ending

    ending.win(ctx.game, who[0], "104.2b")


@word("effect", "end turn")
def end_turn(ctx: Context) -> None:
    """End the turn (CR 724)."""
    from judgecall.oracle import turn

    turn.end_now(ctx.game)


@word("effect", "cascade", mana_value="amount")
def cascade(ctx: Context, mana_value: int) -> None:
    """Exile cards until a nonland one of lesser mana value, which may be cast free; the rest goes down (CR 702.85)."""
    from judgecall.oracle import casting_now

    casting_now.cascade(ctx, mana_value)


@word("effect", "reveal until", filter="filter", who="players=you", n="amount=1")
def reveal_until(ctx: Context, filter: Filter, who: list[Player], n: int) -> list[Any]:
    """Reveal cards from the top of a library until so many are as described; the others are ``rest``."""
    found: list[Any] = []
    rest: list[Any] = []
    for player in who:
        for card in player.library_cards:
            happen(ctx, [event("reveal", card)])
            (found if ctx.matches(filter, card) else rest).append(card)
            if len(found) >= n:
                break
    ctx.results["rest"] = rest
    return found


@word("effect", "become monarch", who="players=you")
def become_monarch(ctx: Context, who: list[Player]) -> None:
    """Become the monarch, where one is not: whoever was it ceases to be (CR 725.3)."""
    from judgecall.oracle import inherent

    for player in who[:1]:
        inherent.crown(ctx.game, player)


@word("effect", "copy card", what="objects", n="amount=1")
def copy_card(ctx: Context, what: list[Any], n: int) -> list[Any]:
    """Copies of cards where these are, for casting (CR 707.12)."""
    from judgecall.oracle import copying

    return [copying.copy_card(ctx, thing) for thing in live(what) for _ in range(n)]


@word("effect", "encode")
def encode(ctx: Context) -> list[Any]:
    """Its controller may exile the spell's card encoded on a creature, as long as both stay (CR 702.99a, 702.99c)."""
    from judgecall.oracle import choices, events, lasting, layers, linking
    from judgecall.oracle.vocabulary.grammar import parse_ability

    spell = ctx.stack
    if spell is None or spell.kind != "card" or spell.gone:
        return []
    options = [
        thing
        for thing in ctx.pool(None)
        if thing.controller is ctx.you and "Creature" in layers.of(ctx.game, thing).types
    ]
    if not choices.may(ctx.game, ctx.you, "encode the card on a creature", spell, possible=bool(options)):
        return []
    creature = choices.pick(ctx.game, ctx.you, options, 1, 1, "the creature", spell)[0]
    cards = moved(happen(ctx, [events.move(spell, "exile", cause="exile", source=spell, rules=("702.99a",))]))
    cards = [card for card in cards if card.zone == "exile"]
    if not cards:
        return []
    key = f"encoded {cards[0].id}"
    linking.link(ctx.game, creature, key, cards)
    ability = parse_ability(
        {
            "when": {"deals damage": "this", "player": "each player", "combat": True},
            "do": [{"cast": {"linked": key}, "copy": True}],
        }
    )
    ctx.results["encoded"] = cards
    gain = Node("gain", MappingProxyType({"abilities": (ability,)}))
    node = Node("affects", MappingProxyType({"which": None, "change": (gain,)}))
    there = Node("still", MappingProxyType({"objects": Node("result", MappingProxyType({"name": "encoded"}))}))
    lasting.add(ctx, node, "as long as", (creature,), there)
    return cards
