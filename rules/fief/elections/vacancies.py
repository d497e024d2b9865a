"""Fief, phases 2 to 4: the vacant offices for which an election is due (`FI-20`, `FI-30`, `FI-40`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rules.fief.lords import titled_lords
from rules.fief.state import State
from rules.fief.style import style
from rules.fief.votes import Bishop, King, Pope
from rules.kernel import Fact, Facts, counted_facts

MIN_CARDINALS = 2
MIN_TITLED = 3
BISHOPS_FOR_ONE_CARDINAL = 2


def bishopric_due(state: State) -> int | None:
    """`FI-20`: the first bishopric above those of this round without a bishop and with all villages controlled."""
    for number, villages in sorted(state.land.bishoprics.items()):
        vacant = number > state.held and number not in state.bishops
        if vacant and all(village in state.control for village in villages):
            return number
    return None


def pope_due(state: State) -> bool:
    """`FI-30`: two cardinals and no pope."""
    return state.pope is None and len(state.cardinals) >= MIN_CARDINALS and not state.held


def king_due(state: State) -> bool:
    """`FI-40`: no king, three titled lords, among them a cardinal or two bishops."""
    if state.king is not None or state.held:
        return False
    lords = titled_lords(state)
    return len(lords) >= MIN_TITLED and church_speaks(state, lords)


def church_speaks(state: State, lords: Sequence[str]) -> bool:
    """Whether a cardinal or two bishops are among these lords (`FI-40`, `FI-42`)."""
    ranks = Counter(counts_as(state, name) for name in lords)
    return bool(ranks["cardinal"] or ranks["bishop"] >= BISHOPS_FOR_ONE_CARDINAL)


def counts_as(state: State, name: str) -> str | None:
    """The church title that counts for a lord; for the pope, his other titles count (`pope_at_election_of_king`)."""
    if name in state.cardinals or (name == state.pope and state.readings["pope_at_election_of_king"] == "as_cardinal"):
        return "cardinal"
    return "bishop" if name in state.bishops.values() else None


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
    return Facts("over") if state.held else Facts("few", {"n": len(state.cardinals), "least": MIN_CARDINALS})


def cardinal_count(state: State, _move: Pope) -> Facts:
    """`FI-30`: the cardinals, and the number that an election of the pope needs."""
    holders = tuple(state.cardinals)
    return counted_facts({"n": len(holders), "least": MIN_CARDINALS}, (Fact(holders),))


def due_king(state: State, move: King) -> Facts | None:
    """`FI-40`: an election is due."""
    if king_due(state):
        return None
    if state.king is not None:
        return Facts("held", {"lord": style(state, state.king)}, (Fact((state.king,)),))
    if state.held:
        return Facts("over")
    lords = tuple(titled_lords(state))
    evidence = (Fact(lords),) if lords else ()
    if len(lords) < MIN_TITLED:
        return Facts("few", {"n": len(lords), "least": MIN_TITLED}, evidence)
    return Facts("no_church", {"n": len(lords)}, evidence)


def titled_lord_count(state: State, _move: King) -> Facts:
    """`FI-40`: the lords with a title, and the number that an election of the king needs."""
    lords = tuple(titled_lords(state))
    return counted_facts({"n": len(lords), "least": MIN_TITLED}, (Fact(lords),))
