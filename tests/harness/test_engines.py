"""Which engine a name means."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from judgecall.harness.engines import EngineProblem, available, open_engine


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A project with an engine of its own; what it puts on the path is taken off again."""
    before = list(sys.path)
    (tmp_path / "own_engine.py").write_text(
        dedent(
            """
            from tests.harness.toys import Strict, Toy
            class Own(Toy):
                name = "own"
            class Named(Toy):
                def __init__(self, name):
                    super().__init__()
                    self.name = name
            class Nested:
                Inner = Own
            class Failing(Toy):
                def __init__(self):
                    raise OSError("no such file")
            class Nameless(Toy):
                def describe(self):
                    raise OSError("who knows")
            nothing = 3
            def not_an_engine():
                return 3
            """
        )
    )
    (tmp_path / "bad_engine.py").write_text("import no_such_module_anywhere\n")
    (tmp_path / "pyproject.toml").write_text(
        dedent(
            """
            [tool.judgecall.engines]
            mine = "own_engine:Own"
            prefixed = "py:own_engine:Own"
            far = "cmd:no-such-command --fast"
            number = 7

            [tool.judgecall.engines.table]
            class = "own_engine:Own"

            [tool.judgecall.engines.named]
            class = "own_engine:Named"
            arguments = {name = "called so"}
            """
        )
    )
    yield tmp_path
    sys.path[:] = before
    sys.modules.pop("own_engine", None)


def test_a_python_class_by_its_path(folder: Path) -> None:
    opened = open_engine("py:tests.harness.toys:Forgetful", folder=folder)
    assert opened.title == "forgetful 1"
    assert open_engine("py:own_engine:Own", folder=folder).title == "own 1"
    assert open_engine("py:own_engine:Nested.Inner", folder=folder).title == "own 1"


@pytest.mark.parametrize("name", ["mine", "prefixed", "table"])
@pytest.mark.parametrize("below", [False, True])
def test_a_name_of_the_caller_s_pyproject(folder: Path, name: str, below: bool) -> None:
    place = folder / "deep" / "er" if below else folder
    place.mkdir(parents=True, exist_ok=True)
    assert open_engine(name, folder=place).title == "own 1"


def test_a_class_with_arguments(folder: Path) -> None:
    assert open_engine("named", folder=folder).title == "called so 1"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "nobody",
            "there is no engine 'nobody'; there are: far, mine, named, number, oracle, prefixed",
        ),
        ("cmd:no-such-command", "there is no command 'no-such-command' on the PATH"),
        ("cmd:", "there is no command after 'cmd:'"),
        ("cmd:'x", "is no command: No closing quotation"),
        ("far", "there is no command 'no-such-command' on the PATH"),
        ("number", "gives 7; expected 'module:Class', 'cmd:…' or a table"),
        ("py:own_engine", "expected module:Class, not 'own_engine'"),
        ("py:own_engine:Missing", "cannot be imported: AttributeError"),
        (
            "py:no_engine_here:Own",
            "cannot be imported: ModuleNotFoundError: No module named 'no_engine_here'",
        ),
        (
            "py:bad_engine:Own",
            "cannot be imported: ModuleNotFoundError: No module named 'no_such_module_anywhere'",
        ),
        ("py:own_engine:Failing", "cannot be started: OSError: no such file"),
        ("py:own_engine:Nameless", "does not say what it is: OSError: who knows"),
        ("py:own_engine:nothing", "cannot be called"),
        ("py:own_engine:not_an_engine", "int is no judgecall.adapters.engine.Engine"),
    ],
)
def test_what_is_no_engine_is_told(folder: Path, name: str, message: str) -> None:
    with pytest.raises(EngineProblem) as caught:
        open_engine(name, folder=folder)
    assert message in str(caught.value)


def test_an_entry_point_comes_before_a_name_of_pyproject(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint

    from judgecall.harness import engines

    entries = [EntryPoint("mine", "tests.harness.toys:Forgetful", engines.GROUP)]
    monkeypatch.setattr(engines, "entry_points", lambda group: entries if group == engines.GROUP else [])
    assert open_engine("mine", folder=folder).title == "forgetful 1"
    assert available(folder) == ["far", "mine", "named", "number", "prefixed", "table"]


def test_a_broken_entry_point_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint

    from judgecall.harness import engines

    monkeypatch.setattr(engines, "entry_points", lambda group: [EntryPoint("lost", "no_module_x:Y", group)])
    with pytest.raises(EngineProblem, match=r"engine 'lost' \(no_module_x:Y\) cannot be imported"):
        open_engine("lost", folder=folder)


def test_a_fault_is_used(folder: Path) -> None:
    opened = open_engine("py:tests.harness.toys:Strict", "forgets flashback", folder)
    assert opened.title == "toy 1 with fault forgets flashback"
    assert opened.engine.fault == "forgets flashback"  # type: ignore[attr-defined]


def test_an_unknown_fault_is_told(folder: Path) -> None:
    with pytest.raises(EngineProblem, match="has no fault 'x'; there are: forgets flashback"):
        open_engine("py:tests.harness.toys:Strict", "x", folder)
    with pytest.raises(EngineProblem, match="has no faults to break it with"):
        open_engine("mine", "forgets flashback", folder)


def test_a_pyproject_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool\n")
    with pytest.raises(EngineProblem, match=r"pyproject\.toml cannot be read"):
        open_engine("mine", folder=tmp_path)


def test_a_folder_without_pyproject_has_the_installed_engines(tmp_path: Path) -> None:
    assert "oracle" in available(tmp_path)
