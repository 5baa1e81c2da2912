"""What is announced of a spell or ability: its modes, its targets, how it is divided (CR 601.2b–d, 602.2b)."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from judgecall.oracle import choices, layers, targets
from judgecall.oracle.agents import Question, Refused
from judgecall.oracle.definitions import Body, SpellAbility, TargetSpec
from judgecall.oracle.state import Game, Object
from judgecall.oracle.vocabulary.context import Context

__all__ = ["announce_division", "body_of", "choose_modes", "specs_of"]


def body_of(game: Game, spell: Object) -> Body:
    """What a spell does: its spell abilities in order, and its target if it is an Aura (CR 303.4a)."""
    ch = layers.of(game, spell)
    bodies = [ability.body for ability, _ in ch.each(SpellAbility)]
    spliced = spell.context.get("spliced", ())
    if spliced:
        game.trace.cite("201.5b", "702.47c")  # its text now: "this" is the spell
        bodies.extend(spliced)
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


def choose_modes(ctx: Context, body: Body, given: Sequence[int] | None) -> tuple[int, ...] | None:
    """Announce modes (CR 601.2b, 700.2): places of the chosen bullets. None: no mode is possible."""
    modes = body.modes
    if modes is None:
        if given:
            raise Refused("the spell or ability is not modal", "700.2", "announce")
        return ()
    if not (isinstance(modes.minimum, int) and isinstance(modes.maximum, int)):
        ctx.game.trace.cite("601.4")
    minimum, maximum = ctx.amount(modes.minimum), min(ctx.amount(modes.maximum), len(modes.bodies))
    possible = [
        index
        for index, part in enumerate(modes.bodies)
        if all(len(targets.candidates(ctx, spec, ctx.stack)) >= targets.required(ctx, spec) for spec in part.targets)
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
        answer = choices.ask(
            ctx.game,
            Question(
                ctx.you,
                "modes",
                "choose modes",
                tuple(index + 1 for index in possible),
                minimum,
                maximum,
                ctx.stack,
            ),
        )
        if not isinstance(answer, (list, tuple)):
            answer = [answer]
        chosen = [n - 1 for n in answer]
        if any(index not in possible for index in chosen):
            raise Refused("that mode cannot be chosen", "700.2a", "announce")
    if not minimum <= len(chosen) <= ctx.amount(modes.maximum):
        also = ("702.172a",) if ctx.stack is not None and layers.of(ctx.game, ctx.stack).has("spree") else ()
        raise Refused(f"modes chosen: {len(chosen)}, where {minimum} to {maximum} are", "700.2", "announce", also)
    if len(set(chosen)) != len(chosen) and not modes.repeat:
        raise Refused("the same mode twice", "700.2d", "announce")
    return tuple(sorted(chosen))


def announce_division(ctx: Context, body: Body, modes: Sequence[int], obj: Object) -> None:
    """CR 601.2d: how an effect is divided among targets."""
    divisions = {}
    for index, (spec, group) in enumerate(zip(specs_of(body, modes), obj.targets, strict=True)):
        if spec.divide is None or not group:
            continue
        total = ctx.amount(spec.divide)
        if total < len(group):
            raise Refused("each target must get at least one", "601.2d", "targets")
        places = choices.divide(ctx.game, ctx.you, total, group, "divide among the targets", obj)
        divisions[index] = MappingProxyType(places)
    if divisions:
        ctx.game.write(obj, "context", MappingProxyType({**obj.context, "division": MappingProxyType(divisions)}))
