"""The command that lists what an engine can break on purpose."""

from __future__ import annotations

import json

import pytest
from judgecall.harness.cli import main


def test_faults_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["faults", "--engine=py:tests.harness.toys:Forgetful"]) == 0
    assert capsys.readouterr().out == "forgets flashback  702.34a\n"


def test_faults_of_the_oracle(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["faults", "--json"]) == 0
    faults = json.loads(capsys.readouterr().out)
    assert list(faults) == sorted(faults)
    assert faults["flashback-by-anyone"].startswith("702.34a: ")


def test_an_unknown_engine_has_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["faults", "--engine=nobody"]) == 4
    assert "nobody" in capsys.readouterr().err
