"""Architekton: the short text form of a move, and back. Whose it is comes from the turn."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules.architekton.moves import (
    FARTHEST,
    Building,
    Keep,
    Land,
    Lay,
    Move,
    Pass,
    Take,
    UpBuilding,
    UpLandscape,
    in_order,
)
from rules.architekton.tiles import LANDSCAPE, LETTER, Square, tile_text
from rules.forms import Malformed

_NUMBER = "(?:0|-?[1-9][0-9]?)"
_CELL = rf"\({_NUMBER},{_NUMBER}\)"
_SIDES = "[EFMW](?: [EFMW]){3}"
_TILE = rf"(?:building (?P<sides>{_SIDES})|landscape (?P<letter>[EFMW]))"
_LAY = re.compile(
    rf"(?P<cell>{_CELL}) {_TILE}(?: from (?P<source>{_CELL}))?"
    rf"(?: order (?P<order>{_CELL}(?: {_CELL})*))?(?P<answers>(?: (?:keep|take) {_CELL})*)"
)
_ANSWER = re.compile(rf"(?P<word>keep|take) (?P<cell>{_CELL})")
_UP = re.compile(rf"up {_TILE}")
_A_CELL = re.compile(rf"\(({_NUMBER}),({_NUMBER})\)")
_KIND = re.compile(rf"(?:{_CELL} )?([a-z]+)(?: .*)?")
_WORDS = {"building", "landscape", "keep", "take", "up", "pass"}


def cell_text(cell: Square) -> str:
    """A cell in the notation: ``(1,0)``."""
    return f"({cell[0]},{cell[1]})"


def _cells(text: str | None) -> tuple[Square, ...]:
    cells = tuple((int(x), int(y)) for x, y in _A_CELL.findall(text or ""))
    for cell in cells:
        if max(map(abs, cell)) > FARTHEST:
            raise Malformed("cell", text=cell_text(cell))
    return cells


def _cell(text: str) -> Square:
    return _cells(text)[0]


def read(text: str) -> Move:
    """``(1,0) building F W M E``, ``keep (1,0)``, ``up landscape W``, ``pass`` … -> the move."""
    if text == "pass":
        return Pass()
    if match := _ANSWER.fullmatch(text):
        form = Keep if match["word"] == "keep" else Take
        return form(_cell(match["cell"]))
    if match := _UP.fullmatch(text):
        return _up(match)
    if match := _LAY.fullmatch(text):
        return _lay(match, text)
    kind = _KIND.fullmatch(text)
    if kind and kind[1] not in _WORDS:
        raise Malformed("unknown_kind", text=kind[1])
    raise Malformed("notation", text=text)


def _up(match: re.Match[str]) -> Move:
    if match["letter"]:
        return UpLandscape(LANDSCAPE[match["letter"]])
    return UpBuilding(match["sides"].replace(" ", ""))


def _lay(match: re.Match[str], text: str) -> Move:
    cell, order = _cell(match["cell"]), _cells(match["order"])
    clauses = [(found["word"], _cell(found["cell"])) for found in _ANSWER.finditer(match["answers"])]
    keep = tuple(at for word, at in clauses if word == "keep")
    take = tuple(at for word, at in clauses if word == "take")
    if match["sides"]:
        source = _cell(match["source"]) if match["source"] else None
        return Building(cell, match["sides"].replace(" ", ""), source, order, keep, take)
    if match["source"]:
        raise Malformed("house_of_a_landscape", text=text)
    return Land(cell, LANDSCAPE[match["letter"]], order, keep, take)


def write(move: Move) -> str:
    """The move -> its text; the clauses in their order, the answers in the order of settlement."""
    if isinstance(move, Building | Land):
        return " ".join(_clauses(move))
    if isinstance(move, Keep | Take):
        return f"{move.kind} {cell_text(move.cell)}"
    if isinstance(move, UpBuilding):
        return f"up building {tile_text(move.sides)}"
    return f"up landscape {LETTER[move.landscape]}" if isinstance(move, UpLandscape) else "pass"


def _clauses(move: Lay) -> Iterator[str]:
    yield f"{cell_text(move.cell)} {move.kind} {tile_text(move.tile)}"
    if isinstance(move, Building) and move.house_from is not None:
        yield f"from {cell_text(move.house_from)}"
    if move.order:
        yield " ".join(("order", *map(cell_text, move.order)))
    if not move.keep and not move.take:
        return
    keep, take = list(move.keep), list(move.take)
    for cell in in_order(move.cell, move.order, (*move.keep, *move.take)):
        word, cells = ("keep", keep) if cell in keep else ("take", take)
        cells.remove(cell)
        yield f"{word} {cell_text(cell)}"
