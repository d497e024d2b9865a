"""The composition root: only this module connects the log, the use cases, the API and the pages.

`create_app` makes one application: a ledger on the Redis of the settings, a referee on the ledger, and the API and the
pages, which share that referee.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import BytesIO
from types import TracebackType
from typing import Final, TypeAlias, TypeVar
from urllib.parse import urlencode

import orjson
from flask import Flask, Response, request
from flask_cors import CORS
from werkzeug.exceptions import HTTPException, LengthRequired, SecurityError
from werkzeug.routing import Rule

import rules
from service.config import Settings
from service.groups.groups import Groups
from service.http import (
    compression,
    current,
    disputes,
    events,
    games,
    groups,
    header_limits,
    keys,
    limits,
    problem_responses,
    public_views,
    responses,
    tables,
)
from service.http.api import PREFIX, REPLAY_HEADER, WITH_BODY, api
from service.http.docs.views import docs
from service.http.gate import Gate
from service.http.health import health
from service.http.proxies import ForwardedHeaders
from service.http.responses import REQUEST_ID, request_id
from service.i18n.languages import LANGUAGES
from service.limits.lanes import Pace
from service.limits.rate_limits import Limiter
from service.referee.places import Places
from service.referee.use_cases import Referee
from service.rulings import game_info
from service.runtime.budget import BudgetMiddleware
from service.schemas.game_schemas import wire_by_id
from service.startup import CannotServe
from service.storage.ledger import Ledger
from service.tables import fault_log
from web import app as pages
from web.board_image import picture
from web.games import all_pages

RESOURCES: Final = (disputes, events, games, groups, keys, limits, public_views, tables)
"""The modules of the API: each adds the views of its resource to the blueprint."""
PORT: Final = re.compile(r":[0-9]*\Z")
F = TypeVar("F", bound=Callable[..., object])
ExcInfo: TypeAlias = "tuple[type, BaseException, TracebackType | None] | tuple[None, None, None]"
"""An exception as Flask passes it on."""


class AddressRule(Rule):
    """A rule that compiles its URL builder at its first use. Most rules never build a URL."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compile_builder = super()._compile_builder

        def build_first(_: Rule, **values: object) -> tuple[str, str]:
            build: Callable[..., tuple[str, str]] = compile_builder(append_unknown).__get__(self, None)
            setattr(self, "_build_unknown" if append_unknown else "_build", build)
            return build(**values)

        return build_first


class Application(Flask):
    """Flask, with `service.tables.fault_log` for exceptions, since Flask's own log shows what the client sent."""

    url_rule_class = AddressRule

    def ensure_sync(self, func: F) -> F:
        """The function itself: ours are no coroutines. Flask would check each one in each request."""
        return func

    def log_exception(self, exc_info: ExcInfo) -> None:
        """Log the exception that ended the current request."""
        doing, payload = f"{request.method} {request.endpoint} {request_id(request.environ)}", request_content()
        fault_log.report(exc_info[1] or Exception(), doing, current.game_id() or game_in(payload), payload)


def request_content() -> bytes:
    """The content of the current request: its body, or its address if it has no body."""
    stream = request.environ["wsgi.input"]
    if isinstance(stream, BytesIO) and stream.getbuffer().nbytes:
        return stream.getvalue()
    with suppress(HTTPException):
        if request.form:
            return urlencode([*request.form.items(multi=True)]).encode()
    return request.full_path.encode()


def game_in(payload: bytes) -> str | None:
    """The game that a body names, if it names one."""
    with suppress(ValueError):
        body = orjson.loads(payload)
        return next((game for game in rules.GAMES if isinstance(body, dict) and body.get("game") == game), None)
    return None


def create_app(settings: Settings | None = None, referee: Referee | None = None) -> Flask:
    """Make the application. `settings` are the environment's unless given; `referee` is for tests."""
    settings = settings or Settings.of()
    ledger = Ledger(settings.redis_url, ttl=settings.ttl, replicas=settings.replicas)
    referee = referee or Referee(
        ledger, lifetime=settings.ttl, cache=settings.cache, places=Places(settings.connections // 2)
    )
    app = _new_application(settings.max_body)
    responses.init_app(app)
    if settings.hosts:
        app.before_request(own_host_only(settings.hosts))
    app.before_request(require_length)
    problem_responses.init_app(app)
    groups = Groups(ledger, lifetime=settings.group_ttl)
    current.init_app(app, referee, groups, Limiter(ledger, scale=settings.limits), picture, settings.hosts)
    allow_origins(app, settings.origins)  # after compression, which expects one `Vary`: Flask runs the last one first
    compression.init_app(app)
    app.after_request(current.count_rendering)  # before compression: Flask runs the last one first
    for blueprint in (api, docs, health):
        app.register_blueprint(blueprint)
    pages.init_app(app)
    pace = Pace(lambda: current.limiter(app))
    app.wsgi_app = BudgetMiddleware(app.wsgi_app, pace)  # type: ignore[method-assign]  # Flask's own way
    app.wsgi_app = Gate(app.wsgi_app, app, lambda: current.limiter(app))  # type: ignore[method-assign]  # Flask's own way
    if settings.proxies:
        app.wsgi_app = ForwardedHeaders(app.wsgi_app, settings.proxies, settings.proxy_nets)  # type: ignore[method-assign]  # Flask's own way
    header_limits.init_app(app)
    return app


def _new_application(max_body: int) -> Application:
    app = Application("service", static_folder=None, template_folder="templates")
    app.config.update({"MAX_CONTENT_LENGTH": max_body, events.STREAM_SECONDS: events.LIFETIME})
    app.url_map.strict_slashes = True
    app.url_map.merge_slashes = False
    app.jinja_options = {"autoescape": True}
    return app


def warm(app: Flask) -> None:
    """Load what most requests need: the games' parsers, words, rules and pages."""
    for game in rules.GAMES.values():
        wire_by_id(game.id)
        for language in LANGUAGES:
            game_info.game_line(game, language)
    pages.warm(app)


def check_pages() -> None:
    """Load the pages of every game. Raises `CannotServe`."""
    try:
        all_pages()
    except ValueError as error:
        raise CannotServe(f"The pages of a game cannot be used: {error}.") from error


def allow_origins(app: Flask, origins: Sequence[str]) -> None:
    """Let pages of other sites, if any, use the API. Browsers send no cookies with such requests, and it reads none.

    Public views are read by pages of every site.
    """
    if not origins:
        return
    CORS(
        app,
        resources={rf"{PREFIX}/(?!views/).*": {"origins": list(origins)}},
        methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
        allow_headers=[
            "Authorization",
            "Content-Type",
            "If-Match",
            "If-None-Match",
            "Idempotency-Key",
            "Last-Event-ID",
            REQUEST_ID,
        ],
        expose_headers=["ETag", "Link", "Location", "Retry-After", REPLAY_HEADER, REQUEST_ID],
        max_age=600,
        intercept_exceptions=False,  # error responses pass `after_request` as others do
        vary_header=False,
    )
    app.after_request(_vary_by_origin)


def _vary_by_origin(response: Response) -> Response:
    """Vary by origin, so that no cache serves a page the response to another origin, or to none."""
    if request.path.startswith(f"{PREFIX}/") and not request.path.startswith(responses.PUBLIC):
        response.vary.add("Origin")
    return response


def own_host_only(hosts: Sequence[str]) -> Callable[[], None]:
    """Make a check that a request names one of these hosts, with any port; a leading dot means a whole domain.

    Flask's own check (`TRUSTED_HOSTS`) is case-sensitive, and does not support IPv6 addresses.
    """
    names = frozenset(host.removeprefix(".") for host in hosts)
    domains = tuple(host for host in hosts if host.startswith("."))

    def check() -> None:
        host = PORT.sub("", request.host.lower())
        if host not in names and not host.endswith(domains):
            raise SecurityError(f"Host {host!r} is not ours.")

    return check


def require_length() -> None:
    """Refuse a body without a length: the server would silently cut a chunked body that is too long."""
    environ = request.environ
    if environ["REQUEST_METHOD"] in WITH_BODY and not environ.get("CONTENT_LENGTH", "").isdecimal():
        raise LengthRequired
