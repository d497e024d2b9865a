"""A photo under the board: the pages that offer it, under the same content security policy."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from tests.support.document import Document
from tests.web.conftest import Visitor


def scripts(page: Document) -> set[str]:
    """The names of the files that a page loads."""
    return {urlsplit(path).path.rpartition("/")[2] for path in page.files()}


def test_only_where_positions_are_entered(visitor: Callable[..., Visitor]) -> None:
    """Counts, questions and the page for a table's board offer the photo, and no form sends it."""
    guest = visitor()
    table = guest.open()
    here = guest.get(f"{table}/here").location or ""
    asked = guest.get(f"{table}/what-if").location or ""
    for path in ("/count/villefranche", "/ask/villa_paletti", here, asked):
        page = guest.see(path)
        assert {"photo.js", "photo.css"} <= scripts(page), path
        (control,) = (found for tag, found in page.elements if tag == "input" and found.get("type") == "file")
        assert "name" not in control
        assert all("enctype" not in found for _, found in page.elements)
    for path in ("/", table, f"{table}/moves", "/rules/villefranche"):
        assert not {"photo.js", "photo.css"} & scripts(guest.see(path)), path


def test_without_a_script_it_is_not_shown(visitor: Callable[..., Visitor]) -> None:
    """The style sheet hides the control unless scripts run."""
    guest = visitor()
    (address,) = (path for path in guest.see("/count/villefranche").files() if "/photo.css" in path)
    with guest.get(address) as sheet:
        styles = sheet.get_data(as_text=True)
    assert re.search(r"\.photo\{[^}]*display:none", styles)
    assert "[data-photo]:not([data-photo=none]) .photo{display:block}" in styles  # a script sets it
    assert "@media (scripting:none){.of-photo{display:none}}" in styles


def test_the_policy_allows_no_more_than_elsewhere(visitor: Callable[..., Visitor]) -> None:
    """Pages with the photo have the policy of all others, without `blob:`."""
    guest = visitor()
    policies = {guest.get(path).headers["Content-Security-Policy"] for path in ("/", "/count/villefranche")}
    (policy,) = policies
    assert "blob:" not in policy
