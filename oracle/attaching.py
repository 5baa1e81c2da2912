"""Attaching Auras, Equipment and Fortifications (CR 301.5, 303.4, 701.3)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from judgecall.oracle import choices, events, layers, protection
from judgecall.oracle.characteristics import Characteristics
from judgecall.oracle.definitions import TargetSpec
from judgecall.oracle.events import Event
from judgecall.oracle.state import FloatingEffect, Game, Object, Player
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.filters import in_zone

__all__ = ["attach", "bestow_copy", "can_attach", "cease_to_be_bestowed", "choose_host", "enchant_specs", "is_bestowed"]


def enchant_specs(ch: Characteristics) -> list[TargetSpec]:
    """What an Aura spell may target: what all of its enchant abilities allow (CR 303.4a, 702.5a, 702.5c)."""
    specs: list[TargetSpec] = [ability.value for ability in ch.keywords().get("enchant", ())]
    if len(specs) < 2:
        return specs
    filters = [spec.filter for spec in specs if spec.filter is not None]
    tests = tuple(test for filter in filters for test in filter.tests)
    both = replace(filters[0], tests=tests) if len(filters) == len(specs) else None
    return [replace(specs[0], filter=both, players=None if filters else specs[0].players)]


def can_enchant(game: Game, aura: Object, ch: Characteristics, host: Any) -> bool:
    """Whether an Aura may be attached to something (CR 303.4, 702.5)."""
    ctx = Context(game, aura.controller, aura)
    specs = [ability.value for ability in ch.keywords().get("enchant", ())]
    if not specs:
        return False
    for spec in specs:
        if isinstance(host, Player):
            if spec.players is None or host not in ctx.players(spec.players) or host.left:
                return False
        else:
            zone = spec.filter.zone if spec.filter is not None else None
            if spec.filter is None or not in_zone(host, zone or "battlefield") or not ctx.matches(spec.filter, host):
                return False
    if isinstance(host, Player):
        protected = protection.protects_player(game, host, aura)
    else:
        protected = host.zone == "battlefield" and protection.protects(game, host, aura)
    if protected:
        game.trace.cite("702.16c")
        return False
    return True


def can_attach(game: Game, obj: Object, host: Any, ch: Characteristics | None = None) -> bool:
    """Whether something may be attached to something (CR 301.5, 301.6, 303.4)."""
    ch = ch if ch is not None else layers.of(game, obj)
    if host is obj:
        return False
    if isinstance(host, Object) and (host.gone or host.phased_out):
        return False
    if "Aura" in ch.subtypes:
        return "Creature" not in ch.types and can_enchant(game, obj, ch, host)
    if not isinstance(host, Object) or host.zone != "battlefield":
        return False
    found = layers.of(game, host)
    if "Equipment" in ch.subtypes:
        if "Creature" in ch.types and not ch.has("reconfigure"):
            game.trace.cite("301.5c")
            return False
        return "Creature" in found.types and not protection.protects(game, host, obj)
    if "Fortification" in ch.subtypes:
        return "Land" in found.types and "Creature" not in ch.types and not protection.protects(game, host, obj)
    return False


def attach(game: Game, obj: Object, host: Any) -> bool:
    """Attach something if it can be; True if it is attached now (CR 701.3a–c)."""
    if obj.attached_to is host or not can_attach(game, obj, host):
        return False
    events.happen(game, [Event("attach", obj, details={"to": host})])
    return True


def hostless(game: Game, event: Event, ch: Characteristics) -> str | None:
    """The rule by which an Aura can't enter: it can't enchant what it would enter attached to, or there is nothing."""
    if event.cause == "enter" and event.obj is not None and "Aura" in layers.of(game, event.obj).subtypes:
        return None  # an Aura spell's target has been looked at as it began to resolve (CR 608.3c)
    if "attach_to" not in event.details:
        return None if choose_host(game, event, ch) else "303.4g"
    host = event.details["attach_to"]
    assert event.new is not None
    return None if host is not None and can_attach(game, event.new, host, ch) else "303.4i"


def choose_host(game: Game, event: Event, ch: Characteristics) -> bool:
    """An Aura that enters without having been cast: its controller chooses what it enchants (CR 303.4f)."""
    new = event.new
    assert new is not None
    options: list[Any] = []
    for thing in [*game.battlefield, *game.in_game()]:
        if isinstance(thing, Object) and thing.phased_out:
            continue
        if can_enchant(game, new, ch, thing):
            options.append(thing)
    ctx = Context(game, new.controller, new)
    for ability in ch.keywords().get("enchant", ()):
        if ability.value.filter is not None and ability.value.filter.zone == "graveyard":
            options.extend(thing for thing in ctx.all(ability.value.filter))
    if not options:
        return False
    game.trace.cite("303.4f")
    chosen = choices.pick(game, new.controller, options, 1, 1, "what it enchants", new, "303.4f")
    event.details["attach_to"] = chosen[0]
    return True


def is_bestowed(game: Game, obj: Object) -> bool:
    """Whether a spell or permanent is an Aura because it was cast bestowed (CR 702.103b)."""
    return any(effect.ends == "bestow" and _affects(effect, obj) for effect in game.effects)


def bestow_copy(game: Game, obj: Object, copy: Object) -> None:
    """A copy of a bestowed Aura spell is one too, and ceases to be one by itself (CR 702.103c)."""
    for effect in game.effects:
        if effect.ends == "bestow" and _affects(effect, obj):
            game.trace.cite("702.103c")
            own = replace(effect, controller=copy.controller, source=copy, stamp=game.stamp(), affected=(copy,))
            game.write(game, "effects", (*game.effects, own))


def cease_to_be_bestowed(game: Game, obj: Object) -> None:
    """What was bestowed is no Aura any more (CR 702.103e, 702.103f)."""
    kept = tuple(effect for effect in game.effects if effect.ends != "bestow" or not _affects(effect, obj))
    game.write(game, "effects", kept)


def _affects(effect: FloatingEffect, obj: Object) -> bool:
    return any(thing is obj for thing in effect.affected or ())
