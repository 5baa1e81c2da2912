"""Short ways to a case and its verdict."""

from __future__ import annotations

from textwrap import dedent, indent

from judgecall.adapters.engine import Engine
from judgecall.harness.play import play
from judgecall.harness.verdicts import CaseResult
from judgecall.schema.loader import load_text
from judgecall.schema.model import Case


def case_of(body: str) -> Case:
    """A case from the YAML of its ``given``, ``when`` and ``then``."""
    text = 'ruling: tests/one\nrules: ["702.34a"]\ncases:\n  - case: it\n    title: A title\n'
    return load_text(text + indent(dedent(body).strip("\n"), "    ") + "\n", "one.yaml").cases[0]


def verdict(body: str, engine: Engine) -> CaseResult:
    """What a case against an engine comes to."""
    return play(case_of(body), engine)
