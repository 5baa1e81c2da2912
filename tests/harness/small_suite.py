"""A suite of a few rulings, and the engines that play it: one that passes, one that is wrong, one that is mute."""

from __future__ import annotations

from pathlib import Path

import pytest
from judgecall.harness import ids, lint, proving, results, runner, suite
from judgecall.harness.cli import main

GOOD = "py:tests.harness.toys:Strict"
WRONG = "py:tests.harness.toys:Forgetful"
FAULTY = "py:tests.harness.faulty:Faulty"
MUTE = "py:tests.harness.toys:Mute"

FACTS = """\
version: "2026.1.0"
comprehensive_rules: "2026-06-19"
profiles:
  flash: {title: Flash, folders: [flash]}
  other: {title: Other things, folders: [other]}
  all: {title: All}
"""
SOURCE = "{card: Think Twice, publisher: wotc, date: 2025-06-06, language: en, digest: 'sha256:" + "0" * 64 + "'}"
EXILED = f"""\
ruling: flash/exiled
summary: {{en: A spell with flashback is exiled., fr: "Un sort à flashback est exilé."}}
rules: ["702.34a", "601.2"]
sources: [{SOURCE}]
cases:
  - case: cast
    title: It is cast
    given: {{alice: {{hand: [Think Twice], battlefield: [2 Island]}}}}
    when: [{{cast: Think Twice}}]
    then: {{stack: [Think Twice]}}
  - case: exiled
    title: It is exiled
    given: {{alice: {{graveyard: [Think Twice], battlefield: [{{card: Island, tapped: true}}]}}}}
    when: [{{cast: Think Twice, using: flashback}}, {{check: {{stack: [Think Twice]}}}}, {{resolve: all}}]
    then: {{Think Twice: {{zone: exile}}}}
"""
LIFE = f"""\
ruling: other/life
summary: {{en: Players begin with twenty life., fr: Les joueurs commencent à vingt points de vie.}}
rules: ["103.4"]
sources: [{SOURCE}]
cases:
  - case: twenty
    title: Twenty life
    given: {{alice: {{hand: [Divination]}}}}
    then: {{alice: {{life: 20}}}}
  - case: three
    title: Three where it says so
    given: {{alice: {{life: 3}}}}
    then: {{alice: {{life: 3}}}}
  - case: argued
    title: Two readings
    status: disputed
    why: nobody knows
    given: {{alice: {{life: 4}}}}
    then: {{alice: {{life: 5}}}}
"""
CASES = ["flash/exiled::cast", "flash/exiled::exiled", "other/life::argued", "other/life::three", "other/life::twenty"]


def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a small suite the installed one, in a folder that becomes the current one."""
    root = folder / "suite"
    for name, text in (("_suite", FACTS), ("flash/exiled", EXILED), ("other/life", LIFE)):
        path = root / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for module in (suite, ids, lint, proving, results, runner):
        monkeypatch.setattr(module, "suite_root", lambda: root)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.chdir(folder)
    return root


def run(engine: str, path: str, *options: str) -> int:
    """Play the small suite and write its results; gives the exit code."""
    return main(["run", "-q", f"--engine={engine}", "--results", path, *options])
