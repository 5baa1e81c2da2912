"""Editions of the Comprehensive Rules: read, locked, compared. The rules here are ours."""

from __future__ import annotations

from pathlib import Path

import pytest
from judgecall.harness.release import release
from judgecall.schema.comprehensive_rules import (
    Edition,
    EditionError,
    current,
    differences,
    lock_text,
    of_lock,
    of_text,
    read_edition,
)
from judgecall.schema.digest import digest

TEXT = """\
Rules of a game

These rules are effective as of February 7, 2025.

Contents

1. Things
100. Kinds
101. Ways
Glossary
Credits

1. Things

100. Kinds

100.1. There are \u201cthings\u201d
and  others.

Example: This is one.

100.1a That\u2019s all.

101. Ways

101.1a. A point too many.

101.2 A point too few.

Glossary

1. A word.

Credits

9. Somebody
"""


def test_a_text_is_read() -> None:
    edition = of_text(TEXT)
    assert edition.date == "2025-02-07"
    assert edition.rules == {
        "1": digest("Things"),
        "100": digest("Kinds"),
        "100.1": digest('There are "things" and others. Example: This is one.'),
        "100.1a": digest("That's all."),
        "101": digest("Ways"),
        "101.1a": digest("A point too many."),
        "101.2": digest("A point too few."),
    }


def test_a_text_without_contents_is_read() -> None:
    assert list(of_text("effective as of June 1, 2026.\n100. Kinds\n100.1. One.").rules) == ["100", "100.1"]


def test_a_lock_is_read_as_it_was_written(tmp_path: Path) -> None:
    edition = of_text(TEXT)
    locked = lock_text(edition)
    assert of_lock(locked) == edition
    assert len(locked.splitlines()) == 1 + len(edition.rules)
    assert "things" not in locked
    for name, content in (("lock", locked), ("text", TEXT), ("marked", "\ufeff" + TEXT)):
        (tmp_path / name).write_text(content, encoding="utf-8", newline="\r\n")
        assert read_edition(tmp_path / name) == edition, name


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "effective"),
        ("100.1. A rule of no date.", "effective"),
        ("effective as of Juny 1, 2026.\n100. Kinds", "effective"),
        ("effective as of June 1, 2026.\nnothing else", "no rules"),
        ("effective as of June 1, 2026.\n100.1. One.\n100.1. Another.", "two rules 100.1"),
    ],
)
def test_what_is_no_edition(text: str, told: str) -> None:
    with pytest.raises(EditionError, match=told):
        of_text(text)


DIGEST = digest("One.")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "comprehensive-rules.lock:1: found ''"),
        ("comprehensive rules of old\n", "comprehensive-rules.lock:1"),
        ("comprehensive rules 2026-06-19\n100.1\n", ":2: found '100.1'"),
        (f"comprehensive rules 2026-06-19\n100.1 {DIGEST}\n\n", ":3: found ''"),
        (f"comprehensive rules 2026-06-19\n100.1 {DIGEST}\x1b[2J\n", r":2: found .*\.\.\."),
        (f"comprehensive rules 2026-06-19\n10.1 {DIGEST}\n", ":2"),
        (f"comprehensive rules 2026-06-19\n100.1 {DIGEST}\n100.1 {DIGEST}\n", ":3: the rule 100.1 is there twice"),
    ],
)
def test_what_is_no_lock(text: str, told: str) -> None:
    with pytest.raises(EditionError, match=told):
        of_lock(text)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes("These rules are effective as of June 1, 2026. é".encode("latin-1"))
    (tmp_path / "large").write_bytes(b" " * (16 * 1024 * 1024 + 1))
    for name, told in (
        ("latin", "not in UTF-8"),
        ("large", "larger than"),
        ("missing", "cannot be read"),
        ("", "read"),
    ):
        with pytest.raises(EditionError, match=told):
            read_edition(tmp_path / name)
    with pytest.raises(EditionError, match="cannot be read"):
        read_edition("a\0b")


def test_the_edition_of_the_suite() -> None:
    edition = current()
    assert edition.date == release().comprehensive_rules == "2026-06-19"
    assert len(edition.rules) == 3309
    assert {"1", "613", "702.34", "702.34a", "905.6"} <= edition.rules.keys()
    assert "702.34b" not in edition.rules


def edition(**rules: str) -> Edition:
    """An edition of rules with these digests; ``r100_1a`` is 100.1a."""
    return Edition("2026-01-01", {number[1:].replace("_", "."): text for number, text in rules.items()})


def test_nothing_has_changed() -> None:
    same = edition(r100="a", r100_1="b")
    found = differences(same, same)
    assert not found.affected
    assert not found.added


def test_a_rule_is_put_between_others() -> None:
    old = edition(r100_1a="a", r100_1b="b", r100_1c="c", r100_2="x", r100_3="y")
    new = edition(r100_1a="a", r100_1b="new", r100_1c="b", r100_1d="c", r100_2="x, differently")
    found = differences(old, new)
    assert found.renumbered == {"100.1b": "100.1c", "100.1c": "100.1d"}
    assert found.changed == ("100.2",)
    assert found.removed == ("100.3",)
    assert found.added == ("100.1b",)
    assert found.affected == ("100.1b", "100.1c", "100.2", "100.3")


def test_rules_change_places() -> None:
    found = differences(edition(r100_1="a", r100_2="b"), edition(r100_1="b", r100_2="a"))
    assert found.renumbered == {"100.1": "100.2", "100.2": "100.1"}
    assert (found.changed, found.removed, found.added) == ((), (), ())


def test_a_number_that_another_rule_has_now() -> None:
    """100.2 reads otherwise and 100.1 has its number: nobody can say where the text of 100.2 went."""
    found = differences(edition(r100_1="a", r100_2="b"), edition(r100_2="a", r100_3="c"))
    assert found.renumbered == {"100.1": "100.2"}
    assert found.removed == ("100.2",)
    assert found.added == ("100.3",)


def test_rules_of_one_text_are_told_apart() -> None:
    """One of two rules that read alike moves: the other stays."""
    old = edition(r100_1="a", r100_2="alike", r100_3="alike")
    found = differences(old, edition(r100_1="a", r100_3="alike", r100_4="alike"))
    assert found.renumbered == {"100.2": "100.4"}
    assert not found.changed + found.removed + found.added
