"""The page of the readings, without a script: everybody sees them, the host changes them, undo restores them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from service.storage.ledger import Ledger
from tests.support.log_pages import open_entries
from tests.support.records import RECORD_PATHS, records_of
from tests.web.conftest import Visitor

Visitors = Callable[..., Visitor]
CUT = {"en": "a second is skipped", "fr": "une seconde est sautée"}


@pytest.mark.parametrize("language", CUT)
def test_the_host_reads_a_rule_otherwise_and_takes_it_back(language: str, visitor: Visitors) -> None:
    """The host changes a reading on its page; the log says so, and undo restores the old one."""
    guest = visitor(language)
    table = guest.open()
    guest.place(table, "r b9c9")
    assert f"{table}/readings" in guest.see(table).links()
    form = guest.see(f"{table}/readings").form("/readings")
    assert form[1]["reading-stuck"] == "ends"
    changed = guest.send(form, **{"reading-stuck": "turn_is_cut"})
    assert changed.form("/readings")[1]["reading-stuck"] == "turn_is_cut"
    log = guest.see(f"{table}/moves").text
    assert CUT[language] in log
    guest.send(guest.see(table).form("/rewind", to="2"))
    assert guest.see(f"{table}/readings").form("/readings")[1]["reading-stuck"] == "ends"
    guest.send(guest.see(table).form("/rewind", to="3"))
    assert guest.see(f"{table}/readings").form("/readings")[1]["reading-stuck"] == "turn_is_cut"


def test_moves_and_readings_in_one_log(visitor: Visitors) -> None:
    """Every page loads with moves and new readings in the log, which numbers only the moves."""
    guest = visitor()
    table = guest.open()
    guest.place(table, "r b9c9")
    guest.send(guest.see(f"{table}/readings").form("/readings"), **{"reading-stuck": "turn_is_cut"})
    guest.place(table, "r g1h1")
    for path in (
        "",
        "/moves",
        "/score",
        "/readings",
        "/moves?entry=2",
        "/moves?entry=3",
        "/moves?entry=4",
        "/readings?done=3",
    ):
        guest.see(table + path)
    for entry, other in ((2, 3), (3, 4), (4, 3), (3, 2)):
        assert f"{table}/moves?entry={other}" in guest.see(f"{table}/moves?entry={entry}").links()
        assert open_entries(guest.get(f"{table}/moves?entry={entry}").text) == [entry]
    assert re.findall(r'<span class="number">(.*?)</span>', guest.get(f"{table}/moves").text) == ["2", "1"]


def test_what_is_no_choice_is_said(visitor: Visitors) -> None:
    """An invalid form gets 422, and a late one 412."""
    guest = visitor()
    table = guest.open()
    address, fields = guest.see(f"{table}/readings").form("/readings")
    for wrong in ({"reading-stuck": "never"}, {"reading-of_tomorrow": "yes"}, {"version": ""}):
        assert guest.post(address, {**fields, **wrong}).status_code == 422
    assert guest.post(address, {"version": "1", "key": "x"}).status_code == 422
    guest.send((address, fields), **{"reading-stuck": "turn_is_cut"})
    assert guest.post(address, {**fields, "key": ""}).status_code == 412
    guest.send(guest.see(f"{table}/readings").form("/readings"))


@pytest.mark.parametrize("name", sorted({path.parent.name for path in RECORD_PATHS}))
def test_every_game_tells_its_readings(name: str, visitor: Visitors, ledger: Ledger) -> None:
    """Every game's table has a page with its readings."""
    path = records_of(name)[0]
    guest = visitor()
    told = guest.see(guest.sit(ledger, f"{name}/{path.stem}") + "/readings")
    assert told.form("/readings")
