"""Architekton: lists, settlements and scores against counts made by hand; the series; setups that are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations, product
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rules.architekton import GAME
from rules.architekton.legal_moves import site, sites
from rules.architekton.moves import Building, Keep, Land, Move, Pass, Take, UpBuilding, UpLandscape, in_order
from rules.architekton.scoring import largest_group
from rules.architekton.series import to_begin
from rules.architekton.state import Chips, Colour, Display, LayoutTile, Player, Position, Result, Setup, State
from rules.architekton.tiles import EVERY_BUILDING, EVERY_LIE, LANDSCAPE, canonical, rotations
from rules.forms import Malformed
from tests.rules.forms import moves
from tests.rules.play import SEED, often, random_game, seeds, setups
from tests.support.json_forms import read_setup
from tests.support.loops import over
from tests.support.records import RECORD_PATHS, notations_of, record_of

Cell = tuple[int, int]
quick = settings(max_examples=often(50), deadline=None)
BOX = tuple(EVERY_BUILDING[::3][:22])
DISPLAY = Display(BOX[:3], ("E", "E", "W"))
LAYOUT = (LayoutTile((0, 0), "earth"), LayoutTile((1, 1), "forest"))
DARK_FIRST = (Player("dark"), Player("light"))
PLAIN = Setup(layout=LAYOUT)
SETUPS = (
    *setups("architekton"),
    PLAIN,
    replace(PLAIN, set=BOX, display=DISPLAY),
    replace(PLAIN, set=BOX),
    replace(PLAIN, display=DISPLAY, players=DARK_FIRST),
)


def recorded_states() -> list[State]:
    """Every state of the recorded games: they last longer than random ones."""
    found = []
    for path in RECORD_PATHS:
        if path.parent.name == GAME.id:
            record = record_of(path)
            found.append(GAME.setup(read_setup(GAME, record["setup"])))
            for notation in notations_of(record):
                found.append(GAME.apply(found[-1], GAME.read(notation)))
    return found


@cache
def games_from(setup: int) -> list[Sequence[tuple[State, Move | None]]]:
    """Some random games from a setup."""
    return [tuple(random_game(GAME, Random(f"{SEED} {setup} {number}"), SETUPS[setup])) for number in range(often(10))]


def table(chance: Random, start: int | State, drawn: list[Any]) -> State:
    """A table from a random game (from the setup of this number) or a recorded one on which forbidden moves stood."""
    state = chance.choice(chance.choice(games_from(start)))[0] if isinstance(start, int) else start
    for move in drawn:
        if GAME.cannot_stand(state, move) is None:
            state = GAME.apply(state, move)
    return state


starts = st.sampled_from(range(len(SETUPS))) | st.sampled_from(recorded_states())
tables = st.builds(table, seeds(), starts, st.lists(moves(GAME), max_size=4))


# --- counted by hand -------------------------------------------------------------------------------------------------


def sides(cell: Cell) -> list[Cell]:
    """North, east, south, west."""
    x, y = cell
    return [(x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y)]


def closed_by(state: State, cell: Cell, tile: str) -> dict[Cell, tuple[int, int]]:
    """The buildings that a tile on a free cell surrounds: their owner, and how many sides differ."""
    tiles = {**state.tiles, cell: tile}
    owners = {**state.houses, cell: state.player} if len(tile) == 4 else dict(state.houses)
    found = {}
    for at, owner in owners.items():
        near = [tiles.get(other, "") for other in sides(at)]
        if (at == cell or cell in sides(at)) and all(len(other) == 1 for other in near):
            found[at] = owner, sum(a != b for a, b in zip(near, tiles[at], strict=True))
    return found


def clauses(state: State, cell: Cell, tile: str) -> list[tuple[Any, Any, Any]]:
    """Every order and every set of answers."""
    closed = closed_by(state, cell, tile)
    clockwise = [at for at in (*sides(cell), cell) if at in closed]
    own = [at for at in clockwise if closed[at][0] == state.player and closed[at][1]]
    found = []
    for order in ((), *permutations(clockwise)):
        for answers in product("kt", repeat=len(own)):
            given_ = list(zip(own, answers, strict=True))
            found.append((order, tuple(at for at, a in given_ if a == "k"), tuple(at for at, a in given_ if a == "t")))
    return found


def tiles_to_lay(state: State) -> list[str]:
    """Every tile that may be laid, each way it can lie: out of the display, else out of what was not laid yet."""
    if state.display is not None:
        ways = [lie for tile in state.display.buildings for lie in rotations(tile)]
        return sorted({*ways, *state.display.landscapes})
    laid = list(state.tiles.values())
    lands = [letter for letter in "EFMW" if laid.count(letter) < 6]
    if sum(len(tile) == 4 for tile in laid) == 22:
        return lands
    if state.box is None:
        return [*lands, *EVERY_LIE]
    used = [canonical(tile) for tile in laid if len(tile) == 4]
    return [*lands, *(lie for lie in EVERY_LIE if state.box.count(canonical(lie)) > used.count(canonical(lie)))]


def fits(state: State, cell: Cell, tile: str) -> bool:
    """`AR-10` to `AR-12`, edge by edge."""
    matches = touching = 0
    for number, near in enumerate(sides(cell)):
        other = state.tiles.get(near)
        if other is None:
            continue
        if len(other) == len(tile):
            return False
        touching += 1
        mine = tile if len(tile) == 1 else tile[number]
        matches += mine == (other if len(other) == 1 else other[(number + 2) % 4])
    return touching > 0 and matches > 0 and cell not in state.tiles


def all_lays(state: State) -> set[Move]:
    """Every legal tile, cell by cell."""
    reach = {near for cell in state.tiles for near in sides(cell)}
    own = [cell for cell, owner in state.houses.items() if owner == state.player]
    found: set[Move] = set()
    for cell, tile in product(reach, tiles_to_lay(state)):
        if not fits(state, cell, tile):
            continue
        for order, keep, take in clauses(state, cell, tile):
            if len(tile) == 1:
                found.add(Land(cell, LANDSCAPE[tile], order, keep, take))
            else:
                sources: list[Cell | None] = [None] if len(own) < 12 else [*own]
                found |= {Building(cell, tile, source, order, keep, take) for source in sources}
    return found


@given(tables)
def test_a_site_is_one_of_the_listed_sites(state: State) -> None:
    """What faces a tile's cell or one beside it is what the list says, or nothing where the list does not have it."""
    listed = sites(state)
    cells = state.tiles.keys() | {near for cell in state.tiles for near in sides(cell)}
    assert listed[0].keys() | listed[1].keys() <= cells
    assert {cell: site(state, cell) for cell in cells} == {
        cell: tuple(each.get(cell) for each in listed) for cell in cells
    }


@quick
@given(tables)
def test_the_list_is_all_that_is_legal(state: State) -> None:
    """In a turn: every tile in every rotation on every cell, with every order, answer and house, asked by hand."""
    listed = list(GAME.moves(state))
    assert len(set(listed)) == len(listed)
    due = GAME.due(state)
    if due.ended:
        assert listed == []
    elif state.pending:
        assert listed == [Keep(state.pending[0].cell), Take(state.pending[0].cell)]
    elif due.seat is None:
        assert {type(move) for move in listed} <= {UpBuilding, UpLandscape}
    else:
        lays = all_lays(state)
        passing = {Pass()} if state.display is None or not lays else set()
        assert set(listed) == lays | passing


@quick
@given(tables, st.data())
def test_what_the_list_leaves_out_is_refused(state: State, data: st.DataObject) -> None:
    """In every phase an entry that is not listed is illegal, and some rule says why."""
    listed = set(GAME.moves(state))
    for move in over(data.draw(st.lists(moves(GAME), min_size=10, max_size=10))):
        verdict = GAME.check(state, move)
        assert verdict.legal == (move in listed)
        assert bool(verdict.broken_rules) != verdict.legal


# --- settlements -----------------------------------------------------------------------------------------------------


@quick
@given(tables, st.randoms(use_true_random=False))
def test_chips_follow_the_sides(state: State, chance: Any) -> None:
    """A tile gives its gains at once, and takes what is answered: in all, what the sides say."""
    lays = [move for move in GAME.moves(state) if isinstance(move, Building | Land)]
    closing = [move for move in lays if closed_by(state, move.cell, move.tile)]
    assume(closing)
    move = chance.choice(closing)
    before, after = list(state.chips), GAME.apply(state, move)
    closed = closed_by(state, move.cell, move.tile)
    limited = state.readings["pool"] == "limited"
    listed = [*move.order] or [at for at in (*sides(move.cell), move.cell) if at in closed]
    for at in listed:
        owner, differ = closed[at]
        if not differ and not (limited and sum(before) >= 8):
            before[owner] += 1
    for at in (at for at in listed if closed[at][1]):
        owner, differ = closed[at]
        cost = differ - (at in move.take)
        if owner != state.player or before[owner] < cost:
            assert after.pending[0].cell == at
            ended = GAME.due(after).ended
            assert (ended.rule if ended else None) == (None if owner != state.player else "AR-22")
            break
        before[owner] -= cost
        assert (at in after.houses) == (at not in move.take)
    else:
        assert not after.pending
    assert list(after.chips) == before


@quick
@given(tables)
def test_twelve_houses_a_colour(state: State) -> None:
    """What is in supply and what stands on the table are twelve houses each."""
    for player in (0, 1):
        assert state.supply[player] + list(state.houses.values()).count(player) == 12
    assert state.building_count == sum(len(tile) == 4 for tile in state.tiles.values())
    assert all(len(state.tiles[cell]) == 4 for cell in state.houses)


# --- the score -------------------------------------------------------------------------------------------------------


def by_joining(houses: set[Cell]) -> int:
    """The size of the largest group: neighbours take each other's number until nothing changes."""
    group_of = {cell: number for number, cell in enumerate(houses)}
    for p, q in [*product(houses, houses)] * len(houses):
        if abs(p[0] - q[0]) == abs(p[1] - q[1]) == 1:
            group_of[p] = group_of[q] = min(group_of[p], group_of[q])
    groups = list(group_of.values())
    return max(map(groups.count, groups), default=0)


@settings(max_examples=often(40), deadline=None)
@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=14))
def test_the_largest_group_is_found(houses: set[Cell]) -> None:
    """`AR-32`: as large as by joining, of cells that are there."""
    group = largest_group(houses)
    assert len(group) == by_joining(houses)
    assert set(group) <= houses


@quick
@given(tables)
def test_the_score_is_the_group_and_the_chips(state: State) -> None:
    """`AR-31`, `AR-32`, `AR-35`, counted by hand."""
    lines = {(line.seat, line.rule): line.points for line in GAME.score(state)}
    for player, colour in enumerate(("light", "dark")):
        stay = {
            cell
            for cell, owner in state.houses.items()
            if owner == player and sum(len(state.tiles.get(near, "")) == 1 for near in sides(cell)) >= 3
        }
        assert lines[colour, "AR-32"] == by_joining(stay)
        assert lines[colour, "AR-35"] == state.chips[player]
        assert lines[colour, "AR-31"] == 0


# --- the series ------------------------------------------------------------------------------------------------------


def series_of(*results: Result, moves_: tuple[str, ...] = ()) -> dict[str, int]:
    """The points of a series that Light began, shown with the ranking, after some moves of its current game."""
    players = DARK_FIRST if len(results) % 2 else PLAIN.players
    state = GAME.setup(replace(PLAIN, players=players, series=results))
    for notation in moves_:
        state = GAME.apply(state, GAME.read(notation))
    return dict(GAME.ranking(state)[0].evidence[-1].counts)


EARLY = ("(1,0) building M W E M", "(1,-1) landscape M", "pass", "(2,0) landscape W keep (1,0)")


def test_a_series_counts_its_games() -> None:
    """`AR-40`: one point a win, two by early end, none for a draw, and for the current game only once it has ended."""
    assert series_of() == {"series_light": 0, "series_dark": 0}
    assert series_of(Result("light"), Result()) == {"series_light": 1, "series_dark": 0}
    assert series_of(moves_=("pass", "pass")) == {"series_light": 0, "series_dark": 0}
    lost = series_of(moves_=EARLY)
    assert lost == {"series_light": 0, "series_dark": 2}
    assert series_of(Result("light"), moves_=EARLY) == {"series_light": 3, "series_dark": 0}


def test_the_first_player_begins() -> None:
    """The players are listed in turn order, also in a later game of a series (`AR-2`, `AR-40`)."""
    for number in over(range(4)):
        for players in (PLAIN.players, DARK_FIRST):
            state = GAME.setup(replace(PLAIN, players=players, series=(Result(),) * number))
            assert GAME.due(state).seat == players[0].colour
            assert GAME.seats_of(state) == tuple(player.colour for player in players)


@pytest.mark.parametrize(
    ("started", "due"),
    [
        ((), None),
        ((None, None), None),
        (("light",), "dark"),
        (("dark",), "light"),
        (("light", "dark"), "light"),
        (("light", None), "light"),
        (("light", None, None), "dark"),
        (("dark", None, None, None), "dark"),
    ],
)
def test_who_is_to_begin_is_told_by_the_last_game_of_which_it_is_known(
    started: tuple[Colour | None, ...], due: Colour | None
) -> None:
    """`AR-40`: the players begin by turns, game after game, also those of which nobody said it."""
    assert to_begin([Result(started=each) for each in started]) == due


def test_a_table_outside_a_series_shows_none() -> None:
    """Without a series neither the ranking nor the sheet has anything of it."""
    assert all(not place.evidence for place in GAME.ranking(GAME.setup(PLAIN)))
    assert not [line for line in GAME.score(GAME.setup(PLAIN)) if line.rule == "AR-40"]


L, D = Result("light", started="light"), Result("dark", started="dark")


@pytest.mark.parametrize(
    ("series", "moves_", "light", "dark"),
    [
        ((), (), {"series_before": 0}, {"series_before": 0, "begins_next": 1}),
        ((Result("dark"),), (), {"drew": 0, "series_before": 0}, {"won_game": 1, "series_before": 1, "begins_next": 1}),
        (
            (L, D),
            (),
            {"began_game": 1, "won_game": 1, "series_before": 1},
            {"began_game": 2, "won_game": 2, "series_before": 1, "begins_next": 1},
        ),
        (
            (L,),
            (),
            {"began_game": 1, "won_game": 1, "series_before": 1},
            {"series_before": 0, "begins_next": 1, "departs_this_game": 2},
        ),
        (
            (L, Result(None, started="light")),
            (),
            {"began_game": 2, "won_game": 1, "drew_game": 2, "series_before": 1, "departs_earlier_game": 2},
            {"drew_game": 2, "series_before": 0, "begins_next": 1, "departs_this_game": 3},
        ),
        (
            (Result("dark", early=True),),
            (),
            {"series_before": 0},
            {"won_early": 1, "series_before": 2, "wins_series": 1, "departs_was_won": 1},
        ),
        ((), EARLY, {"series_before": 0, "series_after": 0}, {"series_before": 0, "series_after": 2, "wins_series": 1}),
        (
            (),
            ("pass", "pass"),
            {"series_before": 0, "series_after": 0},
            {"series_before": 0, "series_after": 0, "begins_next": 1},
        ),
    ],
)
def test_the_sheet_tells_of_the_series(
    series: tuple[Result, ...], moves_: tuple[str, ...], light: dict[str, int], dark: dict[str, int]
) -> None:
    """`AR-40`, where Light begins: the games, the points before and after, who begins next, and what departs."""
    state = GAME.setup(replace(PLAIN, series=series))
    for notation in moves_:
        state = GAME.apply(state, GAME.read(notation))
    said: dict[str, dict[str, int]] = {"light": {}, "dark": {}}
    for line in GAME.score(state):
        for fact in line.evidence if line.rule == "AR-40" else ():
            said[line.seat] |= {name: n for name, n in fact.counts.items() if name != "points"}
    light.pop("drew", None)
    assert said == {"light": light, "dark": dark}


# --- setups that are none --------------------------------------------------------------------------------------------

START = LayoutTile((0, 0), "earth")


@pytest.mark.parametrize(
    ("form", "code", "pointer"),
    [
        (replace(PLAIN, players=(Player("light"),)), "colours", "/players"),
        (replace(PLAIN, players=(Player("light"), Player("light"))), "colours", "/players"),
        (Setup(layout=(START,)), "layout", "/layout"),
        (Setup(layout=(START, LayoutTile((1, 0), "earth"))), "layout", "/layout"),
        (Setup(layout=(START, LayoutTile((2, 2), "earth"))), "layout", "/layout"),
        (Setup(layout=(START, START)), "layout", "/layout"),
        (replace(PLAIN, set=BOX[:21]), "set", "/set"),
        (replace(PLAIN, display=Display(BOX[:2], DISPLAY.landscapes)), "display", "/display/buildings"),
        (replace(PLAIN, display=Display(BOX[:3], ("E",))), "display", "/display/landscapes"),
        (
            replace(PLAIN, set=BOX, display=Display((BOX[0], *BOX[:2]), DISPLAY.landscapes)),
            "not_in_set",
            "/display/buildings/1",
        ),
        (replace(PLAIN, series=(Result(None, early=True),)), "early_draw", "/series/0/early"),
    ],
)
def test_a_setup_that_is_none_names_the_field(form: Setup, code: str, pointer: str) -> None:
    """A malformed setup says what is wrong and where."""
    with pytest.raises(Malformed) as raised:
        GAME.setup(form)
    assert (raised.value.code, raised.value.pointer) == (code, pointer)


def test_either_diagonal_starts_a_town() -> None:
    """`AR-1`: the second landscape lies to the north-east or to the south-east, listed in either order."""
    for cell in ((1, 1), (1, -1)):
        other = LayoutTile(cell, "water")
        assert GAME.setup(Setup(layout=(START, other))) == GAME.setup(Setup(layout=(other, START)))


# --- notation --------------------------------------------------------------------------------------------------------


def test_answers_are_read_in_any_order_and_written_in_that_of_settlement() -> None:
    """The clauses of the page: answers in any order; written as the buildings are settled."""
    written = "(2,0) landscape W order (3,0) (2,1) (1,0) take (3,0) keep (1,0)"
    for text in (written, "(2,0) landscape W order (3,0) (2,1) (1,0) keep (1,0) take (3,0)"):
        assert GAME.write(GAME.read(text)) == written
    clockwise = "(2,0) landscape W keep (2,1) take (3,0) keep (1,0)"
    assert GAME.write(GAME.read("(2,0) landscape W keep (1,0) take (3,0) keep (2,1)")) == clockwise


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("(1,0) building F W M", "notation"),
        ("(1,0) building FWME", "notation"),
        ("(01,0) landscape W", "notation"),
        ("(1,0) landscape X", "notation"),
        ("(1,0)  landscape W", "notation"),
        ("(1,0) landscape W keep (1,0) order (1,0)", "notation"),
        ("(1,0) landscape W from (1,0)", "house_of_a_landscape"),
        ("(47,0) landscape W", "cell"),
        ("(1,0) landscape W keep (0,-47)", "cell"),
        ("(1,0) castle W", "unknown_kind"),
        ("castle", "unknown_kind"),
        ("keep", "notation"),
        ("up castle W", "notation"),
        ("pass (1,0)", "notation"),
        ("", "notation"),
    ],
)
def test_what_is_no_move_says_why(text: str, code: str) -> None:
    """Text that is nearly a move."""
    with pytest.raises(Malformed) as raised:
        GAME.read(text)
    assert raised.value.code == code


def test_a_tile_turned_up_is_the_same_in_every_rotation() -> None:
    """Four ways to write a tile, one tile; its mirror image is another."""
    written = {GAME.write(GAME.read(f"up building {' '.join(lie)}")) for lie in rotations("FWME")}
    assert len(written) == 1
    assert GAME.read("up building F E M W") != GAME.read("up building F W M E")
    assert len(EVERY_BUILDING) == 70


# --- positions -------------------------------------------------------------------------------------------------------


def test_a_lost_game_is_entered_as_lost() -> None:
    """`AR-22`: what could not be paid stays pending with its answer, and the sheet its totals."""
    state = GAME.setup(PLAIN)
    for notation in EARLY:
        state = GAME.apply(state, GAME.read(notation))
    written = GAME.position(state)
    again = GAME.enter(PLAIN, written)
    assert GAME.problems(PLAIN, written) == ()
    assert again == state
    assert [place.decided_by for place in GAME.ranking(again)] == ["AR-22", "AR-22"]


def test_an_empty_position_is_a_table_with_nothing_to_say() -> None:
    """Nothing lies there: nothing fits but a pass, and each player has what was entered."""
    state = GAME.enter(PLAIN, Position(chips=Chips(0, 3)))
    assert list(GAME.moves(state)) == [Pass()]
    assert {line.seat: line.points for line in GAME.score(state) if line.rule == "AR-35"} == {"light": 0, "dark": 3}


class CountingCell(tuple[int, int]):
    """A cell that counts how often it is compared with another."""

    comparisons = 0
    __hash__ = tuple.__hash__

    def __eq__(self, other: object) -> bool:
        """Whether it is the same cell."""
        CountingCell.comparisons += 1
        return super().__eq__(other)


def test_answers_are_put_in_order_without_a_search_for_each() -> None:
    """The work grows as the answers do, and not as their square."""
    cells = [CountingCell((x, 0)) for x in range(10, 1010)]
    assert in_order((0, 0), tuple(cells), tuple(reversed(cells))) == tuple(cells)
    assert CountingCell.comparisons < 3 * len(cells)
