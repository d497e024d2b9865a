"""What `make chaos` reports about its designs, without running one."""

from __future__ import annotations

import pytest

from tests.chaos import __main__ as command
from tests.chaos.designs import BAD_NETWORK, DESIGNS, OUTAGE_OF_A_CLUSTER, Design, Result, in_time
from tests.chaos.load import Verdict


def test_every_design_has_a_control_or_says_why_not() -> None:
    """Every design has either a control or a reason without one, and every control has its design."""
    controls = {design.name for design in DESIGNS if design.control}
    for design in DESIGNS:
        if not design.control:
            assert (f"{design.name}c" in controls) != bool(design.alone), design.name
    assert controls <= {f"{design.name}c" for design in DESIGNS if not design.control}


@pytest.mark.parametrize(("seconds", "harmed"), [(OUTAGE_OF_A_CLUSTER, False), (OUTAGE_OF_A_CLUSTER + 0.1, True)])
def test_an_outage_that_lasts_too_long_is_wrong(seconds: float, harmed: bool) -> None:
    """A change that takes too long is late, and the result harmed, though nothing was lost."""
    result = in_time(Verdict(1, 0, 0, 0, seconds), OUTAGE_OF_A_CLUSTER)
    assert result.is_harmed == harmed
    assert bool(result.late) == harmed


@pytest.mark.parametrize(
    ("found", "control", "said", "status"),
    [
        (Result(), False, "1 as it has to be, 0 not, 0 skipped, 0 too small", 0),
        (Result(wrong=("x",)), False, "0 as it has to be, 1 not, 0 skipped, 0 too small", 1),
        (Result(late=("x",)), False, "0 as it has to be, 1 not, 0 skipped, 0 too small", 1),
        (Result(wrong=("x",)), True, "1 as it has to be, 0 not, 0 skipped, 0 too small", 0),
        (Result(), True, "0 as it has to be, 1 not, 0 skipped, 0 too small", 1),
        (Result(skip_reason="no wheel"), False, "0 as it has to be, 0 not, 1 skipped: X, 0 too small", 0),
        (Result(failure="Traceback"), True, "0 as it has to be, 1 not, 0 skipped, 0 too small", 1),
    ],
)
def test_the_last_line_counts_what_was_found(
    found: Result,
    control: bool,
    said: str,
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A skipped design did not pass; the last line counts it apart, and names it."""
    monkeypatch.setattr(command, "DESIGNS", (Design("X", "what", lambda _: found, control),))
    assert command.main([]) == status
    assert capsys.readouterr().out.splitlines()[-1] == said


def one(monkeypatch: pytest.MonkeyPatch, found: Result, *, control: bool = False) -> None:
    """Replace all designs by one with this result."""
    monkeypatch.setattr(command, "DESIGNS", (Design("X", "what", lambda _: found, control),))


def test_a_control_that_finds_nothing_at_a_small_scale_is_too_small(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It neither fails nor passes. At the whole scale it is wrong; a design that is no control passes."""
    one(monkeypatch, Result(), control=True)
    assert command.main(["--scale", "0.1"]) == 0
    said = capsys.readouterr().out
    assert "too small: it found nothing at 0.1 of its scale" in said
    assert "FOUND NOTHING" not in said
    assert said.splitlines()[-1] == "0 as it has to be, 0 not, 0 skipped, 1 too small: X"
    assert command.main(["--scale", "1"]) == 1
    assert "FOUND NOTHING" in capsys.readouterr().out
    one(monkeypatch, Result(wrong=("x",)), control=True)
    assert command.main(["--scale", "0.1"]) == 0
    assert "red, as it has to be" in capsys.readouterr().out
    one(monkeypatch, Result())
    assert command.main(["--scale", "0.1"]) == 0
    assert "too small: it" not in capsys.readouterr().out


def test_no_time_looks_at_none(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """With `--no-time` a late change passes, and no time is printed. The control: a lost change still fails."""
    slow = Result(Verdict(1, 0, 0, 0, 51.0, p99=7.0), late=("outage: 51.00 s",))
    one(monkeypatch, slow)
    assert command.main([]) == 1
    assert "51.00 s" in capsys.readouterr().out
    assert command.main(["--no-time"]) == 0
    said = capsys.readouterr().out
    assert not [word for word in ("51", "slowest", "p99", "outage") if word in said]
    one(monkeypatch, Result(Verdict(1, 1, 0, 0, 51.0)))
    assert command.main(["--no-time"]) == 1


def test_a_change_that_takes_51_seconds_through_bad_networks_is_wrong() -> None:
    """A change that takes longer than `BAD_NETWORK` is harm; one that takes just as long is not."""
    assert in_time(Verdict(1, 0, 0, 0, 51.0), BAD_NETWORK).is_harmed
    assert not in_time(Verdict(1, 0, 0, 0, BAD_NETWORK), BAD_NETWORK).is_harmed
