"""The dearest request of each kind, twenty a second from one address: it gets its share of the work, and no more.

As a search over all operations found them (`benchmarks/bench_bodies.py`, `tests/worst.py`), each is a tenth of a second
of CPU or more, within the limits of requests.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

from tests.attack.arena import Arena, Request, Row, Target, statuses

PER_SECOND: Final = 20
SECONDS: Final = 12
ATTACKER: Final = "127.0.0.2"
FULL: Final = 0.85
"""The part of a core that a worker has left for nobody else: it also waits for Redis, and for what asks it."""
V1: Final = "/api/v1"
GAMES: Final = Path(__file__).resolve().parents[1] / "games"


def longest(game: str) -> Mapping[str, Any]:
    """The longest recorded game."""
    recorded = (json.loads(path.read_text(encoding="utf-8")) for path in (GAMES / game).glob("*.json"))
    return max((each for each in recorded if "moves" in each), key=lambda each: len(each["moves"]))


def over_and_over(game: str, many: int) -> dict[str, Any]:
    """A start with so many moves, each to stand whatever the rules say."""
    recorded = longest(game)
    played = (each["move"] if isinstance(each, dict) and "move" in each else each for each in recorded["moves"])
    moves = ({"move": move, "stands": True} for move in cycle(played))
    return {"setup": recorded["setup"], "moves": list(islice(moves, many))}


def posted(path: str, body: Any, **headers: str) -> Request:
    """A request with JSON."""
    return Request("POST", path, json.dumps(body).encode(), {"Content-Type": "application/json", **headers})


def dearest(target: Target) -> Mapping[str, Request]:
    """Kind of request -> the dearest one that is known."""
    played = longest("fief")
    opened = target.send("POST", f"{V1}/tables", {"game": "fief", **{key: played[key] for key in ("setup", "moves")}})
    table, key, version = opened.json["id"], opened.json["keys"]["host"], opened.json["version"]
    there, own = f"{V1}/tables/{table}", {"Authorization": f"Bearer {key}", "If-Match": f'"{version}"'}
    late = {"insert": {"after": 1, "moves": over_and_over("fief", 300)["moves"]}, "dry_run": True}
    cookie = {"Cookie": f"keys=host.{key}"}
    return {
        "CREATE": posted(f"{V1}/tables", {"game": "fief", **over_and_over("fief", 1_200)}),
        "MOVE": posted(f"{there}/amend", late, **own),
        "POLL": Request("GET", f"/t/{table}?since=1", None, cookie),
        "LOOK": Request("GET", f"{there}/log?limit=500", None, own),
        "ASK": posted(f"{V1}/games/robber_knights/scores", over_and_over("robber_knights", 1_700)),
        "READ": Request("GET", "/rules/fief/cases"),
    }


def attack(arena: Arena) -> Iterator[Row]:
    """Each kind on a service of its own, and one of them where nothing is limited."""
    for kind in ("CREATE", "MOVE", "POLL", "LOOK", "ASK", "READ"):
        with arena.serve() as target:
            yield flooded(target, kind)
    with arena.serve(BASTIDE_LIMITS="off") as target:
        yield unlimited(target, "ASK")


def flooded(target: Target, kind: str) -> Row:
    """What a flood of one kind leaves to the others."""
    asked = dearest(target)[kind]
    with target.pulse() as pulse:
        before = target.cpu()
        answers = target.flood([asked], PER_SECOND, SECONDS, ATTACKER)
        spent = target.cpu() - before
    whole = bool(answers) and all(answer.status < 500 and answer.status for answer in answers)
    told = f"{statuses(answers)}, {spent:.1f} s of CPU; {pulse}"
    return Row(f"{PER_SECOND} a second of the dearest {kind}", told, pulse.holds and whole)


def unlimited(target: Target, kind: str) -> Row:
    """What the same takes where nothing is limited: a whole worker, for as long as it lasts."""
    asked = dearest(target)[kind]
    with target.pulse() as pulse:
        before = target.cpu()
        answers = target.flood([asked], PER_SECOND, SECONDS, ATTACKER)
        spent = target.cpu() - before
    told = f"{statuses(answers)}, {spent:.1f} s of CPU; {pulse}"
    harmed = spent > FULL * SECONDS
    return Row(f"the dearest {kind} without limits takes the worker whole", told, harmed, control=True)
