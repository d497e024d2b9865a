"""What a browser keeps in its cookies: here the keys of a table; `web.recent` has the tables it opened or joined last.

A table's cookie goes to that table's addresses only and no script can read it. It holds the key that this browser acts
with, first, and for the browser that opened the table the keys that it can hand on. Nothing of it is trusted: the
referee knows a key by its hash. The chosen language has a cookie of its own, in `web.language`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from flask import Response, request

KEYS: Final = "keys"
KEY: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
ROLE: Final = re.compile(r"[a-z_]{1,20}")
MOST_KEYS: Final = 10
YEAR: Final = 365 * 24 * 3600
QUARTER: Final = 90 * 24 * 3600


def set_cookie(response: Response, name: str, value: str, *, path: str = "/", max_age: int = YEAR) -> Response:
    """Keep a value that no script can read, for this site only. `max_age` is in seconds."""
    response.set_cookie(
        name, value, max_age=max_age, path=path, httponly=True, samesite="Lax", secure=request.is_secure
    )
    return response


# --- the keys of a table -----------------------------------------------------------------------------------------


def keys() -> dict[str, str]:
    """The keys that this browser holds for the table, by role; the one that it acts with comes first."""
    held = {}
    for item in request.cookies.get(KEYS, "").split(":")[:MOST_KEYS]:
        role, _, key = item.partition(".")
        if ROLE.fullmatch(role) and KEY.fullmatch(key):
            held[role] = key
    return held


def key() -> str | None:
    """The key that this browser acts with, if it holds one."""
    return next(iter(keys().values()), None)


def key_of(text: str) -> str | None:
    """The key in what somebody pasted: the key itself, or a link that ends with one."""
    last = text.strip().rpartition("#")[2]
    return last if KEY.fullmatch(last) else None


def keep(response: Response, path: str, held: Mapping[str, str]) -> Response:
    """Give a browser keys of a table; `path` is the table's address."""
    value = ":".join(f"{role}.{key}" for role, key in held.items())
    return set_cookie(response, KEYS, value, path=path, max_age=QUARTER)
