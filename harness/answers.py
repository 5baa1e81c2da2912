"""Answering an engine's questions from the ``choices`` of a case.

An answer belongs to the next question with the same player and kind. A question with one legal answer is
answered without the case saying so. Names in an answer are looked for among the question's options first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from judgecall.adapters.engine import Cast, Json, Option, Question
from judgecall.harness.actions import cast_of
from judgecall.harness.names import AmbiguousName, NameProblem, Names, halves, split_number
from judgecall.harness.phrase import value_text
from judgecall.harness.verdicts import Mismatch, Mistake, failed, mistake
from judgecall.schema.model import PLAYERS, Answer, Value
from judgecall.schema.names import counted

__all__ = ["OPEN", "Answers", "forced", "left_open", "nobody_asks", "off_offer", "question_text"]

OPEN: Any = object()
"""What `forced` gives for a question that has several legal answers."""

_ANSWERED_BY_OPTION = frozenset({"color", "type", "name", "mana", "replacement", "may", "pay"})
_HANDFUL = 5
_RANGE = 1_000
"""How many numbers of a range are looked at, where a case says which are on offer."""
_COLOR_OF = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}
_LISTS = frozenset({"pick", "targets", "order", "modes"})
_ALSO: Mapping[str, tuple[str, ...]] = {
    "may": ("pick", "pay", "cast"),
    "pay": ("may",),
    "pick": ("may",),
    "cast": ("may",),
    "color": ("mana",),
    "mana": ("color",),
    "scry": ("modes",),
}
"""The kinds of question that an answer of some kind can answer too."""


def question_text(question: Question, names: Names) -> str:
    """A question as text: who is asked what, and what is on offer."""
    text = f"{question.player} is asked {question.kind}"
    if question.prompt:
        text += f" ({question.prompt})"
    if question.options:
        text += f", on offer: {_offer(question.options, names)}"
    if question.kind in _LISTS and question.maximum:
        least, most = question.minimum, question.maximum
        text += f", choosing {least}" if least == most else f", choosing {least} to {most}"
    return text


def _offer(options: Sequence[Option], names: Names) -> str:
    return ", ".join(_option_name(option, names) for option in options) or "nothing"


def _option_name(option: Option, names: Names) -> str:
    if isinstance(option.value, str) and names.thing(option.value) is not None:
        return names.label(option.value)
    return option.name or value_text(option.value)


def off_offer(question: Question, given: Any, names: Names) -> str:
    """Where an answer names what is not on offer: the question with the first few things that are; else nothing.

    The engine gets such an answer all the same: it says by which rule that is not allowed.
    """
    named = given.object if isinstance(given, Cast) else given
    if named is None or named == "same" or isinstance(named, Mapping):
        return ""
    offered = [option.value for option in question.options]
    if not offered or all(each in offered for each in (named if isinstance(named, (list, tuple)) else [named])):
        return ""
    shown = _offer(question.options[:_HANDFUL], names) + (", …" if len(offered) > _HANDFUL else "")
    return f"; {question.player} was asked {question.kind}, and on offer were: {shown}"


def forced(question: Question) -> Any:
    """The only legal answer to a question, or `OPEN`.

    Options that look alike are still several. Chance (``coin``, ``roll``) is never without choice.
    """
    kind, options, least, most = question.kind, question.options, question.minimum, question.maximum
    if kind in ("pick", "targets", "modes"):
        if not options and least == 0:
            return []
        if least == most == len(options) and not (question.ordered and len(options) > 1):
            return [option.value for option in options]
    elif kind == "order":
        if len(options) <= 1:
            return [option.value for option in options]
    elif kind in ("scry", "surveil"):
        if not options:
            return {}
    elif kind in ("x", "number"):
        if len(options) == 1:
            return options[0].value
        if not options and least == most:
            return least
    elif kind == "divide":
        if len(options) == 1 and isinstance(options[0].value, str):
            return {options[0].value: most}
        if not options:
            return {}
        limits = [option.most for option in options if option.most is not None]
        if len(limits) == len(options) and sum(limits) == most:
            return {str(option.value): option.most for option in options if option.most}
    elif kind == "cast":
        if not options:
            return None
    elif kind in _ANSWERED_BY_OPTION and len(options) == 1:
        return options[0].value
    return OPEN


def any_answer(question: Question) -> Any:
    """One legal answer to a question whose answers all lead to the same, or `OPEN`."""
    values = [option.value for option in question.options]
    if question.kind == "order":
        return values
    if question.kind in ("pick", "targets", "modes"):
        return values[: question.minimum]
    if question.kind == "divide":
        return any_division(question)
    return values[0] if values else OPEN


def any_division(question: Question) -> dict[str, Json]:
    """One legal division: as much as the first ones may get, or one each and the rest for the first."""
    options, total = question.options, question.maximum
    limits = [option.most for option in options if option.most is not None]
    if len(limits) < len(options):
        return {str(option.value): 1 + (total - len(options) if i == 0 else 0) for i, option in enumerate(options)}
    before = [sum(limits[:i]) for i in range(len(limits))]
    shares = [max(0, min(most, total - used)) for most, used in zip(limits, before, strict=True)]
    return {str(option.value): n for option, n in zip(options, shares, strict=True) if n}


class Answers:
    """The answers of one step, each to be used once.

    Engines ask the same in more than one way: "you may reveal a card from among them" is a ``pick`` of none or one,
    or a ``may`` and then a ``pick``. What a case says in the one way answers the other too.
    """

    def __init__(self, choices: tuple[Answer, ...], default_by: Callable[[], str | None]) -> None:
        self._left = list(choices)
        self._idle: list[Answer] = []
        """Answers used where they left no choice: they may have been meant for a later question."""
        self._default_by = default_by
        self._said: list[Answer] = []
        """Answers that say what other answers, or the rules, say too."""

    @property
    def unused(self) -> tuple[Answer, ...]:
        """The answers that nobody has asked for so far."""
        return tuple(
            answer
            for answer in self._left
            if not _chooses_nothing(answer) and not any(answer is said for said in self._said)
        )

    def next(self, question: Question) -> Answer | None:
        """The answer that belongs to a question: the player's next of its kind, else the next if it says as much."""
        mine = self._of(question, self._left)
        for answer in mine:
            if answer.kind == question.kind or (question.kind == "cast" and _is(answer, "may", False)):
                return answer
        return mine[0] if mine and question.kind in _ALSO.get(mine[0].kind, ()) else None

    def idle(self, question: Question) -> Answer | None:
        """An answer of the kind that was used where it left no choice."""
        return next((each for each in self._of(question, self._idle) if each.kind == question.kind), None)

    def _of(self, question: Question, answers: list[Answer]) -> list[Answer]:
        """The answers of who decides; without a name, also of whose decision it would be (CR 723.5)."""
        mine = [answer for answer in answers if (answer.by or self._default_by()) == question.player]
        if question.instead_of is None or self._default_by() != question.instead_of:
            return mine
        return [*mine, *(answer for answer in answers if answer.by is None)]

    def implied(self, answer: Answer, question: Question) -> None:
        """A "no" to what cannot be done anyway may be left without a question of its own."""
        if _is(answer, "may", False) and not question.minimum:
            self._said.append(answer)

    def use(self, answer: Answer, question: Question, *, idle: bool) -> None:
        """Use an answer up, unless it only implies the answer to a question that comes before its own.

        ``idle``: the question leaves no choice.
        """
        if question.kind == "may" and answer.kind not in ("may", "pay") and answer.value:
            return
        self._idle = [other for other in self._idle if other is not answer]
        place = next((place for place, other in enumerate(self._left) if other is answer), None)
        if place is None:
            return
        if idle:
            self._idle.append(answer)
        before = self._left[place - 1] if place else None
        optional = question.kind in ("cast", "targets") or (question.kind == "pick" and not question.minimum)
        if before is not None and optional and _is(before, "may", True) and before.by == answer.by:
            self._said.append(before)
        del self._left[place]


def _is(answer: Answer, kind: str, value: bool) -> bool:
    return answer.kind == kind and answer.value is value


def _chooses_nothing(answer: Answer) -> bool:
    """Whether it says only that there is nothing to choose: it may be given where nobody asks."""
    value = answer.value
    if answer.options is not None or answer.excluded is not None:
        return False
    if isinstance(value, tuple):
        return len(value) <= (1 if answer.kind == "order" else 0)
    if answer.kind == "divide":
        return isinstance(value, Mapping) and len(value) <= 1  # all of it for the only one
    return answer.kind in ("scry", "surveil") and isinstance(value, Mapping) and not any(value.values())


class Translator:
    """One question and the means to say an answer in the engine's terms."""

    def __init__(self, question: Question, names: Names, refresh: Callable[[], None]) -> None:
        self.question = question
        self.options = question.options
        self.names = names
        self._refresh = refresh
        self._fresh = False

    def answer(self, answer: Answer) -> Json | Cast:
        """The engine's form of an answer, after what it says of the options has been checked.

        Raises:
            Stop: ``fail``, if the options are not those that the case says.
            Mistake: a name leads nowhere, or the value is not of the kind asked for.
        """
        kind, value = self.question.kind, answer.value
        if {kind, answer.kind} == {"color", "mana"}:
            return self._mana(value)
        if answer.kind != kind and {kind, answer.kind} != {"may", "pay"}:
            return self._otherwise(answer)
        self._check_offer(answer)
        if kind == "cast":
            return None if value is None or value is False else self._cast(answer)
        if kind in ("may", "pay"):
            if not isinstance(value, bool):
                raise mistake(f"{kind}: expected yes or no, not {value_text(value)}")
            return value
        if kind == "targets" and value == "same":
            return "same"
        if kind in _LISTS:
            return self._several(self._expanded(value if isinstance(value, tuple) else (value,)))
        if kind in ("scry", "surveil"):
            return self._piles(value)
        if kind == "divide":
            if not isinstance(value, Mapping):
                raise mistake(f"divide: expected how much for whom, not {value_text(value)}")
            shares = zip(self._several(tuple(value)), value.values(), strict=True)
            return {str(whom): share for whom, share in shares if isinstance(share, int)}
        if kind == "replacement":
            return self._several((value,))[0]
        return value if not isinstance(value, (tuple, Mapping)) else None

    def _otherwise(self, answer: Answer) -> Json | Cast:
        """What an answer of another kind says to this question."""
        question, value = self.question, answer.value
        if question.kind == "may":
            return value is not None and value != ()  # something is picked, or cast: yes, it is done
        if value is False and question.minimum == 0:
            return None if question.kind == "cast" else []
        if value is True and len(question.options) == 1 and question.kind in ("pick", "cast"):
            only = question.options[0].value
            return [only] if question.kind == "pick" else Cast(question.player, str(only))
        if question.kind == "modes" and len(question.options) == 2 and isinstance(value, Mapping):
            # The top or the bottom of a library, in the order of the text.
            said = [number for number, pile in enumerate(("top", "bottom"), 1) if value.get(pile)]
            if len(said) == 1:
                return [question.options[said[0] - 1].value]
        raise mistake(f"{question_text(question, self.names)}, and the case says only {value_text(value)}")

    def _mana(self, value: Value) -> Json:
        """A color for the mana of that color, or the other way round."""
        if self.question.kind == "color":
            colors = {_COLOR_OF.get(symbol, "colorless") for symbol in str(value).strip("{}").split("}{")}
            return colors.pop() if len(colors) == 1 else None
        symbol = next((symbol for symbol, color in _COLOR_OF.items() if color == value), "C")
        runs = [str(option.value) for option in self.options]
        return next((run for run in runs if set(run.strip("{}").split("}{")) == {symbol}), None)

    def _expanded(self, listed: Sequence[Value]) -> tuple[Value, ...]:
        """``3 Island`` in an answer as the first three of that name on offer; targets in groups, one after another.

        What is picked is picked once, so a name said several times is that of as many.
        """
        found: list[Value] = []
        flat = [each for part in listed for each in (part if isinstance(part, tuple) else (part,))]
        for value in flat:
            several = counted(value) if isinstance(value, str) and not self.names.known(value) else None
            if several is None and self.question.kind in ("pick", "order") and flat.count(value) > 1:
                several = (1, str(value))
            alike = [id_ for id_ in self._matching(several[1], local=False) if id_ not in found] if several else []
            if several and len(alike) >= several[0]:
                found.extend(str(id_) for id_ in alike[: several[0]])
            else:
                found.append(value)
        return tuple(found)

    def _cast(self, answer: Answer) -> Cast:
        try:
            self._look()
            # A card of which only a copy is on offer (CR 707.12) is that copy.
            offered = self._matching(answer.value, local=False) or self._matching(
                f"copy of {answer.value}", local=False
            )
            source = offered[0] if len(offered) == 1 and isinstance(offered[0], str) else None
            return cast_of(answer.value, answer.args, self.question.player, self.names, source)
        except NameProblem as problem:
            raise mistake(f"{question_text(self.question, self.names)}: {problem}") from None

    def _piles(self, value: Value) -> dict[str, Json]:
        """Each pile as listed; the cards that no pile lists stay on top, as they are."""
        if not isinstance(value, Mapping):
            raise mistake(f"{self.question.kind}: expected piles, not {value_text(value)}")
        piles: dict[str, Json] = {}
        placed: list[Json] = []
        for pile, listed in value.items():
            ids = self._several(self._unplaced(listed if isinstance(listed, tuple) else (listed,), placed))
            piles[pile] = ids
            placed.extend(ids)
        rest = [option.value for option in self.question.options if option.value not in placed]
        if rest and "top" in value:
            told = _offer([option for option in self.question.options if option.value in rest], self.names)
            raise mistake(f"{question_text(self.question, self.names)}: the case does not say where {told} goes")
        if rest:
            piles["top"] = rest
        return piles

    def _unplaced(self, listed: tuple[Value, ...], placed: Sequence[Json]) -> tuple[Value, ...]:
        """Of cards that look alike, each time the next that is in no pile yet."""
        found: list[Value] = []
        for value in listed:
            alike = self._matching(value, local=False) if isinstance(value, str) else []
            fresh = [id_ for id_ in alike if id_ not in placed and id_ not in found]
            found.append(str(fresh[0]) if len(alike) > 1 and fresh else value)
        return tuple(found)

    def _check_offer(self, answer: Answer) -> None:
        if answer.options is None and answer.excluded is None:
            return
        asked = question_text(self.question, self.names)
        if not self.options and self.question.kind in ("x", "number"):
            least, most = self.question.minimum, self.question.maximum
            self.options = tuple(Option(number) for number in range(least, min(most, least + _RANGE) + 1))
        elif not self.options and self.question.kind in ("may", "pay"):
            self.options = (Option(True), Option(False))
        offered = [option.value for option in self.options]
        shown = _offer(self.options, self.names)
        if answer.options is not None:
            wanted = self._values(self._expanded(answer.options))
            if not _same(wanted, offered):
                mismatch = Mismatch("options", value_text(answer.options), f"[{shown}]")
                raise failed(f"{asked}: {mismatch}", mismatches=(mismatch,))
        for name in answer.excluded or ():
            if any(value is not None and value in offered for value in self._values((name,), every=True)):
                mismatch = Mismatch("options", f"not {value_text(name)}", f"[{shown}]")
                raise failed(f"{asked}: {mismatch}", mismatches=(mismatch,))

    def _values(self, listed: tuple[Value, ...], *, every: bool = False) -> list[Json | None]:
        """Values of what a case says is on offer, None for what is not; ``every``: all a name could mean."""
        found: list[Json | None] = []
        for reference in listed:
            matching = self._matching(reference, local=False)
            if every:
                found.extend(matching)
            elif len(matching) > 1:
                fresh = [value for value in matching if value not in found]
                found.append(fresh[0] if fresh else None)
            else:
                found.append(matching[0] if matching else None)
        return found

    def _several(self, listed: tuple[Value, ...]) -> list[Json]:
        """The values that references mean, among the options if they are there, else in the whole view."""
        # Abilities that wait for their order have no place on the stack yet: numbers count on from those that
        # were put there, or, where that leads nowhere, among the waiting ones alone.
        for local in (False, True):
            found = [self._one(reference, local=local) for reference in listed]
            if OPEN not in found:
                return found
        missing = listed[found.index(OPEN)]
        asked = question_text(self.question, self.names)
        raise mistake(f"{asked}: {self._problem(missing)}")

    def _one(self, reference: Value, *, local: bool) -> Any:
        matching = self._matching(reference, local=local)
        if len(matching) == 1:
            return matching[0]
        if not isinstance(reference, str):
            return reference if not isinstance(reference, (tuple, Mapping)) else OPEN
        if reference in PLAYERS:
            return reference
        try:
            self._look()
            found = self.names.id_of(reference)
        except NameProblem:
            return OPEN
        return found if not matching or found in matching else OPEN

    def _problem(self, reference: Value) -> str:
        matching = self._matching(reference, local=False)
        if len(matching) > 1:
            return f"{len(matching)} of the options go by {value_text(reference)}: use an alias or a number"
        try:
            self.names.id_of(str(reference))
        except NameProblem as problem:
            return str(problem)
        return f"{value_text(reference)} means several things"

    def _look(self) -> None:
        """Let the engine show what it has come to while it acts, once a question."""
        if not self._fresh:
            self._fresh = True
            self._refresh()

    def _matching(self, reference: Value, *, local: bool) -> list[Json]:
        """Values of the options that a reference can mean."""
        options = self.options
        exact = [option.value for option in options if _equal(option.value, reference)]
        if exact or not isinstance(reference, str):
            return exact
        if any(isinstance(o.value, str) and self.names.thing(o.value) is None for o in options):
            self._look()
        base, number = split_number(reference)
        if number is not None and base.startswith("ability of "):
            return self._numbered_ability(base, number, local=local)
        return [option.value for option in options if self._means(reference, option)]

    def _numbered_ability(self, base: str, number: int, *, local: bool) -> list[Json]:
        reference = f"{base}#{number}"
        waiting: list[Json] = []
        for option in self.question.options:
            if isinstance(option.value, str) and self.names.thing(option.value) is not None:
                if not local and self.names.means(reference, option.value):
                    return [option.value]
                if local and self._means(base, option):
                    waiting.append(option.value)
            elif self._means(base, option):
                waiting.append(option.value)
        place = number - 1 if local else number - 1 - self.names.ever(base)
        return [waiting[place]] if 0 <= place < len(waiting) else []

    def _means(self, reference: str, option: Option) -> bool:
        if isinstance(option.value, str) and self.names.means(reference, option.value):
            return True
        if reference in halves(option.name) or (option.name and option.name in halves(reference)):
            return isinstance(option.value, str) and self.names.thing(option.value) is None
        kind, _, name = reference.partition("ability of ")
        if kind or not name or option.source is None:
            return False
        return self.names.means(name, option.source)


def _same(wanted: Sequence[Json], offered: Sequence[Json]) -> bool:
    """Whether both are the same values, in any order."""
    left = list(offered)
    for value in wanted:
        if value is None or value not in left:
            return False
        left.remove(value)
    return not left


def _equal(one: Json, other: Value) -> bool:
    """Equality in which ``True`` is not 1, and a number among names is one."""
    if isinstance(other, str) and isinstance(one, int):
        return other == str(one)
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def answer(question: Question, answers: Answers, names: Names, refresh: Callable[[], None]) -> tuple[bool, Json | Cast]:
    """What the case says to a question, or its only legal answer, as (True, answer); else (False, None).

    ``refresh`` lets the engine show what it has come to, for names that are new.

    Raises:
        Stop: the options are not those that the case says.
        Mistake: the answer does not fit the question.
    """
    only = forced(question)
    given = answers.next(question)
    if given is not None and only is not OPEN:
        if given.kind != question.kind and question.kind != "cast":
            answers.implied(given, question)
            given = None
        elif not _is_only(given, only, question, names, refresh):
            given = None  # it belongs to a later question: this one leaves no choice
    if given is None and only is OPEN and not question.same:
        given = answers.idle(question)
    if given is not None:
        answers.use(given, question, idle=only is not OPEN)
        try:
            return True, Translator(question, names, refresh).answer(given)
        except AmbiguousName as problem:
            raise mistake(str(problem)) from None
    if only is OPEN and question.same:
        only = any_answer(question)
    if only is not OPEN:
        return True, only
    return False, None


def _is_only(given: Answer, only: Any, question: Question, names: Names, refresh: Callable[[], None]) -> bool:
    """Whether an answer that a case gives is the only one that a question allows."""
    if given.options is not None or given.excluded is not None:
        return True
    if question.kind == "targets" and given.value == "same":
        return True
    try:
        said = Translator(question, names, refresh).answer(given)
    except (Mistake, AmbiguousName):
        return False
    if isinstance(said, (list, tuple)) and isinstance(only, (list, tuple)):
        return sorted(map(str, said)) == sorted(map(str, only))
    return bool(said == only)


def nobody_asks(answers: Sequence[Answer]) -> Mistake:
    """The verdict on answers to questions that are never asked."""
    told = ", ".join(f"{answer.kind}: {value_text(answer.value)}" for answer in answers)
    return mistake(f"nobody asks for {'this answer' if len(answers) == 1 else 'these answers'}: {told}")


def left_open(question: Question, names: Names) -> Mistake:
    """The verdict on a question that the case does not answer."""
    return mistake(f"{question_text(question, names)}, and the case does not answer")
