"""Where a rule is cited: in case files, by faults, in code and in documentation.

A citation is ``CR 702.34a`` anywhere in a text, with what follows it in a list (``CR 608.2h, 702.34a``) or a range
(``CR 601.2f-h``), also over the end of a line, of a comment's too; in a case file what ``rules`` and ``because`` say
and what a source or a list of Examples is called by; in Python that is no test, a string that is a rule's number and
nothing else: what the oracle's trace names, what it refuses by, what a fault breaks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from judgecall.harness.suite import NotFound, suite_root
from judgecall.schema.errors import CaseFileError
from judgecall.schema.yaml_tree import ListNode, MappingNode, Node, ScalarNode, parse_tree

__all__ = ["Citation", "citations", "citations_in", "sources_of_citations", "strings"]

SUFFIXES = (".css", ".html", ".java", ".js", ".json", ".md", ".mjs", ".py", ".rs", ".toml", ".yaml", ".yml")
FOLDERS = (".ci", ".github", "adapters", "benchmarks", "cases", "harness", "oracle", "schema", "src", "tests")
PASSED_OVER = ("__pycache__", "build", "node_modules", "target")

_NUMBER = r"\d{3}(?:\.\d{1,3}[a-km-np-z]?)?"
# Where a line of a text or a comment ends and goes on in the next one.
_BREAK = r"[ \t]*\r?\n[ \t]*(?:(?:\#+|//[/!]?|\*+|>+)[ \t]*)?"
_SPACE = rf"(?: |{_BREAK})"
_WRITTEN = re.compile(rf"\bCR(?:[ .:§-]*(?=\d)|{_BREAK}(?=\d{{3}}(?:[.]\d|\b)))(?P<number>\d[\w.]*)")
_FORM = re.compile(rf"CR{_SPACE}({_NUMBER})\.?")
_AND = rf"(?:,{_SPACE}(?:and{_SPACE}|or{_SPACE})?|{_SPACE}(?:and|or){_SPACE})"
_FURTHER = re.compile(rf"{_AND}({_NUMBER})(?![\w.]*\w)|[-–]({_NUMBER}|[a-km-np-z])(?!\w)")
_ALONE = re.compile(r"[1-9]\d\d\.\d{1,3}[a-z]?", re.ASCII)
_EXAMPLE = re.compile(r"([1-9]\d\d\.\d{1,3}[a-z]?)#\d+\Z", re.ASCII)
_HEADING = re.compile(r"Comprehensive Rules (\S+)\Z")


@dataclass(frozen=True, slots=True)
class Citation:
    """A place that names a rule."""

    path: Path
    line: int
    rule: str
    """The number as it is written there: it need not be a rule's."""
    kind: str
    """``case``, ``fault`` or ``code``; documentation is code, too."""
    by: str = ""
    """The case or ruling, or the fault, that cites it."""


def sources_of_citations(arguments: Sequence[str]) -> list[Path]:
    """The files that paths mean; without any, those of judgecall itself.

    Raises:
        NotFound: there is no such path.
    """
    if not arguments:
        root = suite_root().parent
        places = [root / name for name in FOLDERS if (root / name).is_dir()]
        if (root / "pyproject.toml").is_file():  # a clone, and not where packages are installed
            places += sorted(root.glob("*.md"))
    else:
        places = [Path(argument) for argument in arguments]
    missing = [place for place in places if not place.exists()]
    if missing:
        raise NotFound(f"{missing[0]} is no file and no folder")
    return [file for place in places for file in ([place] if place.is_file() else _files(place))]


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or path.name in PASSED_OVER:
            continue
        if path.is_dir():
            yield from _files(path) if not path.name.startswith(".") else ()
        elif path.suffix in SUFFIXES or not path.suffix:
            yield path


def citations(paths: Iterable[Path]) -> Iterator[Citation]:
    """The citations in files, in the order of the files and their lines.

    A file that is no text cites nothing; of one that is no YAML or Python only the text is looked at.

    Raises:
        NotFound: a file cannot be read.
    """
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        except OSError as error:
            raise NotFound(f"{path} cannot be read: {error.strerror}") from None
        yield from citations_in(text, path)


def citations_in(text: str, path: Path) -> list[Citation]:
    """The citations in the text of one file."""
    structured: Iterable[tuple[int, str, str, str]] = ()
    kind, by = "code", ""
    if path.suffix == ".py":
        structured = _in_python(text) if not _is_test(path) else ()
    elif path.suffix in (".yaml", ".yml"):
        root = _tree(text, path)
        ruling = _scalar(root, "ruling")
        kind, by = ("case", ruling) if ruling else ("code", "")
        structured = _in_cases(root, ruling) if root is not None else ()
    found = [Citation(path, line, rule, which, who) for line, rule, which, who in structured]
    found += [Citation(path, line, rule, kind, by) for line, rule in _in_text(text)]
    return sorted(found, key=lambda each: each.line)


def _is_test(path: Path) -> bool:
    """Tests name rules that are none, to see them refused."""
    root = suite_root().parent
    return "tests" in (path.relative_to(root) if path.is_relative_to(root) else path).parts


# -- in any text -----------------------------------------------------------------------------------------------


def _in_text(text: str) -> Iterator[tuple[int, str]]:
    """The rules, each with the line that its number stands on."""
    line, counted = 1, 0
    for written in _WRITTEN.finditer(text):
        form = _FORM.fullmatch(written[0])
        found = [(written.start("number"), written[0])] if form is None else _listed(form[1], text, written.end())
        for place, rule in found:
            line += text.count("\n", counted, place)
            counted = place
            yield line, rule


def _listed(rule: str, text: str, end: int) -> Iterator[tuple[int, str]]:
    """A rule, and those that follow it in a list or range, with the places where they end."""
    yield end, rule
    while further := _FURTHER.match(text, end):
        end = further.end()
        last = further[2]
        if last is None:
            rule = further[1]
            yield end, rule
        else:
            between = list(_between(rule, last))
            yield from ((end, each) for each in between)
            rule = between[-1]


def _between(first: str, last: str) -> Iterator[str]:
    """The rules of a range after its first: ``601.2f`` to ``h``, ``614`` to ``616``."""
    if len(last) == 1 and first[-1].isalpha() and first[-1] < last:
        letters = (chr(each) for each in range(ord(first[-1]) + 1, ord(last) + 1))
        yield from (first[:-1] + letter for letter in letters if letter not in "lo")
    elif len(last) == 1:
        yield first + last
    elif first.isdigit() and last.isdigit() and first < last:
        yield from (str(each) for each in range(int(first) + 1, int(last) + 1))
    else:
        yield last


# -- in Python -------------------------------------------------------------------------------------------------


def _in_python(text: str) -> Iterator[tuple[int, str, str, str]]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    faults = dict(_faults(tree))
    for node in strings(tree):
        if _ALONE.fullmatch(str(node.value)):
            name = faults.get(id(node))
            yield node.lineno, str(node.value), "code" if name is None else "fault", name or ""


def strings(tree: ast.Module) -> Iterator[ast.Constant]:
    """The strings of a module that are no documentation."""
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node


def _faults(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The rules that faults break, as nodes, with the faults' names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "fault" and len(node.args) > 1:
            if isinstance(node.args[0], ast.Constant):
                yield id(node.args[1]), str(node.args[0].value)


# -- in case files ---------------------------------------------------------------------------------------------


def _tree(text: str, path: Path) -> MappingNode | None:
    try:
        root, _ = parse_tree(text, str(path))
    except CaseFileError:
        return None
    return root if isinstance(root, MappingNode) else None


def _scalar(node: Node | None, key: str) -> str:
    """The text of an entry, or nothing."""
    value = _entries(node).get(key)
    return value.text if isinstance(value, ScalarNode) else ""


def _entries(node: Node | None) -> Mapping[str, Node]:
    return {key: value for key, (_, value) in node.entries.items()} if isinstance(node, MappingNode) else {}


def _in_cases(root: MappingNode, by: str) -> Iterator[tuple[int, str, str, str]]:
    """What a case file, or the list of the rules' Examples, says of rules."""
    for key, (name, _) in root.entries.items():
        if example := _EXAMPLE.match(key):
            yield name.line, example[1], "case", key
    entries = _entries(root) if by else {}
    for rule in _items(entries.get("rules")):
        if isinstance(rule, ScalarNode):
            yield rule.line, rule.text, "case", by
    for source in _items(entries.get("sources")):
        if heading := _HEADING.match(_scalar(source, "card")):
            yield source.line, heading[1], "case", by
    for case in _items(entries.get("cases")):
        for reason in _reasons(case):
            yield reason.line, reason.text, "case", f"{by}::{_scalar(case, 'case')}"


def _items(node: Node | None) -> list[Node]:
    return node.items if isinstance(node, ListNode) else []


def _reasons(node: Node) -> Iterator[ScalarNode]:
    """What ``because`` says, anywhere in a case."""
    if isinstance(node, ListNode):
        for item in node.items:
            yield from _reasons(item)
    for key, value in _entries(node).items():
        if key == "because" and isinstance(value, ScalarNode):
            yield value
        else:
            yield from _reasons(value)
