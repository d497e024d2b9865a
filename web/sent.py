"""What was sent with a form, also where something has gone wrong with it."""

from __future__ import annotations

from flask import request
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import HTTPException


def form() -> MultiDict[str, str] | None:
    """The form of the request; None where it cannot be read, because it is too long or came too slowly.

    Pages about a form that went wrong are made with this: whatever asks such a form again fails again.
    """
    try:
        return request.form
    except HTTPException:
        return None
