"""Checking case files beyond what the loader must: the schema, and the customs of the suite."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from judgecall.harness.ids import Ids, ids_of_ruling, lost_rulings, read_ids
from judgecall.harness.suite import Selected, suite_root
from judgecall.schema.errors import Problem
from judgecall.schema.loader import CaseFileError, find_files, load_file, read_text
from judgecall.schema.model import ZONES, Case, Expectations, ObjectGiven, PlayerGiven, Ruling, Step
from judgecall.schema.names import known_by
from judgecall.schema.validate import validate_against_schema

__all__ = ["lint"]

LANGUAGES = ("en", "fr")
LONGEST_TITLE = 120
SCHEMA_LINE = "# yaml-language-server: $schema="


def lint(selected: Sequence[Selected]) -> tuple[int, list[Problem]]:
    """Check files; gives how many, and what is wrong with them.

    Any file must load and fit the schema, and each of its cases must expect something, of objects that its names
    tell apart. One of the suite must also have its id from its path, sources, summaries in English and French,
    titles of its own that say more than the names of the cases, the ids that the suite keeps, and the line that
    lets editors find the schema.

    Raises:
        NotFound: the suite's list of ids is none.
    """
    root = suite_root().resolve()
    kept = read_ids(root)
    problems: list[Problem] = []
    places: dict[str, Path] = {}
    for each in selected:
        of_suite = each.path.resolve().is_relative_to(root)
        found = list(_file(each.path, root if of_suite else None, kept, places))
        # The schema and the loader often see the same mistake: the loader says more.
        lines = {problem.line for problem in found if not _of_schema(problem)}
        problems.extend(p for p in found if not (_of_schema(p) and p.line in lines))
    if kept is not None and {each.path.resolve() for each in selected} >= set(find_files([root])):
        problems.extend(lost_rulings(kept, root))
    return len(selected), problems


def _of_schema(problem: Problem) -> bool:
    return problem.message.startswith("against the schema")


def _file(path: Path, root: Path | None, kept: Ids | None, places: dict[str, Path]) -> Iterator[Problem]:
    try:
        ruling = load_file(path, root=root)
    except CaseFileError as error:
        yield from error.problems
        ruling = None
    try:
        yield from validate_against_schema(path)
    except CaseFileError:
        return
    if ruling is None:
        return
    before = places.setdefault(ruling.id, path)
    if before != path:
        yield Problem(str(path), 1, 1, f"the ruling {ruling.id!r} is also in {before}")
    for case in ruling.cases:
        yield from _case(case)
    if root is not None:
        yield from _customs(path, ruling)
        if kept is not None:
            yield from ids_of_ruling(kept, ruling, path)


def _case(case: Case) -> Iterator[Problem]:
    checks = [step.expect for step in case.when if step.expect is not None]
    expected = [case.then, *checks]
    if not any(expect.probes or any(each.facts for each in expect.subjects) for expect in expected):
        yield Problem.of_case(case, "the case expects nothing", "'then', or a 'check'")
    shared = _shared_names(case)
    for name in sorted(shared & {*_in_steps(case.when), *_in(case.then)}):
        yield Problem.of_case(case, f"several objects are called {name!r}", f"an alias, or '{name}#1'")


def _shared_names(case: Case) -> set[str]:
    """Names that several objects of the starting state have. Where one is meant, they do not say which."""
    objects = [each for player in case.given.players for zone in _zones(player) for each in zone]
    counts = Counter(name for each in objects for name in _names(each))
    return {name for name, count in counts.items() if count > 1} - {each.alias for each in objects if each.alias}


def _zones(player: PlayerGiven) -> Iterator[tuple[ObjectGiven, ...]]:
    """The zones whose objects a case can name: not a library that it does not list."""
    for zone in ZONES:
        yield tuple(each for each in getattr(player, zone) if each.order is not None)


def _names(declared: ObjectGiven) -> set[str]:
    names = known_by(declared.card) if declared.card else set()
    if declared.token_name is not None:
        names = {f"{declared.token_name} Token"}
    return names | (known_by(declared.copy_of) if declared.copy_of else set())


def _in_steps(steps: Iterable[Step]) -> Iterator[str]:
    """What stands where steps name one object each; answers are looked for among what is on offer."""
    for step in steps:
        yield from _texts(step.subject)
        yield from _texts(step.args)
        if step.expect is not None:
            yield from _in(step.expect)


def _in(expect: Expectations) -> Iterator[str]:
    yield from (each.subject for each in expect.subjects)
    yield from _in_steps(probe.step for probe in expect.probes)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from (*_texts(key), *_texts(each))
    elif isinstance(value, tuple):
        for each in value:
            yield from _texts(each)


def _customs(path: Path, ruling: Ruling) -> Iterator[Problem]:
    shown = str(path)
    if not read_text(path).startswith(SCHEMA_LINE):
        yield Problem(shown, 1, 1, "the first line does not name the schema", f"{SCHEMA_LINE}…")
    for language in LANGUAGES:
        if not ruling.summary.get(language, "").strip():
            yield Problem(shown, 1, 1, f"the summary has no {language!r}", "a sentence in our own words")
    titles: dict[str, str] = {}
    for case in ruling.cases:
        first = titles.setdefault(case.title, case.name)
        if first != case.name:
            yield Problem.of_case(case, f"the title is that of {first!r}, too", "what this case is about")
        if len(case.title) > LONGEST_TITLE:
            yield Problem.of_case(case, f"the title has {len(case.title)} characters", f"at most {LONGEST_TITLE}")
        if case.title.endswith("."):
            yield Problem.of_case(case, "the title ends with a period", "a title that states the outcome")
        if _words(case.title) in ([], _words(case.name)):
            yield Problem.of_case(case, "the title says no more than the id", "a title that states the outcome")


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
