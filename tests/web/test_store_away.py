"""When the store does not answer: a friendly page, which keeps all input."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from service.app import create_app
from service.config import Settings
from service.referee.use_cases import Referee
from service.storage.ledger import Ledger
from tests.support.document import Document
from tests.support.redis_server import RedisServer
from tests.web.conftest import PART, Visitor


@pytest.fixture
def shop(own_redis: Callable[..., RedisServer]) -> Iterator[tuple[Visitor, RedisServer]]:
    """A visitor, and the Redis that the test stops."""
    redis = own_redis()
    ledger = Ledger(redis.url)
    app = create_app(Settings.of({"REDIS_URL": redis.url, "BASTIDE_HOSTS": "localhost"}), Referee(ledger))
    yield Visitor(app.test_client()), redis
    ledger.close()


def test_a_move_is_sent_again(shop: tuple[Visitor, RedisServer]) -> None:
    """The page has the same form with its key; sent again when the store is back, it places the move once."""
    guest, redis = shop
    table = guest.open()
    form = guest.see(f"{table}?move=r+b9c9").form("/play")
    redis.kill()
    answer = guest.post(*form)
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    page = Document(answer.text)
    assert "Nothing is lost" in page.text
    assert page.form("/play") == form
    assert guest.get(table).status_code == 503
    assert guest.get(f"{table}?since=1", **PART).status_code == 503
    redis.start()
    assert "Black’s rampart on b9–c9 placed" in guest.send(page.form("/play")).text
    assert guest.post(*form).status_code == 303
    assert guest.see(f"{table}/moves").text.count("Rampart on b9–c9") == 1


def test_a_table_is_opened_later(shop: tuple[Visitor, RedisServer]) -> None:
    """The page keeps the form that opens a table, to be sent again."""
    guest, redis = shop
    redis.kill()
    answer = guest.post("/", {"game": "villefranche", "name-black": "Anne", "reading-stuck": "turn_is_cut"})
    assert answer.status_code == 503
    page = Document(answer.text)
    redis.start()
    assert "Anne" in guest.send(page.form("/")).text


def test_the_first_page_needs_no_store(shop: tuple[Visitor, RedisServer]) -> None:
    """The first page loads without the store."""
    guest, redis = shop
    redis.kill()
    assert guest.get("/").status_code == 200
