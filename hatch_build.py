"""What the build adds to the packages: the compiled catalogues of the pages' words, and a list of what runs.

Hatchling calls `initialize` for a wheel and for an editable installation alike. So a compiled catalogue is never
committed, and it is there wherever Bastide is installed. `make words` compiles with the same options.

`make wheel` writes the list first, and the wheel carries it (PEP 770).
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any, Final

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SBOM: Final = "build/sbom.json"
"""What `make sbom` writes, in CycloneDX."""


def compile_catalogue(words: Path) -> bytes:
    """A catalogue (`web/translations/<language>/LC_MESSAGES/messages.po`) as gettext reads it.

    Fuzzy entries are left out. Raises `babel.messages.pofile.PoFileError`.
    """
    with words.open("rb") as file:
        catalogue = read_po(file, locale=words.parents[1].name, abort_invalid=True)
    into = BytesIO()
    write_mo(into, catalogue)
    return into.getvalue()


class Additions(BuildHookInterface[BuilderConfig]):
    """Compiles every catalogue beside its source, and adds it and the list of what runs to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by Hatchling before it builds."""
        for words in sorted(Path(self.root).glob("web/translations/*/LC_MESSAGES/*.po")):
            target = words.with_suffix(".mo")
            data = compile_catalogue(words)
            if not target.exists() or target.read_bytes() != data:
                target.write_bytes(data)
            build_data["artifacts"].append(target.relative_to(self.root).as_posix())
        if version == "standard" and Path(self.root, SBOM).exists():
            build_data["sbom_files"].append(SBOM)
