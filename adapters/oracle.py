"""The reference engine as an engine of the suite: the first user of the interface.

As a program, ``python -m judgecall.adapters.oracle``, it speaks the protocol on standard input and output.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from judgecall.adapters.engine import (
    Action,
    Activate,
    Cast,
    Concede,
    Decide,
    Description,
    Engine,
    Glance,
    Illegal,
    Json,
    Legality,
    Option,
    Pass,
    Play,
    Question,
    TraceLine,
    TurnFaceUp,
    Unsupported,
    View,
)
from judgecall.adapters.oracle_view import view
from judgecall.adapters.serve import serve
from judgecall.oracle import (
    actions,
    activating,
    casting,
    ending,
    face_down,
    faults,
    lands,
    legality,
    predefined,
    priority,
    setup,
)
from judgecall.oracle import agents as oracle_agents
from judgecall.oracle.agents import Refused
from judgecall.oracle.cards import loader
from judgecall.oracle.characteristics import symbols_of
from judgecall.oracle.describing import label
from judgecall.oracle.layers import of
from judgecall.oracle.reasons import instead, reasons
from judgecall.oracle.state import Game, Object, Player
from judgecall.oracle.ways import Request
from judgecall.schema.model import Given, ObjectGiven, PlayerGiven

__all__ = ["LastPayment", "OracleEngine"]


class OracleEngine(Engine):
    """The oracle. Answers questions of legality with reasons, keeps a trace, knows faults."""

    def __init__(self) -> None:
        self._game: Game | None = None
        self._decide: Decide | None = None
        self._restore: Callable[[], None] | None = None

    # -- who it is -------------------------------------------------------------------------------------------

    def describe(self) -> Description:
        """Who this is."""
        return _description()

    def use_fault(self, name: str) -> None:
        """Break one rule until `close`."""
        fault = faults.find(name)
        if fault is None:
            raise Unsupported("action", f"fault {name}")
        if self._restore is not None:
            self._restore()
        self._restore = fault.apply()

    def faults_near(self, play: Callable[[], str]) -> Mapping[str, str | None]:
        """The faults with which the case may come to another verdict, found out by many of them at once."""
        return faults.reached(play)

    def close(self) -> None:
        """Mend what a fault broke."""
        if self._restore is not None:
            self._restore()
            self._restore = None

    def supports(self, kind: str, names: Sequence[str]) -> frozenset[str] | None:
        """Cards and tokens that have a definition; of the rest, all."""
        if kind == "card":
            return frozenset(name for name in names if loader.load(name) or loader.back_face(name))
        if kind == "token":
            return frozenset(name for name in names if predefined.token(name) is not None)
        return frozenset(names)

    # -- starting --------------------------------------------------------------------------------------------

    def start(self, given: Given, decide: Decide) -> None:
        """Build a starting state."""
        self._decide = decide
        game = self._game = self._new_game(given)
        try:
            _build(game, given)
        except setup.UnknownCard as unknown:
            raise Unsupported("card", str(unknown)) from None
        game.journal.clear()
        self._command(lambda: priority.give(game, game.active))

    def _new_game(self, given: Given) -> Game:
        return setup.new_game(tuple(player.name for player in given.players), _Agent(self))

    @property
    def game(self) -> Game:
        """The game that is played."""
        assert self._game is not None, "start comes first"
        return self._game

    # -- acting ----------------------------------------------------------------------------------------------

    def act(self, action: Action) -> None:
        """Carry out an action until somebody next has priority."""
        try:
            self._command(lambda: self._do(action))
        except Illegal as refusal:
            # An oracle that is broken on purpose has nothing to advise; nor where only targets or costs are wrong.
            if self._restore is not None or refusal.stage in ("targets", "costs"):
                raise
            told = f"{refusal}{instead(self._offered(action))}"
            raise Illegal(told, refusal.rule, refusal.stage, refusal.also) from refusal

    def _offered(self, action: Action) -> Iterator[str]:
        """What the player could do now with the object of an action."""
        game = self.game
        obj = None if isinstance(action, (Pass, Concede)) else game.objects.get(int(action.object))
        if obj is None or obj.gone:
            return
        player, name = game.player(action.player), actions.reference(game, obj)
        for each in actions.candidates(game, player):
            if each.object == name and legality.search(game, partial(actions.act, game, player, each)).legal:
                by = None if each.permitted_by is None else label(game, actions.find(game, each.permitted_by))
                yield str(replace(each, object="", permitted_by=by))

    def _command(self, what: Callable[[], None]) -> None:
        game = self.game
        mark = game.mark()
        try:
            what()
        except Refused as refused:
            game.undo(mark)
            rule, *also = reasons(refused)
            raise Illegal(str(refused), rule, refused.stage, tuple(also)) from refused
        except BaseException:
            game.undo(mark)
            raise
        game.journal.clear()

    def _do(self, action: Action) -> None:
        game = self.game
        player = game.player(action.player)
        if isinstance(action, Concede):
            ending.concede(game, player)
            if not game.over and game.priority is not None:
                priority.give(game, game.priority)
            return
        if game.over:
            raise Refused("the game is over", "104.1", "permission")
        if isinstance(action, Pass):
            priority.pass_(game, player)
            return
        if not isinstance(action, Play) and action.x is None and _names_x(self.object(action.object)):
            x = legality.only_x(game, lambda: self._act(player, action))
            action = replace(action, x=x)
        self._act(player, action)
        priority.again(game, player)

    def _act(self, player: Player, action: Action) -> None:
        game = self.game
        assert not isinstance(action, (Pass, Concede))
        obj = self.object(action.object)
        if isinstance(action, Cast):
            casting.cast(game, player, obj, self._request(action))
        elif isinstance(action, Activate):
            if action.ability == "suspend":
                from judgecall.oracle import suspending

                suspending.suspend(game, player, obj, self._request(action))
            elif action.ability == "plot":
                from judgecall.oracle import plotting

                plotting.plot(game, player, obj, self._request(action))
            elif action.ability == "foretell":
                from judgecall.oracle import foretelling

                foretelling.foretell(game, player, obj, self._request(action))
            else:
                activating.activate(game, player, obj, action.ability, self._request(action))
        elif isinstance(action, Play):
            lands.play(game, player, obj, action.face)
        else:
            face_down.special_action(game, player, obj, action.using, self._request(action))

    def object(self, id: str) -> Object:
        """The object with an id of the view."""
        found = self.game.objects.get(int(id))
        if found is None:
            raise Refused(f"no object {id}", "109.1", "permission")
        return found

    def _thing(self, value: Json) -> Any:
        if isinstance(value, str):
            for player in self.game.players:
                if player.name == value:
                    return player
            if value.isdigit() and int(value) in self.game.objects:
                return self.game.objects[int(value)]
        if isinstance(value, (list, tuple)):
            return [self._thing(item) for item in value]
        return value

    def _request(self, action: Cast | Activate | TurnFaceUp) -> Request:
        request = Request(x=action.x, paying=self._paying(action.paying))
        request.costs = {key: self._cost(key, value) for key, value in action.costs.items()}
        if isinstance(action, TurnFaceUp):
            return request
        request.modes = action.modes
        request.targets = [self._thing(item) for item in action.targets] if action.targets is not None else None
        if isinstance(action, Cast):
            request.face = action.face
            request.kicked = action.kicked
            request.using = tuple(item for entry in action.using for item in self._using(entry))
        return request

    def _using(self, entry: str | Mapping[str, str]) -> list[Any]:
        if isinstance(entry, str):
            return [entry]
        return [self.object(value) if key == "object" else (key, value) for key, value in entry.items()]

    def _cost(self, key: str, value: Json) -> Any:
        if isinstance(value, Mapping):
            return {self._thing(name): count for name, count in value.items()}
        if key == "life" or isinstance(value, bool):
            return value
        if isinstance(value, (list, tuple)):
            return [self._thing(item) for item in value]
        return [self._thing(value)]

    def _paying(self, paying: tuple[str, ...] | str | None) -> Any:
        if paying is None or isinstance(paying, str):
            return paying
        return [item if item.startswith("{") else self._thing(item) for item in paying]

    # -- asking ----------------------------------------------------------------------------------------------

    def decide(self, question: oracle_agents.Question) -> Any:
        """Put a question of the rules to whoever answers."""
        assert self._decide is not None
        player = question.player.controlled_by or question.player
        options = tuple(self._option(option) for option in question.options)
        if (most := (question.details or {}).get("most")) is not None:
            options = tuple(replace(option, most=n) for option, n in zip(options, most, strict=True))
        asked = Question(
            player.name,
            question.kind,
            question.prompt,
            options,
            question.minimum,
            question.maximum,
            str(question.source.id) if question.source is not None else None,
            same=question.same,
            ordered=question.ordered,
            against=tuple(
                self._option(option)
                for key in ("defenders", "attackers")
                for option in (question.details or {}).get(key, ())
            ),
            instead_of=question.player.name if player is not question.player else None,
        )
        answer = self._decide(asked)
        return self._answer(question.kind, answer)

    def _option(self, option: Any) -> Option:
        if isinstance(option, Player):
            return Option(option.name, option.name)
        if isinstance(option, Object):
            from judgecall.oracle.events import label

            if option.kind == "ability":
                source = option.source
                name = source.card.definition.name if source is not None and source.card is not None else ""
                if not name and source is not None:
                    name = of(self.game, source).name if not source.gone else source.lki.name if source.lki else ""
                return Option(str(option.id), f"ability of {name}", str(source.id) if source is not None else None)
            name = of(self.game, option).name or (
                option.card.definition.name if option.card else label(self.game, option)
            )
            return Option(str(option.id), name)
        return Option(option, str(option))

    def _answer(self, kind: str, answer: Json | Cast) -> Any:
        if kind == "cast":
            if answer is None or answer is False:
                return None
            assert isinstance(answer, Cast)
            return self.object(answer.object), self._request(answer)
        if kind in ("attackers", "blockers", "divide"):
            assert isinstance(answer, Mapping)
            return {self._thing(key): self._thing(value) for key, value in answer.items()}
        if kind in ("surveil", "scry"):
            assert isinstance(answer, Mapping)
            return {key: self._thing(value) for key, value in answer.items()}
        if kind in ("pick", "targets", "order") and isinstance(answer, (list, tuple)):
            return [self._thing(item) for item in answer]
        if kind in ("color", "type", "name", "mana", "coin", "modes", "x", "number", "may", "pay", "roll"):
            return answer
        return self._thing(answer)  # type: ignore[arg-type]

    # -- legality --------------------------------------------------------------------------------------------

    def legality(self, action: Action, declare: Mapping[str, Json] | None = None) -> Legality | None:
        """Try the action with whatever choices make it legal, and take it back; the trace keeps why it is not."""
        game = self.game
        fixed = {kind: self._answer(kind, value) for kind, value in (declare or {}).items()}

        def attempt() -> None:
            if fixed:
                game.agent = _Declaring(game.agent, fixed)
                self._pass_until(fixed)
                return
            if isinstance(action, (Pass, Concede)):
                self._do(action)
                return
            if game.over:
                raise Refused("the game is over", "104.1", "permission")
            self._act(game.player(action.player), action)

        verdict = legality.search(game, attempt)
        if not verdict.legal and verdict.rule is not None:
            game.trace.add(f"that cannot be done: {verdict.message}", verdict.rule, *verdict.also)
        return Legality(verdict.legal, verdict.rule, verdict.stage, verdict.message, verdict.also)

    def _pass_until(self, fixed: dict[str, Any]) -> None:
        """Pass until the declarations have been asked for and made."""
        game = self.game
        turn = game.turn
        while fixed and game.turn == turn and not game.over:
            if game.priority is None:
                break
            priority.pass_(game, game.priority)
        if fixed:
            rule = "508.1" if "attackers" in fixed else "509.1"
            raise Refused("there is no such declaration to make", rule, "permission")

    # -- reporting -------------------------------------------------------------------------------------------

    def view(self) -> View:
        """The whole game as somebody who knows everything sees it."""
        return view(self.game)

    def glance(self) -> Glance:
        """The turn, the stack and who has priority, without looking at any object."""
        game = self.game
        return Glance(
            active=game.active.name,
            step=game.step,
            turn=game.turn,
            priority=game.priority.name if game.priority is not None else None,
            stack=tuple(str(obj.id) for obj in reversed(game.stack)),
            over=game.over,
        )

    def trace(self) -> tuple[TraceLine, ...]:
        """What happened, with rule numbers."""
        self.game.trace.settle()
        return tuple(TraceLine(line.text, line.rules) for line in self.game.trace.lines)


def _names_x(obj: Object) -> bool:
    """Whether a cost of the object may hold an X."""
    return obj.card is not None and _has_x(obj.card.definition.name)


@cache
def _has_x(name: str) -> bool:
    return "X" in repr(loader.load(name))


@cache
def _description() -> Description:
    try:
        number = version("judgecall")
    except PackageNotFoundError:  # a checkout that is not installed
        number = "0"
    return Description(
        name="oracle",
        version=number,
        adapter="judgecall",
        adapter_version=number,
        language="Python",
        capabilities=frozenset({"legality", "reasons", "trace", "faults", "strict"}),
        faults={fault.name: f"{fault.rule}: {fault.sentence}" for fault in faults.all_faults()},
    )


class LastPayment(OracleEngine):
    """The oracle, paying with mana in the last legal way where it otherwise pays in the first."""

    def _new_game(self, given: Given) -> Game:
        game = super()._new_game(given)
        game.pays_last = True
        return game


class _Agent:
    """Hands the oracle's questions to the adapter."""

    def __init__(self, engine: OracleEngine) -> None:
        self._engine = engine

    def decide(self, question: oracle_agents.Question) -> Any:
        return self._engine.decide(question)


class _Declaring:
    """Answers the declarations of a probe, and hands on everything else."""

    def __init__(self, other: oracle_agents.Agent, fixed: dict[str, Any]) -> None:
        self._other = other
        self._fixed = fixed

    def decide(self, question: oracle_agents.Question) -> Any:
        if question.kind in self._fixed:
            return self._fixed.pop(question.kind)
        if question.kind in ("attackers", "blockers"):
            return {}
        return self._other.decide(question)


# -- building a state ----------------------------------------------------------------------------------------


def _build(game: Game, given: Given) -> None:
    game.format = given.format
    made: dict[str, Object] = {}
    sick: list[Object] = []
    waiting: list[tuple[int, PlayerGiven, str, ObjectGiven]] = []
    for player_given in given.players:
        player = game.player(player_given.name)
        player.life = player_given.life
        player.starting_life = 40 if given.format == "commander" else 20
        player.counters = dict(player_given.counters)
        player.mana = setup.mana(symbols_of(player_given.mana))
        player.lands_played = player_given.lands_played
        for zone in ("battlefield", "hand", "graveyard", "library", "exile", "command"):
            for obj_given in getattr(player_given, zone):
                order = obj_given.order if obj_given.order is not None else 1_000_000 + len(waiting)
                waiting.append((order, player_given, zone, obj_given))
    waiting.sort(key=lambda item: item[0])
    for _, player_given, zone, obj_given in waiting:
        obj = _object(game, game.player(player_given.name), zone, obj_given, given.format == "commander")
        made[obj_given.handle] = obj
        if obj_given.summoning_sick:
            sick.append(obj)
    for _, _, _, obj_given in waiting:
        if obj_given.attached_handle is not None:
            host = made.get(obj_given.attached_handle)
            setup.attach(game, made[obj_given.handle], host or game.player(obj_given.attached_handle))
    for player_given in given.players:
        for obj_given in player_given.deck:
            definition = setup.definition(obj_given.card)
            game.shared.setdefault(f"deck {player_given.name}", []).append(definition)
    setup.begin(game, game.player(given.active), given.step, given.turn, tuple(sick), given.day_night)
    for _, _, _, obj_given in waiting:
        _counters(game, made[obj_given.handle], obj_given.counters)
    game.cache = {}


def _object(game: Game, player: Player, zone: str, given: ObjectGiven, commander: bool) -> Object:
    chosen: dict[str, Any] = dict(given.chosen.items())
    for key, value in list(chosen.items()):
        if isinstance(value, str) and key == "player":
            chosen[key] = game.player(value)
    if given.protector is not None:
        chosen["protector"] = game.player(given.protector)
    return setup.add(
        game,
        player,
        zone,
        card=given.card,
        token=given.token_name,
        is_token=given.token and given.token_name is None,
        handle=given.handle,
        commander=given.commander or (commander and zone == "command"),
        controller=game.player(given.controller) if given.controller is not None else None,
        face=given.face,
        tapped=given.tapped,
        damage=given.damage,
        down=given.face_down,
        copy_of=given.copy_of,
        chosen=chosen,
    )


def _counters(game: Game, obj: Object, counters: Mapping[str, int] | None) -> None:
    if counters is None:
        if obj.zone != "battlefield" or obj.face_down is not None:
            return
        found = of(game, obj)
        counters = {}
        if "Planeswalker" in found.types and isinstance(found.loyalty, int):
            counters["loyalty"] = found.loyalty
        if "Battle" in found.types and found.defense is not None:
            counters["defense"] = found.defense
        if "Saga" in found.subtypes:
            counters["lore"] = 1
    obj.counters = {kind: (n, game.stamp()) for kind, n in counters.items() if n}
    game.cache = {}


if __name__ == "__main__":
    serve(OracleEngine)
