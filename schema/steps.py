"""Reading the steps of ``when``, the actions of ``legal`` and ``illegal``, and the answers in ``choices``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from judgecall.schema.errors import shown
from judgecall.schema.given import COLORS
from judgecall.schema.model import STEPS, VERBS, Answer, Step, Value
from judgecall.schema.names import Names
from judgecall.schema.reading import Reader, frozen, position_of
from judgecall.schema.yaml_tree import ListNode, MappingNode, Node, ScalarNode

__all__ = [
    "ACTIONS",
    "ADVANCE_STEPS",
    "ANSWERS",
    "CAST_FACES",
    "COST_KEYS",
    "TURN_UP_COSTS",
    "VERB_KEYS",
    "StepReader",
    "verb_of",
]

VERB_KEYS: Mapping[str, tuple[str, ...]] = {
    "cast": ("using", "face", "x", "modes", "targets", "kicked", "costs", "paying"),
    "activate": ("ability", "x", "modes", "targets", "costs", "paying"),
    "play": ("face",),
    "turn face up": ("using", "x", "costs", "paying"),
    "attack": (),
    "block": (),
    "resolve": (),
    "pass": (),
    "advance": ("of", "turn"),
    "concede": (),
    "check": (),
}
"""The keys that each verb takes beside ``by`` and ``choices``."""

ACTIONS = ("cast", "activate", "play", "turn face up", "attack", "block", "pass", "concede")
"""The verbs that ``legal`` and ``illegal`` may ask about."""

CAST_FACES = ("front", "back", "left", "right", "fused", "adventure")
TURN_UP_COSTS = ("mana cost", "morph", "megamorph", "disguise")
COST_KEYS = ("discard", "sacrifice", "exile", "tap", "return", "remove", "life")
ADVANCE_STEPS = tuple(step for step in STEPS if step != "untap")
"""Nobody has priority in the untap step (CR 502.4)."""

ANSWERS = (
    "may",
    "pay",
    "pick",
    "targets",
    "modes",
    "x",
    "number",
    "color",
    "type",
    "name",
    "mana",
    "order",
    "surveil",
    "scry",
    "divide",
    "replacement",
    "cast",
    "coin",
    "roll",
)

COUNTERS_THAT_REPLACE = ("finality counter", "shield counter", "stun counter")
"""What `replacement` may name beside objects: the effect of such a counter (CR 122.1c, 122.1d, 122.1h)."""

_Entries = Mapping[str, tuple[ScalarNode, Node]]


def verb_of(reader: Reader, node: MappingNode, known: tuple[str, ...], what: str) -> str | None:
    """Find the one verb (or answering word) of a mapping; reports it when there is none, or a second one."""
    found = [key for key in node.entries if key in known]
    if not found:
        for key, (key_node, _) in node.entries.items():
            suggestion = reader.guess(key, known)
            if suggestion is not None:
                reader.report(key_node, f"unknown {what} {shown(key)}", ", ".join(known), suggestion)
                return None
        where: Node = next(iter(node.entries.values()))[0] if node.entries else node
        words = f" among {', '.join(map(shown, node.entries))}" if node.entries else ""
        reader.report(where, f"no {what}{words}", f"one of {', '.join(known)}")
        return None
    for key in found[1:]:
        message = f"{shown(found[0])} and {shown(key)} in one mapping"
        reader.report(node.entries[key][0], message, f"one {what}")
    return found[0]


class StepReader:
    """Reads steps and answers, noting what they refer to."""

    def __init__(self, reader: Reader, names: Names) -> None:
        self.reader = reader
        self.names = names

    def step(self, node: Node, known: tuple[str, ...], more: tuple[str, ...] = ()) -> Step | None:
        """Read a step whose verb is among ``known``, never ``check``; keys in ``more`` are the caller's."""
        if not isinstance(node, MappingNode):
            self.reader.wrong(node, f"a mapping with one of {', '.join(known)}")
            return None
        verb = verb_of(self.reader, node, VERBS, "verb")
        if verb is None:
            return None
        if verb not in known:
            self.reader.report(node.entries[verb][0], f"{shown(verb)} is no action", f"one of {', '.join(known)}")
            return None
        entries = self._known_entries(node, (verb, "by", "choices", *VERB_KEYS[verb], *more), VERBS)
        return Step(
            verb=verb,
            subject=self._subject(verb, entries[verb][1]),
            by=self.names.player(entries["by"][1]) if "by" in entries else None,
            args=self._arguments(verb, entries),
            choices=self.choices(entries["choices"][1]) if "choices" in entries else (),
            position=position_of(node),
        )

    def choices(self, node: Node) -> tuple[Answer, ...]:
        """Read a list of answers."""
        answers = (self._answer(item) for item in self.reader.items(node, "a list of answers"))
        return tuple(answer for answer in answers if answer is not None)

    def _known_entries(self, node: MappingNode, keys: tuple[str, ...], reported: tuple[str, ...]) -> _Entries:
        """Give the entries with known keys, and report the others unless ``verb_of`` has done so."""
        for key, (key_node, _) in node.entries.items():
            if key not in keys and key not in reported:
                self.reader.unknown(key_node, "key", keys)
        return {key: entry for key, entry in node.entries.items() if key in keys}

    # What the verb is about

    def _subject(self, verb: str, node: Node) -> Value:
        if verb in ("cast", "activate", "play", "turn face up"):
            return self.names.object(node)
        if verb == "attack":
            return self._attack(node)
        if verb == "block":
            return self._block(node)
        if verb == "resolve":
            return self.reader.word(node, ("top", "all"), "word of 'resolve'")
        if verb == "advance":
            return self.reader.word(node, ADVANCE_STEPS, "step")
        return self.names.player(node)

    def _attack(self, node: Node) -> Value:
        if isinstance(node, MappingNode):
            return MappingProxyType(
                {self.names.object(key): self.names.object_or_player(value) for key, value in node.entries.values()}
            )
        expected = "a list of attackers, or a mapping of attackers to what they attack"
        return tuple(self.names.object(item) for item in self.reader.items(node, expected))

    def _block(self, node: Node) -> Value:
        entries = self.reader.mapping(node, "a mapping of blockers to attackers", None)
        blocks: dict[str, Value] = {}
        for key, value in entries.values():
            blocker = self.names.object(key)
            if isinstance(value, ListNode):
                blocks[blocker] = tuple(self.names.object(item) for item in value.items)
            else:
                blocks[blocker] = self.names.object(value)
        return MappingProxyType(blocks)

    # The other keys

    def _arguments(self, verb: str, entries: _Entries) -> Mapping[str, Value]:
        arguments = {key: self._argument(verb, key, entries[key][1]) for key in VERB_KEYS[verb] if key in entries}
        return MappingProxyType(arguments)

    def _argument(self, verb: str, key: str, node: Node) -> Value:
        if key == "face":
            faces = CAST_FACES if verb == "cast" else CAST_FACES[:2]
            return self.reader.word(node, faces, "face")
        if key == "using" and verb == "turn face up":
            return self.reader.word(node, TURN_UP_COSTS, "cost to turn it face up")
        if key == "turn":
            return self.reader.word(node, ("next",), "turn")
        readers: Mapping[str, Callable[[Node], Value]] = {
            "using": self._using,
            "x": lambda node: self.reader.integer(node, 0),
            "modes": self._modes,
            "targets": self._targets,
            "kicked": self._kicked,
            "costs": self._costs,
            "paying": self._paying,
            "ability": self._ability,
            "of": self.names.player,
        }
        return readers[key](node)

    def _using(self, node: Node) -> Value:
        if isinstance(node, MappingNode):
            return (self._using_costs(node),)
        expected = "a word, a list of words, or a mapping of a word to its cost"
        ways: list[Value] = []
        for item in self.reader.one_or_more(node, expected):
            if isinstance(item, MappingNode):
                ways.append(self._using_costs(item))
                continue
            ways.append(self.reader.line(item, "a word or the name of an object"))
            if isinstance(item, ScalarNode):
                self.names.perhaps(item)
        return tuple(ways)

    def _using_costs(self, node: MappingNode) -> Value:
        costs: dict[str, Value] = {}
        for word, (key, value) in node.entries.items():
            self.names.perhaps(key)
            costs[word] = self.reader.line(value, 'a cost in quotes, such as "{3}{G}"')
            if isinstance(value, ScalarNode):
                self.reader.symbols(value, costs=True)
        return MappingProxyType(costs)

    def _modes(self, node: Node) -> Value:
        items = self.reader.one_or_more(node, "a list of numbers of modes")
        return tuple(self.reader.integer(item, 1, "the number of a mode") for item in items)

    def _targets(self, node: Node) -> Value:
        targets: list[Value] = []
        for item in self.reader.items(node, "a list of objects and players"):
            if isinstance(item, ListNode):
                targets.append(tuple(self.names.object_or_player(inner) for inner in item.items))
            else:
                targets.append(self.names.object_or_player(item))
        return tuple(targets)

    def _kicked(self, node: Node) -> Value:
        if isinstance(node, MappingNode):
            times: dict[str, Value] = {}
            for cost, (key, value) in node.entries.items():
                self.reader.symbols(key, costs=True)
                times[cost] = self._times(value)
            return MappingProxyType(times)
        return self._times(node)

    def _times(self, node: Node) -> int:
        if isinstance(node, ScalarNode) and isinstance(node.value, bool):
            return int(node.value)
        return self.reader.integer(node, 0, "how many times")

    def _costs(self, node: Node) -> Value:
        costs: dict[str, Value] = {}
        entries = self.reader.mapping(node, "a mapping of ways to pay", COST_KEYS)
        for key, (_, value) in entries.items():
            if key == "life":
                costs[key] = self.reader.integer(value, 0)
            elif key == "remove":
                costs[key] = self._removed(value)
            else:
                items = self.reader.items(value, f"a list of objects to {key}")
                costs[key] = tuple(self.names.object(item, many=True) for item in items)
        return MappingProxyType(costs)

    def _removed(self, node: Node) -> Value:
        """Read ``{charge: 2}`` or ``{OBJECT: {charge: 2}}``."""
        removed: dict[str, Value] = {}
        for key, (key_node, value) in self.reader.mapping(node, "a mapping of counters", None).items():
            if isinstance(value, MappingNode):
                self.names.object(key_node)
                removed[key] = MappingProxyType(
                    {kind: self.reader.integer(number, 0) for kind, (_, number) in value.entries.items()}
                )
            else:
                self.names.perhaps(key_node)
                removed[key] = self.reader.integer(value, 0)
        return MappingProxyType(removed)

    def _paying(self, node: Node) -> Value:
        """Read a text of symbols as it is, and anything else as a list of sources (and symbols)."""
        if isinstance(node, ScalarNode) and node.text.lstrip().startswith("{"):
            return self.reader.mana(node)
        sources: list[Value] = []
        for item in self.reader.one_or_more(node, "mana in quotes, or a list of mana sources"):
            if isinstance(item, ScalarNode) and item.text.lstrip().startswith("{"):
                sources.append(self.reader.mana(item))
            else:
                sources.append(self.names.object(item, many=True))
        return tuple(sources)

    def _ability(self, node: Node) -> Value:
        if isinstance(node, ScalarNode) and isinstance(node.value, int) and not isinstance(node.value, bool):
            return self.reader.integer(node, 1, "the number of an ability")
        return self.reader.line(node, "the number of an ability, or a keyword")

    # Answers

    def _answer(self, node: Node) -> Answer | None:
        if not isinstance(node, MappingNode):
            self.reader.wrong(node, "an answer, such as {may: yes}")
            return None
        # A spell cast while something resolves brings the verb's keys, some of which are answers elsewhere.
        casts = "cast" in node.entries
        kind = "cast" if casts else verb_of(self.reader, node, ANSWERS, "answer")
        if kind is None:
            return None
        keys = (kind, "by", "options", "not", *(VERB_KEYS["cast"] if casts else ()))
        entries = self._known_entries(node, keys, () if casts else ANSWERS)
        return Answer(
            kind=kind,
            value=self._answer_value(kind, entries[kind][1]),
            by=self.names.player(entries["by"][1]) if "by" in entries else None,
            options=self._offers(entries["options"][1], kind) if "options" in entries else None,
            excluded=self._offers(entries["not"][1], kind) if "not" in entries else None,
            args=self._arguments("cast", entries) if casts else MappingProxyType({}),
            position=position_of(node),
        )

    def _offers(self, node: Node, kind: str) -> tuple[Value, ...]:
        refers = kind in ("pick", "targets", "order", "replacement", "cast")
        return tuple(self._offer(item, refers) for item in self.reader.items(node, "a list of what may be chosen"))

    def _offer(self, node: Node, refers: bool) -> Value:
        if isinstance(node, ListNode):
            return tuple(self._offer(item, refers) for item in node.items)
        if not isinstance(node, ScalarNode) or node.value is None:
            self.reader.wrong(node, "an object, a player, a word or a number")
            return None
        if refers and isinstance(node.value, str):
            self.names.perhaps(node)
        return frozen(node)

    def _answer_value(self, kind: str, node: Node) -> Value:
        reader = self.reader
        if kind in ("may", "pay"):
            return reader.boolean(node)
        if kind in ("pick", "order"):
            return self._picked(node, kind)
        if kind == "targets":
            same = isinstance(node, ScalarNode) and node.text == "same"
            return "same" if same else self._targets(node)
        if kind == "modes":
            return self._modes(node)
        if kind in ("x", "number", "roll"):
            return reader.integer(node, {"x": 0, "number": None, "roll": 1}[kind])
        if kind == "color":
            return reader.word(node, COLORS, "color")
        if kind in ("type", "name"):
            return reader.line(node, f"a {kind}")
        if kind == "mana":
            return reader.mana(node, types_only=True)
        if kind == "surveil":
            return self._piles(node, ("top", "graveyard"))
        if kind == "scry":
            return self._piles(node, ("top", "bottom"))
        if kind == "divide":
            entries = reader.mapping(node, "a mapping of objects and players to numbers", None)
            return MappingProxyType(
                {self.names.object_or_player(key): reader.integer(value, 0) for key, value in entries.values()}
            )
        if kind == "coin":
            return reader.word(node, ("won", "lost", "heads", "tails"), "side of a coin")
        if kind == "replacement" and isinstance(node, ScalarNode) and node.text in COUNTERS_THAT_REPLACE:
            return node.text
        return self.names.object(node)

    def _picked(self, node: Node, kind: str) -> Value:
        picked: list[Value] = []
        for item in self.reader.items(node, f"a list for {shown(kind)}"):
            text = self.reader.line(item, "an object or a player")
            if text and isinstance(item, ScalarNode):
                self.names.perhaps(item)
                picked.append(text)
        return tuple(picked)

    def _piles(self, node: Node, piles: tuple[str, ...]) -> Value:
        entries = self.reader.mapping(node, f"a mapping of {' and '.join(piles)} to objects", piles)
        return MappingProxyType(
            {
                pile: tuple(self.names.object(item) for item in self.reader.items(value, "a list of objects"))
                for pile, (_, value) in entries.items()
            }
        )
