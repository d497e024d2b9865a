"""The endpoints of a table's public views: its host makes and revokes them, and anyone with a view's id reads it.

The id is in the path. So the responses below ``/views/`` are the same for everybody, and caches may store them.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from flask import Response, request, url_for

from service import schemas
from service.http.api import PREFIX, api, outcome_headers, words_of
from service.http.current import referee
from service.http.events import AT_ONCE, asked_number, stream_response
from service.http.proxies import own_url
from service.http.request import bearer, body, change_request, query
from service.http.responses import etag, language, reply
from service.http.serializers import public_views, rulings
from service.referee.access import ViewRequest
from service.referee.table_reader import LogPage
from service.rulings import judge
from service.tables.public_views import id_of
from service.types import Json, JsonObject

FOR_A_SECOND: Final = "public, max-age=1"
PAGE: Final = "public.board"
"""The endpoint of the page of a view."""


@api.get("/tables/<table_id>/views")
def list_views(table_id: str) -> Response:
    """The public views of a table, for its host; with the ids of those that this key has made."""
    query()
    key = bearer()
    table = referee().authorise_host(table_id, key)
    views: list[Json] = [public_views.line(table, view, key or "") for view in table.views]
    answer: JsonObject = {"views": views, "version": table.version}
    return reply(answer, lang=language(), headers={"ETag": etag(table.version)}, cache="no-store")


@api.post("/tables/<table_id>/views")
def make_view(table_id: str) -> Response:
    """Make a public view."""
    key = bearer()
    referee().authorise_player(table_id, key)
    asked = ViewRequest(**schemas.load(schemas.VIEW_BODY, body()))
    outcome = referee().make_view(change_request(table_id, is_versioned=False), asked)
    made = next(view for view in outcome.table.views if view.entry.number == outcome.version)
    answer = public_views.line(outcome.table, made, key or "")
    view_id = id_of(table_id, made.secret(table_id, key or "") or "")
    lang = language()
    headers = {"Location": f"{PREFIX}/views/{view_id}"} | outcome_headers(outcome)
    page = f"{own_url()}{url_for(PAGE, view=view_id)}?{urlencode({'lang': lang})}"
    return reply(answer | {"link": page}, 201, lang=lang, headers=headers, cache="no-store")


@api.delete("/tables/<table_id>/views/<int:number>")
def revoke_view(table_id: str, number: int) -> Response:
    """Revoke a public view."""
    referee().revoke_view(change_request(table_id, is_versioned=False), number)
    return Response(status=204)


@api.get("/views/<view_id>")
def read_view(view_id: str) -> Response:
    """The table as a public view shows it."""
    lang = query(schemas.VIEW_QUERY)["lang"]
    table, view = referee().view(view_id)
    return _reply(public_views.view(table, view, words_of(table, lang)), lang, table.version)


@api.get("/views/<view_id>/score.json")
def read_view_score(view_id: str) -> Response:
    """The score sheet of a public view."""
    lang = query(schemas.VIEW_QUERY)["lang"]
    table, _ = referee().view(view_id)
    return _reply(rulings.sheet(judge.sheet(table.game, table.state), words_of(table, lang)), lang, table.version)


@api.get("/views/<view_id>/score.txt")
def read_view_score_text(view_id: str) -> Response:
    """The score of a public view as text."""
    lang = query(schemas.VIEW_QUERY)["lang"]
    table, _ = referee().view(view_id)
    headers = {"Content-Language": lang, "Cache-Control": FOR_A_SECOND, "ETag": etag(table.version)}
    text = public_views.score_text(table, words_of(table, lang))
    answer = Response(text, headers=headers, content_type="text/plain; charset=utf-8")
    answer.make_conditional(request)
    return answer


@api.get("/views/<view_id>/events")
def read_view_events(view_id: str) -> Response:
    """Stream the entries that a public view shows."""
    options, use = query(schemas.VIEW_EVENTS_QUERY), referee()

    def read(after: int) -> LogPage:
        return use.new_entries_of_view(view_id, after, AT_ONCE)

    followed = use.follow_view(view_id, request.remote_addr or "")
    response = stream_response(followed, read, asked_number(options["after"]), options["lang"])
    response.headers["Vary"] = "Accept"
    return response


def _reply(value: Json, lang: str, version: int) -> Response:
    """The response, or 304 if the client has it already."""
    headers = {"ETag": etag(version)}
    answer = reply(value, lang=lang, headers=headers, cache=FOR_A_SECOND, vary="Accept-Encoding")
    answer.make_conditional(request)
    return answer
