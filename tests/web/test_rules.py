"""The pages of rules: by chapter, by search, from a table; and each rule with its cases and their boards."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from flask import Flask

import rules
from rules import GAMES
from service.cases import numbering, worked_cases
from service.i18n import sentences
from service.i18n.languages import LANGUAGES
from service.storage.ledger import Ledger
from tests.support.document import Document
from tests.support.loops import over
from tests.web.conftest import PART, Visitor
from web.pages import rule_pages
from web.panels.editor.position import entry_of
from web.position_url import Trail, snapshot_of

Visitors = Callable[..., Visitor]
every_game = pytest.mark.parametrize("game", GAMES)
SEARCH_HEADERS = {**PART, "HX-Target": "found"}
"""The headers of htmx while the user types a search."""


def book(game: str) -> Mapping[str, Any]:
    """The rulebook of a game."""
    return rules.load(game, "rulebook")


def flat(text: str) -> str:
    """A text on one line, as a page's text is."""
    return " ".join(text.split())


def rules_on(page: Document, game: str) -> list[str]:
    """The rules to which a page links, in order."""
    start = f"/rules/{game}/"
    found = [link.removeprefix(start) for link in page.links() if link.startswith(start)]
    return [name for name in found if not name.startswith("cases")]


# --- lists -------------------------------------------------------------------------------------------------------


def test_the_first_page_leads_to_the_rules_of_every_game(visitor: Visitors) -> None:
    """The first page links to the list of games, which links to the rules of each."""
    guest = visitor()
    assert "/rules" in guest.see("/").links()
    assert {link for link in guest.see("/rules").links() if link.startswith("/rules/")} == {
        f"/rules/{game}" for game in GAMES
    }


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_rules_stand_by_chapter_in_the_order_of_the_printed_book(
    visitor: Visitors, game: str, language: str
) -> None:
    """The page has every rule once, chapter after chapter, with chapter titles in the reader's language."""
    page = visitor(language).see(f"/rules/{game}")
    words = sentences.words(language, game).text
    order = list(words["chapters"])
    there = rules_on(page, game)
    assert sorted(there) == sorted(book(game))
    places = [order.index(book(game)[rule]["chapter"]) for rule in there]
    assert places == sorted(places)
    assert all(flat(title) in page.text for title in words["chapters"].values())


def test_rules_are_searched_by_a_form_without_a_script(visitor: Visitors) -> None:
    """The search's words are in the address and in the field; each rule found has its matching line, marked."""
    page = visitor("fr").see("/rules/villefranche")
    action, fields = page.form("/rules/villefranche")
    assert fields == {"q": ""}
    found = visitor("fr").see(f"{action}?q=eglises+achevees")
    assert found.form("/rules/villefranche", q="eglises achevees")
    assert rules_on(found, "villefranche")[0] == "VF-50" or "VF-64" in rules_on(found, "villefranche")
    assert "mark" in [tag for tag, _ in found.elements]
    assert "Toutes les règles par chapitre" in found.text


@pytest.mark.parametrize("query", ["two towers side by side", "VF-34"])
def test_a_rule_that_is_found_by_its_name_is_read_at_once(visitor: Visitors, query: str) -> None:
    """A rule found by title or code has its text below the title; its code stands only on the rule's page."""
    found = visitor().see(f"/rules/villefranche?q={query.replace(' ', '+')}")
    rule = sentences.words("en", "villefranche").text["rules"]["VF-34"]
    assert f"{flat(rule['title'])} {flat(rule['text'])}" in found.text
    assert "VF-34" in rules_on(found, "villefranche")
    assert "VF-34" not in found.text
    assert "VF-34" in visitor().see("/rules/villefranche/VF-34").text


def test_words_of_the_other_language_are_found_and_said_to_be_of_it(visitor: Visitors) -> None:
    """On a French page an English word finds the rule in French, with the matching line marked as English. The
    control, an English page, has no such mark.
    """
    lines = []
    for language in ("fr", "en"):
        found = visitor(language).see("/rules/villefranche?q=second+church")
        assert rules_on(found, "villefranche")[0] == "VF-43"
        told = sentences.words(language, "villefranche").text["rules"]["VF-43"]
        assert flat(told["title"]) in found.text
        assert flat(told["text"]) in found.text
        marked = [fields.get("lang") for tag, fields in found.elements if fields.get("class") == "hint"]
        lines.append(marked)
    assert set(lines[0]) == {None, "en"}
    assert set(lines[1]) == {None}


def test_htmx_gets_only_what_was_found(visitor: Visitors) -> None:
    """While the user types, htmx gets the list alone; an empty search lists all rules."""
    guest = visitor()
    answer = guest.get("/rules/villefranche?q=circ", **SEARCH_HEADERS)
    assert "<html" not in answer.text and "VF-21" in answer.text
    assert "<html" not in guest.get("/rules/villefranche?q=", **SEARCH_HEADERS).text
    assert sorted(
        rules_on(Document(guest.get("/rules/villefranche?q=", **SEARCH_HEADERS).text), "villefranche")
    ) == sorted(book("villefranche"))


@pytest.mark.parametrize("asked", ["xyzzy", "x" * 5000, "<script>", "\u202e", "%00", "?", "a" * 99 + " é"])
def test_whatever_is_asked_is_answered(visitor: Visitors, asked: str) -> None:
    """Any search answers 200, and its words never become markup."""
    answer = visitor().client.get("/rules/villefranche", query_string={"q": asked})
    assert answer.status_code == 200
    assert "<script>" not in answer.text


# --- from a table --------------------------------------------------------------------------------------------------


@every_game
def test_the_rules_that_are_due_come_first_from_a_table(visitor: Visitors, ledger: Ledger, game: str) -> None:
    """A table's link lists the rules of its phase before all others."""
    record = {"villefranche": "five_buildings", "fief": "six_together", "robber_knights": "drawn"}
    record |= {"architekton": "no_display", "villa_paletti": "holder_brings_it_down"}
    guest = visitor()
    page = guest.see(guest.sit(ledger, f"{game}/{record[game]}", 3))
    [link] = [link for link in page.links() if link.startswith(f"/rules/{game}?phase=")]
    there = guest.see(link)
    due = list(rule_pages.due_rules(GAMES[game], link.rpartition("=")[2]))
    assert due
    assert rules_on(there, game)[: len(due)] == due
    assert sorted(rules_on(there, game)[len(due) :]) == sorted(book(game))


def test_moves_of_any_time_are_no_phase_of_their_own() -> None:
    """In Fief a murder may come at any time: its rules are not among those of the purchases."""
    due = list(rule_pages.due_rules(GAMES["fief"], "purchases"))
    assert "FI-50" in due and "FI-90" not in due and "FI-57" not in due


def test_a_finding_leads_to_its_rule(visitor: Visitors, ledger: Ledger) -> None:
    """The verdict on a refused move links to the rule's page."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/five_buildings", 0)
    assert "/rules/villefranche/VF-1" in guest.see(f"{table}?move=h+d4").links()


def test_an_effect_leads_to_its_rule(visitor: Visitors, ledger: Ledger) -> None:
    """The effects of a move in the log link to their rules."""
    guest = visitor()
    table = guest.sit(ledger, "villefranche/five_buildings")
    pages = (guest.get(f"{table}/moves?entry={number}").text for number in range(2, 60))
    effects = (re.findall(r'<span class="says">[^<]*</span> <(\w+) class="id quiet"', page) for page in pages)
    assert set(next(found for found in effects if found)) == {"a"}


# --- a rule --------------------------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_has_its_page(visitor: Visitors, game: str, language: str) -> None:
    """A rule's page has its text, its printed place, the values of its readings, related rules, and each case."""
    guest, words = visitor(language), sentences.words(language, game).text
    every_case = rules.load(game, f"case_text/{language}")
    for rule, told in over(list(book(game).items())[::3]):
        page = guest.see(f"/rules/{game}/{rule}")
        text = page.text
        for name in ("title", "text", "printed"):
            assert flat(words["rules"][rule][name]) in text, rule
        for key in told.get("readings", ()):
            assert all(flat(value) in text for value in words["readings"][key]["values"].values()), rule
        assert set(told["see"]) <= set(rules_on(page, game)), rule
        assert all(flat(line) in text for case, line in every_case.items() if case.split("/")[0] == rule), rule


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rule_has_a_board_beside_it(visitor: Visitors, app: Flask, game: str, language: str) -> None:
    """The board beside a rule shows one of its cases: one that breaks the rule, if such a case has a board."""
    guest = visitor(language)
    shown = 0
    for rule in over(list(book(game))[::3]):
        page = guest.get(f"/rules/{game}/{rule}").text
        figure = re.findall(r"<figure.*?</figure>", page, re.DOTALL)
        drawn = [case for case in rulebook_view(app, game, rule) if case.board_href]
        assert len(figure) == bool(drawn), rule
        for found in figure:
            [case] = [case for case in drawn if f">{case.name}</span>" in found]
            assert case.ruling == "illegal" or not any(other.ruling == "illegal" for other in drawn)
            assert str(case.board_href) in found
            with guest.get(case.board_href or "") as picture:
                assert picture.mimetype == "image/svg+xml"
            shown += 1
            assert found.count("<img") == 1
            assert page.index("<figure") < page.index("<dl")
    assert shown


@pytest.mark.parametrize(("language", "title"), [("en", "county of Tournus"), ("fr", "comté de Tournus")])
def test_a_case_names_fiefs_as_its_table_does(visitor: Visitors, language: str, title: str) -> None:
    """The move of a case names a fief by its village, as at a table, not by its code on the map."""
    page = visitor(language).see("/rules/fief/cases/FI-C474").text
    assert title in page
    assert "F4:" not in page.replace(" ", "").replace("\u00a0", "")


@every_game
def test_cases_are_drawn_and_laid_out_where_one_can_go_on(visitor: Visitors, app: Flask, game: str) -> None:
    """A case's picture loads, and its links open its exact position, to count and to ask."""
    guest = visitor()
    book_of_cases = rules.load(game, "cases")
    seen = 0
    for rule in list(book(game))[::4]:
        view = rulebook_view(app, game, rule)
        for case in view[:2]:
            if case.board_href is None:
                continue
            seen += 1
            picture = guest.get(case.board_href)
            assert (picture.status_code, picture.mimetype) == (200, "image/svg+xml")
            assert case.count_href is not None
            assert guest.get(case.count_href).status_code == 200, case.name
            [told] = [each for each in book_of_cases["case"] if numbering.name(each) == case.name]
            state = worked_cases.stage(GAMES[game], told, book_of_cases)
            assert GAMES[game].position(enter(game, case.count_href)) == GAMES[game].position(state), case.name
            ask_case(guest, case)
    assert seen


def ask_case(guest: Visitor, case: rule_pages.ShownCase) -> None:
    """The link to a case's question leads to the case's ruling."""
    assert case.ask_href is not None
    page = guest.get(case.ask_href)
    assert page.status_code == 200, case.name
    assert f'class="verdict {case.ruling}"' in page.text or not case.ruling, case.name


def rulebook_view(app: Flask, game: str, rule: str) -> tuple[rule_pages.ShownCase, ...]:
    """The cases on a rule's page."""
    with app.test_request_context(f"/rules/{game}/{rule}"):
        return rule_pages.rule_of(GAMES[game], rule, "en").cases


def enter(game: str, link: str) -> Any:
    """The state in the address of a count."""
    of_game = GAMES[game]
    there = snapshot_of(of_game, entry_of(of_game), Trail.of(link.rpartition("/")[2]))
    return of_game.enter(there.setup, there.position)


# --- the case book -------------------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_case_book_has_every_case_by_rule_and_under_its_readings(
    visitor: Visitors, game: str, language: str
) -> None:
    """The case book links to each case once by its rule, and once more for each reading that it chooses."""
    page = visitor(language).see(f"/rules/{game}/cases")
    start = f"/rules/{game}/cases/"
    there = sorted(link.removeprefix(start) for link in page.links() if link.startswith(start))
    every = rules.load(game, "cases")["case"]
    twice = [numbering.name(case) for case in every for _ in case.get("readings", ())]
    assert there == sorted([*map(numbering.name, every), *twice])


@every_game
@pytest.mark.parametrize(
    ("language", "ruled"),
    [("en", {"legal": "Legal", "illegal": "Not legal"}), ("fr", {"legal": "Permis", "illegal": "Interdit"})],
    ids=["en", "fr"],
)
def test_a_case_has_its_page_with_what_the_referee_says(
    visitor: Visitors, game: str, language: str, ruled: dict[str, str]
) -> None:
    """A case's page has its sentence, its ruling, the titles of the broken rules, and cells that open its position."""
    guest, words = visitor(language), sentences.words(language, game).text
    for case in over(rules.load(game, "cases")["case"][::25]):
        page = guest.see(f"/rules/{game}/cases/{numbering.name(case)}")
        assert flat(rules.load(game, f"case_text/{language}")[case["id"]]) in page.text
        assert f"/rules/{game}/{case['id'].split('/')[0]}" in page.links()
        assert all(flat(words["rules"][rule]["title"]) in page.text for rule in case.get("broken", ())), case["id"]
        if "ruling" in case:
            assert ruled[case["ruling"]] in page.text
        if "problems" not in case:
            assert any(link.startswith(f"/count/{game}/") and "?at=" in link for link in page.links()), case["id"]


@pytest.mark.parametrize(
    "path",
    [
        "/rules/chess",
        "/rules/villefranche/VF-999",
        "/rules/chess/VF-1",
        "/rules/villefranche/cases/VF-C9999",
        "/rules/villefranche/cases/VF-C9999.svg",
    ],
)
def test_what_is_not_there_is_told(visitor: Visitors, path: str) -> None:
    """An unknown game, rule or case answers 404 with a page of ours."""
    answer = visitor().get(path)
    assert answer.status_code == 404
    assert "Bastide" in answer.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_link_to_a_rule_is_heard_with_its_title(visitor: Visitors, ledger: Ledger, language: str) -> None:
    """On panels with rule codes, each link's label has the code and the rule's title."""
    guest = visitor(language)
    table = guest.sit(ledger, "robber_knights/knights_decide", 13)
    titles = {code: rule["title"] for code, rule in sentences.words(language, "robber_knights").text["rules"].items()}
    for path in ("?at=-2,-2&kind=plain+castle&so=e;1;4", "/score", "/readings"):
        named = [
            (str(attributes["href"]).rpartition("/")[2], attributes.get("aria-label"))
            for _, attributes in guest.see(table + path).elements
            if attributes.get("class") == "id quiet"
        ]
        assert named and all(label == f"{code} {titles[code]}" for code, label in named), path
