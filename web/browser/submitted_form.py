"""The values of a submitted form, also for the page that reports an error in it."""

from __future__ import annotations

from typing import Final

from flask import g, request
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import HTTPException

LET_IN: Final = "form_let_in"
"""The name in the globals of a request that says that its form may be read."""


def let_in() -> None:
    """Allow the views to read the form: the headers, the limits and the key are in order."""
    setattr(g, LET_IN, True)


def form() -> MultiDict[str, str] | None:
    """The form of the request; None if it is too long or too slow, or if the views may not read it: a rejected request
    takes no memory.

    Error pages use this function: another read of such a form would fail again.
    """
    if LET_IN not in g:
        return None
    try:
        return request.form
    except HTTPException:
        return None
