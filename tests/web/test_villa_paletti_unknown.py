"""Questions about a villa with unknown facts, on the pages: the results of taps, and the facts that rulings name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from rules import GAMES
from rules.forms import is_unknown, rest_is_unknown
from rules.kernel import Cell
from service.i18n.sentences import words
from tests.support.question_pages import Asker, text_of
from tests.web.conftest import Visitor
from web.game_pages import Choice, Snapshot
from web.games import pages_of
from web.position_url import known_part, unknown_facts

GAME = GAMES["villa_paletti"]
ENTRY = pages_of(GAME.id).entry
WORDS = words("en", "villa_paletti")
assert ENTRY is not None
Visitors = Callable[..., Visitor]


def new_question() -> Snapshot:
    """The position with which a question begins."""
    assert ENTRY is not None and ENTRY.mark_unknown is not None
    return ENTRY.mark_unknown(ENTRY.blank())


def tap(entered: Snapshot, cell: Cell | None, label: str) -> Snapshot:
    """The position after a choice, at a cell or beside the board."""
    assert ENTRY is not None
    groups = [*ENTRY.choices(entered, cell, WORDS), *(() if cell else ENTRY.moment(entered, WORDS))]
    (choice,) = (choice for group in groups for choice in group.choices if choice.label == label)
    return choice.snapshot


def chosen_labels(entered: Snapshot, cell: Cell | None = None) -> list[str]:
    """The labels of the chosen choices."""
    assert ENTRY is not None
    return [
        choice.label for group in ENTRY.choices(entered, cell, WORDS) for choice in group.choices if choice.is_chosen
    ]


def choices(entered: Snapshot, cell: Cell | None = None) -> list[Choice]:
    assert ENTRY is not None
    return [choice for group in ENTRY.choices(entered, cell, WORDS) for choice in group.choices]


def test_the_column_that_decides_is_named_and_leads_to_its_locks(visitor: Visitors) -> None:
    """The ruling names a column whose lock is unknown and links to it; with its locks entered, it is decided."""
    hand = Asker(visitor(), "/ask/villa_paletti")
    assert "unseen-mark" in hand.html
    hand.click("c-red.small.0")
    hand.choose("1")
    hand.choose("not known")
    hand.click("cancel")
    hand.choose("Red")
    hand.click("ask")
    hand.go("?move=red+small+0")
    assert "Undecided" in hand.page.text
    assert "To decide it, look at Red’s small column on level 0." in hand.page.text
    hand.click("look-1")
    hand.choose("0 locked")
    hand.click("ask")
    hand.go("?move=red+small+0")
    assert "Undecided" not in hand.page.text
    assert "Legal" in hand.page.text


def test_what_is_tapped_is_entered_and_all_else_stays_unknown() -> None:
    """A tap on a number or on none makes just that group of columns known; hiding it makes it unknown again."""
    entered = new_question()
    every = unknown_facts(GAME, entered)
    assert "red small 1" in every and "out red small" in every and rest_is_unknown(entered.position)
    two = tap(entered, "red small 1", "2")
    assert chosen_labels(two, "red small 1") == ["2", "0 locked"]
    assert set(every) - set(unknown_facts(GAME, two)) == {"red small 1"}
    none = tap(two, "red small 1", "")
    assert chosen_labels(none, "red small 1") == [""]
    assert set(every) - set(unknown_facts(GAME, none)) == {"red small 1"}
    assert ENTRY is not None
    assert ENTRY.hide(none, "red small 1") == entered
    assert ENTRY.hide(entered, "level 1") is None
    assert GAME.problems(two.setup, known_part(GAME, two).position) == ()


def test_a_group_of_a_whole_villa_may_be_hidden() -> None:
    """A hidden group's columns may stand or be out of the game; every other group stays known."""
    assert ENTRY is not None
    blank = ENTRY.blank()
    assert not [choice for choice in choices(blank, "blue hex 0") if choice.is_unknown], "a count knows everything"
    hidden = ENTRY.hide(blank, "blue hex 0")
    assert hidden is not None
    assert unknown_facts(GAME, hidden) == ("blue hex 0", "out blue hex")
    assert GAME.problems(hidden.setup, known_part(GAME, hidden).position) == ()
    assert tap(hidden, "blue hex 0", "1").position.out == ()


@pytest.mark.parametrize("fact", ["holder", "previous"])
def test_nobody_knows_who_has_the_seal_once_there_is_one(fact: str) -> None:
    """From the green floor on the seal's holder is unknown until entered; before, nobody has it (`VP-30`)."""
    entered = new_question()
    assert getattr(entered.position, fact) is None
    higher = tap(entered, None, "green floor")
    assert is_unknown(getattr(higher.position, fact)) and fact in unknown_facts(GAME, higher)
    assert chosen_labels(higher).count("not known") == 2
    told = replace(higher, position=replace(higher.position, **{fact: "red"}))
    assert fact not in unknown_facts(GAME, told)
    assert getattr(tap(higher, None, "blue floor").position, fact) is None


def test_whose_turn_it_is_may_be_unknown() -> None:
    """A question, but no count, has a choice for an unknown turn."""
    assert ENTRY is not None
    assert "not known" not in [choice.label for group in ENTRY.moment(ENTRY.blank(), WORDS) for choice in group.choices]
    entered = new_question()
    (group,) = ENTRY.moment(entered, WORDS)
    unknown = group.choices[-1].snapshot
    assert "due" in unknown_facts(GAME, unknown)
    (group,) = ENTRY.moment(unknown, WORDS)
    assert [choice.label for choice in group.choices if choice.is_chosen] == ["not known"]


def test_the_page_says_what_beside_the_board_is_not_counted(visitor: Visitors) -> None:
    """With all columns known, the page still says that the seal's earlier holder is missing for a count."""
    assert ENTRY is not None
    entered = tap(new_question(), None, "green floor")
    seals = next(group for group in ENTRY.choices(entered, None, WORDS) if group.title == "Who has the seal")
    held = next(choice.snapshot for choice in seals.choices if choice.label == "Red")
    for at_once in (held, held.with_changes(rest="empty")):
        page = visitor().get(f"/ask/villa_paletti/{text_of(at_once)}").text
        assert "Nothing is counted until you say who had the seal before." in page
