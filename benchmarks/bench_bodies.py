"""The worst bodies that a search finds, in milliseconds of CPU: the largest of each operation that a client fills.

Times depend on the machine, so that the goal is one for a slow one; the tests hold the counted work instead.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from time import process_time
from typing import Final

from hypothesis import given, seed, target
from hypothesis import strategies as st

from tests.rules.play import EVERY_GAME, AnyGame
from tests.support.api import application
from tests.support.redis_server import RedisServer
from tests.support.worst import CASES, Client, looking

GOAL: Final = 200
"""Milliseconds of CPU in which everything is answered or refused."""
EXAMPLES: Final = int(os.environ.get("WORST_EXAMPLES", "40"))
ROUNDS: Final = 3
"""How often a request that only asks is sent: the quickest was disturbed least."""
WRITE: Final = frozenset({"play", "rewind", "amend", "raiseDispute", "confirmRemedy", "settleDispute", "deleteTable"})
"""What can be asked once only."""


@contextmanager
def client() -> Iterator[Client]:
    """A client of an application on a Redis of its own."""
    redis = RedisServer().start()
    try:
        yield Client(application(redis.url))
    finally:
        redis.close()


def worst(client: Client, operation: str, game: AnyGame) -> tuple[float, int, int]:
    """The most milliseconds that a search finds, with the status of that answer and the steps that it counted."""
    found: list[tuple[float, int, int]] = []

    @seed(1)
    @looking(EXAMPLES)
    @given(st.data())
    def search(data: st.DataObject) -> None:
        asked = data.draw(st.sampled_from(CASES[operation]))(client, data, game, 1.0)
        times = []
        for _ in range(1 if operation in WRITE else ROUNDS):
            gc.collect()
            with client.efforts() as efforts:
                start = process_time()
                answer = client.send(asked)
                times.append(1000 * (process_time() - start))
        found.append((min(times), answer.status_code, efforts[0].steps))
        target(min(times))

    search()
    return max(found)


def main() -> None:
    """Print the figures, the worst of all last."""
    every: list[tuple[float, str]] = []
    with client() as asking:
        for operation, game in product(CASES, EVERY_GAME):
            spent, status, steps = worst(asking, operation, game)
            name = f"{operation} {game.id}"
            print(f"{name}: {spent:.0f} ms of CPU, {steps} steps, {status}", flush=True)
            every.append((spent, name))
    spent, name = max(every)
    print(f"worst_body ms {spent:.0f} goal {GOAL} ({name})")


if __name__ == "__main__":
    main()
