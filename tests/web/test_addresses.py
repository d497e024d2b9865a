"""Shared addresses: each is parsed, and written again to the letter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from random import Random
from typing import Final
from urllib.parse import quote_plus

import pytest
from flask import Flask, request

from tests.support.loops import over
from web.browser.address import (
    SAFE,
    Address,
    AmendAddress,
    EditorAddress,
    PageAddress,
    TableAddress,
)

TABLE: Final = "Hk3_Zr9-QwErTyUiOpAsDf"
VALUES: Final[Mapping[str, Sequence[str]]] = {
    "at": ("c4", "-3,4", "yellow.small.0"),
    "kind": ("house", "up_landscape", "2"),
    "so": ("a", "a;b c;é&", "x=1;"),
    "move": ("h c4", "(1,0) building E E E E", "é?&+%"),
    "show": ("VF-60.black", "RK-12"),
    "entry": ("3", "999999"),
    "before": ("9",),
    "done": ("7",),
    "already": ("yes",),
    "zoom": ("e5",),
    "since": ("12",),
    "do": ("undo", "insert"),
    "late": ("h c4", "h c4\n!h c5"),
    "misfits": ("stop",),
    "step": ("0", "20"),
    "round": ("2",),
    "brush": ("black-shop",),
    "paint": ("c4", "c4;d5;-3,4"),
    "settles": ("1", "12"),
}
"""Each parameter's values, in the order of a query."""
MOVE: Final = ("at", "kind", "so", "move", "show", "zoom")
NEWS: Final = (*MOVE, "entry", "done", "already", "since")
PAGES: Final[Mapping[str, tuple[type[PageAddress], str, tuple[str, ...]]]] = {
    "board": (TableAddress, "", NEWS),
    "score": (TableAddress, "/score", NEWS),
    "log": (TableAddress, "/moves", (*NEWS, "before", "do", "step", "round")),
    "turns": (TableAddress, "/turns", NEWS),
    "readings": (TableAddress, "/readings", NEWS),
    "dispute": (TableAddress, "/disputes/3", NEWS),
    "raise_dispute": (TableAddress, "/disputes/new", NEWS),
    "amend": (AmendAddress, "/amend", (*NEWS, "do", "late", "misfits")),
    "preview": (AmendAddress, "/amend/preview", (*NEWS, "do", "late", "misfits")),
}
"""Section -> its address, its path below the table's, and its parameters."""
POSITIONS: Final[Mapping[str, tuple[type[Address], tuple[str, ...]]]] = {
    "position": (EditorAddress, (*MOVE, "entry", "brush", "paint", "settles")),
    "move": (EditorAddress, (*MOVE, "entry", "brush", "paint", "settles")),
}


def query(random: Random, names: Sequence[str]) -> str:
    """A query with some of these parameters, encoded."""
    given = [(name, random.choice(VALUES[name])) for name in VALUES if name in names and random.random() < 0.5]
    return "&".join(f"{name}={quote_plus(value, safe=SAFE)}" for name, value in given)


@pytest.mark.parametrize("section", PAGES)
def test_an_address_of_a_table_is_written_as_it_was_read(app: Flask, section: str) -> None:
    """Every section's address, with any of its parameters, is written as it was read."""
    made, path, names = PAGES[section]
    for seed in over(range(40)):
        asked = query(Random(seed), names)
        url = f"/t/{TABLE}{path}" + (f"?{asked}" if asked else "")
        with app.test_request_context(url):
            there = made.of(TABLE, section, request.args)
            if isinstance(there, TableAddress) and section == "dispute":
                there = replace(there, dispute=3)
            assert there.url() == url


@pytest.mark.parametrize("section", POSITIONS)
def test_an_address_of_a_position_is_written_as_it_was_read(app: Flask, section: str) -> None:
    """A position's address is written relative to its path, which holds the position."""
    made, names = POSITIONS[section]
    for seed in over(range(40)):
        asked = query(Random(seed), names)
        with app.test_request_context(f"/count/villefranche?{asked}"):
            assert made.of("x", section, request.args).url() == f"?{asked}"


def test_an_address_has_the_parameters_of_its_pages() -> None:
    """Each class of address has exactly the parameters of its pages."""
    path = {"table", "section", "dispute"}
    for made, names in [(made, names) for made, _, names in PAGES.values()] + [*POSITIONS.values()]:
        union = {name for of, _, each in PAGES.values() for name in each if of is made} or set(names)
        assert {member.name for member in fields(made)} - path == union, made
