"""Questions that an engine asks, and the answers of ``choices``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from judgecall.adapters.engine import Cast, Option, Question, View
from judgecall.adapters.oracle import OracleEngine
from judgecall.harness.answers import OPEN, forced

from tests.harness.helpers import verdict
from tests.harness.toys import Strict, Swallowing, Toy, asking, options

BOARD = """
given:
  alice:
    hand: ["Ask it", Think Twice]
    battlefield: [Grizzly Bears, 2 Island, {card: Hill Giant, as: giant}]
  bob: {battlefield: [Forest], hand: [Shock]}
"""


def ask(kind: str, *names: str, least: int = 0, most: int = 0) -> Callable[[Toy, str], Question]:
    """A question about the objects of these names."""
    return lambda toy, player: Question(player, kind, "prompt", options(toy, names), least, most)


def words(kind: str, *values: Any, least: int = 0, most: int = 0) -> Callable[[Toy, str], Question]:
    """A question that offers words, numbers or players."""
    return lambda toy, player: Question(player, kind, "", tuple(map(Option, values)), least, most)


def answered(question: Callable[[Toy, str], Question], choice: str, *, spell: str = "it") -> Any:
    """What the engine is answered when its question meets a choice of the case."""
    toy = asking(**{spell: question})()
    steps = f"when: [{{cast: Ask it}}, {{resolve: top, choices: [{choice}]}}]\nthen: {{stack: []}}"
    result = verdict(BOARD + steps, toy)
    assert result.verdict == "pass", result.message
    return toy.answers[-1]


@pytest.mark.parametrize(
    ("question", "choice", "answer"),
    [
        (words("may"), "{may: yes}", True),
        (words("pay"), "{pay: no}", False),
        (words("pay"), "{may: no}", False),
        (words("may"), "{pay: yes}", True),
        (ask("pick", "Grizzly Bears", "Hill Giant", most=2), "{pick: [giant, Grizzly Bears]}", ["o6", "o3"]),
        (ask("pick", "Island", "Forest", most=1), "{pick: [Island#2]}", ["o5"]),
        (words("pick", "alice", "bob", least=1, most=1), "{pick: [bob]}", ["bob"]),
        (words("pick", "Swamp", 3, least=1, most=1), "{pick: [3]}", [3]),
        (ask("targets", "Grizzly Bears", "Hill Giant", least=1, most=1), "{targets: [giant]}", ["o6"]),
        (words("targets", least=1, most=1), "{targets: same}", "same"),
        (words("modes", 1, 2, least=1, most=1), "{modes: [2]}", [2]),
        (words("x", most=5), "{x: 3}", 3),
        (words("number", most=5), "{number: 2}", 2),
        (words("roll", most=6), "{roll: 4}", 4),
        (words("color"), "{color: red}", "red"),
        (words("type"), "{type: Elf}", "Elf"),
        (words("name"), "{name: Forest}", "Forest"),
        (words("mana"), '{mana: "{G}{G}"}', "{G}{G}"),
        (words("coin"), "{coin: heads}", "heads"),
        (ask("order", "Grizzly Bears", "Hill Giant"), "{order: [giant, Grizzly Bears]}", ["o6", "o3"]),
        (ask("scry", "Grizzly Bears", "Hill Giant"), "{scry: {top: [giant], bottom: [Grizzly Bears]}}", None),
        (
            ask("divide", "Grizzly Bears", "Hill Giant", most=3),
            "{divide: {giant: 2, Grizzly Bears: 1}}",
            None,
        ),
        (ask("replacement", "Grizzly Bears", "Hill Giant", least=1, most=1), "{replacement: giant}", "o6"),
        (ask("cast", "Think Twice"), "{cast: Think Twice, x: 1}", Cast("alice", "o2", x=1)),
        (ask("cast", "Think Twice"), "{may: no}", None),
        (ask("pick", "Grizzly Bears", "Hill Giant", most=1), "{may: no}", []),
        (ask("pick", "Hill Giant", most=1), "{may: yes}", ["o6"]),
        (words("may"), "{pick: []}", False),
        (ask("cast", "Think Twice"), "{may: yes}", Cast("alice", "o2")),
        (ask("targets", "Grizzly Bears", "Hill Giant", least=1, most=1), "{may: yes}, {targets: [giant]}", ["o6"]),
        (words("modes", 1, 2, least=1, most=1), "{scry: {top: [], bottom: [giant]}}", [2]),
        (words("modes", 1, 2, least=1, most=1), "{scry: {top: [giant]}}", [1]),
        (
            ask("pick", "Grizzly Bears", "Island", least=3, most=3),
            "{pick: [2 Island, Grizzly Bears]}",
            ["o4", "o5", "o3"],
        ),
        (words("color", "red", "green"), '{mana: "{G}"}', "green"),
        (words("mana", "{R}{R}", "{G}{G}"), "{color: green}", "{G}{G}"),
        (
            ask("targets", "Grizzly Bears", "Hill Giant", least=2, most=2),
            "{targets: [[giant], [Grizzly Bears]]}",
            ["o6", "o3"],
        ),
        (ask("surveil", "Grizzly Bears", "Hill Giant"), "{surveil: {}}", None),
    ],
)
def test_an_answer_reaches_the_engine_in_its_terms(
    question: Callable[[Toy, str], Question], choice: str, answer: Any
) -> None:
    found = answered(question, choice)
    if isinstance(answer, list) and "scry" in choice:
        assert found == answer
    elif "surveil" in choice:
        assert found == {"top": ["o3", "o6"]}
    elif "scry" in choice:
        assert found == {"top": ["o6"], "bottom": ["o3"]}
    elif "divide" in choice:
        assert found == {"o6": 2, "o3": 1}
    else:
        assert found == answer
        assert type(found) is type(answer)


def test_a_pile_that_is_left_out_takes_the_only_card_left() -> None:
    question = ask("surveil", "Grizzly Bears", "Hill Giant")
    assert answered(question, "{surveil: {graveyard: [giant]}}") == {"graveyard": ["o6"], "top": ["o3"]}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (ask("pick", "Island", least=2, most=2), ["o4", "o5"]),
        (ask("pick"), []),
        (ask("pick", most=1), []),
        (ask("targets", "Forest", least=1, most=1), ["o18"]),
        (words("modes", 1, least=1, most=1), [1]),
        (ask("order", "Forest"), ["o18"]),
        (ask("order"), []),
        (ask("scry"), {}),
        (ask("divide", "Forest", most=3), {"o18": 3}),
        (ask("replacement", "Forest"), "o18"),
        (words("x"), 0),
        (words("color", "red"), "red"),
        (ask("cast"), None),
    ],
)
def test_a_question_with_one_legal_answer_needs_none(question: Callable[[Toy, str], Question], answer: Any) -> None:
    toy = asking(it=question)()
    result = verdict(BOARD + "when: [{cast: Ask it}, {resolve: top}]\nthen: {stack: []}", toy)
    assert result.verdict == "pass", result.message
    assert toy.answers == [answer]


@pytest.mark.parametrize(
    "question",
    [
        words("may"),
        words("pay"),
        ask("pick", "Island", least=1, most=1),
        ask("pick", "Forest", most=1),
        ask("order", "Island"),
        ask("scry", "Forest"),
        ask("divide", "Island", most=2),
        ask("replacement", "Island"),
        ask("cast", "Think Twice"),
        words("modes", 1, 2, least=1, most=1),
        words("x", most=1),
        words("coin", "heads"),
        words("roll", 6),
    ],
)
def test_a_question_left_open_is_a_mistake(question: Callable[[Toy, str], Question]) -> None:
    toy = asking(it=question)
    steps = "when: [{cast: Ask it}, {resolve: top}]\nthen: {stack: []}"
    result = verdict(BOARD + steps, toy())
    assert result.verdict == "invalid"
    assert result.message.startswith("alice is asked ")
    assert result.message.endswith(", and the case does not answer")
    toy.capabilities = frozenset()
    assert verdict(BOARD + steps, toy()).verdict == "fail"


def test_what_a_question_offers_is_told() -> None:
    toy = asking(it=ask("pick", "Island", "Hill Giant", least=1, most=2))
    result = verdict(BOARD + "when: [{cast: Ask it}, {resolve: top}]", toy())
    assert result.message == (
        "alice is asked pick (prompt), on offer: Island#1, Island#2, Hill Giant (giant), choosing 1 to 2, "
        "and the case does not answer"
    )


def test_all_of_something_for_its_only_target_may_be_said_where_nobody_asks() -> None:
    """CR 601.2d: the division leaves no choice."""
    steps = "when: [{cast: Think Twice, choices: [{divide: {%s}}]}]"
    assert verdict(BOARD + steps % "giant: 2", Strict()).verdict == "pass"
    assert verdict(BOARD + steps % "giant: 1, bob: 1", Strict()).verdict == "invalid"


@pytest.mark.parametrize(("engine", "found"), [(Strict, "invalid"), (Toy, "fail")])
def test_an_answer_that_nobody_asks_for_is_a_mistake(engine: type[Toy], found: str) -> None:
    steps = "when: [{cast: Think Twice}, {resolve: top, choices: [{may: yes}, {pick: [bob]}]}]"
    result = verdict(BOARD + steps, engine())
    assert result.verdict == found
    assert result.message == "nobody asks for these answers: may: true, pick: [bob]"


def two(first: Question, second: Question) -> Callable[[Toy, str], Question]:
    """Ask one question before another."""

    def make(toy: Toy, player: str) -> Question:
        toy._ask(first)
        return second

    return make


def test_answers_belong_to_the_next_question_of_their_player_and_kind() -> None:
    toy = asking(it=two(Question("bob", "may", ""), Question("alice", "may", "")))()
    steps = "when: [{cast: Ask it}, {resolve: top, choices: [{may: yes}, {may: no, by: bob}]}]\n"
    assert verdict(BOARD + steps + "then: {stack: []}", toy).verdict == "pass"
    assert toy.answers == [False, True]


def test_answers_of_one_kind_are_used_in_order() -> None:
    toy = asking(it=two(Question("alice", "may", ""), Question("alice", "may", "")))()
    steps = "when: [{cast: Ask it}, {resolve: top, choices: [{may: yes}, {may: no}]}]\n"
    assert verdict(BOARD + steps + "then: {stack: []}", toy).verdict == "pass"
    assert toy.answers == [True, False]


@pytest.mark.parametrize("choices", ["{pick: [giant]}", "{may: yes}, {pick: [giant]}"])
@pytest.mark.parametrize("asks_first", [True, False])
def test_an_optional_pick_is_one_question_or_two(choices: str, asks_first: bool) -> None:
    pick = ask("pick", "Grizzly Bears", "Hill Giant", most=1)

    def both(toy: Toy, player: str) -> Question:
        toy._ask(Question(player, "may", ""))
        return pick(toy, player)

    toy = asking(it=both if asks_first else pick)()
    steps = f"when: [{{cast: Ask it}}, {{resolve: top, choices: [{choices}]}}]\nthen: {{stack: []}}"
    result = verdict(BOARD + steps, toy)
    assert result.verdict == "pass", result.message
    assert toy.answers == ([True, ["o6"]] if asks_first else [["o6"]])


@pytest.mark.parametrize("choice", ["pick: []", "order: [Forest]", "scry: {top: [], bottom: []}", "targets: []"])
def test_where_nobody_asks_the_case_may_say_that_there_is_no_choice(choice: str) -> None:
    steps = f"when: [{{cast: Think Twice}}, {{resolve: top, choices: [{{{choice}}}]}}]\nthen: {{stack: []}}"
    assert verdict(BOARD + steps, Strict()).verdict == "pass"


def test_an_answer_where_there_was_no_choice_is_there_for_a_later_one() -> None:
    toy = asking(it=two(Question("alice", "pick", ""), Question("alice", "pick", "", (Option("o18"),), 0, 1)))()
    steps = "when: [{cast: Ask it}, {resolve: top, choices: [{pick: []}]}]\nthen: {stack: []}"
    assert verdict(BOARD + steps, toy).verdict == "pass"
    assert toy.answers == [[], []]


def test_same_targets_may_be_said_of_the_only_ones() -> None:
    toy = asking(it=ask("targets", "Forest", least=1, most=1))()
    steps = "when: [{cast: Ask it}, {resolve: top, choices: [{targets: same}]}]\nthen: {stack: []}"
    assert verdict(BOARD + steps, toy).verdict == "pass"


def test_a_no_left_over_from_what_could_not_be_done_is_none_too_many() -> None:
    steps = "when: [{cast: Ask it}, {resolve: top, choices: [{may: no}]}]\nthen: {stack: []}"
    assert verdict(BOARD + steps, asking(it=ask("pick"))()).verdict == "pass"


def test_a_pile_must_say_where_the_rest_goes() -> None:
    question = ask("surveil", "Grizzly Bears", "Hill Giant", "Forest")
    steps = "when: [{cast: Ask it}, {resolve: top, choices: [{surveil: {top: [giant]}}]}]"
    assert verdict(BOARD + steps, asking(it=question)()).verdict == "invalid"


@pytest.mark.parametrize("kind", ["color", "modes", "number", "replacement"])
def test_a_may_answers_no_question_of_another_sort(kind: str) -> None:
    question = words(kind, 1, 2, least=1, most=1)
    result = verdict(BOARD + "when: [{cast: Ask it}, {resolve: top, choices: [{may: no}]}]", asking(it=question)())
    assert result.verdict == "invalid"
    assert f"is asked {kind}" in result.message


@pytest.mark.parametrize("choices", ["{may: yes}, {pay: no}", "{pay: no}, {may: yes}"])
def test_each_of_may_and_pay_answers_its_own_question_first(choices: str) -> None:
    toy = asking(it=words("pay"), that=words("may"))()
    board = BOARD.replace('"Ask it"', '"Ask it", "Ask that"')
    steps = f"when: [{{cast: Ask it}}, {{cast: Ask that}}, {{resolve: all, choices: [{choices}]}}]"
    result = verdict(board + steps, toy)
    assert result.verdict == "pass", result.message
    assert toy.answers == [True, False]


def test_while_players_pass_answers_are_the_active_player_s() -> None:
    class Asking(Strict):
        def _next_step(self) -> None:
            super()._next_step()
            if self.state.step == "upkeep":
                self._ask(Question(self.state.active, "may", ""))

    toy = Asking()
    steps = "when: [{advance: upkeep, of: alice, choices: [{may: yes}, {may: no}]}]\nthen: {game: {turn: 3}}"
    assert verdict(BOARD + steps, toy).verdict == "pass"
    assert [answer for answer in toy.answers if isinstance(answer, bool)] == [True, False]


def test_an_engine_need_not_tell_who_is_active_while_it_acts() -> None:
    class Blind(Strict):
        acting = False

        def act(self, action: Any) -> None:
            self.acting = True
            super().act(action)
            self.acting = False

        def view(self) -> View:
            if self.acting:
                raise RuntimeError("not now")
            return super().view()

    Blind.questions = {"Ask it": words("may")}
    steps = "when: [{cast: Ask it}, {resolve: top, choices: [{may: yes}]}]\nthen: {stack: []}"
    assert verdict(BOARD + steps, Blind()).verdict == "pass"


@pytest.mark.parametrize(
    ("choice", "found"),
    [
        ("{pick: [Forest], options: [Forest, giant]}", "pass"),
        ("{pick: [Forest], options: [giant, Forest]}", "pass"),
        ("{pick: [Forest], options: [Forest]}", "fail"),
        ("{pick: [Forest], options: [Forest, giant, Grizzly Bears]}", "fail"),
        ("{pick: [Forest], options: [Forest, Forest]}", "fail"),
        ("{pick: [Forest], not: [Grizzly Bears]}", "pass"),
        ("{pick: [Forest], not: [Grizzly Bears, giant]}", "fail"),
        ("{pick: [Forest], not: [bob, Swamp]}", "pass"),
    ],
)
def test_what_is_on_offer_is_checked(choice: str, found: str) -> None:
    toy = asking(it=ask("pick", "Forest", "Hill Giant", least=1, most=1))()
    steps = f"when: [{{cast: Ask it}}, {{resolve: top, choices: [{choice}]}}]\nthen: {{stack: []}}"
    result = verdict(BOARD + steps, toy)
    assert result.verdict == found, result.message
    if found == "fail":
        (mismatch,) = result.mismatches
        assert mismatch.subject == "options"
        assert "Forest, Hill Giant (giant)" in mismatch.actual or "Hill Giant (giant), Forest" in mismatch.actual


def test_numbers_and_words_on_offer_are_checked() -> None:
    steps = "when: [{cast: Ask it}, {resolve: top, choices: [%s]}]\nthen: {stack: []}"
    for question, choice, found in (
        (words("modes", 1, 3, least=1, most=1), "{modes: [3], options: [1, 3]}", "pass"),
        (words("modes", 1, 3, least=1, most=1), "{modes: [3], not: [1]}", "fail"),
        (words("x", most=2), "{x: 2, options: [0, 1, 2]}", "pass"),
        (words("may"), "{may: yes, options: [yes, no]}", "pass"),
        (words("pay"), "{pay: no, options: [no]}", "fail"),
        (words("pay", False), "{pay: no, options: [no], not: [yes]}", "pass"),
        (words("x", most=2), "{x: 2, not: [3]}", "pass"),
        (words("x", most=2), "{x: 2, options: [1, 2]}", "fail"),
        (words("color", "red", "blue"), "{color: red, not: [blue]}", "fail"),
    ):
        assert verdict(BOARD + steps % choice, asking(it=question)()).verdict == found, choice


def test_three_alike_are_on_offer_under_one_name() -> None:
    toy = asking(it=ask("pick", "Island", least=1, most=1))
    steps = "when: [{cast: Ask it}, {resolve: top, choices: [{pick: [Island#1], options: [%s]}]}]"
    assert verdict(BOARD + steps % "Island, Island", toy()).verdict == "pass"
    assert verdict(BOARD + steps % "Island", toy()).verdict == "fail"
    assert verdict(BOARD + steps % "Island, Island, Island", toy()).verdict == "fail"


def test_a_name_that_several_options_have_is_a_mistake() -> None:
    toy = asking(it=ask("pick", "Island", least=1, most=1))()
    result = verdict(BOARD + "when: [{cast: Ask it}, {resolve: top, choices: [{pick: [Island]}]}]", toy)
    assert result.verdict == "invalid"
    assert "2 of the options go by Island" in result.message


def test_what_is_not_on_offer_is_looked_for_in_the_whole_game() -> None:
    assert answered(ask("pick", "Island", least=1, most=1), "{pick: [giant]}") == ["o6"]


def test_what_is_nowhere_is_a_mistake() -> None:
    toy = asking(it=ask("pick", "Island", least=1, most=1))()
    result = verdict(BOARD + "when: [{cast: Ask it}, {resolve: top, choices: [{pick: [Swamp]}]}]", toy)
    assert (result.verdict, "no object goes by Swamp" in result.message) == ("invalid", True)


class Making(Strict):
    """Makes two things while it resolves, and asks about them at once."""

    blind = False

    def _resolve(self, spell: Any) -> None:
        made = [self._make("Spirit Token", "battlefield", "alice", kind="token") for _ in range(2)]
        offered = tuple(Option(thing.id, thing.name) for thing in made)
        self._ask(Question("alice", "order", "", offered))
        self._leave_stack(spell)

    def view(self) -> View:
        if self.blind and any(thing.kind == "token" for thing in self.state.things.values()):
            raise RuntimeError("not now")
        return super().view()


def test_what_appears_while_an_engine_acts_can_be_named() -> None:
    toy = Making()
    steps = "when: [{cast: Think Twice}, {resolve: top, choices: [{order: [Spirit Token#2, Spirit Token#1]}]}]\n"
    result = verdict(BOARD + steps + "then: {Think Twice: {zone: graveyard}}", toy)
    assert result.verdict == "pass", result.message
    first, second = (t.id for t in toy.state.things.values() if t.kind == "token")
    assert toy.answers == [[second, first]]


def test_an_engine_that_shows_nothing_while_it_acts_is_not_at_fault_for_that() -> None:
    class Blind(Making):
        blind = True

    steps = "when: [{cast: Think Twice}, {resolve: top, choices: [{order: [Spirit Token#2, Spirit Token#1]}]}]\n"
    result = verdict(BOARD + steps, Blind())
    assert result.verdict == "invalid"
    assert "Spirit Token" in result.message


def waiting(*names: str) -> Callable[[Toy, str], Question]:
    """Ask for the order of abilities that are not on the stack yet."""

    def make(toy: Toy, player: str) -> Question:
        sources = {thing.name: thing.id for thing in toy.state.things.values()}
        offered = tuple(Option(f"w{n}", f"ability of {name}", sources[name]) for n, name in enumerate(names, start=1))
        return Question(player, "order", "", offered)

    return make


@pytest.mark.parametrize(
    ("choice", "answer"),
    [
        ("[ability of Hill Giant, ability of Forest]", ["w2", "w1"]),
        ("[ability of giant, ability of Forest]", ["w2", "w1"]),
    ],
)
def test_waiting_abilities_go_by_the_names_of_their_sources(choice: str, answer: list[str]) -> None:
    assert answered(waiting("Forest", "Hill Giant"), f"{{order: {choice}}}") == answer


def test_waiting_abilities_of_one_source_are_numbered() -> None:
    choice = "{order: [ability of giant#2, ability of giant#1]}"
    assert answered(waiting("Hill Giant", "Hill Giant"), choice) == ["w2", "w1"]


@pytest.mark.parametrize("numbers", [(2, 3), (1, 2)])
def test_numbers_count_on_from_the_abilities_that_were_put_on_the_stack(numbers: tuple[int, int]) -> None:
    toy = asking(it=waiting("Hill Giant", "Hill Giant"))()
    order = ", ".join(f"ability of Hill Giant#{number}" for number in reversed(numbers))
    resolve = f"{{resolve: top, choices: [{{order: [{order}]}}]}}"
    steps = f"when: [{{activate: giant}}, {{resolve: all}}, {{cast: Ask it}}, {resolve}]\nthen: {{stack: []}}"
    result = verdict(BOARD + steps, toy)
    assert result.verdict == "pass", result.message
    assert toy.answers == [["w2", "w1"]]


def test_a_refused_answer_fails_the_case() -> None:
    steps = "when: [{cast: Shock, by: bob, choices: [{targets: [Think Twice]}]}]\nthen: {stack: [Shock]}"

    class Refusing(Strict):
        def _ask(self, question: Question) -> Any:
            from judgecall.adapters.engine import Illegal

            answer = super()._ask(question)
            if answer and answer[0] not in [option.value for option in question.options]:
                raise Illegal("no such target", "115.1", "targets")
            return answer

    result = verdict(BOARD + steps, Refusing())
    assert (result.verdict, result.rules) == ("fail", ("115.1",))
    assert "no such target" in result.message


def test_a_verdict_found_while_asked_survives_an_engine_that_swallows_it() -> None:
    toy = Swallowing()
    toy.questions = {"Ask it": words("may")}  # type: ignore[misc]
    result = verdict(BOARD + "when: [{cast: Ask it}, {resolve: top}]\nthen: {stack: []}", toy)
    assert result.verdict == "fail"
    assert "the case does not answer" in result.message


def test_a_question_that_cannot_be_read_is_the_engine_s_error() -> None:
    toy = asking(it=lambda toy, player: Question(player, "pick", "", 7))()  # type: ignore[arg-type]
    result = verdict(BOARD + "when: [{cast: Ask it}, {resolve: top}]", toy)
    assert result.verdict == "error"
    assert "cannot be read" in result.message


def test_chance_is_never_forced() -> None:
    assert forced(Question("alice", "coin", "", (Option("heads"),))) is OPEN
    assert forced(Question("alice", "roll", "", (Option(1),), 1, 1)) is OPEN


@pytest.mark.parametrize(
    ("library", "picked"),
    [("", "Plains, Plains"), (", library: [Forest, 3 Island]", "Island, Island"), ("", "2 Plains")],
)
def test_a_name_that_is_picked_several_times_is_that_of_several(library: str, picked: str) -> None:
    body = (
        f"given: {{alice: {{hand: [Kodama's Reach], mana: '{{G}}{{G}}{{G}}'{library}}}}}\n"
        "when:\n"
        "  - cast: Kodama's Reach\n"
        f"  - {{resolve: top, choices: [{{pick: [{picked}]}}]}}\n"
        "then: {alice: {hand_size: 1}, Kodama's Reach: {zone: graveyard}}"
    )
    result = verdict(body, OracleEngine())
    assert result.verdict == "pass", result.message


@pytest.mark.parametrize(
    "piles", ["bottom: [Forest, Forest]", "top: [Forest], bottom: [Forest]", "top: [Forest#3, Forest#2]"]
)
def test_cards_that_look_alike_are_put_into_piles_by_their_name(piles: str) -> None:
    body = (
        "given: {alice: {hand: [Serum Visions], mana: '{U}', library: [3 Forest, Plains]}}\n"
        "when:\n"
        "  - cast: Serum Visions\n"
        f"  - {{resolve: top, choices: [{{scry: {{{piles}}}}}]}}\n"
        "then: {alice: {hand: [Forest], library_size: 3}}"
    )
    result = verdict(body, OracleEngine())
    assert result.verdict == "pass", result.message
