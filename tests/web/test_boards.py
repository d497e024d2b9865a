"""The drawn boards: the same laws for each game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from rules import GAMES
from rules.kernel import Cell
from service.i18n.languages import LANGUAGES
from service.i18n.sentences import words
from tests.rules.play import random_game, setups
from tests.support.loops import over
from tests.web.conftest import pages_data
from web.assets import inks_sheet
from web.board.inks import GRASS, LABEL, LABEL_BY_NIGHT, PAVING, SEATS, merge_inks
from web.board.scene import STEPS, beside, middle, window
from web.board.shapes import Board, Shape
from web.board_image import picture
from web.browser.address import KEY
from web.game_pages import AnyPages
from web.games import all_pages, pages_of
from web.panels.sentences import distinct_phrases, phrase

BOARDS = [pytest.param(GAMES[name], pages, id=name) for name, pages in all_pages().items()]
every_board = pytest.mark.parametrize(("game", "pages"), BOARDS)
growing_board = pytest.mark.parametrize(
    ("game", "pages"), [board for board in BOARDS if not pages_data(str(board.id)).get("moving")]
)


def random_steps(game: Any, seed: int) -> list[tuple[Any, Any]]:
    """A random game: each state with the move that was played there."""
    return list(random_game(game, Random(seed)))


def has_drafts(pages: AnyPages, state: Any, kind: str, cells: Iterable[Cell], game_id: str) -> bool:
    """Whether moves of this kind are made answer by answer, with a cell or without."""
    said = words("en", game_id)
    return any(pages.draft(state, kind, cell, (), said) for cell in (None, *cells))


def symbols_used(shapes: tuple[Shape, ...]) -> set[str]:
    """The symbols that shapes refer to."""
    return {str(shape.attributes["href"]).removeprefix("#") for shape in shapes if shape.tag == "use"}


@every_board
def test_every_legal_move_can_be_tapped(game: Any, pages: AnyPages) -> None:
    """A legal move is among the usual options of each of its cells that has options.

    Another test covers moves that are made answer by answer.
    """
    tapped = 0
    for state, _ in random_steps(game, 1)[::6]:
        options = {spot.cell: pages.options(state, spot.cell) for spot in pages.draw(state, "en").spots}
        usual = {cell: {move for o in found if o.usual for move in o.moves} for cell, found in options.items()}
        asked = {kind for kind in game.kinds if has_drafts(pages, state, kind, options, game.id)}
        for move in game.moves(state):
            if move.kind in asked:
                continue
            cells = [cell for cell in game.cells_of(move) if options[cell]]
            assert cells or not game.cells_of(move)
            assert all(move in usual[cell] for cell in cells), game.write(move)
            tapped += len(cells)
    assert bool(tapped) == (game.id not in {"architekton", "fief"}), "those two ask for all that has cells"


@every_board
def test_every_option_can_be_judged(game: Any, pages: AnyPages) -> None:
    """Every option at a cell is a move that touches the cell, and has a ruling.

    The option is named by the kind of move, or by a name of its own.
    """
    states = [state for state, _ in random_steps(game, 2)]
    found = (
        (state, spot.cell, option)
        for state in states[:: len(states) // 3]
        for spot in pages.draw(state, "en").spots
        for option in pages.options(state, spot.cell)
    )
    for state, cell, option in over(found):
        assert option.moves
        assert KEY.fullmatch(option.kind)
        assert option.kind in words("en", game.id).names
        for move in option.moves:
            assert option.kind == move.kind or option.kind not in game.kinds
            assert cell in game.cells_of(move)
            assert game.check(state, move).heard_rules


@every_board
def test_cells_are_named_and_apart(game: Any, pages: AnyPages) -> None:
    """Every cell has its own key and place, and its own name in every language; no name contains coordinates."""
    for state, _ in over(random_steps(game, 3)[::20]):
        for language in over(LANGUAGES):
            board = pages.draw(state, language)
            assert len({spot.key for spot in board.spots}) == len(board.spots)
            assert all(re.fullmatch(r"[A-Za-z0-9,_.-]{1,20}", spot.key) for spot in board.spots)
            assert len({spot.name for spot in board.spots}) == len(board.spots)
            assert len({(spot.x, spot.y) for spot in board.spots}) == len(board.spots)
            assert not any(re.search(r"[{}]|\.\.\.|\(-?\d+, -?\d+\)", spot.name) for spot in board.spots)


@every_board
def test_every_shape_can_be_drawn(game: Any, pages: AnyPages) -> None:
    """Every ink that shapes use is in the style sheet, and every symbol that they use is defined."""
    symbols = {symbol.id: symbol for symbol in pages.symbols}
    sheet = inks_sheet(game.id)
    for state, _ in over(random_steps(game, 4)[::10]):
        board = pages.draw(state, "en")
        icons = tuple(shape for kind in game.kinds for seat in game.seats for shape in pages.icon(kind, seat))
        stock = tuple(shape for items in board.stock.values() for item in items for shape in item.icon)
        assert symbols_used((*board.ground, *board.pieces, *icons, *stock)) <= symbols.keys()
        drawn = (*board.ground, *board.pieces, *(shape for symbol in symbols.values() for shape in symbol.shapes))
        inks = {shape.ink for shape in drawn} - {""}
        assert inks <= merge_inks((pages.inks,)).keys()
        assert [ink for ink in inks if not re.search(rf"\.{ink}\b", sheet)] == []


@growing_board
def test_every_piece_is_drawn_once(game: Any, pages: AnyPages) -> None:
    """Each move adds its pieces to the picture, and takes as many from the player's supply; no piece disappears.

    Where pieces can return to the supply, pieces on the board and in supply stay the same in sum.
    """
    moving = pages_data(game.id).get("given_back", ())

    def count(board: Board) -> tuple[Counter[str], int]:
        left = sum(item.n for items in board.stock.values() for item in items if item.piece != "chips")
        return Counter(str(shape.attributes.get("href")) for shape in board.pieces), left

    states = random_steps(game, 5)
    for (state, move), (after, _) in over(pairwise(states)):
        (pieces, left), (more, less) = count(pages.draw(state, "en")), count(pages.draw(after, "en"))
        added = {symbol: n for symbol, n in (more - pieces).items() if symbol != "#gate"}
        gone = {symbol for symbol in pieces - more if symbol.startswith("#") and symbol != "#gate"}
        assert gone <= set(moving)
        if moving:
            assert sum(more[piece] - pieces[piece] for piece in moving) == left - less
            assert bool(added.keys() - set(moving)) == (move.kind in ("building", "landscape")), game.write(move)
            continue
        assert sum(added.values()) >= left - less >= (1 if game.cells_of(move) else 0), game.write(move)


@growing_board
def test_only_what_is_new_is_a_ghost(game: Any, pages: AnyPages) -> None:
    """The picture of a move in question draws what it adds as ghosts, and all other pieces solid.

    A piece that it removes is a ghost in its old place.
    """
    for state, move in over(random_steps(game, 6)[:-1:5]):
        before, after = pages.draw(state, "en"), pages.draw(game.apply(state, move), "en")
        board = pages.draw(game.apply(state, move), "en", state)
        solid = [shape for shape in board.pieces if not shape.ghost]
        gone = [
            shape
            for shape in before.pieces
            if shape.attributes.get("href") in pages_data(game.id).get("given_back", ())
        ]
        gone = [shape for shape in gone if shape not in after.pieces]
        assert len(solid) == len(before.pieces) - len(gone)
        ghosts = [replace(shape, ghost=False) for shape in board.pieces if shape.ghost]
        assert all(shape in ghosts for shape in gone)
        assert bool(ghosts) == (bool(game.cells_of(move)) and move.kind != "keep")
        assert not any(shape.ghost for shape in pages.draw(state, "en").pieces)


@every_board
def test_the_picture_stands_alone(game: Any, pages: AnyPages) -> None:
    """The stand-alone picture needs no style sheet: it has no class, and its shapes have their colours."""
    states = random_steps(game, 7)
    drawn = picture(game.id, states[len(states) // 2][0], "en")
    assert drawn is not None
    assert "class=" not in drawn
    assert drawn.count("fill=") > 20


@every_board
def test_one_can_go_everywhere(game: Any, pages: AnyPages) -> None:
    """Steps from the middle reach every cell; zoomed in on one, the window shows it and stays within the board."""
    board = pages.draw(random_steps(game, 8)[0][0], "en")
    reached, fresh = {middle(board).key}, [middle(board)]
    while fresh:
        near = [other for spot in fresh for step in STEPS if (other := beside(board, spot, step))]
        fresh = [spot for spot in {spot.key: spot for spot in near}.values() if spot.key not in reached]
        reached |= {spot.key for spot in fresh}
    assert reached == {spot.key for spot in board.spots}
    left, top, width, height = board.box
    for spot in board.spots:
        x, y, across, down = window(board, spot)
        assert x <= spot.x and spot.x + spot.width <= x + across
        assert left <= x and x + across <= left + width and top <= y and y + down <= top + height


@pytest.mark.parametrize(("language", "said"), [("en", "Display"), ("fr", "Dépôt ouvert")])
def test_the_display_says_what_it_is(language: str, said: str) -> None:
    """The display's name stands on the board; a board without a display has no such text."""
    game = GAMES["architekton"]
    named = []
    for setup in setups(game.id):
        state = game.setup(setup)
        board = pages_of(game.id).draw(state, language)
        (left, top, _, height), texts = board.box, [shape for shape in board.ground if shape.tag == "text"]
        assert bool(texts) == (state.display is not None)
        named += [shape.text for shape in texts if shape.text == said and float(shape.attributes["x"]) >= left]
        assert all(float(shape.attributes["y"]) <= top + height for shape in texts)
    assert named


@growing_board
def test_moves_that_read_alike_are_told_apart(game: Any, pages: AnyPages) -> None:
    """Equal phrases get their cell's direction from another cell; a unique phrase stays as it is."""
    said, alike = words("en", game.id), 0
    for state, _ in random_steps(game, 5)[::9]:
        moves = [move for move in game.moves(state) if any(isinstance(cell, tuple) for cell in game.cells_of(move))][
            :60
        ]
        cells = [game.cells_of(move)[0] for move in moves]
        phrases = [phrase(said, game, move, state) for move in moves]
        told = distinct_phrases(game, phrases, moves, cells[0] if cells else None)
        assert len(set(told)) == len(set(zip(phrases, cells, strict=True)))
        assert all(text == was or phrases.count(was) > 1 for text, was in zip(told, phrases, strict=True))
        assert not any(re.search(r"\(-?\d+, ?-?\d+\)", text) for text in told)
        alike += len(set(told)) - len(set(phrases))
    labelled = all(isinstance(spot.cell, str) for spot in pages.draw(random_steps(game, 5)[0][0], "en").spots)
    assert labelled == (not alike)


def light_of(colour: str) -> float:
    """The relative luminance of a colour such as ``#fff`` or ``#1d8648`` (WCAG 2.2)."""
    digits = colour.removeprefix("#")
    wide = digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
    parts = [int(wide[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_what_is_written_on_boards_is_read_by_day_and_by_night() -> None:
    """A seat's letter stands out from its piece, and a board's labels from their grounds: 4.5 to 1 (WCAG 1.4.3).

    Axe cannot check this, as it does not know what lies under the text of a drawing.
    """
    pairs = [(seat.fill, seat.letter) for pages in all_pages().values() for seat in {**SEATS, **pages.seats}.values()]
    pairs += [(ground[night], (LABEL, LABEL_BY_NIGHT)[night]) for ground in (GRASS, PAVING) for night in (0, 1)]
    for ground, written in over(pairs):
        dark, light = sorted(map(light_of, (ground, written)))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (ground, written)


@every_board
def test_where_nothing_goes_it_is_said_why(game: Any, pages: AnyPages) -> None:
    """At a cell without options, a rule refuses every move that a player might try there.

    A level of Villa Paletti takes no piece: it lists the columns that may go up from it, or says that none may.
    """
    said = 0
    for state in [state for state, _ in random_steps(game, 1)][::6]:
        for spot in pages.draw(state, "en").spots:
            if pages.options(state, spot.cell):
                continue
            tried = [move for option in pages.options_at(state, spot.cell, ()) for move in option.moves]
            refused = [bool(game.check(state, move).broken_rules) for move in tried]
            level = str(spot.cell).startswith("level ")
            assert tried or (level and "nothing" in words("en", game.id).text["board"]), spot
            assert all(refused) or (level and not any(refused))
            said += len(tried)
    assert bool(said) == (game.id != "villefranche"), "there, a hand can try a piece on every cell"
