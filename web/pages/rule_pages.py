"""Prepares the pages of rules: the chapters, the results of a search, and a rule with its cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from flask import url_for

import rules
from rules.cases import rule_id_of
from rules.records import dataclass
from service.cases import numbering, worked_cases
from service.errors import NoCase, NoRule
from service.i18n import sentences
from service.i18n.game_texts import case_sentence
from service.i18n.sentences import Words
from service.rulings import game_info
from service.rulings.rule_search import RuleMatch, look_up
from service.types import AnyGame, State
from web.board.inks import merge_inks
from web.board.svg import document
from web.browser.language import _
from web.game_pages import Snapshot
from web.games import all_pages
from web.panels.context import words_for_state
from web.panels.sentences import capitalise, phrase
from web.position_url import text_of

Case: TypeAlias = Mapping[str, Any]
"""A worked case, as in its file."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule in a list. `parts`: the matching line, cut at the matches; the rule's text if its title matches.

    `other` is the language of that line if it is not the page's; then `text` is the rule's own.
    """

    rule: str
    title: str
    parts: tuple[tuple[str, bool], ...] = ()
    other: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Chapter:
    """Rules that belong together."""

    key: str
    title: str
    rules: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Contents:
    """The rules of a game: the `matches` of a `query`, the rules that are `due`, and all rules by chapter."""

    game: AnyGame
    words: Words
    query: str
    matches: tuple[Entry, ...]
    due: tuple[Entry, ...]
    chapters: tuple[Chapter, ...]


@dataclass(frozen=True, slots=True)
class ShownCase:
    """A worked case: its sentence, its question, and the answer.

    `ruling` is empty without a move. `board_href` is the address of its picture, `count_href` that of its position, to
    continue from there, and `ask_href` that of its question; None if there is none.
    """

    name: str
    text: str
    question: str
    ruling: str
    answer: str
    readings: tuple[str, ...]
    board_href: str | None
    count_href: str | None
    ask_href: str | None


@dataclass(frozen=True, slots=True)
class RuleView:
    """A rule: `rule_info` as in the API, related rules, the kinds of moves it applies to, and its cases."""

    game: AnyGame
    words: Words
    rule_info: Mapping[str, Any]
    see: tuple[Entry, ...]
    kinds: tuple[str, ...]
    before: Entry | None
    after: Entry | None
    cases: tuple[ShownCase, ...]

    @property
    def example(self) -> ShownCase | None:
        """The case with the board beside the rule: the first that breaks it, else the first with a board."""
        drawn = [case for case in self.cases if case.board_href]
        return next((case for case in drawn if case.ruling == "illegal"), drawn[0] if drawn else None)


# --- all rules of a game -------------------------------------------------------------------------------------------


def contents(game: AnyGame, language: str, query: str, phase: str) -> Contents:
    """The rules of a game: first the matches of a search and the rules of a phase."""
    words = sentences.words(language, game.id)
    found = tuple(_search_entry(words, one) for one in look_up(game.id, query, language))
    due = tuple(_entry(words, rule) for rule in due_rules(game, phase))
    return Contents(game, words, query, found, due, chapters(game, words))


def chapters(game: AnyGame, words: Words) -> tuple[Chapter, ...]:
    """All rules, in the order of the printed book."""
    found: Sequence[Mapping[str, Any]] = game_info.chapters(game, words.language)
    return tuple(
        Chapter(chapter["chapter"], chapter["title"], tuple(_entry(words, rule) for rule in chapter["rules"]))
        for chapter in found
    )


def due_rules(game: AnyGame, phase: str) -> Iterator[str]:
    """The rules for a phase, without those for moves out of turn only."""
    for rule, rule_info in rules.load(game.id, "rulebook").items():
        kinds = rule_info["when"]["kinds"]
        if phase in rule_info["when"]["phases"] and not (kinds and set(kinds) <= set(game.out_of_turn)):
            yield rule


def _entry(words: Words, rule: str) -> Entry:
    return Entry(rule, words.text["rules"][rule]["title"])


def _search_entry(words: Words, one: RuleMatch) -> Entry:
    rule_info = words.text["rules"][one.rule]
    if one.language != words.language:
        return Entry(one.rule, rule_info["title"], one.parts, one.language, rule_info["text"])
    named = one.line.of in ("id", "title")  # the page shows them above the text
    return Entry(one.rule, rule_info["title"], ((rule_info["text"], False),) if named else one.parts)


# --- one rule ------------------------------------------------------------------------------------------------------


def rule_of(game: AnyGame, rule: str, language: str) -> RuleView:
    """The page of a rule with everything that it links to. Raises `NoRule`."""
    if rule not in rules.load(game.id, "rulebook"):
        raise NoRule(rule)
    words = sentences.words(language, game.id)
    rule_info: Mapping[str, Any] = game_info.rule(game, rule, language)
    order = [entry for chapter in chapters(game, words) for entry in chapter.rules]
    place = order.index(_entry(words, rule))
    return RuleView(
        game,
        words,
        rule_info,
        tuple(_entry(words, other) for other in rule_info["see"]),
        tuple(capitalise(words.name(kind)) for kind in rule_info["when"]["kinds"]),
        order[place - 1] if place else None,
        order[place + 1] if place + 1 < len(order) else None,
        tuple(shown_case(game, case, words) for case in cases_of(game, rule)),
    )


def cases_of(game: AnyGame, rule: str) -> list[Case]:
    """The worked cases about a rule."""
    return [case for case in rules.load(game.id, "cases")["case"] if rule_id_of(case) == rule]


def case_of(game: AnyGame, number: str) -> Case:
    """A worked case by its number, such as ``VF-C17``. Raises `NoCase`."""
    for case in rules.load(game.id, "cases")["case"]:
        if numbering.name(case) == number:
            found: Case = case
            return found
    raise NoCase(number)


def shown_case(game: AnyGame, case: Case, words: Words) -> ShownCase:
    """A worked case, for the pages."""
    state, number = state_of_case(game, case), numbering.name(case)
    readings = (words.text["readings"][key]["values"][value] for key, value in case.get("readings", {}).items())
    drawn, text = state is not None and game.id in all_pages(), _position_text(game, case, state)
    return ShownCase(
        number,
        case_sentence(game.id, case, words.language),
        _question(game, case, state, words),
        case.get("ruling", ""),
        _answer(case, words),
        tuple(readings),
        url_for("web.case_board", game_id=game.id, number=number) if drawn else None,
        None if text is None else url_for("web.count", game_id=game.id, text=text),
        None if text is None else url_for("web.ask_move", game_id=game.id, text=text, move=case.get("move")),
    )


def state_of_case(game: AnyGame, case: Case) -> State | None:
    """The state of a case; None if the case is about an impossible position."""
    return None if "problems" in case else worked_cases.stage(game, case, rules.load(game.id, "cases"))


def _position_text(game: AnyGame, case: Case, state: State | None) -> str | None:
    """The position of a case as the text of an address; None if the game has no entered positions."""
    pages = all_pages().get(game.id)
    if state is None or pages is None or pages.entry is None:
        return None
    setup = worked_cases.setup_of(game, case, rules.load(game.id, "cases"))
    return text_of(Snapshot(setup, game.position(state)))


def _question(game: AnyGame, case: Case, state: State | None, words: Words) -> str:
    """The move in question, in words if the game has pages."""
    if "move" not in case or state is None:
        return ""
    if game.id not in all_pages():
        return str(case["move"])
    return capitalise(phrase(words_for_state(state, game.id, words), game, game.read(case["move"]), state))


def _answer(case: Case, words: Words) -> str:
    """The answer of a case without a move."""
    if "score" in case:
        points = (_("%(who)s %(n)s", who=capitalise(words.name(seat)), n=n) for seat, n in case["score"].items())
        return ", ".join(points)
    if "ended" in case:
        return _("The game ends: %(rule)s", rule=case["ended"]) if case["ended"] else _("The game goes on.")
    if "due_kinds" in case:
        return _("Due: %(kinds)s", kinds=_series(words, case["due_kinds"])) if case["due_kinds"] else ""
    return _("This is impossible: %(rules)s", rules=", ".join(case["problems"])) if case.get("problems") else ""


def _series(words: Words, codes: Sequence[str]) -> str:
    return ", ".join(words.name(code) for code in codes)


def case_svg(game: AnyGame, case: Case, language: str) -> str | None:
    """The board of a case as SVG, with the piece in question as a ghost; None if there is no drawing."""
    state, pages = state_of_case(game, case), all_pages().get(game.id)
    if state is None or pages is None:
        return None
    move = game.read(case["move"]) if "move" in case else None
    if move is None or game.cannot_stand(state, move) is not None:
        board = pages.draw(state, language)
    else:
        board = pages.draw(game.apply(state, move), language, state)
    return document(board, pages.symbols, merge_inks((pages.inks,)))
