"""Asks ``/livez`` ten times a second until the input ends, then writes the seconds of each answer as JSON."""

from __future__ import annotations

import json
import sys
import threading
import time
from http.client import HTTPConnection, HTTPException
from typing import Final

EVERY: Final = 0.1
PATIENCE: Final = 60.0


def ask(port: int, found: list[float]) -> None:
    """Ask once; a failure counts as `PATIENCE` seconds."""
    began = time.monotonic()
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE, source_address=("127.0.0.9", 0))
    try:
        connection.request("GET", "/livez")
        answered = connection.getresponse().status == 200
    except (OSError, HTTPException):
        answered = False
    finally:
        connection.close()
    found.append(time.monotonic() - began if answered else PATIENCE)


def main(port: int) -> None:
    """Ask until the input ends."""
    found: list[float] = []
    threads: list[threading.Thread] = []
    ended = threading.Event()

    def wait_for_end() -> None:
        sys.stdin.read()
        ended.set()

    threading.Thread(target=wait_for_end, daemon=True).start()
    while not ended.wait(EVERY):
        threads.append(threading.Thread(target=ask, args=(port, found)))
        threads[-1].start()
    for thread in threads:
        thread.join()
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(int(sys.argv[1]))
