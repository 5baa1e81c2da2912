"""What the verbs of ``when`` make players do, and when that is more than the case says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from judgecall.adapters.engine import (
    Activate,
    Cast,
    Concede,
    Engine,
    Glance,
    Pass,
    Play,
    Question,
    TurnFaceUp,
)
from judgecall.adapters.oracle import OracleEngine

from tests.harness.helpers import verdict
from tests.harness.toys import Silent, Strict, Stuck, Toy

DUEL = """
given:
  alice: {hand: [Think Twice, Island, Divination], battlefield: [Grizzly Bears, Island]}
  bob: {hand: [Counterspell, Shock], battlefield: [Hill Giant, {card: Plains, as: field}]}
"""


def acts(body: str, engine: Toy | None = None) -> list[object]:
    """The actions of a case that passes."""
    toy = engine or Strict()
    result = verdict(body, toy)
    assert result.verdict == "pass", result.message
    return list(toy.acts)


def test_the_player_with_priority_acts() -> None:
    taken = acts(DUEL + "when: [{cast: Think Twice}]\nthen: {Think Twice: {zone: stack}}")
    assert taken == [Cast("alice", "o1")]


def test_players_before_the_one_who_acts_pass() -> None:
    steps = "when: [{cast: Think Twice}, {cast: Counterspell, by: bob, targets: [Think Twice]}]\n"
    taken = acts(DUEL + steps + "then: {stack: [Counterspell, Think Twice]}")
    assert isinstance(taken[1], Pass)
    assert taken[1].player == "alice"
    assert isinstance(taken[2], Cast)
    assert taken[2].player == "bob"


@pytest.mark.parametrize("engine", [Strict(), Toy()])
def test_a_pass_that_would_resolve_something_is_a_mistake(engine: Engine) -> None:
    steps = """
when:
  - {cast: Think Twice}
  - {pass: alice}
  - {cast: Divination, by: alice}
then: {alice: {life: 20}}
"""
    result = verdict(DUEL + steps, engine)
    assert result.verdict == ("invalid" if isinstance(engine, Strict) else "fail")
    assert result.message == "for alice to act, bob would pass and resolve something"
    assert result.step == 3


def test_a_pass_that_would_end_the_step_is_a_mistake() -> None:
    result = verdict(DUEL + "when: [{pass: alice}, {play: Island#1, by: alice}]", Strict())
    assert result.verdict == "invalid"
    assert result.message == "for alice to act, bob would pass and end the precombat main"


def test_two_passes_resolve_the_top() -> None:
    acts(DUEL + "when: [{cast: Think Twice}, {pass: alice}, {pass: bob}]\nthen: {alice: {hand_size: 3}}")


def test_resolve_top_resolves_one_and_resolve_all_the_rest() -> None:
    steps = """
when:
  - {cast: Think Twice}
  - {cast: Counterspell, by: bob, targets: [Think Twice]}
  - {cast: Shock, by: bob, targets: [Grizzly Bears]}
  - {resolve: top}
  - {check: {stack: [Counterspell, Think Twice]}}
  - {resolve: all}
  - {resolve: all}
then: {stack: [], bob: {graveyard: [Shock, Counterspell]}}
"""
    acts(DUEL + steps)


@pytest.mark.parametrize(("engine", "found"), [(Strict(), "invalid"), (Toy(), "fail")])
def test_nothing_to_resolve_is_a_mistake(engine: Engine, found: str) -> None:
    result = verdict(DUEL + "when: [{resolve: top}]", engine)
    assert (result.verdict, result.message) == (found, "the stack is empty: nothing can resolve")


def test_an_engine_that_does_not_resolve_fails() -> None:
    result = verdict(DUEL + "when: [{cast: Think Twice}, {resolve: top}]", Stuck())
    assert result.verdict == "fail"
    assert "does not resolve" in result.message


def test_the_engine_s_refusal_is_a_failure_with_its_rule() -> None:
    result = verdict(DUEL + "when: [{cast: Divination, by: bob}]", Strict())
    assert result.verdict == "fail"
    assert result.message == "bob is refused: o3 is not bob's in the hand"
    assert result.rules == ("601.3",)
    assert result.steps == ("{cast: Divination, by: bob}",)


def test_every_part_of_an_action_reaches_the_engine() -> None:
    taken = acts(
        """
given:
  alice:
    hand: [Shock, Forest]
    battlefield: [3 Island, {card: Hill Giant, as: giant}, {card: Herald, face_down: morph}]
  bob: {battlefield: [Grizzly Bears]}
when:
  - cast: Shock
    using: [flash, giant, {flashback: "{3}{G}"}]
    face: left
    x: 2
    modes: [1, 3]
    targets: [[Grizzly Bears], [bob, giant]]
    kicked: 1
    costs: {discard: [Forest], sacrifice: [giant], tap: [2 Island], remove: {"+1/+1": 1}, life: 2}
    paying: [Island#3, 2 Island]
  - {play: Forest, face: back}
  - {activate: giant, ability: equip, x: 1, targets: [bob], paying: "{G}{G}"}
  - {turn face up: Herald, using: mana cost, costs: {life: 1}}
then: {alice: {life: 20}}
""",
        Loose(),
    )
    assert taken == [
        Cast(
            "alice",
            "o1",
            using=("flash", {"object": "o6"}, {"flashback": "{3}{G}"}),
            face="left",
            x=2,
            modes=(1, 3),
            targets=(("o18",), ("bob", "o6")),
            kicked=1,
            costs={
                "discard": ("o2",),
                "sacrifice": ("o6",),
                "tap": ("o3", "o4"),
                "remove": {"+1/+1": 1},
                "life": 2,
            },
            paying=("o5", "o3", "o4"),
        ),
        Play("alice", "o2", face="back"),
        Activate("alice", "o6", ability="equip", x=1, targets=("bob",), paying="{G}{G}"),
        TurnFaceUp("alice", "o7", using="mana cost", costs={"life": 1}),
    ]


class Loose(Strict):
    """Takes any action and does nothing."""

    def _act(self, action: object) -> None:
        return


def test_attack_passes_to_the_declaration() -> None:
    taken = acts(
        DUEL
        + """
when: [{attack: [Grizzly Bears]}]
then:
  Grizzly Bears: {attacking: bob, tapped: true}
  Hill Giant: {attacking: false}
  game: {step: declare attackers, priority: alice}
"""
    )
    assert len(taken) == 4
    assert all(isinstance(action, Pass) for action in taken)


def test_block_passes_to_the_declaration() -> None:
    acts(
        DUEL
        + """
when: [{attack: {Grizzly Bears: bob}}, {block: {Hill Giant: Grizzly Bears}}]
then:
  Hill Giant: {blocking: Grizzly Bears}
  game: {step: declare blockers}
"""
    )


def test_each_defending_player_declares_their_own_blockers() -> None:
    body = """
given:
  alice: {battlefield: [Grizzly Bears]}
  bob: {battlefield: [Hill Giant]}
  carol: {battlefield: [Herald]}
when:
  - {attack: {Grizzly Bears: bob}}
  - {block: {Herald: Grizzly Bears, Hill Giant: Grizzly Bears}}
then: {Herald: {blocking: Grizzly Bears}, Hill Giant: {blocking: Grizzly Bears}}
"""
    toy = Strict()
    assert verdict(body, toy).verdict == "pass"
    assert [list(answer) for answer in toy.answers] == [["o1"], ["o12"], ["o23"]]


MELEE = """
given:
  alice: {battlefield: [{card: Grizzly Bears, as: one}, {card: Grizzly Bears, as: other}]}
  bob: {battlefield: [Hill Giant]}
  carol: {battlefield: [Gray Ogre]}
when:
  - {attack: {one: bob, other: %s}}
  - {block: {%s}%s}
  - {block: {%s}%s}
  - advance: end of combat
then: {bob: {life: 20}, carol: {life: 20}}
"""


@pytest.mark.parametrize("names", [("", ""), (", by: bob", ", by: carol")])
def test_blocks_of_several_players_may_be_steps_of_their_own(names: tuple[str, str]) -> None:
    """CR 802.4a: they declare one after another, with nothing in between."""
    bob, carol = ("Hill Giant: one", names[0]), ("Gray Ogre: other", names[1])
    for first, second in ((bob, carol), (carol, bob)):
        result = verdict(MELEE % ("carol", *first, *second), OracleEngine())
        assert result.verdict == "pass", result.message


@pytest.mark.parametrize(
    ("whom", "first", "second"),
    [
        ("carol", "Hill Giant: one", "Gray Ogre: one"),  # CR 509.1a: it attacks somebody else
        ("bob", "Hill Giant: one", "Gray Ogre: other"),  # CR 509.1: nobody attacks carol
        ("carol", "Hill Giant: one", "Hill Giant: one"),  # it has been declared
    ],
)
def test_a_block_among_several_that_cannot_be_fails(whom: str, first: str, second: str) -> None:
    result = verdict(MELEE % (whom, first, "", second, ""), OracleEngine())
    assert result.verdict == "fail"
    assert "the declaration of blockers is refused" in result.message


def test_an_empty_declaration_is_made() -> None:
    steps = "when: [{attack: []}]\nthen: {game: {step: declare attackers}, Grizzly Bears: {attacking: no}}"
    acts(DUEL + steps)
    acts(DUEL + "when: [{attack: [Grizzly Bears]}, {block: {}}]\nthen: {game: {step: declare blockers}}")


def test_an_engine_that_ignores_passes_does_not_hold_up_the_run() -> None:
    class Deaf(Toy):
        def _pass(self) -> None:
            return

    for step in ("{cast: Shock, by: bob}", "{advance: end}", "{attack: [Grizzly Bears]}"):
        result = verdict(DUEL + f"when: [{step}]", Deaf())
        assert result.verdict == "fail", step
    result = verdict(DUEL + "when: [{cast: Think Twice}, {resolve: all}]", Deaf())
    assert result.verdict == "fail"


def test_an_attack_that_is_refused_fails() -> None:
    result = verdict(DUEL + "when: [{attack: [Hill Giant]}]", Strict())
    assert result.verdict == "fail"
    assert "the declaration of attackers is refused" in result.message


def test_a_block_that_is_refused_fails_with_its_rule() -> None:
    body = DUEL.replace("[Hill Giant,", "[{card: Hill Giant, tapped: yes},")
    result = verdict(body + "when: [{attack: [Grizzly Bears]}, {block: {Hill Giant: Grizzly Bears}}]", Strict())
    assert result.verdict == "fail"
    assert result.rules == ("509.1a",)
    assert result.step == 2


def test_an_engine_that_never_asks_who_attacks_fails() -> None:
    result = verdict(DUEL + "when: [{attack: [Grizzly Bears]}]", Silent())
    assert result.verdict == "fail"
    assert "nobody is asked for attackers this turn" in result.message


def test_on_the_way_to_an_attack_nothing_may_resolve() -> None:
    result = verdict(DUEL + "when: [{cast: Think Twice}, {attack: [Grizzly Bears]}]", Strict())
    assert result.verdict == "invalid"
    assert result.message == "to come to the attackers, a pass would resolve Think Twice"


def test_who_is_attacked_must_be_said_where_there_are_several() -> None:
    body = "given: {alice: {battlefield: [Grizzly Bears]}, carol: {life: 3}}\n"
    result = verdict(body + "when: [{attack: [Grizzly Bears]}]", Strict())
    assert result.verdict == "invalid"
    assert "2 opponents" in result.message
    assert verdict(
        body + "when: [{attack: {Grizzly Bears: carol}}]\nthen: {Grizzly Bears: {attacking: carol}}", Strict()
    ).verdict == ("pass")


def test_who_controls_the_active_player_declares_the_attack() -> None:
    class Controlled(Strict):
        def _ask(self, question: Question) -> Any:
            return super()._ask(replace(question, player="bob") if question.kind == "attackers" else question)

    acts(DUEL + "when: [{attack: [Grizzly Bears]}]\nthen: {Grizzly Bears: {attacking: bob}}", Controlled())


def test_only_the_active_player_attacks() -> None:
    result = verdict(DUEL + "when: [{attack: [Hill Giant], by: bob}]", Strict())
    assert (result.verdict, result.message) == (
        "invalid",
        "only the active player attacks, and that is alice",
    )


@pytest.mark.parametrize(
    ("step", "game"),
    [
        ("{advance: end}", "{step: end, turn: 1, active: alice}"),
        ("{advance: precombat main}", "{step: precombat main, turn: 2, active: bob}"),
        ("{advance: upkeep, of: alice}", "{step: upkeep, turn: 3, active: alice}"),
        ("{advance: end, turn: next}", "{step: end, turn: 2, active: bob}"),
        ("{advance: end, of: alice, turn: next}", "{step: end, turn: 3, active: alice}"),
        ("{advance: declare attackers}", "{step: declare attackers, turn: 1}"),
    ],
)
def test_advance_passes_until_the_step_has_begun(step: str, game: str) -> None:
    acts(DUEL + f"when: [{step}]\nthen: {{game: {game}, Grizzly Bears: {{attacking: no}}}}")


def test_advance_to_a_step_that_does_not_come_is_a_mistake() -> None:
    result = verdict(DUEL + "when: [{advance: declare blockers}]", Strict())
    assert (result.verdict, result.message) == ("invalid", "no declare blockers comes")


def test_conceding_takes_no_priority() -> None:
    taken = acts(
        DUEL
        + "when: [{concede: bob}]\n"
        + "then: {game: {over: yes, winner: alice}, bob: {lost: yes}, alice: {won: yes}}"
    )
    assert taken == [Concede("bob")]


def test_nobody_acts_after_the_end_of_the_game() -> None:
    for step in ("{cast: Think Twice}", "{pass: alice}", "{resolve: top}", "{advance: end}"):
        result = verdict(DUEL + f"when: [{{concede: bob}}, {step}]", Strict())
        assert result.verdict == "invalid", step


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("{cast: Snapcaster Mage}", "no object goes by Snapcaster Mage"),
        ("{play: Island}", "2 objects go by Island: use an alias, or Island#n"),
        ("{activate: Island#7}", "there is no Island#7: only 2 objects had that name"),
        ("{attack: [Snapcaster Mage]}", "no object goes by Snapcaster Mage"),
    ],
)
def test_a_name_that_means_no_one_object_is_a_mistake(step: str, message: str) -> None:
    for engine, found in ((Strict(), "invalid"), (Toy(), "fail")):
        result = verdict(DUEL + f"when: [{step}]", engine)
        assert (result.verdict, result.message) == (found, message)


def test_what_is_gone_cannot_be_named_in_a_step() -> None:
    steps = """
when:
  - {cast: Raise Spirits}
  - {resolve: all}
  - {cast: Unsummon, targets: [Spirit Token#1]}
  - {resolve: all}
  - check:
      Spirit Token#1: {zone: nowhere}
      Spirit Token#2: {zone: battlefield}
      Spirit Token: {has: flying}
  - {activate: Spirit Token#1}
"""
    result = verdict("given: {alice: {hand: [Raise Spirits, Unsummon]}}" + steps, Strict())
    assert (result.step, result.message) == (6, "Spirit Token#1 is nowhere: it is gone")


def test_a_view_is_asked_for_once_after_each_act() -> None:
    toy = Strict()
    body = DUEL + "when: [{cast: Think Twice}]\nthen: {stack: [Think Twice], game: {priority: alice}}"
    assert verdict(body, toy).verdict == "pass"
    assert toy.views == 2


def test_an_engine_that_can_glance_is_asked_for_no_view_to_pass() -> None:
    class Glancing(Strict):
        def glance(self) -> Glance:
            state = self.state
            return Glance(state.active, state.step, state.turn, state.priority, tuple(state.stack))

    toy = Glancing()
    assert verdict(DUEL + "when: [{advance: end}]\nthen: {game: {step: end}}", toy).verdict == "pass"
    assert toy.views == 1


STRIKES = """
given:
  alice: {battlefield: [White Knight, Grizzly Bears]}
  bob: {battlefield: [{card: Exalted Angel, as: angel, face_down: morph}, 4 Plains]}
  carol: {life: 20}
when:
  - attack: {White Knight: bob, Grizzly Bears: carol}
  - advance: combat damage
  - check: {bob: {life: 18}, carol: {life: 20}}
%s
  - advance: combat damage
  - check: {game: {step: combat damage}}
then: {bob: {life: 18}, carol: {life: 18}}
"""


@pytest.mark.parametrize(
    "between", ["", "  - pass: alice", "  - {turn face up: angel, by: bob}", "  - {pass: alice}\n  - {pass: bob}"]
)
def test_advance_comes_to_the_second_step_of_combat_damage(between: str) -> None:
    """CR 510.4: it is another step of the same name."""
    result = verdict(STRIKES % between, OracleEngine())
    assert result.verdict == "pass", result.message


@pytest.mark.parametrize("between", ["  - pass: carol", "  - {advance: combat damage}"])
def test_there_is_no_third_step_of_combat_damage(between: str) -> None:
    result = verdict(STRIKES % between, OracleEngine())
    assert (result.verdict, result.message) == ("invalid", "no combat damage comes")


def test_a_pass_must_not_end_the_first_step_of_combat_damage_unsaid() -> None:
    between = "  - {pass: alice}\n  - {pass: bob}\n  - {turn face up: angel, by: bob}"
    result = verdict(STRIKES % between, OracleEngine())
    assert result.verdict == "invalid"
    assert result.message == "for bob to act, carol would pass and end the combat damage"
