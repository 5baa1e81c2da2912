"""Objects and what they are before any continuous effect (CR 109, 111, 707.2): faces, names, copiable values."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from judgecall.oracle.characteristics import Characteristics, CopiableValues, FaceValues, symbol_value
from judgecall.oracle.state import Game, Object

__all__ = [
    "as_flipped",
    "base_values",
    "both_faces",
    "can_turn_over",
    "copiable",
    "copiable_token",
    "counters",
    "face_values",
    "is_double_faced",
    "layer_one",
    "linked",
    "mana_value",
    "names",
    "single_face",
]

NOTHING = FaceValues("")
_NO_VALUES = CopiableValues("none", MappingProxyType({}), NOTHING)
COPY = "copy values"


def base_values(obj: Object) -> CopiableValues:
    """All faces of what represents an object: its card, or what the token or copy was made as."""
    if obj.copied is not None:
        return obj.copied
    if obj.card is not None:
        return obj.card.definition.values
    return _NO_VALUES


def face_values(obj: Object) -> FaceValues:
    """The values of the face that counts where the object is (CR 712.8, 709.4, 715.4)."""
    values = base_values(obj)
    if obj.zone in ("battlefield", "stack"):
        return values.faces.get(obj.face, values.whole)
    return values.whole


def layer_one(game: Game, obj: Object) -> FaceValues:
    """What layer 1 leaves of an object: its copiable values, or the other half of what is flipped (CR 613.2, 710.2)."""
    return as_flipped(game, obj, copiable(game, obj))


def as_flipped(game: Game, obj: Object, values: FaceValues) -> FaceValues:
    """These copiable values, or the other half where the object is a flipped permanent (CR 110.5c, 710.2)."""
    if values.flipped is not None and obj.face == "flip" and obj.zone == "battlefield":
        game.trace.cite("110.5c", "707.3", "710.2")  # flipped is a status, whatever it copies
        return values.flipped
    return values


def copiable(game: Game, obj: Object) -> FaceValues:
    """What is copied of an object: its copiable values, which a flipped status does not change (CR 707.2)."""
    if obj.face_down is not None:
        return obj.face_down_values or NOTHING  # layer 1b (CR 613.2b, 708.2)
    return under(game, obj)


def under(game: Game, obj: Object) -> FaceValues:
    """Layer 1a alone: what the object is or would be face up (CR 613.2a)."""
    values = face_values(obj)
    copying = [
        effect
        for effect in game.effects
        if getattr(effect.ability, "word", "") == COPY and obj in (effect.affected or ())
    ]
    if copying:
        values = max(copying, key=lambda effect: effect.stamp).ability.args["values"]
    return values


def is_copying(game: Game, obj: Object) -> bool:
    """Whether a copy effect gives the object its values."""
    return under(game, obj) is not face_values(obj)


def is_double_faced(obj: Object) -> bool:
    """Represented by a double-faced card or a double-faced token (CR 712.9, 707.8)."""
    return obj.kind in ("card", "token") and base_values(obj).double_faced


def can_turn_over(obj: Object) -> bool:
    """Double-faced with two faces of its own: the back of a meld card is half of another permanent's (CR 712.4b–c)."""
    return is_double_faced(obj) and base_values(obj).layout != "meld"


def both_faces(obj: Object, values: FaceValues) -> CopiableValues:
    """What a double-faced object is that copies something: that, whichever face is up (CR 707.8a, 712.9 Example)."""
    base = base_values(obj)
    return CopiableValues(base.layout, MappingProxyType(dict.fromkeys(base.faces, values)), values)


def single_face(values: FaceValues) -> CopiableValues:
    """What has one face only: a token, or a copy of a spell."""
    return CopiableValues("normal", MappingProxyType({"front": values}), values)


def copiable_token(game: Game, obj: Object) -> tuple[CopiableValues, str]:
    """What a token that copies an object is, and which face is up: both faces of a double-faced one (CR 707.8a)."""
    if is_double_faced(obj) and obj.face_down is None:
        values = both_faces(obj, as_copied(copiable(game, obj))) if is_copying(game, obj) else base_values(obj)
        return values, obj.face if obj.zone in ("battlefield", "stack") else "front"
    return single_face(as_copied(copiable(game, obj))), "front"


def as_copied(values: FaceValues) -> FaceValues:
    """The values as another object copies them: a back face has no mana value of its own (CR 202.3b)."""
    if values.mana_value is None:
        return values
    return replaced(values, mana_value=None)


def replaced(values: FaceValues, **changes: Any) -> FaceValues:
    """Face values with some of them changed."""
    old = {name: getattr(values, name) for name in FaceValues.__slots__}
    return FaceValues(**{**old, **changes})


def names(obj: Object, ch: Characteristics) -> tuple[str, ...]:
    """The names it has (CR 201.2, 709.4a): two for a split card, none face down."""
    if " // " in ch.name:
        return tuple(ch.name.split(" // "))
    return (ch.name,) if ch.name else ()


def mana_value(obj: Object, ch: Characteristics) -> int:
    """Its mana value (CR 202.3)."""
    return ch.mana_value


def value_of(values: FaceValues, x: int = 0) -> int:
    """The mana value of a face: of its mana cost, or as the rules say otherwise (CR 202.3a–b)."""
    if values.mana_value is not None:
        return values.mana_value
    return sum(symbol_value(symbol, x) for symbol in values.mana_cost or ())


def counters(obj: Object, kind: str) -> int:
    """How many counters of a kind it has (CR 122)."""
    return obj.counters[kind][0] if kind in obj.counters else 0


def linked(game: Game, obj: Object, key: str) -> list[Object]:
    """What is linked with an object under a key (CR 607.2)."""
    found = obj.linked.get(key, ())
    return [thing for thing in found if isinstance(thing, Object)]
