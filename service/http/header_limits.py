"""Limits on the headers of a request: their total length, and the length of the lists that the service parses.

gunicorn limits the length of each field and the number of fields. Together this would admit hundreds of kilobytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from flask import Flask, request
from werkzeug.exceptions import RequestHeaderFieldsTooLarge

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MAX_HEAD: Final = 16 * 1024
"""Characters of all fields, with their names. A browser sends 1 to 4 thousand."""
MAX_LIST: Final = 500
"""Characters of a header with a list; a longer one is ignored."""
FIELD: Final = "HTTP_"
TOO_LONG: Final = "bastide.head_too_long"


class BoundedHead:
    """Removes the long fields from headers above the limit, so that no parser reads them, and marks the request."""

    def __init__(self, application: WSGIApplication) -> None:
        self.application = application

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        fields = [name for name in environ if name.startswith(FIELD)]
        if sum(len(name) + len(environ[name]) for name in fields) > MAX_HEAD:
            for name in fields:
                if len(environ[name]) > MAX_LIST:
                    del environ[name]
            environ[TOO_LONG] = True
        return self.application(environ, start_response)


def current_list_header(name: str) -> str:
    """A header of the current request that contains a list, such as ``ACCEPT``; empty if it is too long."""
    return list_header(request.environ, name)


def list_header(environ: WSGIEnvironment, name: str) -> str:
    """A header of a request that contains a list; empty if it is too long."""
    value: str = environ.get(FIELD + name, "")
    return value if len(value) <= MAX_LIST else ""


def refuse_long() -> None:
    """Refuse a request whose headers were above the limit."""
    if TOO_LONG in request.environ:
        raise RequestHeaderFieldsTooLarge


def init_app(app: Flask) -> None:
    """Limit the headers of an application's requests, before any other code reads them."""
    app.before_request(refuse_long)
    app.wsgi_app = BoundedHead(app.wsgi_app)  # type: ignore[method-assign]  # Flask's own way
