"""Names with markup or code: all stay text."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from tests.support.document import Document
from tests.support.loops import over
from tests.web.conftest import PART, Visitor

NAMES = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    '" hx-get="/x" hx-trigger="load',
    "</title><script>alert(1)//",
    "{{ 7*7 }}{% raw %}",
    "${7*7} #{7*7} <%= 7*7 %>",
    "%(who)s %s %d {0} {who}",
    "javascript:alert(1)",
    "&lt;b&gt;&amp;#60;",
    "<a href=//evil.example>x</a>",
    "]]><!--",
    "--!><x>",
    "é😀 Ünï 漢字 ﷺ",
    "مرحبا",
    "Zoë\u200dé",
    "a\u0301" * 20,
    "O’Brien \\ / \\n",
    "-1 OR 1=1 --",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_text(visitor: Callable[..., Visitor], name: str) -> None:
    """No player's name adds an element or an attribute to a page, whatever the name contains."""
    shown, plain = visitor(), visitor()
    table = shown.post("/", {"game": "villefranche", "name-black": name})
    if table.status_code == 422:
        # A refused name comes back as text in its field.
        assert Document(table.text).form("/")[1]["name-black"] == name
        return
    path, other = table.headers["Location"], plain.open(**{"name-black": "Anne"})
    for page in ("", "?done=1", "/score?show=VF-60.black", "/moves", "/share", "/join"):
        one, two = Document(shown.get(path + page).text), Document(plain.get(other + page).text)
        assert [tag for tag, _ in one.elements] == [tag for tag, _ in two.elements], page
        assert [sorted(found) for _, found in one.elements] == [sorted(found) for _, found in two.elements], page
    assert shown.get(path, **PART).status_code == 200
    home = Document(shown.get("/").text)
    assert {"a", "html"} <= {tag for tag, _ in home.elements}
    assert all(
        (found.get("src") or "").startswith(("/assets/", f"{path}/board.svg?v=")) or found.get("id") == "page-data"
        for tag, found in home.elements
        if tag in ("script", "img")
    )


def test_a_picture_is_only_a_picture(visitor: Callable[..., Visitor]) -> None:
    """A board's picture is XML that loads no file and runs no script."""
    from rules import GAMES
    from tests.rules.play import setups
    from web.board_image import picture
    from web.games import all_pages

    for game in over(all_pages()):
        state = GAMES[game].setup(setups(game)[0])
        drawn = picture(game, state, "fr")
        assert drawn is not None
        root = ElementTree.fromstring(drawn)  # noqa: S314 - our own
        for element in root.iter():
            assert element.tag.rpartition("}")[2] not in ("script", "style", "image", "foreignObject")
            assert not any(name.startswith("on") or name == "style" for name in element.attrib)
            assert element.attrib.get("href", "#").startswith("#")
