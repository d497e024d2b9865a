"""Requests made by schemathesis, and its checks of responses. Importing it takes seconds, so the tests do so late."""

from __future__ import annotations

from typing import Any

import schemathesis
from flask import Flask
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.support.api import V1

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
"""All checks, except that valid data are accepted: the rules may still refuse a well-formed move."""


def contract_of(app: Flask) -> Any:
    """The contract that an application serves."""
    return schemathesis.openapi.from_wsgi(f"{V1}/openapi.yaml", app)


def requests(operation: Any) -> list[st.SearchStrategy[Any]]:
    """Requests with data that fit the contract, and with data that do not."""
    return [operation.as_strategy(generation_mode=mode) for mode in GenerationMode]


def hold(case: Any, response: Any, headers: dict[str, str]) -> None:
    """Fail unless a response is one that the contract describes, and bad data are refused."""
    # What is too large is refused before it is read: schemathesis does not count that as a rejection of bad data. Nor
    # are bad data sent where they are in a header that is replaced, or a header without a value, which is left out. An
    # empty id of the last event means that there was none (HTML, server-sent events).
    sent = dict(case.headers or {})
    is_replaced = bool({*map(str.lower, sent)} & {*map(str.lower, headers)})
    is_left_out = None in sent.values() or not sent.get("Last-Event-ID", "none")
    unread = [negative_data_rejection] if response.status_code == 413 or is_replaced or is_left_out else []
    # A stream is described as the text that it is: schemathesis takes that for the shape of each of its events.
    is_stream = any(value.startswith("text/event-stream") for value in response.headers.get("content-type", ()))
    excluded = [*unread, *([response_schema_conformance] if is_stream else [])]
    case.validate_response(response, checks=CHECKS, excluded_checks=excluded, headers=headers)
