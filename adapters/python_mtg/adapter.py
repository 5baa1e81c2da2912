"""python-mtg, a rules engine in Datalog with a Python API (``pip install 'judgecall[python-mtg]'``).

Its moves are whole: a cast is offered, paid for and resolved at once, and then the game goes on to where the active
player has something to choose. So a spell waits here, outside the engine, until both players have passed, and the
engine is held still after each move. Nobody can act in between, since it offers moves to the active player alone.
Everything that it does not offer or ask for is ``unsupported``; only what it itself refuses is ``illegal``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any, ClassVar, NoReturn

from judgecall.adapters.base import Adapter
from judgecall.adapters.engine import (
    Activate,
    Cast,
    Decide,
    Glance,
    Illegal,
    Json,
    ObjectView,
    Option,
    Play,
    Question,
    TurnFaceUp,
    Unsupported,
    View,
)
from judgecall.schema.model import Given, ObjectGiven

try:
    from judgecall.adapters.python_mtg.cards import knows, makes_mana, ways_left_out
    from judgecall.adapters.python_mtg.choices import Choices, flat
    from judgecall.adapters.python_mtg.referee import Made, Move, State, Trigger, make
    from judgecall.adapters.python_mtg.state import BUILDS, PROPERTIES, build, is_waiting, see_combat, step_of, view
    from mtg import driver
    from mtg.engine import env
except ModuleNotFoundError as _missing:
    if _missing.name != "mtg":
        raise
    raise ModuleNotFoundError("python-mtg is not installed: pip install 'judgecall[python-mtg]'", name="mtg") from None

__all__ = ["PythonMtg"]

_SHOWN = 5
_MAIN = ("precombat main", "postcombat main")
_ACTIONS = frozenset(
    ("cast", "activate", "play", "pass", "attack", "block", "turn face up", "using flashback", "using morph")
)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A spell or ability that has been announced and waits for both players to pass."""

    move: Move
    action: Cast | Activate
    object: ObjectView
    paid: State | None = None
    """The state with this on the engine's own stack, its costs paid; None: the engine does without."""


@dataclass(frozen=True, slots=True)
class _Position:
    """Where the game is. Nothing changes in it: `env.step` makes a new state."""

    state: State
    priority: str
    passed: bool = False
    """Whether the other player has passed."""
    waiting: _Waiting | None = None
    triggered: tuple[str, ...] = ()
    """Abilities that have triggered, topmost first. By the rules they are on the stack now, and players pass before
    each. The engine has no such moment: it has resolved them already, or will resolve them all at once."""
    due: frozenset[Trigger] = frozenset()
    """Those of them that it has still to resolve, which it does as it leaves the step."""
    step: str | None = None
    """The step whose end the engine has already done, which is where it does what belongs to its beginning."""


class PythonMtg(Adapter):
    """python-mtg, through `mtg.engine.env`, its referee."""

    name: ClassVar[str] = "python-mtg"
    version: ClassVar[str] = version("python-mtg")
    builds: ClassVar[frozenset[str]] = BUILDS

    position: _Position
    _objects: Mapping[str, ObjectGiven]
    _owners: Mapping[str, str]
    _players: tuple[str, ...]
    _count: int
    """How many abilities have triggered."""

    def __init__(self) -> None:
        knows("Plains")  # loads all its cards, which takes seconds and belongs to no case

    # -- what it knows ---------------------------------------------------------------------------------------

    def supports(self, kind: str, names: Sequence[str]) -> frozenset[str] | None:
        """Cards of which it leaves out nothing, what `build` builds, what `view` tells, and the moves it has."""
        if kind == "card":
            return frozenset(name for name in names if knows(name))
        if kind == "property":
            return PROPERTIES & frozenset(names)
        if kind == "action":
            return _ACTIONS & frozenset(names)
        return super().supports(kind, names)

    # -- starting --------------------------------------------------------------------------------------------

    def set_up(self, given: Given) -> None:
        """Build a starting state."""
        state, self._objects = build(given)
        if given.step not in _MAIN and is_waiting(state):
            raise Unsupported("state", "step")
        self._count = 0
        self._players = tuple(player.name for player in given.players)
        self._owners = {id_: player for player, id_ in state["printed_control"]}
        self.position = _Position(state, given.active)

    def snapshot(self) -> Any:
        """Where the game is."""
        return self.position

    def restore(self, before: Any) -> None:
        """Be there again."""
        self.position = before

    # -- making moves ----------------------------------------------------------------------------------------

    def _run(self, move: Move, action: Cast | Activate | None, ask: Decide) -> tuple[Made, Choices]:
        """What a move leads to, held still there, and what of the action was not asked for."""
        watcher = self._player(ask, action)
        return make(self.position.state, move, watcher, self.position.due), watcher

    def _player(self, ask: Decide, action: Cast | Activate | None = None) -> Choices:
        return Choices(action, self._active, self._name, ask)

    @property
    def _active(self) -> str:
        ((player,),) = self.position.state["active_player"]
        return str(player)

    def _other(self, player: str) -> str:
        return next(each for each in self._players if each != player)

    def _name(self, id_: str) -> str:
        each = self._objects.get(id_)
        return each.card if each else id_

    # -- actions ---------------------------------------------------------------------------------------------

    def _moves(self, player: str) -> list[Move]:
        """What the engine offers a player who wants to act.

        Raises:
            Unsupported: it never offers anything here.
        """
        position = self.position
        if position.waiting is not None or position.triggered:
            raise Unsupported("action", "respond")
        if player != self._active:
            raise Unsupported("action", "act in another player's turn")
        if position.step is not None:
            raise Unsupported("action", f"act in the {position.step} step")
        if position.state.get("_loser"):
            raise Illegal("the game is over", "104.1")
        return list(env.legal_actions(position.state))

    def cast(self, action: Cast) -> None:
        """Announce a spell, if the engine offers it; it is cast and resolves when both players have passed."""
        moves = self._moves(action.player)
        state, id_ = self.position.state, action.object
        for word, said in (("kicked", action.kicked), ("face", action.face), ("paying", action.paying)):
            if said is not None:
                raise Unsupported("action", f"cast with {word}")
        kind = "cast"
        granted = (action.player, id_) in state.get("may_play", ())
        for way in action.using:
            if way in ("morph", "disguise"):
                kind = "cast_face_down"
            elif way != "flashback" or not granted or (id_,) not in state.get("graveyard", ()):
                raise Unsupported("action", f"cast using {way if isinstance(way, str) else 'an object'}")
        if not granted and (action.player, id_) not in state["in_hand"]:
            raise Unsupported("action", "cast from another zone than the hand")
        move = next((move for move in moves if move[0] == kind and move[2] == id_), None)
        if move is None:
            self._refuse(id_, moves)
        if kind == "cast":
            move = (*move[:3], {})
        seen = ObjectView(id_, "stack", action.player, "" if action.using else self._name(id_))
        self._announce(_Waiting(move, action, seen))

    def activate(self, action: Activate) -> None:
        """Announce an ability, if the engine offers it; it is activated and resolves when both have passed."""
        moves = self._moves(action.player)
        state, id_ = self.position.state, action.object
        if action.paying is not None:
            raise Unsupported("action", "activate with paying")
        if action.ability == "cycling" and step_of(state) in _MAIN and driver.cycling_cost(state, id_) is not None:
            found = [each for each in moves if each == ("cycle", action.player, id_)]
        else:
            row = self._ability(id_, action.ability)
            found = [(*each[:3], {}) for each in moves if each[0] == "activate" and each[2] == row]
        if not found:
            raise self._not_offered(moves)
        seen = ObjectView(
            "ability",
            "stack",
            action.player,
            "",
            kind="ability",
            source=id_,
            source_name=self._name(id_),
            source_card=self._objects[id_].handle if id_ in self._objects else None,
        )
        self._announce(_Waiting(found[0], action, seen))

    def _ability(self, id_: str, ability: int | str | None) -> Move:
        """The row of the engine's relation that an ability is."""
        rows = sorted(row for row in self.position.state.get("activated_ability", ()) if row[1] == id_)
        if ability == "equip":
            rows = [row for row in rows if row[4] == "equip"]
        elif isinstance(ability, int):
            rows = rows[ability - 1 : ability] if len(rows) > 1 else rows[: 1 if ability == 1 else 0]
        elif ability is not None:
            rows = []
        if ability != "equip" and makes_mana(self._name(id_)):
            # It keeps mana abilities elsewhere, so that its rows do not tell which ability is the first.
            rows = []
        if len(rows) != 1:
            raise Unsupported("action", f"activate {ability}" if isinstance(ability, str) else "activate")
        row: Move = rows[0]
        return row

    def _not_offered(self, moves: Sequence[Move]) -> Illegal:
        """The refusal of what is not among its moves, with the first few that are."""
        objects = ((move[0], move[2][1] if move[0] == "activate" else move[2]) for move in moves if len(move) > 2)
        offered = list(dict.fromkeys(f"{verb.replace('_', ' ')} {self._name(id_)}" for verb, id_ in objects))
        shown = ", ".join(offered[:_SHOWN]) + (", …" if len(offered) > _SHOWN else "")
        return Illegal(f"the engine does not offer it{f'; it offers: {shown}' if shown else ''}")

    def _refuse(self, id_: str, moves: Sequence[Move]) -> NoReturn:
        """Say that the engine refuses a spell, unless a part of the card that it leaves out could be why."""
        for way in ways_left_out(self._name(id_)):
            raise Unsupported("action", f"cast with {way}")
        raise self._not_offered(moves)

    def _announce(self, waiting: _Waiting) -> None:
        """Try a move, with any answer to what is only asked on resolution, and let it wait.

        Raises:
            Illegal: the engine does not offer what is chosen for it.
            Unsupported: the engine never asks for it.
        """
        made, watcher = self._run(waiting.move, waiting.action, _anything)
        left = watcher.left()
        if left is not None:
            verb = "cast" if isinstance(waiting.action, Cast) else "activate"
            raise Unsupported("action", f"{verb} with {left}")
        self.position = replace(self.position, waiting=replace(waiting, paid=made.paid), passed=False)

    def play(self, action: Play) -> None:
        """Play a land."""
        moves = self._moves(action.player)
        if action.face is not None or action.using:
            raise Unsupported("action", "play with face or using")
        if (action.player, action.object) not in self.position.state["in_hand"]:
            raise Unsupported("action", "play from another zone than the hand")
        self._at_once(moves, ("play", action.player, action.object))

    def turn_face_up(self, action: TurnFaceUp) -> None:
        """Turn a permanent face up."""
        moves = self._moves(action.player)
        state, id_ = self.position.state, action.object
        if step_of(state) not in _MAIN:
            raise Unsupported("action", "turn face up outside a main phase")
        if action.x is not None or action.costs or action.paying is not None:
            raise Unsupported("action", "turn face up with x, costs or paying")
        morphs = any(driver._has_card_keyword(state, id_, word) for word in ("morph", "disguise"))
        if action.using == "megamorph" or (action.using is not None and morphs == (action.using == "mana cost")):
            raise Unsupported("action", f"turn face up using {action.using}")
        self._at_once(moves, ("turn_face_up", action.player, id_))

    def _at_once(self, moves: Sequence[Move], move: Move) -> None:
        if move not in moves:
            raise self._not_offered(moves)
        self._take(move)

    # -- passing ---------------------------------------------------------------------------------------------

    def pass_priority(self, player: str) -> None:
        """Pass; when both have, what waits is cast or activated and resolves, or the step ends."""
        position = self.position
        if player != position.priority:
            raise Illegal("another player has priority", "117.1")
        if not position.passed:
            self.position = replace(position, priority=self._other(player), passed=True)
            return
        if position.triggered:
            if position.due and len(position.triggered) == 1:
                self._leave(step_of(position.state))
            else:
                rest = position.triggered[1:]
                self.position = replace(position, priority=self._active, passed=False, triggered=rest)
        elif position.waiting is not None:
            self._take(position.waiting.move, position.waiting.action)
        elif position.step is not None:
            self._arrive()
        else:
            self._take(("pass",))
            self._arrive()

    def _take(self, move: Move, action: Cast | Activate | None = None) -> None:
        """Make a move, with the players' answers."""
        made, _ = self._run(move, action, self.decide)
        ((active,),) = made.state["active_player"]
        waiting = () if self.position.due else self.position.triggered
        self.position = _Position(made.state, active, triggered=(*waiting, *self._numbered(made.triggers)))

    def _leave(self, step: str) -> None:
        """Have the engine do what belongs to the beginning of a step, and stay behind in it."""
        ((active,),) = self.position.state["active_player"]
        self._take(("pass",))
        self.position = replace(self.position, step=step, priority=active)

    def _numbered(self, triggers: Sequence[Trigger]) -> tuple[str, ...]:
        self._count += len(triggers)
        return tuple(f"{ability} {self._count - number}" for number, (ability, _) in enumerate(triggers))

    def _arrive(self) -> None:
        """Go on from the beginning of a step to where a player has priority in it.

        The engine does what belongs to the beginning of a step as it leaves it. Where there is such a thing, it
        leaves the step, and we stay behind.
        """
        while not self.position.state.get("_loser"):
            state = self.position.state
            step = step_of(state)
            if step == "declare attackers":
                attackers = self._attack()
                if attackers:
                    see_combat(state)
                self._take(("attack", attackers))
                if self.position.state["attacks"]:
                    self.position = replace(self.position, step=step)
                    return
            elif step == "declare blockers" and state["attacks"]:
                self._take(("block", self._block()))
                self.position = replace(self.position, step=step)
                return
            elif step == "combat damage" and state["attacks"]:
                see_combat(state)
                self._leave(step)
                return
            elif step in ("untap", "declare blockers", "combat damage", "cleanup"):
                self._take(("pass",))
            else:
                self._begin(step)
                return

    def _begin(self, step: str) -> None:
        """Have a player get priority in a step that is no declaration."""
        state = self.position.state
        if not is_waiting(state):
            self.position = replace(self.position, step=None)
            return
        if step in _MAIN:
            raise Unsupported("action", f"stop in the {step} phase")
        out = driver.run(state, ["fires", "pending_target", "pending_damage"])
        if out["pending_target"] or out["pending_damage"]:
            raise Unsupported("question", "targets")
        triggers = sorted(out["fires"])
        if not triggers:
            self._leave(step)
            return
        self._player(self.decide).triggered(state, triggers)
        self.position = replace(self.position, triggered=self._numbered(triggers), due=frozenset(triggers))

    def _attack(self) -> frozenset[str]:
        """Which creatures the active player attacks with."""
        offered = [move[1] for move in env.legal_actions(self.position.state)]
        able = sorted(frozenset().union(*offered))
        if not able:
            return frozenset()
        whom = self._other(self._active)
        options = tuple(Option(id_, self._name(id_)) for id_ in able)
        answer = self.decide(
            Question(self._active, "attackers", "declare attackers", options, against=(Option(whom, whom),))
        )
        assert isinstance(answer, Mapping)
        if any(each != whom for each in answer.values()):
            raise Unsupported("action", "attack a permanent")
        chosen = frozenset(answer)
        if chosen not in offered:
            if len(able) > 5 and chosen <= frozenset(able):
                raise Unsupported("action", "attack with some of more than five creatures")
            raise Illegal("the engine does not offer this attack", "508.1")
        return chosen

    def _block(self) -> frozenset[tuple[str, str]]:
        """Which creatures the defending player blocks with."""
        state = self.position.state
        defender = self._other(self._active)
        offered = [move[1] for move in env.legal_actions(state)]
        pairs = env._legal_block_pairs(state, defender)
        options = tuple(Option(id_, self._name(id_)) for id_ in sorted({blocker for blocker, _ in pairs}))
        against = tuple(Option(id_, self._name(id_)) for id_ in sorted(id_ for id_, _ in state["attacks"]))
        if not options:
            return frozenset()
        answer = self.decide(Question(defender, "blockers", "declare blockers", options, against=against))
        assert isinstance(answer, Mapping)
        chosen = frozenset((blocker, each) for blocker, blocked in answer.items() for each in flat(blocked))
        if chosen not in offered:
            if len(chosen) > 1 and chosen <= frozenset(pairs):
                raise Unsupported("action", "block with several creatures")
            raise Illegal("the engine does not offer this block", "509.1")
        return chosen

    # -- reporting -------------------------------------------------------------------------------------------

    def glance(self) -> Glance:
        """Where the game stands."""
        position = self.position
        waiting = position.waiting
        over = bool(position.state.get("_loser"))
        ((active,),) = position.state["active_player"]
        return Glance(
            active=active,
            step=position.step or step_of(position.state),
            turn=position.state["_turn"],
            priority=None if over else position.priority,
            stack=position.triggered or ((waiting.object.id,) if waiting else ()),
            over=over,
        )

    def view(self) -> View:
        """Everything that the engine tells."""
        position = self.position
        waiting = position.waiting
        if position.triggered:
            raise Unsupported("property", "anything, while a triggered ability waits")
        paid = waiting.paid if waiting else None
        objects, players = view(
            paid or position.state,
            self._objects,
            self._players,
            self._owners,
            waiting.object if waiting else None,
            paid=paid is not None,
        )
        glance = self.glance()
        game: dict[str, Json] = {
            "active": glance.active,
            "step": glance.step,
            "turn": glance.turn,
            "priority": glance.priority,
            "over": glance.over,
            "winner": env.winner(position.state),
        }
        return View(objects=objects, players=players, stack=glance.stack, game=game)


def _anything(question: Question) -> Json:
    """Any answer."""
    if question.kind == "order":
        return [option.value for option in question.options]
    return [question.options[0].value] if question.options else False
