"""Effects that last, and abilities that wait: durations (CR 611.2), delayed and reflexive triggers (CR 603.7)."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from judgecall.oracle.definitions import Body, Filter, Node, Replacement, Triggered
from judgecall.oracle.state import Object, Player
from judgecall.oracle.vocabulary.changes import LAYER, activated_of, keyword_abilities_of
from judgecall.oracle.vocabulary.words import word

if TYPE_CHECKING:
    from judgecall.oracle.vocabulary.context import Context

__all__ = ["ending", "settled"]


@word(
    "effect", "until", duration="text", affects="affected=", change="changes=", rules="rules=", replace="ability=",
    enters="ability=", about="players=", as_long_as="lazy condition=",
)  # fmt: skip
def until(
    ctx: Context, duration: str, affects: Any, change: Any, rules: Any, replace: Any, enters: Any,
    about: list[Player] | None, as_long_as: Node | None,
) -> list[Any]:  # fmt: skip
    """A continuous effect for a duration (CR 611.2). What it changes is locked in now (CR 611.2c).

    ``duration``: ``end of turn``, ``end of combat``, ``your next turn``, ``forever``, ``this leaves``,
    ``their next untap``, ``turned face down``, ``control lost`` … ``as long as``: a condition instead; if it does not
    hold, nothing begins (CR 611.2b).
    """
    from judgecall.oracle import lasting

    things: list[Any] | None = None
    if affects is not None:
        found = ctx.all(affects) if isinstance(affects, Filter) else ctx.objects(affects)
        things = [t for t in found if not (isinstance(t, Object) and (t.gone or t.phased_out))]
    if duration == "their next untap":  # of each until whoever controls it then has untapped, or the player named
        nodes = [Node("affects", MappingProxyType({"which": None, "change": settled(ctx, change)}))] if change else []
        for thing in things or ():
            for node in (*nodes, *(rules or ())):
                lasting.add(ctx, node, duration, (thing,), about[0] if about else None)
        return things or []
    ends, about_what = ending(ctx, duration, about, things)
    if as_long_as is not None:
        ends, about_what = ("as long as", as_long_as) if ctx.holds(as_long_as) else (None, None)
    if ends is None:
        return []
    if change and things is not None and things:
        if _waits_for_a_creature(ctx, things, change):
            ctx.game.trace.cite("208.3a")
        node = Node("affects", MappingProxyType({"which": None, "change": settled(ctx, change)}))
        lasting.add(ctx, node, ends, tuple(things), about_what)
    for rule in rules or ():
        lasting.add(ctx, rule, ends, tuple(things) if things is not None else None, about_what)
    for ability in (replace, enters):
        if ability is not None:
            lasting.add(ctx, ability, ends, tuple(things) if things is not None else None, about_what)
    return things or []


def _waits_for_a_creature(ctx: Context, things: list[Any], change: Any) -> bool:
    """Whether all it does is to change the power or toughness of permanents that are no creatures (CR 208.3a)."""
    from judgecall.oracle import layers

    if not all(LAYER[node.word].startswith("7") for node in change):
        return False
    return not any("Creature" in layers.of(ctx.game, thing).types for thing in things if isinstance(thing, Object))


def ending(ctx: Context, duration: str, about: Any, things: Any) -> tuple[str | None, Any]:
    """When an effect of this duration ends, and what its end depends on; None: it does not even begin."""
    if duration == "this leaves":
        return ("source leaves", ctx.this) if ctx.this is not None and not ctx.this.gone else (None, None)
    if duration in ("your next turn", "end of your next turn", "your next upkeep", "next untap step"):
        return duration, (about[0] if about else ctx.you)
    if duration == "turned face down":
        return duration, things[0] if things else ctx.this
    return duration, None


def settled(ctx: Context, change: Any) -> tuple[Node, ...]:
    """Changes whose numbers are determined now (CR 608.2h, 611.2d): X is locked in as the effect begins."""
    made = []
    for node in change:
        if node.word == "gain abilities of":
            abilities = activated_of(ctx, ctx.objects(node.args["objects"]))
            made.append(Node("gain", MappingProxyType({"abilities": abilities})))
            continue
        if node.word == "gain keywords":
            gained = keyword_abilities_of(ctx, node.args["keywords"], node.args["of"])
            made.append(Node("gain", MappingProxyType({"abilities": gained})))
            continue
        values: dict[str, Any] = dict(node.args)
        for name, value in values.items():
            if node.word in ("pt", "base", "base power", "base toughness", "can block more"):
                if isinstance(value, tuple):
                    values[name] = tuple(ctx.amount(v) for v in value)
                elif isinstance(value, Node):
                    values[name] = ctx.amount(value)
        if node.word in ("colors", "add colors") and ctx.results.get("color"):
            values = {k: tuple(ctx.results["color"] if c == "chosen" else c for c in v) for k, v in values.items()}
        if node.word in ("set subtypes", "add subtypes", "land types") and ctx.results.get("type"):
            values = {k: tuple(ctx.results["type"] if c == "chosen" else c for c in v) for k, v in values.items()}
        made.append(Node(node.word, MappingProxyType(values)))
    return tuple(made)


@word("effect", "delayed", when="lazy trigger", body="body", about="objects=", once="bool=true", ends="text=")
def delayed(ctx: Context, when: Node, body: Body, about: list[Any] | None, once: bool, ends: str | None) -> None:
    """A delayed triggered ability, there from now on (CR 603.7, 603.7a); ``about``: only what happens to these objects.

    ``once`` with ``ends: end of turn`` is the next such event this turn.
    """
    from judgecall.oracle import lasting

    affected = tuple(about) if about is not None else None
    if affected is not None and not [t for t in affected if not (isinstance(t, Object) and t.gone)]:
        return  # CR 603.7a
    if once and ends is not None:
        ability = Triggered(zones=frozenset({"any"}), trigger=when, body=body, limit=1, number=ctx.game.stamp())
        lasting.add(ctx, ability, ends, affected, ending(ctx, ends, None, None)[1])
        return
    until = ending(ctx, ends, None, None)[1] if ends is not None else None
    lasting.delay(ctx, when, body, affected=affected, ends="once" if once else ends or "end of turn", until=until)


@word("effect", "reflexive", body="body", if_="lazy condition=")
def reflexive(ctx: Context, body: Body, if_: Node | None) -> None:
    """ "When you do": a reflexive triggered ability (CR 603.12)."""
    from judgecall.oracle import triggers

    if if_ is None or ctx.holds(if_):
        triggers.wait(ctx, body)


def _sources(ctx: Context) -> list[Object]:
    """What may be chosen as a source of damage: permanents, spells, what abilities on the stack are of (CR 609.7a)."""
    found = list(ctx.pool(None))
    for thing in ctx.game.stack:
        source = thing.source if thing.kind == "ability" else thing
        if source is not None and not any(source is other for other in found):
            found.append(source)
    return found


@word(
    "effect",
    "prevent",
    n="amount=",
    to="objects=",
    from_="filter=",
    combat="bool=",
    duration="text=end of turn",
    to_filter="filter=",
    to_players="players=",
    then="effects=",
    source_chosen="bool=false",
    next_="bool=false",
    from_objects="objects=",
)
def prevent(
    ctx: Context, n: int | None, to: list[Any] | None, from_: Filter | None, combat: bool | None, duration: str,
    to_filter: Filter | None, to_players: list[Player] | None, then: Any, source_chosen: bool, next_: bool,
    from_objects: list[Any] | None,
) -> None:  # fmt: skip
    """A prevention effect, from now on (CR 615, 615.4): of so much damage, or of all, to or from what is described."""
    from judgecall.oracle import choices, lasting

    source: Any = None
    if source_chosen:
        ctx.game.trace.cite("609.7a")
        options = [thing for thing in _sources(ctx) if ctx.matches(from_, thing)]
        found = choices.pick(ctx.game, ctx.you, options, 1, 1, "choose a source", ctx.this)
        source = found[0] if found else None  # as described it must still be later (CR 609.7b)
    arguments = {
        "source": from_, "to": to_filter, "combat": combat, "players": None,
        "who": tuple(to_players) if to_players is not None else None,
        "objects": tuple(to) if to is not None else None,
        "from_objects": (source,) if source is not None else tuple(from_objects) if from_objects is not None else None,
    }  # fmt: skip
    pattern = Node("shielded damage", MappingProxyType(arguments))
    ability = Replacement(
        zones=frozenset({"any"}),
        event=pattern,
        instead=(Node("prevent it", MappingProxyType({"n": n, "then": then})),),
        once=next_ and n is None,
    )
    if n is not None and to is not None and len(to) > 1:
        ctx.game.trace.cite("615.11")
        for thing in to:
            single = Node("shielded damage", MappingProxyType({**arguments, "objects": (thing,)}))
            one = Replacement(zones=ability.zones, event=single, instead=ability.instead)
            lasting.add(
                ctx,
                one,
                duration,
                None,
                ctx.you,
                context={**lasting.surroundings(ctx), "results": {"shield": [n]}},
            )
        return
    context = {**lasting.surroundings(ctx)}
    if n is not None:
        context["results"] = {**context["results"], "shield": [n]}
    lasting.add(ctx, ability, duration, None, ctx.you, context=context)
