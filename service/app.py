"""The composition root: the only place where the log, the use cases and the two faces meet.

`create_app` makes one application: a ledger on the Redis of the settings, a referee on the ledger, and the API and the
pages on the same referee.
"""

from __future__ import annotations

from flask import Flask, request
from werkzeug.exceptions import LengthRequired
from werkzeug.middleware.proxy_fix import ProxyFix

from service import current, problems, responses
from service.api import api
from service.config import Settings
from service.docs import docs
from service.ledger import Ledger
from service.referee import Referee
from web import app as pages
from web.picture import picture

WITH_BODY = frozenset({"POST", "PUT", "PATCH"})


def create_app(settings: Settings | None = None, referee: Referee | None = None) -> Flask:
    """Make the application. `settings` are the environment's unless given; `referee` is for tests."""
    settings = settings or Settings.of()
    if referee is None:
        ledger = Ledger(settings.redis_url, ttl=settings.ttl, replicas=settings.replicas)
        referee = Referee(ledger, lifetime=settings.ttl)
    app = Flask("service", static_folder=None, template_folder="templates")
    app.config.update(MAX_CONTENT_LENGTH=settings.max_body, TRUSTED_HOSTS=list(settings.hosts) or None)
    app.url_map.strict_slashes = True
    app.url_map.merge_slashes = False
    app.jinja_options = {"autoescape": True}
    app.before_request(require_length)
    responses.init_app(app)
    problems.init_app(app)
    current.init_app(app, referee, picture)
    app.register_blueprint(api)
    app.register_blueprint(docs)
    pages.init_app(app)
    if settings.proxies:
        n = settings.proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=n, x_proto=n, x_host=n)  # type: ignore[method-assign]  # Flask's own way
    return app


def require_length() -> None:
    """Refuse a body without a length: one that comes in chunks would be cut silently where it is too long."""
    environ = request.environ
    if environ["REQUEST_METHOD"] in WITH_BODY and not environ.get("CONTENT_LENGTH", "").isdecimal():
        raise LengthRequired
