"""The parts of the contract that `make contract` records here, compared with today's.

They are the examples of answers, and the statements that the rules of each game can make.
"""

from __future__ import annotations

import os
import re
from typing import Any, Final

import orjson
import pytest

from rules.caches import thaw
from service.http import openapi
from service.referee.join_codes import SIGNS
from service.types import Json
from tests.rules.play import EVERY_GAME, AnyGame, every_nth_step
from tests.support.api import Api
from tests.support.loops import over
from tests.support.provoker import CONTRACT, Provoker
from tests.support.statements import statements_of, statements_of_moves

MAX_ITEMS: Final = 2
"""Items of a list that an example shows."""
MASKS: Final = (
    (re.compile(r"(?<=[/#\".])(?=[a-z_]*[A-Z0-9-])[A-Za-z0-9_-]{22}(?=[\"/#.?])"), "Zk3h0rJ1o9mQxUuWw2cS5A"),
    (re.compile(r"20\d\d-\d\d-\d\dT[0-9:.]+(?:Z|\+00:00)"), "2026-11-22T20:00:00Z"),
    (re.compile(f'(?<=")[{SIGNS}]{{4}}-[{SIGNS}]{{4}}(?=")'), "7KQM-3XWA"),
)
"""What differs each time (ids and keys, times, and join codes), and its replacement."""
BY_CHANCE: Final = "roll"
"""The operation with a random answer."""
TEXTS: Final = {"readEvents": "?after=1", "readViewEvents": "?after=1", "readViewScoreText": ""}
"""Operations that answer with text -> their query."""
ANSWERS: Final = {
    f"{operation['operationId']}{status if status == '200' and '201' in operation['responses'] else ''}": (
        operation["operationId"],
        int(status),
    )
    for _, _, operation in CONTRACT.operations()
    for status, answer in operation["responses"].items()
    if "application/json" in answer.get("content", {})
} | {name: (name, 200) for name in TEXTS}
"""The name of each answer in JSON or text -> its operation and its status."""
THEMSELVES: Final = {"readContract", "readDocs"}
"""Operations that answer with a page, or with the contract."""
GAME: Final = "villefranche"


def shorten(value: Any) -> Any:
    """A JSON value with the first items of each list."""
    if isinstance(value, list):
        return [shorten(item) for item in value[:MAX_ITEMS]]
    if not isinstance(value, dict):
        return value
    return {name: shorten(item) for name, item in value.items()}


def record(api: Api, name: str) -> Any:
    """The answer of a name, shortened, without what differs each time."""
    provoker = Provoker(api)
    response = provoker.send(name, query=TEXTS[name]) if name in TEXTS else provoker.provoke(*ANSWERS[name])
    assert response.status_code == ANSWERS[name][1]
    text = response.get_data(as_text=True)
    for pattern, instead in MASKS:
        text = pattern.sub(instead, text)
    if name in TEXTS:
        return text
    answer = orjson.loads(text)
    if "games" in answer:
        answer["games"] = [each for each in answer["games"] if each["id"] == GAME]
    return shorten(answer)


def shape_of(value: Any) -> Any:
    """The names of an answer, without its values."""
    if isinstance(value, dict):
        return {name: shape_of(item) for name, item in value.items()}
    return [shape_of(item) for item in value] if isinstance(value, list) else None


@pytest.mark.parametrize("name", ANSWERS)
def test_the_contract_has_what_is_answered(name: str, api: Api) -> None:
    """Each example is today's answer; that of a random answer has only its shape."""
    example = thaw(openapi.description())["components"]["examples"][name]["value"]
    answered = record(api, name)
    assert shape_of(example) == shape_of(answered)
    if name != BY_CHANCE:
        assert example == answered, "record it anew with: make contract"


def test_every_operation_shows_its_example() -> None:
    """Each operation has an example, unless it answers nothing, a page or the contract; each example fits its shape."""
    used, silent = set(), set()
    for method, path, operation in over(CONTRACT.operations()):
        answers = {
            (status, media): shown
            for status, answer in operation["responses"].items()
            if status < "300"
            for media, shown in answer.get("content", {}).items()
        }
        if answers and not any("examples" in shown for shown in answers.values()):
            silent.add(operation["operationId"])
        for (status, media), shown in answers.items():
            assert "examples" in shown or media != "application/json"
            examples = shown.get("examples", {}).values()
            used |= {each["$ref"].rpartition("/")[2] for each in examples if "$ref" in each}
            escaped, kind = (each.replace("/", "~1") for each in (path, media))
            pointer = f"/paths/{escaped}/{method.lower()}/responses/{status}/content/{kind}/schema"
            for each in examples:
                CONTRACT.fits(CONTRACT.find(each["$ref"][1:])[1]["value"] if "$ref" in each else each["value"], pointer)
    assert used == {*thaw(openapi.description())["components"]["examples"]} == {*ANSWERS}
    assert silent == THEMSELVES


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
def test_the_contract_lists_what_the_rules_say(game: AnyGame) -> None:
    """The contract lists each finding and effect of worked cases and random games, with just the names of its facts."""
    played = [(state, move) for state, move in every_nth_step(game, 3) if move is not None]
    listed: Any = thaw(openapi.description())["components"][openapi.STATEMENTS][game.id]
    assert listed == {"x-game": game.id, **statements_of(game)}, "record it anew with: make contract"
    for (kind, key), facts in over(statements_of_moves(game, played)):
        assert listed[kind][key] == sorted(facts), key


if "RECORD" in os.environ:

    def test_record_the_examples(api: Api) -> None:
        """Record the examples and the statements of the rules again, for `make contract`."""
        examples = {name: {"x-game": GAME, "value": record(api, name)} for name in ANSWERS}
        statements: dict[str, Json] = {game.id: {"x-game": game.id, **statements_of(game)} for game in EVERY_GAME}
        openapi.path().write_text(openapi.with_record(examples, statements), encoding="utf-8")
