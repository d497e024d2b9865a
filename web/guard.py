"""Who may do what from a browser: the cookie that holds a table's keys, and forms that come from one's own pages.

A table's cookie goes to that table's addresses only and no script can read it. It holds the key that this browser acts
with, first, and for the browser that opened the table the keys that it can hand on. Nothing of it is trusted: the
referee knows a key by its hash.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from flask import Request, Response, request

COOKIE: Final = "keys"
KEY: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
ROLE: Final = re.compile(r"[a-z_]{1,20}")
MOST: Final = 10
QUARTER: Final = 90 * 24 * 3600
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def from_own_page(asked: Request) -> bool:
    """Whether a request that changes something comes from a page of this host.

    The Origin has to be one's own; where a browser sends none (an old one does so with forms), Sec-Fetch-Site has to
    say so. Neither: it is no browser, and programs have the API.
    """
    if asked.method in SAFE:
        return True
    site = asked.headers.get("Sec-Fetch-Site")
    if site is not None and site != "same-origin":
        return False
    origin = asked.headers.get("Origin")
    if origin is None:
        return site == "same-origin"
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc == asked.host


def keys() -> dict[str, str]:
    """The keys that this browser holds for the table, by role; the one that it acts with comes first."""
    held = {}
    for item in request.cookies.get(COOKIE, "").split(":")[:MOST]:
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
    response.set_cookie(
        COOKIE,
        ":".join(f"{role}.{value}" for role, value in held.items()),
        max_age=QUARTER,
        path=path,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure,
    )
    return response
