"""The gate: limits how many requests of an address the worker admits, and counts them in its own memory.

The limits ask Redis, according to the kind of request. But a request can end before that: the page does not exist, the
headers are too long, another site sent it. And requests for files are free. So the gate counts every request first,
with a limit far above what a home needs. It rejects a request above this limit without calling the application.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from flask import Flask, Response
from werkzeug.wsgi import get_path_info

from rules.caches import cache
from service.errors import RateLimited
from service.http import problem_responses
from service.http.header_limits import list_header
from service.http.responses import CommonHeaders, preferred_language
from service.limits.rate_limits import Limiter

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

HEALTH_CHECKS: Final = frozenset((method, path) for method in ("GET", "HEAD") for path in ("/livez", "/readyz"))
"""The requests of health checks, which are never refused."""


class Gate:
    """Counts every request by its address, and rejects the requests above the limit of its `limiter`."""

    def __init__(self, application: WSGIApplication, app: Flask, limiter: Callable[[], Limiter]) -> None:
        self.application = application
        self.limiter = limiter

        @cache(128)  # so that refusing a flood costs little
        def page(seconds: int, limit: str, lang: str) -> Response:
            with app.test_request_context():
                return problem_responses.page(problem_responses.problem_of(RateLimited(seconds, limit), lang), lang)

        self._page = page

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        if (environ["REQUEST_METHOD"], environ["PATH_INFO"]) not in HEALTH_CHECKS:
            try:
                self.limiter().count_arrival(environ.get("REMOTE_ADDR", ""))
            except RateLimited as refusal:
                return CommonHeaders(self._refusal(refusal, environ))(environ, start_response)
        return self.application(environ, start_response)

    def _refusal(self, refusal: RateLimited, environ: WSGIEnvironment) -> Response:
        environ[problem_responses.REFUSAL] = refusal
        lang, path = preferred_language(list_header(environ, "ACCEPT_LANGUAGE")), get_path_info(environ)
        if problem_responses.wants_page(path, list_header(environ, "ACCEPT")):
            return self._page(refusal.seconds, refusal.limit, lang)
        return problem_responses.as_json(problem_responses.problem_of(refusal, lang), lang, path)
