"""Renders a problem as problem+json (RFC 9457): a stable type for each kind, with words in both languages.

The type of a problem is an address under ``/problems/``. The page there explains what the problem means and what to do.
No problem shows anything of the server's internals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from functools import singledispatch
from http import HTTPStatus
from typing import Final

from flask import Flask, Response, render_template, request
from werkzeug.datastructures import MIMEAccept
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.http import parse_accept_header

from rules.forms import Malformed
from rules.kernel import Ruling, Value
from rules.records import dataclass
from rules.steps import allow_all
from service.errors import (
    MAX_MISSING,
    AlreadyDisputed,
    BadIdempotencyKey,
    BadIfMatch,
    Ending,
    Expired,
    Forbidden,
    Full,
    GroupFull,
    Impossible,
    Invalid,
    NoRemedy,
    NotJson,
    RateLimited,
    Refused,
    Stale,
    StoreAway,
    StoreFull,
    Unauthorised,
    Unreachable,
    ViewEnded,
)
from service.http.header_limits import current_list_header
from service.http.problems import HANDLED_ERRORS, PROBLEMS, kind_of, kind_of_field
from service.http.responses import SECURITY_HEADERS, etag, language, reply
from service.http.serializers import entries, rulings
from service.i18n import sentences
from service.i18n.grammar import service_words
from service.i18n.languages import DEFAULT_LANGUAGE
from service.referee.plans import MAX_BYTES, MAX_ENTRIES, MAX_NOTES, OF_THE_HOST
from service.schemas import game_form
from service.schemas.parsing import encode
from service.tables import results
from service.tables.entries import BrokenLog, Unreadable
from service.tables.keys import MAX_KEYS
from service.tables.public_views import MAX_VIEWS
from service.types import Json, JsonObject

PROBLEM_JSON: Final = "application/problem+json"
REFUSAL: Final = "bastide.refusal"
"""The key in a request's environment for the exception that ended it."""
RETRY_AFTER: Final = "2"
FULL_FOR: Final = 600
"""Seconds after which a client may retry to open a table."""
WAITS: Final = (("hours", 3600), ("minutes", 60))
"""The units of a long wait, and their seconds. A short wait is in seconds."""

# --- the problems ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Problem:
    """A problem of one of the kinds of `PROBLEMS`, with the values of its sentence.

    `variant` is the name of its sentence, and `detail` a finished sentence in its place; `members` are further members
    of the response. `field_pointer` points to the wrong field, if only one is wrong.
    """

    kind: str
    values: Mapping[str, Value] = field(default_factory=dict)
    variant: str = "detail"
    detail: str | None = None
    members: Mapping[str, Json] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    field_pointer: str = ""

    @property
    def status(self) -> int:
        """The HTTP status of the response."""
        return PROBLEMS[self.kind]

    def words(self, lang: str) -> tuple[str, str]:
        """The title and the detail."""
        text = service_words(lang)["problems"][self.kind]
        return text["title"], self.detail or sentences.fill(lang, text[self.variant], self.values)


# --- from exceptions to problems ---------------------------------------------------------------------------------


@singledispatch
def problem_of(error: Exception, _lang: str) -> Problem:
    """The problem for an exception. An exception that needs more than its kind has its own function below."""
    return Problem(kind_of(error))


@problem_of.register
def _http(error: HTTPException, _lang: str) -> Problem:
    return Problem(kind_of(error), {"most": request.max_content_length or 0})


@problem_of.register
def _wrong_method(error: MethodNotAllowed, _lang: str) -> Problem:
    methods = ", ".join(sorted(error.valid_methods or ()))
    return Problem(kind_of(error), {"methods": methods}, headers={"Allow": methods})


@problem_of.register
def _idempotency_key(error: BadIdempotencyKey, _lang: str) -> Problem:
    return Problem(kind_of(error), variant="idempotency")


@problem_of.register
def _if_match(error: BadIfMatch, _lang: str) -> Problem:
    return Problem(kind_of(error), variant="if_match")


@problem_of.register
def _not_json(error: NotJson, _lang: str) -> Problem:
    if error.duplicate_member is not None:
        return Problem(kind_of(error), {"member": error.duplicate_member[:40]}, "twice")
    if error.place is not None:
        return Problem(kind_of(error), dict(zip(("line", "column"), error.place, strict=True)), "place")
    return Problem(kind_of(error))


@problem_of.register
def _invalid(error: Invalid, lang: str) -> Problem:
    found = [(pointer, sentences.field_error(lang, each), kind_of_field(each)) for pointer, each in error.field_errors]
    errors = [{"pointer": pointer, "detail": detail, "type": f"/problems/{kind}"} for pointer, detail, kind in found]
    pointers = ", ".join(pointer for pointer, _, _ in found)
    values: dict[str, Value] = {"pointer": pointers, "n": len(errors)}
    only = found[0] if len(found) == 1 else ("", None, "")
    return Problem(kind_of(error), values, detail=only[1], members={"errors": errors}, field_pointer=only[0])


@problem_of.register
def _malformed_problem(error: Malformed, lang: str) -> Problem:
    return problem_of(Invalid.of(error), lang)


@problem_of.register
def _refused_problem(error: Refused, lang: str) -> Problem:
    judgement = error.judgement
    game = judgement.game
    words = sentences.words_with_people(lang, game.id, error.setup)
    unproven = judgement.ruling is Ruling.UNPROVEN
    reasons = (
        words.finding_text(finding) for finding in judgement.verdict.findings if finding.ruling is judgement.ruling
    )
    return Problem(
        kind_of(error),
        {"notation": judgement.notation, "reason": next(reasons, "")},
        variant="unproven" if unproven and not error.stands else "detail",
        members=rulings.refusal_json(error, words) | {"position": game_form(game, game.position(error.state))},
    )


@problem_of.register
def _impossible_problem(error: Impossible, lang: str) -> Problem:
    found = rulings.findings(error.problems, sentences.words_with_people(lang, error.game.id, error.setup))
    return Problem(kind_of(error), {"n": len(found)}, members={"problems": found})


@problem_of.register
def _forbidden_problem(error: Forbidden, lang: str) -> Problem:
    variant = error.reason if error.reason in ("moves", "names", "over", "nobody") else "detail"
    table = error.table
    player = error.seat and sentences.words_with_people(lang, table.game.id, table.setup).player(error.seat)
    return Problem(kind_of(error), {"colour": player or ""}, variant)


@problem_of.register
def _no_key(error: Unauthorised, _lang: str) -> Problem:
    return Problem(kind_of(error), headers={"WWW-Authenticate": "Bearer"})


@problem_of.register
def _stale(error: Stale, lang: str) -> Problem:
    table = error.table
    words = sentences.words_with_people(lang, table.game.id, table.setup)
    listed = error.missing[:MAX_MISSING]
    more = len(listed) < len(error.missing)
    return Problem(
        kind_of(error),
        {"named": error.version, "version": table.version, "n": len(listed)},
        variant="more" if more else "detail" if 0 < error.version <= table.version else "unknown",
        members={
            "version": table.version,
            "missing": [entries.entry(table, entry, words) for entry in listed],
            "next": listed[-1].number if more else None,
        },
        headers={"ETag": etag(table.version)},
    )


@problem_of.register
def _unreachable(error: Unreachable, _lang: str) -> Problem:
    return Problem(kind_of(error), {"to": error.to})


@problem_of.register
def _already_disputed(error: AlreadyDisputed, _lang: str) -> Problem:
    return Problem(kind_of(error), {"dispute": error.dispute}, members={"dispute": error.dispute})


@problem_of.register
def _no_remedy(error: NoRemedy, _lang: str) -> Problem:
    return Problem(kind_of(error), {"remedies": ", ".join(error.remedies)})


@problem_of.register
def _full(error: Full, _lang: str) -> Problem:
    values: dict[str, Value] = {"most": MAX_ENTRIES, "megabytes": MAX_BYTES // 1_000_000, "notes": MAX_NOTES}
    values |= {"spare": MAX_ENTRIES // OF_THE_HOST, "views": MAX_VIEWS, "keys": MAX_KEYS}
    return Problem(kind_of(error), values, "detail" if error.reason == "table" else error.reason)


@problem_of.register
def _group_full(error: GroupFull, _lang: str) -> Problem:
    return Problem(kind_of(error), {"most": results.MAX_ENTRIES, "kilobytes": results.MAX_BYTES // 1_000})


@problem_of.register
def _too_many(error: RateLimited, _lang: str) -> Problem:
    variant, unit = next((each for each in WAITS if error.seconds > 2 * each[1]), ("detail", 1))
    n = math.ceil(error.seconds / unit)
    headers = {"Retry-After": str(error.seconds)}
    return Problem(kind_of(error), {"n": n}, variant, members={"limit": error.limit}, headers=headers)


@problem_of.register(BrokenLog)
@problem_of.register(Ending)
@problem_of.register(StoreAway)
@problem_of.register(Unreadable)
def _away(error: Exception, _lang: str) -> Problem:
    return Problem(kind_of(error), headers={"Retry-After": RETRY_AFTER})


@problem_of.register(Expired)
@problem_of.register(ViewEnded)
def _ended(error: Exception, _lang: str) -> Problem:
    """A cache before Bastide (nginx) stores this for a second; otherwise it would go on to serve the old page."""
    return Problem(kind_of(error), headers={"X-Accel-Expires": "1"})


@problem_of.register
def _store_full(error: StoreFull, _lang: str) -> Problem:
    return Problem(kind_of(error), headers={"Retry-After": str(FULL_FOR)})


# --- to the client -----------------------------------------------------------------------------------------------


def answer(error: Exception) -> Response:
    """The response to a failed request: problem+json, or a page if the client asked for a page."""
    allow_all()  # so that a refusal has its full text
    request.environ[REFUSAL] = error
    lang = language()
    problem = problem_of(error, lang)
    return (
        page(problem, lang)
        if wants_page(request.path, current_list_header("ACCEPT"))
        else as_json(problem, lang, request.path)
    )


def page(problem: Problem, lang: str) -> Response:
    """Render a problem as a page."""
    title, detail = problem.words(lang)
    text = render_template("docs/failure.html", lang=lang, title=title, detail=detail, slug=problem.kind)
    response = Response(text, problem.status, {"Content-Language": lang, "Vary": "Accept, Accept-Language"})
    response.headers.extend(problem.headers)
    return response


def problem_json(problem: Problem, lang: str, path: str) -> JsonObject:
    """Serialize a problem of a request to a path."""
    title, detail = problem.words(lang)
    body: JsonObject = {
        "type": f"/problems/{problem.kind}",
        "title": title,
        "status": problem.status,
        "detail": f"{problem.field_pointer}: {detail}" if problem.field_pointer else detail,
        "instance": path,
    }
    return body | dict(problem.members)


def as_json(problem: Problem, lang: str, path: str) -> Response:
    """Render a problem as problem+json, for a request to a path."""
    return reply(
        problem_json(problem, lang, path),
        problem.status,
        lang=lang,
        headers=problem.headers,
        media_type=PROBLEM_JSON,
        cache="no-store",
    )


def raw_response(problem: Problem) -> bytes:
    """Render a problem as a complete HTTP/1.1 response, for a request whose headers cannot be parsed."""
    title, detail = problem.words(DEFAULT_LANGUAGE)
    body = encode({"type": f"/problems/{problem.kind}", "title": title, "status": problem.status, "detail": detail})
    headers = (
        ("Content-Type", PROBLEM_JSON),
        ("Content-Language", DEFAULT_LANGUAGE),
        ("Content-Length", str(len(body))),
        ("Cache-Control", "no-store"),
        ("Connection", "close"),
        *problem.headers.items(),
        *SECURITY_HEADERS,
    )
    head = [f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}", *(f"{k}: {v}" for k, v in headers)]
    return "\r\n".join((*head, "", "")).encode() + body


def wants_page(path: str, accept: str) -> bool:
    """Whether a browser asks for a page, and not for a resource of the API."""
    return (
        not path.startswith("/api/")
        and bool(accept.strip().replace("*/*", ""))
        and parse_accept_header(accept, MIMEAccept).accept_html
    )


def init_app(app: Flask) -> None:
    """Install the responses to problems in an application."""
    for kind in (*HANDLED_ERRORS, HTTPException):
        app.register_error_handler(kind, answer)
