"""How a phone announces turns: by a vibration, a soft sound or a clock. All are off at first.

The choice holds for all tables of this browser. A cookie stores it, so that a page loads only what is on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias, get_args

from flask import Response, request

from web.browser.cookies import set_cookie

Signal: TypeAlias = Literal["vibration", "sound", "clock"]
SIGNALS: Final[tuple[Signal, ...]] = get_args(Signal)
COOKIE: Final = "signals"


def signals() -> frozenset[Signal]:
    """The signals that this browser wants."""
    return valid_signals(request.cookies.get(COOKIE, "").split("."))


def valid_signals(names: Iterable[str]) -> frozenset[Signal]:
    """The names in a list that are signals."""
    known_names = set(names)
    return frozenset(signal for signal in SIGNALS if signal in known_names)


def keep(response: Response, selection: Iterable[Signal]) -> Response:
    """Store the signals that this browser wants."""
    return set_cookie(response, COOKIE, ".".join(sorted(selection)))
