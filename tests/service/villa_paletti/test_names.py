"""Sentences of Villa Paletti call players by their names, and columns by their colours."""

from __future__ import annotations

import re
from functools import cache
from itertools import chain
from random import Random
from typing import Any

import pytest

from rules.effects import effect
from rules.kernel import SAME_CELL, Due, Ended, Facts, Finding, Value
from rules.styled_name import StyledName
from rules.villa_paletti import GAME
from rules.villa_paletti.columns import COLOURS, Count
from rules.villa_paletti.moves import Done, Neutral
from rules.villa_paletti.state import Player, Setup, State
from service.i18n.grammar import series
from service.i18n.languages import LANGUAGES
from service.i18n.sentences import Words, fill, words
from tests.rules.play import often
from tests.support.heard_sentences import Sentence, listened_to, problems_of_cases

NAMES = {"red": "Anne", "blue": "Bruno", "yellow": "Chloé", "green": "David"}
OF_PLAYERS = ("findings", "due", "ended", "effects")
OF_A_COLUMN = re.compile(r"(?:\{shape\}(?:,| of) |[Cc]olumns of )\{(colour)\}|\{(shown)\}")
"""The values of an English sentence that are colours of a column or of the seal."""
GAMES, TURNS = 8, often(600)


@cache
def everything_heard() -> tuple[Sentence, ...]:
    """Everything said of players and columns in random games and of impossible positions."""
    rng, known, turns = Random(GAME.id), list[str](), iter(range(TURNS))
    said = chain.from_iterable(listened_to(GAME, rng, known, turns) for _ in range(GAMES))
    return tuple(each for each in chain(said, problems_of_cases(GAME)) if each[0] in OF_PLAYERS)


def said_by(spoken: Words, table: str, key: str, values: Any) -> str:
    """The sentence for a statement."""
    rule, _, code = key.partition(".")
    if table == "findings":
        return spoken.finding_text(Finding(rule, Facts(code, values)))
    if table == "effects":
        return spoken.effect_text(effect(rule, code, values))
    return spoken.due_text(Due(None, (), key, values)) if table == "due" else spoken.end_text(Ended(key, values))


def name_of(spoken: Words, value: Value, *, column: bool) -> object:
    """A value's expected words."""
    if isinstance(value, StyledName) and value.code == "neutral":
        return spoken.text["styles"]["neutral"]
    if isinstance(value, StyledName):
        return f"{NAMES[str(value)]} {value.values['n']}"
    if isinstance(value, tuple):
        return series([str(name_of(spoken, each, column=column)) for each in value], spoken.language)
    return NAMES[value] if value in NAMES and not column else spoken.render_value(value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_are_names_and_columns_are_colours(language: str) -> None:
    """In every sentence, players have their names, and columns their colours."""
    plain, english = words(language, GAME.id), words("en", GAME.id)
    spoken = plain.with_people(NAMES)
    people = columns = 0
    for table, key, values in everything_heard():
        of_column = {name for pair in OF_A_COLUMN.findall(str(english.text[table][key])) for name in pair if name}
        said = {name: name_of(spoken, value, column=name in of_column) for name, value in values.items()}
        expected = fill(language, plain.text[table][key], said)
        if key in plain.text["decisions"]:
            expected = f"{expected} {plain.text['decisions'][key]}"
        assert said_by(spoken, table, key, values) == expected, key
        people += any(name in expected for name in NAMES.values())
        columns += bool(of_column)
    assert people and columns


def test_the_seal_shows_a_colour() -> None:
    """`VP-33`: the seal shows a colour, not a name."""
    said = words("en", GAME.id).with_people(NAMES).effect_text(effect("VP-33", "shows", {"shown": "yellow"}))
    assert said == "The seal now shows Yellow, the colour of its previous holder."


def test_either_colour_names_the_objector() -> None:
    """`VP-2`: with two players, an objector's second colour means the same player."""
    state = GAME.setup(Setup((Player(("red", "yellow")), Player(("blue", "green")))))
    spoken = words("fr", GAME.id).with_people({"red": "Anne", "blue": "Bruno"})
    told = []
    for by in ("blue", "green"):
        move = GAME.read(f"floor ! {by} yellow big 0 ok")
        told.append([spoken.effect_text(each) for each in GAME.effects(state, move, GAME.apply(state, move))])
    assert told[0] == told[1]
    assert told[0][0].startswith("L’objection de Bruno a réussi\N{NO-BREAK SPACE}: la grosse colonne ronde de Jaune")


@pytest.mark.parametrize(
    ("language", "said"), [("en", "The same column, another move."), ("fr", "La même colonne, un autre coup.")]
)
def test_a_near_move_is_of_the_same_column(language: str, said: str) -> None:
    """For a near move at the same place, the sentence says "column", as this game has no cells."""
    assert words(language, "villa_paletti").near_move_text((Facts(SAME_CELL),)) == said


@pytest.mark.parametrize(
    ("language", "neutral", "green"),
    [("en", "of the neutral colour", "of Green"), ("fr", "de la couleur neutre", "de Vert")],
)
def test_a_neutral_column_is_no_players(language: str, neutral: str, green: str) -> None:
    """With three players, Green's columns are neutral. The control: with four, they are Green's."""
    said: dict[int, str] = {}
    for number in (3, 4):
        state = GAME.setup(Setup(tuple(Player((colour,)) for colour in COLOURS[:number])))
        facts = GAME.check(state, GAME.read("green small 0")).findings[-1]
        said[number] = words(language, GAME.id).finding_text(facts)
    assert neutral in said[3] and green not in said[3]
    assert green in said[4]


def test_what_is_due_with_three_names_the_floor() -> None:
    """With three players, the turn mentions the floor only if one is left and none was asked for in this turn."""
    players = tuple(Player((colour,)) for colour in COLOURS[:3])
    state = GAME.setup(Setup(players, readings={"after_objection": "asker_moves"}))
    asked = GAME.apply(state, GAME.read("floor ! blue red hex 0 ok"))
    said = [words("en", GAME.id).due_text(GAME.due(each)) for each in (state, asked, state._replace(top=5))]
    assert said == [
        "Red begins with a neutral column, or asks for a floor.",
        "Red begins with a neutral column: a floor was asked for in this turn.",
        "Red begins with a neutral column; no floor is left.",
    ]
    assert ["floor" in GAME.due(each).kinds for each in (state, asked, state._replace(top=5))] == [True, False, False]


PLAYERS = {
    2: (Player(("red", "yellow")), Player(("blue", "green"))),
    3: tuple(Player((colour,)) for colour in COLOURS[:3]),
    4: tuple(Player((colour,)) for colour in COLOURS),
}


@pytest.mark.parametrize("number", PLAYERS)
def test_who_cannot_end_the_turn_hears_of_no_move_that_there_is_not(number: int) -> None:
    """`VP-20`: the sentence is true where a neutral column is due, where that part is skipped, and without any."""
    state = GAME.setup(Setup(PLAYERS[number]))
    without = without_spare_columns(state)
    assert [Neutral.kind in GAME.due(each).kinds for each in (state, without)] == [number == 3, False]
    told = "Red has moved or tried no neutral column in this turn, and cannot leave out their own."
    assert [refusal_of_done(each) for each in (state, without)] == [told, told]


def test_after_the_neutral_column_another_sentence_refuses_the_end_of_the_turn() -> None:
    """The control: there the reading refuses it, not the column that is missing."""
    state = GAME.setup(Setup(PLAYERS[3], readings={"own_after_neutral": "must"}))
    after = GAME.apply(state, GAME.read("n small 0"))
    assert refusal_of_done(after) == "Red must still move a column of their own, or try to."


def refusal_of_done(state: State) -> str:
    """The one sentence that refuses `done`."""
    [finding] = GAME.check(state, Done()).findings
    return words("en", GAME.id).finding_text(finding)


def without_spare_columns(state: State) -> State:
    """The same table, where no level has a neutral column to give: all of Green's are locked."""
    locked = {group: Count(n, n if group.colour == "green" else 0) for group, (n, _) in state.columns.items()}
    return state._replace(columns=locked)
