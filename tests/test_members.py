"""Enumerations of our own: what they have of those of ``enum``, and nothing between a class and its members."""

from __future__ import annotations

import copy
import pickle

import pytest

from functrans._members import Enum, auto
from functrans.ops.enums import AxisType, Ops
from functrans.ops.routines import Kind


class Suit(Enum):
    CLUBS = auto()
    HEARTS = auto()
    JOKER = "none"

    @property
    def is_red(self) -> bool:
        return self is Suit.HEARTS


def test_members_in_order() -> None:
    assert [(s.name, s.value) for s in Suit] == [("CLUBS", 1), ("HEARTS", 2), ("JOKER", "none")]
    assert list(Suit.__members__) == ["CLUBS", "HEARTS", "JOKER"] and len(Suit) == 3
    assert Suit["JOKER"] is Suit.JOKER in Suit and isinstance(Suit.JOKER, Suit)
    assert [s.is_red for s in Suit] == [False, True, False]
    assert repr(Suit.CLUBS) == str(Suit.CLUBS) == f"{Suit.CLUBS}" == "Suit.CLUBS"


@pytest.mark.parametrize("member", [Ops.ADD, AxisType.LANES, Kind.LU])
def test_one_object_a_member(member: Enum) -> None:
    assert pickle.loads(pickle.dumps(member)) is copy.copy(member) is copy.deepcopy([member])[0] is member
    assert {member: 1}[member] == 1


def test_no_other_members() -> None:
    with pytest.raises(TypeError, match=r"Suit has no more members than it is written with; read one: Suit\.NAME"):
        Suit()
    with pytest.raises(AttributeError):
        Suit.CLUBS.color = "black"
    with pytest.raises(KeyError):
        Suit["SPADES"]


@pytest.mark.parametrize("kind", [Ops, AxisType])
def test_members_are_read_by_no_function(kind: type) -> None:
    assert not hasattr(type(kind), "__getattr__")  # the class of those of enum has one before Python 3.12
    assert not hasattr(type(kind.__dict__[next(iter(kind)).name]), "__get__")
