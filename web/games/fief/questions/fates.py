"""Asks for marriages, heirs, and moves at any time: murder, justice, and the acts of the pope."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, cast

from rules.fief.combats import conquest
from rules.fief.data import Colour
from rules.fief.lords import is_man, lords_of, pairs
from rules.fief.moves import Absolve, Annul, Assassin, Excommunicate, Inherit, Justice, Marry, Move, Take
from rules.fief.state import State
from web.game_pages import Draft
from web.games.fief.questions.asker import Asker, CandidateAnswer, first_legal


def _all(state: State) -> list[str]:
    """The living lords, player by player."""
    order = state.land.order
    return sorted(state.lords, key=lambda name: (state.colours.index(state.lords[name].player), order[name]))


# --- marriages ---------------------------------------------------------------------------------------------------


def _marry(asker: Asker) -> Draft[Move]:
    """A man, then a woman."""
    state = asker.state
    lords = _all(state)
    men = [name for name in lords if is_man(state, name)]
    women = [name for name in lords if not is_man(state, name)]
    if not men or not women:
        return Draft((), lines=(asker.say("nobody_to_marry"),))
    candidates = [asker.lord(man, first_legal(state, (Marry(man, woman) for woman in women))) for man in men]
    man = asker.choose("man", asker.say("marry_man"), candidates)
    if man is None:
        return asker.draft()
    woman = asker.choose("woman", asker.say("marry_woman"), [asker.lord(woman, Marry(man, woman)) for woman in women])
    return asker.draft(Marry(man, woman) if woman else None)


def couples_text(asker: Asker) -> str:
    """The existing alliances, by their spouses."""
    couples = [asker.say("pair", one=one, other=other) for _, (one, other) in pairs(asker.state)]
    return asker.say("couples", pairs=tuple(couples)) if couples else ""


# --- the receivers of titles -------------------------------------------------------------------------------------


def _take(asker: Asker) -> Draft[Move] | None:
    """The lord who takes the title of the captured city."""
    captured = asker.state.captured
    if captured is None:
        return None
    city = str(conquest.capture(asker.state)["village"])
    return _one_lord(
        asker, asker.say("take_who", village=city), lambda name: Take(captured.fief, name), captured.player
    )


def _heir(asker: Asker) -> Draft[Move] | None:
    """The heir of the dead lord in question."""
    if not asker.state.estates:
        return None
    estate = asker.state.estates[0]
    return _one_lord(
        asker, asker.say("heir_who", dead=estate.lord), lambda name: Inherit(estate.lord, name), estate.player
    )


def _one_lord(asker: Asker, title: str, move: Callable[[str], Move], player: str | None = None) -> Draft[Move]:
    """A question for one lord, of a player or of all, and no other question."""
    names = _all(asker.state) if player is None else lords_of(asker.state, player)
    lord = asker.choose("lord", title, [asker.lord(name, move(name)) for name in names])
    return asker.draft(move(lord) if lord else None)


# --- at any time -------------------------------------------------------------------------------------------------


def _assassin(asker: Asker) -> Draft[Move]:
    """The victim, then the instigator: a lord, or, under one reading, only the player."""
    state = asker.state
    candidates = [asker.lord(name, first_legal(state, _murders(state, name))) for name in _all(state)]
    victim = asker.choose("lord", asker.say("assassin_whom"), candidates)
    if victim is None:
        return asker.draft()
    hidden = state.readings["assassin_instigator"] == "hidden"
    if hidden:
        candidates = [
            CandidateAnswer(player, asker.words.player(player), Assassin(victim, player=player))
            for player in state.colours
        ]
    else:
        candidates = [asker.lord(name, Assassin(victim, by=name)) for name in _all(state)]
    by = asker.answer_among("by", (each.name for each in candidates))
    asker.ask("by", asker.say("assassin_hidden" if hidden else "assassin_by"), candidates, by)
    if by is None:
        return asker.draft()
    return asker.draft(Assassin(victim, player=cast("Colour", by)) if hidden else Assassin(victim, by=by))


def _murders(state: State, victim: str) -> Iterator[Assassin]:
    if state.readings["assassin_instigator"] == "hidden":
        yield from (Assassin(victim, player=player) for player in state.colours)
    else:
        yield from (Assassin(victim, by=name) for name in state.lords)


def _annul(asker: Asker) -> Draft[Move]:
    """The pair whose marriage is annulled."""
    state, order = asker.state, asker.state.land.order
    pairs = [
        (name, lord.spouse) for name, lord in state.lords.items() if lord.spouse and order[name] < order[lord.spouse]
    ]
    candidates = [
        CandidateAnswer(
            one, asker.say("pair", one=asker.full_name(one), other=asker.full_name(other)), Annul((one, other))
        )
        for one, other in pairs
    ]
    if not candidates:
        return Draft((), lines=(asker.say("no_pair"),))
    chosen = asker.choose("pair", asker.say("annul_which"), candidates)
    return asker.draft(next((each.move for each in candidates if each.name == chosen), None))


KINDS: Final[Mapping[str, Callable[[Asker], Draft[Move] | None]]] = {
    "marry": _marry,
    "take": _take,
    "heir": _heir,
    "assassin": _assassin,
    "justice": lambda asker: _one_lord(asker, asker.say("justice_whom"), Justice),
    "excommunicate": lambda asker: _one_lord(asker, asker.say("excommunicate_whom"), Excommunicate),
    "absolve": lambda asker: _one_lord(asker, asker.say("absolve_whom"), Absolve),
    "annul": _annul,
}
