"""Reading ``given``: the starting state, with every default filled in."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from judgecall.schema.attachments import resolve_attachments
from judgecall.schema.errors import shown
from judgecall.schema.model import (
    EMPTY,
    PLAYERS,
    STARTING_STEPS,
    STEPS,
    ZONES,
    Given,
    ObjectGiven,
    PlayerGiven,
    Value,
)
from judgecall.schema.names import Names, counted
from judgecall.schema.reading import Reader, frozen, position_of
from judgecall.schema.yaml_tree import MappingNode, Node, ScalarNode

__all__ = ["COLORS", "FACE_DOWN_BY", "GIVEN_KEYS", "OBJECT_KEYS", "PLAYER_KEYS", "read_given"]

COLORS = ("white", "blue", "black", "red", "green")
FACE_DOWN_BY = ("morph", "megamorph", "disguise", "manifest", "manifest dread", "cloak", "effect")
GIVEN_KEYS = (*PLAYERS, "active", "step", "turn", "format", "day_night")
PLAYER_KEYS = ("life", *ZONES, "deck", "counters", "mana", "lands_played")
OBJECT_KEYS = (
    "card",
    "token",
    "as",
    "tapped",
    "counters",
    "damage",
    "face_down",
    "face",
    "attached_to",
    "summoning_sick",
    "controller",
    "commander",
    "copy_of",
    "protector",
    "chosen",
)
PERMANENT_KEYS = frozenset(
    (
        "tapped",
        "damage",
        "face",
        "attached_to",
        "summoning_sick",
        "controller",
        "copy_of",
        "protector",
        "token",
    )
)
DECK_KEYS = frozenset(("card", "as", "commander"))
MAX_COUNT = 1000
MAX_OBJECTS = 4000
DEFAULT_LIBRARY = 10


def read_given(reader: Reader, names: Names, node: Node | None) -> Given:
    """Read the starting state; declares its players, cards and aliases in ``names``."""
    entries: Mapping[str, tuple[ScalarNode, Node]] = {}
    if node is not None and not reader.is_null(node):
        entries = reader.mapping(node, "a starting state", GIVEN_KEYS)
    names.players = tuple(name for name in PLAYERS if name in entries or name in PLAYERS[:2])
    format_ = _optional_word(reader, entries, "format", ("commander", "none"))
    commander = format_ == "commander"
    builder = _GivenReader(reader, names, commander)
    players = [builder.player(name, entries[name][1] if name in entries else None) for name in names.players]
    return Given(
        players=resolve_attachments(reader, names, players, builder.attached),
        active=names.player(entries["active"][1]) if "active" in entries else "alice",
        step=_starting_step(reader, entries["step"][1]) if "step" in entries else "precombat main",
        turn=reader.integer(entries["turn"][1], 1) if "turn" in entries else 1,
        format=None if format_ == "none" else format_,
        day_night=_day_or_night(reader, entries),
    )


def read_counters(reader: Reader, node: Node) -> Mapping[str, int]:
    """Read ``{"+1/+1": 2}``: kinds of counters and how many."""
    entries = reader.mapping(node, "a mapping of kinds of counters to numbers", None)
    return MappingProxyType({kind: reader.integer(value, 0) for kind, (_, value) in entries.items()})


def _optional_word(
    reader: Reader, entries: Mapping[str, tuple[ScalarNode, Node]], key: str, known: tuple[str, ...]
) -> str | None:
    return reader.word(entries[key][1], known, key) if key in entries else None


def _day_or_night(reader: Reader, entries: Mapping[str, tuple[ScalarNode, Node]]) -> str | None:
    word = _optional_word(reader, entries, "day_night", ("day", "night", "neither"))
    return None if word == "neither" else word


def _starting_step(reader: Reader, node: Node) -> str:
    if isinstance(node, ScalarNode) and node.text in STEPS and node.text not in STARTING_STEPS:
        expected = ", ".join(STARTING_STEPS)
        reader.report(node, f"the step {shown(node.text)} cannot start a case", f"one of {expected}")
        return "precombat main"
    return reader.word(node, STARTING_STEPS, "step")


class _GivenReader:
    """Reads players and their objects, in turn order."""

    def __init__(self, reader: Reader, names: Names, commander: bool) -> None:
        self.reader = reader
        self.names = names
        self.commander = commander
        self._order = 0
        self.attached: dict[str, Node] = {}
        """The ``attached_to`` of each handle that has one."""

    def player(self, name: str, node: Node | None) -> PlayerGiven:
        """Read one player; an absent one has the defaults."""
        reader = self.reader
        entries: Mapping[str, tuple[ScalarNode, Node]] = {}
        if node is not None and not reader.is_null(node):
            entries = reader.mapping(node, "a player's part of the starting state", PLAYER_KEYS)
        # "In the order listed" is that of the file, whatever the order of the fields is.
        zones = {
            zone: self._zone(name, zone, value)
            for zone, (_, value) in entries.items()
            if zone in ZONES or zone == "deck"
        }
        if "library" not in zones:
            zones["library"] = tuple(
                ObjectGiven(handle=f"{name}.library.default.{index}", card="Plains") for index in range(DEFAULT_LIBRARY)
            )
        return PlayerGiven(
            name=name,
            life=reader.integer(entries["life"][1]) if "life" in entries else 40 if self.commander else 20,
            counters=read_counters(reader, entries["counters"][1]) if "counters" in entries else EMPTY_COUNTERS,
            mana=reader.mana(entries["mana"][1], types_only=True) if "mana" in entries else "",
            lands_played=reader.integer(entries["lands_played"][1], 0) if "lands_played" in entries else 0,
            **zones,
        )

    def _zone(self, player: str, zone: str, node: Node) -> tuple[ObjectGiven, ...]:
        listed: list[ObjectGiven] = []
        for item in self.reader.items(node, f"a list of objects for {shown(zone)}"):
            handle = f"{player}.{zone}.{len(listed)}"
            if isinstance(item, MappingNode):
                listed.append(self._object(player, zone, handle, item))
                continue
            listed.extend(self._named(player, zone, len(listed), item))
            if max(self._order, len(listed)) > MAX_OBJECTS:
                self.reader.report(item, f"more than {MAX_OBJECTS} objects", "a smaller starting state")
                return ()
        return tuple(listed)

    def _named(self, player: str, zone: str, start: int, node: Node) -> list[ObjectGiven]:
        """Read ``Island`` or ``3 Island``."""
        text = self.reader.line(node, "the name of a card, or a mapping")
        if not text:
            return []
        number, card = counted(text) or (1, text)
        if not 1 <= number <= MAX_COUNT:
            expected = f"1 to {MAX_COUNT} of a card, or {{card: …}} where a name begins with a number"
            self.reader.report(node, f"{shown(text)} is no number of objects", expected)
            return []
        self._card_name(node, card)
        return [
            ObjectGiven(
                handle=f"{player}.{zone}.{start + index}",
                card=card,
                commander=self._is_commander(zone),
                order=self._next_order(zone),
                position=position_of(node),
            )
            for index in range(number)
        ]

    def _card_name(self, node: Node, card: str) -> None:
        if "’" in card:
            straight = card.replace("’", "'")
            self.reader.report(node, f"{shown(card)} has a curly apostrophe", "the Oracle name", straight)
        self.names.declare(card)

    def _next_order(self, zone: str) -> int | None:
        if zone == "deck":
            return None
        self._order += 1
        return self._order - 1

    def _is_commander(self, zone: str) -> bool:
        return self.commander and zone == "command"

    def _object(self, player: str, zone: str, handle: str, node: MappingNode) -> ObjectGiven:
        """Read an object that is written as a mapping."""
        reader = self.reader
        if len(node.entries) == 1:
            ((key, value),) = node.entries.values()
            if key.text not in OBJECT_KEYS and isinstance(value, ScalarNode) and isinstance(value.value, str):
                # A name with a colon that nobody quoted.
                message = f"unknown key {shown(key.text)}"
                reader.report(key, message, "a name with a colon to be quoted", f"{key.text}: {value.text}")
                return ObjectGiven(handle=handle, card="")
        entries = {key: value for key, (_, value) in reader.mapping(node, "an object", OBJECT_KEYS).items()}
        self._check_zone(zone, node)
        card, token_name, token = self._identity(node, entries)
        controller = self.names.player(entries["controller"]) if "controller" in entries else None
        if "attached_to" in entries:
            self.attached[handle] = entries["attached_to"]
        flags = {
            key: reader.boolean(entries[key]) for key in ("tapped", "summoning_sick", "commander") if key in entries
        }
        copy_of = self._copy_of(entries["copy_of"]) if "copy_of" in entries else None
        return ObjectGiven(
            handle=handle,
            card=card,
            token_name=token_name,
            alias=self.names.declare_alias(entries["as"], card) if "as" in entries else None,
            tapped=flags.get("tapped", False),
            counters=read_counters(reader, entries["counters"]) if "counters" in entries else None,
            damage=reader.integer(entries["damage"], 0) if "damage" in entries else 0,
            face_down=(
                reader.word(entries["face_down"], FACE_DOWN_BY, "way to be face down")
                if "face_down" in entries
                else None
            ),
            face=reader.word(entries["face"], ("front", "back"), "face") if "face" in entries else "front",
            attached_to=self._attached_to(entries["attached_to"]) if "attached_to" in entries else None,
            summoning_sick=flags.get("summoning_sick", False),
            controller=None if controller == player else controller,
            commander=flags.get("commander", False) or self._is_commander(zone),
            copy_of=copy_of,
            token=token,
            protector=self.names.player(entries["protector"]) if "protector" in entries else None,
            chosen=self._chosen(entries["chosen"]) if "chosen" in entries else EMPTY,
            order=self._next_order(zone),
            position=position_of(node),
        )

    def _identity(self, node: Node, entries: Mapping[str, Node]) -> tuple[str, str | None, bool]:
        """Give the card, the predefined token's name, and whether it is a token that copies the card."""
        reader = self.reader
        card_node, token_node = entries.get("card"), entries.get("token")
        names_token = (
            isinstance(token_node, ScalarNode)
            and isinstance(token_node.value, str)
            and token_node.text not in ("yes", "no", "true", "false")
        )
        if card_node is not None:
            card = reader.line(card_node, "the name of a card")
            if card:
                self._card_name(card_node, card)
            if token_node is None:
                return card, None, False
            if names_token:
                expected = "'card' with 'token: true', or 'token' alone"
                reader.report(token_node, "both a card and the name of a token", expected)
                return card, None, True
            return card, None, reader.boolean(token_node)
        if token_node is None:
            reader.report(node, "the object has no name", "'card' or 'token'")
            return "", None, False
        if not names_token:
            reader.wrong(token_node, "the name of a token, or 'card' beside 'token: true'")
            return "", None, True
        token = reader.line(token_node, "the name of a token")
        if token:
            self.names.declare_token(token)
        return "", token, True

    def _copy_of(self, node: Node) -> str:
        card = self.reader.line(node, "the name of a card")
        if card:
            self._card_name(node, card)
        return card

    def _attached_to(self, node: Node) -> str:
        reference = self.reader.line(node, "the name of an object or a player")
        if reference in PLAYERS:
            return self.names.player(node)
        return reference if self.names.form(node, reference, prefixes=False) is not None else ""

    def _chosen(self, node: Node) -> Mapping[str, Value]:
        entries = self.reader.mapping(node, "a mapping of what was chosen", None)
        if "color" in entries and isinstance(entries["color"][1], ScalarNode):
            self.reader.word(entries["color"][1], COLORS, "color")
        return MappingProxyType({key: frozen(value) for key, (_, value) in entries.items()})

    def _check_zone(self, zone: str, node: MappingNode) -> None:
        """Report what only a permanent can have, in other zones."""
        if zone == "battlefield":
            return
        for key, (key_node, value) in node.entries.items():
            allowed = key in DECK_KEYS if zone == "deck" else key not in PERMANENT_KEYS
            if zone in ("hand", "library", "graveyard") and key == "face_down":
                allowed = False
            says_nothing = isinstance(value, ScalarNode) and value.value in (False, 0, "front")
            if key in OBJECT_KEYS and not allowed and not says_nothing:
                self.reader.report(key_node, f"{shown(key)} says nothing of a card in {shown(zone)}")


EMPTY_COUNTERS: Mapping[str, int] = MappingProxyType({})
