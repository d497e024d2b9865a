"""Looks after the private Redis while a service runs: ``python -m service.tender FOLDER``.

It is a process of its own, so that a service which is killed leaves no Redis behind. The end of its standard input
says that the service has gone; then Redis ends too, unless another service uses it. The first line that it prints is
empty once Redis answers, and else says why it does not.
"""

from __future__ import annotations

import select
import sys
from pathlib import Path
from typing import Final

from service.startup import NoServer
from service.supervisor import PrivateRedis

TENDING: Final = 0.1
"""Seconds between two looks at whether Redis is alive."""


def main(folder: str) -> int:
    """Look after the Redis of a data folder; the exit status."""
    private = PrivateRedis(Path(folder))
    try:
        private.start()
    except NoServer as error:
        print(error, flush=True)
        return 1
    print(flush=True)
    while not _ended(TENDING):
        try:
            if private.tend():
                print("The private Redis had ended; it runs again.", file=sys.stderr, flush=True)
        except NoServer as error:
            print(error, file=sys.stderr, flush=True)
    private.stop()
    return 0


def _ended(seconds: float) -> bool:
    """Whether the service has gone, or goes within so many seconds."""
    readable, _, _ = select.select([sys.stdin], [], [], seconds)
    return bool(readable)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
