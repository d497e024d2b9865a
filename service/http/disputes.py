"""The views of disputes: raise, read, confirm and settle them."""

from __future__ import annotations

from flask import Response

from service import schemas
from service.http.api import (
    PREFIX,
    api,
    change_reply,
    next_page,
    words_of,
    write_outcome_reply,
)
from service.http.current import referee
from service.http.request import (
    bearer,
    body,
    change_request,
    query,
)
from service.http.responses import etag, language, reply
from service.http.serializers import disputes
from service.referee import remedies
from service.referee.dispute import DisputeSubject, SettlementRequest


@api.post("/tables/<table_id>/disputes")
def raise_dispute(table_id: str) -> Response:
    """Dispute a move."""
    use, key = referee(), bearer()
    table, _ = use.authorise_player(table_id, key)
    entry, move, question = schemas.dispute_of_body(schemas.load(schemas.of(table.game).dispute_body, body()))
    about = DisputeSubject(entry, move)
    outcome = use.raise_dispute(change_request(table_id), about, question)
    number = outcome.table.dispute_of(outcome.entries[0].number)
    view = remedies.view_dispute(outcome.table, number)
    answer = disputes.dispute(view, words_of(outcome.table, language()))
    where = [("Location", f"{PREFIX}/tables/{table_id}/disputes/{number}")]
    return change_reply(outcome, answer, where)


@api.get("/tables/<table_id>/disputes")
def list_disputes(table_id: str) -> Response:
    """A page of the disputes of a table."""
    options = query(schemas.DISPUTES_QUERY)
    lang = language()
    page = referee().disputes(table_id, bearer(), options["after"], options["limit"])
    headers = {"ETag": etag(page.table.version)} | next_page(page.next)
    return reply(disputes.dispute_list(page), lang=lang, headers=headers)


@api.get("/tables/<table_id>/disputes/<int:number>")
def read_dispute(table_id: str, number: int) -> Response:
    """A dispute."""
    query()
    lang = language()
    view = referee().dispute(table_id, bearer(), number)
    answer = disputes.dispute(view, words_of(view.table, lang))
    return reply(answer, lang=lang, headers={"ETag": etag(view.table.version)})


@api.post("/tables/<table_id>/disputes/<int:number>/confirmation")
def confirm_remedy(table_id: str, number: int) -> Response:
    """Confirm a remedy for a dispute, as one of the seats."""
    use, key = referee(), bearer()
    use.authorise_player(table_id, key)
    remedy = schemas.load(schemas.CONFIRMATION_BODY, body())["remedy"]
    outcome = use.confirm(change_request(table_id), number, remedy)
    return write_outcome_reply(outcome)


@api.post("/tables/<table_id>/disputes/<int:number>/settlement")
def settle_dispute(table_id: str, number: int) -> Response:
    """Settle a dispute, as the host."""
    use, key = referee(), bearer()
    table, _ = use.authorise_player(table_id, key)
    how = SettlementRequest(*schemas.settlement_of_body(schemas.load(schemas.of(table.game).settlement_body, body())))
    outcome = use.settle(change_request(table_id), number, how)
    return write_outcome_reply(outcome)
