"""A styled name, which sentences say in full, equals the bare name, whatever its words."""

from __future__ import annotations

from itertools import product

from rules.styled_name import StyledName
from tests.support.loops import over

STYLED_NAMES = [StyledName("Anne", code, {"n": n}) for code, n in product(("countess", "queen"), (1, 2))]


def test_a_name_is_equal_to_the_bare_name_and_to_itself_in_the_same_words_only() -> None:
    """Equal either way round, and with the hash of the bare name."""
    for one, other in over(product(STYLED_NAMES, repeat=2)):
        assert one == "Anne" == one
        assert one != "Beatrix"
        assert (one == other) == (one is other)
        assert (one != other) == (one is not other)
        assert hash(one) == hash("Anne")
