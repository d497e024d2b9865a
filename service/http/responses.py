"""What all responses share: the language, JSON, and the headers that protect a browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from secrets import token_hex
from typing import TYPE_CHECKING, Final

import orjson
from flask import Flask, Response, request
from flask.json.provider import JSONProvider
from werkzeug.datastructures import LanguageAccept, MIMEAccept
from werkzeug.exceptions import NotAcceptable
from werkzeug.http import parse_accept_header

from service.http.header_limits import current_list_header
from service.i18n.languages import DEFAULT_LANGUAGE, known_language
from service.schemas.parsing import encode
from service.types import Json

if TYPE_CHECKING:
    from _typeshed import OptExcInfo
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'; object-src 'none'"
)
RESOURCE_POLICY: Final[str] = "Cross-Origin-Resource-Policy"
SECURITY_HEADERS: Final[tuple[tuple[str, str], ...]] = (
    ("Content-Security-Policy", CONTENT_SECURITY_POLICY),
    ("X-Content-Type-Options", "nosniff"),
    # Not "no-referrer": browsers would then send "Origin: null" with forms, and forms are checked by their Origin.
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    (RESOURCE_POLICY, "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)
PUBLIC: Final = ("/p/", "/api/v1/views/")
"""The path prefixes of public views: pages of every site may read them, without cookies."""
PUBLIC_HEADERS: Final = (
    *(header for header in SECURITY_HEADERS if header[0] != RESOURCE_POLICY),
    (RESOURCE_POLICY, "cross-origin"),
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Allow-Headers", "If-None-Match, Last-Event-ID, X-Request-Id"),
    ("Access-Control-Expose-Headers", "ETag, X-Request-Id"),
)
REQUEST_ID: Final = "X-Request-Id"
OWN_ID: Final = re.compile(r"[A-Za-z0-9-]{1,64}")
IN_ENVIRON: Final = "bastide.request_id"
"""The key in a request's environment for its id."""
ROUTE: Final = "bastide.route"
"""The key in a request's environment for its route, if any, and the id of its table or None."""
STRICT_TRANSPORT: Final = ("Strict-Transport-Security", "max-age=31536000")


def request_id(environ: WSGIEnvironment) -> str:
    """The id by which a log names a request: the client's own, if it has the usual form, or else a new one."""
    found: str | None = environ.get(IN_ENVIRON)
    if found is None:
        sent: str = environ.get("HTTP_X_REQUEST_ID", "")
        found = environ[IN_ENVIRON] = sent if OWN_ID.fullmatch(sent) else token_hex(8)
    return found


def note_route() -> None:
    """Note the route of the current request for the server's log: Flask forgets it before the answer is sent."""
    if request.url_rule is not None:
        request.environ[ROUTE] = request.url_rule.rule, (request.view_args or {}).get("table_id")


def language() -> str:
    """The language of the response: the one of the installed languages that the client prefers, else English."""
    return preferred_language(current_list_header("ACCEPT_LANGUAGE"))


def accepted_formats() -> MIMEAccept:
    """The media types that the client accepts; without the header `Accept`, any."""
    return parse_accept_header(current_list_header("ACCEPT"), MIMEAccept)


def accepted_media(*offered: str) -> str:
    """The offered media type that the client prefers; the first without `Accept`. Raises `NotAcceptable`."""
    wanted = accepted_formats()
    found = wanted.best_match(offered) if wanted else offered[0]
    if found is None:
        raise NotAcceptable
    return found


def preferred_language(accept: str) -> str:
    """The installed language that a header ``Accept-Language`` prefers, else the default."""
    for tag, quality in parse_accept_header(accept, LanguageAccept):  # best first; "fr-CH" is French
        if quality and (lang := known_language(tag)):
            return lang
    return DEFAULT_LANGUAGE


def etag(version: int) -> str:
    """Format a table's version as an entity tag."""
    return f'"{version}"'


def reply(
    value: Json,
    status: int = 200,
    *,
    lang: str,
    headers: Mapping[str, str] | None = None,
    media_type: str = "application/json",
    cache: str = "private, no-cache",
    vary: str = "Accept-Language, Authorization",
) -> Response:
    """A JSON response in the language of the request; 304: without a body."""
    # Older nginx obeys `X-Accel-Expires` only if it stands before `Cache-Control`.
    always = [*(headers or {}).items(), ("Content-Language", lang), ("Vary", vary), ("Cache-Control", cache)]
    return Response(
        encode(value) if status != HTTPStatus.NOT_MODIFIED else b"", status, always, content_type=media_type
    )


class Orjson(JSONProvider):
    """Flask's JSON provider on orjson: strict. JSON with deep nesting is the client's error, not ours."""

    def dumps(self, obj: Json, **_: object) -> str:
        """Write JSON."""
        return encode(obj).decode()

    def loads(self, s: str | bytes, **_: object) -> Json:
        """Read JSON."""
        value: Json = orjson.loads(s)
        return value


class CommonHeaders:
    """Adds to every response the headers that protect a browser, and the id of the request."""

    def __init__(self, application: WSGIApplication) -> None:
        self.application = application

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        secure = environ["wsgi.url_scheme"] == "https"
        of_path = PUBLIC_HEADERS if environ["PATH_INFO"].startswith(PUBLIC) else SECURITY_HEADERS

        def start(
            status: str, headers: list[tuple[str, str]], exc_info: OptExcInfo | None = None
        ) -> Callable[[bytes], object]:
            headers += of_path
            headers.append((REQUEST_ID, request_id(environ)))
            if secure:
                headers.append(STRICT_TRANSPORT)
            return start_response(status, headers, exc_info)

        return self.application(environ, start)


def init_app(app: Flask) -> None:
    """Install the JSON provider and the security headers in an application."""
    app.json = Orjson(app)
    app.before_request(note_route)
    app.wsgi_app = CommonHeaders(app.wsgi_app)  # type: ignore[method-assign]  # Flask's own way
