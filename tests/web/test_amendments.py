"""The pages of an amendment, without a script: an old entry is replaced, inserted or deleted, and that undone."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

import pytest

from rules import GAMES
from service import schemas
from service.referee.use_cases import Referee
from service.storage.ledger import Ledger
from tests.support.records import RECORD_PATHS
from tests.web.conftest import Visitor

Visitors = Callable[..., Visitor]


def a_table(guest: Visitor) -> str:
    """The address of a table with four moves."""
    table = guest.open()
    for move in ("r b9c9", "r g1h1", "h e5", "h e6"):
        guest.place(table, move)
    return table


def preview(table: str, **asked: str) -> str:
    """The address of an amendment's preview."""
    return f"{table}/amend/preview?{urlencode(asked)}"


@pytest.mark.parametrize(("language", "words"), [("en", ("amended", "Undone: ")), ("fr", ("rectifié", "Annulé : "))])
def test_an_entry_is_taken_out_and_put_back(language: str, words: tuple[str, str], visitor: Visitors) -> None:
    """The log links to the preview; its form amends the log, which marks the old entries, and undo restores them."""
    guest = visitor(language)
    table = a_table(guest)
    there = f"{table}/amend/preview?entry=3&do=delete"
    assert there in guest.see(f"{table}/moves?entry=3").links()
    assert "/amend" not in "".join(guest.see(f"{table}/moves").links())
    page = guest.see(there)
    # the address changes to the log's, so that a reload amends nothing again
    (form,) = [given for tag, given in page.elements if tag == "form" and given["action"] == f"{table}/amend"]
    assert form["hx-push-url"] == "true"
    log = guest.send(page.form("/amend", do="delete", entry="3"))
    assert log.text.count(words[0]) == 3
    assert [tag for tag, given in log.elements if given.get("class") == "tag again"] == ["span"] * 2
    assert there not in guest.see(f"{table}/moves?entry=3").links()
    undone = guest.send(guest.see(table).form("/rewind", to="5"))
    assert words[1] in undone.text
    assert words[0] not in guest.see(f"{table}/moves").text
    assert guest.send(guest.see(table).form("/rewind", to="8")).form("/rewind", to="5")


@pytest.mark.parametrize(
    ("language", "instead", "by"),
    [("en", "Instead of: no.", "replaced by: house on d5"), ("fr", "Au lieu de : n°", "remplacé par : maison en d5")],
)
def test_a_replaced_move_leaves_the_numbers_after_it(language: str, instead: str, by: str, visitor: Visitors) -> None:
    """The page names the move that goes and the one that comes. A later move keeps its number, so that no row says
    which one it repeats: after a removal they say it, as another test checks.
    """
    guest = visitor(language)
    table = a_table(guest)
    assert instead in guest.see(f"{table}/amend?entry=4&do=replace").text
    log = guest.send(guest.see(preview(table, entry="4", do="replace", late="h d5")).form("/amend", late="h d5"))
    assert by in log.text
    assert not [tag for tag, given in log.elements if given.get("class") == "tag again"]


def test_a_late_move_is_chosen_on_the_board_of_then(visitor: Visitors) -> None:
    """A late move is tapped like any move on the old board, but not placed: it leads to the preview, or to one more."""
    guest = visitor()
    table = a_table(guest)
    page = guest.see(f"{table}/amend?entry=3&do=insert")
    assert not [action for action, _ in page.forms if action.endswith("/play")]
    cell = next(link for link in page.links() if "at=d5" in link)
    assert cell.startswith(f"{table}/amend?")
    asked = guest.see(cell)
    move = next(link for link in asked.links() if "move=h+d5" in link or "kind=" in link)
    assert move.startswith(f"{table}/amend?")
    verdict = guest.see(f"{table}/amend?entry=3&do=insert&move=h+d5")
    taken = next(link for link in verdict.links() if link.startswith(f"{table}/amend/preview"))
    assert not [action for action, _ in verdict.forms if action.endswith("/play")]
    shown = guest.see(taken)
    more = next(link for link in shown.links() if "late=" in link and "/amend?" in link)
    assert "The board at that time" in guest.see(more).text
    log = guest.send(shown.form("/amend", late="h d5"))
    assert "Amended: after no. 2, " in log.text


def test_moves_are_typed_line_by_line(visitor: Visitors) -> None:
    """Moves are typed one per line, and taken up to the first refused one; ``!`` begins one that stands."""
    guest = visitor()
    table = a_table(guest)
    assert guest.see(f"{table}/amend?entry=5&do=insert").form("/amend/preview", do="insert", entry="5")
    page = guest.see(preview(table, do="insert", entry="5", late="h d7\r\nh e5"))
    assert "is not legal. Bastide leaves it out" in page.text
    assert page.form("/amend")[1]["late"] == "h d7"
    page = guest.see(preview(table, do="insert", entry="5", late="!h d4"))
    assert "Amended:" in guest.send(page.form("/amend", late="!h d4")).text
    refused = guest.get(preview(table, do="insert", entry="5", late="h e5"))
    assert refused.status_code == 422
    unread = guest.get(preview(table, do="insert", entry="5", late="h z9"))
    assert (unread.status_code, "h z9" in unread.text) == (422, True)


def test_a_form_that_is_sent_again_counts_once(visitor: Visitors) -> None:
    """A second sending changes nothing; the slower of two phones gets 412 and reads what the other did."""
    guest = visitor()
    table = a_table(guest)
    form = guest.see(preview(table, do="delete", entry="3")).form("/amend")
    other = guest.see(preview(table, do="delete", entry="4")).form("/amend")
    first = guest.post(*form).headers["Location"]
    assert guest.post(*form).headers["Location"] == first
    slower = guest.post(*other)
    assert slower.status_code == 412
    assert slower.text.count("Amended:") >= 2


def test_what_cannot_be_amended_is_said(visitor: Visitors) -> None:
    """Invalid addresses and forms get 422, or a redirect."""
    guest = visitor()
    table = a_table(guest)
    for asked in ({}, {"do": "delete"}, {"do": "delete", "entry": "1"}, {"do": "burn", "entry": "2"}, {"entry": "99"}):
        assert guest.get(preview(table, **asked)).status_code == 422
        assert guest.get(f"{table}/amend?{urlencode(asked)}").status_code in (303, 422)
    assert "Instead of: no. 2, " in guest.see(preview(table, do="replace", entry="3")).text
    form = guest.see(preview(table, do="delete", entry="3")).form("/amend")
    for fields in ({"version": ""}, {"do": "burn"}, {"entry": "99"}, {"do": "replace", "late": "h z9"}):
        assert guest.post(form[0], {**form[1], **fields}).status_code == 422


def test_seats_propose_and_all_agree(visitor: Visitors, ledger: Ledger) -> None:
    """The other phones see a proposal and its preview; the last player to agree amends the log."""
    host, phones = visitor(), {"black": visitor(), "white": visitor()}
    opened = Referee(ledger).open("villefranche", schemas.load(schemas.of(GAMES["villefranche"]).setup, {}), ())
    table = f"/t/{opened.table.id}"
    host.client.set_cookie("keys", f"host.{opened.keys.host}", path=table)
    for seat, phone in phones.items():
        phone.client.set_cookie("keys", f"{seat}.{opened.keys.seats[seat]}", path=table)
    for move in ("r b9c9", "r g1h1"):
        host.place(table, move)
    black, white = phones.values()
    page = black.see(preview(table, do="delete", entry="3"))
    assert "not yet agreed: black, white" in page.text.lower()
    assert "would amend" in black.send(page.form("/amend")).text
    assert "would amend" in host.see(table).text
    there = next(link for link in white.see(table).links() if "/amend/preview" in link)
    page = white.see(there)
    assert "not yet agreed: white" in page.text.lower()
    assert "Amended:" in white.send(page.form("/amend")).text
    assert "would amend" not in host.see(table).text
    host.client.set_cookie("keys", f"watch.{opened.keys.watch}", path=table)
    assert host.get(there).status_code == 422
    assert "amend" not in "".join(host.see(f"{table}/moves?entry=2").links())


@pytest.mark.parametrize("path", RECORD_PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_game_is_amended(path: object, visitor: Visitors, ledger: Ledger) -> None:
    """In the middle of every recorded game, a move can be replaced, inserted, or deleted after a preview."""
    guest = visitor("fr")
    name = f"{path.parent.name}/{path.stem}"  # type: ignore[attr-defined]  # it is a path
    table = guest.sit(ledger, name, 12)
    for do in ("replace", "insert"):
        assert guest.see(f"{table}/amend?entry=7&do={do}").form("/amend/preview", do=do, entry="7")
    for misfits in ("leave_out", "stop", "stand"):
        page = guest.see(preview(table, do="delete", entry="7", misfits=misfits))
    assert "rectifié" in guest.send(page.form("/amend")).text
