"""The values of a submitted form, also for the page that reports an error in it."""

from __future__ import annotations

from typing import Final

from flask import g, request
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import HTTPException

LET_IN: Final = "form_let_in"
"""Where the globals of a request say that its form may be read."""


def let_in() -> None:
    """Allow the views to read the form: the headers are in order, and neither the limits nor the key object."""
    setattr(g, LET_IN, True)


def form() -> MultiDict[str, str] | None:
    """The form of the request; None where it cannot be read, because it is too long or came too slowly, and where it
    was not let in: who is refused takes no memory.

    Pages about a form that went wrong are made with this: whatever asks such a form again fails again.
    """
    if LET_IN not in g:
        return None
    try:
        return request.form
    except HTTPException:
        return None
