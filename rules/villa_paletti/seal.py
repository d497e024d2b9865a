"""Villa Paletti: the points on the top level, the seal that they win, and who wins by it."""

from __future__ import annotations

from rules.villa_paletti.columns import CONTEST, VALUE, Colour
from rules.villa_paletti.state import State, name_of, player_of


def points(state: State) -> list[int]:
    """The points of each player: the values of their columns on the top level (`VP-31`)."""
    sums = [0] * len(state.players)
    for group, count in state.columns.items():
        player = player_of(state, group.colour) if group.level == state.top else None
        if player is not None:
            sums[player] += count.n * VALUE[group.shape]
    return sums


def contest_seal(state: State, colour: Colour) -> State:
    """The state after a column of a colour was placed: a player with more than its holder takes the seal (`VP-30`).

    Among those with the most, the mover comes first, then turn order. A neutral column moves no seal.
    """
    if state.top < CONTEST or player_of(state, colour) is None:
        return state
    sums = points(state)
    holder, mover, number = state.holder, state.player, len(sums)
    if max(sums) <= (0 if holder is None else sums[holder]):
        return state
    best = max(range(number), key=lambda player: (sums[player], -((player - mover) % number)))
    return state._replace(holder=best, previous=holder)


def causer(state: State) -> int | None:
    """The player who caused the collapse (reading `collapse_by_objector`); None for nobody."""
    over = state.ended
    if over is None:
        return None
    by_asker = over.asker is not None and state.readings["collapse_by_objector"] == "asker"
    return over.asker if by_asker else over.by


def winner(state: State, causer: int | None) -> int | None:
    """`VP-40`, `VP-41`: the holder, or the previous one if the holder caused the collapse; None for nobody."""
    return state.previous if causer is not None and causer == state.holder else state.holder


def colour_or_nobody(state: State, player: int | None) -> str:
    """A player by colour, or ``nobody``."""
    return "nobody" if player is None else name_of(state, player)
