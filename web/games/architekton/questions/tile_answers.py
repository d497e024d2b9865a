"""An unfinished move of Architekton: the answers so far, as the address contains them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace

from rules.architekton.moves import Move
from rules.architekton.state import COLOURS, State
from rules.architekton.tiles import Square
from rules.records import dataclass
from service.i18n.sentences import Words
from web.board.shapes import Shape
from web.game_pages import Codes
from web.games.architekton.symbols import sketch

SIDES = "nesw"
OPEN = "-"
"""The sign for a side that the player has not entered."""
SIDE = re.compile("([nesw])([EFMW])")
TILE = re.compile("[EFMW]{4}|[EFMW]")
CELL = re.compile("([fkto])(-?[0-9]{1,2}),(-?[0-9]{1,2})")


@dataclass(frozen=True, slots=True)
class TileAnswers:
    """The answers: sides one by one, or a whole tile; the origin of a house; the houses that stay; the order."""

    sides: str = OPEN * 4
    tile: str = ""
    source: Square | None = None
    houses_to_keep: tuple[Square, ...] = ()
    houses_to_take: tuple[Square, ...] = ()
    order: tuple[Square, ...] = ()

    @classmethod
    def read(cls, codes: Codes) -> TileAnswers:
        """The answers of an address; of contradictory ones, the last."""
        answers = cls()
        for text in codes:
            if side := SIDE.fullmatch(text):
                answers = answers.with_side(SIDES.index(side[1]), side[2])
            elif TILE.fullmatch(text):
                answers = replace(answers, tile=text)
            elif cell := CELL.fullmatch(text):
                answers = answers.with_cell(cell[1], (int(cell[2]), int(cell[3])))
        return answers

    def to_codes(self) -> Codes:
        """The answers for an address."""
        sides = (f"{side}{letter}" for side, letter in zip(SIDES, self.sides, strict=True) if letter != OPEN)
        source = (self.source,) if self.source else ()
        cells = (("f", source), ("k", self.houses_to_keep), ("t", self.houses_to_take), ("o", self.order))
        at = (f"{letter}{x},{y}" for letter, found in cells for x, y in found)
        return (*sides, *((self.tile,) if self.tile else ()), *at)

    def with_side(self, number: int, letter: str) -> TileAnswers:
        """With another answer for a side."""
        return replace(self, sides=self.sides[:number] + letter + self.sides[number + 1 :])

    def with_cell(self, letter: str, cell: Square) -> TileAnswers:
        """With an answer for a cell: take a house from there, leave or put one there, or settle it next."""
        if letter == "f":
            return replace(self, source=cell)
        if letter == "o":
            return replace(self, order=(*self.order, cell))
        houses_to_keep = tuple(other for other in self.houses_to_keep if other != cell)
        houses_to_take = tuple(other for other in self.houses_to_take if other != cell)
        if letter == "k":
            return replace(self, houses_to_keep=(*houses_to_keep, cell), houses_to_take=houses_to_take)
        return replace(self, houses_to_keep=houses_to_keep, houses_to_take=(*houses_to_take, cell))

    def matching_lies(self, lies: Collection[str]) -> list[str]:
        """The orientations that have the entered sides."""
        pattern = re.compile(self.sides.replace(OPEN, "."))
        return [lie for lie in lies if pattern.match(lie)]

    def lie(self, left: Collection[str], name: Callable[[str], str] = str) -> str | None:
        """The orientation in the answers: the named one, the one with all sides entered, or the only one left."""
        if len(self.tile) == len(SIDES):
            return name(self.tile)
        left = {name(lie) for lie in (left if OPEN in self.sides else [self.sides])}
        return left.pop() if len(left) == 1 else None


@dataclass(frozen=True, slots=True)
class TileInProgress:
    """An unfinished tile: the table, the answers, and the words."""

    state: State
    answers: TileAnswers
    words: Words

    def say(self, code: str, **values: object) -> str:
        """Words of the board."""
        return self.words.say("board", code, values)

    def sketch(self, move: Move) -> tuple[Shape, ...]:
        """The picture of a move, for the player in turn."""
        return sketch(move, COLOURS[self.state.player])
