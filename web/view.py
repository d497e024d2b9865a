"""A page of a table, ready to be laid out: the board, who plays, what is due, and the panel below."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.kernel import Due, Seat
from rules.ranking import totals
from service import rulings, texts
from service.table import Role, Table
from service.texts import Words
from web import scores
from web.boards import Board, Spot, Stock, Symbol, drawings, located, speaking
from web.language import _
from web.look import Look
from web.phrases import new_key
from web.scene import STEPS, Pan, Scene, beside, middle, scene, window
from web.shown import Panel, href, player_names, shown


@dataclass(frozen=True, slots=True)
class Player:
    """A player on the strip above the board."""

    seat: Seat
    name: str
    colour: str
    points: int
    due: bool
    stock: tuple[Stock, ...]


@dataclass(frozen=True, slots=True)
class News:
    """What has happened, in a line; `undo` or `redo` is the version that one tap leads to."""

    text: str
    kind: str = "placed"
    undo: int | None = None
    redo: int | None = None


@dataclass(frozen=True, slots=True)
class Trouble:
    """What went wrong with what the player did."""

    text: str


@dataclass(frozen=True, slots=True)
class View:
    """Everything that the page shows."""

    look: Look
    table: Table
    words: Words
    role: Role
    players: tuple[Player, ...]
    due: str
    due_seat: Seat | None
    ended: bool
    result: tuple[str, str] | None
    may_play: bool
    may_stand: bool
    undo_to: int | None
    redo_to: int | None
    scene: Scene
    symbols: tuple[Symbol, ...]
    zoom_href: str
    pans: tuple[Pan, ...]
    panel: Panel
    past: str | None
    news: News | None = None
    trouble: Trouble | None = None

    @property
    def poll_href(self) -> str:
        """Where the page asks whether there is anything new."""
        return self.look.url(done=None, since=self.table.version)

    @property
    def play_word(self) -> str:
        """What the button says that enters a move: what is done at most tables, or the game's own word."""
        own: str | None = self.words.text.get("board", {}).get("play")
        return own or _("Place")

    @property
    def tap_words(self) -> str:
        """What one is asked to tap: a cell and a piece at most tables, or what the game calls them."""
        own: str | None = self.words.text.get("board", {}).get("tap")
        return own or _("Tap a cell, or see where a piece may go:")

    def new_key(self) -> str:
        """An idempotency key for a form."""
        return new_key()


def make(
    look: Look,
    table: Table,
    role: Role,
    language: str,
    *,
    news: News | None = None,
    trouble: Trouble | None = None,
) -> View:
    """Make the view of a table."""
    plain = texts.words(language, table.game.id)
    drawing = drawings()[table.game.id]
    words = speaking(plain, drawing, table.state)
    due = table.game.due(table.state)
    board = drawing.draw(table.state, language)
    seen = shown(look, table, due, words, drawing, board)
    if seen.state is not table.state:
        board = drawing.draw(seen.state, language, seen.before)
    zoom = zoomed(look, board) if look.page == "board" else None
    light = replace(seen.light, facts=located(drawing, table.state, seen.light.facts))
    undo_to, redo_to = ways(table, role)
    turn = role.kind == "host" or (role.seat is not None and role.seat == due.seat)
    return View(
        look=look,
        table=table,
        words=words,
        role=role,
        players=_players(table, words, due, board),
        due=plain.due(due) if due.ended is None else plain.ended(due.ended),
        due_seat=due.seat,
        ended=due.ended is not None,
        result=_result(table, words) if due.ended else None,
        may_play=turn or (role.plays and due.seat is None and due.ended is None),
        may_stand=turn,
        undo_to=undo_to,
        redo_to=redo_to,
        scene=scene(board, light, zoom, lambda spot: seen.leads.get(spot.cell) or href(look, spot)),
        symbols=drawing.symbols(),
        zoom_href=look.url(zoom=None if zoom else (look.at or middle(board).key)),
        pans=() if look.at or look.move else zoom_pans(look, board, zoom),
        panel=seen.panel,
        past=seen.past,
        news=news,
        trouble=trouble,
    )


def _result(table: Table, words: Words) -> tuple[str, str]:
    """Who has won, and what decided it."""
    return scores.ranking(words, rulings.sheet(table.game, table.state), player_names(table, words))


def _players(table: Table, words: Words, due: Due, board: Board) -> tuple[Player, ...]:
    points = totals(table.game, table.state)
    return tuple(
        Player(seat, name, words.name(seat), points[seat], seat == due.seat, board.stock.get(seat, ()))
        for seat, name in player_names(table, words).items()
    )


def ways(table: Table, role: Role) -> tuple[int | None, int | None]:
    """The versions that undo and redo lead to, as far as the key allows: a seat takes back only its own moves."""
    if not role.plays:
        return None, None

    def own(number: int) -> bool:
        return role.seat is None or table.played(number).seat == role.seat

    undo = table.undo_to if table.line and own(table.line[-1]) else None
    redo = table.redo_to if table.ahead and own(table.ahead[0]) else None
    return undo, redo


# --- zooming in -----------------------------------------------------------------------------------------------------


def zoomed(look: Look, board: Board) -> Spot | None:
    """The spot that is zoomed in on: the chosen cell where it would not be seen otherwise."""
    centre = board.spot(look.zoom)
    if look.zoom is None:
        return None
    centre = centre or middle(board)
    at = board.spot(look.at)
    if at is None:
        return centre
    left, top, width, height = window(board, centre)
    seen = left <= at.x < left + width and top <= at.y < top + height
    return centre if seen else at


def zoom_pans(look: Look, board: Board, zoom: Spot | None) -> tuple[Pan, ...]:
    """How to move what is seen when one has zoomed in."""
    if zoom is None:
        return ()
    now = window(board, zoom)
    pans = []
    for direction in STEPS:
        far = beside(board, zoom, direction, 2) or beside(board, zoom, direction)
        moved = far is not None and window(board, far) != now
        pans.append(Pan(direction, look.url(zoom=far.key, at=None, move=None) if far and moved else None))
    return tuple(pans)
