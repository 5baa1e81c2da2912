"""YAML text as a tree of nodes that know their place.

Only what a case file needs of YAML: scalars, lists and mappings with text keys. The tree is built from the
parser's events, without recursion, so that size, depth and aliases are bounded before anything is built.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import yaml
from judgecall.schema.errors import CaseFileError, Problem, shown

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_NODES",
    "ListNode",
    "MappingNode",
    "Node",
    "Plain",
    "ScalarNode",
    "decode",
    "parse_tree",
    "plain_data",
]

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 50
MAX_NODES = 100_000
MAX_INTEGER_DIGITS = 15

Plain: TypeAlias = "str | int | bool | list[Plain] | dict[str, Plain] | None"

_LOADER: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INTEGER = re.compile(r"[-+]?[0-9]+\Z")
_WORDS: dict[str, bool | None] = {
    spelling: value
    for word, value in (("yes", True), ("true", True), ("no", False), ("false", False), ("null", None))
    for spelling in (word, word.capitalize(), word.upper())
} | {"": None, "~": None}
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_STRING_TAGS = {"!", "tag:yaml.org,2002:str"}


class ScalarNode(NamedTuple):
    """A scalar: ``text`` as written, ``value`` as the format reads it (dates and fractions stay text)."""

    line: int
    column: int
    text: str
    value: str | int | bool | None


class ListNode(NamedTuple):
    """A list."""

    line: int
    column: int
    items: list[Node]


class MappingNode(NamedTuple):
    """A mapping: each key's text to the key and the value."""

    line: int
    column: int
    entries: dict[str, tuple[ScalarNode, Node]]


Node: TypeAlias = "ScalarNode | ListNode | MappingNode"


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not come yet."""

    node: ListNode | MappingNode
    anchor: str | None
    key: ScalarNode | None = None
    expects_key: bool = False
    weight: int = 1
    height: int = 1


@dataclass(frozen=True, slots=True)
class _Anchored:
    node: Node
    weight: int
    height: int


def decode(data: bytes, path: str) -> str:
    """Decode the bytes of a case file: UTF-8, with or without a byte order mark.

    Raises:
        CaseFileError: too large, another encoding, or not text at all.
    """
    if len(data) > MAX_BYTES:
        raise _fatal(path, 1, 1, f"the file is larger than {MAX_BYTES} bytes", "a smaller file")
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        raise _fatal(path, 1, 1, "the file is UTF-16 or UTF-32", "UTF-8")
    if b"\x00" in data:
        before = data[: data.index(b"\x00")]
        line = before.count(b"\n") + 1
        column = len(before) - (before.rfind(b"\n") + 1) + 1
        raise _fatal(path, line, column, "the file has a NUL byte", "UTF-8 text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8")) + 1
        byte = error.object[error.start]
        raise _fatal(path, line, column, f"byte 0x{byte:02x} is not valid UTF-8", "UTF-8") from None


def parse_tree(text: str, path: str) -> tuple[Node, list[Problem]]:
    """Parse one YAML document.

    Returns:
        The root, and the problems that leave a tree to read on: duplicate keys, aliases to nothing, tags.

    Raises:
        CaseFileError: not YAML, empty, several documents, or beyond a limit.
    """
    surrogate = re.search(r"[\ud800-\udfff]", text)
    if surrogate is not None:
        line = text.count("\n", 0, surrogate.start()) + 1
        column = surrogate.start() - (text.rfind("\n", 0, surrogate.start()) + 1) + 1
        raise _fatal(path, line, column, "the text has half of a surrogate pair", "UTF-8 text")
    if len(text) > MAX_BYTES:
        raise _fatal(path, 1, 1, f"the file is larger than {MAX_BYTES} bytes", "a smaller file")
    builder = _Builder(path)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.take(event)
    except yaml.reader.ReaderError as error:
        position = error.position if isinstance(error.position, int) else 0
        before = text[:position]
        column = len(before) - (before.rfind("\n") + 1) + 1
        raise _fatal(path, before.count("\n") + 1, column, f"not YAML: {error.reason}") from None
    except yaml.MarkedYAMLError as error:
        raise _syntax(path, text, error, builder.problems) from None
    except yaml.YAMLError as error:
        raise _fatal(path, 1, 1, f"not YAML: {error}") from None
    if builder.root is None:
        raise _fatal(path, 1, 1, "the file is empty", "a mapping with 'ruling' and 'cases'")
    return builder.root, builder.problems


def plain_data(node: Node) -> Plain:
    """Give the tree as the data that JSON Schema judges."""
    if isinstance(node, ScalarNode):
        return node.value
    if isinstance(node, ListNode):
        return [plain_data(item) for item in node.items]
    return {key: plain_data(value) for key, (_, value) in node.entries.items()}


def _fatal(path: str, line: int, column: int, message: str, expected: str | None = None) -> CaseFileError:
    return CaseFileError(path, (Problem(path, line, column, message, expected),))


def _syntax(path: str, text: str, error: yaml.MarkedYAMLError, problems: list[Problem]) -> CaseFileError:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line, mark.column) if mark is not None else (0, 0)
    lines = text.splitlines()
    if line < len(lines) and lines[line][column : column + 1] == "\t":
        message = "a tab where YAML wants spaces"
    else:
        problem = error.problem or ""
        if line < len(lines) and "cannot start any token" in problem:
            problem = f"no value begins with {shown(lines[line][column : column + 1])}; quote it"
        message = "not YAML: " + ", ".join(part for part in (problem, error.context) if part)
    return CaseFileError(path, (*problems, Problem(path, line + 1, column + 1, message)))


class _Builder:
    """Turns events into nodes."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.root: Node | None = None
        self.problems: list[Problem] = []
        self._open: list[_Open] = []
        self._anchors: dict[str, _Anchored] = {}
        self._total = 0

    def take(self, event: yaml.Event) -> None:
        """Take the parser's next event."""
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.MappingStartEvent):
            line, column = self._place(event)
            self._check_tag(event, "tag:yaml.org,2002:map")
            self._start(_Open(MappingNode(line, column, {}), event.anchor, expects_key=True), line, column)
        elif isinstance(event, yaml.SequenceStartEvent):
            line, column = self._place(event)
            self._check_tag(event, "tag:yaml.org,2002:seq")
            self._start(_Open(ListNode(line, column, []), event.anchor), line, column)
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            done = self._open.pop()
            self._attach(done.node, done.anchor, done.weight, done.height)
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event)
        elif isinstance(event, yaml.DocumentStartEvent) and self.root is not None:
            line, column = self._place(event)
            raise self._stop(line, column, "a second document in the file", "one document")

    def _place(self, event: yaml.Event) -> tuple[int, int]:
        mark = event.start_mark
        return (1, 1) if mark is None else (mark.line + 1, mark.column + 1)

    def _stop(self, line: int, column: int, message: str, expected: str) -> CaseFileError:
        return CaseFileError(self.path, (*self.problems, Problem(self.path, line, column, message, expected)))

    def _report(self, line: int, column: int, message: str, expected: str | None = None) -> None:
        self.problems.append(Problem(self.path, line, column, message, expected))

    def _check_tag(self, event: yaml.CollectionStartEvent, own: str) -> None:
        tag = event.tag
        if tag is not None and tag != own and tag != "!":
            self._report(*self._place(event), f"the tag {shown(tag)} has no meaning here", "no tag")

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        line, column = self._place(event)
        text: str = event.value
        value: str | int | bool | None = text
        if event.tag is not None:
            if event.tag not in _STRING_TAGS:
                self._report(line, column, f"the tag {shown(event.tag)} has no meaning here", "no tag")
        elif event.implicit[0]:
            if text in _WORDS:
                value = _WORDS[text]
            elif len(text) <= MAX_INTEGER_DIGITS and _INTEGER.match(text):
                value = int(text)
        if _CONTROL.search(text):
            self._report(line, column, f"a control character in {shown(text)}")
        self._attach(ScalarNode(line, column, text, value), event.anchor, 1, 1)

    def _start(self, opened: _Open, line: int, column: int) -> None:
        if len(self._open) >= MAX_DEPTH:
            raise self._stop(line, column, f"nested more than {MAX_DEPTH} deep", "a flatter file")
        self._open.append(opened)

    def _alias(self, event: yaml.AliasEvent) -> None:
        line, column = self._place(event)
        anchor = event.anchor or ""
        anchored = self._anchors.get(anchor)
        if anchored is None:
            inside = any(opened.anchor == anchor for opened in self._open)
            why = "stands inside what it names" if inside else "names nothing before it"
            self._report(line, column, f"the alias {shown('*' + anchor)} {why}")
            self._attach(ScalarNode(line, column, "", None), None, 1, 1)
            return
        if len(self._open) + anchored.height > MAX_DEPTH:
            raise self._stop(line, column, f"nested more than {MAX_DEPTH} deep", "a flatter file")
        self._attach(anchored.node, None, anchored.weight, anchored.height, (line, column))

    def _attach(
        self, node: Node, anchor: str | None, weight: int, height: int, place: tuple[int, int] | None = None
    ) -> None:
        line, column = place or (node.line, node.column)
        # A list or mapping has counted its content already, unless an alias brings it once more.
        self._total += weight if place is not None else 1
        if self._total > MAX_NODES:
            raise self._stop(line, column, f"more than {MAX_NODES} values, aliases written out", "a smaller file")
        if anchor is not None:
            self._anchors[anchor] = _Anchored(node, weight, height)
        if not self._open:
            self.root = node
            return
        parent = self._open[-1]
        parent.weight += weight
        parent.height = max(parent.height, height + 1)
        if isinstance(parent.node, ListNode):
            parent.node.items.append(node)
        elif parent.expects_key:
            parent.expects_key = False
            parent.key = self._key(node, line, column)
        else:
            parent.expects_key = True
            if parent.key is not None:
                self._entry(parent.node, parent.key, node)

    def _key(self, node: Node, line: int, column: int) -> ScalarNode | None:
        if not isinstance(node, ScalarNode):
            self._report(line, column, "a list or mapping as a key", "a word; quote {…} symbols")
            return None
        if node.text == "<<" and node.value == "<<":
            self._report(line, column, "merge keys are not read", "the keys written out")
            return None
        return node

    def _entry(self, mapping: MappingNode, key: ScalarNode, value: Node) -> None:
        first = mapping.entries.get(key.text)
        if first is not None:
            message = f"duplicate key {shown(key.text)}, first on line {first[0].line}"
            self._report(key.line, key.column, message, "each key once")
            return
        mapping.entries[key.text] = (key, value)
