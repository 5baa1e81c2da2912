"""What the case format does not allow: each mistake is named at its place, and all of them at once."""

# ruff: noqa: E501

from __future__ import annotations

import pytest
from judgecall.schema.loader import CaseFileError, load_text
from judgecall.schema.validate import validate_text

HEAD = "ruling: a/b\ncases:\n"
DIGEST = "sha256:" + "0" * 64


def problems_of(text: str, **more: object) -> list[str]:
    """Give each problem as ``line:column: message``."""
    with pytest.raises(CaseFileError) as caught:
        load_text(text, "x.yaml", **more)  # type: ignore[arg-type]
    assert all(str(problem).startswith(f"x.yaml:{problem.line}:") for problem in caught.value.problems)
    return [str(problem).removeprefix("x.yaml:") for problem in caught.value.problems]


def in_given(text: str) -> str:
    """A case whose ``given`` is on line 3, from column 13 on."""
    return f"{HEAD}- {{case: c, then: {{}},\n   given: {text}}}\n"


def in_when(text: str) -> str:
    """A case with one step, on line 5 from column 5 on; alice has a Shock and a creature called bear."""
    given = "{alice: {hand: [Shock], battlefield: [{card: Grizzly Bears, as: bear}, 2 Island]}}"
    return f"{HEAD}- case: c\n  given: {given}\n  when: [\n    {text}]\n"


def in_then(text: str) -> str:
    """The same, with a ``then`` on line 5."""
    return in_when("").replace("when: [\n    ]", f"then:\n    {text}")


# Every entry is a whole file, the problem's beginning, and whether the JSON Schema sees it as well.
MISTAKES: dict[str, tuple[str, str, bool]] = {
    # The top
    "unknown key of a ruling": ("ruling: a\nrulez: []\ncases: [{case: c, then: {}}]", "2:1: unknown key 'rulez'; did you mean 'rules'?", True),
    "no ruling line": ("cases: [{case: c, then: {}}]", "1:1: 'ruling' is missing", True),
    "no cases": ("ruling: a", "1:1: 'cases' is missing", True),
    "an empty list of cases": ("ruling: a\ncases: []", "2:8: found no case", True),
    "no mapping": ("- a", "1:1: found a list; expected a mapping with 'ruling' and 'cases'", True),
    "just a word": ("hello", "1:1: found 'hello'; expected a mapping", True),
    "an id with dots": ("ruling: ../a\ncases: [{case: c, then: {}}]", "1:9: '../a' is no id", False),
    "an id with colons": ("ruling: a::b\ncases: [{case: c, then: {}}]", "1:9: '::' in 'a::b'", True),
    "a rule that is none": ("ruling: a\nrules: [flashback]\ncases: [{case: c, then: {}}]", "2:9: 'flashback' is no number of a rule", True),
    "a rule that is not named and does not act": ("ruling: a\nrules: ['101']\nnot_acting: {'102': why}\ncases: [{case: c, then: {}}]", "3:14: '102' is not among 'rules'; expected a rule that the ruling names", False),
    "a rule that does not act without a reason": ("ruling: a\nrules: ['101']\nnot_acting: {'101': yes}\ncases: [{case: c, then: {}}]", "3:21: found the yes or no 'yes'; expected text that says why", True),
    "rules that do not act, as a list": ("ruling: a\nrules: ['101']\nnot_acting: ['101']\ncases: [{case: c, then: {}}]", "3:13: found a list; expected a mapping of rules to why they do not act", True),
    "a language that is none": ("ruling: a\nsummary: {English: x}\ncases: [{case: c, then: {}}]", "2:11: 'English' is no language", True),
    "a source without digest": ("ruling: a\nsources: [{card: A, publisher: wotc, date: 2026-01-01, language: en}]\ncases: [{case: c, then: {}}]", "2:11: 'digest' is missing", True),
    "a short digest": ("ruling: a\nsources: [{card: A, publisher: wotc, date: 2026-01-01, language: en, digest: 'sha256:00'}]\ncases: [{case: c, then: {}}]", "2:78: 'sha256:00' is no digest", True),
    "a day that is none": (f"ruling: a\nsources: [{{card: A, publisher: wotc, date: 2026-02-30, language: en, digest: '{DIGEST}'}}]\ncases: [{{case: c, then: {{}}}}]", "2:44: '2026-02-30' is no date", False),
    # Cases
    "a case that does nothing": (HEAD + "- case: c", "3:3: the case does nothing and expects nothing", True),
    "two cases of one name": (HEAD + "- {case: c, then: {}}\n- {case: c, then: {}}", "4:3: a second case 'c', first on line 3", False),
    "an unknown key of a case": (HEAD + "- {case: c, than: {}, when: []}", "3:13: unknown key 'than'; did you mean 'then'?", True),
    "a status without why": (HEAD + "- {case: c, status: disputed, then: {}}", "3:3: 'why' is missing", True),
    "an unknown status": (HEAD + "- {case: c, status: disputd, why: x, then: {}}", "3:21: unknown status 'disputd'; did you mean 'disputed'?", True),
    "a bare yes for a reason": (HEAD + "- {case: c, holds_before: yes, then: {}}", "3:27: found the yes or no 'yes'; expected text that says why", True),
    "a case that is a word": (HEAD + "- c", "3:3: found 'c'; expected a mapping with 'case'", True),
    # given
    "an unknown key of a player": (in_given("{alice: {graveyrad: [Shock]}}"), "4:20: unknown key 'graveyrad'; did you mean 'graveyard'?", True),
    "an unknown player": (in_given("{carl: {}}"), "4:12: unknown key 'carl'; did you mean 'carol'?", True),
    "a step that cannot start a case": (in_given("{step: declare blockers}"), "4:18: the step 'declare blockers' cannot start a case", True),
    "a step that there is not": (in_given("{step: main}"), "4:18: unknown step 'main'; did you mean 'precombat main'?", True),
    "an active player who is absent": (in_given("{active: carol}"), "4:20: carol does not play in this case", False),
    "turn zero": (in_given("{turn: 0}"), "4:18: found 0; expected a whole number, at least 1", True),
    "an unknown format": (in_given("{format: comander}"), "4:20: unknown format 'comander'; did you mean 'commander'?", True),
    "a zone that is a name": (in_given("{bob: {hand: Shock}}"), "4:24: found 'Shock'; expected a list of objects for 'hand'", True),
    "a zone that is nothing": (in_given("{bob: {hand: }}"), "4:24: found nothing; expected a list of objects for 'hand'", True),
    "a life that is a word": (in_given("{bob: {life: twenty}}"), "4:24: found 'twenty'; expected a whole number", True),
    "lands below zero": (in_given("{bob: {lands_played: -1}}"), "4:32: found -1; expected a whole number, at least 0", True),
    "mana without braces": (in_given("{bob: {mana: 2GU}}"), "4:24: '2GU' is not made of symbols; did you mean '{2}{G}{U}'?", True),
    "mana that nobody quoted": (in_given("{bob: {mana: {U}}}"), "4:24: found a mapping; expected mana in quotes", True),
    "small mana": (in_given("{bob: {mana: '{u}'}}"), "4:24: unknown mana symbol '{u}'; did you mean '{U}'?", True),
    "generic mana in a pool": (in_given("{bob: {mana: '{2}'}}"), "4:24: unknown mana symbol '{2}'", True),
    "no Island": (in_given("{bob: {hand: [0 Island]}}"), "4:25: '0 Island' is no number of objects", False),
    "too many Islands": (in_given("{bob: {hand: [99999999999999999999 Island]}}"), "4:25: '99999999999999999999 Island' is no number of objects", False),
    "an object without a name": (in_given("{bob: {battlefield: [{tapped: yes}]}}"), "4:32: the object has no name; expected 'card' or 'token'", True),
    "a token that copies nothing": (in_given("{bob: {battlefield: [{token: true}]}}"), "4:40: found the yes or no 'true'; expected the name of a token", False),
    "a card and a token": (in_given("{bob: {battlefield: [{card: Shock, token: Food}]}}"), "4:53: both a card and the name of a token", False),
    "a misspelt key of an object": (in_given("{bob: {battlefield: [{card: Ornithopter, taped: yes}]}}"), "4:52: unknown key 'taped'; did you mean 'tapped'?", True),
    "a name with a colon": (in_given("{bob: {hand: [Summon: Bahamut]}}"), "4:25: unknown key 'Summon'; did you mean 'Summon: Bahamut'?", True),
    "a curly apostrophe": (in_given("{bob: {hand: [Devil’s Play]}}"), "4:25: 'Devil’s Play' has a curly apostrophe; did you mean \"Devil's Play\"?", True),
    "an unknown way to be face down": (in_given("{bob: {battlefield: [{card: Ornithopter, face_down: manifst}]}}"), "4:63: unknown way to be face down 'manifst'; did you mean 'manifest'?", True),
    "a third face": (in_given("{bob: {battlefield: [{card: Ornithopter, face: left}]}}"), "4:58: unknown face 'left'", True),
    "fewer than no counters": (in_given("{bob: {battlefield: [{card: Ornithopter, counters: {charge: -2}}]}}"), "4:71: found -2; expected a whole number, at least 0", True),
    "an unknown color": (in_given("{bob: {battlefield: [{card: Ornithopter, chosen: {color: rde}}]}}"), "4:68: unknown color 'rde'; did you mean 'red'?", True),
    "a tapped card in hand": (in_given("{bob: {hand: [{card: Shock, tapped: yes}]}}"), "4:39: 'tapped' says nothing of a card in 'hand'", False),
    "an alias that is a player": (in_given("{bob: {hand: [{card: Shock, as: alice}]}}"), "4:43: the alias 'alice' is a word of the format", True),
    "an alias like a reference": (in_given("{bob: {hand: [{card: Shock, as: 'a#1'}]}}"), "4:43: the alias 'a#1' looks like a reference", True),
    "an alias used twice": (in_given("{bob: {hand: [{card: Shock, as: a}, {card: Shock, as: a}]}}"), "4:65: the alias 'a' is used twice, first on line 4", False),
    "an alias that is another card": (in_given("{bob: {hand: [{card: Shock, as: Island}, Island]}}"), "4:43: the alias 'Island' is also the name of another card here", False),
    "attached to what is nowhere": (in_given("{bob: {battlefield: [{card: Shuko, attached_to: bear}]}}"), "4:59: 'bear' is nowhere declared", False),
    "attached to what is in hand": (in_given("{bob: {hand: [Memnite], battlefield: [{card: Shuko, attached_to: Memnite}]}}"), "4:76: 'Memnite' is not on the battlefield", False),
    "attached to one of two": (in_given("{bob: {battlefield: [2 Memnite, {card: Shuko, attached_to: Memnite}]}}"), "4:70: 'Memnite' names 2 permanents", False),
    "attached to itself": (in_given("{bob: {battlefield: [{card: Shuko, attached_to: Shuko}]}}"), "4:59: 'Shuko' is attached to itself", False),
    "attached to number zero": (in_given("{bob: {battlefield: [Memnite, {card: Shuko, attached_to: 'Memnite#0'}]}}"), "4:68: 'Memnite#0' is no reference", False),
    "attached to an absent player": (in_given("{bob: {battlefield: [{card: Curse of Leeches, attached_to: dave}]}}"), "4:70: dave does not play in this case", False),
    # when
    "an unknown verb": (in_when("{csat: Shock}"), "6:6: unknown verb 'csat'; did you mean 'cast'?", True),
    "no verb": (in_when("{by: bob}"), "6:6: no verb among 'by'; expected one of cast, activate", True),
    "no verb at all": (in_when("{}"), "6:5: no verb; expected one of cast", True),
    "two verbs": (in_when("{cast: Shock, resolve: all}"), "6:19: 'cast' and 'resolve' in one mapping; expected one verb", True),
    "a step that is a word": (in_when("resolve"), "6:5: found 'resolve'; expected a mapping with one of", True),
    "a key of another verb": (in_when("{play: Island#1, kicked: 1}"), "6:22: unknown key 'kicked'", True),
    "a misspelt key of a verb": (in_when("{cast: Shock, target: [bob]}"), "6:19: unknown key 'target'; did you mean 'targets'?", True),
    "targets that are no list": (in_when("{cast: Shock, targets: bob}"), "6:28: found 'bob'; expected a list of objects and players", True),
    "casting a player": (in_when("{cast: bob}"), "6:12: 'bob' is a player; expected an object", True),
    "an actor who is absent": (in_when("{cast: Shock, by: dave}"), "6:23: dave does not play in this case; expected alice or bob, or dave in 'given'", False),
    "an actor who is nobody": (in_when("{cast: Shock, by: bbo}"), "6:23: unknown player 'bbo'; did you mean 'bob'?", True),
    "a target who is absent": (in_when("{cast: Shock, targets: [carol]}"), "6:29: carol does not play in this case", False),
    "a negative X": (in_when("{cast: Shock, x: -1}"), "6:22: found -1", True),
    "mode zero": (in_when("{cast: Shock, modes: [0]}"), "6:27: found 0; expected the number of a mode, at least 1", True),
    "kicked by a word": (in_when("{cast: Shock, kicked: often}"), "6:27: found 'often'; expected how many times", True),
    "a half that there is not": (in_when("{cast: Shock, face: lefft}"), "6:25: unknown face 'lefft'; did you mean 'left'?", True),
    "an unknown cost": (in_when("{cast: Shock, costs: {sacrifise: [bear]}}"), "6:27: unknown key 'sacrifise'; did you mean 'sacrifice'?", True),
    "an unknown symbol in a cost": (in_when("{cast: Shock, using: {flashback: '{3}{g}'}}"), "6:38: unknown mana symbol '{g}'; did you mean '{G}'?", False),
    "an unknown symbol of payment": (in_when("{cast: Shock, paying: '{Q}'}"), "6:27: unknown mana symbol '{Q}'", False),
    "paying with two words": (in_when("{cast: Shock, paying: '{U} Island'}"), "6:27: '{U} Island' is not made of symbols", False),
    "turning up for nothing": (in_when("{turn face up: bear, using: mana}"), "6:33: unknown cost to turn it face up 'mana'; did you mean 'mana cost'?", True),
    "ability zero": (in_when("{activate: bear, ability: 0}"), "6:31: found 0", True),
    "resolving one thing": (in_when("{resolve: Shock}"), "6:15: unknown word of 'resolve' 'Shock'; expected 'top' or 'all'", True),
    "a step to advance to": (in_when("{advance: combat}"), "6:15: unknown step 'combat'", True),
    "the untap step": (in_when("{advance: untap}"), "6:15: unknown step 'untap'", True),
    "some other turn": (in_when("{advance: upkeep, turn: 3}"), "6:29: unknown turn '3'; expected 'next'", True),
    "blocks in a list": (in_when("{block: [bear]}"), "6:13: found a list; expected a mapping of blockers to attackers", True),
    "an attack by a word": (in_when("{attack: bear}"), "6:14: found 'bear'; expected a list of attackers", True),
    "three of a target": (in_when("{cast: Shock, targets: [2 Island]}"), "6:29: '2 Island' names 2 objects; expected one object", False),
    "number zero": (in_when("{cast: 'Shock#0'}"), "6:12: 'Shock#0' is no reference", False),
    "no number": (in_when("{cast: 'Shock#one'}"), "6:12: 'Shock#one' is no reference", False),
    "the ability of nothing": (in_when("{cast: 'ability of '}"), "6:12: 'ability of ' names nothing", False),
    "a copy of nothing": (in_when("{cast: copy of}"), "6:12: 'copy of' names nothing", False),
    "an alias nobody has": (in_when("{cast: Shock, targets: [baer]}"), "6:29: 'baer' is nowhere declared and is no name of a card or token; did you mean 'bear'?", False),
    "the ability of nobody": (in_when("{cast: Shock, targets: [ability of baer]}"), "6:29: 'baer' is nowhere declared", False),
    # choices
    "choices that are no list": (in_when("{resolve: all, choices: {may: yes}}"), "6:29: found a mapping; expected a list of answers", True),
    "an unknown answer": (in_when("{resolve: all, choices: [{myy: yes}]}"), "6:31: unknown answer 'myy'; did you mean 'may'?", True),
    "two answers": (in_when("{resolve: all, choices: [{may: yes, x: 1}]}"), "6:41: 'may' and 'x' in one mapping; expected one answer", True),
    "perhaps": (in_when("{resolve: all, choices: [{may: perhaps}]}"), "6:36: found 'perhaps'; expected yes or no", True),
    "an answer on its edge": (in_when("{resolve: all, choices: [{coin: edge}]}"), "6:37: unknown side of a coin 'edge'", True),
    "a pick that is no list": (in_when("{resolve: all, choices: [{pick: bear}]}"), "6:37: found 'bear'; expected a list for 'pick'", True),
    "options that are no list": (in_when("{resolve: all, choices: [{pick: [bear], options: bear}]}"), "6:54: found 'bear'; expected a list of what may be chosen", True),
    "a third pile": (in_when("{resolve: all, choices: [{scry: {graveyard: [bear]}}]}"), "6:38: unknown key 'graveyard'", True),
    "a division into words": (in_when("{resolve: all, choices: [{divide: {bear: some}}]}"), "6:46: found 'some'; expected a whole number", True),
    "a cast with an answer": (in_when("{resolve: all, choices: [{cast: Shock, may: yes}]}"), "6:44: unknown key 'may'", True),
    "a roll of zero": (in_when("{resolve: all, choices: [{roll: 0}]}"), "6:37: found 0", True),
    # then
    "a misspelt subject": (in_then("ilegal: []"), "6:5: unknown subject 'ilegal'; did you mean 'illegal'?", True),
    "a subject without facts": (in_then("bear: exile"), "6:11: found 'exile'; expected what must be true of an object", True),
    "an unknown property": (in_then("bear: {powr: 2}"), "6:12: unknown key 'powr'; did you mean 'power'?", True),
    "a player's unknown property": (in_then("bob: {lief: 2}"), "6:11: unknown key 'lief'; did you mean 'life'?", True),
    "the game's unknown property": (in_then("game: {phase: end}"), "6:12: unknown key 'phase'; expected 'active', 'step'", True),
    "an unknown zone": (in_then("bear: {zone: graveyrad}"), "6:18: unknown zone 'graveyrad'; did you mean 'graveyard'?", True),
    "a color letter": (in_then("bear: {colors: [W]}"), "6:21: unknown color 'W'", True),
    "a power in words": (in_then("bear: {power: two}"), "6:19: found 'two'; expected a whole number", True),
    "a stack that is a name": (in_then("stack: Shock"), "6:12: found 'Shock'; expected a list of what is on the stack", True),
    "hand as a number": (in_then("bob: {hand: 2}"), "6:17: found the number 2; expected a list of names", True),
    "a count in no zone": (in_then("bob: {count: {deck: {Island: 1}}}"), "6:19: unknown key 'deck'", True),
    "a size below zero": (in_then("bob: {hand_size: -1}"), "6:22: found -1", True),
    "an absent player": (in_then("carol: {life: 20}"), "6:5: carol does not play in this case", False),
    "legal as a mapping": (in_then("legal: {cast: Shock}"), "6:12: found a mapping; expected a list of actions", True),
    "a reason in legal": (in_then("legal: [{cast: Shock, because: '601.3'}]"), "6:27: unknown key 'because'", True),
    "a reason that is no rule": (in_then("illegal: [{cast: Shock, because: timing}]"), "6:38: 'timing' is no number of a rule", True),
    "an unknown stage": (in_then("illegal: [{cast: Shock, at: cost}]"), "6:33: unknown stage 'cost'; did you mean 'costs'?", True),
    "what is no action": (in_then("illegal: [{resolve: all}]"), "6:16: 'resolve' is no action", True),
    "a check among actions": (in_then("legal: [{check: {}}]"), "6:14: 'check' is no action", True),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_named_at_its_place(name: str) -> None:
    text, beginning, _ = MISTAKES[name]
    problems = problems_of(text)
    assert problems[0].startswith(beginning), problems
    assert len(problems) == 1, problems


@pytest.mark.parametrize("name", MISTAKES)
def test_the_schema_sees_what_a_schema_can(name: str) -> None:
    text, _, seen = MISTAKES[name]
    assert bool(validate_text(text, "x.yaml")) == seen


def test_all_mistakes_at_once_in_the_order_of_the_file() -> None:
    text = """\
rulig: a
cases:
  - case: c
    given:
      alice: {graveyrad: [Think Twice], hand: [Think Twice, Think Twice], life: lots}
      alice: {}
    when:
      - {cast: Think Twice, usign: flashback, by: carol}
      - {resolv: all}
    then:
      thing: {zone: exile}
"""
    assert [line.split(";")[0] for line in problems_of(text)] == [
        "1:1: unknown key 'rulig'",
        "1:1: 'ruling' is missing",
        "5:15: unknown key 'graveyrad'",
        "5:81: found 'lots'",
        "6:7: duplicate key 'alice', first on line 5",
        "8:29: unknown key 'usign'",
        "8:51: carol does not play in this case",
        "9:10: unknown verb 'resolv'",
        "11:7: 'thing' is nowhere declared and is no name of a card or token",
    ]


def test_a_message_says_what_was_expected_and_what_was_meant() -> None:
    with pytest.raises(CaseFileError) as caught:
        load_text(in_given("{alice: {graveyrad: [Shock]}}"), "cases/x.yaml")
    (problem,) = caught.value.problems
    assert problem.suggestion == "graveyard"
    assert "'library'" in (problem.expected or "")
    assert str(caught.value) == str(problem)
    assert str(problem).startswith("cases/x.yaml:4:20: unknown key 'graveyrad'; did you mean 'graveyard'? (expected")


def test_a_ruling_of_the_suite_says_more() -> None:
    text = "ruling: a/b\ncases: [{case: c, then: {}}]"
    assert [line.split(";")[0] for line in problems_of(text, expected_id="a/b")] == [
        "1:1: 'summary' is missing",
        "1:1: 'rules' is missing",
        "1:1: 'sources' is missing",
        "2:9: 'title' is missing",
    ]


def test_a_ruling_of_the_suite_has_sources_rules_and_an_english_summary() -> None:
    text = "ruling: a/b\nsummary: {fr: x}\nrules: []\nsources: []\ncases: [{case: c, title: t, then: {}}]"
    assert [line.split(";")[0] for line in problems_of(text, expected_id="a/b")] == [
        "2:10: 'en' is missing",
        "3:8: found none",
        "4:10: found none",
    ]


def test_outside_the_suite_the_ruling_line_alone_is_needed() -> None:
    ruling = load_text("ruling: My own rulings/no 1\nsources: []\ncases: [{case: c, then: {}}]", "anything.txt")
    assert (ruling.id, ruling.cases[0].id) == ("My own rulings/no 1", "My own rulings/no 1::c")


KNOWN = {"Shock", "Grizzly Bears", "Island", "Runeclaw Bear", "Insectile Aberration", "Ornithopter"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (in_when("{cast: Schock}"), "6:12: 'Schock' is nowhere declared and is no name of a card or token; did you mean 'Shock'?"),
        (in_when("{cast: Shock, targets: [Nobody Home]}"), "6:29: 'Nobody Home' is nowhere declared"),
        (in_when("{resolve: all, choices: [{pick: [Grizly Bears]}]}"), "6:38: 'Grizly Bears' is nowhere declared"),
        (in_then("Grizzly Bear: {zone: exile}"), "6:5: 'Grizzly Bear' is nowhere declared"),
        (in_then("bob: {graveyard: [2 Islnd]}"), "6:23: 'Islnd' is nowhere declared"),
        (in_then("copy of Shok#2: {zone: stack}"), "6:5: 'Shok' is nowhere declared"),
    ],
)  # fmt: skip
def test_with_a_list_of_names_references_to_nothing_are_mistakes(text: str, problem: str) -> None:
    assert load_text(text, "x.yaml").cases
    (found,) = problems_of(text, known_names=KNOWN.__contains__)
    assert found.startswith(problem)


@pytest.mark.parametrize(
    "text",
    [
        in_then("Runeclaw Bear: {zone: exile}"),
        in_then("Spirit Token#2: {zone: battlefield}"),
        in_then("bob: {count: {battlefield: {Marit Lage: 0}}}"),
        in_when("{cast: Shock, targets: [Grizzly Bears, Island#2]}"),
        in_when("{cast: Shock, using: [Omniscience, overload]}"),
        in_when("{resolve: all, choices: [{name: Whatever}, {type: Elf, options: [Elf, Goblin]}]}"),
    ],
)
def test_with_a_list_of_names_other_names_pass(text: str) -> None:
    assert load_text(text, "x.yaml", known_names=KNOWN.__contains__).cases


def test_nothing_is_judged_beside_a_card_that_is_unknown_itself() -> None:
    text = in_given("{bob: {battlefield: [New Werewolf]}}").replace("then: {}", "then: {New Back Face: {power: 4}}")
    assert load_text(text, "x.yaml", known_names=KNOWN.__contains__).cases
