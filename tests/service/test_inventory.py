"""`bastide tables` lists, weighs and deletes what Redis stores, without names; it deletes nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from service.cli import commands
from service.errors import Expired
from service.groups.groups import Groups
from service.storage.inventory import AT_ONCE, Inventory
from service.storage.ledger import Ledger
from service.storage.private_redis.supervisor import PrivateRedis
from tests.support.api import Api, OpenTable
from tests.support.redis_call import redis_call

if TYPE_CHECKING:
    from tests.chaos.cluster import ClusterServers

Run = Callable[..., tuple[int, str]]
NAME = "Anne-Élise"


@pytest.fixture
def run(redis_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command with typed answers; returns status and output."""
    monkeypatch.setenv("REDIS_URL", redis_url)

    def run(*words: str, typed: tuple[str, ...] = ()) -> tuple[int, str]:
        answers = iter(typed)

        def typing(_: str) -> str:
            try:
                return next(answers)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", typing)
        status = commands.main(["tables", *words])
        said = capsys.readouterr()
        assert not list(answers), "it asked less often"
        return status, said.out + said.err

    return run


@pytest.fixture
def table(api: Api) -> OpenTable:
    """A table with a player's name and a move."""
    table = api.open(players=[{"colour": "black", "name": NAME}, {"colour": "white"}])
    assert api.play(table, "r b1c1", version=1).status_code == 201
    return table


def rows(said: str) -> dict[str, list[str]]:
    """The rows of a list, by their ids."""
    found = {}
    for line in said.splitlines():
        words = line.split()
        if words and re.fullmatch(r"(g:)?[A-Za-z0-9_-]{22}", words[0]):
            found[words[0]] = words[1:]
    return found


def test_tables_are_listed_with_bytes_and_dates_and_no_names(
    run: Run, api: Api, table: OpenTable, ledger: Ledger
) -> None:
    """Every table and group is listed with its bytes in Redis and its dates, but no name."""
    unused = api.open()
    group, _ = Groups(ledger, lifetime=timedelta(days=400)).create(NAME)
    status, said = run()
    assert status == 0
    listed = rows(said)
    assert set(listed) == {table.id, unused.id, f"g:{group.id}"}
    for name, (size, *dates) in listed.items():
        keys = [f"{{t:{name}}}:{part}" for part in ("log", "idem", "mark")]
        assert int(size.replace(",", "")) == sum(redis_call(ledger, "MEMORY", "USAGE", key) for key in keys)
        assert len(dates) == 6
        assert dates[4] == f"{ledger.expires_at(name):%Y-%m-%d}"
    assert NAME not in said
    assert run("list") == (status, said)


def test_more_tables_than_are_looked_for_at_once(run: Run, ledger: Ledger) -> None:
    """With more tables than one scan returns, each is listed once."""
    names = {f"{number:022}" for number in range(AT_ONCE)}
    for name in names:
        ledger.append(name, 0, "open", [b'{"at":"2026-01-02T03:04:05Z"}'], "")
    assert set(rows(run()[1])) == names
    assert len(run()[1].splitlines()) == len(names) + 1


def test_what_all_take_is_weighed(run: Run, api: Api, table: OpenTable, ledger: Ledger) -> None:
    """`weigh` sums up tables, groups and marks, lists the largest first, and shows Redis' memory."""
    gone = api.open()
    ledger.delete(gone.id)
    for number in range(3):
        ledger.append(table.id, 2 + number, f"{number}", [b"x" * 20_000], "")
    small = api.open()
    status, said = run("weigh")
    assert status == 0
    assert list(rows(said)) == [table.id, small.id]
    sizes = {name: int(words[0].replace(",", "")) for name, words in rows(said).items()}
    assert re.search(rf"^tables +{sum(sizes.values()):,} bytes in 2$", said, re.MULTILINE)
    assert re.search(r"^groups +0 bytes in 0$", said, re.MULTILINE)
    mark = redis_call(ledger, "MEMORY", "USAGE", f"{{t:{gone.id}}}:mark")
    assert re.search(rf"^marks of what has ended +{mark} bytes in 1$", said, re.MULTILINE)
    assert re.search(r"^memory of Redis +[\d,]+ bytes of any number$", said, re.MULTILINE)


NOT_TWICE = [(), ("n",), ("",), ("y",), ("y", "no"), ("y", "y")]


@pytest.mark.parametrize("typed", NOT_TWICE, ids=lambda typed: " ".join(typed) or "nothing")
def test_nothing_is_deleted_unless_it_is_wanted_twice(typed: tuple[str, ...], run: Run, table: OpenTable) -> None:
    """Deletion needs two confirmations, and there is none without input."""
    status, said = run("delete", "--", table.id, typed=typed)
    assert status == 1
    assert "Nothing was deleted.\n" in said
    assert table.id in rows(run()[1])


@pytest.mark.parametrize(("words", "typed"), [((), ("y", "yes")), (("--yes",), ())], ids=["asked", "--yes"])
def test_a_table_is_deleted_for_ever(
    words: tuple[str, ...], typed: tuple[str, ...], run: Run, api: Api, table: OpenTable, ledger: Ledger
) -> None:
    """Confirmed twice or with ``--yes``, a table is deleted: its players get 410, and other tables stay."""
    other = api.open()
    status, said = run("delete", *words, "--", table.id, typed=typed)
    assert (status, said.splitlines()[-1]) == (0, "Deleted: 1 log.")
    assert table.id in rows(said), "what goes is shown first"
    with pytest.raises(Expired):
        ledger.read(table.id)
    assert api.get(table.path, key=table.host).status_code == 410
    assert set(rows(run()[1])) == {other.id}


def test_a_slip_deletes_nothing(run: Run, table: OpenTable) -> None:
    """If one of several ids is unknown, the command names it and deletes none."""
    status, said = run("delete", "--yes", "--", table.id, "x" * 22)
    assert status == 2
    assert "x" * 22 in said
    assert table.id in rows(run()[1])


def test_the_private_redis_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without `REDIS_URL` the command uses the data folder, also if its Redis is stopped; it names a missing one."""
    monkeypatch.delenv("REDIS_URL", raising=False)
    folder = tmp_path / "data"
    monkeypatch.setenv("BASTIDE_DATA", str(folder))
    assert commands.main(["tables"]) == 3
    assert str(folder) in capsys.readouterr().err
    assert not folder.exists()
    private = PrivateRedis(folder)
    private.start()
    with closing(Ledger(private.url)) as ledger:
        ledger.append("T" * 22, 0, "open", [b"{}"], "")
    for ends in (False, True):
        if ends:
            private.stop()
        assert commands.main(["tables"]) == 0
        assert list(rows(capsys.readouterr().out)) == ["T" * 22]


def test_a_redis_that_is_away_is_said_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """If Redis is away the command says so, with status 1."""
    monkeypatch.setenv("REDIS_URL", "unix:///nowhere/redis.sock")
    assert commands.main(["tables", "weigh"]) == 1
    assert "cannot be used yet" in capsys.readouterr().err


def test_every_primary_of_a_cluster_is_looked_at(cluster: ClusterServers) -> None:
    """In a cluster, tables on all primaries are listed and found by id."""
    with closing(Ledger(cluster.url)) as ledger, closing(Inventory(cluster.url)) as stock:
        names = {f"stock{number:017}" for number in range(30)}
        for name in names:
            ledger.append(name, 0, "open", [b'{"at":"2026-01-02T03:04:05Z"}'], "")
        assert {log.id for log in stock.logs() if log.entries} >= names
        assert len({stock._topology.primary(f"{{t:{name}}}:log").name for name in names}) == 3
        assert all(stock.log(name).entries == 1 for name in names)
        assert len(list(stock.memory())) == 3
