"""Questions about Fief with unknown villages, on the pages."""

from __future__ import annotations

from collections.abc import Callable

from tests.web.conftest import Visitor
from tests.web.test_asking import Asker

Visitors = Callable[..., Visitor]


def test_a_village_is_entered_whole_or_unknown(visitor: Visitors) -> None:
    """At first nothing is known; a village of which one thing is said is known; a tap makes it unknown again."""
    hand = Asker(visitor(), "/ask/fief")
    every = hand.html.count("unseen-mark")
    assert every == 24
    hand.click("c-sigy")
    hand.choose("Red")
    assert hand.html.count("unseen-mark") == every - 1
    hand.choose("unknown")
    assert hand.html.count("unseen-mark") == every
    hand.choose("nobody")
    assert hand.html.count("unseen-mark") == every - 1


def test_the_rest_is_empty(visitor: Visitors) -> None:
    """One tap says that nothing else is there, and a village may still be unknown."""
    hand = Asker(visitor("fr"), "/ask/fief")
    hand.choose("est vide")
    assert "unseen-mark" not in hand.html
    hand.click("c-sigy")
    hand.choose("inconnu")
    assert hand.html.count("unseen-mark") == 1
