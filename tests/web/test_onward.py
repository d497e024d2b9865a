"""The buttons that go on by one tap: they say what comes next, skip empty phases, and one tap undoes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

import pytest

from rules import GAMES
from service import schemas
from service.judgements import AttemptedMove
from service.referee.use_cases import NewTable, Referee
from service.storage.ledger import Ledger
from service.tables.forced_moves import MAX_AT_ONCE
from tests.support.document import Document
from tests.support.records import record_of
from tests.web.conftest import PART, Visitor

Visitors = Callable[..., Visitor]
FIEF = "fief/three_alone"
NO_CHOICE = {"players": [{"colour": "light", "name": "Iris"}, {"colour": "dark", "name": "Simon"}]} | {
    "layout": [{"cell": [0, 0], "tile": "meadow"}, {"cell": [1, 1], "tile": "water"}],
    "display": {"buildings": ["EEEE", "EEEE", "EEEE"], "landscapes": ["W", "M", "E"]},
}
"""A table of Architekton at which no tile of the display fits."""
MAY = {"players": [{"colours": ["red"]}, {"colours": ["blue"]}, {"colours": ["yellow"]}], "neutral": "green"} | {
    "readings": {"own_after_neutral": "may"}
}
"""A table of Villa Paletti at which nobody has to move a column of their own after the neutral one."""


def sat(guest: Visitor, opened: NewTable, role: str = "host") -> str:
    """Sit at a table in this role; returns its address."""
    address = f"/t/{opened.table.id}"
    keys = {"host": opened.keys.host, "watch": opened.keys.watch, **opened.keys.seats}
    guest.client.set_cookie("keys", f"{role}.{keys[role]}", path=address)
    return address


def open_table(ledger: Ledger, name: str, setup: Mapping[str, Any], *moves: str) -> NewTable:
    """A table of a game with this setup, after these moves."""
    game = GAMES[name]
    tries = [AttemptedMove(game.read(move)) for move in moves]
    return Referee(ledger).open(name, schemas.load(schemas.of(game).setup, setup), tries)


def of_record(ledger: Ledger, name: str, number: int, **names: str) -> NewTable:
    """A recorded game after `number` of its moves, with `names` by colour in place of the recorded ones."""
    record = record_of(name)
    for player in record["setup"]["players"]:
        player["name"] = names.get(player["colour"], player["name"])
    return open_table(ledger, record["game"], record["setup"], *record["moves"][:number])


def button(page: Document, id_: str = "onward") -> tuple[str, dict[str, Any]] | None:
    """The form of a button that goes on, as a browser sends it: with all of its moves."""
    fields: dict[str, Any] = {}
    for tag, attributes in page.elements:
        if tag == "form":
            action, fields = attributes.get("action") or "", {"move": []}
        name, value = attributes.get("name") or "", attributes.get("value") or ""
        if tag == "input":
            fields |= {"move": [*fields.get("move", []), value]} if name == "move" else {name: value}
        if tag == "button" and attributes.get("id") == id_:
            return action, fields
    return None


def tap(guest: Visitor, table: str, id_: str = "onward") -> Document:
    """The page after one tap on a button that goes on."""
    form = button(guest.see(table), id_)
    assert form is not None
    return guest.send(form)


def log_of(ledger: Ledger, table: NewTable) -> list[str]:
    """The moves in play."""
    now, _ = Referee(ledger).table(table.table.id, table.keys.host)
    return [entry.notation for entry in now.last_moves(1000)]


# --- one tap -----------------------------------------------------------------------------------------------------

TABLES: Mapping[str, tuple[Callable[[Ledger], NewTable], str, str, str]] = {
    "fief, a phase": (lambda ledger: of_record(ledger, FIEF, 0), "next", "On to the bishops", "On passe aux évêques"),
    "fief, a turn": (
        lambda ledger: of_record(ledger, FIEF, 10),
        *("next", "Bruno is done: Chloé buys", "Bruno a fini : Chloé achète"),
    ),
    "robber_knights": (
        lambda ledger: of_record(ledger, "robber_knights/knights_decide", 1),
        *("stop", "Gil is done: Yann’s turn", "Gil a fini : c’est à Yann"),
    ),
    "architekton": (
        lambda ledger: open_table(ledger, "architekton", NO_CHOICE),
        *("pass", "Iris passes: Simon’s turn", "Iris passe : c’est à Simon"),
    ),
    "villa_paletti": (
        lambda ledger: open_table(ledger, "villa_paletti", MAY, "n small 0"),
        *("done", "Red is done: Blue’s turn", "Rouge a fini : c’est à Bleu"),
    ),
}
"""Tables with a button to go on: how to open each, the move, and the button's text in English and French."""


@pytest.mark.parametrize("make, move, english, french", TABLES.values(), ids=TABLES)  # noqa: PT006
def test_one_tap_enters_it_and_one_takes_it_back(
    visitor: Visitors, ledger: Ledger, make: Callable[[Ledger], NewTable], move: str, english: str, french: str
) -> None:
    """The button says what comes next and enters that one move, which the page can then undo."""
    new = make(ledger)
    guest = visitor()
    table = sat(guest, new)
    before = log_of(ledger, new)
    page = guest.see(table)
    form = button(page)
    assert form is not None and form[1]["move"] == [move]
    assert english in page.text
    home = visitor("fr")
    sat(home, new)
    assert french in home.see(table).text
    done = guest.send(form)
    assert log_of(ledger, new) == [*before, move]
    undo = done.form("/rewind", to=str(len(before) + 1))
    guest.send(undo)
    assert log_of(ledger, new) == before


def test_what_was_done_is_said_as_the_button_said_it(visitor: Visitors, ledger: Ledger) -> None:
    """After the tap, the line for screen readers says what comes now."""
    guest = visitor()
    table = sat(guest, of_record(ledger, FIEF, 0))
    assert not any("fresh" in (attributes.get("class") or "") for _, attributes in guest.see(table).elements)
    page = tap(guest, table)
    # a button that has just come under the finger ignores taps for a moment
    assert any("fresh" in (attributes.get("class") or "") for _, attributes in page.elements)
    answer = guest.get(f"{table}?since=1", **PART)
    assert '<p id="said" hx-swap-oob="innerHTML">On to the bishops</p>' in answer.text


def test_money_that_is_lost_stands_on_the_button(visitor: Visitors, ledger: Ledger) -> None:
    """The page with the button says that unspent income is lost."""
    guest = visitor()
    table = sat(guest, of_record(ledger, FIEF, 27))
    page = guest.see(table)
    assert button(page) is not None
    assert "left, lost if not spent" in page.text


QUESTIONS: Mapping[str, tuple[Callable[[Ledger], NewTable], str]] = {
    "a rule objects": (lambda ledger: of_record(ledger, "robber_knights/knights_decide", 0), "stop"),
    "it ends the game": (lambda ledger: open_table(ledger, "architekton", NO_CHOICE, "pass"), "pass"),
    "somebody wins": (lambda ledger: of_record(ledger, FIEF, 164), "next"),
}
"""Tables without a button to go on: how to open each, and the move that needs a verdict first."""


@pytest.mark.parametrize(("make", "move"), QUESTIONS.values(), ids=QUESTIONS)
def test_no_button_where_there_is_something_to_say(
    visitor: Visitors, ledger: Ledger, make: Callable[[Ledger], NewTable], move: str
) -> None:
    """A move that the rules refuse or that ends the game has no button: a link, if it is due, leads to its verdict."""
    guest, new = visitor(), make(ledger)
    table = sat(guest, new)
    page = guest.see(table)
    assert button(page) is None and button(page, "skip") is None
    now, _ = Referee(ledger).table(new.table.id, new.keys.host)
    assert any(f"move={move}" in link for link in page.links()) == (move in now.due.kinds)
    assert guest.see(f"{table}?move={move}").form("/play", move=move)


def test_an_election_that_is_due_is_not_gone_past(visitor: Visitors, ledger: Ledger) -> None:
    """While a bishop's election is due, there is no button to go on."""
    record = record_of(FIEF)
    first = next(number for number, move in enumerate(record["moves"]) if str(move).startswith("bishop"))
    guest = visitor()
    page = guest.see(sat(guest, of_record(ledger, FIEF, first)))
    assert button(page) is None


def test_who_can_take_it_back_has_the_button(visitor: Visitors, ledger: Ledger) -> None:
    """The host and the player in turn have the button; in nobody's turn every player has. Each can undo it."""
    in_turn, of_nobody = of_record(ledger, FIEF, 10), of_record(ledger, FIEF, 0)
    expected = {"host": (True, True), "green": (True, True), "black": (False, True), "watch": (False, False)}
    for role, buttons in expected.items():
        guest = visitor()
        pages = [guest.see(sat(guest, table, role)) for table in (in_turn, of_nobody)]
        assert tuple(button(page) is not None for page in pages) == buttons, role
    for table, seat, version in ((in_turn, "green", "11"), (of_nobody, "black", "1")):
        before = log_of(ledger, table)
        guest = visitor()
        done = tap(guest, sat(guest, table, seat))
        assert log_of(ledger, table) == [*before, "next"]
        guest.send(done.form("/rewind", to=version))
        assert log_of(ledger, table) == before


def test_a_players_phone_skips_what_it_may_enter(visitor: Visitors, ledger: Ledger) -> None:
    """A player's phone skips nobody's phases and its own part, but no other player's; one undo takes all back."""
    guest, new = visitor(), of_record(ledger, FIEF, 43)
    table = sat(guest, new, "green")
    assert button(guest.see(table), "skip") is None  # green's combats are over then, and white's are next
    guest, new = visitor(), of_record(ledger, FIEF, 22)
    sat(visitor(), new)
    form = button(guest.see(sat(guest, new, "white")), "skip")
    assert form is not None and form[1]["move"] == ["next"] * 5
    done = guest.send(form)
    assert len(log_of(ledger, new)) == 27
    guest.send(done.form("/rewind", to="23"))
    assert len(log_of(ledger, new)) == 22


# --- two phones --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id_", ["onward", "skip"])
def test_two_phones_go_on_once(visitor: Visitors, ledger: Ledger, id_: str) -> None:
    """The second phone reads that another phone entered it. No move is doubled, not even by the same form twice."""
    new = of_record(ledger, FIEF, 2)
    first, second = visitor(), visitor()
    table = sat(first, new)
    sat(second, new)
    forms = [button(phone.see(table), id_) for phone in (first, second)]
    assert forms[0] and forms[1]
    answers = [first.post(*forms[0]) for _ in range(2)]
    assert answers[0].headers["Location"] == answers[1].headers["Location"]
    after = log_of(ledger, new)
    assert after[2:] == forms[0][1]["move"]
    late = second.post(*forms[1])
    assert late.status_code == 303
    assert "another phone" in second.see(late.headers["Location"]).text
    assert log_of(ledger, new) == after


# --- skipping ----------------------------------------------------------------------------------------------------


def test_what_needs_nothing_is_skipped_together(visitor: Visitors, ledger: Ledger) -> None:
    """One tap enters all moves up to the next purchases, an entry each; undo and redo take them as one step."""
    guest, new = visitor(), of_record(ledger, FIEF, 1)
    table = sat(guest, new)
    before = log_of(ledger, new)
    page = guest.see(table)
    assert "Skip to Ada’s purchases" in page.text
    assert "Enters 4 moves, without any cards" in page.text
    assert button(page) is not None  # a tap per move is possible, too
    done = tap(guest, table, "skip")
    assert log_of(ledger, new) == [*before, *["next"] * 4]
    assert "On to the purchases: Ada begins (4 entries)" in done.text
    assert {fields["to"] for action, fields in done.forms if action.endswith("/rewind")} == {"2"}
    undone = guest.send(done.form("/rewind", to="2"))
    assert log_of(ledger, new) == before
    guest.send(undone.form("/rewind", to="6"))
    assert log_of(ledger, new) == [*before, *["next"] * 4]


def test_what_was_tapped_one_after_the_other_is_undone_so(visitor: Visitors, ledger: Ledger) -> None:
    """Undo takes back the moves of one tap: not those of two taps, nor all moves with which a table was opened."""
    guest, new = visitor(), of_record(ledger, FIEF, 2)
    table = sat(guest, new)
    tap(guest, table)
    page = tap(guest, table)
    assert {fields["to"] for action, fields in page.forms if action.endswith("/rewind")} == {"4"}
    table = sat(guest, of_record(ledger, FIEF, 8))
    page = guest.see(table)
    assert {fields["to"] for action, fields in page.forms if action.endswith("/rewind")} == {"8"}


def test_a_seat_takes_back_its_own_of_what_was_skipped(visitor: Visitors, ledger: Ledger) -> None:
    """After the host skipped moves of several players, a player's phone undoes only its own."""
    new = of_record(ledger, FIEF, 43)
    guest, mine = visitor(), visitor()
    table = sat(guest, new)
    tap(guest, table, "skip")
    now, _ = Referee(ledger).table(new.table.id, new.keys.host)
    assert len(now.moves) == 46
    seats = [now.line_entry(number).seat for number in now.line[43:]]
    last = seats[-1]
    assert last is not None and len(set(seats)) > 1
    sat(mine, new, last)
    page = mine.see(table)
    undo = {fields["to"] for action, fields in page.forms if action.endswith("/rewind")}
    assert undo == {str(now.line[-2])}
    mine.send(page.form("/rewind"))
    assert len(log_of(ledger, new)) == 45


def test_nothing_is_skipped_that_somebody_could_do(visitor: Visitors, ledger: Ledger) -> None:
    """Where a marriage, a purchase or a move of lords is possible, the page has no button to skip."""
    guest = visitor()
    for number in (0, 10, 13):
        page = guest.see(sat(guest, of_record(ledger, FIEF, number)))
        assert button(page) is not None and button(page, "skip") is None, number


def test_too_many_moves_or_none_are_no_form(visitor: Visitors, ledger: Ledger) -> None:
    """A form with too many moves, an unreadable one or none enters no move."""
    guest, new = visitor(), of_record(ledger, FIEF, 2)
    table = sat(guest, new)
    form = button(guest.see(table), "skip")
    assert form is not None
    before = log_of(ledger, new)
    for moves in (["next"] * (MAX_AT_ONCE + 1), ["next", "nonsense"], []):
        answer = guest.post(form[0], {**form[1], "move": moves})
        assert answer.status_code == 422, moves
        assert log_of(ledger, new) == before


# --- names -------------------------------------------------------------------------------------------------------


def test_names_are_text_on_the_buttons(visitor: Visitors, ledger: Ledger) -> None:
    """A name with markup is text, on the button and in the sentence after it."""
    name = '<b onclick="x">"Ada"'
    guest, new = visitor(), of_record(ledger, FIEF, 2, black=name)
    table = sat(guest, new)
    told = escape(f"Skip to {name}’s purchases")
    page = guest.get(table).text
    assert told.replace("&quot;", "&#34;") in page
    assert "<b onclick" not in page
    done = tap(guest, table, "skip")
    assert f"On to the purchases: {name} begins (3 entries)" in done.text
    assert not [tag for tag, _ in done.elements if tag == "b"]
