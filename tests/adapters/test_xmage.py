"""The bridge to XMage: what its page says holds, and where there is an XMage it plays."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from judgecall import adapters
from judgecall.harness.engine_tables import Table, read_table
from judgecall.harness.engines import open_engine
from judgecall.harness.runner import plan, run
from judgecall.harness.suite import select, suite_root

REFUSED = """
ruling: my/refused
cases:
  - case: without-flashback
    given: {alice: {graveyard: [Think Twice], battlefield: [3 Island]}}
    when: [{cast: Think Twice}]
  - case: no-creature
    given: {alice: {hand: [Giant Growth], battlefield: [2 Forest, Grizzly Bears]}}
    when: [{cast: Giant Growth, targets: ["Forest#1"]}]
"""
BRIDGE = Path(adapters.__path__[0]) / "xmage"
README = (BRIDGE / "README.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """The first block of the page in a language."""
    found = re.search(rf"```{language}\n(.*?)```", README, re.DOTALL)
    assert found
    return found[1]


def table(folder: Path) -> Table:
    """The engine as the page configures it."""
    data = tomllib.loads(block("toml"))["tool"]["judgecall"]["engines"]["xmage"]
    return read_table("xmage", data, folder)


def sources() -> list[Path]:
    """What the page compiles: the wire of the Java template, and the bridge."""
    wire = [BRIDGE.parent / "templates" / "java" / name for name in ("Json.java", "Wire.java")]
    return [*wire, *sorted(BRIDGE.glob("*.java"))]


def cells(heading: str) -> list[list[str]]:
    """The rows of the table of the page whose first heading is this."""
    lines = README.split(f"| {heading} |", 1)[1].splitlines()[2:]
    rows = [line for line in lines[: lines.index("")] if line] if "" in lines else lines
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_the_page_starts_a_class_that_is_there(tmp_path: Path) -> None:
    command = table(tmp_path).command
    main_class = command[-1]
    assert command[0] == "java"
    assert "public static void main(" in (BRIDGE / f"{main_class}.java").read_text(encoding="utf-8")


def test_the_page_compiles_all_sources_and_lists_them() -> None:
    assert "templates/java/{Json,Wire}.java" in block("sh")
    assert "xmage/*.java" in block("sh")
    assert all(path.is_file() for path in sources())
    listed = {name for row in cells("file") for name in re.findall(r"\w+\.java", row[0])}
    assert listed == {path.name for path in BRIDGE.glob("*.java")}


def test_faults_are_of_rulings_of_the_suite_and_as_many_as_counted() -> None:
    cases, *verdicts = (int(cell) for cell in cells("cases")[0])
    assert cases == sum(verdicts)
    _passed, failed, error, _unsupported = verdicts
    shown = 0
    for rule, _fault, where in cells("CR"):
        assert re.fullmatch(r"\d{3}\.\d+[a-z]?", rule)
        for ruling, count in re.findall(r"`([^`]+)`(?: \((\d+)\))?", where):
            assert (suite_root() / f"{ruling}.yaml").is_file()
            shown += int(count or 1)
    assert shown == failed + error


def test_it_plays_on_an_xmage(tmp_path: Path) -> None:
    home = os.environ.get("XMAGE_HOME")
    if not home:
        pytest.skip("XMAGE_HOME names no XMage to play on")
    if shutil.which("javac") is None:
        pytest.skip("there is no javac here")
    libraries = str(Path(home) / "lib" / "*")
    build = tmp_path / "bridge"
    subprocess.run(["javac", "-cp", libraries, "-d", build, *sources()], check=True, timeout=300)
    text = block("toml").replace("bridge:/opt/xmage/lib/*", f"{build}{os.pathsep}{libraries}")
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    engine = open_engine("xmage", folder=tmp_path)
    try:
        assert engine.title.startswith("xmage 1.4.61")
        results = list(run(plan(select(["flashback/exiled-whatever-happens", "face-down/manifest"])), engine))
        verdicts = [result.verdict for result in results]
        assert len(verdicts) > 20
        assert verdicts.count("pass") > 3 * len(verdicts) // 4
        assert "error" not in verdicts
        (tmp_path / "refused.yaml").write_text(REFUSED, encoding="utf-8")
        refused = [result.message for result in run(plan(select([str(tmp_path / "refused.yaml")])), engine)]
        assert refused == [
            "alice is refused: XMage does not offer to cast it; it offers: cast using flashback",
            "alice is refused: XMage does not take this target: Forest; it offers: Grizzly Bears",
        ]
    finally:
        assert engine.close() is None
