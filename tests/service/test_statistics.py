"""Statistics of results, compared with figures worked out by hand."""

from __future__ import annotations

from service.groups.statistics import PlayerStatistics, compute_statistics
from service.tables.results import Player, Result

CHESS, GO = "chess", "go"


def result(day: str, game: str, *players: tuple[str, int | None, bool]) -> Result:
    """A result; its id is its day."""
    return Result(day, game, day, tuple(Player(*player) for player in players))


EVENINGS = {
    2: result("2026-01-01", CHESS, ("Ada", 10, True), ("Ben", 7, False)),
    3: result("2026-01-02", CHESS, ("Ada", 8, True), ("Ben", 8, False)),  # a tie-break decided
    4: result("2026-01-03", GO, ("ben ", 31, True), ("Ada", 12, False), ("Cleo", 20, False)),
    5: result("2026-01-04", CHESS, ("Ada", 15, True), ("Cleo", 6, False)),
    6: result("2026-01-05", CHESS, ("Ada", 5, False), ("Ben", 5, False)),  # a draw
    7: result("2026-01-06", GO, ("Ada", None, True), ("Cleo", None, True), ("Ben", None, False)),
}


def test_players_are_counted_over_all_games() -> None:
    """Ada won 4 of 6: two in a row, a loss, one, a draw, one. Ben is one player, whatever the case of his name."""
    ada, cleo, ben = compute_statistics(EVENINGS).players
    assert ada == PlayerStatistics(
        "Ada", played=6, won=4, streak=1, longest_streak=2, scored_games=5, total=50, best=15
    )
    assert ada.average == 10
    assert cleo == PlayerStatistics(
        "Cleo", played=3, won=1, streak=1, longest_streak=1, scored_games=2, total=26, best=20
    )
    assert ben == PlayerStatistics(
        "Ben", played=5, won=1, streak=0, longest_streak=1, scored_games=4, total=51, best=31
    )


def test_each_game_is_counted_by_itself() -> None:
    """Games are listed by how often they were played, with the best score and the clearest win."""
    chess, go = compute_statistics(EVENINGS).games
    assert (chess.game, chess.played, chess.best, chess.clearest) == (CHESS, 4, (("Ada",), 15), ((5,), 9))
    assert (go.game, go.played, go.best, go.clearest) == (GO, 2, (("Ben",), 31), ((4,), 11))
    assert chess.players == (
        PlayerStatistics("Ada", played=4, won=3, streak=0, longest_streak=3, scored_games=4, total=38, best=15),
        PlayerStatistics("Cleo", played=1, won=0, streak=0, longest_streak=0, scored_games=1, total=6, best=6),
        PlayerStatistics("Ben", played=3, won=0, streak=0, longest_streak=0, scored_games=3, total=20, best=8),
    )


def test_all_who_hold_a_record_are_named() -> None:
    """All players with the best score and all results with the largest margin are listed; without points, none."""
    level = {1: EVENINGS[2], 2: result("2026-01-09", CHESS, ("Cleo", 10, True), ("Ada", 7, False)), 3: EVENINGS[6]}
    (chess,) = compute_statistics(level).games
    assert (chess.best, chess.clearest) == ((("Cleo", "Ada"), 10), ((1, 2), 3))
    (go,) = compute_statistics({1: EVENINGS[7]}).games
    assert (go.best, go.clearest) == (None, None)


def test_a_margin_is_of_points_that_decided() -> None:
    """A tie-break, a draw and a game without points have no margin; for joint winners the lowest score counts."""
    assert [each.margin for each in EVENINGS.values()] == [3, None, 11, 9, None, None]
    together = result("2026-02-01", GO, ("Ada", 4, True), ("Ben", 6, True), ("Cleo", 1, False))
    assert together.margin == 3
    for told in ({"by_points": False}, {"game": "villa_paletti"}, {"game": "fief"}):
        assert EVENINGS[2]._replace(**told).margin is None
    assert EVENINGS[2]._replace(by_points=True, game="villefranche").margin == 3
    beaten_by_less = result("2026-02-02", GO, ("Ada", 1, True), ("Ben", 6, False))
    assert beaten_by_less.margin is None


def test_nothing_adds_up_to_nothing() -> None:
    """A new group's statistics are empty."""
    assert compute_statistics({}) == (0, (), ())
