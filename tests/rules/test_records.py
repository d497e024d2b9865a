"""`rules.records.dataclass` makes the classes that the standard decorator makes."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from threading import Barrier, Thread
from typing import Any, ClassVar

import pytest

from rules import records


class Heap:
    """A class with every kind of field."""

    size: int
    name: str = "heap"
    marks: tuple[str, ...] = field(default=(), compare=False)
    history: list[int] = field(default_factory=list, compare=False, repr=False)
    double: int = field(init=False, repr=False, compare=False)
    kind: ClassVar[str] = "heap"

    def __post_init__(self) -> None:
        """Refuse a negative number, and set `double`."""
        if self.size < 0:
            raise ValueError("no heap")
        object.__setattr__(self, "double", 2 * self.size)


def make(decorate: Callable[..., Any], *, slots: bool) -> Any:
    """Decorate a new copy of the class."""
    own = {
        name: getattr(Heap, name)
        for name in ("__annotations__", "__doc__", "__module__", "__post_init__", "kind", "name")
    }
    factories = {
        "marks": field(default=(), compare=False),
        "history": field(default_factory=list, compare=False, repr=False),
        "double": field(init=False, repr=False, compare=False),
    }
    return decorate(frozen=True, slots=slots)(type("Heap", (), own | factories))


both_kinds = pytest.mark.parametrize("slots", [True, False])


@both_kinds
@pytest.mark.parametrize(
    "ask",
    [
        lambda made: repr(made(1)),
        lambda made: made(1) == made(1, history=[1]),
        lambda made: made(1) == made(2),
        lambda made: made(1) == 1,
        lambda made: hash(made(1)) == hash(made(1, marks=("a",))),
        lambda made: hash(made(1)),
        lambda made: made(1, "a", ("b",)).double,
        lambda made: made(1).history is made(1).history,
        lambda made: made(),
        lambda made: made(-1),
        lambda made: setattr(made(1), "size", 2),
        lambda made: delattr(made(1), "size"),
        lambda made: dataclasses.replace(made(1), size=3).double,
        lambda made: dataclasses.astuple(made(1)),
        lambda made: copy.copy(made(1, history=[4])).history,
        lambda made: copy.deepcopy(made(1, history=[4])).history,
        lambda made: {made(1): "found"}[made(1)],
        lambda made: made.__match_args__,
        lambda made: hasattr(made(1), "__dict__"),
        lambda made: made.kind,
        lambda made: [(each.name, each.type) for each in dataclasses.fields(made)],
        lambda made: (
            dataclasses.dataclass(frozen=True)(type("Child", (made,), {"__annotations__": {"more": int}})) is not None
        ),
        lambda made: type("Plain", (made,), {})(1).double,
    ],
)
def test_what_is_asked_of_it_has_the_standard_answer(ask: Callable[[Any], object], slots: bool) -> None:
    """A new class and a used one both behave as the standard decorator's class."""

    def answer(made: Any) -> object:
        try:
            return ask(made)
        except (AttributeError, TypeError, ValueError) as error:
            return type(error), str(error).replace("delete", "assign to")

    expected, made = answer(make(dataclasses.dataclass, slots=slots)), make(records.dataclass, slots=slots)
    assert [answer(made), answer(made)] == [expected, expected]


@both_kinds
def test_its_methods_are_the_standard_ones_once_it_was_used(slots: bool) -> None:
    """After its first use the class has no stub left, so later calls cost nothing extra."""
    made = make(records.dataclass, slots=slots)
    assert all(vars(made)[name] is stub for name, stub in records.STUBS.items())
    made(1)
    assert not any(vars(made)[name] is stub for name, stub in records.STUBS.items())
    assert {vars(made)[name].__qualname__ for name in records.STUBS} >= {"Heap.__init__", "Heap.__eq__"}


@records.dataclass(frozen=True, slots=True)
class Stone:
    """A stone, which `pickle` finds by its name."""

    n: int


@records.dataclass(frozen=True, slots=True)
class Pebble(Stone):
    """A stone with one more field."""

    light: bool = True

    def __eq__(self, other: object) -> bool:
        """The class's own method, which the decorator must keep."""
        return isinstance(other, Pebble)

    def __hash__(self) -> int:
        """See above."""
        return 7


def test_a_class_inherits_from_another() -> None:
    """Inherited fields come first, and the class keeps its own methods."""
    assert repr(Pebble(1)) == "Pebble(n=1, light=True)"
    assert (Pebble(1) == Pebble(2), hash(Pebble(1)), Pebble(1) == 1) == (True, 7, False)
    with pytest.raises(FrozenInstanceError):
        Pebble(1).n = 2  # type: ignore[misc]  # it is what is tried


def test_an_object_is_pickled() -> None:
    """An object can be pickled though it is frozen."""
    assert pickle.loads(pickle.dumps(Stone(1))) == Stone(1)  # noqa: S301  # our own


def test_threads_may_be_the_first_together() -> None:
    """Four threads that use a class first, at once, each get their object."""
    for _ in range(20):
        made, found, together = make(records.dataclass, slots=True), list[int](), Barrier(4)

        def use(made: Any, found: list[int], together: Barrier) -> None:
            together.wait()
            found.append(made(2).double)

        threads = [Thread(target=use, args=(made, found, together)) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert found == [4] * 4
