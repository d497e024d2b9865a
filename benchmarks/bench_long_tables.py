"""The pages of tables of 5,000 entries, in milliseconds of CPU: for each page the dearest game, warm and cold.

Times depend on the machine, so the goal fits a slow one; the tests check the counted work instead. The first page of a
worker reads the whole log, in slices of some milliseconds, and has a figure of its own.
"""

from __future__ import annotations

from time import process_time
from typing import Final

from benchmarks.bench_routes import GOAL
from benchmarks.measure import report
from rules import GAMES
from service.storage.ledger import Ledger
from tests.support.api import application
from tests.support.long_tables import WAYS, long_table
from tests.support.redis_server import RedisServer
from tests.support.worst import Client

PAGES: Final = ("", "/moves", "/moves?entry=2500", "/moves?do=chart", "/log.txt", "/sheet", "/turns", "/score")
ROUNDS: Final = 3
"""The number of requests for a page: the first one is apart; the quickest of the others was disturbed least."""


def time_page(client: Client, path: str) -> tuple[float, int]:
    """The milliseconds, and the counted steps."""
    with client.efforts() as efforts:
        begun = process_time()
        answer = client.http.get(path)
        took = process_time() - begun
    if answer.status_code != 200:
        raise RuntimeError(answer.text)
    return 1_000 * took, efforts[0].steps


def main() -> None:
    """Print the figures of each page."""
    read: list[float] = []
    first: dict[str, tuple[float, str]] = {}
    warm: dict[str, tuple[float, str]] = {}
    redis = RedisServer().start()
    ledger, asking = Ledger(redis.url), Client(application(redis.url))
    try:
        for game in GAMES:
            for way in WAYS:
                table, label = long_table(ledger, game, way), f"{game} {way}"
                asking.http.set_cookie("keys", f"host.{table.host}", path=f"/t/{table.id}")
                read.append(time_page(asking, f"/t/{table.id}/sheet.txt")[0])
                for page in PAGES:
                    took = [time_page(asking, f"/t/{table.id}{page}")[0] for _ in range(ROUNDS)]
                    first[page] = max(first.get(page, (0.0, "")), (took[0], label))
                    warm[page] = max(warm.get(page, (0.0, "")), (min(took[1:]), label))
    finally:
        ledger.close()
        redis.close()
    print(f"long-log-read ms {max(read):.0f} (the whole log, in slices)")
    for page in PAGES:
        (once, where), (again, there) = first[page], warm[page]
        words = f"The page {page or '/'} of a table of 5,000 entries ({there}); at first {once:.0f} ms ({where})."
        report(words, f"long-page{page or '/'}", again, GOAL, "ms")


if __name__ == "__main__":
    main()
