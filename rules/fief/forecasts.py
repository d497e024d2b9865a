"""Fief: who would win at the end of the round, and what is missing for a victory, election, title or building."""

from __future__ import annotations

from collections.abc import Iterator

from rules.fief.data import Colour
from rules.fief.effects.sentence_values import evidence_of, figure
from rules.fief.elections.vacancies import MIN_CARDINALS, MIN_TITLED, church_speaks
from rules.fief.lords import castles_of, city_of, pairs, titled_lords
from rules.fief.purchases.castles import count_buildings as standing_there
from rules.fief.state import CASTLES, CITIES, PHASES, State
from rules.fief.style import title
from rules.fief.victory import ALONE, TOGETHER, can_win_alone, points, rule_and_winners, together
from rules.forecasts import end_forecast, shortage_forecast
from rules.kernel import Forecast, Value
from rules.styled_name import StyledName

NEARLY = 2
"""The maximum number of villages without a controller that are named."""


def forecasts(state: State) -> tuple[Forecast, ...]:
    """Who would win, missing points, the elections, whole fiefs without a title, and tiles that are used up."""
    return (*_would_win(state), *_points(state), *_elections(state), *_titles(state), *_tiles(state))


def _would_win(state: State) -> Iterator[Forecast]:
    """`FI-81`, `FI-82`: who wins at the end of the round if nothing changes."""
    rule, winners = rule_and_winners(state)
    if rule:
        yield end_forecast(rule, "would", {"colours": winners, "n": len(winners)}, soon=state.phase == PHASES[-1])


def _points(state: State) -> Iterator[Forecast]:
    """`FI-81`, `FI-82`: the points that each player or pair is short of."""
    alone = {player: ALONE - points(state, player) for player in state.colours if can_win_alone(state, player)}
    figures = [figure(player, "short_alone", n) for player, n in alone.items() if n > 0]
    if figures:
        yield shortage_forecast("FI-81", "short", {"colours": tuple(figures), "least": ALONE})
    both = {pair.players: TOGETHER - together(state, pair) for pair in pairs(state)}
    pairs_short = [_pair(players, n) for players, n in both.items() if n > 0]
    if pairs_short:
        yield shortage_forecast("FI-82", "short", {"pairs": tuple(pairs_short), "least": TOGETHER})


def _pair(players: tuple[Colour, Colour], n: int) -> str:
    one, other = players
    return StyledName(one, "short_pair", {"one": one, "other": other, "n": n})


# --- elections (FI-20, FI-30, FI-40) -----------------------------------------------------------------------------


def _elections(state: State) -> Iterator[Forecast]:
    """The reasons why an office cannot be filled yet: villages without a controller, cardinals, titled lords."""
    for number, villages in state.land.bishoprics.items():
        free = tuple(village for village in villages if village not in state.control)
        if number not in state.bishops and 0 < len(free) <= NEARLY:
            values: dict[str, Value] = {"number": number, "village": state.land.seats[number]}
            yield shortage_forecast("FI-20", "short", {**values, "villages": free, "n": len(free)}, evidence_of(*free))
    cardinals = tuple(state.cardinals)
    if state.pope is None and len(cardinals) < MIN_CARDINALS:
        yield shortage_forecast("FI-30", "short", {"n": MIN_CARDINALS - len(cardinals)}, evidence_of(*cardinals))
    if state.king is None:
        yield from _king(state)


def _king(state: State) -> Iterator[Forecast]:
    lords = titled_lords(state)
    missing, church = max(MIN_TITLED - len(lords), 0), church_speaks(state, lords)
    if missing or not church:
        code = "short" if church else "church" if not missing else "both"
        yield shortage_forecast("FI-40", code, {"n": missing, "least": MIN_TITLED}, evidence_of(*lords))


# --- titles and buildings (FI-51, FI-52) -------------------------------------------------------------------------


def _titles(state: State) -> Iterator[Forecast]:
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
                yield shortage_forecast("FI-52", "village", values, evidence_of(*foreign))
            elif not foreign and not castle:
                yield shortage_forecast("FI-52", "castle", values, evidence_of(*villages))


def _tiles(state: State) -> Iterator[Forecast]:
    """`FI-51`, `FI-52`: no castle, or no city, is left."""
    if standing_there(state, "castle") >= CASTLES:
        yield shortage_forecast("FI-51", "none", {"n": CASTLES})
    if standing_there(state, "city") >= CITIES:
        yield shortage_forecast("FI-52", "none", {"n": CITIES})
