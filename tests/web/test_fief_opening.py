"""The form for Fief: lords are tapped by portrait and villages on the map; both are empty at first."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from flask import Flask

from rules.fief.data import LORDS, printed_map
from service.schemas import plain
from tests.support.document import Document
from tests.web.conftest import Visitor
from web.form_fields import Gallery
from web.opening import form as opening
from web.opening.card_picks import apply_pick

Visitors = Callable[..., Visitor]
DRAWN_NAMES = [f"{what}-{number}" for what in ("lord", "village") for number in (1, 2, 3, 4)]
FOUR = {"game": "fief", "players": "4"}
LORDS_DRAWN = ("Blanche", "Othon", "Charles", "Jeanne")
VILLAGES_DRAWN = ("Sigy", "St Paul", "Bourg", "Belleville")
OTHER_LORDS = json.dumps({"men": ["Hugo", "Ivo"], "women": ["Zoë"]})


@pytest.fixture(autouse=True)
def page(app: Flask) -> Any:
    """A request in English, in whose language the forms are made."""
    with app.test_request_context(headers={"Accept-Language": "en"}):
        yield


def cards(shown: Document) -> Mapping[str, Mapping[str, str | None]]:
    """The choice that a button for a lord or village sends -> the button's attributes."""
    return {
        found["value"] or "": found for tag, found in shown.elements if tag == "button" and found.get("name") == "pick"
    }


def tap(guest: Visitor, shown: Document, choice: str, **typed: str) -> Document:
    """Tap a card, as a browser without a script does."""
    assert "disabled" not in cards(shown)[choice]
    address, filled = shown.form("/", game="fief")
    return Document(guest.post(address, {**filled, **typed, "pick": choice}).text)


def galleries(**values: str) -> list[Gallery]:
    """The galleries of a form."""
    return [each for group in opening.form_of({**FOUR, **values}).groups for each in group.galleries]


def test_nothing_that_is_drawn_is_preset(visitor: Visitors) -> None:
    """Colours are preset, lords and villages are not; a refused form names each missing field and keeps the rest."""
    guest = visitor()
    _, filled = guest.see("/?game=fief&players=4").form("/", game="fief")
    assert [filled[name] for name in DRAWN_NAMES] == [""] * 8
    assert len({filled[f"colour-{number}"] for number in (1, 2, 3, 4)}) == 4
    answer = guest.post("/", {**filled, "name-1": "Anne", "lord-2": "Othon"})
    shown = Document(answer.text)
    missing = [name for name in DRAWN_NAMES if name != "lord-2"]
    assert answer.status_code == 422
    assert [link.removeprefix("#") for link in shown.links() if link.startswith("#")] == missing
    assert "Anne, Lord" in shown.text and "Blue, Village" in shown.text
    assert {found.get("id") for _, found in shown.elements} >= {f"{name}-wrong" for name in missing}
    assert {"name-1": "Anne", "lord-2": "Othon", "lord-1": ""}.items() <= shown.form("/", game="fief")[1].items()


def test_four_players_are_entered_by_ten_taps(visitor: Visitors) -> None:
    """Ten taps open a table: the number of players, four portraits, four villages, the button. Typed names stay."""
    guest = visitor()
    address, filled = guest.see("/?game=fief").form("/", game="fief")
    shown = Document(guest.post(address, {**filled, "players": "4", "update": "yes"}).text)
    shown = tap(guest, shown, "lord Blanche", **{"name-1": "Anne"})
    assert "Tap the lord that Blue drew." in shown.text and "Tap the village that Anne drew." in shown.text
    for name in LORDS_DRAWN[1:]:
        shown = tap(guest, shown, f"lord {name}")
    for name in VILLAGES_DRAWN:
        shown = tap(guest, shown, f"village {name}")
    _, filled = shown.form("/", game="fief")
    assert [filled[name] for name in DRAWN_NAMES] == [*LORDS_DRAWN, *VILLAGES_DRAWN]
    assert cards(shown)["village Sigy"]["aria-label"] == "Sigy, Anne"
    pressed = {choice for choice, found in cards(shown).items() if found["aria-pressed"] == "true"}
    assert {choice.partition(" ")[2] for choice in pressed} == {*LORDS_DRAWN, *VILLAGES_DRAWN}
    assert all(("disabled" in found) == (choice not in pressed) for choice, found in cards(shown).items())
    assert "Everybody has one." in shown.text
    assert "Anne" in guest.see(guest.open(**filled)).text


def test_a_tap_takes_back_what_was_drawn() -> None:
    """A tap on a player's lord takes it back, and the next gives that player one; an invalid tap changes nothing."""
    filled = {**FOUR, **dict(zip(DRAWN_NAMES, LORDS_DRAWN, strict=False))}
    assert apply_pick({**filled, "pick": "lord Othon"})["lord-2"] == ""
    assert apply_pick({**filled, "lord-2": "", "pick": "lord Henri"})["lord-2"] == "Henri"
    for junk in ("lord Henri", "lord", "lord ", "village Atlantis", "colour red", "", "name-1 Anne"):
        given = {**filled, "pick": junk}
        assert apply_pick(given) == given, junk


def test_what_another_has_is_taken_from_them() -> None:
    """A lord chosen from a list leaves its earlier player without one, as only a draw can replace it."""
    values = opening.form_of({**FOUR, "lord-1": "Blanche", "lord-2": "Blanche"}, "lord-2").values
    assert (values["lord-1"], values["lord-2"]) == ("", "Blanche")


def test_the_portraits_and_the_map_are_the_tables_own() -> None:
    """Custom lords and a custom map have galleries; an unplayable map has none."""
    men, women, board = galleries()
    assert [card.value for card in (*men.cards, *women.cards)] == [*LORDS.men, *LORDS.women]
    assert [card.value for card in board.cards] == [village.name for village in printed_map().villages]
    men, women, _board = galleries(lords=OTHER_LORDS)
    assert ([card.value for card in men.cards], [card.value for card in women.cards]) == (["Hugo", "Ivo"], ["Zoë"])
    own = plain(printed_map())
    own["villages"].reverse()
    assert [card.value for card in galleries(map=json.dumps(own))[2].cards][-1] == printed_map().villages[0].name
    assert len(galleries(map=json.dumps({**own, "roads": []}))) == 2
    assert len(galleries(map="not a map")) == 2


def test_the_map_shows_who_begins_where() -> None:
    """The map gets only a player's flag in the tapped village, and then the player's lord."""
    before, named = galleries()[2], {"colour-1": "red", "village-1": "Sigy"}
    flag = [shape for shape in galleries(**named)[2].drawing if shape not in before.drawing]
    assert {shape.ink for shape in flag} <= {"flagpole", "piece-red", "piece-letter-red"}
    lord = [shape for shape in galleries(**named, **{"lord-1": "Blanche"})[2].drawing if shape.text == "B"]
    assert [shape.ink for shape in lord] == ["piece-letter-red"]
