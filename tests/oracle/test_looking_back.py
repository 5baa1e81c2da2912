"""Abilities that look back in time (CR 603.10a)."""

from __future__ import annotations

import pytest
from judgecall.oracle import combat, events, priority
from judgecall.oracle.agents import Refused
from judgecall.oracle.vocabulary.context import Context
from judgecall.oracle.vocabulary.grammar import DefinitionError, parse_value

from tests.oracle.board import Board


def test_what_dies_together_sees_all_of_it_die() -> None:
    board = Board(
        {"battlefield": ["Blood Artist", "Grizzly Bears"]}, {"battlefield": ["Grizzly Bears", "Blood Artist"]}
    )
    dying = list(board.game.battlefield)
    events.happen(board.game, [events.Event("destroy", obj, obj.controller) for obj in dying])
    assert len(board.game.waiting) == 8, "two watchers see four creatures die"


def test_what_has_left_before_does_not_look_back() -> None:
    board = Board({"battlefield": ["Blood Artist", "Grizzly Bears"]})
    artist, bears = board.of("Blood Artist"), board.of("Grizzly Bears")
    events.happen(board.game, [events.move(artist, "exile", cause="exile")])
    assert not board.game.waiting, "exiled is not died"
    events.happen(board.game, [events.Event("destroy", bears, board.alice)])
    assert not board.game.waiting


def test_abilities_wait_in_turn_order_for_the_next_player_who_would_get_priority() -> None:
    """CR 603.3b: the active player's first, so that the other player's resolve first."""
    board = Board({"battlefield": ["Blood Artist"]}, {"battlefield": ["Blood Artist", "Grizzly Bears"]})
    events.happen(board.game, [events.Event("destroy", board.of("Grizzly Bears"), board.bob)])
    board.expect(("targets", [board.bob]), ("targets", [board.alice]))
    priority.give(board.game, board.alice)
    assert [item.controller.name for item in board.game.stack] == ["alice", "bob"]
    board.resolve()
    assert (board.alice.life, board.bob.life) == (20, 20)


def test_an_order_names_each_ability_once() -> None:
    """CR 603.3b: one that is named twice leaves another out."""
    board = Board({"battlefield": ["Blood Artist", "Midnight Reaper", "Grizzly Bears"]})
    events.happen(board.game, [events.Event("destroy", board.of("Grizzly Bears"), board.alice)])
    board.expect(("order", lambda question: [question.options[0]] * 2))
    with pytest.raises(Refused) as refused:
        priority.give(board.game, board.alice)
    assert refused.value.rule == "603.3b"


def test_last_known_information_is_what_was_there() -> None:
    board = Board({"battlefield": ["Glorious Anthem", "Grizzly Bears"]})
    bears = board.of("Grizzly Bears")
    done = events.happen(board.game, [events.Event("destroy", bears, board.alice)])
    assert bears.gone
    assert bears.lki is not None
    assert bears.lki.power == 3
    assert [event.new.zone for event in done if event.new is not None] == ["graveyard"]


def test_attackers_that_die_together_did_not_attack_alone() -> None:
    """CR 506.5: what fought beside it as it left counts, though that has left at the same time."""
    board = Board({"battlefield": ["Grizzly Bears", "Hill Giant"]}, {"battlefield": ["Thijarian Witness"]})
    bears, giant = board.of("Grizzly Bears"), board.of("Hill Giant")
    for attacker in (bears, giant):
        board.game.write(attacker, "attacking", board.bob)
    mark = board.game.mark()
    events.happen(board.game, [events.Event("destroy", obj, obj.controller) for obj in (bears, giant)])
    assert not board.game.waiting
    board.game.undo(mark)
    for attacker in (bears, giant):
        events.happen(board.game, [events.Event("destroy", attacker, board.alice)])
    assert [item.event["that"] for item in board.game.waiting] == [giant], "the last one was alone"


def test_what_was_done_in_a_combat_is_no_matter_in_the_next() -> None:
    """Clockwork Beast looks at this combat, not at the turn (CR 500.8, 511.2)."""
    board = Board({"battlefield": ["Clockwork Beast"]})
    beast = board.of("Clockwork Beast")
    last_step = events.Event("step", player=board.alice, details={"step": "end of combat"})
    board.expect(("attackers", {beast: board.bob}))
    combat.declare_attackers(board.game)
    events.happen(board.game, [last_step])
    assert len(board.game.waiting) == 1, "it attacked in this combat"
    combat.end(board.game)
    events.happen(board.game, [last_step])
    assert len(board.game.waiting) == 1, "in another combat it did not attack"


def test_what_dealt_damage_was_whose_it_was_then() -> None:
    """CR 608.2i: "red sources you controlled dealt": who has the source later is no matter."""
    board = Board({"battlefield": ["Prodigal Pyromancer", "Merfolk Looter"]}, {})
    red, blue = board.of("Prodigal Pyromancer"), board.of("Merfolk Looter")
    for source, amount in ((red, 3), (blue, 2)):
        events.happen(board.game, [events.Event("damage", player=board.bob, amount=amount, source=source)])
    board.game.write(red, "controller", board.bob)
    ctx = Context(board.game, board.alice, None)
    asked = {"happened": "dealt noncombat damage", "filter": {"colors": "red"}, "who": "you"}
    assert ctx.amount(parse_value("amount", asked)) == 3


def test_only_what_is_kept_of_a_turn_is_asked_for() -> None:
    with pytest.raises(DefinitionError, match="did you mean 'life gained'"):
        parse_value("amount", {"happened": "life gain"})
