"""Reading nodes as typed values, noting every mistake instead of stopping at the first."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

from judgecall.schema.errors import Problem, near_miss, shown
from judgecall.schema.model import Position, Value
from judgecall.schema.yaml_tree import ListNode, MappingNode, Node, ScalarNode

__all__ = ["Reader", "frozen", "position_of"]

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z", re.ASCII)
_RULE = re.compile(r"[1-9]\d{0,2}(\.\d{1,3}[a-z]?)?\Z", re.ASCII)
_SYMBOL = re.compile(r"\{([^{}]*)\}")
_MANA_SYMBOL = re.compile(
    r"(\d{1,7}|[WUBRGCSXYZ]|[WUBRG]/[WUBRG]|[2C]/[WUBRG]|[WUBRGC]/P|[WUBRG]/[WUBRG]/P)\Z", re.ASCII
)
_MANA_TYPE = re.compile(r"[WUBRGC]\Z")
_COST_SYMBOL = re.compile(r"(T|Q|E|TK|CHAOS|PW)\Z")

MAX_GUESSES = 50_000
"""How many words a file's mistakes are compared with: comparing is slow, and a file may be all mistakes."""


def position_of(node: Node) -> Position:
    """Give a node's place in the file."""
    return Position(node.line, node.column)


def frozen(node: Node) -> Value:
    """Give a node as an immutable value: lists are tuples, mappings are read-only."""
    if isinstance(node, ScalarNode):
        return node.value
    if isinstance(node, ListNode):
        return tuple(frozen(item) for item in node.items)
    return MappingProxyType({key: frozen(value) for key, (_, value) in node.entries.items()})


class Reader:
    """Reads the nodes of one file.

    A method that is given the wrong kind of node reports a problem and returns a harmless value of its type,
    so that reading goes on: the file is refused at the end if ``problems`` is not empty.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self._guesses = MAX_GUESSES

    def report(self, node: Node, message: str, expected: str | None = None, suggestion: str | None = None) -> None:
        """Note a mistake at a node."""
        self.problems.append(Problem(self.path, node.line, node.column, message, expected, suggestion))

    def wrong(self, node: Node, expected: str) -> None:
        """Note that a node is not what was expected."""
        self.report(node, f"found {_described(node)}", expected)

    def is_null(self, node: Node) -> bool:
        """Say whether a node is ``null``, or nothing at all."""
        return isinstance(node, ScalarNode) and node.value is None

    def guess(self, word: str, known: Collection[str]) -> str | None:
        """Give the known word that was probably meant, or None (soon always, in a file of mere mistakes)."""
        self._guesses -= len(known)
        return near_miss(word, known) if self._guesses > 0 else None

    def unknown(self, node: ScalarNode, what: str, known: Collection[str]) -> None:
        """Note a word that is not among those that are known; ``what`` is such as ``key``."""
        self.report(node, f"unknown {what} {shown(node.text)}", _one_of(known), self.guess(node.text, known))

    def mapping(
        self, node: Node, expected: str, keys: Collection[str] | None, required: Iterable[str] = ()
    ) -> Mapping[str, tuple[ScalarNode, Node]]:
        """Read a mapping whose keys are among ``keys`` (None: any); ``expected`` is what messages call it."""
        if not isinstance(node, MappingNode):
            self.wrong(node, expected)
            return {}
        entries = node.entries
        if keys is not None:
            unknown = [key for key in entries if key not in keys]
            for key in unknown:
                self.unknown(entries[key][0], "key", keys)
            if unknown:
                entries = {key: entry for key, entry in entries.items() if key in keys}
        for key in required:
            if key not in entries:
                self.report(node, f"{shown(key)} is missing", f"{expected} with {shown(key)}")
        return entries

    def items(self, node: Node, expected: str) -> list[Node]:
        """Read a list."""
        if isinstance(node, ListNode):
            return node.items
        self.wrong(node, expected)
        return []

    def one_or_more(self, node: Node, expected: str) -> list[Node]:
        """Read a list, of which a single element may also stand for itself."""
        if isinstance(node, ScalarNode) and node.value is not None:
            return [node]
        return self.items(node, expected)

    def text(self, node: Node, expected: str = "text") -> str:
        """Read text: any scalar that is not nothing and no yes or no."""
        if isinstance(node, ScalarNode) and node.value is not None and not isinstance(node.value, bool):
            if node.text.strip():
                return node.text
            self.report(node, "found empty text", expected)
            return ""
        self.wrong(node, expected)
        return ""

    def line(self, node: Node, expected: str) -> str:
        """Read text of one line, as a name is. A bare ``yes`` or ``no`` is not a name."""
        text = self.text(node, expected)
        if "\n" in text:
            self.report(node, "found several lines", expected)
        return text

    def integer(self, node: Node, minimum: int | None = None, expected: str = "a whole number") -> int:
        """Read a whole number."""
        if isinstance(node, ScalarNode) and isinstance(node.value, int) and not isinstance(node.value, bool):
            if minimum is not None and node.value < minimum:
                self.report(node, f"found {node.value}", f"{expected}, at least {minimum}")
                return minimum
            return node.value
        self.wrong(node, expected)
        return minimum or 0

    def boolean(self, node: Node) -> bool:
        """Read ``yes``, ``no``, ``true`` or ``false``; a quoted ``yes`` or ``no`` is as good."""
        if isinstance(node, ScalarNode):
            if isinstance(node.value, bool):
                return node.value
            if node.text in ("yes", "no"):
                return node.text == "yes"
        self.wrong(node, "yes or no")
        return False

    def word(self, node: Node, known: Collection[str], what: str) -> str:
        """Read one word of those that are known."""
        if isinstance(node, ScalarNode) and node.value is not None:
            if node.text in known:
                return node.text
            self.unknown(node, what, known)
        else:
            self.wrong(node, _one_of(known))
        return next(iter(known))

    def date(self, node: Node) -> str:
        """Read a date, ``2026-06-19``, as text."""
        text = self.text(node, "a date such as 2026-06-19")
        try:
            if not _DATE.match(text):
                raise ValueError
            datetime.date.fromisoformat(text)
        except ValueError:
            if text:
                self.report(node, f"{shown(text)} is no date", "a date such as 2026-06-19")
        return text

    def rule(self, node: Node) -> str:
        """Read the number of a rule: ``702.34a``, ``702.34`` or ``702``."""
        text = self.text(node, 'the number of a rule, such as "702.34a"')
        if text and not _RULE.match(text):
            self.report(node, f"{shown(text)} is no number of a rule", 'a number such as "702.34a"')
        return text

    def mana(self, node: Node, *, types_only: bool = False) -> str:
        """Read mana symbols, ``{2}{U}{U}`` or nothing; ``types_only``: mana itself, not a cost."""
        expected = 'mana in quotes, such as "{U}{U}"' if types_only else 'a mana cost in quotes, such as "{2}{U}"'
        if not isinstance(node, ScalarNode) or not isinstance(node.value, str):
            self.wrong(node, expected)
            return ""
        text = node.text
        self.symbols(node, types_only=types_only)
        if _SYMBOL.sub("", text).strip():
            self.report(node, f"{shown(text)} is not made of symbols", expected, _in_braces(text))
        return text

    def symbols(self, node: ScalarNode, *, types_only: bool = False, costs: bool = False) -> None:
        """Check the symbols in a text; ``costs`` knows those of other costs, ``{T}``, too."""
        for symbol in _SYMBOL.findall(node.text):
            if (_MANA_TYPE if types_only else _MANA_SYMBOL).match(symbol):
                continue
            if costs and _COST_SYMBOL.match(symbol):
                continue
            upper = symbol.upper()
            known = (_MANA_TYPE if types_only else _MANA_SYMBOL).match(upper) and upper != symbol
            expected = "{W}, {U}, {B}, {R}, {G} or {C}" if types_only else "a mana symbol such as {U} or {2}"
            message = f"unknown mana symbol {shown('{' + symbol + '}')}"
            self.report(node, message, expected, "{" + upper + "}" if known else None)


def _in_braces(text: str) -> str | None:
    """Guess the symbols that ``2UU`` stands for."""
    parts = re.findall(r"\d{1,3}|[WUBRGCX]", text.upper(), re.ASCII)
    if parts and "".join(parts) == text.upper():
        return "".join("{" + part + "}" for part in parts)
    return None


def _described(node: Node) -> str:
    if isinstance(node, ListNode):
        return "a list"
    if isinstance(node, MappingNode):
        return "a mapping"
    if node.value is None:
        return "nothing"
    if isinstance(node.value, bool):
        return f"the yes or no {shown(node.text)}"
    if isinstance(node.value, int):
        return f"the number {node.text}"
    return shown(node.text) if node.text else "empty text"


def _one_of(known: Collection[str]) -> str:
    words = [shown(word) for word in known]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} or {words[-1]}"
