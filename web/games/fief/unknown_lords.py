"""Unknown facts about Fief's lords: whether a lord who was not entered is in play, and each single fact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from rules.fief.lords import city_of
from rules.fief.state import Position, StandingLord, State
from rules.fief.style import title
from rules.fief.unknowns.gaps import OF_A_LORD, Doubt, unseen_lords
from rules.kernel import Cell
from web.game_pages import Choice, ChoiceGroup
from web.games.fief.icons import icon_of, icon_of_flag

if TYPE_CHECKING:
    from web.games.fief.entry import PositionEditor

LORD: Final = "lord-"
"""The key of a lord's place is this and the lord's number in the data, …"""
STRANGERS: Final = f"{LORD}others"
"""… and this for all lords who were not entered."""
PICTURES: Final = {"bishop": "bishop", "cardinal": "cardinal", "pope": "pope", "king": "king", "regent": "king"}
"""Fact -> the kind of move with its picture."""
ORIGINS: Final = ("card", "title")


def place(state: State, unknown: Cell) -> str | None:
    """The key of the place to enter an unknown fact: of its lord, or of all lords who were not entered."""
    fact = Doubt(unknown)
    if fact == "lords":
        return STRANGERS
    if fact.code in ("lord", *OF_A_LORD) and state.land.is_lord(fact.name):
        return f"{LORD}{state.land.order[fact.name]}"
    return None


# --- lords who were not entered ----------------------------------------------------------------------------------


def unentered_lords(table: PositionEditor) -> list[str]:
    """The lords who were not entered, in the order of the data."""
    return sorted(unseen_lords(table.land, table.position), key=table.land.order.__getitem__)


def unentered_lord_choices(table: PositionEditor) -> Sequence[ChoiceGroup]:
    """Links to each lord who was not entered, and the choice that none of them is in play."""
    names, position = unentered_lords(table), table.position
    all_absent = table.with_changes(absent=(*position.absent, *names))
    nobody = Choice(table.say("no_others"), icon_of("stock_lords", None), all_absent, not names)
    return (ChoiceGroup(table.say("strangers"), (nobody, *map(table.lord_choice, names))),)


def whereabouts_choices(table: PositionEditor, name: str) -> Sequence[ChoiceGroup]:
    """The choices for a lord without a village: whether in play, and where."""
    villages = table.land.villages
    whose = {village: table.state.control.get(village) or table.state.colours[0] for village in villages}
    there = (StandingLord(name, whose[village], village) for village in villages)
    return (
        ChoiceGroup(name, tuple(_absence_choices(table, name))),
        ChoiceGroup(table.say("where"), tuple(_place_choices(table, there))),
    )


def _absence_choices(table: PositionEditor, name: str) -> Iterator[Choice]:
    """Not in play, dead, or unknown."""
    position: Position = table.position
    left: dict[str, tuple[str, ...]] = {
        code: tuple(each for each in getattr(position, code) if each != name) for code in ("absent", "dead")
    }
    for code, icon in (("absent", "stock_lords"), ("dead", "assassin")):
        now = table.with_changes(**{**left, code: (*left[code], name)})
        yield Choice(table.say(code), icon_of(icon, None), now, name in getattr(position, code))
    unknown = name not in (*position.absent, *position.dead)
    yield Choice(table.say("unknown"), (), table.with_changes(**left), unknown, is_unknown=True)


def _place_choices(table: PositionEditor, lords: Iterable[StandingLord]) -> Iterator[Choice]:
    """A lord in each of some villages."""
    for lord in lords:
        yield Choice(lord.place, icon_of_flag(lord.player), table.with_lord(lord), at=table.lord_key(lord.name))


# --- unknown facts of a lord in play -----------------------------------------------------------------------------


def single_facts(table: PositionEditor, lord: StandingLord) -> Iterator[ChoiceGroup]:
    """Each unknown fact of a lord, with its possible values."""
    for code in OF_A_LORD:
        if code == "player" or f"{code} {lord.name}" not in table.unknown:
            continue
        heading = table.words.unknown_text(f"{code} {lord.name}")
        if code == "place":
            places = (replace(lord, place=village) for village in table.land.villages)
            yield ChoiceGroup(heading, tuple(_place_choices(table, places)))
        elif code == "spouse":
            alone = Choice(table.say("nobody"), icon_of("stock_lords", None), table.with_marriage(lord.name, None))
            yield ChoiceGroup(heading, (alone, *table.spouses(lord)))
        else:
            yield ChoiceGroup(heading, tuple(_fact_choices(table, lord, code)))


def _fact_choices(table: PositionEditor, lord: StandingLord, code: str) -> Iterator[Choice]:
    """The choices that a fact is false, or has each of its values."""
    picture, blank = icon_of(PICTURES.get(code, "lord"), None), StandingLord(lord.name, lord.player, lord.place)
    no = table.words.say("board", "no")
    yield Choice(no, icon_of("stock_lords", None), table.with_lord(replace(lord, **{code: getattr(blank, code)})))
    for label, value in fact_values(table, code):
        yield Choice(label, picture, table.with_lord(replace(lord, **{code: value})))


def fact_values(table: PositionEditor, code: str) -> Iterator[tuple[str, Any]]:
    """The possible values of a lord's fact, each with its words."""
    state = table.state
    if code == "fiefs":
        yield from ((title(state, fief), (fief,)) for fief in table.land.fiefs if city_of(state, fief) is not None)
    elif code == "bishop":
        bishoprics = sorted(table.land.bishoprics)
        yield from ((table.words.say("board", "see", {"number": n}), (n,)) for n in bishoprics)
    elif code == "cardinal":
        yield from ((table.say(f"by_{origin}"), origin) for origin in ORIGINS)
    else:
        yield table.words.say("board", "yes"), True
