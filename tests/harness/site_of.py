"""A site of the small suite with engines of every kind, one of them with a hostile name, and its pages."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

from judgecall.harness.matrix import FaultRow, IdleCase, Matrix
from judgecall.harness.report import build
from judgecall.harness.results import Results, read_results, selection_of, write_results
from judgecall.harness.verdicts import CaseResult, Mismatch, TraceEntry

from tests.harness.small_suite import GOOD, MUTE, WRONG, run

HOSTILE = '<script>document.title="owned"</script>\u202e"&\'{{ 7*7 }}</title><img src=x onerror=alert(1)>\x00\x1b'
BLOCKS = {"td", "th", "li", "p", "h1", "h2", "h3", "dt", "dd", "pre", "section"}
VOID = {"meta", "link", "input", "br", "img", "hr"}


def hostile(results: Results) -> Results:
    """Results of an engine all of whose texts would like to be markup."""
    cases = tuple(
        replace(
            case,
            verdict="fail",
            message=HOSTILE,
            title=HOSTILE,
            steps=(HOSTILE,),
            step=1,
            board=f"{HOSTILE}\ud800",
            mismatches=(Mismatch(HOSTILE, HOSTILE, HOSTILE),) if "cast" in case.case else (),
            known=(HOSTILE, HOSTILE),
            trace=(TraceEntry(1, HOSTILE, (HOSTILE, "702.34a")),),
        )
        for case in results.cases
    )
    strays = (
        CaseResult(f"../../../{HOSTILE}::{HOSTILE}", "error", HOSTILE, title=HOSTILE),
        CaseResult("flash/exiled::not-of-the-suite", "pass"),
        CaseResult("no-ruling", "unsupported", "x"),
    )
    engine = replace(results.header.engine, name=HOSTILE, version=HOSTILE, adapter=HOSTILE, language=HOSTILE)
    header = replace(results.header, engine=engine, suite_digest="sha256:" + "0" * 64, suite_version=HOSTILE)
    return replace(results, header=header, cases=(*cases, *strays))


def make_site(folder: Path) -> Path:
    """Play the small suite on the good, the wrong and the mute engine, and build the site of them."""
    run(GOOD, "good.jsonl", "--trace")
    run(WRONG, "wrong.jsonl")
    run(MUTE, "mute.jsonl")
    good, wrong, mute = (read_results(f"{name}.jsonl") for name in ("good", "wrong", "mute"))
    # What the wrong engine was before: right in one thing more, and worse in another.
    cases = tuple(_older(case) for case in wrong.cases if "three" not in case.case)
    selection = selection_of((case.case, case.digest) for case in cases)
    older = replace(wrong, header=replace(wrong.header, selection=selection), cases=cases)
    write_results("older.jsonl", older.header, older.cases, "2026-01-01T00:00:00Z")
    build([good, wrong, mute, hostile(good)], folder, older=[older], matrix=matrix(), trace=False)
    return folder


def matrix() -> Matrix:
    """A matrix with a fault that a case catches, one that nothing catches, and one with a hostile name."""
    caught = ("flash/exiled::exiled", f"../../../{HOSTILE}::{HOSTILE}", "other/life::three", "other/life::twenty")
    faults = (
        FaultRow("forgets-flashback", "702.34a", "It forgets flashback.", caught[:1]),
        FaultRow("never-caught", "601.2", "It does nothing.", ()),
        FaultRow(HOSTILE, HOSTILE, HOSTILE, caught),
    )
    idle = (IdleCase("flash/exiled::cast", "It only casts."), IdleCase(f"{HOSTILE}::x", None))
    return Matrix(HOSTILE, "sha256:" + "0" * 64, HOSTILE, 4, faults, idle)


def _older(case: CaseResult) -> CaseResult:
    if case.case.endswith("::exiled"):
        return replace(case, verdict="pass", message="")
    if case.case.endswith("::twenty"):
        return replace(case, verdict="error", message="crashed")
    return case


class Page(HTMLParser):
    """What tests look at of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.path = path
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(path.read_text(encoding="utf-8"))
        assert self.open == [], f"{path}: {self.open} is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag in BLOCKS:
            self.text += " "
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            self.attributes.append((tag, name, value or ""))
            if name == "id":
                self.ids.append(value or "")
            elif name in ("href", "src"):
                self.links.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"{self.path}: </{tag}> closes nothing"
        assert self.open.pop() == tag, f"{self.path}: </{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        self.text += data
