"""The titles of a lord in an entered position of Fief: fiefs, church, crown, d'Arc's card, and excommunication."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from rules.fief.lords import city_of, is_man
from rules.fief.state import StandingLord
from rules.fief.style import title
from rules.forms import is_unknown
from web.game_pages import Choice, ChoiceGroup, Snapshot
from web.games.fief.icons import icon_of, icon_of_fief
from web.games.fief.pieces import ROMAN
from web.games.fief.unknown_lords import fact_values

if TYPE_CHECKING:
    from web.games.fief.entry import PositionEditor

OFFICES: Final[Mapping[str, tuple[bool, str, tuple[str, ...]]]] = {
    "king": (True, "king", ("king", "regent")),
    "regent": (False, "king", ("king", "regent")),
    "pope": (True, "pope", ("pope",)),
    "arc": (False, "darc", ("arc",)),
}
"""Office of a single lord -> whether it is a man's, its picture, and the offices that the other lords lose then."""


def title_groups(table: PositionEditor, lord: StandingLord) -> Iterator[ChoiceGroup]:
    """All that a lord in play can hold, kind by kind."""
    if fiefs := tuple(_fiefs(table, lord)):
        yield ChoiceGroup(table.say("fiefs"), fiefs)
    if is_man(table.state, lord.name) and not is_unknown(lord.bishop):
        yield ChoiceGroup(table.say("bishop"), tuple(_bishoprics(table, lord)))
    yield ChoiceGroup(table.say("offices"), tuple(_offices(table, lord)))
    if is_man(table.state, lord.name) and not is_unknown(lord.cardinal):
        yield ChoiceGroup(table.say("cardinal"), tuple(_cardinal_origins(table, lord)))


def _fiefs(table: PositionEditor, lord: StandingLord) -> Iterator[Choice]:
    """The fiefs with a city, and those the lord holds: each title belongs to one lord."""
    for number, fief in enumerate(table.land.fiefs):
        titles = () if is_unknown(lord.fiefs) else lord.fiefs
        held = fief in titles
        if city_of(table.state, fief) is None and not held:
            continue
        others = table.other_lords(lord.name, partial(_drop, fief=fief))
        mine = _drop(lord, fief) if held else replace(lord, fiefs=(*titles, fief))
        label = table.words.say("board", "edit_fief", {"fief": title(table.state, fief)})
        yield Choice(label, icon_of_fief(fief, number), table.with_lords((*others, mine)), held)


def _bishoprics(table: PositionEditor, lord: StandingLord) -> Iterator[Choice]:
    """The bishoprics, of which each has one lord."""
    for number in sorted(table.land.bishoprics):
        is_held = number in lord.bishop
        others = table.other_lords(lord.name, partial(_drop_bishopric, number=number))
        numbers = tuple(sorted((*lord.bishop, number)))
        mine = _drop_bishopric(lord, number) if is_held else replace(lord, bishop=numbers)
        yield Choice(ROMAN[number], icon_of("bishop", None), table.with_lords((*others, mine)), is_held)


def _cardinal_origins(table: PositionEditor, lord: StandingLord) -> Iterator[Choice]:
    """The ways in which the lord became a cardinal."""
    for label, origin in fact_values(table, "cardinal"):
        is_held = lord.cardinal == origin
        now = table.with_lord(replace(lord, cardinal=None if is_held else origin))
        yield Choice(label, icon_of("cardinal", None), now, is_held)


def _offices(table: PositionEditor, lord: StandingLord) -> Iterator[Choice]:
    """The offices of a single lord; then crown princes and excommunicated lords, who may be several.

    An office that a man, or a woman, cannot have is offered only to remove it.
    """
    is_lord_man = is_man(table.state, lord.name)
    for code, (for_man, picture, _) in OFFICES.items():
        is_held = getattr(lord, code) is True
        if is_held or for_man == is_lord_man:
            yield Choice(table.say(code), icon_of(picture, lord.player), _with_office(table, lord, code), is_held)
    if is_lord_man or lord.prince:
        yield _crown_prince(table, lord)
    yield from _marks(table, lord)


def _marks(table: PositionEditor, lord: StandingLord) -> Iterator[Choice]:
    """Excommunication, also of this round; a bishop since this round; and the lord named for a murder."""
    is_out, round_of = lord.excommunicated is True, table.position.excommunication
    this_round = table.with_changes(excommunication=None if round_of == lord.name else lord.name)
    without = table.editor_for(table.with_changes(excommunication=None)) if round_of == lord.name else table
    now = without.with_lord(replace(lord, excommunicated=not is_out))
    yield Choice(table.say("excommunicated"), icon_of("excommunicate", None), now, is_out)
    if is_out or round_of == lord.name:
        yield Choice(table.say("excommunication"), icon_of("excommunicate", None), this_round, round_of == lord.name)
    for code, picture, can_be in (
        ("elected", "bishop", bool(lord.bishop)),
        ("marked", "assassin", table.state.readings["assassin_instigator"] == "named"),
    ):
        is_so = getattr(lord, code) is True
        if is_so or can_be:
            yield Choice(
                table.say(code), icon_of(picture, None), table.with_lord(_with_facts(lord, {code: not is_so})), is_so
            )


def _with_office(table: PositionEditor, lord: StandingLord, code: str) -> Snapshot:
    """The snapshot with an office of the lord, or without it. D'Arc's card returns to the game with its office."""
    is_held = getattr(lord, code) is True
    bare = dict.fromkeys(OFFICES[code][2], False)
    others = table.other_lords(lord.name, partial(_with_facts, facts=bare))
    if code == "arc" and not is_held:
        table = table.editor_for(table.with_changes(arc_gone=False))
    return table.with_lords((*others, _with_facts(lord, {**bare, code: not is_held})))


def _crown_prince(table: PositionEditor, lord: StandingLord) -> Choice:
    """A crown prince has a number, in the order in which they were declared."""
    last = max((other.prince or 0 for other in table.position.lords), default=0)
    number = lord.prince or last + 1
    now = table.with_lord(replace(lord, prince=None if lord.prince else number))
    label = table.words.say("board", "edit_prince", {"n": number})
    return Choice(label, icon_of("king", None), now, lord.prince is not None)


def _drop(lord: StandingLord, fief: str) -> StandingLord:
    return replace(lord, fiefs=_all_but(fief, lord.fiefs))


def _drop_bishopric(lord: StandingLord, number: int) -> StandingLord:
    return replace(lord, bishop=_all_but(number, lord.bishop))


def _all_but(title: str | int, titles: Any) -> Any:
    """Titles without one; unknown titles stay unknown."""
    return titles if is_unknown(titles) else tuple(held for held in titles if held != title)


def _with_facts(lord: StandingLord, facts: Mapping[str, Any]) -> StandingLord:
    return replace(lord, **facts)
