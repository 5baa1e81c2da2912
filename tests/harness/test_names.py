"""Which object a name in a case means."""

from __future__ import annotations

import pytest
from judgecall.adapters.engine import ObjectView, View
from judgecall.harness.names import AmbiguousName, GoneName, Names, UnknownName, halves, split_number

from tests.harness.helpers import case_of

GIVEN = """
given:
  alice:
    hand: [Think Twice]
    battlefield:
      - 2 Island
      - {card: Exalted Angel, as: angel, face_down: morph}
      - {card: Clone, copy_of: Hill Giant}
      - {token: Treasure}
  bob:
    battlefield: [Island, Hill Giant]
    graveyard: [Fire // Ice]
then:
  alice: {life: 20}
"""


def card(id_: str, handle: str, name: str, zone: str = "battlefield", card_name: str | None = None) -> ObjectView:
    return ObjectView(id_, zone, "alice", name, card=handle, card_name=card_name or name)


def view(*objects: ObjectView, stack: tuple[str, ...] = ()) -> View:
    return View({seen.id: seen for seen in objects}, {}, stack, {})


START = (
    card("a1", "alice.hand.0", "Think Twice", "hand"),
    card("a2", "alice.battlefield.0", "Island"),
    card("a3", "alice.battlefield.1", "Island"),
    card("a4", "alice.battlefield.2", "", card_name="Exalted Angel"),
    card("a5", "alice.battlefield.3", "Hill Giant", card_name="Clone"),
    ObjectView("a6", "battlefield", "alice", "Treasure Token", kind="token", card="alice.battlefield.4"),
    card("b1", "bob.battlefield.0", "Island"),
    card("b2", "bob.battlefield.1", "Hill Giant"),
    card("b3", "bob.graveyard.0", "Fire", "graveyard", card_name="Fire"),
    card("p1", "alice.library.default.0", "Plains", "library"),
    card("p2", "alice.library.default.1", "Plains", "library"),
)


@pytest.fixture
def names() -> Names:
    names = Names(case_of(GIVEN).given)
    names.observe(view(*START))
    return names


@pytest.mark.parametrize(
    ("reference", "id_"),
    [
        ("Think Twice", "a1"),
        ("Island#1", "a2"),
        ("Island#2", "a3"),
        ("Island#3", "b1"),
        ("angel", "a4"),
        ("Exalted Angel", "a4"),
        ("Clone", "a5"),
        ("Hill Giant#1", "a5"),
        ("Hill Giant#2", "b2"),
        ("Treasure Token", "a6"),
        ("Fire", "b3"),
        ("Fire // Ice", "b3"),
        ("alice", "alice"),
    ],
)
def test_an_object_is_found_by_name_alias_or_number(names: Names, reference: str, id_: str) -> None:
    assert names.id_of(reference) == id_
    assert reference == "alice" or names.means(reference, id_)


@pytest.mark.parametrize("reference", ["Island", "Hill Giant"])
def test_a_name_that_several_have_now_is_ambiguous(names: Names, reference: str) -> None:
    with pytest.raises(AmbiguousName, match=f"{reference}#n"):
        names.id_of(reference)


@pytest.mark.parametrize("reference", ["Swamp", "Island#4", "devil", "Treasure Token#2", "copy of Island"])
def test_a_name_that_nothing_has_is_unknown(names: Names, reference: str) -> None:
    with pytest.raises(UnknownName):
        names.id_of(reference)


def test_a_card_stays_itself_from_zone_to_zone(names: Names) -> None:
    names.observe(view(*START[1:], card("a9", "alice.hand.0", "Think Twice", "graveyard")))
    assert names.id_of("Think Twice") == "a9"
    assert names.same("Think Twice", "a1")


def test_an_alias_follows_a_card_that_is_turned_face_up(names: Names) -> None:
    others = (seen for seen in START if seen.id != "a4")
    names.observe(view(*others, card("x1", "alice.battlefield.2", "Exalted Angel", "exile")))
    assert names.id_of("angel") == names.id_of("Exalted Angel") == "x1"


def test_what_is_gone_is_remembered_and_keeps_its_number(names: Names) -> None:
    spirits = [ObjectView(f"t{n}", "battlefield", "bob", "Spirit Token", kind="token") for n in (1, 2)]
    names.observe(view(*START, *spirits))
    names.observe(view(*START, spirits[1]))
    assert names.id_of("Spirit Token") == names.id_of("Spirit Token#2") == "t2"
    assert not names.is_live(names.find("Spirit Token#1"))
    with pytest.raises(GoneName):
        names.id_of("Spirit Token#1")


def test_what_an_engine_still_shows_as_nowhere_is_gone(names: Names) -> None:
    left = card("a1", "alice.hand.0", "Think Twice", "nowhere")
    names.observe(view(left, *START[1:]))
    assert not names.is_live(names.find("Think Twice"))


def test_a_later_bearer_of_a_name_is_counted_after_the_earlier_ones(names: Names) -> None:
    changed = card("a1", "alice.hand.0", "Hill Giant", "battlefield", card_name="Think Twice")
    names.observe(view(changed, *START[1:]))
    assert names.id_of("Hill Giant#3") == "a1"
    assert names.id_of("Hill Giant#2") == "b2"
    assert names.id_of("Think Twice") == "a1"


def test_a_copy_of_a_spell_is_called_so_until_it_is_a_token(names: Names) -> None:
    names.observe(view(*START, ObjectView("c", "stack", "alice", "Think Twice", kind="copy"), stack=("c",)))
    assert names.id_of("copy of Think Twice") == "c"
    assert names.id_of("Think Twice") == "a1"
    names.observe(view(*START, ObjectView("c", "battlefield", "alice", "Ogre", kind="token")))
    assert names.id_of("Ogre") == "c"


def test_a_copy_is_found_by_the_alias_of_what_it_copies(names: Names) -> None:
    copied = ObjectView("c", "stack", "alice", "Exalted Angel", kind="copy")
    names.observe(view(*START, copied, stack=("c",)))
    assert names.id_of("copy of angel") == "c"


def test_abilities_are_counted_in_the_order_in_which_they_were_put_on_the_stack(names: Names) -> None:
    def ability(id_: str) -> ObjectView:
        return ObjectView(id_, "stack", "alice", "", kind="ability", source="b2", source_name="Hill Giant")

    names.observe(view(*START, ability("later"), ability("sooner"), stack=("later", "sooner")))
    assert names.id_of("ability of Hill Giant#1") == "sooner"
    assert names.id_of("ability of Hill Giant#2") == "later"
    names.observe(view(*START, ability("later"), ability("last"), stack=("last", "later")))
    assert names.id_of("ability of Hill Giant#3") == "last"
    assert names.id_of("ability of Hill Giant#2") == "later"
    with pytest.raises(AmbiguousName):
        names.id_of("ability of Hill Giant")


def test_an_ability_of_a_face_down_object_goes_by_alias_and_card(names: Names) -> None:
    ability = ObjectView(
        "t",
        "stack",
        "alice",
        "",
        kind="ability",
        source="a4",
        source_name="",
        source_card="alice.battlefield.2",
    )
    names.observe(view(*START, ability, stack=("t",)))
    assert names.id_of("ability of angel") == names.id_of("ability of Exalted Angel") == "t"


def test_an_ability_that_only_waits_is_not_numbered_yet(names: Names) -> None:
    waiting = ObjectView("w", "", "alice", "", kind="ability", source="b2", source_name="Hill Giant")
    names.observe(view(*START, waiting))
    with pytest.raises(UnknownName):
        names.id_of("ability of Hill Giant")


def test_a_library_that_is_not_listed_has_no_numbers(names: Names) -> None:
    with pytest.raises(UnknownName):
        names.id_of("Plains#1")
    names.observe(view(*START[:-1], card("h", "alice.library.default.1", "Plains", "hand")))
    assert names.id_of("Plains") == "h"


def test_labels_tell_objects_apart(names: Names) -> None:
    assert [names.label(id_) for id_ in ("a1", "a3", "a4", "bob", "?")] == [
        "Think Twice",
        "Island#2",
        "Exalted Angel (angel)",
        "bob",
        "?",
    ]


def test_parts_of_a_reference() -> None:
    assert split_number("Island#12") == ("Island", 12)
    assert split_number("Island#0") == ("Island#0", None)
    assert split_number("Island") == ("Island", None)
    assert halves("Fire // Ice") == ("Fire // Ice", "Fire")
    assert halves("Fire") == ("Fire",)
