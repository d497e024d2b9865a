"""The first page: the form that opens a table, and the links to tables that are open."""

from __future__ import annotations

from typing import Final

from flask import Response, make_response, redirect, request, url_for

from service import schemas
from service.errors import Invalid, RateLimited, StoreFull
from service.http.current import admit, referee
from service.http.problems import status_of
from service.i18n import sentences
from service.limits.rate_limits import Kind
from service.referee.use_cases import NewTable
from web.assets import portrait_of
from web.blueprint import failure_page, htmx, page, rate_limit_text, wants_part, web, with_problem_headers
from web.browser import cookies, recent_tables, tour
from web.browser.address import TableAddress, number
from web.browser.language import language
from web.games import all_pages, pages_of
from web.opening import card_picks, names
from web.opening import form as opening
from web.pages import home_list
from web.panels.editor.position import counted_games

ASKING: Final = frozenset({"update", names.LINE_UP, names.SWAP, card_picks.PICK})
"""The buttons of the form that open no table, but update the form."""


@web.get("/")
def home() -> Response:
    """The tables of this browser, with links to the rest; or the form that opens one, for the requested game."""
    return _home(opening.form_of(request.args))


def _home(form: opening.Form, status: int = 200, *, again: bool = False, late: str = "") -> Response:
    game = form.game.id
    context = {"form": form, "pages": pages_of(game), "names": names.suggestions(form), "late": late}
    context["picture"] = portrait_of(game)
    if wants_part(opening.PART):
        return page("opening_part", status, **context)
    filling = again or request.method == "POST" or "game" in request.args
    tables = () if filling else recent_tables.recent_tables()
    mine = home_list.shelf(tables)
    pictures = {game: portrait_of(game) for game in all_pages()}
    offered = {"games": opening.games(), "count_games": counted_games(), "mine": mine, "pictures": pictures}
    response = page("home", status, again=again, filling=filling, **context, **offered)
    return response if mine.tables == tables else recent_tables.store(response, mine.tables)


@web.post("/")
def open_table() -> Response:
    """Open a table and give this browser its keys; or show the fields that belong to the values so far."""
    form = opening.form_of(names.arrange_names(card_picks.apply_pick(request.form)), htmx.trigger_name)
    if not request.form.keys().isdisjoint(ASKING) or wants_part(opening.PART):
        return _home(form)
    try:
        game, setup = opening.setup_of(form)
        admit(Kind.CREATE)
        outcome = referee().open(game, setup, die=request.form.get("begins") == schemas.BY_DIE)
    except Invalid as error:
        form = opening.with_errors(form, error)
        return _home(form, status_of(error))
    except (RateLimited, StoreFull) as error:
        return with_problem_headers(error, _home(form, late=rate_limit_text(error)))
    version = outcome.table.version
    return tour.begin(_with_keys(outcome, TableAddress(outcome.table.id, done=version if version > 1 else None)))


@web.post("/t/<table_id>/play-on")
def play_on(table_id: str) -> Response:
    """Open another table, which continues from an entry of this one's log; this table does not change."""
    entry = number(request.form.get("entry")) or 0
    outcome = referee().play_on(table_id, cookies.key(), entry)
    return _with_keys(outcome, TableAddress(outcome.table.id))


def _with_keys(outcome: NewTable, there: TableAddress) -> Response:
    """Redirect to a new table, with its keys for this browser."""
    keys_by_role = {"host": outcome.keys.host, **outcome.keys.seats, "watch": outcome.keys.watch}
    path = url_for("web.board", table_id=outcome.table.id)
    response = cookies.keep(make_response(redirect(there.url(), 303)), path, keys_by_role)
    return home_list.remember(response, outcome.table, outcome.keys.host)


@web.post("/tables")
def keep_tables() -> Response:
    """Remove a table from this browser's list, or rename it there. The table itself does not change."""
    form = request.form
    response = make_response(redirect(url_for("web.home", _anchor="recent"), 303))
    table = form.get("table", "")
    if form.get("do") == "remove":
        return recent_tables.forget(response, table)
    try:
        title = (
            schemas.load(schemas.TITLE_FORM, {"title": form["title"]})["title"] if form.get("title", "").strip() else ""
        )
    except Invalid as error:
        return failure_page(
            " ".join(sentences.field_error(language(), each) for _where, each in error.field_errors), status_of(error)
        )
    return recent_tables.rename(response, table, title)


@web.get("/t/<table_id>/again")
def again(table_id: str) -> Response:
    """The form for a new game, with the same players and settings."""
    table, _role = referee().table(table_id, cookies.key())
    return _home(opening.again(table), again=True)
