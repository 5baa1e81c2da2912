"""The verbs of ``when``, each as what it makes the players do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from judgecall.adapters.engine import Illegal, Json
from judgecall.harness.actions import action_of
from judgecall.harness.answers import Answers, nobody_asks
from judgecall.harness.names import NameProblem
from judgecall.harness.phrase import value_text
from judgecall.harness.run import Declaration, Run
from judgecall.harness.verdicts import failed, mistake
from judgecall.schema.model import PLAYERS, Answer, Step, Value

__all__ = ["declaration_of", "declare", "defender_of", "take"]

_PASSES = 500
"""More passes than any case needs: a game that goes on for ever is stopped here."""


def take(run: Run, step: Step, later: Sequence[Step] = ()) -> None:
    """Carry out one step other than ``check``.

    ``later`` are the steps after it. Defending players declare one after another, and nobody has priority in between
    (CR 802.4a): blocks of others that follow at once are declared with the first, and nothing is left of them to do.

    Raises:
        Stop: the engine refuses, fails, or does what the case does not say.
        Mistake: the case asks for what cannot be, leaves a question open, or answers one that is not asked.
    """
    run.declaration = None
    if run.declared:
        run.declared -= 1
        return
    try:
        _take(run, step, later)
    except NameProblem as problem:
        raise mistake(str(problem)) from None
    left = run.answers.unused if run.answers is not None else ()
    run.answers = None
    run.declaration = None
    if left:
        raise nobody_asks(left)


def _take(run: Run, step: Step, later: Sequence[Step]) -> None:
    verb = step.verb
    if verb in ("resolve", "advance"):
        # Answers without a name are the active player's, whoever that is when the question comes.
        run.answers = Answers(step.choices, run.active_now)
        if verb == "resolve":
            _resolve(run, step.subject)
        else:
            _advance(run, step)
    elif verb == "attack":
        active = step.by or run.glance().active
        run.answers = Answers(step.choices, lambda: active)
        _declare(run, declaration_of(run, step))
    elif verb == "block":
        _block(run, step, later)
    elif verb == "pass":
        player = _player(step.subject)
        run.answers = None
        run.give_priority(player)
        run.answers = Answers(step.choices, lambda: player)
        run.pass_once()
    else:
        _act(run, step)


def _block(run: Run, step: Step, later: Sequence[Step]) -> None:
    declaration = declaration_of(run, step)
    choices = _answers_of(step, declaration.player)
    together = 0
    for following in later:
        if following.verb != "block":
            break
        more = declaration_of(run, following)
        if None in more.parts or not declaration.parts.keys().isdisjoint(more.parts):
            break
        declaration.parts.update(more.parts)
        choices += _answers_of(following, more.player)
        together += 1
    run.answers = Answers(choices, lambda: None)
    _declare(run, declaration)
    run.declared = together


def _answers_of(step: Step, player: str | None) -> tuple[Answer, ...]:
    """The answers of a step; those without a name are this player's."""
    return tuple(replace(answer, by=answer.by or player) for answer in step.choices)


def _player(value: Value) -> str:
    if value not in PLAYERS:
        raise mistake(f"expected a player, not {value_text(value)}")
    return str(value)


def _act(run: Run, step: Step) -> None:
    """Cast, activate, play, turn face up, concede."""
    run.answers = None
    if step.verb == "concede":
        # CR 104.3a: at any time, so nobody needs to pass first.
        player = _player(step.subject)
    else:
        player = run.give_priority(step.by)
        run.view()
    asked = action_of(step, player, run.names)
    run.answers = Answers(step.choices, lambda: player)
    try:
        run.act(asked)
    except Illegal as refusal:
        raise run.refused(player, refusal) from None


def _resolve(run: Run, which: Value) -> None:
    if which == "all":
        for _ in range(_PASSES):
            glance = run.glance()
            if not glance.stack or glance.over:
                return
            _resolve_top(run)
        raise failed("the stack does not empty")
    _resolve_top(run)


def _resolve_top(run: Run) -> None:
    """All players pass until the top object is off the stack (CR 405.5)."""
    glance = run.glance()
    if not glance.stack:
        raise mistake("the stack is empty: nothing can resolve")
    top = glance.stack[0]
    for _ in range(4 * len(PLAYERS)):
        run.pass_once()
        glance = run.glance()
        if glance.over or top not in glance.stack:
            return
    raise failed("all players pass, and the top object of the stack does not resolve", "405.5")


def _advance(run: Run, step: Step) -> None:
    """All players pass, and nobody attacks, until a step of the wanted kind has begun."""
    wanted = step.subject
    of, next_turn = step.args.get("of"), step.args.get("turn") == "next"
    start = run.glance()
    left = False
    for _ in range(_PASSES):
        before = run.glance()
        run.pass_once()
        now = run.glance()
        if now.over:
            return  # nobody is left to pass: what the case then expects says whether that was meant
        left = left or (now.turn, now.step) != (start.turn, start.step)
        left = left or (now.step == wanted and run.another_step(before))
        if (
            left
            and now.step == wanted
            and (of is None or now.active == of)
            and not (next_turn and now.turn == start.turn)
        ):
            return
        if (now.turn or 0) > (start.turn or 0) + 2 * len(PLAYERS) + 1:
            break
    raise mistake(f"no {wanted} comes" + (f" of {of}'s turn" if of else ""))


def _declare(run: Run, declaration: Declaration) -> None:
    refusal = declare(run, declaration)
    if refusal is not None:
        raise run.refused(f"the declaration of {declaration.kind}", refusal)


def declaration_of(run: Run, step: Step) -> Declaration:
    """What an ``attack`` or ``block`` declares, in ids.

    Raises:
        NameProblem: a name means no one thing that is there.
        Mistake: a player who does not attack, or no one to be attacked.
    """
    if step.verb == "attack":
        return _attack(run, step)
    subject = step.subject
    if not isinstance(subject, Mapping):
        raise mistake("block: expected which creature blocks which")
    value: dict[str, Json] = {
        run.id_of(blocker): [run.id_of(each) for each in (blocked if isinstance(blocked, tuple) else (blocked,))]
        for blocker, blocked in subject.items()
    }
    if step.by is not None:
        return Declaration("blockers", {step.by: value})
    parts: dict[str | None, dict[str, Json]] = {}
    for blocker, blocked in value.items():
        parts.setdefault(_controller(run, blocker), {})[blocker] = blocked
    return Declaration("blockers", parts or {None: {}})


def _attack(run: Run, step: Step) -> Declaration:
    active = run.glance().active
    if step.by is not None and step.by != active:
        raise mistake(f"only the active player attacks, and that is {active}")
    subject = step.subject
    value: dict[str, Json]
    if isinstance(subject, Mapping):
        value = {run.id_of(attacker): run.id_of(whom) for attacker, whom in subject.items()}
    else:
        attackers = subject if isinstance(subject, tuple) else (subject,)
        whom = defender_of(run) if attackers else ""
        value = {run.id_of(attacker): whom for attacker in attackers}
    # Whoever controls the active player is asked (CR 723.5), and nobody else is.
    return Declaration("attackers", {None: value})


def defender_of(run: Run) -> str:
    """The only opponent of the active player.

    Raises:
        Mistake: there are several, so that the case must say who is attacked.
    """
    active = run.glance().active
    opponents = [p.name for p in run.view().players.values() if p.name != active and not p.facts.get("lost")]
    if len(opponents) != 1:
        raise mistake(f"{active} has {len(opponents)} opponents: say whom each creature attacks")
    return opponents[0]


def _controller(run: Run, blocker: str) -> str | None:
    """The player who controls a blocker, and so declares it (CR 509.1); None if the engine does not tell."""
    controller = run.view().objects[blocker].facts.get("controller")
    return controller if isinstance(controller, str) else None


def declare(run: Run, declaration: Declaration) -> Illegal | None:
    """All players pass until the engine asks for the attack or block; gives its refusal, if any.

    Where the engine never asks, that refuses every declaration but an empty one.

    Raises:
        Mistake: a pass would resolve something that the case does not say.
    """
    run.declaration = declaration
    says_something = bool(declaration.value)
    start = run.glance()
    for _ in range(_PASSES):
        glance = run.glance()
        if glance.over or glance.turn != start.turn or glance.active != start.active:
            break
        if glance.stack:
            run.view()
            top = run.names.label(glance.stack[0])
            raise mistake(f"to come to the {declaration.kind}, a pass would resolve {top}")
        try:
            run.try_to_pass()
        except Illegal as refusal:
            return refusal
        if declaration.asked:
            left = [str(player) for player, part in declaration.parts.items() if part]
            # CR 509.1a: a creature blocks what attacks its controller, or what that player controls or protects.
            return Illegal(f"{' and '.join(left)}: not asked for {declaration.kind}", "509.1a") if left else None
    if not says_something:
        return None
    rule = "508.1" if declaration.kind == "attackers" else "509.1"
    return Illegal(f"nobody is asked for {declaration.kind} this turn", rule)
