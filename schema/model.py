"""What a case file says, as immutable typed data: the loader's output and the harness's input.

The words and their meaning are those of the case format (``schema/README.md``). Nothing here knows an engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

__all__ = [
    "EMPTY",
    "PLAYERS",
    "STARTING_STEPS",
    "STEPS",
    "VERBS",
    "ZONES",
    "Answer",
    "Case",
    "Expectation",
    "Expectations",
    "Given",
    "ObjectGiven",
    "PlayerGiven",
    "Position",
    "Probe",
    "Ruling",
    "Source",
    "Step",
    "Value",
]

Value: TypeAlias = "str | int | bool | tuple[Value, ...] | Mapping[str, Value] | None"
"""A YAML value, frozen: lists are tuples, mappings are read-only."""

EMPTY: Mapping[str, Value] = MappingProxyType({})

PLAYERS = ("alice", "bob", "carol", "dave")
ZONES = ("hand", "battlefield", "graveyard", "library", "exile", "command")
STEPS = (
    "untap",
    "upkeep",
    "draw",
    "precombat main",
    "beginning of combat",
    "declare attackers",
    "declare blockers",
    "combat damage",
    "end of combat",
    "postcombat main",
    "end",
    "cleanup",
)
STARTING_STEPS = (
    "upkeep",
    "draw",
    "precombat main",
    "beginning of combat",
    "end of combat",
    "postcombat main",
    "end",
)
VERBS = (
    "cast",
    "activate",
    "play",
    "turn face up",
    "attack",
    "block",
    "resolve",
    "pass",
    "advance",
    "concede",
    "check",
)


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a case file: one-based line and column."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Source:
    """A published entry that states the ruling; ``digest`` is made by `judgecall.schema.digest`."""

    card: str
    publisher: str
    date: str
    language: str
    digest: str


@dataclass(frozen=True, slots=True)
class ObjectGiven:
    """An object at the start. ``handle`` is unique in the case, counted per zone: ``alice.hand.0``."""

    handle: str
    card: str
    """The card's English Oracle name, or for ``token_name`` the empty string."""
    token_name: str | None = None
    """``{token: Treasure}``: the name of a predefined token (CR 111.10)."""
    alias: str | None = None
    tapped: bool = False
    counters: Mapping[str, int] | None = None
    """None where the case lists none: a planeswalker, battle or Saga then has what it would enter with."""
    damage: int = 0
    face_down: str | None = None
    face: str = "front"
    attached_to: str | None = None
    """As written: a name, alias or player; ``attached_handle`` is what it resolves to."""
    attached_handle: str | None = None
    """The handle of the object, or the player's name, that this is attached to."""
    summoning_sick: bool = False
    controller: str | None = None
    """Only where it is not the player whose battlefield lists it: then the listing player owns it."""
    commander: bool = False
    copy_of: str | None = None
    token: bool = False
    protector: str | None = None
    chosen: Mapping[str, Value] = field(default_factory=lambda: EMPTY)
    order: int | None = None
    """Place in the order listed (alice's first, her zones as the file lists them), which ``Island#2`` and
    timestamps follow; None for what no ``#n`` counts: a default library, a deck."""
    position: Position | None = None


@dataclass(frozen=True, slots=True)
class PlayerGiven:
    """One player's part of the starting state; zones as listed, ``library`` with its default filled in."""

    name: str
    life: int = 20
    hand: tuple[ObjectGiven, ...] = ()
    battlefield: tuple[ObjectGiven, ...] = ()
    graveyard: tuple[ObjectGiven, ...] = ()
    library: tuple[ObjectGiven, ...] = ()
    """First is the top. Where none is listed: ten Plains with handles ``alice.library.default.0`` and on."""
    exile: tuple[ObjectGiven, ...] = ()
    command: tuple[ObjectGiven, ...] = ()
    deck: tuple[ObjectGiven, ...] = ()
    counters: Mapping[str, int] = field(default_factory=dict)
    mana: str = ""
    """Floating mana as symbols: ``{U}{U}``."""
    lands_played: int = 0


@dataclass(frozen=True, slots=True)
class Given:
    """The starting state with every default filled in. ``players`` is in turn order, first alice."""

    players: tuple[PlayerGiven, ...]
    active: str = "alice"
    step: str = "precombat main"
    turn: int = 1
    format: str | None = None
    day_night: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An entry of ``choices``. ``kind`` is the answering word (``may``, ``pick``, …), ``value`` as written.

    ``cast`` answers keep the verb's further keys in ``args``.
    """

    kind: str
    value: Value
    by: str | None = None
    options: tuple[Value, ...] | None = None
    excluded: tuple[Value, ...] | None = None
    """What ``not:`` lists: must not be on offer."""
    args: Mapping[str, Value] = field(default_factory=lambda: EMPTY)
    position: Position | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A step of ``when``, or the action inside a probe.

    ``subject`` is the verb's value, ``args`` the other keys save ``by`` and ``choices``. For ``check``,
    ``expect`` holds the expectations and ``subject`` is None.

    Where the format lets one thing be written in several ways, there is one here: ``using`` (words, and
    mappings of a word to its cost) and ``modes`` are tuples, ``targets`` is a tuple of references or of
    tuples of them, ``kicked`` is a number or a mapping of a cost to a number, ``paying`` is a text of mana
    symbols or a tuple of sources, ``attack`` a tuple or a mapping.
    """

    verb: str
    subject: Value
    by: str | None = None
    args: Mapping[str, Value] = field(default_factory=lambda: EMPTY)
    choices: tuple[Answer, ...] = ()
    expect: Expectations | None = None
    position: Position | None = None


@dataclass(frozen=True, slots=True)
class Probe:
    """An entry of ``legal`` or ``illegal``."""

    step: Step
    legal: bool
    because: str | None = None
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Expectation:
    """What must be true of one subject. ``kind``: ``object``, ``player``, ``stack`` or ``game``.

    ``subject`` is the reference as written. ``facts`` has the keys as written; for ``stack`` it is
    ``{"stack": (…)}``.
    """

    kind: str
    subject: str
    facts: Mapping[str, Value]
    position: Position | None = None


@dataclass(frozen=True, slots=True)
class Expectations:
    """The whole of a ``then`` or ``check``."""

    subjects: tuple[Expectation, ...] = ()
    probes: tuple[Probe, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One case. Its id is ``RULING::NAME``."""

    ruling: str
    name: str
    title: str
    given: Given
    when: tuple[Step, ...]
    then: Expectations
    rules: tuple[str, ...] = ()
    """The ruling's ``rules``."""
    status: str | None = None
    why: str | None = None
    since: str | None = None
    long: bool = False
    holds_before: str | None = None
    path: str = ""
    """The file, as it was given to the loader."""
    mentions: tuple[str, ...] = ()
    """The names of cards, tokens and copies that the case declares or refers to, aliases left out."""
    position: Position | None = None

    @property
    def id(self) -> str:
        """``RULING::NAME``."""
        return f"{self.ruling}::{self.name}"


@dataclass(frozen=True, slots=True)
class Ruling:
    """One case file: one ruling and its cases."""

    id: str
    summary: Mapping[str, str]
    rules: tuple[str, ...]
    sources: tuple[Source, ...]
    cases: tuple[Case, ...]
    path: str = ""
    not_acting: Mapping[str, str] = field(default_factory=dict)
    """Those of ``rules`` by which nothing in its cases acts, each with why."""
