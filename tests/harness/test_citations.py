"""Citations of rules: found wherever they stand, and held against the rules that there are."""

from __future__ import annotations

from pathlib import Path

import pytest
from judgecall.harness.citations import citations, citations_in, sources_of_citations
from judgecall.harness.cli import main
from judgecall.schema.comprehensive_rules import Edition, current, lock_text

RULING = """\
# A 702.34a of no form, and CR 100.1.
ruling: my/first
rules: ["702.34a", "999.9"]
sources:
  - {card: Comprehensive Rules 613.8a, publisher: wotc, date: 2026-06-19, language: en, digest: "sha256:…"}
cases:
  - case: one
    then:
      illegal:
        - {cast: Think Twice, because: "601.3"}
"""
FAULT = '''\
"""Faults (CR 104.3)."""


@fault("a-fault", "702.34a", "Broken.")
def broken():
    """702.34b"""
    return "702.34c", "702", "1.50", f"{1:10.2f}"  # cr 702.34d
'''.replace("cr", "CR")


def found(text: str, name: str = "x.md") -> list[str]:
    """The rules that a text cites. In small letters stands here what would be found wrong in this file, too."""
    return [each.rule for each in citations_in(text.replace("cr", "CR"), Path(name))]


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("(CR 702.34a)", ["702.34a"]),
        ("CR 702.34a.", ["702.34a"]),
        ("CR 613", ["613"]),
        ("CR 608.2h, 702.34a and 613", ["608.2h", "702.34a", "613"]),
        ("CR 608.2h, and 702.34a or 613; 614", ["608.2h", "702.34a", "613"]),
        ("CR 601.2f-h, 605", ["601.2f", "601.2g", "601.2h", "605"]),
        ("CR 704.5k–n", ["704.5k", "704.5m", "704.5n"]),
        ("CR 614–616", ["614", "615", "616"]),
        ("CR 109.2–109.5", ["109.2", "109.5"]),
        ("CR 102, 20 of them", ["102"]),
        ("CR 102, 2000", ["102"]),
        ("CR 102, 20.5", ["102"]),
        ("CR 100.1, a game", ["100.1"]),
        ("CR 202.3-like", ["202.3"]),
        ("cr 601.2h-f", ["601.2h", "601.2hf"]),
        ("cr702.34a, cr. 101, cr 702.34l", ["cr702.34a", "cr. 101", "cr 702.34l"]),
        ("cr 1012", ["cr 1012"]),
        ("MCR 101, rule 101", []),
    ],
)
def test_in_a_text(text: str, rules: list[str]) -> None:
    assert found(text) == [rule.replace("cr", "CR") for rule in rules]


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("# by cr\n# 601.2f", [(2, "601.2f")]),
        ("    // by cr\r\n    // 601.2f.", [(2, "601.2f")]),
        ("/** cr 601.2f,\n * 608.2g */", [(1, "601.2f"), (2, "608.2g")]),
        ("cr 601.2f and\n608.2g, or\n  613", [(1, "601.2f"), (2, "608.2g"), (3, "613")]),
        ("/// cr 601.2f\n/// and 608.2g-h", [(1, "601.2f"), (2, "608.2g"), (2, "608.2h")]),
        ("> cr\n> 601.2l", [(2, "cr\n> 601.2l")]),
        ("all of the cr\n12 cases", []),
        ("all of the cr\n\n601.2f", []),
        ("cr 601.2f,\n\n608.2g", [(1, "601.2f")]),
        ("cr 601.2f,\n# a 608.2g", [(1, "601.2f")]),
        ("cr 601.2f,\n# 12 cards", [(1, "601.2f")]),
    ],
)
def test_over_the_end_of_a_line(text: str, rules: list[tuple[int, str]]) -> None:
    text = text.replace("cr", "CR")
    places = citations_in(text, Path("x.md"))
    assert [(each.line, each.rule) for each in places] == [(line, rule.replace("cr", "CR")) for line, rule in rules]


def test_lines_are_counted() -> None:
    text = "one CR 101\n\n" + "three CR 102, 103\n" + "CR 104"
    assert [(each.line, each.rule) for each in citations_in(text, Path("x.md"))] == [
        (1, "101"),
        (3, "102"),
        (3, "103"),
        (4, "104"),
    ]


def test_in_a_case_file() -> None:
    assert [(each.line, each.rule, each.kind, each.by) for each in citations_in(RULING, Path("x.yaml"))] == [
        (1, "100.1", "case", "my/first"),
        (3, "702.34a", "case", "my/first"),
        (3, "999.9", "case", "my/first"),
        (5, "613.8a", "case", "my/first"),
        (10, "601.3", "case", "my/first::one"),
    ]


def test_in_a_list_of_examples() -> None:
    [one] = citations_in('"101.2#1": {status: deferred, why: "Why not."}\nother: 1\n', Path("_coverage.yaml"))
    assert (one.line, one.rule, one.kind, one.by) == (1, "101.2", "case", "101.2#1")


def test_in_a_module() -> None:
    assert [(each.line, each.rule, each.kind, each.by) for each in citations_in(FAULT, Path("x.py"))] == [
        (1, "104.3", "code", ""),
        (4, "702.34a", "fault", "a-fault"),
        (7, "702.34c", "code", ""),
        (7, "702.34d", "code", ""),
    ]


def test_a_test_may_name_what_is_no_rule() -> None:
    assert found('RULE = "702.34c"  # CR 101', "tests/x.py") == ["101"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("def (: CR 101", "x.py"),
        ("\0 CR 101", "x.py"),
        ("ruling: [: CR 101", "x.yaml"),
        ("a: &a [*a] # CR 101", "x.yaml"),
        ("- ruling: CR 101", "x.yaml"),
        ("ruling: [1]\nrules: {a: 1}\ncases: 3 # CR 101", "x.yaml"),
        ("ruling: a\nrules: [[], {}]\nsources: [1]\ncases: [1, [{because: [1]}]] # CR 101", "x.yaml"),
    ],
)
def test_of_broken_files_the_text_is_read(text: str, name: str) -> None:
    assert found(text, name) == ["101"]


def test_all_citations_of_this_repository_are_of_rules() -> None:
    """In one form, ``CR 702.34a``: three digits, a number, a letter that is neither l nor o."""
    known = current().rules
    places = list(citations(sources_of_citations([])))
    assert [f"{each.path}:{each.line}: {each.rule}" for each in places if each.rule not in known] == []
    where = {each.path.suffix for each in places}
    assert where >= {".json", ".md", ".py", ".yaml"}
    assert {each.kind for each in places} == {"case", "code", "fault"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of a case, a fault, and files that are neither."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "a.yaml").write_text(RULING, encoding="utf-8")
    (tmp_path / "code" / "b.py").write_text(FAULT, encoding="utf-8")
    (tmp_path / "code" / "c.md").write_bytes(b"\xff\xfe CR 100")
    (tmp_path / "code" / "loop").symlink_to(tmp_path / "code")
    (tmp_path / "code" / ".hidden").mkdir()
    (tmp_path / "code" / ".hidden" / "d.md").write_text("CR 100", encoding="utf-8")
    return tmp_path


def test_check(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "check", "code"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "code/a.yaml:3: '999.9' is no rule of 2026-06-19",
        "code/b.py:7: '702.34c' is no rule of 2026-06-19",
        "code/b.py:7: '702.34d' is no rule of 2026-06-19",
        "9 citations of 3309 rules, 3 of them wrong",
    ]


def test_check_of_what_is_right(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "code" / "a.yaml").write_text("ruling: a\nrules: [613]\n", encoding="utf-8")
    assert main(["rules", "check", "code/a.yaml"]) == 0
    assert capsys.readouterr().out == "1 citation of 3309 rules, none of them wrong\n"


def test_check_of_what_is_not_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "check", "nothing"]) == 4
    assert "nothing is no file" in capsys.readouterr().err


def newer(**changes: str) -> str:
    """The edition of the suite with a few other digests: the text of a lock file. ``r101_2=""``: without it."""
    rules = dict(current().rules)
    for name, text in changes.items():
        number = name[1:].replace("_", ".")
        if text:
            rules[number] = text
        else:
            del rules[number]
    return lock_text(Edition("2027-01-01", rules))


def test_diff(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = current().rules
    other = "sha256:" + "0" * 64
    text = newer(r601_3=other, r702_34a=other, r702_34b=rules["702.34a"], r100_1="")
    (folder / "new.lock").write_text(text, encoding="utf-8")
    assert main(["rules", "diff", "new.lock", "code"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "2026-06-19 to 2027-01-01: 1 rule renumbered, 1 changed, 1 removed, 1 added",
        "702.34a is now 702.34b",
        "  case code/a.yaml:3: my/first",
        "  fault code/b.py:4: a-fault",
        "601.3 changed",
        "  case code/a.yaml:10: my/first::one",
        "100.1 removed",
        "  case code/a.yaml:1: my/first",
        "702.34a added",
        "4 citations of 3 rules to look at",
    ]


def test_diff_that_concerns_nobody(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "new.lock").write_text(newer(r905_6=""), encoding="utf-8")
    assert main(["rules", "diff", "new.lock", "code"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "2026-06-19 to 2027-01-01: no rules renumbered, 0 changed, 1 removed, 0 added",
        "905.6 removed",
        "nothing that is cited is affected",
    ]


@pytest.mark.parametrize("which", ["diff", "lock"])
def test_what_is_no_edition(which: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", which, "code/b.py"]) == 4
    assert "code/b.py does not say since when" in capsys.readouterr().err
    assert not (folder / "comprehensive-rules.lock").exists()


def test_lock(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "These rules are effective as of June 1, 2027.\n\n100. Kinds\n100.1. One.\n"
    (folder / "rules.txt").write_text(text, encoding="utf-8")
    assert main(["rules", "lock", "rules.txt"]) == 0
    assert capsys.readouterr().out == "2 rules of 2027-06-01 in comprehensive-rules.lock\n"
    lines = (folder / "comprehensive-rules.lock").read_text(encoding="utf-8").splitlines()
    assert [line.partition(" ")[0] for line in lines] == ["comprehensive", "100", "100.1"]
    assert main(["rules", "lock", "rules.txt", "-o", "code"]) == 4
    assert "code cannot be written" in capsys.readouterr().err
