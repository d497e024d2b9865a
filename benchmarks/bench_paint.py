"""The time until a tap is painted on a late board: in a browser at a quarter of its speed, and over a slow net.

Times are those of this machine, from the tap to the end of the frame that shows the response, so run nothing else
meanwhile. Layout shifts are counted also where the browser excuses them because of the tap.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from statistics import median
from typing import Final
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.bench_pages import MOVES_LEFT
from benchmarks.games import RecordedGame, records_for
from benchmarks.measure import report
from service.storage.ledger import Ledger
from tests.support.redis_server import RedisServer
from tests.support.tables import recorded_table

PHONES: Final = ((390, 844), (844, 390))
SLOWER: Final = 4
"""The factor that slows down the browser's own work."""
NET: Final = {"offline": False, "latency": 300, "downloadThroughput": 200_000, "uploadThroughput": 200_000}
"""A round trip of 300 ms, 1.6 Mbit/s in each direction."""
PAINT, FAR = 150, 500
"""Milliseconds: for the browser's work, and over that net."""
ON_LOAD, ON_TAP = 0.0, 0.02
"""Layout shifts."""
CELLS, ROUNDS = 6, 5
PATIENCE: Final = 120_000
"""The timeout for anything, in milliseconds."""
FLAGS: Final = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
WATCH: Final = """() => {
    window.painted = [];
    window.shifts = [];
    window.moved = new Set();
    let tapped = 0;
    addEventListener("click", (event) => { tapped = event.timeStamp; }, true);
    document.addEventListener("htmx:afterSettle", () => requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => { if (tapped) window.painted.push(performance.now() - tapped); tapped = 0; };
        channel.port2.postMessage(0);
    }));
    new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries()) {
            window.shifts.push(value);
            for (const { node } of sources) window.moved.add(node?.id || node?.parentElement?.id || node?.nodeName);
        }
    }).observe({ type: "layout-shift", buffered: true });
}"""
WAIT_FOR_PAINT: Final = """before => new Promise((done) => {
    const look = () => {
        if (painted.length > before) done(painted.at(-1));
        else if (performance.now() > late) done(60000);
        else setTimeout(look, 100);
    };
    const late = performance.now() + 20000;
    look();
})"""
VISIBLE_CELLS: Final = """() => [...document.querySelectorAll("#squares a.cell")].map((cell) => {
    const { left, top, width, height } = cell.getBoundingClientRect();
    return [cell, left + width / 2, top + height / 2];
}).filter(([cell, x, y]) => document.elementFromPoint(x, y)?.closest("a.cell") === cell).map(([, x, y]) => [x, y])"""


@contextmanager
def server() -> Iterator[tuple[str, Ledger]]:
    """Gunicorn as shipped, on a free port, and its ledger."""
    redis = RedisServer.durable().start()
    ledger = Ledger(redis.url)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        port = listener.getsockname()[1]
        command = [sys.executable, "-P", "-m", "gunicorn", "--config", "python:service.gunicorn_conf"]
        command += ["--bind", f"fd://{listener.fileno()}", "service.app:create_app()"]
        settings = {"REDIS_URL": redis.url, "BASTIDE_HOSTS": "127.0.0.1", "BASTIDE_LIMITS": "off", "PORT": str(port)}
        process = subprocess.Popen(
            command, env=os.environ | settings, pass_fds=[listener.fileno()], stderr=subprocess.DEVNULL
        )
        try:
            url = f"http://127.0.0.1:{port}"
            urlopen(url, timeout=PATIENCE / 1000).close()  # a response means that it has started
            yield url, ledger
        finally:
            process.terminate()
            process.wait(30)
            ledger.close()
            redis.close()


def open_table(page: Page, path: str) -> None:
    """Load the page of a table, and wait until its scripts are done."""
    page.goto(path)
    page.wait_for_selector("#outbox", state="attached")
    page.wait_for_timeout(1000)
    page.evaluate(WATCH)
    page.wait_for_timeout(500)


def time_tap(page: Page, tap: Callable[[], None]) -> float:
    """The milliseconds until the response to a tap is painted."""
    before = page.evaluate("painted.length")
    tap()
    found: float = page.evaluate(WAIT_FOR_PAINT, before)
    page.wait_for_timeout(200)  # later work of the page belongs to this tap, not to the next one
    return found


def cells(page: Page) -> list[tuple[float, float]]:
    """Places of cells to tap, all over the board."""
    seen: list[tuple[float, float]] = page.evaluate(VISIBLE_CELLS)
    return seen[:: max(1, len(seen) // CELLS)][:CELLS]


def of_cells(page: Page) -> list[float]:
    """Tap on cells, one after the other; the panel of one may have moved the page under the next."""
    found = []
    for x, y in cells(page):
        page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        found.append(time_tap(page, partial(page.mouse.click, x, y)))
    return found


def of_undo(page: Page) -> list[float]:
    """Undo and redo, a few times."""
    return [time_tap(page, partial(page.click, f"#{name}")) for _ in range(ROUNDS) for name in ("undo", "redo")]


def of_shifts(page: Page, name: str, times: int, goal: float) -> None:
    """Print the mean layout shift, and the elements that moved, and reset both."""
    shifts, moved = page.evaluate("[shifts.splice(0), [...moved].map(String)]")
    page.evaluate("moved.clear()")
    print_figures(name, [sum(shifts) / times], goal, "shift")
    if moved:
        print(f"  shifted: {', '.join(sorted(moved))}")


def print_figures(name: str, figures: Sequence[float], goal: float, unit: str = "ms") -> None:
    """Report the median of some figures."""
    report(f"{len(figures)} times; the largest {max(figures):.4g}.", name, median(figures), goal, unit)


def of_one(browser: Browser, url: str, ledger: Ledger, game_id: str, name: str) -> None:
    """Print the figures of a game."""
    number = len(RecordedGame.of(game_id, name).moves) - MOVES_LEFT
    label = game_id.replace("_", "-")
    for wide, high in PHONES:
        table = recorded_table(ledger, f"{game_id}/{name}", number)
        context = browser.new_context(viewport={"width": wide, "height": high}, has_touch=True, service_workers="block")
        path = f"{url}/t/{table.table.id}"
        context.set_default_timeout(PATIENCE)
        context.add_cookies([{"name": "keys", "value": f"host.{table.keys.host}", "url": path}])
        page = context.new_page()
        held = context.new_cdp_session(page)
        held.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        open_table(page, path)
        at = f"{label}-{wide}x{high}"
        of_shifts(page, f"{at}-load-shift", 1, ON_LOAD)
        found = of_cells(page)
        print_figures(f"{at}-tap-ms", found, PAINT)
        of_shifts(page, f"{at}-tap-shift", len(found), ON_TAP)
        open_table(page, path)
        print_figures(f"{at}-undo-ms", of_undo(page), PAINT)
        held.send("Network.enable")
        held.send("Network.emulateNetworkConditions", NET)
        print_figures(f"{at}-far-tap-ms", of_cells(page), FAR)
        context.close()


def main() -> None:
    """Print the figures of each game, if there is a browser."""
    program = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        print("paint: skipped, for there is no Chromium")
        return
    print("Milliseconds to paint a tap, and layout shifts, on late boards: a browser at a quarter of its speed.")
    with server() as (url, ledger), sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=FLAGS)
        for game_id, name in records_for("pages").items():
            of_one(browser, url, ledger, game_id, name)
        with suppress(Exception):
            browser.close()


if __name__ == "__main__":
    main()
