"""The first tour of a table: a line that goes on by what the player does, on the phone that opened its first table.

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
    """Whether this phone is shown the tour."""
    return "tour_ended" not in g and cookies.choice(COOKIE, NAMES) == ON


def is_at(seats: Iterable[str]) -> bool:
    """Whether it is shown at this table: where this phone opened it, and so has the keys of all."""
    return is_on() and cookies.keys().keys() >= {"host", "watch", *seats}


def link(name: str) -> str:
    """The address that turns it on or off."""
    return url_with_parameter(COOKIE, name)


def begin(response: Response) -> Response:
    """Show the tour to a phone that has neither seen it nor any table."""
    if COOKIE in request.cookies or RECENT in request.cookies:
        return response
    return cookies.set_cookie(response, COOKIE, ON)


def end() -> None:
    """The player has done what it is about."""
    if is_on():
        g.tour_ended = True


def remember(response: Response) -> Response:
    """Keep what was asked for, or that it has ended."""
    if "tour_ended" in g:
        return cookies.set_cookie(response, COOKIE, OFF)
    return cookies.keep_choice(response, COOKIE, NAMES)
