"""The Python client: a whole game of each of the five through mishaps, and its README as written."""

from __future__ import annotations

import asyncio
import doctest
import json
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

import httpx
import pytest
from bastide_client import AsyncBastide, Bastide, Conflict, Problem, Retries
from bastide_client.common import REPEATED, retry_after
from flask import Flask
from mypy import api as mypy

from tests.clients.conftest import Service
from tests.support.records import entries_of, longest_of, record_of

T = TypeVar("T")
CLIENT: Final = Path(__file__).parents[2] / "clients/python"
PATIENT: Final = Retries(most=12, seconds=0.1, longest=2)
BY_HAND: Final = ("__init__", "async_client", "common")
GAMES: Final = ("villefranche", "robber_knights", "architekton", "villa_paletti", "fief")


def mock(answer: Callable[[httpx.Request], httpx.Response], **retries: float) -> Bastide:
    """A client of a mock Bastide with these answers."""
    return Bastide(
        "http://localhost/", retries=Retries(most=2, seconds=0.001, **retries), transport=httpx.MockTransport(answer)
    )


class Mishaps(httpx.HTTPTransport):
    """A connection that loses some answers to moves, restarts a stopped service, and counts the outcomes."""

    def __init__(self, service: Service, answers_to_lose: int) -> None:
        super().__init__()
        self.service, self.answers_to_lose = service, answers_to_lose
        self.outcome_counts: Counter[str] = Counter()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        try:
            response = super().handle_request(request)
        except httpx.TransportError:
            self.outcome_counts["away"] += 1
            if not self.service.is_up:
                self.service.start()
            raise
        self.outcome_counts[str(response.status_code)] += 1
        self.outcome_counts["replayed"] += response.headers.get("Idempotent-Replayed") == "true"
        if self.answers_to_lose and response.status_code == 201 and request.url.path.endswith("/moves"):
            self.answers_to_lose -= 1
            response.read()
            raise httpx.ReadError("the answer was lost", request=request)
        return response


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_through_mishaps(service: Service, game: str) -> None:
    """After a conflict, a lost answer, a restart and a refused burst, the log has each move once, in order."""
    record = record_of(longest_of(game))
    moves = entries_of(record)
    transport = Mishaps(service, answers_to_lose=1)
    with Bastide(service.address, retries=PATIENT, transport=transport) as bastide:
        table = bastide.open_table(game, record["setup"])
        other = bastide.table(table.id, table.key)
        conflicts: list[int] = []

        def go_on(conflict: Conflict) -> list[Any]:
            conflicts.append(len(conflict.missing))
            return [moves[3]["move"]]

        for number, move in enumerate(moves):
            if number == 2:
                other.play(move["move"], stands=move.get("stands", False))
            elif number == 3:
                table.play(moves[2]["move"], on_conflict=go_on)
            else:
                if number == len(moves) // 2:
                    service.stop()
                table.play(move["move"], stands=move.get("stands", False))
        while not transport.outcome_counts["429"]:
            table.score()
        log = list(table.log())
        assert [entry.get("notation") for entry in log[1:]] == [move["move"] for move in moves]
        assert list(islice(table.events(after=0), len(log))) == log
        assert conflicts == [1]
        assert transport.outcome_counts["replayed"] == 1
        assert transport.outcome_counts["away"] > 0
        assert bastide.import_table(table.export()).read()["score"] == table.read()["score"]


def test_without_the_same_key_a_lost_answer_is_played_twice(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: a client that sends no idempotency key opens a second table after a lost answer."""
    transport = Mishaps(service, answers_to_lose=0)
    lost = iter((True, False))

    def open_and_lose(request: httpx.Request) -> httpx.Response:
        del request.headers["Idempotency-Key"]
        response = Mishaps.handle_request(transport, request)
        response.read()
        if next(lost):
            ids.append(response.json()["id"])
            raise httpx.ReadError("the answer was lost", request=request)
        return response

    ids: list[str] = []
    with Bastide(service.address, retries=PATIENT, transport=transport) as bastide:
        monkeypatch.setattr(transport, "handle_request", open_and_lose)
        assert bastide.open_table("villefranche", {}).id not in ids


def test_a_table_is_opened_once(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a lost answer the client gets the same table, as it sends the same key."""
    transport = Mishaps(service, answers_to_lose=0)
    ids: list[str] = []

    def lose_the_first(request: httpx.Request) -> httpx.Response:
        response = Mishaps.handle_request(transport, request)
        response.read()
        ids.append(response.json()["id"])
        if len(ids) == 1:
            raise httpx.ReadError("the answer was lost", request=request)
        return response

    with Bastide(service.address, retries=PATIENT, transport=transport) as bastide:
        monkeypatch.setattr(transport, "handle_request", lose_the_first)
        assert [bastide.open_table("villefranche", {}).id] * 2 == ids


def test_whatever_is_written_is_written_once(app: Flask) -> None:
    """`request` sends a key, too: after a lost answer there is one view."""
    here, lost = httpx.WSGITransport(app=app), [False, True]

    def lose_the_first(request: httpx.Request) -> httpx.Response:
        response = here.handle_request(request)
        if request.url.path.endswith("/views") and request.method == "POST" and lost.pop():
            raise httpx.ReadError("the answer was lost", request=request)
        return response

    with mock(lose_the_first) as bastide:
        table = bastide.open_table("villefranche")
        assert table.request("POST", "/views", json={"label": "Club"})["view"] == 1
        assert len(table.request("GET", "/views")["views"]) == 1


@pytest.mark.parametrize("game", GAMES)
def test_a_table_needs_no_setup(app: Flask, game: str) -> None:
    """A table opens with the game's default setup."""
    with Bastide("http://localhost/", transport=httpx.WSGITransport(app=app)) as bastide:
        assert bastide.open_table(game).read()["game"] == game


def test_what_has_no_answer_is_written(app: Flask) -> None:
    """The client accepts a 204: a view is revoked, and a table deleted."""
    with Bastide("http://localhost/", transport=httpx.WSGITransport(app=app)) as bastide:
        table = bastide.open_table("villefranche")
        view = table.write("/views", {"label": "Club"})
        assert table.write(f"/views/{view['view']}", None, "DELETE") is None
        assert table.write("", None, "DELETE") is None
        with pytest.raises(Problem, match="410"):
            table.read()


def test_an_answer_may_wait_for_news(service: Service) -> None:
    """The timeout is longer than the 25 seconds for which Bastide waits; a program may set another."""
    with Bastide(service.address) as bastide, Bastide(service.address, timeout=3) as brief:
        assert (bastide.connection.timeout.read or 0) > 25
        assert brief.connection.timeout.read == 3


def test_what_is_refused_is_raised_at_once(service: Service) -> None:
    """The client does not retry a problem that time cannot change, and raises its reason."""
    transport = Mishaps(service, answers_to_lose=0)
    with Bastide(service.address, retries=PATIENT, transport=transport) as bastide:
        table = bastide.open_table("villefranche")
        with pytest.raises(Problem, match="not legal") as refused:
            table.play("h e5")
        assert (refused.value.status, refused.value.type) == (422, "/problems/move-refused")
        assert refused.value.ruling is not None
        assert refused.value.ruling["ruling"] == "illegal"
        other = bastide.table(table.id, table.key)
        other.play("r b9c9")
        with pytest.raises(Problem) as stale:
            table.play("r b9c9", on_conflict=lambda _: None)
        assert (stale.value.status, table.version) == (412, 2)
        with pytest.raises(ValueError, match="whom opened"):
            other.seat("black")
    assert transport.outcome_counts["422"] == 1


def test_what_no_time_changes_ends(service: Service) -> None:
    """After `most` retries the client raises the last problem, or the error of the connection."""
    asked: list[int] = []
    brief = Retries(most=2, seconds=0.001)

    def busy(_: httpx.Request) -> httpx.Response:
        asked.append(503)
        return httpx.Response(503, text="<h1>A proxy's own page</h1>")

    bastide = Bastide(service.address, retries=brief, transport=httpx.MockTransport(busy))
    with bastide, pytest.raises(Problem, match="503"):
        bastide.request("GET", "/games")
    assert len(asked) == 3

    def away(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("nobody is there", request=request)

    bastide = Bastide(service.address, retries=brief, transport=httpx.MockTransport(away))
    with bastide, pytest.raises(httpx.ConnectError):
        bastide.request("GET", "/games")
    assert retry_after(httpx.Response(429, headers={"Retry-After": "7"})) == 7
    assert REPEATED.isdisjoint({401, 404, 409, 412, 422})


def test_a_long_refusal_is_raised_at_once() -> None:
    """The client does not wait a day for a retry: it raises the 429 at once."""
    asked: list[int] = []

    def refuse(_: httpx.Request) -> httpx.Response:
        asked.append(429)
        return httpx.Response(429, headers={"Retry-After": "86400"}, json={"limit": "create-address-86400"})

    with mock(refuse) as bastide, pytest.raises(Problem, match="429"):
        bastide.request("POST", "/tables", json={})
    assert len(asked) == 1


def test_events_go_on_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    """Events outlast a Bastide that is away, or refuses, longer than a request is retried; a 404 ends them."""
    monkeypatch.setattr("time.sleep", lambda _: None)
    entries = [{"version": number, "type": "played"} for number in (1, 2)]

    def away() -> httpx.Response:
        raise httpx.ConnectError("nobody is there")

    def answers() -> Iterator[Callable[[], httpx.Response]]:
        lines = "".join(json.dumps({"id": each["version"], "data": each}) + "\n" for each in entries[:1])
        yield lambda: httpx.Response(200, text=lines)
        yield from [away] * 9
        yield from [lambda: httpx.Response(503)] * 8
        yield lambda: httpx.Response(200, json={"entries": entries[1:], "next": None})
        yield from [lambda: httpx.Response(404, json={"detail": "No such table."})] * 9

    answer = answers()
    with mock(lambda _: next(answer)()) as bastide:
        heard = bastide.table("T", "K").events(after=0)
        assert [next(heard)["version"], next(heard)["version"]] == [1, 2]
        with pytest.raises(Problem, match="404"):
            next(heard)


def test_a_table_is_followed_while_it_is_played(service: Service) -> None:
    """An async client gets each entry once, also across the end of a stream."""
    record = record_of(longest_of("villefranche"))
    moves = [move["move"] for move in entries_of(record)][:8]

    async def follow() -> list[int]:
        async with AsyncBastide(service.address, retries=PATIENT) as bastide:
            table = await bastide.open_table("villefranche", record["setup"])
            heard: list[int] = []

            async def listen() -> None:
                async for entry in table.seat("black").events(after=1):
                    heard.append(entry["version"])
                    if len(heard) == len(moves):
                        return

            listener = asyncio.create_task(listen())
            for move in moves[:4]:
                await table.play(move)
            service.stop()
            service.start()
            for move in moves[4:]:
                await table.play(move)
            await listener
            return heard

    assert apart(lambda: asyncio.run(follow())) == list(range(2, len(moves) + 2))


def apart(run: Callable[[], T]) -> T:
    """Run a call in a thread of its own: in this one the event loop of a browser's driver may run."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


def test_the_readme_of_the_client(service: Service, tmp_path: Path) -> None:
    """The examples give the results that the README shows."""
    text = (CLIENT / "README.md").read_text("utf-8").replace("http://localhost:8000/", service.address)
    (tmp_path / "README.md").write_text(text, "utf-8")
    failed, tried = apart(lambda: doctest.testfile(str(tmp_path / "README.md"), module_relative=False))
    assert (failed, tried > 20) == (0, True)


def test_what_the_readme_does_is_typed(tmp_path: Path) -> None:
    """Mypy finds no error in the README's examples, and one error in an entry's member that does not exist."""
    program = doctest.script_from_examples((CLIENT / "README.md").read_text("utf-8"))
    program += "for entry in table.log():\n    if entry['type'] == 'opened':\n        print(entry['notation'])\n"
    (tmp_path / "readme.py").write_text(program, "utf-8")
    said, _, _ = mypy.run(["--config-file=", "--check-untyped-defs", "--cache-dir", str(tmp_path), str(tmp_path)])
    assert said.splitlines()[1:] == ["Found 1 error in 1 file (checked 1 source file)"], said
    assert "notation" in said


def test_the_client_is_small() -> None:
    """The modules written by hand have at most 400 lines; the rest is generated."""
    lines = [(CLIENT / f"bastide_client/{name}.py").read_text("utf-8").splitlines() for name in BY_HAND]
    assert sum(map(len, lines)) <= 400
