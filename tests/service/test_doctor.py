"""`bastide doctor` names what is wrong with an installation, and what to do; a sound one is fine."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
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


class Usage(NamedTuple):
    """What `shutil.disk_usage` answers."""

    total: int
    used: int
    free: int


def found(grade: Grade, **environment: str) -> str:
    """All that is said in a grade, of an installation at home."""
    return "\n".join(text for each, text in examine(HOME | environment) if each == grade)


@pytest.fixture
def sound(own_redis: Callable[..., RedisServer]) -> str:
    """The address of a Redis that preserves what is written."""
    return own_redis().url


def test_a_sound_installation_is_fine(sound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else is said of it; the control of all others."""
    assert [grade for grade, _ in examine(HOME | {"REDIS_URL": sound})] == [Grade.FINE] * 2
    assert "on the disk of Redis" in found(Grade.FINE, REDIS_URL=sound)
    for name, value in (HOME | {"REDIS_URL": sound}).items():
        monkeypatch.setenv(name, value)
    assert commands.main(["doctor"]) == 0


def test_a_setting_that_cannot_be_used_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what is expected; nothing else can be looked at then."""
    monkeypatch.setenv("BASTIDE_WORKERS", "many")
    assert commands.main(["doctor"]) == Grade.WRONG
    [line] = capsys.readouterr().out.splitlines()
    assert line.startswith("wrong   BASTIDE_WORKERS='many' cannot be used")


def test_a_redis_that_would_lose_games_is_wrong(own_redis: Callable[..., RedisServer]) -> None:
    """It says which of its settings to change."""
    server = own_redis("--appendonly", "no")
    assert "appendonly no" in found(Grade.WRONG, REDIS_URL=server.url)


def test_a_redis_that_is_away_is_wrong() -> None:
    """It is said, not raised."""
    assert "Redis cannot be used" in found(Grade.WRONG, REDIS_URL="unix:///nowhere/s")


def test_an_older_file_of_users_is_advice(own_redis: Callable[..., RedisServer]) -> None:
    """Each feature that a user may not use is named, with what to do."""
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
    said = found(Grade.ADVICE, REDIS_URL=urls[0], BASTIDE_ADMIN_URL=urls[1])
    assert "may not count requests" in said
    assert "`bastide backup` cannot run" in said
    assert found(Grade.WRONG, REDIS_URL=urls[0], BASTIDE_ADMIN_URL=urls[1]) == ""


@pytest.mark.parametrize(("seconds", "said"), [(60, "behind"), (-60, "ahead of")])
def test_a_clock_that_is_wrong_is_advice(sound: str, seconds: int, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By how much, and which way."""
    right = Ledger.time
    monkeypatch.setattr(Ledger, "time", lambda ledger: right(ledger) + seconds)
    assert f"60 seconds {said} Redis's" in found(Grade.ADVICE, REDIS_URL=sound)


def test_a_disk_that_is_almost_full_is_advice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """That of a private Redis, also where its folder is not there yet."""
    data = str(tmp_path / "not" / "yet")
    assert found(Grade.ADVICE, BASTIDE_DATA=data) == ""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(2**40, 2**40, 5 * 2**20))
    assert f"{tmp_path} has 5 MB free" in found(Grade.ADVICE, BASTIDE_DATA=data)


def test_whoever_can_be_reached_from_elsewhere_needs_a_proxy(tmp_path: Path) -> None:
    """One that is trusted, and limits; any name is no name."""
    public = {"BASTIDE_HOSTS": "play.example.org", "BASTIDE_DATA": str(tmp_path)}
    assert "no proxy is trusted" in found(Grade.ADVICE, **public)
    assert found(Grade.ADVICE, **public, BASTIDE_PROXIES="1") == ""
    assert "BASTIDE_LIMITS=off" in found(Grade.ADVICE, **public, BASTIDE_PROXIES="1", BASTIDE_LIMITS="off")
    assert "any name" in found(Grade.ADVICE, BASTIDE_HOSTS="*", BASTIDE_DATA=str(tmp_path))


def test_a_redis_elsewhere_is_spoken_to_in_private(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it answers or not; at home nothing is said."""
    monkeypatch.setattr(doctor, "Ledger", Absent)
    assert "rediss://" in found(Grade.ADVICE, REDIS_URL="redis://redis.example.org:6379")
    assert found(Grade.ADVICE, REDIS_URL="redis://10.0.0.7:6379") == ""
    assert found(Grade.ADVICE, REDIS_URL="rediss://redis.example.org:6379") == ""


class Absent(Ledger):
    """A store that is not asked."""

    def check(self, least_fsync: str = "always") -> list[str]:
        """Say that nothing is there."""
        raise StoreAway(f"nobody asks {least_fsync}")
