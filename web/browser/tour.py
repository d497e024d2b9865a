"""The first tour of a table: a line that follows what the player does, on the phone that opened its first table.

A cookie says whether it is on; the page says which line it is. The first move that this phone enters ends it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from flask import Response, g, request

from web.browser import cookies
from web.browser.address import url_with_parameter
from web.browser.recent_tables import RECENT

COOKIE: Final = "tour"
OFF, ON = "0", "1"
NAMES: Final = (OFF, ON)


def is_on() -> bool:
    """Whether this phone shows the tour."""
    return "tour_ended" not in g and cookies.choice(COOKIE, NAMES) == ON


def is_at(seats: Iterable[str]) -> bool:
    """Whether the phone shows the tour at this table: it opened the table, so it has the keys of all seats."""
    return is_on() and cookies.keys().keys() >= {"host", "watch", *seats}


def link(name: str) -> str:
    """The address that switches the tour on or off."""
    return url_with_parameter(COOKIE, name)


def begin(response: Response) -> Response:
    """Start the tour on a phone that has seen neither the tour nor a table."""
    if COOKIE in request.cookies or RECENT in request.cookies:
        return response
    return cookies.set_cookie(response, COOKIE, ON)


def end() -> None:
    """End the tour, because the player has done what it explains."""
    if is_on():
        g.tour_ended = True


def remember(response: Response) -> Response:
    """Store in the cookie whether the tour is on."""
    if "tour_ended" in g:
        return cookies.set_cookie(response, COOKIE, OFF)
    return cookies.keep_choice(response, COOKIE, NAMES)
