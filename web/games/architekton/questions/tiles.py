"""Asks for the tile of Architekton and its orientation.

A player describes a building by its sides, as many as needed, until few tiles remain to choose from. These come first;
the player can ask about any other tile separately.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from rules.architekton import legal_moves
from rules.architekton.moves import Building, Land, Move, UpBuilding, UpLandscape
from rules.architekton.tiles import AROUND, LANDSCAPE, Square, canonical, fits, rotations
from web.game_pages import Answer, Draft, Question
from web.games.architekton.questions.making import OPEN, SIDES, TileInProgress
from web.games.architekton.questions.settling import settling_draft

FEW = 12
"""So many tiles are shown to choose from."""
Make: TypeAlias = Callable[[str], Move]
"""The move with a tile, which is text."""


# --- buildings ---------------------------------------------------------------------------------------------------


def building(making: TileInProgress, cell: Square) -> Draft[Move]:
    """A building on a cell: by its sides, then how it lies."""
    state, given = making.state, making.given
    pool, facing = legal_moves.lies(state), legal_moves.sites(state)[0].get(cell)
    legal = set(fits(pool, facing)) if facing else set()
    lie = given.lie(_matching_tiles(making, pool))
    if lie is None:
        near = (state.tiles.get(at, "") for at in AROUND[cell])
        notes = [making.say("beside", landscape=LANDSCAPE[tile]) if len(tile) == 1 else "" for tile in near]
        return _by_sides(making, pool, _matching_tiles(making, pool), legal, partial(Building, cell), notes)
    turns = _tiles(making, "turned", rotations(lie), legal, partial(Building, cell), lie)
    return settling_draft(making, Building(cell, lie), (turns,) if len(turns.answers) > 1 else ())


def up_building(making: TileInProgress) -> Draft[Move]:
    """A building that is turned up: by its sides, however it lies."""
    given = making.given
    pool = tuple(lie for name in legal_moves.unseen_buildings(making.state) for lie in rotations(name))
    lie = given.lie(_matching_tiles(making, pool), canonical)
    if lie is not None:
        return Draft((), UpBuilding(lie))
    left = sorted(set(map(canonical, _matching_tiles(making, pool))))
    return _by_sides(making, pool, left, set(pool), UpBuilding)


def _matching_tiles(making: TileInProgress, pool: Sequence[str]) -> Sequence[str]:
    """The tiles that are left by the sides told. Where there are few, sides are told of others only."""
    return pool if len(pool) <= FEW else making.given.leaves(pool)


def _by_sides(
    making: TileInProgress,
    pool: Sequence[str],
    left: Sequence[str],
    legal: set[str],
    make: Make,
    notes: Sequence[str] = (),
) -> Draft[Move]:
    """A building that is not told yet: its sides, and pictures of those that are left. Few need no sides."""
    few = len(pool) <= FEW
    asked = (
        []
        if few
        else [_side(making, number, pool, legal, note) for number, note in enumerate(notes or [""] * len(SIDES))]
    )
    if 0 < len(left) <= FEW:
        first = sorted(left, key=lambda lie: lie not in legal)
        asked.append(_tiles(making, "which_way" if notes else "which_one", first, legal, make))
    lost = [_lost_side(making, number, () if few else pool) for number in range(len(SIDES))]
    told = legal.intersection(left) or making.state.unknown
    lines = () if told else (making.say("none_fits" if left else "none_left"),)
    return Draft(tuple(asked), lines=lines, aside=tuple(question for question in lost if question.answers))


def _side(making: TileInProgress, number: int, pool: Collection[str], legal: Collection[str], note: str) -> Question:
    """What is on a side, of the tiles that are left."""
    others = making.given.side(number, OPEN)
    left, good = ({lie[number] for lie in others.leaves(lies)} for lies in (pool, legal))
    answers = tuple(
        replace(_letter(making, number, letter), possible=letter in left, legal=letter in good or letter not in left)
        for letter in LANDSCAPE
    )
    return Question(making.say(f"side_{SIDES[number]}"), answers, note=note)


def _lost_side(making: TileInProgress, number: int, pool: Collection[str]) -> Question:
    """What is on a side, with which no tile is left."""
    left = {lie[number] for lie in making.given.side(number, OPEN).leaves(pool)}
    answers = tuple(_letter(making, number, letter) for letter in LANDSCAPE if letter not in left)
    return Question(making.say(f"side_{SIDES[number]}"), answers)


def _letter(making: TileInProgress, number: int, letter: str) -> Answer:
    """A landscape on a side; a second tap takes it back."""
    name = LANDSCAPE[letter]
    chosen = making.given.sides[number] == letter
    so = making.given.side(number, OPEN if chosen else letter).so()
    return Answer(making.words.name(name), so, making.sketch(Land((0, 0), name)), chosen=chosen)


def _tiles(
    making: TileInProgress,
    title: str,
    tiles: Sequence[str],
    legal: Collection[str],
    make: Make,
    chosen: str | None = None,
) -> Question:
    """Tiles as they lie, to choose from."""
    answers = tuple(
        Answer(
            ", ".join(making.words.name(LANDSCAPE[letter]) for letter in tile),
            replace(making.given, tile=tile).so(),
            making.sketch(make(tile)),
            chosen=tile == chosen,
            legal=tile in legal,
        )
        for tile in tiles
    )
    return Question(making.say(title), answers, "tiles")


# --- landscapes --------------------------------------------------------------------------------------------------


def landscape(making: TileInProgress, cell: Square) -> Draft[Move]:
    """A landscape on a cell; where one only is legal, it is that."""
    state = making.state
    unseen = legal_moves.unseen_landscapes(state)
    pool = unseen if state.display is None else tuple(dict.fromkeys(state.display.landscapes))
    facing = legal_moves.sites(state)[1].get(cell, ())
    legal = [letter for letter in pool if letter in facing]
    only = next((letters[0] for letters in (legal, pool) if len(letters) == 1), None)
    letter = _chosen_letter(making) or only
    first = (*legal, *(letter for letter in pool if letter not in legal))
    asked, aside = _landscapes(making, first, legal, lambda tile: Land(cell, LANDSCAPE[tile]), letter)
    return replace(
        settling_draft(making, Land(cell, LANDSCAPE[letter]), asked) if letter else Draft(asked), aside=aside
    )


def up_landscape(making: TileInProgress) -> Draft[Move]:
    """A landscape that is turned up."""
    pool = legal_moves.unseen_landscapes(making.state)
    letter = _chosen_letter(making) or (pool[0] if len(pool) == 1 else None)
    asked, aside = _landscapes(making, pool, pool, lambda tile: UpLandscape(LANDSCAPE[tile]), letter)
    return Draft(asked, UpLandscape(LANDSCAPE[letter]) if letter else None, aside=aside)


def _chosen_letter(making: TileInProgress) -> str | None:
    return making.given.tile if len(making.given.tile) == 1 else None


def _landscapes(
    making: TileInProgress, pool: Sequence[str], legal: Sequence[str], make: Make, chosen: str | None
) -> tuple[tuple[Question, ...], tuple[Question, ...]]:
    """The landscapes there are, and aside the others."""
    others = [letter for letter in LANDSCAPE if letter not in pool]
    asked = _tiles(making, "which_landscape", pool, legal, make, chosen)
    lost = _tiles(making, "which_landscape", others, others, make, chosen)
    return (asked,) if pool else (), (lost,) if others else ()
