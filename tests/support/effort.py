"""The work of a request."""

from __future__ import annotations

from werkzeug.test import TestResponse

from rules.steps import Effort
from tests.support.worst import (
    Client,
    PreparedRequest,
    calls,
)


def measure(client: Client, asked: PreparedRequest) -> tuple[TestResponse, Effort, int]:
    """The answer to a request, its steps, and its function calls."""
    answers = []
    with client.efforts() as efforts:
        work = calls(lambda: answers.append(client.send(asked)))
    return answers[0], efforts[0], work
