"""The panels of an amendment: choose the late move on the board of that time, and see what the change would do."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import ClassVar, Final

from rules.kernel import Seat
from rules.records import dataclass
from service.referee import amend, amendment_report
from service.referee.amend import Preview
from service.referee.amendment_report import Amendment
from service.referee.replay import JudgedMisfit
from service.tables.entries import (
    CHANGES,
    DELETE,
    INSERT,
    LEAVE_OUT,
    MISFIT_POLICIES,
    REPLACE,
    STAND,
    STOP,
    LateMove,
    LogChange,
)
from service.tables.keys import Role
from service.tables.table import Table
from service.types import State
from web.board.scene import Light
from web.browser.address import AmendAddress, TableAddress
from web.browser.language import _, language
from web.panels.context import Context, Focus, TableContext, player_names
from web.panels.log.effects import changed_move_text
from web.panels.log.entries import base_version, change_phrase, entry_name
from web.panels.moves.panel_choice import MovePanel, move_focus, read_move
from web.panels.sentences import Reason, capitalise, lit_finding, new_key, reasons

MAX_NAMED: Final = 8
"""The maximum number of named entries that are lost, or whose ruling changes."""
STANDS: Final = "!"
"""The prefix of a late move that stands."""


class UnreadableMove(ValueError):
    """A late move that the game does not have."""


@dataclass(frozen=True, slots=True)
class LateMoveForm:
    """The title above the board of that time while a player chooses a late move, and the form to type it instead."""

    title: str
    address: AmendAddress
    cancel: str

    def preview_url(self, notation: str, *, stands: bool = False) -> str:
        """The address of the preview of a chosen move."""
        before = "" if self.address.do == REPLACE else self.address.late or ""
        late = f"{before}\n{STANDS if stands else ''}{notation}".strip()
        return replace(self.address.without_choice(), section="preview", late=late).url()


@dataclass(frozen=True, slots=True)
class WayRow:
    """A way to continue if an entry does not fit."""

    title: str
    lost_count: int
    score: str
    href: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class AmendPanel:
    """The preview of an amendment. `breaks`: the first entry that no longer fits, and `reasons` why.

    `more`: the address that adds one more late move.
    """

    template: ClassVar[str] = "panel/amend.html"
    title: str
    replayed_count: int
    lost_entries: tuple[str, ...]
    breaks: str
    ruling: str
    reasons: tuple[Reason, ...]
    changed_moves: tuple[str, ...]
    score: tuple[tuple[str, int, int], ...]
    refused_move: str
    ways: tuple[WayRow, ...]
    agreed_names: tuple[str, ...]
    waiting_names: tuple[str, ...]
    change: LogChange
    late: str
    more: str | None
    key: str
    cancel: str


def change_of(table: Table, address: AmendAddress, *, in_play: bool = True) -> LogChange | None:
    """The change of the log in an address; None if it has none, or, with `in_play`, if its entry is not in play.

    Raises `UnreadableMove`.
    """
    do, entry = next((do for do in CHANGES if do == address.do), None), address.entry
    if do is None or entry is None or (in_play and entry not in ((1, *table.line) if do == INSERT else table.line)):
        return None
    misfits = next((each for each in MISFIT_POLICIES if each == address.misfits), LEAVE_OUT)
    return LogChange(do, entry, () if do == DELETE else _late(table, address), misfits)


def _late(table: Table, address: AmendAddress) -> tuple[LateMove, ...]:
    """The late moves of an address."""
    found = []
    for line in filter(str.strip, (address.late or "").split("\n")):
        text = line.strip().removeprefix(STANDS).strip()
        move = read_move(table.game, text)
        if move is None:
            raise UnreadableMove(text)
        found.append(LateMove(table.game.write(move), line.strip().startswith(STANDS)))
    return tuple(found[:1] if address.do == REPLACE else found)


# --- a late move is chosen -----------------------------------------------------------------------------------------


def late_move_focus(context: TableContext, address: AmendAddress) -> Focus[MovePanel]:
    """The panel below the board of that time: that of a board, whose moves lead to a preview."""
    table = context.table
    try:
        change = change_of(table, address)
    except UnreadableMove:
        change = None
    if change is None:
        change = LogChange(INSERT, table.line[-1] if table.line else 1)
    state, game, pages = _late_move_state(table, change), context.game, context.pages
    words = pages.words_for(context.words, state)
    board = pages.draw(state, language(), None, words.people)
    then = Context(game, state, context.address, words, pages, board, game.due(state))
    return replace(move_focus(then), past=_("The board at that time"))


def _late_move_state(table: Table, change: LogChange) -> State:
    """The state for choosing a late move, after the late moves chosen before."""
    state = table.states[base_version(table, change) - 1]
    if change.do == INSERT:
        for late in change.moves:
            move = table.game.read(late.notation)
            if table.game.cannot_stand(state, move) is None:
                state = table.game.apply(state, move)
    return state


def late_move_form(context: TableContext) -> LateMoveForm | None:
    """The form above that board; None on other pages."""
    address, table = context.address, context.table
    if not isinstance(address, AmendAddress) or address.section != "amend":
        return None
    entry = address.entry or 1
    what = entry_name(context.words, table, entry) if entry in table.line else _("the beginning")
    title = _("Instead of: %(what)s", what=what) if address.do == REPLACE else _("After: %(what)s", what=what)
    return LateMoveForm(title, address, _cancel(table, address))


def _cancel(table: Table, address: AmendAddress) -> str:
    """The address of the entry in the log."""
    log = TableAddress(address.table, "log")
    return log.url(entry=address.entry) if address.entry in table.line else log.url()


# --- what it would do ----------------------------------------------------------------------------------------------


def preview_focus(context: TableContext, address: AmendAddress, role: Role) -> Focus[AmendPanel | MovePanel]:
    """The preview of an amendment, with the board afterwards, or the board where the first entry no longer fits.

    Raises `service.errors.Refused`, `Invalid`, `Full`.
    """
    change = change_of(context.table, address)
    if change is None:
        return late_move_focus(context, address)
    preview = amend.preview_amendment(context.table, role, change, datetime.now(UTC))
    amendment = amendment_report.amendment(preview.table, preview.number)
    panel = _panel(context, address, preview, amendment)
    if amendment.first_misfit is None:
        new = [preview.table.move_entry(number) for number in amendment.new_moves]
        cells = frozenset(context.cells([context.game.read(each.notation) for each in new]))
        return Focus(panel, preview.table.state, light=Light(cells), past=_("The board afterwards"))
    return _misfit_focus(context, panel, amendment, amendment.first_misfit, preview)


def _misfit_focus(
    context: TableContext, panel: AmendPanel, amendment: Amendment, breaks: JudgedMisfit, preview: Preview
) -> Focus[AmendPanel]:
    """The board where the first entry no longer fits."""
    game, judgement = context.game, breaks.judgement
    state = amendment_report.misfit_state(preview.table, amendment.entry, breaks.entry)
    finding = lit_finding(judgement.verdict.findings, context.address.show)
    facts = finding.facts.evidence if finding else ()
    light = Light(frozenset(game.cells_of(judgement.move)), judgement.ruling.value, facts, seats=game.seats_of(state))
    state_after = state if game.cannot_stand(state, judgement.move) else game.apply(state, judgement.move)
    number = context.table.move_number(breaks.entry)
    past = _("The board on which no. %(number)s does not fit", number=number)
    return Focus(panel, state_after, state, light, past)


def _panel(context: TableContext, address: AmendAddress, preview: Preview, amendment: Amendment) -> AmendPanel:
    """The whole panel of an amendment that is not made yet."""
    words, table = context.words, context.table
    names = player_names(table, words)
    change, breaks = amendment.entry.change, amendment.first_misfit
    return AmendPanel(
        capitalise(change_phrase(words, table, change)),
        amendment.replay_count,
        _entry_lines(context, amendment.lost_entries),
        "" if breaks is None else _misfit_heading(table, breaks, names),
        "" if breaks is None else breaks.judgement.ruling.value,
        () if breaks is None else reasons(words, breaks.judgement.verdict.findings, address),
        tuple(
            changed_move_text(context, was, now.seat, stands=now.stands)
            for was, now in amendment.changed_moves[:MAX_NAMED]
        ),
        tuple((names[seat], amendment.before[seat], amendment.after[seat]) for seat in amendment.after),
        "" if preview.refusal is None else preview.refusal.judgement.notation,
        tuple(_ways(preview, address, names)) if preview.ways else (),
        tuple(names[seat] for seat in preview.agreeing_seats),
        tuple(names[seat] for seat in names if seat not in preview.agreeing_seats),
        change,
        lines_of(change),
        replace(address.without_choice(), late=lines_of(change)).url() if change.do == INSERT else None,
        new_key(),
        _cancel(table, address),
    )


def lines_of(change: LogChange) -> str:
    """The late moves of a change, as in an address."""
    return "\n".join(f"{STANDS if late.stands else ''}{late.notation}" for late in change.moves)


def _entry_lines(context: TableContext, numbers: tuple[int, ...]) -> tuple[str, ...]:
    """Entries in words: the first ones, and the number of the others."""
    table = context.table
    lines = [entry_name(context.words, table, number) for number in numbers[:MAX_NAMED]]
    more = len(numbers) - len(lines)
    return (*lines, *([_("and %(n)s more", n=more)] if more else []))


def _misfit_heading(table: Table, breaks: JudgedMisfit, names: dict[Seat, str]) -> str:
    """The sentence on the first move that no longer fits."""
    number = table.move_number(breaks.entry)
    if breaks.turn is not None:
        who = names.get(breaks.turn, breaks.turn)
        return _("No. %(number)s no longer fits: it would be %(who)s’s turn.", number=number, who=who)
    return _("No. %(number)s no longer fits:", number=number)


def _ways(preview: Preview, address: AmendAddress, names: dict[Seat, str]) -> list[WayRow]:
    """The ways to treat the entries that do not fit."""
    titles: dict[str, str] = {
        LEAVE_OUT: _("Leave out what does not fit, and go on"),
        STOP: _("Keep only what comes before it"),
        STAND: _("Let everything stand that can lie there"),
    }
    chosen = address.misfits or LEAVE_OUT
    return [
        WayRow(
            titles[way.misfits],
            len(way.lost_entries),
            ", ".join(f"{names[seat]} {total}" for seat, total in way.totals.items()),
            address.url(misfits=way.misfits, show=None),
            way.misfits == chosen,
        )
        for way in preview.ways
    ]


# --- what others have proposed -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that seats have confirmed but the log does not have yet, as a note above the other pages."""

    who: str
    what: str
    href: str


def proposals(context: TableContext) -> tuple[Proposal, ...]:
    """The changes that seats have confirmed, each once."""
    table, words = context.table, context.words
    pending = table.amendments[-1:]
    if not pending or pending[0].settlement_number is not None:
        return ()
    agreed = table.confirmations(pending[0])
    names, found = player_names(table, words), []
    for change in dict.fromkeys(entry.change for entry in agreed.values() if entry.change is not None):
        who = ", ".join(names[seat] for seat, entry in agreed.items() if entry.change == change)
        found.append(Proposal(who, change_phrase(words, table, change), address_of(table, change).url()))
    return tuple(found)


def address_of(table: Table, change: LogChange) -> AmendAddress:
    """The address of the preview of a change."""
    return AmendAddress(
        table.id,
        "preview",
        entry=change.entry,
        do=change.do,
        late=lines_of(change) or None,
        misfits=None if change.misfits == LEAVE_OUT else change.misfits,
    )
