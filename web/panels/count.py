"""The panel that counts an entered position without a log: its board, the taps that change it, and its score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import rules
from rules.forms import EMPTY, THE_REST, rest_is_unknown
from rules.kernel import Cell, Finding, Seat
from service.i18n.sentences import Words
from service.judgements import Sheet
from service.rulings import judge
from service.types import AnyGame
from web.board.drawing import Drawing
from web.board.scene import Light, Neighbour, Scene, beyond, middle, neighbours, rotate_neighbours, scene, zoom_centre
from web.board.shapes import Board, Spot, Symbol
from web.browser.address import AskAddress, CountAddress
from web.browser.board_rotation import quarters
from web.browser.language import _
from web.browser.public_url import PublicUrl
from web.game_pages import Choice, ChoiceGroup, Entered, PositionEntry
from web.games import all_pages, pages_of
from web.panels.context import Context
from web.panels.here import HerePanel, View
from web.panels.linked import LinkedGroup, Links
from web.panels.moves.asking import kinds_at
from web.panels.moves.choose import KindButton
from web.panels.paint import PaintPanel, paint_cells, paint_panel, with_repeats, with_tap_names
from web.panels.score.score import ScorePanel, rows_of, score_panel, split_show
from web.panels.sentences import Reason, lit_finding, reasons
from web.position_url import Trail, check_position, entered_of, open_in, starting_position

AnyPositionEntry: TypeAlias = PositionEntry[Any]


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

    entered: Entered
    state: Any
    board: Board
    sheet: Sheet
    problems: tuple[Finding, ...]
    unknown: tuple[Cell, ...] = ()


def count_position(game: AnyGame, entry: AnyPositionEntry, entered: Entered, words: Words) -> CountedPosition:
    """Count. Raises `Unread` for what no tap leads to: it may have problems with which nothing can be counted."""
    there = check_position(game, entered)
    sheet = judge.sheet(game, there.state, there.problems)
    drawn = entry.draw(there.state, words.language, people=words.people)
    seen = open_in(game, there.unknown)
    board = pages_of(game.id).calling(drawn, there.state, there.unknown, seen, words)
    return CountedPosition(entered, there.state, board, sheet, there.problems, there.unknown)


# --- the view ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Total:
    """A player's points."""

    seat: Seat
    name: str
    points: int


@dataclass(frozen=True, slots=True)
class CountView:
    """Everything that the page shows. `panel` is the score sheet; `undo`, `clear` are addresses.

    `ask` leads on to the move that is asked about, `kinds` to those at the chosen cell. `asks`: the position is entered
    for that, not to be counted. `url` is the address of all this.
    """

    address: CountAddress
    url: str
    game: AnyGame
    words: Words
    scene: Scene
    symbols: tuple[Symbol, ...]
    zoom_href: str
    neighbours: tuple[Neighbour, ...]
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
    entered = entered_of(game, entry, Trail.of(address.table), asks=asks)
    board = entry.draw(check_position(game, entered).state, words.language, people=words.people)
    return paint_cells(entry, board, entered, address, words, asks=asks)


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
    trail = Trail.of(address.table)
    entry = entry_of(game)
    made = count_position(game, entry, entered_of(game, entry, trail, asks=asks), words)
    board, sheet = made.board, made.sheet
    names = {seat: words.player(seat) for seat in sheet.totals}
    view: View = here.view if here else ("web.ask" if asks else "web.count", {"game_id": game.id})
    paint = paint_panel(entry, made.entered, address, words, board, asks=asks)
    if paint.brush is None:
        address = replace(address, brush=None)
    links = Links(game, trail, made.entered, address, starting_position(entry, asks=asks), view)
    chosen, groups = _place(entry, made, address, words)
    spot = None if paint.brush else chosen
    kinds: tuple[KindButton, ...] = ()
    if paint.brush:
        groups, board = (), with_tap_names(entry, made.entered, paint.brush, board)
    elif asks:
        groups = _question_choices(game, made, spot, groups, words)
        kinds = tuple(kinds_at(_question_context(game, entry, made, address, words), links.ask))
    if here is not None:  # who plays at a table stays as it is
        groups = [each for each in groups if all(one.entered.setup == made.entered.setup for one in each.choices)]
    if spot is not None:
        paint = with_repeats(paint, entry, made.entered, address, groups, words)
    zoom, taps = zoom_centre(board, address.zoom, address.at), address.taps()
    return CountView(
        address=address,
        url=links.to(address.table, **address.parameters()),
        game=game,
        words=words,
        scene=replace(scene(Drawing.of(board), _light(game, made, address, chosen, here), zoom, taps), turn=quarters()),
        symbols=pages_of(game.id).symbols,
        zoom_href=address.url(zoom=None if zoom else (address.at or middle(board).key)),
        neighbours=()
        if spot
        else rotate_neighbours(beyond(board, zoom, lambda far: address.url(zoom=far.key, at=None)), quarters()),
        spot=spot,
        beside=rotate_neighbours(neighbours(board, spot, lambda other: taps(other.key)), quarters()) if spot else (),
        groups=tuple(links.group(group, number) for number, group in enumerate(groups, 1)),
        problems=reasons(words, made.problems, address),
        panel=score_panel(words, sheet, names, address),
        totals=tuple(Total(seat, names[seat], points) for seat, points in sheet.totals.items()),
        undo=links.undo(),
        clear=links.clear(),
        link=public.base + links.to(trail.alone().text()),
        only_here=public.only_here,
        ask=links.ask(),
        asks=asks,
        kinds=kinds,
        paint=paint,
        here=here,
    )


def _question_choices(
    game: AnyGame, made: CountedPosition, spot: Spot | None, groups: Sequence[ChoiceGroup], words: Words
) -> Sequence[ChoiceGroup]:
    """The choices of a question: where in the game it is, and what is unknown."""
    entry = entry_of(game)
    if spot is None:
        return (*entry.moment(made.entered, words), *groups, *_rest(entry, made.entered))
    return (*groups, *_hide_groups(entry, made, spot.cell, open_in(game, made.unknown)))


def _question_context(
    game: AnyGame, entry: AnyPositionEntry, made: CountedPosition, address: CountAddress, words: Words
) -> Context:
    """What is entered as the page shows it on which a move is asked about, whose board may have fewer cells."""
    pages, state = pages_of(game.id), made.state
    board = made.board if entry.draw is pages.draw else pages.draw(state, words.language, people=words.people)
    there = AskAddress(address.table, at=address.at, kind=address.kind, zoom=address.zoom)
    return Context(game, state, there, words, pages, board, game.due(state), unknown=made.unknown)


def _place(
    entry: AnyPositionEntry, made: CountedPosition, address: CountAddress, words: Words
) -> tuple[Spot | None, Sequence[ChoiceGroup]]:
    """The chosen cell, if one is, and what can be made of it; else of what lies beside the board."""
    spot = made.board.spot(address.at)
    if spot is not None:
        return spot, entry.choices(made.entered, spot.cell, words)
    elsewhere = entry.choices(made.entered, address.at, words) if address.at else ()
    return None, elsewhere or entry.choices(made.entered, None, words)


def _hide_groups(
    entry: AnyPositionEntry, made: CountedPosition, cell: Cell, unseen: frozenset[Cell]
) -> Iterator[ChoiceGroup]:
    """That nobody knows what lies on a cell, where that can be said."""
    hidden = entry.hide(made.entered, cell)
    if hidden is not None:
        yield ChoiceGroup("", (Choice(_("unknown"), (), hidden, cell in unseen, unknown=True),))


def _rest(entry: AnyPositionEntry, entered: Entered) -> Iterator[ChoiceGroup]:
    """What all is that was never entered: unknown or empty."""
    if entry.unknown is None:
        return
    unknown = rest_is_unknown(entered.position)
    yield ChoiceGroup(
        _("All that is not entered"),
        (
            Choice(_("is empty"), (), entered.having(rest=EMPTY), not unknown),
            Choice(_("is unknown"), (), entered.having(rest=THE_REST), unknown, unknown=True),
        ),
    )


def _light(
    game: AnyGame, made: CountedPosition, address: CountAddress, spot: Spot | None, here: HerePanel | None
) -> Light:
    """The chosen cell; the cells of the number, or of the problem, that was asked about: else of the first problem.

    Without any: what is other than on the table.
    """
    row, seat = split_show(address.show)
    line = rows_of(made.sheet.lines).get(row, {}).get(seat)
    facts = list(line.evidence) if line is not None else []
    problem = None if seat else lit_finding(made.problems, address.show)
    if problem is not None:
        facts = list(pages_of(game.id).located(made.state, problem.facts.evidence))
    elif here is not None:
        facts = list(pages_of(game.id).located(made.state, here.lit))
    chosen = frozenset({spot.cell}) if spot else frozenset()
    return Light(chosen, facts=facts, seats=tuple(made.sheet.totals), unknown=open_in(game, made.unknown))
