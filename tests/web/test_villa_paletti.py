"""The drawing of the villa, with its columns, locks and floors; and the form that opens a table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from rules import GAMES
from rules.villa_paletti.state import Ending
from service import schemas
from service.i18n.sentences import words
from service.rulings.judge import sheet
from service.storage.ledger import Ledger
from tests.rules.play import random_game, setups
from tests.support.loops import over
from tests.support.records import record_of
from tests.support.tables import recorded_table
from tests.web.conftest import Visitor
from web.board.lettering import width
from web.board.shapes import Board, Shape
from web.games import pages_of
from web.games.villa_paletti.symbols import ROW, SLOT
from web.opening.form import opening_of
from web.panels.sentences import phrase

GAME = GAMES["villa_paletti"]
DRAWING = pages_of(GAME.id)
THREE = {
    "players": "3",
    "colour-1-1": "yellow",
    "name-1": "Anne",
    "colour-2-1": "red",
    "name-2": "Bruno",
    "colour-3-1": "green",
    "name-3": "Chloé",
    "reading-supports": "two_from_orange",
}
"""A form with three players, which leaves one colour."""
seeds = pytest.mark.parametrize("seed", range(4))


def symbols(shapes: tuple[Shape, ...], *, ghost: bool | None = None) -> Counter[str]:
    """Symbol -> its number of uses; with `ghost`, only those of ghosts or of solid shapes."""
    chosen = [shape for shape in shapes if shape.tag == "use" and ghost in (None, shape.ghost)]
    return Counter(str(shape.attributes["href"]).removeprefix("#") for shape in chosen)


def standing(state: Any) -> Counter[str]:
    """The expected symbols of columns and locks, by the position."""
    found: Counter[str] = Counter()
    for columns in GAME.position(state).columns:
        found[f"column-{columns.colour}-{columns.shape}"] += columns.n
        found["column-lock"] += columns.locked
    return +found


def floors(board: Board) -> list[bool]:
    """Whether each floor, from the bottom up, is a ghost."""
    return [shape.ghost for shape in board.pieces if shape.ink.startswith("floor-")]


@seeds
def test_what_stands_is_drawn(seed: int) -> None:
    """Every column, lock and floor is drawn once; columns out of the game lie below."""
    for state, _ in over(random_game(GAME, Random(seed))):
        board = DRAWING.draw(state, "en")
        assert symbols(board.pieces) == standing(state)
        assert floors(board) == [False] * GAME.position(state).top
        out = {f"column-{columns.colour}-{columns.shape}": columns.n for columns in GAME.position(state).out or ()}
        assert symbols(board.ground) == Counter(out)


@seeds
def test_what_comes_and_goes_is_a_ghost(seed: int) -> None:
    """The picture of a move in question has solid columns where they stay, and ghosts for what comes and goes."""
    for (before, _), (after, _) in over(pairwise(random_game(GAME, Random(seed)))):
        board = DRAWING.draw(after, "en", before)
        groups = {(c.colour, c.shape, c.level): c.n for c in GAME.position(before).columns}
        stays: Counter[str] = Counter()
        for c in GAME.position(after).columns:
            stays[f"column-{c.colour}-{c.shape}"] += min(c.n, groups.get((c.colour, c.shape, c.level), 0))
        solid = symbols(board.pieces, ghost=False)
        assert Counter({name: n for name, n in solid.items() if name != "column-lock"}) == +stays
        assert sum(floors(board)) == GAME.position(after).top - GAME.position(before).top


@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_number_of_players_can_be_opened(players: int) -> None:
    """Two players have two colours each, three and four have one each, and no colour is used twice."""
    opening = opening_of(GAME)
    values = {"players": str(players), "name-1": "Anne"}

    groups = opening.groups(values, words("en", GAME.id))
    shown = {field.name: field.value for group in groups for field in group.fields}
    setup = schemas.load(schemas.of(GAME).setup, opening.setup(shown))
    colours = [colour for player in setup.players for colour in player.colours]
    assert len(colours) == len(set(colours)) == (3 if players == 3 else 4)
    assert GAME.position(GAME.setup(setup)).due == setup.players[0].colours[0]
    assert setup.players[0].name == "Anne"
    assert opening.values(setup) == {**shown, "name-1": "Anne"}


def test_every_tap_says_something(visitor: Callable[..., Visitor]) -> None:
    """A tap on a column that is not due, or that does not stand there, gets the reason at once."""
    guest = visitor()
    table = guest.open(game=GAME.id, **THREE)
    own = guest.see(f"{table}?at=yellow.small.0")
    assert "Anne first moves a neutral column, or tries to." in own.text
    assert "details" not in {tag for tag, _ in own.elements}
    assert "Anne first moves a neutral column, or tries to." in guest.see(f"{table}?at=yellow.small.1").text
    assert "Anne first moves" not in guest.see(f"{table}?at=n.small.0").text


def test_neutral_columns_are_nobodys_in_pictures() -> None:
    """The picture of a move with a neutral column has no player's colour."""
    pictures = [DRAWING.icon(kind, "red") for kind in ("neutral", "neutral_abort")]
    assert [symbols(shapes)["column-neutral-big"] for shapes in pictures] == [1, 1]
    move = GAME.read("n x small 1")
    state = GAME.setup(setups(GAME.id)[0])
    assert symbols(DRAWING.picture(state, move, "red", move.kind)) == Counter(["column-neutral-small", "column-lock"])


def test_the_next_floor_has_its_own_colour(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """The next floor's colour is on its button and beside its verdict; after the last floor, the red one's stays."""
    guest = visitor()
    for number, floor in ((0, 2), (24, 5)):
        table = guest.sit(ledger, "villa_paletti/nobody_can_build", number)
        for path in ("", "?move=floor"):
            page = guest.get(f"{table}{path}").text
            pictures = re.findall(r'<svg class="piece".*?</svg>', page[page.index('id="panel"') :], re.DOTALL)
            assert {ink for each in pictures for ink in re.findall(r"floor-\d", each)} == {f"floor-{floor}"}
    for top in range(1, 6):
        state = GAME.setup(setups(GAME.id)[0])._replace(top=top)
        assert [shape.ink for shape in DRAWING.icon_at(state, "floor", None)] == [f"floor-{min(top + 1, 5)}"]


def test_fingers_reach_the_columns() -> None:
    """A touch on a level reaches its nearest column; on the top level each column has 44 of 390 pixels. There a column
    is 44 pixels high even on a board of 221, and overlaps none below. Only an editor has targets for empty places.
    """
    state = state_after(24)
    board = DRAWING.draw(state, "en")
    for level in range(state.top + 1):
        reaches = [spot.reach for spot in board.spots if spot.key.endswith(f".{level}") and spot.reach]
        assert reaches == sorted(reaches)
        wide = sorted(reach for reach in reaches if reach[1] > 1)
        assert len(wide) == 1 + sum(group.level == level for group in state.columns)
        assert [left + width for left, width in wide] == [*(left for left, _ in wide[1:]), board.box[2]]
        assert level < state.top or all(width * 390 / board.box[2] >= 44 for _, width in wide)
        places = [spot for spot in board.spots if spot.key.endswith(f".{level}")]
        assert {spot.y + spot.height for spot in places} == {-level * ROW}
        high = {spot.height + spot.above for spot in places}
        assert high == {ROW} if level < state.top else min(high) * 221 / board.box[3] >= 44
    assert DRAWING.entry is not None
    assert {spot.reach for spot in DRAWING.entry.draw(state, "en").spots} == {None}


def state_after(number: int) -> Any:
    """A recorded game after so many moves."""
    game = record_of("villa_paletti/nobody_can_build")
    state = GAME.setup(schemas.load(schemas.of(GAME).setup, game["setup"]))
    for move in game["moves"][:number]:
        state = GAME.apply(state, GAME.read(move))
    return state


def test_a_moved_column_is_ringed_where_it_stands(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """A ring marks the column of the last move in its new place, or where it was put back."""
    guest = visitor()
    spots = {spot.cell: spot for spot in DRAWING.draw(GAME.setup(setups(GAME.id)[0])._replace(top=4), "en").spots}
    for number, cell in ((24, "blue hex 4"), (4, "blue small 1"), (5, "green small 0"), (22, "red hex 2")):
        page = guest.see(guest.sit(ledger, "villa_paletti/nobody_can_build", number))
        (ring,) = (each for _, each in page.elements if each.get("class") == "frame last")
        assert (ring["x"], ring["y"]) == (str(spots[cell].x + 3), str(spots[cell].y + 3))


@pytest.mark.parametrize(
    ("notation", "said"),
    [
        ("floor", "the next floor laid"),
        ("floor -", "the next floor given up"),
        ("floor crash", "the next floor: the villa falls"),
        ("floor ! yellow red hex 1 ok", "the next floor asked for; Yellow objects: it worked"),
        ("floor ! yellow red hex 1 fail yellow small 0 -", "the next floor given up; Yellow had objected: it failed"),
        ("red big 0", "Red, big column, moved up from level 0"),
        ("red big 0 crash", "Red, big column on level 0: the villa falls"),
        ("n x small 1", "neutral, small column on level 1, tried in vain"),
        (
            "n x small 1 ! yellow hex 0 fail",
            "a neutral column tried in vain; Yellow challenges with a hexagonal column of level 0: it failed",
        ),
    ],
)
def test_a_move_is_said_with_what_came_of_it(notation: str, said: str) -> None:
    """Words for a move distinguish a floor laid, given up or asked for, a column moved, and a collapse."""
    assert phrase(words("en", GAME.id), GAME, GAME.read(notation), GAME.setup(setups(GAME.id)[0])) == said


def test_both_colours_of_a_player_are_shown() -> None:
    """With two players, each player's supply lists the movable columns of both colours."""
    players = [{"colours": ["red", "blue"]}, {"colours": ["yellow", "green"]}]
    state = GAME.setup(schemas.load(schemas.of(GAME).setup, {"players": players}))
    stock = DRAWING.draw(GAME.apply(state, GAME.read("blue big 0")), "en").stock
    assert [(item.piece, item.n) for item in stock["red"]] == [("free_red", 5), ("free_blue", 4)]
    assert [(item.piece, item.n) for item in stock["yellow"]] == [("free_yellow", 5), ("free_green", 5)]


def test_a_collapse_at_an_objection_can_be_counted() -> None:
    """A count of a collapse asks against whom its player objected, as a reading makes that other player its cause."""
    assert DRAWING.entry is not None
    entered = DRAWING.entry.blank()
    position = replace(entered.position, top=2, holder="red", previous="blue", ended=Ending("VP-16", "red"))
    entered = replace(entered, position=position)
    *_, end, asker = DRAWING.entry.choices(entered, None, words("en", "villa_paletti"))
    assert [choice.label for choice in end.choices if choice.is_chosen] == ["Red brought it down"]
    assert [choice.label for choice in asker.choices] == ["nobody: no objection", "Blue", "Yellow", "Green"]
    assert [choice.label for choice in asker.choices if choice.is_chosen] == ["nobody: no objection"]
    objected = asker.choices[2].snapshot
    assert objected.position.ended == Ending("VP-16", "red", "yellow")
    changes = [
        {change.key for change in sheet(GAME, GAME.enter(each.setup, each.position)).sensitivity if change.changes}
        for each in (entered, objected)
    ]
    assert changes == [set(), {"collapse_by_objector"}]
    again = DRAWING.entry.choices(objected, None, words("en", "villa_paletti"))
    assert [choice.label for choice in again[-2].choices if choice.is_chosen] == ["Red brought it down"]
    assert [choice.label for choice in again[-1].choices if choice.is_chosen] == ["Yellow"]


def test_that_the_villa_fell_is_no_column_that_went_up() -> None:
    """*The villa fell* has its own picture, is no usual option, and can be entered without a column."""
    state = GAME.setup(setups("villa_paletti")[0])
    shown = [option for spot in DRAWING.draw(state, "en").spots for option in DRAWING.options(state, spot.cell)]
    fell = [option for option in shown if option.kind == "fell"]
    assert fell and not any(option.usual for option in fell)
    assert all(DRAWING.picture(state, option.moves[0], "red", "fell") == DRAWING.icon("fell", "red") for option in fell)
    assert "crash" in DRAWING.seldom


NAMES = {
    "usual": ("Alexandre", "Jean-Baptiste", "Marie-Claire", "Emmanuelle"),
    "long": ("Anne-Charlotte de Villeneuve", "Maximilien Robespierre", "Marie-Antoinette", "Wilhelmine"),
    "widest": tuple("W" * 39 + str(number) for number in range(4)),
}


def board_with_names(ledger: Ledger, names: tuple[str, ...], language: str, game: str = "nobody_can_build") -> Board:
    """The villa at the end of a recorded game, with these players' names."""
    state: Any = recorded_table(ledger, f"villa_paletti/{game}").table.state
    colours = (colours[0] for colours in state.players)
    return DRAWING.draw(state, language, None, dict(zip(colours, names, strict=False)))


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("names", NAMES)
def test_all_that_is_written_fits(names: str, language: str, ledger: Ledger) -> None:
    """No line beside the seal or on the base plate leaves the board or its column, whatever the names. Beside the seal
    only the widest are cut, and their level's label has them in full.
    """
    board = board_with_names(ledger, NAMES[names], language)
    written = [shape for shape in board.ground if shape.tag == "text"]
    for it in written:
        x, size = float(it.attributes["x"]), float(it.attributes["font-size"])
        across = width(it.text) * size
        assert x + across / (2 if "text-anchor" in it.attributes else 1) <= board.box[2]
        assert across <= 3 * SLOT or it.ink != "villa-name"
    seal = " ".join(it.text for it in written if it.ink == "villa-word" and float(it.attributes["y"]) < 0)
    spoken = board.spots[0].name
    for name in NAMES[names][2:]:
        assert name in (spoken if names == "widest" else seal)
    assert ("…" in seal, ";" in spoken) == (names == "widest", names == "widest")
    assert ("…" in "".join(it.text for it in written if it.ink == "villa-name")) == (names != "usual")
    assert NAMES["long"][0] in next(spot.name for spot in board.spots if spot.key == "level.0") or names != "long"


def test_columns_are_called_by_their_players(ledger: Ledger) -> None:
    """The base plate has each player's name above the colour; a neutral or nameless colour stands alone."""
    label = [it.text for it in board_with_names(ledger, ("Ada", "Bo", "Cy"), "en").ground if it.ink == "villa-name"]
    assert len(label) == len(GAME.seats) + 3
    assert {"Ada", "Bo", "Cy"} < set(label)
    three = "two_and_no_floor_after_a_failure"
    both = [it.text for it in board_with_names(ledger, ("Ada", "Bo"), "en", three).ground if it.ink == "villa-name"]
    assert Counter(both)["Ada"] == Counter(both)["Bo"] == 2
    plain = [it.text for it in board_with_names(ledger, (), "en").ground if it.ink == "villa-name"]
    assert plain == ["Red", "Blue", "Yellow", "Green"]


@pytest.mark.parametrize(
    ("name", "number", "level", "said"),
    [
        ("nobody_can_build", 2, 0, "Legal in "),
        ("nobody_can_build", 20, 4, "No column here can be moved now."),
        ("a_challenger_brings_it_down", 2, 0, "Neutral column moved up Legal in "),
    ],
)
def test_a_level_says_which_columns_of_it_may_go_up(
    visitor: Callable[..., Visitor], ledger: Ledger, name: str, number: int, level: int, said: str
) -> None:
    """A tap on a level beside its columns lists the due columns there that may go up, or says that there are none."""
    guest = visitor()
    page = guest.see(f"{guest.sit(ledger, f'villa_paletti/{name}', number)}?at=level.{level}")
    assert said in page.text
    assert "Nothing is placed here" not in page.text
