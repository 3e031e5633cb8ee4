"""Records against frozen dataclasses: fields, defaults, bases, equality, hash, copies."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import typing
from collections.abc import Callable
from typing import Any

import pytest

from functrans._records import as_dict, record, replace


class Plain:
    """Fields, two of them with defaults."""

    a: int
    b: tuple[int, ...] = ()
    c: str = "x"


class After:
    """A field of one's own, a method that is kept, a check at the end."""

    d: float = 0.5

    def __post_init__(self) -> None:
        if self.d < 0:  # type: ignore[attr-defined, unused-ignore]
            raise ValueError(self.d)

    def __str__(self) -> str:
        return "after"


def both(*, eq: bool = True, repr: bool = True) -> list[list[Any]]:
    """Two classes, one on top of the other, by records and by dataclasses."""
    made: list[list[Any]] = []
    ways: list[Callable[[Any], Any]] = [
        record(eq=eq, repr=repr),
        dataclasses.dataclass(frozen=True, eq=eq, repr=repr),
    ]
    for way in ways:
        low = way(type("Low", (), dict(Plain.__dict__)))
        made.append([low, way(type("High", (low,), dict(After.__dict__)))])
    return made


@record
class Point:
    """Of this module, so that it can be pickled."""

    x: float
    y: float = 0.0


@record
class Holder:
    """With a field of a type of this module."""

    point: Point


def test_records_are_what_frozen_dataclasses_are() -> None:
    (low, high), (plain, after) = both()
    for mine, theirs in ((low, plain), (high, after)):
        calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = [((1,), {}), ((1, (2,)), {}), ((), {"c": "z", "a": 3})]
        for args, named in calls:
            one, other = mine(*args, **named), theirs(*args, **named)
            assert as_dict(one) == dataclasses.asdict(other)
            assert repr(one) == repr(other)
            assert hash(one) == hash(other) and one == mine(*args, **named) and one != mine(9)
            assert replace(one, c="q").c == "q" and replace(one, c="q").a == one.a
        assert mine.__match_args__ == theirs.__match_args__
        assert inspect.signature(mine) == inspect.signature(theirs)
    assert low(1) != high(1)
    assert str(high(1)) == "after"
    with pytest.raises(ValueError, match=r"-1"):
        high(1, d=-1)
    with pytest.raises(TypeError, match="'a'"):
        low()


def test_identity_is_equality_where_it_is_asked_for() -> None:
    (low, _), _ = both(eq=False, repr=False)
    one = low(1)
    assert one == one and one != low(1) and hash(one) == object.__hash__(one)
    assert repr(one).startswith("<")


def test_a_record_does_not_change() -> None:
    p = Point(1.0)
    with pytest.raises(AttributeError, match=r"Point\.x cannot be set.*replace\(record, x="):
        p.x = 2.0  # type: ignore[misc]
    with pytest.raises(AttributeError, match=r"Point\.y cannot be deleted"):
        del p.y  # type: ignore[misc]
    assert p == Point(1.0)


def test_annotations_are_of_the_module() -> None:
    assert typing.get_type_hints(Holder.__init__) == {"point": Point, "return": type(None)}


def test_copies_and_pickles_are_equal() -> None:
    p = Point(1.0, 2.0)
    assert copy.copy(p) == copy.deepcopy(p) == pickle.loads(pickle.dumps(p)) == p


def test_records_of_one_field_and_of_none() -> None:
    one, none = record(type("One", (), {"__annotations__": {"a": "int"}})), record(type("None_", (), {}))
    assert one(3) == one(3) != one(4) and len({one(3), one(3)}) == 1
    assert none() == none() and hash(none()) == hash(none())
