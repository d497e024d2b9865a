"""Players' questions find the rule that answers them first. Their subjects are those of the printed rules."""

from __future__ import annotations

import pytest

import rules
from service.i18n.languages import LANGUAGES
from service.rulings import rule_search, search_terms
from service.rulings.rule_search import look_up
from tests.support.loops import over

QUESTIONS = (
    ("villefranche", "en", "two towers side by side", "VF-34"),
    ("villefranche", "en", "can I build where the other player has more pieces around", "VF-22"),
    ("villefranche", "fr", "puis-je fermer le dernier chemin vers le marché", "VF-21"),
    ("villefranche", "fr", "deux tours de noblesse l’une à côté de l’autre", "VF-34"),
    ("villefranche", "en", "how many pieces may I place in my first turn", "VF-1"),
    ("villefranche", "en", "where can I put a rampart", "VF-10"),
    ("villefranche", "en", "how many storeys does a noble tower have", "VF-32"),
    ("villefranche", "en", "can I put a roof on the opponent’s house", "VF-31"),
    ("villefranche", "en", "how many points for a gate", "VF-60"),
    ("villefranche", "en", "who wins if the points are equal", "VF-70"),
    ("villefranche", "en", "can I start a second church", "VF-43"),
    ("villefranche", "en", "may a church touch a tower", "VF-34"),
    ("villefranche", "en", "how many shops do I need for a church", "VF-42"),
    ("villefranche", "en", "do the corners count for the majority", "VF-22"),
    ("villefranche", "en", "can I block the way to the market", "VF-21"),
    ("villefranche", "en", "what if I have no pieces left", "VF-51"),
    ("villefranche", "en", "can I build next to the wall", "VF-23"),
    ("villefranche", "en", "how is a row of shops scored", "VF-62"),
    ("villefranche", "fr", "combien de boutiques pour une église", "VF-42"),
    ("villefranche", "fr", "qui gagne à égalité", "VF-70"),
    ("robber_knights", "en", "how many knights can stand on one tile", "RK-23"),
    ("robber_knights", "en", "can knights cross water", "RK-24"),
    ("robber_knights", "fr", "combien de plaquettes par tour", "RK-3"),
    ("robber_knights", "fr", "quand le jeu est-il fini", "RK-30"),
    ("robber_knights", "en", "who goes first", "RK-2"),
    ("robber_knights", "en", "how many tiles can I play in a turn", "RK-3"),
    ("robber_knights", "en", "do the landscapes have to match", "RK-10"),
    ("robber_knights", "en", "how big can the board get", "RK-11"),
    ("robber_knights", "en", "how many knights stay on a mountain", "RK-22"),
    ("robber_knights", "en", "how many knights do I have", "RK-26"),
    ("robber_knights", "en", "must I put knights on a castle", "RK-20"),
    ("robber_knights", "en", "how much is a town worth", "RK-31"),
    ("robber_knights", "en", "who wins a tie", "RK-32"),
    ("robber_knights", "en", "what happens when I have no more tiles", "RK-4"),
    ("robber_knights", "fr", "combien de chevaliers restent en forêt", "RK-22"),
    ("robber_knights", "fr", "peut-on traverser un lac", "RK-24"),
    ("robber_knights", "fr", "qui commence", "RK-2"),
    ("robber_knights", "fr", "combien vaut une ville", "RK-31"),
    ("robber_knights", "fr", "combien de chevaliers sur un château", "RK-20"),
    ("robber_knights", "en", "how many knights on a square", "RK-23"),
    ("robber_knights", "en", "can I go through a lake", "RK-24"),
    ("robber_knights", "fr", "combien de chevaliers sur une case", "RK-23"),
    ("robber_knights", "fr", "combien de chevaliers sur une tuile", "RK-23"),
    ("villa_paletti", "en", "who wins when the villa falls", "VP-40"),
    ("villa_paletti", "en", "what if I break off an attempt with a column", "VP-11"),
    ("villa_paletti", "fr", "combien de colonnes faut-il sous un nouveau plancher", "VP-15"),
    ("villa_paletti", "fr", "qui commence la partie", "VP-2"),
    ("villa_paletti", "en", "what if somebody objects", "VP-13"),
    ("villa_paletti", "en", "how many columns must a floor rest on", "VP-15"),
    ("villa_paletti", "en", "how many points is a big column", "VP-31"),
    ("villa_paletti", "en", "who gets the seal", "VP-30"),
    ("villa_paletti", "en", "who loses when the tower collapses", "VP-40"),
    ("villa_paletti", "en", "does a thick column score more", "VP-31"),
    ("villa_paletti", "fr", "qui reçoit le sceau", "VP-30"),
    ("villa_paletti", "fr", "qui perd si la villa s’écroule", "VP-40"),
    ("villa_paletti", "fr", "puis-je remettre la colonne", "VP-11"),
    ("architekton", "en", "do the sides of two tiles have to match", "AR-12"),
    ("architekton", "en", "is the game over when I cannot pay", "AR-22"),
    ("architekton", "fr", "faut-il une maison sur chaque bâtiment", "AR-13"),
    ("architekton", "fr", "quelles maisons forment un groupe", "AR-32"),
    ("architekton", "en", "what do I get for a surrounded building", "AR-20"),
    ("architekton", "en", "I have no houses left", "AR-13"),
    ("architekton", "en", "can I take my house back", "AR-21"),
    ("architekton", "en", "what if the pool has no chips", "AR-24"),
    ("architekton", "en", "do diagonal houses count as a group", "AR-32"),
    ("architekton", "en", "which buildings are removed at the end", "AR-31"),
    ("architekton", "en", "how many chips must I pay", "AR-20"),
    ("architekton", "fr", "qui commence", "AR-2"),
    ("architekton", "fr", "que se passe-t-il quand un bâtiment est entouré", "AR-20"),
    ("architekton", "fr", "puis-je reprendre ma maison", "AR-21"),
    ("architekton", "fr", "deux bâtiments côte à côte", "AR-11"),
    ("architekton", "fr", "qui gagne à égalité", "AR-33"),
    ("fief", "en", "who can wed", "FI-10"),
    ("fief", "en", "is the wife of the king queen", "FI-11"),
    ("fief", "fr", "de combien de villages un seigneur avance-t-il", "FI-60"),
    ("fief", "fr", "qui hérite des fiefs d’un mort", "FI-92"),
    ("fief", "en", "can two lords marry", "FI-10"),
    ("fief", "en", "can a bishop marry", "FI-10"),
    ("fief", "en", "how many votes to be king", "FI-42"),
    ("fief", "en", "how much money do I get", "FI-50"),
    ("fief", "en", "how far can a lord move", "FI-60"),
    ("fief", "en", "can I pass through another player’s village", "FI-62"),
    ("fief", "en", "how many dice do I roll", "FI-73"),
    ("fief", "en", "who is king when the king dies", "FI-94"),
    ("fief", "en", "where can I build a castle", "FI-51"),
    ("fief", "en", "can I buy a cardinal", "FI-53"),
    ("fief", "en", "who loses in a battle", "FI-74"),
    ("fief", "en", "can I swap villages with another player", "FI-57"),
    ("fief", "en", "can I kill a lord", "FI-90"),
    ("fief", "en", "can allies win together", "FI-82"),
    ("fief", "fr", "deux seigneurs peuvent-ils se marier", "FI-10"),
    ("fief", "fr", "qui devient roi à la mort du roi", "FI-94"),
    ("fief", "fr", "combien de points pour gagner", "FI-81"),
    ("fief", "fr", "où construire un château", "FI-51"),
)
"""Game, language, question, and the rule that answers it."""


def first(game: str, question: str, language: str) -> str | None:
    """The first rule found."""
    found = look_up(game, question, language)
    return found[0].rule if found else None


@pytest.mark.parametrize(("game", "language", "question", "rule"), QUESTIONS)
def test_a_question_finds_its_rule_first(game: str, language: str, question: str, rule: str) -> None:
    """Stop words do not count, and a synonym is as good as a word that no rule has."""
    assert first(game, question, language) == rule


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search without stop words and synonyms."""
    nothing = search_terms.SearchWords(frozenset(), {}, ())
    monkeypatch.setattr(search_terms, "search_words", lambda _: nothing)


@pytest.mark.usefixtures("bare")
def test_without_small_words_and_synonyms_many_are_not_found() -> None:
    """The control: without stop words and synonyms, several questions miss their rule."""
    missed = [asked for game, language, asked, rule in QUESTIONS if first(game, asked, language) != rule]
    assert "two towers side by side" in missed
    assert len(missed) >= 5


def test_there_are_questions_for_every_game_in_every_language() -> None:
    """Each game has at least two questions in each language, and there are ten in French."""
    asked = [(game, language) for game, language, _, _ in QUESTIONS]
    assert all(asked.count((game, language)) >= 2 for game in rules.GAMES for language in LANGUAGES)
    assert len([language for _, language in asked if language == "fr"]) >= 10


def test_no_small_word_is_a_synonym() -> None:
    """A stop word cannot be a synonym, for it would never be searched."""
    for code in over(LANGUAGES):
        known = search_terms.search_words(code)
        assert len(known.small) > 50
        assert len(known.of_stem) > 50
        assert not known.small & set(known.of_stem)


def test_small_words_alone_are_still_looked_for() -> None:
    """A search of stop words only still finds rules."""
    assert look_up("villefranche", "of the", "en")


def test_a_word_outweighs_its_synonyms() -> None:
    """“Water” finds the rule on lakes, and “lakes” still finds it first."""
    assert first("robber_knights", "lakes", "en") == first("robber_knights", "water", "en") == "RK-24"


def test_a_case_is_found_wherever_it_stands_in_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A case is found for its rule wherever it is in the file."""
    load = rules.load
    cases = list(load("villefranche", "cases")["case"])
    moved = cases.pop(0)
    rule = moved["id"].split("/")[0]
    beside = [case["id"] for case in cases if case["id"].startswith(f"{rule}/")]
    assert beside
    shuffled = {**load("villefranche", "cases"), "case": [*cases, moved]}
    monkeypatch.setattr(rules, "load", lambda game, name: shuffled if name == "cases" else load(game, name))
    found = rule_search._cases("villefranche")
    assert [case["id"] for case in found[rule]] == [*beside, moved["id"]]
    assert sum(map(len, found.values())) == len(cases) + 1
