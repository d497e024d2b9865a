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
from web.games.architekton.questions.settlement import settlement_draft
from web.games.architekton.questions.tile_answers import OPEN, SIDES, TileInProgress

FEW = 12
"""The maximum number of tiles to choose from."""
Make: TypeAlias = Callable[[str], Move]
"""A function: the text of a tile -> the move with it."""


# --- buildings ---------------------------------------------------------------------------------------------------


def building(progress: TileInProgress, cell: Square) -> Draft[Move]:
    """A building on a cell: by its sides, then by its orientation."""
    state, tile_answers = progress.state, progress.answers
    pool, facing = legal_moves.lies(state), legal_moves.site(state, cell)[0]
    legal = set(fits(pool, facing)) if facing else set()
    lie = tile_answers.lie(_matching_tiles(progress, pool))
    if lie is None:
        near = (state.tiles.get(at, "") for at in AROUND[cell])
        notes = [progress.say("beside", landscape=LANDSCAPE[tile]) if len(tile) == 1 else "" for tile in near]
        return _by_sides(progress, pool, _matching_tiles(progress, pool), legal, partial(Building, cell), notes)
    turns = _tiles(progress, "turned", rotations(lie), legal, partial(Building, cell), lie)
    return settlement_draft(progress, Building(cell, lie), (turns,) if len(turns.answers) > 1 else ())


def up_building(progress: TileInProgress) -> Draft[Move]:
    """A building that is turned up: by its sides, in any orientation."""
    tile_answers = progress.answers
    pool = tuple(lie for name in legal_moves.unseen_buildings(progress.state) for lie in rotations(name))
    lie = tile_answers.lie(_matching_tiles(progress, pool), canonical)
    if lie is not None:
        return Draft((), UpBuilding(lie))
    left = sorted(set(map(canonical, _matching_tiles(progress, pool))))
    return _by_sides(progress, pool, left, set(pool), UpBuilding)


def _matching_tiles(progress: TileInProgress, pool: Sequence[str]) -> Sequence[str]:
    """The tiles of a pool that match the entered sides; all of them if the pool has few."""
    return pool if len(pool) <= FEW else progress.answers.matching_lies(pool)


def _by_sides(
    progress: TileInProgress,
    pool: Sequence[str],
    left: Sequence[str],
    legal: set[str],
    make: Make,
    notes: Sequence[str] = (),
) -> Draft[Move]:
    """A building that is not determined yet: its sides, and pictures of those left. A small pool needs no sides."""
    few = len(pool) <= FEW
    questions = (
        []
        if few
        else [_side(progress, number, pool, legal, note) for number, note in enumerate(notes or [""] * len(SIDES))]
    )
    if 0 < len(left) <= FEW:
        first = sorted(left, key=lambda lie: lie not in legal)
        questions.append(_tiles(progress, "which_way" if notes else "which_one", first, legal, make))
    lost_sides = [_lost_side(progress, number, () if few else pool) for number in range(len(SIDES))]
    has_match = legal.intersection(left) or progress.state.is_partial
    lines = () if has_match else (progress.say("none_fits" if left else "none_left"),)
    return Draft(tuple(questions), lines=lines, aside=tuple(question for question in lost_sides if question.answers))


def _side(progress: TileInProgress, number: int, pool: Collection[str], legal: Collection[str], note: str) -> Question:
    """The question for a side, from the tiles that are left."""
    others = progress.answers.with_side(number, OPEN)
    left, good = ({lie[number] for lie in others.matching_lies(lies)} for lies in (pool, legal))
    answers = tuple(
        replace(_letter(progress, number, letter), possible=letter in left, legal=letter in good or letter not in left)
        for letter in LANDSCAPE
    )
    return Question(progress.say(f"side_{SIDES[number]}"), answers, note=note)


def _lost_side(progress: TileInProgress, number: int, pool: Collection[str]) -> Question:
    """The question for a side with the landscapes for which no tile is left."""
    left = {lie[number] for lie in progress.answers.with_side(number, OPEN).matching_lies(pool)}
    answers = tuple(_letter(progress, number, letter) for letter in LANDSCAPE if letter not in left)
    return Question(progress.say(f"side_{SIDES[number]}"), answers)


def _letter(progress: TileInProgress, number: int, letter: str) -> Answer:
    """A landscape on a side; a second tap takes it back."""
    name = LANDSCAPE[letter]
    chosen = progress.answers.sides[number] == letter
    codes = progress.answers.with_side(number, OPEN if chosen else letter).to_codes()
    return Answer(progress.words.name(name), codes, progress.sketch(Land((0, 0), name)), is_chosen=chosen)


def _tiles(
    progress: TileInProgress,
    title: str,
    tiles: Sequence[str],
    legal: Collection[str],
    make: Make,
    chosen: str | None = None,
) -> Question:
    """Tiles in their orientations, to choose from."""
    answers = tuple(
        Answer(
            ", ".join(progress.words.name(LANDSCAPE[letter]) for letter in tile),
            replace(progress.answers, tile=tile).to_codes(),
            progress.sketch(make(tile)),
            is_chosen=tile == chosen,
            legal=tile in legal,
        )
        for tile in tiles
    )
    return Question(progress.say(title), answers, "tiles")


# --- landscapes --------------------------------------------------------------------------------------------------


def landscape(progress: TileInProgress, cell: Square) -> Draft[Move]:
    """A landscape on a cell; the only legal one, if there is just one."""
    state = progress.state
    unseen = legal_moves.unseen_landscapes(state)
    pool = unseen if state.display is None else tuple(dict.fromkeys(state.display.landscapes))
    facing = legal_moves.site(state, cell)[1] or ()
    legal = [letter for letter in pool if letter in facing]
    only = next((letters[0] for letters in (legal, pool) if len(letters) == 1), None)
    letter = _chosen_letter(progress) or only
    first = (*legal, *(letter for letter in pool if letter not in legal))
    questions, aside = _landscapes(progress, first, legal, lambda tile: Land(cell, LANDSCAPE[tile]), letter)
    lines = () if legal or state.is_partial else (progress.say("none_matches"),)
    return replace(
        settlement_draft(progress, Land(cell, LANDSCAPE[letter]), questions)
        if letter
        else Draft(questions, lines=lines),
        aside=aside,
    )


def up_landscape(progress: TileInProgress) -> Draft[Move]:
    """A landscape that is turned up."""
    pool = legal_moves.unseen_landscapes(progress.state)
    letter = _chosen_letter(progress) or (pool[0] if len(pool) == 1 else None)
    questions, aside = _landscapes(progress, pool, pool, lambda tile: UpLandscape(LANDSCAPE[tile]), letter)
    return Draft(questions, UpLandscape(LANDSCAPE[letter]) if letter else None, aside=aside)


def _chosen_letter(progress: TileInProgress) -> str | None:
    return progress.answers.tile if len(progress.answers.tile) == 1 else None


def _landscapes(
    progress: TileInProgress, pool: Sequence[str], legal: Sequence[str], make: Make, chosen: str | None
) -> tuple[tuple[Question, ...], tuple[Question, ...]]:
    """The available landscapes, and the others for folding away."""
    others = [letter for letter in LANDSCAPE if letter not in pool]
    question = _tiles(progress, "which_landscape", pool, legal, make, chosen)
    other_question = _tiles(progress, "which_landscape", others, others, make, chosen)
    return (question,) if pool else (), (other_question,) if others else ()
