"""Fief: everything in an entered position that is impossible on a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from rules.defaults import position_problem
from rules.fief.combats.conquest import takers
from rules.fief.combats.sieges import siege_site
from rules.fief.data import Land, land
from rules.fief.lords import city_of, lords_of
from rules.fief.moves import Siege
from rules.fief.position import enter, merge_villages
from rules.fief.state import (
    CARDINAL_CARDS,
    CASTLES,
    CITIES,
    IN_TURN,
    Gaps,
    KnownPosition,
    Position,
    Setup,
    State,
)
from rules.fief.style import name_of_fief, title
from rules.fief.victory import rule_and_winners
from rules.kernel import Finding

MIN_HEIRS = 2
DECIDE_WINNERS = frozenset({"fiefs", "king", "pope", "spouse", "player"})
"""The facts of lords that decide who has won."""
NO_GAPS = Gaps()


def problems(form: Setup, position: Position) -> tuple[Finding, ...]:
    """The faults: unknown names, duplicates, too many pieces, and moments that never occur. If facts are unknown, only
    those that they do not mend.
    """
    board, single_villages = land(form.data), position.villages
    gaps = position.gaps if isinstance(position, KnownPosition) else NO_GAPS
    position = merge_villages(position)
    strangers, unknown = tuple(_strangers(form, position)), tuple(_unknown_names(board, position, single_villages))
    return (
        *strangers,
        *unknown,
        *_twice(position),
        *_pieces(board, position),
        *_offices(board, position, gaps),
        *_unique(position),
        *_marriages(position),
        *_moment(position),
        *(() if strangers or unknown else unsettled_problems(enter(form, position), gaps)),
    )


# --- names (FI-1) ------------------------------------------------------------------------------------------------


def _strangers(form: Setup, position: Position) -> Iterator[Finding]:
    """Faults: colours that nobody plays."""
    playing = {player.colour for player in form.players}
    colours = [*position.control, *position.murders, *position.income, *position.spent]
    colours += [lord.player for lord in position.lords]
    colours += [arrival.player for arrival in position.arrivals]
    colours += [army.player for army in position.armies]
    colours += [siege.player for siege in position.sieges]
    colours += [estate.player for estate in position.estates]
    colours += [colour for colour in (position.first, position.turn) if colour is not None]
    if position.captured is not None:
        colours.append(position.captured.player)
    for colour in dict.fromkeys(colours):
        if colour not in playing:
            lords = [lord.name for lord in position.lords if lord.player == colour]
            yield position_problem("FI-1", "stranger", (*position.control.get(colour, ()), *lords), colour=colour)


def _unknown_names(board: Land, position: Position, villages: Iterable[str]) -> Iterator[Finding]:
    """Faults: lords, villages and fiefs that are not in the data."""
    for name in dict.fromkeys(_named_lords(position)):
        if not board.is_lord(name):
            yield position_problem("FI-1", "no_lord", lord=name)
    for village in dict.fromkeys([*_named_villages(position), *villages]):
        if village not in board.fief_of:
            yield position_problem("FI-1", "no_village", village=village)
    fiefs = [fief for lord in position.lords for fief in lord.fiefs]
    fiefs += [fief for estate in position.estates for fief in estate.fiefs]
    fiefs += [fief for rank in position.ranks.values() for fief in rank.fiefs or ()]
    fiefs += [position.captured.fief] if position.captured else []
    for fief in dict.fromkeys(fiefs):
        if fief not in board.fiefs:
            yield position_problem("FI-1", "no_fief", fief=fief)


def _named_lords(position: Position) -> Iterator[str]:
    for lord in position.lords:
        yield lord.name
        if lord.spouse is not None:
            yield lord.spouse
    yield from (*position.dead, *position.absent, *position.moved, *position.ranks)
    yield from (estate.lord for estate in position.estates)
    for army in position.armies:
        yield from (army.lord, *([army.heir] if army.heir else []))
    if position.excommunication is not None:
        yield position.excommunication


def _named_villages(position: Position) -> Iterator[str]:
    for villages in position.control.values():
        yield from villages
    yield from (*position.castles, *position.cities, *position.attacked)
    yield from (lord.place for lord in position.lords)
    yield from (army.place for army in position.armies)
    yield from (siege.village for siege in position.sieges)
    for arrival in position.arrivals:
        yield from (arrival.village, arrival.road)


def _several(names: Iterable[str]) -> list[str]:
    return [name for name, number in Counter(names).items() if number > 1]


def _twice(position: Position) -> Iterator[Finding]:
    """Faults: lords entered twice, villages with two controllers, and facts of lords who are not in play."""
    for name in _several([*(lord.name for lord in position.lords), *{*position.dead, *position.absent}]):
        yield position_problem("FI-1", "lord_twice", (name,), lord=name)
    for village in _several(village for villages in position.control.values() for village in villages):
        yield position_problem("FI-1", "village_twice", (village,), village=village)
    living = {lord.name for lord in position.lords}
    for name in (*position.moved, *position.ranks, *(army.heir for army in position.armies if army.heir)):
        if name not in living:
            yield position_problem("FI-1", "not_in_play", lord=name)


# --- castles, cities, titles (FI-51 to FI-54, FI-20, FI-30, FI-40) -----------------------------------------------


def _pieces(board: Land, position: Position) -> Iterator[Finding]:
    """Castles and cities: no more than there are tiles, one per village, one city per fief."""
    if len(set(position.castles)) > CASTLES:
        yield position_problem("FI-51", "castles", position.castles, n=len(set(position.castles)), most=CASTLES)
    if len(set(position.cities)) > CITIES:
        yield position_problem("FI-52", "cities", position.cities, n=len(set(position.cities)), most=CITIES)
    for village in _several([*set(position.castles), *set(position.cities)]):
        yield position_problem("FI-52", "built_twice", (village,), village=village)
    for fief in _several(board.fief_of[village] for village in set(position.cities) if village in board.fief_of):
        cities = [village for village in board.fiefs[fief] if village in position.cities]
        yield position_problem("FI-52", "two_cities", cities, fief=name_of_fief(board, _buildings(position), fief))


def _buildings(position: Position) -> dict[str, str]:
    return {**dict.fromkeys(position.castles, "castle"), **dict.fromkeys(position.cities, "city")}


def _offices(board: Land, position: Position, gaps: Gaps) -> Iterator[Finding]:
    """Fiefs with their city and one lord; one bishop per bishopric."""
    lords = position.lords
    held = [fief for lord in lords for fief in lord.fiefs] + [fief for each in position.estates for fief in each.fiefs]
    held += [position.captured.fief] if position.captured else []
    for fief in _several(held):
        holders = [lord.name for lord in lords if fief in lord.fiefs]
        yield position_problem("FI-52", "two_lords", holders, fief=name_of_fief(board, _buildings(position), fief))
    for fief in dict.fromkeys(held):
        villages = board.fiefs.get(fief, ())
        if villages and not any(each in position.cities or f"building {each}" in gaps.facts for each in villages):
            holders = [lord.name for lord in lords if fief in lord.fiefs]
            yield position_problem("FI-52", "no_city", holders, fief=name_of_fief(board, _buildings(position), fief))
    then = {name: rank.fiefs for name, rank in position.ranks.items() if rank.fiefs}
    for fief in _several(each for fiefs in then.values() for each in fiefs):
        holders = [name for name, fiefs in then.items() if fief in fiefs]
        yield position_problem("FI-52", "two_lords", holders, fief=name_of_fief(board, _buildings(position), fief))
    sees = Counter(number for lord in lords for number in lord.bishop)
    for number, bishops in sorted(sees.items()):
        if bishops > 1 or number not in board.bishoprics:
            yield position_problem("FI-20", "bishops", [lord.name for lord in lords if number in lord.bishop], n=number)


def _unique(position: Position) -> Iterator[Finding]:
    """One pope, one king or regent, few cardinals."""
    lords = position.lords
    groups = {
        ("FI-30", "popes", 1): [lord.name for lord in lords if lord.pope],
        ("FI-40", "kings", 1): [lord.name for lord in lords if lord.king or lord.regent],
        ("FI-53", "cardinals", 1): [lord.name for lord in lords if lord.cardinal == "title"],
        ("FI-54", "cardinals", CARDINAL_CARDS): [lord.name for lord in lords if lord.cardinal == "card"],
        ("FI-54", "arcs", 0 if position.arc_gone else 1): [lord.name for lord in lords if lord.arc],
    }
    for (rule, code, most), names in groups.items():
        if len(names) > most:
            yield position_problem(rule, code, names, n=len(names), most=most)
    numbers = [lord.prince for lord in lords if lord.prince is not None]
    if len(set(numbers)) < len(numbers):
        yield position_problem("FI-94", "princes", [lord.name for lord in lords if lord.prince is not None])


def _marriages(position: Position) -> Iterator[Finding]:
    """`FI-10`: spouses name each other."""
    spouses = {lord.name: lord.spouse for lord in position.lords}
    for name, spouse in spouses.items():
        if spouse is not None and (spouse == name or spouses.get(spouse) != name):
            yield position_problem("FI-10", "spouse", (name,), lord=name, spouse=spouse)


# --- the moment (FI-3) -------------------------------------------------------------------------------------------


def _moment(position: Position) -> Iterator[Finding]:
    """`FI-3`: what players have to remember belongs to its phase."""
    phases = {
        "turn": (position.turn is not None, IN_TURN),
        "held": (position.held > 0, ("bishops", "pope", "king")),
        "held_once": (position.held > 1, ("bishops",)),
        "income": (bool(position.income or position.spent), ("purchases",)),
        "moved": (bool(position.moved or position.arrivals), ("movements",)),
        "ranks": (bool(position.ranks or position.armies), ("movements", "combats")),
        "attacked": (bool(position.attacked), ("combats",)),
        "ended": (position.ended, ("combats",)),
    }
    for code, (is_given, belongs) in phases.items():
        if is_given and position.phase not in belongs:
            yield position_problem("FI-3", code, phase=position.phase)


# --- what depends on the whole table (FI-75, FI-77, FI-81, FI-92) ------------------------------------------------


def unsettled_problems(state: State, gaps: Gaps = NO_GAPS) -> Iterator[Finding]:
    """Sieges that cannot last, titles and estates that nobody can take, an ended game that nobody has won."""
    unknown = {fact.partition(" ")[0] for fact in gaps.facts}
    for number, siege in enumerate(state.sieges):
        alone = state._replace(turn=siege.player, sieges=state.sieges[:number])
        objection = siege_site(alone, Siege(siege.village))
        if objection is not None and not _may_be_lifted(objection.code, siege.village, gaps):
            yield position_problem("FI-77", "siege", (siege.village,), village=siege.village, colour=siege.player)
    if state.captured is not None and not takers(state) and not _may_be_taken(state, state.captured.fief, gaps):
        city, fief = city_of(state, state.captured.fief) or "", title(state, state.captured.fief)
        yield position_problem("FI-75", "nobody", (city,), fief=fief, colour=state.captured.player)
    for estate in state.estates:
        few = len(lords_of(state, estate.player)) < MIN_HEIRS and not gaps.villages and "player" not in unknown
        if estate.lord in state.lords or not estate.fiefs or few:
            yield position_problem("FI-92", "estate", lord=estate.lord, colour=estate.player)
    if state.over and not rule_and_winners(state)[1] and not gaps.villages and unknown.isdisjoint(DECIDE_WINNERS):
        yield position_problem("FI-81", "nobody")
    if state.over and (state.captured is not None or state.estates):
        yield position_problem("FI-3", "pending")


def _may_be_lifted(objection: str, village: str, gaps: Gaps) -> bool:
    """Whether what is unknown may lift an objection to a siege."""
    mended_by = {"no_stronghold": f"building {village}", "not_foreign": f"control {village}"}
    return mended_by.get(objection) in gaps.facts or (objection == "no_lord" and _may_stand_at(village, gaps))


def _may_be_taken(state: State, fief: str, gaps: Gaps) -> bool:
    """Whether a captured title may have somebody to take it, in a city that may be unknown."""
    return any(f"building {each}" in gaps.facts or _may_stand_at(each, gaps) for each in state.land.fiefs[fief])


def _may_stand_at(village: str, gaps: Gaps) -> bool:
    """Whether further lords may stand at a village: some who were not entered, or whose player or place is unknown."""
    return village in gaps.villages or any(fact.startswith(("player ", "place ")) for fact in gaps.facts)
