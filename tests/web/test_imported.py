"""The pages of a table imported from an export: its entries are marked, and play can go on from any of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import orjson
import pytest

from service.referee.repository import ChangeRequest
from service.referee.use_cases import NewTable, Referee
from service.schemas.parsing import encode
from service.storage.ledger import Ledger
from service.tables.entries import DICE, ToRoll
from service.tables.export import export
from tests.support.loops import over
from tests.support.stored_logs import FOLDER, table_of_log
from tests.support.tables import recorded_table
from tests.web.conftest import Visitor

Visitors = Callable[..., Visitor]
GAME: Final = "villefranche/stood_and_cut"


def imported_table(ledger: Ledger, made: NewTable, **change: Any) -> NewTable:
    """A table imported from another's export, with changed members in its third entry."""
    sent: Any = orjson.loads(encode(export(made.table)))
    sent["entries"][2] |= change
    return Referee(ledger).import_table(sent["game"], sent["entries"])


def sit(guest: Visitor, made: NewTable, role: str = "host") -> str:
    """Sit at a table in this role; returns its address."""
    key = {"host": made.keys.host, "watch": made.keys.watch, **made.keys.seats}[role]
    guest.client.set_cookie("keys", f"{role}.{key}", path=f"/t/{made.table.id}")
    return f"/t/{made.table.id}"


def marks_of(guest: Visitor, table: str, word: str = "imported") -> int:
    """The number of marked entries in the log."""
    return guest.get(f"{table}/moves").text.count(f'<span class="tag imported">{word}</span>')


@pytest.mark.parametrize(("language", "word"), [("en", "imported"), ("fr", "importé")])
def test_each_imported_entry_has_one_small_mark(language: str, word: str, visitor: Visitors, ledger: Ledger) -> None:
    """The log and its text mark each imported entry once; neither new entries nor the original table's have marks."""
    guest, first = visitor(language), recorded_table(ledger, GAME, 5)
    there = imported_table(ledger, first)
    table = sit(guest, there)
    assert marks_of(guest, table, word) == 6
    moved = Referee(ledger).rewind(ChangeRequest(there.table.id, there.keys.host, 6), 4)
    assert moved.version == 7
    assert marks_of(guest, table, word) == 6
    assert guest.get(f"{table}/log.txt").text.count(f" – {word}") == 6
    assert marks_of(guest, sit(guest, first), word) == 0


def test_the_ruling_of_an_export_stands_beside_that_of_today(visitor: Visitors, ledger: Ledger) -> None:
    """An open entry, and a dispute about it, show the export's ruling if it differs from today's; else none."""
    guest, first = visitor(), recorded_table(ledger, GAME, 5)
    honest = guest.get(f"{sit(guest, imported_table(ledger, first))}/moves?entry=3")
    assert 'id="exported"' not in honest.text
    forged = imported_table(ledger, first, ruling="illegal", stands=True)
    table = sit(guest, forged)
    opened = guest.see(f"{table}/moves?entry=3").text
    assert "In the export: Not legal" in opened
    assert "Not legal, but agreed" not in opened
    raised = guest.see(f"{table}/disputes/new?entry=3")
    assert "In the export: Not legal" in guest.send(raised.form("/disputes"), question="May one?").text


def test_an_imported_roll_is_not_said_to_be_this_servers(visitor: Visitors, ledger: Ledger) -> None:
    """An imported roll is called *Rolled elsewhere*; the control, a roll of this server, says so."""
    guest, first = visitor(), recorded_table(ledger, GAME, 2)
    use = Referee(ledger)
    rolled = use.roll(ChangeRequest(first.table.id, first.keys.host, 3), ToRoll(DICE, n=2, kind="ordinary"))
    here = guest.see(f"{sit(guest, first)}/moves").text
    there = guest.see(f"{sit(guest, imported_table(ledger, NewTable(rolled.table, first.keys)))}/moves").text
    assert "Rolled here" in here
    assert "this server" in here
    assert "Rolled elsewhere" in there
    assert "this server" not in there


def test_play_goes_on_from_an_open_entry_at_another_table(visitor: Visitors, ledger: Ledger) -> None:
    """A button of the open entry opens another table from there; this one stays as it is. Only the host has it."""
    guest, first = visitor(), recorded_table(ledger, GAME, 6)
    table = sit(guest, first)
    before = ledger.read(first.table.id)
    assert 'id="play-on"' not in guest.get(f"{table}/moves").text
    form = guest.see(f"{table}/moves?entry=4").form("/play-on")
    answer = guest.post(form[0], form[1])
    assert answer.status_code == 303
    there = answer.headers["Location"]
    assert there != table
    assert marks_of(guest, there) == 4
    assert guest.get(f"{there}/share").status_code == 200
    assert ledger.read(first.table.id) == before
    other = visitor()
    seat = sit(other, first, "black")
    assert 'id="play-on"' not in other.get(f"{seat}/moves?entry=4").text
    assert other.post(f"{seat}/play-on", {"entry": "4"}).status_code == 403
    for entry in ("", "0", "99", "x"):
        assert guest.post(f"{table}/play-on", {"entry": entry}).status_code == 422


@pytest.mark.parametrize("name", ["villefranche-2-decided", "fief-1-armies"])
def test_every_page_of_an_imported_log_is_there(name: str, visitor: Visitors, ledger: Ledger) -> None:
    """Every page of an imported table answers 200, with each entry open, and for each dispute."""
    table = table_of_log(orjson.loads((FOLDER / f"{name}.json").read_bytes())["log"])
    sent: Any = orjson.loads(encode(export(table)))
    guest, there = visitor("fr"), Referee(ledger).import_table(sent["game"], sent["entries"])
    address = sit(guest, there)
    for path in ("", "/moves", "/score", "/sheet", "/readings", "/turns", "/log.txt", "/sheet.csv", "/sheet.svg"):
        assert guest.get(address + path).status_code == 200, path
    for entry in over(range(1, table.version + 1)):
        assert guest.get(f"{address}/moves?entry={entry}").status_code == 200, entry
    found = [guest.get(f"{address}/disputes/{number}").status_code for number, _ in enumerate(table.disputes, start=1)]
    assert found == [200] * len(table.disputes)
