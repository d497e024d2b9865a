"""Times and signals of turns: off by default, and switched on per phone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from service.referee.use_cases import Referee
from service.storage.ledger import Ledger
from service.tables.turn_times import BREAK
from tests.support.document import Document
from tests.support.tables import open_table
from tests.web.conftest import Visitor, having

Visitors = Callable[..., Visitor]


def turn(page: Document) -> dict[str, Any] | None:
    """The signals in the page data, or None."""
    return page.data.get("signals")


def loads(page: Document) -> set[str]:
    """The scripts and styles of signals that a page loads."""
    return {path.partition("?")[0].rpartition("/")[2] for path in page.files() if "signals" in path}


def switch_signals(guest: Visitor, table: str, *signals: str) -> Document:
    """Choose signals on the turns' page; returns the page after that."""
    action, fields = guest.see(f"{table}/turns").form("/turns", by="form")
    answer = guest.post(action, {**fields, "signal": list(signals)})
    assert answer.status_code == 303
    return guest.see(answer.headers["Location"])


def test_nothing_is_on_at_first(visitor: Visitors, ledger: Ledger) -> None:
    """A table loads no script for signals; the turns' page does, so that players can try them."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/stood_and_cut", 5)
    page = guest.see(table)
    assert (turn(page), loads(page)) == (None, set())
    assert f"{table}/turns" in page.links()
    page = guest.see(f"{table}/turns")
    assert loads(page) == {"signals.js", "signals.css"}
    assert not [found for _, found in page.elements if found.get("name") == "signal" and "checked" in found]
    assert "Pierre 0:00 0:00 0 0:00 Jeanne 0:00 0:00 0 0:00" in page.text


def test_a_choice_is_kept_for_every_table_of_a_phone(visitor: Visitors, ledger: Ledger) -> None:
    """Chosen signals, with their script, are on at each table of this browser, until it switches them off."""
    guest, other = visitor(), visitor()
    table = guest.sit(ledger, "villefranche/stood_and_cut", 5)
    page = switch_signals(guest, table, "sound", "clock", "trumpet")
    chosen = {found["value"] for _, found in page.elements if found.get("name") == "signal" and "checked" in found}
    assert chosen == {"sound", "clock"}
    for path in (table, f"{table}/score", guest.open()):
        seen = guest.see(path)
        assert (turn(seen) or {})["on"] == ["clock", "sound"]
        assert loads(seen) == {"signals.js", "signals.css"}
    assert turn(other.see(other.sit(ledger, "villefranche/stood_and_cut", 5))) is None
    switch_signals(guest, table)
    assert (turn(guest.see(table)), loads(guest.see(table))) == (None, set())


@pytest.mark.parametrize(("seat", "mine"), [(None, None), ("black", False), ("white", True)])
def test_a_players_phone_knows_its_own_turn(
    seat: str | None, mine: bool | None, visitor: Visitors, ledger: Ledger
) -> None:
    """The page data names the due player, and tells a seat's phone whether it is its own turn; without a clock."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/stood_and_cut", 2, seat=seat)
    switch_signals(guest, table, "vibration")
    page = guest.see(table)
    told = turn(page) or {}
    assert (told["seat"], told["mine"], told["on"], told["spent"]) == ("white", mine, ["vibration"], None)
    assert not [found for _, found in page.elements if found.get("class") == "clocks"]


def test_the_turn_is_sent_when_it_passes(visitor: Visitors, ledger: Ledger) -> None:
    """The part with the turn is sent again after an entry, but not for another section."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/stood_and_cut", 5)
    switch_signals(guest, table, "clock")
    page = guest.get(table).text
    assert 'id="turn"' not in guest.get(f"{table}/score", **having(page)).text
    guest.send(guest.see(table).form("/rewind", to="5"))
    assert 'id="turn"' in guest.get(table, **having(page)).text


@pytest.mark.parametrize(("ago", "shown"), [(BREAK - 60, "29:"), (2 * 60 * 60, "0:00")])
def test_a_clock_is_told_from_when_on_a_pause_does_not_count(
    ago: int, shown: str, visitor: Visitors, ledger: Ledger
) -> None:
    """The page data has the time spent, the seconds since the last entry, and the least length of a break."""
    guest = visitor()
    new = open_table(
        Referee(ledger, now=lambda: datetime.now(UTC) - timedelta(seconds=ago)), "villefranche/stood_and_cut", 5
    )
    guest.client.set_cookie("keys", f"host.{new.keys.host}", path=f"/t/{new.table.id}")
    page = switch_signals(guest, f"/t/{new.table.id}", "clock")
    told = turn(page) or {}
    assert [found for _, found in page.elements if found.get("id") == "clock"]
    assert (told["spent"], told["pause"]) == (0, BREAK)
    assert ago <= told["since"] < ago + 59
    assert f": {shown}" in page.text


@pytest.mark.parametrize("odd", ["", "trumpet", "clock.clock.<b>", "x" * 3000])
def test_an_odd_cookie_is_no_matter(odd: str, visitor: Visitors, ledger: Ledger) -> None:
    """The server ignores invalid signals in the cookie."""
    guest = visitor("fr")
    table = guest.sit(ledger, "villefranche/stood_and_cut", 5)
    guest.client.set_cookie("signals", odd)
    page = guest.see(table)
    assert (turn(page) is not None) == odd.startswith("clock")
    assert "<b>" not in str(turn(page))
