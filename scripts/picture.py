"""Draws `docs/table.png`: a phone at a table that shows the verdict on a move (`make picture`).

It plays a recorded game on a server of its own, up to a question about a forbidden move, and takes a picture of the
page as on a phone. Reads CHROMIUM (the path of a browser); needs no other service.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import ViewportSize, sync_playwright

from tests.support.records import record_of

ROOT: Final = Path(__file__).parents[1]
PICTURE: Final = ROOT / "docs" / "table.png"
GAME: Final = "villefranche/five_buildings"
PLAYED: Final = 24
"""Moves of the game that have been played …"""
QUESTION: Final = "h c8"
"""… when a player asks about this one."""
SIZE: Final = ViewportSize(width=390, height=780)
DENSITY: Final = 1.5
FLAGS: Final = ["--headless", "--no-sandbox", "--disable-gpu"]


@contextmanager
def server() -> Iterator[str]:
    """Run Bastide on a free port, with temporary data; yields its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with TemporaryDirectory() as data:
        settings = {"PORT": str(port), "BASTIDE_DATA": data, "BASTIDE_HOSTS": "127.0.0.1", "REDIS_URL": ""}
        command = [sys.executable, "-m", "service.cli", "serve"]
        environment, quiet = os.environ | settings, subprocess.DEVNULL
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=quiet, text=True)
        try:
            if not any("Bastide is at" in line for line in process.stdout or ()):
                raise SystemExit("The server ended before it could be reached.")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


def table(url: str) -> tuple[str, str]:
    """Open a table with the played moves; returns its path, and the host's key."""
    game = record_of(GAME)
    body = json.dumps(game | {"moves": game["moves"][:PLAYED]}).encode()
    asked = urllib.request.Request(f"{url}/api/v1/tables", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked) as answer:
        opened = json.load(answer)
    return f"/t/{opened['id']}", opened["keys"]["host"]


def photograph(url: str, into: Path) -> None:
    """Take the picture of the table's page."""
    path, key = table(url)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=os.environ.get("CHROMIUM"), args=FLAGS)
        context = browser.new_context(viewport=SIZE, device_scale_factor=DENSITY, locale="en", color_scheme="light")
        context.add_cookies([{"name": "keys", "value": f"host.{key}", "url": url + path}])
        page = context.new_page()
        page.goto(f"{url}{path}?move={QUESTION.replace(' ', '+')}", wait_until="networkidle")
        page.screenshot(path=into)
        browser.close()


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    with server() as address:
        photograph(address, PICTURE)
    sys.stdout.write(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size // 1024} kB\n")
