"""The first tour of a table, in three steps: a phone shows it at its first table, until the player closes it.

A cookie stores the step. A link to the next step, or to none, changes it, so the tour works without a script.
"""

from __future__ import annotations

from typing import Final

from flask import Response, request

from web.browser.address import url_with_parameter
from web.browser.cookies import choice, keep_choice, set_cookie
from web.browser.recent_tables import RECENT

COOKIE: Final = "tour"
STEPS: Final = 3
DONE: Final = "0"
NAMES: Final = (DONE, *(str(number) for number in range(1, STEPS + 1)))


def step() -> int:
    """The step that is shown, from 1; 0 where none is."""
    return int(choice(COOKIE, NAMES) or DONE)


def link(number: int) -> str:
    """The address that shows a step; after the last one, that closes the tour."""
    return url_with_parameter(COOKIE, str(number) if number <= STEPS else DONE)


def begin(response: Response) -> Response:
    """Show the tour to a phone that has neither seen it nor any table."""
    if COOKIE in request.cookies or RECENT in request.cookies:
        return response
    return set_cookie(response, COOKIE, NAMES[1])


def remember(response: Response) -> Response:
    """Keep what was asked for."""
    return keep_choice(response, COOKIE, NAMES)
