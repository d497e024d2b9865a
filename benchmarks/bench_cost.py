"""The microseconds of a POST of a move: a table of its parts, each without the parts that it calls.

The clock itself takes a tenth of a microsecond for each call, which makes a part with many short calls look dearer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import wraps
from importlib import import_module
from time import perf_counter_ns
from typing import Final, ParamSpec, TypeVar
from unittest.mock import patch

from flask import Flask

from benchmarks.games import RecordedGame, own_records
from service.types import AnyGame
from tests.support.api import application
from tests.support.redis_server import RedisServer

Ps = ParamSpec("Ps")
T = TypeVar("T")
ROUNDS: Final = 15
PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "WSGI: length of the headers": ("service.http.header_limits.BoundedHead.__call__",),
    "WSGI: gate": ("service.http.gate.Gate.__call__", "service.limits.rate_limits.Limiter.count_arrival"),
    "WSGI: budget and lanes": (
        "service.runtime.budget.BudgetMiddleware.__call__",
        "service.limits.lanes.RequestThrottle.end",
    ),
    "Flask: routing, hooks, response; security headers": ("service.http.responses.CommonHeaders.__call__",),
    "limits": ("service.limits.rate_limits.Limiter.admit", "service.limits.rate_limits.Limiter.charge"),
    "key and whose turn": ("service.referee.use_cases.Referee.authorise_player", "service.referee.plans._turn"),
    "headers of the request": ("service.http.tables.change_request",),
    "body: read, parsed, loaded": ("service.http.tables.body", "service.schemas.load", "service.schemas.moves_of_body"),
    "check": ("rules.game.Game.check",),
    "encoding of the entry": ("service.referee.plans.encode",),
    "table after the entry": ("service.referee.plans.fold_moves",),
    "use case: plan and writing": ("service.referee.use_cases.Referee.play",),
    "Redis": ("service.storage.connections.Server.ask",),
    "effects": ("service.http.serializers.entries._members_from_table",),
    "sentences": ("service.http.api.tables.write_outcome_json",),
    "encoding of the answer": ("service.http.api.encode",),
}
"""Part -> the timed functions, by the names under which they are called."""


class Clock:
    """The nanoseconds of each part."""

    def __init__(self) -> None:
        self.nanoseconds: Counter[str] = Counter()
        self._part, self._since = "", 0

    def wrap(self, part: str, function: Callable[Ps, T]) -> Callable[Ps, T]:
        """The function with a clock for its part, which stops the clock of its caller."""

        @wraps(function)
        def run(*arguments: Ps.args, **named: Ps.kwargs) -> T:
            before = self._enter(part)
            try:
                return function(*arguments, **named)
            finally:
                self._enter(before)

        return run

    def _enter(self, part: str) -> str:
        now, before = perf_counter_ns(), self._part
        self.nanoseconds[before] += now - self._since
        self._part, self._since = part, now
        return before


@contextmanager
def time_parts(clock: Clock, game: AnyGame) -> Iterator[None]:
    """Time the parts, and the functions of a game for its moves."""
    with ExitStack() as stack:
        for part, names in PARTS.items():
            for name in names:
                stack.enter_context(patch(name, clock.wrap(part, resolve(name))))
        for part, field in (("apply", "apply"), ("effects", "effects"), ("what is due next", "due")):
            function = getattr(game, field)
            object.__setattr__(game, field, clock.wrap(part, function))
            stack.callback(object.__setattr__, game, field, function)
        yield


def resolve(name: str) -> Callable[..., object]:
    """The function with a dotted name."""
    module, _, rest = name.partition(".")
    found: object = import_module(module)
    for part in rest.split("."):
        module = f"{module}.{part}"
        found = getattr(found, part) if hasattr(found, part) else import_module(module)
    if not callable(found):
        raise TypeError(name)
    return found


def play(app: Flask, played: RecordedGame, clock: Clock | None) -> None:
    """Open a table and play a recorded game, with a request for each move; a clock times the moves."""
    client, game = app.test_client(), played.game
    opened = client.post("/api/v1/tables", json={"game": game.id, "setup": played.setup}).get_json()
    with time_parts(clock, game) if clock else ExitStack():
        for version, move in enumerate(map(game.write, played.moves), start=1):
            headers = {"If-Match": f'"{version}"', "Authorization": f"Bearer {opened['keys']['host']}"}
            answer = client.post(f"/api/v1/tables/{opened['id']}/moves", json={"move": move}, headers=headers)
            if answer.status_code != 201:
                raise RuntimeError(answer.text)


def of_one(app: Flask, game_id: str, name: str) -> None:
    """Print the table of a recorded game."""
    played, clock = RecordedGame.of(game_id, name), Clock()
    play(app, played, None)
    with patch.object(app, "wsgi_app", clock.wrap("WSGI: the rest", app.wsgi_app)):
        for _ in range(ROUNDS):
            play(app, played, clock)
    del clock.nanoseconds[""]
    posts = ROUNDS * len(played.moves)
    print(f"A POST of a move of {game_id}, in microseconds of the clock, Redis's answer among them:")
    for part, took in clock.nanoseconds.most_common():
        print(f"{took / posts / 1000:7.1f}  {part}")
    print(f"{clock.nanoseconds.total() / posts / 1000:7.1f}  in all", flush=True)


def main() -> None:
    """Print the table of each game that names a recorded game for a POST."""
    redis = RedisServer().start()
    try:
        for game_id, name in own_records("post").items():
            of_one(application(redis.url, "1000"), game_id, name)
    finally:
        redis.close()


if __name__ == "__main__":
    main()
