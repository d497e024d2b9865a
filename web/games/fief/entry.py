"""Enters a position of Fief by taps: controllers and buildings, the lords, and the facts that count for victory.

A tap on a lord's name opens a panel of its own: owner, fiefs, crown, Holy See and marriage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from rules.fief import GAME
from rules.fief.data import COLOURS, Colour, Data, Land, land
from rules.fief.lords import is_man
from rules.fief.state import PLAYERS, Building, Player, Position, Setup, StandingLord, State, VillageContents
from rules.fief.style import style
from rules.fief.unknowns.gaps import doubts, known_part
from rules.forms import THE_REST, UNKNOWN, rest_is_unknown
from rules.kernel import Cell
from service.i18n.sentences import Words
from web.board.shapes import Shape
from web.game_pages import Choice, ChoiceGroup, Snapshot
from web.games.fief.geography import village_of
from web.games.fief.icons import icon_of, icon_of_flag, icon_of_lord
from web.games.fief.lord_titles import title_groups
from web.games.fief.scenery import marks_of
from web.games.fief.unknown_lords import (
    LORD,
    STRANGERS,
    single_facts,
    unentered_lord_choices,
    unentered_lords,
    whereabouts_choices,
)

BUILDINGS: Final[Mapping[str, Building]] = {"castle": "castle", "city": "city"}
CONTROL: Final = "control-"
"""The code of the brush of a controller is this and the colour."""
FEWEST: Final = 4
"""The number of players by default."""


def blank() -> Snapshot:
    """An empty map."""
    return Snapshot(Setup(_placeholder_players(land(Data()), COLOURS[:FEWEST])), Position())


def mark_unknown(snapshot: Snapshot) -> Snapshot:
    """Villages and lords that were never entered are unknown."""
    return snapshot.with_changes(rest=THE_REST)


def hide(snapshot: Snapshot, cell: Cell) -> Snapshot | None:
    """The snapshot with an unknown controller and building of a village."""
    village = village_of(cell, land(snapshot.setup.data).villages)
    if village is None:
        return None
    left = _without_village(snapshot, village)
    return left.with_changes(villages={**left.position.villages, village: UNKNOWN})


def known_state(snapshot: Snapshot) -> State:
    """The state of the known part."""
    return GAME.enter(snapshot.setup, known_part(snapshot.setup, snapshot.position))


def _without_village(snapshot: Snapshot, village: str) -> Snapshot:
    """The snapshot without any entry for a village."""
    position: Position = snapshot.position
    control = {colour: tuple(v for v in held if v != village) for colour, held in position.control.items()}
    return snapshot.with_changes(
        control={colour: held for colour, held in control.items() if held},
        castles=tuple(each for each in position.castles if each != village),
        cities=tuple(each for each in position.cities if each != village),
        villages={each: contents for each, contents in position.villages.items() if each != village},
    )


def _placeholder_players(board: Land, colours: Iterable[Colour]) -> tuple[Player, ...]:
    """Players with any lord and village at the start, which the score does not use."""
    seats = zip(colours, (*board.men, *board.women), board.villages, strict=False)
    return tuple(Player(colour, lord, village) for colour, lord, village in seats)


def choices(snapshot: Snapshot, cell: Cell | None, words: Words) -> Sequence[ChoiceGroup]:
    """The choices for a village or a lord; beside the board, the players, and the lords in play."""
    table = PositionEditor(snapshot, known_state(snapshot), words)
    state = table.state
    if cell is None:
        return table.beside()
    if village := village_of(cell, table.land.villages):
        return table.village(village)
    if cell == STRANGERS:
        return unentered_lord_choices(table)
    number = str(cell).removeprefix(LORD)
    names = (*state.land.men, *state.land.women)
    name = names[int(number)] if number.isdecimal() and int(number) < len(names) else None
    return table.lord(name) if name and str(cell).startswith(LORD) else ()


class PositionEditor:
    """An entered position, and the choices for it."""

    def __init__(self, snapshot: Snapshot, state: State, words: Words) -> None:
        self.snapshot, self.state, self.words = snapshot, state, words
        self.position: Position = snapshot.position
        self.land: Land = land(snapshot.setup.data)
        self.unknown = frozenset(doubts(snapshot.setup, snapshot.position))

    def say(self, code: str) -> str:
        """A title or a label."""
        return self.words.say("board", f"edit_{code}")

    # --- beside the board

    def beside(self) -> Sequence[ChoiceGroup]:
        """The players, and the lords in play."""
        found = [ChoiceGroup(self.say("players"), tuple(self.players()))]
        in_play = [self.lord_choice(name) for name in self.in_play()]
        if unentered_lords(self):
            in_play.append(Choice(self.say("others"), icon_of("stock_lords", None), self.snapshot, at=STRANGERS))
        if in_play:
            found.append(ChoiceGroup(self.say("lords"), tuple(in_play)))
        return found

    def players(self) -> Iterator[Choice]:
        """Every colour, to add or to remove. A colour with pieces on the table, or that the game needs, cannot go."""
        playing = [player.colour for player in self.snapshot.setup.players]
        there = {*self.state.control.values(), *(lord.player for lord in self.state.lords.values())}
        for colour in COLOURS:
            now = [c for c in COLOURS if (c in playing) != (c == colour)]
            seated = _placeholder_players(self.land, now)
            if colour in there or len(seated) < len(now) or len(now) not in PLAYERS:
                seated = self.snapshot.setup.players
            snapshot = replace(self.snapshot, setup=replace(self.snapshot.setup, players=seated))
            yield Choice(self.words.player(colour), icon_of_flag(colour), snapshot, colour in playing)

    def in_play(self) -> list[str]:
        """The lords in play, player by player; then those of unused colours."""
        order, place = self.land.order, {colour: number for number, colour in enumerate(self.state.colours)}
        return sorted(
            self.state.lords, key=lambda name: (place.get(self.state.lords[name].player, len(place)), order[name])
        )

    def lord_choice(self, name: str) -> Choice:
        """The link to a lord."""
        return Choice(self.full_name(name), self.icon(name), self.snapshot, at=self.lord_key(name))

    def lord_key(self, name: str) -> str:
        """The key of a lord's place."""
        return f"{LORD}{self.land.order[name]}"

    def full_name(self, name: str) -> str:
        """A lord with all titles."""
        return str(self.words.render_value(style(self.state, name)))

    def icon(self, name: str, player: Colour | None = None) -> tuple[Shape, ...]:
        """A lord, in the colour of the player if in play."""
        player = self.state.lords[name].player if name in self.state.lords else player
        return icon_of_lord(player, name, marks_of(self.state, name), with_name=False)

    # --- a village

    def village(self, village: str) -> Sequence[ChoiceGroup]:
        """The choices for a village: its controller, its building, the lords there, and other lords to put there."""
        here = [name for name in self.in_play() if self.state.lords[name].place == village]
        found = [
            ChoiceGroup(self.say("controller"), tuple(self.controllers(village))),
            ChoiceGroup(self.say("building"), tuple(self.buildings(village))),
        ]
        if here:
            found.append(ChoiceGroup(self.say("here"), tuple(map(self.lord_choice, here))))
        found.append(ChoiceGroup(self.say("comes"), tuple(self.newcomers(village, here)), seldom=bool(here)))
        away = Choice("", (), self.without_contents(village, here))
        return (*found, ChoiceGroup("", (away,))) if here or self.has_contents(village) else found

    def controllers(self, village: str) -> Iterator[Choice]:
        """Every player, and nobody."""
        now, is_known = self.state.control.get(village), not self.is_fact_unknown("control", village)
        for colour in self.state.colours:
            snapshot, flag = self.with_controller(village, colour), icon_of_flag(colour)
            yield Choice(self.words.player(colour), flag, snapshot, colour == now, brush=f"{CONTROL}{colour}")
        nobody = is_known and now is None
        yield Choice(self.say("nobody"), (), self.with_controller(village, None), nobody)

    def with_controller(self, village: str, colour: Colour | None) -> Snapshot:
        """The snapshot with another controller of a village, or none."""
        return self.with_contents(village, colour, self.state.buildings.get(village))

    def is_fact_unknown(self, code: str, village: str) -> bool:
        """Whether the controller or the building of a village is unknown."""
        return f"{code} {village}" in self.unknown

    def with_contents(self, village: str, controller: Colour | None, building: Building | None) -> Snapshot:
        """The snapshot with this village; if the rest is unknown, a free village gets an entry, too."""
        left = _without_village(self.snapshot, village)
        position: Position = left.position
        if rest_is_unknown(position):
            return left.with_changes(villages={**position.villages, village: VillageContents(controller, building)})
        order = self.land.order.__getitem__
        changes: dict[str, Any] = {}
        if controller is not None:
            held = sorted((*position.control.get(controller, ()), village), key=order)
            changes["control"] = {**position.control, controller: tuple(held)}
        if building is not None:
            kind = "castles" if building == "castle" else "cities"
            changes[kind] = tuple(sorted((*getattr(position, kind), village), key=order))
        return left.with_changes(**changes)

    def buildings(self, village: str) -> Iterator[Choice]:
        """Nothing, a castle or a city."""
        for kind, icon in (("village", "stock_villages"), ("castle", "buy_castle"), ("city", "city")):
            now = "" if self.is_fact_unknown("building", village) else self.state.buildings.get(village, "village")
            brush = kind if kind in BUILDINGS else ""
            yield Choice(
                self.say(kind), icon_of(icon, None), self.with_building(village, kind), kind == now, brush=brush
            )

    def with_building(self, village: str, kind: str) -> Snapshot:
        """The snapshot with another building in a village."""
        building: Building | None = BUILDINGS.get(kind)
        return self.with_contents(village, self.state.control.get(village), building)

    def newcomers(self, village: str, here: Sequence[str]) -> Iterator[Choice]:
        """Every lord who is not there: in play elsewhere, or of the controller or the first player."""
        player = self.state.control.get(village) or self.state.colours[0]
        for name in (*self.land.men, *self.land.women):
            if name not in here:
                lord = self.lord_in_play(name) or StandingLord(name, player, village)
                yield Choice(
                    name, self.icon(name, player), self.with_lord(replace(lord, place=village)), at=self.lord_key(name)
                )

    def has_contents(self, village: str) -> bool:
        """Whether a village has lords or pieces, or may have."""
        somewhat = village in self.state.control or village in self.state.buildings
        return somewhat or self.is_fact_unknown("control", village) or self.is_fact_unknown("building", village)

    def without_contents(self, village: str, here: Sequence[str]) -> Snapshot:
        """The snapshot with nothing in a village."""
        table = self
        for name in here:
            table = table.editor_for(table.without(name))
        return table.with_contents(village, None, None)

    # --- a lord

    def lord(self, name: str) -> Sequence[ChoiceGroup]:
        """The choices for a lord: the player, the titles and the marriage; without a village, whether in play."""
        lord = self.lord_in_play(name)
        if lord is None:
            return whereabouts_choices(self, name) if rest_is_unknown(self.position) else ()
        whose = (
            Choice(self.words.player(c), icon_of_flag(c), self.with_lord(replace(lord, player=c)), c == lord.player)
            for c in self.state.colours
        )
        found = [ChoiceGroup(self.full_name(name), tuple(whose)), *title_groups(self, lord)]
        if married := tuple(self.spouses(lord)):
            found.append(ChoiceGroup(self.say("married"), married, seldom=lord.spouse is None))
        return (*found, *single_facts(self, lord), ChoiceGroup("", (Choice("", (), self.without(name), at=None),)))

    def spouses(self, lord: StandingLord) -> Iterator[Choice]:
        """Nobody, or a lord of another player, a man for a woman."""
        for other in self.position.lords:
            fits = is_man(self.state, other.name) != is_man(self.state, lord.name) and other.player != lord.player
            if fits or other.name == lord.spouse:
                chosen = other.name == lord.spouse
                yield Choice(
                    self.full_name(other.name),
                    self.icon(other.name),
                    self.with_marriage(lord.name, None if chosen else other.name),
                    chosen,
                )

    def with_marriage(self, name: str, spouse: str | None) -> Snapshot:
        """The snapshot with a lord married to another, or to nobody; their former spouses are free."""
        pair = {name: spouse, spouse: name} if spouse else {name: None}

        def now(lord: StandingLord) -> StandingLord:
            if lord.name in pair:
                return replace(lord, spouse=pair[lord.name])
            return replace(lord, spouse=None) if lord.spouse in pair else lord

        return self.with_lords(map(now, self.position.lords))

    # --- changed snapshots

    def lord_in_play(self, name: str) -> StandingLord | None:
        """A lord in play."""
        return next((lord for lord in self.position.lords if lord.name == name), None)

    def other_lords(self, name: str, change: Callable[[StandingLord], StandingLord]) -> list[StandingLord]:
        """All other lords, changed."""
        return [change(lord) for lord in self.position.lords if lord.name != name]

    def with_lord(self, lord: StandingLord) -> Snapshot:
        """The snapshot with a lord as given; in play, a lord is neither dead nor absent."""
        dead = tuple(name for name in self.position.dead if name != lord.name)
        absent = tuple(name for name in self.position.absent if name != lord.name)
        now = self.editor_for(self.with_changes(dead=dead, absent=absent))
        return now.with_lords((*self.other_lords(lord.name, _same), lord))

    def without(self, name: str) -> Snapshot:
        """The snapshot without a lord, whose spouse is free."""
        widowed = self.other_lords(name, lambda other: replace(other, spouse=None) if other.spouse == name else other)
        return self.with_lords(widowed)

    def with_lords(self, lords: Iterable[StandingLord]) -> Snapshot:
        """The snapshot with these lords."""
        return self.with_changes(lords=tuple(sorted(lords, key=lambda lord: self.land.order[lord.name])))

    def with_changes(self, **changes: Any) -> Snapshot:
        """The snapshot with changes to its position."""
        return self.snapshot.with_changes(**changes)

    def editor_for(self, snapshot: Snapshot) -> PositionEditor:
        """The editor of another snapshot."""
        return PositionEditor(snapshot, known_state(snapshot), self.words)


def _same(lord: StandingLord) -> StandingLord:
    return lord
