"""The pages of groups: history and statistics, stored results, the link for other members, and the files."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final

from flask import Response, make_response, redirect, request, url_for
from werkzeug.exceptions import RequestEntityTooLarge

from service import schemas
from service.errors import GroupFull, Invalid, KeyReused, NotJson, RateLimited, StoreFull
from service.groups.groups import ImportReport, can_be_imported_again
from service.groups.statistics import compute_statistics
from service.http.current import admit, groups
from service.http.problems import status_of
from service.i18n.sentences import field_error
from service.limits.rate_limits import Kind
from service.schemas.parsing import encode
from service.tables.results import MAX_FILE, Group, Result, result_json
from service.types import JsonObject
from web.blueprint import as_download, error_text, page, rate_limit_text, web, with_problem_headers
from web.board.qr import qr_code
from web.browser import cookies
from web.browser import recent_tables as recent
from web.browser.address import number
from web.browser.language import _, language
from web.browser.public_url import PublicUrl
from web.browser.recent_tables import recent_tables
from web.pages import home_list
from web.panels.score.groups import as_csv, average, group_view, history, import_news, percent
from web.panels.sentences import new_key
from web.views.table import sent_key

WITH_FILE: Final = "multipart/form-data"
NEW: Final = "new"
"""The value in a form that asks to found a group."""
GROUPS, PHONE = "groups", "phone"
"""Whose results a page shows: the values of a parameter in its address."""
MAX_READ: Final = 8
"""The maximum number of changed tables to read for the statistics: more than for the first page, which is frequent."""


# --- the groups of this phone ------------------------------------------------------------------------------------


@web.get("/g")
def groups_here() -> Response:
    """The groups of this phone, a form for a new one, and the statistics of its tables."""
    return groups_page()


@web.post("/g")
def found_group() -> Response:
    """Found a group, and give this browser its key."""
    try:
        group, key = new_group(request.form.get("name", ""))
    except Invalid as error:
        return groups_page(status_of(error), trouble=error_text(error), of=GROUPS)
    except (RateLimited, StoreFull) as error:
        return with_problem_headers(error, groups_page(trouble=rate_limit_text(error), of=GROUPS))
    return cookies.hold(to_group(group.id), group.id, key)


def new_group(name: str) -> tuple[Group, str]:
    """A new group and its key. Raises `Invalid`, `RateLimited`, `StoreFull`, `TooManyGroups`."""
    group_name = schemas.load(schemas.GROUP_NAME_BODY, {"name": name} if name.strip() else {})["name"]
    cookies.require_room()
    admit(Kind.CREATE)
    return groups().create(group_name, sent_key())


def groups_page(status: int = 200, *, trouble: str = "", of: str = "") -> Response:
    """The groups of this phone, or (`of`, or without a group) the history and statistics of its tables."""
    tables, own_groups = recent_tables(), home_list.groups_of_phone()
    mine = home_list.shelf(tables, MAX_READ)
    found = home_list.finished_results(mine.tables)
    asked = of or request.args.get("of", "" if own_groups else PHONE)
    context = {
        "history": history(found, compute_statistics(found)),
        "of_phone": asked == PHONE and bool(found),
        "trouble": trouble,
        "average": average,
        "percent": percent,
    }
    choice = {"chosen_group": request.form.get("group") or (own_groups[0].id if own_groups else NEW), "new": NEW}
    title = request.form.get("title") or _("Our games")
    response = page("groups", status, groups=own_groups, title=title, key=new_key(), **context, **choice)
    return response if mine.tables == tables else recent.store(response, mine.tables)


def results_of_phone() -> dict[int, Result]:
    """The results of the tables of this phone."""
    return home_list.finished_results(home_list.shelf(recent_tables(), MAX_READ).tables)


# --- one group ---------------------------------------------------------------------------------------------------


@web.get("/g/<group_id>")
def group(group_id: str) -> Response:
    """The results and statistics of a group. A visit extends the time that the browser keeps the key."""
    before, out_before = number(request.args.get("before")), number(request.args.get("out_before"))
    view = group_view(group_here(group_id), before, out_before)
    out = number(request.args.get("out"))
    new_count, back, differing = (number(request.args.get(name)) for name in ("come", "back", "differing"))
    news = import_news(new_count, back or 0, differing or 0) if new_count is not None else ()
    answer = page("group", view=view, removed_row=view.taken_out_row(out), news=news, average=average, percent=percent)
    return cookies.hold(answer, group_id, cookies.groups()[group_id])


@web.get("/g/<group_id>/share")
def share_group(group_id: str) -> Response:
    """The link that lets others in."""
    return _with_link("share_group", group_id)


def _with_link(name: str, group_id: str) -> Response:
    public = PublicUrl.of_request()
    link = f"{public.base}{url_for('web.group', group_id=group_id)}#{cookies.groups().get(group_id)}"
    return page(name, group=group_here(group_id), link=link, code=qr_code(link), public=public)


@web.get("/g/<group_id>/results.<any(json, csv):form>")
def export_group(group_id: str, form: str) -> Response:
    """All results as a file: JSON, which can be imported, or a table for office programs."""
    found = group_here(group_id)
    return results_file(form, found.counting_results.values(), {"group": found.name})


def results_file(form: str, results: Iterable[Result], source: JsonObject) -> Response:
    """Results as a file to download; as JSON with the name of their source."""
    if form == "csv":
        content, kind = as_csv(results).encode(), "text/csv"
    else:
        content, kind = encode(source | {"results": [result_json(each) for each in results]}), "application/json"
    return as_download(Response(content, mimetype=kind), f"bastide-results.{form}")


@web.post("/g/<group_id>/import")
def import_results(group_id: str) -> Response:
    """Store the results of a file; existing results are neither doubled nor overwritten."""
    if request.mimetype == WITH_FILE:
        request.max_content_length = MAX_FILE
    else:
        sent_key()  # first reports an unreadable form without a file, as every page does
    group_here(group_id)
    try:
        upload = request.files.get("file")
        value = schemas.parse(upload.read().removeprefix(BOM_UTF8) if upload else b"")
        results = tuple(schemas.with_ids(schemas.load(schemas.RESULTS, value)["results"]))
        now = groups().import_results(group_id, cookies.groups().get(group_id), results, sent_key())
    except (GroupFull, Invalid, KeyReused, NotJson, RequestEntityTooLarge) as error:
        return _import_failure_page(group_id, error)
    return to_group(group_id, **import_parameters(now))


def _import_failure_page(group_id: str, error: Exception) -> Response:
    """The form for a file with the error beside its field. A browser cannot fill in the file again."""
    found = error.field_errors if isinstance(error, Invalid) else ()
    wrong = [(_place_in_file(pointer), field_error(language(), each)) for pointer, each in found if pointer]
    why = _why_not(error, some=bool(wrong))
    there = group_here(group_id)
    return page("import_results", status_of(error), group=there, why=why, wrong=wrong, key=new_key())


def _why_not(error: Exception, *, some: bool) -> str:
    """The reason why nothing was imported; `some`: the page also lists the errors by place."""
    if isinstance(error, RequestEntityTooLarge):
        return _("This file is too large: choose one of at most %(most)s kB.", most=MAX_FILE // 1024)
    if isinstance(error, KeyReused):
        return _("Choose the file once more: this form was already sent with another.")
    if isinstance(error, GroupFull):
        return error_text(error)
    if some:
        return _("Nothing was imported. Correct the file first:")
    return _("This file has no results. Choose a JSON file that a group exported.")


def _place_in_file(pointer: str) -> str:
    """A JSON pointer into a file of results, in words that count results and players from 1."""
    place: list[str] = []
    within = ""
    for part in pointer.split("/")[1:]:
        if part.isdecimal() and within in ("results", "players"):
            at = int(part) + 1
            place[-1] = _("Result %(number)s", number=at) if within == "results" else _("Player %(number)s", number=at)
        else:
            place.append(part)
        within = part
    return ", ".join(place)


@web.post("/g/<group_id>/out")
def take_out(group_id: str) -> Response:
    """Remove a result."""
    which = number(request.form.get("number"))
    if which is not None:
        groups().remove_result(group_id, cookies.groups().get(group_id), which)
    return to_group(group_id, out=which)


@web.post("/g/<group_id>/back")
def put_back(group_id: str) -> Response:
    """Restore a removed result."""
    which = number(request.form.get("number"))
    if which is not None:
        groups().restore_result(group_id, cookies.groups().get(group_id), which)
    return to_group(group_id)


@web.get("/g/<group_id>/clear")
def clearing_group(group_id: str) -> Response:
    """Ask before removing all results."""
    group = group_here(group_id)
    return page("clear_group", group=group, comes_back=can_be_imported_again(group, datetime.now(UTC)))


@web.post("/g/<group_id>/clear")
def clear_group(group_id: str) -> Response:
    """Remove all results that were there when the page asked."""
    version = number(request.form.get("version"))
    if version is not None:
        groups().remove_all_results(group_id, cookies.groups().get(group_id), version)
    return to_group(group_id)


@web.get("/g/<group_id>/leave")
def leaving_group(group_id: str) -> Response:
    """Ask before the phone leaves a group. The page shows its link once more: without it the phone cannot return."""
    return _with_link("leave_group", group_id)


@web.post("/g/<group_id>/leave")
def leave_group(group_id: str) -> Response:
    """Delete the key of a group from this browser. All other browsers still have the group."""
    response = make_response(redirect(url_for("web.groups_here"), 303))
    return cookies.leave(response, group_id) if "leave" in request.form else response


@web.get("/g/<group_id>/<any(import, out, back):_form>")
def no_form_of_group(group_id: str, _form: str) -> Response:
    """The addresses of forms: a GET shows the group instead."""
    return to_group(group_id)


def group_here(group_id: str) -> Group:
    """The group, with the key that this browser holds. Raises `NoGroup`, `Unauthorised`."""
    return groups().group(group_id, cookies.groups().get(group_id))


def import_parameters(now: ImportReport) -> dict[str, int | None]:
    """The parameters of a group's address that report an import."""
    return {"come": now.new_count, "back": now.restored_count or None, "differing": now.conflict_count or None}


def to_group(group_id: str, **parameters: Any) -> Response:
    """Redirect to the group. `come`: the number of imported results (see `what_came`); `out`: the removed one."""
    return make_response(redirect(url_for("web.group", group_id=group_id, **parameters), 303))


# --- joining -----------------------------------------------------------------------------------------------------


@web.get("/g/<group_id>/join")
def join_group(group_id: str) -> Response:
    """A field for a link or a key."""
    return page("join_group", group_id=group_id)


@web.post("/g/<group_id>/join")
def enter_group(group_id: str) -> Response:
    """Store the key of a group, if it is valid. Raises `NoGroup`, `Unauthorised`, `TooManyGroups`."""
    key = cookies.key_of(request.form.get("key", ""))
    if group_id not in cookies.groups():
        cookies.require_room()
    found = groups().group(group_id, key)
    return cookies.hold(to_group(found.id), found.id, key or "")
