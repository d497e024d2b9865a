"""The pages that add a result to a group, from a finished table or by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final

from flask import Response, make_response, redirect, request, url_for

import rules
from service import schemas
from service.errors import GroupFull, Invalid, KeyReused, RateLimited, StoreFull
from service.http.current import groups, referee
from service.http.problems import PROBLEMS, status_of
from service.i18n import sentences
from service.i18n.languages import LANGUAGES
from service.tables.keys import derive_id
from service.tables.results import Group, Result, result_json
from service.tables.table import Table
from service.types import JsonObject
from web.blueprint import error_text, failure_page, page, rate_limit_text, web, with_problem_headers
from web.browser import cookies
from web.browser.bidi import strip_isolates
from web.browser.language import _, language, local_day
from web.pages import home_list
from web.panels.context import names_at, sheet_of
from web.panels.score.groups import outcome, result_of, tallies_of
from web.panels.sentences import new_key
from web.views.groups import (
    NEW,
    PHONE,
    group_here,
    groups_page,
    import_parameters,
    new_group,
    results_file,
    results_of_phone,
    to_group,
)
from web.views.table import sent_key

LONG: Final = 9
"""The maximum number of digits of a player's points."""
ROWS: Final = 6
"""The rows for players in the form for a result by hand."""


# --- the result of a table ---------------------------------------------------------------------------------------


@web.get("/t/<table_id>/result")
def result(table_id: str) -> Response:
    """The page that stores the result of a finished table in a group."""
    return _to_keep(referee().table(table_id, cookies.key())[0])


@web.post("/t/<table_id>/result")
def keep_result(table_id: str) -> Response:
    """Store the result of a table in a group, an existing or a new one, under the typed names."""
    chosen = request.form.get("group", "")
    table, _role = referee().table(table_id, cookies.key())
    if table.due.ended is None:
        return _to_keep(table)
    try:
        ended = _with_typed_names(_result(table))
        group_id, key = _target_group(chosen)
        groups().save_result(group_id, key, ended, sent_key())
    except (GroupFull, Invalid, KeyReused) as error:
        return _to_keep(table, status_of(error), error_text(error))
    except (RateLimited, StoreFull) as error:
        return with_problem_headers(error, _to_keep(table, trouble=rate_limit_text(error)))
    return cookies.hold(to_group(group_id), group_id, key)


def _target_group(chosen: str) -> tuple[str, str]:
    """The group that a form names, perhaps a new one, and its key. Raises `Invalid`, `RateLimited`, `StoreFull`."""
    if chosen != NEW:
        return chosen, cookies.groups().get(chosen, "")
    group, key = new_group(request.form.get("title", ""))
    return group.id, key


def _result(table: Table) -> Result:
    names = {seat: strip_isolates(name) for seat, name in names_at(table).items()}
    there = local_day(table.entries[-1].at, request.form.get("day"))
    return result_of(table, sheet_of(table.state, table.game.id), names)._replace(day=there.isoformat())


def _typed_names(result: Result) -> list[str]:
    """The names in the form: the typed ones, or else those of the table."""
    form_names = [request.form.get(f"name-{n}") for n, _player in enumerate(result.players, 1)]
    return [player.name if name is None else name for name, player in zip(form_names, result.players, strict=True)]


def _with_typed_names(result: Result) -> Result:
    """A result under the typed names. A player without one keeps the name at the table. Raises `Invalid`."""
    pairs = zip(result.players, _typed_names(result), strict=True)
    players = tuple(player._replace(name=name.strip() or player.name) for player, name in pairs)
    results: tuple[Result, ...] = schemas.load(
        schemas.RESULTS, {"results": [result_json(result._replace(players=players))]}
    )["results"]
    return results[0]


def _to_keep(table: Table, status: int = 200, trouble: str = "") -> Response:
    if table.due.ended is None:
        not_over = _("The game is not over yet: there is no result to save.")
        return failure_page(not_over, PROBLEMS["invalid"], table_id=table.id)
    ended, own_groups = _result(table), home_list.groups_of_phone()
    return page(
        "keep_result",
        status,
        table=table,
        outcome=outcome(ended),
        seats=list(zip(table.game.seats_of(table.state), ended.players, _typed_names(ended), strict=True)),
        own_groups=own_groups,
        there=ended.id,
        chosen_group=request.form.get("group") or (own_groups[0].id if own_groups else NEW),
        title=request.form.get("title") or _("Our games"),
        new=NEW,
        key=new_key(),
        trouble=trouble,
    )


# --- the tables of this phone ------------------------------------------------------------------------------------


@web.get("/g/results.<any(json, csv):form>")
def export_played(form: str) -> Response:
    """The results of the tables of this phone as a file, which a group can import."""
    return results_file(form, results_of_phone().values(), {})


@web.post("/g/keep")
def keep_played() -> Response:
    """Store the results of the tables of this phone in a group, an existing or a new one."""
    chosen, results = request.form.get("group", ""), tuple(results_of_phone().values())
    if not results:
        return no_form_of_results()
    try:
        group_id, key = _target_group(chosen)
        now = groups().import_results(group_id, key, results, sent_key())
        report = now._replace(
            conflict_count=0
        )  # a table's own result, stored in another language or renamed, is no conflict
    except (GroupFull, Invalid, KeyReused) as error:
        return groups_page(status_of(error), trouble=error_text(error), of=PHONE)
    except (RateLimited, StoreFull) as error:
        return with_problem_headers(error, groups_page(trouble=rate_limit_text(error), of=PHONE))
    return cookies.hold(to_group(group_id, **import_parameters(report)), group_id, key)


@web.get("/g/keep")
def no_form_of_results() -> Response:
    """The address of a form: a GET shows the groups instead."""
    return make_response(redirect(url_for("web.groups_here"), 303))


# --- by hand -----------------------------------------------------------------------------------------------------


@web.get("/g/<group_id>/add")
def write_result(group_id: str) -> Response:
    """A form for the result of a game that had no table here."""
    return _to_write(group_here(group_id))


@web.post("/g/<group_id>/add")
def add_result(group_id: str) -> Response:
    """Store a result that was entered by hand."""
    form = request.form
    day, game = form.get("day", ""), _game_of(form.get("game", ""))
    try:
        value: Any = {"results": [{"day": day, "players": _form_players(), **({"game": game} if game else {})}]}
        (result,) = schemas.load(schemas.RESULTS, value)["results"]
        result_with_id = result._replace(id=derive_id("by hand", sent_key() or new_key()))
        groups().save_result(group_id, cookies.groups().get(group_id), result_with_id, sent_key())
    except Invalid as error:
        return _to_write(group_here(group_id), status_of(error), wrong=_errors_by_field(error))
    except (GroupFull, KeyReused) as error:
        return _to_write(group_here(group_id), status_of(error), _refusal_text(error))
    return to_group(group_id)


def _refusal_text(error: GroupFull | KeyReused) -> str:
    """Why the server rejects a result that is valid in itself."""
    if isinstance(error, GroupFull):
        return error_text(error)
    return _("Send it once more: this form was already sent with another result.")


def _errors_by_field(error: Invalid) -> dict[str, list[str]]:
    """All errors, by the names of the fields. The error for a result without players stands at the first name."""
    found: dict[str, list[str]] = {}
    seats = [n for n, _name in _named_rows()]
    for pointer, each in error.field_errors:
        _, _results, _first, field, *rest = pointer.split("/")
        if field == "players":
            field = f"{rest[1]}-{seats[int(rest[0])]}" if rest else "name-1"
        found.setdefault(field, []).append(sentences.field_error(language(), each))
    return dict(sorted(found.items(), key=lambda item: list(_labels()).index(item[0])))


def _labels() -> dict[str, str]:
    """The labels of the form's fields, in order."""
    found = {"game": _("Game"), "day": _("Day")}
    for n in range(1, ROWS + 1):
        player = _("Player %(number)s", number=n)
        found |= {f"name-{n}": f"{player}, {_('Name')}", f"points-{n}": f"{player}, {_('Points')}"}
    return found


def _game_of(text: str) -> str:
    """The id of a game by its name in any language; for any other game, the typed name."""
    names = {
        str(sentences.words(each, game).text["name"]).casefold(): game for each in LANGUAGES for game in rules.GAMES
    }
    return names.get(text.strip().casefold(), text.strip())


def _form_players() -> list[JsonObject]:
    """The players of the form. If it names no winner, those with the most points have won, unless all have."""
    form = request.form
    found: list[JsonObject] = [
        {"name": name, "points": _points(form.get(f"points-{n}", "")), "won": f"won-{n}" in form}
        for n, name in _named_rows()
    ]
    points = [each["points"] for each in found if isinstance(each["points"], int)]
    if len(points) == len(found) and len(set(points)) > 1 and not any(each["won"] for each in found):
        for each in found:
            each["won"] = each["points"] == max(points)
    return found


def _named_rows() -> list[tuple[int, str]]:
    """The rows of the form in which a name was typed."""
    return [(n, name) for n in range(1, ROWS + 1) if (name := request.form.get(f"name-{n}", "").strip())]


def _points(value: str) -> int | str | None:
    """The number that was typed. Any other text is returned unchanged, and the schema rejects it."""
    text = value.strip()
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < LONG else text or None


def _to_write(
    group: Group, status: int = 200, trouble: str = "", wrong: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> Response:
    form = request.form
    return page(
        "add_result",
        status,
        group=group,
        rows=[
            (n, form.get(f"name-{n}", ""), form.get(f"points-{n}", ""), f"won-{n}" in form) for n in range(1, ROWS + 1)
        ],
        names=[each.name for each in tallies_of(group).players],
        games=list(rules.GAMES),
        game=form.get("game", ""),
        day=form.get("day") or datetime.now(UTC).date().isoformat(),
        now=None if form.get("day") else datetime.now(UTC),
        key=new_key(),
        trouble=trouble,
        wrong=wrong,
        labels=_labels(),
    )
