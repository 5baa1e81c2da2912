"""What the doctor finds: what works, what is missing, what is wrong, and what to do next."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from judgecall.adapters.engine import Action, Decide, Engine, Illegal, Play, View
from judgecall.adapters.process import Limits, ProcessEngine
from judgecall.harness.advice import Advice, Lack, advise
from judgecall.harness.cli import main
from judgecall.harness.doctor import Finding, doctor, examine
from judgecall.harness.engines import Opened, open_engine
from judgecall.harness.needs import needs
from judgecall.harness.suite import select
from judgecall.schema.model import Given

from tests.adapters.helpers import QUICK, STANDIN
from tests.harness.helpers import case_of
from tests.harness.toys import Toy


class Known(Toy):
    """The toy, with cards that it does not know, as an engine has."""

    known = ("Plains", "Island", "Think Twice", "Grizzly Bears")


def findings(engine: Engine) -> list[Finding]:
    return list(examine(engine))


def test_an_engine_that_is_well() -> None:
    found = findings(Known())
    assert {each.how for each in found} <= {"ok", "missing"}
    assert [each.told for each in found if each.how == "missing"] == [
        "its report leaves out token, copy, summoning_sick",
    ]


class Moves(Known):
    def __init__(self, change: str) -> None:
        super().__init__()
        self.change = change

    def view(self) -> View:
        view = super().view()
        objects = dict(view.objects)
        players = dict(view.players)
        game: Mapping[str, Any] = view.game
        first = next(iter(objects))
        alice = players["alice"]
        zones = dict(alice.zones)
        if self.change == "no handle":
            objects[first] = replace(objects[first], card=None)
        elif self.change == "zone":
            objects[first] = replace(objects[first], zone="exile")
        elif self.change == "library":
            zones["library"] = tuple(reversed(zones["library"]))
        elif self.change == "unknown id":
            zones["hand"] = (*zones["hand"], "what")
        elif self.change == "lost":
            zones["battlefield"] = ()
        elif self.change == "no zone":
            del zones["graveyard"]
        elif self.change == "no player":
            del players["bob"]
        elif self.change == "turn":
            game = {**game, "turn": 3}
        if "alice" in players:
            players["alice"] = replace(alice, zones=zones)
        return View(objects, players, view.stack, game)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("no handle", "no objects have the card 'alice.hand.0'"),
        ("zone", "alice.hand.0 is in the exile and of alice, not where it was set up"),
        ("library", "alice's library is not in its order"),
        ("unknown id", "alice's hand has 'what', which is no object's id"),
        ("lost", "alice's battlefield has not the objects that it should have"),
        ("no zone", "alice has no graveyard among the zones"),
        ("no player", "bob is not among the players"),
        ("turn", "game.turn is 3, and should be 1"),
    ],
)
def test_a_wrong_report_is_told(change: str, told: str) -> None:
    broken = [each.told for each in findings(Moves(change)) if each.how == "broken"]
    assert any(told in each for each in broken), broken


class TakesAnything(Toy):
    pass


class LeavesMarks(Known):
    def act(self, action: Action) -> None:
        if isinstance(action, Play) and action.player == "bob":
            self.state.zones["bob", "hand"].clear()
            for thing in self.state.things.values():
                if thing.zone == "hand" and thing.owner == "bob":
                    thing.zone = "exile"
            raise Illegal("not now")
        super().act(action)


class AllowsAll(Known):
    def act(self, action: Action) -> None:
        if not isinstance(action, Play):
            super().act(action)


class PassesOn(Known):
    def act(self, action: Action) -> None:
        self.state.priority = "alice"


class Crashes(Known):
    def start(self, given: Given, decide: Decide) -> None:
        raise ZeroDivisionError("oh")


@pytest.mark.parametrize(
    ("engine", "told"),
    [
        (TakesAnything, "it takes a card that there is not"),
        (LeavesMarks, "a refused action leaves its mark"),
        (AllowsAll, "bob plays a land in alice's main phase, and that is not refused"),
        (PassesOn, "alice passes, and then alice has priority in the precombat main, not bob"),
        (Crashes, "it cannot set up a state with nothing but Plains: ZeroDivisionError: oh"),
    ],
)
def test_what_is_wrong_is_told(engine: type[Toy], told: str) -> None:
    broken = [each.told for each in findings(engine()) if each.how == "broken"]
    assert any(told in each for each in broken), broken


def process(fault: str, limits: Limits = QUICK) -> ProcessEngine:
    return ProcessEngine([sys.executable, str(STANDIN), fault], limits=limits)


def test_a_process_is_talked_to() -> None:
    engine = process("StandIn", Limits(start=30, request=10))
    try:
        found = findings(engine)
    finally:
        engine.close()
    told = [each.told for each in found]
    assert told[0].startswith("it answers ping in ")
    assert told[1:3] == [
        "it answers an unknown command with unsupported",
        "it takes a reset, and ignores unknown fields",
    ]
    assert "its report is as the schema says" in told
    assert "it takes a card that there is not" in told


@pytest.mark.parametrize(
    ("fault", "how", "told"),
    [
        ("NoReset", "missing", "it does not know reset"),
        ("KnowsAnyCommand", "broken", "it answers an unknown command with done"),
        ("NoSuchCommandCrash", "broken", "an unknown command: asked to juggle, it ended (exit status 3)"),
        ("PowerInWords", "broken", "its report is not as the schema says: view.objects[0].facts.power"),
    ],
)
def test_a_process_that_is_wrong_is_told(fault: str, how: str, told: str) -> None:
    engine = process(fault, Limits(start=30, request=10))
    try:
        found = findings(engine)
    finally:
        engine.close()
    assert any(each.how == how and each.told.startswith(told) for each in found), found


def test_the_end_is_looked_at() -> None:
    out = io.StringIO()
    engine = process("TalksAfterBye")
    opened = Opened("it", engine, engine.describe(), None)
    assert not doctor(select(["flashback/timing"]), opened, out)
    assert "broken   in the end: it wrote more after its farewell" in out.getvalue()


# --- the whole


CASES = """
ruling: t/doctor
cases:
  - case: passes
    given: {alice: {battlefield: [Plains]}}
    when: [{pass: alice}]
    then: {Plains: {zone: battlefield}}
  - case: fails
    given: {alice: {battlefield: [Plains]}}
    then: {Plains: {zone: exile}}
  - case: bears-and-more
    given: {alice: {battlefield: [Grizzly Bears, Hill Giant]}}
    then: {}
  - case: giant
    given: {alice: {battlefield: [Hill Giant]}}
    then: {}
  - case: giant-again
    given: {alice: {battlefield: [Hill Giant]}}
    then: {}
  - case: token
    given: {alice: {battlefield: [{token: Treasure}]}}
    then: {}
"""


class Poor(Toy):
    known = ("Plains", "Island")
    name = "poor"


def test_what_to_do_next_comes_in_the_order_in_which_it_pays(tmp_path: Path) -> None:
    (tmp_path / "cases.yaml").write_text(CASES)
    out = io.StringIO()
    engine = Poor()
    sound = doctor(select([str(tmp_path)]), Opened("poor", engine, engine.describe(), None), out)
    text = out.getvalue()
    assert not sound
    assert text.startswith("poor 1\n")
    assert "cards: it knows 1 of the 3 that the cases list" in text
    assert "tokens: it knows 0 of the 1 that the cases list" in text
    assert "cases: 6 cases: 1 passed, 1 failed, 4 unsupported; incomplete" in text
    assert "fail: t/doctor::fails: Plains: zone: expected exile, got battlefield" in text
    assert text.index("first, what is wrong:") < text.index("then, what to add")
    assert [line.strip() for line in text.splitlines() if line.strip()[:2] in ("1.", "2.", "3.")] == [
        "1. card Hill Giant: opens 2 cases, 3 need it",
        "2. token Treasure: opens 1 case, 1 needs it",
        "3. card Grizzly Bears: opens 1 case, 1 needs it",
    ]


def test_the_oracle_is_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "flashback/timing"]) == 0
    told = capsys.readouterr().out
    assert "broken" not in told
    assert "missing" not in told
    assert "what to add" not in told


def test_an_engine_that_does_not_start_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--engine=cmd:no-such-command"]) == 1
    assert "there is no command 'no-such-command'" in capsys.readouterr().out


def test_advice_counts_what_opens_when_what_comes_before_is_there() -> None:
    def lack(*names: str) -> Lack:
        found = frozenset(("card", name) for name in names)
        return Lack(found, ("card", names[0]))

    cases = [lack("a", "b"), lack("a", "b"), lack("a", "b"), lack("c")]
    # Nobody said that b is missing, so with a three cases would open.
    assert advise(cases) == [Advice(("card", "a"), 3, 3), Advice(("card", "c"), 1, 1)]
    assert advise(cases, [("card", "b")]) == [
        Advice(("card", "c"), 1, 1),
        Advice(("card", "b"), 0, 3),
        Advice(("card", "a"), 3, 3),
    ]
    assert advise(cases, unseen=[("card", "b")])[1] == Advice(("card", "b"), 0, 3, said=False)
    assert [str(each) for each in advise(cases, unseen=[("card", "b")])] == [
        "card c: opens 1 case, 1 needs it",
        "card b: opens none alone, 3 need it (not seen to work yet)",
        "card a: opens 3 cases, 3 need it",
    ]
    assert len(advise(cases, limit=1)) == 1


def test_what_a_case_needs() -> None:
    case = case_of(
        """
        given:
          step: upkeep
          alice:
            battlefield: [{card: Clone, copy_of: Grizzly Bears, tapped: yes}, {token: Treasure}]
            library: [Forest]
          bob: {library: [Forest], hand: [Opt]}
        when:
          - {cast: Opt, using: [flashback, {escape: "{1}"}], by: bob, kicked: 1, choices: [{by: bob, may: yes}]}
          - {resolve: all}
          - check: {Clone: {has: flying}, game: {turn: 1}}
        then:
          bob: {life: 20, hand: []}
          Clone: {zone: battlefield, power: 2}
          illegal: [{activate: Clone, ability: 1}]
        """
    )
    assert needs(case) == {
        ("state", "step"),
        ("state", "tapped"),
        ("state", "copy_of"),
        ("card", "Clone"),
        ("card", "Grizzly Bears"),
        ("card", "Forest"),
        ("card", "Opt"),
        ("token", "Treasure"),
        ("action", "cast"),
        ("action", "pass"),
        ("action", "activate"),
        ("action", "using flashback"),
        ("action", "using escape"),
        ("action", "kicked"),
        ("question", "may"),
        ("property", "keywords"),
        ("property", "turn"),
        ("property", "life"),
        ("property", "power"),
    }


def test_open_engine_is_what_the_doctor_is_given(tmp_path: Path) -> None:
    opened = open_engine("py:tests.harness.test_doctor:Poor", folder=tmp_path)
    assert opened.close() is None
