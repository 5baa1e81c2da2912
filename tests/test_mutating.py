"""Which small mistakes are written into a module: in what functions do, and in nothing that only tells."""

from __future__ import annotations

import pytest

pytest.importorskip("cosmic_ray", reason="the extra 'mutants' is not installed")

from benchmarks.mutating import codes, mutants, sample

SOURCE = """\
LIMIT = 3


def pay(game, cost: "int | None" = 2 + 1) -> "int | None":
    assert cost > 1
    if cost < LIMIT:
        raise Refused(f"{cost + 1} is too much", "601.2h" if cost == 2 else "118.3", 4 + 5)
    if cost != 7:
        game.trace.add("paid", "118" + "3")
    rule = "702.37e" if cost else "702.168d"
    return [*game.paid, cost - 1], rule
"""


def test_mistakes_are_made_in_what_is_done() -> None:
    found = mutants("pay.py", SOURCE)
    assert {mutant.line for mutant in found} == {6, 11}
    assert {mutant.function for mutant in found} == {"pay"}
    written = {mutant.write(SOURCE)[1] for mutant in found}
    assert "if cost <= LIMIT:" in written
    assert "return [*game.paid, cost + 1], rule" in {line.replace("  ", " ") for line in written}
    assert all("*game.paid" in line for line in written if line.startswith("return"))


def test_of_a_kind_there_is_one_at_a_place_and_the_same_again() -> None:
    found = mutants("pay.py", SOURCE)
    chosen = sample(found, 100, "seed")
    kinds = [(mutant.line, mutant.column, mutant.operator.partition("_")[0]) for mutant in chosen]
    assert len(kinds) == len(set(kinds)) < len(found)
    later = "EARLIER = 1\n" + SOURCE
    moved = sample(mutants("pay.py", later), 100, "seed")
    assert [(each.text, each.operator) for each in moved] == [(each.text, each.operator) for each in chosen]
    few = sample(found, 2, "seed")
    assert len(few) == 2
    assert set(few) <= set(chosen)


def test_code_is_found_where_it_stands() -> None:
    mutant = next(each for each in mutants("pay.py", SOURCE) if each.line == 6)
    old, new = codes("pay.py", SOURCE), codes("pay.py", mutant.write(SOURCE)[0])
    assert old.keys() == new.keys() == {("pay.py", "pay", 4, 1)}
    assert old != new
