"""Fief: the state of a table, and the forms of setups and positions in the players' own words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set
from dataclasses import field
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from rules.fief.data import (
    COLOURS,
    MAX_LORDS,
    MAX_ROADS,
    MAX_VILLAGES,
    BishopricNumber,
    Colour,
    Data,
    FiefName,
    Land,
    LordName,
    VillageName,
)
from rules.forms import SAYS_PLAYER, Between, Most, OnTable, OrUnknown, Reading, Rest
from rules.kernel import with_quick_replace
from rules.records import dataclass

Phase: TypeAlias = Literal["marriages", "bishops", "pope", "king", "purchases", "movements", "combats"]
PHASES: tuple[Phase, ...] = ("marriages", "bishops", "pope", "king", "purchases", "movements", "combats")
IN_TURN: tuple[Phase, ...] = ("purchases", "movements", "combats")
"""The phases in which each player has a part."""
Origin: TypeAlias = Literal["card", "title"]
"""The origin of a cardinal's title: a card, or the title that is for sale."""
Building: TypeAlias = Literal["castle", "city"]
SomeLords: TypeAlias = Annotated[tuple[LordName, ...], Most(MAX_LORDS)]
SomeVillages: TypeAlias = Annotated[tuple[VillageName, ...], Most(MAX_VILLAGES)]
SomeFiefs: TypeAlias = Annotated[tuple[FiefName, ...], Most(MAX_VILLAGES)]
Amount: TypeAlias = Annotated[int, Between(0, 9999), OrUnknown()]
Maybe: TypeAlias = Annotated[bool, OrUnknown()]
Strength: TypeAlias = Annotated[int, Between(0, 5)]

EMPTY: Mapping[Any, Any] = MappingProxyType({})
CASTLES = 12
CITIES = 8
CARDINAL_CARDS = 3
PLAYERS = (3, 4, 5, 6)

READINGS = (
    Reading("sieges", ("off", "on")),
    Reading("solo_victory", ("unmarried", "anyone"), scores=True),
    Reading("cardinal", ("bishop", "unmarried_man")),
    Reading("pope_quorum", ("cast", "two")),
    Reading("lord_entry", ("controlled", "stronghold")),
    Reading("castle_lord", ("no", "yes")),
    Reading("dead_army", ("heir_may_attack", "defends"), before="defends"),
    Reading("lost_title", ("defends", "counts"), before="counts"),
    Reading("gifts", ("phase", "own_part"), before="own_part"),
    Reading("city_falls", ("whole_fief", "controller"), before="controller"),
    Reading("fief_gift", ("title", "with_city")),
    Reading("excommunications", ("one_a_round", "one_at_a_time", "one_alone")),
    Reading("dead_lords", ("gone", "reshuffled")),
    Reading("assassin_instigator", ("named", "hidden")),
    Reading("pope_at_election_of_king", ("as_held", "as_cardinal"), before="as_cardinal"),
    Reading("exchanges", ("any_time", "purchases"), before="purchases"),
    Reading("church_votes", ("highest", "sum")),
    Reading("cardinal_consent", ("cards", "all"), before="all"),
    Reading("regent_income", ("king", "both")),
    Reading("churchman_prince", ("passed_over", "king")),
)


# --- setups and positions ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Player:
    """A player: the colour, the first lord and the village where that lord stands, and a name if given.

    `lord`: the player's first lord.
    `village`: the village where that lord stands.
    """

    colour: Colour = field(metadata=SAYS_PLAYER)
    lord: LordName
    village: VillageName
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """Who plays, with which data, and by which readings.

    `players`: the players from the first one on, clockwise.
    `data`: what the table replaces of the printed map, prices and lords.
    """

    players: Annotated[tuple[Player, ...], Most(len(COLOURS))]
    data: Data = field(default_factory=Data)
    readings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StandingLord:
    """A living lord: whose, where, and every title and mark. The queen is the king's wife, and is not written.

    `name`: the lord's name.
    `player`: whose lord it is; ``?`` if unknown.
    `place`: the village where the lord stands; ``?`` if unknown.
    `spouse`: whom the lord is married to, if anybody; ``?`` if unknown.
    `fiefs`: the fiefs whose titles the lord holds; ``?`` if unknown.
    `bishop`: the numbers of the bishoprics that the lord holds; ``?`` if unknown.
    `elected`: whether the lord became a bishop in this round; ``?`` if unknown.
    `cardinal`: what made the lord a cardinal: a ``card``, or the ``title`` that is for sale; ``?`` if unknown.
    `pope`: whether the lord is the pope; ``?`` if unknown.
    `king`: whether the lord is the king; ``?`` if unknown.
    `regent`: whether the lord is the regent (`FI-94`); ``?`` if unknown.
    `prince`: 1 for the crown prince declared first, 2 for the next one, and so on.
    `arc`: whether the lord has d'Arc's card; ``?`` if unknown.
    `excommunicated`: whether the lord is excommunicated (`FI-95`); ``?`` if unknown.
    `marked`: whether the lord is marked as the instigator of a murder (`FI-90`); ``?`` if unknown.
    """

    name: LordName
    player: Annotated[Colour, OrUnknown()]
    place: Annotated[VillageName, OrUnknown()]
    spouse: Annotated[LordName, OrUnknown()] | None = None
    fiefs: Annotated[tuple[FiefName, ...], Most(MAX_VILLAGES), OrUnknown()] = field(default_factory=tuple)
    bishop: Annotated[tuple[BishopricNumber, ...], Most(5), OrUnknown()] = field(default_factory=tuple)
    elected: Maybe = False
    cardinal: Annotated[Origin, OrUnknown()] | None = None
    pope: Maybe = False
    king: Maybe = False
    regent: Maybe = False
    prince: Annotated[int, Between(1, 99)] | None = None
    arc: Maybe = False
    excommunicated: Maybe = False
    marked: Maybe = False


@dataclass(frozen=True, slots=True)
class VillageContents:
    """What a village is: its controller, if it has one, and a castle or a city, if one is there.

    `controller`: who controls the village, if anybody; ``?`` if unknown.
    `building`: the castle or the city, if one is there; ``?`` if unknown.
    """

    controller: Annotated[Colour, OrUnknown()] | None = None
    building: Annotated[Building, OrUnknown()] | None = None


@dataclass(frozen=True, slots=True)
class Arrival:
    """A move of this round that ended in a village, by the road from another one (`FI-63`).

    `player`: whose lords moved.
    `village`: the village where they stopped.
    `road`: the village from which their last road led there.
    """

    player: Colour
    village: VillageName
    road: VillageName


@dataclass(frozen=True, slots=True)
class Rank:
    """The strength of a lord's titles (`FI-71`): lay ones, and those of the church, which only defend.

    `lay`: the strength of the highest lay title.
    `church`: the strength of the highest church title; 0 without one.
    `fief`: the strength of the highest fief, where the crown or d'Arc's card hides it.
    `fiefs`: the fiefs that the lord held; left out, any that the lord holds now may be among them.
    """

    lay: Strength = 0
    church: Strength = 0
    fief: Strength = 0
    fiefs: SomeFiefs | None = None


@dataclass(frozen=True, slots=True)
class Army:
    """The army of a lord who died by a card (`FI-71`).

    `lord`: the lord who died.
    `player`: whose lord it was.
    `place`: the village where the army is.
    `lay`: the strength of the highest lay title.
    `church`: the strength of the highest church title; 0 without one.
    `heir`: who inherited the fiefs, of the same player, if anybody.
    `fief`: the strength of the highest fief, where the crown or d'Arc's card hid it.
    """

    lord: LordName
    player: Colour
    place: VillageName
    lay: Strength = 0
    church: Strength = 0
    heir: LordName | None = None
    fief: Strength = 0


@dataclass(frozen=True, slots=True)
class Besieged:
    """A siege that a player has laid (`FI-77`).

    `player`: who has laid it.
    `village`: the village that is besieged.
    """

    player: Colour
    village: VillageName


@dataclass(frozen=True, slots=True)
class Captured:
    """A fief whose city was taken, and the attacker, who has still to say which lord takes the title (`FI-75`).

    `player`: the attacker.
    """

    fief: FiefName
    player: Colour


@dataclass(frozen=True, slots=True)
class Estate:
    """The fiefs of a dead lord, for which the player has still to name the heir (`FI-92`).

    `lord`: the dead lord.
    `player`: who has to name the heir.
    `fiefs`: the fiefs that the heir gets.
    """

    lord: LordName
    player: Colour
    fiefs: SomeFiefs


@dataclass(frozen=True, slots=True)
class Position:
    """What lies on the table, and where in the round it is. Everything may be left out.

    `first`: who has the first-player card; ``?`` if unknown.
    `phase`: the phase of the round.
    `turn`: whose part it is in phases 5 to 7; ``?`` if unknown.
    `control`: the villages that each player controls.
    `castles`: the villages with a castle.
    `cities`: the villages with a city.
    `villages`: what villages are, as `control`, `castles` and `cities` say it too; ``?`` where that is unknown.
    `lords`: the living lords in play.
    `dead`: the lords who are dead.
    `absent`: the lords who are known not to be in play, where `rest` is unknown.
    `arc_gone`: whether d'Arc's card has left the game; ``?`` if unknown.
    `held`: the bishopric of the last election in this phase, 1 after the pope's or the king's; ``?`` if unknown.
    `excommunication`: the lord who was excommunicated in this round, if any; ``?`` if unknown.
    `murders`: the open murders of each player who has any (reading `assassin_instigator`); ``?`` if unknown.
    `income`: each player's income at the start of phase 5; counted where left out; ``?`` if unknown.
    `spent`: what each player has spent of it in this phase 5; ``?`` if unknown.
    `moved`: the lords who have moved in this phase 6; ``?`` if unknown.
    `arrivals`: the moves of this phase 6 that ended in a village; ``?`` if unknown.
    `ranks`: the strengths of lords' titles at the start of phase 6, where they differ from those of now.
    `armies`: the armies of lords who died by a card.
    `attacked`: the villages that the player in turn has attacked in this phase 7; ``?`` if unknown.
    `sieges`: the sieges that are laid; ``?`` if unknown.
    `captured`: the fief of a city just taken whose title the attacker has still to give, if any.
    `estates`: the fiefs of dead lords whose heirs are still to be named.
    `ended`: whether the game is over.
    `rest`: what is left out: ``empty``, nobody's plain villages and lords not in play; or ``unknown``.
    """

    first: Annotated[Colour, OrUnknown()] | None = None
    phase: Phase = "marriages"
    turn: Annotated[Colour, OrUnknown()] | None = None
    control: Annotated[Mapping[Colour, SomeVillages], OnTable()] = field(default_factory=dict)
    castles: Annotated[SomeVillages, OnTable()] = ()
    cities: Annotated[SomeVillages, OnTable()] = ()
    villages: Annotated[Mapping[VillageName, Annotated[VillageContents, OrUnknown()]], Most(MAX_VILLAGES)] = field(
        default_factory=dict
    )
    lords: Annotated[tuple[StandingLord, ...], Most(MAX_LORDS), OnTable()] = ()
    dead: SomeLords = ()
    absent: SomeLords = ()
    arc_gone: Maybe = False
    held: Annotated[int, Between(0, 5), OrUnknown()] = 0
    excommunication: Annotated[LordName, OrUnknown()] | None = None
    murders: Mapping[Colour, Annotated[int, Between(1, 99), OrUnknown()]] = field(default_factory=dict)
    income: Mapping[Colour, Amount] = field(default_factory=dict)
    spent: Mapping[Colour, Amount] = field(default_factory=dict)
    moved: Annotated[tuple[LordName, ...], Most(MAX_LORDS), OrUnknown()] = field(default_factory=tuple)
    arrivals: Annotated[tuple[Arrival, ...], Most(MAX_VILLAGES * MAX_ROADS), OrUnknown()] = field(default_factory=tuple)
    ranks: Annotated[Mapping[LordName, Rank], Most(MAX_LORDS)] = field(default_factory=dict)
    armies: Annotated[tuple[Army, ...], Most(MAX_LORDS), OnTable()] = ()
    attacked: Annotated[tuple[VillageName, ...], Most(MAX_VILLAGES), OrUnknown()] = field(default_factory=tuple)
    sieges: Annotated[tuple[Besieged, ...], Most(MAX_VILLAGES), OrUnknown(), OnTable()] = field(default_factory=tuple)
    captured: Captured | None = None
    estates: Annotated[tuple[Estate, ...], Most(MAX_LORDS), OnTable()] = ()
    ended: bool = False
    rest: Rest = None


class Gaps(NamedTuple):
    """The unknown facts of a position, and the villages where lords who were not entered may stand."""

    facts: Set[str] = frozenset()
    villages: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class KnownPosition(Position):
    """The known part of a position. What its gaps may mend is no problem of it."""

    gaps: Gaps = field(default=Gaps(), compare=False)


# --- the state ---------------------------------------------------------------------------------------------------


@with_quick_replace
class Lord(NamedTuple):
    """A living lord, without the titles."""

    player: Colour
    place: str
    spouse: str | None = None
    excommunicated: bool = False
    marked: bool = False


@with_quick_replace
class State(NamedTuple):
    """A table of Fief. Players, lords, villages and fiefs are called by their names."""

    land: Land
    colours: tuple[Colour, ...]
    """The players, clockwise."""
    first: Colour
    control: Mapping[str, Colour]
    """The controller of each village that has one."""
    lords: Mapping[str, Lord]
    """The living lords in play."""
    readings: Mapping[str, str]
    phase: Phase = PHASES[0]
    turn: Colour | None = None
    """Whose part it is; None in phases 1 to 4."""
    buildings: Mapping[str, Building] = EMPTY
    titles: Mapping[str, str] = EMPTY
    """Fief -> the lord who holds it."""
    bishops: Mapping[int, str] = EMPTY
    """Bishopric -> its bishop."""
    cardinals: Mapping[str, Origin] = EMPTY
    pope: str | None = None
    king: str | None = None
    regent: str | None = None
    princes: tuple[str, ...] = ()
    """The crown princes, the one declared first at the front."""
    arc: str | None = None
    arc_gone: bool = False
    dead: frozenset[str] = frozenset()
    elected: frozenset[str] = frozenset()
    """The lords who became bishops in this round."""
    held: int = 0
    excommunication: str | None = None
    """The lord who was excommunicated in this round."""
    murders: Mapping[Colour, int] = EMPTY
    """The open murders of each player who has any (reading `assassin_instigator`)."""
    income: Mapping[Colour, int] = EMPTY
    """The income of each player in phase 5; empty in other phases."""
    spent: Mapping[Colour, int] = EMPTY
    moved: frozenset[str] = frozenset()
    arrivals: tuple[Arrival, ...] = ()
    ranks: Mapping[str, Rank] = EMPTY
    """The strengths as of the start of phase 6 of all living lords, in phases 6 and 7."""
    armies: tuple[Army, ...] = ()
    attacked: frozenset[str] = frozenset()
    sieges: tuple[Besieged, ...] = ()
    captured: Captured | None = None
    estates: Annotated[tuple[Estate, ...], Most(MAX_LORDS)] = ()
    over: bool = False
    lay_armies: bool = False
    """Whether an army of the dead attacks with the strength of all lay titles, as at tables of the first rules."""

    def plain(self) -> State:
        """The state itself; for a watched state (`unknowns.scope`), the state without the watching."""
        return self
