"""The views of a table's keys: its host lists, makes, renews and revokes them."""

from __future__ import annotations

from flask import Response

from service.http.api import api
from service.http.current import referee
from service.http.request import bearer, query
from service.http.responses import etag, language, reply
from service.http.serializers import keys


@api.get("/tables/<table_id>/keys")
def list_keys(table_id: str) -> Response:
    """The keys of a table by their roles, without what opens it."""
    query()
    key = bearer()
    table = referee().authorise_host(table_id, key)
    answer = keys.key_list(table, key or "")
    return reply(answer, lang=language(), headers={"ETag": etag(table.version)}, cache="no-store")
