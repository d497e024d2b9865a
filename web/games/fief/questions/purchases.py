"""Asks for purchases, cards, gifts and exchanges: what, for whom and where."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Final, cast

from rules.fief.data import RANKS, Colour
from rules.fief.lords import castles_of, city_of, controlled_villages, lords_of
from rules.fief.moves import (
    BuyCard,
    BuyCardinal,
    BuyCastle,
    BuyTitle,
    Cede,
    Give,
    Move,
    PlayArc,
    PlayCardinal,
    PlayLord,
)
from rules.fief.purchases.cardinals import consenting_player
from rules.fief.purchases.lord_cards import entries
from rules.fief.purchases.purse import prices_of_titles, purse, title_price
from rules.fief.state import State
from web.game_pages import Draft
from web.games.fief.questions.asker import NO, YES, Asker, CandidateAnswer, first_legal


def purchase_note(asker: Asker, kind: str, *, possible: bool) -> str:
    """The price of a purchase; or the objection to the most nearly legal one, if none of this kind is possible."""
    if kind not in TRIES:
        return ""
    if not possible:
        moves = tuple(TRIES[kind](asker.state))
        return asker.objection(first_legal(asker.state, moves)) if moves else ""
    prices = asker.state.land.prices
    ranks = prices_of_titles(asker.state)
    costs = {"castle": prices.castle, "cardinal": prices.cardinal, "card": prices.card, **ranks}
    return asker.say(f"costs_{kind}", **costs) if kind.startswith("buy_") else ""


def purse_of(asker: Asker) -> str:
    """The money left in the purse of the player in turn."""
    income, left = purse(asker.state, asker.state.turn or asker.state.first)
    return asker.say("purse", left=left, income=income)


def unspent_note(asker: Asker) -> str:
    """The part of the income that is lost if the player in turn spends nothing more."""
    state = asker.state
    left = purse(state, state.turn).money_left if state.phase == "purchases" and state.turn else 0
    return asker.say("unspent", n=left) if left > 0 else ""


# --- castles and cards bought ------------------------------------------------------------------------------------


def _castle(asker: Asker, _: str, village: str | None) -> Draft[Move]:
    """The places for a castle."""
    sites = _own_villages(asker, village)
    candidates = [CandidateAnswer(name, name, BuyCastle(name)) for name in sites]
    site = asker.choose("at", asker.say("castle_where"), candidates, village)
    return asker.draft(BuyCastle(site) if site else None, asker.cells("at", candidates))


def _own_villages(asker: Asker, village: str | None) -> list[str]:
    """The villages of the player in turn, and the tapped one."""
    state = asker.state
    return [name for name in state.land.villages if state.control.get(name) == state.turn or name == village]


# --- titles of fiefs, bought and given ---------------------------------------------------------------------------

Title = BuyTitle | Give


def _title(asker: Asker, kind: str, village: str | None) -> Draft[Move]:
    """The fief, its lord, and the castle that becomes the city, if there are several."""
    state, form = asker.state, BuyTitle if kind == BuyTitle.kind else Give
    if not _receivers(state, form):
        return Draft((), lines=(asker.say("no_lords"),))
    fiefs = list(state.land.fiefs)
    first = {fief: first_legal(state, _titles(state, form, fief)) for fief in fiefs}
    candidates = [
        CandidateAnswer(fief, fief_name(asker, fief), first[fief], note=_price(asker, form, fief)) for fief in fiefs
    ]
    fief = asker.choose(
        "fief", asker.say(f"{kind}_which"), candidates, state.land.fief_of[village] if village else None
    )
    if fief is None:
        return asker.draft()
    lords = [asker.lord(name, first_legal(state, _titles(state, form, fief, name))) for name in _receivers(state, form)]
    lord = asker.choose("lord", asker.say("title_for"), lords)
    if lord is None:
        return asker.draft()
    castles = [] if city_of(state, fief) else castles_of(state, fief, state.lords[lord].player)
    if len(castles) < 2:
        return asker.draft(form(fief, lord))
    sites = [CandidateAnswer(name, name, form(fief, lord, name)) for name in castles]
    site = asker.choose("at", asker.say("city_where"), sites)
    return asker.draft(form(fief, lord, site) if site else None)


def _receivers(state: State, form: type[Title]) -> list[str]:
    """The lords to consider for a title: one's own, or for a gift all."""
    return lords_of(state, state.turn) if form is BuyTitle else sorted(state.lords, key=state.land.order.__getitem__)


def _titles(state: State, form: type[Title], fief: str, name: str | None = None) -> Iterator[Move]:
    """Every way to get a fief's title, to a lord or to any."""
    names = (name,) if name else _receivers(state, form)
    for lord, site in product(names, (None, *state.land.fiefs[fief])):
        yield form(fief, lord, site)


def fief_name(asker: Asker, fief: str) -> str:
    """A fief by its rank and its villages."""
    villages = asker.state.land.fiefs[fief]
    return asker.say(f"fief_{RANKS[len(villages)]}", villages=villages)


def _price(asker: Asker, form: type[Title], fief: str) -> str:
    return asker.say("price", n=title_price(asker.state, fief)) if form is BuyTitle else ""


# --- cardinals ---------------------------------------------------------------------------------------------------


def _cardinal(asker: Asker, kind: str, _: str | None) -> Draft[Move]:
    """The lord who becomes a cardinal; and the consent of another player's pope, if needed."""
    state = asker.state
    form: type[BuyCardinal | PlayCardinal] = BuyCardinal if kind == BuyCardinal.kind else PlayCardinal
    consenter = consenting_player(state, form)
    lords = [asker.lord(name, form(name, consenter)) for name in lords_of(state, state.turn)]
    lord = asker.choose("lord", asker.say("cardinal_who"), lords)
    if consenter is None or lord is None:
        return asker.draft(form(lord) if lord else None)
    consent = asker.yes_or_no("consent")
    title = asker.say("pope_consents", pope=asker.full_name(state.pope or ""), colour=consenter)
    asker.questions_so_far.append(asker.consent("consent", title))
    return asker.draft(None if consent is None else form(lord, consenter if consent == YES else None))


# --- lords and d'Arc ---------------------------------------------------------------------------------------------


def _lord(asker: Asker, _: str, village: str | None) -> Draft[Move]:
    """The lord who comes into play, the place, and whether as crown prince."""
    state, land = asker.state, asker.state.land
    places = entries(state, state.turn)
    first = village or next(iter(places), land.villages[0])
    lords = [asker.lord(name, PlayLord(name, first)) for name in (*land.men, *land.women) if name not in state.lords]
    lord = asker.choose("lord", asker.say("lord_which"), lords)
    sites = _own_villages(asker, village) if lords else []
    candidates = [CandidateAnswer(name, name, PlayLord(lord or lords[0].name, name)) for name in sites]
    at = asker.choose("at", asker.say("lord_where"), candidates, village)
    cells = asker.cells("at", candidates)
    if lord is None or at is None:
        return asker.draft(cells=cells)
    prince = asker.yes_or_no("prince")
    if asker.legal(PlayLord(lord, at, dauphin=True)):
        asker.questions_so_far.append(asker.line("prince", asker.say("dauphin"), asker.yes_no(), prince or NO))
    else:
        prince = None
    return asker.draft(PlayLord(lord, at, prince == YES), cells)


def _arc(asker: Asker, _: str, __: str | None) -> Draft[Move]:
    """The woman who gets d'Arc's card."""
    lords = [asker.lord(name, PlayArc(name)) for name in lords_of(asker.state, asker.state.turn)]
    lord = asker.choose("lord", asker.say("darc_who"), lords)
    return asker.draft(PlayArc(lord) if lord else None)


# --- exchanges ---------------------------------------------------------------------------------------------------


def _cede(asker: Asker, _: str, village: str | None) -> Draft[Move]:
    """The village that its controller gives away, perhaps only the player's in turn, and the player who gets it."""
    state = asker.state
    if state.readings["exchanges"] == "any_time":
        villages = [name for name in state.land.villages if name in state.control or name == village]
    else:
        villages = _own_villages(asker, village)
    candidates = [CandidateAnswer(name, name, Cede(name, _others(state, name)[0])) for name in villages]
    place = asker.choose("at", asker.say("cede_which"), candidates, village)
    others: dict[str, str] = {colour: asker.words.player(colour) for colour in _others(state, place)}
    player = asker.answer_among("to", others)
    asker.questions_so_far.append(asker.line("to", asker.say("cede_whom"), others, player))
    return asker.draft(Cede(place, cast("Colour", player)) if place and player else None, asker.cells("at", candidates))


def _others(state: State, village: str | None) -> list[Colour]:
    """The players who can get a village: all but its controller."""
    giver = state.control.get(village) if village is not None else state.turn
    return [colour for colour in state.colours if colour != giver]


# --- what there is -----------------------------------------------------------------------------------------------

KINDS: Final[Mapping[str, Callable[[Asker, str, str | None], Draft[Move]]]] = {
    "buy_castle": _castle,
    "buy_card": lambda *_: Draft((), BuyCard()),
    "buy_title": _title,
    "give": _title,
    "buy_cardinal": _cardinal,
    "cardinal": _cardinal,
    "lord": _lord,
    "darc": _arc,
    "cede": _cede,
}


def _of_own_lords(form: Callable[[str], Move]) -> Callable[[State], Iterator[Move]]:
    return lambda state: (form(name) for name in lords_of(state, state.turn))


def _of_fiefs(form: type[Title]) -> Callable[[State], Iterator[Move]]:
    return lambda state: (move for fief in state.land.fiefs for move in _titles(state, form, fief))


TRIES: Final[Mapping[str, Callable[[State], Iterator[Move]]]] = {
    "buy_castle": lambda state: (BuyCastle(village) for village in controlled_villages(state, state.turn)),
    "buy_card": lambda _: iter((BuyCard(),)),
    "buy_title": _of_fiefs(BuyTitle),
    "give": _of_fiefs(Give),
    "buy_cardinal": _of_own_lords(BuyCardinal),
    "cardinal": _of_own_lords(PlayCardinal),
    "darc": _of_own_lords(PlayArc),
}
"""Moves to try. If no move of a kind is legal, their rulings show why."""
