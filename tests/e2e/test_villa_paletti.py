"""Whole games of Villa Paletti, entered tap by tap on a narrow phone, with a script and without."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from rules import GAMES
from service import wire
from tests.e2e.conftest import Phone, Server
from tests.rules.play import FOLDER

GAME = GAMES["villa_paletti"]
NARROW = 360
KINDS = {"column": "Column moved up", "abort": "Column put back", "neutral": "Neutral column moved up"}
RESULTS = {"ok": "it worked", "fail": "it failed", "crash": "the villa fell"}


def recorded(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A recorded game, and what was said of it."""
    record, said = (FOLDER / GAME.id / f"{name}{suffix}.json" for suffix in ("", ".said"))
    return json.loads(record.read_text()), json.loads(said.read_text())


def tap_cell(page: Page, cell: str) -> None:
    """Tap a column on the board."""
    page.locator(f"[id='c-{cell.replace(' ', '.')}']").click()


def answer(page: Page, text: str) -> None:
    """Give an answer by its word."""
    page.locator(".answer", has_text=text).first.click()
    expect(page.locator(".answer.chosen", has_text=text).first).to_be_visible()


def pick(page: Page, title: str, column: Any) -> None:
    """Give an answer by the picture of a column."""
    names = {"small": "small column", "hex": "hexagonal column", "big": "big column"}
    words = (column.colour.capitalize(), names[column.shape], f"level {column.level}")
    label = ", ".join((*words, "locked") if getattr(column, "locked", False) else words)
    question = page.locator(".question", has_text=title)
    question.get_by_role("link", name=label).and_(question.locator(f":text('{label}')").locator("..")).first.click()
    expect(question.locator(".answer.chosen")).to_contain_text(f"level {column.level}")


def tried(page: Page, attempt: Any, who: str, which: str, column: Any) -> None:
    """An objection or a challenge: whose, with which column, and how it went."""
    answer(page, f"{attempt.by.capitalize()} {who}")
    pick(page, which, column)
    page.locator(".question", has_text="How did it go?").locator(".answer", has_text=RESULTS[attempt.result]).click()


def ask_floor(page: Page, move: Any) -> None:
    """The next floor is asked for."""
    page.locator(".kind", has_text="Floor").click()
    expect(page.locator(".asked-for", has_text="What came of it?")).to_be_visible()
    if move.objection is None:
        answer(page, "laid" if move.laid else "given up")
        return
    tried(page, move.objection, "objects", "Which of the asker", move.objection)
    if move.objection.result == "fail":
        if move.objection.taken is None:
            answer(page, "none")
        else:
            pick(page, "Which column of the objector", move.objection.taken)
        page.locator(".question", has_text="And the floor?").locator(
            ".answer", has_text="laid" if move.laid else "given up"
        ).click()


def put_back(page: Page, move: Any, neutral: str) -> None:
    """A neutral column was tried in vain, and perhaps somebody challenged."""
    tap_cell(page, move.cell)
    page.locator(".ask", has_text="Neutral column put back").click()
    expect(page.locator(".asked-for", has_text="challenge")).to_be_visible()
    if move.challenge is None:
        answer(page, "nobody")
        return
    colour = type("Column", (), {"colour": neutral, "shape": move.challenge.shape, "level": move.challenge.level})
    tried(page, move.challenge, "does", "Which neutral column", colour)


def enter(page: Page, move: Any, neutral: str, *, stands: bool) -> None:
    """Enter a move by taps, and read the verdict before it is entered."""
    if move.kind == "floor":
        ask_floor(page, move)
    elif move.kind == "neutral_abort":
        put_back(page, move, neutral)
    else:
        tap_cell(page, move.cell)
        crash = getattr(move, "crash", False)
        page.locator(".ask", has_text="The villa fell" if crash else KINDS[move.kind]).first.click()
    expect(page.locator(".verdict h2")).to_have_text("Not legal" if stands else "Legal")
    page.get_by_role("button", name="Let it stand" if stands else "Enter", exact=True).click()


@pytest.mark.parametrize(
    ("name", "script"), [("a_challenger_brings_it_down", True), ("holder_brings_it_down", False)], ids=["three", "four"]
)
def test_a_whole_game(phone: Callable[..., Phone], server: Server, name: str, script: bool) -> None:
    """Columns, floors, objections and challenges are entered as they happen, until it falls and somebody wins."""
    record, said = recorded(name)
    setup = wire.load(wire.of(GAME).setup, record["setup"])
    page = phone(wide=NARROW, script=script).sit(server.referee.open(GAME.id, setup, []))
    neutral = GAME.setup(setup).neutral
    for number, entry in enumerate(record["moves"], 2):
        notation = entry if isinstance(entry, str) else entry["move"]
        enter(page, GAME.read(notation), neutral, stands=not isinstance(entry, str))
        expect(page.locator("#table")).to_have_attribute("data-version", str(number))
    winner = next(place for place in said["end"]["ranking"] if place[0] == 1)[1]
    names = {player["colours"][0]: player["name"] for player in record["setup"]["players"]}
    assert len(winner) == 1, "the game has one winner"
    expect(page.locator(".ended strong")).to_contain_text(f"{names[winner[0]]} wins")
