"""What case authors may say in one way or another comes to the same on the oracle."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from judgecall.adapters.engine import Action, Json
from judgecall.adapters.oracle import OracleEngine

from tests.harness.helpers import verdict

PLOTTED = """
given: {alice: {hand: [Freestrider Commando], mana: "{G}{G}{G}{G}"}}
when:
  - {activate: Freestrider Commando, ability: plot}
  - {advance: precombat main, of: alice, turn: next}
  - {cast: Freestrider Commando%s}
  - resolve: all
then: {Freestrider Commando: {zone: battlefield}}
"""


@pytest.mark.parametrize("using", ["", ", using: plot", ", using: without paying"])
def test_a_plotted_card_is_cast_by_any_name_of_the_permission(using: str) -> None:
    """CR 702.170d."""
    assert verdict(PLOTTED % using, OracleEngine()).verdict == "pass"


def test_no_other_keyword_names_that_permission() -> None:
    assert verdict(PLOTTED % ", using: foretell", OracleEngine()).verdict == "fail"


@pytest.mark.parametrize("rule", ["301.1", "302.1", "117.1a", "601.3"])
def test_each_card_type_says_when_a_spell_may_be_cast(rule: str) -> None:
    """CR 301.1, 302.1: an artifact creature is both."""
    body = (
        'given: {active: bob, alice: {hand: [Memnite]}}\nthen: {illegal: [{cast: Memnite, by: alice, because: "%s"}]}'
    )
    assert verdict(body % rule, OracleEngine()).verdict == "pass"


@pytest.mark.parametrize("rule", ["303.1", "307.1", "304.1"])
def test_the_rule_of_another_card_type_is_no_reason(rule: str) -> None:
    body = (
        'given: {active: bob, alice: {hand: [Memnite]}}\nthen: {illegal: [{cast: Memnite, by: alice, because: "%s"}]}'
    )
    assert verdict(body % rule, OracleEngine()).verdict == "fail"


@pytest.mark.parametrize("paying", ['["{U}", "Island#1"]', '["Island#1", "{U}"]'])
def test_mana_of_the_pool_is_named_beside_a_source(paying: str) -> None:
    body = """
given: {alice: {hand: [Think Twice], mana: "{U}{R}", battlefield: [2 Island]}}
when: [{cast: Think Twice, paying: %s}]
then: {alice: {mana: "{R}"}, "Island#1": {tapped: true}, "Island#2": {tapped: false}}
"""
    assert verdict(body % paying, OracleEngine()).verdict == "pass"


@pytest.mark.parametrize("paying", ['["{U}", "{R}"]', '"{U}{R}"'])
def test_mana_alone_is_said_in_a_list_too(paying: str) -> None:
    body = """
given: {alice: {hand: [Think Twice], mana: "{U}{U}{R}", battlefield: [Island]}}
when: [{cast: Think Twice, paying: %s}]
then: {alice: {mana: "{U}"}, Island: {tapped: false}}
"""
    assert verdict(body % paying, OracleEngine()).verdict == "pass"


@pytest.mark.parametrize("using", ["[splice, Evermind]", "splice", "Evermind"])
def test_a_spliced_card_is_named_beside_the_keyword_or_alone(using: str) -> None:
    """CR 702.47a."""
    body = """
given: {alice: {hand: [Reach Through Mists, Evermind], mana: "{U}{U}{U}"}}
when: [{cast: Reach Through Mists, using: %s}, {resolve: all}]
then: {alice: {drawn: 2, mana: ""}}
"""
    assert verdict(body % using, OracleEngine()).verdict == "pass"


@pytest.mark.parametrize(
    ("given", "step", "rules"),
    [
        (
            "alice: {hand: [Echo Tracer], battlefield: [3 Island]}, bob: {battlefield: [Void Winnower]}",
            "cast: Echo Tracer, using: morph",
            ("101.2", "601.3", "708.4"),
        ),
        (
            "alice: {hand: [Blaze], battlefield: [2 Mountain]}, bob: {battlefield: [Void Winnower]}",
            "cast: Blaze, x: 1, targets: [bob]",
            ("101.2", "601.2e", "601.3a"),
        ),
        (
            "alice: {graveyard: [Baithook Angler], battlefield: [2 Island]},"
            " bob: {battlefield: [{card: Meddling Mage, chosen: {name: Hook-Haunt Drifter}}]}",
            "cast: Baithook Angler, using: disturb",
            ("101.2", "601.3", "712.11c"),
        ),
        (
            "alice: {graveyard: [Cabal Therapy], battlefield: [Memnite]},"
            " bob: {battlefield: ['Yasharn, Implacable Earth']}",
            "cast: Cabal Therapy, using: flashback, targets: [bob]",
            ("101.2", "118.3", "601.2h"),
        ),
        (
            "alice: {hand: [Akoum Warrior], battlefield: [6 Mountain]}",
            "cast: Akoum Warrior, face: back",
            ("305.9", "712.11b"),
        ),
        ("alice: {hand: [Shock]}", "cast: Shock, targets: [bob]", ("118.3", "601.2f", "601.2g", "601.2h")),
        (
            "step: end, alice: {hand: [Divination], battlefield: [3 Island]}",
            "cast: Divination",
            ("117.1a", "307.1", "505.6a", "601.3"),
        ),
        ("active: bob, alice: {hand: [Forest]}", "play: Forest, by: alice", ("116.2a", "305.1", "305.3", "505.6b")),
        ("step: end, alice: {hand: [Forest]}", "play: Forest", ("116.2a", "117.1c", "305.1", "505.6b")),
        ("alice: {hand: [Forest], lands_played: 1}", "play: Forest", ("305.2a", "305.2b", "505.6b")),
        (
            "alice: {hand: [Fire // Ice], battlefield: [2 Mountain]}",
            "cast: Fire, face: left, targets: [bob, bob]",
            ("115.3", "601.2c"),
        ),
        (
            "alice: {hand: [Murder], battlefield: [3 Swamp]}, bob: {graveyard: [Grizzly Bears]}",
            "cast: Murder, targets: [Grizzly Bears]",
            ("115.2", "601.2c"),
        ),
        (
            "alice: {battlefield: [{card: Exalted Angel, as: angel, face_down: morph}, 3 Plains]}",
            "turn face up: angel",
            ("116.2b", "118.3", "601.2h", "702.37e"),
        ),
        (
            "alice: {graveyard: [Wear // Tear], battlefield: [Mountain, Mountain, Plains, Sol Ring, Bad Moon]}",
            "cast: Wear // Tear, face: fused, targets: [Sol Ring, Bad Moon]",
            ("601.3", "702.102a"),
        ),
        ("alice: {battlefield: [Angelic Wall]}", "attack: [Angelic Wall]", ("101.2", "508.1c", "702.3b")),
    ],
)
def test_each_rule_that_refuses_it_is_a_reason(given: str, step: str, rules: tuple[str, ...]) -> None:
    for rule in rules:
        body = f'given: {{{given}}}\nthen: {{illegal: [{{{step}, because: "{rule}"}}]}}'
        assert verdict(body, OracleEngine()).verdict == "pass", rule


@pytest.mark.parametrize(
    ("given", "step", "rule"),
    [
        ("alice: {hand: [Akoum Warrior], battlefield: [6 Mountain]}", "cast: Akoum Warrior, face: back", "708.4"),
        ("step: end, alice: {hand: [Forest]}", "play: Forest", "305.3"),  # it is the player's own turn
        ("alice: {hand: [Shock]}", "cast: Shock, targets: [bob]", "601.2c"),
        ("bob: {graveyard: [Bad Moon]}, alice: {hand: [Demystify], mana: '{W}'}", "cast: Demystify", "115.2"),
    ],
)
def test_another_rule_is_no_reason(given: str, step: str, rule: str) -> None:
    body = f'given: {{{given}}}\nthen: {{illegal: [{{{step}, because: "{rule}"}}]}}'
    assert verdict(body, OracleEngine()).verdict == "fail"


@pytest.mark.parametrize("rule", ["509.1b", "702.16f"])
def test_a_block_that_protection_keeps_from_has_both_rules(rule: str) -> None:
    body = f"""
given: {{alice: {{battlefield: [White Knight]}}, bob: {{battlefield: [Walking Corpse]}}}}
when: [{{attack: [White Knight]}}]
then: {{illegal: [{{block: {{Walking Corpse: White Knight}}, because: "{rule}"}}]}}
"""
    assert verdict(body, OracleEngine()).verdict == "pass"


def test_a_commander_s_tax_is_a_reason_only_where_there_is_one() -> None:
    """CR 903.8."""
    body = """
given:
  format: commander
  alice: {command: ["Isamaru, Hound of Konda"], battlefield: [2 Plains]}
  bob: {hand: [Unsummon], battlefield: [Island]}
when:
  - cast: "Isamaru, Hound of Konda"
  - resolve: all
  - {cast: Unsummon, by: bob, targets: ["Isamaru, Hound of Konda"]}
  - {resolve: all, choices: [{may: yes}]}
then: {illegal: [{cast: "Isamaru, Hound of Konda", by: alice, because: "903.8"}]}
"""
    assert verdict(body, OracleEngine()).verdict == "pass"
    first = """
given: {format: commander, alice: {command: ["Isamaru, Hound of Konda"]}}
then: {illegal: [{cast: "Isamaru, Hound of Konda", because: "903.8"}]}
"""
    assert verdict(first, OracleEngine()).verdict == "fail"


def test_after_the_game_nothing_is_done() -> None:
    """CR 104.1."""
    body = (
        'given: {alice: {hand: [Forest]}}\nwhen: [{concede: bob}]\nthen: {illegal: [{play: Forest, because: "104.1"}]}'
    )
    assert verdict(body, OracleEngine()).verdict == "pass"


@pytest.mark.parametrize("name", ["Stolen Identity", "copy of Stolen Identity"])
def test_the_copy_of_a_card_that_is_cast_goes_by_the_cards_name_too(name: str) -> None:
    """CR 702.99a, 707.12."""
    body = """
given: {alice: {hand: [Stolen Identity], battlefield: [6 Island, Invisible Stalker]}, bob: {battlefield: [Sol Ring]}}
when:
  - {cast: Stolen Identity, targets: [Sol Ring]}
  - {resolve: all, choices: [{may: yes}]}
  - attack: [Invisible Stalker]
  - {advance: combat damage}
  - {resolve: all, choices: [{cast: %s, targets: [Invisible Stalker]}]}
then: {Stolen Identity: {zone: exile}, alice: {count: {battlefield: {Invisible Stalker: 2}}}}
"""
    assert verdict(body % name, OracleEngine()).verdict == "pass"


PORTAL = """
given: {alice: {hand: [Prototype Portal, Sol Ring], battlefield: [4 Island], mana: "{C}{C}{C}{C}"}}
when:
  - {cast: Prototype Portal, paying: "{C}{C}{C}{C}"}
  - {resolve: all, choices: [{may: yes}]}
  - {activate: Prototype Portal%s}
  - resolve: all
then: {alice: {count: {battlefield: {Sol Ring: 1}}}}
"""


@pytest.mark.parametrize(("x", "outcome"), [("", "pass"), (", x: 1", "pass"), (", x: 2", "fail")])
def test_an_x_that_the_text_defines_may_be_said(x: str, outcome: str) -> None:
    """CR 107.3c: nobody chooses it."""
    assert verdict(PORTAL % x, OracleEngine()).verdict == outcome


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("{divide: {bob: 2, Memnite: 0}}", "pass"),  # CR 601.2d: each target gets at least one
        ("{divide: {bob: 2, Memnite: 1}}", "pass"),
        ("{divide: {bob: 1, Memnite: 1}}", "fail"),
        ("{divide: {bob: 1, Memnite: 1}}, {may: yes}", "invalid"),
    ],
)
def test_what_could_be_done_is_asked_with_the_answers_that_the_case_gives(answer: str, found: str) -> None:
    body = """
given: {alice: {hand: [Fire // Ice], battlefield: [2 Mountain]}, bob: {battlefield: [Memnite]}}
then: {illegal: [{cast: Fire // Ice, face: left, targets: [bob, Memnite], choices: [%s]}]}
"""
    assert verdict(body % answer, OracleEngine()).verdict == found


@pytest.mark.parametrize(
    ("deck", "legal"),
    [
        ("60 Plains", "yes"),
        ("59 Plains", "no"),
        ("250 Plains, 4 Shock", "yes"),
        ("56 Plains, 5 Shock", "no"),
        ("30 Plains, 30 Slime Against Humanity", "yes"),
    ],
)
def test_a_deck_without_a_commander_is_a_constructed_one(deck: str, legal: str) -> None:
    """CR 100.2a."""
    body = f"given: {{alice: {{deck: [{deck}]}}}}\nthen: {{alice: {{deck_legal: {legal}}}}}"
    assert verdict(body, OracleEngine()).verdict == "pass"


def test_only_planeswalkers_have_loyalty_and_only_battles_defense() -> None:
    """CR 306.5, 310.4."""
    body = """
given: {alice: {battlefield: [{card: Sol Ring, counters: {loyalty: 1}}, {card: Vivien, as: walker}, Invasion of Kylem]}}
then:
  Sol Ring: {loyalty: null, defense: null, counters: {loyalty: 1}}
  walker: {loyalty: 4, defense: null}
  Invasion of Kylem: {loyalty: null, defense: 5}
  alice: {mana: null}
"""
    body = body.replace("card: Vivien", "card: 'Vivien, Arkbow Ranger'")
    result = verdict(body, OracleEngine())
    assert result.verdict == "pass", result.message


class Untold(OracleEngine):
    """The oracle as an engine that gives reasons and cannot tell what is legal before it is tried."""

    def legality(self, action: Action, declare: Mapping[str, Json] | None = None) -> None:
        return None


@pytest.mark.parametrize("engine", [OracleEngine, Untold])
@pytest.mark.parametrize(
    ("when", "probe"),
    [
        ("", 'attack: [Sol Ring], because: "508.1a"'),
        ("attack: {Grizzly Bears: carol}", 'block: {Hill Giant: Grizzly Bears}, by: bob, because: "509.1a"'),
        ("attack: {Grizzly Bears: carol}", "block: {Hill Giant: Grizzly Bears, Gray Ogre: Grizzly Bears}"),
    ],
)
def test_a_declaration_that_nobody_is_asked_for_is_refused_with_a_rule(
    engine: type[OracleEngine], when: str, probe: str
) -> None:
    """CR 508.1, 509.1: also where the harness has to find out."""
    body = f"""
given:
  alice: {{battlefield: [{"Grizzly Bears" if when else "Island"}, Sol Ring]}}
  bob: {{battlefield: [Hill Giant]}}
  carol: {{battlefield: [Gray Ogre]}}
when: [{f"{{{when}}}" if when else ""}]
then: {{illegal: [{{{probe.replace("[Sol Ring]", "{Sol Ring: bob}")}}}]}}
"""
    result = verdict(body, engine())
    assert result.verdict == "pass", result.message


@pytest.mark.parametrize(("who", "found"), [(", by: alice", "pass"), ("", "pass"), (", by: bob", "invalid")])
def test_who_controls_a_player_answers_by_name_or_without_one(who: str, found: str) -> None:
    """CR 723.5: Emrakul's controller decides what bob discards."""
    body = """
given:
  alice: {hand: ["Emrakul, the Promised End"], battlefield: [13 Plains]}
  bob: {hand: [Faithless Looting, Shock, Think Twice], battlefield: [Mountain]}
when:
  - cast: "Emrakul, the Promised End"
  - resolve: all
  - {advance: precombat main, of: bob}
  - {cast: Faithless Looting, by: bob}
  - {resolve: top, choices: [{pick: [Shock, Think Twice]%s}]}
then: {bob: {graveyard: [Faithless Looting, Shock, Think Twice]}}
"""
    assert verdict(body % who, OracleEngine()).verdict == found


def test_a_third_player_answers_for_nobody() -> None:
    body = """
given:
  alice: {hand: ["Emrakul, the Promised End"], battlefield: [13 Plains]}
  bob: {hand: [Faithless Looting, Shock, Think Twice], battlefield: [Mountain]}
  carol: {}
when:
  - {cast: "Emrakul, the Promised End", choices: [{targets: [bob]}]}
  - {resolve: all}
  - {advance: precombat main, of: bob}
  - {cast: Faithless Looting, by: bob}
  - {resolve: top, choices: [{pick: [Shock, Think Twice], by: carol}]}
then: {bob: {graveyard: [Faithless Looting, Shock, Think Twice]}}
"""
    assert verdict(body, OracleEngine()).verdict == "invalid"
