"""The views of a table's keys: its host lists, makes, renews and revokes them."""

from __future__ import annotations

from flask import Response

from service import schemas
from service.http.api import api, outcome_headers
from service.http.current import find_by_code, referee
from service.http.proxies import own_url
from service.http.request import bearer, body, change_request, opening_key, query
from service.http.responses import etag, language, reply
from service.http.serializers import keys
from service.referee.access import KeyRequest, NewKey
from service.schemas.keys import CODE_BODY, JOIN_BODY, KEY_BODY, RENEWAL_BODY


@api.get("/tables/<table_id>/keys")
def list_keys(table_id: str) -> Response:
    """The keys of a table by role, without their secrets."""
    query()
    key = bearer()
    table = referee().authorise_host(table_id, key)
    answer = keys.key_list(table, key or "")
    return reply(answer, lang=language(), headers={"ETag": etag(table.version)}, cache="no-store")


@api.post("/tables/<table_id>/keys")
def make_key(table_id: str) -> Response:
    """Make a further key for a role, with an expiry or without."""
    opening_key()
    referee().authorise_player(table_id, bearer())
    asked = KeyRequest(**schemas.load(KEY_BODY, body()))
    return _new_key(referee().make_key(change_request(table_id, is_versioned=False), asked))


@api.post("/tables/<table_id>/keys/<role>/renewal")
def renew_key(table_id: str, role: str) -> Response:
    """Replace the keys of a role with a new one."""
    opening_key()
    referee().authorise_player(table_id, bearer())
    asked = KeyRequest(role, **schemas.load(RENEWAL_BODY, body()))
    return _new_key(referee().renew_key(change_request(table_id, is_versioned=False), asked))


@api.delete("/tables/<table_id>/keys/<key>")
def revoke_key(table_id: str, key: str) -> Response:
    """Revoke a key, or all keys of a role."""
    referee().revoke_key(change_request(table_id, is_versioned=False), key)
    return Response(status=204)


@api.post("/tables/<table_id>/join-codes")
def make_join_code(table_id: str) -> Response:
    """Make a join code, which can be exchanged for a key."""
    key = bearer()
    referee().authorise_player(table_id, key)
    role = schemas.load(CODE_BODY, body())["role"]
    made = referee().make_code(table_id, key, role)
    return reply(keys.join_code(made, role), 201, lang=language(), cache="no-store")


@api.post("/join")
def join() -> Response:
    """Exchange a code for a key."""
    key = opening_key()
    code = schemas.load(JOIN_BODY, body())["code"]
    return _new_key(find_by_code(lambda: referee().join(code, key)))


def _new_key(made: NewKey) -> Response:
    """The response with a new key, which is shown once."""
    outcome, lang = made.outcome, language()
    link = f"{own_url()}/t/{outcome.table.id}#{made.secret}"
    answer = keys.line(made.key, None) | {"table": outcome.table.id, "secret": made.secret, "link": link}
    return reply(answer, 201, lang=lang, headers=outcome_headers(outcome), cache="no-store")
