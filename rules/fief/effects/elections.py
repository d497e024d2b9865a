"""Fief, phases 2 to 4: the effects of an election: who is elected, or why nobody is, and every vote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.effects import effect
from rules.fief.effects.sentence_values import evidence_of, figure
from rules.fief.elections.vacancies import counts_as
from rules.fief.elections.voting import (
    MIN_VOTES,
    election_winner,
    leaders,
    tally,
    valid_ballots,
    voters,
    voters_for,
    votes_of,
)
from rules.fief.elections.voting import VOTES as VOTES_OF
from rules.fief.lords import of_church
from rules.fief.moves import Election
from rules.fief.purchases.purse import OFFICES
from rules.fief.state import State
from rules.fief.style import style, styles
from rules.fief.votes import Bishop, King, Pope
from rules.kernel import Effect, Fact, Value

RULES: Mapping[type, str] = {Bishop: "FI-23", Pope: "FI-31", King: "FI-42"}
"""The rule of each election's outcome."""
VOTES: Mapping[type, str] = {Bishop: "FI-22", Pope: "FI-31", King: "FI-42"}
"""The rule of each election's votes."""


def election(before: State, move: Election, after: State) -> Iterator[Effect]:
    """`FI-23`, `FI-31`, `FI-42`: the outcome, the votes of each candidate and who gave them, and who abstains."""
    counts = tally(before, move)
    best = election_winner(before, move)
    if best is None:
        yield _nobody(before, move, counts)
    else:
        yield _election_result(before, move, counts, best)
        yield from _office(before, move, after, best)
    if any(counts.values()):
        yield from _votes(before, move, counts)
    # A candidate alone needs no votes, except for the crown.
    if any(counts.values()) or len(counts) > 1 or (counts and isinstance(move, King)):
        yield from _abstentions(before, move)


# --- the outcome -------------------------------------------------------------------------------------------------


def _where(state: State, move: Election) -> dict[str, Value]:
    """The bishopric, and the village of its seat."""
    if not isinstance(move, Bishop):
        return {}
    return {"bishopric": move.bishopric, "village": state.land.seats[move.bishopric]}


def _election_result(state: State, move: Election, counts: Mapping[str, int], best: str) -> Effect:
    values: dict[str, Value] = {**_where(state, move), "lord": style(state, best), "n": counts[best]}
    values["against"] = max((n for name, n in counts.items() if name != best), default=0)
    values["cast"] = sum(counts.values())
    if isinstance(move, King):
        values["church"] = tuple(each for each in voters_for(state, move, best) if counts_as(state, each))
        return effect("FI-42", "elected", values, evidence_of(best))
    return effect(RULES[type(move)], "elected" if len(counts) > 1 else "alone", values, evidence_of(best))


def _office(before: State, move: Election, after: State, best: str) -> Iterator[Effect]:
    """The gains of a new office: votes (`FI-22`) or income (`FI-50`); a churchman is no longer next (`FI-94`)."""
    values: dict[str, Value] = {"lord": best, "colour": after.lords[best].player}
    if not isinstance(move, Bishop):
        n = OFFICES["king" if isinstance(move, King) else "pope"]
        yield effect("FI-50", "brings", {**values, "n": n}, evidence_of(best))
        return
    if of_church(before, best) is None or before.readings["church_votes"] != "highest":
        yield effect("FI-22", "brings", {**values, "n": VOTES_OF["bishop"]}, evidence_of(best))
    if best in before.princes and of_church(before, best) is None and before.readings["churchman_prince"] != "king":
        yield effect("FI-94", "churchman", values, evidence_of(best))


def _nobody(state: State, move: Election, counts: Mapping[str, int]) -> Effect:
    """The reason why nobody is elected: no candidate, a tie, too few votes, or no valid vote of the church."""
    rule, best = RULES[type(move)], leaders(counts)
    if not best:
        return effect(rule, "nobody_stands", _where(state, move))
    n = counts[best[0]]
    if len(best) > 1:
        return effect(rule, "tie", {**_where(state, move), "lords": styles(state, best), "n": n}, evidence_of(*best))
    values: dict[str, Value] = {"lord": style(state, best[0]), "n": n, "cast": sum(counts.values())}
    if isinstance(move, King):
        bishops = tuple(name for name in voters_for(state, move, best[0]) if counts_as(state, name))
        return effect(rule, "no_church", {**values, "church": bishops, "bishops": len(bishops)}, evidence_of(best[0]))
    code = "few" if state.readings["pope_quorum"] == "cast" else "few_two"
    return effect(rule, code, {**values, "least": MIN_VOTES}, evidence_of(best[0]))


# --- the votes ---------------------------------------------------------------------------------------------------


def _votes(state: State, move: Election, counts: Mapping[str, int]) -> Iterator[Effect]:
    """The votes of each candidate, and who gave them; for a bishop, the sources of each player's votes."""
    ballots = list(valid_ballots(state, move))
    rule = VOTES[type(move)]
    for name, n in sorted(counts.items(), key=lambda each: -each[1]):
        theirs = [(voter, votes) for voter, choice, votes in ballots if choice == name]
        who = tuple(figure(*each) if isinstance(move, Bishop) else each[0] for each in _ballot_figures(theirs))
        values: dict[str, Value] = {"lord": style(state, name), "n": n, "voters": who}
        yield effect(rule, "votes" if n else "no_votes", values, (Fact((name,), {"votes": n}),))
    if isinstance(move, Bishop):
        for voter, choice, n in ballots:
            parts = votes_of(state, move.bishopric, voter)
            figures = tuple(figure(part.name, f"votes_{part.code}", part.n) for part in parts)
            facts = tuple(Fact((part.name,), {"votes": part.n}) for part in parts)
            values = {"voter": voter, "n": n, "lord": style(state, choice), "parts": figures}
            yield effect(rule, "voter", values, facts)


def _ballot_figures(ballots: list[tuple[str, int]]) -> Iterator[tuple[str, str, int]]:
    return ((voter, "votes_of", n) for voter, n in ballots)


def _abstentions(state: State, move: Election) -> Iterator[Effect]:
    """The voters who give their vote to nobody."""
    voted = {voter for voter, _, _ in valid_ballots(state, move)}
    silent = [voter for voter in voters(state, move) if voter not in voted]
    if not silent:
        return
    if not isinstance(move, Bishop):
        yield effect(VOTES[type(move)], "abstained", {"voters": tuple(silent), "n": len(silent)}, evidence_of(*silent))
        return
    weights = [sum(part.n for part in votes_of(state, move.bishopric, voter)) for voter in silent]
    figures = tuple(figure(voter, "votes_of", n) for voter, n in zip(silent, weights, strict=True))
    yield effect("FI-22", "abstained", {"voters": figures, "n": len(silent), "votes": sum(weights)})
