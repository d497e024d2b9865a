"""Fief, phases 2 to 4: the votes of each voter, their count, and who is elected.

`FI-22`, `FI-23`, `FI-31`, `FI-42`; and `FI-95`, as far as it is about voters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rules.fief.elections.vacancies import church_speaks
from rules.fief.lords import is_titled, lords_of
from rules.fief.moves import Election
from rules.fief.state import State
from rules.fief.style import style
from rules.fief.votes import Bishop, King, Pope
from rules.kernel import LEGAL, Fact, Facts, Value

VOTES = {"bishop": 2, "cardinal": 3, "pope": 3}
"""The votes that a church title gives in the election of a bishop (`FI-22`)."""
MIN_VOTES = 2
"""The number of votes that the reading `pope_quorum` requires under `two`."""


class Votes(NamedTuple):
    """Some votes of a player for a bishop, and their source: a village, a seat or a lord's church title."""

    code: str
    name: str
    n: int


def votes_of(state: State, bishopric: int, player: str) -> list[Votes]:
    """`FI-22`: the votes of a player in a bishopric, one by one; an excommunicated lord gives none."""
    seat = state.land.seats.get(bishopric)
    found = [
        Votes("seat", village, 2) if village == seat else Votes("village", village, 1)
        for village in state.land.bishoprics.get(bishopric, ())
        if state.control.get(village) == player
    ]
    for name in lords_of(state, player):
        if not state.lords[name].excommunicated:
            found += [Votes(title, name, VOTES[title]) for title in _titles_that_vote(state, name)]
    return found


def _titles_that_vote(state: State, name: str) -> list[str]:
    """The church titles of a lord that give votes, the highest first: that one alone, or all (`church_votes`)."""
    held = {
        "pope": name == state.pope,
        "cardinal": name in state.cardinals,
        "bishop": name in state.bishops.values() and name not in state.elected,
    }
    titles = [title for title, holds in held.items() if holds]
    return titles[:1] if state.readings["church_votes"] == "highest" else titles


def weight(state: State, move: Election, voter: str) -> int:
    """The number of votes that a voter has in an election."""
    if isinstance(move, Bishop):
        return sum(votes.n for votes in votes_of(state, move.bishopric, voter)) if voter in state.colours else 0
    if voter not in state.lords:
        return 0
    return int(voter in state.cardinals if isinstance(move, Pope) else is_titled(state, voter))


def voters(state: State, move: Election) -> list[str]:
    """The players or lords who have a vote and may cast it."""
    if isinstance(move, Bishop):
        return [player for player in state.colours if weight(state, move, player)]
    return [
        name
        for name in sorted(state.lords, key=state.land.order.__getitem__)
        if weight(state, move, name) and not state.lords[name].excommunicated
    ]


def valid_ballots(state: State, move: Election) -> Iterator[tuple[str, str, int]]:
    """Voter, candidate and number of votes. A voter counts once, and only for a candidate."""
    heard_voters: set[str] = set()
    for ballot in move.ballots:
        votes = weight(state, move, ballot.voter)
        if votes and ballot.voter not in heard_voters and ballot.choice in move.candidates:
            yield ballot.voter, ballot.choice, votes
        heard_voters.add(ballot.voter)


def tally(state: State, move: Election) -> dict[str, int]:
    """The votes of each candidate."""
    counts = dict.fromkeys(move.candidates, 0)
    for _, name, votes in valid_ballots(state, move):
        counts[name] += votes
    return counts


def election_winner(state: State, move: Election) -> str | None:
    """`FI-23`, `FI-31`, `FI-42`: the elected candidate, if any."""
    counts = tally(state, move)
    if isinstance(move, King):
        best = _ahead(counts)
        return best if best is not None and church_speaks(state, voters_for(state, move, best)) else None
    if len(counts) == 1:
        return move.candidates[0]
    best = _ahead(counts)
    if best is None or isinstance(move, Bishop):
        return best
    if state.readings["pope_quorum"] == "two":
        return best if counts[best] >= MIN_VOTES else None
    return best if 2 * counts[best] > sum(counts.values()) else None


def leaders(counts: Mapping[str, int]) -> list[str]:
    """The candidates with the most votes: several if there is a tie."""
    most = max(counts.values(), default=0)
    return [name for name, number in counts.items() if number == most]


def _ahead(counts: Mapping[str, int]) -> str | None:
    """The candidate with more votes than every other one, if any."""
    best = leaders(counts)
    return best[0] if len(best) == 1 else None


def voters_for(state: State, move: Election, candidate: str) -> list[str]:
    """The voters for a candidate, in the order of the ballots."""
    return [voter for voter, choice, _ in valid_ballots(state, move) if choice == candidate]


def may_vote(state: State, move: Election) -> Facts | None:
    """`FI-22`, `FI-31`, `FI-42`: each voter has a vote, casts it once and for a valid candidate; shows the count."""
    heard_voters: set[str] = set()
    for ballot in move.ballots:
        voter, choice = ballot.voter, ballot.choice
        values: dict[str, Value] = {"voter": style(state, voter)}
        if not weight(state, move, voter):
            return Facts("no_vote", values, (Fact((voter,)),) if voter in state.lords else ())
        if voter in heard_voters:
            return Facts("twice", values)
        if choice is not None and choice not in move.candidates:
            return Facts("no_candidate", {**values, "lord": style(state, choice)}, (Fact((choice,)),))
        heard_voters.add(voter)
    counts = tally(state, move)
    evidence = tuple(Fact((name,), {"votes": number}) for name, number in counts.items())
    best = election_winner(state, move)
    if best is None:
        return Facts("legal_nobody", {}, evidence, LEGAL)
    return Facts("legal", {"elected": style(state, best), "n": counts[best]}, evidence, LEGAL)


def excommunicated_voter(state: State, move: Pope | King) -> Facts | None:
    """`FI-95`: an excommunicated lord does not vote."""
    for ballot in move.ballots:
        lord = state.lords.get(ballot.voter)
        if lord is not None and lord.excommunicated:
            return Facts("voter", {"lord": style(state, ballot.voter)}, (Fact((ballot.voter,)),))
    return None
