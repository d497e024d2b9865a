"""The rotation of the boards on this phone, so that they lie as its player sits.

The choice holds for all boards of this browser; a cookie stores it. The link that turns a board makes the choice.
"""

from __future__ import annotations

from typing import Final

from flask import Response

from web.browser.address import url_with_parameter
from web.browser.cookies import choice, keep_choice

COOKIE: Final = "turned"
QUARTERS: Final = 4
NAMES: Final = tuple(str(number) for number in range(QUARTERS))


def quarters() -> int:
    """The number of quarter turns clockwise of the boards on this phone: 0 to 3."""
    return int(choice(COOKIE, NAMES) or 0)


def next_quarter() -> str:
    """The address of this page with its board turned by another quarter."""
    return url_with_parameter(COOKIE, str((quarters() + 1) % QUARTERS))


def remember(response: Response) -> Response:
    """Store the rotation that the address requests in the cookie."""
    return keep_choice(response, COOKIE, NAMES)
