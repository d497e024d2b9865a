"""The page that reports a wrong ruling: its case file, to store or to send to the maintainers."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response, request

from rules.kernel import Cell, Ruling
from service.cases.report import Start, case_file, setup_now
from service.errors import Invalid, NoDispute
from service.http.current import referee
from service.http.problems import PROBLEMS, status_of
from service.rulings import judge
from service.schemas import MAX_WORDS
from service.schemas.parsing import encode
from service.tables.table import Table
from service.types import AnyGame, State
from web.blueprint import as_download, error_text, failure_page, web
from web.browser import cookies
from web.browser.address import number
from web.browser.language import _
from web.panels.editor.position import entry_of, find_game
from web.panels.moves.panel_choice import read_move
from web.position_url import Trail, Unread, check_position, snapshot_of, without_guesses
from web.views.editor import no_game_page


@web.get("/t/<table_id>/case")
def table_case(table_id: str) -> Response:
    """The case file of a move at a table, or of a dispute."""
    table, _role = referee().table(table_id, cookies.key())
    dispute = number(request.args.get("dispute"))
    if dispute is None:
        return _case(_start_position(table, table.state), table.game, table.state, table_id)
    if not table.has_dispute(dispute):
        return failure_page(error_text(NoDispute()), status_of(NoDispute()), table_id=table_id)
    dispute_entry = table.dispute_entry(dispute)
    if dispute_entry.notation is None:
        return failure_page(_("There is no ruling here to report."), PROBLEMS["invalid"], table_id=table_id)
    state = table.states[dispute_entry.version - 1]
    return _case(_start_position(table, state), table.game, state, table_id, dispute_entry.notation)


@web.get("/ask/<game_id>/<text>/case")
def ask_case(game_id: str, text: str) -> Response:
    """The case file of a question without a table."""
    game = find_game(game_id)
    if game is None:
        return no_game_page()
    try:
        entry = entry_of(game)
        snapshot = without_guesses(entry, snapshot_of(game, entry, Trail.of(text), asks=True))
        there = check_position(game, snapshot)
        return _case(Start(snapshot.setup, position=snapshot.position), game, there.state, unknown=there.unknown)
    except (Invalid, Unread):
        return failure_page(_("There is no ruling here to report."), PROBLEMS["invalid"])


def _start_position(table: Table, state: State) -> Start:
    """A position of a table, now or earlier, under the readings of that time."""
    return Start(setup_now(table, state), position=table.game.position(state))


def _case(
    start: Start,
    game: AnyGame,
    state: State,
    table_id: str | None = None,
    notation: str | None = None,
    unknown: Sequence[Cell] = (),
) -> Response:
    """The file; or an error page if no move is asked about."""
    move = read_move(game, notation or request.args.get("move"))
    if move is None:
        return failure_page(_("There is no ruling here to report."), PROBLEMS["invalid"], table_id=table_id)
    ruling_text, note = request.args.get("expected"), " ".join(request.args.get("note", "").split())
    expected = Ruling(ruling_text) if ruling_text in {each.value for each in Ruling} else None
    note_text = "".join(filter(str.isprintable, note))[:MAX_WORDS].strip()
    case = encode(case_file(start, judge.judge(game, state, move, unknown), expected, note_text))
    return as_download(Response(case, mimetype="application/json"), f"{game.id}-case.json")
