"""The interface between the harness and an engine.

The harness interprets a case; an engine sets up a state, acts, puts the questions that its players must answer,
says whether an action is legal (if it can), and reports what it sees. Everything that crosses is plain data of the
JSON kinds, so the same interface can be spoken over a pipe. Expected values never cross.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from judgecall.schema.model import Given

__all__ = [
    "Action",
    "Activate",
    "Cast",
    "Concede",
    "Decide",
    "Description",
    "Engine",
    "Glance",
    "Illegal",
    "Internal",
    "Json",
    "Legality",
    "ObjectView",
    "Option",
    "Pass",
    "Play",
    "PlayerView",
    "Question",
    "TraceLine",
    "TurnFaceUp",
    "Unsupported",
    "View",
]

Json: TypeAlias = "str | int | bool | Sequence[Json] | Mapping[str, Json] | None"


class Unsupported(Exception):
    """The engine does not know something that the case needs.

    ``kind`` is ``card``, ``token``, ``action``, ``property``, ``question``, ``state`` or ``command``; ``name`` says
    which one.
    """

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(f"{kind}: {name}")
        self.kind = kind
        self.name = name


class Illegal(Exception):
    """A verdict of the rules: the action, or the answer just given, is not allowed. The state is as before it.

    ``rule`` is a number of the Comprehensive Rules, or None where the engine gives no reasons; ``stage`` is
    ``permission``, ``announce``, ``targets``, ``costs`` or None; ``also`` are other rules that forbid it as well.
    """

    def __init__(
        self, message: str, rule: str | None = None, stage: str | None = None, also: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.rule = rule
        self.stage = stage
        self.also = also


class Internal(Exception):
    """The engine failed in itself: crashed, hung, or broke the protocol."""


@dataclass(frozen=True, slots=True)
class Description:
    """What an engine says of itself."""

    name: str
    version: str
    adapter: str = ""
    adapter_version: str = ""
    language: str = ""
    capabilities: frozenset[str] = frozenset()
    """Of ``legality``, ``reasons`` (Illegal carries rule and stage), ``trace``, ``faults``, ``strict``.

    ``strict``: the engine always asks, so that a question left open or an answer never asked for is a mistake in
    the case (``invalid``) and not the engine's (``fail``)."""
    faults: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cast:
    """Cast a spell (CR 601). Objects are ids of the engine's view; ``None`` means that the case does not say."""

    player: str
    object: str
    using: tuple[str | Mapping[str, str], ...] = ()
    """Words as in the case format; an object whose effect permits or prices the spell appears as ``{"object": ID}``,
    and one of several costs of a kind as ``{"flashback": "{3}{G}"}``."""
    face: str | None = None
    x: int | None = None
    modes: tuple[int, ...] | None = None
    targets: tuple[Json, ...] | None = None
    """Ids of objects and names of players, flat, or a tuple of tuples where groups have numbers of their own."""
    kicked: int | Mapping[str, int] | None = None
    costs: Mapping[str, Json] = field(default_factory=dict)
    paying: tuple[str, ...] | str | None = None
    """Ids of mana sources, with mana symbols of what else is spent; or symbols alone; None: any legal payment."""


@dataclass(frozen=True, slots=True)
class Activate:
    """Activate an ability (CR 602). ``ability`` counts the printed activated abilities from 1, or names a keyword."""

    player: str
    object: str
    ability: int | str | None = None
    x: int | None = None
    modes: tuple[int, ...] | None = None
    targets: tuple[Json, ...] | None = None
    costs: Mapping[str, Json] = field(default_factory=dict)
    paying: tuple[str, ...] | str | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """Play a land (CR 305, 116.2a)."""

    player: str
    object: str
    face: str | None = None
    using: tuple[str | Mapping[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class TurnFaceUp:
    """Turn a face-down permanent face up, the special action (CR 116.2b). ``using`` names the cost."""

    player: str
    object: str
    using: str | None = None
    x: int | None = None
    costs: Mapping[str, Json] = field(default_factory=dict)
    paying: tuple[str, ...] | str | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass priority once (CR 117.3d)."""

    player: str


@dataclass(frozen=True, slots=True)
class Concede:
    """Leave the game (CR 104.3a)."""

    player: str


Action: TypeAlias = Cast | Activate | Play | TurnFaceUp | Pass | Concede


@dataclass(frozen=True, slots=True)
class Option:
    """Something that a question offers: an object by id, a player by name, or a word or number as ``value``."""

    value: Json
    name: str = ""
    """What a person would call it; for an ability ``ability of NAME``."""
    source: str | None = None
    """For an ability: the id of the object it is an ability of."""
    most: int | None = None
    """Of a ``divide``: no more than this may be its share."""


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that a player must make.

    ``kind`` is the answering word of the case format (``may``, ``pay``, ``pick``, ``targets``, ``modes``, ``x``,
    ``number``, ``color``, ``type``, ``name``, ``mana``, ``order``, ``surveil``, ``scry``, ``divide``,
    ``replacement``, ``cast``, ``coin``, ``roll``) or, of the declarations in combat, ``attackers`` and ``blockers``.

    What an answer looks like, by kind (ids and player names as in the view):
    ``may``, ``pay``: bool; ``pick``, ``targets``, ``order``: list of option values (targets: flat; ``"same"`` keeps
    a copy's targets); ``modes``: list of numbers; ``x``, ``number``, ``roll``: int; ``color``, ``type``, ``name``,
    ``mana``, ``coin``: str; ``surveil``, ``scry``: mapping of ``top``, ``graveyard``, ``bottom`` to lists;
    ``divide``: mapping of option value to int; ``replacement``: an option value (the id of the object whose effect
    applies); ``cast``: None or a ``Cast``; ``attackers``: mapping of attacker to what it attacks; ``blockers``:
    mapping of blocker to the list of attackers it blocks.
    """

    player: str
    kind: str
    prompt: str
    options: tuple[Option, ...] = ()
    minimum: int = 0
    maximum: int = 0
    source: str | None = None
    same: bool = False
    """All answers lead to the same, so that one may be given or left out."""
    ordered: bool = False
    """The order of what is chosen matters: targets of several parts of a text, one after another."""
    against: tuple[Option, ...] = ()
    """For ``attackers`` what may be attacked, for ``blockers`` the attackers."""
    instead_of: str | None = None
    """Whose decision it would be, where another player controls that player (CR 723.5)."""


Decide: TypeAlias = Callable[[Question], "Json | Cast"]
"""Called by the engine while it acts. An answer that the rules refuse makes the engine raise `Illegal` from `act`."""


@dataclass(frozen=True, slots=True)
class Legality:
    """The answer to "could this be done now?". ``rule``, ``stage`` and ``also`` as in `Illegal`."""

    legal: bool
    rule: str | None = None
    stage: str | None = None
    message: str = ""
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ObjectView:
    """One object as an observer who knows everything sees it.

    ``facts`` has the properties of the case format's ``then`` that the engine knows; one that is missing is
    ``unsupported``, never an error. Characteristics are those of the object now (CR 613), ``name`` included.
    ``keywords`` among the facts is the list that ``has`` and ``lacks`` look at. References are ids.
    """

    id: str
    zone: str
    owner: str
    name: str
    kind: str = "card"
    """``card``, ``token``, ``copy`` (of a spell or card), ``ability`` (on the stack, or waiting to be put there)."""
    card: str | None = None
    """The handle (`ObjectGiven.handle`) of the declared card that this object is; None for what appeared later."""
    card_name: str | None = None
    """The front-face name of the card that it is, or that a copy of a spell copies; None for what is neither."""
    source: str | None = None
    """Of an ability: the id of the object it is an ability of (it may have left its zone)."""
    source_name: str | None = None
    source_card: str | None = None
    facts: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One player. Zones are ids, the library top first; ``facts``: ``life``, ``counters``, ``mana``, ``lost``,
    ``won``, ``drawn``, ``deck_legal``."""

    name: str
    zones: Mapping[str, tuple[str, ...]]
    facts: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class View:
    """The whole game. ``stack`` is top first. ``game``: ``active``, ``step``, ``turn``, ``priority``,
    ``day_night``, ``over``, ``winner``."""

    objects: Mapping[str, ObjectView]
    players: Mapping[str, PlayerView]
    stack: tuple[str, ...]
    game: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Glance:
    """The part of a `View` that says where the game stands: ``game`` and the stack, top first."""

    active: str | None
    step: str | None
    turn: int | None
    priority: str | None
    stack: tuple[str, ...]
    over: bool = False

    @classmethod
    def of(cls, view: View) -> Glance:
        """The part of a view."""
        game = view.game
        active, step, turn, priority = (game.get(key) for key in ("active", "step", "turn", "priority"))
        return cls(
            active=active if isinstance(active, str) else None,
            step=step if isinstance(step, str) else None,
            turn=turn if isinstance(turn, int) else None,
            priority=priority if isinstance(priority, str) else None,
            stack=view.stack,
            over=bool(game.get("over")),
        )


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One line of what an engine says that it did, with the numbers of the rules that made it happen."""

    text: str
    rules: tuple[str, ...] = ()


class Engine(ABC):
    """One engine, playing one case at a time: `start` puts it into a new state each time it is called.

    Every method may raise `Unsupported`, `Illegal` (only `act`) and `Internal`; any other exception counts as
    `Internal`.
    """

    @abstractmethod
    def describe(self) -> Description:
        """Say who this is."""

    @abstractmethod
    def start(self, given: Given, decide: Decide) -> None:
        """Forget everything, build the starting state, and give the active player priority."""

    @abstractmethod
    def act(self, action: Action) -> None:
        """Carry out an action until a player next has priority or the game is over.

        Raises:
            Illegal: the action, or an answer given meanwhile, is not allowed; the state is then as before the call.
        """

    @abstractmethod
    def view(self) -> View:
        """Report the game.

        Also called from within `Decide`, where an answer names what the harness has not seen yet; an engine that
        cannot report then raises `Unsupported`. ``facts`` are read before the next `act`: they may be computed late.
        """

    def glance(self) -> Glance:
        """Report where the game stands. Asked after every `act`, so worth answering without a whole `view`."""
        return Glance.of(self.view())

    def legality(self, action: Action, declare: Mapping[str, Json] | None = None) -> Legality | None:
        """Say whether an action could be taken now, whatever the case leaves open; None: this engine cannot tell.

        ``declare`` is given with a `Pass` to ask for an attack (``{"attackers": {…}}``) or a block
        (``{"blockers": {…}}``) in the step that passing leads to. Asking changes nothing.
        """
        return None

    def supports(self, kind: str, names: Sequence[str]) -> frozenset[str] | None:
        """Say which of these the engine knows, where it can tell without playing; None: it cannot.

        ``kind`` is ``card`` (names of cards), ``token`` (predefined tokens), ``action`` (``cast``, ``activate``,
        ``attack``, …, and ``using flashback``), ``property`` (keys of `ObjectView.facts`, `PlayerView.facts` and
        `View.game`) or ``state`` (``tapped``, ``face_down``, …). Verdicts never come of it: it tells an author
        what to add next.
        """
        return None

    def new_case(self, *, long: bool = False) -> None:
        """Hear that another case begins, before `start`; ``long``: it may take ten times the usual time."""
        return

    @property
    def ended(self) -> str | None:
        """Why no more cases can be played on this engine at all; None: they can."""
        return None

    def trace(self) -> tuple[TraceLine, ...]:
        """What happened since `start`, for engines with the ``trace`` capability."""
        return ()

    def use_fault(self, name: str) -> None:
        """Break one rule on purpose, for engines with the ``faults`` capability."""
        raise Unsupported("action", f"fault {name}")

    def faults_near(self, play: Callable[[], str]) -> Mapping[str, str | None] | None:
        """Give the faults that could change a case's verdict, which saves playing it with all of them.

        ``play`` plays the case and gives its verdict; it may be called often. No rule is broken at first, nor
        afterwards. With each fault stands the verdict that it alone leads to, where that is known. None: any fault
        could.
        """
        return None

    def close(self) -> None:
        """End the engine; it is not used again."""
        return
