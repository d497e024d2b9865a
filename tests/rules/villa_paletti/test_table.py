"""Villa Paletti: what no worked case can say: setups, what stands, the list of moves, cells, what the score shows."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from rules.forms import Malformed
from rules.kernel import Fact
from rules.ranking import first
from rules.villa_paletti import GAME
from rules.villa_paletti.columns import COLOURS, SUPPLY
from rules.villa_paletti.moves import Crash, Floor, NeutralAbort, Objection, Taken
from rules.villa_paletti.state import Columns, Ending, Player, Position, Setup, State
from tests.rules.play import every_nth_step
from tests.rules.villa_paletti.list_entries import stand_in
from tests.rules.villa_paletti.tables import CONTESTED_SEAL, FOUR, THREE, TWO, play
from tests.support.json_forms import read_setup
from tests.support.loops import over
from tests.support.records import record_of


def stands(state: State, move: str) -> bool:
    return GAME.cannot_stand(state, GAME.read(move)) is None


def column(state: State, cell: str) -> tuple[int, int]:
    """How many columns a group has, and how many of them are locked."""
    colour, shape, level = cell.split()
    found = {(group.colour, group.shape, group.level): count for group, count in state.columns.items()}
    return tuple(found.get((colour, shape, int(level)), (0, 0)))  # type: ignore[arg-type, return-value]  # of a test


# --- setups ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("colours", "neutral", "code", "pointer"),
    [
        ([["red"]], None, "players", "/players"),
        ([["red"], ["blue"]], None, "colours_each", "/players/0/colours"),
        ([["red", "blue"], ["green"]], None, "colours_each", "/players/1/colours"),
        ([["red"], ["blue"], ["red"]], None, "colour_twice", "/players/2/colours/0"),
        ([["red", "red"], ["blue", "green"]], None, "colour_twice", "/players/0/colours/1"),
        ([["red"], ["blue"], ["green"]], "red", "neutral_taken", "/neutral"),
        ([["red"], ["blue"], ["green"], ["yellow"]], "red", "neutral_none", "/neutral"),
        ([["red", "blue"], ["green", "yellow"]], "red", "neutral_none", "/neutral"),
    ],
)
def test_a_setup_that_is_none_says_where(colours: Any, neutral: Any, code: str, pointer: str) -> None:
    """Each player has the colours of so many players, each colour once; neutral is the one left over, of three."""
    with pytest.raises(Malformed) as error:
        GAME.setup(Setup(tuple(Player(tuple(each)) for each in colours), neutral))
    assert (error.value.code, error.value.pointer) == (code, pointer)


def test_the_neutral_colour_is_the_one_left_over() -> None:
    """`VP-2`: it may be said or not, and is the same table."""
    assert GAME.setup(THREE).neutral == "green"
    assert GAME.setup(replace(THREE, neutral="green")) == GAME.setup(THREE)
    assert GAME.setup(FOUR).neutral is None
    assert GAME.setup(TWO).neutral is None


def test_a_player_is_named_by_the_first_colour() -> None:
    """With two players the first of the two colours names the player."""
    assert GAME.seats_of(GAME.setup(TWO)) == ("red", "blue")
    assert Player(("yellow", "green")).colour == "yellow"


# --- what stands -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "move",
    [
        "red small 1",
        "red small* 0",
        "x red small* 0",
        "floor",
        "floor ! red red small 1 ok",
        "floor ! blue red small* 0 ok",
        "floor ! blue red small 0 fail blue small 1 -",
        "n small 0",
        "n x small 0",
    ],
)
def test_what_is_not_there_cannot_stand(move: str) -> None:
    """No consent moves a column that is not there, lays a floor on nothing, or finds a neutral colour among four."""
    assert not stands(GAME.setup(FOUR), move)


@pytest.mark.parametrize("move", ["floor ! green red small 0 ok", "n x small 0 ! green small 0", "crash green"])
def test_a_colour_that_nobody_plays_has_no_hand(move: str) -> None:
    """The neutral colour neither objects nor challenges, nor brings the villa down."""
    assert not stands(GAME.setup(THREE), move)


@pytest.mark.parametrize("move", ["floor", "floor -", "floor crash"])
def test_there_is_no_sixth_floor(move: str) -> None:
    """On the red floor there is none to ask for, whatever the table consents to."""
    state = GAME.setup(FOUR)._replace(top=5)
    assert not stands(state, move)


@pytest.mark.parametrize("move", ["red small 0", "floor -", "done", "crash", "crash red", "end"])
@pytest.mark.parametrize("last", ["crash blue", "end"])
def test_nothing_stands_after_the_end(move: str, last: str) -> None:
    """`VP-16`, `VP-17`: the game is over."""
    assert not stands(play(FOUR, last), move)


def test_a_floor_may_stand_on_one_column() -> None:
    """The rules ask for three; hands may manage with fewer, but not with none."""
    state = play(FOUR, "red small 0")
    assert GAME.check(state, GAME.read("floor")).broken_rules == ("VP-15",)
    assert stands(state, "floor")
    assert GAME.apply(state, GAME.read("floor")).top == 2


def test_a_lock_goes_with_the_column() -> None:
    """`VP-11`: locked for the rest of the game, wherever a table lets it stand."""
    state = play(FOUR, "x red small 0", "blue small 0", "floor -", "floor -", "red small* 0")
    assert column(state, "red small 0") == (2, 0)
    assert column(state, "red small 1") == (1, 1)


def test_a_locked_column_tried_again_is_locked_once() -> None:
    """By consent the same column may be tried again; the others beside it stay free."""
    state = play(FOUR, "x red small 0", "floor -", "floor -", "floor -", "x red small* 0")
    assert column(state, "red small 0") == (3, 1)


def test_a_column_of_the_askers_own_may_be_tried_and_taken_by_consent() -> None:
    """Where a player objects to their own floor, the column is locked first and then taken: no lock is left over."""
    state = play(FOUR, "x red small 0", "floor -", "floor -", "floor -", "red small 0", failed_column="locked")
    state = GAME.turn_of(state, "red")
    after = GAME.apply(state, GAME.read("floor ! red red small 0 fail red small 0 -"))
    assert column(after, "red small 0") == (1, 1)
    assert after.out == {("red", "small"): 1}


def test_the_seal_goes_to_the_owner_of_a_column_that_another_hand_put_up() -> None:
    """Where a table lets it stand, an own column on the green floor has put its player first there (`VP-30`)."""
    state = play(FOUR, "red small 0", "blue small 0", "yellow small 0", "floor", "blue big 0")
    assert GAME.position(state).holder == "blue"


def test_a_neutral_column_put_up_as_ones_own_takes_no_seal() -> None:
    """`VP-30`: also where a table lets it stand."""
    state = play(THREE, "n small 0", "red small 0", "n small 0", "blue small 0", "floor", "green hex 0")
    assert (state.top, state.holder) == (2, None)
    assert column(state, "green hex 2") == (1, 0)


@pytest.mark.parametrize("form", [FOUR, THREE, TWO], ids=["four", "three", "two"])
def test_done_that_stands_ends_the_turn(form: Setup) -> None:
    """Where it is not due, a table may let it stand all the same: the next player begins (`VP-20`)."""
    state = GAME.setup(form)
    assert GAME.check(state, GAME.read("done")).broken_rules == ("VP-20",)
    assert stands(state, "done")
    assert GAME.apply(state, GAME.read("done")) == GAME.turn_of(state, GAME.seats_of(state)[1])


# --- the list of moves -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "entry"),
    [
        ("red big 0 crash", "crash red"),
        ("x yellow big 0 crash", "crash red"),
        ("floor crash", "crash red"),
        ("floor ! green red big 0 crash", "crash blue"),
        ("crash green", "crash blue"),
        ("crash", "crash"),
        ("floor ! green red big 0 ok", "floor ! blue red big 0 ok"),
        ("floor ! blue red big 0 fail blue small* 0 -", "floor ! blue red big 0 fail blue small* 0 -"),
        ("floor ! blue red big 0 fail blue hex* 0 -", "floor ! blue red big 0 fail blue hex 0 -"),
        ("end", "end"),
    ],
)
def test_one_entry_of_the_list_stands_for_many_lines(move: str, entry: str) -> None:
    """A collapse by whose hand it was, a player by the first colour, a star only where it tells columns apart."""
    state = play(TWO, "red hex 0", "x blue small 0", "red small 0", "x blue hex 0")
    assert GAME.check(state, GAME.read(move)).legal
    assert GAME.write(stand_in(state, GAME.read(move))) == entry
    assert GAME.read(entry) in list(GAME.moves(state))


def test_without_a_floor_after_a_failure_nothing_is_given_up() -> None:
    """Under `not_laid` the line is listed without the sign of a floor given up, and accepted with it."""
    state = play(FOUR, floor_after_failed_objection="not_laid")
    given_up = GAME.read("floor ! blue red big 0 fail none -")
    assert GAME.check(state, given_up).legal
    assert stand_in(state, given_up) == GAME.read("floor ! blue red big 0 fail none")
    assert GAME.apply(state, given_up) == GAME.apply(state, stand_in(state, given_up))
    assert given_up not in list(GAME.moves(state))


def test_where_nobody_can_build_the_turn_has_passed_on_all_the_same() -> None:
    """`VP-17`, `VP-18`: Blue moved last; of Green, Red, Yellow and Blue nobody can begin, and Green is next."""
    record = record_of("villa_paletti/nobody_can_build")
    state = GAME.setup(read_setup(GAME, record["setup"]))
    for move in record["moves"]:
        state = GAME.apply(state, GAME.read(move))
    ended = GAME.due(state).ended
    assert ended is not None
    assert (ended.rule, GAME.position(state).due) == ("VP-17", "green")


def test_the_list_of_the_first_turn() -> None:
    """Four players: three kinds of columns, moved or aborted; the floor is given up, or somebody objects to it."""
    listed = [GAME.write(move) for move in GAME.moves(GAME.setup(FOUR))]
    assert listed[:7] == [
        "red big 0",
        "red hex 0",
        "red small 0",
        "x red big 0",
        "x red hex 0",
        "x red small 0",
        "floor -",
    ]
    objections = [text for text in listed if text.startswith("floor !")]
    # three objectors, three kinds of red columns; it works, or fails and costs nothing or one of three kinds
    assert len(objections) == len(set(objections)) == 3 * 3 * (1 + 4)
    assert listed[7 + 45 :] == ["crash red", "crash blue", "crash yellow", "crash green", "crash", "end"]


@pytest.mark.parametrize(
    ("move", "first"),
    [
        ("red big 1", "red big 0"),
        ("blue hex 0", "red hex 0"),
        ("red big 1 crash", "red big 0 crash"),
        ("x red small* 0", "x red small 0"),
        ("floor", "floor -"),
        ("floor ! red red big 0 ok", "floor ! blue red big 0 ok"),
        ("floor ! blue red big 1 crash", "floor ! blue red big 0 crash"),
    ],
)
def test_what_is_nearest_differs_in_the_fewest_words(move: str, first: str) -> None:
    """A refused move is offered the nearest of its kind, and a collapse stays one."""
    state = GAME.setup(FOUR)
    assert not GAME.check(state, GAME.read(move)).legal
    assert GAME.write(GAME.nearest(state, GAME.read(move))[0]) == first


def test_a_challenge_that_is_refused_is_offered_others() -> None:
    """To a challenge by oneself the nearest is another's; one that brought the villa down stays so."""
    state = GAME.setup(THREE)
    for end in ("", " fail", " crash"):
        offered = [GAME.write(move) for move in GAME.nearest(state, GAME.read(f"n x small 0 ! red hex 0{end}"))]
        assert len(offered) == 3
        assert offered[0] in {f"n x small 0 ! blue hex 0{end}", f"n x small 0 ! yellow hex 0{end}"}


# --- cells -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "cells"),
    [
        ("red big 0", ("red big 0",)),
        ("x red small* 2", ("red small 2",)),
        ("n small 1", ("n small 1",)),
        ("n x small 1 ! blue hex 0", ("n small 1", "n hex 0")),
        ("n x small 1 ! blue small 1 fail", ("n small 1",)),
        ("floor ! blue red hex 1 fail blue small 0", ("red hex 1", "blue small 0")),
        ("floor", ()),
        ("crash red", ()),
    ],
)
def test_a_move_touches_the_groups_that_it_names(move: str, cells: tuple[str, ...]) -> None:
    """Like columns on one level are one cell, and each is named once."""
    assert GAME.cells_of(GAME.read(move)) == cells


def test_evidence_and_moves_name_a_neutral_group_alike() -> None:
    """What lights up for a neutral column is the cell that a neutral move touches, not its colour's."""
    state = GAME.setup(THREE)
    move = GAME.read("n small 0")
    [finding] = GAME.check(state, move).findings
    assert finding.facts.evidence == (Fact(("n big 0", "n hex 0", "n small 0"), {"columns": 5}),)
    assert set(GAME.cells_of(move)) <= set(finding.facts.evidence[0].cells)


# --- the score ---------------------------------------------------------------------------------------------------


def findings_by_rule(state: State, rule: str) -> dict[str, tuple[Fact, ...]]:
    return {line.seat: line.evidence for line in GAME.score(state) if line.rule == rule}


def test_the_sheet_says_who_would_win_after_each_collapse() -> None:
    """Before the end: the holder, the previous one, and who wins if each player brings the villa down."""
    state = play(FOUR, *CONTESTED_SEAL)
    assert findings_by_rule(state, "VP-33") == {
        "red": (),
        "blue": (Fact((), {"points": 0, "previous": 1}),),
        "yellow": (Fact((), {"points": 0, "holder": 1}),),
        "green": (),
    }
    assert findings_by_rule(state, "VP-40") == {
        seat: (Fact((), {"points": 0, f"wins_{winner}": 1}),)
        for seat, winner in {"red": "yellow", "blue": "yellow", "yellow": "blue", "green": "yellow"}.items()
    }
    assert [place.seats for place in GAME.ranking(state)] == [("yellow",), ("red", "blue", "green")]


def test_what_the_sheet_says_of_a_collapse_comes_true() -> None:
    """Whoever brings the villa down now, the winner is the one that the sheet names."""
    for moves in (CONTESTED_SEAL[:3], CONTESTED_SEAL[:-1], CONTESTED_SEAL):
        state = play(FOUR, *moves)
        for seat, (fact,) in over(findings_by_rule(state, "VP-40").items()):
            fell = GAME.apply(state, Crash(seat))  # type: ignore[arg-type]  # a seat is a colour
            winner = next(iter(first(GAME.ranking(fell))), "nobody")
            assert fact.counts == {"points": 0, f"wins_{winner}": 1}


def test_after_the_end_no_collapse_is_foretold() -> None:
    """The points and the seal stay; what might have been does not."""
    state = play(FOUR, *CONTESTED_SEAL, "crash green")
    assert findings_by_rule(state, "VP-40") == {}
    assert findings_by_rule(state, "VP-31")["yellow"] == (Fact(("yellow big 2",), {"points": 3}),)


# --- positions ---------------------------------------------------------------------------------------------------


def test_the_turn_changes_no_score() -> None:
    """Whose turn it is, which part of it, and whether a floor was asked for: score, ranking and end are the same."""
    for state, _ in over(every_nth_step(GAME, 6)):
        for own, asked, player in over(product((False, True), (False, True), range(len(state.players)))):
            other = state._replace(own=own, asked=asked, player=player)
            assert GAME.score(other) == GAME.score(state)
            assert GAME.ranking(other) == GAME.ranking(state)
            assert GAME.due(other).ended == GAME.due(state).ended


def test_a_position_without_a_turn_has_one_that_can_be_taken() -> None:
    """`VP-18`: on the red floor Red has no column left to move: where no turn is entered, it is Blue's."""
    columns = tuple(
        Columns(colour, shape, 5 if colour == "red" else 0, n) for colour in COLOURS for shape, n in SUPPLY.items()
    )
    entered = Position(columns, top=5, holder="red")
    assert not GAME.problems(Setup(), entered)
    assert GAME.due(GAME.enter(Setup(), entered)).seat == "blue"
    said = [(finding.rule, finding.facts.code) for finding in GAME.problems(Setup(), replace(entered, due="red"))]
    assert said == [("VP-18", "position_out")]


def test_either_colour_names_the_player_in_a_position() -> None:
    """With two players; written down again it is the first one."""
    start = GAME.position(GAME.setup(TWO))
    entered = replace(start, due="green", ended=Ending("VP-16", by="yellow"))
    assert GAME.problems(TWO, entered) == ()
    written = GAME.position(GAME.enter(TWO, entered))
    assert (written.due, written.ended) == ("blue", Ending("VP-16", by="red"))


def test_a_group_that_is_entered_twice_adds_up() -> None:
    """Somebody may well name three small columns one by one."""
    start = GAME.position(GAME.setup(FOUR))
    others = tuple(each for each in start.columns if (each.colour, each.shape) != ("red", "small"))
    one = Columns("red", "small", 0)
    assert GAME.problems(FOUR, replace(start, columns=(*others, one, one, one))) == ()
    assert GAME.enter(FOUR, replace(start, columns=(one, *others, one, one))) == GAME.setup(FOUR)


def test_every_problem_of_a_position_is_named() -> None:
    """All that is wrong, not only the first: columns that are missing, one in the air, and a seal too early."""
    start = GAME.position(GAME.setup(FOUR))
    high = replace(start.columns[0], level=3)
    entered = replace(start, columns=(high, *start.columns[2:]), holder="red", previous="red")
    found = [(problem.rule, problem.facts.code) for problem in GAME.problems(FOUR, entered)]
    assert found == [
        ("VP-1", "position_supply"),
        ("VP-15", "position_above"),
        ("VP-30", "position_early"),
        ("VP-33", "position_same"),
    ]


def test_an_empty_position_misses_every_column() -> None:
    """`VP-1`: four colours of three shapes."""
    assert [problem.rule for problem in GAME.problems(FOUR, Position())] == ["VP-1"] * 12


def test_forms_that_say_the_same_are_equal() -> None:
    """The cell of a move is worked out, and not compared."""
    assert NeutralAbort("small", 1) == GAME.read("n x small 1")
    tried = Objection("blue", "red", "hex", 0, "fail", taken=Taken("blue", "small", 0))
    assert Floor(objection=tried) == GAME.read("floor ! blue red hex 0 fail blue small 0")
