"""What a phone installs and keeps of the pages, and what it may choose from while nothing can be asked."""

from __future__ import annotations

import struct
from collections.abc import Callable

import pytest

from tests.web.conftest import Document, Visitor

Visitors = Callable[..., Visitor]
LANGUAGES = ("en", "fr")


def linked(page: Document, rel: str) -> str:
    """Where a link of this kind leads."""
    (found,) = (attributes["href"] for tag, attributes in page.elements if tag == "link" and attributes["rel"] == rel)
    return found or ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_can_be_installed(language: str, visitor: Visitors) -> None:
    """The manifest speaks the page's language and is kept for good; each icon is there, as large as it says."""
    guest = visitor(language)
    answer = guest.get(linked(guest.see("/"), "manifest"))
    assert answer.mimetype == "application/manifest+json"
    assert answer.headers["Cache-Control"].endswith("immutable")
    told = answer.get_json(force=True)
    assert (told["lang"], told["start_url"], told["display"]) == (language, "/", "standalone")
    assert ("judges" in told["description"]) == (language == "en")
    sizes = {(icon["purpose"], icon["sizes"]) for icon in told["icons"]}
    assert {("any", "192x192"), ("any", "512x512"), ("maskable", "512x512")} <= sizes
    for icon in told["icons"]:
        with guest.get(icon["src"]) as picture:
            assert picture.mimetype == icon["type"]
            if icon["type"] == "image/png":
                assert "{}x{}".format(*struct.unpack(">II", picture.data[16:24])) == icon["sizes"]


def test_a_phone_finds_an_icon_without_a_manifest(visitor: Visitors) -> None:
    """The icon for phones that read no manifest is there."""
    guest = visitor()
    with guest.get(linked(guest.see("/"), "apple-touch-icon")) as picture:
        assert picture.status_code == 200
        assert picture.data.startswith(b"\x89PNG")
