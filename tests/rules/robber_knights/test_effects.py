"""What a tile of Robber Knights is told to bring about is what changes on the table, counted anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from rules.kernel import Effect
from rules.ranking import totals
from rules.robber_knights import GAME
from rules.robber_knights.moves import Cell, Knights, Stop, Tile
from rules.robber_knights.state import State
from rules.robber_knights.tiles import DECK
from tests.rules.play import every_nth_step, shared_games
from tests.support.loops import over

LEAST = {"lake": 0, "plain": 1, "forest": 2, "mountain": 3}
PILE = [letter for letter in "BCDE" for _ in range(5)]


def effects_by_code(state: State, move: Any) -> dict[str, list[Effect]]:
    """What a move brings about, by rule and code."""
    found: dict[str, list[Effect]] = {}
    for effect in GAME.effects(state, move, GAME.apply(state, move)):
        found.setdefault(f"{effect.rule}.{effect.facts.code}", []).append(effect)
    return found


def some_moves() -> Iterator[tuple[State, Any, State]]:
    """Moves of the shared games, each between two states."""
    for state, move in every_nth_step(GAME, 2):
        if move is not None:
            yield state, move, GAME.apply(state, move)


def cells(effects: list[Effect]) -> set[Any]:
    """The cells that effects light."""
    return {cell for effect in effects for fact in effect.facts.evidence for cell in fact.cells}


def knights(state: State) -> Mapping[Any, tuple[str, ...]]:
    """The knights on each tile, from the bottom up, as the position has them."""
    return {tile.cell: tile.knights for tile in GAME.position(state).tiles}


def test_the_knights_told_are_those_that_came() -> None:
    """`RK-31`: tile by tile, as many as the stack has grown by, and who was and is on top."""
    came = 0
    for state, move, after in some_moves():
        was, now = knights(state), knights(after)
        grown = {cell: len(there) - len(was.get(cell, ())) for cell, there in now.items()}
        said = {}
        for name, effects in effects_by_code(state, move).items():
            for effect in effects if name.startswith("RK-31") else ():
                values: Any = effect.facts.values
                assert values.get("tiles", 1) == len(effect.facts.evidence)
                for [cell], _ in over(effect.facts.evidence):
                    said[cell] = values["n"]
                    assert now[cell][-1] == values["colour"]
                    assert values.get("before") in {(was.get(cell) or (None,))[-1], None}
        assert said == {cell: number for cell, number in grown.items() if number}
        came += len(said)
    assert came


def test_the_points_taken_and_gained_add_up() -> None:
    """`RK-31`: they are the change of the totals."""
    codes = ("taken", "gained", "taken_each", "gained_each")
    seen: set[str] = set()
    for state, move, after in some_moves():
        change: Counter[str] = Counter(totals(GAME, state))
        effects = effects_by_code(state, move)
        seen |= effects.keys()
        for code in codes:
            for effect in effects.get(f"RK-31.{code}", []):
                values: Any = effect.facts.values
                change[values["colour"]] += values["points"] * values.get("tiles", 1)
                if values["before"]:
                    change[values["before"]] -= values["points"] * values.get("tiles", 1)
        assert change == Counter(totals(GAME, after))
    assert {f"RK-31.{code}" for code in codes} <= seen


def enters(state: State, cell: Cell, number: int) -> set[str]:
    """The rules against a march of so many knights onto a tile, whatever lies beside it: `RK-23` and `RK-25` alone."""
    x, y = cell
    verdict = GAME.check(state, Tile((x - 1, y), "plain castle", None, Knights((1, number), "e")))
    return set(verdict.broken_rules) & {"RK-23", "RK-25"}


def test_closed_tiles_and_room_are_what_the_next_march_meets() -> None:
    """`RK-23`, `RK-25`: a tile told closed could be entered before; where room is told, so many fit and no more."""
    seen: set[str] = set()
    for state, move, after in (step for step in some_moves() if not GAME.due(step[2]).ended):
        effects = effects_by_code(state, move)
        seen |= effects.keys()
        closed = cells(effects.get("RK-23.closed", []) + effects.get("RK-25.closed", []))
        reached = cells([effect for name, each in effects.items() if name.startswith("RK-31") for effect in each])
        for cell in reached:
            least = LEAST[after.tiles[cell].split()[0]]
            was_open = cell not in state.tiles or not enters(state, cell, least)
            assert (cell in closed) == (was_open and "RK-25" in enters(after, cell, least))
        assert closed <= reached
        for effect in effects.get("RK-23.room", ()):
            values: Any = effect.facts.values
            for cell in over(cells([effect])):
                assert not enters(after, cell, values["n"])
                assert enters(after, cell, values["n"] + 1) == {"RK-23"}
    assert seen >= {"RK-23.closed", "RK-25.closed", "RK-23.room"}


def test_turns_that_end_and_players_passed_over_are_told() -> None:
    """`RK-3`, `RK-4`: a turn ends by itself where the due player changes without a stop; nobody else is passed over."""
    for state, move, after in over(step for step in some_moves() if not GAME.due(step[2]).ended):
        effects = effects_by_code(state, move)
        begins = GAME.due(after).kinds == ("tile",)
        assert ("RK-3.third" in effects or "RK-4.last" in effects) == (begins and not isinstance(move, Stop))
        order = list(state.colours[state.player + 1 :] + state.colours[: state.player + 1])
        passed = order[: order.index(after.colours[after.player])] if begins else []
        said: Any = [effect.facts.values["colours"] for effect in effects.get("RK-4.passed_over", ())]
        assert said == ([tuple(passed)] if passed else [])


def test_every_pile_is_drawn_in_the_order_of_its_letters() -> None:
    """`RK-12`: five tiles with B, then C, D and E, and nothing after; as many stay as are told."""
    for played in over(shared_games(GAME)):
        letters: dict[str, list[str]] = {}
        for state, move in played.steps:
            for effect in effects_by_code(state, move).get("RK-12.drawn", []) if isinstance(move, Tile) else ():
                values: Any = effect.facts.values
                letters.setdefault(values["colour"], []).append(values["letter"])
                assert values["n"] == 22 - len(letters[values["colour"]])
        assert letters.keys() == set(played.steps[0][0].colours)
        assert all(drawn == PILE for drawn in letters.values())


def test_the_letters_told_are_those_of_which_a_tile_may_come_next() -> None:
    """`RK-12`: a tile of a letter that is not told is refused whatever it shows; of each that is told, one is not."""
    told_something = 0
    for state, move in every_nth_step(GAME, 9):
        effects = {} if move is None else effects_by_code(state, move)
        for effect in effects.get("RK-12.hand", ()):
            values: Any = effect.facts.values
            after = GAME.turn_of(GAME.apply(state, move), values["colour"])
            tiles = {letter: [Tile((99, 99), face, letter) for face in DECK[letter]] for letter in DECK}
            may = [letter for letter, all_ in tiles.items() if any(fits(after, tile) for tile in all_)]
            assert list(values["letters"]) == may
            told_something += 1
    assert told_something


def fits(state: State, tile: Tile) -> bool:
    """Whether a tile can be in hand, wherever it goes."""
    return "RK-12" not in GAME.check(state, tile).broken_rules


def test_what_brings_no_knights_changes_no_points() -> None:
    """A tile without knights tells nothing of points and knights, and a stop at most who is passed over."""
    for state, move, _ in over(step for step in some_moves() if isinstance(step[1], Stop)):
        assert effects_by_code(state, move).keys() <= {"RK-4.passed_over"}
    bare = (step for step in some_moves() if not isinstance(step[1], Stop) and step[1].knights is None)
    for state, move, after in over(bare):
        assert not {
            name for name in effects_by_code(state, move) if name.startswith(("RK-31", "RK-26", "RK-23", "RK-25"))
        }
        assert (GAME.score(state), state.supply) == (GAME.score(after), after.supply)
