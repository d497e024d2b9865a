"""Each route stays within the work of a request, in a new worker and when asked again.

`test_budget` looks for the worst bodies. Here are ordinary ones, and all routes that take nothing but an address. The
benchmark ``routes`` tells the CPU of the same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest
from flask import Flask
from werkzeug.routing import Map, MapAdapter, Rule

from rules import GAMES
from rules.steps import REST, at_most
from service.app import warm
from service.http import openapi
from service.http.docs import views
from service.rulings.rule_search import _index, look_up
from service.rulings.search_terms import stem_of
from service.runtime.budget import BUDGET, rest
from service.runtime.first_use import Once
from tests.support.api import V1
from tests.support.every_route import Opening, Request, get, parts, rows
from tests.support.loops import over
from tests.support.route_work import RouteWork, every_work, never
from tests.support.worst import CALLS_A_STEP, WITHOUT_STEPS, spans

SLICE = 2 * CALLS_A_STEP * REST
"""Calls between two rests while a worker makes a shared value: some milliseconds."""


def without_row(app: Flask, requests: Iterable[Request]) -> set[tuple[str, str]]:
    """The methods and routes of an application that none of the requests covers."""
    known = app.url_map.bind("localhost")
    asked = {
        (each.method, known.match(each.path.partition("?")[0], method=each.method, return_rule=True)[0].rule)
        for each in requests
    }
    there = {(method, rule.rule) for rule in app.url_map.iter_rules() for method in rule.methods or ()}
    return {(method, rule) for method, rule in there if method not in ("HEAD", "OPTIONS")} - asked


def test_every_route_has_a_row(app: Flask) -> None:
    """Every route, of API, texts, pages and files, has a row. The control: a row that is left out is missed."""
    opening = Opening(app)
    requests = [opening.request(row, "en") for row in rows()]
    assert without_row(app, requests) == set()
    left = [each for each in requests if each.path != "/livez"]
    assert without_row(app, left) == {("GET", "/livez")}


def test_addresses_are_built_as_werkzeug_builds_them(app: Flask) -> None:
    """Our map builds the same addresses as Werkzeug's, for known arguments and with an extra one for the query."""
    usual = Map([Rule(each.rule, endpoint=each.endpoint, methods=each.methods) for each in app.url_map.iter_rules()])
    known, expected = (each.bind("localhost") for each in (app.url_map, usual))
    for rule in over(app.url_map.iter_rules()):
        values = dict.fromkeys(rule.arguments, 7)
        for more in ({}, {"more": "ü"}, {}):
            told = rule.endpoint, values | more
            assert address_or_error(known, *told) == address_or_error(expected, *told)


def address_or_error(addresses: MapAdapter, endpoint: str, values: Mapping[str, object]) -> str:
    """The address, or the error's text."""
    try:
        return addresses.build(endpoint, values)
    except ValueError as error:
        return str(error)


def too_much(each: RouteWork) -> bool:
    """Whether a row took more work than its steps allow: the bound of `test_budget`.

    The first request may also make shared values, in slices. The second has only its own steps.
    """
    first = max(each.first.steps, each.first.steps_to_last_rest)
    return each.first.calls > max_calls(first) or each.again.calls > max_calls(each.again.steps)


def max_calls(steps: int) -> int:
    """The maximum of calls for this many steps."""
    return WITHOUT_STEPS + CALLS_A_STEP * min(steps, BUDGET)


GAME_IDS = list(GAMES)
TOGETHER = 5
"""At most this many rows of a game share one worker."""


def sharing(part: str) -> Callable[[int], bool]:
    """Which rows of a part share the worker of the row before: four of five that only read, if the part is a game.

    Every game begins at another row, so each view has a new worker in one game. Other parts share none.
    """
    if part not in GAME_IDS:
        return never
    begin = GAME_IDS.index(part)
    return lambda number: (number - begin) % TOGETHER != 0


@pytest.mark.parametrize("part", parts())
def test_every_route_is_within_the_bound(part: str) -> None:
    """Each row is within the bound, in a new worker and again, and gets the expected kind of status.

    What all games share is made in a new worker for each view, but not in each game: see `sharing`.
    """
    over, astray = {}, {}
    for each in every_work(parts()[part], counted=True, share=sharing(part)):
        if too_much(each):
            over[each.row.name] = each.first, each.again
        if (each.first.status >= 400) != each.row.is_refused or max(each.first.status, each.again.status) >= 500:
            astray[each.row.name] = each.first.status, each.again.status
    assert over == {}
    assert astray == {}


@pytest.mark.parametrize("path", [f"{V1}/docs", f"{V1}/games/fief/search?q=the+first+player"])
def test_what_is_made_anew_each_time_is_over_the_bound(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: a worker that caches nothing does too much work for the second request, even if it yields."""
    monkeypatch.setattr(Once, "__call__", made_anew)
    assert [too_much(each) for each in every_work([get(path)], counted=True)] == [True]


def made_anew(once: Once[Any, Any], *key: Any, **named: Any) -> Any:
    """`Once` without a cache: it makes the value each time."""
    with at_most(None, rest):
        return once._make(*key, **named)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_readable_contract_is_made_in_slices(language: str, app: Flask) -> None:
    """The readable contract is made in slices, so the worker yields, and the second request finds it cached."""
    warm(app)
    for made in (views.contract_page, views._compressed_contract, openapi.description):
        made.cache_clear()
    headers = {"Accept-Language": language, "Accept-Encoding": "br"}
    client = app.test_client()
    client.get("/problems", headers=headers)
    first = spans(lambda: client.get("/api/v1/docs", headers=headers))
    assert len(first) > 20
    assert max(first) < SLICE
    again = spans(lambda: client.get("/api/v1/docs", headers=headers))
    assert sum(again) < SLICE / 10


@pytest.mark.parametrize("game", GAMES)
def test_an_index_of_rules_is_made_in_slices(game: str) -> None:
    """The first search builds the index in slices, so the worker yields; the second finds it cached.

    An empty search builds none.
    """
    look_up(game, "player", "en")  # the texts are read when the server starts
    _index.cache_clear()
    stem_of.cache_clear()
    assert len(spans(lambda: look_up(game, "", "en"))) == 1
    first = spans(lambda: look_up(game, "player", "en"))
    assert len(first) > 10
    assert max(first) < SLICE
    assert sum(spans(lambda: look_up(game, "player", "en"))) < SLICE
