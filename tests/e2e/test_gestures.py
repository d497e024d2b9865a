"""Fingers on the board, and keys on a turned one, in a browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Phone, Server
from tests.e2e.game import MOVES
from tests.support.browser_gestures import LARGER, TWICE, Place, touch

Phones = Callable[..., Phone]


def centre(cell: Any) -> Place:
    """The middle of a cell on the screen."""
    box = cell.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_fingers_enlarge_and_move_the_board(server: Server, phone: Phones) -> None:
    """Two fingers enlarge the board and one moves it, without choosing; a tap chooses, and a double tap shows all."""
    made = phone(has_touch=True)
    page = made.sit(server.table(*MOVES[:4]))
    expect(page.locator("#squares")).to_have_css("touch-action", "pan-x pan-y")
    x, y = centre(made.cell("e5"))
    touch(made, ((x - 20, y), (x + 20, y)), ((x - 40, y), (x + 40, y)), ((x - 60, y), (x + 60, y)))
    assert 2.9 < page.evaluate(LARGER) < 3.1
    assert centre(made.cell("e5")) == pytest.approx((x, y), abs=2)
    touch(made, ((x, y),), ((x + 30, y + 10),), ((x + 60, y + 20),))
    assert centre(made.cell("e5")) == pytest.approx((x + 60, y + 20), abs=2)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y - 20, steps=2)
    page.mouse.up()
    assert centre(made.cell("e5")) == pytest.approx((x, y), abs=2)
    assert (page.locator("[aria-busy]").count(), "at=" in page.url) == (0, False)
    page.mouse.click(x, y)
    expect(page.locator("#squares [aria-current]")).to_have_count(1)
    assert page.evaluate(LARGER) > 2.9
    made.cell("e5").evaluate(TWICE)
    expect(page.locator("#squares")).to_have_css("transform", "none")


def test_keys_go_where_they_point_on_a_turned_board(server: Server, phone: Phones) -> None:
    """On a board just turned by a tap, the arrow up leads to the cell shown above."""
    made = phone()
    page = made.sit(server.table(*MOVES[:4]))
    page.locator("#more").click()
    page.locator("#turn-board").click()
    expect(page.locator("#board")).to_have_class(re.compile("turned-1"))
    assert "turned" not in page.url
    expect(page.locator("a.cell[tabindex='0']")).to_have_count(1)
    made.cell("e5").focus()
    x, y = centre(made.cell("e5"))
    page.keyboard.press("ArrowUp")
    above = centre(page.locator(":focus"))
    assert abs(above[0] - x) < 1
    assert above[1] < y - 20
