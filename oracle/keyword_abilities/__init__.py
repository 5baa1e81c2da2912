"""Keyword abilities (CR 702): each name, and the abilities that it stands for, said in the vocabulary.

A keyword that the rules themselves look at (flying, trample …) stands for nothing else and is in `plain`. The others
are built in the modules beside, by what they are: ways of casting, costs, triggered and activated abilities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from judgecall.oracle.definitions import Ability, Filter, Static
from judgecall.oracle.vocabulary.words import cited

if TYPE_CHECKING:
    from judgecall.oracle.characteristics import Characteristics
    from judgecall.oracle.vocabulary.context import Context

__all__ = ["CASTING_WORDS", "builders", "known", "leaves_to", "make", "register", "rule_of", "settled"]

Builder = Callable[[str, Any], Ability]
_BUILDERS: dict[str, Builder] = {}

# Words of ``using`` that name a way of casting even where no card at hand has it.
CASTING_WORDS = frozenset(
    [
        "flashback",
        "morph",
        "megamorph",
        "disguise",
        "overload",
        "escape",
        "evoke",
        "dash",
        "blitz",
        "emerge",
        "disturb",
        "bestow",
        "prototype",
        "spectacle",
        "surge",
        "madness",
        "miracle",
        "suspend",
        "plot",
        "foretell",
        "warp",
        "impending",
        "aftermath",
        "harmonize",
        "mayhem",
        "sneak",
        "buyback",
        "jump-start",
        "entwine",
        "retrace",
        "replicate",
        "casualty",
        "bargain",
        "kicker",
        "alternative cost",
        "without paying",
        "cleave",
        "freerunning",
        "prowl",
        "web-slinging",
    ]
)


def register(*names: str) -> Callable[[Builder], Builder]:
    """Register a builder: it gets the keyword's name and its parameter, and gives the ability."""

    def keep(builder: Builder) -> Builder:
        for name in names:
            if name in _BUILDERS:
                raise ValueError(f"keyword {name!r} is there already")
            _BUILDERS[name] = builder
        return builder

    return keep


def builders() -> Iterator[tuple[str, Builder]]:
    """The names of all keyword abilities that are supported, sorted, each with what builds it."""
    _load()
    yield from sorted(_BUILDERS.items())


def known() -> frozenset[str]:
    """The names of all keyword abilities that are supported."""
    _load()
    return frozenset(_BUILDERS)


def rule_of(name: str) -> str | None:
    """The rule that a keyword's builder cites first, if there is such a keyword."""
    _load()
    builder = _BUILDERS.get(name)
    rules = cited(builder.__doc__ or "") if builder is not None else ()
    return rules[0] if rules else None


_loaded = False
_SETTLED: dict[tuple[Ability, str], Ability] = {}


def _load() -> None:
    global _loaded
    if not _loaded:
        _loaded = True
        from judgecall.oracle.keyword_abilities import activated, casting, costs, plain, triggered  # noqa: F401


def make(name: str, value: Any) -> Ability:
    """The ability that a keyword with a parameter is.

    Raises:
        DefinitionError: there is no such keyword, or its parameter is wrong.
    """
    from judgecall.oracle.vocabulary.grammar import DefinitionError, near, told

    _load()
    builder = _BUILDERS.get(name)
    if builder is None:
        raise DefinitionError(f"no keyword ability {name!r}{near(name, _BUILDERS)}")
    told("keyword", name)
    made = builder(name, value)
    rules = cited(builder.__doc__ or "")
    for part in made.all_parts:
        if not part.rules:
            object.__setattr__(part, "rules", rules)
    return made


def settled(ability: Ability, ctx: Context, ch: Characteristics) -> Ability | None:
    """An ability as an effect gives it: "the chosen color" becomes that color. None where no color was chosen."""
    del ch
    if ability.keyword not in ("protection", "hexproof") or not isinstance(ability.value, Filter):
        return ability
    if not any(name == "colors" and "chosen" in value for name, value in ability.value.tests):
        return ability
    from judgecall.oracle import linking

    color = ctx.results.get("color") or linking.chosen(ctx.game, ctx.this, "color")
    if not color:
        return None  # CR 607.5a: no color was chosen for it
    key = (ability, str(color))
    if key not in _SETTLED:
        tests = tuple(
            (
                name,
                tuple(str(color) if word == "chosen" else word for word in value) if name == "colors" else value,
            )
            for name, value in ability.value.tests
        )
        _SETTLED[key] = Static(keyword=ability.keyword, value=Filter(tests), zones=ability.zones)
    return _SETTLED[key]


def leaves_to(zone: str) -> Ability:
    """A spell goes to a zone instead of anywhere else whenever it would leave the stack."""
    from judgecall.oracle.keyword_abilities import casting

    return casting.leaves_to(zone)
