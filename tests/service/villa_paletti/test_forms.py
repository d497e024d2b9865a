"""Villa Paletti: moves as text and as JSON, and facts of a position that are always known."""

from __future__ import annotations

from typing import Any

import pytest

from rules.villa_paletti import GAME
from service import schemas
from service.errors import Invalid
from service.schemas.fields import allow_unknown

FORMS: dict[str, dict[str, Any]] = {
    "red big 0": {"kind": "column", "colour": "red", "shape": "big", "level": 0},
    "x red small* 2": {"kind": "abort", "colour": "red", "shape": "small", "level": 2, "locked": True},
    "blue hex 1 crash": {"kind": "column", "colour": "blue", "shape": "hex", "level": 1, "crash": True},
    "floor": {"kind": "floor"},
    "floor -": {"kind": "floor", "laid": False},
    "floor crash": {"kind": "floor", "crash": True},
    "floor ! yellow red hex 1 ok": {
        "kind": "floor",
        "objection": {"by": "yellow", "colour": "red", "shape": "hex", "level": 1, "result": "ok"},
    },
    "floor ! yellow red hex 1 fail yellow small* 0 -": {
        "kind": "floor",
        "laid": False,
        "objection": {
            "by": "yellow",
            "colour": "red",
            "shape": "hex",
            "level": 1,
            "result": "fail",
            "taken": {"colour": "yellow", "shape": "small", "level": 0, "locked": True},
        },
    },
    "floor ! yellow red hex 1 fail none": {
        "kind": "floor",
        "objection": {"by": "yellow", "colour": "red", "shape": "hex", "level": 1, "result": "fail"},
    },
    "floor ! yellow red hex 1 crash": {
        "kind": "floor",
        "objection": {"by": "yellow", "colour": "red", "shape": "hex", "level": 1, "result": "crash"},
    },
    "n small 1": {"kind": "neutral", "shape": "small", "level": 1},
    "n x small 1": {"kind": "neutral_abort", "shape": "small", "level": 1},
    "n x small 1 ! yellow hex 0": {
        "kind": "neutral_abort",
        "shape": "small",
        "level": 1,
        "challenge": {"by": "yellow", "shape": "hex", "level": 0, "result": "ok"},
    },
    "n x small 1 ! yellow hex 0 crash": {
        "kind": "neutral_abort",
        "shape": "small",
        "level": 1,
        "challenge": {"by": "yellow", "shape": "hex", "level": 0, "result": "crash"},
    },
    "done": {"kind": "done"},
    "crash red": {"kind": "crash", "by": "red"},
    "crash": {"kind": "crash"},
    "end": {"kind": "end"},
}


@pytest.mark.parametrize(("text", "json"), FORMS.items())
def test_text_and_json_are_the_same_move(text: str, json: dict[str, Any]) -> None:
    """The text and the JSON are the same move, and both can be written again as they were."""
    move = schemas.of(GAME).read_move(json)
    assert GAME.read(text) == move
    assert GAME.write(move) == text
    assert schemas.of(GAME).read_move(schemas.plain(move)) == move


@pytest.mark.parametrize(
    ("json", "pointer"),
    [
        ({"kind": "floor", "laid": False, "crash": True}, "/crash"),
        ({"kind": "floor", "crash": True, "objection": FORMS["floor ! yellow red hex 1 ok"]["objection"]}, "/crash"),
        ({"kind": "floor", "laid": False, "objection": FORMS["floor ! yellow red hex 1 ok"]["objection"]}, "/laid"),
        (
            {
                "kind": "floor",
                "objection": {
                    "by": "yellow",
                    "colour": "red",
                    "shape": "hex",
                    "level": 1,
                    "result": "ok",
                    "taken": {"colour": "yellow", "shape": "small", "level": 0},
                },
            },
            "/objection/taken",
        ),
        ({**FORMS["n x small 1 ! yellow hex 0"], "crash": True}, "/crash"),
    ],
)
def test_json_that_says_two_things_is_refused_where_it_does(json: dict[str, Any], pointer: str) -> None:
    """JSON that contradicts itself is refused: a collapse with a result, or a floor or column given up after a
    successful objection.
    """
    schema = schemas.of(GAME).kinds[json["kind"]]
    with pytest.raises(Invalid) as error:
        schemas.load(schema, json)
    assert [where for where, _ in error.value.field_errors] == [pointer]


@pytest.mark.parametrize("name", ["top", "ended"])
def test_what_everybody_sees_is_known(name: str) -> None:
    """The height of the villa, and whether it has fallen, cannot be unknown."""
    with allow_unknown(), pytest.raises(Invalid) as error:
        schemas.load(schemas.of(GAME).position, {"columns": [], "out": [], "top": 1, "rest": "unknown", name: "?"})
    assert [where for where, _ in error.value.field_errors] == [f"/{name}"]
