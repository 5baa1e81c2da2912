"""README says what is so: its commands run, its examples work, its figures are not better than what there is."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from judgecall.harness import rule_coverage
from judgecall.harness.citations import citations, sources_of_citations
from judgecall.harness.engines import open_engine
from judgecall.harness.ruling_coverage import measure
from judgecall.harness.suite import load, select, suite_root
from judgecall.oracle.cards import loader
from judgecall.oracle.faults import all_faults
from judgecall.oracle.vocabulary.listing import entries
from judgecall.schema.comprehensive_rules import current

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str, text: str = README) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


SETUP, EXAMPLES = blocks("sh")
COMMANDS = [line.partition("#")[0].strip() for line in EXAMPLES.splitlines()]


def test_it_opens_with_two_commands() -> None:
    assert README.startswith("# judgecall\n\n```sh\npython3 -m venv ")
    suite, tests = SETUP.splitlines()
    assert "--engine=oracle" in suite
    assert tests.endswith(".venv/bin/pytest -n 2")
    # `.ci/run` takes both from here and runs them as they are.
    assert [line for line in README.splitlines() if line.startswith("python3 -m venv")] == [suite, tests]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project as README describes it: an engine, its name, a case and a test."""
    folder = tmp_path_factory.mktemp("project")
    (smallest,) = blocks("python")
    (table,) = blocks("toml")
    (case,) = blocks("yaml")
    (folder / "my_adapter.py").write_text(smallest, encoding="utf-8")
    (folder / "pyproject.toml").write_text(table, encoding="utf-8")
    (folder / "my" / "cases").mkdir(parents=True)
    (folder / "my" / "cases" / "one.yaml").write_text(case, encoding="utf-8")
    (folder / "test_own.py").write_text("def test_own():\n    pass\n", encoding="utf-8")
    return folder


def run(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    """Run a command of README in a folder."""
    program, *arguments = shlex.split(command)
    modules = {"pytest": ["pytest", "-p", "no:cacheprovider"], "judgecall": ["judgecall.harness.cli"]}
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "GITHUB_", "CI"))}
    return subprocess.run(
        [sys.executable, "-m", *modules[program], *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_commands(project: Path, command: str) -> None:
    done = run(project, command)
    output = done.stdout + done.stderr
    if "explain" in command:
        assert done.returncode == 0, output
        assert "702.34a" in output
    else:
        # The smallest engine knows nothing, and a run says so.
        assert "unsupported" in output
        assert "error" not in output.lower(), output
        assert done.returncode in (0, 1), output
    own_tests = command in ("pytest --engine=mine", "pytest --engine=mine --cases my/cases")
    assert ("1 passed" in output) == own_tests, output


def test_the_case_passes_on_the_oracle(project: Path) -> None:
    done = run(project, "judgecall run my/cases/one.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


def test_each_dependency_has_its_reason() -> None:
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    names = [re.split(r"[<>=!~ ]", each)[0] for each in dependencies]
    assert re.findall(r"^- ([\w-]+), (?:because|to|for) ", README, re.MULTILINE) == names


def rulings(which: str) -> int:
    """How many rulings of a folder have cases."""
    return len(list(load(select([which]))))


def rules_that_act() -> int:
    """How many rules the traces of all cases cite; nothing may be wrong with those that rulings name."""
    opened = open_engine("oracle")
    try:
        found = rule_coverage.measure(select([]), opened)
    finally:
        opened.close()
    assert found.wrong == ()
    return len(found.rules)


def cases_that_catch() -> int:
    """`judgecall prove` holds the list of the others to be right."""
    idle = yaml.safe_load((suite_root() / "_idle.yaml").read_text(encoding="utf-8"))
    return sum(len(each.cases) for each in load(select([]))) - sum(len(each["cases"]) for each in idle)


COUNTS: dict[str, Callable[[], int]] = {
    "cases": lambda: sum(len(each.cases) for each in load(select([]))),
    "Examples of the Comprehensive Rules that are played, of 277": lambda: rulings("comprehensive-rules"),
    "cards that the oracle knows": lambda: len(list(loader.names())),
    "words of the vocabulary they are defined in": lambda: sum(entry.kind != "keyword" for entry in entries()),
    "deliberate faults, each caught by a case": lambda: len(all_faults()),
    "cases that catch one of them; the others say why they catch none": cases_that_catch,
    "rules of 2026-06-19 that act in a case, by the oracle's traces": rules_that_act,
    "published rulings and Examples that are known by digest": lambda: measure((), load(select([]))).known,
    "rules of 2026-06-19 that citations are held against": lambda: len(current().rules),
    "citations, all of them of rules": lambda: len(list(citations(sources_of_citations([])))),
}


@pytest.mark.parametrize("what", COUNTS)
def test_figures(what: str) -> None:
    found = re.search(rf"^\| {re.escape(what)} \| (\d+) \| `(.+?)` \|$", README, re.MULTILINE)
    assert found, f"README has no figure for {what}"
    stated, counted = int(found[1]), COUNTS[what]()
    assert stated <= counted, f"README says {stated}, there are {counted}"
    assert stated >= 0.8 * counted, f"README says {stated}, there are {counted} by now"


def test_all_figures_are_counted() -> None:
    table = README[README.index("## Figures") : README.index("## Licence")]
    assert re.findall(r"^\| ([^|]+?) \| \d+ \|", table, re.MULTILINE) == list(COUNTS)


@pytest.mark.parametrize(
    "path",
    sorted(
        p.relative_to(ROOT).as_posix() for p in [*ROOT.glob("*.md"), *ROOT.glob("*/*.md"), *ROOT.glob("oracle/*/*.md")]
    ),
)
def test_links_lead_somewhere(path: str) -> None:
    text = re.sub(r"(?ms)^```.*?^```$", "", (ROOT / path).read_text(encoding="utf-8"))
    links = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", text)
    missing = [link for link in links if not (ROOT / path).parent.joinpath(link).exists()]
    assert not missing
