"""Instructions about instructions: options, payments, conditions, repetition, choices, chance, and mana."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from judgecall.oracle.definitions import Body, Cost, Filter, Node
from judgecall.oracle.state import Player
from judgecall.oracle.vocabulary.effects_zones import event, happen, live, source_of
from judgecall.oracle.vocabulary.words import word

if TYPE_CHECKING:
    from judgecall.oracle.vocabulary.context import Context

__all__: list[str] = []


def _perform(ctx: Context, effects: Any) -> None:
    from judgecall.oracle import resolving

    resolving.perform(ctx, effects)


def _each_of(ctx: Context, who: list[Player] | None) -> list[tuple[Player, Context]]:
    """Who decides, each with surroundings where ``each`` is that player; unsaid, ``each`` stays as it is."""
    return [(ctx.you, ctx)] if who is None else [(player, ctx.having(each=player)) for player in who]


@word("effect", "may", do="effects", who="players=", else_="effects=", if_="lazy condition=")
def may(ctx: Context, do: tuple[Node, ...], who: list[Player] | None, else_: Any, if_: Node | None) -> bool:
    """A player may do something (CR 608.2d); ``if``: only where it could be done at all."""
    from judgecall.oracle import choices

    taken = False
    for player, inner in _each_of(ctx, who):
        possible = (if_ is None or inner.holds(if_)) and not _impossible(inner, player, do)
        if choices.may(ctx.game, player, "an optional action", ctx.this, possible=possible):
            taken = True
            _perform(inner, do)
        elif else_:
            _perform(inner, else_)
    return taken


_TO_WHAT_IS_THERE = frozenset({"exile", "put", "transform", "turn face down"})


def _impossible(ctx: Context, player: Player, effects: tuple[Node, ...]) -> bool:
    """CR 608.2d: what can't be chosen, because what it is about is gone, or an effect keeps the player from doing it.

    Such effects are about searches, counters and further draws (CR 121.2b).
    """
    from judgecall.oracle import statics

    if not effects:  # a choice that only what comes later looks at
        return False
    effect = effects[0]
    if effect.word in _TO_WHAT_IS_THERE:
        return not live(ctx.objects(effect.args["what"]))
    if effect.word == "search":
        return statics.forbids(ctx.game, "cant search", player=player)
    if effect.word == "put counters" and effect.args.get("who") is None:
        on = ctx.objects(effect.args["on"])
        return bool(on) and all(statics.forbids(ctx.game, "cant get counters", obj=thing) for thing in on)
    return effect.word == "draw" and statics.draw_limit(ctx.game, player, ctx.amount(effect.args["n"]))


def multiplied(node: Node, times: int) -> Node:
    """A part of a cost that is paid so many times over (CR 702.24a): so many different things."""
    n = node.args.get("n")
    if times == 1 or n is None:
        return node
    if isinstance(n, int):
        return Node(node.word, MappingProxyType({**node.args, "n": n * times}))
    product = Node("times", MappingProxyType({"of": (n, times)}))
    return Node(node.word, MappingProxyType({**node.args, "n": product}))


@word(
    "effect",
    "pay",
    cost="cost",
    who="players=",
    then="effects=",
    else_="effects=",
    optional="bool=true",
    times="amount=1",
)
def pay(ctx: Context, cost: Cost, who: list[Player] | None, then: Any, else_: Any, optional: bool, times: int) -> bool:
    """A player may pay; then one thing happens, else another ("unless" too) (CR 118.12)."""
    from judgecall.oracle import choices, costs, payment
    from judgecall.oracle.agents import Refused

    paid_by_any = False
    keyword = ctx.stack.ability.rules if ctx.stack is not None and ctx.stack.ability is not None else ()
    if keyword and any(isinstance(value, Node) for node in cost.parts for value in node.args.values()):
        ctx.game.trace.cite("702.1b")  # a number in a keyword's cost is what it is now
    for player, inner in _each_of(ctx, who):

        def build(player: Player = player, inner: Context = inner) -> dict[str, Any]:
            total = costs.TotalCost()
            total.add(_times_over(cost, times), inner, inner.x)
            about = ctx.stack if ctx.stack is not None else ctx.this
            assert about is not None
            return payment.pay(ctx.game, player, about, total, {}, None, "effect")

        possible = True
        try:
            with ctx.game.trial():
                from judgecall.oracle import legality

                possible = legality.search(ctx.game, build).legal
        except Refused:
            possible = False
        chosen = choices.may(ctx.game, player, "pay a cost", ctx.this, "pay", possible) if optional else possible
        if chosen:
            paid_by_any = True
            paid = build()
            inner.paid = {**inner.paid, **paid}
            inner.results.update({key: value for key, value in paid.items() if key not in ("spent units",)})
            if then:
                _perform(inner, then)
        elif else_:
            _perform(inner, else_)
    return paid_by_any


_COUNTED = frozenset({"life", "sacrifice", "discard", "exile", "exile top", "mill", "draw", "tap", "return", "reveal"})


def _times_over(cost: Cost, times: int) -> Cost:
    """A cost so many times over (CR 702.24a): different things each time, chosen together, paid at once."""
    if times == 1:
        return cost
    parts: list[Node] = []
    for node in cost.parts:
        if times and node.word in _COUNTED:
            n = Node("times", MappingProxyType({"of": (times, node.args["n"])}))
            parts.append(Node(node.word, MappingProxyType({**node.args, "n": n})))
        else:
            parts.extend([node] * times)
    return Cost(cost.mana * times if cost.mana is not None else None, tuple(parts), cost.unpayable)


@word("effect", "if", condition="lazy condition", then="effects", else_="effects=")
def if_(ctx: Context, condition: Node, then: Any, else_: Any) -> None:
    """One thing or another, as things are now (CR 608.2c)."""
    if ctx.holds(condition):
        _perform(ctx, then)
    elif else_:
        _perform(ctx, else_)


@word(
    "effect", "for each", things="lazy objects=", players="lazy players=", do="effects", one_by_one="bool=false",
    collect="text=",
)  # fmt: skip
def for_each(
    ctx: Context, things: Node | None, players: Node | None, do: Any, one_by_one: bool, collect: str | None
) -> list[Any] | None:  # fmt: skip
    """The same for each object or player; ``each`` names the one it is about (CR 608.2f).

    ``one by one``: the order matters, and is chosen among what one player is or controls.
    ``collect``: what each round named so, all together.
    """
    subjects: list[Any] = ctx.objects(things) if things is not None else []
    if players is not None:
        subjects = list(ctx.players(players))
    found: list[Any] = []
    for subject in _one_by_one(ctx, subjects) if one_by_one else subjects:
        if collect is not None:
            ctx.results[collect] = []
        _perform(ctx.having(each=subject), do)
        found.extend(ctx.results[collect] if collect is not None else ())
    return found if collect is not None else None


def _one_by_one(ctx: Context, subjects: list[Any]) -> Iterator[Any]:
    """In APNAP order of the players affected; "you" choose what comes next among what one player is or controls."""
    from judgecall.oracle import choices

    for player in ctx.game.apnap():
        own = [s for s in subjects if (s if isinstance(s, Player) else s.controller) is player]
        while own:
            following = own[0]
            if len(own) > 1:
                following = choices.pick(ctx.game, ctx.you, own, 1, 1, "what comes next", ctx.this)[0]
            own = [thing for thing in own if thing is not following]
            yield following


@word("effect", "repeat", n="amount", do="effects")
def repeat(ctx: Context, n: int, do: Any) -> None:
    """The same so many times."""
    for _ in range(max(0, n)):
        _perform(ctx, do)


@word("effect", "repeat while", condition="lazy condition", do="effects")
def repeat_while(ctx: Context, condition: Node, do: Any) -> None:
    """The same once, and again as long as a condition holds afterwards (CR 608.2c)."""
    _perform(ctx, do)
    while not ctx.game.over and ctx.holds(condition):
        _perform(ctx, do)


@word("effect", "do", do="effects")
def do_(ctx: Context, do: Any) -> None:
    """Several instructions as one."""
    _perform(ctx, do)


@word(
    "effect", "pick", filter="filter=", among="objects=", players="players=", n="amount=1", up_to="bool=false",
    who="players=", any_number="bool=false", random="bool=false", collect="text=", at_least="amount=",
)  # fmt: skip
def pick(
    ctx: Context, filter: Filter | None, among: list[Any] | None, players: list[Player] | None, n: int, up_to: bool,
    who: list[Player] | None, any_number: bool, random: bool, collect: str | None, at_least: int | None,
) -> list[Any]:  # fmt: skip
    """Choose objects or players without targeting them (CR 608.2d, 115.10a)."""
    from judgecall.oracle import chance, choices

    found: list[Any] = []
    for player, inner in _each_of(ctx, who):
        options: list[Any] = list(players or ())
        if among is not None:
            options.extend(thing for thing in among if filter is None or inner.matches(filter, thing))
        elif filter is not None:
            options.extend(inner.choosable(filter))
        most = len(options) if any_number else n
        least = 0 if up_to or any_number else n
        if at_least is not None:
            least = at_least
        if random:
            found.extend(chance.pick_at_random(ctx.game, tuple(options), n))
        else:
            found.extend(choices.pick(ctx.game, player, options, least, most, "choose", ctx.this))
    if collect is not None:
        ctx.results[collect] = [*ctx.results.get(collect, ()), *found]
    return found


def becoming(ctx: Context) -> str | None:
    """The name of what something enters as, where a copy effect says so (CR 607.5a)."""
    changed = ctx.results.get("event")
    values = changed.details.get("copy") if changed is not None else None
    if values is None:
        return None
    ctx.game.trace.cite("707.6")  # what was chosen for the original is not copied
    return str(values.name)


@word("effect", "choose color", who="players=you", remember="bool=false", among="words=")
def choose_color(ctx: Context, who: list[Player], remember: bool, among: Any) -> str:
    """Choose a color (CR 105.4)."""
    from judgecall.oracle import choices, linking
    from judgecall.oracle.characteristics import COLORS

    color = choices.word(ctx.game, who[0], "color", among or COLORS, "choose a color", ctx.this)
    ctx.results["color"] = color
    if remember and ctx.this is not None:
        linking.choose(ctx.game, ctx.this, "color", color, becoming(ctx))
    return color


@word("effect", "choose type", who="players=you", remember="bool=true", kind="text=Creature", among="words=")
def choose_type(ctx: Context, who: list[Player], remember: bool, kind: str, among: Any) -> str:
    """Choose a creature type (CR 205.3e), or another kind of type."""
    from judgecall.oracle import choices, linking
    from judgecall.oracle.subtypes import subtypes_of_type

    options = among or tuple(sorted(subtypes_of_type(kind)))
    chosen = choices.word(ctx.game, who[0], "type", options, "choose a type", ctx.this)
    ctx.results["type"] = chosen
    if remember and ctx.this is not None:
        linking.choose(ctx.game, ctx.this, "type", chosen, becoming(ctx))
    return chosen


@word("effect", "name card", who="players=you", remember="bool=true", filter="filter=")
def name_card(ctx: Context, who: list[Player], remember: bool, filter: Filter | None) -> str:
    """Choose a card name (CR 201.4); ``filter``: of a card as described, as it is printed (CR 201.4a)."""
    from judgecall.oracle import choices, linking, naming
    from judgecall.oracle.agents import Refused

    name = choices.word(ctx.game, who[0], "name", (), "choose a card name", ctx.this, open_=True)
    if not naming.allowed(ctx, name, filter):
        raise Refused(f"{name} is not a card name that can be chosen", "201.4a")
    ctx.results["name"] = name
    if remember and ctx.this is not None:
        linking.choose(ctx.game, ctx.this, "name", name, becoming(ctx))
    return name


@word("effect", "choose number", low="amount=0", high="amount", who="players=you")
def choose_number(ctx: Context, low: int, high: int, who: list[Player]) -> int:
    """Choose a number."""
    from judgecall.oracle import choices

    return choices.number(ctx.game, who[0], low, max(low, high), "choose a number", ctx.this)


@word("effect", "choose player", among="players=opponent", who="players=you", remember="text=")
def choose_player(ctx: Context, among: list[Player], who: list[Player], remember: str | None) -> list[Any]:
    """Choose a player."""
    from judgecall.oracle import choices, linking

    found: list[Any] = list(among)
    if len(among) > 1:
        found = choices.pick(ctx.game, who[0], among, 1, 1, "choose a player", ctx.this)
    if remember and found and ctx.this is not None:
        linking.choose(ctx.game, ctx.this, remember, found[0])
    return found


@word("effect", "choose one", modes="alternatives", who="players=", n="amount=1")
def choose_one(ctx: Context, modes: Any, who: list[Player] | None, n: int) -> None:
    """A choice among instructions made while resolving (CR 608.2d)."""
    from judgecall.oracle import choices
    from judgecall.oracle.agents import Question

    options = tuple(range(1, len(modes) + 1))
    for player, inner in _each_of(ctx, who):
        answer = choices.ask(ctx.game, Question(player, "modes", "choose one", options, n, n, ctx.this))
        chosen = choices.check(answer, options, n, n, "608.2d")
        for index in sorted(chosen):
            _perform(inner, modes[index - 1])


@word("effect", "flip coin", who="players=you", call="bool=true", win="effects=", lose="effects=", n="amount=1")
def flip_coin(ctx: Context, who: list[Player], call: bool, win: Any, lose: Any, n: int) -> int:
    """Flip coins (CR 705); how many were won."""
    from judgecall.oracle import chance

    won = 0
    for player in who:
        for _ in range(n):
            good = chance.coin(ctx.game, player, ctx.this, call)
            won += good
            _perform(ctx, (win if good else lose) or ())
    return won


@word("effect", "roll", sides="amount=20", who="players=you", modifier="amount=0")
def roll(ctx: Context, sides: int, who: list[Player], modifier: int) -> int:
    """Roll a die; its result is what it shows and what is added (CR 706.2)."""
    from judgecall.oracle import chance

    result = chance.roll(ctx.game, who[0], sides, ctx.this) + modifier
    ctx.results["rolled"] = result
    return result


@word("effect", "note number", n="amount")
def note_number(ctx: Context, n: int) -> int:
    """A number as it is now, for later instructions and lasting effects (CR 608.2h)."""
    return n


@word(
    "effect",
    "mana",
    what="mana made",
    n="lazy amount=1",
    who="players=you",
    combination="bool=false",
    among="filter=",
    only="spending=",
    keeps="text=",
    spent_on="filter=",
    gives="effects=",
    when_spent="body=",
)
def mana(
    ctx: Context, what: Any, n: Any, who: list[Player], combination: bool, among: Filter | None, only: Any,
    keeps: str | None, spent_on: Filter | None, gives: Any, when_spent: Body | None,
) -> None:  # fmt: skip
    """Add mana (CR 106.3): a list is what one of is chosen; it ``keeps`` until ``end of turn`` or ``end of combat``.

    ``spent on``: of a spell as described that it is spent on, what it ``gives`` it, or what is done ``when spent``, as
    a delayed triggered ability (CR 106.6). There the spell is ``that``.
    """
    from judgecall.oracle import mana as mana_

    arguments = {
        "what": what, "n": n, "combination": combination, "among": among,
        "only": only, "keeps": keeps, "spent_on": spent_on, "gives": gives, "when_spent": when_spent,
    }  # fmt: skip
    node = Node("mana", MappingProxyType(arguments))
    runs = mana_.alternatives(ctx, node)
    for player in who:
        symbols = _which(ctx, player, runs)
        if symbols:
            happen(
                ctx,
                [
                    event(
                        "mana",
                        player=player,
                        source=ctx.this,
                        details={"units": mana_.units(ctx, node, symbols)},
                    )
                ],
            )


def _which(ctx: Context, player: Player, runs: list[tuple[str, ...]]) -> tuple[str, ...]:
    from judgecall.oracle import choices

    if len(runs) == 1:
        return runs[0]
    planned = ctx.game.fresh.get("output")
    if planned is not None:
        for run in runs:
            if sorted(run) == sorted(planned):
                return run
        for run in runs:
            if set(run) <= set(planned):
                return run
    single = all(len(set(run)) == 1 for run in runs)
    if single:
        from judgecall.oracle.characteristics import COLOR_OF

        names = {COLOR_OF.get(run[0], "colorless"): run for run in runs}
        return names[choices.word(ctx.game, player, "color", tuple(names), "which color of mana", ctx.this)]
    texts = {"".join(f"{{{symbol}}}" for symbol in run): run for run in runs}
    answer = choices.word(ctx.game, player, "mana", tuple(texts), "which mana", ctx.this, open_=True)
    for run in runs:
        if sorted(run) == sorted(answer.strip("{}").split("}{")):
            return run
    from judgecall.oracle.agents import Refused

    raise Refused(f"{answer} cannot be added", "106.1b")


@word("effect", "source", what="text=")
def nothing(ctx: Context, what: str | None) -> list[Any]:
    """Name the source of the effect."""
    found = source_of(ctx)
    return [found] if found is not None else []
