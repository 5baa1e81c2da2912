"""What a card definition is once it is read: abilities in the vocabulary, as immutable data (CR 113)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from judgecall.oracle.characteristics import CopiableValues, FaceValues

__all__ = [
    "Ability",
    "Activated",
    "AdditionalCost",
    "AlternativeCost",
    "Body",
    "CardDefinition",
    "Cost",
    "Enters",
    "Filter",
    "Modes",
    "Node",
    "OtherValues",
    "Replacement",
    "SpellAbility",
    "Static",
    "TargetSpec",
    "Triggered",
]


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A word of the vocabulary with its parameters; what it means is in the module that registers the word."""

    word: str
    args: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"{self.word}({', '.join(f'{k}={v!r}' for k, v in self.args.items())})"


@dataclass(frozen=True, slots=True, eq=False)
class Filter:
    """A description of objects: every test holds. ``zone`` is where it looks (CR 109.2)."""

    tests: tuple[tuple[str, Any], ...]
    zone: str | None = None

    def __repr__(self) -> str:
        return f"Filter{self.tests!r}"


@dataclass(frozen=True, slots=True, eq=False)
class Cost:
    """A cost (CR 118): mana symbols, and other things to pay, each a word. ``mana`` None: no mana part."""

    mana: tuple[str, ...] | None = None
    parts: tuple[Node, ...] = ()
    unpayable: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class TargetSpec:
    """One use of the word "target" (CR 115): what may be chosen, and how many."""

    filter: Filter | None
    players: Node | None = None
    minimum: Any = 1
    maximum: Any = 1
    other_than: int | None = None
    condition: Node | None = None
    each: Node | None = None
    """One such group for each of these players (CR 601.2c)."""
    divide: Any = None
    total: Node | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Modes:
    """A choice of modes (CR 700.2)."""

    bodies: tuple[Body, ...]
    minimum: Any = 1
    maximum: Any = 1
    repeat: bool = False
    costs: tuple[Cost | None, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """What a spell or ability does: targets, modes, instructions in order."""

    effects: tuple[Node, ...] = ()
    targets: tuple[TargetSpec, ...] = ()
    modes: Modes | None = None
    parts: tuple[Body, ...] = ()
    """Further texts with targets of their own, one after another: halves of a fused spell, spliced text."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ability:
    """An ability (CR 113). ``zones``: where it functions (CR 113.6)."""

    zones: frozenset[str] = frozenset({"battlefield"})
    number: int = 0
    keyword: str | None = None
    """The keyword that this is an instance of; ``value`` is its parameter."""
    value: Any = None
    parts: tuple[Ability, ...] = ()
    """What the keyword stands for, said in other abilities."""
    label: str = ""
    rules: tuple[str, ...] = ()
    """The rules of the keyword that it is or is part of: cited where it acts."""
    all_parts: tuple[Ability, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        found: list[Ability] = [self]
        for part in self.parts:
            found.extend(part.all_parts)
        object.__setattr__(self, "all_parts", tuple(found))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SpellAbility(Ability):
    """The instructions of an instant or sorcery (CR 113.3a)."""

    body: Body = field(default_factory=Body)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Activated(Ability):
    """An activated ability (CR 602)."""

    cost: Cost = field(default_factory=Cost)
    body: Body = field(default_factory=Body)
    timing: str = "instant"
    condition: Node | None = None
    limit: int | None = None
    """How often a turn."""
    once: bool = False
    """Only once, ever (exhaust)."""
    loyalty: bool = False
    mana: bool = False
    """A mana ability (CR 605.1a)."""
    anyone: bool = False
    reductions: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Triggered(Ability):
    """A triggered ability (CR 603). ``condition`` is an intervening "if" (CR 603.4)."""

    trigger: Node
    body: Body = field(default_factory=Body)
    condition: Node | None = None
    limit: int | None = None
    mana: bool = False
    optional: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Static(Ability):
    """A static ability (CR 604): continuous effects, or words that change the rules. ``cda``: CR 604.3."""

    effects: tuple[Node, ...] = ()
    condition: Node | None = None
    cda: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Replacement(Ability):
    """A replacement or prevention effect (CR 614, 615): which event, and what happens instead."""

    event: Node
    instead: tuple[Node, ...] = ()
    condition: Node | None = None
    optional: bool = False
    once: bool = False
    class_: str = "other"
    """Of ``self``, ``control``, ``copy``, ``face``, ``other``: the order of CR 616.1a–e."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Enters(Ability):
    """How a permanent enters, or what happens as it enters or is turned face up (CR 614.1c–e, 614.12)."""

    affects: Filter | None = None
    """None: the object itself."""
    tapped: Any = None
    counters: Mapping[str, Any] = field(default_factory=dict)
    copy: Node | None = None
    effects: tuple[Node, ...] = ()
    """Done as it enters, before it is there."""
    condition: Node | None = None
    on: frozenset[str] = frozenset({"enter"})
    """``enter``, ``turn face up``, ``transform``."""
    optional: bool = False
    transformed: bool = False
    once: bool = False
    """Used up by the first event in which something fits."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AlternativeCost(Ability):
    """Another cost for casting the card, and perhaps a zone that it may then be cast from (CR 118.9)."""

    name: str
    cost: Cost | None = None
    """None: the mana cost of the resulting spell; see ``free``."""
    free: bool = False
    from_zones: frozenset[str] = frozenset()
    """Where it may be cast from for this cost; empty: from wherever it may be cast anyway."""
    condition: Node | None = None
    only: Filter | None = None
    """What the resulting spell must be."""
    face: str | None = None
    face_down: str | None = None
    follow: tuple[Ability, ...] = ()
    """What applies to the spell once it is cast so."""
    entered: tuple[Node, ...] = ()
    """What is done with the permanent that the spell becomes, whatever abilities that has."""
    timing: str | None = None
    x_allowed: bool = True
    reduction: Any = None
    rule: str = "118.9"
    values: Any = None
    """A change of what the spell is (bestow)."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OtherValues(Ability):
    """Characteristics that the spell may be cast with in place of its own; its mana cost is one (CR 718.3)."""

    name: str
    values: Any
    """A change of the spell's copiable values."""
    rule: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AdditionalCost(Ability):
    """A further cost for casting the card (CR 118.8)."""

    name: str
    cost: Cost
    optional: bool = True
    repeatable: bool = False
    from_zones: frozenset[str] = frozenset()
    """Where paying it lets the card be cast from (jump-start, retrace)."""
    only: Filter | None = None
    follow: tuple[Ability, ...] = ()
    per: str | None = None
    """``target`` or ``mode``: it is paid for each of these beyond the first."""
    rule: str = "118.8"


@dataclass(frozen=True, slots=True, eq=False)
class CardDefinition:
    """A card as the vocabulary states it."""

    name: str
    """The front face's name, or both names of a split card joined by `` // ``."""
    values: CopiableValues
    identity: frozenset[str]
    full_name: str

    @property
    def front(self) -> FaceValues:
        """The face that counts where none is chosen."""
        return self.values.whole
