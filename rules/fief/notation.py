"""Fief: the short text form of a move, and back. Lords and fiefs are one word, villages may be several."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from rules.caches import cache
from rules.fief import moves, votes
from rules.fief.data import SPOKEN_COLOURS, WORD, WORDS
from rules.fief.moves import Election, Move
from rules.forms import Malformed

_P = f"(?:{'|'.join(sorted(SPOKEN_COLOURS))})"
_PS = f"{_P}(?:,{_P})*"
_CANDIDATES = f"(?P<candidates>-|{WORD}(?:,{WORD})*)"
_BALLOTS = r"(?:; (?P<ballots>\S+(?: \S+)*))?"
_CONSENT = f"(?: !(?P<consent>{_P}))?"
_AT = f"(?: at (?P<at>{WORDS}))?"
_LORD = f"(?P<lord>{WORD})"
_VILLAGE = f"(?P<village>{WORDS})"
_N = "(?:0|[1-9][0-9]{0,2})"


def _election(make: Any, vote: Any) -> Callable[[re.Match[str]], Move]:
    def read_move(match: re.Match[str]) -> Move:
        names = match["candidates"]
        candidates = () if names == "-" else tuple(names.split(","))
        ballots = tuple(_ballot(vote, text) for text in (match["ballots"] or "").split(" ") if text)
        rest: Move = make(match)(candidates, ballots)
        return rest

    return read_move


def _ballot(vote: Any, text: str) -> Any:
    match = (_A_PLAYERS_VOTE if vote is votes.PlayersVote else _A_LORDS_VOTE).fullmatch(text)
    if match is None:
        raise Malformed("ballot", text=text)
    voter = match["voter"].lower() if vote is votes.PlayersVote else match["voter"]
    return vote(voter, None if match["choice"] == "-" else match["choice"])


_CHOICE = f"(?P<choice>-|{WORD})"
_A_PLAYERS_VOTE = re.compile(f"(?P<voter>{_P})>{_CHOICE}")
_A_LORDS_VOTE = re.compile(f"(?P<voter>{WORD})>{_CHOICE}")


def _colour(text: str | None) -> Any:
    return None if text is None else text.lower()


def _colours(text: str | None) -> Any:
    return tuple(text.lower().split(",")) if text else ()


def _assassin(match: re.Match[str]) -> Move:
    lord, by = match["lord"], match["by"]
    return moves.Assassin(lord, player=_colour(by)) if by in SPOKEN_COLOURS else moves.Assassin(lord, by)


def _attack(match: re.Match[str]) -> Move:
    dice = int(match["one"]), int(match["two"])
    return moves.Attack(match["village"], _colours(match["attackers"]), _colours(match["enemies"]), dice)


READ: tuple[tuple[str, Callable[[re.Match[str]], Move]], ...] = (
    (f"marry (?P<man>{WORD}) (?P<woman>{WORD})", lambda m: moves.Marry(m["man"], m["woman"])),
    (
        f"bishop (?P<n>[1-5]): {_CANDIDATES}{_BALLOTS}",
        _election(lambda m: lambda c, b: votes.Bishop(int(m["n"]), c, b), votes.PlayersVote),
    ),
    (f"pope: {_CANDIDATES}{_BALLOTS}", _election(lambda _: votes.Pope, votes.LordsVote)),
    (f"king: {_CANDIDATES}{_BALLOTS}", _election(lambda _: votes.King, votes.LordsVote)),
    (f"buy castle {_VILLAGE}", lambda m: moves.BuyCastle(m["village"])),
    ("buy card", lambda _: moves.BuyCard()),
    (f"buy title (?P<fief>{WORD}) {_LORD}{_AT}", lambda m: moves.BuyTitle(m["fief"], m["lord"], m["at"])),
    (f"buy cardinal {_LORD}{_CONSENT}", lambda m: moves.BuyCardinal(m["lord"], _colour(m["consent"]))),
    (
        f"lord {_LORD} (?P<village>{WORD}(?: {WORD}){{0,4}}?)(?P<dauphin> dauphin)?",
        lambda m: moves.PlayLord(m["lord"], m["village"], m["dauphin"] is not None),
    ),
    (f"cardinal {_LORD}{_CONSENT}", lambda m: moves.PlayCardinal(m["lord"], _colour(m["consent"]))),
    (f"darc {_LORD}", lambda m: moves.PlayArc(m["lord"])),
    (f"give (?P<fief>{WORD}) {_LORD}{_AT}", lambda m: moves.Give(m["fief"], m["lord"], m["at"])),
    (f"cede {_VILLAGE} (?P<player>{_P})", lambda m: moves.Cede(m["village"], _colour(m["player"]))),
    (
        rf"move (?P<lords>{WORD}(?:\+{WORD})*) (?P<path>{WORDS}(?:>{WORDS})+)(?: !(?P<consents>{_PS}))?",
        lambda m: moves.March(tuple(m["lords"].split("+")), tuple(m["path"].split(">")), _colours(m["consents"])),
    ),
    (f"attack {_VILLAGE} (?P<attackers>{_PS})>(?P<enemies>{_PS}) (?P<one>{_N}):(?P<two>{_N})", _attack),
    (f"siege {_VILLAGE}", lambda m: moves.Siege(m["village"])),
    (f"take (?P<fief>{WORD}) {_LORD}", lambda m: moves.Take(m["fief"], m["lord"])),
    (f"heir (?P<dead>{WORD}) (?P<heir>{WORD})", lambda m: moves.Inherit(m["dead"], m["heir"])),
    (f"assassin {_LORD} by (?P<by>{WORD})", _assassin),
    (f"justice {_LORD}", lambda m: moves.Justice(m["lord"])),
    (f"excommunicate {_LORD}", lambda m: moves.Excommunicate(m["lord"])),
    (f"absolve {_LORD}", lambda m: moves.Absolve(m["lord"])),
    (f"annul (?P<one>{WORD}) (?P<other>{WORD})", lambda m: moves.Annul((m["one"], m["other"]))),
    ("next", lambda _: moves.Next()),
)
"""The pattern of each line, and the move that it stands for."""


def _first_word(text: str) -> str:
    return text.partition(" ")[0].partition(":")[0]


_FIRST_WORDS = frozenset(_first_word(regex) for regex, _ in READ)


@cache()  # of `_FIRST_WORDS` alone: expressions are compiled where such a line is read, and not at every start
def _lines(word: str) -> tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Move]], ...]:
    """The patterns of the lines that begin with a word."""
    return tuple((re.compile(regex), make) for regex, make in READ if _first_word(regex) == word)


def read(text: str) -> Move:
    """``marry Henri Blanche``, ``buy castle Sigy``, ``next`` … -> the move."""
    word = _first_word(text)
    if word not in _FIRST_WORDS:
        raise Malformed("unknown_kind", text=word)
    for line, make in _lines(word):
        match = line.fullmatch(text)
        if match is not None:
            return make(match)
    raise Malformed("notation", text=text)


# --- writing -----------------------------------------------------------------------------------------------------


def colour_text(colour: str) -> str:
    """A colour in the notation."""
    return colour.capitalize()


def _camp(colours: tuple[str, ...]) -> str:
    return ",".join(map(colour_text, colours))


def _written_election(move: Election) -> str:
    office = f"{move.kind} {move.bishopric}" if isinstance(move, votes.Bishop) else move.kind
    line = f"{office}: {','.join(move.candidates) or '-'}"
    voters = [colour_text(each.voter) if isinstance(each, votes.PlayersVote) else each.voter for each in move.ballots]
    choices = [each.choice or "-" for each in move.ballots]
    ballots = [f"{voter}>{choice}" for voter, choice in zip(voters, choices, strict=True)]
    return f"{line}; {' '.join(ballots)}" if ballots else line


def _at(village: str | None) -> str:
    return "" if village is None else f" at {village}"


def _consent_text(colours: tuple[str | None, ...]) -> str:
    players = tuple(colour for colour in colours if colour is not None)
    return f" !{_camp(players)}" if players else ""


WRITE: Mapping[type[Move], Callable[[Any], str]] = {
    moves.Marry: lambda m: f"marry {m.man} {m.woman}",
    votes.Bishop: _written_election,
    votes.Pope: _written_election,
    votes.King: _written_election,
    moves.BuyCastle: lambda m: f"buy castle {m.village}",
    moves.BuyCard: lambda _: "buy card",
    moves.BuyTitle: lambda m: f"buy title {m.fief} {m.lord}{_at(m.at)}",
    moves.BuyCardinal: lambda m: f"buy cardinal {m.lord}{_consent_text((m.consent,))}",
    moves.PlayLord: lambda m: f"lord {m.lord} {m.village}{' dauphin' if m.dauphin else ''}",
    moves.PlayCardinal: lambda m: f"cardinal {m.lord}{_consent_text((m.consent,))}",
    moves.PlayArc: lambda m: f"darc {m.lord}",
    moves.Give: lambda m: f"give {m.fief} {m.lord}{_at(m.at)}",
    moves.Cede: lambda m: f"cede {m.village} {colour_text(m.player)}",
    moves.March: lambda m: f"move {'+'.join(m.lords)} {'>'.join(m.path)}{_consent_text(m.consents)}",
    moves.Attack: lambda m: f"attack {m.village} {_camp(m.attackers)}>{_camp(m.enemies)} {m.dice[0]}:{m.dice[1]}",
    moves.Siege: lambda m: f"siege {m.village}",
    moves.Take: lambda m: f"take {m.fief} {m.lord}",
    moves.Inherit: lambda m: f"heir {m.dead} {m.heir}",
    moves.Assassin: lambda m: f"assassin {m.lord} by {m.by or colour_text(m.player)}",
    moves.Justice: lambda m: f"justice {m.lord}",
    moves.Excommunicate: lambda m: f"excommunicate {m.lord}",
    moves.Absolve: lambda m: f"absolve {m.lord}",
    moves.Annul: lambda m: f"annul {m.spouses[0]} {m.spouses[1]}",
    moves.Next: lambda _: "next",
}


def write(move: Move) -> str:
    """The move -> its line."""
    return WRITE[type(move)](move)
