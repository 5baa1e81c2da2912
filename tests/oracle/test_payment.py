"""Which mana pays which cost: the search for a payment, held against trying everything (CR 601.2g–h, 107.4)."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from judgecall.oracle import layers

from tests.oracle.board import Board

SYMBOLS = st.sampled_from(["W", "U", "B", "R", "G", "C", "W/U", "R/G", "B/R", "2/R", "2/W", "U/P", "R/P", "1", "2"])
LANDS = st.sampled_from(["W", "U", "B", "R", "G", "C", "WU", "RG", "UB", "WUBRG", "GG", "CC"])


def land(board: Board, produces: str) -> None:
    """A land that taps for one of these colors, or for two of the same where a letter is doubled."""
    if len(produces) == 2 and produces[0] == produces[1]:
        outputs = [f"{{{produces[0]}}}{{{produces[1]}}}"]
    else:
        outputs = [f"{{{letter}}}" for letter in produces]
    abilities = [{"cost": "{T}", "do": [{"mana": output}]} for output in outputs]
    board.make(board.alice, "battlefield", name=f"Land of {produces}", type="Land", abilities=abilities)


def payable(cost: tuple[str, ...], lands: tuple[str, ...], life: int) -> bool:
    """Whether some output of each land together with life pays the cost: everything is tried."""
    outputs = [[name] if name[0] == name[-1] and len(name) == 2 else list(name) for name in lands]
    return any(_covers(cost, tuple(sorted("".join(choice))), life) for choice in product(*outputs))


@cache
def _covers(cost: tuple[str, ...], mana: tuple[str, ...], life: int) -> bool:
    if not cost:
        return True
    symbol, rest = cost[0], cost[1:]
    if symbol.isdigit():
        n = int(symbol)
        if n == 0:
            return _covers(rest, mana, life)
        return any(_covers((str(n - 1), *rest), _without(mana, unit), life) for unit in set(mana))
    ways = symbol.split("/")
    if "P" in ways and life >= 2 and _covers(rest, mana, life - 2):
        return True
    if "2" in ways and _covers(("2", *rest), mana, life):
        return True
    return any(_covers(rest, _without(mana, unit), life) for unit in set(mana) if unit in ways)


def _without(mana: tuple[str, ...], unit: str) -> tuple[str, ...]:
    place = mana.index(unit)
    return (*mana[:place], *mana[place + 1 :])


@settings(max_examples=150, deadline=None, derandomize=True)
@example(["W", "U"], ["WU", "U"], 20)
@example(["U/P", "R/P"], ["R"], 3)
@example(["U/P", "R/P"], ["U"], 3)
@given(st.lists(SYMBOLS, min_size=1, max_size=5), st.lists(LANDS, max_size=5), st.sampled_from([1, 2, 3, 20]))
def test_a_cost_can_be_paid_where_some_payment_pays_it(cost: list[str], lands: list[str], life: int) -> None:
    board = Board()
    board.alice.life = life
    for produces in lands:
        land(board, produces)
    text = "".join(f"{{{symbol}}}" for symbol in cost)
    spell = board.make(
        board.alice, "hand", name="Try", mana_cost=text, type="Instant", abilities=[{"spell": [{"gain life": 1}]}]
    )
    expected = payable(tuple(cost), tuple(lands), life)
    assert board.castable(spell).legal is expected
    if expected:
        board.cast(spell)
        assert spell.gone, "it is another object on the stack"
        assert board.alice.life in range(life - 2 * sum("P" in symbol for symbol in cost), life + 1)


def test_a_two_generic_hybrid_symbol_takes_its_color_or_two_of_anything() -> None:
    board = Board({"hand": ["Flame Javelin"], "battlefield": ["Mountain", *["Plains"] * 4]})
    board.cast(board.of("Flame Javelin", "hand"), targets=[board.bob])
    assert all(obj.tapped for obj in board.game.battlefield)
    short = Board({"hand": ["Flame Javelin"], "battlefield": ["Mountain", *["Plains"] * 3]})
    verdict = short.castable(short.of("Flame Javelin", "hand"))
    assert (verdict.legal, verdict.stage) == (False, "costs")


def test_phyrexian_mana_is_paid_with_life_where_mana_is_short() -> None:
    board = Board({"hand": ["Dismember"], "battlefield": ["Island", "Grizzly Bears"]})
    board.cast(board.of("Dismember", "hand"), targets=[board.of("Grizzly Bears")])
    assert board.alice.life == 16


def test_phyrexian_mana_is_not_paid_with_life_that_is_not_there() -> None:
    """CR 119.4: a player cannot pay more life than they have."""
    board = Board({"hand": ["Dismember"], "battlefield": ["Island", "Grizzly Bears"]})
    board.alice.life = 3
    assert not board.castable(board.of("Dismember", "hand")).legal


def test_restricted_mana_pays_only_for_what_it_says() -> None:
    """CR 106.6: a Powerstone's mana is not for spells that are no artifacts."""
    board = Board({"hand": ["Ornithopter", "Grizzly Bears", "Sol Ring"], "battlefield": ["Forest"]})
    board.make(
        board.alice,
        "battlefield",
        name="Stone",
        type="Artifact",
        abilities=[{"cost": "{T}", "do": [{"mana": "{C}", "only": {"not for": {"not types": "Artifact"}}}]}],
    )
    assert board.castable(board.of("Sol Ring", "hand")).legal
    verdict = board.castable(board.of("Grizzly Bears", "hand"))
    assert (verdict.legal, verdict.stage) == (False, "costs")


def test_a_land_that_may_pay_either_symbol_is_kept_for_the_one_that_nothing_else_pays() -> None:
    board = Board({"hand": ["Kitchen Finks"], "battlefield": ["Savannah", "Taiga", "Mountain"]})
    assert board.castable(board.of("Kitchen Finks", "hand")).legal


def test_what_is_tapped_for_another_part_of_the_cost_is_not_tapped_for_mana() -> None:
    board = Board({"battlefield": ["Llanowar Elves"]})
    spell = board.make(
        board.alice,
        "hand",
        name="Try",
        mana_cost="{G}",
        type="Instant",
        abilities=[{"additional cost": [{"tap": {"types": "Creature"}}]}, {"spell": [{"gain life": 1}]}],
    )
    verdict = board.castable(spell)
    assert (verdict.legal, verdict.stage) == (False, "costs")
    board.put(board.alice, "battlefield", "Grizzly Bears")
    board.game.cache = {}
    assert board.castable(spell).legal


@pytest.mark.parametrize(("card", "does"), [("Dragon Whelp", True), ("Hill Giant", False)])
def test_mana_does_something_for_a_spell_of_the_right_kind_alone(card: str, does: bool) -> None:
    """CR 106.6: what is cast with mana of Jade Orb of Dragonkind enters with a counter if it is a Dragon."""
    board = Board({"hand": [card], "battlefield": ["Jade Orb of Dragonkind", *["Mountain"] * 3]})
    orb = board.of("Jade Orb of Dragonkind")
    board.activate(orb)
    board.cast(board.of(card, "hand"))
    assert len(board.game.stack) == (2 if does else 1)
    board.resolve()
    entered = layers.of(board.game, board.of(card))
    assert (entered.has("hexproof"), bool(board.of(card).counters)) == (does, does)


def test_mana_that_does_something_is_no_other_mana() -> None:
    """CR 106.6: of two Mountains' worth only the Orb's unit has the effect."""
    board = Board({"hand": ["Dragon Whelp"], "battlefield": ["Jade Orb of Dragonkind", *["Mountain"] * 4]})
    for land in [board.of("Mountain", n=n) for n in (1, 2, 3, 4)]:
        board.activate(land)
    board.cast(board.of("Dragon Whelp", "hand"))
    assert len(board.game.stack) == 1
