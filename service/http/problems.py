"""Maps each exception to its problem and its status: one table for the API, the pages and the command.

`service.errors` defines the exceptions, and `service.http.problem_responses` renders a problem.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from werkzeug.exceptions import (
    HTTPException,
    LengthRequired,
    MethodNotAllowed,
    NotAcceptable,
    NotFound,
    PreconditionRequired,
    RequestEntityTooLarge,
    RequestHeaderFieldsTooLarge,
    RequestTimeout,
    SecurityError,
    TooManyRequests,
    UnsupportedMediaType,
)

from rules.forms import Malformed
from rules.steps import TooMuch
from service.errors import (
    AlreadyDisputed,
    AlreadySettled,
    BadIdempotencyKey,
    BadIfMatch,
    CodeEnded,
    Ending,
    Expired,
    Forbidden,
    Full,
    GroupFull,
    Impossible,
    Invalid,
    KeepsTooMuch,
    KeyEnded,
    KeyRenewed,
    KeyReused,
    NoCase,
    NoCode,
    NoDispute,
    NoGame,
    NoGroup,
    NoRemedy,
    NoRule,
    NoSuchKey,
    NoTable,
    NotJson,
    NoView,
    OwnKey,
    RateLimited,
    Refused,
    ShortIdempotencyKey,
    Stale,
    StoreAway,
    StoreFull,
    Unauthorised,
    Unreachable,
    ViewEnded,
)
from service.tables.entries import BrokenLog, Unreadable
from service.validation import FieldError

PROBLEMS: Final[Mapping[str, int]] = {
    "bad-request": 400,
    "bad-header": 400,
    "foreign-host": 400,
    "not-json": 400,
    "no-key": 401,
    "only-watching": 403,
    "other-seat": 403,
    "host-only": 403,
    "seats-only": 403,
    "not-found": 404,
    "no-game": 404,
    "no-rule": 404,
    "no-case": 404,
    "no-table": 404,
    "no-view": 404,
    "no-such-key": 404,
    "no-code": 404,
    "no-group": 404,
    "no-dispute": 404,
    "method-not-allowed": 405,
    "not-acceptable": 406,
    "too-slow": 408,
    "cannot-rewind": 409,
    "already-disputed": 409,
    "already-settled": 409,
    "no-remedy": 409,
    "table-full": 409,
    "own-key": 409,
    "key-renewed": 409,
    "group-full": 409,
    "expired": 410,
    "view-revoked": 410,
    "key-ended": 410,
    "code-ended": 410,
    "length-required": 411,
    "stale": 412,
    "too-large": 413,
    "uri-too-long": 414,
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
    "too-much-work": 422,
    "key-reused": 422,
    "key-short": 422,
    "version-required": 428,
    "too-many-requests": 429,
    "too-much-kept": 429,
    "headers-too-large": 431,
    "internal": 500,
    "store-away": 503,
    "store-full": 503,
    "ending": 503,
    "newer-log": 503,
    "unreadable-log": 503,
}
"""Every kind of problem, and its HTTP status. A published address is never removed."""

FIELD_ERRORS: Final[Mapping[str, str]] = {
    "unknown_field": "unknown-field",
    "missing": "missing-field",
    "cell": "unknown-cell",
    "notation": "unreadable-notation",
    "no_text": "unreadable-notation",
    "long_notation": "unreadable-notation",
    "unknown_kind": "unreadable-notation",
    "foreign_kind": "foreign-move",
    "not_listed": "wrong-value",
    "unknown_here": "wrong-value",
    "unknown_cells": "wrong-value",
    "no_filling": "wrong-value",
    "unknown_reading": "unknown-reading",
    "unknown_reading_value": "unknown-reading",
    "unknown_game": "unknown-game",
    "not_one_of": "wrong-value",
    "not_disputable": "wrong-value",
    "not_in_play": "wrong-value",
    "not_exported_so": "wrong-value",
}
"""Code of a field error -> problem. Of other codes, ``not_…`` means ``wrong-type``, the rest ``wrong-value``."""


def kind_of_field(error: FieldError) -> str:
    """The kind of problem for a field error."""
    kind = FIELD_ERRORS.get(error.code)
    return kind or ("wrong-type" if error.code.startswith("not_") else "wrong-value")


def _kind_of_invalid(error: Invalid) -> str:
    """The kind of problem that all field errors share, or else ``invalid``."""
    kinds = {kind_of_field(each) for _, each in error.field_errors}
    return kinds.pop() if len(kinds) == 1 else "invalid"


def _kind_of_malformed(error: Malformed) -> str:
    return _kind_of_invalid(Invalid.of(error))


def _kind_of_refused(error: Refused) -> str:
    return "cannot-stand" if error.stands else "move-refused"


def _kind_of_forbidden(error: Forbidden) -> str:
    return {"watch": "only-watching", "host": "host-only", "seats": "seats-only"}.get(error.reason, "other-seat")


def _http(error: HTTPException) -> str:
    return "internal" if (error.code or 500) >= 500 else "bad-request"


KINDS: Final[Mapping[type[Exception], str | Callable[..., str]]] = {
    # the request
    SecurityError: "foreign-host",
    NotFound: "not-found",
    MethodNotAllowed: "method-not-allowed",
    NotAcceptable: "not-acceptable",
    RequestTimeout: "too-slow",
    LengthRequired: "length-required",
    RequestEntityTooLarge: "too-large",
    UnsupportedMediaType: "wrong-media-type",
    RequestHeaderFieldsTooLarge: "headers-too-large",
    PreconditionRequired: "version-required",
    TooManyRequests: "too-many-requests",
    HTTPException: _http,
    BadIdempotencyKey: "bad-header",
    ShortIdempotencyKey: "key-short",
    BadIfMatch: "bad-header",
    NotJson: "not-json",
    Invalid: _kind_of_invalid,
    Malformed: _kind_of_malformed,
    RateLimited: "too-many-requests",
    KeepsTooMuch: "too-much-kept",
    TooMuch: "too-much-work",
    # the rules
    NoGame: "no-game",
    NoRule: "no-rule",
    NoCase: "no-case",
    Refused: _kind_of_refused,
    Impossible: "impossible-position",
    # a table
    NoTable: "no-table",
    Expired: "expired",
    Unauthorised: "no-key",
    KeyEnded: "key-ended",
    NoCode: "no-code",
    CodeEnded: "code-ended",
    Forbidden: _kind_of_forbidden,
    Stale: "stale",
    Unreachable: "cannot-rewind",
    NoDispute: "no-dispute",
    NoView: "no-view",
    NoSuchKey: "no-such-key",
    OwnKey: "own-key",
    KeyRenewed: "key-renewed",
    ViewEnded: "view-revoked",
    AlreadyDisputed: "already-disputed",
    AlreadySettled: "already-settled",
    NoRemedy: "no-remedy",
    Full: "table-full",
    KeyReused: "key-reused",
    # a group
    NoGroup: "no-group",
    GroupFull: "group-full",
    # the store
    StoreAway: "store-away",
    StoreFull: "store-full",
    Ending: "ending",
    Unreadable: "newer-log",
    BrokenLog: "unreadable-log",
}
"""Exception -> its kind of problem, or a function that returns it. Of two that fit, the nearer class counts."""
HANDLED_ERRORS: Final = tuple(known for known in KINDS if not issubclass(known, HTTPException))
"""Every exception of our own that has a problem."""


def kind_of(error: Exception) -> str:
    """The kind of problem for an exception: a key of `PROBLEMS`; ``internal`` if no client caused it."""
    kind = next((KINDS[each] for each in type(error).__mro__ if each in KINDS), "internal")
    return kind if isinstance(kind, str) else kind(error)


def status_of(error: Exception) -> int:
    """The HTTP status for an exception."""
    return PROBLEMS[kind_of(error)]
