"""Describes a game to a client, as JSON: its name, the shape of its moves, and its rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import rules
from rules.cases import rule_id_of
from rules.forms import Reading
from service.errors import NoGame
from service.i18n import sentences
from service.i18n.game_texts import rule_text
from service.rulings.rule_search import RuleMatch, look_up
from service.schemas import example_setup, json_schemas, plain
from service.types import AnyGame, JsonObject

STATUSES: Final = ("enforced", "recorded", "shown")
"""What the service does with a rule."""


def game_of(game_id: str) -> AnyGame:
    """The game with an id from a URL. Raises `NoGame`."""
    game: AnyGame | None = rules.GAMES.get(game_id)
    if game is None:
        raise NoGame(game_id)
    return game


def game_line(game: AnyGame, language: str) -> JsonObject:
    """A game in the list of games."""
    words = sentences.words(language, game.id).text
    book = rules.load(game.id, "rulebook")
    return {
        "id": game.id,
        "name": words["name"],
        "tagline": words["tagline"],
        "edition": game.edition,
        "rules_version": game.rules_version,
        "players": game.players,
        "colours": [{"player": seat, "colour": seat, "name": words["colours"][seat]} for seat in game.seats],
        "rules": {status: sum(rule["status"] == status for rule in book.values()) for status in STATUSES},
    }


def game_page(game: AnyGame, language: str) -> JsonObject:
    """Everything about a game that the author of a client needs."""
    words = sentences.words(language, game.id).text
    schemas = json_schemas(game.id)
    return game_line(game, language) | {
        "components": words["components"],
        "coordinates": words["coordinates"],
        "notation": words["notation"],
        "readings": [reading(one, words["readings"]) for one in game.readings],
        "kinds": [
            {"kind": kind, "name": words["kinds"][kind], "schema": schemas[f"move.{kind}"]} for kind in game.kinds
        ],
        "setup_schema": schemas["setup"],
        "position_schema": schemas["position"],
        "default_setup": example_setup(game),
        "default_data": None if game.data is None else plain(game.data),
    }


def reading(reading: Reading, words: Mapping[str, Any]) -> JsonObject:
    """A reading, with the `words` of all readings of its game."""
    words = words.get(reading.key, {})
    values = words.get("values", {})
    return {
        "key": reading.key,
        "title": words.get("title", reading.key),
        "why": words.get("why", ""),
        "default": reading.default,
        "values": [{"value": value, "text": values.get(value, value)} for value in reading.values],
        "scores": reading.scores,
    }


def chapter_of(game: AnyGame, rule_id: str, language: str) -> JsonObject:
    """The chapter that a rule belongs to."""
    key = rules.load(game.id, "rulebook")[rule_id]["chapter"]
    return {"chapter": key, "title": sentences.words(language, game.id).text["chapters"][key]}


def rule(game: AnyGame, rule_id: str, language: str) -> JsonObject:
    """A rule: our text, its place in print, its subject, and what the service does with it. Raises `KeyError`."""
    book = rules.load(game.id, "rulebook")[rule_id]
    words = sentences.words(language, game.id).text
    restated = rule_text(game.id, rule_id, language)
    reading_keys = book.get("readings", ())
    return {
        "id": rule_id,
        "title": restated.get("title", rule_id),
        "text": restated.get("text", ""),
        "printed": restated["printed"],
        "chapter": chapter_of(game, rule_id, language),
        "see": book["see"],
        "when": book["when"],
        "status": book["status"],
        "why": restated.get("why"),
        "readings": [reading(one, words["readings"]) for one in game.readings if one.key in reading_keys],
        "cases": [case["id"] for case in rules.load(game.id, "cases")["case"] if rule_id_of(case) == rule_id],
    }


def chapters(game: AnyGame, language: str) -> list[JsonObject]:
    """The chapters of the rules in the order of the printed book, each with the ids of its rules."""
    book = rules.load(game.id, "rulebook")
    return [
        {
            "chapter": key,
            "title": title,
            "rules": [name for name, rule_entry in book.items() if rule_entry["chapter"] == key],
        }
        for key, title in sentences.words(language, game.id).text["chapters"].items()
    ]


def rule_list(game: AnyGame, language: str) -> JsonObject:
    """The chapters of a game's rules, and all its rules in the order of the rulebook."""
    book = rules.load(game.id, "rulebook")
    return {
        "chapters": chapters(game, language),
        "rules": [rule(game, rule_id, language) for rule_id in book],
    }


def search_results(game: AnyGame, query: str, language: str) -> JsonObject:
    """The results of a search: rules in either language, the best first."""
    return {"q": query, "results": [_match_json(game, one, language) for one in look_up(game.id, query, language)]}


def _match_json(game: AnyGame, one: RuleMatch, language: str) -> JsonObject:
    line, rule_texts = one.line, sentences.words(language, game.id).text["rules"][one.rule]
    return {
        "rule": one.rule,
        "title": rule_texts["title"],
        "text": rule_texts["text"],
        "chapter": chapter_of(game, one.rule, language),
        "whole": one.has_all_words,
        "line": {"of": line.of, "name": line.name or None, "language": one.language, "text": line.text},
    }
