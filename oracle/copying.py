"""Copying objects and spells (CR 707), and choosing new targets (CR 115.7)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from judgecall.oracle import announcing, applying, attaching, choices, events, objects, targets
from judgecall.oracle.agents import Question, Refused
from judgecall.oracle.characteristics import CopiableValues, FaceValues
from judgecall.oracle.definitions import Node
from judgecall.oracle.state import FloatingEffect, Game, Object, Player
from judgecall.oracle.subtypes import fitting_subtypes, replaced_subtypes
from judgecall.oracle.vocabulary.context import Context

__all__ = ["become", "copy_card", "copy_spell", "retarget", "token_values", "values"]


def become(
    game: Game,
    obj: Object,
    copied: FaceValues,
    *,
    ends: str,
    stamp: int,
    until: Any = None,
    controller: Player | None = None,
) -> None:
    """An object has these copiable values from now on (CR 707.2, 613.2a)."""
    node = Node(objects.COPY, MappingProxyType({"values": copied}))
    about = until if until is not None else (obj if ends == "turned face down" else None)
    who = controller if controller is not None else obj.controller
    effect = FloatingEffect(node, who, obj, stamp, ends, (obj,), about, turn=game.turn)
    if obj.face_down is not None:
        game.trace.cite("707.3")  # its status still covers what it copies
    game.write(game, "effects", (*game.effects, effect))


def values(ctx: Context, thing: Object, exceptions: Any = None) -> FaceValues:
    """What a copy of an object is: its copiable values, with exceptions (CR 707.2, 707.9)."""
    game = ctx.game
    game.trace.cite("707.2")
    if thing.face_down is None and objects.is_copying(game, thing):
        game.trace.cite("707.3")  # what it copies now is what is copied of it
    found = (
        thing.lki.values
        if thing.gone and thing.lki is not None and thing.lki.values is not None
        else objects.copiable(game, thing)
    )
    return excepted(ctx, objects.as_copied(found), exceptions)


def token_values(ctx: Context, thing: Object, exceptions: Any = None) -> tuple[CopiableValues, str]:
    """What a token that is a copy of an object is: both faces of a double-faced one (CR 707.8a)."""
    if thing.gone and thing.lki is not None and thing.lki.values is not None:
        if not objects.is_double_faced(thing) or thing.face_down is not None:
            return objects.single_face(excepted(ctx, objects.as_copied(thing.lki.values), exceptions)), "front"
        copied, face = objects.base_values(thing), thing.face
        if thing.lki.values is not copied.faces.get(face):  # it was a copy of something else
            copied = objects.both_faces(thing, objects.as_copied(thing.lki.values))
    else:
        copied, face = objects.copiable_token(ctx.game, thing)
    if not exceptions:
        return copied, face
    faces = {name: excepted(ctx, one, exceptions) for name, one in copied.faces.items()}
    whole = faces.get("front", excepted(ctx, copied.whole, exceptions))
    return CopiableValues(copied.layout, MappingProxyType(faces), whole), face


def excepted(ctx: Context, found: FaceValues, exceptions: Any) -> FaceValues:
    """Copiable values with the exceptions of a copy effect (CR 707.9).

    ``pt``, ``name``, ``colors``, ``own colors``, ``add colors``, ``type`` (a whole type line), ``types``, ``subtypes``,
    ``add types``, ``add subtypes``, ``add supertypes``, ``not legendary``, ``gain``, ``this ability``, ``mana cost``.
    """
    if not exceptions:
        return found
    from judgecall.oracle.cards.loader import type_line
    from judgecall.oracle.vocabulary.grammar import parse_value

    raw: Mapping[str, Any] = exceptions
    gives = "gain" in raw or bool(raw.get("this ability"))
    ctx.game.trace.cite(*(["707.9a"] if gives else ()), *(["707.9b"] if set(raw) - {"gain", "this ability"} else ()))
    changes: dict[str, Any] = {}
    if "type" in raw:
        changes["supertypes"], changes["types"], changes["subtypes"] = type_line(raw["type"])
    if "name" in raw:
        changes["name"] = raw["name"]
    if "pt" in raw:
        power, toughness = parse_value("pair", raw["pt"])
        changes["power"], changes["toughness"] = ctx.amount(power), ctx.amount(toughness)
    if "colors" in raw:
        chosen = parse_value("words", raw["colors"])
        changes["colors_set"] = frozenset() if chosen == ("none",) else frozenset(chosen)
    if "own colors" in raw and ctx.this is not None:
        about = ctx.results["event"].new if ctx.results.get("event") is not None else ctx.this
        own = objects.face_values(about if about is not None else ctx.this)
        changes["colors_set"] = own.colors
    if "add colors" in raw:
        changes["colors_set"] = found.colors | frozenset(parse_value("words", raw["add colors"]))
    for key, slot in (("add types", "types"), ("add subtypes", "subtypes"), ("add supertypes", "supertypes")):
        if key in raw:
            if any(getattr(part, "cda", False) for ability in found.abilities for part in ability.all_parts):
                ctx.game.trace.cite("707.9d")  # in addition to its types: what defines them is copied
            have, more = changes.get(slot, getattr(found, slot)), parse_value("words", raw[key])
            if slot == "subtypes":
                fitting = fitting_subtypes(more, changes.get("types", found.types))
                ctx.game.trace.cite(*(["205.3d"] if len(fitting) < len(more) else ()))
                more = fitting
            changes[slot] = (*have, *(word for word in more if word not in have))
    if raw.get("not legendary"):
        have = changes.get("supertypes", found.supertypes)
        changes["supertypes"] = tuple(word for word in have if word != "Legendary")
    if "mana cost" in raw and raw["mana cost"] == "none":
        changes["mana_cost"] = None
        changes.setdefault("colors_set", found.colors)
    if "types" in raw:
        changes["types"] = parse_value("words", raw["types"])
        changes["subtypes"] = fitting_subtypes(found.subtypes, changes["types"])  # CR 205.1a
    if "subtypes" in raw:
        own = changes.get("subtypes", found.subtypes)
        changes["subtypes"] = replaced_subtypes(own, parse_value("words", raw["subtypes"]))
    if found.flipped is not None:
        changes["flipped"] = excepted(ctx, found.flipped, exceptions)
    abilities = _without_defining(found, {word for key in raw for word in _DEFINED_BY.get(key, ())})
    if len(abilities) < len(found.abilities):
        ctx.game.trace.cite("707.9d")
    if "gain" in raw:
        abilities = (*abilities, *_gained(raw["gain"]))
    if raw.get("this ability") and ctx.this is not None:
        abilities = (*abilities, *_this_ability(ctx))
    changes["abilities"] = abilities
    return objects.replaced(found, **changes)


_GAINED: dict[int, tuple[Any, tuple[Any, ...]]] = {}


def _gained(raw: Any) -> tuple[Any, ...]:
    """The abilities that an exception gives, read once: copies made by one effect have the same ones."""
    from judgecall.oracle.vocabulary.grammar import parse_value

    known = _GAINED.get(id(raw))
    if known is None or known[0] is not raw:
        known = _GAINED[id(raw)] = (raw, parse_value("abilities", raw))
    return known[1]


_SIZE = ("defined", "defined power", "defined toughness")
_COLOR = ("colors", "add colors")
_SUBTYPES = ("all creature types", "set subtypes", "add subtypes")
_DEFINED_BY: Mapping[str, tuple[str, ...]] = {
    "pt": _SIZE, "colors": _COLOR, "own colors": _COLOR, "type": _SUBTYPES, "subtypes": _SUBTYPES,
}  # fmt: skip
"""The changes in which an ability defines what an exception gives instead."""


def _without_defining(found: FaceValues, words: Collection[str]) -> tuple[Any, ...]:
    """CR 707.9d: what an exception gives leaves out an ability that defines it."""
    from judgecall.oracle.definitions import Static

    return tuple(
        ability
        for ability in found.abilities
        if not any(
            change.word in words
            for part in ability.all_parts
            if isinstance(part, Static) and part.cda
            for node in part.effects
            if node.word == "affects"
            for change in node.args["change"]
        )
    )


def _this_ability(ctx: Context) -> tuple[Any, ...]:
    """The ability that the copy effect comes from ("except it has this ability")."""
    if ctx.stack is not None and ctx.stack.ability is not None:
        return (ctx.stack.ability,)
    return ()


def copy_spell(
    ctx: Context, thing: Object, player: Player, new_targets: bool, exceptions: Any, target: list[Any] | None
) -> Object | None:
    """Put a copy of a spell or ability on the stack (CR 707.10): not cast, not activated."""
    game = ctx.game
    if player.left:  # CR 800.4b
        return None
    if target is not None and not _all_targets_could_be(ctx, thing, target):
        game.trace.add("no copy is made: its targets could not be so", "707.10e")
        return None
    made = game.new_object("ability" if thing.kind == "ability" else "copy", player, "stack")
    made.controller = made.holder = player
    made.context = thing.context
    made.targets = thing.targets
    if thing.kind == "ability":
        made.ability = thing.ability
        made.source = thing.source
    else:
        found = (
            thing.lki.values
            if thing.gone and thing.lki is not None and thing.lki.values is not None
            else objects.under(game, thing)
        )
        base = objects.base_values(thing)
        face = excepted(ctx, found, exceptions)
        if base.double_faced or len(base.faces) > 1:
            faces = {**base.faces, thing.face: face} if thing.face in base.faces else dict(base.faces)
            made.copied = CopiableValues(base.layout, MappingProxyType(faces), face)
            made.face = thing.face
        else:
            made.copied = objects.single_face(face)
        made.face_down = thing.face_down
        made.face_down_values = thing.face_down_values
        # CR 707.10: choices are copied; what was spent is not (CR 707.10 Example), and it was not cast.
        kept = {key: value for key, value in thing.cast.items() if key not in ("from", "spent", "by")}
        made.cast = MappingProxyType(kept)
    game.write(game, "stack", (*game.stack, made))
    attaching.bestow_copy(game, thing, made)
    game.trace.add(f"{events.label(game, made)} is put on the stack", "707.10")
    events.happen(game, [events.Event("copied", made, player)])
    if target is not None:
        game.trace.cite("707.10e")
        if target and made.targets:
            game.write(made, "targets", tuple(tuple(target[:1]) if group else () for group in made.targets))
            targets.became_targets(game, made)
    elif new_targets and any(made.targets):
        retarget(ctx, made, player, change_all=False)
    return made


def _all_targets_could_be(ctx: Context, thing: Object, target: list[Any]) -> bool:
    """CR 707.10e: whether each target of the copy could be the object that it is to have."""
    if not target or thing.gone:
        return bool(target)
    inner = _own_context(ctx.game, thing)
    body = thing.ability.body if thing.kind == "ability" else announcing.body_of(ctx.game, thing)  # type: ignore[union-attr]
    specs = announcing.specs_of(body, thing.context.get("modes", ()))
    return all(
        any(target[0] is option for option in targets.candidates(inner, spec, thing))
        for spec, group in zip(specs, thing.targets, strict=False)
        if group
    )


def retarget(ctx: Context, obj: Object, player: Player, *, change_all: bool) -> None:
    """Choose new targets: each may be changed to another legal one or kept (CR 115.7d, 707.10c)."""
    game = ctx.game
    inner = _own_context(game, obj)
    body = obj.ability.body if obj.kind == "ability" else announcing.body_of(game, obj)  # type: ignore[union-attr]
    specs = announcing.specs_of(body, obj.context.get("modes", ()))
    old = [thing for group in obj.targets for thing in group]
    if not old:
        return
    game.trace.cite("115.7e")
    pool: list[Any] = []
    for spec in specs:
        for thing in targets.options_of(inner, spec, obj):
            if not any(thing is other for other in pool):
                pool.append(thing)
    options = (*pool, *(thing for thing in old if not any(thing is other for other in pool)))
    if change_all:
        options = tuple(thing for thing in pool if not any(thing is other for other in old))
        if not options:
            return
    answer = choices.ask(
        game,
        Question(
            player,
            "targets",
            "choose new targets",
            options,
            len(old),
            len(old),
            obj,
            details={"keep": not change_all},
        ),
    )
    if isinstance(answer, str):
        if answer != "same" or change_all:
            raise Refused("new targets are named, or kept", "115.7")
        return
    chosen = list(answer)
    if len(chosen) != len(old):
        raise Refused("as many targets as there were", "115.7", "targets")
    named = iter(chosen)
    groups = tuple(tuple(next(named) for _ in group) for group in obj.targets)
    if not targets.may_become(inner, specs, obj.targets, groups, obj):
        raise Refused("these are no legal targets", "115.7", "targets")
    before_groups = obj.targets
    game.write(obj, "targets", groups)
    targets.became_targets(game, obj, before_groups)


def _own_context(game: Game, obj: Object) -> Context:
    from judgecall.oracle import resolving

    return resolving.context_of(game, obj)


def copy_card(ctx: Context, thing: Object) -> Object:
    """A copy of a card in its zone, to be cast (CR 707.12)."""
    game = ctx.game
    made = game.new_object("copy", ctx.you, thing.zone)
    made.copied = objects.base_values(thing)
    applying.put_in(game, made)
    game.trace.add(f"{events.label(game, thing)} is copied", "707.12")
    return made
