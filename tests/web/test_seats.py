"""The phone of one player: what it may enter, and how it says whose turn it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.storage.ledger import Ledger
from tests.support.document import Document
from tests.web.conftest import Visitor

LET_STAND = "Let it stand"


def test_a_seat_plays_in_its_turn_and_lets_stand(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """In its turn a player's phone can place a move, or let a refused one stand; out of turn it only gets rulings."""
    mine, other = visitor(), visitor()
    black = mine.sit(ledger, "villefranche/five_buildings", 0, seat="black")
    white = other.sit(ledger, "villefranche/five_buildings", 0, seat="white")
    assert mine.see(f"{black}?move=r+b9c9").form("/play", move="r b9c9")
    assert LET_STAND in mine.see(f"{black}?move=h+c4").text
    assert "It is Pierre’s turn. This phone plays Jeanne’s side." in other.see(f"{white}?move=r+b9c9").text
    assert LET_STAND not in other.see(f"{white}?move=h+c4").text


def test_when_it_is_nobodys_turn_every_seat_plays(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """In nobody's turn any player's phone can enter a move, but not let a refused one stand."""
    guest = visitor()
    table = guest.sit(ledger, "fief/three_alone", 0, seat="white")
    assert guest.see(f"{table}?move=next").form("/play", move="next")
    refused = guest.see(f"{table}?move=marry+Arthur+Arthur").text
    assert LET_STAND not in refused
    assert "It is not your turn." not in refused


def test_a_card_of_any_time_is_played_out_of_turn(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """Out of turn, a phone can only enter moves that are allowed at any time."""
    guest = visitor()
    table = guest.sit(ledger, "fief/three_alone", 10, seat="white")
    card = "assassin Thierry by Guenièvre"
    assert guest.see(f"{table}?move={card}").form("/play", move=card)
    assert "It is Bruno’s turn. This phone plays Chloé’s side." in guest.see(f"{table}?move=next").text


def test_what_another_player_gives_away_is_not_offered(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """A phone can place the gift of its own player's village; another player's gets a ruling only."""
    guest = visitor()
    table = guest.sit(ledger, "fief/three_alone", 0, seat="white")
    mine, theirs = "cede La Salle Black", "cede Mazilles White"
    assert guest.see(f"{table}?move={mine}").form("/play", move=mine)
    refused = guest.see(f"{table}?move={theirs}")
    assert "This is another player’s move." in refused.text
    assert not [form for to, form in refused.forms if form.get("move") == theirs and to.endswith("/play")]


SEAT_NAMES = {"name-black": "Ada", "name-white": "Bruno"}
"""The names of the players in the form that opens a table."""


def ids(page: Document) -> set[str]:
    """The ids of a page's elements."""
    return {found["id"] or "" for _, found in page.elements if "id" in found}


def by_role(visitor: Callable[..., Visitor], language: str = "en") -> dict[str, tuple[Visitor, str]]:
    """The phones of a table of Villefranche where Ada begins: the host's, each player's, and one that watches."""
    host = visitor(language)
    table = host.open(**SEAT_NAMES)
    phones = {"host": (host, table)}
    for _, found in host.see(f"{table}/share").elements:
        role, key = (found.get("id") or "").removeprefix("link-"), (found.get("value") or "").partition("#")[2]
        if key and role != "host":
            phones[role] = (guest := visitor(language), table)
            guest.client.set_cookie("keys", f"{role}.{key}", path=table)
    return phones


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", {"white": "It is Ada’s turn. This phone plays Bruno’s side."}),
        ("fr", {"white": "C’est à Ada de jouer. Ce téléphone joue pour Bruno."}),
    ],
)
def test_a_phone_says_whose_turn_it_is(visitor: Callable[..., Visitor], language: str, told: dict[str, str]) -> None:
    """A player's phone out of turn says whose turn it is; those of host, watcher and due player do not."""
    phones = by_role(visitor, language)
    assert set(phones) == {"host", "black", "white", "watch"}
    for role, (phone, table) in phones.items():
        for page in ("", "?at=c4", "?move=h+c4", "?kind=rampart"):
            seen = phone.see(table + page)
            assert ("whose" in ids(seen)) == (role in told), (role, page)
            assert told.get(role, "").partition(". ")[2] in seen.text
            # The headline names the player already: the note does so only where something is chosen.
            if role in told:
                assert (told[role] in seen.text) == (page in ("?at=c4", "?move=h+c4"))
            # With something chosen, a small screen has no room for the headline: it stands beside the choice.
            assert ("waits-for" in ids(seen)) == (role == "white" and page in ("?at=c4", "?move=h+c4")), (role, page)


def test_out_of_turn_the_choices_are_what_another_may_do(visitor: Callable[..., Visitor]) -> None:
    """Out of turn, the choices are folded under the due player's name and lead to a ruling; in turn they stand open."""
    phones = by_role(visitor)
    (mine, table), (other, _) = phones["black"], phones["white"]
    theirs, own = other.see(table), mine.see(table)
    assert "Ask what Ada may do" in theirs.text
    assert "Ask what Ada may do" not in own.text
    assert ("t-1" in ids(theirs), "k-1" in ids(theirs)) == (True, False)
    assert ("t-1" in ids(own), "k-1" in ids(own)) == (False, True)
    asked = other.see(f"{table}?move=r+b9c9")
    assert "Legal" in asked.text
    assert not [form for to, form in asked.forms if to.endswith("/play")]


def test_out_of_turn_what_goes_at_any_time_is_offered(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """Moves allowed out of turn stand apart from those of the due player."""
    guest = visitor()
    page = guest.see(guest.sit(ledger, "fief/three_alone", 10, seat="white"))
    assert {"whose", "theirs", "s-1"} <= ids(page)


def test_the_head_of_a_phone_names_its_player(visitor: Callable[..., Visitor]) -> None:
    """A player's phone has that player's name in its head, and marks the player on the strip."""
    guest, table = by_role(visitor)["white"]
    head, _, rest = guest.get(table).text.partition("</header>")
    assert "Bruno" in head and "White" not in head
    assert rest.count("this phone") == 1


def test_the_free_seat_is_shared_first(visitor: Callable[..., Visitor]) -> None:
    """The first seat without entries comes first and unfolded; the host's link, which allows everything, comes last."""
    phones = by_role(visitor)
    (host, table), (mine, _) = phones["host"], phones["black"]

    def share_links() -> list[tuple[str, bool]]:
        elements = host.see(f"{table}/share").elements
        unfolded = ["open" in found for tag, found in elements if tag == "details"]
        links = [found["id"] or "" for _, found in elements if (found.get("id") or "").startswith("link-")]
        assert unfolded[len(links) :] == [False], "the form for a public view"
        return list(zip((link.removeprefix("link-") for link in links), unfolded, strict=False))

    assert share_links() == [("black", True), ("white", False), ("watch", False), ("host", False)]
    mine.place(table, "r b9c9")
    assert share_links() == [("white", True), ("black", False), ("watch", False), ("host", False)]
