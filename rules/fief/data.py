"""Fief: the map, the prices and the lords, as they are printed or as a table replaces them; and what follows from them.

Everything that the rules ask of the map again and again is worked out once for each set of data (`land`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from pkgutil import get_data
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple, TypeAlias, TypeVar

from rules.caches import cache
from rules.forms import UNKNOWN, Between, Malformed, Most, Pattern
from rules.records import dataclass

K = TypeVar("K", bound=Hashable)
Colour: TypeAlias = Literal["red", "blue", "green", "yellow", "black", "white"]
COLOURS: tuple[Colour, ...] = ("red", "blue", "green", "yellow", "black", "white")
SPOKEN_COLOURS = frozenset(colour.capitalize() for colour in COLOURS)
"""The colours in the notation; no lord may have such a name."""

_NO_LETTER = r"\x00-\x20\x7f-\xa0\u061c\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff,;:+>!"
"""The characters that no name contains: blanks of any kind, invisible ones, and the signs of the notation."""
WORD = rf"[^{_NO_LETTER}\-][^{_NO_LETTER}]{{0,39}}"
"""A name of one word."""
WORDS = rf"{WORD}(?: {WORD}){{0,4}}"
"""A name of several words, with single blanks."""
LordName: TypeAlias = Annotated[str, Pattern(WORD, "Blanche", "name")]
FiefName: TypeAlias = Annotated[str, Pattern(WORD, "F8", "name")]
VillageName: TypeAlias = Annotated[str, Pattern(WORDS, "Sigy", "cell")]
BishopricNumber: TypeAlias = Annotated[int, Between(1, 5)]
Percent: TypeAlias = Annotated[int, Between(0, 100)]
Price: TypeAlias = Annotated[int, Between(0, 99)]

MIN_PLAYERS = 3
MAX_VILLAGES = 60
MAX_ROADS = 10
"""The maximum number of roads of one village."""
MAX_LORDS = 60
"""The maximum number of lords. The data of a table are limited, so that every list of moves is."""
DAUPHIN = "dauphin"
"""A word of the notation, so that no village's name may end with it."""
RANKS: Mapping[int, str] = {2: "baron", 3: "count", 4: "duke"}
"""Number of villages of a fief -> the rank of its lord."""


@dataclass(frozen=True, slots=True)
class Village:
    """A village of the map.

    `name`: the village's name.
    `fief`: the fief that the village belongs to.
    `bishopric`: the number of the bishopric that the village belongs to.
    `seat`: whether the village is the seat of its bishopric.
    `at`: where it is drawn, in percent of the board from the left and from the top.
    """

    name: VillageName
    fief: FiefName
    bishopric: BishopricNumber
    seat: bool = False
    at: tuple[Percent, Percent] | None = None


@dataclass(frozen=True, slots=True)
class Map:
    """The villages, and the roads between two of them each.

    `villages`: the villages of the map.
    `roads`: the roads, each as the two villages that it joins.
    """

    villages: Annotated[tuple[Village, ...], Most(MAX_VILLAGES)]
    roads: Annotated[tuple[tuple[VillageName, VillageName], ...], Most(MAX_VILLAGES * MAX_ROADS)]


@dataclass(frozen=True, slots=True)
class Prices:
    """What things cost, in villages of income.

    `castle`: what a castle costs.
    `cardinal`: what the cardinal's title costs.
    `card`: what a card costs.
    `baron`: what the title of a fief of two villages costs.
    `count`: what the title of a fief of three villages costs.
    `duke`: what the title of a fief of four villages costs.
    `city`: what a city costs besides the title.
    """

    castle: Price = 4
    cardinal: Price = 2
    card: Price = 1
    baron: Price = 2
    count: Price = 3
    duke: Price = 4
    city: Price = 0


@dataclass(frozen=True, slots=True)
class Lords:
    """The lords that there are cards of.

    `men`: the names of the men.
    `women`: the names of the women.
    """

    men: Annotated[tuple[LordName, ...], Most(MAX_LORDS)]
    women: Annotated[tuple[LordName, ...], Most(MAX_LORDS)]


@dataclass(frozen=True, slots=True)
class Data:
    """What a table may replace: the map and the lords as a whole, prices one by one.

    `map`: the map; the printed one where left out.
    `prices`: the prices; the printed one for each that is left out.
    `lords`: the lords; the printed ones where left out.
    """

    map: Map | None = None
    prices: Prices = Prices()
    lords: Lords | None = None


MEN = ("Arthur", "Baudoin", "Charles", "Éric", "François", "Gauvain", "Henri", "Lambert", "Othon", "Philippe")
LORDS = Lords(
    men=(*MEN, "Quentin", "Thierry"),
    women=("Aliénor", "Blanche", "Guenièvre", "Isabelle", "Jeanne", "Mireille"),
)


@cache()  # it reads a file
def printed_map() -> Map:
    """The map of the published board."""
    import tomllib  # noqa: PLC0415  # see `rules.load`

    read = tomllib.loads((get_data(__package__, "map.toml") or b"").decode())
    villages = tuple(Village(**{**village, "at": tuple(village["at"])}) for village in read["villages"])
    return Map(villages, tuple((one, other) for one, other in read["roads"]))


def whole(data: Data) -> Data:
    """The data of a table, with the printed values for all that it does not replace."""
    return Data(data.map or printed_map(), data.prices, data.lords or LORDS)


# --- what follows from the data ----------------------------------------------------------------------------------


class Land(NamedTuple):
    """The map in the form that the rules use. Villages, fiefs and lords are in the order of the data."""

    villages: tuple[str, ...]
    fief_of: Mapping[str, str]
    fiefs: Mapping[str, tuple[str, ...]]
    """The villages of each fief."""
    bishopric_of: Mapping[str, int]
    bishoprics: Mapping[int, tuple[str, ...]]
    """The villages of each bishopric."""
    seats: Mapping[int, str]
    roads: Mapping[str, tuple[str, ...]]
    """The villages that a road joins to each village."""
    at: Mapping[str, tuple[int, int] | None]
    prices: Prices
    men: tuple[str, ...]
    women: tuple[str, ...]
    order: Mapping[str, int]
    """The place of each lord and each village in the data."""

    def rank(self, fief: str) -> int:
        """The rank of a fief: the number of its villages."""
        return len(self.fiefs[fief])

    def is_lord(self, name: str) -> bool:
        """Whether there is a card of this lord."""
        return name in self.order and name not in self.fief_of


@cache(100)
def land(data: Data) -> Land:
    """The land of a table's data. Raises `Malformed`, with the field, if it is unplayable."""
    data = whole(data)
    assert data.map is not None and data.lords is not None  # noqa: S101, PT018  # for the type checker: it is whole
    for code, pointer, name in _faults(data.map, data.lords):
        raise Malformed(code, f"/data{pointer}", text=name)
    villages = data.map.villages
    lords = (*data.lords.men, *data.lords.women)
    names = tuple(village.name for village in villages)
    return Land(
        villages=names,
        fief_of=MappingProxyType({village.name: village.fief for village in villages}),
        fiefs=MappingProxyType(_names_by_group((village.fief, village.name) for village in villages)),
        bishopric_of=MappingProxyType({village.name: village.bishopric for village in villages}),
        bishoprics=MappingProxyType(_names_by_group((village.bishopric, village.name) for village in villages)),
        seats=MappingProxyType({village.bishopric: village.name for village in villages if village.seat}),
        roads=MappingProxyType(_neighbours(data.map)),
        at=MappingProxyType({village.name: village.at for village in villages}),
        prices=data.prices,
        men=data.lords.men,
        women=data.lords.women,
        order=MappingProxyType({name: number for number, name in enumerate((*lords, *names))}),
    )


def _names_by_group(pairs: Iterable[tuple[K, str]]) -> dict[K, tuple[str, ...]]:
    """The names of each group, in order."""
    groups: dict[K, tuple[str, ...]] = {}
    for group, name in pairs:
        groups[group] = (*groups.get(group, ()), name)
    return groups


def _neighbours(board: Map) -> dict[str, tuple[str, ...]]:
    joined = _names_by_group(step for one, other in board.roads for step in ((one, other), (other, one)))
    return {village.name: joined.get(village.name, ()) for village in board.villages}


# --- what cannot be played on ------------------------------------------------------------------------------------

Fault: TypeAlias = tuple[str, str, str]
"""The code of a fault, its place (a JSON pointer within the data), and the name that it is about."""


def _faults(board: Map, lords: Lords) -> Iterator[Fault]:
    """All faults that make these data unplayable, by the same test as for the printed ones."""
    yield from _faults_of_size(board, lords)
    yield from _faults_of_names(board, lords)
    yield from _faults_of_groups(board)
    yield from _faults_of_roads(board)


def _faults_of_size(board: Map, lords: Lords) -> Iterator[Fault]:
    """Too many villages, roads or lords."""
    if len(board.villages) > MAX_VILLAGES:
        yield "too_many", "/map/villages", str(MAX_VILLAGES)
    if len(lords.men) + len(lords.women) > MAX_LORDS:
        yield "too_many", "/lords", str(MAX_LORDS)
    roads = Counter(name for road in board.roads for name in road)
    yield from (("many_roads", "/map/roads", name) for name, number in roads.items() if number > MAX_ROADS)


def _faults_of_names(board: Map, lords: Lords) -> Iterator[Fault]:
    """Names occur once, and the notation can tell them from its own words."""
    places = {
        **{f"/map/villages/{number}/name": village.name for number, village in enumerate(board.villages)},
        **{f"/lords/men/{number}": name for number, name in enumerate(lords.men)},
        **{f"/lords/women/{number}": name for number, name in enumerate(lords.women)},
    }
    name_counts = Counter(places.values())
    for pointer, name in places.items():
        if name_counts[name] > 1:
            yield "name_twice", pointer, name
        words = pointer.startswith("/map") and name.split(" ")[-1] == DAUPHIN
        if words or name == UNKNOWN or (pointer.startswith("/lords") and name in SPOKEN_COLOURS):
            yield "name_taken", pointer, name
    if len(lords.men) + len(lords.women) < MIN_PLAYERS:
        yield "few_lords", "/lords", ""


def _faults_of_groups(board: Map) -> Iterator[Fault]:
    """A fief has two to four villages, a bishopric one seat."""
    fiefs = Counter(village.fief for village in board.villages)
    for fief, number in fiefs.items():
        if number not in RANKS:
            yield "fief_size", "/map/villages", fief
    seats = Counter(village.bishopric for village in board.villages if village.seat)
    for bishopric in sorted({village.bishopric for village in board.villages}):
        if seats[bishopric] != 1:
            yield "seats", "/map/villages", str(bishopric)


def _faults_of_roads(board: Map) -> Iterator[Fault]:
    """A road joins two existing villages, once; and all villages are connected."""
    names = {village.name for village in board.villages}
    known_roads: set[frozenset[str]] = set()
    for number, road in enumerate(board.roads):
        if missing := [name for name in road if name not in names]:
            yield "road_nowhere", f"/map/roads/{number}", missing[0]
        elif road[0] == road[1] or frozenset(road) in known_roads:
            yield "road_twice", f"/map/roads/{number}", road[0]
        known_roads.add(frozenset(road))
    reached = _reachable_villages(board)
    yield from (
        ("not_connected", f"/map/villages/{number}/name", village.name)
        for number, village in enumerate(board.villages)
        if village.name not in reached
    )


def _reachable_villages(board: Map) -> set[str]:
    """The villages that can be reached from the first one."""
    roads = _neighbours(board)
    found = [village.name for village in board.villages[:1]]
    for name in found:
        found += [near for near in roads[name] if near in roads and near not in found]
    return set(found)
