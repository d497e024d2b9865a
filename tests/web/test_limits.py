"""Limits on the pages: an evening of play never meets one, and a refused form keeps its input."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from service.app import create_app
from service.config import Settings
from tests.support.document import Document
from tests.support.limit_clock import Clock
from tests.support.loops import over
from tests.support.redis_server import RedisServer
from tests.web.conftest import PART, Visitor
from web import request_kinds

FORM = {"game": "villefranche", "name-black": "Anne", "reading-stuck": "turn_is_cut"}


@pytest.fixture
def guest(limited_app: Callable[..., Flask]) -> Visitor:
    """A visitor of an application with limits."""
    return Visitor(limited_app().test_client())


def test_every_page_has_its_limit(app: Flask) -> None:
    """Every page has a limit."""
    pages = {rule.endpoint for rule in app.url_map.iter_rules() if rule.endpoint.startswith(("web.", "public."))}
    assert pages == request_kinds.PAGES.keys()


def test_an_evening_of_play_never_meets_a_limit(limited_app: Callable[..., Flask], clock: Clock) -> None:
    """Six phones at one address join within a minute and poll each 1.5 seconds while one taps: none is refused."""
    app = limited_app()
    host = Visitor(app.test_client())
    table = host.open()
    cookie = host.client.get_cookie("keys", path=table)
    assert cookie is not None
    held = dict(part.split(".") for part in cookie.value.split(":"))
    phones = [host]
    for role in ("black", "white", "black", "watch", "host"):
        phones.append(Visitor(app.test_client()))
        assert phones[-1].post(f"{table}/join", {"key": held[role]}).status_code == 303
    statuses = []
    for _ in range(14):
        statuses += [phone.get(f"{table}?since=1", **PART).status_code for phone in phones]
        statuses += [phones[1].get(f"{table}?at=c{n}", **PART).status_code for n in range(1, 9)]
        clock.advance(1.5)
    assert set(statuses) == {200, 204}


SENTENCES = {"en": "try again in 60 seconds", "fr": "réessayez dans 60 secondes"}


@pytest.mark.parametrize("language", SENTENCES)
def test_a_table_too_many_keeps_what_was_typed(language: str, guest: Visitor, clock: Clock) -> None:
    """A refused form that opens a table keeps its values; invalid forms and updates did not count."""
    guest.language = language
    for _ in range(11):
        assert guest.post("/", {**FORM, "update": "yes"}).status_code == 200
        assert guest.post("/", {**FORM, "name-black": "x" * 50}).status_code == 422
    for _ in range(10):
        assert guest.post("/", FORM).status_code == 303
    answer = guest.post("/", FORM)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "60")
    page = Document(answer.text)
    assert SENTENCES[language] in page.text
    action, fields = page.form("/")
    assert FORM.items() <= fields.items()
    clock.advance(60)
    assert guest.post(action, fields).status_code == 303


def test_keys_are_not_tried_one_after_another(guest: Visitor, limited_app: Callable[..., Flask], clock: Clock) -> None:
    """The server rejects the sixth wrong key in a minute unchecked, and keeps it in its field. A right key opens the
    table.
    """
    table = guest.open()
    stranger = Visitor(limited_app().test_client())
    keys = [f"{n:022}" for n in range(6)]
    answers = [stranger.post(f"{table}/join", {"key": key}) for key in keys]
    assert [answer.status_code for answer in answers] == [404] * 5 + [429]
    assert answers[-1].headers["Retry-After"] == "60"
    page = Document(answers[-1].text)
    assert "try again in 60 seconds" in page.text
    assert page.form("/join")[1]["key"] == keys[-1]
    clock.advance(60)
    assert stranger.post(f"{table}/join", {"key": keys[-1]}).status_code == 404


def test_keys_in_cookies_count_with_those_that_are_typed(guest: Visitor, limited_app: Callable[..., Flask]) -> None:
    """Wrong keys in cookies, on any page, and in the API share one count per address."""
    table = guest.open()
    stranger = Visitor(limited_app().test_client())
    statuses = []
    for n, page in enumerate(("", "/score", "/join", "/moves")):
        stranger.client.set_cookie("keys", f"host.{n:022}", path=table)
        statuses.append(stranger.get(table + page).status_code)
    assert statuses == [404, 404, 200, 404]
    program = [stranger.client.get(f"/api/v1/tables{table[2:]}", headers={"Authorization": "Bearer " + "0" * 22})]
    assert [each.status_code for each in program] == [404]
    for page in ("", "/join"):
        stranger.client.set_cookie("keys", "host." + "0" * 22, path=table)
        assert stranger.get(table + page).status_code == 429
    assert guest.get(table).status_code == 200


def test_a_club_joins_all_its_tables_at_once(limited_app: Callable[..., Flask]) -> None:
    """Right keys never count against the limit, even at another worker."""
    host, guest = (Visitor(limited_app().test_client()) for _ in range(2))
    for table in over([host.open() for _ in range(7)]):
        cookie = host.client.get_cookie("keys", path=table)
        assert cookie is not None
        key = cookie.value.split(":")[1].partition(".")[2]
        assert guest.post(f"{table}/join", {"key": key}).status_code == 303


def test_a_move_too_many_is_kept_to_be_sent_again(guest: Visitor, clock: Clock) -> None:
    """The refused move's page has the same form with its key; sent a second later, it places the move."""
    table = guest.open()
    form = guest.see(f"{table}?move=r+b9c9").form("/play")
    for _ in range(10):
        assert guest.post(form[0], {**form[1], "version": ""}).status_code == 422
    answer = guest.post(*form)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1")
    page = Document(answer.text)
    assert "try again in 1 second." in page.text
    assert page.form("/play") == form
    clock.advance(1)
    assert "Black’s rampart on b9–c9 placed" in guest.send(page.form("/play")).text


def test_news_and_taps_have_counts_of_their_own(guest: Visitor) -> None:
    """Too many requests for news get 429, while taps are still answered."""
    table = guest.open()
    statuses = [guest.get(f"{table}?since=1", **PART).status_code for _ in range(201)]
    assert statuses == [204] * 200 + [429]
    assert guest.get(f"{table}?since=1", **PART).headers["Retry-After"] == "10"
    assert guest.get(f"{table}?at=c4", **PART).status_code == 200


def test_without_the_store_nobody_joins(own_redis: Callable[..., RedisServer]) -> None:
    """Without the store, joining and opening answer 503 with the form; the first page and counts work."""
    server = own_redis()
    guest = Visitor(create_app(Settings.of({"REDIS_URL": server.url})).test_client())
    table = guest.open()
    server.kill()
    for path, form in ((f"{table}/join", {"key": "A" * 22}), ("/", FORM)):
        answer = guest.post(path, form)
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) > 0
        assert form.items() <= Document(answer.text).form(path)[1].items()
    assert guest.get("/").status_code == 200
    assert guest.get("/count/villefranche").status_code == 200
