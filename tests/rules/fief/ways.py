"""How random play chooses in Fief, so that it comes to an end: nobody wins by chance alone where everybody schemes.

At first each kind of move has its chance: murders are rare, for the dead do not come back. After a while all others
hand their villages to one player, who builds castles and takes titles until the game is won.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

from rules.fief import GAME
from rules.fief.lords import lords_of
from rules.fief.moves import BuyCastle, Cede, March, Next
from rules.fief.state import State
from rules.fief.victory import points

AWHILE = 80
"""So many moves are left to chance."""
FEW = 12
CHANCES: Mapping[str, float] = {
    "assassin": 0.02,
    "justice": 0.1,
    "excommunicate": 0.05,
    "absolve": 0.2,
    "annul": 0.03,
    "cede": 0.1,
    "give": 2,
    "attack": 0.3,
    "move": 4,
    "lord": 2,
    "buy_title": 10,
    "buy_castle": 3,
}
"""How often a kind is chosen, where another one has 1."""


def choose(state: State, chance: Random, played: int) -> Any:
    """A legal move, when so many have been played; None where there is none."""
    kinds = GAME.due(state).kinds
    if played <= AWHILE or state.captured or state.estates:
        return by_chance(state, chance, kinds)
    if state.turn is None:
        return by_chance(state, chance, [kind for kind in kinds if kind not in GAME.out_of_turn])
    return next(_towards_the_end(state, chance), None)


def by_chance(state: State, chance: Random, due: Sequence[str]) -> Any:
    """A legal move by the chances of its kind."""
    kinds = list(due)
    while kinds:
        kind = chance.choices(kinds, [CHANCES.get(kind, 1) for kind in kinds])[0]
        legal = list(GAME.moves(state, (kind,)))
        if legal:
            return chance.choice(legal)
        kinds.remove(kind)
    return None


def _towards_the_end(state: State, chance: Random) -> Iterator[Any]:
    """In phases 5 to 7: the heir of all buys titles and castles and walks from place to place; the others give way."""
    heir = heir_of_all(state)
    if state.turn == heir:
        yield from some(GAME.moves(state, ("buy_title",)), chance)
        castles = GAME.moves(state, ("buy_castle",))
        yield from (move for move in castles if isinstance(move, BuyCastle) and _helps(state, move.village))
        if len(lords_of(state, heir)) < len(state.land.fiefs):
            yield from some(GAME.moves(state, ("lord",)), chance)
        yield from some(GAME.moves(state, ("move",)), chance)
    else:
        yield from (move for move in GAME.moves(state, ("cede",)) if isinstance(move, Cede) and move.player == heir)
        held = {siege.village for siege in state.sieges if siege.player == state.turn}
        marches = GAME.moves(state, ("move",)) if held else ()
        yield from (move for move in marches if isinstance(move, March) and move.path[0] in held)
    yield Next()


def heir_of_all(state: State) -> str:
    """The player whom the others let win: with lords, and then the most points and villages."""
    villages = list(state.control.values())
    return max(state.colours, key=lambda p: (bool(lords_of(state, p)), points(state, p), villages.count(p)))


def _helps(state: State, village: str) -> bool:
    """Whether a castle helps here: the fief has none and no city."""
    return not any(place in state.buildings for place in state.land.fiefs[state.land.fief_of[village]])


def some(moves: Iterator[Any], chance: Random) -> Sequence[Any]:
    """One of the first of some moves, as it is the quickest; none where there is none."""
    return list(islice(moves, chance.randint(1, FEW)))[-1:]
