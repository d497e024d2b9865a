"""What the board of a page shows and points out, and the panel that belongs to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from rules.kernel import Cell, Due, Fact, Seat
from service import rulings
from service.datatypes import AnyGame
from service.entries import Played
from service.judgements import Judgement, Sheet
from service.table import Table
from service.texts import Words
from web import drafting, history, placing, scores
from web.boards import Board, Drawing, Option, Spot, handling_of, located
from web.boards.drafts import Draft, draft_of
from web.language import _
from web.look import Look
from web.phrases import lit_finding
from web.scene import Light, Pan, around

Panel: TypeAlias = "placing.Idle | placing.Choice | placing.Verdict | drafting.Drafted | scores.Score | history.Log"


@dataclass(frozen=True, slots=True)
class Shown:
    """What is on the board of a view, and the panel that belongs to it."""

    state: Any
    before: Any | None
    light: Light
    panel: Panel
    past: str | None = None
    leads: Mapping[Cell, str] = field(default_factory=dict)
    """Where a tap on a cell leads, where that is an answer to what the panel asks."""


def player_names(table: Table, words: Words) -> dict[Seat, str]:
    """Seat -> the player's name, or else the colour."""
    given = {getattr(player, "colour", None): getattr(player, "name", None) for player in table.setup.players}
    return {seat: given.get(seat) or words.name(seat) for seat in table.game.seats_of(table.state)}


# --- what is on the board ----------------------------------------------------------------------------------------


def shown(look: Look, table: Table, due: Due, words: Words, drawing: Drawing, board: Board) -> Shown:
    """What a look at a table shows."""
    if look.page == "score":
        return _score(look, table, words, drawing)
    if look.page == "log":
        return _log(look, table, words)
    move = read_move(table.game, look.move)
    if move is not None:
        return _asked(look, table, words, drawing, move)
    spot = board.spot(look.at)
    options = drawing.options(table.state, spot.cell) if spot else ()
    kind = look.kind or placing.only_kind(options)
    draft = draft_of(drawing, table.state, kind, spot.cell if spot else None, look.so or (), words)
    if kind is not None and draft is not None:
        making = _making(look, table, words, drawing, board, kind, options)
        return _drafted(look, table, words, drawing, draft, making)
    if spot is not None:
        option = placing.option_at(options, look.kind)
        if option and len(option.moves) == 1:
            return _asked(look, table, words, drawing, option.moves[0])
        return _chosen(look, table, words, drawing, board, spot, options)
    legal = tuple(table.game.moves(table.state))
    light = _points(table, rulings.sheet(table.game, table.state), drawing) if due.ended else Light()
    light = replace(light, open=_places(look, table, drawing, legal), last=_last(table))
    return Shown(table.state, None, light, placing.idle(words, drawing, table.game, table.state, due, legal, look))


def _places(look: Look, table: Table, drawing: Drawing, legal: Sequence[Any]) -> frozenset[Cell]:
    """Where the kind that is looked for may go; where none is, the one cell that there is to tap."""
    cells = _cells(table.game, [move for move in legal if look.kind in (None, move.kind)])
    if look.kind is None and len(cells) > 1:
        return frozenset()
    return frozenset(cell for cell in cells if drawing.options(table.state, cell))


def read_move(game: AnyGame, notation: str | None) -> Any | None:
    """The move of an address, or None for none and for what is none."""
    try:
        return game.read(notation) if notation else None
    except ValueError:
        return None


def _asked(look: Look, table: Table, words: Words, drawing: Drawing, move: Any) -> Shown:
    """A move is asked about: its piece is on the board as a ghost, and what the ruling rests on is lit."""
    judgement = rulings.judge(table.game, table.state, move)
    state = table.state if judgement.cannot_stand else table.game.apply(table.state, move)
    finding = lit_finding(judgement.verdict.findings, look.show)
    facts = finding.facts.evidence if finding else ()
    return Shown(state, table.state, _light(table, judgement, facts), _verdict(look, table, words, drawing, judgement))


def _verdict(look: Look, table: Table, words: Words, drawing: Drawing, judgement: Judgement) -> placing.Verdict:
    handling = handling_of(drawing, table.state, judgement.move, words)
    return placing.verdict(words, drawing, judgement, look, handling)


def _light(table: Table, judgement: Judgement, facts: Sequence[Fact]) -> Light:
    chosen = frozenset(table.game.cells_of(judgement.move))
    return Light(chosen, judgement.ruling.value, facts, seats=table.game.seats_of(table.state))


def _making(
    look: Look, table: Table, words: Words, drawing: Drawing, board: Board, kind: str, options: Sequence[Option]
) -> drafting.Making:
    """What is being made, and the ways on from there while nothing is answered."""
    seat, spot = table.game.due(table.state).seat, board.spot(look.at)
    if spot is None:
        return drafting.Making(kind, seat, None, look.plain().url())
    among_others = look.kind is not None and look.kind != placing.only_kind(options)
    leave = look.url(kind=None, so=None, show=None) if among_others else look.plain().url(kind=look.kind)
    if look.so:
        return drafting.Making(kind, seat, spot, leave)
    others = () if among_others else placing.others(words, drawing, table.game, table.state, spot, options, look)
    return drafting.Making(kind, seat, spot, leave, _pans(look, board, spot), others)


def _drafted(look: Look, table: Table, words: Words, drawing: Drawing, draft: Draft, making: drafting.Making) -> Shown:
    """A move is in the making: what it says already is ruled on, and is on the board as a ghost."""
    judgement = None if draft.move is None else rulings.judge(table.game, table.state, draft.move)
    judged = _verdict(look, table, words, drawing, judgement) if judgement else None
    panel = drafting.drafted(words, drawing, draft, making, judged, look)
    taps = drafting.leads(draft, look)
    if judgement is None:
        chosen = frozenset({making.spot.cell}) if making.spot else frozenset[Cell]()
        light = Light(chosen, open=frozenset(taps) - chosen, last=_last(table))
    else:
        finding = lit_finding(judgement.verdict.findings, look.show)
        light = _light(table, judgement, finding.facts.evidence if finding else ())
        light = replace(light, open=frozenset(taps) - light.chosen)
    ghost = draft.move or draft.ghost
    if ghost is None or table.game.cannot_stand(table.state, ghost) is not None:
        return Shown(table.state, None, light, panel, leads=taps)
    return Shown(table.game.apply(table.state, ghost), table.state, light, panel, leads=taps)


def _chosen(
    look: Look,
    table: Table,
    words: Words,
    drawing: Drawing,
    board: Board,
    spot: Spot,
    options: Sequence[Option],
) -> Shown:
    """A cell is chosen; with a kind that takes more cells, those it can take with this one are open."""
    option = placing.option_at(options, look.kind)
    legal = [move for move in option.moves if table.game.check(table.state, move).legal] if option else []
    light = Light(frozenset({spot.cell}), open=_cells(table.game, legal) - {spot.cell}, last=_last(table))
    pans = _pans(look, board, spot)
    panel = placing.choice(words, drawing, table.game, table.state, spot, options, pans, look)
    return Shown(table.state, None, light, panel, leads=_completing(look, table.game, spot, option))


def _completing(look: Look, game: AnyGame, spot: Spot, option: Option | None) -> Mapping[Cell, str]:
    """Where a tap on another cell completes a move of several cells: the first way of the option that takes it."""
    found: dict[Cell, str] = {}
    for move in option.moves if option else ():
        for cell in game.cells_of(move):
            if cell != spot.cell and cell not in found:
                found[cell] = look.url(move=game.write(move))
    return found


def _pans(look: Look, board: Board, spot: Spot) -> tuple[Pan, ...]:
    """The ways to the cells beside the chosen one."""
    return around(board, spot, lambda other: look.url(at=other.key, so=None))


def _score(look: Look, table: Table, words: Words, drawing: Drawing) -> Shown:
    sheet = rulings.sheet(table.game, table.state)
    rule, seat = scores.split_show(look.show)
    lines = [line for line in sheet.lines.get(seat, ()) if line.rule == rule]
    facts = [fact if line.points else Fact(fact.cells) for line in lines for fact in line.evidence]
    names = player_names(table, words)
    light = Light(facts=facts) if facts else _points(table, sheet, drawing)
    return Shown(table.state, None, light, scores.score(words, sheet, names, look))


def _points(table: Table, sheet: Sheet, drawing: Drawing) -> Light:
    """Every point where it comes from."""
    found = {
        seat: [replace(line, evidence=tuple(located(drawing, table.state, line.evidence))) for line in lines]
        for seat, lines in sheet.lines.items()
    }
    return Light(points=scores.overview(found), seats=table.game.seats_of(table.state))


def _log(look: Look, table: Table, words: Words) -> Shown:
    """The log; with an entry, the board as it was when that was played."""
    panel = history.log(words, table, look)
    entry = table.entries[panel.entry.number - 1] if panel.entry else None
    if not isinstance(entry, Played):
        return Shown(table.state, None, Light(last=_last(table)), panel)
    finding = lit_finding(history.findings_of(table, entry), look.show)
    light = Light(
        frozenset(table.game.cells_of(table.game.read(entry.notation))),
        entry.ruling.value,
        finding.facts.evidence if finding else (),
        seats=table.game.seats_of(table.state),
    )
    state, before = table.states[entry.number - 1], table.states[entry.number - 2]
    past = _("The board after no. %(number)s", number=entry.number)
    return Shown(state, before, light, panel, past)


def _cells(game: AnyGame, moves: Sequence[Any]) -> frozenset[Cell]:
    return frozenset(cell for move in moves for cell in game.cells_of(move))


def _last(table: Table) -> frozenset[Cell]:
    """The cells of the last move in play."""
    return _cells(table.game, [table.game.read(move.notation) for move in table.moves[-1:]])


# --- where a tap leads -------------------------------------------------------------------------------------------


def href(look: Look, spot: Spot) -> str:
    """Where a tap on a cell leads: it chooses the cell."""
    return Look(look.table, at=spot.key, kind=look.kind, zoom=look.zoom).url()
