"""Settings: each has a default, and an invalid one is named."""

from __future__ import annotations

import socket
from datetime import timedelta
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest

from service import config
from service.app import create_app
from service.config import Settings
from service.http import current
from service.referee.use_cases import Referee
from service.startup import DEPLOYMENT_VARIABLES, MARKS, BadSetting


def test_nothing_has_to_be_set() -> None:
    """An empty environment gives port 8000, a private Redis and no trusted proxy."""
    settings = Settings.of({})
    assert (settings.redis_url, settings.port, settings.proxies, settings.replicas) == ("", 8000, 0, 0)
    assert (settings.ttl, settings.group_ttl) == (timedelta(days=90), timedelta(days=400))
    assert settings.data.is_absolute()
    assert "localhost" in settings.hosts


def test_what_is_set_is_read() -> None:
    """Each documented variable sets its setting."""
    settings = Settings.of(
        {
            "REDIS_URL": "rediss://store:6380/1",
            "PORT": "8123",
            "BASTIDE_HOSTS": "table.example, .club.example",
            "BASTIDE_ORIGINS": "https://club.example, http://localhost:3000",
            "BASTIDE_DATA": "/srv/bastide",
            "BASTIDE_MEMORY_MB": "512",
            "BASTIDE_ADMIN_URL": "redis://bastide-admin:secret@store",
            "BASTIDE_BIND": "::",
            "BASTIDE_PROXIES": "2",
            "BASTIDE_PROXY_NETS": "198.51.100.0/24, 2001:db8:7::/48",
            "BASTIDE_LIMITS": "4",
            "BASTIDE_TTL_DAYS": "7",
            "BASTIDE_GROUP_DAYS": "30",
            "BASTIDE_REPLICAS": "2",
            "BASTIDE_FSYNC": "everysec",
            "BASTIDE_WORKERS": "3",
            "BASTIDE_CONNECTIONS": "80",
            "BASTIDE_CACHE_MB": "64",
            "BASTIDE_METRICS": "[::1]:9464",
        }
    )
    assert settings == Settings(
        redis_url="rediss://store:6380/1",
        port=8123,
        bind=ip_address("::"),
        hosts=("table.example", ".club.example"),
        origins=("https://club.example", "http://localhost:3000"),
        data=Path("/srv/bastide"),
        memory=512 * 2**20,
        admin_url="redis://bastide-admin:secret@store",
        proxies=2,
        proxy_nets=(ip_network("198.51.100.0/24"), ip_network("2001:db8:7::/48")),
        limits=4,
        ttl=timedelta(days=7),
        group_ttl=timedelta(days=30),
        replicas=2,
        fsync="everysec",
        workers=3,
        connections=80,
        cache=64 * 2**20,
        metrics=(ip_address("::1"), 9464),
    )


def test_a_worker_remembers_as_much_as_is_set() -> None:
    """`BASTIDE_CACHE_MB` is the size of the worker's table cache."""
    app = create_app(Settings.of({"REDIS_URL": "unix:///nowhere", "BASTIDE_CACHE_MB": "3"}))
    referee: Referee = app.extensions[current.REFEREE]
    assert referee._store._tables.most == 3 * 2**20


def test_the_table_of_settings_is_complete() -> None:
    """The module's docstring lists exactly the variables that are read."""
    read = set()

    class WatchedSettings(dict[str, str]):
        def __missing__(self, name: str) -> str:
            read.add(name)
            raise KeyError(name)

    Settings.of(WatchedSettings())
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
        ("BASTIDE_BIND", "localhost"),
        ("BASTIDE_BIND", "127.0.0.1:8000"),
        ("BASTIDE_BIND", "127.0.0.0/8"),
        ("BASTIDE_BIND", "[127.0.0.1"),
        ("BASTIDE_BIND", "::1]"),
        ("BASTIDE_PROXY_NETS", "10.0.0.0/33"),
        ("BASTIDE_PROXY_NETS", "10.0.0.1/8"),
        ("BASTIDE_PROXY_NETS", "10.0.0.0/8,nginx"),
        ("BASTIDE_PROXY_NETS", "10.0.0.0/8,,127.0.0.1"),
        ("BASTIDE_LIMITS", "0"),
        ("BASTIDE_LIMITS", "on"),
        ("BASTIDE_TTL_DAYS", "0"),
        ("BASTIDE_GROUP_DAYS", "a summer"),
        ("BASTIDE_CONNECTIONS", "1"),
        ("BASTIDE_WORKERS", "1.5"),
        ("BASTIDE_CACHE_MB", "0"),
        ("BASTIDE_REPLICAS", "two"),
        ("BASTIDE_MEMORY_MB", "15"),
        ("BASTIDE_MEMORY_MB", "4gb"),
        ("BASTIDE_ADMIN_URL", "localhost"),
        ("BASTIDE_HOSTS", "table..example"),
        ("BASTIDE_HOSTS", "table.example club.example"),
        ("BASTIDE_HOSTS", "http://table.example/"),
        ("BASTIDE_HOSTS", "table.example/"),
        ("BASTIDE_HOSTS", "localhost:8000"),
        ("BASTIDE_HOSTS", "[::1]:8000"),
        ("BASTIDE_HOSTS", "::1"),
        ("BASTIDE_HOSTS", "*.table.example"),
        ("BASTIDE_ORIGINS", "*"),
        ("BASTIDE_ORIGINS", "null"),
        ("BASTIDE_ORIGINS", "club.example"),
        ("BASTIDE_ORIGINS", "https://club.example/"),
        ("BASTIDE_ORIGINS", "https://Club.example"),
        ("BASTIDE_ORIGINS", "https://*.club.example"),
        ("BASTIDE_REPLICAS", "1"),
        ("BASTIDE_METRICS", "9464"),
        ("BASTIDE_METRICS", "localhost:9464"),
        ("BASTIDE_METRICS", "127.0.0.1:0"),
        ("BASTIDE_METRICS", "127.0.0.1:65536"),
        ("BASTIDE_METRICS", "::1:9464"),
        ("BASTIDE_METRICS", "[::1]"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(name: str, value: str) -> None:
    """The error names the variable, its value and what is expected."""
    with pytest.raises(BadSetting) as bad:
        Settings.of({name: value})
    assert str(bad.value).startswith(f"{name}='{value}' cannot be used: it has to be ")


def test_what_is_expected_of_the_limits_names_their_word() -> None:
    """Whoever writes `no` reads of `off`; the control: no other number has that word."""
    with pytest.raises(BadSetting, match="a whole number from 1 to 1000, or off"):
        Settings.of({"BASTIDE_LIMITS": "no"})
    with pytest.raises(BadSetting, match=r"a whole number from 1 to 64\."):
        Settings.of({"BASTIDE_WORKERS": "1.5"})


@pytest.mark.parametrize("address", ["redis+cluster://one,two", "redis+sentinel://one,two/main"])
def test_where_another_server_takes_over_a_replica_has_each_entry(address: str) -> None:
    """With a cluster or sentinels, one replica must confirm each entry, unless the setting says 0."""
    assert Settings.of({"REDIS_URL": address}).replicas == 1
    assert Settings.of({"REDIS_URL": address, "BASTIDE_REPLICAS": "0"}).replicas == 0


def test_a_variable_that_is_no_setting_is_named() -> None:
    """An unknown BASTIDE_ variable, probably a typo, is named without its value, which may be secret."""
    with pytest.raises(BadSetting) as bad:
        Settings.of({"BASTIDE_WORKER": "hunter2", "BASTIDE_PROXIE": "1", "BASTIDE_PROXIES": "1"})
    assert str(bad.value).startswith("BASTIDE_PROXIE, BASTIDE_WORKER are no settings of Bastide. The settings are ")
    assert "BASTIDE_WORKERS" in str(bad.value)
    assert "hunter2" not in str(bad.value)


def test_what_others_set_is_no_slip() -> None:
    """Our own marks, variables of `deploy/` and those of Kubernetes for a service called bastide are no errors."""
    known = {*MARKS, *DEPLOYMENT_VARIABLES, "BASTIDE_PORT", "BASTIDE_PORT_80_TCP_ADDR", "BASTIDE_SERVICE_HOST", "PATH"}
    assert Settings.of(dict.fromkeys(known, "x") | {"BASTIDE_SERVICE_PORT_HTTP": "80"}) == Settings.of({})


def test_a_private_redis_takes_a_part_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A private Redis gets a quarter of the memory, with a minimum and a maximum."""
    for pages, megabytes in ((2**17, 256), (2**20, 1024), (2**26, 4096)):
        monkeypatch.setattr("os.sysconf", {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": pages}.get)
        assert config.usual_memory() == megabytes * 2**20


@pytest.mark.parametrize(
    ("bind", "ways", "expected"),
    [
        (config.EVERYWHERE, {socket.AF_INET: "192.0.2.7", socket.AF_INET6: "2001:db8::7"}, "192.0.2.7"),
        (config.EVERYWHERE, {socket.AF_INET6: "2001:db8::7"}, None),
        ("::", {socket.AF_INET: "192.0.2.7", socket.AF_INET6: "2001:db8::7"}, "192.0.2.7"),
        ("::", {socket.AF_INET6: "2001:db8::7"}, "[2001:db8::7]"),
        ("::", {}, None),
        ("127.0.0.1", {socket.AF_INET: "192.0.2.7"}, None),
        ("::1", {socket.AF_INET: "192.0.2.7"}, None),
        ("198.51.100.3", {socket.AF_INET: "192.0.2.7"}, "198.51.100.3"),
        ("2001:db8::3", {socket.AF_INET: "192.0.2.7"}, "[2001:db8::3]"),
    ],
)
def test_phones_are_told_an_address_that_is_listened_on(
    bind: str, ways: dict[int, str], expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address for phones is one that the service listens on, and an allowed host."""
    monkeypatch.setattr(
        config, "_outgoing_address", lambda family, _: ip_address(ways[family]) if family in ways else None
    )
    assert config.lan_address(bind) == expected
    hosts = Settings.of({"BASTIDE_BIND": bind}).hosts
    assert (expected in hosts) is (expected is not None)
    assert {"localhost", "127.0.0.1", "[::1]"} < set(hosts)


def test_limits_can_be_off() -> None:
    """Only `off` turns limits off: the number 0 is an error."""
    assert Settings.of({"BASTIDE_LIMITS": " OFF "}).limits == 0
    assert Settings.of({}).limits == 1


def test_a_star_answers_to_any_host() -> None:
    """`*` allows every host, by an empty list."""
    assert Settings.of({"BASTIDE_HOSTS": "*"}).hosts == ()


def test_a_host_is_its_name_in_any_case() -> None:
    """Hosts are stored as browsers send them: in lower case, and in ASCII form."""
    settings = Settings.of({"BASTIDE_HOSTS": "Table.Example, [::1], .Château.example"})
    assert settings.hosts == ("table.example", "[::1]", ".xn--chteau-xta.example")
