"""Ways of casting a card: for which cost, by which permission, with which face (CR 601.2b, 601.3, 118.9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from judgecall.oracle import costs, layers, objects, statics
from judgecall.oracle.agents import Refused
from judgecall.oracle.characteristics import Characteristics, Held
from judgecall.oracle.definitions import AdditionalCost, AlternativeCost, Cost, Node, OtherValues
from judgecall.oracle.state import Game, Object, Player
from judgecall.oracle.vocabulary.context import Context

__all__ = ["Request", "Way", "face_of", "find", "for_alternative", "kickers", "with_values"]


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
    additional: list[tuple[AdditionalCost, int]] = field(default_factory=list)
    values: OtherValues | None = None
    face: str = "front"
    face_down: str | None = None
    permission: tuple[Node, Context] | None = None
    price: tuple[Node, Context] | None = None
    """An effect that says for what, where another permission says from where."""
    names: tuple[str, ...] = ()
    splice: tuple[Object, ...] = ()
    assisted: bool = False
    """Another player is asked to help to pay (CR 702.132a)."""
    instead: Mapping[AdditionalCost, Cost] = field(default_factory=dict)
    """Which of its alternatives an additional cost is, where there is mana among them."""


def find(game: Game, player: Player, obj: Object, request: Request) -> list[Way]:
    """Every way that fits what the request says (CR 118.9, 601.2b)."""
    ch = layers.of(game, obj)
    alternatives = [(a, h) for a, h in ch.each(AlternativeCost)]
    additions = [addition for addition, _ in ch.each(AdditionalCost)]
    base = Way()
    alt_words: list[tuple[str, Any]] = []
    extra: list[tuple[AdditionalCost, int]] = []
    named: list[Object] = []
    splice: list[Object] = []
    anything = False
    for item in request.using:
        word, detail = item if isinstance(item, tuple) else (item, None)
        if isinstance(word, Object):
            if word.zone == "hand" and layers.of(game, word).has("splice"):
                splice.append(word)
            else:
                named.append(word)
            continue
        if any(addition.name == word for addition in additions):
            extra.append((addition_of(game, player, obj, request, (word, detail), extra), 1))
            continue
        if with_values(base, ch, word):
            continue
        if word == "splice":
            anything = True
            continue
        if word == "assist" and ch.has("assist"):
            base.assisted = True
            continue
        if _additions_as_a_spell(game, player, obj, request, word):
            extra.append((addition_of(game, player, obj, request, (word, detail), extra), 1))
            continue
        alt_words.append((word, detail))
    # The word alone means every card that can be spliced; beside it, those that are named.
    if anything and not splice:
        splice.extend(card for card in player.hand if card is not obj and layers.of(game, card).has("splice"))
        if not splice:
            raise Refused("there is nothing to splice", "702.47a", "announce")
    pricing = {
        id(ctx.this)
        for node, ctx in statics.rules(game, "may cast")
        if node.args.get("cost") and _names(named, ctx.this)
    }
    # An effect that is named beside "without paying" is whose permission that is.
    others = [word for word, _ in alt_words if word != "without paying"]
    if len(others) + max(len(pricing), len(alt_words) - len(others)) > 1:
        raise Refused("two alternative costs for one spell", "118.9a", "announce")
    extra.extend(kickers(game, player, obj, request))
    at_home = _from_usual_zone(game, player, obj, extra)
    permissions = _permissions(game, player, obj)
    prices = [] if at_home else [(node, ctx) for node, ctx in permissions if None in _zones(node)]
    permissions = [(node, ctx) for node, ctx in permissions if at_home or None not in _zones(node)]
    base.additional, base.splice = extra, tuple(splice)
    found_ways: list[Way] = []
    if alt_words:
        word, detail = alt_words[0]
        found_ways = _alternative_ways(game, player, obj, base, word, detail, alternatives, permissions, named, request)
    else:
        usual = _copy(base, face=face_of(obj, request))
        if at_home and not named:
            found_ways.append(usual)
        for node, ctx in permissions:
            # A permission that says both where from and for what is one way: from elsewhere nothing need be named.
            implied = node.args.get("cost") is None or (None not in _zones(node) and obj.zone != "hand")
            if _only(named, ctx.this) if named else implied:
                found_ways.append(_permitted(_copy(usual), node, ctx))
            if node.args.get("cost") is None:
                found_ways.extend(
                    _priced(_permitted(_copy(usual), node, ctx), price)
                    for price in prices
                    if _names(named, price[1].this) and _only(named, price[1].this, ctx.this)
                )
    if not found_ways:
        keywords = [rule for word, _ in alt_words if (rule := _rule_of(word)) is not None]
        rules = [*keywords, "601.3"]
        raise Refused("nothing allows that to be cast from there in that way", rules[0], "permission", tuple(rules[1:]))
    return found_ways


def with_alternatives(game: Game, obj: Object, way: Way) -> list[Way]:
    """A way for each alternative of an additional cost: its mana is part of the total cost (CR 601.2b, 601.2f)."""
    made = [way]
    for addition, _ in layers.of(game, obj).each(AdditionalCost):
        part = next((node for node in addition.cost.parts if node.word == "one of"), None)
        if part is None or addition.optional or all(cost.mana is None for cost in part.args["of"]):
            continue
        rest = [node for node in addition.cost.parts if node is not part]
        costs_ = [
            Cost((*(addition.cost.mana or ()), *(cost.mana or ())) or None, (*rest, *cost.parts))
            for cost in part.args["of"]
        ]
        made = [_copy(one, instead={**one.instead, addition: cost}) for one in made for cost in costs_]
    return made


def with_values(way: Way, ch: Characteristics, name: Any) -> bool:
    """Whether the card has other characteristics of that name to be cast with; if so, it is cast with them."""
    found = next((ability for ability, _ in ch.each(OtherValues) if ability.name == name), None)
    if found is not None:
        way.values, way.names = found, (*way.names, found.name)
    return found is not None


def addition_of(
    game: Game,
    player: Player,
    obj: Object,
    request: Request,
    named: tuple[str, Any],
    extra: Sequence[tuple[AdditionalCost, int]],
) -> AdditionalCost:
    """The additional cost of that name that is paid: each is paid once, unless it is paid any number of times.

    Where there are several of one name, its own come first, then those that effects give it; ``named`` may say which
    cost is meant (CR 601.2b, 702.78b).
    """
    word, cost = named
    own = [addition for addition, _ in layers.of(game, obj).each(AdditionalCost) if addition.name == word]
    for place in (lambda: own, lambda: _additions_as_a_spell(game, player, obj, request, word)):
        for addition in place():
            if not _paid_already(addition, extra) and (cost is None or costs.shown(addition.cost) == cost):
                return addition
    rule = own[0].rule if own else "601.2b"
    raise Refused(f"{word} is paid once" if cost is None else f"there is no {word} {cost}", rule, "announce")


def _paid_already(addition: AdditionalCost, extra: Sequence[tuple[AdditionalCost, int]]) -> bool:
    return not addition.repeatable and any(other is addition for other, _ in extra)


_Way = TypeVar("_Way", AdditionalCost, AlternativeCost)


def _as_a_spell(game: Game, player: Player, obj: Object, request: Request, kind: type[_Way]) -> list[tuple[_Way, Held]]:
    """The costs of a kind that the card would have on the stack, whatever it has where it is (CR 601.2a–b, 113.6d)."""
    with game.trial():
        spell = game.new_object(obj.kind, obj.owner, "stack")
        spell.card, spell.copied = obj.card, obj.copied
        spell.holder = spell.controller = player
        spell.face = request.face or "front"
        game.write(game, "stack", (*game.stack, spell))
        return list(layers.of(game, spell).each(kind))


def _additions_as_a_spell(game: Game, player: Player, obj: Object, request: Request, word: str) -> list[AdditionalCost]:
    found = _as_a_spell(game, player, obj, request, AdditionalCost)
    return [addition for addition, _ in found if addition.name == word]


def _copy(way: Way, **changes: Any) -> Way:
    made = replace(way, **changes)
    made.additional = list(way.additional)
    return made


def kickers(game: Game, player: Player, obj: Object, request: Request) -> list[tuple[AdditionalCost, int]]:
    """The kicker costs that are paid, and how often; kicker is an ability of the spell (CR 702.33a)."""
    if not request.kicked:
        return []
    additions = layers.of(game, obj).each(AdditionalCost)
    kickers = [addition for addition, _ in additions if addition.name in ("kicker", "multikicker")]
    if not kickers:
        for name in ("kicker", "multikicker"):
            kickers.extend(_additions_as_a_spell(game, player, obj, request, name))
        game.trace.cite(*(["113.6d"] if kickers else []))
    if not kickers:
        raise Refused("the spell has no kicker", "702.33a", "announce")
    if isinstance(request.kicked, Mapping):
        found = []
        for text, n in request.kicked.items():
            match = next((kicker for kicker in kickers if costs.shown(kicker.cost) == text), None)
            if match is None:
                raise Refused(f"the spell has no kicker {text}", "702.33b", "announce")
            if int(n) > 1 and not match.repeatable:
                raise Refused("a kicker is paid once", "702.33d", "announce")
            found.append((match, int(n)))
        return found
    n = int(request.kicked)
    if kickers[0].repeatable:
        return [(kickers[0], n)]
    if n > len(kickers):
        raise Refused("a kicker is paid once", "702.33d", "announce")
    return [(kicker, 1) for kicker in kickers[:n]]


def face_of(obj: Object, request: Request) -> str:
    """The face that the request means (CR 601.3e, 709.3, 712.11, 715.3)."""
    values = objects.base_values(obj)
    layout = values.layout
    if layout == "split":
        if request.face == "fused" and obj.zone != "hand":
            raise Refused("only from the hand may both halves be cast", "702.102a", "permission", ("601.3",))
        if request.face == "fused" and not any(ability.keyword == "fuse" for ability in values.whole.abilities):
            raise Refused("the card has no fuse", "702.102a", "permission", ("601.3",))
        if request.face in ("left", "right", "fused"):
            return request.face
        raise Refused("a half must be chosen", "709.3", "announce")
    if request.face is not None and request.face == {"adventure": "adventure", "modal": "back"}.get(layout):
        return request.face
    if request.face in (None, "front"):
        return "front"
    raise Refused("the card cannot be cast with that face", "712.11", "permission", ("601.3",))


def _from_usual_zone(game: Game, player: Player, obj: Object, extra: Sequence[Any]) -> bool:
    """Whether the rules alone, or an additional cost that says so, let the card be cast from its zone."""
    if obj.owner is player and obj.zone == "hand":
        return True
    # What the card has only as a spell lets nobody cast it: the permission is an ability of the card where it is.
    has = {addition.name for addition, _ in layers.of(game, obj).each(AdditionalCost)}
    said = (ability for ability, _ in extra if ability.name in has)
    if any(obj.zone in ability.from_zones for ability in said) and statics.as_own(game, player, obj):
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
    if obj.zone == "library" and obj.owner.library[:1] != (obj,):
        return []
    found = []
    for node, ctx in statics.rules(game, "may cast"):
        if player not in ctx.players(node.args["who"]):
            continue
        affected = ctx.results.get("affected")
        if affected is not None and not any(thing is obj for thing in affected):
            continue
        zones = _zones(node)
        if obj.zone not in zones and None not in zones:
            continue
        # One of a lasting effect ends with it; one of an object is noted for the turn.
        lasting = ctx.results.get("effect") is not None
        if node.args.get("once") and not lasting and ctx.this is not None and ctx.this.notes.get("permission used"):
            continue
        found.append((node, ctx))
    return found


def _zones(node: Node) -> Sequence[str | None]:
    """Where a permission lets cards be cast from; None: it only says for what, wherever from they may be cast."""
    zones: Sequence[str | None] = node.args.get("from_") or (node.args["filter"].zone,)
    return zones


def _permitted(way: Way, node: Node, ctx: Context) -> Way:
    way.permission = (node, ctx)
    _charge(way, node)
    _beside(way, node)
    return way


def _priced(way: Way, price: tuple[Node, Context]) -> Way:
    way.price = price
    _charge(way, price[0])
    return way


def _charge(way: Way, node: Node) -> None:
    """What is paid in place of the mana cost (CR 118.9)."""
    cost = node.args.get("cost")
    if cost == "free":
        way.free = True
    elif cost is not None:
        from judgecall.oracle.vocabulary.grammar import parse_cost

        way.cost = parse_cost(cost)


def _beside(way: Way, node: Node) -> None:
    """What a permission has paid beside all other costs (CR 118.8)."""
    if node.args.get("with_") is not None:
        way.additional.append((AdditionalCost(name="permission", cost=node.args["with_"], optional=False), 1))


def _only(named: Sequence[Object], *sources: Object | None) -> bool:
    """Whether an action names no other objects than those that effects come from."""
    return all(any(_names([thing], source) for source in sources) for thing in named)


def _names(named: Sequence[Object], source: Object | None) -> bool:
    """Whether an action names the object that an effect comes from, or the card that it was (CR 400.7)."""
    return source is not None and any(
        source is thing or (source.card is not None and source.card is thing.card) for thing in named
    )


def _of_keyword(node: Node, word: str) -> bool:
    """Whether the rule of a keyword gives a permission, which then goes by its name too: plot (CR 702.170d)."""
    rule, given_by = _rule_of(word), node.args.get("by_rule")
    return rule is not None and given_by is not None and given_by.startswith(rule)


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
    for node, ctx in permissions:
        cost = node.args.get("cost")
        if (word == "without paying" and cost == "free") or (cost is not None and _of_keyword(node, word)):
            if not named or _names(named, ctx.this):
                found.append(_permitted(_copy(base, face=face_of(obj, request)), node, ctx))
    matching = [(a, h) for a, h in alternatives if a.name == word or (word == "morph" and a.name == "megamorph")]
    if not matching and word not in _BEFORE_THE_STACK:
        as_spell = _as_a_spell(game, player, obj, request, AlternativeCost)
        matching = [(a, h) for a, h in as_spell if a.name == word and not (a.from_zones or a.face_down)]
        game.trace.cite(*(["113.6d"] if matching else []))
    if not matching and word not in _known_words() and word != "without paying":
        rule = _rule_of(word)
        raise Refused(f"the card has no {word}", "601.2b", "announce", (rule,) if rule is not None else ())
    for ability, held in matching:
        zones = ability.from_zones
        permission: tuple[Node, Context] | None = None
        # Whose effect permits it is not whose effect gives it this cost, unless they are one (CR 601.3, 702.34a).
        other = bool(named) and not _names(named, held.giver)
        if zones and (other or obj.zone not in zones or not statics.as_own(game, player, obj)):
            continue
        if not zones and (other or not _from_usual_zone(game, player, obj, base.additional)):
            permission = next(
                (
                    (node, ctx)
                    for node, ctx in permissions
                    if node.args.get("cost") is None and (not named or _names(named, ctx.this))
                ),
                None,
            )
            if permission is None:
                continue
        way = for_alternative(base, ability, obj, request)
        if permission is not None:
            way.permission = permission
            _beside(way, permission[0])
        if detail is None or costs.shown(_cost_of(obj, way)) == detail:
            found.append(way)
    return found


def for_alternative(base: Way, ability: AlternativeCost, obj: Object, request: Request) -> Way:
    """The way of an alternative cost that the card has, with what else is paid (CR 118.9, 118.9d)."""
    return _copy(
        base,
        alternative=ability,
        cost=ability.cost,
        free=ability.free,
        face=ability.face or ("front" if ability.face_down else face_of(obj, request)),
        face_down=ability.face_down,
        names=(*base.names, ability.name),
    )


def _cost_of(obj: Object, way: Way) -> Cost:
    """The cost that a way starts from, where it can be said without the spell."""
    if way.cost is not None:
        return way.cost
    values = objects.base_values(obj).faces.get(way.face, objects.base_values(obj).whole)
    return Cost(values.mana_cost)


def _rule_of(word: str) -> str | None:
    from judgecall.oracle import keyword_abilities

    return keyword_abilities.rule_of(word)


_BEFORE_THE_STACK = frozenset({"bestow", "evoke"})
"""Alternative costs that a card has where it is cast from, or not at all (CR 702.74a, 702.103a)."""


def _known_words() -> frozenset[str]:
    from judgecall.oracle import keyword_abilities

    return keyword_abilities.CASTING_WORDS
