"""The panel that counts an entered position without a log: its board, the taps that change it, and its score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import rules
from rules.forms import EMPTY, THE_REST, rest_is_unknown
from rules.kernel import Cell, Finding, Seat
from service.i18n.sentences import Words
from service.judgements import Sheet
from service.rulings import judge
from service.types import AnyGame, State
from web.board.drawing import Drawing
from web.board.scene import Light, Neighbour, neighbours, rotate_neighbours
from web.board.shapes import Board, Spot, Symbol
from web.browser.address import AskAddress, CountAddress
from web.browser.board_rotation import quarters
from web.browser.language import _
from web.browser.public_url import PublicUrl
from web.game_pages import AnyPositionEntry, Choice, ChoiceGroup, Snapshot
from web.games import all_pages, pages_of
from web.panels.board_part import BoardPart, WithBoard, board_part
from web.panels.choice_links import LinkedGroup, Links
from web.panels.context import Context
from web.panels.here import HerePanel, View
from web.panels.moves.choose import KindButton
from web.panels.moves.panel_choice import kinds_at
from web.panels.paint import PaintPanel, paint_cells, paint_panel, with_repeats, with_tap_names
from web.panels.score.score import ScorePanel, rows_of, score_panel, split_show
from web.panels.sentences import Reason, lit_finding, reasons
from web.position_url import Trail, check_position, snapshot_of, starting_position, unknown_board_cells


def counted_games() -> tuple[AnyGame, ...]:
    """The games whose positions can be entered by taps."""
    return tuple(rules.GAMES[name] for name, pages in all_pages().items() if pages.entry)


def entry_of(game: AnyGame) -> AnyPositionEntry:
    """How positions of a game are entered. Raises `LookupError` for a game in which they cannot be."""
    entry = pages_of(game.id).entry
    if entry is None:
        raise LookupError(game.id)
    return entry


# --- what it means -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CountedPosition:
    """What is entered, with its board and its score; `problems` are what cannot stand on a table.

    Where cells are `unknown`, all of it is of those that are known.
    """

    snapshot: Snapshot
    state: State
    board: Board
    sheet: Sheet
    problems: tuple[Finding, ...]
    unknown: tuple[Cell, ...] = ()


def count_position(game: AnyGame, entry: AnyPositionEntry, snapshot: Snapshot, words: Words) -> CountedPosition:
    """Count. Raises `Unread` for what no tap leads to: it may have problems with which nothing can be counted."""
    there = check_position(game, snapshot)
    sheet = judge.sheet(game, there.state, there.problems)
    plain_board = entry.draw(there.state, words.language, people=words.people)
    unknown_cells = unknown_board_cells(game, there.unknown)
    board = pages_of(game.id).name_unknown_spots(plain_board, there.state, there.unknown, unknown_cells, words)
    return CountedPosition(snapshot, there.state, board, sheet, there.problems, there.unknown)


# --- the view ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Total:
    """A player's points."""

    seat: Seat
    name: str
    points: int


@dataclass(frozen=True, slots=True)
class CountView(WithBoard):
    """Everything that the page shows. `panel` is the score sheet; `undo`, `clear` are addresses.

    `ask` leads on to the move that is asked about, `kinds` to those at the chosen cell. `asks`: the position is entered
    for that, not to be counted. `url` is the address of all this.
    """

    address: CountAddress
    url: str
    game: AnyGame
    words: Words
    board: BoardPart
    symbols: tuple[Symbol, ...]
    spot: Spot | None
    beside: tuple[Neighbour, ...]
    groups: tuple[LinkedGroup, ...]
    problems: tuple[Reason, ...]
    panel: ScorePanel
    totals: tuple[Total, ...]
    undo: str | None
    clear: str | None
    link: str
    only_here: bool
    ask: str
    asks: bool
    kinds: tuple[KindButton, ...]
    paint: PaintPanel
    here: HerePanel | None = None
    past: None = None


def apply_brush(game: AnyGame, address: CountAddress, words: Words, *, asks: bool = False) -> CountAddress:
    """The address once its brush has touched the cells that it names. Raises `Unread`."""
    entry = entry_of(game)
    snapshot = snapshot_of(game, entry, Trail.of(address.table), asks=asks)
    board = entry.draw(check_position(game, snapshot).state, words.language, people=words.people)
    return paint_cells(entry, board, snapshot, address, words, asks=asks)


def count_of(
    game: AnyGame,
    address: CountAddress,
    words: Words,
    public: PublicUrl,
    *,
    asks: bool = False,
    here: HerePanel | None = None,
) -> CountView:
    """The view of what an address says was entered, to be counted or to ask about a move. Raises `Unread`.

    `here`: it is entered for what lies on a table now, whose players the words call by name.
    """
    trail, entry = Trail.of(address.table), entry_of(game)
    counted_position = count_position(game, entry, snapshot_of(game, entry, trail, asks=asks), words)
    paint = paint_panel(entry, counted_position.snapshot, address, words, counted_position.board, asks=asks)
    count = CountContext(
        game, entry, counted_position, address if paint.brush else replace(address, brush=None), words, asks, here
    )
    return _view(count, trail, paint, public)


@dataclass(frozen=True, slots=True)
class CountContext:
    """A position that is entered, and how one looks at it: the address, the words, and what it is entered for."""

    game: AnyGame
    entry: AnyPositionEntry
    position: CountedPosition
    address: CountAddress
    words: Words
    asks: bool
    here: HerePanel | None

    @property
    def view(self) -> View:
        """The page on which it is entered."""
        return self.here.view if self.here else ("web.ask" if self.asks else "web.count", {"game_id": self.game.id})

    def links(self, trail: Trail) -> Links:
        """The addresses that taps lead to."""
        blank = starting_position(self.entry, asks=self.asks)
        return Links(self.game, trail, self.position.snapshot, self.address, blank, self.view)


def _view(count: CountContext, trail: Trail, paint: PaintPanel, public: PublicUrl) -> CountView:
    game, counted_position, address, words = count.game, count.position, count.address, count.words
    links, (chosen, groups) = count.links(trail), _choices(count, painted=paint.brush is not None)
    spot, names = None if paint.brush else chosen, {seat: words.player(seat) for seat in counted_position.sheet.totals}
    if spot is not None:
        paint = with_repeats(paint, count.entry, counted_position.snapshot, address, groups, words)
    return CountView(
        address=address,
        url=links.to(address.table, **address.parameters()),
        game=game,
        words=words,
        board=_board_part(count, paint, chosen),
        symbols=pages_of(game.id).symbols,
        spot=spot,
        beside=_beside(count, spot) if spot else (),
        groups=tuple(links.group(group, number) for number, group in enumerate(groups, 1)),
        problems=reasons(words, counted_position.problems, address),
        panel=score_panel(words, counted_position.sheet, names, address),
        totals=tuple(Total(seat, names[seat], points) for seat, points in counted_position.sheet.totals.items()),
        undo=links.undo(),
        clear=links.clear(),
        link=public.base + links.to(trail.last_only().text()),
        only_here=public.only_here,
        ask=links.ask(),
        asks=count.asks,
        kinds=tuple(kinds_at(_question_context(count), links.ask)) if count.asks and not paint.brush else (),
        paint=paint,
        here=count.here,
    )


# --- what can be made of it --------------------------------------------------------------------------------------


def _choices(count: CountContext, *, painted: bool) -> tuple[Spot | None, Sequence[ChoiceGroup]]:
    """The chosen cell, if one is, and what can be made of it: nothing where a brush is in hand."""
    snapshot = count.position.snapshot
    spot, groups = _place(count)
    if painted:
        return spot, ()
    if count.asks:
        groups = _question_choices(count, spot, groups)
    if count.here is not None:  # who plays at a table stays as it is
        groups = [each for each in groups if all(one.snapshot.setup == snapshot.setup for one in each.choices)]
    return spot, groups


def _place(count: CountContext) -> tuple[Spot | None, Sequence[ChoiceGroup]]:
    """The chosen cell, if one is, and what can be made of it; else of what lies beside the board."""
    entry, counted_position, at, words = count.entry, count.position, count.address.at, count.words
    spot = counted_position.board.spot(at)
    if spot is not None:
        return spot, entry.choices(counted_position.snapshot, spot.cell, words)
    elsewhere = entry.choices(counted_position.snapshot, at, words) if at else ()
    return None, elsewhere or entry.choices(counted_position.snapshot, None, words)


def _question_choices(count: CountContext, spot: Spot | None, groups: Sequence[ChoiceGroup]) -> Sequence[ChoiceGroup]:
    """The choices of a question: where in the game it is, and what is unknown."""
    entry, counted_position = count.entry, count.position
    if spot is None:
        return (
            *entry.moment(counted_position.snapshot, count.words),
            *groups,
            *_rest(entry, counted_position.snapshot),
        )
    return (
        *groups,
        *_hide_groups(entry, counted_position, spot.cell, unknown_board_cells(count.game, counted_position.unknown)),
    )


def _question_context(count: CountContext) -> Context:
    """What is entered as the page shows it on which a move is asked about, whose board may have fewer cells."""
    game, counted_position, words, pages = count.game, count.position, count.words, pages_of(count.game.id)
    state, address = counted_position.state, count.address
    alike = count.entry.draw is pages.draw
    board = counted_position.board if alike else pages.draw(state, words.language, people=words.people)
    there = AskAddress(address.table, at=address.at, kind=address.kind, zoom=address.zoom, about=address.about)
    return Context(game, state, there, words, pages, board, game.due(state), unknown=counted_position.unknown)


def _hide_groups(
    entry: AnyPositionEntry, counted_position: CountedPosition, cell: Cell, unseen: frozenset[Cell]
) -> Iterator[ChoiceGroup]:
    """That nobody knows what lies on a cell, where that can be said."""
    hidden = entry.hide(counted_position.snapshot, cell)
    if hidden is not None:
        yield ChoiceGroup("", (Choice(_("unknown"), (), hidden, cell in unseen, is_unknown=True),))


def _rest(entry: AnyPositionEntry, snapshot: Snapshot) -> Iterator[ChoiceGroup]:
    """What all is that was never entered: unknown or empty."""
    if entry.mark_unknown is None:
        return
    unknown = rest_is_unknown(snapshot.position)
    yield ChoiceGroup(
        _("Everything not entered"),
        (
            Choice(_("is empty"), (), snapshot.with_changes(rest=EMPTY), not unknown),
            Choice(_("is unknown"), (), snapshot.with_changes(rest=THE_REST), unknown, is_unknown=True),
        ),
    )


# --- the board ---------------------------------------------------------------------------------------------------


def _board_part(count: CountContext, paint: PaintPanel, chosen: Spot | None) -> BoardPart:
    """The board, whose cells say what a tap does while a brush is in hand; it moves where no cell is asked about."""
    board, brush = count.position.board, paint.brush
    if brush is not None:
        board = with_tap_names(count.entry, count.position.snapshot, brush, board)
    moves = brush is not None or chosen is None
    return board_part(Drawing.of(board), _light(count, chosen), count.address, moves=moves)


def _beside(count: CountContext, spot: Spot) -> tuple[Neighbour, ...]:
    """The ways to the cells beside the chosen one."""
    return rotate_neighbours(
        neighbours(count.position.board, spot, lambda other: count.address.spot_url(other.key)), quarters()
    )


def _light(count: CountContext, spot: Spot | None) -> Light:
    """The chosen cell; the cells of the number, or of the problem, that was asked about: else of the first problem.

    Without any: what is other than on the table.
    """
    counted_position, pages, show = count.position, pages_of(count.game.id), count.address.show
    row, seat = split_show(show)
    line = rows_of(counted_position.sheet.lines).get(row, {}).get(seat)
    facts = list(line.evidence) if line is not None else []
    problem = None if seat else lit_finding(counted_position.problems, show)
    if problem is not None:
        facts = list(pages.locate_facts(counted_position.state, problem.facts.evidence))
    elif count.here is not None:
        facts = list(pages.locate_facts(counted_position.state, count.here.changed_cells))
    chosen = frozenset({spot.cell}) if spot else frozenset()
    return Light(
        chosen,
        facts=facts,
        seats=tuple(counted_position.sheet.totals),
        unknown_cells=unknown_board_cells(count.game, counted_position.unknown),
    )
