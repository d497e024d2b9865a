"""Fief: who would win at the end of the round, and what is short of a victory, an election, a title or a building."""

from __future__ import annotations

from collections.abc import Iterator

from rules.fief.data import Colour
from rules.fief.effects.said import figure, lit
from rules.fief.elections.vacancies import LEAST_CARDINALS, LEAST_TITLED, church_speaks
from rules.fief.lords import castles_of, city_of, pairs, titled
from rules.fief.purchases.castles import standing as standing_there
from rules.fief.state import CASTLES, CITIES, PHASES, State
from rules.fief.style import title
from rules.fief.victory import ALONE, TOGETHER, can_win_alone, points, together, won
from rules.foretold import end, short
from rules.kernel import Foretold, Value
from rules.spoken import Spoken

NEARLY = 2
"""So many villages that nobody controls are few: then they are named."""


def foretold(state: State) -> tuple[Foretold, ...]:
    """Who would win, the points that are missing, the elections, whole fiefs without a title, and what is built up."""
    return (*_would_win(state), *_points(state), *_elections(state), *_titles(state), *_tiles(state))


def _would_win(state: State) -> Iterator[Foretold]:
    """`FI-81`, `FI-82`: who wins at the end of the round if nothing changes."""
    rule, winners = won(state)
    if rule:
        yield end(rule, "would", {"colours": winners, "n": len(winners)}, soon=state.phase == PHASES[-1])


def _points(state: State) -> Iterator[Foretold]:
    """`FI-81`, `FI-82`: what each is short of, alone or as a pair."""
    alone = {player: ALONE - points(state, player) for player in state.colours if can_win_alone(state, player)}
    said = [figure(player, "short_alone", n) for player, n in alone.items() if n > 0]
    if said:
        yield short("FI-81", "short", {"colours": tuple(said), "least": ALONE})
    both = {pair.players: TOGETHER - together(state, pair) for pair in pairs(state)}
    pairs_short = [_pair(players, n) for players, n in both.items() if n > 0]
    if pairs_short:
        yield short("FI-82", "short", {"pairs": tuple(pairs_short), "least": TOGETHER})


def _pair(players: tuple[Colour, Colour], n: int) -> str:
    one, other = players
    return Spoken(one, "short_pair", {"one": one, "other": other, "n": n})


# --- elections (FI-20, FI-30, FI-40) -----------------------------------------------------------------------------


def _elections(state: State) -> Iterator[Foretold]:
    """What keeps an office from being elected: villages that nobody controls, cardinals, titled lords."""
    for number, villages in state.land.bishoprics.items():
        free = tuple(village for village in villages if village not in state.control)
        if number not in state.bishops and 0 < len(free) <= NEARLY:
            values: dict[str, Value] = {"number": number, "village": state.land.seats[number]}
            yield short("FI-20", "short", {**values, "villages": free, "n": len(free)}, lit(*free))
    cardinals = tuple(state.cardinals)
    if state.pope is None and len(cardinals) < LEAST_CARDINALS:
        yield short("FI-30", "short", {"n": LEAST_CARDINALS - len(cardinals)}, lit(*cardinals))
    if state.king is None:
        yield from _king(state)


def _king(state: State) -> Iterator[Foretold]:
    lords = titled(state)
    missing, church = max(LEAST_TITLED - len(lords), 0), church_speaks(state, lords)
    if missing or not church:
        code = "short" if church else "church" if not missing else "both"
        yield short("FI-40", code, {"n": missing, "least": LEAST_TITLED}, lit(*lords))


# --- titles and buildings (FI-51, FI-52) -------------------------------------------------------------------------


def _titles(state: State) -> Iterator[Foretold]:
    """`FI-52`: a fief without a city of which a player lacks only a castle, or one village."""
    for fief, villages in state.land.fiefs.items():
        holders = [state.control.get(village) for village in villages]
        for player in dict.fromkeys(each for each in holders if each is not None):
            foreign = tuple(village for village in villages if state.control.get(village) != player)
            if len(foreign) > 1 or city_of(state, fief) is not None:
                continue
            values: dict[str, Value] = {"colour": player, "fief": title(state, fief), "villages": foreign}
            castle = bool(castles_of(state, fief, player))
            if foreign and castle:
                yield short("FI-52", "village", values, lit(*foreign))
            elif not foreign and not castle:
                yield short("FI-52", "castle", values, lit(*villages))


def _tiles(state: State) -> Iterator[Foretold]:
    """`FI-51`, `FI-52`: no castle, or no city, is left."""
    if standing_there(state, "castle") >= CASTLES:
        yield short("FI-51", "none", {"n": CASTLES})
    if standing_there(state, "city") >= CITIES:
        yield short("FI-52", "none", {"n": CITIES})
