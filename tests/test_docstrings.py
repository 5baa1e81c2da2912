"""Examples in docstrings run. Modules are imported by their names, since one that is loaded twice is two modules."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import judgecall.adapters
import judgecall.harness
import judgecall.oracle
import judgecall.schema
import pytest


def names() -> Iterator[str]:
    """All modules of ours, save what runs when it is imported."""
    for package in (judgecall.adapters, judgecall.harness, judgecall.oracle, judgecall.schema):
        yield package.__name__
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not info.name.endswith("__main__"):
                yield info.name


WITH_EXAMPLES = [
    name
    for name in names()
    if (spec := importlib.util.find_spec(name)) is not None
    and spec.origin is not None
    and ">>> " in Path(spec.origin).read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples(name: str) -> None:
    failed, attempted = doctest.testmod(importlib.import_module(name))
    assert attempted
    assert not failed


def test_there_are_examples() -> None:
    assert {"judgecall.oracle.cards.loader", "judgecall.oracle.vocabulary.grammar"} <= set(WITH_EXAMPLES)
