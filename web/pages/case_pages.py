"""Prepares the pages of worked cases: the case book by rule and by reading, and one case on the board."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

import rules
from rules.cases import rule_id_of
from rules.records import dataclass
from rules.steps import each
from service.cases import numbering
from service.i18n import sentences
from service.i18n.game_texts import case_sentence
from service.i18n.sentences import Words
from service.judgements import Judgement
from service.rulings import judge
from service.types import AnyGame, State
from web.board.drawing import Drawing
from web.board.scene import Light, Scene, scene
from web.board.shapes import Symbol
from web.browser.address import EditorAddress
from web.game_pages import AnyPages
from web.games import all_pages
from web.pages.rule_pages import Case, ShownCase, shown_case, state_of_case
from web.panels.sentences import Consequence, Reason, consequences, lit_finding, reasons

CASE_STEPS: Final = 10
"""Steps to list a case."""


@dataclass(frozen=True, slots=True)
class CaseGroup:
    """Cases that belong together: the number of each, and its sentence. `rule`: their common rule, if any."""

    title: str
    rule: str | None
    cases: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CaseBook:
    """All cases of a game, by rule and by reading."""

    game: AnyGame
    words: Words
    by_rule: tuple[CaseGroup, ...]
    by_reading: tuple[CaseGroup, ...]


@dataclass(frozen=True, slots=True)
class CaseView:
    """A worked case: `scene` is its board, whose cells link to the editor with its position."""

    game: AnyGame
    words: Words
    case: ShownCase
    rule: str
    title: str
    scene: Scene | None
    symbols: tuple[Symbol, ...]
    reasons: tuple[Reason, ...]
    consequences: tuple[Consequence, ...]
    past: None = None


def case_book(game: AnyGame, language: str) -> CaseBook:
    """The case book of a game."""
    words, every = sentences.words(language, game.id), rules.load(game.id, "cases")["case"]
    by_rule = (
        _group(words, words.text["rules"][rule]["title"], rule, [case for case in every if rule_id_of(case) == rule])
        for rule in rules.load(game.id, "rulebook")
    )
    by_reading = (
        _group(
            words,
            f"{words.text['readings'][reading.key]['title']}: {words.text['readings'][reading.key]['values'][value]}",
            None,
            [case for case in every if case.get("readings", {}).get(reading.key) == value],
        )
        for reading in game.readings
        for value in reading.values
    )
    return CaseBook(game, words, tuple(by_rule), tuple(group for group in by_reading if group.cases))


def _group(words: Words, title: str, rule: str | None, cases: list[Case]) -> CaseGroup:
    told = ((numbering.name(case), case_sentence(words.game, case, words.language)) for case in each(cases, CASE_STEPS))
    return CaseGroup(title, rule, tuple(told))


def case_view(game: AnyGame, case: Case, address: EditorAddress, language: str) -> CaseView:
    """A worked case, with the current ruling."""
    words, state, rule = sentences.words(language, game.id), state_of_case(game, case), rule_id_of(case)
    of_case, pages = shown_case(game, case, words), all_pages().get(game.id)
    title = words.text["rules"][rule]["title"]
    if state is None or pages is None:
        return CaseView(game, words, of_case, rule, title, None, (), (), ())
    words = pages.words_for(words, state)
    judgement = judge.judge(game, state, game.read(case["move"])) if "move" in case else None
    case_scene = _scene(pages, state, judgement, address, of_case.count_href, language)
    if judgement is None:
        return CaseView(game, words, of_case, rule, title, case_scene, pages.symbols, (), ())
    findings = judgement.verdict.findings
    consequence_rows = consequences(words, judgement.effects, findings)
    return CaseView(
        game,
        words,
        of_case,
        rule,
        title,
        case_scene,
        pages.symbols,
        reasons(words, findings, address),
        consequence_rows,
    )


def _scene(
    pages: AnyPages, state: State, judgement: Judgement | None, address: EditorAddress, there: str | None, language: str
) -> Scene:
    """The board, with the piece in question as a ghost, and the evidence of the ruling lit."""

    def leads(spot: str) -> str:
        return f"{there or ''}?{urlencode({'at': spot})}"

    if judgement is None:
        return scene(Drawing.of(pages.draw(state, language)), Light(), None, leads)
    game, move = judgement.game, judgement.move
    finding = lit_finding(judgement.verdict.findings, address.show)
    facts = pages.locate_facts(state, finding.facts.evidence) if finding else ()
    light = Light(frozenset(game.cells_of(move)), judgement.ruling.value, facts, seats=game.seats_of(state))
    if judgement.cannot_stand is not None:
        return scene(Drawing.of(pages.draw(state, language)), light, None, leads)
    return scene(Drawing.of(pages.draw(game.apply(state, move), language, state)), light, None, leads)
