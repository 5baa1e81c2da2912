"""Case files to typed rulings.

>>> ruling = load_text("ruling: a/b\\ncases: [{case: c, then: {alice: {life: 20}}}]", "b.yaml")
>>> ruling.cases[0].id
'a/b::c'
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from judgecall.schema.errors import CaseFileError, Problem, shown
from judgecall.schema.expectations import ExpectationReader
from judgecall.schema.given import read_given
from judgecall.schema.model import Case, Ruling, Source
from judgecall.schema.names import KnownNames, Names, names_mentioned
from judgecall.schema.reading import Reader, position_of
from judgecall.schema.yaml_tree import MAX_BYTES, MappingNode, Node, decode, parse_tree

__all__ = [
    "CASE_KEYS",
    "RULING_KEYS",
    "SOURCE_KEYS",
    "CaseFileError",
    "KnownNames",
    "Problem",
    "cases_root",
    "find_files",
    "load_file",
    "load_text",
    "names_mentioned",
    "read_text",
]

RULING_KEYS = ("ruling", "summary", "rules", "not_acting", "sources", "cases")
SUITE_KEYS = ("ruling", "summary", "rules", "sources", "cases")
"""What a ruling of the suite must have."""
SOURCE_KEYS = ("card", "publisher", "date", "language", "digest")
CASE_KEYS = ("case", "title", "given", "when", "then", "status", "why", "since", "long", "holds_before")
SUFFIXES = (".yaml", ".yml")

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*\Z", re.ASCII)
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}\Z", re.ASCII)


def load_file(
    path: str | os.PathLike[str],
    root: str | os.PathLike[str] | None = None,
    known_names: KnownNames | None = None,
) -> Ruling:
    """Load one case file.

    Args:
        path: the file.
        root: the ``cases`` folder that the ruling's id is the path under; None: found with `cases_root`,
            and where there is none, the ``ruling`` line alone is the id and ``sources`` may be empty.
        known_names: says whether a name is a card's or a token's; where it says no, and the case declares no
            such object, a reference is a mistake. None: such names pass.

    Raises:
        CaseFileError: with all mistakes of the file.
    """
    shown_path = os.fspath(path)
    text = read_text(path)
    if root is None:
        root = cases_root(path)
    expected_id = None
    if root is not None:
        relative = os.path.relpath(os.path.abspath(path), os.path.abspath(root))
        expected_id = Path(relative).with_suffix("").as_posix()
    return load_text(text, shown_path, expected_id=expected_id, known_names=known_names)


def load_text(text: str, path: str, *, expected_id: str | None = None, known_names: KnownNames | None = None) -> Ruling:
    """Load a ruling from the text of a case file; ``path`` is for messages.

    Args:
        text: the YAML.
        path: what messages and `Case.path` call the file.
        expected_id: the id that the ruling must have, as a file of the suite: summary, rules, sources and
            titles must then be there.
        known_names: as for `load_file`.

    Raises:
        CaseFileError: with all mistakes of the file.
    """
    root, problems = parse_tree(text, path)
    reader = Reader(path)
    reader.problems.extend(problems)
    whole = _RulingReader(reader, expected_id, known_names)
    ruling = whole.ruling(root)
    if ruling is None or reader.problems:
        told = sorted(reader.problems, key=lambda problem: (problem.line, problem.column))
        raise CaseFileError(path, told, whole.sound if len(told) == whole.inside else ())
    return ruling


def read_text(path: str | os.PathLike[str]) -> str:
    """Read a file of at most 1 MiB of UTF-8.

    Raises:
        CaseFileError: it cannot be read, is too large, or is no UTF-8 text.
    """
    shown_path = os.fspath(path)
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CaseFileError(shown_path, (Problem(shown_path, 1, 1, f"cannot be read: {reason}"),)) from None
    return decode(data, shown_path)


def cases_root(path: str | os.PathLike[str]) -> Path | None:
    """Find the suite's ``cases`` folder that a file is in: ``schema/ruling.schema.json`` is beside it."""
    for parent in Path(os.path.abspath(path)).parents:
        if parent.name == "cases" and (parent.parent / "schema" / "ruling.schema.json").is_file():
            return parent
    return None


def find_files(paths: Iterable[str | os.PathLike[str]]) -> tuple[Path, ...]:
    """Find case files: a file is taken as it is, a folder is searched in order of names.

    Files and folders that begin with an underscore or a dot are passed over, unless given outright.

    Raises:
        CaseFileError: a path does not exist.
    """
    found: dict[Path, None] = {}
    for given in paths:
        path = Path(given)
        if path.is_dir():
            found.update(dict.fromkeys(_files_under(path)))
        elif path.exists():
            found[path] = None
        else:
            raise CaseFileError(str(path), (Problem(str(path), 1, 1, "no such file or folder"),))
    return tuple(found)


def _files_under(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(("_", ".")))
        for name in sorted(files):
            if name.endswith(SUFFIXES) and not name.startswith(("_", ".")):
                yield Path(parent, name)


class _RulingReader:
    """Reads the top of a file and its cases."""

    def __init__(self, reader: Reader, expected_id: str | None, known_names: KnownNames | None) -> None:
        self.reader = reader
        self.expected_id = expected_id
        self.known_names = known_names
        self.sound: list[Case] = []
        """Cases without a mistake."""
        self.inside = 0
        """How many mistakes are in cases."""

    def ruling(self, root: Node) -> Ruling | None:
        """Read the whole file."""
        reader = self.reader
        of_suite = self.expected_id is not None
        required = SUITE_KEYS if of_suite else ("ruling", "cases")
        if not isinstance(root, MappingNode):
            reader.wrong(root, "a mapping with 'ruling' and 'cases'")
            return None
        entries = reader.mapping(root, "a ruling", RULING_KEYS, required)
        ruling_id = self._ruling_id(entries["ruling"][1]) if "ruling" in entries else ""
        rules = self._rules(entries["rules"][1]) if "rules" in entries else ()
        return Ruling(
            id=ruling_id,
            summary=self._summary(entries["summary"][1]) if "summary" in entries else MappingProxyType({}),
            rules=rules,
            not_acting=self._not_acting(entries["not_acting"][1], rules)
            if "not_acting" in entries
            else MappingProxyType({}),
            sources=self._sources(entries["sources"][1]) if "sources" in entries else (),
            cases=self._cases(entries["cases"][1], ruling_id, rules) if "cases" in entries else (),
            path=reader.path,
        )

    def _ruling_id(self, node: Node) -> str:
        ruling_id = self._identifier(node, "the ruling's id, such as flashback/countered")
        segments = ruling_id.split("/")
        if ruling_id and any(segment in ("", ".", "..") or segment != segment.strip() for segment in segments):
            self.reader.report(node, f"{shown(ruling_id)} is no id", "words with '/' between them")
        elif self.expected_id is not None and ruling_id and ruling_id != self.expected_id:
            message = f"the ruling is called {shown(ruling_id)} and its file is another"
            self.reader.report(node, message, shown(self.expected_id), self.expected_id)
        return ruling_id

    def _identifier(self, node: Node, expected: str) -> str:
        text = self.reader.line(node, expected)
        if "::" in text:
            self.reader.report(node, f"'::' in {shown(text)}, which parts a ruling from a case", expected)
        elif "\\" in text or "\t" in text:
            self.reader.report(node, f"{shown(text)} is no id", expected)
        return text

    def _summary(self, node: Node) -> Mapping[str, str]:
        required = ("en",) if self.expected_id is not None else ()
        entries = self.reader.mapping(node, "a mapping of languages to sentences", None, required)
        for language, (key, _) in entries.items():
            if not _LANGUAGE.match(language):
                self.reader.report(key, f"{shown(language)} is no language", "a language such as 'en' or 'fr'")
        return MappingProxyType({key: self.reader.text(value, "a sentence") for key, (_, value) in entries.items()})

    def _rules(self, node: Node) -> tuple[str, ...]:
        items = self.reader.items(node, "a list of numbers of rules")
        self._must_have_some(node, items)
        return tuple(self.reader.rule(item) for item in items)

    def _not_acting(self, node: Node, rules: tuple[str, ...]) -> Mapping[str, str]:
        entries = self.reader.mapping(node, "a mapping of rules to why they do not act", None)
        for rule, (key, _) in entries.items():
            if rule not in rules:
                self.reader.report(key, f"{shown(rule)} is not among 'rules'", "a rule that the ruling names")
        return MappingProxyType(
            {rule: self.reader.text(why, "text that says why") for rule, (_, why) in entries.items()}
        )

    def _sources(self, node: Node) -> tuple[Source, ...]:
        items = self.reader.items(node, "a list of sources")
        self._must_have_some(node, items)
        return tuple(self._source(item) for item in items)

    def _must_have_some(self, node: Node, items: list[Node]) -> None:
        if self.expected_id is not None and not items:
            self.reader.report(node, "found none", "at least one, in a ruling of the suite")

    def _source(self, node: Node) -> Source:
        reader = self.reader
        entries = {key: value for key, (_, value) in reader.mapping(node, "a source", SOURCE_KEYS, SOURCE_KEYS).items()}
        digest = reader.line(entries["digest"], "a digest") if "digest" in entries else ""
        if digest and not _DIGEST.match(digest):
            reader.report(entries["digest"], f"{shown(digest)} is no digest", "'sha256:' and 64 digits of 0-9a-f")
        language = reader.line(entries["language"], "a language") if "language" in entries else ""
        if language and not _LANGUAGE.match(language):
            reader.report(entries["language"], f"{shown(language)} is no language", "such as 'en' or 'fr'")
        return Source(
            card=reader.line(entries["card"], "the name of a card") if "card" in entries else "",
            publisher=reader.line(entries["publisher"], "a publisher") if "publisher" in entries else "",
            date=reader.date(entries["date"]) if "date" in entries else "",
            language=language,
            digest=digest,
        )

    def _cases(self, node: Node, ruling_id: str, rules: tuple[str, ...]) -> tuple[Case, ...]:
        items = self.reader.items(node, "a list of cases")
        if not items and not self.reader.problems:
            self.reader.report(node, "found no case", "at least one")
        seen: dict[str, int] = {}
        cases: list[Case] = []
        for item in items:
            before = len(self.reader.problems)
            case = self._case(item, ruling_id, rules)
            found = len(self.reader.problems) - before
            self.inside += found
            if case is None:
                continue
            if not found:
                self.sound.append(case)
            if case.name in seen:
                message = f"a second case {shown(case.name)}, first on line {seen[case.name]}"
                self.reader.report(item, message, "another name")
            elif case.name:
                seen[case.name] = item.line
            cases.append(case)
        return tuple(cases)

    def _case(self, node: Node, ruling_id: str, rules: tuple[str, ...]) -> Case | None:
        reader = self.reader
        if not isinstance(node, MappingNode):
            reader.wrong(node, "a mapping with 'case'")
            return None
        required = ("case", "title") if self.expected_id is not None else ("case",)
        read = reader.mapping(node, "a case", CASE_KEYS, required)
        entries = {key: value for key, (_, value) in read.items()}
        names = Names(reader)
        given = read_given(reader, names, entries.get("given"))
        expectations = ExpectationReader(reader, names)
        when = expectations.when(entries.get("when"))
        then = expectations.expectations(entries.get("then"))
        if not any(key in entries for key in ("when", "then")):
            reader.report(node, "the case does nothing and expects nothing", "'when' or 'then'")
        if "status" in entries and "why" not in entries:
            reader.report(node, "'why' is missing", "'why' beside 'status'")
        mentions = names.check(self.known_names)
        name = self._identifier(entries["case"], "the case's name") if "case" in entries else ""
        return Case(
            ruling=ruling_id,
            name=name,
            title=reader.line(entries["title"], "a title") if "title" in entries else name,
            given=given,
            when=when,
            then=then,
            rules=rules,
            status=(
                reader.word(entries["status"], ("disputed", "withdrawn"), "status") if "status" in entries else None
            ),
            why=reader.text(entries["why"], "text that says why") if "why" in entries else None,
            since=reader.date(entries["since"]) if "since" in entries else None,
            long=reader.boolean(entries["long"]) if "long" in entries else False,
            holds_before=(
                reader.text(entries["holds_before"], "text that says why") if "holds_before" in entries else None
            ),
            path=reader.path,
            mentions=mentions,
            position=position_of(node),
        )
