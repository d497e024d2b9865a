"""The composition root: the only place where the log, the use cases and the two faces meet.

`create_app` makes one application: a ledger on the Redis of the settings, a referee on the ledger, and the API and the
pages on the same referee.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from flask import Flask, request
from werkzeug.exceptions import LengthRequired, SecurityError
from werkzeug.middleware.proxy_fix import ProxyFix

import rules
from service import compression, current, handbook, heads, problem_details, responses, texts
from service.budget import Budgeted
from service.config import Settings
from service.docs import docs
from service.groups import Groups
from service.groups_api import api
from service.ledger import Ledger
from service.limits import Limiter
from service.referee import Referee
from web import app as pages
from web.picture import picture

WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
PORT: Final = re.compile(r":[0-9]*\Z")


def create_app(settings: Settings | None = None, referee: Referee | None = None) -> Flask:
    """Make the application. `settings` are the environment's unless given; `referee` is for tests."""
    settings = settings or Settings.of()
    ledger = Ledger(settings.redis_url, ttl=settings.ttl, replicas=settings.replicas)
    referee = referee or Referee(ledger, lifetime=settings.ttl, cache=settings.cache)
    app = Flask("service", static_folder=None, template_folder="templates")
    app.config.update(MAX_CONTENT_LENGTH=settings.max_body)
    app.url_map.strict_slashes = True
    app.url_map.merge_slashes = False
    app.jinja_options = {"autoescape": True}
    if settings.hosts:
        app.before_request(own_host_only(settings.hosts))
    app.before_request(require_length)
    responses.init_app(app)
    problem_details.init_app(app)
    groups = Groups(ledger, lifetime=settings.group_ttl)
    current.init_app(app, referee, groups, Limiter(ledger, scale=settings.limits), picture, settings.hosts)
    compression.init_app(app)
    app.register_blueprint(api)
    app.register_blueprint(docs)
    pages.init_app(app)
    app.wsgi_app = Budgeted(app.wsgi_app)  # type: ignore[method-assign]  # Flask's own way
    if settings.proxies:
        n = settings.proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=n, x_proto=n, x_host=n)  # type: ignore[method-assign]  # Flask's own way
    heads.init_app(app)
    return app


def warm(app: Flask) -> None:
    """Load now what the first requests would wait for: the games, their words and their pages."""
    for game in rules.GAMES.values():
        for language in texts.LANGUAGES:
            handbook.game_page(game, language)
    pages.warm(app)


def own_host_only(hosts: Sequence[str]) -> Callable[[], None]:
    """A check that a request names one of these hosts, whatever the port; a leading dot stands for a whole domain.

    Flask's own (`TRUSTED_HOSTS`) takes upper for another name than lower case, and knows no address of IPv6.
    """
    names = frozenset(host.removeprefix(".") for host in hosts)
    domains = tuple(host for host in hosts if host.startswith("."))

    def check() -> None:
        host = PORT.sub("", request.host.lower())
        if host not in names and not host.endswith(domains):
            raise SecurityError(f"Host {host!r} is not ours.")

    return check


def require_length() -> None:
    """Refuse a body without a length: one that comes in chunks would be cut silently where it is too long."""
    environ = request.environ
    if environ["REQUEST_METHOD"] in WITH_BODY and not environ.get("CONTENT_LENGTH", "").isdecimal():
        raise LengthRequired
