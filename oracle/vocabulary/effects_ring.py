"""The Ring and its bearers (CR 701.54)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from judgecall.oracle.definitions import Ability
from judgecall.oracle.state import Object, Player
from judgecall.oracle.vocabulary.effects_zones import event, happen
from judgecall.oracle.vocabulary.words import word

if TYPE_CHECKING:
    from judgecall.oracle.characteristics import Characteristics
    from judgecall.oracle.vocabulary.context import Context

__all__: list[str] = []

_NAME = "The Ring"
_BEARER = {"ring bearer": "you"}


def _since(n: int, trigger: Any, *do: Any) -> dict[str, Any]:
    """An ability that the emblem has as long as the Ring has tempted its owner so many times (CR 701.54c)."""
    return {"when": trigger, "if": {"compare": {"times tempted": "you"}, "to": {"min": n}}, "do": list(do)}


@cache
def _abilities() -> tuple[Ability, ...]:
    from judgecall.oracle.vocabulary.grammar import parse_value

    change = [
        {"add supertypes": "Legendary"},
        {"cant be blocked by": {"power": {"more": {"power of": _BEARER}}}},
    ]
    perish = {
        "delayed": {"begins": "end of combat"},
        "body": [{"sacrifice": None, "what": "blocker", "who": "controller of blocker"}],
    }
    found: tuple[Ability, ...] = parse_value(
        "abilities",
        [
            {"static": {"affects": _BEARER, "change": change}},
            _since(2, {"attacks": _BEARER}, {"draw": 1}, {"discard": 1}),
            _since(
                3,
                {"becomes blocked": _BEARER, "by": {"types": "Creature"}},
                {"remember": "that source", "as": "blocker"},
                perish,
            ),
            _since(
                4,
                {"deals damage": _BEARER, "player": "each player", "combat": True},
                {"lose life": 3, "who": "each opponent"},
            ),
        ],
    )
    return found


@word("effect", "ring tempts", who="players=you")
def ring_tempts(ctx: Context, who: list[Player]) -> list[Any]:
    """The Ring tempts players: the emblem, then a Ring-bearer among the creatures that they control (CR 701.54)."""
    from judgecall.oracle import choices, layers

    chosen: list[Any] = []
    for player in who:
        if not any(thing.owner is player and layers.of(ctx.game, thing).name == _NAME for thing in ctx.game.command):
            _emblem(ctx, player)
        options = [
            thing
            for thing in ctx.pool(None)
            if thing.controller is player and "Creature" in layers.of(ctx.game, thing).types
        ]
        found = choices.pick(ctx.game, player, options, 1, 1, "the Ring-bearer", ctx.this)
        for thing in found:
            bearer = (thing, thing.control_stamp)
            happen(ctx, [event("flag", player=player, details={"flag": "Ring-bearer", "value": bearer})])
        times = int(player.flags.get(_NAME, 0)) + 1
        happen(ctx, [event("flag", player=player, details={"flag": _NAME, "value": times}, rules=("701.54a",))])
        chosen.extend(found)
    return chosen


def _emblem(ctx: Context, player: Player) -> None:
    from judgecall.oracle import objects, tokens

    tokens.emblem(ctx.game, player, _abilities())
    made = ctx.game.command[-1]
    ctx.game.write(made, "copied", objects.single_face(objects.replaced(objects.face_values(made), name=_NAME)))


@word("test", "ring_bearer", value="players")
def ring_bearer(ctx: Context, ch: Characteristics, obj: Object, value: list[Any]) -> bool:
    """The Ring-bearer of one of these players: as long as none but that player has controlled it since (CR 701.54e)."""
    return any(
        player.flags.get("Ring-bearer") == (obj, obj.control_stamp) and obj.controller is player for player in value
    )


@word("amount", "times tempted", who="players=you")
def times_tempted(ctx: Context, who: list[Player]) -> int:
    """How many times the Ring has tempted these players."""
    return sum(int(player.flags.get(_NAME, 0)) for player in who)
