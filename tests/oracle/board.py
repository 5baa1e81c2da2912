"""Small states to try the core on, and an agent whose answers a test lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judgecall.oracle import activating, casting, priority, setup
from judgecall.oracle.agents import Question, Refused
from judgecall.oracle.cards import loader
from judgecall.oracle.legality import Verdict, search
from judgecall.oracle.objects import base_values
from judgecall.oracle.state import Card, Game, Object, Player
from judgecall.oracle.ways import Request

__all__ = ["Board", "Refused"]

Zones = Mapping[str, Sequence[str]]


class Answers:
    """Answers in the order listed; a question that nobody expected fails the test."""

    def __init__(self) -> None:
        self.listed: list[tuple[str, Any]] = []
        self.asked: list[Question] = []

    def decide(self, question: Question) -> Any:
        """The next answer, which must be of the question's kind."""
        self.asked.append(question)
        if not self.listed and question.same:
            return question.options[0] if question.kind == "replacement" else list(question.options[: question.minimum])
        assert self.listed, f"nobody expected {question.kind}: {question.prompt}"
        kind, answer = self.listed.pop(0)
        assert kind == question.kind, f"{question.kind} ({question.prompt}) is asked, not {kind}"
        return answer(question) if callable(answer) else answer


class Board:
    """Alice's precombat main phase, with what a test puts into the players' zones; carol plays where she has any."""

    def __init__(self, alice: Zones | None = None, bob: Zones | None = None, carol: Zones | None = None) -> None:
        self.answers = Answers()
        names = ("alice", "bob") if carol is None else ("alice", "bob", "carol")
        self.game: Game = setup.new_game(names, self.answers)
        self.alice, self.bob = self.game.players[:2]
        for player, zones in zip(self.game.players, (alice, bob, carol), strict=False):
            for zone, cards in (zones or {}).items():
                for name in cards:
                    self.put(player, zone, name)
            for _ in range(5):
                self.put(player, "library", "Plains")
        setup.begin(self.game, self.alice, "precombat main", 1)
        priority.give(self.game, self.alice)
        self.game.journal.clear()

    def put(self, player: Player, zone: str, name: str) -> Object:
        """A card, without anything happening."""
        return setup.add(self.game, player, zone, card=name, handle=f"{name} {len(self.game.cards)}")

    def make(self, player: Player, zone: str, **raw: Any) -> Object:
        """A card that a test makes up, from a definition."""
        definition = loader.parse_card(raw)
        obj = setup.add(self.game, player, zone, card="Plains", handle=f"made {len(self.game.cards)}")
        card = Card(definition, player, f"made {len(self.game.cards)}")
        del self.game.cards[obj.card.handle]  # type: ignore[union-attr]
        self.game.cards[card.handle] = card
        obj.card, card.now = card, obj
        self.game.cache = {}
        return obj

    def of(self, name: str, zone: str = "battlefield", n: int = 1) -> Object:
        """The n-th object of that name in a zone."""
        everywhere = [*self.game.battlefield, *self.game.stack, *self.game.exile, *self.game.command]
        for player in self.game.players:
            everywhere.extend((*player.hand, *player.graveyard, *player.library))
        found = [o for o in everywhere if o.zone == zone and o.kind != "ability" and base_values(o).whole.name == name]
        return found[n - 1]

    def count(self, name: str, zone: str) -> int:
        """How many objects of that name are in a zone."""
        n = 0
        while True:
            try:
                self.of(name, zone, n + 1)
            except IndexError:
                return n
            n += 1

    def expect(self, *answers: tuple[str, Any]) -> None:
        """The answers to what will be asked."""
        self.answers.listed.extend(answers)

    def cast(self, obj: Object, player: Player | None = None, **request: Any) -> Object:
        """Cast it; back to the player's priority."""
        who = player if player is not None else self.alice
        spell = casting.cast(self.game, who, obj, Request(**request))
        priority.again(self.game, who)
        return spell

    def activate(self, obj: Object, which: int | str | None = None, **request: Any) -> None:
        """Activate an ability of alice's."""
        activating.activate(self.game, self.alice, obj, which, Request(**request))
        priority.again(self.game, self.alice)

    def castable(self, obj: Object, **request: Any) -> Verdict:
        """Whether alice could cast it."""
        return search(self.game, lambda: casting.cast(self.game, self.alice, obj, Request(**request)))

    def resolve(self) -> None:
        """All pass until the stack is empty."""
        while self.game.stack and not self.game.over:
            assert self.game.priority is not None
            priority.pass_(self.game, self.game.priority)
        assert not self.answers.listed, f"nobody asked for {self.answers.listed}"
