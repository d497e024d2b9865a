"""Fief: moves with any names of the table in any place, and tables where much stood that the rules forbid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.fief import GAME
from rules.fief.data import COLOURS, Data, land
from rules.fief.elections import vacancies
from rules.fief.moves import (
    Absolve,
    Annul,
    Assassin,
    Attack,
    Bishop,
    BuyCard,
    BuyCardinal,
    BuyCastle,
    BuyTitle,
    Cede,
    Excommunicate,
    Give,
    Inherit,
    Justice,
    King,
    LordsVote,
    March,
    Marry,
    Move,
    Next,
    PlayArc,
    PlayCardinal,
    PlayersVote,
    PlayLord,
    Pope,
    Siege,
    Take,
)
from rules.fief.state import Player, Setup, State
from rules.forms import Malformed
from tests.rules.fief.listed import stand_in
from tests.rules.fief.ways import choose
from tests.rules.play import often, readings
from tests.support.loops import over

PRINTED = land(Data())
MOVES = often(120)
TRIES = 40


def a_setup(chance: Random) -> Setup:
    """Any players with any lords in any villages, under any readings."""
    number = chance.randint(3, 6)
    colours = chance.sample(COLOURS, number)
    lords = chance.sample((*PRINTED.men, *PRINTED.women), number)
    villages = chance.sample(PRINTED.villages, number)
    players = tuple(map(Player, colours, lords, villages))
    return Setup(players, readings=readings(GAME, chance))


class Names:
    """Moves of any kind with names of the table in any place: often nonsense, sometimes not."""

    def __init__(self, state: State, chance: Random) -> None:
        self.state, self.chance = state, chance
        self.all_lords = (*state.land.men, *state.land.women)

    @property
    def lord(self) -> str:
        return self.chance.choice([*self.state.lords] * 3 + [*self.all_lords])

    @property
    def village(self) -> str:
        return self.chance.choice(self.state.land.villages)

    @property
    def fief(self) -> str:
        return self.chance.choice([*self.state.land.fiefs])

    @property
    def colour(self) -> Any:
        return self.chance.choice([*self.state.colours] * 4 + [*COLOURS])

    def some(self, names: Sequence[Any], most: int) -> tuple[Any, ...]:
        known = list(dict.fromkeys(names))
        return tuple(self.chance.sample(known, min(self.chance.randint(0, most), len(known))))

    def maybe(self, name: Any) -> Any:
        return self.chance.choice((None, name))

    def path(self, start: str) -> tuple[str, ...]:
        way = [start]
        for _ in range(self.chance.randint(1, 3)):
            near = self.state.land.roads[way[-1]]
            way.append(self.chance.choice(near) if self.chance.random() < 0.9 else self.village)
        return tuple(way)

    def election(self, form: Any) -> Move:
        candidates = self.some([self.lord for _ in range(3)], 3)
        choices = (*candidates, None, self.lord)
        lords = [LordsVote(self.lord, self.chance.choice(choices)) for _ in range(self.chance.randint(0, 4))]
        made: Move = form(candidates, tuple(lords))
        return made

    def bishop(self) -> Move:
        candidates = self.some([self.lord for _ in range(3)], 3)
        choices = (*candidates, None)
        ballots = [PlayersVote(self.colour, self.chance.choice(choices)) for _ in range(self.chance.randint(0, 3))]
        return Bishop(vacancies.bishopric_due(self.state) or 1, candidates, tuple(ballots))

    def march(self) -> Move:
        first = self.lord
        start = self.state.lords[first].place if first in self.state.lords else self.village
        here = [name for name, lord in self.state.lords.items() if lord.place == start]
        lords = tuple(dict.fromkeys((first, *self.some(here, 2))))
        return March(lords, self.path(start), self.some(self.state.colours, 2))

    def attack(self) -> Move:
        place = self.chance.choice([lord.place for lord in self.state.lords.values()] or [self.village])
        attackers = tuple(dict.fromkeys((self.state.turn or self.colour, *self.some(COLOURS, 1))))
        dice = self.chance.randint(0, 4), self.chance.randint(0, 4)
        return Attack(place, attackers, self.some(self.state.colours, 2), dice)

    def move(self, kind: str) -> Move:
        """A move of a kind. Raises `Malformed` where the form refuses it."""
        at = self.maybe(self.village)
        makers: dict[str, Callable[[], Move]] = {
            "marry": lambda: Marry(self.lord, self.lord),
            "bishop": self.bishop,
            "pope": lambda: self.election(Pope),
            "king": lambda: self.election(King),
            "buy_castle": lambda: BuyCastle(self.village),
            "buy_card": BuyCard,
            "buy_title": lambda: BuyTitle(self.fief, self.lord, at),
            "buy_cardinal": lambda: BuyCardinal(self.lord, self.maybe(self.colour)),
            "lord": lambda: PlayLord(self.chance.choice(self.all_lords), self.village, self.chance.random() < 0.3),
            "cardinal": lambda: PlayCardinal(self.lord, self.maybe(self.colour)),
            "darc": lambda: PlayArc(self.lord),
            "give": lambda: Give(self.fief, self.lord, at),
            "cede": lambda: Cede(self.village, self.colour),
            "move": self.march,
            "attack": self.attack,
            "siege": lambda: Siege(self.village),
            "take": lambda: Take(self.fief, self.lord),
            "heir": lambda: Inherit(self.chance.choice(self.all_lords), self.lord),
            "assassin": lambda: Assassin(self.lord, **self.chance.choice(({"by": self.lord}, {"player": self.colour}))),
            "justice": lambda: Justice(self.lord),
            "excommunicate": lambda: Excommunicate(self.lord),
            "absolve": lambda: Absolve(self.lord),
            "annul": lambda: Annul((self.lord, self.lord)),
            "next": Next,
        }
        return makers[kind]()


def tried(state: State, chance: Random) -> Move:
    """A move with names of the table, mostly of a kind that is due, and then often near to a legal one."""
    names = Names(state, chance)
    due = [kind for kind in GAME.due(state).kinds if kind != "next"] or [*GAME.kinds]
    while True:
        kind = chance.choice(due if chance.random() < 0.9 else [*GAME.kinds])
        with suppress(Malformed):
            other = names.move(kind)
            legal = list(GAME.moves(state, (kind,))) if chance.random() < 0.6 else []
            return crossed(chance.choice(legal), other, chance) if legal else other


def crossed(legal: Move, other: Move, chance: Random) -> Move:
    """A legal move with some of its parts from another one of its kind. Raises `Malformed`."""
    parts = {part.name: getattr(other, part.name) for part in fields(other) if chance.random() < 0.4}
    made: Move = replace(legal, **parts)
    return made


def games(*, standing: float) -> Any:
    """States of games in which moves that the rules may forbid stand as often as this."""

    def played(chance: Random) -> list[tuple[Setup, State]]:
        form = a_setup(chance)
        state = GAME.setup(form)
        states = []
        for number in range(MOVES):
            states.append((form, state))
            move = tried(state, chance) if chance.random() < standing else choose(state, chance, number)
            if move is None:
                break
            if GAME.cannot_stand(state, move) is None:
                state = GAME.apply(state, move)
        return states

    return st.integers(0, 2**32 - 1).map(Random).map(lambda chance: (chance, played(chance)))


slow = settings(max_examples=often(15), deadline=None)


@slow
@given(game=games(standing=0.3))
def test_every_legal_move_with_names_of_the_table_is_listed(game: tuple[Random, list[tuple[Setup, State]]]) -> None:
    """A move that checks legal has its entry in the list; the entry is listed exactly where it is legal itself."""
    chance, states = game
    for _, state in over(states[::4]):
        listed = set(GAME.moves(state))
        assert all(stand_in(state, move) in listed for move in listed)
        for move in (tried(state, chance) for _ in range(TRIES)):
            entry = stand_in(state, move)
            assert GAME.check(state, entry).legal == (entry in listed), (move, entry)
            assert entry in listed or not GAME.check(state, move).legal, (move, entry)


@slow
@given(game=games(standing=0.6))
def test_whatever_stood_leaves_a_table_that_can_be_entered(game: tuple[Random, list[tuple[Setup, State]]]) -> None:
    """At every moment the position has no problems and is the same table again; somebody can go on, or it is over."""
    for form, state in over(game[1]):
        position = GAME.position(state)
        assert GAME.problems(form, position) == ()
        assert GAME.enter(form, position) == state
        assert GAME.due(state).ended or next(GAME.moves(state), None) is not None


@slow
@given(game=games(standing=0.3))
def test_check_has_an_answer_to_any_names(game: tuple[Random, list[tuple[Setup, State]]]) -> None:
    """Whatever is tried, a refused move has its findings, and the nearest moves are legal ones of its kind."""
    chance, states = game
    for _, state in over(states[::6]):
        for move in over(tried(state, chance) for _ in range(5)):
            verdict = GAME.check(state, move)
            assert verdict.legal == (not verdict.broken)
            offered = GAME.nearest(state, move)
            assert all(type(other) is type(move) and GAME.check(state, other).legal for other in offered)


@slow
@given(game=games(standing=0.1))
def test_the_dead_and_the_living_share_the_cards(game: tuple[Random, list[tuple[Setup, State]]]) -> None:
    """Every title is held by a living lord, and no lord is both dead and alive."""
    for _, state in over(game[1]):
        holders = {*state.titles.values(), *state.bishops.values(), *state.cardinals, *state.princes}
        holders |= {name for name in (state.pope, state.king, state.regent, state.arc) if name}
        assert holders <= state.lords.keys()
        assert not state.dead & state.lords.keys()
