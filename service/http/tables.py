"""The views of tables. Each parses the request by `service.schemas`, calls one use case, and returns its result."""

from __future__ import annotations

from typing import Any, Final

from flask import Response, request

from rules.steps import beside
from service import schemas
from service.errors import Invalid
from service.http.api import (
    PREFIX,
    REPLAY_HEADER,
    api,
    change_reply,
    next_page,
    outcome_words,
    words_of,
    write_outcome_reply,
)
from service.http.current import documents, referee
from service.http.proxies import own_url
from service.http.request import (
    BULK,
    JSON,
    bearer,
    body,
    change_request,
    known_versions,
    opening_body,
    opening_key,
    query,
)
from service.http.responses import accepted_media, etag, language, reply
from service.http.serializers import amendments, rulings, tables
from service.rulings import judge
from service.tables.export import export
from service.validation import FieldError

MEDIA_TYPES: Final = {
    "json": JSON,
    "text": "text/plain; charset=utf-8",
    "csv": "text/csv; charset=utf-8; header=present",
    "svg": "image/svg+xml",
    "png": "image/png",
}
"""Format of an export -> its media type."""
DEFAULT_PARTS: Final = {"text": "log", "csv": "sheet", "svg": "board", "png": "board"}
"""Format -> the part of a table that it shows by default."""


@api.post("/tables")
def open_table() -> Response:
    """Open a table, or import one from an export."""
    lang, sent, key = language(), opening_body(), opening_key()
    if schemas.is_export(sent):
        game, entries = schemas.export_of_body(sent)
        opening = referee().import_table(game.id, entries, idempotency_key=key)
    else:
        game = schemas.game_of_body(sent)
        members = schemas.load(schemas.of(game).opening_body, sent)
        die = schemas.is_begun_by_die(members)
        opening = referee().open(game.id, members["setup"], members["moves"], die=die, idempotency_key=key)
    table = opening.table
    page = f"{own_url()}/t/{table.id}"
    headers = {"Location": f"{PREFIX}/tables/{table.id}", "ETag": etag(table.version)}
    if opening.is_replay:
        headers[REPLAY_HEADER] = "true"
    answer = tables.new_table(opening, words_of(table, lang), page)
    return reply(answer, 201, lang=lang, headers=headers, cache="no-store")


@api.get("/tables/<table_id>")
def read_table(table_id: str) -> Response:
    """A table now, or as soon as it changes."""
    lang, key, versions = language(), bearer(), known_versions()
    options = query(schemas.TABLE_QUERY)
    seconds, fields = options["wait"], tables.chosen_fields(options["fields"])
    if seconds:
        if not versions:
            raise Invalid([("/wait", FieldError("wait_without_version"))])
        table, role = referee().wait(table_id, key, max(versions), seconds, request.remote_addr or "")
    else:
        table, role = referee().table(table_id, key)
    headers = {"ETag": etag(table.version)}
    if table.version in versions:
        return reply(None, 304, lang=lang, headers=headers)
    return reply(tables.table(table, role, words_of(table, lang), fields), lang=lang, headers=headers)


@api.patch("/tables/<table_id>")
def rename_players(table_id: str) -> Response:
    """Give players other names: the host any, a seat its own."""
    use, key = referee(), bearer()
    table, _ = use.authorise_player(table_id, key)
    names = schemas.names_of_body(table.setup, schemas.load(schemas.NAMES_BODY, body()))
    return write_outcome_reply(use.rename(change_request(table_id), names), 200)


@api.delete("/tables/<table_id>")
def delete_table(table_id: str) -> Response:
    """Delete a table."""
    referee().delete(table_id, bearer())
    return Response(status=204)


@api.get("/tables/<table_id>/export")
def export_table(table_id: str) -> Response:
    """Export a table: its log as JSON, or a readable format."""
    lang, options = language(), query(schemas.EXPORT_QUERY)
    version = options["entry"]
    table = referee().table_to_export(table_id, bearer(), version)
    form = options["format"] or _accepted_format()
    headers, vary = {"ETag": etag(table.version)}, "Accept, Accept-Language, Authorization"
    if form == "json":
        if options["of"] not in (None, "log"):
            raise Invalid([("/of", FieldError("not_exported_so"))])
        with beside():
            return reply(export(table, version), lang=lang, headers=headers, vary=vary)
    write = documents().get((form, options["of"] or DEFAULT_PARTS[form]))
    if write is None or version is not None:
        raise Invalid([("/of" if write is None else "/entry", FieldError("not_exported_so"))])
    headers |= {"Content-Language": lang, "Vary": vary, "Cache-Control": "private, no-cache"}
    return Response(write(table), headers=headers, content_type=MEDIA_TYPES[form])


def _accepted_format() -> str:
    """The format that the client prefers. Raises `NotAcceptable`."""
    offered = {media.partition(";")[0]: form for form, media in MEDIA_TYPES.items()}
    return offered[accepted_media(*offered)]


@api.get("/tables/<table_id>/log")
def read_log(table_id: str) -> Response:
    """A page of the log."""
    lang, key, options = language(), bearer(), query(schemas.PAGE_QUERY)
    after = options["after"]
    if options["wait"]:
        if after is None:
            raise Invalid([("/wait", FieldError("wait_without_after"))])
        referee().await_listed_entry(table_id, key, after, options["wait"], request.remote_addr or "")
    page = referee().log(table_id, key, after or 0, options["limit"])
    headers = {"ETag": etag(page.table.version)} | next_page(page.next)
    return reply(tables.log(page, words_of(page.table, lang)), lang=lang, headers=headers)


@api.post("/tables/<table_id>/rulings")
def rule_at_table(table_id: str) -> Response:
    """Rule on a move at a table as it is now, or was at a version; this records nothing."""
    lang, use, key = language(), referee(), bearer()
    table, _ = use.authorise(table_id, key)
    members = schemas.load(schemas.of(table.game).table_ruling_body, body())
    ruling = use.rule_on_move(table_id, key, members["move"], members["version"])
    judgement = ruling.judgement
    satisfied_rules = (
        judge.rules_without_objection(ruling.state, judgement.move, judgement.verdict) if members["explain"] else None
    )
    answer = rulings.ruling(judgement, words_of(ruling.table, lang), satisfied_rules)
    return reply(answer, lang=lang, headers={"ETag": etag(ruling.table.version)}, cache="no-store")


@api.post("/tables/<table_id>/moves")
def play(table_id: str) -> Response:
    """Play one or several moves."""
    use, key = referee(), bearer()
    table, _ = use.authorise_player(table_id, key)
    members = schemas.load(schemas.of(table.game).moves_body, body(BULK))
    moves, last_only = schemas.moves_of_body(members), members["last_only"]
    outcome = use.play(change_request(table_id), moves, last_only=last_only)
    return write_outcome_reply(outcome, entries=outcome.entries[-1:] if last_only else outcome.entries)


@api.post("/tables/<table_id>/rewind")
def rewind(table_id: str) -> Response:
    """Undo or redo."""
    use, key = referee(), bearer()
    use.authorise_player(table_id, key)
    to = schemas.load(schemas.REWIND_BODY, body())["to"]
    return write_outcome_reply(use.rewind(change_request(table_id), to))


@api.get("/tables/<table_id>/readings")
def read_readings(table_id: str) -> Response:
    """The readings of a table."""
    query()
    lang = language()
    table, _ = referee().table(table_id, bearer())
    answer = tables.readings(table, judge.sheet(table.game, table.state), words_of(table, lang))
    return reply(answer, lang=lang, headers={"ETag": etag(table.version)})


@api.put("/tables/<table_id>/readings")
def set_readings(table_id: str) -> Response:
    """Change the readings of a table from now on, as the host."""
    use, key = referee(), bearer()
    table, _ = use.authorise_player(table_id, key)
    readings = schemas.load(schemas.of(table.game).readings_body, body())["readings"]
    outcome = use.set_readings(change_request(table_id), readings)
    return write_outcome_reply(outcome, 200)


@api.post("/tables/<table_id>/amend")
def amend(table_id: str) -> Response:
    """Amend the log, or preview the amendment."""
    use, key = referee(), bearer()
    table, _ = use.authorise_player(table_id, key)
    members = schemas.load(schemas.of(table.game).amendment_body, body())
    amendment = schemas.change_of_body(table.game, members)
    if members["dry_run"]:
        preview = use.preview(change_request(table_id), amendment)
        answer = amendments.preview(preview, words_of(preview.table, language()))
        return reply(answer, lang=language(), headers={"ETag": etag(preview.number - 1)}, cache="no-store")
    outcome = use.amend(change_request(table_id), amendment)
    return change_reply(outcome, amendments.amendment_outcome_json(outcome, outcome_words(outcome)))


@api.get("/tables/<table_id>/position")
def read_position(table_id: str) -> Response:
    """The position of a table now, or at a version."""
    version = query(schemas.POSITION_QUERY)["version"]
    lang = language()
    table, at, state = referee().state_at(table_id, bearer(), version)
    position = schemas.game_form(table.game, table.game.position(state))
    return reply({"version": at, "position": position}, lang=lang, headers={"ETag": etag(at)})


@api.put("/tables/<table_id>/position")
def enter_position(table_id: str) -> Response:
    """Continue from the position on the players' table, as the host; or only compare it with the log's position."""
    use, key = referee(), bearer()
    table, _ = use.authorise_player(table_id, key)
    document: Any = body()
    members = schemas.load(schemas.of(table.game).position_body, document)
    position, names = members["position"], document["position"].keys()
    if members["dry_run"]:
        found = use.preview_position(change_request(table_id), position, names=names)
        answer = tables.checkpoint(found, words_of(found.table, language()))
        return reply(answer, lang=language(), headers={"ETag": etag(found.table.version)}, cache="no-store")
    outcome = use.enter_position(change_request(table_id), position, names)
    return change_reply(outcome, tables.entered_position_json(outcome, outcome_words(outcome)), status=200)


@api.post("/tables/<table_id>/rolls")
def roll(table_id: str) -> Response:
    """Roll dice, and record the result in the log."""
    use, key = referee(), bearer()
    table, _ = use.authorise_player(table_id, key)
    to_roll = schemas.roll_of_body(schemas.load(schemas.of(table.game).roll_body, body()))
    return write_outcome_reply(use.roll(change_request(table_id), to_roll))


@api.get("/tables/<table_id>/score")
def read_score(table_id: str) -> Response:
    """The score sheet of a table."""
    query()
    lang = language()
    table, _ = referee().table(table_id, bearer())
    return reply(rulings.sheet(judge.sheet(table.game, table.state), words_of(table, lang)), lang=lang)


@api.get("/tables/<table_id>/legal-moves")
def read_legal_moves(table_id: str) -> Response:
    """The legal moves at a table."""
    lang = language()
    table, _ = referee().table(table_id, bearer())
    filters = schemas.filters(table.game, request.args.to_dict())
    found = judge.legal_moves(table.game, table.state, **schemas.listing_options(filters))
    answer = rulings.legal_moves(found, words_of(table, lang))
    return reply(answer, lang=lang, headers={"ETag": etag(table.version)} | next_page(answer["next"]))
