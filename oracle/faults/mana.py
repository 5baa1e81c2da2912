"""Faults of mana and of paying with it (CR 106, 107.4, 605)."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

from judgecall.oracle import activating, casting, characteristics, layers, mana, objects, payment
from judgecall.oracle.definitions import Activated
from judgecall.oracle.faults.gallery import Mend, fault, patch, patch_item, reread, together, wrap
from judgecall.oracle.vocabulary import grammar

__all__: list[str] = []


@fault("undefined-mana-is-colorless", "106.5", "Mana of a type that cannot be told is colorless mana instead of none.")
def undefined_is_colorless() -> Mend:
    def wrong(right: Any, ctx: Any, node: Any, what: str, times: int) -> Any:
        found = right(ctx, node, what, times)
        return [("C",) * times] if found == [()] and times > 0 else found

    return wrap(mana, "_named", wrong)


@fault("restricted-mana-pays-anything", "106.6", "A restriction on what mana may be spent on is not looked at.")
def restricted_pays_anything() -> Mend:
    return patch(mana, "may_spend", lambda *given: True)


@fault(
    "could-produce-looks-no-further",
    "106.7",
    "A land whose mana depends on other lands counts as able to produce nothing when another land asks.",
)
def looks_no_further() -> Mend:
    def wrong(right: Any, game: Any, land: Any, asked: Any) -> Any:
        borrowed = any(
            node.args["what"] in ("could produce", "type could produce")
            for ability, _ in layers.of(game, land).each(Activated)
            if ability.mana
            for node in mana._mana_nodes(ability)
        )
        return set() if borrowed else right(game, land, asked)

    return wrap(mana, "could_produce", wrong)


@fault("hybrid-mana-by-its-first-half", "107.4e", "A hybrid mana symbol is paid with the first of its two halves only.")
def first_half() -> Mend:
    def wrong(right: Any, unit: Any, symbol: str, any_color: bool) -> Any:
        return right(unit, symbol.split("/")[0] if not symbol.endswith("/P") else symbol, any_color)

    return wrap(payment, "_pays", wrong)


@fault("hybrid-mana-all-alike", "107.4e", "All hybrid symbols of a cost are paid with the same color.")
def all_alike() -> Mend:
    def wrong(right: Any, required: Any, index: int, search: Any, generic: int) -> bool:
        if index == len(required):
            paid = {unit.symbol for symbol, unit in search.assigned if "/" in symbol and not symbol.endswith("/P")}
            if len(paid) > 1:
                return False
        return bool(right(required, index, search, generic))

    return wrap(payment, "_cover", wrong)


@fault("phyrexian-mana-all-or-none", "107.4f", "Life is paid for all Phyrexian symbols of a cost or for none of them.")
def all_or_none() -> Mend:
    def wrong(right: Any, required: Any, *rest: Any) -> Any:
        n = sum(1 for symbol in required if symbol.endswith("/P"))
        return [option for option in right(required, *rest) if option in (0, n)]

    return wrap(payment, "_life_options", wrong)


@fault("phyrexian-mana-never-with-life", "107.4f", "Phyrexian mana symbols can be paid with mana of their color only.")
def never_with_life() -> Mend:
    return patch(payment, "_life_options", lambda *given: [0])


def _worth(change: Any) -> Mend:
    return wrap(objects, "symbol_value", change)


@fault("hybrid-mana-value-counts-twice", "202.3f", "A hybrid symbol of two colors adds 2 to the mana value.")
def counts_twice() -> Mend:
    def wrong(right: Any, symbol: str, x: int = 0) -> Any:
        parts = symbol.split("/")
        both = len(parts) == 2 and all(part in characteristics.COLOR_OF for part in parts)
        return 2 if both else right(symbol, x)

    return _worth(wrong)


@fault(
    "generic-hybrid-mana-value-one",
    "202.3f",
    "A hybrid symbol of two generic mana or one colored adds 1 to the mana value.",
)
def generic_hybrid_one() -> Mend:
    return _worth(lambda right, symbol, x=0: 1 if symbol.startswith("2/") else right(symbol, x))


@fault("phyrexian-mana-value-zero", "202.3g", "A Phyrexian mana symbol adds nothing to the mana value.")
def phyrexian_zero() -> Mend:
    return _worth(lambda right, symbol, x=0: 0 if symbol.endswith("/P") else right(symbol, x))


@fault("x-is-zero-on-the-stack", "202.3e", "X counts as 0 in the mana value of a spell on the stack too.")
def x_is_zero_on_the_stack() -> Mend:
    return wrap(objects, "value_of", lambda right, values, x=0: right(values, 0))


@fault(
    "generic-mana-value-one",
    "202.3",
    "Each mana symbol of a cost adds 1 to the mana value, a number of generic mana too.",
)
def generic_one() -> Mend:
    return _worth(lambda right, symbol, x=0: 1 if symbol.isdigit() and symbol != "0" else right(symbol, x))


@fault("unspent-mana-lasts-the-turn", "500.5", "Unspent mana stays in the pool until the end of the turn.")
def lasts_the_turn() -> Mend:
    def wrong(right: Any, game: Any) -> None:
        if game.step in ("end", "cleanup"):
            right(game)

    return wrap(mana, "empty", wrong)


def _reading_triggered(change: Any) -> Mend:
    def wrong(right: Any, raw: Any, number: int) -> Any:
        return change(right(raw, number))

    return together(reread(), wrap_reader("triggered", wrong))


def wrap_reader(kind: str, wrong: Any) -> Mend:
    """Abilities of a kind are read from definitions in a wrong way."""
    right = grammar._ABILITY_READERS[kind]
    return patch_item(grammar._ABILITY_READERS, kind, lambda raw, number: wrong(right, raw, number))


@fault(
    "triggered-mana-abilities-use-the-stack",
    "605.4a",
    "A triggered mana ability is put on the stack like any other triggered ability.",
)
def use_the_stack() -> Mend:
    return _reading_triggered(lambda ability: replace(ability, mana=False))


@fault(
    "every-trigger-for-mana-is-a-mana-ability",
    "605.1b",
    "A triggered ability that adds mana resolves at once, whatever it triggers from.",
)
def every_trigger_for_mana() -> Mend:
    return _reading_triggered(lambda ability: replace(ability, mana=grammar._makes_mana(ability.body)))


@fault(
    "activated-mana-abilities-use-the-stack",
    "605.3b",
    "An activated ability that adds mana goes on the stack unless it was activated to pay for something.",
)
def activated_use_the_stack() -> Mend:
    def wrong(right: Any, game: Any, player: Any, obj: Any, ability: Any, request: Any) -> Any:
        paying = "output" in game.fresh
        return right(game, player, obj, ability if paying else replace(ability, mana=False), request)

    return wrap(activating, "_activate", wrong)


@fault("convoke-pays-generic-only", "702.51a", "A creature tapped to convoke a spell never pays for colored mana.")
def generic_only() -> Mend:
    def wrong(right: Any, unit: Any, symbol: str, any_color: bool) -> bool:
        return not unit.symbol.startswith("convoke:") and bool(right(unit, symbol, any_color))

    return wrap(payment, "_pays", wrong)


@fault(
    "expend-counts-each-spell-anew",
    "700.14",
    "Mana spent on an earlier spell in the turn does not count toward expending.",
)
def counts_each_anew() -> Mend:
    def wrong(right: Any, game: Any, player: Any, spent: int) -> None:
        game.write(player, "notes", MappingProxyType({key: v for key, v in player.notes.items() if key != "spent"}))
        right(game, player, spent)

    return wrap(casting, "_expend", wrong)


@fault(
    "restricted-mana-for-spells-alone",
    "106.6",
    "Mana that may be spent only on some costs pays for spells alone, though an ability has such a cost.",
)
def for_spells_alone() -> Mend:
    return wrap(mana, "may_spend", lambda right, *given: given[-2] == "spell" and right(*given))


@fault("kept-mana-is-lost", "500.5", "Mana that an effect keeps until later is lost as the step ends all the same.")
def kept_mana_is_lost() -> Mend:
    def wrong(right: Any, game: Any) -> None:
        mana.expire(game, "end of turn", "end of combat")
        right(game)

    return wrap(mana, "empty", wrong)


@fault("mana-of-combat-stays", "500.5a", "Mana that is kept until end of combat is there until the turn ends.")
def mana_of_combat_stays() -> Mend:
    def wrong(right: Any, game: Any, *durations: str) -> None:
        if "end of turn" in durations:
            right(game, *durations)

    return wrap(mana, "expire", wrong)


@fault("any-type-is-any-color", "118.14", "Mana that is spent as though it were of any type pays no colorless symbol.")
def is_any_color() -> Mend:
    def wrong(right: Any, unit: Any, symbol: str, any_color: Any) -> bool:
        return bool(right(unit, symbol, any_color)) and not (symbol == "C" and unit.symbol != "C")

    return wrap(payment, "_pays", wrong)
