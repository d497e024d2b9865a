"""The largest exports, and forged ones, twenty a second from one address: it gets only its share of the work.

The control sends the same where nothing is limited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import orjson

from service.schemas.game_schemas import MAX_MOVES
from tests.attack.arena import Answer, Arena, Request, Row, Target, statuses
from tests.support.tables import long_export

PER_SECOND: Final = 20
SECONDS: Final = 12
ATTACKER: Final = "127.0.0.2"
PATH: Final = "/api/v1/tables"
HARM: Final = 3
"""Without limits at least so many times as many tables are opened."""


def post_of(body: bytes) -> Request:
    """The request that opens a table with an export."""
    return Request("POST", PATH, body, {"Content-Type": "application/json"})


def forged_exports() -> Iterator[bytes]:
    """Malformed exports; in most of them only the last entry is wrong."""
    sent = long_export("villa_paletti", MAX_MOVES)
    *entries, last = sent["entries"]
    changes: Sequence[Any] = (
        {"type": "teleported"},
        {**last, "at": "9999-12-31T23:59:59Z"},
        {**last, "by": "queen"},
        {"type": "rewound", "at": last["at"], "by": "host", "to": -1},
        {"type": "settled", "at": last["at"], "by": "host", "dispute": 9, "remedy": "stands"},
        [[[[]]]],
        None,
    )
    for change in changes:
        yield orjson.dumps(sent | {"entries": [*entries, change]})
    yield orjson.dumps(sent | {"entries": [*entries, last, last]})
    yield orjson.dumps(sent | {"format": 2})
    yield b'{"format": 1, "entries": ' + b"[" * 400_000
    yield b'{"format": 1, "format": 1' + b" " * 400_000 + b"}"
    yield b"{" + b" " * 1_100_000


def attack(arena: Arena) -> Iterator[Row]:
    """Send the largest exports, the forged ones, and the largest ones without limits."""
    largest = [post_of(orjson.dumps(long_export("fief", MAX_MOVES)))]
    with arena.serve() as target:
        answers, told, holds = flood(target, largest)
        opened = count(answers, 201)
        yield Row(f"{PER_SECOND} a second of the largest exports", told, holds and opened > 0)
    with arena.serve() as target:
        answers, told, holds = flood(target, [post_of(each) for each in forged_exports()])
        refused = {each.status for each in answers} <= {400, 413, 422, 429}
        yield Row(f"{PER_SECOND} a second of forged exports", told, holds and refused)
    with arena.serve(BASTIDE_LIMITS="off") as target:
        answers, told, _ = flood(target, largest)
        unlimited = count(answers, 201)
    yield Row(f"without limits {HARM} times as many are opened", told, unlimited >= HARM * opened, control=True)


def count(answers: Sequence[Answer], status: int) -> int:
    """The number of answers with a status."""
    return Counter(each.status for each in answers)[status]


def flood(target: Target, asked: Sequence[Request]) -> tuple[Sequence[Answer], str, bool]:
    """The answers to a flood; a summary; and whether all came, below 500, while ``/livez`` answered."""
    with target.pulse() as pulse:
        before = target.cpu()
        answers = target.flood(asked, PER_SECOND, SECONDS, ATTACKER)
        spent = target.cpu() - before
    whole = bool(answers) and all(0 < each.status < 500 for each in answers)
    return answers, f"{statuses(answers)}, {spent:.1f} s of CPU; {pulse}", pulse.holds and whole
