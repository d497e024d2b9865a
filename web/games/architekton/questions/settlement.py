"""Asks for the consequences of a tile of Architekton: a house that moves here, and buildings that are settled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rules.architekton.moves import Building, Keep, Lay, Move, Take
from rules.architekton.settlement import SurroundedBuilding, find_surrounded, in_listed_order
from rules.architekton.state import COLOURS
from rules.architekton.tiles import Landscape, Square, landscapes
from web.game_pages import Answer, Draft, Question
from web.games.architekton.questions.tile_answers import TileInProgress


def settlement_draft(progress: TileInProgress, tile: Lay, questions: tuple[Question, ...]) -> Draft[Move]:
    """The draft of a tile that the player has entered, with the questions that belong to it."""
    state, tile_answers = progress.state, progress.answers
    closed = find_surrounded(state, tile)
    own = [building for building in closed if building.differ and building.owner == state.player]
    sources = _sources(progress, tile)
    answered = {*tile_answers.houses_to_keep, *tile_answers.houses_to_take} >= {building.cell for building in own}
    complete = answered and (not sources or tile_answers.source in sources)
    move = _complete_move(progress, tile, closed, own, sources) if complete else None
    return Draft(
        questions=(
            *questions,
            *_house(progress, sources),
            *(_stays(progress, tile, one) for one in own),
            *_order(progress, tile, closed),
        ),
        move=move,
        ghost=tile,
        cells={cell: replace(tile_answers, source=cell).to_codes() for cell in sources},
    )


def _complete_move(
    progress: TileInProgress,
    tile: Lay,
    closed: Sequence[SurroundedBuilding],
    own: Sequence[SurroundedBuilding],
    sources: Sequence[Square],
) -> Lay:
    """The move with all its answers; buildings without an answer come last in the order."""
    tile_answers = progress.answers
    cells = [building.cell for building in own]
    listed = (
        in_listed_order(closed, tile_answers.order) if any(one.cell in tile_answers.order for one in closed) else ()
    )
    move = replace(
        tile,
        order=tuple(building.cell for building in listed),
        keep=tuple(cell for cell in tile_answers.houses_to_keep if cell in cells),
        take=tuple(cell for cell in tile_answers.houses_to_take if cell in cells),
    )
    return replace(move, house_from=tile_answers.source) if isinstance(move, Building) and sources else move


def _sources(progress: TileInProgress, tile: Lay) -> list[Square]:
    """The cells from which a house can come if none is in supply: in reading order, from the north west."""
    state = progress.state
    if not isinstance(tile, Building) or state.supply[state.player]:
        return []
    own = [cell for cell, owner in state.houses.items() if owner == state.player]
    return sorted(own, key=lambda cell: (-cell[1], cell[0]))


def _house(progress: TileInProgress, sources: Sequence[Square]) -> Iterator[Question]:
    """The question about the origin of the house; a tap on its tile answers it too."""
    answers = tuple(
        Answer(
            progress.say("building", sides=landscapes(progress.state.tiles[cell])),
            replace(progress.answers, source=cell).to_codes(),
            is_chosen=progress.answers.source == cell,
        )
        for cell in sources
    )
    if answers:
        yield Question(progress.say("house_from"), answers, "pictures")


def _sides(progress: TileInProgress, tile: Lay, cell: Square) -> tuple[Landscape, ...]:
    """The sides of a building that a tile settles: that tile, or one that lies there already."""
    return landscapes(tile.tile if tile.cell == cell else progress.state.tiles[cell])


def _stays(progress: TileInProgress, tile: Lay, building: SurroundedBuilding) -> Question:
    """Whether the player leaves a house on a building that costs chips."""
    state, tile_answers, cell = progress.state, progress.answers, building.cell
    seat = COLOURS[state.player]
    keep = Answer(
        progress.say("keep_house", n=building.differ),
        tile_answers.with_cell("k", cell).to_codes(),
        progress.sketch(Keep(cell)),
        is_chosen=cell in tile_answers.houses_to_keep,
    )
    take = Answer(
        progress.say("take_house", n=building.differ - 1),
        tile_answers.with_cell("t", cell).to_codes(),
        progress.sketch(Take(cell)),
        is_chosen=cell in tile_answers.houses_to_take,
    )
    title = progress.say("to_pay", sides=_sides(progress, tile, cell), n=building.differ)
    return Question(title, (keep, take), "rows", progress.say("in_hand", colour=seat, n=state.chips[state.player]))


def _order(progress: TileInProgress, tile: Lay, closed: Sequence[SurroundedBuilding]) -> Iterator[Question]:
    """The order in which several buildings are settled; a second tap takes back an answer and those after it.

    It matters if several cost chips, or if several gain a chip and the chips can run out.
    """
    tile_answers = progress.answers
    pay = sum(building.differ > 0 for building in closed)
    gain = len(closed) - pay if progress.state.readings["pool"] == "limited" else 0
    if max(pay, gain) < 2:
        return
    order = [cell for cell in dict.fromkeys(tile_answers.order) if cell in {building.cell for building in closed}]
    answers = []
    for cell, owner, differ in in_listed_order(closed, tuple(order)):
        place = order.index(cell) + 1 if cell in order else 0
        after = (*order[: place - 1],) if place else (*order, cell)
        sides = _sides(progress, tile, cell)
        what = progress.say("pays" if differ else "gains", sides=sides, colour=COLOURS[owner], n=differ)
        label = f"{place}. {what}" if place else what
        answers.append(Answer(label, replace(tile_answers, order=after).to_codes(), is_chosen=bool(place)))
    yield Question(progress.say("settled_first"), tuple(answers), "rows", progress.say("settled_else"))
