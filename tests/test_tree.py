"""Pytrees go apart and together again, and say where their leaves are."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functrans import tree
from functrans.errors import ArgumentError


class Point(NamedTuple):
    x: Any
    y: Any


class Box:
    def __init__(self, inside: Any, label: str) -> None:
        self.inside, self.label = inside, label

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Box) and (self.inside, self.label) == (other.inside, other.label)


tree.register_pytree(Box, lambda b: ((b.inside,), b.label), lambda label, children: Box(*children, label))

LEAVES = st.one_of(st.integers(), st.floats(allow_nan=False), st.text(max_size=2))
TREES = st.recursive(
    st.one_of(LEAVES, st.none()),
    lambda t: st.one_of(
        st.lists(t, max_size=3),
        st.lists(t, max_size=3).map(tuple),
        st.dictionaries(st.sampled_from("abc"), t),
        st.builds(Point, t, t),
        st.builds(Box, t, st.sampled_from(["p", "q"])),
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(TREES)
def test_unflatten_undoes_flatten(value: Any) -> None:
    leaves, treedef = tree.flatten(value)
    assert treedef.num_leaves == len(leaves)
    again = treedef.unflatten(leaves)
    assert again == value
    assert type(again) is type(value)
    assert tree.flatten(again)[1] == treedef
    assert hash(tree.flatten(again)[1]) == hash(treedef)
    assert len(tree.paths(value)) == len(leaves)


@settings(deadline=None)
@given(TREES)
def test_one_entry_spreads_over_everything(value: Any) -> None:
    leaves, treedef = tree.flatten(value)
    assert tree.flatten_prefix(7, treedef, "axes") == [7] * len(leaves)
    assert tree.flatten_prefix(None, treedef, "axes") == [None] * len(leaves)
    full = treedef.unflatten(range(len(leaves)))
    assert tree.flatten_like(full, treedef) == list(range(len(leaves)))


def test_dicts_go_by_sorted_keys() -> None:
    assert tree.flatten({10: "c", 9: "b", 1: "a"})[0] == ["a", "b", "c"]
    assert tree.flatten({"b": 1, "a": 2})[1] == tree.flatten({"a": 5, "b": 6})[1]
    with pytest.raises(ArgumentError, match=r"keys \['a', 1\] of a dict cannot be sorted.*test_tree"):
        tree.flatten({"a": 1, 1: 2})


def test_paths_read_as_python() -> None:
    value = {"a": (1, [2]), "b": Point(3, None), "c": Box(4, "p")}
    assert tree.paths(value, "x") == ["x['a'][0]", "x['a'][1][0]", "x['b'].x", "x['c'].0"]


def test_a_prefix_may_stop_early_or_go_all_the_way() -> None:
    treedef = tree.flatten(([1, 2], {"k": 3, "l": 4}))[1]
    assert tree.flatten_prefix((0, {"k": None, "l": 1}), treedef, "axes") == [0, 0, None, 1]
    assert tree.flatten_prefix([(0, 5), 2], treedef, "axes") == [0, 5, 2, 2]  # a list fits a tuple


@pytest.mark.parametrize(
    ("prefix", "text"),
    [
        ((0, 1, 2), r"axes is a tuple of 3 where the values are a tuple of 2"),
        (([0, 1, 2], 0), r"axes\[0\] is a list of 3 where the values are a list of 2"),
        ((0, {"m": 1}), r"axes\[1\] is a dict of 1"),
        (([0, (1,)], 0), r"axes\[0\]\[1\] is a tuple of 1 where the values are a single array"),
    ],
)
def test_a_prefix_of_another_structure(prefix: Any, text: str) -> None:
    treedef = tree.flatten(([1, 2], {"k": 3}))[1]
    with pytest.raises(ArgumentError, match=text):
        tree.flatten_prefix(prefix, treedef, "axes")


def test_alike_is_strict_but_for_none() -> None:
    treedef = tree.flatten((1, [2, 3]))[1]
    assert tree.flatten_like((None, [4, None]), treedef) == [None, 4, None]
    for other in ((1, 2), (1, [2]), (1, (2, 3)), (1, [2, [3]]), [1, [2, 3]], 1):
        assert tree.flatten_like(other, treedef) is None


@pytest.mark.parametrize("cls", [tuple, dict, Box, type(None)])
def test_a_class_is_registered_once(cls: type) -> None:
    with pytest.raises(ArgumentError, match="is a pytree already"):
        tree.register_pytree(cls, lambda x: ((), None), lambda info, children: None)


def test_only_classes_are_registered() -> None:
    with pytest.raises(ArgumentError, match="expects a class, got 3 of type int"):
        tree.register_pytree(3, lambda x: ((), None), lambda info, children: None)  # type: ignore[arg-type]


def test_structures_print_as_their_containers() -> None:
    assert str(tree.flatten({"a": (1, None), "b": [2]})[1]) == "{'a': (*, None), 'b': [*]}"


def test_a_container_that_holds_itself_is_no_tree() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(ArgumentError, match="a list of containers nested without end, or one that holds itself"):
        tree.flatten(loop)
