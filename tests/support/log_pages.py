"""The groups of the log on a page."""

from __future__ import annotations

import re

GROUP = re.compile(r'<h[23] class="turn">(.*?)</h[23]>\s*<ol class="log" reversed start="(\d+)">(.*?)</ol>', re.DOTALL)
TAGS = re.compile(r"<[^>]*>")


def grouped(page: str) -> list[tuple[str, int, list[int]]]:
    """The groups of a page of the log: what each is called, where it starts, and the numbers of its entries."""
    return [
        (" ".join(TAGS.sub(" ", title).split()), int(start), list(map(int, re.findall(r'id="e-(\d+)"', rows))))
        for title, start, rows in GROUP.findall(page)
    ]
