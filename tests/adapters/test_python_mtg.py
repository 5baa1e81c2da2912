"""The adapter of python-mtg, where that is installed: states go in and come out, and what it cannot do is said."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from judgecall.adapters.engine import Engine, Unsupported
from judgecall.harness.engines import EngineProblem, open_engine
from judgecall.harness.play import play
from judgecall.harness.suite import load, select
from judgecall.harness.verdicts import CaseResult
from judgecall.schema.loader import load_text

ROOT = Path(__file__).parent.parent.parent
PATH = "judgecall.adapters.python_mtg.adapter:PythonMtg"

installed = pytest.mark.skipif(
    find_spec("mtg") is None, reason="python-mtg is not installed: pip install 'judgecall[python-mtg]'"
)


def test_it_is_registered_and_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["judgecall.engines"]["python-mtg"] == PATH
    assert project["optional-dependencies"]["python-mtg"]
    for name in [name for name in sys.modules if name.startswith(("mtg.", "judgecall.adapters.python_mtg"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mtg", None)
    with pytest.raises(EngineProblem, match=r"python-mtg is not installed: pip install 'judgecall\[python-mtg\]'"):
        open_engine(f"py:{PATH}")


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """The engine: one for all cases, since each begins with a state of its own."""
    opened = open_engine(f"py:{PATH}")
    yield opened.engine
    opened.close()


def played(engine: Engine, text: str) -> CaseResult:
    """What one case comes to, of which the text is all below its name."""
    lines = "\n".join(f"    {line}" for line in text.strip("\n").splitlines())
    (case,) = load_text(f"ruling: tests/mtg\ncases:\n  - case: one\n{lines}", "one.yaml").cases
    return play(case, engine)


PASSING = {
    "a state is read back as it was built": """
given:
  turn: 3
  alice:
    life: 7
    mana: "{U}{U}{R}"
    counters: {poison: 2}
    hand: [Divination, Island]
    graveyard: [Think Twice, Opt]
    exile: [Murder]
    library: [Swamp, Forest, Island]
    battlefield:
      - {card: Grizzly Bears, tapped: true, counters: {"+1/+1": 2}}
      - {card: Bonesplitter, attached_to: Grizzly Bears}
      - {card: Hill Giant, summoning_sick: true}
  bob: {graveyard: [Shock], battlefield: [2 Island]}
when: [{resolve: all}]
then:
  alice:
    {life: 7, mana: "{R}{U}{U}", counters: {poison: 2}, library: [Swamp, Forest, Island], exile: [Murder],
     graveyard: [Think Twice, Opt], hand: [Divination, Island]}
  bob: {life: 20, graveyard: [Shock], library: [10 Plains], battlefield: [2 Island]}
  Grizzly Bears:
    {tapped: yes, counters: {"+1/+1": 2}, power: 6, toughness: 4, types: [Creature], subtypes: [Bear],
     colors: [green], mana_value: 2, controller: alice, owner: alice, attachments: [Bonesplitter]}
  Bonesplitter: {attached_to: Grizzly Bears, types: [Artifact], tapped: no}
  Hill Giant: {summoning_sick: yes}
  game: {turn: 3, active: alice, step: precombat main, priority: alice, over: no}
""",
    "a spell waits on the stack, paid for, until both have passed": """
given: {alice: {hand: [Divination], battlefield: [3 Island]}}
when:
  - {cast: Divination}
  - check:
      Divination: {zone: stack}
      Island#1: {tapped: yes}
      stack: [Divination]
      game: {priority: alice}
      alice: {hand: [], library_size: 10}
  - {pass: alice}
  - check: {Divination: {zone: stack}, game: {priority: bob}}
  - {pass: bob}
then:
  Divination: {zone: graveyard}
  stack: []
  game: {step: precombat main, priority: alice}
  alice: {hand: [2 Plains], library_size: 8}
""",
    "targets are those that the case names": """
given:
  alice: {hand: [Murder], battlefield: [3 Swamp]}
  bob: {battlefield: [Hill Giant, Grizzly Bears]}
when: [{cast: Murder, targets: [Grizzly Bears]}, {resolve: all}]
then: {Grizzly Bears: {zone: graveyard}, Hill Giant: {zone: battlefield}}
""",
    "what it refuses is illegal": """
given:
  alice: {hand: [Divination, Murder, Grizzly Bears], battlefield: [2 Island, 3 Swamp, Goblin Piker]}
  bob: {battlefield: [Darksteel Citadel]}
when: [{resolve: all}]
then:
  legal: [{cast: Divination}, {cast: Murder, targets: [Goblin Piker]}]
  illegal: [{cast: Grizzly Bears}, {cast: Murder, targets: [Darksteel Citadel]}]
""",
    "one land a turn": """
given: {alice: {hand: [Island, Swamp]}}
when: [{play: Island}]
then:
  Island: {zone: battlefield}
  illegal: [{play: Swamp}]
""",
    "an ability is paid for, and does something when it resolves": """
given: {alice: {battlefield: [Fountain of Youth, 2 Island]}}
when:
  - {activate: Fountain of Youth}
  - check:
      Fountain of Youth: {tapped: yes}
      Island#2: {tapped: yes}
      alice: {life: 20}
      stack: [ability of Fountain of Youth]
  - resolve: top
then: {alice: {life: 21}}
""",
    "abilities that trigger wait on the stack, each by itself": """
given: {alice: {hand: [Savannah Sage], battlefield: [2 Plains]}}
when: [{cast: Savannah Sage}, {resolve: top}, {resolve: top}]
then: {Savannah Sage: {zone: battlefield}, alice: {life: 22}, stack: []}
""",
    "an ability of a step is on the stack in it": """
given: {alice: {battlefield: [Nyx-Fleece Ram]}}
when: [{advance: upkeep, of: alice}, {resolve: top}]
then: {alice: {life: 21, library_size: 10}, stack: [], game: {step: upkeep, active: alice, priority: alice}}
""",
    "a card is drawn by the time that there is priority in the draw step": """
given: {bob: {library: [Swamp, Island]}}
when: [{advance: draw, of: bob}]
then: {bob: {hand: [Swamp], library: [Island]}, game: {active: bob, step: draw, turn: 2, priority: bob}}
""",
    "attack, block and damage, step by step": """
given: {alice: {battlefield: [Hill Giant, Gray Ogre]}, bob: {battlefield: [Grizzly Bears]}}
when:
  - {attack: [Hill Giant, Gray Ogre]}
  - check: {Hill Giant: {attacking: bob}, game: {step: declare attackers, priority: alice}}
  - {block: {Grizzly Bears: Hill Giant}}
  - check: {Grizzly Bears: {blocking: Hill Giant, zone: battlefield}, game: {step: declare blockers}, bob: {life: 20}}
  - {advance: combat damage}
then: {bob: {life: 18, graveyard: [Grizzly Bears]}, Hill Giant: {zone: battlefield}, game: {step: combat damage}}
""",
    "a declaration that it does not offer is illegal": """
given:
  alice: {battlefield: [{card: Hill Giant, summoning_sick: true}, Suntail Hawk]}
  bob: {battlefield: [Grizzly Bears]}
when: [{attack: [Suntail Hawk]}]
then: {illegal: [{block: {Grizzly Bears: Suntail Hawk}}]}
""",
    "flashback that something grants": """
given: {alice: {hand: [Snapcaster Mage], graveyard: [Divination], battlefield: [5 Island]}}
when:
  - {cast: Snapcaster Mage}
  - {resolve: all, choices: [{targets: [Divination]}]}
  - {cast: Divination, using: flashback}
  - resolve: all
then: {Divination: {zone: exile}, alice: {hand: [2 Plains]}}
""",
    "an Aura of control has its controller control": """
given: {alice: {battlefield: [Grizzly Bears]}, bob: {battlefield: [{card: Control Magic, attached_to: Grizzly Bears}]}}
when: [{resolve: all}]
then: {Grizzly Bears: {controller: bob, owner: alice}, bob: {count: {battlefield: {Grizzly Bears: 1}}}}
""",
}


@installed
@pytest.mark.parametrize("name", PASSING)
def test_plays(engine: Engine, name: str) -> None:
    result = played(engine, PASSING[name])
    assert (result.verdict, result.message) == ("pass", "")


UNSUPPORTED: dict[str, tuple[tuple[str, str], str]] = {
    "a card of which it drops a clause": (("card", "Trinisphere"), "given: {alice: {battlefield: [Trinisphere]}}"),
    "a card with a keyword that nothing acts on": (
        ("card", "Young Wolf"),
        "given: {alice: {battlefield: [Young Wolf]}}",
    ),
    "a third player": (("state", "players"), "given: {alice: {}, bob: {}, carol: {}}"),
    "marked damage": (("state", "damage"), "given: {alice: {battlefield: [{card: Hill Giant, damage: 1}]}}"),
    "an answer to a spell": (
        ("action", "respond"),
        "given: {alice: {hand: [2 Divination], battlefield: [6 Island]}}\n"
        "when: [{cast: Divination#1}, {cast: Divination#2}]",
    ),
    "an action of another player": (
        ("action", "act in another player's turn"),
        "given: {bob: {hand: [Reach Through Mists], battlefield: [Island]}}\n"
        "when: [{cast: Reach Through Mists, by: bob}]",
    ),
    "printed flashback": (
        ("action", "cast using flashback"),
        "given: {alice: {graveyard: [Think Twice], battlefield: [3 Island]}}\n"
        "when: [{cast: Think Twice, using: flashback}]",
    ),
    "a target that it chooses itself": (
        ("question", "targets"),
        "given: {alice: {hand: [Shock], battlefield: [Mountain]}}\nwhen: [{cast: Shock, targets: [bob]}]",
    ),
    "cards that it sorts itself": (
        ("question", "scry"),
        "given: {alice: {hand: [Opt], battlefield: [Island]}}\nwhen: [{cast: Opt}]",
    ),
    "several blockers for one attacker": (
        ("action", "block with several creatures"),
        "given: {alice: {battlefield: [Hill Giant]}, bob: {battlefield: [2 Grizzly Bears]}}\n"
        "when: [{attack: [Hill Giant]}, {block: {Grizzly Bears#1: Hill Giant, Grizzly Bears#2: Hill Giant}}]",
    ),
    "combat of a creature with trample": (
        ("action", "combat with trample"),
        "given: {alice: {battlefield: [War Mammoth]}}\nwhen: [{attack: [War Mammoth]}]",
    ),
    "a look at what a triggered ability has not done yet": (
        ("property", "anything, while a triggered ability waits"),
        "given: {alice: {hand: [Savannah Sage], battlefield: [2 Plains]}}\n"
        "when: [{cast: Savannah Sage}, {resolve: top}]",
    ),
    "the name of a token": (
        ("property", "name of a token"),
        "given: {alice: {hand: [Call of the Herd], battlefield: [3 Forest]}}\n"
        "when: [{cast: Call of the Herd}, {resolve: all}]",
    ),
    "a face-down creature with ward": (
        ("state", "face_down"),
        "given: {alice: {battlefield: [{card: Grizzly Bears, face_down: cloak}]}}",
    ),
}


@installed
@pytest.mark.parametrize("name", UNSUPPORTED)
def test_says_what_it_cannot_do(engine: Engine, name: str) -> None:
    wanted, text = UNSUPPORTED[name]
    result = played(
        engine, f"{text}\n{'' if 'when:' in text else 'when: [{resolve: all}]'}\nthen: {{alice: {{life: 20}}}}"
    )
    assert (result.verdict, result.unsupported) == ("unsupported", wanted)


@installed
@pytest.mark.parametrize(
    ("mana", "step", "offered"),
    [
        (3, "{cast: Hill Giant}", "; it offers: play Forest, cast Giant Growth, cast Grizzly Bears"),
        (0, "{cast: Hill Giant}", "; it offers: play Forest"),
        (3, "{play: one}\n  - {play: two}", "; it offers: cast Giant Growth, cast Grizzly Bears"),
    ],
)
def test_tells_what_is_offered_instead(engine: Engine, mana: int, step: str, offered: str) -> None:
    hand = "[Hill Giant, Giant Growth, Grizzly Bears, {card: Forest, as: one}, {card: Forest, as: two}]"
    lands = f"[{mana} Forest]" if mana else "[]"
    result = played(
        engine,
        f"""
given: {{alice: {{hand: {hand}, battlefield: {lands}}}}}
when:
  - {step}
""",
    )
    assert result.verdict == "fail"
    assert result.message == f"alice is refused: the engine does not offer it{offered}"


@installed
def test_the_order_of_triggers_is_its_own(engine: Engine) -> None:
    given = """
given: {{alice: {{hand: [Savannah Sage], battlefield: [2 Plains, Soul Warden]}}}}
when:
  - {{cast: Savannah Sage}}
  - {{resolve: all, choices: [{{order: [{first}, {second}]}}]}}
then: {{alice: {{life: 23}}}}
"""
    abilities = ("ability of Savannah Sage", "ability of Soul Warden")
    verdicts = {
        played(engine, given.format(first=first, second=second)).verdict
        for first, second in (abilities, abilities[::-1])
    }
    assert verdicts == {"pass", "unsupported"}


@installed
def test_the_referee_is_as_it_was_after_a_move() -> None:
    from judgecall.adapters.python_mtg import referee
    from mtg import driver
    from mtg.engine import env

    names = ("_apply_effects", "_apply_damage", "_cast_instant_response", "_reanimate_one", "_resolve_stack")
    before = [getattr(driver, name) for name in names], env._advance_to_decision

    class Watcher:
        def choose(self, state: Any, key: str, options: Any, default: Any) -> Any:
            return default

    with pytest.raises(KeyError):
        referee.make({}, ("pass",), Watcher())  # type: ignore[arg-type]
    assert ([getattr(driver, name) for name in names], env._advance_to_decision) == before


@installed
def test_tells_what_it_knows(engine: Engine) -> None:
    assert engine.supports("card", ["Grizzly Bears", "Trinisphere", "No Such Card"]) == frozenset({"Grizzly Bears"})
    assert engine.supports("property", ["power", "damage"]) == frozenset({"power"})
    assert engine.supports("state", ["tapped", "damage"]) == frozenset({"tapped"})
    assert engine.supports("action", ["cast", "concede"]) == frozenset({"cast"})
    with pytest.raises(Unsupported, match="action: concede"):
        engine.concede("alice")  # type: ignore[attr-defined]


PAGE = (ROOT / "adapters" / "python_mtg" / "README.md").read_text(encoding="utf-8")


@installed
@pytest.mark.parametrize("case", sorted(set(re.findall(r"`([\w./-]+::[\w-]+)`", PAGE))))
def test_what_the_page_says_of_the_engine_is_so(engine: Engine, case: str) -> None:
    (found,) = (each for loaded in load(select([case])) for each in loaded.cases)
    assert play(found, engine).verdict == "fail"


@installed
def test_the_page_s_own_case_fails(engine: Engine) -> None:
    (block,) = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (case,) = load_text(block, "page.yaml").cases
    result = play(case, engine)
    assert (result.verdict, [each.subject for each in result.mismatches]) == ("fail", ["alice: hand"])
