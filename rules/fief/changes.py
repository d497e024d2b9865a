"""Fief: compares a table with an earlier one.

Nothing on the table says how many rounds were played, and a list of all ways to vote and to fight would be endless: so
little is impossible but that the dead, d'Arc and her card come back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from typing import TypeVar

from rules.fief.combats.camps import can_attack, can_be_attacked
from rules.fief.legal_moves import attack_by_outcome, groups, marches_of, moves
from rules.fief.moves import Assassin, Attack, March, Move
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


# --- a way -------------------------------------------------------------------------------------------------------

T = TypeVar("T")


def towards(state: State, target: State) -> Iterator[Move]:
    """The legal moves of the list, and the moves that these stand for, as far as the target state shows them."""
    yield from moves(state)
    yield from _murders(state, target)
    yield from _marches(state, target)
    yield from _battles(state, target)


def _murders(state: State, target: State) -> Iterator[Move]:
    """The murder of each lord who has died, by each lord who has become an instigator since."""
    dead = [name for name in state.lords if name not in target.lords]
    instigators = [name for name, lord in target.lords.items() if lord.marked]
    return (Assassin(victim, by=name) for victim, name in product(dead, instigators) if victim != name)


def _marches(state: State, target: State) -> Iterator[Move]:
    """Common marches of the lords who have gone to the same place, or there and back."""
    for start, group in groups(state).items():
        parties: dict[str, list[str]] = {}
        for name in group:
            place = target.lords[name].place if name in target.lords else start
            if place != start or name in target.moved:
                parties.setdefault(place, []).append(name)
        for place, party in parties.items():
            ways = marches_of(state, tuple(party), start) if 1 < len(party) < len(group) else iter(())
            yield from (move for move in ways if isinstance(move, March) and move.path[-1] == place)


def _battles(state: State, target: State) -> Iterator[Move]:
    """Attacks with allies, or on several enemies, in villages that have been attacked since."""
    for village in sorted(target.attacked - state.attacked):
        allies = [player for player in can_attack(state, village) if player != state.turn]
        for beside in _some(allies):
            enemies = [p for p in can_be_attacked(state, village) if p != state.turn and p not in beside]
            for against in _some(enemies):
                if against and state.turn is not None and len(beside) + len(against) > 1:
                    dull = Attack(village, (state.turn, *beside), against, (0, 0))
                    yield from attack_by_outcome(state, dull).values()


def _some(things: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """None, some, or all of them."""
    return chain.from_iterable(combinations(things, n) for n in range(len(things) + 1))


CHANGES: Changes[State, Move] = Changes(pieces=pieces, objections=objections, towards=towards)
