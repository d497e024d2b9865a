"""Logs faults of the service: the place in the code, and nothing that a client sent.

The message of an exception may quote a request, and so may the lines of a traceback; so neither is logged. Whoever has
stored a request can recognize it by the hash.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from traceback import FrameSummary, extract_stack, extract_tb
from types import FrameType
from typing import Final

from rules.steps import TooMuch
from service.tables.entries import BrokenLog, Unreadable

FRAMES: Final = 25
HERE: Final = Path(__file__).parents[2]
_log: Final = logging.getLogger(__name__)


def report(error: BaseException, doing: str, game: str | None, payload: bytes) -> None:
    """Log a fault: the action (`doing`), the game's id, the payload's hash, and the lines of code."""
    digest = hashlib.sha256(payload).hexdigest()
    _log.error("fault in %s: game %s, payload sha256 %s: %s", doing, game or "-", digest, places(error))


def places(error: BaseException) -> str:
    """The lines of code of an exception and of its causes, without their messages."""
    return " from ".join(_traces(error))


def stack(frame: FrameType) -> str:
    """The lines of code that run now, the innermost last, `FRAMES` at most."""
    return _lines(extract_stack(frame)[-FRAMES:])


def _traces(error: BaseException | None) -> Iterator[str]:
    """An exception and its causes, each with its lines of code, the innermost last."""
    while error is not None:
        yield f"{type(error).__name__} at {_lines(extract_tb(error.__traceback__))}"
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _lines(frames: Sequence[FrameSummary]) -> str:
    return " > ".join(f"{_path(each.filename)}:{each.lineno} {each.name}" for each in frames)


def _path(name: str) -> str:
    """The path of a file within the project, or its name."""
    path = Path(name)
    return str(path.relative_to(HERE)) if path.is_relative_to(HERE) else path.name


@contextmanager
def guard_replay(game: str | None, number: int, entry: Callable[[], bytes]) -> Iterator[None]:
    """A context to replay a stored entry; `entry` returns its stored form. Logs an error, and raises `BrokenLog`.

    An entry of another release still raises `Unreadable`.
    """
    try:
        yield
    except (BrokenLog, TooMuch, Unreadable):
        raise
    except Exception as error:
        report(error, f"replaying entry {number}", game, entry())
        raise BrokenLog(f"entry {number} cannot be replayed") from error
