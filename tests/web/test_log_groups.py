"""The log is grouped by phase and turn, and shows notation where it is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from service.ledger import Ledger
from tests.web.conftest import Visitor

GROUP = re.compile(r'<h2 class="turn">(.*?)</h2>\s*<ol class="log" reversed start="(\d+)">(.*?)</ol>', re.DOTALL)
TAGS = re.compile(r"<[^>]*>")


def grouped(page: str) -> list[tuple[str, int, list[int]]]:
    """The groups of a page of the log: what each is called, where it starts, and the numbers of its entries."""
    return [
        (" ".join(TAGS.sub(" ", title).split()), int(start), list(map(int, re.findall(r'id="e-(\d+)"', rows))))
        for title, start, rows in GROUP.findall(page)
    ]


def test_entries_stand_below_their_phase_and_whose_turn_it_was(visitor: Callable[..., Visitor], ledger: Ledger) -> None:
    """Each group names another phase or turn than its neighbour, and together they are the log."""
    for name, titles in (
        ("fief/three_alone", {"Marriages", "Election of the bishops", "Purchases Ada", "Movements Bruno"}),
        ("villefranche/gate_decides", {"Pierre", "Jeanne"}),
    ):
        guest = visitor()
        groups = grouped(guest.get(guest.sit(ledger, name, 60) + "/log").text)
        assert titles <= {title for title, *_ in groups}
        assert all(one[0] != other[0] for one, other in pairwise(groups))
        assert all(start == numbers[0] for _, start, numbers in groups)
        assert [number for *_, numbers in groups for number in numbers] == list(range(61, 1, -1))


def test_what_is_no_move_stands_in_the_turn_in_which_it_was_entered(visitor: Callable[..., Visitor]) -> None:
    """An undo follows the move of its turn, and notation is there for those who ask."""
    guest = visitor()
    table = guest.open()
    guest.place(table, "r b9c9")
    guest.send(guest.see(table).form("/rewind", to="1"))
    page = guest.get(f"{table}/log").text
    assert [(title, start) for title, start, _ in grouped(page)] == [("Black", 3)]
    assert 'type="checkbox" id="notation"' in page and "<code>r b9c9</code>" in page
