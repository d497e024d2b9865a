"""The command `make sbom` lists what runs, and `make audit` finds a known weakness."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parents[1]
BIN: Final = Path(sys.executable).parent
LOCKED: Final = f"flask==3.1.0 --hash=sha256:{'0' * 64}\nsegno==1.6.6 --hash=sha256:{'0' * 64}\n"


def test_the_bill_of_materials_names_every_locked_requirement(tmp_path: Path) -> None:
    """The bill of materials lists the name, version and hashes of each locked requirement. It contains no time and no
    local path.
    """
    bill = tmp_path / "sbom.json"
    command = ["make", "--old-file=.venv/test.stamp", "sbom", f"BIN={BIN}", f"SBOM={bill}"]
    # The command itself validates the CycloneDX format; that takes seconds.
    done = subprocess.run([*command, "SBOM_OPTIONS=--no-validate"], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    text = bill.read_text(encoding="utf-8")
    assert str(ROOT) not in text
    listed: dict[str, Any] = json.loads(text)
    assert "timestamp" not in listed["metadata"]
    assert listed["bomFormat"] == "CycloneDX"
    assert listed["metadata"]["component"]["name"] == "bastide"
    locked = re.findall(r"^([a-z0-9-]+)==(\S+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    assert len(locked) > 20
    assert sorted((each["name"], each["version"]) for each in listed["components"]) == sorted(locked)
    for each in listed["components"]:
        assert each["purl"] == f"pkg:pypi/{each['name']}@{each['version']}"
        assert any(reference.get("hashes") for reference in each["externalReferences"]), each["name"]


class Database(BaseHTTPRequestHandler):
    """A database that knows a weakness of Flask, in the format of OSV."""

    def do_POST(self) -> None:
        """Answer a query."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        known = {"id": "GHSA-0000", "summary": "A weakness.", "affected": []}
        answer = json.dumps({"vulns": [known]} if asked["package"]["name"] == "flask" else {}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture
def database() -> Iterator[str]:
    """The address of such a database."""
    with HTTPServer(("127.0.0.1", 0), Database) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def audit(lock: Path, url: str) -> tuple[int, str]:
    command = [str(ROOT / "scripts" / "audit"), str(lock), "--osv-url", url]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={"BIN": str(BIN), "PATH": "/bin:/usr/bin"}
    )
    return done.returncode, done.stdout + done.stderr


def test_a_known_weakness_is_found(tmp_path: Path, database: str) -> None:
    """The audit fails if the database knows a weakness of a requirement, and names that requirement."""
    lock = tmp_path / "lock"
    lock.write_text(LOCKED)
    status, said = audit(lock, database)
    assert status == 1
    assert re.findall(r"^(\S+) .*GHSA-0000", said, re.MULTILINE) == ["flask"]


def test_an_audit_that_asked_nobody_is_none(tmp_path: Path) -> None:
    """If no database answers, the audit fails, and says that nothing was audited."""
    lock = tmp_path / "lock"
    lock.write_text(LOCKED)
    status, said = audit(lock, "http://127.0.0.1:9/")
    assert status == 2
    assert "was not audited" in said
