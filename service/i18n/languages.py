"""The languages that Bastide speaks: one for each file ``<language>.toml`` beside this module.

`service.i18n.grammar` reads such a file. A further language is this file,
``web/translations/<language>/LC_MESSAGES/messages.po``, and of each game ``text/<language>.toml`` and
``case_text/<language>.toml``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
DEFAULT_LANGUAGE: Final = "en"
"""The language without a preference, in which the sources of the pages are written."""
LANGUAGES: Final = (
    DEFAULT_LANGUAGE,
    *sorted(path.stem for path in HERE.glob("*.toml") if path.stem != DEFAULT_LANGUAGE),
)


def known_language(tag: str) -> str | None:
    """The installed language for a tag such as ``fr-CH`` or a locale such as ``fr_CH.UTF-8``, if there is one."""
    code = re.split(r"[-_.@]", tag, maxsplit=1)[0].lower()
    return code if code in LANGUAGES else None
