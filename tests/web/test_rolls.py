"""Dice rolled by the server, without a script: for a battle, for who begins, and for any other use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from service.http import current
from service.referee.use_cases import Referee
from service.storage.ledger import Ledger
from tests.support.falling_dice import falling
from tests.support.log_pages import groups_of
from tests.support.tables import recorded_table
from tests.web.conftest import PART, Visitor

Visitors = Callable[..., Visitor]

BATTLE = "kind=attack&so=at:St André"
"""A combat with both camps known, an ordinary and a battle die each, and the sums still to be answered."""
SENTENCES = {
    "en": "Rolled here, for the attack of Denis at St André: 4 and 0, together 4 (1 ordinary die and 1 battle die",
    "fr": "Lancé ici, pour l’attaque de St André par Denis : 4 et 0, 4 en tout (1 dé ordinaire et 1 dé de bataille",
}


@pytest.fixture
def fall(app: Flask, ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Fixes the application's next dice."""

    def so(*picks: int) -> None:
        monkeypatch.setitem(app.extensions, current.REFEREE, Referee(ledger, pick=falling(*picks)))

    return so


@pytest.mark.parametrize("language", SENTENCES)
def test_a_camp_rolls_here_and_the_answer_is_filled_in(
    language: str, visitor: Visitors, ledger: Ledger, fall: Callable[..., None]
) -> None:
    """The server rolls one camp's dice and fills in the sum, keeps other answers, and logs the roll. No phone offers a
    second roll for that camp. The sum can still be changed.
    """
    guest, other = visitor(language), visitor(language)
    table = guest.sit(ledger, "fief/five_and_much_stood", 270)
    fall(3, 0)
    asked = guest.see(f"{table}?{BATTLE};defence:3")
    camps = [fields["camp"] for address, fields in asked.forms if address.endswith("/roll")]
    assert camps == ["attack", "defence"]
    rolled = guest.send(asked.form("/roll", camp="attack"))
    assert SENTENCES[language] in rolled.text.replace("\u202f", " ").replace("\xa0", " ")
    assert [fields["move"] for address, fields in rolled.forms if address.endswith("/play")] == [
        "attack St André Blue>White 4:3"
    ]
    assert [fields["camp"] for address, fields in rolled.forms if address.endswith("/roll")] == ["defence"]
    assert any("attack:5" in link for link in rolled.links())
    assert SENTENCES[language] in guest.see(f"{table}/moves").text.replace("\u202f", " ").replace("\xa0", " ")
    held = guest.client.get_cookie("keys", path=table)
    other.client.set_cookie("keys", held.value if held else "", path=table)
    there = other.see(f"{table}?{BATTLE}")
    assert [fields["camp"] for address, fields in there.forms if address.endswith("/roll")] == ["defence"]


def test_in_the_log_dice_stand_in_the_turn_for_which_they_were_rolled(
    visitor: Visitors, ledger: Ledger, fall: Callable[..., None]
) -> None:
    """Dice stand in the turn for which they were rolled, not in that of the move before."""
    guest = visitor()
    table = guest.sit(ledger, "fief/own_map", 77)
    fall(3)
    before = groups_of(guest.get(f"{table}/moves").text)[0]
    guest.send(guest.see(f"{table}?kind=attack&so=at:Guise").form("/roll", camp="attack"))
    title, start, _numbers = groups_of(guest.get(f"{table}/moves").text)[0]
    assert (before[:2], (title, start)) == (("Movements Bruno", 78), ("Combats Chloé", 79))


def test_sending_the_form_again_rolls_no_other_dice(
    visitor: Visitors, ledger: Ledger, fall: Callable[..., None]
) -> None:
    """The same form sent again gets the same answer, and an undone attack keeps its roll."""
    guest = visitor()
    table = guest.sit(ledger, "fief/five_and_much_stood", 270)
    fall(5, 5, 0, 0)
    asked = guest.see(f"{table}?{BATTLE};defence:3").form("/roll", camp="attack")
    first = guest.post(*asked).headers["Location"]
    assert guest.post(*asked).headers["Location"] == first
    guest.send(guest.see(first).form("/play"))
    guest.send(guest.see(table).form("/rewind"))
    again = guest.see(f"{table}?{BATTLE};defence:3")
    assert [fields["camp"] for address, fields in again.forms if address.endswith("/roll")] == ["defence"]
    assert "together 9" in again.text


def test_a_form_that_says_too_little_rolls_nothing(visitor: Visitors, ledger: Ledger) -> None:
    """An invalid form gets 422 and a late one 412, with the answers so far. A watcher's page has no such form, and
    the server refuses one.
    """
    guest = visitor()
    table = guest.sit(ledger, "fief/five_and_much_stood", 270)
    address, fields = guest.see(f"{table}?{BATTLE};defence:3").form("/roll", camp="attack")
    wrong: tuple[dict[str, Any], ...] = ({"version": ""}, {"camp": "left"}, {"move": "hop"}, {"for": "rain"})
    for each in wrong:
        refused = guest.post(address, {**fields, **each})
        assert (refused.status_code, "defence:3" in refused.text) == (422, True), each
    stale = guest.post(address, {**fields, "version": "3", "key": ""})
    assert (stale.status_code, "defence:3" in stale.text) == (412, True)
    assert guest.get(address).status_code == 303
    watched, watcher = recorded_table(ledger, "fief/five_and_much_stood", 270), visitor()
    path = f"/t/{watched.table.id}"
    watcher.client.set_cookie("keys", f"watch.{watched.keys.watch}", path=path)
    assert [action for action, _ in watcher.see(f"{path}?{BATTLE}").forms if action.endswith("/roll")] == []
    mine = guest.see(table).form("/rewind")[1]
    assert watcher.post(f"{path}/roll", {**fields, "version": mine["version"]}).status_code == 403


def test_a_seat_rolls_dice_for_whatever(visitor: Visitors, ledger: Ledger, fall: Callable[..., None]) -> None:
    """A player in a game in play rolls from the menu; the log, as page or part, says the result and the player."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/five_buildings", 20, seat="white")
    over = guest.sit(ledger, "villefranche/five_buildings", seat="white")
    assert [action for action, _ in guest.see(f"{over}/moves?show=dice").forms if action.endswith("/roll")] == []
    fall(3, 1, 0)
    assert [action for action, _ in guest.see(f"{table}/moves").forms if action.endswith("/roll")] == []
    assert f'id="to-dice" href="{table}/moves?show=dice"' in guest.get(table).text
    form = guest.see(f"{table}/moves?show=dice").form("/roll")
    rolled = guest.send(form, dice="2")
    said = "Jeanne rolled here: 4 and 2, together 6 (2 ordinary dice, by this server’s random numbers)"
    assert rolled.text.count(said) == 1
    assert guest.post(form[0], {**form[1], "dice": "9", "key": ""}).status_code == 422
    address, fields = rolled.form("/roll")
    sent = guest.post(address, {**fields, "dice": "1"}, {"Origin": "http://localhost", **PART})
    assert "Jeanne rolled here: 1 (1 ordinary die" in guest.get(sent.headers["Location"], **PART).text


def test_a_die_says_who_begins(visitor: Visitors, fall: Callable[..., None]) -> None:
    """The die decides who begins: the table says each player's roll, and the log who begins."""
    guest = visitor()
    fall(2, 2, 0, 4)
    names = {"name-black": "Ada", "name-white": "Bo", "begins": "die"}
    table = guest.open(**names)
    shown = guest.see(table).text
    assert "Rolled here for who begins: Ada 3, Bo 3; a tie, so they rolled again: Ada 1, Bo 5. Bo begins" in shown
    assert "Bo begins" in guest.see(f"{table.partition('?')[0]}/moves").text


def test_without_names_the_form_says_why_no_die_can(visitor: Visitors) -> None:
    """Where a colour begins and a name is missing, the form says that the die cannot decide."""
    refused = visitor().post("/", {"game": "villefranche", "name-black": "", "begins": "die"})
    assert (refused.status_code, "the die cannot say who plays which colour" in refused.text) == (422, True)
