"""Fief: everything in an entered position that cannot be on a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from rules.defaults import wrong
from rules.fief.combats.conquest import takers
from rules.fief.combats.sieges import siege_site
from rules.fief.data import Land, land
from rules.fief.lords import city_of, own
from rules.fief.moves import Siege
from rules.fief.position import enter, merge_villages
from rules.fief.state import CARDINAL_CARDS, CASTLES, CITIES, IN_TURN, Position, Setup, State
from rules.fief.style import name_of_fief, title
from rules.fief.victory import rule_and_winners
from rules.kernel import Finding

MIN_HEIRS = 2


def problems(form: Setup, entered: Position) -> tuple[Finding, ...]:
    """Names that nobody has, things that are there twice, pieces that are too many, moments that never come."""
    board, named = land(form.data), entered.villages
    entered = merge_villages(entered)
    strangers, unknown = tuple(_strangers(form, entered)), tuple(_unknown(board, entered, named))
    return (
        *strangers,
        *unknown,
        *_twice(entered),
        *_pieces(board, entered),
        *_offices(board, entered),
        *_unique(entered),
        *_marriages(entered),
        *_moment(entered),
        *(() if strangers or unknown else unsettled_problems(enter(form, entered))),
    )


# --- names (FI-1) ------------------------------------------------------------------------------------------------


def _strangers(form: Setup, entered: Position) -> Iterator[Finding]:
    """Colours that nobody plays."""
    playing = {player.colour for player in form.players}
    named = [*entered.control, *entered.murders, *entered.income, *entered.spent]
    named += [lord.player for lord in entered.lords]
    named += [arrival.player for arrival in entered.arrivals]
    named += [army.player for army in entered.armies]
    named += [siege.player for siege in entered.sieges]
    named += [estate.player for estate in entered.estates]
    named += [colour for colour in (entered.first, entered.turn) if colour is not None]
    if entered.captured is not None:
        named.append(entered.captured.player)
    for colour in dict.fromkeys(named):
        if colour not in playing:
            lords = [lord.name for lord in entered.lords if lord.player == colour]
            yield wrong("FI-1", "stranger", (*entered.control.get(colour, ()), *lords), colour=colour)


def _unknown(board: Land, entered: Position, villages: Iterable[str]) -> Iterator[Finding]:
    """Lords, villages and fiefs that the data do not have."""
    for name in dict.fromkeys(_named_lords(entered)):
        if not board.is_lord(name):
            yield wrong("FI-1", "no_lord", lord=name)
    for village in dict.fromkeys([*_named_villages(entered), *villages]):
        if village not in board.fief_of:
            yield wrong("FI-1", "no_village", village=village)
    fiefs = [fief for lord in entered.lords for fief in lord.fiefs]
    fiefs += [fief for estate in entered.estates for fief in estate.fiefs]
    fiefs += [fief for rank in entered.ranks.values() for fief in rank.fiefs or ()]
    fiefs += [entered.captured.fief] if entered.captured else []
    for fief in dict.fromkeys(fiefs):
        if fief not in board.fiefs:
            yield wrong("FI-1", "no_fief", fief=fief)


def _named_lords(entered: Position) -> Iterator[str]:
    for lord in entered.lords:
        yield lord.name
        if lord.spouse is not None:
            yield lord.spouse
    yield from (*entered.dead, *entered.absent, *entered.moved, *entered.ranks)
    yield from (estate.lord for estate in entered.estates)
    for army in entered.armies:
        yield from (army.lord, *([army.heir] if army.heir else []))
    if entered.excommunication is not None:
        yield entered.excommunication


def _named_villages(entered: Position) -> Iterator[str]:
    for villages in entered.control.values():
        yield from villages
    yield from (*entered.castles, *entered.cities, *entered.attacked)
    yield from (lord.place for lord in entered.lords)
    yield from (army.place for army in entered.armies)
    yield from (siege.village for siege in entered.sieges)
    for arrival in entered.arrivals:
        yield from (arrival.village, arrival.road)


def _several(names: Iterable[str]) -> list[str]:
    return [name for name, number in Counter(names).items() if number > 1]


def _twice(entered: Position) -> Iterator[Finding]:
    """A lord is in one place, a village in one hand."""
    for name in _several([*(lord.name for lord in entered.lords), *{*entered.dead, *entered.absent}]):
        yield wrong("FI-1", "lord_twice", (name,), lord=name)
    for village in _several(village for villages in entered.control.values() for village in villages):
        yield wrong("FI-1", "village_twice", (village,), village=village)
    living = {lord.name for lord in entered.lords}
    for name in (*entered.moved, *entered.ranks, *(army.heir for army in entered.armies if army.heir)):
        if name not in living:
            yield wrong("FI-1", "not_in_play", lord=name)


# --- castles, cities, titles (FI-51 to FI-54, FI-20, FI-30, FI-40) -----------------------------------------------


def _pieces(board: Land, entered: Position) -> Iterator[Finding]:
    """Castles and cities: no more than there are, one a village, one city a fief."""
    if len(set(entered.castles)) > CASTLES:
        yield wrong("FI-51", "castles", entered.castles, n=len(set(entered.castles)), most=CASTLES)
    if len(set(entered.cities)) > CITIES:
        yield wrong("FI-52", "cities", entered.cities, n=len(set(entered.cities)), most=CITIES)
    for village in _several([*set(entered.castles), *set(entered.cities)]):
        yield wrong("FI-52", "built_twice", (village,), village=village)
    for fief in _several(board.fief_of[village] for village in set(entered.cities) if village in board.fief_of):
        cities = [village for village in board.fiefs[fief] if village in entered.cities]
        yield wrong("FI-52", "two_cities", cities, fief=name_of_fief(board, _buildings(entered), fief))


def _buildings(entered: Position) -> dict[str, str]:
    return {**dict.fromkeys(entered.castles, "castle"), **dict.fromkeys(entered.cities, "city")}


def _offices(board: Land, entered: Position) -> Iterator[Finding]:
    """Fiefs with their city and one lord; one bishop a bishopric."""
    lords = entered.lords
    held = [fief for lord in lords for fief in lord.fiefs] + [fief for each in entered.estates for fief in each.fiefs]
    held += [entered.captured.fief] if entered.captured else []
    for fief in _several(held):
        holders = [lord.name for lord in lords if fief in lord.fiefs]
        yield wrong("FI-52", "two_lords", holders, fief=name_of_fief(board, _buildings(entered), fief))
    for fief in dict.fromkeys(held):
        if fief in board.fiefs and not any(village in entered.cities for village in board.fiefs[fief]):
            holders = [lord.name for lord in lords if fief in lord.fiefs]
            yield wrong("FI-52", "no_city", holders, fief=name_of_fief(board, _buildings(entered), fief))
    then = {name: rank.fiefs for name, rank in entered.ranks.items() if rank.fiefs}
    for fief in _several(each for fiefs in then.values() for each in fiefs):
        holders = [name for name, fiefs in then.items() if fief in fiefs]
        yield wrong("FI-52", "two_lords", holders, fief=name_of_fief(board, _buildings(entered), fief))
    sees = Counter(number for lord in lords for number in lord.bishop)
    for number, bishops in sorted(sees.items()):
        if bishops > 1 or number not in board.bishoprics:
            yield wrong("FI-20", "bishops", [lord.name for lord in lords if number in lord.bishop], n=number)


def _unique(entered: Position) -> Iterator[Finding]:
    """One pope, one king or regent, few cardinals."""
    lords = entered.lords
    groups = {
        ("FI-30", "popes", 1): [lord.name for lord in lords if lord.pope],
        ("FI-40", "kings", 1): [lord.name for lord in lords if lord.king or lord.regent],
        ("FI-53", "cardinals", 1): [lord.name for lord in lords if lord.cardinal == "title"],
        ("FI-54", "cardinals", CARDINAL_CARDS): [lord.name for lord in lords if lord.cardinal == "card"],
        ("FI-54", "arcs", 0 if entered.arc_gone else 1): [lord.name for lord in lords if lord.arc],
    }
    for (rule, code, most), names in groups.items():
        if len(names) > most:
            yield wrong(rule, code, names, n=len(names), most=most)
    numbers = [lord.prince for lord in lords if lord.prince is not None]
    if len(set(numbers)) < len(numbers):
        yield wrong("FI-94", "princes", [lord.name for lord in lords if lord.prince is not None])


def _marriages(entered: Position) -> Iterator[Finding]:
    """`FI-10`: spouses name each other."""
    spouses = {lord.name: lord.spouse for lord in entered.lords}
    for name, spouse in spouses.items():
        if spouse is not None and (spouse == name or spouses.get(spouse) != name):
            yield wrong("FI-10", "spouse", (name,), lord=name, spouse=spouse)


# --- the moment (FI-3) -------------------------------------------------------------------------------------------


def _moment(entered: Position) -> Iterator[Finding]:
    """`FI-3`: what is remembered belongs to its phase."""
    phases = {
        "turn": (entered.turn is not None, IN_TURN),
        "held": (entered.held > 0, ("bishops", "pope", "king")),
        "held_once": (entered.held > 1, ("bishops",)),
        "income": (bool(entered.income or entered.spent), ("purchases",)),
        "moved": (bool(entered.moved or entered.arrivals), ("movements",)),
        "ranks": (bool(entered.ranks or entered.armies), ("movements", "combats")),
        "attacked": (bool(entered.attacked), ("combats",)),
        "ended": (entered.ended, ("combats",)),
    }
    for code, (told, belongs) in phases.items():
        if told and entered.phase not in belongs:
            yield wrong("FI-3", code, phase=entered.phase)


# --- what depends on the whole table (FI-75, FI-77, FI-81, FI-92) ------------------------------------------------


def unsettled_problems(state: State) -> Iterator[Finding]:
    """Sieges that are kept up, titles and estates that somebody can take, a game that somebody has won."""
    for number, siege in enumerate(state.sieges):
        alone = state._replace(turn=siege.player, sieges=state.sieges[:number])
        if siege_site(alone, Siege(siege.village)) is not None:
            yield wrong("FI-77", "siege", (siege.village,), village=siege.village, colour=siege.player)
    if state.captured is not None and not takers(state):
        city, fief = city_of(state, state.captured.fief) or "", title(state, state.captured.fief)
        yield wrong("FI-75", "nobody", (city,), fief=fief, colour=state.captured.player)
    for estate in state.estates:
        if estate.lord in state.lords or not estate.fiefs or len(own(state, estate.player)) < MIN_HEIRS:
            yield wrong("FI-92", "estate", lord=estate.lord, colour=estate.player)
    if state.over and not rule_and_winners(state)[1]:
        yield wrong("FI-81", "nobody")
    if state.over and (state.captured is not None or state.estates):
        yield wrong("FI-3", "pending")
