"""Casting spells, one procedure for all of them (CR 601.2a–i), and what it shares with activating (CR 602.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from judgecall.oracle import (
    announcing,
    applying,
    assisting,
    choices,
    costs,
    events,
    layers,
    mana,
    objects,
    payment,
    statics,
    targets,
    ways,
)
from judgecall.oracle.agents import Refused
from judgecall.oracle.definitions import (
    Ability,
    AdditionalCost,
    Body,
    Cost,
    Enters,
    Node,
)
from judgecall.oracle.state import FloatingEffect, Game, Object, Player
from judgecall.oracle.vocabulary.context import Context

__all__ = ["cast", "check_could_begin", "check_split_second", "split_second"]


def cast(
    game: Game,
    player: Player,
    obj: Object,
    request: ways.Request,
    *,
    during: bool = False,
    way: ways.Way | None = None,
) -> Object:
    """Cast a card, or a copy of one, from where it is.

    Args:
        during: while something resolves: no timing, no priority needed (CR 608.2g).
        way: how it is cast, where an effect says so.

    Returns:
        The spell.

    Raises:
        Refused: with the rule and the stage; the state is as before.
    """
    mark = game.mark()
    try:
        return _cast(game, player, obj, request, during, way)
    except Refused:
        game.undo(mark)
        raise


def _cast(game: Game, player: Player, obj: Object, request: ways.Request, during: bool, way: ways.Way | None) -> Object:
    if not during and game.priority is not player:
        raise Refused(f"{player.name} does not have priority", "117.1a", "permission")
    if obj.kind == "ability" or obj.zone in ("stack", "battlefield") or obj.gone:
        raise Refused("that cannot be cast from where it is", "601.3", "permission")
    options = [way] if way is not None else ways.find(game, player, obj, request)
    failure: Refused | None = None
    for option in [made for found in options for made in ways.with_alternatives(game, obj, found)]:
        mark = game.mark()
        try:
            return _proceed(game, player, obj, request, during, option)
        except (Refused, targets.NoTargets) as error:
            game.undo(mark)
            if isinstance(error, targets.NoTargets):
                error = Refused("there are not enough legal targets", "601.2c", "targets")
            error.also = (*error.also, *_rules_of(option))
            if failure is None or _later(error, failure):
                failure = error
    assert failure is not None
    raise failure


def _rules_of(way: ways.Way) -> tuple[str, ...]:
    """The rules of the keywords and effects that a way of casting comes from (CR 601.2b)."""
    rules = [found.rule for found in (way.alternative, way.values) if found is not None]
    return (*rules, *(addition.rule for addition, _ in way.additional))


_STAGES = ("permission", "announce", "targets", "costs")


def _later(one: Refused, two: Refused) -> bool:
    def place(error: Refused) -> int:
        return _STAGES.index(error.stage) if error.stage in _STAGES else 0

    return place(one) > place(two)


# -- the procedure -------------------------------------------------------------------------------------------


def _proceed(game: Game, player: Player, obj: Object, request: ways.Request, during: bool, way: ways.Way) -> Object:
    # CR 601.2a: onto the stack, with the face and the status that it is cast with.
    origin = obj.zone
    details: dict[str, Any] = {"controller": player, "face": way.face}
    if way.face_down is not None:
        from judgecall.oracle import face_down

        details["face_down"] = way.face_down
        details["face_down_values"] = face_down.values(way.face_down)
    follow = _following(game, obj, way)
    event = events.move(obj, "stack", cause="cast", by=player, **details)
    event.new = applying.fresh(game, event)
    spell = event.new
    using = (
        *way.names,
        *(ability.name for ability, n in way.additional for _ in range(n) if ability.optional),
    )
    game.write(
        spell,
        "cast",
        MappingProxyType(
            {
                "from": origin,
                "using": using,
                "additions": tuple(way.additional),
                "by": player.name,
                "kicked": MappingProxyType(_kicked(way)),
                "turn": game.turn,
            }
        ),
    )
    events.happen(game, [event])
    for ability in follow:
        game.write(
            game,
            "effects",
            (*game.effects, FloatingEffect(ability, player, spell, game.stamp(), "leaves", (spell,), spell)),
        )
    if way.alternative is not None and way.alternative.values is not None:
        way.alternative.values(game, spell)
    if way.values is not None:
        way.values.values(game, spell)
    if objects.is_double_faced(spell):
        game.trace.cite(_face_rule(spell))
    _check_permission(game, player, obj, spell, way, during)
    ctx = Context(game, player, spell, stack=spell)
    _announce(game, player, spell, request, way, ctx)
    _forbidden(game, player, spell, origin)
    body = announcing.body_of(game, spell)
    modes = announcing.choose_modes(ctx, body, request.modes)
    if modes is None:
        raise Refused("no mode can be chosen", "601.2b", "announce")
    other = way.alternative is not None or way.cost is not None
    if modes or other or way.additional:
        game.trace.cite("601.2b")
    game.write(spell, "context", MappingProxyType({**spell.context, "modes": modes}))
    specs = announcing.specs_of(body, modes)
    if not specs and not {"Instant", "Sorcery"}.isdisjoint(layers.of(game, spell).types):
        game.trace.cite("115.1a")  # whatever other abilities of the card target
    groups = targets.choose(ctx, specs, request.targets, spell)
    game.write(spell, "targets", groups)
    announcing.announce_division(ctx, body, modes, spell)
    # CR 601.2f: the total cost.
    base = _base_cost(game, spell, way)
    x = int(spell.cast.get("x") or 0)
    extra = _additional(game, player, spell, way, ctx, body, modes)
    tax = _commander_tax(game, player, obj, origin, ctx)
    extra.extend(tax)
    names = list(way.names)
    # Only what is paid is another: its mana cost stays what it is.
    game.trace.cite(*(("118.8", "118.8d") if extra else ()), *(("118.9", "118.9c") if other else ()))
    total = costs.total_cost(game, player, spell, base, extra, ctx, x, "spell", names, alternative=other)
    help_ = assisting.help_pay(game, player, spell, total) if way.assisted else None
    if help_ is not None:
        total = help_.left
    try:
        paid = payment.pay(game, player, spell, total, request.costs, request.paying, "spell")
    except Refused as refused:
        refused.also += ("903.8",) if tax else ()
        raise
    own = len(paid.get("spent", ()))
    if help_ is not None:
        paid["spent"] = (*help_.spent, *paid.get("spent", ()))
        paid["spent units"] = (*help_.units, *paid.get("spent units", ()))
    _after_payment(game, spell, paid)
    mana.spent(game, spell, paid.get("spent units", ()))
    # CR 601.2i: it has been cast.
    for effect in _effects_used(way):
        _grant(game, player, spell, effect)
    _count(game, player, obj, spell, origin)
    events.happen(game, [events.Event("cast", spell, player, rules=("601.2i",))])
    targets.became_targets(game, spell)
    _expend(game, player, own)
    if help_ is not None:
        _expend(game, help_.player, len(help_.spent))
    return spell


def _face_rule(spell: Object) -> str:
    """The rule that says which face of a double-faced card is cast."""
    if objects.base_values(spell).layout == "modal":
        return "712.11b"
    return "712.11a" if spell.face == "back" else "712.11"


def check_could_begin(game: Game, player: Player, obj: Object) -> None:
    """Whether a player could begin to cast a card by putting it onto the stack from the hand (CR 702.62a, 702.62c).

    Raises:
        Refused: timing or an effect keeps it from being cast now. Costs and targets are no matter.
    """
    with game.trial():
        event = events.move(obj, "stack", cause="cast", by=player, controller=player, face="front")
        event.new = applying.fresh(game, event)
        events.happen(game, [event])
        _check_permission(game, player, obj, event.new, ways.Way(), during=False)
        _forbidden(game, player, event.new, "hand")


def _following(game: Game, obj: Object, way: ways.Way) -> list[Ability]:
    """What a permission or an alternative cost keeps saying of the spell (CR 400.7h–i)."""
    found: list[Ability] = list(way.alternative.follow) if way.alternative is not None else []
    for ability, _ in way.additional:
        found.extend(ability.follow)
    return found


def _kicked(way: ways.Way) -> dict[str, int]:
    return {
        costs.shown(ability.cost) or ability.name: n
        for ability, n in way.additional
        if ability.name in ("kicker", "multikicker")
    }


def _check_permission(game: Game, player: Player, obj: Object, spell: Object, way: ways.Way, during: bool) -> None:
    """What must be so for the spell to be cast at all, judged as it is on the stack (CR 601.3, 601.3e)."""
    ch = layers.of(game, spell)
    alternative = way.alternative
    if way.face_down is not None or way.face != "front" or way.permission is not None:
        game.trace.cite("601.3e")
    if alternative is not None:
        game.trace.cite(*alternative.rules)
    if way.values is not None:
        game.trace.cite("718.3", "718.3a", "718.3b")
    if "Land" in ch.types and way.face_down is None:
        also = (_face_rule(spell),) if objects.is_double_faced(spell) else ()
        raise Refused("a land is never cast", "305.9", "permission", also)
    if alternative is not None:
        ctx = Context(game, player, spell, stack=spell)
        if alternative.only is not None and not ctx.matches(alternative.only, spell):
            raise Refused("the resulting spell is not of the kind that may be cast so", alternative.rule, "permission")
        if not ctx.holds(alternative.condition):
            raise Refused("the alternative cost may not be paid now", alternative.rule, "announce")
    for addition, _ in way.additional:
        if addition.only is not None and not Context(game, player, spell).matches(addition.only, spell):
            raise Refused("the resulting spell is not of the kind that may be cast so", addition.rule, "permission")
    for node, ctx in _effects_used(way):
        if not _fits_permission(game, ctx, node, spell):
            rule = alternative.rule if alternative is not None else node.args.get("by_rule") or "601.3"
            raise Refused("the permission is not for such a spell", rule, "permission", ("601.3", *_judged_as(spell)))
    for node, ctx in costs.own_changes(spell, game, "cast only"):
        if not ctx.holds(node.args["condition"]):
            also = ("702.127a",) if ch.has("aftermath") else ()
            raise Refused("the card says that it can't be cast now", "601.3", "permission", also)
    if not during:
        _check_timing(game, player, spell, ch, way)
    check_split_second(game, spell)


def _effects_used(way: ways.Way) -> list[tuple[Node, Context]]:
    """The effects that let the spell be cast from where it is and for what it is (CR 601.3, 118.9)."""
    return [effect for effect in (way.permission, way.price) if effect is not None]


def _fits_permission(game: Game, ctx: Context, node: Node, spell: Object) -> bool:
    ctx = ctx.having(event={**ctx.event, "that": spell})
    return ctx.matches(node.args["filter"], spell)


def check_split_second(game: Game, but: Object | None = None) -> None:
    """CR 702.61a: no spells and no abilities that are no mana abilities while such a spell is on the stack.

    Raises:
        Refused: there is one.
    """
    if split_second(game, but):
        raise Refused("a spell with split second is on the stack", "702.61a", "permission")


def split_second(game: Game, but: Object | None = None) -> bool:
    """Whether a spell with split second is on the stack, other than this one (CR 702.61a)."""
    return any(
        item is not but and item.kind != "ability" and layers.of(game, item).has("split second") for item in game.stack
    )


def _check_timing(game: Game, player: Player, spell: Object, ch: Any, way: ways.Way) -> None:
    from judgecall.oracle import turn

    game.trace.cite("117.1a")
    timing = way.alternative.timing if way.alternative is not None else None
    if way.permission is not None and way.permission[0].args.get("timing"):
        timing = way.permission[0].args["timing"]
    if timing == "instant":
        return
    if "Instant" in ch.types and timing is None:
        game.trace.cite("304.1")
        return
    if ch.has("flash") and timing is None:
        game.trace.cite("702.8a")
        return
    if timing != "sorcery":
        for node, ctx in statics.rules(game, "as though flash"):
            if player in ctx.players(node.args["who"]) and ctx.matches(node.args["filter"], spell):
                game.trace.cite("601.3b", "702.8a")
                return
    others = tuple(item for item in game.stack if item is not spell)
    rule, *also = [_TYPE_RULE[name] for name in _TYPE_RULE if name in ch.types] or ["601.3"]
    if game.active is not player or not turn.is_main(game) or others:
        refusal = "that can be cast only in a main phase of one's own turn with an empty stack"
        if game.active is not player or not turn.is_main(game):
            also.append("505.6a")
        raise Refused(refusal, rule, "permission", tuple(also))
    game.trace.cite(rule)


_TYPE_RULE = {
    "Sorcery": "307.1",
    "Artifact": "301.1",
    "Creature": "302.1",
    "Enchantment": "303.1",
    "Planeswalker": "306.1",
    "Battle": "310.1",
    "Kindred": "308.1",
}


def _announce(game: Game, player: Player, spell: Object, request: ways.Request, way: ways.Way, ctx: Context) -> None:
    """CR 601.2b: splice, additional costs, X."""
    if way.splice:
        from judgecall.oracle import splicing

        splicing.splice(game, player, spell, way.splice)
    if way.cost is not None:
        payment.announce(game, player, spell, way.cost, request.costs, ctx)
    of_mana = "X" in (objects.copiable(game, spell).mana_cost or ())
    paid = cost_has_x(way.cost) if way.cost is not None else of_mana and not way.free
    if not (of_mana or paid or _additional_x(game, spell, way)):
        if request.x:
            raise Refused("there is no X to choose", "107.3", "announce")
        return
    if of_mana and not paid:
        x = 0  # CR 107.3b
        if request.x:
            raise Refused("X is 0 where its cost is not paid", "107.3b", "announce")
    elif request.x is not None:
        x = request.x
    else:
        x = choices.number(game, player, 0, 99, "the value of X", spell, "x")
    if x < 0:
        raise Refused("X cannot be negative", "107.1b", "announce")
    game.trace.cite("601.2b")
    game.write(spell, "cast", MappingProxyType({**spell.cast, "x": x}))
    ctx.x = x


def cost_has_x(cost: Cost) -> bool:
    return "X" in (cost.mana or ()) or any(_part_has_x(node) for node in cost.parts)


def _part_has_x(node: Node) -> bool:
    counters = [n for value in node.args.values() if isinstance(value, Mapping) for n in value.values()]
    return any(isinstance(value, Node) and value.word == "X" for value in (*node.args.values(), *counters))


def _additional_x(game: Game, spell: Object, way: ways.Way) -> bool:
    mandatory = [addition for addition, _ in layers.of(game, spell).each(AdditionalCost) if not addition.optional]
    chosen = [addition for addition, _ in way.additional]
    return any(cost_has_x(addition.cost) for addition in (*mandatory, *chosen))


def _forbidden(game: Game, player: Player, spell: Object, origin: str) -> None:
    """CR 601.3, 601.3a: an effect that prohibits casting such a spell."""
    for node, ctx in statics.rules(game, "cant cast"):
        if player not in ctx.players(node.args["who"]):
            continue
        zones = node.args.get("from_")
        if zones is not None and origin not in zones:
            continue
        filter = node.args.get("filter")
        if filter is not None:
            game.trace.cite("601.3a")
        if filter is not None and not ctx.matches(filter, spell):
            continue
        limit = node.args.get("limit")
        if limit is not None:
            had = sum(
                1
                for other in game.history.get("cast", ())
                if other.controller is player and (filter is None or ctx.matches(filter, other))
            )
            if had < limit:
                continue
        raise Refused("an effect says that it can't be cast", "101.2", "permission", ("601.2e", *_judged_as(spell)))


def _judged_as(spell: Object) -> tuple[str, ...]:
    """The rules that say by which characteristics it is judged whether the spell can be cast (CR 601.3e)."""
    if spell.face_down is not None:
        return ("708.4",)
    layout = objects.base_values(spell).layout
    if layout == "split":
        return ("709.3a", "709.4a", "702.102b") if spell.face == "fused" else ("709.3a", "709.4a")
    if layout == "adventure" and spell.face == "adventure":
        return ("715.3a",)
    return ("712.11c",) if objects.is_double_faced(spell) else ()


def _base_cost(game: Game, spell: Object, way: ways.Way) -> Cost:
    """Mana cost, alternative cost, or nothing (CR 601.2f, 118.6)."""
    if way.free:
        return way.cost if way.cost is not None else Cost(())
    if way.cost is not None:
        return way.cost
    if way.face_down is not None:
        return Cost(("3",))
    if way.alternative is not None:
        game.trace.cite("702.1a", "702.1b")  # the keyword's cost is the mana cost of what it is now
    mana_cost = layers.of(game, spell).mana_cost
    if mana_cost is None:
        raise Refused("it has no mana cost: an unpayable cost", "118.6", "costs")
    return Cost(mana_cost)


def _additional(
    game: Game, player: Player, spell: Object, way: ways.Way, ctx: Context, body: Body, modes: Sequence[int]
) -> list[tuple[Cost, Context]]:
    """Mandatory and chosen additional costs (CR 118.8, 601.2f)."""
    found: list[tuple[Cost, Context]] = []
    for ability, _ in layers.of(game, spell).each(AdditionalCost):
        if not ability.optional:
            times = 1
            if ability.per is not None:
                game.trace.cite(ability.rule)
                many = len(modes) if ability.per == "mode" else sum(len(group) for group in spell.targets)
                times = max(0, many - 1)
            found.extend([(way.instead.get(ability, ability.cost), ctx)] * times)
    for ability, n in way.additional:
        found.extend([(costs.named(game, player, spell, ability.cost, ability.name, ctx.x), ctx)] * n)
    if body.modes is not None:
        for index in modes:
            if index < len(body.modes.costs) and body.modes.costs[index] is not None:
                cost = body.modes.costs[index]
                assert cost is not None
                found.append((cost, ctx))
    for cost in spell.context.get("splice costs", ()):
        found.append((cost, ctx))
    for node, rule_ctx in statics.rules(game, "additional cost"):
        if node.args.get("of", "spell") != "spell" or player not in rule_ctx.players(node.args["who"]):
            continue
        filter = node.args.get("for_")
        if filter is None or rule_ctx.matches(filter, spell):
            found.append((node.args["cost"], rule_ctx))
    return found


def _commander_tax(game: Game, player: Player, obj: Object, origin: str, ctx: Context) -> list[tuple[Cost, Context]]:
    """CR 903.8: an additional {2} for each time that the commander was cast from the command zone before."""
    if origin != "command":
        return []
    times = player.commander_casts.get(applying.id_of_card(obj), 0)
    if times:
        game.trace.cite("903.8")
    return [(Cost(("2",)), ctx)] * times


def _after_payment(game: Game, spell: Object, paid: Mapping[str, Any]) -> None:
    kept = {key: value for key, value in paid.items() if key != "spent units"}
    game.write(
        spell,
        "cast",
        MappingProxyType({**spell.cast, **{"spent": paid.get("spent", ()), "paid": MappingProxyType(kept)}}),
    )


def _grant(game: Game, player: Player, spell: Object, permission: tuple[Node, Context]) -> None:
    """What a permission says of a spell cast by it: how it enters, what it gains, where it goes (CR 400.7)."""
    node, ctx = permission
    changes = node.args.get("then")
    made: list[FloatingEffect] = []
    if changes:
        effect = Node("affects", MappingProxyType({"which": None, "change": changes}))
        made.append(FloatingEffect(effect, player, ctx.this, game.stamp(), "forever", (spell,)))
    enters = node.args.get("enters")
    if isinstance(enters, Enters):
        made.append(FloatingEffect(enters, player, ctx.this, game.stamp(), "leaves", (spell,), spell))
    if node.args.get("leaves"):
        from judgecall.oracle.keyword_abilities import leaves_to

        made.append(
            FloatingEffect(leaves_to(node.args["leaves"]), player, spell, game.stamp(), "leaves", (spell,), spell)
        )
    if made:
        game.write(game, "effects", (*game.effects, *made))
    if not node.args.get("once"):
        return
    effect_used = ctx.results.get("effect")
    if effect_used is not None:
        game.write(game, "effects", tuple(e for e in game.effects if e is not effect_used))
    elif ctx.this is not None:
        game.write(ctx.this, "notes", MappingProxyType({**ctx.this.notes, "permission used": True}))


def _count(game: Game, player: Player, obj: Object, spell: Object, origin: str) -> None:
    game.write(
        game,
        "history",
        MappingProxyType(
            {
                **game.history,
                "cast": (*game.history.get("cast", ()), spell),
                "cast this game": (*game.history.get("cast this game", ()), spell),
            }
        ),
    )
    if origin == "command" and obj.card is not None and obj.card.commander:
        number = applying.id_of_card(obj)
        have = dict(player.commander_casts)
        have[number] = have.get(number, 0) + 1
        game.write(player, "commander_casts", MappingProxyType(have))


def _expend(game: Game, player: Player, spent: int) -> None:
    """CR 700.14: mana spent this turn."""
    if not spent:
        return
    before = int(player.notes.get("spent", 0))
    game.write(player, "notes", MappingProxyType({**player.notes, "spent": before + spent}))
    events.happen(game, [events.Event("expend", player=player, details={"before": before, "after": before + spent})])
