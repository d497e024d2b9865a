"""What `make chaos` says of its designs, without running one."""

from __future__ import annotations

import pytest

from tests.chaos import __main__ as command
from tests.chaos.designs import DESIGNS, OUTAGE_OF_A_CLUSTER, Design, Result, in_time
from tests.chaos.load import Verdict


def test_every_design_has_a_control_or_says_why_not() -> None:
    """What finds nothing where there is nothing to find proves nothing."""
    controls = {design.name for design in DESIGNS if design.control}
    for design in DESIGNS:
        if not design.control:
            assert (f"{design.name}c" in controls) != bool(design.alone), design.name
    assert controls <= {f"{design.name}c" for design in DESIGNS if not design.control}


@pytest.mark.parametrize(("seconds", "harmed"), [(OUTAGE_OF_A_CLUSTER, False), (OUTAGE_OF_A_CLUSTER + 0.1, True)])
def test_an_outage_that_lasts_too_long_is_wrong(seconds: float, harmed: bool) -> None:
    """Though nothing was lost."""
    result = in_time(Verdict(1, 0, 0, 0, seconds), OUTAGE_OF_A_CLUSTER)
    assert result.harmed == harmed
    assert bool(result.wrong) == harmed


@pytest.mark.parametrize(
    ("found", "control", "said", "status"),
    [
        (Result(), False, "1 as it has to be, 0 not, 0 skipped", 0),
        (Result(wrong=("x",)), False, "0 as it has to be, 1 not, 0 skipped", 1),
        (Result(wrong=("x",)), True, "1 as it has to be, 0 not, 0 skipped", 0),
        (Result(), True, "0 as it has to be, 1 not, 0 skipped", 1),
        (Result(skipped="no wheel"), False, "0 as it has to be, 0 not, 1 skipped: X", 0),
        (Result(broken="Traceback"), True, "0 as it has to be, 1 not, 0 skipped", 1),
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
    """What was skipped did not pass; it has its own count, and its name."""
    monkeypatch.setattr(command, "DESIGNS", (Design("X", "what", lambda _: found, control),))
    assert command.main([]) == status
    assert capsys.readouterr().out.splitlines()[-1] == said
