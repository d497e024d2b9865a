"""The budget of a request: the steps of work after which the service rejects it and suggests a smaller one.

The rules count the steps of what they judge and list (`rules.steps`); this module counts the steps of the service's own
work.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Final

from rules.steps import at_most

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

BUDGET: Final = 27_000
"""Steps of a request: less than 200 ms of CPU. No recorded game takes a fifth of it, opened with all of its moves."""
BATCH_STEPS: Final = 10 * BUDGET
"""Steps of a whole batch; each of its questions may take `BUDGET`."""
QUESTION_STEPS: Final = 1_200
"""Steps to parse a question of a batch and serialize its answer, without its ruling."""
IMPORT_STEPS: Final = 10 * BUDGET
"""Steps to import an export, in slices between which the worker yields to other requests."""
BYTES: Final = 20
"""Bytes of a body that are read in a step."""
READ_STEPS: Final = 4
"""Steps to read a move's notation, …"""
READ_OBJECT_STEPS: Final = 10
"""… and an object with its members."""
APPLY_STEPS: Final = 4
"""Steps to apply a judged move."""
FOLD_STEPS: Final = 20
"""Steps to decode a log's entry, compute the table or the state after it, and find whose turn it is then."""
ENTRY_STEPS: Final = 6
"""Steps to create an entry of a log."""
EFFECTS_STEPS: Final = 60
"""Steps to compute and serialize the effects of an entry's move."""
SCORE_STEPS: Final = 40
"""Steps to count the points after a log's entry, and to find the readings that mattered to it."""
COMPARE_STEPS: Final = 240
"""Steps to compare two tables and serialize the differences."""
CASE_STEPS: Final = 400
"""Steps to set up and serialize a worked case."""
OUTPUT_BYTES: Final = 30
"""Bytes of a page or a picture per step. Output is charged but never refused: it is already rendered."""
PIXELS_A_STEP: Final = 50
"""Pixels of a PNG that are drawn in a step."""
LISTED_MOVE_STEPS: Final = READ_STEPS + 1 + APPLY_STEPS
"""The least steps of a move in a list: parse it, check one rule, and apply it, …"""
LOGGED_MOVE_STEPS: Final = LISTED_MOVE_STEPS + ENTRY_STEPS
"""… and create its entry in a log."""
EFFORT: Final = "bastide.effort"
"""The key in a request's environment for the spent steps, …"""
PART: Final = "bastide.part"
"""… and for the context manager that gives each part of a streamed response a budget."""


def rest() -> None:
    """Yield to the other requests of this process: a long ruling must not delay the phones."""
    time.sleep(0)


class BudgetMiddleware:
    """Gives every request its budget, whatever it asks for. `pace` surrounds the work of a request."""

    def __init__(
        self, application: WSGIApplication, pace: Callable[[WSGIEnvironment], AbstractContextManager[None]]
    ) -> None:
        self.application = application
        self.pace = pace

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        environ[PART] = self.budget
        with self.budget(environ):
            return self.application(environ, start_response)

    @contextmanager
    def budget(self, environ: WSGIEnvironment) -> Iterator[None]:
        """A context for the work of a request, or of a part of its answer."""
        with at_most(BUDGET, rest) as environ[EFFORT], self.pace(environ):
            yield
