"""The blueprint of all views, the hooks for every request and response, and the pages for errors."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from flask import Blueprint, Response, make_response, render_template, request, url_for
from flask_htmx import HTMX  # type: ignore[import-untyped]
from werkzeug.exceptions import HTTPException, NotFound

import rules
from rules.steps import TooMuch
from service.errors import (
    Expired,
    GroupFull,
    KeyEnded,
    KeyReused,
    NoCase,
    NoGame,
    NoGroup,
    NoRule,
    NoTable,
    RateLimited,
    StoreAway,
    StoreFull,
    Unauthorised,
)
from service.http import problem_responses
from service.http.current import admit, admit_wrong_key, groups, referee
from service.http.header_limits import current_list_header
from service.http.problems import PROBLEMS, status_of
from service.i18n import sentences
from service.tables.entries import BrokenLog, Unreadable
from web import request_kinds
from web.browser import board_rotation, cookies, origin_check, recent_tables, submitted_form, tour
from web.browser import language as languages
from web.browser.language import _, ago, day, day_of, hour_of, language, other_languages
from web.games import NoPages

web = Blueprint("web", __name__, template_folder="templates", static_folder="static", static_url_path="/assets")
htmx = HTMX()
PART = "table"
"""The id of the element that htmx swaps."""
FILES = frozenset({"web.static", "web.script", "web.inks", "web.manifest", "web.offline", "web.portrait"})
"""The endpoints whose responses are the same for everybody."""
WITH_KEYS = frozenset(
    {
        "web.share_table",
        "web.make_view",
        "web.revoke_view",
        "web.renew_key",
        "web.end_key",
        "web.make_join_code",
        "web.find_by_join_code",
        "web.join_table",
        "web.share_group",
        "web.leaving_group",
        "web.enter_group",
        "web.groups_here",
        "web.found_group",
        "web.result",
        "web.keep_result",
    }
)
"""The endpoints that show keys of a table or a group, or a form's key from which those of a new group follow."""
KEYLESS = frozenset({"web.join_table", "web.enter_group", "web.leave_group"})
"""The endpoints of forms that need no key in a cookie: the form contains it, or the browser deletes it."""


# --- every request and answer ------------------------------------------------------------------------------------


@web.before_request
def _refuse_other_sites() -> Response | None:
    if origin_check.is_from_own_page(request):
        return None
    return failure_page(
        _("This form came from another site. Nothing was changed. Open the page here, then try again."),
        HTTPStatus.FORBIDDEN,
    )


@web.before_request
def _limit_rate() -> None:
    admit(request_kinds.kind_of(request), cookies.key())


@web.before_request
def _check_key() -> None:
    """Reject a form with an invalid key before the form is read; then allow the views to read it."""
    if request.method not in origin_check.SAFE and request.endpoint not in KEYLESS:
        path_values = request.view_args or {}
        if "table_id" in path_values:
            referee().authorise(path_values["table_id"], cookies.key())
        elif "group_id" in path_values:
            groups().group(path_values["group_id"], cookies.groups().get(path_values["group_id"]))
    submitted_form.let_in()


@web.after_request
def _set_cache_headers(response: Response) -> Response:
    if request.endpoint == "web.board_picture" and request.args.keys() >= {"v", "l"}:
        response.headers["Cache-Control"] = "private, max-age=31536000, immutable"  # of one version, in one language
    elif request.endpoint not in FILES:
        response.headers["Cache-Control"] = "no-store, no-transform" if request.endpoint in WITH_KEYS else "no-store"
        if response.status_code == HTTPStatus.NO_CONTENT:  # most responses: a table without news or a new choice
            return response
        response.headers["Content-Language"] = language()
        response.headers["Vary"] = "HX-Request, Bastide-Has, Cookie, Accept-Language"
    elif "v" in request.args:
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return languages.remember(board_rotation.remember(tour.remember(response)))


@web.context_processor
def _template_context() -> dict[str, Any]:
    return {
        "lang": language(),
        "board_rotation": board_rotation,
        "tour": tour,
        "languages": other_languages(),
        "language_names": languages.NAMES,
        "texts": lambda game: sentences.words(language(), game),
        "words_of": _game_name,
        "day": day,
        "ago": ago,
        "day_of": day_of,
        "hour_of": hour_of,
        "role_name": _role_name,
    }


def _game_name(game: str) -> str:
    """A game's name; the id of a game that is not installed any more."""
    return str(sentences.words(language(), game).text["name"]) if game in rules.GAMES else game


def _role_name(role: str) -> str:
    return {"host": _("host"), "watch": _("watching")}.get(role, role)


def page(name: str, status: int = 200, **values: Any) -> Response:
    """Render a template as a response."""
    return make_response(render_template(f"{name}.html", **values), status)


def as_download(response: Response, name: str) -> Response:
    """A response that the browser saves as a file."""
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def wants_part(part: str = PART) -> bool:
    """Whether htmx requests the part of a page that it swaps, and not a whole page (as it does for Back)."""
    return bool(htmx) and not htmx.history_restore_request and htmx.target == part


def failure_page(
    text: str,
    status: int,
    *,
    heading: str = "",
    again: bool = False,
    table_id: str | None = None,
    onward: tuple[str, str] | None = None,
) -> Response:
    """A friendly page about something that did not work; `again` offers to send the same form once more.

    `onward`: a way on, with its address. `table_id`: the table to return to.
    """
    filled = submitted_form.form() if again and request.method == "POST" else None
    form = None if filled is None else list(filled.items(multi=True))
    name = "failure_part" if wants_part() else "failure"
    path = request.full_path.removesuffix("?")
    way = {"table_id": table_id, "path": path, "onward": onward}
    return page(name, status, heading=heading, text=text, form=form, again=again, **way)


# --- what can go wrong -------------------------------------------------------------------------------------------


@web.errorhandler(Unauthorised)
def _no_key(error: Unauthorised) -> Response:
    if "group_id" in (request.view_args or {}):
        return page("join_group", status_of(error), **(request.view_args or {}))
    table_id = (request.view_args or {}).get("table_id", "")
    name = "join_part" if wants_part() else "join"
    return page(name, status_of(error), table_id=table_id, holds=None, is_refused=False)


@web.errorhandler(NoGroup)
@web.errorhandler(NoTable)
def _wrong_key(error: NoGroup | NoTable) -> Response:
    try:
        admit_wrong_key()
    except RateLimited as refusal:
        return _too_many(refusal)
    except StoreAway as refusal:
        return _unavailable_page(refusal)
    return _expired_table(error) if isinstance(error, NoTable) else _no_group(error)


def _no_group(error: NoGroup) -> Response:
    group_id = (request.view_args or {}).get("group_id", "")
    return page("join_group", status_of(error), group_id=group_id, complaint=error_text(error))


@web.errorhandler(cookies.TooManyGroups)
def _too_many_groups(_error: cookies.TooManyGroups) -> Response:
    most = _("Leave a group first: this phone already has %(most)s.", most=cookies.MAX_GROUPS)
    return failure_page(most, HTTPStatus.CONFLICT)


@web.errorhandler(Expired)
def _expired_table(error: Exception) -> Response:
    table_id = (request.view_args or {}).get("table_id", "")
    return recent_tables.forget(_error_page(error), table_id)


@web.errorhandler(KeyEnded)
def _ended_key(error: KeyEnded) -> Response:
    """The browser deletes the key that it used, and keeps its other keys of the table."""
    table_id = (request.view_args or {}).get("table_id", "")
    heading, text = problem_responses.problem_of(error, language()).words(language())
    join = (_("Enter a link or key"), url_for("web.join", table_id=table_id))
    answer = failure_page(text, status_of(error), heading=heading, onward=join)
    others = {role: key for role, key in cookies.keys().items() if key != cookies.key()}
    cookies.keep(answer, url_for("web.board", table_id=table_id), others)
    return answer if others else recent_tables.forget(answer, table_id)


@web.errorhandler(NoPages)
def _no_pages(_error: NoPages) -> Response:
    return failure_page(_("This game has no pages here. Programs can use it through the API."), PROBLEMS["no-game"])


@web.errorhandler(HTTPException)
@web.errorhandler(NoCase)
@web.errorhandler(NoGame)
@web.errorhandler(NoRule)
@web.errorhandler(GroupFull)
@web.errorhandler(KeyReused)
@web.errorhandler(TooMuch)
def _error_page(error: Exception) -> Response:
    heading, text = problem_responses.problem_of(error, language()).words(language())
    return failure_page(text, status_of(error), heading=heading)


@web.app_errorhandler(NotFound)
def _nothing_here(error: NotFound) -> Response:
    """A browser gets a page for an address without a view; a program gets the problem."""
    if request.blueprint == web.name:
        return _error_page(error)
    if not problem_responses.wants_page(request.path, current_list_header("ACCEPT")):
        return problem_responses.answer(error)
    heading, text = problem_responses.problem_of(error, language()).words(language())
    values = _template_context() | {"heading": heading, "text": text, "form": None, "onward": None}
    return _set_cache_headers(page("failure", HTTPStatus.NOT_FOUND, **values))


@web.errorhandler(RateLimited)
@web.errorhandler(StoreFull)
def _too_many(error: RateLimited | StoreFull) -> Response:
    """Return the typed values to somebody at the table; nobody else's form is read."""
    if referee().cached_role((request.view_args or {}).get("table_id", ""), cookies.key()):
        submitted_form.let_in()
    return with_problem_headers(error, failure_page(rate_limit_text(error), status_of(error), again=True))


@web.errorhandler(BrokenLog)
def _broken_log(error: BrokenLog) -> Response:
    return with_problem_headers(error, failure_page(error_text(error), status_of(error), again=True))


@web.errorhandler(StoreAway)
@web.errorhandler(Unreadable)
def _store_away_page(error: Exception) -> Response:
    submitted_form.let_in()  # nobody can say whether the key is right, and the limits admit the request
    return _unavailable_page(error)


def _unavailable_page(error: Exception) -> Response:
    text = _("The games cannot be reached now. Nothing is lost: try again soon.")
    return with_problem_headers(error, failure_page(text, status_of(error), again=True))


def error_text(error: Exception) -> str:
    """The text of the problem for an exception."""
    return problem_responses.problem_of(error, language()).words(language())[1]


def rate_limit_text(error: RateLimited | StoreFull) -> str:
    """The text that the server did nothing, and when the client may try again."""
    return " ".join([_("Nothing was changed."), error_text(error)])


def with_problem_headers(error: Exception, response: Response) -> Response:
    """A page as the response to an exception, with the status and the headers of its problem."""
    problem = problem_responses.problem_of(error, language())
    response.status_code = problem.status
    response.headers.extend(problem.headers)
    return response
