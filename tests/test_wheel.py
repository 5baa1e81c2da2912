"""The wheel holds what the folders hold: whoever adds a folder or a kind of file need not think of it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("adapters", "cases", "harness", "oracle", "schema", "src")
BUILT = shutil.ignore_patterns("__pycache__", "*.pyc", ".*", "node_modules", "target")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository without what has been built in it: a build takes up what lies there from an earlier one."""
    folder = tmp_path_factory.mktemp("source")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=BUILT)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "NOTICE.md"):
        shutil.copy(ROOT / name, folder)
    return folder


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of the wheel's files."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(source)],
        check=True,
        capture_output=True,
    )
    (made,) = folder.glob("*.whl")
    with zipfile.ZipFile(made) as file:
        return {name for name in file.namelist() if ".dist-info/" not in name}


def test_all_files_are_in_it(source: Path, wheel: set[str]) -> None:
    wanted = set()
    for name in FOLDERS:
        for path in (source / name).rglob("*"):
            if path.is_file():
                inside = path.relative_to(source / name).as_posix()
                wanted.add(f"judgecall/{inside}" if name == "src" else f"judgecall/{name}/{inside}")
    assert wanted - wheel == set(), "a kind of file that package-data in pyproject.toml does not name"
    assert wheel - wanted == set()
