"""Villa Paletti: the points on the top level, who has the seal, and who wins by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.kernel import Fact, Line, Place, Seat
from rules.villa_paletti import seal
from rules.villa_paletti.columns import VALUE
from rules.villa_paletti.play import game_end
from rules.villa_paletti.seal import causer, colour_or_nobody, winner
from rules.villa_paletti.state import State, name_of
from rules.villa_paletti.villa import cell_of


def score(state: State) -> tuple[Line, ...]:
    """Every line of every player: the points; who holds the seal and held it before; the winner after a collapse.

    The evidence of lines without points shows what they are about.
    """
    lines = []
    for player in range(len(state.players)):
        colour, facts = name_of(state, player), _on_top(state, player)
        lines.append(Line(colour, "VP-31", sum(fact.counts["points"] for fact in facts), facts))
        lines.append(Line(colour, "VP-33", 0, _counts_as_facts(_seal(state, player))))
        if game_end(state) is None:
            lines.append(
                Line(
                    colour, "VP-40", 0, _counts_as_facts({f"wins_{colour_or_nobody(state, winner(state, player))}": 1})
                )
            )
    return tuple(lines)


def points(state: State) -> dict[tuple[Seat, str], int]:
    """The points of each player, as on the lines."""
    return {(name_of(state, player), "VP-31"): n for player, n in enumerate(seal.points(state))}


def _on_top(state: State, player: int) -> tuple[Fact, ...]:
    """`VP-31`: the player's columns on the top level, with their points."""
    return tuple(
        Fact((cell_of(state, group),), {"points": count.n * VALUE[group.shape]})
        for group, count in sorted(state.columns.items())
        if group.level == state.top and group.colour in state.players[player]
    )


def _seal(state: State, player: int) -> Mapping[str, int]:
    return {"holder": 1} if player == state.holder else {"previous": 1} if player == state.previous else {}


def _counts_as_facts(counts: Mapping[str, int]) -> tuple[Fact, ...]:
    return (Fact((), {"points": 0, **counts}),) if counts else ()


def ranking(state: State) -> tuple[Place, ...]:
    """`VP-40`, `VP-41`: the winner by the seal, the others together, and last the player who caused the collapse.

    If nobody wins, nobody has a place. Before the end, it is as if nobody could build any more.
    """
    fell = state.ended is not None and state.ended.rule == "VP-16"
    by = causer(state) if fell else None
    first = winner(state, by)
    everybody = list(range(len(state.players)))
    others = [player for player in everybody if player not in (first, by)]
    places: list[Place] = []
    for players in ([first], others, [by]):
        seats = tuple(name_of(state, player) for player in players if player is not None)
        if seats:
            place = None if first is None else 1 + sum(len(better.seats) for better in places)
            places.append(Place(place, seats, "VP-40" if fell else "VP-41", _why(state, players)))
    return tuple(places)


def _why(state: State, players: Sequence[int | None]) -> tuple[Fact, ...]:
    """The evidence for a place: the seal, now or before, or the collapse."""
    if len(players) != 1 or players[0] is None:
        return ()
    facts = dict(_seal(state, players[0]))
    if state.ended is not None and players[0] == causer(state):
        facts = {"caused": 1}
    return (Fact((), facts),) if facts else ()
