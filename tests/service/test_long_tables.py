"""Tables with the maximum of entries: every page is within the budget, and the worker reads the log in slices."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask

import service.referee.repository
import service.storage.ledger
from rules.steps import REST, TooMuch, at_most, is_half_spent, spend, spend_beside
from service.app import warm
from service.errors import MAX_MISSING, NoTable, StoreAway
from service.referee.fold import fold
from service.referee.plans import MAX_ENTRIES
from service.referee.use_cases import Referee
from service.runtime.budget import BUDGET, FOLD_STEPS
from service.storage.ledger import Ledger
from service.tables.table import Table
from tests.rules.play import EVERY_GAME, AnyGame
from tests.support.api import V1, OpenTable
from tests.support.effort import measure
from tests.support.long_tables import ON, WAYS, long_log, long_table
from tests.support.loops import over
from tests.support.worst import CALLS_A_STEP, WITHOUT_STEPS, Client, PreparedRequest, calls, spans
from web.board.chart import Chart, Curve

PAGES = (
    "",
    "/moves",
    "/moves?before=2500",
    "/moves?entry=2500",
    "/moves?do=chart",
    "/log.txt",
    "/sheet",
    "/sheet?before=2500",
    "/sheet.txt",
    "/sheet.csv",
    "/sheet.json",
    "/sheet.svg",
    "/board.svg",
    "/score",
    "/turns",
    "/readings",
)
"""The pages of a table that a browser requests."""
OPERATIONS = ("", "/log?limit=500", "/log?after=4000&limit=500", "/score", "/readings", "/legal-moves?limit=100")
"""The paths of a table that a program requests."""
SLICE_CALLS = CALLS_A_STEP * (REST + 2 * FOLD_STEPS)
"""The calls between two rests while a log is read."""


def asked_of(table: OpenTable) -> Iterator[PreparedRequest]:
    """Requests for all views of a table."""
    key = {"Authorization": f"Bearer {table.host}"}
    yield from (PreparedRequest("GET", f"{V1}/tables/{table.id}{path}", None, key) for path in OPERATIONS)
    yield from (PreparedRequest("GET", f"/t/{table.id}{path}") for path in PAGES)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
def test_every_page_of_the_longest_table_is_within_the_budget(
    game: AnyGame, way: str, app: Flask, ledger: Ledger
) -> None:
    """The first request reads the log in slices, so that the worker yields every few milliseconds. Every other page and
    operation is within the budget, in steps and in counted calls.

    One of the two tables of each game is requested again.
    """
    warm(app)
    table, client = long_table(ledger, game.id, way), Client(app)
    client.http.set_cookie("keys", f"host.{table.host}", path=f"/t/{table.id}")
    whole, *others = asked_of(table)
    with client.efforts() as efforts:
        slices = spans(lambda: client.send(whole))
    assert efforts[0].extra >= FOLD_STEPS * (MAX_ENTRIES - 1)
    assert len(slices) > MAX_ENTRIES * FOLD_STEPS // (REST + FOLD_STEPS)
    assert max(slices[:-2]) <= SLICE_CALLS  # the last two include the response
    asks_again = EVERY_GAME.index(game) % len(WAYS) == WAYS.index(way)
    for asked in over((*others, *(asked_of(table) if asks_again else ()))):
        answer, effort, work = measure(client, asked)
        assert answer.status_code == 200, (asked.path, answer.text[:300])
        assert effort.steps - effort.extra <= BUDGET, (asked.path, effort.steps)
        assert work <= WITHOUT_STEPS + CALLS_A_STEP * effort.steps, (asked.path, work, effort.steps)
        assert asked.path.startswith(V1) or len(answer.data) < 150_000, asked.path


def test_who_is_late_at_a_long_table_is_told_a_little(app: Flask, ledger: Ledger) -> None:
    """A change on a very old version gets the first missing entries only, and the number of the others."""
    table, client = long_table(ledger, "architekton", ON), Client(app)
    client.http.set_cookie("keys", f"host.{table.host}", path=f"/t/{table.id}")
    form = {"version": "2", "move": "0", "key": "k" * 22}
    answers: list[Any] = []

    def send() -> None:
        answers.append(client.http.post(f"/t/{table.id}/rewind", data={**form, "to": "1"}, headers={"Origin": ORIGIN}))

    with client.efforts() as efforts:
        work = calls(send)
    assert answers[0].status_code == 412
    assert f"and {MAX_ENTRIES - 7} more" in answers[0].text
    assert work <= WITHOUT_STEPS + CALLS_A_STEP * efforts[0].steps
    key = {"Authorization": f"Bearer {table.host}", "If-Match": '"2"'}
    told: Any = client.send(PreparedRequest("POST", f"{table.path}/rewind", {"to": 1}, key)).json
    assert (len(told["missing"]), told["next"]) == (MAX_MISSING, MAX_MISSING + 2)


ORIGIN = "http://localhost"


# --- the log -----------------------------------------------------------------------------------------------------


class Folds:
    """Counts folds of whole logs; the first ends only once another request waits for it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, failing: bool = False) -> None:
        self.table_ids: list[str] = []
        waiting = threading.Event()

        class WatchedEvent(threading.Event):
            """An event that reports that a thread waits for it."""

            def wait(self, timeout: float | None = None) -> bool:
                waiting.set()
                return super().wait(timeout)

        def count(table_id: str, log: Sequence[tuple[int, bytes]], lifetime: timedelta) -> Table:
            self.table_ids.append(table_id)
            if len(self.table_ids) == 1:
                assert waiting.wait(30)
                if failing:
                    raise StoreAway("gone for a moment")
            return fold(table_id, log, lifetime)

        monkeypatch.setattr(service.referee.repository, "Event", WatchedEvent)
        monkeypatch.setattr(service.referee.repository, "fold", count)


def test_two_who_ask_for_a_table_at_once_fold_it_once(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two requests for a table at once fold it once: the second waits for the first."""
    table = long_table(ledger, "architekton", ON, 50)
    folds, referee = Folds(monkeypatch), Referee(ledger)
    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(referee.table, table.id, table.host) for _ in range(2)]
        versions = [each.result(60)[0].version for each in asked]
    assert (versions, folds.table_ids) == ([50, 50], [table.id])


def test_where_the_first_fails_the_second_folds(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the first fold fails, the request that waited folds the log itself."""
    table = long_table(ledger, "architekton", ON, 50)
    folds, referee = Folds(monkeypatch, failing=True), Referee(ledger)
    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(referee.table, table.id, table.host) for _ in range(2)]
        ends = [each.exception(60) for each in asked]
    assert sorted(type(end).__name__ for end in ends) == ["NoneType", "StoreAway"]
    assert folds.table_ids == [table.id, table.id]
    assert referee.table(table.id, table.host)[0].version == 50


def test_a_log_is_read_in_slices(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log read in slices of any size is complete, from any entry on."""
    table = long_table(ledger, "architekton", ON, 20)
    _, log = long_log("architekton", ON, 20)
    every = list(enumerate(log, start=1))
    for size in (2, 3, 19, 20, 21):
        monkeypatch.setattr(service.storage.ledger, "SLICE", size)
        assert ledger.read(table.id) == every
        assert ledger.read(table.id, 20) == every[19:]
        assert ledger.read(table.id, 7) == every[6:]
        assert ledger.read(table.id, 21) == []


def test_a_log_that_goes_while_it_is_read_is_not_half_a_log(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log deleted while it is read is gone; one that loses its end makes the store count as away."""
    monkeypatch.setattr(service.storage.ledger, "SLICE", 5)
    for command, expected in (("DEL", NoTable), ("XTRIM", StoreAway)):
        table = long_table(ledger, "architekton", ON, 20)
        with monkeypatch.context() as patch:
            patch.setattr(ledger, "_ask", _cutting(ledger._ask, command, table.id))
            with pytest.raises(expected):
                ledger.read(table.id)


def _cutting(ask: Callable[..., Any], command: str, table_id: str) -> Callable[..., Any]:
    """Asks the store, and after the first response deletes or empties the log."""
    left: list[tuple[str, ...]] = [("DEL", f"{{t:{table_id}}}:mark"), ("DEL", f"{{t:{table_id}}}:log")]
    if command == "XTRIM":
        left = [("XTRIM", f"{{t:{table_id}}}:log", "MAXLEN", "0")]

    def cutting(key: str, *commands: Any) -> Any:
        answer = ask(key, *commands)
        while left:
            ask("", left.pop())
        return answer

    return cutting


# --- steps, and the chart ----------------------------------------------------------------------------------------


def test_steps_beside_are_counted_and_refuse_nobody() -> None:
    """Steps beside the budget are counted and yield, but use up none of it."""
    rests: list[int] = []
    with at_most(10, lambda: rests.append(1)) as effort:
        spend(4)
        spend_beside(2 * REST)
        assert (effort.steps, is_half_spent(), len(rests)) == (2 * REST + 4, False, 1)
        spend(2)
        assert is_half_spent()
        spend(4)
        with pytest.raises(TooMuch):
            spend(1)
    spend_beside(1)  # outside any budget


def test_a_chart_of_very_many_steps_is_as_small_as_one_of_few() -> None:
    """A chart of very many steps draws only some of them; one of few steps draws all."""
    points = tuple(number % 7 for number in range(MAX_ENTRIES))
    drawn = [str(shape.attributes["d"]) for shape in _chart(points).shapes() if shape.ink == "course"]
    assert 1_000 < len(drawn[0]) < 20_000
    few = [str(shape.attributes["d"]) for shape in _chart(points[:300]).shapes() if shape.ink == "course"]
    assert few[0].count("V") == 299


def _chart(points: tuple[int, ...]) -> Chart:
    return Chart((Curve("red", "Ada", points),), len(points) - 1, (1,), {})
