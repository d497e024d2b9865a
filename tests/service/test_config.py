"""Settings: every one has a default, and one that cannot be used is named."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from service import config, current
from service.app import create_app
from service.config import Settings
from service.referee import Referee
from service.startup import BadSetting


def test_nothing_has_to_be_set() -> None:
    """An empty environment gives a service on port 8000 with a private Redis, and trusts no proxy."""
    settings = Settings.of({})
    assert (settings.redis_url, settings.port, settings.proxies, settings.replicas) == ("", 8000, 0, 0)
    assert (settings.ttl, settings.group_ttl) == (timedelta(days=90), timedelta(days=400))
    assert settings.data.is_absolute()
    assert "localhost" in settings.hosts


def test_what_is_set_is_read() -> None:
    """Each variable of the table in the module's docstring is heard."""
    settings = Settings.of(
        {
            "REDIS_URL": "rediss://store:6380/1",
            "PORT": "8123",
            "BASTIDE_HOSTS": "table.example, .club.example",
            "BASTIDE_DATA": "/srv/bastide",
            "BASTIDE_PROXIES": "1",
            "BASTIDE_LIMITS": "4",
            "BASTIDE_TTL_DAYS": "7",
            "BASTIDE_GROUP_DAYS": "30",
            "BASTIDE_REPLICAS": "2",
            "BASTIDE_FSYNC": "everysec",
            "BASTIDE_WORKERS": "3",
            "BASTIDE_CONNECTIONS": "80",
            "BASTIDE_CACHE_MB": "64",
        }
    )
    assert settings == Settings(
        redis_url="rediss://store:6380/1",
        port=8123,
        hosts=("table.example", ".club.example"),
        data=Path("/srv/bastide"),
        proxies=1,
        limits=4,
        ttl=timedelta(days=7),
        group_ttl=timedelta(days=30),
        replicas=2,
        fsync="everysec",
        workers=3,
        connections=80,
        cache=64 * 2**20,
    )


def test_a_worker_remembers_as_much_as_is_set() -> None:
    """The megabytes reach the memory of the tables."""
    app = create_app(Settings.of({"REDIS_URL": "unix:///nowhere", "BASTIDE_CACHE_MB": "3"}))
    referee: Referee = app.extensions[current.REFEREE]
    assert referee._store._tables.most == 3 * 2**20


def test_the_table_of_settings_is_complete() -> None:
    """The docstring names every variable that is read, and no other."""
    read = set()

    class Watched(dict[str, str]):
        def get(self, name: str, default: object = None) -> object:  # type: ignore[override]
            read.add(name)
            return default

    Settings.of(Watched())
    documented = {line.split("``")[1] for line in (config.__doc__ or "").splitlines() if line.startswith("``")}
    assert documented == read - {"XDG_DATA_HOME"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "0"),
        ("PORT", "65536"),
        ("PORT", "http"),
        ("PORT", "８０"),
        ("REDIS_URL", "localhost:6379"),
        ("REDIS_URL", "http://localhost"),
        ("REDIS_URL", "redis+cluster://"),
        ("REDIS_URL", "redis+cluster://one,,two"),
        ("REDIS_URL", "redis+cluster://one:0x1"),
        ("REDIS_URL", "redis+cluster://one/name"),
        ("REDIS_URL", "redis+sentinel://one:26379"),
        ("REDIS_URL", "unix+cluster://one"),
        ("REDIS_URL", "redis+proxy://one"),
        ("BASTIDE_FSYNC", "no"),
        ("BASTIDE_PROXIES", "-1"),
        ("BASTIDE_LIMITS", "0"),
        ("BASTIDE_LIMITS", "on"),
        ("BASTIDE_TTL_DAYS", "0"),
        ("BASTIDE_GROUP_DAYS", "a summer"),
        ("BASTIDE_CONNECTIONS", "1"),
        ("BASTIDE_WORKERS", "1.5"),
        ("BASTIDE_CACHE_MB", "0"),
        ("BASTIDE_REPLICAS", "two"),
        ("BASTIDE_HOSTS", "table..example"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(name: str, value: str) -> None:
    """The message has the variable, its value, and what it has to be."""
    with pytest.raises(BadSetting) as bad:
        Settings.of({name: value})
    assert str(bad.value).startswith(f"{name}='{value}' cannot be used: it has to be ")


@pytest.mark.parametrize("address", ["redis+cluster://one,two", "redis+sentinel://one,two/main"])
def test_where_another_server_takes_over_a_replica_has_each_entry(address: str) -> None:
    """Otherwise what was confirmed could be lost with its server; who wants that says so."""
    assert Settings.of({"REDIS_URL": address}).replicas == 1
    assert Settings.of({"REDIS_URL": address, "BASTIDE_REPLICAS": "0"}).replicas == 0


def test_limits_can_be_off() -> None:
    """No limit is a factor of 0, which only its word gives: a number that admits nothing is a slip."""
    assert Settings.of({"BASTIDE_LIMITS": " OFF "}).limits == 0
    assert Settings.of({}).limits == 1


def test_a_star_answers_to_any_host() -> None:
    """No list of hosts is the list that allows all."""
    assert Settings.of({"BASTIDE_HOSTS": "*"}).hosts == ()


def test_a_host_is_its_name_in_any_case() -> None:
    """A host is kept as browsers send it: in lower case, and letters beyond ASCII in their ASCII form."""
    settings = Settings.of({"BASTIDE_HOSTS": "Table.Example, [::1], .Château.example"})
    assert settings.hosts == ("table.example", "[::1]", ".xn--chteau-xta.example")
