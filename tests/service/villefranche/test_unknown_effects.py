"""Villefranche: rulings on unknown cells that were once wrong, each with the filling that contradicted it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.support.api import V1, Api

PIECES = {"C": "cube", "P": "pyramid", "Y": "cylinder", "B": "brick"}


def stack(letters: str, second: str = "") -> list[dict[str, str]]:
    """Pieces from the bottom up: upper case is Black's; a brick also lies on a second cell."""
    return [
        {"piece": PIECES[letter.upper()], "colour": "black" if letter.isupper() else "white"}
        | ({"second": second} if letter in "Bb" else {})
        for letter in letters
    ]


def table(text: str) -> dict[str, Any]:
    """The cells of a text: ``a1 yYy`` is a stack, ``b2c2 B`` a brick, ``d4 ?`` an unknown cell, ``d4 -`` a free one."""
    words, cells = text.split(), dict[str, Any]()
    for place, letters in zip(words[::2], words[1::2], strict=True):
        if letters in "?-":
            cells[place] = "?" if letters == "?" else []
        elif len(place) > 2:
            cells[place[:2]], cells[place[2:]] = stack(letters, place[2:]), stack(letters, place[:2])
        else:
            cells[place] = stack(letters)
    return cells


def ask(api: Api, move: str, cells: Mapping[str, Any], **more: Any) -> Any:
    """The ruling on a move."""
    position = {"due": "black", "cells": cells, **more}
    answer = api.post(f"{V1}/games/villefranche/rulings", {"move": move, "position": position})
    assert answer.status_code == 200, answer.text
    return answer.json


def needs(said: Any) -> list[str]:
    """The names of the facts that a ruling needs."""
    return [each["unknown"] for each in said.get("needs", [])]


ROOF = """a1 yYy b2c2 B c3 C d3 CP b4 cp c4 c b5 cp g6 cp f8 cp g8 cp f2 c g5 c f7 c h7 c f6 yyy h8 yy i9 yy"""
"""White's cubes are used up, and all cylinders but one, so two pieces on d4 are naves."""


def test_vf_legal_though_a_filling_is_illegal(api: Api) -> None:
    """Two white naves on d4 and d5 make it 4 to 5 around c3, so the ruling is `unproven`."""
    said = ask(api, "s c3", {**table(ROOF), **table("d4 ? d5 ?")}, enclosed=True)
    assert (said["ruling"], needs(said), said.get("exact", True)) == ("unproven", ["d4"], True)
    naves = ask(api, "s c3", {**table(ROOF), **table("d4d5 bb")}, enclosed=True)
    assert (naves["ruling"], [each["rule"] for each in naves["findings"]]) == ("illegal", ["VF-22"])
    assert ask(api, "s c3", {**table(ROOF), **table("d4 y")}, enclosed=True)["ruling"] == "legal"


HOUSE = "b5 c c6 C e8 C c9d9 B e9f9 b"


def test_vf_a_majority_is_told_only_where_every_filling_has_it(api: Api) -> None:
    """A majority is named only if every filling has it: a white house on c7 and a storey on c8 make it 3 to 3 around
    d8.
    """
    said = ask(api, "h d8", {**table(HOUSE), **table("c7 ? c8 ?")}, placement=2, enclosed=True)
    assert not [each for each in said["effects"] if each["rule"] == "VF-22"]
    even = ask(api, "h d8", {**table(HOUSE), **table("c7 c c8 y")}, placement=2, enclosed=True)
    assert "equal" in next(each["text"] for each in even["effects"] if each["rule"] == "VF-22")
    known = {**table(HOUSE), **table("c7 YYY c8 ?")}
    sure = ask(api, "h d8", known, placement=2, enclosed=True)
    assert "majority" in next(each["text"] for each in sure["effects"] if each["rule"] == "VF-22"), "6–9 to 1–4"


def test_vf_on_a_first_turn_nothing_can_stand(api: Api) -> None:
    """On a first turn the board is empty, so unknown cells do not matter."""
    unknown, options = table("i7 ? i8 ?"), dict[str, Any]()
    for more in (options, {"rest": "unknown"}, {"enclosed": "?"}, {"in_hand": {"black": {"brick": "?"}}}):
        said = ask(api, "r i6i7", unknown, first_turn=True, placement=1, **more)
        assert (said["ruling"], needs(said)) == ("legal", [])
    later = ask(api, "r i6i7", unknown)
    assert (later["ruling"], needs(later)) == ("unproven", ["i7"]), "the control"


WALLS = """a1 yy i9 yy a9 YY i1 YY c1d1 B e1f1 B i4i5 B b9c9 B e9f9 B g1h1 b a2a3 b i2i3 b a4a5 b a6a7 b i7i8 b h8 CP
g6 YYY"""
NEEDS = [
    (
        "n g8",
        f"{WALLS} f7 ? g7 ? g9 ? h9 ?",
        {"in_hand": {"black": {"cylinder": "?"}}},
        "g7 CP g9h9 B",
        ("f7 -", "f7 Y"),
    ),
]


@pytest.mark.parametrize(("move", "known", "facts", "agreed", "others"), NEEDS)
def test_vf_needs_decide_where_a_fact_is_unknown_beside_cells(
    api: Api, move: str, known: str, facts: dict[str, Any], agreed: str, others: tuple[str, str]
) -> None:
    """If two fillings have different rulings, a cell in which they differ is among the needs."""
    cells = table(known)
    said = ask(api, move, cells, placement=2, **facts)
    whole = {"enclosed": True} if "enclosed" in facts else {"in_hand": {"black": {"cylinder": True}}}
    rulings = []
    for other in others:
        filled = {**{cell: there for cell, there in cells.items() if there != "?"}, **table(agreed), **table(other)}
        rulings.append(ask(api, move, filled, placement=2, **whole)["ruling"])
    assert sorted(rulings) == ["illegal", "legal"]
    assert said["ruling"] == "unproven"
    assert set(others[1].split()[::2]) & set(needs(said))
