"""Dice rolled by the service: the log's entries, permissions, repeated requests, and rolls for who begins."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

import pytest

import rules
from rules.kernel import Seat
from service import schemas
from service.errors import Forbidden, Invalid, KeyReused, Stale
from service.i18n import sentences
from service.judgements import AttemptedMove
from service.referee import roll_dice
from service.referee.repository import ChangeRequest
from service.referee.use_cases import NewTable, Referee
from service.storage.ledger import Ledger
from service.tables import codec
from service.tables.entries import BATTLE, DICE, Die, Rolled, Throw, ToRoll
from tests.support.api import V1, Api
from tests.support.falling_dice import falling
from tests.support.loops import over
from tests.support.records import record_of, records_of
from tests.support.tables import recorded_table

FIEF, VILLEFRANCHE = rules.GAMES["fief"], rules.GAMES["villefranche"]
BIG = "attack St André Blue>White 0:0"
"""For this attack, each camp throws an ordinary and a battle die (in a recorded game, after some moves)."""
BEFORE_BIG = ("fief/five_and_much_stood", 270)
TWO = ToRoll(DICE, n=2)
NOW = datetime(2026, 11, 23, tzinfo=UTC)


def host_of(ledger: Ledger, opened: NewTable, *picks: int) -> Callable[..., Any]:
    """Rolls as the host, on the current version."""
    referee, key = Referee(ledger, pick=falling(*picks)), opened.keys.host

    def roll(asked: ToRoll, version: int | None = None, name: str | None = None, key: str = key) -> Any:
        on = version or referee.table(opened.table.id, opened.keys.host)[0].version
        return referee.roll(ChangeRequest(opened.table.id, key, on, name), asked)

    return roll


def attack(camp: str = "attack", move: str = BIG) -> ToRoll:
    """A camp's roll for the attack."""
    return ToRoll(BATTLE, FIEF.read(move), camp)


def test_a_camp_rolls_the_dice_that_the_rules_give_it(ledger: Ledger) -> None:
    """The entry has each die with kind and current faces, the camp and the move; nothing else at the table changes."""
    opened = recorded_table(ledger, *BEFORE_BIG)
    done = host_of(ledger, opened, 3, 0, 5, 5)(attack())
    (entry,) = done.entries
    assert entry.throws == (Throw((Die("ordinary", 4), Die("battle", 0))),)
    assert entry.faces == {"ordinary": (1, 2, 3, 4, 5, 6), "battle": (0, 1, 1, 2, 2, 3)}
    assert (entry.purpose, entry.camp, entry.notation, entry.source) == ("battle", "attack", BIG, "server")
    assert codec.decode(entry.number, codec.encode(entry)) == entry
    before, after = opened.table, done.table
    assert (after.state, after.line, after.undo_to, after.redo_to) == (
        before.state,
        before.line,
        before.undo_to,
        before.redo_to,
    )


@pytest.mark.parametrize(
    ("asked", "where"),
    [
        (attack("cavalry"), "/camp"),
        (attack(move="attack St André Blue>White 9:1"), "/move"),
        (ToRoll(BATTLE, FIEF.read("next"), "attack"), "/move"),
        (ToRoll(BATTLE, FIEF.read("marry Henri Blanche"), "attack"), "/move"),
    ],
    ids=["no such camp", "sums are given", "no dice", "not due"],
)
def test_no_dice_are_rolled_that_nobody_throws(asked: ToRoll, where: str, ledger: Ledger) -> None:
    """A roll that the rules do not provide for is refused with its pointer."""
    opened = recorded_table(ledger, *BEFORE_BIG)
    with pytest.raises(Invalid) as refused:
        host_of(ledger, opened)(asked)
    assert [pointer for pointer, _ in refused.value.field_errors] == [where]


def test_the_same_request_is_the_same_roll(ledger: Ledger) -> None:
    """A repeated roll gets the first result, however late; another roll under its key is refused."""
    opened = recorded_table(ledger, *BEFORE_BIG)
    roll = host_of(ledger, opened, *range(6), *range(6))
    first = roll(attack(), name="once")
    on = first.version - 1
    again = roll(attack(), version=on, name="once")
    assert (again.is_replay, again.entries) == (True, first.entries)
    roll(attack("defence"))
    late = roll(attack(), version=on, name="once")
    assert (late.is_replay, late.entries) == (True, first.entries)
    with pytest.raises(KeyReused):
        roll(attack("defence"), version=on, name="once")
    with pytest.raises(Stale):
        roll(attack(), version=on, name="another")


def test_seats_roll_and_watchers_do_not(ledger: Ledger) -> None:
    """Any seat can roll, in any turn; a watcher cannot."""
    opened = Referee(ledger).open("villefranche", schemas.load(schemas.of(VILLEFRANCHE).setup, {}))
    roll = host_of(ledger, opened, 5, 0, 1, 1)
    for seat, key in opened.keys.seats.items():
        assert roll(TWO, key=key).entries[0].by == seat
    with pytest.raises(Forbidden):
        roll(TWO, key=opened.keys.watch)


def test_every_face_comes_as_often_as_it_is_on_the_die() -> None:
    """Each pick shows a face of the die, and all picks together show all faces."""
    for game in over(rules.GAMES.values()):
        for kind, faces in over(game.dice.items()):
            shown = [roll_dice._throw(game, {kind: 1}, falling(n)).total for n in range(len(faces))]
            assert sorted(shown) == sorted(faces)


def test_what_was_rolled_is_never_undone(ledger: Ledger) -> None:
    """Undo and redo pass over rolls, which stay in the log."""
    opened = Referee(ledger).open("villefranche", schemas.load(schemas.of(VILLEFRANCHE).setup, {}))
    roll, referee, key = host_of(ledger, opened, 0, 1, 2, 3), Referee(ledger), opened.keys.host
    roll(TWO)
    referee.play(ChangeRequest(opened.table.id, key, 2), [AttemptedMove(VILLEFRANCHE.read("r b1c1"))])
    roll(TWO)
    now = referee.table(opened.table.id, key)[0]
    assert (now.line, now.undo_to) == ((3,), 1)
    back = referee.rewind(ChangeRequest(opened.table.id, key, 4), 1).table
    assert (back.state, back.redo_to) == (back.states[0], 3)
    forth = referee.rewind(ChangeRequest(opened.table.id, key, 5), 3).table
    assert forth.state == now.state
    assert [each.number for each in forth.entries if isinstance(each, Rolled)] == [2, 4]


# --- who begins ----------------------------------------------------------------------------------------------------


def beginner(players: Iterable[Any], *picks: int, game: str = "fief") -> Any:
    """The result of a roll for who begins, with these dice."""
    setup = schemas.load(schemas.of(rules.GAMES[game]).setup, {"players": list(players)})
    return roll_dice.roll_for_start(rules.GAMES[game], setup, falling(*picks))


THREE = (
    {"colour": "red", "lord": "Blanche", "village": "Sigy", "name": "Ada"},
    {"colour": "blue", "lord": "Henri", "village": "St Paul"},
    {"colour": "green", "lord": "Othon", "village": "Les Essarts"},
)


def test_whoever_throws_most_begins_and_the_others_follow_as_they_sit() -> None:
    """The highest roll begins; the order around the table and what each player drew stay."""
    found = beginner(THREE, 1, 5, 2)
    assert [player.colour for player in found.setup.players] == ["blue", "green", "red"]
    assert [player.lord for player in found.setup.players] == ["Henri", "Othon", "Blanche"]
    assert [(throw.seat, throw.total) for throw in found.throws] == [("red", 2), ("blue", 6), ("green", 3)]


def test_who_are_level_throw_again_until_one_is_ahead() -> None:
    """Only the tied players throw again, until one is ahead; the log has each round."""
    found = beginner(THREE, 4, 4, 1, 2, 2, 0, 5)
    assert [player.colour for player in found.setup.players] == ["blue", "green", "red"]
    entry = Rolled(2, NOW, "host", "begins", found.throws, {"ordinary": (1, 2, 3, 4, 5, 6)})
    shown: list[list[tuple[Seat | None, int]]] = [[(each.seat, each.total) for each in now] for now in entry.rounds]
    assert shown == [
        [("red", 5), ("blue", 5), ("green", 2)],
        [("red", 3), ("blue", 3)],
        [("red", 1), ("blue", 6)],
    ]
    assert (entry.begins, codec.decode(2, codec.encode(entry))) == ("blue", entry)


@pytest.mark.parametrize(("picks", "black"), [((5, 0), "Ada"), ((0, 5), "Bo")])
def test_where_a_colour_begins_the_die_gives_the_colour(picks: tuple[int, int], black: str) -> None:
    """Where a fixed colour begins, the winner of the roll gets it: names are swapped, and throws keep their players."""
    sat = ({"colour": "black", "name": "Ada"}, {"colour": "white", "name": "Bo"})
    found = beginner(sat, *picks, game="villefranche")
    names: Any = {player.colour: player.name for player in found.setup.players}
    assert names["black"] == black
    assert {names[throw.seat]: throw.total for throw in found.throws} == {"Ada": picks[0] + 1, "Bo": picks[1] + 1}


def test_without_names_no_colour_is_given_by_a_die() -> None:
    """Without names, a roll for a fixed starting colour is refused."""
    with pytest.raises(Invalid) as refused:
        beginner(({"colour": "black"}, {"colour": "white"}), 5, 0, game="villefranche")
    assert [str(each) for _, each in refused.value.field_errors] == ["nobody_begins"]


@pytest.mark.parametrize("game", rules.GAMES.values(), ids=lambda game: game.id)
def test_in_every_game_whoever_the_die_names_begins(game: Any) -> None:
    """In every game, each player can be made the first in turn order, and all still play."""
    path = records_of(game.id)[0]
    setup = schemas.load(schemas.of(game).setup, record_of(path)["setup"])
    names = [f"P{n}" for n, _ in enumerate(setup.players)]
    setup = schemas.load(schemas.of(game).setup, _names(schemas.plain(setup), names))
    seats = game.seats_of(game.setup(setup))
    people = _people(game, setup)
    for place, seat in over(enumerate(seats)):
        now = game.setup_with_starter(setup, place)
        first = game.seats_of(game.setup(now))[0]
        assert _people(game, now)[first] == people[seat]
        assert sorted(_people(game, now).values()) == sorted(names)


def _names(setup: dict[str, Any], names: list[str]) -> dict[str, Any]:
    players = [{**player, "name": name} for player, name in zip(setup["players"], names, strict=True)]
    return {**setup, "players": players}


def _people(game: Any, setup: Any) -> dict[str, str]:
    return dict(sentences.words_with_people("en", game.id, setup).people)


# --- the API -------------------------------------------------------------------------------------------------------


def test_a_program_rolls_and_reads_what_came(api: Api) -> None:
    """A roll is 201 with its entry, as in the log: values and faces of each die. A repeated key replays it."""
    table = api.open()
    body = {"for": "dice", "dice": 3}
    rolled = api.post(f"{table.path}/rolls", body, key=table.host, version=1, idempotency_key="a")
    told: Any = rolled.json
    assert (rolled.status_code, told["version"], rolled.headers["ETag"]) == (201, 2, '"2"')
    (throw,) = told["entries"][0]["throws"]
    assert len(throw["dice"]) == 3
    assert throw["sum"] == sum(die["shows"] for die in throw["dice"])
    assert all(die["shows"] in die["faces"] == [1, 2, 3, 4, 5, 6] for die in throw["dice"])
    again = api.post(f"{table.path}/rolls", body, key=table.host, version=1, idempotency_key="a")
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (again.json or {})["entries"] == told["entries"] == api.log(table)["entries"][1:]


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"for": "dice"}, ["/dice"]),
        ({"for": "dice", "dice": 7}, ["/dice"]),
        ({"for": "dice", "dice": 1, "die": "battle"}, ["/die"]),
        ({"for": "dice", "dice": 1, "camp": "attack"}, ["/camp"]),
        ({"for": "battle", "dice": 1}, ["/camp", "/dice", "/move"]),
        ({"for": "battle", "move": "r b1c1", "camp": "attack"}, ["/move"]),
        ({"for": "begins"}, ["/for"]),
        ({}, ["/for"]),
    ],
    ids=str,
)
def test_a_roll_that_means_nothing_is_refused(body: Any, where: list[str], api: Api) -> None:
    """A malformed roll is 422 with a pointer to each error, and nothing is rolled."""
    table = api.open()
    answer = api.post(f"{table.path}/rolls", body, key=table.host, version=1)
    told: Any = answer.json
    assert (answer.status_code, sorted(each["pointer"] for each in told["errors"])) == (422, where)
    assert len(api.log(table)["entries"]) == 1


def test_a_program_lets_a_die_say_who_begins(api: Api) -> None:
    """`begins: die` logs everyone's throw after the opening, and the winner begins. With moves it is an error."""
    setup = {"players": list(THREE)}
    made: Any = api.post(f"{V1}/tables", {"game": "fief", "setup": setup, "begins": "die"}).json
    log: Any = api.get(f"{V1}/tables/{made['id']}/log", key=made["keys"]["host"]).json
    opened, rolled = log["entries"]
    assert rolled["begins"] == opened["setup"]["players"][0]["colour"]
    assert {throw["by"] for throw in rolled["throws"]} == {"red", "blue", "green"}
    both = {"game": "villefranche", "moves": ["r b1c1"], "begins": "die"}
    told: Any = api.post(f"{V1}/tables", both).json
    assert [each["pointer"] for each in told["errors"]] == ["/begins"]
    nameless: Any = api.post(f"{V1}/tables", {"game": "villefranche", "begins": "die"}).json
    assert [each["pointer"] for each in nameless["errors"]] == ["/setup/players"]
