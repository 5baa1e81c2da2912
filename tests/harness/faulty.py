"""Engines with faults that do something, and one that does nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from judgecall.adapters.engine import Decide, Description
from judgecall.schema.model import Given

from tests.harness.toys import Strict


class Faulty(Strict):
    """Has three faults, one of which does nothing."""

    name = "faulty"
    generous = False

    def describe(self) -> Description:
        faults = {
            "forgets flashback": "702.34a: It forgets flashback.",
            "gives life": "103.4: Everybody has thirty life.",
            "is harmless": "100.1: Nothing is wrong.",
        }
        return replace(super().describe(), faults=faults)

    def start(self, given: Given, decide: Decide) -> None:
        super().start(given, decide)
        if self.generous:
            self.state.life = dict.fromkeys(self.state.life, 30)

    def use_fault(self, name: str) -> None:
        self.generous = name == "gives life"
        if name == "forgets flashback":
            super().use_fault(name)


class Knowing(Faulty):
    """Says that only one of its faults can have any effect."""

    def faults_near(self, play: Callable[[], str]) -> Mapping[str, str | None] | None:
        assert play() == "pass"
        return {"gives life": None}


class Certain(Faulty):
    """Says what each fault alone leads to, so that it need not be played with any."""

    def faults_near(self, play: Callable[[], str]) -> Mapping[str, str | None] | None:
        return {"gives life": "fail", "forgets flashback": "error"}

    def use_fault(self, name: str) -> None:
        raise AssertionError(f"played with {name}")
