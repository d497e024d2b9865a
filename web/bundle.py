"""A script of the pages in one file, after the modules that it imports, so that a browser sends one request.

A module that exports nothing is a block of its own. Those that export share their names with the whole bundle:
`tests/web/test_scripts.py` checks that none has two meanings.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from rules.caches import cache

STATIC: Final = Path(__file__).with_name("static")
IMPORT: Final = re.compile(r'^import [^"]*"\./([\w.-]+)";\n', re.MULTILINE)
EXPORT: Final = re.compile(r"^export (?!default)", re.MULTILINE)


def modules(name: str, before: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The file names of a script's modules: each once, after those that it imports, itself last."""
    found = before
    for other in IMPORT.findall(STATIC.joinpath(name).read_text(encoding="utf-8")):
        if other not in found:
            found = modules(other, found)
    return (*found, name)


@cache()
def bundle(name: str) -> bytes:
    """A script and its imports as one file: a script with its own scope, or a module if it exports a default."""
    if name.endswith(".min.js"):
        return STATIC.joinpath(name).read_bytes()
    whole = "".join(_part(STATIC.joinpath(each).read_text(encoding="utf-8")) for each in modules(name))
    return (whole if "export default" in whole else f'"use strict";\n{{\n{whole}}}\n').encode()


def _part(text: str) -> str:
    """A module as it stands in a bundle."""
    text = IMPORT.sub("", text)
    return EXPORT.sub("", text) if re.search(r"^export ", text, re.MULTILINE) else f"{{\n{text}}}\n"
