"""The views of games: rules, worked cases, and rulings without a table."""

from __future__ import annotations

from typing import Final

from flask import Response, request
from werkzeug.exceptions import (
    NotAcceptable,
)

import rules
from rules.forms import Malformed
from rules.steps import TooMuch, beside, spend_beside, steps_spent
from service import schemas
from service.cases import report, worked_cases
from service.errors import Impossible, Invalid, NoRule, Refused
from service.http import problem_responses
from service.http.api import (
    api,
    cached_reply,
    next_page,
    public_reply,
    uncached_reply,
)
from service.http.current import picture
from service.http.request import (
    BULK,
    JSON,
    body,
    query,
)
from service.http.responses import accepted_formats, language
from service.http.serializers import rulings
from service.i18n.sentences import words_with_people
from service.rulings import game_info, judge
from service.runtime.budget import BATCH_STEPS, BUDGET, QUESTION_STEPS
from service.types import AnyGame, Json, JsonObject

SVG: Final = "image/svg+xml"
RULING_PROBLEMS: Final = (Impossible, Invalid, Malformed, Refused, TooMuch)
"""Errors of one question of a batch; the other questions are still answered."""


@api.get("/games")
def list_games() -> Response:
    """All games."""
    lang = language()
    return public_reply({"games": [game_info.game_line(game, lang) for game in rules.GAMES.values()]}, lang)


@api.get("/games/<game_id>")
def read_game(game_id: str) -> Response:
    """One game, with all that a client needs."""
    lang = language()
    return public_reply(game_info.game_page(game_info.game_of(game_id), lang), lang)


@api.get("/games/<game_id>/rules")
def list_rules(game_id: str) -> Response:
    """The rules of a game."""
    lang = language()
    return public_reply(game_info.rule_list(game_info.game_of(game_id), lang), lang)


@api.get("/games/<game_id>/rules/<rule_id>")
def read_rule(game_id: str, rule_id: str) -> Response:
    """One rule."""
    lang, game = language(), game_info.game_of(game_id)
    if rule_id not in rules.load(game.id, "rulebook"):
        raise NoRule(rule_id)
    return public_reply(game_info.rule(game, rule_id, lang), lang)


@api.get("/games/<game_id>/search")
def search_rules(game_id: str) -> Response:
    """Search the rules of a game."""
    lang, game = language(), game_info.game_of(game_id)
    text = query(schemas.SEARCH_QUERY)["q"]
    return cached_reply(game_info.search_results(game, text, lang), lang)


@api.get("/games/<game_id>/cases")
def list_cases(game_id: str) -> Response:
    """A page of the worked cases of a game, filtered or not."""
    lang, options = language(), query(schemas.CASES_QUERY)
    page = worked_cases.page(game_info.game_of(game_id).id, lang, **options)
    return cached_reply(page, lang, next_page(page["next"]))


@api.get("/games/<game_id>/cases/<case_id>")
def read_case(game_id: str, case_id: str) -> Response:
    """One worked case."""
    lang = language()
    return public_reply(worked_cases.find_case(game_info.game_of(game_id).id, case_id, lang), lang)


@api.post("/games/<game_id>/rulings")
def rule(game_id: str) -> Response:
    """Rule on a move."""
    lang, game = language(), game_info.game_of(game_id)
    return uncached_reply(_ruling_json(game, body(BULK), lang), lang)


@api.post("/games/<game_id>/rulings/batch")
def rule_batch(game_id: str) -> Response:
    """Rule on several moves independently: each gets its ruling or its problem."""
    lang, game = language(), game_info.game_of(game_id)
    asked = schemas.load(schemas.RULINGS_BODY, body(BULK))["rulings"]
    left = BATCH_STEPS
    answers: list[JsonObject] = []
    for each in asked:
        spend_beside(QUESTION_STEPS)
        before = steps_spent()
        answers.append(_ruling_or_problem(game, each, lang, min(BUDGET, left)))
        left -= steps_spent() - before
    return uncached_reply({"rulings": answers}, lang)


def _ruling_or_problem(game: AnyGame, asked: Json, lang: str, most: int) -> JsonObject:
    """The answer to one question of a batch, in at most `most` steps, apart from the steps of the request."""
    try:
        with beside(most):
            return _ruling_json(game, asked, lang)
    except RULING_PROBLEMS as error:
        with beside():
            return problem_responses.problem_json(problem_responses.problem_of(error, lang), lang, request.path)


def _ruling_json(game: AnyGame, asked: Json, lang: str) -> JsonObject:
    """The ruling that a body asks for."""
    members = schemas.load(schemas.of(game).ruling_body, asked)
    start, move = schemas.start_of_body(members), members["move"]
    words = words_with_people(lang, game.id, start[0])
    setup, _, position = start
    state, problems = judge.state_and_problems(game, *start, anyway=members["anyway"], in_part=True)
    judgement = judge.judge(game, state, move, judge.unknown_of(game, setup, position))
    verdict, counts = judgement.verdict, not judgement.unknown
    satisfied_rules = judge.rules_without_objection(state, move, verdict, counts=counts) if members["explain"] else None
    answer = rulings.ruling(judgement, words, satisfied_rules)
    if members["case_file"]:
        answer["case_file"] = report.case_file(report.Start(*start), judgement)
    return rulings.with_problems(answer, problems, words)


@api.post("/games/<game_id>/legal-moves")
def find_legal_moves(game_id: str) -> Response:
    """The legal moves of a position."""
    lang, game = language(), game_info.game_of(game_id)
    members = schemas.load(schemas.of(game).legal_moves_body, body(BULK))
    start = schemas.start_of_body(members)
    words = words_with_people(lang, game.id, start[0])
    state, problems = judge.state_and_problems(game, *start, anyway=members["anyway"])
    found = judge.legal_moves(game, state, **schemas.listing_options(members))
    answer = rulings.legal_moves(found, words)
    return uncached_reply(rulings.with_problems(answer, problems, words), lang)


@api.post("/games/<game_id>/scores")
def score(game_id: str) -> Response:
    """The score sheet of a position."""
    lang, game = language(), game_info.game_of(game_id)
    members = schemas.load(schemas.of(game).start_body, body(BULK))
    start = schemas.start_of_body(members)
    words = words_with_people(lang, game.id, start[0])
    state, problems = judge.state_and_problems(game, *start, anyway=members["anyway"])
    answer = rulings.sheet(judge.sheet(game, state, problems), words)
    return uncached_reply(rulings.with_problems(answer, problems, words), lang)


@api.post("/games/<game_id>/positions")
def place(game_id: str) -> Response:
    """A position with its problems, or its picture."""
    lang, game = language(), game_info.game_of(game_id)
    members = schemas.load(schemas.of(game).start_body, body(BULK))
    start = schemas.start_of_body(members)
    wanted = accepted_formats()
    if wanted.best_match((JSON, SVG)) == SVG:
        state, _ = judge.state_and_problems(game, *start, anyway=members["anyway"], in_part=True)
        drawn = picture(game.id, state, lang)
        if drawn:
            headers = {"Content-Language": lang, "Vary": "Accept, Accept-Language", "Cache-Control": "no-store"}
            return Response(drawn, headers=headers, content_type=SVG)
    if wanted and not wanted.quality(JSON):
        raise NotAcceptable
    words = words_with_people(lang, game.id, start[0])
    return uncached_reply(
        rulings.position(judge.check_position(game, *start), words), lang, vary="Accept, Accept-Language"
    )
