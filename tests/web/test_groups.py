"""The pages of groups: results saved at a game's end, their history and statistics, files, and who may see them."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable
from dataclasses import astuple, replace
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from flask import Flask, Response

import service.groups.groups
from rules import GAMES
from service.referee.use_cases import NewTable
from service.storage.ledger import Ledger
from service.tables.results import MAX_FILE
from tests.support.document import Document
from tests.support.group_pages import _fill, found_group, import_file
from tests.support.records import records_of
from tests.support.tables import recorded_table
from tests.web.conftest import Visitor
from web.browser import cookies, recent_tables
from web.browser.language import local_day
from web.pages import home_list
from web.panels.context import names_at, sheet_of
from web.panels.score.groups import PAGE, result_of

Visitors = Callable[..., Visitor]
MARKUP = "<img src=x onerror=alert(1)>"


def results(n: int, **other: Any) -> dict[str, Any]:
    """A file of `n` results, each of its own day."""
    players = [{"name": "Ada", "points": 9, "won": True}, {"name": "Ben", "points": 4, "won": False}]
    days = [f"20{20 + day // 28:02}-01-{1 + day % 28:02}" for day in range(n)]
    return {"results": [{"game": "villefranche", "day": day, "players": players, **other} for day in days]}


def key_of(guest: Visitor, group: str) -> str:
    """The browser's key of a group."""
    cookie = guest.client.get_cookie("groups")
    assert cookie is not None
    return dict(item.split(".") for item in cookie.value.split(":"))[group.removeprefix("/g/")]


def test_what_a_finished_game_says_is_what_is_kept(visitor: Visitors, ledger: Ledger) -> None:
    """A result is saved under the names typed. A second from the same table replaces it, whoever sends it."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/five_buildings")
    address, fields = guest.see(f"{table}/result").form("/result")
    sent = {**fields, "name-1": "Ada", "name-2": "Ben", "title": "Tuesday"}
    first = guest.post(address, sent)
    assert first.status_code == 303
    group = first.headers["Location"]
    assert guest.post(address, sent).headers["Location"] == group  # sent again: the same group, and one result
    page = guest.see(group)
    assert "Ada wins by 5" in page.text
    assert "Ada 24, Ben 19" in page.text
    other = visitor()
    other.client.set_cookie("groups", f"{group.removeprefix('/g/')}.{key_of(guest, group)}")
    held = guest.client.get_cookie("keys", path=table)
    assert held is not None
    other.client.set_cookie("keys", held.value, path=table)
    form = other.see(f"{table}/result")
    assert "This replaces what is already there." in form.text
    address, fields = form.form("/result")
    page = other.see(other.post(address, {**fields, "name-1": "Ada", "name-2": "Benno"}).headers["Location"])
    assert "Ada 24, Benno 19" in page.text
    assert len(json.loads(other.get(f"{group}/results.json").text)["results"]) == 1


def test_a_game_that_goes_on_has_no_result(visitor: Visitors) -> None:
    """Until a game is over, its score page has no link to save a result, and the result's address answers 422."""
    guest = visitor()
    table = guest.open()
    assert not [link for link in guest.see(f"{table}/score").links() if link.endswith("/result")]
    for answer in (guest.get(f"{table}/result"), guest.post(f"{table}/result", {"group": "new", "title": "x"})):
        assert answer.status_code == 422
        assert "not over" in answer.text
    assert guest.client.get_cookie("groups") is None


def test_what_is_wrong_with_names_is_said_and_kept(visitor: Visitors, ledger: Ledger) -> None:
    """Equal or overlong names are refused and stay in the form; no group is founded."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/five_buildings")
    address, fields = guest.see(f"{table}/result").form("/result")
    for names in (["Ada", " ada "], ["Ada", "B" * 41]):
        answer = guest.post(address, {**fields, "name-1": names[0], "name-2": names[1]})
        assert answer.status_code == 422
        assert names[1].strip() in answer.text
    answer = guest.post(address, {**fields, "title": "T" * 41})
    assert answer.status_code == 422
    assert guest.client.get_cookie("groups") is None
    assert guest.post(address, {**fields, "name-1": "", "name-2": " "}).status_code == 303  # named by colours


def test_the_statistics_are_on_the_page(visitor: Visitors) -> None:
    """Four games, three won by Ada: the page shows each player's wins and streak, the best score, the clearest win."""
    guest = visitor()
    group = found_group(guest)
    played = [(20, 3), (7, 9), (12, 5)]
    file = {
        "results": [
            {
                "game": "villefranche",
                "day": f"2026-03-0{day}",
                "players": [{"name": "Ada", "points": a, "won": a > b}, {"name": "Ben", "points": b, "won": b > a}],
            }
            for day, (a, b) in enumerate(played, 1)
        ]
    }
    file["results"].append({"game": "Go", "day": "2026-03-04", "players": [{"name": "Ada", "won": True}]})
    page = guest.see(import_file(guest, group, file).headers["Location"])
    assert "4 results have come." in page.text
    assert "Ada 4 3 75% 2 Ben 3 1 33% 0 best 1" in page.text
    assert "Best score: 20, Ada Clearest win: by 17, Ada" in page.text
    assert "Ada 2 of 3 13.0 20 Ben 1 of 3 5.7 9" in page.text
    assert page.text.index("Ada wins Go,") < page.text.index("Ada wins by 7")
    french = visitor("fr")
    french.client.set_cookie("groups", f"{group.removeprefix('/g/')}.{key_of(guest, group)}")
    assert "13,0" in french.see(group).text


@pytest.mark.parametrize(
    ("n", "english", "french"),
    [
        (2, "Ada and Ben", "Ada et Ben"),
        (3, "Ada, Ben, and Cleo", "Ada, Ben et Cleo"),
        (4, "Ada, Ben, Cleo and 1 more", "Ada, Ben, Cleo et 1 autre"),
        (5, "Ada, Ben, Cleo and 2 more", "Ada, Ben, Cleo et 2 autres"),
    ],
)
def test_all_who_hold_a_record_are_named(n: int, english: str, french: str, visitor: Visitors) -> None:
    """A record names up to three of its holders, and counts the others."""
    guest = visitor()
    group = found_group(guest)
    won = [{"name": name, "points": 9, "won": True} for name in ("Ada", "Ben", "Cleo", "Denis", "Eve")[:n]]
    import_file(guest, group, results(1, players=[*won, {"name": "Zoe", "points": 4, "won": False}]))
    page = guest.see(group).text
    assert f"Best score: 9, {english} " in page
    assert f"Clearest win: by 5, {english} " in page
    assert f"9, {french} " in guest.see(f"{group}?lang=fr").text


def test_files_go_out_and_come_in(visitor: Visitors) -> None:
    """An export imported into another group gives the same results. A second import, or the same form, adds none."""
    guest = visitor()
    group = found_group(guest)
    page = guest.see(group)
    assert import_file(guest, group, results(3), page).status_code == 303
    assert import_file(guest, group, results(3), page).status_code == 303
    exported = guest.get(f"{group}/results.json")
    assert "attachment" in exported.headers["Content-Disposition"]
    assert guest.send(guest.see(f"{group}/leave").form("/leave")).text.count("Tuesday") == 0
    assert guest.get(group).status_code == 401
    other = found_group(guest, "Another")
    for come in (3, 0):
        assert import_file(guest, other, exported.data).headers["Location"].endswith(f"?come={come}")
    again = json.loads(guest.get(f"{other}/results.json").text)
    assert again["results"] == json.loads(exported.text)["results"]
    assert len(again["results"]) == 3


def test_an_import_overwrites_nothing(visitor: Visitors) -> None:
    """An import leaves out results that differ from the group's, restores removed ones, and reports both counts."""
    guest = visitor()
    group = found_group(guest)
    import_file(guest, group, results(3))
    exported = json.loads(guest.get(f"{group}/results.json").text)
    for result in exported["results"][:2]:
        result["players"][0]["points"] = 99
    guest.send(guest.see(group).form("/out"))
    page = guest.see(import_file(guest, group, exported).headers["Location"])
    assert (
        "1 result has come. 1 of them had been removed here before."
        " 2 differ from results here and were left out. To import" in page.text
    )
    assert "99" not in page.text
    assert page.text.count("Ada 9, Ben 4") == 3


@pytest.mark.parametrize("file", [b"", b"{", b"[]", b'{"results": [{}]}', b"\xff", b"PK\x03\x04"])
def test_a_file_that_cannot_be_read_is_told_so(file: bytes, visitor: Visitors) -> None:
    """The server saves nothing of an unreadable file; the page speaks of the file and links to the group."""
    guest = visitor()
    group = found_group(guest)
    answer = import_file(guest, group, file)
    assert answer.status_code in (400, 422)
    assert re.search("[Tt]his file|the file", answer.text)
    assert not re.search("request|body|`|UTF", Document(answer.text).text)
    assert group in Document(answer.text).links()
    assert guest.post(f"{group}/import", {"key": "x"}).status_code == 400
    assert json.loads(guest.get(f"{group}/results.json").text)["results"] == []


def test_what_is_wrong_in_a_file_is_listed(visitor: Visitors) -> None:
    """Each error names its place, counted from 1, in either language; markup in the file adds no element."""
    file = results(3)
    del file["results"][0]["game"]
    file["results"][2]["players"][1]["points"] = "many"
    file[MARKUP] = 1
    guest = visitor()
    answer = import_file(guest, found_group(guest), file)
    text = Document(answer.text).text
    assert "Result 1, game: This field is required." in text
    assert "Result 3, Player 2, points: Give a whole number here." in text
    assert "<img" not in answer.text
    guest = visitor("fr")
    text = Document(import_file(guest, found_group(guest), file).text).text
    assert "Résultat 3, Joueur 2, points : " in text.replace("\xa0", " ")
    assert "Ce fichier n’a pas de résultats." in import_file(guest, found_group(guest), b"[]").text


def test_a_file_saved_by_an_editor_comes_in(visitor: Visitors) -> None:
    """A file may begin with a byte order mark."""
    guest = visitor()
    group = found_group(guest)
    assert import_file(guest, group, BOM_UTF8 + json.dumps(results(2)).encode()).headers["Location"].endswith("?come=2")


def test_a_file_may_be_as_long_as_a_full_group(visitor: Visitors) -> None:
    """A file may be up to 256 kB; a larger one gets 413 and the form, which states the limit."""
    guest = visitor()
    group = found_group(guest)
    assert import_file(guest, group, results(300)).status_code == 303
    answer = import_file(guest, group, b" " * MAX_FILE)
    assert answer.status_code == 413
    page = Document(answer.text)
    assert "at most 256 kB." in page.text
    assert import_file(guest, group, results(301), page).headers["Location"].endswith("?come=1")


def test_a_form_for_another_file_says_so(visitor: Visitors, monkeypatch: pytest.MonkeyPatch) -> None:
    """A used form with another file, or a file for a full group, gets the form back; that one takes the file."""
    guest = visitor()
    group = found_group(guest)
    page = guest.see(group)
    assert import_file(guest, group, results(1), page).status_code == 303
    answer = import_file(guest, group, results(2), page)
    again = Document(answer.text)
    assert (answer.status_code, "already sent with another" in again.text) == (422, True)
    assert {"aria-invalid": "true", "aria-describedby": "file-wrong"}.items() <= dict(again.elements)["input"].items()
    monkeypatch.setattr(service.groups.groups, "MAX_ENTRIES", 3)
    answer = import_file(guest, group, results(2), again)
    assert (answer.status_code, "Export its results, begin a new group" in answer.text) == (409, True)
    monkeypatch.undo()
    assert import_file(guest, group, results(2), Document(answer.text)).headers["Location"].endswith("?come=1")


def test_all_that_is_wrong_with_a_result_is_told(visitor: Visitors, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each error stands beside its field, and everything typed or ticked stays."""
    guest = visitor()
    group = found_group(guest)
    form = guest.see(f"{group}/add").form("/add")
    typed = {"game": "", "day": "soon", "name-2": "Ada", "points-2": "many", "name-4": "ada", "won-4": "yes"}
    answer = guest.post(form[0], {**form[1], **typed})
    assert answer.status_code == 422
    wrong = dict(re.findall(r'id="([a-z]+(?:-\d)?)-wrong"><p>(.*?)</p>', answer.text))
    assert list(wrong) == ["game", "day", "points-2", "name-4"]
    assert (wrong["game"], wrong["points-2"]) == ("This field is required.", "Give a whole number here.")
    page = Document(answer.text)
    assert [link for link in page.links() if link.startswith("#")] == [f"#{name}" for name in wrong]
    assert {attributes.get("id") for _, attributes in page.elements} >= {*wrong}
    assert page.form("/add")[1].items() >= typed.items()
    nobody = guest.post(form[0], {**form[1], "game": "Go"}).text
    assert re.findall(r'id="([a-z]+(?:-\d)?)-wrong"', nobody) == ["name-1"]
    monkeypatch.setattr(service.groups.groups, "MAX_ENTRIES", 1)
    full = guest.post(form[0], {**form[1], "game": "Go", "name-1": "Ada"})
    assert full.status_code == 409
    assert Document(full.text).form("/add")[1]["name-1"] == "Ada"


def test_any_member_takes_a_result_out(visitor: Visitors) -> None:
    """A removed result no longer counts and can be put back; the same form again changes nothing."""
    guest = visitor()
    group = found_group(guest)
    import_file(guest, group, results(2))
    address, fields = guest.see(group).form("/out")
    page = guest.send((address, fields))
    assert guest.post(address, fields).status_code == 303
    assert "Removed: Ada wins by 5" in page.text
    assert "Ada 1 1 100%" in page.text
    assert "Ada 2 2 100%" in guest.send(page.form("/back")).text
    for form in ("/out", "/back", "/out"):
        assert guest.post(f"{group}{form}", {"number": "9999999"}).status_code == 303


def test_a_group_opens_to_those_with_its_link(visitor: Visitors) -> None:
    """The link, with the key behind its ``#``, opens the group; other pages do not show the key."""
    guest, friend = visitor(), visitor()
    group = found_group(guest)
    key = key_of(guest, group)
    import_file(guest, group, results(1))
    link = f"http://localhost{group}#{key}"
    assert link in guest.get(f"{group}/share").text
    for path in (group, "/g", "/", f"{group}/results.json"):
        assert key not in guest.get(path).text
    for path in ("", "/share", "/leave", "/results.json", "/results.csv"):
        assert friend.get(group + path).status_code == 401
    for form in ("/import", "/out", "/back"):
        assert friend.post(group + form, {"number": "2"}).status_code == 401
    join = friend.see(f"{group}/join").form("/join")
    for wrong in ("k" * 22, "", "x"):
        assert friend.post(join[0], {**join[1], "key": wrong}).status_code in (401, 404)
    assert "Ada wins by 5" in friend.send(join, key=link).text
    friend.client.set_cookie("groups", f"{group.removeprefix('/g/')}.{'k' * 22}")
    assert friend.get(group).status_code == 404
    assert not [link for link in friend.see("/g").links() if link == group]


def test_leaving_a_group_is_asked_for_with_its_link(visitor: Visitors) -> None:
    """The group's page only links to a question, which shows the link for joining the group again."""
    guest = visitor()
    group = found_group(guest, "Tuesday")
    page = guest.see(group)
    assert not [address for address, _ in page.forms if address.endswith("/leave")]
    assert f"{group}/leave" in page.links()
    asked = guest.get(f"{group}/leave")
    link = f"http://localhost{group}#{key_of(guest, group)}"
    assert link in asked.text
    assert asked.headers["Cache-Control"] == "no-store, no-transform"
    assert group in Document(asked.text).links()
    assert "Tuesday" not in guest.send(Document(asked.text).form("/leave")).text
    assert guest.get(f"{group}/leave").status_code == 401
    assert "Tuesday" in guest.send(guest.see(f"{group}/join").form("/join"), key=link).text


def test_the_cookie_of_groups_is_guarded(visitor: Visitors) -> None:
    """No script can read the cookie of groups, each visit to a group renews it, and the server ignores invalid ones."""
    guest = visitor()
    answer = guest.post(*_fill(guest.see("/g").form("/g"), name="Ours"))
    (cookie,) = (line for line in answer.headers.getlist("Set-Cookie") if line.startswith("groups="))
    kept = {"HttpOnly", "SameSite=Lax", "Path=/", f"Max-Age={400 * 24 * 3600}"}
    assert kept <= {part.strip() for part in cookie.split(";")}
    assert f"Max-Age={400 * 24 * 3600}" in guest.get(answer.headers["Location"]).headers["Set-Cookie"]
    for made_up in ("x", ":::", "a.b:c", "é" * 22, "." * 60, "A" * 22 + "." + "B" * 22):
        guest.client.set_cookie("groups", made_up)
        assert guest.get("/g").status_code == 200


def test_no_group_is_forgotten_unasked(visitor: Visitors, app: Flask) -> None:
    """At the limit of groups a phone cannot found or join another, and keeps all that it has."""
    guest = visitor()
    groups = [found_group(guest, f"Group {n}") for n in range(cookies.MAX_GROUPS)]
    answer = guest.post(*_fill(guest.see("/g").form("/g"), name="One more"))
    assert answer.status_code == 409
    assert str(cookies.MAX_GROUPS) in answer.text
    other = found_group(visitor(), "Another")
    assert guest.post(f"{other}/join", {"key": "k" * 22}).status_code == 409
    assert all(guest.get(group).status_code == 200 for group in groups)


def test_names_are_words_and_nothing_else(visitor: Visitors, ledger: Ledger) -> None:
    """Pages escape markup in the names of groups, players and games; a CSV file escapes formulas."""
    guest = visitor()
    group = found_group(guest, MARKUP)
    file = results(1, game=MARKUP, players=[{"name": MARKUP, "won": True}, {"name": "=1+1", "won": False}])
    import_file(guest, group, file)
    table = guest.sit(ledger, "villefranche/five_buildings")
    pages = [group, "/g", f"{group}/share", f"{table}/result"]
    address, fields = guest.see(group).form("/out")
    pages.append(guest.post(address, fields).headers["Location"])
    for path in pages:
        page = guest.get(path).text
        assert "<img" not in page, path
        assert "&lt;img" in page, path
    guest.send(guest.see(group).form("/back"))
    rows = list(csv.DictReader(io.StringIO(guest.get(f"{group}/results.csv").data.removeprefix(BOM_UTF8).decode())))
    assert [row["player"] for row in rows] == [MARKUP, "'=1+1"]
    assert [row["won"] for row in rows] == ["1", "0"]


def test_a_long_history_comes_in_pages(visitor: Visitors) -> None:
    """Links to older results lead through all pages; no result stands on two."""
    guest = visitor()
    group = found_group(guest)
    import_file(guest, group, results(PAGE + 7))
    page, days = guest.see(group), []
    while True:
        days += [fields["number"] for address, fields in page.forms if address.endswith("/out")]
        older = [link for link in page.links() if "before=" in link and "lang=" not in link]
        if not older:
            break
        page = guest.see(older[0])
    assert len(days) == len(set(days)) == PAGE + 7
    assert guest.see(f"{group}?before=99999").forms


def test_addresses_of_forms_lead_back(visitor: Visitors) -> None:
    """A GET of a form's address redirects to the group."""
    guest = visitor()
    group = found_group(guest)
    for form in ("import", "out", "back"):
        assert guest.get(f"{group}/{form}").headers["Location"] == group
    assert guest.get(f"{group}/results.xml").status_code == 404


def test_forms_of_other_sites_do_nothing(visitor: Visitors) -> None:
    """The server rejects every form of a group that another site sends."""
    guest = visitor()
    group = found_group(guest)
    for form in ("/g", f"{group}/leave", f"{group}/out", f"{group}/back", f"{group}/import", f"{group}/join"):
        assert guest.post(form, {"name": "x", "number": "2"}, {"Origin": "https://evil.example"}).status_code == 403
    assert guest.get(group).status_code == 200


def test_the_first_page_leads_there(visitor: Visitors) -> None:
    """The first page links to the groups."""
    assert "/g" in visitor().see("/").links()


def test_every_game_keeps_a_result(visitor: Visitors, ledger: Ledger) -> None:
    """In every game the score page of a finished table links to saving its result, under the table's id."""
    guest = visitor("fr")
    group, tables = found_group(guest), []
    for game in GAMES:
        record = records_of(game)[0]
        tables.append(guest.sit(ledger, f"{game}/{record.stem}"))
        (to_keep,) = (link for link in guest.see(f"{tables[-1]}/score").links() if link.endswith("/result"))
        page = guest.send(guest.see(to_keep).form("/result"), group=group.removeprefix("/g/"))
        assert tables[-1] in page.links()
    kept = json.loads(guest.get(f"{group}/results.json").text)["results"]
    assert {f"/t/{each['id']}": each["game"] for each in kept} == dict(zip(tables, GAMES, strict=True))
    assert all(each["at_table"] for each in kept)
    assert f"{len(GAMES)} parties" in guest.see("/g").text


@pytest.mark.parametrize("page", ["", "/score"])
def test_a_result_that_is_saved_is_not_offered_again(page: str, visitor: Visitors, ledger: Ledger) -> None:
    """The button names the group; once the result is saved, a link to the group replaces it."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/five_buildings")
    offered = guest.see(f"{table}{page}")
    assert f"{table}/result" in offered.links() and "Save the result in a new group" in offered.text
    group = found_group(guest, "Our Fridays")
    assert "Save the result Our Fridays" in guest.see(f"{table}{page}").text
    guest.send(guest.see(f"{table}/result").form("/result"), group=group.removeprefix("/g/"))
    saved = guest.see(f"{table}{page}")
    assert f"{table}/result" not in saved.links() and group in saved.links()
    assert "The result is saved: Our Fridays" in saved.text
    assert {f"{table}/sheet.svg", f"{table}/again", f"{table}/sheet"} <= set(saved.links())


def test_results_are_of_the_groups_or_of_this_phone(visitor: Visitors, app: Flask, ledger: Ledger) -> None:
    """Once a game of this phone is over, a switch chooses: groups, the default if it has any, or this phone."""
    guest = visitor()
    assert "/g?of=phone" not in guest.see("/g").links()
    knowing(guest, app, [recorded_table(ledger, FINISHED_GAMES[0])])
    assert "The tables of this phone" in guest.see("/g").text
    group = found_group(guest)
    groups = guest.see("/g")
    assert {group, "/g?of=phone"} <= set(groups.links()) and "The tables of this phone" not in groups.text
    phone = guest.see("/g?of=phone")
    assert "/g?of=groups" in phone.links() and group not in phone.links()
    assert "The tables of this phone" in phone.text
    assert guest.see("/g?of=nonsense").text == groups.text


def test_a_draw_is_told_from_a_game_that_nobody_won(visitor: Visitors) -> None:
    """Without winners, equal points are a draw; unequal or missing points mean that nobody won. Several can win."""
    guest = visitor()
    group = found_group(guest)
    said = {(3, 3): "A draw", (3, 4): "Nobody won", (None, None): "Nobody won"}
    for (one, other), words in said.items():
        players = [{"name": "Ada", "points": one, "won": False}, {"name": "Ben", "points": other, "won": False}]
        import_file(guest, group, results(1, players=players))
        assert words in guest.see(group).text
        guest.send(guest.see(group).form("/out"))
    import_file(guest, group, results(1, players=[{"name": name, "won": True} for name in ("Ada", "Ben")]))
    assert "Ada and Ben win together" in guest.see(group).text


# --- the tables of this phone ------------------------------------------------------------------------------------


def knowing(guest: Visitor, app: Flask, tables: Iterable[NewTable]) -> None:
    """Put tables into a browser's list, as if it had joined them and not loaded its list since."""
    with app.test_request_context():
        known = [recent_tables.new_recent_table(each.table, each.keys.host) for each in tables]
        cookie = recent_tables.store(Response(), known).headers["Set-Cookie"].split(";")[0].partition("=")[2]
    guest.client.set_cookie("recent", cookie)


FINISHED_GAMES = (
    "villefranche/gate_decides",
    "villefranche/five_buildings",
    "fief/four_as_a_pair",
    "architekton/stood",
)


def test_the_tables_of_a_phone_have_a_history(visitor: Visitors, app: Flask, ledger: Ledger) -> None:
    """Without any group a phone shows the results, statistics and files of its finished tables. One button saves
    all of them in a group; sent again, it adds none.
    """
    guest = visitor()
    assert "The tables of this phone" not in guest.see("/g").text
    made = [recorded_table(ledger, name) for name in FINISHED_GAMES]
    knowing(guest, app, [*made, recorded_table(ledger, FINISHED_GAMES[0], 9)])
    page = guest.see("/g")
    assert {link for link in page.links() if link.startswith("/t/")} == {f"/t/{each.table.id}" for each in made}
    assert "Villefranche 2 games" in page.text
    assert not [address for address, _ in page.forms if address.endswith("/out")]
    exported = guest.get("/g/results.json")
    assert "attachment" in exported.headers["Content-Disposition"]
    assert len(guest.get("/g/results.csv").text.splitlines()) > 2 * len(made)
    form = page.form("/g/keep")
    kept = guest.post(form[0], {**form[1], "title": "Tuesday"})
    assert kept.headers["Location"].endswith("?come=4")
    assert guest.post(form[0], {**form[1], "title": "Tuesday"}).headers["Location"] == kept.headers["Location"]
    group = kept.headers["Location"].partition("?")[0]
    results = json.loads(exported.text)["results"]
    assert json.loads(guest.get(f"{group}/results.json").text)["results"] == results
    assert import_file(guest, group, exported.data).headers["Location"].endswith("?come=0")
    assert not [address for address, _ in guest.see("/g").forms if address.endswith("/keep")]  # the groups come first
    again = guest.see("/g?of=phone").form("/g/keep")
    assert guest.post(*again).headers["Location"] == f"{group}?come=0"
    assert (
        visitor().get("/g/keep").headers["Location"]
        == visitor().post("/g/keep", {"group": "new"}).headers["Location"]
        == "/g"
    )


@pytest.mark.parametrize(
    "name", [*FINISHED_GAMES, "robber_knights/drawn", "villa_paletti/two_and_no_floor_after_a_failure"]
)
def test_the_history_of_a_phone_says_what_its_tables_say(name: str, app: Flask, ledger: Ledger) -> None:
    """Each result equals the one that the table's own page saves, even after the table is deleted."""
    made = recorded_table(ledger, name)
    with app.test_request_context():
        own = result_of(made.table, sheet_of(made.table.state, made.table.game.id), names_at(made.table))
        known = home_list.shelf([recent_tables.new_recent_table(made.table, made.keys.host)]).tables
        assert home_list.finished_results(known) == {1: own}
        packed = recent_tables._encode_tables([replace(known[0], end=recent_tables.GONE_PART)])
    with app.test_request_context(headers={"Cookie": f"recent={packed}"}):
        assert home_list.finished_results(recent_tables.recent_tables()) == {1: own}


def test_what_was_kept_is_the_same_result_for_the_whole_phone(visitor: Visitors, app: Flask, ledger: Ledger) -> None:
    """A result saved under another name is neither added again nor reported as different."""
    guest = visitor()
    made = recorded_table(ledger, FINISHED_GAMES[0])
    guest.post(f"/t/{made.table.id}/join", {"key": made.keys.host})
    page = guest.send(_fill(guest.see(f"/t/{made.table.id}/result").form("/result"), **{"name-1": "Somebody else"}))
    assert "Somebody else" in page.text
    page = guest.send(guest.see("/g?of=phone").form("/g/keep"))
    assert "0 results have come." in page.text
    assert "differs" not in page.text


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("America/New_York", "2026-01-04"),
        ("Pacific/Kiritimati", "2026-01-05"),
        ("Nowhere", "2026-01-05"),
        ("../etc/passwd", "2026-01-05"),
        ("", "2026-01-05"),
    ],
)
def test_a_result_has_the_day_at_the_table(zone: str, day: str, app: Flask) -> None:
    """The day is that of the browser's time zone, or of UTC where the cookie names no real zone."""
    at = datetime(2026, 1, 5, 1, 0, tzinfo=UTC)
    with app.test_request_context(headers={"Cookie": f"zone={zone}"}):
        assert (str(local_day(at, None)), str(local_day(at, "2026-01-05"))) == (day, "2026-01-05")
        known = recent_tables.RecentTable(
            "A" * 22, "p", "villefranche", ("black", "white"), ("A", "B"), "2026-01-05T01:00"
        )
        known = replace(known, version=9, points=(3, 2), winners=("black",), by_points=True, end=recent_tables.ENDED)
        assert [result.day for result in home_list.finished_results([known]).values()] == [day]


def test_a_full_group_gives_the_form_of_a_result_back(
    visitor: Visitors, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The form comes back with everything typed, and says that the group is full."""
    guest = visitor()
    made = recorded_table(ledger, FINISHED_GAMES[0])
    found_group(guest)
    guest.post(f"/t/{made.table.id}/join", {"key": made.keys.host})
    form = guest.see(f"/t/{made.table.id}/result").form("/result")
    monkeypatch.setattr("service.groups.groups.MAX_ENTRIES", 1)
    address, fields = _fill(form, **{"name-1": "Somebody else"})
    answer = guest.post(address, fields)
    assert answer.status_code == 409
    assert "Somebody else" in answer.text
    assert "This group is full" in answer.text


WON_OTHERWISE = {
    "villa_paletti/nobody_can_build": "wins by the seal",
    "architekton/early_end": "wins, not by points",
    "villefranche/gate_decides": "wins at equal points",
}


@pytest.mark.parametrize(("name", "said"), WON_OTHERWISE.items(), ids=WON_OTHERWISE)
def test_a_win_that_is_not_by_points_has_no_margin(
    name: str, said: str, visitor: Visitors, app: Flask, ledger: Ledger
) -> None:
    """The page says how such a game was won, and leaves it out of the clearest wins."""
    guest = visitor()
    knowing(guest, app, [recorded_table(ledger, name)])
    page = guest.see("/g")
    assert said in page.text
    assert "Clearest win" not in page.text
    file = json.loads(guest.get("/g/results.json").text)
    assert file["results"][0]["by_points"] is False
    import_file(guest, group := found_group(guest), file)
    del file["results"][0]["by_points"]  # as results were saved before this field existed
    assert import_file(guest, group, file).headers["Location"].endswith("?come=0")
    assert said in guest.see(group).text


def test_a_list_of_before_is_read_once_more(visitor: Visitors, app: Flask, ledger: Ledger) -> None:
    """The list of an older release, with points as text, is read; an invalid list breaks no page."""
    guest = visitor()
    made = recorded_table(ledger, FINISHED_GAMES[0])
    with app.test_request_context():
        (known,) = home_list.shelf([recent_tables.new_recent_table(made.table, made.keys.host)]).tables
    *rest, _points, _won, _by_points = astuple(known)
    for last, there in ((["24–19"], True), ([[24, "x"], ["black"]], False), ([[24, 10**9], 7], False)):
        packed = base64.urlsafe_b64encode(zlib.compress(orjson.dumps([[*rest, *last]]))).decode()
        guest.client.set_cookie("recent", packed)
        assert ("The tables of this phone" in guest.see("/g").text) == there
        guest.see("/")


def test_all_is_taken_out_after_a_question(visitor: Visitors) -> None:
    """Results added after the question stay. Each removed one can be put back, and an import restores all."""
    guest = visitor()
    group = found_group(guest)
    import_file(guest, group, results(PAGE + 5))
    exported = guest.get(f"{group}/results.json")
    asked = guest.see(f"{group}/clear")
    assert "You can put each one back" in asked.text
    import_file(guest, group, results(1, game="Go"))
    page = guest.send(asked.form("/clear"))
    assert "Ada 1 1 100%" in page.text
    assert f"Removed results ({PAGE + 5})" in page.text
    (older,) = (link for link in page.links() if "out_before=" in link and "lang=" not in link)
    assert len([form for form in guest.see(older).forms if form[0].endswith("/back")]) == 5
    assert "Ada 2 2 100%" in guest.send(guest.see(older).form("/back")).text
    page = guest.see(import_file(guest, group, exported.data).headers["Location"])
    assert f"{PAGE + 4} results have come. {PAGE + 4} of them had been removed here before." in page.text
    assert "Removed results (" not in page.text
    assert (
        visitor().get(f"{group}/clear").status_code
        == visitor().post(f"{group}/clear", {"version": "9"}).status_code
        == 401
    )


# --- by hand -----------------------------------------------------------------------------------------------------


def written_down(guest: Visitor, group: str, *rows: tuple[str, str], **fields: str) -> tuple[str, dict[str, str]]:
    """The form for a result by hand, filled in with a name and points per row."""
    address, form = guest.see(group + "/add").form("/add")
    form = {name: value for name, value in form.items() if not name.startswith("won-")}
    for n, (name, points) in enumerate(rows, 1):
        form |= {f"name-{n}": name, f"points-{n}": points}
    return address, {**form, "game": "Villefranche", "day": "2026-05-01", **fields}


@pytest.mark.parametrize(
    ("typed", "game"),
    [
        ("Robber Knights", "robber_knights"),
        ("les chevaliers brigands", "robber_knights"),
        ("Les Chevaliers", "Les Chevaliers"),
    ],
)
def test_a_game_is_one_game_by_its_name_in_any_language(typed: str, game: str, visitor: Visitors) -> None:
    """Members with pages in two languages write down one game; another name is another game."""
    guest = visitor()
    group = found_group(guest)
    guest.send(written_down(guest, group, ("Ada", "12"), ("Ben", "9"), game=typed))
    assert [each["game"] for each in json.loads(guest.get(f"{group}/results.json").text)["results"]] == [game]


@pytest.mark.parametrize(
    ("rows", "ticked", "words"),
    [
        ([("Ada", "12"), ("Ben", "9")], {}, "Ada wins by 3"),
        ([("Ada", "12"), ("Ben", "12")], {}, "A draw"),
        ([("Ada", "12"), ("Ben", "12")], {"won-2": "yes"}, "Ben wins at equal points Villefranche"),
        ([("Ada", "12"), ("Ben", "9")], {"won-2": "yes"}, "Ben wins, not by points Villefranche"),
        ([("Ada", "12"), ("Ben", "9")], {"game": "Fief"}, "Ada wins Fief"),
        ([("Ada", "3"), ("Ben", "2")], {"won-2": "yes", "game": "Villa Paletti"}, "Ben wins by the seal"),
        ([("Ada", "12"), ("Ben", "")], {}, "Nobody won"),
        ([("Ada", "-1"), ("", "50"), ("Cleo", "-4")], {}, "Ada wins by 3"),
        ([("Ada", "7"), ("Ben", "7"), ("Cleo", "2")], {}, "Ada and Ben win together"),
    ],
)
def test_a_result_is_written_down(
    rows: list[tuple[str, str]], ticked: dict[str, str], words: str, visitor: Visitors
) -> None:
    """Most points win, unless a winner is ticked. The same form twice is one result; a new form is a second."""
    guest = visitor()
    group = found_group(guest)
    form = written_down(guest, group, *rows, **ticked)
    assert guest.post(*form).status_code == 303
    assert words in guest.send(form).text
    (kept,) = json.loads(guest.get(f"{group}/results.json").text)["results"]
    assert (kept["day"], kept["at_table"]) == ("2026-05-01", False)
    assert kept["game"] == ticked.get("game", "villefranche").lower().replace(" ", "_")
    guest.send(written_down(guest, group, *rows, **ticked))
    assert len(json.loads(guest.get(f"{group}/results.json").text)["results"]) == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"name-1": ""},
        {"game": " "},
        {"day": "yesterday"},
        {"day": "2026-02-30"},
        {"points-1": "many"},
        {"points-1": "123456789012"},
        {"points-1": "99999"},
        {"name-2": "ADA"},
        {"name-1": "A" * 41},
    ],
)
def test_what_is_wrong_by_hand_is_said_and_kept(wrong: dict[str, str], visitor: Visitors) -> None:
    """The server saves nothing, and everything typed stays in the form."""
    guest = visitor()
    group = found_group(guest)
    address, fields = written_down(guest, group, ("Ada", "1"), game="Chess")
    answer = guest.post(address, {**fields, **wrong})
    assert answer.status_code == 422
    left = Document(answer.text).form("/add")[1]
    assert {name: left[name] for name in ("name-1", "points-1", "game", "day")} == {
        name: {**fields, **wrong}[name] for name in ("name-1", "points-1", "game", "day")
    }
    assert json.loads(guest.get(f"{group}/results.json").text)["results"] == []


def test_a_game_is_known_by_its_name_in_either_language(visitor: Visitors) -> None:
    """A known game's name, in either language, saves its id; any other game keeps its name as typed."""
    guest = visitor("fr")
    group = found_group(guest)
    for typed in ("les chevaliers brigands", " Go "):
        guest.send(written_down(guest, group, ("Ada", "1"), game=typed))
    kept = json.loads(guest.get(f"{group}/results.json").text)["results"]
    assert [each["game"] for each in kept] == ["robber_knights", "Go"]
    assert "Les Chevaliers brigands" in guest.see(group).text
