"""Every game's texts: complete in every language, and with words for everything that its rules can report."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain, cycle
from random import Random
from typing import Any

import pytest

import rules
from rules.kernel import SAME_CELL, Bounds, Effect, Facts, Finding
from service.cases import worked_cases
from service.i18n.game_texts import rule_text
from service.i18n.languages import LANGUAGES
from service.i18n.sentences import SENTENCES, fill, words
from tests.rules.play import EVERY_GAME, AnyGame, often
from tests.support.case_states import cases
from tests.support.heard_sentences import FEW, listened_to, number_of_words, placeholders, problems_of_cases, text_of
from tests.support.loops import over

PLURAL = {"one", "other"}
LONGEST = 300
PLAYED, HEARD_GAMES = 20, often(1500)
"""How many random games of each game are listened to, and until how many turns."""
RUN_ON = re.compile(r"\d (to|à) \d+ (to|à) \d")
"""Numbers that run into each other, so that a reader cannot pair them."""

ONE_OF_MANY = re.compile(
    r"(?<![\d,.-])\b1[\s\u00a0\u202f](?!(?:fois|voix|dans|sous|sans|vers|plus|moins|pas|des|après)\b)\w+[sx]\b"
    r"|\b1 des [^.:;]*\b(?:ont|sont|\w+ent)\b"
)
"""A French 1 with a plural: "1 tours", "1 des nouveaux chevaliers doivent"."""


games = pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)
languages = pytest.mark.parametrize("language", LANGUAGES)


def leaves(table: Mapping[str, Any], *path: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The path of each text of a table, and the text: several if it has plural forms."""
    for key, value in table.items():
        if isinstance(value, str):
            yield (*path, key), (value,)
        elif value.keys() == PLURAL:
            yield (*path, key), tuple(value.values())
        else:
            yield from leaves(value, *path, key)


@games
def test_languages_have_the_same_keys(game: AnyGame) -> None:
    """All languages have the same texts."""
    keys = [{path for path, _ in leaves(text_of(game, language))} for language in LANGUAGES]
    assert all(found == keys[0] for found in keys), keys[0].symmetric_difference(*keys[1:])


@games
def test_languages_use_the_same_values(game: AnyGame) -> None:
    """A text and its plural forms have the same placeholders in every language."""
    first, *others = (dict(leaves(text_of(game, language))) for language in LANGUAGES)
    for path, texts in over(first.items()):
        names = placeholders(texts[0])
        for text in over((*texts, *(form for other in others for form in other[path]))):
            assert placeholders(text) == names, path


@games
@languages
def test_two_numbers_with_bounds_are_told_apart(game: AnyGame, language: str) -> None:
    """Two ranges in a sentence can be told apart: 3–9 to 1–4, and not 3 to 9 to 1 to 4."""
    said = words(language, game.id)
    bounds = [said.render_value(each) for each in (Bounds(3, 9), Bounds(1, 4))]
    filled = [
        fill(language, text, dict(zip(sorted(placeholders(text)), cycle(bounds), strict=False)))
        for _, texts in leaves(text_of(game, language))
        for text in texts
    ]
    assert [whole for whole in filled if RUN_ON.search(whole)] == []
    assert any(str(bounds[0]) in whole for whole in filled)


@games
@languages
def test_no_sentence_of_play_has_a_colour_in_it(game: AnyGame, language: str) -> None:
    """No sentence contains a colour: it is a value, so that players are called by their names."""
    text = text_of(game, language)
    tables = {
        name: text.get(name, {}) for name in ("findings", "effects", "due", "ended", "foretold", "lines", "changes")
    }
    colour = re.compile(rf"\b(?:{'|'.join(text['colours'].values())})\b")
    assert [path for path, texts in leaves(tables) if any(map(colour.search, texts))] == []


@games
@languages
def test_every_rule_is_restated(game: AnyGame, language: str) -> None:
    """Exactly the rulebook's rules have a title, a text and a printed place; some also a reason."""
    restated = text_of(game, language)["rules"]
    assert restated.keys() == rules.load(game.id, "rulebook").keys()
    assert all(rule.keys() - {"why"} == {"title", "text", "printed"} for rule in restated.values())


@games
@languages
def test_every_reading_is_explained(game: AnyGame, language: str) -> None:
    """Every reading has a title, a reason and a line for each value."""
    explained = text_of(game, language).get("readings", {})
    assert explained.keys() == {reading.key for reading in game.readings}
    for reading in game.readings:
        assert explained[reading.key].keys() == {"title", "why", "values"}
        assert explained[reading.key]["values"].keys() == set(reading.values)


@games
@languages
def test_kinds_and_colours_have_names(game: AnyGame, language: str) -> None:
    """Every kind of move and every colour has a name, and every kind an explanation of its notation."""
    found = text_of(game, language)
    assert found["kinds"].keys() == game.kinds.keys()
    assert found["colours"].keys() == set(game.seats)
    assert found["notation"].keys() >= game.kinds.keys()


@games
@languages
def test_texts_are_short(game: AnyGame, language: str) -> None:
    """No text is empty or longer than a short paragraph."""
    for path, texts in over(leaves(text_of(game, language))):
        for text in over(texts):
            assert text == text.strip() and 0 < len(text) <= LONGEST, path


@games
@languages
def test_labels_and_hints_have_few_words(game: AnyGame, language: str) -> None:
    """Names of moves, form labels and values of readings have at most twelve words."""
    text = text_of(game, language)
    asked = [
        text["kinds"],
        text.get("opening", {}),
        *({"title": one["title"], **one["values"]} for one in readings(text)),
    ]
    for path, texts in over(chain.from_iterable(map(leaves, asked))):
        assert all(number_of_words(each) <= FEW for each in texts), (path, texts)


def readings(text: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The texts of a game's readings."""
    return list(text.get("readings", {}).values())


@games
@languages
def test_sentences_end_with_a_full_stop(game: AnyGame, language: str) -> None:
    """Sentences end with a full stop; headings, labels, names and words on the board need not."""
    found = text_of(game, language)
    lines = {"board", "chapters", "lines", "near", "opening", "phrases", "result", "styles", "things", "unknown"}
    plain = SENTENCES - lines - {"onward"}
    for path, texts in over(leaf for table in plain & found.keys() for leaf in leaves(found[table], table)):
        assert path[-1] in ("title", "printed") or all(text.endswith(".") for text in texts), path


@games
def test_french_marks_keep_to_their_words(game: AnyGame) -> None:
    """French punctuation has no-break spaces before ``: ; ? »`` and after ``«``."""
    for path, texts in over(leaves(text_of(game, "fr"))):
        assert not [text for text in texts if re.search(r"(?<=\S) (?=[;?»]|:(?:\s|$))|« ", text)], path


@games
@languages
def test_findings_belong_to_rules(game: AnyGame, language: str) -> None:
    """Every finding and effect belongs to a rule of the rulebook."""
    rulebook, found = rules.load(game.id, "rulebook").keys(), text_of(game, language)
    assert {
        key.partition(".")[0]
        for table in ("findings", "effects", "decisions", "changes", "foretold")
        for key in found.get(table, ())
    } <= rulebook


def said_in_case(game: AnyGame, case: Mapping[str, Any], book: Mapping[str, Any]) -> Iterator[Finding | Effect]:
    """The findings and effects of a worked case."""
    state, move = worked_cases.stage(game, case, book), game.read(case["move"])
    yield from game.check(state, move).findings
    if game.cannot_stand(state, move) is None:
        yield from game.effects(state, move, game.apply(state, move))


DECISIONS = {
    "FI-50": "FI-50.legal_card",
    "FI-54": "FI-3.phase_card",
    "FI-56": "FI-3.phase_family",
    "FI-94": "FI-94.regent",
    "VP-21": "VP-21.goes_on",
    "VF-35": "VF-35.now",
    "RK-21": "RK-21.stay",
}
"""Our decisions where the printed rules leave a question open: rule -> key of its sentence."""


@languages
def test_each_decision_is_one_that_a_ruling_names(language: str) -> None:
    """Each of our decisions has a sentence."""
    told = {key for game in EVERY_GAME for key in text_of(game, language).get("decisions", {})}
    assert set(DECISIONS.values()) <= told


@pytest.mark.parametrize(
    ("game", "key"), [(game, key) for game in EVERY_GAME for key in text_of(game, "en").get("decisions", {})]
)
@languages
def test_a_ruling_names_our_decisions(game: AnyGame, key: str, language: str) -> None:
    """Some worked case of its rule names the decision in its ruling, and another does not."""
    book, speech = rules.load(game.id, "cases"), words(language, game.id)
    sentence = text_of(game, language)["decisions"][key]
    assert sum(key in text_of(game, language)[table] for table in ("findings", "effects")) == 1
    rule, _, code = key.partition(".")
    named = []
    for case in book["case"]:
        if case["id"].split("/")[0] == rule and "move" in case:
            said = [each for each in said_in_case(game, case, book) if (each.rule, each.facts.code) == (rule, code)]
            named.append(bool(said))
            for each in said:
                whole = speech.finding_text(each) if isinstance(each, Finding) else speech.effect_text(each)
                assert whole.endswith(f". {sentence}") or placeholders(sentence)
    assert {True, False} == set(named)


@games
def test_french_words_agree_with_one(game: AnyGame) -> None:
    """In no worked case does a French sentence have 1 with a plural."""
    book, speech = rules.load(game.id, "cases"), words("fr", game.id)
    cases_of_moves = [case for case in book["case"] if "move" in case]
    for each in over(each for case in cases_of_moves for each in said_in_case(game, case, book)):
        sentence = speech.finding_text(each) if isinstance(each, Finding) else speech.effect_text(each)
        assert not ONE_OF_MANY.search(sentence)


@pytest.mark.parametrize(
    ("game", "table", "key", "name"),
    [
        ("architekton", "findings", "AR-12", "touching"),
        ("architekton", "findings", "AR-12.legal", "touching"),
        ("fief", "effects", "FI-50.lost", "n"),
        ("robber_knights", "findings", "RK-12", "n"),
    ],
)
@languages
def test_a_number_of_a_sentence_without_a_plural_stands_alone(
    game: str, table: str, key: str, name: str, language: str
) -> None:
    """No word follows a number that may be one, so that none has to agree with it."""
    for number in (1, 2):
        assert re.search(rf"\b{number}\b(?! *\w)", words(language, game).say(table, key, {name: number}))


@games
@languages
def test_what_comes_is_said_of_what_is_due(game: AnyGame, language: str) -> None:
    """Each code with a text for an upcoming phase or turn also has one for the current turn."""
    found = text_of(game, language)
    said = [key.partition(".") for key in found.get("onward", ())]
    assert {code for code, _, _ in said} <= found["due"].keys()
    assert {how for _, _, how in said} <= {"", "turn", "skip"}


@games
@languages
def test_a_code_means_one_thing(game: AnyGame, language: str) -> None:
    """A code has one name only, as codes are replaced by their value alone."""
    found = text_of(game, language)
    names = [code for key, table in found.items() if isinstance(table, dict) and key not in SENTENCES for code in table]
    assert len(names) == len(set(names))


# --- words for all that the rules report -------------------------------------------------------------------------


@games
def test_whatever_the_rules_say_has_words(game: AnyGame) -> None:
    """Everything said in random games, of legal and illegal moves, is a whole sentence in every language."""
    rng = Random(game.id)
    known: list[str] = []
    turns = iter(range(HEARD_GAMES))
    played = chain.from_iterable(listened_to(game, rng, known, turns) for _ in range(PLAYED))
    heard = set()
    for table, key, values in chain(played, problems_of_cases(game)):
        heard.add(table)
        for language in LANGUAGES:
            assert key in text_of(game, language)[table], f"{table}: {key}"
            assert placeholders(text_of(game, language)[table][key]) <= values.keys(), f"{table}: {key}"
            sentence = words(language, game.id).say(table, key, values, replace_codes=table != "malformed")
            assert sentence and not {"{", "}"} & set(sentence), sentence
    assert heard >= {"findings", "due", "ended", "malformed", "lines", "ranking"}


@games
@pytest.mark.parametrize(("language", "cell"), [("en", "the same cell"), ("fr", "la même case")])
def test_a_game_may_have_words_of_its_own_for_its_cells(game: AnyGame, language: str, cell: str) -> None:
    """A game may have its own words for "the same cell"; the others use the general ones."""
    own = text_of(game, language)["near"].get(SAME_CELL, cell)
    assert words(language, game.id).near_move_text((Facts(SAME_CELL),)).lower().startswith(own)


@games
def test_every_rule_has_its_chapter_and_every_chapter_a_rule(game: AnyGame) -> None:
    """The chapters have titles in every language, in the same order, and each has a rule."""
    orders = [list(rules.load(game.id, f"text/{language}")["chapters"]) for language in LANGUAGES]
    assert all(order == orders[0] for order in orders)
    assert {rule["chapter"] for rule in rules.load(game.id, "rulebook").values()} == set(orders[0])


@games
@languages
def test_every_case_has_its_line_in_every_language(game: AnyGame, language: str) -> None:
    """Each case has exactly one line in every language, and there are no other lines."""
    lines = rules.load(game.id, f"case_text/{language}")
    assert set(lines) == {case["id"] for case in cases(game)}
    assert [name for name, line in lines.items() if not line.strip() or "\n" in line] == []


@games
@languages
def test_the_rulebook_says_where_a_rule_is_printed_and_why_it_is_not_enforced(game: AnyGame, language: str) -> None:
    """Each rule has its printed place, and a reason if it is not enforced."""
    book = rules.load(game.id, "rulebook")
    texts = {rule: rule_text(game.id, rule, language) for rule in book}
    assert [rule for rule, words in texts.items() if not words["printed"] or words.get("why") == ""] == []
    assert [rule for rule, entry in book.items() if entry["status"] != "enforced" and "why" not in texts[rule]] == []
