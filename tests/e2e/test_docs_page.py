"""The API's documentation in a browser: anchors open folds, and the search shows entries with all its words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Phone

DOCS = "/api/v1/docs"


@pytest.mark.parametrize("script", [True, False])
def test_a_link_opens_what_it_leads_to(phone: Callable[..., Phone], script: bool) -> None:
    """A link from elsewhere or within the page opens its entry, with a script or without."""
    page = phone(script=script).open(f"{DOCS}#play")
    expect(page.locator("#play")).to_be_in_viewport()
    expect(page.locator("#search")).to_be_visible(visible=script)
    expect(page.locator("#openTable")).to_be_hidden()
    page.locator("#play a[href='#shape-Written']").first.click()
    expect(page.locator("#shape-Written")).to_be_in_viewport()


def test_a_search_leaves_what_has_all_the_words(phone: Callable[..., Phone]) -> None:
    """A search shows only entries with all its words, even shapes, or says that none has; emptied, it shows all."""
    page = phone().open(DOCS)
    entries, field = page.locator(".entry:visible"), page.locator("#search input")
    whole = entries.count()
    field.fill("redo  REWIND")
    expect(page.locator(".entry", has=page.locator("#rewind"))).to_be_visible()
    assert 0 < entries.count() < whole
    field.fill("AskRewind required")
    expect(page.locator(".entry", has_text="AskRewind").last).to_be_visible()
    field.fill("redo xyzzy")
    expect(page.locator("#search [role=status]")).to_have_text("Nothing has all of these words.")
    assert entries.count() == 0
    field.fill("")
    expect(entries).to_have_count(whole)
    expect(page.locator("#search [role=status]")).to_be_empty()
