"""States of python-mtg: built from a starting state of ours, and read back.

A state of that engine is a dict of relations. Its own builder of boards knows no graveyards, so a deck is made of
all cards of a player, and their ids are then moved from the library into the zones that they belong in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from judgecall.adapters.engine import Json, ObjectView, PlayerView, Unsupported
from judgecall.adapters.python_mtg.cards import COMBAT, full_name, knows, subtype_words
from judgecall.adapters.python_mtg.referee import State
from judgecall.schema.model import ZONES, Given, ObjectGiven
from mtg import bridge_to_engine, driver
from mtg._text import slug
from mtg.engine import env

__all__ = ["BUILDS", "PROPERTIES", "build", "is_waiting", "see_combat", "step_of", "view"]

BUILDS = frozenset(
    (
        "attached_to",
        "counters",
        "face_down",
        "lands_played",
        "life",
        "mana",
        "player counters",
        "step",
        "summoning_sick",
        "tapped",
        "turn",
    )
)
"""What `build` can build beyond cards in zones."""

PROPERTIES = frozenset(
    """active attached_to attachments attacking blocking colors controller counters face_down keywords life lost mana
    mana_value over power priority step subtypes summoning_sick supertypes tapped toughness turn types winner
    won""".split()
)
"""What `view` tells, where nothing keeps it from knowing."""

_COLORS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green", "C": "colorless"}
_SYMBOLS = {word: symbol for symbol, word in _COLORS.items()}
_COUNTERS = {"+1/+1": "p1p1", "-1/-1": "m1m1", "loyalty": "loyalty"}
_COUNTER_NAMES = {theirs: ours for ours, theirs in _COUNTERS.items()}
_MARKED = ("eff_copy", "eff_text_change", "eff_add_type", "eff_remove_type", "eff_set_color")
"""Effects on types and colors. The engine derives what comes of them and does not tell, so we leave that out."""


# -- building ------------------------------------------------------------------------------------------------


def build(given: Given) -> tuple[State, dict[str, ObjectGiven]]:
    """Build a starting state; gives it, and what each of its ids was declared as.

    Raises:
        Unsupported: something in it cannot be built.
    """
    declared: dict[str, dict[str, list[tuple[str, ObjectGiven]]]] = {}
    for player in given.players:
        cards = declared[player.name] = {}
        for zone in ZONES:
            for each in getattr(player, zone):
                if zone == "command":
                    raise Unsupported("state", "command")
                if not knows(each.card):
                    raise Unsupported("card", each.card)
                cards.setdefault(slug(full_name(each.card)), []).append((zone, each))
    decks = {
        name: [full_name(each.card) for listed in cards.values() for _, each in listed]
        for name, cards in declared.items()
    }
    driver.clear_cache()  # another game begins: nothing of the last one may show
    state: State = bridge_to_engine.make_deck_state(decks, hand=0)
    objects = _placed(state, declared)
    state["active_player"] = {(given.active,)}
    state["current_step"] = {(given.step.replace(" ", "_"),)}
    state["_turn"] = given.turn
    state["_explicit_lands"] = state["_instant_speed"] = True
    state["life"] = {(player.name, player.life) for player in given.players}
    for player in given.players:
        order = {each.handle: place for place, each in enumerate(player.library)}
        library = [id_ for owner, id_ in state["in_library"] if owner == player.name]
        state["_lib_order"][player.name] = sorted(library, key=lambda id_: order[objects[id_].handle])
        for kind, number in player.counters.items():
            if kind != "poison":
                raise Unsupported("state", "player counters")
            state.setdefault("poison", set()).add((player.name, number))
        for symbol in _symbols(player.mana):
            _float(state, player.name, symbol)
        if player.lands_played > 1:
            raise Unsupported("state", "lands_played")
        if player.lands_played:
            state["_land_played"].add((player.name,))
    ids = {each.handle: id_ for id_, each in objects.items()}
    for id_, each in objects.items():
        _mark(state, id_, each, ids)
    env._develop_if_main(state)
    return state, objects


def _placed(
    state: State, declared: Mapping[str, Mapping[str, list[tuple[str, ObjectGiven]]]]
) -> dict[str, ObjectGiven]:
    """Move the cards out of the libraries into their zones; gives what each id is."""
    owner = {id_: player for player, id_ in state["printed_control"]}
    objects: dict[str, ObjectGiven] = {}
    left = {player: {card: list(listed) for card, listed in cards.items()} for player, cards in declared.items()}
    for id_, card in sorted(state["instance_of"]):
        player = owner[id_]
        zone, each = left[player][card].pop(0)
        objects[id_] = each
        if zone == "library":
            continue
        state["in_library"].discard((player, id_))
        if zone == "hand":
            state["in_hand"].add((player, id_))
        else:
            state.setdefault("on_battlefield" if zone == "battlefield" else zone, set()).add((id_,))
    return objects


def _mark(state: State, id_: str, each: ObjectGiven, ids: Mapping[str, str]) -> None:
    """Make a permanent tapped, counted, attached and so on."""
    if each.tapped:
        state["tapped"].add((id_,))
    if each.summoning_sick:
        state.setdefault("_sick", set()).add((id_,))
    counters = each.counters
    if counters is None and (id_, "planeswalker") in state["printed_type"] and (id_,) in state["on_battlefield"]:
        loyalty = dict(state.get("card_loyalty", ()))
        counters = {"loyalty": loyalty[dict(state["instance_of"])[id_]]}
    for kind, number in (counters or {}).items():
        if kind not in _COUNTERS:
            raise Unsupported("state", f"{kind} counters")
        state["counter"].add((id_, _COUNTERS[kind], number))
    if each.attached_handle is not None:
        if each.attached_handle not in ids:
            raise Unsupported("state", "attached_to a player")
        host = ids[each.attached_handle]
        state.setdefault("attached_to", set()).add((id_, host))
        if (id_,) in state.get("aura_control", ()):
            # As it does itself for an Aura that becomes attached.
            ((controller,),) = [(player,) for player, row in state["printed_control"] if row == id_]
            state.setdefault("eff_gain_control", set()).add((f"{id_}__ctrl", controller, host, 1))
    if each.face_down is not None:
        if (id_,) not in state["on_battlefield"] or each.face_down in ("cloak", "disguise"):
            # It has one kind of being face down, on the battlefield and without ward.
            raise Unsupported("state", "face_down")
        state.setdefault("face_down", set()).add((id_,))


def _symbols(mana: str) -> Iterator[str]:
    for symbol in mana.replace("}", "").split("{")[1:]:
        if symbol not in _COLORS:
            raise Unsupported("state", "mana")
        yield symbol


def _float(state: State, player: str, symbol: str) -> None:
    color = _COLORS[symbol]
    floating = state.setdefault("floating_mana", set())
    there = next((row for row in floating if row[:2] == (player, color)), (player, color, 0))
    floating.discard(there)
    floating.add((player, color, there[2] + 1))


# -- reading -------------------------------------------------------------------------------------------------


def step_of(state: State) -> str:
    """The step that a state is in, by the rules' name."""
    ((step,),) = state["current_step"]
    return str(step).replace("_", " ")


def is_waiting(state: State) -> bool:
    """Whether the engine has still to do what belongs to the beginning of the step.

    It draws, and lets abilities of a step trigger, as it leaves the step.
    """
    out = driver.run(state, ["to_draw", "fires", "pending", "pending_dyn"])
    return any(out.values())


def see_combat(state: State) -> None:
    """See that there can be combat as the rules have it.

    Raises:
        Unsupported: a creature has a keyword of combat that the engine does not act on.
    """
    battlefield = {id_ for (id_,) in state["on_battlefield"]}
    out = driver.run(state, ["creature", "has_keyword"])
    creatures = {id_ for (id_,) in out["creature"]} & battlefield
    printed = _grouped(state.get("card_keyword", ()))
    face_down = {id_ for (id_,) in state.get("face_down", ())}
    found = {keyword for id_, keyword in out["has_keyword"] if id_ in creatures}
    for id_, card in state["instance_of"]:
        if id_ in creatures - face_down:
            found.update(printed.get(card, ()))
    for keyword in sorted(found & COMBAT):
        raise Unsupported("action", f"combat with {keyword.replace('_', ' ')}")


def view(
    state: State,
    objects: Mapping[str, ObjectGiven],
    players: tuple[str, ...],
    owners: Mapping[str, str],
    waiting: ObjectView | None = None,
    *,
    paid: bool = False,
) -> tuple[dict[str, ObjectView], dict[str, PlayerView]]:
    """Everything in every zone, and the players.

    ``waiting`` is a spell or ability on the stack. ``paid``: the state is the engine's own with that on its stack;
    else nothing is said but where things are, since its costs are not paid in the state.
    """
    if state.get("is_token"):
        # To name it by its subtypes (CR 111.4) would be our doing.
        raise Unsupported("property", "name of a token")
    reader = _Reader(state)
    seen: dict[str, ObjectView] = {}
    for id_, each in objects.items():
        seen[id_] = ObjectView(
            id=id_,
            zone=reader.zone(id_),
            owner=owners[id_],
            name="" if id_ in reader.face_down else each.card,
            card=each.handle,
            card_name=each.card,
            facts={} if waiting and not paid else reader.facts(id_),
        )
    if waiting is not None:
        seen[waiting.id] = replace(seen[waiting.id], zone="stack") if waiting.id in seen else waiting
    shown = {player: reader.player(player, seen) for player in players}
    if waiting is not None and not paid:
        shown = {player: replace(each, facts={}) for player, each in shown.items()}
    return seen, shown


class _Reader:
    """One state, with what the engine derives from it."""

    def __init__(self, state: State) -> None:
        self.state = state
        out = driver.run(state, ["controls", "creature", "power", "eff_toughness", "has_keyword"])
        self.controllers = {id_: player for player, id_ in out["controls"]}
        self.creatures = {id_ for (id_,) in out["creature"]}
        self.power = {id_: int(number) for id_, number in out["power"]}
        self.toughness = {id_: int(number) for id_, number in out["eff_toughness"]}
        self.keywords = _grouped(out["has_keyword"])
        self.cards = dict(state["instance_of"])
        self.printed_keywords = _grouped(state.get("card_keyword", ()))
        self.face_down = {id_ for (id_,) in state.get("face_down", ())}
        self.changed = {row[1] for relation in _MARKED for row in state.get(relation, ())}
        self.relations = {
            name: _grouped(state.get(name, ()))
            for name in ("printed_type", "printed_subtype", "has_supertype", "printed_color")
        }

    def zone(self, id_: str) -> str:
        """Where an id is; an id of which the engine has lost track is nowhere."""
        for zone, relation in (
            ("battlefield", "on_battlefield"),
            ("graveyard", "graveyard"),
            ("exile", "exile"),
            ("hand", "in_hand"),
            ("library", "in_library"),
        ):
            if any(row[-1] == id_ for row in self.state.get(relation, ())):
                return zone
        return "nowhere"

    def _words(self, relation: str, id_: str) -> list[str]:
        return [subtype_words().get(word, word.capitalize()) for word in self.relations[relation].get(id_, ())]

    def facts(self, id_: str) -> dict[str, Json]:
        """What the engine tells of an object. Types and colors it tells as printed: left out where they change."""
        state = self.state
        facts: dict[str, Json] = {}
        if id_ not in self.face_down and id_ not in self.changed:
            facts["types"] = self._words("printed_type", id_)
            facts["subtypes"] = self._words("printed_subtype", id_)
            facts["supertypes"] = self._words("has_supertype", id_)
            facts["colors"] = list(self.relations["printed_color"].get(id_, ()))
            for value in (number for row, number in state.get("mana_cost", ()) if row == id_):
                facts["mana_value"] = int(value)
        facts["face_down"] = id_ in self.face_down
        if (id_,) not in state["on_battlefield"]:
            return facts
        keywords = set(self.keywords.get(id_, ()))
        if id_ not in self.face_down:
            keywords |= set(self.printed_keywords.get(self.cards.get(id_, ""), ()))
        facts["keywords"] = sorted(word.replace("_", " ") for word in keywords)
        facts["controller"] = self.controllers.get(id_)
        facts["summoning_sick"] = id_ in self.creatures and (id_,) in state.get("_sick", ())
        facts["tapped"] = (id_,) in state["tapped"]
        facts["counters"] = {
            _COUNTER_NAMES.get(kind, kind): number for row, kind, number in state["counter"] if row == id_
        }
        if id_ in self.creatures:
            facts["power"] = self.power.get(id_)
            facts["toughness"] = self.toughness.get(id_)
        attached = state.get("attached_to", ())
        facts["attached_to"] = next((host for row, host in attached if row == id_), None)
        facts["attachments"] = sorted(row for row, host in attached if host == id_)
        facts["attacking"] = next((whom for row, whom in state["attacks"] if row == id_), None)
        facts["blocking"] = sorted(whom for row, whom in state["blocks"] if row == id_)
        return facts

    def player(self, player: str, seen: Mapping[str, ObjectView]) -> PlayerView:
        """One player."""
        state = self.state
        zones: dict[str, tuple[str, ...]] = {
            zone: tuple(id_ for id_, each in seen.items() if each.zone == zone and each.owner == player)
            for zone in ("hand", "graveyard", "exile")
        }
        zones["library"] = tuple(state["_lib_order"].get(player, ()))
        zones["battlefield"] = tuple(
            id_ for id_, each in seen.items() if each.zone == "battlefield" and self.controllers.get(id_) == player
        )
        zones["command"] = ()
        poison = dict(state.get("poison", ())).get(player, 0)
        floating = sorted((color, number) for whom, color, number in state.get("floating_mana", ()) if whom == player)
        loser = state.get("_loser")
        facts: dict[str, Json] = {
            "life": dict(state["life"])[player],
            "counters": {"poison": poison} if poison else {},
            "mana": "".join(f"{{{_SYMBOLS[color]}}}" * number for color, number in floating),
            "lost": loser == player,
            "won": loser is not None and loser != player,
        }
        return PlayerView(player, zones, facts)


def _grouped(rows: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for id_, word in sorted(rows):
        found.setdefault(id_, []).append(word)
    return found
