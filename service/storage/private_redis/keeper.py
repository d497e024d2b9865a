"""Watches the private Redis while a service runs: ``python -m service.storage.private_redis.keeper FOLDER``.

The keeper is a process of its own, so that a killed service leaves no Redis behind. When the service ends, the keeper's
standard input ends; then the keeper ends Redis, unless another service uses it. The first line that it prints is empty
once Redis answers; otherwise it names the cause.
"""

from __future__ import annotations

import os
import select
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from service.config import Settings
from service.startup import NoServer
from service.storage.private_redis.supervisor import PrivateRedis

POLL_SECONDS: Final = 0.1
"""Seconds between two checks that Redis is alive."""


def main(folder: str) -> int:
    """Watch the Redis of a data folder. Returns the exit status."""
    private = PrivateRedis(Path(folder), Settings.of().memory)
    try:
        private.start()
    except NoServer as error:
        _tell(str(error))
        return 1
    _tell("")
    while not _has_service_ended(POLL_SECONDS):
        try:
            if private.restart_if_dead():
                print("The private Redis had ended; it runs again.", file=sys.stderr, flush=True)
        except NoServer as error:
            print(error, file=sys.stderr, flush=True)
    private.stop()
    return 0


def _tell(line: str) -> None:
    """Tell the starter, if it is still there to read it."""
    with suppress(BrokenPipeError):
        os.write(sys.stdout.fileno(), f"{line}\n".encode())


def _has_service_ended(seconds: float) -> bool:
    """Whether the service has ended, or ends within these seconds."""
    readable, _, _ = select.select([sys.stdin], [], [], seconds)
    return bool(readable)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
