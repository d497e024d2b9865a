"""A photo under the board: its corners and taps over it; it never leaves the phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

import web
from tests.e2e.conftest import Phone
from tests.support.browser_count import choose, counts
from tests.support.browser_gestures import LARGER, TWICE, touch

PHOTO = Path(web.__file__).parent / "static/icon-512.png"
PIN_PLACES = """() => {
  const image = document.querySelector(".photo-under img");
  const board = document.querySelector("#board").getBoundingClientRect();
  const back = new DOMMatrix(getComputedStyle(image).transform).inverse();
  return [...document.querySelectorAll(".corner")].map((corner) => {
    const [at, mark] = [corner.getBoundingClientRect(), getComputedStyle(corner)];
    const aside = ["--aside", "--below"].map((name) => parseFloat(mark.getPropertyValue(name)));
    const [x, y] = [at.left + at.width / 2 - board.left + aside[0], at.top + at.height / 2 - board.top + aside[1]];
    const point = back.transformPoint({ x, y });
    const seen = [point.x / point.w / image.naturalWidth, point.y / point.w / image.naturalHeight];
    return [x, y, ...seen].map((each) => Math.round(each * 100) / 100);
  });
}"""
"""Each corner's place on the board, in pixels, and the point of the photo there, as fractions of its size."""

OVER = """() => {
  const image = document.querySelector(".photo-under img");
  const board = document.querySelector("#board").getBoundingClientRect();
  const back = new DOMMatrix(getComputedStyle(image).transform).inverse();
  return Object.fromEntries([...document.querySelectorAll("a.cell")].map((cell) => {
    const { left, top, width, height } = cell.getBoundingClientRect();
    const { x, y, w } = back.transformPoint({ x: left + width / 2 - board.left, y: top + height / 2 - board.top });
    return [cell.id, [x / w / image.naturalWidth, y / w / image.naturalHeight]];
  }));
}"""
"""Cell -> the point of the photo in its middle, as fractions of its size."""
AS_BEFORE = """() => {
  const layout = JSON.parse(sessionStorage.getItem("photo-layout"));
  const [squares, cells] = ["squares", "cells"].map((id) => document.getElementById(id).getScreenCTM());
  const seen = ([x, y]) => new DOMPoint(x, y).matrixTransform(cells).matrixTransform(squares.inverse());
  const target = layout.target.map((point) => [seen(point).x, seen(point).y]);
  sessionStorage.setItem("photo-layout", JSON.stringify({ ...layout, target, turn: undefined }));
}"""
"""Store the photo's layout as an earlier release did, when corners did not belong to cells."""
FINGERS = [tuple((195 + side * apart, 150.0) for side in (-1, 1)) for apart in (20, 35, 50)]
"""Two fingers that enlarge the board."""


def still(page: Page, before: dict[str, Any]) -> bool:
    """Whether the cells visible both now and before lie over the same points of the photo."""
    now = page.evaluate(OVER)
    both = now.keys() & before.keys()
    return len(both) > 4 and all(now[cell] == pytest.approx(before[cell], abs=0.003) for cell in both)


def corners(page: Page) -> tuple[list[Any], list[Any]]:
    """The corners' places on the board, and the points of the photo there."""
    found = page.evaluate(PIN_PLACES)
    return [each[:2] for each in found], [each[2:] for each in found]


def test_a_board_is_copied_from_a_photo(phone: Callable[..., Phone]) -> None:
    """The user moves four corners of the photo, and taps enter pieces over it; no request contains the photo."""
    made = phone(390)
    sent: list[Request] = []
    made.page.on("request", lambda request: sent.append(request))  # noqa: PLW0108  # the driver sets a mark on it
    page = made.open("/count/villefranche")
    page.locator("#photo-file").set_input_files(PHOTO)
    corner = page.get_by_role("button", name="Corner at the top left")
    first = page.get_by_text("Place the corners first.")
    expect(first).to_be_hidden()
    page.locator(".photo-corners").click(position={"x": 195, "y": 120})  # a cell lies below
    expect(first).to_be_in_viewport(ratio=1)
    corner.click()
    expect(first).to_be_hidden()
    for key in ("Shift+ArrowRight", "ArrowDown"):
        corner.press(key)
    page.get_by_role("button", name="Corner at the bottom right").drag_to(corner)  # crossed corners are refused
    _, source = corners(page)
    assert source[0] != [0.1, 0.1]
    assert source[1:] == [[0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]
    page.get_by_role("button", name="Lay it under the board").click()
    at, seen = corners(page)
    assert seen == source
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.get_by_role("button", name="Corner at the top right").press("Shift+ArrowLeft")
    moved, seen = corners(page)
    assert seen == source
    assert moved == [at[0], [at[1][0] - 10, at[1][1]], *at[2:]]
    page.get_by_role("button", name="Done").click()
    page.locator("#c-c4").click()
    expect(page.locator("a.cell[aria-current]")).to_have_id("c-c4")
    choose(page, "Black/shop")
    assert corners(page) == (moved, source)
    page.reload()
    expect(page.locator(".photo-under img")).to_be_visible()
    counts(page, (0, 0))
    assert corners(page)[1] == source
    page.get_by_text("A photo under the board", exact=True).click()
    page.get_by_role("button", name="Remove the photo").click()
    expect(page.locator(".photo-under")).to_have_count(0)
    assert page.evaluate("Object.keys(sessionStorage).filter((name) => name.includes('photo'))") == []
    ours = [request for request in sent if not request.url.startswith("data:")]
    assert {(request.method, request.post_data) for request in ours} == {("GET", None)}
    assert max(len(request.url) + sum(map(len, request.headers.values())) for request in ours) < 4000


def test_the_photo_stays_with_its_cells(phone: Callable[..., Phone]) -> None:
    """Fingers enlarge and move the photo with the board, even while its corners can be moved."""
    made = phone(has_touch=True)
    page = made.open("/count/architekton?at=0,0")
    choose(page, "Building/house of Light")
    expect(page.locator("#squares")).to_have_css("touch-action", "pan-x pan-y")
    page.locator("#photo-file").set_input_files(PHOTO)
    touch(made, *FINGERS)
    _, source = corners(page)
    assert page.evaluate(LARGER) > 2
    assert source == [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]
    page.locator(".photo-corners").evaluate(TWICE)
    page.get_by_role("button", name="Lay it under the board").click()
    page.get_by_role("button", name="Corner at the bottom left").press("Shift+ArrowRight")
    fitted = page.evaluate(OVER)
    touch(made, *FINGERS)
    assert page.evaluate(LARGER) > 2
    assert still(page, fitted)
    larger = page.locator("#squares").bounding_box()
    page.mouse.move(195, 200)
    page.mouse.down()
    page.mouse.move(225, 180, steps=2)
    page.mouse.up()
    assert page.locator("#squares").bounding_box() != larger
    assert still(page, fitted)
    expect(page.get_by_text("Place the corners first.")).to_be_hidden()
    assert page.get_by_role("button", name="Corner at the top left").evaluate("it => it.offsetWidth") == 44


def test_a_photo_turns_and_grows_with_the_board(phone: Callable[..., Phone]) -> None:
    """Cells stay over the same points of the photo after turns, a new tile, and a reload in another turn."""
    made = phone()
    made.context.add_cookies([{"name": "turned", "value": "1", "url": made.url}])
    page = made.open("/count/architekton?at=0,0")
    choose(page, "Building/house of Light")
    page.locator("#photo-file").set_input_files(PHOTO)
    page.get_by_role("button", name="Lay it under the board").click()
    source = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]
    at, seen = corners(page)
    assert seen == source
    assert at[0][0] == at[3][0] < at[1][0]  # the photo is upright
    page.get_by_role("button", name="Corner at the top left").press("Shift+ArrowRight")
    fitted = page.evaluate(OVER)
    for turn in ("2", "3"):
        page.locator("#more").click()
        page.locator("#turn-board").click()
        expect(page.locator("#board")).to_have_class(re.compile(f"turned-{turn}"))
        assert still(page, fitted)
        source = source[-1:] + source[:-1]
        assert corners(page)[1] == source
    page.get_by_role("button", name="Done").click()
    box = page.locator("#squares").get_attribute("viewBox")
    page.locator("[id='c-0,1']").click()
    expect(page.locator("[id='c-0,1']")).to_have_attribute("aria-current", "true")
    choose(page, "Landscape/forest")
    assert page.locator("#squares").get_attribute("viewBox") != box
    assert still(page, fitted)
    page.evaluate(AS_BEFORE)
    page.reload()
    expect(page.locator(".photo-under img")).to_be_visible()
    assert still(page, fitted)
    made.context.clear_cookies(name="turned")
    page.reload()
    expect(page.locator(".photo-under img")).to_be_visible()
    expect(page.locator("#board[class*=turned]")).to_have_count(0)
    assert still(page, fitted)
