"""The page that corrects a table's board by taps, without a script: compared with the log, confirmed, undone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from service.storage.ledger import Ledger
from tests.support.document import Document
from tests.support.question_pages import Asker, text_with
from tests.support.records import RECORD_PATHS, records_of
from tests.web.conftest import Visitor
from web.position_url import Trail

Visitors = Callable[..., Visitor]
SAME = {"en": "This is what the log gives.", "fr": "C’est ce que donne le journal."}
REACHABLE = {"en": "The game can have come to this", "fr": "La partie peut en être arrivée là"}


def now(guest: Visitor, table: str) -> str:
    """The address of the page on which the present board is entered."""
    answer = guest.client.get(f"{table}/here")
    assert answer.status_code == 303
    return str(answer.headers["Location"])


@pytest.mark.parametrize("language", REACHABLE)
def test_the_host_enters_what_lies_there_and_takes_it_back(language: str, visitor: Visitors) -> None:
    """The host enters the board; the page says how play can reach it, the log has the entry, and undo removes it."""
    guest = visitor(language)
    table = guest.open()
    assert f"{table}/here" in guest.see(table).links()
    here = now(guest, table)
    assert SAME[language] in guest.see(here).text
    bricks = {"b1": "c1", "c1": "b1"}
    cells = {at: [{"piece": "brick", "colour": "black", "second": other}] for at, other in bricks.items()}
    changed = f"{table}/here/{text_with(here, cells=cells, due='white', first_turn=False)}"
    seen = guest.see(changed)
    assert REACHABLE[language] in seen.text
    assert {"en": "Black’s brick", "fr": "brique de Noir"}[language] in seen.text
    guest.send(seen.form("/here"))
    assert REACHABLE[language] in guest.see(f"{table}/moves").text
    guest.send(guest.see(table).form("/rewind", to="1"))
    assert SAME[language] in guest.see(now(guest, table)).text


def links_to_rule(page: Document, rule: str) -> list[str]:
    """The labels of the links to a rule."""
    labels = (found.get("aria-label") or "" for _, found in page.elements)
    return [label for label in labels if label.startswith(f"{rule} ")]


def test_problems_and_what_cannot_be_are_shown(visitor: Visitors) -> None:
    """A position with problems is refused; one that no play reaches can be entered, and the page says why."""
    guest = visitor()
    table = guest.open()
    guest.place(table, "r b1c1")
    here = now(guest, table)
    gone = guest.see(f"{table}/here/{text_with(here, cells={})}")
    assert links_to_rule(gone, "VF-6")
    cells = {"b1": [{"piece": "brick", "colour": "black", "second": "c1"}]}
    half = guest.see(f"{table}/here/{text_with(here, cells=cells)}")
    assert links_to_rule(half, "VF-5")
    address, fields = half.form("/here")
    assert guest.post(address, fields).status_code == 422
    guest.send(gone.form("/here"))
    assert not links_to_rule(guest.see(now(guest, table)), "VF-6")


def test_a_wrong_turn_alone_is_not_put_down_to_the_pieces(visitor: Visitors) -> None:
    """Where all pieces lie as in the log and only the turn differs, no sentence says that pieces cannot get there."""
    guest = visitor()
    table = guest.open()
    seen = guest.see(f"{table}/here/{text_with(now(guest, table), due='white', first_turn=False)}")
    assert "The game cannot have come to this" in seen.text
    assert "After these pieces it is Black’s turn" in seen.text
    assert "pieces cannot" not in seen.text


def test_what_is_no_form_is_said(visitor: Visitors) -> None:
    """An incomplete form gets 422. One that is late gets 412, and a form to send again."""
    guest = visitor()
    table = guest.open()
    here = now(guest, table)
    address, fields = guest.see(f"{table}/here/{text_with(here, due='white', first_turn=False)}").form("/here")
    for wrong in ({"text": ""}, {"text": "x"}, {"version": ""}):
        assert guest.post(address, {**fields, **wrong}).status_code == 422
    guest.place(table, "r b1c1")
    late = guest.post(address, fields)
    assert late.status_code == 412
    assert "Another phone was faster: " in late.text and "tap again" in late.text
    assert "version" not in Document(late.text).text
    guest.send(Document(late.text).form("/here"))
    assert guest.client.get(f"{table}/here/nonsense").status_code == 422


@pytest.mark.parametrize("language", SAME)
@pytest.mark.parametrize("version", ["1", "2"])
def test_a_position_that_cannot_be_shown_is_refused_as_a_page(version: str, language: str, visitor: Visitors) -> None:
    """Half a brick, sent by hand with the present or an old version, is refused by a page that names its cell. The
    control, a whole brick, is entered.
    """
    guest = visitor(language)
    table = guest.open()
    guest.place(table, "r b9c9")
    here = now(guest, table)
    half: dict[str, Any] = {"b1": [{"piece": "brick", "colour": "black"}]}
    whole = {f"{x}1": [{"piece": "brick", "colour": "black", "second": f"{y}1"}] for x, y in ("bc", "cb")}
    address, fields = guest.see(f"{table}/here/{text_with(here, cells=whole)}").form("/here")
    refused = guest.post(address, fields | {"text": text_with(here, cells=half), "version": version})
    assert refused.status_code == (422 if version == "2" else 412)
    assert "<html" in refused.text
    assert "b1" in Document(refused.text).text
    assert guest.post(address, fields | {"version": version}).status_code == (303 if version == "2" else 412)


ADJUSTMENT = {"en": "The position is adjusted by hand", "fr": "La position est rectifiée à la main"}


@pytest.mark.parametrize("language", ADJUSTMENT)
def test_what_is_entered_for_a_dispute_settles_it(language: str, visitor: Visitors) -> None:
    """A dispute links to the board in edit mode; the board entered there settles it, and undo reopens it."""
    guest = visitor(language)
    table = guest.open()
    guest.place(table, "r b1c1")
    asked = guest.see(f"{table}/disputes/new?entry=2").form("/disputes", entry="2")
    raised = guest.send(asked, question="?")
    assert ADJUSTMENT[language] in raised.text
    assert f"{table}/disputes/1/here" in raised.links()
    here = now(guest, f"{table}/disputes/1")
    assert f"{table}/disputes/1" in guest.see(here).links()
    assert any(link.startswith(f"{table}/disputes/1/here/") for link in guest.see(f"{here}?at=e5").links())
    seen = guest.see(f"{table}/disputes/1/here/{text_with(here, cells={})}")
    settled = guest.send(seen.form("/disputes/1/here"))
    assert ADJUSTMENT[language] in settled.text
    assert guest.get(here).status_code == 303
    assert guest.post(*seen.form("/disputes/1/here")).status_code == 303
    address, fields = seen.form("/disputes/1/here")
    assert guest.post(address, {**fields, "version": "5", "key": "again"}).status_code == 409
    guest.send(guest.see(table).form("/rewind", to="3"))
    assert f"{table}/disputes/1/here" in guest.see(f"{table}/disputes/1").links()


def test_only_a_dispute_that_there_is_can_be_settled_so(visitor: Visitors) -> None:
    """For an unknown dispute the page and the form answer 404; a refused position leaves a dispute open."""
    guest = visitor()
    table = guest.open()
    guest.place(table, "r b1c1")
    assert guest.get(f"{table}/disputes/1/here").status_code == 404
    guest.send(guest.see(f"{table}/disputes/new?entry=2").form("/disputes", entry="2"), question="?")
    here = now(guest, f"{table}/disputes/1")
    cells = {"b1": [{"piece": "brick", "colour": "black", "second": "c1"}]}
    half = guest.see(f"{table}/disputes/1/here/{text_with(here, cells=cells)}")
    address, fields = half.form("/disputes/1/here")
    assert guest.post(address, fields).status_code == 422
    assert guest.post(address.replace("disputes/1", "disputes/2"), fields).status_code == 404
    assert f"{table}/disputes/1/here" in guest.see(f"{table}/disputes/1").links()


@pytest.mark.parametrize("name", sorted({path.parent.name for path in RECORD_PATHS}))
def test_every_game_has_the_page(name: str, visitor: Visitors, ledger: Ledger) -> None:
    """A table of every game has the page and its form."""
    path = records_of(name)[0]
    guest = visitor()
    table = guest.sit(ledger, f"{name}/{path.stem}")
    page = guest.see(now(guest, table))
    assert page.form("/here")


def test_the_log_holds_no_sides_that_nobody_entered(visitor: Visitors, ledger: Ledger) -> None:
    """For a building added to a table of Architekton the page asks for its sides, and refuses the form before.

    The host taps the sides one by one, or confirms those drawn.
    """
    guest = visitor()
    table = guest.sit(ledger, f"architekton/{records_of('architekton')[0].stem}")
    hand = Asker(guest, now(guest, table))
    free = next(each for _, each in hand.page.elements if "free" in (each.get("aria-label") or ""))
    hand.go(free["href"] or "")
    hand.choose("no house")
    assert "Nobody has entered the sides" in hand.page.text
    assert re.search(r'id="enter-here" disabled', hand.html)
    address, fields = hand.page.form("/here")
    assert guest.post(address, fields).status_code == 422
    before = hand.url
    hand.choose("as drawn")
    assert "Nobody has entered the sides" not in hand.page.text
    hand.go(before)
    for side in ("Top", "Right", "Bottom", "Left"):
        hand.choose(f"{side}: earth")
    assert "Nobody has entered the sides" not in hand.page.text


@pytest.mark.parametrize(
    ("record", "names"),
    [("robber_knights/two_at_seven", ("Yann", "Rosa")), ("villa_paletti/three_by_other_readings", ("Bo", "Rosa"))],
)
def test_the_turn_of_another_player_is_at_its_start(
    record: str, names: tuple[str, str], visitor: Visitors, ledger: Ledger
) -> None:
    """In the middle of a turn, play leads to the next player's turn; the player in turn stays where the turn is."""
    guest = visitor()
    hand = Asker(guest, now(guest, guest.sit(ledger, record, 1)))
    other, in_turn = names
    hand.choose(other)
    assert REACHABLE["en"] in hand.page.text
    hand.click("undo")
    hand.choose(in_turn)
    assert SAME["en"] in hand.page.text


def test_the_dispute_stays_through_the_endings(visitor: Visitors) -> None:
    """Through counts and questions about a board entered for a dispute, cross and *Go on from here* lead to it."""
    guest = visitor()
    table = guest.open()
    guest.place(table, "r b1c1")
    guest.send(guest.see(f"{table}/disputes/new?entry=2").form("/disputes", entry="2"), question="?")
    hand = Asker(guest, now(guest, f"{table}/disputes/1"))
    for ending in ("count", "ask", "to-position", "count"):
        hand.click(ending)
        close = next(found for _, found in hand.page.elements if found.get("id") == "close")
        assert close["href"] == f"{table}/disputes/1"
        assert not re.search(r'value="http[^"]*settles', hand.html), "not in the link that is sent on"
    hand.click("go-on")
    assert hand.page.form("/disputes/1/here")


def test_of_a_link_that_was_cut_the_rest_is_kept(visitor: Visitors) -> None:
    """The page says that the address is wrong, and links to the part of the position that it could read."""
    guest = visitor()
    table = guest.open()
    brick = {"piece": "brick", "colour": "black"}
    text = text_with(now(guest, table), cells={"b1": [{**brick, "second": "c1"}], "c1": [{**brick, "second": "b1"}]})
    answer = guest.client.get(f"{table}/here/{text[:-6]}")
    assert answer.status_code == 422
    assert "This link does not say what lies on the table." in answer.text
    [link] = [found["href"] or "" for _, found in Document(answer.text).elements if found.get("id") == "onward"]
    assert "Go on with what could be read" in answer.text
    assert link.startswith(f"{table}/here/")
    position: Any = Trail.of(link.rpartition("/")[2]).steps[-1]["position"]
    assert "b1" in position["cells"]
    assert guest.see(link).form("/here")
    broken = guest.client.get(f"{table}/here/x")
    assert "This link does not say" in broken.text
    assert f'href="{table}/here"' in broken.text


def test_a_link_that_was_cut_keeps_its_move_and_its_table(visitor: Visitors) -> None:
    """A cut address keeps its table and its move, whether or not any of the position can be read."""
    guest = visitor()
    table = guest.open()
    about = table.removeprefix("/t/")
    text = guest.client.get(f"{table}/what-if").headers["Location"].split("/")[5]
    old = guest.client.get(f"/ask/villefranche/{text}/move?move=h+c4&about={about}")
    assert old.headers["Location"] == f"{table}/ask/villefranche/{text}/move?move=h+c4"
    assert guest.client.get(f"/ask/villefranche?about={about}").status_code == 200
    for cut in (text[:-6], "x"):
        answer = guest.client.get(f"{table}/ask/villefranche/{cut}/move?move=h+c4")
        assert answer.status_code == 422
        [link] = [found["href"] or "" for _, found in Document(answer.text).elements if found.get("id") == "onward"]
        assert link.startswith(f"{table}/ask/villefranche/")
        assert link.endswith("/move?move=h+c4")
        assert guest.see(link).links()
        assert f'id="to-table" href="{table}"' in answer.text


def test_a_dispute_that_is_not_there_is_not_led_back_to(visitor: Visitors) -> None:
    """With an unknown dispute's number in the address, the cross leads to the table."""
    guest = visitor()
    table = guest.open()
    asked = guest.client.get(f"{table}/what-if").headers["Location"]
    page = guest.get(f"{asked}?settles=99").text
    ways = {link.get("id"): link["href"] or "" for _, link in Document(page).elements if "href" in link}
    assert ways["close"] == table
    assert "settles" not in ways["to-position"]


@pytest.mark.parametrize("role", ["host", "white"])
def test_only_the_hosts_phone_is_offered_to_go_on(visitor: Visitors, role: str) -> None:
    """From *What if* through count and question, only the host's phone has the button *Go on from here*."""
    guest = visitor()
    table = guest.open()
    kept = guest.client.get_cookie("keys", path=table)
    assert kept is not None
    guest.client.set_cookie("keys", next(key for key in kept.value.split(":") if key.startswith(role)), path=table)
    hand = Asker(guest, guest.client.get(f"{table}/what-if").headers["Location"])
    for ending in ("to-position", "count", "ask"):
        hand.click(ending)
        assert ('id="go-on"' in hand.html) == (role == "host"), ending
        assert not re.search(r'value="http[^"]*looks', hand.html), "not in the link that is sent on"
