"""The views of tables. Each parses the request by `service.schemas`, calls one use case, and returns its result."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from service import schemas
from service.http.api import (
    PREFIX,
    api,
    change_reply,
    words_of,
    write_outcome_reply,
)
from service.http.current import referee
from service.http.proxies import own_url
from service.http.request import (
    BULK,
    bearer,
    body,
    change_request,
    known_versions,
    query,
)
from service.http.responses import etag, language, reply
from service.http.serializers import amendments, rulings, tables
from service.rulings import judge


@api.post("/tables")
def open_table() -> Response:
    """Open a table."""
    spoken, sent = language(), body(BULK)
    game = schemas.game_of_body(sent)
    asked = schemas.load(schemas.of(game).opening, sent)
    opened = referee().open(game.id, asked["setup"], asked["moves"], die=schemas.is_begun_by_die(asked))
    table = opened.table
    page = f"{own_url()}/t/{table.id}"
    headers = {"Location": f"{PREFIX}/tables/{table.id}", "ETag": etag(table.version)}
    scored = judge.sheet(game, table.state)
    made = tables.new_table(opened, scored, words_of(table, spoken), page)
    return reply(made, 201, spoken=spoken, headers=headers, cache="no-store")


@api.get("/tables/<table_id>")
def read_table(table_id: str) -> Response:
    """A table now, or as soon as it has something new."""
    spoken, key, known = language(), bearer(), known_versions()
    seconds = query(schemas.WAIT_QUERY)["wait"]
    if seconds and known:
        table, role = referee().wait(table_id, key, max(known), seconds, request.remote_addr or "")
    else:
        table, role = referee().table(table_id, key)
    headers = {"ETag": etag(table.version)}
    if table.version in known:
        response = reply(None, 304, spoken=spoken, headers=headers)
        response.set_data(b"")
        return response
    scored = judge.sheet(table.game, table.state)
    return reply(tables.table(table, role, scored, words_of(table, spoken)), spoken=spoken, headers=headers)


@api.delete("/tables/<table_id>")
def delete_table(table_id: str) -> Response:
    """Delete a table."""
    referee().delete(table_id, bearer())
    return Response(status=204)


@api.get("/tables/<table_id>/log")
def read_log(table_id: str) -> Response:
    """A page of the log."""
    spoken, asked = language(), query(schemas.PAGE_QUERY)
    page = referee().log(table_id, bearer(), asked["after"], asked["limit"])
    return reply(
        tables.log(page, words_of(page.table, spoken)), spoken=spoken, headers={"ETag": etag(page.table.version)}
    )


@api.post("/tables/<table_id>/rulings")
def rule_at_table(table_id: str) -> Response:
    """Rule on a move at a table, as it is or was; nothing is entered."""
    spoken, use, key = language(), referee(), bearer()
    table, _ = use.known(table_id, key)
    said = schemas.load(schemas.of(table.game).asking, body())
    asked = use.asked(table_id, key, said["move"], said["version"])
    judgement = asked.judgement
    heard = judge.rules_without_objection(asked.state, judgement.move, judgement.verdict) if said["explain"] else None
    told = rulings.ruling(judgement, words_of(asked.table, spoken), heard)
    return reply(told, spoken=spoken, headers={"ETag": etag(asked.table.version)}, cache="no-store")


@api.post("/tables/<table_id>/moves")
def play(table_id: str) -> Response:
    """Play one or several moves."""
    use, key = referee(), bearer()
    table, _ = use.player(table_id, key)
    moves = schemas.moves_of_body(schemas.load(schemas.of(table.game).playing, body()))
    return write_outcome_reply(use.play(change_request(table_id), moves))


@api.post("/tables/<table_id>/rewind")
def rewind(table_id: str) -> Response:
    """Undo or redo."""
    use, key = referee(), bearer()
    use.player(table_id, key)
    to = schemas.load(schemas.REWIND_BODY, body())["to"]
    return write_outcome_reply(use.rewind(change_request(table_id), to))


@api.get("/tables/<table_id>/readings")
def read_readings(table_id: str) -> Response:
    """How the rules are read at a table."""
    query()
    spoken = language()
    table, _ = referee().table(table_id, bearer())
    said = tables.readings(table, judge.sheet(table.game, table.state), words_of(table, spoken))
    return reply(said, spoken=spoken, headers={"ETag": etag(table.version)})


@api.put("/tables/<table_id>/readings")
def set_readings(table_id: str) -> Response:
    """Read the rules otherwise from here on, as the host."""
    use, key = referee(), bearer()
    table, _ = use.player(table_id, key)
    readings = schemas.load(schemas.of(table.game).reading, body())["readings"]
    done = use.read_otherwise(change_request(table_id), readings)
    return write_outcome_reply(done, 200)


@api.post("/tables/<table_id>/amend")
def amend(table_id: str) -> Response:
    """Amend the log, or see what that would do."""
    use, key = referee(), bearer()
    table, _ = use.player(table_id, key)
    asked = schemas.load(schemas.of(table.game).amending, body())
    amendment = schemas.change_of_body(table.game, asked)
    if asked["dry_run"]:
        seen = use.preview(change_request(table_id), amendment)
        told = amendments.preview(seen, words_of(seen.table, language()))
        return reply(told, spoken=language(), headers={"ETag": etag(seen.number - 1)}, cache="no-store")
    done = use.amend(change_request(table_id), amendment)
    return change_reply(done, amendments.amendment_outcome_json(done, words_of(done.table, language())))


@api.put("/tables/<table_id>/position")
def enter_position(table_id: str) -> Response:
    """Go on from what lies on the table now, as the host; or only compare it with what the log gives."""
    use, key = referee(), bearer()
    table, _ = use.player(table_id, key)
    given: Any = body()
    asked = schemas.load(schemas.of(table.game).checkpoint, given)
    position, names = asked["position"], given["position"].keys()
    if asked["dry_run"]:
        found = use.compared(table_id, key, position, names=names)
        said = tables.checkpoint(found, words_of(found.table, language()))
        return reply(said, spoken=language(), headers={"ETag": etag(found.table.version)}, cache="no-store")
    done = use.checkpoint(change_request(table_id), position, names)
    return change_reply(done, tables.entered_position_json(done, words_of(done.table, language())), status=200)


@api.post("/tables/<table_id>/rolls")
def roll(table_id: str) -> Response:
    """Roll dice, of which the log says what they showed."""
    use, key = referee(), bearer()
    table, _ = use.player(table_id, key)
    asked = schemas.roll_of_body(schemas.load(schemas.of(table.game).rolling, body()))
    return write_outcome_reply(use.roll(change_request(table_id), asked))


@api.get("/tables/<table_id>/score")
def read_score(table_id: str) -> Response:
    """The score sheet of a table."""
    query()
    spoken = language()
    table, _ = referee().table(table_id, bearer())
    return reply(rulings.sheet(judge.sheet(table.game, table.state), words_of(table, spoken)), spoken=spoken)


@api.get("/tables/<table_id>/legal-moves")
def read_legal_moves(table_id: str) -> Response:
    """The legal moves at a table."""
    spoken = language()
    table, _ = referee().table(table_id, bearer())
    asked = schemas.filters(table.game, request.args.to_dict())
    found = judge.legal_moves(table.game, table.state, **schemas.listing_options(asked))
    return reply(
        rulings.legal_moves(found, words_of(table, spoken)), spoken=spoken, headers={"ETag": etag(table.version)}
    )
