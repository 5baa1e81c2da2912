"""The state of a game as plain data, and the journal through which alone it is written.

Nothing here knows a rule. Every write names a thing, a slot and a value, and is remembered, so that a trial
(a legality question, a look ahead) can be undone without copying the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from judgecall.oracle.agents import Agent
    from judgecall.oracle.characteristics import Characteristics, CopiableValues, FaceValues
    from judgecall.oracle.definitions import Ability, Body, CardDefinition, Filter, Node
    from judgecall.oracle.trace import Trace

__all__ = [
    "NOTHING",
    "Card",
    "FloatingEffect",
    "Game",
    "ManaUnit",
    "Object",
    "Player",
    "Removed",
    "Rider",
    "Stamp",
    "Thing",
]

NOTHING: Mapping[Any, Any] = MappingProxyType({})
Stamp = int
Mark = tuple[int, dict[str, Any], tuple[int, tuple[str, ...], int]]

# Slots of procedure that no characteristic and no filter reads: writing them leaves the caches standing.
_PROCEDURAL = frozenset({"priority", "passed", "targets", "waiting", "random", "fresh"})


# Slots that characteristics are made of where no continuous effect is about.
_SHAPING = frozenset(
    [
        "battlefield",
        "stack",
        "exile",
        "command",
        "hand",
        "library",
        "graveyard",
        "effects",
        "face",
        "face_down",
        "face_down_values",
        "counters",
        "holder",
        "controller",
        "attached_to",
        "phased_out",
        "stamp",
        "copied",
        "card",
        "cast",
        "gone",
        "zone",
        "left",
        "kind",
    ]
)


class Thing:
    """Something whose slots are written through `Game.write` only."""

    __slots__ = ()


class Card(Thing):
    """A physical card (CR 108): it stays one thing while the objects that it is come and go (CR 400.7)."""

    __slots__ = ("commander", "definition", "handle", "now", "owner")

    def __init__(self, definition: CardDefinition, owner: Player, handle: str) -> None:
        self.definition = definition
        self.owner = owner
        self.handle = handle
        self.commander = False
        self.now: Object | None = None


class Object(Thing):
    """An object (CR 109.1). One that changes zones stays as it last was, its `gone` set, and a new one appears."""

    __slots__ = (
        "ability",
        "attached_to",
        "attacking",
        "became",
        "blocked",
        "blocking",
        "card",
        "cast",
        "chosen",
        "combat_order",
        "context",
        "control_stamp",
        "controller",
        "copied",
        "counters",
        "damage",
        "deathtouched",
        "doomed",
        "face",
        "face_down",
        "face_down_values",
        "flags",
        "gone",
        "holder",
        "id",
        "kind",
        "linked",
        "lki",
        "notes",
        "owner",
        "phased_out",
        "revealed_to",
        "source",
        "stamp",
        "tapped",
        "targets",
        "transformed",
        "visible_to",
        "was",
        "zone",
    )

    def __init__(self, id: int, kind: str, owner: Player, zone: str, stamp: Stamp) -> None:
        self.id = id
        self.kind = kind  # card, token, copy, ability, emblem
        self.owner = owner
        self.controller: Player = owner
        self.holder: Player = owner  # its controller before layer 2 (CR 110.2)
        self.zone = zone
        self.stamp = stamp  # CR 613.7d
        self.control_stamp: Stamp = stamp  # since when its controller has controlled it (CR 302.6)
        self.card: Card | None = None
        self.copied: CopiableValues | None = None  # what a token or a copy is, in place of a card
        self.face = "front"  # of a split card or spell: left, right, fused, adventure
        self.face_down: str | None = None  # what made it face down
        self.face_down_values: FaceValues | None = None
        self.tapped = False
        self.counters: Mapping[str, tuple[int, Stamp]] = NOTHING
        self.damage = 0
        self.deathtouched = False
        self.doomed = False
        self.attached_to: Object | Player | None = None
        self.attacking: Object | Player | Removed | None = None
        self.blocked = False
        self.blocking: tuple[Object, ...] = ()
        self.combat_order = 0
        self.cast: Mapping[str, Any] = NOTHING  # how it was cast, kept by the permanent it becomes (CR 400.7d)
        self.chosen: Mapping[str, Any] = NOTHING  # what was chosen for it (CR 607.2d)
        self.linked: Mapping[str, tuple[Any, ...]] = NOTHING  # objects exiled with it and the like (CR 607)
        self.flags: Mapping[str, Any] = NOTHING  # designations (CR 700.9 and the like): renowned, monstrous, goaded…
        self.notes: Mapping[str, Any] = NOTHING  # what was counted of it this turn
        self.ability: Ability | None = None
        self.source: Object | None = None
        self.context: Mapping[str, Any] = NOTHING
        self.targets: tuple[tuple[Any, ...], ...] = ()
        self.transformed = 0  # the stamp of the last time it transformed or converted (CR 701.27f)
        self.visible_to: frozenset[str] = frozenset()
        self.revealed_to: frozenset[str] = frozenset()
        self.phased_out = False
        self.gone = False
        self.lki: Characteristics | None = None
        self.was: Object | None = None
        self.became: Object | None = None

    def __repr__(self) -> str:
        name = self.card.definition.name if self.card else self.kind
        return f"<{name} #{self.id} {self.zone}{' gone' if self.gone else ''}>"


@dataclass(frozen=True, slots=True, eq=False)
class Removed:
    """What is attacked in place of a planeswalker or battle that was removed from combat: nothing (CR 506.4c)."""

    defending: Player | None
    """Who was the defending player as it was removed (CR 508.5)."""
    planeswalker: bool = False
    """Whether it was a planeswalker, and no battle (CR 702.19e)."""


@dataclass(frozen=True, slots=True)
class Rider:
    """What mana does for a spell that it is spent on (CR 106.6): effects on it, or a delayed triggered ability."""

    on: Filter
    gives: tuple[Node, ...] = ()
    when: Body | None = None


@dataclass(frozen=True, slots=True)
class ManaUnit:
    """One mana in a pool (CR 106.4): its type, what it may be spent on, whether it is snow, and what made it."""

    symbol: str
    only: Any = None
    snow: bool = False
    source: int = 0
    keeps: str = ""
    """Until when it is not lost as steps and phases end (CR 500.5): ``end of turn`` or ``end of combat``."""
    rider: Rider | None = None
    maker: Object | None = field(default=None, compare=False)
    """What ``only`` is said by: a type that was chosen was chosen for it (CR 607.2d)."""


class Player(Thing):
    """A player (CR 102)."""

    __slots__ = (
        "commander_casts",
        "commander_damage",
        "controlled_by",
        "counters",
        "drawn",
        "drew_from_empty",
        "exile",
        "flags",
        "graveyard",
        "hand",
        "lands_played",
        "left",
        "library",
        "life",
        "lost",
        "mana",
        "name",
        "notes",
        "seat",
        "starting_life",
        "won",
    )

    def __init__(self, name: str, seat: int) -> None:
        self.name = name
        self.seat = seat
        self.life = 20
        self.starting_life = 20
        self.counters: Mapping[str, int] = NOTHING
        self.hand: tuple[Object, ...] = ()
        self.library: tuple[Object, ...] = ()  # first is the top
        self.graveyard: tuple[Object, ...] = ()  # last is the top
        self.mana: tuple[ManaUnit, ...] = ()
        self.lands_played = 0
        self.drawn = 0
        self.drew_from_empty = False
        self.lost = False
        self.won = False
        self.left = False
        self.controlled_by: Player | None = None
        self.commander_casts: Mapping[int, int] = NOTHING
        self.commander_damage: Mapping[int, int] = NOTHING
        self.notes: Mapping[str, Any] = NOTHING
        self.flags: Mapping[str, Any] = NOTHING

    def __repr__(self) -> str:
        return f"<{self.name}>"

    @property
    def library_cards(self) -> tuple[Object, ...]:
        """The cards of the library, top first: a token that is there is none, and stays there (CR 111.8)."""
        return tuple(obj for obj in self.library if obj.kind != "token")


@dataclass(frozen=True, slots=True, eq=False)
class FloatingEffect:
    """A continuous, replacement or delayed-trigger effect that a resolution made (CR 611.2, 614, 603.7).

    ``ability`` is what it does, in the vocabulary; ``affected`` the set it locked in (None: by its filter, CR
    611.2c); ``ends`` when it ends, as a duration word; ``until`` what that word refers to (a player, an object).
    """

    ability: Any
    controller: Player
    source: Object | None
    stamp: Stamp
    ends: str
    affected: tuple[Any, ...] | None = None
    until: Any = None
    context: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    turn: int = 0


_T = TypeVar("_T", bound=Thing)


class Game(Thing):
    """A game: players, zones, the turn, and the effects that are about."""

    __slots__ = (
        "active",
        "agent",
        "battlefield",
        "cache",
        "cards",
        "command",
        "counter",
        "day_night",
        "effects",
        "exile",
        "extra_steps",
        "extra_turns",
        "format",
        "fresh",
        "history",
        "journal",
        "known_cards",
        "objects",
        "over",
        "passed",
        "pays_last",
        "phase_queue",
        "players",
        "priority",
        "random",
        "seed",
        "shared",
        "stack",
        "step",
        "templates",
        "trace",
        "turn",
        "turn_order",
        "version",
        "waiting",
        "winner",
    )

    def __init__(self, players: tuple[Player, ...], agent: Agent, trace: Trace) -> None:
        self.players = players
        self.agent = agent
        self.trace = trace
        self.journal: list[tuple[Thing, str, Any]] = []
        self.version = 0
        self.cache: dict[str, Any] = {}
        self.templates: dict[int, Any] = {}  # characteristics before any effect, checked before each use
        self.shared: dict[str, Any] = {}  # what never changes while this game is played: loaded definitions
        self.counter = 0
        self.objects: dict[int, Object] = {}
        self.battlefield: tuple[Object, ...] = ()
        self.stack: tuple[Object, ...] = ()  # last is the top
        self.exile: tuple[Object, ...] = ()
        self.command: tuple[Object, ...] = ()
        self.effects: tuple[FloatingEffect, ...] = ()
        self.waiting: tuple[Any, ...] = ()  # triggers that have triggered and wait for a player to get priority
        self.active: Player = players[0]
        self.priority: Player | None = None
        self.passed: frozenset[str] = frozenset()
        self.step = "precombat main"
        self.turn = 1
        self.turn_order = tuple(players)
        self.extra_turns: tuple[Any, ...] = ()
        self.extra_steps: tuple[Any, ...] = ()
        self.phase_queue: tuple[Any, ...] = ()
        self.day_night: str | None = None
        self.format: str | None = None
        self.history: Mapping[str, Any] = NOTHING  # what the rules may ask about this turn and the last
        self.over = False
        self.winner: Player | None = None
        self.random = 0
        self.seed = 0
        self.fresh: Mapping[str, Any] = NOTHING
        self.pays_last = False  # of all legal ways to pay a cost with mana the last is taken, not the first
        self.cards: dict[str, Card] = {}
        self.known_cards: Any = None

    # -- writing ---------------------------------------------------------------------------------------------

    def write(self, thing: Thing, slot: str, value: Any) -> None:
        """Give ``thing.slot`` a value, remembering the old one."""
        old = getattr(thing, slot)
        if old is value:
            return
        self.journal.append((thing, slot, old))
        setattr(thing, slot, value)
        if slot not in _PROCEDURAL:
            self.version += 1
            if self.cache:
                self.drop(slot)

    def drop(self, slot: str) -> None:
        """Drop what was computed from a slot. A table without effects reads few slots, and outlives other writes."""
        old = self.cache
        if "plain" in old and slot not in _SHAPING:
            self.cache = {key: old[key] for key in ("table", "elsewhere", "plain", "away")}
            rules = old.get("rules")
            if rules is not None and not rules:
                self.cache["rules"] = rules
        else:
            self.cache = {}

    def stamp(self) -> Stamp:
        """The next timestamp or id: one counter, never used again (CR 613.7)."""
        self.journal.append((self, "counter", self.counter))
        self.counter += 1
        return self.counter

    def new_object(self, kind: str, owner: Player, zone: str) -> Object:
        """A new object with an id and a timestamp, in no zone's list yet."""
        number = self.stamp()
        made = Object(number, kind, owner, zone, number)
        self.objects[number] = made
        self.journal.append((self, "objects", number))
        return made

    def mark(self) -> Mark:
        """The present moment, for `undo`."""
        return len(self.journal), self.cache, self.trace.mark()

    def undo(self, mark: Mark) -> None:
        """Put everything back as it was at ``mark``, the trace included."""
        length, _, lines = mark
        self.trace.cut(lines)
        journal = self.journal
        if len(journal) == length:
            return
        while len(journal) > length:
            thing, slot, old = journal.pop()
            if slot == "objects":
                del self.objects[old]
            else:
                setattr(thing, slot, old)
        self.cache = {}  # ids are used again from here: what was computed of later objects must not be found

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Whatever happens inside leaves no mark on state, trace or random source."""
        mark = self.mark()
        # A trial works on its own copy of the caches: what it computes must not outlive it.
        self.cache = {key: dict(value) if key in ("table", "elsewhere") else value for key, value in self.cache.items()}
        try:
            yield
        finally:
            self.undo(mark)
            self.cache = mark[1]

    # -- reading ---------------------------------------------------------------------------------------------

    def player(self, name: str) -> Player:
        """The player of that name. Raises KeyError."""
        for player in self.players:
            if player.name == name:
                return player
        raise KeyError(name)

    def in_game(self) -> tuple[Player, ...]:
        """The players who have not left the game, in turn order."""
        return tuple(player for player in self.players if not player.left)

    def apnap(self) -> tuple[Player, ...]:
        """The players in APNAP order (CR 101.4): the active player, then each in turn order."""
        seats = self.players
        start = self.active.seat
        order = seats[start:] + seats[:start]
        return tuple(player for player in order if not player.left)

    def opponents(self, player: Player) -> tuple[Player, ...]:
        """A player's opponents, in turn order from that player (CR 102.2)."""
        seats = self.players
        order = seats[player.seat :] + seats[: player.seat]
        return tuple(other for other in order if other is not player and not other.left)

    def zone(self, name: str, owner: Player) -> tuple[Object, ...]:
        """The objects of a zone; of a shared zone all of them, whoever owns them."""
        if name in ("hand", "library", "graveyard"):
            found: tuple[Object, ...] = getattr(owner, name)
        else:
            found = getattr(self, name)
        return found
