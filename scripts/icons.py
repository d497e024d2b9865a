"""Draws the icons of the installed pages from `web/static/icon.svg` (`make icons`).

Phones need pixels: two sizes of the drawing, and two whose ground fills the square, which the phone crops to its own
shape. Reads CHROMIUM (the path of a browser).
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Final

from playwright.sync_api import ViewportSize, sync_playwright

STATIC: Final = Path(__file__).parents[1] / "web" / "static"
SIZES: Final = {"icon-192.png": 192, "icon-512.png": 512, "icon-filled-180.png": 180, "icon-filled-512.png": 512}
"""File -> pixels on each side."""
SHRUNK: Final = "translate(10 10) scale(.8)"
FLAGS: Final = ["--headless", "--no-sandbox", "--disable-gpu"]


def drawing(*, filled: bool) -> str:
    """The icon; `filled` without its round corners, and the tower within the circle that every phone keeps."""
    svg = (STATIC / "icon.svg").read_text(encoding="utf-8")
    if not filled:
        return svg
    return re.sub(r' rx="\d+"', "", svg, count=1).replace("<path ", f'<path transform="{SHRUNK}" ')


def draw() -> None:
    """Draw every icon."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=os.environ.get("CHROMIUM"), args=FLAGS)
        for name, side in SIZES.items():
            page = browser.new_page(viewport=ViewportSize(width=side, height=side))
            svg = drawing(filled="filled" in name)
            page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{svg}")
            page.screenshot(path=STATIC / name, omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    draw()
    sys.stdout.write("".join(f"{name}: {(STATIC / name).stat().st_size} bytes\n" for name in SIZES))
