"""Robber Knights: the counts of rules without an objection (`Rule.counts`)."""

from __future__ import annotations

from rules.kernel import Fact, Facts, counted_facts
from rules.robber_knights.legality import castle_stays_free, deployment, own_copies
from rules.robber_knights.moves import Tile, route
from rules.robber_knights.state import State
from rules.robber_knights.tiles import FACES, MINIMUM


def copies(state: State, move: Tile) -> Facts:
    """`RK-12`: the copies of the tile that the player is known to have laid, and the player's copies in all."""
    n, most = own_copies(state, move.face), FACES[move.face]
    return counted_facts({"face": move.face, "colour": state.colours[state.player], "n": n, "most": most})


def tiles_passed(_state: State, move: Tile) -> Facts | None:
    """`RK-21`: the tiles that the march leads over."""
    cells = tuple(route(move)[1:])
    return counted_facts({"n": len(cells)}, (Fact(cells),)) if cells else None


def stay(state: State, move: Tile) -> Facts | None:
    """`RK-22`: the tile of the deployment with the fewest knights beyond those that its landscape needs."""
    if castle_stays_free(state, move):
        return None
    left = [(number - MINIMUM[face], cell, face, number) for cell, face, _, number in deployment(state, move)]
    if not left:
        return None
    _, _, face, number = min(left, key=lambda each: each[0])
    evidence = tuple(Fact((cell,), {"left": n, "least": MINIMUM[tile_face]}) for _, cell, tile_face, n in left)
    return counted_facts({"face": face, "n": number, "least": MINIMUM[face]}, evidence)
