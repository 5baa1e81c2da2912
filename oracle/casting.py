"""Casting spells, one procedure for all of them (CR 601.2a–i), and what it shares with activating (CR 602.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from judgecall.oracle import choices, costs, events, layers, objects, payment, statics, targets
from judgecall.oracle.agents import Question, Refused
from judgecall.oracle.characteristics import Held
from judgecall.oracle.definitions import (
    Ability,
    AdditionalCost,
    AlternativeCost,
    Body,
    Cost,
    Enters,
    Node,
    SpellAbility,
    TargetSpec,
)
from judgecall.oracle.state import FloatingEffect, Game, Object, Player
from judgecall.oracle.vocabulary.context import Context

__all__ = ["Request", "Way", "cast", "choose_modes", "specs_of"]


@dataclass(slots=True)
class Request:
    """What an action says of casting or activating; None where it leaves something open."""

    using: tuple[Any, ...] = ()
    face: str | None = None
    x: int | None = None
    modes: tuple[int, ...] | None = None
    targets: Any = None
    kicked: Any = None
    costs: Mapping[str, Any] = field(default_factory=dict)
    paying: Any = None


@dataclass(slots=True)
class Way:
    """How a card is cast: for which cost, by which permission, with which face (CR 601.2a–b)."""

    cost: Cost | None = None
    free: bool = False
    alternative: AlternativeCost | None = None
    held: Held | None = None
    additional: list[tuple[AdditionalCost, Held | None, int]] = field(default_factory=list)
    face: str = "front"
    face_down: str | None = None
    permission: tuple[Node, Context] | None = None
    names: tuple[str, ...] = ()
    splice: tuple[Object, ...] = ()


def cast(
    game: Game,
    player: Player,
    obj: Object,
    request: Request,
    *,
    during: bool = False,
    way: Way | None = None,
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
    length = len(game.trace.lines)
    try:
        return _cast(game, player, obj, request, during, way)
    except targets.NoTargets:
        game.undo(mark)
        game.trace.cut(length)
        raise Refused("there are not enough legal targets", "601.2c", "targets") from None
    except Refused:
        game.undo(mark)
        game.trace.cut(length)
        raise


def _cast(game: Game, player: Player, obj: Object, request: Request, during: bool, way: Way | None) -> Object:
    if not during and game.priority is not player:
        raise Refused(f"{player.name} does not have priority", "117.1a", "permission")
    if obj.kind == "ability" or obj.zone in ("stack", "battlefield") or obj.gone:
        raise Refused("that cannot be cast from where it is", "601.3", "permission")
    ways = [way] if way is not None else _ways(game, player, obj, request)
    failure: Refused | None = None
    for index, option in enumerate(ways):
        mark = game.mark()
        length = len(game.trace.lines)
        try:
            return _proceed(game, player, obj, request, during, option)
        except (Refused, targets.NoTargets) as error:
            if index == len(ways) - 1 and failure is None:
                raise
            game.undo(mark)
            game.trace.cut(length)
            if isinstance(error, targets.NoTargets):
                error = Refused("there are not enough legal targets", "601.2c", "targets")
            if failure is None or _later(error, failure):
                failure = error
    assert failure is not None
    raise failure


_STAGES = ("permission", "announce", "targets", "costs")


def _later(one: Refused, two: Refused) -> bool:
    def place(error: Refused) -> int:
        return _STAGES.index(error.stage) if error.stage in _STAGES else 0

    return place(one) > place(two)


# -- ways ----------------------------------------------------------------------------------------------------


def _ways(game: Game, player: Player, obj: Object, request: Request) -> list[Way]:
    """Every way that fits what the request says (CR 118.9, 601.2b)."""
    ch = layers.of(game, obj)
    alternatives = [(a, h) for a, h in ch.each(AlternativeCost)]
    additions = [(a, h) for a, h in ch.each(AdditionalCost)]
    permissions = _permissions(game, player, obj)
    alt_words: list[tuple[str, Any]] = []
    extra: list[tuple[AdditionalCost, Held | None, int]] = []
    named: list[Object] = []
    splice: list[Object] = []
    for item in request.using:
        word, detail = item if isinstance(item, tuple) else (item, None)
        if isinstance(word, Object):
            if word.zone == "hand" and layers.of(game, word).has("splice"):
                splice.append(word)
            else:
                named.append(word)
            continue
        found = [(a, h) for a, h in additions if a.name == word]
        if found:
            extra.append((found[0][0], found[0][1], 1))
            continue
        if word == "splice":
            splice.extend(
                card for card in player.hand if card is not obj and layers.of(game, card).has("splice")
            )
            continue
        found = _as_a_spell(game, player, obj, request, word)
        if found:
            extra.append((found[0][0], found[0][1], 1))
            continue
        alt_words.append((word, detail))
    priced = [
        node
        for node, ctx in statics.rules(game, "may cast")
        if node.args.get("cost") and any(ctx.this is thing for thing in named)
    ]
    if len(alt_words) + len(priced[:1]) > 1 and not (alt_words and alt_words[0][0] == "without paying"):
        raise Refused("two alternative costs for one spell", "118.9a", "announce")
    extra.extend(_kickers(additions, request))
    base = Way(additional=extra, splice=tuple(splice))
    found_ways: list[Way] = []
    if alt_words:
        word, detail = alt_words[0]
        found_ways = _alternative_ways(
            game, player, obj, base, word, detail, alternatives, permissions, named, request
        )
    else:
        for face in _faces(obj, request):
            usual = _copy(base, face=face)
            if _from_usual_zone(game, player, obj, extra) and not named:
                found_ways.append(usual)
            for node, ctx in permissions:
                if named and not any(ctx.this is thing for thing in named):
                    continue
                if not named and (node.args.get("cost") is not None and not _implied(obj, node)):
                    continue
                if node.args.get("from_") or _reaches_zone(node, obj) or node.args.get("cost") is not None:
                    found_ways.append(_permitted(_copy(usual), node, ctx, game))
    if not found_ways:
        raise Refused("nothing allows that to be cast from there in that way", "601.3", "permission")
    return found_ways


def _as_a_spell(
    game: Game, player: Player, obj: Object, request: Request, word: str
) -> list[tuple[AdditionalCost, Held]]:
    """Additional costs of that name that the card would have on the stack, by effects on spells (CR 601.2a–b)."""
    if not any(
        isinstance(part, AdditionalCost) and part.name == word
        for thing in game.battlefield
        for held in layers.of(game, thing).abilities
        for part in _given(held.ability)
    ):
        return []
    with game.trial():
        spell = game.new_object(obj.kind, obj.owner, "stack")
        spell.card, spell.copied = obj.card, obj.copied
        spell.holder = spell.controller = player
        spell.face = request.face or "front"
        game.write(game, "stack", (*game.stack, spell))
        return [(a, h) for a, h in layers.of(game, spell).each(AdditionalCost) if a.name == word]


def _given(ability: Ability) -> list[Ability]:
    """Abilities that a static ability gives to others."""
    found: list[Ability] = []
    for part in ability.all_parts:
        for node in getattr(part, "effects", ()):
            for change in node.args.get("change", ()) if node.word == "affects" else ():
                for given in change.args.get("abilities", ()) if change.word == "gain" else ():
                    found.extend(given.all_parts)
    return found


def _implied(obj: Object, node: Node) -> bool:
    """A permission that says both where from and for what is one way: nothing more need be named."""
    return bool(node.args.get("implied", True)) and obj.zone != "hand"


def _copy(way: Way, **changes: Any) -> Way:
    made = replace(way, **changes)
    made.additional = list(way.additional)
    return made


def _kickers(additions: Sequence[tuple[AdditionalCost, Held]], request: Request) -> list[Any]:
    if not request.kicked:
        return []
    kickers = [(a, h) for a, h in additions if a.name in ("kicker", "multikicker")]
    if not kickers:
        raise Refused("the spell has no kicker", "702.33a", "announce")
    found: list[Any] = []
    if isinstance(request.kicked, Mapping):
        for text, n in request.kicked.items():
            match = next(((a, h) for a, h in kickers if costs.shown(a.cost) == text or a.label == text), None)
            if match is None:
                raise Refused(f"the spell has no kicker {text}", "702.33b", "announce")
            found.append((match[0], match[1], int(n)))
        return found
    n = int(request.kicked)
    ability, held = kickers[0]
    if ability.repeatable:
        return [(ability, held, n)]
    if n > len(kickers):
        raise Refused("a kicker is paid once", "702.33d", "announce")
    return [(a, h, 1) for a, h in kickers[:n]]


def _faces(obj: Object, request: Request) -> list[str]:
    """The faces that the request may mean (CR 601.3e, 709.3, 712.11, 715.3)."""
    values = objects.base_values(obj)
    layout = values.layout
    if layout == "split":
        if request.face == "fused" and obj.zone != "hand":
            raise Refused("only from the hand may both halves be cast", "702.102a", "permission")
        if request.face in ("left", "right", "fused"):
            return [request.face]
        if request.face is None:
            raise Refused("a half must be chosen", "709.3", "announce")
        raise Refused("the card has no such face", "709.3", "announce")
    if layout == "adventure":
        return [request.face if request.face == "adventure" else "front"]
    if layout == "modal":
        return ["back" if request.face == "back" else "front"]
    if request.face in (None, "front"):
        return ["front"]
    raise Refused("the card cannot be cast with that face", "712.11", "permission")


def _from_usual_zone(game: Game, player: Player, obj: Object, extra: Sequence[Any]) -> bool:
    """Whether the rules alone, or an additional cost that says so, let the card be cast from its zone."""
    if obj.owner is player and obj.zone == "hand":
        return True
    if any(obj.zone in ability.from_zones for ability, _, _ in extra) and statics.as_own(game, player, obj):
        return True
    card = obj.card
    return (
        obj.zone == "command"
        and card is not None
        and card.commander
        and obj.owner is player
        and game.format == "commander"
    )


def _permissions(game: Game, player: Player, obj: Object) -> list[tuple[Node, Context]]:
    """Effects that let the player cast the card or set what it costs, as ``may cast`` says."""
    found = []
    for node, ctx in statics.rules(game, "may cast"):
        if player not in ctx.players(node.args["who"]):
            continue
        affected = ctx.results.get("affected")
        if affected is not None and not any(thing is obj for thing in affected):
            continue
        zones = node.args.get("from_") or (node.args["filter"].zone,)
        if "hand" not in zones and None in zones:
            zones = (*zones, "hand")
        if obj.zone not in zones and "anywhere" not in zones:
            continue
        if obj.zone == "library" and obj.owner.library[:1] != (obj,):
            continue
        if (
            node.args.get("once")
            and ctx.this is not None
            and ctx.this.notes.get("permission used") == game.turn
        ):
            continue
        found.append((node, ctx))
    return found


def _reaches_zone(node: Node, obj: Object) -> bool:
    return node.args["filter"].zone == obj.zone


def _permitted(way: Way, node: Node, ctx: Context, game: Game) -> Way:
    way.permission = (node, ctx)
    cost = node.args.get("cost")
    if cost == "free":
        way.free = True
    elif cost is not None:
        from judgecall.oracle.vocabulary.grammar import parse_cost

        way.cost = parse_cost(cost)
    if node.args.get("with_") is not None:
        way.additional.append(
            (AdditionalCost(name="permission", cost=node.args["with_"], optional=False), None, 1)
        )
    return way


def _alternative_ways(
    game: Game,
    player: Player,
    obj: Object,
    base: Way,
    word: str,
    detail: Any,
    alternatives: Sequence[tuple[AlternativeCost, Held]],
    permissions: Sequence[tuple[Node, Context]],
    named: Sequence[Object],
    request: Request,
) -> list[Way]:
    found: list[Way] = []
    if word == "without paying":
        for node, ctx in permissions:
            if node.args.get("cost") == "free" and (not named or any(ctx.this is thing for thing in named)):
                found.extend(
                    _permitted(_copy(base, face=face), node, ctx, game) for face in _faces(obj, request)
                )
        for ability, held in alternatives:
            if ability.free and ability.cost is None:
                found.append(_copy(base, alternative=ability, held=held, free=True, names=(word,)))
        return found
    matching = [
        (a, h) for a, h in alternatives if a.name == word or (word == "morph" and a.name == "megamorph")
    ]
    if not matching and word not in _known_words():
        raise Refused(f"the card has no {word}", "601.2b", "announce")
    for ability, held in matching:
        zones = ability.from_zones
        permission: tuple[Node, Context] | None = None
        if zones and obj.zone not in zones:
            continue
        if not zones and not _from_usual_zone(game, player, obj, base.additional):
            permission = next(
                (
                    (node, ctx)
                    for node, ctx in permissions
                    if node.args.get("cost") is None
                    and (not named or any(ctx.this is thing for thing in named))
                ),
                None,
            )
            if permission is None:
                continue
        if zones and not statics.as_own(game, player, obj) and permission is None:
            continue
        faces = [ability.face] if ability.face else (["front"] if ability.face_down else _faces(obj, request))
        for face in faces:
            way = _copy(
                base,
                alternative=ability,
                held=held,
                cost=ability.cost,
                free=ability.free,
                face=face,
                face_down=ability.face_down,
                names=(ability.name,),
                permission=permission,
            )
            if permission is not None and permission[0].args.get("with_") is not None:
                way.additional.append(
                    (
                        AdditionalCost(name="permission", cost=permission[0].args["with_"], optional=False),
                        None,
                        1,
                    )
                )
            if detail is not None and costs.shown(_cost_of(obj, way)) != detail:
                continue
            found.append(way)
    return found


def _cost_of(obj: Object, way: Way) -> Cost:
    """The cost that a way starts from, where it can be said without the spell."""
    if way.cost is not None:
        return way.cost
    values = objects.base_values(obj).faces.get(way.face, objects.base_values(obj).whole)
    return Cost(values.mana_cost)


def _known_words() -> frozenset[str]:
    from judgecall.oracle import keyword_abilities

    return keyword_abilities.CASTING_WORDS


# -- the procedure -------------------------------------------------------------------------------------------


def _proceed(game: Game, player: Player, obj: Object, request: Request, during: bool, way: Way) -> Object:
    # CR 601.2a: onto the stack, with the face and the status that it is cast with.
    origin = obj.zone
    details: dict[str, Any] = {"controller": player, "face": way.face}
    if way.face_down is not None:
        from judgecall.oracle import face_down

        details["face_down"] = way.face_down
        details["face_down_values"] = face_down.values(way.face_down)
    follow = _following(game, obj, way)
    copied = obj.kind == "copy"
    event = events.move(obj, "stack", cause="cast", by=player, **details)
    event.new = events.fresh(game, event)
    spell = event.new
    using = (
        *way.names,
        *(ability.name for ability, _, n in way.additional for _ in range(1) if ability.optional),
    )
    game.write(
        spell,
        "cast",
        MappingProxyType(
            {
                "from": origin,
                "using": using,
                "by": player.name,
                "kicked": MappingProxyType(_kicked(way)),
                "turn": game.turn,
            }
        ),
    )
    events.happen(game, [event])
    if copied:
        game.write(spell, "copied", obj.copied)
    for ability in follow:
        game.write(
            game,
            "effects",
            (*game.effects, FloatingEffect(ability, player, spell, game.stamp(), "leaves", (spell,), spell)),
        )
    if way.alternative is not None and way.alternative.values is not None:
        way.alternative.values(game, spell)
    _check_permission(game, player, obj, spell, way, during)
    ctx = Context(game, player, spell, stack=spell)
    _announce(game, player, spell, request, way, ctx)
    _forbidden(game, player, spell, origin)
    body = body_of(game, spell)
    modes = choose_modes(ctx, body, request.modes)
    if modes is None:
        raise Refused("no mode can be chosen", "601.2b", "announce")
    game.write(spell, "context", MappingProxyType({**spell.context, "modes": modes}))
    groups = targets.choose(ctx, specs_of(body, modes), request.targets, spell)
    game.write(spell, "targets", groups)
    announce_division(ctx, body, modes, spell)
    # CR 601.2f: the total cost.
    base = _base_cost(game, spell, way)
    x = int(spell.cast.get("x") or 0)
    extra = _additional(game, player, spell, way, ctx, body, modes)
    names = list(way.names)
    total = costs.total_cost(game, player, spell, base, extra, ctx, x, "spell", names)
    total.generic += _commander_tax(game, player, obj, origin)
    paid = payment.pay(game, player, spell, total, request.costs, request.paying, "spell")
    _after_payment(game, spell, paid)
    # CR 601.2i: it has been cast.
    if way.permission is not None:
        _grant(game, player, spell, way.permission)
    _count(game, player, obj, spell, origin)
    if not during:
        game.write(game, "passed", frozenset())
    events.happen(game, [events.Event("cast", spell, player, rules=("601.2i",))])
    targets.became_targets(game, spell)
    _expend(game, player, len(paid.get("spent", ())))
    return spell


def _following(game: Game, obj: Object, way: Way) -> list[Ability]:
    """What a permission or an alternative cost keeps saying of the spell (CR 400.7h–i)."""
    found: list[Ability] = list(way.alternative.follow) if way.alternative is not None else []
    for ability, _, _ in way.additional:
        found.extend(ability.follow)
    return found


def _kicked(way: Way) -> dict[str, int]:
    return {
        ability.label or costs.shown(ability.cost) or ability.name: n
        for ability, _, n in way.additional
        if ability.name in ("kicker", "multikicker")
    }


def _check_permission(game: Game, player: Player, obj: Object, spell: Object, way: Way, during: bool) -> None:
    """What must be so for the spell to be cast at all, judged as it is on the stack (CR 601.3, 601.3e)."""
    ch = layers.of(game, spell)
    alternative = way.alternative
    if "Land" in ch.types and way.face_down is None:
        raise Refused("a land is never cast", "305.9", "permission")
    if alternative is not None:
        ctx = Context(game, player, spell, stack=spell)
        if alternative.only is not None and not ctx.matches(alternative.only, spell):
            raise Refused(
                "the resulting spell is not of the kind that may be cast so", alternative.rule, "permission"
            )
        if not ctx.holds(alternative.condition):
            raise Refused("the alternative cost may not be paid now", alternative.rule, "announce")
    for addition, _, _ in way.additional:
        if addition.only is not None and not Context(game, player, spell).matches(addition.only, spell):
            raise Refused(
                "the resulting spell is not of the kind that may be cast so", addition.rule, "permission"
            )
    if way.permission is not None:
        node, ctx = way.permission
        if not _fits_permission(game, ctx, node, spell):
            rule = alternative.rule if alternative is not None else "601.3"
            raise Refused("the permission is not for such a spell", rule, "permission")
    for node, ctx in costs.own_changes(spell, game, "cast only"):
        if not ctx.holds(node.args["condition"]):
            raise Refused("the card says that it can't be cast now", "601.3", "permission")
    if not during:
        _check_timing(game, player, spell, ch, way)
        check_split_second(game, spell)


def _fits_permission(game: Game, ctx: Context, node: Node, spell: Object) -> bool:
    ctx = ctx.having(event={**ctx.event, "that": spell})
    return ctx.matches(node.args["filter"], spell)


def check_split_second(game: Game, but: Object | None = None) -> None:
    """CR 702.61a: no spells and no abilities that are no mana abilities while such a spell is on the stack.

    Raises:
        Refused: there is one.
    """
    for item in game.stack:
        if item is not but and item.kind != "ability" and layers.of(game, item).has("split second"):
            raise Refused("a spell with split second is on the stack", "702.61a", "permission")


def _check_timing(game: Game, player: Player, spell: Object, ch: Any, way: Way) -> None:
    from judgecall.oracle import turn

    timing = way.alternative.timing if way.alternative is not None else None
    if way.permission is not None and way.permission[0].args.get("timing"):
        timing = way.permission[0].args["timing"]
    if timing == "instant":
        return
    if "Instant" in ch.types and timing is None:
        return
    if ch.has("flash") and timing is None:
        return
    if timing != "sorcery":
        for node, ctx in statics.rules(game, "as though flash"):
            if player in ctx.players(node.args["who"]) and ctx.matches(node.args["filter"], spell):
                return
    others = tuple(item for item in game.stack if item is not spell)
    rule = "307.1" if "Sorcery" in ch.types else _TYPE_RULE.get(ch.types[0] if ch.types else "", "601.3")
    if game.active is not player or not turn.is_main(game) or others:
        raise Refused(
            "that can be cast only in a main phase of one's own turn with an empty stack", rule, "permission"
        )


_TYPE_RULE = {
    "Artifact": "301.1",
    "Creature": "302.1",
    "Enchantment": "303.1",
    "Planeswalker": "306.1",
    "Battle": "310.1",
    "Kindred": "308.1",
}


def _announce(game: Game, player: Player, spell: Object, request: Request, way: Way, ctx: Context) -> None:
    """CR 601.2b: splice, additional costs, X."""
    if way.splice:
        from judgecall.oracle import splicing

        splicing.splice(game, player, spell, way.splice)
    needs_x = _wants_x(game, spell, way)
    if not needs_x:
        if request.x:
            raise Refused("there is no X to choose", "107.3", "announce")
        return
    if way.free or (way.cost is not None and not _cost_has_x(way.cost) and not _additional_x(way)):
        x = 0  # CR 107.3b
        if request.x:
            raise Refused("X is 0 where its cost is not paid", "107.3b", "announce")
    elif request.x is not None:
        x = request.x
    else:
        x = choices.number(game, player, 0, 99, "the value of X", spell, "x")
    if x < 0:
        raise Refused("X cannot be negative", "107.1b", "announce")
    game.write(spell, "cast", MappingProxyType({**spell.cast, "x": x}))
    ctx.x = x


def _cost_has_x(cost: Cost) -> bool:
    return "X" in (cost.mana or ()) or any(_part_has_x(node) for node in cost.parts)


def _part_has_x(node: Node) -> bool:
    return any(isinstance(value, Node) and value.word == "X" for value in node.args.values())


def _additional_x(way: Way) -> bool:
    return any(_cost_has_x(ability.cost) for ability, _, _ in way.additional)


def _wants_x(game: Game, spell: Object, way: Way) -> bool:
    values = objects.copiable(game, spell)
    if "X" in (values.mana_cost or ()):
        return True
    if way.cost is not None and _cost_has_x(way.cost):
        return True
    mandatory = [a for a, _ in layers.of(game, spell).each(AdditionalCost) if not a.optional]
    return _additional_x(way) or any(_cost_has_x(ability.cost) for ability in mandatory)


def _forbidden(game: Game, player: Player, spell: Object, origin: str) -> None:
    """CR 601.3, 601.3a: an effect that prohibits casting such a spell."""
    for node, ctx in statics.rules(game, "cant cast"):
        if player not in ctx.players(node.args["who"]):
            continue
        zones = node.args.get("from_")
        if zones is not None and origin not in zones:
            continue
        filter = node.args.get("filter")
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
        raise Refused("an effect says that it can't be cast", "101.2", "permission")


def body_of(game: Game, spell: Object) -> Body:
    """What a spell does: its spell abilities in order, and its target if it is an Aura (CR 303.4a)."""
    ch = layers.of(game, spell)
    bodies = [ability.body for ability, _ in ch.each(SpellAbility)]
    bodies.extend(spell.context.get("spliced", ()))
    if "Aura" in ch.subtypes:
        from judgecall.oracle import attaching

        bodies.insert(0, Body((), tuple(attaching.enchant_specs(ch))))
    if not bodies:
        return Body()
    first = bodies[0]
    return Body(first.effects, first.targets, first.modes, tuple(bodies[1:]))


def specs_of(body: Body, modes: Sequence[int]) -> list[TargetSpec]:
    """All uses of "target" in the order of the text, with the chosen modes (CR 601.2c)."""
    found = list(body.targets)
    if body.modes is not None:
        for index in modes:
            found.extend(body.modes.bodies[index].targets)
    for part in body.parts:
        found.extend(part.targets)
    return found


def choose_modes(
    ctx: Context, body: Body, given: Sequence[int] | None, random: bool = False
) -> tuple[int, ...] | None:
    """Announce modes (CR 601.2b, 700.2): places of the chosen bullets. None: no mode is possible."""
    modes = body.modes
    if modes is None:
        if given:
            raise Refused("the spell or ability is not modal", "700.2", "announce")
        return ()
    minimum, maximum = ctx.amount(modes.minimum), min(ctx.amount(modes.maximum), len(modes.bodies))
    possible = [
        index
        for index, part in enumerate(modes.bodies)
        if all(
            (spec.condition is not None and not ctx.holds(spec.condition))
            or len(targets.candidates(ctx, spec, ctx.stack)) >= ctx.amount(spec.minimum)
            for spec in part.targets
        )
    ]
    if given is not None:
        chosen = [n - 1 for n in given]
        if any(index not in range(len(modes.bodies)) for index in chosen):
            raise Refused("there is no such mode", "700.2a", "announce")
        if any(index not in possible for index in chosen):
            raise Refused("that mode has no legal target", "700.2a", "targets")
    else:
        if len(possible) < minimum:
            return None
        answer = ctx.game.agent.decide(
            Question(
                ctx.you,
                "modes",
                "choose modes",
                tuple(index + 1 for index in possible),
                minimum,
                maximum,
                ctx.stack,
            )
        )
        if not isinstance(answer, (list, tuple)):
            answer = [answer]
        chosen = [n - 1 for n in answer]
        if any(index not in possible for index in chosen):
            raise Refused("that mode cannot be chosen", "700.2a", "announce")
    if not minimum <= len(chosen) <= ctx.amount(modes.maximum):
        raise Refused(f"{len(chosen)} modes where {minimum} to {maximum} are chosen", "700.2", "announce")
    if len(set(chosen)) != len(chosen) and not modes.repeat:
        raise Refused("the same mode twice", "700.2d", "announce")
    return tuple(sorted(chosen))


def announce_division(ctx: Context, body: Body, modes: Sequence[int], obj: Object) -> None:
    """CR 601.2d: how an effect is divided among targets."""
    divisions = {}
    for index, spec in enumerate(specs_of(body, modes)):
        if spec.divide is None or index >= len(obj.targets) or not obj.targets[index]:
            continue
        group = obj.targets[index]
        total = ctx.amount(spec.divide)
        if total < len(group):
            raise Refused("each target must get at least one", "601.2d", "targets")
        places = choices.divide(ctx.game, ctx.you, total, group, "divide among the targets", obj)
        divisions[index] = MappingProxyType(places)
    if divisions:
        ctx.game.write(
            obj, "context", MappingProxyType({**obj.context, "division": MappingProxyType(divisions)})
        )


def _base_cost(game: Game, spell: Object, way: Way) -> Cost:
    """Mana cost, alternative cost, or nothing (CR 601.2f, 118.6)."""
    if way.free:
        return way.cost if way.cost is not None else Cost(())
    if way.cost is not None:
        return way.cost
    if way.face_down is not None:
        return Cost(("3",))
    mana_cost = layers.of(game, spell).mana_cost
    if mana_cost is None:
        raise Refused("it has no mana cost: an unpayable cost", "118.6", "costs")
    return Cost(mana_cost)


def _additional(
    game: Game, player: Player, spell: Object, way: Way, ctx: Context, body: Body, modes: Sequence[int]
) -> list[tuple[Cost, Context]]:
    """Mandatory and chosen additional costs (CR 118.8, 601.2f)."""
    found: list[tuple[Cost, Context]] = []
    for ability, _ in layers.of(game, spell).each(AdditionalCost):
        if not ability.optional and ctx.holds(ability.condition):
            times = 1
            if ability.per_target:
                times = max(0, sum(len(group) for group in spell.targets) - 1)
            found.extend([(ability.cost, ctx)] * times)
    for ability, _, n in way.additional:
        found.extend([(ability.cost, ctx)] * n)
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


def _commander_tax(game: Game, player: Player, obj: Object, origin: str) -> int:
    """CR 903.8: {2} for each time that the commander was cast from the command zone before."""
    if origin != "command" or obj.card is None or not obj.card.commander:
        return 0
    return 2 * player.commander_casts.get(events.id_of_card(obj), 0)


def _after_payment(game: Game, spell: Object, paid: Mapping[str, Any]) -> None:
    kept = {key: value for key, value in paid.items() if key != "spent units"}
    for unit in paid.get("spent units", ()):
        if unit.uncounterable:
            kept["uncounterable"] = True
    if paid.get("emerged"):
        kept["emerged"] = paid["emerged"]
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
            FloatingEffect(
                leaves_to(node.args["leaves"]), player, spell, game.stamp(), "leaves", (spell,), spell
            )
        )
    if made:
        game.write(game, "effects", (*game.effects, *made))
    if node.args.get("once") and ctx.this is not None:
        game.write(ctx.this, "notes", MappingProxyType({**ctx.this.notes, "permission used": game.turn}))
    effect_used = ctx.results.get("effect")
    if node.args.get("once") and effect_used is not None:
        game.write(game, "effects", tuple(e for e in game.effects if e is not effect_used))


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
        number = events.id_of_card(obj)
        have = dict(player.commander_casts)
        have[number] = have.get(number, 0) + 1
        game.write(player, "commander_casts", MappingProxyType(have))


def _expend(game: Game, player: Player, spent: int) -> None:
    """CR 700.14: mana spent this turn."""
    if not spent:
        return
    before = int(player.notes.get("spent", 0))
    game.write(player, "notes", MappingProxyType({**player.notes, "spent": before + spent}))
    events.happen(
        game, [events.Event("expend", player=player, details={"before": before, "after": before + spent})]
    )


__all__ += ["announce_division", "body_of", "check_split_second"]
