"""Reading ``then`` and ``check``: what must hold."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from judgecall.schema.given import COLORS, FACE_DOWN_BY, read_counters
from judgecall.schema.model import (
    EMPTY,
    PLAYERS,
    STEPS,
    VERBS,
    ZONES,
    Expectation,
    Expectations,
    Probe,
    Step,
    Value,
)
from judgecall.schema.names import RESERVED, Names, counted
from judgecall.schema.reading import Reader, position_of
from judgecall.schema.steps import ACTIONS, StepReader, verb_of
from judgecall.schema.yaml_tree import MappingNode, Node, ScalarNode

__all__ = ["GAME_FACTS", "OBJECT_FACTS", "PLAYER_FACTS", "STAGES", "ExpectationReader"]

STAGES = ("permission", "announce", "targets", "costs")
OBJECT_ZONES = ("hand", "battlefield", "graveyard", "library", "exile", "stack", "command", "nowhere")
COUNTED_ZONES = (*ZONES, "stack")

OBJECT_FACTS: Mapping[str, str] = {
    "zone": "zone",
    "owner": "player",
    "controller": "player or nothing",
    "name": "name",
    "mana_cost": "mana cost",
    "mana_value": "count",
    "colors": "colors",
    "color_identity": "colors",
    "supertypes": "words",
    "types": "words",
    "subtypes": "words",
    "power": "number or nothing",
    "toughness": "number or nothing",
    "loyalty": "number or nothing",
    "defense": "number or nothing",
    "has": "words",
    "lacks": "words",
    "counters": "counters",
    "damage": "count",
    "tapped": "yes or no",
    "face_down": "yes or no",
    "face_down_by": "way to be face down",
    "face": "face",
    "attached_to": "reference or nothing",
    "attachments": "references",
    "attacking": "yes, no, reference or nothing",
    "blocking": "yes, no, references or nothing",
    "summoning_sick": "yes or no",
    "token": "yes or no",
    "copy": "yes or no",
    "revealed_to": "players",
    "targets": "references",
    "x": "number or nothing",
}
"""What can be said of an object, and the kind of its value."""

PLAYER_FACTS: Mapping[str, str] = {
    "life": "number",
    "counters": "counters",
    "mana": "mana or nothing",
    **dict.fromkeys(ZONES, "names"),
    **{f"{zone}_size": "count" for zone in ZONES},
    "count": "counts",
    "lost": "yes or no",
    "won": "yes or no",
    "drawn": "count",
    "deck_legal": "yes or no",
}

GAME_FACTS: Mapping[str, str] = {
    "active": "player",
    "step": "step",
    "turn": "count",
    "priority": "player or nothing",
    "day_night": "day or night",
    "over": "yes or no",
    "winner": "player or nothing",
}


class ExpectationReader:
    """Reads expectations, and ``when``, whose ``check`` steps hold some."""

    def __init__(self, reader: Reader, names: Names) -> None:
        self.reader = reader
        self.names = names
        self.steps = StepReader(reader, names)

    def when(self, node: Node | None) -> tuple[Step, ...]:
        """Read the list of steps."""
        if node is None or self.reader.is_null(node):
            return ()
        steps = (self._step(item) for item in self.reader.items(node, "a list of steps"))
        return tuple(step for step in steps if step is not None)

    def expectations(self, node: Node | None) -> Expectations:
        """Read a whole ``then`` or ``check``."""
        if node is None or self.reader.is_null(node):
            return Expectations()
        subjects: list[Expectation] = []
        probes: list[Probe] = []
        entries = self.reader.mapping(node, "a mapping from subjects to what must hold", None)
        for key, value in entries.values():
            if key.text in ("legal", "illegal"):
                probes.extend(self._probes(value, key.text == "legal"))
            else:
                subjects.append(self._subject(key, value))
        return Expectations(tuple(subjects), tuple(probes))

    def _step(self, node: Node) -> Step | None:
        if not isinstance(node, MappingNode) or "check" not in node.entries:
            return self.steps.step(node, VERBS)
        verb_of(self.reader, node, VERBS, "verb")
        for key, (key_node, _) in node.entries.items():
            if key not in (*VERBS, "choices"):
                self.reader.unknown(key_node, "key", ("check", "choices"))
        choices = node.entries.get("choices")
        return Step(
            verb="check",
            subject=None,
            choices=self.steps.choices(choices[1]) if choices is not None else (),
            expect=self.expectations(node.entries["check"][1]),
            position=position_of(node),
        )

    def _subject(self, key: ScalarNode, value: Node) -> Expectation:
        text, position = key.text, position_of(key)
        if text == "stack":
            items = self.reader.items(value, "a list of what is on the stack, top first")
            stack = tuple(self.names.object(item, many=True) for item in items)
            return Expectation("stack", text, MappingProxyType({"stack": stack}), position)
        if text == "game":
            return Expectation("game", text, self._facts(value, "the game", GAME_FACTS), position)
        if text in PLAYERS:
            self.names.player(key)
            return Expectation("player", text, self._facts(value, "a player", PLAYER_FACTS), position)
        unlike_object = not isinstance(value, MappingNode) and not self.names.declares(text)
        if unlike_object and self.reader.guess(text, RESERVED) is not None:
            self.reader.unknown(key, "subject", RESERVED)
            return Expectation("object", text, EMPTY, position)
        self.names.object(key)
        return Expectation("object", text, self._facts(value, "an object", OBJECT_FACTS), position)

    def _probes(self, node: Node, legal: bool) -> list[Probe]:
        probes: list[Probe] = []
        for item in self.reader.items(node, "a list of actions"):
            step = self.steps.step(item, ACTIONS, () if legal else ("because", "at"))
            if step is None or not isinstance(item, MappingNode):
                continue
            because = None if legal else item.entries.get("because")
            at = None if legal else item.entries.get("at")
            probes.append(
                Probe(
                    step=step,
                    legal=legal,
                    because=self.reader.rule(because[1]) if because is not None else None,
                    at=self.reader.word(at[1], STAGES, "stage") if at is not None else None,
                )
            )
        return probes

    def _facts(self, node: Node, subject: str, known: Mapping[str, str]) -> Mapping[str, Value]:
        entries = self.reader.mapping(node, f"what must be true of {subject}", known)
        return MappingProxyType({key: self._fact(known[key], value) for key, (_, value) in entries.items()})

    def _fact(self, kind: str, node: Node) -> Value:
        reader, names = self.reader, self.names
        if "nothing" in kind and reader.is_null(node):
            return None
        if kind == "yes or no":
            return reader.boolean(node)
        if kind == "count":
            return reader.integer(node, 0)
        if kind in ("number", "number or nothing"):
            return reader.integer(node)
        if kind == "zone":
            return reader.word(node, OBJECT_ZONES, "zone")
        if kind in ("player", "player or nothing"):
            return names.player(node)
        if kind == "players":
            return tuple(names.player(item) for item in reader.one_or_more(node, "a list of players"))
        if kind == "colors":
            items = reader.one_or_more(node, "a list of colors")
            return tuple(reader.word(item, COLORS, "color") for item in items)
        if kind == "words":
            return tuple(reader.line(item, "a word") for item in reader.one_or_more(node, "a list of words"))
        if kind == "counters":
            return read_counters(reader, node)
        if kind == "mana or nothing":
            return reader.mana(node, types_only=True)
        if kind == "mana cost":
            return None if reader.is_null(node) else reader.mana(node)
        if kind == "step":
            return reader.word(node, STEPS, "step")
        if kind == "face":
            return reader.word(node, ("front", "back"), "face")
        if kind == "way to be face down":
            return None if reader.is_null(node) else reader.word(node, FACE_DOWN_BY, kind)
        if kind == "day or night":
            return self._day_or_night(node)
        return self._naming_fact(kind, node)

    def _naming_fact(self, kind: str, node: Node) -> Value:
        reader, names = self.reader, self.names
        if kind == "name":
            return self._current_name(node)
        if kind == "names":
            return tuple(self._current_name(item) for item in reader.items(node, "a list of names"))
        if kind == "counts":
            return self._counts(node)
        if kind == "references":
            return self._references(node)
        if kind == "reference or nothing":
            return names.object_or_player(node)
        # Attacking and blocking: yes, no, or whom; nothing was said above.
        if isinstance(node, ScalarNode) and (isinstance(node.value, bool) or node.text in ("yes", "no")):
            return reader.boolean(node)
        one = kind == "yes, no, reference or nothing" and isinstance(node, ScalarNode)
        return names.object_or_player(node) if one else self._references(node)

    def _references(self, node: Node) -> tuple[Value, ...]:
        items = self.reader.one_or_more(node, "a list of objects and players")
        return tuple(self.names.object_or_player(item) for item in items)

    def _current_name(self, node: Node) -> str:
        """Read a name that an object has now: nothing in quotes for what is face down."""
        if isinstance(node, ScalarNode) and node.value == "":
            return ""
        text = self.reader.line(node, "a name")
        if isinstance(node, ScalarNode) and text:
            self.names.perhaps(node)
        return text

    def _counts(self, node: Node) -> Value:
        counts: dict[str, Value] = {}
        entries = self.reader.mapping(node, "a mapping of zones to names and numbers", COUNTED_ZONES)
        for zone, (_, value) in entries.items():
            numbers: dict[str, Value] = {}
            for name, (key, number) in self.reader.mapping(value, "a mapping of names to numbers", None).items():
                if counted(name) is None:
                    self.names.perhaps(key)
                numbers[name] = self.reader.integer(number, 0)
            counts[zone] = MappingProxyType(numbers)
        return MappingProxyType(counts)

    def _day_or_night(self, node: Node) -> str | None:
        if self.reader.is_null(node):
            return None
        word = self.reader.word(node, ("day", "night", "neither"), "time of day")
        return None if word == "neither" else word
