"""Values that a worker makes once: one at a time, in slices, charged to no request."""

from __future__ import annotations

import gevent
import pytest
from gevent.lock import Semaphore

from rules.steps import REST, at_most, spend
from service.runtime import first_use
from service.runtime.first_use import Once


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patch sleep and lock with gevent's, so that greenlets yield as in a worker."""
    monkeypatch.setattr("service.runtime.budget.time.sleep", gevent.sleep)
    monkeypatch.setattr(first_use, "Lock", Semaphore)


def dear(made: list[str], name: str = "") -> str:
    """A value that takes many steps."""
    for _ in range(20 * REST):
        spend()
    made.append(name)
    return f"made {name}"


def test_many_wait_for_the_same_one_while_others_have_their_turn(turns: None) -> None:
    """Ten callers at once: the value is made once, all get it, and another greenlet runs meanwhile."""
    made: list[str] = []
    heard: list[int] = []
    page = Once(lambda name: dear(made, name))

    def other() -> None:
        while not made:
            heard.append(len(made))
            gevent.sleep(0)

    asking = [gevent.spawn(page, "docs") for _ in range(10)]
    beside = gevent.spawn(other)
    gevent.joinall(asking, raise_error=True)
    beside.get()
    assert {each.value for each in asking} == {"made docs"}
    assert made == ["docs"]
    assert len(heard) >= 10


def test_two_are_made_one_after_the_other(turns: None) -> None:
    """Two languages requested at once are made one after the other."""
    begun: list[str] = []
    ended: list[str] = []

    def make(name: str) -> str:
        assert begun == ended
        begun.append(name)
        return dear(ended, name)

    page = Once(make)
    gevent.joinall([gevent.spawn(page, name) for name in ("en", "fr", "en", "fr")], raise_error=True)
    assert begun == ended == ["en", "fr"]


def test_the_steps_are_nobodys() -> None:
    """The first request is neither charged for a shared value nor refused because of it."""
    made: list[str] = []
    rested: list[int] = []
    page = Once(lambda name: dear(made, name))
    with at_most(REST, lambda: rested.append(1)) as effort:
        page("x")
    assert (effort.steps, rested) == (0, [])


def test_what_could_not_be_made_is_tried_again() -> None:
    """A failed attempt is not cached, and the next caller tries again."""
    tried: list[int] = []

    def make() -> str:
        tried.append(1)
        if len(tried) == 1:
            raise OSError("not now")
        return "made"

    page = Once(make)
    with pytest.raises(OSError, match="not now"):
        page()
    assert [page(), page(), len(tried)] == ["made", "made", 2]
    page.cache_clear()
    assert [page(), len(tried)] == ["made", 3]
