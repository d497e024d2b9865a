"""Fief, phases 2 to 4: who is elected, by whom, and with how many votes (`FI-20` to `FI-42`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rules.fief.lords import is_man, is_titled, of_church, own, titled
from rules.fief.moves import Bishop, Election, King, Pope
from rules.fief.state import State
from rules.fief.style import style
from rules.kernel import Fact, Facts, Ruling, Value

LEAST_CARDINALS = 2
LEAST_VOTES = 2
"""What the reading `pope_quorum` asks for under `two`."""
LEAST_TITLED = 3
BISHOPS_FOR_ONE_CARDINAL = 2


# --- what is due (FI-20, FI-30, FI-40) ---------------------------------------------------------------------------


def bishopric_due(state: State) -> int | None:
    """`FI-20`: the first bishopric above those of this round without a bishop and with all villages controlled."""
    for number, villages in sorted(state.land.bishoprics.items()):
        vacant = number > state.held and number not in state.bishops
        if vacant and all(village in state.control for village in villages):
            return number
    return None


def pope_due(state: State) -> bool:
    """`FI-30`: two cardinals and no pope."""
    return state.pope is None and len(state.cardinals) >= LEAST_CARDINALS and not state.held


def king_due(state: State) -> bool:
    """`FI-40`: no king, three titled lords, among them a cardinal, the pope or two bishops."""
    if state.king is not None or state.held:
        return False
    lords = titled(state)
    return len(lords) >= LEAST_TITLED and church_speaks(state, lords)


def church_speaks(state: State, lords: Sequence[str]) -> bool:
    """Whether there is a cardinal, the pope or two bishops among these lords (`FI-40`, `FI-42`)."""
    ranks = Counter(of_church(state, name) for name in lords)
    return bool(ranks["pope"] or ranks["cardinal"] or ranks["bishop"] >= BISHOPS_FOR_ONE_CARDINAL)


def election_due(state: State) -> bool:
    """Whether the election of this phase is due."""
    if state.phase == "bishops":
        return bishopric_due(state) is not None
    return (state.phase == "pope" and pope_due(state)) or (state.phase == "king" and king_due(state))


def due_bishop(state: State, move: Bishop) -> Facts | None:
    """`FI-20`: the bishopric whose turn it is."""
    due = bishopric_due(state)
    if due == move.bishopric:
        return None
    villages = state.land.bishoprics.get(move.bishopric, ())
    if move.bishopric in state.bishops:
        bishop = state.bishops[move.bishopric]
        return Facts("held", {"n": move.bishopric, "lord": style(state, bishop)}, (Fact((bishop,)),))
    if free := tuple(village for village in villages if village not in state.control):
        return Facts("free", {"n": move.bishopric, "villages": free}, (Fact(free),))
    if due is not None and due < move.bishopric and villages:
        return Facts("first", {"n": move.bishopric, "due": due}, (Fact(state.land.bishoprics[due]),))
    return Facts("over" if villages else "none", {"n": move.bishopric})


def due_pope(state: State, move: Pope) -> Facts | None:
    """`FI-30`: an election is due."""
    if pope_due(state):
        return None
    if state.pope is not None:
        return Facts("held", {"lord": style(state, state.pope)}, (Fact((state.pope,)),))
    return Facts("over") if state.held else Facts("few", {"n": len(state.cardinals), "least": LEAST_CARDINALS})


def due_king(state: State, move: King) -> Facts | None:
    """`FI-40`: an election is due."""
    if king_due(state):
        return None
    if state.king is not None:
        return Facts("held", {"lord": style(state, state.king)}, (Fact((state.king,)),))
    if state.held:
        return Facts("over")
    lords = tuple(titled(state))
    evidence = (Fact(lords),) if lords else ()
    if len(lords) < LEAST_TITLED:
        return Facts("few", {"n": len(lords), "least": LEAST_TITLED}, evidence)
    return Facts("no_church", {"n": len(lords)}, evidence)


# --- who may stand (FI-21, FI-30, FI-41) -------------------------------------------------------------------------


def unfit_bishop(state: State, name: str) -> str:
    """Why a lord may not stand for a bishopric (`FI-21`); nothing where he may."""
    lord = state.lords.get(name)
    if lord is None:
        return "absent"
    reasons = {
        "woman": not is_man(state, name),
        "bishop": name in state.bishops.values(),
        "married": lord.spouse is not None,
        "king": name == state.king,
        "excommunicated": lord.excommunicated,
    }
    return next((code for code, holds in reasons.items() if holds), "")


def unfit_pope(state: State, name: str) -> str:
    """Why a lord may not stand for pope (`FI-30`)."""
    lord = state.lords.get(name)
    if lord is None:
        return "absent"
    if lord.excommunicated:
        return "excommunicated"
    return "" if name in state.cardinals or name in state.bishops.values() else "no_church_title"


def unfit_king(state: State, name: str) -> str:
    """Why a lord may not stand for king (`FI-41`)."""
    lord = state.lords.get(name)
    if lord is None:
        return "absent"
    reasons = {
        "woman": not is_man(state, name),
        "untitled": not is_titled(state, name),
        "church": of_church(state, name) is not None,
        "excommunicated": lord.excommunicated,
    }
    return next((code for code, holds in reasons.items() if holds), "")


UNFIT: Mapping[str, Callable[[State, str], str]] = {
    Bishop.kind: unfit_bishop,
    Pope.kind: unfit_pope,
    King.kind: unfit_king,
}


def may_stand(state: State, move: Election) -> Facts | None:
    """`FI-21`, `FI-30`, `FI-41`: each candidate may stand."""
    for name in move.candidates:
        code = UNFIT[move.kind](state, name)
        if code:
            return Facts(f"candidate_{code}", {"lord": style(state, name)}, (Fact((name,)),))
    return None


def candidates(state: State, office: str) -> list[str]:
    """The lords who may stand for an office: the kind of its election."""
    return sorted((name for name in state.lords if not UNFIT[office](state, name)), key=state.land.order.__getitem__)


# --- the votes (FI-22, FI-31, FI-42) -----------------------------------------------------------------------------


class Votes(NamedTuple):
    """Some votes of a player for a bishop, and what gives them: a village, a seat or a lord's church title."""

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
    for name in own(state, player):
        title = of_church(state, name)
        counts = title is not None and (title != "bishop" or name not in state.elected)
        if title and counts and not state.lords[name].excommunicated:
            found.append(Votes(title, name, VOTES[title]))
    return found


VOTES = {"bishop": 2, "cardinal": 3, "pope": 3}


def weight(state: State, move: Election, voter: str) -> int:
    """How many votes a voter has in an election."""
    if isinstance(move, Bishop):
        return sum(votes.n for votes in votes_of(state, move.bishopric, voter)) if voter in state.colours else 0
    if voter not in state.lords:
        return 0
    return int(voter in state.cardinals if isinstance(move, Pope) else is_titled(state, voter))


def voters(state: State, move: Election) -> list[str]:
    """The players or lords who have a vote, and may give it."""
    if isinstance(move, Bishop):
        return [player for player in state.colours if weight(state, move, player)]
    return [
        name
        for name in sorted(state.lords, key=state.land.order.__getitem__)
        if weight(state, move, name) and not state.lords[name].excommunicated
    ]


def counted(state: State, move: Election) -> Iterator[tuple[str, str, int]]:
    """Voter, candidate and number of votes. A voter is heard once, and only for one who stands."""
    heard: set[str] = set()
    for ballot in move.ballots:
        votes = weight(state, move, ballot.voter)
        if votes and ballot.voter not in heard and ballot.choice in move.candidates:
            yield ballot.voter, ballot.choice, votes
        heard.add(ballot.voter)


def tally(state: State, move: Election) -> dict[str, int]:
    """The votes of each candidate."""
    counts = dict.fromkeys(move.candidates, 0)
    for _, name, votes in counted(state, move):
        counts[name] += votes
    return counts


def elected(state: State, move: Election) -> str | None:
    """`FI-23`, `FI-31`, `FI-42`: who is elected, if anybody."""
    counts = tally(state, move)
    if isinstance(move, King):
        best = _ahead(counts)
        return best if best is not None and church_speaks(state, _for(state, move, best)) else None
    if len(counts) == 1:
        return move.candidates[0]
    best = _ahead(counts)
    if best is None or isinstance(move, Bishop):
        return best
    if state.readings["pope_quorum"] == "two":
        return best if counts[best] >= LEAST_VOTES else None
    return best if 2 * counts[best] > sum(counts.values()) else None


def _ahead(counts: Mapping[str, int]) -> str | None:
    """The candidate with more votes than each other one."""
    most = max(counts.values(), default=0)
    best = [name for name, number in counts.items() if number == most]
    return best[0] if len(best) == 1 else None


def _for(state: State, move: Election, candidate: str) -> list[str]:
    return [voter for voter, choice, _ in counted(state, move) if choice == candidate]


def may_vote(state: State, move: Election) -> Facts | None:
    """`FI-22`, `FI-31`, `FI-42`: each voter has a vote, gives it once and to one who stands; shows the count."""
    heard: set[str] = set()
    for ballot in move.ballots:
        voter, choice = ballot.voter, ballot.choice
        values: dict[str, Value] = {"voter": style(state, voter)}
        if not weight(state, move, voter):
            return Facts("no_vote", values, (Fact((voter,)),) if voter in state.lords else ())
        if voter in heard:
            return Facts("twice", values)
        if choice is not None and choice not in move.candidates:
            return Facts("no_candidate", {**values, "lord": style(state, choice)}, (Fact((choice,)),))
        heard.add(voter)
    counts = tally(state, move)
    evidence = tuple(Fact((name,), {"votes": number}) for name, number in counts.items())
    best = elected(state, move)
    if best is None:
        return Facts("legal_nobody", {}, evidence, Ruling.LEGAL)
    return Facts("legal", {"elected": style(state, best), "n": counts[best]}, evidence, Ruling.LEGAL)


def excommunicated_voter(state: State, move: Pope | King) -> Facts | None:
    """`FI-95`: an excommunicated lord does not vote."""
    for ballot in move.ballots:
        lord = state.lords.get(ballot.voter)
        if lord is not None and lord.excommunicated:
            return Facts("voter", {"lord": style(state, ballot.voter)}, (Fact((ballot.voter,)),))
    return None
