"""Stored tables with as many entries as a table may have: moves repeated, let stand or undone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import cycle
from typing import Any, Final

from rules import GAMES
from service import schemas
from service.judgements import AttemptedMove
from service.referee import plans
from service.referee.plans import MAX_ENTRIES, Plan
from service.referee.replay import Step
from service.storage.ledger import Ledger
from service.tables.entries import Opened, ReadingsSet, Rewound
from service.tables.keys import HOST, WATCH, Keys, hash_of, secret
from tests.support.api import OpenTable
from tests.support.records import record_of, records_of

BEGINNING: Final = datetime(2026, 11, 22, tzinfo=UTC)
STEP: Final = timedelta(seconds=40)
ON: Final = "on"
"""Nothing is undone: a forbidden move stands where it can; where none can, a reading changes."""
AGAIN: Final = "again"
"""The longest recorded game, undone and played again."""
WAYS: Final = (ON, AGAIN)


def longest(game_id: str) -> Any:
    """The recorded game with the most moves."""
    games = [record_of(path) for path in records_of(game_id)]
    return max(games, key=lambda recorded: len(recorded["moves"]))


@cache
def long_log(game_id: str, way: str, size: int = MAX_ENTRIES) -> tuple[Keys, Sequence[bytes]]:
    """The keys and the log of such a table."""
    game, record = GAMES[game_id], longest(game_id)
    setup = schemas.load(schemas.of(game).setup, record["setup"])
    keys = Keys(secret(), {seat: secret() for seat in game.seats_of(game.setup(setup))}, secret())
    names = {hash_of(keys.host): HOST, hash_of(keys.watch): WATCH}
    names |= {hash_of(key): seat for seat, key in keys.seats.items()}
    opened = Opened(1, BEGINNING, HOST, game.id, schemas.plain(setup), game.rules_version, names)
    plan = plans.plan_opening("x" * 22, opened, (), timedelta(days=90))
    table, payloads = plan.table, list(plan.payloads)
    moves = cycle([each["move"] if isinstance(each, dict) else each for each in record["moves"]])
    for number in range(2, size + 1):
        done = _next(Plan(table, (), ()), moves, way, BEGINNING + number * STEP)
        table = done.table
        payloads += done.payloads
    return keys, payloads


def _next(plan: Plan, moves: Iterator[Any], way: str, now: datetime) -> Plan:
    """A plan with one more entry."""
    table = plan.table
    game, state, number = table.game, table.state, table.version + 1
    if way == AGAIN and table.due.ended is not None:
        return plans.add_entry(plan, Rewound(number, now, HOST, 1))
    for _ in range(1 if way == AGAIN else 8):
        move = game.read(next(moves))
        if game.cannot_stand(state, move) is None:
            verdict = game.check(state, move)
            return plans.add_step(
                plan, Step(0, AttemptedMove(move), game.apply(state, move), HOST, verdict, table.due.seat), now
            )
    key = game.readings[number % len(game.readings)].key
    values = game.readings[number % len(game.readings)].values
    value = next(each for each in values if each != state.readings[key])
    return plans.add_entry(plan, ReadingsSet(number, now, HOST, {key: value}, game.rules_version))


def long_table(ledger: Ledger, game_id: str, way: str, size: int = MAX_ENTRIES) -> OpenTable:
    """Store such a table on a ledger."""
    keys, log = long_log(game_id, way, size)
    table_id = secret()
    ledger.append(table_id, 0, secret(), log, "")
    return OpenTable(table_id, keys.host, keys.seats, keys.watch)
