"""Fief: what can be told of a table against the one before it.

Nothing on the table says how many rounds were played, and a list of all ways to vote and to fight would be endless: so
little is impossible but that the dead, d'Arc and her card come back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from rules.fief.moves import Move
from rules.fief.state import State
from rules.kernel import Changes, Fact, Facts, Finding, Piece


def pieces(state: State) -> Mapping[Piece, int]:
    """The lords, the villages of each player, castles, cities, and titles."""
    found = [
        Piece("lord", (("lord", name), ("colour", lord.player)), (lord.place,), lord.place)
        for name, lord in state.lords.items()
    ]
    found += [Piece("village", (("colour", colour),), (village,), village) for village, colour in state.control.items()]
    found += [Piece("stands", (("building", each),), (village,), village) for village, each in state.buildings.items()]
    found += [Piece("fief", (("lord", name),), state.land.fiefs[fief]) for fief, name in state.titles.items()]
    found += [Piece("bishop", (("lord", name), ("number", number))) for number, name in state.bishops.items()]
    found += [Piece("cardinal", (("lord", name),)) for name in state.cardinals]
    offices = {"pope": state.pope, "king": state.king, "regent": state.regent, "arc": state.arc}
    found += [Piece(office, (("lord", name),)) for office, name in offices.items() if name is not None]
    found += [Piece("dead", (("lord", name),)) for name in state.dead]
    return Counter(found)


def objections(before: State, after: State) -> Iterator[Finding]:
    """`FI-91`: the dead do not come back, unless the table's reading shuffles their cards again; nor does d'Arc."""
    if before.arc_gone and not after.arc_gone:
        yield Finding("FI-91", Facts("arc"))
    if before.readings["dead_lords"] != "gone":
        return
    for name in sorted(before.dead - after.dead):
        yield Finding("FI-91", Facts("back", {"lord": name}, _place(after, name)))
    for name, lord in sorted(before.lords.items()):
        now = after.lords.get(name)
        if now is None and name not in after.dead:
            yield Finding("FI-91", Facts("gone", {"lord": name}, _place(before, name)))
        elif now is not None and now.player != lord.player:
            values = {"lord": name, "colour": lord.player, "other": now.player}
            yield Finding("FI-91", Facts("other", values, _place(after, name)))


def _place(state: State, name: str) -> tuple[Fact, ...]:
    return (Fact((state.lords[name].place,)),) if name in state.lords else ()


CHANGES: Changes[State, Move] = Changes(pieces=pieces, objections=objections)
