"""Markup written without a template, and caches: the same output, and no more work than necessary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from flask import Flask, url_for
from jinja2 import Environment

from rules import GAMES
from service.runtime.memoize import memoize_by_identity
from service.storage.ledger import Ledger
from tests.rules.play import random_game
from tests.web.conftest import Visitor
from web.board import layers, markup
from web.board.drawing import Drawing
from web.board.layers import Layer
from web.board.markup import cell_link, shapes_markup
from web.board.scene import Light, scene
from web.board.shapes import Board, Shape
from web.browser.address import AmendAddress, EditorAddress, TableAddress
from web.games import all_pages, pages_of

Visitors = Callable[..., Visitor]
TEMPLATE = """
{%- for it in shapes -%}
{%- if it.at and (loop.first or loop.previtem.at != it.at) -%}
<g transform="translate({{ '%g' % it.at[0] }} {{ '%g' % it.at[1] }})">
{%- endif -%}
{%- set words = it.text|length > 1 and it.text != it.text|upper -%}
<{{ it.tag }}{% if it.ink or it.ghost or words %} class="{{ it.ink }}{{ ' ghost' if it.ghost }}
{%- if words %} words{% endif %}"{% endif %}
{%- for name, value in it.attributes.items() %} {{ name }}="{{ '%g' % value if value is float else value }}"
{%- endfor %}{% if it.ghost %} data-ghost=""{% endif %}
{%- if it.text %}>{{ it.text }}</{{ it.tag }}>{% else %}/>{% endif %}
{%- if it.at and (loop.last or loop.nextitem.at != it.at) %}</g>{% endif %}
{%- endfor -%}
"""
ODD = "<b>&\"'é"


def test_shapes_are_written_as_a_template_writes_them() -> None:
    """Shapes give the same markup as a template, with every value escaped."""
    template = Environment(autoescape=True).from_string(TEMPLATE)
    boards = []
    for name, pages in all_pages().items():
        state = list(random_game(GAMES[name], Random(1)))[-1][0]
        boards.append(pages.draw(state, "fr"))
    odd = Shape("text", ODD, {"x": 1.5, "y": -20, "d": ODD}, ODD, ghost=True)
    for shapes in (
        *(board.ground for board in boards),
        *(board.pieces for board in boards),
        (odd, Shape("use", "", {})),
    ):
        assert str(shapes_markup(shapes)) == template.render(shapes=shapes)
    assert "<b>" not in shapes_markup([odd])


ADDRESSES = [
    TableAddress("t" * 22),
    TableAddress("t" * 22, "log", entry=3, before=9),
    TableAddress("t" * 22, "board", at="-3,4", kind="up_landscape", zoom="c4", so=("a", "b c", "é&"), move="h c4; é?"),
    TableAddress("t" * 22, "dispute", dispute=3, done=4),
    TableAddress("t" * 22, "board", dispute=3),
    AmendAddress("t" * 22, "amend", at="c4", do="insert", entry=3, late="h c4\n!h c5"),
]


EDITOR_ADDRESSES = [
    EditorAddress("x~here~", "position", at="c4", zoom="d5"),
    EditorAddress("x~here~", "position", brush="black-shop"),
    EditorAddress("x", "move", kind="up", move="~"),
]


def test_an_address_is_that_of_its_view(app: Flask) -> None:
    """An address has every parameter as Flask's `url_for` writes it."""
    with app.test_request_context():
        for there in ADDRESSES:
            given: dict[str, Any] = there.parameters()
            assert there.url() == url_for(f"web.{there.section}", table_id=there.table, **given)


def test_taps_differ_in_the_cell_alone(app: Flask) -> None:
    """The shared builder gives each cell the same address as the cell's own method."""
    with app.test_request_context():
        for there in (*ADDRESSES, *EDITOR_ADDRESSES):
            taps = there.spot_url_builder()
            for spot in ("c4", "-3,4", "yellow.small.0"):
                assert taps(spot) == there.spot_url(spot)


def test_what_somebody_typed_into_an_address_is_not_remembered() -> None:
    """Cells with a long address are written but not cached; the cache of groups is limited in bytes."""
    state = list(random_game(GAMES["villefranche"], Random(1)))[-1][0]
    drawing = Drawing.of(pages_of("villefranche").draw(state, "en"))

    def bytes_of_page() -> int:
        info = markup._cached_cell_link.cache_info()
        return info.hits + info.misses

    for length, kept_then in ((4_000, 0), (markup.LONGEST + 1, 0), (20, 1)):
        late, before = "/t/" + length * "x", bytes_of_page()
        cells = scene(drawing, Light(), None, late.__add__).cells
        assert all(f'href="{late}' in group.html for group in cells.groups)
        assert len(drawing.cells) == kept_then
        assert (bytes_of_page() > before) == bool(kept_then)
    for number in range(12):
        spots = [replace(spot, name=f"{number} {20_000 * 'x'}") for spot in drawing.board.spots[:40]]
        Layer.of("cells", [cell_link(spot, "/t/") for spot in spots])
    assert 0 < sum(2 * len(group.html) for group, _ in layers._group_cache._things.values()) <= layers.MAX_BYTES


def test_what_is_made_of_a_state_is_made_once() -> None:
    """The cache goes by the identity of a state, not its value, and holds at most the given number."""
    made: list[Any] = []

    @memoize_by_identity(2)
    def names(state: list[int], language: str) -> int:
        made.append((state, language))
        return len(made)

    one, same, third = [1], [1], [3]
    assert [names(one, "en"), names(one, "en"), names(one, "fr"), names(one, "en")] == [1, 1, 2, 1]
    assert [names(same, "en"), names(third, "en"), names(same, "en"), names(one, "en")] == [3, 4, 3, 5]


def test_a_board_is_drawn_once_for_all_who_look(
    visitor: Visitors, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All phones and sections share one drawing of a board, until the next entry."""
    pages, drawn_states = pages_of("villefranche"), []

    def draw(state: Any, *others: Any) -> Board:
        drawn_states.append(state)
        return pages.draw(state, *others)

    monkeypatch.setattr("web.pages.table_page.pages_of", lambda _: replace(pages, draw=draw))
    guest, other = visitor(), visitor()
    table = guest.sit(ledger, "villefranche/tower_decides", 9)
    key = guest.client.get_cookie("keys", path=table)
    assert key is not None
    other.client.set_cookie("keys", key.value, path=table)
    for path in (table, f"{table}?at=c4", f"{table}/score", f"{table}/moves"):
        guest.see(path)
        other.see(path)
    assert len(drawn_states) == 1
    assert guest.get(f"{table}?move=h+c4").status_code == 200
    assert len(drawn_states) == 2, "a move that is looked at is drawn over it"
    guest.send(guest.see(table).form("/rewind"))
    guest.see(table)
    assert len(drawn_states) == 3
