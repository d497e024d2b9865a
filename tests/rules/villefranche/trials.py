"""Villefranche: positions of which something is unknown, and what can lie there, by the page and not by the engine.

Pieces, colours, supplies and the shape of the board are counted out here once more: what the rules let be built on a
cell, of either colour, at any stage.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from random import Random
from typing import Any, Final

from rules.forms import THE_REST, UNKNOWN
from rules.villefranche import GAME
from rules.villefranche.state import Colour, Piece, Position
from tests.rules.play import SHARED_GAMES, shared_game
from tests.rules.trials import Trial, WholeFilling

COLUMNS: Final = "abcdefghi"
COLOURS: Final[tuple[Colour, Colour]] = ("black", "white")
KINDS: Final = ("brick", "cube", "pyramid", "cylinder")
OF_MOVE: Final = {
    "rampart": "brick",
    "nave": "brick",
    "house": "cube",
    "roof": "pyramid",
    "bell_tower": "pyramid",
    "corner_storey": "cylinder",
    "noble_storey": "cylinder",
}
ON_ONE: Final = ("house", "roof", "noble_storey", "bell_tower")
CORNERS: Final = ("a1", "a9", "i1", "i9")
BOARD: Final = [f"{x}{y}" for x in COLUMNS for y in range(1, 10) if f"{x}{y}" != "e5"]
SIDES: Final = (
    [f"{x}1" for x in "bcdefgh"],
    [f"{x}9" for x in "bcdefgh"],
    [f"a{y}" for y in range(2, 9)],
    [f"i{y}" for y in range(2, 9)],
)
RAMPART_STARTS: Final = ({1, 3, 5}, {0, 3, 5}, {0, 2, 5}, {0, 2, 4})
"""`VF-11`: on which numbers of a finished side its ramparts begin."""
SUPPLY: Final = 10
MOST: Final = 700
"""So many fillings of a trial are tried; of more, some."""
EMPTY_HANDED: Final = 0.1
Cells = Mapping[str, tuple[Piece, ...]]


def trials(chance: Random, times: int) -> Iterator[Trial]:
    """Positions of random games, with one to four unknown cells around a placement, or on its site, and facts."""
    found = 0
    while found < times:
        trial = _rest(chance) if chance.random() < 0.15 else _some(chance)
        if trial is not None:
            found += 1
            yield trial


# --- the board -------------------------------------------------------------------------------------------------------


def beside(cell: str) -> list[str]:
    """The cells that share an edge with one."""
    x, y = COLUMNS.index(cell[0]), int(cell[1])
    near = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
    return [f"{COLUMNS[a]}{b}" for a, b in near if 0 <= a < 9 and 0 < b < 10]


def around(cell: str, far: int) -> list[str]:
    """The cells up to so many columns and rows away."""
    x, y = COLUMNS.index(cell[0]), int(cell[1])
    return [each for each in BOARD if max(abs(COLUMNS.index(each[0]) - x), abs(int(each[1]) - y)) <= far]


def side_of(cell: str) -> list[str] | None:
    """The side of the enclosure that a cell is of; no corner is of one."""
    return next((side for side in SIDES if cell in side), None)


def in_town(cell: str) -> bool:
    """Whether a cell is building land."""
    return cell[0] not in "ai" and cell[1] not in "19" and cell != "e5"


# --- what can lie on a cell ------------------------------------------------------------------------------------------


def contents(cell: str, unknown: Sequence[str]) -> Iterator[tuple[Piece, ...]]:
    """Everything that the rules let be built on it; bricks towards another unknown cell."""
    yield ()
    if cell in CORNERS:
        yield from storeys()
        return
    side = side_of(cell)
    for colour in COLOURS:
        if side is None:
            yield from (
                tuple(Piece(kind, colour) for kind in kinds)  # type: ignore[arg-type]  # a name of a kind
                for kinds in (["cube"], ["cube", "pyramid"], *(["cylinder"] * n for n in (1, 2, 3)))
            )
        for other in beside(cell):
            brick = Piece("brick", colour, other)
            if other not in unknown:
                continue
            if side is not None and other in side:
                yield (brick,)
            elif side is None and in_town(other):
                yield from ((brick,), (brick, brick), (brick, brick, Piece("pyramid", colour)))


def storeys() -> Iterator[tuple[Piece, ...]]:
    """The towers of a corner: closed by the second storey of a colour."""
    for colours in (each for n in (1, 2, 3) for each in product(COLOURS, repeat=n)):
        if all(colours[:-1].count(colour) < 2 for colour in COLOURS):
            yield tuple(Piece("cylinder", colour) for colour in colours)


def can_stand(cells: Cells, known: Cells) -> bool:
    """Whether bricks have both halves, churches one bell tower at most, and all pieces are there; and sides can be
    finished, unless what is known cannot.
    """
    return (
        _has_supply(cells)
        and all(_is_whole(cells, cell) for cell in cells)
        and all(_can_be_finished(cells, side) or not _can_be_finished(known, side) for side in SIDES)
    )


def _is_whole(cells: Cells, cell: str) -> bool:
    here = cells[cell]
    if not here or here[0].piece != "brick":
        return True
    there = cells.get(here[0].second or "", ())
    naves = [[piece for piece in stack if piece.piece == "brick"] for stack in (here, there)]
    bells = len(here) + len(there) - sum(map(len, naves))
    same = [replace(piece, second=None) for piece in naves[0]] == [replace(piece, second=None) for piece in naves[1]]
    return same and all(piece.second == cell for piece in naves[1]) and bells <= 1


def _has_supply(cells: Cells) -> bool:
    for colour in COLOURS:
        for kind in KINDS:
            number = sum(piece.piece == kind and piece.colour == colour for stack in cells.values() for piece in stack)
            if number > SUPPLY * (1 + (kind == "brick")):
                return False
    return True


def _can_be_finished(cells: Cells, side: list[str]) -> bool:
    """`VF-11`: whether the ramparts of a side are part of a finished one."""
    begun = [
        number
        for number, cell in enumerate(side[:-1])
        for piece in cells.get(cell, ())
        if piece.second == side[number + 1]
    ]
    return len(begun) == len({*begun}) and any({*begun} <= finished for finished in RAMPART_STARTS)


# --- questions -------------------------------------------------------------------------------------------------------


def _draw(chance: Random) -> tuple[Any, Any, Position, Any]:
    """A game's setup, a state, its position, and a placement: legal, played elsewhere, or of another kind there."""
    played = shared_game(GAME.id, chance.randrange(SHARED_GAMES))
    late = chance.random() < 0.7
    state, move = chance.choice(played.steps[len(played.steps) // 3 if late else 0 : -1])
    position = GAME.position(state)
    way = chance.random()
    if way < 0.35:
        move = chance.choice(played.steps[:-1])[1]
    elif way < 0.6:
        cell = str(GAME.cells_of(move)[-1])
        if chance.random() < 0.4 and (near := [each for each in beside(cell) if each != "e5"]):
            form = GAME.kinds[chance.choice(("nave", "nave", "rampart"))]
            move = form(tuple(sorted((cell, chance.choice(near)))))
        else:
            move = GAME.kinds[chance.choice((*ON_ONE, "corner_storey"))](cell)
    if chance.random() < 0.2:
        position = replace(position, due=chance.choice(COLOURS), placement=chance.choice((1, 2)), first_turn=False)
    return played.form, state, position, move


def _some(chance: Random) -> Trial | None:
    """A few unknown cells."""
    form, _, position, move = _draw(chance)
    at = [str(cell) for cell in GAME.cells_of(move)]
    near = sorted({other for cell in at for other in around(cell, chance.choice((1, 1, 2)))} | set(at) - {"e5"})
    unknown = set(chance.sample(near, chance.choice((1, 2, 2, 3, 3, 4))))
    for cell in sorted(unknown):
        for piece in position.cells.get(cell, ()):
            if piece.second and chance.random() < 0.7:
                unknown.add(piece.second)
    if position.first_turn and position.cells:
        return None
    partial = {**position.cells, **dict.fromkeys(unknown, UNKNOWN)}
    asked: Any = replace(position, cells=partial)  # type: ignore[arg-type]  # what is unknown is of no type
    facts: dict[str, tuple[bool, ...]] = {}
    if chance.random() < 0.35:
        enclosed = chance.choice((True, UNKNOWN))
        asked = replace(asked, enclosed=enclosed)
        if enclosed == UNKNOWN:
            facts["enclosed"] = (True, False)
    if chance.random() < 0.35:
        kind, some = OF_MOVE[move.kind], chance.choice((True, False, UNKNOWN, UNKNOWN))
        asked = replace(asked, in_hand={position.due: {kind: some}})
        if some == UNKNOWN:
            facts[f"in_hand {position.due} {kind}"] = (True, False)
    return _trial(chance, form, asked, move, sorted(unknown), facts)


def _trial(
    chance: Random, form: Any, asked: Any, move: Any, unknown: list[str], facts: Mapping[str, Sequence[bool]]
) -> Trial | None:
    known: dict[str, tuple[Piece, ...]] = {cell: there for cell, there in asked.cells.items() if there != UNKNOWN}
    every = {cell: list(_of(cell, known, unknown)) for cell in unknown}
    if asked.first_turn:
        every, facts = {cell: [()] for cell in unknown}, dict.fromkeys(facts, (True,))
    number = prod(map(len, every.values()))
    whole = number <= MOST * 4
    ways = product(*every.values()) if whole else _drawn_ways(chance, list(every.values()))
    standing = [way for way in ways if can_stand({**known, **dict(zip(every, way, strict=True))}, known)]
    most = MOST // prod(map(len, facts.values()))
    if len(standing) > most:
        whole, standing = False, chance.sample(standing, most)
    tried = [
        _filling(form, asked, known, dict(zip(every, way, strict=True)), dict(zip(facts, told, strict=True)))
        for way in standing
        for told in product(*facts.values())
    ]
    fillings = [filled for filled in tried if filled is not None]
    # Nobody can place anything (`VF-52`): it is another's turn, or the game is over, which only that filling tells.
    whole = whole and len(fillings) == len(tried)
    if GAME.unknowns is None or not fillings:
        return None
    alone = GAME.unknowns.known_part(form, asked)
    if GAME.problems(form, alone) or GAME.due(GAME.enter(form, alone)).ended is not None:
        return None
    return Trial(form, asked, move, fillings, every=whole, outcome=number <= SMALL)


SMALL: Final = 120
"""Of so many fillings all that is brought about is told."""


def _drawn_ways(chance: Random, every: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    for _ in range(MOST * 3):
        yield tuple(chance.choice(each) for each in every)


def _of(cell: str, known: Cells, unknown: Sequence[str]) -> Iterator[tuple[Piece, ...]]:
    """What can lie on a cell of which known ones may show a half."""
    halves = [
        Piece("brick", piece.colour, other)
        for other in beside(cell)
        for piece in known.get(other, ())
        if piece.second == cell
    ]
    if not halves:
        yield from contents(cell, [other for other in unknown if not _is_shown(other, known)])
        return
    yield tuple(halves)
    if len(halves) > 1 and in_town(cell):
        yield (*halves, Piece("pyramid", halves[0].colour))


def _is_shown(cell: str, known: Cells) -> bool:
    return any(piece.second == cell for stack in known.values() for piece in stack)


def _filling(form: Any, asked: Any, known: Cells, way: Cells, told: Mapping[str, bool]) -> WholeFilling | None:
    """A whole position, in which it is still the same placement."""
    in_hand = asked.in_hand
    for fact, some in told.items():
        if fact != "enclosed":
            _, colour, kind = fact.split()
            in_hand = {colour: {kind: some}}
    enclosed = told.get("enclosed", asked.enclosed)
    cells = {cell: stack for cell, stack in {**known, **way}.items() if stack}
    whole = replace(asked, cells=cells, enclosed=enclosed, in_hand=in_hand, rest=None)
    state = GAME.enter(form, whole)
    if GAME.phase(state) != "over" and GAME.due(state).seat != asked.due:
        return None
    return WholeFilling(whole, dict([*way.items(), *told.items()]))


# --- with the rest unknown -------------------------------------------------------------------------------------------


def _rest(chance: Random) -> Trial | None:
    """The cells around a placement are known, but some; of the rest some other tables are tried."""
    form, _, position, move = _draw(chance)
    if position.first_turn:
        return None
    at = [str(cell) for cell in GAME.cells_of(move)]
    seen = sorted({other for cell in at for other in around(cell, chance.choice((1, 2)))} - {"e5"})
    for _ in range(chance.choice((0, 1, 1, 2))):
        seen.remove(chance.choice(seen))
    known = {cell: position.cells.get(cell, ()) for cell in seen}
    hands = {position.due: {kind: True for kind in KINDS if chance.random() < 0.8}}
    asked: Any = replace(
        position,
        cells=known,
        rest=THE_REST,  # type: ignore[arg-type]  # what is unknown is of no type
        enclosed=chance.choice((True, True, None)),
        in_hand=hands,  # type: ignore[arg-type]  # they are names of such
    )
    fillings = []
    for _ in range(40):
        played = shared_game(GAME.id, chance.randrange(SHARED_GAMES))
        other = GAME.position(chance.choice(played.steps)[0]).cells
        mixed = {
            cell: stack
            for cell, stack in (other if chance.random() < 0.5 else position.cells).items()
            if cell not in known
        }
        for cell in chance.sample(BOARD, 6):
            if cell not in known and chance.random() < 0.7:
                mixed[cell] = chance.choice(
                    list(contents(cell, [each for each in beside(cell) if each not in known and each != "e5"]))
                )
        whole = {cell: stack for cell, stack in {**mixed, **known}.items() if stack}
        for _ in range(3):  # half a brick goes with its other half
            whole = {cell: stack for cell, stack in whole.items() if _is_whole(whole, cell) or cell in known}
        if can_stand(whole, known) and (filled := _filling(form, asked, {}, whole, {})):
            fillings.append(WholeFilling(filled.position))
    alone = GAME.unknowns.known_part(form, asked) if GAME.unknowns else asked
    if not fillings or GAME.problems(form, alone) or GAME.due(GAME.enter(form, alone)).ended is not None:
        return None
    return Trial(form, asked, move, fillings, every=False, outcome=False)
