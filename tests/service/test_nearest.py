"""The moves suggested for a refused one, for every kind of move: they are legal and near, and the reasons are true."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import GAMES, load
from rules.kernel import INSTEAD, SAME_CELL, Facts, Ruling
from service import schemas
from service.cases.worked_cases import stage
from service.http.serializers import rulings
from service.i18n.languages import LANGUAGES
from service.i18n.sentences import words
from service.rulings import judge
from tests.rules.forms import form
from tests.rules.play import EVERY_GAME, AnyGame, seeds, setups, shared_games, some_state
from tests.support.loops import over
from tests.support.records import notations_of, record_of, records_of

OFTEN, MOVES_A_TABLE, EACH = 2, 6, 4
"""How often a kind must find one of its own; moves of it tried per state; one in this many cases gives a state."""
every_game = pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.id)


def fields_that_differ(one: Any, other: Any) -> set[str]:
    """The names of the fields in which two moves differ."""
    return {part.name for part in fields(one) if part.compare and getattr(one, part.name) != getattr(other, part.name)}


def looked_at(game: AnyGame, state: Any, move: Any) -> Counter[str]:
    """Check all suggestions for a move; returns the codes of their reasons."""
    judgement, said = judge.judge(game, state, move), Counter[str]()
    assert (judgement.ruling is Ruling.LEGAL) <= (not judgement.nearby_moves)
    assert len(judgement.nearby_moves) <= 3
    assert len(set(judgement.nearest_moves)) == len(judgement.nearest_moves)
    for near in judgement.nearby_moves:
        assert near.move != move
        assert game.check(state, near.move).legal
        codes = [facts.code for facts in near.why]
        if type(near.move) is type(move):
            assert {code.partition(".")[0] for code in codes} == fields_that_differ(move, near.move)
            assert len(codes) == len(fields_that_differ(move, near.move)) > 0
        else:
            shared = set(game.cells_of(move)) & set(game.cells_of(near.move))
            assert codes == [SAME_CELL if shared else INSTEAD]
            assert near.move.kind in game.due(state).kinds
        said.update(codes)
        for language in LANGUAGES:
            text = words(language, game.id).near_move_text(near.why)
            assert text.endswith(".") and "{" not in text and "…" not in text
            assert not any(code in text.split() for code in codes if "_" in code or "." in code), text
    told: Any = rulings.ruling(judgement, words("en", game.id))
    assert [each["notation"] for each in told["near"]] == told["nearest"]
    return said


@every_game
@settings(max_examples=8, deadline=None)
@given(data=st.data(), chance=seeds())
def test_what_is_near_is_legal_and_why_is_true(game: AnyGame, data: st.DataObject, chance: Random) -> None:
    """For any move, at most three different legal moves are suggested, with exactly the fields that differ."""
    state = some_state(game, chance)
    for kind in over(game.kinds.values()):
        looked_at(game, state, data.draw(form(kind)))


@every_game
def test_a_refused_move_of_every_kind_has_near_ones(game: AnyGame) -> None:
    """A move of any kind, refused at another moment of the game, gets suggestions."""
    chance, tried = Random(game.id), set()
    steps = [step for played in islice(shared_games(game), 4) for step in played.steps if step[1] is not None]
    moves = {move.kind: move for _, move in steps}
    for state, _ in chance.sample(steps, min(len(steps), 12)):
        for kind, move in moves.items():
            if not game.check(state, move).legal:
                assert looked_at(game, state, move), (kind, game.write(move))
                tried.add(kind)
    assert len(tried) > len(moves) // 2


def moves_by_kind(game: AnyGame) -> tuple[dict[str, list[Any]], list[Any]]:
    """The moves of each kind in worked cases and recorded games, and states of both."""
    book, states, notations = load(game.id, "cases"), [], []
    for number, case in enumerate(case for case in book["case"] if "problems" not in case):
        notations += [*case.get("moves", ()), *([case["move"]] if "move" in case else ())]
        if number % EACH == 0:
            states.append(stage(game, case, book))
    for record in (record_of(path) for path in records_of(game.id)):
        state = game.setup(schemas.load(schemas.of(game).setup, record["setup"]))
        for notation in notations_of(record):
            notations.append(notation)
            states.append(state)
            state = game.apply(state, game.read(notations[-1]))
    moves: dict[str, list[Any]] = {kind: [] for kind in game.kinds}
    for move in map(game.read, dict.fromkeys(notations)):
        moves[move.kind].append(move)
    return moves, states


@every_game
def test_no_kind_never_finds_one_of_its_own(game: AnyGame) -> None:
    """A refused move whose kind is due gets suggestions of that kind first; only kinds without fields have none.

    Two moves of a kind without fields cannot differ.
    """
    moves, states = moves_by_kind(game)
    found: Counter[str] = Counter()
    for kind in game.kinds:
        for state in Random(kind).sample(states, len(states)):
            due = game.due(state)
            if found[kind] >= OFTEN or kind not in due.kinds or next(game.moves(state, (kind,)), None) is None:
                continue
            refused = [move for move in moves[kind][:MOVES_A_TABLE] if game.check(state, move).ruling is Ruling.ILLEGAL]
            for move in refused:
                judgement = judge.judge(game, state, move)
                own = [near for near in judgement.nearby_moves if near.move.kind == kind]
                assert own and judgement.nearby_moves[: len(own)] == tuple(own), game.write(move)
                found[kind] += 1
    assert {kind for kind in game.kinds if not found[kind]} == {
        kind for kind, form in game.kinds.items() if not fields(form)
    }


def near(game: AnyGame, state: Any, move: Any, language: str = "en") -> list[tuple[Any, list[str], str]]:
    """The suggestions for a move: move, codes, sentence."""
    judgement = judge.judge(game, state, move)
    said = words(language, game.id)
    return [
        (each.move, [facts.code for facts in each.why], said.near_move_text(each.why))
        for each in judgement.nearby_moves
    ]


def test_a_tile_is_turned_before_it_is_another() -> None:
    """Architekton: for a building that fits nowhere, the same tile turned is suggested first."""
    game = GAMES["architekton"]
    setup = schemas.load(
        schemas.of(game).setup, {"layout": [{"cell": [0, 0], "tile": "meadow"}, {"cell": [1, 1], "tile": "water"}]}
    )
    (turned, codes, text), *_ = near(game, game.setup(setup), game.read("(0,-1) building E M F F"))
    assert (game.write(turned), codes) == ("(0,-1) building M F F E", ["sides.turned"])
    assert text == "The same tile, turned."


def test_one_knight_fewer() -> None:
    """Robber Knights: with too many knights on a castle, fewer are suggested, with the right plural."""
    game = GAMES["robber_knights"]
    state = next(form for form in map(game.setup, setups(game.id)))
    legal = [move for move in game.moves(state) if move.kind == "tile" and move.knights and not move.knights.march]
    most = max(legal, key=lambda move: move.knights.left[0])
    for more, text in ((1, "1 knight fewer."), (2, "2 knights fewer.")):
        tried = replace(most, knights=replace(most.knights, left=(most.knights.left[0] + more,)))
        assert near(game, state, tried)[0] == (most, ["knights.fewer"], text)
    assert near(game, state, tried, "fr")[0][2] == "2 chevaliers de moins."


def test_another_kind_on_the_same_cell() -> None:
    """Villefranche: suggestions are the same kind on another cell, or another kind on the same cell."""
    game = GAMES["villefranche"]
    found = set()
    for state, _ in (step for played in islice(shared_games(game), 6) for step in played.steps[28::3]):
        for cell in ("c4", "e4", "g7"):
            found |= {code for _, (code, *_), _ in near(game, state, game.read(f"s {cell}"))}
    assert found >= {"cell", SAME_CELL}


@every_game
@settings(max_examples=10, deadline=None)
@given(data=st.data(), chance=seeds())
def test_what_has_happened_is_not_near(game: AnyGame, data: st.DataObject, chance: Random) -> None:
    """A kind that reports an event, such as a collapse, is only suggested for a move of that kind."""
    state = some_state(game, chance)
    tried = [data.draw(form(kind)) for kind in game.kinds.values()]
    judged = [(move, judge.judge(game, state, move)) for move in tried]
    near = [(move, each) for move, ruling in judged for each in ruling.nearest_moves]
    assert not [each for move, each in near if each.kind != move.kind and each.kind in game.happenings]


def test_no_collapse_is_near_where_little_else_is_due() -> None:
    """Villa Paletti: after a neutral column Red must move one of their own, and `done` gets no suggestion of a
    collapse.
    """
    game = GAMES["villa_paletti"]
    setup = {"players": [{"colours": [colour]} for colour in ("red", "blue", "yellow")]}
    state = game.setup(schemas.load(schemas.of(game).setup, {**setup, "readings": {"own_after_neutral": "must"}}))
    own = game.apply(state, game.read("n small 0"))
    assert {text for _, _, text in near(game, own, game.read("done"))} == {"What is due instead."}
    assert [move.kind for move, _, _ in near(game, own, game.read("done"))] == ["column", "abort"]


@pytest.mark.parametrize("game_id", ["fief", "villa_paletti"])
@pytest.mark.parametrize(("language", "cell"), [("en", "cell"), ("fr", "terrain")])
def test_no_cell_is_spoken_of_where_there_is_none(game_id: str, language: str, cell: str) -> None:
    """Villa Paletti and Fief have no cells, and their sentences mention none. The control: Villefranche's do."""
    said = words(language, game_id).near_move_text([Facts(SAME_CELL)])
    assert cell not in said
    assert "case" not in said
    assert cell in words(language, "villefranche").near_move_text([Facts(SAME_CELL)])
