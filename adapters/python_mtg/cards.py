"""Which cards python-mtg knows whole.

The engine plays what it has understood of a card's text and is silent about the rest. Where it says itself that it
drops a clause, we take its word; beyond that we look for paragraphs, keywords and statements of a card that nothing
in it acts on. Such a card is ``unsupported``, rather than played without a part of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from mtg import _corpus, _paths, bridge_to_engine, driver, sim
from mtg._text import slug

__all__ = ["COMBAT", "corpus", "full_name", "knows", "makes_mana", "subtype_words", "ways_left_out"]

_READ = frozenset(
    (
        "name",
        "printed_keyword",
        "keyword_param",
        "mana_ability",
        "adds_mana",
        "mana_source",
        "card_ability",
        "ability_cost",
        "ability_trigger",
        "card_effect",
        "modal",
        "mode_option",
        "static_player",
        "doesnt_untap",
        "cant",
        "enters_with_counters",
        "card_enters_tapped",
        "teamwork",
        "cost_modifier",
        "expect_kw",
        "conformance_fail",
    )
)
"""Relations of its facts of cards that the engine reads, `card_facts` telling what it drops of them."""
_OF_PARAGRAPHS = _READ & {
    "static_player",
    "doesnt_untap",
    "cant",
    "enters_with_counters",
    "card_enters_tapped",
    "teamwork",
    "cost_modifier",
    "mana_source",
}
"""Those that are of a whole paragraph and do not say of which."""
_PLAYED = frozenset(("triggered", "activated", "spell", "static"))
"""Kinds of ability that it plays; chapters of Sagas, results of rolls and loyalty abilities are not among them."""
_KEYWORDS_IN_CODE = frozenset(("cycling", "disguise", "enchant", "equip", "haste", "morph", "protection", "storm"))
"""Keywords that its Python acts on, not its rules."""
_WAYS = frozenset(
    """bestow blitz boast buyback casualty conspire convoke crew dash delve disturb embalm emerge encore entwine escape
    eternalize evoke flash flashback foretell harmonize improvise jump_start kicker mayhem ninjutsu offspring outlast
    overload plot prowl reconfigure reinforce replicate retrace saddle scavenge spectacle splice squad surge suspend
    transmute unearth warp""".split()
)
"""Keywords that only offer one more way to cast or use the card, which the engine does not offer: asked for, that
way is unsupported, and all else is as without it."""
COMBAT = frozenset(
    """annihilator banding battle_cry bushido dethrone double_strike exalted fear first_strike flanking horsemanship
    ingest intimidate landwalk lifelink melee mentor myriad provoke rampage shadow skulk toxic training
    trample""".split()
)
"""Keywords that matter in combat, and that nothing in it acts on: there is no combat where creatures have them."""
_REPLACEMENTS = frozenset(("gy_repl", "library_win_repl", "life_repl"))
_DONE = ("spell_damage", "spell_dyn_effect", "spell_effect", "spell_reanimate", "spell_scope", "spell_target")
"""What its rules derive that a spell does as it resolves."""
_DONE_BY_CODE = frozenset(("spell_damage_upgrade", "spell_damage_x", "spell_impulse", "spell_rider", "spell_you_do"))
"""What its Python does then beside that."""
_FOLDED = frozenset(("gain_control", "grant_flashback", "pact_delayed"))
"""Effects that it makes of several clauses."""
_FACT = re.compile(r'^(\w+)\("(\w+)"(?:, "(\w*)")?', re.MULTILINE)
_REMINDER = re.compile(r"\([^()]*\)")


@cache
def corpus() -> Mapping[str, Mapping[str, Any]]:
    """The printed cards that the engine comes with, by name."""
    return {card["name"]: card for card in _corpus.load_cards()}


@cache
def _full_names() -> Mapping[str, str]:
    return {name.partition(" // ")[0]: name for name in corpus() if " // " in name}


def full_name(name: str) -> str:
    """The name by which the engine has a card, which has two parts where the card has two faces."""
    return name if name in corpus() else _full_names().get(name, name)


@cache
def subtype_words() -> Mapping[str, str]:
    """Subtypes as they are printed, by the engine's word."""
    return {slug(word): word for card in corpus().values() for word in card.get("subtypes") or ()}


@cache
def _facts() -> Mapping[str, list[tuple[str, str]]]:
    """What the engine has understood of each card: a relation, and a keyword or the paragraph that it is of."""
    found: dict[str, list[tuple[str, str]]] = {}
    for relation, card, word in _FACT.findall(_paths.datalog("cards.dl").read_text(encoding="utf-8")):
        found.setdefault(card, []).append((relation, word))
    return found


@cache
def knows(name: str) -> bool:
    """Whether the engine has a card, and acts on all that is printed on it."""
    card = corpus().get(full_name(name))
    if card is None or " // " in card["name"]:
        return False
    played, dropped = bridge_to_engine.card_facts(card["name"], "alice", "card", sim.load_db(), corpus())
    understood = sim.load_db().get(slug(name), {})
    kinds = {ability["kind"] for ability in understood.get("abilities", {}).values() if "kind" in ability}
    if "replacement" in kinds and played.keys() & _REPLACEMENTS:
        kinds.discard("replacement")
    facts = _facts().get(slug(name), [])
    return (
        not dropped
        and kinds <= _PLAYED
        and all(relation in _READ for relation, _ in facts)
        and all(word in _WAYS | COMBAT or _acts_on(word) for relation, word in facts if relation == "printed_keyword")
        and not _left_out(card.get("text") or "", facts)
        and _resolves_whole(understood, played)
    )


def _acts_on(keyword: str) -> bool:
    """Whether anything in the engine acts on a keyword, beyond listing it."""
    return keyword in _KEYWORDS_IN_CODE or re.search(rf'_keyword\([^()]*"{keyword}"\)', driver.RULES) is not None


def makes_mana(name: str) -> bool:
    """Whether a card has a mana ability."""
    return any(relation == "mana_ability" for relation, _ in _facts().get(slug(name), []))


def ways_left_out(name: str) -> list[str]:
    """The further ways to cast or use a card that the engine does not offer."""
    facts = _facts().get(slug(name), [])
    return [word.replace("_", " ") for relation, word in facts if relation == "printed_keyword" and word in _WAYS]


def _resolves_whole(understood: Mapping[str, Any], played: Mapping[str, set[Any]]) -> bool:
    """Whether there is something that a spell does for each clause of its text.

    Not all that the engine fails to carry out of a spell is in its list of what it drops.
    """
    clauses = sum(
        len(ability["effects"])
        for number, ability in understood.get("abilities", {}).items()
        if ability.get("kind") == "spell" and not number.startswith("mode")
    )
    driver.clear_cache()  # or what it derived of the card before may show
    derived = driver.run(dict(played), list(_DONE))
    driver.clear_cache()
    done = [row for relation in _DONE for row in derived[relation]]
    done += [row for relation, rows in played.items() if relation in _DONE_BY_CODE for row in rows]
    return len(done) >= clauses or any(row[1] in _FOLDED for row in done)


def _left_out(text: str, facts: list[tuple[str, str]]) -> bool:
    """Whether a paragraph of a card's text has left no trace among the facts."""
    keywords = {word for relation, word in facts if relation == "printed_keyword"}
    traces = {word for relation, word in facts if re.fullmatch(r"[am]\d+", word)}
    whole = sum(relation in _OF_PARAGRAPHS for relation, _ in facts)
    missing = 0
    for number, paragraph in enumerate(text.split("\n")):
        bare = _REMINDER.sub("", paragraph).strip()
        if not bare or f"a{number}" in traces or f"m{number}" in traces or bare.startswith("•"):
            continue
        sentences = re.search(r"\.\s", bare) is not None
        if sentences or not all(any(slug(part).startswith(word) for word in keywords) for part in _parts(bare)):
            missing += 1
    return missing > whole


def _parts(paragraph: str) -> Iterator[str]:
    return (part for part in re.split(r"[,;]", paragraph) if part.strip())
