"""Parses a request of the API strictly: body, query, key and preconditions."""

from __future__ import annotations

import re
from contextlib import nullcontext
from io import BytesIO
from typing import Final

from flask import request
from werkzeug.exceptions import (
    ClientDisconnected,
    PreconditionRequired,
    RequestEntityTooLarge,
    UnsupportedMediaType,
)

from rules.steps import beside, spend
from service import schemas
from service.errors import BadIdempotencyKey, BadIfMatch, ShortIdempotencyKey
from service.http.header_limits import current_list_header
from service.referee.repository import ChangeRequest
from service.runtime.budget import BYTES, IMPORT_STEPS
from service.schemas import parse
from service.tables.keys import ID_LENGTH
from service.types import Json

SMALL: Final = 16 * 1024
"""Bytes of a usual body."""
BULK: Final = 256 * 1024
"""Bytes of a body that may hold a whole game's moves."""
EXPORT: Final = 1_000_000
"""Bytes of a body that may hold a whole table's log."""
VERSION: Final = re.compile(r'(?:W/)?"([0-9]{1,9})"')
VERSION_TAG: Final = re.compile(r'(?:W/)?"?([0-9]{1,9})"?')
"""A version that the client has. Quotes are optional; otherwise a client that omits them would never get a 304."""
TAG: Final = r'(?:W/)?"[!#-~\x80-\xff]*"'
TAGS: Final = re.compile(rf"{TAG}(?:[ \t]*,[ \t]*{TAG})*")
"""Entity tags (RFC 9110, 8.8.3). Weak ones are accepted, too: a proxy that compresses makes a tag weak."""
IDEMPOTENCY_KEY: Final = re.compile(r"[!-~]{1,255}")
JSON: Final = "application/json"


def body(most: int = SMALL) -> Json:
    """Parse the JSON body. Its length is known, so this reads it at once and not through a limiting stream.

    The caller has checked the limits and the key, so a request that is refused by its headers takes no memory. Raises
    `ClientDisconnected` and `RequestTimeout` if the body does not arrive.
    """
    environ = request.environ
    if environ.get("CONTENT_TYPE") != JSON and request.mimetype != JSON:
        raise UnsupportedMediaType
    length = int(environ["CONTENT_LENGTH"])
    if length > most:
        request.max_content_length = most
        raise RequestEntityTooLarge
    with beside(IMPORT_STEPS) if length > BULK else nullcontext():
        spend(length // BYTES)
        sent = environ["wsgi.input"].read(length)
        if len(sent) < length:
            raise ClientDisconnected
        environ["wsgi.input"] = BytesIO(sent)  # the report of a fault has its hash
        return parse(sent)


def opening_body() -> Json:
    """Parse the body of a new table: only an export may exceed `BULK`."""
    sent, length = body(EXPORT), request.content_length or 0
    if length > BULK and not schemas.is_export(sent):
        request.max_content_length = BULK
        raise RequestEntityTooLarge
    return sent


def bearer() -> str | None:
    """The key in the header `Authorization`, if any."""
    scheme, _, key = request.environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    return key.strip() or None if scheme.lower() == "bearer" else None


def if_match() -> int:
    """The version in the header `If-Match`; 0, which no table has, if it is no version. Raises `BadIfMatch`."""
    tag = precondition()
    if not tag or tag == "*":
        raise PreconditionRequired
    match = VERSION.fullmatch(tag)
    return int(match[1]) if match else 0


def precondition() -> str:
    """The entity tags in the header `If-Match`: ``*`` for any, empty without the header. Raises `BadIfMatch`."""
    tag: str = request.environ.get("HTTP_IF_MATCH", "").strip()
    if tag not in ("", "*") and not TAGS.fullmatch(tag):
        raise BadIfMatch(tag)
    return tag


def known_versions() -> set[int]:
    """The versions that the client has in its cache."""
    tags = current_list_header("IF_NONE_MATCH").split(",")
    return {int(match[1]) for tag in tags if (match := VERSION_TAG.fullmatch(tag.strip()))}


def idempotency_key() -> str | None:
    """The idempotency key of the request, if it has one."""
    key: str | None = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and not IDEMPOTENCY_KEY.fullmatch(key):
        raise BadIdempotencyKey(key)
    return key


def opening_key() -> str | None:
    """The idempotency key from which a new table's keys are derived, so it must be as hard to guess.

    Raises `ShortIdempotencyKey`.
    """
    key = idempotency_key()
    if key is not None and len(key) < ID_LENGTH:
        raise ShortIdempotencyKey
    return key


def change_request(table_id: str, *, is_versioned: bool = True) -> ChangeRequest:
    """The requested change to a table: its keys, and the version to change, if any. Raises as their readers do."""
    return ChangeRequest(table_id, bearer(), if_match() if is_versioned else 0, idempotency_key())


def query(schema: schemas.Body = schemas.EMPTY_QUERY) -> schemas.Members:
    """Parse the query string, and refuse unknown parameters."""
    if not request.environ.get("QUERY_STRING"):  # as in most requests; a POST has none
        return schemas.defaults(schema)
    members: schemas.Members = schemas.load(schema, request.args.to_dict())
    return members
