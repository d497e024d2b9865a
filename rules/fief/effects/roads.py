"""Fief, phase 6: the effects of a march: villages taken, where it stops, whose roads are blocked (`FI-61` ff.)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.effects import effect
from rules.fief.effects.sentence_values import evidence_of
from rules.fief.lords import lords_at, players_after
from rules.fief.marches import leave_to_go_on, leave_to_set_out, steps_of
from rules.fief.moves import March
from rules.fief.state import State
from rules.kernel import Effect, Value


def march(before: State, move: March, after: State) -> Iterator[Effect]:
    """`FI-61` to `FI-63`: the villages taken, who let it pass, where it stops, and the road that it blocks."""
    player = before.lords[move.lords[0]].player
    taken = tuple(dict.fromkeys(village for village in move.path[1:] if village not in before.control))
    if taken:
        yield effect("FI-61", "", {"villages": taken, "n": len(taken), "colour": player}, evidence_of(*taken))
    yield from _forced_stop(before, move, player)
    for village, controller in leave_to_go_on(before, player, move.path):
        if controller in move.consents:
            yield effect("FI-62", "let_on", {"village": village, "colour": controller}, evidence_of(village))
    for road, other in leave_to_set_out(before, player, move.path):
        if other in move.consents:
            values: dict[str, Value] = {"village": move.path[0], "road": road, "colour": other}
            yield effect("FI-63", "let_out", values, evidence_of(move.path[0], road))
    yield from _blocked_lords(before, move, after, player)


def _forced_stop(before: State, move: March, player: str) -> Iterator[Effect]:
    """`FI-62`: the stop in a foreign village, with steps left that only its controller can allow."""
    end = move.path[-1]
    left = steps_of(before, move.lords) - len(move.path) + 1
    controller = before.control.get(end)
    if left > 0 and controller not in (None, player):
        yield effect("FI-62", "stops", {"village": end, "colour": controller, "n": left}, evidence_of(end))


def _blocked_lords(before: State, move: March, after: State, player: str) -> Iterator[Effect]:
    """`FI-63`: the lords there who have still to move, and need consent to leave by this road."""
    if before.phase != "movements" or after.arrivals is before.arrivals:
        return
    end, road, later = move.path[-1], move.path[-2], players_after(before)
    held = [name for name in lords_at(before, end) if before.lords[name].player in later and name not in before.moved]
    if held:
        values: dict[str, Value] = {
            "village": end,
            "road": road,
            "colour": player,
            "lords": tuple(held),
            "n": len(held),
        }
        yield effect("FI-63", "blocked", values, evidence_of(end, road, *held))
