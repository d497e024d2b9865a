"""The dearest request of each kind, twenty a second from one address: it gets its share of the work, and no more.

A search over all operations found them (`tests/support/worst.py`). The control sends the request that takes a whole
budget, without limits.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import cycle, islice
from typing import Any, Final

from service.limits.rate_limits import Kind
from tests.attack.arena import Arena, Request, Row, Target, statuses
from tests.support.records import longest_of, notations_of, record_of

PER_SECOND: Final = 20
SECONDS: Final = 12
ATTACKER: Final = "127.0.0.2"
HARM: Final = 2
"""Without limits it takes at least so many times as much CPU: a ratio, for machines of any speed."""
V1: Final = "/api/v1"


def over_and_over(game: str, many: int) -> dict[str, Any]:
    """A start with `many` moves, each to stand whatever the rules say."""
    recorded = record_of(longest_of(game))
    played = notations_of(recorded)
    moves = ({"move": move, "stands": True} for move in cycle(played))
    return {"setup": recorded["setup"], "moves": list(islice(moves, many))}


def post_of(path: str, body: Any, **headers: str) -> Request:
    """A request with JSON."""
    return Request("POST", path, json.dumps(body).encode(), {"Content-Type": "application/json", **headers})


def dearest(target: Target) -> Mapping[Kind, Request]:
    """Kind of request -> the dearest known one."""
    played = record_of(longest_of("fief"))
    opened = target.send("POST", f"{V1}/tables", {"game": "fief", **{key: played[key] for key in ("setup", "moves")}})
    table, key, version = opened.json["id"], opened.json["keys"]["host"], opened.json["version"]
    there, own = f"{V1}/tables/{table}", {"Authorization": f"Bearer {key}", "If-Match": f'"{version}"'}
    late = {"insert": {"after": 1, "moves": over_and_over("fief", 300)["moves"]}, "dry_run": True}
    cookie, wrong = {"Cookie": f"keys=host.{key}"}, {"Authorization": f"Bearer {'0' * 22}"}
    return {
        Kind.CREATE: post_of(f"{V1}/tables", {"game": "fief", **over_and_over("fief", 1_200)}),
        Kind.JOIN: Request("GET", f"{there}/log?limit=500", None, wrong),
        Kind.MOVE: post_of(f"{there}/amend", late, **own),
        Kind.POLL: Request("GET", f"/t/{table}?since=1", None, cookie),
        Kind.LOOK: Request("GET", f"{there}/log?limit=500", None, own),
        Kind.ASK: post_of(f"{V1}/games/robber_knights/scores", over_and_over("robber_knights", 1_700)),
        Kind.READ: Request("GET", "/rules/fief/cases"),
    }


def attack(arena: Arena) -> Iterator[Row]:
    """Flood with each limited kind, on a service of its own, and with one kind without limits."""
    spent: dict[Kind, float] = {}
    for kind in Kind:
        if kind is not Kind.FREE:
            with arena.serve() as target:
                whole, spent[kind], told = flood(target, kind)
            yield Row(f"{PER_SECOND} a second of the dearest {kind}", told, whole)
    with arena.serve(BASTIDE_LIMITS="off") as target:
        _, unlimited, told = flood(target, Kind.ASK)
    harmed = unlimited >= HARM * spent[Kind.ASK]
    yield Row(f"without limits the dearest {Kind.ASK} takes {HARM} times as much", told, harmed, control=True)


def flood(target: Target, kind: Kind) -> tuple[bool, float, str]:
    """Whether all answers to a flood came, below 500, while ``/livez`` answered; the CPU; and both in words."""
    asked = dearest(target)[kind]
    with target.pulse() as pulse:
        before = target.cpu()
        answers = target.flood([asked], PER_SECOND, SECONDS, ATTACKER)
        spent = target.cpu() - before
    whole = bool(answers) and all(answer.status < 500 and answer.status for answer in answers)
    return pulse.holds and whole, spent, f"{statuses(answers)}, {spent:.1f} s of CPU; {pulse}"
