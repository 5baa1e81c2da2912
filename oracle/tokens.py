"""Tokens and emblems (CR 111, 114)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from judgecall.oracle import objects, predefined
from judgecall.oracle.applying import put_in
from judgecall.oracle.characteristics import CopiableValues, FaceValues
from judgecall.oracle.definitions import Ability
from judgecall.oracle.events import Event, happen
from judgecall.oracle.state import Game, Player
from judgecall.oracle.vocabulary.context import Context

__all__ = ["COPY", "creation", "each", "emblem", "face_from", "values"]


def values(ctx: Context, raw: Any) -> CopiableValues:
    """What a token is: a predefined one by name, or a mapping of its characteristics (CR 111.3–4, 111.10)."""
    if isinstance(raw, CopiableValues):
        return raw
    ctx.game.trace.cite("111.3", "111.4")
    if isinstance(raw, str):
        known = predefined.token(raw)
        if known is None:
            loaded = ctx.game.known_cards(raw) if ctx.game.known_cards is not None else None
            if loaded is None:
                from judgecall.oracle.vocabulary.grammar import DefinitionError

                raise DefinitionError(f"no predefined token {raw!r}")
            ctx.game.trace.cite("111.11")
            return objects.single_face(loaded.front)
        return known
    return objects.single_face(face_from(raw, ctx))


def face_from(raw: Mapping[str, Any], ctx: Context | None) -> FaceValues:
    """The characteristics that a mapping states: ``pt``, ``colors``, ``type``, ``abilities``, ``name``."""
    from judgecall.oracle.cards.loader import type_line
    from judgecall.oracle.vocabulary.grammar import parse_value

    supertypes, types, subtypes = type_line(str(raw["type"]))
    colors = raw.get("colors", ())
    colors = (colors,) if isinstance(colors, str) else tuple(colors)
    if colors == ("all",):
        colors = ("white", "blue", "black", "red", "green")
    power = toughness = None
    if "pt" in raw:
        pair = parse_value("pair", raw["pt"])
        power, toughness = (ctx.amount(n) if ctx is not None else int(n) for n in pair)
    name = str(raw.get("name") or " ".join([*subtypes, "Token"]))  # CR 111.4
    if ctx is not None and "chosen" in subtypes:
        subtypes = tuple(str(ctx.results.get("type", s)) if s == "chosen" else s for s in subtypes)
        name = str(raw.get("name") or " ".join([*subtypes, "Token"]))
    if ctx is not None and colors == ("chosen",):
        colors = (str(ctx.results.get("color", "")),)
    return FaceValues(
        name=name,
        supertypes=supertypes,
        types=types,
        subtypes=subtypes,
        abilities=_abilities(raw),
        power=power,
        toughness=toughness,
        colors_set=frozenset(colors),
    )


COPY: Mapping[str, Any] = MappingProxyType({"copy": True})
"""The mark of a token that was created as a copy (CR 707.1)."""

_PARSED: dict[int, tuple[Any, tuple[Ability, ...]]] = {}


def _abilities(raw: Mapping[str, Any]) -> tuple[Ability, ...]:
    from judgecall.oracle.vocabulary.grammar import parse_value

    listed = raw.get("abilities", ())
    if not listed:
        return ()
    known = _PARSED.get(id(listed))
    if known is None or known[0] is not listed:
        known = _PARSED[id(listed)] = (listed, parse_value("abilities", listed))
    return known[1]


def creation(ctx: Context, player: Player, made: CopiableValues, n: int, details: Mapping[str, Any]) -> Event:
    """An effect would create so many tokens under a player's control (CR 111.2, 701.7)."""
    return Event("create", player=player, amount=n, source=ctx.this, by=ctx.you, details={**details, "values": made})


def each(game: Game, event: Event) -> list[Event]:
    """The tokens of a creation, one event each, all at once."""
    made: list[Event] = []
    player = event.player
    assert player is not None
    groups = [(event.details["values"], event.amount), *event.details.get("also", ())]
    for place, (token_values, n) in enumerate(groups):
        for _ in range(n):
            token = game.new_object("token", player, "battlefield")
            token.copied = token_values
            if event.details.get("as copy") and place == 0:
                token.flags = COPY
            token.holder = token.controller = player
            token.face = event.details.get("face", "front") if token_values.double_faced else "front"
            details = {
                key: value
                for key, value in event.details.items()
                if key == "attach_to" or (key in ("tapped", "attacking") and value)
            }
            token.tapped = bool(details.get("tapped"))
            inner = Event("token", player=player, to="battlefield", source=event.source, details=details, new=token)
            for kind, count in event.details.get("enter counters", {}).items():
                from judgecall.oracle import entering

                entering.enter_with(game, inner, token, kind, count)
            made.append(inner)
    return made


def emblem(game: Game, player: Player, abilities: tuple[Ability, ...]) -> None:
    """A player gets an emblem: an object in the command zone with abilities and nothing else (CR 114)."""
    obj = game.new_object("emblem", player, "command")
    functioning = tuple(_everywhere(ability) for ability in abilities)
    obj.copied = objects.single_face(FaceValues("", abilities=functioning))
    put_in(game, obj)
    happen(game, [])
    game.trace.add(f"{player.name} gets an emblem", "114.1")


def _everywhere(ability: Ability) -> Ability:
    """An emblem's abilities function in the command zone (CR 114.4, 113.6p)."""
    fields = {name: getattr(ability, name) for name in type(ability).__dataclass_fields__ if name != "all_parts"}
    fields["zones"] = frozenset({"command"})
    fields["parts"] = tuple(_everywhere(part) for part in ability.parts)
    return type(ability)(**fields)
