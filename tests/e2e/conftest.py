"""A real server on a real Redis, and phones: windows of a real browser that collect their pages' errors."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Dialog,
    Page,
    Playwright,
    Request,
    ViewportSize,
    expect,
    sync_playwright,
)

from rules import GAMES
from service import schemas
from service.app import create_app
from service.config import Settings
from service.groups.groups import Groups
from service.judgements import AttemptedMove
from service.referee.use_cases import NewTable, Referee
from service.storage.ledger import Ledger
from tests.e2e.text_browser import TextBrowser
from tests.support.redis_server import LONGEST, RedisServer

GAME = GAMES["villefranche"]
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    # A local name without https, which the browser does not take for this machine.
    "--host-resolver-rules=MAP table.test 127.0.0.1",
)
HIGH = 844
USUAL: Final[ViewportSize] = {"width": 390, "height": 844}
SHORT: Final[ViewportSize] = {"width": 320, "height": 568}
ON_ITS_SIDE: Final[ViewportSize] = {"width": 844, "height": 390}
SCREENS: Final = [
    pytest.param(USUAL, "fr", id="usual fr"),
    pytest.param(SHORT, "fr", id="short fr"),
    pytest.param(ON_ITS_SIDE, "en", id="on its side en"),
]
"""Each supported screen size in one language: upright, where room is scarce, in the longer one, French."""
PATIENCE = 30_000
"""Timeout in milliseconds. No test asserts a time: other tests run on the same cores."""
expect.set_options(timeout=PATIENCE)
NO_WORKER = "Service Worker registration blocked by Playwright"
"""The driver's message on phones without a service worker, which is slow: only tests about it allow one."""
AWAY = ("Failed to load resource", "htmx:sendError", "htmx:afterRequest")
"""Messages of the browser and htmx without a connection."""
ABORT_MESSAGES = ("htmx:sendAbort", "htmx:afterRequest")
"""Messages of htmx when a tap replaces a request for news, which is no error."""


@dataclass(frozen=True)
class Server:
    """A running server: its address, and use cases on the same store, which set up tables and groups quickly."""

    url: str
    referee: Referee
    groups: Groups

    def table(self, *moves: str, stood: tuple[str, ...] = (), names: tuple[str, str] = ("Anne", "Bruno")) -> NewTable:
        """A table at which these moves were played, those in `stood` by common consent."""
        players = [{"colour": colour, "name": name} for colour, name in zip(("black", "white"), names, strict=True)]
        setup = schemas.load(schemas.of(GAME).setup, {"players": players})
        return self.referee.open(GAME.id, setup, [AttemptedMove(GAME.read(move), move in stood) for move in moves])


@dataclass
class Phone:
    """A browser window, with its pages' messages; `expected_complaints` are those that a test provokes."""

    page: Page
    context: BrowserContext
    url: str
    complaints: list[str] = field(default_factory=list)
    expected_complaints: tuple[str, ...] = ()

    def dismiss(self, dialog: Dialog) -> None:
        """Note a dialog: our pages open none, so an injected script did."""
        self.complaints.append(dialog.message)
        dialog.dismiss()

    def open(self, path: str = "/") -> Page:
        """Go to an address."""
        self.page.goto(self.url + path)
        return self.page

    def sit(self, table: NewTable, path: str = "", role: str = "host") -> Page:
        """Sit at a table, with the keys that its page would have given.

        The cookie's path is the table's, as the service sets it: a page still open at another table may request news
        before this one loads, and needs that table's keys.
        """
        keys = {"host": table.keys.host, **table.keys.seats, "watch": table.keys.watch}
        held = ":".join(f"{name}.{keys[name]}" for name in ((role,) if role != "host" else keys))
        address = f"/t/{table.table.id}"
        host = urlsplit(self.url).hostname
        self.context.add_cookies([{"name": "keys", "value": held, "domain": host, "path": address}])
        return self.open(address + path)

    def cell(self, name: str) -> Any:
        """A cell of the board."""
        return self.page.locator(f"#c-{name}")


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Gunicorn as shipped, on a free port of this machine, already answering."""
    redis = RedisServer.durable().start()
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        port = listener.getsockname()[1]
        command = [sys.executable, "-P", "-m", "gunicorn", "--config", "python:service.gunicorn_conf"]
        command += ["--bind", f"fd://{listener.fileno()}", "service.app:create_app()"]
        environment = os.environ | {"REDIS_URL": redis.url, "BASTIDE_HOSTS": "127.0.0.1,table.test", "PORT": str(port)}
        environment["BASTIDE_LIMITS"] = "off"
        process = subprocess.Popen(command, env=environment, pass_fds=[listener.fileno()], stderr=subprocess.DEVNULL)
        url = f"http://127.0.0.1:{port}"
        with urlopen(f"{url}/readyz", timeout=LONGEST) as answer:  # noqa: S310 - our own
            assert answer.status == 200
        ledger = Ledger(redis.url)
        yield Server(url, Referee(ledger), Groups(ledger, lifetime=Settings.of({}).group_ttl))
        ledger.close()
        process.send_signal(signal.SIGINT)  # at once: no phone is left to wait for
        process.wait(30)
    redis.close()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """The driver of the browser."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """The machine's own Chromium."""
    path = subprocess.check_output([Path(__file__).parents[2] / "scripts/browser"], text=True).strip()
    browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def looks() -> set[int]:
    """The looks with a checked contrast, light and dark: see `tests.support.accessibility.find_faults`."""
    return set()


@pytest.fixture
def phone(server: Server, browser: Browser) -> Iterator[Callable[..., Phone]]:
    """Makes phones: `wide` in pixels, `scheme` light or dark, `language`, with a script or without.

    After the test, their pages must have logged no error and no breach of the content security policy.
    """
    phones: list[Phone] = []

    def make(wide: int = 390, scheme: Any = "light", language: str = "en", script: bool = True, **more: Any) -> Phone:
        context = browser.new_context(
            viewport={"width": wide, "height": more.pop("high", HIGH)},
            color_scheme=scheme,
            locale=language,
            java_script_enabled=script,
            reduced_motion="reduce",
            service_workers=more.pop("service_workers", "block"),
            **more,
        )
        context.set_default_timeout(PATIENCE)
        made = Phone(context.new_page(), context, server.url)
        made.page.on("console", lambda message: made.complaints.append(message.text))
        made.page.on("pageerror", lambda error: made.complaints.append(str(error)))
        made.page.on("dialog", made.dismiss)
        phones.append(made)
        return made

    yield make
    for made in phones:
        made.context.close()
        unexpected = [
            text
            for text in made.complaints
            if not any(part in text for part in (*made.expected_complaints, *ABORT_MESSAGES, NO_WORKER))
        ]
        assert not unexpected, unexpected


@pytest.fixture
def text_browser(ledger: Ledger) -> TextBrowser:
    """A browser without scripts, at its own application."""
    referee = Referee(ledger)
    app = create_app(Settings.of({"REDIS_URL": "unix:///nowhere", "BASTIDE_LIMITS": "off"}), referee)
    app.testing = True
    return TextBrowser(app.test_client(), referee)


def is_poll(request: Request) -> bool:
    """Whether a request asks for news."""
    return "since=" in request.url
