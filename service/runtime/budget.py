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
"""Steps of all questions of a batch, each of which has those of a request."""
QUESTION_STEPS: Final = 1_200
"""Steps to read a question of a batch and to write its answer, beside its ruling."""
IMPORT_STEPS: Final = 10 * BUDGET
"""Steps to read an export and to make its table, in slices between which others have their turn."""
BYTES: Final = 20
"""So many bytes of a body are read in a step."""
READ_STEPS: Final = 4
"""Steps to read a move's notation, …"""
READ_OBJECT_STEPS: Final = 10
"""… and an object with its members."""
APPLY_STEPS: Final = 4
"""Steps to play a move that was judged."""
FOLD_STEPS: Final = 20
"""Steps to read an entry of a log and make the table after it, or its state again, and see whose turn it is then."""
ENTRY_STEPS: Final = 6
"""Steps to make an entry of a log."""
EFFECTS_STEPS: Final = 60
"""Steps to work out and write what the move of an entry brought about."""
SCORE_STEPS: Final = 40
"""Steps to count the points after an entry of a log, and to see which readings mattered to it."""
COMPARE_STEPS: Final = 240
"""Steps to compare two tables and write what is other."""
CASE_STEPS: Final = 400
"""Steps to set up a worked case and write it."""
OUTPUT_BYTES: Final = 30
"""So many bytes of a page or a picture are written in a step. It is charged, and never refused: the page is there."""
PIXELS_A_STEP: Final = 50
"""So many pixels of a PNG are drawn in a step."""
LISTED_MOVE_STEPS: Final = READ_STEPS + 1 + APPLY_STEPS
"""Steps that a move of a list takes at least: it is read, one rule is heard, and it is played, …"""
LOGGED_MOVE_STEPS: Final = LISTED_MOVE_STEPS + ENTRY_STEPS
"""… and where it is an entry of a log."""
EFFORT: Final = "bastide.effort"
"""Where the environment of a request has what was spent, …"""
PART: Final = "bastide.part"
"""… and what gives each part of its answer a budget, where it is made while it is sent."""


def rest() -> None:
    """Give the other requests of this process their turn: a long ruling must not delay the phones."""
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
