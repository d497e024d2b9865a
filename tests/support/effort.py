"""The work that a request makes."""

from __future__ import annotations

from werkzeug.test import TestResponse

from rules.steps import Effort
from tests.support.worst import (
    Client,
    PreparedRequest,
    calls,
)


def measure(client: Client, asked: PreparedRequest) -> tuple[TestResponse, Effort, int]:
    """The answer to a request, the steps that were counted, and the calls that were made."""
    answers = []
    with client.efforts() as efforts:
        work = calls(lambda: answers.append(client.send(asked)))
    return answers[0], efforts[0], work
