"""Errors -> problem+json (RFC 9457): one shape, a stable type for each kind of problem, words in both languages.

A problem's type is an address under ``/problems/`` where a page says what it means and what to do. Whatever goes
wrong, nothing of the inside is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed, SecurityError

from rules.forms import Malformed
from rules.kernel import Ruling
from service import serializers, texts
from service.referee import (
    MOST_ENTRIES,
    Expired,
    Forbidden,
    Full,
    KeyReused,
    NoGame,
    NoTable,
    Stale,
    StoreAway,
    Unauthorised,
    Unreachable,
    Unreadable,
)
from service.responses import language, reply
from service.rulings import Impossible, Refused
from service.validation import Complaint, Invalid, NotJson
from service.wire import plain

PROBLEMS: Final[Mapping[str, int]] = {
    "bad-request": 400,
    "bad-header": 400,
    "foreign-host": 400,
    "not-json": 400,
    "no-key": 401,
    "only-watching": 403,
    "other-seat": 403,
    "host-only": 403,
    "not-found": 404,
    "no-game": 404,
    "no-rule": 404,
    "no-table": 404,
    "method-not-allowed": 405,
    "not-acceptable": 406,
    "cannot-rewind": 409,
    "table-full": 409,
    "expired": 410,
    "length-required": 411,
    "stale": 412,
    "too-large": 413,
    "wrong-media-type": 415,
    "invalid": 422,
    "unknown-field": 422,
    "missing-field": 422,
    "wrong-type": 422,
    "wrong-value": 422,
    "unknown-cell": 422,
    "unknown-reading": 422,
    "foreign-move": 422,
    "unreadable-notation": 422,
    "unknown-game": 422,
    "move-refused": 422,
    "cannot-stand": 422,
    "impossible-position": 422,
    "key-reused": 422,
    "version-required": 428,
    "too-many-requests": 429,
    "internal": 500,
    "store-away": 503,
    "newer-log": 503,
}
"""Every kind of problem, and its status. An address, once published, stays."""
RETRY_AFTER: Final = "2"
MOST_MISSING: Final = 100
BY_STATUS: Final = {
    404: "not-found",
    405: "method-not-allowed",
    411: "length-required",
    413: "too-large",
    415: "wrong-media-type",
    429: "too-many-requests",
}
BY_COMPLAINT: Final = {
    "unknown_field": "unknown-field",
    "missing": "missing-field",
    "cell": "unknown-cell",
    "notation": "unreadable-notation",
    "no_text": "unreadable-notation",
    "unknown_kind": "foreign-move",
    "foreign_kind": "foreign-move",
    "unknown_reading": "unknown-reading",
    "unknown_reading_value": "unknown-reading",
    "unknown_game": "unknown-game",
}
"""Complaint -> problem; the others that begin with ``not_`` are of the wrong type, the rest have a wrong value."""


class Problem(Exception):
    """A problem of one of the kinds above, with what its sentence needs.

    `variant` names another sentence than ``detail``; `members` are further members of the answer.
    """

    def __init__(
        self,
        slug: str,
        values: Mapping[str, Any] | None = None,
        *,
        variant: str = "detail",
        detail: str | None = None,
        members: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(slug)
        self.slug = slug
        self.values = values or {}
        self.variant = variant
        self.detail = detail
        self.members = members or {}
        self.headers = headers or {}

    @property
    def status(self) -> int:
        """The status of the answer."""
        return PROBLEMS[self.slug]

    def words(self, spoken: str) -> tuple[str, str]:
        """The title and the detail."""
        text = texts.own(spoken)["problems"][self.slug]
        return text["title"], self.detail or texts.fill(spoken, text[self.variant], self.values)


def etag(version: int) -> str:
    """A table's version as an entity tag."""
    return f'"{version}"'


# --- from the exceptions of the inside ---------------------------------------------------------------------------


def of(error: Exception, spoken: str) -> Problem:
    """The problem that an exception is."""
    for kind, made in MADE.items():
        if isinstance(error, kind):
            return made(error, spoken)
    return Problem("internal")


def _http(error: Any, _: str) -> Problem:
    if isinstance(error, SecurityError):
        return Problem("foreign-host")
    slug = BY_STATUS.get(error.code or 500, "internal" if (error.code or 500) >= 500 else "bad-request")
    if isinstance(error, MethodNotAllowed):
        methods = ", ".join(sorted(error.valid_methods or ()))
        return Problem(slug, {"methods": methods}, headers={"Allow": methods})
    return Problem(slug, {"most": request.max_content_length or 0})


def _not_json(error: Any, _: str) -> Problem:
    if error.twice is None:
        return Problem("not-json")
    return Problem("not-json", {"member": error.twice[:40]}, variant="twice")


def _invalid(error: Any, spoken: str) -> Problem:
    found = [(pointer, complaint, _slug(complaint)) for pointer, complaint in error.complaints]
    errors = [
        {"pointer": pointer, "detail": texts.complaint(spoken, complaint), "type": f"/problems/{slug}"}
        for pointer, complaint, slug in found
    ]
    slugs = {slug for _, _, slug in found}
    slug = slugs.pop() if len(slugs) == 1 else "invalid"
    detail = errors[0]["detail"] if len(errors) == 1 else None
    pointers = ", ".join(pointer for pointer, _, _ in found)
    return Problem(slug, {"pointer": pointers, "n": len(errors)}, detail=detail, members={"errors": errors})


def _slug(complaint: Complaint) -> str:
    known = BY_COMPLAINT.get(complaint.code)
    return known or (
        "wrong-type" if complaint.code.startswith("not_") and complaint.code != "not_one_of" else "wrong-value"
    )


def _refused(error: Any, spoken: str) -> Problem:
    judgement = error.judgement
    game = judgement.game
    words = texts.words(spoken, game.id)
    unproven = judgement.ruling is Ruling.UNPROVEN
    reasons = (words.finding(finding) for finding in judgement.verdict.findings if finding.ruling is judgement.ruling)
    return Problem(
        "cannot-stand" if error.stands else "move-refused",
        {"notation": judgement.notation, "reason": next(reasons, "")},
        variant="unproven" if unproven and not error.stands else "detail",
        members=serializers.refused(error, spoken) | {"position": plain(game.position(error.state))},
    )


def _impossible(error: Any, spoken: str) -> Problem:
    found = serializers.findings(error.game, error.problems, spoken)
    return Problem("impossible-position", {"n": len(found)}, members={"problems": found})


def _forbidden(error: Any, spoken: str) -> Problem:
    slug = {"watch": "only-watching", "host": "host-only"}.get(error.reason, "other-seat")
    variant = error.reason if error.reason in ("moves", "over", "nobody") else "detail"
    colour = error.seat and texts.words(spoken, error.table.game.id).name(error.seat)
    return Problem(slug, {"colour": colour or ""}, variant=variant)


def _stale(error: Any, spoken: str) -> Problem:
    table = error.table
    missing = [serializers.entry(table.game, entry, spoken) for entry in error.missing[:MOST_MISSING]]
    return Problem(
        "stale",
        {"named": error.version, "version": table.version},
        variant="detail" if 0 < error.version <= table.version else "unknown",
        members={"version": table.version, "missing": missing},
        headers={"ETag": etag(table.version)},
    )


MADE: Final[Mapping[type[Exception], Callable[[Any, str], Problem]]] = {
    Problem: lambda error, _: error,
    HTTPException: _http,
    NotJson: _not_json,
    Invalid: _invalid,
    Malformed: lambda error, spoken: _invalid(
        Invalid([(error.pointer, Complaint(error.code, **error.values))]), spoken
    ),
    Refused: _refused,
    Impossible: _impossible,
    Forbidden: _forbidden,
    Stale: _stale,
    Unauthorised: lambda *_: Problem("no-key", headers={"WWW-Authenticate": "Bearer"}),
    NoGame: lambda *_: Problem("no-game"),
    NoTable: lambda *_: Problem("no-table"),
    Expired: lambda *_: Problem("expired"),
    KeyReused: lambda *_: Problem("key-reused"),
    Unreachable: lambda error, _: Problem("cannot-rewind", {"to": error.to}),
    Full: lambda *_: Problem("table-full", {"most": MOST_ENTRIES}),
    StoreAway: lambda *_: Problem("store-away", headers={"Retry-After": RETRY_AFTER}),
    Unreadable: lambda *_: Problem("newer-log", headers={"Retry-After": RETRY_AFTER}),
}


# --- to the client -----------------------------------------------------------------------------------------------


def answer(error: Exception) -> Response:
    """The answer to a request that went wrong: problem+json, or a page where a page was asked for."""
    spoken = language()
    problem = of(error, spoken)
    title, detail = problem.words(spoken)
    if _wants_page():
        page = render_template("docs/failed.html", spoken=spoken, title=title, detail=detail, slug=problem.slug)
        response = Response(page, problem.status, {"Content-Language": spoken, "Vary": "Accept, Accept-Language"})
        response.headers.extend(problem.headers)
        return response
    body = {
        "type": f"/problems/{problem.slug}",
        "title": title,
        "status": problem.status,
        "detail": detail,
        "instance": request.path,
    }
    return reply(
        body | dict(problem.members),
        problem.status,
        spoken=spoken,
        headers=problem.headers,
        media_type="application/problem+json",
        cache="no-store",
    )


def _wants_page() -> bool:
    """Whether a person asked, with a browser, for something that is not the API's."""
    return (
        not request.path.startswith("/api/")
        and request.accept_mimetypes.accept_html
        and bool(request.headers.get("Accept", "").strip().replace("*/*", ""))
    )


def init_app(app: Flask) -> None:
    """Let an application answer with problems."""
    for kind in MADE:
        app.register_error_handler(kind, answer)
