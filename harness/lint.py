"""Checking case files beyond what the loader must: the schema, and the customs of the suite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from judgecall.harness.suite import Selected, suite_root
from judgecall.schema.errors import Problem
from judgecall.schema.loader import CaseFileError, load_file, read_text
from judgecall.schema.model import Case, Ruling
from judgecall.schema.validate import validate_against_schema

__all__ = ["lint"]

LANGUAGES = ("en", "fr")
LONGEST_TITLE = 120
SCHEMA_LINE = "# yaml-language-server: $schema="


def lint(selected: Sequence[Selected]) -> tuple[int, list[Problem]]:
    """Check files; gives how many, and what is wrong with them.

    Any file must load and fit the schema, and each of its cases must expect something. One of the suite must
    also have its id from its path, sources, summaries in English and French, titles of its own,
    and the line that lets editors find the schema.
    """
    root = suite_root().resolve()
    problems: list[Problem] = []
    places: dict[str, Path] = {}
    for each in selected:
        of_suite = each.path.resolve().is_relative_to(root)
        found = list(_file(each.path, root if of_suite else None, places))
        # The schema and the loader often see the same mistake: the loader says more.
        lines = {problem.line for problem in found if not _of_schema(problem)}
        problems.extend(p for p in found if not (_of_schema(p) and p.line in lines))
    return len(selected), problems


def _of_schema(problem: Problem) -> bool:
    return problem.message.startswith("against the schema")


def _file(path: Path, root: Path | None, places: dict[str, Path]) -> Iterator[Problem]:
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
    yield from _cases(ruling)
    if root is not None:
        yield from _customs(path, ruling)


def _cases(ruling: Ruling) -> Iterator[Problem]:
    for case in ruling.cases:
        checks = [step.expect for step in case.when if step.expect is not None]
        if not any(expect.subjects or expect.probes for expect in (case.then, *checks)):
            yield _at(case, "the case expects nothing", "'then', or a 'check'")


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
            yield _at(case, f"the title is that of {first!r}, too", "what this case is about")
        if len(case.title) > LONGEST_TITLE:
            yield _at(case, f"the title has {len(case.title)} characters", f"at most {LONGEST_TITLE}")
        if case.title.endswith("."):
            yield _at(case, "the title ends with a period", "a title that states the outcome")


def _at(case: Case, message: str, expected: str) -> Problem:
    position = case.position
    line, column = (position.line, position.column) if position else (1, 1)
    return Problem(case.path, line, column, f"{case.name}: {message}", expected)
