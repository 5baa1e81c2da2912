"""Files that are no case files, or want to do harm: a clear error each, soon, and nothing else raised."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from judgecall.schema import yaml_tree
from judgecall.schema.loader import CaseFileError, load_file, load_text
from judgecall.schema.model import Ruling
from judgecall.schema.yaml_tree import MAX_BYTES, MAX_DEPTH

GOOD = "ruling: a\ncases: [{case: c, then: {}}]\n"
BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 30)
)


def load_bytes(data: bytes, folder: Path) -> Ruling:
    path = folder / "x.yaml"
    path.write_bytes(data)
    return load_file(path)


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        (b"", "1:1", "the file is empty"),
        (b"\n# only a comment\n", "1:1", "the file is empty"),
        (b"---\n...\n", "", "found nothing; expected a mapping"),
        (GOOD.encode("utf-16"), "1:1", "UTF-16 or UTF-32; expected UTF-8"),
        (GOOD.encode("utf-16-be"), "1:1", "NUL byte"),
        (GOOD.encode("utf-32"), "1:1", "UTF-16 or UTF-32; expected UTF-8"),
        (b"ruling: a\ntitle: caf\xe9\n", "2:11", "byte 0xe9 is not valid UTF-8"),
        (b"ruling: a\nx: \x00\n", "2:4", "NUL byte"),
        (b"ruling: a\nx: \x07\n", "2:4", "not YAML"),
        (b'ruling: "a\\0"\ncases: []\n', "1:9", "a control character in 'a\\x00'"),
        (b"ruling: a\ncases:\n\t- case: c\n", "3:1", "a tab where YAML wants spaces"),
        (b"ruling: [a\ncases: b\n", "2:", "not YAML"),
        (b"ruling: 'a\n", "2:1", "not YAML"),
        (b"ruling: @a\n", "1:9", "no value begins with '@'; quote it"),
        (b"%YAML 9.9\n---\na: b\n", "1:", "not YAML"),
        ((GOOD + "---\n" + GOOD).encode(), "3:1", "a second document in the file"),
        (b"a: " + b"x" * MAX_BYTES, "1:1", "larger than"),
        (b"[" * 300, f"1:{MAX_DEPTH + 1}:", "nested more than"),
        (b"[" * 100_000, "1:", "nest"),
        (b"- " * 100_000, "", "nested more than"),
        (b"{a: " * 100_000, "", "nested more than"),
        (b"a:\n" + b"".join(b" " * n + b"a:\n" for n in range(1, 400)), "", "nested more than"),
        (BOMB.encode(), "", "aliases written out"),
        (b"[" + b"a," * 200_000 + b"]", "", "aliases written out"),
        (b"ruling: &a [*a]\n", "1:13", "the alias '*a' stands inside what it names"),
        (b"ruling: *b\n", "1:9", "the alias '*b' names nothing before it"),
        (b"ruling: !!python/object/apply:os.getcwd []\n", "1:9", "has no meaning here"),
        (b"ruling: !!int 3\n", "1:9", "the tag 'tag:yaml.org,2002:int' has no meaning here"),
        (b"? [a]\n: b\n", "1:3", "a list or mapping as a key"),
        (b"{a}: b\n", "1:1", "a list or mapping as a key"),
        (b"ruling: a\nruling: b\ncases: []\n", "2:1", "duplicate key 'ruling', first on line 1"),
        (b"a: &a {b: c}\nd: {<<: *a}\n", "2:5", "merge keys are not read"),
    ],
)
def test_a_clear_error(tmp_path: Path, data: bytes, place: str, words: str) -> None:
    with pytest.raises(CaseFileError) as caught:
        load_bytes(data, tmp_path)
    first = str(next(problem for problem in caught.value.problems if words in str(problem)))
    assert first.startswith(f"{tmp_path / 'x.yaml'}:{place}")


def test_a_deep_chain_of_aliases_counts_as_nesting() -> None:
    text = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 80))
    with pytest.raises(CaseFileError, match="nested more than"):
        load_text(text, "x.yaml")


def test_a_byte_order_mark_of_utf_8_is_no_mistake(tmp_path: Path) -> None:
    assert load_bytes(b"\xef\xbb\xbf" + GOOD.encode(), tmp_path).id == "a"


def test_windows_line_ends_are_no_mistake(tmp_path: Path) -> None:
    assert load_bytes(GOOD.replace("\n", "\r\n").encode(), tmp_path).id == "a"


def test_text_with_half_a_surrogate() -> None:
    with pytest.raises(CaseFileError, match="half of a surrogate pair"):
        load_text(GOOD + "# \ud800", "x.yaml")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CaseFileError, match=r"none\.yaml:1:1: cannot be read"):
        load_file(tmp_path / "none.yaml")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(CaseFileError, match="cannot be read"):
        load_file(tmp_path)


def test_many_mistakes_are_shown_in_part_and_kept_whole() -> None:
    steps = "".join(f"    - {{csat: x{n}}}\n" for n in range(500))
    with pytest.raises(CaseFileError) as caught:
        load_text("ruling: a\ncases:\n  - case: c\n    when:\n" + steps, "x.yaml")
    assert len(caught.value.problems) == 500
    lines = str(caught.value).splitlines()
    assert (len(lines), lines[-1]) == (101, "x.yaml: and 400 more")


def test_a_long_word_is_shown_in_part() -> None:
    with pytest.raises(CaseFileError) as caught:
        load_text(GOOD + "k" * 5000 + ": 1", "x.yaml")
    assert len(str(caught.value)) < 300


def test_thousands_of_objects_are_refused() -> None:
    islands = ", ".join(["1000 Island"] * 60_000)
    with pytest.raises(CaseFileError, match="more than 4000 objects"):
        load_text(f"ruling: a\ncases: [{{case: c, given: {{bob: {{deck: [{islands}]}}}}}}]", "x.yaml")


MISTAKES: dict[str, Callable[[int], str]] = {
    "subjects": lambda n: "then: {" + ", ".join(f"thing{k}: {{zonee: exile}}" for k in range(n)) + "}",
    "verbs": lambda n: "when: [" + ", ".join(f"{{csat{k}: Shock}}" for k in range(n)) + "]",
    "attachments": lambda n: (
        "then: {}, given: {bob: {battlefield: ["
        + ", ".join(f"{{card: Shuko, as: a{k}, attached_to: a{k + 1}}}" for k in range(n))
        + "]}}"
    ),
    "lost attachments": lambda n: (
        "then: {}, given: {bob: {battlefield: ["
        + ", ".join(f"{{card: S{k}, as: a{k}, attached_to: b{k + 1}}}" for k in range(n))
        + "]}}"
    ),
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_a_file_of_nothing_but_mistakes_takes_no_more_than_its_length(kind: str) -> None:
    """Twice as many mistakes are twice as much work, counted in calls."""

    def calls(n: int) -> int:
        made = 0

        def count(frame: object, event: str, argument: object) -> None:
            nonlocal made
            made += event in ("call", "c_call")

        text = f"ruling: a\ncases: [{{case: c, {MISTAKES[kind](n)}}}]"
        sys.setprofile(count)
        try:
            with pytest.raises(CaseFileError):
                load_text(text, "x.yaml", known_names=lambda name: False)
        finally:
            sys.setprofile(None)
        return made

    assert calls(1_600) < 2.5 * calls(800)


def test_without_the_c_library_everything_is_read_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    text = GOOD + "summary: {en: 'it''s'}\nrules: [603.10, 'no']\nsources: []\n"
    before = yaml_tree.parse_tree(text, "x.yaml")
    monkeypatch.setattr(yaml_tree, "_LOADER", yaml.SafeLoader)
    assert yaml_tree.parse_tree(text, "x.yaml") == before
    for bad in ("a: [", "\ta: b", "a: \x07", "a: b: c", "a: @", BOMB, "[" * 1000):
        with pytest.raises(CaseFileError):
            load_text(bad, "x.yaml")


def shown_mistakes(load: Callable[[], Ruling]) -> str:
    """Load what may be anything: a ruling with cases comes out, or mistakes that can be shown."""
    try:
        assert load().cases
    except CaseFileError as error:
        return str(error)
    return "none"


@given(st.binary(max_size=400))
@example(b"\xff\xfe\x00")
@example(b"!")
@example(b"&a")
@example(b'"\\ud800"')
@settings(max_examples=400, deadline=None)
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    assert shown_mistakes(lambda: load_bytes(data, tmp_path_factory.getbasetemp())).encode()


WORDS = (
    "ruling cases case given when then alice bob hand battlefield cast targets choices may pick legal "
    "illegal check Island 3 yes no null -1 {U} # : - [ ] { } , & * ? | > ' \" % @ ` ! #0 of copy x life"
)
PIECES = [*WORDS.split(), "\n", "\n  ", "\n- ", ": ", " ", "\t"]


@given(st.lists(st.sampled_from(PIECES), max_size=60))
@settings(max_examples=400, deadline=None)
def test_any_heap_of_words(pieces: list[str]) -> None:
    assert shown_mistakes(lambda: load_text("".join(pieces), "x.yaml")).encode()
