"""Public views: who makes and revokes them, what they show, and that they are read-only."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Any

import orjson
import pytest
from flask import Flask

from service.http.responses import PUBLIC
from service.referee.plans import MAX_ENTRIES
from service.storage.ledger import Ledger
from service.tables.public_views import MAX_VIEWS
from tests.rules.play import EVERY_GAME, AnyGame
from tests.support.api import V1, Api, OpenTable
from tests.support.loops import over
from tests.support.records import longest_of, record_of

CANARY = "Zyxwvut"
"""A name that no text contains."""
LANGUAGES = ("en", "fr")


def read(response: Any, status: int = 200) -> Any:
    """The body of an answer with an expected status."""
    assert response.status_code == status, response.get_data(as_text=True)
    return response.json


def make(api: Api, table: OpenTable, **asked: Any) -> Any:
    """A new public view."""
    return read(api.post(f"{table.path}/views", {"label": "Club"} | asked, key=table.host), 201)


def addresses(view: str, version: int = 1, lang: str = "en") -> list[str]:
    """All addresses of a public view."""
    return [
        f"/p/{view}?lang={lang}",
        f"/p/{view}/{version}.{lang}.svg?v=0.1.0",
        *(f"{V1}/views/{view}{part}?lang={lang}" for part in ("", "/score.json", "/score.txt")),
        f"{V1}/views/{view}/events?after=0&lang={lang}",
    ]


# --- making and revoking -----------------------------------------------------------------------------------------


def test_a_view_is_made_and_revoked_by_the_host(api: Api) -> None:
    """A public view opens at once and, revoked, answers 410 on each address. Another view of the table stays."""
    table = api.open(["r b1c1"])
    first, other = make(api, table), make(api, table, label="Screen")
    assert (first["view"], other["view"], first["names"], first["since"]) == (1, 2, False, 0)
    for path in over(addresses(first["id"])):
        assert api.http.get(path).status_code == 200, path
    assert api.send("DELETE", f"{table.path}/views/1", key=table.host).status_code == 204
    assert api.send("DELETE", f"{table.path}/views/1", key=table.host).status_code == 204
    for path in over(addresses(first["id"])):
        answer = api.http.get(path)
        assert (answer.status_code, answer.headers["Cache-Control"]) == (410, "no-store"), path
        assert api.http.get(path.replace(first["id"], other["id"])).status_code == 200
    listed = read(api.get(f"{table.path}/views", key=table.host))["views"]
    assert [(each["id"], each["label"], each["revoked"]) for each in listed] == [
        (None, "Club", True),
        (other["id"], "Screen", False),
    ]


@pytest.mark.parametrize("who", ["seat", "watch", "none", "view", "other"])
def test_only_the_host_sees_makes_and_revokes_views(api: Api, who: str) -> None:
    """Only the host's key makes, lists and revokes public views. The id of one opens nothing else at the table."""
    table, view = api.open(["r b1c1"]), ""
    view = make(api, table)["id"]
    keys = {"seat": table.seats["black"], "watch": table.watch, "none": None, "other": api.open().host}
    for key in {"view": (view, view.partition(".")[2])}.get(who) or (keys[who],):
        for method, path, body in (("GET", "", None), ("POST", "", {"label": "x"}), ("DELETE", "/1", None)):
            answer = api.send(method, f"{table.path}/views{path}", body, key=key)
            assert answer.status_code in (401, 403, 404), (method, path)
        if who == "view":
            for there in ("", "/log", "/events", "/export", "/score"):
                assert api.get(table.path + there, key=key).status_code == 404
    assert api.http.get(f"/p/{view}").status_code == 200


def test_the_views_of_a_deleted_table_are_gone(api: Api) -> None:
    """The views of a deleted table are 410, like the table."""
    table = api.open()
    view = make(api, table)["id"]
    assert api.send("DELETE", table.path, key=table.host).status_code == 204
    for path in over(addresses(view)):
        answer = api.http.get(path)
        assert (answer.status_code, answer.headers["Cache-Control"]) == (410, "no-store"), path


def test_nobody_is_late_because_somebody_may_look(api: Api) -> None:
    """A move on the version before a view was made or revoked is played; one on an older version is not."""
    table = api.open(["r b1c1"])
    make(api, table)
    assert api.send("DELETE", f"{table.path}/views/1", key=table.host).status_code == 204
    assert read(api.play(table, "r b9c9", version=2), 201)["version"] == 5
    make(api, table)
    for version in (2, 3, 4, 7):
        assert read(api.play(table, "h e4", version=version), 412)["version"] == 6
    assert read(api.play(table, "h e4", version=5), 201)["version"] == 7


def test_a_repeated_request_makes_one_view(api: Api) -> None:
    """A repeated request gets the same view, even after other moves."""
    table = api.open(["r b1c1"])
    there, body = f"{table.path}/views", {"label": "Club"}
    first = api.post(there, body, key=table.host, idempotency_key="tap-1")
    read(api.play(table, "r b9c9", version=3), 201)
    again = api.post(there, body, key=table.host, idempotency_key="tap-1")
    assert (again.json, again.headers["Idempotent-Replayed"]) == (first.json, "true")
    assert len(read(api.get(there, key=table.host))["views"]) == 1
    assert api.post(there, {"label": "Other"}, key=table.host, idempotency_key="tap-1").status_code == 422


def test_a_table_has_so_many_views(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table has a maximum of views. In a full log, the host can still revoke one."""
    monkeypatch.setattr("service.referee.access.MAX_VIEWS", 2)
    assert MAX_VIEWS > 2
    table = api.open()
    for _ in range(2):
        make(api, table)
    there = f"{table.path}/views"
    assert read(api.post(there, {"label": "x"}, key=table.host), 409)["type"] == "/problems/table-full"
    monkeypatch.setattr("service.referee.plans.MAX_ENTRIES", 3)
    monkeypatch.setattr("service.referee.plans.OF_THE_HOST", 1)
    assert read(api.play(table, "r b1c1", version=3), 409)["type"] == "/problems/table-full"
    assert api.send("DELETE", f"{there}/1", key=table.host).status_code == 204
    monkeypatch.setattr("service.referee.plans.MAX_ENTRIES", MAX_ENTRIES)
    make(api, table)


@pytest.mark.parametrize(
    "view", ["x", "A" * 22, "A" * 22 + "." + "A" * 22, "{table}", "{table}.", "{table}." + "A" * 22, "{id}x", ".{id}"]
)
def test_an_id_that_is_none_opens_nothing(api: Api, view: str) -> None:
    """An unknown or malformed id is 404 and not cached, whether there is such a table or not."""
    table = api.open()
    wrong = view.format(table=table.id, id=make(api, table)["id"])
    for path in over(addresses(wrong)):
        answer = api.http.get(path)
        assert (answer.status_code, answer.headers["Cache-Control"]) == (404, "no-store"), path


def test_who_guesses_ids_has_to_wait(limited_app: Callable[..., Flask]) -> None:
    """Wrong view ids count like wrong keys, and then get 429."""
    guest = limited_app().test_client()
    seen = [guest.get(f"{V1}/views/{'A' * 22}.{number:022d}").status_code for number in range(8)]
    assert (seen[0], seen[-1]) == (404, 429)
    assert guest.get(f"/p/{'A' * 22}.{'B' * 22}").status_code == 429


def test_the_log_has_the_hash_of_a_view_and_no_secret(api: Api, ledger: Ledger) -> None:
    """The stored log contains neither the secret of a public view nor the host's key from which it follows."""
    table = api.open()
    secret = make(api, table)["id"].partition(".")[2]
    stored = b"".join(entry for _, entry in ledger.read(table.id)).decode()
    assert '"view_made"' in stored
    assert secret not in stored
    assert table.host not in stored


# --- what feeds and exports leave out ----------------------------------------------------------------------------


def lines(api: Api, path: str, **headers: str) -> list[Any]:
    """The entries of a stream."""
    answer = api.http.get(path, headers={"Accept": "application/x-ndjson", **headers})
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return [orjson.loads(line) for line in answer.get_data().splitlines() if line]


def test_feeds_leave_views_out_and_go_on_after_them(api: Api) -> None:
    """Log pages, streams and a stale request's missing entries leave views out, and continue after them."""
    table = api.open(["r b1c1"])
    view = make(api, table)
    read(api.play(table, "r b9c9", version=3), 201)
    assert api.send("DELETE", f"{table.path}/views/1", key=table.host).status_code == 204
    found, after = [], 0
    while after is not None:
        page = read(api.get(f"{table.path}/log?limit=1&after={after}", key=table.host))
        found += [entry["version"] for entry in page["entries"]]
        after = page["next"]
    assert found == [1, 2, 4]
    key = {"Authorization": f"Bearer {table.host}"}
    assert [each["id"] for each in lines(api, f"{table.path}/events?after=0", **key)] == found
    stale = read(api.play(table, "h e4", version=2), 412)
    assert [each["version"] for each in stale["missing"]] == [4]
    assert "view" not in json.dumps([found, stale["missing"]])
    assert view["id"] not in api.get(f"{table.path}/log", key=table.host).get_data(as_text=True)


def decisions(api: Api, table: OpenTable, between: Callable[[], object]) -> None:
    """Play and decide everything possible, calling `between` before each step."""
    key, versions = table.host, count()

    def version() -> int:
        between()
        next(versions)
        return int(read(api.get(table.path, key=key))["version"])

    def post(path: str, body: Any, who: str = key) -> None:
        read(api.post(f"{table.path}/{path}", body, key=who, version=version()), 201)

    def number(notation: str) -> int:
        """The entry number of a move."""
        return int(next(e["version"] for e in reversed(api.log(table)["entries"]) if e.get("notation") == notation))

    for move in ("r b1c1", "r b9c9", "h e4", "r d1e1"):
        post("moves", {"move": move})
    post("rewind", {"to": number("r b9c9")})
    post("rewind", {"to": number("r d1e1")})
    post("disputes", {"about": {"entry": number("h e4")}, "question": "So?"})
    post("disputes/1/settlement", {"remedy": "replay", "text": "Yes."})
    post("amend", {"delete": {"entry": number("r b1c1")}, "misfits": "stand"}, table.seats["black"])
    post("amend", {"insert": {"after": number("r b1c1"), "moves": ["r f9g9"]}, "misfits": "stand"})
    read(api.send("PATCH", table.path, {"names": {"black": "Ada"}}, key=key, version=version()), 200)
    post("rewind", {"to": number("r b9c9")})


def test_an_export_is_that_of_the_same_game_without_views(api: Api) -> None:
    """Making and revoking views between other entries does not change the export, apart from its times. The export
    opens the same table, and is the same when exported again.
    """
    plain, watched = api.open(), api.open()

    def toggle() -> None:
        number = make(api, watched)["view"]
        if number % 2:
            assert api.send("DELETE", f"{watched.path}/views/{number}", key=watched.host).status_code == 204
        if len(read(api.get(f"{watched.path}/views", key=watched.host))["views"]) > 2:
            api.send("DELETE", f"{watched.path}/views/{number}", key=watched.host)

    decisions(api, plain, lambda: None)
    decisions(api, watched, toggle)
    exports = [read(api.get(f"{each.path}/export", key=each.host)) for each in (plain, watched)]
    without_times = [
        [{name: value for name, value in entry.items() if name != "at"} for entry in each["entries"]]
        for each in exports
    ]
    assert without_times[0] == without_times[1]
    assert len(without_times[0]) < read(api.get(watched.path, key=watched.host))["version"]
    made = read(api.post(f"{V1}/tables", exports[1]), 201)
    again = read(api.get(f"{V1}/tables/{made['id']}/export", key=made["keys"]["host"]))
    unmarked = [{name: value for name, value in entry.items() if name != "imported"} for entry in again["entries"]]
    assert unmarked == exports[1]["entries"]
    text = api.get(f"{watched.path}/export?format=text&of=log", key=watched.host).get_data(as_text=True)
    assert "view" not in text.lower()


@pytest.mark.parametrize("kind", ["view_made", "view_revoked"])
def test_no_export_brings_views_along(api: Api, kind: str) -> None:
    """An import with views is refused: the new table's host decides who may watch."""
    table = api.open()
    sent = read(api.get(f"{table.path}/export", key=table.host))
    at = sent["entries"][0]["at"]
    entry = {
        "type": kind,
        "at": at,
        "by": "host",
        "hash": "0" * 64,
        "label": "x",
        "names": False,
        "since": 0,
        "view": 1,
    }
    problem = read(api.post(f"{V1}/tables", sent | {"entries": [*sent["entries"], entry]}), 422)
    assert problem["errors"][0]["pointer"] == "/entries/1/type"


# --- what a view shows -------------------------------------------------------------------------------------------


def names_of(game: AnyGame, setup: Mapping[str, Any]) -> dict[str, Any]:
    """A recorded game's setup, with a made-up name for each player."""
    del game
    players = [each | {"name": f"{CANARY}{number}"} for number, each in enumerate(setup["players"])]
    return {**setup, "players": players}


def texts(api: Api, view: str, version: int) -> Iterator[str]:
    """Everything that a view's addresses return in each language, with headers."""
    for lang in LANGUAGES:
        later = [f"{V1}/views/{view}/events?after={after}&lang={lang}" for after in range(10, version, 10)]
        for path in (*addresses(view, version, lang), *later):
            answer = api.http.get(path)
            assert answer.status_code == 200, path
            yield answer.get_data(as_text=True) + str(answer.headers)


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
def test_a_view_without_names_has_none(api: Api, game: AnyGame) -> None:
    """A view without names shows none: not on the page, in drawings, JSON, score or log, even in a dispute or a
    renaming. The control: a view with names shows them all.
    """
    record = record_of(longest_of(game.id))
    body = {"game": game.id, "setup": names_of(game, record["setup"]), "moves": record["moves"][:40]}
    opened = read(api.post(f"{V1}/tables", body), 201)
    table = OpenTable(opened["id"], opened["keys"]["host"], opened["keys"]["seats"], opened["keys"]["watch"])
    dispute = {"about": {"entry": 2}, "question": f"Did {CANARY}0 see it?"}
    read(api.post(f"{table.path}/disputes", dispute, key=table.host, version=opened["version"]), 201)
    settlement = {"remedy": "stands", "text": f"{CANARY}1 agrees."}
    read(
        api.post(f"{table.path}/disputes/1/settlement", settlement, key=table.host, version=opened["version"] + 1), 201
    )
    seat = next(iter(opened["keys"]["seats"]))
    version = read(api.get(table.path, key=table.host))["version"]
    read(api.send("PATCH", table.path, {"names": {seat: f"{CANARY}9"}}, key=table.host, version=version), 200)
    without, control = make(api, table, label=f"{CANARY} label"), make(api, table, names=True)
    for text in over(texts(api, without["id"], version)):
        assert CANARY not in text
    shown = "".join(texts(api, control["id"], version))
    assert all(f"{CANARY}{number}" in shown for number in (0, 1, 9))
    assert f"Did {CANARY}0 see it?" in shown
    assert f"{CANARY}1 agrees." in shown


def test_a_view_from_now_shows_nothing_before(api: Api) -> None:
    """A view from now on shows no older drawing or entry, nor a dispute or amendment that refers to one; it shows what
    follows. The control: a view of the whole game shows all.
    """
    table = api.open(["r b1c1", "r b9c9", "h e4"])
    from_now, whole = make(api, table, from_now=True), make(api, table)
    assert (from_now["since"], whole["since"]) == (4, 0)
    for body in (
        {"about": {"entry": 2}, "question": "Was it so?"},
        {"about": {"move": "h e6"}, "question": "And this?"},
    ):
        version = read(api.get(table.path, key=table.host))["version"]
        read(api.post(f"{table.path}/disputes", body, key=table.host, version=version), 201)
    amendment = {"replace": {"entry": 2, "move": "r d9e9"}, "misfits": "stand"}
    version = read(api.get(table.path, key=table.host))["version"]
    amended = read(api.post(f"{table.path}/amend", amendment, key=table.host, version=version), 201)
    last = amended["version"]
    read(api.play(table, "r f9g9", version=last), 201)
    events = f"{V1}/views/{from_now['id']}/events"
    found = [each for after in (0, 10) for each in lines(api, f"{events}?after={after}")]
    assert [(each["event"], each["id"]) for each in found] == [("disputed", version), ("played", last + 1)]
    text = json.dumps(found)
    assert not [move for move in ("r b1c1", "r b9c9", "h e4", "r d9e9") if f'"{move}"' in text]
    seen = {n: api.http.get(f"/p/{from_now['id']}/{n}.en.svg?v=0.1.0").status_code for n in range(last + 3)}
    assert {n for n, status in seen.items() if status == 404} == {0, 1, 2, 3, *range(version + 1, last), last + 2}
    assert len(lines(api, f"{V1}/views/{whole['id']}/events?after=0")) == 10 - 2
    assert api.http.get(f"/p/{whole['id']}/1.en.svg?v=0.1.0").status_code == 200


def test_a_drawing_of_a_version_never_changes(api: Api) -> None:
    """A version's drawing can be cached, by language; one that does not exist yet is not cached."""
    table = api.open(["r b1c1"])
    view = make(api, table)["id"]
    first = api.http.get(f"/p/{view}/2.en.svg?v=0.1.0")
    assert first.headers["Cache-Control"] == "public, max-age=3600, immutable"
    assert "Set-Cookie" not in first.headers
    read(api.play(table, "r b9c9", version=3), 201)
    assert api.http.get(f"/p/{view}/2.en.svg?v=0.1.0").data == first.data
    assert api.http.get(f"/p/{view}/4.en.svg?v=0.1.0").data != first.data
    for path in ("5.en.svg", "0.en.svg", "2.de.svg", "99999999999999999999.en.svg"):
        answer = api.http.get(f"/p/{view}/{path}?v=0.1.0")
        assert (answer.status_code, answer.headers["Cache-Control"]) == (404, "no-store")
    assert api.http.get(f"/p/{view}/2.en.svg?v=other").headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
def test_a_drawing_keeps_the_names_of_its_version(api: Api, game: AnyGame) -> None:
    """A version's drawing keeps its names even after players are renamed; the next version's has the new ones."""
    record = record_of(longest_of(game.id))
    body = {"game": game.id, "setup": names_of(game, record["setup"]), "moves": record["moves"][:6]}
    opened = read(api.post(f"{V1}/tables", body), 201)
    table = OpenTable(opened["id"], opened["keys"]["host"], opened["keys"]["seats"], opened["keys"]["watch"])
    view, version = make(api, table, names=True)["id"], opened["version"] + 1
    before = api.http.get(f"/p/{view}/{version}.en.svg?v=0.1.0").get_data(as_text=True)
    names = dict.fromkeys(opened["keys"]["seats"], f"{CANARY}9")
    read(api.send("PATCH", table.path, {"names": names}, key=table.host, version=version), 200)
    assert api.http.get(f"/p/{view}/{version}.en.svg?v=0.1.0").get_data(as_text=True) == before
    after = api.http.get(f"/p/{view}/{version + 1}.en.svg?v=0.1.0").get_data(as_text=True)
    assert (f"{CANARY}9" in after) == (CANARY in before)


def test_the_page_reads_and_sets_no_cookie(api: Api) -> None:
    """The page depends on its address only, not on cookies or headers; it has no form."""
    table = api.open(["r b1c1"], players=[{"colour": "black", "name": "Ada"}, {"colour": "white"}])
    view = make(api, table, names=True)["id"]
    plain = api.http.get(f"/p/{view}?lang=fr")
    odd = {
        "Cookie": f"lang=en; keys=host.{table.host}; zone=Asia/Tokyo",
        "Accept-Language": "en",
        "Authorization": "Bearer x",
    }
    assert api.http.get(f"/p/{view}?lang=fr", headers=odd).data == plain.data
    assert plain.headers["Cache-Control"] == "public, max-age=1"
    assert (plain.headers.get("Set-Cookie"), plain.headers["Content-Language"]) == (None, "fr")
    text = plain.get_data(as_text=True)
    assert "<form" not in text
    assert "Ada" in text
    assert re.search(rf'src="/p/{re.escape(view)}/3\.fr\.svg\?v=0\.1\.0"', text)
    assert 'lang="en"' in api.http.get(f"/p/{view}", headers=odd).get_data(as_text=True)


def test_the_json_is_what_the_table_says(api: Api) -> None:
    """A view's position, score and turn are the table's."""
    table = api.open(["r b1c1", "r b9c9"], players=[{"colour": "black", "name": "Ada"}, {"colour": "white"}])
    view = make(api, table, names=True)["id"]
    whole, seen = read(api.get(table.path, key=table.host)), read(api.get(f"{V1}/views/{view}"))
    assert {name: whole[name] for name in ("game", "version", "position", "due", "ended", "score", "updated_at")} == {
        name: value for name, value in seen.items() if name not in ("players", "since")
    }
    assert [(each["player"], each["name"]) for each in seen["players"]] == [("black", "Ada"), ("white", None)]
    assert read(api.get(f"{V1}/views/{view}/score.json")) == whole["score"]
    text = api.get(f"{V1}/views/{view}/score.txt").get_data(as_text=True)
    assert text == f"Ada 0\nWhite 0\n{whole['due']['text']}\n"


# --- other sites -------------------------------------------------------------------------------------------------


def test_only_public_views_are_open_to_other_sites(app: Flask, api: Api) -> None:
    """Only public views allow other sites to read them, without credentials: the test lists their endpoints."""
    table = api.open()
    view = make(api, table)["id"]
    opened = set()
    parts = {"view": view, "view_id": view, "version": "1", "lang": "en", "number": "1"}
    for rule in over(app.url_map.iter_rules()):
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda part: parts.get(part[1], "x"), rule.rule)
        for method in sorted({"GET", "OPTIONS"} & (rule.methods or set())):
            with app.test_client().open(path, method=method, headers={"Origin": "https://club.example"}) as answer:
                is_open = answer.headers.get("Access-Control-Allow-Origin") == "*"
                policy = answer.headers["Cross-Origin-Resource-Policy"]
                assert "Access-Control-Allow-Credentials" not in answer.headers
                assert policy == ("cross-origin" if is_open else "same-origin"), path
                assert is_open == path.startswith(PUBLIC), path
                opened |= {rule.endpoint} if is_open else set()
    assert opened == {
        "public.board",
        "public.drawing",
        "api.read_view",
        "api.read_view_score",
        "api.read_view_score_text",
        "api.read_view_events",
    }
    for gone in (f"/p/{view}x", f"{V1}/views/x", f"{V1}/views/x/y/z"):
        assert api.http.get(gone).headers["Access-Control-Allow-Origin"] == "*"
