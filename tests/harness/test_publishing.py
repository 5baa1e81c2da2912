"""What goes out: versions, changelog, workflows and the action, whose scripts are run as GitHub would."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from judgecall.adapters.protocol import CASE_FORMAT, PROTOCOL
from judgecall.harness.changes import changes_text, listed
from judgecall.harness.cli import main
from judgecall.harness.release import Member, case_set, release
from judgecall.harness.results import ResultsError, read_results

from tests.harness.small_suite import GOOD, MUTE, WRONG, install

ROOT = Path(__file__).parent.parent.parent


def test_one_version_is_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    facts = release()
    assert re.fullmatch(r"20\d\d\.(1[0-2]|[1-9])\.\d+", facts.version)
    assert project["version"] == facts.version
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (\S+)\n\n(.*)$", changelog, re.MULTILINE)
    assert newest is not None
    assert newest[1] == facts.version
    numbers = f"Comprehensive Rules of {facts.comprehensive_rules} · case format {CASE_FORMAT} · protocol {PROTOCOL}"
    assert newest[2] == numbers


def test_profiles_are_of_the_suite() -> None:
    facts = release()
    assert [profile.name for profile in facts.profiles] == [
        "flashback",
        "face-down",
        "double-faced",
        "comprehensive-rules",
        "all",
    ]
    members = case_set()
    assert not members.broken
    assert len(members.of(facts.profile("all"))) == len(members.members) > 800
    parts = [members.of(profile) for profile in facts.profiles if profile.folders]
    assert all(parts)
    assert sum(map(len, parts)) == len(set().union(*parts))
    for profile in facts.profiles:
        assert all((ROOT / "cases" / folder).is_dir() for folder in profile.folders)


# --- the changelog


def test_what_changed_is_told_by_case() -> None:
    old = {
        "a/b::one": Member("sha256:1"),
        "a/b::two": Member("sha256:1"),
        "a/b::three": Member("sha256:1", "disputed"),
        "a/b::four": Member("sha256:1", "disputed"),
        "a/b::gone": Member("sha256:1"),
        "c/d::same": Member("sha256:2"),
    }
    new = {
        "a/b::one": Member("sha256:9"),
        "a/b::two": Member("sha256:9", "disputed"),
        "a/b::three": Member("sha256:9", "withdrawn"),
        "a/b::four": Member("sha256:9"),
        "a/b::new": Member("sha256:9"),
        "c/d::same": Member("sha256:2"),
    }
    assert changes_text(old, new) == (
        "### Added: 1 case\n\n- `a/b`: `new`\n\n"
        "### Disputed: 1 case\n\n- `a/b`: `two`\n\n"
        "### Withdrawn: 1 case\n\n- `a/b`: `three`\n\n"
        "### Settled: 1 case\n\n- `a/b`: `four`\n\n"
        "### In files that changed: 1 case\n\n- `a/b`: `one`\n\n"
        "### Gone, which must not be: 1 case\n\n- `a/b`: `gone`\n\n"
    )
    assert changes_text(old, old) == "No case has changed.\n"


def test_changes_are_told_from_the_list_of_an_older_suite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = install(tmp_path, monkeypatch)
    main(["list", "--json"])
    Path("old.json").write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["changes", "old.json"]) == 0
    assert capsys.readouterr().out == "No case has changed.\n"
    path = root / "other" / "life.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("    status: disputed\n    why: nobody knows\n", ""))
    assert main(["changes", "old.json"]) == 0
    assert "### Settled: 1 case\n\n- `other/life`: `argued`\n" in capsys.readouterr().out
    Path("old.json").write_text("[{}]")
    assert main(["changes", "old.json"]) == 1
    Path("old.json").write_text("[")
    assert main(["changes", "old.json"]) == 4
    with pytest.raises(ResultsError, match="is no list of cases"):
        listed({"a": 1}, "x")


# --- the action


def test_workflows_and_action_keep_to_their_schemas() -> None:
    for schema, paths in (
        ("vendor.github-actions", [ROOT / "action.yml"]),
        ("vendor.github-workflows", sorted((ROOT / ".github" / "workflows").glob("*.yml"))),
    ):
        assert paths
        command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, paths)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


def test_no_script_takes_in_what_others_write() -> None:
    """An expression within a script would run whatever an input holds: scripts read the environment."""
    for path in (ROOT / "action.yml", *(ROOT / ".github" / "workflows").glob("*.yml")):
        for script in scripts(yaml.safe_load(path.read_text(encoding="utf-8"))):
            assert "${{" not in script, path


def scripts(data: Any) -> list[str]:
    if isinstance(data, dict):
        own = [data["run"]] if isinstance(data.get("run"), str) else []
        return own + [script for value in data.values() for script in scripts(value)]
    return [script for value in data for script in scripts(value)] if isinstance(data, list) else []


class Job:
    """The action, run step by step as GitHub runs a composite one, save what it uses of others."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
        self.outputs: dict[str, str] = {}
        self.uses: list[str] = []

    def run(self, **inputs: str) -> int:
        known = {name: str(each.get("default", "")) for name, each in self.action["inputs"].items()}
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        assert given.keys() <= known.keys()
        self.values = {f"inputs.{name}": value for name, value in (known | given).items()}
        summary = self.folder / "summary.md"
        summary.write_text("")
        code = 0
        for step in self.action["runs"]["steps"]:
            if not self.wanted(step.get("if"), code):
                continue
            if "uses" in step:
                self.uses.append(step["uses"].partition("@")[0])
                continue
            if "pip install" in step["run"]:
                continue
            output = self.folder / "output.txt"
            output.write_text("")
            environment = {
                **os.environ,
                **{name: self.filled(value) for name, value in step.get("env", {}).items()},
                "GITHUB_OUTPUT": str(output),
                "GITHUB_STEP_SUMMARY": str(summary),
                "CI": "true",
                "PYTHONPATH": str(ROOT),
                "PATH": f"{self.bin()}{os.pathsep}{os.environ['PATH']}",
            }
            command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
            done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True)
            self.log = done.stdout + done.stderr
            code = code or done.returncode
            for line in output.read_text(encoding="utf-8").splitlines():
                name, _, value = line.partition("=")
                self.values[f"steps.{step['id']}.outputs.{name}"] = value
            if done.returncode:
                break
        self.summary = summary.read_text(encoding="utf-8")
        return code

    def bin(self) -> Path:
        """A folder with the command that the action installs."""
        folder = self.folder / "bin"
        folder.mkdir(exist_ok=True)
        command = folder / "judgecall"
        command.write_text(f'#!/bin/sh\nexec {sys.executable} -m judgecall.harness.cli "$@"\n')
        command.chmod(0o755)
        return folder

    def filled(self, value: str) -> str:
        return re.sub(r"\$\{\{ (\S+) \}\}", lambda match: self.values.get(match[1], ""), value)

    def wanted(self, condition: str | None, code: int) -> bool:
        """Whether a step runs: the few forms of conditions that the action has."""
        if condition is None:
            return not code
        terms = re.split(r" (&&|\|\|) ", condition)
        found = [self.term(term) for term in terms[::2]]
        return any(found) if "||" in terms else all(found)

    def term(self, term: str) -> bool:
        if term == "always()":
            return True
        match = re.fullmatch(r"(\S+) (==|!=) '(.*)'", term)
        assert match is not None, term
        return (self.values.get(match[1], "") == match[3]) == (match[2] == "==")


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return Job(tmp_path)


def test_the_action_plays_certifies_and_uploads(job: Job) -> None:
    out = job.folder / "judgecall"
    assert (
        job.run(engine=WRONG, cases="flashback/timing\nflashback/total-cost", profile="flashback", report="true") == 1
    )
    assert "## judgecall: `forgetful 1`" in job.summary
    assert {path.name for path in out.iterdir()} == {"results.jsonl", "certificate.json", "badges", "site"}
    assert (out / "badges" / "flashback.svg").is_file()
    assert (out / "site" / "index.html").is_file()
    assert job.uses[-1] == "actions/upload-artifact"
    assert "actions/attest-build-provenance" not in job.uses
    assert main(["verify", str(out / "certificate.json"), "--results", str(out / "results.jsonl")]) == 0


def test_the_action_puts_shards_together(job: Job) -> None:
    cases = "flashback/timing\nflashback/total-cost"
    for number in (1, 2):
        assert job.run(engine="oracle", cases=cases, shard=f"{number}/2", output="part") == 0
        assert job.values["steps.play.outputs.artifact"] == f"part-{number}-of-2"
        (job.folder / "shards" / str(number)).mkdir(parents=True)
        os.replace(
            job.folder / "part" / f"results-{number}-of-2.jsonl", job.folder / "shards" / str(number) / "r.jsonl"
        )
    assert not (job.folder / "part" / "certificate.json").exists()
    assert job.run(merge="shards", require="flashback", attest="true") == 1
    assert job.run(merge="shards", attest="true") == 0
    assert "actions/attest-build-provenance" in job.uses
    assert len(read_results(job.folder / "judgecall" / "results.jsonl").cases) > 15
    os.remove(job.folder / "shards" / "1" / "r.jsonl")
    os.remove(job.folder / "judgecall" / "results.jsonl")
    assert job.run(merge="shards") == 1
    assert not (job.folder / "judgecall" / "results.jsonl").exists()


@pytest.mark.parametrize(
    ("inputs", "code"),
    [
        ({"engine": GOOD}, 0),
        ({"engine": WRONG}, 1),
        ({"engine": MUTE}, 1),
        ({"engine": MUTE, "allow_unsupported": "true"}, 0),
        ({"engine": MUTE, "min_passing": "1"}, 1),
        ({"engine": WRONG, "known_failures": "known.yaml"}, 0),
        ({"engine": "nobody"}, 4),
        ({"engine": '"; touch owned; "$(touch owned)`touch owned`'}, 4),
        ({"engine": GOOD, "shard": "1/2; touch owned"}, 4),
        ({}, 4),
    ],
)
def test_the_action_ends_as_the_run_does(job: Job, inputs: dict[str, str], code: int) -> None:
    (job.folder / "own.yaml").write_text(
        "ruling: own\n"
        "cases:\n"
        "  - case: a\n"
        "    given: {alice: {graveyard: [Think Twice]}}\n"
        "    when: [{cast: Think Twice, using: flashback}, {resolve: all}]\n"
        "    then: {Think Twice: {zone: exile}}\n"
    )
    (job.folder / "known.yaml").write_text("- {case: 'own::a', reason: it forgets, link: x}\n")
    assert job.run(cases="own.yaml", **inputs) == code
    assert not (job.folder / "owned").exists()
    # What is not of the suite gets no certificate.
    assert not (job.folder / "judgecall" / "certificate.json").exists()
    assert job.uses[-1] == ("actions/upload-artifact")
