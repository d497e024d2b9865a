"""The readable contract, five times a second from one address: each worker makes it once, then only sends it.

The control makes it for each request, without a pause, as a service without a cache would.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Final

from tests.attack.arena import Arena, Request, Row, Target, statuses

OFTEN: Final = 5
"""Requests a second."""
SECONDS: Final = 15
REQUESTS: Final = tuple(
    Request("GET", "/api/v1/docs", None, {"Accept-Language": language, "Accept-Encoding": coding})
    for language, coding in product(("en", "fr"), ("identity", "gzip", "br"))
)
MOST: Final = 0.3
"""The share of a core that it may take, including the first page of each kind."""
HARM: Final = 5
"""Without a cache it takes at least so many times as much of a core: a ratio, for machines of any speed."""
ANEW: Final = """
from rules.steps import at_most
from service.runtime.first_use import Once


def made_anew(self, *key, **named):
    with at_most(None, lambda: None):
        return self._make(*key, **named)


Once.__call__ = made_anew
"""


def ask_for_pages(target: Target) -> tuple[float, bool, str]:
    """The share of a core that the pages took, whether all came while ``/livez`` answered, and both in words."""
    before = target.cpu()
    with target.pulse() as pulse:
        answers = target.flood(REQUESTS, OFTEN, SECONDS)
    share = (target.cpu() - before) / SECONDS
    came = all(answer.status == 200 for answer in answers)
    return share, came and pulse.holds, f"{statuses(answers)}; {share:.2f} of a core; {pulse}"


def attack(arena: Arena) -> Iterator[Row]:
    """Ask for the page in both languages, compressed and not."""
    with arena.serve() as target:
        share, there, told = ask_for_pages(target)
        yield Row("five readable contracts a second take little, and /livez answers", told, there and share <= MOST)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "sitecustomize.py").write_text(ANEW)
        with arena.serve(PYTHONPATH=folder) as target:
            anew, _, told = ask_for_pages(target)
            yield Row("made anew for each request they take 5 times as much", told, anew >= HARM * share, control=True)
