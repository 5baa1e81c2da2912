"""Results files: what is in them, what is refused, shards, and putting shards together."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judgecall.harness.cli import main
from judgecall.harness.merging import merge
from judgecall.harness.properties import properties_of, result_of
from judgecall.harness.release import file_digest, list_digest, suite_digest
from judgecall.harness.results import ResultsError, read_results
from judgecall.harness.shards import Shard, ShardProblem
from judgecall.harness.verdicts import VERDICTS, CaseResult, Mismatch, TraceEntry

from tests.harness.small_suite import CASES, GOOD, MUTE, WRONG, install, run

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return install(tmp_path, monkeypatch)


def lines(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def test_a_file_says_who_was_judged_on_what(suite: Path) -> None:
    assert run(WRONG, "r.jsonl") == 1
    header, *cases, footer = lines("r.jsonl")
    assert header["suite"] == {"version": "2026.1.0", "digest": suite_digest(suite)}
    assert (header["comprehensive_rules"], header["case_format"], header["protocol"]) == ("2026-06-19", 1, 1)
    assert header["engine"]["name"] == "forgetful"
    assert header["engine"]["asked"] == WRONG
    assert header["engine"]["adapter_digest"] == file_digest(Path(__file__).parent / "toys.py")
    assert header["selection"]["cases"] == 5
    assert "shard" not in header
    assert [case["case"] for case in cases] == CASES
    assert [case["verdict"] for case in cases] == ["pass", "fail", "fail", "pass", "pass"]
    assert cases[1]["message"] == "Think Twice: zone: expected exile, got graveyard"
    assert cases[1]["digest"] == file_digest(suite / "flash" / "exiled.yaml")
    assert cases[2]["status"] == "disputed"
    assert "message" not in cases[0]
    assert footer["cases"] == 5
    assert footer["counts"] == {
        "pass": 3, "unsupported": 0, "error": 0, "fail": 1, "invalid": 0, "disputed": 1, "withdrawn": 0,
    }  # fmt: skip


def test_no_place_of_this_machine_is_in_a_file(suite: Path) -> None:
    Path("mine.yaml").write_text("ruling: mine\ncases: [{case: a, given: {}, then: {alice: {life: 20}}}]\n")
    assert main(["run", "-q", f"--engine={WRONG}", "--results", "r.jsonl", str(suite), "mine.yaml"]) == 1
    assert str(suite.parent) not in Path("r.jsonl").read_text(encoding="utf-8")
    paths = {case["path"] for case in lines("r.jsonl") if "path" in case}
    assert paths == {"flash/exiled.yaml", "other/life.yaml", "mine.yaml"}


def test_the_same_run_gives_the_same_lines(suite: Path) -> None:
    def without_time(path: str) -> list[dict[str, Any]]:
        return [
            {k: v for k, v in line.items() if k not in ("seconds", "started", "finished", "digest")}
            for line in lines(path)
        ]

    run(WRONG, "a.jsonl")
    run(WRONG, "b.jsonl")
    assert without_time("a.jsonl") == without_time("b.jsonl")


def test_the_suite_s_digest_is_that_of_sha256sum(suite: Path) -> None:
    windows = suite / "flash" / "exiled.yaml"
    windows.write_bytes(b"a\r\nb\n")
    assert file_digest(windows) == file_digest_of(b"a\nb\n")
    assert list_digest([("b", "sha256:22"), ("a", "sha256:11")]) == file_digest_of(b"11  a\n22  b\n")


def file_digest_of(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[: text.rindex('{"end"')], ":6: the file is cut off"),
        (lambda text: text[:-20], "cut off"),
        (lambda text: text.rstrip("\n"), "cut off"),
        (lambda text: text[:100], "cut off|no JSON"),
        (lambda text: "", "no JSON"),
        (lambda text: "[1]\n", ":1: this is no JSON object"),
        (lambda text: "[" * 100_000, "nested too deeply|no JSON"),
        (lambda text: text.replace('"format":1', '"format":2', 1), "of format 2; this version reads 1"),
        (lambda text: text.replace("judgecall results", "something", 1), "no results file"),
        (lambda text: text.replace('"protocol":1,', "", 1), "the header is broken: KeyError: 'protocol'"),
        (lambda text: text.replace('"verdict":"fail"', '"verdict":"pass"', 1), "counts other cases"),
        (lambda text: text.replace("got graveyard", "got Graveyard", 1), "another digest"),
        (lambda text: text.replace('"verdict":"fail"', '"verdict":"win"', 1), "'win' is no verdict"),
        (lambda text: text.replace("flash/exiled::cast", "flash/exiled::zzz", 1), "not in the order"),
        (lambda text: text.replace("flash/exiled::cast", "flash/exiled::exiled", 1), "exiled is there twice"),
        (lambda text: text.replace('"case":"other/life::three"', '"kase":1', 1), "this is no case"),
        (lambda text: text + "{}\n", "cut off"),
        (lambda text: text + text, "this is no case|cut off"),
        (lambda text: "\n".join(text.splitlines()[:2] + text.splitlines()[3:]) + "\n", "the footer counts"),
    ],
)  # fmt: skip
def test_a_file_that_does_not_hold_together_is_refused(suite: Path, change: Any, message: str) -> None:
    run(WRONG, "r.jsonl")
    Path("r.jsonl").write_text(change(Path("r.jsonl").read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(ResultsError, match=message):
        read_results("r.jsonl")


def test_what_is_refused_is_told_in_a_line(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(GOOD, "r.jsonl")
    text = Path("r.jsonl").read_text(encoding="utf-8")
    Path("r.jsonl").write_text(text[: text.rindex('{"end"')], encoding="utf-8")
    capsys.readouterr()
    for command in (
        ["certify", "r.jsonl"],
        ["merge", "r.jsonl", "-o", "m.jsonl"],
        ["report", "r.jsonl", "-o", "site"],
        ["diff", "r.jsonl", "r.jsonl"],
        ["summary", "r.jsonl"],
        ["certify", "nowhere.jsonl"],
    ):
        assert main(command) == 1
        err = capsys.readouterr().err
        assert err.startswith("judgecall: error: ")
        assert err.count("\n") == 1
    assert not Path("m.jsonl").exists()
    assert not Path("site").exists()


def test_a_case_in_two_files_is_refused(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in "ab":
        Path(f"{name}.yaml").write_text("ruling: x\ncases: [{case: a, then: {alice: {life: 20}}}]\n")
    assert main(["run", f"--engine={GOOD}", "a.yaml", "b.yaml", "--results", "r.jsonl"]) == 4
    assert "the case x::a is in two of the files" in capsys.readouterr().err


def test_a_trace_is_kept_where_it_is_wanted(suite: Path) -> None:
    run(GOOD, "r.jsonl")
    assert not any(case.trace for case in read_results("r.jsonl").cases)
    run(GOOD, "r.jsonl", "--trace")
    cases = {case.case: case for case in read_results("r.jsonl").cases}
    assert cases["flash/exiled::exiled"].trace == (
        TraceEntry(1, "alice casts Think Twice"),
        TraceEntry(3, "alice passes", ("117.3d",)),
        TraceEntry(3, "bob passes", ("117.3d",)),
        TraceEntry(3, "Think Twice resolves"),
    )


def test_files_of_the_engine_are_named_by_digest(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("engine.jar").write_bytes(b"code")
    run(GOOD, "r.jsonl", "--engine-file", "engine.jar")
    assert read_results("r.jsonl").header.engine.files == (("engine.jar", file_digest("engine.jar")),)
    assert run(GOOD, "r.jsonl", "--engine-file", "nowhere.jar") == 4
    assert "nowhere.jar cannot be read" in capsys.readouterr().err


def test_the_files_of_a_command_are_named_by_digest(suite: Path) -> None:
    adapter = Path("adapter.py")
    adapter.write_text(
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom judgecall.adapters.serve import serve\n"
        "from tests.harness.toys import Strict\nserve(Strict)\n"
    )
    assert run(f"cmd:{sys.executable} adapter.py", "r.jsonl") == 0
    engine = read_results("r.jsonl").header.engine
    assert (engine.name, engine.files) == ("toy", (("adapter.py", file_digest("adapter.py")),))
    assert engine.adapter_digest == ""


# --- shards


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "1/0", "-1/3", "a/b", "1/3/5", "1 / 3", "", "１/3"])
def test_what_is_no_shard_is_refused(suite: Path, text: str) -> None:
    with pytest.raises(ShardProblem):
        Shard.parse(text)
    assert run(GOOD, "r.jsonl", f"--shard={text}") == (4 if text else 0)


@given(st.lists(st.text(min_size=1), unique=True), st.integers(1, 12))
def test_each_case_is_in_one_shard(ids: list[str], total: int) -> None:
    for id_ in ids:
        assert sum(Shard(number, total).has(id_) for number in range(1, total + 1)) == 1


def test_shards_are_of_like_size() -> None:
    sizes = [sum(Shard(number, 8).has(f"a/b::{case}") for case in range(8000)) for number in range(1, 9)]
    assert sum(sizes) == 8000
    assert all(900 < size < 1100 for size in sizes)


def shards(engine: str, total: int) -> list[str]:
    paths = []
    for number in range(1, total + 1):
        path = f"{number}.jsonl"
        run(engine, path, f"--shard={number}/{total}")
        paths.append(path)
    return paths


@pytest.mark.parametrize("engine", [GOOD, WRONG, MUTE])
def test_shards_together_are_the_whole(suite: Path, engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(engine, "whole.jsonl")
    paths = shards(engine, 3)
    assert main(["merge", *reversed(paths), "-o", "merged.jsonl"]) == 0
    whole, merged = read_results("whole.jsonl"), read_results("merged.jsonl")
    assert [replace(case, seconds=0) for case in merged.cases] == [replace(case, seconds=0) for case in whole.cases]
    assert replace(merged.header, started="") == replace(whole.header, started="")
    assert 0 < len(read_results(paths[0]).cases) < 5
    main(["merge", *paths, "-o", "again.jsonl"])
    assert Path("again.jsonl").read_bytes() == Path("merged.jsonl").read_bytes()


def test_a_shard_that_is_missing_or_doubled_is_refused(suite: Path) -> None:
    parts = [read_results(path) for path in shards(GOOD, 3)]
    with pytest.raises(ResultsError, match="shard 2/3 is missing"):
        merge([parts[0], parts[2]])
    with pytest.raises(ResultsError, match=r"the case \S+ is there twice: in"):
        merge([*parts, parts[0]])
    other = replace(parts[0], cases=tuple(replace(case, verdict="fail") for case in parts[0].cases))
    with pytest.raises(ResultsError, match=r"the case \S+ is there twice, and differs: in"):
        merge([*parts, other])
    with pytest.raises(ResultsError, match="nothing to merge"):
        merge([])


def test_what_is_no_shard_of_the_same_run_is_refused(suite: Path) -> None:
    parts = [read_results(path) for path in shards(GOOD, 3)]
    run(GOOD, "whole.jsonl")
    whole = read_results("whole.jsonl")
    with pytest.raises(ResultsError, match=r"whole\.jsonl is no shard: it has the whole of its run"):
        merge([parts[0], whole])
    with pytest.raises(ResultsError, match=r"whole\.jsonl is no shard"):
        merge([whole, *parts])
    wrong = [read_results(path) for path in shards(WRONG, 3)]
    with pytest.raises(ResultsError, match="differ: another engine"):
        merge([parts[0], wrong[1], parts[2]])
    two = [read_results(path) for path in shards(GOOD, 2)]
    with pytest.raises(ResultsError, match="another number of shards"):
        merge([parts[0], two[1]])
    (suite / "other" / "life.yaml").write_text(
        (suite / "other" / "life.yaml").read_text(encoding="utf-8").replace("life: 3", "life: 7"), encoding="utf-8"
    )
    changed = [read_results(path) for path in shards(GOOD, 3)]
    with pytest.raises(ResultsError, match="another suite's files"):
        merge([parts[0], changed[1], changed[2]])


def test_cases_that_shards_have_lost_are_missed(suite: Path) -> None:
    parts = [read_results(path) for path in shards(GOOD, 3)]
    shorter = replace(parts[0], cases=parts[0].cases[1:])
    with pytest.raises(ResultsError, match="of 5 cases selected the files have 4"):
        merge([shorter, *parts[1:]])
    other = replace(parts[0], cases=tuple(replace(case, digest="sha256:0") for case in parts[0].cases))
    with pytest.raises(ResultsError, match="other texts of them"):
        merge([other, *parts[1:]])


# --- properties


texts = st.text(st.characters(exclude_categories=["Cs"]))
results = st.builds(
    CaseResult,
    case=texts.filter(bool),
    verdict=st.sampled_from(VERDICTS),
    message=texts,
    title=texts,
    status=st.sampled_from([None, "disputed", "withdrawn"]),
    line=st.none() | st.integers(1, 10**6),
    step=st.none() | st.integers(1, 99),
    steps=st.lists(texts).map(tuple),
    mismatches=st.lists(st.builds(Mismatch, texts, texts, texts)).map(tuple),
    rules=st.lists(texts).map(tuple),
    unsupported=st.none() | st.tuples(texts, texts),
    board=texts,
    digest=texts,
    known=st.none() | st.tuples(texts, texts),
    trace=st.lists(st.builds(TraceEntry, st.none() | st.integers(1, 9), texts, st.lists(texts).map(tuple))).map(tuple),
)


@given(results)
def test_properties_and_json_hold_all_of_a_result(result: CaseResult) -> None:
    assert result_of(properties_of(result)) == result
    assert CaseResult.from_json(json.loads(json.dumps(result.to_json()))) == result


def test_properties_of_no_case_are_no_result() -> None:
    assert result_of([("other", "1"), ("judgecall.case", "a")]) is None
