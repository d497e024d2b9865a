"""The contract tried by chance: whatever is sent, the answer is one that it describes, and never a fault of ours."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
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

from tests.api import V1, Api

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
"""All but that valid data are accepted: a move of the right form may still be refused by the rules."""
OPERATIONS = {operation["operationId"]: (method, path) for method, path, operation in Api.contract.operations()}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_whatever_is_sent(operation: str, api: Api) -> None:
    """Each operation, with data that fit the contract and data that do not, at a table that there is."""
    schema = schemathesis.openapi.from_wsgi(f"{V1}/openapi.yaml", api.app)
    method, path = OPERATIONS[operation]
    made = schema[path][method]
    cases = st.one_of([made.as_strategy(generation_mode=mode) for mode in GenerationMode])
    tables = [api.open()]

    @settings(
        max_examples=25, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None
    )
    @given(case=cases)
    def send(case: Any) -> None:
        headers = {}
        if "{id}" in path:
            case.path_parameters["id"] = tables[-1].id
            headers["Authorization"] = f"Bearer {tables[-1].host}"
        response = case.call(headers=headers)
        if response.status_code == 400 and response.json()["type"] == "/problems/bad-request":
            return  # not well-formed HTTP: the server before us says so
        case.validate_response(response, checks=CHECKS, headers=headers)
        if response.status_code == 204:
            tables.append(api.open())

    send()
