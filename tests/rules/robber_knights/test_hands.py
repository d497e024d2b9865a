"""What the tiles laid tell of the hands (`RK-12`), against a search through every way to read the letters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.robber_knights.hands import (
    Hands,
    PlayedTile,
    hands_after,
    hands_at_start,
    lay,
    may_lay,
    possible_faces,
    possible_letters,
)
from rules.robber_knights.tiles import CASTLE_TILES, DECK, FACES, LETTERS, Face, Letter
from tests.rules.play import often
from tests.support.loops import over

LAYOUTS: list[list[tuple[Face, int | None]]] = [
    [("plain", None), ("plain village", None), ("mountain", None), ("plain village", None)],
    [("plain", 0), ("plain village", None), ("mountain", None), ("plain village", None)],
    [("plain", None), ("plain village", None), ("plain", None), ("plain village", None)],
    [("plain", None), ("mountain", 1), ("plain village", 0), ("plain", None), ("mountain", None), ("plain", 2)],
    [
        ("plain", None),
        ("mountain", None),
        ("plain village", None),
        ("plain", None),
        ("mountain", None),
        ("plain", None),
    ],
]


def tiles_seen(letter: Letter, number: int) -> int:
    """How many tiles of a letter a player has seen who has laid `number` tiles, as the specification counts them."""
    return 2 if letter == "A" else min(max(number - 5 * (LETTERS.index(letter) - 1), 0), 5)


@cache
def is_explained(kept: Face, tiles: tuple[PlayedTile, ...]) -> bool:
    """Whether some choice of the letters that were not entered makes every tile possible, for this kept tile."""
    deck = {letter: list(faces) for letter, faces in DECK.items()} | {"A": ["plain castle", kept]}
    used: dict[tuple[Letter, Face], int] = {}
    laid = dict.fromkeys(LETTERS, 0)

    def go(number: int) -> bool:
        if number == len(tiles):
            return True
        tile = tiles[number]
        if tile.stood:
            return go(number + 1)
        for letter in [tile.letter] if tile.letter else LETTERS:
            copy = (letter, tile.face)
            if laid[letter] < tiles_seen(letter, number) and used.get(copy, 0) < deck[letter].count(tile.face):
                used[copy] = used.get(copy, 0) + 1
                laid[letter] += 1
                if go(number + 1):
                    return True
                used[copy] -= 1
                laid[letter] -= 1
        return False

    return go(0)


@cache
def dealings(players: int, layout: tuple[tuple[Face, int | None], ...]) -> list[tuple[Face, ...]]:
    """Every way in which the kept tiles can be shared out: the other two of each player are the layout, backs too."""
    found = []
    for kept in product(CASTLE_TILES, repeat=players):
        gave = [(face, player) for player, own in enumerate(kept) for face in CASTLE_TILES if face != own]
        backs = [back for back in layout if back[1] is not None]
        if sorted(face for face, _ in gave) == sorted(face for face, _ in layout) and set(backs) <= set(gave):
            found.append(kept)
    return found


def are_explained(
    players: int, layout: Sequence[tuple[Face, int | None]], laid: Sequence[Sequence[PlayedTile]]
) -> bool:
    """Whether anything explains all tiles of all players together."""
    hands = [tuple(own) for own in laid]
    return any(all(map(is_explained, kept, hands)) for kept in dealings(players, tuple(layout)))


letters = st.none() | st.sampled_from(LETTERS)
tiles = st.tuples(st.sampled_from(sorted(FACES)), letters).map(lambda tile: PlayedTile(*tile))


@settings(max_examples=often(150), deadline=None)
@given(layout=st.sampled_from(LAYOUTS), data=st.data())
def test_a_tile_is_refused_only_if_nothing_explains_it(
    layout: list[tuple[Face, int | None]], data: st.DataObject
) -> None:
    """Tile by tile, by players in any order, with and without letters, some of which stand although refused."""
    players = len(layout) // 2
    hands = hands_at_start(players, layout)
    laid: list[list[PlayedTile]] = [[] for _ in range(players)]
    least = data.draw(st.sampled_from((1, 10, 20)))
    for player in over(data.draw(st.lists(st.integers(0, players - 1), min_size=least, max_size=22))):
        before = laid[player]
        faces = possible_faces(hands, player, len(before))
        assert faces == [face for face in FACES if can_draw(layout, laid, player, PlayedTile(face))]
        assert possible_letters(hands, player, before) == letters_of_tiles(hands, player, before)
        tile = data.draw(tiles | st.sampled_from([PlayedTile(face) for face in faces]))
        after = lay(hands, player, before, tile)
        assert (after is not None) == can_draw(layout, laid, player, tile)
        hands = after or hands
        before.append(tile._replace(stood=after is None))
        assert hands == hands_after(hands_at_start(players, layout), laid)


def test_a_tile_is_refused_as_it_is_laid_in_a_position_that_nothing_explains() -> None:
    """After any first tile, as a position may be entered with it: what may be laid is what tells of the hands."""
    start, ruled = hands_at_start(2, LAYOUTS[1]), set()
    for first, second in product(FACES, repeat=2):
        before = [PlayedTile(first)]
        hands = hands_after(start, [before, []])
        allowed = may_lay(hands, 0, before, second, None)
        assert possible_letters(hands, 0, before) == letters_of_tiles(hands, 0, before)
        assert allowed == (lay(hands, 0, before, PlayedTile(second)) is not None), (first, second)
        ruled.add((bool(hands.kept_options), allowed))
    assert {(False, False), (True, True)} <= ruled


def letters_of_tiles(hands: Hands, player: int, before: Sequence[PlayedTile]) -> tuple[Letter, ...]:
    """The letters with which a player may lay any tile next."""
    return tuple(
        letter for letter in LETTERS if any(may_lay(hands, player, before, face, letter) for face in DECK[letter])
    )


def can_draw(
    layout: Sequence[tuple[Face, int | None]], laid: Sequence[Sequence[PlayedTile]], player: int, tile: PlayedTile
) -> bool:
    """Whether a player can have this tile next."""
    after = [[*own, tile] if number == player else own for number, own in enumerate(laid)]
    return are_explained(len(laid), layout, after)


def pile(order: Sequence[Sequence[Face]], hand: list[Face], choices: list[int]) -> list[PlayedTile]:
    """All tiles of a player in the order laid: two in hand, one of them laid, one drawn, to the last."""
    left = [face for letter in order for face in letter]
    laid = []
    for choice in choices:
        laid.append(PlayedTile(hand.pop(choice % len(hand))))
        if left:
            hand.append(left.pop(0))
    return laid


@settings(max_examples=often(100), deadline=None)
@given(data=st.data(), kept=st.sampled_from(CASTLE_TILES))
def test_whatever_is_played_from_a_real_pile_is_explained(data: st.DataObject, kept: Face) -> None:
    """A game played with a shuffled pile and a hand of two is never refused."""
    order = [data.draw(st.permutations(DECK[letter])) for letter in LETTERS[1:]]
    choices = data.draw(st.lists(st.integers(0, 1), min_size=22, max_size=22))
    hands = hands_at_start(
        2, [(face, 0) for face in CASTLE_TILES if face != kept] + [(face, 1) for face in CASTLE_TILES[:2]]
    )
    laid: list[PlayedTile] = []
    for tile in pile(order, ["plain castle", kept], choices):
        after = lay(hands, 0, laid, tile)
        assert after is not None
        hands = after
        laid.append(tile)
    assert possible_faces(hands, 0, 22) == []
