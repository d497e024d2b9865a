"""The view of the limits: how much of what one sender may request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from flask import Response, current_app

from service.http.api import api, public_reply
from service.http.current import limiter, referee
from service.http.request import BULK, EXPORT, SMALL
from service.http.responses import language
from service.limits.endpoints import ENDPOINTS
from service.limits.lanes import TURNS
from service.limits.rate_limits import ALLOWANCES, ANYTHING, ARRIVALS, LIMITS, Kind, Per
from service.referee.places import OF_ADDRESS, OF_KEY, STREAMS, WAITS_OF_ADDRESS, WAITS_OF_KEY
from service.referee.plans import MAX_ENTRIES
from service.types import JsonObject

OPERATIONS: Final = "api."
"""The prefix of the endpoints that are operations of the contract."""


@api.get("/limits")
def list_limits() -> Response:
    """The limits, each with the name by which a refusal reports it."""
    scale = limiter(current_app).scale
    return public_reply(
        {
            "limits": list(_limits(scale)) if scale else [],
            "kinds": [{"kind": kind, "operations": names} for kind in Kind if (names := _operations(kind))],
            "body_bytes": {"usual": SMALL, "moves": BULK, "export": EXPORT},
            "table_entries": MAX_ENTRIES,
        },
        language(),
    )


def _limits(scale: int) -> Iterator[JsonObject]:
    """Each limit: `most` of a measure per address or key, within some seconds or (None) at the same time."""
    yield _limit(TURNS, "dear_requests", Per.ADDRESS, 1, None)
    yield _limit(WAITS_OF_KEY, "waits", "key", OF_KEY, None)
    yield _limit(WAITS_OF_ADDRESS, "waits", Per.ADDRESS, OF_ADDRESS, None)
    yield _limit(STREAMS, "streams", "worker", referee().places.streams, None)
    most, seconds = ANYTHING
    yield _limit(ARRIVALS, "requests", Per.ADDRESS, most * scale, seconds)
    for each in LIMITS:
        yield _limit(each.name, "requests", each.per, each.many * scale, each.seconds) | {"kind": each.kind}
    for allowance in ALLOWANCES:
        yield _limit(allowance.measure, allowance.measure, Per.ADDRESS, allowance.most * scale, allowance.seconds)


def _limit(name: str, measure: str, per: str, most: int, seconds: int | None) -> JsonObject:
    return {"limit": name, "measure": measure, "kind": None, "per": per, "most": most, "seconds": seconds}


def _operations(kind: Kind) -> list[str]:
    """The operations whose requests are of a kind, by their names in the contract."""
    endpoints = [name for name, of in ENDPOINTS.items() if of is kind and name.startswith(OPERATIONS)]
    names = [name.removeprefix(OPERATIONS).split("_") for name in endpoints]
    return [first + "".join(map(str.capitalize, others)) for first, *others in names]
