"""Fief: the lords who may be in play without having been entered, as far as they matter for a move.

Such a lord stands in a village that was not entered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, Final, TypeAlias

from rules.fief import moves, votes
from rules.fief.data import Colour
from rules.fief.lords import city_of
from rules.fief.moves import Move
from rules.fief.state import StandingLord, State
from rules.fief.unknowns.gaps import Scope
from rules.records import dataclass

Group: TypeAlias = "tuple[StandingLord, ...]"
"""Lords who come into play together."""


@dataclass(frozen=True, slots=True)
class _Pool:
    """The lords and villages that were not entered and are still available."""

    state: State
    men: tuple[str, ...]
    women: tuple[str, ...]
    places: tuple[str, ...]
    """The villages that the rules of the move look at, then any other one."""

    def man(self, player: Colour, n: int = 0, place: str | None = None, **titles: object) -> StandingLord | None:
        """The man with this number, if there are enough men."""
        return self._one(self.men, n, player, place, titles)

    def woman(self, player: Colour, n: int = 0, place: str | None = None, **titles: object) -> StandingLord | None:
        """The woman with this number, if there are enough women."""
        return self._one(self.women, n, player, place, titles)

    def _one(
        self, names: Sequence[str], n: int, player: Colour, place: str | None, titles: Mapping[str, Any]
    ) -> StandingLord | None:
        if n >= len(names):
            return None
        return StandingLord(names[n], player, place or self.places[-1], **titles)

    def free_bishoprics(self) -> list[int]:
        """The bishoprics without a bishop who was entered."""
        return [number for number in sorted(self.state.land.bishoprics) if number not in self.state.bishops]

    def fiefs(self) -> list[str]:
        """The fiefs with a city whose holder was not entered."""
        return [f for f in self.state.land.fiefs if f not in self.state.titles and city_of(self.state, f) is not None]


def _pool(state: State, scope: Scope, but: Iterable[str], villages: Sequence[str] = ()) -> _Pool:
    excluded = set(but)
    men, women = (
        tuple(name for name in names if name in scope.lords and name not in excluded)
        for names in (state.land.men, state.land.women)
    )
    near = [village for village in villages if village in scope.villages]
    far = [village for village in scope.villages if village not in near]
    return _Pool(state, men, women, (*near, *far[:1]))


def alone(state: State, scope: Scope, but: Iterable[str], player: Colour, *, man: bool) -> Iterator[StandingLord]:
    """A player's lord without a title who was not entered; none if all lords, or all villages, were entered."""
    pool = _pool(state, scope, but)
    if scope.villages:
        one = pool.man(player) if man else pool.woman(player)
        if one is not None:
            yield one


# --- a lord whom the move names ----------------------------------------------------------------------------------


def somebody(
    state: State,
    scope: Scope,
    name: str,
    colours: Sequence[Colour],
    title_colours: Sequence[Colour],
    villages: Sequence[str],
) -> Iterator[Group]:
    """A lord who was not entered, in play: of each player, in each place, and with each single title and mark of some
    players.
    """
    pool = _pool(state, scope, (name,), villages)
    for colour in colours:
        yield from ((StandingLord(name, colour, place),) for place in pool.places)
    place, man = pool.places[0], name in state.land.men
    for colour in title_colours:
        yield from ((StandingLord(name, colour, place, **titles),) for titles in _titles(pool, man=man))
        other = next((each for each in colours if each != colour), colour)
        spouse = pool.woman(other, spouse=name) if man else pool.man(other, spouse=name)
        if spouse is not None:
            yield StandingLord(name, colour, place), spouse


def _titles(pool: _Pool, *, man: bool) -> Iterator[dict[str, Any]]:
    """Every single title and mark that is still available."""
    yield from ({mark: True} for mark in ("excommunicated", "marked"))
    yield from ({"fiefs": (fief,)} for fief in pool.fiefs()[:1])
    if man:
        yield from ({"bishop": (number,)} for number in pool.free_bishoprics()[:1])
        yield from ({office: True} for office in ("king", "pope"))
        yield from ({"bishop": (number,), "cardinal": "card"} for number in pool.free_bishoprics()[:1])
    else:
        yield from ({office: True} for office in ("arc", "regent"))


# --- all others --------------------------------------------------------------------------------------------------


def company(
    state: State,
    move: Move,
    scope: Scope,
    but: Iterable[str],
    colours: Sequence[Colour],
    villages: Sequence[str],
) -> Iterator[Group]:
    """Groups of lords who were not entered: nobody, and those who can change the ruling on a move of this kind."""
    pool = _pool(state, scope, but, villages)
    yield ()
    for way in _ways(state, move, scope):
        for group in way(pool, colours, move):
            found = tuple(lord for lord in group if lord is not None)
            if len(found) == len(group):
                yield found


def _ways(state: State, move: Move, scope: Scope) -> Iterable[Way]:
    if isinstance(move, moves.Next):
        return PHASES.get(state.phase, ())
    if isinstance(move, moves.March):
        return (_plain,) if scope.may_have_siege else ()
    return WAYS.get(type(move), ())


Maybe: TypeAlias = "tuple[StandingLord | None, ...]"
Way: TypeAlias = "Callable[[_Pool, Sequence[Colour], Move], Iterator[Maybe]]"


def _plain(pool: _Pool, colours: Sequence[Colour], _: Move) -> Iterator[Maybe]:
    """A lord without a title of each player, in each place that the rules of the move look at."""
    for colour in colours:
        yield from ((pool.man(colour, place=place),) for place in pool.places)


def _married_pair(pool: _Pool, colours: Sequence[Colour], _: Move) -> Iterator[Maybe]:
    """Two married lords of two players."""
    for one, other in permutations(colours, 2):
        man = pool.man(one)
        yield man, pool.woman(other, spouse=man.name if man else None)


def _pope(pool: _Pool, colours: Sequence[Colour], _: Move) -> Iterator[Maybe]:
    yield from ((pool.man(colour, pope=True),) for colour in colours)


def _excommunicated_lords(pool: _Pool, colours: Sequence[Colour], _: Move) -> Iterator[Maybe]:
    yield (pool.man(colours[0], excommunicated=True),)
    yield (pool.woman(colours[0], excommunicated=True),)
    for colour in colours:
        yield pool.man(colour, pope=True), pool.man(colour, 1, excommunicated=True)


def _king(pool: _Pool, colours: Sequence[Colour], _: Move) -> Iterator[Maybe]:
    yield from ((pool.man(colour, king=True),) for colour in colours)


def _queen(pool: _Pool, colours: Sequence[Colour], _: Move) -> Iterator[Maybe]:
    """A queen, or a regent, of each player."""
    for colour in colours:
        other = next((each for each in colours if each != colour), colour)
        king = pool.man(other, king=True)
        yield king, pool.woman(colour, spouse=king.name if king else None)
        yield (pool.woman(colour, regent=True),)


def _cardinals(pool: _Pool, colours: Sequence[Colour], _: Move) -> Iterator[Maybe]:
    """One cardinal with each kind of title; two cardinals; three with cards."""
    for origin in ("card", "title"):
        yield from ((pool.man(colour, cardinal=origin),) for colour in colours)
    for n in (2, 3):
        yield tuple(pool.man(colours[0], number, cardinal="card") for number in range(n))
    yield pool.man(colours[0], cardinal="title"), pool.man(colours[0], 1, cardinal="card")


def _bishops(pool: _Pool, colours: Sequence[Colour], move: Move) -> Iterator[Maybe]:
    """A bishop of each free see; of all free sees; of all but the one that the move is about."""
    sees = pool.free_bishoprics()
    for number in sees:
        yield from ((pool.man(colour, bishop=(number,)),) for colour in colours)
    yield tuple(pool.man(colours[0], n, bishop=(number,)) for n, number in enumerate(sees))
    others = [number for number in sees if number != getattr(move, "bishopric", None)]
    yield tuple(pool.man(colours[0], n, bishop=(number,)) for n, number in enumerate(others))


def _titled_lords(pool: _Pool, colours: Sequence[Colour], _: Move) -> Iterator[Maybe]:
    """Just enough titled lords for the election of a king, with the church among them, or one lord too few."""
    sees = pool.free_bishoprics()
    for n in range(1, len(sees) + 1):
        yield tuple(pool.man(colours[0], number, bishop=(see,)) for number, see in enumerate(sees[:n]))
    yield pool.man(colours[0], cardinal="card"), pool.man(colours[0], 1, cardinal="card")
    yield tuple(pool.man(colours[0], number, cardinal="card") for number in range(3))


def _arc(pool: _Pool, colours: Sequence[Colour], _: Move) -> Iterator[Maybe]:
    yield from ((pool.woman(colour, arc=True),) for colour in colours[:2])


def _holder(pool: _Pool, colours: Sequence[Colour], move: Move) -> Iterator[Maybe]:
    """The holder of the fief that the move is about, with this fief alone, as king, or with all other fiefs."""
    fief = getattr(move, "fief", None)
    if fief in pool.fiefs():
        for colour in colours:
            yield (pool.man(colour, fiefs=(fief,)),)
            yield (pool.man(colour, fiefs=(fief,), king=True),)
            yield (pool.man(colour, fiefs=tuple(pool.fiefs())),)
            yield pool.man(colour, fiefs=(fief,)), pool.man(colours[0], 1, king=True)


def _camps(pool: _Pool, colours: Sequence[Colour], move: Move) -> Iterator[Maybe]:
    """Fighters and churchmen of each player in the place that the rules of the move look at first, one and many; and
    there a fighter of each player in the camps.
    """
    named = (*getattr(move, "attackers", ()), *getattr(move, "enemies", ()))
    yield tuple(pool.man(colour, n, pool.places[0]) for n, colour in enumerate(named))
    for colour in colours:
        for place in pool.places[:1]:
            yield (pool.man(colour, place=place, bishop=tuple(pool.free_bishoprics()[:1])),)
            yield (pool.woman(colour, place=place),)
            yield (pool.woman(colour, place=place, arc=True),)
            yield tuple(pool.man(colour, n, place) for n in range(len(pool.men)))


WAYS: Final[Mapping[type[Move], tuple[Way, ...]]] = {
    moves.Marry: (_married_pair,),
    votes.Bishop: (_bishops, _cardinals, _pope),
    votes.Pope: (_pope, _cardinals),
    votes.King: (_king, _titled_lords),
    moves.BuyCastle: (_plain,),
    moves.BuyTitle: (_plain,),
    moves.BuyCardinal: (_cardinals, _pope),
    moves.PlayCardinal: (_cardinals, _pope),
    moves.PlayLord: (_queen, _king),
    moves.PlayArc: (_arc,),
    moves.Give: (_king, _queen, _holder, _plain),
    moves.Attack: (_plain, _camps),
    moves.Siege: (_plain,),
    moves.Assassin: (_plain,),
    moves.Justice: (_plain,),
    moves.Excommunicate: (_pope, _excommunicated_lords),
    moves.Absolve: (_pope,),
    moves.Annul: (_pope,),
}
"""Kind of move -> the lords who can change its ruling."""
PHASES: Final[Mapping[str, tuple[Way, ...]]] = {
    "bishops": (_bishops,),
    "pope": (_pope, _cardinals),
    "king": (_king, _titled_lords),
}
"""The same for the end of a phase in which an election may be due."""
