"""The groups of the log on a page."""

from __future__ import annotations

import re

GROUP = re.compile(r'<h[23] class="turn">(.*?)</h[23]>\s*<ul class="log">(.*?)</ul>\n', re.DOTALL)
ROW = re.compile(r'id="e-(\d+)"')
TAGS = re.compile(r"<[^>]*>")


def groups_of(page: str) -> list[tuple[str, int, list[int]]]:
    """The groups of a page of the log: the title, the first number and all numbers of each."""
    found = [(title, [int(number) for number in ROW.findall(rows)]) for title, rows in GROUP.findall(page)]
    return [(" ".join(TAGS.sub(" ", title).split()), numbers[0], numbers) for title, numbers in found]


def open_entries(page: str) -> list[int]:
    """The entries that are open, by the row above each of them."""
    return [int(ROW.findall(before)[-1]) for before in page.split('<article class="entry" id="opened"')[:-1]]
