"""``judgecall doctor``: talk to an engine, and tell its author what works, what is missing and what to do next."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TextIO

from judgecall.adapters.engine import Engine, Illegal, Internal, Pass, Play, Question, Unsupported, View
from judgecall.adapters.process import ProcessEngine
from judgecall.harness.advice import Lack, advise
from judgecall.harness.engines import Opened
from judgecall.harness.needs import Need, needs
from judgecall.harness.runner import Planned, Tally, plan, run
from judgecall.harness.side_by_side import RunEnded
from judgecall.harness.suite import Selected
from judgecall.harness.verdicts import CaseResult
from judgecall.schema.model import Given, ObjectGiven, PlayerGiven
from judgecall.schema.protocol_schemas import message_problem

__all__ = ["BROKEN", "Finding", "doctor", "examine"]

OK, MISSING, BROKEN, NOTE = "ok", "missing", "broken", "note"

UNIVERSAL = (
    "controller",
    "tapped",
    "types",
    "supertypes",
    "subtypes",
    "colors",
    "mana_cost",
    "mana_value",
    "counters",
    "damage",
    "keywords",
    "face_down",
    "token",
    "copy",
    "summoning_sick",
)
"""What can be said of every permanent."""

NOWHERE = "No Such Card As This"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. ``how``: ``ok``, ``missing``, ``broken``, ``note``."""

    how: str
    told: str
    hint: str = ""

    def __str__(self) -> str:
        return f"  {self.how:<8} {self.told}" + (f"\n           {self.hint}" if self.hint else "")


def doctor(selected: Sequence[Selected], opened: Opened, out: TextIO, top: int = 20) -> bool:
    """Examine an engine and play cases on it; gives whether nothing was found to be wrong.

    What the engine does not know is not wrong.
    """
    said = opened.description
    made_of = ", ".join(filter(None, (f"{said.adapter} {said.adapter_version}".strip(), said.language)))
    print(f"{opened.title}" + (f" ({made_of})" if made_of else ""), file=out)
    sound = True
    for finding in examine(opened.engine):
        print(finding, file=out, flush=True)
        sound = sound and finding.how != BROKEN
    planned = plan(selected)
    known = _knows(opened.engine, planned, _facts_shown(opened.engine), out)
    results = _played(planned, opened, out)
    _tell(results, planned, known, opened, out, top)
    wrong = opened.close()
    if wrong is not None:
        print(Finding(BROKEN, f"in the end: {wrong}", "answer bye, write nothing more, and end"), file=out)
    verdicts = {result.verdict for result in results if result.counts}
    return sound and wrong is None and not verdicts & {"fail", "error", "invalid"}


# --- looking at the engine


def examine(engine: Engine) -> Iterator[Finding]:
    """Look at one thing after another, up to the first without which the next ones make no sense."""
    if isinstance(engine, ProcessEngine):
        yield from _talk(engine)
    state = _state()
    try:
        engine.new_case()
        engine.start(state, _no_answer)
    except Unsupported as lacking:
        yield _lacks_state(lacking)
        return
    except Exception as error:
        yield Finding(BROKEN, f"it cannot set up a state with nothing but Plains: {_told(error)}")
        return
    yield Finding(OK, "it sets up a state with nothing but Plains")
    yield from _unknown_card(engine)
    try:
        engine.start(state, _no_answer)
        view = engine.view()
    except Unsupported as lacking:
        yield Finding(MISSING, f"it reports nothing ({lacking})", "next: observe, the whole game as one sees it")
        return
    except Exception as error:
        yield Finding(BROKEN, f"its report cannot be read: {_told(error)}")
        return
    wrong = list(_wrong_view(state, view))
    for told in wrong:
        yield Finding(BROKEN, f"its report: {told}")
    if not wrong:
        yield Finding(OK, "it reports the state as it was set up")
    if isinstance(engine, ProcessEngine):
        yield from _by_schema(engine)
    yield from _facts(view)
    yield from _acts(engine, state)


def _talk(engine: ProcessEngine) -> Iterator[Finding]:
    """What only a process can get wrong."""
    try:
        taken = []
        for _ in range(50):
            begun = perf_counter()
            engine.talk("ping", {})
            taken.append(perf_counter() - begun)
        yield Finding(OK, f"it answers ping in {1000 * statistics.median(taken):.2f} ms")
    except Unsupported:
        yield Finding(MISSING, "it does not know ping", 'ping is answered {"id": …, "reply": "done"}')
    except Exception as error:
        yield Finding(BROKEN, f"ping: {_told(error)}")
    try:
        engine.talk("juggle", {"balls": 5})
        yield Finding(BROKEN, "it answers an unknown command with done", _UNKNOWN)
    except Unsupported as lacking:
        right = lacking.kind == "command"
        told = "it answers an unknown command with unsupported"
        yield Finding(OK, told) if right else Finding(BROKEN, f"{told}, of the kind {lacking.kind!r}", _UNKNOWN)
    except Exception as error:
        yield Finding(BROKEN, f"an unknown command: {_told(error)}", _UNKNOWN)
    try:
        engine.talk("reset", {"an unknown field": {"must": ["be", "ignored"]}})
        yield Finding(OK, "it takes a reset, and ignores unknown fields")
    except Unsupported:
        yield Finding(MISSING, "it does not know reset", "a question that a case leaves open costs it a restart")
    except Exception as error:
        yield Finding(BROKEN, f"reset: {_told(error)}")


_UNKNOWN = 'it is answered {"id": …, "reply": "unsupported", "kind": "command", "name": "juggle"}'


def _lacks_state(lacking: Unsupported) -> Finding:
    told = f"it cannot set up a state with nothing but Plains ({lacking})"
    if (lacking.kind, lacking.name) == ("card", "Plains"):
        return Finding(MISSING, told, "next: the card Plains, of which libraries are made where a case lists none")
    return Finding(MISSING, told, "next: setup, which builds the starting state")


def _unknown_card(engine: Engine) -> Iterator[Finding]:
    try:
        engine.start(_state(NOWHERE), _no_answer)
    except Unsupported as lacking:
        told = f"it says unsupported to a card that there is not ({lacking})"
        hint = f"the kind is 'card' and the name {NOWHERE!r}, so that it can be counted"
        yield Finding(OK, told) if (lacking.kind, lacking.name) == ("card", NOWHERE) else Finding(NOTE, told, hint)
    except Exception as error:
        yield Finding(BROKEN, f"a card that there is not: {_told(error)}", "it is answered unsupported")
    else:
        yield Finding(
            BROKEN, "it takes a card that there is not", "say unsupported: cases would fail that only lack it"
        )


def _state(extra: str | None = None) -> Given:
    """Plains in some zones of both players."""

    def zone(player: str, name: str, *cards: str) -> tuple[ObjectGiven, ...]:
        start = {"hand": 0, "battlefield": 10, "graveyard": 20, "library": 30}[name] + (100 if player == "bob" else 0)
        return tuple(
            ObjectGiven(f"{player}.{name}.{index}", card, order=start + index) for index, card in enumerate(cards)
        )

    def player(name: str, *more: str) -> PlayerGiven:
        return PlayerGiven(
            name,
            hand=zone(name, "hand", "Plains", "Plains", *more),
            battlefield=zone(name, "battlefield", "Plains"),
            graveyard=zone(name, "graveyard", "Plains"),
            library=zone(name, "library", "Plains", "Plains", "Plains"),
        )

    return Given((player("alice", *([extra] if extra else [])), player("bob")))


def _no_answer(question: Question) -> None:
    raise Internal(f"it asks {question.player} for {question.kind}, where there is nothing to ask")


def _wrong_view(state: Given, view: View) -> Iterator[str]:
    """What a report of a state that has just been set up gets wrong."""
    by_handle = Counter(seen.card for seen in view.objects.values() if seen.card is not None)
    zones = {seen.card: (seen.zone, seen.owner) for seen in view.objects.values() if seen.card is not None}
    for player in state.players:
        shown = view.players.get(player.name)
        if shown is None:
            yield f"{player.name} is not among the players"
            continue
        for zone in ("hand", "battlefield", "graveyard", "library"):
            given = [each.handle for each in getattr(player, zone)]
            for handle in given:
                if by_handle[handle] != 1:
                    yield f"{by_handle[handle] or 'no'} objects have the card {handle!r}, as the state calls it"
                elif zones[handle] != (zone, player.name):
                    yield f"{handle} is in the {zones[handle][0]} and of {zones[handle][1]}, not where it was set up"
            ids = shown.zones.get(zone)
            if ids is None:
                yield f"{player.name} has no {zone} among the zones"
                continue
            lost = [id_ for id_ in ids if id_ not in view.objects]
            if lost:
                yield f"{player.name}'s {zone} has {lost[0]!r}, which is no object's id"
            elif zone == "library" and [view.objects[id_].card for id_ in ids] != given:
                yield f"{player.name}'s library is not in its order, topmost first"
            elif sorted(view.objects[id_].card or "" for id_ in ids) != given:
                yield f"{player.name}'s {zone} has not the objects that it should have"
    for key, value in (("active", "alice"), ("step", "precombat main"), ("turn", 1), ("priority", "alice")):
        if key in view.game and view.game[key] != value:
            yield f"game.{key} is {view.game[key]!r}, and should be {value!r}"


def _by_schema(engine: ProcessEngine) -> Iterator[Finding]:
    problem = message_problem(engine.talk("observe", {}), "observe", reply=True)
    if problem is None:
        yield Finding(OK, "its report is as the schema says")
    else:
        yield Finding(BROKEN, f"its report is not as the schema says: {problem}")


def _facts(view: View) -> Iterator[Finding]:
    land = next((seen for seen in view.objects.values() if seen.zone == "battlefield"), None)
    absent = [fact for fact in UNIVERSAL if land is not None and fact not in land.facts]
    players = [fact for fact in ("life", "lost", "drawn") if any(fact not in p.facts for p in view.players.values())]
    turn = [key for key in ("active", "step", "turn", "priority", "over") if key not in view.game]
    if turn:
        hint = "without step, turn and priority no case can be played"
        yield Finding(MISSING, f"its report does not say {', '.join(turn)}", hint)
    if absent or players:
        yield Finding(MISSING, f"its report leaves out {', '.join((*absent, *players))}")
    elif not turn:
        yield Finding(OK, "its report has all that can be said of every permanent")


def _acts(engine: Engine, state: Given) -> Iterator[Finding]:
    yield _tried("passing", lambda: _passes(engine, state))
    yield _tried("playing a land", lambda: _plays(engine, state))
    yield _tried("refusing", lambda: _refuses(engine, state))


def _tried(what: str, work: Callable[[], Finding]) -> Finding:
    try:
        return work()
    except Unsupported as lacking:
        return Finding(MISSING, f"{what}: {lacking}")
    except Illegal as refusal:
        return Finding(BROKEN, f"{what}: it says that this is illegal: {refusal}")
    except Exception as error:
        return Finding(BROKEN, f"{what}: {_told(error)}")


def _passes(engine: Engine, state: Given) -> Finding:
    engine.start(state, _nobody_attacks)
    engine.act(Pass("alice"))
    one = engine.glance()
    if (one.priority, one.step) != ("bob", "precombat main"):
        return Finding(BROKEN, f"alice passes, and then {one.priority} has priority in the {one.step}, not bob")
    engine.act(Pass("bob"))
    other = engine.glance()
    if (other.priority, other.step) != ("alice", "beginning of combat"):
        told = f"all pass, and then {other.priority} has priority in the {other.step}"
        return Finding(BROKEN, told, "alice has it in the beginning of combat (CR 500.2, 117.3a)")
    return Finding(OK, "passing moves priority, and ends a step when all have passed")


def _nobody_attacks(question: Question) -> dict[str, str]:
    if question.kind not in ("attackers", "blockers"):
        _no_answer(question)
    return {}


def _in_hand(view: View, player: str) -> str:
    return next(id_ for id_ in view.players[player].zones["hand"])


def _plays(engine: Engine, state: Given) -> Finding:
    engine.start(state, _no_answer)
    card = view.objects[_in_hand(view, "alice")].card if (view := engine.view()) else None
    engine.act(Play("alice", _in_hand(engine.view(), "alice")))
    there = next((seen for seen in engine.view().objects.values() if seen.card == card), None)
    if there is None or there.zone != "battlefield":
        return Finding(BROKEN, f"a land is played, and then no object on the battlefield has the card {card!r}")
    return Finding(OK, "a land can be played, and its card is followed to the battlefield")


def _refuses(engine: Engine, state: Given) -> Finding:
    engine.start(state, _no_answer)
    before = engine.view()
    try:
        engine.act(Play("bob", _in_hand(before, "bob")))
    except Illegal:
        after = engine.view()
        if _shape(after) != _shape(before):
            return Finding(BROKEN, "a refused action leaves its mark", "the game must be as it was before the request")
        return Finding(OK, "what is not allowed is refused, and the game stays as it was")
    return Finding(BROKEN, "bob plays a land in alice's main phase, and that is not refused")


def _shape(view: View) -> object:
    return (
        sorted((seen.zone, seen.owner, seen.card or seen.id) for seen in view.objects.values()),
        view.stack,
        view.game.get("priority"),
        view.game.get("step"),
    )


def _told(error: BaseException) -> str:
    return str(error) if isinstance(error, Internal) else f"{type(error).__name__}: {error}"


# --- what it knows


class _Known:
    """What an engine knows of what the cases need."""

    def __init__(self) -> None:
        self.missing: set[Need] = set()
        """What it is known not to know."""
        self.unseen: set[Need] = set()
        """What may be there, and has not been seen to work."""


def _knows(engine: Engine, planned: Sequence[Planned], facts: set[str], out: TextIO) -> _Known:
    """Ask the engine what it knows; of cards and tokens that it does not tell, try each. ``facts`` it has shown."""
    wanted: dict[str, set[str]] = {}
    for each in planned:
        for kind, name in needs(each.case) if each.case is not None else ():
            wanted.setdefault(kind, set()).add(name)
    # Questions come with the cards that ask them.
    wanted.pop("question", None)
    found = _Known()
    for kind, names in sorted(wanted.items()):
        try:
            known = engine.supports(kind, sorted(names))
        except Exception as error:
            print(Finding(BROKEN, f"asked which it knows: {_told(error)}"), file=out)
            known = None
        if known is None and kind in ("card", "token"):
            known = _by_trial(engine, kind, sorted(names))
        if known is None:
            found.unseen |= {(kind, name) for name in names - facts}
            continue
        found.missing |= {(kind, name) for name in names - known}
        if kind in ("card", "token"):
            print(f"{kind}s: it knows {len(known)} of the {len(names)} that the cases list", file=out)
    return found


def _facts_shown(engine: Engine) -> set[str]:
    """The properties that a report of the simplest state has."""
    try:
        engine.start(_state(), _no_answer)
        view = engine.view()
    except Exception:
        return set()
    facts = [each.facts for each in view.objects.values()] + [each.facts for each in view.players.values()]
    return {*view.game, *(name for each in facts for name in each)}


def _by_trial(engine: Engine, kind: str, names: Sequence[str]) -> frozenset[str] | None:
    """Which of these can be set up, alone; None: that cannot be told, since it is something else that is missing."""
    known = set()
    for number, name in enumerate(names):
        token = name if kind == "token" else None
        thing = ObjectGiven("alice.battlefield.0", "" if token else name, token_name=token, order=0)
        try:
            engine.new_case()
            engine.start(Given((PlayerGiven("alice", battlefield=(thing,)), PlayerGiven("bob"))), _no_answer)
            known.add(name)
        except Unsupported as lacking:
            if lacking.kind not in ("card", "token", "state"):
                return None
        except Exception:
            # It may be the card, or the engine; the cases will tell.
            known.add(name)
        if number == 20 and engine.ended is not None:
            return None
    return frozenset(known)


# --- the cases


def _played(planned: Sequence[Planned], opened: Opened, out: TextIO) -> list[CaseResult]:
    results: list[CaseResult] = []
    try:
        results.extend(run(planned, opened))
    except RunEnded as end:
        print(Finding(BROKEN, f"the run ends before its last case: {end}"), file=out)
    tally = Tally()
    for result in results:
        tally.add(result)
    print(f"cases: {tally.summary()}", file=out)
    return results


def _as_needed(said: Need, wanted: frozenset[Need]) -> Need:
    """What an engine says that it lacks, in the words of the case: a token may be called a card, by its whole name."""
    token = ("token", said[1].removesuffix(" Token"))
    return token if said[0] in ("card", "token") and token in wanted else said


def _tell(
    results: Sequence[CaseResult],
    planned: Sequence[Planned],
    known: _Known,
    opened: Opened,
    out: TextIO,
    top: int,
) -> None:
    """What is wrong, and what to add next."""
    wrong = [result for result in results if result.verdict in ("fail", "error", "invalid") and result.counts]
    if wrong:
        print("\nfirst, what is wrong:", file=out)
        for result in wrong[:10]:
            first = (result.message.splitlines() or [""])[0]
            print(f"  {result.verdict}: {result.case}: {first}", file=out)
        if len(wrong) > 10:
            print(f"  and {len(wrong) - 10} more", file=out)
        print(f"  each in full: judgecall run {wrong[0].case} --engine={opened.name}", file=out)
    lacks = []
    cases = {each.id: each.case for each in planned}
    for result in results:
        case = cases.get(result.case)
        if case is None:
            continue
        if result.verdict in ("pass", "fail"):
            known.unseen -= needs(case)
        elif result.unsupported is not None and result.counts:
            wanted = needs(case)
            lacks.append(Lack(wanted, _as_needed(result.unsupported, wanted)))
    advice = advise(lacks, known.missing, known.unseen, top)
    if advice:
        print("\nthen, what to add, in the order in which it pays:", file=out)
        for number, each in enumerate(advice, start=1):
            print(f"{number:4}. {each}", file=out)
