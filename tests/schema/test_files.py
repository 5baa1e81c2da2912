"""Finding case files, and what a file's place says about its ruling."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from judgecall.schema.loader import CaseFileError, cases_root, find_files, load_file
from judgecall.schema.validate import validate_against_schema

FULL = """\
ruling: {id}
summary: {{en: A line of our own.}}
rules: ["100.1"]
sources:
  - {{card: Shock, publisher: wotc, date: 2026-01-01, language: en, digest: "sha256:{zeros}"}}
cases: [{{case: c, title: A title, then: {{}}}}]
"""


def write(path: Path, ruling: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(FULL.format(id=ruling, zeros="0" * 64), encoding="utf-8")
    return path


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A folder ``cases`` beside the schema, as in the repository and in the installed package."""
    (tmp_path / "schema").mkdir()
    (tmp_path / "schema" / "ruling.schema.json").write_text("{}")
    (tmp_path / "cases").mkdir()
    return tmp_path / "cases"


def test_a_folder_is_searched_in_order_without_underscores(tmp_path: Path) -> None:
    for name in ("b.yaml", "a/z.yaml", "a/_draft.yaml", "_notes/x.yaml", "c.yml", ".hidden/x.yaml"):
        write(tmp_path / name, "x")
    (tmp_path / "a" / "readme.md").write_text("no")
    found = [path.relative_to(tmp_path).as_posix() for path in find_files([tmp_path])]
    assert found == ["b.yaml", "c.yml", "a/z.yaml"]


def test_what_is_given_outright_is_taken_once(tmp_path: Path) -> None:
    draft = write(tmp_path / "_draft.yaml", "x")
    other = write(tmp_path / "other.txt", "y")
    assert find_files([draft, other, str(draft), tmp_path]) == (draft, other)


def test_a_folder_with_an_underscore_may_be_given_outright(tmp_path: Path) -> None:
    draft = write(tmp_path / "_drafts" / "a.yaml", "x")
    assert find_files([tmp_path / "_drafts"]) == (draft,)


def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CaseFileError, match="no such file or folder"):
        find_files([tmp_path / "none"])


def test_a_ruling_of_the_suite_is_called_as_its_file(suite: Path) -> None:
    path = write(suite / "flashback" / "countered.yaml", "flashback/countered")
    assert cases_root(path) == suite
    assert load_file(path).id == "flashback/countered"


def test_a_ruling_of_the_suite_that_is_called_otherwise(suite: Path) -> None:
    path = write(suite / "flashback" / "countered.yaml", "flashback/counterd")
    with pytest.raises(CaseFileError) as caught:
        load_file(path)
    (problem,) = caught.value.problems
    assert (problem.line, problem.column, problem.suggestion) == (1, 9, "flashback/countered")


def test_the_root_may_be_told(tmp_path: Path) -> None:
    path = write(tmp_path / "mine" / "a" / "b.yaml", "a/b")
    assert load_file(path, root=tmp_path / "mine").id == "a/b"
    with pytest.raises(CaseFileError, match=r"did you mean 'mine/a/b'\?"):
        load_file(path, root=tmp_path)


def test_a_folder_that_is_merely_called_cases_is_no_suite(tmp_path: Path) -> None:
    path = write(tmp_path / "cases" / "a.yaml", "some/thing")
    assert cases_root(path) is None
    assert load_file(path).id == "some/thing"


def test_the_suites_own_cases_are_found_from_any_folder(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(suite / "a" / "b.yaml", "a/b")
    monkeypatch.chdir(suite / "a")
    ruling = load_file("b.yaml")
    assert (ruling.id, ruling.path) == ("a/b", "b.yaml")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_links_in_a_circle_end(tmp_path: Path) -> None:
    path = write(tmp_path / "a.yaml", "x")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert find_files([tmp_path]) == (path,)


def test_a_problem_against_the_schema_has_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("ruling: a\ncases:\n  - case: c\n    given:\n      alice: {graveyrad: []}\n    when: []\n")
    (problem,) = validate_against_schema(path)
    assert (problem.path, problem.line) == (str(path), 5)
    assert "graveyrad" in problem.message
