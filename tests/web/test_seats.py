"""What a phone may enter that holds one player's key."""

from __future__ import annotations

from collections.abc import Callable

from service.ledger import Ledger
from tests.web.conftest import Visitor

LET_STAND = "Let it stand"


def test_a_seat_plays_in_its_turn_and_lets_stand(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """In its turn a player's phone places, and what the rules refuse it may let stand; out of turn it only asks."""
    mine, other = visitor(), visitor()
    black = mine.sit(ledger, "villefranche/five_buildings", 0, seat="black")
    white = other.sit(ledger, "villefranche/five_buildings", 0, seat="white")
    assert mine.see(f"{black}?move=r+b9c9").form("/play", move="r b9c9")
    assert LET_STAND in mine.see(f"{black}?move=h+c4").text
    assert "It is not your turn." in other.see(f"{white}?move=r+b9c9").text
    assert LET_STAND not in other.see(f"{white}?move=h+c4").text


def test_when_it_is_nobodys_turn_every_seat_plays(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """An entry of nobody's turn is made on any player's phone; only the host may let one stand there."""
    guest = visitor()
    table = guest.sit(ledger, "fief/three_alone", 0, seat="white")
    assert guest.see(f"{table}?move=next").form("/play", move="next")
    refused = guest.see(f"{table}?move=marry+Arthur+Arthur").text
    assert LET_STAND not in refused
    assert "It is not your turn." not in refused


def test_a_card_of_any_time_is_played_out_of_turn(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """In another player's turn one plays what may be played at any time, and nothing else."""
    guest = visitor()
    table = guest.sit(ledger, "fief/three_alone", 10, seat="white")
    card = "assassin Thierry by Guenièvre"
    assert guest.see(f"{table}?move={card}").form("/play", move=card)
    assert "It is not your turn." in guest.see(f"{table}?move=next").text


def test_what_another_player_gives_away_is_not_offered(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """An exchange of one's own village is placed from here, and that of another player's is only judged."""
    guest = visitor()
    table = guest.sit(ledger, "fief/three_alone", 0, seat="white")
    mine, theirs = "cede La Salle Black", "cede Mazilles White"
    assert guest.see(f"{table}?move={mine}").form("/play", move=mine)
    refused = guest.see(f"{table}?move={theirs}")
    assert "This is another player’s move." in refused.text
    assert not [form for to, form in refused.forms if form.get("move") == theirs and to.endswith("/play")]
