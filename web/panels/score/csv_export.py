"""CSV for spreadsheets, without formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Final

FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")
"""The prefixes of a cell that a spreadsheet takes for a formula (OWASP, CSV injection)."""


BOM: Final = "\ufeff"
"""The prefix by which Excel recognises UTF-8: without it, accents are broken there. Other programs skip it."""


def as_csv(rows: Iterable[Iterable[str | int | None]]) -> str:
    """Rows as the text of a CSV file (RFC 4180), after a `BOM`: a text that would be a formula has an apostrophe before
    it, None is an empty cell.
    """
    output = io.StringIO()
    output.write(BOM)
    csv.writer(output).writerows([_escape_formula(cell) for cell in row] for row in rows)
    return output.getvalue()


def _escape_formula(cell: str | int | None) -> str | int | None:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULAS) else cell
