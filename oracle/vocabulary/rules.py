"""What a static ability or a lasting effect may say: effects on objects, and words that change the rules."""

from __future__ import annotations

from typing import Any

from judgecall.oracle.vocabulary.words import word

__all__: list[str] = []


def _rule(name: str, meaning: str, /, **parameters: str) -> None:
    """A word that is only looked up: what it means is done where the rules ask for it."""

    @word("rule", name, **parameters)
    def lookup(ctx: Any, **given: Any) -> Any:
        raise NotImplementedError(name)

    lookup.__doc__ = meaning


_rule("affects", "A continuous effect on objects (CR 611.3).", which="affected", change="changes")

# Costs (CR 601.2f)
_rule(
    "increase cost",
    "What is as described costs more.",
    cost="cost",
    for_="filter=",
    who="lazy players=each player",
    of="text=spell",
    times="lazy amount=1",
)
_rule(
    "reduce cost",
    "What is as described costs less.",
    cost="cost",
    for_="filter=",
    who="lazy players=each player",
    of="text=spell",
    times="lazy amount=1",
    minimum="lazy amount=0",
)
_rule("minimum cost", "A spell that would cost less costs so much.", n="lazy amount")
_rule(
    "additional cost",
    "What is as described has a further cost (CR 118.8).",
    cost="cost",
    for_="filter=",
    who="lazy players=each player",
    of="text=spell",
)

# Permissions (CR 601.3)
_rule(
    "may cast",
    "Spells as described may be cast from a zone, or for another cost; ``by rule``: the rule that says so.",
    filter="filter",
    who="lazy players=you",
    cost="price=",
    with_="cost=",
    timing="text=",
    then="changes=",
    enters="ability=",
    from_="words=",
    once="bool=false",
    leaves="text=",
    by_rule="text=",
)
_rule(
    "may play lands",
    "Lands as described may be played from another zone.",
    filter="filter",
    who="lazy players=you",
)
_rule(
    "as though flash",
    "What is as described may be cast as though it had flash.",
    filter="filter",
    who="lazy players=you",
    cost="cost=",
)
_rule("activate as instant", "Loyalty or equip abilities any time.", filter="filter", who="lazy players=you")
_rule(
    "additional lands",
    "More lands may be played each turn (CR 305.2).",
    n="lazy amount",
    who="lazy players=you",
)
_rule(
    "spend any",
    "Mana (``snow``: from snow sources; or of one color) may be spent as though it were of any color, or of any type.",
    who="lazy players=you",
    for_="filter=",
    mana="text=",
    any_type="bool=false",
)
_rule(
    "may begin on battlefield",
    "From the opening hand the card may begin the game on the battlefield (CR 103.6a).",
    what="objects=this",
)
_rule("top revealed", "Players play with the top card of their library revealed.", who="lazy players=you")
_rule(
    "graveyards as own",
    "Cards in others' graveyards may be played as though they were in one's own (CR 609.4).",
    who="lazy players=you",
)
_rule(
    "reveal drawn",
    "The first cards, so many, that players draw each turn are revealed as they are drawn (CR 603.11).",
    n="lazy amount=1",
    who="lazy players=you",
)
_rule("look at top", "The top card of the library may be looked at any time.", who="lazy players=you")

_rule("any number in deck", "A deck may have any number of cards with that name (CR 100.2a).")

# Prohibitions (CR 101.2)
_rule(
    "cant cast",
    "Spells as described can't be cast.",
    filter="filter=",
    who="lazy players=each player",
    from_="words=",
    limit="int=",
)
_rule(
    "cant activate",
    "Abilities of what is as described can't be activated.",
    filter="filter",
    who="lazy players=each player",
    mana="bool=true",
)
_rule("cant play lands", "Lands can't be played.", who="lazy players=each player", filter="filter=")
_rule("cant enter", "What is as described can't enter the battlefield.", filter="filter", from_="words=")
_rule("cant gain life", "Players can't gain life.", who="lazy players=each player")
_rule("cant lose life", "Players can't lose life.", who="lazy players=each player")
_rule("cant lose", "Players can't lose the game.", who="lazy players=you")
_rule("cant win", "Players can't win the game.", who="lazy players=each opponent")
_rule("cant draw", "Players can't draw cards.", who="lazy players=each player")
_rule("draw limit", "No more than so many cards a turn.", n="lazy amount", who="lazy players=each player")
_rule("cant search", "Players can't search libraries.", who="lazy players=each player")
_rule(
    "cant get counters",
    "No counters are put on what is as described, or on players.",
    filter="filter=",
    who="lazy players=",
)
_rule(
    "cant target",
    "What is as described can't be targeted by these players.",
    filter="filter=",
    who="lazy players=each player",
    by="filter=",
)
_rule(
    "cant attack players",
    "Creatures as described can't attack these players.",
    filter="filter=",
    who="lazy players=you",
    cost="cost=",
    planeswalkers="bool=true",
)
_rule(
    "attack limit",
    "No more creatures than so many can attack each turn.",
    n="lazy amount",
    who="lazy players=each player",
)
_rule(
    "block limit",
    "No more creatures than so many can block each turn.",
    n="lazy amount",
    who="lazy players=each player",
)
_rule(
    "may target despite",
    "What is as described may be targeted as though it lacked a keyword (CR 702.11).",
    keyword="text",
    filter="filter",
)
_rule(
    "keyword does not trigger",
    "Abilities with that keyword of what is as described don't trigger (CR 101.2).",
    keyword="text",
    filter="filter",
)
_rule("cant prevent", "Damage can't be prevented.", filter="filter=")
_rule("cant cause triggers", "What enters as described causes no abilities to trigger.", filter="filter")
_rule("cant be sacrificed", "What is as described can't be sacrificed.", filter="filter")
_rule(
    "cant pay",
    "Costs of spells and activated abilities (``mana``: of mana abilities too) can't be paid with ``life``, or by"
    " ``sacrifice`` of what is as described.",
    what="text",
    filter="filter=",
    mana="bool=true",
    who="lazy players=each player",
)
_rule(
    "cast only",
    "The spell itself can be cast only while a condition holds (CR 601.3).",
    condition="lazy condition",
)

# The turn and the rest
_rule("skip step", "A step or phase is skipped (CR 614.10).", name="text", who="lazy players=you")
_rule(
    "hand size",
    "The maximum hand size (CR 402.2).",
    n="lazy amount=",
    who="lazy players=you",
    change="bool=false",
)
_rule("mana stays", "Unspent mana does not empty (CR 500.5).", who="lazy players=you", color="text=")
_rule(
    "does not untap",
    "What is as described does not untap in the untap step.",
    filter="filter",
    who="lazy players=each player",
)
_rule("devotion bonus", "Devotion is greater (CR 700.5a).", n="lazy amount")
_rule(
    "extra triggers",
    "Abilities as described trigger an additional time (CR 603.2d).",
    source="filter=",
    event="trigger=",
)
_rule("no legend rule", "The legend rule does not apply (CR 704.5j).", filter="filter=")
_rule("damage stays", "Damage is not removed in the cleanup step.", filter="filter")
_rule("lethal by power", "Power, not toughness, says what damage is lethal (CR 704.5g).", filter="filter")
_rule("hands revealed", "Players play with their hands revealed.", who="lazy players")
_rule("life floor", "Damage does not reduce life below a number.", n="lazy amount", who="lazy players=you")
_rule("exhaust again", "Exhaust abilities may be activated again.", who="lazy players=you")
_rule(
    "more activations",
    "Abilities with a keyword of what is as described may be activated more often each turn (CR 702.142a).",
    keyword="text",
    filter="filter",
    n="lazy amount=1",
)
_rule(
    "deals as",
    "Damage that sources would deal is dealt as though they had a keyword.",
    keyword="text",
    filter="filter",
)
_rule(
    "player gains",
    "Players have abilities (hexproof, shroud, protection).",
    abilities="abilities",
    who="lazy players=you",
)
_rule(
    "search top only",
    "Players who would search a library search its top cards (CR 701.23f).",
    n="lazy amount",
    who="lazy players=each opponent",
)
_rule("cant be countered", "Spells as described can't be countered.", filter="filter=", who="lazy players=")
