"""The benchmarks report which figures are bad; no test asserts the figures."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks import measure
from benchmarks.measure import Figure, Ratio, ratio_of, report


@pytest.mark.parametrize(
    ("figure", "record", "faults"),
    [
        (Figure("a", 1.2, goal=1.3), None, 0),
        (Figure("a", 1.4, goal=1.3), None, 1),
        (Figure("a", 1.2, goal=1.3, spread=0.05), (1.1, 0.15), 0),
        (Figure("a", 1.2, goal=1.3, spread=0.15), (1.1, 0.05), 0),
        (Figure("a", 1.2, goal=1.3, spread=0.05), (1.1, 0.05), 1),
        (Figure("a", 1.4, goal=1.3, spread=0.05), (1.1, 0.05), 2),
        (Figure("a", 190, goal=200, unit="ms"), (100, 1), 0),
        (Figure("a", 210, goal=200, unit="ms"), (500, 1), 1),
    ],
)
def test_a_figure_over_its_goal_or_worse_than_before_is_bad(
    figure: Figure, record: tuple[float, float] | None, faults: int
) -> None:
    """A figure is bad over its goal; a ratio also if it is worse than before by more than the spread."""
    assert len(figure.faults({} if record is None else {"a": record})) == faults


def test_a_ratio_is_the_middle_of_its_slices() -> None:
    """One disturbed slice changes neither the ratio nor its spread by much."""
    assert ratio_of([1.0, 1.125, 1.25, 1.375, 1.5, 1.625, 90.0]) == Ratio(1.375, 0.25)


def test_a_bad_figure_ends_the_run_with_1(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The run names the bad figure. With RECORD, its figures become those that later runs are compared with."""
    monkeypatch.setattr(measure, "RECORDS", tmp_path / "figures.json")
    figures = iter([1.5, 1.5, 1.6, 1.4])
    fake = SimpleNamespace(main=lambda: report("Words.", "a-name", Ratio(next(figures), 0.02), 2.0))
    monkeypatch.setattr(benchmarks, "import_module", lambda _: fake)
    ends = []
    for record in ("1", "", "", ""):
        monkeypatch.setenv("RECORD", record)
        measure.FIGURES.clear()
        ends.append(benchmarks.main(["post"]))
    measure.FIGURES.clear()
    assert ends == [0, 0, 1, 0]
    assert "a-name: 1.60, worse than 1.50" in capsys.readouterr().out
