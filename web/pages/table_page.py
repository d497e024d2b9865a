"""Prepares a table's page: the board, the players, what is due, and the panel below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

from babel.lists import format_list

from rules.kernel import Due, Ruling, Seat
from rules.records import dataclass
from service.i18n.sentences import Words
from service.runtime.memoize import ByIdentity, memoize_by_identity
from service.tables.keys import Role
from service.tables.results import Group
from service.tables.scores import due_of, totals_of
from service.tables.table import Table
from service.types import State
from web.board.drawing import Drawing
from web.board.layers import mark
from web.board.shapes import Board, Stock, Symbol
from web.browser.address import AmendAddress, PageAddress, TableAddress, path_of, query_of
from web.browser.bidi import words_among
from web.browser.language import _
from web.games import pages_of
from web.pages.home_list import groups_of_phone
from web.pages.permissions import Permissions, permissions_of, verdict_in
from web.panels import amend
from web.panels.amend import AmendPanel, LateMoveForm, Proposal, proposals
from web.panels.board_part import BoardPart, WithBoard, board_part
from web.panels.context import Focus, TableContext, player_names, sheet_of, words_for_state
from web.panels.dispute import DisputePanel, OpenDispute, RaisePanel, dispute_focus, dispute_form_focus, open_disputes
from web.panels.log.log import LogPanel, log
from web.panels.log.reel import Reel
from web.panels.log.turns import TurnNotice, TurnsPanel, turn_notice, turns
from web.panels.moves import choose
from web.panels.moves.choose import IdlePanel
from web.panels.moves.panel_choice import MovePanel, move_focus, read_move
from web.panels.news import News, Trouble, undo_and_redo
from web.panels.readings import ReadingsPanel, count_unusual_readings, readings
from web.panels.score import score
from web.panels.score.score import ScorePanel
from web.panels.sentences import new_key

Panel: TypeAlias = (
    "MovePanel | ScorePanel | LogPanel | ReadingsPanel | RaisePanel | DisputePanel | AmendPanel | TurnsPanel"
)
MAX_DRAWINGS: Final = 32
"""The maximum number of cached drawings of states; one takes a hundred kilobytes or two."""
MAX_LOOKED_AT: Final = 16
"""The maximum number of other cached drawings: states after a move in question, or of an earlier moment."""
BOARDS: Final = ("board", "amend")
"""The sections with a board to choose moves on."""


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player on the strip above the board."""

    seat: Seat
    name: str
    colour: str
    points: int
    due: bool
    stock: tuple[Stock, ...]


class ResultGroups(NamedTuple):
    """The groups of this phone that store a result (`there`), and its `first` group, if it has any."""

    there: Sequence[Group]
    first: Group | None


@dataclass(frozen=True, slots=True)
class View(WithBoard):
    """The content of the page."""

    context: TableContext
    role: Role
    focus: Focus[Panel]
    board: BoardPart
    undo_to: int | None
    redo_to: int | None
    players: tuple[PlayerView, ...]
    due: str
    result: tuple[str, str] | None
    may: Permissions
    late_move_form: LateMoveForm | None
    news: News | None
    trouble: Trouble | None
    turn_signal: TurnNotice | None
    """The data for this phone's announcement of turns, if any."""

    @property
    def address(self) -> PageAddress:
        """The address of this view."""
        return self.context.address

    @property
    def table(self) -> Table:
        """The table."""
        return self.context.table

    @property
    def words(self) -> Words:
        """The words for the current state of the table."""
        return self.context.words

    @property
    def panel(self) -> Panel:
        """The panel below the board."""
        return self.focus.panel

    @property
    def past(self) -> str | None:
        """The sentence that the board is of an earlier moment, if it is."""
        return self.focus.past

    @property
    def now(self) -> bool:
        """Whether the board is the current one, and shows neither an earlier moment nor a move in question."""
        return self.focus.state is self.table.state

    @property
    def disputes(self) -> tuple[OpenDispute, ...]:
        """The open disputes, on other pages than one's own."""
        return () if self.address.section == "dispute" else open_disputes(self.context)

    @property
    def disputed_moves(self) -> frozenset[str | None]:
        """The moves, not played, whose ruling is in dispute."""
        numbers = (number for number, each in enumerate(self.table.disputes, start=1) if each.open)
        about = map(self.table.dispute_entry, numbers)
        return frozenset(each.notation for each in about if each.entry is None)

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """The changes of the log that seats have confirmed, on other pages than one's own."""
        return () if self.address.section == "preview" else proposals(self.context)

    @property
    def due_seat(self) -> Seat | None:
        """The seat whose turn it is, if it is a seat's turn."""
        return self.table.due.seat

    @property
    def has_ended(self) -> bool:
        """Whether the game has ended."""
        return self.table.due.ended is not None

    @property
    def result_groups(self) -> ResultGroups:
        """The groups that store the result of an ended game, and this phone's first group."""
        own = groups_of_phone()
        return ResultGroups([each for each in own if self.table.id in each.number_by_id], next(iter(own), None))

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The symbols of the game's pieces."""
        return pages_of(self.table.game.id).symbols

    @property
    def end_forecast(self) -> tuple[str, ...]:
        """How the game may end soon, and who would be ahead then."""
        return score.forecast_lines(self.table.forecasts, self.words) if self.address.section == "board" else ()

    @property
    def turn_note(self) -> str:
        """Whose turn it is, if it is not this phone's side's; else empty."""
        return _turn_note(self.words, self.role, self.table.due)

    @property
    def waits(self) -> bool:
        """Whether it is the turn of a seat that is not this phone's."""
        return _waits(self.role, self.table.due)

    @property
    def zooms(self) -> bool:
        """Whether the player can enlarge the board, because it is for choosing moves."""
        return self.address.section in BOARDS

    @property
    def poll_href(self) -> str:
        """The address that the page polls for news."""
        return self.address.url(done=None, since=self.table.version)

    @property
    def strip(self) -> str:
        """The mark of the players' strip above the board; it shows the supplies after a move in question."""
        return mark(self.table.version, self.role.name, "" if self.now else self.address)

    @property
    def tabs(self) -> str:
        """The mark of the bar below. The keys of its forms are random, but each is valid for one version."""
        address, role = self.address, self.role
        of = (self.undo_to, self.redo_to, address.section, address.zoom, role.name)
        return mark(self.table.version, *of)

    @property
    def asks_undo(self) -> bool:
        """Whether the page asks before an undo, because it would reopen the game."""
        address = self.address
        asks = isinstance(address, TableAddress) and (address.section, address.do) == ("board", "undo")
        return asks and self.may.undo and self.has_ended and self.undo_to is not None

    @property
    def reel(self) -> Reel | None:
        """The player of the log that steps through the game."""
        return self.panel.reel if isinstance(self.panel, LogPanel) else None

    @property
    def reel_mark(self) -> str:
        """The mark of the reel, or of its empty place."""
        return self.reel.mark if self.reel else mark("reel")

    @property
    def unusual_reading_count(self) -> int:
        """The number of readings with an unusual value."""
        return count_unusual_readings(self.table)

    @property
    def what_if(self) -> str | None:
        """The address to ask about this board and move without placing anything; None if no board can be entered."""
        if self.address.section != "board" or pages_of(self.table.game.id).entry is None:
            return None
        return query_of(path_of("web.what_if", table_id=self.table.id), replace(self.address, done=None).parameters())

    @property
    def play_word(self) -> str:
        """The label of the button that enters a move: the usual one, or the game's own word."""
        own: str | None = self.words.text.get("board", {}).get("play")
        return own or _("Place")

    @property
    def everybody(self) -> str:
        """The names of all players: an illegal move may stand only by their consent."""
        return format_list([player.name for player in self.players], locale=self.words.language)

    def new_key(self) -> str:
        """An idempotency key for a form."""
        return new_key()


# --- making it ---------------------------------------------------------------------------------------------------


def page_of(
    address: PageAddress,
    table: Table,
    role: Role,
    language: str,
    news: News | None = None,
    trouble: Trouble | None = None,
) -> View:
    """The view of a table."""
    plain = words_among(language, table.game.id, table.setup)
    now = drawing_of(table.state, table.game.id, language, tuple(plain.people.items()))
    context = _context(address, table, role, plain, now.board)
    focus, choosing = focus_of(context, role), amend.late_move_form(context)
    drawing = now if focus.state is table.state else _drawing_below(focus, context, plain)
    supplies = _supplies(focus, drawing, context, plain)
    return View(
        context,
        role,
        focus,
        _board_part(context, focus, drawing),
        *undo_and_redo(table, role),
        players=_players(table, context.words, supplies, focus.state if focus.past else None),
        due=_due(plain, table, focus.panel),
        result=_result(table, context.words) if table.due.ended else None,
        may=permissions_of(role, table.due, focus.panel, placing=choosing is None),
        late_move_form=choosing,
        news=news,
        trouble=trouble,
        turn_signal=turn_notice(table, role),
    )


def _context(address: PageAddress, table: Table, role: Role, plain: Words, board: Board) -> TableContext:
    """The context for every panel; the words have the current names of pieces."""
    game, state = table.game, table.state
    words = words_for_state(state, game.id, plain)
    return TableContext(game, state, address, words, pages_of(game.id), board, table.due, table, seat=role.seat)


def _drawing_below(focus: Focus[Panel], context: TableContext, plain: Words) -> Drawing:
    """The drawing above a panel that does not show the current board."""
    people = tuple(plain.people.items())
    return cached_drawing(focus.state, ByIdentity(focus.before), context.game.id, plain.language, people)


def _supplies(focus: Focus[Panel], shown: Drawing, context: TableContext, plain: Words) -> Board:
    """The board with the supplies to show: an illegal move takes no pieces from them."""
    verdict = verdict_in(focus.panel)
    if focus.before is None or verdict is None or verdict.ruling == Ruling.LEGAL.value:
        return shown.board
    return drawing_of(focus.before, context.game.id, plain.language, tuple(plain.people.items())).board


def _board_part(context: TableContext, focus: Focus[Panel], shown: Drawing) -> BoardPart:
    """The board with its highlights. A board that is not for choosing moves is not enlarged."""
    address, light = context.address, replace(focus.light, facts=context.locate_facts(focus.light.facts))
    moves, zooms = not (address.at or address.move), address.section in BOARDS
    return board_part(shown, light, address, focus.cell_links, moves=moves, zooms=zooms)


def _due(words: Words, table: Table, panel: Panel) -> str:
    """What is due, or what ended the game; before a choice, only the possible moves."""
    if (ended := table.due.ended) is None:
        return (panel.headline if isinstance(panel, IdlePanel) else "") or words.due_text(table.due)
    if not ended.tells_winner:
        return words.end_text(ended)
    first = table.game.ranking(table.state)[0]  # the winner is named above it
    return words.place_text(first) if ended.rule == first.decided_by else words.over_text(ended)


def _waits(role: Role, due: Due) -> bool:
    """Whether a phone that plays one side waits for another player."""
    return role.seat is not None and due.seat not in (None, role.seat) and due.ended is None


def _turn_note(words: Words, role: Role, due: Due) -> str:
    """Whose turn it is, on a phone that plays another side."""
    if due.seat is None or role.seat is None or not _waits(role, due):
        return ""
    who, mine = words.player(due.seat), words.player(role.seat)
    return _("It is %(who)s’s turn. This phone plays %(mine)s’s side.", who=who, mine=mine)


@memoize_by_identity(MAX_DRAWINGS)
def drawing_of(state: State, game_id: str, language: str, people: tuple[tuple[Seat, str], ...] = ()) -> Drawing:
    """The drawing of a state in a language, with the players' names. Raises `NoPages`."""
    return Drawing.of(pages_of(game_id).draw(state, language, None, dict(people)))


@memoize_by_identity(MAX_LOOKED_AT)
def cached_drawing(
    state: State, before: ByIdentity[State | None], game_id: str, language: str, people: tuple[tuple[Seat, str], ...]
) -> Drawing:
    """The drawing of another state than the current one; pieces that are not in the state `before` are ghosts."""
    return Drawing.of(pages_of(game_id).draw(state, language, before.value, dict(people)))


PANELS: Final[Mapping[str, Callable[[TableContext], Focus[Panel]]]] = {
    "score": score.score,
    "turns": turns,
    "readings": readings,
}
"""Section -> its panel, if that needs only what every address has."""


def focus_of(context: TableContext, role: Role) -> Focus[Panel]:
    """The panel that an address requests, and the board for it."""
    match context.address:
        case AmendAddress(section="preview") as address:
            return amend.preview_focus(context, address, role)
        case AmendAddress() as address:
            return amend.late_move_focus(context, address)
        case TableAddress(section="log") as address:
            return log(context, address)
        case TableAddress(section="dispute") as address:
            return dispute_focus(context, address.dispute or 0)
        case TableAddress(section="raise_dispute", move=move):
            return dispute_form_focus(context, read_move(context.game, move)) or choose.idle_focus(context)
    return PANELS.get(context.address.section, move_focus)(context)


def _result(table: Table, words: Words) -> tuple[str, str]:
    """Who has won, and what decided it."""
    return score.ranking(words, sheet_of(table.state, table.game.id), player_names(table, words))


def _players(table: Table, words: Words, board: Board, past: State | None) -> tuple[PlayerView, ...]:
    """The players in the current state, or in a `past` one."""
    game, state = table.game, table.state if past is None else past
    points, due = totals_of(game, state), due_of(game, state)
    return tuple(
        PlayerView(seat, name, words.name(seat), points[seat], seat == due.seat, board.stock.get(seat, ()))
        for seat, name in player_names(table, words).items()
    )
