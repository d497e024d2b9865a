"""Asks for the consequences of a tile of Architekton: a house that moves here, and buildings that are settled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rules.architekton.moves import Building, Keep, Lay, Move, Take
from rules.architekton.settlement import SurroundedBuilding, find_surrounded, in_listed_order
from rules.architekton.state import COLOURS
from rules.architekton.tiles import Landscape, Square, landscapes
from web.game_pages import Answer, Draft, Question
from web.games.architekton.questions.making import TileInProgress


def settling_draft(making: TileInProgress, tile: Lay, asked: tuple[Question, ...]) -> Draft[Move]:
    """A tile that is told: and what has to be said with it."""
    state, given = making.state, making.given
    closed = find_surrounded(state, tile)
    own = [building for building in closed if building.differ and building.owner == state.player]
    sources = _sources(making, tile)
    answered = {*given.kept, *given.taken} >= {building.cell for building in own}
    complete = answered and (not sources or given.source in sources)
    move = _complete_move(making, tile, closed, own, sources) if complete else None
    return Draft(
        questions=(
            *asked,
            *_house(making, sources),
            *(_stays(making, tile, one) for one in own),
            *_order(making, tile, closed),
        ),
        move=move,
        ghost=tile,
        cells={cell: replace(given, source=cell).so() for cell in sources},
    )


def _complete_move(
    making: TileInProgress,
    tile: Lay,
    closed: Sequence[SurroundedBuilding],
    own: Sequence[SurroundedBuilding],
    sources: Sequence[Square],
) -> Lay:
    """The move with all that was answered for it; buildings that were not listed come last."""
    given = making.given
    cells = [building.cell for building in own]
    listed = in_listed_order(closed, given.order) if any(one.cell in given.order for one in closed) else ()
    move = replace(
        tile,
        order=tuple(building.cell for building in listed),
        keep=tuple(cell for cell in given.kept if cell in cells),
        take=tuple(cell for cell in given.taken if cell in cells),
    )
    return replace(move, house_from=given.source) if isinstance(move, Building) and sources else move


def _sources(making: TileInProgress, tile: Lay) -> list[Square]:
    """From where a house can come when none is in supply: as they are read, from the north west on."""
    state = making.state
    if not isinstance(tile, Building) or state.supply[state.player]:
        return []
    own = [cell for cell, owner in state.houses.items() if owner == state.player]
    return sorted(own, key=lambda cell: (-cell[1], cell[0]))


def _house(making: TileInProgress, sources: Sequence[Square]) -> Iterator[Question]:
    """From where the house comes; a tap on its tile answers that too."""
    answers = tuple(
        Answer(
            making.say("building", sides=landscapes(making.state.tiles[cell])),
            replace(making.given, source=cell).so(),
            chosen=making.given.source == cell,
        )
        for cell in sources
    )
    if answers:
        yield Question(making.say("house_from"), answers, "pictures")


def _sides(making: TileInProgress, tile: Lay, cell: Square) -> tuple[Landscape, ...]:
    """The sides of a building that a tile settles: that tile, or one that lies there already."""
    return landscapes(tile.tile if tile.cell == cell else making.state.tiles[cell])


def _stays(making: TileInProgress, tile: Lay, building: SurroundedBuilding) -> Question:
    """Whether an own house stays on a building that has to be paid for."""
    state, given, cell = making.state, making.given, building.cell
    seat = COLOURS[state.player]
    keep = Answer(
        making.say("keep_house", n=building.differ),
        given.at("k", cell).so(),
        making.sketch(Keep(cell)),
        chosen=cell in given.kept,
    )
    take = Answer(
        making.say("take_house", n=building.differ - 1),
        given.at("t", cell).so(),
        making.sketch(Take(cell)),
        chosen=cell in given.taken,
    )
    title = making.say("to_pay", sides=_sides(making, tile, cell), n=building.differ)
    return Question(title, (keep, take), "rows", making.say("in_hand", colour=seat, n=state.chips[state.player]))


def _order(making: TileInProgress, tile: Lay, closed: Sequence[SurroundedBuilding]) -> Iterator[Question]:
    """Which of several buildings is settled first, and which next; a second tap takes it and what follows back.

    It matters where several have to be paid for or, with chips that can run out, several gain one.
    """
    given = making.given
    pay = sum(building.differ > 0 for building in closed)
    gain = len(closed) - pay if making.state.readings["pool"] == "limited" else 0
    if max(pay, gain) < 2:
        return
    order = [cell for cell in dict.fromkeys(given.order) if cell in {building.cell for building in closed}]
    answers = []
    for cell, owner, differ in in_listed_order(closed, tuple(order)):
        place = order.index(cell) + 1 if cell in order else 0
        after = (*order[: place - 1],) if place else (*order, cell)
        sides = _sides(making, tile, cell)
        what = making.say("pays" if differ else "gains", sides=sides, colour=COLOURS[owner], n=differ)
        label = f"{place}. {what}" if place else what
        answers.append(Answer(label, replace(given, order=after).so(), chosen=bool(place)))
    yield Question(making.say("settled_first"), tuple(answers), "rows", making.say("settled_else"))
