"""Fief, phase 1: marriages (`FI-10`, `FI-11`)."""

from __future__ import annotations

from rules.fief.lords import Pair, ally, is_man, of_church
from rules.fief.moves import Marry
from rules.fief.state import State
from rules.fief.style import style
from rules.kernel import Fact, Facts


def may_marry(state: State, move: Marry) -> Facts | None:
    """`FI-10`: an unmarried man without a church title, an unmarried woman, of two players without an alliance."""
    for name, man in ((move.man, True), (move.woman, False)):
        code = _unfit(state, name, man=man)
        if code:
            return Facts(code, {"lord": style(state, name)}, (Fact((name,)),))
    players = state.lords[move.man].player, state.lords[move.woman].player
    if players[0] == players[1]:
        return Facts("one_player", {"colour": players[0]}, (Fact((move.man, move.woman)),))
    for player in players:
        pair = ally(state, player)
        if pair is not None:
            return _alliance_facts(state, player, pair)
    return None


def _alliance_facts(state: State, player: str, pair: Pair) -> Facts:
    one, other = pair.spouses
    values = {"colour": player, "lord": style(state, one), "spouse": style(state, other)}
    return Facts("allied", values, (Fact(pair.spouses),))


def _unfit(state: State, name: str, *, man: bool) -> str:
    """The reason why a lord cannot be the man, or the woman, of a marriage."""
    lord = state.lords.get(name)
    if lord is None:
        return "absent"
    if is_man(state, name) != man:
        return "not_a_man" if man else "not_a_woman"
    if lord.spouse is not None:
        return "married"
    if man and of_church(state, name):
        return "church"
    return "arc" if not man and name == state.arc else ""


def marry_lords(state: State, move: Marry) -> State:
    """The state after a marriage."""
    lords = dict(state.lords)
    for name, spouse in ((move.man, move.woman), (move.woman, move.man)):
        lords[name] = lords[name]._replace(spouse=spouse)
    return state._replace(lords=lords)


def end_marriage(state: State, one: str) -> State:
    """The state after a lord's marriage has ended, both spouses living."""
    other = state.lords[one].spouse
    lords = dict(state.lords)
    for name in (one, other):
        if name is not None:
            lords[name] = lords[name]._replace(spouse=None)
    return state._replace(lords=lords)
