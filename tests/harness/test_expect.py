"""What ``then`` says, held against what an engine shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from judgecall.adapters.engine import ObjectView, PlayerView, View
from judgecall.harness.expect import mana_symbols

from tests.harness.helpers import verdict
from tests.harness.toys import Strict, Toy

GIVEN = """
given:
  alice:
    life: 17
    mana: "{U}{U}{R}"
    hand: [Think Twice, Island]
    battlefield:
      - 2 Island
      - {card: Grizzly Bears, as: bear, counters: {"+1/+1": 2, shield: 1}}
      - {card: Exalted Angel, as: angel, face_down: morph}
      - {card: Clone, copy_of: Hill Giant}
      - {card: Unsummon, as: aura, attached_to: bear}
      - {token: Treasure}
      - {token: Treasure}
    graveyard: [Fire // Ice]
    library: [Shock, Forest, Shock]
  bob: {exile: [Delver of Secrets // Insectile Aberration]}
then:
"""


class Showing(Toy):
    """Shows facts that a test sets."""

    capabilities = frozenset({"strict"})

    def __init__(self, **facts: Any) -> None:
        super().__init__()
        self.facts = facts

    def view(self) -> View:
        view = super().view()
        for seen in view.objects.values():
            if seen.card == "alice.battlefield.2":
                assert isinstance(seen.facts, dict)
                seen.facts.update(self.facts)
        return view


def outcome(expected: str, **facts: Any) -> str:
    """The verdict on an expectation, over facts that the bear then has."""
    return verdict(GIVEN + f"  {expected}\n", Showing(**facts)).verdict


HOLDS = [
    "bear: {zone: battlefield, owner: alice, controller: alice, name: Grizzly Bears}",
    "bear: {mana_cost: null}",
    'bear: {mana_cost: ""}',
    'Think Twice: {mana_cost: "{U}{1}", mana_value: 2, colors: [blue]}',
    "bear: {colors: [], types: [Creature], power: 2, toughness: 2, supertypes: []}",
    "Island#1: {power: null, supertypes: [Basic], types: [Land]}",
    'bear: {counters: {"+1/+1": 2}}',
    'bear: {counters: {"+1/+1": 2, shield: 1, charge: 0}}',
    "angel: {counters: {}, face_down: true, name: ''}",
    "bear: {damage: 0, tapped: no, attached_to: null, attachments: [aura], attacking: no, blocking: no}",
    "aura: {attached_to: Grizzly Bears, attachments: []}",
    "aura: {attached_to: bear}",
    "bear: {lacks: [flying], has: []}",
    "Treasure Token#2: {token: yes, zone: battlefield}",
    "Think Twice: {revealed_to: [alice], targets: []}",
    "bear: {revealed_to: bob}",
    "Spirit Token: {zone: nowhere}",
    "alice: {life: 17, mana: '{R}{U}{U}', lost: no, won: no, drawn: 0, counters: {}}",
    "bob: {mana: '', counters: {poison: 0}}",
    "alice: {hand: [Island, Think Twice]}",
    "alice: {hand: [Think Twice, Island#1]}",
    "alice: {battlefield: [Unsummon, 2 Island, bear, Hill Giant, 2 Treasure Token, Exalted Angel]}",
    "alice: {battlefield: [aura, Island#2, Island#3, Grizzly Bears, Hill Giant, 2 Treasure Token, angel]}",
    "alice: {battlefield: [aura, 2 Island, Grizzly Bears, Hill Giant, 2 Treasure Token, '']}",
    "alice: {library: [Shock, Forest, Shock], exile: [], command: []}",
    "alice: {graveyard: [Fire]}",
    "alice: {graveyard: [Fire // Ice]}",
    "bob: {exile: [Delver of Secrets]}",
    "bob: {exile: [Delver of Secrets // Insectile Aberration]}",
    "alice: {hand_size: 2, library_size: 3, battlefield_size: 8, graveyard_size: 1, exile_size: 0}",
    "alice: {count: {battlefield: {Treasure Token: 2, Island: 2, Swamp: 0}, hand: {Island: 1}}}",
    "stack: []",
    "game: {active: alice, step: precombat main, turn: 1, priority: alice, over: no, winner: null}",
    "game: {day_night: neither}",
]

DIFFERS = [
    "bear: {zone: graveyard}",
    "bear: {zone: nowhere}",
    "bear: {owner: bob}",
    "bear: {name: Hill Giant}",
    'bear: {mana_cost: "{0}"}',
    'Think Twice: {mana_cost: "{U}{U}"}',
    'Think Twice: {mana_cost: "{1}{U}{U}"}',
    "Think Twice: {mana_cost: null}",
    "Think Twice: {colors: []}",
    "Think Twice: {colors: [blue, red]}",
    "bear: {types: [Creature, Artifact]}",
    "bear: {power: 3}",
    "bear: {power: null}",
    'bear: {counters: {"+1/+1": 1}}',
    "bear: {counters: {charge: 1}}",
    "bear: {counters: {}}",
    "bear: {tapped: yes}",
    "bear: {attached_to: aura}",
    "bear: {attachments: []}",
    "bear: {attachments: [aura, angel]}",
    "aura: {attached_to: null}",
    "aura: {attached_to: bob}",
    "bear: {has: [flying]}",
    "bear: {attacking: yes}",
    "bear: {blocking: angel}",
    "Think Twice: {revealed_to: [alice, bob]}",
    "Spirit Token: {zone: battlefield}",
    "angel: {face_down: no}",
    "angel: {name: Exalted Angel}",
    "alice: {life: 20}",
    "alice: {mana: '{U}{R}'}",
    "alice: {mana: ''}",
    "alice: {lost: yes}",
    "alice: {hand: [Think Twice]}",
    "alice: {hand: [Think Twice, Island, Island]}",
    "alice: {hand: [Think Twice, Forest]}",
    "alice: {hand: [Think Twice, Island#2]}",
    "alice: {battlefield: [Unsummon, 2 Island, bear, Clone, 2 Treasure Token, angel]}",
    "alice: {library: [Forest, Shock, Shock]}",
    "alice: {library: [Shock]}",
    "alice: {hand_size: 1}",
    "alice: {count: {battlefield: {Treasure Token: 1}}}",
    "alice: {count: {hand: {Shock: 1}}}",
    "stack: [Think Twice]",
    "game: {step: upkeep}",
    "game: {turn: 2}",
    "game: {priority: null}",
    "game: {over: yes}",
    "game: {day_night: day}",
]


@pytest.mark.parametrize("expected", HOLDS)
def test_holds(expected: str) -> None:
    result = verdict(GIVEN + f"  {expected}\n", Strict())
    assert result.verdict == "pass", result.message


@pytest.mark.parametrize("expected", DIFFERS)
def test_does_not_hold(expected: str) -> None:
    result = verdict(GIVEN + f"  {expected}\n", Strict())
    assert result.verdict == "fail"
    assert len(result.mismatches) == 1
    subject = expected.partition(":")[0]
    assert result.mismatches[0].subject.startswith(subject)


@pytest.mark.parametrize(
    ("expected", "facts", "found"),
    [
        ("bear: {has: [Flying, first strike]}", {"keywords": ["first strike", "flying"]}, "pass"),
        ("bear: {has: [flying]}", {"keywords": ["first strike"]}, "fail"),
        ("bear: {lacks: [flying, trample]}", {"keywords": ["trample"]}, "fail"),
        ("bear: {colors: [red, blue]}", {"colors": ("blue", "red")}, "pass"),
        ("bear: {colors: [red]}", {"colors": ["red", "red"]}, "fail"),
        ("bear: {subtypes: [Bear, Elf]}", {"subtypes": ["Elf", "Bear"]}, "pass"),
        ("bear: {power: 2}", {"power": "2"}, "pass"),
        ("bear: {power: 1}", {"power": True}, "fail"),
        ("bear: {power: 0}", {"power": None}, "fail"),
        ("bear: {face_down: no}", {"face_down": None}, "pass"),
        ("bear: {face_down: no}", {"face_down": "morph"}, "fail"),
        ("bear: {attacking: bob}", {"attacking": "bob"}, "pass"),
        ("bear: {attacking: yes}", {"attacking": "bob"}, "pass"),
        ("bear: {attacking: no}", {"attacking": "bob"}, "fail"),
        ("bear: {attacking: alice}", {"attacking": "bob"}, "fail"),
        ("bear: {attacking: [bob]}", {"attacking": "bob"}, "pass"),
        ("bear: {attacking: null}", {"attacking": None}, "pass"),
        ("bear: {attacking: null}", {"attacking": "bob"}, "fail"),
        ("bear: {blocking: null}", {"blocking": ()}, "pass"),
        ("bear: {blocking: null}", {"blocking": ["o6"]}, "fail"),
        ("bear: {blocking: [aura, angel]}", {"blocking": ["o6", "o8"]}, "pass"),
        ("bear: {blocking: aura}", {"blocking": ["o6", "o8"]}, "fail"),
        ("bear: {blocking: no}", {"blocking": ()}, "pass"),
        ("bear: {targets: [angel, bob]}", {"targets": ["o6", "bob"]}, "pass"),
        ("bear: {targets: [angel, bob]}", {"targets": [["o6"], ["bob"]]}, "pass"),
        ("bear: {targets: [bob, angel]}", {"targets": ["o6", "bob"]}, "fail"),
        ("bear: {targets: [angel]}", {"targets": ["o6", "bob"]}, "fail"),
        ("bear: {x: 2}", {"x": 2}, "pass"),
        ("bear: {x: null}", {"x": 0}, "fail"),
        ("bear: {loyalty: 4}", {"loyalty": 5}, "fail"),
        ('bear: {mana_cost: "{2/W}{U/P}"}', {"mana_cost": "{u/p}{2/w}"}, "pass"),
        ("bear: {face: back, face_down_by: morph}", {"face": "back", "face_down_by": "morph"}, "pass"),
        ("bear: {copy: yes}", {"copy": False}, "fail"),
    ],
)
def test_facts_are_compared_by_what_they_are(expected: str, facts: dict[str, Any], found: str) -> None:
    assert outcome(expected, **facts) == found


@pytest.mark.parametrize(
    ("expected", "name"),
    [
        ("bear: {power: 2}", "power"),
        ("bear: {has: [flying]}", "keywords"),
        ("alice: {life: 17}", "life"),
        ("bear: {copy: no}", "copy"),
        ("alice: {deck_legal: yes}", "deck_legal"),
    ],
)
def test_a_fact_that_is_not_shown_is_unsupported(expected: str, name: str) -> None:
    class Hiding(Strict):
        missing = frozenset({"power", "keywords", "life"})

    result = verdict(GIVEN + f"  {expected}\n", Hiding())
    assert result.verdict == "unsupported"
    assert result.unsupported == ("property", name)
    assert result.message == f"property: {name}"


def test_a_failure_is_worse_than_a_fact_that_is_not_shown() -> None:
    class Hiding(Strict):
        missing = frozenset({"power"})

    result = verdict(GIVEN + "  bear: {power: 2, tapped: yes}\n", Hiding())
    assert result.verdict == "fail"
    steps = "when: [{check: {bear: {power: 2}}}, {activate: bear}, {resolve: all}]\nthen:"
    later = GIVEN.replace("then:", steps)
    assert verdict(later + "  {bear: {tapped: no}}", Hiding()).verdict == "fail"
    assert verdict(later + "  {bear: {tapped: yes}}", Hiding()).verdict == "unsupported"


def test_all_that_differs_is_told() -> None:
    result = verdict(GIVEN + "  bear: {tapped: yes, power: 3}\n  alice: {life: 1, hand: []}\n", Strict())
    assert [str(mismatch) for mismatch in result.mismatches] == [
        "bear: tapped: expected true, got false",
        "bear: power: expected 3, got 2",
        "alice: life: expected 1, got 17",
        "alice: hand: expected [], got [Think Twice, Island]",
    ]
    assert result.message == "; ".join(map(str, result.mismatches))


def test_an_ambiguous_subject_is_a_mistake() -> None:
    result = verdict(GIVEN + "  Island: {tapped: no}\n", Strict())
    assert (result.verdict, result.message) == (
        "invalid",
        "3 objects go by Island: use an alias, or Island#n",
    )
    assert verdict(GIVEN + "  Island: {tapped: no}\n", Toy()).verdict == "fail"


def test_a_transformed_permanent_is_listed_by_its_back_face() -> None:
    class Turned(Strict):
        def view(self) -> View:
            seen = ObjectView(
                "x",
                "battlefield",
                "bob",
                "Insectile Aberration",
                card="bob.exile.0",
                card_name="Delver of Secrets",
            )
            zones = {"battlefield": ("x",)}
            return View({"x": seen}, {"bob": PlayerView("bob", zones, {})}, (), {})

    for listed, found in (
        ("Insectile Aberration", "pass"),
        ("Delver of Secrets // Insectile Aberration", "pass"),
        ("Delver of Secrets", "fail"),
    ):
        result = verdict(GIVEN + f"  bob: {{battlefield: [{listed}]}}\n", Turned())
        assert result.verdict == found, listed


def test_the_stack_is_compared_in_order_and_by_what_is_on_it() -> None:
    given = """
given:
  alice: {hand: [Think Twice, Twin], battlefield: [Herald]}
when:
  - {cast: Think Twice}
  - {cast: Twin, targets: [Think Twice]}
  - {resolve: top}
  - {activate: Herald}
"""
    for stack, found in (
        ("[ability of Herald, copy of Think Twice, Think Twice]", "pass"),
        ("[ability of Herald#1, copy of Think Twice#1, Think Twice]", "pass"),
        ("[copy of Think Twice, ability of Herald, Think Twice]", "fail"),
        ("[ability of Herald, Think Twice, copy of Think Twice]", "fail"),
        ("[ability of Herald, Think Twice]", "fail"),
    ):
        result = verdict(given + f"then: {{stack: {stack}}}", Strict())
        assert result.verdict == found, stack
    gone = given + "  - {resolve: all}\nthen: {copy of Think Twice: {zone: nowhere}, Twin: {zone: graveyard}}"
    assert verdict(gone, Strict()).verdict == "pass"


def test_a_copy_that_is_gone_is_nowhere_and_nothing_else() -> None:
    body = """
given: {alice: {hand: [Think Twice, Twin]}}
when:
  - {cast: Think Twice}
  - {cast: Twin, targets: [Think Twice]}
  - {resolve: top}
  - {check: {copy of Think Twice: {zone: stack, controller: alice}}}
  - {resolve: top}
then: {copy of Think Twice: {%s}}
"""
    assert verdict(body % "zone: nowhere", Strict()).verdict == "pass"
    for expected in ("zone: exile", "controller: alice"):
        result = verdict(body % expected, Strict())
        assert result.verdict == "fail"
        assert result.mismatches[0].actual == "nowhere: it is gone"


def test_what_is_nowhere_and_still_shown_is_compared() -> None:
    class Remembering(Strict):
        def view(self) -> View:
            view = super().view()
            if self.state.lost:
                seen = next(seen for seen in view.objects.values() if seen.card == "alice.battlefield.2")
                objects = {**view.objects, seen.id: replace(seen, zone="nowhere")}
                return replace(view, objects=objects)
            return view

    steps = "when: [{concede: bob}]\nthen:\n  bear: "
    body = GIVEN.replace("then:\n", steps)
    for expected, found in (("{zone: nowhere, revealed_to: [bob]}", "pass"), ("{zone: battlefield}", "fail")):
        assert verdict(body + expected, Remembering()).verdict == found


def test_symbols_of_mana() -> None:
    assert mana_symbols("{1}{U}") == mana_symbols("{u}{1}")
    assert mana_symbols("{0}") != mana_symbols("")
    assert mana_symbols(None) is mana_symbols("") is None
