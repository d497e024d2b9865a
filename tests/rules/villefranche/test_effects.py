"""What a placement of Villefranche is told to bring about, counted anew from the pieces on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import given, settings

from rules import load
from rules.effects import OF_EVERY_GAME, effects_of
from rules.kernel import Effect
from rules.ranking import totals
from rules.villefranche import GAME
from rules.villefranche.effects.ties import ties
from rules.villefranche.moves import House, Move
from rules.villefranche.state import Piece, State
from tests.rules.play import every_nth_step, often
from tests.rules.villefranche.tables import ALL_MOVES, tables
from tests.support.case_states import stage
from tests.support.loops import over

COLUMNS = "abcdefghi"
SIDES = {
    "south": [f"{column}1" for column in COLUMNS],
    "north": [f"{column}9" for column in COLUMNS],
    "west": [f"a{row}" for row in range(1, 10)],
    "east": [f"i{row}" for row in range(1, 10)],
}
"""The nine cells of each side, corners too."""
ENCLOSURE = {cell for side in SIDES.values() for cell in side}
CORNERS = {"a1", "i1", "a9", "i9"}
SUPPLY = 10
Table = Mapping[str, tuple[Piece, ...]]


def some_moves() -> Iterator[tuple[State, Move, State]]:
    """Moves of the shared games, each between two states."""
    for state, move in every_nth_step(GAME, 5):
        if move is not None:
            yield state, move, GAME.apply(state, move)


def effect_values(state: State, move: Move, after: State, *names: str) -> list[Any]:
    """The values of the effects with these rules and codes, or of those with these rules."""
    effects = GAME.effects(state, move, after)
    return [e.facts.values for e in effects if {e.rule, f"{e.rule}.{e.facts.code}"} & set(names)]


def table(state: State) -> Table:
    """The pieces of each cell, from the bottom up."""
    return {str(cell): pieces for cell, pieces in GAME.position(state).cells.items()}


def lines(state: State, rule: str) -> Counter[str]:
    """The points of each colour by one rule."""
    found: Counter[str] = Counter()
    for line in GAME.score(state):
        if line.rule == rule:
            found[line.seat] += line.points
    return found


# --- the enclosure, side by side ---------------------------------------------------------------------------------


def ramparts(on: Table) -> dict[frozenset[str], str]:
    """The two cells of each brick of the enclosure, and its colour."""
    return {
        frozenset((cell, str(piece.second))): piece.colour
        for cell, pieces in on.items()
        for piece in pieces
        if piece.second in ENCLOSURE and cell in ENCLOSURE
    }


def finished_sides(cells: list[str]) -> Iterator[tuple[str, set[frozenset[str]]]]:
    """Each gate that a side can end with, and its three ramparts then (`VF-11`)."""
    inner = cells[1:-1]
    for gate in inner[::2]:
        rest = [cell for cell in inner if cell != gate]
        yield gate, {frozenset(rest[k : k + 2]) for k in (0, 2, 4)}


def candidates(on: Table, side: str) -> list[str]:
    """The gates that a side can still have."""
    cells = SIDES[side]
    laid = {pair for pair in ramparts(on) if pair <= set(cells[1:-1])}
    return [gate for gate, pairs in finished_sides(cells) if laid <= pairs]


def owner(on: Table, cell: str) -> str | None:
    """Whose corner tower, or whose rampart, stands on a cell of the enclosure."""
    if cell not in CORNERS:
        return next((colour for pair, colour in ramparts(on).items() if cell in pair), None)
    storeys = Counter(piece.colour for piece in on.get(cell, ()))
    return next((colour for colour, number in storeys.items() if number == 2), None)


def test_the_gates_told_held_are_the_points_of_gates() -> None:
    """`VF-60`: two points each, and nothing else changes that line."""
    for state, move, after in over(some_moves()):
        gained = Counter({values["colour"]: 0 for values in effect_values(state, move, after, "VF-60.held")})
        for values in effect_values(state, move, after, "VF-60.held"):
            gained[values["colour"]] += 2
        assert lines(after, "VF-60") == lines(state, "VF-60") + gained


def test_a_gate_is_told_with_who_stands_beside_it() -> None:
    """`VF-60`: held by the colour on both sides, divided by two, open while the corner tower is nobody's."""
    heard = set()
    for state, move, after in some_moves():
        on = table(after)
        for effect in GAME.effects(state, move, after):
            values: Any = effect.facts.values
            if effect.rule != "VF-60":
                continue
            [(side, place)] = [
                (cells, cells.index(values["gate"])) for cells in SIDES.values() if values["gate"] in cells
            ]
            beside = [owner(on, side[place - 1]), owner(on, side[place + 1])]
            code = "open" if None in beside else "held" if len(set(beside)) == 1 else "divided"
            assert code == effect.facts.code
            if code == "open":
                assert values["corner"] in CORNERS and owner(on, values["corner"]) is None
            else:
                assert beside == [values["colour"], values["other"]]
            heard.add(code)
    assert heard == {"open", "held", "divided"}


def test_the_candidate_gates_told_are_those_of_the_finished_sides() -> None:
    """`VF-11`: told where they get fewer, and only there."""
    for state, move, after in over(some_moves()):
        changed = {s: now for s in SIDES if (now := candidates(table(after), s)) != candidates(table(state), s)}
        said = {v["side"]: list(v.get("cells", ())) or [v["gate"]] for v in effect_values(state, move, after, "VF-11")}
        assert {side: sorted(gates) for side, gates in said.items()} == {s: sorted(now) for s, now in changed.items()}


def test_the_ramparts_told_are_half_the_cells_with_a_brick() -> None:
    """`VF-10`: how many of twelve."""
    for state, move, after in over(some_moves()):
        bricks = sum(piece.piece == "brick" for cell in ENCLOSURE for piece in table(after).get(cell, ()))
        assert [values["n"] for values in effect_values(state, move, after, "VF-10")] == [bricks // 2] * (
            move.kind == "rampart"
        )


def test_the_towers_told_are_owned_by_two_storeys() -> None:
    """`VF-12`: told with the storeys that stand there; owned where one colour has two, and for its points."""
    for state, move, after in over(some_moves()):
        gained: Counter[str] = Counter()
        for effect in GAME.effects(state, move, after):
            values: Any = effect.facts.values
            if effect.rule == "VF-12":
                there = Counter(piece.colour for piece in table(after)[values["cell"]])
                assert {colour: there[colour] for colour in ("black", "white")} == {
                    "black": values["black"],
                    "white": values["white"],
                }
                assert (effect.facts.code == "owned") == (2 in there.values())
                if effect.facts.code == "owned":
                    assert there[values["colour"]] == 2
                    gained[values["colour"]] += values["n"]
        assert lines(after, "VF-61") == lines(state, "VF-61") + gained


def test_the_town_is_told_to_begin_when_the_enclosure_is_complete() -> None:
    """`VF-4`: twelve ramparts and four owned towers now, and not before; and which turn it begins with."""

    def complete(state: State) -> bool:
        on = table(state)
        return len(ramparts(on)) == 12 and None not in {owner(on, corner) for corner in CORNERS}

    for state, move, after in over(some_moves()):
        begins = [e.facts.code for e in GAME.effects(state, move, after) if e.rule == "VF-4"]
        code = "this_turn" if GAME.position(after).placement == 2 else "next_turn"
        assert begins == [code] * (complete(after) and not complete(state))


# --- the town ----------------------------------------------------------------------------------------------------


def test_parishes_corporations_and_finished_buildings_are_those_of_the_score() -> None:
    """`VF-64`: told is the line before and after. `VF-62`: told where it changes. `VF-50`: as many as finished."""
    for state, move, after in over(some_moves()):
        was, now = lines(state, "VF-64"), lines(after, "VF-64")
        parishes = {v["colour"]: (v["was"], v["n"]) for v in effect_values(state, move, after, "VF-64")}
        assert parishes == {colour: (was[colour], now[colour]) for colour in now if was[colour] != now[colour]}
        if lines(state, "VF-62") != lines(after, "VF-62"):
            assert effect_values(state, move, after, "VF-62")
        finishes = effect_values(state, move, after, "VF-32.finished", "VF-41.finished")
        assert len(effect_values(state, move, after, "VF-50")) == len(finishes)
        towers = (sum(lines(after, "VF-63").values()) - sum(lines(state, "VF-63").values())) // 2
        assert len(effect_values(state, move, after, "VF-32.finished")) == towers


def test_a_new_line_of_shops_is_told_with_what_it_scores() -> None:
    """`VF-62`: shop by shop where a line is of one colour; the cells are shops side by side."""
    lines = (
        (after, values)
        for state, move, after in some_moves()
        for values in effect_values(state, move, after, "VF-62.corporation")
    )
    for after, values in over(lines):
        on = table(after)
        shops = [on[cell][0].colour for cell in values["cells"]]
        assert all([piece.piece for piece in on[cell]] == ["cube", "pyramid"] for cell in values["cells"])
        whole = after.readings["corporation"] != "majority_own"
        assert values["n"] == (len(shops) if whole else shops.count(values["colour"]))
        assert 2 * shops.count(values["colour"]) > len(shops)


def test_missing_shops_are_told_of_the_church_that_lacks_them() -> None:
    """`VF-42`: told after a nave where the next element breaks that rule, and nowhere else."""
    found = set()
    for state, move, after in over(step for step in some_moves() if step[1].kind == "nave"):
        cells = GAME.cells_of(move)
        naves = len(table(after)[str(cells[0])])
        following = GAME.read(f"e {cells[0]}{cells[1]}" if naves == 1 else f"b {cells[0]}")
        verdict = GAME.check(after._replace(player=state.player, placement=1), following)
        assert ("VF-42" in verdict.broken_rules) == bool(effect_values(state, move, after, "VF-42.wanting"))
        found.add("VF-42" in verdict.broken_rules)
    assert found == {True, False}


# --- every piece -------------------------------------------------------------------------------------------------


def way(on: Table, gate: str, without: str = "") -> bool:
    """Whether a gate has a way to the market square over free cells of building land (`VF-21`)."""
    free = {f"{c}{r}" for c in COLUMNS[1:-1] for r in range(2, 9)} - {cell for cell, pieces in on.items() if pieces}
    free.discard(without)
    seen, reached = {gate}, [gate]
    for cell in reached:
        column, row = COLUMNS.index(cell[0]), int(cell[1])
        for i, j in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            near = f"{COLUMNS[(column + i) % 9]}{row + j}"
            if near in free - seen:
                seen.add(near)
                reached.append(near)
    return "e5" in seen


def test_the_last_ways_told_are_those_that_no_further_building_may_take() -> None:
    """`VF-21`: without a cell that is told, the gate is cut off now and was not before; no such cell is left out."""
    cut_off = set()
    for state, move in over((state, move) for state, move in every_nth_step(GAME, 25) if move is not None):
        after = GAME.apply(state, move)
        was, now = table(state), table(after)
        gates = [gate for side in SIDES for gate in candidates(now, side)]
        fronts = {front(gate) for gate in gates}
        land = {f"{c}{r}" for c in COLUMNS[1:-1] for r in range(2, 9)} - {"e5"} - fronts - now.keys()
        takes = move.kind not in ("rampart", "corner_storey")
        expected = {
            (gate, cell)
            for gate in gates
            for cell in land
            if takes and way(now, gate) and not way(now, gate, cell) and way(was, gate, cell)
        }
        said = effect_values(state, move, after, "VF-21.last_way", "VF-21.last_way_possible")
        assert {(gate, cell) for values in said for gate in values["gates"] for cell in values["cells"]} == expected
        cut_off |= expected
    assert cut_off


def front(gate: str) -> str:
    """The cell of building land in front of a gate."""
    column, row = COLUMNS.index(gate[0]), int(gate[1])
    return f"{COLUMNS[min(max(column, 1), 7)]}{min(max(row, 2), 8)}"


def test_the_pieces_told_left_are_ten_less_what_stands() -> None:
    """`VF-6`: of the kind that was placed."""
    heard = set()
    for state, move, after in some_moves():
        colour = GAME.due(state).seat
        new = [p for cell, ps in table(after).items() for p in ps[len(table(state).get(cell, ())) :]]
        standing = sum((p.piece, p.colour) == (new[0].piece, colour) for ps in table(after).values() for p in ps)
        left = SUPPLY - (standing // 2 if new[0].piece == "brick" else standing)
        said = [(v["piece"], v["colour"], v["n"]) for v in effect_values(state, move, after, "VF-6")]
        assert said == [(new[0].piece, colour, left)]
        heard |= {piece for piece, *_ in said}
    assert heard == {"brick", "cube", "pyramid", "cylinder"}


def test_a_turn_is_told_cut_where_its_second_placement_is_not_due() -> None:
    """`VF-51`, `VF-52`: after the first placement of a turn, the first of the other player's is due."""
    for state, move, after in over(some_moves()):
        was, now = GAME.position(state), GAME.position(after)
        cut = (was.placement, now.placement, was.first_turn) == (1, 1, False)
        assert [v["colour"] for v in effect_values(state, move, after, "VF-51", "VF-52")] == [was.due] * cut


def test_a_house_that_only_counts_changes_no_score() -> None:
    """And only one cell of the table."""
    silent = 0
    for state, move, after in some_moves():
        rules = {effect.rule for effect in GAME.effects(state, move, after)}
        if isinstance(move, House) and rules == {"VF-22", "VF-6"}:
            silent += 1
            assert totals(GAME, state) == totals(GAME, after)
            assert table(after) == {**table(state), move.cell: table(after)[move.cell]}
    assert silent


def test_the_majority_told_is_the_pieces_around_the_site() -> None:
    """`VF-22`: on building land, with an equal count told as equal; a piece of several cells is counted on each."""
    heard = set()
    for state, move, after in some_moves():
        site = {str(cell) for cell in GAME.cells_of(move)}
        said = [effect for effect in GAME.effects(state, move, after) if effect.rule == "VF-22"]
        assert len(said) == (not site & ENCLOSURE)
        for (_, facts), on in zip(said, [table(state)], strict=False):
            near = {cell for cell in on for other in site if cell not in site and touches(cell, other)}
            counts = Counter[str](piece.colour for cell in near for piece in on[cell])
            own, opponent = counts[str(facts.values["colour"])], counts[str(facts.values["opponent_colour"])]
            assert (own, opponent) == (facts.values["own"], facts.values["opponent"])
            assert facts.code == ("more" if own > opponent else "equal" if own == opponent else "fewer")
            heard.add(facts.code)
    assert heard >= {"more", "equal"}


def test_a_tie_is_told_step_by_step() -> None:
    """`VF-70` to `VF-72`: as far as the step that decides, or the draw; with unequal points nothing is told."""
    game: Any = GAME
    book = load(GAME.id, "cases")
    heard = set()
    for case in book["case"]:
        if "decided_by" not in case:
            continue
        state: Any = stage(game, case, book)
        told = [(effect.rule, effect.facts) for effect in ties(state)]
        decided, winners = case["decided_by"], [facts.values["colour"] for _, facts in told if facts.code == "ahead"]
        steps = {"total": 0, "VF-70": 1, "VF-71": 2, "VF-72": 3}[decided]
        assert [rule for rule, _ in told] == ["VF-70", "VF-71", "VF-72"][:steps]
        assert winners == ([] if decided in ("total", "VF-72") else [case["winner"]])
        heard.add(decided)
    assert heard == {"total", "VF-70", "VF-71", "VF-72"}


def touches(cell: str, other: str) -> bool:
    """Whether two cells share an edge or a corner."""
    across = abs(COLUMNS.index(cell[0]) - COLUMNS.index(other[0]))
    return max(across, abs(int(cell[1]) - int(other[1]))) == 1


@settings(max_examples=often(30), deadline=None)
@given(tables)
def test_whatever_stood_is_told_of_what_is_there(state: State) -> None:
    """Every piece anywhere: what is told begun or finished is a building now, and no code is one of every game."""
    for move in over(move for move in ALL_MOVES[::7] if GAME.cannot_stand(state, move) is None):
        after = GAME.apply(state, move)
        effects = GAME.effects(state, move, after)
        assert not {effect.facts.code for effect in effects} & OF_EVERY_GAME
        assert effects_of(GAME, state, move, after)[: len(effects)] == effects
        for effect in effects:
            stands_as_told(effect, table(after))


def stands_as_told(effect: Effect, on: Table) -> None:
    """Storeys, naves and bell towers that are told stand there, all of one colour."""
    values: Any = effect.facts.values
    name = f"{effect.rule}.{effect.facts.code}"
    if name == "VF-32.storeys":
        assert [piece.piece for piece in on[values["cell"]]] == ["cylinder"] * values["n"]
    if name in ("VF-40.first_nave", "VF-40.second_nave"):
        naves = 1 if name == "VF-40.first_nave" else 2
        assert [[piece.piece for piece in on[cell]] for cell in values["cells"]] == [["brick"] * naves] * 2
    if name in ("VF-32.storeys", "VF-40.first_nave", "VF-40.second_nave", "VF-41.finished"):
        assert len({piece.colour for cell in values.get("cells", (values.get("cell"),)) for piece in on[cell]}) == 1
