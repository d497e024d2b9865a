"""The estimated width of text without a font: never less than drawn."""

from __future__ import annotations

import pytest

from web.board.lettering import fit_text, width, wrap_text

WIDTHS = {
    "Marie-Claire": 7.08,
    "Emmanuelle": 7.15,
    "W" * 40: 44.0,
    "Jim": 1.75,
    "ŒUVRE": 4.54,
    "Щукина-Ждан": 8.9,
    "漢字": 2.0,
    "שרה": 1.97,
    "😀👍": 2.7,
    "e\u0301\u0302\u0303": 0.68,
}
"""Text -> its width in bold DejaVu Sans, or in the usual font of its script, in units of the font size."""


@pytest.mark.parametrize(("text", "drawn"), WIDTHS.items(), ids=list(WIDTHS))
def test_a_line_is_taken_to_be_as_wide_as_it_is(text: str, drawn: float) -> None:
    """The estimate is at least the drawn width, and less than 1.8 times it; regular type is narrower."""
    assert drawn <= width(text) < 1.8 * drawn
    assert 0.9 * drawn <= width(text, bold=False) < width(text)


def test_a_line_is_made_smaller_until_it_fits() -> None:
    """A line shrinks to the smallest size, then is cut, but not between a letter and its accents, or after a joiner."""
    assert fit_text("Ada", 100, 20, 10) == ("Ada", 20)
    text, size = fit_text("Marie-Claire", 100, 20, 10)
    assert (text, 100 - width(text) * size < 1) == ("Marie-Claire", True)
    assert fit_text("Marie-Claire", 60, 20, 10) == ("Marie…", 10)
    assert fit_text("e\u0301" * 20, 65, 20, 10) == ("e\u0301" * 7 + "…", 10)
    assert fit_text("👨\u200d👩\u200d👧", 40, 20, 10)[0] == "👨\u200d👩…"


def test_a_long_sentence_is_broken_between_words() -> None:
    """A sentence breaks between words; a word that is too long has its own line."""
    assert wrap_text("Ada and Bruno win together", 100, 10) == ["Ada and Bruno", "win together"]
    assert wrap_text("Ada WWWWWWWWWWWWW wins", 100, 10) == ["Ada", "WWWWWWWWWWWWW", "wins"]
