"""The pages of a late board: the cost of a tap for the server beside a poll for news, and the bytes on the wire.

A table is opened late in the longest recorded game of each game. Bytes are those of Brotli, which browsers accept over
HTTPS; on plain HTTP they accept gzip.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from werkzeug.test import TestResponse

from benchmarks.games import RecordedGame, records_for
from benchmarks.measure import ratio, report
from service.storage.ledger import Ledger
from tests.support.api import application
from tests.support.redis_server import RedisServer
from tests.web.conftest import Visitor, having

MOVES_LEFT: Final = 6
"""The number of moves after the measured position: the board is full, and something is due."""
ROUNDS: Final = 20
TAPS: Final = 12
VIEW, TAP, SERVER = 8_000, 6_000, 8.0
"""Bytes, and the ratio: a tap may take about 3 ms if a poll takes a third of one."""
CODINGS: Final = ("br", "gzip")


@contextmanager
def visitor() -> Iterator[tuple[Visitor, Ledger]]:
    """A browser, and the ledger of its application."""
    redis = RedisServer().start()
    ledger = Ledger(redis.url)
    try:
        yield Visitor(application(redis.url).test_client()), ledger
    finally:
        ledger.close()
        redis.close()


def spread(found: list[str]) -> list[str]:
    """A few items, spread evenly over all."""
    return found[:: max(1, len(found) // TAPS)][:TAPS]


def taps(guest: Visitor, table: str, move: str) -> list[str]:
    """The addresses of taps: cells all over the board, and the next move of the record."""
    page = guest.get(table).text
    cells = re.findall(r'<a class="cell"[^>]* href="([^"]+)"', page)
    return [*(each.replace("&amp;", "&") for each in spread(cells)), f"{table}?move={move.replace(' ', '+')}"]


def size(answer: TestResponse) -> int:
    """The bytes of the body of a 200. Raises `RuntimeError` for another status."""
    if answer.status_code != 200:
        raise RuntimeError(answer.text)
    return len(answer.data)


def report_sizes(guest: Visitor, label: str, table: str, links: list[str], headers: Mapping[str, str]) -> None:
    """Report the bytes of a first view and of taps; the last link is a move."""
    for coding in CODINGS:
        view = size(guest.get(table, **{"Accept-Encoding": coding}))
        *cells, move = (size(guest.get(link, **headers, **{"Accept-Encoding": coding})) for link in links)
        report(f"{label}: the first view of a late board.", f"{label}-first-view-{coding}", view, VIEW, "bytes")
        words = f"{label}: a tap on that board (a cell {max(cells)}, a move {move})."
        report(words, f"{label}-tap-{coding}", max(*cells, move), TAP, "bytes")


def of_one(guest: Visitor, ledger: Ledger, game_id: str, name: str) -> None:
    """Print the figures of a game."""
    played = RecordedGame.of(game_id, name)
    number = len(played.moves) - MOVES_LEFT
    table = guest.sit(ledger, f"{game_id}/{name}", number)
    links = taps(guest, table, played.game.write(played.moves[number]))
    headers = having(guest.get(table).text)
    label = game_id.replace("_", "-")
    report_sizes(guest, label, table, links, headers)

    def tap() -> None:
        for link in links:
            guest.get(link, **headers)

    def ask() -> None:
        for _ in links:
            guest.get(f"{table}?since={number + 1}", **headers)

    report(
        f"{label}: {len(links)} taps on a late board, against as many questions for news: CPU of the server.",
        f"{label}-tap-server",
        ratio(tap, ask, rounds=ROUNDS),
        SERVER,
    )


def main() -> None:
    """Print the figures of each game."""
    with visitor() as (guest, ledger):
        for game_id, name in records_for("pages").items():
            of_one(guest, ledger, game_id, name)


if __name__ == "__main__":
    main()
