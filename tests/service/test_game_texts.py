"""The texts of a game from another package: its languages, and the place where texts were until 0.2.0."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules
from service.i18n.game_texts import case_sentence, game_text, rule_text

BESIDE = '[G-1]\nprinted = { en = "Page 2", fr = "À la page 2" }\n\n[G-2]\nwhy = { en = "None." }\n'
ENGLISH = 'name = "Guest"\n\n[rules.G-1]\ntitle = "One"\n\n[rules.G-3]\nprinted = "Page 3"\n'


@pytest.fixture
def guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game of another package with English texts only, some of them in its rulebook."""
    name = f"guest_of_{tmp_path.name}"  # texts are cached by game
    folder = tmp_path / name
    (folder / "text").mkdir(parents=True)
    (folder / "case_text").mkdir()
    for path, text in (
        ("__init__.py", ""),
        ("rulebook.toml", f"{BESIDE}\n[G-3]\n"),
        ("text/en.toml", ENGLISH),
        ("case_text/en.toml", '"G-1/2" = "Two."\n'),
    ):
        (folder / path).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(rules, "PACKAGES", {name: name})
    return name


def test_a_game_without_a_language_is_told_in_english(guest: str) -> None:
    """A game without a language uses its English texts, so that a new language does not break it."""
    assert game_text(guest, "fr")["name"] == "Guest"
    assert rule_text(guest, "G-3", "fr") == {"printed": "Page 3"}
    assert case_sentence(guest, {"id": "G-1/2"}, "fr") == "Two."


def test_a_game_that_has_no_english_is_not_passed_over(guest: str) -> None:
    """A missing English file is named."""
    with pytest.raises(FileNotFoundError, match=r"none.en\.toml"):
        rules.load(guest, "none/en")
    with pytest.raises(KeyError, match="G-9/1"):
        case_sentence(guest, {"id": "G-9/1"}, "en")


@pytest.mark.parametrize(("language", "printed", "said"), [("en", "Page 2", "Yes."), ("fr", "À la page 2", "Oui.")])
def test_sentences_beside_rules_and_cases_are_read_until_0_2_0(
    guest: str, language: str, printed: str, said: str
) -> None:
    """Texts in the rulebook and in cases, as before there were files per language, are read with a warning that names
    the file.
    """
    with pytest.warns(DeprecationWarning, match=f"text/{language}.toml"):
        assert rule_text(guest, "G-1", language) == {"title": "One", "printed": printed}
    with pytest.warns(DeprecationWarning, match=f"text/{language}.toml"):
        assert rule_text(guest, "G-2", language) == {"why": "None."}
    with pytest.warns(DeprecationWarning, match=f"case_text/{language}.toml"):
        assert case_sentence(guest, {"id": "G-1/1", "en": "Yes.", "fr": "Oui."}, language) == said
