"""Enters a position of Fief by taps: who controls and built what, the lords, and what counts for victory.

A tap on a lord's name opens a panel of its own: owner, fiefs, crown, Holy See and marriage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from rules.fief import GAME
from rules.fief.data import COLOURS, Colour, Data, Land, land
from rules.fief.lords import city_of, is_man
from rules.fief.state import PLAYERS, Building, Player, Position, Setup, StandingLord, State, VillageContents
from rules.fief.style import style, title
from rules.fief.unknowns.gaps import doubts, known
from rules.forms import THE_REST, UNKNOWN, is_unknown, rest_is_unknown
from rules.kernel import Cell
from service.i18n.sentences import Words
from web.board.shapes import Shape
from web.game_pages import Choice, ChoiceGroup, Entered
from web.games.fief.geography import village_of
from web.games.fief.icons import icon_of, icon_of_fief, icon_of_flag, icon_of_lord
from web.games.fief.scenery import marks_of
from web.games.fief.unseen import LORD, STRANGERS, everybody, single_facts, stranger, strangers

BUILDINGS: Final[Mapping[str, Building]] = {"castle": "castle", "city": "city"}
CONTROL: Final = "control-"
"""The code of the brush of a controller is this and the colour."""
FEWEST: Final = 4
"""So many play until it is said otherwise."""


def blank() -> Entered:
    """An empty map."""
    return Entered(Setup(_placeholder_players(land(Data()), COLOURS[:FEWEST])), Position())


def unknown(entered: Entered) -> Entered:
    """Villages and lords that were never entered are unknown."""
    return entered.having(rest=THE_REST)


def hide(entered: Entered, cell: Cell) -> Entered | None:
    """A village of which nobody knows whose it is and what is built there."""
    village = village_of(cell, land(entered.setup.data).villages)
    if village is None:
        return None
    left = _without_village(entered, village)
    return left.having(villages={**left.position.villages, village: UNKNOWN})


def known_state(entered: Entered) -> State:
    """The state of what is known."""
    return GAME.enter(entered.setup, known(entered.setup, entered.position))


def _without_village(entered: Entered, village: str) -> Entered:
    """What is entered, with nothing told of a village."""
    position: Position = entered.position
    control = {colour: tuple(v for v in held if v != village) for colour, held in position.control.items()}
    return entered.having(
        control={colour: held for colour, held in control.items() if held},
        castles=tuple(each for each in position.castles if each != village),
        cities=tuple(each for each in position.cities if each != village),
        villages={each: told for each, told in position.villages.items() if each != village},
    )


def _placeholder_players(board: Land, colours: Iterable[Colour]) -> tuple[Player, ...]:
    """Players, each with some lord and village at the start, of which the score asks nothing."""
    seats = zip(colours, (*board.men, *board.women), board.villages, strict=False)
    return tuple(Player(colour, lord, village) for colour, lord, village in seats)


def choices(entered: Entered, cell: Cell | None, said: Words) -> Sequence[ChoiceGroup]:
    """What can be made of a village or a lord; beside the board, who plays, and the lords in play."""
    table = PositionEditor(entered, known_state(entered), said)
    state = table.state
    if cell is None:
        return table.beside()
    if village := village_of(cell, table.land.villages):
        return table.village(village)
    if cell == STRANGERS:
        return everybody(table)
    number = str(cell).removeprefix(LORD)
    names = (*state.land.men, *state.land.women)
    name = names[int(number)] if number.isdecimal() and int(number) < len(names) else None
    return table.lord(name) if name and str(cell).startswith(LORD) else ()


class PositionEditor:
    """What lies on the table, and what a tap can make of it."""

    def __init__(self, entered: Entered, state: State, said: Words) -> None:
        self.entered, self.state, self.said = entered, state, said
        self.position: Position = entered.position
        self.land: Land = land(entered.setup.data)
        self.unknown = frozenset(doubts(entered.setup, entered.position))

    def say(self, code: str) -> str:
        """A title or a label."""
        return self.said.say("board", f"edit_{code}")

    # --- beside the board

    def beside(self) -> Sequence[ChoiceGroup]:
        """Who plays, and the lords in play."""
        found = [ChoiceGroup(self.say("players"), tuple(self.players()))]
        in_play = [self.at(name) for name in self.in_play()]
        if strangers(self):
            in_play.append(Choice(self.say("others"), icon_of("stock_lords", None), self.entered, at=STRANGERS))
        if in_play:
            found.append(ChoiceGroup(self.say("lords"), tuple(in_play)))
        return found

    def players(self) -> Iterator[Choice]:
        """Every colour, to come or to go; one that has something on the table, or without which too few play, stays."""
        playing = [player.colour for player in self.entered.setup.players]
        there = {*self.state.control.values(), *(lord.player for lord in self.state.lords.values())}
        for colour in COLOURS:
            now = [c for c in COLOURS if (c in playing) != (c == colour)]
            seated = _placeholder_players(self.land, now)
            if colour in there or len(seated) < len(now) or len(now) not in PLAYERS:
                seated = self.entered.setup.players
            entered = replace(self.entered, setup=replace(self.entered.setup, players=seated))
            yield Choice(self.said.player(colour), icon_of_flag(colour), entered, colour in playing)

    def in_play(self) -> list[str]:
        """The lords in play, player by player; then those of colours that nobody plays."""
        order, place = self.land.order, {colour: number for number, colour in enumerate(self.state.colours)}
        return sorted(
            self.state.lords, key=lambda name: (place.get(self.state.lords[name].player, len(place)), order[name])
        )

    def at(self, name: str) -> Choice:
        """The way to a lord."""
        return Choice(self.called(name), self.icon(name), self.entered, at=self.key(name))

    def key(self, name: str) -> str:
        """The place of a lord."""
        return f"{LORD}{self.land.order[name]}"

    def called(self, name: str) -> str:
        """A lord with all titles."""
        return str(self.said.put(style(self.state, name)))

    def icon(self, name: str, player: Colour | None = None) -> tuple[Shape, ...]:
        """A lord, in the colour of the player if in play."""
        player = self.state.lords[name].player if name in self.state.lords else player
        return icon_of_lord(player, name, marks_of(self.state, name), named=False)

    # --- a village

    def village(self, village: str) -> Sequence[ChoiceGroup]:
        """Its controller, what is built there, and the lords there and to come."""
        here = [name for name in self.in_play() if self.state.lords[name].place == village]
        found = [
            ChoiceGroup(self.say("controller"), tuple(self.controllers(village))),
            ChoiceGroup(self.say("building"), tuple(self.buildings(village))),
        ]
        if here:
            found.append(ChoiceGroup(self.say("here"), tuple(map(self.at, here))))
        found.append(ChoiceGroup(self.say("comes"), tuple(self.coming(village, here)), seldom=bool(here)))
        away = Choice("", (), self.cleared(village, here))
        return (*found, ChoiceGroup("", (away,))) if here or self.changed(village) else found

    def controllers(self, village: str) -> Iterator[Choice]:
        """Every player, and nobody."""
        now, told = self.state.control.get(village), not self.open("control", village)
        for colour in self.state.colours:
            held, flag = self.controlled(village, colour), icon_of_flag(colour)
            yield Choice(self.said.player(colour), flag, held, colour == now, brush=f"{CONTROL}{colour}")
        nobody = told and now is None
        yield Choice(self.say("nobody"), icon_of("stock_villages", None), self.controlled(village, None), nobody)

    def controlled(self, village: str, colour: Colour | None) -> Entered:
        """What is entered, with another controller of a village, or none."""
        return self.told(village, colour, self.state.buildings.get(village))

    def open(self, code: str, village: str) -> bool:
        """Whether it is unknown who controls a village, or what is built there."""
        return f"{code} {village}" in self.unknown

    def told(self, village: str, controller: Colour | None, building: Building | None) -> Entered:
        """What is entered, with a village so; where the rest is unknown, it is said of a free one, too."""
        left = _without_village(self.entered, village)
        position: Position = left.position
        if rest_is_unknown(position):
            return left.having(villages={**position.villages, village: VillageContents(controller, building)})
        order = self.land.order.__getitem__
        changes: dict[str, Any] = {}
        if controller is not None:
            held = sorted((*position.control.get(controller, ()), village), key=order)
            changes["control"] = {**position.control, controller: tuple(held)}
        if building is not None:
            kind = "castles" if building == "castle" else "cities"
            changes[kind] = tuple(sorted((*getattr(position, kind), village), key=order))
        return left.having(**changes)

    def buildings(self, village: str) -> Iterator[Choice]:
        """Nothing, a castle or a city."""
        for kind, icon in (("village", "stock_villages"), ("castle", "buy_castle"), ("city", "city")):
            now = "" if self.open("building", village) else self.state.buildings.get(village, "village")
            brush = kind if kind in BUILDINGS else ""
            yield Choice(self.say(kind), icon_of(icon, None), self.built(village, kind), kind == now, brush=brush)

    def built(self, village: str, kind: str) -> Entered:
        """What is entered, with something else built in a village."""
        building: Building | None = BUILDINGS.get(kind)
        return self.told(village, self.state.control.get(village), building)

    def coming(self, village: str, here: Sequence[str]) -> Iterator[Choice]:
        """Every lord who is not there: in play elsewhere, or of the controller or the first player."""
        player = self.state.control.get(village) or self.state.colours[0]
        for name in (*self.land.men, *self.land.women):
            if name not in here:
                lord = self.standing(name) or StandingLord(name, player, village)
                yield Choice(
                    name, self.icon(name, player), self.with_lord(replace(lord, place=village)), at=self.key(name)
                )

    def changed(self, village: str) -> bool:
        """Whether anybody or anything is in a village, or may be."""
        somewhat = village in self.state.control or village in self.state.buildings
        return somewhat or self.open("control", village) or self.open("building", village)

    def cleared(self, village: str, here: Sequence[str]) -> Entered:
        """What is entered, with nothing in a village."""
        table = self
        for name in here:
            table = table.after(table.without(name))
        return table.told(village, None, None)

    # --- a lord

    def lord(self, name: str) -> Sequence[ChoiceGroup]:
        """Whose, which fiefs, the crown and the Holy See, and the marriage; of one who stands nowhere, whether so."""
        lord = self.standing(name)
        if lord is None:
            return stranger(self, name) if rest_is_unknown(self.position) else ()
        whose = (
            Choice(self.said.player(c), icon_of_flag(c), self.with_lord(replace(lord, player=c)), c == lord.player)
            for c in self.state.colours
        )
        found = [
            ChoiceGroup(self.called(name), tuple(whose)),
            ChoiceGroup(self.say("fiefs"), tuple(self.fiefs(lord))),
            ChoiceGroup(self.say("offices"), tuple(self.offices(lord))),
        ]
        if married := tuple(self.spouses(lord)):
            found.append(ChoiceGroup(self.say("married"), married, seldom=lord.spouse is None))
        return (*found, *single_facts(self, lord), ChoiceGroup("", (Choice("", (), self.without(name), at=None),)))

    def fiefs(self, lord: StandingLord) -> Iterator[Choice]:
        """The fiefs with a city, and those held: each a title that one lord has."""
        fiefs = list(self.land.fiefs)
        for number, fief in enumerate(fiefs):
            titles = () if is_unknown(lord.fiefs) else lord.fiefs
            held = fief in titles
            if city_of(self.state, fief) is None and not held:
                continue
            others = self.lords_but(lord.name, partial(_drop, fief=fief))
            mine = _drop(lord, fief) if held else replace(lord, fiefs=(*titles, fief))
            label = self.said.say("board", "edit_fief", {"fief": title(self.state, fief)})
            yield Choice(label, icon_of_fief(fief, number), self.with_lords((*others, mine)), held)

    def offices(self, lord: StandingLord) -> Iterator[Choice]:
        """The crown and the Holy See, which one lord has each."""
        king = self.lords_but(lord.name, lambda other: replace(other, king=False))
        pope = self.lords_but(lord.name, lambda other: replace(other, pope=False))
        is_king, is_pope = (not is_unknown(told) and told for told in (lord.king, lord.pope))
        crowned, elected = replace(lord, king=not is_king), replace(lord, pope=not is_pope)
        yield Choice(self.say("king"), icon_of("king", None), self.with_lords((*king, crowned)), is_king)
        yield Choice(self.say("pope"), icon_of("pope", None), self.with_lords((*pope, elected)), is_pope)

    def spouses(self, lord: StandingLord) -> Iterator[Choice]:
        """Nobody, or a lord of another player, a man for a woman."""
        for other in self.position.lords:
            fits = is_man(self.state, other.name) != is_man(self.state, lord.name) and other.player != lord.player
            if fits or other.name == lord.spouse:
                chosen = other.name == lord.spouse
                yield Choice(
                    self.called(other.name),
                    self.icon(other.name),
                    self.wed(lord.name, None if chosen else other.name),
                    chosen,
                )

    def wed(self, name: str, spouse: str | None) -> Entered:
        """What is entered, with a lord married to another one, or to nobody; whoever was married to them is free."""
        pair = {name: spouse, spouse: name} if spouse else {name: None}

        def now(lord: StandingLord) -> StandingLord:
            if lord.name in pair:
                return replace(lord, spouse=pair[lord.name])
            return replace(lord, spouse=None) if lord.spouse in pair else lord

        return self.with_lords(map(now, self.position.lords))

    # --- the entered with something else

    def standing(self, name: str) -> StandingLord | None:
        """A lord in play."""
        return next((lord for lord in self.position.lords if lord.name == name), None)

    def lords_but(self, name: str, change: Callable[[StandingLord], StandingLord]) -> list[StandingLord]:
        """All other lords, changed."""
        return [change(lord) for lord in self.position.lords if lord.name != name]

    def with_lord(self, lord: StandingLord) -> Entered:
        """What is entered, with a lord as given; in play, a lord is neither dead nor absent."""
        dead = tuple(name for name in self.position.dead if name != lord.name)
        absent = tuple(name for name in self.position.absent if name != lord.name)
        now = self.after(self.with_(dead=dead, absent=absent))
        return now.with_lords((*self.lords_but(lord.name, _same), lord))

    def without(self, name: str) -> Entered:
        """What is entered, without a lord, whose spouse is free."""
        widowed = self.lords_but(name, lambda other: replace(other, spouse=None) if other.spouse == name else other)
        return self.with_lords(widowed)

    def with_lords(self, lords: Iterable[StandingLord]) -> Entered:
        """What is entered, with these lords."""
        return self.with_(lords=tuple(sorted(lords, key=lambda lord: self.land.order[lord.name])))

    def with_(self, **changes: Any) -> Entered:
        """What is entered, with something else in the position."""
        return self.entered.having(**changes)

    def after(self, entered: Entered) -> PositionEditor:
        """The table of another entered."""
        return PositionEditor(entered, known_state(entered), self.said)


def _same(lord: StandingLord) -> StandingLord:
    return lord


def _drop(lord: StandingLord, fief: str) -> StandingLord:
    if is_unknown(lord.fiefs):
        return lord
    return replace(lord, fiefs=tuple(held for held in lord.fiefs if held != fief))
