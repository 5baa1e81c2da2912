"""A tiny engine that knows nothing of judgecall: lands, and instants that draw cards. ``adapter.py`` attaches it."""

from __future__ import annotations

from dataclasses import dataclass, field

LANDS = {"Plains": "W", "Island": "U", "Swamp": "B", "Mountain": "R", "Forest": "G"}
SPELLS: dict[str, tuple[str, str | None, int]] = {
    # name: mana cost, flashback cost, cards drawn
    "Think Twice": ("1U", "2U", 1),
    "Inspiration": ("3U", None, 2),
}
PHASES = ["upkeep", "draw", "main1", "combat", "attack", "endcombat", "main2", "end"]


class RulesError(Exception):
    """Something that the rules forbid."""


@dataclass
class Card:
    """A card, wherever it is."""

    name: str
    owner: int
    tapped: bool = False
    flashback: bool = False
    label: str = ""


@dataclass
class Seat:
    """A player's zones and life."""

    hand: list[Card] = field(default_factory=list)
    board: list[Card] = field(default_factory=list)
    grave: list[Card] = field(default_factory=list)
    library: list[Card] = field(default_factory=list)
    exile: list[Card] = field(default_factory=list)
    life: int = 20
    drawn: int = 0
    played_land: bool = False
    dead: bool = False


@dataclass
class Table:
    """A game of two players."""

    seats: list[Seat] = field(default_factory=lambda: [Seat(), Seat()])
    stack: list[Card] = field(default_factory=list)
    active: int = 0
    turn: int = 1
    phase: str = "main1"
    priority: int = 0
    passes: int = 0

    def play_land(self, who: int, card: Card) -> None:
        """Play a land from hand."""
        seat = self.seats[who]
        if self.priority != who or self.active != who or self.stack or not self.phase.startswith("main"):
            raise RulesError("not now")
        if card.name not in LANDS or card not in seat.hand or seat.played_land:
            raise RulesError("that cannot be played")
        seat.hand.remove(card)
        seat.board.append(card)
        seat.played_land = True
        self.passes = 0

    def cast(self, who: int, card: Card, flashback: bool) -> None:
        """Cast an instant from hand, or from the graveyard."""
        seat = self.seats[who]
        zone = seat.grave if flashback else seat.hand
        if self.priority != who or card not in zone or card.name not in SPELLS:
            raise RulesError("that cannot be cast")
        cost, flashback_cost, _ = SPELLS[card.name]
        if flashback and flashback_cost is not None:
            cost = flashback_cost
        elif flashback:
            raise RulesError("it has no flashback")
        self.pay(seat, cost)
        zone.remove(card)
        card.flashback = flashback
        self.stack.append(card)
        self.passes = 0

    def pay(self, seat: Seat, cost: str) -> None:
        """Tap lands for a cost such as ``2U``."""
        lands = [card for card in seat.board if not card.tapped and card.name in LANDS]
        colored = [next((card for card in lands if LANDS[card.name] == symbol), None) for symbol in cost[1:]]
        if None in colored or len(lands) < int(cost[0]) + len(colored):
            raise RulesError("not enough mana")
        others = [card for card in lands if card not in colored][: int(cost[0])]
        for card in (*colored, *others):
            if card is not None:
                card.tapped = True

    def pass_priority(self, who: int) -> None:
        """Pass; when both have passed, the top spell resolves or the phase ends."""
        if self.priority != who:
            raise RulesError("not now")
        self.passes += 1
        self.priority = 1 - who
        if self.passes == 2:
            self.passes = 0
            if self.stack:
                self.resolve(self.stack.pop())
            else:
                self.next_phase()
            self.priority = self.active

    def resolve(self, card: Card) -> None:
        """Draw the cards, and put the spell where it goes."""
        seat = self.seats[card.owner]
        self.draw(card.owner, SPELLS[card.name][2])
        (seat.exile if card.flashback else seat.grave).append(card)

    def draw(self, who: int, count: int) -> None:
        """Draw cards; who cannot, loses."""
        seat = self.seats[who]
        for _ in range(count):
            if not seat.library:
                seat.dead = True
                return
            seat.hand.append(seat.library.pop(0))
            seat.drawn += 1

    def next_phase(self) -> None:
        """Go on to the next phase, or turn."""
        if self.phase == PHASES[-1]:
            self.turn += 1
            self.active = 1 - self.active
            for seat in self.seats:
                seat.drawn = 0
                seat.played_land = False
            for card in self.seats[self.active].board:
                card.tapped = False
        self.phase = PHASES[(PHASES.index(self.phase) + 1) % len(PHASES)]
        if self.phase == "draw":
            self.draw(self.active, 1)
