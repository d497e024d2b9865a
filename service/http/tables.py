"""The JSON views. Each reads the request by `service.schemas`, calls one use case, and dumps what comes back.

`openapi.yaml` is the contract; a test holds that the routes here are its paths. A view has the name of its operation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import BytesIO
from typing import Any, Final

from flask import Blueprint, Response, request
from werkzeug.exceptions import (
    ClientDisconnected,
    NotAcceptable,
    PreconditionRequired,
    RequestEntityTooLarge,
    UnsupportedMediaType,
)

import rules
from rules.steps import spend
from service import schemas
from service.cases import report, worked_cases
from service.errors import BadIdempotencyKey, BadIfMatch, NoGame, NoGroup, NoRule, NoTable, RateLimited, StoreAway
from service.http import problem_responses
from service.http.current import admit, admit_wrong_key, picture, referee
from service.http.header_limits import current_list_header
from service.http.proxies import own_url
from service.http.responses import accepted_formats, encode, etag, language, reply
from service.http.serializers import amendments, disputes, tables
from service.i18n.sentences import Words, words_among
from service.limits import rate_limits
from service.referee import remedies
from service.referee.dispute import DisputeSubject, SettlementRequest
from service.referee.repository import WriteOutcome
from service.rulings import game_info, judge
from service.runtime.budget import BYTES
from service.schemas import parse
from service.tables.table import Table
from service.types import AnyGame, Json

PREFIX: Final = "/api/v1"
SMALL: Final = 16 * 1024
"""Bytes of a body."""
BULK: Final = 256 * 1024
"""Bytes of a body that may hold a whole game's moves."""
VERSION: Final = re.compile(r'(?:W/)?"([0-9]{1,9})"')
VERSION_TAG: Final = re.compile(r'(?:W/)?"?([0-9]{1,9})"?')
"""A version that the client has: whoever writes it without quotes would be answered at once, again and again."""
TAG: Final = r'(?:W/)?"[!#-~\x80-\xff]*"'
TAGS: Final = re.compile(rf"{TAG}(?:[ \t]*,[ \t]*{TAG})*")
"""Entity tags (RFC 9110, 8.8.3). A proxy that compresses makes a tag weak: a weak one is taken, too."""
IDEMPOTENCY_KEY: Final = re.compile(r"[!-~]{1,255}")
WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH"})
READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
JSON: Final = "application/json"
SVG: Final = "image/svg+xml"
api: Final = Blueprint("api", __name__, url_prefix=PREFIX)


@api.before_request
def check_head() -> None:
    """Refuse what would change something under a head that cannot be read, before its body is looked at."""
    if request.method in WITH_BODY:
        precondition()
        idempotency_key()


@api.before_request
def count_request() -> None:
    """Count a request against the limits, by its endpoint. Its body is read after this, and after its key."""
    admit(rate_limits.ENDPOINTS[request.endpoint or ""], bearer())


@api.before_request
def no_query_beside_a_body() -> None:
    """Refuse a query of a request that changes something or asks with a body: none of these takes one."""
    if request.method not in READS:
        query()


@api.errorhandler(NoGroup)
@api.errorhandler(NoTable)
def answer_not_found(error: NoGroup | NoTable) -> Response:
    """Say that there is no such table or group, or, to an address that tries many keys, that it has to wait."""
    try:
        admit_wrong_key()
    except (RateLimited, StoreAway) as refusal:
        return problem_responses.answer(refusal)
    return problem_responses.answer(error)


# --- reading a request -------------------------------------------------------------------------------------------


def body(most: int = SMALL) -> Json:
    """The body, of JSON. Its length is known, so it is read at once rather than through a stream that guards it.

    Whoever calls it knows the limits and the key to be right: what is refused by its head takes no memory. Raises
    `ClientDisconnected` and `RequestTimeout` where it does not come.
    """
    environ = request.environ
    if environ.get("CONTENT_TYPE") != JSON and request.mimetype != JSON:
        raise UnsupportedMediaType
    length = int(environ["CONTENT_LENGTH"])
    if length > most:
        request.max_content_length = most
        raise RequestEntityTooLarge
    spend(length // BYTES)
    sent = environ["wsgi.input"].read(length)
    if len(sent) < length:
        raise ClientDisconnected
    environ["wsgi.input"] = BytesIO(sent)  # a fault is told with its hash
    return parse(sent)


def bearer() -> str | None:
    """The key that was sent, if any."""
    scheme, _, key = request.environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    return key.strip() or None if scheme.lower() == "bearer" else None


def if_match() -> int:
    """The version that a change is meant for; 0, which no table has, for what is no version. Raises `BadIfMatch`."""
    tag = precondition()
    if not tag or tag == "*":
        raise PreconditionRequired
    match = VERSION.fullmatch(tag)
    return int(match[1]) if match else 0


def precondition() -> str:
    """The entity tags that a change is meant for: ``*`` for any, empty without one. Raises `BadIfMatch`."""
    tag: str = request.environ.get("HTTP_IF_MATCH", "").strip()
    if tag not in ("", "*") and not TAGS.fullmatch(tag):
        raise BadIfMatch(tag)
    return tag


def known_versions() -> set[int]:
    """The versions that the client has already."""
    tags = current_list_header("IF_NONE_MATCH").split(",")
    return {int(match[1]) for tag in tags if (match := VERSION_TAG.fullmatch(tag.strip()))}


def idempotency_key() -> str | None:
    """The name that the client gave to its request, if any."""
    key: str | None = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and not IDEMPOTENCY_KEY.fullmatch(key):
        raise BadIdempotencyKey(key)
    return key


def query(schema: schemas.Body = schemas.EMPTY_QUERY) -> schemas.Members:
    """The query, of which every parameter must be known."""
    asked: schemas.Members = schemas.load(schema, request.args.to_dict())
    return asked


def game_of(game_id: str) -> AnyGame:
    """The game that an address names."""
    game = rules.GAMES.get(game_id)
    if game is None:
        raise NoGame(game_id)
    return game


# --- games: what needs no table ----------------------------------------------------------------------------------


@api.get("/games")
def list_games() -> Response:
    """All games."""
    spoken = language()
    return _public({"games": [game_info.game_line(game, spoken) for game in rules.GAMES.values()]}, spoken)


@api.get("/games/<game_id>")
def read_game(game_id: str) -> Response:
    """One game, with all that a client needs."""
    spoken = language()
    return _public(game_info.game_page(game_of(game_id), spoken), spoken)


@api.get("/games/<game_id>/rules")
def list_rules(game_id: str) -> Response:
    """The rules of a game."""
    spoken = language()
    return _public(game_info.rule_list(game_of(game_id), spoken), spoken)


@api.get("/games/<game_id>/rules/<rule_id>")
def read_rule(game_id: str, rule_id: str) -> Response:
    """One rule."""
    spoken, game = language(), game_of(game_id)
    if rule_id not in rules.load(game.id, "rulebook"):
        raise NoRule(rule_id)
    return _public(game_info.rule(game, rule_id, spoken), spoken)


@api.get("/games/<game_id>/search")
def search_rules(game_id: str) -> Response:
    """The rules that have what is looked for."""
    spoken, game = language(), game_of(game_id)
    asked = query(schemas.SEARCH_QUERY)["q"]
    found = game_info.search_results(game, asked, spoken)
    return reply(found, spoken=spoken, cache="public, max-age=300", vary="Accept-Language")


@api.get("/games/<game_id>/cases")
def list_cases(game_id: str) -> Response:
    """A page of the worked cases of a game, or of some of them."""
    spoken, asked = language(), query(schemas.CASES_QUERY)
    return _cached_reply(worked_cases.page(game_of(game_id).id, spoken, **asked), spoken)


@api.get("/games/<game_id>/cases/<case_id>")
def read_case(game_id: str, case_id: str) -> Response:
    """One worked case."""
    spoken = language()
    return _public(worked_cases.find_case(game_of(game_id).id, case_id, spoken), spoken)


@api.post("/games/<game_id>/rulings")
def rule(game_id: str) -> Response:
    """Rule on a move."""
    spoken, game = language(), game_of(game_id)
    asked = schemas.load(schemas.of(game).rulings, body(BULK))
    started, move = schemas.start_of_body(asked), asked["move"]
    words = words_among(spoken, game.id, started[0])
    setup, _, position = started
    state, problems = judge.state_and_problems(game, *started, anyway=asked["anyway"], in_part=True)
    judgement = judge.judge(game, state, move, judge.unknown_of(game, setup, position))
    verdict, counts = judgement.verdict, not judgement.unknown
    heard = judge.rules_without_objection(state, move, verdict, counts=counts) if asked["explain"] else None
    said = tables.ruling(judgement, words, heard)
    if asked["case_file"]:
        said["case_file"] = report.case_file(report.Start(*started), judgement)
    return _uncached_reply(tables.with_problems(said, problems, words), spoken)


@api.post("/games/<game_id>/legal-moves")
def find_legal_moves(game_id: str) -> Response:
    """The legal moves of a position."""
    spoken, game = language(), game_of(game_id)
    asked = schemas.load(schemas.of(game).legal_moves, body(BULK))
    started = schemas.start_of_body(asked)
    words = words_among(spoken, game.id, started[0])
    state, problems = judge.state_and_problems(game, *started, anyway=asked["anyway"])
    found = judge.legal_moves(game, state, **schemas.listing_options(asked))
    said = tables.legal_moves(found, words)
    return _uncached_reply(tables.with_problems(said, problems, words), spoken)


@api.post("/games/<game_id>/scores")
def score(game_id: str) -> Response:
    """The score sheet of a position."""
    spoken, game = language(), game_of(game_id)
    asked = schemas.load(schemas.of(game).start, body(BULK))
    started = schemas.start_of_body(asked)
    words = words_among(spoken, game.id, started[0])
    state, problems = judge.state_and_problems(game, *started, anyway=asked["anyway"])
    said = tables.sheet(judge.sheet(game, state, problems), words)
    return _uncached_reply(tables.with_problems(said, problems, words), spoken)


@api.post("/games/<game_id>/positions")
def place(game_id: str) -> Response:
    """A position with its problems, or its picture."""
    spoken, game = language(), game_of(game_id)
    asked = schemas.load(schemas.of(game).start, body(BULK))
    started = schemas.start_of_body(asked)
    wanted = accepted_formats()
    if wanted.best_match((JSON, SVG)) == SVG:
        state, _ = judge.state_and_problems(game, *started, anyway=asked["anyway"], in_part=True)
        drawn = picture(game.id, state, spoken)
        if drawn:
            headers = {"Content-Language": spoken, "Vary": "Accept, Accept-Language", "Cache-Control": "no-store"}
            return Response(drawn, headers=headers, content_type=SVG)
    if wanted and not wanted.quality(JSON):
        raise NotAcceptable
    words = words_among(spoken, game.id, started[0])
    return _uncached_reply(
        tables.position(judge.check_position(game, *started), words), spoken, vary="Accept, Accept-Language"
    )


# --- tables ------------------------------------------------------------------------------------------------------


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
    made = tables.new_table(opened, scored, _words(table, spoken), page)
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
    return reply(tables.table(table, role, scored, _words(table, spoken)), spoken=spoken, headers=headers)


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
        tables.log(page, _words(page.table, spoken)), spoken=spoken, headers={"ETag": etag(page.table.version)}
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
    told = tables.ruling(judgement, _words(asked.table, spoken), heard)
    return reply(told, spoken=spoken, headers={"ETag": etag(asked.table.version)}, cache="no-store")


@api.post("/tables/<table_id>/moves")
def play(table_id: str) -> Response:
    """Play one or several moves."""
    use, key = referee(), bearer()
    table, _ = use.player(table_id, key)
    moves = schemas.moves_of_body(schemas.load(schemas.of(table.game).playing, body()))
    return _write_outcome_reply(use.play(table_id, key, moves, version=if_match(), idempotency_key=idempotency_key()))


@api.post("/tables/<table_id>/rewind")
def rewind(table_id: str) -> Response:
    """Undo or redo."""
    use, key = referee(), bearer()
    use.player(table_id, key)
    to = schemas.load(schemas.REWIND_BODY, body())["to"]
    return _write_outcome_reply(use.rewind(table_id, key, to, version=if_match(), idempotency_key=idempotency_key()))


@api.get("/tables/<table_id>/readings")
def read_readings(table_id: str) -> Response:
    """How the rules are read at a table."""
    query()
    spoken = language()
    table, _ = referee().table(table_id, bearer())
    said = tables.readings(table, judge.sheet(table.game, table.state), _words(table, spoken))
    return reply(said, spoken=spoken, headers={"ETag": etag(table.version)})


@api.put("/tables/<table_id>/readings")
def set_readings(table_id: str) -> Response:
    """Read the rules otherwise from here on, as the host."""
    use, key = referee(), bearer()
    table, _ = use.player(table_id, key)
    readings = schemas.load(schemas.of(table.game).reading, body())["readings"]
    done = use.read_otherwise(table_id, key, readings, version=if_match(), idempotency_key=idempotency_key())
    return _write_outcome_reply(done, 200)


@api.post("/tables/<table_id>/amend")
def amend(table_id: str) -> Response:
    """Amend the log, or see what that would do."""
    use, key = referee(), bearer()
    table, _ = use.player(table_id, key)
    asked = schemas.load(schemas.of(table.game).amending, body())
    change = schemas.change_of_body(table.game, asked)
    if asked["dry_run"]:
        seen = use.preview(table_id, key, change, version=if_match())
        told = amendments.preview(seen, _words(seen.table, language()))
        return reply(told, spoken=language(), headers={"ETag": etag(seen.number - 1)}, cache="no-store")
    done = use.amend(table_id, key, change, version=if_match(), idempotency_key=idempotency_key())
    return _change_reply(done, amendments.amendment_outcome_json(done, _words(done.table, language())))


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
        said = tables.checkpoint(found, _words(found.table, language()))
        return reply(said, spoken=language(), headers={"ETag": etag(found.table.version)}, cache="no-store")
    on: Any = {"version": if_match(), "idempotency_key": idempotency_key()}
    done = use.checkpoint(table_id, key, position, names=names, **on)
    return _change_reply(done, tables.entered_position_json(done, _words(done.table, language())), status=200)


@api.post("/tables/<table_id>/rolls")
def roll(table_id: str) -> Response:
    """Roll dice, of which the log says what they showed."""
    use, key = referee(), bearer()
    table, _ = use.player(table_id, key)
    asked = schemas.roll_of_body(schemas.load(schemas.of(table.game).rolling, body()))
    return _write_outcome_reply(use.roll(table_id, key, asked, version=if_match(), idempotency_key=idempotency_key()))


@api.post("/tables/<table_id>/disputes")
def raise_dispute(table_id: str) -> Response:
    """Dispute a move."""
    use, key = referee(), bearer()
    table, _ = use.player(table_id, key)
    entry, move, question = schemas.dispute_of_body(schemas.load(schemas.of(table.game).disputing, body()))
    about = DisputeSubject(entry, move)
    done = use.raise_dispute(table_id, key, about, question, version=if_match(), idempotency_key=idempotency_key())
    number = done.table.dispute_of(done.entries[0].number)
    hearing = remedies.view_dispute(done.table, number)
    made = disputes.dispute(hearing, _words(done.table, language()))
    where = [("Location", f"{PREFIX}/tables/{table_id}/disputes/{number}")]
    return _change_reply(done, made, where)


@api.get("/tables/<table_id>/disputes/<int:number>")
def read_dispute(table_id: str, number: int) -> Response:
    """A dispute."""
    query()
    spoken = language()
    hearing = referee().dispute(table_id, bearer(), number)
    said = disputes.dispute(hearing, _words(hearing.table, spoken))
    return reply(said, spoken=spoken, headers={"ETag": etag(hearing.table.version)})


@api.post("/tables/<table_id>/disputes/<int:number>/confirmation")
def confirm_remedy(table_id: str, number: int) -> Response:
    """Confirm a remedy for a dispute, as one of the seats."""
    use, key = referee(), bearer()
    use.player(table_id, key)
    remedy = schemas.load(schemas.CONFIRMATION_BODY, body())["remedy"]
    done = use.confirm(table_id, key, number, remedy, version=if_match(), idempotency_key=idempotency_key())
    return _write_outcome_reply(done)


@api.post("/tables/<table_id>/disputes/<int:number>/settlement")
def settle_dispute(table_id: str, number: int) -> Response:
    """Settle a dispute, as the host."""
    use, key = referee(), bearer()
    table, _ = use.player(table_id, key)
    how = SettlementRequest(*schemas.settlement_of_body(schemas.load(schemas.of(table.game).settling, body())))
    done = use.settle(table_id, key, number, how, version=if_match(), idempotency_key=idempotency_key())
    return _write_outcome_reply(done)


@api.get("/tables/<table_id>/score")
def read_score(table_id: str) -> Response:
    """The score sheet of a table."""
    query()
    spoken = language()
    table, _ = referee().table(table_id, bearer())
    return reply(tables.sheet(judge.sheet(table.game, table.state), _words(table, spoken)), spoken=spoken)


@api.get("/tables/<table_id>/legal-moves")
def read_legal_moves(table_id: str) -> Response:
    """The legal moves at a table."""
    spoken = language()
    table, _ = referee().table(table_id, bearer())
    asked = schemas.filters(table.game, request.args.to_dict())
    found = judge.legal_moves(table.game, table.state, **schemas.listing_options(asked))
    return reply(tables.legal_moves(found, _words(table, spoken)), spoken=spoken, headers={"ETag": etag(table.version)})


# --- the answer --------------------------------------------------------------------------------------------------


def _words(table: Table, spoken: str) -> Words:
    """The words of a table, which call its players by their names."""
    return words_among(spoken, table.game.id, table.setup)


def _public(value: Json, spoken: str) -> Response:
    """What everybody may read and keep for a while, and takes no query."""
    query()
    return _cached_reply(value, spoken)


def _cached_reply(value: Json, spoken: str) -> Response:
    return reply(value, spoken=spoken, cache="public, max-age=300", vary="Accept-Language")


def _uncached_reply(value: Json, spoken: str, vary: str = "Accept-Language") -> Response:
    """An answer that depends on what was sent only."""
    return reply(value, spoken=spoken, cache="no-store", vary=vary)


def _write_outcome_reply(done: WriteOutcome, status: int = 201) -> Response:
    """What was written."""
    return _change_reply(done, tables.write_outcome_json(done, _words(done.table, language())), status=status)


def _change_reply(
    done: WriteOutcome, made: Json, headers: Sequence[tuple[str, str]] = (), status: int = 201
) -> Response:
    """The answer to a change. No cache keeps the answer to a POST or a PUT, so it needs no word to caches."""
    told = [("Content-Language", language()), ("ETag", etag(done.version)), *headers]
    if done.replayed:
        told.append(("Idempotent-Replayed", "true"))
    return Response(encode(made), status, told, content_type=JSON)
