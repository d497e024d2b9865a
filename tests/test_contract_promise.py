"""A client of the contract that was promised last misses nothing in today's; the comparison finds each loss."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

import service
from rules.caches import thaw
from service.http import openapi
from tests.support.contract_changes import PROMISE, losses, without_texts

TODAY = without_texts(thaw(openapi.description()))
PLAY = "/api/v1/tables/{id}/moves"


def schemas(contract: Any) -> Any:
    """The shapes of a contract."""
    return contract["components"]["schemas"]


def test_the_contract_and_the_package_have_one_version() -> None:
    """The contract has the version of the package."""
    assert thaw(openapi.description())["info"]["version"] == service.__version__


def test_what_was_promised_is_there() -> None:
    """Today's contract loses nothing. `docs/api-policy.md` says what may end, and how to rewrite the copy then."""
    assert losses(json.loads(PROMISE.read_text(encoding="utf-8")), thaw(openapi.description())) == []


HARMS: dict[str, tuple[Callable[[Any], object], str]] = {
    "a path": (lambda after: after["paths"].pop(PLAY), f"POST {PLAY}: gone"),
    "a method": (lambda after: after["paths"][PLAY].pop("post"), f"POST {PLAY}: gone"),
    "a status": (lambda after: after["paths"][PLAY]["post"]["responses"].pop("201"), f"POST {PLAY} 201: gone"),
    "a media type": (
        lambda after: after["paths"]["/api/v1/openapi.yaml"]["get"]["responses"]["200"]["content"].clear(),
        "GET /api/v1/openapi.yaml 200: no application/yaml",
    ),
    "a parameter": (
        lambda after: after["components"]["parameters"]["IdempotencyKey"].update(required=True),
        f"POST {PLAY}: the parameter Idempotency-Key is required",
    ),
    "a member of an answer": (
        lambda after: schemas(after)["Finding"]["properties"].pop("facts"),
        "Finding: facts is gone",
    ),
    "a member that always came": (
        lambda after: schemas(after)["Finding"]["required"].remove("code"),
        "Finding: code is not always there",
    ),
    "a member that need not be sent": (
        lambda after: schemas(after)["AskMoves"].update(required=["stands"]),
        "AskMoves: stands is required",
    ),
    "a type": (
        lambda after: schemas(after)["Finding"]["properties"]["text"].update(type="integer"),
        "Finding/text: has another type",
    ),
    "a value that is not taken": (
        lambda after: schemas(after)["GivenRemedy"]["enum"].remove("adjust"),
        "GivenRemedy: takes fewer values",
    ),
    "a value that comes": (
        lambda after: schemas(after)["RulingWord"]["enum"].append("perhaps"),
        "RulingWord: has more values",
    ),
    "a game": (
        lambda after: schemas(after)["GivenPosition"]["anyOf"].pop(),
        "GivenPosition/anyOf: #/components/schemas/villefranche.given_position is gone",
    ),
}


@pytest.mark.parametrize("harm", HARMS)
def test_what_would_be_missed_is_found(harm: str) -> None:
    """Each change by itself is found as a loss."""
    after, (change, loss) = deepcopy(TODAY), HARMS[harm]
    change(after)
    assert loss in losses(TODAY, after)


def test_what_is_added_is_missed_by_nobody() -> None:
    """No loss: another path, parameter, member of an answer or a request, accepted value, and type of an entry."""
    after = deepcopy(TODAY)
    after["paths"]["/api/v1/more"] = after["paths"][PLAY]
    after["paths"][PLAY]["post"]["parameters"].append({"in": "query", "name": "more", "schema": {"type": "string"}})
    for name in ("Finding", "AskMoves"):
        schemas(after)[name]["properties"]["more"] = {"type": "string"}
    schemas(after)["Finding"]["required"].append("more")
    schemas(after)["GivenRemedy"]["enum"].append("wait")
    schemas(after)["Entry"]["anyOf"].insert(0, {"$ref": "#/components/schemas/Finding"})
    assert losses(TODAY, after) == []
