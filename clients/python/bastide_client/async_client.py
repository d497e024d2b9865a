"""The client, and a table as one plays at it. `bastide_client.client`, which waits, is made of this module."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Self, cast

import httpx

from bastide_client import models
from bastide_client.common import (
    REPEATED,
    STALE,
    STREAM,
    TIMEOUT,
    Conflict,
    Move,
    Problem,
    Resolve,
    Retries,
    checked,
    going_on,
    idempotency_key,
    retry_after,
)


class AsyncBastide:
    """A Bastide at an address such as `http://localhost:8000/`; `options` are those of httpx.

    Every method raises `Problem` where the service refuses, and `httpx.TransportError` where it does not answer. What
    time may change is asked again first, under the same key: nothing is written twice, but for a group, which has none.
    """

    def __init__(self, address: str, *, language: str = "en", retries: Retries | None = None, **options: Any) -> None:
        self.language, self.retries = language, retries or Retries()
        self.connection = httpx.AsyncClient(base_url=address, **{"timeout": TIMEOUT, **options})

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.connection.aclose()

    def headers(self, key: str | None) -> dict[str, str]:
        """What every request says: its language, and the key that it is sent with."""
        headers = {"Accept-Language": self.language}
        return {**headers, "Authorization": f"Bearer {key}"} if key else headers

    async def request(
        self, method: str, path: str, *, key: str | None = None, headers: Mapping[str, str] | None = None, **more: Any
    ) -> Any:
        """Ask for anything that the contract has below `/api/v1`; the JSON of the answer, if it has any."""
        pauses = self.retries.pauses()
        named = {} if method == "GET" else {"Idempotency-Key": idempotency_key()}
        headers = {**self.headers(key), **named, **(headers or {})}
        while True:
            try:
                response = await self.connection.request(method, f"api/v1{path}", headers=headers, **more)
            except httpx.TransportError:
                seconds = next(pauses, None)
                if seconds is None:
                    raise
            else:
                seconds = next(pauses, None) if response.status_code in REPEATED else None
                if seconds is None or retry_after(response) > self.retries.patience:
                    return json.loads(checked(response).content or "null")
                seconds = max(seconds, retry_after(response))
            await asyncio.sleep(seconds)

    async def rule(self, game: str, move: Move, start: models.AskStart | None = None) -> models.Ruling:
        """Rule on a move: after moves, or in a position."""
        body = {**(start or {}), "move": move}
        return cast("models.Ruling", await self.request("POST", f"/games/{game}/rulings", json=body))

    async def legal_moves(self, game: str, start: models.AskStart | None = None, **only: str) -> AsyncIterator[str]:
        """Every legal move in its notation, page by page; `kind` and `at` narrow them down."""
        body: dict[str, Any] = {**(start or {}), **only}
        while body.get("after", "") is not None:
            page = await self.request("POST", f"/games/{game}/legal-moves", json=body)
            for move in page["moves"]:
                yield move
            body["after"] = page["next"]

    async def score(self, game: str, start: models.AskStart | None = None) -> models.ScoreSheet:
        """Count the score: after moves, or of a position."""
        return cast("models.ScoreSheet", await self.request("POST", f"/games/{game}/scores", json=start or {}))

    async def open_table(
        self, game: str, setup: Mapping[str, Any] | None = None, moves: Sequence[Move] = ()
    ) -> AsyncTable:
        """Open a table; without a setup, the game's own. Repeated after a lost answer, it is still one table."""
        if setup is None:
            setup = (await self.request("GET", f"/games/{game}"))["default_setup"]
        return await self.import_table({"game": game, **({"setup": setup} if setup else {}), "moves": list(moves)})

    async def import_table(self, export: Mapping[str, Any]) -> AsyncTable:
        """Open a table with the log of another one, as `export` gave it."""
        opened = await self.request("POST", "/tables", json=export)
        return AsyncTable(self, opened["id"], opened["keys"]["host"], opened["version"], opened["keys"])

    def table(self, table_id: str, key: str) -> AsyncTable:
        """A table that was opened before."""
        return AsyncTable(self, table_id, key)


class AsyncTable:
    """A table, with one of its keys. What is written is written at `version`, which was heard of last."""

    def __init__(
        self, bastide: AsyncBastide, table_id: str, key: str, version: int = 0, keys: models.Keys | None = None
    ) -> None:
        self.bastide, self.id, self.key, self.version, self.keys = bastide, table_id, key, version, keys

    def seat(self, player: str) -> AsyncTable:
        """The table as this player's phone has it. Raises `ValueError`: only who opened the table knows its keys."""
        if self.keys is None:
            raise ValueError("the keys of the seats are known to whom opened the table")
        return AsyncTable(self.bastide, self.id, self.keys["seats"][player], self.version)

    async def request(self, method: str, path: str = "", **more: Any) -> Any:
        """Ask for anything that the contract has below this table."""
        return await self.bastide.request(method, f"/tables/{self.id}{path}", key=self.key, **more)

    async def read(self) -> models.Table:
        """The table as it is now."""
        table = cast("models.Table", await self.request("GET"))
        self.version = table["version"]
        return table

    async def write(self, path: str, body: Any, method: str = "POST") -> Any:
        """Write anything that the contract has, such as `/disputes`, at the version that is known.

        Where the table has changed, `Problem` 412 is raised, and the version is that of now.
        """
        if not self.version:
            await self.read()
        try:
            answer = await self.request(method, path, json=body, headers={"If-Match": f'"{self.version}"'})
        except Problem as problem:
            if problem.status == STALE:
                self.version = problem.body["version"]
            raise
        self.version = (answer or {}).get("version", self.version)
        return answer

    async def play(self, *moves: Move, stands: bool = False, on_conflict: Resolve | None = None) -> models.Written:
        """Play moves, also forbidden ones where they may stand. Where others came first, `on_conflict` decides which
        are played then; without it, `Problem` 412 is raised.
        """
        while True:
            body = {"move": moves[0]} if len(moves) == 1 else {"moves": moves}
            try:
                return cast("models.Written", await self.write("/moves", {**body, "stands": stands}))
            except Problem as problem:
                if problem.status != STALE or on_conflict is None:
                    raise
                decided = on_conflict(Conflict(moves, self.version, problem.body["missing"]))
                if not decided:
                    raise
                moves = tuple(decided)

    async def rewind(self, to: int) -> models.Written:
        """Undo or redo: go to this version."""
        return cast("models.Written", await self.write("/rewind", {"to": to}))

    async def rule(self, move: Move) -> models.Ruling:
        """Rule on a move, which is not played."""
        return cast("models.Ruling", await self.request("POST", "/rulings", json={"move": move}))

    async def score(self) -> models.ScoreSheet:
        """The score sheet."""
        return cast("models.ScoreSheet", await self.request("GET", "/score"))

    async def export(self) -> models.Export:
        """The whole log, for another Bastide; needs the host's key."""
        return cast("models.Export", await self.request("GET", "/export"))

    async def log(self, after: int = 0) -> AsyncIterator[models.Entry]:
        """The entries of the log after a number, page by page."""
        following: int | None = after
        while following is not None:
            page = await self.request("GET", "/log", params={"after": following})
            for entry in page["entries"]:
                yield entry
            following = page["next"]

    async def events(self, after: int | None = None) -> AsyncIterator[models.Entry]:
        """The entries after a number, or from now on, as they come, each once. It goes on for good: only a `Problem`
        that no time changes ends it.
        """
        last = after if after is not None else (await self.read())["version"]
        while True:
            for source in (self._stream, self.log):  # the log, where there is no stream to be had
                with going_on():
                    async for entry in source(last):
                        last = entry["version"]
                        yield entry
            await asyncio.sleep(1)

    async def _stream(self, after: int) -> AsyncIterator[models.Entry]:
        """The entries of one stream, until it ends; none where it is refused for now."""
        headers = {**self.bastide.headers(self.key), "Accept": "application/x-ndjson"}
        path, query = f"api/v1/tables/{self.id}/events", {"after": after}
        async with self.bastide.connection.stream("GET", path, params=query, headers=headers, timeout=STREAM) as lines:
            if lines.status_code in REPEATED:
                await asyncio.sleep(max(1, retry_after(lines)))
                return
            if lines.is_error:
                await lines.aread()
            async for line in checked(lines).aiter_lines():
                if line:
                    yield json.loads(line)["data"]
