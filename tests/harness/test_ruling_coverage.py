"""Dumps of published rulings: read in three forms, matched to case files, and refused where they are none."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from judgecall.harness.cli import main
from judgecall.schema import rulings_dump
from judgecall.schema.digest import digest
from judgecall.schema.rulings_dump import DumpError, Entry, read_dump, read_entries

ONE, TWO, THREE = "A spell\u2019s  sentence.", "Another sentence.", "A third sentence."
ENTRIES = (
    Entry("Think Twice", "2025-06-06", ONE, digest(ONE)),
    Entry("Divination", "2025-06-06", ONE, digest(ONE)),
    Entry("Divination", "2024-01-01", TWO, digest(TWO)),
)
PLAIN = [
    {"card": "Think Twice", "date": "2025-06-06", "text": ONE, "source": "somewhere"},
    {"card": "Divination", "date": "2025-06-06", "text": ONE},
    {"card": "Divination", "date": "2024-01-01", "text": TWO},
    {"card": "Divination", "date": "2024-01-01", "text": TWO},
]
SCRYFALL = [
    {
        "object": "ruling",
        "oracle_id": each["card"],
        "source": "wotc",
        "published_at": each["date"],
        "comment": each["text"],
    }
    for each in PLAIN
]
ATOMIC = {
    "meta": {"version": "5"},
    "data": {
        "Think Twice": [{"name": "Think Twice", "rulings": [{"date": "2025-06-06", "text": ONE}]}],
        "Plains": [{"name": "Plains"}],
        "Divination": [
            {"name": name, "rulings": [{"date": "2025-06-06", "text": ONE}, {"date": "2024-01-01", "text": TWO}]}
            for name in ("Front", "Back")
        ],
    },
}


@pytest.mark.parametrize("data", [PLAIN, SCRYFALL, ATOMIC], ids=["plain", "scryfall", "atomic"])
@pytest.mark.parametrize("packed", [False, True], ids=["as it is", "gzip"])
def test_three_forms(data: Any, packed: bool, tmp_path: Path) -> None:
    """What a dump has twice, as for each face of a card, counts once."""
    text = json.dumps(data).encode()
    (tmp_path / "dump").write_bytes(gzip.compress(text) if packed else text)
    assert read_dump(tmp_path / "dump") == ENTRIES


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "the dump is no JSON"),
        (b"\xff\xfe[", "the dump is no JSON"),
        (b'"\xe9"', "the dump is no JSON"),
        (b"[" * 200_000, "nested too deeply"),
        (b"9" * 10_000, "the dump is no JSON"),
        (b"PK\x03\x04", "is a zip archive"),
        (b"BZh9", "is compressed by bzip2"),
        (b"\xfd7zXZ\x00", "is compressed by xz"),
        (b"1", "is no list and no object"),
        (b"null", "is no list and no object"),
        (b"[]", "has no rulings in it"),
        (b"[1]", "entry 1 is no object"),
        (b'[{"card": "A", "date": "B"}]', "entry 1 has no text 'text'"),
        (b'[{"card": "A", "date": 1, "text": "C"}]', "entry 1 has no text 'date'"),
        (b'[{"oracle_id": null, "published_at": "B", "comment": "C"}]', "entry 1 has no text 'oracle_id'"),
        (b'[{"name": "A card of another dump"}]', "entry 1 has no text 'card'"),
        (b"{}", "has no object 'data'"),
        (b'{"data": []}', "has no object 'data'"),
        (b'{"data": {}}', "has no rulings in it"),
        (b'{"data": {"Plains": [{}]}}', "has no rulings in it"),
        (b'{"data": {"ABC": {"cards": []}}}', "'ABC' is no list of faces"),
        (b'{"data": {"A\\u001b[2J": [1]}}', r"'A\\x1b\[2J' has no list of rulings"),
        (b'{"data": {"A": [{"rulings": 1}]}}', "'A' has no list of rulings"),
        (b'{"data": {"A": [{"rulings": [1]}]}}', "'A' is no object"),
        (b'{"data": {"A": [{"rulings": [{"date": "B"}]}]}}', "'A' has no text 'text'"),
    ],
)
def test_what_is_no_dump(data: bytes, told: str) -> None:
    with pytest.raises(DumpError, match=told):
        read_entries(data)


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = gzip.compress(b"[" + b" " * 5000 + b"]")
    (tmp_path / "cut").write_bytes(packed[:-12])
    (tmp_path / "spoilt").write_bytes(packed[:12] + b"\xff\xff" + packed[14:])
    (tmp_path / "checked").write_bytes(packed[:-8] + b"\0" * 8)
    for name in ("cut", "spoilt", "checked", "missing", ""):
        with pytest.raises(DumpError, match=r"cannot be read: ."):
            read_dump(tmp_path / name)
    monkeypatch.setattr(rulings_dump, "MAX_BYTES", 1000)
    (tmp_path / "bomb").write_bytes(packed)
    with pytest.raises(DumpError, match="more than 1000 bytes"):
        read_dump(tmp_path / "bomb")


RULING = """\
ruling: my/{name}
sources:
  - {{card: Think Twice, publisher: wotc, date: 2025-06-06, language: en, digest: "{digest}"}}
cases: [{{case: one, then: {{alice: {{life: 20}}}}}}]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a dump, and two rulings, of which the dump knows one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    for name, text in (("known", ONE), ("unknown", "A sentence that is nowhere.")):
        path = tmp_path / "mine" / f"{name}.yaml"
        path.write_text(RULING.format(name=name, digest=digest(text)), encoding="utf-8")
    further = [{"card": "Opt", "date": "2024-01-01", "text": text} for text in (TWO, "\x1b[31m" + THREE * 50)]
    (tmp_path / "dump.json").write_text(json.dumps([*PLAIN, *further]), encoding="utf-8")
    return tmp_path


def test_coverage(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", "--rulings", "dump.json", "mine"]) == 0
    told = capsys.readouterr().out
    assert told.splitlines()[:5] == [
        "5 entries of 3 cards, 3 texts",
        "covered: 2 entries of 2 cards, 1 text, by 1 of 2 rulings with 2 texts",
        "  my/known       2 entries of 2 cards",
        "not covered, the most repeated of 2 texts:",
        f"       2  {TWO}",
    ]
    [last] = told.splitlines()[5:]
    assert last.startswith("       1   [31mA third")
    assert last.endswith("…")
    assert len(last) < 450
    assert "\x1b" not in told


def test_how_many_are_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", "--rulings", "dump.json", "--top", "1", "mine"]) == 0
    assert capsys.readouterr().out.splitlines()[4:] == [f"       2  {TWO}"]
    assert main(["coverage", "--rulings", "dump.json", "--top", "-1", "mine"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_nothing_of_the_dump_is_kept(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(folder.rglob("*"))
    assert main(["coverage", "--rulings", "dump.json", "mine"]) == 0
    assert sorted(folder.rglob("*")) == before


def test_a_file_that_is_no_ruling_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "mine" / "broken.yaml").write_text("ruling: [", encoding="utf-8")
    assert main(["coverage", "--rulings", "dump.json", "mine"]) == 1
    assert "broken.yaml" in capsys.readouterr().err


def test_what_is_no_dump_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", "--rulings", "mine/known.yaml", "mine"]) == 4
    assert "known.yaml is no JSON" in capsys.readouterr().err


def test_a_source_of_the_suite_is_found(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Facts only: the case file has the digest, and the sentence is in nobody's dump but the caller's."""
    (tmp_path / "dump.json").write_text(json.dumps(PLAIN), encoding="utf-8")
    assert main(["coverage", "--rulings", str(tmp_path / "dump.json"), "flashback"]) == 0
    assert "covered: no entries of no cards, no texts, by 0 of 11 rulings" in capsys.readouterr().out
