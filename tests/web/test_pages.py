"""The pages without scripts: links read, forms change, and no input is lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from werkzeug.exceptions import RequestTimeout

from service.runtime import budget
from service.storage.ledger import Ledger
from tests.support.document import Document
from tests.support.loops import over
from tests.web.conftest import ORIGIN, PART, Visitor

Visitors = Callable[..., Visitor]
UNKNOWN = "A" * 22
NEWS = re.compile(r'(?:<p id="said"[^>]*>|<p class="toast[^>]*>)([^<]*)')
"""The sentences about news: one for screen readers, one to read."""


def test_a_table_is_opened_with_its_names_and_readings(visitor: Visitors) -> None:
    """A game's form opens a table with its names and readings."""
    guest = visitor()
    _, fields = guest.see("/?game=villefranche").form("/")
    assert fields["reading-corporation"] == "single_colour"
    table = guest.open(**{**fields, "name-black": "Anne", "name-white": " ", "reading-corporation": "majority_own"})
    page = guest.see(table)
    assert "Anne" in page.text
    assert "Anne starts with a single piece: a rampart." in page.text
    assert "Anne – White" in guest.see("/").text


def test_what_is_wrong_with_a_form_is_said_beside_it(visitor: Visitors) -> None:
    """An invalid form comes back with its values and its errors."""
    answer = visitor().post(
        "/", {"game": "villefranche", "name-black": "Anne", "name-white": "\u202eevil", "reading-stuck": "nope"}
    )
    assert answer.status_code == 422
    page = Document(answer.text)
    assert page.form("/")[1]["name-black"] == "Anne"
    assert any(attributes.get("aria-invalid") for _, attributes in page.elements)
    assert "ontrol" in page.text


def test_every_link_of_a_page_leads_somewhere(visitor: Visitors) -> None:
    """No link of a table's pages is broken, and following links does not change the table's version."""
    guest = visitor()
    table = guest.open()
    guest.place(table, "r b9c9")
    guest.place(table, "r g1h1")
    seen: set[str] = set()
    waiting = [table, f"{table}?at=c4", f"{table}?at=c1&kind=rampart", f"{table}?move=h+c5", f"{table}/moves?entry=2"]
    version = guest.see(table).form("/rewind")[1]["version"]
    for _ in range(2):
        for path in waiting:
            if path not in seen and path.startswith("/") and "lang=" not in path:
                seen.add(path)
                answer = guest.get(path)
                page = guest.see(answer.headers["Location"]) if answer.status_code == 303 else Document(answer.text)
                assert answer.status_code in (200, 303), path
        waiting = [link for link in page.links() if "/t/" in link]
    assert len(seen) > 80
    assert guest.see(table).form("/rewind")[1]["version"] == version


def test_a_move_is_ruled_placed_undone_and_put_back(visitor: Visitors) -> None:
    """The page before has the form for each step: placing, undo, redo. Each answer says what was done."""
    guest = visitor()
    table = guest.open()
    page = guest.see(f"{table}?move=h+c4")
    assert "Not legal" in page.text
    assert "Let it stand" in page.text
    placed = guest.place(table, "r b9c9")
    assert "Black’s rampart on b9–c9 placed" in placed.text
    undone = guest.send(placed.form("/rewind", to="1"))
    assert "Undone: Black: rampart on b9–c9" in undone.text
    again = guest.send(undone.form("/rewind", to="2"))
    assert "Put back: Black: rampart on b9–c9" in again.text
    assert "White places the first piece" in again.text


def test_undo_and_redo_stand_on_the_board_alone(visitor: Visitors) -> None:
    """The board has undo and redo once, other sections have none; both redirect to the board, whatever `stay` says."""
    guest = visitor()
    table = guest.open()
    guest.place(table, "r b9c9")
    for odd in ("score", "log", "//example.org", "https://example.org/log", "log\r\nX: y", "../../log"):
        for to in ("1", "2"):
            for page in ("score", "moves", "moves?entry=2", "readings", "turns", "moves?done=2", "score?done=2"):
                ids = {found.get("id") for _, found in guest.see(f"{table}/{page}").elements}
                assert not ids & {"undo", "redo"}
            board = guest.see(f"{table}?done={guest.see(table).data['version']}")
            assert [action for action, _ in board.forms].count(f"{table}/rewind") == 1
            address, fields = guest.see(table).form("/rewind", to=to)
            assert urlsplit(guest.post(address, fields | {"stay": odd}).location)[:3] == ("", "", table), odd


def test_a_refused_move_is_placed_only_by_common_consent(visitor: Visitors) -> None:
    """A refused move needs `stands` in its form; without it the page repeats the objection."""
    guest = visitor()
    table = guest.open()
    address, fields = guest.see(f"{table}?move=h+c4").form("/play")
    del fields["stands"]
    answer = guest.post(address, fields)
    assert answer.status_code == 422
    assert "The first turn is a single rampart" in Document(answer.text).text
    assert "Black’s house on c4 let stand" in guest.send((address, {**fields, "stands": "yes"})).text
    assert "let stand" in guest.see(f"{table}/moves").text


def test_the_same_form_twice_is_one_move(visitor: Visitors) -> None:
    """A form sent twice takes effect once, and gets the same answer both times."""
    guest = visitor()
    table = guest.open()
    address, fields = guest.see(f"{table}?move=r+b9c9").form("/play")
    first, second = (guest.post(address, fields) for _ in range(2))
    assert first.headers["Location"] == second.headers["Location"]
    assert Document(guest.get(f"{table}/moves").text).text.count("Rampart on") == 1


def test_every_form_has_a_key_of_its_own(visitor: Visitors) -> None:
    """Each form on a page has a different idempotency key."""
    guest = visitor()
    table = guest.open()
    page = guest.see(f"{table}?at=b9")
    keys = [fields["key"] for _, fields in page.forms if "key" in fields]
    assert len(keys) == len(set(keys)) >= 1


def test_who_comes_second_is_told(visitor: Visitors) -> None:
    """The server refuses a form for an older board, and shows what happened since and the present board."""
    guest = visitor()
    table = guest.open()
    late = guest.see(f"{table}?move=r+g1h1").form("/play")
    undo = None
    guest.place(table, "r b9c9")
    answer = guest.post(*late)
    assert answer.status_code == 412
    told = Document(answer.text).text
    assert "Another phone was faster: Black’s rampart on b9–c9 placed." in told
    assert "Not placed: rampart on g1–h1. Here is the board now." in told
    undo = guest.see(table).form("/rewind")
    guest.place(table, "r g1h1")
    answer = guest.post(*undo)
    assert answer.status_code == 412
    assert "White’s rampart on g1–h1 placed. Here is the board now." in Document(answer.text).text


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_very_same_move_of_two_phones_is_one(visitor: Visitors, ledger: Ledger, language: str) -> None:
    """A phone that sends a move already in play reads that the log has it; the log does not change.

    The controls get 412: another move, the other player's move, and the same move after its undo.
    """
    guest = visitor(language)
    table = guest.open()
    late = guest.see(f"{table}?move=r+b9c9").form("/play")
    other = guest.see(f"{table}?move=r+a2a3").form("/play")
    guest.place(table, "r b9c9")
    guest.place(table, "r i2i3")
    before = ledger.read(table.rpartition("/")[2])
    said = guest.send(late)
    words = {"en": "Already in the log, from another phone: Black’s rampart", "fr": "Déjà au journal, depuis un autre"}
    assert words[language] in said.text
    assert [guest.post(*form).status_code for form in (other, (late[0], {**late[1], "move": "r i2i3"}))] == [412, 412]
    assert [guest.post(late[0], {**late[1], "version": version}).status_code for version in ("0", "9")] == [412, 412]
    assert ledger.read(table.rpartition("/")[2]) == before
    for to in ("2", "1"):
        guest.send(guest.see(table).form("/rewind", to=to))
    assert guest.post(*late).status_code == 412


def test_forms_that_say_nothing_change_nothing(visitor: Visitors) -> None:
    """The server refuses a form with missing or invalid fields, and the table stays as it is."""
    guest = visitor()
    table = guest.open()
    for path, fields in (
        ("play", {"x": "1"}),
        ("play", {"move": "r b9c9"}),
        ("play", {"move": "x", "version": "1"}),
        ("play", {"move": "r b9c9", "version": "one"}),
        ("rewind", {"x": "1"}),
        ("rewind", {"to": "-1", "version": "1"}),
    ):
        answer = guest.post(f"{table}/{path}", fields)
        assert answer.status_code == 422, (path, fields)
    assert guest.post(f"{table}/rewind", {"to": "9", "version": "1"}).status_code == 409
    assert guest.get(f"{table}?since=1").status_code == 204


def test_addresses_of_forms_lead_back_to_the_table(visitor: Visitors) -> None:
    """A GET of a form's address redirects to the table."""
    guest = visitor()
    table = guest.open()
    for path in ("play", "rewind"):
        assert guest.get(f"{table}/{path}").headers["Location"] == table


# --- parts -------------------------------------------------------------------------------------------------------


def test_a_part_only_for_htmx(visitor: Visitors) -> None:
    """From one address, htmx gets the part that it swaps; a browser, and Back, get the whole page."""
    guest = visitor()
    table = guest.open()
    for path in ("", "?at=c4", "/score", "/moves"):
        part, whole = guest.get(table + path, **PART), guest.get(table + path)
        back = guest.get(table + path, **PART, **{"HX-History-Restore-Request": "true"})
        assert part.text.lstrip().startswith('<div id="table"')
        assert "<html" not in part.text
        for page in (whole, back):
            assert "<html" in page.text
        assert "HX-Request" in part.headers["Vary"]


def test_news_are_asked_for_by_version(visitor: Visitors) -> None:
    """Without news the answer is 204 without a body; with news it is the part, with a line for screen readers."""
    guest = visitor()
    table = guest.open()
    answer = guest.get(f"{table}?since=1", **PART)
    assert (answer.status_code, answer.data) == (204, b"")
    guest.place(table, "r b9c9")
    answer = guest.get(f"{table}?since=1", **PART)
    assert answer.status_code == 200
    assert '<p id="said" hx-swap-oob="innerHTML">Black’s rampart on b9–c9 placed</p>' in answer.text


DROPPED_PARAMETERS = {
    "en": "It is another turn now: choose again.",
    "fr": "C’est un autre tour maintenant\xa0: choisissez de nouveau.",
}


@pytest.mark.parametrize("language", DROPPED_PARAMETERS)
def test_that_a_choice_was_dropped_is_said(visitor: Visitors, ledger: Ledger, language: str) -> None:
    """The line that tells the news also says that a choice was dropped. Without a choice, or where it stays, the
    line tells the news alone.
    """
    guest = visitor(language)
    table = guest.open()
    placed = guest.place(table, "r b9c9")

    def sentences(path: str, phone: Visitor = guest) -> list[str]:
        return [it.strip() for it in NEWS.findall(phone.get(path, **PART).text)]

    [news, *_] = alone = sentences(f"{table}?since=1")
    for nothing in ("?zoom=e5&since=1", "/moves?entry=1&since=1"):
        assert sentences(table + nothing) == alone == [news] * 2, nothing
    for chosen in ("at=g1", "kind=house", "at=g1&kind=house&so=x", "move=r+g1h1"):
        assert sentences(f"{table}?{chosen}&since=1") == [f"{news}. {DROPPED_PARAMETERS[language]}"] * 2, chosen
    guest.send(placed.form("/rewind"))
    seat = visitor(language)
    for stays, phone in ((table, guest), (seat.sit(ledger, "villefranche/five_buildings", 2, seat="white"), seat)):
        found = sentences(f"{stays}?at=g1&since=1", phone)
        assert len(found) == 2 and DROPPED_PARAMETERS[language] not in "".join(found)


def test_what_is_chosen_for_one_player_is_not_asked_about_for_the_next(visitor: Visitors) -> None:
    """A move chosen for one player is dropped when another phone ends that turn; after an undo it is kept."""
    guest = visitor()
    table = guest.open()
    placed = guest.place(table, "r b9c9")
    chosen = f"{table}?move=r+g1h1&since="
    news = guest.get(f"{chosen}1", **PART)
    assert news.headers["HX-Replace-Url"] == table
    assert 'id="place"' not in news.text
    assert "r+g1h1" not in news.text, "no link leads back to it"
    assert "Black’s rampart on b9–c9 placed" in news.text
    guest.send(placed.form("/rewind"))
    news = guest.get(f"{chosen}1", **PART)  # undone: it is the same player's turn again
    assert "HX-Replace-Url" not in news.headers
    assert 'id="place"' in news.text


def test_pages_are_shown_when_they_are_whole(visitor: Visitors) -> None:
    """A browser renders a page once its last element has arrived, so nothing moves while it loads."""
    guest = visitor()
    for path in ("/", guest.open(), "/count/fief", "/rules/fief"):
        text = guest.get(path).text
        assert '<link rel="expect" href="#whole" blocking="render">' in text
        assert text.rstrip().endswith('<div id="whole" hidden></div>\n</body>\n</html>')


def test_a_part_that_fails_is_a_part(visitor: Visitors, app: Flask) -> None:
    """A failed request for news is answered with the part of the page."""
    guest = visitor()
    answer = guest.get(f"/t/{UNKNOWN}?since=3", **PART)
    assert answer.status_code == 401
    assert answer.text.lstrip().startswith('<div id="table"')


# --- what can go wrong -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "fr"])
def test_tables_that_are_not_there(visitor: Visitors, language: str) -> None:
    """Without a key a table's page asks for one; with a key, an unknown id gets 404 and a link to the first page."""
    guest = visitor(language)
    table = guest.open()
    key = guest.client.get_cookie("keys", path=table)
    assert key is not None
    for path in (f"/t/{UNKNOWN}", f"/t/{UNKNOWN}/score", f"/t/{UNKNOWN}/moves"):
        answer = guest.get(path)
        assert answer.status_code == 401
        assert Document(answer.text).form("/join")
    guest.client.set_cookie("keys", key.value, path=f"/t/{UNKNOWN}")
    answer = guest.get(f"/t/{UNKNOWN}")
    assert answer.status_code == 404
    page = Document(answer.text)
    assert "/" in page.links()
    assert f"/t/{UNKNOWN}" not in page.links()
    assert {"en": "No table has this id", "fr": "Aucune table"}[language] in page.text


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("path", ["/nothing", "/t/a/b/c/d", "/rules/nothing", "/problems/nothing"])
def test_an_address_of_nothing_leads_to_where_one_plays(visitor: Visitors, language: str, path: str) -> None:
    """An unknown address answers a page with one button to the first page; a program gets a problem document."""
    guest = visitor(language)
    answer = guest.client.get(path, headers={"Accept": "text/html", "Accept-Language": language})
    page = Document(answer.text)
    assert answer.status_code == 404
    assert answer.headers["Cache-Control"] == "no-store"
    assert [tag for tag, found in page.elements if tag == "a" and "button" in (found.get("class") or "")] == ["a"]
    assert {"en": "Choose a table or a game", "fr": "Choisir une table ou un jeu"}[language] in page.text
    assert guest.client.get("/nothing", headers={"Accept": "application/json"}).mimetype == "application/problem+json"


def test_a_table_that_was_deleted(visitor: Visitors, app: Flask) -> None:
    """A deleted table answers 410, and leaves the list of recent tables."""
    from service.http.current import REFEREE

    guest = visitor()
    table = guest.open()
    key = guest.client.get_cookie("keys", path=table)
    assert key is not None
    app.extensions[REFEREE].delete(table.removeprefix("/t/"), key.value.split(":")[0].split(".")[1])
    answer = guest.get(table)
    assert answer.status_code == 410
    assert table not in guest.see("/").links()


def test_cookies_that_somebody_made_up(visitor: Visitors) -> None:
    """No forged cookie breaks the first page or opens a table."""
    guest = visitor()
    table = guest.open()
    for value in (
        "",
        "x",
        ":::",
        "host",
        "host.",
        "host.<b>",
        "a.b.c:" * 50,
        "bWFsZm9ybWVk",
        "W10=",
        "eyJhIjogMX0=",
        "W3sidCI6IDF9XQ==",
    ):
        for name, path in (("keys", table), ("recent", "/"), ("lang", "/")):
            guest.client.set_cookie(name, value, path=path)
        assert guest.get("/").status_code == 200
        assert guest.get(table).status_code in (401, 404)


def rows(page: Document) -> list[int]:
    """The numbers of the moves on a page of a log."""
    ids = (found.get("id") or "" for tag, found in page.elements if tag == "a")
    return [int(each.removeprefix("e-")) for each in ids if each.startswith("e-")]


def link(page: Document, name: str) -> str | None:
    """The address of the link with this id, or None."""
    return next((found["href"] for tag, found in page.elements if tag == "a" and found.get("id") == name), None)


def test_a_long_log_comes_in_pages(visitor: Visitors, ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links lead through all pages of the log, back and forth."""
    monkeypatch.setattr("web.panels.log.log.ROWS", 10)
    guest = visitor()
    table = guest.sit(ledger, "villefranche/tower_decides")
    address: str | None = f"{table}/moves"
    ways, found = [], []
    while address:
        page = guest.see(address)
        ways.append(rows(page))
        found += rows(page)
        address = link(page, "older")
    assert found == list(range(found[0], 0, -1))
    assert {len(way) for way in ways[:-1]} == {10}
    back = [rows(page)]
    while address := link(page, "newer"):
        page = guest.see(address)
        back.append(rows(page))
    assert back == ways[::-1]


def test_an_entry_is_on_the_page_that_shows_it(
    visitor: Visitors, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The link to an earlier move crosses the ends of pages; closing an entry stays on its page."""
    monkeypatch.setattr("web.panels.log.log.ROWS", 10)
    guest = visitor()
    table = guest.sit(ledger, "villefranche/tower_decides", 25)
    address: str | None = f"{table}/moves?entry=26"
    for number in range(26, 0, -1):
        assert address
        page = guest.see(address)
        assert number in rows(page)
        assert 0 < len(rows(page)) <= 10
        back = link(page, f"e-{number}")
        assert back and "entry=" not in back
        assert rows(guest.see(back)) == rows(page)
        address = link(page, "earlier")
    assert address is None


def test_a_page_of_a_log_is_no_longer_than_it_should_be(visitor: Visitors, ledger: Ledger) -> None:
    """A page of the longest recorded game has 100 rows."""
    guest = visitor()
    page = guest.see(guest.sit(ledger, "fief/five_and_much_stood") + "/moves")
    assert len(rows(page)) == 100


def test_odd_addresses(visitor: Visitors) -> None:
    """A page ignores parameters with invalid values."""
    guest = visitor()
    table = guest.open()
    odd = ("0", "-1", "zz", "9" * 30, "%00", "é", "<b>", "c4,d4", "a" * 500, "%F0%9F%8F%B0")
    for name in ("at", "kind", "move", "show", "entry", "before", "done", "zoom", "since"):
        for value in odd:
            for page in ("", "/score", "/moves"):
                assert guest.get(f"{table}{page}?{name}={value}").status_code in (200, 204), (page, name, value)
    for one, other in over(pairwise(odd)):
        assert guest.get(f"{table}?at={one}&kind={other}&zoom={one}").status_code == 200


class Slow:
    """A request body that does not arrive in time."""

    def read(self, *_: object) -> bytes:
        """Raise the worker's timeout."""
        raise RequestTimeout


FORMS: dict[str, tuple[dict[str, Any], int, dict[str, str]]] = {
    "20 kB": (
        {"data": {"move": "a" * 20_000}},
        413,
        {"en": "16384 bytes are allowed", "fr": "16384 octets sont permis"},
    ),
    "a length beyond all numbers": (
        {"environ_overrides": {"CONTENT_LENGTH": "9" * 25}},
        413,
        {"en": "16384 bytes are allowed", "fr": "16384 octets sont permis"},
    ),
    "a slow one": (
        {"environ_overrides": {"CONTENT_LENGTH": "100", "wsgi.input": Slow()}},
        408,
        {"en": "did not arrive within 10 seconds", "fr": "n’est pas arrivé en 10 secondes"},
    ),
}


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("sent", FORMS)
def test_a_form_that_cannot_be_read_is_told_so(sent: str, language: str, visitor: Visitors, app: Flask) -> None:
    """Every address that takes forms answers an unreadable one with a page that says why and links onward."""
    form, status, said = FORMS[sent]
    guest = visitor(language)
    table = guest.open().removeprefix("/t/")
    group = guest.post("/g", {"name": "Ours", "key": "A" * 22}).headers["Location"].removeprefix("/g/")
    forms = [
        rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith("web.") and "POST" in (rule.methods or ())
    ]
    assert len(forms) >= 10
    for rule in forms:
        path = rule.rule.replace("<table_id>", table).replace("<group_id>", group).replace("<int:dispute>", "1")
        path = path.replace("<int:number>", "1")
        headers = {"Origin": ORIGIN, "Accept-Language": language}
        kind = "application/x-www-form-urlencoded"
        answer = guest.client.post(path, headers=headers, content_type=kind, **form)
        assert (answer.status_code, said[language] in answer.text) == (status, True), path
        assert Document(answer.text).links(), "there is a way on"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_form_that_cannot_be_read_is_refused_for_what_else_is_wrong(
    language: str, limited_app: Callable[..., Flask]
) -> None:
    """An overlong form of another site gets 403, and one over the rate limit 429, instead of 413."""
    guest = Visitor(limited_app().test_client(), language)
    table = guest.open()
    long = {"move": "a" * 20_000}
    assert guest.post(f"{table}/play", long, {"Origin": "http://evil.example"}).status_code == 403
    answers = [guest.post(f"{table}/play", long) for _ in range(11)]
    assert [answer.status_code for answer in answers] == [413] * 10 + [429]
    assert f"{table}/play" in Document(answers[-1].text).links()


def test_a_page_that_is_too_much_work_says_so(visitor: Visitors, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that exceeds the budget of a request answers 422 and says so."""
    for language, words in (("en", "too much work for one request"), ("fr", "trop de travail")):
        guest = visitor(language)
        table = guest.open()
        with monkeypatch.context() as few:
            few.setattr(budget, "BUDGET", 0)
            answer = guest.get(f"{table}?move=r+b9c9")
        assert (answer.status_code, words in answer.text) == (422, True)
        assert guest.get(f"{table}?move=r+b9c9").status_code == 200
