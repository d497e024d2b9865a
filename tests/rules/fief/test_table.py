"""Fief: what worked cases cannot say: data and players that cannot be, and how a round goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.fief import GAME
from rules.fief.data import LORDS, Data, Lords, Map, Village, land, printed_map
from rules.fief.lords import is_of, lords_of
from rules.fief.moves import Assassin, Excommunicate, Inherit, Next
from rules.fief.state import PHASES, Player, Position, Setup, StandingLord
from rules.fief.style import name_of_fief
from rules.forms import Malformed
from rules.styled_name import StyledName

PRINTED_LAND = land(Data())

# --- fiefs by name -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("buildings", "code"),
    [
        ({}, "fief_count"),
        ({"Pugnac": "castle"}, "title_count"),
        ({"Pugnac": "castle", "Tournus": "castle"}, "fief_count"),
        ({"Pugnac": "castle", "Belleville": "castle", "Tournus": "city"}, "title_count"),
        ({"Pugnac": "castle", "Belleville": "city", "Tournus": "city"}, "fief_count"),
    ],
)
def test_a_fief_is_called_after_its_city_or_only_castle(buildings: dict[str, str], code: str) -> None:
    """`FI-52`: two cities, which cannot be, name it as little as two castles do."""
    named = name_of_fief(PRINTED_LAND, buildings, "F4")
    assert isinstance(named, StyledName)
    assert named.code == code


# --- data of one's own -------------------------------------------------------------------------------------------

SQUARE = tuple(
    Village(name, fief, bishopric, seat)
    for name, fief, bishopric, seat in (
        ("A", "X", 1, True),
        ("B", "X", 1, False),
        ("C", "Y", 2, True),
        ("D", "Y", 2, False),
    )
)
ROADS = (("A", "B"), ("B", "C"), ("C", "D"))
FEW = Lords(("Un", "Deux"), ("Trois",))


def refusal_of(villages: tuple[Village, ...] = SQUARE, roads: Any = ROADS, lords: Lords = FEW) -> str:
    """Why data are refused: the code, and where."""
    with pytest.raises(Malformed) as error:
        land(Data(map=Map(villages, roads), lords=lords))
    return f"{error.value.code} {error.value.pointer}"


def test_a_small_map_can_be_played_on() -> None:
    """Two fiefs of two villages each, three lords: the least there can be."""
    found = land(Data(map=Map(SQUARE, ROADS), lords=FEW))
    assert found.fiefs == {"X": ("A", "B"), "Y": ("C", "D")}
    assert found.seats == {1: "A", 2: "C"}
    assert found.roads["B"] == ("A", "C")
    assert found.prices.castle + found.prices.cardinal + found.prices.card == 7


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"villages": SQUARE[:3], "roads": ROADS[:2]}, "fief_size /data/map/villages"),
        ({"villages": (*SQUARE, *SQUARE[:1])}, "name_twice /data/map/villages/0/name"),
        ({"villages": tuple(Village(v.name, "X", 1, seat=v.name == "A") for v in (*SQUARE, Village("E", "X", 1)))},
         "fief_size /data/map/villages"),
        ({"villages": tuple(Village(v.name, v.fief, v.bishopric) for v in SQUARE)}, "seats /data/map/villages"),
        ({"villages": tuple(Village(v.name, v.fief, 1, v.seat) for v in SQUARE)}, "seats /data/map/villages"),
        ({"roads": (*ROADS, ("A", "Z"))}, "road_nowhere /data/map/roads/3"),
        ({"roads": (*ROADS, ("B", "A"))}, "road_twice /data/map/roads/3"),
        ({"roads": (*ROADS, ("A", "A"))}, "road_twice /data/map/roads/3"),
        ({"roads": ROADS[:2]}, "not_connected /data/map/villages/3/name"),
        ({"lords": Lords(("Un", "Deux"), ())}, "few_lords /data/lords"),
        ({"lords": Lords(("Un", "Deux"), ("Un",))}, "name_twice /data/lords/men/0"),
        ({"lords": Lords(("Un", "A"), ("Trois",))}, "name_twice /data/map/villages/0/name"),
        ({"lords": Lords(("Un", "Red"), ("Trois",))}, "name_taken /data/lords/men/1"),
        ({"villages": (*SQUARE[:3], Village("Le dauphin", "Y", 2)), "roads": (*ROADS[:2], ("C", "Le dauphin"))},
         "name_taken /data/map/villages/3/name"),
    ],
)  # fmt: skip
def test_data_that_nobody_can_play_on_are_refused(data: dict[str, Any], code: str) -> None:
    """Each fault is named, with the field where it is."""
    assert refusal_of(**data) == code


def test_the_printed_data_are_what_the_board_shows() -> None:
    """24 villages in 8 fiefs and 5 bishoprics, 31 roads; 12 men and 6 women."""
    assert (len(PRINTED_LAND.villages), len(PRINTED_LAND.fiefs), len(PRINTED_LAND.bishoprics)) == (24, 8, 5)
    assert len(printed_map().roads) == 31
    assert sorted(map(len, PRINTED_LAND.fiefs.values())) == [2, 2, 3, 3, 3, 3, 4, 4]
    assert (len(LORDS.men), len(LORDS.women)) == (12, 6)


THREE = Setup((Player("red", "Henri", "Sigy"), Player("blue", "Blanche", "Bourg"), Player("green", "Othon", "Blaye")))


@pytest.mark.parametrize(
    ("players", "code"),
    [
        (THREE.players[:2], "players /players"),
        ((*THREE.players, Player("red", "Charles", "Tournus")), "colour_twice /players/3/colour"),
        ((*THREE.players, Player("white", "Henri", "Tournus")), "twice /players/3/lord"),
        ((*THREE.players, Player("white", "Charles", "Sigy")), "twice /players/3/village"),
        ((*THREE.players, Player("white", "Sigy", "Tournus")), "no_lord /players/3/lord"),
        ((*THREE.players, Player("white", "Charles", "Othon")), "no_village /players/3/village"),
    ],
)
def test_players_who_cannot_begin_are_refused(players: tuple[Player, ...], code: str) -> None:
    """`FI-1`: each player has a colour, a lord and a village that nobody else has."""
    with pytest.raises(Malformed) as error:
        GAME.setup(Setup(players))
    assert f"{error.value.code} {error.value.pointer}" == code


CITIES = ("Sigy", "Bourg", "Les Essarts", "L'Épervier")


# --- what is due -------------------------------------------------------------------------------------------------


def test_a_round_goes_through_its_phases_and_the_card_passes_on() -> None:
    """`FI-2`, `FI-3`: with `next` alone, four phases of all, then three in which each player has a part."""
    state = GAME.setup(THREE)
    seen = []
    for _ in range(4 + 3 * 3):
        seen.append((state.phase, state.turn))
        state = GAME.apply(state, Next())
    parts = [(phase, colour) for phase in PHASES[4:] for colour in ("red", "blue", "green")]
    assert seen == [*((phase, None) for phase in PHASES[:4]), *parts]
    assert (state.phase, state.first) == ("marriages", "blue")


def test_a_family_of_one_inherits_at_once_and_another_waits() -> None:
    """`FI-92`: where only one lord is possible the fiefs go by themselves; else the heir is asked for."""
    one = StandingLord("Henri", "red", "Sigy", fiefs=("F8",))
    family = (one, StandingLord("Arthur", "red", "Bourg"), StandingLord("Éric", "blue", "Bourg"))
    state = GAME.enter(THREE, Position(cities=CITIES, lords=family))
    after = GAME.apply(state, Assassin("Henri", by="Éric"))
    assert after.titles == {"F8": "Arthur"}
    larger = GAME.enter(THREE, Position(cities=CITIES, lords=(*family, StandingLord("Jeanne", "red", "Sigy"))))
    asked = GAME.apply(larger, Assassin("Henri", by="Éric"))
    assert GAME.due(asked).kinds == ("heir",)
    assert {move.heir for move in GAME.moves(asked) if isinstance(move, Inherit)} == set(lords_of(asked, "red"))
    assert all(is_of(asked, move.heir, "red") for move in GAME.moves(asked) if isinstance(move, Inherit))


@pytest.mark.parametrize(
    ("move", "whose"),
    [
        ("cede Sigy Blue", "red"),
        ("cede Tournus Blue", None),
        ("assassin Othon by Blanche", "blue"),
        ("assassin Othon by Red", "red"),
        ("assassin Othon by Quentin", None),
        ("excommunicate Henri", "green"),
        ("absolve Henri", "green"),
        ("annul Henri Blanche", "green"),
        ("justice Blanche", None),
    ],
)
def test_a_move_of_any_time_is_its_owners(move: str, whose: str | None) -> None:
    """A village is its controller's to give, a murder its instigator's, the pope's powers his player's; justice is
    played by anybody.
    """
    state = GAME.setup(THREE)._replace(pope="Othon")
    assert GAME.owner_of(state, GAME.read(move)) == whose
    assert GAME.read(move).kind in GAME.out_of_turn


def test_without_a_pope_his_powers_are_nobodys() -> None:
    """Then anybody hears from the rules that there is none."""
    assert GAME.owner_of(GAME.setup(THREE), GAME.read("excommunicate Henri")) is None


def test_an_excommunication_takes_the_title_of_one_bishop() -> None:
    """`FI-95`: of two who became bishops in this round, the other one stays so."""
    sees = (StandingLord("Henri", "red", "Sigy", bishop=(1,)), StandingLord("Arthur", "red", "Sigy", bishop=(2,)))
    lords = tuple(replace(lord, elected=True) for lord in sees)
    pope = StandingLord("Othon", "green", "Blaye", pope=True)
    state = GAME.enter(THREE, Position(cities=CITIES, lords=(*lords, pope)))
    after = GAME.position(GAME.apply(state, Excommunicate("Henri"))).lords
    assert {lord.name: (lord.bishop, lord.elected) for lord in after if lord.player == "red"} == {
        "Henri": ((), False),
        "Arthur": ((2,), True),
    }
