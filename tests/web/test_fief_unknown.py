"""Questions about Fief with unknown villages, on the pages."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest

from rules import GAMES
from rules.fief.state import StandingLord
from rules.fief.unknowns.gaps import OF_A_LORD, doubts
from rules.forms import THE_REST, UNKNOWN, is_unknown
from service.i18n.sentences import words
from tests.support.question_pages import Asker, text_of
from tests.web.conftest import Visitor
from web.game_pages import Snapshot
from web.games import pages_of

GAME = GAMES["fief"]
ENTRY = pages_of(GAME.id).entry
assert ENTRY is not None
Visitors = Callable[..., Visitor]
ARTHUR = StandingLord("Arthur", "red", "Sigy")
BLANCHE = StandingLord("Blanche", "blue", "Blaye")


def enter(*lords: StandingLord, **more: Any) -> Snapshot:
    """A map with these lords."""
    assert ENTRY is not None
    return ENTRY.blank().with_changes(lords=lords, **more)


def asking(visitor: Visitor, position: Snapshot, move: str) -> Asker:
    """A browser on the page that rules on this move."""
    hand = Asker(visitor, f"/ask/fief/{text_of(position)}/move")
    hand.go(f"?move={move.replace(' ', '+')}")
    return hand


def again(hand: Asker, move: str) -> None:
    """Ask about the same move in the present position."""
    hand.click("ask")
    hand.go(f"?move={move.replace(' ', '+')}")


def test_a_village_is_entered_whole_or_unknown(visitor: Visitors) -> None:
    """All villages begin unknown; one entered fact makes a village known, and a tap makes it unknown again."""
    hand = Asker(visitor(), "/ask/fief")
    every = hand.html.count("unseen-mark")
    assert every == 24
    hand.click("c-sigy")
    hand.choose("Red")
    assert hand.html.count("unseen-mark") == every - 1
    hand.choose("unknown")
    assert hand.html.count("unseen-mark") == every
    hand.choose("nobody")
    assert hand.html.count("unseen-mark") == every - 1


def test_the_rest_is_empty(visitor: Visitors) -> None:
    """One tap declares all other villages empty; a village can still be made unknown."""
    hand = Asker(visitor("fr"), "/ask/fief")
    hand.click("rest")
    assert "unseen-mark" not in hand.html
    hand.click("c-sigy")
    hand.choose("inconnu")
    assert hand.html.count("unseen-mark") == 1


# --- what is needed of lords is a tap away ---------------------------------------------------------------------------


def test_which_other_lords_are_in_play(visitor: Visitors) -> None:
    """Unknown lords leave a marriage undecided: one tap leads to them, and another says that none is in play."""
    move = "marry Arthur Blanche"
    hand = asking(visitor(), enter(ARTHUR, BLANCHE, rest=THE_REST), move)
    assert "Undecided" in hand.page.text
    hand.click("look-1")
    assert "at=lord-others" in hand.url
    assert "Lords of whom nothing is known" in hand.page.text
    hand.choose("none of them is in play")
    again(hand, move)
    assert "Undecided" not in hand.page.text
    assert "Legal" in hand.page.text


@pytest.mark.parametrize(("label", "ruling"), [("not in play", "Not legal"), ("dead", "Not legal")])
def test_whether_a_lord_is_in_play(visitor: Visitors, label: str, ruling: str) -> None:
    """A tap leads from the ruling to a lord who was not entered; *not in play* or *dead* decides it."""
    move = "marry Arthur Jeanne"
    hand = asking(visitor(), enter(ARTHUR, BLANCHE, rest=THE_REST), move)
    assert "Undecided" in hand.page.text
    hand.click("look-1")
    assert "at=lord-" in hand.url and "at=lord-others" not in hand.url
    hand.choose(label)
    again(hand, move)
    assert ruling in hand.page.text


def test_a_lord_who_is_found_stands_somewhere(visitor: Visitors) -> None:
    """A lord entered as in play gets a village and a player; *not known* after *dead* asks again where."""
    position = enter(ARTHUR, BLANCHE, rest=THE_REST, absent=("Jeanne",))
    hand = Asker(visitor(), f"/ask/fief/{text_of(position)}?at=lord-{land_order('Jeanne')}")
    hand.choose("Tournus")
    hand.choose("Green")
    assert "Jeanne" in hand.page.text
    hand.go(f"?at=lord-{land_order('Henri')}")
    hand.choose("dead")
    hand.choose("not known")
    assert "In play: where?" in hand.page.text


def land_order(name: str) -> int:
    """The number of a lord."""
    assert ENTRY is not None
    blank = ENTRY.blank()
    return int(GAME.enter(blank.setup, blank.position).land.order[name])


@pytest.mark.parametrize("code", OF_A_LORD)
def test_a_single_fact_of_a_lord_is_entered_where_it_is_asked_for(code: str) -> None:
    """Each unknown fact of a lord has a place on the board, where every choice sets that fact."""
    assert ENTRY is not None
    told: dict[str, Any] = {"name": "Arthur", "player": "red", "place": "Sigy", code: UNKNOWN}
    lord = StandingLord(**told)
    position = enter(lord, BLANCHE, cities=("Sigy",))
    need = f"{code} Arthur"
    assert need in doubts(position.setup, position.position)
    state = GAME.enter(position.setup, enter(ARTHUR, BLANCHE).position)
    key = ENTRY.place(state, need)
    assert key is not None
    known = [
        choice.snapshot.position
        for group in ENTRY.choices(position, key, words("en", "fief"))
        for choice in group.choices
        if need not in doubts(choice.snapshot.setup, choice.snapshot.position)
    ]
    values = {repr(getattr(each.lords[0], code)) for each in known if len(each.lords) > 1}
    assert len(values) > 1 and repr(UNKNOWN) not in values
    for each in known:
        others = {f for f in OF_A_LORD if f != code and each.lords and is_unknown(getattr(each.lords[0], f))}
        assert not others


def test_a_fact_of_a_village_leads_to_the_village(visitor: Visitors) -> None:
    """The ruling links to an unknown village, where its controller is entered."""
    position = enter(ARTHUR, BLANCHE, phase="movements", villages={"St Ciers d'Abzac": UNKNOWN})
    hand = asking(visitor("fr"), position, "move Arthur Sigy>St Ciers d'Abzac>Beaujeu")
    hand.click("look-1")
    assert "at=st-ciers-d-abzac" in unescape(hand.url)
    hand.choose("personne")
    again(hand, "move Arthur Sigy>St Ciers d'Abzac>Beaujeu")
    assert "Permis" in hand.page.text
