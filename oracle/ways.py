"""Ways of casting a card: for which cost, by which permission, with which face (CR 601.2b, 601.3, 118.9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from judgecall.oracle import costs, layers, objects, statics
from judgecall.oracle.agents import Refused
from judgecall.oracle.characteristics import Held
from judgecall.oracle.definitions import Ability, AdditionalCost, AlternativeCost, Cost, Node
from judgecall.oracle.state import Game, Object, Player
from judgecall.oracle.vocabulary.context import Context

__all__ = ["Request", "Way", "faces", "find", "kickers"]


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


def find(game: Game, player: Player, obj: Object, request: Request) -> list[Way]:
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
            if not found[0][0].repeatable and any(ability is found[0][0] for ability, _, _ in extra):
                raise Refused(f"{word} is paid once", found[0][0].rule, "announce")
            extra.append((found[0][0], found[0][1], 1))
            continue
        if word == "splice":
            able = [card for card in player.hand if card is not obj and layers.of(game, card).has("splice")]
            if not able:
                raise Refused("there is nothing to splice", "702.47a", "announce")
            splice.extend(able)
            continue
        found = _as_a_spell(game, player, obj, request, word)
        if found:
            extra.append((found[0][0], found[0][1], 1))
            continue
        alt_words.append((word, detail))
    priced = [
        node for node, ctx in statics.rules(game, "may cast") if node.args.get("cost") and _names(named, ctx.this)
    ]
    if len(alt_words) + len(priced[:1]) > 1 and not (alt_words and alt_words[0][0] == "without paying"):
        raise Refused("two alternative costs for one spell", "118.9a", "announce")
    extra.extend(kickers(additions, request))
    base = Way(additional=extra, splice=tuple(splice))
    found_ways: list[Way] = []
    if alt_words:
        word, detail = alt_words[0]
        found_ways = _alternative_ways(game, player, obj, base, word, detail, alternatives, permissions, named, request)
    else:
        for face in faces(obj, request):
            usual = _copy(base, face=face)
            if _from_usual_zone(game, player, obj, extra) and not named:
                found_ways.append(usual)
            for node, ctx in permissions:
                if named and not _names(named, ctx.this):
                    continue
                if not named and (node.args.get("cost") is not None and not _implied(obj, node)):
                    continue
                if node.args.get("from_") or _reaches_zone(node, obj) or node.args.get("cost") is not None:
                    found_ways.append(_permitted(_copy(usual), node, ctx, game))
    if not found_ways:
        keywords = [rule for word, _ in alt_words if (rule := _rule_of(word)) is not None]
        rules = [*keywords, "601.3"]
        raise Refused("nothing allows that to be cast from there in that way", rules[0], "permission", tuple(rules[1:]))
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


def kickers(additions: Sequence[tuple[AdditionalCost, Held]], request: Request) -> list[Any]:
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


def faces(obj: Object, request: Request) -> list[str]:
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
        if node.args.get("once") and ctx.this is not None and ctx.this.notes.get("permission used") == game.turn:
            continue
        found.append((node, ctx))
    return found


def _reaches_zone(node: Node, obj: Object) -> bool:
    return bool(node.args["filter"].zone == obj.zone)


def _permitted(way: Way, node: Node, ctx: Context, game: Game) -> Way:
    way.permission = (node, ctx)
    cost = node.args.get("cost")
    if cost == "free":
        way.free = True
    elif cost is not None:
        from judgecall.oracle.vocabulary.grammar import parse_cost

        way.cost = parse_cost(cost)
    if node.args.get("with_") is not None:
        way.additional.append((AdditionalCost(name="permission", cost=node.args["with_"], optional=False), None, 1))
    return way


def _names(named: Sequence[Object], source: Object | None) -> bool:
    """Whether an action names the object that an effect comes from, or the card that it was (CR 400.7)."""
    return source is not None and any(
        source is thing or (source.card is not None and source.card is thing.card) for thing in named
    )


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
            if node.args.get("cost") == "free" and (not named or _names(named, ctx.this)):
                found.extend(_permitted(_copy(base, face=face), node, ctx, game) for face in faces(obj, request))
        for ability, held in alternatives:
            if ability.free and ability.cost is None:
                found.append(_copy(base, alternative=ability, held=held, free=True, names=(word,)))
        return found
    matching = [(a, h) for a, h in alternatives if a.name == word or (word == "morph" and a.name == "megamorph")]
    if not matching and word not in _known_words():
        raise Refused(f"the card has no {word}", "601.2b", "announce")
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
        able = [ability.face] if ability.face else (["front"] if ability.face_down else faces(obj, request))
        for face in able:
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


def _rule_of(word: str) -> str | None:
    from judgecall.oracle import keyword_abilities

    return keyword_abilities.rule_of(word)


def _known_words() -> frozenset[str]:
    from judgecall.oracle import keyword_abilities

    return keyword_abilities.CASTING_WORDS
