"""Moves made answer by answer: where legal answers lead, and invalid answers in an address."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import pytest

from rules import GAMES
from service.i18n.sentences import words
from service.storage.ledger import Ledger
from tests.rules.play import random_game, setups
from tests.support.document import Document
from tests.support.loops import over
from tests.web.conftest import Visitor, pages_data
from web.game_pages import Codes, Draft, no_questions
from web.games import all_pages, pages_of

DRAFTING = {name: pages for name, pages in all_pages().items() if pages.draft is not no_questions}
every_draft = pytest.mark.parametrize("name", DRAFTING)
MOST = 1000
"""The most drafts explored for one kind of move at a cell; a building has fewer."""
EARLY = 100
"""The most moves played of a random game."""
FEW = 60
"""The same limit where any drafts will do."""
NONSENSE = (
    "",
    "?",
    "n",
    "-",
    "9" * 30,
    "f99,99",
    "k0,0",
    "kx,y",
    "f1000,0",
    "E",
    "EEEE",
    "o1,0",
    "nE",
    "\u0660",
    "e",
    "0",
    "1",
)


def draft_of(name: str, state: Any, kind: str, cell: Any, *so: str) -> Draft[Any]:
    """The draft for these answers, in English; it must exist."""
    draft = DRAFTING[name].draft(state, kind, cell, so, words("en", name))
    assert draft is not None
    return draft


def on_from(draft: Draft[Any]) -> Iterator[Codes]:
    """The next answers that can lead to a legal move."""
    yield from (tap.codes for question in draft.questions for tap in question.answers if tap.possible and tap.legal)
    yield from draft.cells.values()


def explore(name: str, state: Any, kind: str, cell: Any, most: int) -> tuple[dict[Codes, Draft[Any]], bool]:
    """Up to `most` drafts that legal answers lead to, and whether these are all."""
    found: dict[Codes, Draft[Any]] = {}
    waiting: dict[Codes, None] = {(): None}
    while waiting and len(found) < most:
        so, _ = waiting.popitem()
        found[so] = draft_of(name, state, kind, cell, *so)
        waiting |= {other: None for other in on_from(found[so]) if other not in found}
    return found, not waiting


def drafts_of(name: str, state: Any) -> Iterator[tuple[str, Any, list[Any]]]:
    """Each kind of move made answer by answer, its cell or None, and its legal moves."""
    game, drawing, said = GAMES[name], pages_of(name), words("en", name)
    for kind in game.due(state).kinds:
        if DRAFTING[name].draft(state, kind, None, (), said):
            yield kind, None, list(game.moves(state, (kind,)))
    for spot in drawing.draw(state, "en").spots:
        for option in drawing.options(state, spot.cell):
            if DRAFTING[name].draft(state, option.kind, spot.cell, (), said):
                yield option.kind, spot.cell, [move for move in option.moves if game.check(state, move).legal]


class Exploration(NamedTuple):
    """A kind of move made answer by answer, its legal moves, and the drafts that legal answers lead to."""

    state: Any
    kind: str
    cell: Any
    legal: list[Any]
    drafts: dict[Codes, Draft[Any]]
    complete: bool


@cache
def some_drafts(name: str, most: int) -> tuple[Exploration, ...]:
    """For a random state of each of a game's setups: one exploration per kind with legal moves."""
    return tuple(Exploration(*some, *explore(name, *some[:3], most)) for some in _some_drafts(name, Random(most)))


def _some_drafts(name: str, chance: Random) -> Iterator[tuple[Any, str, Any, list[Any]]]:
    for form in setups(name):
        states = [state for state, _ in islice(random_game(GAMES[name], chance, form), EARLY)]
        state = chance.choice(states)
        found = [some for some in drafts_of(name, state) if some[2]]
        for kind in sorted({kind for kind, _, _ in found}):
            yield (state, *chance.choice([some for some in found if some[0] == kind]))


@pytest.mark.parametrize("name", [name for name in DRAFTING if pages_data(name).get("only_legal")])
def test_legal_answers_lead_to_legal_moves_only(name: str) -> None:
    """Answers offered as legal mean legal moves only."""
    game = GAMES[name]
    for state, _, _, _, drafts, _ in over(some_drafts(name, MOST)):
        for draft in over(drafts.values()):
            assert draft.move is None or game.check(state, draft.move).legal, game.write(draft.move)


@every_draft
def test_every_legal_move_can_be_answered(name: str) -> None:
    """Answers reach every legal move, or one with the same effect; no draft is a dead end."""
    game = GAMES[name]
    whole = 0
    for state, kind, cell, legal, drafts, complete in some_drafts(name, MOST):
        for so, draft in drafts.items():
            assert draft.move is not None or any(other != so for other in on_from(draft)), (kind, cell, so)
        if not complete:
            continue
        whole += 1
        reached = {game.write(draft.move): draft.move for draft in drafts.values() if draft.move is not None}
        after = [game.apply(state, move) for move in reached.values() if game.cannot_stand(state, move) is None]
        for move in legal:
            assert game.write(move) in reached or game.apply(state, move) in after, game.write(move)
    assert whole


@every_draft
def test_answers_that_mean_nothing_are_left_out(name: str) -> None:
    """Any answers in any order give a draft; its move can be judged, and its answers give drafts again."""
    chance, judged = Random(2), 0
    for state, kind, cell, _, drafts, _ in over(some_drafts(name, FEW)):
        known = {answer for so in drafts for answer in so}
        pool = (*NONSENSE, *sorted(known)[:40])
        for _ in range(60):
            so = tuple(chance.choice(pool) for _ in range(chance.randint(1, 7)))
            draft = draft_of(name, state, kind, cell, *so)
            if draft.move is not None:
                GAMES[name].check(state, draft.move)
                assert GAMES[name].read(GAMES[name].write(draft.move)) == draft.move
                judged += 1
            for question in (*draft.questions, *draft.aside, *draft.optional):
                answer = chance.choice(question.answers)
                assert ";" not in "".join(answer.codes)
                draft_of(name, state, kind, cell, *answer.codes)
    assert judged


@every_draft
def test_every_question_can_be_read(name: str) -> None:
    """Every question has a title and answers, whose labels differ."""
    drafts = (draft for looked in some_drafts(name, FEW) for draft in looked.drafts.values())
    asked = (question for draft in drafts for question in (*draft.questions, *draft.aside, *draft.optional))
    for question in over(asked):
        assert question.answers
        assert question.title and not any(mark in question.title + question.note for mark in "{}…")
        assert len({tap.label for tap in question.answers}) == len(question.answers)


# --- the page ----------------------------------------------------------------------------------------------------


def link_of(page: Document, label: str) -> str:
    """The address of the link with this id."""
    return next(attributes["href"] or "" for _, attributes in page.elements if attributes.get("id") == label)


def test_the_only_kind_at_a_cell_is_asked_for_at_once(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """A tap where only a building goes asks for its sides; the page also lists other pieces, and a cross leads back."""
    guest = visitor()
    table = guest.sit(ledger, "architekton/no_display", 20)
    page = guest.see(f"{table}?at=-5,-2")
    assert "beside meadow" in page.text
    assert "Something else" in page.text
    assert "A landscape touches buildings only" in page.text
    assert link_of(page, "leave") == table
    page = guest.see(link_of(page, "q2-2"))
    assert link_of(page, "q2-2") == f"{table}?at=-5,-2"
    page = guest.see(f"{table}?at=-5,-2&so=nF;eM;sE;wM")
    page = guest.send(page.form("/play", move="(-5,-2) building F M E M"))
    assert "Iris: building (forest, meadow, earth and meadow) beside meadow" in page.text


def test_from_a_ruling_one_goes_back_by_an_answer(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """The cancel link of a ruling takes back one answer; a refused move can be answered and let stand."""
    guest = visitor()
    table = guest.sit(ledger, "robber_knights/knights_decide", 13)
    place = f"{table}?at=-2,-2&kind=plain+castle"
    page = guest.see(f"{place}&so=e;1;4")
    assert "Legal Castle in the plain beside " in page.text and "knights to the right: 1, 4" in page.text
    assert link_of(page, "cancel").endswith("so=e;1")
    page = guest.see(f"{place}&so=e;1;5")
    assert "A castle brings 5 knights at most, not 6." in page.text
    page = guest.send(page.form("/play", stands="yes"))
    assert "knights to the right: 1, 5, let stand" in page.text


def test_the_tile_of_which_is_asked_is_lit(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """The page lights the castle first, then the tile of the march about which it asks."""
    guest = visitor()
    place = f"{guest.sit(ledger, 'robber_knights/knights_decide', 13)}?at=-2,-2&kind=plain+castle"
    lit = [re.findall(r'<rect class="mark chosen" x="(-?\d+)"', guest.get(place + so).text) for so in ("", "&so=e;1")]
    assert lit == [["-197"], ["-97"]]


@pytest.mark.parametrize("game", ["architekton/no_display", "robber_knights/knights_decide"])
@pytest.mark.parametrize("kind", ["", "&kind=building", "&kind=plain+castle"])
def test_a_cell_that_touches_nothing_says_why(
    game: str, kind: str, visitor: Callable[..., Visitor], ledger: Ledger
) -> None:
    """At a corner of the board the page asks nothing, and one line says why no tile goes there."""
    guest = visitor()
    table = guest.sit(ledger, game, 2)
    corner = next(str(found["id"]) for _, found in guest.see(table).elements if str(found.get("id")).startswith("c-"))
    answer = guest.get(f"{table}?at={corner.removeprefix('c-')}{kind}").text
    assert "here it touches none" in answer
    assert "data-next" not in answer
    assert "earth, earth" not in answer


@pytest.mark.parametrize("taken", [False, True])
def test_no_building_is_ruled_on_that_nobody_named(
    taken: bool, visitor: Callable[..., Visitor], ledger: Ledger
) -> None:
    """Where no tile goes, a building still asks for its sides: only a tile with sides gets a ruling."""
    guest = visitor()
    table = guest.sit(ledger, "architekton/no_display", 0)
    cell = "0,0" if taken else "-1,-2"
    page = guest.see(f"{table}?at={cell}&kind=building")
    assert "mark open" in [attributes.get("class") for _, attributes in page.elements]
    assert ("this one is taken" if taken else "here it touches none") in page.text
    page = guest.see(link_of(page, "o-building"))
    assert "Top" in page.text
    assert "Not legal" not in page.text
    page = guest.see(f"{table}?at={cell}&kind=building&so=nE;eE;sM;wE")
    assert "Building (earth, earth, meadow and earth)" in page.text


def test_a_question_with_one_answer_is_not_asked(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """A march without a choice gets its ruling at once; one with a choice asks how many knights stay."""
    guest = visitor()
    place = f"{guest.sit(ledger, 'robber_knights/three_with_letters', 45)}?at=5,-1&kind=plain+castle"
    page = guest.see(f"{place}&so=w")
    assert [found["id"] for _, found in page.elements if found.get("id") in ("q1", "q2", "q3")] == ["q1"]
    assert page.form("/play")
    page = guest.see(f"{guest.sit(ledger, 'robber_knights/knights_decide', 13)}?at=-2,-2&kind=plain+castle&so=e")
    assert "How many stay on the castle?" in page.text


@pytest.mark.parametrize("name", DRAFTING)
def test_an_only_answer_is_given(name: str) -> None:
    """A question's only answer is chosen already, or the move is complete without it."""
    for looked in over(some_drafts(name, FEW)):
        for draft in over(looked.drafts.values()):
            lone = [question.answers[0] for question in draft.questions if len(question.answers) == 1]
            assert all(answer.is_chosen for answer in lone) or draft.move is not None


def test_what_nobody_has_to_say_is_folded(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """A tile without knights can be placed from the list; its own page has a fold for the letter on its back."""
    guest = visitor()
    table = guest.sit(ledger, "robber_knights/knights_decide", 20)
    page = guest.see(f"{table}?at=-4,-3")
    page.form("/play", move="(-4,-3) plain village")
    page = guest.see(link_of(page, "o-plain_village"))
    page.form("/play", move="(-4,-3) plain village")
    assert "Letter on the back" in page.text and not is_open(page, "b1")
    page = guest.see(link_of(page, "b1-3"))
    assert is_open(page, "b1") and link_of(page, "b1-1") == f"{table}?at=-4,-3&kind=plain+village"
    page = guest.send(page.form("/play", move="(-4,-3) plain village:B"))
    assert "in the plain (B) beside" in page.text


def is_open(page: Document, label: str) -> bool:
    """Whether the fold with this title is open."""
    number = next(number for number, (_, attributes) in enumerate(page.elements) if attributes.get("id") == label)
    return "open" in page.elements[number - 1][1]


def skips(page: Document) -> dict[str, str]:
    """Id of the link before each skip link (empty without one) -> the skip link's target."""
    found, before = {}, ""
    for tag, attributes in page.elements:
        if attributes.get("class") == "skip":
            found[before] = (attributes["href"] or "").removeprefix("#")
        elif tag == "a":
            before = attributes.get("id") or ""
    return found


def focusable(page: Document, label: str) -> bool:
    """Whether a skip link can move the focus to this id."""
    return any(attributes.get("id") == label and "tabindex" in attributes for _, attributes in page.elements)


def test_the_keyboard_skips_to_what_is_next(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """Skip links after each chosen answer and before all questions lead to the next question.

    With a ruling they lead to the buttons. At a cell, one skips its neighbours and leads to the pieces.
    """
    guest = visitor()
    table = guest.sit(ledger, "robber_knights/knights_decide", 13)
    place = f"{table}?at=-2,-2&kind=plain+castle"
    page = guest.see(f"{place}&so=e;1")
    assert list(skips(page).values()) == ["panel", "q3", "q3", "q3"] and focusable(page, "q3")
    chosen = [attributes["id"] for _, attributes in page.elements if "answer chosen" in (attributes.get("class") or "")]
    assert len(chosen) == 2 and set(chosen) < skips(page).keys()
    assert set(skips(guest.see(f"{place}&so=e;1;4")).values()) >= {"actions", "panel"}
    page = guest.see(f"{table}?at=-2,-2")
    assert "rows" in skips(page).values() and focusable(page, "rows")
    assert set(skips(guest.see(table)).values()) == {"panel"}


def test_what_there_is_one_of_is_shown_at_once(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """Where only one cell matters, it is open, its kinds lead to rulings, and other cells point to it."""
    guest = visitor()
    table = guest.sit(ledger, "architekton/early_end", 17)
    page = guest.see(table)
    assert "Simon keeps the house of the surrounded building and pays 1, or takes it back" in page.text
    assert [attributes.get("class") for _, attributes in page.elements].count("mark open") == 1
    elsewhere = guest.see(f"{table}?at=0,0")
    assert "The surrounded building comes first: tap it." in elsewhere.text
    assert [attributes.get("class") for _, attributes in elsewhere.elements].count("mark open") == 1
    page = guest.see(link_of(page, "k-2"))
    assert "Legal The house of the building (forest, water, meadow and meadow) goes back" in page.text
    page = guest.send(page.form("/play", move="take (3,-2)"))
    assert "Simon: the house of the building (forest, water, meadow and meadow) goes back" in page.text
