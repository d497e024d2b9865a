"""A backup holds every table and group of Redis; a restore adds those that are missing."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import orjson
import pytest

from service.cli import commands
from service.errors import Expired, NoTable
from service.storage import backup
from service.storage.ledger import Ledger
from service.storage.private_redis.supervisor import bundled_program
from service.types import Json
from tests.chaos.cluster import ClusterServers
from tests.support.api import Api
from tests.support.loops import over
from tests.support.redis_server import RedisServer

Run = Callable[..., tuple[int, str, str]]
TABLES = ("T" * 22, "g:" + "U" * 22)
ENDED = "E" * 22


@pytest.fixture
def run(redis_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command on the session's Redis or another one; returns status, output and errors."""

    def run(*words: str, url: str = redis_url) -> tuple[int, str, str]:
        monkeypatch.setenv("REDIS_URL", url)
        status = commands.main(words)
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.fixture
def file(tmp_path: Path, ledger: Ledger, run: Run) -> Path:
    """The backup of a table, a group and a deleted table."""
    fill(ledger)
    assert run("backup", str(tmp_path / "backup"))[0] == 0
    return tmp_path / "backup"


def fill(ledger: Ledger) -> None:
    """Write two logs and a deleted one."""
    for table in TABLES:
        ledger.append(table, 0, "open", ['{"at": "2026-11-27T20:00:00Z", "é": 1}'.encode()], "first")
        ledger.append(table, 1, "second key", [b"{}", b'{"a": 2}'], "second")
        ledger.note_use(table)
    ledger.append(ENDED, 0, "open", [b"{}"], "")
    ledger.delete(ENDED)


def digests(file: Path) -> dict[str, str]:
    """The digest of each log of a backup."""
    return {line["id"]: line["sha256"] for line in map(orjson.loads, file.read_bytes().splitlines()[1:])}


@pytest.fixture
def valkey() -> Iterator[str]:
    """A Valkey server, the bundled engine."""
    server = RedisServer(program=bundled_program()).start()
    yield server.url
    server.close()


def test_from_redis_to_valkey_to_a_cluster(
    file: Path, run: Run, valkey: str, cluster: ClusterServers, tmp_path: Path, ledger: Ledger
) -> None:
    """Restored elsewhere, logs, lifetimes and request keys are the same, and deleted tables stay deleted."""
    before = digests(file)
    assert before.keys() == {*TABLES, ENDED}
    for number, url in enumerate((valkey, cluster.url)):
        assert run("restore", str(file), url=url)[:2] == (0, "Restored: 3. There already: 0. Deleted there: 0.\n")
        with closing(Ledger(url)) as there:
            for table in over(TABLES):
                assert there.read(table) == ledger.read(table)
                assert abs((there.expires_at(table) - ledger.expires_at(table)).total_seconds()) < 3600
                assert there.append(table, 1, "second key", [b"{}", b'{"a": 2}'], "second").is_replay
                assert there.append(table, 3, "third", [b"{}"], "").last == 4
                with pytest.raises(Expired):
                    there.read(ENDED)
        again = tmp_path / f"again {number}"
        assert run("backup", str(again), url=url)[0] == 0
        changed = digests(again)
        assert changed.keys() >= before.keys()  # other tests have tables in the cluster, too
        assert {name for name in before if before[name] != changed[name]} == set(TABLES)


def test_what_is_there_stays(file: Path, run: Run, ledger: Ledger) -> None:
    """A repeated restore changes nothing: longer and deleted tables stay as they are."""
    assert run("restore", str(file))[1] == "Restored: 0. There already: 2. Deleted there: 1.\n"
    ledger.append(TABLES[0], 3, "later", [b"{}"], "")
    ledger.delete(TABLES[1])
    assert run("restore", str(file))[1] == "Restored: 0. There already: 1. Deleted there: 2.\n"
    assert len(ledger.read(TABLES[0])) == 4


def test_one_table_is_restored(file: Path, run: Run, valkey: str) -> None:
    """Only the named tables are restored; the command counts ids that the file lacks."""
    status, said, amiss = run("restore", str(file), TABLES[0], "no such", url=valkey)
    assert (status, said) == (1, "Restored: 1. There already: 0. Deleted there: 0.\n")
    assert amiss == "Not in this file: 1 of the ids.\n"
    with closing(Ledger(valkey)) as there:
        assert len(there.read(TABLES[0])) == 3
        with pytest.raises(NoTable):
            there.read(TABLES[1])


def test_a_restore_that_is_killed_is_repeated(
    file: Path, run: Run, valkey: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second restore completes one that was killed: all digests are equal."""
    restored = backup.StoredLog.of

    def die(line: bytes) -> backup.StoredLog:
        log = restored(line)
        if log.id == TABLES[1]:
            raise KeyboardInterrupt
        return log

    with monkeypatch.context() as patch:
        patch.setattr(backup.StoredLog, "of", die)
        assert run("restore", str(file), url=valkey)[0] == 130
    assert run("restore", str(file), url=valkey)[0] == 0
    run("backup", str(tmp_path / "again"), url=valkey)
    assert digests(tmp_path / "again") == digests(file)


def test_a_broken_line_is_named_and_the_others_are_restored(file: Path, run: Run, valkey: str) -> None:
    """The command names a line that was changed or cut off, and restores the others."""
    head, *lines = file.read_bytes().splitlines(keepends=True)  # in Redis's order, which differs each time
    first, *others, last = sorted(lines, key=lambda line: b'"entries":[]' in line)
    spoilt = first.replace(b'"entries":[', b'"entries":["forged",', 1)
    file.write_bytes(head + spoilt + b"".join(others) + last[: len(last) // 2])
    status, said, amiss = run("restore", str(file), url=valkey)
    assert (status, said) == (1, "Restored: 1. There already: 0. Deleted there: 0.\n")
    assert amiss.splitlines() == [
        "Line 2 was left out: its content does not match its digest.",
        "Line 4 was left out: it is not a line of a backup.",
    ]


@pytest.mark.parametrize(
    "members",
    [
        {"requests": [["a", "b"], [1, "c"]]},
        {"requests": {"a": 1}},
        {"entries": "text"},
        {"entries": [1, "text"]},
        {"id": 5},
        {"lifetime": "long"},
        {"lifetime": None},
        {"mark_lifetime": True},
    ],
)
def test_a_forged_line_is_named(members: dict[str, Json], file: Path, run: Run, valkey: str) -> None:
    """The command names a line with wrong members, and restores the others."""
    head, line, *others = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([head, orjson.dumps(orjson.loads(line) | members), b"\n", *others]))
    status, said, amiss = run("restore", str(file), url=valkey)
    assert (status, said.partition(".")[0]) == (1, "Restored: 2")
    assert amiss == "Line 2 was left out: it is not a line of a backup.\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no backup"),
        (b"hello", "no backup"),
        (b'{"file": "x", "format": 1}', "no backup"),
        (b'{"file": "bastide backup", "format": 2}', "format 2"),
    ],
)
def test_another_file_is_refused(content: bytes, said: str, run: Run, tmp_path: Path) -> None:
    """A file that is no backup, or of a later format, is refused."""
    (tmp_path / "other").write_bytes(content)
    status, _, amiss = run("restore", str(tmp_path / "other"))
    assert (status, said in amiss) == (2, True)
    assert run("restore", str(tmp_path / "nothing"))[0] == 2


def test_a_new_machine_gets_its_games_before_it_serves(
    file: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without `REDIS_URL`, a restore makes the data folder; a backup of none names it, and makes none."""
    folder = tmp_path / "new" / "data"
    monkeypatch.setenv("BASTIDE_DATA", str(folder))
    status, _, amiss = run("backup", str(tmp_path / "none"), url="")
    assert (status, str(folder) in amiss, folder.exists()) == (3, True, False)
    assert run("restore", str(file), url="")[:2] == (0, "Restored: 3. There already: 0. Deleted there: 0.\n")
    assert run("backup", str(tmp_path / "again"), url="")[0] == 0
    assert digests(tmp_path / "again") == digests(file)


def test_the_file_is_for_its_owner_and_comes_whole(file: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A backup has mode 0600. One that fails leaves the older file, and the next one succeeds."""
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    whole = file.read_bytes()

    def fail(_: str) -> Iterator[backup.StoredLog]:
        yield backup.StoredLog("A" * 22, (), {}, -2, 1)
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(backup, "stored_logs", fail)
        status, _, amiss = run("backup", str(file))
    assert (status, amiss) == (2, "bastide: The file cannot be used: the disk is full\n")
    assert file.read_bytes() == whole
    assert run("backup", str(file))[0] == 0
    assert not file.with_name("backup.part").exists()


def test_no_key_is_in_a_backup(run: Run, api: Api, tmp_path: Path) -> None:
    """A backup contains names, but no key."""
    table = api.open(players=[{"colour": "black", "name": "Anne-Élise"}, {"colour": "white"}])
    run("backup", str(tmp_path / "backup"))
    text = (tmp_path / "backup").read_text("utf-8")
    assert "Anne-Élise" in text
    for key in over((table.host, table.watch, *table.seats.values())):
        assert key not in text
