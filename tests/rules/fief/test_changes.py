"""Fief: what can be told of a table against an earlier one."""

from __future__ import annotations

from rules.changes import compare_positions
from rules.fief import GAME
from tests.rules.table_pairs import pairs, why


def test_the_dead_do_not_come_back() -> None:
    """Nor do lords change sides, nor vanish, nor does d'Arc's card come back, where the dead are gone for good."""
    state = next(iter(pairs(GAME, 29, (0,))))[0]
    state = GAME.with_readings(state, {"dead_lords": "gone"})
    name, lord = next(iter(state.lords.items()))
    others = {each: it for each, it in state.lords.items() if each != name}
    side = next(colour for colour in state.colours if colour != lord.player)
    dead = state._replace(lords=others, dead=state.dead | {name})
    for before, after in (
        (dead, state),
        (state, state._replace(lords=others)),
        (state, state._replace(lords={**others, name: lord._replace(player=side)})),
        (state._replace(arc_gone=True), state._replace(arc_gone=False)),
    ):
        assert why(compare_positions(GAME, before, after)) == {"FI-91"}
