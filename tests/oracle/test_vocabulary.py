"""The list of words: each explained, each with its users, and none for one card without a reason."""

from __future__ import annotations

import subprocess
import sys
from functools import cache

import pytest
from judgecall.oracle.vocabulary import __main__ as command
from judgecall.oracle.vocabulary.listing import Entry, entries
from judgecall.oracle.vocabulary.words import REGISTRY


@cache
def listed() -> dict[tuple[str, str], Entry]:
    """All words by kind and name."""
    return {(entry.kind, entry.name): entry for entry in entries()}


def test_every_word_is_listed_and_explained() -> None:
    kinds = {kind for kind, _ in listed()}
    assert kinds == {*REGISTRY, "keyword"}
    assert sum(map(len, REGISTRY.values())) == sum(kind != "keyword" for kind, _ in listed())
    assert [key for key, entry in listed().items() if len(entry.meaning) < 5] == []


def test_users_are_counted() -> None:
    """What a definition says counts, what its keywords stand for too, and a word of another kind does not."""
    assert "Snapcaster Mage" in listed()["trigger", "enters"].cards
    equipment = listed()["keyword", "equip"].cards
    assert set(equipment) <= set(listed()["effect", "attach"].cards)
    assert "Think Twice" in listed()["effect", "draw"].cards
    assert "Think Twice" not in listed()["pay", "draw"].cards


def test_parameters_are_shown_as_they_are_written() -> None:
    assert listed()["effect", "mill"].parameters == "amount, [who: players = you]"
    assert "[from: words]" in listed()["trigger", "enters"].parameters


def test_a_word_for_one_card_has_a_reason() -> None:
    """A rule that has the concept, cited in the word's docstring; the rules' own use of the word counts too."""
    unfounded = [
        f"{entry.kind} {entry.name!r} ({entry.cards[0]})"
        for entry in listed().values()
        if len(entry.cards) == 1 and entry.reason is None
    ]
    assert unfounded == []


def test_the_command_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["mill"]) == 0
    output = capsys.readouterr().out
    assert "effect: 1 word\n  mill amount, [who: players = you]  (" in output
    assert "pay: 1 word" in output
    assert command.main(["no-such-word"]) == 1


def test_the_command_lists_rare_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--rare", "trigger"]) == 0
    output = capsys.readouterr().out
    assert " cards)" not in output.replace("(no cards;", "")
    assert "CR " in output


def test_a_predefined_token_is_there_before_any_card() -> None:
    """In a process of its own: nothing else has read the vocabulary there (CR 111.10)."""
    program = "from judgecall.oracle import predefined; print(len(predefined.token('Food').whole.abilities))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("1\n", "")
