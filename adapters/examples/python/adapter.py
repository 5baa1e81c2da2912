"""The adapter of the tiny engine: a whole one in less than a hundred lines."""

from __future__ import annotations

from collections.abc import Callable

from judgecall.adapters.base import Adapter
from judgecall.adapters.engine import Cast, Illegal, ObjectView, Play, PlayerView, Unsupported, View
from judgecall.schema.model import Given
from tiny import LANDS, SPELLS, Card, RulesError, Table

PLAYERS = ("alice", "bob")
STEPS = {
    "upkeep": "upkeep",
    "draw": "draw",
    "main1": "precombat main",
    "combat": "beginning of combat",
    "attack": "declare attackers",
    "endcombat": "end of combat",
    "main2": "postcombat main",
    "end": "end",
}
ZONES = {"hand": "hand", "board": "battlefield", "grave": "graveyard", "library": "library", "exile": "exile"}


class TinyAdapter(Adapter):
    """Translates between judgecall's words and the tiny engine's."""

    name = "tiny"
    version = "1"
    cards = (*LANDS, *SPELLS)
    builds = ("life", "step", "tapped", "turn")
    state: Table

    def set_up(self, given: Given) -> None:
        phase = next(phase for phase, step in STEPS.items() if step == given.step)
        table = self.state = Table(turn=given.turn, phase=phase)
        table.active = table.priority = PLAYERS.index(given.active)
        for who, player in enumerate(given.players):
            seat = table.seats[who]
            seat.life = player.life
            if player.command:
                raise Unsupported("state", "command")
            for theirs, ours in ZONES.items():
                for each in getattr(player, ours):
                    getattr(seat, theirs).append(Card(each.card, who, each.tapped, label=each.handle))

    def cast(self, action: Cast) -> None:
        for way in action.using:
            if way != "flashback":
                raise Unsupported("action", f"using {way}")
        card = self.find(action.object)
        self.do(lambda: self.state.cast(PLAYERS.index(action.player), card, "flashback" in action.using))

    def play(self, action: Play) -> None:
        card = self.find(action.object)
        self.do(lambda: self.state.play_land(PLAYERS.index(action.player), card))

    def pass_priority(self, player: str) -> None:
        self.do(lambda: self.state.pass_priority(PLAYERS.index(player)))

    def do(self, work: Callable[[], None]) -> None:
        try:
            work()
        except RulesError as error:
            raise Illegal(str(error)) from None

    def find(self, label: str) -> Card:
        everywhere = [self.state.stack, *(getattr(seat, zone) for seat in self.state.seats for zone in ZONES)]
        return next(card for zone in everywhere for card in zone if card.label == label)

    def view(self) -> View:
        table, objects, players = self.state, {}, {}
        for name, seat in zip(PLAYERS, table.seats, strict=True):
            for theirs, ours in ZONES.items():
                objects.update({card.label: self.show(card, ours) for card in getattr(seat, theirs)})
            zones = {ours: tuple(card.label for card in getattr(seat, theirs)) for theirs, ours in ZONES.items()}
            players[name] = PlayerView(
                name, {**zones, "command": ()}, {"life": seat.life, "drawn": seat.drawn, "lost": seat.dead}
            )
        objects.update({card.label: self.show(card, "stack") for card in table.stack})
        over = any(seat.dead for seat in table.seats)
        game = {
            "active": PLAYERS[table.active],
            "step": STEPS[table.phase],
            "turn": table.turn,
            "priority": None if over else PLAYERS[table.priority],
            "over": over,
        }
        return View(objects, players, tuple(card.label for card in reversed(table.stack)), game)

    def show(self, card: Card, zone: str) -> ObjectView:
        owner, types = PLAYERS[card.owner], ["Land"] if card.name in LANDS else ["Instant"]
        facts = {"controller": owner, "tapped": card.tapped, "types": types}
        return ObjectView(card.label, zone, owner, card.name, card=card.label, card_name=card.name, facts=facts)
