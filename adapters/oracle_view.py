"""What the oracle reports: every object with its characteristics and status, every player, the turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judgecall.adapters.engine import Json, ObjectView, PlayerView, View
from judgecall.oracle import activating, commander, objects, statics
from judgecall.oracle.layers import of
from judgecall.oracle.state import Game, Object, Player, Removed

__all__ = ["view"]


def view(game: Game) -> View:
    """The whole game. Objects that a player who left took along are in zone ``nowhere``."""
    found: dict[str, ObjectView] = {}
    everything: list[Object] = [*game.battlefield, *game.stack, *game.exile, *game.command]
    for player in game.players:
        everything.extend((*player.hand, *player.library, *player.graveyard))
    for obj in everything:
        found[str(obj.id)] = _object(game, obj)
    for obj in game.objects.values():
        if obj.gone and obj.became is None and obj.card is not None:
            found[str(obj.id)] = _object(game, obj)
    return View(
        found,
        {player.name: _player(game, player) for player in game.players},
        tuple(str(obj.id) for obj in reversed(game.stack)),
        {
            "active": game.active.name,
            "step": game.step,
            "turn": game.turn,
            "priority": game.priority.name if game.priority is not None else None,
            "day_night": game.day_night,
            "over": game.over,
            "winner": game.winner.name if game.winner is not None else None,
        },
    )


def _ref(thing: Object | Player | None) -> Json:
    if thing is None:
        return None
    return thing.name if isinstance(thing, Player) else str(thing.id)


def _handle(game: Game, obj: Object) -> str | None:
    """The handle of the declared card or token that an object is."""
    if obj.card is not None:
        return obj.card.handle
    declared: dict[int, str] = game.shared.get("handles", {})
    first: Object | None = obj
    while first is not None:
        if first.id in declared:
            return declared[first.id]
        first = first.was
    return None


def _seen_by(game: Game, obj: Object) -> frozenset[str]:
    """Who has been shown what it is; the controller of a player sees what that player sees (CR 723.4)."""
    found = obj.revealed_to | obj.visible_to
    everyone = frozenset(player.name for player in game.players)
    if statics.lies_open(game, obj):
        return everyone
    if obj.zone == "library" and obj.owner.library[:1] == (obj,):
        if any(obj.owner in c.players(n.args["who"]) for n, c in statics.rules(game, "top revealed")):
            return everyone
        for n, c in statics.rules(game, "look at top"):
            found |= {player.name for player in c.players(n.args["who"]) if player is obj.owner}
    for player in game.players:
        if player.controlled_by is not None and (player.name in found or (obj.zone == "hand" and obj.owner is player)):
            game.trace.cite("723.4")
            found |= {player.controlled_by.name}
    return found


def _mana(symbols: tuple[str, ...] | None) -> Json:
    if symbols is None:
        return None
    generic = [int(symbol) for symbol in symbols if symbol.isdigit()]  # CR 709.4b: two halves add up
    rest = [symbol for symbol in symbols if not symbol.isdigit()]
    shown = [*(symbol for symbol in rest if symbol == "X"), *([str(sum(generic))] if generic else [])]
    return "".join(f"{{{symbol}}}" for symbol in (*shown, *(symbol for symbol in rest if symbol != "X")))


class _Facts(Mapping[str, Json]):
    """The properties of an object, worked out when somebody looks: before the next act (see `Engine.view`)."""

    __slots__ = ("_found", "_game", "_obj")

    def __init__(self, game: Game, obj: Object) -> None:
        self._game = game
        self._obj = obj
        self._found: dict[str, Json] | None = None

    def _all(self) -> dict[str, Json]:
        if self._found is None:
            self._found = _facts(self._game, self._obj)
        return self._found

    def __getitem__(self, key: str) -> Json:
        return self._all()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


def _facts(game: Game, obj: Object) -> dict[str, Json]:
    ch = of(game, obj)
    battlefield = obj.zone == "battlefield"
    facts: dict[str, Json] = {
        "controller": obj.controller.name,
        "name": ch.name,
        "mana_cost": _mana(ch.mana_cost),
        "mana_value": objects.mana_value(obj, ch),
        "colors": sorted(ch.colors),
        "supertypes": list(ch.supertypes),
        "types": list(ch.types),
        "subtypes": _subtypes(ch),
        "power": ch.power,
        "toughness": ch.toughness,
        "loyalty": _counted(obj, "loyalty", "Planeswalker" in ch.types) if battlefield else ch.loyalty,
        "defense": _counted(obj, "defense", "Battle" in ch.types) if battlefield else ch.defense,
        "keywords": _keywords(ch),
        "counters": {kind: n for kind, (n, _) in obj.counters.items() if n},
        "damage": obj.damage,
        "tapped": obj.tapped,
        "face_down": obj.face_down is not None,
        "face_down_by": obj.face_down,
        "face": "back" if obj.face == "back" else "front",
        "attached_to": _ref(
            obj.attached_to if obj.attached_to is None or not getattr(obj.attached_to, "gone", False) else None
        ),
        "attachments": [str(other.id) for other in game.battlefield if other.attached_to is obj],
        "attacking": True if isinstance(obj.attacking, Removed) else _ref(obj.attacking),
        "blocking": [str(other.id) for other in obj.blocking if not other.gone],
        "summoning_sick": battlefield and activating._sick(game, obj),
        "token": obj.kind == "token",
        "copy": _is_copy(game, obj),
        "revealed_to": sorted(_seen_by(game, obj)),
        "targets": [_ref(thing) for group in obj.targets for thing in group],
        "x": obj.cast.get("x") if obj.kind != "ability" else obj.context.get("x"),
        "phased_out": obj.phased_out,
    }
    if obj.card is not None:
        facts["color_identity"] = sorted(obj.card.definition.identity)
    return facts


def _object(game: Game, obj: Object) -> ObjectView:
    ch = of(game, obj)
    source = obj.source
    return ObjectView(
        id=str(obj.id),
        zone="nowhere" if obj.gone else obj.zone,
        owner=obj.owner.name,
        name=ch.name,
        kind=obj.kind,
        card=_handle(game, obj),
        card_name=_card_name(obj),
        source=str(source.id) if source is not None else None,
        source_name=_name(game, source) if source is not None else None,
        source_card=_handle(game, source) if source is not None else None,
        facts=_Facts(game, obj),
    )


def _card_name(obj: Object) -> str | None:
    """The name of the card that it is or, face down or not, that it is a copy of as a spell."""
    if obj.card is not None:
        return obj.card.definition.name
    return obj.copied.whole.name if obj.kind == "copy" and obj.copied is not None else None


def _name(game: Game, obj: Object) -> str:
    found = of(game, obj).name
    return found or (obj.card.definition.name if obj.card is not None else "")


def _counted(obj: Object, kind: str, has_it: bool) -> int | None:
    """CR 306.5, 310.4: the loyalty of a planeswalker and the defense of a battle; nothing else has them."""
    return objects.counters(obj, kind) if has_it else None


def _subtypes(ch: Any) -> list[str]:
    if ch.all_creature_types:
        from judgecall.oracle.subtypes import CREATURE_TYPES

        return sorted({*ch.subtypes, *CREATURE_TYPES})
    return list(ch.subtypes)


def _keywords(ch: Any) -> list[str]:
    found = set(ch.keywords())
    if "hexproof" in found and all(ability.value is not None for ability in ch.keywords()["hexproof"]):
        found.add("hexproof from")
    return sorted(found)


def _is_copy(game: Game, obj: Object) -> bool:
    if obj.kind == "copy":
        return True
    return obj.zone == "battlefield" and ("copy" in obj.flags or objects.is_copying(game, obj))


def _player(game: Game, player: Player) -> PlayerView:
    zones = {
        "hand": tuple(str(obj.id) for obj in player.hand),
        "library": tuple(str(obj.id) for obj in player.library),
        "graveyard": tuple(str(obj.id) for obj in player.graveyard),
        "exile": tuple(str(obj.id) for obj in game.exile if obj.owner is player),
        "command": tuple(str(obj.id) for obj in game.command if obj.owner is player),
        "battlefield": tuple(
            str(obj.id) for obj in game.battlefield if obj.controller is player and not obj.phased_out
        ),
    }
    facts: dict[str, Json] = {
        "life": player.life,
        "counters": {kind: n for kind, n in player.counters.items() if n},
        "mana": "".join(f"{{{unit.symbol}}}" for unit in player.mana),
        "lost": player.lost,
        "won": player.won,
        "drawn": player.drawn,
    }
    deck = game.shared.get(f"deck {player.name}")
    if deck is not None:
        commanders = [card for card in game.cards.values() if card.commander and card.owner is player]
        facts["deck_legal"] = commander.deck_legal(game, commanders, deck)
    return PlayerView(player.name, zones, facts)
