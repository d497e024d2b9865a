"""The files of `deploy/` name only what exists, fit the service, and pass the linters that are installed."""

from __future__ import annotations

import ipaddress
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from jsonschema_rs import validator_for

from service.config import Settings
from service.errors import StoreAway
from service.http import events
from service.http.api import PREFIX
from service.limits import rate_limits
from service.runtime import shutdown
from service.schemas import MAX_WAIT
from service.server import gunicorn_conf
from service.storage.inventory import Inventory
from service.storage.ledger import Ledger
from service.storage.private_redis import keeper, supervisor
from tests.support.api import Api
from tests.support.redis_server import RedisServer

ROOT: Final = Path(__file__).parents[1]
DEPLOY: Final = ROOT / "deploy"
FILES: Final = sorted(path for path in DEPLOY.iterdir() if path.suffix != ".md")
UNITS: Final = sorted(DEPLOY.glob("*.service"))
YAML: Final = sorted(DEPLOY.glob("*.yaml"))
PASSWORD: Final = "secret"
SECRETS: Final = r"redis\S*://\w*:(?!PASSWORD@)[^@\s$]+@|(?i:password)\S* *[:=] *['\"]?[A-Za-z0-9+/]{8,}"
GREATEST_EXPOSURE: Final = 20
"""The exposure that systemd may find in a unit, in tenths, from 0 to 100."""


def text_of(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


@cache
def compose() -> Any:
    return yaml.safe_load(text_of("compose.yaml"))["services"]


@cache
def manifest() -> dict[str, Any]:
    """The objects of the manifest, by their kinds."""
    return {each["kind"]: each for each in yaml.safe_load_all(text_of("kubernetes.yaml")) if each}


def pod() -> Any:
    return manifest()["Deployment"]["spec"]["template"]["spec"]


def container() -> Any:
    return pod()["containers"][0]


# --- files, settings and ports -----------------------------------------------------------------------------------


def test_every_file_is_in_the_table() -> None:
    """The folder's README lists each file, and no other."""
    listed = re.findall(r"^\| (.+?) \|", text_of("README.md"), re.MULTILINE)
    assert {name for cell in listed for name in re.findall(r"`([^`]+)`", cell)} == {path.name for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_variable_is_a_setting(path: Path) -> None:
    """The service reads each variable that a file names."""
    read = set(re.findall(r'"((?:BASTIDE|REDIS|PORT)[A-Z_]*)"', (ROOT / "service/config.py").read_text("utf-8")))
    given = {"BASTIDE_HOST", "BASTIDE_UPSTREAM", "BASTIDE_USERS", "REDIS_PASSWORD"}  # the operator sets these
    named = set(re.findall(r"\b((?:BASTIDE|REDIS)_[A-Z_]+)\b", path.read_text(encoding="utf-8")))
    assert named - given <= read


def environments() -> Iterator[tuple[str, dict[str, str]]]:
    """The environment that each file gives the service."""
    yield "compose.yaml", dict(compose()["bastide"]["environment"])
    yield "kubernetes.yaml", {each["name"]: each.get("value", "redis://secret") for each in container()["env"]}
    words = " ".join(re.findall(r"^Environment=(.*)$", text_of("bastide.service"), re.MULTILINE))
    yield "bastide.service", dict(word.split("=") for word in words.split())


@pytest.mark.parametrize(("name", "environment"), list(environments()), ids=lambda value: str(value)[:20])
def test_the_settings_can_be_used(name: str, environment: dict[str, str]) -> None:
    """The service accepts each file's settings, which trust one proxy and allow 4,000 connections."""
    filled = {key: re.sub(r"\$\{\w+:?[-?]([^}]*)\}", r"\1", value) for key, value in environment.items()}
    filled["BASTIDE_HOSTS"] = "play.example.org"
    filled["REDIS_URL"] = "redis://bastide:x@redis:6379"
    settings = Settings.of(filled)
    assert settings.proxies == 1
    assert settings.bind.is_loopback is (name == "bastide.service")
    assert settings.connections == 4000
    assert settings.limits == 1
    assert settings.fsync == "always"


def test_probes_are_routes(api: Api) -> None:
    """Each probe requests an existing page without a key, by a host that the service answers to."""
    hosts = {each["value"] for each in container()["env"] if each["name"] == "BASTIDE_HOSTS"}
    probes = {name: container()[f"{name}Probe"]["httpGet"] for name in ("startup", "readiness", "liveness")}
    assert {name: probe["path"] for name, probe in probes.items()} == {
        "startup": "/livez",
        "readiness": "/readyz?for=rulings",
        "liveness": "/livez",
    }
    for probe in probes.values():
        assert api.get(probe["path"]).status_code == 200
        assert {header["value"] for header in probe["httpHeaders"] if header["name"] == "Host"} == hosts
    assert "http://localhost:8000/livez" in compose()["bastide"]["healthcheck"]["test"][-1]
    assert compose()["bastide"]["environment"]["BASTIDE_HOSTS"].endswith(",localhost")
    assert "health_uri /readyz?for=rulings\n" in text_of("Caddyfile")


def test_ports_are_the_services() -> None:
    """All files use the default port of the service, and compose publishes it only on loopback."""
    port = Settings.of({}).port
    assert compose()["bastide"]["ports"] == [f"127.0.0.1:{port}:{port}"]
    assert "ports" not in compose()["redis"]
    assert container()["ports"][0]["containerPort"] == port
    assert manifest()["NetworkPolicy"]["spec"]["ingress"][0]["ports"] == [{"protocol": "TCP", "port": port}]
    assert f"127.0.0.1:{port}" in text_of("Caddyfile")
    assert f"server 127.0.0.1:{port};" in text_of("nginx.conf")
    assert f"EXPOSE {port}\n" in text_of("Dockerfile")
    assert "BASTIDE_HOSTS" not in text_of("Dockerfile")


def test_everybody_starts_the_service_alike() -> None:
    """The image and the unit run the command of the Procfile, and the image copies only existing files."""
    words = (ROOT / "Procfile").read_text().removeprefix("web: ").replace('"', "").split()
    last = re.findall(r"^CMD \[(.*)\]$", text_of("Dockerfile"), re.MULTILINE)[-1]
    assert re.findall(r'"([^"]+)"', last) == words
    assert f"ExecStart=/opt/bastide/.venv/bin/{' '.join(words)}\n" in text_of("bastide.service")
    copied = " ".join(re.findall(r"^COPY (?!--from)(.+) \S+$", text_of("Dockerfile"), re.MULTILINE)).split()
    assert len(copied) == 9
    assert all((ROOT / name).exists() for name in copied)


# --- times and rights --------------------------------------------------------------------------------------------


def test_proxies_wait_longer_than_a_poll() -> None:
    """No proxy ends a waiting poll, or reuses a connection that the service has just closed."""
    nginx, caddy = text_of("nginx.conf"), text_of("Caddyfile")
    waits = re.findall(r"proxy_read_timeout (\d+)s|response_header_timeout (\d+)s|\bwrite (\d+)s", nginx + caddy)
    told = manifest()["Ingress"]["metadata"]["annotations"]["nginx.ingress.kubernetes.io/proxy-read-timeout"]
    assert len(waits) == 3
    assert min(int(told), *(int("".join(found)) for found in waits)) >= MAX_WAIT + 10
    (kept,) = re.findall(r"upstream bastide \{.*?keepalive_timeout (\d+)s", nginx, re.DOTALL)
    (kept_by_caddy,) = re.findall(r"\bkeepalive (\d+)s", caddy)
    assert max(int(kept), int(kept_by_caddy)) < gunicorn_conf.keepalive


def test_proxies_pass_streams_of_events_on() -> None:
    """No proxy ends a silent stream, or one before its lifetime; none compresses it, which would delay events."""
    nginx, caddy = text_of("nginx.conf"), text_of("Caddyfile")
    (read,) = re.findall(r"proxy_read_timeout (\d+)s", nginx)
    told = manifest()["Ingress"]["metadata"]["annotations"]["nginx.ingress.kubernetes.io/proxy-read-timeout"]
    assert min(int(read), int(told)) > 2 * events.SILENCE
    (whole,) = re.findall(r"\bwrite (\d+)s", caddy)
    assert int(whole) > events.LIFETIME
    (compressed,) = re.findall(r"gzip_types ([^;]+);", nginx)
    assert re.findall(r"proxy_ignore_headers ([^;]+);", nginx) == ["Vary"]
    assert re.findall(r"location ~ \S+views\)/\(\?!\.\*/events\$\) \{", nginx)
    assert not {*events.FORMATS} & {*compressed.split()}
    (paths,) = re.findall(r"@whole not path (.+)\n\tencode @whole gzip\n", caddy)
    assert paths.split() == [f"{PREFIX}/{of}/*/events" for of in ("tables", "views")]


def test_whoever_ends_the_service_lets_it_finish() -> None:
    """Each supervisor kills the service only after the time that the service gives its clients."""
    needed = gunicorn_conf.graceful_timeout
    assert needed > shutdown.ACCEPT_SECONDS + gunicorn_conf.keepalive, "whoever comes last has time for a request"
    (look,) = re.findall(r"health_interval (\d+)s", text_of("Caddyfile"))
    assert int(look) < shutdown.ACCEPT_SECONDS, "a balancer sees that it is not ready before it takes nobody any more"
    pause = int(container()["lifecycle"]["preStop"]["exec"]["command"][1])
    assert pod()["terminationGracePeriodSeconds"] > needed + pause
    assert int(compose()["bastide"]["stop_grace_period"].removesuffix("s")) > needed
    (stop,) = re.findall(r"^TimeoutStopSec=(\d+)$", text_of("bastide.service"), re.MULTILINE)
    most = needed + keeper.POLL_SECONDS + supervisor.STOP_PATIENCE
    assert int(stop) > most, "a private Redis that does not end is not waited for longer"


def test_clients_cannot_say_who_they_are() -> None:
    """The proxy overwrites every forwarding header that the service trusts."""
    told = dict(re.findall(r"proxy_set_header (X-Forwarded-\w+) (\S+);", text_of("nginx.conf")))
    names = {"For": "$remote_addr", "Proto": "$scheme", "Host": "$host", "Port": "$server_port"}
    assert told == {f"X-Forwarded-{name}": value for name, value in names.items()}
    assert "header_up X-Forwarded-Port {http.request.local.port}" in text_of("Caddyfile")
    assert "trusted_proxies" not in text_of("Caddyfile")  # without it Caddy overwrites the others by itself


def test_containers_have_no_rights_to_spare() -> None:
    """Containers have no root user, no new privileges, no capabilities, and a read-only file system."""
    for service in compose().values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
    assert compose()["redis"]["user"]
    assert re.findall(r"^USER (\S+)$", text_of("Dockerfile"), re.MULTILINE) == ["10001:10001"]
    assert pod()["securityContext"]["runAsNonRoot"] is True
    assert pod()["automountServiceAccountToken"] is False
    rights = container()["securityContext"]
    assert rights == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }


@pytest.mark.parametrize("path", [*FILES, DEPLOY / "README.md"], ids=lambda path: path.name)
def test_no_file_has_a_secret(path: Path) -> None:
    """No example in `deploy/` contains a password. The control: the search finds one."""
    assert re.findall(SECRETS, path.read_text(encoding="utf-8")) == []
    assert re.search(SECRETS, "REDIS_URL: redis://bastide:hunter2@redis")
    assert re.search(SECRETS, "password = hunter2hunter2")


# --- Redis -------------------------------------------------------------------------------------------------------


def accepts(path: Path) -> bool:
    """Whether a server accepts connections at a socket; the file exists a moment before it does."""
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(path)) == 0


@pytest.mark.parametrize("engine", [supervisor.server_program, supervisor.bundled_program], ids=["redis", "valkey"])
def test_redis_is_set_as_the_service_wants_it(
    engine: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Redis or Valkey set up as `deploy/README.md` says stores what it confirms, and rejects unknown users."""
    lines = text_of("README.md").partition("## The Redis users")[2].partition("A new password")[0]
    script = "\n".join(re.findall(r"^ {4}(.*)$", lines, re.MULTILINE)).replace("/etc/bastide", str(tmp_path))
    script = script.replace("$(openssl rand -hex 24)", PASSWORD)
    subprocess.run(["sh", "-euc", script], cwd=ROOT, check=True)
    server = RedisServer(config=text_of("redis.conf").replace("/etc/bastide", str(tmp_path)), program=engine())
    monkeypatch.setattr(server, "_answers", lambda: accepts(server.socket))  # the default user may not log in
    try:
        server.start()
        with closing(Ledger(f"unix://bastide:{PASSWORD}@{server.socket}")) as ledger:
            assert ledger.check() == ["A confirmed move is on the disk of Redis."]
        with closing(Inventory(f"unix://bastide-admin:{PASSWORD}@{server.socket}")) as depot:
            assert depot.logs() == []
        for url in (server.url, f"unix://bastide:wrong@{server.socket}"):
            with closing(Ledger(url)) as ledger, pytest.raises(StoreAway):
                ledger.read("T" * 22)
    finally:
        server.close()


# --- linters -----------------------------------------------------------------------------------------------------


def lint(name: str, *arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a linter; if it is not installed, the test is skipped with that reason."""
    places = [str(Path(sys.executable).parent), os.environ["PATH"], "/usr/local/sbin", "/usr/sbin"]
    found = shutil.which(name, path=os.pathsep.join(places))
    if found is None:
        pytest.skip(f"{name} is not installed")
    command = [found, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environment)


def spoilt(folder: Path, name: str, old: str, new: str) -> Path:
    """A copy of a file with a mistake in it."""
    text = text_of(name)
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1))
    return folder / name


def test_yaml_is_well_written() -> None:
    """The linter finds nothing in any file."""
    rules = "{extends: default, rules: {line-length: {max: 120}, document-start: disable}}"
    done = lint("yamllint", "--strict", "-d", rules, *YAML)
    assert done.returncode == 0, done.stdout


def test_the_compose_file_has_the_schema_of_compose_files() -> None:
    """The file fits check-jsonschema's copy of the compose specification. The control: an unknown word does not."""
    package = find_spec("check_jsonschema")  # it is not run: that takes seconds
    assert package is not None
    assert package.origin is not None
    path = Path(package.origin).parent / "builtin_schemas" / "vendor" / "compose-spec.json"
    schema = validator_for(json.loads(path.read_text(encoding="utf-8")))
    schema.validate(yaml.safe_load(text_of("compose.yaml")))
    assert not schema.is_valid(yaml.safe_load(text_of("compose.yaml").replace("read_only", "readonly", 1)))


def test_the_manifest_has_the_schemas_of_kubernetes() -> None:
    """Every object fits its schema, without unknown properties. The control: one wrong letter does not."""
    kubernetes = pytest.importorskip("kubernetes_validate")
    for each in manifest().values():
        kubernetes.validate(each, kubernetes.latest_version(), strict=True)
    wrong = json.loads(json.dumps(manifest()["Deployment"]).replace("readOnlyRootFilesystem", "readOnlyRootFileSystem"))
    with pytest.raises(kubernetes.ValidationError):
        kubernetes.validate(wrong, kubernetes.latest_version(), strict=True)


def test_units_are_read_and_are_closed() -> None:
    """For systemd, the units have no fault but missing programs, and little exposure."""
    done = lint("systemd-analyze", "verify", "--man=no", *UNITS)
    said = [line for line in done.stderr.splitlines() if "is not executable" not in line]
    assert [line for line in said if any(unit.name in line for unit in UNITS)] == []
    for unit in UNITS:
        most = f"--threshold={GREATEST_EXPOSURE}"
        assert lint("systemd-analyze", "security", "--offline=yes", most, unit).returncode == 0


def test_nginx_counts_homes() -> None:
    """A /64 network of IPv6 is one home, as for the service, and so is an IPv4 address. Nginx admits twice as much."""
    text = text_of("nginx.conf")
    most, seconds = rate_limits.ANYTHING
    assert re.findall(r"zone=requests:10m rate=(\d+)r/s", text) == [str(2 * most // seconds)]
    assert re.findall(r"burst=(\d+) nodelay", text) == [str(2 * most)]
    assert re.findall(r"limit_\w+_zone (\S+) zone", text) == ["$home", "$home"]
    (pattern,) = re.findall(
        r'map \$binary_remote_addr \$home \{\s+"~(.*)" \$network;\s+default \$binary_remote_addr;', text
    )
    network = re.compile(pattern.replace("?<", "?P<").replace(r"\z", r"\Z").encode())
    for address in ("2001:db8::1", "2001:db8:a0a:a0a:a0a:a0a:a0a:a0a"):
        packed = ipaddress.ip_address(address).packed
        found = network.search(packed)
        assert found is not None
        assert found["network"] == packed[:8]
    assert network.search(ipaddress.ip_address("198.51.100.7").packed) is None


def test_caddy_takes_its_file(tmp_path: Path) -> None:
    """Caddy accepts its file. The control: it rejects an unknown directive."""
    validate = "validate", "--adapter", "caddyfile", "--config"
    done = lint("caddy", *validate, DEPLOY / "Caddyfile", HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert lint("caddy", *validate, spoilt(tmp_path, "Caddyfile", "encode", "encod"), HOME=str(tmp_path)).returncode


def test_nginx_takes_its_file(tmp_path: Path) -> None:
    """Nginx accepts its file, with a certificate made here. The control: it rejects an unknown directive."""
    made = ["-newkey", "rsa:2048", "-nodes", "-keyout", f"{tmp_path}/privkey.pem", "-out", f"{tmp_path}/fullchain.pem"]
    assert lint("openssl", "req", "-x509", "-subj", "/CN=play.example.org", *made).returncode == 0
    temporary = "".join(
        f"    {each}_temp_path {tmp_path};\n" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    text = text_of("nginx.conf").replace("http {\n", f"http {{\n{temporary}", 1)
    text = text.replace("/etc/letsencrypt/live/play.example.org", str(tmp_path))
    text = text.replace("/var/cache/nginx/bastide", f"{tmp_path}/views")
    options = "-t", "-p", tmp_path, "-g", f"pid {tmp_path}/pid; error_log stderr;", "-c"
    (tmp_path / "right.conf").write_text(text)
    (tmp_path / "wrong.conf").write_text(text.replace("limit_conn connections", "limit_con connections"))
    done = lint("nginx", *options, tmp_path / "right.conf")
    assert done.returncode == 0, done.stderr
    assert lint("nginx", *options, tmp_path / "wrong.conf").returncode
