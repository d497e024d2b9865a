"""The service's own texts: both languages have the same ones with the same values; and how sentences are built."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rules
import service
from rules.changes import Change
from rules.kernel import Due, Effect, Facts, Finding, Piece
from rules.robber_knights.state import Player, Setup
from rules.styled_name import StyledName
from service.http.problems import PROBLEMS
from service.i18n import sentences
from service.i18n.grammar import close_apposition, series, service_words
from service.i18n.languages import DEFAULT_LANGUAGE, LANGUAGES
from service.validation import FieldError
from tests.support.loops import over

GAME = rules.GAMES["villefranche"]


def leaves(text: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every text, with its path."""
    if isinstance(text, str):
        yield path, text
    else:
        for name, inner in text.items():
            yield from leaves(inner, (*path, name))


def values(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_language_has_every_sentence(language: str) -> None:
    """Each language has every English text, with the same values and not left untranslated."""
    english, spoken = (dict(leaves(service_words(each))) for each in (DEFAULT_LANGUAGE, language))
    assert english.keys() == spoken.keys()
    for path, sentence in english.items():
        assert values(sentence) == values(spoken[path]), path
        of_values_only = not re.search(r"[^\W_]", re.sub("{[^}]*}", "", sentence))
        assert sentence != spoken[path] or len(sentence.split()) < 3 or of_values_only, path


def test_french_marks_keep_to_their_words() -> None:
    """French punctuation has no-break spaces before ``: ; ? ! »`` and after ``«``."""
    said = leaves(service_words("fr"))
    assert not [text for _, text in said if re.search(r"(?<=\S) (?=[;?!»]|:(?:\s|$))|« ", text)]


@pytest.mark.parametrize(
    ("name", "of", "at"),
    [
        ("Sigy", "de Sigy", "à Sigy"),
        ("Les Essarts", "des Essarts", "aux Essarts"),
        ("Le Thor", "du Thor", "au Thor"),
        ("La Salle", "de La Salle", "à La Salle"),
        ("Éric", "d’Éric", "à Éric"),
        ("Lesparre", "de Lesparre", "à Lesparre"),
        ("Yves", "d’Yves", "à Yves"),
        ("Yann", "de Yann", "à Yann"),
        ("Yéti", "de Yéti", "à Yéti"),
    ],
)
def test_a_preposition_is_drawn_together_with_a_name(name: str, of: str, at: str) -> None:
    """French contracts prepositions with names: des Essarts, d’Éric."""
    assert sentences.fill("fr", "Il vient {name:de}.", {"name": name}) == f"Il vient {of}."
    assert sentences.fill("fr", "Il reste {name:à}, {n} fois.", {"name": name, "n": 2}) == f"Il reste {at}, 2 fois."


@pytest.mark.parametrize(
    ("game", "heard", "of", "said"),
    [
        ("architekton", Effect("AR-30", Facts("last_turns")), {"n": 1, "colours": ("light",)}, "celui {}."),
        ("fief", Effect("FI-77", Facts("laid")), {"whose": "light"}, "{} contrôle."),
        ("fief", Effect("FI-90", Facts("open")), {"colour": "light"}, "Meurtres {} doit"),
        ("fief", Finding("FI-90", Facts("hidden")), {"lord": "light"}, "au lieu {}."),
        ("robber_knights", Effect("RK-12", Facts("hand")), {"n": 1, "colour": "light"}, "plaquettes {} peut"),
        ("robber_knights", Finding("RK-12", Facts("counted")), {"colour": "light"}, "plaquette {} a posés"),
    ],
)
def test_a_word_before_a_players_name_is_elided(
    game: str, heard: Effect | Finding, of: dict[str, Any], said: str
) -> None:
    """In French, "de" and "que" lose their e before a name with a vowel, and before no other name."""
    before = ("d’Éric", "de Jean") if "cel" in said or "lieu" in said else ("qu’Éric", "que Jean")
    for name, words in over(zip(("Éric", "Jean"), before, strict=True)):
        spoken = sentences.words("fr", game).with_people({"light": name})
        filled = heard._replace(facts=heard.facts._replace(values=of))
        sentence = spoken.finding_text(filled) if isinstance(filled, Finding) else spoken.effect_text(filled)
        assert said.format(words) in sentence


def test_a_building_lies_beside_what_is_elided() -> None:
    """The landscapes beside a building are elided, too: à côté d’eau."""
    spoken = sentences.words("fr", "architekton")
    for beside, said in (("water", "à côté d’eau"), ("meadow", "à côté de prairie")):
        assert spoken.say("phrases", "building.beside", {"beside": (beside,)}).endswith(said)


@pytest.mark.parametrize(
    ("language", "until", "touches"),
    [
        ("en", "until each of these villages is controlled: A and B.", "each shop beside it (c4 and c5) touches one"),
        (
            "fr",
            "tant que chacun de ces villages n’est pas contrôlé",
            "chaque boutique à son côté (c4 et c5) en touche une",
        ),
    ],
)
def test_each_of_several_is_meant(language: str, until: str, touches: str) -> None:
    """Where each of several villages is needed, or each of several shops bars a tower, the sentence says each."""
    short = {"number": 2, "village": "A", "villages": ("A", "B"), "n": 2}
    assert until in sentences.words(language, "fief").say("foretold", "FI-20.short", short)
    shared = {"cell": "d4", "colour": "black", "shops": ("c4", "c5"), "towers": ("b4",)}
    assert touches in sentences.words(language, "villefranche").say("findings", "VF-33.shared", shared)


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Votes not given: Red 1."), ("fr", "Voix non données\N{NO-BREAK SPACE}: Rouge 1.")],
)
def test_a_vote_that_was_not_given_is_no_part_of_the_name(language: str, said: str) -> None:
    """Who abstains from the election of a bishop is named with the votes: not "Red 1 abstains"."""
    voters = (StyledName("red", "votes_of", {"name": "red", "n": 1}),)
    told = Effect("FI-22", Facts("abstained", {"voters": voters, "n": 1, "votes": 1}))
    assert sentences.words(language, "fief").effect_text(told) == said


def test_a_seat_is_no_siege_in_french() -> None:
    """A player's seat is a *place*: a *siège* is what Fief's lords lay to a castle."""
    said = [text for _, text in leaves(service_words("fr"))]
    assert not [text for text in said if re.search(r"\bsièges?\b", text)]
    assert [text for text in said if "La clé d’une place" in text]


def test_a_change_in_french_takes_nothing_for_masculine() -> None:
    """What is gone, moved or new is told alike of a man, a woman or a column, and places need no article."""
    fief, villa = sentences.words("fr", "fief"), sentences.words("fr", "villa_paletti")
    for name in ("Arthur", "Blanche"):
        dead = Change("added", Piece("dead", (("lord", name),)))
        assert fief.change_text(dead) == f"Décès : {name}."
    small = (("colour", "red"), ("shape", "small"))
    below, above = (Piece("column", small, (), f"floor {n}") for n in (0, 1))
    assert [
        villa.change_text(each).partition("\u00a0:")[0]
        for each in (Change("vanished", below), Change("moved", below, 1, above), Change("added", Piece("out", small)))
    ] == ["En moins sur le plateau de base", "Déplacement du plateau de base au plancher bleu", "Retrait du jeu"]


def test_a_count_that_is_a_players_has_the_name() -> None:
    """The words of a player's count have the player's name, or the colour if there is none; nobody stays nobody."""
    said = sentences.words("fr", "villa_paletti").with_people({"red": "Yves"})
    assert [said.count_word(name) for name in ("wins_red", "wins_blue", "wins_nobody")] == [
        "Yves gagne",
        "Bleu gagne",
        "personne ne gagne",
    ]
    assert (
        sentences.words("fr", "architekton")
        .with_people({"light": "Yves"})
        .count_word("series_light")
        .endswith(" d’Yves")
    )


def test_a_name_that_could_be_anothers_has_the_colour_beside_it() -> None:
    """Players with the same name in any case, or named like a colour, have their colour beside it; others do not."""
    setup = Setup((Player("red", name="Anna"), Player("blue", name="ANNA"), Player("green", name="Bleu")))
    words = sentences.words_with_people("fr", "robber_knights", setup)
    assert [words.player(seat) for seat in ("red", "blue", "green", "yellow")] == [
        "Anna (Rouge)",
        "ANNA (Bleu)",
        "Bleu (Vert)",
        "Jaune",
    ]
    assert sentences.words_with_people("fr", "robber_knights", setup) is words


def test_what_is_said_of_a_name_after_a_comma_ends_with_one() -> None:
    """A name with an apposition gets a closing comma before words, but not at the end or before punctuation."""
    assert close_apposition("{lord} is not in {place}.", "lord") == "{lord}, is not in {place}."
    assert close_apposition("{lord:de} {n} : {lord}.", "lord") == "{lord:de}, {n} : {lord}."
    assert close_apposition("It is {lord}, who (like {lord}) is {lord}: {lord} ; so.", "place").count(",") == 1


def test_a_list_of_names_with_commas_is_told_apart() -> None:
    """Names that contain commas are separated by semicolons, others by commas, with a conjunction before the last."""
    assert series(["Henri", "Othon"], "fr") == "Henri et Othon"
    assert series(["Henri", "Othon", "Kunégonde"], "en") == "Henri, Othon and Kunégonde"
    assert series(["Henri, duc", "Othon"], "fr") == "Henri, duc\u202f; et Othon"
    assert series(["Henri, duke", "Othon"], "en") == "Henri, duke; and Othon"
    assert series(["Henri, duke"], "en") == "Henri, duke"
    assert series([], "en") == ""


@pytest.mark.parametrize(("language", "word"), [("en", "or"), ("fr", "ou")])
def test_a_list_of_which_one_is_meant_says_so(language: str, word: str) -> None:
    """A list may use "or" where the sentence asks for it, with long names, too."""
    values = {"cells": series(["a2", "a4", "a6"], language), "lords": series(["Henri, duke", "Othon"], language)}
    assert sentences.fill(language, "{cells:or}.", values) == f"a2, a4 {word} a6."
    assert sentences.fill(language, "{lords:or}.", values).endswith(f"; {word} Othon.")
    assert sentences.fill(language, "{cell:or}.", {"cell": "a2"}) == "a2."


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_problem_has_its_words(language: str) -> None:
    """Every problem has a title, a sentence and advice; there are no words for unknown problems."""
    words = service_words(language)["problems"]
    assert words.keys() == PROBLEMS.keys()
    for slug, text in words.items():
        assert {"title", "detail", "about"} <= text.keys(), slug


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_field_error_has_its_words(language: str) -> None:
    """Every error code of a field has a sentence, and there are no others."""
    sources = "".join(path.read_text(encoding="utf-8") for path in Path(service.__file__).parent.rglob("*.py"))
    used = set(
        re.findall(r'(?:validation_error\(|FieldError\(\s*|wrong_type = |missing" if .* else )"([a-z_]+)"', sources)
    )
    known = service_words(language)["field_errors"]
    assert used == known.keys()
    for code in known:
        sentence = sentences.field_error(
            language, FieldError(code, n=2, most=2, least=1, values=("a", "b"), example="x")
        )
        assert "…" not in sentence, sentence


def test_one_and_several() -> None:
    """The language's plural rule chooses the form: 0 is singular in French and plural in English."""
    forms = {"one": "{n} item", "other": "{n} items"}
    assert [sentences.fill("en", forms, {"n": n}) for n in (0, 1, 2)] == ["0 items", "1 item", "2 items"]
    assert [sentences.fill("fr", forms, {"n": n}) for n in (0, 1, 2)] == ["0 item", "1 item", "2 items"]


def test_a_missing_value_leaves_a_gap() -> None:
    """A sentence with a missing value shows … and does not fail."""
    assert sentences.fill("en", "{a} and {b}", {"a": 1}) == "1 and …"


def test_values_are_put_as_they_are() -> None:
    """Braces in a value are not formatted."""
    assert sentences.fill("en", "{text}", {"text": "{0.__class__} {x}"}) == "{0.__class__} {x}"


def test_codes_become_words_in_a_sentence() -> None:
    """Colours, pieces and kinds become words, and lists are joined as in speech; numbers and cells stay."""
    finding = Finding("VF-22", Facts("", {"own": 5, "opponent": 6, "colour": "black", "opponent_colour": "white"}))
    french = sentences.words("fr", GAME.id).finding_text(finding)
    assert "Noir" in french
    assert "5" in french
    words = sentences.words("en", GAME.id)
    assert words.render_value(("c4", "black", (1, -2))) == "c4, Black and (1 and -2)"


def test_a_code_without_words_is_shown() -> None:
    """A code without words is shown as it is."""
    words = sentences.words("fr", GAME.id)
    assert words.finding_text(Finding("VF-99", Facts("x"))) == "VF-99.x"
    assert words.due_text(Due(None, (), "whenever")) == "whenever"
    assert sentences.say("fr", "nowhere", "nothing") == "nothing"


def test_a_games_own_words_come_first() -> None:
    """A game's own words for a field error come before the general ones."""
    cell = FieldError("cell", GAME.id, text="z9")
    assert "z9" in sentences.field_error("en", cell)
    assert sentences.field_error("en", cell) != sentences.field_error("fr", cell)
    assert sentences.field_error("en", FieldError("missing", GAME.id)) == "This field is required."
