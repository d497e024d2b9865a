"""The commands of the README and of the page on operation work as written.

A shell runs them, beside a running service.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import pytest

from service.redis_url import RedisUrl
from tests.support.redis_server import LONGEST, free_ports, until
from tests.support.service_process import ServiceProcess
from tests.support.wheel import build

ROOT: Final = Path(__file__).parents[1]
README: Final = (ROOT / "README.md").read_text(encoding="utf-8")
PRINTED_ADDRESS: Final = "http://localhost:8000"
"""The address in the README; the tests change only its port."""
NOT_LEGAL: Final = ("bastide rule game.json", "bastide rule case.json")
"""The commands with exit status 1: they rule on a move that is not legal."""


def block(chapter: str, first: str) -> list[str]:
    """The commands of the block in a chapter that begins with `first`, without comments."""
    text = README.partition(f"\n## {chapter}\n")[2].partition("\n## ")[0]
    blocks = [
        re.sub(r"^ {4}", "", found, flags=re.MULTILINE) for found in re.findall(r"(?:^ {4}.*\n)+", text, re.MULTILINE)
    ]
    [found] = [found for found in blocks if found.startswith(first)]
    return re.sub(r"\s+#\s.*$", "", found.replace("\\\n", " "), flags=re.MULTILINE).splitlines()


def shell(script: str, folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a script, to the first line that fails. Curl ignores the settings of this machine's user."""
    environment = os.environ | {"CURL_HOME": str(folder), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    command = ["sh", "-e", "-c", script]
    return subprocess.run(
        command, cwd=folder, env=environment | settings, capture_output=True, text=True, timeout=300, check=False
    )


def blocks_of(document: str) -> list[str]:
    """The indented blocks of commands in a document."""
    return re.findall(r"(?:^ {4}.*\n)+", document, re.MULTILINE)


def test_no_block_of_the_readme_is_left_out() -> None:
    """The tests below run each block, except commands of `make`, which test_docs.py checks."""
    blocks = blocks_of(README)
    begin = [found.split()[0].partition("=")[0] for found in blocks]
    assert begin == ["make", "python3", "API", "echo", "make"]
    assert all(line.split()[0] == "make" for found in (blocks[0], blocks[4]) for line in found.splitlines())


def test_no_block_of_the_page_on_operation_is_left_out() -> None:
    """Its only block lists addresses of Redis, and Bastide accepts each of them."""
    [found] = blocks_of((ROOT / "docs" / "operation.md").read_text(encoding="utf-8"))
    addresses = [line.split()[0].replace("…", "x") for line in found.splitlines()]
    assert [RedisUrl.of(each).kind for each in addresses] == ["server", "cluster", "sentinel"]


@pytest.fixture(scope="module")
def served_readme(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    """`bastide serve`, on a free port."""
    started = ServiceProcess(tmp_path_factory.mktemp("served") / "data")
    yield started
    started.end()


def test_the_requests_of_the_readme_are_answered(served_readme: ServiceProcess, tmp_path: Path) -> None:
    """The five requests work in one script: the game, a ruling, a table, a move and the score in French.

    Any 4xx ends the script; no `jq` is needed. The control: it fails without the line that names table and key.
    """
    lines = block("The API", "API=")
    assert len([line for line in lines if "curl " in line]) == 5
    assert not [line for line in lines if "jq" in line]
    (tmp_path / ".curlrc").write_text("fail\nsilent\nshow-error\nmax-time = 60\n")
    there = [line.replace(PRINTED_ADDRESS, f"http://localhost:{served_readme.port}") for line in lines]
    done = shell("\n".join(there), tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    for said in ('"ruling":"illegal"', '"version":2', "Noir"):
        assert said in done.stdout
    without = shell("\n".join(line for line in there if not line.startswith("ID=")), tmp_path)
    assert without.returncode != 0
    assert re.search("40[14]", without.stderr)


def test_the_commands_of_the_readme_run(served_readme: ServiceProcess, tmp_path: Path) -> None:
    """Each command on files runs as printed, in order; the last command serves, which the next test checks."""
    *on_files, serve = block("The command", "echo")
    asked = {"moves": ["r b9c9"], "move": "h c4", "case_file": True}
    status, answer = served_readme.ask("POST", "/api/v1/games/villefranche/rulings", asked)
    (tmp_path / "case.json").write_text(json.dumps(answer["case_file"]))
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    assert (status, serve) == (200, "bastide serve")
    assert [line.split()[1] for line in on_files if line.startswith("bastide")] == ["rule", "score", "rule", "score"]
    for line in on_files:
        done = shell(line, tmp_path)
        assert (done.returncode, done.stderr) == (int(line in NOT_LEGAL), ""), line


def answers(port: int) -> bool:
    """Whether a service is ready."""
    with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/readyz", timeout=LONGEST) as answer:
        return bool(answer.status == 200)
    return False


def test_a_wheel_is_all_that_another_folder_needs(tmp_path: Path) -> None:
    """Installed by the printed lines, Bastide serves in an empty folder, and writes nothing there.

    Here pip asks no index: the requirements are those installed beside the tests.
    """
    build(ROOT, tmp_path)
    make, install, serve = block("Start", "python3")
    offline = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = shell(f"{make}\n{install}", tmp_path, **offline)
    assert done.returncode == 0, done.stderr
    [packages] = (tmp_path / "bastide").glob("lib/python*/site-packages")
    (packages / "beside.pth").write_text(sysconfig.get_path("purelib"))
    [port], log = free_ports(1), tmp_path / "log"
    empty = tmp_path / "empty"
    empty.mkdir()
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("BASTIDE_", "REDIS_"))}
    environment |= {"PORT": str(port), "HOME": str(tmp_path / "home"), "XDG_DATA_HOME": str(tmp_path / "home")}
    with log.open("wb") as said:
        command = ["sh", "-c", f"exec ../{serve}"]
        process = subprocess.Popen(command, cwd=empty, env=environment, stdout=said, stderr=said)
    until(lambda: answers(port) or process.poll() is not None)
    try:
        assert process.poll() is None, log.read_text()
        where = "import service; print(service.__file__)"
        found = shell(f"bastide/bin/python -P -c '{where}'", tmp_path)
        assert found.stdout.startswith(str(packages))
        assert not list(empty.iterdir())
    finally:
        process.terminate()
        process.wait(60)
