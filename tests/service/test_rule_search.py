"""Searching rules: which words are the same, which rules come first, and which line is shown."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import pytest

import rules
from service.i18n import sentences
from service.i18n.languages import LANGUAGES
from service.rulings import rule_search
from service.rulings.rule_search import MAX_FOUND, RuleMatch, look_up
from tests.support.api import V1, Api

every_game = pytest.mark.parametrize("game", rules.GAMES)
every_language = pytest.mark.parametrize("language", LANGUAGES)


def ids(found: tuple[RuleMatch, ...]) -> list[str]:
    """The ids of the rules found, in order."""
    return [one.rule for one in found]


def titles(game: str, language: str) -> Iterator[tuple[str, str]]:
    """Each rule of a game with its title."""
    for rule, told in sentences.words(language, game).text["rules"].items():
        yield rule, told["title"]


def plain(text: str) -> str:
    """A text without accents."""
    return "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))


@every_game
@every_language
def test_a_rule_is_found_by_its_title_and_its_id(game: str, language: str) -> None:
    """A rule's title, in any case and without accents, or its id finds it first."""
    named = dict(titles(game, language))
    missed = [
        (rule, asked)
        for rule, title in named.items()
        for asked in (title, title.upper(), plain(title), rule, rule.lower())
        if [named[found] for found in ids(look_up(game, asked, language))[:1]] != [title]
    ]
    assert missed == []


@pytest.mark.parametrize(
    ("language", "one", "others"),
    [
        ("fr", "église", ("eglise", "ÉGLISES", "églises", "e\u0301glise", "l’église")),
        ("fr", "noblesse", ("Noblesses",)),
        ("en", "church", ("Churches", "CHURCH")),
        ("en", "noble tower", ("towers, noble", "noble  towers?")),
    ],
)
def test_case_accents_plurals_and_marks_do_not_count(language: str, one: str, others: tuple[str, ...]) -> None:
    """Case, accents, plurals and punctuation do not matter."""
    expected = set(ids(look_up("villefranche", one, language)))
    assert expected
    for other in others:
        found = look_up("villefranche", other, language)
        assert set(ids(found)) - expected <= ({"VF-1", *ids(found)} if other.startswith("l’") else set()), other


def test_a_word_may_be_unfinished_while_it_is_typed() -> None:
    """The last word may be unfinished, from two letters on; a space ends it."""
    for typed in ("ci", "circ", "circula", "circulatio", "circulation"):
        assert "VF-21" in ids(look_up("villefranche", typed, "en")), typed
    assert look_up("villefranche", "c", "en") == ()
    assert look_up("villefranche", "circ ", "en") == ()


def test_rules_that_have_every_word_come_first_and_then_those_near_by_chapter() -> None:
    """Rules with every word come first: titles before texts before cases. The others follow, by the distance of their
    chapters.
    """
    found = look_up("villefranche", "second church", "en")
    assert (found[0].rule, found[0].line.of) == ("VF-43", "title")
    found = look_up("fief", "Any unmarried man can become a cardinal.", "en")
    assert (found[0].rule, found[0].has_all_words, found[0].line.of, found[0].line.name) == (
        "FI-53",
        True,
        "reading",
        "cardinal",
    )
    found = look_up("fief", "unmarried bishop cardinal", "en")
    wholes = [one.has_all_words for one in found]
    assert wholes == sorted(wholes, reverse=True) and not wholes[-1]
    book, chapters = rules.load("fief", "rulebook"), list(sentences.words("en", "fief").text["chapters"])
    places = [chapters.index(book[one.rule]["chapter"]) for one in found]
    away = [abs(place - places[0]) for place, one in zip(places, found, strict=True) if not one.has_all_words]
    assert away == sorted(away)


@every_game
@every_language
def test_at_most_ten_rules_each_once_with_the_line_that_matched(game: str, language: str) -> None:
    """At most ten rules are found, once each, with one of their lines, in which the match is marked."""
    for asked in ("a", "la tour de la ville", "of the game", "points", "?", "", "22"):
        found = look_up(game, asked, language)
        assert len(found) <= MAX_FOUND
        assert len(set(ids(found))) == len(found)
        for one in found:
            assert "".join(part for part, _ in one.parts) == one.line.text
            assert any(marked for _, marked in one.parts)


# --- search in the other language ----------------------------------------------------------------------------------


def foreign(game: str, language: str) -> list[tuple[str, str]]:
    """Each rule of a game with its title in the other languages."""
    return [title for other in LANGUAGES if other != language for title in titles(game, other)]


@every_game
@every_language
def test_a_rule_is_found_by_its_title_in_the_other_language(game: str, language: str) -> None:
    """A rule is found by its title in the other language, too, since a player may have that printed book."""
    missed = [asked for rule, asked in foreign(game, language) if rule not in ids(look_up(game, asked, language))]
    assert missed == []


def test_in_one_language_alone_most_of_them_are_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: in one language alone, most of these titles are not found."""
    monkeypatch.setattr(rule_search, "LANGUAGES", ("en",))
    asked = foreign("villefranche", "en")
    assert sum(rule not in ids(look_up("villefranche", title, "en")) for rule, title in asked) > len(asked) / 2


@every_game
@every_language
def test_the_words_of_the_readers_language_come_first(game: str, language: str) -> None:
    """Among rules with all words, and among the others, those that match in the reader's language come first. The line
    is in that language, and each rule comes once.
    """
    both = [title for each in LANGUAGES for _, title in titles(game, each)][::3]
    seen = set()
    for asked in (*both, "points", "construction", "position", "tour", "a tower"):
        found = look_up(game, asked, language)
        assert len(set(ids(found))) == len(found)
        order = [(not one.has_all_words, one.language != language) for one in found]
        assert order == sorted(order), asked
        seen |= set(order)
        for one in found:
            words = sentences.words(one.language, game).text["rules"][one.rule]
            assert one.line.of not in words or words[one.line.of] == one.line.text
    assert {(False, False), (False, True)} <= seen


def test_a_letter_of_the_other_language_is_no_word() -> None:
    """A single letter of the other language finds nothing, and its articles are ignored."""
    assert look_up("villefranche", "c", "en") == ()
    assert look_up("villefranche", "l’église", "en") == look_up("villefranche", "église", "en") != ()


def test_what_is_nowhere_is_not_found() -> None:
    """A word that no rule has finds nothing; with another word, it makes the matches partial."""
    assert look_up("villefranche", "xyzzy", "en") == ()
    found = look_up("villefranche", "xyzzy rampart", "en")
    assert found and not any(one.has_all_words for one in found)


def test_the_api_finds_rules_and_tells_them_in_the_language_of_the_answer(api: Api) -> None:
    """A result has the rule, its chapter and a line, in the response's language; empty or long searches are 422."""
    for spoken, asked, title in (("en", "circulation", "Circulation"), ("fr", "eglises", "Une deuxième église")):
        path = f"{V1}/games/villefranche/search?q={asked}"
        found = api.get(path, headers={"Accept-Language": spoken}).get_json()
        assert found["q"] == asked
        assert title in [result["title"] for result in found["results"]]
        assert all(result["line"]["text"] and result["chapter"]["title"] for result in found["results"])
        assert {result["line"]["language"] for result in found["results"]} == {spoken}
    found = api.get(f"{V1}/games/villefranche/search?q=churches", headers={"Accept-Language": "fr"}).get_json()
    words = sentences.words("fr", "villefranche").text["rules"]
    assert {result["line"]["language"] for result in found["results"]} == {"en"}
    assert all(
        words[result["rule"]].items() >= {("title", result["title"]), ("text", result["text"])}
        for result in found["results"]
    )
    for query in ("", "?q=", "?q=%20", "?q=" + "x" * 101, "?q=a&q2=b"):
        assert api.get(f"{V1}/games/villefranche/search{query}").status_code == 422, query
    assert api.get(f"{V1}/games/chess/search?q=mate").status_code == 404
