"""Fief: entries that are impossible on the table, even by common consent.

Entries that name nobody or nothing there is, that find no piece left, or that are not due where only a `take` or an
`heir` is; and in phases 1 to 4, where it is nobody's part, those that belong to a player's part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.fief import moves, papacy, votes
from rules.fief.combats import conquest
from rules.fief.combats.sieges import siege_site
from rules.fief.deaths import heirs
from rules.fief.lords import city_of
from rules.fief.moves import Move
from rules.fief.purchases import cardinals, castles, titles
from rules.fief.rounds import phase
from rules.fief.state import CASTLES, CITIES, State
from rules.kernel import Facts


def cannot_stand(state: State, move: Move) -> Facts | None:
    """The reason why the log rejects an entry even if all agree; or None."""
    now = phase(state)
    if now in ("over", "take", "heir"):
        return _asked_for(state, move, now)
    if isinstance(move, moves.Take | moves.Inherit) or (state.turn is None and isinstance(move, IN_A_PART)):
        return Facts("not_due")
    return CANNOT[type(move)](state, move)


IN_A_PART = tuple(form for part in ("purchases", "movements", "combats") for form in moves.OF_PHASE[part])


def _asked_for(state: State, move: Move, now: str) -> Facts | None:
    if now == "take" and isinstance(move, moves.Take):
        return conquest.may_take(state, move)
    if now == "heir" and isinstance(move, moves.Inherit):
        return heirs.may_inherit(state, move)
    return Facts(now)


def _absent(state: State, *names: str | None) -> Facts | None:
    missing = [name for name in names if name not in state.lords]
    return Facts("absent", {"lord": missing[0]}) if missing else None


def _no_marriage(state: State, move: moves.Marry) -> Facts | None:
    pair = (move.man, move.woman)
    if _absent(state, *pair) or move.man == move.woman:
        return Facts("absent")
    return Facts("married") if any(state.lords[name].spouse for name in pair) else None


def _no_election(state: State, move: votes.Bishop | votes.Pope | votes.King) -> Facts | None:
    if isinstance(move, votes.Bishop) and move.bishopric not in state.land.bishoprics:
        return Facts("none")
    own = {"bishops": votes.Bishop, "pope": votes.Pope, "king": votes.King}.get(state.phase)
    return _absent(state, *move.candidates) if isinstance(move, own or ()) else Facts("phase")


def _no_castle(state: State, move: moves.BuyCastle) -> Facts | None:
    if move.village not in state.land.fief_of or move.village in state.buildings:
        return Facts("built")
    return Facts("none_left") if castles.count_buildings(state, "castle") >= CASTLES else None


def _no_title(state: State, move: moves.BuyTitle | moves.Give) -> Facts | None:
    if _absent(state, move.lord) or move.fief not in state.land.fiefs:
        return Facts("absent")
    if city_of(state, move.fief) is not None:
        return None
    if titles.city_site(state, move) is None:
        return Facts("no_site")
    return Facts("none_left") if castles.count_buildings(state, "city") >= CITIES else None


def _no_cardinal(state: State, move: moves.CardinalMove) -> Facts | None:
    if _absent(state, move.lord) or move.lord in state.cardinals:
        return Facts("absent")
    if isinstance(move, moves.BuyCardinal):
        return Facts("sold") if "title" in state.cardinals.values() else None
    return cardinals.card_available(state, move)


def _no_lord(state: State, move: moves.PlayLord) -> Facts | None:
    is_new = state.land.is_lord(move.lord) and move.lord not in state.lords
    return None if is_new and move.village in state.land.fief_of else Facts("absent")


def _no_arc(state: State, move: moves.PlayArc) -> Facts | None:
    if state.arc is not None or state.arc_gone:
        return Facts("arc_gone")
    return _absent(state, move.lord)


def _no_cession(state: State, move: moves.Cede) -> Facts | None:
    return None if move.village in state.land.fief_of and move.player in state.colours else Facts("nowhere")


def _no_march(state: State, move: moves.March) -> Facts | None:
    if any(village not in state.land.fief_of for village in move.path):
        return Facts("nowhere")
    return _absent(state, *move.lords)


def _no_attack(state: State, move: moves.Attack) -> Facts | None:
    players = (*move.attackers, *move.enemies)
    if move.village not in state.land.fief_of or any(player not in state.colours for player in players):
        return Facts("nowhere")
    return Facts("both") if set(move.attackers) & set(move.enemies) else None


def _no_murder(state: State, move: moves.Assassin) -> Facts | None:
    if move.player is not None:
        return _absent(state, move.lord) if move.player in state.colours else Facts("absent")
    return _absent(state, move.lord, move.by)


CANNOT: Mapping[type[Move], Callable[[State, Any], Facts | None]] = {
    moves.Marry: _no_marriage,
    votes.Bishop: _no_election,
    votes.Pope: _no_election,
    votes.King: _no_election,
    moves.BuyCastle: _no_castle,
    moves.BuyCard: lambda *_: None,
    moves.BuyTitle: _no_title,
    moves.BuyCardinal: _no_cardinal,
    moves.PlayLord: _no_lord,
    moves.PlayCardinal: _no_cardinal,
    moves.PlayArc: _no_arc,
    moves.Give: _no_title,
    moves.Cede: _no_cession,
    moves.March: _no_march,
    moves.Attack: _no_attack,
    moves.Siege: siege_site,
    moves.Assassin: _no_murder,
    moves.Justice: lambda state, move: _absent(state, move.lord),
    moves.Excommunicate: papacy.can_excommunicate,
    moves.Absolve: papacy.can_absolve,
    moves.Annul: papacy.can_annul,
    moves.Next: lambda *_: None,
}
