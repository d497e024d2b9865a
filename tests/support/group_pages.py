"""Groups on the pages: founds one, and imports results."""

from __future__ import annotations

import io
import json
from typing import Any

from tests.support.document import Document
from tests.web.conftest import Visitor


def import_file(guest: Visitor, group: str, file: Any, page: Document | None = None) -> Any:
    """Send a file to a group; returns the answer."""
    fields = (page or guest.see(group)).form("/import")[1]
    content = file if isinstance(file, bytes) else json.dumps(file).encode()
    return guest.post(f"{group}/import", {**fields, "file": (io.BytesIO(content), "results.json")})


def found_group(guest: Visitor, name: str = "Tuesday") -> str:
    """Found a group; returns its address."""
    answer = guest.post(*_fill(guest.see("/g?of=groups").form("/g"), name=name))
    assert answer.status_code == 303, answer.text
    return str(answer.headers["Location"])


def _fill(form: tuple[str, dict[str, str]], **fields: str) -> tuple[str, dict[str, str]]:
    return form[0], {**form[1], **fields}
