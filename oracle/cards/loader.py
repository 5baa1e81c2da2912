"""Loads card definitions one by one, when a game names them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

import yaml
from judgecall.oracle.characteristics import COLOR_OF, COLORS, CopiableValues, FaceValues, symbols_of
from judgecall.oracle.definitions import Ability, Activated, CardDefinition
from judgecall.oracle.objects import value_of
from judgecall.oracle.vocabulary import read_vocabulary
from judgecall.oracle.vocabulary.grammar import DefinitionError, parse_ability, parse_value

__all__ = [
    "FACES",
    "KEYS",
    "LAYOUTS",
    "back_face",
    "document",
    "load",
    "names",
    "parse_card",
    "read",
    "slug",
    "type_line",
]

_SUPERTYPES = frozenset({"Basic", "Legendary", "Snow", "World", "Ongoing", "Host", "Elite"})
FACES = {
    "transform": "back",
    "modal": "back",
    "split": "right",
    "adventure": "adventure",
    "flip": "flip",
    "meld": "back",
}
LAYOUTS = frozenset({"normal", "saga", "class", *FACES})
_SYMBOL = re.compile(r"\{([^{}]+)\}")
KEYS = frozenset(
    [
        "name",
        "mana_cost",
        "type",
        "pt",
        "power",
        "toughness",
        "loyalty",
        "defense",
        "color_indicator",
        "abilities",
        "layout",
        "back",
        "right",
        "adventure",
        "flip",
    ]
)

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc]
    """Only ``yes``, ``no``, ``true`` and ``false`` are booleans: ``on`` is a word of the vocabulary."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in pairs if tag != "tag:yaml.org,2002:bool"]
    for first, pairs in _Base.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:yes|no|true|false)$"), list("yntf"))


def slug(name: str) -> str:
    """The file name of a card: of its front face, in small letters, joined by hyphens.

    >>> slug("Lim-Dûl's Vault"), slug("Fire // Ice")
    ('lim-duls-vault', 'fire')
    """
    front = name.split(" // ")[0]
    plain = unicodedata.normalize("NFKD", front).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower().replace("'", "")).strip("-")


def type_line(text: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Supertypes, card types and subtypes of a type line (CR 205).

    >>> type_line("Legendary Artifact Creature — Time Lord Doctor")
    (('Legendary',), ('Artifact', 'Creature'), ('Time Lord', 'Doctor'))
    """
    front, _, behind = text.partition("—")
    words = front.split()
    rest = behind.strip().replace("Time Lord", "Time_Lord").replace("Urza’s", "Urza's")
    subtypes = tuple(word.replace("_", " ") for word in rest.split())
    return (
        tuple(word for word in words if word in _SUPERTYPES),
        tuple(word for word in words if word not in _SUPERTYPES),
        subtypes,
    )


def _folder() -> Any:
    return resources.files("judgecall.oracle.cards") / "definitions"


def document(name: str) -> Mapping[str, Any] | None:
    """The YAML of the card with that name (of its front face, or whole), or None if there is none."""
    path = _folder() / f"{slug(name)}.yaml"
    if not path.is_file():
        return None
    found: Mapping[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)
    return found


def read(name: str) -> CardDefinition | None:
    """The definition of the card with that name (of its front face, or whole), or None if there is none.

    Raises:
        DefinitionError: the definition is not in the vocabulary.
    """
    raw = document(name)
    if raw is None:
        return None
    definition = parse_card(raw, f"{slug(name)}.yaml")
    first = next(iter(definition.values.faces.values())).name
    if name not in (definition.name, definition.full_name, first):
        return None
    return definition


@cache
def load(name: str) -> CardDefinition | None:
    """The same as `read`, but each definition is read once only."""
    return read(name)


def back_face(name: str) -> FaceValues | None:
    """The back face with that name of a double-faced card, or None if no card that is defined has it."""
    front = _fronts().get(name)
    definition = load(front) if front is not None else None
    return definition.values.faces["back"] if definition is not None else None


@cache
def _fronts() -> Mapping[str, str]:
    """The names of front faces by those of the back faces."""
    found: dict[str, str] = {}
    for path in _folder().iterdir():
        match = _BACK.search(path.read_text(encoding="utf-8")) if path.name.endswith(".yaml") else None
        if match is not None:
            front, back = (str(yaml.load(text, Loader=_Loader)["name"]) for text in match.groups())
            found[back] = front
    return found


_BACK = re.compile(r"\A(name: .+)$(?:.|\n)*^back:\n  (name: .+)$", re.MULTILINE)


def names() -> Iterator[str]:
    """The names of all cards that are defined, front faces, sorted."""
    for path in sorted(_folder().iterdir(), key=lambda entry: entry.name):
        if path.name.endswith(".yaml"):
            with path.open(encoding="utf-8") as file:
                first = file.readline()
            yield str(yaml.load(first, Loader=_Loader)["name"])


def parse_card(raw: Mapping[str, Any], where: str = "") -> CardDefinition:
    """A definition from its YAML.

    Raises:
        DefinitionError: with the place and the word that is not known.
    """
    read_vocabulary()
    try:
        return _parse_card(raw)
    except (DefinitionError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DefinitionError(f"{where}: {error}") from error


def _parse_card(raw: Mapping[str, Any]) -> CardDefinition:
    unknown = set(raw) - KEYS
    if unknown:
        raise DefinitionError(f"a card has no {sorted(unknown)[0]!r}")
    layout = str(raw.get("layout", "normal"))
    front = _face(raw)
    faces = {"front": front}
    whole = front
    full_name = front.name
    if layout in FACES:
        key = FACES[layout]
        other = _face(raw[key])
        full_name = f"{front.name} // {other.name}"
        if layout in ("transform", "meld"):
            other = _replaced(other, mana_value=value_of(front))  # CR 202.3b
        if layout == "split":
            faces = {"left": front, "right": other}
            whole = _combined(front, other)
            faces["fused"] = whole
        elif layout == "flip":
            front = whole = _replaced(front, flipped=_replaced(other, mana_cost=front.mana_cost))  # CR 710.1c
            faces = {"front": front}
        else:
            faces[key] = other
    elif layout not in LAYOUTS:
        raise DefinitionError(f"no layout {layout!r}")
    values = CopiableValues(layout, MappingProxyType(faces), whole)
    return CardDefinition(whole.name if layout == "split" else front.name, values, _identity(raw), full_name)


def _replaced(values: FaceValues, **changes: Any) -> FaceValues:
    from judgecall.oracle.objects import replaced

    return replaced(values, **changes)


def _combined(left: FaceValues, right: FaceValues) -> FaceValues:
    """A split card where no half is chosen (CR 709.4b–d)."""
    cost = (*(left.mana_cost or ()), *(right.mana_cost or ()))
    return FaceValues(
        name=f"{left.name} // {right.name}",
        mana_cost=cost,
        types=tuple(dict.fromkeys((*left.types, *right.types))),
        subtypes=tuple(dict.fromkeys((*left.subtypes, *right.subtypes))),
        supertypes=tuple(dict.fromkeys((*left.supertypes, *right.supertypes))),
        abilities=(*left.abilities, *right.abilities),
        indicator=left.indicator | right.indicator,
    )


def _face(raw: Mapping[str, Any]) -> FaceValues:
    supertypes, types, subtypes = type_line(str(raw["type"]))
    cost = raw.get("mana_cost")
    power, toughness = _power_toughness(raw)
    return FaceValues(
        name=str(raw["name"]),
        mana_cost=symbols_of(str(cost)) if cost is not None else None,
        indicator=frozenset(parse_value("words", raw.get("color_indicator")) or ()),
        supertypes=supertypes,
        types=types,
        subtypes=subtypes,
        abilities=_abilities(raw.get("abilities") or []),
        power=power,
        toughness=toughness,
        loyalty=raw.get("loyalty"),
        defense=raw.get("defense"),
    )


def _power_toughness(raw: Mapping[str, Any]) -> tuple[int | None, int | None]:
    if "pt" in raw:
        one, _, two = str(raw["pt"]).partition("/")
        return int(one), int(two)
    return raw.get("power"), raw.get("toughness")


def _abilities(listed: list[Any]) -> tuple[Ability, ...]:
    made: list[Ability] = []
    activated = 0
    for number, item in enumerate(listed, 1):
        ability = parse_ability(item, number)
        for part in ability.all_parts:
            if isinstance(part, Activated):
                activated += 1
                object.__setattr__(part, "number", activated)
        made.append(ability)
    return tuple(made)


def _identity(raw: Mapping[str, Any]) -> frozenset[str]:
    """CR 903.4: colors of mana symbols in costs and rules text, and color indicators, of both faces."""
    found: set[str] = set()

    def scan(value: Any) -> None:
        if isinstance(value, str):
            for symbol in _SYMBOL.findall(value):
                found.update(COLOR_OF[part] for part in symbol.split("/") if part in COLOR_OF)
        elif isinstance(value, Mapping):
            for key, inner in value.items():
                if key in ("color_indicator",):
                    found.update(parse_value("words", inner))
                elif key not in ("name",):
                    scan(inner)
                if isinstance(key, str):
                    scan(key)
        elif isinstance(value, (list, tuple)):
            for inner in value:
                scan(inner)

    scan(raw)
    for face in (raw, *(raw[key] for key in FACES.values() if key in raw)):
        for ability in face.get("abilities") or ():
            if isinstance(ability, Mapping) and ability.get("cda"):
                found |= _defined_colors(ability["static"])
    return frozenset(found)


def _defined_colors(static: Any) -> set[str]:
    """Colors that a characteristic-defining ability gives (CR 903.4)."""
    found: set[str] = set()
    for item in static if isinstance(static, list) else [static]:
        changes = item.get("change", [])
        for change in changes if isinstance(changes, list) else [changes]:
            words = parse_value("words", change.get("colors", ()))
            found |= set(COLORS) if words == ("all",) else set(words) & set(COLORS)
    return found
