"""The blueprint of the API: the checks of every request, and the responses that its views share.

`openapi.yaml` is the contract; a test holds that the routes are its paths. A view has the name of its operation, and
stands in the module of its resource: `games`, `tables`, `disputes`, `groups`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlencode

from flask import Blueprint, Response, request

from service.errors import NoGroup, NoTable, NoView, RateLimited, StoreAway
from service.http import problem_responses
from service.http.current import admit, admit_wrong_key
from service.http.request import (
    JSON,
    bearer,
    idempotency_key,
    precondition,
    query,
)
from service.http.responses import etag, language, reply
from service.http.serializers import tables
from service.i18n.sentences import Words, words_with_people
from service.limits.endpoints import ENDPOINTS
from service.referee.repository import WriteOutcome
from service.schemas.parsing import encode
from service.tables.entries import AnyEntry
from service.tables.players import setup_at
from service.tables.table import Table
from service.types import Json

PREFIX: Final = "/api/v1"
WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH"})
REPLAY_HEADER: Final = "Idempotent-Replayed"
READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
api: Final = Blueprint("api", __name__, url_prefix=PREFIX)


@api.before_request
def check_head() -> None:
    """Refuse a request to change something if a header is malformed, before the view reads its body."""
    if request.method in WITH_BODY:
        precondition()
        idempotency_key()


@api.before_request
def count_request() -> None:
    """Count a request against the limits of its endpoint. The view then checks the key and reads the body."""
    admit(ENDPOINTS[request.endpoint or ""], bearer())


@api.before_request
def no_query_beside_a_body() -> None:
    """Refuse a query string on a request that has a body: no such endpoint has parameters."""
    if request.method not in READS:
        query()


@api.errorhandler(NoGroup)
@api.errorhandler(NoTable)
@api.errorhandler(NoView)
def answer_not_found(error: NoGroup | NoTable | NoView) -> Response:
    """Answer that the table, group or view does not exist; tell an address that tries many keys to wait (429)."""
    try:
        admit_wrong_key()
    except (RateLimited, StoreAway) as refusal:
        return problem_responses.answer(refusal)
    return problem_responses.answer(error)


# --- the answer --------------------------------------------------------------------------------------------------


def words_of(table: Table, lang: str) -> Words:
    """The words of a table, with its players' names."""
    return words_with_people(lang, table.game.id, table.setup)


def outcome_words(outcome: WriteOutcome) -> Words:
    """The words of a response to a write, with the names at that version: a repeated request gets the same text."""
    table = outcome.table
    return words_with_people(language(), table.game.id, setup_at(table, outcome.version))


def next_page(after: Json) -> dict[str, str]:
    """The header `Link` (RFC 8288) to the next page; empty on the last page."""
    if after is None:
        return {}
    options = urlencode({**request.args.to_dict(), "after": after})
    return {"Link": f'<{request.path}?{options}>; rel="next"'}


def public_reply(value: Json, lang: str) -> Response:
    """A cacheable response (`cached_reply`) to a request without a query string."""
    query()
    return cached_reply(value, lang)


def cached_reply(value: Json, lang: str, headers: Mapping[str, str] | None = None) -> Response:
    """A response that depends only on the request, and may be cached for five minutes."""
    return reply(value, lang=lang, headers=headers, cache="public, max-age=300", vary="Accept-Language")


def uncached_reply(value: Json, lang: str, vary: str = "Accept-Language") -> Response:
    """A response that depends only on the request. No cache stores it."""
    return reply(value, lang=lang, cache="no-store", vary=vary)


def write_outcome_reply(
    outcome: WriteOutcome, status: int = 201, entries: Sequence[AnyEntry] | None = None
) -> Response:
    """The response to a write: the entries that it stored, all of them or some."""
    answer = tables.write_outcome_json(outcome, outcome_words(outcome), entries)
    return change_reply(outcome, answer, status=status)


def outcome_headers(outcome: WriteOutcome) -> dict[str, str]:
    """The headers of a response to a write: the version, and whether an earlier request wrote it."""
    return {"ETag": etag(outcome.version)} | ({REPLAY_HEADER: "true"} if outcome.is_replay else {})


def change_reply(
    outcome: WriteOutcome, answer: Json, headers: Sequence[tuple[str, str]] = (), status: int = 201
) -> Response:
    """The response to a change. Caches store no response to a POST or PUT, so it has no cache header."""
    all_headers = [("Content-Language", language()), *outcome_headers(outcome).items(), *headers]
    return Response(encode(answer), status, all_headers, content_type=JSON)
