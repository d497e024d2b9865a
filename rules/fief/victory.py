"""Fief, phase 8: points, the winners, the points that each player is short of, and the ranking (`FI-80` to `FI-82`)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.fief.data import RANKS, Colour
from rules.fief.lords import Pair, ally, city_of, fiefs_of, lords_of, pairs
from rules.fief.state import State
from rules.fief.style import seat_of
from rules.kernel import Ended, Fact, Facts, Line, Place, Seat, Value

ALONE = 3
TOGETHER = 4
"""The points that a player needs alone, and a married pair between them."""


# --- points (FI-80) ----------------------------------------------------------------------------------------------


def titles_of(state: State, player: Colour) -> Iterator[Line]:
    """`FI-80`: the sources of a player's points, a line each: fief titles, the crown, the Holy See."""
    for name in lords_of(state, player):
        for fief in fiefs_of(state, name):
            fact = Fact((name, city_of(state, fief) or name), {"points": 1})
            values = {"fief": fief, "village": seat_of(state, fief)}
            yield Line(player, "FI-80", 1, (fact,), RANKS[state.land.rank(fief)], values)
        for code, holder in (("king", state.king), ("pope", state.pope)):
            if holder == name:
                yield Line(player, "FI-80", 1, (Fact((name,), {"points": 1}),), code)


def points_of(state: State, player: Colour) -> tuple[Fact, ...]:
    """The sources of a player's points, one by one."""
    return tuple(fact for line in titles_of(state, player) for fact in line.evidence)


def points(state: State, player: Colour) -> int:
    """The points of a player: the number of titles (`titles_of`), without their lines."""
    holders = (*state.titles.values(), state.king, state.pope)
    return sum(name is not None and state.lords[name].player == player for name in holders)


def points_by_player(state: State) -> dict[tuple[Seat, str], int]:
    """The points of all players, as in the lines of the score."""
    return {(player, "FI-80"): points(state, player) for player in state.colours}


# --- who wins (FI-81, FI-82) -------------------------------------------------------------------------------------


def can_win_alone(state: State, player: str) -> bool:
    """Whether a player can win without another one (reading `solo_victory`)."""
    return state.readings["solo_victory"] == "anyone" or ally(state, player) is None


def winning_alone(state: State) -> tuple[Seat, ...]:
    """`FI-81`: the players who win alone, all of them together."""
    return tuple(p for p in state.colours if points(state, p) >= ALONE and can_win_alone(state, p))


def together(state: State, pair: Pair) -> int:
    """The points of a pair."""
    return sum(points(state, player) for player in pair.players)


def winning_pairs(state: State) -> tuple[Seat, ...]:
    """`FI-82`: the players of the pairs that win, all of them together."""
    found = {player for pair in pairs(state) if together(state, pair) >= TOGETHER for player in pair.players}
    return tuple(player for player in state.colours if player in found)


def rule_and_winners(state: State) -> tuple[str, tuple[Seat, ...]]:
    """The rule by which the game would be won now, and the winners; an empty rule while the game continues."""
    alone = winning_alone(state)
    if alone:
        return "FI-81", alone
    paired = winning_pairs(state)
    return ("FI-82", paired) if paired else ("", ())


def game_end(state: State) -> Ended:
    """The end of a game that is over."""
    rule, winners = rule_and_winners(state)
    values: dict[str, Value] = {"colours": winners, "n": len(winners)}
    return Ended(rule or "FI-81", values, tells_winner=True)


def game_over(state: State, _: object) -> Facts | None:
    """`FI-81`: a game that was won alone is over; and one that was entered as over, whoever has won."""
    end = game_end(state)
    return Facts("over" if end.values["n"] else "over_nobody", end.values) if end.rule == "FI-81" else None


# --- the score sheet ---------------------------------------------------------------------------------------------


def score(state: State) -> tuple[Line, ...]:
    """Every player's points, title by title, and the points that each is short of, alone or with the ally."""
    lines: list[Line] = []
    for player in state.colours:
        titles = list(titles_of(state, player))
        lines += titles or [Line(player, "FI-80", 0)]
        if can_win_alone(state, player):
            short = max(ALONE - len(titles), 0)
            lines.append(Line(player, "FI-81", 0, (Fact((), {"points": 0, "short": short}),)))
        pair = ally(state, player)
        if pair is not None:
            both = together(state, pair)
            counts = {"points": 0, "pair": both, "short": max(TOGETHER - both, 0)}
            lines.append(Line(player, "FI-82", 0, (Fact(pair.spouses, counts),)))
    return tuple(lines)


def ranking(state: State) -> tuple[Place, ...]:
    """The winners share the first place, and all others the next one; points do not matter for places."""
    rule, winners = rule_and_winners(state)
    if not winners:
        return (Place(None, state.colours, "FI-80"),)
    facts = tuple(fact for player in state.colours if player in winners for fact in points_of(state, player))
    others = tuple(player for player in state.colours if player not in winners)
    first = Place(1, winners, rule, facts)
    return (first, Place(1 + len(winners), others, rule)) if others else (first,)
