"""A made-up language: English with other vowels, under the code of Esperanto, which nothing else here uses.

``python -m tests.support.made_up_language FOLDER`` adds its files to a tree and changes none.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import tomli_w
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from hatch_build import compile_catalogue

CODE: Final = "eo"
NAME: Final = "Lingvo"
LANGUAGE: Final = {"name": NAME, "locale": CODE}
VOWELS: Final = str.maketrans("aeiouAEIOU", "ɑɛɨɔʉⱭƐƗƆɄ")
GAP: Final = re.compile(r"(\{[^}]*\}|%\(\w+\)\w|<[^>]*>)")
"""A placeholder or a tag in a text, which `mark` does not change."""
MESSAGES: Final = "web/translations/{}/LC_MESSAGES/messages.po"


def mark(text: Any) -> Any:
    """Translate a text, or every text of a table."""
    if isinstance(text, Mapping):
        return {name: mark(each) for name, each in text.items()}
    return "".join(part if GAP.fullmatch(part) else part.translate(VOWELS) for part in GAP.split(text))


def add_to(root: Path) -> list[Path]:
    """Add the files of the language to a tree; returns them. Raises `FileExistsError`."""
    return [*_toml_files(root), *_catalogue(root)]


def _toml_files(root: Path) -> Iterator[Path]:
    """Write the words of the service, and those of each game and its cases."""
    for english in sorted(root.glob("service/i18n/en.toml")) + sorted(root.glob("rules/*/*/en.toml")):
        words = mark(tomllib.loads(english.read_text(encoding="utf-8")))
        path = english.with_stem(CODE)
        with path.open("x", encoding="utf-8") as file:
            file.write(tomli_w.dumps(words | ({"language": LANGUAGE} if "language" in words else {})))
        yield path


def _catalogue(root: Path) -> Iterator[Path]:
    """Write the words of the pages, and compile them as an installation does."""
    with (root / MESSAGES.format("fr")).open("rb") as file:
        pages = read_po(file)
    made = Catalog(locale=CODE)
    for message in pages:
        if message.id:
            forms = message.id if isinstance(message.id, tuple) else None
            made.add(message.id, tuple(map(mark, forms)) if forms else mark(message.id), flags=message.flags)
    path = root / MESSAGES.format(CODE)
    path.parent.mkdir(parents=True)
    with path.open("xb") as file:
        write_po(file, made, width=120)
    path.with_suffix(".mo").write_bytes(compile_catalogue(path))
    yield path


if __name__ == "__main__":
    add_to(Path(sys.argv[1]))
