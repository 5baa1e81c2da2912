"""What the case format allows: it loads, as what it means, and the JSON Schema agrees."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from judgecall.schema.loader import load_text, names_mentioned
from judgecall.schema.model import Answer, Case, Expectation, ObjectGiven, PlayerGiven, Step, Value
from judgecall.schema.validate import validate_text

EVERYTHING = """\
# yaml-language-server: $schema=../../schema/ruling.schema.json
ruling: tests/everything
summary: {en: A line of our own., fr: "Une phrase : la nôtre."}
rules: ["702.34a", 601.2, 702, "104"]
not_acting: {"104": It is a heading., 601.2: "So is this, in this file."}
sources:
  - card: Think Twice
    publisher: wotc
    date: 2025-06-06
    language: en
    digest: "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
cases:
  - case: objects
    title: Every key of a starting state
    given:
      active: bob
      step: end of combat
      turn: 3
      format: commander
      day_night: night
      alice:
        life: 7
        hand: [Think Twice, "Summon: Bahamut", {card: 1996 World Champion}]
        battlefield:
          - {card: Exalted Angel, as: angel, tapped: true, counters: {"+1/+1": 2}, damage: 1,
             face_down: morph}
          - {card: "Delver of Secrets // Insectile Aberration", as: delver, face: back, summoning_sick: yes}
          - {card: Clone, copy_of: Grizzly Bears, controller: bob}
          - {card: Pacifism, attached_to: angel}
          - {card: Grizzly Bears, token: true}
          - {token: Treasure, tapped: no, as: gold}
          - {card: Invasion of Kylem, protector: bob, counters: {}}
          - {card: Painter's Servant, chosen: {color: red, type: Elf}}
          - 3 Island
        graveyard: [Firebolt]
        library: [2 Forest, Swamp]
        exile: [{card: Lotus Bloom, counters: {time: 3}}, {card: Wildcall, face_down: effect}]
        command: ["Admiral Brass, Unsinkable"]
        deck: [99 Swamp, {card: Island, commander: true}]
        counters: {poison: 3}
        mana: "{U}{U}"
        lands_played: 1
      bob:
      carol:
        battlefield:
          - {card: Curse of Leeches, attached_to: carol}
          - {card: Shuko, attached_to: "Island#2"}
    then:
      carol: {life: 40}
  - case: verbs
    title: Every verb and key of one
    given:
      alice:
        hand: [Shock, Forest, Into the Roil, Blaze]
        battlefield: [{card: Ornithopter, as: bird}, 4 Island]
      bob: {battlefield: [2 Grizzly Bears, Ornithopter]}
      carol: {}
    when:
      - cast: Into the Roil
        by: alice
        using: [buyback, {flashback: "{3}{G}"}, Omniscience]
        face: fused
        x: 0
        modes: [1, 3]
        targets: [bob, [bird, Ornithopter#2], copy of Shock, "ability of bird#2"]
        kicked: yes
        costs:
          discard: [Shock]
          sacrifice: [2 Island]
          exile: []
          tap: [bird]
          return: [Island#1]
          remove: {charge: 2, bird: {"+1/+1": 1}}
          life: 2
        paying: "{U}{U/P}"
      - {cast: Blaze, using: {flashback: "{X}{R}, Sacrifice a land"}, kicked: {"{1}{R}": 2, "{U}": no}, x: 3}
      - {cast: Blaze, using: without paying, kicked: 2, modes: 2, targets: [],
         paying: [Island#1, 2 Island, "{C}"]}
      - {activate: bird, ability: 2, x: 1, modes: [1], targets: [carol], costs: {}, paying: bird}
      - {activate: bird, ability: equip}
      - {play: Forest, face: back}
      - {turn face up: bird, using: mana cost, costs: {discard: [Forest]}, paying: [Island#1]}
      - attack: [bird, Ornithopter#2]
      - attack: {bird: bob, Ornithopter#2: Grizzly Bears#1}
      - attack: []
      - block: {Grizzly Bears#1: bird, Grizzly Bears#2: [bird, Ornithopter#2]}
        by: bob
      - resolve: top
      - resolve: all
      - pass: bob
      - {advance: declare blockers, of: bob, turn: next}
      - advance: cleanup
      - concede: carol
      - check:
          bird: {zone: battlefield}
          legal: [{cast: Shock, targets: [bob], choices: [{pay: yes}]}]
  - case: answers
    title: Every answer
    given: {alice: {battlefield: [{card: Ornithopter, as: bird}]}}
    when:
      - resolve: top
        choices:
          - {may: yes}
          - {pay: "no", by: bob}
          - {pick: [bird, bob, Ornithopter], options: [bird, bob], not: [alice]}
          - {targets: [bird]}
          - {targets: [[bird], [bob]]}
          - {targets: same}
          - {modes: [2, 1], options: [1, 2, 3]}
          - {modes: 1}
          - {x: 4}
          - {number: -1}
          - {color: red, not: [white]}
          - {type: Elf, options: [Elf, Goblin]}
          - {name: Forest}
          - {mana: "{G}{G}"}
          - {order: [ability of bird#2, ability of bird]}
          - {surveil: {top: [bird], graveyard: []}}
          - {scry: {bottom: [bird]}}
          - {divide: {bird: 2, bob: 1}}
          - {replacement: bird}
          - {cast: Ornithopter, by: bob, using: without paying, x: 0, targets: [bob], modes: [1], kicked: 1}
          - {coin: heads}
          - {roll: 4}
  - case: expectations
    title: Every property
    status: disputed
    why: The rules are silent.
    since: 2026-06-19
    long: yes
    holds_before: Nothing is done.
    given:
      alice: {battlefield: [{card: Clone, as: fake}, Ornithopter], deck: [60 Island]}
      dave:
    then:
      fake:
        zone: nowhere
        owner: alice
        controller: bob
        name: ""
        mana_cost: "{2}{W/U}{G/W/P}{X}{2/R}{C/B}{S}{16}"
        mana_value: 3
        colors: [white, blue]
        color_identity: []
        supertypes: [Legendary]
        types: [Artifact, Creature]
        subtypes: [Elf]
        power: -1
        toughness: 0
        loyalty: null
        defense: 4
        has: [first strike]
        lacks: flying
        counters: {}
        damage: 0
        tapped: no
        face_down: true
        face_down_by: manifest dread
        face: back
        attached_to: null
        attachments: [Ornithopter]
        attacking: dave
        blocking: [Ornithopter]
        summoning_sick: yes
        token: no
        copy: yes
        revealed_to: [bob]
        targets: [bob, Ornithopter]
        x: 2
      Ornithopter:
        {attacking: yes, blocking: no, attached_to: fake, controller: null, mana_cost: "", targets: bob}
      Spirit Token#3: {zone: battlefield, attacking: null, blocking: null}
      copy of Ornithopter: {zone: stack}
      ability of fake#2: {controller: alice}
      alice:
        life: -3
        counters: {poison: 0}
        mana: ""
        hand: []
        graveyard: [3 Island, Ornithopter]
        library: [Forest, "Summon: Bahamut"]
        exile: [""]
        battlefield: [Spirit Token]
        command: []
        hand_size: 0
        battlefield_size: 1
        graveyard_size: 4
        library_size: 2
        exile_size: 1
        command_size: 0
        count: {battlefield: {Treasure Token: 2, "": 1}, stack: {Shock: 0}}
        lost: no
        won: true
        drawn: 0
        deck_legal: no
      stack: [copy of Ornithopter, ability of fake]
      game: {active: dave, step: declare attackers, turn: 2, priority: null, day_night: neither,
             over: no, winner: null}
      legal:
        - {cast: Ornithopter}
        - {attack: [Ornithopter]}
      illegal:
        - {cast: Ornithopter, using: flashback, because: "702.34a", at: permission}
        - {activate: Ornithopter, because: 602}
        - {block: {Ornithopter: fake}, by: bob, at: costs}
        - {play: Forest}
        - {turn face up: fake, using: morph}
"""


@pytest.fixture(scope="module")
def cases() -> dict[str, Case]:
    return {case.name: case for case in load_text(EVERYTHING, "everything.yaml").cases}


def card(player: PlayerGiven, zone: str, index: int) -> ObjectGiven:
    found: ObjectGiven = getattr(player, zone)[index]
    return found


def load_case(body: str) -> Case:
    """Load the one case of a ruling; ``body`` is its keys after ``case``, on lines of their own."""
    lines = "\n".join("    " + line for line in body.splitlines())
    text = f"ruling: a/b\ncases:\n  - case: c\n{lines}\n"
    case = load_text(text, "b.yaml").cases[0]
    assert validate_text(text, "b.yaml") == ()
    return case


def test_the_schema_takes_everything_too() -> None:
    assert validate_text(EVERYTHING, "everything.yaml") == ()


def test_the_top_of_a_file() -> None:
    ruling = load_text(EVERYTHING, "everything.yaml")
    assert ruling.id == "tests/everything"
    assert ruling.path == "everything.yaml"
    assert ruling.summary["fr"] == "Une phrase : la nôtre."
    assert ruling.rules == ("702.34a", "601.2", "702", "104")
    assert ruling.not_acting == {"104": "It is a heading.", "601.2": "So is this, in this file."}
    assert (ruling.sources[0].card, ruling.sources[0].date) == ("Think Twice", "2025-06-06")
    case = ruling.cases[3]
    assert case.id == "tests/everything::expectations"
    assert case.rules == ruling.rules
    assert (case.status, case.why, case.since) == ("disputed", "The rules are silent.", "2026-06-19")
    assert (case.long, case.holds_before) == (True, "Nothing is done.")


def test_a_starting_state(cases: Mapping[str, Case]) -> None:
    given = cases["objects"].given
    assert (given.active, given.step, given.turn, given.format, given.day_night) == (
        "bob",
        "end of combat",
        3,
        "commander",
        "night",
    )
    alice, bob, carol = given.players
    assert (alice.life, alice.mana, alice.lands_played, dict(alice.counters)) == (
        7,
        "{U}{U}",
        1,
        {"poison": 3},
    )
    assert [thing.card for thing in alice.hand] == ["Think Twice", "Summon: Bahamut", "1996 World Champion"]
    assert [thing.card for thing in alice.library] == ["Forest", "Forest", "Swamp"]
    assert len(alice.deck) == 100
    assert (bob.name, bob.life, carol.name) == ("bob", 40, "carol")


def test_objects(cases: Mapping[str, Case]) -> None:
    alice = cases["objects"].given.players[0]
    angel, delver, clone, pacifism, bears, gold, siege, servant = alice.battlefield[:8]
    assert (angel.card, angel.alias, angel.tapped, angel.damage) == ("Exalted Angel", "angel", True, 1)
    assert (angel.face_down, dict(angel.counters or {})) == ("morph", {"+1/+1": 2})
    assert (delver.face, delver.summoning_sick, delver.tapped) == ("back", True, False)
    assert (clone.copy_of, clone.controller) == ("Grizzly Bears", "bob")
    assert (pacifism.attached_to, pacifism.attached_handle) == ("angel", "alice.battlefield.0")
    assert (bears.card, bears.token, bears.token_name) == ("Grizzly Bears", True, None)
    assert (gold.card, gold.token, gold.token_name, gold.alias) == ("", True, "Treasure", "gold")
    assert (siege.protector, siege.counters) == ("bob", {})
    assert dict(servant.chosen) == {"color": "red", "type": "Elf"}
    assert (angel.counters is None, bears.counters) == (False, None)
    assert alice.command[0].commander
    assert not alice.hand[0].commander
    bloom, hidden = alice.exile
    assert (dict(bloom.counters or {}), hidden.face_down) == ({"time": 3}, "effect")


def test_handles_count_per_zone_and_numbers_make_several_objects() -> None:
    alice = load_case("given: {alice: {battlefield: [Forest, 2 Island, {card: Swamp}]}}\nwhen: []").given.players[0]
    assert [(thing.handle, thing.card) for thing in alice.battlefield] == [
        ("alice.battlefield.0", "Forest"),
        ("alice.battlefield.1", "Island"),
        ("alice.battlefield.2", "Island"),
        ("alice.battlefield.3", "Swamp"),
    ]


def test_an_unlisted_library_is_ten_plains_outside_the_order() -> None:
    alice, bob = load_case("given: {bob: {library: []}}\nthen: {}").given.players
    assert [thing.handle for thing in alice.library] == [f"alice.library.default.{n}" for n in range(10)]
    assert {(thing.card, thing.order) for thing in alice.library} == {("Plains", None)}
    assert bob.library == ()


def test_the_order_listed_is_that_of_the_file_but_alice_is_first() -> None:
    given = load_case(
        "given:\n  bob: {hand: [Island]}\n  alice: {battlefield: [2 Island], hand: [Island], deck: [Island]}\nthen: {}"
    ).given
    alice, bob = given.players
    assert [thing.order for thing in alice.battlefield] == [0, 1]
    assert (alice.hand[0].order, bob.hand[0].order, alice.deck[0].order) == (2, 3, None)


@pytest.mark.parametrize(
    ("reference", "handle"),
    [
        ("bob", "bob"),
        ("bear", "alice.battlefield.0"),
        ("Grizzly Bears#2", "bob.battlefield.0"),
        ("Clone", "bob.battlefield.1"),
        ("Runeclaw Bear", "bob.battlefield.1"),
        ("Fire", "bob.battlefield.2"),
        ("Fire // Ice", "bob.battlefield.2"),
        ("Food Token", "bob.battlefield.3"),
        ("Shuko", "bob.battlefield.4"),
        ("Shuko // Its Back", "bob.battlefield.4"),
        ("Insectile Aberration", "bob.battlefield.5"),
    ],
)
def test_what_something_is_attached_to(reference: str, handle: str) -> None:
    case = load_case(
        "given:\n"
        "  alice:\n"
        "    battlefield:\n"
        "      - {card: Grizzly Bears, as: bear}\n"
        f'      - {{card: Pacifism, attached_to: "{reference}"}}\n'
        "  bob:\n"
        "    hand: [Shuko]\n"
        "    battlefield:\n"
        "      [Grizzly Bears, {card: Clone, copy_of: Runeclaw Bear}, Fire // Ice, {token: Food}, Shuko,\n"
        "       {card: Delver of Secrets, face: back}]\n"
        "then: {}"
    )
    assert case.given.players[0].battlefield[1].attached_handle == handle


def test_defaults() -> None:
    case = load_text("ruling: a\ncases: [{case: 1, when: [{resolve: all}]}]", "a.yaml").cases[0]
    assert (case.id, case.title, case.rules, case.status, case.long) == ("a::1", "1", (), None, False)
    given = case.given
    assert (given.active, given.step, given.turn) == ("alice", "precombat main", 1)
    assert (given.format, given.day_night) == (None, None)
    assert [(player.name, player.life) for player in given.players] == [("alice", 20), ("bob", 20)]
    assert case.then.subjects == ()


def test_steps(cases: Mapping[str, Case]) -> None:
    when = cases["verbs"].when
    first = when[0]
    assert (first.verb, first.subject, first.by) == ("cast", "Into the Roil", "alice")
    assert dict(first.args) == {
        "using": ("buyback", {"flashback": "{3}{G}"}, "Omniscience"),
        "face": "fused",
        "x": 0,
        "modes": (1, 3),
        "targets": ("bob", ("bird", "Ornithopter#2"), "copy of Shock", "ability of bird#2"),
        "kicked": 1,
        "costs": {
            "discard": ("Shock",),
            "sacrifice": ("2 Island",),
            "exile": (),
            "tap": ("bird",),
            "return": ("Island#1",),
            "remove": {"charge": 2, "bird": {"+1/+1": 1}},
            "life": 2,
        },
        "paying": "{U}{U/P}",
    }
    assert when[1].args["using"] == ({"flashback": "{X}{R}, Sacrifice a land"},)
    assert when[1].args["kicked"] == {"{1}{R}": 2, "{U}": 0}
    assert when[2].args == {
        "using": ("without paying",),
        "kicked": 2,
        "modes": (2,),
        "paying": ("Island#1", "2 Island", "{C}"),
        "targets": (),
    }
    assert when[3].args["paying"] == ("bird",)
    assert [step.args["ability"] for step in when[3:5]] == [2, "equip"]


def test_other_verbs(cases: Mapping[str, Case]) -> None:
    found: list[tuple[str, Value, dict[str, Value]]] = [
        (step.verb, step.subject, dict(step.args)) for step in cases["verbs"].when[5:17]
    ]
    assert found == [
        ("play", "Forest", {"face": "back"}),
        (
            "turn face up",
            "bird",
            {"using": "mana cost", "costs": {"discard": ("Forest",)}, "paying": ("Island#1",)},
        ),
        ("attack", ("bird", "Ornithopter#2"), {}),
        ("attack", {"bird": "bob", "Ornithopter#2": "Grizzly Bears#1"}, {}),
        ("attack", (), {}),
        ("block", {"Grizzly Bears#1": "bird", "Grizzly Bears#2": ("bird", "Ornithopter#2")}, {}),
        ("resolve", "top", {}),
        ("resolve", "all", {}),
        ("pass", "bob", {}),
        ("advance", "declare blockers", {"of": "bob", "turn": "next"}),
        ("advance", "cleanup", {}),
        ("concede", "carol", {}),
    ]
    check = cases["verbs"].when[17]
    assert (check.verb, check.subject) == ("check", None)
    assert check.expect is not None
    assert check.expect.subjects[0].subject == "bird"
    assert check.expect.probes[0].legal
    assert check.expect.probes[0].step.choices[0].kind == "pay"


def test_answers(cases: Mapping[str, Case]) -> None:
    answers: tuple[Answer, ...] = cases["answers"].when[0].choices
    assert [(answer.kind, answer.value) for answer in answers] == [
        ("may", True),
        ("pay", False),
        ("pick", ("bird", "bob", "Ornithopter")),
        ("targets", ("bird",)),
        ("targets", (("bird",), ("bob",))),
        ("targets", "same"),
        ("modes", (2, 1)),
        ("modes", (1,)),
        ("x", 4),
        ("number", -1),
        ("color", "red"),
        ("type", "Elf"),
        ("name", "Forest"),
        ("mana", "{G}{G}"),
        ("order", ("ability of bird#2", "ability of bird")),
        ("surveil", {"top": ("bird",), "graveyard": ()}),
        ("scry", {"bottom": ("bird",)}),
        ("divide", {"bird": 2, "bob": 1}),
        ("replacement", "bird"),
        ("cast", "Ornithopter"),
        ("coin", "heads"),
        ("roll", 4),
    ]
    assert answers[1].by == "bob"
    assert (answers[2].options, answers[2].excluded) == (("bird", "bob"), ("alice",))
    assert (answers[3].options, answers[3].excluded, answers[3].by) == (None, None, None)
    assert answers[6].options == (1, 2, 3)
    assert answers[19].by == "bob"
    assert dict(answers[19].args) == {
        "using": ("without paying",),
        "x": 0,
        "targets": ("bob",),
        "modes": (1,),
        "kicked": 1,
    }


def test_expectations(cases: Mapping[str, Case]) -> None:
    then = cases["expectations"].then
    by_subject: dict[str, Expectation] = {expectation.subject: expectation for expectation in then.subjects}
    assert [(expectation.kind, name) for name, expectation in by_subject.items()] == [
        ("object", "fake"),
        ("object", "Ornithopter"),
        ("object", "Spirit Token#3"),
        ("object", "copy of Ornithopter"),
        ("object", "ability of fake#2"),
        ("player", "alice"),
        ("stack", "stack"),
        ("game", "game"),
    ]
    fake = by_subject["fake"].facts
    assert (fake["zone"], fake["name"], fake["power"], fake["loyalty"]) == ("nowhere", "", -1, None)
    assert (fake["colors"], fake["color_identity"], fake["lacks"]) == (("white", "blue"), (), ("flying",))
    assert (fake["counters"], fake["attached_to"], fake["attacking"]) == ({}, None, "dave")
    assert (fake["blocking"], fake["revealed_to"], fake["copy"]) == (("Ornithopter",), ("bob",), True)
    thopter = by_subject["Ornithopter"].facts
    assert (thopter["attacking"], thopter["blocking"], thopter["targets"]) == (True, False, ("bob",))
    alice = by_subject["alice"].facts
    assert (alice["hand"], alice["graveyard"], alice["exile"]) == ((), ("3 Island", "Ornithopter"), ("",))
    assert alice["count"] == {"battlefield": {"Treasure Token": 2, "": 1}, "stack": {"Shock": 0}}
    assert (alice["life"], alice["deck_legal"], alice["won"]) == (-3, False, True)
    assert by_subject["stack"].facts == {"stack": ("copy of Ornithopter", "ability of fake")}
    game = by_subject["game"].facts
    assert (game["day_night"], game["winner"], game["step"]) == (None, None, "declare attackers")


def test_probes(cases: Mapping[str, Case]) -> None:
    probes = cases["expectations"].then.probes
    steps: list[Step] = [probe.step for probe in probes]
    assert [(step.verb, probe.legal) for step, probe in zip(steps, probes, strict=True)] == [
        ("cast", True),
        ("attack", True),
        ("cast", False),
        ("activate", False),
        ("block", False),
        ("play", False),
        ("turn face up", False),
    ]
    assert (probes[2].because, probes[2].at, dict(steps[2].args)) == (
        "702.34a",
        "permission",
        {"using": ("flashback",)},
    )
    assert (probes[3].because, probes[3].at) == ("602", None)
    assert (probes[4].at, steps[4].by) == ("costs", "bob")


def test_names_mentioned(cases: Mapping[str, Case]) -> None:
    assert names_mentioned(cases["expectations"]) == {
        "Clone",
        "Ornithopter",
        "Island",
        "Forest",
        "Summon: Bahamut",
        "Spirit Token",
        "Treasure Token",
        "Shock",
    }


@pytest.mark.parametrize("word", ["on", "off", "y", "n", "1e3", "1:30", "2026-06-19", "1.50", "0x1F", "1_000"])
def test_words_that_some_yaml_takes_for_something_else_are_text(word: str) -> None:
    case = load_case(f"given: {{alice: {{battlefield: [{{card: {word}, as: a}}]}}}}\nthen: {{a: {{name: {word}}}}}")
    assert case.given.players[0].battlefield[0].card == word
    assert case.then.subjects[0].facts["name"] == word


def test_a_numbers_key_and_value_are_as_written() -> None:
    case = load_text("ruling: a\nrules: [603.10, 7.1]\ncases: [{case: 007, title: 1.0, then: {}}]", "a.yaml").cases[0]
    assert (case.name, case.title, case.rules) == ("007", "1.0", ("603.10", "7.1"))


def test_anchors_may_repeat_a_value() -> None:
    case = load_case("given: {alice: &side {hand: [Shock]}, bob: *side}\nthen: {bob: {hand: [Shock]}}")
    assert [player.hand[0].handle for player in case.given.players] == ["alice.hand.0", "bob.hand.0"]


def test_loaded_data_cannot_be_changed(cases: Mapping[str, Case]) -> None:
    facts = cases["expectations"].then.subjects[0].facts
    with pytest.raises(TypeError):
        facts["zone"] = "hand"  # type: ignore[index]
    with pytest.raises(AttributeError):
        cases["objects"].given.players[0].life = 1  # type: ignore[misc]
