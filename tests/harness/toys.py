"""Small engines for the harness, nothing like the oracle: one follows some rules, others are each wrong in one way."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from judgecall.adapters.engine import (
    Action,
    Activate,
    Cast,
    Concede,
    Decide,
    Description,
    Engine,
    Illegal,
    Internal,
    Json,
    Legality,
    ObjectView,
    Option,
    Pass,
    Play,
    PlayerView,
    Question,
    TraceLine,
    TurnFaceUp,
    Unsupported,
    View,
)
from judgecall.schema.model import Given, ObjectGiven

STEPS = (
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
)
ZONES = ("hand", "battlefield", "graveyard", "library", "exile", "command")
CREATURES = {"Grizzly Bears": 2, "Hill Giant": 3, "Herald": 1, "Clone": 0, "Spirit Token": 1}
INSTANTS = ("Think Twice", "Counterspell", "Unsummon", "Twin", "Raise Spirits", "Shock")
SORCERIES = ("Divination",)
LANDS = ("Island", "Plains", "Forest")


class Thing:
    """An object of the toy."""

    def __init__(self, id_: str, name: str, zone: str, owner: str, **more: Any) -> None:
        self.id = id_
        self.name = name
        self.zone = zone
        self.owner = owner
        self.controller = owner
        self.card: str | None = more.get("card")
        self.card_name: str | None = more.get("card_name")
        self.kind: str = more.get("kind", "card")
        self.source: Thing | None = more.get("source")
        self.targets: list[str] = []
        self.flashback = False
        self.tapped = False
        self.face_down = False
        self.counters: dict[str, int] = {}
        self.attached_to: str | None = None
        self.attacking: str | None = None
        self.blocking: list[str] = []


class State:
    """All that an act may change."""

    def __init__(self) -> None:
        self.things: dict[str, Thing] = {}
        self.zones: dict[tuple[str, str], list[str]] = {}
        self.stack: list[str] = []
        self.players: list[str] = []
        self.life: dict[str, int] = {}
        self.mana: dict[str, str] = {}
        self.lost: set[str] = set()
        self.drawn: dict[str, int] = {}
        self.active = "alice"
        self.step = "precombat main"
        self.turn = 1
        self.priority: str | None = "alice"
        self.passes = 0
        self.log: list[str] = []


class Toy(Engine):
    """Follows its few rules."""

    capabilities: ClassVar[frozenset[str]] = frozenset()
    name: ClassVar[str] = "toy"
    known: ClassVar[tuple[str, ...] | None] = None
    """Cards it knows; None: any."""
    questions: ClassVar[Mapping[str, Callable[[Toy, str], Question]]] = {}
    """What resolving a card of this name asks its controller."""
    missing: ClassVar[frozenset[str]] = frozenset()
    """Facts that it does not show."""

    def __init__(self) -> None:
        self.state = State()
        self.answers: list[Any] = []
        """What it was answered, in order, in the last run."""
        self.starts = 0
        self.views = 0
        self.acts: list[Action] = []
        self.fault: str | None = None

    # --- the interface

    def describe(self) -> Description:
        return Description(self.name, "1", capabilities=self.capabilities, faults={"forgets flashback": "702.34a"})

    def start(self, given: Given, decide: Decide) -> None:
        self.starts += 1
        self.answers = []
        self.acts = []
        self.decide = decide
        self.ids = itertools.count(1)
        state = self.state = State()
        state.players = [player.name for player in given.players]
        state.active, state.step, state.turn = given.active, given.step, given.turn
        state.priority = given.active
        for player in given.players:
            state.life[player.name] = player.life
            state.mana[player.name] = player.mana
            for zone in ZONES:
                state.zones[player.name, zone] = []
                for declared in getattr(player, zone):
                    self._declare(declared, player.name, zone)
        for player in given.players:
            for declared in player.battlefield:
                if declared.attached_handle is not None:
                    thing = next(t for t in state.things.values() if t.card == declared.handle)
                    thing.attached_to = next(
                        (t.id for t in state.things.values() if t.card == declared.attached_handle),
                        declared.attached_handle,
                    )

    def act(self, action: Action) -> None:
        self.acts.append(action)
        before = copy.deepcopy(self.state)
        try:
            self._act(action)
        except Illegal:
            self.state = before
            raise

    def view(self) -> View:
        self.views += 1
        state = self.state
        over = len(state.players) - len(state.lost) <= 1
        return View(
            objects={thing.id: self._object(thing) for thing in state.things.values()},
            players={
                name: PlayerView(
                    name,
                    {zone: tuple(state.zones[name, zone]) for zone in ZONES},
                    self._shown(
                        life=state.life[name],
                        mana=state.mana[name],
                        counters={},
                        lost=name in state.lost,
                        won=over and name not in state.lost,
                        drawn=state.drawn.get(name, 0),
                    ),
                )
                for name in state.players
            },
            stack=tuple(reversed(state.stack)),
            game={
                "active": state.active,
                "step": state.step,
                "turn": state.turn,
                "priority": None if over else state.priority,
                "day_night": None,
                "over": over,
                "winner": next((p for p in state.players if p not in state.lost), None) if over else None,
            },
        )

    def trace(self) -> tuple[TraceLine, ...]:
        return tuple(TraceLine(text, ("117.3d",) if "passes" in text else ()) for text in self.state.log)

    def use_fault(self, name: str) -> None:
        if name != "forgets flashback":
            raise Unsupported("action", f"fault {name}")
        self.fault = name

    # --- setting up and showing

    def _declare(self, declared: ObjectGiven, player: str, zone: str) -> None:
        name = declared.card or f"{declared.token_name} Token"
        if self.known is not None and name not in self.known:
            raise Unsupported("card", name)
        is_token = declared.token or declared.token_name is not None
        thing = self._make(
            declared.copy_of or name,
            zone,
            player,
            card=declared.handle,
            card_name=None if is_token else name.partition(" // ")[0],
            kind="token" if is_token else "card",
        )
        thing.controller = declared.controller or player
        thing.tapped = declared.tapped
        thing.counters = dict(declared.counters or {})
        if declared.face_down is not None:
            thing.face_down = True
            thing.name = ""

    def _make(self, name: str, zone: str, owner: str, **more: Any) -> Thing:
        thing = Thing(f"o{next(self.ids)}", name, zone, owner, **more)
        self.state.things[thing.id] = thing
        if zone == "stack":
            self.state.stack.append(thing.id)
        else:
            self.state.zones[owner, zone].append(thing.id)
        return thing

    def _object(self, thing: Thing) -> ObjectView:
        creature = thing.name in CREATURES or thing.face_down
        return ObjectView(
            id=thing.id,
            zone=thing.zone,
            owner=thing.owner,
            name=thing.name,
            kind=thing.kind,
            card=thing.card,
            card_name=thing.card_name,
            source=thing.source.id if thing.source else None,
            source_name=thing.source.name if thing.source else None,
            source_card=thing.source.card if thing.source else None,
            facts=self._shown(
                controller=thing.controller,
                mana_cost="{1}{U}" if thing.name in INSTANTS else None,
                mana_value=2 if thing.name in INSTANTS else 0,
                colors=["blue"] if thing.name in INSTANTS else [],
                types=["Creature"] if creature else ["Land"] if thing.name in LANDS else ["Instant"],
                supertypes=["Basic"] if thing.name in LANDS else [],
                subtypes=[],
                power=CREATURES.get(thing.name) if creature else None,
                toughness=CREATURES.get(thing.name) if creature else None,
                keywords=["flying"] if thing.name == "Spirit Token" else [],
                counters=thing.counters,
                damage=0,
                tapped=thing.tapped,
                face_down=thing.face_down,
                attached_to=thing.attached_to,
                attachments=[t.id for t in self.state.things.values() if t.attached_to == thing.id],
                attacking=thing.attacking,
                blocking=thing.blocking,
                revealed_to=["alice", "bob"] if thing.zone != "hand" else [thing.owner],
                targets=list(thing.targets),
                x=None,
            ),
        )

    def _shown(self, **facts: Any) -> dict[str, Json]:
        return {key: value for key, value in facts.items() if key not in self.missing}

    # --- acting

    def _act(self, action: Action) -> None:
        state = self.state
        if isinstance(action, Concede):
            state.lost.add(action.player)
            return
        if state.priority != action.player:
            raise Illegal(f"{action.player} does not have priority", "117.1", "permission")
        if isinstance(action, Pass):
            self._pass()
        elif isinstance(action, Cast):
            self._cast(action)
        elif isinstance(action, Play):
            self._play(action)
        elif isinstance(action, Activate):
            thing = self._at(action.object, "battlefield", action.player)
            if thing.tapped:
                raise Illegal(f"{thing.name} is tapped", "602.5a", "costs")
            thing.tapped = True
            state.passes = 0
            self._trigger(thing)
        elif isinstance(action, TurnFaceUp):
            thing = self._at(action.object, "battlefield", action.player)
            if not thing.face_down:
                raise Illegal(f"{thing.name} is not face down", "708.7", "permission")
            thing.face_down = False
            thing.name = thing.card_name or ""

    def _at(self, id_: str, zone: str, player: str) -> Thing:
        thing = self.state.things.get(id_)
        if thing is None or thing.zone != zone or thing.controller != player:
            raise Illegal(f"{id_} is not {player}'s in the {zone}", "601.3", "permission")
        return thing

    def _cast(self, action: Cast) -> None:
        state = self.state
        flashback = "flashback" in action.using
        thing = self._at(action.object, "graveyard" if flashback else "hand", action.player)
        if thing.name in LANDS:
            raise Illegal("a land is not cast", "305.9", "permission")
        if flashback and thing.name != "Think Twice":
            raise Illegal(f"{thing.name} has no flashback", "702.34a", "permission")
        main = state.step.endswith("main") and state.active == action.player and not state.stack
        if thing.name not in INSTANTS and not thing.name.startswith("Ask ") and not main:
            raise Illegal(f"{thing.name} is not an instant", "307.1", "permission")
        targets = [target for target in action.targets or () if isinstance(target, str)]
        if thing.name in ("Counterspell", "Unsummon", "Twin", "Shock") and not targets:
            offered = tuple(
                Option(t.id, t.name)
                for t in state.things.values()
                if t.zone == ("battlefield" if thing.name in ("Unsummon", "Shock") else "stack")
            )
            question = Question(action.player, "targets", "target", offered, 1, 1, thing.id)
            targets = list(self._ask(question))
        for target in targets:
            if target not in state.players and target not in state.things:
                raise Illegal(f"{target} is no target", "115.1", "targets")
        spell = self._move(thing, "stack")
        spell.targets = targets
        spell.flashback = flashback and self.fault is None
        state.passes = 0
        state.log.append(f"{action.player} casts {spell.name}")

    def _play(self, action: Play) -> None:
        thing = self._at(action.object, "hand", action.player)
        if thing.name not in LANDS:
            raise Illegal(f"{thing.name} is no land", "305.1", "permission")
        self._move(thing, "battlefield")
        self.state.passes = 0

    def _ask(self, question: Question) -> Any:
        answer = self.decide(question)
        self.answers.append(answer)
        return answer

    def _pass(self) -> None:
        state = self.state
        state.log.append(f"{state.priority} passes")
        state.passes += 1
        alive = [player for player in state.players if player not in state.lost]
        if state.passes < len(alive):
            at = alive.index(str(state.priority))
            state.priority = alive[(at + 1) % len(alive)]
            return
        state.passes = 0
        if state.stack:
            self._resolve(state.things[state.stack[-1]])
        else:
            self._next_step()
        self.state.priority = self.state.active

    def _next_step(self) -> None:
        state = self.state
        at = STEPS.index(state.step) + 1
        attackers = [t for t in state.things.values() if t.attacking]
        if at < len(STEPS) and STEPS[at] == "declare blockers" and not attackers:
            at = STEPS.index("end of combat")
        if at == len(STEPS):
            state.turn += 1
            state.active = state.players[(state.players.index(state.active) + 1) % len(state.players)]
            at = 0
        state.step = STEPS[at]
        if state.step == "draw":
            self.draw(state.active)
        elif state.step == "declare attackers":
            self._attackers()
        elif state.step == "declare blockers":
            self._blockers()
        elif state.step == "postcombat main":
            for thing in state.things.values():
                thing.attacking, thing.blocking = None, []

    def _attackers(self) -> None:
        state = self.state
        answer = self._ask(Question(state.active, "attackers", "who attacks"))
        for id_, whom in answer.items():
            thing = self._at(id_, "battlefield", state.active)
            if thing.name not in CREATURES or thing.tapped:
                raise Illegal(f"{thing.name} cannot attack", "508.1a")
            thing.attacking = whom
            thing.tapped = True
            if thing.name == "Herald":
                self._trigger(thing)

    def _blockers(self) -> None:
        state = self.state
        for player in state.players:
            if player == state.active:
                continue
            answer = self._ask(Question(player, "blockers", "who blocks"))
            for id_, whom in answer.items():
                thing = self._at(id_, "battlefield", player)
                if thing.tapped:
                    raise Illegal(f"{thing.name} is tapped", "509.1a")
                thing.blocking = list(whom)

    # --- resolving

    def draw(self, player: str) -> None:
        library = self.state.zones[player, "library"]
        if library:
            self._move(self.state.things[library[0]], "hand")
            self.state.drawn[player] = self.state.drawn.get(player, 0) + 1

    def _resolve(self, spell: Thing) -> None:
        state = self.state
        player = spell.controller
        state.log.append(f"{spell.name or 'an ability'} resolves")
        if spell.name in self.questions:
            self._ask(self.questions[spell.name](self, player))
        if spell.name in ("Think Twice", "Divination") and spell.kind == "card":
            self.draw(player)
        elif spell.name == "Counterspell":
            target = state.things.get(spell.targets[0])
            if target is not None and target.zone == "stack":
                self._leave_stack(target)
        elif spell.name == "Unsummon":
            self._move(state.things[spell.targets[0]], "hand")
        elif spell.name == "Raise Spirits":
            for _ in range(2):
                self._make("Spirit Token", "battlefield", player, kind="token")
        elif spell.name == "Twin":
            original = state.things[spell.targets[0]]
            self._move(spell, "graveyard")
            twin = self._make(original.name, "stack", player, kind="copy")
            twin.targets = list(original.targets)
            return
        if spell.name in CREATURES and spell.kind == "card":
            permanent = self._move(spell, "battlefield")
            if permanent.name == "Herald":
                self._trigger(permanent)
        else:
            self._leave_stack(spell)

    def _trigger(self, source: Thing) -> None:
        ability = self._make("", "stack", source.controller, kind="ability", source=source)
        self.state.log.append(f"an ability of {source.name} goes on the stack as {ability.id}")

    def _leave_stack(self, spell: Thing) -> None:
        if spell.kind != "card":
            self.state.stack.remove(spell.id)
            del self.state.things[spell.id]
        else:
            self._move(spell, "exile" if spell.flashback else "graveyard")

    def _move(self, thing: Thing, zone: str) -> Thing:
        """Put a thing into another zone, where it is a new object (CR 400.7)."""
        state = self.state
        if thing.zone == "stack":
            state.stack.remove(thing.id)
        else:
            state.zones[thing.owner, thing.zone].remove(thing.id)
        del state.things[thing.id]
        if thing.kind == "token":
            return thing
        new = self._make(thing.card_name or thing.name, zone, thing.owner, card=thing.card, card_name=thing.card_name)
        new.controller = thing.controller
        return new


class Strict(Toy):
    """Always asks, so that what a case leaves out is the case's mistake."""

    capabilities = frozenset({"strict", "trace", "faults"})


class Judge(Toy):
    """Says itself whether an action is legal, and why not."""

    capabilities = frozenset({"legality", "reasons", "strict"})

    def legality(self, action: Action, declare: Mapping[str, Json] | None = None) -> Legality | None:
        before = copy.deepcopy(self.state)
        decide = self.decide

        def any_answer(question: Question) -> Any:
            if declare is not None and question.kind in declare:
                return declare[question.kind]
            return [option.value for option in question.options[: question.minimum]]

        self.decide = any_answer
        try:
            if declare is None:
                self._act(action)
            else:
                while not self.answers or self.answers[-1] is not next(iter(declare.values())):
                    self._pass()
        except Illegal as refusal:
            return Legality(False, refusal.rule, refusal.stage, str(refusal))
        finally:
            self.decide = decide
            self.state = before
        return Legality(True)


class Forgetful(Toy):
    """Puts a spell cast for its flashback cost into the graveyard."""

    name = "forgetful"

    def _leave_stack(self, spell: Thing) -> None:
        spell.flashback = False
        super()._leave_stack(spell)


class Mute(Toy):
    """Knows no card."""

    name = "mute"
    known = ()


class Crashing(Toy):
    """Fails as soon as something resolves."""

    name = "crashing"

    def _resolve(self, spell: Thing) -> None:
        raise ZeroDivisionError("no good")


class Exiting(Toy):
    """Tries to end the process."""

    def act(self, action: Action) -> None:
        raise SystemExit(7)


class Broken(Toy):
    """Says itself that it failed."""

    def view(self) -> View:
        raise Internal("lost its state")


class Swallowing(Toy):
    """Turns whatever happens while it asks into something of its own."""

    def _ask(self, question: Question) -> Any:
        try:
            return super()._ask(question)
        except Exception:
            return []


class Permissive(Toy):
    """Refuses nothing."""

    name = "permissive"

    def _at(self, id_: str, zone: str, player: str) -> Thing:
        return self.state.things[id_]

    def _cast(self, action: Cast) -> None:
        spell = self._move(self.state.things[action.object], "stack")
        spell.targets = [target for target in action.targets or () if isinstance(target, str)]


class Silent(Toy):
    """Never asks who attacks or blocks."""

    def _attackers(self) -> None:
        return

    def _blockers(self) -> None:
        return


class Stuck(Toy):
    """Never resolves anything."""

    def _resolve(self, spell: Thing) -> None:
        return


def asking(**questions: Callable[[Toy, str], Question]) -> type[Strict]:
    """A strict toy whose spell ``Ask NAME`` asks the question called so when it resolves."""

    class Asking(Strict):
        pass

    Asking.questions = {f"Ask {name}": make for name, make in questions.items()}
    return Asking


def options(toy: Toy, names: Sequence[str]) -> tuple[Option, ...]:
    """Options for all objects of these names."""
    return tuple(Option(t.id, t.name) for t in toy.state.things.values() if t.name in names)
