"""Counting in a browser: a picture is tapped, and the totals are read."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import Page, expect


def choose(page: Page, pick: str) -> None:
    """Tap a picture, by its group and its name, and wait for its effect: a second tap would replace it."""
    group, name = pick.split("/", 1)
    before = page.locator("#link").input_value()
    page.get_by_role("list", name=group, exact=True).get_by_role("link", name=name, exact=True).click()
    expect(page.locator("#link")).not_to_have_value(before)


def counts(page: Page, points: Sequence[int]) -> None:
    """Assert these totals at the foot of the page, and on the sheet."""
    expect(page.locator(".totals .points")).to_have_text([str(point) for point in points])
    expect(page.locator(".sheet .total")).to_have_text([str(point) for point in points])
