"""What case authors may say in one way or another comes to the same on the oracle."""

from __future__ import annotations

import pytest
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
