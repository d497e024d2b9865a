"""The board of a page as its address shows it: the scene, and the links that enlarge and move it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.kernel import Cell
from rules.records import dataclass
from web.board.drawing import Drawing
from web.board.scene import (
    NOWHERE,
    Light,
    Neighbour,
    Scene,
    middle,
    pan_neighbours,
    rotate_neighbours,
    scene,
    zoom_centre,
)
from web.browser.address import Address
from web.browser.board_rotation import quarters


@dataclass(frozen=True, slots=True)
class BoardPart:
    """The board of a page. `zoom_href` leads to larger cells, or back; `neighbours` move the visible part."""

    scene: Scene
    zoom_href: str
    neighbours: tuple[Neighbour, ...]


def board_part(
    drawing: Drawing,
    light: Light,
    address: Address,
    leads: Mapping[Cell, str] = NOWHERE,
    *,
    moves: bool,
    zooms: bool = True,
) -> BoardPart:
    """The board at an address. `zooms`: the player can enlarge it, and then move it if it `moves`."""
    board = drawing.board
    zoom = zoom_centre(board, address.zoom, address.at) if zooms else None
    return BoardPart(
        replace(scene(drawing, light, zoom, address.spot_url_builder(), leads), turn=quarters()),
        address.url(zoom=None if zoom else (address.at or middle(board).key)),
        rotate_neighbours(pan_neighbours(board, zoom, lambda far: address.url(zoom=far.key, at=None)), quarters())
        if moves
        else (),
    )


class WithBoard:
    """A view of a page with a board."""

    __slots__ = ()
    board: BoardPart

    @property
    def scene(self) -> Scene:
        """The scene of the board."""
        return self.board.scene

    @property
    def zoom_href(self) -> str:
        """The address that enlarges the board, or shows all of it again."""
        return self.board.zoom_href

    @property
    def neighbours(self) -> tuple[Neighbour, ...]:
        """The links that move the visible part."""
        return self.board.neighbours
