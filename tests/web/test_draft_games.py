"""Questions about a tile of Architekton and a march of Robber Knights, and the moves that answers mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules import GAMES
from service import schemas
from service.i18n.sentences import words
from service.rulings import judge
from tests.support.records import record_of
from web.game_pages import Draft, Question
from web.games import pages_of
from web.games.robber_knights.questions import resolve_answers


def draft_of(name: str, state: Any, kind: str, cell: Any, *so: str) -> Draft[Any]:
    """The draft for these answers, in English; it must exist."""
    drawing = pages_of(name)
    draft = drawing.draft(state, kind, cell, so, words("en", name))
    assert draft is not None
    return draft


# --- the tiles of Architekton ------------------------------------------------------------------------------------


def table(name: str, number: int) -> Any:
    """A recorded game of Architekton after so many moves."""
    game = GAMES["architekton"]
    record = record_of(f"architekton/{name}")
    state = game.setup(schemas.load(schemas.of(game).setup, record["setup"]))
    for move in record["moves"][:number]:
        state = game.apply(state, game.read(move))
    return state


def says(state: Any, kind: str, cell: Any, *so: str) -> str | None:
    """The notation of the move that these answers mean, or None."""
    draft = draft_of("architekton", state, kind, cell, *so)
    return GAMES["architekton"].write(draft.move) if draft.move else None


def picture_questions(draft: Draft[Any]) -> list[Question]:
    """The questions that are answered by a picture of a tile."""
    return [question for question in draft.questions if question.form == "tiles"]


def test_a_building_is_told_by_its_sides() -> None:
    """Sides, in any order, narrow the buildings; a second tap clears one; a few left are shown as pictures.

    Three sides leave four possible buildings.
    """
    state = table("no_display", 0)
    draft = draft_of("architekton", state, "building", (1, 0))
    assert [question.title for question in draft.questions] == ["Top", "Right", "Bottom", "Left"]
    assert [question.note for question in draft.questions] == ["", "", "beside water", "beside meadow"]
    assert not picture_questions(draft_of("architekton", state, "building", (1, 0), "wM", "nF"))
    (few,) = picture_questions(draft_of("architekton", state, "building", (1, 0), "wM", "nF", "eM"))
    assert sorted(tap.label for tap in few.answers) == [
        f"forest, meadow, {south}, meadow" for south in ("earth", "forest", "meadow", "water")
    ]
    assert says(state, "building", (1, 0), "wM", "nF", "eM") is None
    assert says(state, "building", (1, 0), "wM", "nF", "eM", "sW") == "(1,0) building F M W M"
    west = draft_of("architekton", state, "building", (1, 0), "wM", "nF").questions[3]
    assert [tap.codes for tap in west.answers if tap.is_chosen] == [("nF",)]


def test_what_lies_in_the_box_narrows_the_sides() -> None:
    """With a known box, a side offers only landscapes that leave a tile; the others are folded away.

    Of the tiles of this box only W W W E and W W E W, which are the same, have water on three sides.
    """
    state = table("box_and_series", 2)
    draft = draft_of("architekton", state, "up_building", None, "nW", "eW", "sW")
    assert draft.questions == ()
    assert says(state, "up_building", None, "nW", "eW", "sW") == "up building E W W W"
    draft = draft_of("architekton", state, "up_building", None, "nW", "eW")
    assert [tap.label for tap in draft.questions[2].answers if tap.possible] == ["earth", "water", "forest"]
    lost = {question.title: [tap.codes for tap in question.answers] for question in draft.aside}
    assert lost["Bottom"] == [("nW", "eW", "sM")]
    assert draft_of("architekton", state, "up_building", None, "nW", "eW", "sM").lines == ("No such building is left.",)
    asked = draft_of("architekton", state, "up_building", None, "nM", "eE", "sM", "wE")
    assert asked.move is not None and not GAMES["architekton"].check(state, asked.move).legal


def test_a_display_is_chosen_from_by_pictures() -> None:
    """A display's tiles are shown at once in every turn, legal ones first; the sides of other tiles are folded away.

    The display has E W W W, M F M W and M M M W; the free cell has earth in the north and nothing else beside it.
    """
    state = table("box_and_series", 4)
    draft = draft_of("architekton", state, "building", (0, -1))
    (tiles,) = draft.questions
    assert len(tiles.answers) == 12
    assert [tap.legal for tap in tiles.answers] == [True] + [False] * 11
    assert tiles.answers[0].label == "earth, water, water, water"
    assert says(state, "building", (0, -1), *tiles.answers[0].codes) == "(0,-1) building E W W W"
    assert [len(question.answers) for question in draft.aside] == [4, 4, 4, 4]
    told = draft_of("architekton", state, "building", (0, -1), "nF")
    assert told.move is None and [len(question.answers) for question in told.questions] == [12]
    assert says(state, "building", (0, -1), "nF", "eF", "sF", "wF") == "(0,-1) building F F F F"


def test_where_no_landscape_fits_a_line_says_why() -> None:
    """Where no landscape of the display matches a side, a line says so; beside a matching side, none does."""
    state = table("box_and_series", 12)
    none = draft_of("architekton", state, "landscape", (-2, 2))
    assert [tap.legal for tap in none.questions[0].answers] == [False, False]
    assert none.lines == ("None of these matches a side that it would touch.",)
    assert draft_of("architekton", state, "landscape", (0, -2)).lines == ()


def test_a_tile_can_be_turned_at_the_end() -> None:
    """A building with all its sides can be turned; turns that are not legal say so."""
    state = table("no_display", 0)
    (turned,) = draft_of("architekton", state, "building", (1, 0), "nF", "eE", "sW", "wE").questions
    assert {tap.label: (tap.legal, tap.is_chosen) for tap in turned.answers} == {
        "forest, earth, water, earth": (True, True),
        "earth, water, earth, forest": (False, False),
        "water, earth, forest, earth": (False, False),
        "earth, forest, earth, water": (False, False),
    }
    assert says(state, "building", (1, 0), "nF", "eE", "sW", "wE", "WEFE") == "(1,0) building W E F E"
    assert draft_of("architekton", state, "building", (1, 0), "nF", "eF", "sF", "wF").questions == ()


def test_a_house_comes_from_elsewhere() -> None:
    """Without a house in supply the draft asks from which tile one comes; a tap on the tile answers."""
    state = table("houses_moved", 24)
    told = ("nW", "eE", "sM", "wF")
    draft = draft_of("architekton", state, "building", (0, 1), *told)
    assert draft.move is None
    assert draft.cells[(5, 0)] == (*told, "f5,0")
    assert len(draft.cells) == 12
    assert says(state, "building", (0, 1), *told, "f5,0") == "(0,1) building W E M F from (5,0)"
    assert says(state, "building", (0, 1), *told, "f0,1") is None


def enter(earth: Sequence[tuple[int, int]], buildings: Mapping[tuple[int, int], str]) -> Any:
    """A table with earth on some cells, and buildings of Light, who is to play."""
    form = {
        "landscapes": [{"cell": list(cell), "landscape": "earth"} for cell in earth],
        "buildings": [{"cell": list(cell), "sides": sides, "house": "light"} for cell, sides in buildings.items()],
    }
    game = GAMES["architekton"]
    layout = [{"cell": [0, 0], "tile": "earth"}, {"cell": [1, 1], "tile": "earth"}]
    setup = schemas.load(schemas.of(game).setup, {"layout": layout})
    position = schemas.load(schemas.of(game).position, form)
    assert not list(game.problems(setup, position))
    return game.enter(setup, position)


def test_what_is_settled_is_asked_with_the_tile() -> None:
    """For each own building that has to pay, the draft asks if its house stays; for several, in which order.

    A landscape goes between two buildings with no other mismatch: one wants water there, the other earth. No earth
    is left, so it is folded away.
    """
    around = ((1, 1), (0, 0), (1, -1), (3, 1), (4, 0), (3, -1))
    state = enter(around, {(1, 0): "EWEE", (3, 0): "EEEE"})
    draft = draft_of("architekton", state, "landscape", (2, 0), "W")
    assert [len(question.answers) for question in (*draft.questions, *draft.aside)] == [3, 2, 1]
    assert [tap.label for tap in draft.questions[1].answers] == [
        "Its house stays: 1 chip",
        "Its house goes back: 0 chips",
    ]
    assert draft.move is None
    assert says(state, "landscape", (2, 0), "W", "k3,0") == "(2,0) landscape W keep (3,0)"
    assert says(state, "landscape", (2, 0), "W", "t3,0", "k3,0") == "(2,0) landscape W keep (3,0)"
    assert says(state, "landscape", (2, 0), "E", "k1,0") == "(2,0) landscape E keep (1,0)"
    assert says(state, "landscape", (2, 0), "E") is None
    # Forest suits neither: both have to be paid for, and the order matters.
    draft = draft_of("architekton", state, "landscape", (2, 0), "F", "k1,0", "t3,0")
    assert [len(question.answers) for question in draft.questions] == [3, 2, 2, 2]
    assert says(state, "landscape", (2, 0), "F", "k1,0", "t3,0") == "(2,0) landscape F take (3,0) keep (1,0)"
    ordered = says(state, "landscape", (2, 0), "F", "k1,0", "t3,0", "o1,0")
    assert ordered == "(2,0) landscape F order (1,0) (3,0) keep (1,0) take (3,0)"


def test_an_end_is_said_before_it_comes() -> None:
    """The verdict says who would lose by the tile: three sides differ, and one chip is in hand.

    Forest matches the building in the north only, which is not settled.
    """
    state = enter(((1, 1), (0, 0), (1, -1)), {(1, 0): "WMWE", (2, 1): "EEFE"})
    draft = draft_of("architekton", state, "landscape", (2, 0), "F", "k1,0")
    assert draft.move is not None
    lost = judge.judge(GAMES["architekton"], state, draft.move).effects[0]
    assert (lost.rule, lost.facts.code, lost.facts.values["chips"]) == ("AR-22", "lost", 1)


# --- the march of Robber Knights ---------------------------------------------------------------------------------


def test_a_march_offers_what_is_legal_and_asks_aside_for_the_rest() -> None:
    """A march's questions offer the legal numbers of knights that stay; all others are folded away."""
    game = GAMES["robber_knights"]
    layout = [{"cell": [x, y], "tile": "plain" if y else "mountain"} for x in (0, 1) for y in (0, 1)]
    state = game.setup(schemas.load(schemas.of(game).setup, {"layout": layout}))

    def march(*so: str) -> Draft[Any]:
        return draft_of("robber_knights", state, "plain castle", (2, 1), *so)

    # One at least on each plain, five in all: the castle keeps up to four, the next plain what is left.
    assert [[tap.label for tap in question.answers] for question in march("w", "1").questions[1:]] == [
        ["1", "2", "3", "4"],
        ["1", "2", "3", "4"],
    ]
    assert [tap.label for tap in march("w", "3").questions[2].answers] == ["1", "2"]
    assert game.write(march("w", "3", "2").move) == "(2,1) plain castle >w 3 2"
    assert game.write(march("-").move) == "(2,1) plain castle"
    lost = march("w", "3").aside
    assert [[tap.label for tap in question.answers] for question in lost[1:]] == [["0", "5"], ["0", "3", "4", "5"]]
    many = march("w", "3", "3").move
    assert game.write(many) == "(2,1) plain castle >w 3 3"
    assert game.check(state, many).broken_rules == ("RK-20",)
    gap = march("n", "1", "1").move
    assert game.write(gap) == "(2,1) plain castle >n 1 1"
    assert game.check(state, gap).broken_rules == ("RK-21",)


def test_the_letter_on_a_back_can_be_told_and_need_not_be() -> None:
    """For a castle that is A or B, only these letters are legal; the chosen letter stays with further answers.

    A tile that can only be A has no such question.
    """
    game = GAMES["robber_knights"]
    layout = [{"cell": [x, y], "tile": "plain" if y else "mountain"} for x in (0, 1) for y in (0, 1)]
    first = game.setup(schemas.load(schemas.of(game).setup, {"layout": layout}))
    second = game.apply(first, game.read("(2,1) plain village"))

    def castle(*so: str) -> Draft[Any]:
        return draft_of("robber_knights", second, "plain castle", (2, 0), *so)

    (back,) = castle("w").optional
    assert [(tap.label, tap.legal, tap.is_chosen) for tap in back.answers] == [
        ("not said", True, True),
        *((letter, letter in "AB", False) for letter in "ABCDE"),
    ]
    assert [tap.codes for tap in back.answers][:3] == [("w",), ("w", ":A"), ("w", ":B")]
    assert {tap.codes[:2] for tap in castle("n", ":B").questions[1].answers} == {(":B", "n")}
    assert castle(":B").cells == {(2, 1): (":B", "n"), (1, 0): (":B", "w")}
    told = castle("n", "1", "1", ":B").move
    assert game.write(told) == "(2,0) plain castle:B >n 1 1"
    assert told == castle(":B", "n", "1", "1").move and game.check(second, told).legal
    refused = castle("n", "1", "1", ":C").move
    assert game.check(second, refused).broken_rules == ("RK-12",)
    assert not draft_of("robber_knights", first, "plain castle", (2, 0)).optional
    pages = pages_of("robber_knights")
    assert pages.draft(first, "plain village", (2, 0), (), words("en", "robber_knights")) is None


def test_a_wrong_answer_before_the_only_one() -> None:
    """After an invalid answer later ones still count, and only answers are filled in."""
    deployments = [("e", "1", "2"), ("e", "1", "3")]
    assert resolve_answers(deployments, ("x", "1", "3")) == ("e", "1", "3")
    assert resolve_answers(deployments, ("x", "y")) == ("e", "1")
