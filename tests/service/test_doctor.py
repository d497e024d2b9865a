"""`bastide doctor` names what is wrong with an installation, and the remedy; it approves a sound one."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

import pytest

from service import doctor
from service.cli import commands
from service.doctor import Grade, examine
from service.errors import StoreAway
from service.storage.ledger import Ledger
from tests.support.redis_server import RedisServer
from tests.support.redis_user import OTHER, PASSWORD, RULES

HOME = {"BASTIDE_HOSTS": "192.168.1.7,table.local"}


def findings_of(grade: Grade, **environment: str) -> str:
    """All findings of a grade for an installation at home."""
    return "\n".join(text for each, text in examine(HOME | environment) if each == grade)


@pytest.fixture
def sound(own_redis: Callable[..., RedisServer]) -> str:
    """The address of a durable Redis."""
    return own_redis().url


def test_a_sound_installation_is_fine(sound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control of all other tests: a sound installation has only fine findings."""
    assert [grade for grade, _ in examine(HOME | {"REDIS_URL": sound})] == [Grade.FINE] * 2
    assert "on the disk of Redis" in findings_of(Grade.FINE, REDIS_URL=sound)
    for name, value in (HOME | {"REDIS_URL": sound}).items():
        monkeypatch.setenv(name, value)
    assert commands.main(["doctor"]) == 0


def test_a_setting_that_cannot_be_used_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An invalid setting is the only finding, with what is expected."""
    monkeypatch.setenv("BASTIDE_WORKERS", "many")
    assert commands.main(["doctor"]) == Grade.WRONG
    [line] = capsys.readouterr().out.splitlines()
    assert line.startswith("wrong   BASTIDE_WORKERS='many' cannot be used")


def test_a_redis_that_would_lose_games_is_wrong(own_redis: Callable[..., RedisServer]) -> None:
    """For a Redis that could lose games, the finding names the setting to change."""
    server = own_redis("--appendonly", "no")
    assert "appendonly no" in findings_of(Grade.WRONG, REDIS_URL=server.url)


def test_a_redis_that_is_away_is_wrong() -> None:
    """An unreachable Redis is a finding, not an exception."""
    assert "Redis cannot be used" in findings_of(Grade.WRONG, REDIS_URL="unix:///nowhere/s")


def test_an_older_file_of_users_is_advice(own_redis: Callable[..., RedisServer]) -> None:
    """For an outdated ACL file, the advice names each feature that is not allowed."""
    server = own_redis()
    for line in RULES.splitlines():
        if line.startswith("user "):
            _, name, *rules = line.split()
            lacking = {"bastide": {"~{l:*"}, "bastide-admin": {"+hgetall"}}[name]
            server.ask("ACL", "SETUSER", name, *(rule for rule in rules if rule not in lacking))
    urls = [
        f"unix://{name}:{quote(password)}@{server.socket}"
        for name, password in (("bastide", PASSWORD), ("bastide-admin", OTHER))
    ]
    said = findings_of(Grade.ADVICE, REDIS_URL=urls[0], BASTIDE_ADMIN_URL=urls[1])
    assert "may not count requests" in said
    assert "`bastide backup` cannot run" in said
    assert findings_of(Grade.WRONG, REDIS_URL=urls[0], BASTIDE_ADMIN_URL=urls[1]) == ""


@pytest.mark.parametrize(("seconds", "said"), [(60, "behind"), (-60, "ahead of")])
def test_a_clock_that_is_wrong_is_advice(sound: str, seconds: int, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The advice on a wrong clock says by how much, and in which direction."""
    right = Ledger.time
    monkeypatch.setattr(Ledger, "time", lambda ledger: right(ledger) + seconds)
    assert f"60 seconds {said} Redis's" in findings_of(Grade.ADVICE, REDIS_URL=sound)


def test_a_disk_that_is_almost_full_is_advice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The advice on a nearly full disk names the data folder's disk, even before the folder exists."""
    data = str(tmp_path / "not" / "yet")
    assert findings_of(Grade.ADVICE, BASTIDE_DATA=data) == ""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(total=2**40, used=2**40, free=5 * 2**20))
    assert f"{tmp_path} has 5 MB free" in findings_of(Grade.ADVICE, BASTIDE_DATA=data)


def test_whoever_can_be_reached_from_elsewhere_needs_a_proxy(tmp_path: Path) -> None:
    """A public installation is advised to trust a proxy, keep limits on, and not accept any host."""
    public = {"BASTIDE_HOSTS": "play.example.org", "BASTIDE_DATA": str(tmp_path)}
    assert "no proxy is trusted" in findings_of(Grade.ADVICE, **public)
    assert findings_of(Grade.ADVICE, **public, BASTIDE_PROXIES="1") == ""
    assert "BASTIDE_LIMITS=off" in findings_of(Grade.ADVICE, **public, BASTIDE_PROXIES="1", BASTIDE_LIMITS="off")
    assert "any name" in findings_of(Grade.ADVICE, BASTIDE_HOSTS="*", BASTIDE_DATA=str(tmp_path))


def test_a_redis_elsewhere_is_spoken_to_in_private(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Redis on another network should use TLS; one in a private network need not."""
    monkeypatch.setattr(doctor, "Ledger", Absent)
    assert "rediss://" in findings_of(Grade.ADVICE, REDIS_URL="redis://redis.example.org:6379")
    assert findings_of(Grade.ADVICE, REDIS_URL="redis://10.0.0.7:6379") == ""
    assert findings_of(Grade.ADVICE, REDIS_URL="rediss://redis.example.org:6379") == ""


class Absent(Ledger):
    """A store that is not reached."""

    def check(self, least_fsync: str = "always") -> list[str]:
        """Fail as an unreachable store does."""
        raise StoreAway(f"nobody asks {least_fsync}")
