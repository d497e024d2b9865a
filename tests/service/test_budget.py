"""Every request takes little work or is refused, and its counted steps match its work.

The suite searches for bad bodies for a moment only. `WORST_EXAMPLES=300` searches longer and with bodies of full size.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any
from urllib.parse import urlencode

import orjson
import pytest
from flask import Flask
from hypothesis import given, target
from hypothesis import strategies as st

import rules
from rules import GAMES
from rules.steps import REST, TooMuch, at_most, is_half_spent, spend
from service import schemas
from service.errors import Invalid
from service.http.request import BULK
from service.referee.use_cases import Referee
from service.rulings import judge
from service.runtime import budget
from service.runtime.budget import BUDGET, OUTPUT_BYTES
from service.storage.ledger import Ledger
from service.tables.codec import encode
from service.tables.entries import Disputed, Settled
from tests.rules.play import EVERY_GAME, AnyGame, some_game
from tests.support.api import V1, Api
from tests.support.effort import measure
from tests.support.loops import over
from tests.support.records import entries_of, record_of, records_of
from tests.support.worst import (
    CALLS_A_STEP,
    CASES,
    WITHOUT_STEPS,
    Client,
    PreparedRequest,
    calls,
    heavy,
    looking,
    nest,
    plain,
    ruling_in_part,
    shorten,
)
from web.game_pages import Snapshot
from web.panels.editor.position import counted_games
from web.position_url import MAX_TEXT, Trail, step_of

EXAMPLES = int(os.environ.get("WORST_EXAMPLES", "0"))
PART = 1.0 if EXAMPLES else 0.03
"""The share of the maximum size of a body that the search uses; the bound holds for smaller bodies, too."""
SHORT = {"rewind", "readTable", "exportTable", "readLog", "readEvents", "readScore", "readLegalMoves", "deleteTable"}
SHORT |= {"foundGroup", "readGroup", "keepResults"}
SHORT |= {"roll", "amend", "ruleAtTable", "raiseDispute", "readDispute", "confirmRemedy", "settleDispute"}
"""The operations with short requests."""
READ_ALWAYS = {"readTable", "readLog", "readEvents", "readScore"}
"""The operations that are never too much work: whoever holds a key can read the table, however long its log."""
TOO_MUCH = {"/problems/too-much-work"}
every_game = pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)


@pytest.fixture(scope="module")
def client(application: Flask) -> Client:
    """A client that counts work."""
    return Client(application)


def test_every_operation_has_its_worst_case() -> None:
    """Each operation of the contract has worst cases, unless it takes nothing but an address.

    Those others are measured in `test_every_route`.
    """
    takes = {
        operation["operationId"]: "requestBody" in operation or "/tables/" in path
        for _, path, operation in Api.contract.operations()
    }
    assert set(CASES) <= set(takes)
    assert {name for name, something in takes.items() if something} <= set(CASES)


@every_game
@pytest.mark.parametrize("operation", CASES)
def test_work_is_counted_and_ends(operation: str, game: AnyGame, client: Client) -> None:
    """A search for expensive bodies finds none that exceeds its budget, or causes more work than its counted steps."""

    @looking(EXAMPLES or (1 if operation in SHORT else 2))
    @given(st.data())
    def search(data: st.DataObject) -> None:
        case = data.draw(st.sampled_from(CASES[operation]), "case")
        answer, effort, work = measure(client, case(client, data, game, PART))
        target(float(effort.steps), label="steps")
        target(float(work), label="calls")
        assert answer.status_code < 500
        assert operation not in READ_ALWAYS or answer.status_code == 200
        assert work <= WITHOUT_STEPS + CALLS_A_STEP * effort.steps, (work, effort.steps)
        if effort.steps - effort.extra > BUDGET and effort.most is not None:
            refusal: Any = answer.json
            assert (answer.status_code, refusal["type"]) == (422, "/problems/too-much-work")

    search()


@every_game
def test_much_unknown_is_counted_or_given_up(game: AnyGame, client: Client) -> None:
    """Rulings and pages on positions with much unknown take no more work than their counted steps."""
    first = [True]

    @looking(EXAMPLES or 10)
    @given(st.data())
    def search(data: st.DataObject) -> None:
        body = ruling_in_part(data, game, PART)
        for asked in pages_of(game, body) if first else ():
            client.send(asked)  # a worker reads the pages' texts of a game once
            first.clear()
        for number, asked in enumerate(
            (PreparedRequest("POST", f"{V1}/games/{game.id}/rulings", body), *pages_of(game, body))
        ):
            answer, effort, work = measure(client, asked)
            target(float(work), label=f"calls {number}")
            assert answer.status_code < 500
            steps = effort.steps + len(answer.data) // OUTPUT_BYTES  # as a page is charged
            assert work <= WITHOUT_STEPS + CALLS_A_STEP * steps, (work, steps, body)
            assert effort.steps <= BUDGET or answer.status_code == 422

    search()


def pages_of(game: AnyGame, body: Any) -> Iterator[PreparedRequest]:
    """The pages that ask the same question, if the game has such pages and the address is not too long."""
    if game not in counted_games():
        return
    setup = schemas.load(schemas.of(game).setup_of_position, body["setup"])
    try:
        with schemas.allow_unknown():
            position = schemas.load(schemas.of(game).position, body["position"])
    except Invalid:  # the ruling is refused, too
        return
    text = Trail((step_of(Snapshot(setup, position)),)).text()
    if len(text) <= MAX_TEXT:
        yield PreparedRequest("GET", f"/ask/{game.id}/{text}")
        yield PreparedRequest("GET", f"/ask/{game.id}/{text}/move?{urlencode({'move': body['move']})}")


# --- the budget --------------------------------------------------------------------------------------------------


def longest(game: AnyGame) -> Any:
    """The recorded game with the most moves."""
    games = [record_of(path) for path in records_of(game.id)]
    return max(games, key=lambda recorded: len(recorded["moves"]))


@every_game
def test_a_long_game_needs_a_fifth_of_the_budget(game: AnyGame, client: Client) -> None:
    """The longest recorded game, in one request, takes less than a fifth of the budget."""
    recorded = longest(game)
    asked = {"setup": recorded["setup"], "moves": recorded["moves"]}
    for path, body in (("rulings", {"move": recorded["moves"][0]}), ("legal-moves", {}), ("scores", {})):
        with client.efforts() as efforts:
            client.send(PreparedRequest("POST", f"{V1}/games/{game.id}/{path}", asked | body))
        assert efforts[0].steps < BUDGET / 5, path
    with client.efforts() as efforts:
        answer = client.send(PreparedRequest("POST", f"{V1}/tables", asked | {"game": game.id}))
    assert answer.status_code == 201
    assert efforts[0].steps < BUDGET / 5


@every_game
def test_too_much_work_is_refused_and_told(game: AnyGame, client: Client) -> None:
    """Far too many moves are refused within the budget, in both languages, and no table is opened."""
    recorded = longest(game)
    move = plain(game.read(recorded["moves"][0]))
    body = shorten({"game": game.id, "setup": recorded["setup"], "moves": [{"move": move, "stands": True}] * 5_000})
    details = set()
    for spoken in ("en", "fr"):
        answer = client.send(PreparedRequest("POST", f"{V1}/tables", body, {"Accept-Language": spoken}))
        told: Any = answer.json
        assert (answer.status_code, told["type"]) == (422, "/problems/too-much-work"), told
        details.add(told["detail"])
    assert len(details) == 2


def test_a_ruling_on_the_largest_map_needs_no_nearest_moves(client: Client) -> None:
    """With thousands of legal moves, a ruling leaves out the nearest ones."""
    fief = GAMES["fief"]
    (asked,) = (each for each in heavy("fief") if each.get("position", {}).get("phase") == "movements")
    answer = client.send(PreparedRequest("POST", f"{V1}/games/fief/rulings", asked | {"move": "move m0 v0>v30"}))
    told: Any = answer.json
    assert (answer.status_code, told["ruling"], told["nearest"]) == (200, "illegal", [])
    state = judge.state_of(fief, *schemas.start_of_body(schemas.load(schemas.of(fief).start_body, asked)))
    assert len(tuple(fief.nearest(state, fief.read("move m0 v0>v30")))) == 3  # without a budget, there are some


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets the budget of requests to this many steps."""
    return lambda steps: monkeypatch.setattr(budget, "BUDGET", steps)


def test_what_was_written_is_answered(api: Api, few: Callable[[int], None]) -> None:
    """With any budget, a request to play either writes nothing and is refused, or writes everything and is answered."""
    seen = set()
    for steps in (0, 10, 40, 100, 200, 250, 300, 400, 600, 1_000):
        few(BUDGET)
        table = api.open()
        few(steps)
        status = api.play(table, "r b1c1", "r b9c9", "h e4", version=1).status_code
        few(BUDGET)
        assert (status, len(api.log(table)["entries"])) in {(422, 1), (201, 4)}
        seen.add(status)
    assert seen == {422, 201}


def test_a_log_comes_in_shorter_pages_where_there_is_much_to_tell(api: Api, few: Callable[[int], None]) -> None:
    """A page of the log ends at half of the budget, and the next one continues there."""
    recorded = longest(GAMES["villefranche"])
    table = api.open(recorded["moves"], **recorded["setup"])
    few(600)
    after, numbers, pages = 0, [], 0
    while after is not None:
        page: Any = api.get(f"{table.path}/log?after={after}&limit=500", key=table.host).json
        numbers += [entry["version"] for entry in page["entries"]]
        after, pages = page["next"], pages + 1
    assert numbers == list(range(1, len(recorded["moves"]) + 2))
    assert pages > 5


@pytest.mark.parametrize("levels", [1, 18, 200])
def test_lists_within_lists_are_counted_before_they_are_read(
    levels: int, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server counts nested lists before it parses them. It parses a body one fifth full of them, and rejects a full
    one.
    """
    parsed: list[int] = []
    loads = orjson.loads

    def note(body: bytes) -> Any:
        parsed.append(len(body))
        return loads(body)

    monkeypatch.setattr("service.schemas.parsing.orjson.loads", note)
    for part, kinds in ((0.2, {"/problems/invalid", "/problems/wrong-type", "/problems/not-json"}), (0.99, TOO_MUCH)):
        body = {"setup": {}, "moves": [nest(levels)] * int(part * BULK / (2 * levels + 1))}
        with client.efforts() as efforts:
            answer: Any = client.send(PreparedRequest("POST", f"{V1}/games/fief/legal-moves", body)).json
        assert answer["type"] in kinds
        assert efforts[0].steps >= part * BULK / 3 / 5
        assert any(size > BULK / 8 for size in parsed) == (part < 0.5)
        parsed.clear()


@every_game
def test_what_was_played_can_be_read(game: AnyGame, api: Api) -> None:
    """The longest recorded game can be read: its table, its score and its log in the largest pages."""
    recorded = longest(game)
    opened: Any = api.post(
        f"{V1}/tables", {"game": game.id, **{name: recorded[name] for name in ("setup", "moves")}}
    ).json
    there, key = f"{V1}/tables/{opened['id']}", opened["keys"]["watch"]
    after, numbers = 0, []
    while after is not None:
        answer = api.get(f"{there}/log?after={after}&limit=500", key=key)
        page: Any = answer.json
        assert answer.status_code == 200, page
        numbers += [entry["version"] for entry in page["entries"]]
        after = page["next"]
    assert numbers == list(range(1, len(recorded["moves"]) + 2))
    assert [api.get(there + path, key=key).status_code for path in ("", "/score")] == [200, 200]


@every_game
def test_fifty_late_moves_at_once_need_a_fifth_of_the_budget(game: AnyGame, api: Api, client: Client) -> None:
    """Fifty late moves, previewed and inserted, take less than a fifth of the budget each time. The table is then as if
    they had been played in order.
    """
    recorded = longest(game)
    moves = entries_of(recorded)[:60]
    asked = {"game": game.id, "setup": recorded["setup"]}
    there, headers = client.open_table({**asked, "moves": moves[:10]})
    late = {"insert": {"after": 11, "moves": moves[10:]}}
    for dry in (True, False):
        answer, effort, _ = measure(client, PreparedRequest("POST", f"{there}/amend", late | {"dry_run": dry}, headers))
        told: Any = answer.json
        assert (answer.status_code, told["amendment"]["new"]) == (200 if dry else 201, [*range(13, len(moves) + 3)])
        assert effort.steps < BUDGET / 5
    whole: Any = api.post(f"{V1}/tables", {**asked, "moves": moves}).json
    now: Any = api.get(there, key=headers["Authorization"].partition(" ")[2]).json
    assert [now[name] for name in ("position", "due", "score", "move_count")] == [
        whole[name] for name in ("position", "due", "score", "move_count")
    ]


def test_very_many_disputes_are_told_within_the_budget(client: Client, app: Flask, ledger: Ledger) -> None:
    """With a thousand disputes, most of them settled, a table can be read, and a dispute raised, settled and undone,
    with little work. Its pages list a few disputes only.
    """
    api = Api(app)
    table = api.open(["r b1c1"])
    at = datetime(2026, 11, 22, tzinfo=UTC)
    raised = [Disputed(0, at, "black", None, "r d9e9", "?" * 300, rules_version="2")] * 1_000
    settled = [Settled(0, at, "host", number, "stands", "!" * 300) for number in range(1, 901)]
    ledger.append(table.id, 2, "many", [*map(encode, raised), *map(encode, settled)], "")
    version, there = 1_902, table.path
    asked: list[tuple[str, str, Any]] = [
        ("GET", "", None),
        ("GET", "/log?limit=500", None),
        ("GET", "/disputes/999", None),
        ("POST", "/disputes", {"about": {"entry": 2}, "question": "May Black?"}),
        ("POST", "/disputes/1001/settlement", {"remedy": "go_back"}),
        ("POST", "/rewind", {"to": 1_903}),
        ("POST", "/moves", {"move": "r b9c9"}),
    ]
    for method, path, body in asked:
        headers = {"Authorization": f"Bearer {table.host}", "If-Match": f'"{version}"'}
        answer, effort, work = measure(client, PreparedRequest(method, there + path, body, headers))
        told: Any = answer.json
        assert answer.status_code in (200, 201), told
        assert effort.steps - effort.extra < BUDGET / 2, path
        assert work <= WITHOUT_STEPS + CALLS_A_STEP * effort.steps, (path, work, effort.steps)
        version = told["version"] if method == "POST" else version
    browser = app.test_client()
    browser.set_cookie("keys", f"host.{table.host}", path=f"/t/{table.id}")
    for page in ("", "/moves", "/score", "/disputes/999"):
        shown = browser.get(f"/t/{table.id}{page}")
        assert (shown.status_code, len(shown.data) < 100_000) == (200, True), page


def test_whose_log_is_long_is_not_refused_for_it(api: Api, ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps to read a log are counted apart, and do not use up the request's budget."""
    game = GAMES["villefranche"]
    recorded = longest(game)
    table = api.open(recorded["moves"], **recorded["setup"])

    def apply(state: Any, move: Any) -> Any:
        spend()
        return game.apply(state, move)

    monkeypatch.setattr(rules, "GAMES", {**GAMES, game.id: replace(game, apply=apply)})
    with at_most(0) as effort:
        assert Referee(ledger).table(table.id, table.host)[0].version == len(recorded["moves"]) + 1
    assert effort.steps == effort.extra > len(recorded["moves"])


def test_the_same_work_without_a_budget_is_far_more(client: Client, few: Callable[[int], None]) -> None:
    """Control: without a small budget, the same request takes far more work."""
    recorded = longest(GAMES["villefranche"])
    body = {"setup": recorded["setup"], "moves": recorded["moves"]}
    asked = PreparedRequest("POST", f"{V1}/games/villefranche/scores", body)
    whole = calls(lambda: client.send(asked))
    few(budget.BUDGET // 100)
    assert calls(lambda: client.send(asked)) < whole / 2


# --- lists of moves ----------------------------------------------------------------------------------------------


@every_game
def test_legal_moves_come_in_pages(game: AnyGame, api: Api) -> None:
    """Pages of any size add up to the full list. All but the last have `next`; the last has `count`."""
    recorded = longest(game)
    start = {"setup": recorded["setup"], "moves": recorded["moves"][: len(recorded["moves"]) // 3]}
    path = f"{V1}/games/{game.id}/legal-moves"
    whole: Any = api.post(path, start).json
    assert (whole["count"], whole["next"]) == (len(whole["moves"]), None)
    limit = max(1, whole["count"] // 3)
    found: list[str] = []
    page: Any = {"next": None}
    while not found or page["next"] is not None:
        after = {"after": page["next"]} if found else {}
        page = api.post(path, start | after | {"limit": limit}).json
        found += page["moves"]
        assert (page["count"] is None) == (page["next"] is not None)
        assert page["next"] in (None, page["moves"][-1])
    assert found == whole["moves"]
    assert page["count"] == whole["count"]


def test_a_page_after_a_move_that_is_not_in_the_list_is_refused(api: Api) -> None:
    """A page after a move that is no longer legal is an error: the client must start again."""
    table = api.open()
    first: Any = api.get(f"{table.path}/legal-moves?limit=1", key=table.host).json
    second: Any = api.get(f"{table.path}/legal-moves?limit=1&after={first['next']}", key=table.host).json
    assert second["moves"] != first["moves"]
    api.play(table, first["next"], version=1)
    gone: Any = api.get(f"{table.path}/legal-moves?after={first['next']}", key=table.host).json
    assert (gone["type"], gone["errors"][0]["pointer"]) == ("/problems/wrong-value", "/after")
    for limit in ("0", "5001", "x"):
        answer: Any = api.get(f"{table.path}/legal-moves?limit={limit}", key=table.host).json
        assert answer["errors"][0]["pointer"] == "/limit"


# --- steps -------------------------------------------------------------------------------------------------------


def test_others_have_their_turn_while_much_is_worked_out(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judging a long game yields to other requests now and then; a short one does not."""
    rests: list[float] = []
    monkeypatch.setattr("service.runtime.budget.time.sleep", rests.append)
    recorded = longest(GAMES["villefranche"])
    api.open(recorded["moves"][:2], **recorded["setup"])
    assert rests == []
    api.open(recorded["moves"], **recorded["setup"])
    assert set(rests) == {0}


def test_who_does_much_rests_also_within_what_is_free() -> None:
    """A count without a limit yields after each span of steps; inner counts use the outer one's function to yield."""
    rested: list[int] = []
    with at_most(None, lambda: rested.append(1)):
        for _ in range(3 * REST):
            spend()
        assert len(rested) == 3
        with at_most(None):
            spend(REST)
        assert len(rested) == 4
    with at_most(None):
        spend(10 * REST)
    assert len(rested) == 4


def test_steps_are_counted_where_somebody_allows_them() -> None:
    """Steps count only within a budget, and an inner budget's steps do not count for the outer one."""
    spend(10**9)
    with at_most(10) as around:
        spend(5)
        assert not is_half_spent()
        with at_most(None) as within:
            spend(100)
        assert (around.steps, within.steps) == (5, 100)
        spend()
        assert is_half_spent()
        with pytest.raises(TooMuch):
            spend(5)
    assert not is_half_spent()


@every_game
def test_every_move_that_is_judged_or_listed_is_counted(game: AnyGame) -> None:
    """In each game, judging a move costs at least a step per rule."""
    chance = Random(1)
    played = some_game(game, chance)
    for state, move in over(played.steps[:-1]):
        with at_most(None) as effort:
            game.check(state, move)
        assert effort.steps >= len(game.book[game.phase(state), type(move)])
