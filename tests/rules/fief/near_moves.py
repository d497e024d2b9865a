"""Fief: moves that are nearly those of a position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from random import Random
from typing import Any

from rules.fief import GAME
from rules.fief.data import COLOURS
from rules.fief.elections import vacancies
from rules.fief.moves import (
    Absolve,
    Annul,
    Assassin,
    Attack,
    BuyCard,
    BuyCardinal,
    BuyCastle,
    BuyTitle,
    Cede,
    Excommunicate,
    Give,
    Inherit,
    Justice,
    March,
    Marry,
    Move,
    Next,
    PlayArc,
    PlayCardinal,
    PlayLord,
    Siege,
    Take,
)
from rules.fief.state import State
from rules.fief.votes import Bishop, King, LordsVote, PlayersVote, Pope
from rules.forms import Malformed


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


def move_to_try(state: State, chance: Random) -> Move:
    """A move with names of the table, mostly of a kind that is due, and then often near to a legal one."""
    names = Names(state, chance)
    due = [kind for kind in GAME.due(state).kinds if kind != "next"] or [*GAME.kinds]
    while True:
        kind = chance.choice(due if chance.random() < 0.9 else [*GAME.kinds])
        with suppress(Malformed):
            other = names.move(kind)
            legal = list(GAME.moves(state, (kind,))) if chance.random() < 0.6 else []
            return cross(chance.choice(legal), other, chance) if legal else other


def cross(legal: Move, other: Move, chance: Random) -> Move:
    """A legal move with some of its parts from another one of its kind. Raises `Malformed`."""
    parts = {part.name: getattr(other, part.name) for part in fields(other) if chance.random() < 0.4}
    made: Move = replace(legal, **parts)
    return made
