"""Certificates, badges, and what checks them."""

from __future__ import annotations

import copy
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from in_toto_attestation.predicates.test_result.v0 import test_result_pb2  # type: ignore[import-untyped]
from in_toto_attestation.v1.statement import Statement  # type: ignore[import-untyped]
from judgecall.harness.badge import COLORS, LABEL_COLOR, badge
from judgecall.harness.certificate import CertificateError, certify
from judgecall.harness.cli import main
from judgecall.harness.release import case_set, release, suite_digest
from judgecall.harness.results import read_results
from judgecall.harness.verify import read_statement, verify

from tests.harness.small_suite import CASES, GOOD, MUTE, WRONG, install, run

COUNTED = [case for case in CASES if "argued" not in case]


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return install(tmp_path, monkeypatch)


def certificate(engine: str, *options: str, path: str = "c.json") -> dict[str, Any]:
    run(engine, "r.jsonl")
    assert main(["certify", "r.jsonl", "-o", path, *options]) == 0
    return read_statement(path)


def own(statement: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = statement["predicate"]["judgecall"]
    return found


def test_one_that_passes_everything_is_certified(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    statement = certificate(GOOD)
    assert "all: certified, 4/4 cases\n" in capsys.readouterr().out
    predicate = statement["predicate"]
    assert (predicate["result"], predicate["passedTests"], predicate["failedTests"]) == ("PASSED", COUNTED, [])
    said = own(statement)
    assert said["suite"] == {"version": "2026.1.0", "digest": {"sha256": suite_digest()[7:]}}
    assert said["comprehensiveRules"] == "2026-06-19"
    assert (said["caseFormat"], said["protocol"]) == (1, 1)
    assert said["engine"]["name"] == "toy"
    assert said["results"]["digest"] == {"sha256": read_results("r.jsonl").digest[7:]}
    assert set(said["profiles"]) == {"flash", "other", "all"}
    assert all(counts["certified"] for counts in said["profiles"].values())
    assert said["notCounted"] == [{"case": "other/life::argued", "status": "disputed", "verdict": "fail"}]


def test_a_wrong_engine_is_certified_for_what_it_does_right_and_no_more(suite: Path) -> None:
    statement = certificate(WRONG)
    assert statement["predicate"]["result"] == "FAILED"
    assert statement["predicate"]["failedTests"] == own(statement)["failing"] == [CASES[1]]
    certified = {name: counts["certified"] for name, counts in own(statement)["profiles"].items()}
    assert certified == {"flash": False, "other": True, "all": False}


def test_a_mute_engine_is_certified_for_nothing(suite: Path) -> None:
    statement = certificate(MUTE)
    assert statement["predicate"]["passedTests"] == []
    assert own(statement)["unsupported"] == COUNTED
    assert statement["predicate"]["failedTests"] == COUNTED
    assert not any(counts["certified"] for counts in own(statement)["profiles"].values())


def test_what_was_not_played_is_counted(suite: Path) -> None:
    run(GOOD, "r.jsonl", "flash")
    main(["certify", "r.jsonl", "-o", "c.json"])
    said = own(read_statement("c.json"))
    assert said["notPlayed"] == ["other/life::three", "other/life::twenty"]
    assert said["profiles"]["all"]["cases"] == 4
    assert not said["profiles"]["all"]["certified"]
    assert said["profiles"]["flash"]["certified"]
    main(["certify", "r.jsonl", "--profile=flash", "-o", "c.json"])
    flash = read_statement("c.json")
    assert flash["predicate"]["result"] == "PASSED"
    assert list(own(flash)["profiles"]) == ["flash"]
    assert main(["verify", "c.json", "--results", "r.jsonl"]) == 0


def test_an_engine_that_was_broken_on_purpose_is_certified_for_nothing(suite: Path) -> None:
    run(GOOD, "r.jsonl", "--fault=forgets flashback", "other")
    main(["certify", "r.jsonl", "-o", "c.json"])
    statement = read_statement("c.json")
    assert own(statement)["engine"]["fault"] == "forgets flashback"
    assert (
        own(statement)["profiles"]["other"] | {"passed": 2, "cases": 2, "certified": False}
        == own(statement)["profiles"]["other"]
    )
    assert main(["verify", "c.json", "--results", "r.jsonl"]) == 0


def test_known_failures_make_no_certificate_better(suite: Path) -> None:
    Path("known.yaml").write_text(f"- {{case: {CASES[1]}, reason: a, link: b}}\n")
    assert run(WRONG, "r.jsonl", "--known-failures=known.yaml") == 0
    main(["certify", "r.jsonl", "-o", "c.json"])
    statement = read_statement("c.json")
    assert own(statement)["failing"] == own(statement)["knownFailures"] == [CASES[1]]
    assert statement["predicate"]["result"] == "FAILED"


def refused(path: str = "r.jsonl") -> str:
    with pytest.raises(CertificateError) as problem:
        certify(read_results(path), case_set(), release())
    assert main(["certify", path, "-o", "none.json"]) == 1
    assert not Path("none.json").exists()
    return str(problem.value)


def test_a_mistake_in_a_case_stops_a_certificate(suite: Path) -> None:
    text = (suite / "flash" / "exiled.yaml").read_text(encoding="utf-8")
    # Nobody says what the spell targets.
    text = text.replace("{hand: [Think Twice]", "{hand: [Shock, Hill Giant]").replace(
        "[2 Island]", "[Hill Giant, Clone]"
    )
    (suite / "flash" / "exiled.yaml").write_text(text.replace("[{cast: Think Twice}]", "[{cast: Shock}]"))
    assert run(GOOD, "r.jsonl") == 1
    assert "flash/exiled::cast is mistaken" in refused()


def test_results_of_something_else_are_refused(suite: Path) -> None:
    run(GOOD, "r.jsonl", "--shard=1/2")
    assert "shard 1/2 of a run: merge the shards first" in refused()
    Path("mine.yaml").write_text("ruling: mine\ncases: [{case: a, then: {alice: {life: 20}}}]\n")
    run(GOOD, "r.jsonl", "flash", "mine.yaml")
    assert "mine::a is no case of the suite" in refused()
    Path("mine.yaml").write_text((suite / "other" / "life.yaml").read_text(encoding="utf-8") + "# easier\n")
    run(GOOD, "r.jsonl", "mine.yaml")
    assert "another text than the suite's" in refused()
    run(GOOD, "r.jsonl")
    with open(suite / "other" / "life.yaml", "a") as file:
        file.write("# changed\n")
    assert "another one is installed" in refused()
    (suite / "other" / "life.yaml").write_text("broken: [")
    run(GOOD, "r.jsonl", "flash")
    assert "the suite is broken: other/life.yaml" in refused()


def test_in_toto_s_own_library_takes_it(suite: Path) -> None:
    for engine in (GOOD, WRONG, MUTE):
        statement = certificate(engine)
        read = Statement.copy_from_pb(json_format.ParseDict(statement, Statement([], "x", {}).pb.__class__()))
        read.validate()
        predicate = {key: value for key, value in statement["predicate"].items() if key != "judgecall"}
        result = json_format.ParseDict(predicate, test_result_pb2.TestResult())
        assert list(result.passed_tests) == statement["predicate"]["passedTests"]


def test_a_certificate_is_made_of_its_results_alone(suite: Path) -> None:
    first = certificate(WRONG)
    main(["certify", "r.jsonl", "-o", "again.json"])
    assert Path("again.json").read_bytes() == Path("c.json").read_bytes()
    assert str(suite.parent) not in json.dumps(first)


# --- verify


@pytest.mark.parametrize("engine", [GOOD, WRONG, MUTE])
def test_a_true_certificate_holds(suite: Path, engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    certificate(engine)
    assert main(["verify", "c.json", "--results", "r.jsonl"]) == 0
    out = capsys.readouterr().out
    assert "NO" not in re.sub("NOT", "", out)
    assert "self-reported unless it is signed" in out
    assert main(["verify", "c.json"]) == 0
    assert "--  its results were not given" in capsys.readouterr().out


def better_counts(statement: dict[str, Any]) -> None:
    own(statement)["profiles"]["flash"].update(passed=2, failing=0, certified=True)


def left_out(statement: dict[str, Any]) -> None:
    """Forget the failing case everywhere, and count anew."""
    statement["predicate"]["failedTests"] = []
    own(statement)["failing"] = []
    statement["predicate"]["result"] = "PASSED"
    own(statement)["profiles"]["flash"].update(passed=1, failing=0, cases=1, certified=True)
    own(statement)["profiles"]["all"].update(passed=3, failing=0, cases=3, certified=True)


def moved(statement: dict[str, Any]) -> None:
    """Call the failing case one that passes, and count anew."""
    left_out(statement)
    statement["predicate"]["passedTests"].insert(1, CASES[1])
    own(statement)["profiles"]["flash"].update(passed=2, cases=2)
    own(statement)["profiles"]["all"].update(passed=4, cases=4)


def disputed(statement: dict[str, Any]) -> None:
    left_out(statement)
    own(statement)["notCounted"].append({"case": CASES[1], "status": "disputed", "verdict": "fail"})


FORGERIES: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda s: s["predicate"].update(result="PASSED"), "'result' says PASSED"),
    (lambda s: own(s)["profiles"]["all"].update(certified=True), "'result' says PASSED"),
    (better_counts, "the counts of all profiles"),
    (left_out, "its lists have every case of the profile"),
    (disputed, "its lists have every case of the profile"),
    (lambda s: s["predicate"]["failedTests"].clear(), "'failedTests' has all"),
    (lambda s: s["predicate"]["passedTests"].append(CASES[1]), "no case is in two"),
    (lambda s: s["predicate"]["passedTests"].append("flash/exiled::more"), "its lists have every case"),
    (lambda s: own(s).update(comprehensiveRules="2030-01-01"), "the numbers of suite, rules"),
    (lambda s: own(s)["suite"].update(version="2030.1.0"), "the numbers of suite, rules"),
    (lambda s: own(s).update(profile="none"), "'result' says PASSED"),
    (lambda s: s.update(_type="x"), "the form of a certificate: _type"),
    (lambda s: own(s).pop("unsupported"), "the form of a certificate"),
    (lambda s: s["predicate"].update(warnedTests=["a"]), "the form of a certificate"),
    (lambda s: own(s)["profiles"]["all"].update(passed=-1), "the form of a certificate"),
    (lambda s: own(s)["profiles"]["all"].update(passed=3.5), "the form of a certificate"),
]


@pytest.mark.parametrize(("forge", "message"), FORGERIES)
def test_a_forged_certificate_does_not_hold(
    suite: Path, forge: Callable[[dict[str, Any]], Any], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    statement = certificate(WRONG)
    forged = copy.deepcopy(statement)
    forge(forged)
    assert forged != statement
    Path("c.json").write_text(json.dumps(forged))
    capsys.readouterr()
    assert main(["verify", "c.json"]) == 1
    out = capsys.readouterr().out
    assert f"NO  {message}" in out
    assert out.endswith("c.json does not hold: do not trust it\n")
    assert main(["badge", "c.json"]) == 1
    assert not Path("badges").exists()


def test_a_forgery_that_agrees_with_itself_needs_the_results(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forged = certificate(WRONG)
    moved(forged)
    Path("c.json").write_text(json.dumps(forged))
    assert main(["verify", "c.json"]) == 0
    assert main(["verify", "c.json", "--results", "r.jsonl"]) == 1
    assert "NO  made again from the results, it says the same: not /predicate/result" in capsys.readouterr().out


def test_other_results_are_noticed(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    certificate(GOOD)
    run(WRONG, "r.jsonl")
    assert main(["verify", "c.json", "--results", "r.jsonl"]) == 1
    assert "NO  the results are those that it names" in capsys.readouterr().out


def test_a_certificate_of_another_suite_is_checked_as_far_as_it_can_be(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    statement = certificate(WRONG)
    (suite / "other" / "life.yaml").unlink()
    assert main(["verify", "c.json"]) == 0
    assert "--  its suite (2026.1.0) is not the one installed here" in capsys.readouterr().out
    better_counts(statement)
    own(statement)["profiles"]["flash"]["passed"] = 1
    Path("c.json").write_text(json.dumps(statement))
    assert main(["verify", "c.json"]) == 1
    assert "NO  the counts of profile flash add up" in capsys.readouterr().out


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"\xff", b"[" * 99_999, b'{"predicate": 3}', b"null"])
def test_what_is_no_certificate_is_told_in_words(suite: Path, data: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    Path("c.json").write_bytes(data)
    for command in ("verify", "badge"):
        assert main([command, "c.json"]) == 1
        shown = capsys.readouterr()
        assert "Traceback" not in shown.err + shown.out
    assert main(["verify", "nowhere.json"]) == 1
    assert "nowhere.json cannot be read" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="no ssh-keygen here")
def test_the_signature_that_is_described_holds_until_a_byte_changes(suite: Path) -> None:
    certificate(GOOD)
    quiet = {"capture_output": True, "check": True}
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "key"], **quiet)  # type: ignore[call-overload]
    subprocess.run(["ssh-keygen", "-Y", "sign", "-n", "judgecall", "-f", "key", "c.json"], **quiet)  # type: ignore[call-overload]
    Path("signers").write_text(f"me@example.org {Path('key.pub').read_text()}")
    check = [
        "ssh-keygen",
        "-Y",
        "verify",
        "-n",
        "judgecall",
        "-f",
        "signers",
        "-I",
        "me@example.org",
        "-s",
        "c.json.sig",
    ]
    data = Path("c.json").read_bytes()
    assert subprocess.run(check, input=data, capture_output=True).returncode == 0
    assert subprocess.run(check, input=data.replace(b"PASSED", b"FAILED"), capture_output=True).returncode != 0


# --- badges


def contrast(one: str, other: str) -> float:
    def luminance(color: str) -> float:
        parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_colors_are_readable() -> None:
    for color in (*COLORS.values(), LABEL_COLOR):
        assert contrast(color, "#ffffff") >= 4.5


COUNTS = {"title": "x", "certified": False, "cases": 160, "failing": 0, "errors": 0, "notPlayed": 0}


@pytest.mark.parametrize(
    ("counts", "message", "state"),
    [
        ({"passed": 142, "unsupported": 12, "failing": 6}, "142/160 cases · 12 unsupported", "failing"),
        ({"passed": 148, "unsupported": 12}, "148/160 cases · 12 unsupported", "incomplete"),
        ({"passed": 159, "unsupported": 0, "errors": 1}, "159/160 cases", "failing"),
        ({"passed": 160, "unsupported": 0, "certified": True}, "160/160 cases", "certified"),
        ({"passed": 160, "unsupported": 0}, "160/160 cases", "incomplete"),
        ({"passed": 0, "unsupported": 0, "notPlayed": 160}, "0/160 cases · 160 not played", "incomplete"),
    ],
)
def test_a_badge_says_the_numbers(counts: dict[str, Any], message: str, state: str) -> None:
    made = badge("flashback", COUNTS | counts, "engine 1")
    assert (made.label, made.message, made.color) == ("judgecall flashback", message, COLORS[state])
    assert json.loads(made.endpoint()) == {
        "schemaVersion": 1,
        "label": "judgecall flashback",
        "message": message,
        "color": COLORS[state],
    }


def test_a_badge_is_a_picture_that_says_what_it_is() -> None:
    hostile = 'e"vil</title><script>alert(1)</script>{{ value }}&'
    made = badge("all", COUNTS | {"passed": 1, "unsupported": 2}, hostile)
    root = ET.fromstring(made.svg())
    name = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{name}svg"
    assert root.get("role") == "img"
    title = root.find(f"{name}title")
    assert title is not None
    assert title.text is not None
    assert hostile in title.text
    assert not list(root.iter(f"{name}script"))
    assert "1/160 cases · 2 unsupported" in {text.text for text in root.iter(f"{name}text")}
    assert {each.get("fill") for each in root.iter(f"{name}path")} >= {COLORS["incomplete"]}
    width = float(root.get("width", "0"))
    assert all(float(text.get("x", "0")) < width for text in root.iter(f"{name}text"))
    assert made.svg() == badge("all", COUNTS | {"passed": 1, "unsupported": 2}, hostile).svg()


@pytest.mark.parametrize("engine", [GOOD, WRONG, MUTE])
def test_each_profile_has_its_badge(suite: Path, engine: str) -> None:
    statement = certificate(engine)
    assert main(["badge", "c.json", "-o", "out/badges"]) == 0
    names = {path.name for path in Path("out/badges").iterdir()}
    assert names == {f"{name}.{end}" for name in ("flash", "other", "all") for end in ("svg", "json")}
    for name, counts in own(statement)["profiles"].items():
        endpoint = json.loads(Path(f"out/badges/{name}.json").read_text(encoding="utf-8"))
        assert endpoint["message"].startswith(f"{counts['passed']}/{counts['cases']} cases")
        assert (endpoint["color"] == COLORS["certified"]) == counts["certified"]
        ET.parse(f"out/badges/{name}.svg")


# --- the real suite


def test_the_oracle_is_certified_for_flashback_and_with_a_fault_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["run", "-q", "flashback", "--results=o.jsonl", "--require=flashback"]) == 0
    assert main(["certify", "o.jsonl", "--profile=flashback", "-o", "o.json"]) == 0
    assert main(["verify", "o.json", "--results=o.jsonl"]) == 0
    assert main(["badge", "o.json"]) == 0
    good = json.loads(Path("badges/flashback.json").read_text(encoding="utf-8"))
    assert good["color"] == COLORS["certified"]
    fault = "--fault=flashback-resolved-to-graveyard"
    assert main(["run", "-q", "flashback", fault, "--results=f.jsonl", "--require=flashback"]) == 1
    assert main(["certify", "f.jsonl", "--profile=flashback", "-o", "f.json"]) == 0
    assert main(["verify", "f.json", "--results=f.jsonl"]) == 0
    statement = read_statement("f.json")
    assert statement["predicate"]["result"] == "FAILED"
    assert "flashback/exiled-whatever-happens::resolved" in own(statement)["failing"]
    assert main(["diff", "o.jsonl", "f.jsonl"]) == 1
    assert main(["diff", "f.jsonl", "o.jsonl"]) == 0
    assert all(check.holds is not False for check in verify(statement, case_set(), release()))
